//! What the theories that come with Ansatz declare, from their texts: a comment above a declaration says what it is.

/// A kind, connection or law of a theory.
pub struct Declaration {
    /// As it is written, up to its braces.
    pub head: String,
    pub meaning: String,
}

/// What a theory is about, and what it declares, in the order of its text.
pub fn theory(text: &str) -> (String, Vec<Declaration>) {
    let mut about = String::new();
    let mut declarations = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("// ") {
            comment.push(words);
            continue;
        }
        if line.starts_with("theory ") {
            about = comment.join(" ");
        }
        if ["kind ", "connection ", "law ", "fn "].iter().any(|word| line.starts_with(word)) {
            let ends: &[char] = if line.starts_with("fn ") { &['='] } else { &['{'] };
            let head = line.split(ends).next().unwrap_or(line).trim().to_string();
            declarations.push(Declaration { head, meaning: comment.join(" ") });
        }
        comment.clear();
    }
    (about, declarations)
}

#[cfg(test)]
mod tests {
    #[test]
    fn everything_in_the_library_is_described() {
        for (name, text) in driver::library::LIBRARY {
            let (about, declarations) = super::theory(text);
            assert!(about.ends_with('.') && !declarations.is_empty(), "{name} says nothing of itself");
            for one in declarations {
                assert!(one.meaning.ends_with('.'), "{name}: there is no comment above `{}`", one.head);
            }
        }
    }
}
