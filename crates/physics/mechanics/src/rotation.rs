//! Rotations of a frame F in its parent P, in each of the representations.

use base::Dimension;
use equations::{Constraint, Coordinate};
use expr::{Arena, Matrix, Term, Vector};
use model::{Component, FrameId, Rotation};

use crate::formulate::{Formulation, Rotations};

#[derive(Clone, Copy)]
pub(crate) struct LocalRotation<'a> {
    pub R_PF: Matrix<'a>,
    /// Angular velocity and acceleration of F in P, in F's axes.
    pub w_PF_F: Vector<'a>,
    pub alpha_PF_F: Vector<'a>,
    /// The unit quaternion w, x, y, z.
    pub quaternion: [Term<'a>; 4],
    /// The angle about the axis, or the total angle.
    pub angle: Term<'a>,
    /// The fixed axis, where there is one.
    pub axis: Option<[f64; 3]>,
}

impl<'a> LocalRotation<'a> {
    pub fn none(arena: &'a Arena) -> LocalRotation<'a> {
        let (zero, one) = (arena.constant(0.0), arena.constant(1.0));
        LocalRotation {
            R_PF: arena.identity(),
            w_PF_F: arena.zero_vector(),
            alpha_PF_F: arena.zero_vector(),
            quaternion: [one, zero, zero, zero],
            angle: zero,
            axis: None,
        }
    }
}

impl<'a> Formulation<'a> {
    pub fn local_rotation(&mut self, frame: FrameId) -> LocalRotation<'a> {
        let name = self.model.frame(frame).name.clone();
        let rotation = self.model.frame(frame).rotation.clone();
        let quaternions = self.options.rotations == Rotations::Quaternion;
        match rotation {
            Rotation::None => LocalRotation::none(self.arena),
            Rotation::About { axis, angle: Component::Free(guess) } if quaternions => {
                let guess = guess.map_or(self.arena.constant(0.0), |guess| self.scalar(guess));
                self.quaternion_about(frame, axis, guess)
            }
            Rotation::About { axis, angle } => {
                let angle = self.component(angle, format!("{name}.angle"), 0.0, Dimension::NONE, frame);
                self.about(axis, angle)
            }
            Rotation::Free(guess) => {
                let guess = self.guess(guess.as_deref());
                if quaternions { self.quaternion_components(frame, [true; 4], guess) } else { self.free(frame, guess) }
            }
            Rotation::Quaternion(components) => {
                let values = std::array::from_fn(|at| match components[at] {
                    Component::Given(term) => self.scalar(term),
                    Component::Free(Some(guess)) => self.scalar(guess),
                    Component::Free(None) => self.arena.constant(if at == 0 { 1.0 } else { 0.0 }),
                });
                self.quaternion_components(frame, components.map(|part| matches!(part, Component::Free(_))), values)
            }
        }
    }

