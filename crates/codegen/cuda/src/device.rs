//! Runs on the first GPU: as many at once as its memory holds.

use crate::driver::Driver;
use crate::nvrtc::Compiler;

/// Why something cannot be done there, in words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble(pub String);

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Trouble {}

pub struct Device {
    driver: Driver,
    compiler: Compiler,
}

/// A program for many runs in CUDA C++, with two kernels: one begins runs, one takes them to their ends.
pub struct Source {
    pub text: String,
    pub begin: String,
    pub go: String,
    /// Threads of a block.
    pub threads: usize,
    /// How many of them share a processor.
    pub blocks: usize,
    /// Bytes of the record of one run.
    pub record: usize,
    /// How many numbers a row has.
    pub outputs: usize,
}

/// The same, compiled for the GPU.
pub struct Program {
    code: Vec<u8>,
    source: Source,
}

/// Runs that begin together. Numbers are in SI units.
pub struct Batch<'a> {
    /// What is varied: parameters, then controls, by their number.
    pub inputs: &'a [usize],
    /// For each run the values of these.
    pub values: &'a [Vec<f64>],
    /// When there are rows; the last one is the end.
    pub times: &'a [f64],
    pub tolerance: f64,
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// A code of the protocol: done, stopped, unfinished or what failed.
    pub status: i64,
    /// When it ended.
    pub end: f64,
    /// The outputs of each row that was reached.
    pub rows: Vec<Vec<f64>>,
}

/// Of the memory that is free.
const SHARE: f64 = 0.8;

impl Device {
    /// The first GPU, with the compiler for it.
    pub fn open() -> Result<Device, Trouble> {
        let driver = Driver::open().map_err(Trouble)?;
        Ok(Device { driver, compiler: Compiler::open().map_err(Trouble)? })
    }

    pub fn name(&self) -> &str {
        &self.driver.name
    }

    pub fn compile(&self, source: Source) -> Result<Program, Trouble> {
        let code = self.compiler.compile(&source.text, &self.driver.architecture).map_err(Trouble)?;
        Ok(Program { code, source })
    }

    /// How many runs with so many rows there is room for at a time.
    pub fn room(&self, program: &Program, varied: usize, rows: usize) -> Result<usize, Trouble> {
        let numbers = varied + 4 + rows * program.source.outputs;
        let free = self.driver.free_memory().map_err(Trouble)?;
        Ok((SHARE * free as f64 / (program.source.record + 8 * numbers) as f64) as usize)
    }

    /// Takes all runs to their ends. Needs: there is room for them.
    pub fn run(&self, program: &Program, batch: &Batch) -> Result<Vec<Outcome>, Trouble> {
        self.launch(program, batch).map_err(Trouble)
    }

    fn launch(&self, program: &Program, batch: &Batch) -> Result<Vec<Outcome>, String> {
        let (driver, source) = (&self.driver, &program.source);
        let module = driver.load(&program.code)?;
        let (begin, go) = (module.kernel(&source.begin)?, module.kernel(&source.go)?);
        let (runs, rows, outputs) = (batch.values.len(), batch.times.len(), source.outputs);
        let inputs = driver.copy(&batch.inputs.iter().map(|&input| input as i64).collect::<Vec<_>>())?;
        let values: Vec<f64> =
            (0..batch.inputs.len()).flat_map(|at| batch.values.iter().map(move |values| values[at])).collect();
        let (values, times) = (driver.copy(&values)?, driver.copy(batch.times)?);
        let records = driver.zeros(runs * source.record)?;
        let results = driver.zeros(8 * outputs * rows * runs)?;
        let zeros = || driver.zeros(8 * runs);
        let (status, done, places, ends) = (zeros()?, zeros()?, zeros()?, zeros()?);
        let horizon = batch.times.last().copied().unwrap_or(0.0);
        let blocks = runs.div_ceil(source.threads);
        // Threads that are there at once take one run after the other.
        let resident = blocks.min(driver.processors * source.blocks);
        let next = driver.zeros(8)?;
        let varied = batch.inputs.len() as u64;
        let [tolerance, horizon] = [batch.tolerance, horizon].map(f64::to_bits);
        let first = [runs as u64, varied, inputs.at, values.at, tolerance, horizon, records.at, status.at];
        driver.launch(begin, blocks, source.threads, &first)?;
        let [runs_, rows_, limit] = [runs as u64, rows as u64, i64::MAX as u64];
        let then =
            [runs_, rows_, times.at, limit, records.at, results.at, status.at, done.at, places.at, ends.at, next.at];
        driver.launch(go, resident, source.threads, &then)?;
        let (status, done) = (status.read::<i64>(runs)?, done.read::<i64>(runs)?);
        let (ends, results) = (ends.read::<f64>(runs)?, results.read::<f64>(outputs * rows * runs)?);
        let row = |run: usize, row: usize| (0..outputs).map(|at| results[(at * rows + row) * runs + run]).collect();
        let outcome = |run: usize| Outcome {
            status: status[run],
            end: ends[run],
            rows: (0..done[run] as usize).map(|at| row(run, at)).collect(),
        };
        Ok((0..runs).map(outcome).collect())
    }
}
