//! Sliding along borders of switches, where the pieces on both sides lead back: a block that friction holds, a relay on its line.
//!
//! There a switch takes the value between its two for which its margin stays zero: the rate of the margin is affine in it (A. F. Filippov,
//! *Differential Equations with Discontinuous Righthand Sides*, §4). In the same way the direction of what rests is any vector of length one
//! at most. Several borders at once are a linear system; where it leaves a choice, the values nearest to the middle are taken. What is
//! found is put in and looked at: where the rates are not affine, the derivative refuses.
//!
//! Where no switch acts on the rate of a margin, as on that of a place, the motion keeps to the border if that rate is zero and stays so.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::{IntegratorArrays, dense_solver};
use program::{SwitchKind, Switches};

use crate::lower::Lowering;
use crate::search::attempt;

/// What may be left of a rate that ought to be zero, relative to what it is made of.
const NOT_AFFINE: f64 = 1e-6;
/// Rows that follow from others are told apart by this much, relative; what that makes wrong is solved for again.
pub(crate) const DEPENDENT: f64 = 1e-12;
const SOLUTIONS: usize = 3;

/// What may slide: *sliders* are switches on states, and the parts of directions. Each has a number between −1 and 1, which is 0 in the
/// middle of its two values; those of a direction are a vector of length one at most.
#[derive(Clone, Copy)]
pub(crate) struct Sliding {
    pub count: usize,
    /// How many switches and parts of directions there are.
    pub places: usize,
    /// Of each place: its value, and what decides it, at the sampled state.
    pub values: ArrayId,
    pub margins: ArrayId,
    /// Whether the motion slides along the border of each place, and whether that is open.
    pub slides: ArrayId,
    pub undecided: ArrayId,
    /// Along how many borders the motion slides.
    pub number: ArrayId,
    /// Of each slider: its place, the direction that it is a part of or −1, and whether it is a whole number.
    pub at: ArrayId,
    pub direction: ArrayId,
    pub is_count: ArrayId,
    /// Of each slider: its value in the middle, what its margin is at the border, and by how much its value grows with its number.
    pub middle: ArrayId,
    pub border: ArrayId,
    pub scale: ArrayId,
    /// What is kept: the margins of sliders, then those rates of margins that no switch acts on; the slider of each of these rows, and
    /// the row of each slider that it acts on.
    pub rows: usize,
    pub of_row: ArrayId,
    pub row: ArrayId,
    /// Of each slider: its number where its margin is zero and it acts on nothing that keeps it there, and whether that is so.
    pub at_zero: ArrayId,
    pub is_idle: ArrayId,
    /// Of each slider: whether it takes part, its number, the rate of its row in the middle, and by how much each raises it, row by row.
    pub free: ArrayId,
    pub number_of: ArrayId,
    pub base: ArrayId,
    pub influence: ArrayId,
    /// The rate of each row, and the slopes that it comes from: of which row, by which state.
    pub rates: ArrayId,
    pub of: ArrayId,
    pub by: ArrayId,
    pub slopes: ArrayId,
    by_time: ArrayId,
    pub directions: usize,
    /// Of each direction: its switch, its first slider, and how many parts it has.
    pub moves: ArrayId,
    pub first: ArrayId,
    pub parts: ArrayId,
}

/// How the rates of rows are found.
#[derive(Clone, Copy)]
pub(crate) struct RowRates {
    /// `(t)`: the slopes of rows at the stage.
    pub gradients: FunctionId,
    /// `(offset)`: the rate of each row, from its slopes and the rates of the states.
    pub rate: FunctionId,
}

/// The functions of sliding, where the integral can slide.
#[derive(Clone, Copy)]
pub(crate) struct SlidingFunctions {
    /// `(t, offset) -> integer`: the rates of the states, with sliders where they keep their rows.
    pub derivative: FunctionId,

    /// `(t, offset) -> integer`: how the rates of rows depend on the sliders that take part.
    pub influences: FunctionId,
    /// `()`: the numbers of those that take part for which no row changes.
    pub hold: FunctionId,
}

