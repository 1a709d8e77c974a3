//! The studio as its page uses it: over a real socket, with the real program.

mod changes;
mod client;
mod files;
mod runs;
mod security;
