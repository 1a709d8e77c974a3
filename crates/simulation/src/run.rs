//! A headless run: rows at exact times, and a summary of how it went.

use std::ops::ControlFlow;

use kernel::executive::AT_ONCE;

use crate::simulation::{Failure, FailureKind, Monitor, Simulation, Statistics};

/// What to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    pub until: f64,
    pub every: f64,
    pub tolerance: f64,
}

/// How a run went, as far as it got.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Summary {
    pub rows: usize,
    pub time: f64,
    pub statistics: Statistics,
    /// The largest deviation of the energy from its first value.
    pub energy_drift: f64,
    /// What that deviation is to be compared with: the larger of |energy| and peak kinetic energy.
    pub energy_size: f64,
    pub constraint_error: f64,
    /// Where contact is gathered in steps of a fixed length.
    pub contact_steps: Option<ContactSteps>,
}

/// How steps of a fixed length went in which contact is gathered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSteps {
    /// How deep something came into something else at most, when that was, and which pair of things it was.
    pub depth: f64,
    pub time: f64,
    pub pair: usize,
    /// How many steps had impulses that did not converge.
    pub unsettled: usize,
    /// How often all points were gone through.
    pub sweeps: usize,
}

/// How many trial steps are taken before the caller is asked whether to go on: so few that large mechanisms, too, end at once when
/// somebody wants them to.
pub(crate) const STEPS_BETWEEN_CALLS: i64 = 50;

/// Takes a simulation from its start to the end of the run. `row` gets each row; `progress` is asked now and then whether to go on.
/// Even if the run fails, the summary tells of what came before.
pub fn run(
    simulation: &mut Simulation,
    run: Run,
    row: impl FnMut(f64, &[f64]) -> ControlFlow<()>,
    progress: impl FnMut(f64) -> ControlFlow<()>,
) -> (Summary, Result<(), Failure>) {
    run_watched(simulation, run, row, progress, |_, _| {})
}

/// A run in which somebody looks at the simulation in each row, as it was observed.
pub fn run_watched(
    simulation: &mut Simulation,
    run: Run,
    mut row: impl FnMut(f64, &[f64]) -> ControlFlow<()>,
    mut progress: impl FnMut(f64) -> ControlFlow<()>,
    mut look: impl FnMut(&mut Simulation, f64),
) -> (Summary, Result<(), Failure>) {
    let mut course = Course::new(run);
    let mut callers = Callers { row: &mut row, progress: &mut progress, look: &mut look };
    let result = rows(simulation, &mut course, &mut callers);
    (course.summary_of(simulation), result)
}

/// Whether the first steps of a run become stiff: so few are taken that it costs little to find out. At the very beginning a fast
/// part may still be moving, and is followed for accuracy's sake.
pub fn is_stiff(simulation: &mut Simulation, run: Run) -> bool {
    const CALLS: usize = 20;
    const STEPS: i64 = 200;
    if simulation.configure(run.tolerance, run.until).and_then(|()| simulation.initialize()).is_err() {
        return false;
    }
    let mut before = simulation.statistics();
    for _ in 0..CALLS {
        // What fails here will fail in the run, and is reported there.
        if simulation.advance(run.until, STEPS) != Ok(false) {
            return false;
        }
        let now = simulation.statistics();
        let lately = Statistics { tested: now.tested - before.tested, stiff: now.stiff - before.stiff, ..now };
        if lately.is_stiff() {
            return true;
        }
        before = now;
    }
    false
}

/// Who is told of a run.
struct Callers<'c> {
    row: &'c mut dyn FnMut(f64, &[f64]) -> ControlFlow<()>,
    progress: &'c mut dyn FnMut(f64) -> ControlFlow<()>,
    look: &'c mut dyn FnMut(&mut Simulation, f64),
}

fn rows(simulation: &mut Simulation, course: &mut Course, callers: &mut Callers<'_>) -> Result<(), Failure> {
    course.begin(simulation)?;
    while let Some(t) = course.target() {
        while !simulation.advance(t, STEPS_BETWEEN_CALLS)? {
            if course.is_to_be_judged() {
                course.judge(simulation)?;
            }
            if (callers.progress)(course.summary.time).is_break() {
                return Ok(());
            }
        }
        let Row { t, values, is_last } = course.arrive(simulation)?;
        (callers.look)(simulation, t);
        if (callers.row)(t, &values).is_break() || (callers.progress)(t).is_break() {
            return Ok(());
        }
        if is_last {
            return simulation.end(t);
        }
    }
    Ok(())
}

/// A run on its way: what is known of it between two calls of its program.
pub(crate) struct Course {
    run: Run,
    pub summary: Summary,
    first_energy: Option<f64>,
    pace: Pace,
}

/// What a run has at the time of a row.
pub(crate) struct Row {
    pub t: f64,
    pub values: Vec<f64>,
    /// Whether the run ends here.
    pub is_last: bool,
}

impl Course {
    pub fn new(run: Run) -> Course {
        Course { run, summary: Summary::default(), first_energy: None, pace: Pace::default() }
    }

