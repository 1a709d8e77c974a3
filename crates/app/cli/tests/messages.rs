//! What users see, word for word. Each chapter in `messages/` has scenes, and what the command line says of them; each chapter in
//! `mutations/` is about the example of its name, with changes such as people make, and what is said then.
//!
//! `ANSATZ_BLESS=1 cargo test -p cli --test messages` writes down what is said now; the difference is read like code.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn every_message_is_as_written_down() {
    compare(&chapters("messages"));
}

#[test]
fn every_slip_in_an_example_is_answered_as_written_down() {
    let chapters = chapters("mutations");
    let examples = std::fs::read_dir(examples()).expect("the examples").map(|file| file.expect("a file").path());
    for example in examples.filter(|file| file.extension().is_some_and(|kind| kind == "anz")) {
        let told = chapters.iter().any(|chapter| chapter.file_stem() == example.file_stem());
        assert!(told, "no chapter tells what can go wrong with {}", example.display());
    }
    compare(&chapters);
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples")
}

fn chapters(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut chapters: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the chapters").map(|file| file.expect("a chapter").path()).collect();
    chapters.sort();
    chapters
}

fn compare(chapters: &[PathBuf]) {
    let bless = std::env::var_os("ANSATZ_BLESS").is_some();
    let mut wrong = Vec::new();
    for chapter in chapters {
        let written = std::fs::read_to_string(chapter).expect("a text");
        let name = chapter.file_stem().unwrap_or_default().to_string_lossy();
        let now = replay(&written, &name);
        if bless {
            std::fs::write(chapter, &now).expect("the chapter");
        } else if written != now {
            wrong.push(format!("{}:\n{}", chapter.display(), first_difference(&written, &now)));
        }
    }
    assert!(wrong.is_empty(), "{}\nif this is meant, run again with ANSATZ_BLESS=1", wrong.join("\n"));
}

/// The chapter with every command carried out again.
fn replay(chapter: &str, name: &str) -> String {
    let folder = std::env::temp_dir().join(format!("ansatz-messages-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let mut out = String::new();
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let block: Vec<&str> = match line {
            "```ansatz" | "```diff" | "```console" => lines.by_ref().take_while(|line| *line != "```").collect(),
            _ => continue,
        };
        let text = match (line, block.first().and_then(|command| command.strip_prefix("$ ansatz "))) {
            ("```console", Some(command)) => format!("$ ansatz {command}\n{}", said(command, &folder)),
            ("```diff", _) => {
                let example = std::fs::read_to_string(examples().join(name).with_extension("anz")).expect("an example");
                std::fs::write(folder.join(name).with_extension("anz"), change(&example, &block)).expect("a scene");
                block.join("\n") + "\n"
            }
            _ => {
                let scene = block.join("\n") + "\n";
                std::fs::write(folder.join("scene.anz"), &scene).expect("a scene");
                scene
            }
        };
        out.push_str(&text);
        out.push_str("```\n");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    out
}

/// A text with some of its lines, which occur in it once, replaced: lines marked `-` go, lines marked `+` come, others stay.
fn change(text: &str, difference: &[&str]) -> String {
    let side = |other: char| -> String {
        let lines = difference.iter().filter(|line| !line.starts_with(other));
        lines.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
    };
    let (before, after) = (side('+'), side('-'));
    assert_eq!(text.matches(&before).count(), 1, "this should occur once in the example:\n{before}");
    text.replacen(&before, &after, 1)
}

/// All that a command prints, without what depends on the machine's speed.
fn said(command: &str, folder: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ansatz"))
        .args(command.split_whitespace())
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("the command line");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("a text")).concat();
    let summary =
        |line: &&str| ["s of computing", " derivatives ", "constraint error"].iter().any(|mark| line.contains(mark));
    let kept: Vec<&str> = said.trim_matches('\n').lines().filter(|line| !summary(line)).collect();
    kept.join("\n").trim_start_matches('\n').to_string() + "\n"
}

fn first_difference(written: &str, now: &str) -> String {
    let mut pairs = written.lines().zip(now.lines()).enumerate();
    match pairs.find(|(_, (before, after))| before != after) {
        Some((at, (before, after))) => format!("  line {}\n  written: {before}\n  now:     {after}", at + 1),
        None => "  one is longer than the other".to_string(),
    }
}

#[test]
fn diagnostics_as_json_are_as_documented() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/reference/diagnostics.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let documented = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = std::env::temp_dir().join(format!("ansatz-json-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let scene = "scene ball\ngravity 9.81\nbody ball { position = (0, 0, free); mass = 1 [kg] }\n";
    std::fs::write(folder.join("ball.anz"), scene).expect("a scene");
    let said = said("check ball.anz --json", &folder);
    std::fs::write(folder.join("ball.anz"), scene.replace("9.81", "9.81 [m/s^2]")).expect("a scene");
    let nothing = self::said("check ball.anz --json", &folder);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert_eq!(said, documented);
    assert_eq!(nothing, "[]\n");
}
