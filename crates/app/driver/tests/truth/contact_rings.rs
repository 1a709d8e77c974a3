//! Rings and all other solids: a torus that hangs, is struck and swings, held against closed forms.

use crate::exact::pendulum_angle;
use crate::scene::{Scene, assert_near, assert_vectors_near};

const G: f64 = 9.81;

/// A ring hangs on a peg across it, with its inner equator on it: its centre goes along a circle about the peg as a pendulum does, the more slowly
/// the more of it has to turn where it rolls.
#[test]
fn a_ring_swings_on_a_peg_as_a_pendulum_does() {
    let (major, tube) = (0.3_f64, 0.04_f64);
    let inner = major - tube;
    let lying = "rotation = about x 90 [deg]";
    for (peg, thick, friction) in [
        (format!("{lying}; shape = cylinder(2 [cm], 1 [m])"), 0.02, 0.0),
        (format!("{lying}; shape = cylinder(2 [cm], 1 [m])"), 0.02, 3.0),
        (format!("{lying}; shape = capsule(3 [cm], 1 [m])"), 0.03, 0.0),
        (format!("{lying}; shape = capsule(3 [cm], 1 [m])"), 0.03, 3.0),
        (format!("{lying}; shape = rod(1 [m])"), 0.0, 0.0),
    ] {
        let start = 0.6_f64;
        let length = inner - thick;
        // A torus turns about its axis with m (R² + ¾ r²); where it rolls on a peg, by as much less as the peg is thick.
        let inertia = (major * major + 0.75 * tube * tube) / (inner * inner);
        let slower = if friction > 0.0 { 1.0 + inertia } else { 1.0 };
        let (x, z) = (length * start.sin(), -length * start.cos());
        let text = format!(
            "gravity {G} [m/s^2]
            frame peg {{ {peg} }}
            frame upright {{ rotation = about x 90 [deg] }}
            body ring in upright {{
              position = free(({x}, {z}, 0) [m]); rotation = free; mass = 0.7 [kg]; shape = torus({major} [m], {tube} [m])
            }}
            initially ring.position == ({x}, 0, {z}) [m]
            contact peg, ring {{ friction = {friction} }}"
        );
        let table = Scene::new(&text).probe(&["ring.position", "contact(peg, ring).gap"]).run(1.5, 0.19);
        for (row, &t) in table.times.iter().enumerate() {
            let angle = pendulum_angle(start, G / (length * slower), t);
            let exact = [length * angle.sin(), 0.0, -length * angle.cos()];
            let what = format!("{peg}, friction {friction}, at t = {t}");
            assert_vectors_near(&what, table.vectors("ring.position")[row], exact, 1e-7);
            assert_near(&what, table.rows[row][3], 0.0, 1e-10);
        }
    }
}

/// A ring strikes each solid edge on, along the line of their centres: after the time that the way between them takes, with the speeds that momentum
/// and restitution leave.
#[test]
fn a_ring_strikes_every_solid_along_their_centres() {
    let (major, tube, mass, speed, restitution) = (0.3, 0.05, 2.0, 1.5, 0.6);
    let pointed =
        "hull((0.2, 0, 0) [m], (-0.2, 0, 0) [m], (0, 0.1, 0) [m], (0, -0.1, 0) [m], (0, 0, 0.1) [m], (0, 0, -0.1) [m])";
    for (solid, turn, reach) in [
        ("capsule(5 [cm], 30 [cm])", "about y 90 [deg]", 0.2),
        ("capsule(5 [cm], 30 [cm])", "about x 90 [deg]", 0.05),
        ("box(20 [cm], 60 [cm], 30 [cm])", "about z 0 [deg]", 0.1),
        ("box(20 [cm], 20 [cm], 30 [cm])", "about z 45 [deg]", 0.1 * std::f64::consts::SQRT_2),
        (pointed, "about z 0 [deg]", 0.2),
        ("cylinder(12 [cm], 30 [cm])", "about x 0 [deg]", 0.12),
        ("cylinder(12 [cm], 30 [cm])", "about y 90 [deg]", 0.15),
        ("cone(15 [cm], 40 [cm])", "about y 90 [deg]", 0.1),
        ("cone(15 [cm], 40 [cm])", "about y -90 [deg]", 0.3),
        ("ellipsoid(25 [cm], 15 [cm], 10 [cm])", "about x 0 [deg]", 0.25),
        ("torus(20 [cm], 4 [cm])", "about x 0 [deg]", 0.24),
    ] {
        let text = format!(
            "body ring: torus({major} [m], {tube} [m]) mass {mass} [kg] {{ position = free((-1, 0, 0) [m]) }}
            frame turned {{ rotation = {turn} }}
            body other in turned {{ position = free((0, 0, 0) [m]); rotation = free; mass = 3 [kg]; shape = {solid} }}
            initially ring.position == (-1, 0, 0) [m]
            initially ring.velocity == ({speed}, 0, 0) [m/s]
            contact all {{ restitution = {restitution} }}"
        );
        let instant = (1.0 - major - tube - reach) / speed;
        let common = mass * speed / (mass + 3.0);
        let (before, after) =
            (common - restitution * 3.0 / (mass + 3.0) * speed, common + restitution * mass / (mass + 3.0) * speed);
        let late = 0.2;
        let probes = ["ring.position", "other.position", "other.omega", "contact(ring, other).impacts"];
        let table = Scene::new(&text).probe(&probes).at(instant + late);
        let what = format!("{solid}, {turn}");
        assert_near(&format!("{what}: impacts"), table.rows[1][9], 1.0, 0.0);
        assert_vectors_near(
            &what,
            table.vectors("ring.position")[1],
            [-1.0 + speed * instant + before * late, 0.0, 0.0],
            1e-9,
        );
        assert_vectors_near(&what, table.vectors("other.position")[1], [after * late, 0.0, 0.0], 1e-9);
        assert_vectors_near(&what, table.vectors("other.omega")[1], [0.0; 3], 1e-8);
    }
}

