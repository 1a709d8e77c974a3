//! What a program means, short and slow: functions are evaluated as they stand, systems solved by elimination.

use expr::{Arena, Expr, Point, Tape};
use program::{Binding, Function, Program};

/// Inputs of every function: parameters, controls and the time, as they are at the start.
pub fn inputs(program: &Program, t: f64) -> Point {
    let parameters = program.parameters.iter().map(|it| (it.symbol, it.default));
    let controls = program.controls.iter().map(|it| (it.symbol, it.default));
    parameters.chain(controls).chain([(program.time, t)]).collect()
}

/// The results of a function at a point; what it binds on the way is known afterwards.
pub fn results(arena: &Arena, function: &Function, point: &mut Point) -> Vec<f64> {
    for binding in &function.body {
        match binding {
            Binding::Linear(system) => {
                let (n, rows) = (system.unknowns.len(), system.right.len());
                let entries = values(arena, &binding.expressions(), point);
                let (slopes, right) = entries.split_at(system.matrix.len());
                let places = system.matrix.iter().map(|&(row, column, _)| (row, column));
                let found = shortest(&matrix(rows, n, places.zip(slopes)), right);
                point.extend(system.unknowns.iter().copied().zip(found));
            }
            Binding::Sum(sum) => {
                let found = values(arena, &sum.unrolled(arena), point);
                point.extend(sum.unknowns.iter().copied().zip(found));
            }
            Binding::Nonlinear(system) => {
                let seeds = values(arena, &system.seeds, point);
                point.extend(system.unknowns.iter().copied().zip(seeds));
                let (n, rows) = (system.unknowns.len(), system.residuals.len());
                let slopes: Vec<Expr> = system.jacobian.iter().map(|&(_, _, slope)| slope).collect();
                const STEPS: usize = 60;
                for _ in 0..STEPS {
                    let residuals = values(arena, &system.residuals, point);
                    let slopes = values(arena, &slopes, point);
                    let places = system.jacobian.iter().map(|&(row, column, _)| (row, column));
                    let step = shortest(&matrix(rows, n, places.zip(&slopes)), &residuals);
                    for (unknown, change) in system.unknowns.iter().zip(step) {
                        *point.entry(*unknown).or_default() -= change;
                    }
                }
            }
        }
    }
    values(arena, &function.results, point)
}

fn values(arena: &Arena, list: &[Expr], point: &Point) -> Vec<f64> {
    Tape::new(arena, list).run(point)
}

fn matrix<'v>(rows: usize, columns: usize, entries: impl Iterator<Item = ((usize, usize), &'v f64)>) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; columns]; rows];
    entries.for_each(|((row, column), value)| matrix[row][column] += value);
    matrix
}

/// The shortest x with A x = b, as Aᵀ y with A Aᵀ y = b; rows that say nothing new are passed over.
fn shortest(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    const NOTHING: f64 = 1e-18;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Gram and Schmidt: what each row says beyond those before it.
    let mut found: Vec<(Vec<f64>, f64)> = Vec::new();
    for (row, &value) in matrix.iter().zip(right) {
        let (mut rest, mut left) = (row.clone(), value);
        for (direction, amount) in &found {
            let share = dot(&rest, direction);
            rest.iter_mut().zip(direction).for_each(|(x, d)| *x -= share * d);
            left -= share * amount;
        }
        let size = dot(&rest, &rest);
        if size > NOTHING * dot(row, row).max(f64::MIN_POSITIVE) {
            let length = size.sqrt();
            found.push((rest.into_iter().map(|x| x / length).collect(), left / length));
        }
    }
    let columns = matrix.first().map_or(0, Vec::len);
    (0..columns).map(|at| found.iter().map(|(direction, amount)| amount * direction[at]).sum()).collect()
}
