//! Generic points: states with nothing special about them but that they satisfy the constraints on positions.
//!
//! Ranks and zero tests are decided at such points. A parameter has its default, since that is what the author had in mind.

use base::Random;
use equations::{ConstraintId, Level, System};
use expr::{Arena, Expr, Point, SymbolId, Tape};
use structure::connected_components;

use crate::jacobian::SparseJacobian;
use crate::rank::{VANISHING, shortest_step};

/// How many points are looked at.
const POINTS: u64 = 3;

/// What counts as nothing of an equation far from where all hold.
const COARSE: f64 = 1e-2;

/// Newton steps to a generic point, and how many of them may be long ones.
const MOST_STEPS: usize = 40;
const MOST_FAR: usize = 10;
const FAR: f64 = 1.0;

/// Some generic points; the same system always gets the same ones. Those that do not satisfy the constraints tell little of what holds
/// where all are satisfied, and stand in only where no other is found.
pub fn points(system: &System) -> Vec<Point> {
    let constraints: Vec<ConstraintId> = system.constraints_at(Level::Position).into_iter().map(|(id, _)| id).collect();
    let manifold = Manifold::of_positions(system, &constraints);
    let found: Vec<(Point, bool)> = (0..POINTS).map(|seed| point(system, &manifold, seed)).collect();
    let any = found.iter().any(|(_, meets)| *meets);
    let told = found.into_iter().filter(|(_, meets)| *meets || !any).map(|(point, _)| point);
    told.filter(|point| point.values().all(|value| value.is_finite())).collect()
}

/// The nearer the guesses, the surer the constraints can be met; but too near, nothing is generic.
const SPREADS: [f64; 4] = [0.3, 0.1, 0.03, 0.01];

/// The first that satisfies the constraints, or else the first of all; and whether it does.
fn point(system: &System, manifold: &Manifold, seed: u64) -> (Point, bool) {
    let [widest, nearer @ ..] = SPREADS;
    let first = point_within(system, manifold, seed, widest);
    if first.1 {
        return first;
    }
    let mut nearer = nearer.into_iter().map(|spread| point_within(system, manifold, seed, spread));
    nearer.find(|(_, meets)| *meets).unwrap_or(first)
}

/// A point not too far from the guesses, and whether it satisfies the constraints on positions.
fn point_within(system: &System, manifold: &Manifold, seed: u64, spread: f64) -> (Point, bool) {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1));
    let mut point = Point::default();
    point.insert(system.time, random.between(0.1, 0.9));
    point.extend(system.parameters.iter().map(|parameter| (parameter.symbol, parameter.default)));
    point.extend(system.controls.iter().map(|control| (control.symbol, control.default + random.between(0.1, 0.3))));
    let guesses: Vec<Expr> = system.coordinates.iter().map(|coordinate| coordinate.guess).collect();
    let guesses = Tape::new(&system.arena, &guesses).run(&point);
    for (coordinate, guess) in system.coordinates.iter().zip(guesses) {
        let spread = spread + 0.05 * guess.abs() * spread / SPREADS[0];
        point.insert(coordinate.symbol, guess + random.between(-spread, spread));
    }
    let unknown = system.speeds.iter().flat_map(|speed| [speed.symbol, speed.acceleration]);
    for symbol in unknown.chain(system.multiplier_symbols()) {
        point.insert(symbol, random.between(-1.0, 1.0));
    }
    let meets = manifold.approach(&mut point);
    let finite = point.values().all(|value| value.is_finite());
    (point, meets && finite)
}

/// Where some residuals vanish, and what can be moved to get there.
pub struct Manifold {
    unknowns: Vec<SymbolId>,
    matrix: SparseJacobian,
    residuals: Tape,
    /// Rows and columns of each group of residuals that share unknowns, which is solved by itself.
    groups: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Manifold {
    /// Where some constraints on positions hold. Where these depend on one another, those that come first are met.
    pub fn of_positions(system: &System, constraints: &[ConstraintId]) -> Manifold {
        let residuals = constraints.iter().filter_map(|id| system.constraints[id.index()].at(Level::Position));
        Manifold::new(&system.arena, &residuals.collect::<Vec<Expr>>(), system.coordinate_symbols(), usize::MAX)
    }

    /// Groups of residuals that are larger than `largest` are left as they are.
    pub fn new(arena: &Arena, residuals: &[Expr], unknowns: Vec<SymbolId>, largest: usize) -> Manifold {
        let matrix = SparseJacobian::of(arena, residuals, &unknowns);
        let mut groups = connected_components(&matrix.incidence());
        groups.retain(|(rows, columns)| !rows.is_empty() && !columns.is_empty() && rows.len() <= largest);
        Manifold { unknowns, matrix, residuals: Tape::new(arena, residuals), groups }
    }

    /// Moves a point there, as near as some Newton steps bring it. Whether the steps have come to an end.
    pub fn approach(&self, point: &mut Point) -> bool {
        // Equations that depend on one another where all hold, as those of a loop of hinges do, are a little independent everywhere
        // else, and lead astray there: how little counts as nothing depends on how far it still is, and a long chain of loops makes
        // that some hundred times more.
        let mut vanishing = COARSE;
        for round in 0..MOST_STEPS {
            let Some(largest) = self.step(point, vanishing) else { return false };
            // The next one would be as small as rounding.
            if largest < 1e-10 {
                return true;
            }
            if largest > FAR && round >= MOST_FAR {
                return false;
            }
            vanishing = (100.0 * largest).clamp(100.0 * VANISHING, COARSE);
        }
        false
    }

    /// One Newton step of each group, no longer than 1; the largest change that was asked for, if it is a number.
    fn step(&self, point: &mut Point, vanishing: f64) -> Option<f64> {
        let left = self.residuals.run(point);
        let values = self.matrix.at(point);
        let mut largest = 0.0_f64;
        for (rows, columns) in &self.groups {
            let residuals: Vec<f64> = rows.iter().map(|&row| left[row]).collect();
            let step = shortest_step(&values.part(rows, columns), &residuals, columns.len(), vanishing);
            let size = step.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            if !size.is_finite() {
                return None;
            }
            let damping = if size > 1.0 { 1.0 / size } else { 1.0 };
            for (&column, change) in columns.iter().zip(step) {
                *point.entry(self.unknowns[column]).or_default() += damping * change;
            }
            largest = largest.max(size);
        }
        Some(largest)
    }
}
