//! A system with modes: one program for each, made when the mode is first reached, and transitions between them.
//!
//! Between transitions one program runs. After each of its steps all guards are looked at within the step; the earliest that holds is
//! located on the dense output, and its transition gives the state from which the program of the new mode goes on. Transitions repeat
//! at the same instant until no guard holds.

mod claims;
mod crossing;
mod entry;
mod pace;
mod plan;
mod rivals;
mod seen;

use kernel::executive::{AT_ONCE, MOST_AT_ONCE};
use pace::distinct;
use rivals::holds_soon;

use crate::formula::Formula;
use crate::run::Motion;
use crate::shooting::Missed;
use crate::simulation::{Failure, Monitor, Simulation, Statistics};

/// Makes the programs of modes. A mode is the value of each mode variable.
pub trait Modes {
    type Error;
    fn part(&mut self, mode: &[usize], kind: Kind) -> Result<Part, Self::Error>;
}

/// What a program of a mode is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Run,
    /// Derivatives along some directions stand beside the states and all that depends on them.
    Rehearsal,
}

/// The program of one mode.
#[derive(Clone)]
pub struct Part {
    pub simulation: Simulation,
    /// The transitions that can happen in the mode, in the order in which they are looked at.
    pub edges: Vec<Edge>,
    /// For each state of the program its place among what is handed from mode to mode; beyond all where it has none there.
    pub states: Vec<usize>,
    /// How many numbers are handed from mode to mode.
    pub variables: usize,
    /// How many states are integrated, without their derivatives.
    pub integrated: usize,
    /// In scenes with physics of their own: the transitions that lead here.
    pub entries: Option<Vec<Gate>>,
}

/// A transition, as seen from the mode that it leads to.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Its place among all transitions of the scene.
    pub number: usize,
    /// Where the remembered numbers go, among what is held.
    pub stores: Vec<usize>,
    /// Those of the numbers that were handed over which have to be in this mode what they were given as; and the place of the rate at
    /// which each changed before, if it was given.
    pub checked: Vec<(usize, Option<usize>)>,
}

/// A transition, as seen from one mode.
#[derive(Clone, Debug)]
pub struct Edge {
    pub name: String,
    /// Its place among all transitions of the scene.
    pub number: usize,
    pub target: Vec<usize>,
    /// How many numbers its reset gives.
    pub given: usize,
    /// Where the remembered numbers go, among what is held.
    pub stores: Vec<usize>,
    /// How many aims a plan has at its end.
    pub aims: usize,
    /// What a plan that begins with it chooses, among what is held, and the transitions that end its phases.
    pub choices: Vec<usize>,
    pub phases: Vec<usize>,
}

/// A transition that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub t: f64,
    pub name: String,
    pub number: usize,
}

/// Two transitions that held at one instant and lead to different modes or states; the second could not happen any more after the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivals {
    pub t: f64,
    /// Their numbers.
    pub happened: usize,
    pub missed: usize,
    /// Whether the second would have begun to hold a little later, by rounding.
    pub by_rounding: bool,
}

/// A plan that did not reach what it aimed at, because of transitions that its rehearsals did not see.
#[derive(Clone, Debug, PartialEq)]
pub struct Disturbed {
    pub t: f64,
    /// The number of its beginning, and those of what happened in between.
    pub plan: usize,
    pub by: Vec<usize>,
}

/// What a transition remembers as the time at which the phase that it begins ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Due {
    /// The number of the transition, and the place among what is held.
    pub begins: usize,
    pub place: usize,
}

/// A phase that was to end before it began.
#[derive(Clone, Debug, PartialEq)]
pub struct Overdue {
    pub t: f64,
    /// The number of the transition that began it.
    pub begins: usize,
    /// Less than nothing.
    pub duration: f64,
}

/// What is claimed of every run.
#[derive(Clone, Debug)]
pub struct Claim {
    pub name: String,
    pub formula: Formula,
}

/// Why a run with modes came to its end too soon.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble<E> {
    /// The program of the present mode failed.
    Failed(Failure),
    /// The program of a mode could not be made.
    NoProgram(E),
    /// At one instant so many transitions happened that they are taken to have no end.
    Chattering { t: f64, names: Vec<String>, count: usize },
    /// Transitions lead to one another again and again, with no progress in between.
    TakingTurns { t: f64, names: Vec<String> },
    /// Transitions come ever faster, towards an instant that they do not reach.
    Accumulating { t: f64, name: String },
    /// What a plan aims at was not reached: what the aims left, if the phases could be gone through at all.
    NoPlan { t: f64, number: usize, left: Option<Box<Missed>> },
    /// After a transition a constraint of the new mode does not hold: by how much what would have to change. What is no coordinate and
    /// no speed is a state of the new mode, behind these.
    Inconsistent { t: f64, number: usize, variable: usize, by: f64 },
    /// The equations of a transition, or of the mode that it leads to, have no solution.
    Unsettled { number: usize, failure: Failure },
    /// A claim does not hold: what the conditions of all claims compare.
    Refuted { t: f64, claim: usize, compared: Vec<f64> },
}

