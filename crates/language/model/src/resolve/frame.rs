//! Frames and bodies: their transformation and their mass.

use base::{Diagnostic, Dimension, Span};
use syntax::{Argument, Axis, Expr, ExprKind, Property};

use super::shape::Placed;
use super::space::Scope;
use super::{Outcome, Reported, Resolver, Sense, Value, all};
use crate::codes;
use crate::model::{Body, Component, FrameId, Inertia, Rotation, WORLD};
use crate::term::{Shape, TermId, TermKind, Type};

/// What a frame or a body can be given in its braces.
pub struct PropertyRow {
    pub name: &'static str,
    pub bodies_only: bool,
    pub meaning: &'static str,
}

const fn property(name: &'static str, bodies_only: bool, meaning: &'static str) -> PropertyRow {
    PropertyRow { name, bodies_only, meaning }
}

#[rustfmt::skip]
pub const PROPERTIES: &[PropertyRow] = &[
    property("position", false, "of the origin, in the parent's axes: `(x, y, z)`, each part given or `free`"),
    property("rotation", false, "relative to the parent: `about x free`, `about (1, 1, 0) 30 [deg]`, `free`"),
    property("scale",    false, "a number, or one for each axis"),
    property("mass",     true,  "a number of kilograms"),
    property("inertia",  true,  "moments about the origin along the body's axes: `(Ixx, Iyy, Izz)`"),
    property("products", true,  "off-diagonal entries of the inertia tensor: `(Ixy, Ixz, Iyz)`"),
    property("shape",    false, "a solid of uniform density, such as `box(1 [m], 2 [m], 3 [m])`; several, each `at` its place and `turned`, make one body; without mass it is only touched"),
    property("density",  true,  "of the shape, instead of a mass"),
];

/// What other tools write into a body, and where it stands here.
#[rustfmt::skip]
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["velocity", "speed"], "how it starts is stated by itself: `initially NAME.velocity == (…)`"),
    (&["omega", "spin", "angular_velocity"], "how it starts is stated by itself: `initially NAME.omega == (…)`"),
    (&["angle"], "it is free about an axis, and its start is stated: `rotation = about x free`, `initially NAME.angle == 30 [deg]`"),
    (&["friction", "restitution"], "how things touch is said of pairs: `contact all { restitution = 0.5; friction = 0.3 }`"),
    (&["color", "colour", "mesh", "size", "radius"], "how it looks is said by itself: `show sphere(5 [cm]) on NAME color \"tomato\"`"),
    (&["force", "torque"], "what acts on it is said by itself: `force on NAME = (…)`"),
];

impl Resolver<'_, '_> {
    pub(super) fn frame(&mut self, frame: &syntax::Frame, scope: &Scope, span: Span) -> Outcome<()> {
        let id = self.transformation(frame, scope, false, span)?;
        self.shapes(id, frame, scope).map(|_| ())
    }

    pub(super) fn body(&mut self, body: &syntax::Frame, scope: &Scope, span: Span) -> Outcome<()> {
        let frame = self.transformation(body, scope, true, span)?;
        let mut parts = self.shapes(frame, body, scope)?;
        let single =
            matches!(&parts[..], [part] if part.at.is_none() && part.turned.is_none() && part.solid.cornered.is_none());
        let composite = if single { None } else { self.composite(&parts, span) };
        let solid = if single { parts.pop().map(|part| part.solid) } else { None };
        let volume = solid.as_ref().and_then(|solid| solid.volume).or(composite.as_ref().map(|whole| whole.volume));
        let mass = self.mass(body, volume, scope)?;
        let products = match find(body, "products") {
            Some(property) => {
                Some(self.expect(&property.value, scope, Type::vector(Dimension::INERTIA), "products of inertia")?)
            }
            None => None,
        };
        let given = find(body, "inertia");
        if !parts.is_empty() && composite.is_none() && given.is_none() {
            return Err(self.inertia_not_given(body, &parts));
        }
        let composite = composite.filter(|_| given.is_none());
        let spread = solid.filter(|_| given.is_none()).map(|solid| solid.spread);
        let squares = spread.or(composite.as_ref().map(|whole| [whole.means[0], whole.means[1], whole.means[2]]));
        let moments: Option<[TermId; 3]> = match (given, squares) {
            (Some(property), _) => {
                let moments =
                    self.expect(&property.value, scope, Type::vector(Dimension::INERTIA), "a moment of inertia")?;
                Some(self.components(moments, property.value.span))
            }
            (None, Some([x, y, z])) => {
                let mut moments = [(y, z), (x, z), (x, y)].map(|(a, b)| self.add_squares(a, b, span));
                for moment in &mut moments {
                    *moment = self.multiply(mass, *moment, span)?;
                }
                Some(moments)
            }
            (None, None) => None,
        };
        let products = match (products, &composite) {
            (Some(products), _) => self.components(products, span),
            (None, Some(whole)) => [3, 4, 5].map(|entry| self.product_of_inertia(mass, whole.means[entry], span)),
            (None, None) => [self.number(0.0, span); 3],
        };
        let inertia = moments.map(|[xx, yy, zz]| {
            let [xy, xz, yz] = products;
            Inertia { entries: [xx, yy, zz, xy, xz, yz] }
        });
        let has_density = find(body, "density").is_some();
        let centre = composite.map(|whole| whole.centre);
        self.model.bodies.push(Body { frame, mass, inertia, spread, centre, has_density, span: body.name.span });
        Ok(())
    }

