/// Operations that the core library lacks, exact or rounded to the nearest; the same bits with and without `std`.
mod math {
    #[cfg(feature = "std")]
    mod own {
        pub fn sqrt(x: f64) -> f64 {
            x.sqrt()
        }
        pub fn floor(x: f64) -> f64 {
            x.floor()
        }
        pub fn ceiling(x: f64) -> f64 {
            x.ceil()
        }
        pub fn truncate(x: f64) -> f64 {
            x.trunc()
        }
        pub fn round(x: f64) -> f64 {
            x.round_ties_even()
        }
    }

    #[cfg(not(feature = "std"))]
    mod own {
        /// Digit by digit, on integers: slow and exact.
        pub fn sqrt(x: f64) -> f64 {
            if x < 0.0 || x.is_nan() {
                return f64::NAN;
            }
            if x == 0.0 || x == f64::INFINITY {
                return x;
            }
            // x = m · 2^e with an even e, and m as large as 128 bits allow.
            let (scaled, mut e) = if x < f64::MIN_POSITIVE { (x * 18014398509481984.0, -54) } else { (x, 0) };
            let bits = scaled.to_bits();
            e += (bits >> 52) as i64 - 1075;
            let mut m = u128::from(bits & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000) << 72;
            e -= 72;
            if e % 2 != 0 {
                m <<= 1;
                e -= 1;
            }
            let (mut root, mut rest) = (0_u128, m);
            let mut digit = 1_u128 << 62;
            while digit != 0 {
                let trial = (root << 1 | digit) << digit.trailing_zeros();
                if trial <= rest {
                    rest -= trial;
                    root |= digit;
                }
                digit >>= 1;
            }
            // More digits than a double holds, and whether there are more still: rounding once is right.
            let sticky = root << 1 | u128::from(rest != 0);
            let size = 128 - sticky.leading_zeros() as i64;
            let excess = size - 53;
            let (mut kept, dropped) = ((sticky >> excess) as u64, sticky & ((1 << excess) - 1));
            let half = 1_u128 << (excess - 1);
            kept += u64::from(dropped > half || dropped == half && kept & 1 == 1);
            let exponent = e / 2 - 1 + excess + 1075;
            f64::from_bits(((exponent as u64) << 52) + (kept - (1 << 52)))
        }
        pub fn floor(x: f64) -> f64 {
            let whole = truncate(x);
            if whole > x { (whole - 1.0).copysign(x) } else { whole }
        }
        pub fn ceiling(x: f64) -> f64 {
            -floor(-x)
        }
        pub fn truncate(x: f64) -> f64 {
            // Doubles from 2^52 on are whole already, and what is not a number stays.
            if x.abs() < 4503599627370496.0 { (x as i64 as f64).copysign(x) } else { x }
        }
        pub fn round(x: f64) -> f64 {
            let shift = 4503599627370496.0_f64.copysign(x);
            if x.abs() < 4503599627370496.0 { ((x + shift) - shift).copysign(x) } else { x }
        }
    }

    pub use own::*;

    pub fn minimum(a: f64, b: f64) -> f64 {
        if a < b { a } else { b }
    }
    pub fn maximum(a: f64, b: f64) -> f64 {
        if a > b { a } else { b }
    }
}
