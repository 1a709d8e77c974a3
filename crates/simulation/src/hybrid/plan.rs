//! Plans: the phases are rehearsed with some choices, and the choices mended until the aims are met.
//!
//! A rehearsal goes as the run will: every transition happens that would happen, except that no other plan begins. Its programs know how
//! their states change with the choices; where a transition happens, its instant changes with them too.

use std::ops::Range;

use kernel::executive::{MOST_AT_ONCE, plans};

use super::{Disturbed, Edge, Hybrid, Kind, Modes, Trouble};
use crate::shooting::{self, Missed, Trial};

/// Where a plan begins: at a time, in a mode, with all that is handed from mode to mode, and what is held.
struct Beginning {
    t: f64,
    mode: Vec<usize>,
    whole: Vec<f64>,
    held: Vec<f64>,
}

/// A plan that has begun.
pub(super) struct Underway {
    number: usize,
    phases: Vec<usize>,
    /// How many of these have come to their ends.
    ended: usize,
    /// How many transitions had happened before it.
    since: usize,
    choices: Vec<f64>,
    seeds: Vec<f64>,
    /// What the aims left so far, and how that changes with the choices.
    trial: Trial,
}

impl<M: Modes> Hybrid<M> {
    /// Gives what a plan chooses its values. The sampled state stays as it is.
    pub(super) fn plan(&mut self, at: usize, edge: &Edge, t: f64) -> Result<(), Trouble<M::Error>> {
        let seeds = self.part().simulation.seeds(at, t, edge.choices.len())?;
        let found = self.rehearsing(at, t, |rehearse| shooting::solve(&seeds, rehearse))?;
        let (choices, trial) = found.map_err(|nearest| {
            let left = nearest.map(|(choices, trial)| Box::new(Missed::new(&choices, &seeds, trial)));
            Trouble::NoPlan { t, number: edge.number, left }
        })?;
        let first = self.parameters.len();
        for (&place, &value) in edge.choices.iter().zip(&choices) {
            self.held[place] = value;
            self.part().simulation.set_parameter(first + place, value);
        }
        let (number, phases, since) = (edge.number, edge.phases.clone(), self.events.len());
        let trial = Trial { left: Vec::new(), ..trial };
        self.underway.push(Underway { number, phases, ended: 0, since, choices, seeds, trial });
        Ok(())
    }

    /// What the aims of a plan would leave with some choices if it began now, and how that changes with each of them; none if its phases
    /// do not come to their ends, or it cannot begin in this mode.
    pub fn try_plan(&mut self, name: &str, t: f64, choices: &[f64]) -> Result<Option<Trial>, Trouble<M::Error>> {
        let Some(at) = self.part().edges.iter().position(|edge| edge.name == name) else { return Ok(None) };
        self.part().simulation.sample(t)?;
        self.rehearsing(at, t, |rehearse| rehearse(choices))
    }

    /// Does something with a function that rehearses a plan with some choices. The sampled state stays as it is.
    fn rehearsing<T>(
        &mut self,
        at: usize,
        t: f64,
        work: impl FnOnce(&mut dyn FnMut(&[f64]) -> Option<Trial>) -> T,
    ) -> Result<T, Trouble<M::Error>> {
        let variables = self.part().variables;
        let whole = self.part().simulation.whole(t, variables)?;
        let beginning = Beginning { t, mode: self.mode().to_vec(), whole, held: self.held.clone() };
        let before = (self.current, self.tolerance, self.horizon, std::mem::take(&mut self.claims));
        (self.tolerance, self.horizon) = (self.tolerance.min(plans::TOLERANCE), f64::INFINITY);
        self.change_kind(Kind::Rehearsal);
        let mut trouble = None;
        let found = work(&mut |choices| match self.rehearse(at, &beginning, choices) {
            Ok(left) => left,
            // What could not be compiled cannot be tried with other numbers either.
            Err(Trouble::NoProgram(error)) => {
                trouble = Some(Trouble::NoProgram(error));
                None
            }
            Err(_) => None,
        });
        self.change_kind(Kind::Run);
        (self.current, self.tolerance, self.horizon, self.claims) = before;
        (self.held, self.due) = (beginning.held, None);
        trouble.map_or(Ok(found), Err)
    }

    /// Looks whether a plan that comes to its end has reached what it aimed at.
    pub(super) fn judge_plans(&mut self, at: usize, edge: &Edge, t: f64) -> Result<(), Trouble<M::Error>> {
        let Some(place) = self.underway.iter().position(|it| it.phases[it.ended] == edge.number) else { return Ok(()) };
        let aims = self.part().simulation.aims(at, t, edge.aims)?;
        let plan = &mut self.underway[place];
        plan.trial.left.extend(aims);
        plan.ended += 1;
        if plan.ended < plan.phases.len() {
            return Ok(());
        }
        let plan = self.underway.swap_remove(place);
        let others = self.events[plan.since.min(self.events.len())..].iter().map(|event| event.number);
        let mut by: Vec<usize> =
            others.filter(|number| *number != plan.number && !plan.phases.contains(number)).collect();
        by.sort_unstable();
        by.dedup();
        if !by.is_empty() && !shooting::is_met(&plan.choices, &plan.seeds, &plan.trial) {
            self.disturbed.push(Disturbed { t, plan: plan.number, by });
        }
        Ok(())
    }

    fn change_kind(&mut self, kind: Kind) {
        std::mem::swap(&mut self.parts, &mut self.others);
        self.kind = kind;
    }

