//! What an input does to an output in a linear model: its transfer function, its answer to oscillations, and its answer to a step.

use super::eigenvalues::eigenvalues;
use super::riccati::identity;
use super::{Linearization, Matrix, matrix};

/// One output over one input: a ratio of polynomials of s.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    pub input: usize,
    pub output: usize,
    pub gain: f64,
    /// Real and imaginary parts; what zeros and poles have in common is left out.
    pub zeros: Vec<(f64, f64)>,
    pub poles: Vec<(f64, f64)>,
}

/// The answer to sin ω t, after all else has died away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// In rad/s.
    pub frequency: f64,
    pub size: f64,
    /// In radians, without jumps.
    pub phase: f64,
}

impl Answer {
    pub fn decibels(&self) -> f64 {
        20.0 * libm::log10(self.size)
    }

    pub fn degrees(&self) -> f64 {
        self.phase * 180.0 / std::f64::consts::PI
    }

    /// The logarithm of the frequency.
    pub fn decade(&self) -> f64 {
        libm::log10(self.frequency)
    }
}

/// A zero and a pole that are so near to each other, relative to the largest pole, are taken to be the same.
const SAME: f64 = 1e-6;
/// What rounding leaves of a sum, relative to its parts.
const ROUNDING: f64 = 1e-12;

impl Transfer {
    /// Coefficients of numerator and denominator, the highest power first; that of the denominator is one.
    pub fn polynomials(&self) -> (Vec<f64>, Vec<f64>) {
        let top = polynomial(&self.zeros).into_iter().map(|factor| self.gain * factor).collect();
        (top, polynomial(&self.poles))
    }
}

/// From every input to every output; none where the eigenvalues cannot be found.
pub fn transfers(found: &Linearization) -> Option<Vec<Transfer>> {
    let mut all = Vec::new();
    for output in 0..found.outputs.len() {
        for input in 0..found.inputs.len() {
            all.push(transfer(found, input, output)?);
        }
    }
    Some(all)
}

/// With p(s) = Σ pᵢ sⁿ⁻ⁱ the characteristic polynomial of A: c (s − A)⁻¹ b p(s) has the coefficients Σ pᵢ c Aᵏ⁻¹⁻ⁱ b. What no chain of states leads to is
/// exactly zero in it.
fn transfer(found: &Linearization, input: usize, output: usize) -> Option<Transfer> {
    let (c, d) = (&found.c[output], found.d[output][input]);
    let poles = eigenvalues(&found.a)?;
    let denominator = polynomial(&poles);
    let mut numerator: Vec<f64> = denominator.iter().map(|factor| d * factor).collect();
    let mut state: Vec<f64> = found.b.iter().map(|row| row[input]).collect();
    let mut along = Vec::new();
    for k in 1..denominator.len() {
        along.push(c.iter().zip(&state).map(|(c, x)| c * x).sum::<f64>());
        state = matrix::times(&found.a, &state);
        let parts: Vec<f64> = (0..k).map(|i| denominator[i] * along[k - 1 - i]).collect();
        let (sum, size) = parts.iter().fold((0.0, 0.0), |(sum, size), part| (sum + part, size + part.abs()));
        if sum.abs() > ROUNDING * size {
            numerator[k] += sum;
        }
    }
    let first = numerator.iter().position(|factor| *factor != 0.0);
    let Some(first) = first else {
        return Some(Transfer { input, output, gain: 0.0, zeros: Vec::new(), poles: Vec::new() });
    };
    let gain = numerator[first];
    let zeros = roots(&numerator[first..])?;
    let [zeros, poles] = without_common(zeros, poles);
    Some(Transfer { input, output, gain, zeros, poles })
}

/// The product of s − root, the highest power first.
fn polynomial(roots: &[(f64, f64)]) -> Vec<f64> {
    let mut factors: Vec<(f64, f64)> = vec![(1.0, 0.0)];
    for &(re, im) in roots {
        factors.push((0.0, 0.0));
        for at in (1..factors.len()).rev() {
            let (x, y) = factors[at - 1];
            factors[at].0 -= x * re - y * im;
            factors[at].1 -= x * im + y * re;
        }
    }
    factors.into_iter().map(|(re, _)| re).collect()
}

