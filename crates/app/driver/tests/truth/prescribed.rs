//! Frames that move as the text says, in position, rotation and scale, against the textbook equation of what they carry.

use crate::exact::integrate;
use crate::scene::{Scene, assert_near, assert_same_motion, assert_vectors_near};

const G: f64 = 9.81;

#[test]
fn a_bead_on_a_rotating_hoop() {
    let hoop = |rate: f64, angle: f64| {
        let scene = Scene::new(
            "scene hoop
             param rate = 1 [rad/s]
             param angle = 1 [rad]
             let radius = 0.5 [m]
             gravity 9.81 [m/s^2]
             frame hoop in world { rotation = about z (rate * t) }
             frame arm in hoop { rotation = about x free(angle) }
             body bead in arm { position = (0, 0, -radius); mass = 0.1 [kg] }
             initially arm.angle == angle",
        );
        scene.set(format!("rate={rate}")).set(format!("angle={angle}")).probe(&["arm.angle", "bead.position"])
    };
    // Above the critical rate there is a place to rest on the side.
    let rate = 6.0_f64;
    let rest = (G / (0.5 * rate * rate)).acos();
    assert_near("the place of rest", hoop(rate, rest).at(2.0).last("arm.angle"), rest, 1e-9);
    for (rate, angle) in [(2.0, 0.4), (6.0, 0.3), (6.0, 2.9)] {
        let table = hoop(rate, angle).at(3.0);
        let law = |_: f64, [a, w]: [f64; 2]| [w, a.sin() * (rate * rate * a.cos() - G / 0.5)];
        let [expected, _] = integrate(law, [angle, 0.0], 3.0);
        assert_near(&format!("rate {rate}, angle {angle}"), table.last("arm.angle"), expected, 1e-8);
        let (across, turn) = (0.5 * expected.sin(), rate * 3.0);
        let place = [-across * turn.sin(), across * turn.cos(), -0.5 * expected.cos()];
        assert_vectors_near("the bead", table.last_vector("bead.position"), place, 1e-8);
    }
}

#[test]
fn a_pendulum_whose_pivot_shakes() {
    // a'' = -(g + z'') sin a / L - y'' cos a / L for a pivot at (0, y, z).
    let scene = Scene::new(
        "scene shaken
         let beat = 5 [rad/s]
         gravity 9.81 [m/s^2]
         frame pivot in world {
           position = (0, 0.1 [m] * sin(beat * t), 0.2 [m] * cos(beat * t))
           rotation = about x free
         }
         body bob in pivot { position = (0, 0, -0.6) [m]; mass = 2 [kg] }
         initially pivot.angle == 0.5 [rad]",
    );
    let law = |t: f64, [a, w]: [f64; 2]| {
        let (y, z) = (-2.5 * (5.0 * t).sin(), -5.0 * (5.0 * t).cos());
        [w, -((G + z) * a.sin() + y * a.cos()) / 0.6]
    };
    for t in [1.0, 3.0] {
        let [expected, rate] = integrate(law, [0.5, 0.0], t);
        let table = scene.clone().probe(&["pivot.angle", "der(pivot.angle)"]).at(t);
        assert_near("the angle", table.last("pivot.angle"), expected, 1e-8);
        assert_near("its rate", table.last("der(pivot.angle)"), rate, 1e-8);
    }
}

/// A pendulum of changing length, written twice: with a moving bob, and with a bob at rest in a frame that stretches.
#[test]
fn a_pendulum_whose_length_changes() {
    let text = |swing: &str, bob: &str| {
        format!(
            "scene pumped
             let length = 1 + 0.3 * sin(4 [rad/s] * t)
             gravity 9.81 [m/s^2]
             frame swing in world {{ rotation = about x free; {swing} }}
             body bob in swing {{ position = {bob}; mass = 2 [kg] }}
             initially swing.angle == 0.5 [rad]
             initially der(swing.angle) == 0.2 [rad/s]"
        )
    };
    let law = |t: f64, [a, w]: [f64; 2]| {
        let (length, rate) = (1.0 + 0.3 * (4.0 * t).sin(), 1.2 * (4.0 * t).cos());
        [w, -(2.0 * rate * w + G * a.sin()) / length]
    };
    let [expected, _] = integrate(law, [0.5, 0.2], 4.0);
    for (swing, bob) in [
        ("", "(0, 0, -length * 1 [m])"),
        ("scale = length", "(0, 0, -1) [m]"),
        ("scale = (3, 2, length)", "(0, 0, -1) [m]"),
    ] {
        let table = Scene::new(&text(swing, bob)).probe(&["swing.angle", "bob.position"]).at(4.0);
        assert_near(bob, table.last("swing.angle"), expected, 1e-8);
        let length = 1.0 + 0.3 * 16.0_f64.sin();
        let place = [0.0, length * expected.sin(), -length * expected.cos()];
        assert_vectors_near("the bob", table.last_vector("bob.position"), place, 1e-8);
    }
}

