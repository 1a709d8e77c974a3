//! Forces of constraint by name: closed forms, and the same mechanism in coordinates and in equations.

use crate::scene::{Scene, assert_near};

fn columns_agree(table: &crate::scene::Table, pairs: &[[&str; 2]], tolerance: f64) {
    for [one, other] in pairs {
        let (one_values, other_values) = (table.column(one), table.column(other));
        for (at, (a, b)) in one_values.iter().zip(&other_values).enumerate() {
            assert_near(&format!("{one} and {other}, t = {}", table.times[at]), *a, *b, tolerance);
        }
    }
}

/// m (g cos θ + l θ'²), from an angle, an equation and a joint.
#[test]
fn the_tension_of_a_pendulum() {
    let swung = "frame swing { rotation = about x free }\nbody bob in swing { position = (0, 0, -1.3) [m]; mass = 2 [kg] }\n\
                 initially swing.angle == 1\n\
                 let expected = 2 [kg] * (9.81 [m/s^2] * cos(swing.angle) + 1.3 [m] * swing.angle'^2)\n";
    let point = "body bob { position = (0, free(1 [m]), free(-0.7 [m])); mass = 2 [kg] }\n\
                 initially bob.position.y == 1.3 [m] * sin(1)\ninitially bob.position.z == -1.3 [m] * cos(1)\n\
                 let expected = 2 [kg] * (-9.81 [m/s^2] * bob.position.z + |bob.velocity|^2) / 1.3 [m]\n";
    for (text, asked) in [
        (swung.to_string(), "tension(bob)"),
        (format!("{point}always rod: |bob.position| == 1.3 [m]"), "tension(rod)"),
        (format!("{point}always rod: 1.3 [m] == |bob.position|"), "-tension(rod)"),
        (format!("use mechanics\n{point}join rod: world to bob with distance(1.3 [m])"), "tension(rod)"),
        (format!("use mechanics\n{point}join rod: bob to world with distance(1.3 [m])"), "tension(rod)"),
    ] {
        let table = Scene::new(&format!("gravity 9.81 [m/s^2]\n{text}")).probe(&[asked, "expected"]).run(2.0, 0.25);
        columns_agree(&table, &[[asked, "expected"]], 1e-12);
    }
}

/// The squared form of the same rod has a multiplier of another dimension: T/(2l).
#[test]
fn the_dimension_follows_from_the_equation() {
    let text = "gravity 9.81 [m/s^2]\nbody bob { position = (0, 0, free(-2 [m])); mass = 3 [kg] }\n\
                always rod: bob.position.z^2 == 4 [m^2]\ninitially bob.position.z == -2 [m]";
    let table = Scene::new(text).probe(&["tension(rod) * 4 [m] + 1 [N]"]).at(0.1);
    assert_near("3 g and 1", table.rows[1][0], 30.43, 1e-12);
    let found = Scene::new(&format!("{text}\nplot tension(rod) + 1 [N]")).compile();
    assert!(found.diagnostics.iter().any(|found| found.code.0 == "dimension-mismatch"));
}

/// 2 m₁ m₂ g/(m₁ + m₂).
#[test]
fn atwoods_machine() {
    let text = "gravity 9.81 [m/s^2]\nbody a { position = (0, 0, free(-1 [m])); mass = 3 [kg] }\n\
                body b { position = (1 [m], 0, free(-1 [m])); mass = 2 [kg] }\n\
                always rope: -a.position.z - b.position.z == 2 [m]\ninitially a.position.z == -1 [m]";
    let table = Scene::new(text).probe(&["tension(rope)"]).at(0.5);
    assert_near("tension", table.last("tension(rope)"), 2.0 * 6.0 * 9.81 / 5.0, 1e-12);
}

/// m g/cos α, and the force of the pivot points along the string.
#[test]
fn the_conical_pendulum() {
    let (l, slant): (f64, f64) = (0.8, 0.6);
    let turn = libm::sqrt(9.81 / (l * libm::cos(slant)));
    let text = format!(
        "gravity 9.81 [m/s^2]\nframe mast {{ rotation = about z free }}\nframe arm in mast {{ rotation = about x free }}\n\
         body bob in arm {{ position = (0, 0, -{l}) [m]; mass = 1.5 [kg] }}\ninitially mast.angle' == {turn:.17} [1/s]\n\
         initially arm.angle == {slant}\nlet pull = |force(arm)|"
    );
    let table = Scene::new(&text).probe(&["tension(bob)", "pull", "force(mast).z", "torque(arm)"]).run(2.0, 0.5);
    for asked in ["tension(bob)", "pull"] {
        assert_near(asked, table.last(asked), 1.5 * 9.81 / libm::cos(slant), 1e-8);
    }
    assert_near("the weight", table.last("force(mast).z"), 1.5 * 9.81, 1e-8);
    // The bob turns about the vertical at an even pace: what a string exerts has no torque about its end.
    assert!(table.vectors("torque(arm)").iter().flatten().all(|part| part.abs() < 1e-8));
}

