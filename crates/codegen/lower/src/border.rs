//! What happens at borders of switches: on which side each belongs, or that the motion slides along it; when it leaves; and that it has
//! arrived, where switches turn ever faster or steps grow ever shorter on the way to a border.
//!
//! A number z between −1 and 1 belongs to a rate r where r = 0, or z = 1 and r > 0, or z = −1 and r < 0; a vector within the unit disc in the
//! same way, with its direction for the sign. Several are a complementarity problem, solved one after the other until nothing changes.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, Term, protocol};

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::search::attempt;
use crate::sliding::{DEPENDENT, RowRates, Sliding, SlidingFunctions};

/// What rates may be, relative to what they are made of, before the motion leaves a border.
const BEYOND: f64 = 1e-9;
/// Sweeps over several borders that depend on one another, and changes of numbers that count as none, at best and at the end.
const SWEEPS: usize = 1000;
const SETTLED: f64 = 1e-14;
const NEARLY_SETTLED: f64 = 1e-9;
/// Places of a step in which it is looked at whether the motion has left a border, and how often the instant is halved.
const LOOKS: usize = 8;
const HALVINGS: usize = 60;
/// A border that would be met within this part of the time since the start is met, where another switch turns.
pub(crate) const AT_ONCE: f64 = 1e-13;
/// And within this where steps are so short that the motion can hardly pass.
pub(crate) const ARRIVED: f64 = 1e-10;
/// What is drawn harder and harder moves straight for this part of the time: its direction is as stiff as it is slow.
const SET_OFF: f64 = 1e-7;
/// What is left of a rate, relative to what it was on the way, where the motion comes to rest by itself.
const VANISHING: f64 = 1e-3;

/// What is done at borders.
#[derive(Clone, Copy)]
pub(crate) struct Borders {
    /// `(t) -> integer`: decides what is undecided at the state.
    pub decide: FunctionId,
    /// `(t, part) -> (integer, integer)`: which borders would be met within a part of the time; a status, and whether any.
    pub near: FunctionId,
    /// Whether each slider is as near as that.
    pub is_near: ArrayId,
    /// `(t) -> (integer, integer)`: puts the motion onto the borders that it cannot but rest on or slide along; whether there were any.
    pub arrive: FunctionId,
    /// `(begin, end) -> (integer, real)`: when the motion left a border in the last step; infinite if it did not.
    pub left: FunctionId,
    /// `(t) -> integer`: moves the state back onto the borders that it slides along.
    pub correct: FunctionId,
    /// `(t) -> integer`: moves the state onto them, and nothing more.
    pub place: FunctionId,
}

impl<'p> Lowering<'p> {
    pub fn borders(
        &mut self,
        sliding: Sliding,
        functions: SlidingFunctions,
        [look, sample]: [FunctionId; 2],
        lowered: &LoweredIntegral,
    ) -> Borders {
        let rates = lowered.row_rates.expect("it slides");
        let choose = self.choose_numbers(sliding);
        let decide = self.decide(sliding, functions, choose, lowered);
        let is_near = self.module.integer_array("sliders_near", sliding.count, "whether each is nearly at its border");
        let near = self.near(sliding, functions, rates, is_near, look, lowered);
        let place = self.place(sliding, rates, look, lowered);
        let arrive = self.arrive(sliding, [near, place, decide, look], is_near, lowered);
        let left = self.left(sliding, choose, sample);
        let correct = self.correct(sliding, place, lowered);
        Borders { decide, near, is_near, arrive, left, correct, place }
    }

