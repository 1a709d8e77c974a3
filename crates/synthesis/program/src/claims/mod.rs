//! What is claimed of a behaviour, and the machine that watches it.

mod formula;
mod watcher;

pub use formula::Formula;
pub use watcher::{MOST_NODES, Watcher, Way, watcher};
