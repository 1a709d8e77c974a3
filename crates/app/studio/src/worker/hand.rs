//! A hand on the scene. While it runs, a damped spring pulls at what is held; while it is paused, the pose follows the hand as
//! far as the constraints let it, and no further than to where a transition would happen.

use ansatz::{Options, Solver};
use mechanics::HAND;
use model::FrameId;

use super::instance::Instance;
use driver::Failure;

/// What the hand holds, where in the frame's axes, and where it pulls to in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    pub frame: FrameId,
    pub grasp: [f64; 3],
    pub target: [f64; 3],
}

/// The scene with a hand in it: a program of its own, so that the run without a hand is the same as without a studio.
pub struct Hand {
    pub frame: FrameId,
    pub instance: Instance,
}

/// The spring's own frequency in Hz, and its damping in parts of the critical one.
const FREQUENCY: f64 = 2.0;
const DAMPING: f64 = 0.7;

impl Hand {
    /// Nothing if no program could be made, which would be a defect.
    pub fn compile(main: &Instance, frame: FrameId) -> Option<Hand> {
        // The pose is sought with rates, which implicit solvers do not have.
        let options = Options { hand: Some(frame), solver: Solver::Explicit, ..main.scene.options().clone() };
        let instance = main.variant(&options).ok()?;
        Some(Hand { frame, instance })
    }

    /// Lets the spring pull, as strongly as suits the mass.
    pub fn pull(&mut self, grip: &Grip) {
        let rate = 2.0 * std::f64::consts::PI * FREQUENCY;
        let mass = self.mass();
        self.set(mass * rate * rate, 2.0 * DAMPING * mass * rate, grip);
    }

    fn set(&mut self, stiffness: f64, damping: f64, grip: &Grip) {
        let ([a, b, c], [x, y, z]) = (grip.grasp, grip.target);
        for (name, value) in HAND.into_iter().zip([stiffness, damping, a, b, c, x, y, z]) {
            self.instance.set_control(name, value);
        }
    }

    /// Of the body that is held; of all bodies if it is none.
    fn mass(&self) -> f64 {
        let model = &self.instance.stages.model;
        let value = |body: &model::Body| {
            let parameter = |id: model::ParameterId| Some(self.instance.simulation.parameter(id.index()));
            model.terms.constant(body.mass, &parameter).filter(|mass| *mass > 0.0)
        };
        let own = model.bodies.iter().find(|body| body.frame == self.frame).and_then(value);
        own.unwrap_or_else(|| model.bodies.iter().filter_map(value).sum::<f64>().max(1e-9))
    }

    /// The states nearest to some states, at rest, in which what is held is nearest to where the hand pulls it.
    ///
    /// The direction is that in which a force on what is held accelerates the scene from rest: it respects masses and
    /// constraints. The step along it is that of Gauss and Newton, halved until it helps.
    pub fn pose(&mut self, t: f64, states: &[f64], grip: &Grip) -> Result<Vec<f64>, Failure> {
        const MOST_STEPS: usize = 40;
        let mut now = self.settle(t, &self.at_rest(states))?;
        for _ in 0..MOST_STEPS {
            let gap = self.gap(t, grip)?;
            let Some(way) = self.way(t, &now, grip)? else { break };
            let Some(better) = self.step(t, &now, &way, grip, gap)? else { break };
            let gained = size(gap) - size(self.gap(t, grip)?);
            now = better;
            if gained < 1e-9 * size(gap) {
                break;
            }
        }
        Ok(now)
    }

    /// Where it goes when what is held is pushed towards the target; nothing if it does not move.
    fn way(&mut self, t: f64, states: &[f64], grip: &Grip) -> Result<Option<Way>, Failure> {
        let mut rates = |stiffness: f64, states: &[f64]| -> Result<Vec<f64>, Failure> {
            self.set(stiffness, 0.0, grip);
            self.instance.simulation.place(t, states)?;
            Ok(self.instance.simulation.rates())
        };
        let (free, pushed) = (rates(0.0, states)?, rates(1.0, states)?);
        let push: Vec<f64> = pushed.iter().zip(&free).map(|(pushed, free)| pushed - free).collect();
        let largest = push.iter().fold(0.0_f64, |largest, part| largest.max(part.abs()));
        if !(largest > 1e-300 && largest.is_finite()) {
            return Ok(None);
        }
        // These accelerations, taken as velocities, tell how the positions go.
        let speeds: Vec<f64> = push.iter().map(|push| push / largest).collect();
        let moved = rates(0.0, &along(states, 1.0, &speeds))?;
        let velocity = |(at, (moved, free)): (usize, (&f64, &f64))| if self.is_speed(at) { 0.0 } else { moved - free };
        let positions: Vec<f64> = moved.iter().zip(&free).enumerate().map(velocity).collect();
        Ok(positions.iter().any(|part| *part != 0.0).then_some(Way { positions, speeds }))
    }

