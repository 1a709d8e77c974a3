//! One instance of a program: its memory, and the entry points of `kernel::protocol`.

use kernel::{ArrayId, FunctionId, Memory, Module, SharedMachine, Value, protocol};

#[derive(Clone)]
pub struct Simulation {
    machine: SharedMachine,
    memory: Memory,
    entries: Entries,
    cells: Cells,
}

/// The functions of the protocol in one module.
#[derive(Clone)]
struct Entries {
    initialize: FunctionId,
    configure: FunctionId,
    advance: FunctionId,
    sample: FunctionId,
    observe: FunctionId,
    monitor: FunctionId,
    tally: FunctionId,
    capture: FunctionId,
    resume: FunctionId,
    picture: Option<FunctionId>,
    curves: Option<FunctionId>,
    guards: Option<FunctionId>,
    survey: Option<FunctionId>,
    enclose: Option<FunctionId>,
    claims: Option<FunctionId>,
    whole: Option<FunctionId>,
    /// Reset, aims and seeds of each transition.
    changes: Vec<[FunctionId; 3]>,
    /// By the numbers of transitions that lead into the mode.
    enter: Vec<(usize, FunctionId)>,
    again: Option<FunctionId>,
    surfaces: Option<FunctionId>,
}

/// Where the arrays of the protocol lie.
#[derive(Clone)]
struct Cells {
    parameters: std::ops::Range<usize>,
    variations: std::ops::Range<usize>,
    controls: std::ops::Range<usize>,
    outputs: std::ops::Range<usize>,
    monitors: std::ops::Range<usize>,
    statistics: std::ops::Range<usize>,
    states: std::ops::Range<usize>,
    rates: std::ops::Range<usize>,
    picture: std::ops::Range<usize>,
    curves: std::ops::Range<usize>,
    surfaces: std::ops::Range<usize>,
    failure: std::ops::Range<usize>,
    failure_values: std::ops::Range<usize>,
    changes: std::ops::Range<usize>,
    step: Option<(usize, usize)>,
}

/// The guard of a transition at some moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guard {
    /// Not negative where it holds, but for strict inequalities.
    pub margin: f64,
    /// The derivative of the margin.
    pub slope: f64,
    pub holds: bool,
}

/// A condition that claims speak of, at some moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claimed {
    /// Not negative where it holds.
    pub margin: f64,
    /// The derivative of the margin.
    pub slope: f64,
    /// How large the numbers are that it compares.
    pub size: f64,
}

/// Why a program gave up, in its own numbers; the driver says it in the user's words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    pub kind: FailureKind,
    /// The system of equations, or the integral, that failed.
    pub place: usize,
    /// Which of its equations, unknowns or states was worst; none if that is not known.
    pub part: Option<usize>,
    pub time: f64,
    pub residual: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    StepCollapsed,
    NotFinite,
    Singular,
    NotSolved,
    NotEvaluated,
    /// A column of the output, given as the place, has no finite value.
    OutputNotFinite,
    /// The program broke its own rules: an index out of range, a code that nobody knows.
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Statistics {
    pub accepted: i64,
    pub rejected: i64,
    pub evaluations: i64,
    /// Of implicit steps.
    pub jacobians: i64,
    pub factorisations: i64,
    /// Explicit steps that were tested for stiffness, and those among them that stability kept short.
    pub tested: i64,
    pub stiff: i64,
    /// Steps after which the state was moved onto the constraints.
    pub projections: i64,
}

impl std::ops::Add for Statistics {
    type Output = Statistics;

    fn add(self, other: Statistics) -> Statistics {
        Statistics {
            accepted: self.accepted + other.accepted,
            rejected: self.rejected + other.rejected,
            evaluations: self.evaluations + other.evaluations,
            jacobians: self.jacobians + other.jacobians,
            factorisations: self.factorisations + other.factorisations,
            tested: self.tested + other.tested,
            stiff: self.stiff + other.stiff,
            projections: self.projections + other.projections,
        }
    }
}

impl Statistics {
    /// Whether most explicit steps were as short as they were for the sake of stability, not of accuracy.
    pub fn is_stiff(&self) -> bool {
        const FEW: i64 = 8;
        self.tested >= FEW && 2 * self.stiff > self.tested
    }
}

/// What a transition leads to.
pub struct Entered {
    pub states: Vec<f64>,
    pub stored: Vec<f64>,
}

/// What can be watched of any run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Monitor {
    pub energy: f64,
    pub kinetic: f64,
    /// The largest amount by which a constraint on positions is off.
    pub constraint_error: f64,
}

