//! The points at which convex shapes touch that are round somewhere: what is over a face, or the parts that face each other along the direction
//! of the largest separation.

use super::{
    INSIDE, PARALLEL, ShapeKind,
    convex::{PLANE_OF_FIRST, PLANE_OF_SECOND, ROUND, STRAIGHT, STRAIGHT_ON_FIRST, STRAIGHT_ON_SECOND},
    detect::{Finder, Search, Side},
    feature::Feature,
    parts::{BASE, CIRCLE, CONE, ELLIPSOID, LINE, Parts, VERTEX, planes},
    place::axis_z,
    round::around,
    tables::Part,
    vector::{Plain, Scalar},
};
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real,
};

/// What is deeper than the separation by so much, relative to the smaller shape, is no feature of what touches.
const DEEPER: f64 = 1e-7;

/// Features that are outside of their ends by so much, relative to the smaller shape, are looked at in this order, until one is found: two shapes that
/// touch do so somewhere, and just beyond the end of a straight side neither it nor the vertex or circle behind it may be quite at home.
pub const OUTSIDE: [f64; 3] = [INSIDE, 1e-7, 1e-3];

/// Lines lie over a face, and faces on one another, if the sine or cosine says so within this; what is farther off has no points there.
pub const NEARLY: f64 = 0.1;

#[derive(Clone, Copy)]
pub struct Calls {
    pub separate: FunctionId,
    pub parts: Parts,
    pub supporting: FunctionId,
    /// The least gap and the least margin of points that are kept.
    pub least: ArrayId,
}

/// A line or the side of a cone, and whether it is a cone.
struct Straight {
    side: Side,
    is_cone: Expression,
    /// The number of an edge, −1 for what is none.
    edge: Expression,
}

/// What functions of the direction of the largest separation are given: the pair as all finders get it, that direction, and what it belongs to.
const DIRECTION: [(&str, kernel::Type); 10] = [
    ("pair", Integer),
    ("a", Integer),
    ("b", Integer),
    ("within", Real),
    ("n_x", Real),
    ("n_y", Real),
    ("n_z", Real),
    ("kind", Integer),
    ("i", Integer),
    ("j", Integer),
];

