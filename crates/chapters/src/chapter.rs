//! Chapters as text: read, compared with what a stage says, and written.

use std::path::{Path, PathBuf};

/// A block that is to be shown or checked.
#[derive(Clone, Copy, Debug)]
pub struct Block<'c> {
    /// The text of the scene before it.
    pub scene: &'c str,
    /// What stands after the fence.
    pub word: &'c str,
    pub text: &'c str,
}

/// Goes through all chapters of a folder. For each block, `says` gives the text that it should have, or why what it states is wrong.
pub fn check(folder: impl AsRef<Path>, mut says: impl FnMut(Block<'_>) -> Result<String, String>) {
    let bless = std::env::var_os("ANSATZ_BLESS").is_some();
    let files = chapters(folder.as_ref());
    assert!(!files.is_empty(), "{} has no chapters", folder.as_ref().display());
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let written = std::fs::read_to_string(&file).expect("a chapter can be read");
        let fresh = match rewrite(read(&written), &mut says) {
            Ok(pieces) => write(&pieces),
            Err(reasons) => {
                wrong.extend(reasons.into_iter().map(|reason| format!("{name}: {reason}")));
                continue;
            }
        };
        if fresh != written && bless {
            std::fs::write(&file, fresh).expect("a chapter can be written");
        } else if fresh != written {
            let at = written.lines().zip(fresh.lines()).position(|(old, new)| old != new).unwrap_or(0);
            let line = |text: &str| text.lines().nth(at).unwrap_or("").to_string();
            wrong.push(format!("{name}:{}\n  written: {}\n  is:      {}", at + 1, line(&written), line(&fresh)));
        }
    }
    assert!(wrong.is_empty(), "ANSATZ_BLESS=1 rewrites what is shown, not what is stated:\n{}", wrong.join("\n"));
}

fn chapters(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("the chapters can be read").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|kind| kind == "md")).collect();
    files.sort();
    files
}

/// A piece of a chapter: text, or a block with the word after its fence.
#[derive(Debug, PartialEq)]
enum Piece {
    Text(String),
    Block { word: String, text: String },
}

const FENCE: &str = "```";
const SCENE: &str = "model";

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

/// The chapter as it should be, or all that is untrue in it.
fn rewrite(
    mut pieces: Vec<Piece>,
    says: &mut impl FnMut(Block<'_>) -> Result<String, String>,
) -> Result<Vec<Piece>, Vec<String>> {
    let mut scene = None;
    let mut wrong = Vec::new();
    for piece in &mut pieces {
        match piece {
            Piece::Block { word, text } if word == SCENE => scene = Some(text.clone()),
            Piece::Block { word, text } => match (&scene, ()) {
                (None, ()) => wrong.push(format!("`{word}` comes before any scene")),
                (Some(scene), ()) => match says(Block { scene, word, text }) {
                    Ok(fresh) => *text = fresh,
                    Err(reason) => wrong.push(format!("{}, {word}: {reason}", scene.lines().next().unwrap_or(""))),
                },
            },
            Piece::Text(_) => {}
        }
    }
    if wrong.is_empty() { Ok(pieces) } else { Err(wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAPTER: &str = "# Title\n\n```model\nscene a\n```\ntext\n```plan\nold\n```\n";

    #[test]
    fn a_chapter_is_read_and_written_without_change() {
        let pieces = read(CHAPTER);
        assert_eq!(write(&pieces), CHAPTER);
        assert_eq!(pieces[1], Piece::Block { word: "model".into(), text: "scene a\n".into() });
    }

    #[test]
    fn what_is_shown_is_rewritten_and_what_is_untrue_is_told() {
        let shown = rewrite(read(CHAPTER), &mut |block| Ok(format!("{} of {}", block.word, block.scene)));
        assert_eq!(write(&shown.unwrap()), CHAPTER.replace("old\n", "plan of scene a\n"));
        let untrue = rewrite(read(CHAPTER), &mut |_| Err("no".into()));
        assert_eq!(untrue, Err(vec!["scene a, plan: no".to_string()]));
    }

    #[test]
    fn a_block_belongs_to_a_scene() {
        let homeless = rewrite(read("```plan\n```\n"), &mut |_| Ok(String::new()));
        assert_eq!(homeless, Err(vec!["`plan` comes before any scene".to_string()]));
    }
}