    /// `() -> integer`: numbers of those that take part that belong to their rates; whether they were found.
    fn choose_numbers(&mut self, sliding: Sliding) -> FunctionId {
        let Sliding { count, free, influence, number_of, is_idle, at_zero, .. } = sliding;
        let steps = self.module.real_array("sliders_steps", count, "how each part of a direction moves");
        let function = self.module.function("sliders_choose", &[], &[Integer], |f| {
            let change = f.real("change", 0.0);
            f.for_each("sweep", 0, SWEEPS, |f, _| {
                f.assign(change, 0.0);
                f.for_each("k", 0, count, |f, k| {
                    f.if_(free.at(k).ne_(0).and(sliding.is_part(k).logical_not()), |f| {
                        let last = f.real("last", number_of.at(k));
                        let rest = sliding.row_rate(f, k, false);
                        let own = f.real("own", influence.at(k * count + k));
                        let [low, high] =
                            [("low", rest - own), ("high", rest + own)].map(|(name, rate)| f.real(name, rate));
                        let between = low.ge(0.0).and(high.le(0.0)).and(own.lt(0.0));
                        let up = low.ge(0.0).and(high.ge(0.0)).and(low.gt(0.0).or(high.gt(0.0)));
                        let down = low.le(0.0).and(high.le(0.0)).and(low.lt(0.0).or(high.lt(0.0)));
                        f.note("Where both sides lead away from the border, or none, it stays on its side, or on the border.");
                        let on_border = rest.gt(0.0).select(1.0, rest.lt(0.0).select(-1.0, 0.0));
                        let stays = last.eq_(0.0).select(on_border, last.lt(0.0).select(-1.0, 1.0));
                        let side = up.select(1.0, down.select(-1.0, stays));
                        let number = f.real("number", between.select(-rest.get() / own, side));
                        f.note("What others keep on its border, or nothing moves away from it, is what it means there.");
                        f.if_(is_idle.at(k).ne_(0), |f| {
                            let size = sliding.row_size(f, k);
                            f.if_(rest.abs().le(size * BEYOND), |f| f.assign(number, at_zero.at(k)));
                        });
                        f.store(number_of, k, number);
                        f.assign(change, change.max((number_of.at(k) - last).abs()));
                    });
                });
                f.for_each("d", 0, sliding.directions, |f, d| {
                    f.if_(free.at(sliding.first.at(d)).ne_(0), |f| turn_direction(f, sliding, steps, d, change));
                });
                f.if_(change.le(SETTLED), |f| f.break_());
            });
            f.return_(change.le(NEARLY_SETTLED));
        });
        self.module.describe(function, "Numbers of sliders that belong to the rates of their rows.");
        function
    }

