//! Elimination in a fixed order, written out: only what is not zero is computed. Where a pivot turns out too small, the dense
//! solver takes over.

use std::collections::BTreeMap;

use kernel::{Expression, LocalId, Term};
use program::{LinearSystem, Pivot};

use crate::lower::Body;
use crate::system::Evaluated;

/// The rows of a matrix as far as they are not zero, and the right-hand sides.
struct Rows {
    entries: Vec<BTreeMap<usize, Expression>>,
    right: Vec<Expression>,
}

/// One over a pivot.
#[derive(Clone)]
struct Inverse {
    of: Expression,
    value: Expression,
}

impl Body<'_, '_, '_> {
    pub fn eliminate(&mut self, evaluated: Evaluated<'_>, pivots: &[Pivot]) -> Vec<LocalId> {
        let Evaluated { system, matrix, right, time } = evaluated;
        let n = system.unknowns.len();
        let matrix: Vec<(usize, usize, Expression)> =
            matrix.into_iter().map(|(row, column, value)| (row, column, self.named("entry", value))).collect();
        let right: Vec<Expression> = right.into_iter().map(|value| self.named("side", value)).collect();
        let mut rows = Rows { entries: vec![BTreeMap::new(); n], right: right.clone() };
        for (row, column, value) in &matrix {
            rows.entries[*row].insert(*column, value.clone());
        }
        let safe = self.f.integer("safe", 1);
        let mut inverses: Vec<Inverse> = Vec::with_capacity(n);
        for step in 0..pivots.len() {
            let inverse = self.invert(&rows, &pivots[step], &inverses, safe);
            self.eliminate_column(&mut rows, &pivots[step..], &inverse.value);
            inverses.push(inverse);
        }
        let unknowns = self.substitute_back(system, &rows, pivots, inverses);
        let fallback = self.block(|body| {
            let solved = body.dense(Evaluated { system, matrix, right, time });
            for (&unknown, value) in unknowns.iter().zip(solved) {
                body.f.assign(unknown, value);
            }
        });
        self.f.push(kernel::Statement::If { condition: safe.logical_not(), then: fallback, otherwise: Vec::new() });
        unknowns
    }

    /// Two equations by Cramer's rule: one division, and both unknowns at once. Where the determinant is small beside the
    /// products it is made of, digits are lost, and the dense solver takes over.
    pub fn determinants(&mut self, evaluated: Evaluated<'_>) -> Vec<LocalId> {
        // A determinant beside its products: three digits may be lost, of sixteen, before pivots are worth their price.
        const LEAST: f64 = 1e-3;
        let Evaluated { system, matrix, right, time } = evaluated;
        let matrix: Vec<(usize, usize, Expression)> =
            matrix.into_iter().map(|(row, column, value)| (row, column, self.named("entry", value))).collect();
        let right: Vec<Expression> = right.into_iter().map(|value| self.named("side", value)).collect();
        let entry = |row: usize, column: usize| -> Expression {
            let found = matrix.iter().find(|(r, c, _)| (*r, *c) == (row, column));
            found.map_or_else(|| Expression::from(0.0), |(_, _, value)| value.clone())
        };
        let [a, b, c, d] = [entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)];
        let main = self.f.bind("main", &a * &d);
        let cross = self.f.bind("cross", &b * &c);
        let determinant = self.f.bind("determinant", main - cross);
        let inverse = self.f.bind("inverse", 1.0 / determinant);
        let names = [0, 1].map(|at| self.unknown_name(system, at));
        let first = self.f.bind(&names[0], (d * right[0].clone() - b * right[1].clone()) * inverse);
        let second = self.f.bind(&names[1], (a * right[1].clone() - c * right[0].clone()) * inverse);
        let safe = determinant.abs().gt(main.abs().max(cross.abs()) * LEAST);
        let unknowns = vec![first, second];
        let fallback = self.block(|body| {
            let solved = body.dense(Evaluated { system, matrix, right, time });
            for (&unknown, value) in unknowns.iter().zip(solved) {
                body.f.assign(unknown, value);
            }
        });
        self.f.push(kernel::Statement::If { condition: safe.logical_not(), then: fallback, otherwise: Vec::new() });
        unknowns
    }

    /// The inverse of a pivot, with a look at its size; that of the same number before, if there was one.
    fn invert(&mut self, rows: &Rows, pivot: &Pivot, before: &[Inverse], safe: LocalId) -> Inverse {
        let of = rows.entries[pivot.row][&pivot.column].clone();
        if let Some(same) = before.iter().find(|inverse| inverse.of == of) {
            return same.clone();
        }
        let value = match constant(&of) {
            Some(value) => Expression::from(1.0 / value),
            None => {
                self.f.assign(safe, safe.get().and(of.clone().abs().gt(pivot.least)));
                self.named("inverse", Expression::from(1.0) / of.clone())
            }
        };
        Inverse { of, value }
    }

    /// One step: the rows below the pivot without its column.
    fn eliminate_column(&mut self, rows: &mut Rows, pivots: &[Pivot], inverse: &Expression) {
        let Pivot { row, column, .. } = pivots[0];
        for &Pivot { row: below, .. } in &pivots[1..] {
            let Some(entry) = rows.entries[below].remove(&column) else { continue };
            let factor = times(entry, inverse.clone());
            let factor = self.named("factor", factor);
            let others: Vec<(usize, Expression)> = rows.entries[row]
                .iter()
                .filter(|(at, _)| **at != column)
                .map(|(&at, entry)| (at, entry.clone()))
                .collect();
            for (at, entry) in others {
                let change = times(factor.clone(), entry);
                let changed = match rows.entries[below].remove(&at) {
                    Some(old) => old - change,
                    None => -change,
                };
                let changed = self.named("entry", changed);
                rows.entries[below].insert(at, changed);
            }
            let side = rows.right[below].clone() - times(factor, rows.right[row].clone());
            rows.right[below] = self.named("side", side);
        }
    }

    /// From the last pivot to the first: each row gives its unknown.
    fn substitute_back(
        &mut self,
        system: &LinearSystem,
        rows: &Rows,
        pivots: &[Pivot],
        inverses: Vec<Inverse>,
    ) -> Vec<LocalId> {
        let unknowns: Vec<LocalId> = (0..system.unknowns.len())
            .map(|at| self.f.local(&self.unknown_name(system, at), kernel::Type::Real))
            .collect();
        for (pivot, inverse) in pivots.iter().zip(inverses).rev() {
            let others = rows.entries[pivot.row].iter().filter(|(column, _)| **column != pivot.column);
            let known = others.fold(rows.right[pivot.row].clone(), |rest, (&column, entry)| {
                rest - times(entry.clone(), unknowns[column].into())
            });
            self.f.assign(unknowns[pivot.column], times(inverse.value, known));
        }
        unknowns
    }

    /// The same value in a variable, unless it is as simple as one.
    fn named(&mut self, name: &str, value: Expression) -> Expression {
        match value {
            Expression::Local(_) | Expression::Constant(_) => value,
            _ => self.f.bind(name, value).into(),
        }
    }

    /// What the closure writes, as a block of its own.
    pub fn block(&mut self, write: impl FnOnce(&mut Body<'_, '_, '_>)) -> kernel::Block {
        let lowering = &mut *self.lowering;
        self.f.block(|f| write(&mut Body { lowering, f }))
    }
}

fn constant(expression: &Expression) -> Option<f64> {
    match expression {
        Expression::Constant(value) => value.as_real(),
        _ => None,
    }
}

/// A product without multiplications by one.
fn times(a: Expression, b: Expression) -> Expression {
    match (constant(&a), constant(&b)) {
        (Some(1.0), _) => b,
        (_, Some(1.0)) => a,
        (Some(-1.0), _) => -b,
        (_, Some(-1.0)) => -a,
        (Some(x), Some(y)) => Expression::from(x * y),
        _ => a * b,
    }
}
