//! Newton's method, within a radius in which it can be trusted, for a few unknowns that a rehearsal depends on: Newton's steps, as long as they bring
//! down what is left. A step that does not was too far: then none goes farther than some radius. Where that leaves little of Newton's step, the best
//! step within the radius is taken, if all were linear (Levenberg and Marquardt; Moré, 1978).

use kernel::Type::{Integer, Real};
use kernel::executive::shooting::{
    ALIKE, ENOUGH, FOUND, GOOD, HALVINGS, HARDLY, LEAST_DAMPING, LEVEL, MOST_DAMPING, MOST_TRIALS, NO_SEED, NO_VALUE,
    NOWHERE, POOR, ROUNDED, ROUNDING, SMALLEST, TRUSTED, WON,
};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use super::elimination::Equations;

/// Where the search is.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// Whether anything that was tried came to an end.
    pub known: ArrayId,
    /// Why what was tried last did not come to its end, zero if it did, and when.
    pub ended: ArrayId,
    pub ended_at: ArrayId,
    /// The best so far, what it leaves, and how that changes with each choice.
    pub at: ArrayId,
    pub value: ArrayId,
    pub value_slopes: ArrayId,
    /// What is tried, what that leaves, and how that changes.
    pub tried: ArrayId,
    pub left: ArrayId,
    pub slopes: ArrayId,
    pub left_count: ArrayId,
    /// What is to be least, and how that changes: for the best so far, and for what is tried.
    pub cost: ArrayId,
    pub tried_cost: ArrayId,
    pub change: ArrayId,
    /// The change, in the units of the choices.
    step: ArrayId,
    /// How large each choice is, as far as its seed tells.
    sizes: ArrayId,
    /// How large what is left of each aim is.
    pub scales: ArrayId,
    /// By how much each choice would be changed to see what it does.
    pub units: ArrayId,
    /// What is left, and how that changes, in these measures.
    pub linear: ArrayId,
    pub linear_slopes: ArrayId,
    /// The equations of a step, each with its right-hand side behind it.
    rows: ArrayId,
    pub most: usize,
    /// How many numbers may be left.
    pub goals: usize,
}

impl Search {
    /// For so many unknowns and values.
    pub fn declare(module: &mut ModuleBuilder, most: usize, goals: usize) -> Search {
        let goals = goals.max(most);
        Search {
            known: module.integer_array("search_known", 1, "whether anything came to an end"),
            ended: module.integer_array("search_ended", 1, "why the last rehearsal did not come to its end"),
            ended_at: module.real_array("search_ended_at", 1, "when"),
            at: module.real_array("search_at", most, "the best choices so far"),
            value: module.real_array("search_value", goals, "what they leave"),
            value_slopes: module.real_array("search_value_slopes", goals * most, "how that changes with each"),
            tried: module.real_array("search_tried", most, "the choices that are tried"),
            left: module.real_array("search_left", goals, "what those leave"),
            slopes: module.real_array("search_slopes", goals * most, "how that changes with each"),
            left_count: module.integer_array("search_left_count", 1, "how many numbers that is"),
            cost: module.real_array("search_cost", 1 + most, "what is to be least, and how that changes with each"),
            tried_cost: module.real_array("search_tried_cost", 1 + most, "of the choices that are tried"),
            change: module.real_array("search_change", most, "of the choices"),
            step: module.real_array("search_step", most, "the change, in units"),
            sizes: module.real_array("search_sizes", most, "of the choices, as far as seeds tell"),
            scales: module.real_array("search_scales", goals, "of what is left"),
            units: module.real_array("search_units", most, "of the choices"),
            linear: module.real_array("search_linear", goals, "what is left, scaled"),
            linear_slopes: module.real_array("search_linear_slopes", goals * most, "how that changes"),
            rows: module.real_array("search_rows", most * (most + 1), "the equations of the step"),
            most,
            goals,
        }
    }

    /// The equations of a step.
    pub fn equations(&self) -> Equations {
        Equations { rows: self.rows, unknowns: self.change, most: self.most }
    }

    fn cell(&self, row: impl Into<kernel::Expression>, column: impl Into<kernel::Expression>) -> kernel::Expression {
        self.equations().cell(row, column)
    }

    /// Where the slope of a value by a choice stands.
    pub fn slope(
        &self,
        value: impl Into<kernel::Expression>,
        choice: impl Into<kernel::Expression>,
    ) -> kernel::Expression {
        value.into() * self.most + choice.into()
    }

