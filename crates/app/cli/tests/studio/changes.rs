//! Changes while it runs: the state is kept, and the constraints hold.

use serde_json::json;

use crate::client::{Studio, Tab, distance, example};

async fn at(studio: &Studio, name: &str, t: f64) -> Tab {
    let mut tab = studio.tab().await;
    tab.open(&example(name), json!({})).await;
    tab.send(json!({ "type": "seek", "t": t })).await;
    tab.until_status(|status| status["t"] == t).await;
    tab
}

#[tokio::test]
async fn parameters_keep_the_state() {
    let studio = Studio::start("parameters");
    let mut tab = at(&studio, "pendulum", 0.7).await;
    let (angle, rate) = (tab.column("swing.angle"), tab.column("swing.angle'"));
    let before = tab.shown.clone();
    tab.send(json!({ "type": "parameter", "name": "length", "value": 3.0 })).await;
    tab.until("shown").await;
    assert_eq!((tab.shown[0], tab.shown[angle], tab.shown[rate]), (before[0], before[angle], before[rate]));
    assert!((distance(tab.position("bob"), [0.0; 3]) - 3.0).abs() < 1e-12);
    // From here on it swings as a pendulum of that length does: energy is kept at its new value.
    let energy = tab.shown[1];
    tab.send(json!({ "type": "seek", "t": 5.0 })).await;
    tab.until_status(|status| status["t"] == 5.0).await;
    assert!((tab.shown[1] - energy).abs() < 1e-6 * energy.abs());
    // What no body has is refused, and changes nothing.
    tab.send(json!({ "type": "parameter", "name": "mass", "value": -1.0 })).await;
    let reply = tab.until("refused").await;
    assert_eq!(reply["diagnostic"]["code"], "unphysical-value");
    tab.until_status(|status| status["parameters"]["mass"] == 1.0).await;
    tab.send(json!({ "type": "parameter", "name": "lenght", "value": 1.0 })).await;
    tab.until("refused").await;
}

#[tokio::test]
async fn at_the_start_parameters_change_the_start() {
    let studio = Studio::start("start");
    let mut tab = studio.tab().await;
    tab.open(&example("pendulum"), json!({})).await;
    tab.send(json!({ "type": "parameter", "name": "angle", "value": 0.25 })).await;
    tab.until("shown").await;
    assert!((tab.shown[tab.column("swing.angle")] - 0.25).abs() < 1e-12);
}

#[tokio::test]
async fn a_constraint_that_changes_is_kept() {
    let studio = Studio::start("constraint");
    let mut tab = at(&studio, "linked_pendula", 0.5).await;
    tab.send(json!({ "type": "parameter", "name": "rod", "value": 1.3 })).await;
    tab.until("shown").await;
    assert!((distance(tab.position("bob1"), tab.position("bob2")) - 1.3).abs() < 1e-9);
    // A rod that cannot reach is refused.
    tab.send(json!({ "type": "parameter", "name": "rod", "value": 30.0 })).await;
    tab.until("refused").await;
    tab.until_status(|status| status["parameters"]["rod"] == 1.3).await;
    assert!((distance(tab.position("bob1"), tab.position("bob2")) - 1.3).abs() < 1e-9);
}

#[tokio::test]
async fn a_change_in_the_past_begins_a_new_future() {
    let studio = Studio::start("branch");
    let mut tab = at(&studio, "pendulum", 1.0).await;
    tab.send(json!({ "type": "seek", "t": 0.5 })).await;
    tab.send(json!({ "type": "parameter", "name": "mass", "value": 2.0 })).await;
    tab.until_status(|status| status["recorded"].as_f64() < Some(0.6)).await;
    let times: Vec<f64> = tab.history(&[]).await.into_iter().map(|row| row[0]).collect();
    assert!(times.last().is_some_and(|last| (last - 0.5).abs() < 0.02) && times.len() > 25);
}

#[tokio::test]
async fn a_control_acts_from_the_moment_it_is_moved() {
    let studio = Studio::start("control");
    let mut tab = at(&studio, "roller_coaster_1", 1.0).await;
    let before = tab.shown.clone();
    tab.send(json!({ "type": "control", "name": "up_down", "value": 9.0 })).await;
    tab.until_status(|status| status["controls"]["up_down"] == 1.0).await;
    let speed = tab.column("origin1.angle'");
    assert_eq!(tab.shown[speed], before[speed]);
    let row = |tab: &Tab| tab.shown[speed];
    tab.send(json!({ "type": "seek", "t": 1.5 })).await;
    tab.until_status(|status| status["t"] == 1.5).await;
    let pushed = row(&tab);
    let mut tab = at(&studio, "roller_coaster_1", 1.5).await;
    assert!(pushed > row(&tab), "the thrust drives it on");
    tab.send(json!({ "type": "pause" })).await;
}

