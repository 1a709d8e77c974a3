//! What holds after a transition, in the mode that it leads to.
//!
//! It is a start: the equations of the transition stand where initial conditions would, and what the states were before stands where
//! they would be assumed. States that the transition does not speak of keep their values, unless its equations and those of the new
//! mode together leave no choice; then they follow. What the new mode demands of kept states alone is not brought about: a run looks
//! whether it holds.

use base::{Diagnostic, Diagnostics, Span, listed};
use equations::{Entry, Equation, System};
use expr::{Expr, Point, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};
use structure::Incidence;

use super::start::{Kind, Part, Unknown, leading_blocks, leading_rows, ordered, restricted, state_rows, unknowns};
use super::{Assumed, GeneralPlan, StartPlan, point};
use crate::sparse::{Elimination, SparseRow, eliminate};

/// How the states after a transition are found from what was before.
#[derive(Clone, Debug)]
pub struct EntryPlan {
    /// The place of the transition among all transitions of the scene.
    pub number: usize,
    pub name: String,
    /// What is given, in the order in which it is handed over: coordinates and speeds after the transition, other quantities before it,
    /// and what stands in `pre`.
    pub given: Vec<SymbolId>,
    pub start: StartPlan,
    /// Numbers that are remembered, by their places among what is held.
    pub stores: Vec<(usize, Expr)>,
    pub span: Span,
}

/// The plans of all transitions that lead into this mode; none if one of them leaves something open, or says too much.
pub fn entries(
    system: &System,
    plan: &GeneralPlan,
    points: &[Point],
    sink: &mut Diagnostics,
) -> Option<Vec<EntryPlan>> {
    let all = system.automaton.entries.iter();
    let plans: Vec<Option<EntryPlan>> = all.map(|entry| entry_plan(system, plan, entry, points, sink)).collect();
    plans.into_iter().collect()
}

/// Columns of a lower class are solved for before those of a higher one may be.
const FOLLOWING: usize = 0;
const UNHEARD: usize = 1;
const SPOKEN_OF: usize = 2;
const KEPT: usize = 3;

fn entry_plan(
    system: &System,
    plan: &GeneralPlan,
    entry: &Entry,
    points: &[Point],
    sink: &mut Diagnostics,
) -> Option<EntryPlan> {
    let arena = &system.arena;
    let mut replacement = plan.form.replacement();
    let stated = entry.equations.iter().map(|equation| Equation {
        label: equation.label.clone(),
        residual: replacement.apply(arena, equation.residual),
        span: equation.span,
    });
    let stated: Vec<Equation> = stated.collect();
    let leading = leading_blocks(plan, &stated);
    let mut rows = leading_rows(plan, &leading);
    let following = rows.len();
    rows.extend(stated.iter().cloned());
    let said = rows.len();
    rows.extend(state_rows(plan));
    let before = before(system, entry);
    let replaced: FxHashSet<SymbolId> = plan.form.replaced.iter().map(|replaced| replaced.symbol).collect();
    let mut unknowns = unknowns(plan, &leading);
    unknowns.retain(|unknown| !replaced.contains(&unknown.symbol));
    let spoken: Vec<Expr> = stated.iter().map(|equation| equation.residual).collect();
    let excepted = entry.open.iter().map(|&symbol| replacement.apply(arena, arena.symbol(symbol)));
    let spoken: Vec<Expr> = spoken.into_iter().chain(excepted).collect();
    let spoken: FxHashSet<SymbolId> = arena.symbols_in(&spoken).into_iter().collect();
    let class = |unknown: &Unknown| match unknown.kind {
        Kind::Leading => FOLLOWING,
        Kind::Mechanical => KEPT,
        _ if spoken.contains(&unknown.symbol) => SPOKEN_OF,
        _ if !before.contains_key(&unknown.symbol) => UNHEARD,
        _ => KEPT,
    };
    let classes: Vec<usize> = unknowns.iter().map(class).collect();
    let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
    let symbols: Vec<SymbolId> = unknowns.iter().map(|unknown| unknown.symbol).collect();
    let lawful: Vec<usize> = (0..following).chain(said..rows.len()).collect();
    let mut failed = None;
    for point in points {
        let matrix = without(&point::slopes(arena, &residuals, &symbols, point), |column| {
            unknowns[column].kind == Kind::Mechanical
        });
        // What the new mode alone demands of what is kept is not for the transition to bring about.
        let demanded = eliminate(&restricted(&matrix, &lawful), &classes);
        let demanded = demanded.pivots.iter().map(|&(_, column)| column).filter(|&column| classes[column] == KEPT);
        let demanded: FxHashSet<usize> = demanded.collect();
        let matrix = without(&matrix, |column| demanded.contains(&column));
        let alone: Vec<usize> = (0..said).collect();
        let too_much = eliminate(&restricted(&matrix, &alone), &classes).dependent_rows;
        let too_much: Vec<usize> = too_much.into_iter().filter(|&row| row >= following).collect();
        let elimination = eliminate(&matrix, &classes);
        let open: Vec<usize> = elimination
            .open_columns
            .iter()
            .copied()
            .filter(|&column| classes[column] != KEPT && unknowns[column].kind != Kind::Mechanical)
            .collect();
        if open.is_empty() && too_much.is_empty() {
            let kept = elimination.open_columns.iter().copied().collect();
            return Some(found(system, entry, (rows, unknowns), (&before, kept), &elimination));
        }
        failed.get_or_insert((open, too_much));
    }
    let (open, too_much) = failed?;
    report(entry, &open.iter().map(|&at| &unknowns[at]).collect::<Vec<_>>(), &too_much.iter().map(|&at| &rows[at]).collect::<Vec<_>>(), sink);
    None
}

