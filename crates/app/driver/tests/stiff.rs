//! Stiff problems that others published, with their digits: the scenes of `examples/published`, solved by the method that suits them.
//!
//! Digits from E. Hairer and G. Wanner, *Solving Ordinary Differential Equations II*, and the test set for initial value problem solvers
//! of the University of Bari.

use driver::{Options, Run, Settings, Solver, compile, play};

struct Published {
    scene: &'static str,
    /// The relative error of each value that is left, at most: as far as the published digits agree with those of others.
    digits: f64,
}

const PROBLEMS: &[Published] = &[
    // At tolerances that are nearly the same, rounding leaves between 7e-15 and 6e-14 of the amplifier's smallest voltage.
    Published { scene: "transistor_amplifier", digits: 8e-14 },
    Published { scene: "van_der_pol", digits: 9e-14 },
    Published { scene: "robertson", digits: 5e-13 },
    // Likewise between 1e-14 and 1.6e-13 of the smallest amount.
    Published { scene: "hires", digits: 2e-13 },
    Published { scene: "oregonator", digits: 5e-14 },
];

/// A published value that is off by 1.5e-13: the scene, its place, and the value that arithmetic of 33 digits gives.
const AMENDED: (&str, usize, f64) = ("oregonator", 2, 132.05549428465083);

#[test]
fn published_digits_are_reached() {
    for problem in PROBLEMS {
        assert_errors_below(problem.scene, 1e-14, problem.digits);
    }
}

/// What is allowed for a step is within a few powers of ten of what is wrong at the end; of the smallest amount, too, which in Robertson's
/// reactions is 10¹³ times smaller than the largest.
#[test]
fn errors_follow_the_tolerance() {
    for problem in PROBLEMS {
        assert_errors_below(problem.scene, 1e-7, 2e-5);
        // By another method than the one for larger tolerances, which is the better for it.
        assert_errors_below(problem.scene, 1e-10, 1e-11);
    }
}

#[track_caller]
fn assert_errors_below(scene: &str, tolerance: f64, limit: f64) {
    let (until, mut values) = end(scene);
    if AMENDED.0 == scene {
        values[AMENDED.1] = AMENDED.2;
    }
    let found = last_row(scene, until, tolerance);
    assert_eq!(found.len(), values.len(), "{scene}");
    for (at, (found, value)) in found.iter().zip(values).enumerate() {
        let error = ((found - value) / value).abs();
        assert!(error < limit, "{scene} {at} at {tolerance:e}: {found} instead of {value}, off by {error:.1e}");
    }
}

fn last_row(scene: &str, until: f64, tolerance: f64) -> Vec<f64> {
    let path = format!("{}/../../../examples/published/{scene}.anz", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let options = Options { solver: Solver::Implicit, tolerance, ..Options::default() };
    let compilation = compile(&path, &text, &options);
    let run = Run { until, every: until, tolerance };
    let mut last = Vec::new();
    let played = play(&compilation, &options, &Settings::default(), Some(run), |_, values| last = values.to_vec());
    assert!(!played.diagnostics.has_errors(), "{scene}: {:?}", played.diagnostics.iter().next());
    assert!(played.summary.statistics.jacobians > 0, "{scene}");
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