#[tokio::test]
async fn a_probe_is_computed_for_all_that_is_recorded() {
    let studio = Studio::start("probe");
    let mut tab = at(&studio, "pendulum", 1.0).await;
    let angle = tab.column("swing.angle");
    tab.send(json!({ "type": "probe", "expression": "bob.position.z, |bob.velocity|" })).await;
    let reply = tab.until("probed").await;
    let series = reply["plot"]["series"].as_array().expect("two of them").clone();
    assert_eq!(series.len(), 2);
    assert_eq!(series[1]["unit"]["text"], "m/s");
    let columns: Vec<usize> = series.iter().map(|one| one["at"].as_u64().expect("a column") as usize).collect();
    let rate = tab.column("swing.angle'");
    tab.send(json!({ "type": "step" })).await;
    let rows = tab.history(&[angle, columns[0], rate, columns[1]]).await;
    assert!(rows.len() > 50);
    for row in rows {
        assert!((row[2] + libm::cos(row[1])).abs() < 1e-12, "z = -cos(angle)");
        assert!((row[4] - row[3].abs()).abs() < 1e-12, "the speed is the rate times one metre");
    }
    tab.send(json!({ "type": "probe", "expression": "bob.velocty" })).await;
    let reply = tab.until("probed").await;
    assert!(reply["plot"].is_null());
    assert_eq!(reply["list"][0]["labels"][0]["span"]["column"], 5);
}

/// Forces of this scene depend on where the stick was, which recorded states do not tell: what depends on that is refused, all else is computed.
#[tokio::test]
async fn a_probe_of_what_was_is_refused() {
    let studio = Studio::start("probe-past");
    let mut tab = at(&studio, "late_balance", 0.3).await;
    for (expression, known) in
        [("2 * pivot.angle", true), ("pivot.angle(t - reaction)", false), ("grip.acceleration.x", false)]
    {
        tab.send(json!({ "type": "probe", "expression": expression })).await;
        let reply = tab.until("probed").await;
        assert_eq!(reply["plot"].is_null(), !known, "{expression}: {reply}");
        let said = reply["list"][0]["message"].as_str().unwrap_or_default();
        assert_eq!(said.contains("depends on what was before"), !known, "{expression}: {reply}");
    }
}

#[tokio::test]
async fn a_hand_moves_a_paused_scene_as_far_as_constraints_allow() {
    let studio = Studio::start("posing");
    // A bob goes to the point of its circle that is nearest to the hand.
    let mut tab = at(&studio, "pendulum", 0.5).await;
    tab.send(json!({ "type": "drag", "frame": "frame:bob", "grasp": [0, 0, 0], "target": [0.3, 3.0, 0.0] })).await;
    tab.until("shown").await;
    assert!(distance(tab.position("bob"), [0.0, 1.0, 0.0]) < 1e-3, "{:?}", tab.position("bob"));
    assert!((tab.shown[0] - 0.5).abs() < 1e-12);
    tab.send(json!({ "type": "drop" })).await;
    tab.until_status(|status| status["dragging"].is_null()).await;
    // A loop stays closed.
    let mut tab = at(&studio, "linked_pendula", 0.5).await;
    for y in [-0.6, -0.4, 0.1] {
        let before = tab.position("bob1");
        tab.send(json!({ "type": "drag", "frame": "frame:bob1", "grasp": [0, 0, 0], "target": [0.0, y, -1.0] })).await;
        tab.until("shown").await;
        let [bob1, bob2] = ["bob1", "bob2"].map(|bob| tab.position(bob));
        assert!((distance(bob1, bob2) - 1.2).abs() < 1e-9);
        assert!((distance(bob1, [0.0, -0.5, 0.0]) - 1.0).abs() < 1e-9);
        assert!(distance(bob1, [0.0, y, -1.0]) <= distance(before, [0.0, y, -1.0]));
    }
    // A free body goes all the way.
    let mut tab = at(&studio, "three_body", 0.5).await;
    tab.send(json!({ "type": "drag", "frame": "frame:body2", "grasp": [0, 0, 0], "target": [0.5, 0.75, 0.0] })).await;
    tab.until("shown").await;
    assert!(distance(tab.position("body2"), [0.5, 0.75, 0.0]) < 1e-6, "{:?}", tab.position("body2"));
}

#[tokio::test]
async fn a_hand_poses_what_changes_up_to_where_it_would_change() {
    let studio = Studio::start("posing modes");
    let mut tab = at(&studio, "ball_in_box", 0.1).await;
    let mut drag = async |target: [f64; 3]| {
        tab.send(json!({ "type": "drag", "frame": "frame:ball", "grasp": [0, 0, 0], "target": target })).await;
        tab.until("shown").await;
        tab.position("ball")
    };
    let inside = drag([0.5, -0.25, 0.75]).await;
    assert!(distance(inside, [0.5, -0.25, 0.75]) < 1e-6, "{inside:?}");
    // The wall is at 1 m, the radius is 0.1 m.
    let [x, y, z] = drag([3.0, -0.25, 0.75]).await;
    assert!((0.89..=0.9).contains(&x) && (y + 0.25).abs() < 1e-6 && (z - 0.75).abs() < 1e-6, "{x}, {y}, {z}");
    // It falls from there, and bounces.
    tab.send(json!({ "type": "drop" })).await;
    tab.send(json!({ "type": "seek", "t": 2.0 })).await;
    tab.until_status(|status| status["t"] == 2.0).await;
    assert!(tab.position("ball").iter().all(|part| part.abs() <= 0.9 + 1e-9), "{:?}", tab.position("ball"));
}

