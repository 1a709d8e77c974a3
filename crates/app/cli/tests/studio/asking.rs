//! Questions about the text: answered while a scene runs, and of texts that do not compile.

use serde_json::{Value, json};

use crate::client::{Studio, Tab, example};

/// The answer about the place after some words of a text.
async fn ask(tab: &mut Tab, what: &str, (source, words): (&str, &str), name: &str) -> Value {
    let before = &source[..source.find(words).expect("the words") + words.len()];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count() + 1;
    let question = json!({
        "type": "ask", "request": 7, "path": "scene.anz", "source": source,
        "line": line, "column": column, "what": what, "name": name,
    });
    tab.send(question).await;
    let reply = tab.until("answered").await;
    assert_eq!(reply["request"], 7);
    reply["answer"].clone()
}

#[tokio::test]
async fn questions_are_answered_beside_a_run() {
    let studio = Studio::start("asking");
    let mut tab = studio.tab().await;
    let pendulum = example("pendulum");
    tab.open(&pendulum, json!({})).await;

    let broken = pendulum.replace("plot swing.angle", "plot θ, bob.ve((, swing.angle");
    let offered = ask(&mut tab, "complete", (&broken, "bob.ve"), "").await;
    let labels: Vec<&str> =
        offered["list"].as_array().expect("a list").iter().filter_map(|one| one["label"].as_str()).collect();
    assert!(labels.contains(&"velocity") && !labels.contains(&"swing"), "{labels:?}");
    assert_eq!((&offered["span"]["column"], &offered["span"]["endColumn"]), (&json!(13), &json!(15)));

    let explained = ask(&mut tab, "explain", (&pendulum, "initially swing.ang"), "").await;
    assert_eq!(explained["entry"]["what"], "quantity of a frame");
    let declared = ask(&mut tab, "define", (&pendulum, "initially swi"), "").await;
    let line = pendulum[..pendulum.find("frame swing").expect("it")].matches('\n').count() + 1;
    assert_eq!((&declared["span"]["line"], &declared["theory"]), (&json!(line), &Value::Null));
    let edits = ask(&mut tab, "rename", (&pendulum, "param len"), "reach").await;
    assert_eq!(edits["edits"].as_array().map(Vec::len), Some(pendulum.matches("length").count()));
    let refused = ask(&mut tab, "rename", (&pendulum, "param len"), "mass").await;
    assert!(refused["refused"].as_str().is_some_and(|why| why.contains("there already")), "{refused}");
    let outline = ask(&mut tab, "outline", (&pendulum, "scene"), "").await;
    assert!(outline["outline"].as_array().expect("a list").iter().any(|one| one["name"] == "bob"));

    let motors = example("motor_pendulum");
    let declared = ask(&mut tab, "define", (&motors, "plot motor.curr"), "").await;
    assert_eq!(declared["theory"]["name"], "circuits");

    // The run has not noticed.
    tab.send(json!({ "type": "seek", "t": 0.5 })).await;
    tab.until_status(|status| status["t"] == 0.5).await;
    // Nor does a question keep a text from being compiled.
    tab.open(&pendulum, json!({})).await;
}