impl Sliding {
    pub fn forget(&self, f: &mut FunctionBuilder) {
        f.for_each("i", 0, self.places, |f, i| f.store(self.slides, i, 0));
        f.store(self.number, 0, 0);
    }

    /// Whether the motion slides now.
    pub fn is_on(&self) -> Expression {
        self.number.at(0).gt(0)
    }

    pub fn slides(&self, k: LocalId) -> Expression {
        self.slides.at(self.at.at(k))
    }

    pub fn is_part(&self, k: LocalId) -> Expression {
        self.direction.at(k).ge(0)
    }

    /// How far a slider is from its border.
    pub fn distance(&self, k: LocalId) -> Expression {
        self.margins.at(self.at.at(k)) - self.border.at(k)
    }

    /// The border that is nearest to a whole number, and the value between.
    pub fn find_border(&self, f: &mut FunctionBuilder, k: LocalId) {
        f.if_(self.is_count.at(k).ne_(0), |f| {
            let nearest = f.real("nearest", (self.margins.at(self.at.at(k)) + 0.5).floor());
            f.store(self.border, k, nearest);
            f.store(self.middle, k, nearest - 0.5);
        });
    }

    pub fn store_value(&self, f: &mut FunctionBuilder, k: LocalId) {
        f.store(self.values, self.at.at(k), self.middle.at(k) + self.scale.at(k) * self.number_of.at(k));
    }

    /// The rate of the row that a slider acts on, by the numbers of those that take part, with or without its own.
    pub fn row_rate(&self, f: &mut FunctionBuilder, k: LocalId, own: bool) -> LocalId {
        let rate = f.real("rate", self.base.at(k));
        f.for_each("j", 0, self.count, |f, j| {
            let other = if own { Expression::from(1) } else { j.ne_(k) };
            let part = self.influence.at(k * self.count + j) * self.number_of.at(j);
            f.if_(self.free.at(j).ne_(0).and(other), |f| f.increase(rate, part));
        });
        rate
    }

    /// How large that rate can be.
    pub fn row_size(&self, f: &mut FunctionBuilder, k: LocalId) -> LocalId {
        let size = f.real("size", self.base.at(k).abs());
        f.for_each("j", 0, self.count, |f, j| {
            f.if_(self.free.at(j).ne_(0), |f| f.increase(size, self.influence.at(k * self.count + j).abs()));
        });
        size
    }
}

