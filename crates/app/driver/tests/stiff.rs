//! Stiff problems that others published, with their digits: the scenes of `examples/published`, solved by the method that suits them.
//!
//! Digits from E. Hairer and G. Wanner, *Solving Ordinary Differential Equations II*, and the test set for initial value problem solvers
//! of the University of Bari.

use driver::{Options, Run, Settings, Solver, compile, play};

struct Published {
    scene: &'static str,
    solver: Solver,
    tolerance: f64,
    /// The relative error that is left, at most.
    digits: f64,
}

const PROBLEMS: &[Published] = &[
    Published { scene: "transistor_amplifier", solver: Solver::Explicit, tolerance: 1e-13, digits: 1e-13 },
    Published { scene: "van_der_pol", solver: Solver::Implicit, tolerance: 1e-13, digits: 2e-12 },
    // The slowest part is a difference of numbers that agree in nine digits, and the smallest amount is measured by the largest.
    Published { scene: "robertson", solver: Solver::Implicit, tolerance: 1e-13, digits: 3e-8 },
    Published { scene: "hires", solver: Solver::Implicit, tolerance: 1e-13, digits: 1e-12 },
    Published { scene: "oregonator", solver: Solver::Implicit, tolerance: 1e-13, digits: 2e-12 },
];

#[test]
fn published_digits_are_reached() {
    for problem in PROBLEMS {
        let found = last_row(problem, problem.solver, problem.tolerance);
        let (_, values) = end(problem.scene);
        assert_eq!(found.len(), values.len(), "{}", problem.scene);
        for (at, (found, value)) in found.iter().zip(values).enumerate() {
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
        for (found, value) in found.iter().zip(end(problem.scene).1) {
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
    let (until, _) = end(problem.scene);
    let run = Run { until, every: until, tolerance };
    let mut last = Vec::new();
    let played = play(&compilation, &options, &Settings::default(), Some(run), |_, values| last = values.to_vec());
    assert!(!played.diagnostics.has_errors(), "{}: {:?}", problem.scene, played.diagnostics.iter().next());
    let implicit = played.summary.statistics.jacobians > 0;
    assert_eq!(implicit, solver == Solver::Implicit, "{}", problem.scene);
    last
}

/// When a published problem ends, and what its values are then.
fn end(scene: &str) -> (f64, Vec<f64>) {
    let lines = include_str!("../../../../examples/published/ends.csv").lines();
    let mut rows = lines.map(|line| line.split(',').collect::<Vec<_>>());
    let row = rows.find(|row| row[0] == scene).unwrap_or_else(|| panic!("no end of `{scene}`"));
    let mut numbers = row[1..].iter().map(|text| text.parse().expect("a number"));
    (numbers.next().expect("a time"), numbers.collect())
}
