//! `web/src/protocol.ts` from `crates/app/studio/src/protocol.rs`: the same types in TypeScript, so that they cannot drift apart.
//!
//! It reads what rustfmt writes, as far as that file goes: structs, enums, aliases and constants, with their documentation and the
//! attributes `tag`, `untagged` and `rename_all` of serde. A text that is one of a few says so in its documentation: `One of "a", "b".`

use std::collections::BTreeMap;

pub const SOURCE: &str = "crates/app/studio/src/protocol.rs";
pub const TARGET: &str = "web/src/protocol.ts";

pub fn translate(rust: &str) -> String {
    let header = rust.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let mut out = documentation(&header.collect::<Vec<_>>(), "");
    let tags = tags(rust);
    let mut about = About::default();
    let mut lines = rust.lines();
    while let Some(line) = lines.next() {
        let Some(declared) = line.strip_prefix("pub ") else {
            about.take(line);
            continue;
        };
        let about = std::mem::take(&mut about);
        let (kind, rest) = declared.split_once(' ').unwrap_or((declared, ""));
        let name = rest.split([' ', ':', '=']).next().unwrap_or(rest);
        let value = || rest.split_once(" = ").map_or("", |(_, value)| value).trim_end_matches(';');
        let body: Vec<&str> = match rest.ends_with('{') {
            true => lines.by_ref().take_while(|line| *line != "}").map(str::trim).collect(),
            false => Vec::new(),
        };
        out.push('\n');
        out.push_str(&documentation(&about.words(), ""));
        out.push_str(&match kind {
            "struct" => interface(name, &body, &about, tags.get(name)),
            "enum" => union(name, &body, &about),
            "type" => format!("export type {name} = {};\n", typescript(value(), about.one_of().as_deref())),
            _ => format!("export const {name} = {};\n", value().trim_end_matches(".0")),
        });
    }
    out
}

/// What stands before something that is declared.
#[derive(Default)]
struct About<'r> {
    documentation: Vec<&'r str>,
    attributes: String,
}

impl<'r> About<'r> {
    /// A line that declares nothing: it belongs to what comes next, or to nothing.
    fn take(&mut self, line: &'r str) {
        match line.trim().strip_prefix("///") {
            Some(words) => self.documentation.push(words.trim()),
            None if line.trim().starts_with("#[") => self.attributes.push_str(line),
            None => *self = About::default(),
        }
    }

    fn words(&self) -> Vec<&'r str> {
        self.documentation.iter().copied().filter(|line| !line.starts_with(ONE_OF)).collect()
    }

    /// `"a" | "b"`
    fn one_of(&self) -> Option<String> {
        let listed = self.documentation.iter().find_map(|line| line.strip_prefix(ONE_OF))?;
        Some(format!("\"{}", listed.trim_end_matches('.').replace(", ", " | ")))
    }
}

const ONE_OF: &str = "One of \"";

/// The structs that are the whole of a variant of a tagged enum, with the tag that they carry.
fn tags(rust: &str) -> BTreeMap<&str, String> {
    let variant = |line| {
        let (name, inner) = str::trim(line).strip_suffix("),")?.split_once('(')?;
        (name == name.trim() && !inner.contains(['(', '"'])).then(|| (inner, name.to_lowercase()))
    };
    rust.lines().filter_map(variant).collect()
}

fn documentation(lines: &[&str], indent: &str) -> String {
    match lines {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let lines = lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_string() + "\n");
            format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
        }
    }
}

fn interface(name: &str, body: &[&str], about: &About<'_>, tag: Option<&String>) -> String {
    let mut out = format!("export interface {name} {{\n");
    out.extend(tag.map(|tag| format!("  type: \"{tag}\";\n")));
    let mut documented = About::default();
    for line in body {
        let Some(field) = line.strip_prefix("pub ") else {
            documented.take(line);
            continue;
        };
        out.push_str(&documentation(&documented.words(), "  "));
        let camel = about.attributes.contains("camelCase");
        out.push_str(&format!("  {};\n", self::field(field, camel, documented.one_of().as_deref())));
        documented = About::default();
    }
    out + "}\n"
}

