//! Mechanisms beside laws: whichever way they are solved, by themselves or together, the motion is the same.

use driver::{Level, Solver};

use crate::scene::{Scene, assert_near};

/// All ways to solve and to write a scene.
fn each(scene: &Scene, test: impl Fn(Scene)) {
    for level in [Level::None, Level::Full] {
        for solver in [Solver::Explicit, Solver::Implicit] {
            test(scene.clone().tolerance(1e-11).optimize(level).solver(solver));
        }
    }
}

/// Whether all that moves is solved by itself.
fn is_apart(scene: &Scene) -> bool {
    let stages = scene.clone().stages();
    stages.plan.mechanism.speeds.len() == stages.system.speeds.len()
}

/// Examples with a law that adds up how a body of theirs rises.
fn adding_up() -> Vec<(&'static str, Scene)> {
    let examples = [
        ("roller_coaster_1", "car1"),
        ("ball_in_torus", "ball"),
        ("double_pendulum", "bob2"),
        ("rolling_ellipsoid", "ellipsoid"),
    ];
    let scene = |(example, body): (&'static str, &str)| {
        let path = format!("{}/../../../examples/{example}.anz", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let law = format!(
            "{text}\nway: [m]\nlaw adds {{ way' == {body}.velocity.z }}\nlet jolt = der(der({body}.velocity.z))\n"
        );
        (example, Scene::new(&law).probe(&["way", &format!("{body}.position.z")]))
    };
    examples.map(scene).into()
}

#[test]
fn what_a_law_adds_up_is_where_the_mechanism_is() {
    for (example, scene) in adding_up() {
        assert!(is_apart(&scene), "{example}");
        each(&scene, |scene| {
            let table = scene.run(1.0, 0.5);
            let start = table.rows[0][1];
            for row in &table.rows {
                assert_near(example, row[0], row[1] - start, 1e-8);
            }
        });
    }
}

/// Whoever asks how accelerations change has the mechanism solved together with the laws.
#[test]
fn mechanisms_move_alike_by_themselves_and_together_with_laws() {
    for (example, scene) in adding_up() {
        let scene = scene.tolerance(1e-11);
        let together = scene.clone().probe(&["jolt"]);
        assert!(!is_apart(&together), "{example}");
        let (apart, together) = (scene.run(1.0, 0.25), together.run(1.0, 0.25));
        for (apart, together) in apart.rows.iter().zip(&together.rows) {
            assert_near(example, together[0], apart[0], 1e-7);
            assert_near(example, together[1], apart[1], 1e-7);
        }
    }
}

/// A pendulum whose pivot carries a rotor.
fn pendulum(inertia: f64, laws: &str) -> Scene {
    let text = format!(
        "gravity 9.81 [m/s^2]
         body shaft in world {{ rotation = about x free(1 [rad]); mass = 1 [kg]; inertia = ({inertia}, 1, 1) [kg*m^2] }}
         body bob in shaft {{ position = (0, 0, -0.5 [m]); mass = 2 [kg] }}
         {laws}"
    );
    Scene::new(&text).probe(&["shaft.angle"])
}

#[test]
fn a_law_that_puts_an_acceleration_into_a_torque_is_inertia() {
    let by_law = pendulum(
        0.1,
        "drag: [N*m]
         law rotor { drag == -0.3 [kg*m^2] * der(shaft.omega.x) }
         torque on shaft = (drag, 0, 0)",
    );
    assert!(!is_apart(&by_law));
    let expected = pendulum(0.4, "").run(2.0, 0.5);
    each(&by_law, |scene| {
        for (found, expected) in scene.run(2.0, 0.5).rows.iter().zip(&expected.rows) {
            assert_near("angle", found[0], expected[0], 1e-8);
        }
    });
}

#[test]
fn what_feels_one_mechanism_may_drive_another() {
    let text = "
        body pushed in world { position = (free(1 [m]), 0, 0); mass = 2 [kg] }
        force on pushed = -8 [N/m] * pushed.position
        body follower in world { position = (0, free, 0); mass = 0.5 [kg] }
        felt: [m/s^2]
        law feels { felt == der(pushed.velocity.x) }
        force on follower = (0, 1.5 [kg] * felt, 0)";
    // The follower is pushed three times as hard as the other, from rest.
    each(&Scene::new(text).probe(&["pushed.position.x", "follower.position.y", "felt"]), |scene| {
        let table = scene.run(2.0, 0.5);
        for (t, row) in table.times.iter().zip(&table.rows) {
            assert_near("pushed", row[0], libm::cos(2.0 * t), 1e-8);
            assert_near("follower", row[1], 3.0 * (libm::cos(2.0 * t) - 1.0), 1e-8);
            assert_near("felt", row[2], -4.0 * libm::cos(2.0 * t), 1e-8);
        }
    });
}

#[test]
fn a_mechanism_starts_as_laws_about_it_say() {
    let text = "
        body cart in world { position = (free, 0, 0); mass = 2 [kg] }
        force on cart = -8 [N/m] * cart.position
        momentum: [kg*m/s]; jolt: [m/s^3]
        law carries { momentum == 2 [kg] * cart.velocity.x }
        law jolts { jolt == der(der(cart.velocity.x)) }
        initially momentum == 3 [kg*m/s]";
    each(&Scene::new(text).probe(&["cart.position.x", "momentum", "jolt"]), |scene| {
        let table = scene.run(2.0, 0.5);
        for (t, row) in table.times.iter().zip(&table.rows) {
            assert_near("cart", row[0], 0.75 * libm::sin(2.0 * t), 1e-8);
            assert_near("momentum", row[1], 3.0 * libm::cos(2.0 * t), 1e-8);
            assert_near("jolt", row[2], -6.0 * libm::cos(2.0 * t), 1e-8);
        }
    });
}

#[test]
fn higher_derivatives_of_a_law_may_act_on_a_mechanism() {
    let text = "
        body wheel in world { rotation = about x free; mass = 1 [kg]; inertia = (2, 1, 1) [kg*m^2] }
        current: [A] = 1 [A]
        law fades { current' == -current / (1 [s]) }
        torque on wheel = (6 [N*m*s^2/A] * current'', 0, 0)";
    each(&Scene::new(text).probe(&["wheel.angle"]), |scene| {
        let table = scene.run(2.0, 0.5);
        for (t, row) in table.times.iter().zip(&table.rows) {
            assert_near("wheel", row[0], 3.0 * (t - 1.0 + libm::exp(-t)), 1e-8);
        }
    });
}
