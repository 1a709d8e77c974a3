//! The verifier refuses a plan in which something was damaged, for the reason that it was.

use base::Diagnostics;
use chapters::Scene;
use equations::System;
use expr::Expr;
use plan::{Plan, verify};

const MECHANISM: &str = "
scene mechanism
gravity 9.81 [m/s^2]
body bob { position = (0, free(1 [m]), free); mass = 1 [kg] }
frame marker in world { position = (0, 0, free) }
always rod: |bob.position| == 1 [m]
always below: marker.position.z == bob.position.z - 1 [m]
";

const LAWS: &str = "
scene laws
x: [m] = 1 [m]
y: [m]
tension: [1/s^2]
load: [m]
always across: x'' == -tension * x
always along: y'' == -tension * y
always circle: x^2 + y^2 == 1 [m^2]
always follows: load + sin(load / (1 [m])) * 1 [m] == x
";

const BESIDE: &str = "
scene beside
body bob { position = (0, 0, free); mass = 1 [kg] }
felt: [m/s^2]; sum: [m/s]
law feels { felt == der(bob.velocity.z) }
law adds { sum' == felt }
";

fn planned(text: &str) -> (System, Plan) {
    let system = Scene::new(text).system("").unwrap_or_else(|complaint| panic!("{complaint}"));
    let plan = plan::classify(&system, &mut Diagnostics::default()).expect("a plan");
    (system, plan)
}

/// For each invariant a scene, and what breaks it.
type Damage = (&'static str, &'static str, fn(&mut Plan));

const DAMAGE: &[Damage] = &[
    ("each coordinate, speed and constraint has one class", MECHANISM, |plan| {
        plan.classes.q2.pop();
    }),
    ("each coordinate, speed and constraint has one class", MECHANISM, |plan| {
        plan.redundant.extend(plan.classes.h2.first());
    }),
    ("what follows is determined by as many equations", MECHANISM, |plan| {
        plan.redundant.extend(plan.classes.h0.pop());
    }),
    ("each equation is solved in one block", LAWS, |plan| {
        let blocks = &mut plan.laws.blocks;
        blocks[0].rows[0] = blocks[1].rows[0];
    }),
    ("each quantity is solved for once", LAWS, |plan| {
        let blocks = &mut plan.laws.blocks;
        blocks[0].quantities[0] = blocks[1].quantities[0];
    }),
    ("a block is square", LAWS, |plan| {
        let blocks = &mut plan.laws.blocks;
        let moved = blocks[0].rows.pop().expect("a row");
        blocks[1].rows.push(moved);
    }),
    ("blocks refer backwards", LAWS, |plan| {
        let blocks = &mut plan.laws.blocks;
        let (first, second) = blocks.split_at_mut(1);
        std::mem::swap(&mut first[0].quantities[0], &mut second[0].quantities[0]);
    }),
    ("no equation reaches beyond the orders", LAWS, |plan| {
        let circle = plan.laws.rows.iter_mut().find(|row| row.label == "circle").expect("the circle");
        let highest: Expr = circle.levels[2];
        circle.levels[1] = highest;
    }),
    ("what acts on a mechanism is found before its accelerations", BESIDE, |plan| {
        plan.laws.blocks.iter_mut().for_each(|block| block.phase = plan::Phase::Before);
    }),
    ("each state has one start", LAWS, |plan| {
        let start = &mut plan.start;
        let again = start.blocks[0].clone();
        start.blocks.push(again);
    }),
    ("each state has one start", LAWS, |plan| {
        plan.start.assumed.clear();
    }),
    ("a start is found from equations that exist", LAWS, |plan| plan.start.rows.clear()),
];

#[test]
fn plans_of_scenes_are_accepted() {
    for text in [MECHANISM, LAWS, BESIDE] {
        let (system, plan) = planned(text);
        assert_eq!(verify(&system, &plan), Ok(()), "{text}");
    }
}

#[test]
fn damage_is_refused() {
    for (invariant, text, damage) in DAMAGE {
        let (system, mut plan) = planned(text);
        damage(&mut plan);
        let found = verify(&system, &plan).map_err(|broken| broken.invariant);
        assert_eq!(found, Err(*invariant));
    }
}
