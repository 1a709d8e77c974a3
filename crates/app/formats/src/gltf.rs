//! Binary glTF: solids of triangles, nodes that move, and nothing else.
//!
//! The file is the same, byte for byte, for the same motion. Its axes are those of glTF, y upwards: one node at the root turns the world.

use std::fmt::Write;

use crate::solid::Solid;

/// Where a node is at each instant; one entry, if it does not move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    pub positions: Vec<[f64; 3]>,
    /// Unit quaternions w, x, y, z.
    pub turns: Vec<[f64; 4]>,
    pub scales: Vec<[f64; 3]>,
}

/// What numbers are used for, which drawing programs like to know before they read them.
const CORNERS: &str = r#","target":34962"#;
const TRIANGLES: &str = r#","target":34963"#;

/// A file that grows node by node.
pub struct Glb {
    times: usize,
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
    meshes: Vec<String>,
    materials: Vec<String>,
    nodes: Vec<String>,
    channels: Vec<String>,
    samplers: Vec<String>,
}

impl Glb {
    /// The instants of all motions, in seconds.
    pub fn new(times: &[f64]) -> Glb {
        let mut file = Glb {
            times: 0,
            bytes: Vec::new(),
            views: Vec::new(),
            accessors: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            nodes: Vec::new(),
            channels: Vec::new(),
            samplers: Vec::new(),
        };
        let times: Vec<[f32; 1]> = times.iter().map(|&time| [time as f32]).collect();
        file.times = file.numbers(&times, "SCALAR", "", true);
        file
    }

