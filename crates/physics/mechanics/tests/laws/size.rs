//! Size: the equations of a chain grow with the chain, and so does the work of finding them.

use base::Diagnostics;
use expr::Expr;
use mechanics::{Options, Rotations};

use crate::euler_lagrange::resolve;

/// How many nodes the equations of motion are made of, and how many were made on the way: the work, whatever the machine.
fn nodes(text: &str, rotations: Rotations) -> (usize, usize) {
    let model = resolve(text);
    let mut sink = Diagnostics::default();
    let system = mechanics::formulate(&model, Options { rotations, ..Options::default() }, &mut sink)
        .expect("a chain has equations");
    let roots: Vec<Expr> = system.motion.iter().map(|motion| motion.residual).collect();
    (system.arena.reachable(&roots).len(), system.arena.len())
}

fn chain(links: usize, joint: &str, link: &str) -> String {
    format!(
        "scene chain
         gravity 9.81 [m/s^2]
         frame joint[1] in world {{ rotation = {joint} }}
         for i in 1..{links} {{ body link[i] in joint[i] {{ position = (0, 0, -0.5) [m]; {link} }} }}
         for i in 2..{links} {{ frame joint[i] in joint[i-1] {{ position = (0, 0, -1) [m]; rotation = {joint} }} }}"
    )
}

/// Prints a table and asserts that every link beyond the first few costs the same.
fn assert_linear(what: &str, rotations: Rotations, text: impl Fn(usize) -> String) {
    println!("{what}\n  links    nodes  per link     work  per link");
    let lengths = [2, 4, 8, 16, 32, 64, 128, 256];
    let sizes: Vec<(usize, usize)> = lengths.iter().map(|&links| nodes(&text(links), rotations)).collect();
    let growth = |at: usize, part: fn((usize, usize)) -> usize| {
        (part(sizes[at]) - part(sizes[at - 1])) as f64 / (lengths[at] - lengths[at - 1]) as f64
    };
    for at in 1..lengths.len() {
        let (used, made) = (growth(at, |size| size.0), growth(at, |size| size.1));
        println!("  {:5} {:8} {used:9.1} {:8} {made:9.1}", lengths[at], sizes[at].0, sizes[at].1);
    }
    for part in [|size: (usize, usize)| size.0, |size: (usize, usize)| size.1] {
        let last = growth(lengths.len() - 1, part);
        for at in 3..lengths.len() {
            let ratio = growth(at, part) / last;
            assert!(
                (ratio - 1.0).abs() < 0.1,
                "{what}: from {} links to {} the growth is {ratio}",
                lengths[at - 1],
                lengths[at]
            );
        }
    }
}

#[test]
fn chains_of_points_grow_linearly() {
    assert_linear("points on hinges", Rotations::Minimal, |links| chain(links, "about x free", "mass = 1 [kg]"));
}

#[test]
fn chains_of_solids_on_crossed_hinges_grow_linearly() {
    let solid = "shape = box(0.1 [m], 0.2 [m], 1 [m]); mass = 1 [kg]";
    assert_linear("boxes on oblique hinges", Rotations::Minimal, |links| chain(links, "about (1, 2, -2) free", solid));
    assert_linear("boxes on ball joints", Rotations::Minimal, |links| chain(links, "free", solid));
    assert_linear("boxes on hinges, quaternions", Rotations::Quaternion, |links| chain(links, "about x free", solid));
}

/// A spring from each link to the one after the next.
#[test]
fn springs_between_neighbours_grow_linearly() {
    assert_linear("links with springs", Rotations::Minimal, |links| {
        let springs: String = (1..links - 1)
            .map(|i| format!("\npotential = 3 [N/m] * (|link[{i}].position - link[{}].position| - 1 [m])^2", i + 2))
            .collect();
        chain(links, "about x free", "mass = 1 [kg]") + &springs
    });
}
