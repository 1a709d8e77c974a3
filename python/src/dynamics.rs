//! The equations of motion as functions.

use std::sync::{Mutex, PoisonError};

use ansatz::{Error, Settings};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::raise;

/// Rates of states, and their derivatives.
#[pyclass(frozen, module = "ansatz._native")]
pub struct Dynamics(Mutex<ansatz::Dynamics>);

impl Dynamics {
    pub fn new(scene: &ansatz::Scene, settings: &Settings) -> Result<Dynamics, Error> {
        Ok(Dynamics(Mutex::new(scene.dynamics(settings)?)))
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut ansatz::Dynamics) -> T) -> T {
        // Every call places it anew, so a panic elsewhere leaves it usable.
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Dynamics {
    /// Name, unit and value at the start of each state.
    fn states(&self) -> Vec<(String, String, f64)> {
        self.with(|it| {
            let (names, units) = (it.states(), it.units());
            names.into_iter().zip(units).zip(it.start()).map(|((name, unit), value)| (name, unit, *value)).collect()
        })
    }

    fn rates<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        y: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let states = y.as_array().to_vec();
        let rates = self.with(|it| it.rates(t, &states));
        rates.map(|rates| rates.into_pyarray(py)).map_err(|error| raise(py, &error))
    }

    /// Row by row.
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        y: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let states = y.as_array().to_vec();
        let slopes = self.with(|it| it.jacobian(t, &states));
        slopes.map(|rows| rows.concat().into_pyarray(py)).map_err(|error| raise(py, &error))
    }
}
