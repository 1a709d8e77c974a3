//! A system with modes: one program for each, made when the mode is first reached, and transitions between them.
//!
//! Between transitions one program runs. After each of its steps all guards are looked at within the step; the earliest that holds is
//! located on the dense output, and its transition gives the state from which the program of the new mode goes on. Transitions repeat
//! at the same instant until no guard holds.

mod crossing;
mod plan;

use kernel::protocol;
pub use plan::PLANNED_TOLERANCE;

use crate::formula::Formula;
use crate::run::Motion;
use crate::simulation::{Claimed, Entered, Failure, Monitor, Simulation, Statistics};

/// Makes the programs of modes. A mode is the value of each mode variable.
pub trait Modes<'m> {
    type Error;
    fn part(&mut self, mode: &[usize], kind: Kind) -> Result<Part<'m>, Self::Error>;
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
pub struct Part<'m> {
    pub simulation: Simulation<'m>,
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
    /// At one instant there is no end of transitions.
    Chattering { t: f64, names: Vec<String> },
    /// Transitions come ever faster, towards an instant that they do not reach.
    Accumulating { t: f64, name: String },
    /// What a plan aims at was not reached: what the aims left, if the phases could be gone through at all.
    NoPlan { t: f64, number: usize, left: Option<Vec<f64>> },
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

pub struct Hybrid<'m, M: Modes<'m>> {
    modes: M,
    parts: Vec<(Vec<usize>, Part<'m>)>,
    /// The same for rehearsals, while a run goes on; for the run, while a plan is rehearsed.
    others: Vec<(Vec<usize>, Part<'m>)>,
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

/// Transitions at one instant beyond which they are taken to have no end.
const MOST_AT_ONCE: usize = 1000;
/// A row this near to a transition, relative to its time, shows what holds after it.
const AT_ONCE: f64 = 1e-11;

impl<'m, M: Modes<'m>> Hybrid<'m, M> {
    /// `held` is how many numbers only transitions change; they stand behind the parameters.
    pub fn new(modes: M, start: Vec<usize>, held: usize) -> Hybrid<'m, M> {
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

    pub fn simulation(&self) -> Option<&Simulation<'m>> {
        self.parts.get(self.current).map(|(_, part)| &part.simulation)
    }

    fn part(&mut self) -> &mut Part<'m> {
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

    /// Goes on in the mode after a transition, from what it gives, moved onto the constraints; gives the states as they are and as they
    /// were to be.
    fn enter(&mut self, edge: &Edge, t: f64, values: &[f64]) -> Result<Vec<Kept>, Trouble<M::Error>> {
        let remembered = &values[values.len() - edge.stores.len()..];
        for (&place, &value) in edge.stores.iter().zip(remembered) {
            self.held[place] = value;
        }
        self.spent = self.spent + self.part().simulation.statistics();
        self.current = self.program(&edge.target)?;
        let states = self.entered_states(edge, t, values)?;
        let part = self.part();
        part.simulation.resume(t, &states)?;
        part.simulation.sample(t)?;
        let settled = part.simulation.states()?;
        let places = (0..states.len()).map(|at| match part.entries {
            None => part.states[at],
            Some(_) => part.variables + at,
        });
        Ok(places.zip(settled).zip(states).map(|((place, now), given)| Kept::of_size(place, now, given)).collect())
    }

    /// The states of the new mode: what the transition gave, or what the new mode makes of that.
    fn entered_states(&mut self, edge: &Edge, t: f64, values: &[f64]) -> Result<Vec<f64>, Trouble<M::Error>> {
        let part = self.part();
        let Some(entries) = &part.entries else {
            return Ok(part.states.iter().map(|&variable| values[variable]).collect());
        };
        let gate = entries.iter().find(|gate| gate.number == edge.number);
        let places = gate.map_or(Vec::new(), |gate| gate.stores.clone());
        let Entered { states, stored } = part.simulation.enter(edge.number, t, values, places.len())?;
        let first = self.parameters.len();
        for (place, value) in places.into_iter().zip(stored) {
            self.held[place] = value;
            self.part().simulation.set_parameter(first + place, value);
        }
        Ok(states)
    }

    /// Constraints that do not hold after a transition are not brought about by force.
    fn check_entry(&self, edge: &Edge, t: f64, kept: impl Iterator<Item = Kept>) -> Entry<M::Error> {
        match kept.max_by(|a, b| a.by.total_cmp(&b.by)) {
            Some(Kept { variable, by }) if by > INCONSISTENT => {
                Err(Trouble::Inconsistent { t, number: edge.number, variable, by })
            }
            _ => Ok(()),
        }
    }

    /// What the laws of the new mode make of what lasts has to be what was given.
    fn check_lasting(&mut self, edge: &Edge, t: f64, values: &[f64]) -> Entry<M::Error> {
        let part = self.part();
        let gate = part.entries.iter().flatten().find(|gate| gate.number == edge.number);
        let Some(checked) = gate.map(|gate| gate.checked.clone()) else { return Ok(()) };
        let whole = part.simulation.whole(t, part.variables)?;
        let kept = checked.into_iter().map(|(at, rate)| match rate {
            None => Kept::of_size(at, whole[at], values[at]),
            Some(rate) => Kept::of_rate(at, whole[at], values[at], t.max(1.0) * values[rate].abs()),
        });
        self.check_entry(edge, t, kept)
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
        let worst = durations.reduce(f64::min).filter(|duration| !known && *duration < -AT_ONCE * t.abs().max(1.0));
        self.overdue.extend(worst.map(|duration| Overdue { t, begins: edge.number, duration }));
    }

    /// What follows from the states in the mode that lasts has to be what the last transition gave. In a mode that is left at once it
    /// has not.
    fn check_whole(&mut self, t: f64) -> Entry<M::Error> {
        let Some((edge, values)) = self.entered.take() else { return Ok(()) };
        let part = self.part();
        let whole = part.simulation.whole(t, part.variables)?;
        let pairs = whole.into_iter().zip(values).enumerate();
        self.check_entry(&edge, t, pairs.map(|(variable, (now, given))| Kept::of_size(variable, now, given)))
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
            self.remember_rivals(rivals, &holding);
            let [chosen, others @ ..] = &holding[..] else { break };
            rivals = self.rivals_of(*chosen, others, t);
            self.change(*chosen, t)?;
            if self.events.len() - first > MOST_AT_ONCE {
                let names = distinct(self.events[first..].iter().map(|event| &event.name));
                return Err(Trouble::Chattering { t, names });
            }
        }
        self.check_whole(t)?;
        self.refuse_accumulation(t)
    }