/// However strangely a frame moves and stretches, a free particle that is described in it runs straight.
#[test]
fn a_free_particle_runs_straight_in_any_frame() {
    let scene = Scene::new(
        "scene strange
         frame cart in world {
           position = (sin(t / 1 [s]), 0.2 * t / 1 [s], cos(2 * t / 1 [s])) [m]
           rotation = about (1, 2, -1) (0.7 [rad/s] * t + sin(t / 1 [s]))
           scale = (1 + 0.5 * sin(t / 1 [s]), 2, exp(0.3 * t / 1 [s]))
         }
         frame wheel in cart { position = (0.3, 0.1, t / 1 [s]) [m]; rotation = about y (t^2 / 1 [s^2]); scale = 1.5 }
         body stone in wheel { position = (free, free, free); mass = 1 [kg] }
         initially stone.position == (1, 2, 3) [m]
         initially stone.velocity == (0.5, -0.4, 0.3) [m/s]",
    );
    let table = scene.probe(&["stone.position", "stone.velocity", "stone.acceleration"]).run(3.0, 0.5);
    for (row, &t) in table.times.iter().enumerate() {
        let expected = [1.0 + 0.5 * t, 2.0 - 0.4 * t, 3.0 + 0.3 * t];
        assert_vectors_near(&format!("at t = {t}"), table.vectors("stone.position")[row], expected, 1e-9);
        assert_vectors_near("velocity", table.vectors("stone.velocity")[row], [0.5, -0.4, 0.3], 1e-9);
        assert_vectors_near("acceleration", table.vectors("stone.acceleration")[row], [0.0; 3], 1e-9);
    }
}

/// A spring pendulum whose length is a coordinate, or a free scale of the frame.
#[test]
fn a_free_scale_is_as_good_as_a_free_position() {
    let text = |swing: &str, bob: &str| {
        format!(
            "scene elastic
             gravity 9.81 [m/s^2]
             frame swing in world {{ rotation = about x free; {swing} }}
             body bob in swing {{ position = {bob}; mass = 1 [kg] }}
             potential spring: 20 [N/m] * (|bob.position| - 1 [m])^2
             initially bob.position == (0, 0.8, -0.9) [m]"
        )
    };
    let run = |swing: &str, bob: &str| Scene::new(&text(swing, bob)).probe(&["bob.position", "energy"]).run(5.0, 0.5);
    let position = run("", "(0, 0, free(-1 [m]))");
    let scale = run("scale = (1, 1, free)", "(0, 0, -1) [m]");
    assert_same_motion("scale and position", &position, &scale, 1e-8);
    assert!(position.drift() < 1e-10);
}

#[test]
fn a_crank_that_turns_steadily_drives_its_slider() {
    // No freedom is left: y = r cos a + √(l² - r² sin² a).
    let scene = Scene::new(
        "scene crank
         param rate = 3 [rad/s]
         let r = 0.3 [m]
         let l = 0.8 [m]
         frame crank in world { rotation = about x (rate * t) }
         frame rod in crank { position = (0, r, 0); rotation = about x free }
         body slider { position = (0, free(1 [m]), 0); mass = 2 [kg] }
         always pinned: rod.point(0, l, 0) == slider.position",
    );
    let scene = scene.set("rate=4").probe(&["slider.position.y", "slider.velocity.y", "slider.acceleration.y"]);
    let table = scene.run(5.0, 0.1);
    for (row, &t) in table.times.iter().enumerate() {
        let (sine, cosine) = (4.0 * t).sin_cos();
        let root = (0.64 - 0.09 * sine * sine).sqrt();
        let slope = 4.0 * (-0.3 * sine - 0.09 * sine * cosine / root);
        assert_near("the slider", table.column("slider.position.y")[row], 0.3 * cosine + root, 1e-9);
        assert_near("its velocity", table.column("slider.velocity.y")[row], slope, 1e-8);
    }
}
