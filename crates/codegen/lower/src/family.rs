//! Sums over the rows of a family: one loop over tables, or two nested ones for pairs, with the code of one row inside.
//!
//! What a row adds goes to an array of its own for each slot, so no round of an inner loop needs what another one stored, and compilers can take
//! several rounds at a time.

mod pairs;
mod rows;

use expr::{Expr, Node, Number, Rows, SymbolId};
use kernel::{ArrayId, Expression, Statement};
use program::{FamilySum, Summand};

use crate::emit::Scope;
use crate::lower::Body;
use crate::roll::{Leaf, Row, Slot, Target, leaf};

/// What the loops need to know of a slot of the template.
struct Column {
    symbol: SymbolId,
    side: usize,
    values: Slot,
    added: Option<Added>,
}

/// What rows add to sums, or take away from them.
struct Added {
    slope: Expr,
    is_taken_away: bool,
    /// The place of the sum for each member.
    places: Vec<usize>,
}

/// What is computed for each row.
struct Template<'c> {
    columns: &'c [Column],
    /// The energy of a row, if that is what is summed.
    value: Option<Expr>,
}

impl Body<'_, '_, '_> {
    pub fn family_sum(&mut self, sum: &FamilySum, scope: &mut Scope) {
        let count = sum.unknowns.len();
        let arena = self.lowering.program.arena.clone();
        let leaves: Vec<Option<Leaf>> =
            sum.arguments.iter().map(|&argument| leaf(scope, arena.node(argument), argument)).collect();
        let places = places_of_sums(sum, &leaves);
        // Behind the sums is a place for what is added to none of them.
        let array = self.f.module().real_array("sums", count + 1, "sums over the rows of a table");
        self.f.for_each("sum", 0, count, |f, place| f.store(array, place, 0.0));
        let columns = self.columns(sum, &leaves, &places, scope);
        let value = (sum.of == Summand::Value).then_some(sum.family.value);
        let template = Template { columns: &columns, value };
        match sum.family.rows {
            Rows::Each(rows) => self.each_row(rows, &template, array, scope),
            Rows::Pairs(members) => self.each_pair(members, &template, array, scope),
        }
        match sum.of {
            Summand::Value => scope.bind(sum.unknowns[0], array.at(0)),
            Summand::Slopes => sum
                .family
                .slope_symbols()
                .zip(&sum.unknowns)
                .for_each(|((argument, _), &unknown)| scope.bind(unknown, array.at(places[argument]))),
        }
    }

    fn columns(
        &mut self,
        sum: &FamilySum,
        leaves: &[Option<Leaf>],
        places: &[usize],
        scope: &mut Scope,
    ) -> Vec<Column> {
        let arena = self.lowering.program.arena.clone();
        let mut stored: Option<ArrayId> = None;
        let mut columns = Vec::new();
        for slot in &sum.family.slots {
            let members = || slot.column.iter().map(|&argument| argument as usize);
            let values = Slot::of(members().map(|argument| leaves[argument].as_ref())).unwrap_or_else(|| {
                let array = *stored.get_or_insert_with(|| self.store_arguments(sum, scope));
                Slot::Places(array, members().collect())
            });
            let slope = slot.slope.filter(|_| sum.of == Summand::Slopes);
            let added = slope.map(|slope| {
                // What one member of a row gains the other often loses: then both are one expression.
                let (slope, is_taken_away) = match arena.node(slope) {
                    Node::Sum(terms, constant) => match terms[..] {
                        [(sign, term)] if sign == Number::MINUS_ONE && constant.is_zero() => (term, true),
                        _ => (slope, false),
                    },
                    _ => (slope, false),
                };
                Added { slope, is_taken_away, places: members().map(|argument| places[argument]).collect() }
            });
            columns.push(Column { symbol: slot.symbol, side: slot.side, values, added });
        }
        columns
    }

    fn store_arguments(&mut self, sum: &FamilySum, scope: &mut Scope) -> ArrayId {
        let array = self.f.module().real_array("arguments", sum.arguments.len(), "what the rows of a table are about");
        let rows: Vec<Row> = sum.arguments.iter().copied().enumerate().collect();
        self.store_rows(&Target { array, offset: 0.into() }, &rows, scope);
        array
    }

    fn added_arrays(&mut self, count: usize, length: usize) -> Vec<ArrayId> {
        (0..count).map(|_| self.f.module().real_array("added", length, "what rows add")).collect()
    }

    fn numbers(&mut self, numbers: &[f64]) -> ArrayId {
        self.f.module().reals("numbers", numbers, "a number of each row")
    }

    /// Statements in which the nodes of the template have values that they have nowhere else.
    fn template_block(
        &mut self,
        template: &Template<'_>,
        scope: &mut Scope,
        write: impl FnOnce(&mut Body<'_, '_, '_>, &mut Scope),
    ) -> Vec<Statement> {
        let arena = self.lowering.program.arena.clone();
        let reachable = arena.reachable(&template.roots()).into_iter();
        let inside: Vec<Expr> = reachable.filter(|&node| scope.node(node).is_none()).collect();
        let shortcuts = scope.shortcuts.clone();
        let body = self.block(|body| write(body, scope));
        inside.into_iter().for_each(|node| scope.forget(node));
        scope.shortcuts = shortcuts;
        body
    }
}

