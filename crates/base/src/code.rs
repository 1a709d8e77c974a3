//! The stable names of kinds of diagnostics.

/// The stable name of one kind of diagnostic, such as `unknown-name`. The page `docs/errors/NAME.md` explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub &'static str);

/// Declares the codes of a stage, each as a constant, and `CODES`, which lists them all.
///
/// ```
/// base::codes! {
///     UNKNOWN_NAME = "unknown-name";
///     DUPLICATE_NAME = "duplicate-name";
/// }
/// assert_eq!(CODES, [UNKNOWN_NAME, DUPLICATE_NAME]);
/// ```
#[macro_export]
macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: $crate::Code = $crate::Code($name);)*

        /// Every code that is declared here.
        pub const CODES: &[$crate::Code] = &[$($constant),*];
    };
}
