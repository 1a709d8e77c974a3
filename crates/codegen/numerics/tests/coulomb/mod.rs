//! Problems of points that touch, made of rigid bodies, and their answers.

#![allow(dead_code)] // Laws use what examples do not.

pub mod oracle;
pub mod random;

use crate::bench::{Bench, on_compiled_code, on_every_machine};
use kernel::{ArrayId, ModuleBuilder, Value};
use numerics::contact::{Coulomb, Solver, coulomb};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Hold,
    Solve,
    Impact,
}

/// What is given, for as many points as there are coefficients of friction; W is as small as it can be.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    pub W: Vec<f64>,
    pub b: Vec<f64>,
    pub friction: Vec<f64>,
    pub slips: Vec<i64>,
    pub direction: Vec<f64>,
    pub restitution: Vec<f64>,
    pub state: Vec<i64>,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: i64,
    pub force: Vec<f64>,
    pub result: Vec<f64>,
    pub state: Vec<i64>,
    pub direction: Vec<f64>,
    pub limited: f64,
}

impl Problem {
    pub fn of(W: &[f64], b: &[f64], friction: &[f64]) -> Problem {
        let count = friction.len();
        Problem {
            W: W.to_vec(),
            b: b.to_vec(),
            friction: friction.to_vec(),
            slips: vec![0; count],
            direction: vec![0.0; 2 * count],
            restitution: vec![0.0; count],
            state: vec![0; count],
        }
    }

    pub fn count(&self) -> usize {
        self.friction.len()
    }
}

/// A diagonal matrix.
pub fn diagonal(diagonal: &[f64]) -> Vec<f64> {
    let n = diagonal.len();
    (0..n * n).map(|place| if place / n == place % n { diagonal[place / n] } else { 0.0 }).collect()
}

/// The answers on every machine.
pub fn solve_all(problems: &[(Problem, Kind)]) -> Vec<Answer> {
    let (module, table) = table(room(problems));
    on_every_machine(module, |bench| problems.iter().map(|(problem, kind)| table.ask(bench, problem, *kind)).collect())
}

/// The answers of compiled code.
pub fn solve_compiled(problems: &[(Problem, Kind)]) -> Vec<Answer> {
    let (module, table) = table(room(problems));
    on_compiled_code(module, |bench| problems.iter().map(|(problem, kind)| table.ask(bench, problem, *kind)).collect())
}

/// Room for the largest of the problems.
fn room(problems: &[(Problem, Kind)]) -> usize {
    problems.iter().map(|(problem, _)| problem.count()).max().unwrap_or(0).max(1)
}

struct Table {
    arrays: Coulomb,
    restitution: ArrayId,
    solver: Solver,
}

fn table(capacity: usize) -> (ModuleBuilder, Table) {
    let mut module = ModuleBuilder::new("contact");
    let n = 3 * capacity;
    let arrays = Coulomb {
        capacity,
        W: module.real_array("W", n * n, "responses"),
        b: module.real_array("b", n, "without forces"),
        noise: module.real_array("noise", 1, "none"),
        friction: module.real_array("friction", capacity, "coefficients"),
        slips: module.integer_array("slips", capacity, "whether a direction is known"),
        direction: module.real_array("direction", 2 * capacity, "of slip"),
        force: module.real_array("force", n, "forces"),
        result: module.real_array("result", n, "with forces"),
        state: module.integer_array("state", capacity, "states"),
    };
    let restitution = module.real_array("restitution", capacity, "coefficients");
    let solver = coulomb(&mut module, "coulomb", &arrays, restitution);
    (module, Table { arrays, restitution, solver })
}

impl Table {
    fn ask(&self, bench: &mut Bench, problem: &Problem, kind: Kind) -> Answer {
        let count = problem.count();
        let (rows, stride) = (3 * count, 3 * self.arrays.capacity);
        let mut W = vec![0.0; stride * stride];
        for i in 0..rows {
            W[i * stride..][..rows].copy_from_slice(&problem.W[i * rows..][..rows]);
        }
        bench.set(self.arrays.W, &W);
        bench.set(self.arrays.b, &problem.b);
        bench.set(self.arrays.friction, &problem.friction);
        bench.set_integers(self.arrays.slips, &problem.slips);
        bench.set(self.arrays.direction, &problem.direction);
        bench.set(self.restitution, &problem.restitution);
        bench.set_integers(self.arrays.state, &problem.state);
        let counted = [Value::Integer(count as i64)];
        let status = match kind {
            Kind::Hold => i64::from(bench.reals_of(self.solver.hold, &counted)[0] > 0.0),
            Kind::Solve => bench.call(self.solver.solve, counted),
            Kind::Impact => bench.call(self.solver.impact, counted),
        };
        let first = |values: Vec<f64>, length: usize| values[..length].to_vec();
        Answer {
            status,
            force: first(bench.reals(self.arrays.force), rows),
            result: first(bench.reals(self.arrays.result), rows),
            state: bench.integers(self.arrays.state)[..count].to_vec(),
            direction: first(bench.reals(self.arrays.direction), 2 * count),
            limited: bench.real(self.solver.limited),
        }
    }
}

/// A rigid body whose axes are those of the world.
#[derive(Clone, Debug)]
pub struct Body {
    pub mass: f64,
    pub inertia: [f64; 3],
    pub place: [f64; 3],
}

