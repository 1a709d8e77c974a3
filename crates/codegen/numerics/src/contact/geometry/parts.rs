//! The parts that the surfaces of convex shapes are made of, and where they are farthest in a direction.
//!
//! A part is a vertex, a circle or an ellipsoid, each of which has one farthest point in almost every direction; or it is a line (an edge, the side
//! of a cylinder) or the side of a cone, which are touched in the directions n·a = k only, along the whole of a line.

use super::{
    FAR, ShapeKind,
    dual::{Dual, Moving},
    place::{Material, axis_z, turned, turned_back},
    regions::world_normal,
    segments,
    tables::{Part, Tables},
    vector::{Plain, Scalar, Vector},
};
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real,
};

/// What a part is; also the last digit, of [`BASE`], of the number of a part.
pub const VERTEX: usize = 0;
pub const CIRCLE: usize = 1;
pub const ELLIPSOID: usize = 2;
pub const LINE: usize = 3;
pub const CONE: usize = 4;
pub const BASE: usize = 8;
pub const BASE_BITS: i64 = 3;

#[derive(Clone, Copy)]
pub struct Parts {
    /// Cosines, then sines, at the points of a circle.
    pub round: ArrayId,
    /// `(shape, m_x, m_y, m_z) -> (x, y, z, kind, index)`: the farthest point of the core along m in the world, and the part that it is on.
    pub farthest: FunctionId,
    /// `(shape, kind, m, rates, moves) -> (x, y, z, rates)`: where a part is farthest, from its centre; with the rates of m, and of the shape if it
    /// moves. Nothing for vertices, lines and cones.
    pub reach: FunctionId,
    /// `(shape, i) -> (x, y, z)`: the normal of a face, cap or base, in the world.
    pub normal: FunctionId,
    /// `(shape, i) -> (x, y, z, kind)`: the vertices and round parts, with their centres.
    pub end: FunctionId,
    /// `(shape, i) -> (a_x, a_y, a_z, k)`: the directions n·a = k in which an edge or side is touched.
    pub family: FunctionId,
}

pub fn parts(module: &mut ModuleBuilder, tables: &Tables, at: Material, round: ArrayId) -> Parts {
    Parts {
        round,
        farthest: farthest(module, tables, at),
        end: end(module, tables, at),
        reach: reach(module, tables, at),
        normal: module.function("part_normal", &[("shape", Integer), ("i", Integer)], &[Real; 3], |f| {
            let [shape, i] = f.parameters();
            f.if_(tables.solids.count(Part::Faces, shape).gt(0), |f| {
                let n = world_normal(f, tables, &shape.get(), tables.solids.first(Part::Faces, shape) + i);
                f.return_(n.0);
            });
            // Caps look against the axis first, then along it.
            let n = axis_z(f, "axis", tables, &shape.get()).times(i.to_real() * 2.0 - 1.0);
            f.return_(n.0);
        }),
        family: family(module, tables, at),
    }
}

fn is_kind(tables: &Tables, shape: &Expression, kind: ShapeKind) -> Expression {
    tables.kinds.at(shape).eq_(kind as usize)
}

/// How many faces, caps and bases a shape has.
pub fn planes(tables: &Tables, shape: &Expression) -> Expression {
    let caps =
        is_kind(tables, shape, ShapeKind::Cylinder).to_real() * 2.0 + is_kind(tables, shape, ShapeKind::Cone).to_real();
    tables.solids.count(Part::Faces, shape) + caps.to_integer()
}

/// How many directions of edges and sides a shape has.
pub fn families(tables: &Tables, shape: &Expression) -> Expression {
    let sides = is_kind(tables, shape, ShapeKind::Cylinder).or(is_kind(tables, shape, ShapeKind::Cone));
    tables.solids.count(Part::Directions, shape) + sides
}

/// The sine of the angle at the apex of a cone is that between the normal of its side and its axis.
pub fn slope(f: &mut FunctionBuilder, tables: &Tables, shape: &Expression) -> Expression {
    let [radius, height, _] = Plain::load(f, "size", tables.sizes, shape.clone() * 3).0;
    let length = (radius.clone() * radius.clone() + height.clone() * height).root(f, "length");
    is_kind(tables, shape, ShapeKind::Cone).select(radius / length, 0.0).keep(f, "slope")
}

fn family(module: &mut ModuleBuilder, tables: &Tables, at: Material) -> FunctionId {
    module.function("part_family", &[("shape", Integer), ("i", Integer)], &[Real; 4], |f| {
        let [shape, i] = f.parameters();
        let shape = shape.get();
        f.if_(tables.solids.count(Part::Directions, &shape).gt(0), |f| {
            let edge = tables.solids.directions.at(tables.solids.first(Part::Directions, &shape) + i);
            let [_, d] = segments::edge(f, tables, at.vertex, &shape, &edge);
            let length = d.length(f, "length");
            let a = d.over(length);
            f.return_([a.0[0].clone(), a.0[1].clone(), a.0[2].clone(), 0.0.into()]);
        });
        let a = axis_z(f, "a", tables, &shape);
        let k = slope(f, tables, &shape);
        f.return_([a.0[0].clone(), a.0[1].clone(), a.0[2].clone(), k]);
    })
}

