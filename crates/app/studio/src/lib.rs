//! The studio: a server on this machine that compiles and runs scenes, and a page in the browser that edits and draws them.
//!
//! The server serves files and passes messages on. Each text is compiled, and each run computed, by a worker: a process of its own.

mod alone;
mod describe;
mod embedded;
mod film;
mod pipe;
mod protocol;
mod server;
mod worker;

pub use alone::{film_page, page};
pub use embedded::typefaces;
pub use film::{Filmed, Look, OVERLAYS, Order, PRESETS, browser, film};
pub use protocol::Refusal;
pub use server::{Folder, Options, Pages, Server};
pub use worker::work;

/// The scenes that come with Ansatz: names of files, and texts.
pub fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    embedded::EXAMPLES.iter().filter_map(|(name, bytes)| Some((*name, std::str::from_utf8(bytes).ok()?)))
}

/// Whether the page is in this program; otherwise one stands in that says how to build it.
pub fn has_page() -> bool {
    embedded::BUILT
}
