//! Where links, joints and frames of a model are: each may be told in another one, by its name.

use std::collections::HashMap;

use roxmltree::Node;

use super::values::{find, pose, text, then};
use crate::robot::Place;
use crate::xml::{self, Reader};

/// What has a name and a place in a model.
pub struct Places<'a, 'i> {
    all: HashMap<&'a str, Node<'a, 'i>>,
    links: HashMap<&'a str, usize>,
}

impl<'a, 'i> Places<'a, 'i> {
    pub fn new(links: &[(&'a str, Node<'a, 'i>)], others: &[(&'a str, Node<'a, 'i>)]) -> Places<'a, 'i> {
        // What the name of a link is, is the link.
        let all = others.iter().chain(links).copied().collect();
        Places { all, links: links.iter().enumerate().map(|(at, (name, _))| (*name, at)).collect() }
    }

    /// Where something is in the model.
    pub fn of(&self, reader: &mut Reader<'_>, node: Node<'a, 'i>) -> Option<Place> {
        self.told(reader, node, 0)
    }

    fn told(&self, reader: &mut Reader<'_>, node: Node<'a, 'i>, depth: usize) -> Option<Place> {
        let own = pose(reader, node)?;
        let said = find(node, "pose").and_then(|pose| pose.attribute("relative_to")).filter(|it| !it.is_empty());
        let usual = match node.tag_name().name() {
            "joint" => text(node, "child"),
            "frame" => node.attribute("attached_to").unwrap_or_default(),
            _ => "",
        };
        let other = said.unwrap_or(usual);
        if ["", "__model__", "world"].contains(&other) {
            return Some(own);
        }
        let Some(&outer) = self.all.get(other).filter(|_| depth < xml::DEEPEST) else {
            let name = base::visible(node.attribute("name").unwrap_or_default());
            let other = base::visible(other);
            let message = format!("the place of `{name}` stands in `{other}`, which is not there, or goes round");
            reader.unreadable(node, message, "tell it in the model, or in a link, a joint or a frame");
            return None;
        };
        Some(then(self.told(reader, outer, depth + 1)?, own))
    }

    /// Where a name that a joint speaks of is in the model.
    pub fn named(&self, reader: &mut Reader<'_>, joint: Node<'a, 'i>, name: &str) -> Option<Place> {
        let found = self.all.get(name).copied();
        if found.is_none() {
            let message = format!("the axis of a joint stands in `{}`, which is not there", base::visible(name));
            reader.unreadable(joint, message, "name a link, a joint, a frame or `__model__`");
        }
        self.of(reader, found?)
    }

    /// The link that a name stands for: its own, or that to which a frame or a joint is attached.
    pub fn link(&self, name: &str) -> Option<usize> {
        let mut name = name;
        for _ in 0..xml::DEEPEST {
            if let Some(&link) = self.links.get(name) {
                return Some(link);
            }
            let node = *self.all.get(name)?;
            name = match node.tag_name().name() {
                "joint" => text(node, "child"),
                _ => node.attribute("attached_to")?,
            };
        }
        None
    }

    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.links.keys().copied()
    }
}
