//! Whether there is a start at all: what stands in its way, or where it is.
//!
//! The program searches from one guess only. When it fails, this searches from many, and if none leads anywhere, it looks for
//! the fewest equations that cannot hold together: at the best compromise those that are off are a part of the conflict,
//! the others have none in it; then each is left out in turn to see whether the rest still fails.

use base::{Dimension, Span};
use equations::{Level, System};
use expr::{Expr, Point, SymbolId, Tape, jacobian};
use program::Origin;
use simulation::Simulation;

use crate::blame::guessed_state;
use crate::dense::solve;
use crate::pipeline::Stages;

pub enum Reach {
    /// From elsewhere a start was found: the coordinates that differ from their guesses, with values, the most different first.
    Elsewhere(Vec<(String, f64, Dimension)>),
    /// These cannot hold together; the last is off by so much where the others hold.
    Conflict(Vec<Equation>, f64),
    Unknown,
}

#[derive(Clone)]
pub struct Equation {
    pub label: String,
    pub span: Span,
    kind: Kind,
    residual: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// That a quaternion has length one: nobody stated it, and nobody can drop it.
    Given,
    Always,
    Initially,
}

/// Larger systems are not worth the wait.
const LARGEST: usize = 150;

/// Looks again for what a system of equations for the start did not find.
pub fn reach(stages: &Stages, simulation: &Simulation, level: Level, origins: &[Origin]) -> Reach {
    let system = &stages.system;
    let mut known = guessed_state(stages, simulation);
    if level == Level::Velocity {
        let positions = Search::new(system, &equations(stages, Level::Position, None), &known);
        if positions.too_large() {
            return Reach::Unknown;
        }
        let found = positions.best();
        known.extend(positions.unknowns.iter().copied().zip(found.x));
        known.extend(system.speeds.iter().map(|speed| (speed.symbol, 0.0)));
    }
    let equations = equations(stages, level, Some(origins));
    let search = Search::new(system, &equations, &known);
    if search.too_large() || equations.is_empty() {
        return Reach::Unknown;
    }
    let best = search.best();
    match best.size() {
        size if !size.is_finite() => Reach::Unknown,
        size if size <= REACHED => elsewhere(system, &search, &best),
        _ => conflict(system, equations, &known, &best),
    }
}

/// Where some residuals are nearest to zero together, begun at a state, and what is left of them there.
pub fn nearest(system: &System, residuals: &[Expr], state: &Point) -> Option<(Point, Vec<f64>)> {
    let equation = |&residual| Equation { label: String::new(), span: Span::default(), kind: Kind::Always, residual };
    let equations: Vec<Equation> = residuals.iter().map(equation).collect();
    let search = Search::new(system, &equations, state);
    let found = (!search.too_large()).then(|| search.best())?;
    let mut place = state.clone();
    place.extend(search.unknowns.iter().copied().zip(found.x.iter().copied()));
    found.size().is_finite().then_some((place, found.residuals))
}

fn equations(stages: &Stages, level: Level, origins: Option<&[Origin]>) -> Vec<Equation> {
    let system = &stages.system;
    let always = system.constraints_at(level).into_iter().map(|(id, residual)| {
        let constraint = &system.constraints[id.index()];
        let stated = stages.model.constraints.iter().any(|equation| equation.span == constraint.span);
        let kind = if stated { Kind::Always } else { Kind::Given };
        Equation { label: constraint.label.clone(), span: constraint.span, kind, residual }
    });
    let stated = system.initial.iter().filter(|initial| initial.level == level);
    let stated = stated.map(|initial| Equation {
        label: initial.label.clone(),
        span: initial.span,
        kind: Kind::Initially,
        residual: initial.residual,
    });
    let meant = |equation: &Equation| {
        origins.is_none_or(|origins| {
            origins.iter().any(|origin| origin.label == equation.label && origin.span == equation.span)
        })
    };
    always.chain(stated).filter(meant).collect()
}