impl<E> Trouble<E> {
    /// When it happened, if it happened while the time passed.
    pub fn time(&self) -> Option<f64> {
        match self {
            Trouble::NoProgram(_) => None,
            Trouble::Failed(Failure { time: t, .. })
            | Trouble::Unsettled { failure: Failure { time: t, .. }, .. }
            | Trouble::Chattering { t, .. }
            | Trouble::TakingTurns { t, .. }
            | Trouble::Accumulating { t, .. }
            | Trouble::NoPlan { t, .. }
            | Trouble::Inconsistent { t, .. }
            | Trouble::Refuted { t, .. } => Some(*t),
        }
    }
}

impl<E> From<Failure> for Trouble<E> {
    fn from(failure: Failure) -> Trouble<E> {
        Trouble::Failed(failure)
    }
}

pub struct Hybrid<M: Modes> {
    modes: M,
    parts: Vec<(Vec<usize>, Part)>,
    /// The same for rehearsals, while a run goes on; for the run, while a plan is rehearsed.
    others: Vec<(Vec<usize>, Part)>,
    kind: Kind,
    current: usize,
    /// The mode at the start.
    start: Vec<usize>,
    pub parameters: Vec<f64>,
    pub controls: Vec<f64>,
    /// Along how many directions rehearsals know derivatives.
    pub directions: usize,
    held: Vec<f64>,
    tolerance: f64,
    horizon: f64,
    /// What was counted before the present mode was entered; plans that were tried count too.
    spent: Statistics,
    /// When the next transition happens, if that is known; it lies in the present step.
    due: Option<f64>,
    /// The last transition of this instant, and what it gave.
    entered: Option<(Edge, Vec<f64>)>,
    pub events: Vec<Event>,
    /// Each pair once, when it was first seen.
    pub rivals: Vec<Rivals>,
    /// Plans whose phases have not all come to their ends.
    underway: Vec<plan::Underway>,
    pub disturbed: Vec<Disturbed>,
    /// When phases end that end after some time.
    pub dues: Vec<Due>,
    /// Each transition once.
    pub overdue: Vec<Overdue>,
    claims: Vec<Claim>,
    conditions: usize,
    /// What remains to be seen of each claim.
    remaining: Vec<Formula>,
}

type Entry<E> = Result<(), Trouble<E>>;

impl<M: Modes> Hybrid<M> {
    /// `held` is how many numbers only transitions change; they stand behind the parameters.
    pub fn new(modes: M, start: Vec<usize>, held: usize) -> Hybrid<M> {
        Hybrid {
            modes,
            parts: Vec::new(),
            others: Vec::new(),
            kind: Kind::Run,
            current: 0,
            start,
            parameters: Vec::new(),
            controls: Vec::new(),
            directions: 0,
            held: vec![0.0; held],
            tolerance: 1e-8,
            horizon: f64::INFINITY,
            spent: Statistics::default(),
            due: None,
            entered: None,
            events: Vec::new(),
            rivals: Vec::new(),
            underway: Vec::new(),
            disturbed: Vec::new(),
            dues: Vec::new(),
            overdue: Vec::new(),
            claims: Vec::new(),
            conditions: 0,
            remaining: Vec::new(),
        }
    }

    /// Claims to watch, about so many conditions.
    pub fn watch(&mut self, claims: Vec<Claim>, conditions: usize) {
        (self.claims, self.conditions) = (claims, conditions);
    }

    /// A claim that is known to fail, or to be of no interest.
    pub fn unwatch(&mut self, claim: usize) {
        self.claims[claim].formula = Formula::True;
    }

    /// The present mode.
    pub fn mode(&self) -> &[usize] {
        self.parts.get(self.current).map_or(&self.start, |(mode, _)| mode)
    }

    pub fn modes(&self) -> &M {
        &self.modes
    }

    pub fn simulation(&self) -> Option<&Simulation> {
        self.parts.get(self.current).map(|(_, part)| &part.simulation)
    }

    fn part(&mut self) -> &mut Part {
        &mut self.parts[self.current].1
    }

    /// Makes the program of a mode, if that has not been done, and gives it all that it depends on.
    fn program(&mut self, mode: &[usize]) -> Result<usize, Trouble<M::Error>> {
        let at = match self.parts.iter().position(|(known, _)| known == mode) {
            Some(at) => at,
            None => {
                let part = self.modes.part(mode, self.kind).map_err(Trouble::NoProgram)?;
                self.parts.push((mode.to_vec(), part));
                self.parts.len() - 1
            }
        };
        let simulation = &mut self.parts[at].1.simulation;
        for (place, &value) in self.parameters.iter().chain(&self.held).enumerate() {
            simulation.set_parameter(place, value);
        }
        for (place, &value) in self.controls.iter().enumerate() {
            simulation.set_control(place, value);
        }
        simulation.configure(self.tolerance, self.horizon)?;
        Ok(at)
    }

