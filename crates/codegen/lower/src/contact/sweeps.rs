//! The impulses of one step: each point in turn gets what its own law wants, given what all others do, until nothing changes any more.
//!
//! Points speak to one another through the twists of their frames, which follow every change at once. So no matrix of all points is needed, and
//! memory grows with their number. Where nothing changes, every point has Coulomb's law with its round cone: along the normal
//! 0 ≤ p ⊥ u + e u⁻ ≥ 0, across it the impulse that ends slip, or the largest one against the slip that is left.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};
use numerics::contact::Plain;

use super::Touching;
use super::answers::Answers;
use crate::lower::Lowering;

/// So many sweeps at most.
const MOST_SWEEPS: i64 = 200;
/// Changes smaller than this part of the largest impulse are none: what a step of any useful length leaves is more by far, and where things rest, each
/// step goes on with what the last one found.
const CONVERGED: f64 = 1e-7;
/// A row that answers so little, relative to what it would by itself, depends on the rows before it.
const RANK: f64 = 1e-10;
/// How often sliding is bettered at one visit; the next sweep goes on with it.
const TURNS: i64 = 2;
/// Work on the bodies that counts as none, relative to what impulses and speeds make of it.
const NO_WORK: f64 = 1e-9;

/// What is known of each point while impulses are found.
#[derive(Clone, Copy)]
struct Each {
    /// How the three rows answer to its own impulse: nine numbers.
    own: ArrayId,
    /// What ends all motion by its own impulse, as [`Factors`] has it.
    factors: ArrayId,
    /// Arms × directions, for each side and row: eighteen numbers.
    turning: ArrayId,
    /// What an impulse on each row adds to the twists of both frames: for each side and row six numbers.
    effect: ArrayId,
    /// The speed along the normal with which it has to part.
    parting: ArrayId,
    friction: ArrayId,
    /// What the last sweep added to its impulse, and in which direction sweeps are carried on: three numbers.
    added: ArrayId,
    onward: ArrayId,
}

#[derive(Clone, Copy)]
pub(crate) struct Sweeps {
    /// `(count) -> (integer, integer)`: finds the impulses on all rows, in `force`, from those that stand there, and moves the twists of all
    /// frames by them; how many sweeps it took, and whether that was not enough.
    pub solve: FunctionId,
}

impl<'p> Lowering<'p> {
    /// `before` has the twists at the beginning of the step, and `approach` is for how fast points close there.
    pub fn contact_sweeps(&mut self, touching: &Touching, answers: Answers, before: [ArrayId; 2]) -> Sweeps {
        let capacity = touching.capacity;
        let module = &mut self.module;
        let mut reals =
            |name: &str, each: usize, note: &str| module.real_array(&format!("contact_{name}"), each * capacity, note);
        let each = Each {
            own: reals("own", 9, "how the rows of each point answer to its own impulse"),
            factors: reals("factors", Factors::COUNT, "how the impulse that ends all motion of a point is found"),
            turning: reals("turning", 18, "arms times directions of each point, on both sides"),
            effect: reals("effect", 36, "what impulses on each point add to the twists of both frames"),
            parting: reals("parting_speed", 1, "how fast each point has to part"),
            friction: reals("rough", 1, "friction of each point"),
            added: reals("added", 3, "what the last sweep added to the impulse of each point"),
            onward: reals("onward", 3, "the direction in which sweeps are carried on"),
        };
        let mut twists = |name: &str, note: &str| module.real_array(name, 6 * touching.frames, note);
        let twists = Twists {
            free: twists("contact_free_twist", "twists without impulses"),
            began: twists("contact_began_twist", "twists where the sweep began"),
            onward: twists("contact_onward_twist", "what the direction in which sweeps are carried on adds to twists"),
        };
        let prepare = prepare(module, touching, answers, each, before);
        let one = one_point(module, touching, each);
        let sweep = sweep(module, touching, answers, each, one);
        let carry = carry_on(module, touching, each, twists);
        let work = work(module, touching, each);
        Sweeps { solve: solve(module, touching, each, twists, [prepare, sweep, carry, work]) }
    }
}

