//! What is known beforehand, and second names of the same thing.

use std::collections::VecDeque;

use expr::{Arena, Differentiator, Expr, Node, Number, Substitution, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Equation, GeneralForm, Place, Places, Replaced, Role};

/// Replaces variables that parameters alone determine (`mass == density * volume`) by their values, and one side of every
/// `x == ±y` by the other. Needs: the general form. Gives: no equation of these two kinds for a variable. Keeps: the set of
/// solutions, and the replaced quantities as expressions of the others. Equations that have become trivial stay for others to
/// judge.
///
/// `inputs` are symbols that change from outside: time and controls. For each equation in which nothing is left open, by its place: the
/// equations that what it speaks of was found from, the nearest first.
pub fn eliminate_known(form: &mut GeneralForm, inputs: &[SymbolId]) -> FxHashMap<usize, Vec<Equation>> {
    let mut pass = Pass::new(form, inputs);
    let mut queue: VecDeque<usize> = (0..pass.rows.len()).collect();
    while let Some(row) = queue.pop_front() {
        if let Some(event) = pass.attempt(row) {
            pass.rows[row].used = true;
            let (Event::Value(quantity, _) | Event::Same(quantity, _, _)) = event;
            pass.found_from[quantity] = Some(row);
            queue.extend(pass.settle(event));
        }
    }
    pass.finish()
}

/// Rows with at most so many quantities are looked at whenever one of them becomes known; longer ones when few are left.
const SHORT: usize = 6;

struct Pass<'f> {
    form: &'f mut GeneralForm,
    places: Places,
    /// For each quantity, what it is in terms of another.
    known: Vec<Known>,
    /// And the row that said so.
    found_from: Vec<Option<usize>>,
    rows: Vec<Row>,
    /// The rows that mention a quantity, or another that it stands for.
    watchers: Vec<Vec<usize>>,
}

#[derive(Clone, Copy)]
enum Known {
    No,
    /// Another quantity, or minus that.
    Is(usize, bool),
    Value(Expr),
}

#[derive(Default)]
struct Row {
    /// The derivatives that it mentions.
    symbols: Vec<(SymbolId, usize, usize)>,
    /// How many quantities in it have no value yet.
    open: usize,
    /// Not of a kind that this pass understands.
    foreign: bool,
    used: bool,
}

enum Event {
    Value(usize, Expr),
    /// The first is the second, or minus that.
    Same(usize, usize, bool),
}

