//! Runs side by side in lanes: each has the bits, the events, the warnings and the failure that it has by itself.

use std::ops::ControlFlow;

use ansatz::{Ensemble, Lanes, Made, Many, One, Options, Scene, Settings, Span};

/// Where each run is in a unit cube: far apart, and the same each time.
fn shares(run: usize) -> [f64; 2] {
    [0.618_033_988_749_894_9, 0.414_213_562_373_095_05].map(|step| ((run + 1) as f64 * step).fract())
}

struct Asked<'a> {
    text: &'a str,
    options: Options,
    varied: &'a [(&'a str, f64, f64)],
    span: Span,
    /// Whether every fifth run is asked for what is not a number.
    holes: bool,
}

impl Asked<'_> {
    /// Makes so many runs in lanes, and each by itself, and compares all that is known of them. Gives how many failed.
    fn agree(&self, count: usize, threads: usize) -> usize {
        let scene = Scene::compile("scene", self.text, &self.options).unwrap_or_else(|error| panic!("{error}"));
        let names: Vec<&str> = self.varied.iter().map(|(name, ..)| *name).collect();
        let ensemble = Ensemble::new(&scene, &names, &Settings::default(), self.span).expect("an ensemble");
        let values = |run: usize| -> Vec<f64> {
            let hole = if self.holes && run % 5 == 3 { f64::NAN } else { 0.0 };
            self.varied
                .iter()
                .zip(shares(run))
                .map(|((_, low, high), share)| low + (high - low) * share + hole)
                .collect()
        };
        let runs: Vec<usize> = (0..count).collect();
        let mut found: Vec<Option<Result<One, ansatz::Error>>> = (0..count).map(|_| None).collect();
        let many = Many { runs: &runs, values: &values, threads, lanes: Lanes::Always, go_on: &|| true };
        let made = ensemble.run_many(&many, |result| {
            if let Some((run, one)) = result {
                assert!(found[run].is_none(), "run {run} came twice");
                found[run] = Some(one);
            }
            ControlFlow::Continue(())
        });
        assert!(matches!(made, Made::SideBySide(_)), "{made:?}");
        let mut failed = 0;
        for (run, found) in found.into_iter().enumerate() {
            let (found, wanted) = (found.expect("each run comes"), ensemble.run(&values(run), &|| true));
            let text = |error: &ansatz::Error| error.to_string();
            match (found, wanted) {
                (Ok(found), Ok(wanted)) => {
                    assert_same(run, &found, &wanted);
                    failed += usize::from(found.finished.failure.is_some());
                }
                (Err(found), Err(wanted)) => {
                    assert_eq!(text(&found), text(&wanted));
                    failed += 1;
                }
                (found, wanted) => panic!("run {run}: {found:?}, but by itself {wanted:?}"),
            }
        }
        failed
    }
}

fn assert_same(run: usize, found: &One, wanted: &One) {
    let bits = |one: &One| -> Vec<Vec<u64>> {
        one.rows.iter().map(|row| row.iter().map(|value| value.to_bits()).collect()).collect()
    };
    assert_eq!(bits(found), bits(wanted), "run {run}: {:?} and {:?}", found.rows.last(), wanted.rows.last());
    let events = |one: &One| -> Vec<(u64, String)> {
        one.events.iter().map(|event| (event.t.to_bits(), event.name.clone())).collect()
    };
    assert_eq!(events(found), events(wanted), "run {run}");
    assert_eq!(found.finished.summary, wanted.finished.summary, "run {run}");
    let failure = |one: &One| one.finished.failure.as_ref().map(ToString::to_string);
    assert_eq!(failure(found), failure(wanted), "run {run}");
    let warnings = |one: &One| one.finished.warnings.iter().map(|found| found.message.clone()).collect::<Vec<String>>();
    assert_eq!(warnings(found), warnings(wanted), "run {run}");
}

fn example(name: &str) -> String {
    let file = format!("{}/../../../examples/{name}.anz", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).expect("an example")
}

#[test]
fn double_pendulums() {
    let text = example("double_pendulum");
    let options = Options { tolerance: 1e-6, ..Options::default() };
    let varied = [("angle1", -3.0, 3.0), ("angle2", -3.0, 3.0)];
    let asked = Asked { text: &text, options, varied: &varied, span: Span { until: 3.0, every: 3.0 }, holes: false };
    // All numbers of runs, however many lanes are left over.
    for count in 1..20 {
        assert_eq!(asked.agree(count, 1 + count % 3), 0);
    }
    let asked = Asked { span: Span { until: 1.0, every: 0.07 }, ..asked };
    assert_eq!(asked.agree(50, 2), 0);
}

#[test]
fn balls_that_bounce_each_at_its_own_times() {
    let text = example("bouncing_ball");
    let varied = [("height", 0.5, 2.0), ("restitution", 0.5, 0.9)];
    let span = Span { until: 4.0, every: 0.5 };
    assert_eq!(Asked { text: &text, options: Options::default(), varied: &varied, span, holes: false }.agree(45, 2), 0);
}

#[test]
fn runs_that_fail_beside_others_that_stand() {
    // x = 1 / (1 - rate t): it ends at t = 1 / rate.
    let text = "scene s\nparam rate = 1 [1/(m*s)]\nx: [m] = 1 [m]\nalways x' == rate * x * x\nplot x";
    let span = Span { until: 4.0, every: 0.5 };
    let asked = Asked { text, options: Options::default(), varied: &[("rate", -1.0, 1.0)], span, holes: true };
    let failed = asked.agree(43, 2);
    let holes = (0..43).filter(|run| run % 5 == 3).count();
    assert!(failed > holes + 5 && failed < 40, "{failed}");
    // A mass that is none is refused before the run begins.
    let text = example("double_pendulum");
    let varied = [("mass2", -0.5, 1.0), ("angle1", -3.0, 3.0)];
    let span = Span { until: 1.0, every: 1.0 };
    let failed = Asked { text: &text, options: Options::default(), varied: &varied, span, holes: false }.agree(21, 1);
    assert!(failed > 2 && failed < 15, "{failed}");
}

#[test]
fn stiff_runs_beside_others() {
    let text = "scene s\nparam rate = 1 [1/s]\nx: [1] = 2\nalways x' == rate * (cos(t / 1 [s]) - x)\nplot x";
    let varied = [("rate", 1.0, 3e5)];
    for (until, tolerance) in [(12.0, 1e-6), (2.0, 1e-8)] {
        let options = Options { tolerance, ..Options::default() };
        let span = Span { until, every: until / 4.0 };
        assert_eq!(Asked { text, options, varied: &varied, span, holes: false }.agree(13, 2), 0);
    }
}

#[test]
fn what_touches_is_not_for_lanes() {
    let scene = Scene::compile("drop", &example("dropped_ball"), &Options::default()).expect("a scene");
    let ensemble = Ensemble::new(&scene, &[], &Settings::default(), Span { until: 0.1, every: 0.1 }).expect("runs");
    let runs = [0, 1, 2];
    let many = Many { runs: &runs, values: &|_| Vec::new(), threads: 1, lanes: Lanes::Always, go_on: &|| true };
    let mut ended = 0;
    let made = ensemble.run_many(&many, |result| {
        ended += usize::from(matches!(result, Some((_, Ok(_)))));
        ControlFlow::Continue(())
    });
    assert!(matches!(made, Made::WithoutLanes(_)) && ended == 3, "{made:?}");
}
