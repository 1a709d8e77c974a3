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

/// As text of XML and HTML, between tags or in quotes.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text in which nothing is hidden: line breaks and other control characters, and marks that turn the direction of writing, are spelled out, so
/// that nobody reads another text than the one that is there.
pub fn visible(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
    text.chars()
        .map(|c| if c.is_control() || turns(c) { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_hidden() {
        assert_eq!(visible("of the\rrod \u{202e}θ\n"), "of the\\rrod \\u{202e}θ\\n");
    }

    #[test]
    fn sentences_read_well() {
        assert_eq!((counted(1, "body", "bodies"), counted(0, "body", "bodies")), ("1 body".into(), "0 bodies".into()));
        let parts = ["a", "b", "c"].map(String::from);
        assert_eq!([0, 1, 2, 3].map(|n| listed(&parts[..n])), ["", "a", "a and b", "a, b and c"]);
    }
}
