//! The studio: a server on this machine that compiles and runs scenes, and a page in the browser that edits and draws them.
//!
//! The server serves files and passes messages on. Each text is compiled, and each run computed, by a worker: a process of its own. Where the
//! compiler is in the browser, as WebAssembly, workers of the page do the same, and there is no server.

mod describe;
mod pipe;
// Files are the page's own business where there is no server.
#[cfg_attr(target_arch = "wasm32", allow(dead_code))]
mod protocol;
mod worker;

#[cfg(not(target_arch = "wasm32"))]
mod alone;
#[cfg(not(target_arch = "wasm32"))]
mod embedded;
#[cfg(not(target_arch = "wasm32"))]
mod film;
#[cfg(not(target_arch = "wasm32"))]
mod lesson;
#[cfg(not(target_arch = "wasm32"))]
mod playground;
#[cfg(not(target_arch = "wasm32"))]
mod server;

pub use pipe::Message;
pub use worker::Worker;

#[cfg(not(target_arch = "wasm32"))]
pub use {
    alone::{content, film_page, page, template},
    embedded::{examples, has_page, typefaces},
    film::{Filmed, KeptView, Look, OVERLAYS, Order, PRESETS, browser, film},
    lesson::lesson_page,
    playground::{Missing, playground},
    protocol::Refusal,
    server::{Folder, Options, Pages, Server},
    worker::work,
};
