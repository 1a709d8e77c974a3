//! Many runs of a text for one picture: each with other values of one or two parameters, and each comes down to one number.
//!
//! A worker that makes them answers nothing else until they are there; whoever does not want them any more ends it.

use std::path::Path;
use std::time::Duration;

use ansatz::{Ensemble, Error, One, Options, Scene, Severity, Span};
use host::Instant;

use super::Outbox;
use crate::describe::series;
use crate::pipe::Private;
use crate::protocol::{Reduce, Refusal, Reply, Sweep, SweptRun, Unit};

/// A picture with more points than this says nothing more, and nobody waits for it.
const MOST_RUNS: usize = 10_000;
/// Rows of a run among which the largest and the least value are sought.
const ROWS: f64 = 1000.0;
/// So often the page hears of new runs.
const MOMENT: Duration = Duration::from_millis(100);

/// A sweep that can begin.
struct Prepared {
    ensemble: Ensemble,
    /// Values of what all runs have in common, which stand before those that vary.
    common: Vec<f64>,
    unit: Unit,
}

pub fn sweep(wanted: &Sweep, folder: &Path, out: &mut Outbox) {
    let mut telling = Telling { request: wanted.request, runs: Vec::new(), last: Instant::now(), out };
    let prepared = match prepare(wanted, folder) {
        Ok(prepared) => prepared,
        Err(trouble) => return telling.tell(None, Some(trouble)),
    };
    telling.tell(Some(prepared.unit.clone()), None);
    let values = |run: usize| prepared.common.iter().copied().chain(values_of(wanted, run)).collect::<Vec<f64>>();
    each(&prepared.ensemble, count(wanted), &values, &mut |run, result| {
        telling.runs.push(reduced(run, result, wanted.reduce));
        if telling.last.elapsed() > MOMENT {
            telling.tell(None, None);
        }
    });
    telling.tell(None, None);
}

/// Makes all runs, in whatever order.
#[cfg(not(target_arch = "wasm32"))]
fn each(
    ensemble: &Ensemble,
    count: usize,
    values: &(dyn Fn(usize) -> Vec<f64> + Sync),
    take: &mut dyn FnMut(usize, Result<One, Error>),
) {
    let runs: Vec<usize> = (0..count).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // Lanes need a C compiler, for which a worker has neither the rights nor the time.
    let many = ansatz::Many { runs: &runs, values, threads, lanes: ansatz::Lanes::Never, go_on: &|| true };
    ensemble.run_many(&many, |result| {
        if let Some((run, result)) = result {
            take(run, result);
        }
        std::ops::ControlFlow::Continue(())
    });
}

/// A page has no threads.
#[cfg(target_arch = "wasm32")]
fn each(
    ensemble: &Ensemble,
    count: usize,
    values: &(dyn Fn(usize) -> Vec<f64> + Sync),
    take: &mut dyn FnMut(usize, Result<One, Error>),
) {
    (0..count).for_each(|run| take(run, ensemble.run(&values(run), &|| true)));
}

fn count(wanted: &Sweep) -> usize {
    wanted.vary.iter().map(|one| one.count).product()
}

/// The values of what varies in a run, by its number.
fn values_of(wanted: &Sweep, run: usize) -> impl Iterator<Item = f64> {
    let mut rest = run;
    wanted.vary.iter().map(move |one| {
        let at = rest % one.count;
        rest /= one.count;
        // The ends are exact, so that a run at an end is that of a slider at its end.
        match at {
            0 => one.low,
            at if at + 1 == one.count => one.high,
            at => one.low + (one.high - one.low) * (at as f64 / (one.count - 1) as f64),
        }
    })
}