/// What was before, for each symbol that was handed over.
fn before(system: &System, entry: &Entry) -> FxHashMap<SymbolId, Expr> {
    let speeds = system.speed_symbols().into_iter();
    let handed = speeds.chain(system.automaton.handed.iter().map(|handed| handed.symbol));
    let symbols = system.coordinate_symbols().into_iter().chain(handed);
    symbols.zip(&entry.given).map(|(symbol, &given)| (symbol, system.arena.symbol(given))).collect()
}

/// A matrix without some of its columns.
fn without(matrix: &[SparseRow], gone: impl Fn(usize) -> bool) -> Vec<SparseRow> {
    matrix.iter().map(|row| row.iter().copied().filter(|&(column, _)| !gone(column)).collect()).collect()
}

fn found(
    system: &System,
    entry: &Entry,
    (rows, unknowns): (Vec<Equation>, Vec<Unknown>),
    (before, kept): (&FxHashMap<SymbolId, Expr>, FxHashSet<usize>),
    elimination: &Elimination,
) -> EntryPlan {
    let assume = |&column: &usize| {
        let Unknown { name, symbol, span, .. } = &unknowns[column];
        let value = before.get(symbol).copied().unwrap_or(system.arena.zero());
        Assumed { name: name.clone(), symbol: *symbol, value, stated: true, span: *span }
    };
    let (kept, sought): Part = (0..unknowns.len()).partition(|column| kept.contains(column));
    let assumed = kept.iter().map(assume).collect();
    let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
    let symbols: Vec<SymbolId> = unknowns.iter().map(|unknown| unknown.symbol).collect();
    let incidence = Incidence::new(symbols.len(), expr::occurrences(&system.arena, &residuals, &symbols));
    let is_sought: FxHashSet<usize> = sought.iter().copied().collect();
    let solved = (0..rows.len()).filter(|&row| incidence.row(row).iter().any(|column| is_sought.contains(column)));
    let blocks = ordered(&unknowns, &incidence, (solved.collect(), sought), &elimination.pivots);
    let given = entry.given.iter().chain(&entry.pre).copied().collect();
    let start = StartPlan { assumed, rows, blocks, seeds: before.clone() };
    let Entry { number, name, stores, span, .. } = entry;
    EntryPlan { number: *number, name: name.clone(), given, start, stores: stores.clone(), span: *span }
}

/// A transition that leaves something open, or says too much.
fn report(entry: &Entry, open: &[&Unknown], too_much: &[&Equation], sink: &mut Diagnostics) {
    const FEW: usize = 6;
    let name = &entry.name;
    if !open.is_empty() {
        let names: Vec<String> = open.iter().take(FEW).map(|unknown| format!("`{}`", unknown.name)).collect();
        let names = listed(&names);
        let message = format!("`{name}` does not determine {names} after it");
        sink.report(
            Diagnostic::error(equations::codes::OPEN_RESET, message)
                .at(entry.span, format!("this speaks of {names}, and leaves a choice"))
                .hint("a quantity that a transition speaks of is not kept by itself: add an equation, or `keep …`"),
        );
    }
    for row in too_much {
        let message = format!("`{name}` says too much of what is after it");
        sink.report(
            Diagnostic::error(equations::codes::OPEN_RESET, message)
                .at(row.span, format!("`{}` speaks of what follows from the others, or from frames", row.label))
                .hint("drop an equation, or what is kept; what frames do is stated of the frames themselves"),
        );
    }
}