impl<'p> Lowering<'p> {
    /// None if nothing can slide.
    // Long: one line for each array and function of sliding, with what it is for.
    pub fn declare_sliding(&mut self, values: ArrayId, margins: ArrayId) -> Option<Sliding> {
        let switches = self.program.switches.as_ref()?;
        let Switches { sliders, speeds, directions, gradients, .. } = switches;
        let (count, rows) = (sliders.len(), sliders.len() + speeds.len());
        if count == 0 {
            return None;
        }
        let all = switches.all.len();
        let kind = |at: usize| switches.all.get(at).map(|switch| switch.kind);
        let ends = directions.iter().scan(all, |end, direction| {
            *end += direction.symbols.len();
            Some(*end)
        });
        let ends: Vec<usize> = ends.collect();
        let direction = |at: usize| ends.iter().position(|&end| at < end).filter(|_| at >= all);
        let integer = |of: &dyn Fn(usize) -> i64| sliders.iter().map(|&at| of(at)).collect::<Vec<i64>>();
        let real = |of: &dyn Fn(usize) -> f64| sliders.iter().map(|&at| of(at)).collect::<Vec<f64>>();
        let row = |k: usize| speeds.iter().position(|&(of, _)| of == k).map_or(k, |speed| count + speed);
        let rows_of: Vec<i64> = (0..count).map(|k| row(k) as i64).collect();
        let of_row: Vec<i64> = (0..count).chain(speeds.iter().map(|&(of, _)| of)).map(|k| k as i64).collect();
        let first = |at: usize| sliders.iter().position(|&slider| slider == at).expect("parts of directions slide");
        let firsts = ends.iter().zip(directions).map(|(end, it)| first(end - it.symbols.len()) as i64);
        let firsts: Vec<i64> = firsts.collect();
        let module = &mut self.module;
        let places = ends.last().copied().unwrap_or(all);
        let mut table = |name: &str, values: &[i64], note| module.integers(&format!("sliders_{name}"), values, note);
        let at = table("at", &integer(&|at| at as i64), "the places of what may slide");
        let part_of = table("direction", &integer(&|at| direction(at).map_or(-1, |it| it as i64)), "it is a part of");
        let is_count = integer(&|at| i64::from(kind(at) == Some(SwitchKind::Count)));
        let is_count = table("is_count", &is_count, "whether each is a whole number");
        let row = table("row", &rows_of, "the row that each acts on");
        let of_row = table("of_row", &of_row, "the slider of each row");
        let of: Vec<i64> = gradients.iter().map(|&(row, _, _)| row as i64).collect();
        let by: Vec<i64> = gradients.iter().map(|&(_, state, _)| state as i64).collect();
        let (of, by) = (table("of", &of, "the row that each slope is of"), table("by", &by, "the state it is by"));
        let moves: Vec<i64> = directions.iter().map(|direction| direction.switch as i64).collect();
        let moves = table("moves", &moves, "the switch of each direction");
        let first = table("first", &firsts, "the first slider of each direction");
        let parts: Vec<i64> = directions.iter().map(|direction| direction.symbols.len() as i64).collect();
        let parts = table("parts", &parts, "how many parts each direction has");
        let is_part = |at: usize| direction(at).is_some();
        let scale = real(&|at| if is_part(at) { 1.0 } else { 0.5 });
        let middle = real(&|at| if is_part(at) { 0.0 } else { 0.5 });
        let scale = module.reals("sliders_scale", &scale, "by how much the value of each grows with its number");
        let middle_of = module.real_array("sliders_middle", count, "the value of each in the middle");
        module.set_initial(middle_of, middle.into_iter().map(kernel::Value::Real).collect());
        // The whole part of a whole number is that number, the upper one of the two at its border.
        let at_zero = real(&|at| match switches.all.get(at) {
            Some(switch) if switch.kind == SwitchKind::Side => 2.0 * switch.value_at_zero() - 1.0,
            Some(_) => 1.0,
            None => 0.0,
        });
        let at_zero = module.reals("sliders_at_zero", &at_zero, "the number of each where it acts on nothing");
        let mut reals = |name: &str, length, note| module.real_array(&format!("sliders_{name}"), length, note);
        Some(Sliding {
            count,
            places,
            values,
            margins,
            at,
            direction: part_of,
            is_count,
            middle: middle_of,
            scale,
            at_zero,
            border: reals("border", count, "the margin of each at its border"),
            number_of: reals("number", count, "between -1 and 1"),
            base: reals("base", count, "the rate of the row of each while all are 0"),
            influence: reals("influence", count * count, "how the rate of each row rises with each"),
            rates: reals("rates", rows, "the rate of each row"),
            slopes: reals("slopes", gradients.len(), "slopes of rows by states"),
            by_time: reals("by_time", rows, "slopes of rows by time"),
            rows,
            of_row,
            row,
            of,
            by,
            directions: directions.len(),
            moves,
            first,
            parts,
            slides: module.integer_array("slides", places, "whether the motion slides along each border"),
            undecided: module.integer_array("slides_perhaps", places, "whether it may"),
            number: module.integer_array("sliding", 1, "along how many borders it slides"),
            free: module.integer_array("sliders_free", count, "whether each takes part"),
            is_idle: module.integer_array("sliders_idle", count, "whether each does nothing about its own margin"),
        })
    }

