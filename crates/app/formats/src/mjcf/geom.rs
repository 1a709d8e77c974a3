//! Geoms: what touches, what is seen, and what the mass comes from.

use base::{Span, Spread};
use roxmltree::Node;

use super::{Asset, Mjcf};
use crate::inertia;
use crate::robot::{Body, Place, Shape, Solid};
use crate::turn::{Turn, Vector, minus, plus, size};
use crate::urdf::hull_of;
use crate::xml::Reader;

/// A geom, with its mass.
pub struct Geom {
    /// Nothing, if it is a mesh that is only seen.
    pub solid: Option<Solid>,
    pub span: Span,
    pub lump: Lump,
    pub touches: bool,
}

/// How a mass lies in a body.
#[derive(Clone, Copy)]
pub struct Lump {
    mass: f64,
    centre: Vector,
    /// Means of products of coordinates about its centre, in the axes of the body.
    means: [Vector; 3],
}

impl Lump {
    const NONE: Lump = Lump { mass: 0.0, centre: [0.0; 3], means: [[0.0; 3]; 3] };
}

impl<'a> Mjcf<'a> {
    /// Nothing where the language has no such shape, which is said. Meshes are weighed only if that is `needed`.
    // Long: one attribute after the other, in the order in which they decide.
    pub fn geom(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>, needed: bool) -> Option<Geom> {
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
        if kind == "mesh" {
            return self.of_mesh(reader, node, place, (touches, needed));
        }
        let shape = match kind {
            "sphere" => Shape::Sphere(at(0)),
            "capsule" => Shape::Capsule { radius: at(0), length: 2.0 * half_length },
            "cylinder" => Shape::Cylinder { radius: at(0), length: 2.0 * half_length },
            "box" => Shape::Box([at(0), at(1), at(2)].map(|half| 2.0 * half)),
            "ellipsoid" => Shape::Ellipsoid([at(0), at(1), at(2)]),
            other => {
                reader.leave_out(node, format!("a geom of the type `{other}`"));
                return None;
            }
        };
        if shape.sizes().iter().any(|&size| size <= 0.0) {
            reader.unreadable(node, format!("this {kind} has a size that is not positive"), "give it all its sizes");
            return None;
        }
        let (volume, spread) = inertia::of_solid(&shape);
        let [x, y, z] = spread;
        let means = turned([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], place.turn);
        let lump = Lump { mass: self.weight(reader, node, volume), centre: place.position, means };
        self.rubs(reader, node, touches);
        let color = self.attributes.numbers::<4>(reader, node, "rgba");
        let span = reader.place(node);
        Some(Geom { solid: Some(Solid { shape, place, color, span }), span, lump, touches })
    }

    /// In kg: what the geom says, or what follows from its density; nothing for one of a group that does not count.
    fn weight(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>, volume: f64) -> f64 {
        let group = self.attributes.number(reader, node, "group").unwrap_or(0.0);
        let density = self.attributes.number(reader, node, "density").unwrap_or(1000.0);
        let mass = self.attributes.number(reader, node, "mass").unwrap_or(density * volume);
        if self.counted_groups.is_some_and(|[low, high]| !(low..=high).contains(&group)) { 0.0 } else { mass }
    }

    fn rubs(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>, touches: bool) {
        if touches {
            let friction = self.attributes.list(reader, node, "friction").and_then(|list| list.first().copied());
            self.friction = Some(self.friction.unwrap_or(0.0).max(friction.unwrap_or(1.0)));
        }
    }

