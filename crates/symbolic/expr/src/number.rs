//! Numbers in expressions: exact fractions as long as they fit, floating point otherwise.

use std::fmt;

/// Equality and hashing are by representation, so that hash-consing is exact.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// In lowest terms, with a positive denominator.
    Fraction(i64, i64),
    Float(f64),
}

impl Number {
    pub const ZERO: Number = Number::Fraction(0, 1);
    pub const ONE: Number = Number::Fraction(1, 1);
    pub const MINUS_ONE: Number = Number::Fraction(-1, 1);

    pub fn fraction(numerator: i64, denominator: i64) -> Number {
        let inexact = Number::Float(numerator as f64 / denominator as f64);
        if denominator == 0 || numerator == i64::MIN || denominator == i64::MIN {
            return inexact;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i64 * denominator.signum();
        Number::Fraction(numerator / divisor, denominator / divisor)
    }

    pub fn value(self) -> f64 {
        match self {
            Number::Fraction(numerator, 1) => numerator as f64,
            Number::Fraction(numerator, denominator) => numerator as f64 / denominator as f64,
            Number::Float(value) => value,
        }
    }

    pub fn is_zero(self) -> bool {
        self.value() == 0.0
    }

    pub fn is_one(self) -> bool {
        self == Number::ONE
    }

    /// Without its sign.
    pub fn size(self) -> Number {
        if self.value() < 0.0 { self.times(Number::MINUS_ONE) } else { self }
    }

    pub fn plus(self, other: Number) -> Number {
        let exact = || {
            if let (Number::Fraction(a, 1), Number::Fraction(b, 1)) = (self, other) {
                return Some(Number::Fraction(a.checked_add(b).filter(|&sum| sum != i64::MIN)?, 1));
            }
            let (Number::Fraction(a, b), Number::Fraction(c, d)) = (self, other) else { return None };
            Some(Number::fraction(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?))
        };
        exact().unwrap_or_else(|| Number::from(self.value() + other.value()))
    }

    pub fn times(self, other: Number) -> Number {
        let exact = || {
            if let (Number::Fraction(a, 1), Number::Fraction(b, 1)) = (self, other) {
                return Some(Number::Fraction(a.checked_mul(b).filter(|&product| product != i64::MIN)?, 1));
            }
            let (Number::Fraction(a, b), Number::Fraction(c, d)) = (self, other) else { return None };
            Some(Number::fraction(a.checked_mul(c)?, b.checked_mul(d)?))
        };
        exact().unwrap_or_else(|| Number::from(self.value() * other.value()))
    }

    pub fn power(self, exponent: i32) -> Number {
        let exact = || {
            let Number::Fraction(a, b) = self else { return None };
            let size = exponent.unsigned_abs();
            let (a, b) = (a.checked_pow(size)?, b.checked_pow(size)?);
            if exponent < 0 && a == 0 {
                return None;
            }
            Some(if exponent < 0 { Number::fraction(b, a) } else { Number::fraction(a, b) })
        };
        exact().unwrap_or_else(|| Number::Float(libm::pow(self.value(), f64::from(exponent))))
    }
}

/// Whole numbers become exact; anything else stays as it is.
impl From<f64> for Number {
    fn from(value: f64) -> Number {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value == value.trunc() && value.abs() <= EXACT && !(value == 0.0 && value.is_sign_negative()) {
            Number::Fraction(value as i64, 1)
        } else {
            Number::Float(value)
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Number {}

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Number {
    fn key(self) -> (i64, i64) {
        match self {
            Number::Fraction(numerator, denominator) => (numerator, denominator),
            Number::Float(value) => (value.to_bits() as i64, 0),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Fraction(numerator, 1) => write!(f, "{numerator}"),
            Number::Fraction(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Number::Float(value) => write!(f, "{value:?}"),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact_until_they_overflow() {
        let third = Number::fraction(2, -6);
        assert_eq!(third.to_string(), "-1/3");
        assert_eq!(third.times(Number::fraction(3, 1)), Number::MINUS_ONE);
        assert_eq!(third.plus(Number::fraction(1, 3)), Number::ZERO);
        assert_eq!(Number::fraction(2, 3).power(-2).to_string(), "9/4");
        assert_eq!(Number::ZERO.power(-1).value(), f64::INFINITY);
        let big = Number::fraction(i64::MAX, 3);
        assert!(matches!(big.times(big), Number::Float(_)));
        assert_eq!(Number::from(0.5), Number::Float(0.5));
    }
}
