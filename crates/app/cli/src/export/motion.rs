//! `ansatz export -o motion.glb`: what moves, as a scene that others play.

use ansatz::Scene;
use formats::gltf::{Glb, Track};

use super::placed::{four, things, three};

/// A file, and what could not be put into it. Needs: compiled with a picture; what the picture has at each instant.
pub fn glb(scene: &Scene, times: &[f64], pictures: &[Vec<f64>]) -> (Vec<u8>, Vec<String>) {
    let stages = scene.stages();
    let (model, picture) = (&stages.model, &stages.system.picture);
    let begin = times.first().copied().unwrap_or(0.0);
    let mut file = Glb::new(&times.iter().map(|time| time - begin).collect::<Vec<_>>());
    for (at, frame) in model.frames.iter().enumerate().skip(1) {
        let place = picture.frames[at - 1];
        let track = Track {
            positions: pictures.iter().map(|it| three(it, place.pose)).collect(),
            turns: pictures.iter().map(|it| four(it, place.pose + 3)).collect(),
            scales: Vec::new(),
        };
        file.node(&frame.name, None, &track);
    }
    let (things, mut left_out) = things(scene, &pictures[0]);
    for thing in things {
        let mut track = Track::default();
        for it in pictures {
            let placement = thing.placement(scene, it);
            track.positions.push(placement.position);
            track.turns.push(placement.turn.0);
            track.scales.push(placement.scale);
        }
        let mesh = file.mesh(&thing.solid, thing.color);
        file.node(&thing.name, Some(mesh), &track);
    }
    left_out.extend(model.picture.curves.iter().map(|_| "curve".to_string()));
    left_out.extend(model.picture.surfaces.iter().map(|_| "surface".to_string()));
    left_out.sort();
    left_out.dedup();
    (file.finish(scene.name()), left_out)
}
