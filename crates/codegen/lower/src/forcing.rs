//! What acts on the motion and depends on time alone may be narrow: a push of a millisecond within seconds of rest. Its bounds over the next
//! step are known beforehand, so no step is taken over a change of more than half of its largest size that nobody would have seen.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term};
use program::is_narrow;
use rustc_hash::FxHashMap;

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::range::{Range, Ranging};

/// In how many places of the next step it is looked at.
const PLACES: usize = 9;
/// So often the next step is halved; what is narrower by that is passed over.
const HALVINGS: usize = 40;
/// A change by more than this part of its largest size is to be seen.
const PART: f64 = 0.5;
/// That of what may be narrow: with it, what is narrow takes half of a step, so that the few stages of any method see it.
const NARROW_PART: f64 = 0.25;
/// In seconds; beyond it nobody looks for the largest size.
const FAR: f64 = 1e4;
/// The bounds of a size are good enough if something of this part of them was seen.
const GOOD: f64 = 0.5;
/// In so many pieces of time sizes are looked for; of the rest the bounds are taken, however wide they are.
const PIECES: usize = 1000;
/// No piece is shorter than this part of the whole: what becomes infinite has no better bounds in any.
const SHORTEST: f64 = 1e-15;

/// What keeps steps from passing over narrow features in time.
#[derive(Clone, Copy)]
pub(crate) struct Forcing {
    /// `(begin)`: finds how large each can become.
    pub scale: FunctionId,
    /// `(begin, end) -> real`: the end of the longest step, at most that to the end, that passes over nothing.
    pub limit: FunctionId,
}

impl<'p> Lowering<'p> {
    /// None if nothing acts that depends on time alone.
    pub fn forcing(&mut self, lowered: &LoweredIntegral) -> Option<Forcing> {
        let count = self.program.switches.as_ref()?.forcing.len();
        if count == 0 {
            return None;
        }
        let mut array = |name: &str, note| self.module.real_array(name, count, note);
        let sizes = array("forcing_sizes", "the largest size of what depends on time alone");
        let [low, high] = [array("forcing_low", "bounds over a step"), array("forcing_high", "bounds over a step")];
        let values = array("forcing_values", "at some time");
        let last = array("forcing_last", "in the place before");
        let [least, most] = [array("forcing_least", "seen in a step"), array("forcing_most", "seen in a step")];
        let forcing = self.program.switches.iter().flat_map(|switches| &switches.forcing);
        let share = |&part: &expr::Expr| if is_narrow(self.program, part) { NARROW_PART } else { PART };
        let shares: Vec<f64> = forcing.map(share).collect();
        let shares = self.module.reals("forcing_shares", &shares, "which part of its size a change is to be seen of");
        let enclose = self.enclose_forcing(low, high);
        let evaluate = self.evaluate_forcing(values);
        let scale = self.scale_forcing(count, sizes, [low, high, values, most], [enclose, evaluate], lowered);
        let ends = [("begin", Real), ("end", Real)];
        let clear = self.module.function("forcing_clear", &ends, &[Integer], |f| {
            let [begin, end] = f.parameters();
            f.for_each("k", 0, count, |f, k| {
                f.store(least, k, f64::INFINITY);
                f.store(most, k, f64::NEG_INFINITY);
            });
            f.for_each("place", 0, PLACES, |f, place| {
                let t = begin + (end - begin) * (place.to_real() / (PLACES - 1) as f64);
                f.call(evaluate, t);
                f.for_each("k", 0, count, |f, k| {
                    f.note("Stages lie elsewhere: what is seen in one place has to be seen on the way to it.");
                    let part = f.real("part", sizes.at(k) * shares.at(k));
                    let leap = place.gt(0).and((values.at(k) - last.at(k)).abs().gt(part));
                    f.if_(leap.and(part.gt(0.0)).and(part.lt(f64::INFINITY)), |f| f.return_(0));
                    f.store(last, k, values.at(k));
                    f.store(least, k, least.at(k).min(values.at(k)));
                    f.store(most, k, most.at(k).max(values.at(k)));
                });
            });
            f.call(enclose, (begin, end));
            f.for_each("k", 0, count, |f, k| {
                let part = f.real("part", sizes.at(k) * shares.at(k));
                let hidden = (high.at(k) - most.at(k)).gt(part).or((least.at(k) - low.at(k)).gt(part));
                f.if_(hidden.and(part.gt(0.0)).and(part.lt(f64::INFINITY)), |f| f.return_(0));
            });
            f.return_(1);
        });
        let limit = self.module.function("forcing_limit", &ends, &[Real], |f| {
            let [begin, end] = f.parameters();
            f.for_each("halving", 0, HALVINGS, |f, _| {
                let is_clear = f.call1(clear, (begin, end));
                f.if_(is_clear, |f| f.break_());
                f.assign(end, begin + (end - begin) * 0.5);
            });
            f.return_(end);
        });
        self.module.describe(limit, "How far a step may go without passing over what depends on time alone.");
        Some(Forcing { scale, limit })
    }

