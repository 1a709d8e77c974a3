//! Solids from files of triangles (STL, OBJ): whether they are closed, how their mass lies, and the corners that touch first.

use std::collections::HashMap;

use base::Spread;

use crate::turn::{Vector, cross, minus, plus, unit};

/// Larger ones are no part of a mechanism, and take long to be read.
const MOST_TRIANGLES: usize = 1_000_000;
/// As many corners are compared for contact, and can be read by people.
const MOST_CORNERS: usize = 32;
/// Directions along which corners are looked for. They are none that faces of machines have, so that each finds one corner.
const DIRECTIONS: usize = 400;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub corners: Vec<Vector>,
    pub triangles: Vec<[usize; 3]>,
}

impl Mesh {
    /// The triangles of a file, by what its name ends with. Says what is wrong with others.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Mesh, String> {
        let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let mesh = match ending.as_str() {
            "stl" => stl(bytes),
            "obj" => obj(bytes),
            other => Err(format!("triangles in files `.{}` are not read, only in .stl and .obj", base::visible(other))),
        }?;
        if mesh.triangles.is_empty() {
            return Err("there is no triangle in it".to_string());
        }
        if !mesh.corners.iter().flatten().all(|part| part.is_finite()) {
            return Err("a corner is not made of finite numbers".to_string());
        }
        Ok(mesh)
    }

    pub fn scaled(mut self, [x, y, z]: Vector) -> Mesh {
        self.corners.iter_mut().for_each(|corner| *corner = [corner[0] * x, corner[1] * y, corner[2] * z]);
        self
    }

    /// The first edge that does not lie between exactly two triangles, and how many of those there are; none if the mesh is closed.
    pub fn hole(&self) -> Option<([Vector; 2], usize)> {
        let mut sides: HashMap<[usize; 2], i64> = HashMap::new();
        for [a, b, c] in &self.triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                *sides.entry([*from.min(to), *from.max(to)]).or_default() += if from < to { 1 } else { 1 << 32 };
            }
        }
        // One triangle on each side, which go along the edge in opposite directions.
        let mut open: Vec<[usize; 2]> =
            sides.into_iter().filter(|(_, count)| *count != 1 + (1 << 32)).map(|(edge, _)| edge).collect();
        open.sort_unstable();
        open.first().map(|edge| (edge.map(|corner| self.corners[corner]), open.len()))
    }

    /// Where it is not closed: what is wrong, and the first place.
    pub fn hole_told(&self) -> Option<(String, String)> {
        let ([from, to], count) = self.hole()?;
        let place = |corner: Vector| format!("({}, {}, {})", corner[0], corner[1], corner[2]);
        let edges = base::counted(count, "edge", "edges");
        let what = format!("not closed: {edges} with no triangle, or more than one, on a side");
        Some((what, format!("the first goes from {} to {}", place(from), place(to))))
    }

    /// By the divergence theorem: tetrahedra from one corner to each triangle. Needs: a closed mesh. None if it holds no volume.
    pub fn spread(&self) -> Option<Spread> {
        let origin = self.corners[self.triangles[0][0]];
        let (mut volume, mut moment, mut square) = (0.0, [0.0; 3], [0.0; 6]);
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|corner| minus(self.corners[corner], origin));
            let across = cross(b, c);
            let part = (a[0] * across[0] + a[1] * across[1] + a[2] * across[2]) / 6.0;
            let sum = plus(plus(a, b), c);
            volume += part;
            (0..3).for_each(|at| moment[at] += part * sum[at] / 4.0);
            for (at, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
                let own = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                square[at] += part * (own + sum[i] * sum[j]) / 20.0;
            }
        }
        // Triangles may be written as seen from inside.
        let size = volume.abs();
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        let centre = moment.map(|part| part / volume);
        let mean = |(i, j, value): (usize, usize, f64)| value / volume - centre[i] * centre[j];
        let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        let means = std::array::from_fn(|at| mean((pairs[at].0, pairs[at].1, square[at])));
        Some(Spread { volume: size, centre: plus(origin, centre), means })
    }

    /// Corners of a convex solid around it, and how far the mesh reaches beyond that. None if they lie in a plane.
    pub fn hull(&self) -> Option<(Vec<Vector>, f64)> {
        let mut chosen = self.extremes(DIRECTIONS);
        if chosen.len() > MOST_CORNERS {
            chosen = self.extremes(MOST_CORNERS);
        }
        let corners: Vec<Vector> = chosen.iter().map(|&corner| self.corners[corner]).collect();
        let hull = base::Hull::of(&corners).ok()?;
        let beyond = |corner: &Vector| {
            let over = hull.faces.iter().zip(hull.normals()).map(|(face, normal)| {
                let off = minus(*corner, hull.corners[face[0]]);
                off[0] * normal[0] + off[1] * normal[1] + off[2] * normal[2]
            });
            over.fold(0.0, f64::max)
        };
        let reach = self.corners.iter().map(beyond).fold(0.0, f64::max);
        Some((corners, reach))
    }

    /// The corners that lie farthest along directions spread evenly over the sphere, each once, in the order of the file.
    fn extremes(&self, directions: usize) -> Vec<usize> {
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let mut chosen: Vec<usize> = (0..directions)
            .filter_map(|at| {
                let z = 1.0 - 2.0 * (at as f64 + 0.5) / directions as f64;
                let (across, angle) = ((1.0 - z * z).sqrt(), golden * at as f64 + 0.123);
                let direction = unit([across * libm::cos(angle), across * libm::sin(angle), z])?;
                let along = |corner: &Vector| (0..3).map(|i| corner[i] * direction[i]).sum::<f64>();
                let far = |a: &usize, b: &usize| along(&self.corners[*a]).total_cmp(&along(&self.corners[*b]));
                (0..self.corners.len()).max_by(far)
            })
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }
}

