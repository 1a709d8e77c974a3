//! Steps of a fixed length, for crowds: whatever touches within a step exerts impulses that are found all at once (Moreau and Jean).
//!
//! Half a step with the velocities at its beginning leads to the middle, where forces act for the whole step and points touch; half a step with the
//! velocities at its end leads on. Points take part whose gap would be closed at the end of the step. Nothing is located, so the order
//! is one; what is gained is that a step costs the same however many impacts happen in it.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;
use numerics::contact::Plain;

use super::answers::Answers;
use super::frames::Frames;
use super::observe::{IMPACTS, IMPULSE, SEEN};
use super::rows::Rows;
use super::sweeps::Sweeps;
use super::{SLIDING, STICKING, Touching};
use crate::lower::Lowering;
use crate::search::attempt;

/// A point whose friction is less than this part of the largest sticks.
const STICKS: f64 = 1.0 - 1e-6;
/// An approach slower than this, times the step and relative to the smaller shape, is no impact.
const NO_IMPACT: f64 = 1e-9;

/// What is remembered from step to step.
#[derive(Clone, Copy)]
pub(crate) struct Stepping {
    /// Three numbers for each held point: the force of the last step on the second frame, in the world.
    pub exerted: ArrayId,
    /// Twists at the beginning of a step; coordinates in its middle; states at its end without forces of contact.
    before: ArrayId,
    middle: ArrayId,
    free: ArrayId,
    /// Forces of the last step on points that are found anew.
    was: ArrayId,
    /// How fast each point closed at the beginning of the step.
    approach: ArrayId,
    /// How many steps there were, and the last one in which each pair exerted something.
    steps: ArrayId,
    loaded: ArrayId,
    pub report: Report,
}

/// What is told of a run in the end, as [`protocol::CONTACT_STEPS`] says.
#[derive(Clone, Copy)]
pub(crate) struct Report(ArrayId);

impl Report {
    const DEPTH: usize = 0;
    const TIME: usize = 1;
    const PAIR: usize = 2;
    const UNSETTLED: usize = 3;
    const SWEEPS: usize = 4;
    const COUNT: usize = 5;

    /// Forgets everything.
    pub fn clear(self, f: &mut FunctionBuilder) {
        f.for_each("i", 0, Report::COUNT, |f, i| f.store(self.0, i, 0.0));
    }

    fn count(self, f: &mut FunctionBuilder, sweeps: LocalId, unsettled: LocalId) {
        for (place, number) in [(Report::SWEEPS, sweeps), (Report::UNSETTLED, unsettled)] {
            f.store(self.0, place, self.0.at(place) + number.to_real());
        }
    }

    /// A depth of a pair at some time, if it is the largest.
    fn note(self, f: &mut FunctionBuilder, depth: LocalId, time: Expression, pair: LocalId) {
        f.if_(depth.gt(self.0.at(Report::DEPTH)), |f| {
            f.store(self.0, Report::DEPTH, depth);
            f.store(self.0, Report::TIME, time);
            f.store(self.0, Report::PAIR, pair.to_real());
        });
    }
}

/// What a step is made of.
#[derive(Clone, Copy)]
struct Parts {
    frames: Frames,
    rows: Rows,
    answers: Answers,
    sweeps: Sweeps,
    memory: Stepping,
}

impl<'p> Lowering<'p> {
    /// `(t, end) -> integer`: takes a step, from the state to the stage. `project` moves a stage in `point` onto the constraints.
    pub fn contact_stepping(
        &mut self,
        (frames, rows): (Frames, Rows),
        derivative: FunctionId,
        constraints: Option<(ArrayId, FunctionId)>,
        integrator: &IntegratorArrays,
    ) -> (FunctionId, Stepping) {
        let touching = self.touching.expect("something may touch");
        let memory = self.declare_stepping(&touching, integrator);
        let answers = self.contact_answers(&touching, frames);
        let sweeps = self.contact_sweeps(&touching, answers, [memory.before, memory.approach]);
        let parts = Parts { frames, rows, answers, sweeps, memory };
        let find = self.find_points(&touching, parts);
        let finish = self.finish_step(&touching, parts);
        let collide = self.collide_in_step(&touching, parts, [find, finish], integrator);
        (self.take_step(&touching, parts, [derivative, collide], constraints, integrator), memory)
    }