impl<'f> Pass<'f> {
    fn new(form: &'f mut GeneralForm, inputs: &[SymbolId]) -> Pass<'f> {
        let places = form.places();
        let inputs: FxHashSet<SymbolId> = inputs.iter().copied().collect();
        let mut watchers = vec![Vec::new(); form.quantities.len()];
        let mut rows = Vec::new();
        for (at, equation) in form.equations.iter().enumerate() {
            let mut row = Row::default();
            for symbol in form.arena.symbols_in(&[equation.residual]) {
                match places.get(symbol) {
                    Some(Place::Derivative { quantity, order }) => row.symbols.push((symbol, quantity, order)),
                    Some(Place::Turn(_)) => row.foreign = true,
                    None => row.foreign |= inputs.contains(&symbol),
                }
            }
            let mut members: Vec<usize> = row.symbols.iter().map(|&(_, quantity, _)| quantity).collect();
            members.sort_unstable();
            members.dedup();
            row.open = members.len();
            if !row.foreign {
                members.into_iter().for_each(|quantity| watchers[quantity].push(at));
            }
            rows.push(row);
        }
        let known = vec![Known::No; form.quantities.len()];
        let found_from = vec![None; form.quantities.len()];
        Pass { form, places, known, found_from, rows, watchers }
    }

    /// What a quantity is now: itself or another, or minus that.
    fn root(&mut self, quantity: usize) -> (usize, bool) {
        let (mut at, mut minus) = (quantity, false);
        while let Known::Is(next, opposite) = self.known[at] {
            (at, minus) = (next, minus ^ opposite);
        }
        // The next one who asks finds it at once.
        if at != quantity {
            self.known[quantity] = Known::Is(at, minus);
        }
        (at, minus)
    }

    /// What a row tells, if it tells anything yet.
    fn attempt(&mut self, row: usize) -> Option<Event> {
        let Row { symbols, foreign, used, open } = &self.rows[row];
        if *foreign || *used || (symbols.len() > SHORT && *open > 2) {
            return None;
        }
        let members: Vec<usize> = symbols.iter().map(|&(_, quantity, _)| quantity).collect();
        let mut roots: Vec<usize> = members.into_iter().map(|quantity| self.root(quantity).0).collect();
        roots.retain(|&root| matches!(self.known[root], Known::No));
        roots.sort_unstable();
        roots.dedup();
        if roots.len() > 2 {
            return None;
        }
        let residual = self.now(row);
        let arena = self.form.arena.clone();
        let left: Vec<(SymbolId, Place)> =
            arena.symbols_in(&[residual]).into_iter().filter_map(|it| Some((it, self.places.get(it)?))).collect();
        match left.as_slice() {
            [(symbol, Place::Derivative { quantity, order: 0 })] if self.may_go(*quantity) => {
                Some(Event::Value(*quantity, solved(&arena, residual, *symbol)?))
            }
            [(_, Place::Derivative { quantity: a, order: 0 }), (_, Place::Derivative { quantity: b, order: 0 })] => {
                let minus = opposite(&arena, residual)?;
                let (kept, gone) = if self.keeps(*a) >= self.keeps(*b) { (*a, *b) } else { (*b, *a) };
                self.may_go(gone).then_some(Event::Same(gone, kept, minus))
            }
            _ => None,
        }
    }

    /// The residual of a row with everything known replaced.
    fn now(&mut self, row: usize) -> Expr {
        let arena = self.form.arena.clone();
        let symbols = self.rows[row].symbols.clone();
        let mut replaced = Vec::new();
        for (symbol, quantity, order) in symbols {
            if let Some(by) = self.replacement(quantity, order) {
                replaced.push((arena.symbol(symbol), by));
            }
        }
        let residual = self.form.equations[row].residual;
        if replaced.is_empty() { residual } else { Substitution::new(replaced).apply(&arena, residual) }
    }

    /// What stands for a derivative of a quantity, if it is known.
    fn replacement(&mut self, quantity: usize, order: usize) -> Option<Expr> {
        let arena = self.form.arena.clone();
        let (root, minus) = self.root(quantity);
        let value = match self.known[root] {
            Known::Value(_) if order > 0 => return Some(arena.zero()),
            Known::Value(value) => value,
            _ if root == quantity => return None,
            // The derivative of a constant is no symbol but zero.
            _ if self.form.quantities[root].role == Role::Constant && order > 0 => return Some(arena.zero()),
            _ => {
                self.form.extend_chain(root, order);
                let symbol = self.form.quantities[root].at(order)?;
                self.places.insert(symbol, Place::Derivative { quantity: root, order });
                arena.symbol(symbol)
            }
        };
        Some(if minus { arena.negate(value) } else { value })
    }

    /// Only variables are replaced: the equations of motion count on their coordinates.
    fn may_go(&self, quantity: usize) -> bool {
        matches!(self.form.quantities[quantity].role, Role::Variable | Role::Constant)
    }

    /// How much there is to be said for keeping a quantity rather than another.
    fn keeps(&self, quantity: usize) -> (usize, bool, bool, std::cmp::Reverse<usize>) {
        let row = &self.form.quantities[quantity];
        let rank = match row.role {
            Role::Coordinate | Role::Turning | Role::Force => 2,
            Role::Constant => 1,
            Role::Variable => 0,
        };
        (rank, row.start.is_some(), row.chain.len() > 1, std::cmp::Reverse(quantity))
    }

    /// Notes what was found; the rows that may tell more now.
    fn settle(&mut self, event: Event) -> Vec<usize> {
        match event {
            Event::Value(quantity, value) => {
                self.known[quantity] = Known::Value(value);
                let again = std::mem::take(&mut self.watchers[quantity]);
                again.iter().for_each(|&row| self.rows[row].open -= 1);
                again
            }
            Event::Same(gone, kept, minus) => {
                self.known[gone] = Known::Is(kept, minus);
                self.hand_start_on(gone, kept, minus);
                let again = std::mem::take(&mut self.watchers[gone]);
                let short: Vec<usize> =
                    again.iter().copied().filter(|&row| self.rows[row].symbols.len() <= SHORT).collect();
                // The longer list takes the shorter one in.
                let (mut more, fewer) = match self.watchers[kept].len() < again.len() {
                    true => (again, std::mem::take(&mut self.watchers[kept])),
                    false => (std::mem::take(&mut self.watchers[kept]), again),
                };
                more.extend(fewer);
                self.watchers[kept] = more;
                short
            }
        }
    }

    fn hand_start_on(&mut self, gone: usize, kept: usize, minus: bool) {
        let arena = self.form.arena.clone();
        if let (None, Some(start)) = (self.form.quantities[kept].start, self.form.quantities[gone].start) {
            self.form.quantities[kept].start = Some(if minus { arena.negate(start) } else { start });
        }
    }

    /// The equations that the quantities of a row were found from, the nearest first.
    fn reasons(&self, row: usize) -> Vec<Equation> {
        let mut seen: FxHashSet<usize> = [row].into_iter().collect();
        let mut open = VecDeque::from([row]);
        let mut reasons = Vec::new();
        while let Some(row) = open.pop_front() {
            for &(_, quantity, _) in &self.rows[row].symbols {
                if let Some(reason) = self.found_from[quantity].filter(|&reason| seen.insert(reason)) {
                    reasons.push(self.form.equations[reason].clone());
                    open.push_back(reason);
                }
            }
        }
        reasons
    }

    /// Rewrites the form without what is known.
    fn finish(mut self) -> FxHashMap<usize, Vec<Equation>> {
        for quantity in 0..self.known.len() {
            if matches!(self.known[quantity], Known::No) {
                continue;
            }
            let chain = self.form.quantities[quantity].chain.clone();
            for (order, &symbol) in chain.iter().enumerate() {
                let Some(by) = self.replacement(quantity, order) else { continue };
                self.form.replacements.push((self.form.arena.symbol(symbol), by));
                if order == 0 {
                    let row = &self.form.quantities[quantity];
                    let replaced = Replaced { name: row.name.clone(), symbol, by, start: None, span: row.span };
                    self.form.replaced.push(replaced);
                }
            }
        }
        let left: Vec<usize> = (0..self.rows.len()).filter(|&row| !self.rows[row].used).collect();
        let closed = left.iter().enumerate().filter(|(_, row)| self.rows[**row].open == 0 && !self.rows[**row].foreign);
        let reasons = closed.map(|(at, &row)| (at, self.reasons(row))).collect();
        let Pass { form, known, rows, .. } = self;
        let mut used = rows.iter().map(|row| row.used);
        form.equations.retain(|_| used.next() != Some(true));
        renumber(form, &known.iter().map(|known| !matches!(known, Known::No)).collect::<Vec<bool>>());
        let mut replacement = form.replacement();
        let arena = form.arena.clone();
        for equation in form.equations.iter_mut().chain(&mut form.initial) {
            equation.residual = replacement.apply(&arena, equation.residual);
        }
        for quantity in &mut form.quantities {
            quantity.start = quantity.start.map(|start| replacement.apply(&arena, start));
        }
        reasons
    }
}

/// Drops quantities; turns name theirs by number.
pub(super) fn renumber(form: &mut GeneralForm, gone: &[bool]) {
    let mut next = 0;
    let number = |gone: &bool| {
        let number = next;
        next += usize::from(!gone);
        number
    };
    let numbers: Vec<usize> = gone.iter().map(number).collect();
    let mut gone = gone.iter();
    form.quantities.retain(|_| gone.next() == Some(&false));
    for speed in form.turns.iter_mut().flat_map(|turn| &mut turn.speeds) {
        *speed = numbers[*speed];
    }
}

/// The value of the only unknown of a residual that is linear in it.
fn solved(arena: &Arena, residual: Expr, unknown: SymbolId) -> Option<Expr> {
    let symbol = arena.symbol(unknown);
    let slope = Differentiator::by(arena, symbol).derivative(arena, residual);
    if arena.is_zero(slope) || arena.symbols_in(&[slope]).contains(&unknown) {
        return None;
    }
    let rest = Substitution::new([(symbol, arena.zero())]).apply(arena, residual);
    Some(arena.negate(arena.divide(rest, slope)))
}

/// Whether `x = -y`, for a residual that is nothing but `a·x ± a·y`.
fn opposite(arena: &Arena, residual: Expr) -> Option<bool> {
    let Node::Sum(terms, constant) = arena.node(residual) else { return None };
    let [(a, x), (b, y)] = terms[..] else { return None };
    let symbols = arena.as_symbol(x).is_some() && arena.as_symbol(y).is_some();
    if !symbols || !constant.is_zero() || a.size() != b.size() {
        return None;
    }
    Some(a.times(b).value() > 0.0 && a.times(b) != Number::ZERO)
}
