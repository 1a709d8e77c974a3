//! Whether the core of a torus passes through a solid: then the gap is negative, whatever the parts of the solid say that are beside it.

use super::{
    FAR, ShapeKind,
    detect::{Finder, Search},
    distance::direction,
    place::{centre, turned_back},
    ring::{BEST, Calls},
    tables::Part,
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, Term};

/// How often the way between two places is cut to two thirds, where it may pass through a solid.
const THIRDS: i64 = 40;

impl Finder<'_> {
    /// Where the core of a torus is inside of the other, the gap is that of the deepest place, along the way between the centres.
    pub fn pierced(&self, f: &mut FunctionBuilder, search: &Search, calls: Calls) {
        let pose = search.a.clone() * 12;
        let deepest = f.real("deepest", 0.0);
        let before = [0; 3].map(|_| f.real("own_before", 0.0));
        self.for_each_place(f, &search.b, |f, j, place| {
            let way = (place - Plain::load(f, "c", self.tables.poses, pose.clone())).keep(f, "way");
            let own = turned_back(self.tables.poses, pose.clone(), &way).keep(f, "own");
            f.if_(j.gt(0), |f| {
                let height = self.lowest(f, &search.a, [&Plain::of(&before), &own]);
                f.assign(deepest, deepest.min(height));
            });
            before.iter().zip(own.0).for_each(|(&entry, value)| f.assign(entry, value));
        });
        // Outside of a solid every place is in the region of one of its parts: where there is none, an edge cuts the core between two places.
        f.if_(deepest.lt(0.0).or(calls.kept.at(BEST).ge(FAR)), |f| {
            let [p, q] = [&search.a, &search.b].map(|shape| centre(f, "centre", self.tables, shape));
            p.store(f, calls.kept, BEST + 4);
            let way = (q - p).keep(f, "between");
            let length = way.length(f, "length");
            f.store(calls.kept, BEST, deepest - self.tables.rounding.at(&search.b));
            direction(f, &way, &length).times(self.tables.order.at(search.pair)).store(f, calls.kept, BEST + 1);
        });
    }

    /// The planes of a solid, in its axes: a normal and a point for each.
    fn for_each_plane(
        &self,
        f: &mut FunctionBuilder,
        shape: &Expression,
        body: impl Fn(&mut FunctionBuilder, &Plain, &Plain),
    ) {
        let solids = &self.tables.solids;
        let stretch = Plain::load(f, "stretch", self.tables.stretch, shape.clone() * 3);
        f.for_each("k", 0, solids.count(Part::Faces, shape), |f, k| {
            let row = f.integer("row", solids.first(Part::Faces, shape) + k);
            let n = Plain::load(f, "n", solids.normals, row * 3);
            let corner = solids.corners.at(solids.faces.at(row * 2));
            let vertex = f.integer("vertex", (solids.first(Part::Vertices, shape) + corner) * 3);
            let own = Plain::load(f, "vertex", solids.vertices, vertex);
            let own = Vector([0, 1, 2].map(|k| own.0[k].clone() * stretch.0[k].clone())).keep(f, "corner");
            body(f, &n, &own);
        });
        let tall = f.real("tall", self.tables.sizes.at(shape.clone() * 3 + 1));
        for (kind, sign, part) in
            [(ShapeKind::Cylinder, 1.0, 1.0), (ShapeKind::Cylinder, -1.0, 1.0), (ShapeKind::Cone, -1.0, 0.25)]
        {
            f.if_(self.is_kind(shape, kind), |f| {
                let at = |z: Expression| Vector([0.0.into(), 0.0.into(), z]);
                body(f, &at(sign.into()), &at(tall * (sign * part)));
            });
        }
    }

    /// The least height on the way from one place to another. It is convex along the way, and changes no faster than the place.
    fn lowest(&self, f: &mut FunctionBuilder, shape: &Expression, [from, to]: [&Plain; 2]) -> Expression {
        let way = (to.clone() - from.clone()).keep(f, "way");
        let length = way.length(f, "length");
        let at = |f: &mut FunctionBuilder, part: Expression| {
            let place = (from.clone() + way.times(part)).keep(f, "place");
            let height = self.height(f, shape, &place);
            f.real("height_there", height)
        };
        let [first, last] = [0.0, 1.0].map(|part| at(f, part.into()));
        let least = f.real("least", first.min(last));
        f.if_((first + last).lt(length), |f| {
            let (low, high) = (f.real("low", 0.0), f.real("high", 1.0));
            f.for_each("third", 0, THIRDS, |f, _| {
                let third = f.real("third_part", (high - low) / 3.0);
                let [left, right] = [at(f, low + third), at(f, high - third)];
                f.assign(least, least.min(left.min(right)));
                f.if_else(left.lt(right), |f| f.assign(high, high - third), |f| f.assign(low, low + third));
            });
        });
        least.get()
    }

    /// How far a place is out of the plane or side of a solid that it is farthest out of, in the axes of the solid.
    pub fn height(&self, f: &mut FunctionBuilder, shape: &Expression, place: &Plain) -> Expression {
        let height = f.real("highest", -FAR);
        self.for_each_plane(f, shape, |f, n, corner| {
            f.assign(height, height.max(n.dot(&(place.clone() - corner.clone()))));
        });
        let [outer, tall, _] = Plain::load(f, "size", self.tables.sizes, shape.clone() * 3).0;
        let [x, y, z] = place.0.clone();
        let across = (x.clone() * x + y.clone() * y).root(f, "across");
        f.if_(self.is_kind(shape, ShapeKind::Cylinder), |f| {
            f.assign(height, height.max(across.clone() - outer.clone()));
        });
        f.if_(self.is_kind(shape, ShapeKind::Cone), |f| {
            let length = (outer.clone() * outer.clone() + tall.clone() * tall.clone()).root(f, "length");
            let side = (across.clone() * tall.clone() + (z.clone() - tall.clone() * 0.75) * outer.clone()) / length;
            f.assign(height, height.max(side));
        });
        // What has no planes has no inside that the gaps of its parts would not tell of.
        height.gt(-FAR).select(height, FAR).keep(f, "out_of_it")
    }
}
