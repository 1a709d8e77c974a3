//! Events of switches: what bends or jumps within a mode, beside the same motion without it.

use std::ops::ControlFlow;
use std::time::Duration;

use driver::{Instance, Options, Run};

use crate::stopwatch::{median, repeat, short, time};

const BUDGET: Duration = Duration::from_millis(300);
const UNTIL: f64 = 60.0;
const TOLERANCE: f64 = 1e-8;

struct Pair {
    name: &'static str,
    /// The force on a point of one kilogram, with a switch and without.
    forces: [&'static str; 2],
    start: &'static str,
    /// How often the switch turns in a minute, by the closed form.
    turns: f64,
}

const PAIRS: [Pair; 2] = [
    // Each half period takes 2 · 0.01 m from the amplitude of 10 m.
    Pair {
        name: "dry friction, `sign(v)`",
        forces: ["-10 [N/m] * x - 0.1 [N] * sign(v / 1 [m/s])", "-10 [N/m] * x - 0.001 [N*s/m] * v"],
        start: "10 [m]",
        turns: UNTIL / std::f64::consts::PI * 3.162_277_66,
    },
    // Half periods of a stiff and of a soft spring take turns.
    Pair {
        name: "a stop, `if x < 0`",
        forces: ["if x < 0 [m] then -1000 [N/m] * x else -10 [N/m] * x", "-10 [N/m] * x"],
        start: "1 [m]",
        turns: 2.0 * UNTIL / (std::f64::consts::PI * (0.316_227_766 + 0.031_622_777)),
    },
];

pub fn table() {
    println!("## Switches: {UNTIL} s, tolerance {TOLERANCE:.0e}\n");
    println!("| motion | turns | turns in a second | time / without the switch |");
    println!("|---|--:|--:|--:|");
    for Pair { name, forces, start, turns } in PAIRS {
        let [with, without] = forces.map(|force| measure(force, start));
        let [rate, ratio] = [turns / with.as_secs_f64(), with.as_secs_f64() / without.as_secs_f64()].map(short);
        println!("| {name} | {turns:.0} | {rate} | {ratio} |");
    }
    println!();
}

/// The median time of a run.
fn measure(force: &str, start: &str) -> Duration {
    let text = format!(
        "scene switching\nx: [m] = {start}\nv: [m/s] = 0 [m/s]\nalways x' == v\nalways 1 [kg] * v' == ({force})\nplot x"
    );
    let options = Options { tolerance: TOLERANCE, ..Options::default() };
    let compilation = driver::compile("switching", &text, &options);
    let found = &compilation.diagnostics;
    let mut instance = Instance::new(&compilation, &options, None).unwrap_or_else(|_| panic!("{found:?}"));
    let run = Run { until: UNTIL, every: UNTIL, tolerance: TOLERANCE };
    let go_on = |_: f64, _: &[f64]| ControlFlow::Continue(());
    let mut turn = || {
        let (taken, (_, outcome)) = time(|| driver::run(&mut instance, run, go_on, |_| ControlFlow::Continue(())));
        assert!(outcome.is_ok(), "{outcome:?}");
        taken
    };
    // Until what is called often has its thorough code.
    repeat(BUDGET, &mut turn);
    median(repeat(BUDGET, turn))
}
