//! The start: what the equations and the initial conditions say of it, and what has to be assumed besides.
//!
//! The unknowns are all states, and those highest derivatives that initial conditions speak of. Eliminating the equations for them, those
//! states last that may be assumed, leaves as many of these open as there is a choice. They start where they are said to, or at
//! zero. Positions and velocities of bodies are not assumed but stay as near to their guesses, and to rest, as they can.

use base::{Diagnostic, Diagnostics, Span, listed};
use equations::{ConstraintId, Equation, Level, Mechanism, Replaced, Role, System};
use expr::{Expr, Point, SymbolId, Tape};
use rustc_hash::{FxHashMap, FxHashSet};
use structure::{Incidence, Matching, connected_components, decompose, extend_matching, order_blocks};

use super::print::grouped;
use super::{Candidates, LawPlan, point};
use crate::codes;
use crate::sparse::{SparseRow, eliminate};

/// How the start is found.
#[derive(Clone, Debug, Default)]
pub struct StartPlan {
    /// What starts by itself, nearest to its guesses and to rest: a mechanism, or the part of it that laws do not speak of,
    pub mechanism: Mechanism,
    /// with what is said of its start.
    pub stated: Vec<(Level, Equation)>,
    pub assumed: Vec<Assumed>,
    pub rows: Vec<Equation>,
    /// In the order in which they can be solved.
    pub blocks: Vec<StartBlock>,
    /// Where the search for each unknown begins.
    pub seeds: FxHashMap<SymbolId, Expr>,
}

/// A state that starts where nothing but its declaration, or nothing at all, says.
#[derive(Clone, Debug)]
pub struct Assumed {
    pub name: String,
    pub symbol: SymbolId,
    pub value: Expr,
    /// Whether the author said so.
    pub stated: bool,
    pub span: Span,
}

/// Rows that are solved together.
#[derive(Clone, Debug)]
pub struct StartBlock {
    pub rows: Vec<usize>,
    pub unknowns: Vec<SymbolId>,
    /// Whether the rows determine the unknowns. Otherwise the nearest solution to the seeds is meant, and rows that follow from others
    /// are tolerated.
    pub square: bool,
}

/// A number that is sought at the start.
pub(super) struct Unknown {
    pub name: String,
    pub symbol: SymbolId,
    start: Option<Expr>,
    pub kind: Kind,
    /// A position of a body.
    is_position: bool,
    /// Of a mechanism that is solved by itself.
    apart: bool,
    /// Columns of a lower class are solved for before those of a higher one may be.
    class: usize,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Follows from the states.
    Leading,
    Constant,
    /// A position or velocity of a body.
    Mechanical,
    Free,
}

impl Unknown {
    /// One that is no state but has a value.
    pub(super) fn free(name: &str, symbol: SymbolId, span: Span) -> Unknown {
        let (name, kind) = (name.to_string(), Kind::Free);
        Unknown { name, symbol, start: None, kind, is_position: false, apart: false, class: 0, span }
    }
}

impl StartPlan {
    /// Of a system in which a mechanism is all there is.
    pub fn of_mechanism(system: &System, whole: &Mechanism) -> StartPlan {
        let stated = system.initial.iter().map(|row| {
            let equation = Equation { label: row.label.clone(), residual: row.residual, span: row.span };
            (row.level, equation)
        });
        StartPlan { mechanism: whole.clone(), stated: stated.collect(), ..StartPlan::default() }
    }
}

