//! The cores of shapes as polytopes: vertices, edges and faces in tables. A sphere's has one vertex, a rod's one edge, a box's six faces.

use super::{HullTable, ShapeKind};

/// The vertices in the axes of the shape, to be stretched by its sizes; what joins them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    pub vertices: Vec<[f64; 3]>,
    /// The two vertices of each edge. A point has an edge of length zero, so that whoever looks at edges sees it.
    pub edges: Vec<[usize; 2]>,
    /// The faces that meet in each edge, if it has any.
    pub edge_faces: Vec<Option<[usize; 2]>>,
    /// Cycles of vertices, anticlockwise from outside.
    pub faces: Vec<Vec<usize>>,
    /// The edge from each vertex of each face to the next.
    pub sides: Vec<Vec<usize>>,
    /// Edges of which none is parallel to another, and to one of which each is.
    pub directions: Vec<usize>,
}

impl Solid {
    /// The core of a shape of this kind; nothing for those that have none.
    pub fn of(kind: ShapeKind, hull: Option<&HullTable>) -> Solid {
        match kind {
            ShapeKind::Sphere => {
                Solid { vertices: vec![[0.0; 3]], edges: vec![[0, 0]], edge_faces: vec![None], ..Solid::default() }
            }
            ShapeKind::Rod | ShapeKind::Capsule => Solid {
                vertices: vec![[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]],
                edges: vec![[0, 1]],
                edge_faces: vec![None],
                directions: vec![0],
                ..Solid::default()
            },
            ShapeKind::Box => Solid::bounded_by(&cube()),
            ShapeKind::Hull => Solid::bounded_by(hull.expect("a hull has its table")),
            ShapeKind::HalfSpace
            | ShapeKind::Surface
            | ShapeKind::Cylinder
            | ShapeKind::Cone
            | ShapeKind::Ellipsoid
            | ShapeKind::Torus => Solid::default(),
        }
    }

    fn bounded_by(hull: &HullTable) -> Solid {
        let mut solid = Solid { vertices: hull.vertices.clone(), faces: hull.faces.clone(), ..Solid::default() };
        for (number, face) in hull.faces.iter().enumerate() {
            let next = face.iter().cycle().skip(1);
            let sides = face.iter().zip(next).map(|(&from, &to)| solid.side(number, from, to)).collect();
            solid.sides.push(sides);
        }
        for edge in 0..solid.edges.len() {
            if solid.direction(edge).is_none() {
                solid.directions.push(edge);
            }
        }
        solid
    }

    /// The edge between two vertices of a face; the second face that has it is the one on its other side.
    fn side(&mut self, face: usize, from: usize, to: usize) -> usize {
        if let Some(known) = self.edges.iter().position(|edge| *edge == [to, from] || *edge == [from, to]) {
            let first = self.edge_faces[known].map_or(face, |faces| faces[0]);
            self.edge_faces[known] = Some([first, face]);
            return known;
        }
        self.edges.push([from, to]);
        self.edge_faces.push(Some([face, face]));
        self.edges.len() - 1
    }

    /// The place among the directions of the one that an edge has.
    pub fn direction(&self, edge: usize) -> Option<usize> {
        self.directions.iter().position(|&other| self.is_parallel(edge, other))
    }

    fn is_parallel(&self, edge: usize, other: usize) -> bool {
        let along = |edge: usize| {
            let [from, to] = self.edges[edge].map(|vertex| self.vertices[vertex]);
            [0, 1, 2].map(|k| to[k] - from[k])
        };
        let (a, b) = (along(edge), along(other));
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let product = dot(a, b);
        dot(a, a) * dot(b, b) - product * product <= 1e-20 * dot(a, a) * dot(b, b)
    }

    /// The unit vector out of a face, before stretching; that of a cube is the same afterwards.
    pub fn normal(&self, face: usize) -> [f64; 3] {
        let corner = |k: usize| self.vertices[self.faces[face][k]];
        // Newell's sum over the sides is exact enough for faces of any number of vertices.
        let count = self.faces[face].len();
        let mut sum = [0.0; 3];
        for k in 0..count {
            let (a, b) = (corner(k), corner((k + 1) % count));
            for (axis, sum) in sum.iter_mut().enumerate() {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                *sum += (a[u] - b[u]) * (a[v] + b[v]);
            }
        }
        let length = (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]).sqrt();
        sum.map(|entry| entry / length)
    }
}

/// Corner k has the signs of the bits of k; face 2 a + s is the one on side s of axis a.
fn cube() -> HullTable {
    let sign = |k: usize, axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
    let vertices = (0..8).map(|k| [sign(k, 0), sign(k, 1), sign(k, 2)]).collect();
    let face = |face: usize| {
        let (axis, side) = (face / 2, face % 2);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut cycle: Vec<usize> =
            [(0, 0), (1, 0), (1, 1), (0, 1)].iter().map(|(a, b)| side << axis | a << u | b << v).collect();
        if side == 0 {
            cycle.reverse();
        }
        cycle
    };
    HullTable { vertices, faces: (0..6).map(face).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_has_twelve_edges_and_normals_out_of_its_faces() {
        let cube = Solid::of(ShapeKind::Box, None);
        assert_eq!((cube.vertices.len(), cube.edges.len(), cube.faces.len(), cube.directions.len()), (8, 12, 6, 3));
        for face in 0..6 {
            let mut expected = [0.0; 3];
            expected[face / 2] = if face % 2 == 1 { 1.0 } else { -1.0 };
            assert_eq!(cube.normal(face), expected, "face {face}");
        }
        for (edge, faces) in cube.edge_faces.iter().enumerate() {
            let [first, second] = faces.expect("each edge has faces");
            assert_ne!(first, second);
            for vertex in cube.edges[edge] {
                assert!(cube.faces[first].contains(&vertex) && cube.faces[second].contains(&vertex));
            }
        }
    }
}
