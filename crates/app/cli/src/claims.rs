//! `ansatz test`: a scene's claims, over ranges of its parameters.

use std::ops::ControlFlow;
use std::process::ExitCode;

use driver::{Run, Stages, Trouble};

use crate::arguments::TestArguments;
use crate::progress::Progress;
use crate::{render, scene};

/// By which share parameters vary if nobody says how.
const SPREAD: f64 = 0.1;

/// A parameter and the range, in SI units, in which it varies.
struct Varied {
    place: usize,
    name: String,
    low: f64,
    high: f64,
    scale: f64,
}

pub fn test(arguments: &TestArguments) -> ExitCode {
    let mut options = arguments.compile.options();
    options.tolerance = arguments.tolerance;
    let Some(compilation) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    render::print(&compilation.diagnostics, &compilation.sources);
    let Some(stages) = &compilation.stages else { return ExitCode::FAILURE };
    if stages.model.claims.is_empty() {
        render::complain("this scene claims nothing", "state what must hold: `claim dry: always boat.position.z >= 0`");
        return ExitCode::FAILURE;
    }
    let varied = match varied(arguments, stages) {
        Ok(varied) => varied,
        Err((message, hint)) => {
            render::complain(&message, &hint);
            return ExitCode::FAILURE;
        }
    };
    let mut automaton = driver::automaton(&compilation, stages, &options);
    let run = Run { until: arguments.until, every: arguments.until, tolerance: arguments.tolerance };
    let mut progress = Progress::new(arguments.runs as f64);
    let mut failed = 0;
    for at in 0..arguments.runs {
        progress.show(at as f64);
        let values: Vec<f64> = varied.iter().enumerate().map(|(index, one)| one.value(at, index)).collect();
        varied.iter().zip(&values).for_each(|(one, &value)| automaton.parameters[one.place] = value);
        let (_, result) =
            driver::run(&mut automaton, run, |_, _| ControlFlow::Continue(()), |_| ControlFlow::Continue(()));
        if let Err(trouble) = result {
            failed += 1;
            progress.clear();
            let word =
                if matches!(trouble, Trouble::Refuted { .. }) { "does not hold" } else { "does not come to its end" };
            render::say(&format!("run {} {word} with {}", at + 1, listed(&varied, &values)));
            render::print(&driver::describe_trouble(&trouble, &automaton), &compilation.sources);
        }
    }
    progress.clear();
    let claims: Vec<&str> = stages.model.claims.iter().map(|claim| claim.name.as_str()).collect();
    let held = arguments.runs - failed;
    render::say(&format!("{}: {} held in {held} of {} runs", stages.model.name, claims.join(", "), arguments.runs));
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Varied {
    /// The first run has the middle of each range; the others go through all of them evenly (Weyl).
    fn value(&self, run: usize, index: usize) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        // Powers of one irrational number are independent enough.
        let step = (0..index).fold(GOLDEN, |step, _| step * GOLDEN + 0.1);
        let share = (0.5 + run as f64 * step).fract();
        self.low + share * (self.high - self.low)
    }
}

fn listed(varied: &[Varied], values: &[f64]) -> String {
    let pairs = varied.iter().zip(values).map(|(one, value)| format!("{}={}", one.name, value / one.scale));
    pairs.collect::<Vec<_>>().join(" ")
}

/// What varies, and how; or what is wrong with what was asked for, and what to do.
fn varied(arguments: &TestArguments, stages: &Stages) -> Result<Vec<Varied>, (String, String)> {
    let parameters = &stages.system.parameters;
    if arguments.vary.is_empty() {
        let around = |place: usize| {
            let parameter = &parameters[place];
            let (value, reach) = (parameter.default, SPREAD * parameter.default.abs());
            Varied {
                place,
                name: parameter.name.clone(),
                low: value - reach,
                high: value + reach,
                scale: parameter.unit.scale,
            }
        };
        return Ok((0..parameters.len()).map(around).collect());
    }
    let read = |text: &String| {
        let wrong = || {
            (
                format!("`--vary {text}` is no range"),
                "write `--vary NAME=A..B`, as in `--vary height=0.5..2`".to_string(),
            )
        };
        let (name, range) = text.split_once('=').ok_or_else(wrong)?;
        let (low, high) = range.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong);
        let (low, high) = (number(low)?, number(high)?);
        let place = parameters.iter().position(|parameter| parameter.name == name.trim()).ok_or_else(|| {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            (format!("the scene has no parameter `{}`", name.trim()), format!("it has {}", names.join(", ")))
        })?;
        let scale = parameters[place].unit.scale;
        Ok(Varied { place, name: name.trim().to_string(), low: low * scale, high: high * scale, scale })
    };
    arguments.vary.iter().map(read).collect()
}
