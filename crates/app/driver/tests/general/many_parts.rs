//! Systems of many parts, solved implicitly: exact, and with code that does not grow with the number of parts.

use driver::Run;
use expr::{Expr, Operator};

use crate::build::{Builder, Ran, close, run_implicitly};

/// A source, then n resistors in a row, with a capacitor to the ground after each: R C v′ₖ = vₖ₋₁ − 2 vₖ + vₖ₊₁, the end open.
fn ladder(n: usize, source: impl Fn(&Builder) -> Expr) -> Builder {
    let mut builder = Builder::new("ladder");
    let arena = builder.arena();
    let product = builder.parameter("RC", 1e-2);
    let voltages: Vec<Expr> = (1..=n).map(|k| builder.started(&format!("v{k}"), 0.0)).collect();
    let source = source(&builder);
    for k in 0..n {
        let before = if k == 0 { source } else { voltages[k - 1] };
        let after = if k + 1 == n { voltages[k] } else { voltages[k + 1] };
        let inflow = arena.subtract(before, voltages[k]);
        let outflow = arena.subtract(voltages[k], after);
        let rate = builder.rate(voltages[k]);
        builder.law(&format!("node{}", k + 1), arena.multiply(product, rate), arena.subtract(inflow, outflow));
        builder.initially(voltages[k], arena.zero());
    }
    builder.show("first", voltages[0]);
    builder.show("last", voltages[n - 1]);
    builder
}

/// The voltage after k resistors at a time, when the source has been 1 from the beginning: a sum of decaying modes.
fn step_response(n: usize, k: usize, scaled_time: f64) -> f64 {
    let mode = |j: usize| {
        let angle = (2 * j - 1) as f64 * std::f64::consts::PI / (2 * n + 1) as f64;
        let weight: f64 = (1..=n).map(|at| (angle * at as f64).sin()).sum::<f64>() * 4.0 / (2 * n + 1) as f64;
        let half = (angle / 2.0).sin();
        weight * (angle * k as f64).sin() * (-4.0 * half * half * scaled_time).exp()
    };
    1.0 - (1..=n).map(mode).sum::<f64>()
}

fn run(n: usize, tolerance: f64) -> Ran {
    let builder = ladder(n, |builder| builder.number(1.0));
    run_implicitly(&builder.system, Run { until: 1.0, every: 0.1, tolerance })
}

#[test]
fn a_step_diffuses_through_a_ladder() {
    for (n, tolerance) in [(3, 1e-9), (40, 1e-5), (40, 1e-10)] {
        let ran = run(n, tolerance);
        assert!(ran.statistics.jacobians > 0);
        for (t, row) in &ran.rows {
            let wanted = [step_response(n, 1, t / 1e-2), step_response(n, n, t / 1e-2)];
            for (found, wanted) in row.iter().zip(wanted) {
                assert!(
                    (found - wanted).abs() < 20.0 * tolerance,
                    "{n} parts, {tolerance}: at {t} {row:?}, not {wanted}"
                );
            }
        }
    }
}

#[test]
fn equal_parts_share_their_code() {
    // What is left to grow is the start, where each part has a line of its own.
    let (small, large) = (run(50, 1e-6).code, run(150, 1e-6).code);
    assert!(large - small < 100 * 20, "{small} and {large}");
}

/// A diode across each capacitor: C v′ₖ = (vₖ₋₁ − 2 vₖ + vₖ₊₁) / R − i (exp(vₖ / u) − 1), driven far beyond what the diodes let
/// pass. At rest, what flows in is what the diodes take.
#[test]
fn diodes_clip_a_ladder() {
    let (n, thermal, saturation) = (20, 0.025, 1e-9);
    let mut builder = Builder::new("clipper");
    let arena = builder.arena();
    let voltages: Vec<Expr> = (1..=n).map(|k| builder.started(&format!("v{k}"), 0.0)).collect();
    let source = builder.number(5.0);
    for k in 0..n {
        let before = if k == 0 { source } else { voltages[k - 1] };
        let after = if k + 1 == n { voltages[k] } else { voltages[k + 1] };
        let net = arena.subtract(arena.subtract(before, voltages[k]), arena.subtract(voltages[k], after));
        let growth = arena.apply(Operator::Exp, &[arena.scale(1.0 / thermal, voltages[k])]);
        let diode = arena.scale(saturation, arena.subtract(growth, arena.one()));
        let rate = builder.rate(voltages[k]);
        builder.law(&format!("node{}", k + 1), arena.scale(1e-3, rate), arena.subtract(net, diode));
        builder.initially(voltages[k], arena.zero());
        builder.show(&format!("v{}", k + 1), voltages[k]);
    }
    let ran = run_implicitly(&builder.system, Run { until: 10.0, every: 1.0, tolerance: 1e-9 });
    let v = ran.end();
    for k in 0..n {
        let before = if k == 0 { 5.0 } else { v[k - 1] };
        let after = if k + 1 == n { v[k] } else { v[k + 1] };
        let left = before - 2.0 * v[k] + after - saturation * ((v[k] / thermal).exp() - 1.0);
        assert!(left.abs() < 1e-6, "{left:e} at {k}");
    }
    assert!(ran.statistics.accepted < 500, "{:?}", ran.statistics);
}

