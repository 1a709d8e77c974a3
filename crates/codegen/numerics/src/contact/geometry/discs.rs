//! Discs that lie flat on one another, as the caps of cylinders in a stack do: they touch in what they have in common. Where neither covers the other
//! that is a lens, bounded by an arc of either rim, with corners where the rims cross. The corners move over both discs as these slide.

use super::{
    INSIDE, PARALLEL,
    curved::{ROUND, SAG, SPOKES},
    detect::{Finder, Search, Side},
    dual::Dual,
    evaluate::{Sides, Touch},
    feature::{FIRST_LENGTH, Feature, SECOND_LENGTH, SIDE},
    place::{axis_z, turned_back},
    round::around,
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// Rims whose crossings are nearer to one another than this part of a radius graze, and the lens has no corners.
const GRAZING: f64 = 1e-5;

/// How far the rims of two discs cross from the line through their centres: along it from the first centre, and the square of how far across.
fn crossing<T: Scalar>(f: &mut FunctionBuilder, far: &T, [first, second]: [&T; 2]) -> [T; 2] {
    let squares = first.clone() * first.clone() - second.clone() * second.clone();
    let half = T::from(Expression::from(0.5));
    let along = ((far.clone() + squares / far.clone()) * half).keep(f, "along");
    let across = (first.clone() * first.clone() - along.clone() * along.clone()).keep(f, "across_square");
    [along, across]
}

impl Sides<'_> {
    /// Where the rim of the disc that is the first crosses that of the second, and how high the second disc is there.
    pub fn plane_crossing(&self, f: &mut FunctionBuilder) -> Touch {
        let (c, n) = (self.first_point(f), self.first_along(f));
        let (d, m) = (self.second_point(f), self.second_along(f));
        let radii = [FIRST_LENGTH, SECOND_LENGTH].map(|place| self.number(place));
        let (_, way, far) = around(f, &(d.clone() - c.clone()), &n);
        let [along, square] = crossing(f, &far, [&radii[0], &radii[1]]);
        // Where the rims have parted they graze one another, so that there still is a point.
        let least = f.real("least", radii[0].value.clone().min(radii[1].value.clone()) * (0.5 * GRAZING));
        let least = f.real("least_square", least * least);
        let grazes = f.integer("grazes", square.value.clone().lt(least));
        let square = Dual { value: grazes.select(least, square.value), rate: grazes.select(0.0, square.rate) };
        let across = square.root(f, "across") * self.number(SIDE);
        let u = way.over(far).keep(f, "u");
        let v = n.cross(&u).keep(f, "v");
        let place = (c + u.times(along) + v.times(across)).keep(f, "place");
        let height = (m.dot(&(d - place.clone())) / m.dot(&n)).keep(f, "height");
        self.between(f, &place, n, height)
    }
}

/// How far inside of its ends a crossing is: where discs do not lie flat any more, or their rims graze.
pub fn margin(f: &mut FunctionBuilder, centres: &[Plain; 2], axes: &[Plain; 2], radii: [Expression; 2]) -> Expression {
    let (_, _, sine) = around(f, &axes[0], &axes[1]);
    let (_, _, far) = around(f, &(centres[1].clone() - centres[0].clone()), &axes[0]);
    let [_, square] = crossing(f, &far, [&radii[0], &radii[1]]);
    let [first, second] = radii;
    let smaller = first.min(second).keep(f, "smaller");
    let corners = square.max(0.0).sqrt() - smaller.clone() * GRAZING;
    corners.min((2.0 * PARALLEL - sine) * smaller).keep(f, "corners")
}

/// What two discs have in common, where it is a lens.
pub struct Lens {
    pub exists: LocalId,
    /// From the centre of the first to that of the second, in the world.
    pub way: Plain,
    /// How much lower than its corners and the middles of its arcs a point between them may be.
    pub sag: Expression,
}

impl Lens {
    /// Looks so much higher that none of its points is passed over.
    pub fn search(&self, f: &mut FunctionBuilder, search: &Search) -> Search {
        Search { within: f.real("within_lens", search.within + self.sag.clone()), ..search.clone() }
    }
}

impl Finder<'_> {
    /// The lens of a cap and the circle of the other shape, if they are flat on one another.
    pub fn lens(&self, f: &mut FunctionBuilder, [cap, circle]: [&Side; 2]) -> Lens {
        let [c, n] = self.world_line(f, cap);
        let [d, _] = self.world_line(f, circle);
        let axis = axis_z(f, "axis", self.tables, &circle.shape);
        let (_, _, sine) = around(f, &n, &axis);
        let (_, way, far) = around(f, &(d - c), &n);
        let smaller = cap.length.clone().min(circle.length.clone()).keep(f, "smaller");
        let [_, square] = crossing(f, &far, [&cap.length, &circle.length]);
        let least = f.real("least", smaller.clone() * GRAZING);
        let sag = (sine.clone() * smaller.clone() * SAG).keep(f, "sag");
        let apart = far.clone().gt(smaller * INSIDE).and(square.gt(least * least));
        let exists = f.integer("is_lens", cap.length.clone().gt(0.0).and(sine.lt(PARALLEL)).and(apart));
        Lens { exists, way: way.over(far.max(f64::MIN_POSITIVE)).keep(f, "between"), sag }
    }

    /// The corners of the lens of a cap and each circle of the other shape, and the middle of the circle's arc.
    pub fn corners_of_lens(&self, f: &mut FunctionBuilder, search: &Search, cap: &Side, turned: LocalId) {
        let circles = self.circles(f, &search.b);
        f.for_each("k", 0, circles, |f, k| {
            let circle = self.circle(f, &search.b, k);
            let lens = self.lens(f, [cap, &circle]);
            f.if_(lens.exists, |f| {
                let search = &lens.search(f, search);
                for (which, sign) in [(0, -1.0), (1, 1.0)] {
                    self.set_side(f, sign);
                    let rim = Side { part: circle.part.clone() * 2 + which, ..circle.clone() };
                    self.consider(f, search, Feature::PlaneCrossing, [cap, &rim], turned);
                }
                self.middle_of_arc(f, search, [cap, &circle], &-lens.way.clone(), turned.get());
            });
        });
    }

    /// The point of a circle that is farthest over a cap, in the direction to its centre.
    pub fn middle_of_arc(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        [cap, circle]: [&Side; 2],
        inwards: &Plain,
        is_turned: Expression,
    ) {
        let frame = self.tables.frames.at(&circle.shape);
        let own = turned_back(self.tables.bodies.pose, frame * 12, inwards).keep(f, "own");
        let point = (circle.point.clone() + own.times(circle.length.clone())).keep(f, "middle");
        self.set_tilt(f, &circle.point);
        self.set_circle(f, circle);
        let point = Side { part: circle.part.clone() * SPOKES + ROUND, point, ..circle.clone() };
        self.consider(f, search, Feature::PlanePoint, [cap, &point], is_turned);
    }
}
