//! When a guard begins to hold: nothing that can is passed over within a step, and what does is located to rounding.

use kernel::executive::AT_ONCE;
use kernel::executive::crossing::{FARTHEST, LAST_PART, LOOKS, NEAR, PATIENCE};
use kernel::protocol::{OPEN, QUIET};

use super::{Hybrid, Modes, Trouble};
use crate::simulation::{Failure, Guard};

impl<M: Modes> Hybrid<M> {
    /// Looks for the earliest moment of the last step at which a guard holds: part by part, each as long as the bounds of margins and rates
    /// tell what happens in it.
    pub(super) fn search(&mut self, begin: f64, end: f64) -> Result<(), Trouble<M::Error>> {
        self.due = None;
        self.part().simulation.survey(begin, end)?;
        if highest(&self.guards(begin)?).holds {
            self.due = Some(begin);
            return Ok(());
        }
        let whole = end - begin;
        let rounding = 4.0 * f64::EPSILON * end.abs();
        let mut patience = PATIENCE;
        // Claims are looked at one part later: what is claimed of the instant of a transition is looked at when that comes.
        let (mut claimed, mut now, mut width) = (begin, begin, whole);
        while now < end {
            let goal = if now + width < end { now + width } else { end };
            let verdicts = self.part().simulation.enclose(now, goal)?;
            let halved = [0, 1].into_iter().find(|&kind| {
                let least = if patience[kind] > 0 { rounding } else { whole * LAST_PART };
                verdicts[kind] == OPEN && goal - now > least
            });
            if let Some(kind) = halved {
                patience[kind] = (patience[kind] - 1).max(0);
                width = (goal - now) * 0.5;
                continue;
            }
            if verdicts[0] != QUIET {
                let last = highest(&self.guards(goal)?);
                if last.holds {
                    let first = highest(&self.guards(now)?);
                    let due = self.locate_any((now, first), (goal, last))?;
                    self.due = Some(due);
                    let before = due - 2.0 * AT_ONCE * due.abs();
                    self.claimed_by(claimed, now.min(before))?;
                    return self.claimed_by(claimed.max(now), before);
                }
            }
            self.claimed_by(claimed, now)?;
            claimed = now;
            width = (goal - now) * 2.0;
            now = goal;
        }
        self.claimed_by(claimed, end)
    }

    pub(super) fn guards(&mut self, t: f64) -> Result<Vec<Guard>, Failure> {
        let simulation = &mut self.part().simulation;
        simulation.sample(t)?;
        simulation.guards(t)
    }

    fn locate_any(&mut self, low: (f64, Guard), high: (f64, Guard)) -> Result<f64, Failure> {
        locate(low, high, |t| Ok(highest(&self.guards(t)?)))
    }
}

/// The guard with the highest margin, and whether any holds.
fn highest(guards: &[Guard]) -> Guard {
    let none = Guard { margin: f64::NEG_INFINITY, slope: 0.0, holds: false };
    guards.iter().fold(none, |highest, guard| {
        let holds = highest.holds || guard.holds;
        if guard.margin > highest.margin { Guard { holds, ..*guard } } else { Guard { holds, ..highest } }
    })
}

/// The earliest time, but for rounding, at which something holds that does not hold at the low end and does at the high one: the root of
/// its margin, if that is continuous.
pub(super) fn locate<E>(
    mut low: (f64, Guard),
    mut high: (f64, Guard),
    mut look: impl FnMut(f64) -> Result<Guard, E>,
) -> Result<f64, E> {
    let (mut beyond, mut last) = (NEAR, low.0);
    for _ in 0..LOOKS {
        let width = high.0 - low.0;
        let rounding = 2.0 * f64::EPSILON * high.0.abs().max(low.0.abs());
        if width <= rounding {
            break;
        }
        let root = low.0 + width * root_share(width, &low.1, &high.1);
        // A little beyond the root, seen from the nearer end, so that both ends draw near to it; farther if that did not help.
        let reach = rounding * beyond;
        let across = if high.0 - root >= root - low.0 { root + reach } else { root - reach };
        let inside = across > low.0 && across < high.0 && beyond < FARTHEST;
        let t = if inside { across } else { low.0 + width * 0.5 };
        let guard = look(t)?;
        last = t;
        if guard.holds {
            high = (t, Guard { margin: guard.margin.max(0.0), ..guard })
        } else {
            low = (t, Guard { margin: guard.margin.min(0.0), ..guard })
        }
        let slow = high.0 - low.0 > width * 0.5 || beyond >= FARTHEST;
        beyond = if slow { beyond * 4.0 } else { NEAR };
    }
    if last != high.0 {
        look(high.0)?;
    }
    Ok(high.0)
}

/// Where a margin that rises between two looks is zero, as a share of the time between them: by the cubic that time is of the margin, or by
/// the secant.
fn root_share(width: f64, low: &Guard, high: &Guard) -> f64 {
    let secant = low.margin / (low.margin - high.margin);
    let (rest, rise) = (1.0 - secant, high.margin - low.margin);
    let (first, second) = (rise / (width * low.slope), rise / (width * high.slope));
    let share = secant * secant * (3.0 - secant * 2.0) + secant * rest * (rest * first - secant * second);
    let good = low.slope > 0.0 && high.slope > 0.0 && share > 0.0 && share < 1.0;
    if good { share } else { secant }
}
