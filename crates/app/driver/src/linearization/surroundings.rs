//! A state and what is near it: rates, constraints and outputs there, and their derivatives, from the expressions of the model.

use expr::{Expr, Point, SymbolId, Tape, jacobian};
use program::{LocalEquations, Program};

use super::matrix::{Matrix, norm, product, solve, zero};

pub struct Surroundings {
    pub equations: LocalEquations,
    pub controls: Vec<SymbolId>,
    pub point: Point,
    states: Vec<SymbolId>,
    /// Rates, balances, constraints and outputs, one below the other.
    values: Tape,
    /// Row, column and place in the tape of each derivative of these, by states, what is between, controls and time.
    entries: Vec<(usize, usize)>,
    slopes: Tape,
}

/// Derivatives once what is solved for on the way is expressed by states, controls and time.
pub struct Slopes {
    /// Of the rates, by the states.
    pub a: Matrix,
    /// Of the rates, by the controls.
    pub b: Matrix,
    /// Of the outputs, by the states and by the controls.
    pub c: Matrix,
    pub d: Matrix,
    /// Of the constraints, by the states, in their groups.
    pub constraints: Vec<Matrix>,
    /// Of the rates, by the time.
    pub by_time: Vec<f64>,
}

/// What is solved for on the way has no solution here, or not just one.
#[derive(Debug)]
pub struct Unsettled {
    /// What is not determined, if that can be said.
    pub symbol: Option<SymbolId>,
}

impl Surroundings {
    /// The point has to have values for parameters, controls and time.
    pub fn new(program: &Program, equations: LocalEquations, mut point: Point) -> Surroundings {
        let controls: Vec<SymbolId> = program.controls.iter().map(|control| control.symbol).collect();
        let states: Vec<SymbolId> = equations.states.iter().map(|state| state.symbol).collect();
        for &symbol in states.iter().chain(&equations.between) {
            point.entry(symbol).or_insert(0.0);
        }
        let LocalEquations { rates, balances, constraints, outputs, between, .. } = &equations;
        let rows: Vec<Expr> = [&rates[..], balances, &constraints.concat(), outputs].concat();
        let columns: Vec<SymbolId> = [&states[..], between, &controls, &[program.time]].concat();
        let slopes = jacobian(&program.arena, &rows, &columns);
        let entries = slopes.iter().map(|&(row, column, _)| (row, column)).collect();
        let slopes: Vec<Expr> = slopes.into_iter().map(|(_, _, slope)| slope).collect();
        let (values, slopes) = (Tape::new(&program.arena, &rows), Tape::new(&program.arena, &slopes));
        Surroundings { equations, controls, point, states, values, entries, slopes }
    }

    pub fn state(&self) -> Vec<f64> {
        self.states.iter().map(|symbol| self.point[symbol]).collect()
    }

    pub fn set_state(&mut self, state: &[f64]) {
        self.point.extend(self.states.iter().copied().zip(state.iter().copied()));
    }

    /// Solves for what is between, from where it was.
    pub fn settle(&mut self) -> Result<(), Unsettled> {
        // Newton's steps double the digits, so fifty mean that it does not converge; the last change is near rounding.
        const MOST: usize = 50;
        const SMALL: f64 = 1e-13;
        let (n, m) = (self.states.len(), self.equations.between.len());
        if m == 0 {
            return Ok(());
        }
        for _ in 0..MOST {
            let values = self.values.run(&self.point);
            let right = values[n..n + m].iter().map(|&left| vec![-left]).collect();
            let columns = n..n + m;
            let matrix = self.block(n..n + m, columns);
            let change = solve(matrix, right).map_err(|at| self.unsettled(at))?;
            let change: Vec<f64> = change.concat();
            let before: Vec<f64> = self.equations.between.iter().map(|symbol| self.point[symbol]).collect();
            if !norm(&change).is_finite() {
                return Err(Unsettled { symbol: None });
            }
            let moved = self.equations.between.iter().zip(before.iter().zip(&change));
            self.point.extend(moved.map(|(&symbol, (before, change))| (symbol, before + change)));
            if norm(&change) <= SMALL * (norm(&before) + 1.0) {
                return Ok(());
            }
        }
        // Rounding may keep large forces from coming to rest altogether; whoever asks looks at the rates.
        Ok(())
    }

    fn unsettled(&self, at: usize) -> Unsettled {
        Unsettled { symbol: self.equations.between.get(at).copied() }
    }

    pub fn rates(&self) -> Vec<f64> {
        self.values.run(&self.point)[..self.states.len()].to_vec()
    }

    /// What the constraints leave.
    pub fn constraint_errors(&self) -> Vec<f64> {
        let start = self.states.len() + self.equations.between.len();
        let count: usize = self.equations.constraints.iter().map(Vec::len).sum();
        self.values.run(&self.point)[start..start + count].to_vec()
    }

    pub fn outputs(&self) -> Vec<f64> {
        let values = self.values.run(&self.point);
        values[values.len() - self.equations.outputs.len()..].to_vec()
    }

    pub fn slopes(&self) -> Result<Slopes, Unsettled> {
        let (n, m, k) = (self.states.len(), self.equations.between.len(), self.controls.len());
        let (outside, rows) = (n + m..n + m + k + 1, |from: usize, count: usize| from..from + count);
        // How what is between follows states, controls and time.
        let by_states = self.block(rows(n, m), 0..n);
        let by_others = self.block(rows(n, m), outside.clone());
        let right: Matrix =
            by_states.iter().zip(&by_others).map(|(a, b)| a.iter().chain(b).map(|x| -x).collect()).collect();
        let follows = solve(self.block(rows(n, m), n..n + m), right).map_err(|at| self.unsettled(at))?;
        let whole = |rows: std::ops::Range<usize>| -> Matrix {
            let direct_states = self.block(rows.clone(), 0..n);
            let direct_others = self.block(rows.clone(), outside.clone());
            let direct = direct_states.iter().zip(&direct_others).map(|(a, b)| [&a[..], b].concat());
            if m == 0 {
                return direct.collect();
            }
            let through = product(&self.block(rows, n..n + m), &follows);
            direct.zip(through).map(|(a, b)| a.iter().zip(&b).map(|(a, b)| a + b).collect()).collect()
        };
        let part = |matrix: &Matrix, columns: std::ops::Range<usize>| -> Matrix {
            matrix.iter().map(|row| row[columns.clone()].to_vec()).collect()
        };
        let rates = whole(0..n);
        let mut at = n + m;
        let constraints = self.equations.constraints.iter().map(|group| {
            at += group.len();
            part(&whole(at - group.len()..at), 0..n)
        });
        let constraints = constraints.collect();
        let outputs = whole(rows(at, self.equations.outputs.len()));
        Ok(Slopes {
            a: part(&rates, 0..n),
            b: part(&rates, n..n + k),
            c: part(&outputs, 0..n),
            d: part(&outputs, n..n + k),
            constraints,
            by_time: rates.iter().map(|row| row[n + k]).collect(),
        })
    }

    /// Derivatives of some rows by some columns.
    fn block(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> Matrix {
        let mut block = zero(rows.len(), columns.len());
        for (&(row, column), value) in self.entries.iter().zip(self.slopes.run(&self.point)) {
            if rows.contains(&row) && columns.contains(&column) {
                block[row - rows.start][column - columns.start] = value;
            }
        }
        block
    }
}
