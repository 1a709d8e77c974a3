//! A scene that moves.

use std::fmt;
use std::ops::ControlFlow;

use base::{Diagnostic, Diagnostics};
use driver::{Adjustable, Event, Failure, Happening, Run, Settings, Statistics, Summary};

use crate::error::Error;
use crate::scene::{Output, Scene};

/// A scene that moves. It is owned, and may go from thread to thread.
pub struct Instance {
    scene: Scene,
    inner: driver::Instance,
    tolerance: f64,
    started: bool,
    time: f64,
    row: Vec<f64>,
}

/// A moment of a run, to come back to.
#[derive(Clone)]
pub struct Snapshot {
    scene: Scene,
    moment: driver::Snapshot,
    started: bool,
    time: f64,
    row: Vec<f64>,
}

/// How far a call got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Arrived,
    /// A `stop` of the scene ended the run before; the time is that of its end.
    Stopped,
    /// The steps that the call was allowed are used up; another one goes on.
    Unfinished,
}

/// How a run went, as far as it got.
#[derive(Debug)]
pub struct Finished {
    pub summary: Summary,
    /// What it met that is no reason to end it.
    pub warnings: Diagnostics,
    /// Why it ended too soon; the rows before that are good.
    pub failure: Option<Error>,
}

impl Finished {
    /// The summary of a run that came to its end.
    pub fn whole(self) -> Result<Summary, Error> {
        match self.failure {
            None => Ok(self.summary),
            Some(failure) => Err(failure),
        }
    }
}

impl Instance {
    pub(crate) fn new(scene: Scene, inner: driver::Instance, tolerance: f64) -> Instance {
        let row = vec![f64::NAN; scene.outputs().len()];
        Instance { scene, inner, tolerance, started: false, time: 0.0, row }
    }

    /// What a picture shows at the present moment, of a scene that was compiled with one; where everything stands in it says `stages().system.picture`.
    pub fn picture(&mut self) -> Result<Vec<f64>, Error> {
        self.inner.picture(self.time).map_err(|failure| self.describe(&failure))
    }

    /// The points of all curves of the picture at the present moment, one curve after the other.
    pub fn curves(&mut self) -> Result<Vec<f64>, Error> {
        self.inner.curves(self.time).map_err(|failure| self.describe(&failure))
    }

