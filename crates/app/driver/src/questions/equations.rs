//! The equations of a system as rows, which of them reach what is asked, and what is steady.

use std::collections::BTreeSet;

use equations::{Level, System};
use expr::{Arena, Expr, Point, Region, SymbolId, evaluate, roots};
use rustc_hash::FxHashMap;
use structure::{Incidence, maximum_matching};

use super::local::matrix;
use super::text::number;

/// An equation `residual = 0`.
#[derive(Clone, Debug)]
pub struct Row {
    pub label: String,
    pub residual: Expr,
}

/// All that holds at one instant.
pub fn rows(system: &System) -> Vec<Row> {
    let laws = system.laws.iter().map(|law| (&law.label, law.residual));
    let motion = system.motion.iter().map(|motion| (&motion.label, motion.residual));
    let kept = [Level::Position, Level::Velocity].into_iter().flat_map(|level| {
        let all = system.constraints.iter();
        all.filter_map(move |it| Some((&it.label, it.at(level)?)))
    });
    let all = laws.chain(motion).chain(kept);
    all.map(|(label, residual)| Row { label: label.clone(), residual }).collect()
}

/// Rates that are zero where some things are steady, with what they are the rates of. What occurs in no equation itself may go on
/// changing: a boat that sails steadily gets somewhere.
pub fn steady(system: &System, rows: &[Row], held: impl Fn(&str) -> bool) -> Vec<(SymbolId, SymbolId)> {
    let arena = &system.arena;
    let used = arena.symbols_in(&rows.iter().map(|row| row.residual).collect::<Vec<_>>());
    let is_used = |symbol: &SymbolId| used.binary_search(symbol).is_ok();
    let mut steady = Vec::new();
    for variable in system.variables.iter().filter(|variable| held(&variable.name)) {
        let mut of = variable.symbol;
        while let Some(rate) = system.clock.known(arena.symbol(of)).and_then(|rate| arena.as_symbol(rate)) {
            if is_used(&variable.symbol) || of != variable.symbol {
                steady.push((rate, of));
            }
            of = rate;
        }
    }
    for speed in system.speeds.iter().filter(|speed| held(&speed.name)) {
        steady.push((speed.acceleration, speed.symbol));
    }
    for coordinate in system.coordinates.iter().filter(|it| held(&it.name) && is_used(&it.symbol)) {
        if let Some(speed) = coordinate.speed {
            steady.push((system.speeds[speed.index()].symbol, coordinate.symbol));
        }
    }
    steady
}

/// The equations that reach what is asked.
pub struct Reach {
    /// Places of rows that determine the unknowns, one each.
    pub rows: Vec<usize>,
    /// Places of rows that speak of these unknowns alone, besides.
    pub extra: Vec<usize>,
    pub unknowns: Vec<SymbolId>,
    /// Unknowns among these that no equation is left for.
    pub open: usize,
}

/// Where expressions are evaluated to see whether equations depend on one another: numbers without a pattern.
const ANYWHERE: [f64; 7] = [0.7310, 1.1929, 0.8637, 1.3761, 0.9542, 1.0873, 1.2688];
/// Pivots below this part of the largest entry of a row are rounding.
const ROUNDING: f64 = 1e-10;
/// What equations that contradict each other are off by at least, relative to what they are made of.
const OFF: f64 = 1e-6;

/// Follows the equations from some expressions, without those that follow from others: Kirchhoff's law at the last node of a circuit says nothing new,
/// and must not be taken for what determines a current.
pub fn independent_reach(arena: &Arena, rows: &[Row], asked: &[Expr], fixed: &dyn Fn(SymbolId) -> bool) -> Reach {
    let mut rows = rows.to_vec();
    loop {
        let reached = reach(arena, &rows, asked, fixed);
        let taken: Vec<Expr> = reached.rows.iter().map(|&row| rows[row].residual).collect();
        let dependent = dependent(arena, &taken, &reached.unknowns);
        if dependent.is_empty() {
            return reached;
        }
        dependent.into_iter().for_each(|at| rows[reached.rows[at]].residual = arena.zero());
    }
}

