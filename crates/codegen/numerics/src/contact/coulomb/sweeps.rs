//! One point after the other, again and again: each is solved exactly while the forces of the others stay (nonlinear Gauss–Seidel; Jourdan, Alart and
//! Jean, 1998). Slow where masses differ much, but it needs no good beginning: it proposes states where paths lead nowhere.

use super::one::One;
use super::rows::{CONE, LINE, NONE, Rows};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// A point whose own response has a determinant below this part of the cube of its size does not stick by itself.
const SINGULAR: f64 = 1e-12;

pub struct Sweeps {
    rows: Rows,
    slide: FunctionId,
    stick: FunctionId,
    local: FunctionId,
    /// `(count, times) -> ()`: so many sweeps; betters `force`, and sets `kind` and `direction`.
    pub sweep: FunctionId,
}

impl Sweeps {
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows, one: &One) -> Sweeps {
        let named = |what: &str| format!("{name}_sweep{what}");
        let sweeps = Sweeps {
            rows,
            slide: one.slide,
            stick: module.declare(&named("_stick"), &[("point", Integer)], &[Integer]),
            local: module.declare(&named("_local"), &[("point", Integer)], &[]),
            sweep: module.declare(&named("s"), &[("count", Integer), ("times", Integer)], &[]),
        };
        module.describe(sweeps.stick, "The force that lets a point stick by itself: whether it is in its cone.");
        module.define(sweeps.stick, |f| sweeps.stick(f));
        module.describe(sweeps.local, "Solves a point for what is given to it alone.");
        module.define(sweeps.local, |f| sweeps.local(f));
        module.describe(sweeps.sweep, "Solves one point after the other, again and again.");
        module.define(sweeps.sweep, |f| sweeps.sweep(f));
        sweeps
    }

    fn sweep(&self, f: &mut FunctionBuilder) {
        let [count, times] = f.parameters();
        let (given, force) = (self.rows.given, self.rows.arrays.force);
        f.for_each("time", 0, times, |f, _| {
            f.for_each("i", 0, count, |f, i| {
                let kept = [0, 1, 2].map(|k| f.real("kept", given.at(i * 3 + k)));
                f.for_each("k", 0, 3, |f, k| f.store(force, i * 3 + k, 0.0));
                for (k, kept) in kept.into_iter().enumerate() {
                    let sum = f.real("sum", kept);
                    f.for_each("j", 0, count * 3, |f, j| {
                        f.increase(sum, self.rows.response(i * 3 + k, j) * force.at(j));
                    });
                    f.store(given, i * 3 + k, sum);
                }
                f.call(self.local, i);
                kept.into_iter().enumerate().for_each(|(k, kept)| f.store(given, i * 3 + k, kept));
            });
        });
    }

    fn local(&self, f: &mut FunctionBuilder) {
        let [i] = f.parameters();
        let Rows { given, kind, arrays, .. } = self.rows;
        f.store(kind, i, NONE);
        f.if_else(
            self.rows.is_round(i),
            |f| {
                let sticks = f.call1(self.stick, i);
                f.if_(sticks, |f| {
                    f.store(kind, i, CONE);
                    f.return_(());
                });
                f.for_each("k", 0, 3, |f, k| f.store(arrays.force, i * 3 + k, 0.0));
                f.if_(given.at(i * 3).lt(0.0), |f| {
                    let slides = f.call1(self.slide, i);
                    f.store(kind, i, slides.select(LINE, NONE));
                });
            },
            |f| {
                let friction = f.real("friction", arrays.friction.at(i));
                let tangential = |k: usize| self.rows.direction(i, k) * self.rows.response(i * 3, i * 3 + (1 + k));
                let pivot =
                    f.real("pivot", self.rows.response(i * 3, i * 3) - friction * (tangential(0) + tangential(1)));
                let normal = f.real("normal", -given.at(i * 3) / pivot);
                f.if_(pivot.gt(0.0).and(normal.gt(0.0)), |f| {
                    f.store(kind, i, LINE);
                    f.store(arrays.force, i * 3, normal);
                    for k in 0..2 {
                        f.store(arrays.force, i * 3 + (1 + k), -(friction * normal * self.rows.direction(i, k)));
                    }
                });
            },
        );
    }

    /// Cramer's rule.
    fn stick(&self, f: &mut FunctionBuilder) {
        let [i] = f.parameters();
        let Rows { given, arrays, .. } = self.rows;
        let mut response = [[i; 3]; 3];
        for (k, row) in response.iter_mut().enumerate() {
            *row = [0, 1, 2].map(|l| f.real("response", self.rows.response(i * 3 + k, i * 3 + l)));
        }
        let given = [0, 1, 2].map(|k| f.real("given_here", given.at(i * 3 + k)));
        let cofactor = |f: &mut FunctionBuilder, k: usize, l: usize| -> LocalId {
            let ([a, b], [c, d]) = ([(k + 1) % 3, (k + 2) % 3], [(l + 1) % 3, (l + 2) % 3]);
            f.real("cofactor", response[a][c] * response[b][d] - response[a][d] * response[b][c])
        };
        let first = [0, 1, 2].map(|l| cofactor(f, 0, l));
        let sum = |a: [LocalId; 3], b: [LocalId; 3]| -> Expression { a[0] * b[0] + a[1] * b[1] + a[2] * b[2] };
        let determinant = f.real("determinant", sum(response[0], first));
        let size = f.real("size", (response[0][0] + response[1][1] + response[2][2]) / 3.0);
        f.if_(determinant.gt(size * size * size * SINGULAR).logical_not(), |f| f.return_(0));
        let force = [0, 1, 2].map(|k| {
            let column = [0, 1, 2].map(|l| cofactor(f, l, k));
            f.real("force", -sum(column, given) / determinant)
        });
        force.into_iter().enumerate().for_each(|(k, force)| f.store(arrays.force, i * 3 + k, force));
        let most = arrays.friction.at(i) * force[0];
        f.return_(force[0].ge(0.0).and((force[1] * force[1] + force[2] * force[2]).sqrt().le(most)));
    }
}
