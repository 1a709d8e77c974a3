//! Kinematics: position, rotation, velocity and acceleration of every frame, each built from its parent's, so that the
//! whole tree is one shared graph whose size is linear in the number of frames.

use base::{Diagnostic, Dimension};
use expr::{Matrix, Term, Vector};
use model::{Component, FrameId, Rotation, WORLD};

use crate::codes;
use crate::formulate::Formulation;
use crate::rotation::LocalRotation;

/// A frame F with parent P, seen from the world W.
#[derive(Clone, Copy)]
pub(crate) struct Pose<'a> {
    pub p_WF: Vector<'a>,
    pub R_WF: Matrix<'a>,
    /// How F is turned in W, where all rotations on the way are about one axis.
    pub turn: Turn<'a>,
    /// Stretch along the frame's own axes: coordinates in F are multiplied by it. Nested stretches multiply axis by axis.
    pub scale: Vector<'a>,
    pub v_WF: Vector<'a>,
    pub a_WF: Vector<'a>,
    pub w_WF: Vector<'a>,
    pub alpha_WF: Vector<'a>,
    /// Angular velocity and acceleration again, in the frame's own axes, where the inertia of a body is constant.
    pub w_WF_F: Vector<'a>,
    pub alpha_WF_F: Vector<'a>,
    /// Coordinates of the origin in P, as given.
    pub coordinates: Vector<'a>,
    /// From P's origin to F's, in W.
    pub p_PF_W: Vector<'a>,
    /// The rate of change of F's origin as seen in P, in P's axes.
    pub v_PF: Vector<'a>,
    pub rotation: LocalRotation<'a>,
}

/// A rotation about one axis: rotations about the same axis add up.
#[derive(Clone, Copy)]
pub(crate) enum Turn<'a> {
    None,
    About([f64; 3], Term<'a>),
    Otherwise,
}

impl<'a> Turn<'a> {
    /// This turn, then another in the frame that it gives.
    fn then(self, other: Turn<'a>) -> Turn<'a> {
        match (self, other) {
            (turn, Turn::None) | (Turn::None, turn) => turn,
            (Turn::About(axis, angle), Turn::About(same, more)) if axis == same => Turn::About(axis, angle + more),
            _ => Turn::Otherwise,
        }
    }
}

pub(crate) enum FrameState<'a> {
    Waiting,
    InProgress,
    Done(Box<Pose<'a>>),
}

impl<'a> Formulation<'a> {
    pub fn all_kinematics(&mut self) {
        for frame in 0..self.model.frames.len() {
            self.pose(FrameId(frame as u32));
        }
    }

    /// The pose of a frame, worked out when it is first needed.
    pub fn pose(&mut self, frame: FrameId) -> Pose<'a> {
        if let FrameState::Done(pose) = &self.frames[frame.index()] {
            return **pose;
        }
        let pose = match self.frames[frame.index()] {
            _ if frame == WORLD => self.world(),
            FrameState::InProgress => {
                let (name, span) = (&self.model.frame(frame).name, self.model.frame(frame).span);
                self.sink.report(
                    Diagnostic::error(codes::CYCLIC_FRAMES, format!("where `{name}` is depends on where `{name}` is"))
                        .at(span, "its transformation refers to itself, directly or through other frames")
                        .hint("make the component `free` and state the relation with `always … == …`"),
                );
                self.world()
            }
            _ => {
                self.frames[frame.index()] = FrameState::InProgress;
                let parent = self.pose(self.model.frame(frame).parent);
                self.place(frame, &parent)
            }
        };
        self.frames[frame.index()] = FrameState::Done(Box::new(pose));
        pose
    }

