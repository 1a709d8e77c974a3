//! The verifier refuses a system in which something was damaged, for the reason that it was.

use base::Dimension;
use chapters::Scene;
use equations::{Constraint, INVARIANTS, Level, System, verify};

const SCENE: &str = "
scene everything
param length = 1 [m]
gravity 9.81 [m/s^2]
mode motion: loose | held = loose
body bob { position = (0, free(length), free); mass = 1 [kg] }
always rod: |bob.position| == length
always stays: bob.position.z == 0 while motion == held
charge: [C] = 1 [C]
always leak: der(charge) == -charge / (2 [s])
when catch: motion == loose and bob.position.z <= 0 { motion == held; keep positions; satisfy velocity constraints }
plan aim when motion == held and t >= 9 [s] {
  choose push: [m/s] from 1 [m/s]
  begin { motion == loose; bob.velocity.y == push; keep positions; satisfy velocity constraints }
  after 1 [s] aim bob.position.y == 0 { motion == held; keep positions, velocities }
}
";

fn system(mode: &str) -> System {
    Scene::new(SCENE).system(mode).unwrap_or_else(|complaint| panic!("{complaint}"))
}

/// For each invariant what breaks it.
type Damage = (&'static str, fn(&mut System));

const DAMAGE: &[Damage] = &[
    ("a symbol is declared once", |it| it.variables[0].symbol = it.coordinates[0].symbol),
    ("every symbol is declared", |it| {
        it.parameters.clear();
    }),
    ("every symbol is declared", |it| {
        let stray = it.arena.symbol(it.arena.new_symbol("stray"));
        it.automaton.transitions[0].margin = stray;
    }),
    ("each speed has an equation of motion", |it| {
        it.motion.pop();
    }),
    ("motion is linear in accelerations and forces", |it| {
        let acceleration = it.arena.symbol(it.speeds[0].acceleration);
        it.motion[0].residual = it.arena.multiply(it.motion[0].residual, acceleration);
    }),
    ("an equation stays at its level", |it| {
        let rod = &it.constraints[0];
        let levels = LEVELS.map(|level| rod.at(level).expect("a level"));
        let (label, multiplier) = (rod.label.clone(), rod.multiplier.expect("a force"));
        let swapped = [levels[1], levels[0], levels[2]];
        it.constraints[0] = Constraint::holonomic(label, swapped, multiplier, rod.span);
    }),
    ("a speed has the dimension of its coordinate over time", |it| it.speeds[0].dimension = Dimension::LENGTH),
    ("what is guessed depends on parameters only", |it| {
        it.coordinates[0].guess = it.arena.symbol(it.coordinates[1].symbol);
    }),
    ("a transition leads to a mode that exists", |it| it.automaton.transitions[0].target[0] = 2),
    ("a reset gives every coordinate and speed", |it| {
        it.automaton.transitions[0].velocities.after.pop();
    }),
    ("what is remembered has a place", |it| {
        it.automaton.discrete.pop();
        it.automaton.transitions[0].stores.push((99, it.arena.zero()));
    }),
];

const LEVELS: [Level; 3] = [Level::Position, Level::Velocity, Level::Acceleration];

#[test]
fn systems_of_scenes_are_accepted() {
    for mode in ["loose", "held"] {
        assert_eq!(verify(&system(mode)), Ok(()), "{mode}");
    }
}

#[test]
fn damage_is_refused() {
    for (invariant, damage) in DAMAGE {
        let mut system = system("loose");
        damage(&mut system);
        let found = verify(&system).map_err(|broken| broken.invariant);
        assert_eq!(found, Err(*invariant));
    }
}

#[test]
fn every_invariant_can_be_broken() {
    for (invariant, _) in INVARIANTS {
        assert!(DAMAGE.iter().any(|(broken, _)| broken == invariant), "{invariant}");
    }
}
