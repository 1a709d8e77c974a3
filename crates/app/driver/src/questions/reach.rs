//! How far things with shapes reach, and so what they may hit.

use base::Diagnostics;
use expr::{Point, evaluate};
use model::{ContactShape, FrameId, HALF_SPACE, Model, Output};

/// Solids around a frame's origin, as boxes along its axes.
#[derive(Clone, Debug, Default)]
pub struct Hull {
    boxes: Vec<Solid>,
}

#[derive(Clone, Debug)]
struct Solid {
    at: [f64; 3],
    half: [f64; 3],
    /// How far it reaches in any direction.
    radius: f64,
    /// Whether that is all there is to say: of a ball, or of what is turned in its frame.
    round: bool,
}

/// What is on one side of a plane that does not move.
#[derive(Clone, Debug)]
pub struct Plane {
    pub name: String,
    normal: [f64; 3],
    offset: f64,
}

impl Hull {
    /// Around the shapes of each frame; those whose sizes cannot be told beforehand have none.
    pub fn all(model: &Model, shaped: &[(FrameId, ContactShape)], parameters: &[f64]) -> Vec<(FrameId, Hull)> {
        let terms = shaped.iter().flat_map(|(_, shape)| shape.sizes.iter().copied().chain(shape.at));
        let mut found = values(model, terms.collect(), parameters).into_iter();
        let mut hulls: Vec<(FrameId, Hull)> = Vec::new();
        for (frame, shape) in shaped {
            let mut take = |count: usize| -> Option<Vec<f64>> {
                let parts: Vec<Option<Vec<f64>>> = found.by_ref().take(count).collect();
                parts.into_iter().collect::<Option<Vec<_>>>().map(|parts| parts.concat())
            };
            let sizes = take(shape.sizes.len());
            let at = take(usize::from(shape.at.is_some()));
            let Some(solid) = sizes.zip(at).and_then(|(sizes, at)| solid(shape, &sizes, &at)) else { continue };
            match hulls.iter_mut().find(|(known, _)| known == frame) {
                Some((_, hull)) => hull.boxes.push(solid),
                None => hulls.push((*frame, Hull { boxes: vec![solid] })),
            }
        }
        hulls
    }

    /// How far it reaches from its origin along a direction of the world; rows are the axes of the world along its own.
    pub fn reach(&self, axes: &[f64], along: [f64; 3]) -> f64 {
        let own = [0, 1, 2].map(|k| (0..3).map(|axis| along[axis] * axes[3 * axis + k]).sum::<f64>());
        let one = |solid: &Solid| {
            let centre: f64 = (0..3).map(|k| own[k] * solid.at[k]).sum();
            let over: f64 = (0..3).map(|k| own[k].abs() * solid.half[k]).sum();
            centre + if solid.round { solid.radius } else { over.min(solid.radius) }
        };
        self.boxes.iter().map(one).fold(f64::NEG_INFINITY, f64::max)
    }
}

fn solid(shape: &ContactShape, sizes: &[f64], at: &[f64]) -> Option<Solid> {
    let at = at.try_into().unwrap_or_default();
    let half = match (shape.solid, sizes) {
        ("sphere" | "shell", [r]) => [*r; 3],
        ("box", [x, y, z]) => [x / 2.0, y / 2.0, z / 2.0],
        ("ellipsoid", [a, b, c]) => [*a, *b, *c],
        ("cylinder", [r, height]) => [*r, *r, height / 2.0],
        ("torus", [major, minor]) => [major + minor, major + minor, *minor],
        ("capsule", [r, length]) => [*r, *r, length / 2.0 + r],
        ("cone", [r, height]) => [*r, *r, 0.75 * height],
        ("rod", [length]) => [0.0, 0.0, length / 2.0],
        _ => return None,
    };
    let ball = matches!(shape.solid, "sphere" | "shell");
    let radius = if ball { half[0] } else { super::motion::length(&half) };
    Some(Solid { at, half, radius, round: ball || shape.turned.is_some() })
}

/// All planes in the world that something can touch.
pub fn planes(model: &Model, parameters: &[f64]) -> Vec<Plane> {
    let Some(contacts) = &model.contacts else { return Vec::new() };
    let half_spaces = contacts.shapes.iter().filter(|shape| shape.solid == HALF_SPACE);
    let plane = |shape: &ContactShape| {
        let thing = &contacts.things[shape.thing];
        let sizes: Option<Vec<Vec<f64>>> = values(model, shape.sizes.clone(), parameters).into_iter().collect();
        let [x, y, z, offset] = sizes?.concat().try_into().ok()?;
        let steep = super::motion::length(&[x, y, z]);
        let fixed = thing.frame == model::WORLD && steep > 0.0;
        fixed.then(|| Plane { name: thing.name.clone(), normal: [x, y, z].map(|n| n / steep), offset: offset / steep })
    };
    half_spaces.filter_map(plane).collect()
}

impl Plane {
    /// How far something at a place is above it, if it reaches so far along a direction.
    pub fn gap(&self, place: &[f64], reach: impl Fn([f64; 3]) -> f64) -> f64 {
        let height: f64 = (0..3).map(|k| self.normal[k] * place[k]).sum::<f64>() + self.offset;
        height - reach(self.normal.map(|n| -n))
    }
}

/// The columns of terms that depend on parameters only; none for others.
fn values(model: &Model, terms: Vec<model::TermId>, parameters: &[f64]) -> Vec<Option<Vec<f64>>> {
    let mut model = model.clone();
    model.outputs = terms.into_iter().map(|term| Output { name: String::new(), term }).collect();
    let formulated = mechanics::formulate(&model, mechanics::Options::default(), &mut Diagnostics::default());
    let Some(system) = formulated else { return vec![None; model.outputs.len()] };
    let point: Point = system.parameters.iter().map(|it| it.symbol).zip(parameters.iter().copied()).collect();
    let value = |value: expr::Expr| {
        let known = system.arena.symbols_in(&[value]).iter().all(|symbol| point.contains_key(symbol));
        known.then(|| evaluate(&system.arena, value, &point))
    };
    system.outputs.iter().map(|output| output.columns.iter().map(|(_, column)| value(*column)).collect()).collect()
}
