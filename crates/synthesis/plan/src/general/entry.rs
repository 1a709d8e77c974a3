//! What holds after a transition, in the mode that it leads to.
//!
//! It is a start: the equations of the transition stand where initial conditions would, and what the states were before stands where
//! they would be assumed. States that the transition does not speak of keep their values, unless its equations and those of the new
//! mode together leave no choice; then they follow. What the new mode demands of kept states alone is not brought about: a run looks
//! whether it holds.

use base::{Diagnostic, Diagnostics, Span, listed};
use equations::{Carried, Entry, Equation, Mechanism, Sought, System};
use expr::{Expr, Point, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};
use structure::Incidence;

use super::start::{Kind, Part, Unknown, leading_blocks, leading_rows, ordered, restricted, state_rows, unknowns};
use super::{Assumed, LawPlan, StartPlan, point};
use crate::sparse::{SparseRow, eliminate};

/// How the states after a transition are found from what was before.
#[derive(Clone, Debug)]
pub struct EntryPlan {
    /// The place of the transition among all transitions of the scene.
    pub number: usize,
    pub name: String,
    /// What was before, in the order in which it is carried over: coordinates, speeds and other quantities, what stands in `pre`, and the
    /// rates of these quantities.
    pub given: Vec<SymbolId>,
    /// Coordinates, then speeds that are not kept; they are found first,
    pub positions: Sought,
    pub velocities: Sought,
    /// and from all that moves whatever laws determine.
    pub start: StartPlan,
    /// What is carried over besides all that moves and has to keep its value in the new mode, by places among [`equations::Automaton::carried`].
    pub checked: Vec<usize>,
    /// Numbers that are remembered, by their places among the discrete variables.
    pub stores: Vec<(usize, Expr)>,
    pub span: Span,
}

/// The plans of all transitions that lead into this mode; none if one of them leaves something open, or says too much.
pub fn entries(
    system: &System,
    (plan, apart): (&LawPlan, &Mechanism),
    points: &[Point],
    sink: &mut Diagnostics,
) -> Option<Vec<EntryPlan>> {
    let all = system.automaton.entries.iter();
    let plans: Vec<Option<EntryPlan>> =
        all.map(|entry| entry_plan(system, (plan, apart), entry, points, sink)).collect();
    plans.into_iter().collect()
}

/// The same where a mechanism is all there is.
pub fn entries_of_mechanism(system: &System) -> (Vec<EntryPlan>, Option<EntryPlan>) {
    let plan = |entry: &Entry| planned(system, entry, StartPlan::default(), &[]);
    let span = system.speeds.first().map(|speed| speed.span).filter(|_| system.automaton.is_there());
    (system.automaton.entries.iter().map(plan).collect(), span.map(|span| plan(&nothing(system, span))))
}

/// How the states are found from what a moment of the same mode carried over; nothing where nothing changes.
pub fn reenter(system: &System, (plan, apart): (&LawPlan, &Mechanism), points: &[Point]) -> Option<EntryPlan> {
    let moving = apart.speeds.first().map(|id| system.speeds[id.index()].span);
    let span = plan.rows.first().map(|row| row.span).or(moving).filter(|_| system.automaton.is_there())?;
    entry_plan(system, (plan, apart), &nothing(system, span), points, &mut Diagnostics::default())
}

/// What is said where nothing happens.
fn nothing(system: &System, span: Span) -> Entry {
    let count = system.coordinates.len() + system.speeds.len() + system.automaton.carried.len();
    let given = (0..count).map(|_| system.arena.new_symbol("given")).collect();
    let (number, name) = (0, String::new());
    let [pre, rates, open] = [(); 3].map(|()| Vec::new());
    let (equations, stores) = (Vec::new(), Vec::new());
    let (positions, velocities) = (Sought::default(), Sought::default());
    Entry { number, name, positions, velocities, equations, given, pre, rates, open, stores, span }
}

