//! How the program was made: classes, systems of equations and how they follow one another, operations, times.

use driver::{Compilation, Stages};
use equations::{ConstraintId, CoordinateId};
use expr::SymbolId;
use program::{Binding, Function};
use rustc_hash::FxHashMap;

use super::id;
use super::place::Places;
use crate::protocol::{Class, Integral, Making, Operations, Span, SystemNode, Timing};

pub fn making(compilation: &Compilation, stages: &Stages) -> Making {
    let Stages { system, plan, program, report, .. } = stages;
    let classes = &plan.classes;
    let coordinates = |list: &[CoordinateId]| -> Vec<String> {
        list.iter().map(|at| id::coordinate(&system.coordinates[at.index()].name)).collect()
    };
    let constraints = |list: &[ConstraintId]| -> Vec<String> {
        list.iter().map(|at| id::constraint(&system.constraints[at.index()].label)).collect()
    };
    let class = |name, meaning, members| Class { name, meaning, members };
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    Making {
        variables: system.coordinates.len(),
        constraints: system.constraints.len(),
        degrees_of_freedom: plan.freedoms.motion,
        classes: vec![
            class("Q0", "coordinates that follow from positions", coordinates(&classes.q0)),
            class("Q1", "coordinates whose rates follow from constraints", coordinates(&classes.q1)),
            class("Q2", "coordinates whose accelerations are integrated", coordinates(&classes.q2)),
            class("H0", "constraints on positions, enforced as they are", constraints(&classes.h0)),
            class("H1", "constraints on positions, differentiated once", constraints(&classes.h1)),
            class("H2", "constraints on positions, differentiated twice", constraints(&classes.h2)),
            class("N1", "constraints on velocities, enforced as they are", constraints(&classes.n1)),
            class("N2", "constraints on velocities, differentiated once", constraints(&classes.n2)),
        ],
        redundant: constraints(&plan.redundant),
        systems: systems(compilation, stages),
        integrals: program
            .integrals
            .iter()
            .map(|integral| Integral {
                states: integral.states.iter().map(|state| id::coordinate(&state.name)).collect(),
            })
            .collect(),
        operations: report
            .operations
            .iter()
            .map(|row| Operations {
                function: row.function.clone(),
                before: row.before.total(),
                after: row.after.total(),
            })
            .collect(),
        timing: compilation
            .timing
            .iter()
            .map(|timing| Timing { stage: timing.stage.to_string(), milliseconds: milliseconds(timing.time) })
            .collect(),
        program: program::print(program),
    }
}

/// Every system of equations that the program solves, with those that it waits for.
fn systems(compilation: &Compilation, stages: &Stages) -> Vec<SystemNode> {
    let program = &stages.program;
    let mut nodes = Vec::new();
    let mut add = |function: &Function| nodes.extend(function_systems(compilation, stages, function));
    add(&program.initialize);
    for integral in &program.integrals {
        [Some(&integral.derivative), integral.stabilize.as_ref(), integral.follow.as_ref()]
            .into_iter()
            .flatten()
            .for_each(&mut add);
    }
    add(&program.observe);
    nodes
}

fn function_systems(compilation: &Compilation, stages: &Stages, function: &Function) -> Vec<SystemNode> {
    let places = Places::of_scene(&compilation.sources);
    let program = &stages.program;
    let mut solved: FxHashMap<SymbolId, String> = FxHashMap::default();
    let mut nodes = Vec::new();
    for binding in &function.body {
        let info = &program.systems[binding.id().index()];
        let id = format!("system:{}-{}", function.name, binding.id().0);
        let used = program.arena.symbols_in(&binding.expressions());
        let mut after: Vec<String> = used.iter().filter_map(|symbol| solved.get(symbol).cloned()).collect();
        after.sort_unstable();
        after.dedup();
        let mut spans: Vec<Span> = info.equations.iter().map(|origin| places.span(origin.span)).collect();
        spans.sort_unstable();
        spans.dedup();
        nodes.push(SystemNode {
            id: id.clone(),
            function: function.name.clone(),
            role: driver::role_name(info.role),
            kind: match binding {
                Binding::Linear(_) => "linear",
                Binding::Nonlinear(_) => "nonlinear",
                Binding::Sum(_) => "sum",
            },
            equations: info.equations.iter().map(|origin| origin.label.clone()).collect(),
            unknowns: info.unknowns.iter().map(|origin| origin.label.clone()).collect(),
            after,
            spans,
        });
        solved.extend(binding.unknowns().iter().map(|&symbol| (symbol, id.clone())));
    }
    nodes
}
