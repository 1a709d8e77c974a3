//! The equations of points that hold: which unknowns they have, and how these answer to one another.
//!
//! A point that sticks has three unknowns, the components of its force, and three equations. One that slides, or has no friction, has one
//! unknown, the size of its force along a known half-line, and one equation, that of its normal. Where the half-line is being looked for there
//! is one more of each, across the direction of slip. Unknowns are measured so that the norm of all of them is the norm of the forces.

use super::Coulomb;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// Kinds of points, as the number of their unknowns: one that has no force, one whose force lies on a half-line, on a half-line that may turn, and
/// in a cone.
pub const NONE: i64 = 0;
pub const LINE: i64 = 1;
pub const TURN: i64 = 2;
pub const CONE: i64 = 3;

/// A row whose own response is less than this part of the largest can not be moved by any force: a guide, or a driven body, bears it.
const IMMOVABLE: f64 = 1e-13;

#[derive(Clone, Copy)]
pub struct Rows {
    pub arrays: Coulomb,
    /// The number of reals from one row of a matrix to the next.
    pub stride: usize,
    /// What the response to forces is added to: `b`, or what restitution makes of it.
    pub given: ArrayId,
    /// The kind of each point.
    pub kind: ArrayId,
    /// The first unknown of each point.
    pub first: ArrayId,
    /// The row of each unknown, and its point.
    pub row: ArrayId,
    pub point: ArrayId,
    /// How much the slip of each point resists turning: its rate in relation to its friction.
    pub stiffness: ArrayId,
    /// The response of one equation to a unit force on each row.
    answer: ArrayId,
    /// The responses of unknowns to one another, row by row, and what they have to make up for.
    pub matrix: ArrayId,
    pub right: ArrayId,
    /// The unknowns.
    pub unknown: ArrayId,
    /// `(count) -> integer`: fills `matrix` and `right` for the kinds of that many points; the number of unknowns.
    pub assemble: FunctionId,
    /// `(count) -> ()`: forces of the unknowns.
    pub spread: FunctionId,
    /// `(count) -> ()`: `result` of the forces.
    pub respond: FunctionId,
}

impl Rows {
    pub fn declare(module: &mut ModuleBuilder, name: &str, arrays: Coulomb) -> Rows {
        let n = 3 * arrays.capacity;
        let named = |what: &str| format!("{name}_{what}");
        let rows = Rows {
            arrays,
            stride: n,
            given: module.real_array(&named("given"), n, "what the response to forces is added to"),
            kind: module.integer_array(&named("kind"), arrays.capacity, "0 no force, 1 on a half-line, 3 in a cone"),
            first: module.integer_array(&named("first"), arrays.capacity, "the first unknown of each point"),
            row: module.integer_array(&named("row"), n, "the row of each unknown"),
            point: module.integer_array(&named("point"), n, "the point of each unknown"),
            stiffness: module.real_array(&named("stiffness"), arrays.capacity, "rate of slip in relation to friction"),
            answer: module.real_array(&named("answer"), n, "response of one equation to each row"),
            matrix: module.real_array(&named("matrix"), n * n, "responses of unknowns to one another"),
            right: module.real_array(&named("right"), n, "what unknowns have to make up for"),
            unknown: module.real_array(&named("unknown"), n, "sizes of forces along their directions"),
            assemble: module.declare(&named("assemble"), &[("count", Integer)], &[Integer]),
            spread: module.declare(&named("spread"), &[("count", Integer)], &[]),
            respond: module.declare(&named("respond"), &[("count", Integer)], &[]),
        };
        module.describe(rows.assemble, "The equations of the points that hold; how many there are.");
        module.define(rows.assemble, |f| rows.assemble(f));
        module.describe(rows.spread, "Forces from the sizes along their directions.");
        module.define(rows.spread, |f| rows.spread(f));
        module.describe(rows.respond, "What the forces make of the rows.");
        module.define(rows.respond, |f| rows.respond(f));
        rows
    }

    /// What is given is `b` itself.
    pub fn give(&self, f: &mut FunctionBuilder, count: LocalId) {
        f.for_each("i", 0, count * 3, |f, i| f.store(self.given, i, self.arrays.b.at(i)));
    }

    fn assemble(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let size = f.integer("size", 0);
        let largest = f.real("largest", 0.0);
        f.for_each("i", 0, count, |f, i| {
            f.for_each("k", 0, 3, |f, k| f.assign(largest, self.response(i * 3 + k, i * 3 + k).max(largest)));
            f.store(self.first, i, size);
            let unknowns = f.integer("unknowns", self.kind.at(i));
            f.for_each("k", 0, unknowns, |f, k| {
                f.store(self.row, size + k, i * 3 + k);
                f.store(self.point, size + k, i);
            });
            f.increase(size, unknowns);
        });
        f.for_each("j", 0, size, |f, j| {
            let (given, own) = self.equation(f, j, count);
            // A right side of zero lets the row go: the check will see whether it holds.
            let moves = f.integer("moves", own.gt(largest * IMMOVABLE));
            f.store(self.right, j, moves.select(-given, 0.0));
            f.for_each("i", 0, count, |f, i| {
                let place = f.integer("place", j * self.stride + self.first.at(i));
                let columns = self.columns(f, i);
                f.if_(self.kind.at(i).ge(LINE), |f| f.store(self.matrix, place, moves.select(&columns[0], 0.0)));
                f.if_(self.kind.at(i).ge(TURN), |f| f.store(self.matrix, place + 1, moves.select(&columns[1], 0.0)));
                f.if_(self.kind.at(i).eq_(CONE), |f| f.store(self.matrix, place + 2, moves.select(&columns[2], 0.0)));
            });
        });
        f.for_each("i", 0, count, |f, i| {
            f.if_(self.kind.at(i).eq_(TURN), |f| {
                let place = f.integer("place", (self.first.at(i) + 1) * (self.stride + 1));
                f.store(self.matrix, place, self.matrix.at(place) + self.stiffness.at(i));
            });
        });
        f.return_(size);
    }