    /// Leaves a function with 0, and notes why.
    pub fn give_up(
        &self,
        f: &mut FunctionBuilder,
        why: impl Into<kernel::Expression>,
        at: impl Into<kernel::Expression>,
    ) {
        f.store(self.ended, 0, why);
        f.store(self.ended_at, 0, at);
        f.return_(0);
    }

    /// Leaves a function with 1 if all that is known of what was tried is finite, and with 0 if not.
    pub fn return_if_finite(&self, f: &mut FunctionBuilder, (count, t): (kernel::Expression, LocalId)) {
        let unknown = |f: &mut FunctionBuilder| self.give_up(f, protocol::NOT_FINITE, t);
        f.for_each("i", 0, self.left_count.at(0), |f, i| {
            let finite = self.left.at(i).abs().lt(f64::INFINITY);
            f.if_(finite.logical_not(), unknown);
            f.for_each("j", 0, count, |f, j| {
                let finite = self.slopes.at(self.slope(i, j)).abs().lt(f64::INFINITY);
                f.if_(finite.logical_not(), unknown);
            });
        });
        f.for_each("i", 0, self.most + 1, |f, i| {
            let finite = self.tried_cost.at(i).abs().lt(f64::INFINITY);
            f.if_(finite.logical_not(), unknown);
        });
        f.return_(1);
    }
}

/// `(count, edge, t) -> integer`: 1 if choices were found that leave nothing. `function` is `(edge, t) -> integer`: 1 if what is tried leaves
/// something that is known; where it asks for a mode in `wanted`, the search waits. `solving` and `newton` are [`eliminate`] and [`newton_step`],
/// the others [`set_scales`] and [`linearize`].
// Long: writes one kernel function, whose steps work on the same local variables.
pub(super) fn shooting(
    module: &mut ModuleBuilder,
    search: Search,
    (function, wanted): (FunctionId, Option<ArrayId>),
    [solving, newton, scale, linearize]: [FunctionId; 4],
) -> FunctionId {
    let within = step_within(module, search, solving);
    let settle = settle(module, search);
    let parameters = [("count", Integer), ("transition", Integer), ("t", Real)];
    let shoot = module.function("shoot", &parameters, &[Integer], |f| {
        let [count, edge, t] = f.parameters();
        measure(f, search, count);
        f.for_each("i", 0, count, |f, i| f.store(search.tried, i, search.at.at(i)));
        let try_it = |f: &mut FunctionBuilder| {
            let known = f.call1(function, (edge, t));
            if let Some(wanted) = wanted {
                f.if_(wanted.at(0).ge(0), |f| f.return_(0));
            }
            known
        };
        let known = try_it(f);
        f.store(search.known, 0, known);
        f.if_(known.eq_(0), |f| f.return_(0));
        accept(f, search, count);
        f.for_each("i", 0, count, |f, i| f.store(search.units, i, unit(search, i)));
        f.call(scale, (count, count));
        let radius = f.real("radius", f64::INFINITY);
        let too_far = f.integer("too_far", 0);
        f.for_each("trial", 1, MOST_TRIALS, |f, _| {
            let has_newton = f.call1(newton, count);
            let tiny = all_below(f, search, count, FOUND);
            f.if_(has_newton.and(tiny), |f| f.return_(1));
            let rounding = all_below(f, search, count, ROUNDED);
            f.call(linearize, (count, count));
            f.if_(too_far.or(has_newton.eq_(0)), |f| {
                let flat = is_flat(f, search, count);
                f.if_(flat, |f| {
                    let settled = f.call1(settle, count);
                    f.return_(settled);
                });
            });
            let share = f.real("share", 0.0);
            f.if_(has_newton, |f| {
                f.for_each("i", 0, count, |f, i| {
                    f.store(search.step, i, search.change.at(i) / search.units.at(i));
                });
                let full = length(f, search.step, count);
                f.assign(share, (radius / full).min(1.0));
            });
            f.if_else(
                share.ge(TRUSTED),
                |f| f.for_each("i", 0, count, |f, i| f.store(search.step, i, search.step.at(i) * share)),
                |f| {
                    f.call(within, (count, radius));
                },
            );
            f.for_each("i", 0, count, |f, i| {
                f.store(search.change, i, search.step.at(i) * search.units.at(i));
                f.store(search.tried, i, search.at.at(i) + search.change.at(i));
            });
            let now = sum_of_products(f, count, |i| (search.linear.at(i), search.linear.at(i)));
            let expected = f.real("expected", 0.0);
            f.for_each("row", 0, count, |f, row| {
                let left = f.real("left", search.linear.at(row));
                f.for_each("i", 0, count, |f, i| {
                    f.increase(left, search.linear_slopes.at(search.slope(row, i)) * search.step.at(i));
                });
                f.increase(expected, left * left);
            });
            let known = try_it(f);
            let then = f.real("then", f64::INFINITY);
            f.if_(known, |f| {
                let scaled = |i: LocalId| search.left.at(i) / search.scales.at(i);
                let sum = sum_of_products(f, count, |i| (scaled(i), scaled(i)));
                f.assign(then, sum);
            });
            let won = f.real("won", now - then);
            let promised = f.real("promised", now - expected);
            let length = length(f, search.step, count);
            f.if_else(
                won.gt(promised * ENOUGH),
                |f| {
                    accept(f, search, count);
                    f.assign(too_far, 0);
                    f.if_else(
                        won.lt(promised * POOR).and(share.lt(1.0)),
                        |f| f.assign(radius, length * 0.5),
                        |f| f.if_(won.gt(promised * GOOD), |f| f.assign(radius, radius.max(length * 3.0))),
                    );
                    f.if_(promised.le(now * WON).and(won.le(now * WON)), |f| {
                        let settled = f.call1(settle, count);
                        f.return_(settled);
                    });
                },
                |f| {
                    f.note("Rounding is all that is left.");
                    f.if_(has_newton.and(rounding), |f| f.return_(1));
                    let short = all_below(f, search, count, NOWHERE);
                    f.if_(short, |f| {
                        let settled = f.call1(settle, count);
                        f.return_(settled);
                    });
                    f.note("Where the parabola through what is known along the step is lowest.");
                    let slope = f.real("slope", 0.0);
                    f.for_each("i", 0, count, |f, i| {
                        let down = gradient(f, search, i, count);
                        f.increase(slope, down * search.step.at(i));
                    });
                    f.assign(slope, slope * 2.0);
                    let share = f.real("share", -slope / ((then - now - slope) * 2.0));
                    let share = then.lt(f64::INFINITY).select(share.max(0.1).min(0.5), NO_VALUE);
                    f.assign(radius, share * length);
                    f.assign(too_far, 1);
                },
            );
        });
        let settled = f.call1(settle, count);
        f.return_(settled);
    });
    module.describe(shoot, "Newton's method, within a radius: 1 if choices were found with which all aims are met.");
    shoot
}

