//! Plans: the phases are rehearsed with some choices, and the choices mended until the aims are met.

use super::crossing::locate;
use super::{Edge, Hybrid, Modes, Trouble};
use crate::shooting;
use crate::simulation::{Failure, Simulation};

const PLANNED_TOLERANCE: f64 = 1e-11;
const REHEARSED_STEPS: i64 = 1;
/// A phase of so many steps is taken to have no end.
const MOST_REHEARSED: usize = 20_000;

impl<'m, M: Modes<'m>> Hybrid<'m, M> {
    /// Gives what a plan chooses its values. The sampled state stays as it is.
    pub(super) fn plan(&mut self, at: usize, edge: &Edge, t: f64) -> Result<(), Trouble<M::Error>> {
        let seeds = self.part().simulation.seeds(at, t, edge.choices.len())?;
        let before = (self.current, self.parts[self.current].1.clone(), self.held.clone());
        let limits = (self.tolerance, self.horizon);
        (self.tolerance, self.horizon) = (self.tolerance.min(PLANNED_TOLERANCE), f64::INFINITY);
        let mut trouble = None;
        let found = shooting::solve(&seeds, |choices| {
            (self.current, self.held) = (before.0, before.2.clone());
            self.parts[self.current].1 = before.1.clone();
            match self.rehearse(at, edge, t, choices) {
                Ok(left) => left,
                // What could not be compiled cannot be tried with other numbers either.
                Err(Trouble::NoProgram(error)) => {
                    trouble = Some(Trouble::NoProgram(error));
                    None
                }
                Err(_) => None,
            }
        });
        (self.current, self.held) = (before.0, before.2);
        (self.tolerance, self.horizon) = limits;
        self.parts[self.current].1 = before.1;
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let choices = found.map_err(|left| Trouble::NoPlan { t, number: edge.number, left })?;
        self.choose(edge, &choices);
        Ok(())
    }

    fn choose(&mut self, edge: &Edge, choices: &[f64]) {
        let first = self.parameters.len();
        for (&place, &value) in edge.choices.iter().zip(choices) {
            self.held[place] = value;
            self.part().simulation.set_parameter(first + place, value);
        }
    }

    /// Goes through the phases of a plan with some choices; what the aims leave, if the phases come to their ends.
    fn rehearse(
        &mut self,
        at: usize,
        edge: &Edge,
        t: f64,
        choices: &[f64],
    ) -> Result<Option<Vec<f64>>, Trouble<M::Error>> {
        self.choose(edge, choices);
        let values = self.part().simulation.reset(at, t, edge.given)?;
        self.enter(edge, t, &values)?;
        let (mut now, mut left, last) = (t, Vec::new(), edge.phases.len());
        for (at, &number) in edge.phases.iter().enumerate() {
            let Some(ending) = self.part().edges.iter().position(|edge| edge.number == number) else { return Ok(None) };
            let Some(end) = self.phase_end(ending, now)? else { return Ok(None) };
            now = end;
            let edge = self.part().edges[ending].clone();
            left.extend(self.part().simulation.aims(ending, now, edge.aims)?);
            if at + 1 == last {
                break;
            }
            let values = self.part().simulation.reset(ending, now, edge.given)?;
            self.enter(&edge, now, &values)?;
        }
        Ok(left.iter().all(|value| value.is_finite()).then_some(left))
    }

    /// When one transition comes, whatever others there are; the state is sampled there.
    fn phase_end(&mut self, ending: usize, now: f64) -> Result<Option<f64>, Trouble<M::Error>> {
        let simulation = &mut self.part().simulation;
        // A phase that would end before it begins leads nowhere.
        if simulation.guards(now)?[ending].holds {
            return Ok(None);
        }
        for _ in 0..MOST_REHEARSED {
            let Some(begin) = simulation.step().map(|(_, end)| end) else { return Ok(None) };
            if simulation.advance(f64::INFINITY, REHEARSED_STEPS)? {
                return Ok(None);
            }
            let Some((_, end)) = simulation.step() else { return Ok(None) };
            if end <= begin {
                // It was tried and refused; a shorter one is tried next.
                continue;
            }
            let holds = |simulation: &mut Simulation<'m>, t: f64| -> Result<(f64, bool), Failure> {
                simulation.sample(t)?;
                let guard = simulation.guards(t)?[ending];
                Ok((guard.margin, guard.holds))
            };
            let at_end = holds(simulation, end)?;
            if at_end.1 {
                let before = holds(simulation, begin)?;
                return Ok(Some(locate((begin, before.0), (end, at_end.0), |t| holds(simulation, t))?));
            }
        }
        // It may never come.
        Ok(None)
    }
}
