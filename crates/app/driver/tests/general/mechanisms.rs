//! Mechanics written as equations, and equations beside the mechanics of frames.

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
