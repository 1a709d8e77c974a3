//! Energies and momenta of the scene.

use equations::{Constraint, Level, Motion};
use expr::{Differentiator, Expr, Matrix, Substitution, Term, Vector};
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
        let mut sum = self.arena.constant(0.0);
        for potential in self.potential_terms() {
            sum = sum + self.stored(potential);
        }
        sum
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

    /// Each part of the potential energy on its own: weights first, then what the scene states.
    pub fn potential_terms(&mut self) -> Vec<Term<'a>> {
        let mut terms = Vec::new();
        if let Some(gravity) = &self.model.gravity {
            let g = self.vector(gravity.acceleration);
            for body in &self.model.bodies {
                let B = self.pose(body.frame);
                terms.push(-(self.mass(body) * g.dot(B.p_WF)));
            }
        }
        terms.extend(self.model.potentials.iter().map(|potential| self.scalar(potential.value)));
        terms
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

    pub fn mass(&mut self, body: &Body) -> Term<'a> {
        self.scalar(body.mass)
    }

    /// The tensor about the origin, in the body's axes; none for a point.
    pub fn inertia(&mut self, body: &Body) -> Option<Matrix<'a>> {
        let [xx, yy, zz, xy, xz, yz] = body.inertia.as_ref()?.entries.map(|entry| self.scalar(entry));
        Some(Matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    }

    pub fn total<'m>(
        &mut self,
        bodies: impl IntoIterator<Item = &'m Body>,
        of: impl Fn(&mut Self, &Body) -> Term<'a>,
    ) -> Term<'a> {
        let mut sum = self.arena.constant(0.0);
        for body in bodies {
            sum = sum + of(self, body);
        }
        sum
    }

    /// Whether no force is applied, nothing depends on time or a control, and no constraint drives a velocity.
    pub fn conserves_energy(
        &self,
        kinetic: Expr,
        potential: Expr,
        constraints: &[Constraint],
        motion: &[Motion],
    ) -> bool {
        let mut all: Vec<Expr> = vec![kinetic, potential];
        all.extend(motion.iter().map(|motion| motion.residual));
        all.extend(constraints.iter().filter_map(|constraint| constraint.at(Level::Velocity)));
        let moved: Vec<_> = self.controls.iter().map(|control| control.symbol).chain([self.time]).collect();
        let driven = self.arena.symbols_in(&all).iter().any(|symbol| moved.contains(symbol));
        let speeds = self.speeds.iter().map(|speed| (self.arena.symbol(speed.symbol), self.arena.zero()));
        let mut still = Substitution::new(speeds);
        let mut velocities = constraints.iter().filter_map(|constraint| constraint.at(Level::Velocity));
        let pushed = velocities.any(|residual| !self.arena.is_zero(still.apply(self.arena, residual)));
        let forced = !self.model.forces.is_empty() || !self.model.torques.is_empty();
        !(driven || pushed || forced)
    }
}