/// How many vertices and round parts there are.
pub fn ends(tables: &Tables, shape: &Expression) -> Expression {
    let vertices = tables.solids.count(Part::Vertices, shape);
    let two = is_kind(tables, shape, ShapeKind::Cylinder).or(is_kind(tables, shape, ShapeKind::Cone));
    vertices.clone().gt(0).select(vertices, two + 1)
}

fn end(module: &mut ModuleBuilder, tables: &Tables, at: Material) -> FunctionId {
    module.function("part_end", &[("shape", Integer), ("i", Integer)], &[Real, Real, Real, Integer], |f| {
        let [shape, i] = f.parameters();
        f.if_(tables.solids.count(Part::Vertices, shape).gt(0), |f| {
            let [x, y, z] = at.vertex(f, &shape.get(), i).0;
            f.return_((x, y, z, VERTEX));
        });
        let shape = shape.get();
        let height = f.real("height", tables.sizes.at(shape.clone() * 3 + 1));
        let is_cone = f.integer("is_cone", is_kind(tables, &shape, ShapeKind::Cone));
        let is_cylinder = is_kind(tables, &shape, ShapeKind::Cylinder);
        let is_cylinder = f.integer("is_cylinder", is_cylinder);
        let on_cone = is_cone.select(height * (i.to_real() - 0.25), 0.0);
        let z = is_cylinder.select(height * (i.to_real() * 2.0 - 1.0), on_cone).keep(f, "z");
        let [x, y, z] =
            (Plain::load(f, "origin", tables.poses, shape.clone() * 12) + axis_z(f, "axis", tables, &shape).times(z)).0;
        let on_cone = is_cone.select(i.eq_(0).select(CIRCLE, VERTEX), ELLIPSOID);
        f.return_((x, y, z, is_cylinder.select(CIRCLE, on_cone)));
    })
}

fn farthest(module: &mut ModuleBuilder, tables: &Tables, at: Material) -> FunctionId {
    let parameters = [("shape", Integer), ("m_x", Real), ("m_y", Real), ("m_z", Real)];
    let results = [Real, Real, Real, Integer, Integer];
    module.function("part_farthest", &parameters, &results, |f| {
        let [shape, x, y, z] = f.parameters();
        let (shape, m) = (shape.get(), Plain::of(&[x, y, z]));
        f.if_(tables.solids.count(Part::Vertices, &shape).gt(0), |f| farthest_vertex(f, tables, at, &shape, &m));
        let own = turned_back(tables.poses, shape.clone() * 12, &m).keep(f, "own");
        let size = Plain::load(f, "size", tables.sizes, shape.clone() * 3);
        let [radius, height, _] = size.0.clone();
        let across = (own.0[0].clone() * own.0[0].clone() + own.0[1].clone() * own.0[1].clone()).root(f, "across");
        let factor = across.clone().gt(0.0).select(radius.clone() / across.clone(), 0.0).keep(f, "factor");
        let rim = |z: Expression| Vector([own.0[0].clone() * factor.clone(), own.0[1].clone() * factor.clone(), z]);
        let give = |f: &mut FunctionBuilder, point: Plain, kind: usize, index: Expression| {
            let point = point.keep(f, "point");
            let origin = Plain::load(f, "origin", tables.poses, shape.clone() * 12);
            let [x, y, z] = (origin + turned(tables.poses, shape.clone() * 12, &point)).0;
            f.return_((x, y, z, kind, index));
        };
        f.if_(is_kind(tables, &shape, ShapeKind::Cylinder), |f| {
            let upper = f.integer("upper", own.0[2].clone().ge(0.0));
            give(f, rim(upper.select(height.clone(), -height.clone())), CIRCLE, upper.get());
        });
        f.if_(is_kind(tables, &shape, ShapeKind::Cone), |f| {
            let apex = (height.clone() * own.0[2].clone()).gt(radius.clone() * across.clone());
            f.if_(apex, |f| {
                give(f, Vector([0.0.into(), 0.0.into(), height.clone() * 0.75]), VERTEX, 0.into());
            });
            give(f, rim(height.clone() * -0.25), CIRCLE, 0.into());
        });
        let stretched = Vector([0, 1, 2].map(|k| own.0[k].clone() * size.0[k].clone())).keep(f, "stretched");
        let h = stretched.length(f, "h");
        let point = Vector([0, 1, 2].map(|k| stretched.0[k].clone() * size.0[k].clone() / h.clone()));
        give(f, point, ELLIPSOID, 0.into());
    })
}