pub fn start(
    system: &System,
    (plan, apart, redundant): (&LawPlan, &Mechanism, &[ConstraintId]),
    statics: Vec<Equation>,
    (points, candidates): (&[Point], Candidates<'_>),
    sink: &mut Diagnostics,
) -> Option<StartPlan> {
    let leading = leading_blocks(plan, &plan.form.initial);
    let first_stated = state_rows(plan).len() + statics.len();
    let mut rows = rows(plan, statics, &leading);
    rows.extend(constraint_rows(system, apart, redundant));
    let unknowns = unknowns(system, (plan, apart), &leading);
    let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
    let symbols: Vec<SymbolId> = unknowns.iter().map(|unknown| unknown.symbol).collect();
    let incidence = Incidence::new(symbols.len(), expr::occurrences(&system.arena, &residuals, &symbols));
    if !settled_rows_hold(system, &rows, &incidence, points.first()?, sink) {
        return None;
    }
    let (mechanical, mixed): (Vec<Part>, Vec<Part>) = connected_components(&incidence)
        .into_iter()
        .partition(|(_, columns)| columns.iter().all(|&column| unknowns[column].kind == Kind::Mechanical));
    let (alone, mechanical): (Vec<Part>, Vec<Part>) =
        mechanical.into_iter().partition(|(_, columns)| columns.iter().all(|&column| unknowns[column].apart));
    let mechanical = joined(mechanical);
    let (mixed_rows, mixed_columns) = joined(mixed);
    let classes: Vec<usize> = unknowns.iter().map(|unknown| unknown.class).collect();
    let is_mixed = |column: &usize| mixed_columns.binary_search(column).is_ok();
    let look = |point: &Point| {
        let matrix = point::slopes(&system.arena, &residuals, &symbols, point);
        let elimination = eliminate(&restricted(&matrix, &mixed_rows), &classes);
        let open: Vec<usize> = elimination.open_columns.iter().copied().filter(is_mixed).collect();
        assumed(system, &unknowns, &open).map(|assumed| (elimination, assumed))
    };
    // A rank is never too high, but may be too low where an exponential drowns everything beside it.
    let (elimination, assumed) = match points.iter().find_map(|point| look(point).ok()) {
        Some(found) => found,
        None => {
            let lacking = look(points.first()?).err().unwrap_or_default();
            report_lacking(&lacking, candidates, sink);
            return None;
        }
    };
    let known: FxHashSet<SymbolId> = assumed.iter().map(|row| row.symbol).collect();
    let sought: Vec<usize> = mixed_columns.into_iter().filter(|&column| !known.contains(&symbols[column])).collect();
    let pivots: Vec<(usize, usize)> =
        elimination.pivots.iter().map(|&(row, column)| (mixed_rows[row], column)).collect();
    let mut blocks = staged(&unknowns, &incidence, mechanical);
    blocks.extend(ordered(&unknowns, &incidence, (mixed_rows, sought), &pivots));
    let seeds = unknowns.iter().filter_map(|unknown| Some((unknown.symbol, unknown.start?))).collect();
    let (alone_rows, alone_columns) = joined(alone);
    let mechanism = part_of(system, apart, &alone_columns.into_iter().map(|column| symbols[column]).collect());
    let said = |row: &usize| (first_stated..first_stated + plan.form.initial.len()).contains(row);
    let stated = alone_rows.iter().filter(|row| said(row));
    let stated = stated.map(|&row| (level(system, row - first_stated, residuals[row]), rows[row].clone())).collect();
    Some(StartPlan { mechanism, stated, assumed, rows, blocks, seeds })
}

/// The part of a mechanism that some positions and velocities are, with the constraints that speak of nothing else.
fn part_of(system: &System, whole: &Mechanism, symbols: &FxHashSet<SymbolId>) -> Mechanism {
    let moving: FxHashSet<SymbolId> =
        [whole.coordinate_symbols(system), whole.speed_symbols(system)].concat().into_iter().collect();
    let inside = |id: &ConstraintId| {
        let row = &system.constraints[id.index()];
        let levels: Vec<Expr> =
            [Level::Position, Level::Velocity].into_iter().filter_map(|level| row.at(level)).collect();
        system.arena.symbols_in(&levels).iter().all(|symbol| !moving.contains(symbol) || symbols.contains(symbol))
    };
    let Mechanism { coordinates, speeds, constraints } = whole;
    Mechanism {
        coordinates: coordinates
            .iter()
            .copied()
            .filter(|id| symbols.contains(&system.coordinates[id.index()].symbol))
            .collect(),
        speeds: speeds.iter().copied().filter(|id| symbols.contains(&system.speeds[id.index()].symbol)).collect(),
        constraints: constraints.iter().copied().filter(inside).collect(),
    }
}

/// What an initial condition speaks of, once definitions stand in it.
fn level(system: &System, stated: usize, now: Expr) -> Level {
    let before = &system.initial[stated];
    let speeds = system.speed_symbols();
    let of_velocities = || system.arena.symbols_in(&[now]).iter().any(|symbol| speeds.contains(symbol));
    match before.residual == now {
        true => before.level,
        false if of_velocities() => Level::Velocity,
        false => Level::Position,
    }
}

/// Whether rows in which everything is known hold at the start; reports those that do not.
fn settled_rows_hold(
    system: &System,
    rows: &[Equation],
    incidence: &Incidence,
    point: &Point,
    sink: &mut Diagnostics,
) -> bool {
    // In the unit of the equation: values that the text gives agree to its digits, or somebody meant something else.
    // Test: values_that_differ_by_rounding_are_one_at_the_start
    const NOTICEABLE: f64 = 1e-9;
    let mut start = point.clone();
    start.insert(system.time, 0.0);
    let settled: Vec<&Equation> =
        rows.iter().enumerate().filter(|(at, _)| incidence.row(*at).is_empty()).map(|(_, row)| row).collect();
    let residuals: Vec<Expr> = settled.iter().map(|row| row.residual).collect();
    let mut fine = true;
    for (row, value) in settled.iter().zip(Tape::new(&system.arena, &residuals).run(&start)) {
        // What has no value here speaks of something that is found while the scene runs.
        if value.is_finite() && value.abs() > NOTICEABLE {
            let message = format!("`{}` cannot hold at the start", row.label);
            sink.report(
                Diagnostic::error(codes::CONTRADICTING_CONSTRAINTS, message)
                    .at(row.span, format!("what it speaks of is known already; this leaves it off by {value}"))
                    .hint("drop it, or change what the other equations say"),
            );
            fine = false;
        }
    }
    fine
}

/// Some rows and some columns.
pub(super) type Part = (Vec<usize>, Vec<usize>);

fn joined(parts: Vec<Part>) -> Part {
    let (rows, columns): (Vec<Vec<usize>>, Vec<Vec<usize>>) = parts.into_iter().unzip();
    let (mut rows, mut columns) = (rows.concat(), columns.concat());
    rows.sort_unstable();
    columns.sort_unstable();
    (rows, columns)
}

pub(super) fn restricted(matrix: &[SparseRow], rows: &[usize]) -> Vec<SparseRow> {
    rows.iter().map(|&row| matrix[row].clone()).collect()
}

/// Where open columns start; or those that have to be known.
fn assumed<'u>(system: &System, unknowns: &'u [Unknown], open: &[usize]) -> Result<Vec<Assumed>, Vec<&'u Unknown>> {
    let (mut assumed, mut lacking) = (Vec::new(), Vec::new());
    for unknown in open.iter().map(|&column| &unknowns[column]) {
        let value = unknown.start.unwrap_or(system.arena.zero());
        let Unknown { name, symbol, span, .. } = unknown;
        let row = Assumed { name: name.clone(), symbol: *symbol, value, stated: unknown.start.is_some(), span: *span };
        match unknown.kind {
            Kind::Free => assumed.push(row),
            Kind::Constant if unknown.start.is_some() => assumed.push(row),
            Kind::Constant | Kind::Leading => lacking.push(unknown),
            Kind::Mechanical => {}
        }
    }
    if lacking.is_empty() { Ok(assumed) } else { Err(lacking) }
}

