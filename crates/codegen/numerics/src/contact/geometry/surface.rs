//! Spheres and curved surfaces F(x, y, z) = 0: the foot of a centre, from which the gradient leads to it.
//!
//! Nothing is known of F but its value, its gradient and its second derivatives at a place, in the axes of the surface's frame. The foot x of p solves
//! x + λ ∇F(x) = p and F(x) = 0, by Newton's method. Where a surface bends back there are several: whether one is nearer than that to which a
//! start at p leads is looked for in directions all around.

use super::{
    FAR, ShapeKind,
    clearance::motion,
    detect::{Finder, Search},
    dual::{Dual, Moving},
    evaluate::{Sides, Touch},
    feature::Feature,
    over_surface,
    place::{centre, turned, turned_back},
    ring::BEST,
    tables::{Method, Tables},
    vector::{Plain, Scalar, Vector},
};
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real,
};

/// Steps of Newton's method, and how small the last one is beside what it leads to.
pub const MOST_STEPS: usize = 60;
pub const LAST_STEP: f64 = 4.0 * f64::EPSILON;
/// A step that is not shorter than half the one before, and no more than this, is rounding.
pub const ROUNDING: f64 = 1e-12;
/// A foot is one if the last step to it was so short.
pub const FOUND: f64 = 1e-9;

/// Directions all around: those of the faces and the corners of a cube.
pub const AROUND: usize = 14;
/// In each of them it is looked as far as the known foot is, and a half and a fourth of that; farther where none is known.
const LEVELS: i64 = 3;
const MANY_LEVELS: i64 = 24;
/// How much of the way to the known foot is looked at: that itself is on the surface.
const ALMOST: f64 = 0.999;
/// Halvings that bring a place near enough to a surface to begin there.
const HALVINGS: i64 = 20;

/// The gap of a torus bends by no more than this, over the radius of its tube, for each unit of speed squared.
const RING_BENT: f64 = 4.0;

/// What bends away may bend as much more within what is looked at.
const BENT: f64 = 0.75;

/// The methods that look at curved surfaces.
const USED: [Method; 2] = [Method::SphereSurface, Method::SolidSurface];

#[derive(Clone, Copy)]
pub struct Curved {
    /// `(shape, x, y, z) -> (F, ∂x, ∂y, ∂z, ∂xx, ∂yy, ∂zz, ∂xy, ∂xz, ∂yz)`, in the frame of the surface.
    pub field: FunctionId,
    /// `(shape, p, x) -> (x, λ, off)`: the foot of p, from a place x on, and how long the last step was, relative to the way.
    pub foot: FunctionId,
    /// `(pair, sphere, surface) -> (gap, n)`: the nearest of all feet.
    pub nearest: FunctionId,
    /// Directions all around.
    pub around: ArrayId,
}

/// F and what follows from it at a place.
pub struct Field {
    pub value: LocalId,
    pub gradient: Plain,
    second: [LocalId; 6],
}

impl Field {
    pub fn at(f: &mut FunctionBuilder, field: FunctionId, shape: &Expression, place: &Plain) -> Field {
        let [value, x, y, z, xx, yy, zz, xy, xz, yz] = f.call_n(field, place.after([shape.clone()]));
        Field { value, gradient: Plain::of(&[x, y, z]), second: [xx, yy, zz, xy, xz, yz] }
    }

    /// The second derivatives along a direction.
    pub fn bent(&self, along: &Plain) -> Plain {
        let [xx, yy, zz, xy, xz, yz] = self.second;
        let row = |a: LocalId, b: LocalId, c: LocalId| Plain::of(&[a, b, c]).dot(along);
        Vector([row(xx, xy, xz), row(xy, yy, yz), row(xz, yz, zz)])
    }

