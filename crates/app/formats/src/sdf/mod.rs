//! SDFormat: models, whose links and joints are a graph. A tree in it becomes frames within frames; the joints that are left close loops.
//!
//! Places are those of the model unless they say in which link, joint or frame they stand; the frame of a joint stands in its child, and so does its
//! axis, unless it says otherwise. Numbers are texts of elements, not attributes; angles are about fixed axes, x first.

mod joint;
mod link;
mod places;
mod tree;
mod values;

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use crate::Options;
use crate::robot::{Motion, Part, Place, Robot};
use crate::xml::Reader;
use joint::Joint;
use link::inside;
use places::Places;
use tree::{Step, tree};
use values::{find, inverse, named, numbers, pose, text, then};

pub fn read(reader: &mut Reader<'_>, root: Node<'_, '_>, options: Options<'_>) -> Option<Robot> {
    let world = find(root, "world");
    let children = reader.children(world.unwrap_or(root), &["model", "gravity"]);
    let models: Vec<Node<'_, '_>> = children.iter().copied().filter(|node| node.has_tag_name("model")).collect();
    let inner = models.iter().find_map(|model| find(*model, "model").or(find(*model, "include")));
    if let Some(inner) = inner {
        let hint = "put its links and joints into the model around it: `gz sdf -p` writes such a file";
        reader.unreadable(inner, "this model has another one in it", hint);
        return None;
    }
    if models.is_empty() {
        reader.unreadable(root, "there is no `<model>` in this file", "a model has links, which joints hold together");
        return None;
    }
    let is_one = models.len() == 1;
    let own = models[0].attribute("name").filter(|name| is_one && !name.trim().is_empty());
    let mut robot = Robot { name: own.unwrap_or(options.name).to_string(), ..Robot::default() };
    if let Some(gravity) = children.iter().find(|node| node.has_tag_name("gravity")) {
        robot.gravity = Some(numbers(reader, *gravity)?);
    }
    for node in models {
        let name = node.attribute("name").unwrap_or("model");
        let prefix = if is_one { String::new() } else { format!("{name}_") };
        Model::new(reader, node, prefix, options)?.write(reader, &mut robot)?;
    }
    Some(robot)
}

struct Model<'a, 'i, 'o> {
    node: Node<'a, 'i>,
    /// Before the names of all that is in it, where there are several models.
    prefix: String,
    links: Vec<(&'a str, Node<'a, 'i>)>,
    places: Places<'a, 'i>,
    is_static: bool,
    options: Options<'o>,
}

impl<'a, 'i, 'o> Model<'a, 'i, 'o> {
    fn new(
        reader: &mut Reader<'_>,
        node: Node<'a, 'i>,
        prefix: String,
        options: Options<'o>,
    ) -> Option<Model<'a, 'i, 'o>> {
        reader.children(node, &["pose", "link", "joint", "frame", "static", "self_collide", "allow_auto_disable"]);
        let links = named(reader, node, "link");
        let mut seen = HashSet::new();
        if links.is_empty() || !links.iter().all(|(name, _)| seen.insert(*name)) {
            reader.unreadable(node, "links need names of their own, and there has to be one", "give each another name");
            return None;
        }
        let others = [named(reader, node, "joint"), named(reader, node, "frame")].concat();
        let places = Places::new(&links, &others);
        let is_static = ["true", "1"].contains(&text(node, "static"));
        Some(Model { node, prefix, links, places, is_static, options })
    }

    fn write(&self, reader: &mut Reader<'_>, robot: &mut Robot) -> Option<()> {
        let outer = pose(reader, self.node)?;
        let links: Vec<Place> =
            self.links.iter().map(|(_, node)| self.places.of(reader, *node)).collect::<Option<Vec<_>>>()?;
        // Nothing of what stands still moves, whatever its joints say.
        let mut joints = if self.is_static { Vec::new() } else { self.joints(reader)? };
        let tree = tree(self.links.len(), &joints);
        if !tree.closing.is_empty() {
            joints.iter_mut().for_each(|joint| joint.straighten(reader));
        }
        let mut made: Vec<Option<Made>> = vec![None; links.len()];
        let mut of_joint: HashMap<&str, usize> = HashMap::new();
        for step in tree.order {
            let world = Made { part: None, frame: inverse(outer) };
            let before = step.before.and_then(|link| made[link]).unwrap_or(world);
            if let Some(joint) = step.joint {
                of_joint.insert(joints[joint].name, robot.parts.len());
            }
            let joint = step.joint.map(|joint| &joints[joint]);
            made[step.link] = Some(self.parts(reader, step, joint, (before, outer, links[step.link]), robot)?);
        }
        for &at in &tree.closing {
            let joint = &joints[at];
            let end = |link: Option<usize>| match link.and_then(|link| made[link]) {
                Some(Made { part, frame }) => (part, then(inverse(frame), joint.place)),
                None => (None, then(outer, joint.place)),
            };
            let (a, b) = (end(joint.parent), end(Some(joint.child)));
            // What is one rigid thing already needs nothing that holds it together.
            if robot.rigid_with(a.0) != robot.rigid_with(b.0) {
                robot.ties.push(joint.closing(reader, &self.prefix, a, b));
            }
        }
        joints.iter().for_each(|joint| joint.follow(reader, &of_joint, robot));
        Some(())
    }

    /// The parts of a step, the last of which carries the link: one for each axis of its joint.
    fn parts(
        &self,
        reader: &mut Reader<'_>,
        step: Step,
        joint: Option<&Joint<'a, 'i>>,
        (before, outer, link): (Made, Place, Place),
        robot: &mut Robot,
    ) -> Option<Made> {
        let (name, node) = self.links[step.link];
        let (frame, inner, motions) = match joint {
            Some(joint) => {
                let is_forward = joint.child == step.link;
                let inner = joint.own.filter(|_| is_forward).map_or_else(|| inside(joint.place, link), inverse);
                (joint.place, inner, joint.motions(is_forward))
            }
            None => (link, Place::HERE, vec![if self.is_static { Motion::Fixed } else { Motion::Free }]),
        };
        let Made { mut part, frame: mut above } = before;
        for (at, motion) in motions.into_iter().enumerate() {
            let (own, told, place) = match joint {
                Some(joint) => {
                    (joint.name, format!("Link {name} on the joint {}", joint.name), reader.place(joint.node))
                }
                None => (name, format!("Link {name}"), reader.place(node)),
            };
            let own = format!("{}{own}{}", self.prefix, if at == 0 { "" } else { "_2" });
            let placed = then(inverse(above), frame);
            robot.parts.push(Part { parent: part, place: placed, ..Part::new(&own, told, place, motion) });
            (part, above) = (Some(robot.parts.len() - 1), frame);
        }
        let mut last = robot.parts.pop()?;
        let named = format!("{}{name}", self.prefix);
        self.fill(reader, (&named, node), (inner, then(outer, frame)), robot, &mut last)?;
        robot.parts.push(last);
        Some(Made { part, frame })
    }

    fn joints(&self, reader: &mut Reader<'_>) -> Option<Vec<Joint<'a, 'i>>> {
        named(reader, self.node, "joint").into_iter().map(|(name, node)| self.joint(reader, node, name)).collect()
    }
}

/// The part of a link, and where the frame of that is in the model.
#[derive(Clone, Copy)]
struct Made {
    part: Option<usize>,
    frame: Place,
}
