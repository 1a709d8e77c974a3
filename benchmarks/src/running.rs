//! Simulating, at a loose and at a tight tolerance.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use driver::{Compiled, Run, Simulation, Stages, Summary};

use crate::stopwatch::{median, repeat, short, time};
use crate::{Scene, TOLERANCES, UNTIL};

const BUDGET: Duration = Duration::from_millis(300);

pub fn table(scenes: &[Scene]) {
    println!("## Simulating {UNTIL} s\n");
    println!("| scene | operations per right-hand side | tolerance | steps | right-hand sides | simulated s per s |");
    println!("|---|--:|--:|--:|--:|--:|");
    for scene in scenes {
        for tolerance in TOLERANCES {
            let (stages, _) = scene.compile(tolerance);
            let (time, summary) = measure(&stages, tolerance);
            println!(
                "| {} | {} | {tolerance:.0e} | {} | {} | {} |",
                scene.name,
                operations(&stages),
                summary.statistics.accepted,
                summary.statistics.evaluations,
                short(UNTIL / time.as_secs_f64()),
            );
        }
    }
    println!();
}

/// Operations of all derivatives together; elementary functions and divisions count as one.
pub fn operations(stages: &Stages) -> usize {
    let derivatives = stages.report.operations.iter().filter(|row| row.function == "derivative");
    derivatives.map(|row| row.after.total()).sum()
}

/// For a whole run: memory, start and steps.
pub fn measure(stages: &Stages, tolerance: f64) -> (Duration, Summary) {
    let machine = machine(stages);
    // Until what is called often has its thorough code.
    repeat(BUDGET, || simulate(stages, &machine, tolerance));
    let runs = repeat(BUDGET, || time(|| simulate(stages, &machine, tolerance)));
    let (summary, _) = runs[0].1;
    (median(runs.into_iter().map(|(time, _)| time).collect()), summary)
}

pub fn machine(stages: &Stages) -> Arc<Compiled> {
    driver::machine(&stages.module).unwrap_or_else(|diagnostic| panic!("{}", diagnostic.message))
}

/// Only the first and the last row are asked for, so that printing does not count.
pub fn simulate(stages: &Stages, machine: &Arc<Compiled>, tolerance: f64) -> (Summary, Vec<f64>) {
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    let mut last = Vec::new();
    let (summary, result) = driver::run(
        &mut simulation,
        Run { until: UNTIL, every: UNTIL, tolerance },
        |_, values| {
            last = values.to_vec();
            ControlFlow::Continue(())
        },
        |_| ControlFlow::Continue(()),
    );
    if let Err(failure) = result {
        panic!("{}", driver::describe(&failure, stages, &simulation).message);
    }
    (summary, last)
}