    // Long: writes one kernel function, whose steps work on the same local variables.
    fn decide(
        &mut self,
        sliding: Sliding,
        functions: SlidingFunctions,
        choose: FunctionId,
        lowered: &LoweredIntegral,
    ) -> FunctionId {
        let Sliding { places, slides, undecided, number, at, count, free, number_of, .. } = sliding;
        let (arrays, states) = (lowered.arrays, lowered.states);
        let (failure, failure_values) = (self.failure, self.failure_values);
        let pass = self.pass(sliding);
        let slack = self.switching.expect("they are declared").slack;
        let function = self.module.function("sliders_decide", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, states, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
            f.for_each("k", 0, count, |f, k| {
                f.store(free, k, undecided.at(at.at(k)));
                f.if_(free.at(k).ne_(0), |f| {
                    sliding.find_border(f, k);
                    let above = f.real("above", sliding.values.at(at.at(k)) - sliding.middle.at(k));
                    let side = above.gt(0.0).select(1.0, above.lt(0.0).select(-1.0, 0.0));
                    f.store(number_of, k, sliding.is_part(k).select(0.0, side));
                });
            });
            f.note("What passes whatever the others do is set first, since their rates may depend on its side.");
            f.for_each("round", 0, count, |f, _| {
                attempt(f, functions.influences, (t, arrays.size));
                let passed = f.integer("passed", 0);
                f.for_each("k", 0, count, |f, k| {
                    let acted_on = f.real("acted_on", 0.0);
                    f.for_each("j", 0, count, |f, j| {
                        f.if_(free.at(j).ne_(0), |f| f.increase(acted_on, sliding.influence.at(k * count + j).abs()));
                    });
                    let base = f.real("base", sliding.base.at(k));
                    let decided = base.abs().gt(acted_on * (1.0 + BEYOND)).and(sliding.row.at(k).eq_(k));
                    f.if_(free.at(k).ne_(0).and(sliding.is_part(k).logical_not()).and(decided), |f| {
                        f.store(number_of, k, base.gt(0.0).select(1.0, -1.0));
                        sliding.store_value(f, k);
                        f.store(free, k, 0);
                        f.assign(passed, 1);
                    });
                });
                f.if_(passed.eq_(0), |f| f.break_());
            });
            f.call(pass, t);
            let found = f.call1(choose, ());
            f.if_(found.eq_(0), |f| {
                f.note("Where every side leads to another, what rests on all borders does so.");
                f.call(functions.hold, ());
                f.for_each("k", 0, count, |f, k| {
                    let rate = sliding.row_rate(f, k, true);
                    let size = sliding.row_size(f, k);
                    let inside = number_of.at(k).abs().le(1.0).and(rate.abs().le(size * BEYOND));
                    f.if_(free.at(k).ne_(0).and(inside.logical_not()), |f| {
                        f.store(failure, 0, at.at(k));
                        f.store(failure_values, 0, t);
                        f.return_(protocol::SWITCHING);
                    });
                });
            });
            f.for_each("k", 0, count, |f, k| {
                f.if_(undecided.at(at.at(k)).ne_(0), |f| {
                    sliding.store_value(f, k);
                    let size = sliding.row_size(f, k);
                    let rate = sliding.row_rate(f, k, true);
                    let is_kept = size.gt(sliding.base.at(k).abs()).and(rate.abs().le(size * BEYOND));
                    let slides_along = number_of.at(k).abs().lt(1.0).or(sliding.is_idle.at(k).ne_(0).and(is_kept));
                    f.store(slides, at.at(k), free.at(k).ne_(0).and(slides_along));
                });
            });
            f.for_each("d", 0, sliding.directions, |f, d| {
                f.if_(undecided.at(at.at(sliding.first.at(d))).ne_(0), |f| {
                    let size = length(f, sliding, d, |f, k| f.real("part", number_of.at(k)));
                    let rests = free.at(sliding.first.at(d)).ne_(0).and(size.lt(1.0 - BEYOND));
                    let rests = f.integer("rests", rests);
                    each_part(f, sliding, d, |f, k| {
                        f.store(slides, at.at(k), rests);
                        let unit = rests.select(number_of.at(k), number_of.at(k) / size);
                        f.store(sliding.values, at.at(k), unit);
                    });
                    let moves = f.integer("moves", sliding.moves.at(d));
                    f.store(slides, moves, rests);
                    f.store(sliding.values, moves, rests.select(0.0, 1.0));
                    f.note(
                        "What sets off from rest moves as it is drawn, until it is fast enough to have a direction.",
                    );
                    let pull = f.real("pull", 0.0);
                    let speed = length(f, sliding, d, |f, k| {
                        let size = sliding.row_size(f, k);
                        f.assign(pull, pull.max(size));
                        f.real("part", sliding.margins.at(at.at(k)))
                    });
                    let aside = f.real("aside", (speed * 4.0).max(t.abs() * pull * SET_OFF));
                    let sets_off = free.at(sliding.first.at(d)).ne_(0);
                    f.store(slack, moves, sets_off.select(aside, 0.0));
                });
            });
            f.store(number, 0, 0);
            f.for_each("i", 0, places, |f, i| f.store(number, 0, number.at(0) + slides.at(i)));
            f.return_(protocol::DONE);
        });
        self.module.describe(function, "On which side of its border what is undecided belongs, or whether it slides.");
        function
    }

    /// `(t)`: lets what moves across its border pass: places with a speed, and directions of what does not rest.
    fn pass(&mut self, sliding: Sliding) -> FunctionId {
        let Sliding { count, rows, free, base, influence, number_of, of_row, places, margins, at, .. } = sliding;
        let leave = |f: &mut FunctionBuilder, k: LocalId| {
            f.store(free, k, 0);
            f.for_each("j", 0, count, |f, j| {
                f.store(base, j, base.at(j) + influence.at(j * count + k) * number_of.at(k));
            });
        };
        let function = self.module.function("sliders_pass", &[("t", Real)], &[], |f| {
            let [t] = f.parameters();
            let reach = f.real("reach", t.abs() * (2.0 * AT_ONCE));
            f.for_each("d", 0, sliding.directions, |f, d| {
                f.if_(free.at(sliding.first.at(d)).ne_(0), |f| {
                    let rounding = f.real("rounding", 0.0);
                    each_part(f, sliding, d, |f, k| {
                        let size = sliding.row_size(f, k);
                        f.increase(rounding, size * reach + margins.at(at.at(k) + places as i64));
                    });
                    let length = length(f, sliding, d, |f, k| f.real("part", margins.at(at.at(k))));
                    f.if_(length.gt(rounding), |f| {
                        each_part(f, sliding, d, |f, k| {
                            f.store(number_of, k, margins.at(at.at(k)) / length);
                            leave(f, k);
                        });
                    });
                });
            });
            f.note("What is left of directions has no length: its parts are as good as places.");
            f.for_each("row", count, rows, |f, row| {
                let k = f.integer("k", of_row.at(row));
                f.if_(free.at(k).ne_(0), |f| {
                    let speed = f.real("speed", margins.at(row + (2 * places) as i64 - count as i64));
                    let size = sliding.row_size(f, k);
                    f.if_(speed.abs().gt(size * reach), |f| {
                        f.store(number_of, k, speed.gt(0.0).select(1.0, -1.0));
                        leave(f, k);
                    });
                });
            });
        });
        self.module.describe(function, "Lets what moves across its border pass.");
        function
    }

    fn near(
        &mut self,
        sliding: Sliding,
        functions: SlidingFunctions,
        rates: RowRates,
        is_near: ArrayId,
        look: FunctionId,
        lowered: &LoweredIntegral,
    ) -> FunctionId {
        let (arrays, states) = (lowered.arrays, lowered.states);
        let Sliding { count, row, .. } = sliding;
        let parameters = [("t", Real), ("part", Real)];
        let function = self.module.function("sliders_near_at", &parameters, &[Integer, Integer], |f| {
            let [t, part] = f.parameters();
            let status = f.call1(look, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            f.for_each("i", 0, states, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
            f.call(rates.gradients, t);
            let status = f.call1(functions.derivative, (t, arrays.size));
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            f.call(rates.rate, arrays.size);
            let reach = f.real("reach", t.abs() * part);
            let any = f.integer("any", 0);
            f.for_each("k", 0, count, |f, k| {
                sliding.find_border(f, k);
                let second = row.at(k).ne_(k).select(sliding.rates.at(row.at(k)).abs() * reach, 0.0);
                let speed = f.real("speed", sliding.rates.at(k).abs() + second);
                f.if_(sliding.is_part(k), |f| {
                    f.assign(speed, 0.0);
                    let d = f.integer("d", sliding.direction.at(k));
                    each_part(f, sliding, d, |f, j| f.increase(speed, sliding.rates.at(j).abs()));
                });
                let near = sliding.distance(k).abs().le(speed * reach).and(sliding.slides(k).eq_(0));
                f.store(is_near, k, near);
                f.assign(any, any.or(is_near.at(k)));
            });
            f.note("A vector is near to rest with all of its parts.");
            f.for_each("d", 0, sliding.directions, |f, d| {
                let all = f.integer("all", 1);
                each_part(f, sliding, d, |f, k| f.assign(all, all.and(is_near.at(k))));
                each_part(f, sliding, d, |f, k| f.store(is_near, k, all));
            });
            f.return_((protocol::DONE, any));
        });
        self.module.describe(function, "Which borders would be met within a part of the time.");
        function
    }

    /// `(t) -> integer`: moves the state onto the borders that it slides along.
    fn place(&mut self, sliding: Sliding, rates: RowRates, look: FunctionId, lowered: &LoweredIntegral) -> FunctionId {
        let Sliding { count, places, rows, of_row, margins, of, by, slopes, .. } = sliding;
        let (arrays, states) = (lowered.arrays, lowered.states);
        let entries = self.module.length(of);
        let function = self.module.function("sliders_place", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, states, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
            f.call(rates.gradients, t);
            f.for_each("row", 0, rows, |f, row| {
                let k = f.integer("k", of_row.at(row));
                f.if_(sliding.slides(k).ne_(0), |f| {
                    f.note("Rows may depend on one another: each sees what those before it have done.");
                    attempt(f, look, t);
                    let size = f.real("size", 0.0);
                    f.for_each("e", 0, entries, |f, e| {
                        f.if_(of.at(e).eq_(row), |f| f.increase(size, slopes.at(e) * slopes.at(e)));
                    });
                    let of_margin = f.integer("of_margin", row.lt(count as i64));
                    let speed = margins.at(of_margin.select(0, row + (2 * places) as i64 - count as i64));
                    let off = of_margin.select(sliding.distance(k), speed);
                    let share = f.real("share", off / size);
                    f.if_(size.gt(0.0), |f| {
                        f.for_each("e", 0, entries, |f, e| {
                            f.if_(of.at(e).eq_(row), |f| {
                                let state = f.integer("state", by.at(e));
                                f.store(arrays.state, state, arrays.state.at(state) - share * slopes.at(e));
                            });
                        });
                    });
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(function, "Moves the state onto the borders that it slides along.");
        function
    }

    fn correct(&mut self, sliding: Sliding, place: FunctionId, lowered: &LoweredIntegral) -> FunctionId {
        let (after_step, moved) = (lowered.after_step, lowered.integrator.moved);
        self.module.function("sliders_correct", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.if_(sliding.is_on().logical_not(), |f| f.return_(protocol::DONE));
            attempt(f, place, t);
            if let Some(after_step) = after_step {
                let status = f.call1(after_step, t);
                f.if_(status.gt(0), |f| f.return_(status));
            }
            f.call(moved, t);
            f.return_(protocol::DONE);
        })
    }

    /// Where steps are short, the motion may be on its way to a border that it cannot pass: a tank that has run empty, a body that turns
    /// while it comes to rest. It is put there, and stays if it slides or if nothing moves it any more; else it is put back.
    fn arrive(
        &mut self,
        sliding: Sliding,
        [near, place, decide, look]: [FunctionId; 4],
        is_near: ArrayId,
        lowered: &LoweredIntegral,
    ) -> FunctionId {
        let Sliding { count, places, at, slides, values, undecided, number, .. } = sliding;
        let (arrays, states) = (lowered.arrays, lowered.states);
        let mut array = |name: &str, length, note| self.module.real_array(&format!("arrival_{name}"), length, note);
        let past = array("state", states, "the state before it was put onto borders");
        let past_values = array("values", places, "values before that");
        let rates = array("rates", count, "rates of margins before that");
        let past_slides = self.module.integer_array("arrival_slides", places, "what slid before that");
        let function = self.module.function("sliders_arrive", &[("t", Real)], &[Integer, Integer], |f| {
            let [t] = f.parameters();
            let [status, any] = f.call_n(near, (t, ARRIVED));
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            f.if_(any.eq_(0), |f| f.return_((protocol::DONE, 0)));
            f.for_each("i", 0, states, |f, i| f.store(past, i, arrays.state.at(i)));
            f.for_each("i", 0, places, |f, i| {
                f.store(past_values, i, values.at(i));
                f.store(past_slides, i, slides.at(i));
                f.store(undecided, i, slides.at(i));
            });
            f.for_each("k", 0, count, |f, k| {
                f.store(rates, k, sliding.rates.at(k));
                f.if_(is_near.at(k).ne_(0), |f| {
                    f.store(slides, at.at(k), 1);
                    f.store(undecided, at.at(k), 1);
                });
            });
            let arrived = f.integer("arrived", 1);
            for function in [place, look, decide] {
                let status = f.call1(function, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.assign(arrived, 0));
            }
            f.for_each("k", 0, count, |f, k| {
                let rate = sliding.row_rate(f, k, true);
                let moves = rate.abs().le(rates.at(k).abs() * VANISHING).logical_not();
                let lost = is_near.at(k).ne_(0).and(sliding.slides(k).eq_(0)).and(moves);
                f.if_(lost, |f| f.assign(arrived, 0));
            });
            f.if_(arrived.eq_(0), |f| {
                f.for_each("i", 0, states, |f, i| f.store(arrays.state, i, past.at(i)));
                f.store(number, 0, 0);
                f.for_each("i", 0, places, |f, i| {
                    f.store(values, i, past_values.at(i));
                    f.store(slides, i, past_slides.at(i));
                    f.store(number, 0, number.at(0) + slides.at(i));
                });
                f.return_((protocol::DONE, 0));
            });
            let status = f.call1(look, t);
            f.return_((status, 1));
        });
        self.module.describe(function, "Puts the motion onto borders that it cannot but rest on or slide along.");
        function
    }

    fn left(&mut self, sliding: Sliding, choose: FunctionId, sample: FunctionId) -> FunctionId {
        let outside = self.module.function("sliders_outside", &[("t", Real)], &[Integer, Integer], |f| {
            let [t] = f.parameters();
            let status = f.call1(sample, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            f.call(choose, ());
            let any = f.integer("any", 0);
            f.for_each("k", 0, sliding.count, |f, k| {
                let rate = sliding.row_rate(f, k, true);
                let size = sliding.row_size(f, k);
                let beyond = rate.abs().le(size * BEYOND).logical_not();
                f.assign(any, any.or(sliding.free.at(k).ne_(0).and(beyond)));
            });
            f.return_((protocol::DONE, any));
        });
        let ends = [("begin", Real), ("end", Real)];
        let function = self.module.function("sliders_left", &ends, &[Integer, Real], |f| {
            let [begin, end] = f.parameters();
            f.if_(sliding.is_on().logical_not(), |f| f.return_((protocol::DONE, f64::INFINITY)));
            let low = f.real("low", begin);
            let look = |f: &mut FunctionBuilder, t| {
                let [status, is_outside] = f.call_n(outside, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
                is_outside
            };
            f.for_each("k", 1, LOOKS + 1, |f, k| {
                let share = k.to_real() / LOOKS as f64;
                let last = k.eq_(LOOKS as i64);
                let high = f.real("high", last.select(end, begin + (end - begin) * share));
                let is_outside = look(f, high);
                f.if_(is_outside, |f| {
                    f.for_each("halving", 0, HALVINGS, |f, _| {
                        let middle = f.real("middle", (low + high) * 0.5);
                        f.if_(middle.gt(low).and(middle.lt(high)).logical_not(), |f| f.break_());
                        let is_outside = look(f, middle);
                        f.if_else(is_outside, |f| f.assign(high, middle), |f| f.assign(low, middle));
                    });
                    f.return_((protocol::DONE, high));
                });
                f.assign(low, high);
            });
            f.return_((protocol::DONE, f64::INFINITY));
        });
        self.module.describe(function, "When the motion left a border in the last step; infinite if it did not.");
        function
    }

    /// Directions of what moves are those at the beginning of each step.
    pub fn direct(&mut self, sliding: Sliding, look: FunctionId, lowered: &LoweredIntegral) -> FunctionId {
        let slack = self.switching.expect("they are declared").slack;
        let Sliding { at, margins, moves, values, .. } = sliding;
        let time = lowered.arrays.time;
        let function = self.module.function("direct", &[], &[Integer], |f| {
            attempt(f, look, time.at(0));
            f.for_each("d", 0, sliding.directions, |f, d| {
                let length = length(f, sliding, d, |f, k| f.real("part", margins.at(at.at(k))));
                let moves = f.integer("moves", moves.at(d));
                f.if_(values.at(moves).ne_(0.0).and(length.gt(slack.at(moves))), |f| {
                    each_part(f, sliding, d, |f, k| f.store(values, at.at(k), margins.at(at.at(k)) / length));
                    f.store(slack, moves, 0.0);
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(function, "Gives directions of what moves their values at the beginning of a step.");
        function
    }
}

/// Moves a direction along its rate, and back into the unit disc. What does not act on its own rate has the direction of that.
fn turn_direction(f: &mut FunctionBuilder, sliding: Sliding, steps: ArrayId, d: LocalId, change: LocalId) {
    let Sliding { count, influence, number_of, .. } = sliding;
    let [strongest, largest] = ["strongest", "largest"].map(|name| f.real(name, 0.0));
    each_part(f, sliding, d, |f, k| {
        f.assign(strongest, strongest.max(-influence.at(k * count + k)));
        let size = sliding.row_size(f, k);
        f.assign(largest, largest.max(size));
    });
    let is_idle = f.integer("is_idle", strongest.le(largest * DEPENDENT));
    each_part(f, sliding, d, |f, k| {
        let rate = sliding.row_rate(f, k, true);
        let moved = number_of.at(k) + rate / strongest;
        f.store(steps, k, is_idle.select(rate, moved));
    });
    let size = length(f, sliding, d, |f, k| f.real("part", steps.at(k)));
    f.note("Where nothing draws it, it rests.");
    let still = size.le(largest * BEYOND);
    let least = is_idle.select(still.select(f64::INFINITY, size), size.max(1.0));
    let least = f.real("least", least);
    each_part(f, sliding, d, |f, k| {
        let next = f.real("next", steps.at(k) / least);
        f.assign(change, change.max((next - number_of.at(k)).abs()));
        f.store(number_of, k, next);
    });
}

/// Does something with each slider that is a part of a direction.
fn each_part(f: &mut FunctionBuilder, sliding: Sliding, d: LocalId, body: impl FnOnce(&mut FunctionBuilder, LocalId)) {
    let first = f.integer("first", sliding.first.at(d));
    let end = f.integer("end", first + sliding.parts.at(d));
    f.for_each("part", first, end, body);
}

/// The length of a vector that has a number for each part of a direction.
pub(crate) fn length(
    f: &mut FunctionBuilder,
    sliding: Sliding,
    d: LocalId,
    part: impl FnOnce(&mut FunctionBuilder, LocalId) -> LocalId,
) -> LocalId {
    let square = f.real("square", 0.0);
    each_part(f, sliding, d, |f, k| {
        let part = part(f, k);
        f.increase(square, part * part);
    });
    f.real("length", square.sqrt())
}