impl Finder<'_> {
    /// Two convex shapes. If they are near enough there is a point: what ends where another begins is looked for more widely.
    pub fn convex(&self, f: &mut FunctionBuilder, calls: &Calls, points: FunctionId) {
        let search = Search::of(f);
        let (a, b, found) = (&search.a, &search.b, self.tables.points.found);
        let [s, x, y, z, kind, i, j] = f.call_n(calls.separate, (a, b));
        let smaller = (self.tables.radius.at(a).min(self.tables.radius.at(b))).keep(f, "smaller");
        f.store(calls.least, 0, s - smaller.clone() * DEEPER);
        let before = f.integer("before", found.at(0));
        for outside in OUTSIDE {
            f.if_(found.at(0).eq_(before).and(s.le(search.within)), |f| {
                f.store(calls.least, 1, smaller.clone() * (super::SLACK - outside));
                let pair = [search.pair.get(), a.clone(), b.clone(), search.within.get()];
                f.call(points, pair.into_iter().chain([x, y, z, kind, i, j].map(Term::get)).collect::<Vec<_>>());
            });
        }
    }

    /// `(pair, a, b, within, n_x, n_y, n_z, kind, i, j)`: the points of a direction.
    pub fn points_of_direction(&self, module: &mut ModuleBuilder, calls: &Calls, over_plane: FunctionId) -> FunctionId {
        module.function("direction_points", &DIRECTION, &[], |f| self.along_direction(f, calls, over_plane))
    }

    fn along_direction(&self, f: &mut FunctionBuilder, calls: &Calls, over_plane: FunctionId) {
        let [pair, a, b, within, x, y, z, kind, i, j] = f.parameters();
        let (a, b) = (a.get(), b.get());
        let search = Search { pair, a: a.clone(), b: b.clone(), within };
        let n = Plain::of(&[x, y, z]);
        let plane = |reference: &Expression, other: &Expression, turned: usize| -> Vec<Expression> {
            vec![search.pair.get(), reference.clone(), other.clone(), search.within.get(), i.get(), turned.into()]
        };
        f.if_(kind.eq_(PLANE_OF_FIRST), |f| drop(f.call(over_plane, plane(&a, &b, 0))));
        f.if_(kind.eq_(PLANE_OF_SECOND), |f| drop(f.call(over_plane, plane(&b, &a, 1))));
        f.if_(kind.eq_(STRAIGHT), |f| {
            let first = self.straight(f, calls, &a, i.get(), &n);
            let second = self.straight(f, calls, &b, j.get(), &-n.clone());
            self.lines(f, &search, [&first, &second], &n);
        });
        f.if_(kind.eq_(STRAIGHT_ON_FIRST), |f| {
            let first = self.straight(f, calls, &a, i.get(), &n);
            self.overlap_of_lines(f, &search, calls, &first, &n);
            self.straight_and_part(f, &search, calls, &first, (&b, &-n.clone()).into(), 1);
        });
        f.if_(kind.eq_(STRAIGHT_ON_SECOND), |f| {
            let second = self.straight(f, calls, &b, i.get(), &-n.clone());
            self.straight_and_part(f, &search, calls, &second, (&a, &n).into(), 0);
        });
        f.if_(kind.eq_(ROUND), |f| self.parts(f, &search, calls, &n));
    }

    /// The edge or side of a shape that is farthest along a direction.
    fn straight(
        &self,
        f: &mut FunctionBuilder,
        calls: &Calls,
        shape: &Expression,
        i: Expression,
        n: &Plain,
    ) -> Straight {
        let is_solid = f.integer("is_solid", self.tables.solids.count(Part::Vertices, shape).gt(0));
        let is_cone = f.integer("is_cone", self.is_kind(shape, ShapeKind::Cone));
        let edge = f.integer("edge", -1);
        let side = Variables::declare(f);
        f.if_(is_solid, |f| {
            f.call_into(&[edge], calls.supporting, n.after([shape.clone(), i]));
            let found = self.edge(f, shape, edge);
            side.assign(f, &found);
        });
        f.if_(is_solid.logical_not(), |f| {
            let [radius, height, _] = Plain::load(f, "size", self.tables.sizes, shape.clone() * 3).0;
            f.if_else(
                is_cone,
                |f| {
                    let apex = self.apex(f, shape);
                    let length = (radius.clone() * radius.clone() + height.clone() * height.clone()).sqrt();
                    side.assign(f, &Side { length, ..apex });
                },
                |f| {
                    let [point, axis] = self.on_axis(f, shape, -height.clone());
                    let line = self.side(shape, -1, point);
                    let length = height.clone() * 2.0;
                    side.assign(f, &Side { along: Some(axis), length, radius: radius.clone(), ..line });
                },
            );
        });
        let kind = is_cone.select(CONE, LINE);
        let part = f.integer("part", (edge + 1) * BASE + kind);
        Straight { side: side.side(shape, part.get()), is_cone: is_cone.get(), edge: edge.get() }
    }

    /// Two lines or cones, which are touched along lines that cross.
    fn lines(&self, f: &mut FunctionBuilder, search: &Search, [first, second]: [&Straight; 2], n: &Plain) {
        let [a, b] = [first, second].map(|straight| self.world_along(f, &straight.side));
        self.set_side(f, Expression::from(1.0).copysign(a.cross(&b).dot(n)));
        f.if_else(
            first.is_cone.clone().or(second.is_cone.clone()),
            |f| self.consider(f, search, Feature::StraightStraight, [&first.side, &second.side], 0),
            |f| self.consider(f, search, Feature::LineLine, [&first.line(), &second.line()], 0),
        );
    }

    pub fn world_along(&self, f: &mut FunctionBuilder, side: &Side) -> Plain {
        let frame = self.tables.frames.at(&side.shape);
        let along = side.along.clone().expect("what is straight has a direction");
        self.calls.at.direction(f, &frame, &along).value()
    }

    /// Where the side of a cylinder is parallel to a line of the first shape: the ends of what they have in common.
    fn overlap_of_lines(&self, f: &mut FunctionBuilder, search: &Search, calls: &Calls, first: &Straight, n: &Plain) {
        let is_line = self.is_kind(&search.b, ShapeKind::Cylinder).and(first.is_cone.clone().logical_not());
        f.if_(is_line, |f| {
            let second = self.straight(f, calls, &search.b, 0.into(), &-n.clone());
            let [a, b] = [first, &second].map(|straight| self.world_along(f, &straight.side));
            let cross = a.cross(&b).keep(f, "cross");
            f.if_(cross.dot(&cross).le(PARALLEL * PARALLEL), |f| {
                for (k, part) in [(0.0, -2), (1.0, -3)] {
                    let end = |f: &mut FunctionBuilder, side: &Side| {
                        let along = side.along.as_ref().expect("a line has a direction");
                        let point = (side.point.clone() + along.times(side.length.clone() * k)).keep(f, "end");
                        Side { radius: side.radius.clone(), ..self.side(&side.shape, part, point) }
                    };
                    let ends = [end(f, &first.side), end(f, &second.side)];
                    let lines = [first.line(), second.line()];
                    self.consider(f, search, Feature::PointLine, [&ends[0], &lines[1]], 0);
                    self.consider(f, search, Feature::PointLine, [&ends[1], &lines[0]], 1);
                }
                f.return_(());
            });
        });
    }

    /// A line or cone of one shape, and the part of the other that is farthest towards it.
    fn straight_and_part(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        calls: &Calls,
        straight: &Straight,
        other: Towards,
        vertex_is_turned: usize,
    ) {
        let Towards { shape, direction } = other;
        let (_, kind, index) = calls.parts.farthest(f, &shape, &direction);
        f.if_(kind.clone().eq_(VERTEX), |f| {
            let vertex = self.vertex_or_apex(f, &shape, index.clone());
            f.if_else(
                straight.is_cone.clone(),
                |f| {
                    let [radius, height, _] =
                        Plain::load(f, "size", self.tables.sizes, straight.side.shape.clone() * 3).0;
                    let length = straight.side.length.clone();
                    let normal = [height / length.clone(), radius / length, 0.0.into()];
                    let vertex = vertex.clone().with(super::vector::Vector(normal));
                    self.consider(f, search, Feature::PointCone, [&vertex, &straight.side], vertex_is_turned);
                },
                |f| self.consider(f, search, Feature::PointLine, [&vertex, &straight.line()], vertex_is_turned),
            );
            f.return_(());
        });
        let is_edge = straight.edge.clone().ge(0).and(straight.side.radius.clone().eq_(0.0));
        // The rim of a cap that all but lies on a round side: so near its axis the direction does not tell where on the rim.
        let axis = axis_z(f, "axis", self.tables, &shape);
        let (_, _, sine) = around(f, &direction, &axis);
        let is_line = is_edge.or(sine.lt(NEARLY).and(straight.is_cone.clone().logical_not()));
        f.if_(kind.clone().eq_(CIRCLE).and(is_line).and(self.is_close(calls, &shape)), |f| {
            let line = straight.line();
            let crosses = self.crosses_rim(f, &line, &shape, &direction);
            f.if_(crosses, |f| {
                let rim = self.circle(f, &shape, index.clone());
                self.line_and_rim(f, search, [&line, &rim], &-direction.clone(), 1 - vertex_is_turned);
                f.return_(());
            });
        });
        let round = self.round_side(f, &shape, kind, index);
        self.consider(f, search, Feature::StraightRound, [&straight.side, &round], 1 - vertex_is_turned);
    }

    fn vertex_or_apex(&self, f: &mut FunctionBuilder, shape: &Expression, index: Expression) -> Side {
        let side = Variables::declare(f);
        let part = f.integer("part", -1);
        f.if_else(
            self.tables.solids.count(Part::Vertices, shape).gt(0),
            |f| {
                f.assign(part, index.clone());
                let vertex = self.vertex(f, shape, index);
                side.assign(f, &vertex);
            },
            |f| {
                let apex = self.apex(f, shape);
                side.assign(f, &Side { along: None, ..apex });
            },
        );
        Side { along: None, ..side.side(shape, part.get()) }
    }

    /// A circle or an ellipsoid.
    fn round_side(&self, f: &mut FunctionBuilder, shape: &Expression, kind: Expression, index: Expression) -> Side {
        let side = Variables::declare(f);
        f.if_else(
            kind.clone().eq_(CIRCLE),
            |f| {
                let circle = self.circle(f, shape, index.clone());
                side.assign(f, &circle);
            },
            |f| {
                let centre = self.centre(f, shape);
                side.assign(f, &centre);
            },
        );
        let part = f.integer("part", index * BASE + kind);
        side.side(shape, part.get())
    }

    /// Two parts that are vertices, circles or ellipsoids.
    fn parts(&self, f: &mut FunctionBuilder, search: &Search, calls: &Calls, n: &Plain) {
        let (a, b) = (&search.a, &search.b);
        let (_, first, i) = calls.parts.farthest(f, a, n);
        let (_, second, j) = calls.parts.farthest(f, b, &-n.clone());
        f.if_(first.clone().eq_(VERTEX), |f| {
            let vertex = self.vertex_or_apex(f, a, i.clone());
            f.if_(second.clone().eq_(VERTEX), |f| {
                let other = self.vertex_or_apex(f, b, j.clone());
                self.consider(f, search, Feature::PointPoint, [&vertex, &other], 0);
                f.return_(());
            });
            let round = self.round_side(f, b, second.clone(), j.clone());
            f.if_else(
                second.clone().eq_(ELLIPSOID),
                |f| self.consider(f, search, Feature::PointEllipsoid, [&vertex, &round], 0),
                |f| self.consider(f, search, Feature::PointCircle, [&vertex, &round], 0),
            );
            f.return_(());
        });
        let circles = f.integer("circles", first.clone().eq_(CIRCLE).and(second.clone().eq_(CIRCLE)));
        let round = self.round_side(f, a, first, i.clone());
        f.if_(second.clone().eq_(VERTEX), |f| {
            let vertex = self.vertex_or_apex(f, b, j.clone());
            self.consider(f, search, Feature::PointCircle, [&vertex, &round], 1);
            f.return_(());
        });
        f.if_(circles, |f| {
            let crosses = self.rims(f, search, calls, n, [i, j.clone()]);
            f.if_(crosses, |f| f.return_(()));
        });
        let other = self.round_side(f, b, second, j);
        self.consider(f, search, Feature::RoundRound, [&round, &other], 0);
    }

    /// `(pair, reference, other, within, i, turned)`: what is over a face, cap or base of the reference.
    pub fn over_part_plane(&self, module: &mut ModuleBuilder, calls: &Calls) -> FunctionId {
        let parameters = [
            ("pair", Integer),
            ("reference", Integer),
            ("other", Integer),
            ("within", Real),
            ("i", Integer),
            ("turned", Integer),
        ];
        module.function("detect_over_plane", &parameters, &[], |f| {
            let [pair, reference, other, within, i, turned] = f.parameters();
            let search = Search { pair, a: reference.get(), b: other.get(), within };
            let n = Plain::of(&f.call(calls.parts.normal, (reference, i)));
            let plane = self.plane_part(f, &search.a, i.get());
            self.over_side(f, &search, &plane, &n, turned);
            self.corners_of_lens(f, &search, &plane, turned);
            f.if_(self.tables.solids.count(Part::Faces, reference).gt(0), |f| {
                self.sides_and_line(f, &search, calls, i, &n);
            });
            self.under_caps(f, &search, calls, i, &n, turned);
            f.if_(self.tables.solids.count(Part::Vertices, reference).eq_(0), |f| {
                self.edges_and_rim(f, &search, calls, &search.b, (&search.a, i.get()), &-n.clone());
                self.side_and_rim(f, &search, calls, (i, &n), turned);
            });
        })
    }

    /// Where the side of a cylinder that lies over a cap or base crosses its rim.
    fn side_and_rim(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        calls: &Calls,
        (i, n): (LocalId, &Plain),
        turned: LocalId,
    ) {
        let axis = axis_z(f, "axis", self.tables, &search.b);
        let lies = self.is_kind(&search.b, ShapeKind::Cylinder).and(axis.dot(n).abs().lt(NEARLY));
        f.if_(lies.and(self.is_close(calls, &search.a)), |f| {
            let line = self.straight(f, calls, &search.b, 0.into(), &-n.clone()).line();
            let rim = self.circle(f, &search.a, i);
            self.line_and_rim(f, search, [&line, &rim], &-n.clone(), 1 - turned);
        });
    }

    /// A face, cap or base.
    fn plane_part(&self, f: &mut FunctionBuilder, shape: &Expression, i: Expression) -> Side {
        let side = Variables::declare(f);
        let part = f.integer("part", i.clone());
        f.if_else(
            self.tables.solids.count(Part::Faces, shape).gt(0),
            |f| {
                let polygon = self.face(f, shape, i.clone());
                let plane = self.plane(f, shape, &polygon);
                side.assign(f, &plane);
            },
            |f| {
                let sign = (i.clone().to_real() * 2.0 - 1.0).keep(f, "sign");
                let cap = self.cap(f, shape, i.clone(), sign);
                f.assign(part, cap.part.clone());
                side.assign(f, &cap);
            },
        );
        side.side(shape, part.get())
    }

    /// Vertices, circles and ellipsoids over a plane.
    fn over_side(&self, f: &mut FunctionBuilder, search: &Search, plane: &Side, n: &Plain, turned: LocalId) {
        let other = &search.b;
        f.for_each("k", 0, self.tables.solids.count(Part::Vertices, other), |f, k| {
            let vertex = self.vertex(f, other, k);
            self.consider(f, search, Feature::PlanePoint, [plane, &vertex], turned);
        });
        self.round_over(f, search, plane, n, turned.get());
    }

    /// The sides of a face, and the side of a cylinder or cone that lies over them.
    fn sides_and_line(&self, f: &mut FunctionBuilder, search: &Search, calls: &Calls, face: LocalId, n: &Plain) {
        let is_cone = self.is_kind(&search.b, ShapeKind::Cone);
        f.if_(is_cone.or(self.is_kind(&search.b, ShapeKind::Cylinder)), |f| {
            let found = f.call(calls.parts.family, (&search.b, 0));
            let (axis, k) = (Plain::of(&found), found[3]);
            f.if_((axis.dot(n) + k).abs().lt(NEARLY), |f| {
                let line = self.straight(f, calls, &search.b, 0.into(), &-n.clone());
                let polygon = self.face(f, &search.a, face.get());
                f.for_each("k", 0, polygon.sides, |f, k| {
                    let edge = self.edge_of(f, &polygon, k);
                    let side = self.edge(f, &search.a, edge.clone());
                    let part = (edge.clone() + 1) * BASE + LINE;
                    let straight = Straight { side: Side { part, ..side }, is_cone: 0.into(), edge };
                    let cross = self.world_along(f, &straight.side).cross(&axis).keep(f, "cross");
                    f.if_(cross.dot(&cross).gt(PARALLEL * PARALLEL), |f| {
                        self.lines(f, search, [&straight, &line], n);
                    });
                });
            });
        });
    }

    /// Vertices and circles of the reference under the caps and bases of the other that lie on it.
    fn under_caps(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        calls: &Calls,
        i: LocalId,
        n: &Plain,
        turned: LocalId,
    ) {
        let (reference, other) = (&search.a, &search.b);
        let has_caps = self.tables.solids.count(Part::Vertices, other).eq_(0);
        f.if_(has_caps, |f| {
            f.for_each("k", 0, planes(self.tables, other), |f, k| {
                let m = Plain::of(&f.call(calls.parts.normal, (other, k)));
                f.if_(m.dot(n).lt(NEARLY - 1.0), |f| {
                    let cap = self.plane_part(f, other, k.get());
                    self.edges_and_rim(f, search, calls, reference, (other, k.get()), n);
                    let back = f.integer("back", 1 - turned);
                    f.for_each("v", 0, self.tables.solids.count(Part::Vertices, reference), |f, v| {
                        let vertex = self.vertex(f, reference, v);
                        self.consider(f, search, Feature::PlanePoint, [&cap, &vertex], back);
                    });
                    f.if_(self.tables.solids.count(Part::Vertices, reference).eq_(0), |f| {
                        let circle = self.circle(f, reference, i);
                        let lens = self.lens(f, [&cap, &circle]);
                        let is_smaller = circle.length.clone().lt(cap.length.clone());
                        f.if_(is_smaller.or(lens.exists), |f| {
                            self.circle_over(f, search, [&cap, &circle], &m, back.get());
                        });
                        f.if_(lens.exists, |f| {
                            let search = &lens.search(f, search);
                            self.middle_of_arc(f, search, [&cap, &circle], &-lens.way.clone(), back.get());
                        });
                    });
                });
            });
        });
    }
}

