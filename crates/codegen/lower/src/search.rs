//! The earliest moment of a step at which something begins to hold, be it a guard or that a switch has to turn: nothing that can is passed
//! over, and what does is located to rounding.

use kernel::Type::{Integer, Real};
use kernel::executive::AT_ONCE;
use kernel::executive::crossing::{FARTHEST, LAST_PART, LOOKS, NEAR, PATIENCE};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Operands, Term, protocol};

/// What is looked for, and how.
#[derive(Clone, Copy)]
pub(crate) struct Sought<'s> {
    /// Begins the names of what is written.
    pub prefix: &'s str,
    /// `(begin, end) -> integer`: looks at the last step as a whole.
    pub survey: FunctionId,
    /// `(begin, end) -> integer`: what can happen in a part of it, as verdicts of the protocol.
    pub enclose: FunctionId,
    /// The verdict on what is sought, and then, if there is a `watch`, on what is watched.
    pub verdicts: ArrayId,
    /// `(t) -> (integer, real, real, integer)`: a status, the highest margin with its slope, and whether any holds.
    pub measure: FunctionId,
    /// When it happens, if it does.
    pub due: ArrayId,
    pub is_due: ArrayId,
}

/// Writes code that looks at what else is watched, since some time and up to another.
pub(crate) type Watch<'w> = &'w dyn Fn(&mut FunctionBuilder, LocalId, LocalId);

/// Leaves the function with the status of another if that failed.
pub(crate) fn attempt(f: &mut FunctionBuilder, function: FunctionId, arguments: impl Operands) {
    let status = f.call1(function, arguments);
    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
}

