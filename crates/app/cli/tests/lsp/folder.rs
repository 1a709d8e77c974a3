//! Names that come from other texts: theories of the library, and of one's own.

use std::path::PathBuf;

use serde_json::json;

use crate::client::{Editor, example, position, text_at};

const THEORY: &str = "// Tanks and pipes.\ntheory tanks\n\nkind tank {\n  level: [m] \"above the ground\"\n  inflow: sum [m^3/s]\n  area: constant [m^2]\n  inflow == area * der(level)\n}\n\nconnection pipe(a: tank, b: tank) {\n  flow: [m^3/s]\n  flow == (a.level - b.level) * 1 [m^2/s]\n  a.inflow += -flow\n  b.inflow += flow\n}\n";
const SCENE: &str = "scene two_tanks\nuse tanks\none: tank { area = 1 [m^2] }\ntwo: tank { area = 2 [m^2] }\nbetween: pipe(one, two)\ninitially one.level == 3 [m]\nplot one.level, two.level, between.flow\n";

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ansatz lsp θ {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("tanks.anz"), THEORY).expect("a theory");
    std::fs::write(folder.join("scene.anz"), SCENE).expect("a scene");
    folder
}

fn address(folder: &std::path::Path, file: &str) -> String {
    let path: String = folder.join(file).to_string_lossy().replace(' ', "%20").replace('θ', "%CE%B8");
    format!("file://{path}")
}

#[test]
fn definitions_are_found_in_the_library() {
    let mut editor = Editor::start();
    let (uri, text) = example("motor_pendulum");
    editor.open(&uri, &text);
    for (words, on, wanted) in [
        ("dc_motor(", 2, "connection dc_motor"),
        ("motor.torque", 7, "torque:"),
        ("supply: node", 9, "kind node"),
        ("use motors", 5, ""),
    ] {
        let found = editor.at("textDocument/definition", &uri, (&text, words, on)).expect("an answer");
        let path = found["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a file");
        let theory = std::fs::read_to_string(path).expect("a copy of the library");
        let line = found["range"]["start"]["line"].as_u64().expect("a line") as usize;
        let line = theory.lines().nth(line).expect("a line");
        assert!(line.contains(wanted), "{words}: {line}");
    }
    let at = position(&text, text.find("motor.torque").expect("it") + 7);
    let asked = json!({ "textDocument": { "uri": uri }, "position": at, "newName": "moment" });
    let why = editor.ask("textDocument/rename", asked).expect_err("a refusal");
    assert!(why.contains("comes with Ansatz"), "{why}");
    editor.end();
}

#[test]
fn a_theory_beside_the_scene_is_followed_and_renamed_with_it() {
    let folder = folder();
    let (scene, theory) = (address(&folder, "scene.anz"), address(&folder, "tanks.anz"));
    let mut editor = Editor::start();
    editor.open(&scene, SCENE);
    assert!(editor.diagnostics(&scene, 1).iter().all(|found| found["severity"] != 1));
    editor.open(&theory, THEORY);
    assert!(editor.diagnostics(&theory, 1).is_empty(), "a theory is not wrong because nothing moves");

    let found = editor.at("textDocument/definition", &scene, (SCENE, "two.level", 5)).expect("an answer");
    assert_eq!((found["uri"].as_str(), text_at(THEORY, &found["range"]).as_str()), (Some(theory.as_str()), "level"));
    let hover = editor.at("textDocument/hover", &scene, (SCENE, "two.level", 5)).expect("an answer");
    let said = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(said.contains("above the ground") && said.contains("length"), "{said}");

    // From either text, both are changed.
    for (uri, text, words, on) in [(&scene, SCENE, "two.level", 5), (&theory, THEORY, "  level:", 3)] {
        let at = position(text, text.find(words).expect("it") + on);
        let uses = editor.ask(
            "textDocument/references",
            json!({ "textDocument": { "uri": uri }, "position": at, "context": { "includeDeclaration": true } }),
        );
        let spoken = THEORY.matches("level").count() + SCENE.matches("level").count();
        assert_eq!(uses.expect("a list").as_array().map(Vec::len), Some(spoken));
        let asked = json!({ "textDocument": { "uri": uri }, "position": at, "newName": "height" });
        let changes = editor.ask("textDocument/rename", asked).expect("edits")["changes"].clone();
        assert_eq!(changes[&scene].as_array().map(Vec::len), Some(SCENE.matches("level").count()));
        assert_eq!(changes[&theory].as_array().map(Vec::len), Some(THEORY.matches("level").count()));
    }
    editor.end();
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
