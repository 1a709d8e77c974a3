//! ARCHITECTURE.md names every crate in its code map, and no other.

use std::collections::BTreeSet;

use crate::tidy::Violation;
use crate::workspace::Crate;

const FILE: &str = "ARCHITECTURE.md";
const HEADING: &str = "Code map";

pub fn check(crates: &[Crate], read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    let Some(text) = read(FILE) else { return vec![Violation::new(FILE, "is missing")] };
    let mapped = mapped(&text);
    if mapped.is_empty() {
        return vec![Violation::new(FILE, format!("has no table of crates below the heading `{HEADING}`"))];
    }
    let present: BTreeSet<String> = crates.iter().map(|one| one.folder.clone()).collect();
    let missing = present.difference(&mapped).map(|folder| format!("the code map does not name `{folder}`"));
    let stale = mapped.difference(&present).map(|folder| format!("the code map names `{folder}`, which is no crate"));
    missing.chain(stale).map(|reason| Violation::new(FILE, reason)).collect()
}

/// The folders in the first column of the table below the heading.
fn mapped(text: &str) -> BTreeSet<String> {
    let is_heading = |line: &&str| line.starts_with('#');
    let section = text.lines().skip_while(|line| !(line.starts_with('#') && line.contains(HEADING)));
    let rows = section.skip(1).take_while(|line| !is_heading(line));
    rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(folders: &[&str], map: &str) -> Vec<String> {
        let one = |folder: &&str| Crate { name: String::new(), folder: folder.to_string(), dependencies: Vec::new() };
        let crates: Vec<Crate> = folders.iter().map(one).collect();
        check(&crates, |_| Some(map.to_string())).into_iter().map(|violation| violation.reason).collect()
    }

    const MAP: &str =
        "# House\n## Code map\n| crate | what |\n|---|---|\n| `crates/base` | all |\n## Else\n| `x` | y |\n";

    #[test]
    fn the_map_is_the_territory() {
        assert_eq!(reasons(&["crates/base"], MAP), [""; 0]);
        assert_eq!(reasons(&["crates/base", "xtask"], MAP), ["the code map does not name `xtask`"]);
        assert_eq!(
            reasons(&["xtask"], MAP),
            ["the code map does not name `xtask`", "the code map names `crates/base`, which is no crate"]
        );
    }

    #[test]
    fn there_is_a_map() {
        assert_eq!(reasons(&["xtask"], "# House\n").len(), 1);
        assert_eq!(check(&[], |_| None).len(), 1);
    }
}
