//! Plans that minimize: sequential quadratic programs, with the exact derivatives that rehearsals give.
//!
//! In each step the aims are taken as linear and the cost as a parabola, whose curvature is learnt from how its derivatives change (BFGS; Powell's
//! damping keeps it positive). A step goes no farther than a radius, and is taken if it lowers the cost and what is missed, weighed against each
//! other (Fletcher's merit function; see Nocedal and Wright, *Numerical Optimization*, chapter 18).

use kernel::Type::{Integer, Real};
use kernel::executive::BOUNDLESS;
use kernel::executive::least::{
    CURVED, DEAREST, ENOUGH, FARTHEST, FORGOTTEN, GOOD, HEAVIER, HEAVIEST, LAST, LONGEST, MEMORY, MISSED, MOST_TRIALS,
    NOWHERE, POOR, RADIUS, SHORTER, WON,
};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};
use program::Change;

use super::Automaton;
use super::modes::changes;
use super::quadratic::{FIXED, FREE, Quadratic};
use super::shooting::{Search, accept, measure, unit};

/// What plans aim at, beside equations; by their places among the plans.
#[derive(Clone, Copy)]
pub(super) struct Goals {
    /// Whether a plan has a cost, limits or ranges: then it is found here, else by shooting.
    pub seeks: ArrayId,
    /// How many numbers it aims at or limits.
    pub rows: ArrayId,
    /// Which of these are limits.
    limits: ArrayId,
    /// Between which values its choices are.
    low: ArrayId,
    high: ArrayId,
    most: usize,
    goals: usize,
    /// Whether any plan is found here.
    pub is_needed: bool,
}

impl Goals {
    /// Rehearsals know the ends of phases before a run does.
    pub fn declare(module: &mut ModuleBuilder, automaton: &Automaton<'_>, plans: &[&Change], search: Search) -> Goals {
        let Search { most, goals, .. } = search;
        let end = |phase: usize| {
            let mut modes = automaton.modes.iter();
            modes.find_map(|mode| {
                let change = changes(mode).all.iter().find(|change| change.number == phase)?;
                Some((change, change.aims.results.len() / (1 + mode.program.directions)))
            })
        };
        let ends =
            |plan: &Change| -> Vec<(&Change, usize)> { plan.phases.iter().filter_map(|&phase| end(phase)).collect() };
        let (mut seeks, mut rows, mut limits) = (Vec::new(), Vec::new(), Vec::new());
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for plan in plans {
            let kinds = ends(plan).into_iter().flat_map(|(end, goals)| {
                let aims = goals - end.limits - usize::from(end.has_cost);
                [vec![0; aims], vec![1; end.limits]].concat()
            });
            let mut kinds: Vec<i64> = kinds.collect();
            let costs = ends(plan).iter().any(|(end, _)| end.has_cost);
            seeks.push(i64::from(costs || kinds.contains(&1) || !plan.ranges.is_empty()));
            rows.push(kinds.len() as i64);
            kinds.resize(goals, 0);
            limits.extend(kinds);
            let end = |which: usize, at: usize, none: f64| {
                plan.ranges.iter().find(|(choice, _)| *choice == at).map_or(none, |(_, range)| range[which])
            };
            low.extend((0..most).map(|at| end(0, at, -BOUNDLESS)));
            high.extend((0..most).map(|at| end(1, at, BOUNDLESS)));
        }
        Goals {
            seeks: module.integers("plan_seeks", &seeks, "whether each plan looks for the least, or has limits"),
            rows: module.integers("plan_rows", &rows, "how many numbers each aims at or limits"),
            limits: module.integers("plan_limits", &limits, "which of these must not be negative"),
            low: module.reals("plan_low", &low, "the least values of what each chooses"),
            high: module.reals("plan_high", &high, "the greatest values of what each chooses"),
            most,
            goals,
            is_needed: seeks.contains(&1),
        }
    }

    fn is_limit(&self, plan: LocalId, row: LocalId) -> Expression {
        self.limits.at(plan * self.goals + row)
    }

