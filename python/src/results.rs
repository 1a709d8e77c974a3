//! What comes of an ensemble, as arrays.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use ansatz::{Ensemble, Error, Gpu, Lanes, Made, Many, NoGpu, One};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raise;
use crate::interrupt::Interrupt;

/// So many runs at a time are soon done, and fill any GPU.
const AT_ONCE: usize = 100_000;

/// How many rows a run has that comes to its end.
pub fn row_count(until: f64, every: f64) -> usize {
    // The last multiple may miss the end by rounding.
    (until / every - 1e-9).ceil() as usize + 1
}

/// How the processor makes runs.
pub struct How {
    pub threads: usize,
    pub lanes: Lanes,
    pub progress: Option<Py<PyAny>>,
}

/// What comes of an ensemble.
pub struct Results {
    /// How many quantities, runs and times.
    shape: [usize; 3],
    values: Vec<f64>,
    events: Vec<Vec<(f64, String)>>,
    failures: Vec<(usize, Error)>,
    /// Whether a GPU made runs, of which no events are known.
    on_gpu: bool,
    /// Why it did not.
    fell_back: Option<String>,
    /// How many runs went side by side in each thread; why no more did, although that was wanted.
    lanes: usize,
    without_lanes: Option<String>,
}

impl Results {
    pub fn new(shape: [usize; 3]) -> Results {
        let values = vec![f64::NAN; shape.iter().product()];
        Results {
            shape,
            values,
            events: vec![Vec::new(); shape[1]],
            failures: Vec::new(),
            on_gpu: false,
            fell_back: None,
            lanes: 1,
            without_lanes: None,
        }
    }

    /// Does what a GPU can of all runs, and gives those that are left.
    pub fn fill_on_gpu(&mut self, ensemble: &Ensemble, table: &[Vec<f64>]) -> Vec<usize> {
        let (mut left, all) = (Vec::new(), || (0..table.len()).collect::<Vec<usize>>());
        let made = Gpu::new(ensemble).and_then(|gpu| {
            let room = gpu.room()?.min(AT_ONCE);
            if room == 0 {
                return Err(NoGpu::Missing("there is no room for a single run".to_string()));
            }
            for block in all().chunks(room) {
                for (&run, rows) in block.iter().zip(gpu.run(&table[block[0]..block[0] + block.len()])?) {
                    match rows {
                        Some(rows) => self.keep_rows(run, &rows),
                        None => left.push(run),
                    }
                }
            }
            Ok(())
        });
        match made {
            Ok(()) => {
                self.on_gpu = true;
                left
            }
            Err(NoGpu::Missing(why)) => {
                self.fell_back = Some(why);
                all()
            }
            Err(NoGpu::Scene(error)) => {
                self.fell_back = Some(error.to_string());
                all()
            }
        }
    }

    /// Does some runs; an exception of Python, if there was one.
    pub fn fill(&mut self, ensemble: &Ensemble, table: &[Vec<f64>], runs: &[usize], how: How) -> Option<PyErr> {
        let (stop, mut interrupt) = (AtomicBool::new(false), Interrupt::new());
        let mut done = table.len() - runs.len();
        let go_on = || !stop.load(Ordering::Relaxed);
        let values = |run: usize| table[run].clone();
        let many = Many { runs, values: &values, threads: how.threads, lanes: how.lanes, go_on: &go_on };
        let made = ensemble.run_many(&many, |result| {
            if let Some((run, one)) = result {
                self.keep(run, one);
                done += 1;
                if let Some(progress) = &how.progress {
                    interrupt.raised = Python::attach(|py| progress.call1(py, (done, table.len()))).err();
                }
            }
            if interrupt.go_on() {
                return ControlFlow::Continue(());
            }
            stop.store(true, Ordering::Relaxed);
            ControlFlow::Break(())
        });
        (self.lanes, self.without_lanes) = match made {
            Made::SideBySide(lanes) => (lanes, None),
            Made::OneByOne => (1, None),
            Made::WithoutLanes(why) => (1, Some(why).filter(|_| how.lanes == Lanes::Always)),
        };
        interrupt.raised
    }

    fn keep(&mut self, run: usize, one: Result<One, Error>) {
        let one = match one {
            Ok(one) => one,
            Err(error) => return self.failures.push((run, error)),
        };
        self.keep_rows(run, &one.rows);
        self.events[run] = one.events.into_iter().map(|event| (event.t, event.name)).collect();
        if let Some(error) = one.finished.failure {
            self.failures.push((run, error));
        }
    }

    fn keep_rows(&mut self, run: usize, rows: &[Vec<f64>]) {
        let [_, runs, times] = self.shape;
        let skipped = if times == 1 { rows.len().saturating_sub(1) } else { 0 };
        for (at, row) in rows.iter().skip(skipped).enumerate() {
            for (quantity, value) in row.iter().enumerate() {
                self.values[(quantity * runs + run) * times + at] = *value;
            }
        }
    }

    pub fn into_dict(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        self.failures.sort_by_key(|(run, _)| *run);
        let failures: Vec<(usize, PyErr)> = self.failures.iter().map(|(run, error)| (*run, raise(py, error))).collect();
        let result = PyDict::new(py);
        result.set_item("shape", self.shape.to_vec())?;
        result.set_item("values", self.values.into_pyarray(py))?;
        result.set_item("events", (!self.on_gpu).then_some(self.events))?;
        result.set_item("fell_back", self.fell_back)?;
        result.set_item("lanes", self.lanes)?;
        result.set_item("without_lanes", self.without_lanes)?;
        result.set_item("failures", failures)?;
        Ok(result)
    }
}