    /// A transition with each of those that hold beside it and lead elsewhere.
    fn rivals_of(&mut self, chosen: usize, others: &[usize], t: f64) -> Vec<Rivals> {
        let elsewhere: Vec<usize> = others.iter().copied().filter(|&other| self.disagree(chosen, other, t)).collect();
        let edges = &self.part().edges;
        let rivals = |other: usize| Rivals { t, happened: edges[chosen].number, missed: edges[other].number };
        elsewhere.into_iter().map(rivals).collect()
    }

    /// Whether two transitions lead to different modes, or leave different coordinates and speeds. What a plan would choose is not known.
    fn disagree(&mut self, one: usize, other: usize, t: f64) -> bool {
        let part = self.part();
        let edges = [one, other].map(|at| &part.edges[at]);
        if edges[0].target != edges[1].target {
            return true;
        }
        if edges.iter().any(|edge| !edge.choices.is_empty()) {
            return false;
        }
        let variables = part.variables;
        let mut left = |at: usize| part.simulation.reset(at, t, variables);
        let (Ok(first), Ok(second)) = (left(one), left(other)) else { return false };
        first.iter().zip(second).any(|(a, b)| (a - b).abs() > SAME * a.abs().max(b.abs()).max(1.0))
    }

    /// Those whose second does not hold any more.
    fn remember_rivals(&mut self, rivals: Vec<Rivals>, holding: &[usize]) {
        for pair in rivals {
            let still = holding.iter().any(|&at| self.part().edges[at].number == pair.missed);
            let known = self.rivals.iter().any(|known| (known.happened, known.missed) == (pair.happened, pair.missed));
            if !still && !known {
                self.rivals.push(pair);
            }
        }
    }

