//! Whether the equations of a transition determine the state after it: neither too little is said, nor too much.

use base::{Diagnostic, Span};
use equations::{Reset, Settled, settle};
use expr::{Expr, Point, SymbolId, Tape, jacobian};
use rustc_hash::FxHashSet;

use crate::formulate::Formulation;

impl Formulation<'_> {
    /// Reports positions or velocities that nothing determines, or too much does. Equations that follow from others are dropped.
    pub fn check_reset(&mut self, reset: &mut Reset, what: &str, stated: &model::Transition) {
        if reset.least {
            return self.check_least(reset, what, stated);
        }
        let settled = settle(self.arena, reset);
        let (count, wanted) = (reset.equations.len() - settled.redundant.len(), reset.unknowns.len());
        if let Some(&(at, left)) = settled.demands.first() {
            return self.report_demand(reset, (at, left), what, stated);
        }
        let open = self.undetermined(reset, &settled);
        if matches!(open, Open::None) && settled.unsolved.len() == settled.open.len() {
            let mut at = 0..;
            reset.equations.retain(|_| at.next().is_some_and(|at| !settled.redundant.contains(&at)));
            return;
        }
        let label = match open {
            Open::None => format!("{} for {wanted} {what}", equations(count)),
            Open::Unheard(names) => format!("nothing is said of {}", names.join(", ")),
            Open::Left(names) => format!("its equations leave {} open", names.join(", ")),
        };
        let hint = match settled.unsolved.len() <= settled.open.len() {
            true if !stated.kept.except.is_empty() => format!(
                "what stands after `except` leaves open all {what} on which it depends, here {wanted}: say of each what becomes of it, as in `keep top.omega.x`"
            ),
            true => {
                format!("add `keep {what}`, `keep all except …`, or `satisfy {} constraints`", what_constraints(what))
            }
            false => format!("drop some equations, or what is kept: `keep all except …` leaves the named {what} open"),
        };
        let name = &stated.name;
        self.sink.report(
            Diagnostic::error(equations::codes::OPEN_RESET, format!("`{name}` does not determine the {what} after it"))
                .at(stated.span, label)
                .hint(hint),
        );
    }

    fn undetermined(&self, reset: &Reset, settled: &Settled) -> Open {
        let rows: Vec<Expr> = settled.unsolved.iter().map(|&(_, row)| row).collect();
        let stated: Vec<Expr> = reset.equations.iter().map(|equation| equation.residual).collect();
        let mentioned: FxHashSet<SymbolId> = self.arena.symbols_in(&stated).into_iter().collect();
        let name = |symbol: &SymbolId| format!("`{}`", self.arena.symbol_name(*symbol).trim_end_matches('⁺'));
        let unheard: Vec<String> = reset.unknowns.iter().filter(|it| !mentioned.contains(it)).map(name).collect();
        if !unheard.is_empty() {
            return Open::Unheard(unheard);
        }
        let open = &settled.open;
        match rows.len() <= open.len() && generic_rank(self, &rows, open) < open.len() {
            true => Open::Left(open.iter().map(name).collect()),
            false => Open::None,
        }
    }

    /// What is to change as little as possible may be left open; but what is said of it must not contradict itself.
    fn check_least(&mut self, reset: &Reset, what: &str, stated: &model::Transition) {
        let demands = settle(self.arena, reset).demands;
        let contradiction = demands.into_iter().find(|&(_, left)| self.arena.as_number(left).is_some());
        if let Some(demand) = contradiction {
            self.report_demand(reset, demand, what, stated);
        }
    }

    /// An equation that the others leave no room for.
    fn report_demand(&mut self, reset: &Reset, (at, left): (usize, Expr), what: &str, stated: &model::Transition) {
        let equation = &reset.equations[at];
        if self.arena.symbols_in(&[equation.residual]).is_empty() {
            let message = format!("`{}` says something that is never true", stated.name);
            self.sink.report(
                Diagnostic::error(equations::codes::OPEN_RESET, message)
                    .at(equation.span, "the sides differ, whatever the state is")
                    .hint("say what is after it in terms of what was before: `n == pre(n) + 1`"),
            );
            return;
        }
        let never = self.arena.as_number(left).is_some();
        let own = equation.span;
        let spoken = |residual: Expr| {
            let symbols = self.arena.symbols_in(&[residual]).into_iter();
            symbols.filter(|symbol| reset.unknowns.contains(symbol)).collect::<Vec<SymbolId>>()
        };
        let about = spoken(equation.residual);
        let others = reset.equations.iter().filter(|other| other.span != own);
        let others = others.filter(|other| spoken(other.residual).iter().any(|symbol| about.contains(symbol)));
        let mut others: Vec<Span> = others.map(|other| other.span).collect();
        others.dedup();
        let message = match never {
            true => format!("what `{}` says of the {what} after it contradicts itself", stated.name),
            false => format!("`{}` does not determine the {what} after it: it says too much", stated.name),
        };
        let label = match never {
            true => "this cannot hold together with the rest",
            false => "the rest determines this already: it would have to hold beforehand",
        };
        let mut diagnostic = Diagnostic::error(equations::codes::OPEN_RESET, message).at(own, label);
        if reset.unknowns.is_empty() {
            diagnostic = diagnostic.at(stated.span, format!("all {what} are kept"));
        }
        for span in others.into_iter().take(3) {
            diagnostic = diagnostic.at(span, "together with this");
        }
        let hint = format!("drop one of them, or what is kept: `keep all except …` leaves the named {what} open");
        self.sink.report(diagnostic.hint(hint));
    }
}