/// A shape, and the direction in which it is looked at.
struct Towards {
    shape: Expression,
    direction: Plain,
}

impl From<(&Expression, &Plain)> for Towards {
    fn from((shape, direction): (&Expression, &Plain)) -> Towards {
        Towards { shape: shape.clone(), direction: direction.clone() }
    }
}

impl Straight {
    /// As a line with the number of its edge.
    fn line(&self) -> Side {
        Side { part: self.edge.clone(), ..self.side.clone() }
    }
}

/// The numbers of a side that is one of several.
struct Variables {
    point: [LocalId; 3],
    along: [LocalId; 3],
    length: LocalId,
    radius: LocalId,
}

impl Variables {
    fn declare(f: &mut FunctionBuilder) -> Variables {
        Variables {
            point: [0.0; 3].map(|zero| f.real("side_point", zero)),
            along: [0.0; 3].map(|zero| f.real("side_along", zero)),
            length: f.real("side_length", 0.0),
            radius: f.real("side_radius", 0.0),
        }
    }

    fn assign(&self, f: &mut FunctionBuilder, side: &Side) {
        self.point.iter().zip(&side.point.0).for_each(|(&entry, value)| f.assign(entry, value));
        if let Some(along) = &side.along {
            self.along.iter().zip(&along.0).for_each(|(&entry, value)| f.assign(entry, value));
        }
        f.assign(self.length, side.length.clone());
        f.assign(self.radius, side.radius.clone());
    }

    fn side(&self, shape: &Expression, part: Expression) -> Side {
        Side {
            shape: shape.clone(),
            part,
            point: Plain::of(&self.point),
            along: Some(Plain::of(&self.along)),
            length: self.length.get(),
            radius: self.radius.get(),
            limits: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_parts_end_in_their_kinds() {
        for kind in [VERTEX, CIRCLE, ELLIPSOID, LINE, CONE] {
            assert!(kind < BASE && (5 * BASE + kind) & (BASE - 1) == kind);
        }
    }
}
