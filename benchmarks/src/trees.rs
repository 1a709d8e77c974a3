//! How the cost of trees of frames grows with their length: chains of hinged rods, in the plane and in space.

use driver::{Options, Simulation};

use crate::running::operations;
use crate::stopwatch::{milliseconds, short, time};

const LINKS: [usize; 6] = [4, 8, 32, 64, 128, 256];
const TOLERANCE: f64 = 1e-6;
/// Simulated seconds, and how often; the best time counts.
const UNTIL: f64 = 0.2;
const RUNS: usize = 5;

pub fn table() {
    println!("## Trees of frames: chains of n links\n");
    growth("in the plane", plane);
    growth("in space, axes by turns", space);
}

fn growth(name: &str, text: fn(usize) -> String) {
    for (at, links) in LINKS.into_iter().enumerate() {
        let text = text(links);
        let options = Options { tolerance: TOLERANCE, ..Options::default() };
        let compilation = driver::compile("chain", &text, &options);
        let stages = compilation.stages.unwrap_or_else(|| panic!("{:?}", compilation.diagnostics));
        let (taken, machine) = time(|| crate::running::machine(&stages));
        if at == 0 {
            let names: Vec<&str> = compilation.timing.iter().map(|timing| timing.stage).collect();
            println!("| {name} | operations | ns per right-hand side | {} | machine code |", names.join(" | "));
            println!("|--:|--:|--:|{}--:|", "--:|".repeat(names.len()));
        }
        let mut best = f64::INFINITY;
        for _ in 0..RUNS {
            let mut simulation = Simulation::new(&stages.module, machine.clone());
            let (taken, done) = time(|| {
                simulation
                    .configure(TOLERANCE, UNTIL)
                    .and_then(|()| simulation.initialize())
                    .and_then(|()| simulation.advance(UNTIL, i64::MAX))
            });
            assert!(done.is_ok(), "a chain of {links} cannot be simulated");
            best = best.min(taken.as_secs_f64() / simulation.statistics().evaluations as f64);
        }
        let times: Vec<String> =
            compilation.timing.iter().map(|timing| timing.time).chain([taken]).map(milliseconds).collect();
        println!("| {links} | {} | {} | {} |", operations(&stages), short(best * 1e9), times.join(" | "));
    }
    println!();
}

/// A chain of rods that turn about one axis.
pub fn plane(n: usize) -> String {
    format!(
        "scene chain
         gravity 9.81 [m/s^2]
         frame swing[1] {{ rotation = about x free(90 [deg]) }}
         body bob[1] in swing[1] {{ position = (0, 0, -1 [m]); mass = 1 [kg] }}
         for i in 2..{n} {{
           frame swing[i] in bob[i - 1] {{ rotation = about x free }}
           body bob[i] in swing[i] {{ position = (0, 0, -1 [m]); mass = 1 [kg] }}
         }}
         initially swing[1].angle == 90 [deg]
         plot swing[1].angle"
    )
}

fn space(n: usize) -> String {
    let link = |at: usize, axis: &str| {
        let parent = if at == 1 { "world".to_string() } else { format!("rod[{}]", at - 1) };
        let position = if at == 1 { "(0, 0, 0)" } else { "(0, 0, -0.5 [m])" };
        format!(
            "frame hinge[{at}] in {parent} {{ position = {position}; rotation = about {axis} free }}
             body rod[{at}] in hinge[{at}] {{ position = (0, 0, -0.5 [m]); mass = 1 [kg]; inertia = (0.1, 0.1, 0.01) [kg*m^2] }}\n"
        )
    };
    let links: String = (1..=n).map(|at| link(at, if at % 2 == 1 { "x" } else { "y" })).collect();
    format!("scene chain\ngravity 9.81 [m/s^2]\n{links}initially hinge[1].angle == 1 [rad]\nplot hinge[1].angle")
}
