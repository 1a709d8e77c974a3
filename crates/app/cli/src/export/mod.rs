//! `ansatz export`: a scene for other programs: its motion, pictures and films of it, its equations; by the ending of the file.

mod camera;
mod drawing;
mod film;
mod motion;
mod placed;
mod poses;

use std::path::Path;
use std::process::ExitCode;

use ansatz::{Error, Instance, Options, Scene};

use self::poses::Seen;
use crate::arguments::ExportArguments;
use crate::{render, scene, whole_file};

/// What can be written.
const ENDINGS: &[&str] = &["glb", "mcap", "png", "svg", "gif", "webm", "mp4", "tex"];

/// More instants than these make no film, and fill the memory.
const MOST_INSTANTS: f64 = 100_000.0;

pub fn export(arguments: &ExportArguments) -> ExitCode {
    let ending = arguments.output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !ENDINGS.contains(&ending.as_str()) {
        let hint = format!(
            "there are .{}; rows of numbers and plots are written with `ansatz run -o FILE`",
            ENDINGS.join(", .")
        );
        render::complain(&format!("nothing is known of files that end with `.{}`", base::visible(&ending)), &hint);
        return ExitCode::FAILURE;
    }
    let still = matches!(ending.as_str(), "png" | "svg");
    let Some(times) = instants(arguments, still) else { return ExitCode::FAILURE };
    let options = Options { picture: ending != "tex", ..Options::default() };
    let Some(scene) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    if ending == "tex" {
        let text = driver::equations_tex(scene.compilation(), scene.stages());
        return write(&arguments.output, text.as_bytes(), "the equations of the scene");
    }
    let prepared = scene.instance().and_then(|mut instance| {
        instance.set_all(&arguments.settings.settings())?;
        Ok(instance)
    });
    let mut instance = match prepared {
        Ok(instance) => instance,
        Err(error) => {
            render::print_error(&error);
            return ExitCode::FAILURE;
        }
    };
    match ending.as_str() {
        "glb" | "mcap" => export_motion(&scene, &mut instance, arguments, &times, &ending),
        "svg" => drawing::draw(&scene, &mut instance, arguments, times[0]),
        kind => film::film(&scene, &mut instance, arguments, kind, times),
    }
}

/// The instants to show; says what is wrong with them.
fn instants(arguments: &ExportArguments, still: bool) -> Option<Vec<f64>> {
    if still && arguments.from >= 0.0 {
        return Some(vec![arguments.from]);
    }
    let steps = (arguments.to - arguments.from) / arguments.speed * arguments.rate;
    if arguments.from < 0.0 || steps < 0.0 || steps.is_nan() || steps > MOST_INSTANTS {
        let hint = format!("`--from` is before `--to`, and `--rate` gives {MOST_INSTANTS} instants at most");
        render::complain(&format!("there are {steps} instants to show"), &hint);
        return None;
    }
    // A last instant that is only missed by rounding is one.
    let last = (steps + 1e-9).floor() as usize;
    Some((0..=last).map(|step| arguments.from + step as f64 * arguments.speed / arguments.rate).collect())
}

fn export_motion(
    scene: &Scene,
    instance: &mut Instance,
    arguments: &ExportArguments,
    times: &[f64],
    kind: &str,
) -> ExitCode {
    let mut seen = Vec::new();
    let outcome = watch(instance, times, |instance, picture| {
        seen.push(Seen { time: instance.time(), picture, row: instance.row().to_vec() });
    });
    // What was seen before a run failed is worth keeping.
    if let Err(error) = &outcome {
        render::print_error(error);
        if seen.is_empty() {
            return ExitCode::FAILURE;
        }
    }
    let made = match kind {
        "mcap" => poses::mcap(scene, &seen, arguments.speed),
        _ => {
            // The file has its own clock.
            let clock: Vec<f64> = seen.iter().map(|it| it.time / arguments.speed).collect();
            let pictures: Vec<Vec<f64>> = seen.iter().map(|it| it.picture.clone()).collect();
            Ok(motion::glb(scene, &clock, &pictures))
        }
    };
    let (bytes, left_out) = match made {
        Ok(made) => made,
        Err(error) => return crate::run::cannot_write(Some(&arguments.output), &error),
    };
    tell_left_out(&left_out);
    let written = write(&arguments.output, &bytes, &format!("{} instants", seen.len()));
    if outcome.is_ok() { written } else { ExitCode::FAILURE }
}

/// What the picture has at each of the instants. A scene that stops before is shown as far as it goes.
fn watch(instance: &mut Instance, times: &[f64], mut see: impl FnMut(&Instance, Vec<f64>)) -> Result<(), Error> {
    instance.start()?;
    for &time in times {
        instance.advance_to(time)?;
        let picture = instance.picture()?;
        see(instance, picture);
        if instance.stopped().is_some_and(|end| end <= instance.time()) {
            break;
        }
    }
    Ok(())
}

fn tell_left_out(left_out: &[String]) {
    if !left_out.is_empty() {
        render::say(&format!("warning: not in the file: {}", left_out.join(", ")));
    }
}

fn write(path: &Path, bytes: &[u8], what: &str) -> ExitCode {
    if let Err(error) = whole_file::replace(path, bytes) {
        return crate::run::cannot_write(Some(path), &error);
    }
    render::say(&format!("{} written: {what}, {:.1} KB", path.display(), bytes.len() as f64 / 1000.0));
    ExitCode::SUCCESS
}
