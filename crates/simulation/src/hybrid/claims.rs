//! Claims are watched: at each instant, and where what they speak of turns within a step.

use kernel::executive::AT_ONCE;
use kernel::executive::claims::{LOOKS, ROUNDING};

use super::{Hybrid, Modes, Trouble};
use crate::formula::Formula;
use crate::simulation::Claimed;

impl<M: Modes> Hybrid<M> {
    /// Looks at the claims at a moment of the sampled state; `event` if a transition follows at once.
    pub(super) fn look(&mut self, t: f64, event: bool) -> Result<(), Trouble<M::Error>> {
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

    pub(super) fn refuted(&mut self, t: f64, claim: usize) -> Trouble<M::Error> {
        let conditions = self.conditions;
        let compared = self.part().simulation.compared(t, conditions);
        compared.map_or_else(Trouble::Failed, |compared| Trouble::Refuted { t, claim, compared })
    }

    /// Looks at the claims in the middle of a step, unless that was done. Where that refutes one, it is found out when.
    pub(super) fn claimed_by(&mut self, last: f64, t: f64) -> Result<(), Trouble<M::Error>> {
        if self.claims.is_empty() || t <= last {
            return Ok(());
        }
        let before = self.remaining.clone();
        let mut found = self.claimed_at(t);
        let (mut low, mut high) = (last, t);
        for _ in 0..LOOKS {
            let width = high - low;
            if !matches!(found, Err(Trouble::Refuted { .. })) || width <= 2.0 * f64::EPSILON * high.abs() {
                break;
            }
            let middle = low + 0.5 * width;
            self.remaining.clone_from(&before);
            match self.claimed_at(middle) {
                Ok(()) => low = middle,
                Err(trouble) => (high, found) = (middle, Err(trouble)),
            }
        }
        found
    }

    fn claimed_at(&mut self, t: f64) -> Result<(), Trouble<M::Error>> {
        self.part().simulation.sample(t)?;
        self.look(t, false)
    }
}

/// Whether a condition holds but for rounding: of the numbers that it compares, and of the time, which is that of a transition perhaps.
fn holds(condition: &Claimed, t: f64) -> bool {
    let late = AT_ONCE * t.abs() * condition.slope.abs();
    let allowed = late + ROUNDING * condition.size;
    condition.margin >= if allowed.is_finite() { -allowed } else { 0.0 }
}