    /// −m ⟨x y⟩
    fn product_of_inertia(&mut self, mass: TermId, mean: TermId, span: Span) -> TermId {
        let type_ = Type::scalar(Dimension::INERTIA);
        let moment = self.push(TermKind::Multiply(mass, mean), type_, span);
        self.push(TermKind::Negate(moment), type_, span)
    }

    fn inertia_not_given(&mut self, body: &syntax::Frame, parts: &[Placed]) -> Reported {
        let message = format!("how the mass of `{}` is spread is not given", body.name.text);
        let mut diagnostic =
            Diagnostic::error(codes::MISSING_MASS, message).at(body.name.span, "made of several shapes");
        for part in parts.iter().filter(|part| part.solid.volume.is_none()) {
            diagnostic = diagnostic.at(part.span, "this one has no volume, so its share is not known");
        }
        self.report(diagnostic.hint("give its moments about its origin: `inertia = (Ixx, Iyy, Izz)`"))
    }

    fn mass(&mut self, body: &syntax::Frame, volume: Option<TermId>, scope: &Scope) -> Outcome<TermId> {
        match (find(body, "mass"), find(body, "density"), volume) {
            (Some(mass), None, _) => self.expect(&mass.value, scope, Type::scalar(Dimension::MASS), "a mass"),
            (Some(mass), Some(density), _) => Err(self.report(
                Diagnostic::error(codes::DUPLICATE_NAME, format!("`{}` has both a mass and a density", body.name.text))
                    .at(density.span, "the density follows from mass and shape")
                    .at(mass.span, "the mass is given here")
                    .hint("drop one of them"),
            )),
            (None, Some(density), Some(volume)) => {
                let value = self.expect(&density.value, scope, Type::scalar(Dimension::DENSITY), "a density")?;
                self.multiply(value, volume, density.span)
            }
            (None, density, _) => {
                let message = format!("the mass of `{}` is not given", body.name.text);
                let mut diagnostic =
                    Diagnostic::error(codes::MISSING_MASS, message).at(body.name.span, "a body has a mass");
                diagnostic = match (density, find(body, "shape")) {
                    (Some(density), Some(shape)) => diagnostic
                        .at(density.span, "a density needs a volume")
                        .at(shape.span, "this shape has none")
                        .hint("give its `mass` instead of the density"),
                    (Some(density), None) => {
                        diagnostic.at(density.span, "a density needs a shape").hint("add `shape = sphere(…)`")
                    }
                    (None, _) => diagnostic.hint("add `mass = 1 [kg]`, or declare it with `frame` if it has none"),
                };
                Err(self.report(diagnostic))
            }
        }
    }

