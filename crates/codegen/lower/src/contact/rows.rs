//! The rows of points: along the normal and two tangents, how they move, and how they answer to forces.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::contact::{MOVES, Plain, Vector};

use super::frames::Frames;
use super::{Arrays, Touching};
use crate::lower::Lowering;
use crate::search::attempt;

/// Functions of the points in the first slots, however many.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// `(count)`: normal and tangents of each point, its arms, and how it moves.
    pub find: FunctionId,
    /// `(slot)`: the same of one.
    pub one: FunctionId,
    /// `(t, count) -> integer`: how fast the speeds of all rows change without forces of contact.
    pub free: FunctionId,
    /// `(t, count) -> integer`: how all rows answer to forces on each.
    pub answer: FunctionId,
    /// `(t, number) -> integer`: how the first rows of the only point answer to forces on each of these.
    pub answer_one: FunctionId,
    /// `(count)`: the wrenches, into `push`, that the forces on rows are.
    pub gather: FunctionId,
}

impl Touching {
    /// A vector of a frame: of its pose, twist, acceleration.
    pub fn of_frame(&self, f: &mut FunctionBuilder, name: &str, from: FrameVector, frame: LocalId) -> Plain {
        let (array, size, first) = match from {
            FrameVector::Origin => (self.bodies.pose, 12, 0),
            FrameVector::Velocity => (self.bodies.twist, 6, 0),
            FrameVector::Spin => (self.bodies.twist, 6, 3),
            FrameVector::Acceleration => (self.arrays.acceleration, 6, 0),
            FrameVector::SpinUp => (self.arrays.acceleration, 6, 3),
            FrameVector::Answer => (self.arrays.response, 6, 0),
            FrameVector::AnswerSpin => (self.arrays.response, 6, 3),
        };
        Plain::load(f, name, array, frame * size + first)
    }

    /// The frame of a point's pair, on one side.
    pub fn frame_of(&self, f: &mut FunctionBuilder, slot: LocalId, side: usize) -> LocalId {
        f.integer("frame", self.tables.frame[side].at(self.points.pair.at(slot)))
    }

    /// A direction of a point: 0 the normal, 1 and 2 the tangents.
    pub fn direction(&self, f: &mut FunctionBuilder, slot: LocalId, row: impl Into<Expression>) -> Plain {
        Plain::load(f, "along", self.arrays.basis, slot * 9 + row.into() * 3)
    }

    pub fn arm(&self, f: &mut FunctionBuilder, slot: LocalId, side: usize) -> Plain {
        Plain::load(f, "arm", self.arrays.arms, slot * 6 + 3 * side)
    }
}

#[derive(Clone, Copy)]
pub(crate) enum FrameVector {
    Origin,
    Velocity,
    Spin,
    Acceleration,
    SpinUp,
    Answer,
    AnswerSpin,
}

impl<'p> Lowering<'p> {
    pub fn contact_rows(&mut self, touching: &Touching, frames: Frames) -> Rows {
        let [one, find] = self.find_rows(touching);
        let free = self.free_rows(touching, frames);
        let answer = self.answering_rows(touching, frames);
        let answer_one = self.answering_rows_of_one(touching, frames);
        let gather = self.gather_rows(touching);
        Rows { find, one, free, answer, answer_one, gather }
    }

