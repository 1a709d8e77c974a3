//! `ansatz sweep`: many runs of a scene with other parameters, in all threads of the machine, as one table.

pub mod design;
mod gpu;
mod journal;
mod kept;
mod told;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ansatz::{Ensemble, Error, Lanes, Made, Many, One, Scene, Severity, Span, Stage};
use base::{Diagnostic, Diagnostics};
use serde_json::{Value, json};

use crate::arguments::{Place, SweepArguments};
use crate::progress::Progress;
use crate::run::{INTERRUPTED, ROWS, cannot_write, stop_on_interrupt};
use crate::table::{Cell, Column, Kind, Table};
use crate::{record, render, scene};
use design::{Design, Wanted};
use journal::{Journal, Kept, name_beside};
use kept::{Asked, Layout};
use told::Tally;

/// So often finished runs are put where nothing can lose them.
const FLUSHED: Duration = Duration::from_millis(500);

/// A sweep that can begin.
struct Sweep<'a> {
    arguments: &'a SweepArguments,
    scene: Scene,
    design: Design,
    layout: Layout,
    ensemble: Ensemble,
    span: Span,
}

pub fn sweep(arguments: &SweepArguments) -> ExitCode {
    let outputs: Vec<&Path> =
        [Some(&arguments.output), arguments.events.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
    if !scene::may_write(&outputs) {
        return ExitCode::FAILURE;
    }
    let Some(sweep) = prepare(arguments) else { return ExitCode::FAILURE };
    if !sweep.fits() {
        return ExitCode::FAILURE;
    }
    let Some(journal) = sweep.journal() else { return ExitCode::FAILURE };
    sweep.run(journal).unwrap_or_else(|error| cannot_write(Some(&arguments.output), &error))
}

/// Everything that has to be right before the first run; what is not is told.
fn prepare(arguments: &SweepArguments) -> Option<Sweep<'_>> {
    let asked = told_if_wrong(Asked::read(&arguments.reduce), None)?;
    let probes: Vec<String> = arguments.probe.iter().flat_map(|list| driver::split_list(list)).collect();
    let mut options = arguments.compile.options();
    options.probes = probes.clone();
    for what in asked.iter().filter_map(Asked::recorded) {
        if !options.probes.iter().any(|known| known == what) {
            options.probes.push(what.to_string());
        }
    }
    options.tolerance = arguments.tolerance;
    (options.solver, options.tried_with) = (arguments.solver.unwrap_or_default(), arguments.settings.settings());
    let scene = scene::compile(&arguments.file, &options)?;
    let stages = scene.stages();
    let design = match &arguments.values {
        Some(file) => Design::read(&file.display().to_string(), &scene::read(file)?, stages),
        None => {
            let SweepArguments { design: kind, vary, runs, seed, .. } = arguments;
            Design::new(&Wanted { kind: *kind, vary, runs: *runs, seed: *seed }, stages)
        }
    };
    let design = told_if_wrong(design, Some(&scene))?;
    let whole = arguments.every.is_some() && asked.is_empty();
    let layout = if whole { Ok(Layout::Rows) } else { Layout::new(&asked, &probes, &scene) };
    let layout = told_if_wrong(layout, Some(&scene))?;
    if arguments.on == Place::Gpu && (arguments.events.is_some() || layout.needs_events()) {
        let message = "transitions are not kept on a GPU";
        render::complain(message, "make these runs `--on cpu`, or leave out `--events`, `first:` and `count:`");
        return None;
    }
    let looked = if asked.is_empty() { arguments.until } else { arguments.until / ROWS };
    let span = Span { until: arguments.until, every: arguments.every.unwrap_or(looked) };
    if let Some(both) = design.varied.iter().find(|one| arguments.settings.sets(&one.name)) {
        let message = format!("`{}` varies, and is set", both.name);
        render::complain(&message, "drop its `--set` or `--input`, or do not vary it");
        return None;
    }
    let names: Vec<&str> = design.varied.iter().map(|one| one.name.as_str()).collect();
    let ensemble = Ensemble::new(&scene, &names, &arguments.settings.settings(), span);
    let ensemble = ensemble.map_err(|error| render::print_error(&error)).ok()?;
    Some(Sweep { arguments, scene, design, layout, ensemble, span })
}

