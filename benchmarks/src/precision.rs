//! What accuracy costs: the error at the end of five published problems over derivatives and seconds, beside SciPy, as tables and as a
//! drawing. SciPy is run by `benchmarks/precision.py`, if it is there.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use driver::{Options, Run, Settings, Simulation, Solver};

use crate::stopwatch::{median, repeat, time};

struct Problem {
    name: &'static str,
    /// The scene, in the examples.
    scene: &'static str,
    settings: &'static [&'static str],
    probes: &'static [&'static str],
    solver: Solver,
}

const PROBLEMS: [Problem; 5] = [
    Problem {
        name: "pendulum",
        scene: "pendulum",
        settings: &["angle=90"],
        probes: &["bob.position.y", "bob.position.z"],
        solver: Solver::Explicit,
    },
    Problem {
        name: "van_der_pol",
        scene: "published/van_der_pol",
        settings: &[],
        probes: &[],
        solver: Solver::Implicit,
    },
    Problem { name: "hires", scene: "published/hires", settings: &[], probes: &[], solver: Solver::Implicit },
    Problem { name: "oregonator", scene: "published/oregonator", settings: &[], probes: &[], solver: Solver::Implicit },
    Problem { name: "robertson", scene: "published/robertson", settings: &[], probes: &[], solver: Solver::Implicit },
];

/// One run.
#[derive(Clone, Debug, PartialEq)]
struct Point {
    problem: String,
    method: String,
    tolerance: f64,
    /// The largest relative error at the end.
    error: f64,
    derivatives: f64,
    seconds: f64,
}

pub fn table() {
    println!("## Accuracy and what it costs\n");
    println!(
        "The largest relative error at the end. Tolerances mean different things to different methods: compare errors.\n"
    );
    let peers = peers();
    if peers.is_empty() {
        println!("(SciPy is not there to compare with: `python3 -m pip install scipy`.)\n");
    }
    let mut points: Vec<Point> = PROBLEMS.iter().flat_map(own).collect();
    points.extend(peers);
    for problem in &PROBLEMS {
        println!("### {}\n", problem.name);
        println!("| method | tolerance | error | derivatives | ms |\n|---|--:|--:|--:|--:|");
        for point in points.iter().filter(|point| point.problem == problem.name) {
            let Point { method, tolerance, error, derivatives, seconds, .. } = point;
            println!("| {method} | {tolerance:.0e} | {error:.1e} | {derivatives} | {:.3} |", 1e3 * seconds);
        }
        println!();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/precision.svg");
    match std::fs::write(&file, drawing(&points)) {
        Ok(()) => println!("Drawn in `target/precision.svg`.\n"),
        Err(error) => println!("(The drawing could not be written: {error}.)\n"),
    }
}

/// When a published problem ends, and what its values are then.
fn end(scene: &str) -> (f64, Vec<f64>) {
    let lines = include_str!("../../examples/published/ends.csv").lines();
    let mut rows = lines.map(|line| line.split(',').collect::<Vec<_>>());
    let row = rows.find(|row| row[0] == scene).unwrap_or_else(|| panic!("no end of `{scene}`"));
    let mut numbers = row[1..].iter().map(|text| text.parse().expect("a number"));
    (numbers.next().expect("a time"), numbers.collect())
}

fn own(problem: &Problem) -> Vec<Point> {
    let path = crate::examples().join(problem.scene).with_extension("anz");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let settings = Settings {
        parameters: problem.settings.iter().map(|setting| (*setting).to_string()).collect(),
        ..Settings::default()
    };
    let (until, values) = end(problem.name);
    let mut points = Vec::new();
    for tolerance in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12] {
        let probes = problem.probes.iter().map(|probe| (*probe).to_string()).collect();
        let options = Options { tolerance, probes, solver: problem.solver, ..Options::default() };
        let compilation = driver::compile(problem.name, &text, &options);
        let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("`{}` has errors", problem.name));
        let machine = driver::machine(&stages.module).unwrap_or_else(|error| panic!("{}: {error:?}", problem.name));
        let mut simulation = Simulation::new(&stages.module, machine.clone());
        driver::apply(&settings, stages, &mut simulation, &mut Default::default());
        let run = Run { until, every: until, tolerance };
        let mut last = Vec::new();
        let mut work = || {
            let row = |_: f64, values: &[f64]| {
                last = values.to_vec();
                ControlFlow::Continue(())
            };
            let (took, (summary, result)) =
                time(|| driver::run(&mut simulation, run, row, |_| ControlFlow::Continue(())));
            assert!(result.is_ok(), "`{}` comes to its end", problem.name);
            (took, summary.statistics.evaluations)
        };
        let runs = repeat(Duration::from_millis(200), &mut work);
        let seconds = median(runs.iter().map(|run| run.0).collect()).as_secs_f64();
        let derivatives = runs[0].1;
        let errors = last.iter().zip(&values).map(|(found, value)| ((found - value) / value).abs());
        points.push(Point {
            problem: problem.name.to_string(),
            method: if problem.solver == Solver::Implicit { "Ansatz, implicit" } else { "Ansatz, explicit" }
                .to_string(),
            tolerance,
            error: errors.fold(0.0, f64::max),
            derivatives: derivatives as f64,
            seconds,
        });
    }
    points
}

