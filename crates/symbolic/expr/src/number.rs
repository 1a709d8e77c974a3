//! Numbers in expressions: exact fractions as long as they fit, floating point otherwise.

use std::fmt;

/// Equality and hashing are by representation, so that hash-consing is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    /// Of a fraction in lowest terms; or the bits of a floating-point number.
    numerator: i64,
    /// Positive; zero if it is no fraction.
    denominator: i64,
}

impl Number {
    pub const ZERO: Number = Number::whole(0);
    pub const ONE: Number = Number::whole(1);
    pub const MINUS_ONE: Number = Number::whole(-1);

    const fn whole(numerator: i64) -> Number {
        Number { numerator, denominator: 1 }
    }

    fn float(value: f64) -> Number {
        Number { numerator: value.to_bits() as i64, denominator: 0 }
    }

    pub fn fraction(numerator: i64, denominator: i64) -> Number {
        if denominator == 0 || numerator == i64::MIN || denominator == i64::MIN {
            return Number::float(numerator as f64 / denominator as f64);
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i64 * denominator.signum();
        Number { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// Numerator and denominator, of exact ones.
    pub fn as_fraction(self) -> Option<(i64, i64)> {
        (self.denominator != 0).then_some((self.numerator, self.denominator))
    }

    fn as_whole(self) -> Option<i64> {
        (self.denominator == 1).then_some(self.numerator)
    }

    pub fn value(self) -> f64 {
        match self.as_fraction() {
            Some((numerator, 1)) => numerator as f64,
            Some((numerator, denominator)) => numerator as f64 / denominator as f64,
            None => f64::from_bits(self.numerator as u64),
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
            if let (Some(a), Some(b)) = (self.as_whole(), other.as_whole()) {
                return Some(Number::whole(a.checked_add(b).filter(|&sum| sum != i64::MIN)?));
            }
            let ((a, b), (c, d)) = (self.as_fraction()?, other.as_fraction()?);
            Some(Number::fraction(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?))
        };
        exact().unwrap_or_else(|| Number::from(self.value() + other.value()))
    }

    pub fn times(self, other: Number) -> Number {
        let exact = || {
            if let (Some(a), Some(b)) = (self.as_whole(), other.as_whole()) {
                return Some(Number::whole(a.checked_mul(b).filter(|&product| product != i64::MIN)?));
            }
            let ((a, b), (c, d)) = (self.as_fraction()?, other.as_fraction()?);
            Some(Number::fraction(a.checked_mul(c)?, b.checked_mul(d)?))
        };
        exact().unwrap_or_else(|| Number::from(self.value() * other.value()))
    }

    pub fn power(self, exponent: i32) -> Number {
        let exact = || {
            let (a, b) = self.as_fraction()?;
            let size = exponent.unsigned_abs();
            let (a, b) = (a.checked_pow(size)?, b.checked_pow(size)?);
            if exponent < 0 && a == 0 {
                return None;
            }
            Some(if exponent < 0 { Number::fraction(b, a) } else { Number::fraction(a, b) })
        };
        exact().unwrap_or_else(|| Number::float(libm::pow(self.value(), f64::from(exponent))))
    }
}

/// 2⁵³: beyond it a float may stand for several whole numbers.
// Test: whole_numbers_are_exact_as_far_as_floats_tell_them_apart
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whole numbers become exact; anything else stays as it is.
impl From<f64> for Number {
    fn from(value: f64) -> Number {
        if value == value.trunc() && value.abs() <= EXACT && !(value == 0.0 && value.is_sign_negative()) {
            Number::whole(value as i64)
        } else {
            Number::float(value)
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_fraction() {
            Some((numerator, 1)) => write!(f, "{numerator}"),
            Some((numerator, denominator)) => write!(f, "{numerator}/{denominator}"),
            None => write!(f, "{:?}", self.value()),
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
        assert_eq!(big.times(big).as_fraction(), None);
        assert_eq!(Number::from(0.5), Number::float(0.5));
    }

    #[test]
    fn whole_numbers_are_exact_as_far_as_floats_tell_them_apart() {
        let last = 9_007_199_254_740_992.0;
        assert_eq!(Number::from(last).as_fraction(), Some((1 << 53, 1)));
        assert_eq!(Number::from(2.0 * last).as_fraction(), None);
    }
}
