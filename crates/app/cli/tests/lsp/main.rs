//! The language server as an editor meets it: the program itself, over its standard input and output.

mod client;
mod folder;
mod strange;

use client::{Editor, example, position, text_at};
use serde_json::{Value, json};

const URI: &str = "untitled:scene";

/// Names with characters of one and of two code units, before what is asked for.
const GREEK: &str = "scene 𝛼\n\
param 𝛼θ = 1 [m] \"of the rod\"\n\
gravity 9.81 [m/s^2]\n\
frame swing { rotation = about x free }\n\
body 𝛽ob in swing { position = (0, 0, -𝛼θ); mass = 1 [kg] }\n\
let ω₁ = 𝛽ob.velocity\n\
plot swing.angle, |ω₁|, 𝛼θ * ω₁.y\n";

fn names(list: &Value, field: &str) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter().map(|one| one[field].as_str().expect("a name").to_string()).collect()
}

#[test]
fn what_is_wrong_is_told_and_can_be_mended() {
    let mut editor = Editor::start();
    let text = GREEK.replace("𝛽ob.velocity", "𝛽ob.velocty");
    editor.open(URI, &text);
    let found = editor.diagnostics(URI, 1);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["code"], "unknown-field");
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(text_at(&text, &found[0]["range"]), "velocty");
    let asked =
        json!({ "textDocument": { "uri": URI }, "range": found[0]["range"], "context": { "diagnostics": found } });
    let actions = editor.ask("textDocument/codeAction", asked).expect("actions");
    let edit = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!((text_at(&text, &edit["range"]).as_str(), &edit["newText"]), ("velocty", &json!("velocity")));
    // The same change, as an editor sends it.
    let change = json!({ "range": edit["range"], "text": edit["newText"] });
    let document = json!({ "uri": URI, "version": 2 });
    editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    assert!(editor.diagnostics(URI, 2).is_empty());
    editor.end();
}

/// What is offered mends what it is offered for, on either side.
#[test]
fn the_side_without_a_unit_is_given_one() {
    const CASES: &[(&str, &str)] = &[
        ("initially bead.position.z == 60", "60 [m]"),
        ("initially bead.velocity.z == -3", "-3 [m/s]"),
        ("initially 3 == bead.velocity.z", "3 [m/s]"),
        ("always heavy: 5 == bead.mass", "5 [kg]"),
        ("initially swing.angle == 60", "60 [deg]"),
        ("initially bead.position.z = 6 [m]", "=="),
    ];
    let mut editor = Editor::start();
    let scene = "body bead { position = (0, 0, free); mass = 1 [kg] }\nframe swing { rotation = about x 1 }\n";
    for (at, (statement, expected)) in CASES.iter().enumerate() {
        let (uri, text) = (format!("{URI}{at}"), format!("{scene}{statement}\n"));
        editor.open(&uri, &text);
        let found = editor.diagnostics(&uri, 1);
        let asked =
            json!({ "textDocument": { "uri": uri }, "range": found[0]["range"], "context": { "diagnostics": found } });
        let actions = editor.ask("textDocument/codeAction", asked).expect("actions");
        let edit = &actions[0]["edit"]["changes"][&uri][0];
        assert_eq!(edit["newText"], *expected, "{statement}: {found:#?}");
        let bare = expected.split(" [").next().expect("a number").replace("==", "=");
        assert_eq!(text_at(&text, &edit["range"]), bare, "{statement}");
    }
    editor.end();
}

#[test]
fn only_the_newest_text_is_checked() {
    let mut editor = Editor::start();
    editor.open(URI, GREEK);
    for version in 2..20 {
        let document = json!({ "uri": URI, "version": version });
        let change = json!({ "text": format!("{GREEK}plot nothing{version}\n") });
        editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }
    let found = editor.diagnostics(URI, 19);
    assert!(found[0]["message"].as_str().expect("a message").contains("nothing19"), "{found:#?}");
    let told = editor.told.iter().filter(|message| message["method"] == "textDocument/publishDiagnostics");
    assert!(told.count() < 10, "texts that were gone have been checked");
    editor.end();
}

