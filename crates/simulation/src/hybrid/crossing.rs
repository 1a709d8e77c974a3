//! When a guard begins to hold: looked for within a step, and located to rounding.

use super::{Hybrid, Modes, Trouble};
use crate::simulation::{Failure, Guard};

/// In how many parts a step is looked at.
const PARTS: usize = 8;
/// Between two looks guards bend by no more than this: part of a radian, for instance.
const MOST_BENT: f64 = 0.5;
/// A look is at most this part of a step away from the next.
const LEAST_PART: f64 = 1.0 / 1_048_576.0;

/// How guards stand at some time, and how fast they may bend there.
struct Look {
    t: f64,
    guards: Vec<Guard>,
    haste: f64,
}

impl<'m, M: Modes<'m>> Hybrid<'m, M> {
    /// Looks for the earliest moment of the last step at which a guard holds.
    pub(super) fn search(&mut self, begin: f64, end: f64) -> Result<(), Trouble<M::Error>> {
        self.due = None;
        let least = ((end - begin) * LEAST_PART).max(4.0 * f64::EPSILON * end.abs());
        let mut known = self.look_at(begin)?;
        self.claimed_by(begin, begin)?;
        let mut part = 1;
        while part <= PARTS {
            let goal = if part == PARTS { end } else { begin + (end - begin) * part as f64 / PARTS as f64 };
            let now = self.next_look(&known, goal, least)?;
            // One may have come and gone since the last look.
            let humps = known.guards.iter().zip(&now.guards).enumerate();
            let humps = humps.filter(|(_, (before, after))| could_pass(now.t - known.t, before, after));
            for hump in humps.map(|(at, _)| at) {
                let passed = self.top_of(hump, known.t, now.t)?;
                self.due = passed.map(|passed| self.due.map_or(passed, |due| due.min(passed))).or(self.due);
            }
            let [low, high] = [&known, &now].map(|look| (look.t, highest(&look.guards)));
            if self.due.is_none() && high.1.holds {
                self.due = Some(self.locate_any(low, high)?);
            }
            if self.due.is_some() {
                return Ok(());
            }
            self.claimed_by(known.t, now.t)?;
            part += usize::from(now.t == goal);
            known = now;
        }
        Ok(())
    }

    fn look_at(&mut self, t: f64) -> Result<Look, Failure> {
        let guards = self.guards(t)?;
        let haste = self.part().simulation.haste();
        Ok(Look { t, guards, haste: if haste.is_finite() { haste } else { 0.0 } })
    }

    /// The next look at guards: at some goal, or earlier, so that they hardly bend in between, as far as both looks tell.
    fn next_look(&mut self, last: &Look, goal: f64, least: f64) -> Result<Look, Failure> {
        let mut t = goal;
        if last.haste * (goal - last.t) > MOST_BENT {
            t = (last.t + (MOST_BENT / last.haste).max(least)).min(goal);
        }
        loop {
            let look = self.look_at(t)?;
            let width = t - last.t;
            if width <= least || look.haste * width <= 2.0 * MOST_BENT {
                return Ok(look);
            }
            t = last.t + 0.5 * width;
        }
    }

    /// Looks at the claims in the middle of a step, some time after the last look. Where that refutes one, it is found out when.
    fn claimed_by(&mut self, last: f64, t: f64) -> Result<(), Trouble<M::Error>> {
        const LOOKS: usize = 60;
        if self.claims.is_empty() {
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

    pub(super) fn guards(&mut self, t: f64) -> Result<Vec<Guard>, Failure> {
        let simulation = &mut self.part().simulation;
        simulation.sample(t)?;
        simulation.guards(t)
    }

    fn locate_any(&mut self, low: (f64, Guard), high: (f64, Guard)) -> Result<f64, Failure> {
        locate(low, high, |t| Ok(highest(&self.guards(t)?)))
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
                return self.locate_any((low, ends.0), (t, guard)).map(Some);
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

/// The guard with the highest margin, and whether any holds.
fn highest(guards: &[Guard]) -> Guard {
    let none = Guard { margin: f64::NEG_INFINITY, slope: 0.0, holds: false };
    guards.iter().fold(none, |highest, guard| {
        let holds = highest.holds || guard.holds;
        if guard.margin > highest.margin { Guard { holds, ..*guard } } else { Guard { holds, ..highest } }
    })
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

/// The earliest time, but for rounding, at which something holds that does not hold at the low end and does at the high one: the root of
/// its margin, if that is continuous.
pub(super) fn locate<E>(
    mut low: (f64, Guard),
    mut high: (f64, Guard),
    mut look: impl FnMut(f64) -> Result<Guard, E>,
) -> Result<f64, E> {
    const LOOKS: usize = 200;
    const NEAR: f64 = 0.4;
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
        let t = if across > low.0 && across < high.0 { across } else { low.0 + width * 0.5 };
        let guard = look(t)?;
        last = t;
        if guard.holds {
            high = (t, Guard { margin: guard.margin.max(0.0), ..guard })
        } else {
            low = (t, Guard { margin: guard.margin.min(0.0), ..guard })
        }
        beyond = if high.0 - low.0 > width * 0.5 { beyond * 4.0 } else { NEAR };
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