#[tokio::test]
async fn a_hand_pulls_at_what_changes_and_its_transitions_stay() {
    let studio = Studio::start("pulling modes");
    let mut tab = at(&studio, "bouncing_ball", 1.0).await;
    let before = tab.events.len();
    assert!(before > 0, "it has bounced");
    tab.send(json!({ "type": "drag", "frame": "frame:ball", "grasp": [0, 0, 0], "target": [0.0, 0.0, 2.0] })).await;
    tab.send(json!({ "type": "play" })).await;
    tab.until_status(|status| status["t"].as_f64() > Some(4.0)).await;
    let [_, _, z] = tab.position("ball");
    // The spring is as stiff as it takes to swing twice a second: gravity stretches it by g / (4 π)².
    assert!((z - (2.0 - 9.81 / (4.0 * std::f64::consts::PI).powi(2))).abs() < 0.01, "{z}");
    assert_eq!(tab.events.len(), before);
    tab.send(json!({ "type": "drop" })).await;
    tab.until_status(|status| status["t"].as_f64() > Some(6.0)).await;
    assert!(tab.events.len() > before, "it fell and bounced again");
    assert!(tab.events.windows(2).all(|pair| pair[0]["t"].as_f64() <= pair[1]["t"].as_f64()));
}

#[tokio::test]
async fn a_hand_pulls_while_it_runs() {
    let studio = Studio::start("pulling");
    let mut tab = studio.tab().await;
    let text = "scene ball\nbody ball { position = free; mass = 1 [kg] }\nshow sphere(10 [cm]) on ball\n";
    tab.open(text, json!({ "playing": true })).await;
    tab.send(json!({ "type": "drag", "frame": "frame:ball", "grasp": [0, 0, 0], "target": [1.0, 2.0, 3.0] })).await;
    tab.until_status(|status| status["dragging"] == "frame:ball" && status["t"].as_f64() > Some(2.0)).await;
    assert!(distance(tab.position("ball"), [1.0, 2.0, 3.0]) < 0.05, "{:?}", tab.position("ball"));
    tab.send(json!({ "type": "drop" })).await;
    tab.until_status(|status| status["dragging"].is_null()).await;
    assert!(tab.rows.windows(2).all(|pair| pair[0][0] < pair[1][0]));
}

/// A motion that is prescribed and switched off keeps its state and exerts nothing; the energy is that of a free arm from there on. What was recorded
/// before stays, and a probe that comes later knows which row was which.
#[tokio::test]
async fn a_prescribed_motion_is_switched_off_and_on() {
    let studio = Studio::start("release");
    let mut tab = at(&studio, "arm_inverse", 1.0).await;
    let [angle, torque] = [tab.column("shoulder.angle"), series(&tab, "shoulder.torque")];
    let before = tab.shown.clone();
    let labels =
        json!(["shoulder.angle == 0.5 * sin(2 [rad/s] * t)", "elbow.angle == -0.8 + 0.3 * cos(3 [rad/s] * t)"]);
    tab.send(json!({ "type": "release", "labels": labels })).await;
    tab.until_status(|status| status["released"].as_array().is_some_and(|list| list.len() == 2)).await;
    while tab.shown == before {
        tab.receive().await;
    }
    assert!((tab.shown[angle] - before[angle]).abs() < 1e-12 && before[torque].abs() > 1.0);
    assert_eq!(tab.shown[torque], 0.0);
    let energy = tab.shown[1];
    tab.send(json!({ "type": "seek", "t": 2.0 })).await;
    tab.until_status(|status| status["t"] == 2.0).await;
    assert!((tab.shown[1] - energy).abs() < 1e-6 * energy.abs().max(1.0));
    tab.send(json!({ "type": "probe", "expression": "2 * shoulder.torque" })).await;
    let probed = tab.until("probed").await;
    let doubled = probed["plot"]["series"][0]["at"].as_u64().expect("a column") as usize;
    for row in tab.history(&[torque, doubled]).await {
        assert!((row[2] - 2.0 * row[1]).abs() < 1e-6, "{row:?}");
        assert!(row[0] < 1.0 || row[1] == 0.0, "{row:?}");
    }
    tab.send(json!({ "type": "release", "labels": [] })).await;
    tab.until_status(|status| status["released"].as_array().is_some_and(Vec::is_empty)).await;
    tab.send(json!({ "type": "seek", "t": 2.5 })).await;
    tab.until_status(|status| status["t"] == 2.5).await;
    assert!((tab.shown[angle] - 0.5 * 5.0_f64.sin()).abs() < 1e-9);
}

/// The column of something that the scene plots.
fn series(tab: &Tab, name: &str) -> usize {
    let plots = tab.scene["plots"].as_array().expect("plots");
    let all = plots.iter().flat_map(|plot| plot["series"].as_array().expect("series"));
    let found = all.into_iter().find(|series| series["name"] == name).expect("it is plotted");
    found["at"].as_u64().expect("a column") as usize
}
