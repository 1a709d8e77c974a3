//! All runs of an ensemble: in threads, and in each of them as many side by side as the processor has lanes.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use driver::{Failure, Run, SideBySide, Simulation, Solver, Summary, Traveller, Watch, run_in_lanes};
use lanes::{Compiler, Program, Refused, Source};

use crate::ensemble::{Ensemble, One};
use crate::error::Error;
use crate::instance::Instance;
use crate::scene::Scene;
use crate::threads::{in_threads, in_workers};

/// Whether runs go side by side in the lanes of the processor's vectors. Each has the same bits in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lanes {
    /// Where it pays: if the program was compiled for it before, or the runs would take longer without than compiling does.
    #[default]
    Auto,
    Always,
    Never,
}

/// Runs of an ensemble, by their numbers.
pub struct Many<'a> {
    pub runs: &'a [usize],
    /// The values of a run, in SI units.
    pub values: &'a (dyn Fn(usize) -> Vec<f64> + Sync),
    pub threads: usize,
    pub lanes: Lanes,
    /// Asked now and then; runs that are on their way when it says no are no results.
    pub go_on: &'a (dyn Fn() -> bool + Sync),
}

/// How runs were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// So many side by side in each thread.
    SideBySide(usize),
    /// One by one, since it pays, or was wanted.
    OneByOne,
    /// One by one, although lanes were wanted; it says why.
    WithoutLanes(String),
}

/// Compiling takes about this long for each statement and part of an expression, in seconds.
const COMPILING: f64 = 2e-4;
/// In lanes runs take a quarter of the time or less; so much has to be won before it pays to compile.
const WORTH: f64 = 2.0;

impl Ensemble {
    /// Makes runs, each with the bits that [`Ensemble::run`] gives it. Results are taken in the order in which they come; `None` says that for a moment
    /// none did. If taking breaks, no more runs are begun.
    pub fn run_many(
        &self,
        many: &Many,
        mut take: impl FnMut(Option<(usize, Result<One, Error>)>) -> ControlFlow<()>,
    ) -> Made {
        let one = |run: usize| self.run(&(many.values)(run), many.go_on);
        let (mut rest, mut made) = (many.runs, Made::OneByOne);
        if let (Some((&first, others)), true) = (many.runs.split_first(), many.lanes != Lanes::Never) {
            // The first run shows what one costs, and makes the modes that most runs reach.
            let start = Instant::now();
            let result = one(first);
            let cost = start.elapsed().as_secs_f64();
            if !(many.go_on)() || take(Some((first, result))).is_break() {
                return made;
            }
            rest = others;
            let expected = cost * rest.len() as f64 / many.threads.max(1) as f64;
            match self.side_by_side(many.lanes, expected) {
                Ok(Some((scene, program))) => {
                    made = Made::SideBySide(program.lanes.width());
                    let worker = |next: &dyn Fn() -> Option<usize>, give: &mut dyn FnMut(usize, Result<One, Error>)| {
                        self.ride(&scene, &program, many, next, give);
                    };
                    in_workers(many.threads, rest, worker, &mut take);
                    return made;
                }
                Ok(None) => {}
                Err(why) => made = Made::WithoutLanes(why),
            }
        }
        in_threads(many.threads, rest, one, take);
        made
    }

    /// The scene whose runs go side by side, and its program; none where that does not pay, and a reason where it cannot be.
    fn side_by_side(&self, lanes: Lanes, expected: f64) -> Result<Option<(Scene, SideBySide)>, String> {
        let told = |why: Refused| why.to_string();
        let scene = self.with(Solver::Explicit).map_err(|error| error.to_string())?;
        if scene.stages().program.contacts.is_some() {
            return Err("what touches is resolved one run after the other".to_string());
        }
        let mut instance = scene.instance().map_err(|error| error.to_string())?;
        let linked = instance.inner().linked().clone();
        if kernel::foreign::is_in(&linked.module) {
            return Err("an FMU takes one run after the other".to_string());
        }
        // Before the text is made, which takes a while, too.
        let always = lanes == Lanes::Always;
        if !always && expected < MOMENT {
            return Ok(None);
        }
        let source = Source::new(&linked.module, linked.advance()).map_err(told)?;
        let compiler = Compiler::find().ok_or(Refused::NoCompiler).map_err(told)?;
        let pays = || expected > WORTH * COMPILING * source.size as f64 || source.is_known(&compiler);
        if !always && !pays() {
            return Ok(None);
        }
        let program = Program::new(source, &compiler).map_err(told)?;
        Ok(Some((scene, SideBySide { linked, lanes: Arc::new(program) })))
    }

    /// Takes runs through the lanes of one thread.
    fn ride(
        &self,
        scene: &Scene,
        program: &SideBySide,
        many: &Many,
        next: &dyn Fn() -> Option<usize>,
        give: &mut dyn FnMut(usize, Result<One, Error>),
    ) {
        let tolerance = scene.options().tolerance;
        let run = Run { until: self.span().until, every: self.span().every, tolerance };
        let again = |values: &[f64]| self.run_of(&self.with(Solver::Implicit)?, values, many.go_on);
        let give = std::cell::RefCell::new(give);
        let mut board = || loop {
            let number = next()?;
            let values = (many.values)(number);
            let begun = match self.first_solver(&values) {
                Ok(Solver::Implicit) => again(&values).map(Begun::Ended),
                Ok(_) => self.prepared(scene, &values).map(Begun::On),
                Err(error) => Err(error),
            };
            match begun {
                Ok(Begun::On(mut instance)) => {
                    let watch = Watch::new(instance.inner());
                    return Some(Passenger { number, values, instance, watch, rows: Vec::new() });
                }
                Ok(Begun::Ended(one)) => (give.borrow_mut())(number, Ok(one)),
                Err(error) => (give.borrow_mut())(number, Err(error)),
            }
        };
        let mut done = |passenger: Passenger, summary: Summary, result: Result<(), Failure>| {
            let Passenger { number, values, instance, watch, rows } = passenger;
            let one = match self.stands(&values, &summary.statistics) {
                Err(error) => Err(error),
                Ok(false) => again(&values),
                Ok(true) => {
                    let finished = instance.finished(summary, watch.warnings(&summary, tolerance), result);
                    Ok(One { rows, events: instance.happenings(), finished })
                }
            };
            (give.borrow_mut())(number, one);
        };
        run_in_lanes(program, run, &mut board, &mut done, many.go_on);
    }
}

/// Fewer seconds than this are not worth a thought.
const MOMENT: f64 = 0.05;

/// How a run begins.
enum Begun {
    On(Instance),
    /// It was made with another solver.
    Ended(One),
}

struct Passenger {
    number: usize,
    values: Vec<f64>,
    instance: Instance,
    watch: Watch,
    rows: Vec<Vec<f64>>,
}

impl Traveller for Passenger {
    fn simulation(&mut self) -> &mut Simulation {
        self.instance.inner()
    }

    fn row(&mut self, t: f64, values: &[f64]) {
        self.watch.look(self.instance.inner(), t);
        self.rows.push(std::iter::once(t).chain(values.iter().copied()).collect());
    }
}