    /// Finds a consistent start.
    pub fn begin(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        simulation.configure(self.run.tolerance, self.run.until)?;
        simulation.initialize()
    }

    /// The time of the next row; none after the last.
    pub fn target(&self) -> Option<f64> {
        time_of_row(self.run, self.summary.rows)
    }

    /// Counts a call after which the next row is still ahead: whether it is time to see how the run gets on.
    pub fn is_to_be_judged(&mut self) -> bool {
        self.pace.calls += 1;
        self.pace.calls % Pace::CALLS == 0
    }

    /// Looks whether the run gets on.
    pub fn judge(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let target = self.target().unwrap_or(self.run.until);
        self.pace.judge(simulation, target, self.run.until)
    }

    /// The row at the time that was reached.
    pub fn arrive(&mut self, simulation: &mut Simulation) -> Result<Row, Failure> {
        let t = self.target().unwrap_or(self.run.until);
        // The last row of a run that was to end earlier is there.
        let stopped = simulation.stopped();
        let t = stopped.filter(|stopped| *stopped < t - t.abs() * AT_ONCE).unwrap_or(t);
        let values = simulation.observe(t)?;
        // A table with holes would be believed; the rows before this one are good.
        if let Some(column) = values.iter().position(|value| !value.is_finite()) {
            let kind = FailureKind::OutputNotFinite;
            return Err(Failure { residual: values[column], ..Failure::new(kind, column, t) });
        }
        let monitor = simulation.monitor(t)?;
        watch(&mut self.summary, monitor, *self.first_energy.get_or_insert(monitor.energy));
        self.summary.rows += 1;
        self.summary.time = t;
        self.pace = Pace { before: t, calls: 0 };
        Ok(Row { t, values, is_last: stopped.is_some() || self.target().is_none() })
    }

    /// How the run went, as far as it got.
    pub fn summary_of(mut self, simulation: &mut Simulation) -> Summary {
        self.summary.statistics = simulation.statistics();
        self.summary.contact_steps = simulation.contact_steps();
        self.summary
    }
}

/// Watches that a run gets on. Towards a singularity steps may become shorter for ever without any of them failing.
#[derive(Default)]
struct Pace {
    before: f64,
    calls: i64,
}

impl Pace {
    /// How often progress is judged.
    const CALLS: i64 = 10_000;

    fn judge(&mut self, simulation: &mut Simulation, target: f64, until: f64) -> Result<(), Failure> {
        /// A run of so many steps never ends: it would take weeks.
        const ENDLESS: f64 = 1e12;
        let now = self.reached(simulation, target)?;
        let step = (now - self.before) / (Pace::CALLS * STEPS_BETWEEN_CALLS) as f64;
        if until - now > ENDLESS * step {
            return Err(Failure { residual: step, ..Failure::new(FailureKind::Endless, 0, now) });
        }
        self.before = now;
        Ok(())
    }

    /// The time up to which the motion is known, found by asking for earlier times without taking a step.
    fn reached(&self, simulation: &mut Simulation, target: f64) -> Result<f64, Failure> {
        let (mut low, mut high) = (self.before, target);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match simulation.advance(middle, 0)? {
                true => low = middle,
                false => high = middle,
            }
        }
        Ok(low)
    }
}

fn watch(summary: &mut Summary, monitor: Monitor, first_energy: f64) {
    summary.energy_drift = summary.energy_drift.max((monitor.energy - first_energy).abs());
    summary.energy_size = summary.energy_size.max(monitor.energy.abs()).max(monitor.kinetic);
    summary.constraint_error = summary.constraint_error.max(monitor.constraint_error);
}

/// When a run has rows.
pub fn times_of_rows(until: f64, every: f64) -> impl Iterator<Item = f64> {
    let run = Run { until, every, tolerance: 0.0 };
    (0..).map_while(move |index| time_of_row(run, index))
}

/// The time of a row: a multiple of the interval, and for the last one the end.
fn time_of_row(run: Run, index: usize) -> Option<f64> {
    // The last multiple may miss the end by rounding, as 20 · 0.316295699 may miss 6.32591398.
    let before_end = |t: f64| run.until - t > 1e-9 * run.every;
    let t = index as f64 * run.every;
    match before_end(t) {
        true => Some(t),
        false => before_end(t - run.every).then_some(run.until),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(until: f64, every: f64) -> Vec<f64> {
        times_of_rows(until, every).collect()
    }

    #[test]
    fn rows_are_at_multiples_of_the_interval_and_at_the_end() {
        assert_eq!(times(1.0, 0.25), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(times(1.0, 0.4), [0.0, 0.4, 0.8, 1.0]);
        assert_eq!(times(6.93, 1.0).last(), Some(&6.93));
        assert_eq!(times(1.0, 3.0), [0.0, 1.0]);
        assert_eq!(times(6.32591398, 0.316295699).len(), 21);
        assert_eq!(times(0.3, 0.1).last(), Some(&0.3));
    }
}
