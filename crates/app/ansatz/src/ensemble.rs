//! Many runs of one scene, which differ in some parameters or controls.

use std::ops::ControlFlow;

use base::Diagnostics;
use driver::{Adjustable, Happening, Settings, Solver, Statistics};

use crate::error::Error;
use crate::instance::{Finished, Instance};
use crate::scene::Scene;

/// Many runs of one scene. Each has the very bits that it would have by itself: with a memory, and a choice of the solver, of its own.
///
/// ```
/// # let text = "scene s\nparam g = 9.81 [m/s^2]\ngravity g\nbody stone { position = (0, 0, free); mass = 1 [kg] }\nplot stone.position.z";
/// use ansatz::{Ensemble, Lanes, Many, Options, Scene, Span};
/// let scene = Scene::compile("s", text, &Options::default())?;
/// let fall = Ensemble::new(&scene, &["g"], &Default::default(), Span { until: 1.0, every: 1.0 })?;
/// let runs: Vec<usize> = (0..10).collect();
/// let mut ends = vec![0.0; 10];
/// let many = Many { runs: &runs, values: &|run| vec![run as f64], threads: 2, lanes: Lanes::Auto, go_on: &|| true };
/// fall.run_many(&many, |result| {
///     if let Some((run, one)) = result {
///         ends[run] = one.expect("it falls").rows.last().expect("it has an end")[1];
///     }
///     std::ops::ControlFlow::Continue(())
/// });
/// assert!((ends[4] + 4.0 / 2.0).abs() < 1e-9);
/// # Ok::<(), ansatz::Error>(())
/// ```
pub struct Ensemble {
    varied: Vec<Adjustable>,
    common: Settings,
    span: Span,
    scene: Scene,
    /// Whether the solver is chosen for each run by itself.
    is_chosen: bool,
}

/// How long each run is, and how often it has a row, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub until: f64,
    pub every: f64,
}

impl Span {
    /// The times of all rows: multiples of the interval, and the end.
    pub fn times(self) -> Vec<f64> {
        driver::times_of_rows(self.until, self.every).collect()
    }
}

/// A run of an ensemble.
#[derive(Debug)]
pub struct One {
    /// Each with the time first.
    pub rows: Vec<Vec<f64>>,
    pub events: Vec<Happening>,
    pub finished: Finished,
}

impl Ensemble {
    /// Runs that differ in what is named, and have some settings in common.
    pub fn new(scene: &Scene, varied: &[&str], common: &Settings, span: Span) -> Result<Ensemble, Error> {
        let stages = scene.stages();
        let (mut found, mut known) = (Diagnostics::default(), Vec::new());
        for name in varied {
            match Adjustable::named(name, stages) {
                Ok(one) => known.push(one),
                Err(unknown) => found.report(unknown),
            }
        }
        if found.has_errors() {
            return Err(scene.error(found.iter().cloned()));
        }
        scene.instance()?.set_all(common)?;
        let is_chosen = scene.asked_solver() == Solver::Auto && stages.program.contacts.is_none();
        Ok(Ensemble { varied: known, common: common.clone(), span, scene: scene.clone(), is_chosen })
    }

    /// The same runs with derivatives: behind what a row records stand its derivatives by each of some parameters and controls, at the time of the
    /// row, in SI units. They are integrated with the run, from the expressions of the scene, and follow it through events.
    ///
    /// ```
    /// # let text = "scene s\nparam rate = 2 [1/s]\nx: [m] = 1 [m]\nalways x' == -rate * x\nplot x";
    /// use ansatz::{Ensemble, Scene, Span};
    /// let scene = Scene::compile("s", text, &Default::default())?;
    /// let decay = Ensemble::new(&scene, &[], &Default::default(), Span { until: 1.0, every: 1.0 })?;
    /// let one = decay.with_sensitivities(&["rate"])?.run(&[], &|| true)?;
    /// let [t, x, by_rate] = one.rows[1][..] else { panic!("time, x, and its derivative") };
    /// assert!((by_rate + t * x).abs() < 1e-8); // x = exp(-rate t)
    /// # Ok::<(), ansatz::Error>(())
    /// ```
    pub fn with_sensitivities(&self, by: &[&str]) -> Result<Ensemble, Error> {
        let scene = self.scene.with_sensitivities(by)?;
        let (varied, common) = (self.varied.clone(), self.common.clone());
        Ok(Ensemble { scene, varied, common, span: self.span, is_chosen: self.is_chosen })
    }

