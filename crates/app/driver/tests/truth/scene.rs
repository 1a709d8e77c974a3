//! A scene, run as a user would run it, and the table that comes out.

use std::path::PathBuf;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Severity};
use driver::{Compilation, Event, Level, Options, Rotations, Run, Settings, Simulation, Solver, Stages, Summary};

/// A text with options and settings, as on the command line.
#[derive(Clone)]
pub struct Scene {
    name: String,
    text: String,
    pub options: Options,
    settings: Settings,
}

/// What a run printed.
pub struct Table {
    pub columns: Vec<String>,
    /// The words of each column that has words, where others have numbers.
    pub words: Vec<Option<Vec<String>>>,
    pub times: Vec<f64>,
    pub rows: Vec<Vec<f64>>,
    pub summary: Summary,
    /// The transitions that happened.
    pub events: Vec<Event>,
    /// What the run was warned of.
    pub warnings: Vec<Diagnostic>,
    pub conserves_energy: bool,
}

/// A tolerance at which the method's own error is far below that of any comparison here.
pub const TIGHT: f64 = 1e-12;

impl Scene {
    /// A scene at a tight tolerance.
    pub fn new(text: &str) -> Scene {
        let options = Options { tolerance: TIGHT, ..Options::default() };
        Scene { name: "scene".into(), text: text.into(), options, settings: Settings::default() }
    }

