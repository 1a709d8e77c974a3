//! The figures of a scene as solids: which there are, and where each is at an instant.

use ansatz::Scene;
use driver::FigurePlace;
use formats::Turn;
use formats::solid::{self, Solid};
use model::{Figure, rgb};

/// Figures that have no colour of their own take turns, as in the studio.
const PALETTE: [&str; 6] = ["steelblue", "tomato", "goldenrod", "seagreen", "orchid", "slategray"];

/// A figure that is a solid.
pub struct Thing<'a> {
    pub name: String,
    pub kind: &'static str,
    /// Of unit size where it is stretched to its sizes, else as it is at the start.
    pub solid: Solid,
    /// Red, green, blue, and how much of what is behind it is covered; all from 0 to 1.
    pub color: [f64; 4],
    figure: &'a Figure,
    place: &'a FigurePlace,
    /// For a size that nobody wrote.
    default: f64,
}

/// Where a solid is: it is stretched, then turned, then moved.
#[derive(Clone, Copy)]
pub struct Placement {
    pub position: [f64; 3],
    pub turn: Turn,
    pub scale: [f64; 3],
}

impl Placement {
    /// A point of the solid, in the world.
    pub fn point(&self, corner: [f64; 3]) -> [f64; 3] {
        let turned = self.turn.apply(std::array::from_fn(|at| corner[at] * self.scale[at]));
        std::array::from_fn(|at| self.position[at] + turned[at])
    }
}

/// All figures that are solids, and what the others are called. Needs: compiled with a picture; what that has at the start.
pub fn things<'a>(scene: &'a Scene, first: &[f64]) -> (Vec<Thing<'a>>, Vec<String>) {
    let stages = scene.stages();
    let (model, picture) = (&stages.model, &stages.system.picture);
    let extent = extent(scene, first);
    let (mut things, mut left_out) = (Vec::new(), Vec::new());
    for (at, (figure, place)) in model.picture.figures.iter().zip(&picture.figures).enumerate() {
        let kind = figure.row.name;
        let default = extent / if kind == "rod" { 100.0 } else { 20.0 };
        let name = format!("{} {kind} {}", model.frame(figure.frame).name, at + 1);
        let Some(solid) = shape(kind, &sizes(figure, place, default, first)) else {
            left_out.push(kind.to_string());
            continue;
        };
        let [red, green, blue] =
            rgb(figure.look.color.as_deref().unwrap_or(PALETTE[at % PALETTE.len()])).unwrap_or([0.7; 3]);
        let color = [red, green, blue, figure.look.opacity];
        things.push(Thing { name, kind, solid, color, figure, place, default });
    }
    (things, left_out)
}

impl Thing<'_> {
    /// Whether it leads from one point to another, wherever these are.
    fn is_between(&self) -> bool {
        matches!(self.kind, "rod" | "arrow" | "coil")
    }

    /// The place among all frames of the one that it is fixed to; none if that is the world, or if it is between two points.
    pub fn carrier(&self) -> Option<usize> {
        Some(self.figure.frame.index()).filter(|&at| at > 0 && !self.is_between())
    }

    /// Where it is in a picture.
    pub fn placement(&self, scene: &Scene, picture: &[f64]) -> Placement {
        let sizes = sizes(self.figure, self.place, self.default, picture);
        if self.is_between() {
            return between(&sizes);
        }
        let frames = &scene.stages().system.picture.frames;
        let frame = self.carrier().map(|at| frames[at - 1]);
        let own = self.place.turned.map_or(Turn::NONE, |at| Turn(four(picture, at)));
        let offset = self.place.offset.map_or([0.0; 3], |at| three(picture, at));
        let (origin, outer) =
            frame.map_or(([0.0; 3], Turn::NONE), |it| (three(picture, it.pose), Turn(four(picture, it.pose + 3))));
        let stretch = frame.and_then(|it| it.scale).map_or([1.0; 3], |at| three(picture, at));
        let moved = outer.apply(offset);
        let along = Turn::of_z_axis(self.figure.along).unwrap_or(Turn::NONE);
        Placement {
            position: std::array::from_fn(|at| origin[at] + moved[at] * stretch[at]),
            turn: outer.then(own).then(along),
            scale: scaled(self.kind, &sizes),
        }
    }
}

/// A size of zero that nobody wrote is left to whoever draws.
fn sizes(figure: &Figure, place: &FigurePlace, default: f64, picture: &[f64]) -> Vec<f64> {
    let given = &picture[place.sizes..place.sizes + place.count];
    let open =
        |at: usize, size: f64| figure.implied && figure.row.name != "hull" && at + 1 == given.len() && size == 0.0;
    given.iter().enumerate().map(|(at, &size)| if open(at, size) { default } else { size }).collect()
}

fn shape(kind: &str, sizes: &[f64]) -> Option<Solid> {
    Some(match kind {
        "sphere" | "ellipsoid" => solid::ball(),
        "box" | "plane" => solid::cube(),
        "cylinder" | "rod" | "arrow" | "coil" => solid::cylinder(),
        "cone" => solid::cone(),
        "capsule" => solid::capsule(sizes[1] / sizes[0]),
        "hull" => solid::hull(sizes)?,
        "torus" => solid::torus(1.0, sizes[1] / sizes[0]),
        "ring" => solid::torus(1.0 - sizes[1] / sizes[0] / 2.0, sizes[1] / sizes[0] / 2.0),
        _ => return None,
    })
}

fn scaled(kind: &str, sizes: &[f64]) -> [f64; 3] {
    match (kind, sizes) {
        ("box" | "ellipsoid", &[x, y, z]) => [x, y, z],
        ("cylinder" | "cone", &[radius, height]) => [radius, radius, height],
        ("hull", _) => [1.0; 3],
        // A sheet, just thick enough to be seen from both sides.
        ("plane", &[size]) => [size, size, size * 1e-4],
        _ => [sizes[0]; 3],
    }
}

/// A cylinder from one point to another.
fn between(sizes: &[f64]) -> Placement {
    let (from, to, radius) = (three(sizes, 0), three(sizes, 3), sizes[6]);
    let along: [f64; 3] = std::array::from_fn(|at| to[at] - from[at]);
    let length = along.iter().map(|part| part * part).sum::<f64>().sqrt();
    Placement {
        position: std::array::from_fn(|at| (from[at] + to[at]) / 2.0),
        turn: Turn::of_z_axis(along).unwrap_or(Turn::NONE),
        scale: [radius, radius, length],
    }
}

/// How far frames are apart at the start.
fn extent(scene: &Scene, picture: &[f64]) -> f64 {
    let places = scene.stages().system.picture.frames.iter().map(|frame| three(picture, frame.pose));
    places.flatten().fold(0.5, |extent: f64, part| extent.max(part.abs()))
}

pub fn three(values: &[f64], at: usize) -> [f64; 3] {
    [values[at], values[at + 1], values[at + 2]]
}

pub fn four(values: &[f64], at: usize) -> [f64; 4] {
    [values[at], values[at + 1], values[at + 2], values[at + 3]]
}