/// The blocks, differentiated so many times further, whose unknowns are sought at the start: those that the stated equations speak of,
/// those that are solved by iteration and need a place to begin, and what these need.
pub(super) fn leading_blocks(plan: &LawPlan, stated: &[Equation]) -> Vec<(usize, usize)> {
    let form = &plan.form;
    let places = form.places();
    let mut block_of = vec![usize::MAX; form.quantities.len()];
    for (number, block) in plan.blocks.iter().enumerate() {
        block.quantities.iter().for_each(|&quantity| block_of[quantity] = number);
    }
    let leading = |(quantity, order): (usize, usize)| {
        let times = order.checked_sub(plan.orders[quantity])?;
        (form.quantities[quantity].role != Role::Constant).then(|| (times, block_of[quantity]))
    };
    let stated = stated.iter().flat_map(|equation| form.mentions(&places, equation.residual));
    let mut open: Vec<(usize, usize)> = stated.filter_map(leading).collect();
    open.extend((0..plan.blocks.len()).filter(|&block| !plan.blocks[block].linear).map(|block| (0, block)));
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
    while let Some((times, block)) = open.pop() {
        if !seen.insert((times, block)) {
            continue;
        }
        found.push((times, block));
        let residuals = residuals_of(plan, times, block);
        open.extend(residuals.into_iter().flat_map(|residual| form.mentions(&places, residual)).filter_map(leading));
        open.extend((times > 0).then(|| (times - 1, block)));
    }
    found.sort_unstable();
    found
}

