//! Solids on hills, held against closed forms.

use crate::scene::{Scene, assert_near, assert_vectors_near};

const G: f64 = 9.81;

/// A plank rocks on a log without slipping: where it is turned by θ, it touches R θ from its middle. It does so with its edges on a log that is round
/// about one axis, and with its face on a ball.
#[test]
fn a_plank_rocks_on_a_log_and_on_a_ball() {
    let (round, half, long, start) = (0.5_f64, 0.05_f64, 0.8_f64, 0.3_f64);
    let place = |theta: f64| {
        let (s, c) = (theta.sin(), theta.cos());
        [round * s - round * theta * c + half * s, 0.0, round * c + round * theta * s + half * c]
    };
    let [x, _, z] = place(start);
    for hill in ["x^2 + z^2 == (0.5 [m])^2", "x^2 + y^2 + z^2 == (0.5 [m])^2"] {
        let text = format!(
            "gravity {G} [m/s^2]
            surface hill: {hill}
            body plank: box({} [m], 0.3 [m], {} [m]) mass 2 [kg] {{ position = free(({x:?}, 0, {z:?}) [m]); rotation = free(about y {:?} [deg]) }}
            initially plank.position == ({x:?}, 0, {z:?}) [m]
            contact plank, hill {{ friction = 3 }}",
            2.0 * long,
            2.0 * half,
            start.to_degrees()
        );
        let scene = Scene::new(&text).probe(&["plank.position", "plank.omega.y", "plank.point(1 [m], 0, 0)", "energy"]);
        let table = scene.tolerance(1e-10).run(1.2, 0.1);
        let moment = (long * long + half * half) / 3.0;
        let mut least = start;
        for (row, &t) in table.times.iter().enumerate() {
            let values = &table.rows[row];
            let theta = libm::atan2(values[2] - values[6], values[4] - values[0]);
            let what = format!("{hill}, at t = {t}");
            assert_vectors_near(&what, table.vectors("plank.position")[row], place(theta), 1e-8);
            let moving = 0.5 * values[3] * values[3] * (round * round * theta * theta + half * half + moment);
            assert_near(&what, moving + G * place(theta)[2], G * z, 1e-7);
            least = least.min(theta);
        }
        assert!(least < -0.2, "it rocks over to the other side: {least}");
    }
}