    /// Parent, position, rotation and scale; stores them and gives the frame's number.
    fn transformation(&mut self, frame: &syntax::Frame, scope: &Scope, is_body: bool, span: Span) -> Outcome<FrameId> {
        let name = self.full_name(&frame.name, scope)?;
        let Ok(Value::Frame(id)) = self.lookup(&name, frame.name.span, &Scope::of(scope.space), Sense::Thing) else {
            return Err(Reported);
        };
        self.check_properties(frame, is_body);
        if let Some(parent) = &frame.parent {
            self.model.frames[id.index()].parent = self.frame_of(parent, scope)?;
        }
        let position = find(frame, "position").map(|property| self.position(&property.value, scope));
        let rotation = find(frame, "rotation").map(|property| self.rotation(&property.value, scope));
        let scale = find(frame, "scale").map(|property| self.scale(&property.value, scope));
        let stored = &mut self.model.frames[id.index()];
        // The first words are enough to show which frame is meant; its braces may go on for many lines.
        stored.span = Span { end: frame.name.span.end, ..span };
        if let Some(position) = position.transpose()? {
            stored.position = position;
        }
        if let Some(rotation) = rotation.transpose()? {
            stored.rotation = rotation;
        }
        if let Some(scale) = scale.transpose()? {
            stored.scale = scale;
        }
        Ok(id)
    }

