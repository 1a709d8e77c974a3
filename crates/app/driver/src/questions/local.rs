//! What is known near an answer: whether it is stable, and how it follows the parameters.

use expr::{Arena, Expr, Point, SymbolId, Tape, jacobian};

use super::case::Case;
use super::equations::Reach;
use crate::linearization::{eigenvalues, solve_matrix};

/// How the transient model of the same laws moves near an answer.
pub enum Nearby {
    /// The real part of the slowest motion, per second, and what moves, if that is one number only.
    Rate(f64, Option<String>),
    /// Nothing of it changes in time.
    Still,
    /// Why that cannot be said.
    Unknown(String),
}

/// Solves the equations of the answer, linearised, for the rates that were held at zero.
pub fn stability(case: &Case, reach: &Reach, at: &Point) -> Nearby {
    let arena = &case.system.arena;
    let rows: Vec<Expr> = reach.rows.iter().map(|&row| case.open_rows[row].residual).collect();
    let used = arena.symbols_in(&rows);
    let moving = case.steady.iter().filter(|(rate, of)| used.contains(rate) && reach.unknowns.contains(of));
    let (rates, states): (Vec<SymbolId>, Vec<SymbolId>) = moving.copied().unzip();
    if states.is_empty() {
        return Nearby::Still;
    }
    if !case.system.signals.is_empty() {
        return Nearby::Unknown("it depends on what was, and whether that dies away is not looked at".to_string());
    }
    let others = reach.unknowns.iter().copied().filter(|symbol| !states.contains(symbol));
    let solved: Vec<SymbolId> = rates.iter().copied().chain(others).collect();
    if solved.len() != rows.len() {
        return Nearby::Unknown("the equations hold something that the transient model would let move".to_string());
    }
    let mut point = at.clone();
    point.extend(rates.iter().map(|&rate| (rate, 0.0)));
    let by_solved = matrix(arena, &rows, &solved, &point);
    let by_states = matrix(arena, &rows, &states, &point);
    let Ok(response) = solve_matrix(by_solved, by_states) else {
        return Nearby::Unknown("the rates do not follow from the equations as they stand".to_string());
    };
    let motion: Vec<Vec<f64>> = response[..states.len()].iter().map(|row| row.iter().map(|x| -x).collect()).collect();
    let slowest = eigenvalues(&motion).map(|all| all.iter().map(|(real, _)| *real).fold(f64::NEG_INFINITY, f64::max));
    match slowest {
        Some(rate) if rate.is_finite() => {
            let alone = (states.len() == 1).then(|| arena.symbol_name(states[0]).to_string());
            Nearby::Rate(rate, alone)
        }
        _ => Nearby::Unknown("the linear model near it has no finite rates".to_string()),
    }
}

/// The derivative of each asked column by each parameter, by the implicit function theorem.
pub fn sensitivity(case: &Case, reach: &Reach, at: &Point, asked: &[Expr]) -> Option<Vec<Vec<f64>>> {
    let arena = &case.system.arena;
    let rows: Vec<Expr> = reach.rows.iter().map(|&row| case.open_rows[row].residual).collect();
    let parameters: Vec<SymbolId> = case.system.parameters.iter().map(|it| it.symbol).collect();
    let mut point = at.clone();
    point.extend(case.steady.iter().map(|&(rate, _)| (rate, 0.0)));
    let by_unknowns = matrix(arena, &rows, &reach.unknowns, &point);
    let by_parameters = matrix(arena, &rows, &parameters, &point);
    let moved = solve_matrix(by_unknowns, by_parameters).ok()?;
    let outer = matrix(arena, asked, &reach.unknowns, &point);
    let own = matrix(arena, asked, &parameters, &point);
    let change = |row: usize, parameter: usize| {
        let through: f64 = (0..reach.unknowns.len()).map(|k| outer[row][k] * moved[k][parameter]).sum();
        own[row][parameter] - through
    };
    Some((0..asked.len()).map(|row| (0..parameters.len()).map(|at| change(row, at)).collect()).collect())
}

/// Derivatives of some expressions by some symbols at a point.
pub fn matrix(arena: &Arena, rows: &[Expr], by: &[SymbolId], point: &Point) -> Vec<Vec<f64>> {
    let entries = jacobian(arena, rows, by);
    let exprs: Vec<Expr> = entries.iter().map(|&(_, _, entry)| entry).collect();
    let mut matrix = vec![vec![0.0; by.len()]; rows.len()];
    let values = Tape::new(arena, &exprs).run(point);
    entries.iter().zip(values).for_each(|(&(row, column, _), value)| matrix[row][column] = value);
    matrix
}
