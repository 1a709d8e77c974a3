//! What the optimiser is worth: `--optimize none` against `full`, and the three-car coaster beside the figures of the seed paper.

use std::time::Duration;

use driver::{Level, Stages};

use crate::running::{measure, operations};
use crate::stopwatch::{median, milliseconds, repeat, short, time};
use crate::{Scene, TOLERANCES, UNTIL};

const BUDGET: Duration = Duration::from_millis(800);

pub fn table(scenes: &[Scene]) {
    println!("## The optimiser, tolerance {:.0e}\n", TOLERANCES[0]);
    println!(
        "| scene | operations of the derivative, none | full | ratio | largest system in it, none | full | machine code, none | full | µs per step, none | full | ratio |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for scene in scenes {
        let [none, full] = [Level::None, Level::Full].map(|level| Variant::new(scene, level));
        println!(
            "| {} | {} | {} | {} | {} | {} | {} KB | {} KB | {:.2} | {:.2} | {} |",
            scene.name,
            none.operations,
            full.operations,
            short(none.operations as f64 / full.operations as f64),
            none.largest,
            full.largest,
            none.bytes / 1000,
            full.bytes / 1000,
            none.step * 1e6,
            full.step * 1e6,
            short(none.step / full.step),
        );
    }
    println!();
}

struct Variant {
    /// Without those of solving systems of equations.
    operations: usize,
    /// Unknowns of the largest system that each derivative solves.
    largest: usize,
    bytes: usize,
    /// Seconds for each step that was tried.
    step: f64,
}

impl Variant {
    fn new(scene: &Scene, level: Level) -> Variant {
        let (stages, _) = scene.compile_at(TOLERANCES[0], level);
        let (time, summary) = measure(&stages, TOLERANCES[0]);
        let trials = summary.statistics.accepted + summary.statistics.rejected;
        Variant {
            operations: operations(&stages),
            largest: largest(&stages),
            bytes: code_size(&stages),
            step: time.as_secs_f64() / trials as f64,
        }
    }
}

fn largest(stages: &Stages) -> usize {
    let bindings = stages.program.integrals.iter().flat_map(|integral| &integral.derivative.body);
    bindings.map(|binding| binding.unknowns().len()).max().unwrap_or(0)
}

fn code_size(stages: &Stages) -> usize {
    let listings = crate::running::machine(stages).listings().expect("machine code");
    listings.iter().map(|listing| listing.size).sum()
}

/// Frames of the paper are a thirtieth of a second.
const FRAMES: f64 = 30.0;

/// The three-car coaster, as in section 6 of the seed paper.
pub fn coaster(scene: &Scene) {
    println!("## The three-car coaster, tolerance {:.0e}\n", TOLERANCES[0]);
    println!("| | none | full |\n|---|--:|--:|");
    let levels = [Level::None, Level::Full];
    let compiled = levels.map(|level| scene.compile_at(TOLERANCES[0], level).0);
    let synthesis = levels.map(|level| {
        let runs = repeat(BUDGET, || {
            time(|| {
                let (stages, _) = scene.compile_at(TOLERANCES[0], level);
                code_size(&stages)
            })
        });
        median(runs.into_iter().map(|(time, _)| time).collect())
    });
    let pace = |stages: &Stages| UNTIL / measure(stages, TOLERANCES[0]).0.as_secs_f64();
    let pace = [pace(&compiled[0]), pace(&compiled[1])];
    println!("| text to machine code | {} ms | {} ms |", milliseconds(synthesis[0]), milliseconds(synthesis[1]));
    println!("| machine code | {} bytes | {} bytes |", code_size(&compiled[0]), code_size(&compiled[1]));
    println!("| largest system in the derivative | {} | {} |", largest(&compiled[0]), largest(&compiled[1]));
    println!("| operations of the derivative | {} | {} |", operations(&compiled[0]), operations(&compiled[1]));
    println!("| simulated seconds per second | {} | {} |", short(pace[0]), short(pace[1]));
    println!("| frames per second | {} | {} |\n", short(pace[0] * FRAMES), short(pace[1] * FRAMES));
}
