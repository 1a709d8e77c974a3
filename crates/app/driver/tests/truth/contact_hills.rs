//! Solids on hills, in bowls and in troughs: corners, edges, faces, rims and ellipsoids on curved surfaces, held against closed forms.

use crate::exact::pendulum_angle;
use crate::scene::{Scene, assert_near, assert_same_motion, assert_vectors_near};

const G: f64 = 9.81;

/// What has its ends on a circle swings about the axis of it: the centre is at a distance d, and J = I + m d² is the moment about the axis.
#[test]
fn what_slides_in_a_trough_or_a_bowl_is_a_pendulum() {
    let (round, start) = (1.0_f64, 0.5_f64);
    let (trough, bowl) = ("x^2 + z^2 == (1 [m])^2", "x^2 + y^2 + z^2 == (1 [m])^2");
    let away = |half: f64| (round * round - half * half).sqrt();
    // The solid with its largest size along x, how far below the axis its centre is, and its moment about y for each kilogram.
    let box_of = |x: f64, y: f64, z: f64| {
        let out = libm::hypot(x, if y > 0.0 { y } else { 0.0 });
        (format!("box({} [m], 0.2 [m], {} [m])", 2.0 * x, 2.0 * z), away(out) - z, (x * x + z * z) / 3.0)
    };
    let rod = (String::from("rod(0.8 [m])"), away(0.4), 0.64 / 12.0);
    for ((solid, d, moment), surface, turned) in
        [(box_of(0.3, 0.0, 0.1), trough, 0.0), (box_of(0.3, 0.1, 0.1), bowl, 0.0), (rod, bowl, 90.0)]
    {
        let (x, z) = (-d * start.sin(), -d * start.cos());
        let tilt = start.to_degrees() + turned;
        let text = format!(
            "gravity {G} [m/s^2]
            surface dale: {surface}
            body slide: {solid} mass 0.7 [kg] {{ position = free(({x:?}, 0, {z:?}) [m]); rotation = about y free({tilt:?} [deg]) }}
            initially slide.position == ({x:?}, 0, {z:?}) [m]
            initially slide.angle == {tilt:?} [deg]
            contact slide, dale {{ }}"
        );
        let table = Scene::new(&text).probe(&["slide.position", "contact(slide, dale).gap"]).run(1.5, 0.17);
        for (row, &t) in table.times.iter().enumerate() {
            let angle = pendulum_angle(start, G * d / (moment + d * d), t);
            let exact = [-d * angle.sin(), 0.0, -d * angle.cos()];
            let what = format!("{solid} in {surface} at t = {t}");
            assert_vectors_near(&what, table.vectors("slide.position")[row], exact, 1e-8);
            assert_near(&what, table.rows[row][3], 0.0, 1e-10);
        }
    }
}

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

/// A surface that is an ellipsoid is touched by everything as the ellipsoid is.
#[test]
fn solids_touch_surfaces_as_the_shapes_that_they_bound() {
    for solid in [
        "box(30 [cm], 20 [cm], 10 [cm])",
        "capsule(5 [cm], 30 [cm])",
        "cylinder(10 [cm], 12 [cm])",
        "cone(10 [cm], 20 [cm])",
        "ellipsoid(15 [cm], 10 [cm], 8 [cm])",
        "torus(12 [cm], 4 [cm])",
    ] {
        let scene = |thing: &str| {
            let text = format!(
                "gravity {G} [m/s^2]
                {thing}
                body b: {solid} mass 1 [kg] {{ position = free((0.1, 0.05, 0.9) [m]); rotation = free(about (1, 2, 0.5) 40 [deg]) }}
                initially b.position == (0.1, 0.05, 0.9) [m]
                initially b.omega == (1, 2, 3) [rad/s]
                contact all {{ restitution = 0.3; friction = 0.4 }}"
            );
            Scene::new(&text)
                .tolerance(1e-10)
                .probe(&["b.position", "b.omega", "contact(b, dome).impacts"])
                .run(0.4, 0.1)
        };
        let by_shape = scene("frame dome { shape = ellipsoid(1 [m], 0.7 [m], 0.5 [m]) }");
        let by_surface = scene("surface dome: x^2 + (y / 0.7)^2 + (z / 0.5)^2 == (1 [m])^2");
        assert!(by_shape.last("contact(b, dome).impacts") > 0.0, "{solid} never touches it");
        assert_same_motion(solid, &by_shape, &by_surface, 1e-6);
    }
}

/// What rolls down into a paraboloid keeps its energy but for impacts and friction, and stays out of it.
#[test]
fn solids_come_to_rest_in_a_bowl() {
    for solid in ["capsule(5 [cm], 20 [cm])", "ellipsoid(9 [cm], 7 [cm], 5 [cm])", "box(12 [cm], 10 [cm], 8 [cm])"] {
        let text = format!(
            "gravity {G} [m/s^2]
            surface bowl: z == 0.6 [1/m] * x^2 + 0.9 [1/m] * y^2
            body b: {solid} mass 1 [kg] {{ position = free((0.2, 0.1, 0.5) [m]); rotation = free(about (1, 2, 0.5) 40 [deg]) }}
            initially b.position == (0.2, 0.1, 0.5) [m]
            contact all {{ restitution = 0.2; friction = 0.3 }}"
        );
        let table = Scene::new(&text).tolerance(1e-9).probe(&["energy", "contact(b, bowl).gap"]).run(1.0, 0.02);
        let mut least = f64::INFINITY;
        for row in &table.rows {
            assert!(row[0] <= least + 1e-7, "{solid}: energy rises from {least} to {}", row[0]);
            assert!(row[1] >= -1e-8, "{solid} sinks in by {}", -row[1]);
            least = least.min(row[0]);
        }
    }
}
