//! What a transition leads to: the states of the mode after it, and whether they fit there.

use kernel::executive::entry::{INCONSISTENT, MOMENT, SMALLEST};

use super::{Edge, Entry, Hybrid, Modes, Trouble};
use crate::simulation::Entered;

impl<M: Modes> Hybrid<M> {
    /// Goes on in the mode after a transition, from what it gives, moved onto the constraints; gives the states as they are and as they
    /// were to be.
    pub(super) fn enter(&mut self, edge: &Edge, t: f64, values: &[f64]) -> Result<Vec<Kept>, Trouble<M::Error>> {
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
    pub(super) fn check_entry(&self, edge: &Edge, t: f64, kept: impl Iterator<Item = Kept>) -> Entry<M::Error> {
        match kept.max_by(|a, b| a.by.total_cmp(&b.by)) {
            Some(Kept { variable, by }) if by > INCONSISTENT => {
                Err(Trouble::Inconsistent { t, number: edge.number, variable, by })
            }
            _ => Ok(()),
        }
    }

    /// What the laws of the new mode make of what lasts has to be what was given.
    pub(super) fn check_lasting(&mut self, edge: &Edge, t: f64, values: &[f64]) -> Entry<M::Error> {
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

    /// What follows from the states in the mode that lasts has to be what the last transition gave. In a mode that is left at once it
    /// has not.
    pub(super) fn check_whole(&mut self, t: f64) -> Entry<M::Error> {
        let Some((edge, values)) = self.entered.take() else { return Ok(()) };
        let part = self.part();
        let whole = part.simulation.whole(t, part.variables)?;
        let pairs = whole.into_iter().zip(values).enumerate();
        self.check_entry(&edge, t, pairs.map(|(variable, (now, given))| Kept::of_size(variable, now, given)))
    }
}

/// What a transition was to leave as it is: its number, as in [`Trouble::Inconsistent`], and by how much it changed, relative to its size.
pub(super) struct Kept {
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
        let size = given.abs().max(now.abs()).max(SMALLEST) + MOMENT * change;
        Kept { variable, by: (now - given).abs() / size }
    }
}
