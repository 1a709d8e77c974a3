//! What holds for every text: it can be read without fear, every place is a place in it, and layout changes nothing.

mod texts;

use base::{Diagnostics, SourceId};
use proptest::prelude::*;
use syntax::*;
use texts::TEXTS;

/// What those texts do not have.
const MODES: &str = "kind a { b: vec [m] }\nmode m: p | q = p\nwhen e: a <= 0 { m == q; keep positions }\n";

/// Pieces that mean something, so that random texts get past the first word.
const PIECES: &[&str] = &[
    "param ",
    "let ",
    "fn ",
    "body ",
    "frame ",
    "always ",
    "for ",
    "in ",
    "show ",
    "contact ",
    "contact all { together }",
    "none between ",
    "plot ",
    "control ",
    "potential ",
    "force on ",
    "group ",
    "gravity ",
    "free",
    "about x ",
    "if ",
    "then ",
    "else ",
    "not ",
    "and ",
    "relative to ",
    "kind ",
    "kind k(a: ",
    "theory ",
    "connection c(a: ",
    "law l for ",
    "law l(",
    "assuming ",
    "is ",
    "sum(",
    "for b in ",
    "for pairs (a, b) in ",
    "if ",
    "constant ",
    "sum ",
    "vec ",
    "a: ",
    "a: b",
    "+=",
    "in [0, 1]",
    "mode m: a | b = ",
    "when w: ",
    "while ",
    "sequence s when ",
    "plan p when ",
    "choose c: [m] from ",
    "begin { ",
    "until ",
    "after ",
    "aim ",
    "keep all except ",
    "satisfy velocity constraints",
    "claim c: always ",
    "eventually ",
    "next ",
    "implies ",
    "pre(",
    "at(begin, ",
    "{\n",
    "\n}\n",
    "a",
    "b.c",
    "x'",
    "1",
    "0.5",
    "1..3",
    " [m]",
    "[i]",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    ",",
    ";",
    ":",
    "=",
    "==",
    "<",
    "+",
    "-",
    "*",
    "/",
    "^",
    "·",
    "×",
    "−",
    "\"t\"",
    "\"",
    "// c",
    "\n",
    " ",
    "θ",
    "²",
    "…",
    "💧",
    "\r\n",
    "\t",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

/// A good text with a few pieces replaced, dropped or put in.
fn mutated() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0..12_usize, prop::sample::select(PIECES));
    (prop::sample::select([TEXTS, &[MODES]].concat()), prop::collection::vec(change, 1..5)).prop_map(
        |(text, changes)| {
            let mut characters: Vec<char> = text.chars().collect();
            for (place, dropped, piece) in changes {
                let start = place.index(characters.len() + 1);
                let end = (start + dropped).min(characters.len());
                characters.splice(start..end, piece.chars());
            }
            characters.into_iter().collect()
        },
    )
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), soup(), mutated()]
}

/// Every span in the printed form of a tree or a list of diagnostics, which leaves none out.
fn spans(printed: &str) -> Vec<(usize, usize)> {
    let number = |text: &str| text.split([',', ' ']).next().and_then(|digits| digits.parse().ok());
    let span = |text: &str| {
        let (start, end) = text.split_once("end: ")?;
        Some((number(start.split_once("start: ")?.1)?, number(end)?))
    };
    printed.split("Span { ").skip(1).map(|text| span(text).expect("a span")).collect()
}

/// Everything but white space.
fn ink(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace() && *character != '\u{feff}').collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_span_is_a_place_in_the_text(text in any_text()) {
        let mut sink = Diagnostics::default();
        let tree = parse(SourceId(0), &text, &mut sink);
        let expression = parse_expression(SourceId(0), &text, &mut sink);
        for (start, end) in spans(&format!("{tree:?}{expression:?}{sink:?}")) {
            prop_assert!(start <= end && text.get(start..end).is_some(), "{start}..{end} of {text:?}");
        }
    }

    #[test]
    fn an_error_in_the_tree_is_an_error_reported(text in any_text()) {
        let mut sink = Diagnostics::default();
        let tree = parse(SourceId(0), &text, &mut sink);
        let printed = format!("{tree:?}");
        let broken = printed.contains("kind: Error");
        prop_assert!(!broken || sink.has_errors(), "{text:?}");
    }

    #[test]
    fn layout_keeps_the_ink_and_settles_at_once(text in any_text()) {
        if let Ok(once) = format(SourceId(0), &text) {
            prop_assert_eq!(ink(&text), ink(&once));
            let twice = format(SourceId(0), &once);
            prop_assert!(twice.is_ok(), "{text:?} became {once:?}");
            prop_assert_eq!(twice.unwrap_or_default(), once);
        }
    }

    #[test]
    fn layout_keeps_the_meaning(text in any_text()) {
        if let Ok(formatted) = format(SourceId(0), &text) {
            let mut sink = Diagnostics::default();
            let before = without_places(&parse(SourceId(0), &text, &mut sink));
            let after = without_places(&parse(SourceId(0), &formatted, &mut sink));
            prop_assert!(before == after, "{text:?} became {formatted:?}");
        }
    }

    #[test]
    fn a_printed_expression_reads_as_the_same(text in any_text()) {
        let mut sink = Diagnostics::default();
        let expression = parse_expression(SourceId(0), &text, &mut sink);
        if !sink.has_errors() {
            let printed = print_expression(&expression);
            let again = parse_expression(SourceId(0), &printed, &mut sink);
            prop_assert!(!sink.has_errors(), "{text:?} became {printed:?}: {sink:#?}");
            prop_assert_eq!(print_expression(&again), printed);
        }
    }
}

/// The tree in print, but for where things stand and how units are spaced.
fn without_places(tree: &Tree) -> String {
    let printed = format!("{:?}", tree.items).replace("\\t", "").replace("\\r", "");
    let mut kept = String::new();
    for (index, part) in printed.split("Span { ").enumerate() {
        let rest = if index == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) };
        kept.push_str(rest);
    }
    ink(&kept)
}