/// Columns of a lower class are solved for before those of a higher one may be.
const FOLLOWING: usize = 0;
const UNHEARD: usize = 1;
const SPOKEN_OF: usize = 2;
const KEPT: usize = 3;

fn entry_plan(
    system: &System,
    (plan, apart): (&LawPlan, &Mechanism),
    entry: &Entry,
    points: &[Point],
    sink: &mut Diagnostics,
) -> Option<EntryPlan> {
    let arena = &system.arena;
    let mut replacement = plan.form.replacement();
    let stated = stated(plan, entry);
    let leading = leading_blocks(plan, &stated);
    let mut rows = leading_rows(plan, &leading);
    let following = rows.len();
    rows.extend(stated.iter().cloned());
    let said = rows.len();
    rows.extend(state_rows(plan));
    let before = before(system, entry);
    let replaced: FxHashSet<SymbolId> = plan.form.replaced.iter().map(|replaced| replaced.symbol).collect();
    let mut unknowns = unknowns(system, (plan, apart), &leading);
    unknowns.retain(|unknown| !replaced.contains(&unknown.symbol));
    let lasting = lasting(system, plan);
    for Carried { name, symbol, span, .. } in lasting.iter().map(|&at| &system.automaton.carried[at]) {
        let value = replacement.apply(arena, arena.symbol(*symbol));
        let residual = arena.subtract(arena.symbol(*symbol), value);
        rows.push(Equation { label: format!("definition of {name}"), residual, span: *span });
        unknowns.push(Unknown::free(name, *symbol, *span));
    }
    let spoken = spoken_of(system, plan, entry, &lasting);
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
    let mut failed = None;
    for point in points {
        let matrix = without(&point::slopes(arena, &residuals, &symbols, point), |column| {
            unknowns[column].kind == Kind::Mechanical
        });
        match judge(&matrix, &classes, (following, said)) {
            Ok(Judged { kept, solved, pivots }) => {
                let start = found(system, entry, (rows, unknowns), (before, kept), (solved, pivots));
                return Some(planned(system, entry, start, &lasting));
            }
            Err(why) => failed.get_or_insert(why),
        };
    }
    report(entry, &rows, &unknowns, failed?, sink);
    None
}

/// What a transition speaks of, by whatever name.
fn spoken_of(system: &System, plan: &LawPlan, entry: &Entry, lasting: &[usize]) -> FxHashSet<SymbolId> {
    let (arena, mut replacement) = (&system.arena, plan.form.replacement());
    let spoken = entry.equations.iter().map(|equation| equation.residual);
    let spoken = spoken.chain(entry.open.iter().map(|&symbol| arena.symbol(symbol)));
    let spoken: Vec<Expr> = spoken.flat_map(|expr| [expr, replacement.apply(arena, expr)]).collect();
    let mut spoken: FxHashSet<SymbolId> = arena.symbols_in(&spoken).into_iter().collect();
    // Who speaks of x' speaks of v, where v == x'.
    for symbol in lasting.iter().map(|&at| system.automaton.carried[at].symbol) {
        let by = replacement.apply(arena, arena.symbol(symbol));
        if arena.symbols_in(&[by]).iter().any(|symbol| spoken.contains(symbol)) {
            spoken.insert(symbol);
        }
    }
    spoken
}

/// What a transition says, in terms of what has not been replaced.
fn stated(plan: &LawPlan, entry: &Entry) -> Vec<Equation> {
    let (arena, mut replacement) = (&plan.form.arena, plan.form.replacement());
    let stated = entry.equations.iter().map(|equation| Equation {
        label: equation.label.clone(),
        residual: replacement.apply(arena, equation.residual),
        span: equation.span,
    });
    // What the new mode says anyway needs no room of its own.
    stated.filter(|equation| !arena.is_zero(equation.residual)).collect()
}

/// All that has to hold after transitions besides what holds at all times.
pub(crate) fn entry_rows(system: &System, plan: &LawPlan) -> Vec<Expr> {
    let rows = system.automaton.entries.iter().flat_map(|entry| {
        let stated = stated(plan, entry);
        let following = leading_rows(plan, &leading_blocks(plan, &stated));
        following.into_iter().chain(stated)
    });
    rows.map(|row| row.residual).collect()
}

