//! Values that no physical system has, whatever its equations: negative masses, impossible inertias.

use base::{Diagnostic, Diagnostics};

use crate::codes;
use crate::contact::{Contacts, HALF_SPACE, SURFACE};
use crate::model::{Body, Bound, Model, ParameterId};
use crate::term::{TermId, TermKind};

/// The value that a run gives to a parameter; none where it keeps its default.
pub type Given<'a> = &'a dyn Fn(ParameterId) -> Option<f64>;

/// Reports what cannot be, as far as it follows from numbers and parameters.
pub fn judge(model: &Model, given: Given<'_>, sink: &mut Diagnostics) {
    let value = |term: TermId| {
        let parameter = |id: ParameterId| given(id).or(model.parameters.get(id.index()).map(|known| known.default));
        model.terms.constant(term, &parameter)
    };
    for body in &model.bodies {
        judge_mass(model, body, &value, sink);
        judge_inertia(model, body, &value, sink);
        judge_centre(model, body, &value, sink);
    }
    if let Some(contacts) = &model.contacts {
        judge_contacts(model, contacts, &value, sink);
    }
    judge_gravity(model, &value, sink);
    for bound in &model.bounds {
        judge_bound(bound, &value, sink);
    }
}

fn judge_bound(bound: &Bound, value: &dyn Fn(TermId) -> Option<f64>, sink: &mut Diagnostics) {
    let Some(found) = value(bound.value).filter(|found| !(bound.low..=bound.high).contains(found)) else { return };
    let count = |value: f64| bound.unit.count(value);
    sink.report(
        Diagnostic::error(codes::UNPHYSICAL_VALUE, format!("`{}` is out of its range", bound.name))
            .at(bound.span, format!("this is {}", count(found)))
            .at(bound.declared, format!("it lies between {} and {}", count(bound.low), count(bound.high)))
            .hint("check the number and its unit"),
    );
}

fn judge_mass(model: &Model, body: &Body, value: &dyn Fn(TermId) -> Option<f64>, sink: &mut Diagnostics) {
    let name = &model.frame(body.frame).name;
    let span = model.terms.get(body.mass).span;
    match value(body.mass) {
        Some(mass) if mass < 0.0 => sink.report(
            Diagnostic::error(codes::UNPHYSICAL_VALUE, format!("the mass of `{name}` is negative"))
                .at(span, format!("this is {mass} kg"))
                .hint("a mass is positive; what should push the other way has its sign in the force"),
        ),
        Some(mass) if !mass.is_finite() => sink.report(
            Diagnostic::error(codes::UNDEFINED_VALUE, format!("the mass of `{name}` is not a finite number"))
                .at(span, "has no value")
                .hint("look for a division by zero, or a root of a negative number"),
        ),
        Some(mass) if mass.is_subnormal() => sink.report(
            Diagnostic::error(codes::UNPHYSICAL_VALUE, format!("the mass of `{name}` is too small to compute with"))
                .at(span, format!("this is {mass:e} kg, which has hardly any digits"))
                .hint("check the number and its unit; what has no mass may be a frame, or a body of mass 0"),
        ),
        _ => {}
    }
}

/// Numbers of a body are written down with a few digits, and flat bodies meet the bounds on moments exactly. Parts of a moment, and of the size of the
/// body, which the square root of a mean square is.
// Test: bodies_are_judged_up_to_rounding
const ROUNDING: f64 = 1e-9;

/// Each moment of a rigid body is at most the sum of the other two.
fn judge_inertia(model: &Model, body: &Body, value: &dyn Fn(TermId) -> Option<f64>, sink: &mut Diagnostics) {
    let Some(inertia) = &body.inertia else { return };
    let name = &model.frame(body.frame).name;
    let [xx, yy, zz, ..] = inertia.entries;
    let (Some(x), Some(y), Some(z)) = (value(xx), value(yy), value(zz)) else { return };
    let [xy, xz, yz] = [3, 4, 5].map(|at| value(inertia.entries[at]).unwrap_or(0.0));
    let place = model.terms.get(xx).span.to(model.terms.get(zz).span);
    let largest = x.max(y).max(z);
    if x.min(y).min(z) < 0.0 {
        sink.report(
            Diagnostic::error(codes::UNPHYSICAL_VALUE, format!("`{name}` has a negative moment of inertia"))
                .at(place, format!("these are {x}, {y} and {z} kg*m^2"))
                .hint("a moment of inertia is a sum of masses times squared distances, so it is positive"),
        );
    } else if largest > (x + y + z - largest) * (1.0 + ROUNDING) || !is_spread([x, y, z], [xy, xz, yz]) {
        sink.report(
            Diagnostic::error(codes::UNPHYSICAL_VALUE, format!("no rigid body has the moments of inertia of `{name}`"))
                .at(place, format!("these are {x}, {y} and {z} kg*m^2"))
                .note("each moment is at most the sum of the other two, wherever the mass sits")
                .hint("check the numbers, or let a `shape` give them"),
        );
    }
}

