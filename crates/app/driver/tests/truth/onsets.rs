//! What starts or stops like a root, what jumps times what jumps, and what is small or narrow beside something else, against closed forms.

use std::f64::consts::{E, PI};

use driver::Solver;

use crate::scene::{Scene, assert_near};

const SOLVERS: [Solver; 2] = [Solver::Explicit, Solver::Implicit];

/// y at a time, where `T` is the time in seconds and y begins at zero.
fn law(laws: &str, rate: &str, until: f64, tolerance: f64, solver: Solver) -> f64 {
    let text = format!("let T = t / 1 [s]\n{laws}\ny: real = 0\nalways y' * 1 [s] == {rate}");
    Scene::new(&text).tolerance(tolerance).solver(solver).probe(&["y"]).at(until).last("y")
}

/// ∫ (p + 1) (t − t₀)^p is 1 after a second, whatever the power and the tolerance: relative to nothing no first step is short enough.
#[test]
fn what_begins_like_a_root_has_steps() {
    let moving = "x: real = 0\nalways x' * 1 [s] == 1";
    for power in [0.25, 0.5, 0.75, 1.5] {
        let cases = [
            ("", format!("{} * T^{power}", power + 1.0), 1.0),
            ("", format!("{} * max(T - 1, 0)^{power}", power + 1.0), 2.0),
            (moving, format!("{} * max(x - 1, 0)^{power}", power + 1.0), 2.0),
        ];
        for (laws, rate, until) in cases {
            for (tolerance, solver) in
                [1e-6, 1e-8, 1e-10, 1e-12].into_iter().flat_map(|it| SOLVERS.map(|one| (it, one)))
            {
                let found = law(laws, &rate, until, tolerance, solver);
                assert_near(&format!("{rate} at {tolerance:e} {solver:?}"), found, 1.0, 20.0 * tolerance);
            }
        }
    }
}

/// m v' = −c v^p comes to rest after m v₀^(1 − p) / c (1 − p), at m v₀^(2 − p) / c (2 − p).
#[test]
fn what_stops_like_a_root_comes_to_rest() {
    for (drag, power) in
        [("sqrt(max(v, 0))", 0.5), ("sign(v) * abs(v)^0.5", 0.5), ("sign(v) * abs(v)^(1 / 3)", 1.0 / 3.0)]
    {
        for (tolerance, solver) in [1e-6, 1e-8, 1e-10, 1e-12].into_iter().flat_map(|it| SOLVERS.map(|one| (it, one))) {
            let text = format!(
                "body boat {{ position = (free, 0, 0); mass = 2 [kg] }}
                 initially boat.velocity.x == 1 [m/s]
                 let v = boat.velocity.x / 1 [m/s]
                 force on boat = (-2 [N] * {drag}, 0 [N], 0 [N])"
            );
            let scene = Scene::new(&text).tolerance(tolerance).solver(solver);
            let table = scene.probe(&["boat.position.x", "boat.velocity.x"]).at(3.0);
            let what = format!("{drag} at {tolerance:e} {solver:?}");
            assert_near(&what, table.last("boat.position.x"), 1.0 / (2.0 - power), 10.0 * tolerance);
            assert_near(&what, table.last("boat.velocity.x"), 0.0, tolerance);
            assert!(table.summary.statistics.accepted < 1000, "{what}: {:?}", table.summary.statistics);
        }
    }
}

/// A push that grows draws a puck away that friction holds: straight, with (t − 8)² / 4. Its direction is as stiff as it is slow, and no rounding.
#[test]
fn friction_in_the_plane_sets_off_at_any_tolerance() {
    let scene = Scene::new(
        "body puck { position = (free, free, 0); mass = 2 [kg] }
         initially puck.velocity == (3, 4, 0) [m/s]
         force on puck = -4 [N] * puck.velocity / |puck.velocity|
         force on puck = max(t - 4 [s], 0 [s]) * (-0.8, 0.6, 0) [N/s]",
    );
    for tolerance in [1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12] {
        for until in [8.5, 9.0, 10.0_f64] {
            let table = scene.clone().tolerance(tolerance).probe(&["puck.position"]).at(until);
            let away = (until - 8.0).powi(3) / 12.0;
            for (axis, expected) in [("x", 3.75 - 0.8 * away), ("y", 5.0 + 0.6 * away)] {
                let found = table.last(&format!("puck.position.{axis}"));
                assert_near(&format!("{axis} at {until} at {tolerance:e}"), found, expected, 50.0 * tolerance);
            }
        }
    }
}

