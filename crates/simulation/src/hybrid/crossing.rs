//! When a guard begins to hold: looked for within a step, and located to rounding.

use super::{Hybrid, Modes, Trouble};
use crate::simulation::{Failure, Guard};

/// In how many parts a step is looked at.
const PARTS: usize = 8;

impl<'m, M: Modes<'m>> Hybrid<'m, M> {
    /// Looks for the earliest moment of the last step at which a guard holds.
    pub(super) fn search(&mut self, begin: f64, end: f64) -> Result<(), Trouble<M::Error>> {
        self.due = None;
        let mut before: Option<(f64, Vec<Guard>)> = None;
        for at in 0..=PARTS {
            let t = if at == PARTS { end } else { begin + (end - begin) * at as f64 / PARTS as f64 };
            let guards = self.guards(t)?;
            if let Some((earlier, known)) = &before {
                // One may have come and gone since the last look.
                for hump in (0..guards.len()).filter(|&at| could_pass(t - earlier, &known[at], &guards[at])) {
                    let passed = self.top_of(hump, *earlier, t)?;
                    self.due = passed.map(|passed| self.due.map_or(passed, |due| due.min(passed))).or(self.due);
                }
                if self.due.is_none() && guards.iter().any(|guard| guard.holds) {
                    self.due = Some(self.locate_any((*earlier, highest(known)), (t, highest(&guards)))?);
                }
            }
            if self.due.is_some() {
                return Ok(());
            }
            before = Some((t, guards));
            if !self.claims.is_empty() {
                self.part().simulation.sample(t)?;
                self.look(t, false)?;
            }
        }
        Ok(())
    }

    pub(super) fn guards(&mut self, t: f64) -> Result<Vec<Guard>, Failure> {
        let simulation = &mut self.part().simulation;
        simulation.sample(t)?;
        simulation.guards(t)
    }

    fn locate_any(&mut self, low: (f64, f64), high: (f64, f64)) -> Result<f64, Failure> {
        locate(low, high, |t| {
            let guards = self.guards(t)?;
            Ok((highest(&guards), guards.iter().any(|guard| guard.holds)))
        })
    }

    /// When a guard begins to hold that holds for a while between two looks at which it does not: near the top of its margin, which rises
    /// at the first look and falls at the second.
    fn top_of(&mut self, hump: usize, mut low: f64, mut high: f64) -> Result<Option<f64>, Failure> {
        const LOOKS: usize = 60;
        let mut ends = (self.guards(low)?[hump], self.guards(high)?[hump]);
        for look in 0..LOOKS {
            let width = high - low;
            // Where the tangents at both ends meet, or in the middle now and then.
            let meet = meeting(width, &ends.0, &ends.1).filter(|_| look % 3 != 2).map_or(0.5, |(share, _)| share);
            let t = low + width * meet.clamp(0.001, 0.999);
            if t <= low || t >= high {
                return Ok(None);
            }
            let guard = self.guards(t)?[hump];
            if guard.holds {
                return self.locate_any((low, ends.0.margin), (t, guard.margin)).map(Some);
            }
            if guard.slope > 0.0 {
                (low, ends.0) = (t, guard)
            } else {
                (high, ends.1) = (t, guard)
            }
            if !could_pass(high - low, &ends.0, &ends.1) {
                return Ok(None);
            }
        }
        Ok(None)
    }
}

fn highest(guards: &[Guard]) -> f64 {
    guards.iter().map(|guard| guard.margin).fold(f64::NEG_INFINITY, f64::max)
}

/// Where the tangents of a margin at both ends of an interval meet, as a share of its width, and how high.
fn meeting(width: f64, first: &Guard, second: &Guard) -> Option<(f64, f64)> {
    let share = (second.margin - first.margin - second.slope * width) / ((first.slope - second.slope) * width);
    (0.0..=1.0).contains(&share).then_some((share, first.margin + share * width * first.slope))
}

/// Whether a margin may have been positive between two looks at which it is not: it rises, falls, and the tangents meet high enough. What
/// curves the other way in between may rise more steeply than at the ends, so something is added.
fn could_pass(width: f64, first: &Guard, second: &Guard) -> bool {
    let turns = first.slope > 0.0 && second.slope < 0.0 && !first.holds && !second.holds;
    turns && meeting(width, first, second).is_none_or(|(_, top)| top + (top - first.margin.max(second.margin)) >= 0.0)
}

/// The earliest time, but for rounding, at which something holds that does not hold at the low end and does at the high one. Each end has
/// a margin, whose root is that time if it is continuous.
pub(super) fn locate<E>(
    mut low: (f64, f64),
    mut high: (f64, f64),
    mut holds: impl FnMut(f64) -> Result<(f64, bool), E>,
) -> Result<f64, E> {
    const LOOKS: usize = 200;
    let mut halve = false;
    for _ in 0..LOOKS {
        let width = high.0 - low.0;
        let rounding = 2.0 * f64::EPSILON * high.0.abs().max(low.0.abs());
        if width <= rounding {
            break;
        }
        let secant = low.0 + width * low.1 / (low.1 - high.1);
        let inside = secant.is_finite() && secant > low.0 && secant < high.0;
        // A little beyond the root, so that both ends draw near to it.
        let beyond =
            if halve || !inside { low.0 + 0.5 * width } else { (secant + rounding).min(high.0 - 0.25 * rounding) };
        let (margin, held) = holds(beyond)?;
        if held {
            high = (beyond, margin.max(0.0))
        } else {
            low = (beyond, margin.min(0.0))
        }
        halve = high.0 - low.0 > 0.5 * width;
    }
    holds(high.0)?;
    Ok(high.0)
}
