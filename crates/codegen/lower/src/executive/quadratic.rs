//! A quadratic program in a few variables, which an active set solves: what is at an end of its range is held there, all others are found as if they had
//! no ranges, and a variable is let go where that lowers the cost.
//!
//! The variables are choices and, for every row, a slack: `slopes · choices − slack + left = 0`. The slack of an equation is held at nothing, that of a
//! limit must not make it negative. Rows are a little soft: where they cannot all hold, they come as near to that as they can, and where they depend
//! on one another, that does no harm (stabilized sequential quadratic programming: Wright, 1998).

use kernel::Type::Integer;
use kernel::executive::least::{LET_GO, PASSES, SOFT};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};

use super::elimination::{Equations, eliminate};

/// Where a variable is, in [`Quadratic::held`].
pub(super) const FREE: i64 = 0;
pub(super) const AT_LOW: i64 = -1;
pub(super) const AT_HIGH: i64 = 1;
pub(super) const FIXED: i64 = 2;

#[derive(Clone, Copy)]
pub(super) struct Quadratic {
    /// Second and first derivatives of the cost.
    pub curvature: ArrayId,
    pub gradient: ArrayId,
    /// Row by row.
    pub slopes: ArrayId,
    pub left: ArrayId,
    /// What a little more of each row would cost: those known before, then those found.
    pub prices: ArrayId,
    /// The variables, choices before slacks, with their ranges.
    pub step: ArrayId,
    pub low: ArrayId,
    pub high: ArrayId,
    pub held: ArrayId,
    /// `(count, rows) -> integer`: finds the step, beginning at the one that is there, within the ranges; 1 if it is found.
    pub solve: FunctionId,
    pub most: usize,
}

impl Quadratic {
    /// For so many choices and rows, of which the slopes are given.
    pub fn declare(module: &mut ModuleBuilder, most: usize, rows: usize, slopes: ArrayId) -> Quadratic {
        let size = most + 2 * rows;
        let equations = Equations {
            rows: module.real_array("least_rows", size * (size + 1), "the equations of a step"),
            unknowns: module.real_array("least_found", size, "choices, slacks and prices"),
            most: size,
        };
        let mut quadratic = Quadratic {
            curvature: module.real_array("least_curvature", most * most, "of the cost, with its prices"),
            gradient: module.real_array("least_gradient", most, "of the cost"),
            slopes,
            left: module.real_array("least_left", rows, "what each row leaves"),
            prices: module.real_array("least_prices", rows, "of the rows"),
            step: module.real_array("least_step", most + rows, "of choices, then of slacks"),
            low: module.real_array("least_low", most + rows, "how far each can go down"),
            high: module.real_array("least_high", most + rows, "how far each can go up"),
            held: module.integer_array("least_held", most + rows, "which are held where"),
            solve: FunctionId(0),
            most,
        };
        let fill = quadratic.fill(module, equations);
        let block = quadratic.block(module, equations);
        let let_go = quadratic.let_go(module, equations);
        let eliminate = eliminate(module, "eliminate_least", equations);
        quadratic.solve = module.function("solve_least", &[("count", Integer), ("rows", Integer)], &[Integer], |f| {
            let [count, rows] = f.parameters();
            f.for_each("pass", 0, (count + rows) * PASSES, |f, _| {
                f.call(fill, (count, rows));
                let solved = f.call1(eliminate, count + rows * 2);
                f.if_(solved.eq_(0), |f| f.return_(0));
                let blocked = f.call1(block, count + rows);
                f.if_(blocked.eq_(0), |f| {
                    let again = f.call1(let_go, (count, rows));
                    f.if_(again.eq_(0), |f| f.break_());
                });
            });
            f.for_each("row", 0, rows, |f, row| {
                f.store(quadratic.prices, row, equations.unknowns.at(count + rows + row));
            });
            f.return_(1);
        });
        module.describe(quadratic.solve, "The step of least cost within its ranges: 1 if there is one.");
        quadratic
    }

    pub fn slope(&self, row: LocalId, choice: LocalId) -> Expression {
        self.slopes.at(row * self.most + choice)
    }

