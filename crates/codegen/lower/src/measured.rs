//! Curves through measured points, as tables of the kernel: one array has the numbers of all pieces, and functions find their way in it.

use std::sync::Arc;

use expr::{Curve, KNOT, PARTS, STEEPNESS};
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, FunctionId, ModuleBuilder, Term};

/// The functions of curves, which are named by numbers.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    /// `(curve, x) -> real`: between which knots an argument is.
    pub place: FunctionId,
    /// `(curve, part, piece) -> real`: a number of a piece.
    pub cell: FunctionId,
    /// `(curve, part, first, last) -> real, real`: the least and the largest such number of some pieces.
    pub bounds: FunctionId,
}

impl Measured {
    pub fn declare(module: &mut ModuleBuilder, curves: &[Arc<Curve>]) -> Measured {
        let (mut firsts, mut counts, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for curve in curves {
            firsts.push((numbers.len() / PARTS) as i64);
            counts.push(curve.pieces().len() as i64);
            numbers.extend(curve.pieces().iter().flatten().copied());
        }
        let tables = Tables {
            firsts: module.integers("curve_first", &firsts, "the first piece of each curve"),
            counts: module.integers("curve_count", &counts, "how many pieces it has, with those beyond its ends"),
            numbers: module.reals("curve_numbers", &numbers, "of all pieces of all curves"),
        };
        let row = tables.row(module);
        Measured { place: tables.place(module), cell: tables.cell(module, row), bounds: tables.bounds(module, row) }
    }
}

#[derive(Clone, Copy)]
struct Tables {
    firsts: ArrayId,
    counts: ArrayId,
    numbers: ArrayId,
}

impl Tables {
    /// `(curve, piece) -> integer`: the place of a piece among all; what is beyond the ends has one piece there.
    fn row(&self, module: &mut ModuleBuilder) -> FunctionId {
        let function = module.function("curve_row", &[("curve", Real), ("piece", Real)], &[Integer], |f| {
            let [curve, piece] = f.parameters();
            let curve = f.integer("number", curve.to_integer());
            let last = f.integer("last", self.counts.at(curve) - 1);
            let own = f.real("own", (piece + 1.0).max(0.0).min(last.to_real()));
            f.return_(self.firsts.at(curve) + own.to_integer());
        });
        module.describe(function, "Where the numbers of a piece of a curve stand.");
        function
    }

    fn place(&self, module: &mut ModuleBuilder) -> FunctionId {
        let function = module.function("curve_place", &[("curve", Real), ("x", Real)], &[Real], |f| {
            let [curve, x] = f.parameters();
            let curve = f.integer("number", curve.to_integer());
            let first = f.integer("first", self.firsts.at(curve) + 1);
            let (low, high) = (f.integer("low", 0), f.integer("high", self.counts.at(curve) - 3));
            f.while_(low.lt(high), |f| {
                let half = (low + high + 1).to_real() * 0.5;
                let middle = f.integer("middle", half.floor().to_integer());
                let knot = self.numbers.at((first + middle) * PARTS as i64 + KNOT as i64);
                f.if_else(knot.le(x), |f| f.assign(low, middle), |f| f.assign(high, middle - 1));
            });
            let row = f.integer("row", (first + low) * PARTS as i64);
            let beyond = x - self.numbers.at(row + KNOT as i64);
            f.return_(low.to_real() + beyond * self.numbers.at(row + STEEPNESS as i64));
        });
        module.describe(function, "Between which knots of a curve an argument is, and which part of the way.");
        function
    }

    fn cell(&self, module: &mut ModuleBuilder, row: FunctionId) -> FunctionId {
        let parameters = [("curve", Real), ("part", Real), ("piece", Real)];
        let function = module.function("curve_cell", &parameters, &[Real], |f| {
            let [curve, part, piece] = f.parameters();
            let row = f.call1(row, (curve, piece));
            f.return_(self.numbers.at(row * PARTS as i64 + part.to_integer()));
        });
        module.describe(function, "A number of a piece of a curve.");
        function
    }

    fn bounds(&self, module: &mut ModuleBuilder, row: FunctionId) -> FunctionId {
        let parameters = [("curve", Real), ("part", Real), ("first", Real), ("last", Real)];
        let function = module.function("curve_bounds", &parameters, &[Real, Real], |f| {
            let [curve, part, first, last] = f.parameters();
            let first = f.call1(row, (curve, first));
            let last = f.call1(row, (curve, last));
            let (low, high) = (f.real("low", f64::INFINITY), f.real("high", f64::NEG_INFINITY));
            f.for_each("row", first, last + 1, |f, row| {
                let value = f.real("value", self.numbers.at(row * PARTS as i64 + part.to_integer()));
                f.assign(low, low.min(value));
                f.assign(high, high.max(value));
            });
            f.return_((low, high));
        });
        module.describe(function, "The least and the largest number of some pieces of a curve.");
        function
    }
}
