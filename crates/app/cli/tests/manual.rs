//! What the manual tells people to type does what it says: its commands are carried out, and its program in C is compiled.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use manual::{Block, blocks};

/// What ends by itself, and needs nothing but the scene.
const COMMANDS: &[&str] = &["run", "check", "explain", "build", "new", "test", "linearize", "sweep", "ask"];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn shell(line: &str, folder: &Path) -> Output {
    let ansatz = Path::new(env!("CARGO_BIN_EXE_ansatz")).parent().expect("a folder").display().to_string();
    let path = format!("{ansatz}:{}", std::env::var("PATH").unwrap_or_default());
    Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", path).output().expect("a shell")
}

fn is(block: &Block, word: &str) -> bool {
    block.words.first().is_some_and(|first| first == word)
}

/// A scene is saved under the name that the command after it uses. After `text output` stands what the last command printed, in which `…`
/// stands for lines left out.
#[test]
fn every_command_can_be_carried_out() {
    let mut count = 0;
    for (path, text) in manual::texts().filter(|(path, _)| !path.starts_with("docs/errors/")) {
        let folder = folder(&path.replace('/', "-"));
        let (mut scene, mut printed) = (String::new(), String::new());
        for block in blocks(text) {
            if is(&block, "text") && block.words.get(1).is_some_and(|word| word == "output") {
                let mut rest = printed.as_str();
                for piece in block.text.split("…\n") {
                    let at = rest
                        .find(piece)
                        .unwrap_or_else(|| panic!("{path}: what was printed is\n{printed}\nwithout\n{piece}"));
                    rest = &rest[at + piece.len()..];
                }
            }
            if is(&block, "ansatz") && block.words.get(1).is_none_or(|kind| kind.starts_with("--")) {
                scene.clone_from(&block.text);
            }
            let typed = block.text.lines().filter_map(|line| line.strip_prefix("$ ")).filter(|_| is(&block, "console"));
            for line in typed.filter(|line| COMMANDS.iter().any(|word| line.starts_with(&format!("ansatz {word} ")))) {
                count += 1;
                let file = line.split_whitespace().find(|word| word.ends_with(".anz"));
                if let Some(file) = file {
                    std::fs::write(folder.join(file), &scene).expect("a scene");
                }
                let output = shell(line, &folder);
                let said = String::from_utf8_lossy(&output.stderr);
                printed = String::from_utf8_lossy(&output.stdout).into_owned();
                // A refuted claim is what some of them are for.
                let fine = output.status.success() || said.contains("error[claim-refuted]");
                assert!(fine, "{path}: {line}\n{said}");
            }
        }
    }
    assert!(count > 20, "the commands of the manual were not found");
}

/// The program around the synthesized C computes what `ansatz run` computes.
#[test]
fn the_program_in_c_is_compiled_and_agrees() {
    let (_, text) = manual::texts().find(|(path, _)| *path == "docs/how-to/export-c.md").expect("the page");
    let folder = folder("c");
    let find = |word: &str| blocks(text).into_iter().find(|block| is(block, word)).expect("a block").text;
    std::fs::write(folder.join("pendulum.anz"), find("ansatz")).expect("a scene");
    std::fs::write(folder.join("mine.c"), find("c")).expect("a program");
    let compile = "ansatz build pendulum.anz --target c && cp mine.c pendulum-c/ && cd pendulum-c && \
                   gcc -std=c99 -O1 -ffp-contract=off mine.c pendulum.c -lm -o mine && ./mine";
    let mine = shell(compile, &folder);
    assert!(mine.status.success(), "{}", String::from_utf8_lossy(&mine.stderr));
    let run = shell("ansatz run pendulum.anz --set length=2 --every 0.1 --probe swing.angle --radians -o -", &folder);
    let (mine, run) = (String::from_utf8_lossy(&mine.stdout), String::from_utf8_lossy(&run.stdout));
    let mine: Vec<f64> = mine.lines().filter_map(|row| row.split(' ').nth(1)?.parse().ok()).collect();
    let run: Vec<f64> = run.lines().skip(1).filter_map(|row| row.split(',').nth(1)?.parse().ok()).collect();
    assert_eq!((mine.len(), run.len()), (101, 101));
    // Six digits are printed.
    assert!(mine.iter().zip(&run).all(|(mine, run)| (mine - run).abs() < 6e-6), "{mine:?}\n{run:?}");
}
