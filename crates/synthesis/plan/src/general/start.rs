//! The start: what the equations and the initial conditions say of it, and what has to be assumed besides.
//!
//! The unknowns are all states, and those highest derivatives that initial conditions speak of. Eliminating the equations for them, those
//! states last that may be assumed, leaves as many of these open as there is a choice. They start where they are said to, or at
//! zero. Positions and velocities of bodies are not assumed but stay as near to their guesses, and to rest, as they can.

use base::{Diagnostic, Diagnostics, Span, listed};
use equations::{Equation, Role, System};
use expr::{Expr, Point, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};
use structure::{Incidence, decompose, maximum_matching, order_blocks};

use super::{GeneralPlan, point};
use crate::codes;
use crate::sparse::eliminate;

/// How the start is found.
#[derive(Clone, Debug, Default)]
pub struct StartPlan {
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

/// Rows that are solved together. Where they are not as many as the unknowns, the nearest solution to the seeds is meant, and rows that
/// follow from others are tolerated.
#[derive(Clone, Debug)]
pub struct StartBlock {
    pub rows: Vec<usize>,
    pub unknowns: Vec<SymbolId>,
}

/// A number that is sought at the start.
struct Unknown {
    name: String,
    symbol: SymbolId,
    start: Option<Expr>,
    kind: Kind,
    /// Columns of a lower class are solved for before those of a higher one may be.
    class: usize,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Follows from the states.
    Leading,
    Constant,
    /// A position or velocity of a body.
    Mechanical,
    Free,
}

pub fn start(
    system: &System,
    plan: &GeneralPlan,
    statics: Vec<Equation>,
    points: &[Point],
    sink: &mut Diagnostics,
) -> Option<StartPlan> {
    let leading = leading_blocks(plan);
    let rows = rows(plan, statics, &leading);
    let unknowns = unknowns(plan, &leading);
    let symbols: Vec<SymbolId> = unknowns.iter().map(|unknown| unknown.symbol).collect();
    let classes: Vec<usize> = unknowns.iter().map(|unknown| unknown.class).collect();
    let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
    let point = points.first()?;
    let open = eliminate(&point::slopes(&system.arena, &residuals, &symbols, point), &classes).open_columns;
    let (mut assumed, mut lacking) = (Vec::new(), Vec::new());
    for unknown in open.into_iter().map(|column| &unknowns[column]) {
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
    if !lacking.is_empty() {
        report_lacking(&lacking, sink);
        return None;
    }
    let known: FxHashSet<SymbolId> = assumed.iter().map(|row| row.symbol).collect();
    let sought: Vec<SymbolId> = symbols.into_iter().filter(|symbol| !known.contains(symbol)).collect();
    let blocks = blocks(plan, &residuals, &sought);
    let seeds = unknowns.iter().filter_map(|unknown| Some((unknown.symbol, unknown.start?))).collect();
    Some(StartPlan { assumed, rows, blocks, seeds })
}

/// The blocks, differentiated so many times further, whose unknowns are sought at the start: those that initial conditions speak of,
/// those that are solved by iteration and need a place to begin, and what these need.
fn leading_blocks(plan: &GeneralPlan) -> Vec<(usize, usize)> {
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
    let stated = form.initial.iter().flat_map(|equation| form.mentions(&places, equation.residual));
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
fn residuals_of(plan: &GeneralPlan, times: usize, block: usize) -> Vec<Expr> {
    match times {
        0 => plan.blocks[block].rows.iter().map(|&row| plan.rows[row].leading()).collect(),
        _ => {
            let further = plan.further.iter().find(|further| (further.times, further.block) == (times, block));
            further.map_or(Vec::new(), |further| further.residuals.clone())
        }
    }
}

fn rows(plan: &GeneralPlan, statics: Vec<Equation>, leading: &[(usize, usize)]) -> Vec<Equation> {
    let row = |label: &String, span, residual| Equation { label: label.clone(), residual, span };
    let lower = plan.rows.iter().flat_map(|planned| {
        planned.levels[..planned.times()].iter().map(|&residual| row(&planned.label, planned.span, residual))
    });
    let invariants = plan.form.turns.iter().flat_map(|turn| &turn.invariants);
    let stated = statics.iter().chain(invariants).chain(&plan.form.initial).cloned();
    let mut rows: Vec<Equation> = lower.chain(stated).collect();
    for &(times, block) in leading {
        let origins = plan.blocks[block].rows.iter().map(|&at| &plan.rows[at]);
        let residuals = residuals_of(plan, times, block);
        rows.extend(origins.zip(residuals).map(|(planned, residual)| row(&planned.label, planned.span, residual)));
    }
    rows
}

fn unknowns(plan: &GeneralPlan, leading: &[(usize, usize)]) -> Vec<Unknown> {
    let form = &plan.form;
    let highest = plan.orders.iter().copied().max().unwrap_or(0);
    let mut unknowns = Vec::new();
    for (at, quantity) in form.quantities.iter().enumerate() {
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
                _ => 4 + 2 * highest,
            };
            unknowns.push(Unknown { name: quantity.name_of(order), symbol, start, kind, class, span: quantity.span });
        }
    }
    for coordinate in form.turns.iter().flat_map(|turn| &turn.coordinates) {
        unknowns.push(Unknown {
            name: coordinate.name.clone(),
            symbol: coordinate.symbol,
            start: Some(coordinate.guess),
            kind: Kind::Mechanical,
            class: 3 + 2 * highest,
            span: coordinate.span,
        });
    }
    for &(times, block) in leading {
        for &at in &plan.blocks[block].quantities {
            let (quantity, order) = (&form.quantities[at], plan.orders[at] + times);
            let Some(symbol) = quantity.at(order) else { continue };
            let (name, start) = (quantity.name_of(order), quantity.start.filter(|_| order == 0));
            unknowns.push(Unknown { name, symbol, start, kind: Kind::Leading, class: 0, span: quantity.span });
        }
    }
    unknowns
}

/// First what has more equations than unknowns, then what has as many, block after block, then the rest: positions before
/// velocities.
fn blocks(plan: &GeneralPlan, residuals: &[Expr], sought: &[SymbolId]) -> Vec<StartBlock> {
    let incidence = Incidence::new(sought.len(), expr::occurrences(&plan.form.arena, residuals, sought));
    let matching = maximum_matching(&incidence);
    let parts = decompose(&incidence, &matching);
    let named = |columns: &[usize]| columns.iter().map(|&column| sought[column]).collect::<Vec<SymbolId>>();
    let mut blocks = Vec::new();
    if !parts.over_rows.is_empty() {
        blocks.push(StartBlock { rows: parts.over_rows, unknowns: named(&parts.over_columns) });
    }
    let square: FxHashSet<usize> = parts.square_rows.into_iter().collect();
    let solved = order_blocks(&incidence, &matching).into_iter();
    let solved = solved.filter(|block| block.rows.iter().all(|row| square.contains(row)));
    blocks.extend(solved.map(|block| StartBlock { unknowns: named(&block.columns), rows: block.rows }));
    if !parts.under_columns.is_empty() {
        blocks.extend(nearest(plan, &incidence, (parts.under_rows, parts.under_columns), sought));
    }
    blocks
}

/// What is left a choice: rows on positions alone are solved for positions, the others for velocities, if each has some.
fn nearest(
    plan: &GeneralPlan,
    incidence: &Incidence,
    (rows, columns): (Vec<usize>, Vec<usize>),
    sought: &[SymbolId],
) -> Vec<StartBlock> {
    let form = &plan.form;
    let coordinates = form.quantities.iter().filter(|quantity| quantity.role == Role::Coordinate);
    let positions: FxHashSet<SymbolId> = coordinates
        .filter_map(|quantity| quantity.at(0))
        .chain(form.turns.iter().flat_map(|turn| &turn.coordinates).map(|coordinate| coordinate.symbol))
        .collect();
    let is_position = |column: &usize| positions.contains(&sought[*column]);
    let here: FxHashSet<usize> = columns.iter().copied().collect();
    let on_positions = |row: &usize| {
        incidence.row(*row).iter().filter(|column| here.contains(column)).all(|column| is_position(column))
    };
    let (first, then): (Vec<usize>, Vec<usize>) = rows.into_iter().partition(on_positions);
    let (positions, others): (Vec<usize>, Vec<usize>) = columns.into_iter().partition(is_position);
    let named = |columns: Vec<usize>| columns.into_iter().map(|column| sought[column]).collect::<Vec<SymbolId>>();
    [StartBlock { rows: first, unknowns: named(positions) }, StartBlock { rows: then, unknowns: named(others) }]
        .into_iter()
        .filter(|block| !block.unknowns.is_empty())
        .collect()
}

fn report_lacking(unknowns: &[&Unknown], sink: &mut Diagnostics) {
    const FEW: usize = 6;
    let mut names: Vec<String> = unknowns.iter().take(FEW).map(|unknown| format!("`{}`", unknown.name)).collect();
    if unknowns.len() > FEW {
        names.push(format!("{} more", unknowns.len() - FEW));
    }
    let message = format!("nothing says what {} is", listed(&names));
    let mut diagnostic = Diagnostic::error(codes::UNDER_DETERMINED, message);
    for unknown in unknowns.iter().take(FEW) {
        diagnostic = diagnostic.at(unknown.span, format!("`{}` is a constant without a value", unknown.name));
    }
    sink.report(diagnostic.hint("give it a value where the thing is made, as in `{ mass = 1 [kg] }`"));
}