fn told_if_wrong<T>(result: Result<T, Diagnostic>, scene: Option<&Scene>) -> Option<T> {
    let tell = |found: Diagnostic| {
        let found: Diagnostics = [found].into_iter().collect();
        match scene {
            Some(scene) => render::print(&found, scene.sources()),
            None => render::print(&found, &base::Sources::default()),
        }
    };
    result.map_err(tell).ok()
}

impl Sweep<'_> {
    fn columns(&self) -> Vec<Column> {
        let varied = self.design.varied.iter().map(|one| {
            let unit = if one.unit.text == "1" { "" } else { &one.unit.text };
            Column::new(&one.name, Kind::Number, unit)
        });
        let mut of_scene: Vec<Column> = varied.collect();
        let split = of_scene.len();
        of_scene.extend(self.layout.columns(&self.scene));
        // A scene may have a parameter of the name that a column of ours has.
        let ours = |name: &'static str, otherwise: &'static str| {
            if of_scene.iter().any(|column| column.name == name) { otherwise } else { name }
        };
        let run = Column::new(ours("run", "run_number"), Kind::Count, "");
        let failed = Column::new(ours("failed", "failed_with"), Kind::Word, "");
        let recorded = of_scene.split_off(split);
        [vec![run], of_scene, vec![Column::time()], recorded, vec![failed]].concat()
    }

    /// Whether there is room for the result, and no two columns have one name; says how large it will be.
    fn fits(&self) -> bool {
        let columns = self.columns();
        if let Some(twice) = (1..columns.len()).find(|&at| columns[..at].iter().any(|it| it.name == columns[at].name)) {
            let message = format!("the table would have two columns `{}`", columns[twice].name);
            render::complain(&message, "what varies is in the table anyway; leave it out of `--probe`");
            return false;
        }
        let rows = match self.layout {
            Layout::Rows => (self.span.until / self.span.every).ceil() + 1.0,
            Layout::Numbers(_) => 1.0,
        };
        let bytes = self.design.runs as f64 * rows * columns.len() as f64 * 8.0;
        let shape = format!(
            "{} of {}",
            base::counted(self.design.runs, "run", "runs"),
            base::counted(rows as usize, "row", "rows")
        );
        render::say(&format!("{}: {shape}, about {}", self.scene.name(), size_text(bytes)));
        // The runs stand beside the table until it is complete.
        let room = free_bytes(&self.arguments.output);
        if room.is_some_and(|room| 2.0 * bytes > room) {
            let message = format!(
                "there is no room: {} are needed, and {} are free",
                size_text(2.0 * bytes),
                size_text(room.unwrap_or_default())
            );
            let hint = match self.layout {
                Layout::Rows => {
                    "keep less of each run: a longer `--every`, only the last rows (no `--every`), or `--reduce max:…`"
                }
                Layout::Numbers(_) => "take fewer values, or write to a larger disk",
            };
            render::complain(&message, hint);
            return false;
        }
        true
    }

    /// What makes these runs these, and no others.
    fn question(&self) -> Value {
        let SweepArguments { until, every, settings, tolerance, design, vary, runs, seed, reduce, .. } = self.arguments;
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "scene": self.scene.text(),
            "program": self.scene.explain(Some(Stage::Kernel)),
            "until": until,
            "every": every,
            "set": settings.set,
            "input": settings.input,
            "tolerance": tolerance,
            "solver": format!("{:?}", self.arguments.solver),
            "design": format!("{design:?}"),
            "vary": vary,
            "values": self.arguments.values.as_ref().map(|_| (0..self.design.runs).map(|run| self.design.counts(run)).collect::<Vec<_>>()),
            "runs": runs,
            "seed": seed,
            "probe": self.scene.outputs(),
            "reduce": reduce,
            "events": self.arguments.events.is_some(),
        })
    }

    /// The runs that are there: none, or, with `--resume`, those of a sweep that was interrupted.
    fn journal(&self) -> Option<Journal> {
        let output = &self.arguments.output;
        let path = match is_file(output) {
            true => name_beside(output),
            false => std::env::temp_dir().join(format!("ansatz-sweep-{}.unfinished", std::process::id())),
        };
        let (question, shown) = (self.question(), path.display());
        if path.exists() && !self.arguments.resume {
            let message = format!("`{shown}` has the runs of a sweep that was not finished");
            render::complain(&message, "go on with it: say `--resume`; or remove that file to begin anew");
            return None;
        }
        let opened = if path.exists() {
            Journal::open(&path)
        } else {
            Journal::create(&path, &question).map(|it| (question.clone(), it))
        };
        match opened {
            Ok((known, journal)) if known == question => Some(journal),
            Ok((known, _)) => {
                let keys = question.as_object().into_iter().flat_map(|it| it.keys());
                let other: Vec<String> = keys
                    .filter(|key| known.get(key.as_str()) != question.get(key.as_str()))
                    .map(|key| format!("`{key}`"))
                    .collect();
                let message = format!("`{shown}` has runs of another sweep: {} differ", base::listed(&other));
                render::complain(&message, "say what was said then, or remove that file to begin anew");
                None
            }
            Err(error) => {
                cannot_write(Some(&path), &error);
                None
            }
        }
    }

    fn run(&self, mut journal: Journal) -> io::Result<ExitCode> {
        let mut is_done = vec![false; self.design.runs];
        journal.runs().for_each(|run| is_done[run] = true);
        let open: Vec<usize> = (0..self.design.runs).filter(|run| !is_done[*run]).collect();
        let begun = self.design.runs - open.len();
        if begun > 0 {
            render::say(&format!("  {begun} of them were done before"));
        }
        let threads = self.arguments.threads.map_or_else(cores, |threads| threads as usize);
        let (start, stop) = (Instant::now(), stop_on_interrupt());
        let rest = match self.arguments.on {
            Place::Processor => Ok(open.clone()),
            Place::Gpu => self.work_on_gpu(&mut journal, &open, &stop),
        };
        let trouble = rest.and_then(|rest| self.work(&mut journal, &rest, threads, &stop));
        journal.flush()?;
        trouble?;
        let done = journal.runs().count();
        if done < self.design.runs {
            let kept = if is_file(&self.arguments.output) {
                "go on with the same command and `--resume`"
            } else {
                "nothing was kept"
            };
            render::say(&format!("stopped after {done} of {} runs; {kept}", self.design.runs));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let tally = self.write(&mut journal)?;
        journal.remove()?;
        let seconds = start.elapsed().as_secs_f64();
        let (runs, threads) = (base::counted(open.len(), "run", "runs"), base::counted(threads, "thread", "threads"));
        render::say(&format!("  {runs} in {seconds:.3} s, in {threads}"));
        tally.tell(&self.design);
        Ok(if tally.failures == self.design.runs { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Does the runs that are open, until somebody ends it.
    fn work(&self, journal: &mut Journal, open: &[usize], threads: usize, stop: &AtomicBool) -> io::Result<()> {
        let mut progress = Progress::new("run", self.design.runs as f64);
        let (mut done, mut flushed, mut trouble) = (journal.runs().count(), Instant::now(), Ok(()));
        let go_on = || !stop.load(Ordering::Relaxed);
        let values = |run: usize| self.design.si_values(run);
        let many = Many { runs: open, values: &values, threads, lanes: self.arguments.lanes, go_on: &go_on };
        let made = self.ensemble.run_many(&many, |result| {
            // What was ended from outside is no result.
            if let Some((run, one)) = result.filter(|_| go_on()) {
                trouble = journal.append(&self.kept(run, one));
                done += 1;
            }
            if trouble.is_ok() && flushed.elapsed() > FLUSHED {
                trouble = journal.flush();
                flushed = Instant::now();
            }
            progress.show(done as f64);
            if trouble.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            if go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        progress.clear();
        match made {
            Made::SideBySide(lanes) => render::say(&format!("  {lanes} runs side by side in each thread")),
            Made::WithoutLanes(why) if self.arguments.lanes == Lanes::Always => {
                render::say(&format!("  not side by side: {why}"));
            }
            Made::OneByOne | Made::WithoutLanes(_) => {}
        }
        trouble
    }

    fn kept(&self, run: usize, result: Result<One, Error>) -> Kept {
        let told = |found: &Diagnostic| [found.code.0.to_string(), found.message.clone()];
        let why = |error: &Error| error.diagnostics().iter().find(|found| found.severity == Severity::Error).map(told);
        match result {
            Err(error) => Kept { run, failure: why(&error), ..Kept::default() },
            Ok(one) => {
                let events = match self.arguments.events {
                    Some(_) => one.events.iter().map(|event| (event.t, event.name.clone())).collect(),
                    None => Vec::new(),
                };
                let warnings = one.finished.warnings.iter().map(told).collect();
                let failure = one.finished.failure.as_ref().and_then(why);
                Kept { run, rows: self.layout.keep(&one.rows, &one.events), events, failure, warnings }
            }
        }
    }

    /// Writes the tables, with the runs by their numbers.
    fn write(&self, journal: &mut Journal) -> io::Result<Tally> {
        let columns = self.columns();
        let (words, width) = (self.layout.words(&self.scene), columns.len());
        let mut table = Table::create(&self.arguments.output, columns, self.arguments.angles.chosen())?;
        let happened = vec![
            Column::new("run", Kind::Count, ""),
            Column::new("t", Kind::Number, "s"),
            Column::new("transition", Kind::Word, ""),
        ];
        let mut events = self
            .arguments
            .events
            .as_ref()
            .map(|file| Table::create(file, happened, self.arguments.angles.chosen()))
            .transpose()?;
        let mut tally = Tally::default();
        journal.each(|kept| {
            let run = Cell::Count(kept.run as u64);
            let mut begin = vec![run.clone()];
            begin.extend(self.design.counts(kept.run).into_iter().map(Cell::Number));
            let end = kept.failure.as_ref().map_or(Cell::Nothing, |[code, _]| Cell::Word(code.clone()));
            let nothing = vec![f64::NAN; width - begin.len() - 1];
            let rows = if kept.rows.is_empty() { std::slice::from_ref(&nothing) } else { &kept.rows };
            for row in rows {
                let mut cells = begin.clone();
                cells.push(Cell::Number(row[0]));
                cells.extend(record::cells(&row[1..], &words));
                // What there is none of was marked so.
                cells
                    .iter_mut()
                    .filter(|cell| matches!(cell, Cell::Number(value) if value.is_nan()))
                    .for_each(|cell| *cell = Cell::Nothing);
                cells.push(end.clone());
                table.row(&cells)?;
            }
            if let Some(events) = &mut events {
                kept.events
                    .iter()
                    .try_for_each(|(t, name)| events.row(&[run.clone(), Cell::Number(*t), Cell::Word(name.clone())]))?;
            }
            tally.count(&kept);
            Ok(())
        })?;
        events.map_or(Ok(()), Table::finish)?;
        table.finish()?;
        Ok(tally)
    }
}

/// Whether something is an ordinary file or will be one, and no stream.
fn is_file(output: &Path) -> bool {
    let is_stream = || std::fs::metadata(output).is_ok_and(|it| !it.is_file() && !it.is_dir());
    output != Path::new("-") && !is_stream()
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The bytes that are free where a file goes, if that can be known.
#[cfg(unix)]
fn free_bytes(output: &Path) -> Option<f64> {
    let folder = if is_file(output) { scene::folder(output).to_path_buf() } else { std::env::temp_dir() };
    let found = rustix::fs::statvfs(&folder).ok()?;
    Some(found.f_bavail as f64 * found.f_frsize as f64)
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<f64> {
    None
}

/// `120 kB`, `1.6 GB`
fn size_text(bytes: f64) -> String {
    const UNITS: [(f64, &str); 6] = [(1e18, "EB"), (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match UNITS.into_iter().find(|(size, _)| bytes >= *size) {
        Some((size, unit)) if bytes < 10.0 * size => format!("{:.1} {unit}", bytes / size),
        Some((size, unit)) => format!("{:.0} {unit}", bytes / size),
        None => format!("{bytes:.0} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::size_text;

    #[test]
    fn sizes_are_short_words() {
        assert_eq!([12.0, 1500.0, 2.5e7, 1.6e16].map(size_text), ["12 bytes", "1.5 kB", "25 MB", "16 PB"]);
    }
}
