//! What a picture of the scene needs: numbers that change with the state, where each thing's numbers begin, curves and surfaces.

use expr::{Expr, SymbolId};

/// Everything is in the order in which the scene has it; places are indices into `values`.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    pub values: Vec<Expr>,
    /// Every frame but the world.
    pub frames: Vec<FramePlace>,
    /// Position of the offset, where there is one, then points and sizes.
    pub figures: Vec<FigurePlace>,
    /// Where each camera is, and what it looks at.
    pub cameras: Vec<[usize; 2]>,
    /// The position of each thing that is traced.
    pub traces: Vec<usize>,
    /// Of each actuator: the place of its joint, then what it exerts as a vector.
    pub actuators: Vec<usize>,
    /// The centre of mass, where anything has a mass.
    pub centre: Option<usize>,
    pub curves: Vec<Curve>,
    pub surfaces: Vec<Surface>,
}

#[derive(Clone, Copy, Debug)]
pub struct FramePlace {
    /// Position, then unit quaternion w, x, y, z, both in the world.
    pub pose: usize,
    /// Stretch along the frame's own axes, where there is any.
    pub scale: Option<usize>,
    /// Of a body: velocity, applied force, force of constraints and joints.
    pub vectors: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
pub struct FigurePlace {
    /// Three numbers, in the frame's axes.
    pub offset: Option<usize>,
    /// Unit quaternion w, x, y, z in the frame.
    pub turned: Option<usize>,
    pub sizes: usize,
    pub count: usize,
}

/// A point that runs along a curve as the parameter goes from one value to another.
#[derive(Clone, Debug)]
pub struct Curve {
    pub parameter: SymbolId,
    pub from: Expr,
    pub to: Expr,
    pub point: [Expr; 3],
    /// Where the radius of the tube stands among the values.
    pub radius: usize,
}

/// Where the residual is zero, in a cube of some size around the origin of its coordinates.
#[derive(Clone, Debug)]
pub struct Surface {
    pub coordinates: [SymbolId; 3],
    pub residual: Expr,
    pub size: Expr,
    /// Where the size stands among the values.
    pub place: usize,
}
