//! The laws of motion are the same in every inertial frame.

use crate::conservation::isolated;
use crate::scene::{Scene, assert_same_motion};

/// Puts a scene of the generator into a room: another place, another direction, and a steady motion.
fn in_a_room(text: &str, room: &str) -> String {
    let bodies = text.lines().map(|line| match (line.strip_prefix("body b"), line.starts_with("initially ")) {
        (Some(rest), _) if !line.contains(" in ") => {
            let (name, braces) = rest.split_once(" {").expect("a body has braces");
            format!("body b{name} in room {{{braces}")
        }
        (_, true) => relative(line),
        _ => line.to_string(),
    });
    let (head, rest): (Vec<String>, Vec<String>) = bodies.partition(|line| line.starts_with("scene"));
    format!("{}\nframe room in world {{ {room} }}\n{}", head.join("\n"), rest.join("\n"))
}

/// What was stated for the world is stated for the room.
fn relative(line: &str) -> String {
    let (left, right) = line.split_once(" == ").expect("an equation");
    match left.rsplit_once('.') {
        Some((body, "position")) => format!("{body}.position == room.point({right})"),
        Some((body, "velocity")) => format!("{body}.velocity == room.velocity + room.vector({right})"),
        Some((body, "omega")) => format!("{body}.omega == room.vector({right})"),
        _ => line.to_string(),
    }
}

#[test]
fn motion_does_not_depend_on_place_direction_or_speed() {
    let rooms = [
        "position = (5, -3, 2) [m]",
        "rotation = about (1, 2, 3) 40 [deg]",
        "position = (0.3 [m/s] * t, 2 [m] - 0.5 [m/s] * t, 0.1 [m/s] * t); rotation = about (3, -1, 2) 110 [deg]",
    ];
    for seed in 0..6 {
        let text = isolated(seed);
        let probes = ["b0.position relative to room", "potential"];
        let still = in_a_room(&text, "position = (0, 0, 0) [m]");
        let reference = Scene::new(&still).probe(&probes).run(2.0, 0.5);
        let world = Scene::new(&text).probe(&["b0.position", "potential"]).run(2.0, 0.5);
        for (row, t) in world.times.iter().enumerate() {
            assert!(
                world.rows[row].iter().zip(&reference.rows[row]).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + a.abs())),
                "a room at rest is the world, but not at t = {t} in\n{still}"
            );
        }
        for room in rooms {
            let moved = Scene::new(&in_a_room(&text, room)).probe(&probes).run(2.0, 0.5);
            assert_same_motion(&format!("seed {seed}, {room}"), &reference, &moved, 1e-8);
        }
    }
}

/// Starting later changes nothing where nothing depends on time: two runs of half the time are one of the whole.
#[test]
fn lengths_masses_and_times_scale_together() {
    // A pendulum of four times the length is half as fast; the mass does not matter.
    let probes = ["swing.angle"];
    let short = Scene::example("pendulum").set("length=0.5").set("mass=1").probe(&probes).run(5.0, 0.5);
    let long = Scene::example("pendulum").set("length=2").set("mass=30").probe(&probes).run(10.0, 1.0);
    for (row, t) in short.times.iter().enumerate() {
        let (a, b) = (short.rows[row][0], long.rows[row][0]);
        assert!((a - b).abs() < 1e-9, "at t = {t}: {a} and {b}");
    }
}