/// Corners that have the same numbers are one.
#[derive(Default)]
struct Welder {
    mesh: Mesh,
    known: HashMap<[u64; 3], usize>,
}

impl Welder {
    fn corner(&mut self, corner: Vector) -> usize {
        // Adding zero makes -0 a plain 0.
        let corner = corner.map(|part| part + 0.0);
        *self.known.entry(corner.map(f64::to_bits)).or_insert_with(|| {
            self.mesh.corners.push(corner);
            self.mesh.corners.len() - 1
        })
    }

    /// What has no area is no triangle.
    fn triangle(&mut self, corners: [Vector; 3]) -> Result<(), String> {
        let [a, b, c] = corners.map(|corner| self.corner(corner));
        if a != b && b != c && c != a {
            self.mesh.triangles.push([a, b, c]);
        }
        if self.mesh.triangles.len() > MOST_TRIANGLES { Err(too_many()) } else { Ok(()) }
    }
}

fn too_many() -> String {
    format!("there are more than {MOST_TRIANGLES} triangles in it")
}

fn stl(bytes: &[u8]) -> Result<Mesh, String> {
    const HEAD: usize = 84;
    const EACH: usize = 50;
    let count = bytes.get(80..HEAD).and_then(|count| Some(u32::from_le_bytes(count.try_into().ok()?) as usize));
    if let Some(count) = count.filter(|&count| bytes.len() - HEAD == count.saturating_mul(EACH)) {
        if count > MOST_TRIANGLES {
            return Err(too_many());
        }
        let mut welder = Welder::default();
        for triangle in bytes[HEAD..].chunks_exact(EACH) {
            let number = |at: usize| {
                let bytes: [u8; 4] = triangle[12 + 4 * at..16 + 4 * at].try_into().expect("four bytes");
                f64::from(f32::from_le_bytes(bytes))
            };
            welder.triangle([0, 1, 2].map(|corner| [0, 1, 2].map(|part| number(3 * corner + part))))?;
        }
        return Ok(welder.mesh);
    }
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.trim_start().starts_with("solid"));
    let text = text.ok_or("it is neither a binary STL file of the length that it says, nor one in text")?;
    let mut welder = Welder::default();
    let mut corners: Vec<Vector> = Vec::new();
    for line in text.lines() {
        let Some(numbers) = line.trim_start().strip_prefix("vertex") else { continue };
        corners.push(three(numbers)?);
        if let [a, b, c] = corners[..] {
            welder.triangle([a, b, c])?;
            corners.clear();
        }
    }
    if corners.is_empty() { Ok(welder.mesh) } else { Err("its last triangle is not complete".to_string()) }
}

fn obj(bytes: &[u8]) -> Result<Mesh, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no text".to_string())?;
    let mut welder = Welder::default();
    let mut corners: Vec<Vector> = Vec::new();
    for line in text.lines() {
        match line.trim_start().split_once(char::is_whitespace) {
            Some(("v", numbers)) => corners.push(three(numbers)?),
            Some(("f", places)) => {
                let place = |word: &str| {
                    let number: i64 = word.split('/').next()?.parse().ok()?;
                    let at = if number < 0 { corners.len() as i64 + number } else { number - 1 };
                    corners.get(usize::try_from(at).ok()?).copied()
                };
                let face: Option<Vec<Vector>> = places.split_whitespace().map(place).collect();
                let face = face.ok_or_else(|| format!("a face has a corner that is not there: `{}`", short(line)))?;
                for pair in face.get(1..).unwrap_or_default().windows(2) {
                    welder.triangle([face[0], pair[0], pair[1]])?;
                }
            }
            _ => {}
        }
    }
    Ok(welder.mesh)
}

fn three(text: &str) -> Result<Vector, String> {
    let numbers: Vec<f64> = text.split_whitespace().take(3).filter_map(|word| word.parse().ok()).collect();
    <[f64; 3]>::try_from(numbers).map_err(|_| format!("a corner is not three numbers: `{}`", short(text)))
}

