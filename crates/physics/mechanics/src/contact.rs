//! What contact needs to know of the motion: how frames that bear shapes move, and symbols for the forces on them.

use equations::{ContactField, ContactFrame, ContactPair, ContactSet, ContactShape, ContactSymbols, ContactThing};
use expr::{Differentiator, Expr, Matrix, SymbolId, Vector};
use model::{BoundId, CONTACT_STATES, ContactQuantity, FrameId, HALF_SPACE, TermId};

use crate::formulate::Formulation;
use crate::meaning::Meaning;
use crate::rotation::matrix;

/// What stands for contact in the equations.
#[derive(Default)]
pub(crate) struct Touching {
    /// The frames that bear shapes, each with its force and its moment.
    frames: Vec<(FrameId, [SymbolId; 6])>,
    pairs: Vec<ContactSymbols>,
}

/// The words for the numbers of states.
pub(crate) fn state_words() -> Vec<String> {
    let last = CONTACT_STATES.iter().map(|&(_, number)| number).max().unwrap_or(0);
    let word =
        |at: usize| CONTACT_STATES.iter().find(|&&(_, number)| number == at).map_or("touching", |&(word, _)| word);
    (0..=last).map(|at| word(at).to_string()).collect()
}

impl<'a> Formulation<'a> {
    pub fn name_contacts(&mut self) {
        let Some(contacts) = &self.model.contacts else { return };
        let arena = self.arena;
        for thing in &contacts.things {
            if self.touching.frames.iter().all(|&(frame, _)| frame != thing.frame) {
                let name = &self.model.frame(thing.frame).name;
                let part = |part: &str| arena.new_symbol(&format!("contact on {name}: {part}"));
                let wrench = ["fx", "fy", "fz", "mx", "my", "mz"].map(part);
                self.touching.frames.push((thing.frame, wrench));
            }
        }
        for pair in &contacts.pairs {
            let [a, b] = pair.things.map(|thing| &contacts.things[thing].name);
            let symbol = |quantity: &str| arena.new_symbol(&format!("contact({a}, {b}).{quantity}"));
            self.touching.pairs.push(ContactSymbols {
                gap: symbol("gap"),
                force: ["force.x", "force.y", "force.z"].map(symbol),
                state: symbol("state"),
                impulse: symbol("impulse"),
                impacts: symbol("impacts"),
            });
        }
    }

    /// The force on each frame that bears shapes, and the moment about its origin.
    pub fn wrenches(&self) -> Vec<(FrameId, Vector<'a>, Vector<'a>)> {
        let term = |&symbol: &SymbolId| self.arena.term(self.arena.symbol(symbol));
        let vector = |parts: &[SymbolId]| Vector(std::array::from_fn(|at| term(&parts[at])));
        let wrench = |(frame, parts): &(FrameId, [SymbolId; 6])| (*frame, vector(&parts[..3]), vector(&parts[3..]));
        self.touching.frames.iter().map(wrench).collect()
    }

