//! Sums over the rows of a family: one loop over tables, or two nested ones for pairs, with the code of one row inside.

use expr::{Expr, Node, SymbolId};
use kernel::Type::Integer;
use kernel::{ArrayId, Expression, LocalId, Statement};
use program::{FamilySum, Summand};
use rustc_hash::FxHashSet;

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

impl Body<'_, '_, '_> {
    pub fn family_sum(&mut self, sum: &FamilySum, scope: &mut Scope) {
        let count = sum.unknowns.len();
        // Behind the sums is a place for what is added to none of them.
        let array = self.f.module().real_array("sums", count + 1, "sums over the rows of a table");
        self.f.for_each("sum", 0, count, |f, place| f.store(array, place, 0.0));
        let columns = self.columns(sum, scope);
        let value = (sum.of == Summand::Value).then_some(sum.family.value);
        match sum.family.rows {
            expr::Rows::Each(rows) => self.each_row(rows, &columns, value, array, scope),
            expr::Rows::Pairs(members) => self.each_pair(members, &columns, value, array, scope),
        }
        for (place, &unknown) in sum.unknowns.iter().enumerate() {
            scope.bind(unknown, array.at(place));
        }
    }

    fn columns(&mut self, sum: &FamilySum, scope: &mut Scope) -> Vec<Column> {
        let arena = self.lowering.program.arena.clone();
        let leaves: Vec<Option<Leaf>> =
            sum.arguments.iter().map(|&argument| leaf(scope, arena.node(argument), argument)).collect();
        let mut places = vec![sum.unknowns.len(); sum.arguments.len()];
        sum.family.slope_symbols().enumerate().for_each(|(place, (argument, _))| places[argument] = place);
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

    fn each_row(&mut self, rows: usize, columns: &[Column], value: Option<Expr>, array: ArrayId, scope: &mut Scope) {
        let row = self.f.local("row", Integer);
        self.bind_columns(columns.iter(), row, scope);
        let body = self.template_block(columns, value, scope, |body, scope| {
            let added = body.added(columns, value, scope);
            for (value, places) in added {
                let place = body.place(row, places);
                body.add_to(array, place, value);
            }
        });
        self.f.push(Statement::For { variable: row, from: 0.into(), to: rows.into(), body });
    }

    fn each_pair(
        &mut self,
        members: usize,
        columns: &[Column],
        value: Option<Expr>,
        array: ArrayId,
        scope: &mut Scope,
    ) {
        let [first, second] = ["first", "second"].map(|name| self.f.local(name, Integer));
        let of_side = |side: usize| columns.iter().filter(move |column| column.side == side);
        let apart = are_apart(columns);
        let outer = self.template_block(columns, value, scope, |body, scope| {
            for column in of_side(0) {
                let values = body.value_of(column, first);
                let value = body.f.real("of_first", values);
                scope.bind(column.symbol, value.into());
            }
            body.bind_columns(of_side(1), second, scope);
            body.compute_for_first(columns, value, scope);
            // What the first of a pair gets is added up in variables, unless the second may get it too.
            let own: Vec<Option<(LocalId, Expression)>> = columns
                .iter()
                .map(|column| {
                    let (_, places) = column.added.as_ref().filter(|_| apart && column.side == 0)?;
                    let place = body.place(first, Some(places));
                    Some((body.f.real("so_far", array.at(place.clone())), place))
                })
                .collect();
            let inner = body.block(|body| {
                let added = body.added(columns, value, scope);
                let of_columns = columns.iter().zip(&own).filter(|(column, _)| column.added.is_some());
                let owners = of_columns.map(|(column, own)| (column.side, own.as_ref())).chain([(1, None)]);
                for ((value, places), (side, own)) in added.into_iter().zip(owners) {
                    match own {
                        Some((so_far, _)) => body.f.assign(*so_far, *so_far + value),
                        None => {
                            let place = body.place([first, second][side], places);
                            body.add_to(array, place, value);
                        }
                    }
                }
            });
            body.f.push(Statement::For { variable: second, from: first + 1, to: members.into(), body: inner });
            for (so_far, place) in own.into_iter().flatten() {
                body.f.store(array, place, so_far);
            }
        });
        self.f.push(Statement::For { variable: first, from: 0.into(), to: members.into(), body: outer });
    }

    /// What a row adds, with the place of the sum for each member; the value of a row goes to the only one.
    fn added<'c>(
        &mut self,
        columns: &'c [Column],
        value: Option<Expr>,
        scope: &mut Scope,
    ) -> Vec<(Expression, Option<&'c Vec<usize>>)> {
        let added = columns.iter().filter_map(|column| column.added.as_ref());
        let places = added.clone().map(|(_, places)| Some(places)).chain(value.map(|_| None));
        let roots: Vec<Expr> = added.map(|&(slope, _)| slope).chain(value).collect();
        self.emit(&roots, scope).into_iter().zip(places).collect()
    }

    fn place(&mut self, member: LocalId, places: Option<&Vec<usize>>) -> Expression {
        places.map_or_else(|| 0.into(), |places| self.index(member, places))
    }

    fn add_to(&mut self, array: ArrayId, place: Expression, value: Expression) {
        let place = self.f.integer("place", place);
        self.f.store(array, place, array.at(place) + value);
    }

    fn value_of(&mut self, column: &Column, member: LocalId) -> Expression {
        match &column.values {
            Slot::Places(array, places) => array.at(self.index(member, places)),
            Slot::Numbers(numbers) => self.f.module().reals("numbers", numbers, "a number of each row").at(member),
        }
    }

    fn bind_columns<'c>(&mut self, columns: impl Iterator<Item = &'c Column>, member: LocalId, scope: &mut Scope) {
        for column in columns {
            let value = self.value_of(column, member);
            scope.bind(column.symbol, value);
        }
    }

    /// What depends on the first of a pair alone is computed before the loop over the second.
    fn compute_for_first(&mut self, columns: &[Column], value: Option<Expr>, scope: &mut Scope) {
        let arena = self.lowering.program.arena.clone();
        let seconds: FxHashSet<SymbolId> =
            columns.iter().filter(|column| column.side == 1).map(|column| column.symbol).collect();
        let roots: Vec<Expr> = columns.iter().filter_map(|it| it.added.as_ref().map(|it| it.0)).chain(value).collect();
        let mut moving: FxHashSet<Expr> = FxHashSet::default();
        let mut early: Vec<Expr> = Vec::new();
        for node in arena.reachable(&roots) {
            let children = arena.node(node).children();
            let own = arena.as_symbol(node).is_some_and(|symbol| seconds.contains(&symbol));
            if own || children.iter().any(|child| moving.contains(child)) {
                moving.insert(node);
                early.extend(children.into_iter().filter(|child| !moving.contains(child)));
            }
        }
        early.retain(|&node| !matches!(arena.node(node), Node::Symbol(_) | Node::Number(_)));
        early.sort_unstable();
        early.dedup();
        for node in early {
            let value = self.emit(&[node], scope).remove(0);
            let value = self.f.real("early", value);
            scope.insert(node, value.into());
        }
    }

    /// Statements in which the nodes of the template have values that they have nowhere else.
    fn template_block(
        &mut self,
        columns: &[Column],
        value: Option<Expr>,
        scope: &mut Scope,
        write: impl FnOnce(&mut Body<'_, '_, '_>, &mut Scope),
    ) -> Vec<Statement> {
        let arena = self.lowering.program.arena.clone();
        let roots: Vec<Expr> = columns.iter().filter_map(|it| it.added.as_ref().map(|it| it.0)).chain(value).collect();
        let inside: Vec<Expr> =
            arena.reachable(&roots).into_iter().filter(|&node| scope.node(node).is_none()).collect();
        let shortcuts = scope.shortcuts.clone();
        let body = self.block(|body| write(body, scope));
        inside.into_iter().for_each(|node| scope.forget(node));
        scope.shortcuts = shortcuts;
        body
    }
}

/// Whether what the first of a pair gets is never what the second of it gets, nor two slots of the first get the same.
fn are_apart(columns: &[Column]) -> bool {
    let of_side = |side: usize| columns.iter().filter(move |it| it.side == side).filter_map(|it| it.added.as_ref());
    let mut owner: rustc_hash::FxHashMap<usize, usize> = rustc_hash::FxHashMap::default();
    for (_, places) in of_side(0) {
        for (member, &place) in places.iter().enumerate() {
            if owner.insert(place, member).is_some() {
                return false;
            }
        }
    }
    of_side(1).all(|(_, places)| {
        places.iter().enumerate().all(|(member, place)| owner.get(place).is_none_or(|&owner| owner == member))
    })
}
