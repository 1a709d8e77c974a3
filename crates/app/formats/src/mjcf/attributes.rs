//! What an element says, or its class for it, or the class above that; and angles, in the unit of the file.

use std::collections::HashMap;

use roxmltree::Node;

use crate::robot::Place;
use crate::turn::{Turn, Vector, along, cross, minus, unit};
use crate::xml::Reader;

/// The attributes of each kind of element.
type Class<'a> = HashMap<&'a str, HashMap<&'a str, &'a str>>;

pub struct Attributes<'a> {
    classes: HashMap<&'a str, Class<'a>>,
    /// Of what stands in the file, in radians.
    pub degree: f64,
    euler: [char; 3],
    pub limits_by_range: bool,
}

/// Elements that do not stand for one kind alone share their defaults.
fn kind<'a>(node: Node<'a, '_>) -> &'a str {
    match node.tag_name().name() {
        "freejoint" => "joint",
        name => name,
    }
}

impl<'a> Attributes<'a> {
    pub fn read<'i: 'a>(
        reader: &mut Reader<'_>,
        compilers: impl Iterator<Item = Node<'a, 'i>>,
        defaults: impl Iterator<Item = Node<'a, 'i>>,
    ) -> Option<Attributes<'a>> {
        let mut found = Attributes {
            classes: HashMap::new(),
            degree: std::f64::consts::PI / 180.0,
            euler: ['x', 'y', 'z'],
            limits_by_range: true,
        };
        for node in compilers {
            if node.attribute("coordinate") == Some("global") {
                reader.unreadable(
                    node,
                    "places are given in the world's axes",
                    "let MuJoCo write the file again: it writes local ones",
                );
                return None;
            }
            if node.attribute("angle") == Some("radian") {
                found.degree = 1.0;
            }
            found.limits_by_range = node.attribute("autolimits") != Some("false");
            let axes: Vec<char> = node.attribute("eulerseq").unwrap_or("xyz").chars().collect();
            match <[char; 3]>::try_from(axes) {
                Ok(axes) if axes.iter().all(|axis| "xyzXYZ".contains(*axis)) => found.euler = axes,
                _ => reader.unreadable(node, "`eulerseq` has three letters of x, y and z", ""),
            }
        }
        for node in defaults {
            found.class(node, Class::new());
        }
        Some(found)
    }

    /// A class has all that the one around it has, and what it says itself.
    fn class(&mut self, node: Node<'a, '_>, mut class: Class<'a>) {
        let inner = |child: &Node<'a, '_>| child.has_tag_name("default");
        for child in node.children().filter(|child| child.is_element() && !inner(child)) {
            let own = class.entry(kind(child)).or_default();
            own.extend(child.attributes().map(|attribute| (attribute.name(), value(child, attribute.name()))));
        }
        for child in node.children().filter(inner) {
            self.class(child, class.clone());
        }
        self.classes.insert(node.attribute("class").unwrap_or("main"), class);
    }

    /// What an element says, or its class.
    pub fn get(&self, node: Node<'a, '_>, attribute: &str) -> Option<&'a str> {
        if let Some(own) = node.attribute(attribute) {
            return Some(own);
        }
        let around = || node.ancestors().skip(1).find_map(|above| above.attribute("childclass"));
        let class = node.attribute("class").or_else(around).unwrap_or("main");
        self.classes.get(class)?.get(kind(node))?.get(attribute).copied()
    }

    pub fn list(&self, reader: &mut Reader<'_>, node: Node<'a, '_>, attribute: &str) -> Option<Vec<f64>> {
        self.get(node, attribute).and_then(|text| reader.list_in(node, attribute, text))
    }

    pub fn numbers<const N: usize>(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, '_>,
        attribute: &str,
    ) -> Option<[f64; N]> {
        self.get(node, attribute).and_then(|text| reader.numbers_in(node, attribute, text))
    }

    pub fn number(&self, reader: &mut Reader<'_>, node: Node<'a, '_>, attribute: &str) -> Option<f64> {
        self.numbers::<1>(reader, node, attribute).map(|[number]| number)
    }

    pub fn place(&self, reader: &mut Reader<'_>, node: Node<'a, '_>) -> Place {
        Place { position: self.numbers(reader, node, "pos").unwrap_or_default(), turn: self.turn(reader, node) }
    }

    fn turn(&self, reader: &mut Reader<'_>, node: Node<'a, '_>) -> Turn {
        let known = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];
        let Some(&way) = known.iter().find(|way| self.get(node, way).is_some()) else { return Turn::NONE };
        let turn = match way {
            "quat" => self.numbers::<4>(reader, node, way).map(Turn::of_quaternion),
            "axisangle" => {
                self.numbers::<4>(reader, node, way).map(|[x, y, z, a]| Turn::about([x, y, z], a * self.degree))
            }
            "euler" => self.numbers::<3>(reader, node, way).map(|angles| Some(self.euler(angles))),
            "xyaxes" => self.numbers::<6>(reader, node, way).map(|[a, b, c, d, e, f]| of_axes([a, b, c], [d, e, f])),
            _ => self.numbers::<3>(reader, node, way).map(Turn::of_z_axis),
        };
        match turn {
            Some(None) => {
                reader.unreadable(node, format!("`{way}` has no direction"), "its numbers are zero, or along one line");
                Turn::NONE
            }
            Some(Some(turn)) => turn,
            None => Turn::NONE,
        }
    }

    /// Small letters are axes that turn along, capital letters axes that stay.
    fn euler(&self, angles: Vector) -> Turn {
        let mut turn = Turn::NONE;
        for (axis, angle) in self.euler.iter().zip(angles) {
            let at = "xyz".find(axis.to_ascii_lowercase()).unwrap_or(0);
            let one = Turn::about(along(at), angle * self.degree).unwrap_or(Turn::NONE);
            turn = if axis.is_lowercase() { turn.then(one) } else { one.then(turn) };
        }
        turn
    }
}

/// The turn whose x axis is along the first vector, and whose y axis is in the plane of both.
fn of_axes(x: Vector, y: Vector) -> Option<Turn> {
    let x = unit(x)?;
    let along_x: f64 = (0..3).map(|at| x[at] * y[at]).sum();
    let y = unit(minus(y, x.map(|part| part * along_x)))?;
    let first = Turn::of_z_axis(cross(x, y))?;
    // Then about z, so that x comes to where it should be.
    let [c, s, _] = first.inverse().apply(x);
    Some(first.then(Turn::about([0.0, 0.0, 1.0], libm::atan2(s, c))?))
}

fn value<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.attribute(name).unwrap_or_default()
}
