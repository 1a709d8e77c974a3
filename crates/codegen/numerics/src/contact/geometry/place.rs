//! Where shapes are: their poses in the world, and points that are fixed to them or to frames.

use super::{
    Bodies, FAR, ShapeKind,
    dual::{Dual, Moving},
    tables::{Part, Tables},
    vector::{Plain, Vector},
};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Writes the function that finds what follows from sizes alone.
pub fn measure(module: &mut ModuleBuilder, tables: &Tables) -> FunctionId {
    let measure = module.declare("contact_measure", &[], &[]);
    module.describe(measure, "Radii of all shapes, and what stretches the vertices of their cores.");
    module.define(measure, |f| {
        f.for_each("shape", 0, tables.shape_count, |f, shape| {
            let [a, b, c] = Plain::load(f, "size", tables.sizes, shape * 3).0;
            let kinds = KINDS.len();
            f.switch(
                tables.kinds.at(shape),
                kinds,
                |f, kind| {
                    let sizes = [a.clone(), b.clone(), c.clone()];
                    let Measures { radius, rounding, stretch } = Measures::of(KINDS[kind], sizes);
                    radius.into_iter().for_each(|radius| f.store(tables.radius, shape, radius));
                    f.store(tables.rounding, shape, rounding);
                    Vector(stretch).store(f, tables.stretch, shape * 3);
                },
                |_| (),
            );
            f.if_(tables.kinds.at(shape).eq_(ShapeKind::Hull as usize), |f| hull_radius(f, tables, shape.get()));
        });
    });
    measure
}

/// All kinds, in their order.
const KINDS: [ShapeKind; 11] = [
    ShapeKind::HalfSpace,
    ShapeKind::Sphere,
    ShapeKind::Rod,
    ShapeKind::Capsule,
    ShapeKind::Box,
    ShapeKind::Hull,
    ShapeKind::Cylinder,
    ShapeKind::Cone,
    ShapeKind::Ellipsoid,
    ShapeKind::Torus,
    ShapeKind::Surface,
];

struct Measures {
    /// Nothing where it has to be found from vertices.
    radius: Option<Expression>,
    rounding: Expression,
    stretch: [Expression; 3],
}

impl Measures {
    fn of(kind: ShapeKind, [a, b, c]: [Expression; 3]) -> Measures {
        let zero = || Expression::from(0.0);
        let square = |x: &Expression| x.clone() * x.clone();
        let solid = |radius: Expression, rounding: Expression, stretch: [Expression; 3]| Measures {
            radius: Some(radius),
            rounding,
            stretch,
        };
        match kind {
            ShapeKind::HalfSpace | ShapeKind::Surface => solid(FAR.into(), zero(), [zero(), zero(), zero()]),
            ShapeKind::Sphere => solid(a.clone(), a, [zero(), zero(), zero()]),
            ShapeKind::Rod => solid(a.clone(), zero(), [zero(), zero(), a]),
            ShapeKind::Capsule => solid(a.clone() + b.clone(), a, [zero(), zero(), b]),
            ShapeKind::Box => solid((square(&a) + square(&b) + square(&c)).sqrt(), zero(), [a, b, c]),
            ShapeKind::Hull => {
                Measures { radius: None, rounding: zero(), stretch: [1.0.into(), 1.0.into(), 1.0.into()] }
            }
            ShapeKind::Cylinder => solid((square(&a) + square(&b)).sqrt(), zero(), [a.clone(), a, b]),
            ShapeKind::Cone => {
                let base = (square(&a) + square(&b) * 0.0625).sqrt();
                solid(base.max(b.clone() * 0.75), zero(), [a.clone(), a, b])
            }
            ShapeKind::Ellipsoid => solid(a.clone().max(b.clone().max(c.clone())), zero(), [a, b, c]),
            ShapeKind::Torus => solid(a.clone() + b.clone(), b, [a.clone(), a, zero()]),
        }
    }
}

fn hull_radius(f: &mut FunctionBuilder, tables: &Tables, shape: Expression) {
    let largest = f.real("largest", 0.0);
    let first = f.integer("first", tables.solids.first(Part::Vertices, &shape));
    f.for_each("k", 0, tables.solids.count(Part::Vertices, &shape), |f, k| {
        let vertex = Plain::load(f, "vertex", tables.solids.vertices, (first + k) * 3);
        f.assign(largest, largest.max(vertex.dot(&vertex)));
    });
    f.store(tables.radius, shape, largest.sqrt());
}

/// Writes the function that finds the poses of all shapes in the world.
pub fn place(module: &mut ModuleBuilder, tables: &Tables) -> FunctionId {
    let place = module.declare("contact_place", &[], &[]);
    module.describe(place, "The poses of all shapes in the world, from those of their frames.");
    module.define(place, |f| {
        f.for_each("shape", 0, tables.shape_count, |f, shape| {
            let frame = f.integer("frame", tables.frames.at(shape) * 12);
            let own = Plain::load(f, "origin", tables.places, shape * 12);
            let origin =
                Plain::load(f, "frame_origin", tables.bodies.pose, frame) + turned(tables.bodies.pose, frame, &own);
            origin.store(f, tables.poses, shape * 12);
            for column in 0..3 {
                let axis = Vector([0, 1, 2].map(|row| tables.places.at(shape * 12 + (3 + 3 * row + column))));
                let axis = axis.keep(f, "axis");
                let axis = turned(tables.bodies.pose, frame, &axis);
                for (row, entry) in axis.0.into_iter().enumerate() {
                    f.store(tables.poses, shape * 12 + (3 + 3 * row + column), entry);
                }
            }
        });
    });
    place
}

