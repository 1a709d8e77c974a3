//! All states of a few points, where no other method found any that hold: in the order of sticking, sliding, open.

use super::one::{AROUND, One};
use super::rows::{CONE, LINE, NONE, Rows};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// The most points whose states are all tried.
pub const FEW: usize = 3;

/// Directions in which a slip is begun to be looked for.
const STARTS: usize = 8;

pub struct States {
    rows: Rows,
    around: ArrayId,
    /// Which of its states each point has.
    digit: ArrayId,
    /// `(count) -> ()`: the first states; sets `kind` and `direction`.
    pub begin: FunctionId,
    /// `(count) -> integer`: the next states; 0 where there are no more.
    pub next: FunctionId,
}

impl States {
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows, one: &One) -> States {
        let named = |what: &str| format!("{name}_states_{what}");
        let states = States {
            rows,
            around: one.around,
            digit: module.integer_array(&named("digit"), rows.arrays.capacity, "which of its states each point has"),
            begin: module.declare(&named("begin"), &[("count", Integer)], &[]),
            next: module.declare(&named("next"), &[("count", Integer)], &[Integer]),
        };
        module.describe(states.begin, "The first of all states.");
        module.define(states.begin, |f| {
            let [count] = f.parameters();
            f.for_each("i", 0, count, |f, i| {
                f.store(states.digit, i, 0);
                states.put(f, i);
            });
        });
        module.describe(states.next, "The next of all states: 0 where there are no more.");
        module.define(states.next, |f| states.next(f));
        states
    }

    /// Counts on, as on an odometer.
    fn next(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        f.for_each("i", 0, count, |f, i| {
            let digit = f.integer("digit", self.digit.at(i) + 1);
            let last = self.rows.is_round(i).select(STARTS as i64 + 1, 1);
            let more = f.integer("more", digit.le(last));
            f.store(self.digit, i, more.select(digit, 0));
            self.put(f, i);
            f.if_(more, |f| f.return_(1));
        });
        f.return_(0);
    }

    /// The kind and direction of one of the states of a point. A known slip has two; an unknown one sticks, slides from one of some directions, or opens.
    fn put(&self, f: &mut FunctionBuilder, i: LocalId) {
        let digit = f.integer("at", self.digit.at(i));
        f.if_else(
            self.rows.is_round(i),
            |f| {
                let open = digit.eq_(STARTS as i64 + 1);
                f.store(self.rows.kind, i, digit.eq_(0).select(CONE, open.select(NONE, LINE)));
                let start = f.integer("start", digit * (2 * AROUND / STARTS));
                f.if_(digit.le(STARTS as i64), |f| {
                    f.store(self.rows.arrays.direction, i * 2, self.around.at(start));
                    f.store(self.rows.arrays.direction, i * 2 + 1, self.around.at(start + 1));
                });
            },
            |f| f.store(self.rows.kind, i, digit.eq_(0).select(NONE, LINE)),
        );
    }
}
