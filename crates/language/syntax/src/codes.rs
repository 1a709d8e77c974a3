//! The kinds of trouble a text can be in before anything is known of its meaning.

use base::Code;

/// Something stands where the language has no place for it, or something is missing.
pub const UNEXPECTED_TEXT: Code = Code("unexpected-text");
/// A bracket, brace or bar is opened and never closed.
pub const UNCLOSED: Code = Code("unclosed");
/// A text in quotes has no closing quote on its line.
pub const UNCLOSED_TEXT: Code = Code("unclosed-text");
/// A number is too large to be computed with.
pub const BAD_NUMBER: Code = Code("bad-number");
/// A statement starts with a word that is none of the language's.
pub const UNKNOWN_STATEMENT: Code = Code("unknown-statement");
/// Where something is declared, there is a word with a meaning of its own.
pub const RESERVED_WORD: Code = Code("reserved-word");
/// `always` and `initially` state equations, `left == right`, and something else follows them.
pub const EQUATION_EXPECTED: Code = Code("equation-expected");
/// A definition uses `=`, and something like it stands there instead.
pub const DEFINITION_EXPECTED: Code = Code("definition-expected");
/// `a == b == c` could mean two things, so it means nothing.
pub const CHAINED_COMPARISON: Code = Code("chained-comparison");
/// Part of the language as it is going to be, but not of this version.
pub const NOT_YET_SUPPORTED: Code = Code("not-yet-supported");
/// Nested beyond what anybody could read.
pub const TOO_DEEP: Code = Code("too-deep");

/// Every code of this stage.
pub const CODES: &[Code] = &[
    UNEXPECTED_TEXT,
    UNCLOSED,
    UNCLOSED_TEXT,
    BAD_NUMBER,
    UNKNOWN_STATEMENT,
    RESERVED_WORD,
    EQUATION_EXPECTED,
    DEFINITION_EXPECTED,
    CHAINED_COMPARISON,
    NOT_YET_SUPPORTED,
    TOO_DEEP,
];