    /// The inverse of 1 + λ ∇∇F, times vectors.
    fn solve<const N: usize>(&self, f: &mut FunctionBuilder, lambda: &Expression, right: [&Plain; N]) -> [Plain; N] {
        let [xx, yy, zz, xy, xz, yz] = self.second.map(|entry| f.real("entry", entry * lambda.clone()));
        let [xx, yy, zz] = [xx, yy, zz].map(|entry| f.real("entry", entry + 1.0));
        let pairs = [(yy * zz - yz * yz), (xz * yz - xy * zz), (xy * yz - xz * yy)];
        let [a, b, c] = pairs.map(|part| f.real("part", part));
        let pairs = [(xx * zz - xz * xz), (xy * xz - xx * yz), (xx * yy - xy * xy)];
        let [d, e, g] = pairs.map(|part| f.real("part", part));
        let determinant = f.real("determinant", xx * a + xy * b + xz * c);
        right.map(|right| {
            let row = |x: LocalId, y: LocalId, z: LocalId| Plain::of(&[x, y, z]).dot(right);
            Vector([row(a, b, c), row(b, d, e), row(c, e, g)]).over(determinant).keep(f, "solved")
        })
    }

    /// How strongly the surface is bent, at most.
    pub fn curvature(&self, f: &mut FunctionBuilder) -> LocalId {
        let [xx, yy, zz, xy, xz, yz] = self.second;
        let square = xx * xx + yy * yy + zz * zz + (xy * xy + xz * xz + yz * yz) * 2.0;
        let steep = self.gradient.length(f, "steep");
        f.real("curvature", square.sqrt() / steep.max(f64::MIN_POSITIVE))
    }
}

/// The functions of curved surfaces, where there are any.
pub fn curved(module: &mut ModuleBuilder, tables: &Tables) -> Option<Curved> {
    let field = tables.field.filter(|_| USED.iter().any(|&method| tables.is_used[method as usize]))?;
    let foot = foot(module, field);
    let around = module.reals("surface_around", &directions(), "directions all around");
    Some(Curved { field, foot, nearest: nearest(module, tables, (field, foot), around), around })
}

/// Where Newton's method begins: the place at which F vanishes if it is linear.
pub fn start(f: &mut FunctionBuilder, field: &Field, place: &Plain) -> Plain {
    let square = f.real("square", field.gradient.dot(&field.gradient).max(f64::MIN_POSITIVE));
    (place.clone() - field.gradient.times(field.value / square)).keep(f, "start")
}

fn foot(module: &mut ModuleBuilder, field: FunctionId) -> FunctionId {
    let parameters = [
        ("shape", Integer),
        ("p_x", Real),
        ("p_y", Real),
        ("p_z", Real),
        ("from_x", Real),
        ("from_y", Real),
        ("from_z", Real),
    ];
    let foot = module.function("surface_foot", &parameters, &[Real; 5], |f| {
        let [shape, p_x, p_y, p_z, from_x, from_y, from_z] = f.parameters();
        let (shape, p) = (shape.get(), Plain::of(&[p_x, p_y, p_z]));
        let at = [from_x, from_y, from_z].map(|from| f.real("at", from));
        let x = Plain::of(&at);
        let first = Field::at(f, field, &shape, &x);
        let square = first.gradient.dot(&first.gradient).max(f64::MIN_POSITIVE);
        let lambda = f.real("lambda", (p.clone() - x.clone()).dot(&first.gradient) / square);
        let (off, before) = (f.real("off", f64::INFINITY), f.real("before", f64::INFINITY));
        f.for_each("step", 0, MOST_STEPS, |f, _| {
            let here = Field::at(f, field, &shape, &x);
            let left = (x.clone() + here.gradient.times(lambda) - p.clone()).keep(f, "left");
            let [a, b] = here.solve(f, &lambda.get(), [&left, &here.gradient]);
            let more = f.real("more", (here.value - here.gradient.dot(&a)) / here.gradient.dot(&b));
            let step = (-(a + b.times(more))).keep(f, "step");
            f.increase(lambda, more);
            at.into_iter().zip(step.0.clone()).for_each(|(at, step)| f.increase(at, step));
            let way = (p.clone() - x.clone()).length(f, "way");
            let (far, length) = (x.length(f, "far"), step.length(f, "length"));
            f.assign(off, length / (far + way).max(f64::MIN_POSITIVE));
            let stalls = off.gt(before * 0.5).and(off.le(ROUNDING));
            f.if_(off.le(LAST_STEP).or(stalls), |f| f.break_());
            f.assign(before, off);
        });
        f.return_((at[0], at[1], at[2], lambda, off));
    });
    module.describe(foot, "The foot of a place on a curved surface.");
    foot
}

