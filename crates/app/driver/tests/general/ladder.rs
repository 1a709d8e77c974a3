//! A ladder of resistors and capacitors from components, for looking at how the time to compile grows.

use std::time::Instant;

use base::Diagnostics;

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
        let (program, _) = program::optimize(program, program::Level::Full);
        let optimized = start.elapsed();
        println!(
            "{n}: {} laws, built {built:?}, plan {planned:?}, synthesize {instantiated:?}, optimize {optimized:?}, states {}",
            builder.system.laws.len(),
            program.integrals.iter().map(|integral| integral.states.len()).sum::<usize>()
        );
    }
}