/// What keeps its value, which rows are solved for all else, and which row is for which.
struct Judged {
    kept: FxHashSet<usize>,
    solved: Vec<usize>,
    pivots: Vec<(usize, usize)>,
}

/// Why a transition does not determine what is after it.
enum Fault {
    /// Columns that it speaks of and leaves open.
    Open(Vec<usize>),
    /// Rows that follow from the others.
    TooMuch(Vec<usize>),
    /// Columns of which some have to change, and nothing says which.
    Undecided(Vec<usize>),
}

/// Rows up to `following` are laws for what follows, then up to `said` there is what the transition states, then laws for the states.
fn judge(matrix: &[SparseRow], classes: &[usize], (following, said): (usize, usize)) -> Result<Judged, Fault> {
    let is_kept = |column: &usize| classes[*column] == KEPT;
    let stated = eliminate(&matrix[..said], classes);
    let too_much: Vec<usize> = stated.dependent_rows.into_iter().filter(|&row| row >= following).collect();
    if !too_much.is_empty() {
        return Err(Fault::TooMuch(too_much));
    }
    // What the new mode alone demands of what is kept is not for the transition to bring about.
    let lawful: Vec<usize> = (0..following).chain(said..matrix.len()).collect();
    let laws = eliminate(&restricted(matrix, &lawful), classes);
    let (demands, helpful): (Vec<_>, Vec<_>) = laws.pivots.iter().partition(|(_, column)| is_kept(column));
    let demanded: FxHashSet<usize> = demands.iter().flat_map(|&&(row, _)| laws.left(row)).collect();
    let mut solved: Vec<usize> = helpful.into_iter().map(|&(row, _)| lawful[row]).chain(following..said).collect();
    solved.sort_unstable();
    let free = without(&restricted(matrix, &solved), |column| demanded.contains(&column));
    let elimination = eliminate(&free, classes);
    let kept: FxHashSet<usize> = elimination.open_columns.iter().copied().collect();
    let mut open: Vec<usize> = kept.iter().copied().filter(|column| !is_kept(column)).collect();
    if !open.is_empty() {
        open.sort_unstable();
        return Err(Fault::Open(open));
    }
    // What has to change although it was not spoken of must be the only way.
    let forced = elimination.pivots.iter().filter(|(_, column)| is_kept(column));
    let mut undecided: Vec<usize> = forced.flat_map(|&(row, _)| elimination.left(row)).collect();
    undecided.sort_unstable();
    undecided.dedup();
    if undecided.iter().any(|column| kept.contains(column)) {
        return Err(Fault::Undecided(undecided));
    }
    let pivots = elimination.pivots.iter().map(|&(row, column)| (solved[row], column)).collect();
    Ok(Judged { kept, solved, pivots })
}

/// What is carried over, changes with time according to the laws of this mode, and is no state but follows from others: by their places.
fn lasting(system: &System, plan: &LawPlan) -> Vec<usize> {
    let arena = &system.arena;
    let motion = system.motion.iter().map(|row| row.residual);
    let laws: Vec<Expr> = system.laws.iter().map(|row| row.residual).chain(motion).collect();
    let mentioned = arena.symbols_in(&laws);
    let rate = |symbol: SymbolId| arena.as_symbol(system.clock.known(arena.symbol(symbol))?);
    let changes = |symbol: SymbolId| {
        std::iter::successors(rate(symbol), |&rate_of| rate(rate_of)).any(|it| mentioned.binary_search(&it).is_ok())
    };
    let mut replacement = plan.form.replacement();
    let mut follows = |symbol: SymbolId| replacement.apply(arena, arena.symbol(symbol)) != arena.symbol(symbol);
    let carried = system.automaton.carried.iter().enumerate();
    carried.filter(|(_, carried)| changes(carried.symbol) && follows(carried.symbol)).map(|(at, _)| at).collect()
}