#[test]
fn every_example_is_without_errors_and_has_an_outline() {
    let mut editor = Editor::start();
    for name in ["pendulum", "motor_pendulum", "robot_on_track"] {
        let (uri, text) = example(name);
        editor.open(&uri, &text);
        let errors = editor.diagnostics(&uri, 1).into_iter().filter(|found| found["severity"] == 1);
        assert_eq!(errors.count(), 0, "{name}");
        let outline =
            editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })).expect("one");
        for symbol in outline.as_array().expect("a list") {
            let selected = text_at(&text, &symbol["selectionRange"]);
            assert!(symbol["name"].as_str().is_some_and(|name| name.ends_with(&selected)), "{symbol}");
            assert!(text_at(&text, &symbol["range"]).contains(&selected), "{symbol}");
        }
        let declared =
            text.lines().filter(|line| ["frame ", "body ", "param "].iter().any(|word| line.starts_with(word)));
        let words = ["frame", "body", "parameter"];
        let listed = names(&outline, "detail").into_iter().filter(|what| words.contains(&what.as_str()));
        assert_eq!(listed.count(), declared.count(), "{name}");
    }
    editor.end();
}

#[test]
fn texts_are_laid_out() {
    let mut editor = Editor::start();
    let (uri, text) = example("double_pendulum");
    let untidy = text.replace(" = ", "=");
    editor.open(&uri, &untidy);
    let asked = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = editor.ask("textDocument/formatting", asked.clone()).expect("edits");
    assert_eq!(text_at(&untidy, &edits[0]["range"]), untidy);
    assert_eq!(edits[0]["newText"], text);
    editor.open(&uri, "scene a\nbody {{{");
    assert_eq!(editor.ask("textDocument/formatting", asked).expect("edits"), json!([]));
    editor.end();
}

#[test]
fn what_is_under_the_pointer_is_explained() {
    let mut editor = Editor::start();
    editor.open(URI, GREEK);
    let mut hover = |words: &str, on: usize| -> (String, String) {
        let found = editor.at("textDocument/hover", URI, (GREEK, words, on)).expect("an answer");
        let text = found["contents"]["value"].as_str().unwrap_or_default().to_string();
        (text, if found.is_null() { String::new() } else { text_at(GREEK, &found["range"]) })
    };
    let (said, place) = hover("-𝛼θ", 1);
    assert_eq!(place, "𝛼θ");
    assert!(said.contains("param 𝛼θ = 1 [m]") && said.contains("of the rod") && said.contains("length"), "{said}");
    let (said, place) = hover("velocity", 3);
    assert_eq!(place, "velocity");
    assert!(said.contains("vector [m/s]") && said.contains("speed") && said.contains("in frame world"), "{said}");
    let (said, _) = hover("ω₁.y", 0);
    assert!(said.contains("let ω₁ = 𝛽ob.velocity") && said.contains("vector [m/s]"), "{said}");
    let (said, place) = hover("gravity", 2);
    assert_eq!(place, "gravity");
    assert!(said.contains("a uniform field that acts on every body"), "{said}");
    let (said, place) = hover("free", 2);
    assert_eq!(place, "free");
    assert!(said.contains("dynamical variable"), "{said}");
    let (said, _) = hover("kg]", 1);
    assert!(said.contains("[kg]") && said.contains("mass"), "{said}");
    let (said, _) = hover("position =", 1);
    assert!(said.contains("parent's axes"), "{said}");
    assert_eq!(hover("= 1 [m]", 0).0, "");
    editor.end();
}