    /// `(t) -> integer`: what is known of each pair at the sampled state, with the forces of the last step.
    pub fn observe_steps(
        &mut self,
        touching: &Touching,
        (frames, rows): (Frames, Rows),
        memory: Stepping,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let arrays = touching.arrays;
        let see = self.see_pairs(&touching, integrator);
        let (states, numbers) = (integrator.size, 6 * touching.frames);
        let observe = self.module.function("contact_observe", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.sampled.at(i)));
            attempt(f, frames.place, t);
            let held = f.integer("held", arrays.held.at(0));
            f.call(rows.find, held);
            f.for_each("i", 0, held, |f, i| {
                let force = Plain::load(f, "force", memory.exerted, i * 3);
                for row in 0..3 {
                    let along = touching.direction(f, i, row);
                    f.store(arrays.force, i * 3 + row, along.dot(&force));
                }
            });
            f.call(rows.gather, held);
            f.for_each("i", 0, numbers, |f, i| f.store(arrays.wrench, i, arrays.push.at(i)));
            f.call(see, t);
            f.return_(protocol::DONE);
        });
        self.module.describe(observe, "Forces of the last step, and what is known of each pair.");
        observe
    }

    fn declare_stepping(&mut self, touching: &Touching, integrator: &IntegratorArrays) -> Stepping {
        let coordinates = self.module.length(touching.arrays.lift);
        let module = &mut self.module;
        let mut reals = |name: &str, length: usize, note: &str| module.real_array(name, length, note);
        let exerted = reals("contact_exerted", 3 * touching.capacity, "the force of the last step on each held point");
        let before = reals("contact_before", 6 * touching.frames, "twists at the beginning of the step");
        let middle = reals("contact_middle", coordinates, "coordinates in the middle of the step");
        let free = reals("contact_free_end", integrator.size, "states at its end without forces of contact");
        let was = reals("contact_was", 3 * touching.capacity, "the force of the last step on each point found");
        let approach = reals("contact_approach", touching.capacity, "how fast each point closed before the step");
        let note = "depth, time and pair of the deepest penetration; steps that did not converge; sweeps";
        let report = Report(reals(protocol::CONTACT_STEPS, Report::COUNT, note));
        let mut integers = |name: &str, length: usize, note: &str| module.integer_array(name, length, note);
        Stepping {
            exerted,
            before,
            middle,
            free,
            was,
            approach,
            steps: integers("contact_steps", 1, "how many steps there were"),
            loaded: integers("contact_loaded", touching.thing_pairs, "the last step in which each pair pushed"),
            report,
        }
    }

    fn take_step(
        &mut self,
        touching: &Touching,
        parts: Parts,
        [derivative, collide]: [FunctionId; 2],
        constraints: Option<(ArrayId, FunctionId)>,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let Parts { frames, memory, .. } = parts;
        let Stepping { before, middle, free, .. } = memory;
        let IntegratorArrays { state, stage, slopes, size, .. } = *integrator;
        let coordinates = self.module.length(middle);
        let (twist, wrench, numbers) = (touching.bodies.twist, touching.arrays.wrench, 6 * touching.frames);
        let take = self.module.function("contact_step", &[("t", Real), ("end", Real)], &[Integer], |f| {
            let [t, end] = f.parameters();
            let h = f.real("h", end - t);
            let now = f.real("now", t + h * 0.5);
            let rates = |f: &mut FunctionBuilder, t: LocalId| {
                let code = f.call1(derivative, (t, 0));
                f.if_(code.ne_(0), |f| f.return_(code));
            };
            f.for_each("i", 0, numbers, |f, i| f.store(wrench, i, 0.0));
            f.for_each("i", 0, size, |f, i| f.store(stage, i, state.at(i)));
            rates(f, t);
            f.note("Half a step with the first velocities.");
            f.for_each("i", 0, coordinates, |f, i| f.store(stage, i, state.at(i) + h * 0.5 * slopes.at(i)));
            if let Some((point, project)) = constraints {
                f.for_each("i", 0, size, |f, i| f.store(point, i, stage.at(i)));
                attempt(f, project, now);
                f.for_each("i", 0, coordinates, |f, i| f.store(stage, i, point.at(i)));
            }
            f.for_each("i", 0, coordinates, |f, i| f.store(middle, i, stage.at(i)));
            f.note("Forces of the whole step, with the velocities that they lead to in its middle.");
            rates(f, now);
            f.for_each("i", coordinates, size, |f, i| f.store(stage, i, state.at(i) + h * 0.5 * slopes.at(i)));
            rates(f, now);
            f.for_each("i", coordinates, size, |f, i| f.store(free, i, state.at(i) + h * slopes.at(i)));
            f.note("How frames move before and after.");
            f.for_each("i", coordinates, size, |f, i| f.store(stage, i, state.at(i)));
            attempt(f, frames.place, now);
            f.for_each("i", 0, numbers, |f, i| f.store(before, i, twist.at(i)));
            f.for_each("i", coordinates, size, |f, i| f.store(stage, i, free.at(i)));
            attempt(f, frames.place, now);
            attempt(f, collide, (t, h));
            f.note("Half a step with the last velocities.");
            rates(f, now);
            f.for_each("i", 0, coordinates, |f, i| f.store(stage, i, middle.at(i) + h * 0.5 * slopes.at(i)));
            f.return_(0);
        });
        self.module.describe(take, "Takes a step, with all that touches in it.");
        take
    }

    /// `(t, h) -> integer`: lets what touches in the middle of a step exert its impulses on the stage.
    fn collide_in_step(
        &mut self,
        touching: &Touching,
        parts: Parts,
        [find, finish]: [FunctionId; 2],
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let Parts { frames, rows, answers, sweeps, memory, .. } = parts;
        let (arrays, failure_values) = (touching.arrays, self.failure_values);
        let (first_rate, coordinates) = (6 * touching.frames as i64, self.module.length(memory.middle));
        let parameters = [("t", Real), ("h", Real)];
        let collide = self.module.function("contact_collide_in_step", &parameters, &[Integer], |f| {
            let [t, h] = f.parameters();
            f.store(memory.steps, 0, memory.steps.at(0) + 1);
            let count = f.call1(find, h);
            f.if_(count.lt(0), |f| {
                f.store(failure_values, 0, t);
                f.return_(protocol::TOO_MANY_CONTACTS);
            });
            f.if_(count.eq_(0), |f| {
                f.store(arrays.held, 0, 0);
                f.return_(protocol::DONE);
            });
            let now = f.real("now", t + h * 0.5);
            attempt(f, answers.find, now);
            f.call(rows.find, count);
            f.note("The impulses of the last step, to begin with.");
            f.for_each("i", 0, count, |f, i| {
                let force = Plain::load(f, "force", memory.was, i * 3);
                for row in 0..3 {
                    let along = touching.direction(f, i, row);
                    f.store(arrays.force, i * 3 + row, along.dot(&force) * h);
                }
            });
            let [number, unsettled] = f.call_n(sweeps.solve, count);
            memory.report.count(f, number, unsettled);
            f.call(rows.gather, count);
            attempt(f, frames.respond, now);
            f.for_each("i", coordinates, integrator.size, |f, i| {
                f.store(integrator.stage, i, integrator.stage.at(i) + arrays.response.at(i + first_rate));
            });
            f.call(finish, (t, h, count));
            f.return_(protocol::DONE);
        });
        self.module.describe(collide, "Lets what touches in a step exert its impulses.");
        collide
    }

    /// `(h) -> integer`: the points whose gaps would be closed at the end of a step of this length, in the first slots, with the forces that they
    /// had; how many, or −1 if too many.
    fn find_points(&mut self, touching: &Touching, parts: Parts) -> FunctionId {
        let touching = *touching;
        let Touching { points, geometry, capacity, tables, .. } = touching;
        let memory = parts.memory;
        let find = self.module.function("contact_find_in_step", &[("h", Real)], &[Integer], |f| {
            let [h] = f.parameters();
            f.store(points.found, 0, 0);
            let wider = |f: &mut FunctionBuilder, shape| touching.how_far(f, shape, h * 0.5).get();
            touching.for_each_near(f, wider, |f, pair| {
                let [first, second] = [0, 1].map(|side| {
                    let shape = f.integer("shape", tables.shape[side].at(pair));
                    touching.how_far(f, shape, h * 0.5)
                });
                f.call(geometry.detect, (pair.get(), first + second));
            });
            let found = f.integer("found", points.found.at(0));
            f.if_(found.gt(capacity), |f| f.return_(-1));
            let count = f.integer("count", 0);
            f.for_each("new", capacity, found + capacity, |f, new| {
                f.call(geometry.evaluate, new);
                let rate = touching.closing(f, new);
                f.if_((points.gap.at(new) + h * 0.5 * rate.min(0.0)).le(0.0), |f| {
                    touching.copy_point(f, new, count + capacity);
                    f.assign(count, count + 1);
                });
            });
            touching.remember(f, memory, count);
            f.for_each("i", 0, count, |f, i| touching.copy_point(f, i + capacity, i));
            f.return_(count);
        });
        self.module.describe(find, "The points whose gaps would close in a step, with the forces that they had.");
        find
    }

    /// `(t, h, count)`: keeps the points that push, counts impacts, and notes how deep anything is.
    fn finish_step(&mut self, touching: &Touching, parts: Parts) -> FunctionId {
        let touching = *touching;
        let Touching { points, arrays, tables, .. } = touching;
        let memory = parts.memory;
        let parameters = [("t", Real), ("h", Real), ("count", Integer)];
        let finish = self.module.function("contact_finish_step", &parameters, &[], |f| {
            let [t, h, count] = f.parameters();
            let kept = f.integer("kept", 0);
            let counting = Counting {
                of: f.integer("counted", -1),
                rested: f.integer("rested", 0),
                hits: f.integer("hits", 0),
                total: f.real("total", 0.0),
            };
            f.for_each("i", 0, count, |f, i| {
                let of = f.integer("of", tables.of.at(points.pair.at(i)));
                let after = touching.closing(f, i);
                let depth = f.real("depth", -(points.gap.at(i) + h * 0.5 * after));
                memory.report.note(f, depth, t + h, of);
                f.if_(arrays.force.at(i * 3).gt(0.0), |f| {
                    touching.count_impact(f, memory, counting, [i, h]);
                    touching.keep_pushing(f, memory, [i, kept, h]);
                    f.assign(kept, kept + 1);
                });
            });
            f.store(arrays.held, 0, kept);
        });
        self.module.describe(finish, "Keeps the points that push, and counts impacts.");
        finish
    }
}

