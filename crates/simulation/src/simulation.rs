//! One instance of a program: its memory, and the entry points of `kernel::protocol`.

use std::sync::Arc;

use crate::changing::{ChangingCells, Event, Linker};
use crate::run::ContactSteps;
use crate::touching::ContactEvent;
use kernel::{ArrayId, FunctionId, Memory, Module, SharedMachine, Value, protocol};

pub struct Simulation {
    pub(crate) linked: Arc<Linked>,
    pub(crate) memory: Memory,
    /// What makes the programs of modes; none if all that can be reached are there.
    pub(crate) linker: Option<Box<dyn Linker>>,
    /// The transitions that happened.
    pub events: Vec<Event>,
    /// What happened to pairs that touch; how often something did as far as it was looked at, and how much of that came too fast to be kept.
    pub contact_events: Vec<ContactEvent>,
    pub(crate) contact_events_taken: usize,
    pub contact_events_lost: usize,
}

/// A program as far as its modes are linked: a module, its machine code, and where both have what the protocol speaks of.
pub struct Linked {
    pub module: Arc<Module>,
    pub(crate) machine: SharedMachine,
    /// What a memory begins with.
    initial: Memory,
    pub(crate) entries: Entries,
    pub(crate) cells: Cells,
}

/// A moment of a run, to come back to: all of its memory, and what happened before.
#[derive(Clone)]
pub struct Snapshot {
    linked: Arc<Linked>,
    memory: Memory,
    events: Vec<Event>,
    contact_events: Vec<ContactEvent>,
    contact_events_taken: usize,
}

/// The functions of the protocol in one module.
#[derive(Clone)]
pub(crate) struct Entries {
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
    surfaces: Option<FunctionId>,
    /// Of programs of several modes only.
    pub place: Option<FunctionId>,
    pub look: Option<FunctionId>,
    pub step_end: Option<FunctionId>,
    pub rehearse: Option<FunctionId>,
    pub conclude: Option<FunctionId>,
}

/// Where the arrays of the protocol lie.
#[derive(Clone)]
pub(crate) struct Cells {
    parameters: std::ops::Range<usize>,
    controls: std::ops::Range<usize>,
    outputs: std::ops::Range<usize>,
    monitors: std::ops::Range<usize>,
    statistics: std::ops::Range<usize>,
    contact_steps: std::ops::Range<usize>,
    states: std::ops::Range<usize>,
    rates: std::ops::Range<usize>,
    picture: std::ops::Range<usize>,
    curves: std::ops::Range<usize>,
    surfaces: std::ops::Range<usize>,
    notes: std::ops::Range<usize>,
    rests: std::ops::Range<usize>,
    pub contact_events: std::ops::Range<usize>,
    pub contact_event_count: Option<usize>,
    failure: std::ops::Range<usize>,
    failure_values: std::ops::Range<usize>,
    /// Of programs of several modes only.
    pub changing: Option<ChangingCells>,
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
    /// The transition that was on its way, if it failed because of that.
    pub transition: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    StepCollapsed,
    /// The end of the run is too many steps away; the residual is how long a step is.
    Endless,
    NotFinite,
    Singular,
    NotSolved,
    NotEvaluated,
    /// Something that is prescribed leaps.
    Leaping,
    /// A path or a constraint has a corner; `place` is the switch that decides, and the residual the kinetic energy that would be lost.
    Kinked,
    /// The run goes on, but its derivatives are not known beyond this instant.
    NoDerivative,
    /// No forces and no impulses keep what touches apart.
    NoContact,
    EndlessImpacts,
    TooManyContacts,
    StartsInside,
    /// What should touch has sunk in; the residual is how deep.
    SunkIn,
    /// A delay is not positive; the place is the signal, and the residual the delay.
    BadDelay,
    /// More steps lie within a delay than can be remembered.
    PastTooLong,
    /// A switch, given as the place, turns without end.
    Switching,
    /// A column of the output, given as the place, has no finite value.
    OutputNotFinite,
    /// Transitions lead to one another without end; the place is the last of them.
    Chattering,
    /// Transitions come ever faster, towards an instant that they do not reach; the place is the last of them.
    Accumulating,
    /// What a plan aims at was not reached; the place is the transition that begins it.
    NoPlan,
    /// After a transition, given as the place, a constraint of the new mode does not hold; the part is what would have to change.
    Inconsistent,
    /// A claim, given as the place, does not hold.
    Refuted,
    /// The program of a mode could not be made.
    NoProgram,
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

impl Failure {
    /// A failure of which nothing more is known.
    pub fn new(kind: FailureKind, place: usize, time: f64) -> Failure {
        Failure { kind, place, part: None, time, residual: 0.0, transition: None }
    }
}

impl Statistics {
    /// Whether most explicit steps were as short as they were for the sake of stability, not of accuracy.
    pub fn is_stiff(&self) -> bool {
        const FEW: i64 = 8;
        self.tested >= FEW && 2 * self.stiff > self.tested
    }
}

/// What can be watched of any run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Monitor {
    pub energy: f64,
    pub kinetic: f64,
    /// The largest amount by which a constraint on positions is off.
    pub constraint_error: f64,
}

