//! Texts without errors as trees.

use base::{Diagnostics, SourceId};
use syntax::{ItemKind, Tree, parse};

pub fn tree(text: &str) -> Tree {
    let mut sink = Diagnostics::default();
    let tree = parse(SourceId(0), text, &mut sink);
    assert!(sink.is_empty(), "{text}: {sink:#?}");
    tree
}

pub fn only_item(text: &str) -> ItemKind {
    let mut items = tree(text).items;
    assert_eq!(items.len(), 1, "{text}");
    items.remove(0).kind
}
