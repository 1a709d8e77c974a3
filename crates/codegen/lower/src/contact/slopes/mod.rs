//! How forces of contact change along the directions of a program with derivatives.
//!
//! Rates with forces f of held points are what the program says of them, and so are the derivatives of these rates, once it is known how
//! f changes. What is held stays held, so its rows keep to zero: W δf = −δ(row at fixed f), and −μ N d on what slides changes
//! with μ, N and d. How normals, points and speeds of rows change is told by the twins of the functions that find them (`kernel::Tangents`); all else
//! by the program itself.

mod jump;
mod solve;

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;
use program::{ContactSlopes, Contacts, SIZES};

use super::derivative::{BALANCE, slip_direction};
use super::frames::{Frames, all_rows};
use super::rows::{FrameVector, Rows, relative};
use super::{SLIDING, STICKING, Touching};
use crate::lower::Lowering;
use crate::search::attempt;

pub(crate) use jump::{Begins, Jumping};
use solve::Solve;

/// What knows how contact changes. Arrays have everything direction by direction.
#[derive(Clone, Copy)]
pub(crate) struct Slopes {
    directions: usize,
    /// How many states there are without derivatives, and numbers of frames.
    states: usize,
    numbers: usize,
    /// How forces and moments on frames change, pushes, and what a push adds.
    wrench: ArrayId,
    push: ArrayId,
    given: ArrayId,
    laws: usize,
    place: ArrayId,
    acceleration: ArrayId,
    response: ArrayId,
    /// Rows as they are kept, or answer.
    kept: ArrayId,
    functions: Functions,
    twins: Twins,
    solve: Solve,
}

/// Functions of the stage, each for all directions.
#[derive(Clone, Copy)]
struct Functions {
    /// `()`: how restitution and friction change.
    begin: FunctionId,
    /// `(t) -> integer`: poses and twists, accelerations, what a push adds.
    place: FunctionId,
    accelerate: FunctionId,
    respond: FunctionId,
    /// `(count)`: rows as accelerations keep them; as they answer to a push; along which they slip.
    rates: FunctionId,
    answers: FunctionId,
    headings: FunctionId,
}

/// Functions with derivatives along one direction, and the arrays of these derivatives.
#[derive(Clone, Copy)]
struct Twins {
    find: FunctionId,
    gather: FunctionId,
    rates: FunctionId,
    answers: FunctionId,
    headings: FunctionId,
    pose: ArrayId,
    twist: ArrayId,
    acceleration: ArrayId,
    response: ArrayId,
    force: ArrayId,
    push: ArrayId,
    kept: ArrayId,
    speed: ArrayId,
    gap: ArrayId,
    direction: ArrayId,
}

/// Arrays that are inputs of every function.
#[derive(Clone, Copy)]
pub(crate) struct SlopeInputs {
    wrench: ArrayId,
    push: ArrayId,
}

impl<'p> Lowering<'p> {
    /// How many states there are without their derivatives.
    pub fn plain_states(&self) -> usize {
        self.program.integrals[0].states.len() / (1 + self.program.directions)
    }

    pub fn declare_slopes(&mut self, contacts: &Contacts) -> Option<SlopeInputs> {
        let slopes = contacts.slopes.as_ref()?;
        let numbers = slopes.wrenches.len();
        let mut reals = |name: &str, note: &str| self.module.real_array(name, numbers, note);
        let wrench = reals("contact_wrench_slopes", "how forces and moments on frames change along each direction");
        let push = reals("contact_push_slopes", "how a push changes along each direction");
        for (symbols, array) in [(&slopes.wrenches[..], wrench), (&slopes.push[contacts.push.len()..], push)] {
            self.inputs.extend(symbols.iter().enumerate().map(|(at, &symbol)| (symbol, array.at(at))));
        }
        Some(SlopeInputs { wrench, push })
    }

