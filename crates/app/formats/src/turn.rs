//! Rotations, as files of other programs state them: by angles, axes, quaternions and directions.

/// A unit quaternion w, x, y, z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn(pub [f64; 4]);

pub type Vector = [f64; 3];

impl Turn {
    pub const NONE: Turn = Turn([1.0, 0.0, 0.0, 0.0]);

    /// By an angle about an axis of any length; nothing if that is zero.
    pub fn about(axis: Vector, angle: f64) -> Option<Turn> {
        let axis = unit(axis)?;
        let half = angle / 2.0;
        let sine = libm::sin(half);
        Some(Turn([libm::cos(half), axis[0] * sine, axis[1] * sine, axis[2] * sine]))
    }

    /// Of numbers that need not be of unit length; nothing if they are all zero.
    pub fn of_quaternion(parts: [f64; 4]) -> Option<Turn> {
        let size = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
        (size > 0.0 && size.is_finite()).then(|| Turn(parts.map(|part| part / size)))
    }

    /// About x, then y, then z, all of the parent: R = Rz Ry Rx.
    pub fn of_fixed_angles([x, y, z]: Vector) -> Turn {
        let [x, y, z] = [(0, x), (1, y), (2, z)].map(|(at, angle)| Turn::about(along(at), angle).unwrap_or(Turn::NONE));
        z.then(y).then(x)
    }

    /// This one, and then another that is measured in the axes of the first: the product R S.
    pub fn then(self, other: Turn) -> Turn {
        let [a, b, c, d] = self.0;
        let [e, f, g, h] = other.0;
        Turn([
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ])
    }

    pub fn inverse(self) -> Turn {
        let [w, x, y, z] = self.0;
        Turn([w, -x, -y, -z])
    }

    pub fn apply(self, v: Vector) -> Vector {
        let [w, x, y, z] = self.0;
        let axis = [x, y, z];
        let t = cross(axis, v).map(|part| 2.0 * part);
        let s = cross(axis, t);
        std::array::from_fn(|at| v[at] + w * t[at] + s[at])
    }

    /// The shortest turn that brings the z axis to a direction; nothing if that is zero.
    pub fn of_z_axis(direction: Vector) -> Option<Turn> {
        let to = unit(direction)?;
        let axis = [-to[1], to[0], 0.0];
        let sine = (to[0] * to[0] + to[1] * to[1]).sqrt();
        match Turn::about(axis, libm::atan2(sine, to[2])) {
            Some(turn) => Some(turn),
            // Up or down: about x by nothing, or by half a turn.
            None => Turn::about([1.0, 0.0, 0.0], if to[2] < 0.0 { std::f64::consts::PI } else { 0.0 }),
        }
    }

    /// An axis of unit length and an angle from 0 to π; the axis is a coordinate axis where it is one but for rounding.
    pub fn axis_angle(self) -> (Vector, f64) {
        const ROUNDING: f64 = 4.0 * f64::EPSILON;
        let [w, x, y, z] = if self.0[0] < 0.0 { self.0.map(|part| -part) } else { self.0 };
        let sine = (x * x + y * y + z * z).sqrt();
        if sine == 0.0 {
            return ([0.0, 0.0, 1.0], 0.0);
        }
        let axis = [x, y, z].map(|part| part / sine);
        let angle = 2.0 * libm::atan2(sine, w);
        match (0..3).find(|&at| (0..3).all(|other| other == at || axis[other].abs() <= ROUNDING)) {
            Some(at) => (along(at), angle * axis[at].signum()),
            None => (axis, angle),
        }
    }

    /// Whether nothing turns, but for rounding.
    pub fn is_none(self) -> bool {
        self.0[1..].iter().all(|part| part.abs() <= 1e-15)
    }
}

pub fn along(at: usize) -> Vector {
    std::array::from_fn(|other| f64::from(u8::from(other == at)))
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn plus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|at| a[at] + b[at])
}

pub fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|at| a[at] - b[at])
}

pub fn size(v: Vector) -> f64 {
    v.iter().map(|part| part * part).sum::<f64>().sqrt()
}

pub fn unit(v: Vector) -> Option<Vector> {
    let size = size(v);
    (size > 0.0 && size.is_finite()).then(|| v.map(|part| part / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_about_fixed_axes_one_after_the_other() {
        let turn = Turn::of_fixed_angles([0.3, -1.1, 2.0]);
        let step = |at: usize, angle: f64, v: Vector| {
            let (c, s) = (libm::cos(angle), libm::sin(angle));
            let (i, j) = ((at + 1) % 3, (at + 2) % 3);
            let mut w = v;
            (w[i], w[j]) = (c * v[i] - s * v[j], s * v[i] + c * v[j]);
            w
        };
        let v = [0.2, 0.7, -0.4];
        let expected = step(2, 2.0, step(1, -1.1, step(0, 0.3, v)));
        assert!(size(minus(turn.apply(v), expected)) < 1e-15);
        let (axis, angle) = turn.axis_angle();
        let again = Turn::about(axis, angle).expect("an axis");
        assert!(size(minus(again.apply(v), expected)) < 1e-15);
    }

    #[test]
    fn z_comes_to_any_direction() {
        for to in [[0.0, 0.0, 1.0], [0.0, 0.0, -2.0], [1.0, 2.0, 3.0], [1e-9, 0.0, -1.0]] {
            let turn = Turn::of_z_axis(to).expect("a direction");
            assert!(size(minus(turn.apply([0.0, 0.0, 1.0]), unit(to).expect("a direction"))) < 1e-15, "{to:?}");
        }
    }

    #[test]
    fn a_turn_about_a_coordinate_axis_is_told_as_one() {
        assert_eq!(Turn::of_fixed_angles([0.0, -0.5, 0.0]).axis_angle(), ([0.0, 1.0, 0.0], -0.5));
        assert_eq!(Turn::NONE.axis_angle().1, 0.0);
    }
}
