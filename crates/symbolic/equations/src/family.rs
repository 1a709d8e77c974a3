//! Families: what many things do to one another, as one template, a table of what it is about in each row, and sums over all rows.
//!
//! The template is a potential energy, differentiated once. Its sums are symbols of the system: the energy of all rows, and for each argument the
//! slope of that energy.

use base::Span;
use expr::{Arena, Expr, Number, Rows, Substitution, SymbolId};

pub struct Family {
    pub label: String,
    pub span: Span,
    pub rows: Rows,
    /// What rows are about: positions, mostly, and numbers; each once.
    pub arguments: Vec<Expr>,
    pub slots: Vec<Slot>,
    /// The energy of one row, of the slots and of parameters.
    pub value: Expr,
    /// The energy of all rows.
    pub total: SymbolId,
    /// For each argument that moves the slope of the total by it.
    pub slopes: Vec<Option<SymbolId>>,
}

/// What stands in the template for an argument.
pub struct Slot {
    pub symbol: SymbolId,
    /// Whether it is about the first or the second member of a row.
    pub side: usize,
    /// The argument of each member.
    pub column: Vec<u32>,
    /// The slope of the value, if the argument moves.
    pub slope: Option<Expr>,
}

impl Family {
    /// The symbols of all slopes, with their arguments.
    pub fn slope_symbols(&self) -> impl Iterator<Item = (usize, SymbolId)> {
        self.slopes.iter().enumerate().filter_map(|(argument, symbol)| Some((argument, (*symbol)?)))
    }

    /// All symbols that stand for sums.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        self.slope_symbols().map(|(_, symbol)| symbol).chain([self.total])
    }

    /// For each row something of the template, with the arguments of the row in their places.
    fn in_rows(&self, arena: &Arena, arguments: &[Expr], mut read: impl FnMut(&[usize], &mut Substitution)) {
        for sides in self.rows.iter() {
            let place = |slot: &Slot| slot.column[sides[slot.side]] as usize;
            let places: Vec<usize> = self.slots.iter().map(place).collect();
            let pairs = self.slots.iter().zip(&places);
            let mut row = Substitution::new(pairs.map(|(slot, &at)| (arena.symbol(slot.symbol), arguments[at])));
            read(&places, &mut row);
        }
    }

    /// The energy of all rows, written out.
    pub fn unrolled_total(&self, arena: &Arena, arguments: &[Expr]) -> Expr {
        let mut terms = Vec::with_capacity(self.rows.len());
        self.in_rows(arena, arguments, |_, row| terms.push((Number::ONE, row.apply(arena, self.value))));
        arena.sum(terms)
    }

    /// The slope by each argument that moves, written out.
    pub fn unrolled_slopes(&self, arena: &Arena, arguments: &[Expr]) -> Vec<Expr> {
        let mut terms: Vec<Vec<(Number, Expr)>> = vec![Vec::new(); self.arguments.len()];
        self.in_rows(arena, arguments, |places, row| {
            for (slot, &at) in self.slots.iter().zip(places) {
                if let (Some(slope), Some(_)) = (slot.slope, self.slopes[at]) {
                    terms[at].push((Number::ONE, row.apply(arena, slope)));
                }
            }
        });
        self.slope_symbols().map(|(argument, _)| arena.sum(std::mem::take(&mut terms[argument]))).collect()
    }
}