/// The nearest of the feet of a sphere's centre, and the direction to it.
// Long: one search; what is found from the first foot on and along each direction is compared with the best so far.
fn nearest(
    module: &mut ModuleBuilder,
    tables: &Tables,
    (field, foot): (FunctionId, FunctionId),
    directions: ArrayId,
) -> FunctionId {
    let parameters = [("pair", Integer), ("a", Integer), ("b", Integer)];
    let nearest = module.function("surface_nearest", &parameters, &[Real; 4], |f| {
        let [pair, a, b] = f.parameters();
        let (sphere, surface) = (a.get(), b.get());
        let p = own_centre(f, tables, &sphere, &surface);
        let here = Field::at(f, field, &surface, &p);
        let sign = f.real("sign", here.value.lt(0.0).select(-1.0, 1.0));
        let radius = f.real("radius", tables.radius.at(a));
        let best = [0; 3].map(|_| f.real("best", 0.0));
        let far = f.real("far", radius * (1_i64 << (MANY_LEVELS / 2)) as f64);
        let found = f.integer("found", 0);
        let offer = |f: &mut FunctionBuilder, from: &Plain| {
            let arguments: Vec<Expression> = p.after([surface.clone()]).into_iter().chain(from.0.clone()).collect();
            let [x, y, z, _, off] = f.call_n(foot, arguments);
            let way = (Plain::of(&[x, y, z]) - p.clone()).length(f, "way");
            let way = f.real("way_there", way);
            f.if_(off.le(FOUND).and(way.lt(far)), |f| {
                f.assign(far, way);
                f.assign(found, 1);
                best.into_iter().zip([x, y, z]).for_each(|(best, part)| f.assign(best, part));
            });
        };
        let begin = start(f, &here, &p);
        offer(f, &begin);
        let levels = f.integer("levels", found.select(LEVELS, MANY_LEVELS));
        f.for_each("k", 0, AROUND, |f, k| {
            let along = Plain::load(f, "along", directions, k * 3);
            let reach = f.real("reach", far * ALMOST);
            f.for_each("level", 0, levels, |f, _| {
                let beyond = beyond(f, (field, &surface, &p), &along, reach, sign);
                f.if_(beyond, |f| {
                    let near = f.real("near", 0.0);
                    f.for_each("halving", 0, HALVINGS, |f, _| {
                        let middle = f.real("middle", (near + reach) * 0.5);
                        let there = self::beyond(f, (field, &surface, &p), &along, middle, sign);
                        f.if_else(there, |f| f.assign(reach, middle), |f| f.assign(near, middle));
                    });
                    let from = (p.clone() + along.times(reach)).keep(f, "from");
                    offer(f, &from);
                    f.break_();
                });
                f.assign(reach, reach * 0.5);
            });
        });
        f.if_(found.eq_(0), |f| f.return_((FAR, 0.0, 0.0, 1.0)));
        let there = Field::at(f, field, &surface, &Plain::of(&best));
        let side = f.real("side", tables.side.at(pair));
        let steep = there.gradient.length(f, "steep");
        let own = there.gradient.times(-(side / steep)).keep(f, "own");
        let n = turned(tables.poses, surface * 12, &own).keep(f, "n");
        f.return_(n.after([sign * side * far - radius]));
    });
    module.describe(nearest, "How far a sphere is from a curved surface, and the direction there.");
    nearest
}

/// Whether F has the other sign so far along a direction.
fn beyond(
    f: &mut FunctionBuilder,
    (field, surface, p): (FunctionId, &Expression, &Plain),
    along: &Plain,
    reach: LocalId,
    sign: LocalId,
) -> Expression {
    let place = (p.clone() + along.times(reach)).keep(f, "place");
    let there = Field::at(f, field, surface, &place);
    (there.value * sign).lt(0.0)
}

/// The centre of a shape in the axes of a surface.
pub fn own_centre(f: &mut FunctionBuilder, tables: &Tables, shape: &Expression, surface: &Expression) -> Plain {
    let way = centre(f, "c", tables, shape) - centre(f, "o", tables, surface);
    turned_back(tables.poses, surface.clone() * 12, &way.keep(f, "way")).keep(f, "p")
}