    pub fn row_rates(&mut self, sliding: Sliding, arrays: &IntegratorArrays) -> RowRates {
        RowRates { gradients: self.gradients(sliding, arrays), rate: self.rate(sliding, arrays) }
    }

    /// The derivative of an integral along whose borders the motion may slide.
    pub fn sliding_functions(
        &mut self,
        name: &str,
        sliding: Sliding,
        arrays: &IntegratorArrays,
        rates: RowRates,
        plain: FunctionId,
    ) -> SlidingFunctions {
        let idle = self.idle(sliding);
        let influences = self.influences(sliding, rates, plain, idle);
        let keep = self.keep(sliding, arrays);
        let hold = self.hold(sliding);
        let (failure, failure_values) = (self.failure, self.failure_values);
        let Sliding { count, free, row, .. } = sliding;
        let parameters = [("t", Real), ("offset", Integer)];
        let name = format!("{name}_sliding_derivative");
        let derivative = self.module.function(&name, &parameters, &[Integer], |f| {
            let [t, offset] = f.parameters();
            f.if_(sliding.is_on().logical_not(), |f| {
                let status = f.call1(plain, (t, offset));
                f.return_(status);
            });
            f.for_each("k", 0, count, |f, k| f.store(free, k, sliding.slides(k)));
            attempt(f, influences, (t, offset));
            f.call(hold, ());
            f.for_each("k", 0, count, |f, k| f.if_(free.at(k).ne_(0), |f| sliding.store_value(f, k)));
            let status = f.call1(plain, (t, offset));
            f.if_(status.ne_(0), |f| f.return_(status));
            f.call(rates.rate, offset);
            f.for_each("k", 0, count, |f, k| {
                let size = sliding.row_size(f, k);
                let acts = size.gt(sliding.base.at(k).abs());
                let wrong = sliding.rates.at(row.at(k)).abs().le(size * NOT_AFFINE).logical_not();
                f.if_(free.at(k).ne_(0).and(wrong).and(acts), |f| {
                    f.store(failure, 0, sliding.at.at(k));
                    f.store(failure_values, 0, t);
                    f.return_(protocol::SWITCHING);
                });
            });
            f.note("What rounding leaves of the rates is taken away, so that what rests, rests.");
            f.call(keep, offset);
            f.return_(protocol::DONE);
        });
        SlidingFunctions { derivative, influences, hold }
    }

    /// At the stage, each slider that takes part is put at both of its values.
    fn influences(&mut self, sliding: Sliding, rates: RowRates, plain: FunctionId, idle: FunctionId) -> FunctionId {
        let Sliding { values, count, free, base, influence, at, row, middle, scale, .. } = sliding;
        let parameters = [("t", Real), ("offset", Integer)];
        let function = self.module.function("sliders_influences", &parameters, &[Integer], |f| {
            let [t, offset] = f.parameters();
            f.call(rates.gradients, t);
            let look = |f: &mut FunctionBuilder| {
                let status = f.call1(plain, (t, offset));
                f.if_(status.ne_(0), |f| f.return_(status));
                f.call(rates.rate, offset);
            };
            // The lower value of a switch, the middle of a part of a direction.
            let low = |k: LocalId| middle.at(k) - sliding.is_part(k).select(0.0, scale.at(k));
            f.for_each("k", 0, count, |f, k| f.if_(free.at(k).ne_(0), |f| f.store(values, at.at(k), low(k))));
            look(f);
            f.for_each("k", 0, count, |f, k| f.store(base, k, sliding.rates.at(row.at(k))));
            f.for_each("j", 0, count, |f, j| {
                f.if_(free.at(j).ne_(0), |f| {
                    f.store(values, at.at(j), low(j) + 1.0);
                    look(f);
                    f.for_each("k", 0, count, |f, k| {
                        let change = sliding.rates.at(row.at(k)) - base.at(k);
                        f.store(influence, k * count + j, change * scale.at(j));
                    });
                    f.store(values, at.at(j), low(j));
                });
            });
            f.note("From the lower values to those in the middle.");
            f.for_each("j", 0, count, |f, j| {
                f.if_(free.at(j).ne_(0).and(sliding.is_part(j).logical_not()), |f| {
                    f.for_each("k", 0, count, |f, k| f.store(base, k, base.at(k) + influence.at(k * count + j)));
                });
            });
            f.call(idle, ());
            f.return_(protocol::DONE);
        });
        self.module.describe(function, "How the rates of rows depend on the sliders that take part.");
        function
    }