fn elsewhere(system: &System, search: &Search<'_>, found: &Found) -> Reach {
    let changes = search.unknowns.iter().zip(&search.start).zip(&found.x).filter_map(|((symbol, start), x)| {
        let coordinate = system.coordinates.iter().find(|coordinate| coordinate.symbol == *symbol)?;
        ((x - start).abs() > 1e-3).then(|| ((x - start).abs(), (coordinate.name.clone(), *x, coordinate.dimension)))
    });
    let mut changes: Vec<(f64, (String, f64, Dimension))> = changes.collect();
    changes.sort_by(|a, b| b.0.total_cmp(&a.0));
    Reach::Elsewhere(changes.into_iter().map(|(_, change)| change).collect())
}

fn conflict(system: &System, equations: Vec<Equation>, known: &Point, best: &Found) -> Reach {
    let off = |at: usize| equations[at].kind == Kind::Given || best.residuals[at].abs() > 1e-4 * best.size();
    let mut left: Vec<Equation> = (0..equations.len()).filter(|&at| off(at)).map(|at| equations[at].clone()).collect();
    let fails = |left: &[Equation]| Search::new(system, left, known).best().size() > REACHED;
    if !fails(&left) {
        left = equations;
    }
    // What is stated for the start goes first: if the constraints fail without it, it is not to blame.
    let mut order: Vec<usize> = (0..left.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(left[at].kind), at));
    let mut kept = vec![true; left.len()];
    for at in order.into_iter().filter(|&at| left[at].kind != Kind::Given) {
        kept[at] = false;
        let rest: Vec<Equation> = (0..left.len()).filter(|&at| kept[at]).map(|at| left[at].clone()).collect();
        kept[at] = rest.is_empty() || !fails(&rest);
    }
    let mut left: Vec<Equation> = left.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(row, _)| row).collect();
    left.sort_by_key(|equation| (equation.kind, equation.span));
    let missed = missed(system, &left, known);
    left.retain(|equation| equation.kind != Kind::Given);
    Reach::Conflict(left, missed)
}

/// By how much the last equation is off where the others hold.
fn missed(system: &System, equations: &[Equation], known: &Point) -> f64 {
    let mut search = Search::new(system, equations, known);
    let compromise = search.best();
    if let Some(last) = search.weights.last_mut() {
        *last = LITTLE;
    }
    let found = search.descend(&compromise.x);
    found.residuals.last().map_or(0.0, |last| last.abs() / LITTLE)
}

/// A search for a common zero of some residuals, by Levenberg's and Marquardt's method.
struct Search<'k> {
    unknowns: Vec<SymbolId>,
    start: Vec<f64>,
    known: &'k Point,
    /// The residuals, then their slopes that are not zero.
    tape: Tape,
    /// Row and column of each slope.
    places: Vec<(usize, usize)>,
    weights: Vec<f64>,
}

struct Found {
    x: Vec<f64>,
    residuals: Vec<f64>,
}

/// Residuals below this count as zero.
const REACHED: f64 = 1e-7;
/// What gives way counts this much less than what has to hold.
const LITTLE: f64 = 1e-3;

impl Found {
    fn size(&self) -> f64 {
        if self.residuals.iter().any(|residual| !residual.is_finite()) {
            return f64::INFINITY;
        }
        self.residuals.iter().fold(0.0_f64, |size, residual| size.max(residual.abs()))
    }

    fn square(&self) -> f64 {
        let square: f64 = self.residuals.iter().map(|residual| residual * residual).sum();
        if square.is_nan() { f64::INFINITY } else { square }
    }
}

