//! What was: signals that something depends on after a delay, remembered step by step.
//!
//! Each accepted step leaves a piece: a polynomial for each signal, of the degree of the method's dense output. Where something was not smooth a break
//! stands between two pieces, and an image of it comes back after each delay; steps end there, and within a step everything is read from pieces
//! between the same two breaks. So no step passes over a discontinuity, and a method of order eight keeps its order (Bellen and Zennaro, *Numerical
//! Methods for Delay Differential Equations*, chapters 4 and 5). No step is longer than the shortest delay, so what is read is known.

use expr::{Differentiator, Operator};
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Statement, Term, protocol};
use numerics::{Integrator, IntegratorArrays};
use program::Memory;

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::narrow::Peaks;

/// How many pieces are kept; a power of two.
const PIECES: usize = 8192;
/// Coefficients of each piece: dense output has at most the degree 7.
const COEFFICIENTS: usize = 8;
/// Of each piece: where it begins, where it ended as it was computed, and where it ends.
const TIMES: usize = 3;
/// A break of this level, or above, is smooth for every method: that many derivatives are continuous.
const SMOOTH: i64 = 9;
/// A step reads from so many pieces at most: what was narrow then, and short steps have followed, is not passed over when it comes back.
const MOST_READ: i64 = 4;
/// Where a polynomial is compared with its signal, from -1 to 1: between the places that it goes through.
const CHECKS: [f64; 3] = [-0.9, 0.1, 0.7];
/// What is no state itself may bend more within a step than a polynomial of it does: then a step leaves several pieces, down to this part of it.
// Test: what_is_narrow_is_remembered
const SHORTEST: f64 = 1.0 / (1 << 20) as f64;
/// How often what was stated for the time before the run can be differentiated.
const ORDERS: usize = 4;
/// In how many places what was stated is looked at for its bounds.
const PLACES: usize = 9;
/// Instants that differ by less than this, relative to them, are one.
const ONE_INSTANT: f64 = 64.0 * f64::EPSILON;

/// Functions of what was.
#[derive(Clone, Copy)]
pub(crate) struct History {
    /// `(signal, order, time) -> real`: what a signal was, or a derivative of it.
    pub read: FunctionId,
    /// `(signal, order, low, high) -> real, real`: between which bounds that was.
    pub bounds: FunctionId,
    /// `()`: forgets everything.
    pub clear: FunctionId,
    /// `(t) -> integer`: forgets what was after a time, at which something may have jumped.
    pub begin: FunctionId,
    /// `(t) -> real`: chooses the pieces that a step from this time reads; how far it may go.
    pub window: FunctionId,
    /// `(begin, end) -> integer`: remembers a step.
    record: FunctionId,
    arrays: Arrays,
}

#[derive(Clone, Copy)]
struct Arrays {
    signals: usize,
    times: ArrayId,
    levels: ArrayId,
    numbers: ArrayId,
    /// The number of the first piece that is kept, of the next, and the level of the break where the run is now; pieces are counted from the start of the run.
    places: ArrayId,
    /// For each signal the first and the last piece that the present step reads; -1 is what was stated.
    windows: ArrayId,
    delays: ArrayId,
    /// The largest value that each signal ever had.
    sizes: ArrayId,
}

const FIRST: usize = 0;
const NEXT: usize = 1;
const LEVEL: usize = 2;

impl Arrays {
    fn row(piece: Expression) -> Expression {
        piece.and(PIECES as i64 - 1)
    }

    fn begin(&self, piece: impl Into<Expression>) -> Expression {
        self.times.at(Arrays::row(piece.into()) * TIMES as i64)
    }

    fn computed_end(&self, piece: impl Into<Expression>) -> Expression {
        self.times.at(Arrays::row(piece.into()) * TIMES as i64 + 1)
    }

    /// Where a piece ends; what was stated ends at the start.
    fn end(&self, piece: impl Into<Expression>) -> Expression {
        self.times.at(Arrays::row(piece.into()) * TIMES as i64 + 2)
    }

