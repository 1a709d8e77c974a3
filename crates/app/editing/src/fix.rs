//! Hints that name what was meant can be carried out: `did you mean …?`, `give it a unit: …`, `write `==``.

use std::ops::Range;

/// A change that mends what a diagnostic tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    /// What is replaced, in bytes of the text; empty where something is put in.
    pub range: Range<usize>,
    pub text: String,
}

/// What can be done about a diagnostic with these places in a text; the first is the one that it is about.
pub fn fixes(text: &str, places: &[Range<usize>], hints: &[String]) -> Vec<Fix> {
    let Some(place) = places.first().filter(|place| text.get((*place).clone()).is_some()) else { return Vec::new() };
    let fix = |hint: &String| RULES.iter().find_map(|rule| rule(&Place { text, place, places }, hint));
    hints.iter().filter_map(fix).collect()
}

struct Place<'t> {
    text: &'t str,
    place: &'t Range<usize>,
    places: &'t [Range<usize>],
}

/// Each reads one form of hint.
const RULES: &[fn(&Place<'_>, &str) -> Option<Fix>] = &[meant, unit, equal, law, brackets, closing, mass];

impl Place<'_> {
    fn written(&self) -> &str {
        &self.text[self.place.clone()]
    }

    fn replace(&self, by: impl Into<String>) -> Option<Fix> {
        let by = by.into();
        Some(Fix { title: format!("Replace `{}` by `{by}`", self.written()), range: self.place.clone(), text: by })
    }
}

fn between<'h>(hint: &'h str, begin: &str, end: &str) -> Option<&'h str> {
    hint.strip_prefix(begin)?.strip_suffix(end)
}

fn meant(at: &Place<'_>, hint: &str) -> Option<Fix> {
    let meant = between(hint, "did you mean `", "`?").or_else(|| between(hint, "did you mean \"", "\"?"))?;
    // `use circuits` where `use` stands already.
    let stands = |word: &str| at.text[..at.place.start].trim_end().ends_with(word);
    let meant = meant.split_once(' ').filter(|(word, _)| stands(word)).map_or(meant, |(_, rest)| rest);
    // Only where the whole place is the word that was mistaken.
    let is_word = at.written().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '[' | ']' | '/' | '^' | '*'));
    match at.written().starts_with('"') {
        true => at.replace(format!("\"{meant}\"")),
        false if is_word => at.replace(meant),
        false => None,
    }
}

fn unit(at: &Place<'_>, hint: &str) -> Option<Fix> {
    at.replace(between(hint, "give it a unit: `", "`")?)
}

/// A single `=` where an equation is stated.
fn equal(at: &Place<'_>, hint: &str) -> Option<Fix> {
    (at.written() == "=" && hint.contains("write `==`")).then(|| at.replace("=="))?
}

/// `der(x) = -x`, `x' == -x`: a law without its word. The place is where the statement begins.
fn law(at: &Place<'_>, hint: &str) -> Option<Fix> {
    let is_law = hint.starts_with("a law is an equation that always holds")
        || hint.starts_with("to state that two things are equal, write `always`");
    let line = at.text[at.place.start..].lines().next().filter(|_| is_law)?;
    let (left, right) = line.split_once('=')?;
    let length = left.len() + if right.starts_with('=') { 2 } else { 1 };
    let (range, left) = (at.place.start..at.place.start + length, left.trim_end());
    Some(Fix { title: format!("Write `always {left} == …`"), range, text: format!("always {left} ==") })
}

/// `60 m`, `9.81 m/s^2`: the place is the first word of the unit.
fn brackets(at: &Place<'_>, hint: &str) -> Option<Fix> {
    let unit = between(hint, "a unit stands in square brackets: `", "]`")?.rsplit_once('[')?.1;
    let end = at.place.start + unit.len();
    (at.text.get(at.place.start..end)? == unit).then(|| Fix {
        title: format!("Replace `{unit}` by `[{unit}]`"),
        range: at.place.start..end,
        text: format!("[{unit}]"),
    })
}