fn directions() -> Vec<f64> {
    let corner = (1.0_f64 / 3.0).sqrt();
    let faces = (0..6).map(|k| {
        let mut face = [0.0; 3];
        face[k / 2] = if k % 2 == 0 { 1.0 } else { -1.0 };
        face
    });
    let corners = (0..8).map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { corner } else { -corner }));
    faces.chain(corners).flatten().collect()
}

impl Finder<'_> {
    pub fn sphere_and_surface(&self, f: &mut FunctionBuilder) {
        let search = Search::of(f);
        let sides = [self.vertex(f, &search.a, 0), self.centre(f, &search.b)];
        self.consider(f, &search, Feature::PointSurface, [&sides[0], &sides[1]], 0);
    }
}

impl Sides<'_> {
    /// Velocity and angular velocity of the second frame; none where it stands still.
    pub fn second_motion(&self, f: &mut FunctionBuilder) -> [Plain; 2] {
        if self.is_still {
            return [(); 2].map(|()| Vector([0.0, 0.0, 0.0].map(Expression::from)));
        }
        [Plain::load(f, "velocity", self.tables.bodies.twist, self.second.clone() * 6), self.second_turning(f)]
    }

    /// The rates follow from the equations of the foot: dx + λ ∇∇F dx + dλ ∇F = dp, with ∇F·dx = 0.
    pub fn point_surface(&self, f: &mut FunctionBuilder, curved: &Curved) -> Touch {
        let (bodies, surface) = (self.tables.bodies, &self.second_shape);
        let (p, pose) = (self.first_point(f), self.second.clone() * 12);
        let arm = (p.value() - Plain::load(f, "origin", bodies.pose, pose.clone())).keep(f, "arm");
        let [velocity, spin] = self.second_motion(f);
        let relative = (p.rate() - velocity - spin.cross(&arm)).keep(f, "relative");
        let own = turned_back(bodies.pose, pose.clone(), &arm).keep(f, "own");
        let rate = turned_back(bodies.pose, pose.clone(), &relative).keep(f, "own_rate");
        let here = Field::at(f, curved.field, surface, &own);
        let from = start(f, &here, &own);
        let arguments: Vec<Expression> = own.after([surface.clone()]).into_iter().chain(from.0).collect();
        let [x, y, z, lambda, off] = f.call_n(curved.foot, arguments);
        let foot = Plain::of(&[x, y, z]);
        let there = Field::at(f, curved.field, surface, &foot);
        let gradient = there.gradient.clone();
        let [b, c] = there.solve(f, &lambda.get(), [&gradient, &rate]);
        let turned_by = f.real("turned_by", gradient.dot(&c) / gradient.dot(&b));
        let moved = (c - b.times(turned_by)).keep(f, "moved");
        let steep = gradient.length(f, "steep");
        let side = f.real("side", self.tables.side.at(&self.pair) / steep);
        let n = gradient.times(side).keep(f, "n");
        let bent = there.bent(&moved).times(side).keep(f, "bent");
        let bent = (bent.clone() - n.times(n.dot(&bent))).keep(f, "bent_across");
        let height = Dual {
            // What has no foot is far from the surface.
            value: f.real("height", off.le(FOUND).select(n.dot(&(own - foot)), FAR)).get(),
            rate: f.real("height_rate", n.dot(&rate)).get(),
        };
        let outward = turned(bodies.pose, pose.clone(), &n).keep(f, "outward");
        let turning = (turned(bodies.pose, pose, &bent) + spin.cross(&outward)).keep(f, "turning");
        let normal: Moving =
            Vector([0, 1, 2].map(|k| Dual { value: -outward.0[k].clone(), rate: -turning.0[k].clone() }));
        let normal = normal.keep(f, "normal");
        self.between(f, &p, normal, height)
    }
}

