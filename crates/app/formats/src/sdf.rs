//! SDFormat: one model, whose links are joined into a tree.
//!
//! Places are those of the model unless they say in which link they stand; the frame of a joint stands in its child, and so does its axis,
//! unless it is said to be in the axes of the model. Numbers are texts of elements, not attributes; angles are about fixed axes, x first.

use std::collections::HashMap;

use roxmltree::Node;

use crate::robot::{Axis, Body, Motion, Part, Place, Robot, Shape, Solid};
use crate::turn::{Turn, Vector, plus, size};
use crate::urdf::{hull_of, with_extent};
use crate::xml::Reader;
use crate::{Options, xml};

pub fn read(reader: &mut Reader<'_>, root: Node<'_, '_>, options: Options<'_>) -> Option<Robot> {
    let models: Vec<Node<'_, '_>> = root.descendants().filter(|node| node.has_tag_name("model")).collect();
    let &[model] = &models[..] else {
        let message =
            format!("there are {} in this file, and one is read", base::counted(models.len(), "model", "models"));
        reader.unreadable(root, message, "put the model that you want into a file of its own");
        return None;
    };
    reader.children(model, &["pose", "link", "joint", "static"]);
    let links: Vec<(&str, Node<'_, '_>)> = named(reader, model, "link");
    let by_name: HashMap<&str, usize> = links.iter().enumerate().map(|(at, (name, _))| (*name, at)).collect();
    if by_name.len() < links.len() || links.is_empty() {
        reader.unreadable(model, "links need names of their own, and there has to be one", "give each another name");
        return None;
    }
    let outer = pose(reader, model)?;
    let sdf = Sdf { model, links, by_name, options };
    let places: Vec<Place> =
        (0..sdf.links.len()).map(|link| sdf.link_place(reader, link, 0)).collect::<Option<Vec<_>>>()?;
    let order = sdf.tree(reader)?;
    let name = model.attribute("name").filter(|name| !name.trim().is_empty()).unwrap_or(options.name);
    let mut robot = Robot { name: name.to_string(), ..Robot::default() };
    // Where the frame of each part is in the model, and which part each link belongs to.
    let mut frames: Vec<Place> = Vec::new();
    let mut part_of: HashMap<usize, usize> = HashMap::new();
    for (link, joint) in order {
        let (part, frame) = sdf.part(reader, link, joint, places[link])?;
        let parent = joint.and_then(|joint| joint.parent).map(|parent| part_of[&parent]);
        let above = parent.map_or(inverse(outer), |parent| frames[parent]);
        part_of.insert(link, robot.parts.len());
        robot.parts.push(Part { parent, place: then(inverse(above), frame), ..part });
        frames.push(frame);
    }
    Some(robot)
}

#[derive(Clone, Copy)]
struct Joint<'a, 'i> {
    node: Node<'a, 'i>,
    name: &'a str,
    /// Places among the links; none is the world.
    parent: Option<usize>,
    child: usize,
}

struct Sdf<'a, 'i, 'o> {
    model: Node<'a, 'i>,
    links: Vec<(&'a str, Node<'a, 'i>)>,
    by_name: HashMap<&'a str, usize>,
    options: Options<'o>,
}

