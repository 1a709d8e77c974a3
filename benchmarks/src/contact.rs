//! What contact costs: a ball that rests beside one that a constraint holds, impacts, the search for what touches, and a pile.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Duration;

use driver::{Instance, Options, Run, Summary};

use crate::examples;
use crate::stopwatch::{median, milliseconds, repeat, short, time};

const BUDGET: Duration = Duration::from_millis(800);

pub fn table() {
    println!("## Contact\n");
    resting();
    impacts();
    search();
    pile();
    mujoco();
    println!();
}

/// How long a run takes, without compiling it, and how it went.
fn run(text: &str, until: f64) -> (Duration, Summary) {
    let mut options = Options::default();
    let mut compilation = driver::compile("contact", text, &options);
    let code = driver::machine_as_suits(&mut compilation, &mut options).expect("a good scene").expect("machine code");
    let run = Run { until, every: until, tolerance: options.tolerance };
    let mut last = Summary::default();
    let times = repeat(BUDGET, || {
        let code = Some(code.clone());
        let mut instance = Instance::new(&compilation, &options, code).unwrap_or_else(|found| panic!("{found:?}"));
        let go_on = |_: f64| ControlFlow::Continue(());
        let (taken, (summary, result)) =
            time(|| driver::run(&mut instance, run, |_, _| ControlFlow::Continue(()), go_on));
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

fn pile() {
    let path = examples().join("pile.anz");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (compiling, _) = time(|| driver::compile("pile", &text, &Options::default()));
    let (taken, summary) = run(&text, 4.0);
    let steps = summary.statistics.accepted as f64;
    let sweeps = summary.contact_steps.map_or(0, |steps| steps.sweeps) as f64;
    println!(
        "- The pile: text to kernel {} ms, then {} ms and {} sweeps a step of 2 ms.",
        milliseconds(compiling),
        short(taken.as_secs_f64() / steps * 1e3),
        short(sweeps / steps)
    );
}

/// The same pile with MuJoCo at the same step, where Python has it.
fn mujoco() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/by_hand/pile_mujoco.py");
    let output = Command::new("python3").arg(script).output();
    let found = output.ok().filter(|output| output.status.success());
    match found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()) {
        Some(milliseconds) => println!("- The same pile with MuJoCo: {milliseconds} ms a step of 2 ms."),
        None => println!("- MuJoCo is not there to compare with: `pip install mujoco`."),
    }
}
