//! Whether forces of constraint that somebody asks for are determined: where constraints depend on one another, only sums of them are.

use base::{Diagnostic, Diagnostics};
use equations::{Acting, System};
use expr::{Point, SymbolId};

use crate::codes;
use crate::jacobian::SparseJacobian;
use crate::redundancy::Dependence;

/// What is left of a sum of shares by rounding, relative to the largest of them.
const ROUNDING: f64 = 1e-7;

/// Warns of forces that change where some of a constraint's force is handed to those that it follows from.
pub fn warn_of_shares(system: &System, dependences: &[Dependence], points: &[Point], sink: &mut Diagnostics) {
    for asked in &system.reactions {
        let open: Vec<usize> =
            (0..asked.parts.len()).filter(|&part| is_open(system, asked, part, dependences, points)).collect();
        if open.is_empty() {
            continue;
        }
        let which = match (asked.parts.len(), open.as_slice()) {
            (1, _) | (3, [_, _, _]) => format!("`{}`", asked.label),
            (_, parts) => {
                let names = parts.iter().map(|&part| format!("`{}.{}`", asked.label, ["x", "y", "z"][part]));
                base::listed(&names.collect::<Vec<String>>())
            }
        };
        sink.report(
            Diagnostic::warning(codes::SHARED_FORCE, format!("{which}: what is shown is one of many values that fit"))
                .at(asked.span, "the constraints that hold this depend on others")
                .note("how these share the force that they need together is not determined, only its sum")
                .hint("drop constraints that say something twice: in the plane a hinge needs two equations, not five"),
        );
    }
}

/// If row c is Σ fᵢ row i, then λ_c + s and λᵢ − s fᵢ are forces too, for any s.
fn is_open(system: &System, asked: &Acting, part: usize, dependences: &[Dependence], points: &[Point]) -> bool {
    dependences.iter().any(|dependence| {
        let rows = std::iter::once(&dependence.constraint).chain(&dependence.on);
        let forces: Vec<SymbolId> = rows.filter_map(|id| system.constraints[id.index()].multiplier).collect();
        let shares = SparseJacobian::new(system, &[asked.parts[part]], &forces);
        points.iter().zip(&dependence.factors).any(|(point, factors)| {
            let shares: Vec<f64> = shares.at(point).dense(0);
            let largest = shares.iter().fold(0.0_f64, |largest, share| largest.max(share.abs()));
            let handed_on: f64 = shares[1..].iter().zip(factors).map(|(share, factor)| share * factor).sum();
            (shares[0] - handed_on).abs() > ROUNDING * largest
        })
    })
}
