//! Potentials in loops: what is the same in each round is read once, and what differs becomes the columns of a table.
//!
//! Only what certainly reads the same in every round becomes a family; all else is unrolled, round by round.

use base::Dimension;
use expr::Rows;
use syntax::{BinaryOperator, Binding, Domain, Expr, ExprKind, ItemKind, UnaryOperator, print_expression};

use super::repeat::Statement;
use super::space::Scope;
use super::{Outcome, Resolver, Sense, Value};
use crate::model::{Family, Slot};
use crate::term::{Shape, TermId, TermKind, Type};

/// Shorter loops are unrolled: straight code is faster, and every pass sees all of it.
const FEWEST_ROWS: usize = 40;
/// Nobody means more pairs than this.
const MOST_ROWS: usize = 100_000_000;
/// Functions that take numbers or vectors and are smooth.
const SMOOTH: &[&str] = &["sqrt", "exp", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "dot", "cross", "norm"];

/// Parts of an expression, by where they are, and the terms that stand for them.
#[derive(Default)]
pub(super) struct StandIns(Vec<(*const Expr, TermId)>);

impl StandIns {
    pub fn get(&self, part: &Expr) -> Option<TermId> {
        self.0.iter().find(|(known, _)| std::ptr::eq(*known, part)).map(|&(_, term)| term)
    }
}

/// A part that may differ from row to row.
struct Leaf<'e> {
    text: String,
    parts: Vec<&'e Expr>,
    side: usize,
    /// Whether it names something that the loops bind.
    varies: bool,
}

/// The rounds of a loop: the names that it binds, and what they are for each member.
struct Rounds {
    /// For each side of a row the names that are its own.
    names: [Vec<String>; 2],
    /// For each side and each member.
    scopes: [Vec<Scope>; 2],
    rows: Rows,
}

impl<'t> Resolver<'t, '_> {
    /// Elaborates statements; those that a loop repeats as one family, where they are potentials and alike.
    pub(super) fn elaborate_families(&mut self, statements: &[&Statement<'t>]) {
        let mut rest = statements;
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|other| std::ptr::eq(other.item, first.item)).count();
            let (same, others) = rest.split_at(count);
            if !self.is_family(same) {
                same.iter().for_each(|statement| self.elaborate(statement));
            }
            rest = others;
        }
    }

    /// Whether rounds of one statement were made a family.
    fn is_family(&mut self, rounds: &[&Statement<'t>]) -> bool {
        let item = rounds[0].item;
        let ItemKind::Potential(potential) = &item.kind else { return false };
        let space = rounds[0].scope.space;
        let plain = item.condition.is_none() && !item.broken && rounds.iter().all(|it| it.scope.space == space);
        if !plain || self.law_in_force(space, item.span).is_some() {
            return false;
        }
        let found = match (&potential.repeated, rounds) {
            (Some(quantifier), [round]) => match (&quantifier.binding, &quantifier.domain) {
                (Binding::Pairs(first, second), Domain::List(list)) => {
                    self.pairs([&first.text, &second.text], list, &round.scope)
                }
                (Binding::Each(_), _) => self.repetitions(quantifier, &round.scope).ok().map(rounds_of),
                _ => None,
            },
            (Some(_), _) => None,
            (None, rounds) => {
                (potential.label.is_none()).then(|| rounds_of(rounds.iter().map(|it| it.scope.clone()).collect()))
            }
        };
        let Some(found) = found.filter(|found| (FEWEST_ROWS..=MOST_ROWS).contains(&found.rows.len())) else {
            return false;
        };
        let label = match &potential.label {
            Some(name) => self.full_name(name, &rounds[0].scope),
            None => Ok("potential".to_string()),
        };
        match label.and_then(|label| Ok((label, self.written_once(&potential.value, &found)?))) {
            Ok((_, None)) => false,
            Ok((label, Some((value, slots)))) => {
                self.model.families.push(Family { label, value, slots, rows: found.rows, span: item.span });
                true
            }
            // What is wrong has been said once, which is enough.
            Err(_) => true,
        }
    }

    fn pairs(&mut self, names: [&str; 2], list: &Expr, scope: &Scope) -> Option<Rounds> {
        let members = self.members(list, scope).ok()?;
        let scopes = names.map(|name| members.iter().map(|member| scope.with(name, member.clone())).collect());
        Some(Rounds { names: names.map(|name| vec![name.to_string()]), scopes, rows: Rows::Pairs(members.len()) })
    }

    /// The value of one row with stand-ins for what differs, and what they stand for in each; none if it may not read the same in each.
    fn written_once(&mut self, value: &Expr, rounds: &Rounds) -> Outcome<Option<(TermId, Vec<Slot>)>> {
        let mut leaves = Vec::new();
        if find_leaves(value, &rounds.names, &mut leaves).is_none() {
            return Ok(None);
        }
        let (mut slots, mut stand_ins) = (Vec::new(), Vec::new());
        for leaf in &leaves {
            let Some(column) = self.column(leaf, rounds)? else { return Ok(None) };
            let bound = self.model.terms.new_bound(&leaf.text);
            let stand_in = self.push(TermKind::Bound(bound), self.type_of(column[0]), leaf.parts[0].span);
            stand_ins.extend(leaf.parts.iter().map(|&part| (part as *const Expr, stand_in)));
            slots.push(Slot { bound, side: leaf.side, column });
        }
        self.stand_ins = StandIns(stand_ins);
        let scope = rounds.scopes[0][0].clone();
        let term = self.expect(value, &scope, Type::scalar(Dimension::ENERGY), "a potential energy");
        self.stand_ins = StandIns::default();
        Ok(Some((term?, slots)))
    }

    /// What a part is for each member; none if it is no number or vector, or not of one type.
    fn column(&mut self, leaf: &Leaf<'_>, rounds: &Rounds) -> Outcome<Option<Vec<TermId>>> {
        let scopes = &rounds.scopes[leaf.side];
        let mut column: Vec<TermId> = Vec::with_capacity(scopes.len());
        for scope in scopes {
            let Value::Term(term) = self.value_as(leaf.parts[0], scope, Sense::Quantity)? else { return Ok(None) };
            let type_ = self.type_of(term);
            let is_first = column.first().is_none_or(|&first| self.type_of(first) == type_);
            if !is_first || !matches!(type_.shape, Shape::Scalar | Shape::Vector) {
                return Ok(None);
            }
            column.push(term);
            if !leaf.varies {
                column.resize(scopes.len(), term);
                break;
            }
        }
        Ok(Some(column))
    }
}

