//! What guards can do within a step: whether none of them can begin to hold in some part of it.
//!
//! Within a step every state is a polynomial. What margins are made of, be it states or what follows from them, is looked at in a few places,
//! one more than the polynomials need: so these are known, and how far what follows from them is from being one. In any part of the
//! step they lie between bounds, and so do the margins and their rates. Where a margin cannot be positive, or cannot rise, its guard does not
//! begin to hold; where it cannot fall, the end tells. All else has to be looked at in smaller parts.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use program::Margins;
use rustc_hash::FxHashMap;

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::range::{MarginRange, Range, Ranging};

/// What moves, over the last step.
struct Paths {
    moving: usize,
    /// How many coefficients each polynomial has.
    terms: usize,
    /// Of each power of the time, which is −1 at the beginning of the step and 1 at its end, and of each thing that moves.
    coefficients: ArrayId,
    /// The middle of the step, and half of its length.
    step: ArrayId,
    /// Of each thing that moves: its value at the middle of a part, then bounds of its value and of its rate.
    bounds: ArrayId,
}

/// How many numbers `bounds` has for each thing that moves.
const BOUNDS: usize = 5;

/// Margins that are watched, and how.
pub(crate) struct Watched<'w, 'p> {
    /// Begins the names of what is written.
    pub prefix: &'w str,
    pub margins: &'p Margins,
    /// So many of the margins, the first ones, are those of guards; the others are conditions of claims.
    pub guards: usize,
    /// Where the verdicts go.
    pub verdicts: ArrayId,
    /// `(t) -> integer`: the state at a time of the last step.
    pub sample: FunctionId,
}

impl<'p> Lowering<'p> {
    /// The functions that look at what moves over the last step, and at what guards do in some part of it.
    pub fn watching(&mut self, watched: &Watched<'_, 'p>, integrals: &[LoweredIntegral]) -> [FunctionId; 2] {
        let Watched { prefix, margins, .. } = *watched;
        let moving = margins.moving.len();
        let degree = integrals.iter().map(|integral| integral.arrays.method.dense_degree()).max().unwrap_or(0);
        let terms = degree + 2;
        let mut array = |name: &str, length, note| self.module.real_array(&format!("{prefix}{name}"), length, note);
        let paths = Paths {
            moving,
            terms,
            coefficients: array("path_coefficients", terms * moving, "of what moves, over a step"),
            step: array("path_step", 2, "the middle of the step, and half of its length"),
            bounds: array("path_bounds", BOUNDS * moving, "of what moves, in a part of a step"),
        };
        [self.survey(&paths, watched, integrals), self.enclose(&paths, watched)]
    }

