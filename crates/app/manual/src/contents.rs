//! The table of contents: the parts of the manual and their pages, as `docs/README.md` lists them.

use crate::{embedded, links};

pub const START: &str = "docs/README.md";

/// A part of the manual: its heading, and its pages by path and title.
pub struct Part {
    pub title: String,
    pub pages: Vec<(String, String)>,
}

pub fn contents() -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in embedded::text(START).unwrap_or_default().lines() {
        if let Some(title) = line.strip_prefix("## ") {
            parts.push(Part { title: title.to_string(), pages: Vec::new() });
        }
        let listed = line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | ' '));
        let link = listed.strip_prefix('[').filter(|_| listed != line).and_then(|rest| rest.split_once("]("));
        if let (Some(part), Some((title, rest))) = (parts.last_mut(), link)
            && let Some((target, _)) = rest.split_once(')')
            && let Some(path) = links::resolve(START, target)
        {
            part.pages.push((path, title.to_string()));
        }
    }
    parts
}
