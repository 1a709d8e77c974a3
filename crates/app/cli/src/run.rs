//! `ansatz run`: compile, simulate, record or draw, sum up.

use std::io::{ErrorKind, IsTerminal, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::Diagnostics;
use driver::{Compilation, Compiled, Run, Settings, Simulation, Stages, Summary};

use crate::arguments::RunArguments;
use crate::plot::{Recording, Style};
use crate::table::{Table, time_text};
use crate::{render, scene};

/// The exit code of a run that a person ended, as shells have it.
const INTERRUPTED: u8 = 130;

pub fn run(arguments: &RunArguments) -> ExitCode {
    let mut options = arguments.compile.options();
    options.probes = arguments.probe.iter().flat_map(|list| split(list)).collect();
    options.tolerance = arguments.tolerance;
    if !makes_sense(arguments, &options.probes) {
        return ExitCode::FAILURE;
    }
    let Some(compilation) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    render::print(&compilation.diagnostics, &compilation.sources);
    let Some(stages) = &compilation.stages else { return ExitCode::FAILURE };
    let machine = match driver::machine(&stages.module, false) {
        Ok(machine) => machine,
        Err(diagnostic) => {
            render::print_one(diagnostic, &compilation.sources);
            return ExitCode::FAILURE;
        }
    };
    simulate(arguments, &compilation, stages, &machine)
}

fn simulate(arguments: &RunArguments, compilation: &Compilation, stages: &Stages, machine: &Compiled) -> ExitCode {
    let mut simulation = Simulation::new(&stages.module, machine);
    let settings = Settings { parameters: arguments.set.clone(), controls: arguments.input.clone() };
    let mut found = Diagnostics::default();
    driver::apply(&settings, stages, &mut simulation, &mut found);
    // What is wrong with the defaults has been said; what is wrong with the given values has not.
    let news = found.iter().filter(|found| !compilation.diagnostics.iter().any(|known| known == *found)).cloned();
    let news: Diagnostics = news.collect();
    render::print(&news, &compilation.sources);
    if news.has_errors() {
        return ExitCode::FAILURE;
    }
    let mut table = match Table::create(arguments.output.as_deref()) {
        Ok(table) => table,
        Err(error) => return cannot_write(arguments, &error),
    };
    let columns: Vec<String> = stages.program.outputs.iter().map(|output| output.name.clone()).collect();
    let mut trouble = table.header(&columns).err();
    let mut drawing = (arguments.output.is_none() && !arguments.hash).then(|| Recording::new(columns));
    let mut hash = driver::Hash::default();
    let every = arguments.every.unwrap_or(arguments.until / 200.0);
    let plan = Run { until: arguments.until, every, tolerance: arguments.tolerance };
    let stop = stop_on_interrupt();
    let mut progress = Progress::new(arguments.until);
    let start = Instant::now();
    let (summary, result) = driver::run(
        &mut simulation,
        plan,
        |t, values| {
            if let Some(drawing) = &mut drawing {
                drawing.row(t, values);
            }
            hash.row(t, values);
            match table.row(t, values) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    trouble = Some(error);
                    ControlFlow::Break(())
                }
            }
        },
        |t| {
            progress.show(t);
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    progress.clear();
    // What was recorded is kept, however the run ended; a table without rows replaces nothing.
    let trouble = match trouble {
        None if summary.rows > 0 => table.finish().err(),
        trouble => {
            table.abandon();
            trouble
        }
    };
    if let Some(error) = trouble {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return ExitCode::SUCCESS;
        }
        return cannot_write(arguments, &error);
    }
    let wall = start.elapsed();
    if let Some(drawing) = drawing.as_ref().filter(|_| summary.rows > 0) {
        // A reader that goes away, such as `head`, is not an error.
        let _ = std::io::stdout().write_all(drawing.draw(Style::of_terminal()).as_bytes());
    }
    if arguments.hash && result.is_ok() {
        println!("{hash}");
    }
    if summary.rows > 0 {
        print_summary(&summary, stages, wall);
    }
    if let Err(failure) = result {
        eprintln!();
        render::print_one(driver::describe(&failure, stages, &simulation), &compilation.sources);
        return ExitCode::FAILURE;
    }
    if stop.load(Ordering::Relaxed) {
        eprintln!("stopped at t = {} s; the rows up to there are complete", time_text(summary.time));
        return ExitCode::from(INTERRUPTED);
    }
    ExitCode::SUCCESS
}

