//! Geoms: what touches, what is seen, and what the mass comes from.

use roxmltree::Node;

use super::Mjcf;
use crate::inertia;
use crate::robot::{Body, Place, Shape, Solid};
use crate::turn::{Turn, Vector, minus, plus, size};
use crate::urdf::hull_of;
use crate::xml::Reader;

/// A geom, with its mass.
pub struct Geom {
    pub solid: Solid,
    pub mass: f64,
    pub touches: bool,
}

impl<'a> Mjcf<'a> {
    /// Nothing where the language has no such shape, which is said.
    pub fn geom(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>) -> Option<Geom> {
        let kind = self.attributes.get(node, "type").unwrap_or("sphere");
        if self.attributes.get(node, "mesh").is_some() && kind != "mesh" {
            reader.leave_out(node, format!("a {kind} that MuJoCo fits to a mesh"));
            return None;
        }
        let mut mask = |name| self.attributes.number(reader, node, name).is_none_or(|bits| bits != 0.0);
        let touches = mask("contype") | mask("conaffinity");
        let sizes = self.attributes.list(reader, node, "size").unwrap_or_default();
        let mut place = self.attributes.place(reader, node);
        let ends = self.attributes.numbers::<6>(reader, node, "fromto");
        // Between two ends the last size follows.
        let half = ends.map(|[a, b, c, d, e, f]| {
            let (from, to) = ([a, b, c], [d, e, f]);
            let turn = Turn::of_z_axis(minus(to, from)).unwrap_or(Turn::NONE);
            place = Place { position: plus(from, to).map(|part| part / 2.0), turn };
            size(minus(to, from)) / 2.0
        });
        let at = |which: usize| sizes.get(which).copied().unwrap_or(0.0);
        let half_length = half.unwrap_or_else(|| at(1));
        let shape = match kind {
            "sphere" => Shape::Sphere(at(0)),
            "capsule" => Shape::Capsule { radius: at(0), length: 2.0 * half_length },
            "cylinder" => Shape::Cylinder { radius: at(0), length: 2.0 * half_length },
            "box" => Shape::Box([at(0), at(1), at(2)].map(|half| 2.0 * half)),
            "ellipsoid" => Shape::Ellipsoid([at(0), at(1), at(2)]),
            "mesh" if touches => self.hull(reader, node)?,
            "mesh" => {
                reader.leave_out(node, "a mesh that is only seen");
                return None;
            }
            other => {
                reader.leave_out(node, format!("a geom of the type `{other}`"));
                return None;
            }
        };
        if shape.sizes().iter().any(|&size| size <= 0.0) {
            reader.unreadable(node, format!("this {kind} has a size that is not positive"), "give it all its sizes");
            return None;
        }
        let (volume, _) = inertia::of_solid(&shape);
        let density = self.attributes.number(reader, node, "density").unwrap_or(1000.0);
        let mass = self.attributes.number(reader, node, "mass").unwrap_or(density * volume);
        // The convex solid around a mesh is not what it weighs; `body` says so where that counts.
        let mass = if kind == "mesh" { 0.0 } else { mass };
        let color = self.attributes.numbers::<4>(reader, node, "rgba");
        if touches {
            let friction = self.attributes.list(reader, node, "friction").and_then(|list| list.first().copied());
            self.friction = Some(self.friction.unwrap_or(0.0).max(friction.unwrap_or(1.0)));
        }
        Some(Geom { solid: Solid { shape, place, color, span: reader.place(node) }, mass, touches })
    }
}

impl<'a> Mjcf<'a> {
    /// The convex solid around the mesh that a geom names.
    fn hull(&self, reader: &mut Reader<'_>, node: Node<'a, '_>) -> Option<Shape> {
        let name = self.attributes.get(node, "mesh").unwrap_or_default();
        let Some((file, scale)) = self.meshes.get(name) else {
            reader.leave_out(node, format!("the shape `{}`, of which there is no file", base::visible(name)));
            return None;
        };
        hull_of(reader, node, file, *scale, self.around)
    }
}

/// The mass of several geoms, its centre and its moments, in the axes of their body.
pub fn together(name: String, geoms: &[Geom]) -> Option<Body> {
    let mass: f64 = geoms.iter().map(|geom| geom.mass).sum();
    let first = geoms.first()?;
    if mass <= 0.0 {
        return None;
    }
    let mut centre = [0.0; 3];
    for geom in geoms {
        centre = plus(centre, geom.solid.place.position.map(|part| part * geom.mass / mass));
    }
    let mut moments = [0.0; 6];
    for geom in geoms {
        let (_, spread) = inertia::of_solid(&geom.solid.shape);
        let squares = spread_in(spread, geom.solid.place.turn);
        let from = minus(geom.solid.place.position, centre);
        // Means of products of coordinates about the common centre: those about its own, and those of its own centre.
        let mean = |i: usize, j: usize| geom.mass * (squares[i][j] + from[i] * from[j]);
        let [x, y, z] = [mean(0, 0), mean(1, 1), mean(2, 2)];
        let own = [y + z, x + z, x + y, -mean(0, 1), -mean(0, 2), -mean(1, 2)];
        moments = std::array::from_fn(|at| moments[at] + own[at]);
    }
    let span = first.solid.span;
    Some(Body { name, span, place: Place { position: centre, turn: Turn::NONE }, mass, moments: tidy(moments) })
}

/// R diag(s) Rᵀ.
fn spread_in(spread: Vector, turn: Turn) -> [Vector; 3] {
    let axes: [Vector; 3] = std::array::from_fn(|at| turn.apply(crate::turn::along(at)));
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|at| spread[at] * axes[at][i] * axes[at][j]).sum()))
}

/// Products that are nothing but rounding are zero.
fn tidy(moments: inertia::Moments) -> inertia::Moments {
    let largest = moments.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    moments.map(|entry| if entry.abs() <= 1e-15 * largest { 0.0 } else { entry })
}
