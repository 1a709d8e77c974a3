//! Compiled code against the kernel interpreter, which is the truth: the same memory, bit for bit.

use std::sync::Arc;

use driver::{Level, Solver};
use kernel::{Interpreter, Module, SharedMachine};
use simulation::{Failure, Simulation};

use crate::scene::{Scene, example_names};

/// Some steps, samples and observations; the memory afterwards, or what went wrong.
fn a_few_steps(module: &Module, machine: SharedMachine, steps: i64) -> Result<Vec<u64>, Failure> {
    let mut simulation = Simulation::new(module, machine);
    simulation.configure(1e-9, 1.0)?;
    simulation.initialize()?;
    for time in [0.0, 1e-5, 1.0] {
        let arrived = simulation.advance(time, steps)?;
        if arrived {
            simulation.observe(time)?;
            simulation.monitor(time)?;
        }
    }
    simulation.statistics();
    Ok(simulation.memory().cells().to_vec())
}

/// The array and the element that a cell belongs to.
fn name_of(module: &Module, cell: usize) -> String {
    let layout = module.layout();
    let ranges = module.arrays.iter().filter_map(|array| Some((array, layout.range(module.find_array(&array.name)?))));
    let found = ranges.into_iter().find(|(_, range)| range.contains(&cell));
    found.map_or(format!("cell {cell}"), |(array, range)| format!("{}[{}]", array.name, cell - range.start))
}

#[test]
fn compiled_examples_leave_the_memory_that_the_interpreter_leaves() {
    for name in example_names() {
        for (level, solver) in
            [(Level::Full, Solver::Explicit), (Level::None, Solver::Explicit), (Level::Full, Solver::Implicit)]
        {
            // Forces of contact are not found by implicit steps.
            if solver == Solver::Implicit && Scene::example(&name).stages().program.contacts.is_some() {
                continue;
            }
            for tolerance in [1e-4, 1e-12] {
                let stages = Scene::example(&name).optimize(level).solver(solver).tolerance(tolerance).stages();
                let module = &stages.module;
                let compiled = driver::machine(module).unwrap_or_else(|error| panic!("{name}: {error:?}"));
                let by_code = a_few_steps(module, compiled, 4).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
                let interpreter = Arc::new(Interpreter::owning(module.clone()));
                let truth = a_few_steps(module, interpreter, 4).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
                let differ: Vec<String> =
                    (0..truth.len()).filter(|&at| truth[at] != by_code[at]).map(|at| name_of(module, at)).collect();
                assert!(
                    differ.is_empty(),
                    "{name}, {level:?}, {solver:?}, {tolerance}: these differ: {}",
                    differ.join(", ")
                );
            }
        }
    }
}

/// The same text gives the same program and the same numbers, twice.
#[test]
fn the_same_text_gives_the_same_bits() {
    for name in ["double_pendulum", "weighted_ball"] {
        let once = || {
            let stages = Scene::example(name).stages();
            let machine = driver::machine(&stages.module).unwrap_or_else(|error| panic!("{error:?}"));
            let memory = a_few_steps(&stages.module, machine, 50).unwrap_or_else(|failure| panic!("{failure:?}"));
            (kernel::print(&stages.module), memory)
        };
        assert!(once() == once(), "`{name}` compiled twice is not the same");
    }
}
