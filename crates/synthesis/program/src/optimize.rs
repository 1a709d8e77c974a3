//! Optimisation of the program, as a list of passes.

use crate::decompose::{decompose_integral, decompose_systems};
use crate::needed::prune;
use crate::program::{Function, Program};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Level {
    /// The scheme as it was filled in.
    None,
    #[default]
    Full,
}

pub fn optimize(mut program: Program, level: Level) -> Program {
    let arena = program.arena.clone();
    // Whatever the level, a function does not solve equations that have no unknowns or that none of its results need.
    for function in functions(&mut program) {
        prune(&arena, function);
    }
    if level == Level::None {
        return program;
    }
    let mut systems = std::mem::take(&mut program.systems);
    for function in functions(&mut program) {
        decompose_systems(&arena, function, &mut systems);
        prune(&arena, function);
    }
    program.systems = systems;
    let integrals = std::mem::take(&mut program.integrals);
    program.integrals = integrals.into_iter().flat_map(|integral| decompose_integral(&arena, integral)).collect();
    program
}

fn functions(program: &mut Program) -> impl Iterator<Item = &mut Function> {
    let integrals = program
        .integrals
        .iter_mut()
        .flat_map(|integral| std::iter::once(&mut integral.derivative).chain(integral.stabilize.as_mut()));
    [&mut program.initialize, &mut program.observe, &mut program.monitor].into_iter().chain(integrals)
}