/// Which of some expressions have derivatives that are combinations of those before; none where a derivative has no value.
fn dependent(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<usize> {
    let point: Point = unknowns.iter().copied().zip(ANYWHERE.iter().copied().cycle()).collect();
    let mut matrix = matrix(arena, rows, unknowns, &point);
    if matrix.iter().flatten().any(|entry| !entry.is_finite()) {
        return Vec::new();
    }
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    let mut dependent = Vec::new();
    for row in 0..matrix.len() {
        let scale = matrix[row].iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        for &(before, column) in &pivots {
            let factor = matrix[row][column] / matrix[before][column];
            let line = matrix[before].clone();
            matrix[row].iter_mut().zip(line).for_each(|(entry, other)| *entry -= factor * other);
        }
        let best = (0..unknowns.len()).max_by(|&a, &b| matrix[row][a].abs().total_cmp(&matrix[row][b].abs()));
        match best.filter(|&column| matrix[row][column].abs() > ROUNDING * scale) {
            Some(column) => pivots.push((row, column)),
            None => dependent.push(row),
        }
    }
    dependent
}

/// An equation that cannot hold, because others determine all that it speaks of.
pub struct Contradiction {
    pub message: String,
    /// Of all equations that have a part in it.
    pub labels: Vec<String>,
}

/// An equation that cannot hold, among those that are connected with what is asked.
pub fn contradicted(
    arena: &Arena,
    rows: &[Row],
    asked: &[Expr],
    fixed: &dyn Fn(SymbolId) -> bool,
    ranges: &Region,
) -> Option<Contradiction> {
    let rows = &connected(arena, rows, asked, fixed)[..];
    let places: FxHashMap<SymbolId, usize> = {
        let all = arena.symbols_in(&rows.iter().map(|row| row.residual).collect::<Vec<_>>());
        all.into_iter().filter(|&symbol| !fixed(symbol)).enumerate().map(|(at, symbol)| (symbol, at)).collect()
    };
    let columns =
        |row: &Row| arena.symbols_in(&[row.residual]).iter().filter_map(|it| places.get(it).copied()).collect();
    let matching = maximum_matching(&Incidence::new(places.len(), rows.iter().map(columns).collect()));
    let left =
        (0..rows.len()).filter(|&row| matching.column_of_row[row].is_none() && !arena.is_zero(rows[row].residual));
    left.into_iter().find_map(|row| {
        let others: Vec<Row> = rows.iter().enumerate().filter(|(at, _)| *at != row).map(|(_, it)| it.clone()).collect();
        let reached = independent_reach(arena, &others, &[rows[row].residual], fixed);
        if reached.open > 0 || reached.unknowns.iter().any(|symbol| !places.contains_key(symbol)) {
            return None;
        }
        let equations: Vec<Expr> = reached.rows.iter().map(|&at| others[at].residual).collect();
        let within = ranges.iter().filter(|(it, _)| reached.unknowns.contains(it)).map(|(&a, &b)| (a, b)).collect();
        let found = roots(arena, &equations, &reached.unknowns, &[], &within);
        let off = |root: &Vec<f64>| {
            let point: Point = reached.unknowns.iter().copied().zip(root.iter().copied()).collect();
            (evaluate(arena, rows[row].residual, &point).abs(), root.iter().fold(1.0, |most: f64, x| most.max(x.abs())))
        };
        let offs: Vec<(f64, f64)> = found.points.iter().map(off).collect();
        let fails = found.complete && !offs.is_empty() && offs.iter().all(|(off, scale)| *off > OFF * scale);
        let names: Vec<&str> = reached.rows.iter().map(|&at| others[at].label.as_str()).collect();
        fails.then(|| {
            // Nothing of it is open: a rate that is held, and a law that says what it is.
            let message = match names.is_empty() {
                true => format!("`{}` cannot hold: nothing in it is left open, and its sides differ", rows[row].label),
                false => format!("`{}` contradicts {}", rows[row].label, names.join(", ")),
            };
            let labels = names.iter().map(ToString::to_string).chain([rows[row].label.clone()]).collect();
            Contradiction { message, labels }
        })
    })
}

/// What goes on changing for ever: a rate is determined and not zero, and nothing depends on what it is the rate of.
pub fn endless(
    system: &System,
    rows: &[Row],
    unknowns: &[SymbolId],
    fixed: &dyn Fn(SymbolId) -> bool,
    ranges: &Region,
) -> Option<String> {
    let arena = &system.arena;
    system.variables.iter().filter(|variable| unknowns.contains(&variable.symbol)).find_map(|variable| {
        let rate = system.clock.known(arena.symbol(variable.symbol)).and_then(|rate| arena.as_symbol(rate))?;
        let reached = independent_reach(arena, rows, &[arena.symbol(rate)], fixed);
        if reached.open > 0 {
            return None;
        }
        let equations: Vec<Expr> = reached.rows.iter().map(|&at| rows[at].residual).collect();
        let within = ranges.iter().filter(|(it, _)| reached.unknowns.contains(it)).map(|(&a, &b)| (a, b)).collect();
        let found = roots(arena, &equations, &reached.unknowns, &[], &within);
        let at = reached.unknowns.iter().position(|it| *it == rate)?;
        let [only] = &found.points[..] else { return None };
        let unit = variable.dimension.over(base::Dimension::TIME)?.unit();
        let verb = if only[at] > 0.0 { "rises" } else { "falls" };
        let size = number(only[at].abs());
        (found.complete && only[at] != 0.0)
            .then(|| format!("`{}` {verb} by {size} {unit} for ever, for nothing depends on what it is", variable.name))
    })
}

/// Equations that share unknowns with what is asked, directly or through others, and those that speak of no unknown at all.
fn connected(arena: &Arena, rows: &[Row], asked: &[Expr], fixed: &dyn Fn(SymbolId) -> bool) -> Vec<Row> {
    let unknowns = |expr: Expr| arena.symbols_in(&[expr]).into_iter().filter(|&symbol| !fixed(symbol));
    let mut of_symbol: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
    for (at, row) in rows.iter().enumerate() {
        unknowns(row.residual).for_each(|symbol| of_symbol.entry(symbol).or_default().push(at));
    }
    let mut taken: Vec<bool> = rows.iter().map(|row| unknowns(row.residual).next().is_none()).collect();
    let mut waiting: Vec<SymbolId> = asked.iter().flat_map(|&expr| unknowns(expr)).collect();
    while let Some(symbol) = waiting.pop() {
        for at in of_symbol.remove(&symbol).unwrap_or_default() {
            if !std::mem::replace(&mut taken[at], true) {
                waiting.extend(unknowns(rows[at].residual));
            }
        }
    }
    rows.iter().zip(taken).filter(|(_, taken)| *taken).map(|(row, _)| row.clone()).collect()
}

/// Follows the equations from some expressions: each unknown in them needs an equation, whose unknowns need others.
fn reach(arena: &Arena, rows: &[Row], asked: &[Expr], fixed: &dyn Fn(SymbolId) -> bool) -> Reach {
    let all: Vec<Expr> = rows.iter().map(|row| row.residual).chain(asked.iter().copied()).collect();
    let symbols: Vec<SymbolId> = arena.symbols_in(&all).into_iter().filter(|&symbol| !fixed(symbol)).collect();
    let places = |expr: Expr| -> Vec<usize> {
        arena.symbols_in(&[expr]).iter().filter_map(|symbol| symbols.binary_search(symbol).ok()).collect()
    };
    let incidence = Incidence::new(symbols.len(), rows.iter().map(|row| places(row.residual)).collect());
    let matching = maximum_matching(&incidence);
    // Where equations one after the other lead to what is asked, the fewest are taken. Elsewhere they have to be solved together, and
    // what a matching reaches is the smallest set that determines itself.
    let chained = fewest(&incidence);
    let follows = asked.iter().flat_map(|&asked| places(asked)).all(|column| chained[column].is_some());
    let row_of = |column: usize| if follows { chained[column] } else { matching.row_of_column[column] };
    let mut wanted = vec![false; symbols.len()];
    let mut waiting: Vec<usize> = asked.iter().flat_map(|&asked| places(asked)).collect();
    let mut taken: Vec<usize> = Vec::new();
    let mut open = 0;
    while let Some(column) = waiting.pop() {
        if std::mem::replace(&mut wanted[column], true) {
            continue;
        }
        match row_of(column) {
            Some(row) => {
                taken.push(row);
                waiting.extend(incidence.row(row));
            }
            None => open += 1,
        }
    }
    taken.sort_unstable();
    let about = |row: &usize| incidence.row(*row).iter().all(|&column| wanted[column]);
    let is_said = |row: &usize| !incidence.row(*row).is_empty() || !arena.is_zero(rows[*row].residual);
    let extra = (0..rows.len()).filter(|row| !taken.contains(row) && about(row) && is_said(row)).collect();
    let unknowns = (0..symbols.len()).filter(|&at| wanted[at]).map(|at| symbols[at]).collect();
    Reach { rows: taken, extra, unknowns, open }
}

/// For each unknown the equation that gives it from others that are known by then, by a way of the fewest equations; of ways that are
/// equally long, the one that stands first. None where equations have to be solved together.
fn fewest(incidence: &Incidence) -> Vec<Option<usize>> {
    let rows = incidence.rows();
    let mut row_of: Vec<Option<usize>> = vec![None; incidence.columns()];
    let mut cost: Vec<Option<usize>> = vec![None; incidence.columns()];
    let of_column = incidence.transposed();
    let mut open: Vec<usize> = (0..rows).map(|row| incidence.row(row).len()).collect();
    // Cheapest first, as Dijkstra's method goes through a graph: a row is ready when one of its unknowns is left.
    let mut ready: BTreeSet<(usize, usize)> = (0..rows).filter(|&row| open[row] == 1).map(|row| (1, row)).collect();
    while let Some((price, row)) = ready.pop_first() {
        let Some(&column) = incidence.row(row).iter().find(|&&column| cost[column].is_none()) else { continue };
        (cost[column], row_of[column]) = (Some(price), Some(row));
        for &next in of_column.row(column) {
            open[next] -= 1;
            if open[next] == 1 {
                let known: usize = incidence.row(next).iter().filter_map(|&column| cost[column]).sum();
                ready.insert((known + 1, next));
            }
        }
    }
    row_of
}