impl<'a, 'i> Sdf<'a, 'i, '_> {
    /// Where a link is in the model, through the links that its place is told in.
    fn link_place(&self, reader: &mut Reader<'_>, link: usize, depth: usize) -> Option<Place> {
        let (name, node) = self.links[link];
        let own = pose(reader, node)?;
        let Some(other) = find(node, "pose").and_then(|pose| pose.attribute("relative_to")) else { return Some(own) };
        if ["", "__model__"].contains(&other) {
            return Some(own);
        }
        let Some(&outer) = self.by_name.get(other).filter(|_| depth < xml::DEEPEST) else {
            let message =
                format!("the place of `{name}` stands in `{}`, which is no link, or goes round", base::visible(other));
            reader.unreadable(node, message, "tell it in the model, or in another link");
            return None;
        };
        Some(then(self.link_place(reader, outer, depth + 1)?, own))
    }

    fn joint(&self, reader: &mut Reader<'_>, node: Node<'a, 'i>, name: &'a str) -> Option<Joint<'a, 'i>> {
        let mut end = |which: &str| -> Option<Option<usize>> {
            let link = find(node, which).and_then(|it| it.text()).map(str::trim).unwrap_or_default();
            if link == "world" && which == "parent" {
                return Some(None);
            }
            let found = self.by_name.get(link).copied();
            if found.is_none() {
                let near =
                    base::nearest(link, self.by_name.keys().copied()).map(|near| format!("did you mean `{near}`?"));
                let message =
                    format!("the {which} of the joint `{name}` is `{}`, which is no link", base::visible(link));
                reader.unreadable(node, message, &near.unwrap_or_default());
            }
            found.map(Some)
        };
        let (parent, child) = (end("parent")?, end("child")??);
        Some(Joint { node, name, parent, child })
    }

    /// Each link with the joint above it, parents first. What is no tree is refused.
    fn tree(&self, reader: &mut Reader<'_>) -> Option<Vec<(usize, Option<Joint<'a, 'i>>)>> {
        let mut above: Vec<Option<Joint<'a, 'i>>> = vec![None; self.links.len()];
        for (name, node) in named(reader, self.model, "joint") {
            let joint = self.joint(reader, node, name)?;
            if above[joint.child].replace(joint).is_some() {
                let message = format!("the link `{}` is the child of two joints", self.links[joint.child].0);
                reader.unreadable(node, message, "close the loop in the scene instead, with `join … to …`");
                return None;
            }
        }
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); self.links.len()];
        for joint in above.iter().flatten() {
            joint.parent.into_iter().for_each(|parent| below[parent].push(joint.child));
        }
        let mut order: Vec<(usize, Option<Joint<'a, 'i>>)> = Vec::new();
        let mut waiting: Vec<usize> = (0..self.links.len())
            .rev()
            .filter(|&link| above[link].is_none_or(|joint| joint.parent.is_none()))
            .collect();
        while let Some(link) = waiting.pop() {
            order.push((link, above[link]));
            waiting.extend(below[link].iter().rev());
        }
        if order.len() < self.links.len() {
            let mut met = vec![false; self.links.len()];
            order.iter().for_each(|&(link, _)| met[link] = true);
            let lost = met.iter().position(|met| !met).unwrap_or(0);
            let message = format!("the link `{}` hangs on itself, round in a circle", self.links[lost].0);
            reader.unreadable(self.links[lost].1, message, "follow its joints upwards: they never come to the world");
            return None;
        }
        Some(order)
    }

    /// The part of a link, in the frame of the joint above it, and where that frame is in the model.
    fn part(
        &self,
        reader: &mut Reader<'_>,
        link: usize,
        joint: Option<Joint<'a, 'i>>,
        place: Place,
    ) -> Option<(Part, Place)> {
        let (name, node) = self.links[link];
        let (mut part, own) = match joint {
            Some(joint) => {
                let own = pose(reader, joint.node)?;
                let turned = then(place, own).turn;
                let motion = self.motion(reader, joint, turned)?;
                let told = format!("Link {name} on the joint {}", joint.name);
                (Part::new(joint.name, told, reader.place(joint.node), motion), own)
            }
            None => {
                let fixed = find(self.model, "static").and_then(|it| it.text()).is_some_and(|it| it.trim() == "true");
                let motion = if fixed { Motion::Fixed } else { Motion::Free };
                (Part::new(name, format!("Link {name}"), reader.place(node), motion), Place::HERE)
            }
        };
        self.fill(reader, node, name, inverse(own), joint.is_none(), &mut part)?;
        Some((part, then(place, own)))
    }

    fn motion(&self, reader: &mut Reader<'_>, joint: Joint<'a, 'i>, turned: Turn) -> Option<Motion> {
        let Joint { node, name, .. } = joint;
        let kind = reader.needed(node, "type")?;
        reader.children(node, &["pose", "parent", "child", "axis", "physics"]);
        let slides = kind == "prismatic";
        Some(match kind {
            "fixed" => Motion::Fixed,
            "ball" => Motion::Ball,
            "revolute" | "continuous" | "prismatic" => {
                let axis = find(node, "axis");
                let xyz = axis.and_then(|axis| find(axis, "xyz"));
                let mut direction = match xyz {
                    Some(xyz) => numbers(reader, xyz)?,
                    None => [0.0, 0.0, 1.0],
                };
                if xyz.and_then(|xyz| xyz.attribute("expressed_in")).is_some_and(|frame| frame == "__model__") {
                    direction = turned.inverse().apply(direction);
                }
                if size(direction) == 0.0 {
                    reader.unreadable(node, format!("the axis of the joint `{name}` has no direction"), "give it one");
                    return None;
                }
                let mut one = Axis::new(slides, direction);
                if let Some(axis) = axis {
                    limit(reader, axis, kind, &mut one)?;
                }
                Motion::Axis(one)
            }
            other => {
                let message = format!("the joint `{name}` has the type `{}`", base::visible(other));
                reader.unreadable(node, message, "there are revolute, continuous, prismatic, ball and fixed");
                return None;
            }
        })
    }

    /// What a link has: mass, what touches, what is seen; `inner` is where the link is in the part.
    fn fill(
        &self,
        reader: &mut Reader<'_>,
        link: Node<'_, '_>,
        name: &str,
        inner: Place,
        is_base: bool,
        part: &mut Part,
    ) -> Option<()> {
        for child in reader.children(link, &["pose", "inertial", "visual", "collision"]) {
            let place = then(inner, pose(reader, child)?);
            if child.has_tag_name("inertial") {
                let mass = value(reader, find(child, "mass"), 1.0)?;
                let inertia = find(child, "inertia");
                let mut moments = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
                for (entry, moment) in ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].into_iter().zip(&mut moments) {
                    *moment = value(reader, inertia.and_then(|inertia| find(inertia, entry)), *moment)?;
                }
                let body = if is_base { format!("{name}_body") } else { name.to_string() };
                part.body = Some(Body { name: body, span: reader.place(child), place, mass, moments });
                continue;
            }
            let geometry = find(child, "geometry").and_then(|it| it.children().find(Node::is_element));
            let Some(shape) = geometry.and_then(|node| self.shape(reader, node)) else { continue };
            let solid = Solid { shape, place, color: None, span: reader.place(child) };
            match (child.has_tag_name("visual"), &solid.shape) {
                (true, Shape::Hull(_)) => reader.leave_out(child, "a mesh that is only seen"),
                (true, _) => part.figures.push(solid),
                (false, _) => part.shapes.push(solid),
            }
        }
        Some(())
    }

    fn shape(&self, reader: &mut Reader<'_>, node: Node<'_, '_>) -> Option<Shape> {
        let mut number = |name: &str| value(reader, find(node, name), 0.0);
        let shape = match node.tag_name().name() {
            "box" => Shape::Box(find(node, "size").and_then(|size| numbers(reader, size))?),
            "sphere" => Shape::Sphere(number("radius")?),
            "cylinder" => Shape::Cylinder { radius: number("radius")?, length: number("length")? },
            "capsule" => Shape::Capsule { radius: number("radius")?, length: number("length")? },
            "mesh" => {
                let name = find(node, "uri").and_then(|uri| uri.text()).unwrap_or_default().trim();
                let scale = match find(node, "scale") {
                    Some(scale) => numbers(reader, scale)?,
                    None => [1.0; 3],
                };
                return hull_of(reader, node, name, scale, self.options.around());
            }
            other => {
                reader.leave_out(node, format!("a shape `<{other}>`"));
                return None;
            }
        };
        with_extent(reader, node, shape)
    }
}