    /// `(count, rows)`: the equations of the step in which what is held stays, with their prices.
    fn fill(&self, module: &mut ModuleBuilder, equations: Equations) -> FunctionId {
        let cells = equations.rows;
        let function = module.function("fill_least", &[("count", Integer), ("rows", Integer)], &[], |f| {
            let [count, rows] = f.parameters();
            let variables = f.integer("variables", count + rows);
            let size = f.integer("size", variables + rows);
            f.for_each("row", 0, size, |f, row| {
                f.for_each("column", 0, size + 1, |f, column| f.store(cells, equations.cell(row, column), 0.0));
            });
            f.for_each("i", 0, variables, |f, i| {
                f.if_else(
                    self.held.at(i).ne_(FREE),
                    |f| {
                        f.store(cells, equations.cell(i, i), 1.0);
                        f.store(cells, equations.cell(i, size), self.step.at(i));
                    },
                    |f| {
                        f.if_else(
                            i.lt(count),
                            |f| {
                                f.for_each("j", 0, count, |f, j| {
                                    f.store(cells, equations.cell(i, j), self.curvature.at(i * self.most + j));
                                });
                                f.for_each("row", 0, rows, |f, row| {
                                    f.store(cells, equations.cell(i, variables + row), self.slope(row, i));
                                });
                                f.store(cells, equations.cell(i, size), -self.gradient.at(i));
                            },
                            |f| f.store(cells, equations.cell(i, rows + i), -1.0),
                        );
                    },
                );
            });
            f.for_each("row", 0, rows, |f, row| {
                let own = f.integer("own", variables + row);
                f.for_each("j", 0, count, |f, j| f.store(cells, equations.cell(own, j), self.slope(row, j)));
                f.store(cells, equations.cell(own, count + row), -1.0);
                f.store(cells, equations.cell(own, own), -SOFT);
                f.store(cells, equations.cell(own, size), -self.left.at(row) - self.prices.at(row) * SOFT);
            });
        });
        module.describe(function, "The equations of the step in which what is held stays.");
        function
    }

    /// `(variables) -> integer`: goes towards what was found, up to the first end of a range; 1 if there was one.
    fn block(&self, module: &mut ModuleBuilder, equations: Equations) -> FunctionId {
        let found = equations.unknowns;
        let function = module.function("block_least", &[("variables", Integer)], &[Integer], |f| {
            let [variables] = f.parameters();
            let share = f.real("share", 1.0);
            let first = f.integer("first", -1);
            f.for_each("i", 0, variables, |f, i| {
                let far = f.real("far", found.at(i) - self.step.at(i));
                let room = far.lt(0.0).select(self.low.at(i), self.high.at(i)) - self.step.at(i);
                let part = f.real("part", (room / far).max(0.0));
                let out = found.at(i).lt(self.low.at(i)).or(found.at(i).gt(self.high.at(i)));
                f.if_(self.held.at(i).eq_(FREE).and(out).and(part.lt(share)), |f| {
                    f.assign(share, part);
                    f.assign(first, i);
                });
            });
            f.for_each("i", 0, variables, |f, i| {
                let next = f.real("next", self.step.at(i) + (found.at(i) - self.step.at(i)) * share);
                f.if_(first.eq_(i), |f| {
                    let down = f.integer("down", found.at(i).lt(self.step.at(i)));
                    f.assign(next, down.select(self.low.at(i), self.high.at(i)));
                    f.store(self.held, i, down.select(AT_LOW, AT_HIGH));
                });
                f.store(self.step, i, next);
            });
            f.return_(first.ge(0));
        });
        module.describe(function, "Goes towards what was found, up to the first end of a range: 1 if there was one.");
        function
    }

    /// `(count, rows) -> integer`: lets go of the variable that lowers the cost most; 1 if there is one.
    fn let_go(&self, module: &mut ModuleBuilder, equations: Equations) -> FunctionId {
        let prices = equations.unknowns;
        let function = module.function("let_go_least", &[("count", Integer), ("rows", Integer)], &[Integer], |f| {
            let [count, rows] = f.parameters();
            let variables = f.integer("variables", count + rows);
            let best = f.integer("best", -1);
            let most = f.real("most", 0.0);
            f.for_each("i", 0, variables, |f, i| {
                let push = f.real("push", 0.0);
                let size = f.real("size", 0.0);
                f.if_else(
                    i.lt(count),
                    |f| self.pushes(f, (i, count, rows), (push, size), |row| prices.at(variables + row)),
                    |f| {
                        f.assign(push, -prices.at(rows + i));
                        f.assign(size, 1.0);
                    },
                );
                let inwards = self.held.at(i).eq_(AT_LOW).select(-push, 0.0);
                let inwards = self.held.at(i).eq_(AT_HIGH).select(push, inwards);
                let inwards = f.real("inwards", inwards);
                f.if_(inwards.gt(most).and(inwards.gt(size * LET_GO)), |f| {
                    f.assign(most, inwards);
                    f.assign(best, i);
                });
            });
            f.if_(best.lt(0), |f| f.return_(0));
            f.store(self.held, best, FREE);
            f.return_(1);
        });
        module.describe(function, "Lets go of what lowers the cost most where it goes inwards: 1 if there is one.");
        function
    }

    /// How the cost changes with a choice, with some prices of the rows, and how large what makes that up is.
    fn pushes(
        &self,
        f: &mut FunctionBuilder,
        (i, count, rows): (LocalId, LocalId, LocalId),
        (push, size): (LocalId, LocalId),
        price: impl Fn(LocalId) -> Expression,
    ) {
        let add = |f: &mut FunctionBuilder, part: Expression| {
            let part = f.real("part", part);
            f.increase(push, part);
            f.increase(size, part.abs());
        };
        add(f, self.gradient.at(i));
        f.for_each("j", 0, count, |f, j| add(f, self.curvature.at(i * self.most + j) * self.step.at(j)));
        f.for_each("row", 0, rows, |f, row| add(f, self.slope(row, i) * price(row)));
    }
}
