//! Sums over the rows of a family: one loop over tables, or two nested ones for pairs, with the code of one row inside.
//!
//! What a row adds goes to an array of its own for each slot, so no round of an inner loop needs what another one stored, and compilers can take
//! several rounds at a time. For that reason pairs are met by their distance in the list: first all neighbours, then all next but one.

use expr::{Expr, Node, Rows, SymbolId};
use kernel::Type::Integer;
use kernel::{ArrayId, Expression, LocalId, Statement, Term};
use program::{FamilySum, Summand};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::emit::Scope;
use crate::lower::Body;
use crate::roll::{Leaf, Row, Slot, Target, leaf};

/// What the loops need to know of a slot of the template.
struct Column {
    symbol: SymbolId,
    side: usize,
    values: Slot,
    /// What is added, and the place of the sum for each member.
    added: Option<(Expr, Vec<usize>)>,
}

/// What is computed for each row.
struct Template<'c> {
    columns: &'c [Column],
    /// The energy of a row, if that is what is summed.
    value: Option<Expr>,
}

/// Shorter inner loops are not worth a loop around them.
const FEWEST_INNER: usize = 8;

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
        let mut stored: Option<ArrayId> = None;
        let mut columns = Vec::new();
        for slot in &sum.family.slots {
            let members = || slot.column.iter().map(|&argument| argument as usize);
            let values = Slot::of(members().map(|argument| leaves[argument].as_ref())).unwrap_or_else(|| {
                let array = *stored.get_or_insert_with(|| self.store_arguments(sum, scope));
                Slot::Places(array, members().collect())
            });
            let slope = slot.slope.filter(|_| sum.of == Summand::Slopes);
            let added = slope.map(|slope| (slope, members().map(|argument| places[argument]).collect()));
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

    fn each_row(&mut self, rows: usize, template: &Template<'_>, array: ArrayId, scope: &mut Scope) {
        let tables = template.columns.iter().flat_map(Column::tables);
        let length = evenly_nested(tables, rows);
        let nest = Nest::new(self, rows, length.unwrap_or(rows));
        let apart = length.is_some() && template.places().all(are_different);
        let added = apart.then(|| self.added_arrays(template, rows));
        for column in template.columns {
            let value = match &column.values {
                Slot::Places(array, places) => array.at(nest.index(self, places)),
                Slot::Numbers(numbers) => self.numbers(numbers).at(nest.row()),
            };
            scope.bind(column.symbol, value);
        }
        let total = template.value.map(|_| self.f.real("total", 0.0));
        let body = self.template_block(template, scope, |body, scope| {
            let values = body.emit(&template.roots(), scope);
            if let Some(total) = total {
                body.f.assign(total, total + values[0].clone());
                return;
            }
            for (at, (value, places)) in values.into_iter().zip(template.places()).enumerate() {
                match &added {
                    Some(added) => body.f.store(added[at], nest.row(), value),
                    None => {
                        let place = nest.index(body, places);
                        body.add_to(array, place, value);
                    }
                }
            }
        });
        nest.push(self, body);
        total.into_iter().for_each(|total| self.f.store(array, 0, total));
        for (added, places) in added.into_iter().flatten().zip(template.places()) {
            let nest = Nest::new(self, rows, length.unwrap_or(rows));
            let place = nest.index(self, places);
            let body = self.block(|body| body.f.store(array, place.clone(), array.at(place) + added.at(nest.row())));
            nest.push(self, body);
        }
    }

    fn each_pair(&mut self, members: usize, template: &Template<'_>, array: ArrayId, scope: &mut Scope) {
        let values = self.in_a_row(members, template.columns);
        let early = self.compute_for_members(members, template, &values, scope);
        let added = self.added_arrays(template, members);
        if !added.is_empty() {
            self.f.for_each("member", 0, members, |f, member| {
                added.iter().for_each(|&added| f.store(added, member, 0.0));
            });
        }
        let total = template.value.map(|_| self.f.real("total", 0.0));
        let [distance, first] = ["distance", "first"].map(|name| self.f.local(name, Integer));
        let sides = [first.get(), first + distance];
        for (column, values) in template.columns.iter().zip(&values) {
            scope.unbind(column.symbol);
            scope.bind(column.symbol, values.at(sides[column.side].clone()));
        }
        let inner = self.template_block(template, scope, |body, scope| {
            for &(node, side, array) in &early {
                scope.insert(node, array.at(sides[side].clone()));
            }
            let values = body.emit(&template.roots(), scope);
            if let Some(total) = total {
                body.f.assign(total, total + values[0].clone());
            }
            let sides = template.adding().map(|column| &sides[column.side]);
            for ((value, side), &added) in values.into_iter().zip(sides).zip(&added) {
                body.f.store(added, side.clone(), added.at(side.clone()) + value);
            }
        });
        let to = Expression::from(members) - distance;
        let outer = vec![Statement::For { variable: first, from: 0.into(), to, body: inner }];
        self.f.push(Statement::For { variable: distance, from: 1.into(), to: members.into(), body: outer });
        total.into_iter().for_each(|total| self.f.store(array, 0, total));
        let mut shares: Vec<(&[usize], Vec<ArrayId>)> = Vec::new();
        for (places, added) in template.places().zip(added) {
            match shares.iter_mut().find(|(known, _)| *known == places) {
                Some((_, arrays)) => arrays.push(added),
                None => shares.push((places, vec![added])),
            }
        }
        for (places, arrays) in shares {
            let member = self.f.local("member", Integer);
            let place = self.index(member, places);
            let body = self.block(|body| {
                let sum = arrays.iter().fold(array.at(place.clone()), |sum, added| sum + added.at(member));
                body.f.store(array, place, sum);
            });
            self.f.push(Statement::For { variable: member, from: 0.into(), to: members.into(), body });
        }
    }

    fn added_arrays(&mut self, template: &Template<'_>, length: usize) -> Vec<ArrayId> {
        let note = "what rows add, member by member";
        template.adding().map(|_| self.f.module().real_array("added", length, note)).collect()
    }

    /// The values of each column, one behind the other; those of equal columns once.
    fn in_a_row(&mut self, members: usize, columns: &[Column]) -> Vec<ArrayId> {
        let mut known: Vec<(&Slot, ArrayId)> = Vec::new();
        let (mut arrays, mut copied) = (Vec::new(), Vec::new());
        for column in columns {
            let equal = known.iter().find(|(other, _)| other.is_equal(&column.values));
            let array = equal.map(|&(_, array)| array).unwrap_or_else(|| match &column.values {
                Slot::Numbers(numbers) => self.numbers(numbers),
                Slot::Places(from, places) => {
                    let array =
                        self.f.module().real_array("of_members", members, "what the members of pairs are about");
                    copied.push((array, *from, places));
                    array
                }
            });
            known.push((&column.values, array));
            arrays.push(array);
        }
        let member = self.f.local("member", Integer);
        let body = self.block(|body| {
            for (array, from, places) in copied {
                let place = body.index(member, places);
                body.f.store(array, member, from.at(place));
            }
        });
        self.f.push(Statement::For { variable: member, from: 0.into(), to: members.into(), body });
        arrays
    }

    fn numbers(&mut self, numbers: &[f64]) -> ArrayId {
        self.f.module().reals("numbers", numbers, "a number of each row")
    }

    fn add_to(&mut self, array: ArrayId, place: Expression, value: Expression) {
        let place = self.f.integer("place", place);
        self.f.store(array, place, array.at(place) + value);
    }

    /// What depends on one member of a pair alone is computed once for each of them, what depends on none of them once.
    fn compute_for_members(
        &mut self,
        members: usize,
        template: &Template<'_>,
        values: &[ArrayId],
        scope: &mut Scope,
    ) -> Vec<(Expr, usize, ArrayId)> {
        let early = self.of_one_member(template);
        let alone: Vec<Expr> = early.iter().filter(|(_, sides)| *sides == 0).map(|&(node, _)| node).collect();
        for (&node, value) in alone.iter().zip(self.emit(&alone, scope)) {
            let value = self.f.real("early", value);
            scope.insert(node, value.into());
        }
        let mut arrays = Vec::new();
        for side in 0..2 {
            let nodes: Vec<Expr> = early.iter().filter(|(_, sides)| *sides == 1 << side).map(|it| it.0).collect();
            if nodes.is_empty() {
                continue;
            }
            let member = self.f.local("member", Integer);
            for (column, values) in template.columns.iter().zip(values).filter(|(column, _)| column.side == side) {
                scope.unbind(column.symbol);
                scope.bind(column.symbol, values.at(member));
            }
            let note = "what depends on one member of a pair";
            let places: Vec<ArrayId> =
                nodes.iter().map(|_| self.f.module().real_array("early", members, note)).collect();
            let body = self.template_block(template, scope, |body, scope| {
                for (value, &array) in body.emit(&nodes, scope).into_iter().zip(&places) {
                    body.f.store(array, member, value);
                }
            });
            self.f.push(Statement::For { variable: member, from: 0.into(), to: members.into(), body });
            arrays.extend(nodes.into_iter().zip(places).map(|(node, array)| (node, side, array)));
        }
        arrays
    }

    /// The largest parts of a template that do not depend on both members of a pair, with a bit for each member that they depend on.
    fn of_one_member(&self, template: &Template<'_>) -> Vec<(Expr, u8)> {
        let arena = &self.lowering.program.arena;
        let side_of: FxHashMap<SymbolId, u8> =
            template.columns.iter().map(|column| (column.symbol, 1 << column.side)).collect();
        let mut sides: FxHashMap<Expr, u8> = FxHashMap::default();
        let mut early: Vec<(Expr, u8)> = Vec::new();
        let roots = template.roots();
        for node in arena.reachable(&roots) {
            let children = arena.node(node).children();
            let own = arena.as_symbol(node).and_then(|symbol| side_of.get(&symbol).copied()).unwrap_or(0);
            let all = children.iter().fold(own, |all, child| all | sides[child]);
            sides.insert(node, all);
            early.extend(children.into_iter().map(|child| (child, sides[&child])).filter(|&(_, of)| of != all));
        }
        early.extend(roots.iter().map(|&root| (root, sides[&root])));
        early.retain(|&(node, of)| of != 3 && !matches!(arena.node(node), Node::Symbol(_) | Node::Number(_)));
        early.sort_unstable();
        early.dedup();
        early
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
        values.into_iter().chain(self.added.iter().map(|(_, places)| &places[..]))
    }
}

impl Template<'_> {
    fn adding(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.added.is_some())
    }

    fn places(&self) -> impl Iterator<Item = &[usize]> {
        self.columns.iter().filter_map(|column| column.added.as_ref()).map(|(_, places)| &places[..])
    }

    fn roots(&self) -> Vec<Expr> {
        let slopes = self.columns.iter().filter_map(|column| column.added.as_ref()).map(|&(slope, _)| slope);
        slopes.chain(self.value).collect()
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

    fn push(self, body: &mut Body<'_, '_, '_>, rounds: Vec<Statement>) {
        let inner = Statement::For { variable: self.inner, from: 0.into(), to: self.length.into(), body: rounds };
        body.f.push(match self.outer {
            None => inner,
            Some(variable) => {
                let parts = self.rows / self.length;
                Statement::For { variable, from: 0.into(), to: parts.into(), body: vec![inner] }
            }
        });
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

fn are_different(places: &[usize]) -> bool {
    let mut seen = FxHashSet::default();
    places.iter().all(|&place| seen.insert(place))
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