/// `name: Type,`
fn field(text: &str, camel: bool, one_of: Option<&str>) -> String {
    let (name, kind) = text.trim_end_matches(',').split_once(": ").unwrap_or((text, ""));
    let mut words = name.split('_');
    let first = words.next().unwrap_or("").to_string();
    let name = match camel {
        true => words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..]),
        false => name.to_string(),
    };
    format!("{name}: {}", typescript(kind, one_of))
}

fn union(name: &str, body: &[&str], about: &About<'_>) -> String {
    let tagged = about.attributes.contains("tag = \"type\"");
    let plain = !tagged && !about.attributes.contains("untagged");
    let mut out = format!("export type {name} =\n");
    let mut documented = About::default();
    let mut lines = body.iter();
    while let Some(line) = lines.next() {
        if line.starts_with("///") || line.starts_with("#[") {
            documented.take(line);
            continue;
        }
        out.push_str(&documentation(&std::mem::take(&mut documented).words(), "  "));
        // A variant on several lines is as good as one on one line.
        let inner: Vec<&str> = match line.ends_with('{') {
            true => lines.by_ref().take_while(|line| **line != "},").copied().collect(),
            false => inside(line).map_or(Vec::new(), split),
        };
        let name = line.split([' ', '(', ',']).next().unwrap_or(line);
        let tag = tagged.then(|| format!("type: \"{}\"", name.to_lowercase()));
        let fields = tag.into_iter().chain(inner.into_iter().map(|it| field(it, false, None)));
        out.push_str(&match line.split_once('(') {
            Some((_, inner)) => format!("  | {}\n", inner.trim_end_matches("),")),
            None if plain => format!("  | \"{}\"\n", name.to_lowercase()),
            None => format!("  | {{ {} }}\n", fields.collect::<Vec<_>>().join("; ")),
        });
    }
    out.trim_end().to_string() + ";\n"
}

/// What stands between the braces of a line.
fn inside(line: &str) -> Option<&str> {
    line.split_once("{ ")?.1.rsplit_once(" }").map(|(inner, _)| inner)
}

/// At commas that are not within brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let cut = move |letter: char| {
        depth += i32::from("<[(".contains(letter)) - i32::from(">])".contains(letter));
        letter == ',' && depth == 0
    };
    text.split(cut).map(str::trim).collect()
}

fn typescript(rust: &str, one_of: Option<&str>) -> String {
    let inner = |wrapper: &str| rust.strip_prefix(wrapper).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inner) = inner("Box<") {
        return typescript(inner, one_of);
    }
    if let Some(inner) = inner("Option<") {
        return format!("{} | null", typescript(inner, one_of));
    }
    if let Some(inner) = inner("Vec<") {
        return format!("{}[]", typescript(inner, one_of));
    }
    if let Some(inner) = inner("BTreeMap<String, ") {
        return format!("Record<string, {}>", typescript(inner, one_of));
    }
    if let Some((inner, count)) = rust.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')?.split_once("; ")) {
        let count = count.parse().unwrap_or(0);
        return format!("[{}]", vec![typescript(inner, one_of); count].join(", "));
    }
    match rust {
        "String" | "&'static str" => one_of.unwrap_or("string").to_string(),
        "f64" | "u32" | "usize" => "number".to_string(),
        "bool" => "boolean".to_string(),
        name => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_and_enums_become_interfaces_and_unions() {
        let rust = r#"//! Talk.
use serde::Serialize;

/// A place.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// From one.
    pub end_line: Option<usize>,
    /// One of "a", "b".
    pub kind: &'static str,
}

#[serde(tag = "type", rename_all = "lowercase")]
pub enum Said {
    Whole(Span),
    Nothing,
    /// Much.
    Much { by: BTreeMap<String, f64>, at: [f64; 2] },
    Lines {
        list: Vec<Box<Span>>,
    },
}

pub const SHOWN: f64 = 1.0;
"#;
        let typescript = r#"/** Talk. */

/** A place. */
export interface Span {
  type: "whole";
  /** From one. */
  endLine: number | null;
  kind: "a" | "b";
}

export type Said =
  | Span
  | { type: "nothing" }
  /** Much. */
  | { type: "much"; by: Record<string, number>; at: [number, number] }
  | { type: "lines"; list: Span[] };

export const SHOWN = 1;
"#;
        assert_eq!(translate(rust), typescript);
    }
}