/// Twists of all frames that are remembered.
#[derive(Clone, Copy)]
struct Twists {
    free: ArrayId,
    began: ArrayId,
    onward: ArrayId,
}

/// `(count) -> (integer, integer)`: sweeps until nothing changes. Where restitution would add energy, which it can where friction turns slip round, the
/// step is taken without restitution.
fn solve(
    module: &mut ModuleBuilder,
    touching: &Touching,
    each: Each,
    twists: Twists,
    [prepare, sweep, carry, work]: [FunctionId; 4],
) -> FunctionId {
    let (twist, force, numbers) = (touching.bodies.twist, touching.arrays.force, 6 * touching.frames);
    let solve = module.function("contact_solve_step", &[("count", Integer)], &[Integer, Integer], |f| {
        let [count] = f.parameters();
        f.for_each("i", 0, numbers, |f, i| f.store(twists.free, i, twist.at(i)));
        let bounces = f.call1(prepare, count);
        let (sweeps, failed) = (f.integer("sweeps", 0), f.integer("failed", 1));
        f.for_each("trial", 0, 2, |f, _| {
            f.assign(failed, 1);
            let before = f.real("before", 0.0);
            f.for_each("i", 0, count * 3, |f, i| f.store(each.onward, i, 0.0));
            f.for_each("i", 0, numbers, |f, i| f.store(twists.onward, i, 0.0));
            f.for_each("sweep", 0, MOST_SWEEPS, |f, _| {
                f.for_each("i", 0, numbers, |f, i| f.store(twists.began, i, twist.at(i)));
                let [change, largest, square] = f.call_n(sweep, count);
                f.assign(sweeps, sweeps + 1);
                f.if_(change.le(largest * CONVERGED), |f| {
                    f.assign(failed, 0);
                    f.break_();
                });
                f.note("Where sweeps add less and less, they are carried on.");
                let share = f.real("share", before.gt(0.0).and(square.le(before)).select(square / before, 0.0));
                f.call(carry, (count, share));
                f.assign(before, square);
            });
            f.if_(bounces.eq_(0), |f| f.break_());
            let gained = f.call1(work, count);
            f.if_(gained.eq_(0), |f| f.break_());
            f.assign(bounces, 0);
            f.for_each("i", 0, numbers, |f, i| f.store(twist, i, twists.free.at(i)));
            f.for_each("i", 0, count, |f, i| f.store(each.parting, i, 0.0));
            f.for_each("i", 0, count * 3, |f, i| f.store(force, i, 0.0));
        });
        f.return_((sweeps, failed));
    });
    module.describe(solve, "Finds the impulses of a step.");
    solve
}

