//! Where the position of a frame comes from in the text: the one number, or the parameter, that a hand would have to change.

use base::{Span as Place, Unit};
use syntax::{Axis, Expr, ExprKind, Frame, Item, ItemKind, Relation, UnaryOperator};

use super::Places;
use crate::protocol::Handle;

const AXES: [&str; 3] = ["x", "y", "z"];

/// How a plain number is read, and the unit to write after another one: lengths need one, angles do not.
type Plain = (&'static str, &'static str);
const LENGTH: Plain = ("m", "m");
const ANGLE: Plain = ("rad", "");

/// For x, y and z in the axes of the parent, and for the angle about its axis.
pub fn handles(items: &[Item], name: &str, places: &Places<'_>) -> Vec<Handle> {
    let Some(frame) = declared(items, name) else { return vec![fixed("it is made by a loop or a kind"); 4] };
    (0..3).map(|axis| handle(items, frame, axis, places)).chain([turn(items, frame, places)]).collect()
}

/// The axis about which a frame would be turned, if it is one of numbers.
pub fn axis(items: &[Item], name: &str) -> Option<[f64; 3]> {
    let (axis, _) = rotation(declared(items, name)?)?;
    match axis {
        Axis::X => Some([1.0, 0.0, 0.0]),
        Axis::Y => Some([0.0, 1.0, 0.0]),
        Axis::Z => Some([0.0, 0.0, 1.0]),
        Axis::Vector(vector) => {
            let ExprKind::Tuple(parts) = &vector.kind else { return None };
            let parts: Option<Vec<f64>> = parts.iter().map(number).collect();
            parts?.try_into().ok().filter(|axis: &[f64; 3]| axis.iter().any(|&part| part != 0.0))
        }
    }
}

fn declared<'t>(items: &'t [Item], name: &str) -> Option<&'t Frame> {
    items.iter().find_map(|item| match &item.kind {
        ItemKind::Frame(frame) | ItemKind::Body(frame) if frame.name.text == name && frame.name.indices.is_empty() => {
            Some(frame)
        }
        _ => None,
    })
}

/// `about z 30 [deg]`
fn rotation(frame: &Frame) -> Option<(&Axis, &Expr)> {
    let written = frame.properties.iter().find(|property| property.name.text == "rotation")?;
    match &written.value.kind {
        ExprKind::About { axis, rotation } => Some((axis, rotation.as_ref())),
        _ => None,
    }
}

fn number(value: &Expr) -> Option<f64> {
    match &value.kind {
        ExprKind::Number { value, .. } => Some(*value),
        ExprKind::Unary { operator: UnaryOperator::Negate, operand } => number(operand).map(|value| -value),
        _ => None,
    }
}

fn turn(items: &[Item], frame: &Frame, places: &Places<'_>) -> Handle {
    let Some((_, angle)) = rotation(frame) else {
        let is_written = frame.properties.iter().any(|property| property.name.text == "rotation");
        let why = if is_written { "its rotation is not one about an axis" } else { "no rotation is written for it" };
        return fixed(why);
    };
    if axis(items, &frame.name.text).is_none() {
        return fixed("its axis is an expression");
    }
    if !matches!(angle.kind, ExprKind::Free(_)) {
        return read(angle, None, ANGLE, places);
    }
    let begins = begins(items).find(|(left, _)| is_field(left, &frame.name.text, "angle"));
    begins.map_or_else(|| fixed(NOWHERE), |(_, right)| at_start(read(right, None, ANGLE, places)))
}

const NOWHERE: &str = "it moves freely, and no `initially` says where it begins";