    /// Goes through the phases of a plan with some choices: what the aims leave, and how that changes with each choice, if the phases
    /// come to their ends.
    fn rehearse(&mut self, at: usize, from: &Beginning, choices: &[f64]) -> Result<Option<Trial>, Trouble<M::Error>> {
        self.begin(at, from, choices)?;
        let begin = self.part().edges[at].clone();
        self.pass(at, from.t)?;
        let (mut now, mut ended) = (from.t, 0);
        let mut trial = Trial { left: Vec::new(), slopes: vec![Vec::new(); choices.len()] };
        // Whether the phase began at this instant, and whether a guard began to hold at it by itself.
        let (mut begun, mut located) = (true, false);
        let mut steps = 0..plans::MOST_STEPS;
        loop {
            for count in 0.. {
                let Some(chosen) = self.guards(now)?.iter().position(|guard| guard.holds) else { break };
                if count > MOST_AT_ONCE {
                    return Ok(None);
                }
                if std::mem::take(&mut located) {
                    self.move_instant(chosen, now)?;
                }
                if self.part().edges[chosen].number == begin.phases[ended] {
                    // A phase that would end before it begins leads nowhere.
                    if begun {
                        return Ok(None);
                    }
                    self.take_aims(chosen, now, &mut trial)?;
                    (begun, ended) = (true, ended + 1);
                    if ended == begin.phases.len() {
                        self.spent = self.spent + self.part().simulation.statistics();
                        return Ok(trial.is_finite().then_some(trial));
                    }
                }
                self.pass(chosen, now)?;
            }
            match self.next_instant(&mut steps)? {
                Some(due) => now = due,
                // It may never come.
                None => return Ok(None),
            }
            (begun, located) = (false, true);
        }
    }

    /// The state in which a plan begins, with its choices; each of these changes by one along a direction of its own.
    fn begin(&mut self, at: usize, from: &Beginning, choices: &[f64]) -> Result<(), Trouble<M::Error>> {
        let held = from.held.len();
        self.held = from.held.clone();
        self.held.resize(held * (1 + self.directions) + self.directions, 0.0);
        self.current = self.program(&from.mode)?;
        let places = self.part().edges[at].choices.clone();
        for (direction, (&place, &value)) in places.iter().zip(choices).enumerate() {
            self.held[place] = value;
            self.held[held * (1 + direction) + place] = 1.0;
        }
        self.program(&from.mode)?;
        let part = self.part();
        let value = |variable: usize| from.whole.get(variable).copied().unwrap_or(0.0);
        let states: Vec<f64> = match part.entries {
            None => part.states.iter().map(|&variable| value(variable)).collect(),
            Some(_) => part.simulation.again(from.t, &(0..part.variables).map(value).collect::<Vec<f64>>())?,
        };
        part.simulation.resume(from.t, &states)?;
        Ok(part.simulation.sample(from.t)?)
    }

    /// Goes through a transition from the sampled state.
    fn pass(&mut self, at: usize, t: f64) -> Result<(), Trouble<M::Error>> {
        let edge = self.part().edges[at].clone();
        let values = self.part().simulation.reset(at, t, edge.given)?;
        self.enter(&edge, t, &values)?;
        Ok(())
    }

    /// The instant at which a guard begins to hold changes with the choices, so that its margin stays zero; and so does the state at that
    /// instant.
    fn move_instant(&mut self, at: usize, t: f64) -> Result<(), Trouble<M::Error>> {
        let slope = self.guards(t)?[at].slope;
        let (directions, parameters) = (self.directions, self.parameters.len());
        let first = self.held.len() - directions;
        let part = &mut self.parts[self.current].1;
        let margins = part.simulation.margin_slopes(at, t, directions)?;
        let mut states = part.simulation.states()?;
        self.spent = self.spent + part.simulation.statistics();
        part.simulation.resume(t, &states)?;
        self.spent = self.spent + part.simulation.statistics();
        let rates = part.simulation.rates();
        for (direction, margin) in margins.into_iter().enumerate() {
            // What does not begin to hold by itself, but because a hand moved something, stays when it was.
            let later = -margin / slope;
            let later = if later.is_finite() { later } else { 0.0 };
            for state in 0..part.integrated {
                states[part.integrated * (1 + direction) + state] += rates[state] * later;
            }
            self.held[first + direction] += later;
            part.simulation.set_parameter(parameters + first + direction, self.held[first + direction]);
        }
        part.simulation.resume(t, &states)?;
        Ok(part.simulation.sample(t)?)
    }

    fn take_aims(&mut self, at: usize, t: f64, trial: &mut Trial) -> Result<(), Trouble<M::Error>> {
        let (part, directions) = (&mut self.parts[self.current].1, self.directions);
        let count = part.edges[at].aims;
        let aims = part.simulation.aims(at, t, count)?;
        let own = count / (1 + directions);
        trial.left.extend(&aims[..own]);
        for (direction, slopes) in trial.slopes.iter_mut().enumerate() {
            slopes.extend(&aims[own * (1 + direction)..own * (2 + direction)]);
        }
        Ok(())
    }

    /// When the next transition happens, if it does within some steps.
    fn next_instant(&mut self, steps: &mut Range<usize>) -> Result<Option<f64>, Trouble<M::Error>> {
        for _ in steps {
            let simulation = &mut self.part().simulation;
            let Some(begin) = simulation.step().map(|(_, end)| end) else { return Ok(None) };
            if simulation.advance(f64::INFINITY, 1)? {
                return Ok(None);
            }
            let Some((_, end)) = simulation.step() else { return Ok(None) };
            // A step that was refused is tried once more, shorter.
            if end > begin {
                self.search(begin, end)?;
                if self.due.is_some() {
                    return Ok(self.due);
                }
            }
        }
        Ok(None)
    }
}
