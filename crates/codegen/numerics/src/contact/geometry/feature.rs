//! The kinds of features, and what describes each of them: points and directions in the axes of two frames, radii, and where the feature ends.
//!
//! The first of a feature is not always the first of the pair: `TURNED` is −1 where it is the second.

/// What touches, the one first after which a kind is called first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A plane, and a rounded point.
    PlanePoint,
    /// Two rounded points.
    PointPoint,
    /// A rounded point, and a rounded line.
    PointLine,
    /// Two rounded lines that cross.
    LineLine,
}

pub const FEATURES: [Feature; 4] = [Feature::PlanePoint, Feature::PointPoint, Feature::PointLine, Feature::LineLine];

/// Places in the data of a feature, for all kinds: a point of the first, one of the second, and their radii.
pub const FIRST: usize = 0;
pub const SECOND: usize = 3;
pub const FIRST_RADIUS: usize = 6;
pub const SECOND_RADIUS: usize = 7;
/// The normal or direction of what is a plane or line on the first, and the direction on the second.
pub const FIRST_ALONG: usize = 8;
pub const SECOND_ALONG: usize = 11;
/// The vertex, edge or face of each of the two shapes, −1 where there is none; lengths of edges.
pub const FIRST_PART: usize = 14;
pub const SECOND_PART: usize = 15;
pub const FIRST_LENGTH: usize = 16;
pub const SECOND_LENGTH: usize = 17;
/// +1 or −1: along which side of the cross product of two lines the second is.
pub const SIDE: usize = 18;
/// +1 where the first of the feature is on the first of the pair's shapes, lower kind first, else −1.
pub const TURNED: usize = 19;
