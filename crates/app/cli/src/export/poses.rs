//! `ansatz export -o motion.mcap`: the frames of a scene and the solids on them, as messages that Foxglove draws in space (`foxglove.FrameTransforms` and
//! `foxglove.SceneUpdate`), and beside them the numbers that a run records.

use std::io;

use ansatz::Scene;
use formats::Turn;
use serde_json::{Value, json};

use super::placed::{Placement, Thing, four, things, three};
use crate::mcap::{Channel, Writer, nanoseconds};
use crate::record;
use crate::table::{Cell, Column, Rows};

const WORLD: &str = "world";
/// What moves less than this on its frame, in metres and in parts of a turn, stays where it was drawn.
const STILL: f64 = 1e-9;
/// Channels, in their order.
const FRAMES: usize = 0;
const SOLIDS: usize = 1;
const ROWS: usize = 2;

/// What is seen at an instant.
pub struct Seen {
    pub time: f64,
    pub picture: Vec<f64>,
    /// What a run records.
    pub row: Vec<f64>,
}

/// A file, and what could not be put into it. Needs: compiled with a picture; what is seen at each instant, with at least one; and how many seconds of
/// the scene go by in one of the file.
pub fn mcap(scene: &Scene, seen: &[Seen], speed: f64) -> io::Result<(Vec<u8>, Vec<String>)> {
    let schema = |name, text: &str| (name, text.trim().to_string());
    let (columns, words) = (record::columns(scene), record::words(scene));
    let columns: Vec<Column> = std::iter::once(Column::time()).chain(columns).collect();
    let (rows, numbers) = Rows::new(&columns);
    let channels = [
        Channel {
            topic: "/tf",
            schema: schema("foxglove.FrameTransforms", include_str!("schemas/frame_transforms.json")),
        },
        Channel { topic: "/scene", schema: schema("foxglove.SceneUpdate", include_str!("schemas/scene_update.json")) },
        numbers,
    ];
    let mut bytes = Vec::new();
    let mut file = Writer::begin(&channels, &mut bytes)?;
    let (things, mut left_out) = things(scene, &seen[0].picture);
    let mut drawn: Vec<Option<Placement>> = vec![None; things.len()];
    for Seen { time, picture, row } in seen {
        let at = nanoseconds(time / speed);
        let cells: Vec<Cell> = std::iter::once(Cell::Number(*time)).chain(record::cells(row, &words)).collect();
        file.message(ROWS, at, &rows.message(&cells), &mut bytes)?;
        file.message(FRAMES, at, &json!({ "transforms": transforms(scene, at, picture) }).to_string(), &mut bytes)?;
        let mut entities = Vec::new();
        for (thing, drawn) in things.iter().zip(&mut drawn) {
            let (frame, placement) = on_its_frame(scene, thing, picture);
            if drawn.is_none_or(|before| !is_still(&before, &placement)) {
                entities.push(entity(thing, at, frame, &placement));
                *drawn = Some(placement);
            }
        }
        if !entities.is_empty() {
            let update = json!({ "deletions": [], "entities": entities });
            file.message(SOLIDS, at, &update.to_string(), &mut bytes)?;
        }
    }
    file.end(&mut bytes)?;
    let picture = &scene.stages().model.picture;
    left_out.extend(picture.curves.iter().map(|_| "curve".to_string()));
    left_out.extend(picture.surfaces.iter().map(|_| "surface".to_string()));
    left_out.sort();
    left_out.dedup();
    Ok((bytes, left_out))
}

/// Where every frame is in the world.
fn transforms(scene: &Scene, at: u64, picture: &[f64]) -> Vec<Value> {
    let stages = scene.stages();
    let frames = stages.model.frames.iter().skip(1).zip(&stages.system.picture.frames);
    let transforms = frames.map(|(frame, place)| {
        json!({
            "timestamp": instant(at),
            "parent_frame_id": WORLD,
            "child_frame_id": frame.name,
            "translation": vector(three(picture, place.pose)),
            "rotation": quaternion(Turn(four(picture, place.pose + 3))),
        })
    });
    transforms.collect()
}

