//! `ansatz export -o motion.glb`: what moves, as a scene that others play.

use ansatz::Scene;
use formats::Turn;
use formats::gltf::{Glb, Track};
use formats::solid::{self, Solid};
use model::rgb;

/// Figures that have no colour of their own take turns, as in the studio.
const PALETTE: [&str; 6] = ["steelblue", "tomato", "goldenrod", "seagreen", "orchid", "slategray"];

/// A file, and what could not be put into it. Needs: compiled with a picture; what the picture has at each instant.
pub fn glb(scene: &Scene, times: &[f64], pictures: &[Vec<f64>]) -> (Vec<u8>, Vec<String>) {
    let stages = scene.stages();
    let (model, picture) = (&stages.model, &stages.system.picture);
    let begin = times.first().copied().unwrap_or(0.0);
    let mut file = Glb::new(&times.iter().map(|time| time - begin).collect::<Vec<_>>());
    let mut left_out = Vec::new();
    let extent = extent(scene, &pictures[0]);
    for (at, frame) in model.frames.iter().enumerate().skip(1) {
        let place = picture.frames[at - 1];
        let track = Track {
            positions: pictures.iter().map(|it| three(it, place.pose)).collect(),
            turns: pictures.iter().map(|it| four(it, place.pose + 3)).collect(),
            scales: Vec::new(),
        };
        file.node(&frame.name, None, &track);
    }
    for (at, (figure, place)) in model.picture.figures.iter().zip(&picture.figures).enumerate() {
        let kind = figure.row.name;
        let default = extent / if kind == "rod" { 100.0 } else { 20.0 };
        let sizes = |it: &[f64]| -> Vec<f64> {
            let given = &it[place.sizes..place.sizes + place.count];
            // A size of zero that nobody wrote is left to whoever draws.
            let last = given.len() - 1;
            given
                .iter()
                .enumerate()
                .map(|(at, &size)| if figure.implied && at == last && size == 0.0 { default } else { size })
                .collect()
        };
        let Some(solid) = shape(kind, &sizes(&pictures[0])) else {
            left_out.push(kind.to_string());
            continue;
        };
        let frame = figure.frame.index().checked_sub(1).map(|at| picture.frames[at]);
        let along = Turn::of_z_axis(figure.along).unwrap_or(Turn::NONE);
        let mut track = Track::default();
        for it in pictures {
            let (position, turn, scale) = if matches!(kind, "rod" | "arrow" | "coil") {
                between(&sizes(it))
            } else {
                let own = place.turned.map_or(Turn::NONE, |at| Turn(four(it, at)));
                let offset = place.offset.map_or([0.0; 3], |at| three(it, at));
                let (origin, outer) =
                    frame.map_or(([0.0; 3], Turn::NONE), |f| (three(it, f.pose), Turn(four(it, f.pose + 3))));
                let moved = outer.apply(offset);
                let stretch = frame.and_then(|f| f.scale).map_or([1.0; 3], |at| three(it, at));
                let position = std::array::from_fn(|i| origin[i] + moved[i] * stretch[i]);
                (position, outer.then(own).then(along), scaled(kind, &sizes(it)))
            };
            track.positions.push(position);
            track.turns.push(turn.0);
            track.scales.push(scale);
        }
        let color = figure.look.color.as_deref().unwrap_or(PALETTE[at % PALETTE.len()]);
        let [red, green, blue] = rgb(color).unwrap_or([0.7; 3]);
        let mesh = file.mesh(&solid, [red, green, blue, figure.look.opacity]);
        file.node(&format!("{} {kind} {}", model.frame(figure.frame).name, at + 1), Some(mesh), &track);
    }
    left_out.extend(model.picture.curves.iter().map(|_| "curve".to_string()));
    left_out.extend(model.picture.surfaces.iter().map(|_| "surface".to_string()));
    left_out.sort();
    left_out.dedup();
    (file.finish(scene.name()), left_out)
}

/// Of unit size where it is stretched to its sizes, else as it is at the start.
fn shape(kind: &str, sizes: &[f64]) -> Option<Solid> {
    Some(match kind {
        "sphere" | "ellipsoid" => solid::ball(),
        "box" | "plane" => solid::cube(),
        "cylinder" | "rod" | "arrow" | "coil" => solid::cylinder(),
        "cone" => solid::cone(),
        "capsule" => solid::capsule(sizes[1] / sizes[0]),
        "torus" => solid::torus(1.0, sizes[1] / sizes[0]),
        "ring" => solid::torus(1.0 - sizes[1] / sizes[0] / 2.0, sizes[1] / sizes[0] / 2.0),
        _ => return None,
    })
}

fn scaled(kind: &str, sizes: &[f64]) -> [f64; 3] {
    match (kind, sizes) {
        ("box" | "ellipsoid", &[x, y, z]) => [x, y, z],
        ("cylinder" | "cone", &[radius, height]) => [radius, radius, height],
        // A sheet, just thick enough to be seen from both sides.
        ("plane", &[size]) => [size, size, size * 1e-4],
        _ => [sizes[0]; 3],
    }
}

/// A cylinder from one point to another.
fn between(sizes: &[f64]) -> ([f64; 3], Turn, [f64; 3]) {
    let (from, to, radius) = (three(sizes, 0), three(sizes, 3), sizes[6]);
    let along: [f64; 3] = std::array::from_fn(|at| to[at] - from[at]);
    let length = along.iter().map(|part| part * part).sum::<f64>().sqrt();
    let middle = std::array::from_fn(|at| (from[at] + to[at]) / 2.0);
    (middle, Turn::of_z_axis(along).unwrap_or(Turn::NONE), [radius, radius, length])
}

/// How far frames are apart at the start.
fn extent(scene: &Scene, picture: &[f64]) -> f64 {
    let places = scene.stages().system.picture.frames.iter().map(|frame| three(picture, frame.pose));
    places.flatten().fold(0.5, |extent: f64, part| extent.max(part.abs()))
}

fn three(values: &[f64], at: usize) -> [f64; 3] {
    [values[at], values[at + 1], values[at + 2]]
}

fn four(values: &[f64], at: usize) -> [f64; 4] {
    [values[at], values[at + 1], values[at + 2], values[at + 3]]
}