/// Rounds that have their members to themselves.
fn rounds_of(scopes: Vec<Scope>) -> Rounds {
    let names: Vec<String> = scopes.first().map_or(Vec::new(), |scope| scope.names().map(String::from).collect());
    let rows = Rows::Each(scopes.len());
    Rounds { names: [names, Vec::new()], scopes: [scopes, Vec::new()], rows }
}

/// The parts of an expression that may differ from row to row; none if something else than these may.
fn find_leaves<'e>(expr: &'e Expr, names: &[Vec<String>; 2], leaves: &mut Vec<Leaf<'e>>) -> Option<()> {
    let sides = mentioned(expr, names);
    match &expr.kind {
        ExprKind::Name(_) if sides == [false; 2] => Some(()),
        ExprKind::Name(_) | ExprKind::Index { .. } | ExprKind::Field { .. } => add_leaf(expr, sides, leaves),
        ExprKind::Number { .. } => Some(()),
        ExprKind::Quantity { value, .. } => find_leaves(value, names, leaves),
        ExprKind::Unary { operator: UnaryOperator::Negate, operand } => find_leaves(operand, names, leaves),
        ExprKind::Norm(inner) => find_leaves(inner, names, leaves),
        ExprKind::Tuple(items) => items.iter().try_for_each(|item| find_leaves(item, names, leaves)),
        ExprKind::Binary { operator: BinaryOperator::Power, left, right } => {
            (mentioned(right, names) == [false; 2]).then(|| find_leaves(left, names, leaves))?
        }
        ExprKind::Binary { operator, left, right } => {
            use BinaryOperator::{Add, Cross, Divide, Dot, Multiply, Subtract};
            matches!(operator, Add | Subtract | Multiply | Divide | Dot | Cross).then_some(())?;
            find_leaves(left, names, leaves)?;
            find_leaves(right, names, leaves)
        }
        ExprKind::Call { function, arguments } => {
            let ExprKind::Name(name) = &function.kind else { return None };
            SMOOTH.contains(&name.as_str()).then_some(())?;
            arguments.iter().try_for_each(|argument| find_leaves(&argument.value, names, leaves))
        }
        _ => None,
    }
}

fn add_leaf<'e>(expr: &'e Expr, sides: [bool; 2], leaves: &mut Vec<Leaf<'e>>) -> Option<()> {
    if sides == [true; 2] {
        return None;
    }
    let text = print_expression(expr);
    match leaves.iter_mut().find(|leaf| leaf.text == text) {
        Some(known) => known.parts.push(expr),
        None => {
            let side = usize::from(sides[1]);
            leaves.push(Leaf { text, parts: vec![expr], side, varies: sides != [false; 2] });
        }
    }
    Some(())
}

/// Which of the names of each side an expression speaks of.
fn mentioned(expr: &Expr, names: &[Vec<String>; 2]) -> [bool; 2] {
    let mut found = [false; 2];
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        if let ExprKind::Name(name) = &expr.kind {
            (0..2).for_each(|side| found[side] |= names[side].contains(name));
        }
        if let ExprKind::Call { function, arguments } = &expr.kind {
            open.push(function);
            open.extend(arguments.iter().map(|argument| &argument.value));
        }
        open.extend(expr.children());
    }
    found
}
