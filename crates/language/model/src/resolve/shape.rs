//! Shapes: the solids that frames and bodies are made of, where they sit, and the mass that follows.

use base::{Diagnostic, Dimension, Span};
use syntax::{Clause, Property};

use super::solid::{Solid, length_to};
use super::space::Scope;
use super::{Outcome, Resolver};
use crate::codes;
use crate::contact::ContactShape;
use crate::model::FrameId;
use crate::term::{Amount, Shape, TermId, TermKind, Type};

/// A solid at its place in a frame.
pub(super) struct Placed {
    pub solid: Solid,
    pub at: Option<TermId>,
    /// A unit quaternion.
    pub turned: Option<TermId>,
    pub span: Span,
}

/// What a body that is made of several solids of one density has, per mass.
pub(super) struct Composite {
    pub volume: TermId,
    pub centre: [TermId; 3],
    /// Means of x², y², z², x y, x z, y z about the origin of the frame.
    pub means: [TermId; 6],
}

impl Resolver<'_, '_> {
    /// The shapes of a frame, which is then among what can touch.
    pub(super) fn shapes(&mut self, frame: FrameId, item: &syntax::Frame, scope: &Scope) -> Outcome<Vec<Placed>> {
        let given: Vec<&Property> = item.properties.iter().filter(|property| property.name.text == "shape").collect();
        let mut placed = super::all(given.iter().map(|property| self.placed(property, scope)))?;
        let bears_mass =
            item.properties.iter().any(|property| matches!(property.name.text.as_str(), "mass" | "density"));
        for (part, property) in placed.iter_mut().zip(&given) {
            // The mass of a body is at its origin, and with it what alone the body is made of.
            if !(bears_mass && given.len() == 1 && property.clauses.is_empty()) {
                part.at = self.centred(&part.solid, part.at, part.turned, part.span);
            }
        }
        for Placed { solid, at, turned, span } in &placed {
            // A shell touches as the ball that it encloses does.
            let name = if solid.name == "shell" { "sphere" } else { solid.name };
            let (sizes, at, turned) = (solid.sizes.clone(), *at, *turned);
            let hull = solid.cornered.as_ref().map(|cornered| cornered.hull.clone());
            self.shapes.push((
                frame,
                ContactShape { thing: 0, solid: name, sizes, hull, level: None, at, turned, span: *span },
            ));
        }
        Ok(placed)
    }

    fn placed(&mut self, property: &Property, scope: &Scope) -> Outcome<Placed> {
        let solid = self.solid(&property.value, scope);
        let clauses = &property.clauses;
        if let Some((at, again)) = clauses.iter().enumerate().find(|(at, clause)| is_given(&clauses[..*at], clause)) {
            return Err(self.report(
                Diagnostic::error(codes::DUPLICATE_NAME, format!("`{}` is given twice", again.word.text))
                    .at(again.word.span, "again here")
                    .at(clauses[..at][0].word.span, "first here"),
            ));
        }
        let clause = |word: &str| clauses.iter().find(|clause| clause.word.text == word);
        let place = Type::vector(Dimension::LENGTH);
        let at = clause("at").map(|at| self.expect(&at.value, scope, place, "where a shape is"));
        let quaternion = Type { shape: Shape::Quaternion, amount: Amount::Of(Dimension::NONE) };
        let turned = clause("turned").map(|turned| self.expect(&turned.value, scope, quaternion, "a turn"));
        let (solid, at, turned, span) = (solid?, at.transpose()?, turned.transpose()?, property.value.span);
        Ok(Placed { solid, at, turned, span })
    }

    /// Several solids, or one that is not at the origin, of one density; nothing if one of them has no volume.
    pub(super) fn composite(&mut self, parts: &[Placed], span: Span) -> Option<Composite> {
        let volumes: Vec<TermId> = parts.iter().map(|part| part.solid.volume).collect::<Option<_>>()?;
        let cubed = self.type_of(*volumes.first()?);
        let volume = self.added(&volumes, cubed, span);
        let shares: Vec<TermId> = volumes
            .iter()
            .map(|&own| self.push(TermKind::Divide(own, volume), Type::scalar(Dimension::NONE), span))
            .collect();
        let places: Vec<[TermId; 3]> = parts.iter().map(|part| self.place_of(part)).collect();
        let centre = std::array::from_fn(|axis| {
            let length = Type::scalar(Dimension::LENGTH);
            let moments: Vec<TermId> = shares
                .iter()
                .zip(&places)
                .map(|(&share, place)| self.push(TermKind::Multiply(share, place[axis]), length, span))
                .collect();
            self.added(&moments, length, span)
        });
        let square = Type::scalar(length_to(2));
        let squares: Vec<[TermId; 6]> =
            parts.iter().zip(&places).map(|(part, place)| self.mean_squares(part, *place)).collect();
        let means = std::array::from_fn(|entry| {
            let own: Vec<TermId> = shares
                .iter()
                .zip(&squares)
                .map(|(&share, means)| self.push(TermKind::Multiply(share, means[entry]), square, span))
                .collect();
            self.added(&own, square, span)
        });
        Some(Composite { volume, centre, means })
    }

    fn place_of(&mut self, part: &Placed) -> [TermId; 3] {
        match part.at {
            Some(at) => self.components(at, part.span),
            None => [self.number(0.0, part.span); 3],
        }
    }

    /// Means of x², y², z², x y, x z, y z of one solid about the origin of the frame: R S Rᵀ + p pᵀ.
    fn mean_squares(&mut self, part: &Placed, place: [TermId; 3]) -> [TermId; 6] {
        let span = part.span;
        let square = length_to(2);
        let scalar = Type::scalar(square);
        let zero = self.number(0.0, span);
        let [x, y, z] = part.solid.spread;
        let [xy, xz, yz] = part.solid.cornered.as_ref().map_or([zero; 3], |cornered| cornered.products);
        let own = match part.turned {
            None => [x, y, z, xy, xz, yz],
            Some(turned) => {
                let matrix = |dimension| Type { shape: Shape::Matrix, amount: Amount::Of(dimension) };
                let entries = Box::new([x, xy, xz, xy, y, yz, xz, yz, z]);
                let spread = self.push(TermKind::Matrix(entries), matrix(square), span);
                let turning = self.push(TermKind::RotationOf(turned), matrix(Dimension::NONE), span);
                let back = self.push(TermKind::Transpose(turning), matrix(Dimension::NONE), span);
                let half = self.push(TermKind::Product(turning, spread), matrix(square), span);
                let whole = self.push(TermKind::Product(half, back), matrix(square), span);
                ENTRIES.map(|(i, j)| self.push(TermKind::Component(whole, 3 * i + j), scalar, span))
            }
        };
        std::array::from_fn(|entry| {
            let (i, j) = ENTRIES[entry];
            let moved = self.push(TermKind::Multiply(place[i], place[j]), scalar, span);
            self.push(TermKind::Add(own[entry], moved), scalar, span)
        })
    }

    fn added(&mut self, parts: &[TermId], type_: Type, span: Span) -> TermId {
        let mut sum = parts[0];
        for &part in &parts[1..] {
            sum = self.push(TermKind::Add(sum, part), type_, span);
        }
        sum
    }
}

/// Of a symmetric matrix, in the order of moments and products of inertia.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

fn is_given(before: &[Clause], clause: &Clause) -> bool {
    before.iter().any(|other| other.word.text == clause.word.text)
}
