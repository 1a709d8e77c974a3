//! Runs: what the page is shown is what the program computes.

use std::time::Instant;

use driver::{Options, Simulation};
use serde_json::json;

use crate::client::{Studio, Tab, example, examples};

/// How fast it is, for whoever reads the output: `cargo test -p cli --test studio every_example -- --nocapture`.
#[tokio::test]
async fn every_example_moves_and_errors_are_told() {
    let studio = Studio::start("examples");
    println!("{:24}{:>14}{:>14}{:>10}", "milliseconds from edit to", "error told", "motion", "numbers");
    for name in examples() {
        let (mut tab, text) = (studio.tab().await, example(&name));
        tab.open(&text, json!({})).await;
        let begin = Instant::now();
        tab.compile(&format!("{text}\nplot nothing_of_the_kind\n"), json!({})).await;
        let reply = tab.until("diagnostics").await;
        let told = begin.elapsed();
        assert_eq!(reply["ok"], false, "{name}");
        assert_eq!(reply["list"][0]["labels"][0]["span"]["line"], text.lines().count() + 2, "{name}");
        let begin = Instant::now();
        tab.open(&text, json!({})).await;
        let moved = begin.elapsed();
        println!(
            "{name:24}{:>14.1}{:>14.1}{:>10}",
            told.as_secs_f64() * 1e3,
            moved.as_secs_f64() * 1e3,
            tab.shown.len()
        );
        assert_eq!(tab.shown.len(), tab.scene["layout"]["stride"], "{name}");
        assert!(tab.shown.iter().all(|number| number.is_finite()), "{name}");
        let shapes = tab.scene["shapes"].as_array().expect("a list");
        let frames = tab.scene["frames"].as_array().expect("a list");
        assert!(frames.is_empty() || !shapes.is_empty(), "{name} shows something");
        // A drawing of others brings its shapes along.
        let drawn = text.contains("use scene");
        assert!(drawn || shapes.iter().all(|shape| shape["implied"] == false), "{name} says what it shows");
        tab.send(json!({ "type": "seek", "t": 0.5 })).await;
        tab.until_status(|status| status["t"] == 0.5).await;
        assert!(tab.rows.len() > 25, "{name}: {} rows", tab.rows.len());
    }
}

/// The states of a run without a studio, at the same times.
fn headless(text: &str, times: &[f64]) -> Vec<Vec<f64>> {
    let compilation = driver::compile("scene", text, &Options::default());
    let stages = compilation.stages.expect("a good scene");
    let machine = driver::machine(&stages.module).expect("machine code");
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    let names: Vec<String> = stages
        .program
        .integrals
        .iter()
        .flat_map(|integral| integral.states.iter().chain(&integral.followers))
        .map(|state| state.name.clone())
        .collect();
    let wanted: Vec<usize> =
        states(text).iter().map(|name| names.iter().position(|known| known == name).expect("a state")).collect();
    simulation.configure(1e-8, 3600.0).expect("numbers");
    simulation.initialize().expect("a start");
    let at = |&t: &f64| {
        while !simulation.advance(t, 1000).expect("a step") {}
        simulation.observe(t).expect("a state");
        let all = simulation.states().expect("a state");
        wanted.iter().map(|&at| all[at]).collect()
    };
    times.iter().map(at).collect()
}

/// Names of what is integrated.
fn states(text: &str) -> Vec<String> {
    let stages = driver::compile("scene", text, &Options::default()).stages.expect("a good scene");
    stages.program.integrals.iter().flat_map(|integral| &integral.states).map(|state| state.name.clone()).collect()
}

#[tokio::test]
async fn the_state_is_that_of_a_headless_run_bit_for_bit() {
    let studio = Studio::start("bits");
    for name in ["double_pendulum", "roller_coaster_3", "weighted_ball"] {
        let (mut tab, text) = (studio.tab().await, example(name));
        tab.open(&text, json!({})).await;
        tab.send(json!({ "type": "seek", "t": 2.0 })).await;
        tab.until_status(|status| status["t"] == 2.0).await;
        let columns: Vec<usize> = states(&text).iter().map(|name| tab.column(name)).collect();
        let rows = tab.history(&columns).await;
        let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        assert!(times.len() > 100);
        for (row, expected) in rows.iter().zip(headless(&text, &times)) {
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&row[1..]), bits(&expected), "{name} at {}", row[0]);
        }
    }
}

