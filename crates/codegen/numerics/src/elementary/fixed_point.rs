//! Constants of tables, computed to 120 binary places with integers alone.

/// A number times 2¹²⁰.
#[derive(Clone, Copy)]
pub struct Fixed(i128);

const PLACES: u32 = 120;

impl Fixed {
    /// The natural logarithm of a fraction not far from 1: log(n/d) = 2·artanh((n - d)/(n + d)).
    pub fn log(numerator: i128, denominator: i128) -> Fixed {
        Fixed(2 * series(numerator - denominator, numerator + denominator, 1))
    }

    /// The arc tangents of 0, 1/n, 2/n, …, 1: each is the last plus artan(1/n / (1 + i/n·(i + 1)/n)).
    pub fn arctangents(n: i128) -> Vec<Fixed> {
        let steps = (0..n).map(|i| series(n, n * n + i * (i + 1), -1));
        let sums = steps.scan(0, |sum, step| {
            *sum += step;
            Some(Fixed(*sum))
        });
        std::iter::once(Fixed(0)).chain(sums).collect()
    }

    pub fn times(self, factor: i128) -> Fixed {
        Fixed(self.0 * factor)
    }

    /// The nearest multiple of 2^-places, and the double nearest to what is missing.
    ///
    /// Sums of the former stay exact as long as they need no more than 53 bits.
    pub fn parts(self, places: u32) -> (f64, f64) {
        let unit = PLACES - places;
        let high = (self.0 + (1 << (unit - 1))) >> unit;
        let low = self.0 - (high << unit);
        (high as f64 * power_of_two(-(places as i32)), low as f64 * power_of_two(-(PLACES as i32)))
    }
}

/// s + sign·s³/3 + s⁵/5 + sign·s⁷/7 + … for s = numerator/denominator, |s| ≤ 1/5, |numerator| < 2⁸.
fn series(numerator: i128, denominator: i128, sign: i128) -> i128 {
    let by_s = |value: i128| value * numerator / denominator;
    let mut power = by_s(1 << PLACES);
    let mut sum = 0;
    for odd in (1..).step_by(2) {
        if power == 0 {
            break;
        }
        sum += power / odd;
        power = sign * by_s(by_s(power));
    }
    sum
}

/// 2^exponent, for exponents of normal numbers.
pub fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::exponential::LOG_2;

    #[test]
    fn pi_is_four_times_the_arc_tangent_of_one() {
        let pi = Fixed::arctangents(16)[16].times(4);
        assert_eq!(pi.parts(51), (std::f64::consts::PI, 1.2246467991473532e-16));
    }

    #[test]
    fn logarithms_add() {
        let two = Fixed(Fixed::log(4, 3).0 + Fixed::log(3, 2).0);
        assert_eq!(two.parts(42), LOG_2.into());
    }
}
