//! The equations of motion as a textbook writes them, d/dt ∂L/∂q̇ - ∂L/∂q - Q + λ ∂g/∂q = 0 with L = T - V, from nothing but positions.
//!
//! The formulation under test is asked only where things are and how they are turned; velocities, energies and generalised forces are
//! derived here by plain differentiation. Where a rotation has three speeds for four coordinates, rows are combined with the matrix S
//! of q̇ = S u: what is left is the virtual work of variations that keep the quaternion a unit.

#![allow(non_snake_case, reason = "names of frames are capitals, as in the book")]

use std::sync::Arc;

use base::{Diagnostics, Dimension, Span};
use equations::{Constraint, Level, System};
use expr::{Arena, Differentiator, Expr, Matrix, Operator, Point, Substitution, SymbolId, Tape, Term, Vector};
use mechanics::Options;
use model::{FrameId, FrameQuantity, Model, Output, TermId, TermKind, Type};

use crate::random::Random;

/// A scene's own equations, and those of the textbook.
pub struct Comparison {
    pub system: System,
    /// One for each speed.
    textbook: Vec<Expr>,
    /// Fresh symbols for the rates of the coordinates and for the rates of these, with what they are.
    rates: Vec<(SymbolId, Expr)>,
}

/// What is asked of the model: terms added to it as outputs, found again in order.
struct Questions {
    model: Model,
}

impl Questions {
    fn term(&mut self, kind: TermKind, type_: Type) -> TermId {
        self.model.terms.push(kind, type_, Span::default())
    }

    fn ask(&mut self, term: TermId) {
        self.model.outputs.push(Output { name: "asked".into(), term });
    }

    /// Where a frame is, and its three axes.
    fn ask_pose(&mut self, frame: FrameId) {
        let position = self.term(TermKind::Frame(frame, FrameQuantity::Position), Type::vector(Dimension::LENGTH));
        self.ask(position);
        for axis in 0..3 {
            let number = Type::scalar(Dimension::NONE);
            let parts =
                std::array::from_fn(|at| self.term(TermKind::Number(if at == axis { 1.0 } else { 0.0 }), number));
            let vector = self.term(TermKind::Vector(parts), Type::vector(Dimension::NONE));
            let turned = self.term(TermKind::VectorOf(frame, vector), Type::vector(Dimension::NONE));
            self.ask(turned);
        }
    }
}

/// The answers, taken one after the other.
struct Answers<'a> {
    arena: &'a Arena,
    columns: std::vec::IntoIter<Vec<Expr>>,
}

impl<'a> Answers<'a> {
    fn all(&mut self) -> Vec<Term<'a>> {
        let columns = self.columns.next().expect("as many answers as questions");
        columns.into_iter().map(|expr| self.arena.term(expr)).collect()
    }

    fn scalar(&mut self) -> Term<'a> {
        self.all()[0]
    }

    fn vector(&mut self) -> Vector<'a> {
        let all = self.all();
        Vector([all[0], all[1], all[2]])
    }

    fn pose(&mut self) -> (Vector<'a>, Matrix<'a>) {
        (self.vector(), Matrix::from_columns([self.vector(), self.vector(), self.vector()]))
    }
}

/// Asks, formulates and derives; nothing if the scene states what can never hold.
pub fn compare(model: &Model, options: Options) -> Option<Comparison> {
    let mut questions = Questions { model: model.clone() };
    questions.model.outputs.clear();
    for body in &model.bodies {
        questions.ask_pose(body.frame);
        questions.ask(body.mass);
        let scale = questions.term(TermKind::Frame(body.frame, FrameQuantity::Scale), Type::vector(Dimension::NONE));
        questions.ask(scale);
        match body.spread {
            Some(spread) => spread.iter().for_each(|&part| questions.ask(part)),
            None => body.inertia.iter().flat_map(|inertia| inertia.entries).for_each(|entry| questions.ask(entry)),
        }
    }
    if let Some(gravity) = &model.gravity {
        questions.ask(gravity.acceleration);
    }
    model.potentials.iter().for_each(|potential| questions.ask(potential.value));
    for force in &model.forces {
        questions.ask_pose(force.frame);
        questions.ask(force.value);
        if let Some(at) = force.at {
            questions.ask(at);
            let scale =
                questions.term(TermKind::Frame(force.frame, FrameQuantity::Scale), Type::vector(Dimension::NONE));
            questions.ask(scale);
        }
    }
    for torque in &model.torques {
        questions.ask_pose(torque.frame);
        questions.ask(torque.value);
    }
    for equation in &model.constraints {
        questions.ask(equation.left);
        questions.ask(equation.right);
    }
    let mut sink = Diagnostics::default();
    let system = mechanics::formulate(&questions.model, options, &mut sink);
    assert!(sink.iter().all(|diagnostic| diagnostic.code.0 == "contradiction"), "{}: {sink:?}", model.name);
    let system = system?;
    let columns = system.outputs.iter().map(|output| output.columns.iter().map(|column| column.1).collect());
    let columns = columns.collect::<Vec<Vec<Expr>>>().into_iter();
    let arena = system.arena.clone();
    let mut derivation = Derivation::new(&arena, &system);
    let rows = derivation.rows(model, &mut Answers { arena: &arena, columns }, &system);
    let rates = derivation.rates(&system);
    Some(Comparison { system, textbook: rows, rates })
}