/// `(count) -> integer`: what does not change from sweep to sweep, and the twists with the impulses to begin with; whether anything bounces.
fn prepare(
    module: &mut ModuleBuilder,
    touching: &Touching,
    answers: Answers,
    each: Each,
    [before, approaches]: [ArrayId; 2],
) -> FunctionId {
    let touching = *touching;
    let (arrays, tables, points) = (touching.arrays, touching.tables, touching.points);
    let prepare = module.function("contact_prepare_step", &[("count", Integer)], &[Integer], |f| {
        let [count] = f.parameters();
        let bounces = f.integer("bounces", 0);
        f.for_each("i", 0, count, |f, i| {
            let frames = [0, 1].map(|side| touching.frame_of(f, i, side));
            let arms = [0, 1].map(|side| touching.arm(f, i, side));
            f.for_each("row", 0, 3, |f, row| {
                let along = touching.direction(f, i, row);
                let turns = [0, 1].map(|side| {
                    let turning = arms[side].cross(&along).keep(f, "turning");
                    turning.store(f, each.turning, i * 18 + row * 3 + 9 * side as i64);
                    turning
                });
                let push = |side: usize| {
                    let sign = if side == 0 { -1.0 } else { 1.0 };
                    let parts = along.0.iter().chain(&turns[side].0);
                    let parts: Vec<Expression> = parts.map(|part| part.clone() * sign).collect();
                    <[Expression; 6]>::try_from(parts).expect("six parts")
                };
                let places = [0, 1].map(|side| f.integer("place", i * 36 + row * 6 + 18 * side));
                answers.both(f, frames, &[push(0), push(1)], each.effect, places);
            });
            f.for_each("row", 0, 3, |f, row| {
                f.for_each("column", 0, 3, |f, column| {
                    let effects = [0, 1].map(|side| effect(f, each, i, side, column));
                    let answer = relative(f, &touching, each, i, row, effects);
                    f.store(each.own, i * 9 + row * 3 + column, answer);
                });
            });
            for (at, factor) in Factors::of(f, each, i).all().into_iter().enumerate() {
                f.store(each.factors, i * Factors::COUNT + at, factor);
            }
            let of = f.integer("of", tables.of.at(points.pair.at(i)));
            f.store(each.friction, i, arrays.friction.at(of));
            let twists = frames.map(|frame| twist(f, before, frame));
            let before = relative(f, &touching, each, i, 0, twists);
            f.store(approaches, i, -before.get());
            let parting = f.real("parting", (arrays.restitution.at(of) * -before.get()).max(0.0));
            f.store(each.parting, i, parting);
            f.assign(bounces, bounces.or(parting.gt(0.0)));
            add_impulse(f, &touching, answers, each, i, [0, 1, 2].map(|row| arrays.force.at(i * 3 + row)));
        });
        f.return_(bounces);
    });
    module.describe(prepare, "What does not change while the impulses of a step are found.");
    prepare
}

/// Velocity and angular velocity of a frame.
fn twist(f: &mut FunctionBuilder, twists: ArrayId, frame: LocalId) -> [Plain; 2] {
    [0, 3].map(|part| Plain::load(f, "twist", twists, frame * 6 + part))
}

/// What an impulse on a row adds to the twist of the frame on one side.
fn effect(f: &mut FunctionBuilder, each: Each, i: LocalId, side: i64, row: impl Into<Expression>) -> [Plain; 2] {
    let first = f.integer("first", i * 36 + row.into() * 6 + 18 * side);
    [0, 3].map(|part| Plain::load(f, "effect", each.effect, first + part))
}

/// The speed of a row of a point where its frames have these twists.
fn relative(
    f: &mut FunctionBuilder,
    touching: &Touching,
    each: Each,
    i: LocalId,
    row: impl Into<Expression>,
    [first, second]: [[Plain; 2]; 2],
) -> LocalId {
    let row = f.integer("row", row);
    let along = touching.direction(f, i, row);
    let turning = [0, 1].map(|side| Plain::load(f, "turning", each.turning, i * 18 + row * 3 + 9 * side));
    let line = along.dot(&(second[0].clone() - first[0].clone()));
    f.real("speed", line + turning[1].dot(&second[1]) - turning[0].dot(&first[1]))
}