impl Body {
    pub fn block(mass: f64, half: [f64; 3], place: [f64; 3]) -> Body {
        let [a, b, c] = half.map(|edge| edge * edge * mass / 3.0);
        Body { mass, inertia: [b + c, a + c, a + b], place }
    }
}

#[derive(Clone)]
struct Touch {
    bodies: [Option<usize>; 2],
    place: [f64; 3],
    /// The normal and two tangents.
    axes: [[f64; 3]; 3],
    friction: f64,
}

/// Bodies that touch one another or the world.
#[derive(Clone)]
pub struct Scene {
    bodies: Vec<Body>,
    touches: Vec<Touch>,
}

impl Scene {
    pub fn new() -> Scene {
        Scene { bodies: Vec::new(), touches: Vec::new() }
    }

    pub fn body(&mut self, body: Body) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    /// How many bodies there are.
    pub fn bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Gives all points the same friction.
    pub fn rub(&mut self, friction: f64) {
        self.touches.iter_mut().for_each(|touch| touch.friction = friction);
    }

    pub fn mass(&self) -> f64 {
        self.bodies.iter().map(|body| body.mass).sum()
    }

    /// How many points touch.
    pub fn points(&self) -> usize {
        self.touches.len()
    }

    pub fn place(&self, body: usize) -> [f64; 3] {
        self.bodies[body].place
    }

    /// The normal points from the first body to the second; none is the world.
    pub fn touch(
        &mut self,
        first: Option<usize>,
        second: Option<usize>,
        place: [f64; 3],
        normal: [f64; 3],
        friction: f64,
    ) {
        let axis = if normal[0].abs() < 0.5 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let across = cross(normal, axis);
        let length = dot(across, across).sqrt();
        let second_tangent = across.map(|component| component / length);
        let axes = [normal, cross(second_tangent, normal), second_tangent];
        self.touches.push(Touch { bodies: [first, second], place, axes, friction });
    }

    /// Turns the tangents of a point by an angle.
    pub fn turn(&mut self, point: usize, angle: f64) {
        let [n, a, b] = self.touches[point].axes;
        let (sine, cosine) = angle.sin_cos();
        let first = [0, 1, 2].map(|k| cosine * a[k] + sine * b[k]);
        self.touches[point].axes = [n, first, cross(n, first)];
    }

    /// One row of the Jacobian: the relative motion of the second body along an axis.
    fn jacobian(&self, touch: &Touch, axis: [f64; 3]) -> Vec<f64> {
        let mut row = vec![0.0; 6 * self.bodies.len()];
        for (body, sign) in touch.bodies.iter().zip([-1.0, 1.0]) {
            if let &Some(body) = body {
                let arm = [0, 1, 2].map(|k| touch.place[k] - self.bodies[body].place[k]);
                let moment = cross(arm, axis);
                for k in 0..3 {
                    row[6 * body + k] = sign * axis[k];
                    row[6 * body + 3 + k] = sign * moment[k];
                }
            }
        }
        row
    }

    fn rows(&self) -> Vec<Vec<f64>> {
        let row = |touch, axis: &[f64; 3]| self.jacobian(touch, *axis);
        self.touches.iter().flat_map(|touch| touch.axes.iter().map(move |axis| row(touch, axis))).collect()
    }

    fn inverse_masses(&self) -> Vec<f64> {
        let of = |body: &Body| [[1.0 / body.mass; 3], body.inertia.map(|inertia| 1.0 / inertia)].concat();
        self.bodies.iter().flat_map(of).collect()
    }

    /// The problem for given free accelerations, or velocities, of all bodies.
    pub fn accelerations(&self, free: &[[f64; 6]]) -> Problem {
        let (rows, inverse) = (self.rows(), self.inverse_masses());
        let weighted = |a: &[f64], b: &[f64]| a.iter().zip(b).zip(&inverse).map(|((a, b), m)| a * b * m).sum::<f64>();
        let W: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(|b| weighted(a, b)).collect::<Vec<_>>()).collect();
        let free = free.concat();
        let b: Vec<f64> = rows.iter().map(|row| row.iter().zip(&free).map(|(a, b)| a * b).sum()).collect();
        let friction: Vec<f64> = self.touches.iter().map(|touch| touch.friction).collect();
        Problem::of(&W, &b, &friction)
    }

    /// The problem for given forces, and moments about their centres, on all bodies that rest.
    pub fn loads(&self, loads: &[[f64; 6]]) -> Problem {
        let inverse = self.inverse_masses();
        let free = |body: usize| [0, 1, 2, 3, 4, 5].map(|k| loads[body][k] * inverse[6 * body + k]);
        self.accelerations(&(0..loads.len()).map(free).collect::<Vec<_>>())
    }

    /// The force of a point on its second body, or its motion.
    pub fn in_the_world(&self, point: usize, force: &[f64]) -> [f64; 3] {
        let axes = self.touches[point].axes;
        [0, 1, 2].map(|k| (0..3).map(|axis| axes[axis][k] * force[3 * point + axis]).sum())
    }

    /// A vector of the world in the tangents of a point.
    pub fn tangential(&self, point: usize, vector: [f64; 3]) -> [f64; 2] {
        let axes = self.touches[point].axes;
        [dot(axes[1], vector), dot(axes[2], vector)]
    }
}

pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
