//! How far two shapes are apart, and along which direction. One method for each class of pairs, chosen by a table.

use super::{
    FAR,
    axes::Axes,
    detect::Finders,
    place::{axis_z, centre},
    regions::Regions,
    ring::BEST,
    segments,
    surface::Curved,
    tables::{METHODS, Method, Tables},
    vector::{Plain, Vector},
};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// A solid is far from a curved surface if a ball around it is as far as this part of its radius.
const AWAY: f64 = 0.5;

pub struct Calls<'a> {
    pub finders: &'a Finders,
    pub support: FunctionId,
    pub nearest: FunctionId,
    pub vertex: FunctionId,
    pub parts: Option<Parts>,
    pub convex: Option<FunctionId>,
    pub kept: Option<ArrayId>,
    pub seen: Option<ArrayId>,
    pub curved: Option<Curved>,
}

/// What polytopes need, where there are any.
#[derive(Clone, Copy)]
pub struct Parts {
    pub axes: Axes,
    pub proximity: FunctionId,
    pub regions: Regions,
}

/// `(pair: integer) -> (gap, n_x, n_y, n_z)`: see [`Geometry::distance`](super::Geometry::distance).
pub fn distance(module: &mut ModuleBuilder, tables: &Tables, calls: &Calls) -> FunctionId {
    let methods = METHODS.map(|method| {
        let parameters = [("pair", Integer), ("a", Integer), ("b", Integer)];
        tables.is_used[method as usize].then(|| {
            module.function(&format!("distance_{method:?}").to_lowercase(), &parameters, &[Real; 4], |f| match method {
                Method::Plane | Method::PlaneCurved => over_plane(f, tables, calls),
                Method::Segments => between_segments(f, tables, calls),
                Method::Polytopes => between_polytopes(f, tables, calls.parts.expect("there are polytopes")),
                Method::Convex => between_convex(f, calls.convex.expect("there are convex shapes")),
                Method::SphereCurved => of_feature(f, tables, calls, method),
                Method::Ring => of_best(f, tables, calls),
                Method::SolidSurface => over_surface(f, tables, calls),
                Method::SphereSurface => {
                    let [pair, a, b] = f.parameters();
                    let Curved { nearest, .. } = calls.curved.expect("there are surfaces");
                    let [gap, x, y, z] = f.call_n(nearest, (pair, a, b));
                    f.return_((gap, x, y, z));
                }
            })
        })
    });
    let distance = module.declare("contact_distance", &[("pair", Integer)], &[Real; 4]);
    module
        .describe(distance, "How far the shapes of a pair are apart, and the direction from the first to the second.");
    module.define(distance, |f| {
        let [pair] = f.parameters();
        let case = |f: &mut FunctionBuilder, case: usize| {
            let Some(method) = methods[case] else { return };
            let [a, b] = tables.shapes(pair);
            let [gap, x, y, z] = f.call_n(method, (pair, a, b));
            let n = Plain::of(&[x, y, z]).times(tables.order.at(pair));
            f.return_(n.after([gap.get()]));
        };
        f.switch(tables.methods.at(pair), METHODS.len(), case, |_| ());
        f.return_((FAR, 0.0, 0.0, 1.0));
    });
    distance
}

/// `(pair: integer) -> real`: the distance as it is printed.
pub fn gap(module: &mut ModuleBuilder, tables: &Tables, distance: FunctionId, calls: &Calls) -> FunctionId {
    let gap = module.declare("contact_gap_of", &[("pair", Integer)], &[Real]);
    module.describe(gap, "The distance of the shapes of a pair, negative where they are in one another.");
    module.define(gap, |f| {
        let [pair] = f.parameters();
        let [gap, _, _, _] = f.call_n(distance, pair);
        // Along an axis polytopes are no farther apart than they are, but may be less.
        if let (Some(finder), Some(kept)) = (calls.finders[Method::SolidSurface as usize], calls.kept) {
            f.if_(tables.methods.at(pair).eq_(Method::SolidSurface as usize), |f| {
                let [a, b] = tables.shapes(pair);
                f.call(finder, (pair, a, b, -FAR));
                f.if_(kept.at(BEST).lt(FAR * 0.5), |f| f.return_(kept.at(BEST)));
            });
        }
        if let Some(parts) = calls.parts {
            let [a, b] = tables.shapes(pair).map(|shape| f.integer("shape", shape));
            let rounding = f.real("rounding", tables.rounding.at(a) + tables.rounding.at(b));
            let is_axis = tables.methods.at(pair).eq_(Method::Polytopes as usize).and(rounding.eq_(0.0));
            f.if_(is_axis.and(gap.gt(0.0)), |f| {
                let [distance, ..]: [_; 7] = f.call_n(parts.proximity, (a, b));
                f.return_(distance);
            });
        }
        f.return_(gap);
    });
    gap
}

