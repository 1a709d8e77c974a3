//! When a guard begins to hold: looked for within a step, and located to rounding. As `simulation/src/hybrid/crossing.rs` does it.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

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

/// A row this near to a transition, relative to its time, shows what holds after it.
pub(super) const AT_ONCE: f64 = 1e-11;
/// In how many parts a step is looked at.
const PARTS: usize = 8;
/// Between two looks guards bend by no more than this.
const MOST_BENT: f64 = 0.5;
/// A look is at most this part of a step away from the next.
const LEAST_PART: f64 = 1.0 / 1_048_576.0;

pub(super) fn searching(module: &mut ModuleBuilder, modes: &Modes, claims: Option<&Claims>) -> Crossing {
    let due = module.real_array("due", 1, "when the next transition happens, if it does in this step");
    let is_due = module.integer_array("is_due", 1, "whether it does");
    let guards_at = guards_at(module, modes);
    let first_holding = first_holding(module, modes);
    let measure = measure(module, modes, guards_at);
    let locate = locate(module, measure);
    let tangents = Tangents::new(module);
    let top_of = top_of(module, modes, guards_at, locate, &tangents);
    let search = search(module, modes, claims, Found { due, is_due }, guards_at, locate, top_of, &tangents);
    Crossing { due, is_due, guards_at, first_holding, search }
}

