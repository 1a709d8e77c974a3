//! Sums over all pairs of members: two nested loops.
//!
//! Pairs are met by their distance in the list, first all neighbours, then all next but one: so no round of an inner loop needs what another one
//! stored, and compilers can take several rounds at a time.

use expr::{Expr, Node, SymbolId};
use kernel::Type::Integer;
use kernel::{ArrayId, Expression, LocalId, Statement, Term};
use rustc_hash::FxHashMap;

use super::{Added, Column, Template};
use crate::emit::Scope;
use crate::lower::Body;
use crate::roll::Slot;

/// What loops over pairs need to know.
struct Pairs<'t> {
    template: &'t Template<'t>,
    /// Of each column.
    values: Vec<ArrayId>,
    /// What depends on one side, and where it is.
    early: Vec<(Expr, usize, ArrayId)>,
    /// What each column that adds to sums adds.
    added: Vec<ArrayId>,
    total: Option<LocalId>,
}

impl Pairs<'_> {
    fn adding(&self) -> impl Iterator<Item = (&Column, &Added, ArrayId)> {
        self.template.adding().zip(&self.added).map(|((column, adding), &added)| (column, adding, added))
    }
}

impl Body<'_, '_, '_> {
    pub(super) fn each_pair(&mut self, members: usize, template: &Template<'_>, array: ArrayId, scope: &mut Scope) {
        let values = self.in_a_row(members, template.columns);
        let early = self.compute_for_members(members, template, &values, scope);
        let added = self.added_arrays(template.adding().count(), members);
        if !added.is_empty() {
            self.f.for_each("place", 0, members, |f, place| {
                added.iter().for_each(|&added| f.store(added, place, 0.0));
            });
        }
        let total = template.value.map(|_| self.f.real("total", 0.0));
        let pairs = Pairs { template, values, early, added, total };
        let [distance, first] = ["distance", "first"].map(|name| self.f.local(name, Integer));
        let body = self.pair_at(&pairs, [first.get(), first + distance], scope);
        let to = Expression::from(members) - distance;
        let inner = vec![Statement::For { variable: first, from: 0.into(), to, body }];
        self.f.push(Statement::For { variable: distance, from: 1.into(), to: members.into(), body: inner });
        total.into_iter().for_each(|total| self.f.store(array, 0, total));
        self.share_out(&pairs, members, array);
    }

    /// What is done for a pair whose members are at these places.
    fn pair_at(&mut self, pairs: &Pairs<'_>, sides: [Expression; 2], scope: &mut Scope) -> Vec<Statement> {
        let &Pairs { template, ref values, ref early, ref added, total } = pairs;
        for (column, values) in template.columns.iter().zip(values) {
            scope.unbind(column.symbol);
            scope.bind(column.symbol, values.at(sides[column.side].clone()));
        }
        self.template_block(template, scope, |body, scope| {
            for &(node, side, array) in early {
                scope.insert(node, array.at(sides[side].clone()));
            }
            let values = body.emit(&template.roots(), scope);
            if let Some(total) = total {
                body.f.assign(total, total + values[0].clone());
            }
            for ((column, adding), &added) in template.adding().zip(added) {
                let (side, value) = (&sides[column.side], values[template.place_of(adding)].clone());
                body.f.store(added, side.clone(), adding.to(added.at(side.clone()), value));
            }
        })
    }

    /// Adds to the sums what was added for each member.
    fn share_out(&mut self, pairs: &Pairs<'_>, members: usize, array: ArrayId) {
        let mut shares: Vec<(&[usize], Vec<ArrayId>)> = Vec::new();
        for (_, adding, added) in pairs.adding() {
            match shares.iter_mut().find(|(known, _)| *known == adding.places) {
                Some((_, arrays)) => arrays.push(added),
                None => shares.push((&adding.places, vec![added])),
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

    /// The values of each column, one behind the other; those of equal columns once.
    fn in_a_row(&mut self, members: usize, columns: &[Column]) -> Vec<ArrayId> {
        let mut known: Vec<(&Slot, ArrayId)> = Vec::new();
        let (mut arrays, mut copied) = (Vec::new(), Vec::new());
        for column in columns {
            let equal = known.iter().find(|(other, _)| other.is_equal(&column.values));
            let array = equal.map(|&(_, array)| array).unwrap_or_else(|| match &column.values {
                Slot::Numbers(numbers) => self.numbers(numbers),
                Slot::Places(from, places) => {
                    let note = "what the members of pairs are about";
                    let array = self.f.module().real_array("of_members", members, note);
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
}
