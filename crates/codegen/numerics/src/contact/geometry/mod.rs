//! The geometry of contact: how far shapes are apart, and at which points, along which normals they touch.
//!
//! Most shapes are a core and a radius: spheres are rounded points, capsules rounded segments, boxes polytopes of radius zero. A contact is a
//! *point* with a gap and a normal, and what makes it is an atomic *feature*: a vertex over a face, a point near a line, two edges that cross. Each
//! kind of feature has a gap that is smooth in the poses of the two frames, also a little inside and beyond the ends of the feature, so that
//! events can be located on it; `margin` says how far the ends are away.
//!
//! Shapes, frames and pairs are tables. Code is chosen by the kinds of two shapes and grows with neither.

mod ascent;
mod axes;
mod clearance;
mod convex;
mod convex_points;
mod curved;
mod detect;
mod discs;
mod distance;
mod evaluate;
mod feature;
mod flat;
mod lasting;
mod margin;
mod parts;
mod pierced;
mod place;
mod polytopes;
mod proximity;
mod regions;
mod rim;
mod rims;
mod ring;
mod rolling;
mod round;
mod segments;
mod solid;
mod support;
mod supports;
mod surface;
mod tables;

mod facing;
mod over_surface;

mod dual;
mod vector;

pub use clearance::{WITH_FIRST, WITH_SECOND};
use distance::Parts;
pub use vector::{Plain, Scalar, Vector};

use kernel::{ArrayId, FunctionId, ModuleBuilder};
use tables::{Method, Tables};

/// The frames that bear shapes.
#[derive(Clone, Copy, Debug)]
pub struct Bodies {
    pub count: usize,
    /// Twelve numbers each: the origin in the world, and the axes R_WF row by row.
    pub pose: ArrayId,
    /// Six numbers each: velocity of the origin, angular velocity, both in the world.
    pub twist: ArrayId,
    /// A table of what never moves: [`MOVES`], [`STILL`] or [`AS_THE_WORLD`].
    pub still: ArrayId,
}

/// What may be said of a frame in advance: nothing; that it never moves; and that besides its origin and axes are those of the world.
pub const MOVES: i64 = 0;
pub const STILL: i64 = 1;
pub const AS_THE_WORLD: i64 = 2;

/// What a shape is, with its sizes. A pair is treated with the lower kind first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShapeKind {
    /// All that is behind the plane through the origin, whose normal is the z axis. No sizes.
    HalfSpace,
    /// Radius.
    Sphere,
    /// Half length, along z.
    Rod,
    /// Radius, half length of the axis, along z.
    Capsule,
    /// Half edges.
    Box,
    /// A convex polytope of fixed vertices. No sizes.
    Hull,
    /// Radius, half height, along z.
    Cylinder,
    /// Radius of the base, height: the base is at −h/4 on the z axis, the apex at 3h/4.
    Cone,
    /// Semi-axes.
    Ellipsoid,
    /// Radius of the circle in the xy plane, radius of the tube.
    Torus,
    /// All that is beyond a surface F(x, y, z) = 0 in its frame, seen from either side. No sizes.
    Surface,
}

impl ShapeKind {
    /// Whether a shape of this kind can stand on a circle.
    pub fn has_circles(self) -> bool {
        matches!(self, ShapeKind::Cylinder | ShapeKind::Cone | ShapeKind::Torus)
    }

    /// The kind of a solid of the language.
    pub fn named(solid: &str) -> Option<ShapeKind> {
        let kind = match solid {
            "sphere" | "shell" => ShapeKind::Sphere,
            "rod" => ShapeKind::Rod,
            "capsule" => ShapeKind::Capsule,
            "box" => ShapeKind::Box,
            "hull" => ShapeKind::Hull,
            "cylinder" => ShapeKind::Cylinder,
            "cone" => ShapeKind::Cone,
            "ellipsoid" => ShapeKind::Ellipsoid,
            "torus" => ShapeKind::Torus,
            "surface" => ShapeKind::Surface,
            _ => return None,
        };
        Some(kind)
    }

