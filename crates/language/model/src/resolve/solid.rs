//! Solids of uniform density: volume, and how far from the centre their mass is.

use base::{Diagnostic, Dimension, Exponent, Span};
use syntax::{Argument, Expr, ExprKind};

use super::space::Scope;
use super::{Outcome, Resolver, all};
use crate::codes;
use crate::term::{TermId, TermKind, Type};

/// A solid centred on the origin of its frame.
pub struct SolidRow {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub meaning: &'static str,
    /// volume = factor · Π argument ^ power; none for what has no thickness.
    volume: Option<(f64, &'static [i32])>,
    /// Mean squares of x, y, z = Σ factor · argument², as coefficients of each argument's square.
    spread: [&'static [f64]; 3],
}

const PI: f64 = std::f64::consts::PI;
const TWELFTH: f64 = 1.0 / 12.0;

#[rustfmt::skip]
pub const SHAPES: &[SolidRow] = &[
    SolidRow { name: "sphere", arguments: &["radius"], meaning: "solid ball",
        volume: Some((4.0 * PI / 3.0, &[3])), spread: [&[0.2], &[0.2], &[0.2]] },
    SolidRow { name: "shell", arguments: &["radius"], meaning: "thin spherical shell; give its mass",
        volume: None, spread: [&[1.0 / 3.0], &[1.0 / 3.0], &[1.0 / 3.0]] },
    SolidRow { name: "box", arguments: &["x", "y", "z"], meaning: "solid box with these edges",
        volume: Some((1.0, &[1, 1, 1])),
        spread: [&[TWELFTH, 0.0, 0.0], &[0.0, TWELFTH, 0.0], &[0.0, 0.0, TWELFTH]] },
    SolidRow { name: "ellipsoid", arguments: &["a", "b", "c"], meaning: "solid ellipsoid with these semi-axes",
        volume: Some((4.0 * PI / 3.0, &[1, 1, 1])),
        spread: [&[0.2, 0.0, 0.0], &[0.0, 0.2, 0.0], &[0.0, 0.0, 0.2]] },
    SolidRow { name: "cylinder", arguments: &["radius", "height"], meaning: "solid cylinder along z",
        volume: Some((PI, &[2, 1])),
        spread: [&[0.25, 0.0], &[0.25, 0.0], &[0.0, TWELFTH]] },
    SolidRow { name: "torus", arguments: &["major", "minor"], meaning: "solid torus around z",
        volume: Some((2.0 * PI * PI, &[1, 2])),
        spread: [&[0.5, 0.375], &[0.5, 0.375], &[0.0, 0.25]] },
];

pub(super) struct Solid {
    pub name: &'static str,
    pub sizes: Vec<TermId>,
    pub volume: Option<TermId>,
    pub spread: [TermId; 3],
}

impl Resolver<'_, '_> {
    pub(super) fn solid(&mut self, value: &Expr, scope: &Scope) -> Outcome<Solid> {
        let (name, arguments) = match &value.kind {
            ExprKind::Call { function, arguments } => match &function.kind {
                ExprKind::Name(name) => (name.as_str(), arguments.as_slice()),
                _ => ("", arguments.as_slice()),
            },
            ExprKind::Error => return Err(super::Reported),
            _ => ("", [].as_slice()),
        };
        let Some(row) = SHAPES.iter().find(|row| row.name == name) else {
            let known: Vec<&str> = SHAPES.iter().map(|row| row.name).collect();
            let hint = match base::nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", known.join(", ")),
            };
            let diagnostic = Diagnostic::error(codes::UNKNOWN_PROPERTY, "there is no such shape")
                .at(value.span, "unknown")
                .hint(hint);
            return Err(self.report(diagnostic));
        };
        if arguments.len() != row.arguments.len() {
            let usage = format!("`{}({})`", row.name, row.arguments.join(", "));
            return Err(self.report(
                Diagnostic::error(codes::WRONG_ARGUMENTS, format!("this shape is written {usage}"))
                    .at(value.span, "here"),
            ));
        }
        let length = Type::scalar(Dimension::LENGTH);
        let size = |argument: &Argument| self.expect(&argument.value, scope, length, "the size of a shape");
        let sizes = all(arguments.iter().map(size))?;
        Ok(self.measure(row, &sizes, value.span))
    }

    fn measure(&mut self, row: &'static SolidRow, sizes: &[TermId], span: Span) -> Solid {
        let volume = row.volume.map(|(factor, powers)| {
            let (mut volume, mut degree) = (self.plain_number(factor, span), 0);
            for (&size, &power) in sizes.iter().zip(powers) {
                let factor = self.length_power(size, power, span);
                degree += power;
                volume = self.push(TermKind::Multiply(volume, factor), Type::scalar(length_to(degree)), span);
            }
            volume
        });
        let spread = row.spread.map(|coefficients| {
            let mut sum = self.number(0.0, span);
            for (&size, &coefficient) in sizes.iter().zip(coefficients) {
                let square = self.length_power(size, 2, span);
                let factor = self.plain_number(coefficient, span);
                let part = self.push(TermKind::Multiply(factor, square), Type::scalar(length_to(2)), span);
                sum = self.add_squares(sum, part, span);
            }
            sum
        });
        Solid { name: row.name, sizes: sizes.to_vec(), volume, spread }
    }

    /// The sum of two squared lengths.
    pub(super) fn add_squares(&mut self, a: TermId, b: TermId, span: Span) -> TermId {
        self.push(TermKind::Add(a, b), Type::scalar(length_to(2)), span)
    }

    fn length_power(&mut self, size: TermId, power: i32, span: Span) -> TermId {
        self.push(TermKind::Power(size, f64::from(power)), Type::scalar(length_to(power)), span)
    }
}

fn length_to(power: i32) -> Dimension {
    let exponent = Exponent::new(i64::from(power), 1).unwrap_or(Exponent::ZERO);
    Dimension::LENGTH.power(exponent).unwrap_or(Dimension::NONE)
}
