//! The highest derivatives: which equations give which, in which order, and whether they do.

use std::collections::BTreeSet;

use base::{Diagnostic, Diagnostics, listed};
use equations::{GeneralForm, Mechanism, Role, System, is_priced, without_limits};
use expr::{Expr, Point, SymbolId, Tape, jacobian};
use rustc_hash::{FxHashMap, FxHashSet};
use structure::{Incidence, Orders, maximum_matching, order_blocks};

use super::{Further, LeadingBlock, PlannedRow};
use crate::codes;
use crate::sparse::{Elimination, SparseRow, eliminate};

/// When a block is solved, beside a mechanism that is solved by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before its accelerations.
    Before,
    /// After these, on which it depends.
    After,
    /// Where something is observed: no rate depends on it.
    Reading,
}

/// Derivatives that somebody asks for: what is printed, and what is stated for the start.
pub fn wanted(system: &System, form: &GeneralForm) -> Vec<(usize, usize)> {
    let places = form.places();
    asked(system, form).into_iter().flat_map(|value| form.mentions(&places, value)).collect()
}

/// What is printed, stated for the start, and asked by transitions and claims.
pub(crate) fn asked(system: &System, form: &GeneralForm) -> Vec<Expr> {
    let outputs = system.outputs.iter().flat_map(|output| &output.columns).map(|(_, value)| *value);
    let outputs = outputs.chain(system.signals.iter().map(|signal| signal.value));
    let energies = [system.energy.kinetic, system.energy.potential];
    let initial = form.initial.iter().map(|equation| equation.residual);
    let mut replacement = form.replacement();
    let asked = outputs.chain(energies).chain(initial).chain(asked_by_transitions(system));
    asked.map(|value| replacement.apply(&form.arena, value)).collect()
}

/// What has to be known for transitions and claims.
fn asked_by_transitions(system: &System) -> impl Iterator<Item = Expr> {
    let automaton = &system.automaton;
    let guards = automaton.transitions.iter().flat_map(|transition| {
        let own = [transition.margin, transition.slope, transition.guard].into_iter();
        let resets = [&transition.positions, &transition.velocities].into_iter();
        let resets = resets.flat_map(|reset| reset.equations.iter().map(|equation| equation.residual));
        let goals = transition.goals();
        let seeds = transition.choices.iter().map(|&(_, seed)| seed);
        own.chain(resets).chain(transition.pre.iter().copied()).chain(goals).chain(seeds)
    });
    let claims = automaton.conditions.iter().flat_map(|claimed| {
        let compared = claimed.compared.iter().map(|side| side.value);
        [claimed.margin, claimed.slope, claimed.size].into_iter().chain(compared)
    });
    let carried = automaton.carried.iter().flat_map(|carried| [system.arena.symbol(carried.symbol), carried.rate]);
    let entries = automaton.entries.iter().flat_map(|entry| {
        let stores = entry.stores.iter().map(|&(_, value)| value);
        entry.equations.iter().map(|equation| equation.residual).chain(stores)
    });
    guards.chain(claims).chain(carried).chain(entries)
}

/// Blocks in the order in which they can be solved, and those that have to be differentiated further for what is wanted.
pub fn blocks(
    form: &mut GeneralForm,
    orders: &[usize],
    rows: &[PlannedRow],
    wanted: Vec<(usize, usize)>,
) -> (Vec<LeadingBlock>, Vec<Further>, Vec<Slopes>) {
    let places = form.places();
    let mentions: Orders = rows.iter().map(|row| form.mentions(&places, row.leading())).collect();
    let leads = |&(quantity, order): &(usize, usize)| {
        (order == orders[quantity] && form.quantities[quantity].role != Role::Constant).then_some(quantity)
    };
    let leading = mentions.iter().map(|row| row.iter().filter_map(leads).collect());
    let incidence = Incidence::new(form.quantities.len(), leading.collect());
    let blocks = order_blocks(&incidence, &maximum_matching(&incidence));
    let mut blocks: Vec<LeadingBlock> = blocks
        .into_iter()
        .map(|block| LeadingBlock { rows: block.rows, quantities: block.columns, linear: true, phase: Phase::Before })
        .collect();
    let slopes = block_slopes(form, orders, rows, &blocks);
    note_linear(form, orders, &slopes, &mut blocks);
    let further = further(form, (orders, rows), &blocks, (&mentions, wanted));
    (blocks, further, slopes)
}

/// The slopes of a block by its own unknowns: row and column within the block.
pub type Slopes = Vec<(usize, usize, Expr)>;

