//! The directions in which points begin to slip: each against its friction, and friction against the slip that comes of it.
//!
//! The least forces of the present directions say how the points would slip; Newton's method, with the least change of forces, turns all directions at
//! once to where they would agree with it. So `hold` finds the same forces with the directions found.

use super::check::Check;
use super::least::Least;
use super::rows::{LINE, Rows, TURN, line_length};
use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Directions are turned at most so often.
const TURNS: usize = 50;

/// A turn of less than this is none.
const ROUNDING: f64 = 4e-16;

/// No direction turns by more than this at once (rad).
const MOST: f64 = 0.5;

pub struct Turn {
    rows: Rows,
    least: Least,
    check: Check,
    settle: FunctionId,
    newton: FunctionId,
    /// `(count) -> ()`: finds the directions of points on half-lines that may turn.
    pub turn: FunctionId,
}

impl Turn {
    pub fn declare(
        module: &mut ModuleBuilder,
        name: &str,
        (rows, least, check): (Rows, Least, Check),
        settle: FunctionId,
    ) -> Turn {
        let named = |what: &str| format!("{name}_{what}");
        let turn = Turn {
            rows,
            least,
            check,
            settle,
            newton: module.declare(&named("turn_all"), &[("count", Integer)], &[Real]),
            turn: module.declare(&named("turn"), &[("count", Integer)], &[]),
        };
        module.describe(turn.newton, "Turns all directions by Newton's method; the largest turn.");
        module.define(turn.newton, |f| turn.newton(f));
        module.describe(turn.turn, "Finds the directions of slip that begins.");
        module.define(turn.turn, |f| turn.turn(f));
        turn
    }

    fn turn(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let turns = f.integer("turns", 0);
        f.for_each("i", 0, count, |f, i| f.assign(turns, turns.or(self.turns(i))));
        f.if_(turns.logical_not(), |f| f.return_(()));
        f.for_each("iteration", 0, TURNS, |f, _| {
            f.call(self.settle, count);
            f.call(self.check.respond, count);
            let largest = f.call1(self.newton, count);
            f.if_(largest.le(ROUNDING), |f| f.break_());
        });
    }

    /// Whether a point is on a half-line that may turn.
    fn turns(&self, i: LocalId) -> kernel::Expression {
        self.rows.is_round(i).and(self.rows.kind.at(i).eq_(LINE))
    }

    fn newton(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let Rows { kind, first, unknown, .. } = self.rows;
        let force = self.rows.arrays.force;
        let largest = f.real("largest", 0.0);
        f.for_each("i", 0, count, |f, i| f.if_(self.turns(i), |f| self.loosen(f, i, largest)));
        let size = f.call1(self.rows.assemble, count);
        f.for_each("j", 0, size, |f, j| self.make_up(f, j));
        f.call(self.least.solve, size);
        f.for_each("i", 0, count, |f, i| {
            f.if_(kind.at(i).eq_(TURN), |f| {
                f.store(kind, i, LINE);
                let friction = f.real("friction", self.rows.arrays.friction.at(i));
                let at = f.integer("at", first.at(i));
                let before = f.real("before", force.at(i * 3));
                let normal = f.real("normal", before + unknown.at(at) / line_length(friction));
                let most = f.real("most", friction * normal.max(before * 0.5));
                let angle = f.real("angle", (-unknown.at(at + 1) / most).min(MOST).max(-MOST));
                f.assign(largest, angle.abs().max(largest));
                let [d1, d2] = [0, 1].map(|k| f.real("d", self.rows.direction(i, k)));
                let turned = [d1 - angle * d2, d2 + angle * d1].map(|turned| f.real("turned", turned));
                self.point_to(f, i, turned);
            });
        });
        f.return_(largest);
    }

    /// Lets a direction turn, against the stiffness of its slip. One without a force turns to its slip at once, one without a slip not at all.
    fn loosen(&self, f: &mut FunctionBuilder, i: LocalId, largest: LocalId) {
        let most = f.real("most", self.rows.arrays.friction.at(i) * self.rows.arrays.force.at(i * 3));
        let slip = [1, 2].map(|k| f.real("slip", self.check.response.at(i * 3 + k)));
        let terms = self.check.terms.at(i * 3 + 1) + self.check.terms.at(i * 3 + 2);
        let rate = f.real("rate", (slip[0] * slip[0] + slip[1] * slip[1]).sqrt());
        let along = f.real("along", slip[0] * self.rows.direction(i, 0) + slip[1] * self.rows.direction(i, 1));
        f.if_else(
            most.gt(0.0),
            |f| {
                // Where the direction is far off, the stiffness of the right one leads away from the opposite one.
                f.store(self.rows.stiffness, i, along.gt(0.0).select(along, rate) / most);
                f.store(self.rows.kind, i, TURN);
            },
            |f| {
                f.if_(rate.gt(terms * 1e-14), |f| {
                    f.assign(largest, ((rate - along) / rate).abs().max(largest));
                    self.point_to(f, i, slip);
                });
            },
        );
    }

    /// The right side of an equation is what the forces leave of it.
    fn make_up(&self, f: &mut FunctionBuilder, j: LocalId) {
        let left = self.rows.of_equation(f, j, self.check.response);
        f.store(self.rows.right, j, -left);
    }

    fn point_to(&self, f: &mut FunctionBuilder, i: LocalId, vector: [LocalId; 2]) {
        let length = f.real("size", (vector[0] * vector[0] + vector[1] * vector[1]).sqrt());
        for (k, component) in vector.into_iter().enumerate() {
            f.store(self.rows.arrays.direction, i * 2 + k, component / length);
        }
    }
}