    /// `()`: which of those that take part act on their own rows neither at once nor by way of others. These cannot keep to their borders;
    /// they may be kept there, and then are what they mean at zero.
    fn idle(&mut self, sliding: Sliding) -> FunctionId {
        let Sliding { count, free, influence, is_idle, .. } = sliding;
        let acts = self.module.integer_array("sliders_acts", count * count, "whether each row hangs on each slider");
        let function = self.module.function("sliders_find_idle", &[], &[], |f| {
            let any = f.integer("any", 0);
            f.for_each("k", 0, count, |f, k| {
                let size = sliding.row_size(f, k);
                let own = influence.at(k * count + k).abs().gt(size * DEPENDENT);
                f.store(is_idle, k, free.at(k).ne_(0).and(own.logical_not()));
                f.assign(any, any.or(is_idle.at(k)));
                f.for_each("j", 0, count, |f, j| {
                    let strong = influence.at(k * count + j).abs().gt(size * DEPENDENT);
                    f.store(acts, k * count + j, free.at(k).ne_(0).and(free.at(j).ne_(0)).and(strong));
                });
            });
            f.if_(any.eq_(0), |f| f.return_(()));
            f.for_each("by", 0, count, |f, by| {
                f.for_each("k", 0, count, |f, k| {
                    f.for_each("j", 0, count, |f, j| {
                        let through = acts.at(k * count + by).and(acts.at(by * count + j));
                        f.store(acts, k * count + j, acts.at(k * count + j).or(through));
                    });
                });
            });
            f.for_each("k", 0, count, |f, k| f.if_(acts.at(k * count + k), |f| f.store(is_idle, k, 0)));
        });
        self.module.describe(function, "Which sliders do nothing about their own margins.");
        function
    }

    /// The least numbers x for which A x = −b, with rows of length one: x = Aᵀ y from A Aᵀ y = −b.
    fn hold(&mut self, sliding: Sliding) -> FunctionId {
        let Sliding { count, free, influence, number_of, is_idle, at_zero, .. } = sliding;
        let acts = |k: LocalId| free.at(k).ne_(0).and(is_idle.at(k).eq_(0));
        let solver = dense_solver(&mut self.module, "sliders", count);
        let weights = self.module.real_array("sliders_weights", count, "one over the length of each row");
        let function = self.module.function("sliders_hold", &[], &[], |f| {
            f.for_each("k", 0, count, |f, k| {
                f.if_(free.at(k).ne_(0), |f| f.store(number_of, k, is_idle.at(k).ne_(0).select(at_zero.at(k), 0.0)));
                let square = f.real("square", 0.0);
                f.for_each("j", 0, count, |f, j| {
                    let entry = influence.at(k * count + j);
                    f.if_(acts(j), |f| f.increase(square, entry.clone() * entry));
                });
                let acted_on = free.at(k).ne_(0).and(square.gt(0.0));
                f.store(weights, k, acted_on.select(1.0 / square.sqrt(), 0.0));
            });
            f.for_each("solution", 0, SOLUTIONS, |f, _| {
                f.for_each("k", 0, count, |f, k| {
                    let rate = sliding.row_rate(f, k, true);
                    f.store(solver.right, k, -(weights.at(k) * rate));
                    f.for_each("j", 0, count, |f, j| {
                        let alone = weights.at(k).gt(0.0).select(DEPENDENT, 1.0);
                        let sum = f.real("sum", k.eq_(j).select(alone, 0.0));
                        f.for_each("i", 0, count, |f, i| {
                            let product = influence.at(k * count + i) * influence.at(j * count + i);
                            let taken = product * (weights.at(k) * weights.at(j));
                            f.if_(acts(i), |f| f.increase(sum, taken));
                        });
                        f.store(solver.matrix, k * count + j, sum);
                    });
                });
                let singular = f.call1(solver.solve, ());
                f.if_(singular.ne_(0), |f| f.return_(()));
                f.for_each("j", 0, count, |f, j| {
                    f.if_(acts(j), |f| {
                        f.for_each("k", 0, count, |f, k| {
                            let part = influence.at(k * count + j) * weights.at(k) * solver.right.at(k);
                            f.store(number_of, j, number_of.at(j) + part);
                        });
                    });
                });
            });
        });
        self.module.describe(function, "The numbers of sliders for which no row changes.");
        function
    }

