//! The manual tells the truth: its scenes run, its tables are those of the compiler, its pages can be found.
//!
//! A block begins with `ansatz`; `--until` may follow, else it runs for two seconds. Lines of an `ansatz excerpt` stand in a scene of the
//! same page. The pages of errors have a test of their own. `ANSATZ_BLESS=1 cargo test -p manual` writes the tables anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::Severity;
use driver::{Options, Run, Settings, Stage, compile};
use manual::{Block, Given, blocks, site};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The texts of the manual, but for the pages of errors.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    manual::texts().filter(|(path, _)| !path.starts_with("docs/errors/"))
}

/// The same, and the first thing that anybody reads.
fn texts() -> Vec<(&'static str, &'static str)> {
    pages().chain([("README.md", include_str!("../../../../README.md"))]).collect()
}

fn is_scene(block: &Block) -> bool {
    let words: Vec<&str> = block.words.iter().map(String::as_str).take(2).collect();
    words.first() == Some(&"ansatz") && !matches!(words.get(1), Some(&"excerpt" | &"wrong"))
}

#[test]
fn every_scene_runs() {
    let mut count = 0;
    for (path, text) in texts() {
        for block in blocks(text).into_iter().filter(is_scene) {
            count += 1;
            runs(path, &block);
        }
    }
    assert!(count > 20, "the scenes of the manual were not found");
}

fn runs(path: &str, block: &Block) {
    let scene = &block.text;
    let until = block.words.iter().position(|word| word == "--until").and_then(|at| block.words.get(at + 1));
    let until: f64 = until.map_or(2.0, |until| until.parse().expect("a time"));
    let options = Options::default();
    let compilation = compile("manual", scene, &options);
    // A notice is fine: the last current law of a circuit follows from the others.
    let bad = compilation.diagnostics.iter().any(|found| found.severity != Severity::Notice);
    assert!(!bad, "{path}\n{scene}\n{:#?}", compilation.diagnostics);
    let run = Run { until, every: until / 2.0, tolerance: options.tolerance };
    let played = driver::play(&compilation, &options, &Settings::default(), Some(run), |_, _| {});
    let told = played.diagnostics.iter().filter(|found| found.severity != Severity::Notice).count();
    let expected = usize::from(block.words.iter().any(|word| word == "warns"));
    assert!(told == expected && played.summary.rows == 3, "{path}\n{scene}\n{:#?}", played.diagnostics);
}

#[test]
fn what_is_wrong_is_said_as_quoted() {
    for (path, text) in texts() {
        let blocks = blocks(text);
        let wrong = |block: &Block| block.words.get(1).is_some_and(|word| word == "wrong");
        for pair in blocks.windows(2).filter(|pair| wrong(&pair[0])) {
            let code = &pair[0].words[2];
            let found = compile("manual", &pair[0].text, &Options::default()).diagnostics;
            let found = found
                .iter()
                .find(|found| found.code.0 == code)
                .unwrap_or_else(|| panic!("{path}: {code} is not found"));
            let said = format!("error[{code}]: {}", found.message);
            assert_eq!(pair[1].text.lines().next(), Some(said.as_str()), "{path}");
            assert!(found.hints.iter().all(|hint| pair[1].text.contains(hint)), "{path}: {found:#?}");
        }
    }
}

/// After `text explain STAGE FILE`, or without a file of the scene above it, stands what the compiler prints; `…` stands for lines left out.
#[test]
fn what_is_explained_is_what_the_compiler_prints() {
    let mut count = 0;
    for (path, text) in texts() {
        let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
        let mut scene = String::new();
        for block in blocks(text) {
            if is_scene(&block) {
                scene.clone_from(&block.text);
            }
            let words: Vec<&str> = block.words.iter().map(String::as_str).collect();
            let ["text", "explain", stage, file @ ..] = words.as_slice() else { continue };
            count += 1;
            let (name, source) = match file.first() {
                Some(file) => (file.to_string(), std::fs::read_to_string(root().join(file)).expect("an example")),
                None => (format!("{stem}.anz"), scene.clone()),
            };
            let printed = explained(&name, &source, stage);
            let mut rest = printed.as_str();
            for piece in block.text.split("…\n") {
                let at = rest
                    .find(piece)
                    .unwrap_or_else(|| panic!("{path}: the compiler does not print\n{piece}\nin\n{rest}"));
                rest = &rest[at + piece.len()..];
            }
        }
    }
    assert!(count > 5, "what is explained was not found");
}