/// Limits, damping and friction of an axis. What is beyond 10¹⁶ is how such files write that there is no limit.
fn limit(reader: &mut Reader<'_>, axis: Node<'_, '_>, kind: &str, one: &mut Axis) -> Option<()> {
    const NONE: f64 = 1e16;
    if let Some(limit) = find(axis, "limit") {
        let [lower, upper] =
            [("lower", -NONE), ("upper", NONE)].map(|(name, none)| value(reader, find(limit, name), none));
        let (lower, upper) = (lower?, upper?);
        one.limits = (kind != "continuous" && lower < upper && lower > -NONE && upper < NONE).then_some([lower, upper]);
        if kind != "continuous" && (lower > -NONE) != (upper < NONE) {
            reader.leave_out(limit, "a limit of a joint on one side only");
        }
        let effort = value(reader, find(limit, "effort"), 0.0)?;
        one.effort = (effort > 0.0 && effort < NONE).then_some([-effort, effort]);
    }
    if let Some(dynamics) = find(axis, "dynamics") {
        one.damping = value(reader, find(dynamics, "damping"), 0.0)?.max(0.0);
        one.friction = value(reader, find(dynamics, "friction"), 0.0)?.max(0.0);
    }
    Some(())
}

fn named<'a, 'i>(reader: &mut Reader<'_>, node: Node<'a, 'i>, what: &str) -> Vec<(&'a str, Node<'a, 'i>)> {
    let all = node.children().filter(|child| child.has_tag_name(what));
    all.filter_map(|child| Some((reader.needed(child, "name")?, child))).collect()
}

fn find<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn numbers<const N: usize>(reader: &mut Reader<'_>, node: Node<'_, '_>) -> Option<[f64; N]> {
    reader.numbers_in(node, node.tag_name().name(), node.text().unwrap_or_default())
}

fn value(reader: &mut Reader<'_>, node: Option<Node<'_, '_>>, default: f64) -> Option<f64> {
    let Some(node) = node else { return Some(default) };
    // Files write `inf` where there is no limit.
    match node.text().unwrap_or_default().trim() {
        "inf" => Some(f64::MAX),
        "-inf" => Some(-f64::MAX),
        _ => numbers::<1>(reader, node).map(|[number]| number),
    }
}

/// The place of an element; here, if it says none.
fn pose(reader: &mut Reader<'_>, node: Node<'_, '_>) -> Option<Place> {
    let Some(node) = find(node, "pose") else { return Some(Place::HERE) };
    let [x, y, z, roll, pitch, yaw] = numbers(reader, node)?;
    let degrees = node.attribute("degrees").is_some_and(|it| it == "true");
    let angles: Vector = [roll, pitch, yaw].map(|angle| if degrees { angle.to_radians() } else { angle });
    Some(Place { position: [x, y, z], turn: Turn::of_fixed_angles(angles) })
}

/// A place that is told in another.
fn then(outer: Place, inner: Place) -> Place {
    Place { position: plus(outer.position, outer.turn.apply(inner.position)), turn: outer.turn.then(inner.turn) }
}

fn inverse(place: Place) -> Place {
    let back = place.turn.inverse();
    Place { position: back.apply(place.position).map(|part| -part), turn: back }
}
