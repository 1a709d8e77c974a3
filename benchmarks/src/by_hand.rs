//! Synthesized programs beside C written by hand for the same systems: same method (Dormand and Prince, order 5), same tolerance,
//! measured by turns in one run. The C is in `by_hand/`, the scenes in `scenes/` and among the examples; both are compiled here
//! with `cc -O3`. Where valgrind is there, instructions are counted too, for time is noisy and they are not.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use driver::{Compiled, Simulation, Stages, Target};

use crate::Scene;
use crate::stopwatch::{processor_time, short};

pub const TOLERANCE: f64 = 1e-6;
/// How often the programs take turns, and how often each runs then; the best time counts.
const TURNS: usize = 5;
const RUNS: usize = 20;

struct Row {
    name: &'static str,
    /// The program by hand, in `by_hand/`.
    by_hand: &'static str,
    scene: &'static str,
    until: f64,
    /// How the program by hand goes about it.
    method: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        name: "double_pendulum",
        by_hand: "double_pendulum",
        scene: "../examples",
        until: 30.0,
        method: "angles, 2 × 2",
    },
    Row {
        name: "coaster_minimal",
        by_hand: "coaster_minimal",
        scene: "scenes",
        until: 30.0,
        method: "one degree of freedom, the others carried along",
    },
    Row {
        name: "coaster_minimal",
        by_hand: "coaster_angles",
        scene: "scenes",
        until: 30.0,
        method: "three angles, two forces, projection",
    },
    Row {
        name: "coaster_constrained",
        by_hand: "coaster_constrained",
        scene: "scenes",
        until: 30.0,
        method: "11 × 11 with pivoting, projection",
    },
    Row {
        name: "chain_32",
        by_hand: "chain_32",
        scene: "scenes",
        until: 1.0,
        method: "articulated bodies, cost ∝ links",
    },
];

pub fn table() {
    println!("## Synthesized and written by hand in C, tolerance {TOLERANCE:.0e}\n");
    println!(
        "| system | program | steps | right-hand sides | µs per simulated s | ns per right-hand side | time / by hand | per right-hand side / by hand | instructions per right-hand side | result |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let folder = folder("by-hand");
    for row in ROWS {
        measure(row, &folder);
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!();
}

/// A folder for temporary files, made anew.
pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ansatz-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}

/// What one program did in its best run.
#[derive(Clone)]
pub struct Outcome {
    pub seconds: f64,
    pub steps: u64,
    pub evaluations: u64,
    /// The same quantity from all programs.
    pub result: f64,
}

fn measure(row: &Row, folder: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = here.join(row.scene).join(row.name).with_extension("anz");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let scene = Scene { name: row.name.to_string(), text };
    let by_hand = compile(folder, row.by_hand, &[here.join("by_hand").join(row.by_hand).with_extension("c")], &[]);
    let synthesized = synthesized(&scene, folder, &SYNTHESIZED);
    let (stages, _) = scene.compile(TOLERANCE);
    let machine = crate::running::machine(&stages);
    let mut best: [Option<Outcome>; 3] = [None, None, None];
    for _ in 0..TURNS {
        let turn = [
            run(&by_hand, row.until, RUNS),
            run(&synthesized, row.until, RUNS),
            in_memory(&stages, &machine, row.until, RUNS),
        ];
        for (best, outcome) in best.iter_mut().zip(turn) {
            if best.as_ref().is_none_or(|best| outcome.seconds < best.seconds) {
                *best = Some(outcome);
            }
        }
    }
    let [Some(hand), Some(c), Some(code)] = best else { return };
    let counts = [instructions(&by_hand, row.until), instructions(&synthesized, row.until), None];
    let programs = [
        format!("by hand: {}", row.method),
        "synthesized, C".to_string(),
        "synthesized, machine code in memory".to_string(),
    ];
    for ((program, outcome), count) in programs.iter().zip([&hand, &c, &code]).zip(counts) {
        let each = |outcome: &Outcome| outcome.seconds / outcome.evaluations as f64;
        println!(
            "| {} | {program} | {} | {} | {:.1} | {:.0} | {} | {} | {} | {:.6} |",
            row.name,
            outcome.steps,
            outcome.evaluations,
            outcome.seconds * 1e6 / row.until,
            each(outcome) * 1e9,
            short(outcome.seconds / hand.seconds),
            short(each(outcome) / each(&hand)),
            count.map_or_else(|| "–".to_string(), |count| short(count / outcome.evaluations as f64)),
            outcome.result,
        );
    }
}

/// What makes compilers keep each operation as it is written.
const SYNTHESIZED: [&str; 2] = ["-ffp-contract=off", "-fno-math-errno"];

/// The program of a scene, exported as C and compiled with some flags.
pub fn synthesized(scene: &Scene, folder: &Path, flags: &[&str]) -> PathBuf {
    let options = driver::Options { tolerance: TOLERANCE, ..driver::Options::default() };
    let compilation = driver::compile(&scene.name, &scene.text, &options);
    let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("`{}` has errors", scene.name));
    let build = driver::build(&compilation, stages, &options, Target::C)
        .unwrap_or_else(|_| panic!("`{}` makes no program", scene.name));
    let sources = folder.join(format!("{}-synthesized", scene.name));
    std::fs::create_dir_all(&sources).expect("a folder");
    for file in &build.files {
        std::fs::write(sources.join(&file.name), &file.content).expect("a file");
    }
    let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("by_hand/synthesized.c");
    let program = sources.join(&scene.name).with_extension("c");
    let own = [format!("-DPROGRAM={}", scene.name), format!("-I{}", sources.display())];
    let flags: Vec<String> = own.into_iter().chain(flags.iter().map(|flag| flag.to_string())).collect();
    compile(folder, &format!("{}-c", scene.name), &[main, program], &flags)
}

