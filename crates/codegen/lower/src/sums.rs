//! Long sums in loops: what a thousand bodies do to one of them needs the code of one, and tables of what it is about in each term.
//!
//! Terms of equal shape are added up in one loop for all sums, each of which has its part of the tables.

use expr::{Arena, Expr, Node, Number};
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Statement};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::emit::Scope;
use crate::lower::Body;
use crate::roll::{FEWEST, LARGEST, Row, Shapes, Slots, Target, class};

/// Expressions with fewer nodes are written out, which is faster.
pub(crate) const SMALL: usize = 4000;
/// Unless they are sums of so many terms, or so many of them: their code would grow with what they are about.
pub(crate) const LONG: usize = 64;

/// A term of one of several sums.
struct Member {
    sum: usize,
    coefficient: Number,
    term: Expr,
}

impl Body<'_, '_, '_> {
    /// Computes long sums that some expressions are made of, from the innermost out, into arrays where they are found from now on.
    pub fn compute_sums(&mut self, roots: &[Expr], scope: &mut Scope) {
        if scope.careful {
            return;
        }
        let arena = self.lowering.program.arena.clone();
        let nodes = arena.reachable_until(roots, |node| scope.node(node).is_some());
        let is_long = |node: &Expr| matches!(arena.node(*node), Node::Sum(terms, _) if terms.len() >= LONG);
        if nodes.len() < SMALL && !nodes.iter().any(is_long) {
            return;
        }
        let uses = arena.count_uses(&nodes, roots);
        for sums in long_sums(&arena, &nodes, &uses, scope) {
            self.keep_shared_terms(&sums, &uses, scope);
            self.add_up(&arena, &sums, scope);
        }
    }

    /// What several sums have in common, as two bodies have the force between them, is computed once.
    fn keep_shared_terms(&mut self, sums: &[Sum], uses: &FxHashMap<Expr, usize>, scope: &mut Scope) {
        let terms = sums.iter().flat_map(|sum| &sum.terms).map(|&(_, term)| term);
        let is_shared = |term: &Expr| scope.node(*term).is_none() && uses.get(term).is_some_and(|&uses| uses > 1);
        let arena = self.lowering.program.arena.clone();
        let is_work = |term: &Expr| !matches!(arena.node(*term), Node::Symbol(_) | Node::Number(_));
        let mut shared: Vec<Expr> = terms.filter(is_shared).filter(is_work).collect();
        shared.sort_unstable();
        shared.dedup();
        if shared.len() >= FEWEST {
            self.keep_rolled(&shared, scope);
        }
    }

    /// Terms whose shape is rare are written out with the constant; then the terms of each other shape are added in a loop.
    fn add_up(&mut self, arena: &Arena, sums: &[Sum], scope: &mut Scope) {
        let terms: Vec<Expr> = sums.iter().flat_map(|sum| &sum.terms).map(|&(_, term)| term).collect();
        let shapes = Shapes::new(arena, &terms, scope);
        let mut rest: Vec<Vec<(Number, Expr)>> = sums.iter().map(|sum| vec![(sum.constant, arena.one())]).collect();
        let mut loops = Vec::new();
        for members in by_shape(sums, &shapes) {
            let column = members.iter().map(|member| member.term).collect();
            let template = (members.len() >= FEWEST).then(|| self.template(arena, column, scope, &shapes)).flatten();
            match template {
                Some(template) => loops.push((template, members)),
                None => members.iter().for_each(|it| rest[it.sum].push((it.coefficient, it.term))),
            }
        }
        if loops.is_empty() {
            return;
        }
        let array = self.f.module().real_array("sums", sums.len(), "sums of many terms");
        let rows: Vec<Row> = rest.into_iter().map(|rest| arena.sum(rest)).enumerate().collect();
        self.store_as_they_are(&Target { array, offset: 0.into() }, &rows, scope);
        for (template, members) in loops {
            self.add_members(arena, (array, sums.len()), template, &members, scope);
        }
        for (place, sum) in sums.iter().enumerate() {
            scope.insert(sum.node, array.at(place));
        }
    }

    /// Adds terms of one shape to the sums that they belong to.
    fn add_members(
        &mut self,
        arena: &Arena,
        (array, count): (ArrayId, usize),
        template: (Expr, Slots),
        members: &[Member],
        scope: &mut Scope,
    ) {
        let starts: Vec<i64> =
            (0..=count).map(|sum| members.partition_point(|member| member.sum < sum) as i64).collect();
        let starts = self.f.module().integers("starts", &starts, "where the terms of each sum begin");
        let [row, at] = ["row", "at"].map(|name| self.f.local(name, Integer));
        let total = self.f.local("total", Real);
        let sizes: Vec<f64> = members.iter().map(|member| member.coefficient.value()).collect();
        let size = match sizes.iter().all(|&size| size == sizes[0]) {
            true => sizes[0].into(),
            false => self.f.module().reals("coefficients", &sizes, "the coefficient of each term").at(at),
        };
        let inner = self.each(arena, template, at, scope, |f, value| {
            let sum = match class(sizes[0]) {
                1 => total + value,
                2 => total - value,
                _ => total + size * value,
            };
            f.assign(total, sum);
        });
        let body = self.block(|body| {
            body.f.assign(total, array.at(row));
            body.f.push(Statement::For { variable: at, from: starts.at(row), to: starts.at(row + 1), body: inner });
            body.f.store(array, row, total);
        });
        self.f.push(Statement::For { variable: row, from: 0.into(), to: count.into(), body });
    }
}

