//! The kinds of features, and what describes each of them: points and directions in the axes of two frames, radii, and where the feature ends.
//!
//! The first of a feature is not always the first of the pair: `TURNED` is −1 where it is the second.

/// What touches, the one first after which a kind is called first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A plane, and a rounded point. The plane may end at the sides of a face or at a circle; the point may be one of a circle that lies flat.
    PlanePoint,
    /// Two rounded points, the second of which may be the apex of a cone.
    PointPoint,
    /// A rounded point, and a rounded line.
    PointLine,
    /// Two rounded lines that cross.
    LineLine,
    /// A plane, and the lowest point of a rounded circle.
    PlaneCircle,
    /// A plane, and the lowest point of an ellipsoid.
    PlaneEllipsoid,
    /// A rounded point, and a rounded circle.
    PointCircle,
    /// A rounded point, and the side of a cone.
    PointCone,
    /// A rounded point, and an ellipsoid.
    PointEllipsoid,
    /// Two circles or ellipsoids.
    RoundRound,
    /// A line or the side of a cone, and a circle or ellipsoid.
    StraightRound,
    /// Two lines or sides of cones.
    StraightStraight,
    /// A line, and a circle that it crosses.
    LineCircle,
    /// Two discs that lie flat on one another, where their rims cross.
    PlaneCrossing,
    /// Two circles that cross.
    CircleCircle,
    /// A rounded point, and a curved surface.
    PointSurface,
    /// A rounded circle with its nearest point to a rounded point, line, circle, to the side of a cone or an ellipsoid.
    RingPoint,
    RingLine,
    RingCircle,
    RingCone,
    RingEllipsoid,
    /// A rounded line or circle with its nearest point to a curved surface. The radius of a line may grow along it, as it does inside of a cone.
    LineSurface,
    CircleSurface,
    /// A plane, and the point of a curved surface that comes nearest to it.
    PlaneSurface,
    /// An ellipsoid, and a curved surface.
    EllipsoidSurface,
}

/// Those of shapes that are convex.
pub const CONVEX: usize = Feature::PointSurface as usize;

pub const FEATURES: [Feature; 25] = [
    Feature::PlanePoint,
    Feature::PointPoint,
    Feature::PointLine,
    Feature::LineLine,
    Feature::PlaneCircle,
    Feature::PlaneEllipsoid,
    Feature::PointCircle,
    Feature::PointCone,
    Feature::PointEllipsoid,
    Feature::RoundRound,
    Feature::StraightRound,
    Feature::StraightStraight,
    Feature::LineCircle,
    Feature::PlaneCrossing,
    Feature::CircleCircle,
    Feature::PointSurface,
    Feature::RingPoint,
    Feature::RingLine,
    Feature::RingCircle,
    Feature::RingCone,
    Feature::RingEllipsoid,
    Feature::LineSurface,
    Feature::CircleSurface,
    Feature::PlaneSurface,
    Feature::EllipsoidSurface,
];

impl Feature {
    /// Where the first is a curve: what a ball touches that is at its nearest point.
    pub fn of_ball(self) -> Option<Feature> {
        let ball = match self {
            Feature::RingPoint => Feature::PointPoint,
            Feature::RingLine => Feature::PointLine,
            Feature::RingCircle => Feature::PointCircle,
            Feature::RingCone => Feature::PointCone,
            Feature::RingEllipsoid => Feature::PointEllipsoid,
            Feature::LineSurface | Feature::CircleSurface => Feature::PointSurface,
            _ => return None,
        };
        Some(ball)
    }
}

/// Places in the data of a feature, for all kinds: a point of the first, one of the second, and their radii. A circle has its centre there, a cone
/// its apex.
pub const FIRST: usize = 0;
pub const SECOND: usize = 3;
pub const FIRST_RADIUS: usize = 6;
pub const SECOND_RADIUS: usize = 7;
/// The normal, direction or axis of what is a plane, line, circle or cone.
pub const FIRST_ALONG: usize = 8;
pub const SECOND_ALONG: usize = 11;
/// The vertex, edge or face of each of the two shapes, −1 where there is none.
pub const FIRST_PART: usize = 14;
pub const SECOND_PART: usize = 15;
/// Lengths of edges and sides of cones, radii of circles, and of those in which planes end or on which points are; 0 for all others.
pub const FIRST_LENGTH: usize = 16;
pub const SECOND_LENGTH: usize = 17;
/// +1 or −1: along which side of the cross product of two lines the second is, or on which side of their centres rims cross.
pub const SIDE: usize = 18;
/// +1 where the first of the feature is on the first of the pair's shapes, lower kind first, else −1.
pub const TURNED: usize = 19;
/// Where a circle is over a plane: the direction from its centre to its lowest point when it was found; of a point of a circle that lies flat, its
/// centre. Where a line crosses one: see `rim.rs`. Of a curve: the place on it that was nearest when it was found, in its frame.
pub const TILT: usize = 20;
/// By how much a feature was outside of its ends when it was found: it is left when it is farther out.
pub const EXCESS: usize = 23;
/// Which circle it is that is over a plane, with its lowest point or lying flat, from 1 on; 0 for all others.
pub const CIRCLE_OVER: usize = 24;
/// Where the first is near a circle or cone: two numbers, across and along the axis, which are the normal of the cone or the direction in which
/// its side ends at the circle; and 1 where it does. Of a line over a curved surface: by how much its radius grows along it. Of an ellipsoid there:
/// trace and determinant of how the two bend apart.
pub const LIMITS: usize = 25;
/// Of a curve: its nearest point in the world, where it was looked at last. Of two circles that cross: the direction from the centre of the second to
/// where they did when they were found, in its frame, as `TILT` is that of the first. Of what a plane or an ellipsoid faces: the point of the curved
/// surface, in its frame; `TILT` is the one with which looking begins.
pub const NEAREST: usize = 28;
