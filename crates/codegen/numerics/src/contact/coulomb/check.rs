//! Whether forces are a solution: the conditions themselves, each within rounding of the terms it is made of.

use super::rows::{CONE, LINE, Rows};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// Conditions may be off by this part of the terms that they are made of.
const CHECK: f64 = 1e-11;

/// What is given comes of terms that may cancel: below this part of the largest it is rounding.
const NOISE: f64 = 1e-13;

/// A force below this part of the sum of all forces is none.
const LOADED: f64 = 1e-12;

#[derive(Clone, Copy)]
pub struct Check {
    rows: Rows,
    /// The response of each row to the forces, with what is given, and the sum of the sizes of its terms.
    pub response: ArrayId,
    pub terms: ArrayId,
    /// `(count) -> ()`: fills both.
    pub respond: FunctionId,
    /// `(count) -> integer`: 0 if the forces solve the problem of what is given.
    pub check: FunctionId,
}

impl Check {
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows) -> Check {
        let named = |what: &str| format!("{name}_{what}");
        let check = Check {
            rows,
            response: module.real_array(&named("response"), rows.stride, "response of each row"),
            terms: module.real_array(&named("terms"), rows.stride, "sum of the sizes of its terms"),
            respond: module.declare(&named("respond_to_given"), &[("count", Integer)], &[]),
            check: module.declare(&named("check"), &[("count", Integer)], &[Integer]),
        };
        module.describe(check.respond, "What the forces make of what is given, and the sizes of its terms.");
        module.define(check.respond, |f| check.respond(f));
        module.describe(check.check, "Whether the forces are a solution: 0 if they are.");
        module.define(check.check, |f| check.check(f));
        check
    }

    fn check(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let force = self.rows.arrays.force;
        let noise = f.real("noise", self.rows.arrays.noise.at(0));
        let total = f.real("total", 0.0);
        let largest = f.real("largest", 0.0);
        f.for_each("j", 0, count * 3, |f, j| {
            f.increase(total, force.at(j).abs());
            f.assign(largest, self.rows.given.at(j).abs().max(largest));
        });
        f.call(self.respond, count);
        f.for_each("i", 0, count, |f, i| {
            let normal = f.real("normal", force.at(i * 3));
            let response = f.real("parting", self.response.at(i * 3));
            let rounding = f.real("rounding", self.terms.at(i * 3) * CHECK + largest * NOISE + noise);
            // Written as negations, so that what is not a number does not pass.
            f.if_(normal.ge(0.0).and(response.ge(-rounding)).logical_not(), |f| f.return_(1));
            f.if_(normal.gt(total * LOADED).and(response.gt(rounding)), |f| f.return_(1));
            f.if_(self.rows.is_round(i), |f| self.check_friction(f, i, normal));
        });
        f.return_(0);
    }

    fn respond(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let force = self.rows.arrays.force;
        f.for_each("i", 0, count * 3, |f, i| {
            let sum = f.real("sum", self.rows.given.at(i));
            let terms = f.real("size", sum.abs());
            f.for_each("j", 0, count * 3, |f, j| {
                let part = f.real("part", self.rows.response(i, j) * force.at(j));
                f.increase(sum, part);
                f.increase(terms, part.abs());
            });
            f.store(self.response, i, sum);
            f.store(self.terms, i, terms);
        });
    }

    /// The force is in its cone, and against the slip with all its strength if there is one: |w_t| f_t + μ N w_t = 0.
    fn check_friction(&self, f: &mut FunctionBuilder, i: LocalId, normal: LocalId) {
        let pair = |f: &mut FunctionBuilder, of: ArrayId| [1, 2].map(|k| f.real("t", of.at(i * 3 + k)));
        let size = |f: &mut FunctionBuilder, t: [LocalId; 2]| f.real("size", (t[0] * t[0] + t[1] * t[1]).sqrt());
        let most = f.real("most", self.rows.arrays.friction.at(i) * normal);
        let tangential = pair(f, self.rows.arrays.force);
        let slip = pair(f, self.response);
        let terms = pair(f, self.terms);
        let (rubbing, slipping) = (size(f, tangential), size(f, slip));
        f.if_(rubbing.le(most * (1.0 + CHECK)).logical_not(), |f| f.return_(1));
        for k in 0..2 {
            let off = f.real("off", (slipping * tangential[k] + most * slip[k]).abs());
            let rounding = (terms[0] + terms[1]) * CHECK + self.rows.arrays.noise.at(0) * 2.0;
            f.if_(off.le(most * rounding).logical_not(), |f| f.return_(1));
        }
    }
}

/// A coefficient of friction that is not above this is none.
const FRICTIONLESS: f64 = 1e-12;

impl Rows {
    /// Whether the force of a point may lie anywhere in a round cone: it has friction, and the direction of its slip is not known.
    pub fn is_round(&self, i: LocalId) -> kernel::Expression {
        self.arrays.slips.at(i).eq_(0).and(self.arrays.friction.at(i).gt(FRICTIONLESS))
    }

    /// The kind of a point of which nothing is known but that it holds.
    pub fn kind_of_holding(&self, i: LocalId) -> kernel::Expression {
        self.is_round(i).select(CONE, LINE)
    }
}
