//! Angles are computed in radians. What people read has them in degrees, unless somebody prefers radians; what programs read has them as computed.

/// In which unit texts and drawings have angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Angles {
    Degrees,
    Radians,
}

impl Angles {
    /// The unit in which a column is shown, and what its numbers are multiplied by. Rates stay in rad/s, in which people give them.
    pub fn shown(self, unit: &str) -> (&str, f64) {
        match (self, unit) {
            (Angles::Degrees, "rad") => ("deg", 1f64.to_degrees()),
            _ => (unit, 1.0),
        }
    }
}

/// `x [m]`; a plain number has no unit.
pub fn titled(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_string() } else { format!("{name} [{unit}]") }
}