    fn level(&self, piece: impl Into<Expression>) -> Expression {
        self.levels.at(Arrays::row(piece.into()))
    }

    fn coefficient(
        &self,
        piece: impl Into<Expression>,
        signal: impl Into<Expression>,
        at: impl Into<Expression>,
    ) -> Expression {
        let row = Arrays::row(piece.into()) * self.signals + signal.into();
        self.numbers.at(row * COEFFICIENTS as i64 + at.into())
    }

    /// Whether a break is not smooth.
    fn is_break(&self, piece: impl Into<Expression>) -> Expression {
        self.level(piece).lt(SMOOTH)
    }
}

impl<'p> Lowering<'p> {
    /// Declares what all functions may read; none if nothing depends on what was.
    pub fn declare_history(&mut self) {
        let Some(memory) = &self.program.memory else { return };
        let signals = memory.histories.len();
        let mut reals = |name, length, note| self.module.real_array(name, length, note);
        let times =
            reals(protocol::PAST_TIMES, PIECES * TIMES, "of each piece of the past: begin, end as computed, end");
        let numbers = reals(protocol::PAST_NUMBERS, PIECES * signals * COEFFICIENTS, "its polynomial for each signal");
        let delays = reals(protocol::PAST_DELAYS, signals, "by how much earlier each signal is asked for");
        let sizes = reals("past_sizes", signals, "the largest value of each signal");
        let levels = self.module.integer_array(protocol::PAST_LEVELS, PIECES, "how smooth each begins");
        let places =
            self.module.integer_array(protocol::PAST_PLACES, 3, "first piece, next piece, how smooth it begins");
        let windows = self.module.integer_array(protocol::PAST_WINDOWS, 2 * signals, "the pieces that a step reads");
        let arrays = Arrays { signals, times, levels, numbers, places, windows, delays, sizes };
        let read = self.module.declare("past", &[("signal", Real), ("order", Real), ("time", Real)], &[Real]);
        self.module.describe(read, "What a signal was, or a derivative of it.");
        let ends = [("signal", Real), ("order", Real), ("low", Real), ("high", Real)];
        let bounds = self.module.declare("past_bounds", &ends, &[Real, Real]);
        self.module.describe(bounds, "Between which bounds a signal was, or a derivative of it.");
        let record = self.module.declare("past_record", &[("begin", Real), ("end", Real)], &[Integer]);
        self.module.describe(record, "Remembers what signals were in a step.");
        let keeps = self.keeps_order(memory);
        let window = self.past_window(arrays, keeps);
        let clear = self.module.function("past_clear", &[], &[], |f| {
            f.store(places, FIRST, 0);
            f.store(places, NEXT, 0);
            f.for_each("signal", 0, signals, |f, signal| f.store(sizes, signal, 0.0));
        });
        let begin = self.past_begin(arrays, window);
        self.history = Some(History { read, bounds, clear, begin, window, record, arrays });
        let stated = self.past_stated(memory);
        self.past_read(arrays, stated, read);
        self.past_bounds(arrays, stated, read, bounds);
    }

    /// Whether a jump of what was makes signals jump at once: then breaks do not become smoother from delay to delay.
    fn keeps_order(&self, memory: &Memory) -> bool {
        let arena = &self.program.arena;
        let states: Vec<_> = self.program.integrals.iter().flat_map(|it| &it.states).map(|it| it.symbol).collect();
        let known = |symbol: expr::SymbolId| {
            symbol == self.program.time || states.contains(&symbol) || self.inputs.contains_key(&symbol)
        };
        let was = |node: expr::Expr| matches!(arena.node(node), expr::Node::Apply(Operator::Past, _));
        let results = &memory.signals.results;
        arena.symbols_in(results).into_iter().any(|symbol| !known(symbol))
            || arena.reachable(results).into_iter().any(was)
    }