    /// What is given for an equation, and its response to itself; its responses to all rows are put into `answer`.
    fn equation(&self, f: &mut FunctionBuilder, j: LocalId, count: LocalId) -> (LocalId, LocalId) {
        let i = f.integer("owner", self.point.at(j));
        let row = f.integer("row", self.row.at(j));
        let given = f.real("given_here", self.given.at(row));
        let own = f.real("own", self.response(row, row));
        f.for_each("c", 0, count * 3, |f, c| f.store(self.answer, c, self.response(row, c)));
        f.if_(self.kind.at(i).eq_(TURN).and(row.ne_(i * 3)), |f| {
            let next = f.integer("next", row + 1);
            let [d1, d2] = [0, 1].map(|k| f.real("d", self.direction(i, k)));
            let across = |first: Expression, second: Expression| d1 * second - d2 * first;
            f.assign(given, across(given.get(), self.given.at(next)));
            f.for_each("c", 0, count * 3, |f, c| {
                f.store(self.answer, c, across(self.answer.at(c), self.response(next, c)));
            });
            f.assign(own, across(self.answer.at(row), self.answer.at(next)));
        });
        (given, own)
    }

    /// The responses of the equation in `answer` to the unknowns of a point.
    fn columns(&self, f: &mut FunctionBuilder, i: LocalId) -> [Expression; 3] {
        let friction = f.real("friction", self.arrays.friction.at(i));
        let [n, t1, t2] = [0, 1, 2].map(|k| f.real("to", self.answer.at(i * 3 + k)));
        let [d1, d2] = [0, 1].map(|k| f.real("d", self.direction(i, k)));
        let cone = f.integer("cone", self.kind.at(i).eq_(CONE));
        let along = (n - friction * (d1 * t1 + d2 * t2)) / line_length(friction);
        [cone.select(n, along), cone.select(t1, d1 * t2 - d2 * t1), t2.get()]
    }

    fn spread(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let force = self.arrays.force;
        f.for_each("i", 0, count, |f, i| {
            let first = f.integer("from", self.first.at(i));
            let friction = f.real("friction", self.arrays.friction.at(i));
            f.for_each("k", 0, 3, |f, k| f.store(force, i * 3 + k, 0.0));
            f.if_(self.kind.at(i).eq_(LINE).or(self.kind.at(i).eq_(TURN)), |f| {
                let normal = f.real("normal", self.unknown.at(first) / line_length(friction));
                f.store(force, i * 3, normal);
                f.store(force, i * 3 + 1, -(friction * normal * self.direction(i, 0)));
                f.store(force, i * 3 + 2, -(friction * normal * self.direction(i, 1)));
            });
            f.if_(self.kind.at(i).eq_(TURN), |f| {
                let across = f.real("across", self.unknown.at(first + 1));
                f.store(force, i * 3 + 1, force.at(i * 3 + 1) - across * self.direction(i, 1));
                f.store(force, i * 3 + 2, force.at(i * 3 + 2) + across * self.direction(i, 0));
            });
            f.if_(self.kind.at(i).eq_(CONE), |f| {
                f.for_each("k", 0, 3, |f, k| f.store(force, i * 3 + k, self.unknown.at(first + k)));
            });
        });
    }

    fn respond(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let Coulomb { force, result, b, .. } = self.arrays;
        f.for_each("i", 0, count * 3, |f, i| {
            let sum = f.real("sum", b.at(i));
            f.for_each("j", 0, count * 3, |f, j| f.increase(sum, self.response(i, j) * force.at(j)));
            f.store(result, i, sum);
        });
    }

    /// What an equation is about, of numbers that belong to rows: its row, or what is across the slip of a point that turns.
    pub fn of_equation(&self, f: &mut FunctionBuilder, j: LocalId, numbers: ArrayId) -> LocalId {
        let i = f.integer("owner", self.point.at(j));
        let row = f.integer("row", self.row.at(j));
        let left = f.real("left", numbers.at(row));
        f.if_(self.kind.at(i).eq_(TURN).and(row.ne_(i * 3)), |f| {
            f.assign(left, self.direction(i, 0) * numbers.at(row + 1) - self.direction(i, 1) * left);
        });
        left
    }

    /// The response of a row to a unit force on another.
    pub fn response(&self, row: impl Into<Expression>, of: impl Into<Expression>) -> Expression {
        self.arrays.W.at(row.into() * self.stride + of.into())
    }

    /// A component of the direction in which a point slides.
    pub fn direction(&self, i: LocalId, k: usize) -> Expression {
        self.arrays.direction.at(i * 2 + k)
    }

    /// An entry of `matrix`.
    pub fn entry(&self, i: impl Into<Expression>, j: impl Into<Expression>) -> Expression {
        self.matrix.at(self.place(i, j))
    }

    pub fn place(&self, i: impl Into<Expression>, j: impl Into<Expression>) -> Expression {
        i.into() * self.stride + j.into()
    }
}

/// The length of the force on a half-line whose normal component is one.
pub fn line_length(friction: LocalId) -> Expression {
    (1.0 + friction * friction).sqrt()
}
