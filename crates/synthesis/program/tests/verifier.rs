//! The verifier refuses a program in which something was damaged, for the reason that it was.

use base::Diagnostics;
use chapters::Scene;
use program::{Binding, INVARIANTS, Level, NonlinearSystem, Program, SystemId, verify};

const SCENE: &str = "
scene everything
gravity 9.81 [m/s^2]
mode motion: loose | held = loose
body bob { position = (0, free(1 [m]), free); mass = 1 [kg] }
always rod: |bob.position| == 1 [m]
when catch: motion == loose and bob.position.z <= 0 { motion == held; keep positions, velocities }
";

fn program() -> Program {
    let system = Scene::new(SCENE).system("").unwrap_or_else(|complaint| panic!("{complaint}"));
    let plan = plan::classify(&system, &mut Diagnostics::default()).expect("a plan");
    program::optimize(program::instantiate(&system, &plan), Level::Full).0
}

/// The system of accelerations and forces.
fn linear(program: &mut Program) -> &mut program::LinearSystem {
    match &mut program.integrals[0].derivative.body[0] {
        Binding::Linear(system) => system,
        _ => panic!("accelerations are linear"),
    }
}

/// The positions on the rod.
fn nonlinear(program: &mut Program) -> &mut NonlinearSystem {
    match &mut program.integrals[0].stabilize.as_mut().expect("a constraint").body[0] {
        Binding::Nonlinear(system) => system,
        _ => panic!("the rod is round"),
    }
}

/// For each invariant what breaks it.
type Damage = (&'static str, fn(&mut Program));

const DAMAGE: &[Damage] = &[
    ("a state belongs to one integral, once", |it| {
        let again = it.integrals[0].states[0].clone();
        it.integrals[0].states.push(again);
    }),
    ("every state is started", |it| {
        it.started.pop();
    }),
    ("systems fit their unknowns", |it| {
        linear(it).right.pop();
    }),
    ("systems fit their unknowns", |it| linear(it).matrix[0].0 = 99),
    ("systems fit their unknowns", |it| {
        let unknowns = &mut linear(it).unknowns;
        unknowns[0] = unknowns[1];
    }),
    ("systems fit their unknowns", |it| {
        nonlinear(it).seeds.pop();
    }),
    ("a system is told to the user", |it| linear(it).id = SystemId(99)),
    ("a function gives as many results as are read", |it| {
        it.integrals[0].derivative.results.pop();
    }),
    ("a function gives as many results as are read", |it| {
        it.outputs.pop();
    }),
    ("what is used is known by then", |it| {
        // A force before it is found.
        let force = *linear(it).unknowns.last().expect("a force");
        let value = it.arena.symbol(force);
        linear(it).right[0] = value;
    }),
    ("what is used is known by then", |it| {
        it.integrals[0].derivative.body.clear();
    }),
    ("what is used is known by then", |it| {
        let stray = it.arena.symbol(it.arena.new_symbol("stray"));
        nonlinear(it).residuals[0] = stray;
    }),
    ("what is remembered has a place", |it| {
        let entry = it.changes.as_mut().and_then(|changes| changes.reenter.as_mut()).expect("transitions");
        entry.stores.push(0);
        entry.function.results.push(entry.function.results[0]);
    }),
];

#[test]
fn programs_of_scenes_are_accepted() {
    assert_eq!(verify(&program()), Ok(()));
}

#[test]
fn damage_is_refused() {
    for (invariant, damage) in DAMAGE {
        let mut program = program();
        damage(&mut program);
        let found = verify(&program).map_err(|broken| broken.invariant);
        assert_eq!(found, Err(*invariant));
    }
}

#[test]
fn every_invariant_can_be_broken() {
    for (invariant, _) in INVARIANTS {
        assert!(DAMAGE.iter().any(|(broken, _)| broken == invariant), "{invariant}");
    }
}