    fn clip(&self, plan: LocalId, choice: LocalId, value: impl Into<Expression>) -> Expression {
        let place = || plan * self.most + choice;
        value.into().max(self.low.at(place())).min(self.high.at(place()))
    }
}

/// Where the search for the least stands.
#[derive(Clone, Copy)]
pub(super) struct Least {
    search: Search,
    goals: Goals,
    quadratic: Quadratic,
    /// How large the cost is.
    cost_scale: ArrayId,
    radius: ArrayId,
    /// How much what is missed weighs beside the cost.
    weight: ArrayId,
    /// Costs and misses of the last steps that were taken, and how many there were.
    past: ArrayId,
    taken: ArrayId,
    /// How the cost, with the prices of what is missed, changed with the choices before a step.
    pull: ArrayId,
    /// What the step promises; how steep the cost is where the search is, with its first step from there; how far the step goes; what is missed now.
    outlook: ArrayId,
    scale: FunctionId,
    linearize: FunctionId,
}

const PROMISED: i64 = 0;
const STEEP: i64 = 1;
const FAR: i64 = 2;
const MISSED_NOW: i64 = 3;

impl Least {
    /// `scale` and `linearize` are those of shooting.
    pub fn declare(
        module: &mut ModuleBuilder,
        search: Search,
        goals: Goals,
        [scale, linearize]: [FunctionId; 2],
    ) -> Least {
        Least {
            search,
            goals,
            quadratic: Quadratic::declare(module, search.most, search.goals, search.linear_slopes),
            cost_scale: module.real_array("least_cost_scale", 1, "how large the cost is"),
            radius: module.real_array("least_radius", 1, "how far a step may go"),
            weight: module.real_array("least_weight", 1, "of what is missed beside the cost"),
            past: module.real_array("least_past", 2 * MEMORY, "costs and misses of the last steps"),
            taken: module.integer_array("least_taken", 1, "how many steps were taken"),
            pull: module.real_array("least_pull", search.most, "how cost and aims changed before the step"),
            outlook: module.real_array("least_outlook", 4, "what the step promises, how far it goes, what is missed"),
            scale,
            linearize,
        }
    }