fn guards_at(module: &mut ModuleBuilder, modes: &Modes) -> FunctionId {
    let function = module.function("guards_at", &[("t", Real)], &[Integer], |f| {
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
    const LOOKS: usize = 200;
    const NEAR: f64 = 0.4;
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
            let inside = across.gt(low).and(across.lt(high));
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
            f.note("Farther if that did not help.");
            f.assign(beyond, (high - low).gt(width * 0.5).select(beyond * 4.0, NEAR));
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

struct Tangents {
    /// `(width, margin, slope, margin, slope) -> (integer, real, real)`: where the tangents of a margin at both ends of an interval meet, as
    /// a share of its width, and how high; 0 if they do not.
    meeting: FunctionId,
    /// `(width, margin, slope, holds, margin, slope, holds) -> integer`
    could_pass: FunctionId,
}

impl Tangents {
    fn new(module: &mut ModuleBuilder) -> Tangents {
        let ends = [("first", Real), ("first_slope", Real), ("second", Real), ("second_slope", Real)];
        let parameters: Vec<_> = [("width", Real)].into_iter().chain(ends).collect();
        let meeting = module.function("meeting", &parameters, &[Integer, Real, Real], |f| {
            let [width, first, first_slope, second, second_slope] = f.parameters();
            let share = (second - first - second_slope * width) / ((first_slope - second_slope) * width);
            let share = f.real("share", share);
            f.return_((share.ge(0.0).and(share.le(1.0)), share, first + share * width * first_slope));
        });
        module.describe(
            meeting,
            "Whether and where the tangents at both ends meet, as a share of the width, and how high.",
        );
        let parameters: Vec<_> =
            parameters.into_iter().chain([("first_holds", Integer), ("second_holds", Integer)]).collect();
        let could_pass = module.function("could_pass", &parameters, &[Integer], |f| {
            let [width, first, first_slope, second, second_slope, first_holds, second_holds] = f.parameters();
            let rises = first_slope.gt(0.0).and(second_slope.lt(0.0));
            let turns = rises.and(first_holds.or(second_holds).eq_(0));
            f.if_(turns.logical_not(), |f| f.return_(0));
            let [meet, _, top] = f.call_n(meeting, (width, first, first_slope, second, second_slope));
            f.note(
                "What curves the other way in between may rise more steeply than at the ends, so something is added.",
            );
            let high_enough = (top + (top - first.max(second))).ge(0.0);
            f.return_(meet.eq_(0).or(high_enough));
        });
        module.describe(could_pass, "Whether a margin may have been positive between two looks at which it is not.");
        Tangents { meeting, could_pass }
    }
}

/// The guard at some place of an array, as variables: margin, slope, and whether it holds.
fn guard(f: &mut FunctionBuilder, guards: ArrayId, at: LocalId) -> [LocalId; 3] {
    let margin = f.real("margin", guards.at(at * 3));
    let slope = f.real("slope", guards.at(at * 3 + 1));
    let holds = f.integer("holds", guards.at(at * 3 + 2).ne_(0.0));
    [margin, slope, holds]
}

/// `(hump, low, high) -> (integer, integer, real)`: whether a guard holds for a while between two looks at which it does not, and since when.
fn top_of(
    module: &mut ModuleBuilder,
    modes: &Modes,
    guards_at: FunctionId,
    locate: FunctionId,
    tangents: &Tangents,
) -> FunctionId {
    const LOOKS: usize = 60;
    let parameters = [("hump", Integer), ("low", Real), ("high", Real)];
    let function = module.function("top_of", &parameters, &[Integer, Integer, Real], |f| {
        let [hump, low, high] = f.parameters();
        let look_at = |f: &mut FunctionBuilder, t: Expression| {
            let status = f.call1(guards_at, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0, 0.0)));
            guard(f, modes.values, hump)
        };
        let first = look_at(f, low.get());
        let second = look_at(f, high.get());
        let turn = f.integer("turn", 0);
        f.for_each("look", 0, LOOKS, |f, _| {
            let width = f.real("width", high - low);
            f.note("Where the tangents at both ends meet, or in the middle now and then.");
            let [meet, share, _] = f.call_n(tangents.meeting, (width, first[0], first[1], second[0], second[1]));
            let share = meet.and(turn.ne_(2)).select(share, 0.5);
            f.assign(turn, turn.eq_(2).select(0, turn + 1));
            let t = f.real("t", low + width * share.max(0.001).min(0.999));
            f.if_(t.le(low).or(t.ge(high)), |f| f.return_((protocol::DONE, 0, 0.0)));
            let found = look_at(f, t.get());
            f.if_(found[2], |f| {
                let [status, since] = f.call_n(locate, (low, first[0], first[1], t, found[0], found[1]));
                f.return_((status, 1, since));
            });
            let move_to = |f: &mut FunctionBuilder, end: LocalId, guard: [LocalId; 3]| {
                f.assign(end, t);
                guard.iter().zip(found).for_each(|(&known, new)| f.assign(known, new));
            };
            f.if_else(found[1].gt(0.0), |f| move_to(f, low, first), |f| move_to(f, high, second));
            let ends = (high - low, first[0], first[1], second[0], second[1], first[2], second[2]);
            let could = f.call1(tangents.could_pass, ends);
            f.if_(could.eq_(0), |f| f.return_((protocol::DONE, 0, 0.0)));
        });
        f.return_((protocol::DONE, 0, 0.0));
    });
    module.describe(
        function,
        "Whether a guard holds for a while between two looks at which it does not, and since when.",
    );
    function
}

#[derive(Clone, Copy)]
struct Found {
    due: ArrayId,
    is_due: ArrayId,
}

#[allow(clippy::too_many_arguments, reason = "each is a function that this one calls")]
fn search(
    module: &mut ModuleBuilder,
    modes: &Modes,
    claims: Option<&Claims>,
    Found { due, is_due }: Found,
    guards_at: FunctionId,
    locate: FunctionId,
    top_of: FunctionId,
    tangents: &Tangents,
) -> FunctionId {
    let guards = 3 * modes.tables.most;
    let known = module.real_array("guards_before", guards, "at the look before");
    let now = module.real_array("guards_now", guards, "at this look");
    let function = module.function("search", &[("begin", Real), ("end", Real)], &[Integer], |f| {
        let [begin, end] = f.parameters();
        f.store(is_due, 0, 0);
        let count = f.integer("count", modes.of_mode(modes.tables.counts));
        let haste = |f: &mut FunctionBuilder| {
            let haste = f.real("haste", modes.values.at(count * 3));
            f.assign(haste, haste.abs().lt(f64::INFINITY).select(haste, 0.0));
            haste
        };
        let watch = |f: &mut FunctionBuilder, last: LocalId, t: LocalId| {
            let Some(claims) = claims else { return };
            f.note("Nothing is claimed of rehearsals.");
            f.if_(modes.present.at(0).lt(modes.count), |f| {
                attempt(f, claims.look_since, (last, t));
            });
        };
        let least = f.real("least", ((end - begin) * LEAST_PART).max(end.abs() * (4.0 * f64::EPSILON)));
        attempt(f, guards_at, begin);
        let haste_before = haste(f);
        f.for_each("i", 0, count * 3, |f, i| f.store(known, i, modes.values.at(i)));
        watch(f, begin, begin);
        let earlier = f.real("earlier", begin);
        let part = f.integer("part", 1);
        f.while_(part.le(PARTS), |f| {
            let goal = begin + (end - begin) * part.to_real() / PARTS as f64;
            let goal = f.real("goal", part.eq_(PARTS).select(end, goal));
            let t = f.real("t", goal);
            f.note("Earlier, if guards would bend in between, as far as both looks tell.");
            f.if_((haste_before * (goal - earlier)).gt(MOST_BENT), |f| {
                f.assign(t, (earlier + (Expression::from(MOST_BENT) / haste_before).max(least)).min(goal));
            });
            f.loop_(|f| {
                attempt(f, guards_at, t);
                let haste = haste(f);
                let width = f.real("width", t - earlier);
                f.if_(width.le(least).or((haste * width).le(2.0 * MOST_BENT)), |f| {
                    f.assign(haste_before, haste);
                    f.break_();
                });
                f.assign(t, earlier + width * 0.5);
            });
            f.for_each("i", 0, count * 3, |f, i| f.store(now, i, modes.values.at(i)));
            f.note("One may have come and gone since the last look.");
            f.for_each("hump", 0, count, |f, hump| {
                let [first, first_slope, first_holds] = guard(f, known, hump);
                let [second, second_slope, second_holds] = guard(f, now, hump);
                let ends = (t - earlier, first, first_slope, second, second_slope, first_holds, second_holds);
                let could = f.call1(tangents.could_pass, ends);
                f.if_(could, |f| {
                    let [status, found, passed] = f.call_n(top_of, (hump, earlier, t));
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                    f.if_(found, |f| {
                        let first = is_due.at(0).select(due.at(0).min(passed), passed);
                        f.store(due, 0, first);
                        f.store(is_due, 0, 1);
                    });
                });
            });
            f.if_(is_due.at(0), |f| f.return_(protocol::DONE));
            let holds = any_holds(f, count, now);
            f.if_(holds, |f| {
                let [low, low_slope] = highest(f, count, known);
                let [high, high_slope] = highest(f, count, now);
                let [status, since] = f.call_n(locate, (earlier, low, low_slope, t, high, high_slope));
                f.store(due, 0, since);
                f.store(is_due, 0, 1);
                f.return_(status);
            });
            watch(f, earlier, t);
            f.if_(t.eq_(goal), |f| f.increase(part, 1));
            f.for_each("i", 0, count * 3, |f, i| f.store(known, i, now.at(i)));
            f.assign(earlier, t);
        });
        f.return_(protocol::DONE);
    });
    module.describe(function, "The earliest moment of the last step at which a guard holds becomes due.");
    function
}
