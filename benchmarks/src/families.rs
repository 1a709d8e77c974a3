//! Families beside C written by hand: bodies that all attract one another, and lattices of springs. Both programs are compiled with all
//! that the processor has (`-march=native`), and machine code in memory runs beside them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::Scene;
use crate::by_hand::{self, Outcome, TOLERANCE};
use crate::growth::lattice;
use crate::stopwatch::short;

/// How often the programs take turns; the best time counts.
const TURNS: usize = 3;
/// Contraction stays off, so all programs do the same operations.
const FLAGS: [&str; 3] = ["-march=native", "-ffp-contract=off", "-fno-math-errno"];

struct Row {
    name: &'static str,
    sizes: &'static [usize],
    until: f64,
    text: fn(usize) -> String,
    /// What each way by hand is compiled with, in `by_hand/`; the best is what is compared with.
    by_hand: &'static [&'static [&'static str]],
}

const ROWS: &[Row] = &[
    Row {
        name: "attracting",
        sizes: &[10, 30, 100, 300, 1000],
        until: 0.1,
        text: attracting,
        by_hand: &[&[], &["-DALL"]],
    },
    Row { name: "lattice", sizes: &[10, 30, 100], until: 1.0, text: lattice, by_hand: &[&[]] },
];

pub fn table() {
    println!("## Families beside C by hand, tolerance {TOLERANCE:.0e}\n");
    println!(
        "| system | n | ns per right-hand side, by hand | synthesized C / by hand | machine code in memory / by hand |"
    );
    println!("|---|--:|--:|--:|--:|");
    let folder = by_hand::folder("families");
    for row in ROWS {
        row.sizes.iter().for_each(|&size| measure(row, size, &folder));
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!();
}

fn measure(row: &Row, size: usize, folder: &Path) {
    let scene = Scene { name: row.name.to_string(), text: (row.text)(size) };
    let by_hand: Vec<PathBuf> = row.by_hand.iter().map(|way| program_by_hand(row.name, size, way, folder)).collect();
    let synthesized = by_hand::synthesized(&scene, folder, &FLAGS);
    let (stages, _) = scene.compile(TOLERANCE);
    let machine = crate::running::machine(&stages);
    let runs = 200 / size + 5;
    let each = |outcome: &Outcome| outcome.seconds / outcome.evaluations as f64;
    let mut best = [f64::INFINITY; 3];
    for _ in 0..TURNS {
        let hand = by_hand.iter().map(|program| each(&by_hand::run(program, row.until, runs)));
        let turn = [
            hand.fold(f64::INFINITY, f64::min),
            each(&by_hand::run(&synthesized, row.until, runs)),
            each(&by_hand::in_memory(&stages, &machine, row.until, runs)),
        ];
        (0..3).for_each(|at| best[at] = best[at].min(turn[at]));
    }
    println!(
        "| {} | {size} | {} | {} | {} |",
        row.name,
        short(best[0] * 1e9),
        short(best[1] / best[0]),
        short(best[2] / best[0]),
    );
}

fn program_by_hand(name: &str, size: usize, way: &[&str], folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("by_hand").join(name).with_extension("c");
    let flags = FLAGS.iter().chain(way).map(|flag| flag.to_string()).chain([format!("-DN={size}")]);
    by_hand::compile(folder, &format!("{name}-{size}{}", way.concat()), &[source], &flags.collect::<Vec<_>>())
}

/// Bodies on a spiral that attract one another as stars in clusters do.
fn attracting(n: usize) -> String {
    let mut text = "scene attracting\n".to_string();
    for i in 1..=n {
        let angle = i as f64;
        let (x, y) = (angle * libm::cos(angle), angle * libm::sin(angle));
        let mass = 1.0 + (i % 7) as f64 / 10.0;
        let _ = writeln!(text, "body b[{i}] {{ position = (free({x} [m]), free({y} [m]), free); mass = {mass} [kg] }}");
    }
    text.push_str(
        "potential for pairs (p, q) in bodies =
           -1 [J*m/kg^2] * p.mass * q.mass / sqrt(|p.position - q.position|^2 + (0.1 [m])^2)\n",
    );
    text + "plot b[1].position.x\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs by hand are only worth comparing with if they compute the same.
    #[test]
    fn programs_by_hand_agree_with_synthesized_ones() {
        let folder = by_hand::folder("families-test");
        for row in ROWS {
            let size = row.sizes[1];
            let scene = Scene { name: row.name.to_string(), text: (row.text)(size) };
            let synthesized = by_hand::run(&by_hand::synthesized(&scene, &folder, &FLAGS), 1.0, 1).result;
            for way in row.by_hand {
                let hand = by_hand::run(&program_by_hand(row.name, size, way, &folder), 1.0, 1).result;
                assert!((hand - synthesized).abs() < 1e-5, "{}: {hand} by hand, {synthesized} synthesized", row.name);
            }
        }
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
