//! A Runge–Kutta method as a table of weights.

use super::{dormand_prince_5, dormand_prince_8};
use crate::steps::{Method, StepControl};

/// The slopes with their weights; what has the weight zero is left out.
pub type Weights = &'static [(usize, f64)];

/// A method with an error estimate and dense output. Slopes are numbered: first the stages of the step, then the one at
/// its end, which is the first of the next step, then those that only the dense output needs.
pub struct Tableau {
    /// Where in the step each slope is taken.
    pub nodes: &'static [f64],
    /// What the argument of each slope is made of. The row of the slope at the end is the step itself.
    pub rows: &'static [Weights],
    /// The number of the slope at the end.
    pub end: usize,
    pub error: ErrorEstimate,
    /// The interpolating polynomial beyond the cubic that fits states and slopes at both ends.
    pub dense: &'static [Weights],
    /// How far the stability region reaches along the negative real axis, in h λ.
    pub stability: f64,
    pub control: StepControl,
}

pub enum ErrorEstimate {
    /// The difference to an embedded formula.
    Embedded(Weights),
    /// The difference to a formula of order 5, corrected by the one to a formula of order 3 (section II.10).
    Combined { fifth: Weights, third: Weights },
}

impl Tableau {
    /// # Panics
    /// If the method is no explicit one.
    pub fn of(method: Method) -> &'static Tableau {
        match method {
            Method::DormandPrince5 => &dormand_prince_5::TABLEAU,
            Method::DormandPrince8 => &dormand_prince_8::TABLEAU,
            Method::Rodas5P | Method::Radau13 | Method::Fixed => panic!("{method:?} is no explicit method"),
        }
    }

    /// The number of slopes, all told.
    pub fn slopes(&self) -> usize {
        self.rows.len()
    }

    /// The number of coefficients of the interpolating polynomial, without the constant one.
    pub fn coefficients(&self) -> usize {
        3 + self.dense.len()
    }

    /// The weights of the step.
    pub fn step(&self) -> Weights {
        self.rows[self.end]
    }

    /// Whether the slope at the end is needed to judge the step.
    pub fn error_needs_end(&self) -> bool {
        let uses_end = |weights: Weights| weights.iter().any(|&(slope, _)| slope == self.end);
        match self.error {
            ErrorEstimate::Embedded(weights) => uses_end(weights),
            ErrorEstimate::Combined { fifth, third } => uses_end(fifth) || uses_end(third),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(base: f64, exponent: u32) -> f64 {
        (0..exponent).fold(1.0, |product, _| product * base)
    }

    /// Σ wᵢ cᵢᵏ
    fn moment(tableau: &Tableau, weights: Weights, k: u32) -> f64 {
        weights.iter().map(|&(slope, weight)| weight * power(tableau.nodes[slope], k)).sum()
    }

    #[track_caller]
    fn assert_close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    }

    fn methods() -> [(&'static Tableau, u32); 2] {
        [(Tableau::of(Method::DormandPrince5), 5), (Tableau::of(Method::DormandPrince8), 8)]
    }

    #[test]
    fn rows_sum_to_nodes_and_look_back() {
        for (tableau, _) in methods() {
            assert_eq!(tableau.nodes.len(), tableau.rows.len());
            assert_eq!(tableau.nodes[tableau.end], 1.0);
            for (slope, row) in tableau.rows.iter().enumerate() {
                assert!(row.iter().all(|&(earlier, weight)| earlier < slope && weight != 0.0));
                assert_close(moment(tableau, row, 0), tableau.nodes[slope]);
            }
        }
    }

    #[test]
    fn the_step_integrates_polynomials() {
        for (tableau, order) in methods() {
            for k in 0..order {
                assert_close(moment(tableau, tableau.step(), k), 1.0 / f64::from(k + 1));
            }
        }
    }

    /// Σ bᵢ cᵢᵏ Σ aᵢⱼ cⱼˡ = 1 / ((l + 1) (k + l + 2)) for k + l + 2 ≤ order: all trees with one branching.
    #[test]
    fn the_step_integrates_what_depends_on_an_integral() {
        for (tableau, order) in methods() {
            for (k, l) in (0..order).flat_map(|k| (0..order).map(move |l| (k, l))).filter(|(k, l)| k + l + 2 <= order) {
                let sum = tableau.step().iter().map(|&(slope, weight)| {
                    weight * power(tableau.nodes[slope], k) * moment(tableau, tableau.rows[slope], l)
                });
                assert_close(sum.sum(), 1.0 / f64::from((l + 1) * (k + l + 2)));
            }
        }
    }

    #[test]
    fn error_estimates_vanish_for_polynomials_up_to_their_order() {
        let vanishes = |tableau, weights, order| {
            for k in 0..order {
                assert_close(moment(tableau, weights, k), 0.0);
            }
            assert!(moment(tableau, weights, order).abs() > 1e-6, "of higher order than {order}");
        };
        for (tableau, _) in methods() {
            match tableau.error {
                ErrorEstimate::Embedded(weights) => vanishes(tableau, weights, 4),
                ErrorEstimate::Combined { fifth, third } => {
                    vanishes(tableau, fifth, 5);
                    vanishes(tableau, third, 3);
                }
            }
        }
    }

    /// The polynomial of the dense output with these first coefficients, for y′ = tᵏ on [0, 1].
    fn interpolate(tableau: &Tableau, k: u32, theta: f64) -> f64 {
        let rise = moment(tableau, tableau.step(), k);
        let (first, last) = (power(0.0, k), 1.0);
        let mut coefficients = vec![rise, first - rise, rise - last - (first - rise)];
        coefficients.extend(tableau.dense.iter().map(|weights| moment(tableau, weights, k)));
        let factor = |index: usize| if index.is_multiple_of(2) { theta } else { 1.0 - theta };
        coefficients.iter().enumerate().rev().fold(0.0, |value, (index, c)| factor(index) * (c + value))
    }

    #[test]
    fn dense_output_integrates_polynomials() {
        for (tableau, dense_order) in methods().map(|(tableau, order)| (tableau, order - 1)) {
            for (k, theta) in (0..dense_order).flat_map(|k| [0.1, 0.35, 0.8].map(|theta| (k, theta))) {
                assert_close(interpolate(tableau, k, theta), power(theta, k + 1) / f64::from(k + 1));
            }
        }
    }
}
