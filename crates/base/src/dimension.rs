//! Physical dimensions: products of rational powers of the seven SI base quantities.

use std::fmt;

/// A rational exponent in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Exponent {
    numerator: i16,
    denominator: i16,
}

impl Exponent {
    pub const ZERO: Exponent = Exponent { numerator: 0, denominator: 1 };

    /// `None` where the exponent does not fit, or the denominator is zero.
    pub fn new(numerator: i64, denominator: i64) -> Option<Exponent> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1) as i64 * denominator.signum();
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        Some(Exponent { numerator: i16::try_from(numerator).ok()?, denominator: i16::try_from(denominator).ok()? })
    }

    fn plus(self, other: Exponent) -> Option<Exponent> {
        let (a, b) = (i64::from(self.numerator), i64::from(self.denominator));
        let (c, d) = (i64::from(other.numerator), i64::from(other.denominator));
        Exponent::new(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?)
    }

    fn times(self, other: Exponent) -> Option<Exponent> {
        let numerator = i64::from(self.numerator).checked_mul(i64::from(other.numerator))?;
        Exponent::new(numerator, i64::from(self.denominator).checked_mul(i64::from(other.denominator))?)
    }
}

impl fmt::Display for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "({}/{})", self.numerator, self.denominator),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

const BASE_UNITS: [&str; 7] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/// Exponents of kilogram, metre, second, ampere, kelvin, mole and candela. Angles are dimensionless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dimension([Exponent; 7]);

impl Dimension {
    pub const NONE: Dimension = Dimension([Exponent::ZERO; 7]);
    pub const MASS: Dimension = Dimension::base([1, 0, 0, 0, 0, 0, 0]);
    pub const LENGTH: Dimension = Dimension::base([0, 1, 0, 0, 0, 0, 0]);
    pub const TIME: Dimension = Dimension::base([0, 0, 1, 0, 0, 0, 0]);
    pub const SPEED: Dimension = Dimension::base([0, 1, -1, 0, 0, 0, 0]);
    pub const ACCELERATION: Dimension = Dimension::base([0, 1, -2, 0, 0, 0, 0]);
    pub const FREQUENCY: Dimension = Dimension::base([0, 0, -1, 0, 0, 0, 0]);
    pub const FORCE: Dimension = Dimension::base([1, 1, -2, 0, 0, 0, 0]);
    pub const ENERGY: Dimension = Dimension::base([1, 2, -2, 0, 0, 0, 0]);
    pub const MOMENTUM: Dimension = Dimension::base([1, 1, -1, 0, 0, 0, 0]);
    pub const ANGULAR_ACCELERATION: Dimension = Dimension::base([0, 0, -2, 0, 0, 0, 0]);
    pub const ANGULAR_MOMENTUM: Dimension = Dimension::base([1, 2, -1, 0, 0, 0, 0]);
    pub const INERTIA: Dimension = Dimension::base([1, 2, 0, 0, 0, 0, 0]);
    pub const DENSITY: Dimension = Dimension::base([1, -3, 0, 0, 0, 0, 0]);

    pub(crate) const fn base(exponents: [i16; 7]) -> Dimension {
        let mut all = [Exponent::ZERO; 7];
        let mut i = 0;
        while i < 7 {
            all[i] = Exponent { numerator: exponents[i], denominator: 1 };
            i += 1;
        }
        Dimension(all)
    }

    pub fn is_none(self) -> bool {
        self == Dimension::NONE
    }

    /// `None` where an exponent grows out of all bounds.
    pub fn times(self, other: Dimension) -> Option<Dimension> {
        self.combine(other, Exponent::plus)
    }

    pub fn over(self, other: Dimension) -> Option<Dimension> {
        self.times(other.power(Exponent::new(-1, 1)?)?)
    }

    pub fn power(self, exponent: Exponent) -> Option<Dimension> {
        let mut result = Dimension::NONE;
        for (to, from) in result.0.iter_mut().zip(self.0) {
            *to = from.times(exponent)?;
        }
        Some(result)
    }

    fn combine(self, other: Dimension, f: impl Fn(Exponent, Exponent) -> Option<Exponent>) -> Option<Dimension> {
        let mut result = Dimension::NONE;
        for (i, to) in result.0.iter_mut().enumerate() {
            *to = f(self.0[i], other.0[i])?;
        }
        Some(result)
    }

    /// The exponents of kilogram, metre, second, ampere, kelvin, mole and candela, if all of them are whole.
    pub fn exponents(self) -> Option<[i16; 7]> {
        self.0.iter().all(|it| it.denominator == 1).then(|| self.0.map(|it| it.numerator))
    }

    /// What a person calls it, where there is a word: `length`, `force`.
    pub fn word(self) -> Option<&'static str> {
        WORDS.iter().find(|(dimension, ..)| *dimension == self).map(|(_, word, _)| *word)
    }

    /// The SI unit that a person would write: `N` and not `kg*m/s^2`. That of an energy is `J`: who knows that something is a torque writes `N*m`.
    pub fn unit(self) -> String {
        let named = WORDS.iter().find(|(dimension, _, unit)| *dimension == self && !unit.is_empty());
        named.map_or_else(|| self.to_string(), |(_, _, unit)| unit.to_string())
    }
}

