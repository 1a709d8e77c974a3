//! When a guard begins to hold: nothing that can is passed over within a step, and what does is located to rounding.

use kernel::Type::{Integer, Real};
use kernel::executive::SAME;
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use super::Automaton;
use super::claims::Claims;
use super::modes::Modes;
use crate::search::{Sought, attempt, search};

pub(super) struct Crossing {
    /// When the next transition happens, if that is known; it lies in the present step.
    pub due: ArrayId,
    pub is_due: ArrayId,
    /// Whether it is at the instant of an impact, where rounding decides whether a guard holds; none where nothing touches.
    pub at_impact: Option<ArrayId>,
    /// `(t) -> integer`: the state at this time, and how all guards stand there.
    pub guards_at: FunctionId,
    /// `() -> integer`: the first guard that holds, or -1.
    pub first_holding: FunctionId,
    /// `(begin, end) -> integer`: the earliest moment of the last step at which a guard holds becomes due.
    pub search: FunctionId,
}

pub(super) fn searching(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    claims: Option<&Claims>,
) -> Crossing {
    let due = module.real_array("due", 1, "when the next transition happens, if it does in this step");
    let is_due = module.integer_array("is_due", 1, "whether it does");
    let touches = automaton.modes.iter().any(|mode| mode.program.contacts.is_some());
    let at_impact =
        touches.then(|| module.integer_array("due_at_impact", 1, "whether it is at the instant of an impact"));
    let guards_at = guards_at(module, modes, at_impact);
    let first_holding = first_holding(module, modes);
    let measure = measure(module, modes, guards_at);
    let watch = |f: &mut FunctionBuilder, last: LocalId, t: LocalId| {
        let Some(claims) = claims else { return };
        match modes.is_run() {
            Some(is_run) => {
                f.note("Nothing is claimed of rehearsals.");
                f.if_(is_run, |f| attempt(f, claims.look_since, (last, t)));
            }
            None => attempt(f, claims.look_since, (last, t)),
        }
    };
    let (survey, enclose) = (modes.dispatch.survey, modes.dispatch.enclose);
    let sought = Sought { prefix: "", survey, enclose, verdicts: modes.values, measure, due, is_due };
    let mut search = search(module, sought, Some(&watch));
    if let Some(at_impact) = at_impact {
        search = search_to_impact(module, modes, sought, at_impact, search);
    }
    Crossing { due, is_due, at_impact, guards_at, first_holding, search }
}

/// The same, and what begins to hold at the very instant of an impact, which ends a step: what comes down to a border there, and goes up
/// from it again, has reached it, and rounding does not decide that.
fn search_to_impact(
    module: &mut ModuleBuilder,
    modes: &Modes,
    sought: Sought<'_>,
    at_impact: ArrayId,
    search: FunctionId,
) -> FunctionId {
    let Sought { measure, due, is_due, .. } = sought;
    let function = module.function("search_to_impact", &[("begin", Real), ("end", Real)], &[Integer], |f| {
        let [begin, end] = f.parameters();
        attempt(f, search, (begin, end));
        f.if_(is_due.at(0).ne_(0), |f| f.return_(protocol::DONE));
        let [status, _, _, _] = f.call_n(measure, end);
        f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
        let count = f.integer("count", modes.of_mode(modes.tables.counts));
        f.for_each("i", 0, count, |f, i| {
            f.if_(is_reached(modes, i, end), |f| {
                f.store(due, 0, end);
                f.store(is_due, 0, 1);
                f.store(at_impact, 0, 1);
            });
        });
        f.return_(protocol::DONE);
    });
    module.describe(
        function,
        "The earliest moment of the last step at which a guard holds, or would but for rounding at its end.",
    );
    function
}

/// Whether a margin that rises is zero at the instant of an impact, but for how well that is known.
fn is_reached(modes: &Modes, guard: LocalId, t: LocalId) -> kernel::Expression {
    let [margin, slope] = [0, 1].map(|at| modes.values.at(guard * 3 + at));
    slope.clone().gt(0.0).and((margin + slope * (t.abs() * SAME)).ge(0.0))
}

fn guards_at(module: &mut ModuleBuilder, modes: &Modes, at_impact: Option<ArrayId>) -> FunctionId {
    let function = module.function(protocol::LOOK, &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        attempt(f, modes.dispatch.sample, t);
        attempt(f, modes.dispatch.guards, t);
        if let Some(at_impact) = at_impact {
            f.if_(at_impact.at(0).ne_(0), |f| {
                let count = f.integer("count", modes.of_mode(modes.tables.counts));
                f.for_each("i", 0, count, |f, i| {
                    f.if_(is_reached(modes, i, t), |f| f.store(modes.values, i * 3 + 2, 1.0));
                });
            });
        }
        f.return_(protocol::DONE);
    });
    module.describe(function, "For each transition its margin, the slope of that, and whether its guard holds.");
    function
}

impl Crossing {
    /// What comes is after the impact.
    pub fn leave_impact(&self, f: &mut FunctionBuilder) {
        if let Some(at_impact) = self.at_impact {
            f.store(at_impact, 0, 0);
        }
    }
}

fn first_holding(module: &mut ModuleBuilder, modes: &Modes) -> FunctionId {
    let function = module.function("first_holding", &[], &[Integer], |f| {
        let count = f.integer("count", modes.of_mode(modes.tables.counts));
        f.for_each("i", 0, count, |f, i| {
            f.if_(modes.values.at(i * 3 + 2).ne_(0.0), |f| f.return_(i));
        });
        f.return_(-1);
    });
    module.describe(function, "The first transition whose guard holds, or -1.");
    function
}

/// The highest margin among guards in an array, and its slope.
fn highest(f: &mut FunctionBuilder, count: LocalId, guards: ArrayId) -> [LocalId; 2] {
    let at = f.integer("at", 0);
    let highest = f.real("highest", f64::NEG_INFINITY);
    let slope = f.real("highest_slope", 0.0);
    f.for_each("i", 0, count, |f, _| {
        f.if_(guards.at(at).gt(highest), |f| {
            f.assign(highest, guards.at(at));
            f.assign(slope, guards.at(at + 1));
        });
        f.increase(at, 3);
    });
    [highest, slope]
}

/// Whether any guard in an array holds.
fn any_holds(f: &mut FunctionBuilder, count: LocalId, guards: ArrayId) -> LocalId {
    let any = f.integer("any", 0);
    f.for_each("i", 0, count, |f, i| f.assign(any, any.or(guards.at(i * 3 + 2).ne_(0.0))));
    any
}

fn measure(module: &mut ModuleBuilder, modes: &Modes, guards_at: FunctionId) -> FunctionId {
    let function = module.function("measure", &[("t", Real)], &[Integer, Real, Real, Integer], |f| {
        let [t] = f.parameters();
        let status = f.call1(guards_at, t);
        f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0, 0.0, 0)));
        let count = f.integer("count", modes.of_mode(modes.tables.counts));
        let [margin, slope] = highest(f, count, modes.values);
        let holds = any_holds(f, count, modes.values);
        f.return_((protocol::DONE, margin, slope, holds));
    });
    module.describe(function, "The highest margin of all guards with its slope, and whether one holds.");
    function
}