/// The lowest point of a shape over the plane of a half-space.
fn over_plane(f: &mut FunctionBuilder, tables: &Tables, calls: &Calls) {
    let [pair, plane, shape] = f.parameters();
    let (plane, shape) = (plane.get(), shape.get());
    let n = axis_z(f, "axis", tables, &plane).times(tables.side.at(pair)).keep(f, "n");
    let arm = centre(f, "c", tables, &shape) - centre(f, "q", tables, &plane);
    let reach = f.call1(calls.support, (-n.clone()).after([shape]));
    f.return_(n.after([n.dot(&arm) - reach]));
}

/// The nearest points of two rounded segments, which may be points.
fn between_segments(f: &mut FunctionBuilder, tables: &Tables, calls: &Calls) {
    let [_, a, b] = f.parameters();
    let [p, d] = segments::edge(f, tables, calls.vertex, &a.get(), &0.into());
    let [q, e] = segments::edge(f, tables, calls.vertex, &b.get(), &0.into());
    let [s, t] = segments::call(f, calls.nearest, [&p, &d, &q, &e]);
    let way = (q + e.times(t) - p - d.times(s)).keep(f, "way");
    let length = way.length(f, "length");
    let gap = length.clone() - tables.rounding.at(a) - tables.rounding.at(b);
    let n = direction(f, &way, &length);
    f.return_(n.after([gap]));
}

/// The unit vector along a way of a length; upwards where it has none.
pub fn direction(f: &mut FunctionBuilder, way: &Plain, length: &Expression) -> Plain {
    let is_there = f.integer("is_there", length.clone().gt(0.0));
    let up = [0.0, 0.0, 1.0];
    let entry = |k: usize| is_there.select(way.0[k].clone() / length.clone(), up[k]);
    Vector([entry(0), entry(1), entry(2)]).keep(f, "n")
}

/// The separation along the best axis; where cores that are rounded are apart, their distance, which may be larger.
fn between_polytopes(f: &mut FunctionBuilder, tables: &Tables, parts: Parts) {
    let [_, a, b] = f.parameters();
    let rounding = f.real("rounding", tables.rounding.at(a) + tables.rounding.at(b));
    let [s, x, y, z] = f.call_n(parts.axes.separate, (a, b));
    f.if_(rounding.gt(0.0).and((s + rounding).gt(0.0)), |f| {
        let [distance, x, y, z, _, _, _] = f.call_n(parts.proximity, (a, b));
        f.return_((distance - rounding, x, y, z));
    });
    f.return_((s, x, y, z));
}

/// The gap of the only feature that there is.
fn of_feature(f: &mut FunctionBuilder, tables: &Tables, calls: &Calls, method: Method) {
    let [pair, a, b] = f.parameters();
    let finder = calls.finders[method as usize].expect("there are finders for all methods in use");
    f.call(finder, (pair, a, b, -FAR));
    let trial = tables.points.trial();
    let n = Plain::load(f, "n", tables.points.normal, 3 * trial).times(tables.order.at(pair));
    f.return_(n.after([tables.points.gap.at(trial)]));
}

/// The least gap of all features of a torus.
fn of_best(f: &mut FunctionBuilder, tables: &Tables, calls: &Calls) {
    let [pair, a, b] = f.parameters();
    let finder = calls.finders[Method::Ring as usize].expect("there are finders for all methods in use");
    let kept = calls.kept.expect("there are tori");
    f.call(finder, (pair, a, b, -FAR));
    let n = Plain::load(f, "n", kept, BEST + 1).times(tables.order.at(pair));
    f.return_(n.after([kept.at(BEST)]));
}

/// What is far from a curved surface is no nearer than a ball around it.
fn over_surface(f: &mut FunctionBuilder, tables: &Tables, calls: &Calls) {
    let [pair, a, b] = f.parameters();
    let Curved { nearest, .. } = calls.curved.expect("there are surfaces");
    let [gap, x, y, z] = f.call_n(nearest, (pair, a, b));
    f.if_(gap.gt(tables.radius.at(a) * AWAY), |f| {
        f.store(calls.seen.expect("there are solids over surfaces"), 0, 0.0);
        f.return_((gap, x, y, z));
    });
    let finder = calls.finders[Method::SolidSurface as usize].expect("there are finders for all methods in use");
    let kept = calls.kept.expect("the best is kept");
    // Points that were found earlier are not the ones that are looked for: what faces one of them again would not be new.
    let found = tables.points.found;
    let earlier = f.integer("earlier", found.at(0));
    f.store(found, 0, 0);
    f.call(finder, (pair, a, b, -FAR));
    f.store(found, 0, earlier);
    f.if_(kept.at(BEST).ge(FAR * 0.5), |f| f.return_((gap, x, y, z)));
    let n = Plain::load(f, "n", kept, BEST + 1).times(tables.order.at(pair));
    f.return_(n.after([kept.at(BEST)]));
}

fn between_convex(f: &mut FunctionBuilder, convex: FunctionId) {
    let [_, a, b] = f.parameters();
    let [s, x, y, z, ..]: [_; 7] = f.call_n(convex, (a, b));
    f.return_((s, x, y, z));
}
