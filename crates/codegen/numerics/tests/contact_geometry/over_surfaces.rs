//! Solids over curved surfaces, held against the shapes that surfaces bound, and against many of their points.

use crate::KINDS;
use crate::random::Random;
use crate::scene::{HERE, Pose, Shape, Vector, add, length, times, with_shapes_fast};
use numerics::contact::{ShapeKind, supported};

/// Kinds of solids that touch curved surfaces.
fn solids() -> impl Iterator<Item = ShapeKind> {
    KINDS.into_iter().filter(|&kind| supported(kind, ShapeKind::Surface))
}

fn surface(sizes: Vector) -> Shape {
    Shape { kind: ShapeKind::Surface, sizes, place: HERE, hull: None }
}

/// A surface that is an ellipsoid is as far from everything as the ellipsoid is.
#[test]
fn surfaces_are_as_far_as_what_they_bound() {
    for kind in solids() {
        let mut random = Random(kind as u64 + 900);
        let solid = random.shape(kind);
        let sizes = [0; 3].map(|_| random.between(0.3, 1.2));
        let ellipsoid = Shape { kind: ShapeKind::Ellipsoid, ..surface(sizes) };
        with_shapes_fast(&[solid, surface(sizes), ellipsoid], &[[0, 1], [0, 2]], |scene| {
            let mut random = Random(kind as u64 + 950);
            for _ in 0..40 {
                let (other, mut pose) = (random.pose(1.0), random.pose(2.0));
                for height in [f64::NAN, 0.3, 0.01, 1e-6] {
                    scene.place(&[pose, other, other]);
                    let (gap, n) = scene.distance(1);
                    if gap < 0.02 && height.is_nan() {
                        break;
                    }
                    if !height.is_nan() {
                        pose.origin = add(pose.origin, times(n, gap - height));
                        scene.place(&[pose, other, other]);
                    }
                    let [found, expected] = [0, 1].map(|pair| scene.gap(pair));
                    assert!((found - expected).abs() < 1e-9, "{kind:?} at {height}: {found} is not {expected}");
                    let (lower, _) = scene.distance(0);
                    assert!(lower <= expected + 1e-9 && lower > 0.0, "{kind:?}: {lower} is not below {expected}");
                }
            }
        });
    }
}

/// What is moved along the direction of its gap by as much touches a hill or a valley: no point of it is behind the surface, and one is on it.
#[test]
fn solids_touch_hills_and_valleys_where_they_are_said_to() {
    // A dome, a valley, a saddle, a trough, and a bowl with one steep side.
    for (a, b) in [(-0.7, -0.3), (0.5, 0.3), (0.6, -0.5), (0.4, 0.0), (0.1, 0.7)] {
        for kind in solids() {
            let mut random = Random(kind as u64 + 700);
            let solid = random.shape(kind);
            let samples = samples(&solid, &mut random);
            with_shapes_fast(&[solid, surface([a, b, -1.0])], &[[0, 1]], |scene| {
                let mut random = Random(kind as u64 + 750);
                for _ in 0..12 {
                    let origin = [random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(1.5, 2.5)];
                    let mut pose = Pose { origin, axes: random.axes() };
                    scene.place(&[pose, HERE]);
                    let name = format!("{kind:?} over z = {a} x² + {b} y²");
                    let gap = scene.gap(0);
                    for _ in 0..40 {
                        let (gap, n) = scene.distance(0);
                        pose.origin = add(pose.origin, times(n, gap));
                        scene.place(&[pose, HERE]);
                    }
                    assert!(scene.gap(0).abs() < 1e-9, "{name}: {gap} becomes {}", scene.gap(0));
                    let heights = samples.iter().map(|&p| {
                        let [x, y, z] = pose.point(p);
                        (z - a * x * x - b * y * y) / (1.0 + 4.0 * (a * a * x * x + b * b * y * y)).sqrt()
                    });
                    let least = heights.fold(f64::INFINITY, f64::min);
                    assert!((-1e-8..0.02).contains(&least), "{name}: {least} above it");
                    let found = scene.detect(0, 1e-9);
                    assert!(!found.is_empty(), "{name}: nothing touches");
                    for point in found {
                        assert!(point.margin > 0.0, "{name}: {point:?}");
                        let [x, y, z] = point.point;
                        assert!((z - a * x * x - b * y * y).abs() < 1e-8, "{name}: {point:?} is not on it");
                        let up = [2.0 * a * x, 2.0 * b * y, -1.0];
                        let up = times(up, 1.0 / length(up));
                        assert!(length(add(point.normal, times(up, -1.0))) < 1e-7, "{name}: {point:?}, {up:?}");
                    }
                }
            });
        }
    }
}

/// Many points of a solid, in its frame.
fn samples(solid: &Shape, random: &mut Random) -> Vec<Vector> {
    let [a, b, c] = solid.sizes;
    let ball = |random: &mut Random| {
        let v = random.vector(1.0);
        times(v, 1.0 / length(v))
    };
    let mut one = |_: usize| -> Vector {
        let (s, t) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let n = ball(random);
        let disc = |r: f64| {
            let across = (n[0] * n[0] + n[1] * n[1]).sqrt();
            [r * n[0] / across, r * n[1] / across]
        };
        // Half of the points are on rims, edges or ends.
        let (edge, sign) = (t > 0.0, if s > 0.0 { 1.0 } else { -1.0 });
        match solid.kind {
            ShapeKind::Sphere => times(n, a),
            ShapeKind::Rod => [0.0, 0.0, if edge { a * sign } else { a * s }],
            ShapeKind::Capsule => add(times(n, a), [0.0, 0.0, b * s.clamp(-0.5, 0.5) * 2.0]),
            ShapeKind::Box => {
                let mut p = [0; 3].map(|_| (random.between(-2.0, 2.0)).clamp(-1.0, 1.0));
                p[(t.abs() * 3.0) as usize % 3] = sign;
                [a * p[0], b * p[1], c * p[2]]
            }
            ShapeKind::Hull => {
                let hull = solid.hull.as_ref().expect("a hull has vertices");
                let face = &hull.faces[(t.abs() * hull.faces.len() as f64) as usize % hull.faces.len()];
                let mut weights = [0; 3].map(|_| random.between(-0.5, 1.0).max(0.0));
                weights[0] += 1e-9;
                let sum: f64 = weights.iter().sum();
                face.iter().zip(weights).fold([0.0; 3], |p, (&k, w)| add(p, times(hull.vertices[k], w / sum)))
            }
            ShapeKind::Cylinder => {
                let [x, y] = disc(if edge { a } else { a * t.abs() });
                [x, y, if edge { b * (2.0 * s).clamp(-1.0, 1.0) } else { b * sign }]
            }
            ShapeKind::Cone => {
                let part = if edge { (1.5 * s.abs()).min(1.0) } else { 1.0 };
                let [x, y] = disc(if edge { a * part } else { a * t.abs() });
                [x, y, 0.75 * b - b * part]
            }
            ShapeKind::Ellipsoid => [a * n[0], b * n[1], c * n[2]],
            ShapeKind::Torus => {
                let [x, y] = disc(a);
                let way = std::f64::consts::PI * s;
                let (out, up) = (b * libm::cos(way), b * libm::sin(way));
                [x * (1.0 + out / a), y * (1.0 + out / a), up]
            }
            ShapeKind::HalfSpace | ShapeKind::Surface => panic!("they are no solids"),
        }
    };
    let points: Vec<Vector> = (0..20_000).map(&mut one).collect();
    points.into_iter().map(|p| solid.place.point(p)).collect()
}
