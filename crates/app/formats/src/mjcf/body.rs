//! Bodies: a frame for each joint, in a row, and one for the body itself where its joints are elsewhere.

use roxmltree::Node;

use super::geom::{Geom, together};
use super::{InertiaFrom, Mjcf};
use crate::robot::{Axis, Body, Floor, Motion, Part, Place};
use crate::turn::{minus, plus, size};
use crate::xml::Reader;

const PARTS: [&str; 5] = ["body", "geom", "joint", "freejoint", "inertial"];

impl<'a> Mjcf<'a> {
    /// What is fixed in the world, and all bodies.
    pub fn world(&mut self, reader: &mut Reader<'_>, world: Node<'a, '_>) {
        let children = reader.children(world, &PARTS);
        let (planes, geoms): (Vec<_>, Vec<_>) = children
            .iter()
            .copied()
            .filter(|node| node.has_tag_name("geom"))
            .partition(|node| self.attributes.get(*node, "type") == Some("plane"));
        for plane in planes {
            let place = self.attributes.place(reader, plane);
            let name = plane.attribute("name").unwrap_or("floor").to_string();
            self.robot.floors.push(Floor { name, place });
        }
        let geoms: Vec<Geom> = geoms.into_iter().filter_map(|node| self.geom(reader, node, false)).collect();
        if !geoms.is_empty() {
            let mut part =
                Part::new("surroundings", "What stands still".to_string(), reader.place(world), Motion::Fixed);
            wear(&mut part, geoms);
            self.robot.parts.push(part);
        }
        for body in children.into_iter().filter(|node| node.has_tag_name("body")) {
            self.body(reader, body, None);
        }
    }

    fn body(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>, parent: Option<usize>) {
        let name = node.attribute("name").unwrap_or("body");
        let children = reader.children(node, &PARTS);
        let of = |name: &'static str| children.iter().copied().filter(move |node| node.has_tag_name(name));
        let joints: Vec<Node<'a, '_>> = of("joint").chain(of("freejoint")).collect();
        let at = self.frames(reader, node, name, &joints, parent);
        if let Some(known) = node.attribute("name") {
            self.bodies.insert(known, at);
        }
        let stated = of("inertial").next().filter(|_| self.inertia != InertiaFrom::Geoms);
        let by_geoms = stated.is_none() && self.inertia != InertiaFrom::Elements;
        let geoms: Vec<Geom> = of("geom").filter_map(|node| self.geom(reader, node, by_geoms)).collect();
        let taken = self.robot.parts[at].name == name;
        let mass_name = if taken { format!("{name}_body") } else { name.to_string() };
        let body = match stated {
            Some(inertial) => self.inertial(reader, inertial, mass_name),
            None if by_geoms => together(mass_name, &geoms),
            None => None,
        };
        self.robot.parts[at].body = body;
        wear(&mut self.robot.parts[at], geoms);
        of("body").for_each(|child| self.body(reader, child, Some(at)));
    }

    fn inertial(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>, name: String) -> Option<Body> {
        reader.needed(node, "mass")?;
        let mass = reader.number(node, "mass")?;
        let diagonal = reader.vector(node, "diaginertia").map(|[x, y, z]| [x, y, z, 0.0, 0.0, 0.0]);
        let moments = reader.numbers::<6>(node, "fullinertia").or(diagonal).unwrap_or_default();
        Some(Body { name, span: reader.place(node), place: self.attributes.place(reader, node), mass, moments })
    }

