//! The picture in coordinates: where every frame and figure is, how large, and what pulls at the bodies.

use equations::{Curve, FigurePlace, FramePlace, Picture};
use expr::{Expr, Term};
use model::{ArgumentKind, FrameId, WORLD};

use crate::formulate::Formulation;
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
        picture
    }

    fn frame_places(&mut self, picture: &mut Picture) {
        let loads = self.forces_on_frames();
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
                let kept = loads[frame.index()];
                let applied = self.mass(body) * F.a_WF - kept;
                let place = push(picture, F.v_WF.exprs());
                push(picture, applied.exprs());
                push(picture, kept.exprs());
                place
            });
            picture.frames.push(FramePlace { pose, scale, vectors });
        }
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
            for (argument, &term) in figure.row.arguments.iter().zip(&figure.arguments) {
                match argument.kind {
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
