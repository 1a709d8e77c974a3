//! The recipes of ARCHITECTURE.md are true: where something of a kind has left its name, its recipe leads, and every file that it names exists.
//!
//! A recipe is tried on something that is there already. Whoever adds another of its kind touches the same files, or the recipe is wrong.

use crate::tidy::Violation;

const FILE: &str = "ARCHITECTURE.md";

/// How a recipe begins, and the name of something that was made as it says.
const TRIALS: &[(&str, &str)] =
    &[("**Add an operator**", "Tanh"), ("**Add a figure**", "capsule"), ("**Add a joint**", "universal")];

/// Where people write what the program is made of; what is generated or only tells of it is no part of a recipe.
const FOLDERS: &[&str] = &["crates/", "library/", "web/src/"];
const GENERATED: &[&str] = &[crate::protocol::TARGET];

pub fn check(files: &[String], read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    let text = read(FILE).unwrap_or_default();
    let written =
        |file: &&String| FOLDERS.iter().any(|folder| file.starts_with(folder)) && !GENERATED.contains(&file.as_str());
    let written: Vec<&String> = files.iter().filter(written).collect();
    let mut violations = Vec::new();
    for (beginning, name) in TRIALS {
        let Some(recipe) = text.split("\n\n").find(|paragraph| paragraph.starts_with(beginning)) else {
            violations.push(Violation::new(FILE, format!("has no recipe `{beginning}`")));
            continue;
        };
        let paths = paths(recipe);
        for path in paths.iter().filter(|path| !files.iter().any(|file| is_at(file, path))) {
            violations.push(Violation::new(FILE, format!("{beginning} leads to `{path}`, which is not there")));
        }
        let traces = written.iter().filter(|file| read(file).is_some_and(|content| mentions(&content, name)));
        for file in traces.filter(|file| !paths.iter().any(|path| is_at(file, path))) {
            violations.push(Violation::new(FILE, format!("{beginning} does not lead to {file}, which knows `{name}`")));
        }
    }
    violations
}

/// What stands in backticks and looks like a file, or like a folder.
fn paths(recipe: &str) -> Vec<&str> {
    recipe.split('`').skip(1).step_by(2).filter(|quoted| quoted.contains('/') && !quoted.contains(' ')).collect()
}

fn is_at(file: &str, path: &str) -> bool {
    file == path || path.ends_with('/') && file.starts_with(path)
}

/// Whether a name occurs as a word of its own.
fn mentions(content: &str, name: &str) -> bool {
    content.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPES: &str = "# House\n\n**Add an operator**: a row in `crates/a.rs`.\n\n**Add a figure**: `crates/b/` and\n`web/src/c.ts`.\n\n**Add a joint**: `library/d.anz`.\n";

    fn reasons(recipes: &str, contents: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<String> = contents.iter().map(|(file, _)| file.to_string()).collect();
        let read = |file: &str| match file {
            FILE => Some(recipes.to_string()),
            file => contents.iter().find(|(name, _)| *name == file).map(|(_, content)| content.to_string()),
        };
        check(&files, read).into_iter().map(|violation| violation.reason).collect()
    }

    const HOUSE: &[(&str, &str)] = &[
        ("crates/a.rs", "Tanh => libm::tanh,"),
        ("crates/b/figures.rs", "\"capsule\""),
        ("web/src/c.ts", "capsule: capsule()"),
        ("library/d.anz", "connection universal"),
        ("docs/e.md", "Tanh"),
    ];

    #[test]
    fn recipes_lead_everywhere() {
        assert_eq!(reasons(RECIPES, HOUSE), [""; 0]);
        let hidden = [HOUSE, &[("crates/hidden.rs", "match it { Tanh => 1 }"), ("crates/other.rs", "Tanhs")]].concat();
        assert_eq!(
            reasons(RECIPES, &hidden),
            ["**Add an operator** does not lead to crates/hidden.rs, which knows `Tanh`"]
        );
    }

    #[test]
    fn recipes_lead_to_what_is_there() {
        assert_eq!(reasons(RECIPES, &HOUSE[1..]), ["**Add an operator** leads to `crates/a.rs`, which is not there"]);
        assert_eq!(reasons("", HOUSE).len(), TRIALS.len());
    }
}