    fn gradients(&mut self, sliding: Sliding, arrays: &IntegratorArrays) -> FunctionId {
        let program = self.program;
        let switches = program.switches.as_ref().expect("some of them slide");
        let function = self.module.declare("sliders_gradients", &[("t", Real)], &[]);
        self.module.describe(function, "The slopes of rows at the stage.");
        self.define(function, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            program.integrals.iter().for_each(|integral| scope.bind_states(&integral.states, arrays.stage));
            let entries: Vec<_> = switches.gradients.iter().map(|&(_, _, slope)| slope).collect();
            let values = body.emit(&entries, &mut scope);
            body.store_all(sliding.slopes, values);
            let values = body.emit(&switches.time_slopes, &mut scope);
            body.store_all(sliding.by_time, values);
        });
        function
    }

    fn rate(&mut self, sliding: Sliding, arrays: &IntegratorArrays) -> FunctionId {
        let Sliding { rates, of, by, slopes, by_time, rows, .. } = sliding;
        let entries = self.module.length(of);
        let function = self.module.function("sliders_rate", &[("offset", Integer)], &[], |f| {
            let [offset] = f.parameters();
            f.for_each("row", 0, rows, |f, row| f.store(rates, row, by_time.at(row)));
            f.for_each("e", 0, entries, |f, e| {
                let row = f.integer("row", of.at(e));
                let part = f.real("part", slopes.at(e) * arrays.slopes.at(offset + by.at(e)));
                f.note("The slope of a root has no value where the root is zero, and says nothing there.");
                f.if_(part.eq_(part), |f| f.store(rates, row, rates.at(row) + part));
            });
        });
        self.module.describe(function, "The rate of each row.");
        function
    }

    /// `(offset)`: takes from the rates of the states what they would move the rows of those that take part by.
    fn keep(&mut self, sliding: Sliding, arrays: &IntegratorArrays) -> FunctionId {
        let Sliding { rates, of, by, slopes, rows, free, of_row, .. } = sliding;
        let entries = self.module.length(of);
        let sizes = self.module.real_array("sliders_sizes", rows, "squares of the slopes of each row");
        let function = self.module.function("sliders_keep", &[("offset", Integer)], &[], |f| {
            let [offset] = f.parameters();
            f.for_each("row", 0, rows, |f, row| f.store(sizes, row, 0.0));
            f.for_each("e", 0, entries, |f, e| {
                let row = f.integer("row", of.at(e));
                f.store(sizes, row, sizes.at(row) + slopes.at(e) * slopes.at(e));
            });
            f.for_each("e", 0, entries, |f, e| {
                let row = f.integer("row", of.at(e));
                f.if_(free.at(of_row.at(row)).ne_(0).and(sizes.at(row).gt(0.0)), |f| {
                    let state = f.integer("state", offset + by.at(e));
                    let part = rates.at(row) * slopes.at(e) / sizes.at(row);
                    f.store(arrays.slopes, state, arrays.slopes.at(state) - part);
                });
            });
        });
        self.module.describe(function, "Takes from the rates of the states what would move the rows that are kept.");
        function
    }
}