fn explained(name: &str, source: &str, stage: &str) -> String {
    let stage = match stage {
        "summary" => None,
        "model" => Some(Stage::Model),
        "equations" => Some(Stage::Equations),
        "automaton" => Some(Stage::Automaton),
        "plan" => Some(Stage::Plan),
        "program" => Some(Stage::Program),
        _ => panic!("no stage is called {stage}"),
    };
    let compilation = compile(name, source, &Options::default());
    let stages = compilation.stages.as_ref().expect("a good scene");
    driver::explain(&compilation, stages, stage)
}

#[test]
fn every_excerpt_is_of_a_scene_of_its_page() {
    for (path, text) in texts() {
        let (scenes, others): (Vec<Block>, Vec<Block>) = blocks(text).into_iter().partition(is_scene);
        let lines: BTreeSet<&str> = scenes.iter().flat_map(|scene| scene.text.lines().map(str::trim)).collect();
        let excerpts = others.iter().filter(|block| block.words.get(1).is_some_and(|word| word == "excerpt"));
        for line in excerpts.flat_map(|block| block.text.lines()) {
            assert!(lines.contains(line.trim()), "{path}: `{line}` is in no scene of the page");
        }
    }
}

#[test]
fn scenes_are_laid_out() {
    for (path, text) in texts() {
        for block in blocks(text).into_iter().filter(is_scene) {
            let laid_out = syntax::format(base::SourceId(0), &block.text).unwrap_or_default();
            assert!(laid_out == block.text, "{path}: `ansatz fmt` would write\n{laid_out}");
        }
    }
}

#[test]
fn every_table_is_that_of_the_compiler() {
    for (path, _) in texts() {
        let path = root().join(path);
        let written = std::fs::read_to_string(&path).expect("a page");
        // The page of commands is compared where commands are known.
        if written.contains("<!-- table: commands -->") {
            continue;
        }
        let now = manual::fill(&written, |name| panic!("no table is called {name}"));
        if std::env::var_os("ANSATZ_BLESS").is_some() {
            std::fs::write(path, now).expect("a page");
        } else {
            assert!(
                written == now,
                "a table of {} has changed; if this is meant, run again with ANSATZ_BLESS=1",
                path.display()
            );
        }
    }
}

#[test]
fn every_row_has_a_sentence() {
    let names =
        ["statements", "words", "properties", "shapes", "figures", "frames", "scene", "functions", "units", "errors"];
    for name in names {
        let table = manual::table(name).expect("a table");
        let head: Vec<&str> = table.lines().next().unwrap_or_default().split(" | ").collect();
        let column =
            head.iter().position(|word| word.trim_matches(['|', ' ']) == "meaning").expect("a column of meanings");
        for row in table.lines().skip(2) {
            let row = row.replace("\\|", "¦");
            let meaning = row.trim_start_matches("| ").split(" | ").nth(column).unwrap_or_default();
            assert!(meaning.trim_matches(['|', ' ']).len() > 2, "{name}: {row}");
        }
    }
}

#[test]
fn every_link_of_the_site_leads_to_a_file_of_it() {
    let files = site(&Given { commands: String::new(), faces: Vec::new() });
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths.len(), files.len(), "two files have the same path");
    for file in files.iter().filter(|file| file.path.ends_with(".html")) {
        let html = std::str::from_utf8(&file.bytes).expect("a text");
        for attribute in ["href=\"", "src=\""] {
            for target in html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
                let target = target.split('#').next().unwrap_or_default();
                if target.is_empty() || target.contains("://") {
                    continue;
                }
                let mut parts: Vec<&str> = file.path.split('/').collect();
                parts.pop();
                for part in target.split('/') {
                    match part {
                        ".." => drop(parts.pop().unwrap_or_else(|| panic!("{}: {target} leads out", file.path))),
                        part => parts.push(part),
                    }
                }
                let place = parts.join("/");
                let styled = place.starts_with("look/");
                assert!(styled || paths.contains(place.as_str()), "{}: {target} is not there", file.path);
            }
        }
        assert!(!html.contains("://") || !html.contains("<script src=\"http"), "{} asks the network", file.path);
    }
}

#[test]
fn every_equation_is_typeset() {
    for (path, text) in texts() {
        if let Some((_, latex, why)) = manual::untypeset(text) {
            panic!("{path}: `{latex}`: {why}");
        }
    }
    let files = site(&Given { commands: String::new(), faces: Vec::new() });
    let count = |file: &manual::File| String::from_utf8_lossy(&file.bytes).matches("<math").count();
    assert!(files.iter().map(count).sum::<usize>() > 10, "equations were not found");
}

#[test]
fn every_page_is_in_the_contents() {
    let start = manual::texts().find(|(path, _)| *path == "docs/README.md").expect("the first page").1;
    for (path, _) in pages() {
        let listed = start.contains(&format!("]({})", path.trim_start_matches("docs/")));
        assert!(listed || path == "docs/README.md", "{path} is not listed in docs/README.md");
    }
}
