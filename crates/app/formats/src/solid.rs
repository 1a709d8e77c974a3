//! Solids as triangles, of unit size where they can be stretched, with their normals.

use std::f64::consts::PI;

/// Triangles, counter-clockwise as seen from outside.
#[derive(Clone, Debug, Default)]
pub struct Solid {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

/// Around a circle, and from pole to pole.
const AROUND: u32 = 32;
const UP: u32 = 16;

/// Edges of 1.
pub fn cube() -> Solid {
    let mut solid = Solid::default();
    for axis in 0..3 {
        for side in [-1.0_f32, 1.0] {
            let base = solid.positions.len() as u32;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for (a, b) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let (mut position, mut normal) = ([0.0; 3], [0.0; 3]);
                (position[axis], position[u], position[v]) = (side / 2.0, a, b);
                normal[axis] = side;
                solid.positions.push(position);
                solid.normals.push(normal);
            }
            let faces = if side > 0.0 { [[0, 1, 2], [0, 2, 3]] } else { [[0, 2, 1], [0, 3, 2]] };
            solid.triangles.extend(faces.map(|face| face.map(|corner| base + corner)));
        }
    }
    solid
}

/// Convex, from the coordinates of its corners, in its own size.
pub fn hull(coordinates: &[f64]) -> Option<Solid> {
    let corners: Vec<[f64; 3]> = coordinates.chunks_exact(3).map(|part| [part[0], part[1], part[2]]).collect();
    let hull = base::Hull::of(&corners).ok()?;
    let mut solid = Solid::default();
    for (face, normal) in hull.faces.iter().zip(hull.normals()) {
        let base = solid.positions.len() as u32;
        solid.positions.extend(face.iter().map(|&corner| hull.corners[corner].map(|part| part as f32)));
        solid.normals.extend(face.iter().map(|_| normal.map(|part| part as f32)));
        solid.triangles.extend((1..face.len() as u32 - 1).map(|k| [base, base + k, base + k + 1]));
    }
    Some(solid)
}

/// A solid of revolution about z from a profile: radius, height, and the normal in that plane.
pub fn turned(profile: &[([f64; 2], [f64; 2])]) -> Solid {
    let mut solid = Solid::default();
    for &([radius, height], [out, up]) in profile {
        for step in 0..=AROUND {
            let angle = 2.0 * PI * f64::from(step) / f64::from(AROUND);
            let (c, s) = (libm::cos(angle), libm::sin(angle));
            solid.positions.push([radius * c, radius * s, height].map(|part| part as f32));
            solid.normals.push([out * c, out * s, up].map(|part| part as f32));
        }
    }
    let row = AROUND + 1;
    for ring in 0..profile.len() as u32 - 1 {
        for step in 0..AROUND {
            let [a, b] = [ring * row + step, (ring + 1) * row + step];
            solid.triangles.extend([[a, a + 1, b], [a + 1, b + 1, b]]);
        }
    }
    solid
}

/// Radius 1.
pub fn ball() -> Solid {
    turned(&arc(-PI / 2.0, PI / 2.0, 0.0))
}

/// Radius and height 1, centred.
pub fn cylinder() -> Solid {
    turned(&[
        ([0.0, -0.5], [0.0, -1.0]),
        ([1.0, -0.5], [0.0, -1.0]),
        ([1.0, -0.5], [1.0, 0.0]),
        ([1.0, 0.5], [1.0, 0.0]),
        ([1.0, 0.5], [0.0, 1.0]),
        ([0.0, 0.5], [0.0, 1.0]),
    ])
}

/// Radius and height 1, its base on the origin.
pub fn cone() -> Solid {
    let slant = std::f64::consts::FRAC_1_SQRT_2;
    turned(&[
        ([0.0, 0.0], [0.0, -1.0]),
        ([1.0, 0.0], [0.0, -1.0]),
        ([1.0, 0.0], [slant, slant]),
        ([0.0, 1.0], [slant, slant]),
    ])
}

/// Of the radius 1, with a length beyond its caps.
pub fn capsule(length: f64) -> Solid {
    let mut profile = arc(-PI / 2.0, 0.0, -length / 2.0);
    profile.extend(arc(0.0, PI / 2.0, length / 2.0));
    turned(&profile)
}

/// Around z.
pub fn torus(major: f64, minor: f64) -> Solid {
    let place = |step: u32| {
        let angle = 2.0 * PI * f64::from(step) / f64::from(UP);
        let (c, s) = (libm::cos(angle), libm::sin(angle));
        ([major + minor * c, minor * s], [c, s])
    };
    turned(&(0..=UP).map(place).collect::<Vec<_>>())
}

/// A part of a circle of radius 1 about a height.
fn arc(from: f64, to: f64, height: f64) -> Vec<([f64; 2], [f64; 2])> {
    let place = |step: u32| {
        let angle = from + (to - from) * f64::from(step) / f64::from(UP);
        let (c, s) = (libm::cos(angle).max(0.0), libm::sin(angle));
        ([c, s + height], [c, s])
    };
    (0..=UP).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the divergence theorem, if it is closed and its triangles face outwards.
    fn volume(solid: &Solid) -> f64 {
        let at = |index: u32| solid.positions[index as usize].map(f64::from);
        let six = |[a, b, c]: [u32; 3]| {
            let ([a, b, c], n) = ([at(a), at(b), at(c)], |i: usize| i % 3);
            (0..3).map(|i| a[i] * (b[n(i + 1)] * c[n(i + 2)] - b[n(i + 2)] * c[n(i + 1)])).sum::<f64>()
        };
        solid.triangles.iter().map(|&triangle| six(triangle)).sum::<f64>() / 6.0
    }

    #[test]
    fn solids_are_closed_and_have_their_volumes() {
        let cases = [
            (cube(), 1.0),
            (ball(), 4.0 / 3.0 * PI),
            (cylinder(), PI),
            (cone(), PI / 3.0),
            (capsule(2.0), 4.0 / 3.0 * PI + 2.0 * PI),
            (torus(3.0, 1.0), 2.0 * PI * PI * 3.0),
        ];
        for (solid, expected) in cases {
            let found = volume(&solid);
            // Triangles lie within, by the square of their size.
            assert!(
                (0.0..0.04).contains(&(1.0 - found / expected)) || (found - expected).abs() < 1e-6,
                "{found} {expected}"
            );
        }
    }
}