/// The second place is before what a closing bracket is missing.
fn closing(at: &Place<'_>, hint: &str) -> Option<Fix> {
    let closing = between(hint, "close it with `", "`")?;
    let before = at.text.get(..at.places.get(1)?.start)?;
    let end = before.trim_end().len();
    let space = if closing == "}" { " " } else { "" };
    Some(Fix { title: format!("Add `{closing}`"), range: end..end, text: format!("{space}{closing}") })
}

/// The place is the name of the body: what is missing goes first into its braces, or into new ones.
fn mass(at: &Place<'_>, hint: &str) -> Option<Fix> {
    let property = hint.strip_prefix("add `")?.split('`').next().filter(|property| property.starts_with("mass"))?;
    let rest = &at.text[at.place.end..];
    let line = rest.split(['\n', ';']).next().unwrap_or("");
    let line = line.split("//").next().unwrap_or("");
    let (offset, text) = match line.find('{') {
        Some(brace) if rest[brace + 1..].trim_start().starts_with('}') => (brace + 1, format!(" {property} ")),
        Some(brace) => (brace + 1, format!(" {property};")),
        None => (line.trim_end().len(), format!(" {{ {property} }}")),
    };
    let place = at.place.end + offset;
    Some(Fix { title: format!("Add `{property}`"), range: place..place, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after the fix of the diagnostic at these words.
    fn mended(text: &str, words: &[&str], hint: &str) -> Option<String> {
        let place = |word: &&str| text.find(*word).map(|start| start..start + word.len());
        let places: Vec<Range<usize>> = words.iter().filter_map(place).collect();
        let fix = fixes(text, &places, &[hint.to_string()]).pop()?;
        Some(format!("{}{}{}", &text[..fix.range.start], fix.text, &text[fix.range.end..]))
    }

    #[test]
    fn hints_are_carried_out() {
        const CASES: &[(&str, &[&str], &str, &str)] = &[
            ("plot velocty", &["velocty"], "did you mean `velocity`?", "plot velocity"),
            ("use circuit", &["circuit"], "did you mean `use circuits`?", "use circuits"),
            ("x == 60", &["60"], "give it a unit: `60 [m]`", "x == 60 [m]"),
            ("initially x = 1", &["="], "write `==`; a single `=` defines a name", "initially x == 1"),
            (
                "der(x) = -x",
                &["der"],
                "a law is an equation that always holds: `always der(x) == …`",
                "always der(x) == -x",
            ),
            (
                "x' == -x",
                &["x"],
                "to state that two things are equal, write `always` or `initially` before it",
                "always x' == -x",
            ),
            ("gravity 9.81 m/s^2", &["m"], "a unit stands in square brackets: `9.81 [m/s^2]`", "gravity 9.81 [m/s^2]"),
            ("body b { x\nplot t", &["{", "plot"], "close it with `}`", "body b { x }\nplot t"),
            ("plot (t", &["(", ""], "close it with `)`", "plot (t)"),
            ("body b { x }", &["b"], "add `mass = 1 [kg]`, or declare it", "body b { mass = 1 [kg]; x }"),
            ("body b {}", &["b"], "add `mass = 1 [kg]`, or declare it", "body b { mass = 1 [kg] }"),
            ("body b in w // it\n", &["b in"], "add `mass = 1 [kg]`", "body b in w { mass = 1 [kg] } // it\n"),
        ];
        for &(text, words, hint, expected) in CASES {
            let words: Vec<&str> = words.iter().map(|word| if *word == "b" { " b" } else { word }).collect();
            if words.contains(&"") {
                let places = [5..6, text.len()..text.len()];
                assert_eq!(fixes(text, &places, &[hint.to_string()])[0].range, text.len()..text.len());
                continue;
            }
            assert_eq!(mended(text, &words, hint).as_deref(), Some(expected));
        }
        assert_eq!(mended("plot a + b", &["a + b"], "did you mean `c`?"), None);
    }
}
