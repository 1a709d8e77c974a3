//! The linear regulator u = −K x of least cost ∫ xᵀQ x + uᵀR u dt, in the order and with the signs of python-control's `lqr`.

use base::Diagnostic;

use super::modes::{Mode, modes};
use super::riccati::{minus, riccati};
use super::{Linearization, Matrix, matrix};
use crate::codes;
use crate::dense::weakest;

/// Diagonals of Q and R.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    pub states: Weight,
    pub inputs: Weight,
}

/// One number for all, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub enum Weight {
    All(f64),
    Each(Vec<f64>),
}

pub struct Regulator {
    pub k: Matrix,
    /// The cost from a state x is xᵀS x.
    pub s: Matrix,
    /// Of the closed loop.
    pub modes: Vec<Mode>,
}

/// Smaller relative to what surrounds it, a direction counts as out of reach.
const OUT_OF_REACH: f64 = 1e-13;
/// States with a smaller share of a mode than this, relative to the largest, are not named.
const TAKES_PART: f64 = 0.3;
/// A mode decays if it does so by more than this part of its size.
const DECAYS: f64 = 1e-9;

impl Weights {
    /// `Q,R`, each a diagonal with blanks between its numbers, one number for all, or `I`.
    pub fn read(text: &str) -> Result<Weights, String> {
        let wanted = "must be weights of the states, a comma, and weights of the inputs, as in `I,1` or `1 1 10 1,0.1`";
        let (states, inputs) = text.split_once(',').ok_or(wanted)?;
        let read = |part: &str| match part.trim() {
            "I" => Ok(Weight::All(1.0)),
            part => {
                let numbers =
                    part.split_whitespace().map(|number| number.parse::<f64>().ok().filter(|it| it.is_finite()));
                match numbers.collect::<Option<Vec<f64>>>().as_deref() {
                    None | Some([]) => Err(wanted.to_string()),
                    Some([one]) => Ok(Weight::All(*one)),
                    Some(many) => Ok(Weight::Each(many.to_vec())),
                }
            }
        };
        Ok(Weights { states: read(states)?, inputs: read(inputs)? })
    }
}

impl Weight {
    fn diagonal(&self, count: usize, what: &str) -> Result<Vec<f64>, Diagnostic> {
        match self {
            Weight::All(value) => Ok(vec![*value; count]),
            Weight::Each(values) if values.len() == count => Ok(values.clone()),
            Weight::Each(values) => Err(Diagnostic::error(
                codes::NO_REGULATOR,
                format!("there are {count} {what}, and {} weights for them", values.len()),
            )
            .hint(
                "give one for each, in the order of the model, or one for all: `--lqr \"1 1 10 1,0.1\"`, `--lqr I,1`",
            )),
        }
    }
}

pub fn regulator(found: &Linearization, weights: &Weights) -> Result<Regulator, Diagnostic> {
    if found.inputs.is_empty() {
        return Err(Diagnostic::error(codes::NO_REGULATOR, "this scene has no inputs")
            .note("the inputs of a linear model are the controls of the scene")
            .hint("declare one, and let it act: `control push in [-10, 10] [N] = 0 [N]`, `force on cart = (push, 0 [N], 0 [N])`"));
    }
    let q = weights.states.diagonal(found.states.len(), "states")?;
    let r = weights.inputs.diagonal(found.inputs.len(), "inputs")?;
    if q.iter().any(|weight| *weight < 0.0) || r.iter().any(|weight| *weight <= 0.0) {
        return Err(Diagnostic::error(
            codes::NO_REGULATOR,
            "weights of states cannot be negative, and those of inputs are positive",
        )
        .hint("a state that does not matter has the weight 0; an input that costs little has a small one"));
    }
    for mode in &found.modes {
        refuse(found, mode, &q)?;
    }
    let none = || {
        Diagnostic::error(
            codes::NO_REGULATOR,
            "Riccati's equation has no solution that stabilises this scene, as far as rounding tells",
        )
        .note("some mode is hardly moved by the inputs, or hardly seen by the weights")
        .hint("give weights to all states, and of sizes that differ less")
    };
    let (s, k) = riccati(&found.a, &found.b, &q, &r).ok_or_else(none)?;
    let closed = minus(&found.a, &matrix::product(&found.b, &k));
    let modes = modes(&closed).ok_or_else(none)?;
    if modes.iter().any(|mode| mode.real >= 0.0) {
        return Err(none());
    }
    Ok(Regulator { k, s, modes })
}

