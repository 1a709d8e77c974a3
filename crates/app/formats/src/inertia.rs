//! Mass and moments of inertia: of uniform solids, of several together, and whether a rigid body can have them.

use crate::robot::Shape;
use crate::turn::Vector;

/// xx, yy, zz, xy, xz, yz.
pub type Moments = [f64; 6];

/// Volume, and the means of x², y² and z² over it, about the centre.
pub fn of_solid(shape: &Shape) -> (f64, Vector) {
    use std::f64::consts::PI;
    match *shape {
        Shape::Box([x, y, z]) => (x * y * z, [x, y, z].map(|edge| edge * edge / 12.0)),
        Shape::Ellipsoid([x, y, z]) => (4.0 / 3.0 * PI * x * y * z, [x, y, z].map(|axis| axis * axis / 5.0)),
        Shape::Sphere(radius) => (4.0 / 3.0 * PI * radius * radius * radius, [radius * radius / 5.0; 3]),
        Shape::Cylinder { radius, length } => {
            let across = radius * radius / 4.0;
            (PI * radius * radius * length, [across, across, length * length / 12.0])
        }
        Shape::Capsule { radius, length } => capsule(radius, length),
        Shape::Hull(ref corners) => base::Hull::of(corners).map_or((0.0, [0.0; 3]), |hull| {
            let base::Spread { volume, means: [x, y, z, ..], .. } = hull.spread();
            (volume, [x, y, z])
        }),
    }
}

/// A cylinder, and a ball cut in halves beyond its ends: the centre of a half is 3/8 of the radius from where it was cut.
fn capsule(radius: f64, length: f64) -> (f64, Vector) {
    let (cylinder, [across, _, along]) = of_solid(&Shape::Cylinder { radius, length });
    let (ball, [square, ..]) = of_solid(&Shape::Sphere(radius));
    let volume = cylinder + ball;
    let half = length / 2.0;
    let of_caps = square + half * half + 2.0 * half * 3.0 / 8.0 * radius;
    let mean = |a: f64, b: f64| (a * cylinder + b * ball) / volume;
    (volume, [mean(across, square), mean(across, square), mean(along, of_caps)])
}

/// Moments from the mean squares of a mass.
pub fn of_spread(mass: f64, [x, y, z]: Vector) -> Moments {
    [mass * (y + z), mass * (x + z), mass * (x + y), 0.0, 0.0, 0.0]
}

/// Principal moments, the least first, and the axes in which they stand.
pub fn principal(moments: Moments) -> (Vector, [Vector; 3]) {
    let [xx, yy, zz, xy, xz, yz] = moments;
    let mut matrix = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Jacobi's method converges quadratically; twenty sweeps are far more than it needs.
    for _ in 0..20 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut matrix, &mut axes, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| matrix[a][a].total_cmp(&matrix[b][b]));
    (order.map(|at| matrix[at][at]), order.map(|at| axes[at]))
}

/// One rotation in the plane of p and q that makes their entry zero.
fn rotate(matrix: &mut [[f64; 3]; 3], axes: &mut [Vector; 3], p: usize, q: usize) {
    if matrix[p][q] == 0.0 {
        return;
    }
    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in matrix.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    for k in 0..3 {
        (matrix[p][k], matrix[q][k]) = (c * matrix[p][k] - s * matrix[q][k], s * matrix[p][k] + c * matrix[q][k]);
        (axes[p][k], axes[q][k]) = (c * axes[p][k] - s * axes[q][k], s * axes[p][k] + c * axes[q][k]);
    }
}