fn handle(items: &[Item], frame: &Frame, axis: usize, places: &Places<'_>) -> Handle {
    let Some(position) = frame.properties.iter().find(|property| property.name.text == "position") else {
        return fixed("no position is written for it");
    };
    let part = component(&position.value, axis);
    if let Some((Expr { kind: ExprKind::Free(_), .. }, _)) = part {
        let begins = start(items, &frame.name.text, axis);
        return begins.map_or_else(|| fixed(NOWHERE), |(value, unit)| at_start(read(value, unit, LENGTH, places)));
    }
    part.map_or_else(|| fixed("its position is an expression"), |(value, unit)| read(value, unit, LENGTH, places))
}

/// What the run starts from.
fn at_start(handle: Handle) -> Handle {
    match handle {
        Handle::Literal { span, scale, unit, .. } => Handle::Literal { span, scale, unit, start: true },
        other => other,
    }
}

/// A component of `(x, y, z)`, perhaps with a unit after it; `free` has three like itself.
fn component(value: &Expr, axis: usize) -> Option<(&Expr, Option<&str>)> {
    match &value.kind {
        ExprKind::Tuple(parts) => Some((parts.get(axis)?, None)),
        ExprKind::Quantity { value, unit } => match &value.kind {
            ExprKind::Tuple(parts) => Some((parts.get(axis)?, Some(&unit.text))),
            _ => None,
        },
        ExprKind::Free(_) => Some((value, None)),
        _ => None,
    }
}

/// What `initially NAME.position.z == …` or `initially NAME.position == (…)` says.
fn start<'t>(items: &'t [Item], name: &str, axis: usize) -> Option<(&'t Expr, Option<&'t str>)> {
    let is_position = |place: &Expr| is_field(place, name, "position");
    begins(items).find_map(|(left, right)| {
        let ExprKind::Field { base, field } = &left.kind else { return None };
        if is_position(left) {
            return component(right, axis);
        }
        (is_position(base) && field.text == AXES[axis]).then_some((right, None))
    })
}

/// `NAME.position`
fn is_field(place: &Expr, name: &str, wanted: &str) -> bool {
    let ExprKind::Field { base, field } = &place.kind else { return false };
    field.text == wanted && matches!(&base.kind, ExprKind::Name(owner) if owner == name)
}

/// Both sides of what is said to be equal at the start.
fn begins(items: &[Item]) -> impl Iterator<Item = (&Expr, &Expr)> {
    items.iter().filter_map(|item| match &item.kind {
        ItemKind::Initially(equation) => match &equation.relation {
            Relation::Equal { left, right } => Some((left, right)),
            _ => None,
        },
        _ => None,
    })
}

/// A number with its sign and unit, or a parameter; else why not.
fn read(value: &Expr, outer: Option<&str>, plain: Plain, places: &Places<'_>) -> Handle {
    let (sign, inner) = match &value.kind {
        ExprKind::Unary { operator: UnaryOperator::Negate, operand } => (-1.0, operand.as_ref()),
        _ => (1.0, value),
    };
    match (&inner.kind, outer) {
        (ExprKind::Name(name), None) => Handle::Parameter { name: name.clone(), sign },
        (ExprKind::Number { .. }, Some(unit)) => literal(value.span, unit, "", places),
        // Zero needs no unit; any other length does.
        (ExprKind::Number { .. }, None) => literal(value.span, plain.0, plain.1, places),
        (ExprKind::Quantity { value: number, unit }, None) => match &number.kind {
            // With its sign, and without its unit.
            ExprKind::Number { .. } => literal(Place { end: number.span.end, ..value.span }, &unit.text, "", places),
            _ => literal_or_expression(value, number, &unit.text, places),
        },
        _ => fixed("it is an expression, and not one number could be changed alone"),
    }
}

/// `-0.3 [m]` may be read as the negative of a quantity or a quantity that is negative.
fn literal_or_expression(value: &Expr, number: &Expr, unit: &str, places: &Places<'_>) -> Handle {
    match &number.kind {
        ExprKind::Unary { operator: UnaryOperator::Negate, operand }
            if matches!(operand.kind, ExprKind::Number { .. }) && value.span.start == number.span.start =>
        {
            literal(number.span, unit, "", places)
        }
        _ => fixed("it is an expression, and not one number could be changed alone"),
    }
}

