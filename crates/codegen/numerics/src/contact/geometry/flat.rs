//! Circles that lie flat on a plane touch it all around. Some of their points are found; any other can be made of one of these.

use super::{
    Points,
    feature::{CIRCLE_OVER, FIRST_PART, Feature, SECOND, SECOND_ALONG, SECOND_LENGTH, TILT, TURNED},
    place::turned_back,
    round::around,
    tables::Tables,
    vector::Plain,
};
use kernel::{Expression, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Where the number of a further point stands in the key of its feature.
const NUMBER: i64 = 16;

/// `(from, to, number, x, y, z)`: see [`Geometry::around`](super::Geometry::around).
pub fn point_of_circle(module: &mut ModuleBuilder, tables: &Tables) -> FunctionId {
    let Points { pair, feature, kind, data, .. } = tables.points;
    let parameters = [("from", Integer), ("to", Integer), ("number", Integer), ("x", Real), ("y", Real), ("z", Real)];
    let function = module.function("contact_around", &parameters, &[], |f| {
        let [from, to, number, x, y, z] = f.parameters();
        for array in [pair, kind] {
            f.store(array, to, array.at(from));
        }
        f.store(feature, to, feature.at(from) + (number + 1).shift_left(NUMBER));
        let (base, place) = (f.integer("base", from * Points::DATA), f.integer("place", to * Points::DATA));
        f.for_each("k", 0, Points::DATA, |f, k| f.store(data, place + k, data.at(base + k)));
        let [a, b] = tables.shapes(pair.at(from));
        let frame = f.integer("frame", tables.frames.at(data.at(base + TURNED).gt(0.0).select(b, a)));
        let own = turned_back(tables.bodies.pose, frame * 12, &Plain::of(&[x, y, z])).keep(f, "own");
        let axis = Plain::load(f, "axis", data, base + SECOND_ALONG);
        let (_, across, length) = around(f, &own, &axis);
        let centre = Plain::load(f, "centre", data, base + TILT);
        (centre + across.times(data.at(base + SECOND_LENGTH) / length)).store(f, data, place + SECOND);
    });
    module.describe(function, "The point of a circle that lies flat that is farthest in a direction.");
    function
}

impl Points {
    fn number(&self, slot: LocalId, place: usize) -> Expression {
        self.data.at(slot * Points::DATA + place)
    }

    /// Whether a point is one of a circle that lies flat on a plane.
    pub fn is_flat(&self, slot: LocalId) -> Expression {
        self.kind.at(slot).eq_(Feature::PlanePoint as usize).and(self.number(slot, CIRCLE_OVER).gt(0.0))
    }

    /// Whether two points belong to one circle over one plane, lying flat or not.
    pub fn on_one_circle(&self, one: LocalId, other: LocalId) -> Expression {
        let same = |place: usize| self.number(one, place).eq_(self.number(other, place));
        let pair = self.pair.at(one).eq_(self.pair.at(other));
        pair.and(self.number(one, CIRCLE_OVER).gt(0.0)).and(same(CIRCLE_OVER)).and(same(FIRST_PART)).and(same(TURNED))
    }
}