    /// A state further along the way that is nearer to the target, on the constraints, and in the same mode; nothing if there is none.
    fn step(
        &mut self,
        t: f64,
        from: &[f64],
        way: &Way,
        grip: &Grip,
        gap: [f64; 3],
    ) -> Result<Option<Vec<f64>>, Failure> {
        const PROBE: f64 = 1e-6;
        const MOST_HALVINGS: usize = 12;
        self.settle(t, &along(from, PROBE, &way.positions))?;
        let probed = self.gap(t, grip)?;
        let slope: [f64; 3] = std::array::from_fn(|i| (gap[i] - probed[i]) / PROBE);
        let squared: f64 = slope.iter().map(|part| part * part).sum();
        let mut length = gap.iter().zip(slope).map(|(gap, slope)| gap * slope).sum::<f64>() / squared;
        if !length.is_finite() {
            return Ok(None);
        }
        for _ in 0..MOST_HALVINGS {
            if let Ok(reached) = self.settle(t, &along(from, length, &way.positions))
                && size(self.gap(t, grip)?) < size(gap)
                && !self.is_leaving(t, &reached, length.signum(), way)?
            {
                return Ok(Some(self.settle(t, &reached)?));
            }
            length *= 0.5;
        }
        self.settle(t, from)?;
        Ok(None)
    }

    /// Whether a transition would happen if it were to pass slowly on its way: a wall is met by what moves towards it.
    fn is_leaving(&mut self, t: f64, states: &[f64], forwards: f64, way: &Way) -> Result<bool, Failure> {
        const SLOWLY: f64 = 1e-3;
        self.settle(t, &along(states, SLOWLY * forwards, &way.speeds))?;
        Ok(!self.instance.simulation.holding(t)?.is_empty())
    }

    /// Moves states onto the constraints.
    fn settle(&mut self, t: f64, states: &[f64]) -> Result<Vec<f64>, Failure> {
        self.instance.simulation.place(t, states)?;
        self.instance.simulation.observe(t)?;
        self.instance.simulation.states()
    }

    /// From what is held to where it is pulled, at the present state.
    fn gap(&mut self, t: f64, grip: &Grip) -> Result<[f64; 3], Failure> {
        let picture = self.instance.simulation.picture(t)?;
        let place = &self.instance.stages.system.picture.frames[grip.frame.index() - 1];
        let pose = &picture[place.pose..place.pose + 7];
        let scale = place.scale.map_or([1.0; 3], |at| [picture[at], picture[at + 1], picture[at + 2]]);
        let grasp = std::array::from_fn(|i| grip.grasp[i] * scale[i]);
        let held = rotate([pose[3], pose[4], pose[5], pose[6]], grasp);
        Ok(std::array::from_fn(|i| grip.target[i] - pose[i] - held[i]))
    }

    fn at_rest(&self, states: &[f64]) -> Vec<f64> {
        states.iter().enumerate().map(|(at, &state)| if self.is_speed(at) { 0.0 } else { state }).collect()
    }

    fn is_speed(&self, at: usize) -> bool {
        let name = &self.instance.columns.states[at].name;
        self.instance.stages.system.speeds.iter().any(|speed| speed.name == *name)
    }
}

/// A direction in which a pose can be changed: as changes of positions, and as speeds.
struct Way {
    positions: Vec<f64>,
    speeds: Vec<f64>,
}

fn along(from: &[f64], length: f64, direction: &[f64]) -> Vec<f64> {
    from.iter().zip(direction).map(|(from, direction)| from + length * direction).collect()
}

fn size(vector: [f64; 3]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// v + 2 w (u × v) + 2 u × (u × v) for the unit quaternion (w, u).
fn rotate([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let first = cross(u, v);
    let second = cross(u, first);
    std::array::from_fn(|i| v[i] + 2.0 * (w * first[i] + second[i]))
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_brings_x_to_y() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turned = rotate([half, 0.0, 0.0, half], [1.0, 0.0, 0.0]);
        assert!(size(std::array::from_fn(|i| turned[i] - [0.0, 1.0, 0.0][i])) < 1e-15);
    }
}