    fn world(&self) -> Pose<'a> {
        let (zero, identity) = (self.arena.zero_vector(), self.arena.identity());
        let one = self.arena.constant(1.0);
        Pose {
            p_WF: zero,
            R_WF: identity,
            turn: Turn::None,
            scale: Vector([one; 3]),
            v_WF: zero,
            a_WF: zero,
            w_WF: zero,
            alpha_WF: zero,
            w_WF_F: zero,
            alpha_WF_F: zero,
            coordinates: zero,
            p_PF_W: zero,
            v_PF: zero,
            rotation: LocalRotation::none(self.arena),
        }
    }

    /// Places F in P. With s the scaled offset in P's axes, r = R_WP s:
    ///   v_WF = v_WP + w×r + R_WP ṡ,   a_WF = a_WP + α×r + w×(w×r + 2 R_WP ṡ) + R_WP s̈.
    fn place(&mut self, frame: FrameId, P: &Pose<'a>) -> Pose<'a> {
        let (coordinates, scale) = self.local_components(frame);
        let rotation = self.local_rotation(frame);
        let p_PF = P.scale.hadamard(coordinates);
        let v_PF = self.rate(p_PF);
        let a_PF = self.rate(v_PF);
        let (p_PF_W, v_PF_W) = (P.R_WF * p_PF, P.R_WF * v_PF);
        let swept = P.w_WF.cross(p_PF_W) + v_PF_W;
        let own = match rotation.axis {
            Some(axis) => Turn::About(axis, rotation.angle),
            None if matches!(self.model.frame(frame).rotation, Rotation::None) => Turn::None,
            None => Turn::Otherwise,
        };
        let turn = P.turn.then(own);
        let R_WF = match turn {
            Turn::About(axis, angle) => self.turned_about(axis, angle),
            _ => P.R_WF * rotation.R_PF,
        };
        let w_PF_W = R_WF * rotation.w_PF_F;
        let R_FP = rotation.R_PF.transpose();
        let w_WP_F = R_FP * P.w_WF_F;
        let pose = Pose {
            p_WF: P.p_WF + p_PF_W,
            R_WF,
            turn,
            scale: P.scale.hadamard(scale),
            v_WF: P.v_WF + swept,
            a_WF: P.a_WF + P.alpha_WF.cross(p_PF_W) + P.w_WF.cross(swept + v_PF_W) + P.R_WF * a_PF,
            w_WF: P.w_WF + w_PF_W,
            alpha_WF: P.alpha_WF + R_WF * rotation.alpha_PF_F + P.w_WF.cross(w_PF_W),
            w_WF_F: w_WP_F + rotation.w_PF_F,
            alpha_WF_F: R_FP * P.alpha_WF_F + rotation.alpha_PF_F + w_WP_F.cross(rotation.w_PF_F),
            coordinates,
            p_PF_W,
            v_PF,
            rotation,
        };
        self.remember_rates(&pose);
        pose
    }

    /// Tells the clock what is known of the pose's derivatives, so that nobody derives them again from the angles.
    fn remember_rates(&mut self, pose: &Pose<'a>) {
        let mut known: Vec<(Term<'a>, Term<'a>)> = Vec::new();
        let mut pair = |of: Vector<'a>, rate: Vector<'a>| known.extend(of.0.into_iter().zip(rate.0));
        pair(pose.p_WF, pose.v_WF);
        pair(pose.v_WF, pose.a_WF);
        pair(pose.w_WF, pose.alpha_WF);
        for axis in 0..3 {
            let column = pose.R_WF.column(axis);
            pair(column, pose.w_WF.cross(column));
        }
        for (of, rate) in known {
            let leaf = self.arena.as_number(of.expr).is_some() || self.arena.as_symbol(of.expr).is_some();
            if !leaf {
                self.clock.seed(of.expr, rate.expr);
            }
        }
    }

    /// How fast the material of F that is at `arm` from its origin moves because F's scale changes: R ṡ/s ∘ R⁻¹ arm.
    pub fn stretching(&mut self, F: &Pose<'a>, arm: Vector<'a>) -> Vector<'a> {
        let (rate, arm_F) = (self.rate(F.scale), F.R_WF.transpose() * arm);
        F.R_WF * Vector(std::array::from_fn(|axis| rate.0[axis] / F.scale.0[axis] * arm_F.0[axis]))
    }

    pub fn rate(&mut self, vector: Vector<'a>) -> Vector<'a> {
        Vector(vector.0.map(|component| self.rate_of(component)))
    }

    pub fn rate_of(&mut self, term: Term<'a>) -> Term<'a> {
        self.arena.term(self.derivative(term.expr))
    }

    fn local_components(&mut self, frame: FrameId) -> (Vector<'a>, Vector<'a>) {
        let declared = self.model.frame(frame).clone();
        let coordinate = |this: &mut Self, at: usize| {
            let name = format!("{}.{}", declared.name, ["x", "y", "z"][at]);
            this.component(declared.position[at], name, 0.0, Dimension::LENGTH, frame)
        };
        let coordinates = Vector([coordinate(self, 0), coordinate(self, 1), coordinate(self, 2)]);
        let stretch = |this: &mut Self, at: usize| {
            let name = format!("{}.scale_{}", declared.name, ["x", "y", "z"][at]);
            this.component(declared.scale[at], name, 1.0, Dimension::NONE, frame)
        };
        let scale = Vector([stretch(self, 0), stretch(self, 1), stretch(self, 2)]);
        (coordinates, scale)
    }

    /// The value of a component: what is given, or a new coordinate.
    pub fn component(
        &mut self,
        component: Component,
        name: String,
        start: f64,
        dimension: Dimension,
        frame: FrameId,
    ) -> Term<'a> {
        match component {
            Component::Given(term) => self.scalar(term),
            Component::Free(guess) => {
                let guess = guess.map_or(self.arena.constant(start), |guess| self.scalar(guess));
                let span = self.model.frame(frame).span;
                self.arena.term(self.new_coordinate(name, guess.expr, dimension, span))
            }
        }
    }
}