    fn check_properties(&mut self, frame: &syntax::Frame, is_body: bool) {
        for (at, property) in frame.properties.iter().enumerate() {
            let mut before = frame.properties[..at].iter().filter(|_| property.name.text != "shape");
            if let Some(before) = before.find(|before| before.name.text == property.name.text) {
                self.report(
                    Diagnostic::error(codes::DUPLICATE_NAME, format!("`{}` is given twice", property.name.text))
                        .at(property.name.span, "again here")
                        .at(before.name.span, "first here"),
                );
            }
            let row = PROPERTIES.iter().find(|row| row.name == property.name.text);
            if row.is_some_and(|row| is_body || !row.bodies_only) {
                continue;
            }
            let message =
                format!("a {} has no property `{}`", if is_body { "body" } else { "frame" }, property.name.text);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_PROPERTY, message).at(property.name.span, "unknown here");
            let known: Vec<&str> =
                PROPERTIES.iter().filter(|row| is_body || !row.bodies_only).map(|row| row.name).collect();
            let elsewhere = ELSEWHERE.iter().find(|(names, _)| names.contains(&property.name.text.as_str()));
            let hint = match base::nearest(&property.name.text, known.iter().copied()) {
                _ if row.is_some() => "declare it with `body` if it bears mass".to_string(),
                _ if let Some((_, form)) = elsewhere => form.replace("NAME", &frame.name.text),
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it can have {}", known.join(", ")),
            };
            self.report(diagnostic.hint(hint));
        }
    }

    pub(super) fn position(&mut self, value: &Expr, scope: &Scope) -> Outcome<[Component; 3]> {
        self.triple(value, scope, Dimension::LENGTH, "a position")
    }

    fn scale(&mut self, value: &Expr, scope: &Scope) -> Outcome<[Component; 3]> {
        if !matches!(value.kind, ExprKind::Tuple(_) | ExprKind::Free(_)) {
            let term = self.term(value, scope)?;
            if self.type_of(term).shape == Shape::Scalar {
                self.need_plain(term, "a scale")?;
                return Ok([Component::Given(term); 3]);
            }
        }
        self.triple(value, scope, Dimension::NONE, "a scale")
    }

    /// Three numbers, any of which may be free.
    fn triple(&mut self, value: &Expr, scope: &Scope, dimension: Dimension, what: &str) -> Outcome<[Component; 3]> {
        match &value.kind {
            ExprKind::Free(None) => Ok([Component::Free(None); 3]),
            ExprKind::Free(Some(guess)) => {
                let guess = self.expect(guess, scope, Type::vector(dimension), what)?;
                Ok(self.components(guess, value.span).map(|component| Component::Free(Some(component))))
            }
            ExprKind::Tuple(items) if items.len() == 3 => {
                let what = format!("a component of {what}");
                let parts = all(items.iter().map(|item| self.component(item, scope, dimension, &what)))?;
                <[Component; 3]>::try_from(parts).map_err(|_| Reported)
            }
            _ => {
                let vector = self.expect(value, scope, Type::vector(dimension), what)?;
                Ok(self.components(vector, value.span).map(Component::Given))
            }
        }
    }

    fn component(&mut self, value: &Expr, scope: &Scope, dimension: Dimension, what: &str) -> Outcome<Component> {
        match &value.kind {
            ExprKind::Free(None) => Ok(Component::Free(None)),
            ExprKind::Free(Some(guess)) => {
                let guess = self.expect(guess, scope, Type::scalar(dimension), &format!("the guess for {what}"))?;
                Ok(Component::Free(Some(guess)))
            }
            _ => self.expect(value, scope, Type::scalar(dimension), what).map(Component::Given),
        }
    }

    pub(super) fn components(&mut self, vector: TermId, span: Span) -> [TermId; 3] {
        if let TermKind::Vector(components) = self.model.terms.get(vector).kind {
            return components;
        }
        let type_ = Type { shape: Shape::Scalar, ..self.type_of(vector) };
        std::array::from_fn(|at| self.push(TermKind::Component(vector, at), type_, span))
    }

    fn rotation(&mut self, value: &Expr, scope: &Scope) -> Outcome<Rotation> {
        match &value.kind {
            ExprKind::About { axis, rotation } => {
                let axis = self.axis(axis, scope);
                let angle = self.component(rotation, scope, Dimension::NONE, "an angle");
                if let Ok(Component::Given(angle)) = angle {
                    self.warn_of_angle(rotation, angle);
                }
                Ok(Rotation::About { axis: axis?, angle: angle? })
            }
            ExprKind::Free(None) => Ok(Rotation::Free(None)),
            ExprKind::Free(Some(guess)) => Ok(Rotation::Free(Some(Box::new(self.rotation(guess, scope)?)))),
            ExprKind::Call { function, arguments } if matches!(&function.kind, ExprKind::Name(name) if name == "quaternion") =>
            {
                let what = "a component of a quaternion";
                let part = |argument: &Argument| self.component(&argument.value, scope, Dimension::NONE, what);
                match <[Component; 4]>::try_from(all(arguments.iter().map(part))?) {
                    Ok(components) => Ok(Rotation::Quaternion(components)),
                    Err(_) => Err(self.wrong_kind(
                        value.span,
                        "a quaternion has four components",
                        "write `quaternion(w, x, y, z)`",
                    )),
                }
            }
            ExprKind::Error => Err(Reported),
            _ => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, "a rotation is needed here")
                    .at(value.span, "this is not a rotation")
                    .hint("say about which axis: `about x free`, `about z 30 [deg]`, `about (1, 1, 0) free`, or `free` for any"),
            )),
        }
    }

    /// A constant unit vector.
    pub(super) fn axis(&mut self, axis: &Axis, scope: &Scope) -> Outcome<[f64; 3]> {
        let expr = match axis {
            Axis::X => return Ok([1.0, 0.0, 0.0]),
            Axis::Y => return Ok([0.0, 1.0, 0.0]),
            Axis::Z => return Ok([0.0, 0.0, 1.0]),
            Axis::Vector(expr) => expr,
        };
        let vector = self.vector(expr, scope)?;
        let components = self.components(vector, expr.span);
        let mut axis = [0.0; 3];
        for (to, from) in axis.iter_mut().zip(components) {
            *to = self.constant(from, expr.span)?;
        }
        let size = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size == 0.0 || !size.is_finite() {
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, "an axis must have a direction")
                    .at(expr.span, "this vector is zero")
                    .hint("write the direction to turn about, as in `about (0, 0, 1) free` or `about z free`"),
            ));
        }
        Ok(axis.map(|x| x / size))
    }

    /// Every chain of parents must end at the world.
    pub(super) fn check_parents(&mut self) {
        // Frames on chains that have been followed before; the number tells from which start.
        let mut followed = vec![0; self.model.frames.len()];
        for start in 1..self.model.frames.len() {
            let mut at = FrameId(start as u32);
            while at != WORLD && followed[at.index()] == 0 {
                followed[at.index()] = start;
                at = self.model.frame(at).parent;
            }
            if at != WORLD && followed[at.index()] == start {
                let (name, span) = (self.model.frames[start].name.clone(), self.model.frames[start].span);
                self.report(
                    Diagnostic::error(codes::CYCLIC_DEFINITION, format!("`{name}` hangs on itself"))
                        .at(span, "its chain of parents never reaches the world")
                        .hint("put one frame of the loop `in world`, and close the loop with `always … == …`"),
                );
                return;
            }
        }
    }
}

fn find<'f>(frame: &'f syntax::Frame, name: &str) -> Option<&'f Property> {
    frame.properties.iter().find(|property| property.name.text == name)
}
