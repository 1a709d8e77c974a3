//! No text breaks the compiler: whatever compiles is a valid kernel module, which runs, and runs alike on every machine.

#[path = "../../../language/syntax/tests/fuzzing/mod.rs"]
mod fuzzing;

use std::sync::Arc;

use driver::{Level, Options, Rotations, Simulation, Stages};
use kernel::{Interpreter, Machine, Memory, SharedMachine, Trap, Type, Value, protocol};
use simulation::Failure;

#[test]
fn no_text_breaks_the_compiler() {
    fuzzing::fuzz("fuzz-compiler", 1_000, fuzzing::corpus::seeds(), check);
}

fn check(text: &str) -> Result<bool, String> {
    let hash = text.bytes().fold(7_u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let compilation = driver::compile("fuzz", text, &options(hash));
    for label in compilation.diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        if compilation.sources.get(label.span.source).text.get(label.span.range()).is_none() {
            return Err("a label is not a place in the text".to_string());
        }
    }
    let Some(stages) = &compilation.stages else {
        let told = compilation.diagnostics.has_errors();
        return if told { Ok(false) } else { Err("nothing comes out and nothing is reported".to_string()) };
    };
    if let Err(faults) = kernel::verify(&stages.module) {
        return Err(format!("the kernel has faults: {}", faults[0].to_string().replace(char::is_numeric, "")));
    }
    // Machine code takes its time, so only some modules get it.
    if hash % 4 == 0 && stages.module.functions.len() < 200 {
        run(stages)?;
    }
    Ok(true)
}

/// The ways to compile, by turns.
fn options(hash: u64) -> Options {
    Options {
        rotations: if hash & 16 == 0 { Rotations::Minimal } else { Rotations::Quaternion },
        optimize: if hash & 32 == 0 { Level::Full } else { Level::None },
        tolerance: if hash & 64 == 0 { 1e-6 } else { 1e-9 },
        ..Options::default()
    }
}

/// A few steps as machine code; then the same in the interpreter, which checks every index.
fn run(stages: &Stages) -> Result<(), String> {
    let compiled = driver::machine(&stages.module).map_err(|diagnostic| diagnostic.message)?;
    let compiled: SharedMachine = compiled;
    let interpreter = Arc::new(Interpreter::owning(stages.module.clone()).step_budget(2_000_000));
    let fast = steps(stages, compiled.clone());
    if fast.iter().any(|status| matches!(status, Some(failure) if failure.contains("Broken"))) {
        return Err("the program broke its own rules".to_string());
    }
    match (start(stages, &*compiled)?, start(stages, &*interpreter)?) {
        (Some(fast), Some(slow)) if !agree(stages, &fast, &slow) => {
            Err("machine code and interpreter differ".to_string())
        }
        _ => Ok(()),
    }
}

/// What each call says; a failure of the simulated system is a fine outcome.
fn steps(stages: &Stages, machine: SharedMachine) -> Vec<Option<String>> {
    let mut simulation = Simulation::new(&stages.module, machine);
    let mut said = Vec::new();
    type Call = fn(&mut Simulation) -> Result<(), Failure>;
    let calls: [Call; 5] = [
        |simulation| simulation.configure(1e-6, 1.0),
        |simulation| simulation.initialize(),
        |simulation| simulation.advance(0.01, 20).map(|_| ()),
        |simulation| simulation.observe(0.0).map(|_| ()),
        |simulation| simulation.monitor(0.0).map(|_| ()),
    ];
    for call in calls {
        let failure = call(&mut simulation).err();
        // A failure has to make sense in the user's words too.
        said.push(failure.map(|failure| {
            let diagnostic = driver::describe(&failure, stages, &simulation);
            format!("{:?} {}", failure.kind, diagnostic.message)
        }));
        if failure.is_some() {
            break;
        }
    }
    said
}

/// The memory after the start and some trial steps; nothing if the interpreter has no patience for it.
fn start(stages: &Stages, machine: &dyn Machine) -> Result<Option<Memory>, String> {
    let mut memory = stages.module.initial_memory();
    let calls: [(&str, &[Value]); 3] = [
        (protocol::CONFIGURE, &[Value::Real(1e-6), Value::Real(1.0)]),
        (protocol::INITIALIZE, &[]),
        (protocol::ADVANCE, &[Value::Real(0.01), Value::Integer(2)]),
    ];
    for (name, arguments) in calls {
        let function = stages.module.find_function(name).ok_or("an entry point is missing")?;
        match machine.call_integer(function, arguments, &mut memory) {
            Ok(protocol::DONE) => {}
            Ok(_) => break,
            Err(Trap::OutOfSteps) => return Ok(None),
            Err(trap) => return Err(format!("trap: {trap}").replace(char::is_numeric, "")),
        }
    }
    Ok(Some(memory))
}

/// Bit for bit, but for the bits of what is not a number.
fn agree(stages: &Stages, fast: &Memory, slow: &Memory) -> bool {
    let layout = stages.module.layout();
    let same = |cell: usize, element: Type| match element {
        Type::Real if fast.real(cell).is_nan() => slow.real(cell).is_nan(),
        _ => fast.cells()[cell] == slow.cells()[cell],
    };
    stages.module.arrays.iter().all(|array| match stages.module.find_array(&array.name) {
        Some(id) => layout.range(id).all(|cell| same(cell, array.element)),
        None => false,
    })
}
