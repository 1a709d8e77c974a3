//! Where a plane or an ellipsoid faces a curved surface F(x, y, z) = 0: the point y of the surface at which the two are parallel, in its frame.
//!
//! A plane with the normal N faces it where ∇F has no part across N. An ellipsoid with the centre c and the support function h faces it where
//! y + λ m + ∇h(m) = c with m = ±∇F, so that λ |m| is the gap; ∇h leads from the centre to where the normal is m. Both by Newton's method, from the
//! point at which the feature was found.

use super::{
    FAR,
    dual::{Dual, Moving},
    evaluate::{Sides, Touch},
    feature::{LIMITS, NEAREST, TILT},
    place::{turned, turned_back},
    surface::{Curved, FOUND, Field, LAST_STEP, MOST_STEPS, ROUNDING},
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// A step is no longer than this part of the solid: what is beyond is another place.
const LONGEST: f64 = 0.3;

/// Solves for x where the columns or the rows of a matrix are known: `cross` are the cross products of two each.
struct Solver {
    cross: [Plain; 3],
    determinant: Expression,
}

impl Solver {
    fn of(f: &mut FunctionBuilder, [a, b, c]: [&Plain; 3]) -> Solver {
        let cross = [b.cross(c).keep(f, "bc"), c.cross(a).keep(f, "ca"), a.cross(b).keep(f, "ab")];
        let determinant = a.dot(&cross[0]).keep(f, "determinant");
        Solver { cross, determinant }
    }

    /// The vector whose products with the three are these.
    fn by_rows(&self, f: &mut FunctionBuilder, right: [Expression; 3]) -> Plain {
        let [a, b, c] = right;
        let sum = self.cross[0].times(a) + self.cross[1].times(b) + self.cross[2].times(c);
        sum.over(self.determinant.clone()).keep(f, "solved")
    }

    /// By which factors the sum of the three is this.
    fn by_columns(&self, f: &mut FunctionBuilder, right: &Plain) -> Plain {
        Vector([0, 1, 2].map(|k| self.cross[k].dot(right) / self.determinant.clone())).keep(f, "solved")
    }
}

/// Two unit vectors across a third.
pub fn across(f: &mut FunctionBuilder, n: &Plain) -> [Plain; 2] {
    let [x, y, z] = n.0.clone();
    let flat = f.integer("flat", x.clone().abs().lt(0.6));
    let first = Vector([flat.select(0.0, -z.clone()), flat.select(-z, 0.0), flat.select(y, x)]).keep(f, "across");
    let length = first.length(f, "length");
    let first = first.over(length).keep(f, "first");
    let second = n.cross(&first).keep(f, "second");
    [first, second]
}

/// How a surface and what faces it bend apart: trace and determinant of a symmetric or a similar matrix in the plane across a normal.
pub struct Bend {
    pub trace: Expression,
    pub determinant: Expression,
}

impl Bend {
    /// Of products of two vectors across the normal with what a matrix makes of them.
    pub fn of(f: &mut FunctionBuilder, [t, u]: [&Plain; 2], [of_t, of_u]: [&Plain; 2]) -> Bend {
        let [a, b, c, d] = [t.dot(of_t), t.dot(of_u), u.dot(of_t), u.dot(of_u)].map(|entry| entry.keep(f, "entry"));
        Bend { trace: (a.clone() + d.clone()).keep(f, "trace"), determinant: (a * d - b * c).keep(f, "both") }
    }
}

/// Newton's steps that end as those to a foot do, each no longer than a part of the solid: the last one, relative to where it led.
fn newton(
    f: &mut FunctionBuilder,
    at: &[LocalId; 3],
    longest: &Expression,
    step: impl Fn(&mut FunctionBuilder) -> Plain,
) -> LocalId {
    let (off, before) = (f.real("off", f64::INFINITY), f.real("before", f64::INFINITY));
    f.for_each("step", 0, MOST_STEPS, |f, _| {
        let by = step(f);
        let length = by.length(f, "length");
        let by = by.times(longest.clone() / length.clone().max(longest.clone())).keep(f, "by");
        at.iter().zip(by.0.clone()).for_each(|(&at, by)| f.increase(at, by));
        let far = Plain::of(at).length(f, "far");
        f.assign(off, length / (far + longest.clone()));
        let stalls = off.gt(before * 0.5).and(off.le(ROUNDING));
        // What is not a number leads nowhere.
        f.if_(off.le(LAST_STEP).or(stalls).or(off.ge(0.0).logical_not()), |f| f.break_());
        f.assign(before, off);
    });
    off
}

impl Sides<'_> {
    /// How long a step may be.
    fn longest(&self, f: &mut FunctionBuilder) -> Expression {
        (self.tables.radius.at(&self.first_shape) * LONGEST).keep(f, "longest")
    }

    /// Where looking begins, in variables.
    fn faced(&self, f: &mut FunctionBuilder) -> [LocalId; 3] {
        [0, 1, 2].map(|k| f.real("at", self.number(TILT + k).value))
    }

    /// A place of the surface that moves there, in the world.
    fn on_surface(&self, f: &mut FunctionBuilder, y: &Plain, rate: &Plain) -> Moving {
        let pose = self.second.clone() * 12;
        let origin = Plain::load(f, "origin", self.tables.bodies.pose, pose.clone());
        let arm = turned(self.tables.bodies.pose, pose.clone(), y).keep(f, "arm");
        let [velocity, spin] = self.second_motion(f);
        let carried = velocity + spin.cross(&arm) + turned(self.tables.bodies.pose, pose, rate);
        with_rate(&(origin + arm), &carried).keep(f, "faced")
    }

    /// The point of the surface that is nearest to a plane, or farthest behind it.
    pub fn plane_surface(&self, f: &mut FunctionBuilder, curved: &Curved) -> Touch {
        let (bodies, surface) = (self.tables.bodies, &self.second_shape);
        let pose = self.second.clone() * 12;
        let (q, n) = (self.first_point(f), self.first_along(f));
        let own = turned_back(bodies.pose, pose.clone(), &n.value()).keep(f, "own");
        let [t, u] = across(f, &own);
        let at = self.faced(f);
        let y = Plain::of(&at);
        let rows = |f: &mut FunctionBuilder| {
            let here = Field::at(f, curved.field, surface, &y);
            let bent = [&t, &u].map(|along| here.bent(along).keep(f, "bent"));
            let solver = Solver::of(f, [&bent[0], &bent[1], &here.gradient]);
            (here, solver)
        };
        let longest = self.longest(f);
        let off = newton(f, &at, &longest, |f| {
            let (here, solver) = rows(f);
            let right = [-here.gradient.dot(&t), -here.gradient.dot(&u), -here.value.get()];
            solver.by_rows(f, right)
        });
        let (here, solver) = rows(f);
        y.store(f, self.data, self.base.clone() + NEAREST);
        // ∇F stays along N: the surface's normal turns with the plane's.
        let [_, spin] = self.second_motion(f);
        let turning = (n.rate() - spin.cross(&n.value())).keep(f, "turning");
        let turning = turned_back(bodies.pose, pose, &turning).keep(f, "own_turning");
        let steep = here.gradient.dot(&own).keep(f, "steep");
        let right = [&t, &u].map(|along| along.dot(&turning) * steep.clone());
        let [a, b] = right;
        let moved = solver.by_rows(f, [a, b, 0.0.into()]);
        let faced = self.on_surface(f, &y, &moved);
        let touch = self.over_plane(f, &q, n, faced);
        self.if_found(f, off, touch)
    }

    /// The point of the surface at which an ellipsoid comes nearest to it.
    // Long: all of it follows from one place of the surface.
    pub fn ellipsoid_surface(&self, f: &mut FunctionBuilder, curved: &Curved) -> Touch {
        let (bodies, surface) = (self.tables.bodies, &self.second_shape);
        let pose = self.second.clone() * 12;
        let origin = Plain::load(f, "origin", bodies.pose, pose.clone());
        let centre = self.first_point(f);
        let arm = (centre.value() - origin).keep(f, "arm");
        let c = turned_back(bodies.pose, pose.clone(), &arm).keep(f, "c");
        let size = Plain::load(f, "size", self.tables.sizes, self.first_shape.clone() * 3);
        let axes = [0, 1, 2].map(|column| {
            let place = self.first_shape.clone() * 12;
            let own = Vector([0, 1, 2].map(|row| self.tables.places.at(place.clone() + (3 + 3 * row + column))));
            let axis = self.at.direction(f, &self.first, &own).value();
            turned_back(bodies.pose, pose.clone(), &axis).times(size.0[column].clone()).keep(f, "axis")
        });
        let side = f.real("side", self.tables.side.at(&self.pair));
        let at = self.faced(f);
        let y = Plain::of(&at);
        let begin = Field::at(f, curved.field, surface, &y);
        let m = begin.gradient.times(side).keep(f, "m");
        let h = Vector([0, 1, 2].map(|k| axes[k].dot(&m))).keep(f, "along").length(f, "h");
        let lambda = f.real("lambda", ((c.clone() - y.clone()).dot(&m) - h) / m.dot(&m));
        let longest = self.longest(f);
        let off = newton(f, &at, &longest, |f| {
            let faces = Faces::at(f, (curved, surface, side), &axes, &y, lambda);
            let left = (y.clone() + faces.m.times(lambda) + faces.reach.clone() - c.clone()).keep(f, "left");
            let (a, b) = (faces.solver.by_columns(f, &left), faces.solver.by_columns(f, &faces.m));
            let gradient = &faces.here.gradient;
            let more = f.real("more", (faces.here.value - gradient.dot(&a)) / gradient.dot(&b));
            f.increase(lambda, more);
            -(a + b.times(more))
        });
        let faces = Faces::at(f, (curved, surface, side), &axes, &y, lambda);
        y.store(f, self.data, self.base.clone() + NEAREST);
        f.store(self.data, self.base.clone() + LIMITS, faces.bend.trace.clone());
        f.store(self.data, self.base.clone() + (LIMITS + 1), faces.bend.determinant.clone());
        let [velocity, spin] = self.second_motion(f);
        let relative = (centre.rate() - velocity - spin.cross(&arm)).keep(f, "relative");
        let relative = turned_back(bodies.pose, pose.clone(), &relative).keep(f, "own_rate");
        let turning = (self.first_turning(f) - spin.clone()).keep(f, "turning");
        let w = turned_back(bodies.pose, pose.clone(), &turning).keep(f, "w");
        let Faces { here, m, reach, steep, solver, .. } = &faces;
        // Where the ellipsoid turns, so does what leads to its point, but for how far that is off for the normal that does not.
        let swung = reach_by(f, (&axes, &faces.reach, &faces.h), &w.cross(m));
        let right = (relative.clone() - w.cross(reach) + swung).keep(f, "right");
        let (a, b) = (solver.by_columns(f, &right), solver.by_columns(f, m));
        let by = f.real("by", here.gradient.dot(&a) / here.gradient.dot(&b));
        let moved = (a - b.times(by)).keep(f, "moved");
        let n = m.over(steep.clone()).keep(f, "n");
        let bent = here.bent(&moved).times(side / steep.clone()).keep(f, "bent");
        let bent = (bent.clone() - n.times(n.dot(&bent))).keep(f, "bent_across");
        let outward = turned(bodies.pose, pose.clone(), &n).keep(f, "outward");
        let turning = (turned(bodies.pose, pose, &bent) + spin.cross(&outward)).keep(f, "normal_turning");
        let normal = with_rate(&-outward, &-turning).keep(f, "normal");
        let gap = Dual {
            value: f.real("height", lambda * steep.clone()).get(),
            rate: f.real("height_rate", n.dot(&(relative - w.cross(reach)))).get(),
        };
        let faced = self.on_surface(f, &y, &moved);
        let half = (gap.clone() * Dual::from(Expression::from(0.5))).keep(f, "half");
        let point = (faced - normal.times(half)).keep(f, "point");
        self.if_found(f, off, Touch { gap, normal, point })
    }

    /// What faces nothing is far.
    fn if_found(&self, f: &mut FunctionBuilder, off: LocalId, touch: Touch) -> Touch {
        let value = f.real("gap_there", off.le(FOUND).select(touch.gap.value, FAR)).get();
        Touch { gap: Dual { value, rate: touch.gap.rate }, ..touch }
    }
}