    /// What the runs differ in.
    pub fn varied(&self) -> &[Adjustable] {
        &self.varied
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub fn span(&self) -> Span {
        self.span
    }

    /// The run with these values of what varies, in SI units; `go_on` is asked now and then. Values that make no sense are
    /// an error; a run that fails on its way has the rows before that.
    pub fn run(&self, values: &[f64], go_on: &dyn Fn() -> bool) -> Result<One, Error> {
        if self.first_solver(values)? == Solver::Implicit {
            return self.run_of(&self.with(Solver::Implicit)?, values, go_on);
        }
        let one = self.run_of(&self.with(Solver::Explicit)?, values, go_on)?;
        match self.stands(values, &one.finished.summary.statistics)? {
            true => Ok(one),
            false => self.run_of(&self.with(Solver::Implicit)?, values, go_on),
        }
    }

    /// The scene with a solver, where it is chosen for each run; else with its own.
    pub(crate) fn with(&self, solver: Solver) -> Result<Scene, Error> {
        if self.is_chosen { self.scene.with_solver(solver) } else { Ok(self.scene.clone()) }
    }

    /// The solver that a run begins with. Most runs are not stiff, and those that go far enough show it themselves: nothing is tried for them.
    pub(crate) fn first_solver(&self, values: &[f64]) -> Result<Solver, Error> {
        let stiff = self.is_chosen && !self.shows_itself()? && self.is_stiff(values)?;
        Ok(if stiff { Solver::Implicit } else { Solver::Explicit })
    }

    /// Whether a run that began with explicit steps is what it should be, or has to be made again with implicit ones.
    pub(crate) fn stands(&self, values: &[f64], statistics: &Statistics) -> Result<bool, Error> {
        if !self.is_chosen || !self.shows_itself()? || self.scene.trial()?.is_settled_by(self.span.until, statistics) {
            return Ok(true);
        }
        self.is_stiff(values).map(|stiff| !stiff)
    }

    fn shows_itself(&self) -> Result<bool, Error> {
        Ok(self.scene.trial()?.is_settled_by(self.span.until, &Statistics::default()))
    }

    /// What a trial says of a run with these values.
    fn is_stiff(&self, values: &[f64]) -> Result<bool, Error> {
        let explicit = self.scene.with_solver(Solver::Explicit)?;
        Ok(self.scene.trial()?.is_stiff(|simulation| {
            driver::apply(&self.common, explicit.stages(), simulation, &mut Diagnostics::default());
            // What cannot be set was refused before, or will be by the run itself.
            let _ = self.varied.iter().zip(values).try_for_each(|(one, value)| one.set(simulation, *value));
        }))
    }

    pub(crate) fn run_of(&self, scene: &Scene, values: &[f64], go_on: &dyn Fn() -> bool) -> Result<One, Error> {
        let mut instance = self.prepared(scene, values)?;
        let mut rows = Vec::new();
        let row = |t: f64, values: &[f64]| {
            rows.push(std::iter::once(t).chain(values.iter().copied()).collect());
            ControlFlow::Continue(())
        };
        let asked = |_: f64| if go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let finished = instance.run(self.span.until, self.span.every, row, asked);
        let events = instance.happenings();
        Ok(One { rows, events, finished })
    }

    /// An instance that has its values, and was not started.
    pub fn prepared(&self, scene: &Scene, values: &[f64]) -> Result<Instance, Error> {
        let mut instance = scene.instance()?;
        self.set(scene, &mut instance, values)?;
        Ok(instance)
    }

    /// Gives an instance what all runs have in common, and its own values.
    pub(crate) fn set(&self, scene: &Scene, instance: &mut Instance, values: &[f64]) -> Result<(), Error> {
        let mut found = Diagnostics::default();
        if !(self.common.parameters.is_empty() && self.common.controls.is_empty()) {
            driver::apply(&self.common, scene.stages(), instance.inner(), &mut Diagnostics::default());
        }
        for (one, value) in self.varied.iter().zip(values) {
            if let Err(bad) = one.set(instance.inner(), *value) {
                found.report(bad);
            }
        }
        driver::judge_settings(scene.stages(), instance.inner(), &mut found);
        let news = scene.news(&found);
        if news.has_errors() { Err(scene.error(news.iter().cloned())) } else { Ok(()) }
    }
}
