//! URDF: links with masses and shapes, joined into a tree.
//!
//! The frame of a joint is the frame of its child link. Axes stand in that frame, moments in the frame of the centre of mass; angles of
//! `rpy` are about fixed axes, x first.

use std::collections::HashMap;

use roxmltree::Node;

use crate::Options;
use crate::beside::Around;
use crate::robot::{Axis, Body, Motion, Part, Place, Robot, Shape, Solid};
use crate::turn::{Turn, Vector, minus, size};
use crate::xml::Reader;

struct Joint<'a, 'i> {
    node: Node<'a, 'i>,
    name: &'a str,
    /// Places among the links.
    parent: usize,
    child: usize,
}

type Colors<'a> = HashMap<&'a str, [f64; 4]>;

pub fn read(reader: &mut Reader<'_>, root: Node<'_, '_>, options: Options<'_>) -> Option<Robot> {
    let macros = root.namespaces().any(|namespace| namespace.uri().contains("xacro"));
    let expanded = root.children().any(|node| node.has_tag_name("link"));
    let of_xacro = |node: &Node<'_, '_>| node.tag_name().namespace().is_some_and(|it| it.contains("xacro"));
    if let Some(node) = root.descendants().find(of_xacro).or((macros && !expanded).then_some(root)) {
        let hint = "expand it first: `xacro robot.urdf.xacro > robot.urdf`";
        reader.unreadable(node, "this file has macros of xacro in it", hint);
        return None;
    }
    let children = reader.children(root, &["link", "joint", "material"]);
    let of = |name: &'static str| children.iter().copied().filter(move |node| node.tag_name().name() == name);
    // What is said of a material anywhere holds for all that name it.
    let materials: Vec<Node<'_, '_>> = root.descendants().filter(|node| node.has_tag_name("material")).collect();
    let colors: Colors<'_> =
        materials.into_iter().filter_map(|node| Some((node.attribute("name")?, color(reader, node)?))).collect();
    let mut links: Vec<(&str, Node<'_, '_>)> = Vec::new();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for node in of("link") {
        let Some(name) = reader.needed(node, "name") else { continue };
        if by_name.insert(name, links.len()).is_some() {
            reader.unreadable(node, format!("there are two links `{name}`"), "give one of them another name");
        }
        links.push((name, node));
    }
    let joints: Vec<Joint<'_, '_>> = of("joint").filter_map(|node| joint(reader, node, &by_name)).collect();
    let order = tree(reader, root, &links, &joints)?;
    let name = root.attribute("name").filter(|name| !name.trim().is_empty()).unwrap_or(options.name);
    let mut robot = Robot { name: name.to_string(), ..Robot::default() };
    // Where the part of each link, and of each joint, is in the robot.
    let mut part_of: HashMap<usize, usize> = HashMap::new();
    let mut of_joint: HashMap<&str, usize> = HashMap::new();
    for (link, joint) in order {
        let (link_name, node) = links[link];
        let mut part = match joint {
            Some(joint) => moving(reader, &joints[joint], link_name),
            None => base(reader, node, link_name, options.floating),
        };
        part.parent = joint.map(|joint| part_of[&joints[joint].parent]);
        fill(reader, node, (link_name, joint.is_none()), (&colors, options.around()), &mut part);
        part_of.insert(link, robot.parts.len());
        if let Some(joint) = joint {
            of_joint.insert(joints[joint].name, robot.parts.len());
        }
        robot.parts.push(part);
    }
    for joint in &joints {
        follow(reader, joint, &of_joint, &mut robot);
    }
    Some(robot)
}

fn joint<'a, 'i>(reader: &mut Reader<'_>, node: Node<'a, 'i>, links: &HashMap<&str, usize>) -> Option<Joint<'a, 'i>> {
    let name = reader.needed(node, "name")?;
    let mut end = |which: &str| {
        let Some(child) = node.children().find(|child| child.has_tag_name(which)) else {
            reader.unreadable(node, format!("the joint `{name}` has no `<{which}>`"), "name both links that it joins");
            return None;
        };
        let link = reader.needed(child, "link")?;
        let found = links.get(link).copied();
        if found.is_none() {
            let near = base::nearest(link, links.keys().copied()).map(|near| format!("did you mean `{near}`?"));
            reader.unreadable(child, format!("there is no link `{link}`"), &near.unwrap_or_default());
        }
        found
    };
    let (parent, child) = (end("parent"), end("child"));
    Some(Joint { node, name, parent: parent?, child: child? })
}

