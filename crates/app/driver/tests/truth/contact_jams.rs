//! Friction without an answer (Painlevé): a thin rod that slides with its lower end ahead. With θ its angle from the floor, a force at that end answers
//! along the normal with (1 + 3 cos² θ)/m and, through friction, with 3 µ sin θ cos θ/m less. Where that is negative no force keeps the end
//! out of the floor, and an impulse without a collision ends its slip: angular momentum about the end stays.

use crate::scene::{Scene, Table, assert_near, assert_vectors_near};

const G: f64 = 9.81;

fn rod(angle: f64, speed: f64, friction: f64) -> Scene {
    let scene = Scene::example("painleve_rod").set(format!("angle={angle}")).set(format!("speed={speed}"));
    scene.set(format!("friction={friction}")).tolerance(1e-11)
}

/// What is left of the answer along the normal, for a rod of one kilogram.
fn answer(angle: f64, friction: f64) -> f64 {
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    1.0 + 3.0 * cosine * cosine - 3.0 * friction * sine * cosine
}

fn spin(table: &Table) -> f64 {
    table.vectors("rod.omega")[0][1]
}

#[test]
fn a_rod_that_jams_is_thrown_over_its_end() {
    for (degrees, speed, friction) in [(60.0, 4.0, 1.5), (63.4, 1.0, 1.34), (45.0, 3.0, 2.0), (72.0, 2.0, 1.5)] {
        let (angle, what) = (f64::to_radians(degrees), format!("at {degrees} degrees with {friction}"));
        assert!(answer(angle, friction) < 0.0, "{what}: it jams");
        let table = rod(degrees, speed, friction).probe(&["rod.omega", "rod.velocity"]).run(1e-4, 1e-4);
        let turning = 1.5 * speed * libm::sin(angle);
        assert_near(&what, spin(&table), turning, 1e-10);
        // The end rests, so that the centre goes round it.
        let expected = [turning * libm::sin(angle) / 2.0, 0.0, turning * libm::cos(angle) / 2.0];
        assert_vectors_near(&what, table.vectors("rod.velocity")[0], expected, 1e-10);
    }
}

/// On both sides of the range in which it jams it slides, and the force grows without bound towards it: N = m g / (1 + 3 cos² θ − 3 µ sin θ cos θ).
#[test]
fn a_rod_beside_the_range_in_which_it_jams_slides() {
    // The limits for 1.5 are tan² θ − 4.5 tan θ + 4 = 0.
    let limits = [-1.0, 1.0].map(|sign: f64| libm::atan((4.5 + sign * 4.25_f64.sqrt()) / 2.0).to_degrees());
    for degrees in [limits[0] - 0.1, limits[0] - 5.0, limits[1] + 0.1, limits[1] + 5.0] {
        let (angle, what) = (f64::to_radians(degrees), format!("at {degrees} degrees"));
        let table = rod(degrees, 4.0, 1.5).probe(&["rod.omega", "|contact(floor, rod).force|"]).run(1e-6, 1e-6);
        let normal = G / answer(angle, 1.5);
        let force = table.rows[0][table.columns.len() - 1];
        assert_near(&what, force / (normal * 3.25_f64.sqrt()), 1.0, 1e-8);
        assert_eq!(spin(&table), 0.0, "{what}");
    }
    for degrees in [limits[0] + 0.1, limits[1] - 0.1] {
        let table = rod(degrees, 4.0, 1.5).probe(&["rod.omega"]).run(1e-6, 1e-6);
        assert_near(&format!("{degrees}"), spin(&table), 6.0 * libm::sin(degrees.to_radians()), 1e-9);
    }
}

/// One that jams slowly does not leave the floor: it turns about its end, up and back again, as a pendulum does.
#[test]
fn a_rod_that_jams_slowly_turns_about_its_end() {
    let (angle, speed) = (60.0_f64.to_radians(), 0.3);
    let table = rod(60.0, speed, 1.5).probe(&["rod.angle", "rod.omega.y", "contact(floor, rod).gap"]).run(0.4, 0.05);
    let begin = 1.5 * speed * libm::sin(angle);
    for (row, t) in table.rows.iter().zip(&table.times) {
        let turned = libm::cos(row[0]) - libm::sin(angle);
        assert_near(&format!("at t = {t}"), row[1] * row[1], begin * begin - 3.0 * G * turned, 1e-8);
        assert!(row[2].abs() < 1e-10, "at t = {t} the end is {} m over the floor", row[2]);
    }
}
