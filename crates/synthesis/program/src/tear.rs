//! Tearing: within equations that have to be solved together, some give an unknown outright once a few others are known. Only these
//! few are then solved for.
//!
//! Cellier and Kofman, *Continuous System Simulation*, section 7.8. Long chains of such unknowns are not made: errors grow along them.
//! Nor is a nonlinear function put into another, an exponential into an exponential: Newton's method would not get through.

use std::collections::BTreeSet;

use expr::{Arena, Expr, SymbolId, jacobian};
use rustc_hash::FxHashMap;

/// Rows and unknowns by their places.
pub struct Torn {
    /// Which row gives which unknown, in this order.
    pub explicit: Vec<(usize, usize)>,
    /// What is left to be solved together.
    pub rows: Vec<usize>,
    pub unknowns: Vec<usize>,
}

/// An unknown that follows may depend on so many of the others, through so many steps.
const MOST_CAUSES: usize = 12;
const MOST_STEPS: usize = 12;

pub fn tear(arena: &Arena, residuals: &[Expr], unknowns: &[SymbolId]) -> Torn {
    let mut state = State::new(arena, residuals, unknowns);
    while let Some(&(open, row)) = state.waiting.first() {
        state.waiting.remove(&(open, row));
        match state.given_by(row) {
            Some(unknown) if open == 1 => state.assign(row, unknown),
            // The shortest row gives one unknown if the others in it are known.
            Some(unknown) => {
                let others: Vec<usize> = state.open_in(row).into_iter().filter(|&other| other != unknown).collect();
                others.into_iter().for_each(|other| state.close(other, Status::Torn));
                state.assign(row, unknown);
            }
            None => {}
        }
    }
    let mut used = vec![false; residuals.len()];
    state.explicit.iter().for_each(|&(row, _)| used[row] = true);
    Torn {
        rows: (0..residuals.len()).filter(|&row| !used[row]).collect(),
        unknowns: (0..unknowns.len()).filter(|&at| state.status[at] != Status::Given).collect(),
        explicit: state.explicit,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Open,
    /// Solved for together with others like it.
    Torn,
    /// Given by a row.
    Given,
}

struct State {
    /// The unknowns of each row, and whether the row may give them: their factor is a number.
    rows: Vec<Vec<(usize, bool)>>,
    columns: Vec<Vec<usize>>,
    /// Whether a row is nonlinear in its unknowns, and whether some row is nonlinear in an unknown.
    row_bends: Vec<bool>,
    bends: Vec<bool>,
    /// Whether an unknown that is given is a nonlinear function of others.
    curved: Vec<bool>,
    status: Vec<Status>,
    /// For each unknown that is given, the torn ones it depends on, and through how many steps.
    causes: Vec<(Vec<usize>, usize)>,
    open: Vec<usize>,
    /// Rows with open unknowns, by their number.
    waiting: BTreeSet<(usize, usize)>,
    explicit: Vec<(usize, usize)>,
}

impl State {
    fn new(arena: &Arena, residuals: &[Expr], unknowns: &[SymbolId]) -> State {
        let mut rows = vec![Vec::new(); residuals.len()];
        let mut columns = vec![Vec::new(); unknowns.len()];
        let (mut row_bends, mut bends) = (vec![false; residuals.len()], vec![false; unknowns.len()]);
        let place: FxHashMap<SymbolId, usize> = unknowns.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect();
        for (row, column, slope) in jacobian(arena, residuals, unknowns) {
            let is_number = arena.as_number(slope).is_some();
            rows[row].push((column, is_number));
            columns[column].push(row);
            if !is_number {
                for &unknown in arena.symbols_in(&[slope]).iter().filter_map(|symbol| place.get(symbol)) {
                    row_bends[row] = true;
                    bends[unknown] = true;
                }
            }
        }
        let open: Vec<usize> = rows.iter().map(Vec::len).collect();
        let waiting = open.iter().enumerate().filter(|(_, open)| **open > 0).map(|(row, &open)| (open, row)).collect();
        State {
            causes: vec![(Vec::new(), 0); unknowns.len()],
            curved: vec![false; unknowns.len()],
            row_bends,
            bends,
            status: vec![Status::Open; unknowns.len()],
            explicit: Vec::new(),
            rows,
            columns,
            open,
            waiting,
        }
    }

    fn open_in(&self, row: usize) -> Vec<usize> {
        self.rows[row].iter().map(|&(column, _)| column).filter(|&column| self.status[column] == Status::Open).collect()
    }

    /// The open unknown that a row is best used for: the one that occurs in the fewest rows.
    fn given_by(&self, row: usize) -> Option<usize> {
        let usable = self.rows[row].iter().filter(|&&(column, usable)| usable && self.status[column] == Status::Open);
        usable.map(|&(column, _)| column).min_by_key(|&column| (self.columns[column].len(), column))
    }

    fn assign(&mut self, row: usize, unknown: usize) {
        let (mut causes, mut steps, mut curved) = (Vec::new(), 0, self.row_bends[row]);
        for &(other, _) in self.rows[row].iter().filter(|(other, _)| *other != unknown) {
            match self.status[other] {
                Status::Torn => causes.push(other),
                _ => {
                    causes.extend(&self.causes[other].0);
                    steps = steps.max(self.causes[other].1);
                    curved |= self.curved[other];
                }
            }
        }
        causes.sort_unstable();
        causes.dedup();
        if causes.len() > MOST_CAUSES || steps >= MOST_STEPS || (curved && self.bends[unknown]) {
            return self.close(unknown, Status::Torn);
        }
        self.causes[unknown] = (causes, steps + 1);
        self.curved[unknown] = curved;
        self.close(unknown, Status::Given);
        self.explicit.push((row, unknown));
    }

    fn close(&mut self, unknown: usize, status: Status) {
        self.status[unknown] = status;
        for &row in &self.columns[unknown] {
            let was_waiting = self.waiting.remove(&(self.open[row], row));
            self.open[row] -= 1;
            if was_waiting && self.open[row] > 0 {
                self.waiting.insert((self.open[row], row));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::Number;

    /// a + b = 1, a - b + c = 0, x·c + a = 2: only one of the three is solved for.
    #[test]
    fn a_loop_of_three_is_torn_at_one() {
        let arena = Arena::new();
        let symbols = ["a", "b", "c", "x"].map(|name| arena.new_symbol(name));
        let [a, b, c, x] = symbols.map(|symbol| arena.symbol(symbol));
        let sum = |terms: &[(i64, Expr)]| arena.sum(terms.iter().map(|&(n, e)| (Number::fraction(n, 1), e)));
        let rows = [
            sum(&[(1, a), (1, b), (-1, arena.one())]),
            sum(&[(1, a), (-1, b), (1, c)]),
            sum(&[(1, arena.multiply(x, c)), (1, a), (-2, arena.one())]),
        ];
        let torn = tear(&arena, &rows, &symbols[..3]);
        assert_eq!((torn.explicit.len(), torn.rows.len(), torn.unknowns.len()), (2, 1, 1));
        // Each is given by a row that speaks only of what is torn or given before.
        let mut known: Vec<SymbolId> = torn.unknowns.iter().map(|&at| symbols[at]).chain([symbols[3]]).collect();
        for (row, unknown) in torn.explicit {
            known.push(symbols[unknown]);
            assert!(arena.symbols_in(&[rows[row]]).iter().all(|symbol| known.contains(symbol)));
        }
    }

    /// i = exp(u) may give i, and u = v - w then u, but a + exp(b) = 0, b + exp(c) = 0 give neither a in terms of exp(exp(c)).
    #[test]
    fn no_exponential_goes_into_another() {
        let arena = Arena::new();
        let symbols = ["a", "b", "c"].map(|name| arena.new_symbol(name));
        let [a, b, c] = symbols.map(|symbol| arena.symbol(symbol));
        let exp = |x: Expr| arena.apply(expr::Operator::Exp, &[x]);
        let rows = [arena.add(a, exp(b)), arena.add(b, exp(c)), arena.add(c, exp(a))];
        let torn = tear(&arena, &rows, &symbols);
        assert_eq!((torn.explicit.len(), torn.unknowns.len()), (0, 3));
        let rows = [arena.add(a, exp(b)), arena.subtract(b, c), arena.add(c, a)];
        let torn = tear(&arena, &rows, &symbols);
        assert_eq!((torn.explicit.len(), torn.unknowns.len()), (2, 1));
    }
}