    /// `(count, plan, edge, t) -> integer`: 1 if choices were found that meet all aims and than which none near them cost less. `function` is
    /// `(edge, t) -> integer`, as for shooting.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn seeking(&self, module: &mut ModuleBuilder, (function, wanted): (FunctionId, Option<ArrayId>)) -> FunctionId {
        let Least { search, goals, quadratic, outlook, .. } = *self;
        let look = self.look(module);
        let [prepare, range, promise] = [self.prepare(module), self.range(module), self.promise(module)];
        let [judge, take, settle] = [self.judge(module), self.take(module, look), self.settle(module)];
        let parameters = [("count", Integer), ("plan", Integer), ("transition", Integer), ("t", Real)];
        let seek = module.function("seek", &parameters, &[Integer], |f| {
            let [count, plan, edge, t] = f.parameters();
            let rows = f.integer("rows", goals.rows.at(plan));
            let try_it = |f: &mut FunctionBuilder| {
                let known = f.call1(function, (edge, t));
                if let Some(wanted) = wanted {
                    f.if_(wanted.at(0).ge(0), |f| f.return_(0));
                }
                known
            };
            f.for_each("i", 0, count, |f, i| f.store(search.at, i, goals.clip(plan, i, search.at.at(i))));
            f.for_each("i", 0, count, |f, i| f.store(search.tried, i, search.at.at(i)));
            let known = try_it(f);
            f.store(search.known, 0, known);
            f.if_(known.eq_(0), |f| f.return_(0));
            accept(f, search, count);
            f.call(prepare, (count, rows, plan));
            f.call(look, (count, rows, plan));
            f.for_each("trial", 1, MOST_TRIALS, |f, _| {
                f.call(range, (count, rows, plan));
                let solved = f.call1(quadratic.solve, (count, rows));
                f.if_(solved.eq_(0), |f| f.return_(0));
                f.call(promise, (count, rows));
                f.for_each("i", 0, count, |f, i| {
                    let next = search.at.at(i) + quadratic.step.at(i) * search.units.at(i);
                    f.store(search.tried, i, goals.clip(plan, i, next));
                });
                let known = try_it(f);
                f.note("A step that only the radius makes short is not the last.");
                let near = outlook.at(FAR).le(LAST).and(outlook.at(FAR).lt(self.radius.at(0) * GOOD));
                let last = f.integer("last", near.and(outlook.at(MISSED_NOW).le(LAST)));
                f.if_(known, |f| {
                    let good = f.call1(judge, (rows, plan));
                    f.assign(known, good.or(last));
                });
                f.if_else(
                    known,
                    |f| {
                        f.call(take, (count, rows, plan));
                        f.if_(last, |f| f.return_(1));
                        let far = self.farthest(f, count);
                        f.if_(far.gt(FARTHEST), |f| f.return_(0));
                    },
                    |f| {
                        f.store(self.radius, 0, outlook.at(FAR) * SHORTER);
                        f.if_(self.radius.at(0).lt(NOWHERE), |f| f.break_());
                    },
                );
            });
            let settled = f.call1(settle, ());
            f.return_(settled);
        });
        module
            .describe(seek, "Sequential quadratic programs: 1 if choices were found that meet all aims at least cost.");
        seek
    }

    /// `(count, plan)`: the smallest change, in units, after which nothing would be missed if all were linear; what is missed is known.
    pub fn mending(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Least { search, quadratic, .. } = *self;
        let [begin, look, range] = [self.begin(module), self.look(module), self.range(module)];
        let function = module.function("mend", &[("count", Integer), ("plan", Integer)], &[Integer], |f| {
            let [count, plan] = f.parameters();
            let rows = f.integer("rows", self.goals.rows.at(plan));
            f.for_each("i", 0, search.most + 1, |f, i| f.store(search.cost, i, 0.0));
            f.call(begin, (count, rows, plan));
            f.store(self.radius, 0, BOUNDLESS);
            f.call(look, (count, rows, plan));
            f.call(range, (count, rows, plan));
            let solved = f.call1(quadratic.solve, (count, rows));
            f.for_each("i", 0, count, |f, i| {
                f.store(search.change, i, quadratic.step.at(i) * search.units.at(i));
            });
            f.return_(solved);
        });
        module.describe(function, "The smallest change after which nothing would be missed if all were linear.");
        function
    }

    /// Whether the aims were met where the search ended.
    pub fn meets_aims(&self) -> Expression {
        self.outlook.at(MISSED_NOW).le(MISSED)
    }

    /// `(count, rows, plan)`: units, scales, and a curvature of which nothing is known yet.
    fn begin(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Least { search, goals, quadratic, .. } = *self;
        let parameters = [("count", Integer), ("rows", Integer), ("plan", Integer)];
        let function = module.function("begin_least", &parameters, &[], |f| {
            let [count, rows, plan] = f.parameters();
            let largest = f.real("largest", 0.0);
            f.for_each("i", 0, count, |f, i| {
                let place = f.integer("place", plan * goals.most + i);
                let half = f.real("half", (goals.high.at(place) - goals.low.at(place)) * 0.5);
                f.store(search.units, i, half.gt(0.0).select(unit(search, i).min(half), unit(search, i)));
                let slope = search.cost.at(i + 1) * search.units.at(i);
                f.assign(largest, largest.max(slope.abs()));
                f.for_each("j", 0, count, |f, j| {
                    f.store(quadratic.curvature, i * search.most + j, i.eq_(j).to_real());
                });
            });
            f.store(self.cost_scale, 0, largest.gt(0.0).select(largest, 1.0));
            f.call(self.scale, (count, rows));
            f.for_each("row", 0, rows, |f, row| f.store(quadratic.prices, row, 0.0));
        });
        module.describe(function, "Measures choices, aims and cost where a search for the least begins.");
        function
    }

    /// How large the largest choice is, in units.
    fn farthest(&self, f: &mut FunctionBuilder, count: LocalId) -> LocalId {
        let far = f.real("farthest", 0.0);
        f.for_each("i", 0, count, |f, i| {
            f.assign(far, far.max((self.search.at.at(i) / self.search.units.at(i)).abs()));
        });
        far
    }

    /// `(count, rows, plan)`
    fn prepare(&self, module: &mut ModuleBuilder) -> FunctionId {
        let (search, begin) = (self.search, self.begin(module));
        let parameters = [("count", Integer), ("rows", Integer), ("plan", Integer)];
        let function = module.function("prepare_least", &parameters, &[], |f| {
            let [count, rows, plan] = f.parameters();
            measure(f, search, count);
            f.call(begin, (count, rows, plan));
            f.store(self.radius, 0, RADIUS);
            f.store(self.weight, 0, 1.0);
            let missed = self.missed(f, search.value, (rows, plan));
            f.store(self.past, 0, search.cost.at(0) / self.cost_scale.at(0));
            f.store(self.past, 1, missed);
            f.store(self.taken, 0, 1);
            f.store(self.outlook, STEEP, -1.0);
        });
        module.describe(function, "Begins a search for the least.");
        function
    }

    /// How much of the aims some values miss.
    fn missed(&self, f: &mut FunctionBuilder, values: ArrayId, (rows, plan): (LocalId, LocalId)) -> LocalId {
        let sum = f.real("sum", 0.0);
        f.for_each("row", 0, rows, |f, row| {
            let left = f.real("left", values.at(row) / self.search.scales.at(row));
            f.assign(left, self.goals.is_limit(plan, row).select(left.min(0.0), left));
            f.increase(sum, left * left);
        });
        f.real("missed", sum.sqrt())
    }

    /// `(count, rows, plan)`: cost and aims as they are and change, in units and scales.
    fn look(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Least { search, goals, quadratic, .. } = *self;
        let parameters = [("count", Integer), ("rows", Integer), ("plan", Integer)];
        let function = module.function("look_least", &parameters, &[], |f| {
            let [count, rows, plan] = f.parameters();
            f.call(self.linearize, (count, rows));
            f.for_each("i", 0, count, |f, i| {
                let slope = search.cost.at(i + 1) * search.units.at(i) / self.cost_scale.at(0);
                f.store(quadratic.gradient, i, slope);
            });
            f.for_each("row", 0, rows, |f, row| {
                let left = search.linear.at(row);
                f.store(quadratic.left, row, goals.is_limit(plan, row).select(left.clone().min(0.0), left));
            });
        });
        module.describe(function, "Cost and aims as they are and change, in units and scales.");
        function
    }

    /// `(count, rows, plan)`: how far choices and slacks may go.
    fn range(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Least { search, goals, quadratic: Quadratic { low, high, step, held, .. }, radius, .. } = *self;
        let parameters = [("count", Integer), ("rows", Integer), ("plan", Integer)];
        let function = module.function("range_least", &parameters, &[], |f| {
            let [count, rows, plan] = f.parameters();
            f.for_each("i", 0, count, |f, i| {
                let place = f.integer("place", plan * goals.most + i);
                let room = |end: Expression| (end - search.at.at(i)) / search.units.at(i);
                f.store(low, i, room(goals.low.at(place)).max(-radius.at(0)).min(0.0));
                f.store(high, i, room(goals.high.at(place)).min(radius.at(0)).max(0.0));
                f.store(step, i, 0.0);
                f.store(held, i, FREE);
            });
            f.for_each("row", 0, rows, |f, row| {
                let slack = f.integer("slack", count + row);
                f.store(low, slack, -search.linear.at(row).max(0.0));
                f.store(high, slack, BOUNDLESS);
                f.store(step, slack, 0.0);
                f.store(held, slack, goals.is_limit(plan, row).select(FREE, FIXED));
            });
        });
        module.describe(function, "How far choices may go, and what limits leave.");
        function
    }

    /// `(count, rows)`: what a step promises, and how much what is missed has to weigh for that.
    fn promise(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Least { search, quadratic, outlook, weight, .. } = *self;
        let Quadratic { step, prices, .. } = quadratic;
        let function = module.function("promise", &[("count", Integer), ("rows", Integer)], &[], |f| {
            let [count, rows] = f.parameters();
            let (cost, far) = (f.real("cost", 0.0), f.real("far", 0.0));
            f.for_each("i", 0, count, |f, i| {
                f.increase(cost, quadratic.gradient.at(i) * step.at(i));
                f.for_each("j", 0, count, |f, j| {
                    let bend = quadratic.curvature.at(i * search.most + j) * step.at(j);
                    f.increase(cost, bend * step.at(i) * 0.5);
                });
                f.assign(far, far.max(step.at(i).abs()));
            });
            let (now, then) = (f.real("now", 0.0), f.real("then", 0.0));
            f.for_each("row", 0, rows, |f, row| {
                let left = f.real("left", quadratic.left.at(row) - step.at(count + row));
                f.for_each("i", 0, count, |f, i| f.increase(left, quadratic.slope(row, i) * step.at(i)));
                f.increase(now, quadratic.left.at(row) * quadratic.left.at(row));
                f.increase(then, left * left);
                f.store(prices, row, prices.at(row).max(-DEAREST).min(DEAREST));
            });
            let missed = f.real("missed", now.sqrt());
            let nearer = f.real("nearer", missed - then.sqrt());
            f.note("A weight that was needed once, far away, would keep later steps short: it is forgotten.");
            f.store(weight, 0, (weight.at(0) * FORGOTTEN).max(1.0));
            f.if_(cost.gt(0.0).and(nearer.gt(0.0)), |f| {
                f.store(weight, 0, weight.at(0).max((cost / nearer * HEAVIER).min(HEAVIEST)));
            });
            f.store(outlook, PROMISED, weight.at(0) * nearer - cost);
            f.if_(outlook.at(STEEP).lt(0.0), |f| {
                f.store(outlook, STEEP, cost.abs() / self.radius.at(0).min(1.0));
            });
            f.store(outlook, FAR, far);
            f.store(outlook, MISSED_NOW, missed);
        });
        module.describe(function, "What a step promises, and how far it goes.");
        function
    }

    /// `(rows, plan) -> integer`: whether what was tried is good enough; the radius of the next step follows from that.
    fn judge(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Least { search, outlook, weight, past, taken, radius, .. } = *self;
        let memory = MEMORY as i64;
        let function = module.function("judge_least", &[("rows", Integer), ("plan", Integer)], &[Integer], |f| {
            let [rows, plan] = f.parameters();
            let cost = f.real("cost", search.tried_cost.at(0) / self.cost_scale.at(0));
            let missed = self.missed(f, search.left, (rows, plan));
            let then = f.real("then", cost + weight.at(0) * missed);
            let merit = |at: Expression| past.at(at.clone() * 2) + weight.at(0) * past.at(at * 2 + 1);
            let place = |number: Expression| number.and(memory - 1);
            let now = f.real("now", merit(place(taken.at(0) - 1)));
            let worst = f.real("worst", now);
            f.for_each("i", 0, taken.at(0).lt(memory).select(taken.at(0), memory), |f, i| {
                f.assign(worst, worst.max(merit(i.get())));
            });
            let promised = f.real("promised", outlook.at(PROMISED));
            f.if_((worst - then).ge(promised * ENOUGH).logical_not(), |f| f.return_(0));
            let next = f.integer("next", place(taken.at(0)));
            f.store(past, next * 2, cost);
            f.store(past, next * 2 + 1, missed);
            f.store(taken, 0, taken.at(0) + 1);
            let far = f.real("far", outlook.at(FAR));
            f.if_else(
                (now - then).lt(promised * POOR),
                |f| f.store(radius, 0, radius.at(0).min(far)),
                |f| {
                    let farther = (now - then).gt(promised * GOOD).and(far.ge(radius.at(0) * GOOD));
                    f.if_(farther, |f| f.store(radius, 0, (radius.at(0) * 2.0).min(LONGEST)));
                },
            );
            f.return_(1);
        });
        module.describe(function, "Whether what was tried costs and misses little enough.");
        function
    }

    /// `(count, rows, plan)`: what was tried is where the search goes on; how its derivatives changed tells the curvature.
    fn take(&self, module: &mut ModuleBuilder, look: FunctionId) -> FunctionId {
        let (search, bend) = (self.search, self.bend(module));
        let parameters = [("count", Integer), ("rows", Integer), ("plan", Integer)];
        let function = module.function("take_least", &parameters, &[], |f| {
            let [count, rows, plan] = f.parameters();
            f.for_each("i", 0, count, |f, i| {
                let pull = self.pull_of(f, i, rows);
                f.store(self.pull, i, pull);
            });
            accept(f, search, count);
            f.store(self.outlook, STEEP, -1.0);
            f.call(look, (count, rows, plan));
            f.call(bend, (count, rows));
        });
        module.describe(function, "Goes on from what was tried.");
        function
    }

    /// How cost and aims, these with their prices, change with a choice.
    fn pull_of(&self, f: &mut FunctionBuilder, choice: LocalId, rows: LocalId) -> LocalId {
        let pull = f.real("pull", self.quadratic.gradient.at(choice));
        f.for_each("row", 0, rows, |f, row| {
            f.increase(pull, self.quadratic.slope(row, choice) * self.quadratic.prices.at(row));
        });
        pull
    }

    /// `(count, rows)`: the curvature after a step.
    fn bend(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Least { search, quadratic: Quadratic { curvature, step, .. }, pull, .. } = *self;
        let most = search.most;
        let bent = module.real_array("least_bent", most, "how the pull was expected to change");
        let function = module.function("bend_least", &[("count", Integer), ("rows", Integer)], &[], |f| {
            let [count, rows] = f.parameters();
            let (expected, found) = (f.real("expected", 0.0), f.real("found", 0.0));
            f.for_each("i", 0, count, |f, i| {
                let sum = f.real("sum", 0.0);
                f.for_each("j", 0, count, |f, j| f.increase(sum, curvature.at(i * most + j) * step.at(j)));
                f.store(bent, i, sum);
                f.increase(expected, sum * step.at(i));
                let now = self.pull_of(f, i, rows);
                f.store(pull, i, now - pull.at(i));
                f.increase(found, pull.at(i) * step.at(i));
            });
            f.if_(expected.le(0.0), |f| f.return_(()));
            f.note("Where the cost bends downwards, some of the old curvature is left.");
            let share = f.real("share", 1.0);
            f.if_(found.lt(expected * CURVED), |f| {
                f.assign(share, expected * (1.0 - CURVED) / (expected - found));
            });
            f.for_each("i", 0, count, |f, i| {
                f.store(pull, i, pull.at(i) * share + bent.at(i) * (1.0 - share));
            });
            let along = f.real("along", found * share + expected * (1.0 - share));
            f.for_each("i", 0, count, |f, i| {
                f.for_each("j", 0, count, |f, j| {
                    let place = f.integer("place", i * most + j);
                    let more = pull.at(i) * pull.at(j) / along - bent.at(i) * bent.at(j) / expected;
                    f.store(curvature, place, curvature.at(place) + more);
                });
            });
        });
        module.describe(function, "Learns the curvature of the cost from how its derivatives changed (BFGS).");
        function
    }

    /// `() -> integer`: 1 if the least is found but for rounding, though no step leads on.
    fn settle(&self, module: &mut ModuleBuilder) -> FunctionId {
        let function = module.function("settle_least", &[], &[Integer], |f| {
            f.return_(self.meets_aims().and(self.outlook.at(STEEP).le(WON)));
        });
        module.describe(function, "Whether nothing can be won but rounding.");
        function
    }
}

