//! `ansatz run`: compile, simulate, record or draw, sum up.

use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ansatz::{Event, Finished, Instance, Scene, Solver, Summary};
use driver::{ContactSteps, Stages};

use crate::arguments::RunArguments;
use crate::progress::Progress;
use crate::record::Record;
use crate::table::{Cell, Column, Kind, Table, time_text};
use crate::{render, scene, solver};

/// The exit code of a run that a person ended, as shells have it.
pub const INTERRUPTED: u8 = 130;
/// How many rows a table has unless somebody says; a drawing has more, so that fast motions fill their place.
pub const ROWS: f64 = 200.0;
const DRAWN_ROWS: f64 = 1000.0;

pub fn run(arguments: &RunArguments) -> ExitCode {
    let mut options = arguments.compile.options();
    options.probes = arguments.probe.iter().flat_map(|list| driver::split_list(list)).collect();
    options.tolerance = arguments.tolerance;
    let Some(how) = arguments.solver else {
        return render::print_out(solver::LIST);
    };
    if !makes_sense(arguments, &options.probes) {
        return ExitCode::FAILURE;
    }
    (options.solver, options.tried_with) = (how, arguments.settings.settings());
    let Some(file) = &arguments.file else {
        render::complain("no scene is named", "name one, as in `ansatz run examples/pendulum.anz --solver implicit`");
        return ExitCode::FAILURE;
    };
    let Some(scene) = scene::compile(file, &options) else { return ExitCode::FAILURE };
    if arguments.events.is_some() && !driver::is_changing(scene.stages()) && !has_contact(&scene) {
        let hint = "leave out `--events`, or declare one: `when NAME: … { … }`";
        render::complain(
            "nothing in this scene has a time of its own: neither a transition, nor a contact without `step`",
            hint,
        );
        return ExitCode::FAILURE;
    }
    let prepared = scene.instance().and_then(|mut instance| {
        let found = instance.set_all(&arguments.settings.settings())?;
        Ok((instance, found))
    });
    match prepared {
        Ok((instance, found)) => {
            render::print(&found, scene.sources());
            follow(arguments, &scene, instance)
        }
        Err(error) => {
            render::print_error(&error);
            ExitCode::FAILURE
        }
    }
}

/// So many pairs that have touched are told of after a run.
const MOST_PAIRS: usize = 6;

/// Says how many transitions happened, and writes down when, if somebody wants to know.
fn tell_events(instance: &Instance, scene: &Scene, table: Option<Table>) -> std::io::Result<()> {
    if driver::is_changing(scene.stages()) {
        let ended = instance.stopped().zip(instance.events().last());
        let happened = &instance.events()[..instance.events().len() - usize::from(ended.is_some())];
        if ended.is_none() || !happened.is_empty() {
            render::say(&format!("  {}", counted(happened)));
        }
        if let Some((t, event)) = ended {
            render::say(&format!("  stopped at t = {} s, as the scene says: {}", time_text(t), event.name));
        }
    }
    let Some(mut table) = table else { return Ok(()) };
    for event in instance.happenings() {
        let mut cells = vec![Cell::Number(event.t), Cell::Word(event.name)];
        if has_contact(scene) {
            cells.push(Cell::Number(event.impulse.unwrap_or(0.0)));
        }
        table.row(&cells)?;
    }
    if instance.happenings_lost() > 0 {
        render::say(&format!("  {} events of contact came too fast to be written down", instance.happenings_lost()));
    }
    table.finish()
}

/// Whether things may touch, and it is known when; in steps of a fixed length it is not.
fn has_contact(scene: &Scene) -> bool {
    scene.stages().system.contacts.as_ref().is_some_and(|contacts| contacts.step.is_none())
}

/// When, what, and in scenes with contact the impulse.
fn event_columns(scene: &Scene) -> Vec<Column> {
    let t = Column::new("t", Kind::Number, "s");
    if has_contact(scene) {
        let impulse = Column::new("impulse", Kind::Number, "N*s");
        return vec![t, Column::new("event", Kind::Word, ""), impulse];
    }
    vec![t, Column::new("transition", Kind::Word, "")]
}

/// `12 transitions: bounce 11, rest 1`
fn counted(events: &[Event]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for event in events {
        match counts.iter_mut().find(|(name, _)| *name == event.name) {
            Some((_, count)) => *count += 1,
            None => counts.push((&event.name, 1)),
        }
    }
    let list: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    match events.len() {
        0 => "no transitions".to_string(),
        1 => format!("one transition: {}", events[0].name),
        n => format!("{n} transitions: {}", list.join(", ")),
    }
}

