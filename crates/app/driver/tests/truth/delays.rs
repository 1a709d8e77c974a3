//! What depends on what was: closed forms by the method of steps.

use driver::Solver;

use crate::scene::{Scene, assert_near};

/// x′ = −x(t − 1) with x = 1 before: Σₖ (−1)ᵏ (t − k + 1)ᵏ / k!, as long as t > k − 1.
fn decay(t: f64) -> f64 {
    let mut sum = 1.0_f64;
    let (mut k, mut factorial) = (1.0_f64, 1.0_f64);
    while t > k - 1.0 {
        factorial *= k;
        let sign = if k % 2.0 == 0.0 { 1.0 } else { -1.0 };
        sum += sign * (t - k + 1.0).powi(k as i32) / factorial;
        k += 1.0;
    }
    sum
}

#[test]
fn a_decay_that_is_late_is_a_sum_of_powers() {
    let text = "x: real\nhistory x == 1\nalways x' == -x(t - 1 [s]) / 1 [s]";
    for solver in [Solver::Explicit, Solver::Implicit] {
        let table = Scene::new(text).solver(solver).tolerance(1e-12).probe(&["x", "x(t - 1 [s])"]).run(8.0, 0.25);
        for (row, &x) in table.column("x").iter().enumerate() {
            let t = 0.25 * row as f64;
            assert_near(&format!("{solver:?} x at {t}"), x, decay(t), 1e-9);
            let was = if t < 1.0 { 1.0 } else { decay(t - 1.0) };
            assert_near(&format!("{solver:?} x one second before {t}"), table.column("x(t - 1 [s])")[row], was, 1e-9);
        }
    }
}

/// The unit of time does not matter, nor that the delay is a parameter, nor which of two ways it is written.
#[test]
fn a_delay_is_a_parameter() {
    let text = "param late = 200 [ms]\nx: [m]\nhistory x == 3 [m]\nalways x' == -x(t - (late + late) / 2) / 0.2 [s]";
    let table = Scene::new(text).tolerance(1e-12).probe(&["x"]).run(1.0, 0.1);
    for (row, &x) in table.column("x").iter().enumerate() {
        assert_near("x", x, 3.0 * decay(0.5 * row as f64), 1e-9);
    }
}

/// A mass on a spring that pulls late: x″ = −x(t − 1), x = 1 before; polynomials from delay to delay.
#[test]
fn a_spring_that_pulls_late_is_a_polynomial() {
    let text = "body b { position = (free(1 [m]), 0, 0); mass = 2 [kg] }\nhistory b.position == (1, 0, 0) [m]\n\
                force on b = -2 [N/m] * (b.position.x(t - 1 [s]), 0 [m], 0 [m])";
    let table = Scene::new(text).tolerance(1e-12).probe(&["b.position.x", "b.velocity.x"]).run(6.0, 0.5);
    // x = Σₖ (−1)ᵏ (t − k + 1)²ᵏ / (2k)!, as long as t > k − 1.
    let closed = |t: f64| {
        let (mut sum, mut factorial, mut k) = (1.0_f64, 1.0_f64, 1);
        while t > f64::from(k) - 1.0 {
            factorial *= f64::from(2 * k * (2 * k - 1));
            sum += if k % 2 == 0 { 1.0 } else { -1.0 } * (t - f64::from(k) + 1.0).powi(2 * k) / factorial;
            k += 1;
        }
        sum
    };
    for (row, &x) in table.column("b.position.x").iter().enumerate() {
        assert_near("x", x, closed(0.5 * row as f64), 1e-9);
    }
}

/// A history that changes, and two delays: x′ = x(t − 1) − x(t − 0.3) with x = t before. Until 0.3 s that is −0.7, and until 0.6 s
/// (t − 1) − (−0.7 (t − 0.3)).
#[test]
fn histories_change_and_delays_differ() {
    let text = "x: real\nhistory x == t / 1 [s]\nalways x' == (x(t - 1 [s]) - x(t - 0.3 [s])) / 1 [s]";
    let table = Scene::new(text).tolerance(1e-12).probe(&["x"]).run(0.6, 0.3);
    assert_near("x", table.column("x")[1], -0.21, 1e-10);
    let d: f64 = 0.3;
    assert_near("x", table.column("x")[2], -0.21 + (0.36 - 0.09) / 2.0 - d + 0.7 * d * d / 2.0, 1e-10);
}

/// What comes back is not smoothed where rates depend on rates: y′ = y′(t − 1) + 1 gains a unit of speed each second.
#[test]
fn rates_that_come_back_jump_again() {
    let text = "y: [m]\nhistory y == 0 [m]\nalways y' == y'(t - 1 [s]) + 1 [m/s]";
    let table = Scene::new(text).tolerance(1e-10).probe(&["y"]).run(20.5, 0.5);
    assert_near("y", table.last("y"), 210.0 + 0.5 * 21.0, 1e-7);
}

