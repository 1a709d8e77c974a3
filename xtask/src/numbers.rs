//! `docs/reference/numbers.md`: every number by which the compiler and its programs decide, in one table.
//!
//! A number stands where it is used, with the reason before it; this page is where all of them can be read beside one another. A
//! comment speaks for all numbers of the lines that follow it. A line `// Test: name` in it names the test that fails when the number is a
//! hundred times worse.

use std::collections::HashSet;
use std::fmt::Write as _;

pub const TARGET: &str = "docs/reference/numbers.md";

/// Stages, with the folder in which their numbers are. What only draws or reads files decides nothing about motion.
const STAGES: &[(&str, &str)] = &[
    ("Model", "crates/language/model/src/"),
    ("Expressions and equations", "crates/symbolic/"),
    ("Mechanics", "crates/physics/mechanics/src/"),
    ("Plan", "crates/synthesis/plan/src/"),
    ("Program", "crates/synthesis/program/src/"),
    ("Numerical methods", "crates/codegen/numerics/src/"),
    ("Events and contact, as they are lowered", "crates/codegen/lower/src/"),
    ("Executive", "crates/codegen/kernel/src/executive.rs"),
    ("Runs", "crates/simulation/src/"),
    ("Questions, checks and messages", "crates/app/driver/src/"),
];

/// Coefficients of methods and of elementary functions, and constants of mathematics: nobody could choose them otherwise.
const GIVEN: &[&str] = &["/elementary/", "/rodas_5p.rs", "/radau_13.rs"];
const MATHEMATICS: &[&str] = &["PI", "GOLDEN", "TWELFTH"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deciding {
    pub file: String,
    pub name: String,
    pub value: String,
    /// Empty where nothing is said.
    pub reason: String,
    /// The name of the test that pins it, if there is one.
    pub test: Option<String>,
}

pub fn collect(files: &[String], read: impl Fn(&str) -> Option<String>) -> Vec<Deciding> {
    let counts = |file: &&String| {
        let in_stage = STAGES.iter().any(|(_, folder)| file.starts_with(folder));
        in_stage && file.ends_with(".rs") && !file.contains("/tests/") && !GIVEN.iter().any(|part| file.contains(part))
    };
    let found = files.iter().filter(counts).flat_map(|file| in_text(file, &read(file).unwrap_or_default()));
    found.filter(|number| !MATHEMATICS.contains(&number.name.as_str())).collect()
}

fn in_text(file: &str, text: &str) -> Vec<Deciding> {
    let (mut found, mut reason, mut test, mut in_comment) = (Vec::new(), String::new(), None, false);
    for line in text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]") {
        if let Some(words) =
            line.strip_prefix("///").or_else(|| line.strip_prefix("//")).filter(|_| !line.starts_with("//!"))
        {
            if !in_comment {
                (reason, test) = (String::new(), None);
            }
            match words.trim().strip_prefix("Test: ") {
                Some(name) => test = Some(name.to_string()),
                None => reason = reason + " " + words.trim(),
            }
            in_comment = true;
            continue;
        }
        in_comment = false;
        match constant(line) {
            Some((name, "f64", value)) => {
                let (name, value, reason) = (name.to_string(), value.to_string(), reason.trim().to_string());
                found.push(Deciding { file: file.to_string(), name, value, reason, test: test.clone() });
            }
            Some(_) => {}
            None => (reason, test) = (String::new(), None),
        }
    }
    found
}

/// The names of all tests, which stand behind `#[test]`.
pub fn tests(files: &[String], read: impl Fn(&str) -> Option<String>) -> HashSet<String> {
    let texts = files.iter().filter(|file| file.ends_with(".rs")).filter_map(|file| read(file));
    texts.flat_map(|text| names_of_tests(&text)).collect()
}

fn names_of_tests(text: &str) -> Vec<String> {
    let functions = text.split("#[test]").skip(1).filter_map(|after| after.split_once("fn "));
    functions.filter_map(|(_, after)| Some(after.split_once('(')?.0.to_string())).collect()
}

