//! A scene that moves as far as it is told to.

use std::sync::{Mutex, PoisonError};

use ansatz::{Error, Progress};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::interrupt::Interrupt;

#[pyclass(frozen, module = "ansatz._native")]
pub struct Instance(Mutex<ansatz::Instance>);

/// A moment of a run, to come back to.
#[pyclass(frozen, module = "ansatz._native")]
pub struct Snapshot(Mutex<ansatz::Snapshot>);

/// So many steps are taken before somebody is asked whether to go on.
const STEPS: i64 = 200;

impl Instance {
    /// With some values, started.
    pub fn new(scene: &ansatz::Scene, values: &[(String, f64)]) -> Result<Instance, Error> {
        let mut instance = scene.instance()?;
        values.iter().try_for_each(|(name, value)| instance.set(name, *value))?;
        instance.start()?;
        Ok(Instance(Mutex::new(instance)))
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut ansatz::Instance) -> T) -> T {
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Instance {
    #[getter]
    fn time(&self) -> f64 {
        self.with(|it| it.time())
    }

    /// When a `stop` of the scene ended the run, if one did.
    #[getter]
    fn stopped(&self) -> Option<f64> {
        self.with(|it| it.stopped())
    }

    /// All recorded numbers at the present time.
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.with(|it| it.row().to_vec()).into_pyarray(py)
    }

    fn events(&self) -> Vec<(f64, String)> {
        self.with(|it| it.happenings().into_iter().map(|event| (event.t, event.name)).collect())
    }

    /// Sets a parameter or a control, in SI units, from now on.
    fn set(&self, py: Python<'_>, name: &str, value: f64) -> PyResult<()> {
        self.with(|it| it.set(name, value)).map_err(|error| raise(py, &error))
    }

    /// Goes back to the start.
    fn start(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.with(|it| it.start())).map_err(|error| raise(py, &error))
    }

    /// Moves to a time, or to where a `stop` of the scene ends the run.
    fn advance(&self, py: Python<'_>, t: f64) -> PyResult<()> {
        let (moved, raised) = py.detach(|| {
            let mut interrupt = Interrupt::new();
            let moved = self.with(|it| {
                loop {
                    match it.advance(t, STEPS) {
                        Ok(Progress::Unfinished) if interrupt.go_on() => {}
                        other => return other,
                    }
                }
            });
            (moved, interrupt.raised)
        });
        raised.map_or(Ok(()), Err)?;
        moved.map(|_| ()).map_err(|error| raise(py, &error))
    }

    fn save(&self) -> Snapshot {
        Snapshot(Mutex::new(self.with(|it| it.save())))
    }

    fn restore(&self, py: Python<'_>, snapshot: &Snapshot) -> PyResult<()> {
        let saved = snapshot.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.with(|it| it.restore(&saved)).map_err(|error| raise(py, &error))
    }
}
