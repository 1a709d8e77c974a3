//! Joints: how many ways to move each leaves, that it does no work and pushes both ways alike, and that a mechanism of joints moves
//! like the same mechanism as a tree of frames.

use crate::scene::{Scene, assert_near, assert_same_motion, assert_vectors_near};

/// Two boxes that float, joined at corners.
fn floating(joint: &str) -> Scene {
    Scene::new(&format!(
        "scene floating
         use mechanics
         body one: box(0.4 [m], 0.3 [m], 0.2 [m]) mass 2 [kg]
         body two: box(0.2 [m], 0.5 [m], 0.3 [m]) mass 1 [kg] {{ position = free((0.3, 0.4, 0.25) [m]) }}
         join pin: one.point((0.2, 0.15, 0.1) [m]) to two.point((-0.1, -0.25, -0.15) [m]) with {joint}
         initially one.position == (0, 0, 0) [m]
         initially one.orientation == about x 0
         initially one.velocity == (0.1, 0.2, -0.3) [m/s]
         initially one.omega == (1, -0.7, 0.4) [rad/s]"
    ))
}

/// What a joint leaves of the twelve ways in which two bodies can move.
const FREEDOMS: &[(&str, usize)] = &[
    ("ball_and_socket", 9),
    ("weld", 6),
    ("universal", 8),
    ("revolute", 7),
    ("revolute(axis: (1, 2, -1))", 7),
    ("cylindrical(axis: (0, 1, 1))", 8),
    ("prismatic(axis: (1, 0, 0))", 7),
    ("planar", 9),
    ("distance(0.2 [m])", 11),
    ("rolling_ball(0.3 [m])", 9),
    ("rolling(0.3 [m], axis: (0, 1, 0))", 9),
    ("spring(20 [N/m], rest: 0.1 [m])", 12),
];

#[test]
fn joints_leave_their_freedoms_and_do_no_work() {
    for (joint, freedom) in FREEDOMS {
        let scene = floating(joint).tolerance(1e-10).probe(&["momentum", "angular_momentum", "two.omega"]);
        assert_eq!(scene.stages().plan.freedoms.motion, *freedom, "{joint}");
        let table = scene.run(1.0, 0.5);
        assert!(table.conserves_energy && table.drift() < 1e-7, "{joint}: energy drifts by {:e}", table.drift());
        for conserved in ["momentum", "angular_momentum"] {
            let (first, last) = (table.vectors(conserved)[0], table.last_vector(conserved));
            assert_vectors_near(&format!("{joint}: {conserved}"), last, first, 1e-7);
        }
    }
}

#[test]
fn a_damper_takes_energy_and_no_momentum() {
    let table = floating("damper(5 [N*s/m])").probe(&["momentum", "angular_momentum", "energy"]).run(1.0, 0.1);
    let energy = table.column("energy");
    assert!(energy.windows(2).all(|pair| pair[1] < pair[0]), "{energy:?}");
    for conserved in ["momentum", "angular_momentum"] {
        assert_vectors_near(conserved, table.last_vector(conserved), table.vectors(conserved)[0], 1e-9);
    }
}

#[test]
fn gears_turn_in_their_ratio() {
    let scene = Scene::new(
        "scene gears
         use mechanics
         body small { rotation = about z free; mass = 1 [kg]; inertia = (1, 1, 0.1) [kg*m^2] }
         body large { position = (1, 0, 0) [m]; rotation = about z free; mass = 1 [kg]; inertia = (1, 1, 0.9) [kg*m^2] }
         join mesh: small to large with gear(1 / 3)
         join drive: world to small with motor(2 [N*m])",
    );
    let table = scene.probe(&["small.angle", "large.angle"]).at(1.0);
    // Seen from the small wheel, the large one adds a ninth of its inertia.
    let angle = 0.5 * 2.0 / (0.1 + 0.9 / 9.0);
    assert_near("small", table.last("small.angle"), angle, 1e-9);
    assert_near("large", table.last("large.angle"), -angle / 3.0, 1e-9);
}

