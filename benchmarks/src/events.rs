//! Transitions in a second: a ball in a box whose walls are smooth and lose nothing, beside C written by hand that knows its flights to be
//! parabolas. The synthesized program knows nothing of the kind: it integrates, watches six guards, and locates each crossing.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use driver::{Options, Run, Settings};

use crate::by_hand;
use crate::stopwatch::short;

const UNTIL: f64 = 60.0;
const TOLERANCE: f64 = 1e-8;
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
}
