//! `ansatz run`: compile, simulate, record or draw, sum up.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::Diagnostics;
use driver::{Compilation, Compiled, Run, Settings, Simulation, Stages, Summary};

use crate::arguments::RunArguments;
use crate::plot::{Recording, Style};
use crate::table::Table;
use crate::{render, scene};

/// The exit code of a run that a person ended, as shells have it.
const INTERRUPTED: u8 = 130;

pub fn run(arguments: &RunArguments) -> ExitCode {
    let mut options = arguments.compile.options();
    options.probes = arguments.probe.iter().flat_map(|list| split(list)).collect();
    options.tolerance = arguments.tolerance;
    let Some(compilation) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    render::print(&compilation.diagnostics, &compilation.sources);
    let Some(stages) = &compilation.stages else { return ExitCode::FAILURE };
    let machine = match driver::machine(&stages.module, false) {
        Ok(machine) => machine,
        Err(diagnostic) => {
            eprintln!("{}", render::text(&diagnostic, &compilation.sources));
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
    if found.has_errors() {
        render::print(&found, &compilation.sources);
        return ExitCode::FAILURE;
    }
    let mut table = match Table::create(arguments.output.as_deref()) {
        Ok(table) => table,
        Err(error) => return cannot_write(arguments, &error),
    };
    let columns: Vec<String> = stages.program.outputs.iter().map(|output| output.name.clone()).collect();
    let mut trouble = table.header(&columns).err();
    let mut drawing = arguments.output.is_none().then(|| Recording::new(columns));
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
    // What was recorded is kept, however the run ended.
    if let Some(error) = trouble.or(table.finish().err()) {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return ExitCode::SUCCESS;
        }
        return cannot_write(arguments, &error);
    }
    let wall = start.elapsed();
    if let Some(drawing) = &drawing {
        // A reader that goes away, such as `head`, is not an error.
        let _ = std::io::stdout().write_all(drawing.draw(Style::of_terminal()).as_bytes());
    }
    print_summary(&summary, stages, wall);
    if let Err(failure) = result {
        eprintln!("\n{}", render::text(&driver::describe(&failure, &stages.program), &compilation.sources));
        return ExitCode::FAILURE;
    }
    if stop.load(Ordering::Relaxed) {
        eprintln!("stopped at t = {} s; the rows up to there are complete", summary.time);
        return ExitCode::from(INTERRUPTED);
    }
    ExitCode::SUCCESS
}

fn cannot_write(arguments: &RunArguments, error: &std::io::Error) -> ExitCode {
    let target = arguments.output.as_ref().map_or("standard output".to_string(), |path| path.display().to_string());
    render::complain(&format!("`{target}` cannot be written: {error}"), "check that the folder exists and has room");
    ExitCode::FAILURE
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
        stages.program.name, summary.time, summary.rows
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
fn split(list: &str) -> Vec<String> {
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
