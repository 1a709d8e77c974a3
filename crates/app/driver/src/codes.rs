//! The kinds of diagnostics that runs and settings report.

use base::Code;

macro_rules! codes {
    ($($constant:ident = $name:literal;)*) => {
        $(pub const $constant: Code = Code($name);)*
        /// Every code of this crate.
        pub const CODES: &[Code] = &[$($constant),*];
    };
}

codes! {
    INCONSISTENT_START = "inconsistent-start";
    SINGULAR_SYSTEM = "singular-system";
    STEP_COLLAPSE = "step-collapse";
    NOT_FINITE = "not-finite";
    CONSTRAINT_LOST = "constraint-lost";
    UNKNOWN_SETTING = "unknown-setting";
    BAD_SETTING = "bad-setting";
    CODE_GENERATION = "code-generation";
}
