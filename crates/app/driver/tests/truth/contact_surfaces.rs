//! Balls in bowls, on domes and through rings: what is not convex, held against closed forms.

use crate::exact::pendulum_angle;
use crate::scene::{Scene, assert_near, assert_same_motion, assert_vectors_near};

const G: f64 = 9.81;

/// The centre of a ball in a spherical bowl goes along a circle as a pendulum does, with 5/7 of the gravity where it rolls.
#[test]
fn balls_roll_and_slide_in_a_bowl_as_pendulums_do() {
    for (bowl, radius, start, friction, part) in
        [(1.0, 0.1, 0.4, 2.0, 5.0 / 7.0), (0.5, 0.2, -0.9, 0.0, 1.0), (2.0, 0.05, 1.2, 5.0, 5.0 / 7.0)]
    {
        let length: f64 = bowl - radius;
        let (x, z) = (length * f64::sin(start), -length * f64::cos(start));
        let text = format!(
            "gravity {G} [m/s^2]
            surface bowl: x^2 + y^2 + z^2 == ({bowl} [m])^2
            body ball: sphere({radius} [m]) mass 0.3 [kg] {{ position = free(({x}, 0, {z}) [m]) }}
            initially ball.position == ({x}, 0, {z}) [m]
            contact ball, bowl {{ friction = {friction} }}"
        );
        let table = Scene::new(&text).probe(&["ball.position", "contact(ball, bowl).gap"]).run(3.0, 0.23);
        for (row, &t) in table.times.iter().enumerate() {
            let angle = pendulum_angle(start, part * G / length, t);
            let exact = [length * angle.sin(), 0.0, -length * angle.cos()];
            let what = format!("bowl of {bowl} m, ball of {radius} m, at t = {t}");
            assert_vectors_near(&what, table.vectors("ball.position")[row], exact, 1e-8);
            assert_near(&what, table.rows[row][3], 0.0, 1e-11);
        }
    }
}

/// A ball that falls onto z = −a (x² + y²) touches it where its centre is the radius away from the foot along the normal, and is thrown off as
/// light is reflected.
#[test]
fn a_ball_is_thrown_off_a_dome() {
    let (a, radius, fall) = (0.7, 0.15, 0.8);
    for foot in [0.0, 0.2, -0.6] {
        let slope: f64 = 2.0 * a * foot;
        let steep = (1.0 + slope * slope).sqrt();
        let n = [slope / steep, 1.0 / steep];
        let (x, z) = (foot + radius * n[0], -a * foot * foot + radius * n[1] + fall);
        let text = format!(
            "gravity {G} [m/s^2]
            surface dome: z == -{a} [1/m] * (x^2 + y^2)
            body ball: sphere({radius} [m]) mass 1 [kg] {{ position = free(({x}, 0, {z}) [m]) }}
            initially ball.position == ({x}, 0, {z}) [m]
            contact all {{ restitution = 0.8 }}"
        );
        let instant = (2.0 * fall / G).sqrt();
        let (late, down) = (0.15, -G * instant);
        let table = Scene::new(&text).probe(&["ball.position", "contact(ball, dome).impacts"]).at(instant + late);
        let lost = 1.8 * down * n[1];
        let v = [-lost * n[0], down - lost * n[1]];
        let exact = [x + v[0] * late, 0.0, z - fall + v[1] * late - 0.5 * G * late * late];
        assert_vectors_near(&format!("foot at {foot} m"), table.vectors("ball.position")[1], exact, 1e-9);
        assert_near("impacts", table.rows[1][3], 1.0, 0.0);
    }
}

/// A surface that is a sphere or an ellipsoid is touched as the shape is.
#[test]
fn surfaces_are_touched_as_the_shapes_that_they_bound() {
    for (shape, surface) in [
        ("sphere(1 [m])", "x^2 + y^2 + z^2 == (1 [m])^2"),
        ("ellipsoid(1 [m], 0.7 [m], 0.5 [m])", "x^2 + (y / 0.7)^2 + (z / 0.5)^2 == (1 [m])^2"),
    ] {
        let scene = |thing: &str| {
            let text = format!(
                "gravity {G} [m/s^2]
                {thing}
                body ball: sphere(10 [cm]) mass 1 [kg] {{ position = free((0.1, 0.05, 1.4) [m]) }}
                initially ball.position == (0.1, 0.05, 1.4) [m]
                initially ball.omega == (1, 2, 3) [rad/s]
                contact all {{ restitution = 0.3; friction = 0.4 }}"
            );
            Scene::new(&text).probe(&["ball.position", "ball.omega"]).run(0.9, 0.1)
        };
        let by_shape = scene(&format!("frame dome {{ shape = {shape} }}"));
        let by_surface = scene(&format!("surface dome: {surface}"));
        assert_same_motion(shape, &by_shape, &by_surface, 1e-7);
    }
}

/// A ball falls through a ring without touching it, or onto its tube: (x − R)² + z² = (r + s)².
#[test]
fn balls_fall_through_rings_or_onto_them() {
    let (ring, tube, radius, height) = (0.3_f64, 0.05_f64, 0.1_f64, 1.0);
    for x in [0.0, 0.05, 0.149, -0.1] {
        let table = ring_and_ball(x, height).probe(&["ball.position.z", "contact(ring, ball).impacts"]).at(0.7);
        assert_near(&format!("through at {x} m"), table.rows[1][0], height - 0.5 * G * 0.49, 1e-11);
        assert_near("impacts", table.rows[1][1], 0.0, 0.0);
    }
    for x in [0.2_f64, 0.3, -0.35] {
        let above = ((radius + tube).powi(2) - (x.abs() - ring).powi(2)).sqrt();
        let instant = (2.0 * (height - above) / G).sqrt();
        for (late, count) in [(-1e-8, 0.0), (1e-8, 1.0)] {
            let table = ring_and_ball(x, height).probe(&["contact(ring, ball).impacts"]).at(instant + late);
            assert_near(&format!("onto it at {x} m, {late} s late"), table.rows[1][0], count, 0.0);
        }
    }
}

fn ring_and_ball(x: f64, height: f64) -> Scene {
    Scene::new(&format!(
        "gravity {G} [m/s^2]
        frame ring {{ shape = torus(30 [cm], 5 [cm]) }}
        body ball: sphere(10 [cm]) mass 1 [kg] {{ position = free(({x}, 0, {height}) [m]) }}
        initially ball.position == ({x}, 0, {height}) [m]
        contact all {{ restitution = 0.5 }}"
    ))
}
