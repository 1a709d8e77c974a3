//! What a link has: mass, what touches, what is seen.

use roxmltree::Node;

use super::Model;
use super::values::{find, inverse, numbers, pose, text, then, value};
use crate::robot::{Body, Floor, Part, Place, Robot, Shape, Solid};
use crate::turn::Turn;
use crate::urdf::{hull_of, with_extent};
use crate::xml::Reader;

impl<'a> Model<'a, '_, '_> {
    /// `inner` is where the link is in the part, `outer` where the part is in the world at the start.
    pub fn fill(
        &self,
        reader: &mut Reader<'_>,
        (name, link): (&str, Node<'a, '_>),
        (inner, outer): (Place, Place),
        robot: &mut Robot,
        part: &mut Part,
    ) -> Option<()> {
        let body_name = if part.name == name { format!("{name}_body") } else { name.to_string() };
        let children = reader.children(link, &["pose", "inertial", "visual", "collision", "gravity", "self_collide"]);
        for &child in children.iter().filter(|child| !child.has_tag_name("pose")) {
            let place = then(inner, pose(reader, child)?);
            match child.tag_name().name() {
                "inertial" => part.body = Some(body(reader, child, body_name.clone(), place)?),
                "gravity" if ["false", "0"].contains(&child.text().unwrap_or_default().trim()) => {
                    reader.leave_out(child, "that gravity does not act on a link");
                }
                "visual" | "collision" => self.solid(reader, child, (place, outer), robot, part)?,
                _ => {}
            }
        }
        if part.body.is_none() && !self.is_static {
            let message = format!("the link `{}` says no mass: it gets 1 kg, as Gazebo gives it", base::visible(name));
            reader.changed(link, message, "give it an `<inertial>`");
            let moments = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
            part.body = Some(Body { name: body_name, span: reader.place(link), place: inner, mass: 1.0, moments });
        }
        Some(())
    }

    fn solid(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, '_>,
        (place, outer): (Place, Place),
        robot: &mut Robot,
        part: &mut Part,
    ) -> Option<()> {
        let touches = node.has_tag_name("collision");
        let geometry = find(node, "geometry").and_then(|it| it.children().find(Node::is_element));
        let Some(geometry) = geometry else { return Some(()) };
        match geometry.tag_name().name() {
            "plane" if self.is_static => {
                // It is drawn with the surface.
                if touches {
                    let normal = find(geometry, "normal").map_or(Some([0.0, 0.0, 1.0]), |it| numbers(reader, it))?;
                    let turn = Turn::of_z_axis(normal).unwrap_or(Turn::NONE);
                    let place = then(then(outer, place), Place { turn, ..Place::HERE });
                    robot.floors.push(Floor { name: "floor".to_string(), place });
                }
                return Some(());
            }
            "mesh" if !touches => {
                reader.leave_out(node, "a mesh that is only seen");
                return Some(());
            }
            _ => {}
        }
        let Some(shape) = self.shape(reader, geometry) else { return Some(()) };
        let solid = Solid { shape, place, color: color(reader, node), span: reader.place(node) };
        if touches {
            let friction = find(node, "surface").and_then(|it| find(it, "friction")).and_then(|it| find(it, "ode"));
            let friction = value(reader, friction.and_then(|it| find(it, "mu")), 1.0)?;
            robot.friction = robot.friction.max(friction.clamp(0.0, MOST_FRICTION));
            part.shapes.push(solid);
        } else {
            part.figures.push(solid);
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
            "ellipsoid" => Shape::Ellipsoid(find(node, "radii").and_then(|radii| numbers(reader, radii))?),
            "mesh" => {
                let scale = match find(node, "scale") {
                    Some(scale) => numbers(reader, scale)?,
                    None => [1.0; 3],
                };
                return hull_of(reader, node, text(node, "uri"), scale, self.options.around());
            }
            other => {
                reader.leave_out(node, format!("a shape `<{other}>`"));
                return None;
            }
        };
        with_extent(reader, node, shape)
    }
}

/// Files write numbers like 1e6 where nothing slides; more than this changes nothing, and makes cones that are hard to tell from planes.
const MOST_FRICTION: f64 = 10.0;

fn body(reader: &mut Reader<'_>, node: Node<'_, '_>, name: String, place: Place) -> Option<Body> {
    let mass = value(reader, find(node, "mass"), 1.0)?;
    let inertia = find(node, "inertia");
    let mut moments = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    for (entry, moment) in ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].into_iter().zip(&mut moments) {
        *moment = value(reader, inertia.and_then(|inertia| find(inertia, entry)), *moment)?;
    }
    Some(Body { name, span: reader.place(node), place, mass, moments })
}

fn color(reader: &mut Reader<'_>, node: Node<'_, '_>) -> Option<[f64; 4]> {
    let said = find(node, "material").and_then(|material| find(material, "diffuse"))?;
    let list = reader.list_in(said, "diffuse", said.text().unwrap_or_default())?;
    match list[..] {
        [red, green, blue] => Some([red, green, blue, 1.0]),
        [red, green, blue, opacity] => Some([red, green, blue, opacity]),
        _ => None,
    }
}

/// Where the frame of a part is, as seen from the link that it carries.
pub fn inside(frame: Place, link: Place) -> Place {
    then(inverse(frame), link)
}