/// By the eigenvalues of the companion matrix.
fn roots(factors: &[f64]) -> Option<Vec<(f64, f64)>> {
    let zeros = factors.iter().rev().take_while(|factor| **factor == 0.0).count();
    let factors = &factors[..factors.len() - zeros];
    let n = factors.len() - 1;
    let mut companion = matrix::zero(n, n);
    for at in 0..n {
        companion[0][at] = -factors[at + 1] / factors[0];
        if at + 1 < n {
            companion[at + 1][at] = 1.0;
        }
    }
    let mut found = if n == 0 { Vec::new() } else { eigenvalues(&companion)? };
    found.extend(std::iter::repeat_n((0.0, 0.0), zeros));
    Some(found)
}

/// Leaves out, one by one, what both have; a pair of conjugates stays together.
fn without_common(mut zeros: Vec<(f64, f64)>, mut poles: Vec<(f64, f64)>) -> [Vec<(f64, f64)>; 2] {
    let size = poles.iter().fold(1e-3_f64, |size, (re, im)| size.max((re * re + im * im).sqrt()));
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() + (a.1 - b.1).abs() <= SAME * size;
    let mut at = 0;
    while at < zeros.len() {
        match poles.iter().position(|&pole| near(pole, zeros[at])) {
            Some(place) => {
                poles.remove(place);
                zeros.remove(at);
            }
            None => at += 1,
        }
    }
    [zeros, poles]
}

/// The answers of an output to an input over a range of frequencies, evenly spaced in their logarithm; none where one is a pole.
pub fn oscillations(found: &Linearization, input: usize, output: usize, points: usize) -> Vec<Answer> {
    let (low, high) = range(found);
    let mut answers: Vec<Answer> = Vec::new();
    for at in 0..points {
        let frequency = low * libm::pow(high / low, at as f64 / (points - 1) as f64);
        let Some((re, im)) = answer(found, input, output, frequency) else { continue };
        let mut phase = libm::atan2(im, re);
        if let Some(before) = answers.last() {
            let turns = ((before.phase - phase) / std::f64::consts::TAU).round();
            phase += turns * std::f64::consts::TAU;
        }
        answers.push(Answer { frequency, size: (re * re + im * im).sqrt(), phase });
    }
    answers
}

/// A decade around all that happens.
fn range(found: &Linearization) -> (f64, f64) {
    let sizes = found.modes.iter().map(|mode| (mode.real * mode.real + mode.imaginary * mode.imaginary).sqrt());
    let sizes: Vec<f64> = sizes.filter(|size| *size > 1e-6).collect();
    let low = sizes.iter().fold(f64::INFINITY, |low, &size| low.min(size));
    let high = sizes.iter().fold(0.0_f64, |high, &size| high.max(size));
    if sizes.is_empty() { (0.1, 10.0) } else { (low / 10.0, high * 10.0) }
}

/// c (iω − A)⁻¹ b + d, as a real system of twice the size.
fn answer(found: &Linearization, input: usize, output: usize, frequency: f64) -> Option<(f64, f64)> {
    let n = found.a.len();
    let row = |at: usize| -> Vec<f64> {
        let (i, lower) = (at % n, at >= n);
        let entry = |column: usize| {
            let (j, right) = (column % n, column >= n);
            match (lower, right) {
                (false, false) | (true, true) => -found.a[i][j],
                (false, true) => {
                    if i == j {
                        -frequency
                    } else {
                        0.0
                    }
                }
                (true, false) => {
                    if i == j {
                        frequency
                    } else {
                        0.0
                    }
                }
            }
        };
        (0..2 * n).map(entry).collect()
    };
    let right = (0..2 * n).map(|at| vec![if at < n { found.b[at][input] } else { 0.0 }]).collect();
    let x = matrix::solve((0..2 * n).map(row).collect(), right).ok()?;
    let seen = |first: usize| -> f64 { found.c[output].iter().enumerate().map(|(at, c)| c * x[first + at][0]).sum() };
    Some((seen(0) + found.d[output][input], seen(n)))
}

