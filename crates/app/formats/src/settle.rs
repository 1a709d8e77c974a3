//! What can be no scene is made one, and said: joints that move nothing, masses that no rigid body can have.

use base::{Diagnostic, Diagnostics};

use crate::robot::{Body, Motion, Part, Place, Robot, Shape};
use crate::turn::{cross, plus, size};
use crate::{codes, inertia};

/// A mass in kg, a moment in kg·m², or a distance in m, beyond which products of a few of them are no numbers any more.
const LARGEST: f64 = 1e60;

pub fn settle(robot: &mut Robot, sink: &mut Diagnostics) {
    let huge: Vec<Diagnostic> = robot.parts.iter().filter_map(beyond_numbers).collect();
    if !huge.is_empty() {
        huge.into_iter().for_each(|diagnostic| sink.report(diagnostic));
        return;
    }
    for part in &mut robot.parts {
        judge_body(part, sink);
    }
    fix_what_has_no_mass(robot, sink);
    fix_what_only_spins(robot, sink);
}

/// A mass, or a place, that nothing can be computed with: often that of a shape whose size is a slip of the pen.
fn beyond_numbers(part: &Part) -> Option<Diagnostic> {
    let is_beyond = |values: &[f64]| values.iter().any(|value| value.is_nan() || value.abs() > LARGEST);
    let refuse = |message: String, span| {
        let hint = "check the sizes, the density and their units";
        Some(Diagnostic::error(codes::MODEL_UNREADABLE, message).at(span, "too large to compute with").hint(hint))
    };
    if is_beyond(&part.place.position) {
        return refuse(format!("`{}` is too far away", part.name), part.span);
    }
    let body = part.body.as_ref()?;
    if is_beyond(&[body.mass]) || is_beyond(&body.moments) || is_beyond(&body.place.position) {
        return refuse(
            format!("the mass of `{}`, its moments or its place are beyond all numbers", body.name),
            body.span,
        );
    }
    None
}

/// A joint that moves nothing with mass has no equation of motion: nothing says how it moves.
fn fix_what_has_no_mass(robot: &mut Robot, sink: &mut Diagnostics) {
    let mut masses: Vec<f64> =
        robot.parts.iter().map(|part| part.body.as_ref().map_or(0.0, |body| body.mass)).collect();
    for at in (0..robot.parts.len()).rev() {
        if let Some(parent) = robot.parts[at].parent {
            masses[parent] += masses[at];
        }
    }
    for (part, mass) in robot.parts.iter_mut().zip(masses) {
        if mass > 0.0 || matches!(part.motion, Motion::Fixed | Motion::Follows { .. }) {
            continue;
        }
        part.motion = Motion::Fixed;
        sink.report(
            Diagnostic::warning(
                codes::MODEL_CHANGED,
                format!("`{}` moves nothing that has a mass, so it is fixed", part.name),
            )
            .at(part.span, "here")
            .hint(format!("give its link a mass: {}", suggestion(part, None))),
        );
    }
}

/// Points on an axis do not resist turning about it, so nothing says how such a joint moves either.
fn fix_what_only_spins(robot: &mut Robot, sink: &mut Diagnostics) {
    for at in 0..robot.parts.len() {
        let part = &robot.parts[at];
        let Motion::Axis(axis) = &part.motion else { continue };
        if axis.slides || axis.armature > 0.0 || resists(robot, at, Place::HERE, axis.direction) {
            continue;
        }
        let message = format!("`{}` turns nothing but points on its own axis, so it is fixed", part.name);
        let hint =
            format!("give its link moments of inertia: {}", suggestion(part, part.body.as_ref().map(|it| it.mass)));
        sink.report(Diagnostic::warning(codes::MODEL_CHANGED, message).at(part.span, "here").hint(hint));
        robot.parts[at].motion = Motion::Fixed;
    }
}