/// The nearest moments that a rigid body can have, where no body can have these: mean squares of places that are negative become zero.
pub fn repaired(moments: Moments) -> Option<Moments> {
    // Files round to six digits or so, but what is off by more than a part in a billion would be refused.
    const ROUNDING: f64 = 1e-9;
    let ([a, b, c], axes) = principal(moments);
    let spread = [(b + c - a) / 2.0, (a + c - b) / 2.0, (a + b - c) / 2.0];
    let trace = spread.iter().map(|part| part.abs()).sum::<f64>();
    if spread.iter().all(|&part| part >= -ROUNDING * trace / 4.0) {
        return None;
    }
    let [x, y, z] = spread.map(|part| part.max(0.0));
    let fixed = [y + z, x + z, x + y];
    let entry = |i: usize, j: usize| (0..3).map(|at| fixed[at] * axes[at][i] * axes[at][j]).sum::<f64>();
    Some(match moments[3..] {
        [0.0, 0.0, 0.0] => in_order(moments, fixed),
        _ => [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|(i, j)| entry(i, j)),
    })
}

/// Without products the axes stay as they are: the least moment is where it was.
fn in_order(moments: Moments, fixed: Vector) -> Moments {
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| moments[a].total_cmp(&moments[b]));
    let mut result = [0.0; 6];
    (0..3).for_each(|at| result[order[at]] = fixed[at]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capsule_is_between_a_ball_and_a_cylinder() {
        let (volume, spread) = of_solid(&Shape::Capsule { radius: 0.3, length: 0.0 });
        let (ball, of_ball) = of_solid(&Shape::Sphere(0.3));
        assert!((volume - ball).abs() < 1e-16 && (0..3).all(|at| (spread[at] - of_ball[at]).abs() < 1e-16));
        // By the integral over its cross-sections.
        let (volume, [_, _, z]) = of_solid(&Shape::Capsule { radius: 0.2, length: 1.0 });
        let numeric = midpoint(|z: f64| {
            let beyond = (z.abs() - 0.5).max(0.0);
            std::f64::consts::PI * (0.04 - beyond * beyond)
        });
        assert!(
            (volume - numeric.0).abs() < 1e-7 && (z - numeric.1 / numeric.0).abs() < 1e-7,
            "{volume} {z} {numeric:?}"
        );
    }

    /// Integrals of a cross-section and of it times z² from -0.7 to 0.7.
    fn midpoint(area: impl Fn(f64) -> f64) -> (f64, f64) {
        let steps = 14_000;
        let width = 1.4 / f64::from(steps);
        (0..steps)
            .map(|step| -0.7 + (f64::from(step) + 0.5) * width)
            .fold((0.0, 0.0), |(volume, square), z| (volume + area(z) * width, square + area(z) * z * z * width))
    }

    #[test]
    fn principal_moments_have_the_trace_and_the_determinant() {
        let moments = [2.0, 3.0, 4.0, 0.5, -0.25, 0.125];
        let ([a, b, c], axes) = principal(moments);
        assert!((a + b + c - 9.0).abs() < 1e-14 && a <= b && b <= c);
        let [xx, yy, zz, xy, xz, yz] = moments;
        let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
        assert!((a * b * c - determinant).abs() < 1e-13);
        let image =
            [xx * axes[0][0] + xy * axes[0][1] + xz * axes[0][2], xy * axes[0][0] + yy * axes[0][1] + yz * axes[0][2]];
        assert!((image[0] - a * axes[0][0]).abs() < 1e-14 && (image[1] - a * axes[0][1]).abs() < 1e-14);
    }

    #[test]
    fn what_no_body_can_have_is_brought_near() {
        assert_eq!(repaired([1.0, 2.0, 3.0, 0.0, 0.0, 0.0]), None);
        let fixed = repaired([1.0, 5.0, 2.0, 0.0, 0.0, 0.0]).expect("a repair");
        assert_eq!(fixed, [2.0, 5.0, 3.0, 0.0, 0.0, 0.0]);
        assert_eq!(repaired(fixed), None);
        let turned = repaired([1.0, 1.0, 5.0, 0.3, 0.1, -0.2]).expect("a repair");
        assert_eq!(repaired(turned), None);
    }
}