/// Moves the twists by an impulse on a point.
fn add_impulse(
    f: &mut FunctionBuilder,
    touching: &Touching,
    answers: Answers,
    each: Each,
    i: LocalId,
    impulse: [Expression; 3],
) {
    let twists = touching.bodies.twist;
    let impulse = impulse.map(|part| f.real("impulse", part));
    let frames = [0, 1].map(|side| touching.frame_of(f, i, side));
    for (side, frame) in frames.into_iter().enumerate() {
        f.if_(answers.group.at(frame).ge(0), |f| {
            let first = f.integer("first", i * 36 + 18 * side as i64);
            let place = f.integer("place", frame * 6);
            for axis in 0..6 {
                let parts = [0, 1, 2].map(|row| each.effect.at(first + (6 * row + axis)) * impulse[row as usize]);
                let [normal, along, across] = parts;
                f.store(twists, place + axis, twists.at(place + axis) + normal + along + across);
            }
        });
    }
    if answers.is_joined {
        let directions = [0, 1, 2].map(|row| touching.direction(f, i, row).times(impulse[row as usize]));
        let [normal, along, across] = directions;
        let force = (normal + along + across).keep(f, "force");
        let pushes = [0, 1].map(|side| {
            let force = if side == 0 { -force.clone() } else { force.clone() };
            let moment = touching.arm(f, i, side).cross(&force).keep(f, "moment");
            let parts: Vec<Expression> = force.0.into_iter().chain(moment.0).collect();
            <[Expression; 6]>::try_from(parts).expect("six parts")
        });
        answers.others(f, frames, &pushes, twists);
    }
}

/// `(count) -> (real, real, real)`: goes once through all points; the largest change of an impulse, the largest impulse, and the sum of the
/// squares of all changes.
fn sweep(module: &mut ModuleBuilder, touching: &Touching, answers: Answers, each: Each, one: FunctionId) -> FunctionId {
    let touching = *touching;
    let force = touching.arrays.force;
    let sweep = module.function("contact_sweep", &[("count", Integer)], &[Real; 3], |f| {
        let [count] = f.parameters();
        let (change, largest) = (f.real("change", 0.0), f.real("largest", 0.0));
        let square = f.real("square", 0.0);
        f.for_each("i", 0, count, |f, i| {
            let frames = [0, 1].map(|side| touching.frame_of(f, i, side));
            let twists = frames.map(|frame| twist(f, touching.bodies.twist, frame));
            let old = [0, 1, 2].map(|row| f.real("old", force.at(i * 3 + row)));
            let without = [0, 1, 2].map(|row| {
                let speed = relative(f, &touching, each, i, row, twists.clone());
                let own = |column: i64| each.own.at(i * 9 + (3 * row + column)) * old[column as usize];
                f.real("without", speed - (own(0) + own(1) + own(2)))
            });
            let [b, b_1, b_2] = without;
            let b = f.real("b", b - each.parting.at(i));
            let new: [LocalId; 3] = f.call_n(one, (i, b, b_1, b_2));
            let differences = [0, 1, 2].map(|row: usize| f.real("difference", new[row] - old[row]));
            let size = differences.iter().map(|part| part.abs()).reduce(|a, b| a.max(b)).expect("three rows");
            let size = f.real("size", size);
            for (row, &difference) in differences.iter().enumerate() {
                f.store(each.added, i * 3 + row as i64, difference);
                f.increase(square, difference * difference);
            }
            f.if_(size.gt(0.0), |f| {
                f.assign(change, change.max(size));
                (0..3).for_each(|row| f.store(force, i * 3 + row as i64, new[row]));
                add_impulse(f, &touching, answers, each, i, differences.map(Term::get));
            });
            f.assign(largest, largest.max(new[0]));
        });
        f.return_((change, largest, square));
    });
    module.describe(sweep, "Goes once through all points.");
    sweep
}

