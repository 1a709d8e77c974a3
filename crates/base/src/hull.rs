//! Convex solids by their corners: which faces they have, and how their mass is spread.

/// The corners of a convex solid, and its faces as cycles of corners, anticlockwise from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    pub corners: Vec<Point>,
    pub faces: Vec<Vec<usize>>,
}

pub type Point = [f64; 3];

/// Why points are not the corners of a convex solid, by their places among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoHull {
    /// Fewer than four.
    Few,
    /// Two in one place.
    Twice(usize, usize),
    /// All in one plane.
    Flat,
    /// One inside of the others, or in the middle of a face or an edge.
    NoCorner(usize),
}

/// What a convex solid of density one has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub volume: f64,
    pub centre: Point,
    /// Means of x², y², z², x y, x z, y z about the centre.
    pub means: [f64; 6],
}

/// Points so near to a plane, relative to the whole solid, are in it: coordinates are rounded.
const IN_PLANE: f64 = 1e-10;

impl Hull {
    /// # Errors
    /// Where the points are not the corners of a convex solid.
    pub fn of(corners: &[Point]) -> Result<Hull, NoHull> {
        let count = corners.len();
        if count < 4 {
            return Err(NoHull::Few);
        }
        let size = corners.iter().map(|&corner| length(minus(corner, corners[0]))).fold(0.0, f64::max);
        let near = IN_PLANE * size;
        for b in 0..count {
            if let Some(a) = (0..b).find(|&a| length(minus(corners[a], corners[b])) <= near) {
                return Err(NoHull::Twice(a, b));
            }
        }
        let mut faces: Vec<Vec<usize>> = Vec::new();
        let mut is_flat = true;
        for (a, b, c) in triples(count) {
            // Each plane is met first with the first three of its corners that are not in a line.
            if faces.iter().any(|face| [a, b, c].iter().all(|corner| face.contains(corner))) {
                continue;
            }
            let across = cross(minus(corners[b], corners[a]), minus(corners[c], corners[a]));
            let area = length(across);
            if area <= near * size {
                continue;
            }
            let normal = across.map(|part| part / area);
            let heights = corners.iter().map(|&corner| dot(normal, minus(corner, corners[a])));
            let heights: Vec<f64> = heights.collect();
            let (above, below) =
                (heights.iter().any(|&height| height > near), heights.iter().any(|&height| height < -near));
            is_flat &= !above && !below;
            if above == below {
                continue;
            }
            let outwards = if above { normal.map(|part| -part) } else { normal };
            let within: Vec<usize> = (0..count).filter(|&corner| heights[corner].abs() <= near).collect();
            faces.push(around(corners, &within, outwards, near));
        }
        if is_flat {
            return Err(NoHull::Flat);
        }
        match (0..count).find(|corner| !faces.iter().any(|face| face.contains(corner))) {
            Some(corner) => Err(NoHull::NoCorner(corner)),
            None => Ok(Hull { corners: corners.to_vec(), faces }),
        }
    }

    /// The sum over tetrahedra between one point and the triangles of all faces.
    pub fn spread(&self) -> Spread {
        let origin = self.corners[0];
        let (mut volume, mut moment, mut square) = (0.0, [0.0; 3], [0.0; 6]);
        for face in &self.faces {
            let corner = |k: usize| minus(self.corners[face[k]], origin);
            for k in 1..face.len() - 1 {
                let [a, b, c] = [corner(0), corner(k), corner(k + 1)];
                let own = dot(a, cross(b, c)) / 6.0;
                let sum: Point = std::array::from_fn(|at| a[at] + b[at] + c[at]);
                volume += own;
                moment.iter_mut().zip(sum).for_each(|(moment, sum)| *moment += own * sum / 4.0);
                for (entry, (i, j)) in ENTRIES.into_iter().enumerate() {
                    let product = sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                    square[entry] += own * product / 20.0;
                }
            }
        }
        let centre = moment.map(|part| part / volume);
        let means = std::array::from_fn(|entry| {
            let (i, j) = ENTRIES[entry];
            square[entry] / volume - centre[i] * centre[j]
        });
        Spread { volume, centre: std::array::from_fn(|at| origin[at] + centre[at]), means }
    }

    /// The unit vectors out of its faces.
    pub fn normals(&self) -> impl Iterator<Item = Point> {
        self.faces.iter().map(|face| {
            let [a, b, c] = [0, 1, 2].map(|k| self.corners[face[k]]);
            let across = cross(minus(b, a), minus(c, a));
            across.map(|part| part / length(across))
        })
    }

    /// The same solid, so that a point of it is at the origin.
    pub fn about(mut self, point: Point) -> Hull {
        self.corners.iter_mut().for_each(|corner| *corner = minus(*corner, point));
        self
    }
}

