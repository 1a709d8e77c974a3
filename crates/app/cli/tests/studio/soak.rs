//! A long session, compressed: tabs are opened, edited, broken, run, branched and closed again and again, and memory stays where it was.
//!
//! `cargo test -p cli --test studio -- --ignored soak`; `ANSATZ_SOAK_ROUNDS` says how often, 400 times if nobody does.

use serde_json::json;

use crate::client::{Studio, Tab, example};

/// What passes through the second tab, by turns: smooth, with modes, with constraints, with controls.
const SCENES: [&str; 4] = ["double_pendulum", "bouncing_ball", "linked_pendula", "roller_coaster_1"];

#[tokio::test]
#[ignore = "takes minutes; on demand"]
async fn soak() {
    let rounds = std::env::var("ANSATZ_SOAK_ROUNDS").ok().map_or(400, |rounds| rounds.parse().expect("a number"));
    let studio = Studio::start("soak");
    let mut lasting = studio.tab().await;
    let mut sizes = Vec::new();
    for round in 0..rounds {
        edit(&mut lasting, round).await;
        let own = workers(&studio).len();
        visit(&studio, SCENES[round % SCENES.len()]).await;
        while workers(&studio).len() > own {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        sizes.push(memory(&studio));
    }
    // The first quarter fills what is kept on purpose.
    let quarter = sizes.len() / 4;
    let largest = |part: &[usize]| part.iter().copied().max().unwrap_or(0);
    let (early, late) = (largest(&sizes[quarter..2 * quarter]), largest(&sizes[3 * quarter..]));
    println!("{rounds} rounds: {early} KiB in the second quarter, {late} KiB in the last");
    assert!(late <= early + early / 4, "memory grows: {early} KiB in the second quarter, {late} KiB in the last");
}

/// Runs a text, breaks it, mends it with its state kept, and changes something in its past.
async fn edit(tab: &mut Tab, round: usize) {
    let text = format!("{}\n// edited {round} times\n", example("pendulum"));
    tab.open(&text, json!({ "playing": true })).await;
    tab.compile(&text.replace("frame swing", "frame swng"), json!({ "playing": true })).await;
    assert_eq!(tab.until("diagnostics").await["ok"], false);
    tab.open(&text.replace("tomato", "gold"), json!({ "keep": true })).await;
    tab.send(json!({ "type": "seek", "t": 20.0 })).await;
    tab.until_status(|status| status["t"] == 20.0).await;
    tab.send(json!({ "type": "seek", "t": 0.5 })).await;
    tab.send(json!({ "type": "parameter", "name": "mass", "value": 2.0 })).await;
    tab.until_status(|status| status["recorded"].as_f64() < Some(0.6)).await;
    // What a test remembers is not what is measured, but should not grow either.
    tab.replies.clear();
    tab.rows.clear();
}

/// Opens a scene in a tab of its own, runs it for a while, and closes the tab while it plays.
async fn visit(studio: &Studio, scene: &str) {
    let mut tab = studio.tab().await;
    tab.open(&example(scene), json!({})).await;
    tab.send(json!({ "type": "seek", "t": 2.0 })).await;
    tab.until_status(|status| status["t"] == 2.0).await;
    tab.send(json!({ "type": "play" })).await;
}

/// The processes that the studio has started and that have not ended.
fn workers(studio: &Studio) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", studio.process.id())).expect("the studio's threads");
    let children = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    children.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

/// Of the server and its workers together, in KiB.
fn memory(studio: &Studio) -> usize {
    let of = |id: u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()).and_then(|size| size.parse::<usize>().ok()).unwrap_or(0)
    };
    of(studio.process.id()) + workers(studio).into_iter().map(of).sum::<usize>()
}