/// The frame that carries a solid, and where it is on that. What stretches from point to point is in the world.
fn on_its_frame<'a>(scene: &'a Scene, thing: &Thing<'_>, picture: &[f64]) -> (&'a str, Placement) {
    let placement = thing.placement(scene, picture);
    let stages = scene.stages();
    let Some(frame) = thing.carrier() else { return (WORLD, placement) };
    let place = stages.system.picture.frames[frame - 1];
    let (origin, turn) = (three(picture, place.pose), Turn(four(picture, place.pose + 3)).inverse());
    let away: [f64; 3] = std::array::from_fn(|at| placement.position[at] - origin[at]);
    let name = stages.model.frames[frame].name.as_str();
    (name, Placement { position: turn.apply(away), turn: turn.then(placement.turn), scale: placement.scale })
}

fn is_still(before: &Placement, after: &Placement) -> bool {
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= STILL);
    // A quaternion and its opposite are one turn.
    let opposite = after.turn.0.map(|part| -part);
    near(&before.position, &after.position)
        && near(&before.scale, &after.scale)
        && (near(&before.turn.0, &after.turn.0) || near(&before.turn.0, &opposite))
}

fn entity(thing: &Thing<'_>, at: u64, frame: &str, placement: &Placement) -> Value {
    let pose = json!({ "position": vector(placement.position), "orientation": quaternion(placement.turn) });
    let [r, g, b, a] = thing.color;
    let color = json!({ "r": r, "g": g, "b": b, "a": a });
    let [x, y, z] = placement.scale;
    let mut entity = json!({
        "timestamp": instant(at),
        "frame_id": frame,
        "id": thing.name,
        // For ever, and carried by its frame.
        "lifetime": { "sec": 0, "nsec": 0 },
        "frame_locked": true,
        "metadata": [], "arrows": [], "cubes": [], "spheres": [], "cylinders": [], "lines": [], "triangles": [],
        "texts": [], "models": [],
    });
    let (kind, primitive) = match thing.kind {
        "box" | "plane" => ("cubes", json!({ "pose": pose, "size": vector([x, y, z]), "color": color })),
        "sphere" | "ellipsoid" => {
            ("spheres", json!({ "pose": pose, "size": vector([2.0 * x, 2.0 * y, 2.0 * z]), "color": color }))
        }
        "cylinder" | "rod" | "arrow" | "coil" => {
            let size = vector([2.0 * x, 2.0 * y, z]);
            ("cylinders", json!({ "pose": pose, "size": size, "bottom_scale": 1.0, "top_scale": 1.0, "color": color }))
        }
        _ => ("triangles", triangles(thing, &pose, &color, placement.scale)),
    };
    entity[kind] = json!([primitive]);
    entity
}

fn triangles(thing: &Thing<'_>, pose: &Value, color: &Value, scale: [f64; 3]) -> Value {
    let point = |at: &[f32; 3]| vector(std::array::from_fn(|k| f64::from(at[k]) * scale[k]));
    let points: Vec<Value> = thing.solid.positions.iter().map(point).collect();
    let indices: Vec<u32> = thing.solid.triangles.iter().flatten().copied().collect();
    json!({ "pose": pose, "points": points, "color": color, "colors": [], "indices": indices })
}

fn instant(nanoseconds: u64) -> Value {
    json!({ "sec": nanoseconds / 1_000_000_000, "nsec": nanoseconds % 1_000_000_000 })
}

fn vector([x, y, z]: [f64; 3]) -> Value {
    json!({ "x": x, "y": y, "z": z })
}

fn quaternion(Turn([w, x, y, z]): Turn) -> Value {
    json!({ "x": x, "y": y, "z": z, "w": w })
}