    fn survey(&mut self, paths: &Paths, watched: &Watched<'_, 'p>, integrals: &[LoweredIntegral]) -> FunctionId {
        let Paths { moving, terms, coefficients, step, .. } = *paths;
        let Watched { prefix, margins, sample, .. } = *watched;
        let places = self.module.real_array(&format!("{prefix}places"), moving, "what guards depend on");
        let evaluate = self.evaluation(&format!("{prefix}places_of_guards"), &margins.places, places, integrals);
        let seen = self.module.real_array(
            &format!("{prefix}places_seen"),
            terms * moving,
            "what guards depend on, over a step",
        );
        let angles = angles(terms);
        let weights = weights(&angles);
        let nodes: Vec<f64> = angles.into_iter().map(libm::cos).collect();
        let nodes = self.module.reals(&format!("{prefix}path_nodes"), &nodes, "where a step is looked at");
        let weights =
            self.module.reals(&format!("{prefix}path_weights"), &weights, "from values at these to coefficients");
        let ends = [("begin", Real), ("end", Real)];
        let survey = self.module.function(&format!("{prefix}{}", protocol::SURVEY), &ends, &[Integer], |f| {
            let [begin, end] = f.parameters();
            let middle = f.real("middle", (begin + end) * 0.5);
            let half = f.real("half", (end - begin) * 0.5);
            f.store(step, 0, middle);
            f.store(step, 1, half);
            if moving == 0 {
                f.return_(protocol::DONE);
                return;
            }
            f.for_each("k", 0, terms, |f, k| {
                let t = f.real("t", middle + half * nodes.at(k));
                for function in [sample, evaluate] {
                    let status = f.call1(function, t);
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                }
                f.for_each("i", 0, moving, |f, i| f.store(seen, k * moving + i, places.at(i)));
            });
            f.note("What does not change much is taken apart from what it does, which keeps the digits of that.");
            f.for_each("i", 0, moving, |f, i| {
                let first = f.real("first", seen.at(i));
                f.for_each("power", 0, terms, |f, power| {
                    let sum = f.real("sum", power.eq_(0).select(first, 0.0));
                    f.for_each("k", 1, terms, |f, k| {
                        f.assign(sum, sum + weights.at(power * terms + k) * (seen.at(k * moving + i) - first));
                    });
                    f.store(coefficients, power * moving + i, sum);
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(survey, "Looks at what guards depend on, over the last step.");
        survey
    }

    fn enclose(&mut self, paths: &Paths, watched: &Watched<'_, 'p>) -> FunctionId {
        let Watched { prefix, margins, guards: transitions, verdicts, .. } = *watched;
        let arena = self.program.arena.clone();
        let (time, bounds, step) = (self.program.time, paths.bounds, paths.step);
        let parts = [("begin", Real), ("end", Real)];
        let enclose = self.module.declare(&format!("{prefix}{}", protocol::ENCLOSE), &parts, &[Integer]);
        self.module.describe(enclose, "What guards can do in some part of the surveyed step.");
        self.define(enclose, |body| {
            let [begin, end] = body.f.parameters();
            let middle = body.f.real("middle", (begin + end) * 0.5);
            let half = body.f.real("half", (end - begin) * 0.5);
            let length = body.f.real("length", step.at(1));
            let at = body.f.real("at", (middle - step.at(0)) / length);
            let reach = body.f.real("reach", half / length);
            paths.follow(body.f, at, reach, length);
            let mut scope = body.lowering.scope(middle);
            let mut known = FxHashMap::default();
            known.insert(
                arena.symbol(time),
                Range { value: [begin.into(), end.into()], rate: [1.0.into(), 1.0.into()] },
            );
            for (at, &symbol) in margins.moving.iter().enumerate() {
                let mut number = |place: usize| body.f.real("path", bounds.at(at * BOUNDS + place)).get();
                scope.bind(symbol, number(0));
                let range = Range { value: [number(1), number(2)], rate: [number(3), number(4)] };
                known.insert(arena.symbol(symbol), range);
            }
            let [guards, claims, turning] = ["guards", "claims", "turning"].map(|name| body.f.integer(name, 0));
            let mut ranging = Ranging { body, middle: scope, known, half };
            for (at, &margin) in margins.all.iter().enumerate() {
                let claimed = &margins.all[transitions.min(at)..at];
                // What turns with another is no second thing that turns.
                if claimed.contains(&margin) || claimed.contains(&arena.negate(margin)) {
                    continue;
                }
                let margin = ranging.margin(&arena, margin);
                let f = &mut *ranging.body.f;
                let (verdict, of) = match at < transitions {
                    true => (guard_verdict(margin), guards),
                    false => (claim_verdict(f, margin, turning), claims),
                };
                let verdict = f.integer("verdict", verdict);
                f.assign(of, verdict.gt(of).select(verdict, of));
            }
            body.f.note("Which of two comes first, the end does not tell.");
            body.f.assign(claims, turning.gt(1).select(protocol::OPEN, claims));
            for (at, verdict) in [guards, claims].into_iter().enumerate() {
                body.f.store(verdicts, at, verdict.to_real());
            }
            body.f.return_(protocol::DONE);
        });
        enclose
    }
}

/// A guard that does not hold at the beginning: whether it cannot begin to, or can if it holds at the end, or perhaps.
fn guard_verdict(margin: MarginRange) -> Expression {
    let MarginRange { range: Range { value: [_, high], rate: [fall, rise] }, rounding } = margin;
    let quiet = high.clone().lt(-rounding.clone()).or(rise.le(0.0));
    let told_by_end = fall.ge(0.0).or(high.le(rounding));
    quiet.select(protocol::QUIET, told_by_end.select(protocol::TOLD_BY_END, protocol::OPEN))
}

/// A condition of claims: whether both ends tell all. Counts those that may turn in between.
fn claim_verdict(f: &mut FunctionBuilder, margin: MarginRange, turning: LocalId) -> Expression {
    let MarginRange { range: Range { value: [low, high], rate: [fall, rise] }, rounding } = margin;
    let nothing = high.clone().le(rounding.clone()).and(low.clone().ge(-rounding));
    let same = f.integer("same", high.lt(0.0).or(low.ge(0.0)).or(nothing));
    f.assign(turning, turning + same.logical_not());
    same.or(fall.ge(0.0)).or(rise.le(0.0)).select(protocol::QUIET, protocol::OPEN)
}

impl Paths {
    /// The value of each thing that moves in the middle of a part of the step, and its bounds: by the polynomial around that middle. `at` and
    /// `reach` are measured as the time of the polynomials is, `length` is its unit.
    fn follow(&self, f: &mut FunctionBuilder, at: LocalId, reach: LocalId, length: LocalId) {
        let Paths { moving, terms, coefficients, bounds, .. } = *self;
        if moving == 0 {
            return;
        }
        let last = terms - 1;
        f.for_each("i", 0, moving, |f, i| {
            let around: Vec<LocalId> =
                (0..terms).map(|power| f.real("term", coefficients.at(i + power * moving))).collect();
            f.note("How far it is from being a polynomial.");
            let tail = f.real("tail", around[last].abs() / (1_u64 << (last - 1)) as f64);
            for first in 0..last {
                for power in (first..last).rev() {
                    f.assign(around[power], around[power] + at * around[power + 1]);
                }
            }
            let value = Spread::new(f, &around, reach);
            let slopes: Vec<LocalId> =
                (1..terms).map(|power| f.real("slope", around[power] * power as f64 / length)).collect();
            let rate = Spread::new(f, &slopes, reach);
            let bent = f.real("bent", tail * (last * last) as f64 / length);
            let numbers = [around[0].get(), value.low - tail, value.high + tail, rate.low - bent, rate.high + bent];
            for (place, number) in numbers.into_iter().enumerate() {
                f.store(bounds, i * BOUNDS + place, number);
            }
        });
    }
}

/// The bounds of a polynomial around some place.
struct Spread {
    low: LocalId,
    high: LocalId,
}

impl Spread {
    /// Odd powers go both ways, even ones only one.
    fn new(f: &mut FunctionBuilder, around: &[LocalId], reach: LocalId) -> Spread {
        let [low, high] = ["low", "high"].map(|name| f.real(name, around[0]));
        let power = f.real("power", 1.0);
        for (at, &term) in around.iter().enumerate().skip(1) {
            f.assign(power, power * reach);
            let most = f.real("most", term * power);
            let (down, up) = match at.is_multiple_of(2) {
                true => (most.min(0.0), most.max(0.0)),
                false => (-most.abs(), most.abs()),
            };
            f.assign(low, low + down);
            f.assign(high, high + up);
        }
        Spread { low, high }
    }
}

/// The angles whose cosines are the zeros of a polynomial of Chebyshev: from values there polynomials are known best.
fn angles(count: usize) -> Vec<f64> {
    (0..count).map(|at| (2 * at + 1) as f64 / (2 * count) as f64 * std::f64::consts::PI).collect()
}

/// From values at the cosines of these to the coefficients of the polynomial through them: power by power, for each place. By the
/// polynomials of Chebyshev, cos n φ in terms of cos φ, which are orthogonal there.
fn weights(angles: &[f64]) -> Vec<f64> {
    let count = angles.len();
    let mut weights = vec![0.0; count * count];
    let (mut before, mut polynomial) = (vec![0.0; count], vec![0.0; count]);
    polynomial[0] = 1.0;
    for degree in 0..count {
        let share = if degree == 0 { 1.0 } else { 2.0 } / count as f64;
        for (at, &angle) in angles.iter().enumerate() {
            let weight = share * libm::cos(degree as f64 * angle);
            (0..=degree).for_each(|power| weights[power * count + at] += weight * polynomial[power]);
        }
        let twice = if degree == 0 { 1.0 } else { 2.0 };
        let next = (0..count).map(|power| power.checked_sub(1).map_or(0.0, |lower| twice * polynomial[lower]));
        let next = next.zip(&before).map(|(raised, before)| raised - before).collect();
        before = std::mem::replace(&mut polynomial, next);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polynomial is what its values say it is.
    #[test]
    fn coefficients_are_found_from_values() {
        let wanted = [0.3, -1.0, 0.25, 2.0, 0.0, -0.7, 0.1, 1.5, -0.2];
        let angles = angles(wanted.len());
        let weights = weights(&angles);
        let nodes: Vec<f64> = angles.into_iter().map(libm::cos).collect();
        let values: Vec<f64> =
            nodes.iter().map(|&x| wanted.iter().rev().fold(0.0, |sum, term| sum * x + term)).collect();
        for (power, wanted) in wanted.into_iter().enumerate() {
            let row = &weights[power * nodes.len()..][..nodes.len()];
            let found: f64 = row.iter().zip(&values).map(|(weight, value)| weight * value).sum();
            assert!((found - wanted).abs() < 1e-12, "{power}: {found} instead of {wanted}");
        }
    }
}
