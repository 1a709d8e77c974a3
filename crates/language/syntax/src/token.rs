//! Tokens: the smallest pieces of text that mean something.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// Bytes from the start of the text.
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Newline,
    Comment,
    Word,
    Number,
    Text,
    UnclosedText,
    OpenParenthesis,
    CloseParenthesis,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Semicolon,
    Colon,
    ColonDefine,
    Period,
    Range,
    Prime,
    Bar,
    Define,
    PlusDefine,
    Plus,
    Minus,
    Times,
    Over,
    Caret,
    Dot,
    Cross,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// A character without meaning.
    Unknown,
    EndOfText,
}

/// Every symbol and what it is read as. The first that fits is taken, so the longer ones come first.
#[rustfmt::skip]
pub(crate) const SYMBOLS: &[(&str, TokenKind)] = &[
    ("==", TokenKind::Equal),
    ("!=", TokenKind::NotEqual),     ("≠", TokenKind::NotEqual),
    ("<=", TokenKind::LessEqual),    ("≤", TokenKind::LessEqual),
    (">=", TokenKind::GreaterEqual), ("≥", TokenKind::GreaterEqual),
    (":=", TokenKind::ColonDefine),
    ("+=", TokenKind::PlusDefine),
    ("..", TokenKind::Range),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("=", TokenKind::Define),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),         ("−", TokenKind::Minus),
    ("*", TokenKind::Times),
    ("/", TokenKind::Over),
    ("^", TokenKind::Caret),
    ("·", TokenKind::Dot),           ("⋅", TokenKind::Dot),
    ("×", TokenKind::Cross),
    ("|", TokenKind::Bar),
    ("'", TokenKind::Prime),         ("′", TokenKind::Prime),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    (":", TokenKind::Colon),
    (".", TokenKind::Period),
    ("(", TokenKind::OpenParenthesis),
    (")", TokenKind::CloseParenthesis),
    ("[", TokenKind::OpenBracket),
    ("]", TokenKind::CloseBracket),
    ("{", TokenKind::OpenBrace),
    ("}", TokenKind::CloseBrace),
];

impl TokenKind {
    /// Layout and comments carry no meaning of their own.
    pub fn is_significant(self) -> bool {
        !matches!(self, TokenKind::Newline | TokenKind::Comment)
    }

    pub fn ends_statement(self) -> bool {
        matches!(self, TokenKind::Newline | TokenKind::Semicolon | TokenKind::EndOfText)
    }

    /// Whether an expression can stop with this token.
    pub fn ends_operand(self) -> bool {
        use TokenKind::*;
        matches!(self, Word | Number | Text | CloseParenthesis | CloseBracket | Bar | Prime)
    }

    /// Whether an expression can begin with this token; a sign is left out, because it could go on with one as well.
    pub fn begins_operand(self) -> bool {
        use TokenKind::*;
        matches!(self, Word | Number | Text | OpenParenthesis | Bar)
    }

    /// Whether it stands between two operands.
    pub fn is_operator(self) -> bool {
        use TokenKind::*;
        let arithmetic = matches!(self, Plus | Minus | Times | Over | Caret | Dot | Cross);
        arithmetic || matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }

    /// The bracket that closes this one.
    pub fn closing(self) -> Option<TokenKind> {
        match self {
            TokenKind::OpenParenthesis => Some(TokenKind::CloseParenthesis),
            TokenKind::OpenBracket => Some(TokenKind::CloseBracket),
            TokenKind::OpenBrace => Some(TokenKind::CloseBrace),
            _ => None,
        }
    }

    pub fn is_closing(self) -> bool {
        matches!(self, TokenKind::CloseParenthesis | TokenKind::CloseBracket | TokenKind::CloseBrace)
    }
}

impl Token {
    pub fn text(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}
