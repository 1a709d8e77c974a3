//! `ansatz export -o picture.svg`: a still of lines and faces, for papers and lectures. No browser is needed.
//!
//! What is convex is one outline with a shading; boxes have their faces, rods and cylinders their ends. What is nearer is drawn later,
//! thing by thing, so things that cross one another may cover each other wrongly.

use std::fmt::Write;
use std::process::ExitCode;

use ansatz::{Instance, Scene};
use studio::Look;

use super::placed::{Placement, Thing, things, three};
use super::{camera, tell_left_out, watch, write};
use crate::arguments::{ExportArguments, Size};
use crate::render;

type Vector = [f64; 3];
type Point = [f64; 2];

/// Of a picture, in pixels.
const USUAL: Size = Size { width: 1280, height: 720 };
/// How much is seen from top to bottom, in degrees, as in the studio.
const FIELD: f64 = 38.0;
/// Light comes from there, as in the studio.
const LIGHT: Vector = [0.34, -0.42, 0.84];
/// Instants from the start to the still, for the paths of what leaves a trace.
const STEPS: usize = 600;
/// The view of everything, where nothing else is said.
const USUAL_DIRECTION: Vector = [0.8, -1.0, 0.55];

pub fn draw(scene: &Scene, instance: &mut Instance, arguments: &ExportArguments, time: f64) -> ExitCode {
    let look = match camera::choose(scene, arguments.camera.as_deref()) {
        Ok(Look::Path { .. }) => {
            let hint = "name one place to look from; films go along a path";
            render::complain("a drawing shows one moment, and no camera moves in it", hint);
            return ExitCode::FAILURE;
        }
        Ok(look) => look,
        Err(refusal) => {
            render::complain(&refusal.message, &refusal.hint);
            return ExitCode::FAILURE;
        }
    };
    let traces = arguments.show.iter().any(|word| word == "traces") && !scene.stages().model.picture.traces.is_empty();
    let steps = if traces && time > 0.0 { STEPS } else { 1 };
    let times: Vec<f64> = (0..=steps).map(|step| time * step as f64 / steps as f64).collect();
    let mut seen = Seen { pictures: Vec::new(), curves: Vec::new() };
    let curved = !scene.stages().model.picture.curves.is_empty();
    let outcome = watch(instance, &times, |_, picture| seen.pictures.push(picture)).and_then(|()| {
        if curved {
            seen.curves = instance.curves()?;
        }
        Ok(())
    });
    if let Err(error) = outcome {
        render::print_error(&error);
        return ExitCode::FAILURE;
    }
    let (text, left_out) = svg(scene, &seen, &look, arguments.size.unwrap_or(USUAL));
    tell_left_out(&left_out);
    write(&arguments.output, text.as_bytes(), &format!("the scene at t = {} s", instance.time()))
}

/// What the picture had on the way to the still, the last of which is drawn; and the points of all curves there.
struct Seen {
    pictures: Vec<Vec<f64>>,
    curves: Vec<f64>,
}

fn svg(scene: &Scene, seen: &Seen, look: &Look, size: Size) -> (String, Vec<String>) {
    let picture = seen.pictures.last().expect("a run that began was seen");
    let (things, mut left_out) = things(scene, &seen.pictures[0]);
    let placed: Vec<(Thing<'_>, Placement)> = things
        .into_iter()
        .map(|thing| {
            let at = thing.placement(scene, picture);
            (thing, at)
        })
        .collect();
    let eye = Eye::new(scene, picture, &placed, look, size);
    let mut sketch = Sketch { eye, gradients: String::new(), count: 0 };
    let mut parts: Vec<Part> = placed.iter().filter_map(|(thing, at)| sketch.thing(thing, at)).collect();
    parts.extend(sketch.curves(scene, picture, &seen.curves));
    parts.extend(sketch.traces(scene, &seen.pictures));
    // What is farther is drawn first; equal distances keep their order.
    parts.sort_by(|one, other| other.distance.total_cmp(&one.distance));
    left_out.extend(scene.stages().model.picture.surfaces.iter().map(|_| "surface".to_string()));
    left_out.sort();
    left_out.dedup();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n<title>{2}</title>\n",
        size.width,
        size.height,
        base::escaped(scene.name())
    );
    if !sketch.gradients.is_empty() {
        let _ = writeln!(text, "<defs>\n{}</defs>", sketch.gradients);
    }
    for part in parts {
        text.push_str(&part.text);
    }
    (text + "</svg>\n", left_out)
}

/// Something to draw, and how far away it is.
struct Part {
    distance: f64,
    text: String,
}

