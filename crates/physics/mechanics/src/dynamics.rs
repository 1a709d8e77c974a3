//! Dynamics: equations of motion from partial velocities.
//!
//! Row j is Σ_bodies (∂v/∂u_j)·(m a − f) + (∂ω/∂u_j)·(I α + ω×Iω − τ), which are the Euler–Lagrange equations with far smaller
//! terms. Where an inertia changes, angular momentum does not change with it: İω is added, and what the coordinates do that change it
//! is −½ ω·(∂I/∂q)ω. Where a mass changes, so does momentum, by forces alone: ṁv is added. The sums over bodies are shared: what acts on a frame and all that hangs on it is gathered from the leaves of the
//! tree to its root, and each frame contributes the part of the motion that happens between it and its parent. The size of all
//! rows together is linear in the number of frames.

use base::Diagnostic;
use equations::{Acting, Constraint, Level, Motion};
use expr::{Differentiator, Expr, Matrix, SymbolId, Term, Vector};
use model::{FrameId, Rotation, WORLD};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::formulate::{Formulation, Rotations};
use crate::kinematics::Pose;

/// Inertial minus applied force and moment on a frame F and all that hangs on it.
#[derive(Clone, Copy)]
pub(crate) struct Load<'a> {
    pub force: Vector<'a>,
    /// About F's origin.
    pub moment: Vector<'a>,
    /// The part of the moment that is known in F's own axes.
    pub moment_F: Vector<'a>,
}

/// Components of positions: whose, and along which axis.
pub(crate) type Places = FxHashMap<Expr, (FrameId, usize)>;

impl<'a> Formulation<'a> {
    pub fn equations_of_motion(&mut self, constraints: &[Constraint]) -> Vec<Motion> {
        let mut rows: FxHashMap<SymbolId, Term<'a>> =
            self.speeds.iter().map(|speed| (speed.symbol, self.arena.constant(0.0))).collect();
        let loads = self.loads(&mut rows);
        if self.options.picture {
            self.loads.all.clone_from(&loads);
        }
        self.gather(loads, &mut rows);
        for constraint in constraints {
            self.add_constraint_forces(constraint, &mut rows);
        }
        let motion = |speed: &equations::Speed| Motion {
            label: format!("motion of {}", speed.name.trim_end_matches('\'')),
            residual: rows[&speed.symbol].expr,
            span: speed.span,
        };
        self.speeds.iter().map(motion).collect()
    }

    /// All forces, torques and potentials that the scene states.
    pub fn acting(&mut self) -> Vec<Acting> {
        let model = self.model;
        let name = |frame: FrameId| &model.frame(frame).name;
        let mut acting = Vec::new();
        for force in &model.forces {
            let parts = self.vector(force.value).exprs().to_vec();
            acting.push(Acting { label: format!("the force on `{}`", name(force.frame)), parts, span: force.span });
        }
        for torque in &model.torques {
            let parts = self.vector(torque.value).exprs().to_vec();
            acting.push(Acting { label: format!("the torque on `{}`", name(torque.frame)), parts, span: torque.span });
        }
        for (label, value, span) in self.written_potentials() {
            let label = if label == "potential" { "this potential".into() } else { format!("`{label}`") };
            acting.push(Acting { label, parts: vec![value], span });
        }
        acting
    }

