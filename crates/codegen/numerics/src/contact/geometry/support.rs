//! Support functions: how far a shape reaches in a direction from its centre, h(m) = max of m·r. They are homogeneous, so that m need not be of
//! length one.

use super::{
    FAR, ShapeKind,
    place::turned_back,
    tables::{Part, Tables},
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, FunctionId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// `(shape: integer, m_x, m_y, m_z) -> real`: how far the shape reaches from its centre along m, a vector in the world.
pub fn support(module: &mut ModuleBuilder, tables: &Tables) -> FunctionId {
    let parameters = [("shape", Integer), ("m_x", Real), ("m_y", Real), ("m_z", Real)];
    let support = module.declare("shape_support", &parameters, &[Real]);
    module.describe(support, "How far a shape reaches from its centre in a direction.");
    module.define(support, |f| {
        let [shape, x, y, z] = f.parameters();
        let m = turned_back(tables.poses, shape * 12, &Plain::of(&[x, y, z])).keep(f, "m");
        let size = Plain::load(f, "size", tables.sizes, shape * 3);
        let kinds = ShapeKind::Surface as usize + 1;
        f.switch(
            tables.kinds.at(shape),
            kinds,
            |f, kind| {
                let reach = if kind == ShapeKind::Hull as usize {
                    farthest_vertex(f, tables, shape.get(), &m)
                } else {
                    closed_form(f, kind, &size, &m)
                };
                f.return_(reach);
            },
            |_| (),
        );
        f.return_(FAR);
    });
    support
}

fn closed_form(f: &mut FunctionBuilder, kind: usize, size: &Plain, m: &Plain) -> Expression {
    let ([a, b, c], [x, y, z]) = (size.0.clone(), m.0.clone());
    let across = || x.clone() * x.clone() + y.clone() * y.clone();
    match kind {
        kind if kind == ShapeKind::Sphere as usize => a * m.length(f, "length"),
        kind if kind == ShapeKind::Rod as usize => a * z.abs(),
        kind if kind == ShapeKind::Capsule as usize => a * m.length(f, "length") + b * z.abs(),
        kind if kind == ShapeKind::Box as usize => a * x.abs() + b * y.abs() + c * z.abs(),
        kind if kind == ShapeKind::Cylinder as usize => a * across().sqrt() + b * z.abs(),
        kind if kind == ShapeKind::Cone as usize => {
            let base = a * across().sqrt() - b.clone() * z.clone() * 0.25;
            (b * z * 0.75).keep(f, "apex").max(base.keep(f, "base"))
        }
        kind if kind == ShapeKind::Ellipsoid as usize => {
            Vector([a * x, b * y, c * z]).keep(f, "stretched").length(f, "h")
        }
        kind if kind == ShapeKind::Torus as usize => a * across().sqrt() + b * m.length(f, "length"),
        // Half-spaces reach for ever, but for the direction of their normal, which their callers know of.
        _ => FAR.into(),
    }
}

fn farthest_vertex(f: &mut FunctionBuilder, tables: &Tables, shape: Expression, m: &Plain) -> Expression {
    let largest = f.real("largest", -FAR);
    let first = f.integer("first", tables.solids.first(Part::Vertices, &shape));
    f.for_each("k", 0, tables.solids.count(Part::Vertices, &shape), |f, k| {
        let vertex = Plain::load(f, "vertex", tables.solids.vertices, (first + k) * 3);
        f.assign(largest, largest.max(vertex.dot(m)));
    });
    largest.get()
}