    pub fn contact_quantity(&self, pair: usize, quantity: ContactQuantity) -> Meaning<'a> {
        let seen = &self.touching.pairs[pair];
        let term = |symbol: SymbolId| self.arena.term(self.arena.symbol(symbol));
        match quantity {
            ContactQuantity::Gap => Meaning::Scalar(term(seen.gap)),
            ContactQuantity::Force => Meaning::Vector(Vector(seen.force.map(term))),
            ContactQuantity::State => Meaning::Scalar(term(seen.state)),
            ContactQuantity::Impulse => Meaning::Scalar(term(seen.impulse)),
            ContactQuantity::Impacts => Meaning::Scalar(term(seen.impacts)),
        }
    }

    pub fn contacts(&mut self) -> Option<ContactSet> {
        let contacts = self.model.contacts.as_ref()?;
        let frames = std::mem::take(&mut self.touching.frames);
        let place = |frame: FrameId| frames.iter().position(|&(other, _)| other == frame).expect("it was named before");
        let thing =
            |it: &model::Touchable| ContactThing { name: it.name.clone(), frame: place(it.frame), span: it.span };
        let things = contacts.things.iter().map(thing).collect();
        let shapes = contacts.shapes.iter().map(|shape| self.contact_shape(shape)).collect();
        let symbols = std::mem::take(&mut self.touching.pairs);
        let pairs = contacts.pairs.iter().zip(symbols).map(|(pair, seen)| ContactPair {
            things: pair.things,
            restitution: self.scalar(pair.restitution).expr,
            friction: self.scalar(pair.friction).expr,
            together: pair.together,
            seen,
            span: pair.span,
        });
        let pairs = pairs.collect();
        let frames = frames.into_iter().map(|(frame, wrench)| self.contact_frame(frame, wrench)).collect();
        let step = contacts.step.map(|step| self.scalar(step).expr);
        Some(ContactSet { frames, things, shapes, pairs, step })
    }

    fn contact_frame(&mut self, frame: FrameId, wrench: [SymbolId; 6]) -> ContactFrame {
        let F = self.pose(frame);
        ContactFrame {
            wrench,
            pose: placed(F.p_WF, F.R_WF),
            twist: both(F.v_WF, F.w_WF),
            acceleration: both(F.a_WF, F.alpha_WF),
            span: self.model.frame(frame).span,
        }
    }

    fn contact_shape(&mut self, shape: &model::ContactShape) -> ContactShape {
        let arena = self.arena;
        let sizes: Vec<Expr> = shape.sizes.iter().map(|&size| self.scalar(size).expr).collect();
        let (sizes, place) = if shape.solid == HALF_SPACE {
            // With left − right = g·x + c, the plane passes through −c g/|g|², and g is along its normal.
            let gradient = arena.vector([sizes[0], sizes[1], sizes[2]]);
            let square = gradient.dot(gradient);
            let origin = (-arena.term(sizes[3]) / square) * gradient;
            let normal = (arena.constant(1.0) / square.sqrt()) * gradient;
            let zero = arena.constant(0.0);
            (Vec::new(), placed(origin, Matrix(normal.0.map(|part| [zero, zero, part]))))
        } else {
            let origin = shape.at.map_or(arena.zero_vector(), |at| self.vector(at));
            let axes = match shape.turned {
                Some(turned) => match self.meaning(turned) {
                    Meaning::Quaternion(parts) => matrix(arena, parts),
                    _ => arena.identity(),
                },
                None => arena.identity(),
            };
            (sizes, placed(origin, axes))
        };
        ContactShape {
            thing: shape.thing,
            solid: shape.solid,
            sizes,
            hull: shape.hull.clone(),
            field: shape.level.map(|(coordinates, residual)| self.contact_field(coordinates, residual)),
            place,
            span: shape.span,
        }
    }
}

impl Formulation<'_> {
    /// The residual of a curved surface with its derivatives, at coordinates in its frame.
    fn contact_field(&mut self, coordinates: [BoundId; 3], residual: TermId) -> ContactField {
        let arena = self.arena;
        let at = coordinates.map(|coordinate| {
            let symbol = arena.new_symbol(self.model.terms.bound_name(coordinate));
            self.bounds.insert(coordinate, Meaning::Scalar(arena.term(arena.symbol(symbol))));
            symbol
        });
        let value = self.scalar(residual).expr;
        let by = |of: Expr, axis: usize| Differentiator::by(arena, arena.symbol(at[axis])).derivative(arena, of);
        let gradient = [0, 1, 2].map(|axis| by(value, axis));
        let [x, y, z] = gradient;
        let second = [by(x, 0), by(y, 1), by(z, 2), by(x, 1), by(x, 2), by(y, 2)];
        let mut values = [value].into_iter().chain(gradient).chain(second);
        ContactField { at, values: std::array::from_fn(|_| values.next().expect("ten of them")) }
    }
}

fn placed(origin: Vector, axes: Matrix) -> [Expr; 12] {
    let mut parts = origin.exprs().into_iter().chain(axes.0.into_iter().flatten().map(|entry| entry.expr));
    std::array::from_fn(|_| parts.next().expect("three and nine"))
}

fn both(first: Vector, second: Vector) -> [Expr; 6] {
    let (first, second) = (first.exprs(), second.exprs());
    std::array::from_fn(|at| if at < 3 { first[at] } else { second[at - 3] })
}
