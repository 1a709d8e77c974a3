//! Mechanics written as equations, and equations beside the mechanics of frames.

use std::path::PathBuf;

use crate::build::{Builder, close, run};

/// A pendulum in Cartesian coordinates: the length is a constraint, its force an unknown. Index three.
#[test]
fn a_pendulum_in_cartesian_coordinates() {
    let g = 9.81;
    let mut b = Builder::new("pendulum");
    let arena = b.arena();
    let (x, y, force) = (b.started("x", 1.0), b.variable("y"), b.variable("force"));
    let (vx, vy) = (b.rate(x), b.rate(y));
    let (ax, ay) = (b.rate(vx), b.rate(vy));
    b.law("horizontal", ax, arena.negate(arena.multiply(force, x)));
    b.law("vertical", ay, arena.subtract(arena.negate(arena.multiply(force, y)), arena.number(g)));
    let square = arena.add(arena.power(x, 2), arena.power(y, 2));
    b.law("length", square, b.number(1.0));
    b.initially(x, arena.number(0.6));
    let term = |e| arena.term(e);
    let speed = (term(vx).squared() + term(vy).squared()).expr;
    let energy = arena.add(arena.scale(0.5, speed), arena.scale(g, y));
    b.show("x", x);
    b.show("y", y);
    b.show("energy", energy);
    let ran = run(&b.system, 5.0, 0.25);
    assert_eq!(ran.states, 4);
    assert_eq!(ran.orders, [("x".to_string(), 2), ("y".to_string(), 2), ("force".to_string(), 0)]);
    assert!(ran.constraint_error < 1e-12, "{}", ran.constraint_error);
    let first = ran.rows[0].1.clone();
    close(&first[..2], &[0.6, 0.8_f64.copysign(first[1])], 1e-12);
    for (_, row) in &ran.rows {
        close(&[row[0] * row[0] + row[1] * row[1], row[2]], &[1.0, first[2]], 1e-8);
    }
}

/// Every example of mechanics moves as it does by itself when something else decays beside it, though it is planned another way.
#[test]
fn mechanics_beside_other_equations_moves_as_it_does_alone() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let mut names: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the examples")
        .filter_map(|entry| Some(entry.ok()?.path()).filter(|path| path.extension().is_some_and(|it| it == "anz")))
        .collect();
    names.sort();
    for path in names {
        let text = std::fs::read_to_string(&path).expect("an example");
        let mut b = Builder::scene(&text);
        // What touches has tests of its own.
        if !b.system.variables.is_empty() || b.system.contacts.is_some() {
            continue;
        }
        println!("{}", path.display());
        // Transitions were read before the law was there, and say nothing of it; here the first mode lasts.
        b.system.automaton.transitions.clear();
        b.system.automaton.entries.clear();
        let alone = run(&b.system, 0.5, 0.25);
        let arena = b.arena();
        let decaying = b.started("decaying", 1.0);
        let rate = b.rate(decaying);
        b.law("decay", rate, arena.negate(decaying));
        b.show("decaying", decaying);
        let beside = run(&b.system, 0.5, 0.25);
        assert!(beside.constraint_error < 1e-8, "{}: {}", path.display(), beside.constraint_error);
        for ((t, alone), (_, beside)) in alone.rows.iter().zip(&beside.rows) {
            let (other, beside) = beside.split_last().expect("columns");
            close(&[*other], &[libm::exp(-t)], 1e-8);
            close(beside, alone, 1e-6);
        }
    }
}

/// A motor at constant voltage turns a pendulum: L i' + R i + k ω = U, torque k i on the pivot. Energy is accounted for.
#[test]
fn a_motor_turns_a_pendulum() {
    let text = "scene motor
        gravity 9.81 [m/s^2]
        frame swing in world { rotation = about x free }
        body bob in swing { position = (0, 0, -1) [m]; mass = 1 [kg] }
        initially swing.angle == 0.5
        plot swing.angle, energy";
    let mut b = Builder::scene(text);
    let arena = b.arena();
    let (inductance, resistance, coupling, supply) = (0.2, 2.0, 0.7, 6.0);
    let (current, torque, back, work) =
        (b.variable("current"), b.variable("torque"), b.variable("back"), b.variable("work"));
    let speed = arena.symbol(b.system.speeds[0].symbol);
    b.system.motion[0].residual = arena.subtract(b.system.motion[0].residual, torque);
    b.law("torque", torque, arena.scale(coupling, current));
    b.law("back", back, arena.scale(coupling, speed));
    let rate = b.rate(current);
    let ohmic = arena.scale(resistance, current);
    b.law("voltage", arena.add(arena.scale(inductance, rate), arena.add(ohmic, back)), b.number(supply));
    let power = b.rate(work);
    let heat = arena.multiply(ohmic, current);
    b.law("power", power, arena.subtract(arena.scale(supply, current), heat));
    b.show("current", current);
    b.show("work", work);
    let ran = run(&b.system, 3.0, 0.25);
    assert_eq!(ran.states, 4);
    let total = |row: &[f64]| row[1] + 0.5 * inductance * row[2] * row[2] - row[3];
    let first = total(&ran.rows[0].1);
    for (_, row) in &ran.rows {
        close(&[total(row)], &[first], 1e-8);
    }
    assert!((ran.end()[0] - 0.5).abs() > 0.1, "it moves");
}
