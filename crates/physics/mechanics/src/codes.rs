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
    CONTRADICTION = "contradiction";
    ACCELERATION_CONSTRAINT = "acceleration-constraint";
    ACCELERATION_FORCE = "acceleration-force";
    CYCLIC_FRAMES = "cyclic-frames";
    NO_ROTATION = "no-rotation";
    NOT_A_COORDINATE = "not-a-coordinate";
}