fn farthest_vertex(f: &mut FunctionBuilder, tables: &Tables, at: Material, shape: &Expression, m: &Plain) {
    let (best, largest) = (f.integer("best", 0), f.real("largest", -FAR));
    f.for_each("k", 0, tables.solids.count(Part::Vertices, shape), |f, k| {
        let vertex = at.vertex(f, shape, k);
        let along = f.real("along", vertex.dot(m));
        f.if_(along.gt(largest), |f| {
            f.assign(largest, along);
            f.assign(best, k);
        });
    });
    let [x, y, z] = at.vertex(f, shape, best).0;
    f.return_((x, y, z, VERTEX, best));
}

fn reach(module: &mut ModuleBuilder, tables: &Tables, at: Material) -> FunctionId {
    let parameters = [
        ("shape", Integer),
        ("kind", Integer),
        ("m_x", Real),
        ("m_y", Real),
        ("m_z", Real),
        ("m_x_rate", Real),
        ("m_y_rate", Real),
        ("m_z_rate", Real),
        ("moves", Real),
    ];
    module.function("part_reach", &parameters, &[Real; 6], |f| {
        let parameters: [_; 9] = f.parameters();
        let [shape, kind] = [parameters[0].get(), parameters[1].get()];
        let m = Moving::of(&parameters[2..8]);
        let moves = parameters[8];
        let frame = tables.frames.at(&shape);
        let axes = [0, 1, 2].map(|column| {
            let own = [0, 1, 2].map(|row| tables.places.at(shape.clone() * 12 + (3 + 3 * row + column)));
            let axis = at.direction(f, &frame, &Vector(own));
            Vector(axis.0.map(|entry| Dual { value: entry.value, rate: entry.rate * moves })).keep(f, "axis")
        });
        let size = Plain::load(f, "size", tables.sizes, shape * 3);
        let along = [0, 1, 2].map(|k| axes[k].dot(&m).keep(f, "along"));
        f.if_(kind.clone().eq_(CIRCLE), |f| {
            let square = along[0].clone() * along[0].clone() + along[1].clone() * along[1].clone();
            let factor = Dual::from(size.0[0].clone()) / square.root(f, "across");
            let factor = factor.keep(f, "factor");
            let factors = [0, 1].map(|k| (along[k].clone() * factor.clone()).keep(f, "part"));
            let point = axes[0].times(factors[0].clone()) + axes[1].times(factors[1].clone());
            f.return_(point.rate().after(point.value().0));
        });
        f.if_(kind.eq_(ELLIPSOID), |f| {
            let stretched = Vector([0, 1, 2].map(|k| along[k].clone() * size.0[k].clone().into())).keep(f, "stretched");
            let h = stretched.length(f, "h");
            let factors = [0, 1, 2].map(|k| stretched.0[k].clone() * size.0[k].clone().into() / h.clone());
            let factors = factors.map(|factor| factor.keep(f, "part"));
            let [x, y, z] = [0, 1, 2].map(|k| axes[k].times(factors[k].clone()));
            let point = x + y + z;
            f.return_(point.rate().after(point.value().0));
        });
        f.return_([0.0; 6]);
    })
}

impl Parts {
    /// The centre of a part, and its kind.
    pub fn end(&self, f: &mut FunctionBuilder, shape: &Expression, i: LocalId) -> (Plain, Expression) {
        let found = f.call(self.end, (shape, i));
        (Plain::of(&found), found[3].get())
    }

    pub fn farthest(&self, f: &mut FunctionBuilder, shape: &Expression, m: &Plain) -> (Plain, Expression, Expression) {
        let found = f.call(self.farthest, m.after([shape.clone()]));
        (Plain::of(&found), found[3].get(), found[4].get())
    }

    /// Where a part is farthest from its centre.
    pub fn reach(&self, f: &mut FunctionBuilder, shape: &Expression, kind: &Expression, m: &Moving) -> Moving {
        self.reached(f, shape, kind, m, 1.0)
    }

    /// How the farthest point of a part moves where the direction does: the Hessian of how far it reaches, times the change.
    pub fn bend(&self, f: &mut FunctionBuilder, shape: &Expression, kind: &Expression, m: &Plain, by: &Plain) -> Plain {
        let m = Vector([0, 1, 2].map(|k| Dual { value: m.0[k].clone(), rate: by.0[k].clone() }));
        self.reached(f, shape, kind, &m, 0.0).rate()
    }

    fn reached(
        &self,
        f: &mut FunctionBuilder,
        shape: &Expression,
        kind: &Expression,
        m: &Moving,
        moves: f64,
    ) -> Moving {
        let mut arguments = m.value().after([shape.clone(), kind.clone()]);
        arguments.extend(m.rate().0);
        arguments.push(moves.into());
        Moving::of(&f.call(self.reach, arguments))
    }
}