/// Each link with the joint to its parent, parents first. What is no tree is refused.
fn tree(
    reader: &mut Reader<'_>,
    root: Node<'_, '_>,
    links: &[(&str, Node<'_, '_>)],
    joints: &[Joint<'_, '_>],
) -> Option<Vec<(usize, Option<usize>)>> {
    let mut above: Vec<Option<usize>> = vec![None; links.len()];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    for (at, joint) in joints.iter().enumerate() {
        if above[joint.child].replace(at).is_some() {
            let message = format!("the link `{}` is the child of two joints", links[joint.child].0);
            reader.unreadable(
                joint.node,
                message,
                "a URDF is a tree; a loop is closed in the scene, with `join … to …`",
            );
            return None;
        }
        below[joint.parent].push(at);
    }
    let roots: Vec<usize> = (0..links.len()).filter(|&link| above[link].is_none()).collect();
    match roots[..] {
        [_] => {}
        [] if links.is_empty() => reader.unreadable(root, "this robot has no links", "a robot has a `<link>` at least"),
        [] => reader.unreadable(
            root,
            "the joints go round in a circle: no link is the base",
            "one link is the child of no joint",
        ),
        [_, second, ..] => {
            let message = format!("`{}` and `{}` both have no parent", links[roots[0]].0, links[second].0);
            reader.unreadable(
                links[second].1,
                message,
                "a URDF has one base; join them with a joint of the type `fixed`",
            );
        }
    }
    let &[base] = &roots[..] else { return None };
    let mut order = Vec::with_capacity(links.len());
    let mut waiting = vec![(base, None)];
    while let Some((link, joint)) = waiting.pop() {
        order.push((link, joint));
        waiting.extend(below[link].iter().rev().map(|&joint| (joints[joint].child, Some(joint))));
    }
    if order.len() < links.len() {
        let lost = (0..links.len()).find(|link| !order.iter().any(|(found, _)| found == link)).unwrap_or(0);
        let message = format!("the link `{}` hangs on itself, round in a circle", links[lost].0);
        reader.unreadable(links[lost].1, message, "follow its joints upwards: they never come to the base");
        return None;
    }
    Some(order)
}

fn base(reader: &Reader<'_>, node: Node<'_, '_>, name: &str, floating: bool) -> Part {
    let motion = if floating { Motion::Free } else { Motion::Fixed };
    let told = format!("Link {name}, the base");
    Part::new(name, told, reader.place(node), motion)
}

/// The frame of a joint, without what its link has.
fn moving(reader: &mut Reader<'_>, joint: &Joint<'_, '_>, link: &str) -> Part {
    let Joint { node, name, .. } = *joint;
    let known = ["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"];
    let children = reader.children(node, &known);
    let find = |name: &str| children.iter().copied().find(|child| child.has_tag_name(name));
    let axis = find("axis").and_then(|axis| reader.vector(axis, "xyz")).unwrap_or([1.0, 0.0, 0.0]);
    let kind = reader.needed(node, "type").unwrap_or("fixed");
    let slides = kind == "prismatic";
    let motion = match kind {
        "fixed" => Motion::Fixed,
        "floating" => Motion::Free,
        "planar" => Motion::Planar { axis },
        "revolute" | "continuous" | "prismatic" => {
            let mut one = Axis::new(slides, axis);
            if let Some(limit) = find("limit") {
                limits(reader, limit, kind, name, &mut one);
            }
            if let Some(dynamics) = find("dynamics") {
                one.damping = not_negative(reader, dynamics, "damping");
                one.friction = not_negative(reader, dynamics, "friction");
            }
            Motion::Axis(one)
        }
        other => {
            let types = "there are revolute, continuous, prismatic, fixed, floating and planar";
            reader.unreadable(node, format!("the joint `{name}` has the unknown type `{other}`"), types);
            Motion::Fixed
        }
    };
    if !matches!(motion, Motion::Fixed | Motion::Free) && size(axis) == 0.0 {
        reader.unreadable(
            node,
            format!("the axis of the joint `{name}` has no direction"),
            "give it one, as in `<axis xyz=\"0 0 1\"/>`",
        );
    }
    let told = format!("Link {link} on the joint {name}, {kind}");
    let mut part = Part::new(name, told, reader.place(node), motion);
    part.place = origin(reader, find("origin"));
    part
}