/// Two rings that are linked pull one another taut at (R₁ − r₁) + (R₂ − r₂), wherever else they are apart.
#[test]
fn linked_rings_are_pulled_taut() {
    let (major, tube, speed) = (0.3, 0.04, 2.0);
    let text = format!(
        "body first: torus({major} [m], {tube} [m]) mass 1 [kg] {{ position = free((0, 0, 0) [m]) }}
        frame upright {{ rotation = about x 90 [deg] }}
        body second in upright {{
          position = free((0.3, 0, 0) [m]); rotation = free; mass = 1 [kg]; shape = torus({major} [m], {tube} [m])
        }}
        initially second.position == (0.3, 0, 0) [m]
        initially second.velocity == ({speed}, 0, 0) [m/s]
        contact all {{ restitution = 1 }}"
    );
    let taut = 2.0 * (major - tube);
    let instant = (taut - 0.3) / speed;
    let table = Scene::new(&text)
        .probe(&["first.position", "second.position", "contact(first, second).gap"])
        .at(instant + 0.05);
    // Equal masses exchange their speeds.
    assert_vectors_near("first", table.vectors("first.position")[1], [speed * 0.05, 0.0, 0.0], 1e-9);
    assert_vectors_near("second", table.vectors("second.position")[1], [taut, 0.0, 0.0], 1e-9);
    assert_near("the gap at the start", table.rows[0][6], 0.3 - 2.0 * tube, 1e-12);
}

/// A ring that falls along the axis of what is round comes to rest all around it: on another ring, on a cone, where the tube is as far from the side as
/// it is thick, and on the cap of a can.
#[test]
fn rings_come_to_rest_about_an_axis() {
    let (radius, height, tube) = (0.3_f64, 0.6_f64, 0.05_f64);
    let side = (radius * radius + height * height).sqrt();
    let on_cone = 0.75 * height + (tube * side - 0.15 * height) / radius;
    for (low, major, rest) in [
        ("torus(30 [cm], 5 [cm])", 0.3, 0.1),
        ("cone(30 [cm], 60 [cm])", 0.15, on_cone),
        ("cylinder(30 [cm], 60 [cm])", 0.25, 0.35),
    ] {
        let text = format!(
            "gravity {G} [m/s^2]
            frame low {{ shape = {low} }}
            body ring: torus({major} [m], {tube} [m]) mass 1 [kg] {{ position = free((0, 0, 0.9) [m]) }}
            initially ring.position == (0, 0, 0.9) [m]
            contact all {{ restitution = 0.2; friction = 0.3 }}"
        );
        let table = Scene::new(&text).probe(&["ring.position", "ring.omega", "contact(low, ring).force.z"]).at(1.5);
        assert_vectors_near(low, table.vectors("ring.position")[1], [0.0, 0.0, rest], 1e-9);
        assert_vectors_near(low, table.vectors("ring.omega")[1], [0.0; 3], 1e-9);
        assert_near(&format!("{low}: its weight"), table.rows[1][6], G, 1e-7);
    }
}
