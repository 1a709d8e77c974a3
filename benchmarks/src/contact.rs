//! What contact costs: what rests beside what a constraint holds, impacts, the search for what touches, and a pile beside other simulators.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use driver::{Instance, Options, Run, Summary};

use crate::examples;
use crate::stopwatch::{median, milliseconds, processor_time, repeat, short};

const BUDGET: Duration = Duration::from_millis(800);

pub fn table() {
    println!("## Contact\n");
    resting();
    impacts();
    search();
    pile();
    println!();
}

/// How long a run takes, without compiling it, and how it went.
fn run(text: &str, until: f64) -> (Duration, Summary) {
    let (compilation, options, code) = code(text);
    let run = Run { until, every: until, tolerance: options.tolerance };
    let mut last = Summary::default();
    let times = repeat(BUDGET, || {
        let code = Some(code.clone());
        let mut instance = Instance::new(&compilation, &options, code).unwrap_or_else(|found| panic!("{found:?}"));
        let go_on = |_: f64| ControlFlow::Continue(());
        let (taken, (summary, result)) =
            processor_time(|| driver::run(&mut instance, run, |_, _| ControlFlow::Continue(()), go_on));
        result.unwrap_or_else(|failure| panic!("{failure:?}"));
        last = summary;
        taken
    });
    (median(times), last)
}

/// A ball that lies on a floor and is pushed to and fro, by contact and by constraints: one that slides and does not turn, and one that rolls.
fn resting() {
    let scene = |ball: &str, push: &str, held: &str| {
        format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n{ball}\n\
             force on ball = (1 [N] * cos(t * 3 [rad/s]), {push}, 0)\ninitially ball.position == (0, 0, 10) [cm]\n{held}"
        )
    };
    let ratio = |ball: &str, push: &str, [contact, constraints]: [&str; 2]| {
        let [contact, constraint] = [contact.to_string(), format!("contact none\n{constraints}")]
            .map(|held| run(&scene(ball, push, &held), 20.0).0.as_secs_f64());
        short(contact / constraint)
    };
    let slides = ratio(
        "body ball { position = (free, free, free(10 [cm])); mass = 1 [kg]; shape = sphere(10 [cm]) }",
        "0",
        ["contact all { }", "always ball.position.z == 10 [cm]"],
    );
    let rolls = ratio(
        "body ball: sphere(10 [cm]) mass 1 [kg] { position = free((0, 0, 0.1) [m]) }",
        "0.3 [N] * sin(t * 2 [rad/s])",
        [
            "contact all { friction = 1 }",
            "always ball.position.z == 10 [cm]\nalways ball.velocity.x == 10 [cm] * ball.omega.y\n\
             always ball.velocity.y == -10 [cm] * ball.omega.x",
        ],
    );
    println!("- A ball that slides on a floor costs {slides} of one that a constraint holds, one that rolls {rolls}.");
    let scene = |held: &str| {
        format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
             body block: box(20 [cm], 20 [cm], 10 [cm]) mass 1 [kg] {{ position = free((0, 0, 0.05) [m]) }}\n\
             force on block = (1 [N] * cos(t * 3 [rad/s]), 0.3 [N] * sin(t * 2 [rad/s]), 0)\n\
             initially block.position == (0, 0, 5) [cm]\n{held}"
        )
    };
    let constraints = "contact none\nalways block.position.z == 5 [cm]\n\
         always block.omega.x == 0 [rad/s]\nalways block.omega.y == 0 [rad/s]";
    let [contact, constraint] = ["contact all { }", constraints].map(|held| run(&scene(held), 20.0).0.as_secs_f64());
    println!(
        "- A block that slides on its four corners costs {} of one that constraints hold.",
        short(contact / constraint)
    );
}

/// A ball that bounces all but for ever.
fn impacts() {
    let text = "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         body ball: sphere(10 [cm]) mass 1 [kg] { position = (0, 0, free(20 [cm])) }\ninitially ball.position.z == 20 [cm]\n\
         contact all { restitution = 1 }";
    let until = 100.0;
    let (taken, _) = run(text, until);
    // It falls for √(2 · 0.1 m / g), and is in the air for twice that each time.
    let count = until / (2.0 * (0.2_f64 / 9.81).sqrt());
    println!("- {} impacts of a ball with a floor in a second.", short(count / taken.as_secs_f64()));
}