/// The sum of some products.
fn sum_of_products(
    f: &mut FunctionBuilder,
    count: LocalId,
    factors: impl FnOnce(LocalId) -> (kernel::Expression, kernel::Expression),
) -> LocalId {
    let sum = f.real("sum", 0.0);
    f.for_each("i", 0, count, |f, i| {
        let (a, b) = factors(i);
        f.increase(sum, a * b);
    });
    sum
}

fn length(f: &mut FunctionBuilder, values: ArrayId, count: LocalId) -> LocalId {
    let squares = sum_of_products(f, count, |i| (values.at(i), values.at(i)));
    f.real("length", squares.sqrt())
}

/// How the sum of squares of what is left changes with a choice, halved.
fn gradient(f: &mut FunctionBuilder, search: Search, choice: LocalId, count: LocalId) -> LocalId {
    sum_of_products(f, count, |row| (search.linear_slopes.at(search.slope(row, choice)), search.linear.at(row)))
}

/// The length of what a choice changes.
fn steepness(f: &mut FunctionBuilder, search: Search, choice: LocalId, count: LocalId) -> LocalId {
    let slope = |row: LocalId| search.linear_slopes.at(search.slope(row, choice));
    sum_of_products(f, count, |row| (slope(row), slope(row)))
}

/// Whether no direction leads downwards: what is left stands upright on what every choice changes.
fn is_flat(f: &mut FunctionBuilder, search: Search, count: LocalId) -> LocalId {
    let flat = f.integer("flat", 1);
    let left = length(f, search.linear, count);
    f.for_each("choice", 0, count, |f, choice| {
        let down = gradient(f, search, choice, count);
        let steepness = steepness(f, search, choice, count);
        f.assign(flat, flat.and(down.abs().le(left * LEVEL * steepness.sqrt())));
    });
    flat
}