    /// Sets a parameter or a control, in SI units. While the scene runs, both act from the present moment on.
    ///
    /// ```
    /// # let scene = ansatz::Scene::compile("s", "scene s\nparam mass = 1 [kg]\nbody stone { mass = mass }", &Default::default())?;
    /// let mut run = scene.instance()?;
    /// run.set("mass", 2.0)?;
    /// let error = run.set("mas", 2.0).unwrap_err();
    /// assert!(error.to_string().contains("did you mean `mass`?"));
    /// # Ok::<(), ansatz::Error>(())
    /// ```
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let one = self.scene.adjustable(name)?;
        self.apply(&one, one.setting(value))
    }

    /// Sets what a command line sets, all at once. Gives what there is to know about that; nothing is started.
    pub fn set_all(&mut self, settings: &Settings) -> Result<Diagnostics, Error> {
        let (mut found, before) = (Diagnostics::default(), self.inner.save());
        driver::apply(settings, self.scene.stages(), &mut self.inner, &mut found);
        // What is wrong with the defaults was said when the scene was compiled.
        let news = self.scene.news(&found);
        if news.has_errors() {
            self.inner.restore(&before);
            return Err(self.scene.error(news.iter().cloned()));
        }
        Ok(news)
    }

    /// Sets a parameter or a control to a quantity with its unit, such as `80 [cm]`.
    pub fn set_quantity(&mut self, name: &str, quantity: &str) -> Result<(), Error> {
        let one = self.scene.adjustable(name)?;
        self.apply(&one, format!("{name}={quantity}"))
    }

    fn apply(&mut self, one: &Adjustable, setting: String) -> Result<(), Error> {
        let (parameters, controls) = if one.is_control { (vec![], vec![setting]) } else { (vec![setting], vec![]) };
        self.set_all(&Settings { parameters, controls })?;
        if self.started {
            self.go_on_from_here().map_err(|failure| self.describe(&failure))?;
        }
        Ok(())
    }

    /// Forgets the part of the last step that lies ahead, which did not know of what was set.
    fn go_on_from_here(&mut self) -> Result<(), Failure> {
        self.inner.sample(self.time)?;
        let states = self.inner.states()?;
        self.inner.resume(self.time, &states)?;
        self.observe(self.time)
    }

    /// Finds a consistent start, and begins at time zero.
    pub fn start(&mut self) -> Result<(), Error> {
        let begun = self.inner.configure(self.tolerance, f64::MAX).and_then(|()| self.inner.initialize());
        self.started = begun.is_ok();
        begun.and_then(|()| self.observe(0.0)).map_err(|failure| self.describe(&failure))
    }

    /// Moves to a time, or to where a `stop` of the scene ends the run before.
    pub fn advance_to(&mut self, t: f64) -> Result<(), Error> {
        while self.advance(t, i64::MAX)? == Progress::Unfinished {}
        Ok(())
    }

    /// Moves towards a time with at most so many steps. Before it has arrived, the time and the row are those before the call.
    pub fn advance(&mut self, t: f64, steps: i64) -> Result<Progress, Error> {
        if !self.started {
            return Err(self.refuse("the run has not begun".into(), "call `start` first"));
        }
        // Behind the last step nothing is known any more, and ahead of all times nothing is.
        if !(t >= self.time && t.is_finite()) {
            let message = format!("the run is at t = {} s, and does not go to {t} s", self.time);
            return Err(self.refuse(message, "a run goes forwards; come back to a moment with `save` and `restore`"));
        }
        let moved = self.inner.advance(t, steps).and_then(|arrived| match arrived {
            true => match self.inner.stopped().filter(|stopped| *stopped < t) {
                Some(stopped) => self.observe(stopped).map(|()| Progress::Stopped),
                None => self.observe(t).map(|()| Progress::Arrived),
            },
            false => Ok(Progress::Unfinished),
        });
        moved.map_err(|failure| self.describe(&failure))
    }

    fn refuse(&self, message: String, hint: &str) -> Error {
        self.scene.error([Diagnostic::error(driver::BAD_SETTING, message).hint(hint)])
    }

    fn observe(&mut self, t: f64) -> Result<(), Failure> {
        self.row = self.inner.observe(t)?;
        self.time = t;
        Ok(())
    }

    /// When a `stop` of the scene ended the run, if one did.
    pub fn stopped(&self) -> Option<f64> {
        self.inner.stopped()
    }

    /// The present time, in seconds.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// A recorded number at the present time.
    pub fn get(&self, output: Output) -> f64 {
        self.row[output.0]
    }

    /// All recorded numbers at the present time, in the order of [`Scene::outputs`].
    pub fn row(&self) -> &[f64] {
        &self.row
    }

    /// The transitions that happened since the start.
    pub fn events(&self) -> &[Event] {
        &self.inner.events
    }

    /// All that happened since the start: transitions, and what pairs did that may touch.
    pub fn happenings(&self) -> Vec<Happening> {
        driver::happenings(&self.inner)
    }

    /// How many things that happened to pairs came too fast, one after the other, to be kept.
    pub fn happenings_lost(&self) -> usize {
        self.inner.contact_events_lost
    }

    /// What the run so far cost.
    pub fn statistics(&mut self) -> Statistics {
        self.inner.statistics()
    }

    /// What the run met that is no reason to end it.
    pub fn warnings(&self) -> Diagnostics {
        driver::describe_warnings(&self.inner)
    }

    /// What came of things that may touch, a line for each pair, at most so many: since when they touch, and after how many impacts.
    pub fn touches(&self, most: usize) -> Vec<String> {
        driver::describe_rests(&self.inner, most)
    }

    /// The present moment, to come back to.
    pub fn save(&self) -> Snapshot {
        let (scene, moment) = (self.scene.clone(), self.inner.save());
        Snapshot { scene, moment, started: self.started, time: self.time, row: self.row.clone() }
    }

    /// Comes back to a moment that an instance of the same scene has saved; the run goes on from there, bit for bit.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        if !self.scene.is(&snapshot.scene) {
            let message = format!("this is a moment of another compilation: {:?}", snapshot.scene);
            return Err(self.refuse(message, "compile the scene once, and make all instances from it"));
        }
        self.inner.restore(&snapshot.moment);
        (self.started, self.time, self.row) = (snapshot.started, snapshot.time, snapshot.row.clone());
        Ok(())
    }

    /// Starts, and runs to an end; `row` gets each row, and `go_on` is asked between them whether to go on.
    ///
    /// ```
    /// # use std::ops::ControlFlow::Continue;
    /// # let text = "scene s\ngravity 9.81 [m/s^2]\nbody stone { position = (0, 0, free); mass = 1 [kg] }\nplot stone.position.z";
    /// # let scene = ansatz::Scene::compile("s", text, &Default::default())?;
    /// let mut lowest = f64::INFINITY;
    /// let row = |_t: f64, row: &[f64]| {
    ///     lowest = lowest.min(row[0]);
    ///     Continue(())
    /// };
    /// let summary = scene.instance()?.run(2.0, 0.5, row, |_| Continue(())).whole()?;
    /// assert_eq!(summary.rows, 5);
    /// assert!((lowest + 9.81 * 2.0).abs() < 1e-8);
    /// # Ok::<(), ansatz::Error>(())
    /// ```
    pub fn run(
        &mut self,
        until: f64,
        every: f64,
        row: impl FnMut(f64, &[f64]) -> ControlFlow<()>,
        go_on: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Finished {
        if !(until > 0.0 && until.is_finite() && every > 0.0) {
            let message = format!("a row each {every} s until {until} s makes no run");
            let failure = Some(self.refuse(message, "give positive times"));
            return Finished { summary: Summary::default(), warnings: Diagnostics::default(), failure };
        }
        let run = Run { until, every, tolerance: self.tolerance };
        let (summary, found, result) = driver::run_and_warn(&mut self.inner, run, row, go_on);
        let finished = self.finished(summary, found, result);
        self.started = finished.failure.is_none() && summary.rows > 0;
        if self.started {
            // What was a row can be observed.
            let _ = self.observe(summary.time);
        }
        finished
    }

    /// How a run went, in words.
    pub(crate) fn finished(&self, summary: Summary, found: Vec<Diagnostic>, result: Result<(), Failure>) -> Finished {
        let warnings = found.into_iter().chain(self.warnings().iter().cloned()).collect();
        let failure = result.err().map(|failure| self.describe(&failure));
        Finished { summary, warnings, failure }
    }

    #[doc(hidden)]
    pub fn inner(&mut self) -> &mut driver::Instance {
        &mut self.inner
    }

    #[doc(hidden)]
    pub fn into_inner(self) -> driver::Instance {
        self.inner
    }

    fn describe(&self, failure: &Failure) -> Error {
        self.scene.error(driver::describe_failure(failure, &self.inner).iter().cloned())
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {} s", self.scene, self.time)
    }
}
