//! What is needed for what: dependencies through bindings, and the removal of bindings that nobody needs.

use expr::{Arena, Expr, SymbolId};
use rustc_hash::FxHashMap;

use crate::program::{Binding, Function};

/// What the bindings of a function depend on, found once for all its results. Symbols have numbers here.
pub struct Dependencies {
    symbols: Vec<SymbolId>,
    /// By symbol; [`NOT_THERE`] for those that nothing speaks of.
    numbers: Vec<usize>,
    bindings: Vec<Bound>,
}

const NOT_THERE: usize = usize::MAX;

/// What a binding gives and what it evaluates. The seeds of a nonlinear system speak of the symbols as they were before.
struct Bound {
    unknowns: Vec<usize>,
    inside: Needs,
    before: Needs,
}

/// Some symbols: a list where there are few, bits where there are many.
enum Needs {
    Few(Vec<usize>),
    Many(Bits),
}

impl Needs {
    fn numbers(&self) -> Vec<usize> {
        match self {
            Needs::Few(numbers) => numbers.clone(),
            Needs::Many(bits) => (0..64 * bits.0.len()).filter(|&number| bits.contains(number)).collect(),
        }
    }
}

#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(size: usize) -> Bits {
        Bits(vec![0; size.div_ceil(64)])
    }

    fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    fn extend(&mut self, needs: &Needs) {
        match needs {
            Needs::Few(numbers) => numbers.iter().for_each(|&number| self.insert(number)),
            Needs::Many(bits) => self.join(bits),
        }
    }

    fn join(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }
}

impl Dependencies {
    pub fn new(arena: &Arena, function: &Function) -> Dependencies {
        let evaluated = symbols_of_each(arena, &function.body.iter().flat_map(evaluated).collect::<Vec<_>>());
        let evaluated: Vec<&[Vec<SymbolId>]> = evaluated.chunks(2).collect();
        let results = arena.symbols_in(&function.results);
        let bound = function.body.iter().flat_map(|binding| binding.unknowns());
        // Of a long chain every binding knows half of all symbols, so they are marked, not sorted.
        let mut is_met = vec![false; arena.symbols()];
        let met = evaluated.iter().copied().flatten().flatten().chain(&results).chain(bound);
        met.for_each(|symbol| is_met[symbol.0 as usize] = true);
        let symbols = (0..is_met.len()).filter(|&at| is_met[at]).map(|at| SymbolId(at as u32));
        let symbols: Vec<SymbolId> = symbols.collect();
        let mut numbers = vec![NOT_THERE; arena.symbols()];
        symbols.iter().enumerate().for_each(|(at, symbol)| numbers[symbol.0 as usize] = at);
        let numbered = |list: &[SymbolId]| -> Vec<usize> { list.iter().map(|it| numbers[it.0 as usize]).collect() };
        let needs = |list: &[SymbolId]| match list.len() > symbols.len() / 64 {
            false => Needs::Few(numbered(list)),
            true => {
                let mut bits = Bits::none(symbols.len());
                bits.extend(&Needs::Few(numbered(list)));
                Needs::Many(bits)
            }
        };
        let bindings = function.body.iter().zip(&evaluated).map(|(binding, evaluated)| Bound {
            unknowns: numbered(binding.unknowns()),
            inside: needs(&evaluated[0]),
            before: needs(&evaluated[1]),
        });
        let bindings = bindings.collect();
        Dependencies { symbols, numbers, bindings }
    }

    fn number(&self, symbol: SymbolId) -> Option<usize> {
        self.numbers.get(symbol.0 as usize).copied().filter(|&number| number != NOT_THERE)
    }

    /// Who speaks of whom: a row for each result, then one for each binding that some result needs. Columns are the places of symbols from
    /// outside, of which there are `places`, and after these the bindings. A binding that depends on no such symbol has no column, as what is the
    /// same for everybody joins nobody.
    pub fn links(
        &self,
        arena: &Arena,
        results: &[Expr],
        place: impl Fn(SymbolId) -> Option<usize>,
        places: usize,
    ) -> Vec<Vec<usize>> {
        // The column that each symbol leads to, as far as the function has been read.
        let mut columns: Vec<Option<usize>> = self.symbols.iter().map(|&symbol| place(symbol)).collect();
        let mut given_by = vec![NOT_THERE; self.symbols.len()];
        let mut of_bindings = Vec::new();
        for at in self.bindings_for(arena, results) {
            let Bound { unknowns, inside, before } = &self.bindings[at];
            unknowns.iter().for_each(|&unknown| given_by[unknown] = at);
            let inside = inside.numbers().into_iter().filter(|&number| given_by[number] != at);
            let mut row: Vec<usize> = inside.chain(before.numbers()).filter_map(|number| columns[number]).collect();
            let own = (!row.is_empty()).then_some(places + at);
            row.extend(own);
            of_bindings.extend(own.map(|_| row));
            unknowns.iter().for_each(|&unknown| columns[unknown] = own);
        }
        let column = |symbol: &SymbolId| match self.number(*symbol) {
            Some(number) => columns[number],
            None => place(*symbol),
        };
        let of_result = |&result: &Expr| arena.symbols_in(&[result]).iter().filter_map(column).collect();
        results.iter().map(of_result).chain(of_bindings).collect()
    }

