//! A simplified equation is shown only if it agrees with what was derived, at random points.

use base::Random;
use expr::{Arena, Expr, Formula, Kind, Point, SymbolId, Tape};

use super::{Draft, Proof};
use crate::system::{ConstraintKind, Level};

/// Points that are tried, and those that must have a value.
const TRIED: usize = 24;
const NEEDED: usize = 8;
/// Of the largest value at any of the points: what rounding makes of a hundred terms, with digits of numbers that are not shown.
// Test: only_what_agrees_is_shown
const AGREEMENT: f64 = 1e-9;

impl Draft<'_> {
    /// Whether `factor · (left − right)` is the residual wherever both have a value.
    pub fn certify(&self, residual: Expr, left: &Formula, right: &Formula, factor: &Formula) -> Option<Proof> {
        let symbols = symbols_of(&self.arena, residual);
        let mut random = Random::new(0x5eed);
        let points = (0..TRIED).map(|_| self.random_point(&symbols, &mut random));
        agreement(&self.arena, residual, [left, right, factor], points).map(Proof::Checked)
    }

    /// Constants near their values, all else of either sign and about one.
    pub fn random_point(&self, symbols: &[SymbolId], random: &mut Random) -> Point {
        let system = self.system;
        let default = |symbol: SymbolId| {
            let known = system.parameters.iter().find(|parameter| parameter.symbol == symbol);
            known.map(|parameter| parameter.default).filter(|value| *value != 0.0 && value.is_finite())
        };
        let mut point = Point::default();
        for &symbol in symbols {
            let drawn = random.between(-1.5, 1.5);
            let value = match default(symbol) {
                Some(value) if self.kind(symbol) == Kind::Constant => value * (1.0 + 0.3 * drawn),
                _ => drawn,
            };
            point.insert(symbol, value);
        }
        point.extend(self.gravity);
        point
    }

    /// Whether an expression is nothing but rounding beside another, wherever rotations are rotations.
    pub fn vanishes(&self, expr: Expr, beside: Expr) -> bool {
        let tape = Tape::new(&self.arena, &[expr, beside]);
        let symbols = self.arena.symbols_in(&[expr, beside]);
        let norms = self.system.constraints.iter().filter(|constraint| constraint.kind == ConstraintKind::Invariant);
        let norms: Vec<Vec<SymbolId>> = norms
            .filter_map(|constraint| constraint.at(Level::Position))
            .map(|residual| self.system.arena.symbols_in(&[residual]))
            .collect();
        let mut random = Random::new(0xe01e);
        (0..TRIED).all(|_| {
            let mut point = self.random_point(&symbols, &mut random);
            for members in &norms {
                let size = members.iter().filter_map(|member| point.get(member)).map(|it| it * it).sum::<f64>().sqrt();
                members.iter().for_each(|member| _ = point.entry(*member).and_modify(|it| *it /= size));
            }
            let values = tape.run(&point);
            values[0].abs() <= AGREEMENT * values[1].abs().max(1.0)
        })
    }
}

/// At how many points they agree; nothing if they differ at one, or have a value at too few.
fn agreement(
    arena: &Arena,
    residual: Expr,
    [left, right, factor]: [&Formula; 3],
    points: impl Iterator<Item = Point>,
) -> Option<usize> {
    let tape = Tape::new(arena, &[residual]);
    let (mut agreed, mut scale, mut worst) = (0, 0.0f64, 0.0f64);
    for point in points {
        let derived = tape.run(&point)[0];
        let [left, right, factor] = [left, right, factor].map(|formula| formula.value(&point, &[]));
        let shown = factor * (left - right);
        if !derived.is_finite() {
            continue;
        }
        if !shown.is_finite() {
            return None;
        }
        agreed += 1;
        scale = scale.max(derived.abs()).max((left * factor).abs()).max((right * factor).abs());
        worst = worst.max((derived - shown).abs());
    }
    (agreed >= NEEDED && worst <= AGREEMENT * scale.max(f64::MIN_POSITIVE)).then_some(agreed)
}

pub fn symbols_of(arena: &Arena, expr: Expr) -> Vec<SymbolId> {
    arena.symbols_in(&[expr])
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::{Number, Operator};

    /// What is shown for `x sin² y + x cos² y − 1`, at a few points.
    fn shown(left: impl Fn(SymbolId) -> Formula, points: usize) -> Option<usize> {
        let arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.new_symbol(name));
        let square = |operator| {
            let turned = arena.apply(operator, &[arena.symbol(y)]);
            arena.multiply(arena.symbol(x), arena.power(turned, 2))
        };
        let both = arena.add(square(Operator::Sin), square(Operator::Cos));
        let residual = arena.subtract(both, arena.one());
        let mut random = Random::new(1);
        let point = |random: &mut Random| [x, y].map(|symbol| (symbol, random.between(-1.0, 1.0)));
        let points = (0..points).map(|_| Point::from_iter(point(&mut random)));
        let one = Formula::Number(Number::ONE);
        agreement(&arena, residual, [&left(x), &one, &one], points)
    }

    #[test]
    fn only_what_agrees_is_shown() {
        let nearly = |parts: i64| {
            move |x| {
                let little = Formula::Number(Number::fraction(1, parts));
                Formula::Sum(vec![(false, Formula::Symbol(x)), (false, little)])
            }
        };
        assert_eq!(shown(Formula::Symbol, 24), Some(24));
        assert_eq!(shown(nearly(100_000_000), 24), None);
        assert_eq!(shown(nearly(20_000_000_000), 24), Some(24));
        assert_eq!(shown(|_| Formula::Number(Number::ONE), 24), None);
        assert_eq!(shown(Formula::Symbol, NEEDED - 1), None);
    }
}
