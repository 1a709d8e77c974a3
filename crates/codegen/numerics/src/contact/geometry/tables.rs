//! Shapes and pairs as arrays: whatever code works on them finds there which frame, which vertices, which method it is about.

use super::{
    Bodies, Pairs, Points, ShapeKind, Shapes,
    feature::{CONVEX, FEATURES, Feature},
    solid::Solid,
};
use kernel::{ArrayId, Expression, FunctionId, ModuleBuilder};

/// How the distance and the features of a pair are found. The shape of the lower kind is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Half-space and rounded polytope.
    Plane,
    /// Half-space and cylinder, cone, ellipsoid or torus.
    PlaneCurved,
    /// Two points or segments, rounded.
    Segments,
    /// Two polytopes, rounded, the second with faces.
    Polytopes,
    /// Sphere and cylinder, cone, ellipsoid or torus.
    SphereCurved,
    /// Two convex shapes that are not both polytopes.
    Convex,
    /// Sphere and curved surface.
    SphereSurface,
    /// Anything but a half-space or a sphere, and a torus.
    Ring,
    /// Anything but a half-space or a sphere, and a curved surface.
    SolidSurface,
}

pub const METHODS: [Method; 9] = [
    Method::Plane,
    Method::PlaneCurved,
    Method::Segments,
    Method::Polytopes,
    Method::SphereCurved,
    Method::Convex,
    Method::SphereSurface,
    Method::Ring,
    Method::SolidSurface,
];

impl Method {
    /// How gaps are found, in words.
    pub fn words(self) -> &'static str {
        match self {
            Method::Plane => "corners, ends or centres over a plane",
            Method::PlaneCurved => "the lowest points of what is round over a plane",
            Method::Segments => "the nearest points of two lines or centres",
            Method::Polytopes => "the best of all axes of faces and edges, and the corners of what they share",
            Method::SphereCurved => "the nearest point to a centre",
            Method::SphereSurface => "the foot of a centre on a curved surface",
            Method::Ring => "the nearest of the balls of a torus to each part of the other",
            Method::SolidSurface => {
                "corners, edges, rims, faces and centres, each with its nearest point of a curved surface"
            }
            Method::Convex => "the direction of the largest separation, and the parts that face each other along it",
        }
    }

    /// The features that are found.
    fn features(self) -> &'static [Feature] {
        match self {
            Method::Plane => &[Feature::PlanePoint],
            Method::PlaneCurved => &[Feature::PlanePoint, Feature::PlaneCircle, Feature::PlaneEllipsoid],
            Method::Segments => &[Feature::PointPoint, Feature::PointLine, Feature::LineLine],
            Method::Polytopes => &[Feature::PlanePoint, Feature::PointPoint, Feature::PointLine, Feature::LineLine],
            Method::Convex => &FEATURES[..CONVEX],
            Method::Ring => &[
                Feature::PlanePoint,
                Feature::PlaneCircle,
                Feature::PointPoint,
                Feature::PointLine,
                Feature::PointCircle,
                Feature::PointCone,
                Feature::PointEllipsoid,
                Feature::RingPoint,
                Feature::RingLine,
                Feature::RingCircle,
                Feature::RingCone,
                Feature::RingEllipsoid,
            ],
            Method::SphereSurface => &[Feature::PointSurface],
            Method::SolidSurface => &[
                Feature::PointSurface,
                Feature::LineSurface,
                Feature::CircleSurface,
                Feature::PlaneSurface,
                Feature::EllipsoidSurface,
            ],
            Method::SphereCurved => &[
                Feature::PlanePoint,
                Feature::PointPoint,
                Feature::PointLine,
                Feature::PointCircle,
                Feature::PointCone,
                Feature::PointEllipsoid,
            ],
        }
    }
}

/// How shapes of two kinds are treated; nothing where they are not.
pub fn method(a: ShapeKind, b: ShapeKind) -> Option<Method> {
    let (first, second) = if a <= b { (a, b) } else { (b, a) };
    match (first, second) {
        (ShapeKind::HalfSpace, ShapeKind::HalfSpace) => None,
        (ShapeKind::Sphere, ShapeKind::Surface) => Some(Method::SphereSurface),
        (ShapeKind::HalfSpace | ShapeKind::Surface, ShapeKind::Surface) => None,
        (_, ShapeKind::Surface) => Some(Method::SolidSurface),
        (ShapeKind::HalfSpace, other) if is_polytope(other) => Some(Method::Plane),
        (ShapeKind::HalfSpace, _) => Some(Method::PlaneCurved),
        (first, second) if is_slender(first) && is_slender(second) => Some(Method::Segments),
        (first, second) if is_polytope(first) && is_polytope(second) => Some(Method::Polytopes),
        (ShapeKind::Sphere, _) => Some(Method::SphereCurved),
        (_, ShapeKind::Torus) => Some(Method::Ring),
        (_, ShapeKind::Cylinder | ShapeKind::Cone | ShapeKind::Ellipsoid) => Some(Method::Convex),
        _ => None,
    }
}

