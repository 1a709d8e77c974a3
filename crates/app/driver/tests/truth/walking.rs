//! Figures that walk, run, roll and lift, held against what is known of them without their equations of motion.
//!
//! The angular momentum about the foot that a figure stands on changes by its weight alone, whatever its joints do. Where all joints follow the angle of
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

/// Whatever its speed is after a push, a runner that chooses where to put its foot is as high at the next top as it wants to be. In flight the top follows
/// from any row: z + v²/(2 g).
#[test]
fn a_runner_keeps_its_height() {
    for push in [0, 200, -200] {
        let scene = Scene::example("steady_runner").input(format!("push={push}"));
        let table = scene.probe(&["runner.position.z", "runner.velocity.z", "length"]).run(3.0, 0.01);
        let lifted = table.events.iter().find(|event| event.name == "lifts").expect("it jumps").t;
        let later = table.times.iter().zip(&table.rows).filter(|(t, _)| **t > lifted);
        let flying: Vec<&Vec<f64>> = later.map(|(_, row)| row).filter(|row| row[2] > 1.0 - 1e-12).collect();
        assert!(flying.len() > 100, "{}", flying.len());
        for row in flying {
            assert_near("the top", row[0] + row[1] * row[1] / (2.0 * 9.81), 1.05, 1e-6);
        }
    }
}

/// The rimless wheel (McGeer, 1990): a strike leaves η = (I + m l² cos 2α) / (I + m l²) of the rate, each step gains 4 m g l sin α sin γ / (I + m l²)
/// of its square. So the square after a strike, which follows from any row by the energy, tends to a limit by the factor η².
#[test]
fn a_wheel_without_a_rim_finds_its_pace() {
    for (slope, start) in [(6.0_f64, 1.5), (6.0, 1.2), (9.0, 1.5)] {
        let scene = Scene::example("rimless_wheel").set(format!("slope={slope}")).set(format!("speed={start}"));
        let table = scene.probe(&["wheel.angle", "wheel.angle'"]).run(6.0, 0.02);
        let (half, slope, spread) = (std::f64::consts::PI / 8.0, slope.to_radians(), 0.3);
        let eta = (spread + (2.0 * half).cos()) / (spread + 1.0);
        let gain = 4.0 * 9.81 * half.sin() * slope.sin() / (1.0 + spread);
        let mut expected = start * start;
        let mut steps = 0;
        for row in &table.rows {
            let step = (row[0] / (2.0 * half) + 1e-9).floor();
            while f64::from(steps) < step {
                expected = eta * eta * (expected + gain);
                steps += 1;
            }
            let lean = row[0] - step * 2.0 * half - half;
            let fallen = (slope - half).cos() - (slope + lean).cos();
            let after = row[1] * row[1] - 2.0 * 9.81 / (1.0 + spread) * fallen;
            assert_near("the square of the rate after a strike", after, expected, 1e-8);
        }
        assert!(steps > 8, "{steps}");
        assert_near("the pace", expected, eta * eta * gain / (1.0 - eta * eta), 0.02);
    }
}

/// What a hand holds moves with it, whether three fingers hold it or more.
#[test]
fn a_hand_lifts_with_any_number_of_fingers() {
    let text = std::fs::read_to_string(crate::scene::examples().join("hand.anz")).expect("the example");
    for fingers in 3..=5 {
        let text = text.replace("fingers = 3", &format!("fingers = {fingers}"));
        let height = Scene::new(&text).probe(&["ball.position.z"]).run(3.0, 1.0).last("ball.position.z");
        assert_near("the height of the ball", height, 0.04 + 0.1 * 2.0 * 2.0 / 2.0, 1e-9);
    }
}