/// A jump comes back after the delay: y′ = x(t − 0.5) where x jumps from 0 to 1 at 1 s and to 3 at 2.25 s.
#[test]
fn jumps_come_back() {
    let text = "param late = 0.5 [s]\nx: real = 0; y: real = 0\nhistory x == 0\n\
                always y' == x(t - late) / 1 [s]\nalways x' == 0\n\
                when up: t >= 1 [s] and x < 0.5 { x == 1 }\nwhen more: t >= 2.25 [s] and x < 2 { x == 3 }";
    let table = Scene::new(text).tolerance(1e-12).probe(&["y", "x(t - late)"]).run(4.0, 0.25);
    for (row, &y) in table.column("y").iter().enumerate() {
        let t: f64 = 0.25 * row as f64;
        assert_near(&format!("y at {t}"), y, (t - 1.5).max(0.0) + 2.0 * (t - 2.75).max(0.0), 1e-10);
    }
}

/// Where a force bends, what depends on it late bends late: steps end at both, so that nothing is lost.
#[test]
fn bends_come_back() {
    let text = "x: real; y: real\ninitially x == -1\ninitially y == 0\nhistory x == -1 + t / 1 [s]\nalways x' == 1 / 1 [s]\n\
                always y' == max(x(t - 0.5 [s]), 0) / 1 [s]";
    let table = Scene::new(text).tolerance(1e-11).probe(&["y"]).run(3.0, 0.5);
    for (row, &y) in table.column("y").iter().enumerate() {
        let t: f64 = 0.5 * row as f64;
        assert_near(&format!("y at {t}"), y, 0.5 * (t - 1.5).max(0.0).powi(2), 1e-9);
    }
}

/// What was narrow when it was is not passed over when it comes back, a pulse that passed through a state.
#[test]
fn what_was_narrow_comes_back() {
    let text = "x: real; y: real\nhistory x == 0\ninitially y == 0\n\
                always x' == exp(-((t - 2 [s]) / 1 [ms])^2) / 1 [s] - x / 1 [ms]\nalways y' == x(t - 3 [s]) / 1 [s]";
    let expected = 1e-6 * std::f64::consts::PI.sqrt();
    for solver in [Solver::Explicit, Solver::Implicit] {
        let found = Scene::new(text).tolerance(1e-11).solver(solver).probe(&["y"]).at(10.0).last("y");
        assert_near("what came back", found, expected, 1e-7 * expected);
    }
}

/// What is remembered of a function of states is as good as the states: y′ = sin(x(t − 1)²) remembered as a whole, and from x.
#[test]
fn functions_of_states_are_remembered_well() {
    let begin = "x: real; y: real; z: real\ninitially y == 0\nalways x' == 2 / 1 [s]\nalways z == sin(5 * x^2)\n";
    let whole = "history x == 2 * t / 1 [s]\nhistory z == sin(20 * t^2 / 1 [s^2])\nalways y' == z(t - 1 [s]) / 1 [s]";
    let parts = "history x == 2 * t / 1 [s]\nalways y' == sin(5 * x(t - 1 [s])^2) / 1 [s]";
    let [whole, parts] = [whole, parts].map(|text| {
        let scene = Scene::new(&format!("{begin}{text}")).tolerance(1e-10).probe(&["y"]);
        scene.at(4.0).last("y")
    });
    assert_near("y", whole, parts, 1e-8);
}

/// What is late can end a run, and begin a transition.
#[test]
fn guards_may_look_back() {
    let text = "x: real\nalways x' == 1 / 1 [s]\nhistory x == t / 1 [s]\nstop when x(t - 0.7 [s]) >= 2";
    let table = Scene::new(text).tolerance(1e-11).probe(&["x"]).run(5.0, 0.5);
    assert_near("x at the end", table.last("x"), 2.7, 1e-9);
}

#[test]
fn what_is_no_delay_is_refused() {
    for (text, code) in [
        ("x: real = 1\nalways x' == -x(t - 1 [s]) / 1 [s]", "no-history"),
        ("x: real = 1\nhistory x == 1\nalways x' == -x(t + 1 [s]) / 1 [s]", "bad-delay"),
        ("x: real = 1\nhistory x == 1\nalways x' == -x(t - 0 [s]) / 1 [s]", "bad-delay"),
        ("x: real = 1\nhistory x == 1\nalways x' == -x(t - x * 1 [s]) / 1 [s]", "bad-delay"),
        ("control c in [0, 1] [s] = 0.5 [s]\nx: real = 1\nhistory x == 1\nalways x' == -x(t - c) / 1 [s]", "bad-delay"),
        ("x: real = 1\nhistory x == 1\nalways x' == -x(t - 1 [m]) / 1 [s]", "dimension-mismatch"),
        ("x: real = 1\nhistory x == 1 [m]\nalways x' == -x(t - 1 [s]) / 1 [s]", "dimension-mismatch"),
        ("x: real = 1\nhistory x == x' * 1 [s]\nalways x' == -x(t - 1 [s]) / 1 [s]", "no-history"),
    ] {
        let found = Scene::new(text).compile().diagnostics;
        assert!(found.iter().any(|found| found.code.0 == code), "{text}: {found:#?}");
    }
}