/// Whether a part, or what hangs on it, has inertia about an axis through the origin of `place`; what can move on it by itself may always have.
fn resists(robot: &Robot, part: usize, place: Place, axis: [f64; 3]) -> bool {
    /// In metres; what the files call zero.
    const ON_AXIS: f64 = 1e-9;
    let off_axis = |body: &Body| {
        let centre = plus(place.position, place.turn.apply(body.place.position));
        size(cross(centre, axis)) > ON_AXIS * size(axis)
    };
    let own = |body: &Body| body.moments.iter().any(|&entry| entry != 0.0) || off_axis(body);
    let below = |child: &Part| {
        let position = plus(place.position, place.turn.apply(child.place.position));
        Place { position, turn: place.turn.then(child.place.turn) }
    };
    let mut children = robot.parts.iter().enumerate().filter(|(_, child)| child.parent == Some(part));
    robot.parts[part].body.as_ref().is_some_and(own)
        || children.any(|(at, child)| child.motion != Motion::Fixed || resists(robot, at, below(child), axis))
}

fn judge_body(part: &mut Part, sink: &mut Diagnostics) {
    let moves = !matches!(part.motion, Motion::Fixed) || part.parent.is_some();
    let advice = |body: &Body| suggestion(part, (body.mass > 0.0).then_some(body.mass));
    let Some(body) = &part.body else {
        let first = part.shapes.iter().chain(&part.figures).next();
        if let (Some(solid), true, false) = (first, moves, matches!(part.motion, Motion::Fixed)) {
            sink.report(
                Diagnostic::warning(
                    codes::MODEL_CHANGED,
                    format!("what hangs on `{}` has a shape and no mass", part.name),
                )
                .at(solid.span, "a frame without mass")
                .hint(format!("if it has one, say so: {}", suggestion(part, None))),
            );
        }
        return;
    };
    let [xx, yy, zz, ..] = body.moments;
    let is_point = body.moments.iter().all(|&entry| entry == 0.0);
    let told = if body.mass < 0.0 {
        let message = format!("the mass of `{}` is negative", body.name);
        Some(
            Diagnostic::error(codes::MODEL_UNREADABLE, message)
                .at(body.span, format!("{} kg", body.mass))
                .hint("a mass is positive"),
        )
    } else if body.mass == 0.0 && !is_point {
        let message = format!("`{}` has moments of inertia and no mass", body.name);
        Some(Diagnostic::warning(codes::MODEL_CHANGED, message).at(body.span, "written as it is").hint(advice(body)))
    } else if body.mass > 0.0 && is_point && moves {
        let message = format!("`{}` has a mass and no moments of inertia: it is written as a point", body.name);
        Some(Diagnostic::warning(codes::MODEL_CHANGED, message).at(body.span, "here").hint(advice(body)))
    } else {
        inertia::repaired(body.moments).map(|[x, y, z, xy, xz, yz]| {
            let message = format!("no rigid body has the moments of inertia of `{}`", body.name);
            let ([a, b, c], _) = inertia::principal(body.moments);
            let label = format!("their principal values are {a:.4e}, {b:.4e} and {c:.4e} kg*m^2");
            Diagnostic::warning(codes::MODEL_CHANGED, message)
                .at(body.span, label)
                .note("each is at most the sum of the other two, wherever the mass sits")
                .note(format!("instead of ({xx}, {yy}, {zz}), the nearest that is possible is written: ({x}, {y}, {z}), products ({xy}, {xz}, {yz})"))
                .hint(advice(body))
        })
    };
    told.into_iter().for_each(|diagnostic| sink.report(diagnostic));
    if let Some(body) = &mut part.body
        && let Some(repaired) = inertia::repaired(body.moments)
    {
        body.moments = repaired;
    }
    if part.body.as_ref().is_some_and(|body| body.mass == 0.0 && body.moments.iter().all(|&entry| entry == 0.0)) {
        part.body = None;
    }
}

/// What to write into the file, from the first simple shape that there is; without a mass, as if it were of water.
fn suggestion(part: &Part, mass: Option<f64>) -> String {
    let simple = part.shapes.iter().chain(&part.figures).next();
    let shape = simple.map_or(Shape::Box([0.1; 3]), |solid| solid.shape.clone());
    let (volume, spread) = inertia::of_solid(&shape);
    let mass = mass.unwrap_or(1000.0 * volume);
    let [x, y, z, ..] = inertia::of_spread(mass, spread).map(|value| format!("{value:.4e}"));
    let of = if simple.is_some() { "its shape" } else { "a cube of 10 cm" };
    format!("as {of} with {mass:.4} kg has it, its moments are ixx=\"{x}\" iyy=\"{y}\" izz=\"{z}\"")
}
