//! Elements of SDFormat have their numbers as texts, and places as six of them.

use roxmltree::Node;

use crate::robot::Place;
use crate::turn::{Turn, Vector, plus};
use crate::xml::Reader;

pub fn named<'a, 'i>(reader: &mut Reader<'_>, node: Node<'a, 'i>, what: &str) -> Vec<(&'a str, Node<'a, 'i>)> {
    let all = node.children().filter(|child| child.has_tag_name(what));
    all.filter_map(|child| Some((reader.needed(child, "name")?, child))).collect()
}

pub fn find<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// The text of an element inside, without blanks around it; empty, if there is none.
pub fn text<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    find(node, name).and_then(|it| it.text()).unwrap_or_default().trim()
}

pub fn numbers<const N: usize>(reader: &mut Reader<'_>, node: Node<'_, '_>) -> Option<[f64; N]> {
    reader.numbers_in(node, node.tag_name().name(), node.text().unwrap_or_default())
}

pub fn value(reader: &mut Reader<'_>, node: Option<Node<'_, '_>>, default: f64) -> Option<f64> {
    let Some(node) = node else { return Some(default) };
    // Files write `inf` where there is no limit.
    match node.text().unwrap_or_default().trim() {
        "inf" => Some(f64::MAX),
        "-inf" => Some(-f64::MAX),
        _ => numbers::<1>(reader, node).map(|[number]| number),
    }
}

/// The place of an element, in whatever it stands; here, if it says none.
pub fn pose(reader: &mut Reader<'_>, node: Node<'_, '_>) -> Option<Place> {
    let Some(node) = find(node, "pose") else { return Some(Place::HERE) };
    let [x, y, z, roll, pitch, yaw] = numbers(reader, node)?;
    let degrees = node.attribute("degrees").is_some_and(|it| it == "true");
    let angles: Vector = [roll, pitch, yaw].map(|angle| if degrees { angle.to_radians() } else { angle });
    Some(Place { position: [x, y, z], turn: Turn::of_fixed_angles(angles) })
}

/// A place that is told in another.
pub fn then(outer: Place, inner: Place) -> Place {
    Place { position: plus(outer.position, outer.turn.apply(inner.position)), turn: outer.turn.then(inner.turn) }
}

pub fn inverse(place: Place) -> Place {
    let back = place.turn.inverse();
    Place { position: back.apply(place.position).map(|part| -part), turn: back }
}
