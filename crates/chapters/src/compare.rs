//! Whether two expressions mean the same, however they are written: compared at points with nothing special about them.

use base::Random;
use expr::{Arena, Expr, Point, Tape};

const POINTS: usize = 4;
/// Relative to the larger value; two ways to write a formula of some dozen operations differ by less.
const ROUNDING: f64 = 1e-9;

/// Whether two expressions have the same value everywhere.
pub fn same_value(arena: &Arena, found: Expr, stated: Expr) -> Result<(), String> {
    for (found, stated) in values(arena, found, stated) {
        if !close(found, stated) {
            return Err(format!("{found} at a random point, where {stated} is stated"));
        }
    }
    Ok(())
}

/// Whether `found = 0` and `stated = 0` are one equation: the residuals differ by a constant factor.
pub fn same_equation(arena: &Arena, found: Expr, stated: Expr) -> Result<(), String> {
    let values = values(arena, found, stated);
    let (first, scale) = values[0];
    let factor = first / scale;
    if !(factor.is_finite() && factor != 0.0) {
        return Err(format!("a residual is {first} at a random point, where {scale} is stated"));
    }
    match values.into_iter().find(|&(found, stated)| !close(found, factor * stated)) {
        None => Ok(()),
        Some((found, stated)) => {
            Err(format!("residuals are {first} and {found} at two points, where {scale} and {stated} are stated"))
        }
    }
}

fn values(arena: &Arena, found: Expr, stated: Expr) -> Vec<(f64, f64)> {
    let tape = Tape::new(arena, &[found, stated]);
    let symbols = arena.symbols_in(&[found, stated]);
    let mut random = Random::new(1);
    let value = |_| {
        let point: Point = symbols.iter().map(|&symbol| (symbol, random.between(0.3, 1.1))).collect();
        let values = tape.run(&point);
        (values[0], values[1])
    };
    (0..POINTS).map(value).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * (1.0 + a.abs().max(b.abs()))
}
