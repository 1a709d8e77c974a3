//! From text to machine code, stage by stage.

use std::time::Duration;

use crate::stopwatch::{median, milliseconds, repeat, time};
use crate::{Scene, TOLERANCES};

const BUDGET: Duration = Duration::from_millis(800);

pub fn table(scenes: &[Scene]) {
    println!("## Compiling, in milliseconds (medians)\n");
    for (at, scene) in scenes.iter().enumerate() {
        let (stages, times) = measure(scene);
        if at == 0 {
            let columns = stages.join(" | ");
            println!("| scene | {columns} | text to machine code |\n|---|{}--:|", "--:|".repeat(stages.len()));
        }
        let total: Duration = times.iter().sum();
        let cells: Vec<String> = times.into_iter().map(milliseconds).collect();
        println!("| {} | {} | {} |", scene.name, cells.join(" | "), milliseconds(total));
    }
    println!();
}

/// The stages, and the median time of each.
fn measure(scene: &Scene) -> (Vec<&'static str>, Vec<Duration>) {
    let runs = repeat(BUDGET, || {
        let (stages, mut timing) = scene.compile(TOLERANCES[0]);
        let (taken, machine) = time(|| driver::machine(&stages.module).map(|machine| machine.listings()));
        assert!(matches!(machine, Ok(Ok(_))), "no machine code for `{}`", scene.name);
        timing.push(driver::Timing { stage: "machine code", time: taken });
        timing
    });
    let names = runs[0].iter().map(|timing| timing.stage).collect();
    let column = |at: usize| median(runs.iter().map(|run| run[at].time).collect());
    (names, (0..runs[0].len()).map(column).collect())
}