impl Simulation {
    /// # Panics
    /// If the module does not follow the protocol; every synthesized one does.
    pub fn new(module: &Module, machine: SharedMachine) -> Simulation {
        let layout = module.layout();
        let function = |name: &str| module.find_function(name).unwrap_or_else(|| panic!("no function `{name}`"));
        let array = |name: &str| -> ArrayId { module.find_array(name).unwrap_or_else(|| panic!("no array `{name}`")) };
        let cells = |name: &str| layout.range(array(name));
        let changes = (0..).map_while(|at| {
            let find = |name: &str| module.find_function(&format!("{name}{at}"));
            Some([find(protocol::RESET)?, find(protocol::AIMS)?, find(protocol::SEEDS)?])
        });
        let enter = module.function_ids().filter_map(|id| {
            let number = module.function(id).name.strip_prefix(protocol::ENTER)?.parse().ok()?;
            Some((number, id))
        });
        let cell = |name: &str| module.find_array(name).map(|array| layout.range(array).start);
        let optional = |name: &str| module.find_array(name).map_or(0..0, |array| layout.range(array));
        Simulation {
            machine,
            memory: module.initial_memory(),
            entries: Entries {
                initialize: function(protocol::INITIALIZE),
                configure: function(protocol::CONFIGURE),
                advance: function(protocol::ADVANCE),
                sample: function(protocol::SAMPLE),
                observe: function(protocol::OBSERVE),
                monitor: function(protocol::MONITOR),
                tally: function(protocol::TALLY),
                capture: function(protocol::CAPTURE),
                resume: function(protocol::RESUME),
                picture: module.find_function(protocol::PICTURE),
                curves: module.find_function(protocol::CURVES),
                guards: module.find_function(protocol::GUARDS),
                survey: module.find_function(protocol::SURVEY),
                enclose: module.find_function(protocol::ENCLOSE),
                claims: module.find_function(protocol::CLAIMS),
                whole: module.find_function(protocol::WHOLE),
                changes: changes.collect(),
                enter: enter.collect(),
                again: module.find_function(protocol::AGAIN),
                surfaces: module.find_function(protocol::SURFACES),
            },
            cells: Cells {
                parameters: cells(protocol::PARAMETERS),
                variations: optional(protocol::VARIATIONS),
                controls: cells(protocol::CONTROLS),
                outputs: cells(protocol::OUTPUTS),
                monitors: cells(protocol::MONITORS),
                statistics: cells(protocol::STATISTICS),
                states: cells(protocol::STATES),
                rates: cells(protocol::RATES),
                picture: optional(protocol::PICTURE_VALUES),
                curves: optional(protocol::CURVE_VALUES),
                surfaces: optional(protocol::SURFACE_VALUES),
                failure: cells(protocol::FAILURE),
                failure_values: cells(protocol::FAILURE_VALUES),
                changes: optional(protocol::CHANGE_VALUES),
                step: cell(protocol::STEP_BEGIN).zip(cell(protocol::STEP_END)),
            },
        }
    }

    /// In SI units, in the order of the source; in rehearsals variations stand behind them.
    pub fn set_parameter(&mut self, index: usize, value: f64) {
        let cell = self.cells.parameters.clone().chain(self.cells.variations.clone()).nth(index);
        self.memory.set(cell.expect("a parameter of the program"), value);
    }

    pub fn set_control(&mut self, index: usize, value: f64) {
        self.memory.set(self.cells.controls.start + index, value);
    }

    pub fn parameter(&self, index: usize) -> f64 {
        self.memory.real(self.cells.parameters.start + index)
    }

    pub fn control(&self, index: usize) -> f64 {
        self.memory.real(self.cells.controls.start + index)
    }

    pub fn configure(&mut self, tolerance: f64, horizon: f64) -> Result<(), Failure> {
        self.finish(self.entries.configure, &[tolerance.into(), horizon.into()])
    }

    /// Finds a consistent start and begins at time zero.
    pub fn initialize(&mut self) -> Result<(), Failure> {
        self.finish(self.entries.initialize, &[])
    }

    /// Integrates to the target or beyond, with at most so many trial steps; whether it got there.
    pub fn advance(&mut self, target: f64, limit: i64) -> Result<bool, Failure> {
        let status = self.call(self.entries.advance, &[target.into(), limit.into()])?;
        Ok(status == protocol::DONE)
    }

    /// The outputs at a time within the last step.
    pub fn observe(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        self.finish(self.entries.sample, &[t.into()])?;
        self.finish(self.entries.observe, &[t.into()])?;
        Ok(self.memory.reals(self.cells.outputs.clone()).collect())
    }

