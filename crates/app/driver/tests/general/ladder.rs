//! A ladder of resistors and capacitors from components, for looking at how the time to compile grows.

use std::ops::ControlFlow;
use std::time::Instant;

use base::Diagnostics;
use driver::{Run, Simulation};

use crate::circuits::Circuit;

#[test]
#[ignore = "prints times; run with --ignored --nocapture"]
fn ladder() {
    for n in [100, 1000, 3000, 9000] {
        let start = Instant::now();
        let names: Vec<String> = (0..=n + 1).map(|at| format!("n{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut circuit = Circuit::new(&names);
        let one = circuit.builder.number(1.0);
        circuit.source("s", 1, 0, one);
        for at in 1..=n {
            circuit.resistor(&format!("r{at}"), at, at + 1, 1.0);
            circuit.capacitor(&format!("c{at}"), at + 1, 0, 1.0);
        }
        circuit.ground(0);
        let mut builder = circuit.finish();
        let last = builder.system.variables[n + 1].symbol;
        let last = builder.system.arena.symbol(last);
        builder.show("v", last);
        let built = start.elapsed();
        let mut sink = Diagnostics::default();
        let start = Instant::now();
        let plan = plan::classify(&builder.system, &mut sink).expect("a plan");
        let planned = start.elapsed();
        let start = Instant::now();
        let program = program::instantiate(&builder.system, &plan);
        let instantiated = start.elapsed();
        let start = Instant::now();
        let (mut program, _) = program::optimize(program, program::Level::Full);
        let optimized = start.elapsed();
        program.integrals.iter_mut().for_each(|integral| integral.solver = program::Solver::Implicit);
        let start = Instant::now();
        let module =
            lower::lower(&program, &crate::build::sources(), lower::Options { method: lower::Method::DormandPrince5 });
        let lowered = start.elapsed();
        let start = Instant::now();
        let machine = driver::machine(&module).expect("machine code");
        let emitted = start.elapsed();
        let start = Instant::now();
        let mut simulation = Simulation::new(&module, &machine);
        let run = Run { until: 10.0, every: 0.1, tolerance: 1e-6 };
        let (summary, result) =
            driver::run(&mut simulation, run, |_, _| ControlFlow::Continue(()), |_| ControlFlow::Continue(()));
        assert!(result.is_ok(), "{result:?}");
        let ran = start.elapsed();
        println!(
            "{n}: {} laws, built {built:.0?}, plan {planned:.0?}, synthesize {instantiated:.0?}, optimize {optimized:.0?}, \
             lower {lowered:.0?}, emit {emitted:.0?}, run {ran:.0?} in {} steps, states {}",
            builder.system.laws.len(),
            summary.statistics.accepted,
            program.integrals.iter().map(|integral| integral.states.len()).sum::<usize>()
        );
    }
}