    /// `(signal, order, time) -> real`: what the author says of the time before the run.
    fn past_stated(&mut self, memory: &'p Memory) -> FunctionId {
        let parameters = [("signal", Integer), ("order", Integer), ("time", Real)];
        let stated = self.module.declare("past_stated", &parameters, &[Real]);
        self.module.describe(stated, "What a signal was before the run.");
        let arena = self.program.arena.clone();
        let mut clock = Differentiator::by(&arena, arena.symbol(self.program.time));
        let rows: Vec<Vec<expr::Expr>> = memory
            .histories
            .iter()
            .map(|&value| {
                let next = |value: &expr::Expr| Some(clock.derivative(&arena, *value));
                std::iter::successors(Some(value), next).take(ORDERS).collect()
            })
            .collect();
        self.define(stated, |body| {
            let [signal, order, time] = body.f.parameters();
            for (at, orders) in rows.iter().enumerate() {
                for (derivative, &value) in orders.iter().enumerate() {
                    let mut scope = body.lowering.scope(time);
                    let here = body.f.integer("here", signal.eq_(at as i64).and(order.eq_(derivative as i64)));
                    let then = body.block(|body| {
                        let value = body.emit(&[value], &mut scope).remove(0);
                        body.f.return_(value);
                    });
                    body.f.push(Statement::If { condition: here.get(), then, otherwise: Vec::new() });
                }
            }
            body.f.return_(f64::NAN);
        });
        stated
    }

    fn past_read(&mut self, arrays: Arrays, stated: FunctionId, read: FunctionId) {
        self.module.define(read, |f| {
            let [signal, order, time] = f.parameters();
            let signal = f.integer("number", signal.to_integer());
            let order = f.integer("derivative", order.to_integer());
            let low = f.integer("low", arrays.windows.at(signal * 2));
            let high = f.integer("high", arrays.windows.at(signal * 2 + 1));
            // What a run does not remember, because it was resumed without its past, is not made up.
            let one_instant = (time.abs() + arrays.delays.at(signal)) * (16.0 * ONE_INSTANT);
            let one_instant = f.real("one_instant", one_instant);
            f.if_(low.lt(0), |f| {
                f.if_(time.gt(one_instant), |f| f.return_(f64::NAN));
                let value = f.call1(stated, (signal, order, time));
                f.return_(value);
            });
            f.if_(time.gt(arrays.end(high) + one_instant), |f| f.return_(f64::NAN));
            f.while_(low.lt(high), |f| {
                let half = (low + high + 1).to_real() * 0.5;
                let middle = f.integer("middle", half.floor().to_integer());
                f.if_else(arrays.begin(middle).le(time), |f| f.assign(low, middle), |f| f.assign(high, middle - 1));
            });
            let (begin, end) = (f.real("begin", arrays.begin(low)), f.real("end", arrays.computed_end(low)));
            let steepness = f.real("steepness", 2.0 / (end - begin));
            let along = f.real("along", (time - begin) * steepness - 1.0);
            let value = f.real("value", 0.0);
            f.for_each("k", 0, Expression::from(COEFFICIENTS as i64) - order, |f, k| {
                let power = f.integer("power", Expression::from(COEFFICIENTS as i64 - 1) - k);
                let factor = f.real("factor", 1.0);
                f.for_each("i", 0, order, |f, i| f.assign(factor, factor * (power - i).to_real()));
                f.assign(value, value * along + arrays.coefficient(low, signal, power) * factor);
            });
            f.for_each("i", 0, order, |f, _| f.assign(value, value * steepness));
            f.return_(value);
        });
    }