    /// Transitions that come ever faster never let the time pass where they lead to.
    fn refuse_accumulation(&self, t: f64) -> Result<(), Trouble<M::Error>> {
        const MANY: usize = 50;
        const FEW_ROUNDINGS: f64 = 256.0;
        let Some(last) = self.events.last() else { return Ok(()) };
        let same: Vec<f64> = self
            .events
            .iter()
            .rev()
            .take(protocol::EVENTS)
            .filter(|event| event.number == last.number)
            .map(|event| event.t)
            .take(MANY)
            .collect();
        if self.never_gets_on(t) {
            return Err(Trouble::Accumulating { t, name: last.name.clone() });
        }
        let faster = same.windows(3).all(|times| times[0] - times[1] <= times[1] - times[2]);
        let still = same.len() == MANY && same[0] - same[1] <= FEW_ROUNDINGS * f64::EPSILON * t.abs();
        if faster && still {
            return Err(Trouble::Accumulating { t, name: last.name.clone() });
        }
        Ok(())
    }

    /// Whether transitions come at so fast and even a pace that the end of the run is out of reach, as where a ball trembles on a floor.
    fn never_gets_on(&self, t: f64) -> bool {
        const MANY: usize = 1000;
        const ENDLESS: f64 = 1e8;
        let Some(first) = self.events.len().checked_sub(2 * MANY + 1) else { return false };
        let [earlier, middle] = [first, first + MANY].map(|at| self.events[at].t);
        let pace = (t - middle) / MANY as f64;
        let end = if self.horizon.is_finite() { self.horizon } else { t + t.abs().max(1.0) };
        t - middle >= 0.9 * (middle - earlier) && end - t > ENDLESS * pace
    }

    /// Looks at the claims at a moment of the sampled state; `event` if a transition follows at once.
    fn look(&mut self, t: f64, event: bool) -> Result<(), Trouble<M::Error>> {
        if self.claims.is_empty() {
            return Ok(());
        }
        let conditions = self.conditions;
        let claimed = self.part().simulation.claims(t, conditions)?;
        let holds: Vec<bool> = claimed.iter().map(|condition| holds(condition, t)).collect();
        for remaining in &mut self.remaining {
            *remaining = remaining.after(&holds, event);
        }
        match self.remaining.iter().position(|remaining| *remaining == Formula::False) {
            Some(claim) => Err(self.refuted(t, claim)),
            None => Ok(()),
        }
    }

    fn refuted(&mut self, t: f64, claim: usize) -> Trouble<M::Error> {
        let conditions = self.conditions;
        let compared = self.part().simulation.compared(t, conditions);
        compared.map_or_else(Trouble::Failed, |compared| Trouble::Refuted { t, claim, compared })
    }
}

/// Whether a condition holds but for rounding: of the numbers that it compares, and of the time, which is that of a transition perhaps.
fn holds(condition: &Claimed, t: f64) -> bool {
    const ROUNDING: f64 = 1e-9;
    let late = AT_ONCE * t.abs() * condition.slope.abs();
    let allowed = late + ROUNDING * condition.size;
    condition.margin >= if allowed.is_finite() { -allowed } else { 0.0 }
}

/// What differs by less, relative to its size, is the same but for rounding.
const SAME: f64 = 1e-9;

/// A state may be moved by so much, relative to its size, when a mode is entered: rounding, and the tolerance of projections.
const INCONSISTENT: f64 = 1e-6;

/// What a transition was to leave as it is: its number, as in [`Trouble::Inconsistent`], and by how much it changed, relative to its size.
struct Kept {
    variable: usize,
    by: f64,
}

impl Kept {
    /// A coordinate, a speed or a state.
    fn of_size(variable: usize, now: f64, given: f64) -> Kept {
        Kept { variable, by: (now - given).abs() / given.abs().max(1.0) }
    }

    /// A quantity that may be small at all times, or passes through zero; `change` is by how much it would have changed in a while.
    fn of_rate(variable: usize, now: f64, given: f64, change: f64) -> Kept {
        const SMALLEST: f64 = 1e-6;
        const MOMENT: f64 = 1e-3;
        let size = given.abs().max(now.abs()).max(SMALLEST) + MOMENT * change;
        Kept { variable, by: (now - given).abs() / size }
    }
}