#[test]
fn a_double_pendulum_in_angles_and_in_rods() {
    let angles = "gravity 9.81 [m/s^2]\nframe one { rotation = about y free }\nbody a in one { position = (0, 0, -1) [m]; mass = 2 [kg] }\n\
                  frame two in a { rotation = about y free }\nbody b in two { position = (0, 0, -0.7) [m]; mass = 1 [kg] }\n\
                  initially one.angle == 1\ninitially two.angle == 0.5";
    let rods = "gravity 9.81 [m/s^2]\nbody a { position = (free(-0.84 [m]), 0, free(-0.54 [m])); mass = 2 [kg] }\n\
                body b { position = (free(-1.5 [m]), 0, free(-0.6 [m])); mass = 1 [kg] }\n\
                always upper: |a.position| == 1 [m]\nalways lower: |b.position - a.position| == 0.7 [m]\n\
                initially a.position.x == -1 [m] * sin(1)\ninitially b.position.x - a.position.x == -0.7 [m] * sin(1.5)\n\
                initially a.position.z == -1 [m] * cos(1)\ninitially b.position.z - a.position.z == -0.7 [m] * cos(1.5)";
    let one = Scene::new(angles).tolerance(1e-11).probe(&["tension(a)", "tension(b)"]).run(1.5, 0.25);
    let other = Scene::new(rods).tolerance(1e-11).probe(&["tension(upper)", "tension(lower)"]).run(1.5, 0.25);
    for (at, (a, b)) in one.rows.iter().zip(&other.rows).enumerate() {
        assert_near(&format!("upper, row {at}"), a[0], b[0], 1e-8);
        assert_near(&format!("lower, row {at}"), a[1], b[1], 1e-8);
    }
}

const CHAIN_OF_COORDINATES: &str = "frame h1 { rotation = about y free }\nbody l1 in h1 { position = (0, 0, -0.3) [m]; shape = box(0.1 [m], 0.2 [m], 0.6 [m]); mass = 2 [kg] }\n\
    frame h2 in h1 { position = (0, 0, -0.6) [m]; rotation = about y free }\nbody l2 in h2 { position = (0, 0, -0.2) [m]; shape = box(0.1 [m], 0.1 [m], 0.4 [m]); mass = 1 [kg] }\n\
    frame h3 in h2 { position = (0, 0, -0.4) [m]; rotation = about y free }\nbody l3 in h3 { position = (0, 0, -0.25) [m]; shape = box(0.1 [m], 0.3 [m], 0.5 [m]); mass = 1.5 [kg] }\n\
    initially h1.angle == 0.4\ninitially h2.angle == 0.7\ninitially h3.angle == -0.3\ninitially h1.angle' == 2 [1/s]\n";

const CHAIN_OF_JOINTS: &str = "use mechanics\nbody l1 { position = (free, free, free); rotation = free; shape = box(0.1 [m], 0.2 [m], 0.6 [m]); mass = 2 [kg] }\n\
    body l2 { position = (free, free, free); rotation = free; shape = box(0.1 [m], 0.1 [m], 0.4 [m]); mass = 1 [kg] }\n\
    body l3 { position = (free, free, free); rotation = free; shape = box(0.1 [m], 0.3 [m], 0.5 [m]); mass = 1.5 [kg] }\n\
    join h1: world to l1.point(0, 0, 0.3 [m]) with revolute(axis: (0, 1, 0))\n\
    join h2: l1.point(0, 0, -0.3 [m]) to l2.point(0, 0, 0.2 [m]) with revolute(axis: (0, 1, 0))\n\
    join h3: l2.point(0, 0, -0.2 [m]) to l3.point(0, 0, 0.25 [m]) with revolute(axis: (0, 1, 0))\n";

