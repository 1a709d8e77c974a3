//! Impulses with restitution: 0 ≤ p ⊥ v⁺ + e min(v⁻, 0) ≥ 0, friction against the slip that remains, and no more energy than before.
//!
//! Newton's restitution can add energy where friction turns a motion, or where one that parts is struck from behind. With e = 0 it cannot:
//! ΔT = ½ p·(v⁺ + v⁻) = p·v⁺ − ½ p·W p, and no term of p·v⁺ is positive. So the largest smaller restitution that adds none acts.

use super::{Coulomb, rows::Rows};
use kernel::{ArrayId, FunctionBuilder, FunctionId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Energy may rise by this part of the terms that its change is made of.
const ENERGY: f64 = 1e-12;

/// Halvings of the restitution that does not add energy.
const HALVINGS: usize = 60;

pub struct Impact {
    rows: Rows,
    attempt: FunctionId,
    restitution: ArrayId,
    strike: FunctionId,
    /// The part of restitution that acted.
    pub limited: ArrayId,
    /// `(count) -> integer`: 0, 1 if no impulses were found, 2 if restitution was less.
    pub impact: FunctionId,
}

impl Impact {
    /// `attempt` solves for what is given; it is told that what needs no impulse has none.
    pub fn declare(
        module: &mut ModuleBuilder,
        name: &str,
        rows: Rows,
        attempt: FunctionId,
        restitution: ArrayId,
    ) -> Impact {
        let named = |what: &str| format!("{name}_{what}");
        let impact = Impact {
            rows,
            attempt,
            restitution,
            strike: module.declare(&named("strike"), &[("count", Integer), ("part", Real)], &[Integer, Real]),
            limited: module.reals(&named("limited"), &[1.0], "the part of restitution that acted"),
            impact: module.declare(&named("impact"), &[("count", Integer)], &[Integer]),
        };
        module.describe(
            impact.strike,
            "Impulses with a part of restitution, and twice the rise of energy beyond rounding.",
        );
        module.define(impact.strike, |f| impact.strike(f));
        module
            .describe(impact.impact, "Impulses at given velocities: 0, 1 if none were found, 2 with less restitution.");
        module.define(impact.impact, |f| impact.impact(f));
        impact
    }

    fn impact(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        f.store(self.limited, 0, 1.0);
        let [status, rise] = f.call_n(self.strike, (count, 1.0));
        // Between two walls nothing can bounce off both: then it does not bounce at all.
        f.if_(status.ne_(0), |f| {
            f.store(self.limited, 0, 0.0);
            f.call_into(&[status, rise], self.strike, (count, 0.0));
            f.return_(status.eq_(0).select(2, 1));
        });
        f.if_(rise.le(0.0), |f| f.return_(0));
        let low = f.real("low", 0.0);
        let high = f.real("high", 1.0);
        f.for_each("halving", 0, HALVINGS, |f, _| {
            let middle = f.real("middle", (low + high) * 0.5);
            f.call_into(&[status, rise], self.strike, (count, middle));
            let fits = f.integer("fits", status.eq_(0).and(rise.le(0.0)));
            f.assign(low, fits.select(middle, low));
            f.assign(high, fits.select(high, middle));
        });
        f.store(self.limited, 0, low);
        f.call_into(&[status, rise], self.strike, (count, low));
        f.return_(status.eq_(0).select(2, 1));
    }

    fn strike(&self, f: &mut FunctionBuilder) {
        let [count, part] = f.parameters();
        let Coulomb { b, force, result, .. } = self.rows.arrays;
        self.rows.give(f, count);
        f.for_each("i", 0, count, |f, i| {
            let before = f.real("before", b.at(i * 3));
            f.store(self.rows.given, i * 3, before + part * self.restitution.at(i) * before.min(0.0));
        });
        let status = f.call1(self.attempt, (count, 1));
        let (change, terms) = (f.real("change", 0.0), f.real("terms", 0.0));
        f.if_(status.eq_(0), |f| {
            f.for_each("i", 0, count * 3, |f, i| {
                f.increase(change, force.at(i) * (result.at(i) + b.at(i)));
                f.increase(terms, force.at(i).abs() * (result.at(i).abs() + b.at(i).abs()));
            });
        });
        f.return_((status, change - terms * ENERGY));
    }
}