/// Whether the core is a point or a segment.
fn is_slender(kind: ShapeKind) -> bool {
    matches!(kind, ShapeKind::Sphere | ShapeKind::Rod | ShapeKind::Capsule)
}

fn is_polytope(kind: ShapeKind) -> bool {
    is_slender(kind) || matches!(kind, ShapeKind::Box | ShapeKind::Hull)
}

pub struct Tables {
    pub bodies: Bodies,
    pub points: Points,
    pub shape_count: usize,
    pub sizes: ArrayId,
    pub places: ArrayId,
    pub side: ArrayId,
    pub kinds: ArrayId,
    pub frames: ArrayId,
    /// Twelve numbers for each shape: its pose in the world.
    pub poses: ArrayId,
    /// The radius about the centre, the radius that rounds the core, and what stretches its vertices, for each shape.
    pub radius: ArrayId,
    pub rounding: ArrayId,
    pub stretch: ArrayId,
    /// For each pair its two shapes, the lower kind first; whether that is their order, +1, or not, −1; and the method.
    pub pairs: ArrayId,
    pub order: ArrayId,
    pub methods: ArrayId,
    pub is_used: [bool; METHODS.len()],
    /// What is outside of a feature of polytopes by less than this part of the smaller shape still belongs to it.
    pub inside: ArrayId,
    /// Whether features of each kind can be found.
    pub has: [bool; FEATURES.len()],
    pub solids: Solids,
    /// F of curved surfaces, where there are any.
    pub field: Option<FunctionId>,
    /// By which part of the smaller one shapes may be inside of one another, where that is usual.
    pub slop: Option<f64>,
}

/// The cores of all shapes, one behind the other. Vertices, edges and faces are counted from the first of their shape.
pub struct Solids {
    /// For each shape [`PLACES`](Solids::PLACES) numbers.
    pub of: ArrayId,
    pub vertices: ArrayId,
    /// Two vertices for each edge.
    pub edges: ArrayId,
    /// Two faces for each edge, −1 where it has none.
    pub edge_faces: ArrayId,
    pub directions: ArrayId,
    /// For each edge the place of its direction among those of the shape; −1 for points.
    pub edge_directions: ArrayId,
    /// For each face where its vertices and sides begin, and how many there are.
    pub faces: ArrayId,
    pub normals: ArrayId,
    pub corners: ArrayId,
    pub sides: ArrayId,
}

/// Where a part of a shape begins in its table and how many there are, as places in [`Solids::of`].
#[derive(Clone, Copy)]
pub enum Part {
    Vertices = 0,
    Edges = 2,
    Faces = 4,
    Directions = 6,
}

impl Solids {
    pub const PLACES: usize = 8;

    pub fn first(&self, part: Part, shape: impl Into<Expression>) -> Expression {
        self.of.at(shape.into() * Solids::PLACES + part as usize)
    }

    pub fn count(&self, part: Part, shape: impl Into<Expression>) -> Expression {
        self.of.at(shape.into() * Solids::PLACES + (part as usize + 1))
    }

    fn declare(module: &mut ModuleBuilder, shapes: &Shapes) -> Solids {
        let hull = |shape: usize| shapes.hulls.get(shape).and_then(Option::as_ref);
        let solids: Vec<Solid> =
            shapes.kinds.iter().enumerate().map(|(shape, &kind)| Solid::of(kind, hull(shape))).collect();
        let mut rows = Rows::default();
        solids.iter().for_each(|solid| rows.append(solid));
        Solids {
            of: module.integers(
                "solid_parts",
                &rows.of,
                "vertices, edges, faces, directions of each shape: first, count",
            ),
            vertices: module.reals("solid_vertices", &padded(rows.vertices), "vertices, before stretching"),
            edges: module.integers("solid_edges", &padded(rows.edges), "two vertices of each edge"),
            edge_faces: module.integers("solid_edge_faces", &padded(rows.edge_faces), "two faces of each edge, or -1"),
            directions: module.integers(
                "solid_directions",
                &padded(rows.directions),
                "edges none of which are parallel",
            ),
            edge_directions: module.integers(
                "solid_edge_directions",
                &padded(rows.edge_directions),
                "direction of each edge",
            ),
            faces: module.integers(
                "solid_faces",
                &padded(rows.faces),
                "first corner and number of corners of each face",
            ),
            normals: module.reals("solid_normals", &padded(rows.normals), "unit vectors out of faces"),
            corners: module.integers("solid_corners", &padded(rows.corners), "vertices of faces"),
            sides: module.integers("solid_sides", &padded(rows.sides), "edges of faces"),
        }
    }
}

/// An array has at least one element, so that code for what no shape has is still good code.
fn padded<T: Default>(mut values: Vec<T>) -> Vec<T> {
    if values.is_empty() {
        values.push(T::default());
    }
    values
}

