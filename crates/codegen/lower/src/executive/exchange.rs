//! What integrators of other programs ask of a scene with modes: rates and distances to events in the present mode, and what happens at one.

use expr::SymbolId;
use kernel::Type::{Integer, Real};
use kernel::executive::BOUNDLESS;
use kernel::{Module, ModuleBuilder, Term, protocol};
use program::Program;
use rustc_hash::FxHashSet;

use super::crossing::Crossing;
use super::modes::{Exchanged, Modes, changes};
use super::transition::Changing;
use super::{Automaton, Mode, attempt};

/// Indicators of events are never nearer to zero than this, so that each says on which side it is.
const NEAREST: f64 = 1e-300;

/// Needs: the other entry points.
pub(super) fn exchange(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    crossing: &Crossing,
    changing: &Changing,
) {
    let Some(exchanged) = &modes.exchanged else { return };
    hold(module, automaton, modes, crossing, exchanged);
    let blame = function(module.module(), "blame");
    let mut entry = |name: &str, asked: kernel::FunctionId, then: Option<kernel::FunctionId>| {
        module.function(name, &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let status = f.call1(asked, t);
            if let Some(then) = then {
                f.if_(status.le(protocol::UNFINISHED), |f| f.call_into(&[status], then, t));
            }
            let status = f.call1(blame, status);
            f.return_(status);
        });
    };
    entry(protocol::COMPLETE, exchanged.complete, None);
    entry(protocol::REACT, exchanged.react, Some(changing.happen));
}

fn function(module: &Module, name: &str) -> kernel::FunctionId {
    module.find_function(name).expect("it was made before")
}

fn hold(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    crossing: &Crossing,
    exchanged: &Exchanged,
) {
    let whole = module.module().find_array(protocol::STATES).expect("it was made before");
    let blame = function(module.module(), "blame");
    let transitions = automaton.transitions.len();
    let guards = module.real_array(protocol::GUARD_INDICATORS, transitions, "positive where guards do not hold");
    let timed = timed(module, automaton, modes);
    let indicators = module.length(exchanged.indicators);
    let find = module.function("hold_mode", &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        f.for_each("i", 0, transitions, |f, i| f.store(guards, i, 1.0));
        f.for_each("i", 0, indicators, |f, i| f.store(exchanged.indicators, i, 1.0));
        f.for_each("i", 0, modes.variables, |f, i| f.store(modes.values, i, whole.at(i)));
        attempt(f, modes.dispatch.reenter, t);
        f.store(crossing.is_due, 0, 0);
        attempt(f, exchanged.hold, t);
        attempt(f, crossing.guards_at, t);
        let count = f.integer("count", modes.of_mode(modes.tables.counts));
        f.for_each("i", 0, count, |f, i| {
            let [margin, slope] =
                [("margin", 0), ("slope", 1)].map(|(name, at)| f.real(name, modes.values.at(i * 3 + at)));
            let holds = modes.values.at(i * 3 + 2).ne_(0.0);
            let size = holds.clone().select(margin, -margin.get()).max(NEAREST).min(BOUNDLESS);
            let size = f.real("size", size);
            f.store(guards, modes.at_edge(modes.tables.numbers, i), holds.select(-size.get(), size));
            f.note("What is a line over time alone is known beforehand; a little later it holds for certain.");
            let rises = modes.at_edge(timed, i).ne_(0).and(margin.lt(0.0)).and(slope.gt(0.0));
            f.if_(rises, |f| {
                let instant = f.real("instant", t - margin / slope);
                f.assign(instant, instant + instant.abs() * (4.0 * f64::EPSILON));
                f.store(exchanged.next, 0, exchanged.next.at(0).min(instant));
            });
        });
        f.return_(protocol::DONE);
    });
    module.describe(find, "Rates in the present mode, and how far its guards are from holding.");
    module.function(protocol::HOLD, &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        let status = f.call1(find, t);
        let status = f.call1(blame, status);
        f.return_(status);
    });
}

/// Which guards of each mode depend on the time alone, and on it as a line, between events.
fn timed(module: &mut ModuleBuilder, automaton: &Automaton<'_>, modes: &Modes) -> kernel::ArrayId {
    let of_mode = |mode: &Mode<'_>| -> Vec<i64> {
        let edges = 0..changes(mode).all.len();
        let mut rows: Vec<i64> = edges.map(|at| i64::from(is_timed(mode.program, at))).collect();
        rows.resize(modes.tables.most, 0);
        rows
    };
    let rows = automaton.modes.iter().flat_map(of_mode).collect();
    automaton.table(module, "transition_is_timed", rows, "whether its guard is a line over time alone")
}

fn is_timed(program: &Program, at: usize) -> bool {
    let guards = &program.changes.as_ref().expect("what has modes has changes").guards;
    let constant: FxHashSet<SymbolId> = program.parameters.iter().map(|it| it.symbol).collect();
    let only = |place: usize, more: Option<SymbolId>| {
        let symbols = program.arena.symbols_in(&guards.results[place..=place]);
        symbols.into_iter().all(|symbol| constant.contains(&symbol) || Some(symbol) == more)
    };
    only(at * 3, Some(program.time)) && only(at * 3 + 1, None)
}
