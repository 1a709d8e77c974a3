//! A figure that walks, held against what is known of it without its equations of motion.
//!
//! The angular momentum about the foot that it stands on changes by its weight alone, whatever its joints do. Where all joints follow the angle of
//! that leg, this is an equation of first order; and the share of that momentum which a strike leaves is the same in every step. So the
//! duration of a step is an integral, and what a step leaves of any difference is the square of that share (Westervelt, Grizzle and Koditschek, 2003).

use crate::scene::{Scene, assert_near};

/// In seconds, by quadrature of order 28 for the parameters of the example.
const STEP: f64 = 0.539_170_231_45;
const LEFT_AFTER_A_STEP: f64 = 0.654_059_585;

/// When a foot strikes.
fn strikes(scene: &Scene, until: f64) -> Vec<f64> {
    let table = scene.run(until, until);
    assert_near("no claim is refuted before the end", *table.times.last().expect("rows"), until, 1e-9);
    table.events.iter().filter(|event| event.name.ends_with("strikes")).map(|event| event.t).collect()
}

fn durations(strikes: &[f64]) -> Vec<f64> {
    strikes.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn a_figure_walks_eighty_steps_that_are_all_the_same() {
    let scene = Scene::example("walking_figure").probe(&["hip.position.x"]);
    let steps = durations(&strikes(&scene, 81.5 * STEP));
    assert_eq!(steps.len(), 80);
    for step in &steps[25..] {
        assert_near("the duration of a step", *step, STEP, 1e-8);
    }
    // Both legs are as long at the strike as their knees let them be, and lean as far from the vertical.
    let length = 4.0 * 0.4 * 0.125_f64.cos() * 0.25_f64.sin();
    let rows = scene.run(80.0 * STEP, STEP).column("hip.position.x");
    for places in rows[26..].windows(2) {
        assert_near("the length of a step", places[1] - places[0], length, 1e-7);
    }
}

#[test]
fn a_slow_start_is_made_up_for() {
    let steps = durations(&strikes(&Scene::example("walking_figure").set("speed=1.1"), 25.0 * STEP));
    let late: Vec<f64> = steps.iter().map(|step| step - STEP).collect();
    for pair in late[10..18].windows(2) {
        assert_near("what is left of a delay", pair[1] / pair[0], LEFT_AFTER_A_STEP, 2e-3);
    }
}

/// The motors do not take part in the strike: what it leaves of the velocities follows from the foot alone. A programme that lets them act
/// at once would have to change velocities in no time.
#[test]
fn motors_exert_no_impulse() {
    let text = std::fs::read_to_string(crate::scene::examples().join("walking_figure.anz")).expect("the example");
    let (_, text) = text.split_once("scene walking_figure").expect("its name");
    let at_once = text.replace("step != strike and stands", "stands");
    assert_ne!(text, at_once);
    let trouble = Scene::new(&at_once).trouble(1.0, 0.5);
    assert_eq!(trouble.code.0, "inconsistent-change");
}
