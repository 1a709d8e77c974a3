//! What rests or rolls costs what a constraint costs, and moves as it does.

use crate::scene::{Scene, Table, assert_near, assert_same_motion};

const ROLLING: &str = "
    gravity 9.81 [m/s^2]
    surface floor: z == 0
    body ball: sphere(10 [cm]) mass 1 [kg] { position = free((0, 0, 0.1) [m]) }
    force on ball = (1 [N] * cos(t * 3 [rad/s]), 0.3 [N] * sin(t * 2 [rad/s]), 0)
    initially ball.position == (0, 0, 10) [cm]
";

const SLIDING: &str = "
    gravity 9.81 [m/s^2]
    surface floor: z == 0
    body ball { position = (free, free, free(10 [cm])); mass = 1 [kg]; shape = sphere(10 [cm]) }
    force on ball = (1 [N] * cos(t * 3 [rad/s]), 0, 0)
    initially ball.position == (0, 0, 10) [cm]
";

/// The same motion by contact and by constraints, at the tolerance that authors get.
fn both(scene: &str, contact: &str, constraints: &str) -> [Table; 2] {
    let probes = ["ball.position.x", "ball.position.y", "ball.position.z"];
    [contact.to_string(), format!("contact none\n{constraints}")]
        .map(|held| Scene::new(&format!("{scene}{held}")).default_tolerance().probe(&probes).at(20.0))
}

#[test]
fn a_ball_that_rests_takes_the_derivatives_of_a_constraint() {
    let sliding = both(SLIDING, "contact all { }", "always ball.position.z == 10 [cm]");
    let rolling = both(
        ROLLING,
        "contact all { friction = 1 }",
        "always ball.position.z == 10 [cm]
         always ball.velocity.x == 10 [cm] * ball.omega.y
         always ball.velocity.y == -10 [cm] * ball.omega.x",
    );
    for [contact, constraint] in [sliding, rolling] {
        assert_same_motion("by contact and by constraints", &contact, &constraint, 1e-6);
        let [by_contact, by_constraint] = [&contact, &constraint].map(|table| table.summary.statistics.evaluations);
        assert!(by_contact <= by_constraint * 21 / 20, "{by_contact} derivatives, {by_constraint} by constraints");
    }
}

/// A ball lies on a table that is shaken with the amplitude a, and is accelerated as the table is; what it feels adds up as a square, and a square is no
/// sum of parts: ∫ (a ω² sin ωt)² dt = a² ω⁴ (t/2 − sin 2ωt / 4ω).
#[test]
fn rates_need_not_be_linear_in_forces_of_contact() {
    let (amplitude, w) = (0.01, 12.0_f64);
    let text = format!(
        "gravity 9.81 [m/s^2]
        frame table {{ position = (0, 0, {amplitude} [m] * sin({w} [rad/s] * t)); shape = box(1 [m], 1 [m], 10 [cm]) at (0, 0, -5) [cm] }}
        body ball: sphere(5 [cm]) mass 0.1 [kg] {{ position = free((0, 0, 0.05) [m]) }}
        initially ball.position == (0, 0, 5) [cm]
        initially ball.velocity == table.velocity
        contact all {{ friction = 0.3 }}
        felt: [m^2/s^3]
        law adds {{ felt' == ball.acceleration.z^2 }}
        initially felt == 0 [m^2/s^3]"
    );
    let table = Scene::new(&text).probe(&["felt"]).run(3.0, 0.37);
    for (row, &t) in table.times.iter().enumerate() {
        let exact = amplitude * amplitude * w.powi(4) * (0.5 * t - (2.0 * w * t).sin() / (4.0 * w));
        assert_near(&format!("at t = {t}"), table.rows[row][0], exact, 1e-8);
    }
}

/// In a plane there is friction across it along which nothing can move: that alone is no reason to speak of more points than are needed.
#[test]
fn a_single_point_in_a_plane_is_not_redundant() {
    let told = |solid: &str| {
        let text = format!(
            "gravity (1, 0, -9.81) [m/s^2]\nsurface floor: z == 0\n\
             body thing: {solid} mass 1 [kg] {{ position = (free(0 [m]), 0, free(10 [cm])); rotation = about y free(0 [deg]) }}\n\
             initially thing.position == (0, 0, 10) [cm]\ninitially thing.velocity == (0, 0, 0) [m/s]\n\
             initially thing.omega == (0, 0, 0) [rad/s]\ncontact all {{ friction = 0.5 }}"
        );
        let table = Scene::new(&text).at(0.3);
        table.warnings.iter().any(|warning| warning.code.0 == "contact-redundant")
    };
    assert!(!told("sphere(10 [cm])"));
    assert!(told("box(20 [cm], 20 [cm], 20 [cm])"), "four corners where two would do");
}
