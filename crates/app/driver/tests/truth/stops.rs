//! Runs that end on a condition: when, what their last row shows, and what they leave alone.

use crate::scene::{Scene, Table, assert_near};

/// A stone that is thrown from 2 m above the ground, with some more statements.
fn stone(more: &str) -> Scene {
    let stone = "gravity 9.81 [m/s^2]\nbody stone { position = (free, 0, free(2 [m])); mass = 1 [kg] }\n\
                 initially stone.velocity.x == 10 [m/s]\ninitially stone.velocity.z == 10 [m/s]\n";
    Scene::new(&format!("{stone}let x = stone.position.x\nlet z = stone.position.z\n{more}"))
}

fn names(table: &Table) -> Vec<&str> {
    table.events.iter().map(|event| event.name.as_str()).collect()
}

/// It lands after (v + √(v² + 2gh))/g.
const LANDING: f64 = 20.0 / 9.0;

#[test]
fn a_run_ends_where_the_condition_begins_to_hold() {
    let table = stone("stop when z <= 0").probe(&["x", "z"]).run(5.0, 0.5);
    assert_eq!(table.times.len(), 6, "five whole intervals, and the end");
    assert_near("when", table.times[5], LANDING, 1e-12);
    assert_near("where", table.last("x"), 10.0 * LANDING, 1e-11);
    assert!(table.last("z").abs() < 1e-12);
    assert_eq!(names(&table), ["stop"]);
    assert_eq!(table.events[0].t, table.times[5]);
    // Nothing changes where a run ends, so the energy is still known to be conserved.
    assert!(table.conserves_energy && table.drift() < 1e-12);
}

#[test]
fn a_run_that_ends_at_a_row_has_that_row_once() {
    let table = stone("stop when t >= 1 [s]").run(5.0, 0.25);
    assert_eq!(table.times, [0.0, 0.25, 0.5, 0.75, 1.0]);
    let at_once = stone("stop when t >= 0 [s]").run(5.0, 0.25);
    assert_eq!(at_once.times, [0.0]);
}

#[test]
fn a_condition_that_never_holds_ends_nothing() {
    let table = stone("stop when z > 100 [m]").run(2.0, 0.5);
    assert_eq!((table.times.len(), table.events.len()), (5, 0));
}

/// A peak that touches the condition for an instant only is not passed over: v²/(2g) + h is the highest place.
#[test]
fn what_holds_for_a_moment_only_ends_the_run() {
    let below = 2.0 + 100.0 / (2.0 * 9.81) - 1e-9;
    let table = stone(&format!("stop peak when z >= {below:.17} [m]")).run(2.0, 2.0);
    assert_eq!(names(&table), ["peak"]);
    assert_near("when", table.times[1], 10.0 / 9.81 - libm::sqrt(2e-9 / 9.81), 1e-9);
}

#[test]
fn the_end_comes_before_what_would_happen_at_the_same_instant() {
    let bounce = "when bounce: z <= 0 and stone.velocity.z < 0 { stone.velocity.z == -pre(stone.velocity.z); keep all except stone.velocity.z }\n";
    for text in [format!("{bounce}stop when z <= 0"), format!("stop when z <= 0\n{bounce}")] {
        let table = stone(&text).probe(&["stone.velocity.z"]).run(5.0, 5.0);
        assert_eq!(names(&table), ["stop"]);
        assert_near("before the bounce", table.last("stone.velocity.z"), 10.0 - 9.81 * LANDING, 1e-11);
        assert!(table.warnings.is_empty(), "{:?}", table.warnings);
    }
}

/// What other transitions bring about ends the run at their instant, and of several ends the first counts.
#[test]
fn a_mode_that_is_reached_can_end_the_run() {
    let text = "n: real = 0\nalways n' == 0\n\
                when bounce: z <= 0 and stone.velocity.z < 0 { stone.velocity.z == -pre(stone.velocity.z); n == pre(n) + 1; keep all except stone.velocity.z, n }\n\
                stop third when n >= 3\nstop when t >= 100 [s]";
    let table = stone(text).probe(&["stone.velocity.z"]).run(50.0, 1.0);
    assert_eq!(names(&table), ["bounce", "bounce", "bounce", "third"]);
    let speed = 9.81 * LANDING - 10.0;
    assert_near("when", *table.times.last().expect("rows"), LANDING + 2.0 * (2.0 * speed / 9.81), 1e-10);
    assert_near("after the bounce", table.last("stone.velocity.z"), speed, 1e-10);
}

/// What is claimed of a run is judged where it ends.
#[test]
fn claims_are_judged_at_the_end() {
    let found = stone("claim far: eventually x >= 23 [m]\nstop when z <= 0").trouble(5.0, 0.5);
    assert_eq!(found.code.0, "claim-refuted");
    stone("claim far: eventually x >= 22 [m]\nclaim dry: always z >= -1 [mm]\nstop when z <= 0").run(5.0, 0.5);
}

/// A plan looks no further than the run goes: its last phase may end with the run, and none after it.
#[test]
fn plans_reach_their_aims_before_the_end() {
    let plan = "mode state: held | thrown | over\n\
                always rests: stone.velocity == (0, 0, 0) while state == held\n\
                plan throw when state == held and t >= 0.5 [s] {\n\
                  choose v: [m/s] from 5 [m/s]\n\
                  begin { state == thrown; stone.velocity == (v, 0 [m/s], 3 [m/s]); keep positions }\n\
                  until z <= 0 and state == thrown aim x == 4 [m] { state == over; keep all }\n}\n";
    let text = "gravity 9.81 [m/s^2]\nbody stone { position = (free, 0, free(2 [m])); mass = 1 [kg] }\n\
                let x = stone.position.x\nlet z = stone.position.z\ninitially z == 2 [m]\n";
    let table = Scene::new(&format!("{text}{plan}stop when z <= 0")).probe(&["x"]).run(5.0, 5.0);
    assert_eq!(names(&table), ["throw.begin", "stop"]);
    assert_near("where it lands", table.last("x"), 4.0, 1e-9);
    let found = Scene::new(&format!("{text}{plan}stop when z <= 1 [m] and state == thrown")).trouble(5.0, 5.0);
    assert_eq!(found.code.0, "no-plan");
}
