//! Transitions in a second: a ball in a box whose walls are smooth and lose nothing, beside C written by hand that knows its flights to be
//! parabolas. The synthesized program knows nothing of the kind: it integrates, watches six guards, and locates each crossing. And a ball that
//! bounces ever lower, beside C that integrates and locates as the synthesized program does.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use driver::{Options, Run, Settings, Target};

use crate::by_hand;
use crate::stopwatch::short;

const UNTIL: f64 = 60.0;
const TOLERANCE: f64 = 1e-8;
/// The ball that bounces ever lower lies still after four seconds.
const STILL: f64 = 5.0;
/// With it the methods are of one order.
const BOUNCING_TOLERANCE: f64 = 1e-6;
/// The first turns bring the machine code that pays.
const TURNS: usize = 50;

pub fn table() {
    println!("## Transitions: a ball in a smooth box for {UNTIL} s, tolerance {TOLERANCE:.0e}\n");
    println!("| program | transitions | transitions in a second | time / by hand | x at the end |");
    println!("|---|--:|--:|--:|--:|");
    let folder = std::env::temp_dir().join(format!("ansatz-events-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("by_hand/ball_in_box.c");
    let program = by_hand::compile(&folder, "ball_in_box", &[source], &[]);
    let hand = by_hand::run(&program, UNTIL, 100);
    let own = synthesized();
    let _ = std::fs::remove_dir_all(&folder);
    let rows = [("by hand, closed form", &hand), ("synthesized, machine code in memory", &own)];
    for (name, outcome) in rows {
        println!(
            "| {name} | {} | {} | {} | {:.9} |",
            outcome.steps,
            short(outcome.steps as f64 / outcome.seconds),
            short(outcome.seconds / hand.seconds),
            outcome.result
        );
    }
    println!();
    bouncing();
}

/// Instructions of both programs as C, with as many transitions.
fn bouncing() {
    println!("## Transitions: a ball that bounces ever lower, tolerance {BOUNCING_TOLERANCE:.0e}\n");
    println!("| program | transitions | instructions | by hand |\n|---|--:|--:|--:|");
    let folder = std::env::temp_dir().join(format!("ansatz-bouncing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let hand = bouncing_by_hand(&folder);
    let bounces = by_hand::run(&hand, STILL, 1).steps;
    let counts = by_hand::instructions(&hand, STILL).zip(bouncing_exported(&folder));
    let _ = std::fs::remove_dir_all(&folder);
    let Some((by_hand, own)) = counts else { return println!("| valgrind is not there | | | |\n") };
    println!("| by hand, order 5, crossings on the dense output | {bounces} | {by_hand:.0} | 1 |");
    println!("| synthesized, C | {bounces} | {own:.0} | {} |\n", short(own / by_hand));
}

fn bouncing_by_hand(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("by_hand/bouncing_ball.c");
    by_hand::compile(folder, "bouncing_by_hand", &[source], &[])
}

/// The instructions of the exported program from its start to rest, without those of starting it.
fn bouncing_exported(folder: &Path) -> Option<f64> {
    let options = Options { tolerance: BOUNCING_TOLERANCE, ..Options::default() };
    let text = std::fs::read_to_string(crate::examples().join("bouncing_ball.anz")).expect("an example");
    let compilation = driver::compile("bouncing_ball", &text, &options);
    let stages = compilation.stages.as_ref().expect("a good scene");
    let build = driver::build(&compilation, stages, &options, Target::C).ok()?;
    for file in &build.files {
        std::fs::write(folder.join(&file.name), &file.content).expect("a file");
    }
    let sources = ["main.c", "bouncing_ball.c"].map(|name| folder.join(name));
    let flags = ["-ffp-contract=off", "-fno-math-errno"].map(String::from);
    let program = by_hand::compile(folder, "bouncing_exported", &sources, &flags);
    let count = |until: f64| {
        let arguments = ["--until", &until.to_string(), "--every", &STILL.to_string()].map(String::from);
        by_hand::collected(&program, &arguments)
    };
    // A run that is over before anything has happened costs what starting does.
    Some(count(STILL)? - count(1e-3)?)
}

fn synthesized() -> by_hand::Outcome {
    let options = Options { tolerance: TOLERANCE, probes: vec!["ball.position.x".to_string()], ..Options::default() };
    let path = crate::examples().join("ball_in_box_smooth.anz");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let compilation = driver::compile("ball_in_box_smooth", &text, &options);
    let stages = compilation.stages.as_ref().expect("a good scene");
    let mut instance = driver::Instance::new(&compilation, &options, None).unwrap_or_else(|found| panic!("{found:?}"));
    let settings = Settings { parameters: vec!["restitution=1".to_string()], controls: Vec::new() };
    driver::apply(&settings, stages, &mut instance, &mut Default::default());
    let run = Run { until: UNTIL, every: UNTIL, tolerance: TOLERANCE };
    let (mut best, mut result) = (Duration::MAX, f64::NAN);
    for _ in 0..TURNS {
        let start = Instant::now();
        let row = |_: f64, values: &[f64]| {
            result = values[0];
            ControlFlow::Continue(())
        };
        let (_, outcome) = driver::run(&mut instance, run, row, |_| ControlFlow::Continue(()));
        assert!(outcome.is_ok(), "the run came to its end");
        best = best.min(start.elapsed());
    }
    let events = instance.events.len() as u64;
    by_hand::Outcome { seconds: best.as_secs_f64(), steps: events, evaluations: events, result }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs by hand are only worth comparing with if they compute the same.
    #[test]
    fn the_ball_by_hand_is_where_the_synthesized_one_is() {
        let folder = std::env::temp_dir().join(format!("ansatz-events-test-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("by_hand/ball_in_box.c");
        let program = by_hand::compile(&folder, "ball_in_box", &[source], &[]);
        let hand = by_hand::run(&program, UNTIL, 1);
        let own = synthesized();
        let _ = std::fs::remove_dir_all(&folder);
        assert_eq!(hand.steps, own.steps);
        assert!((hand.result - own.result).abs() < 1e-6, "{} {}", hand.result, own.result);
    }
    /// With as many transitions, and the last of them when infinitely many bounces are over: after sqrt(2 h/g) (1 + e)/(1 - e).
    #[test]
    fn the_ball_by_hand_bounces_as_the_synthesized_one() {
        let folder = std::env::temp_dir().join(format!("ansatz-bouncing-test-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        let hand = by_hand::run(&bouncing_by_hand(&folder), STILL, 1);
        let _ = std::fs::remove_dir_all(&folder);
        assert!((hand.result - (2.0_f64 / 9.81).sqrt() * 9.0).abs() < 1e-8, "{}", hand.result);
        let options = Options { tolerance: BOUNCING_TOLERANCE, ..Options::default() };
        let text = std::fs::read_to_string(crate::examples().join("bouncing_ball.anz")).expect("an example");
        let compilation = driver::compile("bouncing_ball", &text, &options);
        let mut instance =
            driver::Instance::new(&compilation, &options, None).unwrap_or_else(|found| panic!("{found:?}"));
        let run = Run { until: STILL, every: STILL, tolerance: BOUNCING_TOLERANCE };
        let go_on = |_: f64| ControlFlow::Continue(());
        let (_, outcome) = driver::run(&mut instance, run, |_, _| ControlFlow::Continue(()), go_on);
        assert!(outcome.is_ok(), "the run came to its end");
        assert_eq!(instance.events.len() as u64, hand.steps);
    }
}
