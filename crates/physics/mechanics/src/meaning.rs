//! The meaning of terms in coordinates: what `bob.position` or `der(x)` is as an expression.

use base::{Diagnostic, Span};
use expr::{Differentiator, Expr, Operator, Substitution, Term, Vector};
use model::{FrameId, FrameQuantity, SceneQuantity, TermId, TermKind, UNDEFINED_VALUE};

use crate::codes;
use crate::formulate::Formulation;

#[derive(Clone, Copy)]
pub(crate) enum Meaning<'a> {
    Scalar(Term<'a>),
    /// World components, or whatever components were asked for.
    Vector(Vector<'a>),
    Quaternion([Term<'a>; 4]),
}

impl<'a> Meaning<'a> {
    fn map(self, mut f: impl FnMut(Expr) -> Expr) -> Meaning<'a> {
        let mut apply = |term: Term<'a>| term.arena.term(f(term.expr));
        match self {
            Meaning::Scalar(value) => Meaning::Scalar(apply(value)),
            Meaning::Vector(vector) => Meaning::Vector(Vector(vector.0.map(apply))),
            Meaning::Quaternion(parts) => Meaning::Quaternion(parts.map(apply)),
        }
    }

    /// Its components with their names; a number has one without a name.
    pub fn parts(self) -> Vec<(&'static str, Expr)> {
        match self {
            Meaning::Scalar(value) => vec![("", value.expr)],
            Meaning::Vector(vector) => ["x", "y", "z"].into_iter().zip(vector.exprs()).collect(),
            Meaning::Quaternion(parts) => ["w", "x", "y", "z"].into_iter().zip(parts.map(|part| part.expr)).collect(),
        }
    }

    pub fn zip(self, other: Meaning<'a>, f: impl Fn(Term<'a>, Term<'a>) -> Term<'a>) -> Meaning<'a> {
        match (self, other) {
            (Meaning::Scalar(a), Meaning::Scalar(b)) => Meaning::Scalar(f(a, b)),
            (Meaning::Vector(a), Meaning::Vector(b)) => {
                Meaning::Vector(Vector(std::array::from_fn(|i| f(a.0[i], b.0[i]))))
            }
            (Meaning::Quaternion(a), Meaning::Quaternion(b)) => {
                Meaning::Quaternion(std::array::from_fn(|i| f(a[i], b[i])))
            }
            _ => unreachable!("the model has checked that both sides have one shape"),
        }
    }
}

impl<'a> Formulation<'a> {
    pub fn meaning(&mut self, term: TermId) -> Meaning<'a> {
        if let Some(&known) = self.meanings.get(&term) {
            return known;
        }
        let meaning = self.interpret(term);
        self.refuse_undefined(term, meaning);
        self.meanings.insert(term, meaning);
        meaning
    }

    /// A number such as 0 / 0 would spread through all equations; it is reported once, where it arises.
    fn refuse_undefined(&mut self, term: TermId, meaning: Meaning<'a>) {
        let undefined = |(_, part)| self.arena.as_number(part).is_some_and(|number| !number.value().is_finite());
        let known = || self.sink.iter().any(|diagnostic| diagnostic.code == UNDEFINED_VALUE);
        if meaning.parts().into_iter().any(undefined) && !known() {
            self.sink.report(
                Diagnostic::error(UNDEFINED_VALUE, "this is not a finite number")
                    .at(self.model.terms.get(term).span, "has no value, whatever the scene does")
                    .hint(
                        "look for a division by zero, a root or logarithm of a negative number, or too large a number",
                    ),
            );
        }
    }

    pub fn scalar(&mut self, term: TermId) -> Term<'a> {
        match self.meaning(term) {
            Meaning::Scalar(value) => value,
            _ => unreachable!("the model has checked that this is a number"),
        }
    }

    pub fn vector(&mut self, term: TermId) -> Vector<'a> {
        match self.meaning(term) {
            Meaning::Vector(vector) => vector,
            _ => unreachable!("the model has checked that this is a vector"),
        }
    }

    fn interpret(&mut self, id: TermId) -> Meaning<'a> {
        let term = self.model.terms.get(id);
        let (arena, span) = (self.arena, term.span);
        let symbol = |symbol| Meaning::Scalar(arena.term(arena.symbol(symbol)));
        match &term.kind {
            TermKind::Number(value) => Meaning::Scalar(arena.constant(*value)),
            TermKind::Parameter(id) => symbol(self.parameters[id.index()].symbol),
            TermKind::Control(id) => symbol(self.controls[id.index()].symbol),
            TermKind::Time => symbol(self.time),
            TermKind::Bound(id) => self.bounds[id],
            TermKind::Negate(a) => self.meaning(*a).map(|a| arena.negate(a)),
            TermKind::Add(a, b) => self.meaning(*a).zip(self.meaning(*b), |a, b| a + b),
            TermKind::Subtract(a, b) => self.meaning(*a).zip(self.meaning(*b), |a, b| a - b),
            TermKind::Multiply(a, b) => {
                let a = self.scalar(*a);
                self.meaning(*b).map(|b| arena.multiply(a.expr, b))
            }
            TermKind::Divide(a, b) => {
                let b = self.scalar(*b);
                self.meaning(*a).map(|a| arena.divide(a, b.expr))
            }
            TermKind::Power(a, exponent) => Meaning::Scalar(self.power(*a, *exponent)),
            TermKind::Apply(operator, arguments) => {
                let arguments: Vec<Expr> = arguments.iter().map(|&argument| self.scalar(argument).expr).collect();
                Meaning::Scalar(arena.term(arena.apply(*operator, &arguments)))
            }
            TermKind::If(condition, a, b) => {
                let condition = self.scalar(*condition).expr;
                let choose =
                    |a: Term<'a>, b: Term<'a>| arena.term(arena.apply(Operator::Select, &[condition, a.expr, b.expr]));
                self.meaning(*a).zip(self.meaning(*b), choose)
            }
            TermKind::Vector(components) => Meaning::Vector(Vector(components.map(|component| self.scalar(component)))),
            TermKind::Component(whole, at) => Meaning::Scalar(match self.meaning(*whole) {
                Meaning::Vector(vector) => vector.0[*at],
                Meaning::Quaternion(parts) => parts[*at],
                Meaning::Scalar(value) => value,
            }),
            TermKind::Dot(a, b) => Meaning::Scalar(self.vector(*a).dot(self.vector(*b))),
            TermKind::Cross(a, b) => Meaning::Vector(self.vector(*a).cross(self.vector(*b))),
            TermKind::Norm(a) => Meaning::Scalar(self.vector(*a).norm()),
            TermKind::Frame(frame, quantity) => self.frame_quantity(*frame, *quantity, span),
            TermKind::Scene(quantity) => self.scene_quantity(*quantity),
            TermKind::PointOf(frame, coordinates) => {
                let (F, p_FQ) = (self.pose(*frame), self.vector(*coordinates));
                Meaning::Vector(F.p_WF + F.R_WF * F.scale.hadamard(p_FQ))
            }
            TermKind::VectorOf(frame, components) => {
                let (F, v_F) = (self.pose(*frame), self.vector(*components));
                Meaning::Vector(F.R_WF * v_F)
            }
            TermKind::InFrame(vector, frame) => {
                let (F, v_W) = (self.pose(*frame), self.vector(*vector));
                Meaning::Vector(F.R_WF.transpose() * v_W)
            }
            TermKind::RelativeTo(point, frame) => {
                let (F, p_WQ) = (self.pose(*frame), self.vector(*point));
                let p_FQ = F.R_WF.transpose() * (p_WQ - F.p_WF);
                Meaning::Vector(Vector(std::array::from_fn(|i| p_FQ.0[i] / F.scale.0[i])))
            }
            TermKind::VelocityAt(frame, point) => {
                let (F, p_WQ) = (self.pose(*frame), self.vector(*point));
                Meaning::Vector(F.v_WF + F.w_WF.cross(p_WQ - F.p_WF))
            }
            TermKind::Derivative(inner) => self.meaning(*inner).map(|inner| self.derivative(inner)),
            TermKind::Partial(of, by) => self.partial(*of, *by, span),
            TermKind::Call { parameters, arguments, body } => {
                for (&parameter, &argument) in parameters.iter().zip(arguments) {
                    let argument = self.meaning(argument);
                    self.bounds.insert(parameter, argument);
                }
                self.meaning(*body)
            }
        }
    }

    fn power(&mut self, base: TermId, exponent: f64) -> Term<'a> {
        let base = self.scalar(base);
        let arena = self.arena;
        if exponent.fract() == 0.0 && exponent.abs() <= f64::from(i32::MAX) {
            return arena.term(arena.power(base.expr, exponent as i32));
        }
        let twice = 2.0 * exponent;
        if twice.fract() == 0.0 && twice.abs() <= f64::from(i32::MAX) {
            return arena.term(arena.power(base.sqrt().expr, twice as i32));
        }
        arena.term(arena.apply(Operator::Pow, &[base.expr, arena.number(exponent)]))
    }

    fn frame_quantity(&mut self, frame: FrameId, quantity: FrameQuantity, span: Span) -> Meaning<'a> {
        let F = self.pose(frame);
        match quantity {
            FrameQuantity::Position => Meaning::Vector(F.p_WF),
            FrameQuantity::Velocity => Meaning::Vector(F.v_WF),
            FrameQuantity::Acceleration => Meaning::Vector(F.a_WF),
            FrameQuantity::Omega => Meaning::Vector(F.w_WF),
            FrameQuantity::Alpha => Meaning::Vector(F.alpha_WF),
            FrameQuantity::Scale => Meaning::Vector(F.scale),
            FrameQuantity::X => Meaning::Scalar(F.coordinates.0[0]),
            FrameQuantity::Y => Meaning::Scalar(F.coordinates.0[1]),
            FrameQuantity::Z => Meaning::Scalar(F.coordinates.0[2]),
            FrameQuantity::Orientation => Meaning::Quaternion(F.rotation.quaternion),
            FrameQuantity::Euler => Meaning::Vector(euler(&F.rotation)),
            FrameQuantity::Angle => {
                if matches!(self.model.frame(frame).rotation, model::Rotation::None) {
                    let name = &self.model.frame(frame).name;
                    self.sink.report(
                        Diagnostic::error(
                            codes::NO_ROTATION,
                            format!("`{name}` does not turn in its parent, so it has no angle"),
                        )
                        .at(span, "asked for here")
                        .hint(format!("give `{name}` a rotation, or ask the frame that turns")),
                    );
                }
                Meaning::Scalar(F.rotation.angle)
            }
            FrameQuantity::Mass => Meaning::Scalar(self.total(self.bodies[frame.index()], Self::mass)),
            FrameQuantity::Kinetic => Meaning::Scalar(self.total(self.bodies[frame.index()], Self::kinetic_energy_of)),
        }
    }

    fn scene_quantity(&mut self, quantity: SceneQuantity) -> Meaning<'a> {
        match quantity {
            SceneQuantity::Energy => Meaning::Scalar(self.kinetic_energy() + self.potential_energy()),
            SceneQuantity::Kinetic => Meaning::Scalar(self.kinetic_energy()),
            SceneQuantity::Potential => Meaning::Scalar(self.potential_energy()),
            SceneQuantity::Momentum => Meaning::Vector(self.momentum()),
            SceneQuantity::AngularMomentum => Meaning::Vector(self.angular_momentum()),
            SceneQuantity::CentreOfMass => Meaning::Vector(self.centre_of_mass()),
        }
    }

    /// The derivative by one variable. A function's parameter is replaced by a symbol while its body is differentiated.
    fn partial(&mut self, of: TermId, by: TermId, span: Span) -> Meaning<'a> {
        let arena = self.arena;
        let TermKind::Bound(bound) = self.model.terms.get(by).kind else {
            let variable = self.scalar(by).expr;
            if arena.as_symbol(variable).is_none() {
                self.sink.report(
                    Diagnostic::error(codes::NOT_A_COORDINATE, "a derivative can be taken by a free coordinate only")
                        .at(span, "this quantity is not free but follows from others")
                        .hint("write a function and differentiate it by its parameter: `fn slope(a) = partial(height(a), a)`"),
                );
            }
            let mut differentiator = Differentiator::by(arena, variable);
            return self.meaning(of).map(|expr| differentiator.derivative(arena, expr));
        };
        let argument = self.bounds[&bound];
        let Meaning::Scalar(value) = argument else { unreachable!("the model has checked that this is a number") };
        let stand_in = arena.symbol(arena.new_symbol(self.model.terms.bound_name(bound)));
        let rate = self.derivative(value.expr);
        self.clock.seed(stand_in, rate);
        self.bounds.insert(bound, Meaning::Scalar(arena.term(stand_in)));
        let known = std::mem::take(&mut self.meanings);
        let meaning = self.meaning(of);
        self.meanings = known;
        self.bounds.insert(bound, argument);
        let mut differentiator = Differentiator::by(arena, stand_in);
        let mut put_back = Substitution::new([(stand_in, value.expr)]);
        meaning.map(|expr| put_back.apply(arena, differentiator.derivative(arena, expr)))
    }
}

/// Angles about x, y, z such that R = Rz Ry Rx. For a rotation about one axis the angle itself, which may grow beyond a turn.
fn euler<'a>(rotation: &crate::rotation::LocalRotation<'a>) -> Vector<'a> {
    let zero = 0.0 * rotation.angle;
    for (at, unit) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().enumerate() {
        if rotation.axis == Some(unit) {
            let mut angles = [zero; 3];
            angles[at] = rotation.angle;
            return Vector(angles);
        }
    }
    let R = rotation.R_PF.0;
    Vector([R[2][1].atan2(R[2][2]), -R[2][0].apply(Operator::Asin), R[1][0].atan2(R[0][0])])
}
