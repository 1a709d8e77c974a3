//! A hand that pulls at a frame: a damped spring between a point of the frame and a point of the world, moved by controls of its own.

use base::{Dimension, Unit};
use equations::Control;
use expr::{Term, Vector};
use model::FrameId;

use crate::formulate::Formulation;

/// The controls of a hand, which come after those of the scene: stiffness, damping, then where it holds the frame, in the
/// frame's axes, and where it pulls to, in the world.
pub const HAND: [&str; 8] = [
    "hand.stiffness",
    "hand.damping",
    "hand.grasp.x",
    "hand.grasp.y",
    "hand.grasp.z",
    "hand.target.x",
    "hand.target.y",
    "hand.target.z",
];

/// A force, and where it acts from the frame's origin.
pub(crate) struct Pull<'a> {
    pub frame: FrameId,
    pub force: Vector<'a>,
    pub arm: Vector<'a>,
}

impl<'a> Formulation<'a> {
    /// Adds the controls of a hand.
    pub fn lend_hand(&mut self) {
        let Some(frame) = self.options.hand else { return };
        let span = self.model.frame(frame).span;
        self.controls.extend(HAND.map(|name| Control {
            name: name.to_string(),
            symbol: self.arena.new_symbol(name),
            default: 0.0,
            range: None,
            unit: Unit::coherent(Dimension::NONE),
            span,
        }));
    }

    /// k (p_WT − p_WQ) − c v_WQ on the point Q of the frame that is held.
    pub fn pull(&mut self) -> Option<Pull<'a>> {
        let frame = self.options.hand?;
        let first = self.controls.len() - HAND.len();
        let control = |at: usize| -> Term<'a> { self.arena.term(self.arena.symbol(self.controls[first + at].symbol)) };
        let (stiffness, damping) = (control(0), control(1));
        let (grasp_F, target) = (Vector([2, 3, 4].map(control)), Vector([5, 6, 7].map(control)));
        let F = self.pose(frame);
        let arm = F.R_WF * F.scale.hadamard(grasp_F);
        let velocity = F.v_WF + F.w_WF.cross(arm) + self.stretching(&F, arm);
        let force = stiffness * (target - (F.p_WF + arm)) - damping * velocity;
        Some(Pull { frame, force, arm })
    }
}
