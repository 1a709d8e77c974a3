//! Forces and impulses of points that touch: 0 ≤ N ⊥ w_n ≥ 0 with Coulomb's friction, w = W f + b.
//!
//! Methods only propose; a proposal counts when the conditions themselves hold (`check.rs`). The order of proposals is part of the law, because friction may
//! allow several solutions: all that touch hold, and all that do not slip stick, with the least forces within the cones; a single point by itself
//! (`one.rs`); the states at the end of a path of smooth problems (`path.rs`), then of paths of convex ones; those at which sweeps over the
//! points arrive (`sweeps.rs`); and for few points all states there are (`states.rs`).

mod check;
mod impact;
mod least;
mod one;
mod path;
mod refine;
mod rows;
mod settle;
mod states;
mod sweeps;
mod turn;
mod within;

mod elimination;
mod triangle;

use check::Check;
use elimination::Elimination;
use impact::Impact;
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};
use least::Least;
use one::One;
use path::Path;
use refine::Refine;
use rows::{CONE, LINE, NONE, Rows, TURN};
use settle::{BOUNDED, FAILED, Settle, WITHIN};
use states::{FEW, States};
use sweeps::Sweeps;
use triangle::Triangle;
use turn::Turn;
use within::Within;

/// The points that touch. Each has three rows: its normal, and its first and second tangent; row 3 i + k belongs to point i.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case, reason = "the matrix has its name from the literature")]
pub struct Coulomb {
    pub capacity: usize,
    /// The response of each row to a unit force on each, row by row, with 3 · capacity columns. Symmetric and positive semidefinite.
    pub W: ArrayId,
    /// The rows without forces: accelerations, or velocities before an impact.
    pub b: ArrayId,
    /// One number: what `b` may be off by, since it comes of larger terms that cancel.
    pub noise: ArrayId,
    /// The coefficient of friction of each point.
    pub friction: ArrayId,
    /// 1 for each point that slips in a known direction: its friction is −μ N d. 2 for one that has only begun to slip along d: `hold` finds friction
    /// besides, across d, that lets it slip nowhere else.
    pub slips: ArrayId,
    /// The direction of slip d in the two tangents, of length one; given where it is known, found where slip begins.
    pub direction: ArrayId,
    /// Found: the forces.
    pub force: ArrayId,
    /// Found: W f + b.
    pub result: ArrayId,
    /// Found, and given to `hold`: 0 open, 2 sliding, 3 sticking. Where forces are not determined, and inequalities decide which are the least,
    /// 1 is a sliding point that is held without a force, and 4 a sticking one at the edge of its cone, or without a force: `hold` keeps all forces in
    /// their cones if there are such points.
    pub state: ArrayId,
}

/// What finds forces. All take the count of points.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    /// `(count) -> integer`: the forces at given accelerations. 1 if none were found.
    pub solve: FunctionId,
    /// `(count) -> integer`: the impulses at given velocities, with restitution. Where nothing approaches there are none. 1 if none were found, 2 if they
    /// were with less restitution, because energy would have risen.
    pub impact: FunctionId,
    /// `(count) -> real`: the least forces for given states, without inequalities but for those of the states 1 and 4. By how much they do not hold,
    /// relative to what rounding and the tolerance allow: not positive if they do.
    pub hold: FunctionId,
    /// The part of restitution with which the last impact was solved.
    pub limited: ArrayId,
    /// How many equations of the last solution were more than determine its forces.
    pub spare: ArrayId,
}

/// States of points.
const OPEN: i64 = 0;
const TOUCHING: i64 = 1;
const SLIDING: i64 = 2;
const STICKING: i64 = 3;
const AT_THE_EDGE: i64 = 4;

/// What `slips` is of a point that has only begun to slip.
pub const BEGINS: i64 = 2;

/// Rows that are held may be off by this part of what is given: they drift apart by the tolerance of a run.
const HELD: f64 = 1e-6;

/// Where paths begin, in relation to what is given: well above the forces, so that all of them are far inside of their cones.
const BEGIN: f64 = 1e2;

/// How often rates of slip are taken as known in convex problems.
const ROUNDS: usize = 40;

/// After so many sweeps, each time, states are proposed.
const SWEEPS: [i64; 5] = [10, 30, 100, 300, 600];

struct Template {
    arrays: Coulomb,
    rows: Rows,
    least: Least,
    within: Within,
    path: Path,
    one: One,
    states: States,
    sweeps: Sweeps,
    turn: Turn,
    settle: FunctionId,
    check: Check,
    /// Forces after sweeps, and the numbers of sweeps.
    swept: ArrayId,
    times: ArrayId,
    conclude: FunctionId,
    attempt: FunctionId,
}

