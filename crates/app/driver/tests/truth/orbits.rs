//! Gravitation against Kepler's equation and Lagrange's triangle.

use std::f64::consts::PI;

use crate::scene::{Scene, assert_near, assert_vectors_near};

/// A planet about a fixed sun, started at perihelion on the x axis, in an orbit tilted about x.
const KEPLER: &str = "scene kepler
    param big_g = 1 [m^3/(kg*s^2)]
    param sun_mass = 1 [kg]
    param perihelion = 1 [m]
    param speed = 1 [m/s]
    let tilt = 0.4 [rad]
    body sun { mass = sun_mass }
    body planet { position = (free(perihelion), free, free); mass = 0.01 [kg] }
    potential for pairs (a, b) in bodies = -big_g * a.mass * b.mass / |a.position - b.position|
    initially planet.velocity == speed * (0, cos(tilt), sin(tilt))";

fn solve(start: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut x = start;
    for _ in 0..100 {
        let (value, slope) = f(x);
        x -= value / slope;
    }
    x
}

#[test]
fn planets_obey_keplers_equation() {
    for (gm, a, e) in [(1.0_f64, 1.0_f64, 0.0_f64), (2.5, 0.7, 0.3), (10.0, 3.0, 0.9)] {
        let speed = (gm / a * (1.0 + e) / (1.0 - e)).sqrt();
        let scene = Scene::new(KEPLER).probe(&["planet.position", "angular_momentum"]);
        let scene = scene.set(format!("sun_mass={gm}")).set(format!("perihelion={}", a * (1.0 - e)));
        let period = 2.0 * PI * (a * a * a / gm).sqrt();
        let table = scene.set(format!("speed={speed}")).run(1.5 * period, period / 8.0);
        let area = table.vectors("angular_momentum")[0];
        for (row, &t) in table.times.iter().enumerate() {
            let mean = 2.0 * PI * t / period;
            let anomaly = solve(mean + e * mean.sin(), |x| (x - e * x.sin() - mean, 1.0 - e * x.cos()));
            let (x, y) = (a * (anomaly.cos() - e), a * (1.0 - e * e).sqrt() * anomaly.sin());
            let expected = [x, y * 0.4_f64.cos(), y * 0.4_f64.sin()];
            let what = format!("e = {e} at t = {t}");
            assert_vectors_near(&what, table.vectors("planet.position")[row], expected, 1e-8 * a);
            assert_vectors_near("areas", table.vectors("angular_momentum")[row], area, 1e-10);
        }
    }
}

#[test]
fn a_comet_passes_on_a_hyperbola() {
    let (gm, a, e) = (4.0_f64, 1.5_f64, 1.8_f64);
    let speed = (gm / a * (e + 1.0) / (e - 1.0)).sqrt();
    let scene = Scene::new(KEPLER).probe(&["planet.position"]).set(format!("sun_mass={gm}"));
    let table = scene.set(format!("perihelion={}", a * (e - 1.0))).set(format!("speed={speed}")).run(8.0, 1.0);
    for (row, &t) in table.times.iter().enumerate() {
        let mean = (gm / (a * a * a)).sqrt() * t;
        let h = solve((2.0 * mean / e + 1.8).ln(), |h| (e * h.sinh() - h - mean, e * h.cosh() - 1.0));
        let (x, y) = (a * (e - h.cosh()), a * (e * e - 1.0).sqrt() * h.sinh());
        let expected = [x, y * 0.4_f64.cos(), y * 0.4_f64.sin()];
        assert_vectors_near(&format!("at t = {t}"), table.vectors("planet.position")[row], expected, 1e-8 * (1.0 + t));
    }
}

