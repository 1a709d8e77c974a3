//! Rims: what stands on one tips over a circle, whichever way it tips.

use crate::scene::{Scene, Table, assert_near};

/// A can as wide as high, on a slope that falls in a direction between 0 and 360 degrees.
fn can(slope: f64, way: f64) -> Scene {
    let text = format!(
        "param slope = {slope:?} [deg]\nparam way = {way:?} [deg]\n\
         gravity 9.81 [m/s^2] * (sin(slope) * cos(way), sin(slope) * sin(way), -cos(slope))\nsurface floor: z == 0\n\
         body can: cylinder(10 [cm], 20 [cm]) mass 1 [kg] {{ position = free((0, 0, 10) [cm]); rotation = free(about (0, 0, 1) 0 [deg]) }}\n\
         initially can.position == (0, 0, 10) [cm]\ninitially can.omega == (0, 0, 0) [rad/s]\ncontact all {{ friction = 5 }}"
    );
    Scene::new(&text).tolerance(1e-11).probe(&["|can.omega|", "can.point(0, 0, 1 [m]).z - can.position.z"])
}

fn spin(table: &Table) -> f64 {
    table.last("|can.omega|")
}

/// The centre is over the rim where the slope is 45 degrees.
#[test]
fn a_can_stands_until_its_centre_is_over_its_rim() {
    for way in [0.0, 3.0, 11.25, 22.5, 200.0] {
        assert_eq!(spin(&can(44.9, way).at(0.2)), 0.0, "towards {way} degrees");
    }
}

/// It turns about the lowest point of its rim, as a pendulum that stands on its head: ½ I ω² = m g d (cos γ − cos (γ + θ)).
#[test]
fn a_can_tips_over_a_circle() {
    let (radius, half) = (0.1_f64, 0.1_f64);
    let inertia = radius * radius / 4.0 + half * half / 3.0 + radius * radius + half * half;
    let (arm, begin) = (radius.hypot(half), 1.0_f64.to_radians());
    for way in [0.0, 3.0, 11.25, 22.5, 200.0] {
        let table = can(46.0, way).at(0.25);
        let turned = libm::acos(table.rows[table.rows.len() - 1][1]);
        let square = 2.0 * 9.81 * arm / inertia * (libm::cos(begin) - libm::cos(begin + turned));
        assert_near(&format!("towards {way} degrees"), spin(&table), square.sqrt(), 1e-8);
        assert_near(&format!("towards {way} degrees"), spin(&table), spin(&can(46.0, 0.0).at(0.25)), 1e-7);
    }
}

/// A body is on one side of a plane, with all of its shapes: what reaches through it does not fall.
#[test]
fn a_body_with_feet_below_the_floor_begins_inside_of_it() {
    let text = "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
        body dog { position = (0, 0, free(30 [cm])); mass = 5 [kg]; shape = box(40 [cm], 20 [cm], 20 [cm]); shape = sphere(10 [cm]) at (0, 0, -50) [cm]; shape = sphere(10 [cm]) at (0, 0, 50) [cm] }\n\
        initially dog.position.z == 30 [cm]\ncontact all { }";
    let trouble = Scene::new(text).trouble(1.0, 0.1);
    assert_eq!(trouble.code.0, "starts-inside");
    assert!(trouble.message.contains("0.3 m"), "{}", trouble.message);
}
