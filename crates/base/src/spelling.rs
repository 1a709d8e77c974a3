//! What a mistyped word may have meant.

/// The known word that is fewest edits away, if it is near enough to be meant; otherwise the shortest that begins with the
/// word. Ties go to the first.
///
/// One or two letters are too little to guess from: of `x` and `k` only the case may differ.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let length = lower.chars().count();
    let limit = if length > 2 { (length / 3).max(1) } else { 0 };
    let known: Vec<(String, &str)> = known.into_iter().map(|candidate| (candidate.to_lowercase(), candidate)).collect();
    let near = known.iter().map(|(known, candidate)| (distance(&lower, known), *candidate));
    let near = near.filter(|&(distance, _)| distance <= limit).min_by_key(|&(distance, _)| distance);
    let begun =
        || known.iter().filter(|(known, _)| length > 2 && known.starts_with(&lower)).min_by_key(|row| row.0.len());
    near.map(|(_, candidate)| candidate).or_else(|| begun().map(|(_, candidate)| *candidate))
}

/// Edits between two words, a swap of neighbours counting as one (Damerau and Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    const LONGEST: usize = 64;
    let (a, b): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    if a.len().max(b.len()) > LONGEST {
        return LONGEST;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j - 1] + change).min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("lenght", ["length", "mass"]), Some("length"));
        assert_eq!(nearest("Bob", ["bob", "swing"]), Some("bob"));
        assert_eq!(nearest("graviti", ["gravity", "body"]), Some("gravity"));
        assert_eq!(nearest("bdy", ["gravity", "body"]), Some("body"));
        assert_eq!(nearest("pos", ["mass", "position"]), Some("position"));
        assert_eq!(nearest("ang", ["angular_momentum", "angle"]), Some("angle"));
        assert_eq!(nearest("po", ["position"]), None);
        assert_eq!(nearest("L", ["l", "m"]), Some("l"));
        assert_eq!(nearest("x", ["k", "m"]), None);
        assert_eq!(nearest("hn", ["fn", "let"]), None);
        assert_eq!(nearest("rope", ["gravity", "body", "fn", "let"]), None);
        assert_eq!(nearest("pendulum", ["length", "mass"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
