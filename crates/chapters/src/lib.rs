//! Chapters: Markdown files with scenes and what a stage of the compiler makes of them. Only tests use this crate.
//!
//! A block marked `model` is a scene. Each block that follows it has a word of its own, and the test of the stage says what that block
//! should be: what the stage shows of the scene, or a statement in the language that must be true of it. `ANSATZ_BLESS=1` rewrites what
//! stages show; the difference is reviewed like code. What is untrue stays untrue.

mod chapter;
mod compare;
mod scene;

pub use chapter::{Block, check};
pub use compare::{same_equation, same_value};
pub use scene::{Scene, Statement, diagnostics};
