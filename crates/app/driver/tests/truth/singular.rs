//! Mechanisms that pass through positions where their constraints depend on one another: what comes of that must not hang on last digits. So each is
//! taken with lengths and starts that differ in the third digit, and with tolerances down to where rounding begins.

use crate::scene::{Scene, Table, assert_near};

/// Parallelograms side by side: so many loops of bars that swing as one pendulum, and lie flat whenever it is horizontal. There each
/// could fold by itself.
fn parallelograms(loops: usize, bar: f64, start: f64) -> Scene {
    Scene::new(&format!(
        "scene parallelograms
         gravity (0, -9.81, 0) [m/s^2]
         let bar     = {bar} [m]
         let inertia = 1 [kg] * bar^2 / 12
         for i in 0..{loops} {{
           frame foot[i]             {{ position = (i * bar, 0, 0); rotation = about z free }}
           body  crank[i] in foot[i] {{ position = (0, bar / 2, 0); mass = 1 [kg]; inertia = (inertia, 0, inertia) }}
         }}
         for i in 1..{loops} {{
           frame knee[i]    in foot[i - 1] {{ position = (0, bar, 0); rotation = about z free }}
           body  coupler[i] in knee[i]     {{ position = (bar / 2, 0, 0); mass = 1 [kg]; inertia = (0, inertia, inertia) }}
           always knee[i].point(bar, 0, 0).x == foot[i].point(0, bar, 0).x
           always knee[i].point(bar, 0, 0).y == foot[i].point(0, bar, 0).y
         }}
         let top = foot[0].point(0, bar, 0)
         initially foot[0].angle == {start} [rad]
         initially der(foot[0].angle) == -1 [rad/s]
         plot top, energy"
    ))
}

/// The same as one pendulum: `loops + 1` bars turn about their ends, and `loops` of them go round with the tops.
fn as_one_pendulum(loops: usize, bar: f64, start: f64) -> Scene {
    let n = loops as f64;
    let (moment, inertia) = (bar * ((n + 1.0) / 2.0 + n), bar * bar * ((n + 1.0) / 3.0 + n));
    let arm = 0.8 * bar;
    let mass = moment / arm;
    let own = inertia - mass * arm * arm;
    Scene::new(&format!(
        "scene pendulum
         gravity (0, -9.81, 0) [m/s^2]
         frame foot {{ rotation = about z free }}
         body bob in foot {{ position = (0, {arm}, 0) [m]; mass = {mass} [kg]; inertia = ({own}, {own}, {own}) [kg*m^2] }}
         let top = foot.point(0, {bar} [m], 0)
         initially foot.angle == {start} [rad]
         initially der(foot.angle) == -1 [rad/s]
         plot top, energy"
    ))
}

#[track_caller]
fn assert_same_tops(what: &str, found: &Table, expected: &Table, error: f64) {
    for column in ["top.x", "top.y"] {
        for (found, expected) in found.column(column).iter().zip(expected.column(column)) {
            assert_near(&format!("{column} {what}"), *found, expected, error);
        }
    }
}

/// Ten times in ten seconds all loops lie flat. Errors are those of the tolerance, for every start and every length.
#[track_caller]
fn assert_parallel(loops: usize, perturbations: usize, tolerances: &[(f64, f64)]) {
    for at in 0..perturbations {
        let (bar, start) = (1.0 + 0.002 * at as f64, -0.003 * at as f64);
        let expected = as_one_pendulum(loops, bar, start).tolerance(1e-13).run(10.0, 1.0);
        for &(tolerance, error) in tolerances {
            let table = parallelograms(loops, bar, start).tolerance(tolerance).run(10.0, 1.0);
            assert_same_tops(&format!("with {bar} m, {start} rad at {tolerance:e}"), &table, &expected, error);
        }
    }
}

#[test]
fn two_parallelograms_go_through_flat_positions_whatever_their_digits() {
    assert_parallel(2, 10, &[(1e-8, 1e-5), (1e-10, 2e-7), (1e-12, 1e-7), (3e-13, 1e-7)]);
}

#[test]
fn ten_parallelograms_go_through_flat_positions_whatever_their_digits() {
    assert_parallel(10, 3, &[(1e-8, 1e-5), (1e-11, 1e-7), (1e-12, 1e-7)]);
}