/// What pushes the chain sideways and turns it, and springs to the wall, is no force of its hinges; what these exert is the same in both.
#[test]
fn three_hinges_in_coordinates_and_in_joints() {
    let load = "gravity 9.81 [m/s^2]\nforce on l3 at l3.point(0, 0, -0.25 [m]) = (0.5, 4, 0.3) [N]\ntorque on l2 = (0.2, 0.1, 0.3) [N*m]\n\
                potential = 20 [N/m] / 2 * |l2.position - (0.5, 0.3, 0) [m]|^2\n";
    let asked = ["h1", "h2", "h3"].map(|hinge| [format!("force({hinge})"), format!("torque({hinge})")]).concat();
    let probes: Vec<&str> = asked.iter().map(String::as_str).collect();
    let one = Scene::new(&format!("{load}{CHAIN_OF_COORDINATES}")).tolerance(1e-11).probe(&probes).run(1.0, 0.25);
    let states = ["l1", "l2", "l3"];
    let start = Scene::new(&format!("{load}{CHAIN_OF_COORDINATES}"))
        .probe(&[
            "l1.position",
            "l2.position",
            "l3.position",
            "l1.omega",
            "l2.omega",
            "l3.omega",
            "l1.euler.y",
            "h2.angle",
            "h3.angle",
        ])
        .at(0.001);
    let angles = [0.4, 1.1, 0.8];
    let mut given = String::new();
    for (body, angle) in states.iter().zip(angles) {
        let [x, _, z] = start.vectors(&format!("{body}.position"))[0];
        given.push_str(&format!(
            "initially {body}.position.x == {x:.17} [m]\ninitially {body}.position.z == {z:.17} [m]\ninitially {body}.position.y == 0\n\
             initially {body}.vector(1, 0, 0).x == {:.17}\ninitially {body}.vector(1, 0, 0).z == {:.17}\ninitially {body}.vector(0, 1, 0).x == 0\n\
             initially {body}.omega == (0, 2, 0) [1/s]\n",
            libm::cos(angle),
            -libm::sin(angle),
        ));
    }
    let other = Scene::new(&format!("{load}{CHAIN_OF_JOINTS}{given}")).tolerance(1e-11).probe(&probes).run(1.0, 0.25);
    for (at, (a, b)) in one.rows.iter().zip(&other.rows).enumerate() {
        for (column, (a, b)) in one.columns.iter().zip(a.iter().zip(b)) {
            assert_near(&format!("{column}, row {at}"), *a, *b, 1e-6);
        }
    }
}

/// A ball that rolls down a slope of 30° without slipping needs a friction of 2/7 of m g sin α; the equation speaks of velocities, and its
/// force times a velocity is a power.
#[test]
fn what_keeps_a_ball_rolling() {
    let text = "gravity 9.81 [m/s^2]\nframe slope { rotation = about y 30 [deg] }\n\
                body ball in slope { position = (free, 0, 0); rotation = about y free; shape = sphere(0.1 [m]); mass = 3 [kg] }\n\
                always rolls: ball.x' == 0.1 [m] * ball.angle'";
    let table = Scene::new(text).probe(&["tension(rolls)", "tension(rolls) + 1 [N]"]).at(0.5);
    assert_near("friction", table.last("tension(rolls)"), 3.0 * 9.81 * 0.5 * 2.0 / 7.0, 1e-11);
}

/// A bead on a hoop without weight: m v' = −μ m v²/R, so v = v₀/(1 + μ v₀ t/R), from an equation and from an angle.
#[test]
fn friction_may_depend_on_what_it_follows_from() {
    let equation = "body bead { position = (free, free, 0); mass = 0.2 [kg] }\nalways wire: |bead.position| == 0.7 [m]\n\
                    initially bead.position.x == 0.7 [m]\ninitially bead.position.y == 0\ninitially bead.velocity.y == 2 [m/s]\n\
                    force on bead = -0.3 * |tension(wire)| * bead.velocity / |bead.velocity|";
    let angle = "frame hoop { rotation = about z free }\nbody bead in hoop { position = (0.7, 0, 0) [m]; mass = 0.2 [kg] }\n\
                 initially hoop.angle' == 2 [m/s] / 0.7 [m]\n\
                 force on bead = -0.3 * |tension(bead)| * bead.velocity / |bead.velocity|";
    let watched = [equation, angle].map(|text| format!("{text}\nstop when t >= 50 [s]"));
    for text in [equation, angle].into_iter().chain(watched.iter().map(String::as_str)) {
        let table = Scene::new(text).tolerance(1e-11).probe(&["|bead.velocity|"]).run(2.0, 0.5);
        for (t, speed) in table.times.iter().zip(table.column("|bead.velocity|")) {
            assert_near("speed", speed, 2.0 / (1.0 + 0.3 * 2.0 * t / 0.7), 1e-9);
        }
    }
}

/// Up a slope with friction: it stops after v/(g (sin α + μ cos α)), and stays where μ > tan α.
#[test]
fn a_block_comes_to_rest_by_a_normal_force_that_is_asked_for() {
    let text = "gravity 9.81 [m/s^2]\nframe slope { rotation = about y 30 [deg] }\nbody block in slope { position = (free, 0, 0); mass = 3 [kg] }\n\
                let along = slope.vector(1, 0, 0)\nlet v = block.velocity · along\n\
                force on block = -0.8 * |force(block) · slope.vector(0, 0, 1)| * sign(v) * along\n\
                initially block.position.x == 0\ninitially v == -2 [m/s]";
    let table = Scene::new(text).probe(&["v", "block.x"]).run(1.0, 0.25);
    let slows = 9.81 * (0.5 + 0.8 * libm::sqrt(0.75));
    assert_near("where", table.last("block.x"), -2.0 / slows, 1e-8);
    assert!(table.last("v").abs() < 1e-9);
}

