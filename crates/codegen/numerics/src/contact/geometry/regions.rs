//! The regions of the parts of a polytope: a face ends at its sides, an edge at its vertices and where its faces begin, a vertex where its edges
//! begin. What is nearest to a part is in its region (Voronoi).

use super::{
    FAR,
    place::{Material, turned},
    tables::{Part, Tables},
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// `(shape, part, x, y, z) -> real`: how far a place in the world, or for edges a direction, is inside the region of a part; [`FAR`] where the part
/// is −1.
#[derive(Clone, Copy)]
pub struct Regions {
    pub face: FunctionId,
    pub edge: FunctionId,
    pub vertex: FunctionId,
}

pub fn regions(module: &mut ModuleBuilder, tables: &Tables, at: &Material) -> Regions {
    Regions {
        face: region(module, "face", |f, shape, part, p| face(f, tables, at, shape, part, p)),
        edge: region(module, "edge", |f, shape, part, p| edge(f, tables, shape, part, p)),
        vertex: region(module, "vertex", |f, shape, part, p| vertex(f, tables, at, shape, part, p)),
    }
}

fn region(
    module: &mut ModuleBuilder,
    name: &str,
    body: impl Fn(&mut FunctionBuilder, Expression, LocalId, Plain) -> Expression,
) -> FunctionId {
    let parameters = [("shape", Integer), ("part", Integer), ("x", Real), ("y", Real), ("z", Real)];
    module.function(&format!("inside_{name}"), &parameters, &[Real], |f| {
        let [shape, part, x, y, z] = f.parameters();
        f.if_(part.lt(0), |f| f.return_(FAR));
        let inside = body(f, shape.get(), part, Plain::of(&[x, y, z]));
        f.return_(inside);
    })
}

/// The least distance to the sides of a face, all of which have the face on their left.
fn face(
    f: &mut FunctionBuilder,
    tables: &Tables,
    at: &Material,
    shape: Expression,
    part: LocalId,
    p: Plain,
) -> Expression {
    let solids = &tables.solids;
    let face = f.integer("face", solids.first(Part::Faces, &shape) + part);
    let n = world_normal(f, tables, &shape, face.get());
    let (first, count) =
        (f.integer("first", solids.faces.at(face * 2)), f.integer("count", solids.faces.at(face * 2 + 1)));
    let least = f.real("least", FAR);
    f.for_each("k", 0, count, |f, k| {
        let next = f.integer("next", (k + 1).lt(count).select(k + 1, 0));
        let from = at.vertex(f, &shape, solids.corners.at(first + k));
        let to = at.vertex(f, &shape, solids.corners.at(first + next));
        let side = (to - from.clone()).keep(f, "side");
        let length = side.length(f, "length");
        let inwards = n.cross(&side).keep(f, "inwards");
        f.assign(least, least.min(inwards.dot(&(p.clone() - from)) / length));
    });
    least.get()
}

/// How far a direction across an edge is from those of its two faces, between which it should be.
fn edge(f: &mut FunctionBuilder, tables: &Tables, shape: Expression, part: LocalId, way: Plain) -> Expression {
    let solids = &tables.solids;
    let place = f.integer("place", (solids.first(Part::Edges, &shape) + part) * 2);
    f.if_(solids.edge_faces.at(place).lt(0), |f| f.return_(FAR));
    let faces = f.integer("faces", solids.first(Part::Faces, &shape));
    let n = world_normal(f, tables, &shape, solids.edge_faces.at(place) + faces);
    let m = world_normal(f, tables, &shape, solids.edge_faces.at(place + 1) + faces);
    let cosine = n.dot(&m).keep(f, "cosine");
    let sine = (1.0 - cosine.clone() * cosine.clone()).sqrt();
    let (along_n, along_m) = (n.dot(&way).keep(f, "along_n"), m.dot(&way).keep(f, "along_m"));
    let from_m = along_n.clone() - cosine.clone() * along_m.clone();
    let from_n = along_m - cosine * along_n;
    from_m.min(from_n) / sine
}

/// How far a place is behind a vertex, seen along each of its edges.
fn vertex(
    f: &mut FunctionBuilder,
    tables: &Tables,
    at: &Material,
    shape: Expression,
    part: LocalId,
    p: Plain,
) -> Expression {
    let solids = &tables.solids;
    let first = f.integer("first", solids.first(Part::Edges, &shape));
    let here = at.vertex(f, &shape, part);
    let way = (p - here.clone()).keep(f, "way");
    let least = f.real("least", FAR);
    f.for_each("k", 0, solids.count(Part::Edges, &shape), |f, k| {
        let (from, to) = (solids.edges.at((first + k) * 2), solids.edges.at((first + k) * 2 + 1));
        let (from, to) = (f.integer("from", from), f.integer("to", to));
        let other = f.integer("other", from.eq_(part).select(to, from));
        f.if_(from.eq_(part).or(to.eq_(part)).and(from.ne_(to)), |f| {
            let edge = (at.vertex(f, &shape, other) - here.clone()).keep(f, "edge");
            let length = edge.length(f, "length");
            f.assign(least, least.min(-(way.dot(&edge) / length)));
        });
    });
    least.get()
}

/// The normal of a face, counted through all shapes, in the world.
pub fn world_normal(f: &mut FunctionBuilder, tables: &Tables, shape: &Expression, face: Expression) -> Plain {
    let own = Plain::load(f, "own", tables.solids.normals, face * 3);
    turned(tables.poses, shape.clone() * 12, &own).keep(f, "n")
}