pub(super) fn unit(search: Search, choice: LocalId) -> kernel::Expression {
    search.at.at(choice).abs().max(search.sizes.at(choice).min(1.0))
}

/// By how much what is left of an aim would change with all choices, each by its unit.
fn change_by_units(f: &mut FunctionBuilder, search: Search, row: LocalId, count: LocalId) -> LocalId {
    sum_of_products(f, count, |i| (search.value_slopes.at(search.slope(row, i)).abs(), unit(search, i)))
}

/// `(count, rows)`
pub(super) fn set_scales(module: &mut ModuleBuilder, search: Search) -> FunctionId {
    let scales = search.scales;
    let function = module.function("scale_aims", &[("count", Integer), ("rows", Integer)], &[], |f| {
        let [count, rows] = f.parameters();
        let largest = f.real("largest", 0.0);
        f.for_each("row", 0, rows, |f, row| {
            let change = change_by_units(f, search, row, count);
            f.store(scales, row, search.value.at(row).abs().max(change));
            f.assign(largest, largest.max(scales.at(row)));
        });
        f.for_each("row", 0, rows, |f, row| {
            let scale = scales.at(row).gt(largest * ALIKE).select(largest, scales.at(row).max(largest * SMALLEST));
            f.store(scales, row, largest.gt(0.0).select(scale, 1.0));
        });
    });
    module
        .describe(function, "How large what is left of each aim is; those of about the same size are measured alike.");
    function
}

/// `(count, rows)`
pub(super) fn linearize(module: &mut ModuleBuilder, search: Search) -> FunctionId {
    let Search { scales, linear, linear_slopes, .. } = search;
    let function = module.function("linearize_aims", &[("count", Integer), ("rows", Integer)], &[], |f| {
        let [count, rows] = f.parameters();
        f.for_each("row", 0, rows, |f, row| {
            f.store(linear, row, search.value.at(row) / scales.at(row));
            f.for_each("i", 0, count, |f, i| {
                let cell = search.slope(row, i);
                let slope = search.value_slopes.at(cell.clone()) * search.units.at(i) / scales.at(row);
                f.store(linear_slopes, cell, slope);
            });
        });
    });
    module.describe(function, "What is left, and how that changes, in scales and units.");
    function
}

/// `(count) -> integer`: 1 if what is left vanishes but for rounding, though not all choices matter.
fn settle(module: &mut ModuleBuilder, search: Search) -> FunctionId {
    let function = module.function("settle_plan", &[("count", Integer)], &[Integer], |f| {
        let [count] = f.parameters();
        f.for_each("row", 0, count, |f, row| {
            let change = change_by_units(f, search, row, count);
            let allowed = (search.scales.at(row) * ROUNDING).min(change * HARDLY);
            f.if_(search.value.at(row).abs().le(allowed).logical_not(), |f| f.return_(0));
        });
        f.return_(1);
    });
    module.describe(function, "Whether nothing is left but rounding, although no step leads on.");
    function
}

/// `(count, radius)`: the step of at most some length after which least would be left.
fn step_within(module: &mut ModuleBuilder, search: Search, solve: FunctionId) -> FunctionId {
    let damped = damped_step(module, search, solve);
    let function = module.function("step_within", &[("count", Integer), ("radius", Real)], &[], |f| {
        let [count, radius] = f.parameters();
        let steepest = f.real("steepest", 0.0);
        f.for_each("choice", 0, count, |f, choice| {
            let steepness = steepness(f, search, choice, count);
            f.assign(steepest, steepest.max(steepness));
        });
        let low = f.real("low", steepest * LEAST_DAMPING);
        let high = f.real("high", steepest * MOST_DAMPING);
        f.call(damped, (count, low));
        let full = length(f, search.step, count);
        f.if_(full.le(radius), |f| f.return_(()));
        f.for_each("halving", 0, HALVINGS, |f, _| {
            let damping = f.real("damping", (low * high).sqrt());
            f.call(damped, (count, damping));
            let length = length(f, search.step, count);
            f.if_else(length.gt(radius), |f| f.assign(low, damping), |f| f.assign(high, damping));
        });
        let last = length(f, search.step, count);
        let share = f.real("share", (radius / last).min(1.0));
        f.for_each("i", 0, count, |f, i| f.store(search.step, i, search.step.at(i) * share));
    });
    module.describe(function, "The step of at most some length after which least would be left if all were linear.");
    function
}

