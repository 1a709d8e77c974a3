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
    let (arm, begin) = (libm::hypot(radius, half), 1.0_f64.to_radians());
    for way in [0.0, 3.0, 11.25, 22.5, 200.0] {
        let table = can(46.0, way).at(0.25);
        let turned = libm::acos(table.rows[table.rows.len() - 1][1]);
        let square = 2.0 * 9.81 * arm / inertia * (libm::cos(begin) - libm::cos(begin + turned));
        assert_near(&format!("towards {way} degrees"), spin(&table), square.sqrt(), 1e-8);
        assert_near(&format!("towards {way} degrees"), spin(&table), spin(&can(46.0, 0.0).at(0.25)), 1e-7);
    }
}

/// A can on a fixed one of the same size, beside its middle: they share a lens. Gravity may lean, in a direction from the line of the two.
fn can_on_can(offset: f64, slope: f64, way: f64) -> Scene {
    let text = format!(
        "param slope = {slope:?} [deg]\nparam way = {way:?} [deg]\n\
         gravity 9.81 [m/s^2] * (sin(slope) * cos(way), sin(slope) * sin(way), -cos(slope))\n\
         frame stump {{ position = (0, 0, -10) [cm]; shape = cylinder(10 [cm], 20 [cm]) }}\n\
         body can: cylinder(10 [cm], 20 [cm]) mass 1 [kg] {{ position = free(({offset:?}, 0, 10) [cm]); rotation = free(about (0, 0, 1) 17 [deg]) }}\n\
         initially can.position == ({offset:?}, 0, 10) [cm]\ninitially can.omega == (0, 0, 0) [rad/s]\ncontact all {{ friction = 5 }}"
    );
    Scene::new(&text).tolerance(1e-11).probe(&["|can.omega|", "can.point(0, 0, 1 [m]).z - can.position.z"])
}

/// It stands as long as what pulls on its centre goes through the lens: to either rim, and to a corner between them.
#[test]
fn a_can_on_a_can_stands_while_its_weight_is_over_both() {
    let offset: f64 = 5.0;
    // Across the line of the two the lower rim is at √(R² − d²); towards a corner, whose angle has the cosine −d/2R, the upper rim is at R.
    let across = libm::atan((100.0 - offset * offset).sqrt() / 10.0).to_degrees();
    let corner = libm::acos(-offset / 20.0).to_degrees();
    for (way, limit) in
        [(90.0, across), (0.0, libm::atan(0.5).to_degrees()), (180.0, 45.0), (corner, 45.0), (-corner, 45.0)]
    {
        assert_eq!(spin(&can_on_can(offset, limit - 0.1, way).at(0.05)), 0.0, "towards {way} degrees");
        assert!(spin(&can_on_can(offset, limit + 0.1, way).at(0.05)) > 1e-4, "towards {way} degrees");
    }
    for offset in [0.0, 1e-9, 0.3, 9.9] {
        assert_eq!(spin(&can_on_can(offset, 0.0, 0.0).at(0.2)), 0.0, "{offset} cm from the middle");
    }
}

/// Beyond the rim of the other it turns about the nearest point of that.
#[test]
fn a_can_beyond_the_rim_of_another_tips_over_it() {
    let (radius, half) = (0.1_f64, 0.1_f64);
    for offset in [10.5, 12.0, 15.0] {
        let out = offset / 100.0 - radius;
        let (arm, begin) = (libm::hypot(out, half), libm::atan2(out, half));
        let inertia = radius * radius / 4.0 + half * half / 3.0 + arm * arm;
        let table = can_on_can(offset, 0.0, 0.0).at(0.12);
        let turned = libm::acos(table.rows[table.rows.len() - 1][1]);
        let square = 2.0 * 9.81 * arm / inertia * (libm::cos(begin) - libm::cos(begin + turned));
        assert!(turned > 1e-2, "it has begun to fall");
        assert_near(&format!("{offset} cm from the middle"), spin(&table), square.sqrt(), 1e-7);
    }
}

/// Cans on one another, none of them beyond the middle of the one below: they stand, however many points they touch in.
#[test]
fn stacks_of_cans_stand() {
    let mut text = String::from("gravity 9.81 [m/s^2]\nsurface floor: z == 0\ncontact all { friction = 0.5 }\n");
    for i in 0..4 {
        let (x, y, z) = ([0.0, 2.0, -1.0, 1.0][i], [0.0, -1.0, 2.0, 0.0][i], 10.0 * i as f64 + 5.0);
        let radius = [10, 7, 7, 9][i];
        text += &format!(
            "body b{i}: cylinder({radius} [cm], 10 [cm]) mass 1 [kg] {{ position = free(({x:?}, {y:?}, {z:?}) [cm]); rotation = free(about (0, 0, 1) {i}0 [deg]) }}\n\
             initially b{i}.position == ({x:?}, {y:?}, {z:?}) [cm]\ninitially b{i}.omega == (0, 0, 0) [rad/s]\n"
        );
    }
    let weight = 9.81;
    let table =
        Scene::new(&text).probe(&["|b3.omega|", "|contact(floor, b0).force|", "|contact(b2, b3).force|"]).at(0.3);
    assert_eq!(table.last("|b3.omega|"), 0.0);
    assert_near("all of them", table.last("|contact(floor, b0).force|"), 4.0 * weight, 1e-9);
    assert_near("the uppermost", table.last("|contact(b2, b3).force|"), weight, 1e-9);
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

/// Two cans of which the lower one all but stands, and the upper one lands on its rim and comes down flat: the place where they touch runs around the
/// rims while these cross. No energy gets in, and nothing sinks in.
#[test]
fn a_can_comes_down_on_a_tilted_one() {
    let text = "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
        body a: cylinder(17.3 [cm], 33.3 [cm]) mass 1.76 [kg] { position = free((-0.6, 5.2, 50) [cm]); rotation = free(about (-0.25, 0.54, -0.45) 3 [deg]) }\n\
        body b: cylinder(12.9 [cm], 25.3 [cm]) mass 2.34 [kg] { position = free((6.1, 3.7, 100) [cm]); rotation = free(about (0.69, -0.33, -0.81) 3 [deg]) }\n\
        initially a.position == (-0.6, 5.2, 50) [cm]\ninitially a.velocity == (0, 0, 0) [m/s]\ninitially a.omega == (0, 0, 0) [rad/s]\n\
        initially b.position == (6.1, 3.7, 100) [cm]\ninitially b.velocity == (0, 0, 0) [m/s]\ninitially b.omega == (0, 0, 0) [rad/s]\n\
        contact all { friction = 0 }";
    for tolerance in [1e-9, 1e-12] {
        let scene = Scene::new(text).probe(&["contact(a, b).gap", "energy"]).tolerance(tolerance);
        let table = scene.run(0.6, 0.01);
        assert!(table.rows.iter().all(|row| row[0] > -1e-9), "nothing sinks in");
        let energies = table.column("energy");
        assert!(energies.windows(2).all(|row| row[1] <= row[0] + 1e-10 * energies[0]), "energy never rises");
        assert!(energies[energies.len() - 1] < 0.8 * energies[0], "they have met");
    }
}
