//! The colours of a scene's text, as HTML. The words are those of the compiler's tables.

use editing::CLAUSES;

use base::escaped;

pub fn scene(text: &str) -> String {
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn line(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    // At the beginning of a statement, where keywords are keywords.
    let mut fresh = true;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let (class, length) = token(rest, first, before, fresh);
        let (piece, after) = rest.split_at(length);
        match class {
            "" => html.push_str(&escaped(piece)),
            class => html.push_str(&format!("<span class=\"{class}\">{}</span>", escaped(piece))),
        }
        if !first.is_whitespace() {
            fresh = matches!(first, '{' | '}' | ';');
            before = first;
        } else {
            before = ' ';
        }
        rest = after;
    }
    html
}

/// The class of the token at the beginning, and its length in bytes.
fn token(rest: &str, first: char, before: char, fresh: bool) -> (&'static str, usize) {
    let span = |wanted: &dyn Fn(char) -> bool| rest.find(|c: char| !wanted(c)).unwrap_or(rest.len());
    if rest.starts_with("//") {
        return ("comment", rest.len());
    }
    if first == '"' {
        return ("text", rest[1..].find('"').map_or(rest.len(), |end| end + 2));
    }
    // A bracket after a space holds a unit or a range; one after a name holds an index.
    if first == '[' && before == ' ' {
        return ("unit", rest.find(']').map_or(rest.len(), |end| end + 1));
    }
    if first.is_ascii_digit() {
        let length = span(&|c| c.is_ascii_digit() || c == '.');
        let length = rest[..length].find("..").unwrap_or(length);
        let exponent = rest[length..].strip_prefix('e').map_or(0, |power| {
            let digits = power.trim_start_matches('-');
            let signs = power.len() - digits.len();
            digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()) + signs + 1
        });
        return ("number", length + exponent);
    }
    if first.is_alphabetic() || first == '_' {
        let length = span(&|c| c.is_alphanumeric() || c == '_');
        return (word(&rest[..length], fresh, rest[length..].starts_with('(')), length);
    }
    ("", first.len_utf8())
}

fn word(word: &str, fresh: bool, called: bool) -> &'static str {
    let keyword = syntax::KEYWORDS.iter().find(|row| row.word == word);
    if keyword.is_some_and(|row| if row.begins_statement() { fresh } else { true }) {
        "word strong"
    } else if CLAUSES.contains(&word) {
        "word"
    } else if called || model::SCENE_QUANTITIES.iter().any(|row| row.name == word) {
        "function"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_coloured_by_what_its_words_are() {
        let html = scene("body bob { mass = 1.5e-3 [kg] } // heavy & small");
        assert!(html.contains("<span class=\"word strong\">body</span> bob"));
        assert!(html.contains("<span class=\"number\">1.5e-3</span> <span class=\"unit\">[kg]</span>"));
        assert!(html.contains("<span class=\"comment\">// heavy &amp; small</span>"));
        // Elsewhere the same word is a name.
        assert!(!scene("let x = force").contains("strong\">force"));
        assert!(
            scene("for i in 1..3 { }").contains("<span class=\"number\">1</span>..<span class=\"number\">3</span>")
        );
    }
}
