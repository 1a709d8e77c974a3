//! Stiff problems that others published, with their digits: the scenes of `examples/published`, solved by the method that suits them.
//!
//! Digits from E. Hairer and G. Wanner, *Solving Ordinary Differential Equations II*, and the test set for initial value problem solvers
//! of the University of Bari.

use driver::{Options, Run, Settings, Solver, compile, play};

struct Published {
    scene: &'static str,
    solver: Solver,
    until: f64,
    tolerance: f64,
    /// The relative error that is left, at most.
    digits: f64,
    values: &'static [f64],
}

const PROBLEMS: &[Published] = &[
    Published {
        scene: "transistor_amplifier",
        solver: Solver::Explicit,
        until: 0.2,
        tolerance: 1e-13,
        digits: 1e-13,
        values: &[
            -0.005562145012262709,
            3.006522471903042,
            2.849958788608128,
            2.926422536206241,
            2.704617865010554,
            2.761837778393145,
            4.770927631616772,
            1.236995868091548,
        ],
    },
    Published {
        scene: "van_der_pol",
        solver: Solver::Implicit,
        until: 2000.0,
        tolerance: 1e-13,
        digits: 2e-12,
        values: &[1.706167732170469, -0.8928097010248125e-3],
    },
    // The slowest part is a difference of numbers that agree in nine digits, and the smallest amount is measured by the largest.
    Published {
        scene: "robertson",
        solver: Solver::Implicit,
        until: 1e11,
        tolerance: 1e-13,
        digits: 3e-8,
        values: &[0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505],
    },
    Published {
        scene: "hires",
        solver: Solver::Implicit,
        until: 321.8122,
        tolerance: 1e-13,
        digits: 1e-12,
        values: &[
            0.7371312573325668e-3,
            0.1442485726316185e-3,
            0.5888729740967575e-4,
            0.1175651343283149e-2,
            0.2386356198831331e-2,
            0.6238968252742796e-2,
            0.2849998395185769e-2,
            0.2850001604814231e-2,
        ],
    },
    Published {
        scene: "oregonator",
        solver: Solver::Implicit,
        until: 360.0,
        tolerance: 1e-13,
        digits: 2e-12,
        values: &[1.000814870318523, 1228.178521549917, 132.0554942846706],
    },
];

#[test]
fn published_digits_are_reached() {
    for problem in PROBLEMS {
        let found = last_row(problem, problem.solver, problem.tolerance);
        assert_eq!(found.len(), problem.values.len(), "{}", problem.scene);
        for (at, (found, value)) in found.iter().zip(problem.values).enumerate() {
            let error = ((found - value) / value).abs();
            assert!(error < problem.digits, "{} {at}: {found} instead of {value}, off by {error:.1e}", problem.scene);
        }
    }
}

/// What is allowed for a step is within a few powers of ten of what is wrong at the end.
#[test]
fn errors_follow_the_tolerance() {
    for problem in PROBLEMS.iter().filter(|problem| problem.scene != "robertson") {
        let found = last_row(problem, Solver::Implicit, 1e-7);
        for (found, value) in found.iter().zip(problem.values) {
            let error = ((found - value) / value).abs();
            assert!(error < 2e-5, "{}: {found} instead of {value}, off by {error:.1e}", problem.scene);
        }
    }
}

fn last_row(problem: &Published, solver: Solver, tolerance: f64) -> Vec<f64> {
    let path = format!("{}/../../../examples/published/{}.anz", env!("CARGO_MANIFEST_DIR"), problem.scene);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let options = Options { solver, tolerance, ..Options::default() };
    let compilation = compile(&path, &text, &options);
    let run = Run { until: problem.until, every: problem.until, tolerance };
    let mut last = Vec::new();
    let played = play(&compilation, &options, &Settings::default(), Some(run), |_, values| last = values.to_vec());
    assert!(!played.diagnostics.has_errors(), "{}: {:?}", problem.scene, played.diagnostics.iter().next());
    let implicit = played.summary.statistics.jacobians > 0;
    assert_eq!(implicit, solver == Solver::Implicit, "{}", problem.scene);
    last
}
