//! What is drawn though nobody says how: all of a scene that shows nothing, and what may touch where no figure stands for it.

use base::{Dimension, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Resolver;
use crate::contact::{ContactShape, HALF_SPACE, SURFACE};
use crate::model::{FrameId, WORLD};
use crate::picture::{ArgumentKind, FIGURES, Figure, HULL, Look, Picture};
use crate::term::{Amount, FrameQuantity, Shape, TermId, TermKind, Type};

const LENGTH: Type = Type::scalar(Dimension::LENGTH);
const PLACE: Type = Type::vector(Dimension::LENGTH);

impl Resolver<'_, '_> {
    pub(super) fn imply_picture(&mut self) {
        let Picture { figures, curves, surfaces, .. } = &self.model.picture;
        if figures.is_empty() && curves.is_empty() && surfaces.is_empty() {
            self.imply_all();
        }
        self.imply_what_touches();
    }

    /// A scene that shows nothing is drawn all the same: bodies as what they are, frames as axes, rods from frame to frame.
    fn imply_all(&mut self) {
        let massive: FxHashSet<FrameId> = self.model.bodies.iter().map(|body| body.frame).collect();
        let marked: FxHashSet<FrameId> = self.markers.iter().map(|marker| marker.frame).collect();
        let mut shapes_of: FxHashMap<FrameId, Vec<ContactShape>> = FxHashMap::default();
        for (frame, shape) in &self.shapes {
            shapes_of.entry(*frame).or_default().push(shape.clone());
        }
        for at in 1..self.model.frames.len() {
            let frame = FrameId(at as u32);
            let bears_mass = massive.contains(&frame);
            let shapes = shapes_of.remove(&frame).unwrap_or_default();
            let span = self.model.frame(frame).span;
            // A size of zero is left to whoever draws.
            let any = self.push(TermKind::Number(0.0), LENGTH, span);
            shapes.iter().for_each(|shape| self.imply_shape(frame, shape, any));
            let marks = marked.contains(&frame);
            match bears_mass {
                _ if !shapes.is_empty() || (marks && !bears_mass) => {}
                true => self.imply("sphere", frame, vec![any], span),
                false => self.imply("axes", frame, vec![any], span),
            }
            let parent = self.model.frame(frame).parent;
            if parent != WORLD && self.is_apart(frame) {
                let ends = [parent, frame].map(|end| self.origin(end, span));
                self.imply("rod", WORLD, vec![ends[0], ends[1], any], span);
            }
        }
    }

    /// Motion that nobody can see the reason of is puzzling: what is bounced off is seen, unless a figure stands for it.
    fn imply_what_touches(&mut self) {
        let Some(contacts) = self.model.contacts.clone() else { return };
        let drawn: Vec<FrameId> = self.model.picture.figures.iter().map(|figure| figure.frame).collect();
        let (fixed, reached) = (self.fixed_figures(), self.reached_frames());
        let roots = self.motions().roots;
        let root = |frame: FrameId| roots[frame.index()];
        for shape in &contacts.shapes {
            let frame = contacts.things[shape.thing].frame;
            let same = |other: &FrameId| root(*other) == root(frame);
            // Whatever is fixed beside a plane is taken to show it. Many a rigid thing is drawn by rods between its frames; but what
            // stands in the world is not all one thing.
            let seen = match shape.solid {
                HALF_SPACE => fixed.iter().any(same),
                _ if root(frame) == WORLD => drawn.contains(&frame) || reached.contains(&frame),
                _ => drawn.contains(&frame) || fixed.iter().chain(&reached).any(same),
            };
            let any = self.push(TermKind::Number(0.0), LENGTH, shape.span);
            match shape.solid {
                _ if seen || shape.solid == SURFACE => {}
                HALF_SPACE => self.imply_plane(frame, shape, any),
                _ => self.imply_shape(frame, shape, any),
            }
        }
    }

    /// The frames that figures of the text are fixed to; what reaches from frame to frame is fixed nowhere.
    fn fixed_figures(&self) -> Vec<FrameId> {
        let Picture { figures, surfaces, .. } = &self.model.picture;
        let points = |figure: &Figure| figure.row.arguments.iter().any(|argument| argument.kind == ArgumentKind::Point);
        let fixed = figures.iter().filter(|figure| !figure.implied && !points(figure)).map(|figure| figure.frame);
        fixed.chain(surfaces.iter().map(|surface| surface.frame)).collect()
    }

    /// The frames that figures and curves of the text reach to.
    fn reached_frames(&self) -> Vec<FrameId> {
        let Picture { figures, curves, .. } = &self.model.picture;
        let written = figures.iter().filter(|figure| !figure.implied).flat_map(|figure| &figure.arguments);
        let mut reached = Vec::new();
        for &term in written.chain(curves.iter().map(|curve| &curve.point)) {
            self.model.terms.find(term, |kind| {
                if let TermKind::Frame(frame, FrameQuantity::Position) | TermKind::PointOf(frame, _) = kind {
                    reached.push(*frame);
                }
                false
            });
        }
        reached
    }

    /// The plane g·x + r = 0, as a square about the foot of the frame's origin, turned from z to the gradient g.
    fn imply_plane(&mut self, frame: FrameId, shape: &ContactShape, any: TermId) {
        let (span, sizes) = (shape.span, &shape.sizes);
        let &[x, y, z, rest] = &sizes[..] else { return };
        let slope = self.type_of(x).amount.dimension();
        let scalar = Type::scalar(slope);
        let gradient = self.push(TermKind::Vector([x, y, z]), Type::vector(slope), span);
        let size = self.push(TermKind::Norm(gradient), scalar, span);
        // The shortest turn is (|g| + g.z, -g.y, g.x, 0) over its size; a plane is the same from below, where that vanishes.
        let below = self.model.terms.constant(z, &|id| Some(self.model.parameters[id.index()].default));
        let [x, y, z] = match below {
            Some(slope) if slope < 0.0 => [x, y, z].map(|part| self.push(TermKind::Negate(part), scalar, span)),
            _ => [x, y, z],
        };
        let first = self.push(TermKind::Add(size, z), scalar, span);
        let back = self.push(TermKind::Negate(y), scalar, span);
        let none = self.push(TermKind::Number(0.0), scalar, span);
        let turning = self.push(TermKind::Vector([first, back, x]), Type::vector(slope), span);
        let long = self.push(TermKind::Norm(turning), scalar, span);
        let plain = Type::scalar(Dimension::NONE);
        let parts = [first, back, x, none].map(|part| self.push(TermKind::Divide(part, long), plain, span));
        let quaternion = Type { shape: Shape::Quaternion, amount: Amount::Of(Dimension::NONE) };
        let turned = self.push(TermKind::Quaternion(parts), quaternion, span);
        // The foot is at -r g / |g|².
        let unit = self.push(TermKind::Divide(gradient, size), Type::vector(Dimension::NONE), span);
        let up = self.push(TermKind::Divide(rest, size), LENGTH, span);
        let down = self.push(TermKind::Negate(up), LENGTH, span);
        let foot = self.push(TermKind::Multiply(down, unit), PLACE, span);
        self.imply("plane", frame, vec![any], span);
        if let Some(figure) = self.model.picture.figures.last_mut() {
            (figure.offset, figure.turned) = (Some(foot), Some(turned));
            figure.look.color = Some("lightgray".to_string());
        }
    }

    /// A shape as the figure that looks like it.
    fn imply_shape(&mut self, frame: FrameId, shape: &ContactShape, any: TermId) {
        let span = self.model.frame(frame).span;
        let (name, arguments) = match (shape.solid, &shape.sizes[..]) {
            ("rod", &[length]) => ("cylinder", vec![any, length]),
            (name, sizes) => (name, sizes.to_vec()),
        };
        let arguments = shape.hull.as_ref().map_or(arguments, |hull| {
            hull.corners.iter().flatten().map(|&part| self.push(TermKind::Number(part), LENGTH, span)).collect()
        });
        let before = self.model.picture.figures.len();
        self.imply(name, frame, arguments, span);
        let offset = match (shape.solid, shape.at) {
            ("cone", at) => Some(self.foot_of_cone(shape, at)),
            (_, at) => at,
        };
        if let Some(figure) = self.model.picture.figures.get_mut(before) {
            (figure.offset, figure.turned) = (offset, shape.turned);
        }
    }

    /// A cone is drawn from its base, which is a quarter of its height below its centre of mass.
    fn foot_of_cone(&mut self, shape: &ContactShape, at: Option<TermId>) -> TermId {
        let (span, zero) = (shape.span, self.number(0.0, shape.span));
        let quarter = self.plain_number(-0.25, span);
        let down = self.push(TermKind::Multiply(quarter, shape.sizes[1]), LENGTH, span);
        let mut foot = self.push(TermKind::Vector([zero, zero, down]), PLACE, span);
        if let Some(turned) = shape.turned {
            let matrix = Type { shape: Shape::Matrix, amount: Amount::Of(Dimension::NONE) };
            let turning = self.push(TermKind::RotationOf(turned), matrix, span);
            foot = self.push(TermKind::Product(turning, foot), PLACE, span);
        }
        match at {
            Some(at) => self.push(TermKind::Add(at, foot), PLACE, span),
            None => foot,
        }
    }

    fn imply(&mut self, name: &str, frame: FrameId, arguments: Vec<TermId>, span: Span) {
        let Some(row) = FIGURES.iter().chain([&HULL]).find(|row| row.name == name) else { return };
        let along = [0.0, 0.0, 1.0];
        let look = Look::default();
        let figure =
            Figure { row, frame, offset: None, along, turned: None, arguments, look, file: None, implied: true, span };
        self.model.picture.figures.push(figure);
    }

    /// Whether a frame's origin is not always that of its parent.
    fn is_apart(&self, frame: FrameId) -> bool {
        self.model.frame(frame).position.iter().any(|component| match component {
            crate::Component::Given(term) => {
                self.model.terms.get(*term).type_ != Type { shape: Shape::Scalar, amount: Amount::Zero }
            }
            crate::Component::Free(_) => true,
        })
    }
}
