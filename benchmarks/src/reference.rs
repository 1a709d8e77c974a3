//! The reference: a double pendulum and its integrator as one would write them by hand, with the platform's sine.
//!
//! Absolute angles, the equations of the textbook, Dormand and Prince's method of order 5(4) with the same measure of error
//! as the templates of `numerics` have; no dense output.

#![allow(clippy::disallowed_methods, reason = "the reference is what one would write by hand")]

use std::time::Duration;

use crate::running::{machine, operations, simulate};
use crate::stopwatch::{median, repeat, short, time};
use crate::{Scene, TOLERANCES, UNTIL};

const BUDGET: Duration = Duration::from_millis(500);

pub fn table(scene: &Scene) {
    println!("## Double pendulum, synthesized and written by hand\n");
    println!(
        "| program | tolerance | steps | right-hand sides | simulated s per s | ns per right-hand side | error of the first angle after {UNTIL} s |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let truth = integrate(1e-14).state[0];
    let mut ratios = Vec::new();
    for tolerance in TOLERANCES {
        let (stages, _) = scene.compile(tolerance);
        // By turns, so that whatever else the machine does slows both down alike.
        let machine = machine(&stages);
        let runs = repeat(BUDGET, || {
            (time(|| simulate(&stages, &machine, tolerance)), time(|| integrate(std::hint::black_box(tolerance))))
        });
        let ((_, (summary, values)), (_, by_hand)) = runs[0].clone();
        let synthesized_time = median(runs.iter().map(|((time, _), _)| *time).collect());
        let by_hand_time = median(runs.iter().map(|(_, (time, _))| *time).collect());
        let statistics = summary.statistics;
        let order = if tolerance < 1e-7 { 8 } else { 5 };
        row(
            &format!("Ansatz, order {order}, {} operations", operations(&stages)),
            tolerance,
            (statistics.accepted as u64, statistics.evaluations as u64),
            synthesized_time,
            values[0] - truth,
        );
        let counts = (by_hand.steps, by_hand.evaluations);
        row("by hand in Rust, order 5", tolerance, counts, by_hand_time, by_hand.state[0] - truth);
        let ratio = by_hand_time.as_secs_f64() / synthesized_time.as_secs_f64();
        ratios.push(format!("{} at {tolerance:.0e}", short(ratio)));
    }
    println!("\nTime of the program by hand over time of the synthesized one: {}.", ratios.join(", "));
}

fn row(program: &str, tolerance: f64, (steps, evaluations): (u64, u64), time: Duration, error: f64) {
    let seconds = time.as_secs_f64();
    println!(
        "| {program} | {tolerance:.0e} | {steps} | {evaluations} | {} | {:.0} | {:.1e} |",
        short(UNTIL / seconds),
        seconds * 1e9 / evaluations as f64,
        error.abs(),
    );
}

const N: usize = 4;
type State = [f64; N];

#[derive(Clone, Copy)]
struct Outcome {
    /// Both angles from the vertical, and their rates.
    state: State,
    steps: u64,
    evaluations: u64,
}

/// Lengths 1 m, masses 1 kg.
fn derivative([a, b, u, v]: State) -> State {
    const G: f64 = 9.81;
    let (sine, cosine) = (a - b).sin_cos();
    let below = 2.0 - cosine * cosine;
    let du = (-2.0 * G * a.sin() - v * v * sine - cosine * (u * u * sine - G * b.sin())) / below;
    let dv = (2.0 * (u * u * sine - G * b.sin()) + cosine * (v * v * sine + 2.0 * G * a.sin())) / below;
    [u, v, du, dv]
}

/// Hairer, Nørsett and Wanner, table II.5.2.
const A: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

fn integrate(tolerance: f64) -> Outcome {
    let third = std::f64::consts::PI / 3.0;
    let mut state = [std::f64::consts::FRAC_PI_2, third, 0.0, 0.0];
    let (mut t, mut h, mut largest) = (0.0, 1e-3, state.map(f64::abs));
    let mut outcome = Outcome { state, steps: 0, evaluations: 1 };
    let mut slopes = [derivative(state); 7];
    while t < UNTIL {
        h = f64::min(h, UNTIL - t);
        let mut next = state;
        for stage in 1..7 {
            next = state;
            for (weight, slope) in A[stage].iter().zip(&slopes) {
                (0..N).for_each(|i| next[i] += h * weight * slope[i]);
            }
            slopes[stage] = derivative(next);
        }
        outcome.evaluations += 6;
        let error = error(&slopes, h, &largest, tolerance);
        if error <= 1.0 {
            t += h;
            outcome.steps += 1;
            state = next;
            slopes[0] = slopes[6];
            (0..N).for_each(|i| largest[i] = f64::max(largest[i], state[i].abs()));
        }
        h *= (0.9 * error.powf(-0.2)).clamp(0.2, 5.0);
    }
    outcome.state = state;
    outcome
}

/// Each component in relation to the largest magnitude of it so far, or a thousandth of the largest of its kind.
fn error(slopes: &[State; 7], h: f64, largest: &State, tolerance: f64) -> f64 {
    let floor = [largest[0].max(largest[1]), largest[2].max(largest[3]).max(1e-3)].map(|size| 1e-3 * size);
    let sum: f64 = (0..N)
        .map(|i| {
            let difference: f64 = E.iter().zip(slopes).map(|(weight, slope)| weight * slope[i]).sum();
            let part = h * difference / (tolerance * largest[i].max(floor[i / 2]));
            part * part
        })
        .sum();
    (sum / N as f64).sqrt().max(1e-10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_conserves_energy() {
        let energy =
            |[a, b, u, v]: State| u * u + 0.5 * v * v + u * v * (a - b).cos() - 9.81 * (2.0 * a.cos() + b.cos());
        let outcome = integrate(1e-10);
        assert!((energy(outcome.state) + 9.81 * 0.5).abs() < 1e-6);
    }
}
