//! What an editor asks of a text: what is here, where it comes from, where else it is spoken of, what could follow, what there is.
//!
//! Everything is answered from the syntax tree, which there is of any text, so a scene that does not compile yet is as well served as
//! one that does. The language server and the studio ask the same questions.

mod complete;
mod context;
mod fix;
mod grammar;
mod hover;
mod index;
mod known;
mod nature;
mod outline;
mod reading;
mod rename;
mod seen;
mod symbol;
mod walk;

pub use complete::Completions;
pub use fix::{Fix, fixes};
pub use grammar::{CLAUSES, textmate, word_lists};
pub use hover::{Hover, frame_of};
pub use known::Entry;
pub use outline::Outlined;
pub use reading::{Edit, File, Reading};
pub use seen::{Coloured, Hint, Signature, Sort};
pub use symbol::Role;