/// `(begin, end) -> integer`: the earliest moment of the last step at which what is sought holds becomes due.
// Long: writes one kernel function, whose steps work on the same local variables.
pub(crate) fn search(module: &mut ModuleBuilder, sought: Sought<'_>, watched: Option<Watch<'_>>) -> FunctionId {
    let Sought { prefix, survey, enclose, verdicts, measure, due, is_due } = sought;
    let locate = locate(module, prefix, measure);
    let kinds = 1 + usize::from(watched.is_some());
    let function = module.function(&format!("{prefix}search"), &[("begin", Real), ("end", Real)], &[Integer], |f| {
        let [begin, end] = f.parameters();
        f.store(is_due, 0, 0);
        attempt(f, survey, (begin, end));
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
            if let Some(watched) = watched {
                watched(f, last, t);
            }
        };
        let [_, _, holds] = look(f, begin);
        f.if_(holds, |f| {
            happens(f, begin);
            f.return_(protocol::DONE);
        });
        let whole = f.real("whole", end - begin);
        let rounding = f.real("rounding", end.abs() * (4.0 * f64::EPSILON));
        let patience: Vec<LocalId> =
            PATIENCE[..kinds].iter().map(|&patience| f.integer("patience", patience)).collect();
        f.note("Claims are looked at one part later: what is claimed of the instant of a transition when that comes.");
        let claimed = f.real("claimed", begin);
        let now = f.real("now", begin);
        let width = f.real("width", whole);
        f.while_(now.lt(end), |f| {
            let inside = (now + width).lt(end);
            let goal = f.real("goal", inside.select(now + width, end));
            attempt(f, enclose, (now, goal));
            let verdicts: Vec<LocalId> =
                (0..kinds).map(|at| f.integer("verdict", verdicts.at(at).to_integer())).collect();
            let is_halved = f.integer("is_halved", 0);
            for (&verdict, &patience) in verdicts.iter().zip(&patience) {
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
    module.describe(function, "The earliest moment of the last step at which one holds becomes due.");
    function
}

/// How often a search goes on from the middle between ends that did not draw near: on the other side of a bend, roots are easy again. What jumps is
/// halved to its end.
const MIDDLES: usize = 8;

/// The earliest time, but for rounding, at which something holds that does not hold at the low end and does at the high one.
pub(crate) fn locate(module: &mut ModuleBuilder, prefix: &str, measure: FunctionId) -> FunctionId {
    let root_share = root_share(module, prefix);
    let low = [("low", Real), ("low_margin", Real), ("low_slope", Real)];
    let high = [("high", Real), ("high_margin", Real), ("high_slope", Real)];
    let parameters: Vec<_> = low.into_iter().chain(high).collect();
    let function = module.function(&format!("{prefix}locate"), &parameters, &[Integer, Real], |f| {
        let [low, low_margin, low_slope, high, high_margin, high_slope] = f.parameters();
        let beyond = f.real("beyond", NEAR);
        let patience = f.integer("patience", MIDDLES);
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
            f.note("Farther if that did not help; in the middle if that did not help for long, and for good if it has to be often.");
            let halved = f.integer("halved", beyond.ge(FARTHEST));
            let for_good = halved.get().and(patience.le(0));
            let slow = halved.logical_not().and((high - low).gt(width * 0.5)).or(for_good);
            f.assign(beyond, slow.select(beyond * 4.0, NEAR));
            f.assign(patience, patience - halved);
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

/// By the fourth step of Newton's method the root of a cubic is known as well as matters, from wherever its secant leads to.
const STEPS: usize = 4;

/// `(width, margin, slope, margin, slope) -> real`
///
/// The root of the cubic that has both margins and both slopes, by Newton's method between ends that close in on it: margins are of polynomials
/// in time, mostly, and a body that falls from rest hits the floor at the root of a parabola.
fn root_share(module: &mut ModuleBuilder, prefix: &str) -> FunctionId {
    let ends = [("low", Real), ("low_slope", Real), ("high", Real), ("high_slope", Real)];
    let parameters: Vec<_> = [("width", Real)].into_iter().chain(ends).collect();
    let function = module.function(&format!("{prefix}root_share"), &parameters, &[Real], |f| {
        let [width, low, low_slope, high, high_slope] = f.parameters();
        let share = f.real("share", low / (low - high));
        let [first, last] = [low_slope, high_slope].map(|slope| f.real("slope", slope * width));
        f.if_((first + last).abs().lt(f64::INFINITY).logical_not(), |f| f.return_(share));
        let rise = f.real("rise", high - low);
        let square = f.real("square", rise * 3.0 - first * 2.0 - last);
        let cube = f.real("cube", first + last - rise * 2.0);
        let (left, right) = (f.real("left", 0.0), f.real("right", 1.0));
        f.for_each("step", 0, STEPS, |f, _| {
            let margin = f.real("margin", low + share * (first + share * (square + share * cube)));
            let slope = f.real("slope", first + share * (square * 2.0 + share * (cube * 3.0)));
            f.if_else(margin.gt(0.0), |f| f.assign(right, share), |f| f.assign(left, share));
            let next = f.real("next", share - margin / slope);
            let inside = next.ge(left).and(next.le(right));
            f.assign(share, inside.select(next, left + (right - left) * 0.5));
        });
        f.return_(share);
    });
    module
        .describe(function, "Where a margin that rises is zero, as a share: by the cubic of both margins and slopes.");
    function
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Expression, Interpreter, Machine};

    /// A margin and its slope at a time, what the time of the root is, and how many looks it may take.
    type Case = (fn(LocalId) -> (Expression, Expression), f64, f64);

    const CASES: &[Case] = &[
        // From rest onto the floor; nearly linear; flat at its root; steep at it; a jump, which can only be halved; and a bend beyond it.
        (|t| (t * t * 4.905 - 1.0, t * 9.81), 0.451_523_640_985_730_9, 6.0),
        (|t| (t - 0.375 + t * t * t * 1e-3 - 0.375 * 0.375 * 0.375e-3, t * t * 3e-3 + 1.0), 0.375, 6.0),
        (|t| (t * t * t * t * t - 1.0 / 32.0, t * t * t * t * 5.0), 0.5, 12.0),
        (|t| ((t + 1e-3).sqrt() - 0.03162277660168379 * 2.0, Expression::from(0.5) / (t + 1e-3).sqrt()), 3e-3, 16.0),
        (|t| (t.gt(0.7).select(Expression::from(1.0), Expression::from(-1.0)), Expression::from(0.0)), 0.7, 64.0),
        (
            |t| {
                (
                    (t - 0.3) * t.gt(0.3).select(Expression::from(60.0), Expression::from(0.05)) + 0.0004,
                    t.gt(0.3).select(Expression::from(60.0), Expression::from(0.05)),
                )
            },
            0.292,
            48.0,
        ),
    ];

    #[test]
    fn roots_are_found_to_rounding_within_few_looks() {
        for &(margin, root, most) in CASES {
            let mut module = ModuleBuilder::new("root");
            let looks = module.real_array("looks", 1, "");
            let measure = module.function("measure", &[("t", Real)], &[Integer, Real, Real, Integer], |f| {
                let [t] = f.parameters();
                f.store(looks, 0, looks.at(0) + 1.0);
                let (margin, slope) = margin(t);
                let margin = f.real("margin", margin);
                f.return_((protocol::DONE, margin, slope, margin.gt(0.0)));
            });
            let locate = locate(&mut module, "", measure);
            let whole = module.function("whole", &[], &[Integer, Real], |f| {
                let [_, low, low_slope, _] = f.call_n(measure, 0.0);
                let [_, high, high_slope, _] = f.call_n(measure, 1.0);
                let [status, found] = f.call_n(locate, (0.0, low, low_slope, 1.0, high, high_slope));
                f.return_((status, found));
            });
            let module = module.finish();
            let mut memory = module.initial_memory();
            let found = Interpreter::new(&module).call(whole, &[], &mut memory).expect("a root")[1].as_real();
            let looks = f64::from_bits(memory.cells()[0]) - 2.0;
            assert!(found.is_some_and(|found| (found - root).abs() < 1e-15), "{found:?}, not {root}");
            assert!(looks <= most, "{looks} looks for {root}");
        }
    }
}