    /// Lengths from end to end are halved, for shapes are measured from their centres.
    pub fn halves(self) -> [f64; 3] {
        match self {
            ShapeKind::Box => [0.5; 3],
            ShapeKind::Rod => [0.5, 1.0, 1.0],
            ShapeKind::Capsule | ShapeKind::Cylinder => [1.0, 0.5, 1.0],
            _ => [1.0; 3],
        }
    }
}

/// The vertices of a convex polytope around the origin, and its faces as cycles of vertices, anticlockwise from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct HullTable {
    pub vertices: Vec<[f64; 3]>,
    pub faces: Vec<Vec<usize>>,
}

#[derive(Clone, Debug)]
pub struct Shapes {
    pub kinds: Vec<ShapeKind>,
    /// The frame of each shape, an index into [`Bodies`].
    pub frames: Vec<usize>,
    /// Three numbers each, as [`ShapeKind`] says; those that a kind does not have are ignored.
    pub sizes: ArrayId,
    /// Twelve numbers each: origin and axes (row by row) of the shape in its frame.
    pub places: ArrayId,
    /// For each hull its vertices, for the others nothing.
    pub hulls: Vec<Option<HullTable>>,
    /// `(shape, x, y, z) -> 10 reals`: F of a surface, its gradient, and its second derivatives by xx, yy, zz, xy, xz, yz, where there are surfaces.
    pub field: Option<FunctionId>,
}

#[derive(Clone, Debug)]
pub struct Pairs {
    pub shapes: Vec<[usize; 2]>,
    /// For each pair +1 or −1: on which side of a half-space, along its normal, the other shape is. +1 for all others.
    pub side: ArrayId,
}

/// What is touched: slots 0 to `capacity` are the caller's, `detect` fills those from `capacity` to twice that. One more is for trials.
#[derive(Clone, Copy, Debug)]
pub struct Points {
    pub capacity: usize,
    /// How many slots `detect` has filled; more than `capacity` where there was no room for all of them.
    pub found: ArrayId,
    pub pair: ArrayId,
    /// A key: the same feature of a pair has the same one whenever it is found.
    pub feature: ArrayId,
    /// The kind of the feature.
    pub kind: ArrayId,
    /// What `evaluate` and `margin` need, [`DATA`](Points::DATA) numbers each, in the axes of the two frames.
    pub data: ArrayId,
    /// What `evaluate` gives: the gap, the normal from the first shape to the second, the point midway between the two surfaces.
    pub gap: ArrayId,
    pub normal: ArrayId,
    pub point: ArrayId,
    pub normal_rate: ArrayId,
    pub point_rate: ArrayId,
}

impl Points {
    /// How many numbers describe a feature.
    pub const DATA: usize = 31;

    /// Arrays with room for so many points.
    pub fn declare(module: &mut ModuleBuilder, capacity: usize) -> Points {
        let slots = Points::slots(capacity);
        Points {
            capacity,
            found: module.integer_array("contact_found", 1, "how many points were found"),
            pair: module.integer_array("contact_pair", slots, "the pair of shapes of each point"),
            feature: module.integer_array("contact_feature", slots, "key of the feature of each point"),
            kind: module.integer_array("contact_kind", slots, "kind of the feature of each point"),
            data: module.real_array("contact_data", slots * Points::DATA, "the features, in the axes of their frames"),
            gap: module.real_array("contact_gap", slots, "gap at each point"),
            normal: module.real_array("contact_normal", 3 * slots, "normals, from the first shape to the second"),
            point: module.real_array("contact_point", 3 * slots, "points midway between the surfaces"),
            normal_rate: module.real_array("contact_normal_rate", 3 * slots, "rates of the normals"),
            point_rate: module.real_array("contact_point_rate", 3 * slots, "rates of the points"),
        }
    }

    /// The slot in which features are tried.
    fn trial(&self) -> usize {
        2 * self.capacity
    }

    /// How many slots the arrays have: those of the caller, as many that are found, one for trials.
    pub fn slots(capacity: usize) -> usize {
        2 * capacity + 1
    }
}

