//! A simplified equation is shown only if it agrees with what was derived, at random points.

use base::Random;
use expr::{Arena, Expr, Formula, Kind, Point, SymbolId, Tape};

use super::{Draft, Proof};

/// Points that are tried, and those that must have a value.
const TRIED: usize = 24;
const NEEDED: usize = 8;
/// Of the largest value at any of the points: what rounding makes of a hundred terms, with digits of numbers that are not shown.
const AGREEMENT: f64 = 1e-9;

impl Draft<'_> {
    /// Whether `factor · (left − right)` is the residual wherever both have a value.
    pub fn certify(&self, residual: Expr, left: &Formula, right: &Formula, factor: &Formula) -> Option<Proof> {
        let tape = Tape::new(&self.arena, &[residual]);
        let symbols = symbols_of(&self.arena, residual);
        let mut random = Random::new(0x5eed);
        let (mut agreed, mut scale, mut worst) = (0, 0.0f64, 0.0f64);
        for _ in 0..TRIED {
            let point = self.random_point(&symbols, &mut random);
            let derived = tape.run(&point)[0];
            let terms = [left, right].map(|side| side.value(&point, &[]));
            let shown = factor.value(&point, &[]) * (terms[0] - terms[1]);
            if !derived.is_finite() {
                continue;
            }
            if !shown.is_finite() {
                return None;
            }
            agreed += 1;
            let size = terms.map(|side| (side * factor.value(&point, &[])).abs());
            scale = scale.max(derived.abs()).max(size[0]).max(size[1]);
            worst = worst.max((derived - shown).abs());
        }
        (agreed >= NEEDED && worst <= AGREEMENT * scale.max(f64::MIN_POSITIVE)).then_some(Proof::Checked(agreed))
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
}

pub fn symbols_of(arena: &Arena, expr: Expr) -> Vec<SymbolId> {
    arena.symbols_in(&[expr])
}
