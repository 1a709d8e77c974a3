//! How long compiling and running the examples takes, as Markdown tables. `cargo run --release -p benchmarks [table]`
//!
//! A machine is never quiet and never the same, so the last table compares with programs written by hand, measured in the
//! same run; its ratios are what to quote.

mod by_hand;
mod compiling;
mod contact;
mod ensembles;
mod events;
mod families;
mod gpu;
mod growth;
mod ladders;
mod optimizing;
mod precision;
mod running;
mod sizes;
mod starting;
mod stopwatch;
mod switches;
mod trees;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use driver::{Options, Stages};

/// As in the program `ansatz`.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Loose and tight: the integrator is of order 5 for the first, of order 8 for the second.
const TOLERANCES: [f64; 2] = [1e-6, 1e-12];
/// Simulated seconds.
const UNTIL: f64 = 10.0;

type Table = fn(&[Scene]);

/// The tables, by the name under which each can be asked for alone.
const TABLES: [(&str, Table); 18] = [
    ("compiling", compiling::table),
    ("running", running::table),
    ("optimizing", optimizing::table),
    ("coaster", |scenes| {
        scenes.iter().filter(|scene| scene.name == "roller_coaster_3").for_each(optimizing::coaster);
    }),
    ("ladders", |_| ladders::ladders()),
    ("chains", |_| ladders::chains()),
    ("trees", |_| trees::table()),
    ("growth", |_| growth::table()),
    ("sizes", sizes::table),
    ("by_hand", |_| by_hand::table()),
    ("families", |_| families::table()),
    ("ensembles", |_| ensembles::table()),
    ("gpu", |_| gpu::table()),
    ("events", |_| events::table()),
    ("switches", |_| switches::table()),
    ("contact", |_| contact::table()),
    ("starting", |_| starting::table()),
    ("precision", |_| precision::table()),
];

fn main() {
    let wanted = std::env::args().nth(1);
    let scenes = scenes(&examples());
    if cfg!(debug_assertions) {
        println!("(Not a release build: add `--release`.)\n");
    }
    for (name, table) in TABLES {
        if wanted.as_ref().is_none_or(|wanted| wanted == name) {
            table(&scenes);
        }
    }
}

/// A text to compile.
struct Scene {
    name: String,
    text: String,
}

impl Scene {
    fn changes(&self) -> bool {
        let compilation = driver::compile(&self.name, &self.text, &Options::default());
        compilation.stages.as_ref().is_some_and(|stages| driver::is_changing(stages))
    }

    /// # Panics
    /// If the scene has errors.
    fn compile(&self, tolerance: f64) -> (Arc<Stages>, Vec<driver::Timing>) {
        self.compile_at(tolerance, driver::Level::default())
    }

    /// # Panics
    /// If the scene has errors.
    fn compile_at(&self, tolerance: f64, optimize: driver::Level) -> (Arc<Stages>, Vec<driver::Timing>) {
        let options = Options { tolerance, optimize, ..Options::default() };
        let compilation = driver::compile(&self.name, &self.text, &options);
        let stages = compilation.stages.unwrap_or_else(|| panic!("`{}` has errors", self.name));
        (stages, compilation.timing)
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

fn scenes(folder: &Path) -> Vec<Scene> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|found| found == "anz")).collect();
    paths.sort();
    let scene = |path: &PathBuf| Scene {
        name: path.file_stem().unwrap_or_default().to_string_lossy().to_string(),
        text: std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    };
    // Those with modes have many programs, and a table of their own.
    paths.iter().map(scene).filter(|scene| !scene.changes()).collect()
}
