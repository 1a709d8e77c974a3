//! A state in which nothing changes, found from another by Newton's method with the shortest steps where there is a choice.

use base::Random;

use super::matrix::{Pseudoinverse, norm};
use super::surroundings::{Surroundings, Unsettled};

const MOST_ITERATIONS: usize = 100;
/// Shorter parts of a step are not tried.
const LEAST_PART: f64 = 1e-4;
/// A step of this size, in units of the state, is the last.
const SMALL: f64 = 1e-13;
/// A rate that a change of the state by so much would undo is none.
const REST: f64 = 1e-9;
/// How often the search begins anew, a little beside the start: a start at which the rates do not change has no direction to go.
const ATTEMPTS: u64 = 6;

/// Moves the surroundings to an equilibrium; the number of steps, or the state that goes on changing most.
pub fn find(near: &mut Surroundings) -> Result<usize, usize> {
    let start = near.state();
    let mut restless = 0;
    for attempt in 0..ATTEMPTS {
        let mut random = Random::new(attempt);
        let spread = 0.05 * attempt as f64;
        let begin: Vec<f64> = start.iter().map(|x| x + spread * random.between(-1.0, 1.0) * x.abs().max(1.0)).collect();
        near.set_state(&begin);
        match search(near) {
            Ok(Ok(steps)) => return Ok(steps),
            Ok(Err(state)) if attempt == 0 => restless = state,
            _ => {}
        }
    }
    near.set_state(&start);
    Err(restless)
}

fn search(near: &mut Surroundings) -> Result<Result<usize, usize>, Unsettled> {
    near.settle()?;
    for iteration in 0..MOST_ITERATIONS {
        let slopes = near.slopes()?;
        let mut rows = slopes.a;
        rows.extend(slopes.constraints.concat());
        // Every equation in units of what it changes by.
        let sizes: Vec<f64> = rows.iter().map(|row| norm(row)).collect();
        for (row, size) in rows.iter_mut().zip(&sizes) {
            row.iter_mut().filter(|_| *size > 0.0).for_each(|entry| *entry /= size);
        }
        let state = near.state();
        let inverse = Pseudoinverse::new(&rows, state.len());
        let left = off(near, &sizes);
        let step = inverse.apply(&left);
        if norm(&step) <= SMALL * (norm(&state) + 1.0) {
            let worst = (0..state.len()).max_by(|&i, &j| left[i].abs().total_cmp(&left[j].abs())).unwrap_or(0);
            let rests = left.iter().all(|left| left.abs() <= REST * (norm(&state) + 1.0));
            return Ok(if rests { Ok(iteration) } else { Err(worst) });
        }
        let mut part = 1.0;
        loop {
            let tried: Vec<f64> = state.iter().zip(&step).map(|(x, step)| x - part * step).collect();
            near.set_state(&tried);
            let next = near.settle().ok().map(|()| norm(&inverse.apply(&off(near, &sizes))));
            if next.is_some_and(|next| next <= (1.0 - 0.25 * part) * norm(&step) || next <= SMALL) {
                break;
            }
            part *= 0.5;
            if part < LEAST_PART {
                let worst = (0..state.len()).max_by(|&i, &j| left[i].abs().total_cmp(&left[j].abs())).unwrap_or(0);
                return Ok(Err(worst));
            }
        }
    }
    Ok(Err(0))
}

/// What rates and constraints leave, in units of what each changes by; what never changes counts as it is.
fn off(near: &Surroundings, sizes: &[f64]) -> Vec<f64> {
    let left = near.rates().into_iter().chain(near.constraint_errors());
    left.zip(sizes).map(|(left, &size)| if size > 0.0 { left / size } else { left }).collect()
}
