//! The picture in coordinates: where every frame and figure is, how large, and what pulls at the bodies.

use std::iter::repeat;

use equations::{Curve, FigurePlace, FramePlace, Picture, Surface};
use expr::{Differentiator, Expr, Substitution, Term, Vector};
use model::{ArgumentKind, FrameId, WORLD};

use crate::formulate::Formulation;
use crate::kinematics::{FrameState, Pose};
use crate::meaning::Meaning;
use crate::rotation::multiply;

impl<'a> Formulation<'a> {
    pub fn picture(&mut self) -> Picture {
        let mut picture = Picture::default();
        self.frame_places(&mut picture);
        self.figure_places(&mut picture);
        let model = self.model;
        for camera in &model.picture.cameras {
            let places = [camera.at, camera.target].map(|term| push(&mut picture, self.vector(term).exprs()));
            picture.cameras.push(places);
        }
        for trace in &model.picture.traces {
            let place = push(&mut picture, self.vector(trace.position).exprs());
            picture.traces.push(place);
        }
        for actuator in &model.actuators {
            let place = push(&mut picture, self.pose(actuator.frame).p_WF.exprs());
            push(&mut picture, self.vector(actuator.action).exprs());
            picture.actuators.push(place);
        }
        if !model.bodies.is_empty() {
            picture.centre = Some(push(&mut picture, self.centre_of_mass().exprs()));
        }
        for curve in &model.picture.curves {
            let parameter = self.arena.new_symbol(model.terms.bound_name(curve.parameter));
            let stand_in = self.arena.term(self.arena.symbol(parameter));
            self.bounds.insert(curve.parameter, Meaning::Scalar(stand_in));
            let (from, to) = (self.scalar(curve.from).expr, self.scalar(curve.to).expr);
            let point = self.vector(curve.point).exprs();
            let radius = push(&mut picture, [self.scalar(curve.radius).expr]);
            picture.curves.push(Curve { parameter, from, to, point, radius });
        }
        for surface in &model.picture.surfaces {
            let coordinates = surface.coordinates.map(|coordinate| {
                let symbol = self.arena.new_symbol(model.terms.bound_name(coordinate));
                self.bounds.insert(coordinate, Meaning::Scalar(self.arena.term(self.arena.symbol(symbol))));
                symbol
            });
            let (residual, size) = (self.scalar(surface.residual).expr, self.scalar(surface.size).expr);
            let place = push(&mut picture, [size]);
            picture.surfaces.push(Surface { coordinates, residual, size, place });
        }
        picture
    }

    fn frame_places(&mut self, picture: &mut Picture) {
        let forces = self.applied_forces();
        // The orientation of each frame in the world; a parent may be declared after its children.
        let mut turned: Vec<Option<[Term<'a>; 4]>> = vec![None; self.model.frames.len()];
        for frame in (1..self.model.frames.len()).map(|at| FrameId(at as u32)) {
            let F = self.pose(frame);
            let q_WF = self.orientation(frame, &mut turned);
            let pose = push(picture, F.p_WF.exprs());
            push(picture, q_WF.map(|part| part.expr));
            let unit = F.scale.0.iter().all(|part| part.expr == self.arena.one());
            let scale = (!unit).then(|| push(picture, F.scale.exprs()));
            let vectors = self.bodies[frame.index()].map(|body| {
                // What is left of mass times acceleration without the applied forces comes from constraints and joints.
                let applied = forces[frame.index()];
                let kept = self.mass(body) * F.a_WF - applied;
                let place = push(picture, F.v_WF.exprs());
                push(picture, applied.exprs());
                push(picture, kept.exprs());
                place
            });
            picture.frames.push(FramePlace { pose, scale, vectors });
        }
    }

    /// Weight, stated forces, the pull of a hand, and the forces of potentials on each frame.
    fn applied_forces(&mut self) -> Vec<Vector<'a>> {
        let model = self.model;
        let mut forces = self.forces_of_potentials();
        if let Some(gravity) = &model.gravity {
            let g = self.vector(gravity.acceleration);
            for body in &model.bodies {
                forces[body.frame.index()] = forces[body.frame.index()] + self.mass(body) * g;
            }
        }
        for force in &model.forces {
            forces[force.frame.index()] = forces[force.frame.index()] + self.vector(force.value);
        }
        if let Some(pull) = self.pull() {
            forces[pull.frame.index()] = forces[pull.frame.index()] + pull.force;
        }
        forces
    }

