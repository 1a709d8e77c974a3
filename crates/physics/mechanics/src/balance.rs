//! Newton's and Euler's equations of each body by itself, from the same loads that equations of motion are projected from.

use equations::{Balance, Sides};
use expr::{Matrix, Vector};
use model::Body;

use crate::dynamics::Load;
use crate::formulate::Formulation;

/// Scenes with more bodies have no board that shows each of them.
const MOST_BODIES: usize = 8;

/// What acts on each frame by itself, at three moments of its sum; all are empty where nobody looks.
#[derive(Default)]
pub(crate) struct Loads<'a> {
    pub without_weights: Vec<Load<'a>>,
    pub with_weights: Vec<Load<'a>>,
    pub all: Vec<Load<'a>>,
}

impl<'a> Formulation<'a> {
    pub fn balances(&mut self, loads: &Loads<'a>) -> Vec<Balance> {
        let bodies = &self.model.bodies;
        if bodies.len() > MOST_BODIES || loads.all.is_empty() {
            return Vec::new();
        }
        let load = |this: &mut Self, body: &Body| {
            let of = |loads: &[Load<'a>]| loads[body.frame.index()];
            let [before, after, all] = [&loads.without_weights, &loads.with_weights, &loads.all].map(|it| of(it));
            // The potential of a weight may pull at coordinates instead of at the body; people expect it there.
            let force = all.force - (after.force - before.force) - this.mass(body) * this.gravity();
            Load { force, ..all }
        };
        bodies
            .iter()
            .map(|body| {
                let load = load(self, body);
                self.balance(body, load)
            })
            .collect()
    }

    fn balance(&mut self, body: &Body, load: Load<'a>) -> Balance {
        let B = self.pose(body.frame);
        let mass = self.mass(body);
        let inertial = mass * B.a_WF + self.rate_of(mass) * B.v_WF;
        let sides = |inertial: Vector<'a>, total: Vector<'a>| Sides {
            inertial: inertial.exprs(),
            applied: (inertial - total).exprs(),
        };
        let forces = sides(inertial, load.force);
        let moments = self.inertia(body).map(|I_B| {
            let I_rate = Matrix(I_B.0.map(|row| row.map(|entry| self.rate_of(entry))));
            let inertial_F = I_B * B.alpha_WF_F + B.w_WF_F.cross(I_B * B.w_WF_F) + I_rate * B.w_WF_F;
            sides(inertial_F, B.R_WF.transpose() * load.moment + load.moment_F)
        });
        let mut motion = B.v_WF.exprs().to_vec();
        motion.extend(B.w_WF_F.exprs());
        let partials = self.partials(&motion).into_iter();
        let partials = partials.map(|(speed, partial)| (speed, std::array::from_fn(|at| partial[at]))).collect();
        let frame = self.model.frame(body.frame);
        let position = B.p_WF.exprs();
        Balance { name: frame.name.clone(), span: frame.span, position, forces, moments, partials }
    }
}