    /// Of a polynomial by its value in the middle and the largest slope that its coefficients allow.
    fn past_bounds(&mut self, arrays: Arrays, stated: FunctionId, read: FunctionId, bounds: FunctionId) {
        self.module.define(bounds, |f| {
            let signal = f.parameter(0);
            let [order, low, high] = [1, 2, 3].map(|at| f.parameter(at));
            let number = f.integer("number", signal.to_integer());
            let derivative = f.integer("derivative", order.to_integer());
            let (least, most) = (f.real("least", f64::INFINITY), f.real("most", f64::NEG_INFINITY));
            let include = |f: &mut FunctionBuilder, value: Expression, away: Expression| {
                let (value, away) = (f.real("value", value), f.real("away", away));
                f.assign(least, least.min(value - away));
                f.assign(most, most.max(value + away));
            };
            let first = f.integer("first", arrays.windows.at(number * 2));
            let last = f.integer("last", arrays.windows.at(number * 2 + 1));
            f.if_(first.lt(0), |f| {
                let width = f.real("width", (high - low) * (1.0 / (PLACES - 1) as f64));
                f.for_each("place", 0, PLACES, |f, place| {
                    let time = f.real("time", low + width * place.to_real());
                    let value = f.call1(stated, (number, derivative, time));
                    let slope = f.call1(stated, (number, derivative + 1, time));
                    let away = slope.abs() * width;
                    let away = f.real("away", away.clone().eq_(away.clone()).select(away, 0.0));
                    include(f, value.get(), away.get());
                });
                f.return_((least, most));
            });
            f.for_each("piece", first, last + 1, |f, piece| {
                let begin = f.real("begin", piece.eq_(first).select(low, arrays.begin(piece)).max(low).min(high));
                let end = f.real("end", piece.eq_(last).select(high, arrays.end(piece)).min(high).max(low));
                let touched = arrays
                    .begin(piece)
                    .le(high)
                    .or(piece.eq_(first))
                    .and(arrays.end(piece).ge(low).or(piece.eq_(last)));
                f.if_(touched, |f| {
                    let width = f.real("width", arrays.computed_end(piece) - arrays.begin(piece));
                    let steepness = f.real("steepness", 2.0 / width);
                    let out = |time: Expression| ((time - arrays.begin(piece)) * steepness - 1.0).abs();
                    let reach = f.real("reach", out(begin.get()).max(out(end.get())));
                    let slope = f.real("slope", 0.0);
                    let count = f.integer("count", Expression::from(COEFFICIENTS as i64 - 1) - derivative);
                    f.for_each("k", 0, count, |f, k| {
                        let power = f.integer("power", Expression::from(COEFFICIENTS as i64 - 1) - k);
                        let factor = f.real("factor", 1.0);
                        f.for_each("i", 0, derivative + 1, |f, i| f.assign(factor, factor * (power - i).to_real()));
                        f.assign(slope, slope * reach + (arrays.coefficient(piece, number, power) * factor).abs());
                    });
                    f.for_each("i", 0, derivative + 1, |f, _| f.assign(slope, slope * steepness));
                    let middle = f.real("middle", (begin + end) * 0.5);
                    let value = f.call1(read, (signal, order, middle));
                    include(f, value.get(), slope * ((end - begin) * 0.5));
                });
            });
            f.return_((least, most));
        });
    }

    /// What lies behind the present by more than a delay is not read any more; where a break does, one of the same kind, or a smoother one, is here.
    fn past_window(&mut self, arrays: Arrays, keeps_order: bool) -> FunctionId {
        let Arrays { places, windows, delays, signals, .. } = arrays;
        let smoother = i64::from(!keeps_order);
        let window = self.module.function("past_window", &[("t", Real)], &[Real], |f| {
            let [t] = f.parameters();
            let stop = f.real("stop", f64::INFINITY);
            let next = f.integer("next", places.at(NEXT));
            let level = f.integer("level", places.at(LEVEL));
            f.for_each("signal", 0, signals, |f, signal| {
                let delay = f.real("delay", delays.at(signal));
                let now = f.real("now", t + (t.abs() + delay) * ONE_INSTANT);
                let low = f.integer("low", windows.at(signal * 2));
                let end = |piece: Expression| piece.clone().lt(0).select(0.0, arrays.end(piece));
                f.while_(low.lt(next - 1).and((end(low.get()) + delay).le(now)), |f| {
                    f.assign(low, low + 1);
                    f.if_(arrays.is_break(low), |f| {
                        let here = f.integer("here", arrays.level(low) + smoother);
                        f.if_(here.lt(level), |f| f.assign(level, here));
                    });
                });
                let high = f.integer("high", windows.at(signal * 2 + 1));
                f.if_(high.lt(low), |f| f.assign(high, low));
                f.if_(low.ge(0), |f| {
                    let more = high.lt(next - 1).and(high.lt(low + (MOST_READ - 1)));
                    let goes_on = more.and(arrays.is_break(high + 1).logical_not());
                    f.while_(goes_on, |f| f.assign(high, high + 1));
                });
                f.store(windows, signal * 2, low);
                f.store(windows, signal * 2 + 1, high);
                f.assign(stop, stop.min(end(high.get()) + delay));
            });
            f.store(places, LEVEL, level);
            f.return_(stop);
        });
        self.module.describe(window, "Chooses the pieces of the past that a step reads; how far it may go.");
        window
    }