pub fn compile(folder: &Path, name: &str, sources: &[PathBuf], flags: &[String]) -> PathBuf {
    let program = folder.join(name);
    let output = Command::new("cc")
        .args(["-std=gnu99", "-D_GNU_SOURCE", "-O3", "-o"])
        .arg(&program)
        .args(flags)
        .args(sources)
        .arg("-lm")
        .output()
        .expect("a C compiler is needed (Debian: apt-get install build-essential)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Both programs print seconds, steps, evaluations and a result.
pub fn run(program: &Path, until: f64, runs: usize) -> Outcome {
    let arguments = [until.to_string(), TOLERANCE.to_string(), runs.to_string()];
    let output = Command::new(program).args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{} failed", program.display());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [seconds, steps, evaluations, result] = words[..] else { panic!("{} printed `{text}`", program.display()) };
    Outcome { seconds, steps: steps as u64, evaluations: evaluations as u64, result }
}

/// Shorter runs are measured by the clock, the best of which is that of an undisturbed one: the system counts processor time in milliseconds.
const SHORT: Duration = Duration::from_millis(2);

/// The same with machine code in memory.
pub fn in_memory(stages: &Stages, machine: &Arc<Compiled>, until: f64, runs: usize) -> Outcome {
    let mut best = Duration::MAX;
    let (mut statistics, mut result) = Default::default();
    let (all, ()) = processor_time(|| {
        for _ in 0..runs {
            let mut simulation = Simulation::new(&stages.module, machine.clone());
            let (elapsed, done) = crate::stopwatch::time(|| {
                simulation.configure(TOLERANCE, until)?;
                simulation.initialize()?;
                simulation.advance(until, i64::MAX)?;
                simulation.observe(until)
            });
            best = best.min(elapsed);
            result = done.ok().and_then(|values| values.first().copied()).unwrap_or(f64::NAN);
            statistics = simulation.statistics();
        }
    });
    Outcome {
        seconds: if best < SHORT { best } else { all / runs as u32 }.as_secs_f64(),
        steps: statistics.accepted as u64,
        evaluations: statistics.evaluations as u64,
        result,
    }
}

/// The instructions of one run, without those of starting the program; none without valgrind.
pub fn instructions(program: &Path, until: f64) -> Option<f64> {
    let count = |runs: usize| collected(program, &[until.to_string(), TOLERANCE.to_string(), runs.to_string()]);
    Some(count(2)? - count(1)?)
}

/// All instructions of a program with these arguments.
pub fn collected(program: &Path, arguments: &[String]) -> Option<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs by hand are only worth comparing with if they compute the same.
    #[test]
    fn programs_by_hand_agree_with_synthesized_ones() {
        let folder = folder("by-hand-test");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for row in ROWS {
            let path = here.join(row.scene).join(row.name).with_extension("anz");
            let scene = Scene { name: row.name.to_string(), text: std::fs::read_to_string(path).expect("a scene") };
            let hand = compile(&folder, row.name, &[here.join("by_hand").join(row.name).with_extension("c")], &[]);
            let synthesized = synthesized(&scene, &folder, &SYNTHESIZED);
            let [hand, synthesized] = [hand, synthesized].map(|program| run(&program, 1.0, 1).result);
            assert!((hand - synthesized).abs() < 1e-5, "{}: {hand} by hand, {synthesized} synthesized", row.name);
        }
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