/// The equations of a block, differentiated so many times further.
fn residuals_of(plan: &LawPlan, times: usize, block: usize) -> Vec<Expr> {
    match times {
        0 => plan.blocks[block].rows.iter().map(|&row| plan.rows[row].leading()).collect(),
        _ => {
            let further = plan.further.iter().find(|further| (further.times, further.block) == (times, block));
            further.map_or(Vec::new(), |further| further.residuals.clone())
        }
    }
}

fn rows(plan: &LawPlan, statics: Vec<Equation>, leading: &[(usize, usize)]) -> Vec<Equation> {
    let mut rows = state_rows(plan);
    rows.extend(statics.iter().chain(&plan.form.initial).cloned());
    // What was replaced may have a start of its own to be heard.
    let definition = |replaced: &Replaced| {
        let arena = &plan.form.arena;
        let residual = arena.subtract(arena.symbol(replaced.symbol), replaced.by);
        let label = format!("definition of {}", replaced.name);
        replaced.start.map(|_| Equation { label, residual, span: replaced.span })
    };
    rows.extend(plan.form.replaced.iter().filter_map(definition));
    rows.extend(leading_rows(plan, leading));
    rows
}

/// All that has to hold at the start, but for equations between constants.
pub(crate) fn start_rows(plan: &LawPlan) -> Vec<Expr> {
    rows(plan, Vec::new(), &leading_blocks(plan, &plan.form.initial)).into_iter().map(|row| row.residual).collect()
}

/// What a mechanism that is solved by itself says of positions and velocities.
fn constraint_rows(system: &System, apart: &Mechanism, redundant: &[ConstraintId]) -> Vec<Equation> {
    let constraints = apart.constraints.iter().filter(|id| !redundant.contains(id));
    let rows = constraints.map(|id| &system.constraints[id.index()]).flat_map(|row| {
        let levels = [Level::Position, Level::Velocity].into_iter().filter_map(|level| row.at(level));
        levels.map(|residual| Equation { label: row.label.clone(), residual, span: row.span }).collect::<Vec<_>>()
    });
    rows.collect()
}

/// What the equations say of the states alone.
pub(super) fn state_rows(plan: &LawPlan) -> Vec<Equation> {
    let lower = plan.rows.iter().flat_map(|planned| {
        let row = |&residual| Equation { label: planned.label.clone(), residual, span: planned.span };
        planned.levels[..planned.times()].iter().map(row)
    });
    lower.chain(plan.form.turns.iter().flat_map(|turn| turn.invariants.iter().cloned())).collect()
}

/// What some blocks say.
pub(super) fn leading_rows(plan: &LawPlan, leading: &[(usize, usize)]) -> Vec<Equation> {
    let rows = leading.iter().flat_map(|&(times, block)| {
        let origins = plan.blocks[block].rows.iter().map(|&at| &plan.rows[at]);
        origins.zip(residuals_of(plan, times, block)).map(|(planned, residual)| Equation {
            label: planned.label.clone(),
            residual,
            span: planned.span,
        })
    });
    rows.collect()
}

/// Positions and velocities of a mechanism that is solved by itself.
fn moving(system: &System, apart: &Mechanism, highest: usize) -> Vec<Unknown> {
    let positions = apart.coordinates.iter().map(|id| {
        let row = &system.coordinates[id.index()];
        (row.name.clone(), row.symbol, Some(row.guess), row.span)
    });
    let velocities = apart.speeds.iter().map(|id| {
        let row = &system.speeds[id.index()];
        (row.name.clone(), row.symbol, None, row.span)
    });
    let unknown = |order: usize, (name, symbol, start, span): (String, SymbolId, Option<Expr>, Span)| {
        let (kind, class) = (Kind::Mechanical, 3 + 2 * highest - order);
        Unknown { name, symbol, start, kind, is_position: order == 0, apart: true, class, span }
    };
    positions.map(|row| unknown(0, row)).chain(velocities.map(|row| unknown(1, row))).collect()
}

