//! Solids of uniform density: volume, and how far from the centre their mass is.

use base::{Diagnostic, Dimension, Exponent, Span};
use syntax::{Argument, Expr, ExprKind};

use super::hull::Cornered;
use super::space::Scope;
use super::{Outcome, Resolver, all};
use crate::codes;
use crate::term::{TermId, TermKind, Type};

/// A solid centred on the origin of its frame.
pub struct SolidRow {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub meaning: &'static str,
    /// None for what has no thickness.
    volume: &'static [Monomial],
    spread: Spread,
}

/// factor · Π argument ^ power
type Monomial = (f64, &'static [i32]);

/// Mean squares of x, y, z over the solid.
enum Spread {
    /// Σ factor · argument², as coefficients of each argument's square.
    Squares([&'static [f64]; 3]),
    /// Integrals of x², y², z², to be divided by the volume.
    Integrals([&'static [Monomial]; 3]),
}

use Spread::{Integrals, Squares};

const PI: f64 = std::f64::consts::PI;
const TWELFTH: f64 = 1.0 / 12.0;

#[rustfmt::skip]
pub const SHAPES: &[SolidRow] = &[
    SolidRow { name: "sphere", arguments: &["radius"], meaning: "solid ball",
        volume: &[(4.0 * PI / 3.0, &[3])], spread: Squares([&[0.2], &[0.2], &[0.2]]) },
    SolidRow { name: "shell", arguments: &["radius"], meaning: "thin spherical shell; give its mass",
        volume: &[], spread: Squares([&[1.0 / 3.0], &[1.0 / 3.0], &[1.0 / 3.0]]) },
    SolidRow { name: "box", arguments: &["x", "y", "z"], meaning: "solid box with these edges",
        volume: &[(1.0, &[1, 1, 1])],
        spread: Squares([&[TWELFTH, 0.0, 0.0], &[0.0, TWELFTH, 0.0], &[0.0, 0.0, TWELFTH]]) },
    SolidRow { name: "ellipsoid", arguments: &["a", "b", "c"], meaning: "solid ellipsoid with these semi-axes",
        volume: &[(4.0 * PI / 3.0, &[1, 1, 1])],
        spread: Squares([&[0.2, 0.0, 0.0], &[0.0, 0.2, 0.0], &[0.0, 0.0, 0.2]]) },
    SolidRow { name: "cylinder", arguments: &["radius", "height"], meaning: "solid cylinder along z",
        volume: &[(PI, &[2, 1])],
        spread: Squares([&[0.25, 0.0], &[0.25, 0.0], &[0.0, TWELFTH]]) },
    SolidRow { name: "torus", arguments: &["major", "minor"], meaning: "solid torus around z",
        volume: &[(2.0 * PI * PI, &[1, 2])],
        spread: Squares([&[0.5, 0.375], &[0.5, 0.375], &[0.0, 0.25]]) },
    SolidRow { name: "capsule", arguments: &["radius", "length"], meaning: "solid cylinder along z with round caps beyond its length",
        volume: &[(PI, &[2, 1]), (4.0 * PI / 3.0, &[3, 0])],
        spread: Integrals([
            &[(PI / 4.0, &[4, 1]), (4.0 * PI / 15.0, &[5, 0])],
            &[(PI / 4.0, &[4, 1]), (4.0 * PI / 15.0, &[5, 0])],
            &[(PI / 12.0, &[2, 3]), (PI / 3.0, &[3, 2]), (PI / 2.0, &[4, 1]), (4.0 * PI / 15.0, &[5, 0])],
        ]) },
    SolidRow { name: "cone", arguments: &["radius", "height"], meaning: "solid cone along z, its centre of mass at the origin: a quarter of its height above the base",
        volume: &[(PI / 3.0, &[2, 1])],
        spread: Squares([&[0.15, 0.0], &[0.15, 0.0], &[0.0, 0.0375]]) },
    SolidRow { name: "rod", arguments: &["length"], meaning: "thin rod along z; give its mass",
        volume: &[], spread: Squares([&[0.0], &[0.0], &[TWELFTH]]) },
    SolidRow { name: "hull", arguments: &["corner", "corner", "corner", "corner", "…"], meaning: "convex solid with these corners, at least four, each a position",
        volume: &[], spread: Squares([&[], &[], &[]]) },
];

pub(super) struct Solid {
    pub name: &'static str,
    pub sizes: Vec<TermId>,
    pub volume: Option<TermId>,
    pub spread: [TermId; 3],
    pub cornered: Option<Cornered>,
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
        if row.name == "hull" {
            return self.hull(row, arguments, scope, value.span);
        }
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
        let volume = (!row.volume.is_empty()).then(|| self.polynomial(row.volume, sizes, span));
        let spread = match (&row.spread, volume) {
            (Integrals(integrals), Some(volume)) => integrals.map(|integral| {
                let integral = self.polynomial(integral, sizes, span);
                self.push(TermKind::Divide(integral, volume), Type::scalar(length_to(2)), span)
            }),
            (Integrals(_), None) => unreachable!("what has no volume gives its mean squares"),
            (Squares(spread), _) => spread.map(|coefficients| {
                let mut sum = self.number(0.0, span);
                for (&size, &coefficient) in sizes.iter().zip(coefficients) {
                    let square = self.length_power(size, 2, span);
                    let factor = self.plain_number(coefficient, span);
                    let part = self.push(TermKind::Multiply(factor, square), Type::scalar(length_to(2)), span);
                    sum = self.add_squares(sum, part, span);
                }
                sum
            }),
        };
        Solid { name: row.name, sizes: sizes.to_vec(), volume, spread, cornered: None }
    }

    /// A sum of monomials of one degree in the sizes.
    fn polynomial(&mut self, monomials: &[Monomial], sizes: &[TermId], span: Span) -> TermId {
        let mut sum = None;
        for &(factor, powers) in monomials {
            let (mut product, mut degree) = (self.plain_number(factor, span), 0);
            for (&size, &power) in sizes.iter().zip(powers).filter(|(_, power)| **power != 0) {
                let factor = self.length_power(size, power, span);
                degree += power;
                product = self.push(TermKind::Multiply(product, factor), Type::scalar(length_to(degree)), span);
            }
            sum = Some(match sum {
                None => product,
                Some(sum) => self.push(TermKind::Add(sum, product), Type::scalar(length_to(degree)), span),
            });
        }
        sum.unwrap_or_else(|| self.number(0.0, span))
    }

    /// The sum of two squared lengths.
    pub(super) fn add_squares(&mut self, a: TermId, b: TermId, span: Span) -> TermId {
        self.push(TermKind::Add(a, b), Type::scalar(length_to(2)), span)
    }

    fn length_power(&mut self, size: TermId, power: i32, span: Span) -> TermId {
        self.push(TermKind::Power(size, f64::from(power)), Type::scalar(length_to(power)), span)
    }
}

pub(super) fn length_to(power: i32) -> Dimension {
    let exponent = Exponent::new(i64::from(power), 1).unwrap_or(Exponent::ZERO);
    Dimension::LENGTH.power(exponent).unwrap_or(Dimension::NONE)
}
