//! The same scene through different formulations: rotations as angles or quaternion components, programs as filled in or optimised.

use driver::{Level, Rotations};

use crate::random::scene;
use crate::scene::{Scene, assert_near, assert_same_motion, example_names, examples};

/// How long two formulations of an example can be compared before the motion itself blows rounding up.
const COMPARED: f64 = 1.0;

#[test]
fn quaternions_and_angles_move_alike() {
    // The angle of a torso that is held is one of quaternions, and bends where these change their sign: nothing has looked there before the start.
    for name in mechanical_examples().filter(|name| name != "walking_figure") {
        // What is printed by default may be an angle, which the two count differently beyond a half turn.
        let scene = Scene::example(&name).probe(&["energy", "momentum", "angular_momentum", "centre_of_mass"]);
        let angles = scene.run(COMPARED, 0.1);
        let quaternions = scene.rotations(Rotations::Quaternion).run(COMPARED, 0.1);
        assert_same_motion(&name, &angles, &quaternions, 1e-8);
    }
}

#[test]
fn optimised_programs_move_like_the_scheme_as_it_was_filled_in() {
    for name in mechanical_examples() {
        let scene = Scene::example(&name).probe(&["energy", "momentum", "angular_momentum", "centre_of_mass"]);
        assert_optimised(&name, &scene);
    }
    for name in example_names().into_iter().filter(|name| is_exact(name)) {
        assert_optimised(&name, &Scene::example(&name));
    }
}

fn assert_optimised(name: &str, scene: &Scene) {
    let full = scene.clone().optimize(Level::Full).run(COMPARED, 0.1);
    let none = scene.clone().optimize(Level::None).run(COMPARED, 0.1);
    assert_same_motion(name, &full, &none, 1e-9);
}

/// Examples that move bodies, whatever else there is in them.
fn mechanical_examples() -> impl Iterator<Item = String> {
    let text = |name: &String| std::fs::read_to_string(examples().join(format!("{name}.anz"))).expect("an example");
    example_names()
        .into_iter()
        .filter(move |name| text(name).lines().any(|line| line.trim_start().starts_with("body ")))
        .filter(|name| is_exact(name))
}

/// Impulses that are gathered in steps of a fixed length are found by sweeps that end before rounding.
fn is_exact(name: &str) -> bool {
    !Scene::example(name).stages().program.contacts.as_ref().is_some_and(|contacts| contacts.steps)
}

/// A rotation about a fixed axis is the same whichever way the axis is written.
#[test]
fn an_axis_may_point_anywhere() {
    let text = |axis: &str| {
        format!(
            "scene axes
             gravity (1, 2, -9) [m/s^2]
             frame swing in world {{ rotation = about {axis} free(0.3 [rad]) }}
             body solid in swing {{ position = (0.2, 0.5, -0.7) [m]; mass = 2 [kg]; inertia = (0.3, 0.4, 0.5) [kg*m^2] }}
             initially swing.angle == 0.3 [rad]
             initially der(swing.angle) == 1 [rad/s]"
        )
    };
    let run = |axis: &str| Scene::new(&text(axis)).probe(&["solid.position", "solid.omega", "energy"]).run(2.0, 0.25);
    let quaternion = |axis: &str| {
        let scene = Scene::new(&text(axis)).rotations(Rotations::Quaternion);
        scene.probe(&["solid.position", "solid.omega", "energy"]).run(2.0, 0.25)
    };
    assert_same_motion("x", &run("x"), &run("(2, 0, 0)"), 1e-12);
    for axis in ["y", "(1, 2, -3)", "(-1, 0, 0)"] {
        assert_same_motion(axis, &run(axis), &quaternion(axis), 1e-9);
    }
}

/// Random scenes that have a motion, with what moves in them.
fn random_scenes(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (String, Scene)> {
    seeds.filter_map(|seed| {
        let text = scene(seed);
        let probes: Vec<String> = text
            .lines()
            .filter_map(|line| {
                line.strip_prefix("body ")?.split_once(" in ").map(|(name, _)| format!("{name}.position"))
            })
            .collect();
        let probes: Vec<&str> = probes.iter().map(String::as_str).collect();
        let scene = Scene::new(&text).probe(&probes).probe(&["energy"]);
        // A frame without mass that nothing holds has no motion of its own; the compiler refuses it.
        scene.compile().stages.is_some().then_some((text, scene))
    })
}

#[test]
fn random_scenes_move_alike_in_every_formulation() {
    let (mut rotations, mut levels) = (0, 0);
    for (text, scene) in random_scenes(0..110) {
        let Some(full) = scene.try_run(0.4, 0.1) else { continue };
        let none = scene.clone().optimize(Level::None).run(0.4, 0.1);
        assert_same_motion(&format!("without optimisation\n{text}"), &full, &none, 1e-7);
        levels += 1;
        // Under constraints the start is the one nearest to the guesses, and what is near depends on the coordinates.
        if !text.contains("always") {
            let quaternions = scene.clone().rotations(Rotations::Quaternion).run(0.4, 0.1);
            assert_same_motion(&format!("quaternions in\n{text}"), &full, &quaternions, 1e-7);
            rotations += 1;
        }
    }
    assert!(levels >= 20 && rotations >= 15, "only {levels} and {rotations} random scenes were compared");
}

/// An angle goes by the sides of a quaternion, which have to be known before the first state is moved onto the constraints.
#[test]
fn an_angle_is_held_as_a_quaternion() {
    for angle in [0.1, 1.7, -2.9, 3.1] {
        let scene = Scene::new(&format!(
            "gravity 9.81 [m/s^2]
             frame hip {{ rotation = about y free({angle}) }}
             body bob in hip {{ position = (0, 0, -1) [m]; mass = 1 [kg] }}
             always hip.angle == {angle}"
        ));
        let table = scene.rotations(Rotations::Quaternion).probe(&["bob.position.x"]).at(1.0);
        assert_near(&format!("held at {angle}"), table.last("bob.position.x"), -f64::sin(angle), 1e-12);
    }
}