    /// A solid with a colour: red, green, blue and opacity from 0 to 1, as screens have them.
    pub fn mesh(&mut self, solid: &Solid, color: [f64; 4]) -> usize {
        let positions = self.numbers(&solid.positions, "VEC3", CORNERS, true);
        let normals = self.numbers(&solid.normals, "VEC3", CORNERS, false);
        let indices = self.indices(&solid.triangles);
        let [red, green, blue] = [0, 1, 2].map(|at| linear(color[at]));
        let blend = if color[3] < 1.0 { r#","alphaMode":"BLEND""# } else { "" };
        self.materials.push(format!(
            r#"{{"pbrMetallicRoughness":{{"baseColorFactor":[{red},{green},{blue},{}],"metallicFactor":0.1,"roughnessFactor":0.6}},"doubleSided":true{blend}}}"#,
            color[3] as f32
        ));
        self.meshes.push(format!(
            r#"{{"primitives":[{{"attributes":{{"POSITION":{positions},"NORMAL":{normals}}},"indices":{indices},"material":{}}}]}}"#,
            self.materials.len() - 1
        ));
        self.meshes.len() - 1
    }

    pub fn node(&mut self, name: &str, mesh: Option<usize>, track: &Track) {
        let at = self.nodes.len();
        let mut node = format!(r#"{{"name":{}"#, quoted(name));
        if let Some(mesh) = mesh {
            let _ = write!(node, r#","mesh":{mesh}"#);
        }
        let positions: Vec<[f32; 3]> = track.positions.iter().map(|it| it.map(|part| part as f32)).collect();
        let scales: Vec<[f32; 3]> = track.scales.iter().map(|it| it.map(|part| part as f32)).collect();
        node += &self.channel(at, "translation", "VEC3", &positions);
        node += &self.channel(at, "rotation", "VEC4", &continuous(&track.turns));
        node += &self.channel(at, "scale", "VEC3", &scales);
        self.nodes.push(node + "}");
    }

    /// What a node has at the start; where that changes, a channel of the animation too.
    fn channel<const N: usize>(&mut self, node: usize, path: &str, kind: &str, values: &[[f32; N]]) -> String {
        let Some(first) = values.first() else { return String::new() };
        if values.iter().any(|value| value != first) {
            let output = self.numbers(values, kind, "", false);
            self.channels
                .push(format!(r#"{{"sampler":{},"target":{{"node":{node},"path":"{path}"}}}}"#, self.samplers.len()));
            self.samplers.push(format!(r#"{{"input":{},"output":{output},"interpolation":"LINEAR"}}"#, self.times));
        }
        format!(r#","{path}":[{}]"#, listed(first))
    }

    fn numbers<const N: usize>(&mut self, values: &[[f32; N]], kind: &str, used: &str, bounds: bool) -> usize {
        let view = self.view(values.iter().flatten().flat_map(|part| part.to_le_bytes()).collect(), used);
        let mut accessor =
            format!(r#"{{"bufferView":{view},"componentType":5126,"count":{},"type":"{kind}""#, values.len());
        if bounds {
            let along = |pick: fn(f32, f32) -> f32| {
                values.iter().copied().reduce(|a, b| std::array::from_fn(|at| pick(a[at], b[at]))).unwrap_or([0.0; N])
            };
            let _ = write!(accessor, r#","min":[{}],"max":[{}]"#, listed(&along(f32::min)), listed(&along(f32::max)));
        }
        self.accessors.push(accessor + "}");
        self.accessors.len() - 1
    }

    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let view = self.view(triangles.iter().flatten().flat_map(|index| index.to_le_bytes()).collect(), TRIANGLES);
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":5125,"count":{},"type":"SCALAR"}}"#,
            3 * triangles.len()
        ));
        self.accessors.len() - 1
    }

    /// All numbers have four bytes, so everything stays aligned.
    fn view(&mut self, bytes: Vec<u8>, used: &str) -> usize {
        let (start, length) = (self.bytes.len(), bytes.len());
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{start},"byteLength":{length}{used}}}"#));
        self.bytes.extend(bytes);
        self.views.len() - 1
    }

    /// The file.
    pub fn finish(mut self, name: &str) -> Vec<u8> {
        let children: Vec<String> = (0..self.nodes.len()).map(|at| at.to_string()).collect();
        // From z upwards to y upwards: a quarter turn about x, backwards.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let children =
            if children.is_empty() { String::new() } else { format!(r#","children":[{}]"#, children.join(",")) };
        self.nodes.push(format!(r#"{{"name":"world","rotation":[-{half},0,0,{half}]{children}}}"#));
        let mut json = format!(
            r#"{{"asset":{{"version":"2.0","generator":"Ansatz"}},"scene":0,"scenes":[{{"name":{},"nodes":[{}]}}],"nodes":[{}]"#,
            quoted(name),
            self.nodes.len() - 1,
            self.nodes.join(",")
        );
        let lists = [
            ("meshes", &self.meshes),
            ("materials", &self.materials),
            ("accessors", &self.accessors),
            ("bufferViews", &self.views),
        ];
        for (list, entries) in lists.iter().filter(|(_, entries)| !entries.is_empty()) {
            let _ = write!(json, r#","{list}":[{}]"#, entries.join(","));
        }
        if !self.channels.is_empty() {
            let (channels, samplers) = (self.channels.join(","), self.samplers.join(","));
            let _ =
                write!(json, r#","animations":[{{"name":"motion","channels":[{channels}],"samplers":[{samplers}]}}]"#);
        }
        let _ = write!(json, r#","buffers":[{{"byteLength":{}}}]}}"#, self.bytes.len());
        container(json, &self.bytes)
    }
}

/// A header, the description, the numbers; each padded to four bytes.
fn container(mut json: String, bytes: &[u8]) -> Vec<u8> {
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let total = 12 + 8 + json.len() + 8 + bytes.len();
    let mut file = Vec::with_capacity(total);
    file.extend(b"glTF");
    [2, total as u32, json.len() as u32].iter().for_each(|word: &u32| file.extend(word.to_le_bytes()));
    file.extend(b"JSON");
    file.extend(json.as_bytes());
    file.extend((bytes.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(bytes);
    file
}

/// As x, y, z, w, each on the same side as the one before: between a turn and its opposite a player would go the long way.
fn continuous(turns: &[[f64; 4]]) -> Vec<[f32; 4]> {
    let mut before = [1.0, 0.0, 0.0, 0.0];
    let mut result = Vec::with_capacity(turns.len());
    for &turn in turns {
        let along: f64 = (0..4).map(|at| before[at] * turn[at]).sum();
        let [w, x, y, z] = if along < 0.0 { turn.map(|part| -part) } else { turn };
        before = [w, x, y, z];
        result.push([x, y, z, w].map(|part| part as f32));
    }
    result
}

/// Files have linear light, screens do not.
fn linear(part: f64) -> f32 {
    (if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }) as f32
}

fn listed(numbers: &[f32]) -> String {
    let finite = |number: &f32| if number.is_finite() { number.to_string() } else { "0".to_string() };
    numbers.iter().map(finite).collect::<Vec<_>>().join(",")
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
