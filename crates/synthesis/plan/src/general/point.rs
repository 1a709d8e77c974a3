//! Points with nothing special about them but that the constraints on the states hold there, as far as these are small enough to
//! be solved at compile time.

use equations::{Equation, GeneralForm, Mechanism, Role, System, is_priced, without_limits};
use expr::{Arena, Expr, Point, SymbolId, Tape, jacobian};

use super::PlannedRow;
use base::Random;

use crate::generic::Manifold;
use crate::sparse::SparseRow;

/// How many points are looked at, and at how many if there are many symbols.
const POINTS: u64 = 3;
const POINTS_OF_MANY: u64 = 1;
const MANY: usize = 3000;
/// Larger groups of constraints are left as they are.
const LARGEST: usize = 60;

/// Points of a mechanism that is solved by itself, as it shares them with the laws.
pub fn given(system: &System, apart: &Mechanism, moved: &[Point]) -> Vec<Point> {
    let shared = system.controls.iter().map(|control| control.symbol).chain([system.time]);
    let shared: Vec<SymbolId> = shared.chain(apart.symbols(system)).collect();
    let restricted =
        |point: &Point| shared.iter().filter_map(|symbol| Some((*symbol, *point.get(symbol)?))).collect::<Point>();
    if apart.coordinates.is_empty() { Vec::new() } else { moved.iter().map(restricted).collect() }
}

/// Everything of a mechanism that changes with time, and the rates of that.
pub fn moving(system: &System, form: &GeneralForm, apart: &Mechanism) -> Vec<SymbolId> {
    let arena = &form.arena;
    let rate = |&symbol: &SymbolId| arena.as_symbol(form.clock.known(arena.symbol(symbol))?);
    let mut symbols = apart.symbols(system);
    let accelerations = apart.acceleration_symbols(system);
    symbols.extend(accelerations.iter().flat_map(|symbol| std::iter::successors(rate(symbol), rate)));
    symbols
}

pub fn points(
    system: &System,
    form: &GeneralForm,
    (orders, rows): (&[usize], &[PlannedRow]),
    given: &[Point],
) -> Vec<Point> {
    let symbols: usize = form.quantities.iter().map(|quantity| quantity.chain.len()).sum();
    let count = if symbols > MANY { POINTS_OF_MANY } else { POINTS };
    let count = if given.is_empty() { count } else { count.min(given.len() as u64) };
    let mut points: Vec<Point> = (0..count).map(|seed| anywhere(system, form, given, seed)).collect();
    for (equations, unknowns) in levels(form, orders, rows) {
        let residuals: Vec<Expr> = equations.iter().map(|equation| equation.residual).collect();
        let manifold = Manifold::new(&form.arena, &residuals, unknowns, LARGEST);
        for point in &mut points {
            manifold.approach(point);
        }
    }
    points
}

/// The constraints on the states, level by level, each with the states that are moved to satisfy it: equations that were differentiated
/// m times more are solved for derivatives that are m times lower, given all that are lower still (the stages of Pryce's Σ-method).
pub fn levels(form: &GeneralForm, orders: &[usize], rows: &[PlannedRow]) -> Vec<(Vec<Equation>, Vec<SymbolId>)> {
    let deepest = rows.iter().map(PlannedRow::times).max().unwrap_or(0);
    let turning = form.turns.iter().filter_map(|turn| turn.speeds.iter().map(|&speed| orders[speed]).min());
    let deepest = turning.clone().max().unwrap_or(0).max(deepest);
    let level = |below: usize| {
        let constraint = |row: &PlannedRow| {
            let residual = row.levels[row.times().checked_sub(below)?];
            Some(Equation { label: row.label.clone(), residual, span: row.span })
        };
        let mut equations: Vec<Equation> = rows.iter().filter_map(constraint).collect();
        let states = form.quantities.iter().zip(orders).filter(|(quantity, _)| quantity.role != Role::Constant);
        let states = states.filter_map(|(quantity, order)| quantity.at(order.checked_sub(below)?));
        let mut states: Vec<SymbolId> = states.collect();
        for (turn, _) in form.turns.iter().zip(turning.clone()).filter(|(_, order)| *order == below) {
            states.extend(turn.coordinates.iter().map(|coordinate| coordinate.symbol));
            equations.extend(turn.invariants.iter().cloned());
        }
        let residuals: Vec<Expr> = equations.iter().map(|equation| equation.residual).collect();
        let mentioned = form.arena.symbols_in(&residuals);
        states.retain(|state| mentioned.binary_search(state).is_ok());
        (equations, states)
    };
    (1..=deepest).rev().map(level).filter(|(equations, _)| !equations.is_empty()).collect()
}

/// A point at which nothing holds but by accident, except what is given.
pub fn anywhere(system: &System, form: &GeneralForm, given: &[Point], seed: u64) -> Point {
    let mut random = Random::new(seed);
    let mut point = Point::default();
    point.insert(system.time, random.between(0.1, 0.9));
    point.extend(system.parameters.iter().map(|parameter| (parameter.symbol, parameter.default)));
    point.extend(system.controls.iter().map(|control| (control.symbol, control.default + random.between(0.1, 0.3))));
    let near = |start: f64, random: &mut Random| {
        let spread = 0.3 + 0.05 * start.abs();
        start + random.between(-spread, spread)
    };
    let guesses = form.turns.iter().flat_map(|turn| &turn.coordinates).map(|row| (row.symbol, Some(row.guess)));
    let starts = form.quantities.iter().filter(|quantity| quantity.role != Role::Turning);
    let starts: Vec<(SymbolId, Option<Expr>)> =
        starts.map(|quantity| (quantity.chain[0], quantity.start)).chain(guesses).collect();
    let known: Vec<Expr> = starts.iter().map(|(_, start)| start.unwrap_or(form.arena.zero())).collect();
    for ((symbol, start), value) in starts.iter().zip(Tape::new(&form.arena, &known).run(&point)) {
        let value = match start {
            Some(_) if value.is_finite() => near(value, &mut random),
            _ => random.between(0.3, 1.3),
        };
        point.insert(*symbol, value);
    }
    for &symbol in form.quantities.iter().flat_map(|quantity| &quantity.chain) {
        let value = random.between(-1.0, 1.0);
        point.entry(symbol).or_insert(value);
    }
    if let Some(given) = given.get(seed as usize) {
        point.extend(given.iter().map(|(&symbol, &value)| (symbol, value)));
    }
    point
}

/// The slopes of some rows by some unknowns at a point. Where one has no value there it is unknown, and counts as a number that has nothing to
/// do with any other: what is unknown must not make rows depend on one another, and leave something open.
pub fn slopes(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId], point: &Point) -> Vec<SparseRow> {
    let rows: Vec<Expr> =
        rows.iter().map(|&row| if is_priced(arena, row) { without_limits(arena, row) } else { row }).collect();
    let entries = jacobian(arena, &rows, unknowns);
    let values: Vec<Expr> = entries.iter().map(|&(_, _, slope)| slope).collect();
    let mut matrix = vec![Vec::new(); rows.len()];
    let mut unknown = Random::new(1);
    for (&(row, column, _), value) in entries.iter().zip(Tape::new(arena, &values).run(point)) {
        matrix[row].push((column, if value.is_finite() { value } else { unknown.between(0.5, 1.0) }));
    }
    matrix
}