    /// None if the program has no derivatives.
    pub fn contact_slopes(
        &mut self,
        contacts: &'p Contacts,
        touching: &Touching,
        (rows, settled): (Rows, Option<ArrayId>),
        integrator: &IntegratorArrays,
    ) -> Option<Slopes> {
        let (slopes, inputs) = (contacts.slopes.as_ref()?, touching.slopes?);
        let (directions, states, numbers) = (self.program.directions, self.plain_states(), 6 * touching.frames);
        let mut reals = |name: &str, length: usize, note: &str| self.module.real_array(name, length, note);
        let given = reals("contact_given_slopes", slopes.given.results.len(), "how sizes, places and laws change");
        let place = reals("contact_place_slopes", slopes.places.results.len(), "how poses and twists change");
        let acceleration =
            reals("contact_acceleration_slopes", slopes.accelerations.results.len(), "how accelerations change");
        let response = reals("contact_response_slopes", slopes.response.results.len(), "how what a push adds changes");
        let kept = reals("contact_kept", 3 * touching.capacity, "rows as they are kept, or answer");
        let begin = self.slopes_of_laws(slopes, given);
        let mut at_stage = |name: &str, function, array| {
            self.at_stage(name, function, &[all_rows(function, array)], integrator, settled)
        };
        let place_function = at_stage("contact_place_slopes_at", &slopes.places, place);
        let accelerate = at_stage("contact_acceleration_slopes_at", &slopes.accelerations, acceleration);
        let respond = at_stage("contact_response_slopes_at", &slopes.response, response);
        let rates = self.measured_rows(touching, kept, ("contact_kept_rates", true));
        let answers = self.measured_rows(touching, kept, ("contact_kept_answers", false));
        let headings = self.headings(touching);
        let functions = Functions { begin, place: place_function, accelerate, respond, rates, answers, headings };
        let twins = self.twins(touching, rows, functions, kept);
        let solve = self.slope_solver(touching);
        Some(Slopes {
            directions,
            states,
            numbers,
            wrench: inputs.wrench,
            push: inputs.push,
            given,
            laws: (SIZES + 12) * touching.shapes,
            place,
            acceleration,
            response,
            kept,
            functions,
            twins,
            solve,
        })
    }

    fn slopes_of_laws(&mut self, slopes: &'p ContactSlopes, given: ArrayId) -> FunctionId {
        let begin = self.module.declare("contact_begin_slopes", &[], &[]);
        self.module.describe(begin, "How restitution and friction change.");
        self.define(begin, |body| {
            let mut scope = body.lowering.scope(0.0);
            let values = body.emit(&slopes.given.results, &mut scope);
            body.store_all(given, values);
        });
        begin
    }

