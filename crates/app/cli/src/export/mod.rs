//! `ansatz export`: the motion of a scene for other programs, by the ending of the file.

mod motion;

use std::process::ExitCode;

use ansatz::{Error, Instance, Options};

use crate::arguments::ExportArguments;
use crate::{render, scene, whole_file};

/// What can be written.
const ENDINGS: &[&str] = &["glb"];

/// More instants than these make no film, and fill the memory.
const MOST_INSTANTS: f64 = 100_000.0;

pub fn export(arguments: &ExportArguments) -> ExitCode {
    let ending = arguments.output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !ENDINGS.contains(&ending.as_str()) {
        let hint = format!("there are .{}; rows of numbers are written with `ansatz run -o FILE`", ENDINGS.join(", ."));
        render::complain(&format!("nothing is known of files that end with `.{}`", base::visible(&ending)), &hint);
        return ExitCode::FAILURE;
    }
    let instants = (arguments.to - arguments.from) / arguments.speed * arguments.rate;
    if arguments.from < 0.0 || instants < 0.0 || instants.is_nan() || instants > MOST_INSTANTS {
        let hint = format!("`--from` is before `--to`, and `--rate` gives {MOST_INSTANTS} instants at most");
        render::complain(&format!("there are {instants} instants to show"), &hint);
        return ExitCode::FAILURE;
    }
    let options = Options { picture: true, ..Options::default() };
    let Some(scene) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    let instance = scene.instance().and_then(|mut instance| {
        instance.set_all(&arguments.settings.settings())?;
        instance.start()?;
        Ok(instance)
    });
    let mut instance = match instance {
        Ok(instance) => instance,
        Err(error) => {
            render::print_error(&error);
            return ExitCode::FAILURE;
        }
    };
    let (mut times, mut pictures) = (Vec::new(), Vec::new());
    let outcome = watch(&mut instance, arguments, instants as usize, |time, picture| {
        times.push(time);
        pictures.push(picture);
    });
    // What was seen before a run failed is worth keeping.
    if let Err(error) = &outcome {
        render::print_error(error);
        if pictures.is_empty() {
            return ExitCode::FAILURE;
        }
    }
    // The file has its own clock.
    let clock: Vec<f64> = times.iter().map(|time| time / arguments.speed).collect();
    let (bytes, left_out) = motion::glb(&scene, &clock, &pictures);
    if let Err(error) = whole_file::replace(&arguments.output, &bytes) {
        return crate::run::cannot_write(Some(&arguments.output), &error);
    }
    if !left_out.is_empty() {
        render::say(&format!("warning: not in the file: {}", left_out.join(", ")));
    }
    let size = bytes.len() as f64 / 1000.0;
    render::say(&format!("{} written: {} instants, {size:.1} KB", arguments.output.display(), times.len()));
    if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What the picture has at each of the instants. A scene that stops before is shown as far as it goes.
fn watch(
    instance: &mut Instance,
    arguments: &ExportArguments,
    steps: usize,
    mut see: impl FnMut(f64, Vec<f64>),
) -> Result<(), Error> {
    for step in 0..=steps {
        instance.advance_to(arguments.from + step as f64 * arguments.speed / arguments.rate)?;
        see(instance.time(), instance.picture()?);
        if instance.stopped().is_some_and(|end| end <= instance.time()) {
            break;
        }
    }
    Ok(())
}