    /// What touches is the convex solid around a mesh; what weighs is the mesh itself.
    fn of_mesh(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, '_>,
        place: Place,
        (touches, needed): (bool, bool),
    ) -> Option<Geom> {
        let name = self.attributes.get(node, "mesh").unwrap_or_default();
        let Some(asset) = self.meshes.get(name).cloned() else {
            reader.leave_out(node, format!("the shape `{}`, of which there is no file", base::visible(name)));
            return None;
        };
        let lump = if needed { self.weighed(reader, node, &asset, place)? } else { Lump::NONE };
        let span = reader.place(node);
        if !touches {
            reader.leave_out(node, "a mesh that is only seen");
            return Some(Geom { solid: None, span, lump, touches });
        }
        let shape = hull_of(reader, node, &asset.file, asset.scale, self.around)?;
        self.rubs(reader, node, touches);
        let color = self.attributes.numbers::<4>(reader, node, "rgba");
        Some(Geom { solid: Some(Solid { shape, place, color, span }), span, lump, touches })
    }

    /// The mass of a mesh, by its volume. One that is not closed has none, and is refused.
    fn weighed(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>, asset: &Asset, place: Place) -> Option<Lump> {
        // What weighs nothing is not looked at.
        if self.weight(reader, node, 1.0) == 0.0 {
            return Some(Lump::NONE);
        }
        let file = base::visible(&asset.file);
        let spread = match reader.meshes.get(self.around, &asset.file, asset.scale) {
            _ if asset.is_shell => Err("it is a shell, and those are not weighed here".to_string()),
            Err(why) => Err(why),
            Ok(read) => match read.mesh.hole_told() {
                Some((what, place)) => Err(format!("it is {what}; {place}")),
                None => read.mesh.spread().ok_or_else(|| "it holds no volume".to_string()),
            },
        };
        match spread {
            Ok(Spread { volume, centre, means: [xx, yy, zz, xy, xz, yz] }) => {
                let means = turned([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], place.turn);
                let centre = plus(place.position, place.turn.apply(centre));
                Some(Lump { mass: self.weight(reader, node, volume), centre, means })
            }
            Err(why) => {
                let message =
                    format!("nothing says what this geom weighs: of `{file}` no mass can be had, because {why}");
                let hint =
                    "give its body an `<inertial>`, which MuJoCo prints, or the geom `mass=\"0\"`; or repair the mesh";
                reader.unreadable(node, message, hint);
                None
            }
        }
    }
}

/// The mass of several geoms, its centre and its moments, in the axes of their body.
pub fn together(name: String, geoms: &[Geom]) -> Option<Body> {
    let mass: f64 = geoms.iter().map(|geom| geom.lump.mass).sum();
    let first = geoms.first()?;
    if mass <= 0.0 {
        return None;
    }
    let mut centre = [0.0; 3];
    for lump in geoms.iter().map(|geom| geom.lump) {
        centre = plus(centre, lump.centre.map(|part| part * lump.mass / mass));
    }
    let mut moments = [0.0; 6];
    for lump in geoms.iter().map(|geom| geom.lump) {
        let from = minus(lump.centre, centre);
        // Means of products of coordinates about the common centre: those about its own, and those of its own centre.
        let mean = |i: usize, j: usize| lump.mass * (lump.means[i][j] + from[i] * from[j]);
        let [x, y, z] = [mean(0, 0), mean(1, 1), mean(2, 2)];
        let own = [y + z, x + z, x + y, -mean(0, 1), -mean(0, 2), -mean(1, 2)];
        moments = std::array::from_fn(|at| moments[at] + own[at]);
    }
    let place = Place { position: centre, turn: Turn::NONE };
    Some(Body { name, span: first.span, place, mass, moments: tidy(moments) })
}

/// R S Rᵀ.
fn turned(means: [Vector; 3], turn: Turn) -> [Vector; 3] {
    let rows = means.map(|row| turn.apply(row));
    let columns: [Vector; 3] = std::array::from_fn(|j| turn.apply(std::array::from_fn(|i| rows[i][j])));
    std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
}

/// Products that are nothing but rounding are zero.
fn tidy(moments: inertia::Moments) -> inertia::Moments {
    let largest = moments.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    moments.map(|entry| if entry.abs() <= 1e-15 * largest { 0.0 } else { entry })
}