#[cfg(test)]
mod tests {
    use super::super::shooting::{linearize, set_scales};
    use super::*;
    use kernel::{Interpreter, Machine};

    /// What is to be least, what is to vanish and what must not be negative, each with its derivatives.
    struct Problem {
        seed: Vec<f64>,
        ranges: Vec<[f64; 2]>,
        /// How many of the goals are limits; these come last.
        limits: usize,
        goals: Vec<(Expression, Vec<Expression>)>,
        cost: (Expression, Vec<Expression>),
    }

    struct Found {
        is_least: bool,
        at: Vec<f64>,
        prices: Vec<f64>,
        scales: Vec<f64>,
        cost_scale: f64,
        trials: i64,
    }

    /// Searches in the interpreter.
    fn search(count: usize, rows: usize, problem: impl FnOnce(&[LocalId]) -> Problem) -> Found {
        let mut module = ModuleBuilder::new("least");
        let search = Search::declare(&mut module, count, rows);
        let trials = module.integer_array("trials", 1, "");
        let mut stated = None;
        let rehearse = module.function("rehearse", &[("edge", Integer), ("t", Real)], &[Integer], |f| {
            f.store(trials, 0, trials.at(0) + 1);
            f.store(search.left_count, 0, rows);
            let x: Vec<LocalId> = (0..count).map(|at| f.real("x", search.tried.at(at))).collect();
            let problem = problem(&x);
            for (row, (left, slopes)) in problem.goals.iter().enumerate() {
                f.store(search.left, row, left.clone());
                for (by, slope) in slopes.iter().enumerate() {
                    f.store(search.slopes, row * count + by, slope.clone());
                }
            }
            f.store(search.tried_cost, 0, problem.cost.0.clone());
            for (by, slope) in problem.cost.1.iter().enumerate() {
                f.store(search.tried_cost, 1 + by, slope.clone());
            }
            stated = Some(problem);
            f.return_(1);
        });
        let problem = stated.expect("the function was made");
        let ends = |which: usize, none: f64| -> Vec<f64> {
            (0..count).map(|at| problem.ranges.get(at).map_or(none, |range| range[which])).collect()
        };
        let limits: Vec<i64> =
            (0..search.goals).map(|row| i64::from(row + problem.limits >= rows && row < rows)).collect();
        let goals = Goals {
            seeks: module.integers("seeks", &[1], ""),
            rows: module.integers("rows", &[rows as i64], ""),
            limits: module.integers("limits", &limits, ""),
            low: module.reals("low", &ends(0, -BOUNDLESS), ""),
            high: module.reals("high", &ends(1, BOUNDLESS), ""),
            most: count,
            goals: search.goals,
            is_needed: true,
        };
        let measuring = [set_scales(&mut module, search), linearize(&mut module, search)];
        let least = Least::declare(&mut module, search, goals, measuring);
        let seek = least.seeking(&mut module, (rehearse, None));
        let module = module.finish();
        assert_eq!(kernel::verify(&module), Ok(()));
        let (layout, mut memory) = (module.layout(), module.initial_memory());
        memory.set_reals(layout.offset(search.at), &problem.seed);
        let arguments = [(count as i64).into(), 0_i64.into(), 0_i64.into(), 0.0.into()];
        let found = Interpreter::new(&module).call_integer(seek, &arguments, &mut memory);
        let reals = |array: ArrayId| -> Vec<f64> { memory.reals(layout.range(array)).collect() };
        Found {
            is_least: found == Ok(1),
            at: reals(search.at),
            prices: reals(least.quadratic.prices),
            scales: reals(search.scales),
            cost_scale: reals(least.cost_scale)[0],
            trials: memory.integer(layout.offset(trials)),
        }
    }

