//! `ansatz test`: a scene's claims, over ranges of its parameters.

use std::ops::ControlFlow;
use std::process::ExitCode;

use ansatz::Diagnostic;
use driver::{FailureKind, Run, Stages};

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

// Long: the command as a person sees it, from the first line that is printed to the exit code.
pub fn test(arguments: &TestArguments) -> ExitCode {
    let mut options = arguments.compile.options();
    options.tolerance = arguments.tolerance;
    let Some(scene) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    let stages = scene.stages();
    if stages.model.claims.is_empty() {
        render::complain("this scene claims nothing", "state what must hold: `claim dry: always boat.position.z >= 0`");
        return ExitCode::FAILURE;
    }
    let varied = match varied(arguments, stages) {
        Ok(varied) => varied,
        Err(diagnostic) => {
            render::print(&[diagnostic].into_iter().collect(), scene.sources());
            return ExitCode::FAILURE;
        }
    };
    let mut instance = match scene.instance() {
        Ok(instance) => instance,
        Err(error) => {
            render::print_error(&error);
            return ExitCode::FAILURE;
        }
    };
    let instance = instance.inner();
    let run = Run { until: arguments.until, every: arguments.until, tolerance: arguments.tolerance };
    let mut progress = Progress::new("run", arguments.runs as f64);
    let claims = &stages.model.claims;
    let (mut held, mut unfinished) = (vec![arguments.runs; claims.len()], 0);
    for at in 0..arguments.runs {
        progress.show(at as f64);
        let values = values(&varied, at, arguments.runs);
        varied.iter().zip(&values).for_each(|(one, &value)| instance.set_parameter(one.place, value));
        (0..claims.len()).for_each(|claim| instance.watch(claim, true));
        let mut judged = vec![false; claims.len()];
        // A run ends with the first claim that fails, so the others are judged without it.
        loop {
            let (_, result) =
                driver::run(instance, run, |_, _| ControlFlow::Continue(()), |_| ControlFlow::Continue(()));
            let Err(failure) = result else { break };
            progress.clear();
            let with = format!("in run {}, with {}", at + 1, listed(&varied, &values));
            let claim = failure.place;
            let (message, first) = match failure.kind {
                FailureKind::Refuted => {
                    let first = held[claim] == arguments.runs;
                    held[claim] -= 1;
                    (format!("{} does not hold {with}", claims[claim].name), first)
                }
                _ => {
                    unfinished += 1;
                    let open = held.iter_mut().zip(&judged).filter(|(_, judged)| !**judged);
                    open.for_each(|(held, _)| *held -= 1);
                    (format!("no end is reached {with}"), unfinished == 1)
                }
            };
            render::say(&message);
            if first {
                render::print(&driver::describe_failure(&failure, instance), scene.sources());
            }
            if failure.kind != FailureKind::Refuted {
                break;
            }
            judged[claim] = true;
            instance.watch(claim, false);
            if judged.iter().all(|judged| *judged) {
                break;
            }
        }
    }
    progress.clear();
    let runs = arguments.runs;
    for (claim, held) in claims.iter().zip(&held) {
        render::say(&format!("{}: {} held in {held} of {runs} runs", stages.model.name, claim.name));
    }
    if unfinished > 0 {
        render::say(&format!("{}: {unfinished} of {runs} runs did not come to their ends", stages.model.name));
    }
    if held.iter().all(|held| *held == runs) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The first run has the middle of each range. Then come the corners, if they are few beside the runs, else the lowest and the highest
/// of all. The others go through the ranges evenly (Weyl).
fn values(varied: &[Varied], run: usize, runs: usize) -> Vec<f64> {
    let all = u32::try_from(varied.len()).ok().and_then(|count| 2_usize.checked_pow(count));
    let corners = all.filter(|corners| *corners <= runs / 2);
    let value = |(index, one): (usize, &Varied)| match (run.checked_sub(1), corners) {
        (Some(corner), Some(corners)) if corner < corners => one.at((corner >> index & 1) as f64),
        (Some(corner), None) if corner < 2 => one.at(corner as f64),
        (Some(later), corners) => one.evenly(later + 1 - corners.unwrap_or(2), index),
        (None, _) => one.at(0.5),
    };
    varied.iter().enumerate().map(value).collect()
}

impl Varied {
    fn at(&self, share: f64) -> f64 {
        self.low + share * (self.high - self.low)
    }

    fn evenly(&self, run: usize, index: usize) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        // Powers of one irrational number are independent enough.
        let step = (0..index).fold(GOLDEN, |step, _| step * GOLDEN + 0.1);
        self.at((0.5 + run as f64 * step).fract())
    }
}

fn listed(varied: &[Varied], values: &[f64]) -> String {
    let pairs = varied.iter().zip(values).map(|(one, value)| format!("{}={}", one.name, value / one.scale));
    pairs.collect::<Vec<_>>().join(" ")
}

/// What varies, and how; or what is wrong with what was asked for.
fn varied(arguments: &TestArguments, stages: &Stages) -> Result<Vec<Varied>, Diagnostic> {
    let parameters = &stages.system.parameters;
    let between = |place: usize, [low, high]: [f64; 2]| {
        let parameter = &parameters[place];
        Varied { place, name: parameter.name.clone(), low, high, scale: parameter.unit.scale }
    };
    if arguments.vary.is_empty() {
        let around = |place: usize| {
            let (value, reach) = (parameters[place].default, SPREAD * parameters[place].default.abs());
            between(place, [value - reach, value + reach])
        };
        return Ok((0..parameters.len()).map(around).collect());
    }
    let read = |text: &String| driver::range_of_parameter(text, stages);
    arguments.vary.iter().map(|text| read(text).map(|(place, range)| between(place, range))).collect()
}