/// Name, type and value of a line such as `pub const NEAR: f64 = 0.4;`.
fn constant(line: &str) -> Option<(&str, &str, &str)> {
    let (visibility, rest) = line.split_once("const ")?;
    let (name, rest) = rest.split_once(": ")?;
    let (kind, value) = rest.split_once(" = ")?;
    let value = value.split_once(';')?.0;
    (visibility.is_empty() || visibility.starts_with("pub")).then_some((name, kind, value))
}

pub fn page(numbers: &[Deciding]) -> String {
    let mut out = String::from(
        "# The numbers that decide\n\n\
         Between what is zero and what is small, what is one instant and what is two, a program has to choose. These are all numbers by which\n\
         Ansatz does, with their reasons, as they stand in its sources. Those without a unit in their reason are parts of something of the\n\
         same kind. A test, where one is named, fails when the number is a hundred times worse. Made by `cargo xtask numbers`.\n",
    );
    for (stage, folder) in STAGES {
        let rows: Vec<&Deciding> = numbers.iter().filter(|number| number.file.starts_with(folder)).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "\n## {stage}\n\n| number | value | what it decides, and why | where | test |\n|---|---|---|---|---|\n"
        );
        for Deciding { file, name, value, reason, test } in rows {
            let reason = without_links(reason).replace('|', "\\|");
            let test = test.as_ref().map_or(String::new(), |test| format!("`{test}`"));
            let _ = writeln!(out, "| `{name}` | `{value}` | {reason} | `{file}` | {test} |");
        }
    }
    out
}

/// Names that rustdoc would lead to are nothing but names here.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, linked)) = rest.split_once("[`") {
        let Some((name, after)) = linked.split_once("`]") else { break };
        let _ = write!(out, "{before}`{name}`");
        rest = after.strip_prefix('(').and_then(|target| target.split_once(')')).map_or(after, |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "crates/simulation/src/pace.rs";

    fn found(text: &str) -> Vec<Deciding> {
        collect(&[FILE.to_string()], |_| Some(text.to_string()))
    }

    #[test]
    fn a_comment_speaks_for_the_lines_that_follow_it() {
        let text = "/// How near,\n/// and how far.\npub const NEAR: f64 = 0.4;\nconst COUNT: usize = 3;\nconst FAR: f64 = NEAR * 2.0;\n\nconst ALONE: f64 = 1.0;\n";
        let reasons: Vec<String> =
            found(text).into_iter().map(|number| format!("{}: {}", number.name, number.reason)).collect();
        assert_eq!(reasons, ["NEAR: How near, and how far.", "FAR: How near, and how far.", "ALONE: "]);
    }

    #[test]
    fn a_test_belongs_to_the_numbers_of_its_comment() {
        let text = "/// How near.\n// Test: near_is_near\nconst NEAR: f64 = 0.4;\nconst FAR: f64 = 2.0;\n/// Another.\nconst ALONE: f64 = 1.0;\n";
        let tests: Vec<Option<String>> = found(text).into_iter().map(|number| number.test).collect();
        let near = Some("near_is_near".to_string());
        assert_eq!(tests, [near.clone(), near, None]);
    }

    #[test]
    fn tests_stand_behind_their_attribute() {
        assert_eq!(
            names_of_tests("fn no() {}\n#[test]\n#[ignore]\nfn one() {}\n#[test]\nfn two() {}\n"),
            ["one", "two"]
        );
    }

    #[test]
    fn tests_and_mathematics_have_no_rows() {
        assert_eq!(found("const PI: f64 = 3.0;\n#[cfg(test)]\nmod tests {\n    const FAR: f64 = 1.0;\n}\n"), []);
    }

    #[test]
    fn the_page_has_a_row_for_each() {
        let page = page(&found(
            "/// |x| beyond [`NEAR`](super::NEAR), of [`SIZE`].\n// Test: far_is_far\nconst FAR: f64 = 1e3;\n",
        ));
        let row = format!("| `FAR` | `1e3` | \\|x\\| beyond `NEAR`, of `SIZE`. | `{FILE}` | `far_is_far` |");
        assert!(page.contains("## Runs") && page.contains(&row), "{page}");
    }
}
