//! What to look at: figures, curves, surfaces, cameras, lights and traces, with every size a term that may change while the scene moves.

use base::Span;

use crate::model::FrameId;
use crate::term::{BoundId, TermId};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub figures: Vec<Figure>,
    pub curves: Vec<Curve>,
    pub surfaces: Vec<Surface>,
    pub cameras: Vec<Camera>,
    pub lights: Vec<Light>,
    pub traces: Vec<Trace>,
}

/// How a kind of figure is written, and what it means.
#[derive(Debug, PartialEq)]
pub struct FigureRow {
    pub name: &'static str,
    pub arguments: &'static [FigureArgument],
    pub meaning: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureArgument {
    pub name: &'static str,
    pub kind: ArgumentKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgumentKind {
    Length,
    /// A length that need not be given.
    LengthOr(f64),
    /// A plain number that need not be given.
    NumberOr(f64),
    /// A frame, or a position.
    Point,
    /// A function of one number that gives a position.
    Path,
    /// A plain number.
    Number,
    /// The name of a surface.
    Surface,
}

const fn row(name: &'static str, arguments: &'static [FigureArgument], meaning: &'static str) -> FigureRow {
    FigureRow { name, arguments, meaning }
}

const fn length(name: &'static str) -> FigureArgument {
    FigureArgument { name, kind: ArgumentKind::Length }
}

const FROM: FigureArgument = FigureArgument { name: "from", kind: ArgumentKind::Point };
const TO: FigureArgument = FigureArgument { name: "to", kind: ArgumentKind::Point };
const TURNS: FigureArgument = FigureArgument { name: "turns", kind: ArgumentKind::NumberOr(10.0) };
const GAUGE: FigureArgument = FigureArgument { name: "gauge", kind: ArgumentKind::LengthOr(1.2) };
const SCALE: FigureArgument = FigureArgument { name: "scale", kind: ArgumentKind::NumberOr(1.0) };
const PATH: FigureArgument = FigureArgument { name: "path", kind: ArgumentKind::Path };
const SURFACE: FigureArgument = FigureArgument { name: "surface", kind: ArgumentKind::Surface };
const FIRST: FigureArgument = FigureArgument { name: "from", kind: ArgumentKind::Number };
const LAST: FigureArgument = FigureArgument { name: "to", kind: ArgumentKind::Number };

/// Everything that `show` can draw. What has an axis has it along z, unless `along` says otherwise.
#[rustfmt::skip]
pub const FIGURES: &[FigureRow] = &[
    row("sphere",    &[length("radius")],                              "a ball"),
    row("ellipsoid", &[length("a"), length("b"), length("c")],         "an ellipsoid with these semi-axes"),
    row("box",       &[length("x"), length("y"), length("z")],         "a box with these edges"),
    row("cylinder",  &[length("radius"), length("height")],            "a cylinder, centred"),
    row("capsule",   &[length("radius"), length("height")],            "a cylinder with round caps beyond its height"),
    row("cone",      &[length("radius"), length("height")],            "a cone that stands on the origin"),
    row("torus",     &[length("major"), length("minor")],              "a torus"),
    row("ring",      &[length("radius"), length("width")],             "a flat ring with this outer radius"),
    row("wheels",    &[length("radius"), GAUGE],                       "two wheels on an axle, this far apart"),
    row("plane",     &[length("size")],                                "a square floor with a grid"),
    row("axes",      &[length("size")],                                "three arrows along the axes"),
    row("mesh",      &[SCALE],                                         "a glTF file: `show mesh \"car.glb\" on car`"),
    row("rod",       &[FROM, TO, length("radius")],                    "a rod between two frames or positions"),
    row("arrow",     &[FROM, TO, length("radius")],                    "an arrow from one to the other"),
    row("coil",      &[FROM, TO, length("radius"), TURNS],             "a spring between two frames or positions"),
    row("curve",     &[PATH, FIRST, LAST, length("radius")],           "a tube along the positions that a function gives"),
    row("surface",   &[SURFACE, length("size")],                       "a surface, as much of it as is in a cube of this size"),
];

/// What stands for a body with corners: three numbers for each of these.
pub static HULL: FigureRow = row("hull", &[], "a convex solid with these corners");

/// Something to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub row: &'static FigureRow,
    pub frame: FrameId,
    /// Where its own origin is, in the frame; the frame's origin if it is not said.
    pub offset: Option<TermId>,
    /// Where its own z axis points, in the frame: a constant unit vector.
    pub along: [f64; 3],
    /// How it is turned in the frame after that: a unit quaternion.
    pub turned: Option<TermId>,
    /// Positions for points and numbers for the rest, in the order of the row's arguments. A length of zero that nobody wrote
    /// leaves the size to whoever draws.
    pub arguments: Vec<TermId>,
    pub look: Look,
    /// The file of a mesh.
    pub file: Option<String>,
    /// Nobody wrote it: it stands for a body, a frame or a link.
    pub implied: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub color: Option<String>,
    pub opacity: f64,
}

impl Default for Look {
    fn default() -> Look {
        Look { color: None, opacity: 1.0 }
    }
}

/// A tube along `point` as `parameter` goes from `from` to `to`.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub parameter: BoundId,
    pub point: TermId,
    pub from: TermId,
    pub to: TermId,
    pub radius: TermId,
    pub look: Look,
    pub span: Span,
}

/// Where `residual`, a function of the coordinates in a frame, is zero; in a cube of some size around the frame's origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    pub name: String,
    pub frame: FrameId,
    pub coordinates: [BoundId; 3],
    pub residual: TermId,
    pub size: TermId,
    pub look: Look,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    pub name: String,
    /// The frame it moves with.
    pub on: FrameId,
    /// Where it is, in the world.
    pub at: TermId,
    /// What it looks at, in the world.
    pub target: TermId,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    pub name: String,
    /// The direction that it comes from.
    pub from: [f64; 3],
    pub color: Option<String>,
    pub span: Span,
}

/// The path of a frame, or of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    pub frame: Option<FrameId>,
    pub position: TermId,
    pub color: Option<String>,
    pub span: Span,
}
