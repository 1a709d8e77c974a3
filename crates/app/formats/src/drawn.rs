//! Scenes drawn in other programs (glTF 2.0): each node a frame of its name, where its meshes are the shapes of it.
//!
//! In such a file y points up; one frame around all of them turns it upright. Sizes of nodes are put into the places and meshes below them.

use std::borrow::Cow;
use std::path::Path;

use base::{Diagnostic, Diagnostics, Source, SourceId, Sources, Span};
use serde_json::Value;

use crate::mesh::Mesh;
use crate::robot::{Motion, Part, Place, Robot, Shape, Solid};
use crate::turn::{Turn, Vector};
use crate::{Imported, MOST_PARTS, Options, beside, codes, text};

/// Whether the name of a file is one of a drawn scene.
pub fn is_drawn(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["glb", "gltf"].iter().any(|it| ending.eq_ignore_ascii_case(it)))
}

/// The scene of a file: frames that stand still, with what is seen of them.
pub fn import_drawn(file: &Path, bytes: &[u8], options: Options<'_>) -> Imported {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::default();
    let shown = base::visible(&file.display().to_string());
    let source = sources.add(Source::new(shown.as_str(), ""));
    let mut reader =
        Drawing { span: Span::new(source, 0, 0), left_out: 0, corners: 0, stretched: None, robot: Robot::default() };
    let text = match reader.read(bytes, options) {
        Ok(()) => {
            reader.tell(&mut diagnostics);
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            Some(text::write(&reader.robot, &base::visible(&name), SourceId(0), |_| 1, &mut diagnostics))
        }
        Err(why) => {
            let message = format!("`{shown}` cannot be read: {why}");
            let hint = "write it anew as glTF 2.0, binary (`.glb`), in the program that it comes from";
            diagnostics.report(Diagnostic::error(codes::MODEL_UNREADABLE, message).hint(hint));
            None
        }
    };
    Imported { text, diagnostics, sources }
}

struct Drawing {
    span: Span,
    /// Meshes that could not be taken over.
    left_out: usize,
    /// What was read, of all meshes.
    corners: usize,
    /// A node whose sizes differ from axis to axis.
    stretched: Option<String>,
    robot: Robot,
}

/// Where a node is to be put: its number, its parent among the parts, the size of everything there, and how its parents are called.
type Waiting = (usize, usize, Vector);

