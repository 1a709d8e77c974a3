//! How frames that bear shapes move, at the stage of the integrator, and what a push changes there.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionId, Term, protocol};
use numerics::IntegratorArrays;
use numerics::contact::FAR;
use program::{Contacts, Function, SIZES};

use super::Touching;
use crate::lower::Lowering;
use crate::roll::{Row, Target};
use crate::search::attempt;

/// Functions of the stage.
#[derive(Clone, Copy)]
pub(crate) struct Frames {
    /// `()`: sizes, places and laws from the parameters.
    pub begin: FunctionId,
    /// `(t) -> integer`: poses and twists of frames that may move.
    pub pose: FunctionId,
    /// `(t) -> integer`: poses and twists, then where the shapes are.
    pub place: FunctionId,
    /// `(t) -> integer`: accelerations and rates of states, with the wrenches as they stand.
    pub accelerate: FunctionId,
    /// `(t) -> integer`: what `push` adds to accelerations and rates.
    pub respond: FunctionId,
    /// `(t) -> integer`: what `lifted` adds to the rates of coordinates.
    pub lift: FunctionId,
}

impl<'p> Lowering<'p> {
    pub fn contact_frames(
        &mut self,
        contacts: &'p Contacts,
        touching: &Touching,
        arrays: &IntegratorArrays,
        settled: Option<ArrayId>,
    ) -> Frames {
        let geometry = touching.geometry;
        let held = touching.arrays;
        if let Some(field) = touching.field {
            self.define_field(contacts, field);
        }
        let pose = self.contact_poses(contacts, touching, arrays, settled);
        let place = self.module.function("contact_place", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            attempt(f, pose, t);
            f.call(geometry.place, ());
            f.return_(protocol::DONE);
        });
        self.module.describe(place, "Where frames and shapes are at the stage, and how they move.");
        Frames {
            begin: self.contact_given(contacts, touching),
            pose,
            place,
            accelerate: self.at_stage(
                "contact_accelerate",
                &contacts.accelerations,
                &[all_rows(&contacts.accelerations, held.acceleration)],
                arrays,
                settled,
            ),
            respond: self.at_stage(
                "contact_respond",
                &contacts.response,
                &[all_rows(&contacts.response, held.response)],
                arrays,
                settled,
            ),
            lift: self.at_stage(
                "contact_lift_at",
                &contacts.lift,
                &[all_rows(&contacts.lift, held.lift)],
                arrays,
                settled,
            ),
        }
    }

    /// `(t) -> integer`: poses and twists. What is a number has it from the beginning.
    fn contact_poses(
        &mut self,
        contacts: &'p Contacts,
        touching: &Touching,
        arrays: &IntegratorArrays,
        settled: Option<ArrayId>,
    ) -> FunctionId {
        let (bodies, arena) = (touching.bodies, self.program.arena.clone());
        let varies = |row: &Row| !arena.symbols_in(&[row.1]).is_empty();
        let (poses, twists) = contacts.places.results.split_at(12 * touching.frames);
        let rows = [(bodies.pose, poses), (bodies.twist, twists)].map(|(array, results)| {
            let rows: Vec<Row> = results.iter().copied().enumerate().filter(varies).collect();
            (array, rows)
        });
        let pose = self.at_stage("contact_poses", &contacts.places, &rows, arrays, settled);
        self.module.describe(pose, "Where frames are at the stage, and how they move.");
        pose
    }

    /// `(t) -> integer`: evaluates rows of a function of the stage into arrays.
    pub fn at_stage(
        &mut self,
        name: &str,
        function: &'p Function,
        into: &[(ArrayId, Vec<Row>)],
        arrays: &IntegratorArrays,
        settled: Option<ArrayId>,
    ) -> FunctionId {
        let integral = &self.program.integrals[0];
        let id = self.module.declare(name, &[("t", Real)], &[Integer]);
        self.define(id, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            scope.bind_states(&integral.states, arrays.stage);
            // What is found by iteration is sought from where it was.
            if let Some(settled) = settled {
                scope.bind_states(&integral.followers, settled);
            }
            body.bindings(function, &mut scope, &Expression::from(t));
            for (array, rows) in into {
                body.store_rows(&Target { array: *array, offset: 0.into() }, rows, &mut scope);
            }
            body.f.return_(protocol::DONE);
        });
        id
    }

    /// `(shape, x, y, z) -> 10 reals`: what curved surfaces are at a place, where there are any.
    pub fn declare_field(&mut self, contacts: &Contacts) -> Option<FunctionId> {
        let parameters = [("shape", Integer), ("x", Real), ("y", Real), ("z", Real)];
        contacts.fields.iter().any(Option::is_some).then(|| {
            let field = self.module.declare("contact_field", &parameters, &[Real; 10]);
            self.module.describe(field, "What a curved surface is at a place, with its derivatives.");
            field
        })
    }

    /// Needs: what parameters are has been declared.
    fn define_field(&mut self, contacts: &'p Contacts, field: FunctionId) {
        let coordinates = [("x", Real), ("y", Real), ("z", Real)];
        let mut surfaces = Vec::new();
        for (shape, function) in contacts.fields.iter().enumerate() {
            let Some(function) = function else { continue };
            let id = self.module.declare(&format!("contact_surface_{shape}"), &coordinates, &[Real; 10]);
            self.define(id, |body| {
                let place: [kernel::LocalId; 3] = body.f.parameters();
                let mut scope = body.lowering.scope(0.0);
                for (&symbol, at) in function.inputs.symbols.iter().zip(place) {
                    scope.bind(symbol, at.get());
                }
                let values = body.emit(&function.results, &mut scope);
                body.f.return_(values);
            });
            surfaces.push((shape, id));
        }
        self.module.define(field, |f| {
            let [shape, x, y, z] = f.parameters();
            for (at, surface) in surfaces {
                f.if_(shape.eq_(at as i64), |f| {
                    let values = f.call(surface, (x, y, z));
                    f.return_(values.into_iter().map(Term::get).collect::<Vec<Expression>>());
                });
            }
            f.return_(vec![Expression::from(0.0); 10]);
        });
    }

    fn contact_given(&mut self, contacts: &'p Contacts, touching: &Touching) -> FunctionId {
        let Touching { shapes, sizes, places, reach, halves, geometry, thing_pairs, arrays, bodies, .. } = *touching;
        let id = self.module.declare("contact_begin", &[], &[]);
        self.module.describe(id, "Sizes and places of shapes, restitution and friction, from the parameters.");
        self.define(id, |body| {
            let mut scope = body.lowering.scope(0.0);
            let values = body.emit(&contacts.given.results, &mut scope);
            body.store_all(arrays.given, values);
            let arena = body.lowering.program.arena.clone();
            for (at, &result) in contacts.places.results.iter().enumerate() {
                if arena.symbols_in(&[result]).is_empty() {
                    let value = body.emit(&[result], &mut scope).remove(0);
                    let turns = at >= 12 * touching.frames;
                    let (array, place) =
                        if turns { (bodies.twist, at - 12 * touching.frames) } else { (bodies.pose, at) };
                    body.f.store(array, place, value);
                }
            }
            let f = &mut *body.f;
            let first = SIZES * shapes;
            f.for_each("i", 0, first, |f, i| f.store(sizes, i, arrays.given.at(i) * halves.at(i)));
            f.for_each("i", 0, 12 * shapes, |f, i| f.store(places, i, arrays.given.at(i + first)));
            let laws = first + 12 * shapes;
            f.for_each("i", 0, thing_pairs, |f, i| {
                f.store(arrays.restitution, i, arrays.given.at(i * 2 + laws));
                f.store(arrays.friction, i, arrays.given.at(i * 2 + laws + 1));
            });
            f.call(geometry.measure, ());
            f.for_each("i", 0, shapes, |f, i| {
                let [x, y, z] = [0, 1, 2].map(|k| f.real("offset", places.at(i * 12 + k)));
                let offset = (x * x + y * y + z * z).sqrt();
                let radius = f.real("radius", geometry.radius.at(i));
                f.store(reach, i, radius.lt(FAR).select(offset + radius, 0.0));
            });
        });
        id
    }
}

/// All results of a function, into an array.
pub(super) fn all_rows(function: &Function, array: ArrayId) -> (ArrayId, Vec<Row>) {
    (array, function.results.iter().copied().enumerate().collect())
}
