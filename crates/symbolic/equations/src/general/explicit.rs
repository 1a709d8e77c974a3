//! Definitions: equations that say outright what a variable is.

use expr::{Differentiator, Expr, Substitution, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::eliminate::renumber;
use super::{GeneralForm, Place, Places, Replaced, Role};

/// Replaces variables by what some of the equations say they are: `x == f(y, y', …)`. Needs: the general form, and which equations may
/// be used up. Gives: fewer quantities; how many were replaced. Keeps: the set of solutions, and the replaced quantities as expressions
/// of the others.
///
/// Meant for equations that would have to be differentiated: then `x` and its derivatives would be states beside those of `f`, and
/// constraints would have to keep them together.
pub fn eliminate_explicit(form: &mut GeneralForm, equations: &[usize]) -> usize {
    let places = form.places();
    let mut definitions = Definitions { value: FxHashMap::default(), order: Vec::new() };
    let mut used: FxHashSet<usize> = FxHashSet::default();
    for &at in equations {
        let residual = definitions.now(form, &places, form.equations[at].residual);
        if let Some((quantity, value)) = definition(form, &places, residual) {
            definitions.value.insert(quantity, value);
            definitions.order.push(quantity);
            used.insert(at);
        }
    }
    let count = used.len();
    if count > 0 {
        let mut at = 0..;
        form.equations.retain(|_| at.next().is_some_and(|at| !used.contains(&at)));
        definitions.finish(form);
    }
    count
}

/// Sets quantities to zero. Needs: nobody who notices. Gives: a form without them. Keeps: them as expressions of the others.
pub fn eliminate_idle(form: &mut GeneralForm, quantities: Vec<usize>) {
    let zero = form.arena.zero();
    Definitions { value: quantities.iter().map(|&quantity| (quantity, zero)).collect(), order: quantities }
        .finish(form);
}

/// A definition may speak of so many symbols at most: beyond that everything would depend on everything.
const MOST_SYMBOLS: usize = 24;
/// And be so long.
const MOST_NODES: usize = 1500;

struct Definitions {
    value: FxHashMap<usize, Expr>,
    /// The quantities in the order in which they were replaced; a definition may speak of quantities that are replaced after it.
    order: Vec<usize>,
}

impl Definitions {
    /// An expression in terms of what has not been replaced yet.
    fn now(&self, form: &mut GeneralForm, places: &Places, expr: Expr) -> Expr {
        let arena = form.arena.clone();
        let mut now = expr;
        loop {
            let mut replaced = Vec::new();
            for symbol in arena.symbols_in(&[now]) {
                let Some(Place::Derivative { quantity, order }) = places.get(symbol) else { continue };
                let Some(&value) = self.value.get(&quantity) else { continue };
                let by = (0..order).fold(value, |value, _| form.clock.derivative(&arena, value));
                replaced.push((arena.symbol(symbol), by));
            }
            if replaced.is_empty() {
                return now;
            }
            now = Substitution::new(replaced).apply(&arena, now);
        }
    }

    /// Rewrites the form, from the last definition to the first, so that each speaks only of what is left.
    fn finish(self, form: &mut GeneralForm) {
        let arena = form.arena.clone();
        let mut final_ = Substitution::default();
        let mut pairs = Vec::new();
        for &quantity in self.order.iter().rev() {
            let mut value = final_.apply(&arena, self.value[&quantity]);
            let row = form.quantities[quantity].clone();
            let (symbol, start) = (row.chain[0], row.start);
            form.replaced.push(Replaced { name: row.name, symbol, by: value, start, span: row.span });
            for &symbol in &row.chain {
                final_.insert(arena.symbol(symbol), value);
                pairs.push((arena.symbol(symbol), value));
                value = form.clock.derivative(&arena, value);
            }
        }
        for equation in form.equations.iter_mut().chain(&mut form.initial) {
            equation.residual = final_.apply(&arena, equation.residual);
        }
        for (_, by) in &mut form.replacements {
            *by = final_.apply(&arena, *by);
        }
        for replaced in &mut form.replaced {
            replaced.by = final_.apply(&arena, replaced.by);
        }
        form.replacements.extend(pairs);
        let gone = |quantity: usize| self.value.contains_key(&quantity);
        renumber(form, &(0..form.quantities.len()).map(gone).collect::<Vec<bool>>());
        form.refresh_chains();
    }
}

/// The variable that a residual defines, and its value: one that occurs in it once, by itself and with a number for a factor. If there
/// are several, the last.
fn definition(form: &GeneralForm, places: &Places, residual: Expr) -> Option<(usize, Expr)> {
    let arena = &form.arena;
    let symbols: Vec<(SymbolId, Place)> =
        arena.symbols_in(&[residual]).into_iter().filter_map(|symbol| Some((symbol, places.get(symbol)?))).collect();
    if symbols.len() > MOST_SYMBOLS || arena.reachable(&[residual]).len() > MOST_NODES {
        return None;
    }
    for &(symbol, place) in symbols.iter().rev() {
        let Place::Derivative { quantity, order: 0 } = place else { continue };
        let row = &form.quantities[quantity];
        let of_it = |(_, place): &&(SymbolId, Place)| matches!(place, Place::Derivative { quantity: other, .. } if *other == quantity);
        let alone = symbols.iter().filter(of_it).count() == 1;
        if row.role != Role::Variable || !alone {
            continue;
        }
        let unknown = arena.symbol(symbol);
        let slope = Differentiator::by(arena, unknown).derivative(arena, residual);
        if arena.is_zero(slope) || arena.as_number(slope).is_none() {
            continue;
        }
        let rest = Substitution::new([(unknown, arena.zero())]).apply(arena, residual);
        return Some((quantity, arena.negate(arena.divide(rest, slope))));
    }
    None
}