/// Where one looks from: the point, and the directions to the right, upwards, and towards the viewer.
struct Eye {
    position: Vector,
    axes: [Vector; 3],
    size: Size,
    /// Pixels of what is as large as its distance.
    focus: f64,
}

impl Eye {
    fn new(scene: &Scene, picture: &[f64], placed: &[(Thing<'_>, Placement)], look: &Look, size: Size) -> Eye {
        let stages = scene.stages();
        let direction = match look {
            Look::All { from: Some(name) } => studio::PRESETS.iter().find(|(known, _)| known == name),
            _ => None,
        };
        let direction = unit(direction.map_or(USUAL_DIRECTION, |(_, direction)| *direction));
        let half = (FIELD / 2.0).to_radians();
        let (centre, radius) = ball(placed, picture, scene);
        let narrow = (f64::from(size.width) / f64::from(size.height)).min(1.0);
        let far = 1.15 * radius / (libm::sin(half) * narrow);
        let (position, target) = match look {
            Look::Scene { number } => {
                let [at, target] = stages.system.picture.cameras[*number];
                (three(picture, at), three(picture, target))
            }
            Look::Point { position, target } => (*position, *target),
            // Paths are for films.
            Look::All { .. } | Look::Path { .. } => (along(centre, direction, far), centre),
            Look::Follow { frame } => {
                let named = |it: &&model::Frame| frame.strip_prefix("frame:") == Some(it.name.as_str());
                let at = stages.model.frames.iter().position(|it| named(&it)).unwrap_or(1);
                let centre = three(picture, stages.system.picture.frames[at - 1].pose);
                (along(centre, direction, far), centre)
            }
        };
        let back = unit(minus(position, target));
        // Straight from above there is no up; y is as good as any.
        let up = if back[2].abs() > 0.999_999 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
        let right = unit(cross(up, back));
        let axes = [right, cross(back, right), back];
        Eye { position, axes, size, focus: f64::from(size.height) / 2.0 / libm::tan(half) }
    }

    /// Where a point is seen; nothing if it is behind.
    fn see(&self, point: Vector) -> Option<Point> {
        let from = minus(point, self.position);
        let depth = -dot(from, self.axes[2]);
        let scale = self.focus / depth;
        (depth > 1e-9).then(|| {
            let (width, height) = (f64::from(self.size.width), f64::from(self.size.height));
            [width / 2.0 + scale * dot(from, self.axes[0]), height / 2.0 - scale * dot(from, self.axes[1])]
        })
    }

    fn distance(&self, point: Vector) -> f64 {
        length(minus(point, self.position))
    }

    /// Pixels of a length at a point.
    fn pixels(&self, size: f64, point: Vector) -> f64 {
        size * self.focus / self.distance(point).max(1e-9)
    }
}

/// A ball around all that is drawn, except for floors.
fn ball(placed: &[(Thing<'_>, Placement)], picture: &[f64], scene: &Scene) -> (Vector, f64) {
    let solids = placed.iter().filter(|(thing, _)| thing.kind != "plane");
    let corners = solids.flat_map(|(thing, at)| thing.solid.positions.iter().map(|it| at.point(it.map(f64::from))));
    let frames = scene.stages().system.picture.frames.iter().map(|frame| three(picture, frame.pose));
    let points: Vec<Vector> = corners.chain(frames).collect();
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in &points {
        for axis in 0..3 {
            (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis]));
        }
    }
    if points.is_empty() {
        return ([0.0; 3], 1.0);
    }
    let centre: Vector = std::array::from_fn(|axis| (low[axis] + high[axis]) / 2.0);
    let radius = points.iter().map(|point| length(minus(*point, centre))).fold(0.0, f64::max);
    (centre, if radius > 0.0 { radius } else { 1.0 })
}

/// A drawing that is being made.
struct Sketch {
    eye: Eye,
    gradients: String,
    count: usize,
}

impl Sketch {
    fn thing(&mut self, thing: &Thing<'_>, at: &Placement) -> Option<Part> {
        let corners: Vec<Vector> = thing.solid.positions.iter().map(|it| at.point(it.map(f64::from))).collect();
        let seen: Vec<Point> = corners.iter().map(|corner| self.eye.see(*corner)).collect::<Option<_>>()?;
        let mut text = format!("<g id=\"{}\" stroke-linejoin=\"round\"", base::escaped(&thing.name.replace(' ', "-")));
        if thing.color[3] < 1.0 {
            let _ = write!(text, " opacity=\"{}\"", thing.color[3]);
        }
        text.push_str(">\n");
        match thing.kind {
            "box" | "plane" | "torus" | "ring" => text.push_str(&self.faces(thing, &corners, &seen, |_| true)),
            "sphere" | "ellipsoid" => {
                let fill = self.round(thing);
                text.push_str(&polygon(&hull(&seen), &fill));
            }
            kind => {
                let outline = hull(&seen);
                let fill = self.turned(thing, at, &outline);
                text.push_str(&polygon(&outline, &fill));
                // Flat ends; a capsule has none.
                if kind != "capsule" {
                    let axis = at.turn.apply([0.0, 0.0, 1.0]);
                    text.push_str(&self.faces(thing, &corners, &seen, |normal| dot(normal, axis).abs() > 0.999));
                }
            }
        }
        text.push_str("</g>\n");
        let middle = if thing.kind == "cone" { at.point([0.0, 0.0, 0.5]) } else { at.position };
        // Floors lie below everything.
        let behind = if thing.kind == "plane" { 1e6 } else { 0.0 };
        Some(Part { distance: self.eye.distance(middle) + behind, text })
    }

    /// Triangles that are seen from outside, joined where they lie in one plane; the farther ones first.
    fn faces(&self, thing: &Thing<'_>, corners: &[Vector], seen: &[Point], wanted: impl Fn(Vector) -> bool) -> String {
        struct Face {
            normal: Vector,
            points: Vec<Point>,
            distance: f64,
        }
        let mut faces: Vec<Face> = Vec::new();
        for triangle in &thing.solid.triangles {
            let [a, b, c] = triangle.map(|corner| corners[corner as usize]);
            let normal = cross(minus(b, a), minus(c, a));
            if length(normal) == 0.0 || dot(normal, minus(self.eye.position, a)) <= 0.0 || !wanted(unit(normal)) {
                continue;
            }
            let (normal, distance) = (unit(normal), self.eye.distance(a));
            let points = triangle.map(|corner| seen[corner as usize]);
            match faces.iter_mut().find(|face| dot(face.normal, normal) > 1.0 - 1e-9 && thing.kind != "torus") {
                Some(face) => face.points.extend(points),
                None => faces.push(Face { normal, points: points.to_vec(), distance }),
            }
        }
        faces.sort_by(|one, other| other.distance.total_cmp(&one.distance));
        faces.iter().map(|face| polygon(&hull(&face.points), &color(thing.color, shade(face.normal)))).collect()
    }

    /// A ball: brightest where it faces the light.
    fn round(&mut self, thing: &Thing<'_>) -> String {
        let [x, y, _] = self.eye.axes.map(|axis| dot(axis, LIGHT));
        let toward = self.eye.axes[2];
        let (bright, middle) = (shade(LIGHT), shade(toward));
        let rim = shade([0, 1, 2].map(|at| -LIGHT[at]));
        let stops = [(0.0, bright), (0.6, (bright + middle) / 2.0), (1.0, rim)];
        let head = format!(
            "<radialGradient id=\"{}\" cx=\"{:.3}\" cy=\"{:.3}\" r=\"0.85\">",
            self.name(),
            0.5 + 0.3 * x,
            0.5 - 0.3 * y
        );
        self.gradient(&head, "radialGradient", thing, &stops)
    }

    /// What is turned about an axis: its shading goes across that.
    fn turned(&mut self, thing: &Thing<'_>, at: &Placement, outline: &[Point]) -> String {
        let axis = at.turn.apply([0.0, 0.0, 1.0]);
        let view = unit(minus(self.eye.position, at.position));
        let across = cross(axis, view);
        if length(across) < 1e-6 {
            return color(thing.color, shade(view));
        }
        let across = unit(across);
        let facing = cross(across, axis);
        let (Some(from), Some(to)) = (self.eye.see(at.position), self.eye.see(along(at.position, across, 1e-3))) else {
            return color(thing.color, shade(view));
        };
        let screen = [to[0] - from[0], to[1] - from[1]];
        let size = (screen[0] * screen[0] + screen[1] * screen[1]).sqrt().max(1e-12);
        let screen = screen.map(|part| part / size);
        let place = |point: &Point| (point[0] - from[0]) * screen[0] + (point[1] - from[1]) * screen[1];
        let reach = outline.iter().map(|point| place(point).abs()).fold(1e-6, f64::max);
        let end = |side: f64| [from[0] + side * reach * screen[0], from[1] + side * reach * screen[1]];
        let ([x1, y1], [x2, y2]) = (end(-1.0), end(1.0));
        let head = format!(
            "<linearGradient id=\"{}\" gradientUnits=\"userSpaceOnUse\" x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\">",
            self.name()
        );
        let stops: Vec<(f64, f64)> = (0..=8)
            .map(|step| {
                let side = f64::from(step) / 4.0 - 1.0;
                let up = (1.0 - side * side).max(0.0).sqrt();
                let normal: Vector = std::array::from_fn(|i| side * across[i] + up * facing[i]);
                (f64::from(step) / 8.0, shade(normal))
            })
            .collect();
        self.gradient(&head, "linearGradient", thing, &stops)
    }

    fn name(&self) -> String {
        format!("shade{}", self.count + 1)
    }

    fn gradient(&mut self, head: &str, kind: &str, thing: &Thing<'_>, stops: &[(f64, f64)]) -> String {
        let fill = format!("url(#{})", self.name());
        self.count += 1;
        self.gradients.push_str(head);
        for (offset, light) in stops {
            let _ =
                write!(self.gradients, "<stop offset=\"{offset:.3}\" stop-color=\"{}\"/>", color(thing.color, *light));
        }
        let _ = writeln!(self.gradients, "</{kind}>");
        fill
    }

    /// Tubes, as lines of their width.
    fn curves(&self, scene: &Scene, picture: &[f64], points: &[f64]) -> Vec<Part> {
        let model = &scene.stages().model.picture.curves;
        let places = &scene.stages().system.picture.curves;
        let each = points.len() / model.len().max(1);
        let mut parts = Vec::new();
        for (at, (curve, place)) in model.iter().zip(places).enumerate() {
            let path: Vec<Vector> = points[at * each..(at + 1) * each].chunks_exact(3).map(|it| three(it, 0)).collect();
            let Some(&middle) = path.get(path.len() / 2) else { continue };
            let [red, green, blue] = curve.look.color.as_deref().and_then(model::rgb).unwrap_or([0.45, 0.5, 0.56]);
            let ink = color([red, green, blue, 1.0], 0.9);
            let width = self.eye.pixels(2.0 * picture[place.radius], middle).max(1.0);
            let distance = path.iter().map(|point| self.eye.distance(*point)).fold(0.0, f64::max);
            parts.push(Part { distance, text: self.line(&path, &ink, width) });
        }
        parts
    }

    /// Paths up to now, behind everything but floors.
    fn traces(&self, scene: &Scene, pictures: &[Vec<f64>]) -> Vec<Part> {
        let stages = scene.stages();
        let traces = stages.model.picture.traces.iter().zip(&stages.system.picture.traces);
        let drawn = traces.filter(|_| pictures.len() > 2).map(|(trace, place)| {
            let path: Vec<Vector> = pictures.iter().map(|picture| three(picture, *place)).collect();
            let [red, green, blue] = trace.color.as_deref().and_then(model::rgb).unwrap_or([0.8, 0.35, 0.2]);
            Part { distance: 1e5, text: self.line(&path, &color([red, green, blue, 1.0], 1.0), 2.0) }
        });
        drawn.collect()
    }

    fn line(&self, path: &[Vector], ink: &str, width: f64) -> String {
        let seen: Vec<Point> = path.iter().filter_map(|point| self.eye.see(*point)).collect();
        format!(
            "<polyline fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width:.2}\" stroke-linecap=\"round\" stroke-linejoin=\"round\" points=\"{}\"/>\n",
            listed(&seen)
        )
    }
}

/// A face with a fine line around it, so that neighbours leave no gap.
fn polygon(points: &[Point], fill: &str) -> String {
    let line = if fill.starts_with('#') { format!(" stroke=\"{fill}\" stroke-width=\"0.6\"") } else { String::new() };
    format!("<polygon fill=\"{fill}\"{line} points=\"{}\"/>\n", listed(points))
}

fn listed(points: &[Point]) -> String {
    points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

/// The convex hull, by Andrew's chains.
fn hull(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let turns = |a: Point, b: Point, c: Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let chain = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in points {
            while chain.len() > 1 && turns(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 1e-9 {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut all = chain(&mut sorted.iter().copied());
    all.extend(chain(&mut sorted.iter().rev().copied()));
    all
}

/// How bright a surface is that faces this way: light from all sides, and from one.
fn shade(normal: Vector) -> f64 {
    0.62 + 0.43 * dot(normal, unit(LIGHT)).max(0.0)
}

fn color(color: [f64; 4], light: f64) -> String {
    let byte = |part: f64| (part * light * 255.0).round().clamp(0.0, 255.0) as u8;
    format!("#{:02x}{:02x}{:02x}", byte(color[0]), byte(color[1]), byte(color[2]))
}

fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|at| a[at] - b[at])
}

fn along(from: Vector, direction: Vector, far: f64) -> Vector {
    std::array::from_fn(|at| from[at] + direction[at] * far)
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: Vector) -> Vector {
    let size = length(a);
    a.map(|part| part / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_the_corners_that_stand_out() {
        let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0], [0.0, 2.0], [1.0, 0.0]];
        assert_eq!(hull(&points), [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]);
    }
}
