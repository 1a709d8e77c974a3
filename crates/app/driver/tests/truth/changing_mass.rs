//! Bodies whose mass or inertia changes: momentum changes by forces, angular momentum by torques, whatever the velocity does.

use std::f64::consts::PI;

use crate::scene::{Scene, assert_near};

#[track_caller]
fn assert_refused(text: &str) {
    let found = Scene::new(text).compile().diagnostics;
    assert!(found.iter().any(|found| found.code.0 == "changing-mass"), "{found:?}");
}

#[test]
fn a_skater_draws_in_her_arms() {
    let scene = "scene skater
        param start = 8 [kg*m^2]
        body skater { rotation = about z free; mass = 1 [kg]; inertia = (9, 9, 0) [kg*m^2] + (0, 0, start / (1 + t / 1 [s])) }
        initially der(skater.angle) == 0.5 [rad/s]";
    let table = Scene::new(scene).probe(&["skater.angle", "angular_momentum.z"]).run(3.0, 0.5);
    for (row, &t) in table.times.iter().enumerate() {
        assert_near("angular momentum", table.column("angular_momentum.z")[row], 4.0, 1e-10);
        assert_near("angle", table.column("skater.angle")[row], 0.5 * (t + 0.5 * t * t), 1e-10);
    }
}

/// A bead of mass m on a spoke, once as a body of its own, once as an inertia m r² that depends on the coordinate of a massive slider.
#[test]
fn an_inertia_that_depends_on_a_coordinate_flings_it_out() {
    let beads = "scene beads
        frame spoke { rotation = about z free }
        body hub in spoke { mass = 1 [kg]; inertia = (1, 1, 2) [kg*m^2] }
        body bead in spoke { position = (free(1 [m]), 0, 0); mass = 1.5 [kg] }
        initially bead.x == 1 [m]
        initially der(spoke.angle) == 3 [rad/s]";
    // The slider moves along the axis, so that its place is all that it shares with the bead.
    let inertia = "scene inertia
        body slider { position = (0, 0, free(1 [m])); mass = 1.5 [kg] }
        body hub { rotation = about z free; mass = 1 [kg]; inertia = (4, 4, 2) [kg*m^2] + (0, 0, 1.5 [kg] * slider.z^2) }
        initially slider.z == 1 [m]
        initially der(hub.angle) == 3 [rad/s]";
    let one = Scene::new(beads).probe(&["bead.x", "spoke.angle", "energy"]).run(2.0, 0.25);
    let other = Scene::new(inertia).probe(&["slider.z", "hub.angle", "energy"]).run(2.0, 0.25);
    assert!(one.conserves_energy && other.conserves_energy);
    for (row, (a, b)) in one.rows.iter().zip(&other.rows).enumerate() {
        (0..3).for_each(|column| assert_near(&format!("column {column} of row {row}"), a[column], b[column], 1e-9));
    }
}

#[test]
fn a_rocket_reaches_the_speed_that_its_masses_say() {
    let scene = "scene rocket
        body rocket { position = (0, 0, free); mass = 100 [kg] - 2 [kg/s] * t }
        force on rocket = der(rocket.mass) * (rocket.velocity - (0, 0, 2000) [m/s])";
    let table = Scene::new(scene).probe(&["rocket.velocity.z"]).at(30.0);
    assert_near("Tsiolkovsky", table.last("rocket.velocity.z"), 2000.0 * (100.0_f64 / 40.0).ln(), 1e-7);
}

#[test]
fn rain_slows_a_cart_and_a_leak_does_not() {
    let cart = |velocity: &str| {
        format!(
            "body cart {{ position = (free, 0, 0); mass = 2 [kg] + 0.5 [kg/s] * t }}
             force on cart = der(cart.mass) * {velocity}
             initially cart.velocity.x == 3 [m/s]"
        )
    };
    let speed =
        |velocity: &str| Scene::new(&cart(velocity)).probe(&["cart.velocity.x"]).at(4.0).last("cart.velocity.x");
    assert_near("rain", speed("(0, 0, 0) [m/s]"), 1.5, 1e-10);
    assert_near("along", speed("cart.velocity"), 3.0, 1e-10);
}

