//! Many runs: one by one and in lanes, on one core, beside C written by hand for the same vectors. All are measured by turns in one run, in seconds of
//! the processor, so that what else the machine does counts little; ratios are what to quote.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use ansatz::{Ensemble, Lanes, Made, Many, Options, Scene, Settings, Span};

const RUNS: usize = 4000;
const TURNS: usize = 3;

pub fn table() {
    println!("## {RUNS} double pendulums of 10 s at 1e-6, on one core\n");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("ansatz-ensembles-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let by_hand = folder.join("ensemble");
    let built = Command::new("cc")
        .args(["-O3", "-march=native", "-w", "-o"])
        .arg(&by_hand)
        .arg(here.join("by_hand/ensemble.c"))
        .arg("-lm")
        .status();
    assert!(built.is_ok_and(|status| status.success()), "this needs a C compiler");
    let scene = Scene::open(
        here.join("../examples/double_pendulum.anz"),
        &Options { tolerance: 1e-6, probes: vec!["swing1.angle".to_string()], ..Options::default() },
    );
    let scene = scene.unwrap_or_else(|error| panic!("{error}"));
    let start = Instant::now();
    seconds(&scene, Lanes::Always, 100);
    println!(
        "The first hundred, with the compiler if it was not done before: {:.2} s.\n",
        start.elapsed().as_secs_f64()
    );
    let mut best = [f64::INFINITY; 3];
    for _ in 0..TURNS {
        let turn = [seconds(&scene, Lanes::Never, RUNS), seconds(&scene, Lanes::Always, RUNS), of_hand(&by_hand)];
        best.iter_mut().zip(turn).for_each(|(best, seconds)| *best = best.min(seconds));
    }
    let _ = std::fs::remove_dir_all(&folder);
    let [one_by_one, lanes, hand] = best;
    println!("| how | µs for each | in lanes / this |\n|---|--:|--:|");
    for (how, seconds) in [("one by one", one_by_one), ("in lanes", lanes), ("vectors by hand", hand)] {
        println!("| {how} | {:.1} | {:.2} |", seconds / RUNS as f64 * 1e6, seconds / lanes);
    }
    println!();
}

/// Seconds of the processor for so many runs.
fn seconds(scene: &Scene, lanes: Lanes, count: usize) -> f64 {
    let span = Span { until: 10.0, every: 10.0 };
    let ensemble = Ensemble::new(scene, &["angle1", "angle2"], &Settings::default(), span).expect("an ensemble");
    let runs: Vec<usize> = (0..count).collect();
    let values = |run: usize| {
        let angle = |step: f64| std::f64::consts::PI * (2.0 * ((run + 1) as f64 * step).fract() - 1.0);
        let [first, second] = [0.618_033_988_749_894_9, std::f64::consts::SQRT_2].map(angle);
        vec![first, second - first]
    };
    let many = Many { runs: &runs, values: &values, threads: 1, lanes, go_on: &|| true };
    let before = of_processor();
    let made = ensemble.run_many(&many, |_| ControlFlow::Continue(()));
    assert!(lanes == Lanes::Never || matches!(made, Made::SideBySide(_)), "{made:?}");
    of_processor() - before
}

/// Seconds that this process has had, as Linux counts them in hundredths.
fn of_processor() -> f64 {
    let known = std::fs::read_to_string("/proc/self/stat").expect("a system that counts");
    let behind = known.rsplit(')').next().unwrap_or_default();
    let ticks = |at: usize| behind.split_whitespace().nth(at).and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn of_hand(program: &Path) -> f64 {
    let said = Command::new(program).args([&RUNS.to_string(), "1e-6"]).output().expect("the program by hand");
    let said = String::from_utf8_lossy(&said.stdout).to_string();
    said.split_whitespace().next().and_then(|it| it.parse().ok()).expect("seconds")
}