/// A link that hangs on the world by a hinge, and a second one on the first: by a joint, and in a tree of frames.
#[test]
fn joints_move_like_trees_of_frames() {
    let kinds = [
        ("revolute(axis: (1, 0, 0))", "frame end in first { position = tip; rotation = about x free }"),
        ("revolute(axis: (1, 1, 0))", "frame end in first { position = tip; rotation = about (1, 1, 0) free }"),
        ("ball_and_socket", "frame end in first { position = tip; rotation = free }"),
        ("weld", "frame end in first { position = tip }"),
        ("prismatic(axis: (1, 0, 0))", "frame end in first { position = (free, 0, -0.5 [m]) }"),
        (
            "universal(axis: (1, 0, 0), axis_b: (0, 1, 0))",
            "frame cross in first { position = tip; rotation = about x free }
             frame end in cross { rotation = about y free }",
        ),
    ];
    let common = "gravity 9.81 [m/s^2]
         let tip = (0, 0, -0.5) [m]
         let centre = (0, 0.1, -0.3) [m]";
    let solid = "shape = box(0.1 [m], 0.2 [m], 0.6 [m]); mass = 1 [kg]";
    let probes = ["first.position", "second.position", "second.omega", "energy"];
    for (joint, frames) in kinds {
        let tree = Scene::new(&format!(
            "scene tree
             {common}
             frame hinge {{ rotation = about y free(0.7) }}
             body first in hinge {{ position = tip; {solid} }}
             {frames}
             body second in end {{ position = centre; {solid} }}"
        ));
        let joined = Scene::new(&format!(
            "scene joined
             use mechanics
             {common}
             fn down(length) = (-length * sin(0.7), 0 * length, -length * cos(0.7))
             body first {{ position = free(down(0.5 [m])); rotation = free(about y 0.7); {solid} }}
             body second {{
               position = free(down(1.3 [m]) + (0, 0.1, 0) [m])
               rotation = free(about y 0.7)
               {solid}
             }}
             join world to first.point(-tip) with revolute(axis: (0, 1, 0))
             join first.point(tip) to second.point(-centre) with {joint}"
        ));
        let [tree, joined] = [tree, joined].map(|scene| scene.tolerance(1e-11).probe(&probes).run(1.0, 0.25));
        assert_same_motion(joint, &tree, &joined, 1e-7);
    }
}

/// A parallelogram that begins flat, at rest, could fold in two ways.
/// Four hinges that are not parallel would hold four links fast, but for Bennett's lengths and twists: a / b = sin α / sin β. Then the
/// tangents of half of two neighbouring angles have a constant product.
#[test]
fn a_loop_in_space_that_moves_against_all_counting() {
    let scene = Scene::new(
        "scene bennett
         use mechanics
         let a = 1 [m]
         let b = sqrt(2) * a
         fn tilted(angle) = (0, -sin(angle), cos(angle))
         gravity 9.81 [m/s^2]
         body one: box(a, 5 [cm], 5 [cm]) density 1000 [kg/m^3]
         body two: box(b, 5 [cm], 5 [cm]) density 1000 [kg/m^3] { position = free((1, 0.5, 0) [m]) }
         body three: box(a, 5 [cm], 5 [cm]) density 1000 [kg/m^3] { position = free((0, 1, 0) [m]) }
         join first: world to one.point(-a / 2, 0, 0) with revolute
         join second: one.point(a / 2, 0, 0) to two.point(-b / 2, 0, 0) with revolute(axis: tilted(30 [deg]), axis_b: (0, 0, 1))
         join third: two.point(b / 2, 0, 0) to three.point(-a / 2, 0, 0) with revolute(axis: tilted(45 [deg]), axis_b: (0, 0, 1))
         join fourth: three.point(a / 2, 0, 0) to world.point(-b, 0, 0) with revolute(axis: tilted(30 [deg]), axis_b: tilted(-45 [deg]))
         initially first.angle == 60 [deg]",
    );
    let scene = scene.tolerance(1e-10).probe(&["first.angle", "second.angle"]);
    assert_eq!(scene.stages().plan.freedoms.motion, 1);
    let table = scene.run(3.0, 0.1);
    assert!(table.drift() < 1e-8, "energy drifts by {:e}", table.drift());
    let (first, second) = (table.column("first.angle"), table.column("second.angle"));
    assert!(first[..8].windows(2).all(|pair| pair[1] < pair[0] - 0.01), "it does not fall: {first:?}");
    // It folds into a line, from which it could go on in another way, that leaves the loop open, if the rows that are kept did not change.
    assert!(first.windows(2).any(|pair| pair[0] > 0.0 && pair[1] < 0.0), "it does not fold: {first:?}");
    let expected = libm::sin(37.5_f64.to_radians()) / libm::sin(7.5_f64.to_radians());
    for (first, second) in first.iter().zip(second) {
        assert_near("the product", libm::tan(first / 2.0) * libm::tan(second / 2.0), expected, 1e-6);
    }
}

#[test]
fn where_the_motion_is_not_unique_that_is_said() {
    let flat = std::fs::read_to_string(crate::scene::examples().join("published/four_bars.anz")).expect("the scene");
    let flat = flat.replace("initially top.x == 0", "initially top.y == 0").replace("== 1 [m/s]", "== 0 [m/s]");
    let flat = flat.replace("free(i * bar), free(end)", "free((i + 0.5) * bar), free(0 [m])");
    let flat = flat.replace("free((i - 0.5) * bar), free(bar)", "free((i + 0.5) * bar), free(0 [m])");
    let flat = flat.replacen("rotation = free", "rotation = free(about z -90 [deg])", 1);
    let trouble = Scene::new(&flat).trouble(1.0, 0.5);
    assert_eq!(trouble.code.0, "singular-system");
    assert!(trouble.message.starts_with("at t = 0 s"), "{}", trouble.message);
    let notes = format!("{trouble:?}");
    assert!(notes.contains("the way on from here is not determined"), "{notes}");
}