/// What Newton's method needs at a place of the surface, for an ellipsoid.
struct Faces {
    here: Field,
    /// Towards the side on which the ellipsoid is, and its length.
    m: Plain,
    steep: Expression,
    /// ∇h(m), and h.
    reach: Plain,
    h: Expression,
    /// Of 1 + (λ + ∇∇h) ∇m.
    solver: Solver,
    bend: Bend,
}

impl Faces {
    fn at(
        f: &mut FunctionBuilder,
        (curved, surface, side): (&Curved, &Expression, LocalId),
        axes: &[Plain; 3],
        y: &Plain,
        lambda: LocalId,
    ) -> Faces {
        let here = Field::at(f, curved.field, surface, y);
        let m = here.gradient.times(side).keep(f, "m");
        let steep = m.length(f, "steep");
        let along = Vector([0, 1, 2].map(|k| axes[k].dot(&m))).keep(f, "along");
        let h = along.length(f, "h");
        let reach =
            (axes[0].times(along.0[0].clone()) + axes[1].times(along.0[1].clone()) + axes[2].times(along.0[2].clone()))
                .over(h.clone())
                .keep(f, "reach");
        let units = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|unit| Vector(unit.map(Expression::from)));
        let bends = Bends { here: &here, axes, reach: &reach, h: &h, side, lambda };
        let columns = units.map(|unit| bends.column(f, &unit));
        let solver = Solver::of(f, [&columns[0], &columns[1], &columns[2]]);
        let n = m.over(steep.clone()).keep(f, "n");
        let [t, u] = across(f, &n);
        let of = [&t, &u].map(|unit| bends.column(f, unit));
        let bend = Bend::of(f, [&t, &u], [&of[0], &of[1]]);
        Faces { here, m, steep, reach, h, solver, bend }
    }
}

