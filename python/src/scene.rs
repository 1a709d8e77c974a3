//! Scenes, their runs and ensembles.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use ansatz::{At, Ensemble, Error, One, Options, Quantity, Settings, Solver, Span, Stage, in_threads};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::dynamics::Dynamics;
use crate::errors::{diagnostics, raise};
use crate::instance::Instance;
use crate::interrupt::Interrupt;

/// A compiled scene.
#[pyclass(frozen, module = "ansatz._native")]
pub struct Scene(ansatz::Scene);

/// Parameters and controls by name, with values in SI units.
type Values = Vec<(String, f64)>;
/// Name, default, declared unit, range.
type ControlRow = (String, f64, String, Option<(f64, f64)>);

#[pymethods]
impl Scene {
    /// Compiles a text; the name stands in messages, and theories are looked for in the folder.
    #[staticmethod]
    fn compile(
        py: Python<'_>,
        text: &str,
        name: &str,
        folder: Option<PathBuf>,
        record: Vec<String>,
        tolerance: f64,
        solver: &str,
    ) -> PyResult<Scene> {
        let solver = match solver {
            "auto" => Solver::Auto,
            "explicit" => Solver::Explicit,
            "implicit" => Solver::Implicit,
            other => {
                return Err(PyValueError::new_err(format!("solver={other:?} is none of auto, explicit, implicit")));
            }
        };
        let options = Options { folder, probes: record, tolerance, solver, ..Options::default() };
        let compiled = py.detach(|| ansatz::Scene::compile(name, text, &options));
        compiled.map(Scene).map_err(|error| raise(py, &error))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        diagnostics(py, self.0.warnings(), self.0.sources())
    }

    /// Name, default in SI units, declared unit and description of each parameter.
    fn parameters(&self) -> Vec<(String, f64, String, Option<String>)> {
        self.0.parameters().into_iter().map(|it| (it.name, it.default, it.unit, it.description)).collect()
    }

    /// Name, default, declared unit and range of each control; numbers are in SI units.
    fn controls(&self) -> Vec<ControlRow> {
        self.0.controls().into_iter().map(|it| (it.name, it.default, it.unit, it.range)).collect()
    }

    /// Name, unit and words of each column that is recorded.
    fn recorded(&self) -> Vec<(String, String, Option<Vec<String>>)> {
        self.0.recorded().into_iter().map(|it| (it.name, it.unit, it.words)).collect()
    }

    fn transitions(&self) -> Vec<String> {
        self.0.transitions()
    }

    /// What a stage of the compiler made of the scene; all in short, if none is named.
    fn explain(&self, stage: Option<&str>) -> PyResult<String> {
        let named = |name: &str| Stage::NAMED.iter().find(|(known, _)| *known == name).map(|(_, stage)| *stage);
        let names = || Stage::NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let unknown = |name: &str| PyValueError::new_err(format!("stage={name:?} is none of {}", names()));
        let stage = stage.map(|name| named(name).ok_or_else(|| unknown(name))).transpose()?;
        Ok(self.0.explain(stage))
    }

    /// The value of `80[cm]` for a parameter or control, in SI units.
    fn value(&self, py: Python<'_>, name: &str, text: &str) -> PyResult<f64> {
        self.0.value(name, text).map_err(|error| raise(py, &error))
    }

