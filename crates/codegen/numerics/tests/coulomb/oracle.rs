//! What a solution is, written once more; and all solutions of a few points, by trying all states.

use super::Problem;

/// Conditions may be off by this part of their terms.
const CHECK: f64 = 1e-10;

impl Problem {
    fn is_round(&self, i: usize) -> bool {
        self.slips[i] == 0 && self.friction[i] > 0.0
    }

    fn response(&self, given: &[f64], force: &[f64], row: usize) -> (f64, f64) {
        let n = force.len();
        let parts = (0..n).map(|j| self.W[row * n + j] * force[j]);
        let sum = parts.clone().sum::<f64>() + given[row];
        (sum, parts.map(f64::abs).sum::<f64>() + given[row].abs())
    }
}

/// Whether forces fulfil the conditions for what is given.
pub fn is_solution(problem: &Problem, given: &[f64], force: &[f64]) -> bool {
    let total: f64 = force.iter().map(|force| force.abs()).sum();
    (0..problem.count()).all(|i| {
        let [normal, t1, t2] = [0, 1, 2].map(|k| force[3 * i + k]);
        let [parting, w1, w2] = [0, 1, 2].map(|k| problem.response(given, force, 3 * i + k));
        let complementary = normal >= 0.0
            && parting.0 >= -CHECK * parting.1
            && (normal <= 1e-12 * total || parting.0 <= CHECK * parting.1);
        let most = problem.friction[i] * normal;
        let slip = w1.0.hypot(w2.0);
        let rubs = if problem.is_round(i) {
            let off = [slip * t1 + most * w1.0, slip * t2 + most * w2.0];
            t1.hypot(t2) <= most * (1.0 + CHECK) && off.iter().all(|off| off.abs() <= CHECK * most * (w1.1 + w2.1))
        } else {
            let direction = [problem.direction[2 * i], problem.direction[2 * i + 1]];
            (t1 + most * direction[0]).hypot(t2 + most * direction[1]) <= 1e-14 * most
        };
        complementary && rubs
    })
}

/// The solutions that are found from all states of all points, sliding ones from many directions. Needs: a positive definite W.
pub fn solutions(problem: &Problem) -> Vec<Vec<f64>> {
    let mut found: Vec<Vec<f64>> = Vec::new();
    let choices = |i: usize| if problem.is_round(i) { 2 + STARTS } else { 2 };
    let all: usize = (0..problem.count()).map(choices).product();
    for mut code in 0..all {
        let mut states = Vec::new();
        for i in 0..problem.count() {
            states.push(State::new(problem, i, code % choices(i)));
            code /= choices(i);
        }
        let force = settle(problem, &mut states);
        let near = |other: &Vec<f64>| {
            let scale = other.iter().fold(1e-12_f64, |largest, force| largest.max(force.abs()));
            other.iter().zip(&force).all(|(a, b)| (a - b).abs() <= 1e-6 * scale)
        };
        if is_solution(problem, &problem.b, &force) && !found.iter().any(near) {
            found.push(force);
        }
    }
    found
}

const STARTS: usize = 8;

#[derive(Clone, Copy)]
enum State {
    Open,
    Sticking,
    /// The angle of the slip, and whether it is to be found.
    Sliding(f64, bool),
}

impl State {
    fn new(problem: &Problem, i: usize, choice: usize) -> State {
        match choice {
            0 => State::Open,
            1 if problem.is_round(i) => State::Sticking,
            1 => State::Sliding(problem.direction[2 * i + 1].atan2(problem.direction[2 * i]), false),
            start => State::Sliding(std::f64::consts::TAU * start as f64 / STARTS as f64, true),
        }
    }
}

/// The forces of states, with the directions of slip by Newton's method on differences.
fn settle(problem: &Problem, states: &mut [State]) -> Vec<f64> {
    let sliding: Vec<usize> = (0..states.len()).filter(|&i| matches!(states[i], State::Sliding(_, true))).collect();
    for _ in 0..if sliding.is_empty() { 0 } else { 20 } {
        let off = across(problem, states, &sliding);
        let mut matrix = vec![0.0; sliding.len() * sliding.len()];
        for (column, &i) in sliding.iter().enumerate() {
            let turned = |by: f64| {
                let mut states = states.to_vec();
                turn(&mut states[i], by);
                across(problem, &states, &sliding)
            };
            let (more, less) = (turned(1e-6), turned(-1e-6));
            (0..sliding.len()).for_each(|row| matrix[row * sliding.len() + column] = (more[row] - less[row]) / 2e-6);
        }
        let step = eliminate(matrix, off);
        if step.iter().all(|step| step.abs() < 1e-14) || step.iter().any(|step| step.is_nan()) {
            break;
        }
        for (&i, step) in sliding.iter().zip(&step) {
            turn(&mut states[i], -step.clamp(-0.3, 0.3));
        }
    }
    forces(problem, states)
}

fn turn(state: &mut State, by: f64) {
    if let State::Sliding(angle, _) = state {
        *angle += by;
    }
}

/// The part of each slip across its direction.
fn across(problem: &Problem, states: &[State], sliding: &[usize]) -> Vec<f64> {
    let force = forces(problem, states);
    let part = |&i: &usize| match states[i] {
        State::Sliding(angle, _) => {
            let slip = [1, 2].map(|k| problem.response(&problem.b, &force, 3 * i + k).0);
            angle.cos() * slip[1] - angle.sin() * slip[0]
        }
        _ => 0.0,
    };
    sliding.iter().map(part).collect()
}

/// The forces of states with known directions.
fn forces(problem: &Problem, states: &[State]) -> Vec<f64> {
    let n = problem.b.len();
    // Columns are the forces of unit unknowns; rows are the equations.
    let (mut columns, mut rows): (Vec<Vec<f64>>, Vec<usize>) = (Vec::new(), Vec::new());
    for (i, state) in states.iter().enumerate() {
        let unit = |entries: &[(usize, f64)]| {
            let mut column = vec![0.0; n];
            entries.iter().for_each(|&(row, value)| column[row] = value);
            column
        };
        match *state {
            State::Open => {}
            State::Sticking => (0..3).for_each(|k| {
                columns.push(unit(&[(3 * i + k, 1.0)]));
                rows.push(3 * i + k);
            }),
            State::Sliding(angle, _) => {
                let most = problem.friction[i];
                let entries = [(3 * i, 1.0), (3 * i + 1, -most * angle.cos()), (3 * i + 2, -most * angle.sin())];
                columns.push(unit(&entries));
                rows.push(3 * i);
            }
        }
    }
    let zero = vec![0.0; n];
    let entry = |row: usize, column: &Vec<f64>| problem.response(&zero, column, row).0;
    let matrix = rows.iter().flat_map(|&row| columns.iter().map(move |column| (row, column)));
    let matrix = matrix.map(|(row, column)| entry(row, column));
    let solution = eliminate(matrix.collect(), rows.iter().map(|&row| -problem.b[row]).collect());
    let mut force = vec![0.0; n];
    for (column, size) in columns.iter().zip(solution) {
        force.iter_mut().zip(column).for_each(|(force, part)| *force += size * part);
    }
    force
}

/// Elimination with partial pivoting.
fn eliminate(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| matrix[a * n + k].abs().total_cmp(&matrix[b * n + k].abs())).unwrap_or(k);
        (0..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
        right.swap(k, pivot);
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            (k..n).for_each(|j| matrix[i * n + j] -= factor * matrix[k * n + j]);
            right[i] -= factor * right[k];
        }
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| matrix[i * n + j] * right[j]).sum();
        right[i] = (right[i] - sum) / matrix[i * n + i];
    }
    right
}