fn distinct<'n>(names: impl Iterator<Item = &'n String>) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    for name in names {
        if !known.contains(name) {
            known.push(name.clone());
        }
    }
    known
}

impl<'m, M: Modes<'m>> Motion for Hybrid<'m, M> {
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

/// What only those need who look at a run, and change it.
impl<'m, M: Modes<'m>> Hybrid<'m, M> {
    /// All that a run can be resumed from, at the moment that was observed last: coordinates and speeds, quantities of the author's own,
    /// the mode, what is held.
    pub fn states(&mut self, t: f64) -> Result<Vec<f64>, Trouble<M::Error>> {
        let t = self.within(t);
        let part = self.part();
        let mut states = part.simulation.whole(t, part.variables)?;
        states.extend(self.mode().iter().map(|&value| value as f64));
        states.extend(&self.held);
        Ok(states)
    }

    /// Goes on at some time from what `states` gave.
    pub fn resume(&mut self, t: f64, states: &[f64]) -> Result<(), Trouble<M::Error>> {
        self.place(t, states)?;
        // A control that was moved may let a guard hold at once.
        self.happen(t)
    }

    /// At some time in what `states` gave, moved onto the constraints; whatever guard holds, nothing happens.
    pub fn place(&mut self, t: f64, states: &[f64]) -> Result<(), Trouble<M::Error>> {
        let held = states.len() - self.held.len();
        let variables = held - self.start.len();
        self.held.copy_from_slice(&states[held..]);
        let mode: Vec<usize> = states[variables..held].iter().map(|&value| value as usize).collect();
        self.events.retain(|event| event.t <= t);
        self.underway.clear();
        self.current = self.program(&mode)?;
        let part = self.part();
        let own: Vec<f64> = match part.entries {
            None => part.states.iter().map(|&variable| states[variable]).collect(),
            Some(_) => part.simulation.again(t, &states[..variables])?,
        };
        part.simulation.resume(t, &own)?;
        self.due = None;
        Ok(())
    }

    /// The rate of each of `states` where the present program was resumed; what it does not integrate has none.
    pub fn rates(&self) -> Vec<f64> {
        let (mode, part) = &self.parts[self.current];
        let mut rates = vec![0.0; part.variables + mode.len() + self.held.len()];
        for (&variable, rate) in part.states.iter().zip(part.simulation.rates()) {
            if let Some(place) = rates.get_mut(variable) {
                *place = rate;
            }
        }
        rates
    }

    /// Whether the guard of a transition holds at the sampled state.
    pub fn is_leaving(&mut self, t: f64) -> Result<bool, Trouble<M::Error>> {
        Ok(self.guards(t)?.iter().any(|guard| guard.holds))
    }

    /// The transitions whose guards hold at the sampled state, by their numbers, and how fast their margins grow there.
    pub fn holding(&mut self, t: f64) -> Result<Vec<(usize, f64)>, Trouble<M::Error>> {
        let guards = self.guards(t)?;
        let edges = self.part().edges.iter().zip(guards).filter(|(_, guard)| guard.holds);
        Ok(edges.map(|(edge, guard)| (edge.number, guard.slope)).collect())
    }

    pub fn picture(&mut self, t: f64) -> Result<Vec<f64>, Trouble<M::Error>> {
        let t = self.within(t);
        Ok(self.part().simulation.picture(t)?)
    }

    pub fn curves(&mut self, t: f64) -> Result<Vec<f64>, Trouble<M::Error>> {
        let t = self.within(t);
        Ok(self.part().simulation.curves(t)?)
    }

    pub fn surfaces(&mut self, t: f64) -> Result<Vec<f64>, Trouble<M::Error>> {
        let t = self.within(t);
        Ok(self.part().simulation.surfaces(t)?)
    }

    /// A time that was meant to be just before a transition, and is after it by rounding.
    fn within(&mut self, t: f64) -> f64 {
        self.part().simulation.step().map_or(t, |(begin, _)| t.max(begin))
    }
}