/// A chain lifted from a table by its end: d(λ z v)/dt = F − λ z g has the steady solution F = λ v² + λ g z.
#[test]
fn a_mass_that_depends_on_a_coordinate_weighs_what_it_is() {
    let scene = "scene chain
        gravity 9.81 [m/s^2]
        body end { position = (0, 0, free(0.5 [m])); mass = 3 [kg/m] * end.position.z }
        force on end = (0, 0, 3 [kg/m] * (4 [m^2/s^2] + 9.81 [m/s^2] * end.position.z)) + der(end.mass) * (0, 0, 0) [m/s]
        initially end.position.z == 0.5 [m]
        initially end.velocity.z == 2 [m/s]";
    let table = Scene::new(scene).probe(&["end.position.z", "end.velocity.z"]).run(1.0, 0.25);
    for (row, &t) in table.times.iter().enumerate() {
        assert_near("speed", table.column("end.velocity.z")[row], 2.0, 1e-9);
        assert_near("height", table.column("end.position.z")[row], 0.5 + 2.0 * t, 1e-9);
    }
}

/// z″ = −g (1 − z/h) gives h − z = (h − z₀) cosh(t √(g/h)).
#[test]
fn a_field_that_differs_from_place_to_place_pulls_by_what_it_is() {
    let scene = "gravity (0, 0, -9.81 [m/s^2] * (1 - b.position.z / 10 [m]))
        body b { position = (0, 0, free(1 [m])); mass = 2 [kg] }
        initially b.position.z == 1 [m]";
    let table = Scene::new(scene).probe(&["b.position.z"]).at(1.0);
    assert_near("height", table.last("b.position.z"), 10.0 - 9.0 * 0.981_f64.sqrt().cosh(), 1e-10);
    assert!(!table.conserves_energy);
}

#[test]
fn changes_that_say_too_little_are_refused() {
    let body = |properties: &str| format!("body b {{ position = free; rotation = free; {properties} }}");
    assert_refused(&body("mass = 2 [kg] - 0.1 [kg/s] * t"));
    assert_refused(&body("mass = 1 [kg] + 1 [kg/m] * b.position.x"));
    assert_refused(&body("mass = 1 [kg] * sqrt(1 + |b.velocity|^2 / 1 [m^2/s^2])"));
    assert_refused(&body("mass = if t < 1 [s] then 1 [kg] else 2 [kg]"));
    assert_refused(&body("scale = free; mass = 1 [kg]; shape = sphere(1 [m])"));
    assert_refused(&body("scale = 1 + t / 1 [s]; density = 1 [kg/m^3]; shape = sphere(1 [m])"));
}

/// What a frame's scale stretches is the solid that stands there.
#[test]
fn a_scale_stretches_the_shape_of_a_body() {
    let scene = "scene stretched
        frame wide { scale = (2, 1, 0.5) }
        body ball in wide { rotation = about z free; scale = (1, 3, 1); shape = sphere(0.5 [m]); density = 100 [kg/m^3] }
        body block { rotation = about x free; scale = (1, -2, 3); shape = box(1 [m], 0.5 [m], 0.4 [m]); mass = 5 [kg] }
        initially der(ball.angle) == 1 [rad/s]
        initially der(block.angle) == 1 [rad/s]";
    let table = Scene::new(scene).probe(&["ball.mass", "ball.kinetic", "block.mass", "block.kinetic"]).at(0.1);
    let (a, b, c) = (0.5 * 2.0, 0.5 * 3.0, 0.5 * 0.5);
    let mass = 100.0 * 4.0 * PI / 3.0 * a * b * c;
    assert_near("mass of the ellipsoid", table.last("ball.mass"), mass, 1e-10);
    assert_near("its energy", table.last("ball.kinetic"), 0.5 * mass * (a * a + b * b) / 5.0, 1e-10);
    assert_near("mass of the box", table.last("block.mass"), 5.0, 1e-12);
    assert_near("its energy", table.last("block.kinetic"), 0.5 * 5.0 * (1.0 + 1.2 * 1.2) / 12.0, 1e-10);
}

/// A force at a point of a frame that stretches moves what hangs on the stretched axis: s̈ = F x / (m x²) for a bead at x s.
#[test]
fn a_force_at_a_stretched_point_stretches() {
    let scene = "frame band { scale = (free(1), 1, 1) }
        body bead in band { position = (2, 0, 0) [m]; mass = 3 [kg] }
        force on band at band.point(1 [m], 0, 0) = (6, 0, 0) [N]
        initially band.scale.x == 1";
    let table = Scene::new(scene).probe(&["band.scale.x", "velocity_at(band, band.point(1 [m], 0, 0)).x"]).at(2.0);
    let rate = 6.0 * 1.0 / (3.0 * 4.0);
    assert_near("scale", table.last("band.scale.x"), 1.0 + rate * 2.0, 1e-10);
    assert_near("velocity", table.rows.last().expect("a row")[1], rate * 2.0, 1e-10);
}