/// One capacitor behind many resistors: all voltages between follow from its own, at once, and it charges as behind one resistor.
#[test]
fn a_long_row_of_resistors_is_one_resistor() {
    let n = 120;
    let mut builder = Builder::new("row");
    let arena = builder.arena();
    let charged = builder.started("charged", 0.0);
    let between: Vec<Expr> = (1..n).map(|k| builder.variable(&format!("v{k}"))).collect();
    let source = builder.number(1.0);
    let voltage = |k: usize| match k {
        0 => source,
        _ if k == n => charged,
        _ => between[k - 1],
    };
    // Each resistor has a value of its own; together they have 1.
    let conductance = |k: usize| (n * (n + 1)) as f64 / (2 * k) as f64;
    let current = |k: usize| arena.scale(conductance(k), arena.subtract(voltage(k - 1), voltage(k)));
    for k in 1..n {
        builder.law(&format!("node{k}"), current(k), current(k + 1));
    }
    let rate = builder.rate(charged);
    builder.law("capacitor", rate, current(n));
    builder.initially(charged, arena.zero());
    builder.show("charged", charged);
    builder.show("middle", between[n / 2 - 1]);
    let run = Run { until: 3.0, every: 0.5, tolerance: 1e-10 };
    // From the source to the middle there are so many parts of the whole resistance.
    let half = (n / 2 * (n / 2 + 1)) as f64 / (n * (n + 1)) as f64;
    for ran in [crate::build::run(&builder.system, run.until, run.every), run_implicitly(&builder.system, run)] {
        for (t, row) in &ran.rows {
            let charged = 1.0 - (-t).exp();
            close(row, &[charged, 1.0 - half * (1.0 - charged)], 1e-8);
        }
    }
}

/// Resistors in a row with a diode to the ground after each, and a capacitor at the end: all voltages between are found at once,
/// by iteration.
#[test]
fn many_diodes_are_found_together() {
    let (n, thermal, saturation) = (100, 0.025, 1e-9);
    let mut builder = Builder::new("diodes");
    let arena = builder.arena();
    let charged = builder.started("charged", 0.0);
    let between: Vec<Expr> = (1..n).map(|k| builder.variable(&format!("v{k}"))).collect();
    let source = arena.apply(Operator::Sin, &[builder.time()]);
    let voltage = |k: usize| match k {
        0 => source,
        _ if k == n => charged,
        _ => between[k - 1],
    };
    for k in 1..n {
        let net =
            arena.subtract(arena.subtract(voltage(k - 1), voltage(k)), arena.subtract(voltage(k), voltage(k + 1)));
        let growth = arena.apply(Operator::Exp, &[arena.scale(1.0 / thermal, voltage(k))]);
        builder.law(&format!("node{k}"), net, arena.scale(saturation, arena.subtract(growth, arena.one())));
        builder.show(&format!("v{k}"), voltage(k));
    }
    let rate = builder.rate(charged);
    builder.law("capacitor", rate, arena.subtract(voltage(n - 1), charged));
    builder.initially(charged, arena.zero());
    builder.show("charged", charged);
    // Explicitly and implicitly.
    let ran = crate::build::run(&builder.system, 2.0, 0.25);
    for (t, v) in &ran.rows {
        for k in 0..n - 1 {
            let before = if k == 0 { t.sin() } else { v[k - 1] };
            let left = before - 2.0 * v[k] + v[k + 1] - saturation * ((v[k] / thermal).exp() - 1.0);
            assert!(left.abs() < 1e-9, "{left:e} at {k} after {t}");
        }
    }
}
