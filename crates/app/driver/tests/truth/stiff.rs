//! Implicit steps: the same motions as by explicit ones, and stiff ones that explicit steps crawl through.

use driver::{Run, Simulation, Solver};

use crate::scene::Scene;

/// Two bodies on a line with a spring and a strong damper between them, of which one is pushed.
const DAMPED: &str = "
scene damped
param k = 1e4 [N/m]
param c = 1e4 [N*s/m]
body a { position = (free(0 [m]), 0, 0); mass = 2 [kg] }
body b { position = (free(1 [m]), 0, 0); mass = 2 [kg] }
potential spring: 1/2 * k * (b.position.x - a.position.x - 1 [m])^2
force on a = c * (b.velocity - a.velocity)
force on b = c * (a.velocity - b.velocity)
initially a.position.x == 0 [m]
initially b.position.x == 1 [m]
initially a.velocity.x == 0 [m/s]
initially b.velocity.x == 1 [m/s]
plot a.position.x, b.position.x
";

/// The distance obeys m/2 r″ + c r′ + k (r − 1) = 0, whose roots are about −10⁴/s and −1/s; the middle moves evenly.
#[test]
fn a_strong_damper_lets_go_slowly() {
    let (half_mass, c, k) = (1.0_f64, 1e4_f64, 1e4_f64);
    let root = (c * c - 4.0 * half_mass * k).sqrt();
    // The slow root without cancellation.
    let (fast, slow) = (-(c + root) / (2.0 * half_mass), -2.0 * k / (c + root));
    let stretch = |t: f64| ((slow * t).exp() - (fast * t).exp()) / (slow - fast);
    for tolerance in [1e-5, 1e-8, 1e-11] {
        let table = Scene::new(DAMPED).solver(Solver::Implicit).tolerance(tolerance).run(2.0, 0.1);
        for (t, row) in table.times.iter().zip(&table.rows) {
            let (middle, r) = (0.5 + 0.5 * t, 1.0 + stretch(*t));
            let error = (row[0] - (middle - r / 2.0)).abs().max((row[1] - (middle + r / 2.0)).abs());
            assert!(error < 10.0 * tolerance, "at {t} with {tolerance}: {row:?}, off by {error:e}");
        }
        assert!(table.summary.statistics.accepted < 1000, "{:?}", table.summary.statistics);
        assert!(table.summary.statistics.jacobians > 0);
    }
}

/// Whether a trial run of a scene finds it stiff.
fn is_stiff(scene: &Scene) -> bool {
    let stages = scene.stages();
    let machine = driver::machine(&stages.module).unwrap();
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    simulation::is_stiff(&mut simulation, Run { until: 10.0, every: 1.0, tolerance: scene.options.tolerance })
}

#[test]
fn stiffness_is_noticed_where_there_is_some() {
    assert!(is_stiff(&Scene::new(DAMPED).default_tolerance()));
    let driven = "body b { position = (free, 0, 0); mass = 1 [kg] }
        force on b = (1e4 [N/m] * (1 [m] * sin(t / 1 [s]) - b.position.x) - 1e4 [N*s/m] * b.velocity.x, 0, 0)";
    for tolerance in [1e-5, 1e-7, 1e-9, 1e-11, 1e-13] {
        assert!(is_stiff(&Scene::new(DAMPED).tolerance(tolerance)), "{tolerance:e}");
        assert!(is_stiff(&Scene::new(driven).tolerance(tolerance)), "driven, {tolerance:e}");
        for name in ["pendulum", "double_pendulum", "three_body", "rolling_torus", "bouncing_ball", "thermostat"] {
            assert!(!is_stiff(&Scene::example(name).tolerance(tolerance)), "{name}, {tolerance:e}");
        }
    }
}

/// With constraints, rolling, redundant coordinates, followers: implicit steps go the same way.
#[test]
fn implicit_steps_agree_with_explicit_ones() {
    for name in ["pendulum", "spring_pendula", "linked_pendula", "rolling_torus", "nested_toruses", "roller_coaster_1"]
    {
        let scene = Scene::example(name).tolerance(1e-9);
        let explicit = scene.clone().at(2.0);
        let implicit = scene.solver(Solver::Implicit).at(2.0);
        assert!(implicit.summary.statistics.jacobians > 0, "{name}");
        for (a, b) in explicit.rows[1].iter().zip(&implicit.rows[1]) {
            assert!((a - b).abs() < 1e-6 * a.abs().max(1.0), "{name}: {:?} and {:?}", explicit.rows, implicit.rows);
        }
        assert!(implicit.summary.constraint_error < 1e-9, "{name}");
    }
}
