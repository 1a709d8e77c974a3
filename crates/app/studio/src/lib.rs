//! The studio: a server on this machine that compiles and runs scenes, and a page in the browser that edits and draws them.
//!
//! The server serves files and passes messages on. Each text is compiled, and each run computed, by a worker: a process of its own.

mod alone;
mod describe;
mod embedded;
mod pipe;
mod protocol;
mod server;
mod worker;

pub use alone::page;
pub use embedded::typefaces;
pub use protocol::Refusal;
pub use server::{Folder, Options, Pages, Server};
pub use worker::work;
