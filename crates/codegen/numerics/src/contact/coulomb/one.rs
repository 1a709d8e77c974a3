//! A single point, exactly: it sticks if it can, or opens, or slides in the direction in which its force drives it.
//!
//! The direction c of the slip solves c⊥·w_t(c) = 0. With N = −b_n / (W_nn − μ W_nt·c) this is a trigonometric polynomial of degree two once
//! the denominator is multiplied out: it has at most four roots, and these are enclosed between directions all around.

use super::rows::Rows;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// Directions all around between which roots are looked for.
pub const AROUND: usize = 32;

/// Halvings after which a direction is known to the last digit.
const HALVINGS: usize = 60;

pub struct One {
    rows: Rows,
    /// The cosine and sine of each direction, and of the first once more.
    pub around: ArrayId,
    /// `(i) -> integer`: whether point i slides by itself; then `force` and `direction` say how. Needs: `given`.
    pub slide: FunctionId,
}

impl One {
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows) -> One {
        let named = |what: &str| format!("{name}_{what}");
        let one = One {
            rows,
            around: module.reals(&named("around"), &around(), "directions all around"),
            slide: module.declare(&named("slide"), &[("point", Integer)], &[Integer]),
        };
        module.describe(one.slide, "The slip of a single point whose direction is not known: whether there is one.");
        module.define(one.slide, |f| one.slide(f));
        one
    }

    fn slide(&self, f: &mut FunctionBuilder) {
        let [point] = f.parameters();
        let best = f.real("best", -1.0);
        f.for_each("k", 0, AROUND, |f, k| {
            let low: [LocalId; 2] = [0, 1].map(|c| f.real("low", self.around.at(k * 2 + c)));
            let high: [LocalId; 2] = [0, 1].map(|c| f.real("high", self.around.at(k * 2 + 2 + c)));
            let (at_low, ..) = self.turning(f, point, low);
            let (at_high, ..) = self.turning(f, point, high);
            // A root at a sample itself belongs to the interval that begins there.
            let crosses = at_low.eq_(0.0).or((at_low * at_high).lt(0.0));
            f.if_(crosses, |f| {
                self.enclose(f, point, at_low, low, high);
                self.offer(f, point, low, best);
            });
        });
        f.return_(best.ge(0.0));
    }

    /// Halves the angle between two directions until it has no more digits; the lower one stays on its side.
    fn enclose(&self, f: &mut FunctionBuilder, point: LocalId, at_low: LocalId, low: [LocalId; 2], high: [LocalId; 2]) {
        f.for_each("halving", 0, HALVINGS, |f, _| {
            let sum = [0, 1].map(|c| f.real("sum", low[c] + high[c]));
            let length = f.real("length", (sum[0] * sum[0] + sum[1] * sum[1]).sqrt());
            let middle = sum.map(|sum| f.real("middle", sum / length));
            let (at_middle, ..) = self.turning(f, point, middle);
            f.if_else(
                at_low.ne_(0.0).and((at_low * at_middle).gt(0.0)),
                |f| [0, 1].into_iter().for_each(|c| f.assign(low[c], middle[c])),
                |f| [0, 1].into_iter().for_each(|c| f.assign(high[c], middle[c])),
            );
        });
    }

    /// Takes a direction if its force pushes and opposes the slip, and more power is lost than in those found before.
    fn offer(&self, f: &mut FunctionBuilder, point: LocalId, slip: [LocalId; 2], best: LocalId) {
        let (_, pivot, along) = self.turning(f, point, slip);
        let given = self.rows.given;
        let normal = f.real("normal", -given.at(point * 3) / pivot);
        let rate = f.real("rate", along / pivot);
        let lost = f.real("lost", normal * rate);
        f.if_(normal.gt(0.0).and(rate.ge(0.0)).and(lost.gt(best)), |f| {
            let friction = f.real("friction", self.rows.arrays.friction.at(point));
            f.assign(best, lost);
            f.store(self.rows.arrays.force, point * 3, normal);
            for (c, slip) in slip.into_iter().enumerate() {
                f.store(self.rows.arrays.force, point * 3 + (c + 1), -(friction * normal * slip));
                f.store(self.rows.arrays.direction, point * 2 + c, slip);
            }
        });
    }

    /// For a slip in this direction: the part of its rate that is across it, times the pivot of the normal force; the pivot; and the part along it,
    /// times the pivot.
    fn turning(&self, f: &mut FunctionBuilder, point: LocalId, slip: [LocalId; 2]) -> (LocalId, LocalId, LocalId) {
        let response = |i: usize, j: usize| self.rows.response(point * 3 + i, point * 3 + j);
        let given = |i: usize| self.rows.given.at(point * 3 + i);
        let friction = f.real("friction", self.rows.arrays.friction.at(point));
        let answer = |f: &mut FunctionBuilder, i: usize| {
            f.real("answer", response(i, 0) - friction * (response(i, 1) * slip[0] + response(i, 2) * slip[1]))
        };
        let pivot = answer(f, 0);
        let rate: [LocalId; 2] = [1, 2].map(|i| {
            let answer = answer(f, i);
            f.real("rate", given(i) * pivot - given(0) * answer)
        });
        let dot = |a: [Expression; 2]| a[0].clone() * rate[0] + a[1].clone() * rate[1];
        let across = f.real("across", dot([-slip[1], slip[0].get()]));
        let along = f.real("along", dot(slip.map(Term::get)));
        (across, pivot, along)
    }
}

/// Directions all around, the first once more at the end, by halving the angles between the axes.
fn around() -> Vec<f64> {
    let mut directions: Vec<[f64; 2]> = vec![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]];
    while directions.len() <= AROUND {
        let mut finer = Vec::new();
        for pair in directions.windows(2) {
            let sum = [pair[0][0] + pair[1][0], pair[0][1] + pair[1][1]];
            let length = (sum[0] * sum[0] + sum[1] * sum[1]).sqrt();
            finer.extend([pair[0], [sum[0] / length, sum[1] / length]]);
        }
        finer.extend(directions.last().copied());
        directions = finer;
    }
    directions.into_iter().flatten().collect()
}