/// `(count, share)`: carries the last sweep on along the direction of those before it, as conjugate gradients do (Silcowitz-Hansen, Niebuhr and
/// Erleben, *The Visual Computer* 26, 2010). The next sweep puts right what leaves a cone by that. What the direction does to twists is known from
/// what sweeps did to them, so no point has to be asked.
fn carry_on(module: &mut ModuleBuilder, touching: &Touching, each: Each, twists: Twists) -> FunctionId {
    let (force, twist, numbers) = (touching.arrays.force, touching.bodies.twist, 6 * touching.frames);
    let carry = module.function("contact_carry_on", &[("count", Integer), ("share", Real)], &[], |f| {
        let [count, share] = f.parameters();
        f.for_each("i", 0, count * 3, |f, i| {
            let extra = f.real("extra", share * each.onward.at(i));
            f.store(force, i, force.at(i) + extra);
            f.store(each.onward, i, extra + each.added.at(i));
        });
        f.for_each("i", 0, numbers, |f, i| {
            let extra = f.real("extra", share * twists.onward.at(i));
            f.store(twists.onward, i, extra + (twist.at(i) - twists.began.at(i)));
            f.store(twist, i, twist.at(i) + extra);
        });
    });
    module.describe(carry, "Carries the last sweep on along the direction of those before it.");
    carry
}

