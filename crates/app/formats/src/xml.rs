//! XML with places: elements, their numbers, and what is said of those that nobody understands.

use std::collections::BTreeMap;

use base::{Diagnostic, Diagnostics, Source, SourceId, Span};
use roxmltree::{Document, Node, ParsingOptions};

use crate::beside::Meshes;
use crate::codes;
use crate::turn::Vector;

/// Elements within elements; more is no mechanism.
pub const DEEPEST: usize = 200;
/// Elements, texts and comments together.
const MOST_NODES: u32 = 2_000_000;
const MOST_ATTRIBUTES: usize = 500;

/// Reads elements and says what is wrong with them.
pub struct Reader<'a> {
    source: SourceId,
    sink: &'a mut Diagnostics,
    /// What was not understood: the first place of each kind, and how many there are.
    left_out: BTreeMap<String, (Span, usize)>,
    pub meshes: Meshes,
}

/// Hands the root of a document to somebody who understands it. Documents with entities of their own, which may grow without end, are refused.
pub fn read<T>(
    file: &Source,
    source: SourceId,
    sink: &mut Diagnostics,
    understand: impl FnOnce(&mut Reader<'_>, Node<'_, '_>) -> Option<T>,
) -> Option<T> {
    let place = |at: usize| Span::new(source, at.min(file.text.len()), at.min(file.text.len()));
    if let Some(at) = too_many_attributes(&file.text) {
        let message = format!("an element has more than {MOST_ATTRIBUTES} attributes");
        sink.report(Diagnostic::error(codes::MODEL_UNREADABLE, message).at(place(at), "here"));
        return None;
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(&file.text, options) {
        Ok(document) => document,
        Err(error) => {
            let at = offset(&file.text, error.pos().row as usize, error.pos().col as usize);
            let message = format!("this is no XML that can be read: {error}");
            sink.report(Diagnostic::error(codes::MODEL_UNREADABLE, message).at(place(at), "here").hint(
                "the file is perhaps damaged, or of another kind; what stands between `<!DOCTYPE` and `>` is not read",
            ));
            return None;
        }
    };
    if let Some(node) = too_deep(&document) {
        let message = format!("elements stand more than {DEEPEST} deep in one another");
        sink.report(Diagnostic::error(codes::MODEL_UNREADABLE, message).at(place(node.range().start), "here"));
        return None;
    }
    let mut reader = Reader { source, sink, left_out: BTreeMap::new(), meshes: Meshes::default() };
    let understood = understand(&mut reader, document.root_element());
    reader.tell_left_out();
    understood
}

/// Where an element has too many attributes: whether two have one name is found out by comparing each with each.
pub fn too_many_attributes(text: &str) -> Option<usize> {
    let mut start = 0;
    for piece in text.split('<') {
        let quotes = piece.bytes().filter(|byte| matches!(byte, b'"' | b'\'')).count();
        if quotes > 2 * MOST_ATTRIBUTES && !piece.starts_with(['!', '?']) {
            return Some(start);
        }
        start += piece.len() + 1;
    }
    None
}

/// An element that is nested too deeply for what recurses into it. Parents are numbered before their children.
fn too_deep<'a, 'i>(document: &'a Document<'i>) -> Option<Node<'a, 'i>> {
    let mut depths: Vec<usize> = Vec::new();
    for node in document.descendants() {
        let depth = node.parent().map_or(0, |parent| depths[parent.id().get_usize()] + 1);
        depths.resize(node.id().get_usize() + 1, 0);
        depths[node.id().get_usize()] = depth;
        if depth > DEEPEST {
            return Some(node);
        }
    }
    None
}

/// Rows and columns count from one, columns in characters.
fn offset(text: &str, row: usize, column: usize) -> usize {
    let line = text.split_inclusive('\n').take(row.saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = text.get(line..).unwrap_or("");
    line + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

/// With what to do about it, where there is something to say.
fn hinted(diagnostic: Diagnostic, hint: &str) -> Diagnostic {
    if hint.is_empty() { diagnostic } else { diagnostic.hint(hint) }
}

impl Reader<'_> {
    /// The name of an element, where it opens.
    pub fn place(&self, node: Node<'_, '_>) -> Span {
        let start = node.range().start;
        Span::new(self.source, start, start + 1 + node.tag_name().name().len())
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.sink.report(diagnostic);
    }

    pub fn unreadable(&mut self, node: Node<'_, '_>, message: impl Into<String>, hint: &str) {
        let place = self.place(node);
        self.report(hinted(Diagnostic::error(codes::MODEL_UNREADABLE, message).at(place, "here"), hint));
    }

    pub fn changed(&mut self, node: Node<'_, '_>, message: impl Into<String>, hint: &str) {
        let place = self.place(node);
        self.report(hinted(Diagnostic::warning(codes::MODEL_CHANGED, message).at(place, "here"), hint));
    }

    /// Remembers that an element says something that the scene will not.
    pub fn leave_out(&mut self, node: Node<'_, '_>, what: impl Into<String>) {
        let place = self.place(node);
        self.left_out.entry(what.into()).or_insert((place, 0)).1 += 1;
    }

    fn tell_left_out(&mut self) {
        for (what, (place, count)) in std::mem::take(&mut self.left_out) {
            let times = if count > 1 { format!(", {count} times") } else { String::new() };
            let message = format!("{what} is left out{times}");
            let label = if count > 1 { "the first" } else { "here" };
            self.report(Diagnostic::warning(codes::MODEL_LEFT_OUT, message).at(place, label));
        }
    }

    /// The element children, of which those with other names than these are left out.
    pub fn children<'a, 'i>(&mut self, node: Node<'a, 'i>, known: &[&str]) -> Vec<Node<'a, 'i>> {
        let (understood, others): (Vec<_>, Vec<_>) =
            node.children().filter(Node::is_element).partition(|child| known.contains(&child.tag_name().name()));
        for other in others {
            let (name, parent) = (other.tag_name().name(), node.tag_name().name());
            self.leave_out(other, format!("`<{name}>` in `<{parent}>`"));
        }
        understood
    }

    /// An attribute that has to be there.
    pub fn needed<'a>(&mut self, node: Node<'a, '_>, attribute: &str) -> Option<&'a str> {
        let value = node.attribute(attribute);
        if value.is_none() {
            let name = node.tag_name().name();
            let hint = format!("write `<{name} {attribute}=\"…\">`");
            self.unreadable(node, format!("this `<{name}>` has no `{attribute}`"), &hint);
        }
        value
    }

    /// The finite numbers of an attribute; what is no number is said, and none come back then.
    pub fn list(&mut self, node: Node<'_, '_>, attribute: &str) -> Option<Vec<f64>> {
        let text = node.attribute(attribute)?;
        self.list_in(node, attribute, text)
    }

    /// The numbers of a text that stands for an attribute.
    pub fn list_in(&mut self, node: Node<'_, '_>, attribute: &str, text: &str) -> Option<Vec<f64>> {
        let numbers: Option<Vec<f64>> =
            text.split_whitespace().map(|word| word.parse().ok().filter(|number: &f64| number.is_finite())).collect();
        if numbers.is_none() {
            let shown: String = text.chars().take(40).collect();
            let message = format!("`{attribute}=\"{}\"` is not made of finite numbers", base::visible(&shown));
            self.unreadable(node, message, "write numbers with a decimal point, separated by blanks");
        }
        numbers
    }

    pub fn numbers<const N: usize>(&mut self, node: Node<'_, '_>, attribute: &str) -> Option<[f64; N]> {
        let text = node.attribute(attribute)?;
        self.numbers_in(node, attribute, text)
    }

    pub fn numbers_in<const N: usize>(&mut self, node: Node<'_, '_>, attribute: &str, text: &str) -> Option<[f64; N]> {
        let list = self.list_in(node, attribute, text)?;
        let found = list.len();
        let numbers = <[f64; N]>::try_from(list);
        if numbers.is_err() {
            let wanted = base::counted(N, "number", "numbers");
            self.unreadable(node, format!("`{attribute}` has {wanted}, and here are {found}"), "");
        }
        numbers.ok()
    }

    pub fn number(&mut self, node: Node<'_, '_>, attribute: &str) -> Option<f64> {
        self.numbers::<1>(node, attribute).map(|[number]| number)
    }

    pub fn vector(&mut self, node: Node<'_, '_>, attribute: &str) -> Option<Vector> {
        self.numbers::<3>(node, attribute)
    }
}
