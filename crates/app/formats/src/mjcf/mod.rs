//! MJCF, the format of MuJoCo: bodies within bodies, each with the joints that move it, in a row.
//!
//! Sizes are halves, angles are degrees unless the compiler is told otherwise, what an element does not say its class says, and mass comes from
//! the geoms where nothing else is said.

mod actuation;
mod attributes;
mod body;
mod geom;
mod include;

use std::collections::HashMap;
use std::path::Path;

use roxmltree::Node;

use crate::Options;
use crate::beside::Around;
use crate::inertia::Moments;
use crate::robot::{Part, Robot};
use crate::turn::Vector;
use crate::xml::Reader;
use attributes::Attributes;
pub use include::included;

/// What is known of the file while its bodies are read.
struct Mjcf<'a> {
    attributes: Attributes<'a>,
    robot: Robot,
    /// The frames of bodies and of joints, by their names, as places among the parts.
    bodies: HashMap<&'a str, usize>,
    joints: HashMap<&'a str, usize>,
    inertia: InertiaFrom,
    /// Friction of what touches, of the first geom that does.
    friction: Option<f64>,
    /// Groups of geoms whose mass counts, from and to; all, if nothing is said.
    counted_groups: Option<[f64; 2]>,
    /// By the names that geoms call them.
    meshes: HashMap<String, Asset>,
    around: Around<'a>,
}

/// A file of triangles.
#[derive(Clone)]
struct Asset {
    file: String,
    scale: Vector,
    /// Whether its mass lies in its faces.
    is_shell: bool,
}

/// Where masses come from.
#[derive(Clone, Copy, PartialEq)]
enum InertiaFrom {
    Geoms,
    Elements,
    /// From the element, or from the geoms where there is none.
    Either,
}

/// `why` is what hinders that files are included.
// Long: one section of the file after the other, in the order in which they refer to one another.
pub fn read(reader: &mut Reader<'_>, root: Node<'_, '_>, options: Options<'_>, why: Option<&str>) -> Option<Robot> {
    if let Some(include) = root.descendants().find(|node| node.has_tag_name("include")) {
        let message = match why {
            Some(why) => format!("what this robot includes cannot be read: {}", base::visible(why)),
            None => "parts of this robot are in other files".to_string(),
        };
        reader.unreadable(include, message, "put them in one file: MuJoCo writes one with `mj_saveLastXML`");
        return None;
    }
    let known = ["compiler", "option", "default", "asset", "worldbody", "actuator", "equality"];
    let children = reader.children(root, &known);
    let of = |name: &'static str| children.iter().copied().filter(move |node| node.has_tag_name(name));
    let name = root.attribute("model").filter(|name| !name.trim().is_empty()).unwrap_or(options.name);
    let attributes = Attributes::read(reader, of("compiler"), of("default"))?;
    let inertia = match of("compiler").find_map(|node| node.attribute("inertiafromgeom")) {
        Some("true") => InertiaFrom::Geoms,
        Some("false") => InertiaFrom::Elements,
        _ => InertiaFrom::Either,
    };
    let robot = Robot { name: name.to_string(), gravity: Some([0.0, 0.0, -9.81]), ..Robot::default() };
    let folder = of("compiler").find_map(|node| node.attribute("meshdir").or(node.attribute("assetdir"))).unwrap_or("");
    let mut meshes = HashMap::new();
    for asset in of("asset") {
        for node in reader.children(asset, &["mesh"]) {
            if let Some((name, mesh)) = mesh(reader, &attributes, node, folder) {
                meshes.insert(name, mesh);
            }
        }
    }
    let around = options.around();
    let counted_groups = of("compiler").find_map(|node| reader.numbers(node, "inertiagrouprange"));
    let mut file = Mjcf {
        attributes,
        robot,
        bodies: HashMap::new(),
        joints: HashMap::new(),
        inertia,
        friction: None,
        counted_groups,
        meshes,
        around,
    };
    for option in of("option") {
        file.robot.gravity = reader.vector(option, "gravity").or(file.robot.gravity);
        for air in ["wind", "density", "viscosity"].iter().filter(|&&air| option.attribute(air).is_some()) {
            reader.leave_out(option, format!("`{air}` of the air"));
        }
    }
    for world in of("worldbody") {
        file.world(reader, world);
    }
    if file.robot.parts.is_empty() {
        reader.unreadable(root, "this file has no bodies", "a mechanism has a `<body>` in its `<worldbody>`");
        return None;
    }
    let total = of("compiler").find_map(|node| reader.number(node, "settotalmass")).filter(|&total| total > 0.0);
    if let Some(total) = total {
        scale_mass(&mut file.robot.parts, total);
    }
    of("actuator").for_each(|node| file.actuators(reader, node));
    of("equality").for_each(|node| file.equalities(reader, node));
    file.robot.friction = file.friction.unwrap_or(1.0);
    Some(file.robot)
}

/// A file of triangles, by the name that geoms call it; it may have that of its file.
fn mesh<'a>(
    reader: &mut Reader<'_>,
    attributes: &Attributes<'a>,
    node: Node<'a, '_>,
    folder: &str,
) -> Option<(String, Asset)> {
    let Some(file) = node.attribute("file") else {
        reader.leave_out(node, "a mesh without a file");
        return None;
    };
    for moved in ["refpos", "refquat"].into_iter().filter(|&it| attributes.get(node, it).is_some()) {
        reader.leave_out(node, format!("`{moved}` of a mesh"));
    }
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = node.attribute("name").map_or(stem, str::to_string);
    let path = Path::new(folder).join(file).to_string_lossy().into_owned();
    let scale = attributes.numbers(reader, node, "scale").unwrap_or([1.0; 3]);
    Some((name, Asset { file: path, scale, is_shell: attributes.get(node, "inertia") == Some("shell") }))
}

/// Masses and moments, such that all masses together are what is wanted.
fn scale_mass(parts: &mut [Part], total: f64) {
    let mass: f64 = parts.iter().filter_map(|part| part.body.as_ref()).map(|body| body.mass).sum();
    for body in parts.iter_mut().filter_map(|part| part.body.as_mut()) {
        let factor = total / mass;
        body.mass *= factor;
        body.moments = body.moments.map(|entry| entry * factor) as Moments;
    }
}