#[test]
fn what_could_follow_is_offered() {
    let mut editor = Editor::start();
    let mut offered = |text: &str| -> Vec<String> {
        editor.open(URI, text);
        let position = position(text, text.len());
        let asked = json!({ "textDocument": { "uri": URI }, "position": position });
        names(&editor.ask("textDocument/completion", asked).expect("a list")["items"], "label")
    };
    let has = |list: &[String], wanted: &[&str], unwanted: &[&str]| {
        for word in wanted {
            assert!(list.iter().any(|one| one == word), "no {word} in {list:?}");
        }
        for word in unwanted {
            assert!(!list.iter().any(|one| one == word), "{word} in {list:?}");
        }
    };
    has(&offered(&format!("{GREEK}pl")), &["plot", "plan", "body"], &["sin", "swing"]);
    has(&offered(&format!("{GREEK}plot ")), &["swing", "𝛽ob", "𝛼θ", "ω₁", "energy", "sin", "world"], &["body", "𝛼"]);
    has(&offered(&format!("{GREEK}plot 𝛽ob.")), &["velocity", "mass", "point"], &["swing", "energy"]);
    has(&offered(&format!("{GREEK}plot swing.an")), &["angle", "omega"], &["mass"]);
    has(&offered(&format!("{GREEK}plot ω₁.")), &["x", "y", "z"], &["velocity", "w"]);
    has(
        &offered(&format!("{GREEK}plot 3 [")),
        &["m", "kg", "deg"].map(|unit| if unit == "kg" { "g" } else { unit }),
        &["swing"],
    );
    has(&offered(&format!("{GREEK}body b in ")), &["swing", "𝛽ob", "world"], &["𝛼θ", "sin"]);
    has(&offered(&format!("{GREEK}body b {{ ma")), &["mass", "position"], &["swing"]);
    has(&offered(&format!("{GREEK}frame b {{ ")), &["position"], &["mass"]);
    has(&offered("use "), &["circuits", "particles"], &["sin"]);
    let circuit = "scene c\nuse circuits\na: node\nb: node\nr: resistor(a, b) { resistance = 1 [ohm] }\n";
    has(&offered(&format!("{circuit}c1: ")), &["capacitor", "node", "vec"], &["a", "sin"]);
    has(&offered(&format!("{circuit}c1: capacitor(a, b) {{ ")), &["capacitance", "charge", "n1"], &["resistance"]);
    has(&offered(&format!("{circuit}plot r.")), &["resistance", "current", "drop", "n1"], &["voltage"]);
    has(&offered(&format!("{circuit}plot r.n1.")), &["voltage"], &["resistance"]);
    has(&offered(&format!("{GREEK}show ")), &["sphere", "rod"], &["swing"]);
    has(&offered(&format!("{GREEK}show sphere(1 [m]) on 𝛽ob color \"tom")), &["tomato"], &["swing"]);
    assert!(offered(&format!("{GREEK}// a comment ")).is_empty());
    editor.end();
}

#[test]
fn a_name_has_one_definition_and_can_be_changed() {
    let mut editor = Editor::start();
    let (uri, text) = example("robot_on_track_phases");
    editor.open(&uri, &text);
    let found = editor.at("textDocument/definition", &uri, (&text, "ball.position - cart", 16)).expect("one");
    assert_eq!(found["uri"], uri);
    assert_eq!(text_at(&text, &found["range"]), "cart");
    assert_eq!(found["range"]["start"]["line"], text[..text.find("frame cart").expect("it")].matches('\n').count());
    // A value of a mode, from where it is compared.
    let found = editor.at("textDocument/definition", &uri, (&text, "robot == lowering or", 9)).expect("one");
    assert_eq!(found["range"]["start"]["line"], text[..text.find("mode robot").expect("it")].matches('\n').count());
    let uses = editor.at("textDocument/references", &uri, (&text, "mode robot", 6)).expect("a list");
    let spoken = text.matches("robot ==").count() + text.matches("robot:").count();
    assert_eq!(uses.as_array().map(Vec::len), Some(spoken));

    // Renaming changes every place that speaks of it, and no other; so does renaming it back.
    for (words, on, old, new) in
        [("param reach", 6, "reach", "grasp"), ("let found", 4, "found", "θ₁"), ("frame ball", 6, "ball", "kugel")]
    {
        let at = position(&text, text.find(words).expect("it") + on);
        let asked = |new: &str| json!({ "textDocument": { "uri": uri }, "position": at, "newName": new });
        let changed = applied(&text, &editor.ask("textDocument/rename", asked(new)).expect("edits")["changes"][&uri]);
        let word = |text: &str, word: &str| {
            let letter = |c: char| c.is_alphanumeric() || c == '_';
            text.split(|c| !letter(c)).filter(|one| *one == word).count()
        };
        let code = |text: &str| -> String {
            let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
            lines.map(|line| line.split('"').step_by(2).collect::<String>() + "\n").collect()
        };
        assert_eq!(word(&code(&changed), old), 0, "{changed}");
        assert_eq!(word(&code(&changed), new), word(&code(&text), old), "{changed}");
        editor.open(&uri, &changed);
        let back = applied(&changed, &editor.ask("textDocument/rename", asked(old)).expect("edits")["changes"][&uri]);
        assert_eq!(back, text);
        editor.open(&uri, &text);
    }
    let mut refused = |new: &str| {
        let position = position(&text, text.find("param reach").expect("it") + 6);
        let asked = json!({ "textDocument": { "uri": uri }, "position": position, "newName": new });
        editor.ask("textDocument/rename", asked).expect_err("a refusal")
    };
    assert!(refused("two words").contains("not a name"));
    assert!(refused("if").contains("word of the language"));
    assert!(refused("track").contains("there already"));
    let why = editor.at("textDocument/prepareRename", &uri, (&text, "velocity_at", 1)).expect_err("a refusal");
    assert!(why.contains("no name here"), "{why}");
    editor.end();
}