    /// Rodrigues' formula for a fixed axis k: R = I + sin θ [k]× + (1 - cos θ) [k]×².
    pub fn turned_about(&self, axis: [f64; 3], angle: Term<'a>) -> Matrix<'a> {
        let (sine, cosine) = (angle.sin(), angle.cos());
        let entry = |i: usize, j: usize| {
            let (diagonal, outer) = (if i == j { 1.0 } else { 0.0 }, axis[i] * axis[j]);
            // k k^T is written first, so that an axis of the frame gives plain sines and cosines.
            let turned = (diagonal - outer) * cosine;
            let skew = levi_civita(i, j).map_or(0.0, |(sign, m)| -sign * axis[m]) * sine;
            self.arena.constant(outer) + turned + skew
        };
        Matrix(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))))
    }

    fn about(&mut self, axis: [f64; 3], angle: Term<'a>) -> LocalRotation<'a> {
        let k = Vector(axis.map(|component| self.arena.constant(component)));
        let rate = self.arena.term(self.derivative(angle.expr));
        let second_rate = self.arena.term(self.derivative(rate.expr));
        let half = 0.5 * angle;
        let sine_half = half.sin();
        LocalRotation {
            R_PF: self.turned_about(axis, angle),
            w_PF_F: rate * k,
            alpha_PF_F: second_rate * k,
            quaternion: [half.cos(), axis[0] * sine_half, axis[1] * sine_half, axis[2] * sine_half],
            angle,
            axis: Some(axis),
        }
    }

    /// Four coordinates, three speeds: the angular velocity u in F's axes, with q̇ = ½ q ∘ (0, u).
    fn free(&mut self, frame: FrameId, guess: [Term<'a>; 4]) -> LocalRotation<'a> {
        let (name, span) = (self.model.frame(frame).name.clone(), self.model.frame(frame).span);
        let speed = |this: &mut Self, axis: &str| {
            let speed = this.new_speed(format!("{name}.spin.{axis}"), Dimension::FREQUENCY, span);
            this.arena.term(speed)
        };
        let u = Vector([speed(self, "x"), speed(self, "y"), speed(self, "z")]);
        let symbols = ["w", "x", "y", "z"].map(|part| self.arena.new_symbol(&format!("{name}.orientation.{part}")));
        let q = symbols.map(|symbol| self.arena.term(self.arena.symbol(symbol)));
        let zero = self.arena.constant(0.0);
        let rates = multiply(q, [zero, u.0[0], u.0[1], u.0[2]]).map(|part| 0.5 * part);
        for at in 0..4 {
            self.add_coordinate(Coordinate {
                name: self.arena.symbol_name(symbols[at]).to_string(),
                symbol: symbols[at],
                rate: rates[at].expr,
                speed: None,
                guess: guess[at].expr,
                dimension: Dimension::NONE,
                span,
            });
        }
        let residual = (norm_squared(q) - self.arena.constant(1.0)).expr;
        self.invariants.push(Constraint::invariant(format!("{name}.orientation is a unit quaternion"), residual, span));
        let alpha = self.rate(u);
        LocalRotation {
            R_PF: matrix(self.arena, q),
            w_PF_F: u,
            alpha_PF_F: alpha,
            quaternion: q,
            angle: total_angle(q),
            axis: None,
        }
    }

    /// A rotation about an axis k as Ellman et al. represent it: w and the component s along the axis, for the quaternion (w, s k).
    fn quaternion_about(&mut self, frame: FrameId, axis: [f64; 3], angle: Term<'a>) -> LocalRotation<'a> {
        let (half, main) = (0.5 * angle, axis.iter().position(|&component| component.abs() == 1.0));
        let w = self.quaternion_component(frame, "w", half.cos());
        let s = match main {
            Some(main) => axis[main] * self.quaternion_component(frame, ["x", "y", "z"][main], axis[main] * half.sin()),
            None => self.quaternion_component(frame, "along_axis", half.sin()),
        };
        let q = [w, axis[0] * s, axis[1] * s, axis[2] * s];
        self.keep_unit(frame, w.squared() + s.squared());
        LocalRotation { angle: 2.0 * s.atan2(w), ..self.of_quaternion(q) }
    }

    /// As Ellman et al. represent rotations: each free component is a dynamical variable with its own rate; the norm is a constraint.
    fn quaternion_components(&mut self, frame: FrameId, free: [bool; 4], guess: [Term<'a>; 4]) -> LocalRotation<'a> {
        let q: [Term<'a>; 4] = std::array::from_fn(|at| match free[at] {
            true => self.quaternion_component(frame, ["w", "x", "y", "z"][at], guess[at]),
            false => guess[at],
        });
        if free.contains(&true) {
            self.keep_unit(frame, norm_squared(q));
        }
        self.of_quaternion(q)
    }

    fn quaternion_component(&mut self, frame: FrameId, part: &str, guess: Term<'a>) -> Term<'a> {
        let (name, span) = (&self.model.frame(frame).name, self.model.frame(frame).span);
        self.arena.term(self.new_coordinate(format!("{name}.orientation.{part}"), guess.expr, Dimension::NONE, span))
    }

    /// The constraint that the squared norm of a frame's quaternion is one.
    fn keep_unit(&mut self, frame: FrameId, squared: Term<'a>) {
        let (name, span) = (&self.model.frame(frame).name, self.model.frame(frame).span);
        let label = format!("{name}.orientation is a unit quaternion");
        let residual = (squared - self.arena.constant(1.0)).expr;
        let first = self.derivative(residual);
        let second = self.derivative(first);
        let multiplier = self.arena.new_symbol(&format!("λ({label})"));
        self.invariants.push(Constraint::holonomic(label, [residual, first, second], multiplier, span));
    }

    /// The rotation of a quaternion whose components have rates of their own.
    fn of_quaternion(&mut self, q: [Term<'a>; 4]) -> LocalRotation<'a> {
        let rate = q.map(|part| self.arena.term(self.derivative(part.expr)));
        // The angular velocity in F's axes is the vector part of 2 q* ∘ q̇.
        let conjugate = [q[0], -q[1], -q[2], -q[3]];
        let [_, x, y, z] = multiply(conjugate, rate).map(|part| 2.0 * part);
        let w_PF_F = Vector([x, y, z]);
        let alpha_PF_F = self.rate(w_PF_F);
        LocalRotation {
            R_PF: matrix(self.arena, q),
            w_PF_F,
            alpha_PF_F,
            quaternion: q,
            angle: total_angle(q),
            axis: None,
        }
    }

    /// The quaternion of a starting guess.
    fn guess(&mut self, guess: Option<&Rotation>) -> [Term<'a>; 4] {
        match guess {
            Some(Rotation::About { axis, angle: Component::Given(angle) }) => {
                let angle = self.scalar(*angle);
                self.about(*axis, angle).quaternion
            }
            Some(Rotation::Quaternion(components)) => std::array::from_fn(|at| match components[at] {
                Component::Given(term) => self.scalar(term),
                Component::Free(_) => self.arena.constant(0.0),
            }),
            _ => LocalRotation::none(self.arena).quaternion,
        }
    }
}

/// ε_ijm for i ≠ j: its sign and m.
fn levi_civita(i: usize, j: usize) -> Option<(f64, usize)> {
    let m = 3_usize.checked_sub(i + j)?;
    (i != j).then(|| (if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 }, m))
}

fn norm_squared<'a>(q: [Term<'a>; 4]) -> Term<'a> {
    q[0].squared() + q[1].squared() + q[2].squared() + q[3].squared()
}

/// The product of two quaternions.
pub(crate) fn multiply<'a>(p: [Term<'a>; 4], q: [Term<'a>; 4]) -> [Term<'a>; 4] {
    let ([a, b, c, d], [w, x, y, z]) = (p, q);
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

/// The rotation matrix of a unit quaternion: R = I + 2 w [v]× + 2 [v]×².
pub(crate) fn matrix<'a>(arena: &'a Arena, q: [Term<'a>; 4]) -> Matrix<'a> {
    let [w, x, y, z] = q;
    let one = arena.constant(1.0);
    let diagonal = |a: Term<'a>, b: Term<'a>| one - 2.0 * (a.squared() + b.squared());
    Matrix([
        [diagonal(y, z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), diagonal(x, z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), diagonal(x, y)],
    ])
}

/// 2 atan2(|v|, w)
fn total_angle<'a>(q: [Term<'a>; 4]) -> Term<'a> {
    2.0 * Vector([q[1], q[2], q[3]]).norm().atan2(q[0])
}
