//! Convex solids by their corners: `hull((0, 0, 0) [m], (1, 0, 0) [m], …)`.

use base::{Diagnostic, Dimension, Hull, NoHull, Span, Spread};
use syntax::Argument;

use super::solid::{Solid, SolidRow, length_to};
use super::space::Scope;
use super::{Outcome, Reported, Resolver, all};
use crate::codes;
use crate::term::{Amount, Shape, TermId, TermKind, Type};

/// All pairs of edges of two solids are looked at.
const MOST_CORNERS: usize = 64;

/// A solid with corners, its centre of mass at the origin.
#[derive(Clone, Debug)]
pub(super) struct Cornered {
    pub hull: Hull,
    /// Where that centre is among the corners as they are written.
    pub centre: [f64; 3],
    /// Means of x y, x z, y z.
    pub products: [TermId; 3],
}

impl Resolver<'_, '_> {
    pub(super) fn hull(
        &mut self,
        row: &'static SolidRow,
        arguments: &[Argument],
        scope: &Scope,
        span: Span,
    ) -> Outcome<Solid> {
        let corners = all(arguments.iter().map(|argument| self.corner(argument, scope)))?;
        if corners.len() > MOST_CORNERS {
            let message = format!("a hull has at most {MOST_CORNERS} corners, and this one has {}", corners.len());
            let diagnostic = Diagnostic::error(codes::TOO_LARGE, message).at(span, "here");
            return Err(
                self.report(diagnostic.hint("leave out corners that hardly matter, or make it of several hulls"))
            );
        }
        let hull = Hull::of(&corners).map_err(|reason| self.no_hull(reason, arguments, span))?;
        let Spread { volume, centre, means } = hull.spread();
        let [x, y, z, xy, xz, yz] = means.map(|mean| self.length_to(mean, 2, span));
        let volume = Some(self.length_to(volume, 3, span));
        let cornered = Cornered { hull: hull.about(centre), centre, products: [xy, xz, yz] };
        Ok(Solid { name: row.name, sizes: Vec::new(), volume, spread: [x, y, z], cornered: Some(cornered) })
    }

    fn length_to(&mut self, value: f64, power: i32, span: Span) -> TermId {
        self.push(TermKind::Number(value), Type::scalar(length_to(power)), span)
    }

    fn corner(&mut self, argument: &Argument, scope: &Scope) -> Outcome<[f64; 3]> {
        let span = argument.value.span;
        let place = self.expect(&argument.value, scope, Type::vector(Dimension::LENGTH), "a corner of a hull")?;
        let parts = self.components(place, span).map(|part| self.model.terms.constant(part, &|_| None));
        if let [Some(x), Some(y), Some(z)] = parts {
            return Ok([x, y, z]);
        }
        Err(self.report(
            Diagnostic::error(codes::NOT_CONSTANT, "the corners of a hull are numbers")
                .at(span, "this one can change")
                .hint("which faces a hull has follows from its corners, so these are known when a scene is read"),
        ))
    }

    fn no_hull(&mut self, reason: NoHull, arguments: &[Argument], span: Span) -> Reported {
        let place = |at: usize| arguments[at].value.span;
        let error = |message: &str| Diagnostic::error(codes::BAD_HULL, message);
        let diagnostic = match reason {
            NoHull::Few => error("a solid has at least four corners")
                .at(span, "here are fewer")
                .hint("as in `hull((0, 0, 0) [m], (1, 0, 0) [m], (0, 1, 0) [m], (0, 0, 1) [m])`"),
            NoHull::Twice(first, second) => error("two corners of this hull are in one place")
                .at(place(second), "again here")
                .at(place(first), "first here")
                .hint("leave one of them out"),
            NoHull::Flat => error("this hull is flat: all its corners are in one plane")
                .at(span, "it has no volume")
                .hint("give it corners above and below, a little thickness does"),
            NoHull::NoCorner(corner) => error("a hull is convex, and this is no corner of it")
                .at(place(corner), "it lies inside of the others, or in the middle of a face or an edge")
                .hint("leave it out; what has a dent is made of several hulls, each a `shape` of its own"),
        };
        self.report(diagnostic)
    }

    /// Where the centre of a solid is that its author wrote at a place, turned: its corners tell.
    pub(super) fn centred(
        &mut self,
        solid: &Solid,
        at: Option<TermId>,
        turned: Option<TermId>,
        span: Span,
    ) -> Option<TermId> {
        let Some(cornered) = &solid.cornered else { return at };
        let place = Type::vector(Dimension::LENGTH);
        let parts = cornered.centre.map(|part| self.length_to(part, 1, span));
        let mut centre = self.push(TermKind::Vector(parts), place, span);
        if let Some(turned) = turned {
            let matrix = Type { shape: Shape::Matrix, amount: Amount::Of(Dimension::NONE) };
            let turning = self.push(TermKind::RotationOf(turned), matrix, span);
            centre = self.push(TermKind::Product(turning, centre), place, span);
        }
        Some(match at {
            Some(at) => self.push(TermKind::Add(at, centre), place, span),
            None => centre,
        })
    }
}