impl<'k> Search<'k> {
    fn new(system: &System, equations: &[Equation], known: &'k Point) -> Search<'k> {
        let arena = &system.arena;
        let residuals: Vec<Expr> = equations.iter().map(|equation| equation.residual).collect();
        let symbols = arena.symbols_in(&residuals);
        // Positions, if the equations speak of positions only; otherwise speeds, where positions are known.
        let speeds: Vec<SymbolId> =
            system.speed_symbols().into_iter().filter(|speed| symbols.binary_search(speed).is_ok()).collect();
        let positions =
            system.coordinate_symbols().into_iter().filter(|symbol| symbols.binary_search(symbol).is_ok()).collect();
        let unknowns: Vec<SymbolId> = if speeds.is_empty() { positions } else { speeds };
        let entries = jacobian(arena, &residuals, &unknowns);
        let weights = vec![1.0; residuals.len()];
        let places = entries.iter().map(|&(row, column, _)| (row, column)).collect();
        let mut exprs = residuals;
        exprs.extend(entries.iter().map(|&(_, _, slope)| slope));
        let start = unknowns.iter().map(|&symbol| known.get(&symbol).copied().unwrap_or(0.0)).collect();
        Search { unknowns, start, known, tape: Tape::new(arena, &exprs), places, weights }
    }

    fn too_large(&self) -> bool {
        self.unknowns.len().max(self.weights.len()) > LARGEST
    }

    /// The nearest to a zero that is found from the guess and, if that fails, from places around it.
    fn best(&self) -> Found {
        const TRIES: usize = 24;
        let mut best = self.descend(&self.start);
        for attempt in 1..=TRIES {
            if best.size() <= REACHED {
                break;
            }
            let found = self.descend(&self.elsewhere(attempt));
            if found.square() < best.square() * (1.0 - 1e-9) {
                best = found;
            }
        }
        best
    }

    /// A place around the guess, further away from one attempt to the next; the same every time.
    fn elsewhere(&self, attempt: usize) -> Vec<f64> {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let reach = 0.25 * attempt as f64;
        let shift = |at: usize| 2.0 * ((attempt * (at + 1)) as f64 * GOLDEN + at as f64 * 0.37).fract() - 1.0;
        self.start.iter().enumerate().map(|(at, x)| x + shift(at) * reach * (1.0 + 0.1 * x.abs())).collect()
    }

    /// The residuals at some place and, column by column, their slopes.
    fn at(&self, x: &[f64]) -> (Found, Vec<f64>) {
        let mut point = self.known.clone();
        point.extend(self.unknowns.iter().copied().zip(x.iter().copied()));
        let mut residuals = self.tape.run(&point);
        let rows = self.weights.len();
        let mut slopes = vec![0.0; rows * self.unknowns.len()];
        for (&(row, column), slope) in self.places.iter().zip(residuals.split_off(rows)) {
            slopes[column * rows + row] = self.weights[row] * slope;
        }
        residuals.iter_mut().zip(&self.weights).for_each(|(residual, weight)| *residual *= weight);
        (Found { x: x.to_vec(), residuals }, slopes)
    }

    fn descend(&self, from: &[f64]) -> Found {
        const STEPS: usize = 200;
        let (mut found, mut slopes) = self.at(from);
        let mut damping = 1e-3;
        for _ in 0..STEPS {
            if found.size() <= 1e-13 || !found.size().is_finite() || damping > 1e12 {
                break;
            }
            let Some(step) = self.step(&found, &slopes, damping) else { break };
            let next: Vec<f64> = found.x.iter().zip(step).map(|(x, step)| x + step).collect();
            let (next, next_slopes) = self.at(&next);
            if next.square() < found.square() {
                (found, slopes, damping) = (next, next_slopes, damping * 0.2);
            } else {
                damping *= 5.0;
            }
        }
        found
    }

    /// (JᵀJ + damping) step = -Jᵀ residuals
    fn step(&self, found: &Found, slopes: &[f64], damping: f64) -> Option<Vec<f64>> {
        let (n, rows) = (self.unknowns.len(), self.weights.len());
        let column = |at: usize| &slopes[at * rows..(at + 1) * rows];
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut matrix: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| dot(column(i), column(j))).collect::<Vec<f64>>()).collect();
        let size = (0..n).fold(0.0_f64, |size, i| size.max(matrix[i][i]));
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += damping * (1e-3 * size + row[i]).max(1e-12);
            row.push(-dot(column(i), &found.residuals));
        }
        let step = solve(matrix);
        step.iter().all(|x| x.is_finite()).then_some(step)
    }
}
