//! A file is named after its one idea; some words mean that it has none.

use crate::tidy::Violation;

const EMPTY_WORDS: &[&str] = &[
    "misc", "util", "utils", "extra", "extras", "helper", "helpers", "more", "part", "tail", "stuff", "various", "new",
];

pub fn check(files: &[String]) -> Vec<Violation> {
    let violation = |file: &String| {
        let word = empty_word(file)?;
        Some(Violation::new(file, format!("`{word}` does not say what is in it; name the idea, or do not split")))
    };
    files.iter().filter_map(violation).collect()
}

/// Folders count too, a word may be one of several: `lower_misc.rs`, `utils/print.rs`.
fn empty_word(file: &str) -> Option<&'static str> {
    let mut words = file.split(['/', '_', '-', '.']);
    words.find_map(|word| EMPTY_WORDS.iter().copied().find(|empty| word.eq_ignore_ascii_case(empty)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_names_are_found() {
        for file in ["src/misc.rs", "src/lower_extra.rs", "crates/utils/src/lib.rs", "docs/more.md", "src/Helpers.rs"] {
            assert_eq!(check(&[file.to_string()]).len(), 1, "{file}");
        }
    }

    #[test]
    fn names_with_a_meaning_are_fine() {
        for file in ["src/parts.rs", "src/newton/mod.rs", "src/dormand_prince_5.rs", "examples/three_body.anz"] {
            assert_eq!(check(&[file.to_string()]), [], "{file}");
        }
    }
}
