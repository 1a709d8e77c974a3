//! A hash of a trajectory: programs that print the same one have computed the same bits.

use std::fmt;

/// FNV-1a with 64 bits (Fowler, Noll and Vo) over the times and values, each with its lowest byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub fn row(&mut self, t: f64, values: &[f64]) {
        for byte in std::iter::once(&t).chain(values).flat_map(|value| value.to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by another program, which gives the 85944171f73967e8 of the hash's authors for "foobar".
    #[test]
    fn known_values() {
        assert_eq!(Hash::default().to_string(), "cbf29ce484222325");
        let mut hash = Hash::default();
        hash.row(f64::from_le_bytes(*b"chongo w"), &[f64::from_le_bytes(*b"as here!")]);
        assert_eq!(hash.to_string(), "858e2fa32a55e61d");
    }
}
