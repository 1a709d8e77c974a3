//! Names made into identifiers that are unique in their scope and mean nothing else in the text form.

use crate::text::{is_identifier, is_keyword};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names taken in one scope.
#[derive(Clone, Default)]
pub struct Names {
    taken: FxHashSet<String>,
    /// The last number tried for each wish, so that many equal wishes stay cheap.
    last: FxHashMap<String, usize>,
}

impl Names {
    /// The wished name, with foreign characters replaced, and numbered if it is taken.
    pub fn claim(&mut self, wish: &str) -> String {
        let base = identifier(wish);
        let mut name = base.clone();
        while !self.taken.insert(name.clone()) {
            let last = self.last.entry(base.clone()).or_insert(1);
            *last += 1;
            name = format!("{base}_{last}");
        }
        name
    }
}

fn identifier(wish: &str) -> String {
    // The rate of `angle` is written `angle'`, and its acceleration `angle''`.
    let wish = wish.replace("''", "_ddot").replace('\'', "_dot");
    let mut name: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !is_identifier(&name) {
        name.insert(0, '_');
    }
    if is_keyword(&name) {
        name.push('_');
    }
    name
}
