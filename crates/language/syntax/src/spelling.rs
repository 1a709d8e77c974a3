//! The nearest known word to one that is not known.

/// The candidate that is the same but for its case, or else the one with the fewest wrong letters, if those are few.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let length = lower.chars().count();
    candidates
        .map(|candidate| (distance(&lower, candidate), candidate))
        .filter(|(distance, candidate)| distance * 3 <= length.min(candidate.chars().count()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be added, dropped or replaced to turn one word into the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    const LONGEST: usize = 32;
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    if from.len().max(to.len()) > LONGEST {
        return LONGEST;
    }
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = || ["gravity", "body", "fn", "let"].into_iter();
        assert_eq!(nearest("Gravity", known()), Some("gravity"));
        assert_eq!(nearest("graviti", known()), Some("gravity"));
        assert_eq!(nearest("bdy", known()), Some("body"));
        assert_eq!(nearest("LET", known()), Some("let"));
        assert_eq!(nearest("hn", known()), None);
        assert_eq!(nearest("rope", known()), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