/// `(count, damping)`
fn damped_step(module: &mut ModuleBuilder, search: Search, solve: FunctionId) -> FunctionId {
    let Search { linear_slopes, rows, .. } = search;
    let function = module.function("damped_step", &[("count", Integer), ("damping", Real)], &[], |f| {
        let [count, damping] = f.parameters();
        f.for_each("row", 0, count, |f, row| {
            f.for_each("column", 0, count, |f, column| {
                let slope = |at: LocalId, choice: LocalId| linear_slopes.at(search.slope(at, choice));
                let product = sum_of_products(f, count, |at| (slope(at, row), slope(at, column)));
                let own = row.eq_(column).select(product + damping, product);
                f.store(rows, search.cell(row, column), own);
            });
            let down = gradient(f, search, row, count);
            f.store(rows, search.cell(row, count), -down);
        });
        let solved = f.call1(solve, count);
        f.for_each("i", 0, count, |f, i| f.store(search.step, i, solved.select(search.change.at(i), 0.0)));
    });
    module.describe(function, "The step after which least would be left if its own square counted too.");
    function
}

/// How large each choice is. What is but rounding beside the other seeds tells nothing.
pub(super) fn measure(f: &mut FunctionBuilder, search: Search, count: LocalId) {
    let largest = f.real("largest", 0.0);
    f.for_each("i", 0, count, |f, i| f.assign(largest, largest.max(search.at.at(i).abs())));
    f.for_each("i", 0, count, |f, i| {
        let size = f.real("size", search.at.at(i).abs());
        f.store(search.sizes, i, size.gt(largest * NO_SEED).select(size, f64::INFINITY));
    });
}

/// What was tried is the best so far.
pub(super) fn accept(f: &mut FunctionBuilder, search: Search, count: LocalId) {
    f.for_each("i", 0, count, |f, i| f.store(search.at, i, search.tried.at(i)));
    f.for_each("i", 0, search.left_count.at(0), |f, i| f.store(search.value, i, search.left.at(i)));
    f.for_each("i", 0, search.goals * search.most, |f, i| f.store(search.value_slopes, i, search.slopes.at(i)));
    f.for_each("i", 0, search.most + 1, |f, i| f.store(search.cost, i, search.tried_cost.at(i)));
}

/// Whether every change is small, relative to what it changes, or to some least size if the choice is not known to be smaller.
pub(super) fn all_below(
    f: &mut FunctionBuilder,
    search: Search,
    count: LocalId,
    (relative, least): (f64, f64),
) -> LocalId {
    let all = f.integer("small", 1);
    f.for_each("i", 0, count, |f, i| {
        let size = search.at.at(i).abs().max(search.sizes.at(i).min(least));
        let below = search.change.at(i).abs().le(size * relative);
        f.assign(all, all.and(below));
    });
    all
}

/// `(count) -> integer`: the step at whose end nothing would be left if all were linear.
pub(super) fn newton_step(module: &mut ModuleBuilder, search: Search, eliminate: FunctionId) -> FunctionId {
    let step = module.function("newton_step", &[("count", Integer)], &[Integer], |f| {
        let [count] = f.parameters();
        f.for_each("row", 0, count, |f, row| {
            f.for_each("column", 0, count, |f, column| {
                let slope = search.value_slopes.at(search.slope(row, column));
                f.store(search.rows, search.cell(row, column), slope);
            });
            f.store(search.rows, search.cell(row, count), -search.value.at(row));
        });
        let found = f.call1(eliminate, count);
        f.return_(found);
    });
    module.describe(step, "The change after which nothing would be left if all were linear: 1 if there is one.");
    step
}

#[cfg(test)]
mod tests {
    use super::super::elimination::eliminate;
    use super::*;
    use kernel::{Expression, Interpreter, Machine};

    /// What some unknowns leave of what should vanish; by each of them, the derivatives of that.
    struct Trial {
        left: Vec<Expression>,
        slopes: Vec<Vec<Expression>>,
    }

    /// How a search went: whether it found a root, where it was in the end, what was left there, and with how many trials.
    struct Found {
        is_root: bool,
        at: Vec<f64>,
        left: Vec<f64>,
        trials: i64,
    }