impl Linked {
    /// # Panics
    /// If the module does not follow the protocol; every synthesized one does.
    pub fn new(module: Arc<Module>, machine: SharedMachine) -> Linked {
        let (entries, cells) = places(&module);
        Linked { initial: module.initial_memory(), module, machine, entries, cells }
    }

    /// The entry point that integrates.
    pub fn advance(&self) -> FunctionId {
        self.entries.advance
    }
}

impl Simulation {
    /// # Panics
    /// If the module does not follow the protocol; every synthesized one does.
    pub fn new(module: &Module, machine: SharedMachine) -> Simulation {
        Simulation::of(Arc::new(Linked::new(module.into(), machine)), None)
    }

    /// An instance of a program; where it has modes that are made when they are reached, with what makes them.
    pub fn of(linked: Arc<Linked>, linker: Option<Box<dyn Linker>>) -> Simulation {
        Simulation {
            memory: linked.initial.clone(),
            linked,
            linker,
            events: Vec::new(),
            contact_events: Vec::new(),
            contact_events_taken: 0,
            contact_events_lost: 0,
        }
    }

    /// The present moment, to come back to.
    pub fn save(&self) -> Snapshot {
        Snapshot {
            linked: self.linked.clone(),
            memory: self.memory.clone(),
            events: self.events.clone(),
            contact_events: self.contact_events.clone(),
            contact_events_taken: self.contact_events_taken,
        }
    }