/// Dimension, word, and the unit to write where base units would be harder to read.
#[rustfmt::skip]
const WORDS: &[(Dimension, &str, &str)] = &[
    (Dimension::NONE,                              "a plain number",      ""),
    (Dimension::MASS,                              "a mass",              ""),
    (Dimension::LENGTH,                            "a length",            ""),
    (Dimension::TIME,                              "a time",              ""),
    (Dimension::SPEED,                             "a speed",             ""),
    (Dimension::ACCELERATION,                      "an acceleration",     ""),
    (Dimension::FREQUENCY,                         "a rate",              ""),
    (Dimension::FORCE,                             "a force",             "N"),
    (Dimension::ENERGY,                            "an energy or torque", "J"),
    (Dimension::MOMENTUM,                          "a momentum",          ""),
    (Dimension::ANGULAR_MOMENTUM,                  "an angular momentum", ""),
    (Dimension::ANGULAR_ACCELERATION,              "an angular acceleration", ""),
    (Dimension::INERTIA,                           "a moment of inertia", ""),
    (Dimension::DENSITY,                           "a density",           ""),
    (Dimension::base([0, 2, 0, 0, 0, 0, 0]),       "an area",             ""),
    (Dimension::base([0, 3, 0, 0, 0, 0, 0]),       "a volume",            ""),
    (Dimension::base([1, 0, -2, 0, 0, 0, 0]),      "a stiffness",         "N/m"),
    (Dimension::base([1, 0, -1, 0, 0, 0, 0]),      "a damping",           "N*s/m"),
    (Dimension::base([1, -1, -2, 0, 0, 0, 0]),     "a pressure",          "Pa"),
    (Dimension::base([1, 2, -3, 0, 0, 0, 0]),      "a power",             "W"),
    (Dimension::base([0, 0, 1, 1, 0, 0, 0]),       "a charge",            "C"),
    (Dimension::base([0, 0, 0, 1, 0, 0, 0]),       "a current",           ""),
    (Dimension::base([1, 2, -3, -1, 0, 0, 0]),     "a voltage",           "V"),
    (Dimension::base([1, 2, -3, -2, 0, 0, 0]),     "a resistance",        "ohm"),
    (Dimension::base([-1, -2, 4, 2, 0, 0, 0]),     "a capacitance",       "F"),
    (Dimension::base([1, 2, -2, -2, 0, 0, 0]),     "an inductance",       "H"),
    (Dimension::base([1, 2, -2, -1, 0, 0, 0]),     "a magnetic flux",     "Wb"),
    (Dimension::base([1, 0, -2, -1, 0, 0, 0]),     "a magnetic field",    "T"),
    (Dimension::base([-1, -2, 3, 2, 0, 0, 0]),     "a conductance",       "S"),
];

/// In base units: `kg*m/s^2`; a plain number is `1`.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |positive: bool| -> Vec<String> {
            let chosen =
                self.0.iter().zip(BASE_UNITS).filter(|(e, _)| if positive { e.numerator > 0 } else { e.numerator < 0 });
            chosen
                .map(|(e, unit)| {
                    let size = Exponent { numerator: e.numerator.saturating_abs(), ..*e };
                    if size == (Exponent { numerator: 1, denominator: 1 }) {
                        unit.to_string()
                    } else {
                        format!("{unit}^{size}")
                    }
                })
                .collect()
        };
        let (above, below) = (part(true), part(false));
        let above = if above.is_empty() { "1".to_string() } else { above.join("*") };
        match below.len() {
            0 => write!(f, "{above}"),
            1 => write!(f, "{above}/{}", below[0]),
            _ => write!(f, "{above}/({})", below.join("*")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_multiply_divide_and_print() {
        assert_eq!(Dimension::MASS.times(Dimension::ACCELERATION), Some(Dimension::FORCE));
        assert_eq!(Dimension::LENGTH.over(Dimension::TIME), Some(Dimension::SPEED));
        assert_eq!(Dimension::FORCE.to_string(), "kg*m/s^2");
        assert_eq!((Dimension::FORCE.unit(), Dimension::SPEED.unit()), ("N".into(), "m/s".into()));
        assert_eq!(Dimension::DENSITY.to_string(), "kg/m^3");
        assert_eq!(Dimension::FREQUENCY.to_string(), "1/s");
        let half = Exponent::new(2, 4).unwrap();
        assert_eq!(Dimension::LENGTH.power(half).unwrap().to_string(), "m^(1/2)");
        assert_eq!(Dimension::ENERGY.word(), Some("an energy or torque"));
    }

    #[test]
    fn exponents_out_of_range_are_refused() {
        assert_eq!(Exponent::new(1, 0), None);
        let huge = Exponent::new(i64::from(i16::MAX), 1).unwrap();
        assert_eq!(Dimension::LENGTH.power(huge).and_then(|d| d.power(huge)), None);
    }
}