/// Compiles the text for the one quantity; what is wrong is told in the user's words.
fn prepare(wanted: &Sweep, folder: &Path) -> Result<Prepared, Refusal> {
    check(wanted)?;
    let probes = vec![wanted.quantity.clone()];
    let options = Options { folder: Some(folder.to_path_buf()), probes, ..Options::default() };
    let scene = Scene::compile(&wanted.path, &wanted.source, &options).map_err(|error| refusal(&error))?;
    let stages = scene.stages();
    let series: Vec<_> = stages.model.outputs.iter().flat_map(|output| series(stages, 0, output)).collect();
    let [only] = series.as_slice() else {
        let message = format!("`{}` is not one number", wanted.quantity);
        let hint = format!("a component is: `{}`", series.first().map_or("", |first| &first.name));
        return Err(Refusal { message, hint });
    };
    let settings = wanted.parameters.iter().chain(&wanted.controls);
    let known = |name: &str| scene.adjustable(name).is_ok() && wanted.vary.iter().all(|one| one.name != name);
    let (mut names, common): (Vec<&str>, Vec<f64>) =
        settings.filter(|(name, _)| known(name)).map(|(name, value)| (name.as_str(), *value)).unzip();
    names.extend(wanted.vary.iter().map(|one| one.name.as_str()));
    let span = Span { until: wanted.until, every: wanted.until / ROWS };
    let ensemble = Ensemble::new(&scene, &names, &Default::default(), span).map_err(|error| refusal(&error))?;
    Ok(Prepared { ensemble, common, unit: only.unit.clone() })
}

fn check(wanted: &Sweep) -> Result<(), Refusal> {
    let refused = |message: String, hint: &str| Err(Refusal { message, hint: hint.to_string() });
    let runs = wanted.vary.iter().try_fold(1_usize, |all, one| all.checked_mul(one.count));
    if let Some(bad) = wanted.vary.iter().find(|one| !(one.low.is_finite() && one.high.is_finite() && one.count > 1)) {
        return refused(
            format!("the range of `{}` makes no sense", bad.name),
            "it has two ends, and at least two values",
        );
    }
    if !runs.is_some_and(|runs| (1..=MOST_RUNS).contains(&runs)) {
        return refused(
            format!("a sweep here has {MOST_RUNS} runs at most"),
            "take fewer values; `ansatz sweep` makes more",
        );
    }
    if !(wanted.until > 0.0 && wanted.until.is_finite()) {
        return refused("the runs have no length".to_string(), "say after how many seconds they end");
    }
    Ok(())
}

/// The first error of a text or a setting.
fn refusal(error: &Error) -> Refusal {
    let found = error.diagnostics().sorted();
    let first = found.iter().find(|one| one.severity == Severity::Error);
    match first {
        Some(one) => Refusal { message: one.message.clone(), hint: one.hints.first().cloned().unwrap_or_default() },
        None => Refusal { message: error.to_string(), hint: String::new() },
    }
}

/// What a run comes down to; one that failed on its way has no number, whatever it did before.
fn reduced(run: usize, result: Result<One, Error>, reduce: Reduce) -> SweptRun {
    let failed = |error: &Error| SweptRun { run, value: None, why: Some(refusal(error).message) };
    let one = match result {
        Err(error) => return failed(&error),
        Ok(one) => one,
    };
    if let Some(failure) = &one.finished.failure {
        return failed(failure);
    }
    let mut values = one.rows.iter().map(|row| row[1]);
    let value = match reduce {
        Reduce::Last => values.next_back(),
        Reduce::Max => values.reduce(f64::max),
        Reduce::Min => values.reduce(f64::min),
    };
    let value = value.filter(|value| value.is_finite());
    SweptRun { run, value, why: value.is_none().then(|| "the quantity has no value".to_string()) }
}

/// What the page has not heard of yet.
struct Telling<'o> {
    request: u32,
    runs: Vec<SweptRun>,
    last: Instant,
    out: &'o mut Outbox,
}