/// Of a symmetric matrix, in the order of moments and products of inertia.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

fn triples(count: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).flat_map(move |b| (b + 1..count).map(move |c| (a, b, c))))
}

/// The corners of a convex polygon in their order, without those that are inside of it or in the middle of a side.
fn around(corners: &[Point], within: &[usize], normal: Point, near: f64) -> Vec<usize> {
    // A corner: the lowest along some direction in the plane, the first of equals along the other one.
    let along = cross(normal, least_axis(normal));
    let across = cross(normal, along);
    let key = |&corner: &usize| (dot(along, corners[corner]), dot(across, corners[corner]));
    let lower = |a: (f64, f64), b: (f64, f64)| a.0 < b.0 - near || (a.0 <= b.0 + near && a.1 < b.1);
    let first = within.iter().copied().reduce(|a, b| if lower(key(&b), key(&a)) { b } else { a });
    let Some(first) = first else { return Vec::new() };
    let mut cycle = vec![first];
    loop {
        let here = cycle[cycle.len() - 1];
        let next = within.iter().copied().filter(|&corner| corner != here).reduce(|best, corner| {
            let (to_best, to_corner) = (minus(corners[best], corners[here]), minus(corners[corner], corners[here]));
            let turn = dot(normal, cross(to_best, to_corner));
            let is_behind = turn.abs() <= near * length(to_best) && length(to_corner) > length(to_best);
            if turn < -near * length(to_best) || is_behind { corner } else { best }
        });
        match next {
            Some(next) if next != first && cycle.len() < within.len() => cycle.push(next),
            _ => return cycle,
        }
    }
}

fn least_axis(n: Point) -> Point {
    let least = (0..3).fold(0, |least, axis| if n[axis].abs() < n[least].abs() { axis } else { least });
    std::array::from_fn(|axis| if axis == least { 1.0 } else { 0.0 })
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|at| a[at] - b[at])
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Vec<Point> {
        (0..8).map(|k| [0, 1, 2].map(|axis| f64::from(k >> axis & 1) * [2.0, 4.0, 6.0][axis] + 1.0)).collect()
    }

    #[test]
    fn a_box_has_six_faces_that_look_outwards() {
        let hull = Hull::of(&cube()).expect("it is convex");
        assert_eq!(hull.faces.len(), 6);
        assert!(hull.faces.iter().all(|face| face.len() == 4));
        let Spread { volume, centre, means } = hull.spread();
        assert!((volume - 48.0).abs() < 1e-12, "{volume}");
        assert!(length(minus(centre, [2.0, 3.0, 4.0])) < 1e-12, "{centre:?}");
        let expected = [4.0 / 12.0, 16.0 / 12.0, 36.0 / 12.0, 0.0, 0.0, 0.0];
        assert!(means.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12), "{means:?}");
    }

    /// The tetrahedron of the axes: volume 1/6, centre 1/4, mean of (x − ¼)² 3/80 and of (x − ¼)(y − ¼) −1/80.
    #[test]
    fn a_tetrahedron_has_the_spread_of_textbooks() {
        let hull = Hull::of(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).expect("it is convex");
        let Spread { volume, centre, means } = hull.spread();
        assert!((volume - 1.0 / 6.0).abs() < 1e-15 && length(minus(centre, [0.25; 3])) < 1e-15);
        for (entry, found) in means.into_iter().enumerate() {
            assert!((found - if entry < 3 { 0.0375 } else { -0.0125 }).abs() < 1e-15, "{means:?}");
        }
    }

    #[test]
    fn what_is_no_corner_is_told() {
        assert_eq!(Hull::of(&cube()[..3]), Err(NoHull::Few));
        assert_eq!(Hull::of(&cube()[..4]), Err(NoHull::Flat));
        let with = |point: Point| [cube(), vec![point]].concat();
        assert_eq!(Hull::of(&with([2.0, 2.0, 2.0])), Err(NoHull::NoCorner(8)), "inside");
        assert_eq!(Hull::of(&with([1.0, 2.0, 2.0])), Err(NoHull::NoCorner(8)), "in a face");
        assert_eq!(Hull::of(&with([1.0, 1.0, 2.0])), Err(NoHull::NoCorner(8)), "in an edge");
        assert_eq!(Hull::of(&with([3.0, 5.0, 7.0])), Err(NoHull::Twice(7, 8)));
        let mut inside_first = with([2.0, 2.0, 2.0]);
        inside_first.rotate_right(1);
        assert_eq!(Hull::of(&inside_first), Err(NoHull::NoCorner(0)));
    }
}
