//! Energies and momenta of the scene.

use equations::{Constraint, Energy, Level, Motion};
use expr::{Expr, Matrix, Term, Vector, substitute};
use model::{Body, FrameId};
use rustc_hash::FxHashMap;

use crate::formulate::Formulation;

impl<'a> Formulation<'a> {
    pub fn energies(&mut self) -> (Expr, Expr) {
        (self.kinetic_energy().expr, self.potential_energy().expr)
    }

    pub fn kinetic_energy(&mut self) -> Term<'a> {
        let frames: Vec<FrameId> = self.model.bodies.iter().map(|body| body.frame).collect();
        self.total(&frames, |this, frame| this.kinetic_energy_of(frame))
    }

    /// ½ m v² + ½ ω·Iω, the latter in the body's own axes.
    pub fn kinetic_energy_of(&mut self, frame: FrameId) -> Term<'a> {
        let B = self.pose(frame);
        let translation = 0.5 * (self.mass_of(frame) * B.v_WF.dot(B.v_WF));
        match self.inertia_of(frame) {
            Some(I_B) => translation + 0.5 * B.w_WF_F.dot(I_B * B.w_WF_F),
            None => translation,
        }
    }

    pub fn potential_energy(&mut self) -> Term<'a> {
        let mut sum = self.arena.constant(0.0);
        for potential in self.potential_terms() {
            sum = sum + potential;
        }
        sum
    }

    /// Each part of the potential energy on its own: weights first, then what the scene states.
    pub fn potential_terms(&mut self) -> Vec<Term<'a>> {
        let mut terms = Vec::new();
        if let Some(gravity) = &self.model.gravity {
            let g = self.vector(gravity.acceleration);
            for body in &self.model.bodies {
                let B = self.pose(body.frame);
                terms.push(-(self.mass_of(body.frame) * g.dot(B.p_WF)));
            }
        }
        terms.extend(self.model.potentials.iter().map(|potential| self.scalar(potential.value)));
        terms
    }

    pub fn momentum(&mut self) -> Vector<'a> {
        let mut sum = self.arena.zero_vector();
        for body in &self.model.bodies {
            let B = self.pose(body.frame);
            sum = sum + self.mass_of(body.frame) * B.v_WF;
        }
        sum
    }

    /// About the world's origin.
    pub fn angular_momentum(&mut self) -> Vector<'a> {
        let mut sum = self.arena.zero_vector();
        for body in &self.model.bodies {
            let B = self.pose(body.frame);
            sum = sum + B.p_WF.cross(self.mass_of(body.frame) * B.v_WF);
            if let Some(I_B) = self.inertia_of(body.frame) {
                sum = sum + B.R_WF * (I_B * B.w_WF_F);
            }
        }
        sum
    }

    pub fn centre_of_mass(&mut self) -> Vector<'a> {
        let (mut sum, mut mass) = (self.arena.zero_vector(), self.arena.constant(0.0));
        for body in &self.model.bodies {
            let (B, m) = (self.pose(body.frame), self.mass_of(body.frame));
            sum = sum + m * B.p_WF;
            mass = mass + m;
        }
        Vector(sum.0.map(|component| component / mass))
    }

    pub fn mass_of(&mut self, frame: FrameId) -> Term<'a> {
        match self.model.body_of(frame) {
            Some(body) => self.scalar(body.mass),
            None => self.arena.constant(0.0),
        }
    }

    /// The tensor about the origin, in the body's axes; none for a point.
    pub fn inertia_of(&mut self, frame: FrameId) -> Option<Matrix<'a>> {
        let Body { inertia, .. } = self.model.body_of(frame)?;
        let [xx, yy, zz, xy, xz, yz] = inertia.as_ref()?.entries.map(|entry| self.scalar(entry));
        Some(Matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    }

    fn total(&mut self, frames: &[FrameId], of: impl Fn(&mut Self, FrameId) -> Term<'a>) -> Term<'a> {
        let mut sum = self.arena.constant(0.0);
        for &frame in frames {
            sum = sum + of(self, frame);
        }
        sum
    }

    /// Energy is conserved if no force is applied, nothing depends on time or a control, and no constraint drives a velocity.
    pub fn judge_energy(
        &mut self,
        (kinetic, potential): (Expr, Expr),
        constraints: &[Constraint],
        motion: &[Motion],
    ) -> Energy {
        let mut all: Vec<Expr> = vec![kinetic, potential];
        all.extend(motion.iter().map(|motion| motion.residual));
        all.extend(constraints.iter().filter_map(|constraint| constraint.at(Level::Velocity)));
        let moved: Vec<_> = self.controls.iter().map(|control| control.symbol).chain([self.time]).collect();
        let driven = self.arena.symbols_in(&all).iter().any(|symbol| moved.contains(symbol));
        let still: FxHashMap<Expr, Expr> =
            self.speeds.iter().map(|speed| (self.arena.symbol(speed.symbol), self.arena.zero())).collect();
        let velocities = constraints.iter().filter_map(|constraint| constraint.at(Level::Velocity));
        let pushed =
            velocities.into_iter().any(|residual| !self.arena.is_zero(substitute(self.arena, residual, &still)));
        let forced = !self.model.forces.is_empty() || !self.model.torques.is_empty();
        Energy { kinetic, potential, conserved: !(driven || pushed || forced) }
    }
}
