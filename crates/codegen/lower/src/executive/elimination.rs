//! Gauss's elimination for a few equations, as searches for what plans choose need it.

use kernel::Type::Integer;
use kernel::executive::shooting::NO_PIVOT;
use kernel::{ArrayId, Expression, FunctionId, LocalId, ModuleBuilder, Term};

/// Equations for at most so many unknowns, each with its right-hand side behind it.
#[derive(Clone, Copy)]
pub(super) struct Equations {
    pub rows: ArrayId,
    pub unknowns: ArrayId,
    pub most: usize,
}

impl Equations {
    pub fn cell(&self, row: impl Into<Expression>, column: impl Into<Expression>) -> Expression {
        row.into() * (self.most + 1) + column.into()
    }
}

/// `(count) -> integer`: solves the rows for the unknowns.
pub(super) fn eliminate(module: &mut ModuleBuilder, name: &str, equations: Equations) -> FunctionId {
    let Equations { rows, unknowns, most } = equations;
    let function = module.function(name, &[("count", Integer)], &[Integer], |f| {
        let [n] = f.parameters();
        f.for_each("column", 0, n, |f, column| {
            let pivot = f.integer("pivot", column);
            // Compilers wonder about rows that a single equation does not have.
            let several = most > 1;
            if several {
                f.for_each("row", column + 1, n, |f, row| {
                    let size = |row: LocalId| rows.at(equations.cell(row, column)).abs();
                    f.if_(size(row).ge(size(pivot)), |f| f.assign(pivot, row));
                });
            }
            f.if_(rows.at(equations.cell(pivot, column)).abs().lt(NO_PIVOT), |f| f.return_(0));
            f.for_each("at", 0, n + 1, |f, at| {
                let upper = f.real("upper", rows.at(equations.cell(column, at)));
                f.store(rows, equations.cell(column, at), rows.at(equations.cell(pivot, at)));
                f.store(rows, equations.cell(pivot, at), upper);
            });
            if several {
                f.for_each("row", column + 1, n, |f, row| {
                    let factor = rows.at(equations.cell(row, column)) / rows.at(equations.cell(column, column));
                    let factor = f.real("factor", factor);
                    f.for_each("at", column, n + 1, |f, at| {
                        let reduced = rows.at(equations.cell(row, at)) - factor * rows.at(equations.cell(column, at));
                        f.store(rows, equations.cell(row, at), reduced);
                    });
                });
            }
        });
        f.for_each("below", 0, n, |f, below| {
            let row = f.integer("row", n - below - 1);
            let known = f.real("known", 0.0);
            f.for_each("at", row + 1, n, |f, at| f.increase(known, rows.at(equations.cell(row, at)) * unknowns.at(at)));
            let own = rows.at(equations.cell(row, row));
            f.store(unknowns, row, (rows.at(equations.cell(row, n)) - known) / own);
        });
        f.return_(1);
    });
    module.describe(function, "Gauss's elimination, with the largest pivot: 1 if there is a solution.");
    function
}
