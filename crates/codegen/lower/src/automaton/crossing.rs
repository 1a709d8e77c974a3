//! When a guard begins to hold: nothing that can is passed over within a step, and what does is located to rounding.

use kernel::Type::{Integer, Real};
use kernel::executive::AT_ONCE;
use kernel::executive::crossing::{FARTHEST, LAST_PART, LOOKS, NEAR, PATIENCE};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use super::attempt;
use super::claims::Claims;
use super::modes::Modes;

pub(super) struct Crossing {
    /// When the next transition happens, if that is known; it lies in the present step.
    pub due: ArrayId,
    pub is_due: ArrayId,
    /// `(t) -> integer`: the state at this time, and how all guards stand there.
    pub guards_at: FunctionId,
    /// `() -> integer`: the first guard that holds, or -1.
    pub first_holding: FunctionId,
    /// `(begin, end) -> integer`: the earliest moment of the last step at which a guard holds becomes due.
    pub search: FunctionId,
}

pub(super) fn searching(module: &mut ModuleBuilder, modes: &Modes, claims: Option<&Claims>) -> Crossing {
    let due = module.real_array("due", 1, "when the next transition happens, if it does in this step");
    let is_due = module.integer_array("is_due", 1, "whether it does");
    let guards_at = guards_at(module, modes);
    let first_holding = first_holding(module, modes);
    let measure = measure(module, modes, guards_at);
    let locate = locate(module, measure);
    let search = search(module, modes, claims, Found { due, is_due }, measure, locate);
    Crossing { due, is_due, guards_at, first_holding, search }
}

fn guards_at(module: &mut ModuleBuilder, modes: &Modes) -> FunctionId {
    let function = module.function(protocol::LOOK, &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        attempt(f, modes.asks.sample, t);
        attempt(f, modes.asks.guards, t);
        f.return_(protocol::DONE);
    });
    module.describe(function, "For each transition its margin, the slope of that, and whether its guard holds.");
    function
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

