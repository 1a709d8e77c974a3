//! Which of some rows to use, where they depend on one another: as many as there are independent ones, the most independent first.
//!
//! Near a place where the rows in use become dependent another choice is as good as this one, and better from there on. Both are right,
//! so nothing has to be located: rows are exchanged between two steps, and only the forces of constraints jump.

use crate::orthogonal::{DEPENDENT, OrthogonalRows};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// The rows to choose from.
#[derive(Clone, Copy, Debug)]
pub struct RowChoiceProblem<'a> {
    pub name: &'a str,
    pub rows: usize,
    pub columns: usize,
    /// How many are in use at a time.
    pub rank: usize,
    /// For each row one or zero: whether it is in use; from the place `first` on.
    pub in_use: ArrayId,
    pub first: usize,
    /// Those that are in use before anything is chosen.
    pub preferred: &'a [bool],
}

/// The choice among some rows. Where a motion begins `begin` is called, then `is_due` and `choose`; after steps `is_due`, and `choose` if it is.
/// These two need `matrix` filled, and destroy it.
#[derive(Clone, Copy, Debug)]
pub struct RowChoice {
    /// The rows (rows × columns, row by row).
    pub matrix: ArrayId,
    /// `() -> ()`: forgets what was chosen.
    pub begin: FunctionId,
    /// `() -> integer`: whether the rows in use have come so near to depending on one another that a choice should be made.
    pub is_due: FunctionId,
    /// `() -> integer`: chooses, if that is worth it; whether rows were exchanged.
    pub choose: FunctionId,
}

/// Rows in use count for so many times as independent as they are, so that no two choices alternate.
const PREFERENCE: f64 = 4.0;

/// A choice is due where the least independent of the rows in use has lost so much of the part that was new to it, and worth it if others have
/// that much more. The first rows are those of the tree along which parts hang on one another, and keep at zero exactly what is zero.
const FALLEN: f64 = 1.0 / 16.0;

struct Template<'a> {
    problem: &'a RowChoiceProblem<'a>,
    orthogonal: OrthogonalRows,
    /// By how much the independence of each row counts.
    weight: ArrayId,
    /// The part of the least independent row in use that is new: at its best since the choice, and now.
    best: ArrayId,
}

/// Places in `best`.
const BEST: usize = 0;
const NOW: usize = 1;

pub fn row_choice(module: &mut ModuleBuilder, problem: &RowChoiceProblem) -> RowChoice {
    let name = |what: &str| format!("{}_{what}", problem.name);
    let template = Template {
        problem,
        orthogonal: OrthogonalRows::declare(module, problem.name, problem.rows, problem.columns),
        weight: module.real_array(&name("weight"), problem.rows, "by how much the independence of a row counts"),
        best: module.real_array(&name("best"), 2, "new part of the least independent row: since the choice, now"),
    };
    let pick = module.declare(&name("pick"), &[("used", Real), ("unused", Real)], &[Real]);
    module.describe(pick, "Orders the rows, weighted by whether they are in use; how much of the last is new.");
    module.define(pick, |f| template.pick(f));
    let preferred: Vec<f64> = problem.preferred.iter().map(|&preferred| f64::from(u8::from(preferred))).collect();
    let preferred = module.reals(&name("preferred"), &preferred, "1 for each row that is in use at first");
    let begin = module.function(&name("begin"), &[], &[], |f| {
        f.for_each("i", 0, problem.rows, |f, i| f.store(problem.in_use, i + problem.first, preferred.at(i)));
        f.store(template.best, BEST, 0.0);
    });
    let choose = module.declare(&name("choose"), &[], &[Integer]);
    module.describe(choose, "Chooses rows to use: whether any were exchanged.");
    module.define(choose, |f| {
        let least = f.call1(pick, (PREFERENCE, 1.0));
        f.if_(template.best.at(NOW).ge(least * FALLEN), |f| f.return_(0));
        f.store(template.best, BEST, least);
        template.exchange(f);
    });
    let is_due = module.declare(&name("is_due"), &[], &[Integer]);
    module.describe(is_due, "Whether the rows in use come near to depending on one another.");
    module.define(is_due, |f| {
        let least = f.call1(pick, (1.0, 0.0));
        f.store(template.best, NOW, least);
        f.store(template.best, BEST, template.best.at(BEST).max(least));
        f.return_(least.lt(template.best.at(BEST) * FALLEN));
    });
    RowChoice { matrix: template.orthogonal.rows, begin, is_due, choose }
}

impl Template<'_> {
    fn pick(&self, f: &mut FunctionBuilder) {
        let [used, unused] = f.parameters();
        let OrthogonalRows { rows, left, basis, .. } = self.orthogonal;
        f.for_each("i", 0, self.problem.rows, |f, i| {
            let weight = f.real("counts", self.in_use(i).select(used, unused));
            f.store(self.weight, i, weight);
            let length = self.orthogonal.length(f, i);
            // Neither what has no weight nor what is zero or not a number can become a direction.
            let usable = f.integer("usable", length.gt(0.0).and(weight.gt(0.0)));
            f.store(left, i, usable.select(1.0, weight.gt(0.0).select(0.0, -1.0)));
            f.if_(usable, |f| {
                f.for_each("j", 0, self.problem.columns, |f, j| {
                    let place = f.integer("place", self.orthogonal.place(i, j));
                    f.store(rows, place, rows.at(place) / length);
                });
            });
        });
        let least = f.real("least", 1.0);
        f.for_each("k", 0, self.problem.rank, |f, k| {
            let chosen = self.orthogonal.largest(f, |i| left.at(i) * self.weight.at(i));
            f.assign(least, least.min(left.at(chosen)));
            f.store(basis, k, chosen);
            let is_new = f.integer("is_new", left.at(chosen).gt(DEPENDENT));
            f.store(left, chosen, -1.0);
            // Where nothing new is left the number still has to be right: any row will do.
            f.if_(is_new, |f| {
                self.orthogonal.make_direction(f, k, chosen);
                self.orthogonal.reduce(f, chosen);
            });
        });
        f.return_(least);
    }

    /// Uses the rows that were picked.
    fn exchange(&self, f: &mut FunctionBuilder) {
        let RowChoiceProblem { rows, rank, in_use, first, .. } = *self.problem;
        let kept = f.real("kept", 0.0);
        f.for_each("k", 0, rank, |f, k| f.increase(kept, in_use.at(self.orthogonal.basis.at(k) + first)));
        f.for_each("i", 0, rows, |f, i| f.store(in_use, i + first, 0.0));
        f.for_each("k", 0, rank, |f, k| f.store(in_use, self.orthogonal.basis.at(k) + first, 1.0));
        f.return_(kept.lt(rank as f64));
    }

    fn in_use(&self, i: LocalId) -> kernel::Expression {
        self.problem.in_use.at(i + self.problem.first).gt(0.0)
    }
}