    /// Energy and constraint error of the state that was observed last.
    pub fn monitor(&mut self, t: f64) -> Result<Monitor, Failure> {
        self.finish(self.entries.monitor, &[t.into()])?;
        let mut values = self.memory.reals(self.cells.monitors.clone());
        let (energy, kinetic) = (values.next().unwrap_or(f64::NAN), values.next().unwrap_or(f64::NAN));
        let constraint_error = values.fold(0.0_f64, |worst, residual| worst.max(residual.abs()));
        Ok(Monitor { energy, kinetic, constraint_error })
    }

    /// What a picture shows of the state that was observed last; nothing if the program is not looked at.
    pub fn picture(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        if let Some(picture) = self.entries.picture {
            self.finish(picture, &[t.into()])?;
        }
        Ok(self.memory.reals(self.cells.picture.clone()).collect())
    }

    /// The points of all curves, for the state that was observed last.
    pub fn curves(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        if let Some(curves) = self.entries.curves {
            self.finish(curves, &[t.into()])?;
        }
        Ok(self.memory.reals(self.cells.curves.clone()).collect())
    }

    /// The beginning and the end of the last step, where all states are integrated together.
    pub fn step(&self) -> Option<(f64, f64)> {
        self.cells.step.map(|(begin, end)| (self.memory.real(begin), self.memory.real(end)))
    }

    pub fn sample(&mut self, t: f64) -> Result<(), Failure> {
        self.finish(self.entries.sample, &[t.into()])
    }

    /// How the guard of each transition stands, for the sampled state.
    pub fn guards(&mut self, t: f64) -> Result<Vec<Guard>, Failure> {
        let values = self.changing(self.entries.guards, t, 3 * self.entries.changes.len())?;
        let guard = |values: &[f64]| Guard { margin: values[0], slope: values[1], holds: values[2] != 0.0 };
        Ok(values.chunks(3).map(guard).collect())
    }

    /// Along each of so many directions how fast the margin of a transition changes, for the sampled state.
    pub fn margin_slopes(&mut self, transition: usize, t: f64, directions: usize) -> Result<Vec<f64>, Failure> {
        let count = self.entries.changes.len();
        let values = self.changing(self.entries.guards, t, (3 + directions) * count)?;
        Ok(values[3 * count..].iter().skip(transition).step_by(count).copied().collect())
    }

    /// Looks at what guards depend on, over the last step.
    pub fn survey(&mut self, begin: f64, end: f64) -> Result<(), Failure> {
        self.entries.survey.map_or(Ok(()), |survey| self.finish(survey, &[begin.into(), end.into()]))
    }

    /// What guards that do not hold at the beginning of some part of the surveyed step can do there, and what the conditions of claims can:
    /// one of the verdicts of the protocol for all guards, one for all conditions.
    pub fn enclose(&mut self, begin: f64, end: f64) -> Result<[i64; 2], Failure> {
        let Some(enclose) = self.entries.enclose else { return Ok([protocol::QUIET; 2]) };
        self.finish(enclose, &[begin.into(), end.into()])?;
        let first = self.cells.changes.start;
        Ok([first, first + 1].map(|cell| self.memory.real(cell) as i64))
    }

    /// How each of the conditions of claims stands, for the sampled state.
    pub fn claims(&mut self, t: f64, count: usize) -> Result<Vec<Claimed>, Failure> {
        let values = self.changing(self.entries.claims, t, 3 * count)?;
        Ok(values.chunks(3).map(|values| Claimed { margin: values[0], slope: values[1], size: values[2] }).collect())
    }

    /// The numbers that so many conditions of claims compare, for the sampled state.
    pub fn compared(&mut self, t: f64, count: usize) -> Result<Vec<f64>, Failure> {
        Ok(self.changing(self.entries.claims, t, usize::MAX)?.split_off(3 * count))
    }

    /// So many coordinates and speeds of the sampled state.
    pub fn whole(&mut self, t: f64, count: usize) -> Result<Vec<f64>, Failure> {
        self.changing(self.entries.whole, t, count)
    }

    /// So many coordinates, speeds and remembered numbers after a transition from the sampled state.
    pub fn reset(&mut self, transition: usize, t: f64, count: usize) -> Result<Vec<f64>, Failure> {
        self.changing(Some(self.entries.changes[transition][0]), t, count)
    }

    /// The states after a transition into this mode, from what its reset gave in the mode before; and so many numbers that are
    /// remembered.
    pub fn enter(&mut self, number: usize, t: f64, given: &[f64], stores: usize) -> Result<Entered, Failure> {
        let function = self.entries.enter.iter().find(|(known, _)| *known == number).map(|(_, function)| *function);
        self.entering(function, t, given, stores)
    }