    /// How many bindings there are.
    pub fn bindings(&self) -> usize {
        self.bindings.len()
    }

    /// The places of the bindings that some of the results need, ascending.
    pub fn bindings_for(&self, arena: &Arena, results: &[Expr]) -> Vec<usize> {
        self.trace(arena, results).0
    }

    /// Backwards past the bindings: each that provides something wanted is needed, and what it evaluates is wanted in its place.
    fn trace(&self, arena: &Arena, results: &[Expr]) -> (Vec<usize>, Bits) {
        let mut wanted = Bits::none(self.symbols.len());
        let known = arena.symbols_in(results).into_iter().filter_map(|symbol| self.number(symbol));
        known.for_each(|number| wanted.insert(number));
        let mut needed = Vec::new();
        for (at, bound) in self.bindings.iter().enumerate().rev() {
            if bound.unknowns.iter().any(|&unknown| wanted.contains(unknown)) {
                needed.push(at);
                wanted.extend(&bound.inside);
                bound.unknowns.iter().for_each(|&unknown| wanted.remove(unknown));
                wanted.extend(&bound.before);
            }
        }
        needed.reverse();
        (needed, wanted)
    }
}

/// What a binding evaluates, and its seeds.
fn evaluated(binding: &Binding) -> [Vec<Expr>; 2] {
    match binding {
        Binding::Linear(_) => [binding.expressions(), Vec::new()],
        Binding::Nonlinear(system) => {
            let slopes = system.jacobian.iter().map(|&(_, _, value)| value);
            [system.residuals.iter().copied().chain(slopes).collect(), system.seeds.clone()]
        }
    }
}

/// The symbols in each group of expressions. Many groups that share much are searched together, node by node, for as many symbols at a time
/// as fit into memory: searched one by one, a chain of n links would take n² visits.
fn symbols_of_each(arena: &Arena, groups: &[Vec<Expr>]) -> Vec<Vec<SymbolId>> {
    const FEW: usize = 16;
    const MOST_WORDS: usize = 1 << 22;
    if groups.len() <= FEW {
        return groups.iter().map(|group| arena.symbols_in(group)).collect();
    }
    let nodes = arena.reachable(&groups.concat());
    let place: FxHashMap<Expr, usize> = nodes.iter().enumerate().map(|(at, &node)| (node, at)).collect();
    let children = |&node: &Expr| -> Vec<usize> { arena.node(node).children().iter().map(|it| place[it]).collect() };
    let children: Vec<Vec<usize>> = nodes.iter().map(children).collect();
    let mut symbols: Vec<(usize, SymbolId)> =
        nodes.iter().enumerate().filter_map(|(at, &node)| Some((at, arena.as_symbol(node)?))).collect();
    symbols.sort_unstable_by_key(|&(_, symbol)| symbol);
    let words = (MOST_WORDS / nodes.len().max(1)).clamp(1, symbols.len().div_ceil(64).max(1));
    let mut found = vec![Vec::new(); groups.len()];
    for symbols in symbols.chunks(64 * words) {
        let mut rows = vec![0_u64; nodes.len() * words];
        symbols.iter().enumerate().for_each(|(bit, &(at, _))| rows[at * words + bit / 64] |= 1 << (bit % 64));
        for (at, children) in children.iter().enumerate() {
            let (before, row) = rows.split_at_mut(at * words);
            for &child in children {
                let child = &before[child * words..(child + 1) * words];
                row.iter_mut().zip(child).for_each(|(word, more)| *word |= more);
            }
        }
        for (group, found) in groups.iter().zip(&mut found) {
            let mut all = vec![0_u64; words];
            for root in group {
                let row = &rows[place[root] * words..(place[root] + 1) * words];
                all.iter_mut().zip(row).for_each(|(word, more)| *word |= more);
            }
            let is_in = |bit: usize| all[bit / 64] >> (bit % 64) & 1 == 1;
            found.extend(symbols.iter().enumerate().filter(|&(bit, _)| is_in(bit)).map(|(_, &(_, symbol))| symbol));
        }
    }
    found
}

/// Drops bindings whose unknowns nobody uses. Keeps: what the function computes.
pub fn prune(arena: &Arena, function: &mut Function) {
    let kept = Dependencies::new(arena, function).bindings_for(arena, &function.results);
    let mut at = 0..;
    function.body.retain(|_| at.next().is_some_and(|at| kept.binary_search(&at).is_ok()));
}