/// `(i, b, b_1, b_2) -> (p, p_1, p_2)`: the impulse of one point whose rows would have these speeds without it.
fn one_point(module: &mut ModuleBuilder, touching: &Touching, each: Each) -> FunctionId {
    let force = touching.arrays.force;
    let parameters = [("i", Integer), ("b", Real), ("b_1", Real), ("b_2", Real)];
    let one = module.function("contact_one_point", &parameters, &[Real; 3], |f| {
        let [i, b, b_1, b_2] = f.parameters();
        let factors = Factors::load(f, each, i);
        let Factors { inverse, l_1, l_2, inverse_1, l_12, inverse_2, stiff } = factors;
        let friction = f.real("friction", each.friction.at(i));
        f.note("What parts by itself has no impulse, and what cannot be moved takes none.");
        f.if_(b.ge(0.0).or(inverse.eq_(0.0)), |f| f.return_((0.0, 0.0, 0.0)));
        f.if_(friction.le(0.0), |f| f.return_((-(b * inverse), 0.0, 0.0)));
        f.note("The impulse that ends all motion, if friction can exert it.");
        let c_1 = f.real("c_1", b_1 - l_1 * b);
        let c_2 = f.real("c_2", b_2 - l_2 * b - l_12 * c_1);
        let p_2 = f.real("p_2", -(c_2 * inverse_2));
        let p_1 = f.real("p_1", -(c_1 * inverse_1) - l_12 * p_2);
        let p = f.real("p", -(b * inverse) - l_1 * p_1 - l_2 * p_2);
        let most = f.real("most", friction * p);
        let within = (p_1 * p_1 + p_2 * p_2).le(most * most);
        f.if_(p.ge(0.0).and(within), |f| f.return_((p, p_1, p_2)));
        f.note("It slides: towards the impulse against the slip that is left.");
        let entry =
            |f: &mut FunctionBuilder, row: i64, column: i64| f.real("answer", each.own.at(i * 9 + (3 * row + column)));
        let [n1, n2, w11, w12, w22] =
            [(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map(|(row, column)| entry(f, row, column));
        f.assign(p_1, force.at(i * 3 + 1));
        f.assign(p_2, force.at(i * 3 + 2));
        f.for_each("turn", 0, TURNS, |f, _| {
            f.assign(p, (-((b + n1 * p_1 + n2 * p_2) * inverse)).max(0.0));
            f.assign(c_1, p_1 - (b_1 + n1 * p + w11 * p_1 + w12 * p_2) * stiff);
            f.assign(c_2, p_2 - (b_2 + n2 * p + w12 * p_1 + w22 * p_2) * stiff);
            f.assign(most, friction * p);
            let square = f.real("square", c_1 * c_1 + c_2 * c_2);
            f.if_(square.gt(most * most), |f| {
                let share = f.real("share", most / square.sqrt());
                f.assign(c_1, c_1 * share);
                f.assign(c_2, c_2 * share);
            });
            f.assign(p_1, c_1);
            f.assign(p_2, c_2);
        });
        f.return_((p, p_1, p_2));
    });
    module.describe(one, "The impulse of one point, given what all others do.");
    one
}

/// The elimination of a point's rows, normal first, and a step that is short enough for sliding. Inverse pivots are 0 where a row depends on those
/// before it: nothing is exerted along it.
#[derive(Clone, Copy)]
struct Factors {
    inverse: LocalId,
    l_1: LocalId,
    l_2: LocalId,
    inverse_1: LocalId,
    l_12: LocalId,
    inverse_2: LocalId,
    stiff: LocalId,
}

impl Factors {
    const COUNT: usize = 7;

    fn all(self) -> [LocalId; Factors::COUNT] {
        [self.inverse, self.l_1, self.l_2, self.inverse_1, self.l_12, self.inverse_2, self.stiff]
    }

    fn load(f: &mut FunctionBuilder, each: Each, i: LocalId) -> Factors {
        let first = f.integer("first", i * Factors::COUNT);
        let factor = |at: i64| each.factors.at(first + at);
        let names = ["inverse", "l_1", "l_2", "inverse_1", "l_12", "inverse_2", "stiff"];
        let mut at = 0;
        let [inverse, l_1, l_2, inverse_1, l_12, inverse_2, stiff] = names.map(|name| {
            at += 1;
            f.real(name, factor(at - 1))
        });
        Factors { inverse, l_1, l_2, inverse_1, l_12, inverse_2, stiff }
    }

    /// Of the answers of a point.
    fn of(f: &mut FunctionBuilder, each: Each, i: LocalId) -> Factors {
        let entry =
            |f: &mut FunctionBuilder, row: i64, column: i64| f.real("answer", each.own.at(i * 9 + (3 * row + column)));
        let [nn, n1, n2] = [0, 1, 2].map(|column| entry(f, 0, column));
        let [w11, w12, w22] = [(1, 1), (1, 2), (2, 2)].map(|(row, column)| entry(f, row, column));
        let inverse_of = |f: &mut FunctionBuilder, pivot: LocalId, size: LocalId| {
            f.real("inverse", pivot.gt(size * RANK).select(1.0 / pivot.get(), 0.0))
        };
        let inverse = inverse_of(f, nn, nn);
        let (l_1, l_2) = (f.real("l_1", n1 * inverse), f.real("l_2", n2 * inverse));
        let d_1 = f.real("d_1", w11 - l_1 * n1);
        let inverse_1 = inverse_of(f, d_1, w11);
        let l_12 = f.real("l_12", (w12 - l_1 * n2) * inverse_1);
        let d_2 = f.real("d_2", w22 - l_2 * n2 - l_12 * l_12 * d_1);
        let inverse_2 = inverse_of(f, d_2, w22);
        let both = f.real("both", w11 + w22);
        let stiff = inverse_of(f, both, both);
        Factors { inverse, l_1, l_2, inverse_1, l_12, inverse_2, stiff }
    }
}

/// `(count) -> integer`: whether the impulses have added to the kinetic energy: they act on the mean of the speeds before and after.
fn work(module: &mut ModuleBuilder, touching: &Touching, each: Each) -> FunctionId {
    let touching = *touching;
    let (force, speed) = (touching.arrays.force, touching.arrays.speed);
    let work = module.function("contact_work", &[("count", Integer)], &[Integer], |f| {
        let [count] = f.parameters();
        let (done, size) = (f.real("done", 0.0), f.real("size", 0.0));
        f.for_each("i", 0, count, |f, i| {
            let frames = [0, 1].map(|side| touching.frame_of(f, i, side));
            let twists = frames.map(|frame| twist(f, touching.bodies.twist, frame));
            for row in 0..3 {
                let after = relative(f, &touching, each, i, row, twists.clone());
                let part = f.real("part", force.at(i * 3 + row) * (after + speed.at(i * 3 + row)));
                f.increase(done, part);
                f.increase(size, part.abs());
            }
        });
        f.return_(done.gt(size * NO_WORK));
    });
    module.describe(work, "Whether impulses have added energy.");
    work
}
