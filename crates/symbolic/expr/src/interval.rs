//! Intervals: all that a number can be, as a lowest and a highest value, which are never too narrow.

use crate::evaluate::whole_power;

/// The numbers from `low` to `high`; none at all if `low` is above `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const WHOLE: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    pub const EMPTY: Interval = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY };
    pub const NOT_NEGATIVE: Interval = Interval { low: 0.0, high: f64::INFINITY };

    /// Sines and cosines.
    pub const SINES: Interval = Interval { low: -1.0, high: 1.0 };
    /// Angles between two directions, with more room than rounding needs.
    pub const TURN: Interval = Interval { low: -std::f64::consts::PI - 1e-12, high: std::f64::consts::PI + 1e-12 };
    /// False and true.
    pub const TRUTH: Interval = Interval { low: 0.0, high: 1.0 };

    pub fn above(low: f64) -> Interval {
        Interval { low, high: f64::INFINITY }
    }

    pub fn below(high: f64) -> Interval {
        Interval { low: f64::NEG_INFINITY, high }
    }

    pub fn new(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    pub fn point(value: f64) -> Interval {
        Interval { low: value, high: value }
    }

    pub fn is_empty(self) -> bool {
        // What is no number lies nowhere.
        self.low > self.high || self.low.is_nan() || self.high.is_nan()
    }

    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    pub fn meet(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    pub fn hull(self, other: Interval) -> Interval {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The ends of something computed, moved apart by what rounding may have done to them.
    fn rounded(low: f64, high: f64) -> Interval {
        // Infinity less infinity can be anything.
        let low = if low.is_nan() { f64::NEG_INFINITY } else { low.next_down() };
        let high = if high.is_nan() { f64::INFINITY } else { high.next_up() };
        Interval { low, high }
    }

    /// The same for what a library has computed.
    fn approximate(low: f64, high: f64) -> Interval {
        // The functions of libm err by less than one last place; eight leave room.
        // Test: functions_of_points_are_narrow
        const LAST_PLACES: f64 = 8.0 * f64::EPSILON;
        Interval::rounded(low - LAST_PLACES * low.abs(), high + LAST_PLACES * high.abs())
    }

    pub fn plus(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        Interval::rounded(self.low + other.low, self.high + other.high)
    }

    pub fn negated(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }

    pub fn minus(self, other: Interval) -> Interval {
        self.plus(other.negated())
    }

    pub fn times(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        // Zero times something arbitrarily large is zero.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (a, b) in ends {
            (low, high) = (low.min(product(a, b)), high.max(product(a, b)));
        }
        // Nothing rounds past zero.
        let exact = |end: f64, moved: f64| if end == 0.0 { 0.0 } else { moved };
        let moved = Interval::rounded(low, high);
        Interval { low: exact(low, moved.low), high: exact(high, moved.high) }
    }

    /// 1 / x; everything if x may be zero on either side.
    pub fn inverse(self) -> Interval {
        match self {
            _ if self.is_empty() || (self.low == 0.0 && self.high == 0.0) => Interval::EMPTY,
            Interval { low, high } if low > 0.0 || high < 0.0 => {
                let moved = Interval::rounded(1.0 / high, 1.0 / low);
                if low > 0.0 {
                    moved.meet(Interval::NOT_NEGATIVE)
                } else {
                    moved.meet(Interval::new(f64::NEG_INFINITY, 0.0))
                }
            }
            Interval { low: 0.0, high } => Interval { low: (1.0 / high).next_down().max(0.0), high: f64::INFINITY },
            Interval { low, high: 0.0 } => Interval { low: f64::NEG_INFINITY, high: (1.0 / low).next_up().min(0.0) },
            _ => Interval::WHOLE,
        }
    }

    /// xⁿ
    pub fn power(self, exponent: i32) -> Interval {
        if exponent < 0 {
            return self.power(-exponent).inverse();
        }
        if self.is_empty() || exponent == 1 {
            return self;
        }
        let [a, b] = [self.low, self.high].map(|end| whole_power(end, exponent));
        if exponent % 2 != 0 {
            return Interval::approximate(a, b);
        }
        let low = if self.contains(0.0) { 0.0 } else { a.min(b) };
        Interval::approximate(low, a.max(b)).meet(Interval::NOT_NEGATIVE)
    }

    /// All x whose n-th power is here, if x lies within `known`.
    pub fn root(self, exponent: i32, known: Interval) -> Interval {
        if exponent < 0 {
            return self.inverse().root(-exponent, known);
        }
        if exponent == 1 {
            return self.meet(known);
        }
        let root =
            |x: f64| if x.is_infinite() { x } else { x.signum() * libm::pow(x.abs(), 1.0 / f64::from(exponent)) };
        if exponent % 2 != 0 {
            return Interval::approximate(root(self.low), root(self.high)).meet(known);
        }
        let powers = self.meet(Interval::NOT_NEGATIVE);
        if powers.is_empty() {
            return Interval::EMPTY;
        }
        let size = Interval::approximate(root(powers.low), root(powers.high)).meet(Interval::NOT_NEGATIVE);
        size.meet(known).hull(size.negated().meet(known))
    }

    /// What a function that grows everywhere makes of it.
    pub fn growing(self, function: fn(f64) -> f64) -> Interval {
        if self.is_empty() { self } else { Interval::approximate(function(self.low), function(self.high)) }
    }

    pub fn size(self) -> Interval {
        match self {
            Interval { low, .. } if low >= 0.0 => self,
            Interval { high, .. } if high <= 0.0 => self.negated(),
            Interval { low, high } => Interval { low: 0.0, high: high.max(-low) },
        }
    }

    pub fn sign(self) -> Interval {
        match self {
            Interval { low, .. } if low > 0.0 => Interval::point(1.0),
            Interval { high, .. } if high < 0.0 => Interval::point(-1.0),
            _ => Interval::new(-1.0, 1.0),
        }
    }

    /// x to a known power, where x is not negative; any number that is not negative otherwise.
    pub fn real_power(self, exponent: Interval) -> Interval {
        if exponent.low != exponent.high || self.low < 0.0 {
            return Interval::NOT_NEGATIVE;
        }
        let ends = [self.low, self.high].map(|end| libm::pow(end, exponent.low));
        let (low, high) = if exponent.low >= 0.0 { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
        Interval::new(low, high).growing(|end| end).meet(Interval::NOT_NEGATIVE)
    }

    /// cos(x): one or minus one where x passes a multiple of π.
    pub fn cosine(self) -> Interval {
        use std::f64::consts::PI;
        // Beyond so many radians the multiple of π next to an end is no longer certain to nine places, so all values are allowed.
        // Test: functions_of_points_are_narrow
        const MANY: f64 = 1e6;
        let all = Interval::SINES;
        if self.is_empty() || self.low.abs() > MANY || self.high.abs() > MANY {
            return if self.is_empty() { self } else { all };
        }
        // A multiple that is missed by rounding alone needs no allowance: so near to it, the cosine at the end is ±1 to the last place.
        let (first, last) = ((self.low / PI).ceil(), (self.high / PI).floor());
        let passes = |parity: f64| last > first || (last == first && first.rem_euclid(2.0) == parity);
        let ends = Interval::point(libm::cos(self.low)).hull(Interval::point(libm::cos(self.high)));
        let ends = Interval::approximate(ends.low, ends.high).meet(all);
        let low = if passes(1.0) { -1.0 } else { ends.low };
        let high = if passes(0.0) { 1.0 } else { ends.high };
        Interval { low, high }
    }

    pub fn sine(self) -> Interval {
        self.minus(Interval::point(std::f64::consts::FRAC_PI_2)).cosine()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is in the arguments, the value is in the result; tried at many points.
    #[test]
    fn nothing_is_left_out() {
        let mut seed = 1_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) as f64 / f64::from(1_u32 << 31) - 0.5) * 12.0
        };
        for _ in 0..20_000 {
            let [a, b, c, d] = [number(), number(), number(), number()];
            let (x, y) = (Interval::new(a.min(b), a.max(b)), Interval::new(c.min(d), c.max(d)));
            let share = |i: Interval, s: f64| i.low + (i.high - i.low) * s;
            let (s, r) = ((number() / 12.0 + 0.5).clamp(0.0, 1.0), (number() / 12.0 + 0.5).clamp(0.0, 1.0));
            let (p, q) = (share(x, s).clamp(x.low, x.high), share(y, r).clamp(y.low, y.high));
            assert!(x.plus(y).contains(p + q) && x.minus(y).contains(p - q) && x.times(y).contains(p * q));
            assert!(x.inverse().contains(1.0 / p) && x.size().contains(p.abs()));
            assert!(x.cosine().contains(libm::cos(p)) && x.sine().contains(libm::sin(p)), "{x:?} {p}");
            for exponent in [-3, -2, 2, 3, 4] {
                let power = x.power(exponent);
                assert!(power.contains(whole_power(p, exponent)), "{x:?} {p} {exponent}");
                assert!(
                    Interval::point(whole_power(p, exponent)).root(exponent, x).contains(p),
                    "{x:?} {p} {exponent}"
                );
            }
        }
    }

    #[test]
    fn what_is_known_is_narrow() {
        let x = Interval::new(-1.0, 2.0);
        assert_eq!((x.power(2).low, x.size()), (0.0, Interval::new(0.0, 2.0)));
        assert!(Interval::new(0.1, 0.2).cosine().low > 0.98);
        assert!(Interval::new(3.0, 4.0).root(2, Interval::NOT_NEGATIVE).low > 1.7);
        assert!(Interval::new(-2.0, -1.0).root(2, Interval::WHOLE).is_empty());
    }

    /// Eight last places on either side, also after many turns.
    #[test]
    fn functions_of_points_are_narrow() {
        for at in [1.0, 5e4] {
            let found = Interval::point(at).cosine();
            assert!(found.high - found.low < 32.0 * f64::EPSILON, "{at}: {found:?}");
        }
    }
}