    /// What acts on each frame by itself.
    fn loads(&mut self, rows: &mut FxHashMap<SymbolId, Term<'a>>) -> Vec<Load<'a>> {
        let zero = self.arena.zero_vector();
        let mut loads = vec![Load { force: zero, moment: zero, moment_F: zero }; self.model.frames.len()];
        self.add_inertia(&mut loads, rows);
        self.add_forces(&mut loads, rows);
        let places = self.position_nodes();
        if self.options.picture {
            self.loads.without_weights.clone_from(&loads);
        }
        self.add_weights(&places, &mut loads, rows);
        if self.options.picture {
            self.loads.with_weights.clone_from(&loads);
        }
        self.add_potentials(&places, &mut loads, rows);
        loads
    }

    /// What accelerations and changing masses ask for, of each body.
    fn add_inertia(&mut self, loads: &mut [Load<'a>], rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        for body in &self.model.bodies {
            self.check_mass(body);
            let B = self.pose(body.frame);
            let mass = self.mass(body);
            let mass_rate = self.rate_of(mass);
            let load = &mut loads[body.frame.index()];
            load.force = mass * B.a_WF + mass_rate * B.v_WF;
            if let Some(I_B) = self.inertia(body) {
                let I_rate = Matrix(I_B.0.map(|row| row.map(|entry| self.rate_of(entry))));
                load.moment_F = I_B * B.alpha_WF_F + B.w_WF_F.cross(I_B * B.w_WF_F) + I_rate * B.w_WF_F;
                self.add_inertia_slopes(I_B, B.w_WF_F, rows);
            }
        }
    }

    /// Forces and torques of the scene, what pulls in the studio, and what contact exerts.
    fn add_forces(&mut self, loads: &mut [Load<'a>], rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        for force in &self.model.forces {
            let (value, at) = (self.vector(force.value), force.at.map(|at| self.vector(at)));
            self.refuse_accelerations(&value.exprs(), force.span);
            let F = self.pose(force.frame);
            let load = &mut loads[force.frame.index()];
            load.force = load.force - value;
            if let Some(p_WQ) = at {
                let arm = p_WQ - F.p_WF;
                load.moment = load.moment - arm.cross(value);
                self.add_stretching_force(&F, arm, value, rows);
            }
        }
        for torque in &self.model.torques {
            let value = self.vector(torque.value);
            self.refuse_accelerations(&value.exprs(), torque.span);
            let load = &mut loads[torque.frame.index()];
            load.moment = load.moment - value;
        }
        if let Some(pull) = self.pull() {
            let load = &mut loads[pull.frame.index()];
            load.force = load.force - pull.force;
            load.moment = load.moment - pull.arm.cross(pull.force);
            let F = self.pose(pull.frame);
            self.add_stretching_force(&F, pull.arm, pull.force, rows);
        }
        for (frame, force, moment) in self.wrenches() {
            let load = &mut loads[frame.index()];
            load.force = load.force - force;
            load.moment = load.moment - moment;
        }
    }

    /// Weights, as the potential of a height wherever they are one.
    fn add_weights(&mut self, places: &Places, loads: &mut [Load<'a>], rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        for body in &self.model.bodies {
            // Whatever changes a mass or the field, weight does no work on it.
            let (mass, g) = (self.mass(body), self.gravity());
            if self.depends_on_coordinates(&[mass.expr]) || self.depends_on_coordinates(&g.exprs()) {
                let load = &mut loads[body.frame.index()];
                load.force = load.force - mass * g;
            } else {
                let energy = self.height_energy(body);
                self.add_potential(energy.expr, places, loads, rows);
            }
        }
    }

    /// Potentials that are written out, and the sums of those that stay families.
    fn add_potentials(&mut self, places: &Places, loads: &mut [Load<'a>], rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        for (_, value, span) in self.written_potentials() {
            self.refuse_accelerations(&[value], span);
            self.add_potential(value, places, loads, rows);
            self.add_velocity_slopes(value, rows);
        }
        for family in self.kept_families() {
            for (argument, slope) in family.slope_symbols() {
                let (frame, axis) = places[&family.arguments[argument]];
                let part = &mut loads[frame.index()].force.0[axis];
                *part = *part + self.arena.term(self.arena.symbol(slope));
            }
        }
    }

    /// What a force away from the origin does to a scale that is free: it moves its point by stretching the frame.
    fn add_stretching_force(
        &mut self,
        F: &Pose<'a>,
        arm: Vector<'a>,
        force: Vector<'a>,
        rows: &mut FxHashMap<SymbolId, Term<'a>>,
    ) {
        let velocity = self.stretching(F, arm);
        for (speed, partial) in self.partials(&velocity.exprs()) {
            let v_hat = self.arena.vector([partial[0], partial[1], partial[2]]);
            rows.insert(speed, rows[&speed] - v_hat.dot(force));
        }
    }

    fn refuse_accelerations(&mut self, exprs: &[Expr], span: base::Span) {
        if self.level(exprs) == Level::Acceleration {
            self.sink.report(
                Diagnostic::error(codes::ACCELERATION_FORCE, "a force or potential cannot depend on accelerations")
                    .at(span, "accelerations follow from the forces")
                    .hint("a force in proportion to an acceleration is a mass: add it to the body's mass or inertia"),
            );
        }
    }

    /// The force of a potential: on the frames whose positions it depends on, and directly on coordinates for what remains,
    /// such as a spring between angles.
    fn add_potential(
        &mut self,
        potential: Expr,
        places: &Places,
        loads: &mut [Load<'a>],
        rows: &mut FxHashMap<SymbolId, Term<'a>>,
    ) {
        let arena = self.arena;
        let met = arena.reachable_until(&[potential], |node| places.contains_key(&node));
        let met_places: Vec<Expr> = met.iter().copied().filter(|node| places.contains_key(node)).collect();
        for &node in &met_places {
            let mut by_node = Differentiator::in_space();
            met_places.iter().for_each(|&other| by_node.seed(other, arena.zero()));
            by_node.seed(node, arena.one());
            let slope = arena.term(by_node.derivative(arena, potential));
            let (frame, axis) = places[&node];
            loads[frame.index()].force.0[axis] = loads[frame.index()].force.0[axis] + slope;
        }
        let positions = met.into_iter().filter(|node| self.is_position(*node) && !places.contains_key(node));
        for coordinate in positions.collect::<Vec<Expr>>() {
            let mut by_coordinate = Differentiator::in_space();
            by_coordinate.seed(coordinate, arena.one());
            met_places.iter().for_each(|&node| by_coordinate.seed(node, arena.zero()));
            let slope = arena.term(by_coordinate.derivative(arena, potential));
            self.add_slope(slope, coordinate, rows);
        }
    }

    fn is_position(&self, node: Expr) -> bool {
        self.arena.as_symbol(node).and_then(|symbol| self.levels.get(&symbol)) == Some(&Level::Position)
    }

    /// A generalised force −slope along a coordinate: row j gets slope · ∂q̇/∂u_j.
    fn add_slope(&mut self, slope: Term<'a>, coordinate: Expr, rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        let rate = self.derivative(coordinate);
        for (speed, partial) in self.partials(&[rate]) {
            rows.insert(speed, rows[&speed] + slope * self.arena.term(partial[0]));
        }
    }

    /// −½ ω·(∂I/∂q)ω for each coordinate that the inertia depends on: who pulls the arms in works against what flings them out.
    fn add_inertia_slopes(&mut self, I_B: Matrix<'a>, w: Vector<'a>, rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        let arena = self.arena;
        let entries: Vec<Expr> = I_B.0.iter().flatten().map(|entry| entry.expr).collect();
        let symbols = arena.symbols_in(&entries).into_iter().map(|symbol| arena.symbol(symbol));
        for coordinate in symbols.filter(|&symbol| self.is_position(symbol)).collect::<Vec<Expr>>() {
            let mut by_coordinate = Differentiator::by(arena, coordinate);
            let mut slope = |entry: Term<'a>| arena.term(by_coordinate.derivative(arena, entry.expr));
            let slopes = Matrix(I_B.0.map(|row| row.map(&mut slope)));
            self.add_slope(-0.5 * w.dot(slopes * w), coordinate, rows);
        }
    }

    /// What a potential that depends on velocities, as that of a charge in a magnetic field, does besides: L = T − V gives row j
    /// −d/dt ∂V/∂u_j. The angular velocity u of a free rotation is the rate of no coordinates, so ∂V/∂u turns with the frame:
    /// −u × ∂V/∂u (Euler and Poincaré).
    fn add_velocity_slopes(&mut self, potential: Expr, rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        let arena = self.arena;
        let partials = self.partials(&[potential]);
        for (speed, slope) in &partials {
            rows.insert(*speed, rows[speed] - arena.term(self.derivative(slope[0])));
        }
        let slopes: FxHashMap<SymbolId, Expr> = partials.into_iter().map(|(speed, slope)| (speed, slope[0])).collect();
        let minimal = self.options.rotations == Rotations::Minimal;
        for frame in (1..self.model.frames.len()).map(|at| FrameId(at as u32)) {
            if slopes.is_empty() || !minimal || !matches!(self.model.frame(frame).rotation, Rotation::Free(_)) {
                continue;
            }
            let u = self.pose(frame).rotation.w_PF_F;
            let slope = |speed| slopes.get(&speed).map_or(arena.constant(0.0), |&slope| arena.term(slope));
            let speeds = u.exprs().map(|part| arena.as_symbol(part).expect("a free rotation has speeds of its own"));
            for (speed, turned) in speeds.into_iter().zip(u.cross(Vector(speeds.map(slope))).0) {
                rows.insert(speed, rows[&speed] - turned);
            }
        }
    }

    /// The components of all frames' positions that can change, and whose they are.
    pub fn position_nodes(&mut self) -> Places {
        let mut places = FxHashMap::default();
        for frame in 1..self.model.frames.len() {
            let frame = FrameId(frame as u32);
            for (axis, component) in self.pose(frame).p_WF.0.into_iter().enumerate() {
                if self.arena.as_number(component.expr).is_none()
                    && !self.arena.is_zero(self.derivative(component.expr))
                {
                    places.entry(component.expr).or_insert((frame, axis));
                }
            }
        }
        places
    }

    /// From the leaves to the root: each frame adds to the rows of the speeds between it and its parent, then hands its load on.
    fn gather(&mut self, mut loads: Vec<Load<'a>>, rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        for frame in self.leaves_first() {
            let (F, parent) = (self.pose(frame), self.model.frame(frame).parent);
            let P = self.pose(parent);
            let load = loads[frame.index()];
            let mut motion = F.v_PF.exprs().to_vec();
            motion.extend(F.rotation.w_PF_F.exprs());
            for (speed, partial) in self.partials(&motion) {
                let v_hat = P.R_WF * self.arena.vector([partial[0], partial[1], partial[2]]);
                let w_hat_F = self.arena.vector([partial[3], partial[4], partial[5]]);
                let power = v_hat.dot(load.force) + (F.R_WF * w_hat_F).dot(load.moment) + w_hat_F.dot(load.moment_F);
                rows.insert(speed, rows[&speed] + power);
            }
            // Nothing moves the world, so nobody asks what all loads are together.
            if parent == WORLD {
                continue;
            }
            let moment = load.moment + F.R_WF * load.moment_F;
            let onto = &mut loads[parent.index()];
            onto.force = onto.force + load.force;
            onto.moment = onto.moment + moment + F.p_PF_W.cross(load.force);
        }
    }

    /// Children before their parents; the world is left out.
    fn leaves_first(&self) -> Vec<FrameId> {
        let mut children: Vec<Vec<FrameId>> = vec![Vec::new(); self.model.frames.len()];
        for frame in (1..self.model.frames.len()).map(|at| FrameId(at as u32)) {
            children[self.model.frame(frame).parent.index()].push(frame);
        }
        let mut order = vec![WORLD];
        let mut at = 0;
        while at < order.len() {
            order.extend(&children[order[at].index()]);
            at += 1;
        }
        order.into_iter().skip(1).rev().collect()
    }

    /// The derivatives of some expressions by each speed that occurs in them.
    pub fn partials(&self, exprs: &[Expr]) -> Vec<(SymbolId, Vec<Expr>)> {
        let occurring = self.arena.symbols_in(exprs).into_iter();
        let speeds = occurring.filter(|symbol| self.levels.get(symbol) == Some(&Level::Velocity));
        let partial = |speed: SymbolId| {
            let mut by_speed = Differentiator::by(self.arena, self.arena.symbol(speed));
            (speed, exprs.iter().map(|&expr| by_speed.derivative(self.arena, expr)).collect())
        };
        speeds.map(partial).collect()
    }

    /// The force of a constraint acts along its gradient: row j gets λ ∂(velocity level)/∂u_j.
    fn add_constraint_forces(&mut self, constraint: &Constraint, rows: &mut FxHashMap<SymbolId, Term<'a>>) {
        let (Some(multiplier), Some(velocity)) = (constraint.multiplier, constraint.at(Level::Velocity)) else {
            return;
        };
        let multiplier = self.arena.term(self.arena.symbol(multiplier));
        for (speed, partial) in self.partials(&[velocity]) {
            rows.insert(speed, rows[&speed] + multiplier * self.arena.term(partial[0]));
        }
    }
}