    fn find_rows(&mut self, touching: &Touching) -> [FunctionId; 2] {
        let Touching { points, geometry, arrays, .. } = *touching;
        let Arrays { basis, arms, speed, bias, .. } = arrays;
        let one = self.module.function("contact_row", &[("i", Integer)], &[], |f| {
            let [i] = f.parameters();
            f.call(geometry.evaluate, i);
            let normal = Plain::load(f, "normal", points.normal, i * 3);
            let turning = Plain::load(f, "turning", points.normal_rate, i * 3);
            let point = Plain::load(f, "point", points.point, i * 3);
            let moving = Plain::load(f, "moving", points.point_rate, i * 3);
            f.note("Tangents follow from the normal: where that stays, they do.");
            let known = Plain::load(f, "known", basis, i * 9);
            let parts = known.0.into_iter().zip(normal.0.clone()).map(|(was, is)| was.eq_(is));
            let stays = parts.reduce(|all, same| all.and(same)).expect("three parts");
            f.if_(stays.logical_not(), |f| {
                let [first, second] = tangents(f, &normal);
                for (at, direction) in [&normal, &first, &second].into_iter().enumerate() {
                    direction.store(f, basis, i * 9 + 3 * at as i64);
                }
            });
            let [first, second] = [1, 2].map(|row: i64| Plain::load(f, "tangent", basis, i * 9 + 3 * row));
            // Of the second frame less that of the first: the velocity of its material, and what motion alone adds to its rate.
            let (slip, swept) = ([0; 3].map(|_| f.real("slip", 0.0)), [0; 3].map(|_| f.real("swept", 0.0)));
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let frame = touching.frame_of(f, i, side);
                let origin = touching.of_frame(f, "origin", FrameVector::Origin, frame);
                let arm = (point.clone() - origin).keep(f, "arm");
                arm.store(f, arms, i * 6 + 3 * side as i64);
                f.if_(touching.bodies.still.at(frame).eq_(MOVES), |f| {
                    let velocity = touching.of_frame(f, "velocity", FrameVector::Velocity, frame);
                    let spin = touching.of_frame(f, "spin", FrameVector::Spin, frame);
                    add_to(f, slip, velocity.clone() + spin.cross(&arm), sign);
                    let passing = (moving.clone() - velocity).keep(f, "passing");
                    add_to(f, swept, spin.cross(&passing), sign);
                });
            }
            let (slip, swept) = (Plain::of(&slip), Plain::of(&swept));
            for (at, direction) in [&normal, &first, &second].into_iter().enumerate() {
                f.store(speed, i * 3 + at as i64, direction.dot(&slip));
                let bent = direction.dot(&swept);
                let bent = if at == 0 { bent + turning.dot(&slip) } else { bent };
                f.store(bias, i * 3 + at as i64, bent);
            }
        });
        self.module.describe(one, "Normal and tangents of a point, its arms, and how it moves.");
        let find = self.module.function("contact_rows", &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            f.for_each("i", 0, count, |f, i| drop(f.call(one, i)));
        });
        self.module.describe(find, "Normal and tangents of points, their arms, and how they move.");
        [one, find]
    }

    fn free_rows(&mut self, touching: &Touching, frames: Frames) -> FunctionId {
        let (touching, arrays) = (*touching, touching.arrays);
        let parameters = [("t", Real), ("count", Integer)];
        let free = self.module.function("contact_free_rows", &parameters, &[Integer], |f| {
            let [t, count] = f.parameters();
            f.for_each("i", 0, 6 * touching.frames, |f, i| f.store(arrays.wrench, i, 0.0));
            attempt(f, frames.accelerate, t);
            f.for_each("i", 0, count, |f, i| {
                let relative = relative(f, &touching, i, FrameVector::Acceleration, FrameVector::SpinUp);
                for at in 0..3 {
                    let along = touching.direction(f, i, at);
                    f.store(arrays.free, i * 3 + at, along.dot(&relative) + arrays.bias.at(i * 3 + at));
                }
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(free, "How fast the speeds of rows change without forces of contact.");
        free
    }

    fn answering_rows(&mut self, touching: &Touching, frames: Frames) -> FunctionId {
        let rates = self.pushed_rates();
        let parameters = [("t", Real), ("count", Integer)];
        let by_blocks = self.answering_by_blocks(touching, frames);
        let touching = *touching;
        let answer = self.module.function("contact_answer", &parameters, &[Integer], |f| {
            let [t, count] = f.parameters();
            if let Some((by_blocks, most)) = by_blocks {
                f.if_((count * 3).gt(6 * most as i64), |f| {
                    let status = f.call1(by_blocks, (t, count));
                    f.return_(status);
                });
            }
            f.for_each("slot", 0, count, |f, slot| {
                no_push(f, &touching);
                f.for_each("row", 0, 3, |f, row| {
                    let column = push_row(f, &touching, (slot, row), (frames, t), &rates);
                    fill_column(f, &touching, column, count);
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(answer, "How rows answer to forces on rows.");
        answer
    }

    /// A single point needs no tangents where it has no friction.
    fn answering_rows_of_one(&mut self, touching: &Touching, frames: Frames) -> FunctionId {
        let rates = self.pushed_rates();
        let stride = 3 * touching.capacity as i64;
        let touching = *touching;
        let parameters = [("t", Real), ("number", Integer)];
        let answer = self.module.function("contact_answer_of_one", &parameters, &[Integer], |f| {
            let [t, number] = f.parameters();
            let slot = f.integer("slot", 0);
            no_push(f, &touching);
            f.for_each("row", 0, number, |f, row| {
                let column = push_row(f, &touching, (slot, row), (frames, t), &rates);
                let relative = relative(f, &touching, slot, FrameVector::Answer, FrameVector::AnswerSpin);
                f.for_each("at", 0, number, |f, at| {
                    let along = touching.direction(f, slot, at);
                    f.store(touching.arrays.matrix, at * stride + column, along.dot(&relative));
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(answer, "How rows of the only point answer to forces on them.");
        answer
    }

    /// `(t, count) -> integer`: the same by blocks of frames that answer to one another, where there are several; and how many frames the largest
    /// has: where rows are many, these are fewer pushes.
    fn answering_by_blocks(&mut self, touching: &Touching, frames: Frames) -> Option<(FunctionId, usize)> {
        let contacts = self.program.contacts.as_ref()?;
        if contacts.steps || contacts.answering(&self.program.arena).groups.len() < 2 {
            return None;
        }
        let answers = self.contact_answers(touching, frames);
        let (touching, arrays) = (*touching, touching.arrays);
        let states = self.plain_states() as i64;
        let parameters = [("t", Real), ("count", Integer)];
        let answer = self.module.function("contact_answer_by_blocks", &parameters, &[Integer], |f| {
            let [t, count] = f.parameters();
            attempt(f, answers.find, t);
            f.for_each("slot", 0, count, |f, slot| {
                f.for_each("row", 0, 3, |f, row| {
                    f.for_each("i", 0, 6 * touching.frames, |f, i| f.store(arrays.response, i, 0.0));
                    let along = touching.direction(f, slot, row);
                    let own = [0, 1].map(|side| touching.frame_of(f, slot, side));
                    let pushes = [0, 1].map(|side| push(f, &touching, slot, &along, side));
                    answers.all(f, own, &pushes, arrays.response);
                    let column = f.integer("column", slot * 3 + row);
                    let first = f.integer("first", column * states);
                    answers.rates(f, own, &pushes, (arrays.row_rates, first));
                    fill_column(f, &touching, column, count);
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(answer, "How rows answer to forces on rows, by blocks of frames.");
        Some((answer, answers.most))
    }

    fn gather_rows(&mut self, touching: &Touching) -> FunctionId {
        let (touching, arrays) = (*touching, touching.arrays);
        let gather = self.module.function("contact_gather", &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            f.for_each("i", 0, 6 * touching.frames, |f, i| f.store(arrays.push, i, 0.0));
            f.for_each("i", 0, count, |f, i| {
                let force = (0..3).map(|at| touching.direction(f, i, at).times(arrays.force.at(i * 3 + at)));
                let force: Vec<Plain> = force.collect();
                let [normal, first, second] = <[Plain; 3]>::try_from(force).expect("three rows");
                let force = (normal + first + second).keep(f, "force");
                add_push(f, &touching, i, &force);
            });
        });
        self.module.describe(gather, "The wrenches that the forces on rows are.");
        gather
    }
}

/// States whose rates change with a push on some frame.
#[derive(Clone)]
pub(super) struct Rates {
    pushed: Vec<i64>,
    table: Option<ArrayId>,
    pub states: usize,
}

/// Code for so many states is written out.
const WRITTEN_OUT: usize = 16;

impl Rates {
    /// Does something with the index of each of these states.
    pub fn each(&self, f: &mut FunctionBuilder, body: impl Fn(&mut FunctionBuilder, Expression)) {
        match self.table {
            None => self.pushed.iter().for_each(|&i| body(f, i.into())),
            Some(table) => f.for_each("k", 0, self.pushed.len(), |f, k| {
                let i = f.integer("i", table.at(k));
                body(f, i.get());
            }),
        }
    }
}

impl Lowering<'_> {
    pub(super) fn pushed_rates(&mut self) -> Rates {
        let (arena, contacts) = (&self.program.arena, self.program.contacts.as_ref().expect("something may touch"));
        let rates = contacts.response.results[contacts.wrenches.len()..].iter().enumerate();
        let pushed: Vec<i64> = rates.filter(|&(_, &rate)| !arena.is_zero(rate)).map(|(at, _)| at as i64).collect();
        let name = "contact_pushed";
        let known = self.module.module().find_array(name);
        let table = (pushed.len() > WRITTEN_OUT).then(|| {
            known.unwrap_or_else(|| self.module.integers(name, &pushed, "states whose rates change with pushes"))
        });
        Rates { pushed, table, states: self.plain_states() }
    }
}

/// Two directions across a normal: the first in the plane of the normal and the axis of the world that is most across it.
fn tangents(f: &mut FunctionBuilder, normal: &Plain) -> [Plain; 2] {
    let [x, y, z] = [0, 1, 2].map(|k| f.real("size", normal.0[k].clone().abs()));
    let along_x = f.integer("along_x", x.le(y).and(x.le(z)));
    let along_y = f.integer("along_y", along_x.logical_not().and(y.le(z)));
    let along_z = f.integer("along_z", along_x.or(along_y).logical_not());
    let axis = Vector([along_x, along_y, along_z].map(|along| f.real("axis", along.to_real()).get()));
    let share = f.real("share", axis.dot(normal));
    let across = (axis - normal.times(share)).keep(f, "across");
    let length = across.length(f, "length");
    let first = across.over(length).keep(f, "first");
    let second = normal.cross(&first).keep(f, "second");
    [first, second]
}

/// What a unit force on a row adds to rates of states, kept, and to accelerations of frames; the number of the row. Needs: nothing is pushed but these
/// two frames.
fn push_row(
    f: &mut FunctionBuilder,
    touching: &Touching,
    (slot, row): (LocalId, LocalId),
    (frames, t): (Frames, LocalId),
    rates: &Rates,
) -> LocalId {
    let arrays = touching.arrays;
    let along = touching.direction(f, slot, row);
    let own = [0, 1].map(|side| touching.frame_of(f, slot, side));
    for (side, frame) in own.into_iter().enumerate() {
        // What pushes itself pushes nothing.
        let gives_way = touching.tables.gives_way.at(frame).and(own[0].ne_(own[1]));
        f.if_(gives_way, |f| {
            for (at, part) in push(f, touching, slot, &along, side).into_iter().enumerate() {
                f.store(arrays.push, frame * 6 + at as i64, part);
            }
        });
    }
    attempt(f, frames.respond, t);
    let column = f.integer("column", slot * 3 + row);
    rates.each(f, |f, i| {
        f.store(arrays.row_rates, column * rates.states + i.clone(), arrays.response.at(i + 6 * touching.frames));
    });
    column
}

/// Nothing is pushed.
fn no_push(f: &mut FunctionBuilder, touching: &Touching) {
    f.for_each("i", 0, 6 * touching.frames, |f, i| f.store(touching.arrays.push, i, 0.0));
}

/// Adds a vector, or takes it away.
fn add_to(f: &mut FunctionBuilder, sum: [LocalId; 3], vector: Plain, sign: f64) {
    for (sum, part) in sum.into_iter().zip(vector.0) {
        if sign < 0.0 {
            f.assign(sum, sum - part);
        } else {
            f.increase(sum, part);
        }
    }
}

/// A column of the matrix: how all rows answer to what the frames answer now.
fn fill_column(f: &mut FunctionBuilder, touching: &Touching, column: LocalId, count: LocalId) {
    let stride = 3 * touching.capacity as i64;
    f.for_each("i", 0, count, |f, i| {
        let relative = relative(f, touching, i, FrameVector::Answer, FrameVector::AnswerSpin);
        for at in 0..3 {
            let along = touching.direction(f, i, at);
            f.store(touching.arrays.matrix, (i * 3 + at) * stride + column, along.dot(&relative));
        }
    });
}

/// How a point of the second frame is accelerated relative to that of the first.
pub(super) fn relative(
    f: &mut FunctionBuilder,
    touching: &Touching,
    slot: LocalId,
    line: FrameVector,
    spin: FrameVector,
) -> Plain {
    let sum = [0; 3].map(|_| f.real("relative", 0.0));
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        let frame = touching.frame_of(f, slot, side);
        let moves = match line {
            FrameVector::Answer => touching.tables.gives_way.at(frame).ne_(0),
            _ => touching.bodies.still.at(frame).eq_(MOVES),
        };
        f.if_(moves, |f| {
            let (line, spin) = (touching.of_frame(f, "line", line, frame), touching.of_frame(f, "spin", spin, frame));
            let arm = touching.arm(f, slot, side);
            add_to(f, sum, line + spin.cross(&arm), sign);
        });
    }
    Plain::of(&sum)
}

/// A force on the second frame at a point, and its opposite on the first. Those that nothing moves answer to no push, but something may want to know it.
fn add_push(f: &mut FunctionBuilder, touching: &Touching, slot: LocalId, force: &Plain) {
    for side in [0, 1] {
        let frame = touching.frame_of(f, slot, side);
        for (at, part) in push(f, touching, slot, force, side).into_iter().enumerate() {
            let place = f.integer("place", frame * 6 + at as i64);
            f.store(touching.arrays.push, place, touching.arrays.push.at(place) + part);
        }
    }
}

/// What a force on the second frame at a point is on one of the frames: a force, and a moment about its origin.
fn push(f: &mut FunctionBuilder, touching: &Touching, slot: LocalId, force: &Plain, side: usize) -> [Expression; 6] {
    let force = if side == 0 { -force.clone() } else { force.clone() };
    let moment = touching.arm(f, slot, side).cross(&force).keep(f, "moment");
    let parts: Vec<Expression> = force.0.into_iter().chain(moment.0).collect();
    <[Expression; 6]>::try_from(parts).expect("three of either")
}
