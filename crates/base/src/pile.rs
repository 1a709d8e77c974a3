//! Lists that grow in place.

use std::ops::{Index, IndexMut};

/// A list that never moves what is in it: of hundreds of thousands of things, fresh memory for a list that is twice as long, time and again,
/// costs more than what is done with them.
#[derive(Clone, Debug)]
pub struct Pile<T> {
    /// All but the last are full.
    blocks: Vec<Vec<T>>,
}

const BLOCK: usize = 1 << 12;

impl<T> Pile<T> {
    pub fn push(&mut self, item: T) {
        match self.blocks.last_mut() {
            Some(last) if last.len() < BLOCK => last.push(item),
            // Most lists are short.
            None => self.blocks.push(vec![item]),
            Some(_) => {
                let mut block = Vec::with_capacity(BLOCK);
                block.push(item);
                self.blocks.push(block);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * BLOCK + last.len())
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

impl<T> Default for Pile<T> {
    fn default() -> Pile<T> {
        Pile { blocks: Vec::new() }
    }
}

impl<T> FromIterator<T> for Pile<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Pile<T> {
        let mut pile = Pile::default();
        items.into_iter().for_each(|item| pile.push(item));
        pile
    }
}

impl<T> Index<usize> for Pile<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.blocks[at / BLOCK][at % BLOCK]
    }
}

impl<T> IndexMut<usize> for Pile<T> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.blocks[at / BLOCK][at % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_found_where_it_was_put() {
        let mut pile = Pile::default();
        assert!(pile.is_empty());
        for at in 0..3 * BLOCK {
            assert_eq!(pile.len(), at);
            pile.push(at);
        }
        pile[BLOCK] += 1;
        assert_eq!(
            [pile[0], pile[BLOCK - 1], pile[BLOCK], pile[3 * BLOCK - 1]],
            [0, BLOCK - 1, BLOCK + 1, 3 * BLOCK - 1]
        );
    }
}
