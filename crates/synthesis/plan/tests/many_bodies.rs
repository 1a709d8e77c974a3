//! Rows of many bodies: what follows from what is found wherever it stands, and in the order of the text.

use std::f64::consts::TAU;
use std::fmt::Write;

use base::Diagnostics;
use chapters::Scene;
use plan::Plan;

/// A hinge about z, said by itself.
const HINGE: &str = "
connection hinge(a: frame, b: frame) {
  always meets: a.position == b.position
  always upright_1: a.vector(1, 0, 0) · b.vector(0, 0, 1) == 0
  always upright_2: a.vector(0, 1, 0) · b.vector(0, 0, 1) == 0
}
";

/// The labels of the redundant constraints, and the degrees of freedom.
fn planned(text: &str) -> (Vec<String>, usize) {
    let system = Scene::new(text).system("").unwrap_or_else(|complaint| panic!("{complaint}"));
    let plan: Plan = plan::classify(&system, &mut Diagnostics::default()).expect("a plan");
    let labels = plan.redundant.iter().map(|id| system.constraints[id.index()].label.clone());
    (labels.collect(), plan.freedoms.motion)
}

fn body(text: &mut String, name: usize, (x, y): (f64, f64)) {
    let position = format!("(free({x} [m]), free({y} [m]), free)");
    let inertia = "inertia = (0.1, 0.2, 0.2) [kg*m^2]";
    let _ = writeln!(text, "body b{name} {{ position = {position}; rotation = free; mass = 1 [kg]; {inertia} }}");
}

/// A ring of hinges with parallel axes: the last demands three times what the others keep already. Three freedoms in the plane and three of
/// the ring as a whole out of it are left besides the n - 3 of its shape.
#[test]
fn the_last_hinge_of_a_ring_demands_too_much() {
    let n = 60;
    let mut text = format!("scene ring\n{HINGE}");
    let place = |i: usize| {
        let (angle, radius) = (TAU * i as f64 / n as f64, n as f64 / TAU);
        (radius * libm::cos(angle), radius * libm::sin(angle))
    };
    (0..n).for_each(|i| body(&mut text, i, place(i)));
    for i in 0..n {
        let (next, here, there) = ((i + 1) % n, place(i), place(i + 1));
        let (x, y) = ((there.0 - here.0) / 2.0, (there.1 - here.1) / 2.0);
        let _ = writeln!(
            text,
            "join h{i}: b{i}.point({x} [m], {y} [m], 0) to b{next}.point({} [m], {} [m], 0) with hinge",
            -x, -y
        );
    }
    let (redundant, freedoms) = planned(&text);
    assert_eq!(redundant.len(), 3, "{redundant:?}");
    assert!(redundant.iter().all(|label| label.contains(&format!("h{}", n - 1))), "{redundant:?}");
    assert_eq!(freedoms, n - 3 + 6);
}

/// Something said twice in the middle of a long chain is found there, and it is the second that follows from the first.
#[test]
fn a_link_that_is_held_twice_is_found_in_a_long_chain() {
    let (n, twice) = (150, 70);
    let mut text = format!("scene chain\n{HINGE}");
    for i in 0..n {
        body(&mut text, i, (i as f64 + 0.5, 0.0));
        let before = if i == 0 { "world".to_string() } else { format!("b{}.point(0.5 [m], 0, 0)", i - 1) };
        let _ = writeln!(text, "join h{i}: {before} to b{i}.point(-0.5 [m], 0, 0) with hinge");
        if i == twice {
            let _ = writeln!(text, "always again: b{i}.point(-0.5 [m], 0, 0).z == b{}.point(0.5 [m], 0, 0).z", i - 1);
        }
    }
    let (redundant, freedoms) = planned(&text);
    assert_eq!((redundant, freedoms), (vec!["again".to_string()], n));
}