    /// Searches from a seed, in the interpreter. The function may have no value somewhere.
    fn search(
        seed: &[f64],
        has_value: impl FnOnce(&[LocalId]) -> Expression,
        function: impl FnOnce(&[LocalId]) -> Trial,
    ) -> Found {
        let (mut module, count) = (ModuleBuilder::new("search"), seed.len());
        let search = Search::declare(&mut module, count, count);
        let trials = module.integer_array("trials", 1, "");
        let rehearse = module.function("rehearse", &[("edge", Integer), ("t", Real)], &[Integer], |f| {
            f.store(trials, 0, trials.at(0) + 1);
            f.store(search.left_count, 0, count);
            let x: Vec<LocalId> = (0..count).map(|at| f.real("x", search.tried.at(at))).collect();
            f.if_(has_value(&x).logical_not(), |f| f.return_(0));
            let Trial { left, slopes } = function(&x);
            for (row, left) in left.into_iter().enumerate() {
                f.store(search.left, row, left);
            }
            for (by, slopes) in slopes.into_iter().enumerate() {
                for (row, slope) in slopes.into_iter().enumerate() {
                    f.store(search.slopes, row * count + by, slope);
                }
            }
            f.return_(1);
        });
        let solving = eliminate(&mut module, "eliminate", search.equations());
        let step = newton_step(&mut module, search, solving);
        let (scale, linearize) = (set_scales(&mut module, search), linearize(&mut module, search));
        let shoot = shooting(&mut module, search, (rehearse, None), [solving, step, scale, linearize]);
        let module = module.finish();
        assert_eq!(kernel::verify(&module), Ok(()));
        let (layout, mut memory) = (module.layout(), module.initial_memory());
        memory.set_reals(layout.offset(search.at), seed);
        let arguments = [(count as i64).into(), 0_i64.into(), 0.0.into()];
        let found = Interpreter::new(&module).call_integer(shoot, &arguments, &mut memory);
        Found {
            is_root: found == Ok(1),
            at: memory.reals(layout.range(search.at)).collect(),
            left: memory.reals(layout.range(search.value)).collect(),
            trials: memory.integer(layout.offset(trials)),
        }
    }

    fn search_everywhere(seed: &[f64], function: impl FnOnce(&[LocalId]) -> Trial) -> Found {
        search(seed, |_| 1.into(), function)
    }

    fn assert_found(seed: &[f64], root: &[f64], most: i64, function: impl FnOnce(&[LocalId]) -> Trial) {
        let Found { is_root, at, trials, .. } = search_everywhere(seed, function);
        for (x, root) in at.iter().zip(root) {
            assert!((x - root).abs() <= 1e-12 * root.abs().max(1e-3), "{at:?} is not {root:?}, after {trials}");
        }
        assert!(is_root && trials <= most, "{at:?} after {trials}");
    }

    fn constants<const N: usize>(values: [f64; N]) -> Vec<Expression> {
        values.map(Expression::from).to_vec()
    }

    #[test]
    fn finds_where_a_circle_meets_a_line() {
        let root = 0.5_f64.sqrt();
        assert_found(&[2.0, 0.5], &[root, root], 8, |x| Trial {
            left: vec![x[0] * x[0] + x[1] * x[1] - 1.0, x[0] - x[1]],
            slopes: vec![vec![x[0] * 2.0, 1.0.into()], vec![x[1] * 2.0, (-1.0).into()]],
        });
    }

    #[test]
    fn stays_where_the_function_has_values() {
        let root = |x: &[LocalId]| Trial { left: vec![x[0].sqrt() - 0.1], slopes: vec![vec![0.5 / x[0].sqrt()]] };
        let found = search(&[4.0], |x| x[0].gt(0.0), root);
        assert!(found.is_root && (found.at[0] - 0.01).abs() < 1e-12);
    }

    #[test]
    fn the_seed_tells_how_large_an_unknown_is() {
        let charge = 1.6e-19;
        assert_found(&[charge], &[charge * 2.0_f64.sqrt()], 20, |x| {
            let square = x[0] / charge * (x[0] / charge);
            Trial { left: vec![square.clone() - 2.0], slopes: vec![vec![square * 2.0 / x[0]]] }
        });
    }

