//! `docs/reference/numbers.md`: every number by which the compiler and its programs decide, in one table.
//!
//! A number stands where it is used, with the reason before it; this page is where all of them can be read beside one another. A
//! comment speaks for all numbers of the lines that follow it.

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
    let (mut found, mut reason, mut in_comment) = (Vec::new(), String::new(), false);
    for line in text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]") {
        if let Some(words) =
            line.strip_prefix("///").or_else(|| line.strip_prefix("//")).filter(|_| !line.starts_with("//!"))
        {
            if !in_comment {
                reason.clear();
            }
            reason.push(' ');
            reason.push_str(words.trim());
            in_comment = true;
            continue;
        }
        in_comment = false;
        match constant(line) {
            Some((name, "f64", value)) => {
                let (name, value, reason) = (name.to_string(), value.to_string(), reason.trim().to_string());
                found.push(Deciding { file: file.to_string(), name, value, reason });
            }
            Some(_) => {}
            None => reason.clear(),
        }
    }
    found
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
         same kind. Made by `cargo xtask numbers`.\n",
    );
    for (stage, folder) in STAGES {
        let rows: Vec<&Deciding> = numbers.iter().filter(|number| number.file.starts_with(folder)).collect();
        if rows.is_empty() {
            continue;
        }
        let _ =
            write!(out, "\n## {stage}\n\n| number | value | what it decides, and why | where |\n|---|---|---|---|\n");
        for Deciding { file, name, value, reason } in rows {
            let reason = without_links(reason).replace('|', "\\|");
            let _ = writeln!(out, "| `{name}` | `{value}` | {reason} | `{file}` |");
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
    fn tests_and_mathematics_have_no_rows() {
        assert_eq!(found("const PI: f64 = 3.0;\n#[cfg(test)]\nmod tests {\n    const FAR: f64 = 1.0;\n}\n"), []);
    }

    #[test]
    fn the_page_has_a_row_for_each() {
        let page = page(&found("/// |x| beyond [`NEAR`](super::NEAR), of [`SIZE`].\nconst FAR: f64 = 1e3;\n"));
        assert!(
            page.contains("## Runs") && page.contains("| `FAR` | `1e3` | \\|x\\| beyond `NEAR`, of `SIZE`. |"),
            "{page}"
        );
    }
}
