//! The kinds of trouble a text can be in before anything is known of its meaning.

base::codes! {
    /// Something stands where the language has no place for it, or something is missing.
    UNEXPECTED_TEXT = "unexpected-text";
    /// A bracket, brace or bar is opened and never closed.
    UNCLOSED = "unclosed";
    /// A text in quotes has no closing quote on its line.
    UNCLOSED_TEXT = "unclosed-text";
    /// A number is too large to be computed with.
    BAD_NUMBER = "bad-number";
    /// A statement starts with a word that is none of the language's.
    UNKNOWN_STATEMENT = "unknown-statement";
    /// Where something is declared, there is a word with a meaning of its own.
    RESERVED_WORD = "reserved-word";
    /// `always` and `initially` state equations, `left == right`, and something else follows them.
    EQUATION_EXPECTED = "equation-expected";
    /// A definition uses `=`, and something like it stands there instead.
    DEFINITION_EXPECTED = "definition-expected";
    /// `a == b == c` could mean two things, so it means nothing.
    CHAINED_COMPARISON = "chained-comparison";
    /// Part of the language as it is going to be, but not of this version.
    NOT_YET_SUPPORTED = "not-yet-supported";
    /// Nested beyond what anybody could read.
    TOO_DEEP = "too-deep";
}
