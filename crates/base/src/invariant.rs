//! Invariants: what is true of the data of a stage, whichever pass made it.

use std::fmt;

/// A name, and what finds a part of the data of which it is not true.
pub type Invariant<S> = (&'static str, fn(&S) -> Result<(), String>);

/// An invariant that does not hold, and of what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub invariant: &'static str,
    pub of: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, but not {}", self.invariant, self.of)
    }
}

/// The first invariant that does not hold.
pub fn verify<S>(stage: &S, invariants: &[Invariant<S>]) -> Result<(), Broken> {
    invariants.iter().try_for_each(|&(invariant, holds)| holds(stage).map_err(|of| Broken { invariant, of }))
}

/// In debug builds, ends the process where a pass has broken something: whatever came after would be a riddle.
pub fn verify_after(pass: &str, verify: impl FnOnce() -> Result<(), Broken>) {
    if cfg!(debug_assertions)
        && let Err(broken) = verify()
    {
        panic!("after `{pass}`: {broken}");
    }
}