/// The kernel functions of the geometry of a scene. All but `evaluate` need `measure` once, and `place` whenever poses have changed.
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    /// `()`: what follows from sizes alone; once, at the start of a run.
    pub measure: FunctionId,
    /// `()`: the poses of all shapes in the world, from those of the frames.
    pub place: FunctionId,
    /// `(pair: integer) -> (gap, n_x, n_y, n_z)`: positive where the shapes are apart, and then no more than their distance, with which it
    /// vanishes; the unit vector from the first shape to the second along which it is measured.
    pub distance: FunctionId,
    /// `(pair: integer) -> real`: the distance where the shapes are apart, else how deep they are in one another, negative.
    pub gap: FunctionId,
    /// `(pair: integer, n_x, n_y, n_z, tau, bend, with) -> real`: no more than the distance along the direction n, fixed in the world if `with` is 0,
    /// or turning with the first or the second shape ([`WITH_FIRST`], [`WITH_SECOND`]), after the time tau, if no point's height changes its rate by more than `bend` for each unit of time. Concave in tau. Where one is a half-space the
    /// direction is its normal, which turns with it, so that `bend` is about heights over the plane as it moves.
    pub clearance: FunctionId,
    /// `(pair: integer, n_x, n_y, n_z) -> (curvature, speed, rate)`: for a ball beside something that is not convex, along whose directions nothing
    /// is told: how strongly that may bend towards it, how fast its centre moves there, and how fast the gap along n changes. For anything else
    /// beside a torus, after `distance` of that pair: no point is faster than the speed, and the rate is that of the nearest one. A negative
    /// curvature is that of all other pairs.
    pub bent: FunctionId,
    /// `(pair: integer, within: real)`: appends each point of the pair with a gap of at most `within`.
    pub detect: FunctionId,
    /// `(slot: integer)`: gap, normal, point and rates of the feature in a slot, at the poses and twists of the frames.
    pub evaluate: FunctionId,
    /// `(slot: integer) -> real`: how far a point is from the ends of its feature, in units of length; negative where it has left it. Once a
    /// feature has been found its margin is positive by [`SLACK`], so that the one found beyond an end does not lead back.
    pub margin: FunctionId,
    /// `(from: integer, to: integer, number: integer, x, y, z)`: puts the point of a circle into a slot that is farthest along a direction in the
    /// world; the circle lies flat, and one of its points is in the slot `from`. The number tells it from others that are made so.
    pub around: FunctionId,
    /// For each shape, the radius of a sphere about its centre that holds it. Half-spaces: [`FAR`].
    pub radius: ArrayId,
    /// Twelve numbers for each shape: its origin and its axes, row by row, in the world; see `place`.
    pub poses: ArrayId,
    /// `(shape: integer, m_x, m_y, m_z) -> real`: how far a shape reaches from its origin along a vector in the world, times its length.
    pub support: FunctionId,
}

/// A length without bound, for the margins of what has no ends and the radius of half-spaces.
pub const FAR: f64 = 1e30;

/// What is outside of a feature by less than this, relative to the smaller of two shapes, still belongs to it when features are looked for.
pub const INSIDE: f64 = 1e-10;

/// Features found are left when they are outside by so much, relative to the smaller of two shapes: twice [`INSIDE`].
pub const SLACK: f64 = 2e-10;

/// The sine by which an edge may lean into a face beside the one that it crosses, when crossings are looked for; they are left at twice that. It is
/// more than what touches can lean by.
pub const LEAN: f64 = 4e-9;

/// The sine below which lines are parallel, and below which circles lie flat.
pub const PARALLEL: f64 = 1e-8;

/// Whether features are found between shapes of these kinds. Others are far from one another, whatever their poses.
pub fn supported(a: ShapeKind, b: ShapeKind) -> bool {
    tables::method(a, b).is_some()
}

/// How features between shapes of these kinds are found, in words; nothing where they are not.
pub fn how(a: ShapeKind, b: ShapeKind) -> Option<&'static str> {
    tables::method(a, b).map(Method::words)
}

