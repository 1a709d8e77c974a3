//! Small changes to texts, most of them by tokens, so that many of the results still mean something.

// All mutations have the same type, whether they need a vector or not.
#![allow(clippy::ptr_arg)]

use super::corpus::Corpus;
use base::Random;

type Mutation = fn(&mut Vec<String>, &Corpus, &mut Random);

const MUTATIONS: &[Mutation] = &[
    delete,
    duplicate,
    swap,
    splice,
    extreme_number,
    extreme_number,
    other_word,
    other_word,
    keyword,
    scribble,
    nest,
    repeat,
    lines,
    lines,
    flip_bytes,
];

const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "1e308",
    "1e-308",
    "1e999",
    "-0",
    "0.1",
    "1e6",
    "3",
    "100",
    "9007199254740993",
    "(0/0)",
    "1/0",
    "1e400",
    "99999999999999999999",
    "0x10",
    "1.",
    ".5",
    "1e",
    "1..2",
    "4294967296",
    "60 [deg]",
    "-1e308 [m]",
];

/// Unusual characters: joiners, marks, other digits and letters, brackets, line ends.
const SCRIBBLES: &[&str] = &[
    "é", "θ₁", "\u{200d}", "\u{301}", "\u{feff}", "\0", "\r", "\r\n", "\t", "\u{2028}", "٣", "𝒳", "🜚", "\"", "'", "\\",
    "(", ")", "{", "}", "[", "]", "|", "==", "=", "^", "·", "×", "..", ".", ",", ";", ":", "//", "/*", "#", "@", "`",
];

pub fn mutate(corpus: &Corpus, random: &mut Random) -> String {
    let mut tokens = tokens(corpus.pick(random));
    for _ in 0..1 + random.below(4) {
        random.pick(MUTATIONS)(&mut tokens, corpus, random);
    }
    tokens.concat()
}

/// Words, numbers, runs of blanks, and every other character by itself.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last = Class::Other;
    for c in text.chars() {
        let class = match c {
            _ if c.is_alphabetic() || c == '_' => Class::Word,
            _ if c.is_numeric() => Class::Number,
            ' ' => Class::Blank,
            _ => Class::Other,
        };
        let joins = class != Class::Other && (class == last || (class == Class::Number && last == Class::Word));
        match tokens.last_mut() {
            Some(token) if joins => token.push(c),
            _ => {
                tokens.push(c.to_string());
                last = class;
            }
        }
    }
    tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Number,
    Blank,
    Other,
}

fn is_word(token: &str) -> bool {
    token.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
}

fn is_number(token: &str) -> bool {
    token.chars().next().is_some_and(char::is_numeric)
}

/// A short stretch of tokens.
fn stretch(tokens: &[String], random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(tokens.len());
    let length = if random.below(3) == 0 { random.below(30) } else { 1 };
    start..(start + length).min(tokens.len())
}

fn place(tokens: &[String], random: &mut Random) -> usize {
    random.below(tokens.len() + 1)
}

fn delete(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    tokens.drain(stretch(tokens, random));
}

fn duplicate(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    let copy: Vec<String> = tokens[stretch(tokens, random)].to_vec();
    let at = place(tokens, random);
    tokens.splice(at..at, copy);
}

fn swap(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    if !tokens.is_empty() {
        let (a, b) = (random.below(tokens.len()), random.below(tokens.len()));
        tokens.swap(a, b);
    }
}

fn splice(tokens: &mut Vec<String>, corpus: &Corpus, random: &mut Random) {
    let other = self::tokens(corpus.pick(random));
    let piece = other[stretch(&other, random)].to_vec();
    let over = stretch(tokens, random);
    let over = if random.below(2) == 0 { over } else { over.start..over.start };
    tokens.splice(over, piece);
}

fn replace(tokens: &mut [String], which: fn(&str) -> bool, by: &str, random: &mut Random) {
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| which(&tokens[at])).collect();
    if !places.is_empty() {
        tokens[random.pick(&places)] = by.to_string();
    }
}

fn extreme_number(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    let number = random.pick(NUMBERS);
    replace(tokens, is_number, number, random);
}

fn other_word(tokens: &mut Vec<String>, corpus: &Corpus, random: &mut Random) {
    let from = if random.below(2) == 0 { tokens.clone() } else { self::tokens(corpus.pick(random)) };
    let words: Vec<&str> = from.iter().map(String::as_str).filter(|token| is_word(token)).collect();
    if !words.is_empty() {
        replace(tokens, is_word, random.pick(&words), random);
    }
}

fn keyword(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    let word = syntax::KEYWORDS[random.below(syntax::KEYWORDS.len())].word;
    replace(tokens, is_word, word, random);
}

fn scribble(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let at = place(tokens, random);
        tokens.insert(at, random.pick(SCRIBBLES).to_string());
    }
}

/// Brackets around brackets, or a long row of signs.
fn nest(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    let (open, close) =
        random.pick(&[("(", ")"), ("{", "}"), ("[", "]"), ("|", "|"), ("-", ""), ("sin(", ")"), ("2^", "")]);
    let depth = random.pick(&[2, 10, 100, 300, 3000]);
    let range = stretch(tokens, random);
    tokens.insert(range.end, close.repeat(depth));
    tokens.insert(range.start, open.repeat(depth));
}

fn repeat(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    let range = stretch(tokens, random);
    let many = tokens[range.clone()].concat().repeat(random.pick(&[2, 5, 40]));
    tokens.insert(range.start, many);
}

/// Whole lines are deleted, doubled, moved, or taken from another text.
fn lines(tokens: &mut Vec<String>, corpus: &Corpus, random: &mut Random) {
    let text = tokens.concat();
    let mut lines: Vec<&str> = text.lines().collect();
    let other: Vec<&str> = corpus.pick(random).lines().collect();
    let at = random.below(lines.len());
    match random.below(4) {
        _ if lines.is_empty() => {}
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(random.below(lines.len()), lines[at]),
        2 => {
            let line = lines.remove(at);
            lines.insert(random.below(lines.len() + 1), line);
        }
        _ if other.is_empty() => {}
        _ => lines.insert(at, random.pick(&other)),
    }
    *tokens = self::tokens(&(lines.join("\n") + "\n"));
}

fn flip_bytes(tokens: &mut Vec<String>, _: &Corpus, random: &mut Random) {
    let mut bytes = tokens.concat().into_bytes();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
    *tokens = self::tokens(&String::from_utf8_lossy(&bytes));
}
