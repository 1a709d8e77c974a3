//! How counts and lists are said in a sentence.

/// `1 constraint`, `2 constraints`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(parts: &[String]) -> String {
    match parts {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => parts.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_read_well() {
        assert_eq!((counted(1, "body", "bodies"), counted(0, "body", "bodies")), ("1 body".into(), "0 bodies".into()));
        let parts = ["a", "b", "c"].map(String::from);
        assert_eq!([0, 1, 2, 3].map(|n| listed(&parts[..n])), ["", "a", "a and b", "a, b and c"]);
    }
}
