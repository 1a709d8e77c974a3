//! Relative links between Markdown files lead somewhere: to a file or folder that is there, and to a heading in it.

use std::collections::BTreeSet;

use crate::tidy::Violation;

pub fn check(files: &[String], read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    let present = with_folders(files);
    let documents = files.iter().filter(|file| file.ends_with(".md"));
    documents.flat_map(|file| check_file(file, &present, &read)).collect()
}

/// The files and all folders that they lie in; the root is the empty text.
fn with_folders(files: &[String]) -> BTreeSet<String> {
    let mut present = BTreeSet::from([String::new()]);
    for file in files {
        let ends = file.match_indices('/').map(|(at, _)| at).chain([file.len()]);
        present.extend(ends.map(|end| file[..end].to_string()));
    }
    present
}

fn check_file(file: &str, present: &BTreeSet<String>, read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    let Some(text) = read(file) else { return vec![Violation::new(file, "is not a text in UTF-8")] };
    let mut violations = Vec::new();
    for (line, target) in links(&text) {
        let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
        let place = if path.is_empty() { Some(file.to_string()) } else { resolve(file, path) };
        let reason = match place {
            Some(place) if present.contains(&place) => {
                let headed = |text: String| headings(&text).contains(heading);
                let fine = heading.is_empty() || !place.ends_with(".md") || read(&place).is_some_and(headed);
                (!fine).then(|| format!("links to `{target}`, but there is no such heading"))
            }
            _ => Some(format!("links to `{target}`, which is not there")),
        };
        violations.extend(reason.map(|reason| Violation::new(format!("{file}:{line}"), reason)));
    }
    violations
}

/// The relative links of a text, with their lines; code is not looked into.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let line = without_code(line);
        for (at, _) in line.match_indices("](") {
            let Some((target, _)) = line[at + 2..].split_once(')') else { continue };
            // A title may follow the target.
            let target = target.split_whitespace().next().unwrap_or_default();
            if !target.contains("://") && !target.starts_with("mailto:") {
                found.push((number, target.to_string()));
            }
        }
    }
    found
}

/// The lines outside of code blocks, counted from one.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut fence = None;
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let ticks = line.trim_start().chars().take_while(|&c| c == '`').count();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            None => lines.push((at + 1, line)),
            Some(open) if ticks >= open => fence = None,
            Some(_) => {}
        }
    }
    lines
}

fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("code")
}

/// A path as seen from the root, if it stays inside.
fn resolve(from: &str, path: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The names by which headings can be linked to, as GitHub forms them.
fn headings(text: &str) -> BTreeSet<String> {
    let slug = |heading: &str| -> String {
        let kept = heading.trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let heading = |(_, line): (usize, &str)| line.starts_with('#').then(|| slug(line.trim_start_matches('#')));
    prose(text).into_iter().filter_map(heading).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(text: &str) -> Vec<String> {
        let files = ["docs/a.md", "docs/b.md", "LICENSE"].map(str::to_string);
        let read = |file: &str| match file {
            "docs/a.md" => Some(text.to_string()),
            "docs/b.md" => Some("# B\n## How it's done: `x`\n".to_string()),
            _ => None,
        };
        check(&files, read).into_iter().map(|violation| violation.to_string()).collect()
    }

    #[test]
    fn links_that_lead_somewhere_are_fine() {
        let text =
            "# A b\n[b](b.md), [c](../LICENSE), [d](b.md#how-its-done-x), [e](#a-b), [f](..), [g](https://x.org)";
        assert_eq!(reasons(text), [""; 0]);
    }

    #[test]
    fn links_that_lead_nowhere_are_not() {
        assert_eq!(reasons("text\n[c](c.md)"), ["docs/a.md:2: links to `c.md`, which is not there"]);
        assert_eq!(reasons("[b](b.md#never)"), ["docs/a.md:1: links to `b.md#never`, but there is no such heading"]);
        assert_eq!(reasons("[out](../../x)").len(), 1);
    }

    #[test]
    fn code_is_no_link() {
        assert_eq!(reasons("`[c](c.md)`\n```\n[d](d.md)\n```\n"), [""; 0]);
        assert_eq!(reasons("```\n```\n[d](d.md)\n").len(), 1);
    }
}