/// Balls that fly side by side and never touch: what it costs to know that.
fn search() {
    for n in [4_usize, 16, 64] {
        let mut text = "gravity 9.81 [m/s^2]\n".to_string();
        for i in 1..=n {
            let (x, y) = (i % 8, i / 8);
            writeln!(text, "body b{i}: sphere(10 [cm]) mass 1 [kg] {{ position = free(({x}, {y}, 0) [m]) }}")
                .expect("a text");
            writeln!(text, "initially b{i}.position == ({x}, {y}, 0) [m]").expect("a text");
        }
        let [all, none] = ["contact all { }", "contact none"].map(|rule| run(&format!("{text}{rule}"), 10.0));
        let steps = all.1.statistics.accepted as f64;
        let added = (all.0.as_secs_f64() - none.0.as_secs_f64()).max(0.0) / steps;
        let pairs = n * (n - 1) / 2;
        let each = short(added / pairs as f64 * 1e9);
        println!("- {n} balls that pass by: {} µs a step for {pairs} pairs, {each} ns for each.", short(added * 1e6));
    }
}

/// Steps of 2 ms, as in the text of the pile, over four seconds.
const STEPS: f64 = 2000.0;

/// A pile of a hundred: speed without truth is nothing, so what is left of the energy and how deep anything was in anything else stand beside it.
fn pile() {
    let path = examples().join("pile.anz");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (compiling, _) = processor_time(|| driver::compile("pile", &text, &Options::default()));
    let (to_code, _) = processor_time(|| code(&text));
    let (taken, summary, energy) = fall(&text);
    let steps = summary.contact_steps.expect("the pile is followed in steps");
    println!(
        "- The pile: text to kernel {} ms, to machine code {} ms; {:.0} sweeps a step, {} steps did not converge.",
        milliseconds(compiling),
        milliseconds(to_code),
        steps.sweeps as f64 / STEPS,
        steps.unsettled
    );
    println!("\n| the pile of a hundred | ms a step of 2 ms | energy left, J | deepest, mm |\n|---|---:|---:|---:|");
    println!("| Ansatz | {:.3} | {energy:.3} | {:.3} |", taken.as_secs_f64() / STEPS * 1e3, steps.depth * 1e3);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/by_hand");
    beside("MuJoCo", Command::new("python3").arg(format!("{folder}/pile_mujoco.py")), "pip install mujoco");
    beside(
        "Rapier",
        &mut Command::new(format!("{folder}/pile_rapier/target/release/pile_rapier")),
        "cargo build --release --manifest-path benchmarks/by_hand/pile_rapier/Cargo.toml",
    );
}

fn code(text: &str) -> (driver::Compilation, Options, Arc<driver::Compiled>) {
    let mut options = Options::default();
    let mut compilation = driver::compile("contact", text, &options);
    let code = driver::machine_as_suits(&mut compilation, &mut options).expect("a good scene").expect("machine code");
    (compilation, options, code)
}

/// The time that the pile takes to fall, how that went, and the energy in the end.
fn fall(text: &str) -> (Duration, Summary, f64) {
    let (compilation, options, code) = code(text);
    let mut instance = Instance::new(&compilation, &options, Some(code)).unwrap_or_else(|found| panic!("{found:?}"));
    let run = Run { until: 4.0, every: 4.0, tolerance: options.tolerance };
    let mut energy = f64::NAN;
    let row = |_: f64, values: &[f64]| {
        energy = values[0];
        ControlFlow::Continue(())
    };
    let (taken, (summary, result)) =
        processor_time(|| driver::run(&mut instance, run, row, |_| ControlFlow::Continue(())));
    result.unwrap_or_else(|failure| panic!("{failure:?}"));
    (taken, summary, energy)
}

/// The same pile with another simulator, which prints its three numbers, where it is installed.
fn beside(name: &str, command: &mut Command, how: &str) {
    let output = command.output().ok().filter(|output| output.status.success());
    match output.map(|output| String::from_utf8_lossy(&output.stdout).trim().replace(' ', " | ")) {
        Some(numbers) => println!("| {name} | {numbers} |"),
        None => println!("| {name}: `{how}` | | | |"),
    }
}
