//! Distances by another way: the point nearest to the origin of all differences, approached from within by farthest points (Gilbert, Johnson and
//! Keerthi), and from without by the separation along its direction.

use crate::scene::{Pose, Shape, Vector, add, dot, length, minus, times, turn, turn_back};
use numerics::contact::ShapeKind;

/// The point of a shape that is farthest along a direction, both in its own axes.
fn farthest(shape: &Shape, m: Vector) -> Vector {
    let [a, b, c] = shape.sizes;
    let across = (m[0] * m[0] + m[1] * m[1]).sqrt().max(1e-300);
    let rim = |radius: f64| [radius * m[0] / across, radius * m[1] / across, 0.0];
    let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
    match shape.kind {
        ShapeKind::HalfSpace => panic!("half-spaces have a direction"),
        ShapeKind::Sphere => times(m, a / length(m)),
        ShapeKind::Rod => [0.0, 0.0, a * sign(m[2])],
        ShapeKind::Capsule => add(times(m, a / length(m)), [0.0, 0.0, b * sign(m[2])]),
        ShapeKind::Box => [a * sign(m[0]), b * sign(m[1]), c * sign(m[2])],
        ShapeKind::Hull => {
            let hull = shape.hull.as_ref().expect("a hull has vertices");
            let higher = |best: Vector, &next: &Vector| if dot(next, m) > dot(best, m) { next } else { best };
            hull.vertices.iter().fold(hull.vertices[0], higher)
        }
        ShapeKind::Cylinder => add(rim(a), [0.0, 0.0, b * sign(m[2])]),
        ShapeKind::Cone => {
            let (apex, base) = ([0.0, 0.0, 0.75 * b], add(rim(a), [0.0, 0.0, -0.25 * b]));
            if dot(apex, m) > dot(base, m) { apex } else { base }
        }
        // The surfaces of these laws bound ellipsoids.
        ShapeKind::Ellipsoid | ShapeKind::Surface => {
            let stretched = [a * m[0], b * m[1], c * m[2]];
            let h = length(stretched);
            [a * stretched[0] / h, b * stretched[1] / h, c * stretched[2] / h]
        }
        ShapeKind::Torus => add(rim(a), times(m, b / length(m))),
    }
}

/// The point of a shape in the world that is farthest along a direction.
fn world_farthest(shape: &Shape, pose: &Pose, n: Vector) -> Vector {
    let pose = shape.place.within(pose);
    add(pose.origin, turn(pose.axes, farthest(shape, turn_back(pose.axes, n))))
}

/// The separation along a unit vector from the first to the second. Half-spaces come first.
pub fn separation(shapes: [&Shape; 2], poses: [&Pose; 2], n: Vector) -> f64 {
    let lowest = dot(n, world_farthest(shapes[1], poses[1], times(n, -1.0)));
    let highest = if shapes[0].kind == ShapeKind::HalfSpace {
        shapes[0].place.within(poses[0]).origin
    } else {
        world_farthest(shapes[0], poses[0], n)
    };
    lowest - dot(n, highest)
}

/// Bounds of the distance of convex shapes, from below and above.
pub fn distance_bounds(shapes: [&Shape; 2], poses: [&Pose; 2]) -> (f64, f64) {
    if shapes[0].kind == ShapeKind::HalfSpace {
        let n = shapes[0].place.within(poses[0]).axes.map(|row| row[2]);
        let height = separation(shapes, poses, n);
        return (height, height);
    }
    let corner =
        |n: Vector| minus(world_farthest(shapes[1], poses[1], times(n, -1.0)), world_farthest(shapes[0], poses[0], n));
    let mut simplex = vec![corner([0.6, 0.48, 0.64])];
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for _ in 0..400 {
        let (nearest, kept) = nearest_in(&simplex);
        simplex = kept;
        high = high.min(length(nearest));
        if length(nearest) < 1e-12 {
            break;
        }
        let n = times(nearest, 1.0 / length(nearest));
        low = low.max(separation(shapes, poses, n));
        if high - low < 1e-13 || simplex.len() == 4 {
            break;
        }
        simplex.push(corner(n));
    }
    (low, high)
}

/// The point nearest to the origin of at most four corners, and the corners between which it is: the best of all that are between some.
fn nearest_in(corners: &[Vector]) -> (Vector, Vec<Vector>) {
    let mut best = (corners[0], vec![corners[0]]);
    for subset in 1usize..1 << corners.len() {
        let chosen: Vec<Vector> =
            corners.iter().enumerate().filter(|(k, _)| subset >> k & 1 == 1).map(|(_, &corner)| corner).collect();
        if let Some(nearest) = nearest_between(&chosen)
            && dot(nearest, nearest) < dot(best.0, best.0)
        {
            best = (nearest, chosen);
        }
    }
    best
}

/// The foot of the origin on what some corners span, if it is between them.
fn nearest_between(corners: &[Vector]) -> Option<Vector> {
    let edges: Vec<Vector> = corners[1..].iter().map(|&corner| minus(corner, corners[0])).collect();
    let count = edges.len();
    // Normal equations, by elimination.
    let mut rows: Vec<Vec<f64>> = (0..count)
        .map(|i| (0..count).map(|j| dot(edges[i], edges[j])).chain([-dot(edges[i], corners[0])]).collect())
        .collect();
    for pivot in 0..count {
        if rows[pivot][pivot] < 1e-26 {
            return None;
        }
        for other in 0..count {
            if other != pivot {
                let factor = rows[other][pivot] / rows[pivot][pivot];
                let row = rows[pivot].clone();
                rows[other].iter_mut().zip(row).for_each(|(entry, by)| *entry -= factor * by);
            }
        }
    }
    let weights: Vec<f64> = (0..count).map(|i| rows[i][count] / rows[i][i]).collect();
    if weights.iter().any(|&weight| weight < 0.0) || weights.iter().sum::<f64>() > 1.0 {
        return None;
    }
    Some(edges.iter().zip(weights).fold(corners[0], |sum, (&edge, weight)| add(sum, times(edge, weight))))
}
