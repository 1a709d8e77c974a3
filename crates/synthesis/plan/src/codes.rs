//! The kinds of diagnostics this stage reports.

use base::Code;

macro_rules! codes {
    ($($constant:ident = $name:literal;)*) => {
        $(pub const $constant: Code = Code($name);)*
        /// Every code of this stage.
        pub const CODES: &[Code] = &[$($constant),*];
    };
}

codes! {
    UNDER_DETERMINED = "under-determined";
    OVER_DETERMINED = "over-determined";
    REDUNDANT_CONSTRAINT = "redundant-constraint";
    CONTRADICTING_CONSTRAINTS = "contradicting-constraints";
}
