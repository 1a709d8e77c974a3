//! The nearest points of two segments.

use super::{
    tables::{Part, Tables},
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, FunctionId, ModuleBuilder, Term, Type::Real};

/// `(p, d, q, e) -> (s, t)`: the places on p + s d and q + t e, both from 0 to 1, that are nearest to one another. Segments may be points.
///
/// Ericson, *Real-Time Collision Detection*, section 5.1.9. Where they are parallel the place nearest to the first one's beginning is taken.
pub fn nearest(module: &mut ModuleBuilder) -> FunctionId {
    let names = ["p_x", "p_y", "p_z", "d_x", "d_y", "d_z", "q_x", "q_y", "q_z", "e_x", "e_y", "e_z"];
    let nearest = module.declare("segments_nearest", &names.map(|name| (name, Real)), &[Real; 2]);
    module.describe(nearest, "Where two segments are nearest to one another.");
    module.define(nearest, |f| {
        let locals: [_; 12] = f.parameters();
        let [p, d, q, e] = [0, 3, 6, 9].map(|first| Plain::of(&locals[first..]));
        let from = (p - q).keep(f, "from");
        let dd = d.dot(&d).keep(f, "dd");
        let ee = e.dot(&e).keep(f, "ee");
        let de = d.dot(&e).keep(f, "de");
        let from_d = d.dot(&from).keep(f, "from_d");
        let from_e = e.dot(&from).keep(f, "from_e");
        let product = (dd.clone() * ee.clone()).keep(f, "product");
        let determinant = (product.clone() - de.clone() * de.clone()).keep(f, "determinant");
        let crossing = (de.clone() * from_e.clone() - from_d.clone() * ee.clone()) / determinant.clone();
        let s = f.real("s", determinant.gt(product * 1e-16).select(clamped(crossing), 0.0));
        let t = f.real("t", foot(de.clone() * s + from_e, &ee));
        // Where the second foot is clamped, the first moves to what is nearest to that end.
        f.assign(s, t.le(0.0).or(t.ge(1.0)).select(foot(de * clamped(t.get()) - from_d, &dd), s));
        f.assign(t, clamped(t.get()));
        f.return_((clamped(s.get()), t));
    });
    nearest
}

/// The quotient, or zero for a segment of length zero.
fn foot(along: Expression, square: &Expression) -> Expression {
    square.clone().gt(0.0).select(along / square.clone(), 0.0)
}

fn clamped(x: Expression) -> Expression {
    x.max(0.0).min(1.0)
}

/// Where two segments, from p along d and from q along e, are nearest to one another.
pub fn call(f: &mut FunctionBuilder, nearest: FunctionId, [p, d, q, e]: [&Plain; 4]) -> [Expression; 2] {
    let arguments: Vec<Expression> = [p, d, q, e].into_iter().flat_map(|vector| vector.0.clone()).collect();
    f.call_n::<2>(nearest, arguments).map(Term::get)
}

/// An edge of a shape in the world: where it begins, and how it goes on from there.
pub fn edge(
    f: &mut FunctionBuilder,
    tables: &Tables,
    vertex: FunctionId,
    shape: &Expression,
    edge: &Expression,
) -> [Plain; 2] {
    let place = f.integer("place", (tables.solids.first(Part::Edges, shape) + edge.clone()) * 2);
    let p = Plain::of(&f.call(vertex, (shape, tables.solids.edges.at(place))));
    let end = Plain::of(&f.call(vertex, (shape, tables.solids.edges.at(place + 1))));
    let d = (end - p.clone()).keep(f, "d");
    [p, d]
}

/// Whether a place on a segment is not one of its ends.
pub fn is_inner(place: &Expression) -> Expression {
    place.clone().gt(0.0).and(place.clone().lt(1.0))
}
