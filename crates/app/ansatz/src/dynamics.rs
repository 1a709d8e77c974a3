//! The equations of motion as functions.

use driver::Settings;

use crate::error::Error;
use crate::scene::Scene;

/// y′ = f(t, y) of a scene in the mode in which it starts, for integrators, optimisers and estimators of your own. States that do not satisfy the
/// constraints are not moved onto them.
///
/// ```
/// # let text = "scene s\nx: [m] = 1 [m]\nalways x' == -x * 2 [1/s]";
/// let scene = ansatz::Scene::compile("s", text, &Default::default())?;
/// let mut motion = scene.dynamics(&Default::default())?;
/// assert_eq!((motion.states(), motion.start()), (vec!["x".to_string()], &[1.0][..]));
/// assert_eq!(motion.rates(0.0, &[3.0])?, [-6.0]);
/// assert_eq!(motion.jacobian(0.0, &[3.0])?, [[-2.0]]);
/// # Ok::<(), ansatz::Error>(())
/// ```
pub struct Dynamics {
    scene: Scene,
    inner: driver::Dynamics,
}

impl Dynamics {
    /// In the scene everything that can move has to be a state.
    pub(crate) fn new(scene: Scene, settings: &Settings) -> Result<Dynamics, Error> {
        match driver::Dynamics::new(scene.stages(), settings) {
            Ok(inner) => Ok(Dynamics { scene, inner }),
            Err(found) => Err(scene.error(found.iter().cloned())),
        }
    }

    /// The names of the states.
    pub fn states(&self) -> Vec<String> {
        self.inner.states()
    }

    /// The unit of each state; nothing for plain numbers.
    pub fn units(&self) -> Vec<String> {
        self.inner.units()
    }

    /// The states at the start.
    pub fn start(&self) -> &[f64] {
        self.inner.start()
    }

    /// The rate of each state.
    pub fn rates(&mut self, t: f64, states: &[f64]) -> Result<Vec<f64>, Error> {
        self.inner.rates(t, states).map_err(|found| self.scene.error([found]))
    }

    /// The derivatives of the rates (rows) by the states (columns), exact but for rounding.
    pub fn jacobian(&mut self, t: f64, states: &[f64]) -> Result<Vec<Vec<f64>>, Error> {
        self.inner.jacobian(t, states).map_err(|found| self.scene.error([found]))
    }
}