/// What was before, for each symbol that was carried over.
fn before(system: &System, entry: &Entry) -> FxHashMap<SymbolId, Expr> {
    let speeds = system.speed_symbols().into_iter();
    let carried = speeds.chain(system.automaton.carried.iter().map(|carried| carried.symbol));
    let symbols = system.coordinate_symbols().into_iter().chain(carried);
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
    (before, kept): (FxHashMap<SymbolId, Expr>, FxHashSet<usize>),
    (solved, pivots): (Vec<usize>, Vec<(usize, usize)>),
) -> StartPlan {
    let assume = |&column: &usize| {
        let Unknown { name, symbol, span, .. } = &unknowns[column];
        let value = before.get(symbol).copied().unwrap_or(system.arena.zero());
        Assumed { name: name.clone(), symbol: *symbol, value, stated: true, span: *span }
    };
    let (kept, sought): Part = (0..unknowns.len()).partition(|column| kept.contains(column));
    let moved = |assumed: &Assumed| {
        [&entry.positions, &entry.velocities].iter().any(|sought| sought.unknowns.contains(&assumed.symbol))
    };
    let assumed = kept.iter().map(assume).filter(|assumed| !moved(assumed)).collect();
    let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
    let symbols: Vec<SymbolId> = unknowns.iter().map(|unknown| unknown.symbol).collect();
    let incidence = Incidence::new(symbols.len(), expr::occurrences(&system.arena, &residuals, &symbols));
    let blocks = ordered(&unknowns, &incidence, (solved, sought), &pivots);
    StartPlan { assumed, rows, blocks, seeds: before, ..StartPlan::default() }
}

fn planned(system: &System, entry: &Entry, start: StartPlan, lasting: &[usize]) -> EntryPlan {
    let keeps = |symbol: SymbolId| start.assumed.iter().any(|assumed| assumed.symbol == symbol);
    EntryPlan {
        number: entry.number,
        name: entry.name.clone(),
        given: entry.given.iter().chain(&entry.pre).chain(&entry.rates).copied().collect(),
        positions: entry.positions.clone(),
        velocities: entry.velocities.clone(),
        checked: lasting.iter().copied().filter(|&at| keeps(system.automaton.carried[at].symbol)).collect(),
        start,
        stores: entry.stores.clone(),
        span: entry.span,
    }
}

/// A transition that leaves something open, or says too much.
fn report(entry: &Entry, rows: &[Equation], unknowns: &[Unknown], fault: Fault, sink: &mut Diagnostics) {
    const FEW: usize = 6;
    let name = &entry.name;
    let names = |columns: Vec<usize>| {
        listed(&columns.iter().take(FEW).map(|&at| format!("`{}`", unknowns[at].name)).collect::<Vec<_>>())
    };
    let error = |message: String| Diagnostic::error(equations::codes::OPEN_RESET, message);
    match fault {
        Fault::Open(columns) => {
            let names = names(columns);
            sink.report(
                error(format!("`{name}` does not determine {names} after it"))
                    .at(entry.span, format!("this speaks of {names}, and leaves a choice"))
                    .hint("a quantity that a transition speaks of is not kept by itself: add an equation, or `keep …`"),
            );
        }
        Fault::Undecided(columns) => {
            let names = names(columns);
            sink.report(
                error(format!("`{name}` does not say which of {names} changes"))
                    .at(entry.span, "they cannot all keep their values and satisfy this and the laws of the new mode")
                    .hint("speak of what changes: `keep …` names what does not"),
            );
        }
        Fault::TooMuch(too_much) => {
            for row in too_much.into_iter().map(|at| &rows[at]) {
                sink.report(
                    error(format!("`{name}` says too much of what is after it"))
                        .at(row.span, format!("`{}` speaks of what follows from the others, or from frames", row.label))
                        .hint("drop an equation, or what is kept; what frames do is stated of the frames themselves"),
                );
            }
        }
    }
}