/// `(pair, n_x, n_y, n_z) -> (curvature, speed, rate)`: see [`Geometry::bent`](super::Geometry::bent).
pub fn bent(
    module: &mut ModuleBuilder,
    tables: &Tables,
    curved: Option<Curved>,
    [kept, seen]: [Option<ArrayId>; 2],
) -> FunctionId {
    let parameters = [("pair", Integer), ("n_x", Real), ("n_y", Real), ("n_z", Real)];
    let bent = module.function("contact_bent", &parameters, &[Real; 3], |f| {
        let [pair, x, y, z] = f.parameters();
        let [a, b] = tables.shapes(pair).map(|shape| f.integer("shape", shape).get());
        let is_ball = tables.kinds.at(&a).eq_(ShapeKind::Sphere as usize);
        let [ring, surface] = [ShapeKind::Torus, ShapeKind::Surface]
            .map(|kind| f.integer("is_it", is_ball.clone().and(tables.kinds.at(&b).eq_(kind as usize))));
        let [c, v, _] = motion(f, tables, &a);
        let [o, v_b, w_b] = motion(f, tables, &b);
        f.if_(ring.or(surface).eq_(0), |f| {
            if let Some(kept) = kept {
                f.if_(tables.methods.at(pair).eq_(Method::Ring as usize), |f| {
                    let n = Plain::of(&[x, y, z]).times(tables.order.at(pair));
                    beside_ring(f, tables, kept, (&a, &b), &n);
                });
            }
            if let Some(seen) = seen {
                f.if_(tables.methods.at(pair).eq_(Method::SolidSurface as usize), |f| {
                    over_surface::beside(f, tables, seen, [&a, &b]);
                });
            }
            f.return_((-1.0, 0.0, 0.0));
        });
        let way = (c - o).keep(f, "way");
        let relative = (v - v_b - w_b.cross(&way)).keep(f, "relative");
        let n = Plain::of(&[x, y, z]).times(tables.order.at(pair));
        let speed = relative.length(f, "speed");
        let rate = f.real("rate", -n.dot(&relative));
        let p = turned_back(tables.poses, b.clone() * 12, &way).keep(f, "p");
        let curvature = f.real("curvature", 0.0);
        f.if_(ring, |f| {
            let [x, y, _] = p.0.clone();
            let radius = (x.clone() * x + y.clone() * y).root(f, "radius");
            f.assign(curvature, 1.0 / radius.max(f64::MIN_POSITIVE));
        });
        if let Some(Curved { field, foot, .. }) = curved {
            f.if_(surface, |f| {
                let here = Field::at(f, field, &b, &p);
                let from = start(f, &here, &p);
                let arguments: Vec<Expression> = p.after([b.clone()]).into_iter().chain(from.0).collect();
                let [x, y, z, _, _] = f.call_n(foot, arguments);
                let there = Plain::of(&[x, y, z]);
                let far = (there.clone() - p.clone()).length(f, "far");
                let own = Field::at(f, field, &b, &there).curvature(f);
                f.assign(curvature, own / (1.0 - (own * far).min(BENT)));
            });
        }
        f.return_((curvature.get(), speed, rate.get()));
    });
    module.describe(bent, "How a ball moves beside what is not convex.");
    bent
}

/// How anything moves beside a torus, at the point that was nearest when the distance was found: while it comes no farther than a part of the tube, its
/// gap bends no more than that does.
fn beside_ring(f: &mut FunctionBuilder, tables: &Tables, kept: ArrayId, (a, b): (&Expression, &Expression), n: &Plain) {
    let p = Plain::load(f, "p", kept, BEST + 4);
    let [velocity, fast] = [(); 2].map(|()| f.real("moving", 0.0));
    let both = [a, b].map(|shape| {
        let [c, v, w] = motion(f, tables, shape);
        let spin = w.length(f, "spin");
        f.increase(fast, spin * tables.radius.at(shape));
        (v.clone(), (v + w.cross(&(p.clone() - c))).keep(f, "there"))
    });
    let [(v_a, at_a), (v_b, at_b)] = both;
    f.assign(velocity, n.dot(&(at_b - at_a)));
    let passing = (v_b - v_a).length(f, "passing");
    f.return_((RING_BENT / tables.rounding.at(b).max(f64::MIN_POSITIVE), fast + passing, velocity.get()));
}