/// A text with edits carried out.
fn applied(text: &str, edits: &Value) -> String {
    let mut edits: Vec<&Value> = edits.as_array().expect("a list").iter().collect();
    let start = |edit: &Value| (edit["range"]["start"]["line"].as_u64(), edit["range"]["start"]["character"].as_u64());
    edits.sort_by_key(|edit| std::cmp::Reverse(start(edit)));
    let mut lines: Vec<Vec<u16>> = text.split('\n').map(|line| line.encode_utf16().collect()).collect();
    for edit in edits {
        let number = |end: &str, part: &str| edit["range"][end][part].as_u64().expect("a number") as usize;
        assert_eq!(number("start", "line"), number("end", "line"));
        let new: Vec<u16> = edit["newText"].as_str().expect("a text").encode_utf16().collect();
        lines[number("start", "line")].splice(number("start", "character")..number("end", "character"), new);
    }
    lines.iter().map(|line| String::from_utf16(line).expect("a text")).collect::<Vec<_>>().join("\n")
}

/// Colours, hints and folds lie where the names are, counted as editors count; a call tells its arguments.
#[test]
fn what_is_seen_without_asking_lies_where_the_names_are() {
    let mut editor = Editor::start();
    let text = format!("{GREEK}let angle = atan2(ω₁.y, ω₁.z)\n");
    editor.open(URI, &text);
    let document = json!({ "uri": URI });
    let colours = editor.ask("textDocument/semanticTokens/full", json!({ "textDocument": document })).expect("colours");
    let numbers: Vec<usize> =
        colours["data"].as_array().expect("numbers").iter().map(|it| it.as_u64().expect("one") as usize).collect();
    let (mut line, mut column, mut words) = (0, 0, Vec::new());
    for token in numbers.chunks(5) {
        (line, column) = if token[0] > 0 { (line + token[0], token[1]) } else { (line, column + token[1]) };
        let place = |character: usize| json!({ "line": line, "character": character });
        words.push(text_at(&text, &json!({ "start": place(column), "end": place(column + token[2]) })));
    }
    assert!(
        ["𝛼θ", "swing", "𝛽ob", "ω₁", "velocity", "atan2"].iter().all(|word| words.iter().any(|found| found == word)),
        "{words:?}"
    );
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints =
        editor.ask("textDocument/inlayHint", json!({ "textDocument": document, "range": whole })).expect("hints");
    assert!(hints.to_string().contains("1 freedom"), "{hints}");
    let at = position(&text, text.find("atan2(ω₁.y, ").expect("there") + "atan2(ω₁.y, ".len());
    let call =
        editor.ask("textDocument/signatureHelp", json!({ "textDocument": document, "position": at })).expect("a call");
    assert!(call["signatures"][0]["label"].as_str().is_some_and(|label| label.starts_with("atan2(")), "{call}");
    editor.end();
}