#[derive(Default)]
struct Rows {
    of: Vec<i64>,
    vertices: Vec<f64>,
    edges: Vec<i64>,
    edge_faces: Vec<i64>,
    directions: Vec<i64>,
    edge_directions: Vec<i64>,
    faces: Vec<i64>,
    normals: Vec<f64>,
    corners: Vec<i64>,
    sides: Vec<i64>,
}

impl Rows {
    fn append(&mut self, solid: &Solid) {
        let parts = [
            (self.vertices.len() / 3, solid.vertices.len()),
            (self.edges.len() / 2, solid.edges.len()),
            (self.faces.len() / 2, solid.faces.len()),
            (self.directions.len(), solid.directions.len()),
        ];
        self.of.extend(parts.iter().flat_map(|&(first, count)| [first as i64, count as i64]));
        self.vertices.extend(solid.vertices.iter().flatten());
        self.edges.extend(integers(solid.edges.iter().flatten()));
        let faces = solid.edge_faces.iter().map(|faces| faces.map_or([-1, -1], |faces| faces.map(|face| face as i64)));
        self.edge_faces.extend(faces.flatten());
        self.directions.extend(integers(&solid.directions));
        let direction = |edge: usize| solid.direction(edge).map_or(-1, |direction| direction as i64);
        self.edge_directions.extend((0..solid.edges.len()).map(direction));
        for face in 0..solid.faces.len() {
            self.faces.extend([self.corners.len() as i64, solid.faces[face].len() as i64]);
            self.corners.extend(integers(&solid.faces[face]));
            self.sides.extend(integers(&solid.sides[face]));
            self.normals.extend(solid.normal(face));
        }
    }
}

fn integers<'a>(values: impl IntoIterator<Item = &'a usize>) -> impl Iterator<Item = i64> {
    values.into_iter().map(|&value| value as i64)
}

impl Tables {
    pub fn declare(
        module: &mut ModuleBuilder,
        bodies: Bodies,
        shapes: &Shapes,
        pairs: &Pairs,
        points: Points,
    ) -> Tables {
        let count = shapes.kinds.len();
        let kinds: Vec<i64> = shapes.kinds.iter().map(|&kind| kind as i64).collect();
        let frames: Vec<i64> = integers(&shapes.frames).collect();
        let is_ordered = |[a, b]: [usize; 2]| shapes.kinds[a] <= shapes.kinds[b];
        let ordered =
            |&[a, b]: &[usize; 2]| if is_ordered([a, b]) { [a as i64, b as i64] } else { [b as i64, a as i64] };
        let rows: Vec<i64> = pairs.shapes.iter().flat_map(ordered).collect();
        let order: Vec<f64> = pairs.shapes.iter().map(|&pair| if is_ordered(pair) { 1.0 } else { -1.0 }).collect();
        let methods: Vec<Option<Method>> =
            pairs.shapes.iter().map(|&[a, b]| method(shapes.kinds[a], shapes.kinds[b])).collect();
        let numbers: Vec<i64> = methods.iter().map(|method| method.map_or(-1, |method| method as i64)).collect();
        Tables {
            bodies,
            points,
            shape_count: count,
            sizes: shapes.sizes,
            places: shapes.places,
            side: pairs.side,
            kinds: module.integers("shape_kinds", &padded(kinds), "kind of each shape"),
            frames: module.integers("shape_frames", &padded(frames), "frame of each shape"),
            poses: module.real_array("shape_poses", 12 * count.max(1), "origin and axes of each shape in the world"),
            radius: module.real_array("shape_radius", count.max(1), "radius of a sphere around each shape"),
            rounding: module.real_array("shape_rounding", count.max(1), "radius around the core of each shape"),
            stretch: module.real_array("shape_stretch", 3 * count.max(1), "factors on the vertices of each shape"),
            pairs: module.integers("pair_shapes", &padded(rows), "two shapes of each pair, the lower kind first"),
            order: module.reals("pair_order", &padded(order), "1 where the lower kind is the first of a pair, else -1"),
            methods: module.integers("pair_methods", &padded(numbers), "how each pair is treated, or -1"),
            has: FEATURES.map(|feature| methods.iter().flatten().any(|method| method.features().contains(&feature))),
            inside: module.reals(
                "pair_inside",
                &[super::INSIDE],
                "what is so little outside of a feature belongs to it",
            ),
            is_used: METHODS.map(|method| methods.contains(&Some(method))),
            solids: Solids::declare(module, shapes),
            field: shapes.field,
            slop: None,
        }
    }

    /// The two shapes of a pair, the lower kind first.
    pub fn shapes(&self, pair: impl Into<Expression>) -> [Expression; 2] {
        let pair = pair.into() * 2;
        [self.pairs.at(&pair), self.pairs.at(pair + 1)]
    }
}