    fn zero() -> Expression {
        0.0.into()
    }

    fn assert_found(found: &Found, expected: &[f64], allowed: f64, most: i64) {
        for (x, expected) in found.at.iter().zip(expected) {
            assert!((x - expected).abs() <= allowed, "{:?} is not {expected}, after {}", found.at, found.trials);
        }
        assert!(found.is_least && found.trials <= most, "{:?} after {}", found.at, found.trials);
    }

    /// Two pushes and two durations that carry a mass by one and leave it at rest: x'' = a for p seconds, then b for q seconds.
    fn pushes(x: &[LocalId]) -> Vec<(Expression, Vec<Expression>)> {
        let [a, b, p, q] = [x[0], x[1], x[2], x[3]];
        let place = a * p * p * 0.5 + a * p * q + b * q * q * 0.5 - 1.0;
        let slopes = vec![p * p * 0.5 + p * q, q * q * 0.5, a * p + a * q, a * p + b * q];
        vec![(place, slopes), (a * p + b * q, vec![p.get(), q.get(), a.get(), b.get()])]
    }

    /// The least time is that of full thrust and full braking, of √d seconds each; the first pushes may be in the wrong direction.
    #[test]
    fn the_shortest_time_is_at_the_ends_of_ranges() {
        for distance in [1.0, 0.01, 30.0, -2.0_f64] {
            let found = search(4, 2, |x| {
                let mut goals = pushes(x);
                goals[0].0 = goals[0].0.clone() + (1.0 - distance);
                Problem {
                    seed: vec![0.5, -0.5, 1.0, 1.0],
                    ranges: vec![[-1.0, 1.0], [-1.0, 1.0], [0.01, 20.0], [0.01, 20.0]],
                    limits: 0,
                    goals,
                    cost: (x[2] + x[3], vec![zero(), zero(), 1.0.into(), 1.0.into()]),
                }
            });
            let (sign, time) = (distance.signum(), libm::sqrt(distance.abs()));
            assert_found(&found, &[sign, -sign, time, time], 1e-12, 40);
        }
    }

