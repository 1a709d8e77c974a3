//! Clocks: what happens every so often happens at multiples of the period, and what they say holds in between.

use crate::exact::integrate;
use crate::scene::{Scene, assert_near};

/// x″ = u with u held for h: x ← x + v h + u h²/2, v ← v + u h, exactly.
fn sampled(k: [f64; 2], h: f64, steps: usize) -> [f64; 2] {
    let (mut x, mut v) = (1.0, 0.0);
    for _ in 0..steps {
        let u = -k[0] * x - k[1] * v;
        (x, v) = (x + v * h + 0.5 * u * h * h, v + u * h);
    }
    [x, v]
}

#[test]
fn a_sampled_controller_is_its_recursion() {
    let laws = "x: [m] = 1 [m]; v: [m/s]\nu: [m/s^2]\nalways x' == v\nalways v' == u\n\
                every 100 [ms] { u == -4 [1/s^2] * pre(x) - 3 [1/s] * pre(v) }";
    let body = "body cart { position = (free(1 [m]), 0, 0); mass = 2 [kg] }\nu: [N]\nforce on cart = (u, 0 [N], 0 [N])\n\
                let x = cart.x\nlet v = cart.x'\ninitially x == 1 [m]\ninitially v == 0\n\
                every look: 100 [ms] { u == -8 [N/m] * x - 6 [N*s/m] * v }";
    for text in [laws, body] {
        let table = Scene::new(text).tolerance(1e-11).probe(&["x", "v"]).run(3.05, 3.05);
        let [x, v] = sampled([4.0, 3.0], 0.1, 30);
        let u = -4.0 * x - 3.0 * v;
        assert_near("x", table.last("x"), x + v * 0.05 + 0.5 * u * 0.05 * 0.05, 1e-9);
        assert_near("v", table.last("v"), v + u * 0.05, 1e-9);
        assert_eq!(table.events.len(), 31);
    }
}

/// However many there are: the thousandth is at a thousand periods, to the last bit.
#[test]
fn clocks_do_not_drift() {
    let table = Scene::new("n: real = 0\nevery tick: 0.01 [s] { n == pre(n) + 1 }").probe(&["n"]).run(50.005, 50.005);
    assert_eq!(table.last("n"), 5001.0);
    for (count, event) in table.events.iter().enumerate() {
        assert_near("when", event.t, count as f64 * 0.01, 4.0 * f64::EPSILON * (1.0 + event.t));
    }
}

/// What has a law of its own keeps it, and clocks that strike together all do.
#[test]
fn a_clock_beside_laws_and_other_clocks() {
    let text = "x: [m] = 0 [m]; fast: real = 0; slow: real = 0\nalways x' == 1 [m/s]\n\
                every 0.1 [s] { fast == pre(fast) + 1; x == pre(x) / 2 }\nevery 0.2 [s] { slow == pre(slow) + 1 }";
    let table = Scene::new(text).probe(&["x", "fast", "slow"]).run(1.05, 1.05);
    assert_eq!((table.last("fast"), table.last("slow")), (11.0, 6.0));
    let mut x: f64 = 0.0;
    (0..10).for_each(|_| x = 0.5 * (x + 0.1));
    assert_near("x", table.last("x"), x + 0.05, 1e-12);
    assert!(table.warnings.is_empty(), "{:?}", table.warnings);
    let names: Vec<&str> = table.events.iter().take(2).map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["every", "every[2]"]);
}

#[test]
fn a_clock_needs_a_period() {
    for (text, code) in [
        ("u: real = 0\nevery 0 [s] { u == 1 }", "unphysical-value"),
        ("u: real = 0\nevery 3 [m] { u == 1 }", "dimension-mismatch"),
        ("u: real = 0\nevery 1 [s]", "unexpected-text"),
    ] {
        let found = Scene::new(text).compile().diagnostics;
        assert!(found.iter().any(|found| found.code.0 == code), "{text}: {found:#?}");
    }
}

/// A clock may decide what an actuator exerts, and no more than its limits allow: φ″ = (τ + m g l cos φ) / (m l²).
#[test]
fn a_clock_may_set_an_actuator() {
    let text = "gravity 9.81 [m/s^2]\nframe shoulder { rotation = about y free }\n\
                body arm in shoulder { position = (0.5, 0, 0) [m]; mass = 2 [kg] }\nactuator shoulder.torque in [-6, 6] [N*m]\n\
                every 50 [ms] { shoulder.torque == -40 [N*m] * pre(shoulder.angle) - 8 [N*m*s] * pre(shoulder.angle') }";
    let table = Scene::new(text).tolerance(1e-11).probe(&["shoulder.angle", "shoulder.torque"]).run(0.6, 0.6);
    let (mut q, mut torque) = ([0.0_f64, 0.0], 0.0_f64);
    for _ in 0..12 {
        torque = (-40.0 * q[0] - 8.0 * q[1]).clamp(-6.0, 6.0);
        q = integrate(|_, [angle, rate]| [rate, (torque + 9.81 * angle.cos()) / 0.5], q, 0.05);
    }
    assert_near("the angle", table.last("shoulder.angle"), q[0], 1e-9);
    assert!(torque.abs() <= 6.0);
}