/// Newton's law of what hangs on a frame: all else that acts is left out, and frames at one place are told apart.
#[test]
fn what_acts_besides_is_no_force_of_the_joint() {
    let text = "gravity 9.81 [m/s^2]\nbody cart { position = (free, 0, 0); mass = 2 [kg] }\nbody load in cart { position = (0, 0, 0); mass = 3 [kg] }\n\
                body free_one { position = (free, free, free); mass = 1 [kg] }\nforce on cart = (10, 0, 0) [N]\npotential = 7 [N] * load.position.z + 1 [N] * load.position.x\n\
                force on load = (0, 2, 0) [N]";
    let table = Scene::new(text).probe(&["force(load)", "force(cart)", "force(free_one)"]).at(0.3);
    // The two move together with (10 − 1)/5 m/s².
    let expected = [3.0 * 1.8 + 1.0, -2.0, 3.0 * 9.81 + 7.0, 0.0, -2.0, 5.0 * 9.81 + 7.0, 0.0, 0.0, 0.0];
    for (at, expected) in expected.into_iter().enumerate() {
        assert_near(&table.columns[at], table.rows[1][at], expected, 1e-12);
    }
}

/// What lies on a table by contact presses on what holds the table.
#[test]
fn contact_is_carried_on() {
    let text = "gravity 9.81 [m/s^2]\nframe table { shape = box(1 [m], 1 [m], 0.1 [m]) }\n\
                body crate { position = (0, 0, free(0.3 [m])); rotation = about x free; shape = box(0.2 [m], 0.2 [m], 0.2 [m]); mass = 4 [kg] }\n\
                contact crate, table { restitution = 0; friction = 0.5 }";
    let table = Scene::new(text).probe(&["force(table)", "contact(table, crate).force"]).at(1.0);
    assert_near("weight", table.last("force(table).z"), 4.0 * 9.81, 1e-7);
    assert_near("pressed", table.last("contact(table, crate).force.z"), 4.0 * 9.81, 1e-7);
}

/// In a loop of hinges that moves in a plane the forces across it are not determined, and those in it are.
#[test]
fn forces_that_are_not_determined_are_told() {
    let bar = |name: &str, x: f64, z: f64, angle: f64| {
        format!(
            "body {name} {{ position = (free({x} [m]), free, free({z} [m])); rotation = about y free({angle}); shape = box(1 [m], 0.1 [m], 0.1 [m]); mass = 1 [kg] }}\n"
        )
    };
    let text = format!(
        "use mechanics\ngravity 9.81 [m/s^2]\n{}{}{}\
         join a: world to left.point(-0.5 [m], 0, 0) with revolute(axis: (0, 1, 0))\n\
         join b: left.point(0.5 [m], 0, 0) to top.point(-0.5 [m], 0, 0) with revolute(axis: (0, 1, 0))\n\
         join c: top.point(0.5 [m], 0, 0) to right.point(0.5 [m], 0, 0) with revolute(axis: (0, 1, 0))\n\
         join d: world.point(1.2 [m], 0, 0) to right.point(-0.5 [m], 0, 0) with revolute(axis: (0, 1, 0))\n",
        bar("left", 0.05, 0.5, -1.5),
        bar("top", 0.6, 1.0, 0.0),
        bar("right", 1.15, 0.5, -1.6),
    );
    let found = Scene::new(&text).probe(&["force(b)"]).compile();
    let shared = found.diagnostics.iter().find(|found| found.code.0 == "shared-force").expect("a warning");
    assert!(shared.message.contains("force(b).y") && !shared.message.contains("force(b).x"), "{}", shared.message);
    let found = Scene::new(&text).probe(&["force(b).x"]).compile();
    assert!(found.stages.is_some());
}

#[test]
fn what_holds_nothing_has_no_force() {
    for (more, code) in [
        ("plot tension(world)", "no-reaction"),
        ("plot force(ball.nothing)", "unknown-field"),
        ("frame other { position = (ball.position.x, 0, 0) }\nplot force(other)", "no-reaction"),
        ("always rod: ball.position.x == 0\nalways weird: ball.position.y == tension(rod) * 1 [m/N]", "wrong-kind"),
        ("always rod: ball.position.x == 0\nplot force(rod)", "wrong-kind"),
        ("q: real = 1\nalways law: q' == 1 [1/s]\nplot tension(law)", "no-reaction"),
    ] {
        let text =
            format!("gravity 9.81 [m/s^2]\nbody ball {{ position = (free, free, free); mass = 1 [kg] }}\n{more}");
        let found = Scene::new(&text).compile();
        assert!(found.diagnostics.iter().any(|found| found.code.0 == code), "{more}: {:#?}", found.diagnostics);
    }
}
