//! Stage texts: chapters in Markdown, each with models and what the stages make of them.
//!
//! A block marked `model` is compiled; the blocks that follow it, marked with the name of a stage or `diagnostics`, are compared with
//! what that stage prints. `ANSATZ_BLESS=1 cargo test -p driver chapters` rewrites them; the difference is reviewed like code.

use std::path::{Path, PathBuf};

use base::Severity;
use driver::{Compilation, Options, Stage};

/// A piece of a chapter: text, or a block with the word after its fence.
#[derive(Debug, PartialEq)]
enum Piece {
    Text(String),
    Block { word: String, text: String },
}

const FENCE: &str = "```";

fn read(chapter: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text(String::new())];
    for line in chapter.lines() {
        let inside = matches!(pieces.last(), Some(Piece::Block { .. }));
        match (line.strip_prefix(FENCE), inside, pieces.last_mut()) {
            (Some(word), false, _) => pieces.push(Piece::Block { word: word.trim().to_string(), text: String::new() }),
            (Some(_), true, _) => pieces.push(Piece::Text(String::new())),
            (None, _, Some(Piece::Text(text) | Piece::Block { text, .. })) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, _, None) => unreachable!("there is always a piece"),
        }
    }
    assert!(matches!(pieces.last(), Some(Piece::Text(_))), "a block is not closed");
    pieces
}

fn write(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Block { word, text } => format!("{FENCE}{word}\n{text}{FENCE}\n"),
    };
    pieces.iter().map(piece).collect()
}

/// The chapter as it should be.
fn rewrite(pieces: Vec<Piece>, place: &str) -> Vec<Piece> {
    let mut model: Option<Compilation> = None;
    let mut rewritten = Vec::new();
    for piece in pieces {
        rewritten.push(match piece {
            Piece::Block { word, text } if word == "model" => {
                model = Some(driver::compile("model", &text, &Options::default()));
                Piece::Block { word, text }
            }
            Piece::Block { word, .. } => {
                let model = model.as_ref().unwrap_or_else(|| panic!("{place}: `{word}` comes before any model"));
                let text = stage(model, &word, place);
                Piece::Block { word, text }
            }
            text => text,
        });
    }
    rewritten
}

fn stage(model: &Compilation, word: &str, place: &str) -> String {
    let stage = match word {
        "diagnostics" => return diagnostics(model),
        "resolved" => Stage::Model,
        "equations" => Stage::Equations,
        "plan" => Stage::Plan,
        "program" => Stage::Program,
        "kernel" => Stage::Kernel,
        _ => panic!("{place}: there is no stage `{word}`"),
    };
    let Some(stages) = &model.stages else { panic!("{place}: the model has errors:\n{}", diagnostics(model)) };
    let text = driver::explain(model, stages, Some(stage));
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_string() + "\n"
}

/// One line for each message, then its places and what to do.
fn diagnostics(model: &Compilation) -> String {
    let mut out = String::new();
    for diagnostic in model.diagnostics.sorted() {
        let severity = match diagnostic.severity {
            Severity::Notice => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        out.push_str(&format!("{severity}[{}]: {}\n", diagnostic.code.0, diagnostic.message));
        for label in &diagnostic.labels {
            out.push_str(format!("  {} {}", model.sources.locate(label.span), label.text).trim_end());
            out.push('\n');
        }
        diagnostic.notes.iter().for_each(|note| out.push_str(&format!("  note: {note}\n")));
        diagnostic.hints.iter().for_each(|hint| out.push_str(&format!("  hint: {hint}\n")));
    }
    if out.is_empty() { "nothing wrong\n".to_string() } else { out }
}

fn chapters() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chapters");
    let files = std::fs::read_dir(folder).expect("the chapters can be read").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|kind| kind == "md")).collect();
    files.sort();
    files
}

#[test]
fn stages_print_what_the_chapters_show() {
    let bless = std::env::var_os("ANSATZ_BLESS").is_some();
    let mut stale = Vec::new();
    for file in chapters() {
        let place = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let written = std::fs::read_to_string(&file).expect("a chapter can be read");
        let fresh = write(&rewrite(read(&written), &place));
        if fresh == written {
            continue;
        }
        if bless {
            std::fs::write(&file, fresh).expect("a chapter can be written");
            continue;
        }
        let at = written.lines().zip(fresh.lines()).position(|(old, new)| old != new).unwrap_or(0);
        let line = |text: &str| text.lines().nth(at).unwrap_or("").to_string();
        stale.push(format!("{place}:{}\n  shown:   {}\n  printed: {}", at + 1, line(&written), line(&fresh)));
    }
    assert!(stale.is_empty(), "run with ANSATZ_BLESS=1 and review the difference:\n{}", stale.join("\n"));
    assert!(chapters().len() >= 5, "where are the chapters?");
}

#[test]
fn a_chapter_is_read_and_written_without_change() {
    let text = "# Title\n\n```model\nscene a\n```\ntext\n```plan\n```\n";
    let pieces = read(text);
    assert_eq!(write(&pieces), text);
    assert_eq!(pieces[1], Piece::Block { word: "model".into(), text: "scene a\n".into() });
}