    /// Gives the frame that everything of the body is in.
    fn frames(
        &mut self,
        reader: &mut Reader<'_>,
        body: Node<'a, '_>,
        name: &str,
        joints: &[Node<'a, '_>],
        parent: Option<usize>,
    ) -> usize {
        let place = self.attributes.place(reader, body);
        let told = |kind: &str| format!("Body {name}, {kind}");
        let mut above = parent;
        // Where the origin of the body is, seen from the frame before it; the body's own place comes with the first joint.
        let mut before: Option<[f64; 3]> = None;
        for &joint in joints {
            let kind = if joint.has_tag_name("freejoint") {
                "free"
            } else {
                self.attributes.get(joint, "type").unwrap_or("hinge")
            };
            let moves_along = matches!(kind, "slide" | "free");
            let stated = self.attributes.numbers::<3>(reader, joint, "pos").unwrap_or_default();
            let position = if moves_along { before.unwrap_or_default() } else { stated };
            let Some(motion) = self.motion(reader, joint, kind) else { continue };
            let joint_name = joint.attribute("name").map_or_else(|| format!("{name}_{kind}"), str::to_string);
            let mut part =
                Part::new(&joint_name, told(&format!("{kind} at the joint {joint_name}")), reader.place(joint), motion);
            part.parent = above;
            part.place = match before {
                None => Place { position: plus(place.position, place.turn.apply(position)), turn: place.turn },
                Some(before) => Place { position: minus(position, before), ..Place::HERE },
            };
            before = Some(position);
            above = Some(self.robot.parts.len());
            if let Some(known) = joint.attribute("name") {
                self.joints.insert(known, self.robot.parts.len());
            }
            self.robot.parts.push(part);
        }
        match (before, above) {
            (Some(position), Some(last)) if size(position) == 0.0 => last,
            (before, _) => {
                let own = if before.is_some() { format!("{name}_frame") } else { name.to_string() };
                let mut part = Part::new(&own, told("fixed"), reader.place(body), Motion::Fixed);
                part.parent = above;
                part.place = before.map_or(place, |before| Place { position: before.map(|it| -it), ..Place::HERE });
                self.robot.parts.push(part);
                self.robot.parts.len() - 1
            }
        }
    }

    fn motion(&mut self, reader: &mut Reader<'_>, joint: Node<'a, '_>, kind: &str) -> Option<Motion> {
        let number = |reader: &mut Reader<'_>, name: &str| self.attributes.number(reader, joint, name).unwrap_or(0.0);
        let damping = number(reader, "damping");
        if damping < 0.0 || number(reader, "frictionloss") < 0.0 || number(reader, "armature") < 0.0 {
            reader.unreadable(joint, "damping, friction and armature are not negative", "");
        }
        if matches!(kind, "free" | "ball") {
            let lost = ["damping", "frictionloss", "armature", "stiffness"].map(|name| number(reader, name) != 0.0);
            if lost.contains(&true) && !joint.has_tag_name("freejoint") {
                reader.leave_out(joint, format!("what brakes a joint of the type `{kind}`"));
            }
            return Some(if kind == "free" { Motion::Free } else { Motion::Ball });
        }
        let slides = kind == "slide";
        if !slides && kind != "hinge" {
            reader.unreadable(
                joint,
                format!("there is no type of joint `{kind}`"),
                "there are hinge, slide, ball and free",
            );
            return None;
        }
        let direction = self.attributes.numbers(reader, joint, "axis").unwrap_or([0.0, 0.0, 1.0]);
        if size(direction) == 0.0 {
            reader.unreadable(joint, "the axis of this joint has no direction", "give it one, as in `axis=\"0 0 1\"`");
            return None;
        }
        let unit = if slides { 1.0 } else { self.attributes.degree };
        let zero = number(reader, "ref") * unit;
        if zero != 0.0 {
            reader.changed(joint, "this joint is counted from where it is at first, and not from its `ref`", "");
        }
        let range = self.attributes.numbers::<2>(reader, joint, "range");
        let limited = match self.attributes.get(joint, "limited") {
            Some("true") => true,
            Some("false") => false,
            _ => self.attributes.limits_by_range,
        };
        let range = range.filter(|range| limited && range[0] < range[1]);
        Some(Motion::Axis(Axis {
            limits: range.map(|range| range.map(|limit| limit * unit - zero)),
            damping,
            friction: number(reader, "frictionloss"),
            armature: number(reader, "armature"),
            spring: Some(number(reader, "stiffness"))
                .filter(|&k| k > 0.0)
                .map(|k| [k, number(reader, "springref") * unit - zero]),
            ..Axis::new(slides, direction)
        }))
    }
}

/// Gives a part its geoms.
fn wear(part: &mut Part, geoms: Vec<Geom>) {
    for Geom { solid, touches, .. } in geoms {
        let Some(solid) = solid else { continue };
        part.figures.push(solid.clone());
        if touches {
            part.shapes.push(solid);
        }
    }
}
