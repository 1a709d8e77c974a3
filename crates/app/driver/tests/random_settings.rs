//! Examples with parameters at random: every run ends as a tighter one does, or both end with errors that have names. A warning excuses
//! nothing, unless it says that the run is too coarse.
//!
//! `ANSATZ_SETTINGS_TRIALS=1000 cargo test --release -p driver --test random_settings` tries a thousand settings of each example;
//! `ANSATZ_SETTINGS_SEED` draws others, `ANSATZ_SETTINGS_OF` tries one example alone.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use base::Random;
use driver::{
    Compilation, Instance, Options, Run, Settings, Solver, apply, compile, describe_failure, describe_warnings,
    run_and_warn,
};

/// Examples that are tried if nobody asks for trials: so few are quick, and with another seed they are others.
const FEW: usize = 6;
/// Simulated seconds: short, for whatever is chaotic soon leaves every tighter run.
const UNTIL: f64 = 0.25;
/// Two tolerances of one method, and by how much their ends may differ, relative to one and to what is compared.
const TOLERANCES: [f64; 2] = [1e-8, 1e-10];
const APART: f64 = 1e-3;
/// How often a run is asked whether it goes on; those that go on for longer are left to whoever waits.
const PATIENCE: usize = 200;

#[test]
fn parameters_at_random_run_right_or_end_with_a_name() {
    let number = |variable: &str| std::env::var(variable).ok().and_then(|text| text.parse::<usize>().ok());
    let mut random = Random::new(number("ANSATZ_SETTINGS_SEED").unwrap_or(1) as u64);
    let trials = number("ANSATZ_SETTINGS_TRIALS");
    let wanted = std::env::var("ANSATZ_SETTINGS_OF").ok();
    let mut examples = examples();
    examples.retain(|path| wanted.as_ref().is_none_or(|wanted| path.file_stem().is_some_and(|name| name == &**wanted)));
    if trials.is_none() && wanted.is_none() {
        examples = (0..FEW).map(|_| examples[random.below(examples.len())].clone()).collect();
    }
    let (mut faults, mut ends) = (Vec::new(), [0; 4]);
    for path in examples {
        let before = faults.len();
        try_example(&path, trials.unwrap_or(2), &mut random, &mut ends, &mut faults);
        if trials.is_some() {
            eprintln!("{}: {} faults", path.display(), faults.len() - before);
        }
    }
    let [right, named, long, unlike] = ends;
    eprintln!("{right} right, {named} with a name, {long} too long to wait for, {unlike} after different transitions");
    assert!(right + named + long > 0, "nothing was tried");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn try_example(path: &Path, trials: usize, random: &mut Random, ends: &mut [usize; 4], faults: &mut Vec<String>) {
    let text = std::fs::read_to_string(path).expect("an example");
    let folder = path.parent().map(Path::to_path_buf);
    let options = Options { folder, tolerance: TOLERANCES[0], solver: Solver::Explicit, ..Options::default() };
    let compilation = compile("example", &text, &options);
    let Some(stages) = compilation.stages.clone() else { panic!("{}: {:?}", path.display(), compilation.diagnostics) };
    for _ in 0..trials {
        let drawn = stages.model.parameters.iter().map(|parameter| {
            let factor = libm::pow(10.0, random.between(-1.0, 1.0));
            let sign = if random.chance(0.05) { -1.0 } else { 1.0 };
            let value = if random.chance(0.03) { 0.0 } else { sign * factor * parameter.default };
            format!("{}={}", parameter.name, parameter.unit.count(value))
        });
        let parameters: Vec<String> = drawn.collect();
        let settings = Settings { parameters, controls: Vec::new() };
        let tried = catch_unwind(AssertUnwindSafe(|| {
            TOLERANCES.map(|tolerance| end(&compilation, &options, &settings, tolerance))
        }));
        let fault = match tried {
            Err(_) => Some("it panics".to_string()),
            Ok([one, other]) => judge(&one, &other, ends).err(),
        };
        let told = settings.parameters.iter().map(|set| format!(" --set {set}")).collect::<String>();
        faults.extend(fault.map(|fault| format!("{}{told}: {fault}", path.display())));
    }
}

/// How a run ended.
enum End {
    /// The last row, the number of transitions, and the codes of warnings.
    Reached(Vec<f64>, usize, Vec<String>),
    /// The codes of errors.
    Failed(Vec<String>),
    Long,
    Silent,
}

fn end(compilation: &Compilation, options: &Options, settings: &Settings, tolerance: f64) -> End {
    let mut found = base::Diagnostics::default();
    let codes = |found: &base::Diagnostics| found.iter().map(|one| one.code.0.to_string()).collect();
    let mut instance = match Instance::new(compilation, options, None) {
        Ok(instance) => instance,
        Err(found) => return End::Failed(codes(&found)),
    };
    apply(settings, &instance.stages(), &mut instance, &mut found);
    if found.has_errors() {
        return End::Failed(codes(&found));
    }
    let (mut last, mut calls) = ((0.0, Vec::new()), 0);
    let run = Run { until: UNTIL, every: UNTIL, tolerance };
    let row = |t: f64, values: &[f64]| {
        last = (t, values.to_vec());
        ControlFlow::Continue(())
    };
    let patience = |_| {
        calls += 1;
        if calls > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (_, warnings, result) = run_and_warn(&mut instance, run, row, patience);
    warnings.into_iter().for_each(|warning| found.report(warning));
    let failed = result.err().map(|failure| describe_failure(&failure, &instance)).unwrap_or_default();
    describe_warnings(&instance).iter().chain(failed.iter()).for_each(|one| found.report(one.clone()));
    match last {
        _ if found.has_errors() => End::Failed(codes(&found)),
        _ if calls > PATIENCE => End::Long,
        // Some scenes say when they are over.
        (t, row) if t >= instance.stopped().unwrap_or(UNTIL) => End::Reached(row, instance.events.len(), codes(&found)),
        _ => End::Silent,
    }
}

/// What says of a run that it is not as near to the motion as was asked for.
const COARSE: &[&str] = &["energy-drift"];

fn judge(one: &End, other: &End, ends: &mut [usize; 4]) -> Result<(), String> {
    match (one, other) {
        (End::Silent, _) | (_, End::Silent) => return Err("it ends too soon and says nothing".into()),
        (End::Failed(codes), _) | (_, End::Failed(codes)) if codes.iter().any(String::is_empty) => {
            return Err("it ends without a name".into());
        }
        (End::Failed(_), End::Failed(_)) => ends[1] += 1,
        (End::Long, _) | (_, End::Long) => ends[2] += 1,
        (End::Failed(codes), End::Reached(..)) | (End::Reached(..), End::Failed(codes)) => {
            return Err(format!("it ends with {codes:?} at one tolerance, and well at the other"));
        }
        // Where a body just comes to rest, or just does not, both tolerances are right.
        (End::Reached(_, some, _), End::Reached(_, others, _)) if some != others => ends[3] += 1,
        (End::Reached(row, _, told), End::Reached(closer, ..)) => {
            // What is not a number agrees with nothing.
            let agree = |(a, b): (&f64, &f64)| (a - b).abs() <= APART * (1.0 + b.abs());
            let apart = row.iter().zip(closer).position(|pair| !agree(pair));
            match apart {
                Some(at) if !told.iter().any(|code| COARSE.contains(&code.as_str())) => {
                    let (loose, tight) = (row[at], closer[at]);
                    return Err(format!("column {at} ends at {loose:?}, and with a tighter tolerance at {tight:?}"));
                }
                Some(_) => ends[1] += 1,
                None => ends[0] += 1,
            }
        }
    }
    Ok(())
}

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("examples").map(|entry| entry.expect("an entry").path()).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "anz"));
    all.sort();
    all
}