impl Touching {
    /// Finds the forces that points in the scratch slots had in the last step. Both lists are in the order of pairs.
    fn remember(&self, f: &mut FunctionBuilder, memory: Stepping, count: LocalId) {
        let (points, held) = (self.points, self.arrays.held);
        let from = f.integer("from", 0);
        f.for_each("a", 0, count, |f, a| {
            let new = f.integer("new", a + self.capacity);
            let pair = f.integer("pair", points.pair.at(new));
            f.for_each("k", 0, 3, |f, k| f.store(memory.was, a * 3 + k, 0.0));
            f.while_(from.lt(held.at(0)), |f| {
                f.if_(points.pair.at(from).ge(pair), |f| f.break_());
                f.assign(from, from + 1);
            });
            f.for_each("i", from, held.at(0), |f, i| {
                f.if_(points.pair.at(i).ne_(pair), |f| f.break_());
                f.if_(self.same_point(i, new), |f| {
                    f.for_each("k", 0, 3, |f, k| f.store(memory.was, a * 3 + k, memory.exerted.at(i * 3 + k)));
                });
            });
        });
    }

    /// An impact is where a pair approaches that did not push in the step before; its impulse is that of all its points.
    fn count_impact(&self, f: &mut FunctionBuilder, memory: Stepping, counting: Counting, [i, h]: [LocalId; 2]) {
        let Touching { arrays, tables, points, geometry, .. } = *self;
        let Counting { of, rested, hits, total } = counting;
        let pair = f.integer("pair", points.pair.at(i));
        let own = f.integer("own", tables.of.at(pair));
        f.if_(of.ne_(own), |f| {
            f.assign(of, own);
            f.assign(rested, memory.loaded.at(own).lt(memory.steps.at(0) - 1));
            f.assign(hits, 0);
            f.assign(total, 0.0);
            f.store(memory.loaded, own, memory.steps.at(0));
        });
        f.increase(total, arrays.force.at(i * 3));
        let radius = |side: usize| geometry.radius.at(tables.shape[side].at(pair));
        let far = f.real("far", memory.approach.at(i) * h);
        f.if_(rested.and(hits.eq_(0)).and(far.gt(radius(0).min(radius(1)) * NO_IMPACT)), |f| {
            f.assign(hits, 1);
            f.store(arrays.seen, own * SEEN + IMPACTS, arrays.seen.at(own * SEEN + IMPACTS) + 1.0);
        });
        f.if_(hits, |f| f.store(arrays.seen, own * SEEN + IMPULSE, total));
    }