/// A sum of which the terms are no sums themselves.
struct Sum {
    node: Expr,
    terms: Vec<(Number, Expr)>,
    constant: Number,
}

/// Sums of many terms, those first that others are made of. A sum within a sum that nobody else uses is part of it.
fn long_sums(arena: &Arena, nodes: &[Expr], uses: &FxHashMap<Expr, usize>, scope: &Scope) -> Vec<Vec<Sum>> {
    let is_part = |node: Expr| scope.node(node).is_none() && uses.get(&node) == Some(&1);
    let within = |node: &Expr| -> Vec<Expr> {
        let Node::Sum(terms, _) = arena.node(*node) else { return Vec::new() };
        let terms = terms.iter().map(|&(_, term)| term);
        terms.filter(|&term| matches!(arena.node(term), Node::Sum(..)) && is_part(term)).collect()
    };
    let parts: FxHashSet<Expr> = nodes.iter().flat_map(within).collect();
    let mut level: FxHashMap<Expr, usize> = FxHashMap::default();
    let mut levels: Vec<Vec<Sum>> = Vec::new();
    for &node in nodes.iter().filter(|&&node| scope.node(node).is_none()) {
        let content = arena.node(node);
        let below = content.children().iter().map(|child| level.get(child).copied().unwrap_or(0)).max().unwrap_or(0);
        let sum = match content {
            Node::Sum(..) if !parts.contains(&node) => Some(opened(arena, node, &parts)),
            _ => None,
        };
        let long = sum.filter(|sum| sum.terms.len() >= FEWEST);
        level.insert(node, below + usize::from(long.is_some()));
        if let Some(sum) = long {
            levels.resize_with(levels.len().max(below + 1), Vec::new);
            levels[below].push(sum);
        }
    }
    levels
}

/// A sum with its parts in their places.
fn opened(arena: &Arena, node: Expr, parts: &FxHashSet<Expr>) -> Sum {
    let mut sum = Sum { node, terms: Vec::new(), constant: Number::ZERO };
    let mut open = vec![(Number::ONE, node)];
    while let Some((factor, part)) = open.pop() {
        let Node::Sum(terms, constant) = arena.node(part) else { continue };
        sum.constant = sum.constant.plus(factor.times(*constant));
        for &(coefficient, term) in terms.iter() {
            let list = if parts.contains(&term) { &mut open } else { &mut sum.terms };
            list.push((factor.times(coefficient), term));
        }
    }
    sum
}

/// The terms of all sums by their shape, in the order of the sums; larger ones are by themselves.
fn by_shape(sums: &[Sum], shapes: &Shapes) -> Vec<Vec<Member>> {
    let mut group_of: FxHashMap<(u64, u8), usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Member>> = Vec::new();
    for (sum, Sum { terms, .. }) in sums.iter().enumerate() {
        for &(coefficient, term) in terms {
            let (shape, size) = shapes.of(term);
            let next = groups.len();
            let group = match size > LARGEST {
                true => next,
                false => *group_of.entry((shape, class(coefficient.value()))).or_insert(next),
            };
            groups.resize_with(groups.len().max(group + 1), Vec::new);
            groups[group].push(Member { sum, coefficient, term });
        }
    }
    groups
}