    /// `(begin)`: how large each can become from there on. Over long times bounds may be far too wide, as those of d² exp(-d²) are, and
    /// beside such a size everything would be small; so pieces are halved until something in the order of their bounds was seen anywhere.
    fn scale_forcing(
        &mut self,
        count: usize,
        sizes: ArrayId,
        [low, high, values, most]: [ArrayId; 4],
        [enclose, evaluate]: [FunctionId; 2],
        lowered: &LoweredIntegral,
    ) -> FunctionId {
        let horizon = lowered.arrays.horizon;
        let function = self.module.function("forcing_scale", &[("begin", Real)], &[], |f| {
            let [begin] = f.parameters();
            let at = f.real("at", begin);
            let end = f.real("end", horizon.at(0).min(begin + FAR));
            let width = f.real("width", end - begin);
            let shortest = f.real("shortest", width * SHORTEST);
            let bound = |k: LocalId| low.at(k).abs().max(high.at(k).abs());
            f.for_each("k", 0, count, |f, k| {
                f.store(sizes, k, 0.0);
                f.store(most, k, 0.0);
            });
            let include = |f: &mut FunctionBuilder| {
                f.for_each("k", 0, count, |f, k| f.store(sizes, k, sizes.at(k).max(bound(k))));
            };
            f.for_each("piece", 0, PIECES, |f, _| {
                f.if_(at.ge(end), |f| f.break_());
                let to = f.real("to", (at + width).min(end));
                f.call(enclose, (at, to));
                f.for_each("place", 0, 3, |f, place| {
                    f.call(evaluate, at + (to - at) * (place.to_real() * 0.5));
                    f.for_each("k", 0, count, |f, k| f.store(most, k, most.at(k).max(values.at(k).abs())));
                });
                let is_good = f.integer("is_good", 1);
                f.for_each("k", 0, count, |f, k| {
                    f.assign(is_good, is_good.and((bound(k) * GOOD).le(most.at(k))));
                });
                f.if_else(
                    is_good.or(width.le(shortest)),
                    |f| {
                        include(f);
                        f.assign(at, to);
                        f.assign(width, width * 2.0);
                    },
                    |f| f.assign(width, width * 0.5),
                );
            });
            f.if_(at.lt(end), |f| {
                f.call(enclose, (at, end));
                include(f);
            });
        });
        self.module.describe(function, "How large can become what depends on time alone.");
        function
    }

    /// `(begin, end)`: the bounds of each between two times.
    fn enclose_forcing(&mut self, low: ArrayId, high: ArrayId) -> FunctionId {
        let program = self.program;
        let arena = program.arena.clone();
        let function = self.module.declare("forcing_enclose", &[("begin", Real), ("end", Real)], &[]);
        self.define(function, |body| {
            let [begin, end] = body.f.parameters();
            let middle = body.f.real("middle", (begin + end) * 0.5);
            let half = body.f.real("half", (end - begin) * 0.5);
            let mut known = FxHashMap::default();
            let passing = Range { value: [begin.into(), end.into()], rate: [1.0.into(), 1.0.into()] };
            known.insert(arena.symbol(program.time), passing);
            let scope = body.lowering.scope(middle);
            let mut ranging = Ranging { body, middle: scope, known, half };
            for (at, &part) in program.switches.iter().flat_map(|switches| &switches.forcing).enumerate() {
                let [least, most] = ranging.margin(&arena, part).range.value;
                ranging.body.f.store(low, at, least);
                ranging.body.f.store(high, at, most);
            }
        });
        function
    }

    /// `(t)`: the value of each at a time.
    fn evaluate_forcing(&mut self, values: ArrayId) -> FunctionId {
        let program = self.program;
        let function = self.module.declare("forcing_evaluate", &[("t", Real)], &[]);
        self.define(function, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(Expression::from(t));
            let parts: Vec<_> = program.switches.iter().flat_map(|switches| switches.forcing.clone()).collect();
            let found = body.emit(&parts, &mut scope);
            body.store_all(values, found);
        });
        function
    }
}
