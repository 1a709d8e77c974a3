//! Ids: what has the same id in two places is the same thing.

use equations::split_label;
use model::{FrameId, Model, WORLD};

pub fn frame(model: &Model, id: FrameId) -> Option<String> {
    (id != WORLD).then(|| format!("frame:{}", model.frame(id).name))
}

/// Of a constraint of the scene, from the label of one of its components.
pub fn constraint(label: &str) -> String {
    format!("constraint:{}", split_label(label).0)
}

/// Of a coordinate, from its own name or that of its rate.
pub fn coordinate(name: &str) -> String {
    format!("coordinate:{}", name.trim_end_matches('\''))
}

/// The frame that a coordinate such as `car.orientation.w` belongs to.
pub fn frame_of_coordinate(model: &Model, name: &str) -> Option<String> {
    let owns = |frame: &&model::Frame| name.strip_prefix(frame.name.as_str()).is_some_and(|rest| rest.starts_with('.'));
    let owner = model.frames.iter().skip(1).filter(owns).max_by_key(|frame| frame.name.len())?;
    Some(format!("frame:{}", owner.name))
}
