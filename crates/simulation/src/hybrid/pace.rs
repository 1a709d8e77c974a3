//! Whether transitions let the time pass.

use kernel::executive::pace::{ENDLESS, EVEN, FEW_ROUNDINGS, MANY, MANY_AT_ONE_PACE, TURNS};
use kernel::protocol;

use super::{Hybrid, Modes, Trouble};

impl<M: Modes> Hybrid<M> {
    /// Transitions that come ever faster never let the time pass where they lead to; nor do those that take turns on the spot.
    pub(super) fn refuse_accumulation(&self, t: f64) -> Result<(), Trouble<M::Error>> {
        let Some(last) = self.events.last() else { return Ok(()) };
        let recent = || self.events.iter().rev();
        if self.never_gets_on(t) {
            let mut names = distinct(recent().take(TURNS).map(|event| &event.name));
            names.reverse();
            return Err(match names.len() {
                1 => Trouble::Accumulating { t, name: last.name.clone() },
                _ => Trouble::TakingTurns { t, names },
            });
        }
        let mut same: Vec<f64> = Vec::new();
        for event in recent().take(protocol::EVENTS).filter(|event| event.number == last.number) {
            // Several at one instant may come to an end.
            if same.last() != Some(&event.t) && same.len() < MANY {
                same.push(event.t);
            }
        }
        if same.len() < MANY {
            return Ok(());
        }
        let faster = same.windows(3).all(|times| times[0] - times[1] <= times[1] - times[2]);
        let [last_gap, first_gap] = [same[0] - same[1], same[MANY - 2] - same[MANY - 1]];
        if faster && 2.0 * last_gap < first_gap && last_gap <= FEW_ROUNDINGS * f64::EPSILON * t.abs() {
            return Err(Trouble::Accumulating { t, name: last.name.clone() });
        }
        Ok(())
    }

    /// Whether transitions come at so fast and even a pace that the end of the run is out of reach, as where a ball trembles on a floor.
    fn never_gets_on(&self, t: f64) -> bool {
        let Some(first) = self.events.len().checked_sub(2 * MANY_AT_ONE_PACE + 1) else { return false };
        let [earlier, middle] = [first, first + MANY_AT_ONE_PACE].map(|at| self.events[at].t);
        let pace = (t - middle) / MANY_AT_ONE_PACE as f64;
        let end = if self.horizon.is_finite() { self.horizon } else { t + t.abs().max(1.0) };
        t - middle >= EVEN * (middle - earlier) && end - t > ENDLESS * pace
    }
}

/// Each name once, in the order in which they come.
pub(super) fn distinct<'n>(names: impl Iterator<Item = &'n String>) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    for name in names {
        if !known.contains(name) {
            known.push(name.clone());
        }
    }
    known
}
