//! Elimination along the graph: for equations of motion of long trees, whose matrix is full although they share almost everything.
//!
//! The rows of a chain of n frames are one graph whose size is linear in n; written as a matrix they are n² entries. So they are
//! not written as a matrix. Every part that is shared and depends on the unknowns is an unknown of its own, which its definition
//! gives at once, and the unknowns are eliminated from the last to the first, each together with the parts that matter to its
//! row: accelerations behind it and forces that only it and those before it feel. For a tree of frames with the root first this
//! is the articulated-body recursion (Featherstone, *Rigid Body Dynamics Algorithms*, chapter 7), and the pivots are those of
//! Cholesky's method, which need no search where the matrix is that of a kinetic energy.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Cost, Expr, Number, Point, Substitution, SymbolId, Tape, cost};

/// One unknown after the other: `coefficient · symbol = right`, each in terms of those before it.
pub struct Articulation {
    pub steps: Vec<Step>,
}

pub struct Step {
    pub symbol: SymbolId,
    pub coefficient: Expr,
    pub right: Expr,
    /// The row, and the unknown that it is solved for.
    pub place: usize,
}

impl Articulation {
    /// The pivots at a point.
    pub fn pivots(&self, arena: &Arena, point: &Point) -> Vec<f64> {
        let mut without = Substitution::default();
        let mut pivots = Vec::new();
        for step in self.steps.iter().filter(|step| arena.as_number(step.coefficient).is_none()) {
            let pivot = without.apply(arena, step.coefficient);
            without.insert(arena.symbol(step.symbol), arena.power(pivot, -1));
            pivots.push(pivot);
        }
        Tape::new(arena, &pivots).run(point)
    }

    pub fn cost(&self, arena: &Arena) -> Cost {
        let all: Vec<Expr> = self.steps.iter().flat_map(|step| [step.coefficient, step.right]).collect();
        let mut cost = cost(arena, &all);
        cost.divisions += self.steps.iter().filter(|step| arena.as_number(step.coefficient).is_none()).count();
        cost
    }
}