impl Drawing {
    fn read(&mut self, bytes: &[u8], options: Options<'_>) -> Result<(), String> {
        let (json, data) = chunks(bytes)?;
        let within = data;
        let json: Value = serde_json::from_slice(json).map_err(|error| format!("its JSON is broken: {error}"))?;
        let version = json["asset"]["version"].as_str().unwrap_or_default();
        if !version.starts_with("2.") {
            return Err(format!("it says that it is glTF {}, and 2.0 is read", base::visible(version)));
        }
        let data = buffers(&json, within, options);
        let nodes = json["nodes"].as_array().map_or(&[][..], Vec::as_slice);
        if nodes.len() > MOST_PARTS {
            return Err(format!("it has {} nodes, and {MOST_PARTS} are the most that is read", nodes.len()));
        }
        let upright = Turn::about([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2).expect("x is a direction");
        let mut root =
            Part::new(options.name, "All that was drawn, turned upright".to_string(), self.span, Motion::Fixed);
        root.place = Place { position: [0.0; 3], turn: upright };
        self.robot.name = options.name.to_string();
        self.robot.gravity = Some([0.0; 3]);
        self.robot.parts.push(root);
        let scene = json["scene"].as_u64().unwrap_or(0) as usize;
        let mut waiting: Vec<Waiting> =
            numbers(&json["scenes"][scene]["nodes"]).into_iter().rev().map(|node| (node, 0, [1.0; 3])).collect();
        let mut seen = vec![false; nodes.len()];
        while let Some((at, parent, size)) = waiting.pop() {
            let node = nodes.get(at).ok_or_else(|| format!("a node {at} is named that is not there"))?;
            if std::mem::replace(&mut seen[at], true) {
                return Err(format!("the node {at} is in two places, or in itself"));
            }
            let own = self.node(&json, &data, node, at, (parent, size))?;
            let part = self.robot.parts.len() - 1;
            waiting.extend(numbers(&node["children"]).into_iter().rev().map(|child| (child, part, own)));
        }
        Ok(())
    }

    /// Adds the part of a node; gives the size of what is in it.
    fn node(
        &mut self,
        json: &Value,
        data: &[Cow<'_, [u8]>],
        node: &Value,
        at: usize,
        (parent, size): (usize, Vector),
    ) -> Result<Vector, String> {
        let name = node["name"].as_str().filter(|name| !name.trim().is_empty());
        let name = name.map_or_else(|| format!("node_{at}"), str::to_string);
        let (position, turn, scale) = placement(node).ok_or_else(|| {
            format!("the place of `{}` is no turn, shift and size of finite numbers", base::visible(&name))
        })?;
        let mut part = Part::new(&name, format!("Node {name}"), self.span, Motion::Fixed);
        part.parent = Some(parent);
        part.place = Place { position: std::array::from_fn(|i| position[i] * size[i]), turn };
        let own: Vector = std::array::from_fn(|i| size[i] * scale[i]);
        let even = (own[0] - own[1]).abs().max((own[0] - own[2]).abs()) <= 1e-6 * own[0].abs();
        // A size that differs along the axes does not go through a turn below it; in a mesh of its own it does no harm.
        if !even && node["children"].as_array().is_some_and(|children| !children.is_empty()) {
            self.stretched.get_or_insert(name);
        }
        if let Some(mesh) = node["mesh"].as_u64() {
            let mesh = &json["meshes"][mesh as usize];
            let room = beside::MOST_CORNERS.saturating_sub(self.corners);
            match points(json, data, mesh, room).and_then(|corners| {
                self.corners += corners.len();
                let mesh = Mesh { corners, triangles: vec![[0, 0, 0]] }.scaled(own);
                mesh.hull()
            }) {
                Some((corners, _)) => part.shapes.push(Solid {
                    shape: Shape::Hull(corners),
                    place: Place::HERE,
                    color: color(json, mesh),
                    span: self.span,
                }),
                None => self.left_out += 1,
            }
        }
        self.robot.parts.push(part);
        Ok(own)
    }

    fn tell(&self, sink: &mut Diagnostics) {
        if self.left_out > 0 {
            let meshes = base::counted(self.left_out, "mesh is", "meshes are");
            let note = "flat ones, those whose corners are packed or not found beside the file, and more than two million corners";
            sink.report(
                Diagnostic::warning(codes::MODEL_LEFT_OUT, format!("{meshes} left out"))
                    .at(self.span, "in this file")
                    .note(note),
            );
        }
        if let Some(name) = &self.stretched {
            let message = format!("`{}` is stretched differently along its axes", base::visible(name));
            let hint = "apply the sizes of objects in the program that it comes from";
            let note = "what is turned in it would be skewed, which no rigid frame can be";
            sink.report(
                Diagnostic::warning(codes::MODEL_CHANGED, message).at(self.span, "in this file").note(note).hint(hint),
            );
        }
    }
}

/// The JSON of a file, and the numbers behind it; none in a file that is only JSON.
fn chunks(bytes: &[u8]) -> Result<(&[u8], &[u8]), String> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, &[]));
    }
    let word = |at: usize| bytes.get(at..at + 4).and_then(|it| it.try_into().ok()).map(u32::from_le_bytes);
    let chunk = |at: usize, kind: u32| {
        let length = word(at).filter(|_| word(at + 4) == Some(kind))? as usize;
        bytes.get(at + 8..(at + 8).checked_add(length)?)
    };
    const JSON: u32 = 0x4e4f_534a;
    const DATA: u32 = 0x004e_4942;
    let json = chunk(12, JSON).ok_or("its first part is no JSON, or it ends before it should")?;
    let data = chunk(20 + json.len().next_multiple_of(4), DATA).unwrap_or_default();
    Ok((json, data))
}

/// What numbers lie in: the rest of the file, texts in it, or files beside it; empty, where there is nothing.
fn buffers<'b>(json: &Value, within: &'b [u8], options: Options<'_>) -> Vec<Cow<'b, [u8]>> {
    let mut room = MOST_BYTES;
    let mut all = Vec::new();
    for buffer in json["buffers"].as_array().map_or(&[][..], Vec::as_slice) {
        let bytes = match buffer["uri"].as_str() {
            None if all.is_empty() => Cow::Borrowed(within),
            Some(_) if room == 0 => Cow::default(),
            Some(uri) => {
                let inside = uri.strip_prefix("data:").map(|data| data.split_once(";base64,").map_or("", |it| it.1));
                let found = inside.map_or_else(|| beside::bytes(options.around(), uri).ok(), decoded);
                Cow::Owned(found.unwrap_or_default())
            }
            None => Cow::default(),
        };
        room = room.saturating_sub(bytes.len());
        all.push(bytes);
    }
    all
}

/// Of all buffers together; what is read after that many is empty.
const MOST_BYTES: usize = 64 << 20;

/// The bytes that a text stands for (base64, RFC 4648).
fn decoded(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.trim_end_matches('=').bytes().map(digit).collect::<Option<Vec<u8>>>()?;
    let three = |four: &[u8]| {
        let bits = (0..4).fold(0_u32, |bits, at| bits << 6 | four.get(at).copied().map_or(0, u32::from));
        bits.to_be_bytes().into_iter().skip(1).take(four.len() * 3 / 4).collect::<Vec<u8>>()
    };
    Some(digits.chunks(4).flat_map(three).collect())
}

