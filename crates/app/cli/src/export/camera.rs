//! `--camera`: where to look from.

use ansatz::Scene;
use studio::{KeptView, Look, PRESETS, Refusal};

/// A camera of the scene by its name, a direction, a frame to go along with, a point, perhaps with one to look at, or a path of those. Nothing is the
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
    if wish.contains(':') {
        return Ok(Look::Path { views: path(wish)? });
    }
    let (position, target) = point(wish).ok_or_else(|| unknown(scene, wish))?;
    refuse_blindness(position, target)?;
    Ok(Look::Point { position, target })
}

/// `3,-4,2` or `3,-4,2,0,0,1`: where the camera is, and what it looks at.
fn point(text: &str) -> Option<([f64; 3], [f64; 3])> {
    let numbers: Vec<f64> = text.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
    match *numbers.as_slice() {
        _ if !numbers.iter().all(|number| number.is_finite()) => None,
        [x, y, z] => Some(([x, y, z], [0.0; 3])),
        [x, y, z, a, b, c] => Some(([x, y, z], [a, b, c])),
        _ => None,
    }
}

/// `0: 3,-4,2; 5: 0,-8,3,0,0,1`: a view at each of several moments, in seconds.
fn path(text: &str) -> Result<Vec<KeptView>, Refusal> {
    let mut views: Vec<KeptView> = Vec::new();
    for piece in text.split(';').map(str::trim).filter(|piece| !piece.is_empty()) {
        let read = piece.split_once(':').and_then(|(t, place)| {
            let t: f64 = t.trim().parse().ok().filter(|t: &f64| t.is_finite())?;
            point(place).map(|(position, target)| KeptView { t, position, target })
        });
        let Some(view) = read.filter(|view| views.last().is_none_or(|last| last.t < view.t)) else {
            return Err(Refusal {
                message: format!("`{}` is no view at a moment after the one before it", base::visible(piece)),
                hint: "a path of the camera is written `0: 3,-4,2; 5: 0,-8,3,0,0,1`: seconds, then where it is and what it looks at".to_string(),
            });
        };
        refuse_blindness(view.position, view.target)?;
        views.push(view);
    }
    Ok(views)
}

fn refuse_blindness(position: [f64; 3], target: [f64; 3]) -> Result<(), Refusal> {
    if position == target {
        return Err(Refusal {
            message: "a camera cannot look at the point where it is".to_string(),
            hint: "give the point that it is at and then another, as in `--camera 3,-4,2,0,0,1`".to_string(),
        });
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_views_in_the_order_of_their_moments() {
        let views = path("0: 3,-4,2 ; 1.5:0,-8,3,0,0,1;").unwrap_or_else(|refusal| panic!("{}", refusal.message));
        let first = KeptView { t: 0.0, position: [3.0, -4.0, 2.0], target: [0.0; 3] };
        let second = KeptView { t: 1.5, position: [0.0, -8.0, 3.0], target: [0.0, 0.0, 1.0] };
        assert_eq!(views, [first, second]);
        for wrong in ["1: 3,-4,2; 1: 0,1,2", "soon: 1,2,3", "0: 1,2", "0: 1,2,nan", "0: 1,1,1,1,1,1", "0: 1,2,3; 4,5,6"]
        {
            assert!(path(wrong).is_err(), "{wrong}");
        }
    }
}