/// How the two surfaces bend there.
struct Bends<'a> {
    here: &'a Field,
    axes: &'a [Plain; 3],
    reach: &'a Plain,
    h: &'a Expression,
    side: LocalId,
    lambda: LocalId,
}

impl Bends<'_> {
    /// What 1 + (λ + ∇∇h) ∇m makes of a vector.
    fn column(&self, f: &mut FunctionBuilder, unit: &Plain) -> Plain {
        let turned = self.here.bent(unit).times(self.side).keep(f, "turned");
        let swung = reach_by(f, (self.axes, self.reach, self.h), &turned);
        (unit.clone() + turned.times(self.lambda) + swung).keep(f, "column")
    }
}

/// ∇∇h times a vector: A v / h − A m (m·A v) / h³.
fn reach_by(f: &mut FunctionBuilder, (axes, reach, h): (&[Plain; 3], &Plain, &Expression), by: &Plain) -> Plain {
    let by = by.clone().keep(f, "by");
    let along = Vector([0, 1, 2].map(|k| axes[k].dot(&by))).keep(f, "along");
    let [x, y, z] = along.0;
    let part = reach.dot(&by).keep(f, "part");
    (axes[0].times(x) + axes[1].times(y) + axes[2].times(z) - reach.times(part)).over(h.clone()).keep(f, "swung")
}

fn with_rate(value: &Plain, rate: &Plain) -> Moving {
    Vector([0, 1, 2].map(|k| Dual { value: value.0[k].clone(), rate: rate.0[k].clone() }))
}
