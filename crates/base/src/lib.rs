//! What every layer shares: ids, places in source text, diagnostics, physical dimensions with their units,
//! seeded random numbers, fingerprints, bytes as text, invariants of stages, and lists that grow in place or while others read them.

pub mod base64;
mod code;
mod diagnostic;
mod dimension;
mod fingerprint;
mod hull;
mod id;
mod invariant;
mod ledger;
mod pile;
mod random;
mod source;
mod spelling;
mod unit;
mod words;

pub use code::Code;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use dimension::{Dimension, Exponent};
pub use fingerprint::fingerprint;
pub use hull::{Hull, NoHull, Spread};
pub use invariant::{Broken, Invariant, verify, verify_after};
pub use ledger::Ledger;
pub use pile::Pile;
pub use random::Random;
pub use source::{Source, SourceId, Sources, Span};
pub use spelling::nearest;
pub use unit::{UNITS, Unit, UnitError, UnitRow};
pub use words::{counted, escaped, listed, visible};