#[tokio::test]
async fn what_was_recorded_is_seen_again() {
    let studio = Studio::start("seek");
    let mut tab = studio.tab().await;
    tab.open(&example("double_pendulum"), json!({})).await;
    tab.send(json!({ "type": "seek", "t": 1.0 })).await;
    tab.until_status(|status| status["t"] == 1.0).await;
    let recorded = tab.rows.clone();
    for at in [30, 7, 0, recorded.len() - 1] {
        tab.send(json!({ "type": "seek", "t": recorded[at][0] })).await;
        tab.until("shown").await;
        assert_eq!(tab.shown, recorded[at]);
    }
    // Between two rows, the nearer one.
    tab.send(json!({ "type": "seek", "t": 0.6 * recorded[4][0] + 0.4 * recorded[5][0] })).await;
    tab.until("shown").await;
    assert_eq!(tab.shown, recorded[4]);
    for (request, at) in [("step", 5), ("step", 6), ("back", 5)] {
        tab.send(json!({ "type": request })).await;
        tab.until("shown").await;
        assert_eq!(tab.shown, recorded[at]);
    }
    tab.until_status(|status| status["frames"] == recorded.len() && status["playing"] == false).await;
    // Playing from the past shows the record first, and then goes on.
    tab.send(json!({ "type": "seek", "t": recorded[recorded.len() - 3][0] })).await;
    tab.send(json!({ "type": "play" })).await;
    tab.until_status(|status| status["recorded"].as_f64() > Some(1.2)).await;
    assert_eq!(tab.rows[..recorded.len()], recorded[..]);
    assert!(tab.rows.windows(2).all(|pair| pair[0][0] < pair[1][0]), "each row is new once");
    tab.send(json!({ "type": "reset" })).await;
    tab.until_status(|status| status["recorded"].as_f64() < Some(0.5)).await;
}

#[tokio::test]
async fn the_run_goes_on_while_the_text_is_broken() {
    let studio = Studio::start("broken");
    let mut tab = studio.tab().await;
    let text = example("pendulum");
    tab.open(&text, json!({ "playing": true })).await;
    tab.compile(&text.replace("frame swing", "frame swng"), json!({ "playing": true })).await;
    let reply = tab.until("diagnostics").await;
    assert_eq!(reply["ok"], false);
    let fixes =
        reply["list"].as_array().expect("a list").iter().flat_map(|one| one["fixes"].as_array().expect("a list"));
    assert!(fixes.into_iter().any(|fix| fix["edits"][0]["text"] == "swng"), "{reply:#}");
    let seen = tab.rows.len();
    while tab.rows.len() < seen + 20 {
        tab.receive().await;
    }
    let last = tab.rows.len() - 1;
    assert!(tab.rows[last][0] > tab.rows[seen][0]);
    // With its state kept, the new text goes on from there.
    tab.rows.clear();
    tab.open(&text.replace("tomato", "gold"), json!({ "playing": false, "keep": true })).await;
    assert!(tab.shown[0] > 0.2, "t = {}", tab.shown[0]);
}

#[tokio::test]
async fn tabs_do_not_disturb_each_other() {
    let studio = Studio::start("tabs");
    let (mut first, mut second) = (studio.tab().await, studio.tab().await);
    first.open(&example("pendulum"), json!({})).await;
    second.open(&example("pendulum"), json!({})).await;
    first.send(json!({ "type": "parameter", "name": "length", "value": 2.0 })).await;
    first.until_status(|status| status["parameters"]["length"] == 2.0).await;
    second.send(json!({ "type": "step" })).await;
    second.until_status(|status| status["t"].as_f64() > Some(0.0)).await;
    assert_eq!(second.status["parameters"]["length"], 1.0);
    assert_eq!(first.status["t"], 0.0);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn closing_a_tab_ends_its_run() {
    let studio = Studio::start("closing");
    let workers = || {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", studio.process.id())).expect("the studio's threads");
        let children = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        children.map(|list| list.split_whitespace().count()).sum::<usize>()
    };
    let mut tab = studio.tab().await;
    tab.open(&example("pendulum"), json!({ "playing": true })).await;
    assert!(workers() >= 1);
    drop::<Tab>(tab);
    while workers() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn limits_are_told() {
    let studio = Studio::start("limits");
    let mut tab = studio.tab().await;
    tab.compile(&"/".repeat((1 << 20) + 1), json!({})).await;
    let reply = tab.until("limit").await;
    assert!(reply["message"].as_str().is_some_and(|message| message.contains("1048576")), "{reply}");
    tab.open(&example("pendulum"), json!({})).await;
    tab.send(json!({ "type": "speed", "speed": -1.0 })).await;
    assert_eq!(tab.until("refused").await["request"], "speed");
    tab.send(json!({ "type": "seek", "t": 1e9 })).await;
    let reply = tab.until("limit").await;
    assert!(reply["message"].as_str().is_some_and(|message| message.contains("3600")), "{reply}");
    assert!(tab.rows.len() < 10_000);
}

#[tokio::test]
async fn a_run_that_fails_says_why_and_can_be_reset() {
    let studio = Studio::start("failing");
    let mut tab = studio.tab().await;
    let text = "scene fall\nparam h = 1 [m]\nbody a { position = (0, 0, free(h)); mass = 1 [kg] }\n\
                force on a = (0, 0, -1) * 1 [N*m^2] / a.z^2\nshow sphere(10 [cm]) on a\n";
    tab.open(text, json!({})).await;
    tab.send(json!({ "type": "seek", "t": 100.0 })).await;
    let reply = tab.until("failed").await;
    assert_eq!(reply["diagnostic"]["severity"], "error");
    assert!(!tab.rows.is_empty());
    tab.send(json!({ "type": "reset" })).await;
    tab.until_status(|status| status["t"] == 0.0 && status["frames"] == 1).await;
}
