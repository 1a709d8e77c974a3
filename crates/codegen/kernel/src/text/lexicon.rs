//! The words of the text form.

/// Words with a meaning of their own, which cannot be names.
const KEYWORDS: &[&str] = &[
    "module", "array", "fn", "rare", "let", "if", "else", "switch", "case", "while", "for", "in", "break", "call",
    "foreign", "return", "real", "integer", "inf", "nan",
];

pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether the word has the form of a name: ASCII letters, digits and `_`, not beginning with a digit.
pub fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
