//! A number that tells texts apart.

/// FNV-1a with 64 bits (Fowler, Noll and Vo).
pub fn fingerprint(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    /// As its authors have it.
    #[test]
    fn known_value() {
        assert_eq!(super::fingerprint(*b"foobar"), 0x8594_4171_f739_67e8);
    }
}