    /// Makes a transition from the sampled state.
    fn change(&mut self, at: usize, t: f64) -> Result<(), Trouble<M::Error>> {
        let edge = self.part().edges[at].clone();
        if !edge.choices.is_empty() {
            self.plan(at, &edge, t)?;
        }
        self.judge_plans(at, &edge, t)?;
        let unsettled = |trouble| match trouble {
            Trouble::Failed(failure) => Trouble::Unsettled { number: edge.number, failure },
            other => other,
        };
        let reset = self.part().simulation.reset(at, t, edge.given);
        let values = reset.map_err(|failure| unsettled(Trouble::Failed(failure)))?;
        self.events.push(Event { t, name: edge.name.clone(), number: edge.number });
        let settled = self.enter(&edge, t, &values).map_err(unsettled)?;
        self.look_at_dues(&edge, t);
        self.check_entry(&edge, t, settled.into_iter())?;
        self.check_lasting(&edge, t, &values)?;
        self.entered = self.part().entries.is_none().then_some((edge, values));
        Ok(())
    }

    /// A phase whose duration is negative ends at once, which nobody meant.
    fn look_at_dues(&mut self, edge: &Edge, t: f64) {
        let begun = self.dues.iter().filter(|due| due.begins == edge.number);
        let durations = begun.map(|due| self.held[due.place] - t);
        let known = self.overdue.iter().any(|known| known.begins == edge.number);
        let worst = durations.reduce(f64::min).filter(|duration| !known && *duration < -AT_ONCE * t.abs());
        self.overdue.extend(worst.map(|duration| Overdue { t, begins: edge.number, duration }));
    }

    /// All transitions of an instant, one after the other.
    fn happen(&mut self, t: f64) -> Result<(), Trouble<M::Error>> {
        self.due = None;
        let first = self.events.len();
        let mut rivals: Vec<Rivals> = Vec::new();
        loop {
            let guards = self.guards(t)?;
            let holding: Vec<usize> = (0..guards.len()).filter(|&at| guards[at].holds).collect();
            self.look(t, !holding.is_empty())?;
            let late: Vec<usize> = (0..guards.len()).filter(|&at| holds_soon(&guards[at], t)).collect();
            self.remember_rivals(rivals, &[&holding[..], &late].concat());
            let [chosen, others @ ..] = &holding[..] else { break };
            rivals = self.rivals_of(*chosen, others, t);
            let by_rounding = self.rivals_of(*chosen, &late, t).into_iter();
            rivals.extend(by_rounding.map(|pair| Rivals { by_rounding: true, ..pair }));
            self.change(*chosen, t)?;
            if self.events.len() - first > MOST_AT_ONCE {
                let names = distinct(self.events[first..].iter().map(|event| &event.name));
                return Err(Trouble::Chattering { t, names, count: MOST_AT_ONCE });
            }
        }
        self.check_whole(t)?;
        self.refuse_accumulation(t)
    }
}

impl<M: Modes> Motion for Hybrid<M> {
    type Trouble = Trouble<M::Error>;

    fn configure(&mut self, tolerance: f64, horizon: f64) -> Result<(), Self::Trouble> {
        (self.tolerance, self.horizon) = (tolerance, horizon);
        if let Some((_, part)) = self.parts.get_mut(self.current) {
            part.simulation.configure(tolerance, horizon)?;
        }
        Ok(())
    }

    fn initialize(&mut self) -> Result<(), Self::Trouble> {
        self.held.fill(0.0);
        self.spent = Statistics::default();
        self.events.clear();
        self.rivals.clear();
        self.underway.clear();
        self.disturbed.clear();
        self.overdue.clear();
        self.remaining = self.claims.iter().map(|claim| claim.formula.clone()).collect();
        self.current = self.program(&self.start.clone())?;
        self.part().simulation.initialize()?;
        self.happen(0.0)
    }

    fn advance(&mut self, target: f64, limit: i64) -> Result<bool, Self::Trouble> {
        let mut left = limit;
        loop {
            if let Some(due) = self.due {
                if due > target + AT_ONCE * target.abs() {
                    return Ok(true);
                }
                self.happen(due)?;
                continue;
            }
            let Some((_, begin)) = self.part().simulation.step() else {
                return self.part().simulation.advance(target, limit).map_err(Trouble::from);
            };
            if begin >= target {
                return Ok(true);
            }
            if left <= 0 {
                return Ok(false);
            }
            left -= 1;
            self.part().simulation.advance(target, 1)?;
            if let Some((_, end)) = self.part().simulation.step()
                && end > begin
            {
                self.search(begin, end)?;
            }
        }
    }

    fn observe(&mut self, t: f64) -> Result<Vec<f64>, Self::Trouble> {
        let t = self.within(t);
        Ok(self.part().simulation.observe(t)?)
    }

    fn monitor(&mut self, t: f64) -> Result<Monitor, Self::Trouble> {
        let t = self.within(t);
        Ok(self.part().simulation.monitor(t)?)
    }

    fn statistics(&mut self) -> Statistics {
        match self.parts.get_mut(self.current) {
            Some((_, part)) => self.spent + part.simulation.statistics(),
            None => self.spent,
        }
    }

    fn end(&mut self, t: f64) -> Result<(), Self::Trouble> {
        match self.remaining.iter().position(|remaining| !remaining.at_end()) {
            Some(claim) => Err(self.refuted(t, claim)),
            None => Ok(()),
        }
    }
}