    /// `(count)`: all rows as accelerations of frames keep them, or as frames answer to a push.
    fn measured_rows(&mut self, touching: &Touching, kept: ArrayId, (name, rates): (&str, bool)) -> FunctionId {
        let (touching, arrays) = (*touching, touching.arrays);
        let [line, spin] = match rates {
            true => [FrameVector::Acceleration, FrameVector::SpinUp],
            false => [FrameVector::Answer, FrameVector::AnswerSpin],
        };
        self.module.function(name, &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            f.for_each("i", 0, count, |f, i| {
                let relative = relative(f, &touching, i, line, spin);
                for at in 0..3 {
                    let along = touching.direction(f, i, at).dot(&relative);
                    let value = if rates { along + arrays.bias.at(i * 3 + at) } else { along };
                    f.store(kept, i * 3 + at, value);
                }
            });
        })
    }

    fn headings(&mut self, touching: &Touching) -> FunctionId {
        let touching = *touching;
        self.module.function("contact_headings", &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            f.for_each("i", 0, count, |f, i| slip_direction(f, &touching, i, i));
        })
    }

    fn twins(&mut self, touching: &Touching, rows: Rows, own: Functions, kept: ArrayId) -> Twins {
        let Touching { arrays, bodies, points, coulomb, .. } = *touching;
        let changing = [bodies.pose, bodies.twist, arrays.acceleration, arrays.response, arrays.force];
        let roots = [rows.find, rows.gather, own.rates, own.answers, own.headings];
        let tangents = self.module.tangents(&roots, &changing);
        let array = |of: ArrayId| tangents.array(of).expect("it changes");
        let [find, gather, rates, answers, headings] = roots.map(|root| tangents.function(root));
        Twins {
            find,
            gather,
            rates,
            answers,
            headings,
            pose: array(bodies.pose),
            twist: array(bodies.twist),
            acceleration: array(arrays.acceleration),
            response: array(arrays.response),
            force: array(arrays.force),
            push: array(arrays.push),
            kept: array(kept),
            speed: array(arrays.speed),
            gap: array(points.gap),
            direction: array(coulomb.direction),
        }
    }

    /// `(t) -> integer`: how the wrenches of held points change. Needs: their forces, and the wrenches that these are.
    pub fn force_slopes(&mut self, slopes: Slopes, touching: &Touching, (frames, rows): (Frames, Rows)) -> ForceSlopes {
        let changes = self.module.real_array(
            "contact_force_changes",
            slopes.directions * 3 * touching.capacity,
            "how forces of held points change along each direction",
        );
        let rows_of_all = slopes.directions * 3 * touching.capacity;
        let speeds = self.module.real_array(protocol::CONTACT_SPEED_SLOPES, rows_of_all, "how speeds of rows change");
        let gaps = self.module.real_array(protocol::CONTACT_GAP_SLOPES, rows_of_all / 3, "how gaps change");
        let (touching, arrays) = (*touching, touching.arrays);
        let capacity = touching.capacity as i64;
        let Slopes { directions, numbers, wrench, functions, twins, .. } = slopes;
        let (values, stride) = (self.failure_values, slopes.solve.stride);
        let found = self.module.function("contact_force_slopes", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let count = f.integer("count", arrays.held.at(0));
            f.for_each("i", 0, directions * numbers, |f, i| f.store(wrench, i, 0.0));
            f.if_(count.eq_(0), |f| f.return_(protocol::DONE));
            f.call(functions.begin, ());
            attempt(f, functions.place, t);
            attempt(f, rows.answer, (t, count));
            f.note("What the motion of points alone makes of their forces.");
            f.for_each("k", 0, directions, |f, k| {
                slopes.enter(f, &touching, [k, count]);
                f.for_each("i", 0, count * 3, |f, i| f.store(twins.force, i, 0.0));
                f.call(twins.gather, count);
                slopes.take_push(f, k, wrench);
            });
            attempt(f, frames.accelerate, t);
            attempt(f, functions.accelerate, t);
            f.note("What forces have to change by so that rows are kept.");
            f.for_each("k", 0, directions, |f, k| {
                slopes.enter(f, &touching, [k, count]);
                let first = f.integer("first", k * numbers as i64);
                f.for_each("i", 0, numbers, |f, i| f.store(twins.acceleration, i, slopes.acceleration.at(i + first)));
                f.for_each("i", 0, count, |f, i| f.store(gaps, k * capacity + i, twins.gap.at(i)));
                f.for_each("i", 0, count * 3, |f, i| f.store(speeds, k * stride + i, twins.speed.at(i)));
                f.call(twins.rates, count);
                f.call(twins.headings, count);
                let unknown = f.integer("unknown", 0);
                f.for_each("i", 0, count, |f, i| slopes.keep_rows(f, &touching, [k, i, count], unknown));
                f.if_(unknown, |f| without_derivative(f, values, t));
                f.call(slopes.solve.solve, count * 3);
                f.for_each("i", 0, count * 3, |f, i| {
                    f.store(twins.force, i, slopes.solve.right.at(i));
                    f.store(changes, k * stride + i, slopes.solve.right.at(i));
                });
                f.call(twins.gather, count);
                slopes.take_push(f, k, wrench);
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(found, "How the wrenches of held points change along each direction.");
        ForceSlopes { find: found, directions, states: slopes.states, stride, changes }
    }
}

/// How forces of held points change.
#[derive(Clone, Copy)]
pub(crate) struct ForceSlopes {
    /// `(t) -> integer`: finds it.
    pub find: FunctionId,
    directions: usize,
    states: usize,
    stride: i64,
    changes: ArrayId,
}

impl ForceSlopes {
    /// Derivatives of rates that forces hold in balance are zero, as the rates themselves are: `most` is what the forces can do to a state.
    pub fn balance(
        &self,
        f: &mut FunctionBuilder,
        touching: &Touching,
        rates: ArrayId,
        [state, count, offset]: [LocalId; 3],
        most: LocalId,
    ) {
        f.for_each("k", 0, self.directions, |f, k| {
            let size = f.real("size", most);
            f.for_each("point", 0, count, |f, point| {
                let [change, added] = ["change", "added"].map(|name| f.real(name, 0.0));
                f.for_each("j", point * 3, point * 3 + 3, |f, j| {
                    let own = touching.arrays.row_rates.at(j * self.states as i64 + state);
                    f.assign(added, added.max(own.abs()));
                    f.assign(change, change.max(self.changes.at(k * self.stride + j).abs()));
                });
                f.increase(size, change * added);
            });
            let place = f.integer("slope", offset + (k + 1) * self.states as i64 + state);
            let rests = rates.at(place).abs().le(size * BALANCE).and(size.gt(0.0));
            f.store(rates, place, rests.select(0.0, rates.at(place)));
        });
    }
}

impl Slopes {
    /// How rows change along a direction, as the states and the time do.
    fn enter(&self, f: &mut FunctionBuilder, touching: &Touching, [k, count]: [LocalId; 2]) {
        let (poses, twists) = (2 * self.numbers as i64, self.numbers as i64);
        let first = f.integer("first_place", k * (poses + twists));
        f.for_each("i", 0, poses, |f, i| f.store(self.twins.pose, i, self.place.at(i + first)));
        f.for_each("i", 0, twists, |f, i| f.store(self.twins.twist, i, self.place.at(i + (first + poses))));
        f.note("Tangents are found anew, for their derivatives are not those of the last direction.");
        f.for_each("i", 0, count, |f, i| f.store(touching.arrays.basis, i * 9, 2.0));
        f.call(self.twins.find, count);
    }

    fn take_push(&self, f: &mut FunctionBuilder, k: LocalId, into: ArrayId) {
        f.for_each("i", 0, self.numbers, |f, i| f.store(into, k * self.numbers as i64 + i, self.twins.push.at(i)));
    }

    /// How the friction and the restitution of a point's pair change.
    fn law(&self, f: &mut FunctionBuilder, touching: &Touching, [k, i]: [LocalId; 2]) -> [LocalId; 2] {
        let of = touching.tables.of.at(touching.points.pair.at(i));
        let count = (touching.thing_pairs * 2 + self.laws) as i64;
        let place = f.integer("law", k * count + of * 2 + self.laws as i64);
        [f.real("restitution_slope", self.given.at(place)), f.real("friction_slope", self.given.at(place + 1))]
    }

    /// The equations of a held point: W δf = −δw along rows that are kept, and δf = −δ(μ N d) along those that slip.
    fn keep_rows(&self, f: &mut FunctionBuilder, touching: &Touching, [k, i, count]: [LocalId; 3], unknown: LocalId) {
        let Touching { arrays, coulomb, tables, points, .. } = *touching;
        let Solve { matrix, right, stride, .. } = self.solve;
        let slides = f.integer("slides", arrays.state.at(i).eq_(SLIDING));
        f.if_(slides.or(arrays.state.at(i).eq_(STICKING)).eq_(0), |f| f.assign(unknown, 1));
        f.for_each("row", 0, 3, |f, row| {
            let at = f.integer("at", i * 3 + row);
            f.for_each("j", 0, count * 3, |f, j| {
                f.store(matrix, at * stride + j, arrays.matrix.at(at * stride + j));
            });
            f.store(right, at, -self.twins.kept.at(at));
        });
        let [_, friction_slope] = self.law(f, touching, [k, i]);
        f.if_(slides, |f| {
            let friction = f.real("friction", arrays.friction.at(tables.of.at(points.pair.at(i))));
            let normal = f.real("normal", arrays.force.at(i * 3));
            f.for_each("row", 1, 3, |f, row| {
                let at = f.integer("slipping", i * 3 + row);
                f.for_each("j", 0, count * 3, |f, j| f.store(matrix, at * stride + j, 0.0));
                let [along, turned] =
                    [coulomb.direction, self.twins.direction].map(|of| f.real("along", of.at(i * 2 + row - 1)));
                f.store(matrix, at * stride + i * 3, friction * along);
                f.store(matrix, at * stride + at, 1.0);
                f.store(right, at, -(normal * (friction_slope * along + friction * turned)));
            });
        });
    }
}

/// Says that derivatives are not known from here on.
fn without_derivative(f: &mut FunctionBuilder, failure_values: ArrayId, t: LocalId) {
    f.store(failure_values, 0, t);
    f.return_(protocol::NO_DERIVATIVE);
}