/// Unknowns that are not determined.
enum Open {
    None,
    /// No equation mentions them.
    Unheard(Vec<String>),
    /// Wherever one looks, the equations can be solved in more than one way.
    Left(Vec<String>),
}

/// The rank of equations with respect to unknowns, at the best of a few points.
fn generic_rank(formulation: &Formulation<'_>, rows: &[Expr], unknowns: &[SymbolId]) -> usize {
    const TRIES: usize = 4;
    let arena = formulation.arena;
    let entries = jacobian(arena, rows, unknowns);
    let slopes: Vec<Expr> = entries.iter().map(|&(_, _, slope)| slope).collect();
    let symbols = arena.symbols_in(&slopes);
    let tape = Tape::new(arena, &slopes);
    let rank = |attempt: usize| {
        let value = |at: usize| 0.3 + ((attempt * 31 + at * 17 + 5) as f64 * 0.618_033_988_749_894_9).fract();
        let point: Point = symbols.iter().enumerate().map(|(at, &symbol)| (symbol, value(at))).collect();
        let mut matrix = vec![vec![0.0; unknowns.len()]; rows.len()];
        for (&(row, column, _), slope) in entries.iter().zip(tape.run(&point)) {
            matrix[row][column] = slope;
        }
        // What has no value there says nothing.
        if matrix.iter().flatten().all(|entry| entry.is_finite()) { rank(matrix) } else { unknowns.len() }
    };
    (0..TRIES).map(rank).max().unwrap_or(0)
}

fn rank(mut matrix: Vec<Vec<f64>>) -> usize {
    // A pivot of rows that are scaled to one; what cancels leaves about 1e-15 for each row eliminated before.
    // Test: a_row_counts_by_more_than_rounding
    const SMALL: f64 = 1e-9;
    let (mut rank, columns) = (0, matrix.first().map_or(0, Vec::len));
    for row in &mut matrix {
        let size = row.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        row.iter_mut().filter(|_| size > 0.0).for_each(|entry| *entry /= size);
    }
    for column in 0..columns {
        let pivot = (rank..matrix.len()).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()));
        let Some(pivot) = pivot.filter(|&pivot| matrix[pivot][column].abs() > SMALL) else { continue };
        matrix.swap(rank, pivot);
        let (above, below) = matrix.split_at_mut(rank + 1);
        for row in below {
            let factor = row[column] / above[rank][column];
            row.iter_mut().zip(&above[rank]).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
        rank += 1;
    }
    rank
}

fn equations(count: usize) -> String {
    if count == 1 { "one equation".to_string() } else { format!("{count} equations") }
}

fn what_constraints(what: &str) -> &str {
    if what == "positions" { "position" } else { "velocity" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_counts_by_more_than_rounding() {
        let two = |left: f64| rank(vec![vec![1.0, 1.0], vec![3.0, 3.0 + left]]);
        assert_eq!((two(3e-8), two(3e-10)), (2, 1));
    }
}