fn limits(reader: &mut Reader<'_>, limit: Node<'_, '_>, kind: &str, joint: &str, one: &mut Axis) {
    let effort = reader.number(limit, "effort").unwrap_or(0.0).abs();
    one.effort = (effort > 0.0).then_some([-effort, effort]);
    if reader.number(limit, "velocity").is_some_and(|velocity| velocity != 0.0) {
        reader.leave_out(limit, "the largest `velocity` of a joint");
    }
    if kind == "continuous" {
        return;
    }
    let range = [reader.number(limit, "lower").unwrap_or(0.0), reader.number(limit, "upper").unwrap_or(0.0)];
    if range[0] < range[1] {
        one.limits = Some(range);
    } else {
        let message = format!(
            "the limits {} and {} leave the joint `{joint}` no room: it moves without limits",
            range[0], range[1]
        );
        reader.changed(limit, message, "give it a `lower` below its `upper`, or the type `fixed`");
    }
}

fn not_negative(reader: &mut Reader<'_>, node: Node<'_, '_>, attribute: &str) -> f64 {
    let value = reader.number(node, attribute).unwrap_or(0.0);
    if value < 0.0 {
        reader.unreadable(
            node,
            format!("the {attribute} is negative"),
            "it would give energy to the joint without end",
        );
    }
    value
}

fn origin(reader: &mut Reader<'_>, node: Option<Node<'_, '_>>) -> Place {
    let Some(node) = node else { return Place::HERE };
    let position = reader.vector(node, "xyz").unwrap_or_default();
    let angles = reader.vector(node, "rpy").unwrap_or_default();
    Place { position, turn: Turn::of_fixed_angles(angles) }
}

/// What a link has: mass, what touches, what is seen.
fn fill(
    reader: &mut Reader<'_>,
    link: Node<'_, '_>,
    (name, is_base): (&str, bool),
    (colors, around): (&Colors<'_>, Around<'_>),
    part: &mut Part,
) {
    for child in reader.children(link, &["inertial", "visual", "collision"]) {
        let find = |name: &str| child.children().find(|node| node.has_tag_name(name));
        let place = origin(reader, find("origin"));
        if child.has_tag_name("inertial") {
            let mass = find("mass").and_then(|node| reader.number(node, "value")).unwrap_or(0.0);
            let moments = find("inertia").map_or([0.0; 6], |node| moments(reader, node));
            let body = if is_base { format!("{name}_body") } else { name.to_string() };
            part.body = Some(Body { name: body, span: reader.place(child), place, mass, moments });
            continue;
        }
        let Some(geometry) = find("geometry").and_then(|node| node.children().find(Node::is_element)) else { continue };
        if child.has_tag_name("visual") && geometry.has_tag_name("mesh") {
            reader.leave_out(child, "a mesh that is only seen");
            continue;
        }
        let Some(shape) = shape(reader, geometry, around) else { continue };
        let own = find("material")
            .and_then(|node| color(reader, node).or_else(|| colors.get(node.attribute("name")?).copied()));
        let solid = Solid { shape, place, color: own, span: reader.place(child) };
        let solids = if child.has_tag_name("visual") { &mut part.figures } else { &mut part.shapes };
        solids.push(solid);
    }
}

fn moments(reader: &mut Reader<'_>, node: Node<'_, '_>) -> [f64; 6] {
    ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].map(|entry| reader.number(node, entry).unwrap_or(0.0))
}

