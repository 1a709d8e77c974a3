//! Loops: unrolled, each round with what it binds.

use std::collections::VecDeque;

use base::{Diagnostic, Span};
use syntax::{Binding, Domain, Item, ItemKind, Quantifier, Use};

use super::space::Scope;
use super::{Outcome, Resolver, Value};
use crate::codes;

/// A statement with what the loops around it bind.
pub(super) struct Statement<'t> {
    pub item: &'t Item,
    pub scope: Scope,
}

impl Statement<'_> {
    /// Whether it says where something is.
    pub fn places(&self) -> bool {
        matches!(self.item.kind, ItemKind::Frame(_) | ItemKind::Body(_))
    }
}

/// More statements than this are refused: nobody means it, and the machine would not stand it.
pub const MOST_STATEMENTS: usize = 500_000;

/// Statements with loops unrolled and things made, and what has to wait until all things are there.
#[derive(Default)]
pub(super) struct Unrolled<'t> {
    pub statements: Vec<Statement<'t>>,
    /// Loops over lists, and connections for each of a list.
    pub lists: VecDeque<(&'t Item, Scope)>,
    /// Of all loops together: they take time and memory even where nothing is in them.
    pub rounds: usize,
    /// Whether it was said that they are too many.
    told: bool,
    given_up: bool,
}

impl<'t> Unrolled<'t> {
    pub fn push(&mut self, item: &'t Item, scope: Scope) {
        self.statements.push(Statement { item, scope });
    }

    /// Nothing more is unrolled: what is wrong has been said, and would be found again and again.
    pub fn give_up(&mut self) {
        (self.told, self.given_up) = (true, true);
    }

    pub fn is_full(&self) -> bool {
        self.given_up || self.statements.len().max(self.rounds) > MOST_STATEMENTS
    }
}

impl<'t> Resolver<'t, '_> {
    pub(super) fn unroll(&mut self, items: &'t [Item], scope: &Scope, out: &mut Unrolled<'t>) {
        for item in items {
            match &item.kind {
                ItemKind::For(repeated) if matches!(repeated.quantifier.domain, Domain::List(_)) => {
                    out.lists.push_back((item, scope.clone()));
                }
                ItemKind::Connections(_) => out.lists.push_back((item, scope.clone())),
                // Every error has been reported where it arose.
                ItemKind::Thing(thing) if !item.broken => {
                    let _ = self.make_thing(thing, item, scope, out);
                }
                ItemKind::Join(join) if !item.broken => {
                    let _ = self.make_joint(join, item, scope, out);
                }
                ItemKind::Use(Use::File(used)) if !item.broken => {
                    let _ = self.make_used(used, item, scope, out);
                }
                ItemKind::For(repeated) => {
                    for scope in self.repetitions(&repeated.quantifier, scope).unwrap_or_default() {
                        out.rounds += 1;
                        self.unroll(&repeated.items, &scope, out);
                        if out.is_full() {
                            break;
                        }
                    }
                }
                _ => out.push(item, scope.clone()),
            }
            if out.is_full() {
                // The innermost loop is the one to name.
                if !std::mem::replace(&mut out.told, true) {
                    self.too_many(item.span);
                }
                return;
            }
        }
    }

    pub(super) fn too_many(&mut self, span: Span) {
        let message = format!("the loops of this scene make more than {MOST_STATEMENTS} statements or rounds");
        self.report(Diagnostic::error(codes::TOO_LARGE, message).at(span, "this loop").hint("make its range shorter"));
    }

    /// The scope of each round of a loop.
    pub(super) fn repetitions(&mut self, quantifier: &Quantifier, scope: &Scope) -> Outcome<Vec<Scope>> {
        let members: Vec<Value> = match &quantifier.domain {
            Domain::Range { first, last } => {
                let (first, last) = (self.whole_number(first, scope), self.whole_number(last, scope));
                let (first, last) = (first?, last?);
                if last.saturating_sub(first) > MOST_STATEMENTS as i64 {
                    self.too_many(quantifier.span);
                    return Err(super::Reported);
                }
                (first..=last).map(|i| Value::Term(self.plain_number(i as f64, quantifier.span))).collect()
            }
            Domain::List(list) => self.members(list, scope)?,
        };
        let rounds = match quantifier.binding {
            Binding::Each(_) => members.len(),
            Binding::Pairs(..) => members.len() * members.len().saturating_sub(1) / 2,
        };
        if rounds > MOST_STATEMENTS {
            self.too_many(quantifier.span);
            return Err(super::Reported);
        }
        Ok(match &quantifier.binding {
            Binding::Each(name) => members.into_iter().map(|member| scope.with(&name.text, member)).collect(),
            Binding::Pairs(first, second) => {
                let pair = |i: usize, j: usize| {
                    scope.with(&first.text, members[i].clone()).with(&second.text, members[j].clone())
                };
                let n = members.len();
                (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).map(|(i, j)| pair(i, j)).collect()
            }
        })
    }
}