pub(super) fn unknowns(
    system: &System,
    (plan, apart): (&LawPlan, &Mechanism),
    leading: &[(usize, usize)],
) -> Vec<Unknown> {
    let form = &plan.form;
    let highest = plan.orders.iter().copied().chain([2]).max().unwrap_or(2);
    let mut unknowns = states(plan, highest);
    for replaced in form.replaced.iter().filter(|replaced| replaced.start.is_some()) {
        unknowns.push(Unknown {
            name: replaced.name.clone(),
            symbol: replaced.symbol,
            start: replaced.start,
            kind: Kind::Free,
            is_position: false,
            apart: false,
            class: 4 + 2 * highest,
            span: replaced.span,
        });
    }
    for coordinate in form.turns.iter().flat_map(|turn| &turn.coordinates) {
        unknowns.push(Unknown {
            name: coordinate.name.clone(),
            symbol: coordinate.symbol,
            start: Some(coordinate.guess),
            kind: Kind::Mechanical,
            is_position: true,
            apart: false,
            class: 3 + 2 * highest,
            span: coordinate.span,
        });
    }
    unknowns.extend(leading_unknowns(plan, leading));
    unknowns.extend(moving(system, apart, highest));
    unknowns
}

/// The quantities of the laws and their derivatives below those that are solved for.
fn states(plan: &LawPlan, highest: usize) -> Vec<Unknown> {
    let mut unknowns = Vec::new();
    for (at, quantity) in plan.form.quantities.iter().enumerate() {
        let constant = quantity.role == Role::Constant;
        let states = if constant { 0..1 } else { quantity.first()..plan.orders[at] };
        for order in states {
            let Some(symbol) = quantity.at(order) else { continue };
            let start = quantity.start.filter(|_| order == 0);
            let kind = match quantity.role {
                Role::Constant => Kind::Constant,
                Role::Coordinate | Role::Turning => Kind::Mechanical,
                Role::Force | Role::Variable => Kind::Free,
            };
            // What is solved for first is assumed last: constants, then what nobody said a start of, higher derivatives first.
            let class = match (kind, start) {
                (Kind::Constant, None) => 1,
                (Kind::Free, None) => 2 + highest - order,
                (Kind::Mechanical, _) => 3 + 2 * highest - order,
                _ => 5 + 2 * highest,
            };
            let is_position = kind == Kind::Mechanical && order == 0;
            let (name, span) = (quantity.name_of(order), quantity.span);
            unknowns.push(Unknown { name, symbol, start, kind, is_position, apart: false, class, span });
        }
    }
    unknowns
}

/// What blocks that have to hold at the start solve for.
fn leading_unknowns(plan: &LawPlan, leading: &[(usize, usize)]) -> Vec<Unknown> {
    let mut unknowns = Vec::new();
    for &(times, block) in leading {
        for &at in &plan.blocks[block].quantities {
            let (quantity, order) = (&plan.form.quantities[at], plan.orders[at] + times);
            let Some(symbol) = quantity.at(order) else { continue };
            let (name, start) = (quantity.name_of(order), quantity.start.filter(|_| order == 0));
            let (kind, span) = (Kind::Leading, quantity.span);
            unknowns.push(Unknown { name, symbol, start, kind, is_position: false, apart: false, class: 0, span });
        }
    }
    unknowns
}