/// The mass of a body is at its origin, so its shapes must balance there.
fn judge_centre(model: &Model, body: &Body, value: &dyn Fn(TermId) -> Option<f64>, sink: &mut Diagnostics) {
    let (Some(centre), Some(inertia), Some(mass)) = (body.centre, &body.inertia, value(body.mass)) else { return };
    let [Some(x), Some(y), Some(z)] = centre.map(value) else { return };
    let moments: Option<Vec<f64>> = inertia.entries[..3].iter().map(|&entry| value(entry)).collect();
    let squares = moments.map_or(1.0, |moments| moments.iter().sum::<f64>() / mass);
    if x * x + y * y + z * z > ROUNDING * ROUNDING * squares {
        let name = &model.frame(body.frame).name;
        let [x, y, z] = [x, y, z].map(|part| (part / ROUNDING).round() * ROUNDING);
        sink.report(
            Diagnostic::error(
                codes::UNPHYSICAL_VALUE,
                format!("the shapes of `{name}` do not balance about its origin"),
            )
            .at(body.span, format!("their centre of mass is at ({x}, {y}, {z}) m"))
            .note("the mass of a body is at the origin of its frame")
            .hint(
                "move its shapes so that their centre of mass is at (0, 0, 0), or give `mass` and `inertia` yourself",
            ),
        );
    }
}

/// Says of two things with shapes that nothing keeps them apart. Worth knowing where someone asks what is wrong, and no concern of a run.
pub fn note_passing(model: &Model, sink: &mut Diagnostics) {
    let Some([a, b]) = &model.passing else { return };
    let message = format!("`{}` and `{}` have shapes, and nothing says that they touch", a.name, b.name);
    sink.report(
        Diagnostic::notice(codes::NO_CONTACT, message)
            .at(b.span, "they pass through each other")
            .at(a.span, "the other one")
            .hint("write `contact all { restitution = 0; friction = 0.3 }`, or `contact none` if that is meant"),
    );
}

/// Restitution, friction and the sizes of what touches.
fn judge_contacts(model: &Model, contacts: &Contacts, value: &dyn Fn(TermId) -> Option<f64>, sink: &mut Diagnostics) {
    let mut refuse = |term: TermId, message: String, label: String, hint: &str| {
        let place = model.terms.get(term).span;
        sink.report(Diagnostic::error(codes::UNPHYSICAL_VALUE, message).at(place, label).hint(hint));
    };
    for pair in &contacts.pairs {
        if let Some(found) = value(pair.restitution).filter(|found| !(0.0..=1.0).contains(found)) {
            let hint = "things that separate faster than they met would gain energy with every impact";
            refuse(
                pair.restitution,
                "a restitution lies between 0 and 1".to_string(),
                format!("this is {found}"),
                hint,
            );
        }
        if let Some(found) = value(pair.friction).filter(|found| !(*found >= 0.0 && found.is_finite())) {
            let hint = "a negative one would push things on; check its sign";
            refuse(
                pair.friction,
                "a coefficient of friction is not negative".to_string(),
                format!("this is {found}"),
                hint,
            );
        }
    }
    for shape in &contacts.shapes {
        let name = &contacts.things[shape.thing].name;
        let found: Vec<Option<f64>> = shape.sizes.iter().map(|&size| value(size)).collect();
        if shape.solid == SURFACE {
            continue;
        }
        if shape.solid == HALF_SPACE {
            if found[..3].iter().all(|slope| *slope == Some(0.0)) {
                let label = "its equation does not depend on x, y or z".to_string();
                refuse(shape.sizes[0], format!("`{name}` has no sides"), label, "check its parameters");
            }
            continue;
        }
        for (&size, found) in shape.sizes.iter().zip(found) {
            if let Some(found) = found.filter(|found| !(*found > 0.0 && found.is_finite())) {
                let label = format!("this is {found} m");
                refuse(size, format!("a size of `{name}` is not positive"), label, "check the number and its unit");
            }
        }
    }
    if let Some(step) = contacts.step
        && let Some(found) = value(step).filter(|found| !(*found > 0.0 && found.is_finite()))
    {
        refuse(step, "a step is a positive time".to_string(), format!("this is {found} s"), "as in `step = 1 [ms]`");
    }
}

/// Whether there is mass with these moments and products: the matrix of ∫ x_i x_j dm, ½ tr(I) 1 − I, is not negative in any direction.
fn is_spread([x, y, z]: [f64; 3], [xy, xz, yz]: [f64; 3]) -> bool {
    let half = 0.5 * (x + y + z);
    let (a, b, c) = (half - x, half - y, half - z);
    let minors = [a * b - xy * xy, a * c - xz * xz, b * c - yz * yz];
    // Products of inertia are −∫ x y dm.
    let determinant = a * b * c - 2.0 * xy * xz * yz - a * yz * yz - b * xz * xz - c * xy * xy;
    minors.iter().all(|&minor| minor >= -ROUNDING * half * half) && determinant >= -ROUNDING * half * half * half
}

/// `gravity -9.81 [m/s^2]` makes things fall up.
fn judge_gravity(model: &Model, value: &dyn Fn(TermId) -> Option<f64>, sink: &mut Diagnostics) {
    let Some(gravity) = &model.gravity else { return };
    let TermKind::Vector([_, _, up]) = model.terms.get(gravity.acceleration).kind else { return };
    let up = model.terms.get(up);
    let TermKind::Negate(strength) = up.kind else { return };
    // A vector that its author wrote has places of its own.
    if up.span == gravity.span && value(strength).is_some_and(|strength| strength < 0.0) {
        sink.report(
            Diagnostic::warning(codes::UPWARD_GRAVITY, "this gravity pulls upwards")
                .at(gravity.span, "a single number is the strength of a field along -z")
                .hint("write it without the minus sign, or as a vector: `gravity (0, 0, 9.81) [m/s^2]`"),
        );
    }
}
