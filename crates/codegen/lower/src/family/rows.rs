//! Sums over rows that have a member each: one loop, or two where rows come in parts that are evenly spaced.

use kernel::Type::Integer;
use kernel::{ArrayId, Expression, LocalId, Statement, Term};

use super::{Column, Template};
use crate::emit::Scope;
use crate::lower::Body;
use crate::roll::Slot;

/// Shorter inner loops are not worth a loop around them.
const FEWEST_INNER: usize = 8;

impl Body<'_, '_, '_> {
    pub(super) fn each_row(&mut self, rows: usize, template: &Template<'_>, array: ArrayId, scope: &mut Scope) {
        let tables = template.columns.iter().flat_map(Column::tables);
        let length = evenly_nested(tables, rows);
        let nest = Nest::new(self, rows, length.unwrap_or(rows));
        // What the rows of a part add is kept until all of them are computed, which then needs nothing that another row stored.
        let apart = length.is_some() && template.adding().all(|(_, added)| added.places[0] != added.places[1]);
        let kept = apart.then(|| self.added_arrays(template.slopes().len(), nest.length));
        for column in template.columns {
            let value = match &column.values {
                Slot::Places(array, places) => array.at(nest.index(self, places)),
                Slot::Numbers(numbers) => self.numbers(numbers).at(nest.row()),
            };
            scope.bind(column.symbol, value);
        }
        let total = template.value.map(|_| self.f.real("total", 0.0));
        let mut rounds = vec![self.template_block(template, scope, |body, scope| {
            let mut values = body.emit(&template.roots(), scope);
            if let Some(total) = total {
                body.f.assign(total, total + values.remove(0));
                return;
            }
            match &kept {
                Some(kept) => {
                    kept.iter().zip(values).for_each(|(&kept, value)| body.f.store(kept, nest.inner, value));
                }
                None => {
                    for (_, added) in template.adding() {
                        let place = nest.index(body, &added.places);
                        let place = body.f.integer("place", place);
                        let value = values[template.place_of(added)].clone();
                        body.f.store(array, place, added.to(array.at(place), value));
                    }
                }
            }
        })];
        if let Some(kept) = kept {
            for (_, added) in template.adding() {
                let place = nest.index(self, &added.places);
                let sum = added.to(array.at(place.clone()), kept[template.place_of(added)].at(nest.inner));
                rounds.push(self.block(|body| body.f.store(array, place, sum)));
            }
        }
        nest.push(self, rounds);
        total.into_iter().for_each(|total| self.f.store(array, 0, total));
    }
}

/// One loop over rows, or two where rows come in parts of equal length.
struct Nest {
    outer: Option<LocalId>,
    inner: LocalId,
    rows: usize,
    /// Of a part.
    length: usize,
}

impl Nest {
    fn new(body: &mut Body<'_, '_, '_>, rows: usize, length: usize) -> Nest {
        let outer = (length < rows).then(|| body.f.local("part", Integer));
        Nest { outer, inner: body.f.local("row", Integer), rows, length }
    }

    fn row(&self) -> Expression {
        self.outer.map_or(self.inner.get(), |outer| outer * self.length + self.inner)
    }

    fn index(&self, body: &mut Body<'_, '_, '_>, places: &[usize]) -> Expression {
        let Some(outer) = self.outer else { return body.index(self.inner, places) };
        let step = |from: usize, to: usize| places[to] as i64 - places[from] as i64;
        let (across, along) = (step(0, self.length), step(0, 1));
        outer * across + self.inner * along + places[0]
    }

    /// Loops over the rows of a part, one after the other, for each part.
    fn push(self, body: &mut Body<'_, '_, '_>, loops: Vec<Vec<Statement>>) {
        let over_rows = |body| Statement::For { variable: self.inner, from: 0.into(), to: self.length.into(), body };
        let loops: Vec<Statement> = loops.into_iter().map(over_rows).collect();
        match self.outer {
            None => loops.into_iter().for_each(|statement| body.f.push(statement)),
            Some(variable) => {
                let parts = self.rows / self.length;
                body.f.push(Statement::For { variable, from: 0.into(), to: parts.into(), body: loops });
            }
        }
    }
}

/// The length of parts within which all tables are evenly spaced, and from one to the next too; none if there is none.
fn evenly_nested<'c>(tables: impl Iterator<Item = &'c [usize]>, rows: usize) -> Option<usize> {
    let tables: Vec<&[usize]> = tables.collect();
    let step = |table: &[usize], at: usize| table[at + 1] as i64 - table[at] as i64;
    let even = |table: &[usize]| (1..rows - 1).find(|&at| step(table, at) != step(table, 0)).map_or(rows, |at| at + 1);
    let length = tables.iter().map(|table| even(table)).min().unwrap_or(rows);
    let is_nested = |table: &&[usize]| {
        let part = |at: usize| table[at] as i64 - table[at % length] as i64;
        let across = if length < rows { part(length) } else { 0 };
        (0..rows).all(|at| part(at) == across * (at / length) as i64)
            && (0..length - 1).all(|at| step(table, at) == step(table, 0))
    };
    let fits = length == rows || length >= FEWEST_INNER && rows.is_multiple_of(length);
    (fits && tables.iter().all(is_nested)).then_some(length)
}