#[test]
fn two_stars_move_about_their_centre_of_mass() {
    let (m1, m2, a, e) = (3.0_f64, 1.0_f64, 2.0_f64, 0.4_f64);
    let drift = [0.1, -0.2, 0.05];
    let speed = ((m1 + m2) / a * (1.0 + e) / (1.0 - e)).sqrt();
    let (near, share) = (a * (1.0 - e), [m2 / (m1 + m2), m1 / (m1 + m2)]);
    let scene = Scene::new(&format!(
        "scene binary
         body one {{ position = (free(-{x1} [m]), free, free); mass = {m1} [kg] }}
         body two {{ position = (free({x2} [m]), free, free); mass = {m2} [kg] }}
         let big_g = 1 [m^3/(kg*s^2)]
         potential for pairs (a, b) in bodies = -big_g * a.mass * b.mass / |a.position - b.position|
         initially one.velocity == ({d0}, {d1} - {v1}, {d2}) [m/s]
         initially two.velocity == ({d0}, {d1} + {v2}, {d2}) [m/s]",
        x1 = near * share[0],
        x2 = near * share[1],
        v1 = speed * share[0],
        v2 = speed * share[1],
        d0 = drift[0],
        d1 = drift[1],
        d2 = drift[2],
    ));
    let period = 2.0 * PI * (a * a * a / (m1 + m2)).sqrt();
    let table =
        scene.probe(&["two.position - one.position", "centre_of_mass", "one.position"]).run(period, period / 4.0);
    let apart = table.vectors("(two.position - one.position)");
    assert_vectors_near("after a period", apart[4], [near, 0.0, 0.0], 1e-8);
    assert_vectors_near("after half a period", apart[2], [-a * (1.0 + e), 0.0, 0.0], 1e-8);
    for (row, &t) in table.times.iter().enumerate() {
        let expected = drift.map(|part| part * t);
        assert_vectors_near("the centre of mass", table.vectors("centre_of_mass")[row], expected, 1e-10);
    }
}

/// Lagrange's solution: any three masses at the corners of an equilateral triangle of side d turn rigidly about their centre of mass
/// at the rate √(G (m1 + m2 + m3) / d³).
#[test]
fn three_masses_turn_in_lagranges_triangle() {
    let (masses, side, big_g) = ([1.0, 20.0, 0.3], 1.7_f64, 0.9);
    let total: f64 = masses.iter().sum();
    let corner = |i: usize| {
        let phase = 2.0 * PI * i as f64 / 3.0;
        [side / 3.0_f64.sqrt() * phase.cos(), side / 3.0_f64.sqrt() * phase.sin()]
    };
    let centre: [f64; 2] = std::array::from_fn(|axis| (0..3).map(|i| masses[i] * corner(i)[axis]).sum::<f64>() / total);
    let rate = (big_g * total / side.powi(3)).sqrt();
    let place = |i: usize, t: f64| {
        let (x, y) = (corner(i)[0] - centre[0], corner(i)[1] - centre[1]);
        let (sine, cosine) = (rate * t).sin_cos();
        [x * cosine - y * sine, x * sine + y * cosine, 0.0]
    };
    let mut scene = Scene::example("three_body").set(format!("big_g={big_g}"));
    for (i, mass) in masses.into_iter().enumerate() {
        let [x, y, _] = place(i, 0.0);
        let n = i + 1;
        for setting in [
            format!("m{n}={mass}"),
            format!("x{n}={x}"),
            format!("y{n}={y}"),
            format!("vx{n}={}", -rate * y),
            format!("vy{n}={}", rate * x),
        ] {
            scene = scene.set(setting);
        }
    }
    let period = 2.0 * PI / rate;
    let table =
        scene.probe(&["body1.position", "body2.position", "body3.position", "energy"]).run(period, period / 8.0);
    for (row, &t) in table.times.iter().enumerate() {
        for i in 0..3 {
            let name = format!("body{}.position", i + 1);
            assert_vectors_near(&format!("{name} at t = {t}"), table.vectors(&name)[row], place(i, t), 1e-8);
        }
    }
    let pairs = masses[0] * masses[1] + masses[1] * masses[2] + masses[0] * masses[2];
    // The virial theorem for a circular motion.
    assert_near("the energy", table.last("energy"), -0.5 * big_g * pairs / side, 1e-8);
}