/// Runs a scene from its start to its end, and says how it went.
fn follow(arguments: &RunArguments, scene: &Scene, mut instance: Instance) -> ExitCode {
    let stages = scene.stages();
    // Before anything is written, so that whatever is can be kept.
    let stop = stop_on_interrupt();
    let events = match arguments
        .events
        .as_deref()
        .map(|file| Table::create(file, event_columns(scene), arguments.angles.chosen()))
        .transpose()
    {
        Ok(events) => events,
        Err(error) => return cannot_write(arguments.events.as_deref(), &error),
    };
    let mut record = match Record::create(arguments, scene) {
        Ok(record) => record,
        Err(error) => return cannot_write(arguments.output.as_deref(), &error),
    };
    let rows = if record.is_drawn() { DRAWN_ROWS } else { ROWS };
    let every = arguments.every.unwrap_or(arguments.until / rows);
    let start = Instant::now();
    let (mut progress, mut trouble) = (Progress::new("t =", arguments.until), None);
    let row = |t: f64, values: &[f64]| go_on_if(record.row(t, values).map_err(|error| trouble = Some(error)).is_ok());
    let moment = |t: f64| {
        progress.show(t);
        go_on_if(!stop.load(Ordering::Relaxed))
    };
    let Finished { summary, warnings, failure } = instance.run(arguments.until, every, row, moment);
    progress.clear();
    let wall = start.elapsed();
    // A table without rows replaces nothing.
    if trouble.is_none() && summary.rows > 0 {
        trouble = record.close(&summary).err();
    }
    if let Some(error) = trouble {
        return cannot_write(arguments.output.as_deref(), &error);
    }
    if summary.rows > 0 {
        print_summary(&summary, stages, arguments, wall);
        for line in instance.touches(MOST_PAIRS) {
            render::say(&format!("  {line}"));
        }
        if let Err(error) = tell_events(&instance, scene, events) {
            return cannot_write(arguments.events.as_deref(), &error);
        }
        render::print(&warnings, scene.sources());
    }
    if let Some(failure) = failure {
        render::say("");
        render::print_error(&failure);
        return ExitCode::FAILURE;
    }
    if stop.load(Ordering::Relaxed) {
        render::say(&format!("stopped at t = {} s; the rows up to there are complete", time_text(summary.time)));
        return ExitCode::from(INTERRUPTED);
    }
    ExitCode::SUCCESS
}

fn go_on_if(well: bool) -> ControlFlow<()> {
    if well { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

pub fn cannot_write(target: Option<&Path>, error: &std::io::Error) -> ExitCode {
    if error.kind() == ErrorKind::BrokenPipe {
        // The reader has seen enough.
        return ExitCode::SUCCESS;
    }
    let target = target.filter(|path| *path != Path::new("-"));
    let target = target.map_or("standard output".to_string(), |path| path.display().to_string());
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
    let outputs: Vec<&Path> =
        [&arguments.output, &arguments.events].into_iter().flatten().map(PathBuf::as_path).collect();
    if !scene::may_write(&outputs) {
        return false;
    }
    let Some(every) = arguments.every else { return true };
    if arguments.until / every > MOST_ROWS {
        let rows = arguments.until / every;
        let short = |value: f64| if (1e-3..1e7).contains(&value) { format!("{value}") } else { format!("{value:e}") };
        let hint = format!("give a longer interval, as in `--every {}`", short(arguments.until / 1000.0));
        let (every, until) = (short(every), short(arguments.until));
        render::complain(&format!("a row each {every} s for {until} s makes {rows:.1e} rows"), &hint);
        return false;
    }
    true
}

/// Set when somebody ends the run: with Ctrl-C, or as `kill` and `timeout` do.
pub fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    // Without a handler, a signal ends the program at once; the file keeps its temporary name then.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    stop
}

/// What steps of a fixed length leave of contact, and what they make of options.
fn tell_steps(steps: &ContactSteps, stages: &Stages, arguments: &RunArguments) {
    let pair = stages.system.contacts.as_ref().and_then(|set| Some((set, set.pairs.get(steps.pair)?)));
    if let Some((set, pair)) = pair.filter(|_| steps.depth > 0.0) {
        let [first, second] = pair.things.map(|thing| &set.things[thing].name);
        let (depth, time) = (steps.depth, time_text(steps.time));
        render::say(&format!(
            "  at most {depth:.1e} m inside of one another: `{first}` and `{second}` at t = {time} s"
        ));
    }
    if steps.unsettled > 0 {
        let (steps_of, all) = (if steps.unsettled == 1 { "step" } else { "steps" }, steps.unsettled);
        render::say(&format!("  note: the impulses of {all} {steps_of} did not converge; a shorter `step` may help"));
    }
    if arguments.tolerance != driver::Options::default().tolerance || arguments.solver != Some(Solver::Auto) {
        render::say("  note: contact has steps of a fixed length, so `--tolerance` and `--solver` change nothing");
    }
}

fn print_summary(summary: &Summary, stages: &Stages, arguments: &RunArguments, wall: Duration) {
    let statistics = summary.statistics;
    let seconds = wall.as_secs_f64();
    render::say(&format!(
        "{}: {} s simulated, {} rows, {seconds:.3} s of computing",
        stages.program.name,
        time_text(summary.time),
        summary.rows
    ));
    render::say(&format!(
        "  {}, {} × real time",
        match &summary.contact_steps {
            Some(steps) => solver::report_steps(&statistics, steps),
            None => solver::report(&statistics, arguments.tolerance),
        },
        match summary.time / seconds {
            times if times < 1e7 => format!("{times:.0}"),
            times => format!("{times:.0e}"),
        }
    ));
    if let Some(steps) = &summary.contact_steps {
        tell_steps(steps, stages, arguments);
    }
    if let Some(assumed) = driver::told_assumptions(stages) {
        render::say(&format!("  assumed at the start: {assumed}"));
    }
    let touches = stages.program.contacts.is_some();
    if statistics.is_stiff() && !touches {
        render::say("  note: this is stiff: stability, not accuracy, keeps the steps short; try `--solver implicit`");
    }
    let constraints = format!("constraint error {:.1e}", summary.constraint_error);
    if summary.energy_size == 0.0 {
        return render::say(&format!("  {constraints}"));
    }
    let drift = summary.energy_drift / summary.energy_size;
    let conserved = match stages.program.conserves_energy {
        true => "",
        false if !stages.model.transitions.is_empty() => " (transitions may change the energy of this scene)",
        false if touches => " (impacts, friction and drives change the energy of this scene)",
        false => " (forces or drives change the energy of this scene)",
    };
    render::say(&format!("  energy drift {drift:.1e}{conserved}, {constraints}"));
}