struct Derivation<'a> {
    arena: &'a Arena,
    /// Coordinates q, fresh symbols for q̇ and q̈, and the speeds u with the entries ∂q̇/∂u.
    q: Vec<Expr>,
    rate: Vec<SymbolId>,
    second: Vec<SymbolId>,
    speeds: Vec<Expr>,
    slopes: Vec<Vec<Expr>>,
    /// The time derivative, with q̇ and q̈ for the rates of q and q̇.
    clock: Differentiator,
}

impl<'a> Derivation<'a> {
    fn new(arena: &'a Arc<Arena>, system: &System) -> Derivation<'a> {
        let mut clock = Differentiator::new();
        clock.seed(arena.symbol(system.time), arena.one());
        let fresh = |suffix: &str| -> Vec<SymbolId> {
            system.coordinates.iter().map(|coordinate| arena.new_symbol(&(coordinate.name.clone() + suffix))).collect()
        };
        let (rate, second) = (fresh("_rate"), fresh("_second"));
        let q: Vec<Expr> = system.coordinate_symbols().into_iter().map(|symbol| arena.symbol(symbol)).collect();
        for (at, &q) in q.iter().enumerate() {
            clock.seed(q, arena.symbol(rate[at]));
            clock.seed(arena.symbol(rate[at]), arena.symbol(second[at]));
        }
        let speeds: Vec<Expr> = system.speed_symbols().into_iter().map(|symbol| arena.symbol(symbol)).collect();
        let slopes = speeds.iter().map(|&speed| {
            let mut by_speed = Differentiator::by(arena, speed);
            system.coordinates.iter().map(|coordinate| by_speed.derivative(arena, coordinate.rate)).collect()
        });
        let slopes = slopes.collect();
        Derivation { arena, q, rate, second, speeds, slopes, clock }
    }

    /// The speeds u of q̇ = S u. The columns of S are orthogonal: one coordinate for each speed, or a quaternion for three.
    fn speeds_from_rates(&self) -> Vec<Expr> {
        let arena = self.arena;
        let dot = |column: &[Expr], with: &[Expr]| {
            let parts = column.iter().zip(with).map(|(&a, &b)| arena.term(a) * arena.term(b));
            parts.fold(arena.constant(0.0), |sum, part| sum + part)
        };
        let rates: Vec<Expr> = self.rate.iter().map(|&rate| arena.symbol(rate)).collect();
        self.slopes.iter().map(|column| (dot(column, &rates) / dot(column, column)).expr).collect()
    }

    fn time_derivative(&mut self, of: Vector<'a>) -> Vector<'a> {
        Vector(of.0.map(|part| self.arena.term(self.clock.derivative(self.arena, part.expr))))
    }

    fn rows(&mut self, model: &Model, answers: &mut Answers<'a>, system: &System) -> Vec<Expr> {
        let arena = self.arena;
        let (mut kinetic, mut potential) = (arena.constant(0.0), arena.constant(0.0));
        let mut bodies = Vec::new();
        for body in &model.bodies {
            let (p, R) = answers.pose();
            let (mut mass, scale) = (answers.scalar(), answers.vector());
            if body.has_density {
                mass = mass * (scale.0[0] * scale.0[1] * scale.0[2]).squared().sqrt();
            }
            let v = self.time_derivative(p);
            kinetic = kinetic + 0.5 * (mass * v.dot(v));
            if body.inertia.is_some() {
                let I = match body.spread {
                    // Squares of distances from the axes, over a stretched solid.
                    Some(_) => {
                        let [x, y, z] = scale.0.map(|scale| mass * scale.squared() * answers.scalar());
                        arena.diagonal([y + z, x + z, x + y].map(|moment| moment.expr))
                    }
                    None => {
                        let [xx, yy, zz, xy, xz, yz] = std::array::from_fn(|_| answers.scalar());
                        Matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
                    }
                };
                let rate = Matrix::from_columns([0, 1, 2].map(|axis| self.time_derivative(R.column(axis))));
                let w = half_skew(R.transpose() * rate);
                kinetic = kinetic + 0.5 * w.dot(I * w);
            }
            bodies.push((p, mass));
        }
        if model.gravity.is_some() {
            let g = answers.vector();
            for (p, mass) in bodies {
                potential = potential - mass * g.dot(p);
            }
        }
        let mut on_rates = Substitution::new(self.speeds.iter().copied().zip(self.speeds_from_rates()));
        for _ in &model.potentials {
            potential = potential + arena.term(on_rates.apply(arena, answers.scalar().expr));
        }
        let lagrangian = kinetic - potential;
        let mut rows: Vec<Term<'a>> = (0..self.q.len())
            .map(|at| {
                let momentum =
                    Differentiator::by(arena, arena.symbol(self.rate[at])).derivative(arena, lagrangian.expr);
                let by_q = Differentiator::by(arena, self.q[at]).derivative(arena, lagrangian.expr);
                arena.term(self.clock.derivative(arena, momentum)) - arena.term(by_q)
            })
            .collect();
        for force in &model.forces {
            let (p, R) = answers.pose();
            let value = answers.vector();
            let arm = force.at.map(|_| (answers.vector() - p, answers.vector()));
            for (at, row) in rows.iter_mut().enumerate() {
                let (shift, turn) = self.variation(at, p, R);
                *row = *row - value.dot(shift);
                let Some((arm, scale)) = arm else { continue };
                // The point is fixed in the stretched frame: its coordinates there are R⁻¹ arm / s.
                let (stretch, arm_F) = (self.vary(at, scale), R.transpose() * arm);
                let stretched = Vector([0, 1, 2].map(|i| arm_F.0[i] / scale.0[i] * stretch.0[i]));
                *row = *row - value.dot(turn.cross(arm) + R * stretched);
            }
        }
        for _ in &model.torques {
            let (p, R) = answers.pose();
            let value = answers.vector();
            for (at, row) in rows.iter_mut().enumerate() {
                *row = *row - value.dot(self.variation(at, p, R).1);
            }
        }
        // From coordinates to speeds, then what holds the constraints.
        let mut by_speed: Vec<Term<'a>> = self
            .slopes
            .iter()
            .map(|slopes| {
                let parts = slopes.iter().zip(&rows).map(|(&slope, &row)| arena.term(slope) * row);
                parts.fold(arena.constant(0.0), |sum, part| sum + part)
            })
            .collect();
        let mut multipliers = system.constraints.iter().filter(|constraint| !is_unit(constraint));
        for equation in &model.constraints {
            let (left, right) = (answers.all(), answers.all());
            if equation.condition.is_some_and(|condition| !holds_at_the_start(model, condition)) {
                continue;
            }
            for (left, right) in left.into_iter().zip(right) {
                let residual = left - right;
                if residual.is_zero() {
                    continue;
                }
                let constraint = multipliers.next().expect("as many constraints as equations");
                let multiplier = arena.term(arena.symbol(constraint.multiplier.expect("a force keeps it")));
                for (at, row) in by_speed.iter_mut().enumerate() {
                    *row = *row + multiplier * self.gradient(residual, at);
                }
            }
        }
        assert!(multipliers.next().is_none(), "as many equations as constraints");
        by_speed.into_iter().map(|row| row.expr).collect()
    }

    /// How the origin of a frame moves and how the frame turns with a coordinate: ∂p/∂q, and δθ with ∂R/∂q = δθ × R.
    fn variation(&self, at: usize, p: Vector<'a>, R: Matrix<'a>) -> (Vector<'a>, Vector<'a>) {
        let varied = Matrix::from_columns([0, 1, 2].map(|axis| self.vary(at, R.column(axis))));
        (self.vary(at, p), half_skew(varied * R.transpose()))
    }

    /// ∂/∂q
    fn vary(&self, at: usize, of: Vector<'a>) -> Vector<'a> {
        let mut by_q = Differentiator::by(self.arena, self.q[at]);
        Vector(of.0.map(|part| self.arena.term(by_q.derivative(self.arena, part.expr))))
    }

    /// The direction in which a constraint pushes, along a speed: that of the positions or velocities it speaks of.
    fn gradient(&self, residual: Term<'a>, speed: usize) -> Term<'a> {
        let arena = self.arena;
        let symbols = arena.symbols_in(&[residual.expr]);
        let on_velocities =
            self.speeds.iter().any(|&speed| arena.as_symbol(speed).is_some_and(|symbol| symbols.contains(&symbol)));
        if on_velocities {
            return arena.term(Differentiator::by(arena, self.speeds[speed]).derivative(arena, residual.expr));
        }
        let parts =
            self.slopes[speed].iter().enumerate().filter(|(_, slope)| !arena.is_zero(**slope)).map(|(at, &slope)| {
                arena.term(slope) * arena.term(Differentiator::by(arena, self.q[at]).derivative(arena, residual.expr))
            });
        parts.fold(arena.constant(0.0), |sum, part| sum + part)
    }

    /// What the fresh symbols stand for.
    fn rates(&self, system: &System) -> Vec<(SymbolId, Expr)> {
        let arena = self.arena;
        let mut real_clock = Differentiator::new();
        for coordinate in &system.coordinates {
            real_clock.seed(arena.symbol(coordinate.symbol), coordinate.rate);
        }
        for speed in &system.speeds {
            real_clock.seed(arena.symbol(speed.symbol), arena.symbol(speed.acceleration));
        }
        let first = system.coordinates.iter().zip(&self.rate).map(|(coordinate, &rate)| (rate, coordinate.rate));
        let mut all: Vec<(SymbolId, Expr)> = first.collect();
        for (coordinate, &second) in system.coordinates.iter().zip(&self.second) {
            all.push((second, real_clock.derivative(arena, coordinate.rate)));
        }
        all
    }
}

/// The vector w of the skew part of a matrix, [w]×.
fn half_skew<'a>(of: Matrix<'a>) -> Vector<'a> {
    let part = |i: usize, j: usize| 0.5 * (of.0[i][j] - of.0[j][i]);
    Vector([part(2, 1), part(0, 2), part(1, 0)])
}

fn is_unit(constraint: &Constraint) -> bool {
    constraint.label.ends_with("is a unit quaternion")
}

impl Comparison {
    /// The largest disagreement between the two at a random state, in proportion to the size of the equations there.
    pub fn disagreement(&self, random: &mut Random) -> f64 {
        let arena = &self.system.arena;
        let mut point = self.random_point(random);
        let values = |roots: &[Expr], point: &Point| Tape::new(arena, roots).run(point);
        let rates: Vec<Expr> = self.rates.iter().map(|&(_, value)| value).collect();
        let known = values(&rates, &point);
        point.extend(self.rates.iter().map(|&(symbol, _)| symbol).zip(known));
        let ours: Vec<Expr> = self.system.motion.iter().map(|motion| motion.residual).collect();
        let (mut ours, mut theirs) = (values(&ours, &point), values(&self.textbook, &point));
        // Along the gradient of a quaternion's norm the two may differ: nothing moves that way.
        for normal in self.normals(&point) {
            let square: f64 = normal.iter().map(|part| part * part).sum();
            for rows in [&mut ours, &mut theirs] {
                let along: f64 = rows.iter().zip(&normal).map(|(row, part)| row * part).sum::<f64>() / square;
                rows.iter_mut().zip(&normal).for_each(|(row, part)| *row -= along * part);
            }
        }
        let size = ours.iter().chain(&theirs).fold(1.0_f64, |size, row| size.max(row.abs()));
        let apart = ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs());
        // Not a number must not pass.
        apart.fold(0.0, |worst, gap| if gap <= worst { worst } else { gap }) / size
    }

    /// The gradients of the norms that hold with a multiplier, in terms of the speeds.
    fn normals(&self, point: &Point) -> Vec<Vec<f64>> {
        let arena = &self.system.arena;
        let units = self.system.constraints.iter().filter(|constraint| is_unit(constraint));
        let held = units.filter_map(|constraint| constraint.at(Level::Velocity));
        let gradient = |residual: Expr| {
            let speeds = self.system.speed_symbols().into_iter();
            let slopes: Vec<Expr> = speeds
                .map(|speed| Differentiator::by(arena, arena.symbol(speed)).derivative(arena, residual))
                .collect();
            Tape::new(arena, &slopes).run(point)
        };
        held.map(gradient).collect()
    }

    /// A state near the guesses, with unit quaternions that stay units to second order.
    fn random_point(&self, random: &mut Random) -> Point {
        let system = &self.system;
        let mut point = Point::default();
        point.insert(system.time, random.between(0.1, 2.0));
        point.extend(system.parameters.iter().map(|parameter| (parameter.symbol, parameter.default)));
        // Nothing touches: contacts exert nothing.
        let frames = system.contacts.iter().flat_map(|contacts| &contacts.frames);
        point.extend(frames.flat_map(|frame| frame.wrench).map(|wrench| (wrench, 0.0)));
        point
            .extend(system.controls.iter().map(|control| (control.symbol, control.default + random.between(0.1, 0.3))));
        let guesses: Vec<Expr> = system.coordinates.iter().map(|coordinate| coordinate.guess).collect();
        let guesses = Tape::new(&system.arena, &guesses).run(&point);
        for (coordinate, guess) in system.coordinates.iter().zip(guesses) {
            point.insert(coordinate.symbol, guess + random.between(-0.3, 0.3) * guess.abs().max(1.0));
        }
        for speed in &system.speeds {
            point.insert(speed.symbol, random.between(-1.0, 1.0));
            point.insert(speed.acceleration, random.between(-1.0, 1.0));
        }
        for constraint in &system.constraints {
            point.extend(constraint.multiplier.map(|multiplier| (multiplier, random.between(-1.0, 1.0))));
            if is_unit(constraint) {
                self.keep_unit(constraint, &mut point);
            }
        }
        point
    }

    /// |q|² = 1, q·q̇ = 0, q·q̈ + q̇·q̇ = 0.
    fn keep_unit(&self, constraint: &Constraint, point: &mut Point) {
        let system = &self.system;
        let residual = constraint.at(Level::Position).expect("a norm is a matter of positions");
        let members = system.arena.symbols_in(&[residual]);
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut q: Vec<f64> = members.iter().map(|symbol| point[symbol]).collect();
        let size = dot(&q, &q).sqrt();
        q.iter_mut().for_each(|part| *part /= size);
        point.extend(members.iter().copied().zip(q.iter().copied()));
        if constraint.multiplier.is_none() {
            return;
        }
        point.extend(constraint.multiplier.map(|multiplier| (multiplier, 0.0)));
        let speed_of = |symbol: &SymbolId| {
            let coordinate =
                system.coordinates.iter().find(|coordinate| coordinate.symbol == *symbol).expect("a coordinate");
            let speed = system.arena.as_symbol(coordinate.rate).expect("its rate is a speed of its own");
            system.speeds.iter().find(|other| other.symbol == speed).expect("a speed")
        };
        let speeds: Vec<_> = members.iter().map(speed_of).collect();
        let mut v: Vec<f64> = speeds.iter().map(|speed| point[&speed.symbol]).collect();
        let along = dot(&q, &v);
        v.iter_mut().zip(&q).for_each(|(v, q)| *v -= along * q);
        let mut a: Vec<f64> = speeds.iter().map(|speed| point[&speed.acceleration]).collect();
        let along = dot(&q, &a) + dot(&v, &v);
        a.iter_mut().zip(&q).for_each(|(a, q)| *a -= along * q);
        for (at, speed) in speeds.into_iter().enumerate() {
            point.insert(speed.symbol, v[at]);
            point.insert(speed.acceleration, a[at]);
        }
    }
}

/// Whether a condition on modes holds where they start.
fn holds_at_the_start(model: &Model, condition: TermId) -> bool {
    let of = |part: &TermId| holds_at_the_start(model, *part);
    match &model.terms.get(condition).kind {
        TermKind::ModeIs(mode, value) => model.modes[mode.index()].start == *value,
        TermKind::Apply(Operator::Not, parts) => !of(&parts[0]),
        TermKind::Apply(Operator::And, parts) => parts.iter().all(of),
        TermKind::Apply(Operator::Or, parts) => parts.iter().any(of),
        other => panic!("{other:?} is no condition on modes"),
    }
}