/// Solves `rows = 0` for the unknowns. Needs: a symmetric positive definite matrix, and whatever depends on an unknown after it in the
/// list. None if the rows are not plainly linear, or a pivot is missing.
pub fn articulate(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Option<Articulation> {
    let shared = Shared::new(arena, rows, unknowns)?;
    Elimination::new(arena, rows, unknowns, &shared)?.run()
}

/// What is solved for: an unknown, or a part of the rows.
type Part = Expr;

/// Σ coefficient · part + constant; with a scale, minus so many times that. The scale is kept apart so that what is symmetric is
/// seen to be.
#[derive(Clone, Debug)]
struct Form {
    terms: BTreeMap<Part, Expr>,
    constant: Expr,
    scale: Option<Expr>,
}

impl Form {
    fn plain(terms: BTreeMap<Part, Expr>, constant: Expr) -> Form {
        Form { terms, constant, scale: None }
    }

    /// A multiple of one of the form's coefficients. The order of factors does not depend on which is which, so equal products
    /// are one node.
    fn multiple(&self, arena: &Arena, factor: Expr, coefficient: Expr) -> Expr {
        match self.scale {
            None => arena.multiply(factor, coefficient),
            Some(scale) => {
                let (one, other) = (factor.min(coefficient), factor.max(coefficient));
                arena.negate(arena.multiply(arena.multiply(one, scale), other))
            }
        }
    }
}

/// The parts that depend on the unknowns and are used more than once, by the unknown with which they are eliminated.
struct Shared {
    /// For every node that depends on unknowns, the last of them.
    last: FxHashMap<Expr, usize>,
    levels: BTreeMap<Part, usize>,
}

impl Shared {
    fn new(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Option<Shared> {
        let nodes = arena.reachable(rows);
        let mut last: FxHashMap<Expr, usize> =
            unknowns.iter().enumerate().map(|(at, &unknown)| (arena.symbol(unknown), at)).collect();
        for &node in &nodes {
            let dependent: Vec<usize> =
                arena.node(node).children().iter().filter_map(|child| last.get(child).copied()).collect();
            let Some(&latest) = dependent.iter().max() else { continue };
            let plain = match arena.node(node) {
                Node::Sum(..) => true,
                Node::Product(factors) => {
                    dependent.len() == 1
                        && factors.iter().all(|(base, exponent)| *exponent == 1 || !last.contains_key(base))
                }
                _ => false,
            };
            if !plain {
                return None;
            }
            last.insert(node, latest);
        }
        // From the roots down: the last row that each node is a part of, and how often it is used.
        let mut in_row: FxHashMap<Expr, usize> = FxHashMap::default();
        let mut uses: FxHashMap<Expr, usize> = FxHashMap::default();
        for (at, &row) in rows.iter().enumerate() {
            in_row.insert(row, at);
            *uses.entry(row).or_default() += 1;
        }
        for &node in nodes.iter().rev().filter(|node| last.contains_key(node)) {
            let row = in_row[&node];
            for child in arena.node(node).children().into_iter().filter(|child| last.contains_key(child)) {
                let latest = in_row.entry(child).or_insert(row);
                *latest = (*latest).max(row);
                *uses.entry(child).or_default() += 1;
            }
        }
        let mut shared = Shared { last, levels: BTreeMap::new() };
        for node in nodes {
            let Some(&latest) = shared.last.get(&node) else { continue };
            let worth = match arena.node(node) {
                Node::Sum(..) => true,
                Node::Product(factors) => !factors.iter().any(|(base, _)| shared.is_part(arena, *base)),
                _ => false,
            };
            if worth && uses[&node] > 1 {
                shared.levels.insert(node, latest.min(in_row[&node]));
            }
        }
        Some(shared)
    }

    fn is_part(&self, arena: &Arena, node: Expr) -> bool {
        self.levels.contains_key(&node) || (self.last.contains_key(&node) && arena.as_symbol(node).is_some())
    }

    /// A node in terms of the parts below it.
    fn form(&self, arena: &Arena, root: Expr) -> Form {
        let mut terms: BTreeMap<Part, Vec<Expr>> = BTreeMap::new();
        let mut known: Vec<(Number, Expr)> = Vec::new();
        let mut open = vec![(arena.one(), root)];
        while let Some((factor, node)) = open.pop() {
            if !self.last.contains_key(&node) {
                known.push((Number::ONE, arena.multiply(factor, node)));
            } else if node != root && self.is_part(arena, node) {
                terms.entry(node).or_default().push(factor);
            } else {
                match arena.node(node) {
                    Node::Sum(inner, constant) => {
                        let (inside, outside): (Vec<_>, Vec<_>) =
                            inner.iter().copied().partition(|(_, term)| self.last.contains_key(term));
                        let rest = arena.sum(outside.into_iter().chain([(*constant, arena.one())]));
                        if !arena.is_zero(rest) {
                            open.push((factor, rest));
                        }
                        open.extend(inside.into_iter().rev().map(|(scale, term)| (arena.scale(scale, factor), term)));
                    }
                    Node::Product(factors) => {
                        let (inside, outside): (Vec<_>, Vec<_>) =
                            factors.iter().copied().partition(|(base, _)| self.last.contains_key(base));
                        let rest = arena.product(outside);
                        open.extend(inside.into_iter().map(|(base, _)| (arena.multiply(factor, rest), base)));
                    }
                    _ => terms.entry(node).or_default().push(factor),
                }
            }
        }
        let add = |parts: Vec<Expr>| arena.sum(parts.into_iter().map(|part| (Number::ONE, part)));
        let terms = terms.into_iter().map(|(part, factors)| (part, add(factors)));
        Form::plain(terms.filter(|(_, factor)| !arena.is_zero(*factor)).collect(), arena.sum(known))
    }
}

/// An equation is known by what it gives: a row the unknown beside it, a definition its part.
struct Elimination<'a> {
    arena: &'a Arena,
    unknowns: &'a [SymbolId],
    /// For each place, what its row is solved for: the unknown, or a part that has changed places with it.
    solved: Vec<Part>,
    rows: Vec<Form>,
    /// What is not eliminated yet, and in the end what has been: each part in terms of those that went later.
    definitions: BTreeMap<Part, Form>,
    /// For each part, the definitions and rows that mention it.
    mentions: FxHashMap<Part, BTreeSet<Equation>>,
    order: Vec<Vec<Part>>,
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Equation {
    Row(usize),
    Definition(Part),
}

impl<'a> Elimination<'a> {
    fn new(arena: &'a Arena, rows: &[Expr], unknowns: &'a [SymbolId], shared: &Shared) -> Option<Elimination<'a>> {
        let mut order: Vec<Vec<Part>> = vec![Vec::new(); unknowns.len()];
        shared.levels.iter().rev().for_each(|(&part, &level)| order[level].push(part));
        // A row that is a part itself says that the part vanishes.
        let row = |&row: &Expr| match shared.is_part(arena, row) {
            true => Form::plain(BTreeMap::from([(row, arena.one())]), arena.zero()),
            false => shared.form(arena, row),
        };
        let mut elimination = Elimination {
            arena,
            unknowns,
            solved: unknowns.iter().map(|&unknown| arena.symbol(unknown)).collect(),
            rows: rows.iter().map(row).collect(),
            definitions: shared.levels.keys().map(|&part| (part, shared.form(arena, part))).collect(),
            mentions: FxHashMap::default(),
            order,
            steps: Vec::new(),
        };
        for at in 0..rows.len() {
            elimination.note(Equation::Row(at));
        }
        for part in shared.levels.keys() {
            elimination.note(Equation::Definition(*part));
        }
        for at in 0..unknowns.len() {
            elimination.take_at_its_word(at, shared);
            elimination.change_places(at, shared);
        }
        Some(elimination)
    }

    fn form(&mut self, equation: Equation) -> &mut Form {
        match equation {
            Equation::Row(at) => &mut self.rows[at],
            Equation::Definition(part) => self.definitions.get_mut(&part).expect("a definition for each part"),
        }
    }

    fn note(&mut self, equation: Equation) {
        for part in self.form(equation).terms.keys().copied().collect::<Vec<_>>() {
            self.mentions.entry(part).or_default().insert(equation);
        }
    }

    /// A row that gives a part outright, as a hinge that takes no moment does, gives it to all others too; the definition of the part
    /// is the row from now on.
    fn take_at_its_word(&mut self, at: usize, shared: &Shared) {
        let Some((&part, &factor)) = self.rows[at].terms.first_key_value().filter(|_| self.rows[at].terms.len() == 1)
        else {
            return;
        };
        let Some(factor) = self.arena.as_number(factor).filter(|factor| factor.size().is_one()) else { return };
        if shared.levels.get(&part) != Some(&at) {
            return;
        }
        let given = self.arena.scale(factor.times(Number::MINUS_ONE), self.rows[at].constant);
        let definition = self.definitions.insert(part, Form::plain(BTreeMap::new(), given)).expect("a definition");
        for inner in definition.terms.keys() {
            self.mentions.entry(*inner).or_default().remove(&Equation::Definition(part));
        }
        self.mentions.entry(part).or_default().remove(&Equation::Row(at));
        let constant = self.arena.subtract(definition.constant, given);
        self.rows[at] = Form::plain(definition.terms, constant);
        self.note(Equation::Row(at));
    }

    /// An unknown that only one part knows of, as part = … ± unknown, is what follows from that part; the part is solved for.
    fn change_places(&mut self, at: usize, shared: &Shared) {
        let unknown = self.solved[at];
        let mentioned: Vec<Equation> = self.mentions.get(&unknown).into_iter().flatten().copied().collect();
        let [Equation::Definition(part)] = mentioned[..] else { return };
        let factor = self.arena.as_number(self.definitions[&part].terms[&unknown]);
        let Some(factor) = factor.filter(|factor| factor.size().is_one() && shared.levels[&part] == at) else { return };
        let mut form = self.definitions.remove(&part).expect("a definition for each part");
        form.terms.remove(&unknown);
        let turned = |value: Expr| self.arena.scale(factor.times(Number::MINUS_ONE), value);
        let mut terms: BTreeMap<Part, Expr> = form.terms.iter().map(|(&part, &value)| (part, turned(value))).collect();
        terms.insert(part, self.arena.number(factor));
        let constant = turned(form.constant);
        for old in form.terms.keys() {
            self.mentions.entry(*old).or_default().remove(&Equation::Definition(part));
        }
        // Nobody mentions the unknown now, so its definition is never put in anywhere.
        self.mentions.remove(&unknown);
        self.definitions.insert(unknown, Form::plain(terms, constant));
        self.order[at].retain(|&other| other != part);
        self.order[at].push(unknown);
        self.note(Equation::Definition(unknown));
        self.solved[at] = part;
    }

    fn run(mut self) -> Option<Articulation> {
        let mut gone: Vec<(Part, Option<usize>)> = Vec::new();
        for at in (0..self.unknowns.len()).rev() {
            for part in std::mem::take(&mut self.order[at]) {
                let form = self.definitions[&part].clone();
                self.put_in(part, &form, Equation::Definition(part))?;
                gone.push((part, None));
            }
            let (part, form) = self.solve_row(at)?;
            self.put_in(part, &form, Equation::Row(at))?;
            self.definitions.insert(part, form);
            gone.push((part, Some(at)));
        }
        self.substitute_back(gone);
        Some(Articulation { steps: self.steps })
    }

    /// What a row gives for its unknown.
    fn solve_row(&mut self, at: usize) -> Option<(Part, Form)> {
        let part = self.solved[at];
        let mut form = self.rows[at].clone();
        let pivot = form.terms.remove(&part)?;
        let inverse = match self.arena.as_number(pivot) {
            Some(number) => self.arena.number(number.power(-1)),
            None => {
                let symbol = self.arena.new_symbol("inverse");
                self.steps.push(Step { symbol, coefficient: pivot, right: self.arena.one(), place: at });
                self.arena.symbol(symbol)
            }
        };
        form.scale = Some(inverse);
        // What is known is added up beside the pivots, which wait for one another, and not after all of them.
        if self.arena.as_number(form.constant).is_none() {
            let symbol = self.arena.new_symbol("known");
            let (coefficient, right) = (self.arena.one(), form.constant);
            self.steps.push(Step { symbol, coefficient, right, place: at });
            form.constant = self.arena.symbol(symbol);
        }
        Some((part, form))
    }

    /// Puts a form in place of a part wherever it is mentioned. None if the form mentions the part itself.
    fn put_in(&mut self, part: Part, form: &Form, from: Equation) -> Option<()> {
        if form.terms.contains_key(&part) {
            return None;
        }
        for &inner in form.terms.keys() {
            self.mentions.entry(inner).or_default().remove(&from);
        }
        let arena = self.arena;
        for equation in self.mentions.remove(&part).unwrap_or_default().into_iter().filter(|&other| other != from) {
            let target = self.form(equation);
            let Some(factor) = target.terms.remove(&part) else { continue };
            for (&inner, &value) in &form.terms {
                let change = form.multiple(arena, factor, value);
                let sum = match target.terms.get(&inner) {
                    Some(&old) => arena.add(old, change),
                    None => change,
                };
                if arena.is_zero(sum) {
                    target.terms.remove(&inner);
                } else {
                    target.terms.insert(inner, sum);
                }
            }
            target.constant = arena.add(target.constant, form.multiple(arena, factor, form.constant));
            for &inner in form.terms.keys() {
                self.mentions.entry(inner).or_default().insert(equation);
            }
        }
        Some(())
    }

    /// The values of all parts, those that went last first.
    fn substitute_back(&mut self, gone: Vec<(Part, Option<usize>)>) {
        let arena = self.arena;
        let places: FxHashMap<Part, usize> =
            self.unknowns.iter().enumerate().map(|(at, &unknown)| (arena.symbol(unknown), at)).collect();
        let mut values: FxHashMap<Part, Expr> = FxHashMap::default();
        for (part, _) in gone.into_iter().rev() {
            let form = &self.definitions[&part];
            let terms = form.terms.iter().map(|(inner, &factor)| (Number::ONE, arena.multiply(factor, values[inner])));
            let sum = arena.sum(terms.chain([(Number::ONE, form.constant)]));
            let value = form.scale.map_or(sum, |scale| arena.negate(arena.multiply(scale, sum)));
            let Some(&place) = places.get(&part) else {
                values.insert(part, value);
                continue;
            };
            let symbol = self.unknowns[place];
            self.steps.push(Step { symbol, coefficient: arena.one(), right: value, place });
            values.insert(part, part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane chain of n rods of unit length with unit masses at their ends, and torques at the joints: the rows of its equations
    /// of motion, its accelerations, and a point with values for all else.
    fn chain(arena: &Arena, n: usize) -> (Vec<Expr>, Vec<SymbolId>, Point) {
        let mut point = Point::default();
        let mut unknowns = Vec::new();
        let mut known = |name: String, value: f64| {
            let symbol = arena.new_symbol(&name);
            point.insert(symbol, value);
            arena.term(arena.symbol(symbol))
        };
        let zero = arena.constant(0.0);
        let (mut turning, mut along) = (zero, [zero, zero]);
        let mut links = Vec::new();
        for at in 0..n {
            let unknown = arena.new_symbol(&format!("a{at}"));
            unknowns.push(unknown);
            let direction = 0.7 * at as f64 + 0.3;
            let r = [known(format!("x{at}"), libm::cos(direction)), known(format!("y{at}"), libm::sin(direction))];
            turning = turning + arena.term(arena.symbol(unknown));
            along = [along[0] - turning * r[1], along[1] + turning * r[0]];
            links.push((r, along, known(format!("g{at}"), 1.0 + 0.1 * at as f64), known(format!("m{at}"), 0.3)));
        }
        let (mut force, mut moment) = ([zero, zero], zero);
        let mut rows = Vec::new();
        for (r, along, weight, torque) in links.into_iter().rev() {
            force = [force[0] + along[0], force[1] + along[1] + weight];
            moment = moment + r[0] * force[1] - r[1] * force[0];
            rows.push((moment - torque).expr);
        }
        rows.reverse();
        (rows, unknowns, point)
    }

    #[test]
    fn the_solution_satisfies_the_rows() {
        let arena = Arena::new();
        for n in [1, 2, 5, 12] {
            let (rows, unknowns, mut point) = chain(&arena, n);
            let found = articulate(&arena, &rows, &unknowns).expect("a chain has a solution");
            for step in &found.steps {
                let [coefficient, right] = Tape::new(&arena, &[step.coefficient, step.right]).run(&point)[..] else {
                    unreachable!("two roots")
                };
                assert!(coefficient > 0.0, "a pivot of a kinetic energy is positive");
                point.insert(step.symbol, right / coefficient);
            }
            assert!(unknowns.iter().all(|unknown| point[unknown].is_finite()));
            let worst =
                Tape::new(&arena, &rows).run(&point).into_iter().fold(0.0_f64, |worst, left| worst.max(left.abs()));
            assert!(worst < 1e-10, "{worst} is left of a chain of {n}");
        }
    }

    #[test]
    fn operations_grow_with_the_number_of_links() {
        let arena = Arena::new();
        let operations = |n: usize| {
            let (rows, unknowns, _) = chain(&arena, n);
            articulate(&arena, &rows, &unknowns).expect("a chain has a solution").cost(&arena).total()
        };
        let [ten, twenty, thirty] = [10, 20, 30].map(operations);
        // Here and there two terms meet that do not meet elsewhere.
        assert!(thirty - twenty < (twenty - ten) * 21 / 20, "{ten}, {twenty}, {thirty} operations");
    }
}