/// All outputs after an input has stepped from 0 to 1, at even times from 0 on.
pub fn step(found: &Linearization, input: usize, points: usize) -> Vec<(f64, Vec<f64>)> {
    let n = found.a.len();
    let interval = duration(found) / (points - 1) as f64;
    // The input is one more state, which stays.
    let mut joined = matrix::zero(n + 1, n + 1);
    for (row, (a, b)) in joined.iter_mut().zip(found.a.iter().zip(&found.b)) {
        row[..n].copy_from_slice(a);
        row[n] = b[input];
    }
    let along = exponential(&joined, interval);
    let mut x = vec![0.0; n + 1];
    x[n] = 1.0;
    let mut rows = Vec::new();
    for at in 0..points {
        let outputs = found.c.iter().zip(&found.d);
        let seen = |c: &[f64]| -> f64 { c.iter().zip(&x).map(|(c, x)| c * x).sum() };
        rows.push((at as f64 * interval, outputs.map(|(c, d)| seen(c) + d[input]).collect()));
        x = matrix::times(&along, &x);
    }
    rows
}

/// Until all has died away, or what grows has grown.
fn duration(found: &Linearization) -> f64 {
    // Time constants: after six of them e⁻⁶ is left, a quarter of a percent.
    const LONG: f64 = 6.0;
    let growing = found.modes.iter().map(|mode| mode.real).fold(0.0_f64, f64::max);
    if growing > 0.0 {
        return LONG / 2.0 / growing;
    }
    let slowest = found.modes.iter().filter(|mode| mode.real < 0.0).map(|mode| -1.0 / mode.real).fold(0.0, f64::max);
    let period =
        found.modes.iter().filter(|mode| mode.imaginary > 0.0).map(|mode| std::f64::consts::TAU / mode.imaginary);
    let period = period.fold(0.0, f64::max);
    match (slowest, period) {
        (0.0, 0.0) => 10.0,
        (0.0, period) => LONG * period,
        (slowest, _) => LONG * slowest,
    }
}

/// exp(M t) by its series, after halving t until it converges at once, and squaring back.
fn exponential(m: &Matrix, t: f64) -> Matrix {
    const TERMS: usize = 18;
    let n = m.len();
    let size = m.iter().map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>()).fold(0.0, f64::max) * t;
    let mut halvings = 0;
    let mut part = t;
    while size * part / t > 0.5 {
        part /= 2.0;
        halvings += 1;
    }
    let (mut sum, mut term) = (identity(n), identity(n));
    for k in 1..=TERMS {
        term = matrix::product(&term, m)
            .into_iter()
            .map(|row| row.into_iter().map(|entry| entry * part / k as f64).collect())
            .collect();
        for (sum, term) in sum.iter_mut().zip(&term) {
            sum.iter_mut().zip(term).for_each(|(sum, term)| *sum += term);
        }
    }
    for _ in 0..halvings {
        sum = matrix::product(&sum, &sum);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn by one radian.
    #[test]
    fn the_exponential_of_a_turn() {
        let turned = exponential(&vec![vec![0.0, 1.0], vec![-1.0, 0.0]], 1.0);
        assert!((turned[0][0] - libm::cos(1.0)).abs() < 1e-15 && (turned[0][1] - libm::sin(1.0)).abs() < 1e-15);
    }

    #[test]
    fn roots_and_polynomials_are_inverse() {
        let factors = polynomial(&[(-1.0, 2.0), (-1.0, -2.0), (3.0, 0.0)]);
        assert_eq!(factors, [1.0, -1.0, -1.0, -15.0]);
        let mut found = roots(&factors).expect("roots");
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for (found, root) in found.iter().zip([(-1.0, -2.0), (-1.0, 2.0), (3.0, 0.0)]) {
            assert!((found.0 - root.0).abs() + (found.1 - root.1).abs() < 1e-13, "{found:?}");
        }
    }
}