impl Column {
    /// Wherever the rows of this column look something up.
    fn tables(&self) -> impl Iterator<Item = &[usize]> {
        let values = match &self.values {
            Slot::Places(_, places) => Some(&places[..]),
            Slot::Numbers(_) => None,
        };
        values.into_iter().chain(self.added.iter().map(|added| &added.places[..]))
    }
}

impl Added {
    fn to(&self, sum: Expression, value: Expression) -> Expression {
        if self.is_taken_away { sum - value } else { sum + value }
    }
}

impl Template<'_> {
    fn adding(&self) -> impl Iterator<Item = (&Column, &Added)> {
        self.columns.iter().filter_map(|column| Some((column, column.added.as_ref()?)))
    }

    /// Each slope once.
    fn slopes(&self) -> Vec<Expr> {
        let mut slopes: Vec<Expr> = Vec::new();
        for (_, added) in self.adding() {
            if !slopes.contains(&added.slope) {
                slopes.push(added.slope);
            }
        }
        slopes
    }

    fn place_of(&self, added: &Added) -> usize {
        self.slopes().iter().position(|&slope| slope == added.slope).expect("a slope of this template")
    }

    fn roots(&self) -> Vec<Expr> {
        self.slopes().into_iter().chain(self.value).collect()
    }
}

/// Where the sum of each argument is: those by one component of many bodies stand one behind the other, as the bodies do in the state, and behind
/// all of them is a place for arguments without a sum.
fn places_of_sums(sum: &FamilySum, leaves: &[Option<Leaf>]) -> Vec<usize> {
    let mut places = vec![sum.unknowns.len(); sum.arguments.len()];
    if sum.of == Summand::Value {
        return places;
    }
    let mut kinds: Vec<Option<usize>> = vec![None; sum.arguments.len()];
    for (at, slot) in sum.family.slots.iter().enumerate() {
        let kind = slot.column.iter().find_map(|&argument| kinds[argument as usize]).unwrap_or(at);
        for &argument in &slot.column {
            kinds[argument as usize].get_or_insert(kind);
        }
    }
    let mut order: Vec<usize> = sum.family.slope_symbols().map(|(argument, _)| argument).collect();
    order.sort_by_key(|&argument| {
        let place = match leaves[argument] {
            Some(Leaf::Element(_, place)) => place,
            _ => usize::MAX,
        };
        (kinds[argument], place, argument)
    });
    order.into_iter().enumerate().for_each(|(place, argument)| places[argument] = place);
    places
}
