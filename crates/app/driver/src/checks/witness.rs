//! A search for a state of a mode in which some inequalities hold, and some margins are just at zero.

use equations::System;
use expr::{Expr, Point, SymbolId, Tape, jacobian};

use super::condition::Atom;
use crate::dense::solve;

/// What a state should be like.
pub struct Wanted<'w> {
    /// Zero in it.
    pub zeros: &'w [Expr],
    /// Just above zero in it.
    pub surfaces: &'w [Expr],
    pub atoms: &'w [Atom],
}

/// So far above zero are surfaces.
pub const JUST_ABOVE: f64 = 1e-10;
/// What is zero to this is zero.
const ZERO: f64 = 1e-9;
/// By how much inequalities should hold: the first that is found to be possible.
const ROOM: [f64; 4] = [0.1, 1e-3, 1e-6, 1e-10];
/// Searches with more unknowns are not begun.
const LARGEST: usize = 120;

/// A state with the parameters and controls as they are, found from one of several beginnings.
pub fn find(system: &System, wanted: &Wanted<'_>, attempt: usize) -> Option<Point> {
    let search = Search::new(system, wanted);
    if search.unknowns.len() > LARGEST {
        return None;
    }
    ROOM.iter().find_map(|&room| search.descend(attempt, room))
}

struct Search {
    unknowns: Vec<SymbolId>,
    begin: Vec<f64>,
    known: Point,
    /// Zeros, surfaces and margins; then their slopes that are not zero.
    tape: Tape,
    places: Vec<(usize, usize)>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, PartialEq)]
enum Row {
    Zero,
    Surface,
    Atom { strict: bool },
}

impl Search {
    fn new(system: &System, wanted: &Wanted<'_>) -> Search {
        let arena = &system.arena;
        let kinds = wanted.zeros.iter().map(|&zero| (zero, Row::Zero));
        let kinds = kinds.chain(wanted.surfaces.iter().map(|&surface| (surface, Row::Surface)));
        let kinds = kinds.chain(wanted.atoms.iter().map(|atom| (atom.margin, Row::Atom { strict: atom.strict })));
        // No state lies before the start.
        let kinds = kinds.chain([(arena.symbol(system.time), Row::Atom { strict: false })]);
        let (mut exprs, rows): (Vec<Expr>, Vec<Row>) = kinds.unzip();
        let parameters = system.parameters.iter().map(|it| (it.symbol, it.default));
        let known: Point = parameters.chain(system.controls.iter().map(|it| (it.symbol, it.default))).collect();
        let mut unknowns = arena.symbols_in(&exprs);
        unknowns.retain(|symbol| !known.contains_key(symbol));
        let guesses: Vec<Expr> = system.coordinates.iter().map(|coordinate| coordinate.guess).collect();
        let guesses = Tape::new(arena, &guesses).run(&known);
        let guesses: Point = system.coordinates.iter().map(|it| it.symbol).zip(guesses).collect();
        let begin = unknowns.iter().map(|symbol| guesses.get(symbol).copied().unwrap_or(0.0)).collect();
        let entries = jacobian(arena, &exprs, &unknowns);
        let places = entries.iter().map(|&(row, column, _)| (row, column)).collect();
        exprs.extend(entries.iter().map(|&(_, _, slope)| slope));
        Search { unknowns, begin, known, tape: Tape::new(arena, &exprs), places, rows }
    }

    /// A place around the guess, further away from one attempt to the next; the same every time.
    fn beginning(&self, attempt: usize) -> Vec<f64> {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let reach = [0.0, 0.1, 1.0, 3.0, 10.0, 0.01, 30.0, 300.0][attempt % 8];
        let shift = |at: usize| 2.0 * ((attempt * (at + 1) + at) as f64 * GOLDEN).fract() - 1.0;
        self.begin.iter().enumerate().map(|(at, x)| x + shift(at) * reach).collect()
    }

    /// How far each row is from what it should be, and the slopes row by row.
    fn at(&self, x: &[f64], room: f64) -> (Vec<f64>, Vec<f64>, Vec<Vec<f64>>) {
        let mut point = self.known.clone();
        point.extend(self.unknowns.iter().copied().zip(x.iter().copied()));
        let mut values = self.tape.run(&point);
        let slopes = values.split_off(self.rows.len());
        let miss = |(&row, &value): (&Row, &f64)| match row {
            Row::Zero => value,
            Row::Surface => value - JUST_ABOVE,
            Row::Atom { .. } => (value - room).min(0.0),
        };
        let misses: Vec<f64> = self.rows.iter().zip(&values).map(miss).collect();
        let mut matrix = vec![vec![0.0; x.len()]; self.rows.len()];
        for (&(row, column), slope) in self.places.iter().zip(slopes) {
            let idle = matches!(self.rows[row], Row::Atom { .. }) && misses[row] == 0.0;
            matrix[row][column] = if idle { 0.0 } else { slope };
        }
        (values, misses, matrix)
    }

    /// Levenberg's and Marquardt's method.
    fn descend(&self, attempt: usize, room: f64) -> Option<Point> {
        const STEPS: usize = 80;
        let square = |misses: &[f64]| {
            let sum: f64 = misses.iter().map(|miss| miss * miss).sum();
            if sum.is_nan() { f64::INFINITY } else { sum }
        };
        let mut x = self.beginning(attempt);
        let (mut values, mut misses, mut matrix) = self.at(&x, room);
        let mut damping = 1e-3;
        for _ in 0..STEPS {
            if square(&misses) < 1e-26 || damping > 1e12 {
                break;
            }
            let Some(step) = step(&matrix, &misses, damping) else { break };
            let next: Vec<f64> = x.iter().zip(step).map(|(x, step)| x + step).collect();
            let there = self.at(&next, room);
            if square(&there.1) < square(&misses) {
                (x, (values, misses, matrix), damping) = (next, there, damping * 0.2);
            } else {
                damping *= 5.0;
            }
        }
        let meant = |(&row, &value): (&Row, &f64)| match row {
            Row::Zero => value.abs() <= ZERO,
            Row::Surface => value > 0.0 && value <= 100.0 * JUST_ABOVE,
            Row::Atom { strict } => value > 0.0 || (value == 0.0 && !strict),
        };
        let found = self.rows.iter().zip(&values).all(meant);
        found.then(|| self.known.clone().into_iter().chain(self.unknowns.iter().copied().zip(x)).collect())
    }
}

/// (JᵀJ + damping) step = -Jᵀ misses
fn step(matrix: &[Vec<f64>], misses: &[f64], damping: f64) -> Option<Vec<f64>> {
    let n = matrix.first().map_or(0, Vec::len);
    let dot = |i: usize, j: usize| matrix.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let size = (0..n).fold(0.0_f64, |size, i| size.max(dot(i, i)));
    let normal = (0..n).map(|i| {
        let mut row: Vec<f64> = (0..n).map(|j| dot(i, j)).collect();
        row[i] += damping * (1e-3 * size + row[i]).max(1e-12);
        row.push(-matrix.iter().zip(misses).map(|(row, miss)| row[i] * miss).sum::<f64>());
        row
    });
    let step = solve(normal.collect());
    step.iter().all(|x| x.is_finite()).then_some(step)
}
