//! Graphs over integers: who occurs in what, who can be solved from what, and in which order.
//!
//! Rows are equations, columns are unknowns; nothing here knows what they mean.

mod blocks;
mod components;
mod decomposition;
mod elimination;
mod fronts;
mod incidence;
mod index;
mod matching;

pub use blocks::{Block, order_blocks};
pub use components::{connected_components, strong_components};
pub use decomposition::{Decomposition, decompose};
pub use elimination::{Elimination, eliminate};
pub use fronts::{Front, fronts};
pub use incidence::Incidence;
pub use index::{Offsets, Orders, reduce_index};
pub use matching::{Matching, extend_matching, maximum_matching};
