//! What every layer shares: places in source text, diagnostics, and physical dimensions with their units.

mod diagnostic;
mod dimension;
mod source;
mod spelling;
mod unit;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Label, Severity};
pub use dimension::{Dimension, Exponent};
pub use source::{Source, SourceId, Sources, Span};
pub use spelling::nearest;
pub use unit::{UNITS, Unit, UnitError, UnitRow};
