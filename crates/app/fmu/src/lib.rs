//! Functional mock-up units of other programs (FMI 2.0 and 3.0), as parts of a scene: `use fmu "motor.fmu" as motor`.
//!
//! A unit is an archive with a description and a library. The description becomes the text of members ([`read`]): quantities with units, and laws whose right
//! sides are foreign functions of the kernel. Nothing of the library runs before a run asks for a value.

#[cfg(unix)]
mod apart;
mod archive;
mod calls;
pub mod compiler;
mod description;
mod nodes;
mod sources;
mod text;
mod unit;
mod values;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(unix)]
use crate::apart::{Instance, Loaded};
#[cfg(not(unix))]
use crate::calls::{Instance, Loaded};
use crate::unit::Unit;

/// The members of a unit as a text of the language, and the names of inputs, outputs and parameters that have none there: texts, bytes, and arrays that are
/// too long. Or why it cannot be used.
pub fn read(bytes: &[u8]) -> Result<(String, Vec<String>), String> {
    let archive = archive::open(bytes)?;
    let description = description::read(&archive.description)?;
    let usable = description.usable()?;
    archive.check_library(&description, usable)?;
    let number = number_of(bytes, || Unit::new(archive, description.clone(), usable));
    Ok((text::members(&description, usable, number)?, description.left_out))
}

/// What a library said last in this thread when it could not go on, for the message of a run that ended by it.
pub fn complaint() -> Option<String> {
    calls::last_words()
}

/// The number under which programs call a unit. One of the same bytes is registered once in a process, however often its scene is compiled.
fn number_of(bytes: &[u8], make: impl FnOnce() -> Unit) -> usize {
    static KNOWN: Mutex<Option<HashMap<(u64, usize), usize>>> = Mutex::new(None);
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    *known.entry((hasher.finish(), bytes.len())).or_insert_with(|| {
        let unit = Arc::new(make());
        kernel::foreign::register(Arc::new(move |arguments| unit.value(arguments)))
    })
}
