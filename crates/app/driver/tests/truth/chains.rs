//! Chains of hinged blocks from components, long enough for sparse elimination: all their equations at once, and an aligned start at
//! which pivots of any fixed order cancel.

use crate::scene::{Scene, assert_near, assert_same_motion};

/// From components, with orientations and forces as unknowns.
fn components(n: usize) -> String {
    format!(
        "scene components
         use rigid_bodies
         let corner = (0.1, 0.1, 0.5) [m]
         for i in 1..{n} {{
           block[i]: parallelepiped((0.2, 0.2, 1) [m]) {{ density = 1000 [kg/m^3] }}
           initially block[i].orientation == about y 80 [deg]
           initially block[i].velocity == (0, 0, 0) [m/s]
           initially block[i].omega == (0, 0, 0) [rad/s]
         }}
         top: pinned(block[1]) {{ point = corner }}
         for i in 2..{n} {{ hinge[i]: ball_and_socket(block[i - 1], block[i]) {{ point_a = -corner; point_b = corner }} }}
         weight for b in rigid_body
         let kinetic = sum(1 / 2 * b.mass * b.velocity · b.velocity + 1 / 2 * b.omega · (b.inertia * b.omega) for b in rigid_body)
         let total = kinetic + sum(b.mass * 9.81 [m/s^2] * b.position.z for b in rigid_body)
         plot block[{n}].position, total"
    )
}

/// The same blocks on frames that turn freely in one another.
fn frames(n: usize) -> String {
    let inertia = "40 / 12 * (0.2^2 + 1, 0.2^2 + 1, 2 * 0.2^2) * 1 [kg*m^2]";
    let mut text = String::from("scene frames\n gravity 9.81 [m/s^2]\n let corner = (0.1, 0.1, 0.5) [m]\n");
    for i in 1..=n {
        let turn = match i {
            1 => "frame f1 in world { rotation = free(about y 80 [deg]) }".to_string(),
            _ => format!("frame f{i} in f{} {{ position = -2 * corner; rotation = free }}", i - 1),
        };
        text += &format!(
            "{turn}\n body block{i} in f{i} {{ position = -corner; mass = 40 [kg]; inertia = {inertia} }}
             initially block{i}.omega == (0, 0, 0) [rad/s]\n"
        );
    }
    text
}

#[test]
fn a_chain_of_components_moves_like_one_of_frames() {
    let n = 24;
    let one = Scene::new(&components(n)).tolerance(1e-9).run(0.4, 0.1);
    let other = Scene::new(&frames(n)).tolerance(1e-9).probe(&[&format!("block{n}.position")]).run(0.4, 0.1);
    let found = one.vectors(&format!("block[{n}].position"));
    for (at, expected) in other.vectors(&format!("block{n}.position")).into_iter().enumerate() {
        (0..3).for_each(|axis| assert_near("the last block", found[at][axis], expected[axis], 1e-6));
    }
    assert!((found[4][2] - found[0][2]).abs() > 0.1, "it moves");
}

/// Whatever moves among the blocks, nothing is lost; and nothing stands still.
#[test]
fn long_chains_keep_their_energy() {
    for n in [30, 60] {
        let table = Scene::new(&components(n)).tolerance(1e-7).run(0.3, 0.1);
        let total = table.column("total");
        let scale = 40.0 * 9.81 * (n * n) as f64 / 2.0;
        total.iter().for_each(|&now| assert_near("energy", now / scale, total[0] / scale, 1e-6));
        let height = table.vectors(&format!("block[{n}].position"));
        assert!((height[3][2] - height[0][2]).abs() > 0.05, "it moves");
    }
}

/// The second of two hinges at one place is said to follow from the first, and bears nothing.
#[test]
fn a_hinge_twice_is_one_hinge() {
    let one = components(3);
    let again = "again: ball_and_socket(block[1], block[2]) { point_a = -corner; point_b = corner }\n weight for b";
    let two = one.replace("weight for b", again);
    let notices = Scene::new(&two).compile().diagnostics;
    let said: Vec<&str> = notices.iter().map(|notice| notice.message.as_str()).collect();
    assert_eq!(said, ["x", "y", "z"].map(|part| format!("`again.closure ({part})` follows from the other equations")));
    let probes = ["block[3].position", "hinge[2].force_a", "hinge[2].torque_b"];
    let (one, two) = (Scene::new(&one).probe(&probes), Scene::new(&two).probe(&probes));
    assert_same_motion("a hinge twice", &two.run(1.0, 0.25), &one.run(1.0, 0.25), 1e-9);
    let idle = two.probe(&["again.force_a", "again.torque_b"]).run(0.5, 0.25);
    assert!(
        idle.vectors("again.force_a").iter().chain(&idle.vectors("again.torque_b")).flatten().all(|&part| part == 0.0)
    );
}
