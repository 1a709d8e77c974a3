//! The rows of an index family: for which members of some list a template is repeated.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Once for each of so many members.
    Each(usize),
    /// Once for each two of so many members, the earlier one first.
    Pairs(usize),
}

impl Rows {
    /// How many members the columns of a table have.
    pub fn members(self) -> usize {
        match self {
            Rows::Each(members) | Rows::Pairs(members) => members,
        }
    }

    pub fn len(self) -> usize {
        match self {
            Rows::Each(members) => members,
            Rows::Pairs(members) => members * members.saturating_sub(1) / 2,
        }
    }

    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// For each row the members that its first and its second slots are about.
    pub fn iter(self) -> impl Iterator<Item = [usize; 2]> {
        (0..self.members()).flat_map(move |first| {
            let seconds = match self {
                Rows::Each(_) => first..first + 1,
                Rows::Pairs(members) => first + 1..members,
            };
            seconds.map(move |second| [first, second])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_met_once_and_nobody_meets_himself() {
        let met: Vec<[usize; 2]> = Rows::Pairs(4).iter().collect();
        assert_eq!(met, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(met.len(), Rows::Pairs(4).len());
        assert_eq!(Rows::Each(3).iter().collect::<Vec<_>>(), [[0, 0], [1, 1], [2, 2]]);
        assert!(Rows::Pairs(1).is_empty() && Rows::Pairs(0).is_empty());
    }
}