/// The slopes of each block.
fn block_slopes(form: &GeneralForm, orders: &[usize], rows: &[PlannedRow], blocks: &[LeadingBlock]) -> Vec<Slopes> {
    let residuals: Vec<Expr> = rows.iter().map(PlannedRow::leading).collect();
    let changing: Vec<usize> =
        (0..form.quantities.len()).filter(|&at| form.quantities[at].at(orders[at]).is_some()).collect();
    let symbols: Vec<SymbolId> = changing.iter().filter_map(|&at| form.quantities[at].at(orders[at])).collect();
    let mut row_place = vec![(usize::MAX, 0); rows.len()];
    let mut column_place = vec![(usize::MAX - 1, 0); form.quantities.len()];
    for (number, block) in blocks.iter().enumerate() {
        block.rows.iter().enumerate().for_each(|(at, &row)| row_place[row] = (number, at));
        block.quantities.iter().enumerate().for_each(|(at, &quantity)| column_place[quantity] = (number, at));
    }
    let mut slopes = vec![Vec::new(); blocks.len()];
    for (row, column, slope) in jacobian(&form.arena, &residuals, &symbols) {
        let ((block, row), (same, column)) = (row_place[row], column_place[changing[column]]);
        if block == same {
            slopes[block].push((row, column, slope));
        }
    }
    slopes
}

fn note_linear(form: &GeneralForm, orders: &[usize], slopes: &[Slopes], blocks: &mut [LeadingBlock]) {
    for (block, slopes) in blocks.iter_mut().zip(slopes) {
        let own = block.quantities.iter().filter_map(|&quantity| form.quantities[quantity].at(orders[quantity]));
        let own: FxHashSet<SymbolId> = own.collect();
        let varying: Vec<Expr> =
            slopes.iter().map(|&(_, _, slope)| slope).filter(|&slope| form.arena.as_number(slope).is_none()).collect();
        block.linear = !form.arena.symbols_in(&varying).iter().any(|symbol| own.contains(symbol));
    }
}

/// Decides when each block is solved. Needs: which blocks are linear, since the others are followed whoever looks.
pub fn note_phases(
    system: &System,
    apart: &Mechanism,
    (form, orders): (&GeneralForm, &[usize]),
    rows: &[PlannedRow],
    blocks: &mut [LeadingBlock],
) {
    let arena = &form.arena;
    let mut block_of: FxHashMap<SymbolId, usize> = FxHashMap::default();
    for (number, block) in blocks.iter().enumerate() {
        let leading = block.quantities.iter().filter_map(|&at| form.quantities[at].at(orders[at]));
        block_of.extend(leading.map(|symbol| (symbol, number)));
    }
    let needs: Vec<Vec<SymbolId>> = blocks
        .iter()
        .map(|block| arena.symbols_in(&block.rows.iter().map(|&row| rows[row].leading()).collect::<Vec<_>>()))
        .collect();
    let mut replacement = form.replacement();
    let motion = apart.speeds.iter().map(|id| replacement.apply(arena, system.motion[id.index()].residual));
    let motion = arena.symbols_in(&motion.collect::<Vec<_>>());
    let mut needed = vec![false; blocks.len()];
    let mut open: Vec<usize> = motion.iter().filter_map(|symbol| block_of.get(symbol).copied()).collect();
    let gives_rate = |block: &LeadingBlock| block.quantities.iter().any(|&quantity| orders[quantity] > 0);
    open.extend((0..blocks.len()).filter(|&at| gives_rate(&blocks[at]) || !blocks[at].linear));
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut needed[block], true) {
            open.extend(needs[block].iter().filter_map(|symbol| block_of.get(symbol).copied()));
        }
    }
    let accelerations: FxHashSet<SymbolId> = apart.acceleration_symbols(system).into_iter().collect();
    for at in 0..blocks.len() {
        let is_after = |symbol: &SymbolId| block_of.get(symbol).is_some_and(|&it| blocks[it].phase == Phase::After);
        let late = needs[at].iter().any(|symbol| accelerations.contains(symbol) || is_after(symbol));
        blocks[at].phase = match (needed[at], late) {
            (false, _) => Phase::Reading,
            (true, true) => Phase::After,
            (true, false) => Phase::Before,
        };
    }
}

/// For each derivative beyond the highest: the block that gives it differentiated as often, and what that needs.
fn further(
    form: &mut GeneralForm,
    (orders, rows): (&[usize], &[PlannedRow]),
    blocks: &[LeadingBlock],
    (mentions, wanted): (&Orders, Vec<(usize, usize)>),
) -> Vec<Further> {
    let mut block_of = vec![usize::MAX; form.quantities.len()];
    for (number, block) in blocks.iter().enumerate() {
        block.quantities.iter().for_each(|&quantity| block_of[quantity] = number);
    }
    let beyond = |(quantity, order): (usize, usize)| {
        let times = order.checked_sub(orders[quantity])?;
        (times > 0 && form.quantities[quantity].role != Role::Constant).then(|| (times, block_of[quantity]))
    };
    let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut open: Vec<(usize, usize)> = wanted.into_iter().filter_map(beyond).collect();
    while let Some((times, block)) = open.pop() {
        if block == usize::MAX || !found.insert((times, block)) {
            continue;
        }
        let needed = blocks[block].rows.iter().flat_map(|&row| &mentions[row]);
        open.extend(needed.filter_map(|&(quantity, order)| beyond((quantity, order + times))));
        // Its lower derivatives are found on the way.
        open.extend((times > 1).then(|| (times - 1, block)));
    }
    let arena = form.arena.clone();
    let mut list = Vec::new();
    for (times, block) in found {
        for &quantity in &blocks[block].quantities {
            form.extend_chain(quantity, orders[quantity] + times);
        }
        let derivative = |&row: &usize| (0..times).fold(rows[row].leading(), |at, _| form.clock.derivative(&arena, at));
        list.push(Further { block, times, residuals: blocks[block].rows.iter().map(derivative).collect() });
    }
    list
}