    /// The states of this mode, from what [`Simulation::whole`] gave.
    pub fn again(&mut self, t: f64, given: &[f64]) -> Result<Vec<f64>, Failure> {
        self.entering(self.entries.again, t, given, 0).map(|entered| entered.states)
    }

    fn entering(
        &mut self,
        function: Option<FunctionId>,
        t: f64,
        given: &[f64],
        stores: usize,
    ) -> Result<Entered, Failure> {
        for (cell, &value) in self.cells.changes.clone().zip(given) {
            self.memory.set(cell, value);
        }
        let stored = self.changing(function, t, stores)?;
        Ok(Entered { states: self.memory.reals(self.cells.states.clone()).collect(), stored })
    }

    /// What is zero before a transition if a plan was right.
    pub fn aims(&mut self, transition: usize, t: f64, count: usize) -> Result<Vec<f64>, Failure> {
        self.changing(Some(self.entries.changes[transition][1]), t, count)
    }

    /// Where the search of a plan begins.
    pub fn seeds(&mut self, transition: usize, t: f64, count: usize) -> Result<Vec<f64>, Failure> {
        self.changing(Some(self.entries.changes[transition][2]), t, count)
    }

    fn changing(&mut self, function: Option<FunctionId>, t: f64, count: usize) -> Result<Vec<f64>, Failure> {
        if let Some(function) = function {
            self.finish(function, &[t.into()])?;
        }
        Ok(self.memory.reals(self.cells.changes.clone()).take(count).collect())
    }
    /// What is zero on each surface, over a grid, for the state that was observed last.
    pub fn surfaces(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        if let Some(surfaces) = self.entries.surfaces {
            self.finish(surfaces, &[t.into()])?;
        }
        Ok(self.memory.reals(self.cells.surfaces.clone()).collect())
    }

    /// All that is integrated or follows, as it was observed last.
    pub fn states(&mut self) -> Result<Vec<f64>, Failure> {
        self.finish(self.entries.capture, &[])?;
        Ok(self.memory.reals(self.cells.states.clone()).collect())
    }

    /// Begins at some time from a state, moved onto the constraints.
    pub fn resume(&mut self, t: f64, states: &[f64]) -> Result<(), Failure> {
        for (cell, &value) in self.cells.states.clone().zip(states) {
            self.memory.set(cell, value);
        }
        self.finish(self.entries.resume, &[t.into()])
    }

    /// The rate of each state where the program was resumed.
    pub fn rates(&self) -> Vec<f64> {
        self.memory.reals(self.cells.rates.clone()).collect()
    }

    pub fn statistics(&mut self) -> Statistics {
        // Counting cannot fail; if it does, there is nothing to count.
        if self.finish(self.entries.tally, &[]).is_err() {
            return Statistics::default();
        }
        let at = self.cells.statistics.start;
        let count = |place: usize| self.memory.integer(at + place);
        Statistics {
            accepted: count(0),
            rejected: count(1),
            evaluations: count(2),
            jacobians: count(3),
            factorisations: count(4),
            tested: count(5),
            stiff: count(6),
            projections: count(7),
        }
    }

    /// The whole memory; two runs that agree in it agree in everything.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    fn finish(&mut self, function: FunctionId, arguments: &[Value]) -> Result<(), Failure> {
        self.call(function, arguments).map(|_| ())
    }

    fn call(&mut self, function: FunctionId, arguments: &[Value]) -> Result<i64, Failure> {
        let status = self.machine.call_integer(function, arguments, &mut self.memory);
        let kind = match status {
            Ok(status @ (protocol::DONE | protocol::UNFINISHED)) => return Ok(status),
            Ok(protocol::STEP_COLLAPSED) => FailureKind::StepCollapsed,
            Ok(protocol::NOT_FINITE) => FailureKind::NotFinite,
            Ok(protocol::SINGULAR) => FailureKind::Singular,
            Ok(protocol::NOT_SOLVED) => FailureKind::NotSolved,
            Ok(protocol::NOT_EVALUATED) => FailureKind::NotEvaluated,
            Ok(_) | Err(_) => FailureKind::Broken,
        };
        let Cells { failure, failure_values, .. } = &self.cells;
        Err(Failure {
            kind,
            place: usize::try_from(self.memory.integer(failure.start)).unwrap_or(0),
            part: usize::try_from(self.memory.integer(failure.start + 1)).ok(),
            time: self.memory.real(failure_values.start),
            residual: self.memory.real(failure_values.start + 1),
        })
    }
}