/// x' = 1 + ε exp(−((x − 2) / w)²): the bump gains Σ (−ε)^k w √(π / k), the last of which are nothing.
#[test]
fn a_bump_of_a_thousandth_is_felt() {
    let (size, width) = (1e-3_f64, 1e-3);
    let gains = |in_space: bool| {
        let terms = if in_space { 6 } else { 2 };
        -(1..terms).map(|k| (-size).powi(k) * width * (PI / f64::from(k)).sqrt()).sum::<f64>()
    };
    for (argument, in_space) in [("y", true), ("T", false)] {
        let rate = format!("1 + {size} * exp(-(({argument} - 2) / {width})^2)");
        for (tolerance, solver) in [1e-8, 1e-10, 1e-12].into_iter().flat_map(|it| SOLVERS.map(|one| (it, one))) {
            let found = law("", &rate, 5.0, tolerance, solver);
            let what = format!("{rate} at {tolerance:e} {solver:?}");
            assert_near(&what, found, 5.0 + gains(in_space), 50.0 * tolerance);
        }
    }
}

/// Where what multiplies an impulse jumps with it, the jump is what a ramp leads to that takes no time: q' = q s' multiplies q by e, s s' is
/// the rate of s² / 2, and two states turn by the angle that jumps.
#[test]
fn what_an_impulse_is_multiplied_with_may_jump() {
    let step = "step: real\nalways step == (if t < 1 [s] then 0 else 1)\n";
    let cases = [
        ("q: real = 1\nalways q' == q * step'", E),
        ("q: real = 1\nalways q' == -q * step'", 1.0 / E),
        ("q: real = 0\nalways q' == step * step'", 0.5),
        ("q: real = 0\nalways q' == 3 * step^2 * step'", 1.0),
        ("q: real = 1\nalways q' == 2 * step'", 3.0),
        ("q: real = 1\nalways q' == sin(q) * step'", 2.0 * (E * 0.5_f64.tan()).atan()),
        ("q: real = 1\nr: real = 0\nalways q' == -r * step'\nalways r' == q * step'", 1.0_f64.cos()),
    ];
    for (laws, expected) in cases {
        for solver in SOLVERS {
            let found = Scene::new(&format!("{step}{laws}")).solver(solver).probe(&["q"]).at(2.0).last("q");
            assert_near(&format!("{laws} {solver:?}"), found, expected, 1e-11);
        }
    }
}

/// A narrow function of a state is seen when it comes back, though nothing depended on it when it was.
#[test]
fn what_is_narrow_is_remembered() {
    let begin = "x: real; y: real; z: real\ninitially y == 0\nhistory x == t / 1 [s]\nalways x' == 1 / 1 [s]\n";
    let cases = [
        ("exp(-((x - 2) / 1e-3)^2)", "0", 1e-3 * PI.sqrt()),
        (
            "1 / (1 + ((x - 2) / 1e-3)^2)",
            "1 / (1 + ((t / 1 [s] - 2) / 1e-3)^2)",
            1e-3 * (4000.0_f64.atan() + 3000.0_f64.atan()),
        ),
        ("(1 + tanh((x - 2) / 1e-4)) / 2", "0", 4.0),
    ];
    for (function, history, expected) in cases {
        let text = format!("{begin}history z == {history}\nalways z == {function}\nalways y' == z(t - 1 [s]) / 1 [s]");
        for (tolerance, solver) in [1e-6, 1e-10].into_iter().flat_map(|it| SOLVERS.map(|one| (it, one))) {
            let found = Scene::new(&text).tolerance(tolerance).solver(solver).probe(&["y"]).at(7.0).last("y");
            let what = format!("{function} at {tolerance:e} {solver:?}");
            assert_near(&what, found, expected, (1000.0 * tolerance).min(1e-5) * expected);
        }
    }
}

/// The angle of a sine goes back where that is extreme, and that of a tangent jumps: ∫ over 10 radians, by triangles.
#[test]
fn angles_of_sines_turn_back() {
    let moving = "x: real = 0\nalways x' * 1 [s] == 5";
    // What is left beyond the last place where the angle is zero, or extreme.
    let rest = 10.0 - 3.0 * PI;
    let cases = [
        ("atan(tan", rest * rest / 2.0),
        ("asin(sin", PI * PI / 4.0 - rest * rest / 2.0),
        ("acos(cos", 1.5 * PI * PI + PI * rest - rest * rest / 2.0),
    ];
    for (function, expected) in cases {
        for (argument, solver) in ["x", "5 * T"].into_iter().flat_map(|it| SOLVERS.map(|one| (it, one))) {
            for tolerance in [1e-8, 1e-10] {
                let found = law(moving, &format!("{function}({argument}))"), 2.0, tolerance, solver);
                let what = format!("{function}({argument})) at {tolerance:e} {solver:?}");
                assert_near(&what, found, expected / 5.0, 20.0 * tolerance);
            }
        }
    }
}
