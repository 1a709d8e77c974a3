//! The circuit of a scene, as far as it is written out: elements, and the nodes that they lie between.

use model::{Model, Thing};
use syntax::{ExprKind, ItemKind, Tree};

use super::Places;
use crate::protocol::{Circuit, CircuitElement, CircuitNode};

/// The kinds of the library that a schematic knows.
const NODE: &str = "node";
const ELEMENT: &str = "two_terminal";

/// None where there is no circuit, or where parts of it are made by loops, so that a drawing would lack them.
pub fn circuit(model: &Model, tree: &Tree, places: &Places<'_>) -> Option<Circuit> {
    let is = |thing: &Thing, kind: &str| thing.kinds.iter().any(|known| known == kind);
    let nodes: Vec<&str> = model.things.iter().filter(|it| is(it, NODE)).map(|it| it.name.as_str()).collect();
    let mut elements = Vec::new();
    for item in &tree.items {
        let ItemKind::Thing(written) = &item.kind else { continue };
        let Some(thing) = model.things.iter().find(|thing| thing.name == written.name.text) else { continue };
        let named = written.arguments.iter().filter_map(|argument| match &argument.value.kind {
            ExprKind::Name(name) if nodes.contains(&name.as_str()) => Some(name.clone()),
            _ => None,
        });
        let ends: Vec<String> = named.collect();
        if ends.len() < 2 || ends.len() != written.arguments.len() {
            continue;
        }
        let current = is(thing, ELEMENT).then(|| format!("{}.current", thing.name));
        let span = places.span(written.name.span);
        elements.push(CircuitElement { name: thing.name.clone(), kinds: thing.kinds.clone(), ends, current, span });
    }
    let drawn = |thing: &Thing| {
        let within =
            |whole: &CircuitElement| thing.name.strip_prefix(&whole.name).is_some_and(|rest| rest.starts_with('.'));
        elements.iter().any(|element| element.name == thing.name || within(element))
    };
    let whole = model.things.iter().filter(|thing| is(thing, ELEMENT)).all(drawn);
    if elements.is_empty() || !whole {
        return None;
    }
    let node = |name: &&str| CircuitNode { name: (*name).to_string(), voltage: format!("{name}.voltage") };
    let nodes = nodes.iter().filter(|name| elements.iter().any(|element| element.ends.iter().any(|end| end == *name)));
    Some(Circuit { nodes: nodes.map(node).collect(), elements })
}
