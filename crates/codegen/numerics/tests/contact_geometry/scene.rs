//! Scenes of two or more shapes, moved by hand, with the kernel functions called as a simulation would.

use crate::bench::{Bench, on_every_machine, on_fastest_machine};
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, FunctionId, ModuleBuilder, Term, Value};
use numerics::contact::{Bodies, Geometry, HullTable, MOVES, Pairs, Points, ShapeKind, Shapes, geometry};

pub type Vector = [f64; 3];

pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn times(a: Vector, s: f64) -> Vector {
    a.map(|entry| entry * s)
}

pub fn minus(a: Vector, b: Vector) -> Vector {
    add(a, times(b, -1.0))
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Rows of a rotation.
pub type Axes = [Vector; 3];

pub const STRAIGHT: Axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

pub fn turn(axes: Axes, v: Vector) -> Vector {
    axes.map(|row| dot(row, v))
}

pub fn turn_back(axes: Axes, v: Vector) -> Vector {
    [0, 1, 2].map(|k| axes[0][k] * v[0] + axes[1][k] * v[1] + axes[2][k] * v[2])
}

pub fn product(a: Axes, b: Axes) -> Axes {
    let column = |k: usize| turn(a, [b[0][k], b[1][k], b[2][k]]);
    let columns = [column(0), column(1), column(2)];
    [0, 1, 2].map(|row| columns.map(|column| column[row]))
}

/// The rotation by a vector: its length is the angle.
pub fn rotation(by: Vector) -> Axes {
    let angle = length(by);
    if angle == 0.0 {
        return STRAIGHT;
    }
    let (axis, sine, cosine) = (times(by, 1.0 / angle), libm::sin(angle), libm::cos(angle));
    [0, 1, 2].map(|row| {
        let along = times(axis, axis[row] * (1.0 - cosine));
        let unit = STRAIGHT[row];
        add(add(times(unit, cosine), along), times(cross(unit, axis), sine))
    })
}

#[derive(Clone, Copy, Debug)]
pub struct Pose {
    pub origin: Vector,
    pub axes: Axes,
}

pub const HERE: Pose = Pose { origin: [0.0; 3], axes: STRAIGHT };

impl Pose {
    pub fn at(origin: Vector) -> Pose {
        Pose { origin, axes: STRAIGHT }
    }

    pub fn point(&self, p: Vector) -> Vector {
        add(self.origin, turn(self.axes, p))
    }

    /// This pose inside another.
    pub fn within(&self, outer: &Pose) -> Pose {
        Pose { origin: outer.point(self.origin), axes: product(outer.axes, self.axes) }
    }

    fn numbers(&self) -> Vec<f64> {
        self.origin.into_iter().chain(self.axes.into_iter().flatten()).collect()
    }

    /// After a time of constant velocity and angular velocity.
    pub fn moved(&self, twist: &Twist, time: f64) -> Pose {
        let origin = add(self.origin, times(twist.v, time));
        Pose { origin, axes: product(rotation(times(twist.w, time)), self.axes) }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Twist {
    pub v: Vector,
    pub w: Vector,
}

pub const REST: Twist = Twist { v: [0.0; 3], w: [0.0; 3] };

#[derive(Clone, Debug)]
pub struct Shape {
    pub kind: ShapeKind,
    pub sizes: Vector,
    /// In its frame.
    pub place: Pose,
    pub hull: Option<HullTable>,
}

/// A point that was found.
#[derive(Clone, Debug)]
pub struct Found {
    pub slot: usize,
    pub feature: i64,
    pub gap: f64,
    pub normal: Vector,
    pub point: Vector,
    pub normal_rate: Vector,
    pub point_rate: Vector,
    pub margin: f64,
}

pub struct Scene<'b, 'm> {
    pub bench: &'b mut Bench<'m>,
    arrays: Arrays,
    geometry: Geometry,
}

#[derive(Clone, Copy)]
struct Arrays {
    bodies: Bodies,
    points: Points,
    side: ArrayId,
}

/// Does the same with some shapes, each in a frame of its own, on every machine.
pub fn with_shapes<R>(shapes: &[Shape], pairs: &[[usize; 2]], scenario: impl Fn(&mut Scene) -> R) -> R {
    with_still_shapes(shapes, pairs, &vec![MOVES; shapes.len()], scenario)
}

/// The same where frames are said to move or not.
pub fn with_still_shapes<R>(
    shapes: &[Shape],
    pairs: &[[usize; 2]],
    still: &[i64],
    scenario: impl Fn(&mut Scene) -> R,
) -> R {
    let (module, arrays, geometry) = module_of(shapes, pairs, still);
    on_every_machine(module, |bench| {
        bench.run(geometry.measure);
        scenario(&mut Scene { bench, arrays, geometry })
    })
}

/// Does something with some shapes on the fastest machine alone.
pub fn with_shapes_fast<R>(shapes: &[Shape], pairs: &[[usize; 2]], scenario: impl Fn(&mut Scene) -> R) -> R {
    let (module, arrays, geometry) = module_of(shapes, pairs, &vec![MOVES; shapes.len()]);
    on_fastest_machine(module, |bench| {
        bench.run(geometry.measure);
        scenario(&mut Scene { bench, arrays, geometry })
    })
}

fn module_of(shapes: &[Shape], pairs: &[[usize; 2]], still: &[i64]) -> (ModuleBuilder, Arrays, Geometry) {
    let mut module = ModuleBuilder::new("contact");
    let count = shapes.len();
    let bodies = Bodies {
        count,
        pose: module.real_array("pose", 12 * count, "poses of frames"),
        twist: module.real_array("twist", 6 * count, "twists of frames"),
        still: module.integers("still", still, "what never moves"),
    };
    let sizes: Vec<f64> = shapes.iter().flat_map(|shape| shape.sizes).collect();
    let places: Vec<f64> = shapes.iter().flat_map(|shape| shape.place.numbers()).collect();
    let size_array = module.reals("sizes", &sizes, "sizes of shapes");
    let table = Shapes {
        field: shapes.iter().any(|shape| shape.kind == ShapeKind::Surface).then(|| field(&mut module, size_array)),
        kinds: shapes.iter().map(|shape| shape.kind).collect(),
        frames: (0..count).collect(),
        sizes: size_array,
        places: module.reals("places", &places, "places of shapes"),
        hulls: shapes.iter().map(|shape| shape.hull.clone()).collect(),
    };
    let side = module.reals("side", &vec![1.0; pairs.len()], "sides of half-spaces");
    let points = Points::declare(&mut module, 40);
    let geometry = geometry(&mut module, bodies, &table, &Pairs { shapes: pairs.to_vec(), side }, points);
    (module, Arrays { bodies, points, side }, geometry)
}

/// The surfaces of these scenes: ellipsoids x²/a² + y²/b² + z²/c² = 1; and where c is negative, hills and valleys z = a x² + b y².
fn field(module: &mut ModuleBuilder, sizes: ArrayId) -> FunctionId {
    let parameters = [("shape", Integer), ("x", Real), ("y", Real), ("z", Real)];
    module.function("field", &parameters, &[Real; 10], |f| {
        let [shape, x, y, z] = f.parameters();
        let [a, b, c] = [0, 1, 2].map(|k| f.real("size", sizes.at(shape * 3 + k)));
        let nothing = || [0.0, 0.0, 0.0].map(Into::into);
        f.if_(c.lt(0.0), |f| {
            let value = z - a * x * x - b * y * y;
            let slope = [a * x * -2.0, b * y * -2.0, 1.0.into()];
            let bent = [a * -2.0, b * -2.0, 0.0.into()];
            f.return_([vec![value], slope.to_vec(), bent.to_vec(), nothing().to_vec()].concat());
        });
        let [p, q, r] = [a, b, c].map(|size| f.real("square", 1.0 / (size * size)));
        let value = p * x * x + q * y * y + r * z * z - 1.0;
        let slope = [p * x * 2.0, q * y * 2.0, r * z * 2.0];
        let bent = [p * 2.0, q * 2.0, r * 2.0];
        f.return_([vec![value], slope.to_vec(), bent.to_vec(), nothing().to_vec()].concat());
    })
}

impl Scene<'_, '_> {
    pub fn place(&mut self, poses: &[Pose]) {
        let numbers: Vec<f64> = poses.iter().flat_map(Pose::numbers).collect();
        self.bench.set(self.arrays.bodies.pose, &numbers);
        self.bench.run(self.geometry.place);
    }

    pub fn set_twists(&mut self, twists: &[Twist]) {
        let numbers: Vec<f64> = twists.iter().flat_map(|twist| twist.v.into_iter().chain(twist.w)).collect();
        self.bench.set(self.arrays.bodies.twist, &numbers);
    }

    pub fn set_sides(&mut self, sides: &[f64]) {
        self.bench.set(self.arrays.side, sides);
    }

    pub fn distance(&mut self, pair: usize) -> (f64, Vector) {
        let found = self.bench.reals_of(self.geometry.distance, &[integer(pair)]);
        (found[0], [found[1], found[2], found[3]])
    }

    pub fn gap(&mut self, pair: usize) -> f64 {
        self.bench.reals_of(self.geometry.gap, &[integer(pair)])[0]
    }

    /// Along a direction that is fixed, with 0, or turns with one of the shapes.
    pub fn clearance(&mut self, pair: usize, n: Vector, tau: f64, bend: f64, with: i64) -> f64 {
        let arguments = [integer(pair), n[0].into(), n[1].into(), n[2].into(), tau.into(), bend.into(), with.into()];
        self.bench.reals_of(self.geometry.clearance, &arguments)[0]
    }

    pub fn radius(&mut self, shape: usize) -> f64 {
        self.bench.reals(self.geometry.radius)[shape]
    }

    /// All points of a pair with a gap of at most so much.
    pub fn detect(&mut self, pair: usize, within: f64) -> Vec<Found> {
        self.bench.set_integers(self.arrays.points.found, &[0]);
        self.bench.reals_of(self.geometry.detect, &[integer(pair), within.into()]);
        let count = self.bench.integer(self.arrays.points.found) as usize;
        assert!(count <= self.arrays.points.capacity, "{count} points");
        let first = self.arrays.points.capacity;
        (first..first + count).map(|slot| self.read(slot)).collect()
    }

    /// What is found in a slot now.
    pub fn evaluate(&mut self, slot: usize) -> Found {
        self.bench.reals_of(self.geometry.evaluate, &[integer(slot)]);
        self.read(slot)
    }

    fn read(&mut self, slot: usize) -> Found {
        let margin = self.bench.reals_of(self.geometry.margin, &[integer(slot)])[0];
        let Points { feature, gap, normal, point, normal_rate, point_rate, .. } = self.arrays.points;
        let vector = |array: ArrayId| {
            let numbers = self.bench.reals(array);
            [numbers[3 * slot], numbers[3 * slot + 1], numbers[3 * slot + 2]]
        };
        Found {
            slot,
            feature: self.bench.integers(feature)[slot],
            gap: self.bench.reals(gap)[slot],
            normal: vector(normal),
            point: vector(point),
            normal_rate: vector(normal_rate),
            point_rate: vector(point_rate),
            margin,
        }
    }
}

fn integer(value: usize) -> Value {
    Value::Integer(value as i64)
}