/// First what has more equations than unknowns, then what has as many, block after block, then what is left a choice. The pivots of the
/// elimination say which row is for which unknown, as far as they can: a law of velocities is for velocities.
pub(super) fn ordered(
    unknowns: &[Unknown],
    incidence: &Incidence,
    (rows, columns): Part,
    pivots: &[(usize, usize)],
) -> Vec<StartBlock> {
    let place: FxHashMap<usize, usize> = columns.iter().enumerate().map(|(at, &column)| (column, at)).collect();
    let row_place: FxHashMap<usize, usize> = rows.iter().enumerate().map(|(at, &row)| (row, at)).collect();
    let inner = |&row: &usize| incidence.row(row).iter().filter_map(|column| place.get(column).copied()).collect();
    let inner = Incidence::new(columns.len(), rows.iter().map(inner).collect());
    let mut matching = Matching { column_of_row: vec![None; rows.len()], row_of_column: vec![None; columns.len()] };
    for (row, column) in pivots {
        let (Some(&row), Some(&column)) = (row_place.get(row), place.get(column)) else { continue };
        if inner.row(row).binary_search(&column).is_ok() {
            matching.column_of_row[row] = Some(column);
            matching.row_of_column[column] = Some(row);
        }
    }
    let matching = extend_matching(&inner, matching);
    let parts = decompose(&inner, &matching);
    let block = |part: Part, square: bool| StartBlock {
        rows: part.0.into_iter().map(|row| rows[row]).collect(),
        unknowns: part.1.into_iter().map(|column| unknowns[columns[column]].symbol).collect(),
        square,
    };
    let mut blocks = Vec::new();
    if !parts.over_rows.is_empty() {
        blocks.push(block((parts.over_rows, parts.over_columns), false));
    }
    let square: FxHashSet<usize> = parts.square_rows.into_iter().collect();
    let solved = order_blocks(&inner, &matching).into_iter();
    let solved = solved.filter(|solved| solved.rows.iter().all(|row| square.contains(row)));
    blocks.extend(solved.map(|solved| block((solved.rows, solved.columns), true)));
    if !parts.under_columns.is_empty() {
        let open: Part = (
            parts.under_rows.into_iter().map(|row| rows[row]).collect(),
            parts.under_columns.into_iter().map(|column| columns[column]).collect(),
        );
        blocks.extend(staged(unknowns, incidence, open));
    }
    blocks
}

/// What is left a choice: rows on positions alone are solved for positions, the others for velocities.
fn staged(unknowns: &[Unknown], incidence: &Incidence, (rows, columns): Part) -> Vec<StartBlock> {
    let is_position = |column: &usize| unknowns[*column].is_position;
    let here: FxHashSet<usize> = columns.iter().copied().collect();
    let on_positions = |row: &usize| incidence.row(*row).iter().filter(|column| here.contains(column)).all(is_position);
    let (first, then): Part = rows.into_iter().partition(on_positions);
    let (positions, others): Part = columns.into_iter().partition(is_position);
    let named = |columns: Vec<usize>| columns.into_iter().map(|column| unknowns[column].symbol).collect();
    let (positions, others): (Vec<SymbolId>, Vec<SymbolId>) = (named(positions), named(others));
    [(first, positions), (then, others)]
        .into_iter()
        .filter(|(_, unknowns)| !unknowns.is_empty())
        .map(|(rows, unknowns)| StartBlock { rows, unknowns, square: false })
        .collect()
}

fn report_lacking(unknowns: &[&Unknown], candidates: Candidates<'_>, sink: &mut Diagnostics) {
    const FEW: usize = 6;
    let whole = grouped(unknowns.iter().map(|unknown| unknown.name.clone()).collect());
    let mut names: Vec<String> = whole.iter().take(FEW).map(|name| format!("`{name}`")).collect();
    if whole.len() > FEW {
        names.push(format!("{} more", whole.len() - FEW));
    }
    let message = format!("nothing says what {} is", listed(&names));
    let mut diagnostic = Diagnostic::error(codes::UNDER_DETERMINED, message);
    for (at, unknown) in unknowns.iter().take(FEW).enumerate() {
        if unknowns[..at].iter().all(|before| before.span != unknown.span) {
            diagnostic = diagnostic.at(unknown.span, "a constant has a value");
        }
    }
    diagnostic = diagnostic.hint("give it a value where the thing is made, as in `{ mass = 1 [kg] }`");
    let open: Vec<String> = unknowns.iter().map(|unknown| unknown.name.clone()).collect();
    sink.report(candidates(&open).into_iter().fold(diagnostic, Diagnostic::hint));
}