    /// Comes back to a moment of a run of the same scene, whichever instance saved it; the run goes on from there, bit for bit.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        // Modes that were made since then are missing in that program, and are linked again when they are reached.
        let Snapshot { linked, memory, events, contact_events, contact_events_taken } = snapshot.clone();
        (self.linked, self.memory, self.events) = (linked, memory, events);
        (self.contact_events, self.contact_events_taken) = (contact_events, contact_events_taken);
    }

    /// In SI units, in the order of the source.
    pub fn set_parameter(&mut self, index: usize, value: f64) {
        self.memory.set(self.linked.cells.parameters.start + index, value);
    }

    pub fn set_control(&mut self, index: usize, value: f64) {
        self.memory.set(self.linked.cells.controls.start + index, value);
    }

    pub fn parameter(&self, index: usize) -> f64 {
        self.memory.real(self.linked.cells.parameters.start + index)
    }

    pub fn control(&self, index: usize) -> f64 {
        self.memory.real(self.linked.cells.controls.start + index)
    }

    pub fn configure(&mut self, tolerance: f64, horizon: f64) -> Result<(), Failure> {
        self.finish(self.linked.entries.configure, &[tolerance.into(), horizon.into()])
    }

    /// Finds a consistent start and begins at time zero.
    pub fn initialize(&mut self) -> Result<(), Failure> {
        self.events.clear();
        self.contact_events.clear();
        let status = self.call(self.linked.entries.initialize, &[]);
        self.settle(status, 0.0)
    }

    /// Integrates to the target or beyond, with at most so many trial steps; whether it got there, or as far as it goes: see
    /// [`Simulation::stopped`].
    pub fn advance(&mut self, target: f64, limit: i64) -> Result<bool, Failure> {
        loop {
            let status = self.call(self.linked.entries.advance, &[target.into(), limit.into()]);
            if let Some(arrived) = self.advanced(status)? {
                return Ok(arrived);
            }
        }
    }

    /// Takes over what happened in a call of `advance`: whether it got there, or nothing if it waited for a mode, which is there now.
    pub(crate) fn advanced(&mut self, status: Result<i64, Failure>) -> Result<Option<bool>, Failure> {
        self.take_events();
        self.take_contact_events();
        match status? {
            protocol::MODE_WANTED => self.link_wanted().map(|()| None),
            status => Ok(Some(status != protocol::UNFINISHED)),
        }
    }

    /// The outputs at a time within the last step.
    pub fn observe(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        self.finish(self.linked.entries.sample, &[t.into()])?;
        self.finish(self.linked.entries.observe, &[t.into()])?;
        Ok(self.memory.reals(self.linked.cells.outputs.clone()).collect())
    }

    /// Energy and constraint error of the state that was observed last.
    pub fn monitor(&mut self, t: f64) -> Result<Monitor, Failure> {
        self.finish(self.linked.entries.monitor, &[t.into()])?;
        let mut values = self.memory.reals(self.linked.cells.monitors.clone());
        let (energy, kinetic) = (values.next().unwrap_or(f64::NAN), values.next().unwrap_or(f64::NAN));
        let constraint_error = values.fold(0.0_f64, |worst, residual| worst.max(residual.abs()));
        Ok(Monitor { energy, kinetic, constraint_error })
    }

    /// What a picture shows of the state that was observed last; nothing if the program is not looked at.
    pub fn picture(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        if let Some(picture) = self.linked.entries.picture {
            self.finish(picture, &[t.into()])?;
        }
        Ok(self.memory.reals(self.linked.cells.picture.clone()).collect())
    }

    /// The points of all curves, for the state that was observed last.
    pub fn curves(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        if let Some(curves) = self.linked.entries.curves {
            self.finish(curves, &[t.into()])?;
        }
        Ok(self.memory.reals(self.linked.cells.curves.clone()).collect())
    }

    pub fn sample(&mut self, t: f64) -> Result<(), Failure> {
        self.finish(self.linked.entries.sample, &[t.into()])
    }

    /// What is zero on each surface, over a grid, for the state that was observed last.
    pub fn surfaces(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        if let Some(surfaces) = self.linked.entries.surfaces {
            self.finish(surfaces, &[t.into()])?;
        }
        Ok(self.memory.reals(self.linked.cells.surfaces.clone()).collect())
    }

    /// All that is integrated or follows, as it was observed last.
    pub fn states(&mut self) -> Result<Vec<f64>, Failure> {
        self.finish(self.linked.entries.capture, &[])?;
        Ok(self.memory.reals(self.linked.cells.states.clone()).collect())
    }

    /// Begins at some time from a state, moved onto the constraints. A control that was moved may let a transition happen at once.
    pub fn resume(&mut self, t: f64, states: &[f64]) -> Result<(), Failure> {
        self.set_states(t, states)?;
        let status = self.call(self.linked.entries.resume, &[t.into()]);
        self.settle(status, t)
    }

    /// At some time in a state, moved onto the constraints; whatever guard holds, no transition happens.
    pub fn place(&mut self, t: f64, states: &[f64]) -> Result<(), Failure> {
        self.set_states(t, states)?;
        self.finish(self.linked.entries.place.unwrap_or(self.linked.entries.resume), &[t.into()])
    }

    fn set_states(&mut self, t: f64, states: &[f64]) -> Result<(), Failure> {
        self.link_mode_of(t, states)?;
        for (cell, &value) in self.linked.cells.states.clone().zip(states) {
            self.memory.set(cell, value);
        }
        Ok(())
    }

    /// The rate of each state where the program was resumed; in a program of modes, of each state of the present mode.
    pub fn rates(&self) -> Vec<f64> {
        self.memory.reals(self.linked.cells.rates.clone()).collect()
    }

    /// Nothing more is asked for: whether what is claimed holds.
    pub fn end(&mut self, t: f64) -> Result<(), Failure> {
        self.linked.entries.conclude.map_or(Ok(()), |conclude| self.finish(conclude, &[t.into()]))
    }

    pub fn statistics(&mut self) -> Statistics {
        // Counting cannot fail; if it does, there is nothing to count.
        if self.finish(self.linked.entries.tally, &[]).is_err() {
            return Statistics::default();
        }
        let at = self.linked.cells.statistics.start;
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

    /// How steps of a fixed length went in which contact is gathered; none if there are no such steps.
    pub fn contact_steps(&self) -> Option<ContactSteps> {
        let range = self.linked.cells.contact_steps.clone();
        let [depth, time, pair, unsettled, sweeps] =
            <[usize; 5]>::try_from(range.collect::<Vec<_>>()).ok()?.map(|at| self.memory.real(at));
        Some(ContactSteps { depth, time, pair: pair as usize, unsettled: unsettled as usize, sweeps: sweeps as usize })
    }

    /// The program as far as it is linked.
    pub fn linked(&self) -> &Arc<Linked> {
        &self.linked
    }

    /// The whole memory; two runs that agree in it agree in everything.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Where contact tells what it met, and what came of pairs.
    pub(crate) fn told_cells(&self) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let Cells { notes, rests, .. } = &self.linked.cells;
        (notes.clone(), rests.clone())
    }

    pub(crate) fn finish(&mut self, function: FunctionId, arguments: &[Value]) -> Result<(), Failure> {
        self.call(function, arguments).map(|_| ())
    }

    pub(crate) fn call(&mut self, function: FunctionId, arguments: &[Value]) -> Result<i64, Failure> {
        let status = self.linked.machine.call_integer(function, arguments, &mut self.memory);
        self.judge(status.ok())
    }

    /// What a code means that an entry point gave; none is that of a program that broke its own rules.
    pub(crate) fn judge(&self, status: Option<i64>) -> Result<i64, Failure> {
        let kind = match status.ok_or(()) {
            Ok(status @ (protocol::DONE | protocol::UNFINISHED | protocol::MODE_WANTED | protocol::STOPPED)) => {
                return Ok(status);
            }
            Ok(protocol::STEP_COLLAPSED) => FailureKind::StepCollapsed,
            Ok(protocol::NOT_FINITE) => FailureKind::NotFinite,
            Ok(protocol::SINGULAR) => FailureKind::Singular,
            Ok(protocol::NOT_SOLVED) => FailureKind::NotSolved,
            Ok(protocol::NOT_EVALUATED) => FailureKind::NotEvaluated,
            Ok(protocol::CHATTERING) => FailureKind::Chattering,
            Ok(protocol::ACCUMULATING) => FailureKind::Accumulating,
            Ok(protocol::NO_PLAN) => FailureKind::NoPlan,
            Ok(protocol::INCONSISTENT) => FailureKind::Inconsistent,
            Ok(protocol::REFUTED) => FailureKind::Refuted,
            Ok(protocol::SWITCHING) => FailureKind::Switching,
            Ok(protocol::LEAPING) => FailureKind::Leaping,
            Ok(protocol::KINKED) => FailureKind::Kinked,
            Ok(protocol::NO_DERIVATIVE) => FailureKind::NoDerivative,
            Ok(protocol::NO_CONTACT) => FailureKind::NoContact,
            Ok(protocol::ENDLESS_IMPACTS) => FailureKind::EndlessImpacts,
            Ok(protocol::TOO_MANY_CONTACTS) => FailureKind::TooManyContacts,
            Ok(protocol::STARTS_INSIDE) => FailureKind::StartsInside,
            Ok(protocol::SUNK_IN) => FailureKind::SunkIn,
            Ok(protocol::BAD_DELAY) => FailureKind::BadDelay,
            Ok(protocol::PAST_TOO_LONG) => FailureKind::PastTooLong,
            Ok(_) | Err(_) => FailureKind::Broken,
        };
        let Cells { failure, failure_values, changing, .. } = &self.linked.cells;
        let by = changing.as_ref().and_then(|cells| usize::try_from(self.memory.integer(cells.changing_by)).ok());
        Err(Failure {
            transition: by,
            kind,
            place: usize::try_from(self.memory.integer(failure.start)).unwrap_or(0),
            part: usize::try_from(self.memory.integer(failure.start + 1)).ok(),
            time: self.memory.real(failure_values.start),
            residual: self.memory.real(failure_values.start + 1),
        })
    }
}