    /// The first duration has no end: it grows for ever with ever weaker pushes.
    #[test]
    fn what_has_no_least_value_is_not_found() {
        let found = search(4, 2, |x| Problem {
            seed: vec![0.5, -0.5, 1.0, 1.0],
            ranges: vec![[-1.0, 1.0], [-1.0, 1.0]],
            limits: 0,
            goals: pushes(x),
            cost: (-x[2], vec![zero(), zero(), (-1.0).into(), zero()]),
        });
        assert!(!found.is_least, "{:?}", found.at);
    }

    /// Aims that no times within a limit reach: both are as near as they come, and the search says so.
    #[test]
    fn what_cannot_be_met_is_not_found() {
        let found = search(4, 3, |x| {
            let mut goals = pushes(x);
            goals.push((1.5 - x[2] - x[3], vec![zero(), zero(), (-1.0).into(), (-1.0).into()]));
            Problem {
                seed: vec![0.5, -0.5, 1.0, 1.0],
                ranges: vec![[-1.0, 1.0], [-1.0, 1.0], [0.01, 20.0], [0.01, 20.0]],
                limits: 1,
                goals,
                cost: (x[2] + x[3], vec![zero(), zero(), 1.0.into(), 1.0.into()]),
            }
        });
        assert!(!found.is_least, "{:?}", found.at);
    }