/// Whether shapes of these kinds touch in one point that stays one, wherever they are: a ball on a plane or another ball.
pub fn is_lasting(kinds: [ShapeKind; 2]) -> bool {
    let [low, high] = [kinds[0].min(kinds[1]), kinds[0].max(kinds[1])];
    low <= ShapeKind::Sphere && high == ShapeKind::Sphere
}

/// Adds the geometry of a scene to a module.
///
/// # Panics
/// If the arrays of `points` are too short; see [`Points::declare`].
pub fn geometry(
    module: &mut ModuleBuilder,
    bodies: Bodies,
    shapes: &Shapes,
    pairs: &Pairs,
    points: Points,
) -> Geometry {
    geometry_with(module, bodies, shapes, pairs, points, None)
}

/// Adds the geometry of a scene in which shapes may come to be inside of one another by this part of the smaller one.
///
/// # Panics
/// If the arrays of `points` are too short; see [`Points::declare`].
// Long: declares one function for each method of a pair, and the one that chooses between them.
pub fn geometry_with(
    module: &mut ModuleBuilder,
    bodies: Bodies,
    shapes: &Shapes,
    pairs: &Pairs,
    points: Points,
    slop: Option<f64>,
) -> Geometry {
    assert!(module.length(points.gap) >= Points::slots(points.capacity), "there is a slot for trials");
    let tables = Tables { slop, ..Tables::declare(module, bodies, shapes, pairs, points) };
    let measure = place::measure(module, &tables);
    let place = place::place(module, &tables);
    let support = support::support(module, &tables);
    let at = place::material(module, &tables);
    let regions = regions::regions(module, &tables, &at);
    let nearest = segments::nearest(module);
    let supporting = axes::supporting_edge(module, &tables, &at);
    let parts = tables.is_used[Method::Polytopes as usize].then(|| Parts {
        axes: axes::axes(module, &tables, [support, supporting]),
        proximity: proximity::proximity(module, &tables, at, regions, nearest),
        regions,
    });
    let round = module.reals("contact_round", &curved::table(), "cosines and sines at the points of a circle");
    let convex = tables.is_used[Method::Convex as usize].then(|| {
        let parts = parts::parts(module, &tables, at, round);
        convex_points::Calls {
            separate: convex::convex(module, &tables, parts, support),
            parts,
            supporting,
            least: module.real_array("contact_least", 2, "least gap and margin of points to be kept"),
        }
    });
    let curved = surface::curved(module, &tables);
    let touched = (convex.as_ref().map(|convex| &convex.parts), curved.as_ref());
    let rolls = rolling::rolling(module, &tables, &at, touched);
    let kinds = evaluate::Calls { parts: touched.0, curved: touched.1, rolling: &rolls };
    let evaluate = evaluate::evaluate(module, &tables, &at, &kinds);
    let margin = margin::margin(module, &tables, &at, &regions, evaluate);
    let places = module.reals("contact_places", &ring::places(), "cosines and sines at places of a circle");
    let [rings, over] = [Method::Ring, Method::SolidSurface].map(|method| tables.is_used[method as usize]);
    let seen = over.then(|| module.real_array("contact_seen", over_surface::SEEN, "gaps of a solid over a surface"));
    let kept = (rings || over)
        .then(|| module.real_array("contact_kept", ring::KEPT, "bounds of what is kept, and the best of it"));
    let finding = detect::Calls { at, nearest, evaluate, margin, round, rolls, places, kept, seen };
    let finders = detect::finders(module, &tables, &finding, parts, convex, curved);
    let convex = convex.map(|convex| convex.separate);
    let vertex = at.vertex;
    let calls = distance::Calls { finders: &finders, support, nearest, vertex, parts, convex, kept, seen, curved };
    let distance = distance::distance(module, &tables, &calls);
    Geometry {
        measure,
        place,
        distance,
        gap: distance::gap(module, &tables, distance, &calls),
        clearance: clearance::clearance(module, &tables, support),
        bent: surface::bent(module, &tables, curved, [kept, seen]),
        detect: detect::detect(module, &tables, &finders),
        evaluate,
        margin,
        around: flat::point_of_circle(module, &tables),
        radius: tables.radius,
        poses: tables.poses,
        support,
    }
}