fn short(text: &str) -> String {
    base::visible(&text.trim().chars().take(40).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box from one corner to the opposite one, as a binary STL file.
    fn block(low: Vector, high: Vector) -> Vec<u8> {
        let corner = |bits: usize| [0, 1, 2].map(|at| if bits >> at & 1 == 1 { high[at] } else { low[at] });
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut bytes = vec![0; 80];
        bytes.extend(12_u32.to_le_bytes());
        for [a, b, c, d] in faces {
            for triangle in [[a, b, c], [a, c, d]] {
                bytes.extend([0; 12]);
                let numbers = triangle.into_iter().flat_map(corner);
                bytes.extend(numbers.flat_map(|number| (number as f32).to_le_bytes()));
                bytes.extend([0; 2]);
            }
        }
        bytes
    }

    #[test]
    fn a_block_has_the_mass_of_a_block() {
        let mesh = Mesh::read("a.STL", &block([1.0, 2.0, 3.0], [1.5, 3.0, 5.0])).expect("a mesh");
        assert_eq!((mesh.corners.len(), mesh.triangles.len(), mesh.hole()), (8, 12, None));
        let Spread { volume, centre, means } = mesh.spread().expect("a volume");
        let expected = [0.25 / 12.0, 1.0 / 12.0, 4.0 / 12.0, 0.0, 0.0, 0.0];
        assert!((volume - 1.0).abs() < 1e-14);
        assert!(centre.iter().zip([1.25, 2.5, 4.0]).all(|(a, b)| (a - b).abs() < 1e-13), "{centre:?}");
        assert!(means.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-13), "{means:?}");
        let (corners, beyond) = mesh.hull().expect("a solid");
        assert_eq!((corners.len(), beyond), (8, 0.0));
        let stretched = mesh.scaled([2.0, 1.0, -1.0]).spread().expect("a volume");
        assert!((stretched.volume - 2.0).abs() < 1e-14 && (stretched.centre[2] + 4.0).abs() < 1e-13);
    }

    /// A tetrahedron with three legs at right angles.
    #[test]
    fn a_corner_of_a_block_has_products_of_inertia() {
        let text = "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\nf 1 3 2\nf 1/1/1 2//2 4\nf 1 4 3\nf -3 -2 -1\n";
        let mesh = Mesh::read("a.obj", text.as_bytes()).expect("a mesh");
        assert_eq!(mesh.hole(), None);
        let found = mesh.spread().expect("a volume");
        let (a, b, c) = (2.0, 3.0, 4.0);
        let volume = a * b * c / 6.0;
        assert!((found.volume - volume).abs() < 1e-14);
        assert!(found.centre.iter().zip([a / 4.0, b / 4.0, c / 4.0]).all(|(x, y)| (x - y).abs() < 1e-14));
        // Means of x² and x y over it, about the centre: a²/10 - a²/16 and a b/20 - a b/16.
        let squares = [a, b, c].map(|edge: f64| edge * edge * (0.1 - 0.0625));
        let expected = squares.into_iter().chain([a * b, a * c, b * c].map(|it| -0.0125 * it));
        for (found, expected) in found.means.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
    }

    #[test]
    fn holes_are_found() {
        let mut open = Mesh::read("a.stl", &block([0.0; 3], [1.0; 3])).expect("a mesh");
        open.triangles.pop();
        let (edge, count) = open.hole().expect("a hole");
        assert_eq!(count, 3);
        assert!(edge.iter().all(|corner| corner[0] == 1.0), "{edge:?}");
    }

    /// A ball of many corners: few are taken, and how far the others reach beyond is said.
    #[test]
    fn round_things_are_taken_by_few_corners() {
        let mut mesh = Mesh { corners: Vec::new(), triangles: vec![[0, 1, 2]] };
        for at in 0..2000 {
            let z = 1.0 - 2.0 * (f64::from(at) + 0.5) / 2000.0;
            let (across, angle) = ((1.0 - z * z).sqrt(), 2.4 * f64::from(at));
            mesh.corners.push([across * libm::cos(angle), across * libm::sin(angle), z]);
        }
        let (corners, beyond) = mesh.hull().expect("a solid");
        assert!(corners.len() <= MOST_CORNERS && (0.05..0.3).contains(&beyond), "{} {beyond}", corners.len());
    }

    #[test]
    fn what_is_no_mesh_is_said() {
        let files: [(&str, &[u8]); 7] = [
            ("a.stl", b""),
            ("a.stl", b"solid a\nendsolid"),
            ("a.stl", b"solid\nvertex 1 2\n"),
            ("a.stl", b"solid\nvertex 1 2 3\n"),
            ("a.obj", b"v 0 0 0\nf 1 2 3\n"),
            ("a.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
            ("a.dae", b"<xml>"),
        ];
        for (name, bytes) in files {
            assert!(Mesh::read(name, bytes).is_err(), "{name} {bytes:?}");
        }
        let mut long = block([0.0; 3], [1.0; 3]);
        long[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Mesh::read("a.stl", &long).is_err());
    }
}