fn numbers(list: &Value) -> Vec<usize> {
    list.as_array().into_iter().flatten().filter_map(Value::as_u64).map(|number| number as usize).collect()
}

fn list<const N: usize>(value: &Value, default: [f64; N]) -> Option<[f64; N]> {
    let Some(values) = value.as_array() else { return Some(default) };
    let values: Vec<f64> = values.iter().filter_map(Value::as_f64).filter(|it| it.is_finite()).collect();
    values.try_into().ok()
}

/// Position, turn and size of a node; as such, or as a matrix, column by column.
fn placement(node: &Value) -> Option<(Vector, Turn, Vector)> {
    if node["matrix"].is_null() {
        let position = list(&node["translation"], [0.0; 3])?;
        let [x, y, z, w] = list(&node["rotation"], [0.0, 0.0, 0.0, 1.0])?;
        return Some((position, Turn::of_quaternion([w, x, y, z])?, list(&node["scale"], [1.0; 3])?));
    }
    let m: [f64; 16] = list(&node["matrix"], [0.0; 16])?;
    let column = |at: usize| [m[4 * at], m[4 * at + 1], m[4 * at + 2]];
    let columns = [column(0), column(1), column(2)];
    let mut scale = columns.map(crate::turn::size);
    let across = crate::turn::cross(columns[0], columns[1]);
    if (0..3).map(|i| across[i] * columns[2][i]).sum::<f64>() < 0.0 {
        scale[0] = -scale[0];
    }
    let [a, b, c]: [Vector; 3] = std::array::from_fn(|at| columns[at].map(|part| part / scale[at]));
    // Of a rotation matrix, whose largest part tells a quaternion best (Shepperd, 1978).
    let trace = a[0] + b[1] + c[2];
    let parts = if trace > 0.0 {
        [1.0 + trace, b[2] - c[1], c[0] - a[2], a[1] - b[0]]
    } else if a[0] >= b[1] && a[0] >= c[2] {
        [b[2] - c[1], 1.0 + a[0] - b[1] - c[2], a[1] + b[0], c[0] + a[2]]
    } else if b[1] >= c[2] {
        [c[0] - a[2], a[1] + b[0], 1.0 + b[1] - a[0] - c[2], b[2] + c[1]]
    } else {
        [a[1] - b[0], c[0] + a[2], b[2] + c[1], 1.0 + c[2] - a[0] - b[1]]
    };
    Some((column(3), Turn::of_quaternion(parts)?, scale))
}

/// The corners of all parts of a mesh, if there is room for them.
fn points(json: &Value, data: &[Cow<'_, [u8]>], mesh: &Value, room: usize) -> Option<Vec<Vector>> {
    const FLOAT: u64 = 5126;
    let mut points = Vec::new();
    for primitive in mesh["primitives"].as_array()? {
        let accessor = &json["accessors"][primitive["attributes"]["POSITION"].as_u64()? as usize];
        if accessor["componentType"].as_u64() != Some(FLOAT) || accessor["type"].as_str() != Some("VEC3") {
            return None;
        }
        let view = &json["bufferViews"][accessor["bufferView"].as_u64()? as usize];
        let data = data.get(view["buffer"].as_u64()? as usize)?;
        // Three numbers of four bytes; what overlaps would grow without end.
        let stride = view["byteStride"].as_u64().unwrap_or(12).max(12) as usize;
        let first =
            view["byteOffset"].as_u64().unwrap_or(0).checked_add(accessor["byteOffset"].as_u64().unwrap_or(0))?;
        let count = accessor["count"].as_u64()? as usize;
        if count > room - points.len() {
            return None;
        }
        for at in 0..count {
            let begin = (first as usize).checked_add(at.checked_mul(stride)?)?;
            let bytes = data.get(begin..begin.checked_add(12)?)?;
            let number = |at: usize| f64::from(f32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().expect("four")));
            let point = [number(0), number(1), number(2)];
            points.push(point.iter().all(|part| part.is_finite()).then_some(point)?);
        }
    }
    (!points.is_empty()).then_some(points)
}

fn color(json: &Value, mesh: &Value) -> Option<[f64; 4]> {
    let material = mesh["primitives"][0]["material"].as_u64()? as usize;
    list(&json["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"], [1.0; 4])
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn texts_stand_for_bytes() {
        for bytes in [&b""[..], b"f", b"fo", b"foo", b"foob", b"\xff\xef\xfe\x00"] {
            assert_eq!(decoded(&base::base64::encode(bytes)).as_deref(), Some(bytes));
        }
        assert_eq!(decoded("a b"), None);
    }
}
