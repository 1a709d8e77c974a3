//! The runs of an ensemble on a GPU.

use base::Diagnostics;
use cuda::{Batch, Device, Outcome, Program, Source};
use kernel::protocol;

use crate::ensemble::Ensemble;
use crate::error::Error;
use crate::instance::Instance;

/// An ensemble whose runs go to a GPU by NVIDIA, many at a time. Each has the bits that it has on a processor, if that uses the same solver:
/// it is chosen once for all runs.
pub struct Gpu<'e> {
    ensemble: &'e Ensemble,
    device: Device,
    program: Program,
    times: Vec<f64>,
    /// All parameters, then all controls.
    inputs: Vec<usize>,
    parameters: usize,
    /// What the program takes for constants.
    fixed: Vec<backend_c::Fixed>,
}

/// Why runs cannot go to a GPU.
#[derive(Debug)]
pub enum NoGpu {
    /// There is none, or something that it needs is not there; or it says why not.
    Missing(String),
    /// The scene makes no program.
    Scene(Error),
}

impl<'e> Gpu<'e> {
    /// Looks for a GPU, and compiles the program for it, which takes seconds.
    pub fn new(ensemble: &'e Ensemble) -> Result<Gpu<'e>, NoGpu> {
        let missing = |trouble: cuda::Trouble| NoGpu::Missing(trouble.0);
        let device = Device::open().map_err(missing)?;
        let (module, interface) = ensemble.scene().export_for_many().map_err(NoGpu::Scene)?;
        let parameters = interface.parameters.len();
        let fixed = fixed(ensemble, parameters)?;
        let backend_c::Ensemble { source: text, threads, blocks, begin, go, record, outputs } =
            backend_c::ensemble(&module, &interface, &fixed);
        let source = Source { text, begin, go, threads, blocks, record, outputs };
        let program = device.compile(source).map_err(missing)?;
        let inputs = (0..parameters + interface.controls.len()).collect();
        Ok(Gpu { times: ensemble.span().times(), ensemble, device, program, inputs, parameters, fixed })
    }

    pub fn name(&self) -> &str {
        self.device.name()
    }

    /// How many runs there is room for at a time.
    pub fn room(&self) -> Result<usize, NoGpu> {
        let room = self.device.room(&self.program, self.inputs.len(), self.times.len());
        room.map_err(|trouble| NoGpu::Missing(trouble.0))
    }

    /// The rows of each run, with the time first; none of a run that does not come to its end there, whatever the reason is: a processor finds it.
    pub fn run(&self, runs: &[Vec<f64>]) -> Result<Vec<Option<Vec<Vec<f64>>>>, NoGpu> {
        let Some(first) = runs.first() else { return Ok(Vec::new()) };
        let scene = self.ensemble.scene();
        let mut instance = scene.instance().map_err(NoGpu::Scene)?;
        self.ensemble.set(scene, &mut instance, first).ok();
        let possible: Vec<Option<Vec<f64>>> = runs.iter().map(|values| self.inputs_of(&mut instance, values)).collect();
        let values: Vec<Vec<f64>> = possible.iter().flatten().cloned().collect();
        let tolerance = scene.options().tolerance;
        let batch = Batch { inputs: &self.inputs, values: &values, times: &self.times, tolerance };
        let results = self.device.run(&self.program, &batch).map_err(|trouble| NoGpu::Missing(trouble.0))?;
        let mut outcomes = results.into_iter();
        Ok(possible.iter().map(|it| it.as_ref().and_then(|_| self.rows(outcomes.next()?))).collect())
    }

    /// All numbers that a run begins with, if they are possible.
    fn inputs_of(&self, instance: &mut Instance, values: &[f64]) -> Option<Vec<f64>> {
        let simulation = instance.inner();
        self.ensemble.varied().iter().zip(values).try_for_each(|(one, value)| one.set(simulation, *value)).ok()?;
        let mut found = Diagnostics::default();
        driver::judge_settings(self.ensemble.scene().stages(), simulation, &mut found);
        let input = |&at: &usize| match at.checked_sub(self.parameters) {
            Some(control) => simulation.control(control),
            None => simulation.parameter(at),
        };
        let is_known = |&(at, value): &backend_c::Fixed| simulation.parameter(at).to_bits() == value.to_bits();
        let possible = !found.has_errors() && self.fixed.iter().all(is_known);
        possible.then(|| self.inputs.iter().map(input).collect())
    }

    fn rows(&self, outcome: Outcome) -> Option<Vec<Vec<f64>>> {
        let Outcome { status, end, rows } = outcome;
        let stopped = status == protocol::STOPPED;
        let is_whole = status == protocol::DONE && rows.len() == self.times.len() || stopped && !rows.is_empty();
        if !is_whole || !rows.iter().flatten().all(|value| value.is_finite()) {
            return None;
        }
        let last = rows.len() - 1;
        let time = |at: usize| if stopped && at == last { end } else { self.times[at] };
        Some(rows.into_iter().enumerate().map(|(at, row)| std::iter::once(time(at)).chain(row).collect()).collect())
    }
}

/// What all runs have in common.
fn fixed(ensemble: &Ensemble, parameters: usize) -> Result<Vec<backend_c::Fixed>, NoGpu> {
    let scene = ensemble.scene();
    let mut instance = scene.instance().map_err(NoGpu::Scene)?;
    ensemble.set(scene, &mut instance, &[]).map_err(NoGpu::Scene)?;
    let simulation = instance.inner();
    let varies = |at: &usize| ensemble.varied().iter().any(|one| one.parameter() == Some(*at));
    Ok((0..parameters).filter(|at| !varies(at)).map(|at| (at, simulation.parameter(at))).collect())
}