    fn past_begin(&mut self, arrays: Arrays, window: FunctionId) -> FunctionId {
        let Arrays { places, windows, delays, signals, .. } = arrays;
        let begin = self.module.declare("past_begin", &[("t", Real)], &[Integer]);
        self.module.describe(begin, "Forgets what was after this time, at which something may have jumped.");
        let memory = self.program.memory.as_ref().expect("it was looked at before");
        let (failure, failure_values) = (self.failure, self.failure_values);
        self.define(begin, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            let values = body.emit(&memory.delays, &mut scope);
            body.store_all(delays, values);
            let f = &mut body.f;
            f.for_each("signal", 0, signals, |f, signal| {
                f.if_(delays.at(signal).gt(0.0).and(delays.at(signal).lt(f64::INFINITY)).logical_not(), |f| {
                    f.store(failure, 0, signal);
                    f.store(failure, 1, -1);
                    f.store(failure_values, 0, t);
                    f.store(failure_values, 1, delays.at(signal));
                    f.return_(protocol::BAD_DELAY);
                });
            });
            let next = f.integer("next", places.at(NEXT));
            let any = next.gt(places.at(FIRST));
            f.while_(any.clone().and(arrays.begin(next - 1).ge(t)), |f| f.assign(next, next - 1));
            f.if_(any.and(arrays.end(next - 1).gt(t)), |f| {
                f.store(arrays.times, Arrays::row(next - 1) * TIMES as i64 + 2, t);
            });
            f.store(places, NEXT, next);
            f.store(places, LEVEL, 0);
            let oldest = f.integer("oldest", places.at(FIRST).gt(0).select(places.at(FIRST), -1));
            f.for_each("i", 0, 2 * signals, |f, i| f.store(windows, i, oldest));
            f.call(window, t);
            f.store(places, LEVEL, 0);
            f.return_(protocol::DONE);
        });
        begin
    }

    /// Defines how a step is remembered, once samples can be taken.
    pub fn past_record(&mut self, integrals: &[LoweredIntegral]) {
        let (Some(History { record, arrays, .. }), Some(memory)) = (self.history, &self.program.memory) else { return };
        let piece = self.past_piece(arrays, memory, integrals);
        let (failure, failure_values) = (self.failure, self.failure_values);
        let Arrays { places, delays, signals, .. } = arrays;
        self.module.define(record, |f| {
            let [begin, end] = f.parameters();
            let at = f.real("at", begin);
            let width = f.real("width", end - begin);
            let shortest = f.real("shortest", width * SHORTEST);
            f.while_(at.lt(end), |f| {
                let (first, next) = (f.integer("first", places.at(FIRST)), f.integer("next", places.at(NEXT)));
                f.if_((next - first).ge(PIECES as i64), |f| {
                    f.for_each("signal", 0, signals, |f, signal| {
                        f.if_((arrays.end(first) + delays.at(signal)).ge(begin), |f| {
                            f.store(failure, 0, signal);
                            f.store(failure, 1, -1);
                            f.store(failure_values, 0, begin);
                            f.store(failure_values, 1, delays.at(signal));
                            f.return_(protocol::PAST_TOO_LONG);
                        });
                    });
                    f.store(places, FIRST, first + 1);
                });
                let is_last = (at + width * 1.5).gt(end);
                let to = f.real("to", is_last.select(end, at + width));
                let [status, fits] = f.call_n(piece, (at.get(), to.get()));
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                f.if_else(
                    fits.ne_(0).or(width.le(shortest)),
                    |f| {
                        let row = f.integer("row", Arrays::row(next.get()));
                        f.store(arrays.times, row * TIMES as i64, at);
                        f.store(arrays.times, row * TIMES as i64 + 1, to);
                        f.store(arrays.times, row * TIMES as i64 + 2, to);
                        f.store(arrays.levels, row, places.at(LEVEL));
                        f.store(places, LEVEL, SMOOTH);
                        f.store(places, NEXT, next + 1);
                        f.assign(at, to);
                        f.assign(width, width * 2.0);
                    },
                    |f| f.assign(width, width * 0.5),
                );
            });
            f.return_(protocol::DONE);
        });
    }

    /// `(begin, end) -> (integer, integer)`: writes the polynomials of the next piece; a status, and whether they are as good as the states are.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn past_piece(&mut self, arrays: Arrays, memory: &'p Memory, integrals: &[LoweredIntegral]) -> FunctionId {
        let signals = arrays.signals;
        let values = self.module.real_array("past_values", signals, "of signals, at the sampled state");
        let evaluate = self.evaluation("past_evaluate", &memory.signals, values, integrals);
        let sample = self.module.module().find_function(protocol::SAMPLE).expect("it was made before");
        let degree = integrals[0].arrays.method.dense_degree();
        let (nodes, weights) = interpolation(degree);
        let nodes = self.module.reals("past_nodes", &nodes, "where a step is looked at, from -1 to 1");
        let weights = self.module.reals("past_weights", &weights, "coefficients of polynomials from values there");
        let seen = self.module.real_array("past_seen", signals * (degree + 1), "values there");
        let checks = self.module.reals("past_checks", &CHECKS, "where polynomials are compared with signals");
        let tolerance = integrals[0].arrays.tolerance;
        let (count, Arrays { places, sizes, .. }) = (degree as i64 + 1, arrays);
        let states: Vec<_> = self.program.integrals.iter().flat_map(|it| &it.states).map(|it| it.symbol).collect();
        let arena = &self.program.arena;
        let is_state = |&result: &expr::Expr| arena.as_symbol(result).is_some_and(|symbol| states.contains(&symbol));
        let are_states = memory.signals.results.iter().all(is_state);
        let peaks = self.peaks_of_signals(&integrals[0]);
        let arguments = peaks.map(|peaks| {
            self.module.real_array(
                "past_narrow_arguments",
                peaks.count * (degree + 1),
                "of what may be narrow, in all places",
            )
        });
        let ends = [("begin", Real), ("end", Real)];
        let piece = self.module.function("past_piece", &ends, &[Integer, Integer], |f| {
            let [begin, end] = f.parameters();
            let look = |f: &mut FunctionBuilder, time: LocalId| {
                for function in [sample, evaluate] {
                    let status = f.call1(function, time);
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
                }
            };
            f.for_each("node", 0, count, |f, node| {
                let inside = begin + (end - begin) * ((nodes.at(node) + 1.0) * 0.5);
                let time = f.real("time", node.eq_(0).select(begin, node.eq_(count - 1).select(end, inside)));
                look(f, time);
                f.for_each("signal", 0, signals, |f, signal| {
                    f.store(seen, signal * count + node, values.at(signal));
                    f.store(sizes, signal, sizes.at(signal).max(values.at(signal).abs()));
                });
            });
            let row = f.integer("row", Arrays::row(places.at(NEXT)));
            f.for_each("signal", 0, signals, |f, signal| {
                f.for_each("power", 0, COEFFICIENTS, |f, power| {
                    let sum = f.real("sum", 0.0);
                    f.if_(power.lt(count), |f| {
                        f.for_each("node", 0, count, |f, node| {
                            f.increase(sum, weights.at(power * count + node) * seen.at(signal * count + node));
                        });
                    });
                    f.store(arrays.numbers, (row * signals + signal) * COEFFICIENTS as i64 + power, sum);
                });
            });
            if !are_states {
                let compare = |f: &mut FunctionBuilder, along: LocalId| {
                    let time = f.real("time", begin + (end - begin) * ((along + 1.0) * 0.5));
                    look(f, time);
                    f.for_each("signal", 0, signals, |f, signal| {
                        let value = f.real("value", 0.0);
                        f.for_each("k", 0, COEFFICIENTS, |f, k| {
                            let power = Expression::from(COEFFICIENTS as i64 - 1) - k;
                            f.assign(value, value * along + arrays.coefficient(places.at(NEXT), signal, power));
                        });
                        let size = f.real("size", sizes.at(signal).max(values.at(signal).abs()));
                        let off = (value - values.at(signal)).abs().gt(size * tolerance.at(0));
                        f.if_(off, |f| f.return_((protocol::DONE, 0)));
                    });
                };
                f.for_each("check", 0, CHECKS.len(), |f, check| {
                    let along = f.real("along", checks.at(check));
                    compare(f, along);
                });
                if let (Some(peaks), Some(arguments)) = (peaks, arguments) {
                    find_peaks(f, peaks, (arguments, nodes, count), [begin, end], compare);
                }
            }
            f.return_((protocol::DONE, 1));
        });
        self.module
            .describe(piece, "Writes the polynomials of the next piece of the past, and says whether they are good.");
        piece
    }

    /// The integrator itself, or one whose steps are remembered, and end where breaks of the past come back.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn remembering(&mut self, name: &str, arrays: &IntegratorArrays, integrator: Integrator) -> Integrator {
        let Some(history) = self.history else { return integrator };
        let History { window, record, arrays: past, .. } = history;
        let IntegratorArrays {
            time, previous_time, horizon, stop, failure_code, failure_component, failure_time, ..
        } = *arrays;
        let places = past.places;
        let parameters = [("target", Real), ("limit", Integer)];
        let advance = self.module.function(&format!("{name}_past_advance"), &parameters, &[Integer], |f| {
            let [target, limit] = f.parameters();
            let given = f.real("given", stop.at(0));
            let goal = f.real("goal", target.min(horizon.at(0)).min(given));
            f.for_each("trial", 0, limit, |f, _| {
                let begin = f.real("begin", time.at(0));
                f.if_(begin.ge(goal), |f| f.return_(Integrator::REACHED));
                let until = f.call1(window, begin);
                // Behind a break the slope may be another one than before it.
                f.if_(places.at(LEVEL).lt(SMOOTH), |f| {
                    let status = f.call1(integrator.moved, begin);
                    f.if_(status.ge(Integrator::COLLAPSED), |f| f.return_(status));
                });
                f.store(stop, 0, given.min(until));
                let status = f.call1(integrator.advance, (target, 1));
                f.store(stop, 0, given);
                f.if_(status.ge(Integrator::COLLAPSED), |f| f.return_(status));
                f.if_(time.at(0).gt(begin), |f| {
                    let code = f.call1(record, (begin, time.at(0)));
                    f.if_(code.ne_(protocol::DONE), |f| {
                        f.store(failure_code, 0, code);
                        f.store(failure_component, 0, -1);
                        f.store(failure_time, 0, begin);
                        f.return_(Integrator::NOT_FINISHED);
                    });
                });
            });
            f.return_(time.at(0).ge(goal).select(Integrator::REACHED, Integrator::LIMIT));
        });
        self.module.describe(advance, "Steps that are remembered, and end where breaks of the past come back.");
        let last = |f: &mut FunctionBuilder| f.integer("last", places.at(NEXT) - 1);
        // A step may have left several pieces: those that begin after it are forgotten.
        let forget = |f: &mut FunctionBuilder, last: LocalId, from: Expression| {
            let from = f.real("from", from);
            f.while_(last.ge(places.at(FIRST)).and(past.begin(last).ge(from)), |f| {
                f.store(places, LEVEL, past.level(last));
                f.store(places, NEXT, last);
                f.assign(last, last - 1);
            });
        };
        let cut = self.module.function(&format!("{name}_past_cut"), &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let begin = f.real("begin", previous_time.at(0));
            let status = f.call1(integrator.cut, t);
            let last = last(f);
            f.if_(t.gt(begin), |f| forget(f, last, t.get()));
            f.if_(last.ge(places.at(FIRST)).and(past.end(last).gt(t)), |f| {
                f.store(past.times, Arrays::row(last.get()) * TIMES as i64 + 2, t);
            });
            f.return_(status);
        });
        let retake = self.module.function(&format!("{name}_past_retake"), &[], &[], |f| {
            f.call(integrator.retake, ());
            let last = last(f);
            forget(f, last, time.at(0));
        });
        let moved = self.module.function(&format!("{name}_past_moved"), &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.call(window, t);
            f.store(places, LEVEL, 0);
            let status = f.call1(integrator.moved, t);
            f.return_(status);
        });
        Integrator { advance, cut, retake, moved, ..integrator }
    }
}

