//! The manual: the texts of `docs`, with tables from the compiler's own, as pages that need no network.
//!
//! A page is Markdown that also reads well where it lies; [`site`] makes a folder of HTML of all of them. Between `<!-- table: NAME -->`
//! and `<!-- end -->` stands a table of [`table()`], made anew whenever the pages are.

mod contents;
mod embedded;
mod highlight;
mod lesson;
mod library;
mod links;
mod math;
mod page;
mod search;
mod site;
mod tables;

pub use lesson::{Choice, Goal, Lesson, Part, Question, Task, Wrong, lesson};
pub use math::{typeset, untypeset};
pub use page::{Block, blocks, scene};
pub use site::{File, Given, site};
pub use tables::{fill, table};

/// The texts of the manual, by their path in the repository.
pub fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    let texts = embedded::FILES.iter().filter(|(path, _)| path.ends_with(".md"));
    texts.filter_map(|(path, bytes)| Some((*path, std::str::from_utf8(bytes).ok()?)))
}