    pub fn example(name: &str) -> Scene {
        let path = examples().join(format!("{name}.anz"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Scene { name: name.into(), ..Scene::new(&text) }
    }

    /// With files beside it.
    pub fn beside(mut self, folder: &std::path::Path) -> Scene {
        self.options.folder = Some(folder.to_path_buf());
        self
    }

    pub fn probe(mut self, probes: &[&str]) -> Scene {
        self.options.probes.extend(probes.iter().map(|probe| probe.to_string()));
        self
    }

    pub fn tolerance(mut self, tolerance: f64) -> Scene {
        self.options.tolerance = tolerance;
        self
    }

    pub fn default_tolerance(self) -> Scene {
        self.tolerance(Options::default().tolerance)
    }

    pub fn rotations(mut self, rotations: Rotations) -> Scene {
        self.options.rotations = rotations;
        self
    }

    pub fn optimize(mut self, level: Level) -> Scene {
        self.options.optimize = level;
        self
    }

    pub fn solver(mut self, solver: Solver) -> Scene {
        self.options.solver = solver;
        self
    }

    /// `--set name=value`
    pub fn set(mut self, setting: impl Into<String>) -> Scene {
        self.settings.parameters.push(setting.into());
        self
    }

    /// `--input name=value`
    pub fn input(mut self, setting: impl Into<String>) -> Scene {
        self.settings.controls.push(setting.into());
        self
    }

    pub fn compile(&self) -> Compilation {
        driver::compile(&self.name, &self.text, &self.options)
    }

    /// What came of the text; errors of the compiler end the test.
    fn compiled(&self) -> Compilation {
        let compilation = self.compile();
        let found: Vec<String> = compilation.diagnostics.iter().map(|diagnostic| format!("{diagnostic:?}")).collect();
        assert!(compilation.stages.is_some(), "`{}` does not compile:\n{}", self.name, found.join("\n"));
        compilation
    }

    /// What was derived.
    pub fn stages(&self) -> Arc<Stages> {
        self.compiled().stages.expect("it has been looked at")
    }

    pub fn apply(&self, stages: &Stages, simulation: &mut Simulation) -> Diagnostics {
        let mut found = Diagnostics::default();
        driver::apply(&self.settings, stages, simulation, &mut found);
        found
    }

    pub fn run(&self, until: f64, every: f64) -> Table {
        self.run_compiled(&self.compiled(), until, every).unwrap_or_else(|found| panic!("`{}`: {found:#?}", self.name))
    }

    /// Nothing if the motion ends, as at a dead centre.
    pub fn try_run(&self, until: f64, every: f64) -> Option<Table> {
        self.run_compiled(&self.compiled(), until, every).ok()
    }

    /// The table, or why a run does not come to its end.
    pub fn attempt(&self, until: f64, every: f64) -> Result<Table, Diagnostic> {
        self.run_compiled(&self.compiled(), until, every)
    }

    /// The row at the end.
    pub fn at(&self, time: f64) -> Table {
        self.run(time, time)
    }

    /// How a run ends that does not come to its end.
    pub fn trouble(&self, until: f64, every: f64) -> Diagnostic {
        let found = self.run_compiled(&self.compiled(), until, every).err();
        found.unwrap_or_else(|| panic!("`{}` comes to its end", self.name))
    }

    fn run_compiled(&self, compilation: &Compilation, until: f64, every: f64) -> Result<Table, Diagnostic> {
        let run = Run { until, every, tolerance: self.options.tolerance };
        let (mut times, mut rows) = (Vec::new(), Vec::new());
        let row = |t: f64, values: &[f64]| {
            times.push(t);
            rows.push(values.to_vec());
        };
        let played = driver::play(compilation, &self.options, &self.settings, Some(run), row);
        if let Some(found) = played.diagnostics.iter().find(|found| found.severity == Severity::Error) {
            return Err(found.clone());
        }
        let warnings = played.diagnostics.iter().cloned().collect();
        let outputs = compilation.stages.iter().flat_map(|stages| &stages.system.outputs);
        let columns = outputs.flat_map(|output| output.columns.iter().map(|(name, _)| (name.clone(), &output.words)));
        let (columns, words) = columns.map(|(name, words)| (name, words.clone())).unzip();
        let conserves_energy = compilation.stages.as_ref().is_some_and(|stages| stages.program.conserves_energy);
        Ok(Table {
            columns,
            words,
            times,
            rows,
            summary: played.summary,
            events: played.events,
            warnings,
            conserves_energy,
        })
    }
}

impl Table {
    pub fn column(&self, name: &str) -> Vec<f64> {
        let at = self.columns.iter().position(|column| column == name);
        let at = at.unwrap_or_else(|| panic!("no column `{name}` among {:?}", self.columns));
        self.rows.iter().map(|row| row[at]).collect()
    }

    pub fn last(&self, name: &str) -> f64 {
        *self.column(name).last().expect("a run has rows")
    }

    /// Three columns as one vector for each row.
    pub fn vectors(&self, name: &str) -> Vec<[f64; 3]> {
        let parts = ["x", "y", "z"].map(|part| self.column(&format!("{name}.{part}")));
        (0..self.rows.len()).map(|row| [parts[0][row], parts[1][row], parts[2][row]]).collect()
    }

    pub fn last_vector(&self, name: &str) -> [f64; 3] {
        *self.vectors(name).last().expect("a run has rows")
    }

    /// None where nothing bears energy that the compiler knows of.
    pub fn size_of_energy(&self) -> f64 {
        self.summary.energy_size
    }

    /// Energy drift in proportion to the size of the energy.
    pub fn drift(&self) -> f64 {
        self.summary.energy_drift / self.summary.energy_size
    }
}

pub fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples")
}

/// The names of all examples, in order.
pub fn example_names() -> Vec<String> {
    let files = std::fs::read_dir(examples()).expect("the examples can be read").flatten().map(|entry| entry.path());
    let scenes = files.filter(|path| path.extension().is_some_and(|extension| extension == "anz"));
    let mut names: Vec<String> =
        scenes.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    assert!(!names.is_empty(), "there are no examples");
    names
}

/// Asserts that two numbers agree within an absolute error.
#[track_caller]
pub fn assert_near(what: &str, found: f64, expected: f64, error: f64) {
    assert!(
        (found - expected).abs() <= error,
        "{what}: found {found:.15e}, expected {expected:.15e}, off by {:.2e} where {error:.1e} is allowed",
        (found - expected).abs()
    );
}

#[track_caller]
pub fn assert_vectors_near(what: &str, found: [f64; 3], expected: [f64; 3], error: f64) {
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        assert_near(&format!("{what}.{name}"), found[axis], expected[axis], error);
    }
}

/// Asserts that two runs went the same way, each column within `error` of its own size.
#[track_caller]
pub fn assert_same_motion(what: &str, one: &Table, other: &Table, error: f64) {
    assert_eq!(one.columns, other.columns, "{what}");
    assert_eq!(one.times, other.times, "{what}");
    for (at, name) in one.columns.iter().enumerate() {
        let size = one.rows.iter().fold(0.0_f64, |size, row| size.max(row[at].abs()));
        for (row, time) in one.times.iter().enumerate() {
            let (a, b) = (one.rows[row][at], other.rows[row][at]);
            assert_near(&format!("{what}: `{name}` at t = {time}"), a, b, error * size.max(1e-3));
        }
    }
}
