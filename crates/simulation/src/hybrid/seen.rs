//! What only those need who look at a run, and change it.

use super::{Hybrid, Modes, Trouble};

impl<M: Modes> Hybrid<M> {
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
    pub(super) fn within(&mut self, t: f64) -> f64 {
        self.part().simulation.step().map_or(t, |(begin, _)| t.max(begin))
    }
}
