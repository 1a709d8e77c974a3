//! Quantities that nothing determines: where nobody asks for them, a run goes without them and without the laws that speak of them, and says so.

use base::{Diagnostic, Diagnostics, listed};
use equations::{LawRole, System, split_label};
use expr::SymbolId;
use model::{Model, Standing};
use rustc_hash::{FxHashMap, FxHashSet};
use structure::{Incidence, decompose, maximum_matching};

use crate::codes;
use crate::pipeline::Options;

/// Names in messages, before the rest is counted.
const FEW: usize = 6;

/// Components of quantities that are open in a mode, and statements that speak of them.
struct Open {
    names: FxHashSet<String>,
    statements: FxHashSet<String>,
}

/// Takes what nothing determines out of a model, if nothing else speaks of it; whether there was anything to take out.
pub fn leave_out(model: &mut Model, options: &Options, sink: &mut Diagnostics) -> bool {
    let Some(open) = open_in_all_modes(model, options) else { return false };
    let Some(left) = left_quantities(model, &open) else { return false };
    if left.is_empty() || !open.statements.iter().all(|label| is_composed(model, label)) {
        return false;
    }
    let mut less = model.clone();
    left.iter().for_each(|&at| less.quantities[at].left_out = true);
    less.laws.retain(|law| !open.statements.contains(&law.label));
    if !modes(&less).into_iter().all(|mode| is_whole(&less, mode, options)) {
        return false;
    }
    let names: Vec<String> = left.iter().map(|&at| format!("`{}`", less.quantities[at].name)).collect();
    let names = listed(&shortened(names));
    let why = format!("nothing determines {names}, and nobody asks for that");
    let mut laws: Vec<String> = Vec::new();
    for fragment in &mut less.fragments {
        if open.statements.iter().any(|label| states(&fragment.name, label)) {
            laws.push(format!("`{}`", fragment.name));
            fragment.standing = Standing::Left(why.clone());
        }
    }
    let mut diagnostic = Diagnostic::notice(codes::LEFT_OUT, format!("{why}: a run goes without it"))
        .at(less.quantities[left[0]].span, "open");
    if !laws.is_empty() {
        diagnostic = diagnostic.note(format!("without these laws: {}", listed(&shortened(laws))));
    }
    sink.report(diagnostic.hint("to have it in a run, add a law for it, or give it a value"));
    *model = less;
    true
}

fn shortened(mut names: Vec<String>) -> Vec<String> {
    let more = names.len().saturating_sub(FEW);
    names.truncate(FEW);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names
}

/// Where the scene starts, and the same with each other law of each phenomenon.
fn modes(model: &Model) -> Vec<Vec<usize>> {
    let start: Vec<usize> = model.modes.iter().map(|mode| mode.start).collect();
    let mut all = vec![start.clone()];
    for fragment in &model.fragments {
        if let Standing::Chosen(mode, value) = fragment.standing
            && value != start[mode.index()]
        {
            all.push(start.clone());
            all.last_mut().expect("just pushed")[mode.index()] = value;
        }
    }
    all
}

fn formulated(model: &Model, mode: Vec<usize>, options: &Options) -> Option<System> {
    let wanted =
        mechanics::Options { rotations: options.rotations, picture: true, mode: Some(mode), ..Default::default() };
    mechanics::formulate_unverified(model, wanted, &mut Diagnostics::default())
}

fn open_in_all_modes(model: &Model, options: &Options) -> Option<Open> {
    let mut modes = modes(model).into_iter();
    let mut open = open(&formulated(model, modes.next()?, options)?);
    for mode in modes {
        let other = self::open(&formulated(model, mode, options)?);
        open.names.retain(|name| other.names.contains(name));
        open.statements.extend(other.statements);
    }
    Some(open)
}

/// What is left open by the author's own physics: the part of it that has more unknowns than equations (Dulmage and Mendelsohn 1958).
fn open(system: &System) -> Open {
    let arena = &system.arena;
    let mut columns: FxHashMap<SymbolId, usize> = FxHashMap::default();
    for (at, variable) in system.variables.iter().enumerate() {
        // A quantity and its rates are determined together.
        let rate = |&symbol: &SymbolId| arena.as_symbol(system.clock.known(arena.symbol(symbol))?);
        columns.extend(std::iter::successors(Some(variable.symbol), rate).map(|symbol| (symbol, at)));
    }
    let row = |law: &equations::Law| -> Vec<usize> {
        let mut row: Vec<usize> =
            arena.symbols_in(&[law.residual]).iter().filter_map(|symbol| columns.get(symbol).copied()).collect();
        row.sort_unstable();
        row.dedup();
        row
    };
    let incidence = Incidence::new(system.variables.len(), system.laws.iter().map(row).collect());
    let parts = decompose(&incidence, &maximum_matching(&incidence));
    let statement = |&row: &usize| {
        let law = &system.laws[row];
        // What actuators bring about is no law of the author's.
        let label = if law.role == LawRole::Stated { split_label(&law.label).0 } else { "" };
        label.to_string()
    };
    Open {
        names: parts.under_columns.iter().map(|&at| system.variables[at].name.clone()).collect(),
        statements: parts.under_rows.iter().map(statement).collect(),
    }
}

/// The quantities that are open, be it in some components only; none if one of them has to be constant.
fn left_quantities(model: &Model, open: &Open) -> Option<Vec<usize>> {
    let mut left = Vec::new();
    for name in &open.names {
        let quantity = |name: &str| model.quantities.iter().position(|it| it.name == name);
        left.push(quantity(name).or_else(|| quantity(name.rsplit_once('.')?.0))?);
    }
    left.sort_unstable();
    left.dedup();
    (!left.iter().any(|&at| model.quantities[at].constant)).then_some(left)
}

/// Whether a statement comes from a law or a kind: what the scene itself says is never left out.
fn is_composed(model: &Model, label: &str) -> bool {
    model.fragments.iter().any(|fragment| states(&fragment.name, label))
        || model.things.iter().any(|thing| states(&thing.name, label))
}

/// Whether the label of an equation begins with the name of a law or a thing.
fn states(name: &str, label: &str) -> bool {
    label.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Whether nothing speaks of what was left out.
fn is_whole(model: &Model, mode: Vec<usize>, options: &Options) -> bool {
    let Some(system) = formulated(model, mode, options) else { return false };
    let drawn = system.arena.symbols_in(&system.picture.values);
    let left: Vec<&str> = model.quantities.iter().filter(|it| it.left_out).map(|it| it.name.as_str()).collect();
    let is_left = |symbol: &SymbolId| left.iter().any(|name| states(name, system.arena.symbol_name(*symbol)));
    equations::verify(&system).is_ok() && !drawn.iter().any(is_left)
}