/// A mode that does not die away has to be moved by an input; and where it neither grows nor dies away, some weight has to see it.
fn refuse(found: &Linearization, mode: &Mode, q: &[f64]) -> Result<(), Diagnostic> {
    let size = (mode.real * mode.real + mode.imaginary * mode.imaginary).sqrt();
    if mode.real < -DECAYS * size {
        return Ok(());
    }
    let inputs: Matrix = found.b.clone();
    if let Some(states) = blind(&found.a, mode, &inputs) {
        let named = named(found, mode, &states);
        return Err(Diagnostic::error(
            codes::NO_REGULATOR,
            format!("no input moves {named} so nothing can stabilise it"),
        )
        .note("the inputs are the controls of the scene")
        .hint("let a control act on it, or leave out what nobody wants to be held"));
    }
    let transposed: Matrix = (0..found.a.len()).map(|at| found.a.iter().map(|row| row[at]).collect()).collect();
    let diagonal = |i: usize| (0..q.len()).map(|j| if i == j { q[i].sqrt() } else { 0.0 }).collect();
    let seen: Matrix = (0..q.len()).map(diagonal).collect();
    if mode.real <= DECAYS * size
        && let Some(states) = blind(&transposed, mode, &seen)
    {
        let named = named(found, mode, &states);
        return Err(Diagnostic::error(
            codes::NO_REGULATOR,
            format!("no weight sees {named} so nothing is done about it"),
        )
        .hint("give its states a weight in Q"));
    }
    Ok(())
}

/// A mode in words, by the states that take part in it.
fn named(found: &Linearization, mode: &Mode, states: &[usize]) -> String {
    let states: Vec<String> = states.iter().map(|&at| format!("`{}`", found.states[at].name)).collect();
    let grows = if mode.real > 0.0 { "grows" } else { "does not die away" };
    let root = match mode.imaginary {
        0.0 => format!("{:.6}", mode.real),
        imaginary => format!("{:.6} ± {imaginary:.6} i", mode.real),
    };
    format!("the mode {root} of {}, which {grows},", base::listed(&states))
}

/// The states of which some combination moves by itself alone: rows of [A − λ, B] that depend on one another (Hautus). As a real matrix of twice
/// the size, times its own transpose.
fn blind(a: &Matrix, mode: &Mode, b: &Matrix) -> Option<Vec<usize>> {
    let n = a.len();
    let m = b.first().map_or(0, Vec::len);
    let scale = a.iter().flatten().fold(0.0_f64, |scale, entry| scale.max(entry.abs())).max(f64::MIN_POSITIVE);
    let largest = b.iter().flatten().fold(0.0_f64, |scale, entry| scale.max(entry.abs()));
    if largest == 0.0 {
        return Some(mode.shares.iter().map(|&(at, _)| at).collect());
    }
    let row = |at: usize| -> Vec<f64> {
        let (i, lower) = (at % n, at >= n);
        let state = |column: usize| {
            let (j, right) = (column % n, column >= n);
            let diagonal = |value: f64| if i == j { value } else { 0.0 };
            match (lower, right) {
                (false, false) | (true, true) => (a[i][j] - diagonal(mode.real)) / scale,
                (false, true) => diagonal(mode.imaginary) / scale,
                (true, false) => -diagonal(mode.imaginary) / scale,
            }
        };
        let input = |column: usize| if (column >= m) == lower { b[i][column % m] / largest } else { 0.0 };
        (0..2 * n).map(state).chain((0..2 * m).map(input)).collect()
    };
    let rows: Matrix = (0..2 * n).map(row).collect();
    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    let square: Matrix = rows.iter().map(|x| rows.iter().map(|y| dot(x, y)).collect()).collect();
    let (direction, _) = weakest(square).filter(|(_, shrunk)| *shrunk < OUT_OF_REACH)?;
    let shares: Vec<f64> = (0..n).map(|at| direction[at].abs() + direction[n + at].abs()).collect();
    let most = shares.iter().fold(0.0_f64, |most, share| most.max(*share));
    Some((0..n).filter(|&at| shares[at] > TAKES_PART * most).collect())
}
