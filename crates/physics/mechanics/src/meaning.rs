//! The meaning of terms in coordinates: what `bob.position` or `der(x)` is as an expression.

use base::{Diagnostic, Span};
use equations::Level;
use expr::{Bends, Differentiator, Expr, Matrix, Operator, Substitution, Term, Vector};
use model::{FrameId, FrameQuantity, SceneQuantity, TermId, TermKind, UNDEFINED_VALUE};

use crate::codes;
use crate::formulate::Formulation;

#[derive(Clone, Copy)]
pub(crate) enum Meaning<'a> {
    Scalar(Term<'a>),
    /// World components, or whatever components were asked for.
    Vector(Vector<'a>),
    Matrix(Matrix<'a>),
    Quaternion([Term<'a>; 4]),
}

/// A meaning in as little room as it takes: of the hundred thousands of a large scene, nearly all are numbers.
pub(crate) enum Kept<'a> {
    Scalar(Term<'a>),
    Other(Box<Meaning<'a>>),
}

impl<'a> From<Meaning<'a>> for Kept<'a> {
    fn from(meaning: Meaning<'a>) -> Kept<'a> {
        match meaning {
            Meaning::Scalar(value) => Kept::Scalar(value),
            other => Kept::Other(Box::new(other)),
        }
    }
}

impl<'a> Kept<'a> {
    pub fn meaning(&self) -> Meaning<'a> {
        match self {
            Kept::Scalar(value) => Meaning::Scalar(*value),
            Kept::Other(meaning) => **meaning,
        }
    }
}

impl<'a> Meaning<'a> {
    pub fn map(self, mut f: impl FnMut(Expr) -> Expr) -> Meaning<'a> {
        let mut apply = |term: Term<'a>| term.arena.term(f(term.expr));
        match self {
            Meaning::Scalar(value) => Meaning::Scalar(apply(value)),
            Meaning::Vector(vector) => Meaning::Vector(Vector(vector.0.map(apply))),
            Meaning::Matrix(matrix) => Meaning::Matrix(Matrix(matrix.0.map(|row| row.map(&mut apply)))),
            Meaning::Quaternion(parts) => Meaning::Quaternion(parts.map(apply)),
        }
    }

    /// Its components with their names; a number has one without a name.
    pub fn parts(self) -> Vec<(&'static str, Expr)> {
        match self {
            Meaning::Scalar(value) => vec![("", value.expr)],
            Meaning::Vector(vector) => ["x", "y", "z"].into_iter().zip(vector.exprs()).collect(),
            Meaning::Matrix(matrix) => {
                ENTRIES.into_iter().zip(matrix.0.into_iter().flatten().map(|entry| entry.expr)).collect()
            }
            Meaning::Quaternion(parts) => ["w", "x", "y", "z"].into_iter().zip(parts.map(|part| part.expr)).collect(),
        }
    }

    pub fn zip(self, other: Meaning<'a>, f: impl Fn(Term<'a>, Term<'a>) -> Term<'a>) -> Meaning<'a> {
        match (self, other) {
            (Meaning::Scalar(a), Meaning::Scalar(b)) => Meaning::Scalar(f(a, b)),
            (Meaning::Vector(a), Meaning::Vector(b)) => {
                Meaning::Vector(Vector(std::array::from_fn(|i| f(a.0[i], b.0[i]))))
            }
            (Meaning::Matrix(a), Meaning::Matrix(b)) => {
                Meaning::Matrix(Matrix(std::array::from_fn(|i| std::array::from_fn(|j| f(a.0[i][j], b.0[i][j])))))
            }
            (Meaning::Quaternion(a), Meaning::Quaternion(b)) => {
                Meaning::Quaternion(std::array::from_fn(|i| f(a[i], b[i])))
            }
            _ => unreachable!("the model has checked that both sides have one shape"),
        }
    }
}

/// The names of the entries of a matrix, row by row.
const ENTRIES: [&str; 9] = ["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

impl<'a> Formulation<'a> {
    pub fn meaning(&mut self, term: TermId) -> Meaning<'a> {
        if let Some(known) = self.meanings.get(&term) {
            return known.meaning();
        }
        let meaning = self.interpret(term);
        self.refuse_undefined(term, meaning);
        self.meanings.insert(term, meaning.into());
        meaning
    }

    /// A number such as 0 / 0 would spread through all equations; it is reported once, where it arises.
    fn refuse_undefined(&mut self, term: TermId, meaning: Meaning<'a>) {
        let mut undefined = false;
        meaning.map(|part| {
            undefined |= self.arena.as_number(part).is_some_and(|number| !number.value().is_finite());
            part
        });
        let known = || self.sink.iter().any(|diagnostic| diagnostic.code == UNDEFINED_VALUE);
        if undefined && !known() {
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

    fn matrix(&mut self, term: TermId) -> Matrix<'a> {
        match self.meaning(term) {
            Meaning::Matrix(matrix) => matrix,
            _ => unreachable!("the model has checked that this is a matrix"),
        }
    }

    fn quaternion_of(&mut self, term: TermId) -> [Term<'a>; 4] {
        match self.meaning(term) {
            Meaning::Quaternion(parts) => parts,
            _ => unreachable!("the model has checked that this is a quaternion"),
        }
    }

    /// All at once, so that a long sum costs no more than its length.
    fn sum_of(&mut self, parts: &[TermId]) -> Meaning<'a> {
        let arena = self.arena;
        let parts: Vec<Meaning<'a>> = parts.iter().map(|&part| self.meaning(part)).collect();
        let columns: Vec<Vec<(&str, Expr)>> = parts.iter().map(|part| part.parts()).collect();
        let mut at = 0..;
        parts[0].map(|_| {
            let at = at.next().unwrap_or_default();
            arena.sum(columns.iter().map(|part| (expr::Number::ONE, part[at].1)).collect::<Vec<_>>())
        })
    }

    // Long: one arm for each kind of term; this is the table of what terms mean.
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
                let decides = match (operator.row().bends, arguments.as_slice()) {
                    (Bends::Smooth, _) => None,
                    (_, &[a, b]) => Some(arena.subtract(b, a)),
                    (_, arguments) => arguments.first().copied(),
                };
                self.bending.extend(decides.map(|decides| (decides, span)));
                Meaning::Scalar(arena.term(arena.apply(*operator, &arguments)))
            }
            TermKind::If(condition, a, b) => {
                let condition = self.scalar(*condition).expr;
                let choose =
                    |a: Term<'a>, b: Term<'a>| arena.term(arena.apply(Operator::Select, &[condition, a.expr, b.expr]));
                self.meaning(*a).zip(self.meaning(*b), choose)
            }
            TermKind::Quantity(id) => self.quantities[id.index()].meaning(),
            TermKind::Discrete(id) => self.discrete_meaning(*id),
            TermKind::Mode(id) => Meaning::Scalar(arena.constant(self.mode[id.index()] as f64)),
            TermKind::ModeIs(id, value) => {
                Meaning::Scalar(arena.constant(f64::from(u8::from(self.mode[id.index()] == *value))))
            }
            TermKind::Pre(inner) => self.before(*inner),
            TermKind::EmptySum => Meaning::Scalar(arena.constant(0.0)),
            TermKind::Sum(parts) => self.sum_of(parts),
            TermKind::Matrix(entries) => {
                let entry = |i: usize, j: usize| entries[3 * i + j];
                let rows = std::array::from_fn(|i| std::array::from_fn(|j| self.scalar(entry(i, j))));
                Meaning::Matrix(Matrix(rows))
            }
            TermKind::Quaternion(parts) => Meaning::Quaternion(parts.map(|part| self.scalar(part))),
            TermKind::Product(a, b) => product(self.meaning(*a), self.meaning(*b)),
            TermKind::Transpose(a) => Meaning::Matrix(self.matrix(*a).transpose()),
            TermKind::Conjugate(a) => {
                let [w, x, y, z] = self.quaternion_of(*a);
                Meaning::Quaternion([w, -x, -y, -z])
            }
            TermKind::RotationOf(a) => Meaning::Matrix(crate::rotation::matrix(arena, self.quaternion_of(*a))),
            TermKind::Turn(axis, angle) => {
                let half = 0.5 * self.scalar(*angle);
                let [x, y, z] = axis.map(|part| part * half.sin());
                Meaning::Quaternion([half.cos(), x, y, z])
            }
            TermKind::Jacobian(of, by) => self.jacobian(*of, *by),
            TermKind::Vector(components) => Meaning::Vector(Vector(components.map(|component| self.scalar(component)))),
            TermKind::Component(whole, at) => Meaning::Scalar(match self.meaning(*whole) {
                Meaning::Vector(vector) => vector.0[*at],
                Meaning::Matrix(matrix) => matrix.0[*at / 3][*at % 3],
                Meaning::Quaternion(parts) => parts[*at],
                Meaning::Scalar(value) => value,
            }),
            TermKind::Dot(a, b) => Meaning::Scalar(self.vector(*a).dot(self.vector(*b))),
            TermKind::Cross(a, b) => Meaning::Vector(self.vector(*a).cross(self.vector(*b))),
            TermKind::Norm(a) => {
                let norm = match self.meaning(*a) {
                    Meaning::Quaternion([w, x, y, z]) => (w * w + x * x + y * y + z * z).sqrt(),
                    _ => self.vector(*a).norm(),
                };
                self.bending.push((norm.expr, span));
                Meaning::Scalar(norm)
            }
            TermKind::Frame(frame, quantity) => self.frame_quantity(*frame, *quantity, span),
            TermKind::Scene(quantity) => self.scene_quantity(*quantity),
            &TermKind::Contact(pair, quantity) => self.contact_quantity(pair, quantity),
            TermKind::Reaction(id) => self.reaction(*id),
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
                let arm = p_WQ - F.p_WF;
                Meaning::Vector(F.v_WF + F.w_WF.cross(arm) + self.stretching(&F, arm))
            }
            TermKind::Derivative(inner) => {
                self.refuse_jerk(*inner, span);
                self.meaning(*inner).map(|inner| self.derivative(inner))
            }
            TermKind::Delayed(signal, number) => self.delayed(*signal, *number),
            TermKind::Partial(of, by) => self.partial(*of, *by, span),
            TermKind::Call { arguments, body } => {
                for &(parameter, argument) in arguments {
                    let argument = self.meaning(argument);
                    self.bounds.insert(parameter, argument);
                }
                self.meaning(*body)
            }
        }
    }

    /// Accelerations are what is solved for, so nothing says how fast they change; only laws of one's own are differentiated further.
    fn refuse_jerk(&mut self, inner: TermId, span: Span) {
        let parts: Vec<Expr> = self.meaning(inner).parts().into_iter().map(|(_, part)| part).collect();
        if self.variables.is_empty() && self.level(&parts) == Level::Acceleration {
            self.sink.report(
                Diagnostic::error(codes::ACCELERATION_DERIVATIVE, "the derivative of an acceleration is not known")
                    .at(span, "accelerations are solved for at each instant, not their rates")
                    .hint("record the acceleration itself, and take differences of its rows"),
            );
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

fn product<'a>(a: Meaning<'a>, b: Meaning<'a>) -> Meaning<'a> {
    match (a, b) {
        (Meaning::Matrix(a), Meaning::Vector(b)) => Meaning::Vector(a * b),
        (Meaning::Matrix(a), Meaning::Matrix(b)) => Meaning::Matrix(a * b),
        (Meaning::Quaternion([a, b, c, d]), Meaning::Quaternion([w, x, y, z])) => Meaning::Quaternion([
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ]),
        _ => unreachable!("the model has checked that these can be multiplied"),
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