    /// Problems 1 and 13 of Moré, Garbow and Hillstrom, "Testing unconstrained optimization software", 1981.
    #[test]
    fn finds_roots_that_are_known_to_be_hard_to_find() {
        assert_found(&[-1.2, 1.0], &[1.0, 1.0], 30, |x| Trial {
            left: vec![(x[1] - x[0] * x[0]) * 10.0, 1.0 - x[0]],
            slopes: vec![vec![x[0] * -20.0, (-1.0).into()], constants([10.0, 0.0])],
        });
        // All slopes of two of its values vanish at the root.
        let powell = |x: &[LocalId]| {
            let [a, b] = [x[1] - x[2] * 2.0, x[0] - x[3]];
            let [five, ten] = [5.0_f64.sqrt(), 10.0_f64.sqrt()];
            let zero = || Expression::from(0.0);
            Trial {
                left: vec![
                    x[0] + x[1] * 10.0,
                    (x[2] - x[3]) * five,
                    a.clone() * a.clone(),
                    b.clone() * b.clone() * ten,
                ],
                slopes: vec![
                    vec![1.0.into(), zero(), zero(), b.clone() * (2.0 * ten)],
                    vec![10.0.into(), zero(), a.clone() * 2.0, zero()],
                    vec![zero(), five.into(), a * -4.0, zero()],
                    vec![zero(), (-five).into(), zero(), b * (-2.0 * ten)],
                ],
            }
        };
        let Found { is_root, at, trials, .. } = search_everywhere(&[3.0, -1.0, 0.0, 1.0], powell);
        assert!(is_root && at.iter().all(|x| x.abs() < 1e-5) && trials <= 60, "{at:?} after {trials}");
    }

    /// Freudenstein and Roth: problem 2 there, with the local minimum that is known; from nearer to it, the root at (5, 4) is found.
    #[test]
    fn ends_where_nothing_is_nearer_and_says_what_is_left_there() {
        let roth = |x: &[LocalId]| {
            let y = x[1];
            Trial {
                left: vec![((5.0 - y) * y - 2.0) * y + x[0] - 13.0, ((y + 1.0) * y - 14.0) * y + x[0] - 29.0],
                slopes: vec![constants([1.0, 1.0]), vec![y * 10.0 - y * y * 3.0 - 2.0, y * y * 3.0 + y * 2.0 - 14.0]],
            }
        };
        let Found { is_root, at, left, trials } = search_everywhere(&[0.5, -2.0], roth);
        assert!((at[0] - 11.412_8).abs() < 0.1 && (at[1] + 0.896_805).abs() < 0.01, "{at:?}, {trials}");
        let square: f64 = left.iter().map(|left| left * left).sum();
        assert!(!is_root && (square - 48.984_25).abs() < 0.01 && trials <= 30, "{left:?} after {trials}");
        assert_found(&[6.0, 3.0], &[5.0, 4.0], 12, roth);
    }

    /// What meets all aims is good enough, even if not all that is chosen matters.
    #[test]
    fn unknowns_that_act_alike_may_do() {
        let sum = |x: &[LocalId]| Trial {
            left: vec![x[0] + x[1] - 2.0, (x[0] + x[1]) * 2.0 - 4.0],
            slopes: vec![constants([1.0, 2.0]), constants([1.0, 2.0])],
        };
        let Found { is_root, at, trials, .. } = search_everywhere(&[0.0, 0.0], sum);
        assert!(is_root && (at[0] + at[1] - 2.0).abs() < 1e-9 && trials <= 4, "{at:?}, {trials}");
        // A double root, where the slope vanishes.
        let touch =
            |x: &[LocalId]| Trial { left: vec![(x[0] - 1.0) * (x[0] - 1.0)], slopes: vec![vec![(x[0] - 1.0) * 2.0]] };
        let found = search_everywhere(&[3.0], touch);
        assert!(found.is_root && (found.at[0] - 1.0).abs() < 1e-4, "{}", found.trials);
    }

    /// The nearest is never farther than the seed.
    #[test]
    fn a_search_without_success_is_short() {
        let above = |x: &[LocalId]| Trial { left: vec![x[0] * x[0] + 1.0], slopes: vec![vec![x[0] * 2.0]] };
        for seed in [1e-6, 0.3, 1.0, 17.0, 1e5] {
            let Found { is_root, left, trials, .. } = search_everywhere(&[seed], above);
            assert!(!is_root && left[0] <= seed * seed + 1.0 && trials < 40, "{left:?} after {trials}");
        }
        assert!(!search(&[1.0], |_| 0.into(), above).is_root);
    }
}
