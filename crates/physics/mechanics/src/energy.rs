//! Energies and momenta of the scene.

use equations::{Constraint, Level, Motion};
use expr::{Differentiator, Expr, Number, Substitution, Term, Vector};
use model::{Body, FrameId};

use crate::formulate::Formulation;

impl<'a> Formulation<'a> {
    pub fn kinetic_energy(&mut self) -> Term<'a> {
        self.total(&self.model.bodies, Self::kinetic_energy_of)
    }

    /// ½ m v² + ½ ω·Iω, the latter in the body's own axes.
    pub fn kinetic_energy_of(&mut self, body: &Body) -> Term<'a> {
        let B = self.pose(body.frame);
        let translation = 0.5 * (self.mass(body) * B.v_WF.dot(B.v_WF));
        match self.inertia(body) {
            Some(I_B) => translation + 0.5 * B.w_WF_F.dot(I_B * B.w_WF_F),
            None => translation,
        }
    }

    pub fn potential_energy(&mut self) -> Term<'a> {
        let mut parts: Vec<Expr> = self.model.bodies.iter().map(|body| self.height_energy(body).expr).collect();
        for (_, value, _) in self.written_potentials() {
            parts.push(self.stored(self.arena.term(value)).expr);
        }
        parts.extend(self.kept_families().iter().map(|family| self.arena.symbol(family.total)));
        self.sum_of_all(parts)
    }

    /// The energy of a potential V: V − v·∂V/∂v. What is linear in velocities does no work, so it stores nothing.
    fn stored(&mut self, potential: Term<'a>) -> Term<'a> {
        if self.level(&[potential.expr]) != Level::Velocity {
            return potential;
        }
        // Along each velocity by itself: its derivative in this direction is v·∂V/∂v. Velocities of frames are seeded as well as speeds,
        // because a frame that is driven has a velocity besides.
        let mut velocities: Vec<Expr> = self.speeds.iter().map(|speed| self.arena.symbol(speed.symbol)).collect();
        for frame in (1..self.model.frames.len()).map(|at| FrameId(at as u32)) {
            let F = self.pose(frame);
            velocities.extend(F.v_WF.exprs().into_iter().chain(F.w_WF.exprs()));
        }
        let mut along = Differentiator::new();
        for velocity in velocities.into_iter().filter(|&velocity| self.level(&[velocity]) == Level::Velocity) {
            along.seed(velocity, velocity);
        }
        potential - self.arena.term(along.derivative(self.arena, potential.expr))
    }

    /// −m g·p in the uniform field of the scene.
    pub fn height_energy(&mut self, body: &Body) -> Term<'a> {
        let p_WB = self.pose(body.frame).p_WF;
        -(self.mass(body) * self.gravity().dot(p_WB))
    }

    /// How strong gravity is, if it is a number along one axis.
    pub fn gravity_strength(&mut self) -> Option<f64> {
        let g = self.gravity().exprs().map(|part| self.arena.as_number(part));
        let parts: Vec<f64> = g.into_iter().collect::<Option<Vec<_>>>()?.into_iter().map(|part| part.value()).collect();
        let mut along = parts.into_iter().filter(|part| *part != 0.0);
        let strength = along.next()?.abs();
        along.next().is_none().then_some(strength)
    }

    pub fn gravity(&mut self) -> Vector<'a> {
        self.model.gravity.as_ref().map_or(self.arena.zero_vector(), |gravity| self.vector(gravity.acceleration))
    }

    pub fn momentum(&mut self) -> Vector<'a> {
        let mut sum = self.arena.zero_vector();
        for body in &self.model.bodies {
            let B = self.pose(body.frame);
            sum = sum + self.mass(body) * B.v_WF;
        }
        sum
    }

    /// About the world's origin.
    pub fn angular_momentum(&mut self) -> Vector<'a> {
        let mut sum = self.arena.zero_vector();
        for body in &self.model.bodies {
            let B = self.pose(body.frame);
            sum = sum + B.p_WF.cross(self.mass(body) * B.v_WF);
            if let Some(I_B) = self.inertia(body) {
                sum = sum + B.R_WF * (I_B * B.w_WF_F);
            }
        }
        sum
    }

    pub fn centre_of_mass(&mut self) -> Vector<'a> {
        let (mut sum, mut mass) = (self.arena.zero_vector(), self.arena.constant(0.0));
        for body in &self.model.bodies {
            let (B, m) = (self.pose(body.frame), self.mass(body));
            sum = sum + m * B.p_WF;
            mass = mass + m;
        }
        Vector(sum.0.map(|component| component / mass))
    }

    pub fn total<'m>(
        &mut self,
        bodies: impl IntoIterator<Item = &'m Body>,
        of: impl Fn(&mut Self, &Body) -> Term<'a>,
    ) -> Term<'a> {
        let parts = bodies.into_iter().map(|body| of(self, body).expr).collect();
        self.sum_of_all(parts)
    }

    /// All at once, so that a long sum costs no more than its length.
    fn sum_of_all(&self, parts: Vec<Expr>) -> Term<'a> {
        self.arena.term(self.arena.sum(parts.into_iter().map(|part| (Number::ONE, part))))
    }

    /// Whether no force is applied, nothing depends on time, a control or a quantity of the author's own, and no constraint drives a velocity.
    pub fn conserves_energy(
        &mut self,
        kinetic: Expr,
        potential: Expr,
        constraints: &[Constraint],
        motion: &[Motion],
    ) -> bool {
        let mut all: Vec<Expr> = vec![kinetic, potential];
        all.extend(motion.iter().map(|motion| motion.residual));
        all.extend(constraints.iter().filter_map(|constraint| constraint.at(Level::Velocity)));
        let own = self.variables.iter().filter(|variable| !variable.constant).map(|variable| variable.symbol);
        let moved: Vec<_> = self.controls.iter().map(|control| control.symbol).chain([self.time]).chain(own).collect();
        let driven = self.arena.symbols_in(&all).iter().any(|symbol| moved.contains(symbol));
        let speeds = self.speeds.iter().map(|speed| (self.arena.symbol(speed.symbol), self.arena.zero()));
        let mut still = Substitution::new(speeds);
        let mut velocities = constraints.iter().filter_map(|constraint| constraint.at(Level::Velocity));
        let pushed = velocities.any(|residual| !self.arena.is_zero(still.apply(self.arena, residual)));
        // A field that differs from place to place need not have the energy −m g·p, nor any.
        let g = self.gravity();
        let uneven = self.depends_on_coordinates(&g.exprs()) || self.level(&g.exprs()) > Level::Position;
        let forced = uneven || !self.model.forces.is_empty() || !self.model.torques.is_empty();
        !(driven || pushed || forced)
    }
}