pub fn coulomb(module: &mut ModuleBuilder, name: &str, arrays: &Coulomb, restitution: ArrayId) -> Solver {
    let named = |what: &str| format!("{name}_{what}");
    let rows = Rows::declare(module, name, *arrays);
    let least = Least::declare(module, name, rows);
    let triangle = Triangle::declare(module, name, rows);
    let elimination = Elimination::declare(module, name, rows, triangle.matrix, triangle.right);
    let count = [("count", Integer)];
    let check = Check::declare(module, name, rows);
    let within = Within::declare(module, name, rows, least, triangle);
    let refine = Refine::declare(module, name, (rows, least, check));
    let Settle { settle, spare, .. } = Settle::declare(module, name, rows, (least, within, refine));
    let one = One::declare(module, name, rows);
    let template = Template {
        arrays: *arrays,
        rows,
        least,
        within,
        path: Path::declare(module, name, rows, elimination),
        states: States::declare(module, name, rows, &one),
        sweeps: Sweeps::declare(module, name, rows, &one),
        one,
        settle,
        turn: Turn::declare(module, name, (rows, least, check), settle),
        check,
        swept: module.real_array(&named("swept"), rows.stride, "forces after sweeps"),
        times: module.integers(&named("times"), &SWEEPS, "numbers of sweeps"),
        conclude: module.declare(&named("conclude"), &count, &[Integer]),
        attempt: module.declare(&named("attempt"), &[("count", Integer), ("opens", Integer)], &[Integer]),
    };
    module.describe(template.conclude, "Settles, checks and states: 0 if it is a solution.");
    module.define(template.conclude, |f| template.conclude(f));
    module.describe(template.attempt, "Proposals in their order, until one is a solution.");
    module.define(template.attempt, |f| template.attempt(f));
    let impact = Impact::declare(module, name, rows, template.attempt, restitution);
    let solver = Solver {
        solve: module.declare(&named("solve"), &count, &[Integer]),
        impact: impact.impact,
        hold: module.declare(&named("hold"), &count, &[Real]),
        limited: impact.limited,
        spare,
    };
    module.describe(solver.solve, "Forces at given accelerations: 0, or 1 if none were found.");
    module.define(solver.solve, |f| template.solve(f));
    module.describe(solver.hold, "The least forces for given states; positive if they do not hold.");
    module.define(solver.hold, |f| template.hold(f));
    solver
}

impl Template {
    fn solve(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        self.rows.give(f, count);
        let status = f.call1(self.attempt, (count, 0));
        f.return_(status);
    }

    fn hold(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        self.rows.give(f, count);
        let bounded = f.integer("bounded", 0);
        f.for_each("i", 0, count, |f, i| {
            let state = f.integer("state", self.arrays.state.at(i));
            f.store(self.rows.kind, i, state.ge(STICKING).select(CONE, state.ge(TOUCHING).select(LINE, NONE)));
            f.assign(bounded, bounded.or(state.eq_(TOUCHING)).or(state.eq_(AT_THE_EDGE)));
        });
        f.for_each("i", 0, count, |f, i| {
            let begins = self.arrays.slips.at(i).eq_(BEGINS).and(self.arrays.friction.at(i).gt(0.0));
            let turns = self.arrays.state.at(i).eq_(SLIDING).and(begins).and(bounded.logical_not());
            f.if_(turns, |f| {
                f.store(self.rows.kind, i, TURN);
                f.store(self.rows.stiffness, i, 0.0);
            });
        });
        let size = f.call1(self.rows.assemble, count);
        let rank = f.call1(self.least.solve, size);
        f.if_(bounded, |f| drop(f.call(self.within.solve, (count, size, rank))));
        f.call(self.rows.spread, count);
        f.call(self.rows.respond, count);
        let largest = f.real("largest", 0.0);
        f.for_each("i", 0, count * 3, |f, i| f.assign(largest, self.arrays.b.at(i).abs().max(largest)));
        let off = f.real("off", 0.0);
        let all = f.real("all", 0.0);
        f.for_each("j", 0, size, |f, j| {
            let left = self.rows.of_equation(f, j, self.arrays.result);
            let own = f.real("own", left.abs());
            f.assign(off, own.max(off));
            f.increase(all, own);
        });
        // A largest number passes over what is not a number; a sum does not.
        f.if_(all.lt(f64::INFINITY).logical_not(), |f| f.return_(f64::INFINITY));
        let allowed = (largest * HELD + self.arrays.noise.at(0)).max(f64::MIN_POSITIVE);
        f.return_(off / allowed - 1.0);
    }

