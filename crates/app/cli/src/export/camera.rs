//! `--camera`: where to look from.

use ansatz::Scene;
use studio::{Look, PRESETS, Refusal};

/// A camera of the scene by its name, a direction, a frame to go along with, or a point, perhaps with one to look at. Nothing is the
/// first camera of the scene, or everything if it has none.
pub fn choose(scene: &Scene, wish: Option<&str>) -> Result<Look, Refusal> {
    let model = &scene.stages().model;
    let cameras = &model.picture.cameras;
    let Some(wish) = wish.map(str::trim) else {
        return Ok(if cameras.is_empty() { Look::All { from: None } } else { Look::Scene { number: 0 } });
    };
    if let Some(number) = cameras.iter().position(|camera| camera.name == wish) {
        return Ok(Look::Scene { number });
    }
    if let Some((name, _)) = PRESETS.iter().find(|(name, _)| *name == wish) {
        return Ok(Look::All { from: Some(name) });
    }
    if wish == "everything" {
        return Ok(Look::All { from: None });
    }
    if let Some(frame) = model.frames.iter().skip(1).find(|frame| frame.name == wish) {
        return Ok(Look::Follow { frame: format!("frame:{}", frame.name) });
    }
    let numbers: Option<Vec<f64>> = wish.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref().filter(|numbers| numbers.iter().all(|number| number.is_finite())) {
        Some(&[x, y, z]) => point([x, y, z], [0.0; 3]),
        Some(&[x, y, z, a, b, c]) => point([x, y, z], [a, b, c]),
        _ => Err(unknown(scene, wish)),
    }
}

fn point(position: [f64; 3], target: [f64; 3]) -> Result<Look, Refusal> {
    if position == target {
        return Err(Refusal {
            message: "a camera cannot look at the point where it is".to_string(),
            hint: "give the point that it is at and then another, as in `--camera 3,-4,2,0,0,1`".to_string(),
        });
    }
    Ok(Look::Point { position, target })
}

fn unknown(scene: &Scene, wish: &str) -> Refusal {
    let model = &scene.stages().model;
    let named = model.picture.cameras.iter().map(|camera| camera.name.as_str()).filter(|name| !name.is_empty());
    let mut names: Vec<&str> = named.chain(PRESETS.iter().map(|(name, _)| *name)).collect();
    names.push("everything");
    let hint = match base::nearest(wish, names.iter().copied().chain(model.frames.iter().map(|it| it.name.as_str()))) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "there are {}, each frame of the scene, and points such as 3,-4,2 or 3,-4,2,0,0,1 in metres",
            names.join(", ")
        ),
    };
    Refusal { message: format!("there is no camera `{}`", base::visible(wish)), hint }
}
