//! Any text can be parsed, and what can be laid out is laid out once and for all.

mod fuzzing;

use base::{Diagnostics, SourceId};
use syntax::{format, parse};

#[test]
fn no_text_breaks_the_parser() {
    fuzzing::fuzz("fuzz-parser", 20_000, fuzzing::corpus::seeds(), check);
}

fn check(text: &str) -> Result<bool, String> {
    let mut sink = Diagnostics::default();
    parse(SourceId(0), text, &mut sink);
    for label in sink.iter().flat_map(|diagnostic| &diagnostic.labels) {
        let range = label.span.range();
        if text.get(range).is_none() {
            return Err("a label is not a place in the text".to_string());
        }
    }
    if sink.has_errors() {
        return Ok(false);
    }
    let Ok(formatted) = format(SourceId(0), text) else { return Err("parses but is not laid out".to_string()) };
    let Ok(again) = format(SourceId(0), &formatted) else { return Err("is broken by layout".to_string()) };
    if again == formatted { Ok(true) } else { Err("is laid out in two ways".to_string()) }
}

/// The search itself: it ends when it has found enough.
#[test]
#[should_panic(expected = "8 defects")]
fn a_broken_check_is_noticed() {
    fuzzing::fuzz("fuzz-itself", 10_000, vec!["scene a\nparam b = 1 [m]\n".to_string()], |text| match text.len() % 9 {
        0 => Ok(true),
        rest if rest % 2 == 0 => panic!("{}", ["a", "b", "c", "d"][rest / 2 - 1]),
        rest => Err(format!("defect {rest}")),
    });
}
