//! What every layer shares: ids, places in source text, diagnostics, and physical dimensions with their units.

mod code;
mod diagnostic;
mod dimension;
mod id;
mod source;
mod spelling;
mod unit;
mod words;

pub use code::Code;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use dimension::{Dimension, Exponent};
pub use source::{Source, SourceId, Sources, Span};
pub use spelling::nearest;
pub use unit::{UNITS, Unit, UnitError, UnitRow};
pub use words::{counted, listed};