/// The earliest time, but for rounding, at which something holds that does not hold at the low end and does at the high one.
fn locate(module: &mut ModuleBuilder, measure: FunctionId) -> FunctionId {
    let root_share = root_share(module);
    let low = [("low", Real), ("low_margin", Real), ("low_slope", Real)];
    let high = [("high", Real), ("high_margin", Real), ("high_slope", Real)];
    let parameters: Vec<_> = low.into_iter().chain(high).collect();
    let function = module.function("locate", &parameters, &[Integer, Real], |f| {
        let [low, low_margin, low_slope, high, high_margin, high_slope] = f.parameters();
        let beyond = f.real("beyond", NEAR);
        let last = f.real("last", low);
        f.for_each("look", 0, LOOKS, |f, _| {
            let width = f.real("width", high - low);
            let rounding = f.real("rounding", high.abs().max(low.abs()) * (2.0 * f64::EPSILON));
            f.if_(width.le(rounding), |f| f.break_());
            let share = f.call1(root_share, (width, low_margin, low_slope, high_margin, high_slope));
            let root = f.real("root", low + width * share);
            f.note("A little beyond the root, seen from the nearer end, so that both ends draw near to it.");
            let reach = f.real("reach", rounding * beyond);
            let across = (high - root).ge(root - low).select(root + reach, root - reach);
            let across = f.real("across", across);
            let inside = across.gt(low).and(across.lt(high)).and(beyond.lt(FARTHEST));
            let t = f.real("t", inside.select(across, low + width * 0.5));
            let [status, margin, slope, holds] = f.call_n(measure, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
            f.assign(last, t);
            f.if_else(
                holds,
                |f| {
                    f.assign(high, t);
                    f.assign(high_margin, margin.max(0.0));
                    f.assign(high_slope, slope);
                },
                |f| {
                    f.assign(low, t);
                    f.assign(low_margin, margin.min(0.0));
                    f.assign(low_slope, slope);
                },
            );
            f.note("Farther if that did not help; in the middle, once and for all, if that did not help for long.");
            let slow = (high - low).gt(width * 0.5).or(beyond.ge(FARTHEST));
            f.assign(beyond, slow.select(beyond * 4.0, NEAR));
        });
        f.if_(last.ne_(high), |f| {
            let [status, _, _, _] = f.call_n(measure, high);
            f.return_((status, high));
        });
        f.return_((protocol::DONE, high));
    });
    module.describe(
        function,
        "The earliest time, but for rounding, at which it holds: not at the low end, but at the high one.",
    );
    function
}

/// `(width, margin, slope, margin, slope) -> real`
fn root_share(module: &mut ModuleBuilder) -> FunctionId {
    let ends = [("low", Real), ("low_slope", Real), ("high", Real), ("high_slope", Real)];
    let parameters: Vec<_> = [("width", Real)].into_iter().chain(ends).collect();
    let function = module.function("root_share", &parameters, &[Real], |f| {
        let [width, low, low_slope, high, high_slope] = f.parameters();
        let secant = f.real("secant", low / (low - high));
        let rest = f.real("rest", 1.0 - secant);
        let rise = f.real("rise", high - low);
        let first = f.real("first", rise / (width * low_slope));
        let second = f.real("second", rise / (width * high_slope));
        let share = secant * secant * (3.0 - secant * 2.0) + secant * rest * (rest * first - secant * second);
        let share = f.real("share", share);
        let good = low_slope.gt(0.0).and(high_slope.gt(0.0)).and(share.gt(0.0)).and(share.lt(1.0));
        f.return_(good.select(share, secant));
    });
    module.describe(
        function,
        "Where a margin that rises is zero, as a share: by the cubic that time is of the margin, or by the secant.",
    );
    function
}

#[derive(Clone, Copy)]
struct Found {
    due: ArrayId,
    is_due: ArrayId,
}

fn search(
    module: &mut ModuleBuilder,
    modes: &Modes,
    claims: Option<&Claims>,
    Found { due, is_due }: Found,
    measure: FunctionId,
    locate: FunctionId,
) -> FunctionId {
    let function = module.function("search", &[("begin", Real), ("end", Real)], &[Integer], |f| {
        let [begin, end] = f.parameters();
        f.store(is_due, 0, 0);
        attempt(f, modes.asks.survey, (begin, end));
        let look = |f: &mut FunctionBuilder, t: LocalId| {
            let [status, margin, slope, holds] = f.call_n(measure, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
            [margin, slope, holds]
        };
        let happens = |f: &mut FunctionBuilder, t: LocalId| {
            f.store(due, 0, t);
            f.store(is_due, 0, 1);
        };
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
        let [_, _, holds] = look(f, begin);
        f.if_(holds, |f| {
            happens(f, begin);
            f.return_(protocol::DONE);
        });
        let whole = f.real("whole", end - begin);
        let rounding = f.real("rounding", end.abs() * (4.0 * f64::EPSILON));
        let patience = PATIENCE.map(|patience| f.integer("patience", patience));
        f.note("Claims are looked at one part later: what is claimed of the instant of a transition when that comes.");
        let claimed = f.real("claimed", begin);
        let now = f.real("now", begin);
        let width = f.real("width", whole);
        f.while_(now.lt(end), |f| {
            let inside = (now + width).lt(end);
            let goal = f.real("goal", inside.select(now + width, end));
            attempt(f, modes.asks.enclose, (now, goal));
            let verdicts = [0, 1].map(|at| f.integer("verdict", modes.values.at(at).to_integer()));
            let is_halved = f.integer("is_halved", 0);
            for (verdict, patience) in verdicts.into_iter().zip(patience) {
                let least = patience.gt(0).select(rounding, whole * LAST_PART);
                let open = verdict.eq_(protocol::OPEN).and((goal - now).gt(least));
                f.if_(is_halved.logical_not().and(open), |f| {
                    f.assign(patience, patience.gt(0).select(patience - 1, 0));
                    f.assign(is_halved, 1);
                });
            }
            f.if_else(
                is_halved,
                |f| f.assign(width, (goal - now) * 0.5),
                |f| {
                    f.if_(verdicts[0].ne_(protocol::QUIET), |f| {
                        let [high, high_slope, holds] = look(f, goal);
                        f.if_(holds, |f| {
                            let [low, low_slope, _] = look(f, now);
                            let [status, since] = f.call_n(locate, (now, low, low_slope, goal, high, high_slope));
                            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                            happens(f, since);
                            let before = f.real("before", since - since.abs() * (2.0 * AT_ONCE));
                            let sooner = f.real("sooner", now.min(before));
                            watch(f, claimed, sooner);
                            let later = f.real("later", claimed.max(now));
                            watch(f, later, before);
                            f.return_(protocol::DONE);
                        });
                    });
                    watch(f, claimed, now);
                    f.assign(claimed, now);
                    f.assign(width, (goal - now) * 2.0);
                    f.assign(now, goal);
                },
            );
        });
        watch(f, claimed, end);
        f.return_(protocol::DONE);
    });
    module.describe(function, "The earliest moment of the last step at which a guard holds becomes due.");
    function
}