impl Telling<'_> {
    fn tell(&mut self, unit: Option<Unit>, trouble: Option<Refusal>) {
        let reply = Reply::Swept { request: self.request, unit, runs: std::mem::take(&mut self.runs), trouble };
        self.out.private(&Private::Answer(serde_json::to_string(&reply).unwrap_or_default()));
        self.last = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Varied;

    fn wanted(vary: Vec<Varied>) -> Sweep {
        let source = "scene s\nparam g = 9 [m/s^2]\nparam up = 1 [m/s]\ngravity g\nbody stone { position = (0, 0, free); mass = 1 [kg] }\ninitially stone.velocity.z == up";
        Sweep {
            request: 1,
            path: "s.anz".into(),
            source: source.into(),
            parameters: [("up".to_string(), 6.0), ("gone".to_string(), 1.0)].into(),
            controls: Default::default(),
            vary,
            quantity: "stone.position.z".into(),
            reduce: Reduce::Max,
            until: 4.0,
        }
    }

    fn varied(name: &str, low: f64, high: f64, count: usize) -> Varied {
        Varied { name: name.into(), low, high, count }
    }

    fn swept(wanted: &Sweep) -> Result<Vec<f64>, Refusal> {
        let prepared = prepare(wanted, Path::new("."))?;
        let mut values = vec![f64::NAN; count(wanted)];
        let of = |run: usize| prepared.common.iter().copied().chain(values_of(wanted, run)).collect::<Vec<f64>>();
        each(&prepared.ensemble, count(wanted), &of, &mut |run, one| {
            values[run] = reduced(run, one, wanted.reduce).value.unwrap_or(f64::NAN);
        });
        Ok(values)
    }

    /// A stone rises to v² / 2g. Rows are 4 ms apart, so the top is met to g (2 ms)² / 2.
    #[test]
    fn runs_come_down_to_their_largest_values() {
        let one = wanted(vec![varied("g", 4.0, 12.0, 5)]);
        for (height, g) in swept(&one).expect("a sweep").iter().zip([4.0, 6.0, 8.0, 10.0, 12.0]) {
            assert!((height - 36.0 / (2.0 * g)).abs() < g * 2e-3 * 2e-3, "{height} for {g}");
        }
        let both = wanted(vec![varied("g", 4.0, 12.0, 5), varied("up", 2.0, 4.0, 3)]);
        let heights = swept(&both).expect("a sweep");
        for (run, height) in heights.iter().enumerate() {
            let (g, up) = (4.0 + 2.0 * (run % 5) as f64, 2.0 + (run / 5) as f64);
            assert!((height - up * up / (2.0 * g)).abs() < g * 2e-3 * 2e-3, "{height} for {g} and {up}");
        }
    }

    #[test]
    fn the_value_at_the_end_and_the_least_one_are_there() {
        // z(4) = 6·4 − g·16/2, and the start at 0 is the least while g < 3.
        let last = Sweep { reduce: Reduce::Last, ..wanted(vec![varied("g", 1.0, 2.0, 2)]) };
        let values = swept(&last).expect("a sweep");
        assert!((values[0] - 16.0).abs() < 1e-7 && (values[1] - 8.0).abs() < 1e-7, "{values:?}");
        let least = Sweep { reduce: Reduce::Min, ..last };
        assert_eq!(swept(&least).expect("a sweep"), [0.0, 0.0]);
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_words() {
        let range = || vec![varied("g", 4.0, 12.0, 5)];
        let refused = |wanted: Sweep| swept(&wanted).expect_err("refused").message;
        assert_eq!(
            refused(Sweep { quantity: "stone.position".into(), ..wanted(range()) }),
            "`stone.position` is not one number"
        );
        assert!(refused(Sweep { quantity: "stine.position.z".into(), ..wanted(range()) }).contains("stine"));
        assert!(refused(wanted(vec![varied("h", 1.0, 2.0, 3)])).contains("`h`"));
        assert!(refused(wanted(vec![varied("g", 1.0, 2.0, 1)])).contains("`g`"));
        assert!(refused(wanted(vec![varied("g", 1.0, 2.0, 200), varied("up", 1.0, 2.0, 51)])).contains("10000"));
        assert!(refused(Sweep { until: 0.0, ..wanted(range()) }).contains("no length"));
        assert!(refused(Sweep { source: "scene s\nbody b {".into(), ..wanted(range()) }).len() > 5);
    }

    #[test]
    fn a_run_that_fails_says_why() {
        let one = Sweep {
            source: "scene s\nparam p = 1\nx: [1] = 1\nalways x' == p * x * x / 1 [s]\nplot x".into(),
            quantity: "x".into(),
            until: 1.5,
            ..wanted(vec![varied("p", 0.1, 1.0, 2)])
        };
        let prepared = prepare(&one, Path::new(".")).expect("a sweep");
        // x = 1 / (1 − p t): beyond all bounds at t = 1 for p = 1.
        let fine = reduced(0, prepared.ensemble.run(&[0.1], &|| true), Reduce::Last);
        assert!((fine.value.expect("a value") - 1.0 / 0.85).abs() < 1e-7);
        let lost = reduced(1, prepared.ensemble.run(&[1.0], &|| true), Reduce::Last);
        assert!(lost.value.is_none() && lost.why.is_some_and(|why| !why.is_empty()));
    }
}