/// Looks at a piece where something that may be narrow is at its most.
fn find_peaks(
    f: &mut FunctionBuilder,
    peaks: Peaks,
    (arguments, nodes, count): (ArrayId, ArrayId, i64),
    [begin, end]: [LocalId; 2],
    compare: impl Fn(&mut FunctionBuilder, LocalId),
) {
    let time = |node: Expression| begin + (end - begin) * ((nodes.at(node) + 1.0) * 0.5);
    f.for_each("node", 0, count, |f, node| {
        f.call(peaks.look, time(node.get()));
        f.for_each("k", 0, peaks.count, |f, k| {
            f.store(arguments, k * count + node, peaks.seen.at(k) * peaks.signs.at(k))
        });
    });
    f.for_each("k", 0, peaks.count, |f, k| {
        let most = f.integer("most", 0);
        f.for_each("node", 1, count, |f, node| {
            f.if_(arguments.at(k * count + node).gt(arguments.at(k * count + most)), |f| f.assign(most, node));
        });
        let low = f.real("low", time(most.gt(0).select(most - 1, 0)));
        let high = f.real("high", time(most.lt(count - 1).select(most + 1, count - 1)));
        let number = Expression::from(peaks.count as i64);
        let [at, _] = f.call_n(peaks.extreme, (k.get(), low.get(), high.get(), peaks.signs.at(k), number));
        let along = f.real("along", (at - begin) / (end - begin) * 2.0 - 1.0);
        compare(f, along);
    });
}

/// The places within a step at which it is looked at, from -1 to 1 (extremes of a Chebyshev polynomial), and for each power and each place how much a value
/// there adds to the coefficient of the power.
fn interpolation(degree: usize) -> (Vec<f64>, Vec<f64>) {
    let count = degree + 1;
    let nodes: Vec<f64> = (0..count).map(|at| -libm::cos(std::f64::consts::PI * at as f64 / degree as f64)).collect();
    let mut weights = vec![0.0; count * count];
    for at in 0..count {
        // The coefficients of the polynomial that is 1 at this place and 0 at all others.
        let mut polynomial = vec![1.0];
        for other in (0..count).filter(|&other| other != at) {
            let scale = 1.0 / (nodes[at] - nodes[other]);
            let mut product = vec![0.0; polynomial.len() + 1];
            for (power, &coefficient) in polynomial.iter().enumerate() {
                product[power + 1] += coefficient * scale;
                product[power] -= coefficient * nodes[other] * scale;
            }
            polynomial = product;
        }
        for (power, coefficient) in polynomial.into_iter().enumerate() {
            weights[power * count + at] = coefficient;
        }
    }
    (nodes, weights)
}