/// What SciPy finds; nothing if it is not there.
fn peers() -> Vec<Point> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("precision.py");
    let Ok(output) = Command::new("python3").arg(script).output() else { return Vec::new() };
    String::from_utf8_lossy(&output.stdout).lines().filter_map(read).collect()
}

fn read(line: &str) -> Option<Point> {
    let parts: Vec<&str> = line.split(',').collect();
    let [problem, method, numbers @ ..] = &parts[..] else { return None };
    let numbers: Vec<f64> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    let [tolerance, error, derivatives, seconds] = numbers[..] else { return None };
    let (problem, method) = ((*problem).to_string(), format!("SciPy, {method}"));
    Some(Point { problem, method, tolerance, error, derivatives, seconds })
}

const METHODS: [(&str, &str); 5] = [
    ("Ansatz, explicit", "#c0392b"),
    ("Ansatz, implicit", "#c0392b"),
    ("SciPy, DOP853", "#2980b9"),
    ("SciPy, LSODA", "#27ae60"),
    ("SciPy, Radau", "#8e44ad"),
];
/// What a run costs, in some currency.
type Cost = fn(&Point) -> f64;
const COSTS: [(&str, Cost); 2] = [("derivatives", |point| point.derivatives), ("seconds", |point| point.seconds)];
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 44.0;

/// For each problem a panel of error over derivatives, and one of error over seconds; both axes logarithmic.
fn drawing(points: &[Point]) -> String {
    let (columns, rows) = (PROBLEMS.len() as f64, 2.0);
    let (width, height) = (columns * WIDTH, rows * HEIGHT + 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"10\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (column, problem) in PROBLEMS.iter().enumerate() {
        let of_problem: Vec<&Point> = points.iter().filter(|point| point.problem == problem.name).collect();
        for (row, (label, cost)) in COSTS.into_iter().enumerate() {
            let corner = (column as f64 * WIDTH, row as f64 * HEIGHT);
            panel(&mut svg, corner, (problem.name, label), &of_problem, cost);
        }
    }
    for (at, (method, color)) in METHODS.iter().skip(1).enumerate() {
        let (x, y) = (MARGIN + 150.0 * at as f64, rows * HEIGHT + 15.0);
        let name = if at == 0 { "Ansatz" } else { method };
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{}\" width=\"14\" height=\"4\" fill=\"{color}\"/>", y - 5.0);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{name}</text>", x + 20.0);
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, (left, top): (f64, f64), (name, label): (&str, &str), points: &[&Point], cost: Cost) {
    let place = |point: &&Point| (libm::log10(cost(point).max(1e-9)), libm::log10(point.error.max(1e-17)));
    let places: Vec<(f64, f64)> = points.iter().map(place).collect();
    let range = |values: Vec<f64>| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min).floor();
        (low, values.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil().max(low + 1.0))
    };
    let (x, y) =
        (range(places.iter().map(|place| place.0).collect()), range(places.iter().map(|place| place.1).collect()));
    let (wide, high) = (WIDTH - MARGIN - 16.0, HEIGHT - 2.0 * MARGIN + 10.0);
    let (left, top) = (left + MARGIN, top + 24.0);
    let across = |value: f64| left + wide * (value - x.0) / (x.1 - x.0);
    let down = |value: f64| top + high * (y.1 - value) / (y.1 - y.0);
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{name}</text>", top - 8.0);
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" fill=\"none\" stroke=\"#999\"/>"
    );
    for power in x.0 as i32..=x.1 as i32 {
        let at = across(f64::from(power));
        let _ = writeln!(svg, "<path d=\"M{at} {top}v{high}\" stroke=\"#eee\"/>");
        let below = top + high + 12.0;
        let _ = writeln!(svg, "<text x=\"{at}\" y=\"{below}\" text-anchor=\"middle\">1e{power}</text>");
    }
    for power in (y.0 as i32..=y.1 as i32).step_by(2) {
        let at = down(f64::from(power));
        let _ = writeln!(svg, "<path d=\"M{left} {at}h{wide}\" stroke=\"#eee\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">1e{power}</text>", left - 4.0, at + 3.0);
    }
    let (middle, below) = (left + wide / 2.0, top + high + 25.0);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{label}</text>");
    for (method, color) in METHODS {
        let of_method = points.iter().zip(&places).filter(|(point, _)| point.method == method);
        let dots: Vec<(f64, f64)> = of_method.map(|(_, place)| (across(place.0), down(place.1))).collect();
        let line: Vec<String> = dots.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let line = line.join(" ");
        let _ = writeln!(svg, "<polyline points=\"{line}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>");
        for (x, y) in dots {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{color}\"/>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_peer_are_read() {
        let point = read("hires,Radau,1.0e-06,2.5e-08,1652,5.9e-01").expect("a point");
        assert_eq!((point.problem.as_str(), point.method.as_str()), ("hires", "SciPy, Radau"));
        assert_eq!((point.error, point.derivatives), (2.5e-8, 1652.0));
        assert_eq!(read("Traceback (most recent call last):"), None);
    }
}