    fn conclude(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        f.call(self.turn.turn, count);
        let answer = f.call1(self.settle, count);
        f.if_(answer.eq_(FAILED), |f| f.return_(1));
        let status = f.call1(self.check.check, count);
        f.if_(status.ne_(0), |f| f.return_(1));
        f.call(self.rows.respond, count);
        f.for_each("i", 0, count, |f, i| {
            let kind = f.integer("kind", self.rows.kind.at(i));
            let state = f.integer("state", kind.eq_(CONE).select(STICKING, kind.eq_(LINE).select(SLIDING, OPEN)));
            f.if_(answer.eq_(BOUNDED).and(kind.ne_(NONE)), |f| {
                let [normal, t1, t2] = [0, 1, 2].map(|k| f.real("force", self.arrays.force.at(i * 3 + k)));
                let most = self.arrays.friction.at(i) * normal * (1.0 - WITHIN);
                let at_the_edge = f.integer("at_the_edge", (t1 * t1 + t2 * t2).sqrt().ge(most));
                f.if_(kind.eq_(CONE).and(at_the_edge), |f| f.assign(state, AT_THE_EDGE));
                f.if_(kind.eq_(LINE).and(normal.le(0.0)), |f| f.assign(state, TOUCHING));
            });
            f.store(self.arrays.state, i, state);
        });
        f.return_(0);
    }

    fn attempt(&self, f: &mut FunctionBuilder) {
        let [count, opens] = f.parameters();
        // What is not pushed together needs no force. Only forces that let points stick may hold what would part, and no impulse does.
        let parts = f.integer("parts", 1);
        let known = f.integer("known", 1);
        f.for_each("i", 0, count, |f, i| {
            let given = f.real("given", self.rows.given.at(i * 3));
            f.assign(parts, parts.and(given.gt(0.0).or(opens.and(given.ge(0.0)))));
            f.assign(known, known.and(self.rows.is_round(i).logical_not()));
        });
        f.if_(parts.and(known.or(opens)), |f| {
            self.all_are(f, count, |_| NONE.into());
            self.accept(f, count);
        });
        self.all_are(f, count, |i| self.rows.kind_of_holding(i));
        self.accept(f, count);
        self.all_are(f, count, |_| NONE.into());
        self.accept(f, count);
        f.if_(count.eq_(1).and(known.logical_not()), |f| {
            let slides = f.call1(self.one.slide, 0);
            f.store(self.rows.kind, 0, slides.select(LINE, NONE));
            self.accept(f, count);
        });
        self.all_are(f, count, |i| self.rows.kind_of_holding(i));
        f.call(self.path.follow, (count, 0, 0.0, BEGIN));
        self.accept(f, count);
        f.if_(known.logical_not(), |f| self.attempt_convex(f, count));
        self.attempt_sweeps(f, count);
        f.if_(count.le(FEW as i64), |f| {
            f.call(self.states.begin, count);
            let more = f.integer("more", 1);
            f.while_(more, |f| {
                self.accept(f, count);
                f.call_into(&[more], self.states.next, count);
            });
        });
        self.all_are(f, count, |_| NONE.into());
        f.call(self.rows.spread, count);
        f.return_(1);
    }

    /// Takes the rates of slip as known, so that each problem is convex, and its solution for the next rates.
    fn attempt_convex(&self, f: &mut FunctionBuilder, count: LocalId) {
        f.for_each("i", 0, count, |f, i| f.store(self.path.slip, i, 0.0));
        let relax = f.real("relax", 1.0);
        let begin = f.real("begin", 1e-2);
        f.for_each("round", 0, ROUNDS, |f, round| {
            f.assign(relax, round.lt(20).select(1.0, 0.5));
            self.all_are(f, count, |i| self.rows.kind_of_holding(i));
            f.call(self.path.follow, (count, 1, relax, BEGIN));
            self.accept(f, count);
            self.all_are(f, count, |i| self.rows.kind_of_holding(i));
            f.call(self.path.follow, (count, 0, 0.0, begin));
            self.accept(f, count);
            f.assign(begin, begin.gt(1e-6).select(begin * 0.1, 0.5));
        });
    }

    /// Proposes the states at which one point after the other arrives.
    fn attempt_sweeps(&self, f: &mut FunctionBuilder, count: LocalId) {
        f.for_each("i", 0, count * 3, |f, i| f.store(self.swept, i, 0.0));
        f.for_each("round", 0, SWEEPS.len(), |f, round| {
            f.for_each("i", 0, count * 3, |f, i| f.store(self.arrays.force, i, self.swept.at(i)));
            f.call(self.sweeps.sweep, (count, self.times.at(round)));
            f.for_each("i", 0, count * 3, |f, i| f.store(self.swept, i, self.arrays.force.at(i)));
            self.accept(f, count);
        });
    }

    fn all_are(&self, f: &mut FunctionBuilder, count: LocalId, kind: impl Fn(LocalId) -> kernel::Expression) {
        f.for_each("i", 0, count, |f, i| f.store(self.rows.kind, i, kind(i)));
    }

    /// Returns if the kinds, as they are now, make a solution.
    fn accept(&self, f: &mut FunctionBuilder, count: LocalId) {
        let status = f.call1(self.conclude, count);
        f.if_(status.eq_(0), |f| f.return_(0));
    }
}