fn cannot_write(arguments: &RunArguments, error: &std::io::Error) -> ExitCode {
    let target = arguments.output.as_ref().map_or("standard output".to_string(), |path| path.display().to_string());
    let hint = match error.kind() {
        ErrorKind::NotFound => "the folder does not exist; make it first".to_string(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "choose a folder that you may write to".to_string()
        }
        ErrorKind::IsADirectory => format!("it is a folder; name a file in it, such as `{target}/rows.csv`"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "there is no room; record fewer rows with a longer `--every`, or write elsewhere".to_string()
        }
        _ => "nothing was kept; try another place".to_string(),
    };
    render::complain(&format!("`{target}` cannot be written: {error}"), &hint);
    ExitCode::FAILURE
}

/// Whether the options of a run fit one another; says so where they do not.
fn makes_sense(arguments: &RunArguments, probes: &[String]) -> bool {
    const MOST_ROWS: f64 = 1e8;
    if !arguments.probe.is_empty() && probes.is_empty() {
        render::complain(
            "`--probe` names nothing",
            "name quantities of the scene, as in `--probe bob.position,energy`",
        );
        return false;
    }
    let Some(every) = arguments.every else { return true };
    if arguments.until / every > MOST_ROWS {
        let rows = arguments.until / every;
        let hint = format!("give a longer interval, as in `--every {}`", arguments.until / 1000.0);
        render::complain(&format!("a row each {every} s for {} s makes {rows:.1e} rows", arguments.until), &hint);
        return false;
    }
    true
}

fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    // Without a handler, an interrupt ends the program at once; the file keeps its temporary name then.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    stop
}

fn print_summary(summary: &Summary, stages: &Stages, wall: Duration) {
    let statistics = summary.statistics;
    let seconds = wall.as_secs_f64();
    eprintln!(
        "{}: {} s simulated, {} rows, {seconds:.3} s of computing",
        stages.program.name,
        time_text(summary.time),
        summary.rows
    );
    eprintln!(
        "  steps {} (rejected {}), derivatives {}, {:.0} × real time",
        statistics.accepted,
        statistics.rejected,
        statistics.evaluations,
        if seconds > 0.0 { summary.time / seconds } else { f64::INFINITY },
    );
    let drift = if summary.energy_size > 0.0 { summary.energy_drift / summary.energy_size } else { 0.0 };
    let conserved =
        if stages.program.conserves_energy { "" } else { " (forces or drives change the energy of this scene)" };
    eprintln!("  energy drift {drift:.1e}{conserved}, constraint error {:.1e}", summary.constraint_error);
}

/// One line on a terminal, for anything that takes longer than a moment.
struct Progress {
    until: f64,
    start: Instant,
    last: Instant,
    shown: bool,
    terminal: bool,
}

impl Progress {
    fn new(until: f64) -> Progress {
        let now = Instant::now();
        Progress { until, start: now, last: now, shown: false, terminal: std::io::stderr().is_terminal() }
    }

    fn show(&mut self, t: f64) {
        let now = Instant::now();
        if !self.terminal
            || now - self.start < Duration::from_millis(700)
            || now - self.last < Duration::from_millis(100)
        {
            return;
        }
        self.last = now;
        self.shown = true;
        let part = (t / self.until).clamp(0.0, 1.0);
        let bar: String = (0..30).map(|i| if (i as f64) < part * 30.0 { '█' } else { '░' }).collect();
        eprint!("\r  {bar} {:3.0} %  t = {t:.3} s", part * 100.0);
        let _ = std::io::stderr().flush();
    }

    fn clear(&mut self) {
        if self.shown {
            eprint!("\r\x1b[2K");
        }
    }
}

/// Splits at commas that are not inside parentheses or bars.
pub fn split(list: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0_i32);
    for c in list.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.into_iter().map(|part| part.trim().to_string()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_are_split_at_outer_commas() {
        assert_eq!(split("a,b.c, atan2(y, x)"), ["a", "b.c", "atan2(y, x)"]);
        assert_eq!(split(""), [""; 0]);
    }
}