/// Whether every block determines its unknowns, at points where the constraints hold; reports those that do not.
pub fn is_regular(
    form: &GeneralForm,
    rows: &[PlannedRow],
    (blocks, slopes): (&[LeadingBlock], &[Slopes]),
    points: &[Point],
    sink: &mut Diagnostics,
) -> bool {
    let arena = &form.arena;
    let own = |block: &LeadingBlock, (row, _, slope): (usize, usize, Expr)| match rows[block.rows[row]].leading() {
        priced if is_priced(arena, priced) => without_limits(arena, slope),
        _ => slope,
    };
    let parts = blocks.iter().zip(slopes).flat_map(|(block, slopes)| slopes.iter().map(move |&part| (block, part)));
    let all: Vec<Expr> = parts.map(|(block, part)| own(block, part)).collect();
    let tape = Tape::new(&form.arena, &all);
    let values: Vec<Vec<f64>> = points.iter().map(|point| tape.run(point)).collect();
    let mut first = 0;
    let mut fine = true;
    for (block, slopes) in blocks.iter().zip(slopes) {
        let entries = first..first + slopes.len();
        first = entries.end;
        // One equation determines one unknown as soon as it has any slope.
        let slope = |values: &Vec<f64>| values[entries.clone()].iter().any(|value| value.is_finite() && *value != 0.0);
        if block.rows.len() == 1 && values.iter().any(slope) {
            continue;
        }
        let matrices = values.iter().map(|values| {
            let mut matrix: Vec<SparseRow> = vec![Vec::new(); block.rows.len()];
            for (&(row, column, _), &value) in slopes.iter().zip(&values[entries.clone()]) {
                matrix[row].push((column, value));
            }
            matrix
        });
        // A value that is not finite tells nothing.
        let matrices: Vec<Vec<SparseRow>> =
            matrices.filter(|matrix| matrix.iter().flatten().all(|(_, value)| value.is_finite())).collect();
        let eliminated = matrices.iter().map(|matrix| eliminate(matrix, &vec![0; block.quantities.len()]));
        let best = eliminated.min_by_key(|elimination| elimination.open_columns.len());
        if let Some(elimination) = best.filter(|elimination| !elimination.open_columns.is_empty()) {
            report_singular(form, rows, block, &elimination, sink);
            fine = false;
        }
    }
    fine
}

fn report_singular(
    form: &GeneralForm,
    rows: &[PlannedRow],
    block: &LeadingBlock,
    elimination: &Elimination,
    sink: &mut Diagnostics,
) {
    const FEW: usize = 6;
    let open = elimination.open_columns[0];
    let moving: SparseRow = elimination.moving(open);
    let quantities: Vec<usize> = moving.iter().map(|&(column, _)| block.quantities[column]).collect();
    let mut names: Vec<String> =
        quantities.iter().take(FEW).map(|&at| format!("`{}`", form.quantities[at].name)).collect();
    if quantities.len() > FEW {
        names.push(format!("{} more", quantities.len() - FEW));
    }
    let together = moving.iter().all(|&(_, change)| (change - moving[0].1).abs() < 1e-6);
    let (message, hint) = match (moving.len(), together) {
        (1, _) => (
            format!("the equations do not determine {}", names[0]),
            "state what it is, or drop it from where it does not belong",
        ),
        (_, true) => (
            format!("nothing fixes the level of {}: they float, and may all change by the same amount", listed(&names)),
            "fix one of them: for a circuit, ground one node",
        ),
        _ => (
            format!("the equations leave a choice among {}: they may change together", listed(&names)),
            "one more equation between them is needed, in place of one that follows from the others",
        ),
    };
    let mut diagnostic = Diagnostic::error(codes::UNDER_DETERMINED, message);
    let spans = quantities.iter().map(|&at| (form.quantities[at].span, &form.quantities[at].name));
    let mut seen = Vec::new();
    for (span, name) in spans.take(FEW) {
        if !seen.contains(&span) {
            diagnostic = diagnostic.at(span, format!("`{name}` is open"));
            seen.push(span);
        }
    }
    for &row in elimination.dependent_rows.iter().take(2) {
        let row = &rows[block.rows[row]];
        diagnostic =
            diagnostic.at(row.span, format!("`{}` follows from the other equations and does not help", row.label));
    }
    sink.report(diagnostic.hint(hint));
}
