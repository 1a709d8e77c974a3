//! How texts are coloured where nobody asks the compiler: the words of the language for editors, written from the compiler's own tables.

use serde_json::{Value, json};
use syntax::{Modifier, QuantityDomain};

use crate::known::{Table, entries};

/// Words that are coloured alike.
struct Words {
    /// What begins a statement, and is a keyword only there.
    statements: Vec<String>,
    /// What stands within statements and expressions.
    words: Vec<String>,
    /// Functions and quantities that need no declaration.
    known: Vec<String>,
}

/// Words within statements that are no names, and in no table because their statements alone read them.
pub const CLAUSES: &[&str] = &[
    "after",
    "against",
    "aim",
    "along",
    "as",
    "assuming",
    "at",
    "begin",
    "by",
    "choose",
    "color",
    "column",
    "eventually",
    "except",
    "for",
    "from",
    "given",
    "held",
    "implies",
    "instead",
    "keep",
    "looking",
    "minimizing",
    "monotone",
    "next",
    "of",
    "on",
    "opacity",
    "pairs",
    "relative",
    "satisfy",
    "smooth",
    "to",
    "turned",
    "until",
    "using",
    "while",
];

fn words() -> Words {
    let of = |tables: &[Table]| -> Vec<String> {
        let mut words: Vec<String> = tables.iter().flat_map(|table| entries(*table)).map(|entry| entry.label).collect();
        words.sort();
        words.dedup();
        words
    };
    let mut words = of(&[Table::Word]);
    words.extend(CLAUSES.iter().map(ToString::to_string));
    words.sort();
    // `sum` and `rotation` are functions too, and are coloured as these.
    let types = Modifier::ALL.iter().map(|one| one.word()).chain(QuantityDomain::ALL.iter().map(|one| one.word()));
    let mut known = of(&[Table::Function, Table::SceneQuantity]);
    let types: Vec<String> = types.map(str::to_string).filter(|one| !known.contains(one)).collect();
    // Methods of frames are called after a point.
    known.retain(|word| !matches!(word.as_str(), "point" | "vector"));
    words.extend(types);
    words.sort();
    words.retain(|word| !known.contains(word));
    Words { statements: of(&[Table::Statement]), words, known }
}

/// For the studio's page.
pub fn word_lists() -> Value {
    let Words { statements, words, known } = words();
    json!({ "statements": statements, "words": words, "known": known })
}

/// For editors that read TextMate grammars.
pub fn textmate() -> Value {
    let Words { statements, words, known } = words();
    let any = |words: &[String]| words.join("|");
    let name = r"[\p{L}_][\p{L}\p{N}_]*";
    json!({
        "name": "Ansatz",
        "scopeName": "source.ansatz",
        "fileTypes": ["anz"],
        "patterns": [
            { "name": "comment.line.double-slash.ansatz", "match": "//.*$" },
            { "name": "string.quoted.double.ansatz", "match": "\"[^\"\\n]*\"?" },
            {
                "comment": "a bracket that touches a name holds an index, one with a comma a range",
                "name": "support.type.unit.ansatz",
                "match": r"(?<![\p{L}\p{N}_\]])\[[^\],\n]*\]",
            },
            { "name": "constant.numeric.ansatz", "match": r"(?<![\p{L}\p{N}_])(\d+(?=\.\.)|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)" },
            {
                "match": format!(r"(?:^|(?<=[{{}};]))\s*({})\b(?!\s*[=:.(])", any(&statements)),
                "captures": { "1": { "name": "keyword.control.ansatz" } },
            },
            { "comment": "what is asked of something", "match": format!(r"\.({name})"), "captures": { "1": { "name": "variable.other.member.ansatz" } } },
            { "name": "keyword.operator.word.ansatz", "match": format!(r"\b({})\b", any(&words)) },
            { "name": "support.function.ansatz", "match": format!(r"\b({})\b", any(&known)) },
            { "name": "entity.name.function.ansatz", "match": format!(r"{name}(?=\()") },
            { "name": "keyword.operator.ansatz", "match": "==|!=|<=|>=|\\+=|[=<>+\\-*/^|'·×≠≤≥−]" },
            { "name": "variable.other.ansatz", "match": name },
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// `ANSATZ_BLESS=1 cargo test -p driver --lib grammar` writes them anew.
    #[test]
    fn editors_know_the_words_of_the_compiler() {
        for (file, wanted) in [
            ("editors/vscode/syntaxes/ansatz.tmLanguage.json", textmate()),
            ("web/src/editor/words.json", word_lists()),
        ] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(file);
            let wanted = format!("{wanted:#}\n");
            if std::env::var_os("ANSATZ_BLESS").is_some() {
                std::fs::write(&path, wanted).expect("a file that can be written");
            } else {
                let written = std::fs::read_to_string(&path).expect("the words");
                assert!(written == wanted, "{file} is not what the compiler knows; run again with ANSATZ_BLESS=1");
            }
        }
    }
}