    /// Keeps a point that pushes in the next slot, with its force and whether it slides.
    fn keep_pushing(&self, f: &mut FunctionBuilder, memory: Stepping, [i, kept, h]: [LocalId; 3]) {
        let Touching { arrays, tables, points, .. } = *self;
        let [normal, first, second] = [0, 1, 2].map(|row| f.real("impulse", arrays.force.at(i * 3 + row)));
        let friction = arrays.friction.at(tables.of.at(points.pair.at(i)));
        let slides = (first * first + second * second).sqrt().ge(friction * normal * STICKS);
        f.store(arrays.state, kept, slides.select(SLIDING, STICKING));
        let parts = [normal, first, second].into_iter().enumerate();
        let parts: Vec<Plain> = parts.map(|(row, part)| self.direction(f, i, row as i64).times(part / h)).collect();
        let [normal, first, second] = <[Plain; 3]>::try_from(parts).expect("three rows");
        (normal + first + second).keep(f, "force").store(f, memory.exerted, kept * 3);
        self.copy_point(f, i, kept);
    }
}

/// What is counted of the pair whose points are being gone through.
#[derive(Clone, Copy)]
struct Counting {
    of: LocalId,
    /// Whether it did not push in the step before, whether it has hit, and the impulse of its points so far.
    rested: LocalId,
    hits: LocalId,
    total: LocalId,
}
