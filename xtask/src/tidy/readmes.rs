//! Every group folder says in three lines what it is for and what it may depend on.

use std::collections::BTreeSet;

use crate::tidy::Violation;
use crate::workspace::Crate;

const LINES: usize = 3;
const RULE: &str = "May depend on";

pub fn check(crates: &[Crate], read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    groups(crates).into_iter().filter_map(|group| check_group(&group, &read)).collect()
}

/// The folders right below `crates`.
fn groups(crates: &[Crate]) -> BTreeSet<String> {
    let group = |one: &Crate| one.folder.strip_prefix("crates/")?.split('/').next().map(str::to_string);
    crates.iter().filter_map(group).collect()
}

fn check_group(group: &str, read: impl Fn(&str) -> Option<String>) -> Option<Violation> {
    let file = format!("crates/{group}/README.md");
    let Some(text) = read(&file) else { return Some(Violation::new(file, "is missing: each group states its rule")) };
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.len() != LINES {
        return Some(Violation::new(file, format!("has {} lines of text instead of {LINES}", lines.len())));
    }
    (!lines[LINES - 1].starts_with(RULE))
        .then(|| Violation::new(file, format!("does not state its rule: the last line begins with `{RULE}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(text: Option<&str>) -> Vec<String> {
        let one =
            Crate { name: "expr".to_string(), folder: "crates/symbolic/expr".to_string(), dependencies: Vec::new() };
        let read = |file: &str| (file == "crates/symbolic/README.md").then(|| text.map(str::to_string)).flatten();
        check(&[one], read).into_iter().map(|violation| violation.reason).collect()
    }

    #[test]
    fn three_lines_with_the_rule_are_fine() {
        assert_eq!(reasons(Some("# Symbolic\n\nAlgebra.\nMay depend on: base.\n")), [""; 0]);
    }

    #[test]
    fn a_missing_long_or_vague_text_is_not() {
        assert_eq!(reasons(None).len(), 1);
        assert_eq!(reasons(Some("# Symbolic\nAlgebra.\nMore.\nMay depend on: base.\n")).len(), 1);
        assert_eq!(reasons(Some("# Symbolic\nAlgebra.\nDepends on things.\n")).len(), 1);
    }
}
