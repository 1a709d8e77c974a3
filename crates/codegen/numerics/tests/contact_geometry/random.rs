//! Random shapes, poses and motions, the same ones every time.

use crate::scene::{Axes, HERE, Pose, Shape, Twist, Vector, length, rotation, times};
use numerics::contact::{HullTable, ShapeKind};

pub struct Random(pub u64);

impl Random {
    /// SplitMix64, between two bounds.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + (high - low) * (z >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A vector in a ball.
    pub fn vector(&mut self, radius: f64) -> Vector {
        loop {
            let v = [0; 3].map(|_| self.between(-1.0, 1.0));
            if length(v) <= 1.0 && length(v) > 0.01 {
                return times(v, radius);
            }
        }
    }

    pub fn axes(&mut self) -> Axes {
        let angle = self.between(0.0, 3.1);
        let axis = self.vector(1.0);
        rotation(times(axis, angle / length(axis)))
    }

    pub fn pose(&mut self, radius: f64) -> Pose {
        Pose { origin: self.vector(radius), axes: self.axes() }
    }

    pub fn twist(&mut self) -> Twist {
        Twist { v: self.vector(1.0), w: self.vector(1.0) }
    }

    pub fn shape(&mut self, kind: ShapeKind) -> Shape {
        let mut sizes = [0; 3].map(|_| self.between(0.2, 0.8));
        if kind == ShapeKind::Torus {
            sizes = [self.between(0.5, 0.8), self.between(0.1, 0.3), 0.0];
        }
        let hull = (kind == ShapeKind::Hull).then(|| self.octahedron());
        // A surface is given in its frame.
        let place = if kind == ShapeKind::Surface { HERE } else { self.pose(0.3) };
        Shape { kind, sizes, place, hull }
    }

    /// An octahedron whose vertices are on the axes, at various distances.
    fn octahedron(&mut self) -> HullTable {
        let [a, b, c, d, e, g] = [0; 6].map(|_| self.between(0.3, 0.8));
        let vertices =
            vec![[a, 0.0, 0.0], [-b, 0.0, 0.0], [0.0, c, 0.0], [0.0, -d, 0.0], [0.0, 0.0, e], [0.0, 0.0, -g]];
        let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        HullTable { vertices, faces: faces.map(|face| face.to_vec()).to_vec() }
    }
}
