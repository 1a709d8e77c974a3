//! Texts as they are while they are written: cut off, garbled, or nothing at all. Every question has an answer.

use serde_json::{Value, json};

use crate::client::{Editor, example};

const QUESTIONS: &[&str] = &[
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/formatting",
    "textDocument/codeAction",
];

#[test]
fn no_text_is_too_strange() {
    let mut editor = Editor::start();
    let mut random = base::Random::new(7);
    let texts: Vec<String> =
        ["car_on_roads", "motor_pendulum", "dueling_spaceships", "simlab_particles"].map(|name| example(name).1).into();
    for trial in 0..120 {
        let text = garbled(&texts[trial % texts.len()], &mut random);
        let uri = format!("untitled:{trial}");
        editor.open(&uri, &text);
        for _ in 0..4 {
            let line = random.below(text.lines().count() + 2);
            let character = random.below(60);
            for question in QUESTIONS {
                let asked = json!({
                    "textDocument": { "uri": uri },
                    "position": { "line": line, "character": character },
                    "newName": "other", "range": {}, "context": { "diagnostics": [] }, "options": {},
                });
                if let Err(why) = editor.ask(question, asked) {
                    assert!(!why.contains("defect"), "{question} at {line}:{character} of\n{text}");
                }
            }
        }
        editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    editor.end();
}

/// Cut off somewhere, with pieces repeated, left out or replaced.
fn garbled(text: &str, random: &mut base::Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..random.below(6) {
        if characters.len() < 10 {
            break;
        }
        let at = random.below(characters.len());
        let end = (at + random.below(12)).min(characters.len());
        match random.below(4) {
            0 => drop(characters.drain(at..end)),
            1 => characters.truncate(at),
            2 => characters.splice(at..at, "{[(\".:θ𝛼".chars().take(random.below(9))).for_each(drop),
            _ => {
                let piece: Vec<char> = characters[at..end].to_vec();
                let to = random.below(characters.len());
                characters.splice(to..to, piece).for_each(drop);
            }
        }
    }
    characters.into_iter().collect()
}

#[test]
fn strange_messages_are_refused_and_survived() {
    let mut editor = Editor::start();
    assert!(editor.ask("textDocument/unheardOf", json!({})).is_err());
    assert_eq!(editor.ask("textDocument/hover", json!({})), Ok(Value::Null));
    editor.tell("textDocument/didChange", json!({ "textDocument": { "uri": "untitled:nowhere" } }));
    editor.tell("unheardOf", Value::Null);
    editor.open("untitled:1", "");
    let asked =
        json!({ "textDocument": { "uri": "untitled:1" }, "position": { "line": 4_000_000_000_u32, "character": -3 } });
    assert_eq!(editor.ask("textDocument/hover", asked), Ok(Value::Null));
    editor.end();
}

/// Whatever comes between two messages, the second is answered.
#[test]
fn bytes_that_are_no_message_are_survived() {
    let mut editor = Editor::start();
    let mut random = base::Random::new(3);
    let framed = |body: &[u8]| [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
    for trial in 0..60 {
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.below(256) as u8).collect();
        // A length in the noise would only swallow what it announces; the line break ends whatever was begun.
        let noise = if trial % 2 == 0 { framed(&bytes) } else { [&bytes, &b"\n"[..]].concat() };
        editor.throw(&noise);
        assert_eq!(editor.ask("textDocument/hover", json!({})), Ok(Value::Null));
    }
    for strange in ["null", "[]", "{}", "{\"id\":[],\"method\":{}}", "{\"jsonrpc\":\"2.0\",\"id\":-1}"] {
        editor.throw(&framed(strange.as_bytes()));
        assert_eq!(editor.ask("textDocument/hover", json!({})), Ok(Value::Null), "{strange}");
    }
    editor.end();
}