/// A vector of a frame in the axes outside of it, by the pose that begins at this place of an array.
pub fn turned(poses: ArrayId, pose: impl Into<Expression>, vector: &Plain) -> Plain {
    let pose = pose.into();
    let row = |row: usize| Vector([0, 1, 2].map(|k| poses.at(pose.clone() + (3 + 3 * row + k))));
    Vector([0, 1, 2].map(|k| row(k).dot(vector)))
}

/// A vector from outside of a frame in the axes of the frame.
pub fn turned_back(poses: ArrayId, pose: impl Into<Expression>, vector: &Plain) -> Plain {
    let pose = pose.into();
    let column = |column: usize| Vector([0, 1, 2].map(|k| poses.at(pose.clone() + (3 + 3 * k + column))));
    Vector([0, 1, 2].map(|k| column(k).dot(vector)))
}

/// The z axis of a shape in the world.
pub fn axis_z(f: &mut FunctionBuilder, name: &str, tables: &Tables, shape: &Expression) -> Plain {
    Vector([5, 8, 11].map(|entry| tables.poses.at(shape.clone() * 12 + entry))).keep(f, name)
}

/// The centre of a shape in the world.
pub fn centre(f: &mut FunctionBuilder, name: &str, tables: &Tables, shape: &Expression) -> Plain {
    Plain::load(f, name, tables.poses, shape.clone() * 12)
}

/// Functions for points and directions that are fixed to frames and shapes.
#[derive(Clone, Copy)]
pub struct Material {
    /// `(shape, k) -> (x, y, z)`: a vertex in the world.
    pub vertex: FunctionId,
    /// `(shape, k) -> (x, y, z)`: a vertex in the shape's frame.
    pub own_vertex: FunctionId,
    /// `(frame, x, y, z) -> (x, y, z, rates)`: a point of a frame in the world.
    pub point: FunctionId,
    /// `(frame, x, y, z) -> (x, y, z, rates)`: a direction of a frame in the world.
    pub direction: FunctionId,
}

pub fn material(module: &mut ModuleBuilder, tables: &Tables) -> Material {
    let vertex = |module: &mut ModuleBuilder, name: &str, poses: ArrayId| {
        module.function(name, &[("shape", Integer), ("k", Integer)], &[Real; 3], |f| {
            let [shape, k] = f.parameters();
            let place = f.integer("place", (tables.solids.first(Part::Vertices, shape) + k) * 3);
            let own =
                [0, 1, 2].map(|axis| tables.solids.vertices.at(place + axis) * tables.stretch.at(shape * 3 + axis));
            let own = Vector(own).keep(f, "own");
            let point = Plain::load(f, "origin", poses, shape * 12) + turned(poses, shape * 12, &own);
            f.return_(point.0);
        })
    };
    let function = |module: &mut ModuleBuilder, name: &str, is_point: bool| {
        let parameters = [("frame", Integer), ("x", Real), ("y", Real), ("z", Real)];
        module.function(name, &parameters, &[Real; 6], |f| {
            let [frame, x, y, z] = f.parameters();
            let own = Plain::of(&[x, y, z]);
            let of = if is_point { Carried::Point } else { Carried::Direction };
            let moving = carried(f, tables.bodies, &frame.get(), &own, of);
            f.return_(moving.rate().after(moving.value().0));
        })
    };
    Material {
        vertex: vertex(module, "shape_vertex", tables.poses),
        own_vertex: vertex(module, "shape_vertex_in_frame", tables.places),
        point: function(module, "frame_point", true),
        direction: function(module, "frame_direction", false),
    }
}

/// What is fixed to a frame.
#[derive(Clone, Copy, PartialEq)]
pub enum Carried {
    Point,
    Direction,
}

/// A point or a direction of a frame in the world, without a call.
pub fn carried(f: &mut FunctionBuilder, bodies: Bodies, frame: &Expression, own: &Plain, of: Carried) -> Moving {
    let arm = turned(bodies.pose, frame.clone() * 12, own).keep(f, "arm");
    let w = Plain::load(f, "w", bodies.twist, frame.clone() * 6 + 3);
    let turning = w.cross(&arm);
    let (value, rate) = match of {
        Carried::Direction => (arm, turning),
        Carried::Point => {
            let origin = Plain::load(f, "origin", bodies.pose, frame.clone() * 12);
            (origin + arm, Plain::load(f, "v", bodies.twist, frame.clone() * 6) + turning)
        }
    };
    let parts = value.0.into_iter().zip(rate.0).map(|(value, rate)| Dual { value, rate }).collect::<Vec<Dual>>();
    Vector(<[Dual; 3]>::try_from(parts).expect("three parts"))
}

impl Material {
    /// A vertex in the world.
    pub fn vertex(&self, f: &mut FunctionBuilder, shape: &Expression, k: impl Into<Expression>) -> Plain {
        Plain::of(&f.call(self.vertex, (shape, k)))
    }

    /// A vertex in the shape's frame.
    pub fn own_vertex(&self, f: &mut FunctionBuilder, shape: &Expression, k: impl Into<Expression>) -> Plain {
        Plain::of(&f.call(self.own_vertex, (shape, k)))
    }

    /// A point of a frame, with its velocity.
    pub fn point(&self, f: &mut FunctionBuilder, frame: &Expression, own: &Plain) -> Moving {
        Moving::of(&f.call(self.point, own.after([frame.clone()])))
    }

    /// A direction of a frame, with its rate.
    pub fn direction(&self, f: &mut FunctionBuilder, frame: &Expression, own: &Plain) -> Moving {
        Moving::of(&f.call(self.direction, own.after([frame.clone()])))
    }
}