fn shape(reader: &mut Reader<'_>, node: Node<'_, '_>, around: Around<'_>) -> Option<Shape> {
    if node.has_tag_name("mesh") {
        return hull(reader, node, around);
    }
    let mut length = |name: &str| {
        reader.needed(node, name)?;
        reader.number(node, name)
    };
    let shape = match node.tag_name().name() {
        "box" => {
            reader.needed(node, "size")?;
            Shape::Box(reader.vector(node, "size")?)
        }
        "sphere" => Shape::Sphere(length("radius")?),
        "cylinder" => Shape::Cylinder { radius: length("radius")?, length: length("length")? },
        "capsule" => Shape::Capsule { radius: length("radius")?, length: length("length")? },
        other => {
            reader.leave_out(node, format!("a shape `<{other}>`"));
            return None;
        }
    };
    with_extent(reader, node, shape)
}

/// A shape that has a size in every direction; others are left out.
pub fn with_extent(reader: &mut Reader<'_>, node: Node<'_, '_>, shape: Shape) -> Option<Shape> {
    if shape.sizes().iter().all(|&size| size > 0.0) {
        return Some(shape);
    }
    reader.leave_out(node, format!("a `<{}>` without extent", node.tag_name().name()));
    None
}

fn hull(reader: &mut Reader<'_>, node: Node<'_, '_>, around: Around<'_>) -> Option<Shape> {
    let name = reader.needed(node, "filename")?;
    let scale = reader.vector(node, "scale").unwrap_or([1.0; 3]);
    hull_of(reader, node, name, scale, around)
}

/// A file of triangles, as the convex solid around them. Where corners were left out, it is said how far they reach beyond it.
pub fn hull_of(
    reader: &mut Reader<'_>,
    node: Node<'_, '_>,
    name: &str,
    scale: Vector,
    around: Around<'_>,
) -> Option<Shape> {
    // More of the size of a part than this is seen, and felt where it touches.
    const NOTICED: f64 = 0.01;
    let mesh = match reader.meshes.get(around, name, scale) {
        Ok(mesh) => mesh,
        Err(why) => {
            reader.leave_out(node, format!("the shape in `{}` ({why})", base::visible(name)));
            return None;
        }
    };
    let Some((corners, beyond)) = mesh.hull() else {
        reader.leave_out(node, format!("the shape in `{}` (it is flat)", base::visible(name)));
        return None;
    };
    let extent = corners.iter().flat_map(|a| corners.iter().map(|b| size(minus(*a, *b)))).fold(0.0, f64::max);
    if beyond > NOTICED * extent {
        let message = format!(
            "`{}` is written as the convex solid of {} of its corners; it reaches up to {beyond:.2e} m beyond that",
            base::visible(name),
            corners.len()
        );
        reader.changed(node, message, "put simpler shapes in its place where it touches others");
    }
    Some(Shape::Hull(corners))
}

fn color(reader: &mut Reader<'_>, material: Node<'_, '_>) -> Option<[f64; 4]> {
    let node = material.children().find(|node| node.has_tag_name("color"))?;
    reader.numbers(node, "rgba")
}

/// A joint that goes along with another.
fn follow(reader: &mut Reader<'_>, joint: &Joint<'_, '_>, of_joint: &HashMap<&str, usize>, robot: &mut Robot) {
    let Some(mimic) = joint.node.children().find(|node| node.has_tag_name("mimic")) else { return };
    let Some(name) = reader.needed(mimic, "joint") else { return };
    let own = of_joint[joint.name];
    if !matches!(robot.parts[own].motion, Motion::Axis(_)) {
        return;
    }
    let ratio = reader.number(mimic, "multiplier").unwrap_or(1.0);
    let offset = reader.number(mimic, "offset").unwrap_or(0.0);
    if !of_joint.get(name).is_some_and(|&leader| robot.follow(own, leader, ratio, offset)) {
        let message = format!(
            "`{}` should follow `{name}`, which is no joint with one coordinate: it moves by itself",
            joint.name
        );
        reader.changed(mimic, message, "name a joint that moves by itself: revolute, continuous or prismatic");
    }
}