    /// The slope of each potential as one frame is shifted and all else stays: f = −∂V/∂δ at δ = 0.
    fn forces_of_potentials(&mut self) -> Vec<Vector<'a>> {
        let (model, arena) = (self.model, self.arena);
        let mut forces = vec![arena.zero_vector(); model.frames.len()];
        let places = self.position_nodes();
        for family in self.kept_families() {
            for (argument, slope) in family.slope_symbols() {
                let (frame, axis) = places[&family.arguments[argument]];
                let part = &mut forces[frame.index()].0[axis];
                *part = *part - arena.term(arena.symbol(slope));
            }
        }
        if model.potentials.is_empty() && model.families.len() == self.kept_families().len() {
            return forces;
        }
        let shifts: Vec<Vector<'a>> = (0..model.frames.len())
            .map(|_| arena.vector([0; 3].map(|_| arena.symbol(arena.new_symbol("δ")))))
            .collect();
        let poses = self.frames.iter().zip(&shifts).map(|(state, &shift)| match state {
            FrameState::Done(pose) => FrameState::Done(Box::new(Pose { p_WF: pose.p_WF + shift, ..**pose })),
            _ => FrameState::Waiting,
        });
        let poses = poses.collect();
        let (known, still) = (std::mem::take(&mut self.meanings), std::mem::replace(&mut self.frames, poses));
        let shifted: Vec<Expr> = self.written_potentials().into_iter().map(|(_, value, _)| value).collect();
        (self.meanings, self.frames) = (known, still);
        let all = shifts.iter().flat_map(|shift| shift.exprs()).map(|shift| (shift, arena.zero()));
        let mut at_rest = Substitution::new(all);
        for potential in shifted {
            let met = arena.symbols_in(&[potential]);
            for (force, shift) in forces.iter_mut().zip(&shifts) {
                for (part, by) in force.0.iter_mut().zip(shift.exprs()) {
                    if arena.as_symbol(by).is_some_and(|symbol| met.contains(&symbol)) {
                        let slope = Differentiator::by(arena, by).derivative(arena, potential);
                        *part = *part - arena.term(at_rest.apply(arena, slope));
                    }
                }
            }
        }
        forces
    }

    fn orientation(&mut self, frame: FrameId, turned: &mut [Option<[Term<'a>; 4]>]) -> [Term<'a>; 4] {
        if let Some(known) = turned[frame.index()] {
            return known;
        }
        let q_PF = self.pose(frame).rotation.quaternion;
        let q_WF = match self.model.frame(frame).parent {
            WORLD => q_PF,
            parent => multiply(self.orientation(parent, turned), q_PF),
        };
        turned[frame.index()] = Some(q_WF);
        q_WF
    }

    fn figure_places(&mut self, picture: &mut Picture) {
        let model = self.model;
        for figure in &model.picture.figures {
            let offset = figure.offset.map(|offset| push(picture, self.vector(offset).exprs()));
            let turned = figure.turned.map(|turned| {
                let parts = self.meaning(turned).parts();
                picture.values.extend(parts.iter().map(|&(_, part)| part));
                picture.values.len() - parts.len()
            });
            let sizes = picture.values.len();
            // A hull has numbers without end.
            let kinds = figure.row.arguments.iter().map(|argument| argument.kind).chain(repeat(ArgumentKind::Length));
            for (kind, &term) in kinds.zip(&figure.arguments) {
                match kind {
                    ArgumentKind::Point => push(picture, self.vector(term).exprs()),
                    _ => push(picture, [self.scalar(term).expr]),
                };
            }
            let count = picture.values.len() - sizes;
            picture.figures.push(FigurePlace { offset, turned, sizes, count });
        }
    }
}

/// Adds values, and tells where the first of them is.
fn push<const N: usize>(picture: &mut Picture, values: [Expr; N]) -> usize {
    picture.values.extend(values);
    picture.values.len() - N
}