fn literal(span: Place, unit: &str, written: &str, places: &Places<'_>) -> Handle {
    match Unit::parse(unit) {
        Ok(unit) if places.is_here(span) => {
            Handle::Literal { span: places.span(span), scale: unit.scale, unit: written.to_string(), start: false }
        }
        _ => fixed("it is written elsewhere"),
    }
}

fn fixed(why: &str) -> Handle {
    Handle::Fixed { why: why.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Diagnostics, Source, Sources};

    /// What stands in the text where each coordinate of `a` comes from.
    fn found(text: &str) -> Vec<String> {
        let mut sources = Sources::default();
        let source = sources.add(Source::new("a", text));
        let tree = syntax::parse(source, text, &mut Diagnostics::default());
        let told = |handle: Handle| match handle {
            Handle::Literal { span, scale, unit, start } => {
                let words = text.lines().nth(span.line - 1).unwrap_or_default();
                let word: String = words.chars().skip(span.column - 1).take(span.end_column - span.column).collect();
                format!("{word} × {scale} {unit}{}", if start { "from the start" } else { "" })
            }
            Handle::Parameter { name, sign } => format!("{sign} {name}"),
            Handle::Fixed { .. } => "fixed".to_string(),
        };
        handles(&tree.items, "a", &Places::of_scene(&sources)).into_iter().map(told).collect()
    }

    #[test]
    fn the_angle_about_an_axis_is_found() {
        let cases = [
            ("frame a { rotation = about z 30 [deg] }", "30 × 0.017453292519943295 "),
            ("frame a { rotation = about (0, -1, 0) -0.5 }", "-0.5 × 1 "),
            ("frame a { rotation = about x tilt }", "1 tilt"),
            (
                "frame a { rotation = about x free }\ninitially a.angle == 60 [deg]",
                "60 × 0.017453292519943295 from the start",
            ),
            ("frame a { rotation = about x free }", "fixed"),
            ("frame a { rotation = about x 2 * tilt }", "fixed"),
            ("frame a { rotation = about direction 30 [deg] }", "fixed"),
            ("frame a { rotation = free }", "fixed"),
            ("frame a", "fixed"),
        ];
        for (text, wanted) in cases {
            assert_eq!(found(text)[3], wanted, "{text}");
        }
        let tree = syntax::parse(Sources::default().add(Source::new("a", "")), cases[1].0, &mut Diagnostics::default());
        assert_eq!(axis(&tree.items, "a"), Some([0.0, -1.0, 0.0]));
    }

    #[test]
    fn the_one_number_or_parameter_is_found() {
        let cases = [
            ("body a { position = (0, -0.5, 2) [m] }", ["0 × 1 ", "-0.5 × 1 ", "2 × 1 "]),
            ("frame a { position = (4 [cm], 0, -3 [cm]) }", ["4 × 0.01 ", "0 × 1 m", "-3 × 0.01 "]),
            ("body a { position = (length, -length, 2 * length) }", ["1 length", "-1 length", "fixed"]),
            (
                "body a { position = (0, 0, free) }\ninitially a.position.z == 2 [m]",
                ["0 × 1 m", "0 × 1 m", "2 × 1 from the start"],
            ),
            (
                "body a { position = free }\ninitially a.position == (1, 2, 3) [m]",
                ["1 × 1 from the start", "2 × 1 from the start", "3 × 1 from the start"],
            ),
            ("body a { position = free }", ["fixed"; 3]),
            ("body a { mass = 1 [kg] }", ["fixed"; 3]),
            ("body b { position = (1, 2, 3) [m] }", ["fixed"; 3]),
        ];
        for (text, wanted) in cases {
            assert_eq!(found(text)[..3], wanted, "{text}");
        }
    }
}