/// Where a module has what the protocol speaks of.
pub(crate) fn places(module: &Module) -> (Entries, Cells) {
    let layout = module.layout();
    let function = |name: &str| module.find_function(name).unwrap_or_else(|| panic!("no function `{name}`"));
    let array = |name: &str| -> ArrayId { module.find_array(name).unwrap_or_else(|| panic!("no array `{name}`")) };
    let cells = |name: &str| layout.range(array(name));
    let optional = |name: &str| module.find_array(name).map_or(0..0, |array| layout.range(array));
    let entries = Entries {
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
        surfaces: module.find_function(protocol::SURFACES),
        place: module.find_function(protocol::PLACE),
        look: module.find_function(protocol::LOOK),
        step_end: module.find_function(protocol::LAST_STEP),
        rehearse: module.find_function(protocol::REHEARSE),
        conclude: module.find_function(protocol::CONCLUDE),
    };
    let cells = Cells {
        parameters: cells(protocol::PARAMETERS),
        controls: cells(protocol::CONTROLS),
        outputs: cells(protocol::OUTPUTS),
        monitors: cells(protocol::MONITORS),
        statistics: cells(protocol::STATISTICS),
        contact_steps: optional(protocol::CONTACT_STEPS),
        states: cells(protocol::STATES),
        rates: cells(protocol::RATES),
        picture: optional(protocol::PICTURE_VALUES),
        curves: optional(protocol::CURVE_VALUES),
        surfaces: optional(protocol::SURFACE_VALUES),
        notes: optional(protocol::CONTACT_NOTES),
        rests: optional(protocol::CONTACT_RESTS),
        contact_events: optional(protocol::CONTACT_EVENTS),
        contact_event_count: Some(optional(protocol::CONTACT_EVENT_COUNT))
            .filter(|cells| !cells.is_empty())
            .map(|cells| cells.start),
        failure: cells(protocol::FAILURE),
        failure_values: cells(protocol::FAILURE_VALUES),
        changing: ChangingCells::find(module, &layout),
    };
    (entries, cells)
}