    /// Problem 71 of Hock and Schittkowski, *Test Examples for Nonlinear Programming Codes*, 1981.
    #[test]
    fn finds_the_least_that_others_found() {
        let found = search(4, 2, |x| {
            let [a, b, c, d] = [x[0], x[1], x[2], x[3]];
            let sum = a + b + c;
            let product = a * b * c * d - 25.0;
            let slopes = vec![b * c * d, a * c * d, a * b * d, a * b * c];
            Problem {
                seed: vec![1.0, 5.0, 5.0, 1.0],
                ranges: vec![[1.0, 5.0]; 4],
                limits: 1,
                goals: vec![
                    (a * a + b * b + c * c + d * d - 40.0, [a, b, c, d].map(|x| x * 2.0).to_vec()),
                    (product, slopes),
                ],
                cost: (a * d * sum.clone() + c, vec![d * (sum.clone() + a), a * d, a * d + 1.0, a * sum]),
            }
        });
        assert_found(&found, &[1.0, 4.742_999_4, 3.821_150_3, 1.379_408_2], 1e-6, 20);
    }

    /// Powell's example for the effect of Maratos: good steps along the circle raise both the cost and what is missed.
    #[test]
    fn follows_a_curved_aim() {
        let found = search(2, 1, |x| {
            let [a, b] = [x[0], x[1]];
            Problem {
                seed: vec![0.8, 0.6],
                ranges: Vec::new(),
                limits: 0,
                goals: vec![(a * a + b * b - 1.0, vec![a * 2.0, b * 2.0])],
                cost: (2.0 * (a * a + b * b - 1.0) - a, vec![a * 4.0 - 1.0, b * 4.0]),
            }
        });
        assert_found(&found, &[1.0, 0.0], 1e-7, 30);
        assert!((found.prices[0] + 1.5 * found.scales[0] / found.cost_scale).abs() < 1e-6, "{:?}", found.prices);
    }
}
