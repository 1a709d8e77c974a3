//! Scenes, their runs and ensembles.

use std::cell::RefCell;
use std::path::PathBuf;

use ansatz::{At, Ensemble, Error, Lanes, Options, Quantity, Settings, Solver, Span, Stage};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::dynamics::Dynamics;
use crate::errors::{diagnostics, raise};
use crate::instance::Instance;
use crate::interrupt::Interrupt;
use crate::page::page;
use crate::results::{How, Results, row_count};

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

    /// One run: its columns, the time first, and how it went. With names, the columns are followed by their derivatives by each of these.
    fn run<'py>(
        &self,
        py: Python<'py>,
        values: Values,
        until: f64,
        every: f64,
        by: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (names, numbers): (Vec<&str>, Vec<f64>) =
            values.iter().map(|(name, value)| (name.as_str(), *value)).unzip();
        let by: Vec<&str> = by.iter().map(String::as_str).collect();
        let span = Span { until, every };
        let (one, raised) = py.detach(|| {
            let interrupt = RefCell::new(Interrupt::new());
            let ensemble = Ensemble::new(&self.0, &names, &Settings::default(), span);
            let differentiated = |it: Ensemble| if by.is_empty() { Ok(it) } else { it.with_sensitivities(&by) };
            let one = ensemble.and_then(differentiated);
            let one = one.and_then(|ensemble| ensemble.run(&numbers, &|| interrupt.borrow_mut().go_on()));
            (one, interrupt.into_inner().raised)
        });
        if let Some(raised) = raised {
            return Err(raised);
        }
        let one = one.map_err(|error| raise(py, &error))?;
        let width = self.0.outputs().len() * (1 + by.len()) + 1;
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
    /// events of each run; and the runs that failed. Without an interval only the last row of each is kept. On a GPU no events are kept; where
    /// there is none, `fell_back` says why, and the processor makes the runs.
    #[expect(clippy::too_many_arguments, reason = "a function of Python, called by names")]
    fn ensemble<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        values: PyReadonlyArray2<'py, f64>,
        until: f64,
        every: Option<f64>,
        threads: usize,
        on_gpu: bool,
        lanes: Option<bool>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let lanes = match lanes {
            None => Lanes::Auto,
            Some(true) => Lanes::Always,
            Some(false) => Lanes::Never,
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let span = Span { until, every: every.unwrap_or(until) };
        let ensemble = Ensemble::new(&self.0, &names, &Settings::default(), span).map_err(|error| raise(py, &error))?;
        let table: Vec<Vec<f64>> = values.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
        let shape = [self.0.outputs().len() + 1, table.len(), every.map_or(1, |every| row_count(until, every))];
        let mut result = Results::new(shape);
        let raised = py.detach(|| {
            let left = if on_gpu { result.fill_on_gpu(&ensemble, &table) } else { (0..table.len()).collect() };
            result.fill(&ensemble, &table, &left, How { threads, lanes, progress })
        });
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

    /// The answers to a question, or to those of the scene: as a text, and as JSON.
    fn find(&self, py: Python<'_>, question: Option<&str>, values: Values) -> PyResult<(String, String)> {
        let settings = self.settings(&values).map_err(|error| raise(py, &error))?;
        let found = py.detach(|| self.0.find(question, &settings)).map_err(|error| raise(py, &error))?;
        Ok((found.text, found.json))
    }

    /// A page that moves by itself, as the text of its file.
    fn page(&self, py: Python<'_>, values: Values) -> PyResult<String> {
        page(py, &self.0, &values)
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
