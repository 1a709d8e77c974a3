//! `ansatz export -o film.mp4`, and its kin: pictures that the page draws in a browser without a window.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ansatz::{Instance, Scene};
use studio::{Look, Order, Refusal};

use super::camera;
use crate::arguments::{ExportArguments, Size};
use crate::progress::Progress;
use crate::trouble::Trouble;
use crate::{render, run, scene, whole_file};

/// Players show pictures of a GIF that stay for less than two hundredths of a second far more slowly.
const MOST_IN_A_GIF: f64 = 50.0;
/// In pixels; a GIF of this size is large enough as a file.
const USUAL: Size = Size { width: 1280, height: 720 };
const USUAL_GIF: Size = Size { width: 640, height: 360 };

/// Needs: compiled with a picture; whatever is set is in the instance.
pub fn film(
    scene: &Scene,
    instance: &mut Instance,
    arguments: &ExportArguments,
    kind: &str,
    times: Vec<f64>,
) -> ExitCode {
    let made = order(scene, instance, arguments, kind, times).and_then(|order| {
        let exported = scene.export_kernel()?;
        let folder = scene::folder(&arguments.file);
        let page = studio::film_page(scene, &exported, folder, &order)?;
        let stop = run::stop_on_interrupt();
        let mut progress = Progress::new("picture", order.times.len() as f64);
        let filmed = studio::film(page, |pictures| {
            progress.show(pictures as f64);
            !stop.load(Ordering::Relaxed)
        });
        progress.clear();
        Ok((filmed?, order))
    });
    let (filmed, order) = match made {
        Ok(made) => made,
        Err(trouble) => return trouble.tell(),
    };
    if let Err(error) = whole_file::replace(&arguments.output, &filmed.file) {
        return run::cannot_write(Some(&arguments.output), &error);
    }
    let pictures = base::counted(filmed.told.pictures, "picture", "pictures");
    let kilobytes = filmed.file.len() as f64 / 1000.0;
    let (width, height) = (order.width, order.height);
    let path = arguments.output.display();
    render::say(&format!("{path} written: {pictures} of {width} × {height} pixels, {kilobytes:.1} KB"));
    if !filmed.told.note.is_empty() {
        render::say(&format!("  note: {}", filmed.told.note));
    }
    if !filmed.told.failure.is_empty() {
        render::complain(&format!("the run went no farther: {}", filmed.told.failure), "`ansatz run` says more of it");
        return ExitCode::FAILURE;
    }
    if filmed.told.pictures < order.times.len() {
        render::say("  the run stops before, as the scene says");
    }
    ExitCode::SUCCESS
}

fn order(
    scene: &Scene,
    instance: &mut Instance,
    arguments: &ExportArguments,
    kind: &str,
    times: Vec<f64>,
) -> Result<Order, Trouble> {
    let refuse = |message: String, hint: String| Trouble::Page(Refusal { message, hint });
    if kind == "gif" && arguments.rate > MOST_IN_A_GIF {
        let message = format!("a GIF has {MOST_IN_A_GIF} pictures in a second at most");
        return Err(refuse(message, "choose a lower `--rate`, or write a film as .webm or .mp4".to_string()));
    }
    let Size { width, height } = arguments.size.unwrap_or(if kind == "gif" { USUAL_GIF } else { USUAL });
    if matches!(kind, "mp4" | "webm") && (width % 2, height % 2) != (0, 0) {
        let message = format!("films have an even number of pixels each way, and {width} × {height} has not");
        let even = |size: u32| size + size % 2;
        return Err(refuse(message, format!("try `--size {}x{}`", even(width), even(height))));
    }
    let shown: Vec<String> = arguments.show.iter().map(|word| word.trim().to_string()).collect();
    if let Some(unknown) = shown.iter().find(|word| !studio::OVERLAYS.contains(&word.as_str())) {
        let message = format!("`{}` is nothing that can be drawn besides the shapes", base::visible(unknown));
        return Err(refuse(message, format!("there are {}", studio::OVERLAYS.join(", "))));
    }
    let system = &scene.stages().system;
    let inner = instance.inner();
    let values = |names: Vec<&String>, value: &dyn Fn(usize) -> f64| -> BTreeMap<String, f64> {
        names.into_iter().enumerate().map(|(at, name)| (name.clone(), value(at))).collect()
    };
    let parameters = values(system.parameters.iter().map(|it| &it.name).collect(), &|at| inner.parameter(at));
    let controls = values(system.controls.iter().map(|it| &it.name).collect(), &|at| inner.control(at));
    let camera: Look = camera::choose(scene, arguments.camera.as_deref())?;
    let theme = arguments.theme.clone();
    let rate = arguments.rate;
    Ok(Order {
        kind: kind.to_string(),
        times,
        rate,
        width,
        height,
        parameters,
        controls,
        camera,
        overlays: shown,
        theme,
    })
}
