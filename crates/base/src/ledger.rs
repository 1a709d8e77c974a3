//! Lists that grow while others read them.

use std::ops::Index;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A list that only grows, and never moves what is in it: references into it stay good, and any thread may read while one appends.
pub struct Ledger<T> {
    /// Each twice as long as the one before.
    blocks: [OnceLock<Box<[OnceLock<T>]>>; BLOCKS],
    len: AtomicUsize,
}

/// The length of the first block is this power of two.
const FIRST: u32 = 6;
/// Enough for four thousand million items.
const BLOCKS: usize = 27;

impl<T> Ledger<T> {
    /// Appends an item, and tells its place. Of threads that append at the same time each gets a place of its own.
    pub fn push(&self, item: T) -> usize {
        let at = self.len.fetch_add(1, Ordering::AcqRel);
        let (block, place) = locate(at);
        let fresh = || (0..1_usize << (block as u32 + FIRST)).map(|_| OnceLock::new()).collect();
        let is_new = self.blocks[block].get_or_init(fresh)[place].set(item).is_ok();
        debug_assert!(is_new, "places are given once");
        at
    }

    pub fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn locate(at: usize) -> (usize, usize) {
    let shifted = at + (1 << FIRST);
    let power = shifted.ilog2();
    ((power - FIRST) as usize, shifted - (1 << power))
}

impl<T> Default for Ledger<T> {
    fn default() -> Ledger<T> {
        Ledger { blocks: [const { OnceLock::new() }; BLOCKS], len: AtomicUsize::new(0) }
    }
}

impl<T> Index<usize> for Ledger<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        let (block, place) = locate(at);
        let item = self.blocks[block].get().and_then(|block| block[place].get());
        item.unwrap_or_else(|| panic!("there is no item {at} of {}", self.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_found_where_it_was_put() {
        let ledger = Ledger::default();
        let first = ledger.push(0);
        let first = &ledger[first];
        for at in 1..10_000 {
            assert_eq!(ledger.push(at), at);
        }
        assert_eq!((*first, ledger.len()), (0, 10_000));
        assert!((0..10_000).all(|at| ledger[at] == at));
    }

    #[test]
    fn threads_append_and_read_at_the_same_time() {
        let ledger = Ledger::default();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let ledger = &ledger;
                scope.spawn(move || {
                    for item in 0..1000 {
                        let at = ledger.push((thread, item));
                        assert_eq!(ledger[at], (thread, item));
                    }
                });
            }
        });
        assert_eq!(ledger.len(), 4000);
    }
}