    /// One run: its columns, the time first, and how it went.
    fn run<'py>(&self, py: Python<'py>, values: Values, until: f64, every: f64) -> PyResult<Bound<'py, PyDict>> {
        let (names, numbers): (Vec<&str>, Vec<f64>) =
            values.iter().map(|(name, value)| (name.as_str(), *value)).unzip();
        let span = Span { until, every };
        let (one, raised) = py.detach(|| {
            let interrupt = RefCell::new(Interrupt::new());
            let ensemble = Ensemble::new(&self.0, &names, &Settings::default(), span);
            let one = ensemble.and_then(|ensemble| ensemble.run(&numbers, &|| interrupt.borrow_mut().go_on()));
            (one, interrupt.into_inner().raised)
        });
        if let Some(raised) = raised {
            return Err(raised);
        }
        let one = one.map_err(|error| raise(py, &error))?;
        let width = self.0.outputs().len() + 1;
        let column = |at: usize| one.rows.iter().map(|row| row[at]).collect::<Vec<f64>>().into_pyarray(py);
        let columns: Vec<Bound<'py, PyArray1<f64>>> = (0..width).map(column).collect();
        let result = PyDict::new(py);
        result.set_item("columns", columns)?;
        result.set_item("events", one.events.iter().map(|event| (event.t, &event.name)).collect::<Vec<_>>())?;
        result.set_item("warnings", diagnostics(py, &one.finished.warnings, self.0.sources())?)?;
        result.set_item("failure", one.finished.failure.as_ref().map(|error| raise(py, error)))?;
        let statistics = one.finished.summary.statistics;
        let counts = PyDict::new(py);
        counts.set_item("steps", statistics.accepted)?;
        counts.set_item("rejected", statistics.rejected)?;
        counts.set_item("derivatives", statistics.evaluations)?;
        counts.set_item("jacobians", statistics.jacobians)?;
        result.set_item("statistics", counts)?;
        Ok(result)
    }

    /// Many runs, whose values are the rows of a table: what is recorded as one array of quantities, runs and times, the time first; the
    /// events of each run; and the runs that failed. Without an interval only the last row of each is kept.
    #[expect(clippy::too_many_arguments, reason = "a function of Python, called by names")]
    fn ensemble<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        values: PyReadonlyArray2<'py, f64>,
        until: f64,
        every: Option<f64>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let span = Span { until, every: every.unwrap_or(until) };
        let ensemble = Ensemble::new(&self.0, &names, &Settings::default(), span).map_err(|error| raise(py, &error))?;
        let table: Vec<Vec<f64>> = values.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
        let shape = [self.0.outputs().len() + 1, table.len(), every.map_or(1, |every| row_count(until, every))];
        let mut result = Results::new(shape);
        let raised = py.detach(|| result.fill(&ensemble, &table, threads, progress));
        raised.map_or(Ok(()), Err)?;
        result.into_dict(py)
    }

    /// The equations of motion with some values.
    fn dynamics(&self, py: Python<'_>, values: Values) -> PyResult<Dynamics> {
        let settings = self.settings(&values).map_err(|error| raise(py, &error))?;
        py.detach(|| Dynamics::new(&self.0, &settings)).map_err(|error| raise(py, &error))
    }

    /// The linear model near a state: matrices as lists of rows, and the names and values of what they speak of.
    fn linearize<'py>(&self, py: Python<'py>, at: Option<&str>, values: Values) -> PyResult<Bound<'py, PyDict>> {
        let at = match at {
            None => At::Anywhere,
            Some("initial") => At::Initial,
            Some("equilibrium") => At::Equilibrium,
            Some(other) => {
                return Err(PyValueError::new_err(format!("at={other:?} is none of initial, equilibrium, None")));
            }
        };
        let settings = self.settings(&values).map_err(|error| raise(py, &error))?;
        let model = py.detach(|| self.0.linearize(at, &settings)).map_err(|error| raise(py, &error))?;
        let result = PyDict::new(py);
        for (name, matrix) in [("A", &model.a), ("B", &model.b), ("C", &model.c), ("D", &model.d)] {
            result.set_item(name, matrix)?;
        }
        let list = |quantities: &[Quantity]| -> Vec<(String, f64)> {
            quantities.iter().map(|quantity| (quantity.name.clone(), quantity.value)).collect()
        };
        for (name, quantities) in [("states", &model.states), ("inputs", &model.inputs), ("outputs", &model.outputs)] {
            result.set_item(name, list(quantities))?;
        }
        Ok(result)
    }

    /// A scene that moves as far as it is told to.
    fn instance(&self, py: Python<'_>, values: Values) -> PyResult<Instance> {
        Instance::new(&self.0, &values).map_err(|error| raise(py, &error))
    }
}

impl Scene {
    fn settings(&self, values: &Values) -> Result<Settings, Error> {
        let mut settings = Settings::default();
        for (name, value) in values {
            let one = self.0.adjustable(name)?;
            let list = if one.is_control { &mut settings.controls } else { &mut settings.parameters };
            list.push(one.setting(*value));
        }
        Ok(settings)
    }
}

/// How many rows a run has that comes to its end.
fn row_count(until: f64, every: f64) -> usize {
    // The last multiple may miss the end by rounding.
    (until / every - 1e-9).ceil() as usize + 1
}

/// What comes of an ensemble.
struct Results {
    /// How many quantities, runs and times.
    shape: [usize; 3],
    values: Vec<f64>,
    events: Vec<Vec<(f64, String)>>,
    failures: Vec<(usize, Error)>,
}

impl Results {
    fn new(shape: [usize; 3]) -> Results {
        let values = vec![f64::NAN; shape.iter().product()];
        Results { shape, values, events: vec![Vec::new(); shape[1]], failures: Vec::new() }
    }

    /// Does all runs; an exception of Python, if there was one.
    fn fill(
        &mut self,
        ensemble: &Ensemble,
        table: &[Vec<f64>],
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> Option<PyErr> {
        let (stop, mut interrupt, mut done) = (AtomicBool::new(false), Interrupt::new(), 0);
        let runs: Vec<usize> = (0..table.len()).collect();
        let go_on = || !stop.load(Ordering::Relaxed);
        in_threads(
            threads,
            &runs,
            |run| ensemble.run(&table[run], &go_on),
            |result| {
                if let Some((run, one)) = result {
                    self.keep(run, one);
                    done += 1;
                    if let Some(progress) = &progress {
                        interrupt.raised = Python::attach(|py| progress.call1(py, (done, table.len()))).err();
                    }
                }
                if interrupt.go_on() {
                    return ControlFlow::Continue(());
                }
                stop.store(true, Ordering::Relaxed);
                ControlFlow::Break(())
            },
        );
        interrupt.raised
    }

    fn keep(&mut self, run: usize, one: Result<One, Error>) {
        let one = match one {
            Ok(one) => one,
            Err(error) => return self.failures.push((run, error)),
        };
        let [_, runs, times] = self.shape;
        let skipped = if times == 1 { one.rows.len().saturating_sub(1) } else { 0 };
        for (at, row) in one.rows.iter().skip(skipped).enumerate() {
            for (quantity, value) in row.iter().enumerate() {
                self.values[(quantity * runs + run) * times + at] = *value;
            }
        }
        self.events[run] = one.events.into_iter().map(|event| (event.t, event.name)).collect();
        if let Some(error) = one.finished.failure {
            self.failures.push((run, error));
        }
    }

    fn into_dict(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        self.failures.sort_by_key(|(run, _)| *run);
        let failures: Vec<(usize, PyErr)> = self.failures.iter().map(|(run, error)| (*run, raise(py, error))).collect();
        let result = PyDict::new(py);
        result.set_item("shape", self.shape.to_vec())?;
        result.set_item("values", self.values.into_pyarray(py))?;
        result.set_item("events", self.events)?;
        result.set_item("failures", failures)?;
        Ok(result)
    }
}
