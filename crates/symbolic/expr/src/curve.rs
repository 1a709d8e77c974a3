//! Curves through measured points: polynomials between neighbouring knots, which an expression names by numbers of an arena.
//!
//! `place` says between which knots an argument is, counted from the first; its whole part chooses the numbers that `cell` gives. So a curve bends
//! where a whole part steps, and what is known of `floor` is known of it.

/// The numbers of one piece: four coefficients of powers of the distance from its knot, the knot, one over its width, and the largest such number of
/// the curve.
pub const PARTS: usize = 7;
pub const KNOT: usize = 4;
pub const STEEPNESS: usize = 5;
pub const STEEPEST: usize = 6;

/// How points are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joining {
    /// By straight lines.
    Linear,
    /// By a natural cubic spline: slope and curvature do not jump.
    Smooth,
    /// By cubics that never overshoot: the slope does not jump, and between two points the curve rises or falls as they do (Fritsch and Butland, 1984).
    Monotone,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What is before the first knot, between neighbouring ones, and beyond the last.
    pieces: Vec<[f64; PARTS]>,
    /// Where all widths are alike, that width.
    pub width: Option<f64>,
}

impl Curve {
    /// Through points with ascending arguments, at least two. Beyond its ends it holds its last values, or goes on as it went.
    pub fn new(x: &[f64], y: &[f64], joining: Joining, is_held: bool) -> Curve {
        let last = x.len() - 1;
        let slopes = slopes(x, y, joining);
        let steepest = (0..last).map(|at| 1.0 / (x[at + 1] - x[at])).fold(0.0, f64::max);
        let piece = |at: usize| {
            let (width, rise) = (x[at + 1] - x[at], y[at + 1] - y[at]);
            let [c1, c2, c3] = match &slopes {
                None => [rise / width, 0.0, 0.0],
                Some(slopes) => {
                    let (a, b, mean) = (slopes[at], slopes[at + 1], rise / width);
                    [a, (3.0 * mean - 2.0 * a - b) / width, (a + b - 2.0 * mean) / (width * width)]
                }
            };
            [y[at], c1, c2, c3, x[at], 1.0 / width, steepest]
        };
        let held = |at: usize, own: [f64; PARTS]| match is_held {
            true => [y[at], 0.0, 0.0, 0.0, x[at], own[STEEPNESS], steepest],
            false => own,
        };
        let mut pieces = vec![held(0, piece(0))];
        pieces.extend((0..last).map(piece));
        pieces.push(held(last, piece(last - 1)));
        let width = (x[last] - x[0]) / last as f64;
        let even = |at: usize| (x[at] - x[0] - width * at as f64).abs() <= 1e-12 * (x[last].abs() + x[0].abs() + width);
        Curve { pieces, width: (0..=last).all(even).then_some(width) }
    }

    /// What is before the first knot, between neighbouring ones, and beyond the last.
    pub fn pieces(&self) -> &[[f64; PARTS]] {
        &self.pieces
    }

    /// Between which knots an argument is: their number, and which part of the way it has gone.
    pub fn place(&self, x: f64) -> f64 {
        let inner = &self.pieces[1..self.pieces.len() - 1];
        let at = inner.partition_point(|piece| piece[KNOT] <= x).saturating_sub(1);
        at as f64 + (x - inner[at][KNOT]) * inner[at][STEEPNESS]
    }

    /// A number of a piece.
    pub fn cell(&self, part: f64, index: f64) -> f64 {
        let row = index.max(-1.0).min(self.pieces.len() as f64 - 2.0) + 1.0;
        if row.is_nan() { f64::NAN } else { self.pieces[row as usize][part as usize] }
    }

    /// The value at an argument.
    pub fn value(&self, x: f64) -> f64 {
        let index = self.place(x).floor();
        let [c0, c1, c2, c3, knot] = [0.0, 1.0, 2.0, 3.0, 4.0].map(|part| self.cell(part, index));
        let d = x - knot;
        c0 + d * (c1 + d * (c2 + d * c3))
    }
}

/// The slopes at all points; none where lines are straight.
fn slopes(x: &[f64], y: &[f64], joining: Joining) -> Option<Vec<f64>> {
    let last = x.len() - 1;
    let width = |at: usize| x[at + 1] - x[at];
    let mean = |at: usize| (y[at + 1] - y[at]) / width(at);
    match joining {
        Joining::Linear => None,
        Joining::Smooth if last == 1 => None,
        Joining::Monotone if last == 1 => None,
        Joining::Monotone => {
            // At an end, the parabola through three points, held back where it would overshoot.
            let end = |at: usize, next: usize| {
                let slope = mean(at) + (mean(at) - mean(next)) * width(at) / (width(at) + width(next));
                if slope * mean(at) <= 0.0 { 0.0 } else { slope.abs().min(3.0 * mean(at).abs()).copysign(slope) }
            };
            let inner = |at: usize| {
                let (before, after) = (mean(at - 1), mean(at));
                if before * after <= 0.0 {
                    return 0.0;
                }
                let (a, b) = (2.0 * width(at) + width(at - 1), width(at) + 2.0 * width(at - 1));
                (a + b) / (a / before + b / after)
            };
            let inner = (1..last).map(inner);
            Some(std::iter::once(end(0, 1)).chain(inner).chain([end(last - 1, last - 2)]).collect())
        }
        Joining::Smooth => {
            // Curvatures agree at inner points, and vanish at both ends: a system with three diagonals.
            let (mut upper, mut right) = (vec![0.5; last + 1], vec![1.5 * mean(0); last + 1]);
            for at in 1..=last {
                let (below, middle, above, own) = match at == last {
                    true => (1.0, 2.0, 0.0, 3.0 * mean(last - 1)),
                    false => {
                        let (before, after) = (1.0 / width(at - 1), 1.0 / width(at));
                        let own = 3.0 * (mean(at - 1) * before + mean(at) * after);
                        (before, 2.0 * (before + after), after, own)
                    }
                };
                let pivot = middle - below * upper[at - 1];
                upper[at] = above / pivot;
                right[at] = (own - below * right[at - 1]) / pivot;
            }
            for at in (0..last).rev() {
                right[at] -= upper[at] * right[at + 1];
            }
            Some(right)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 6] = [0.0, 1.0, 1.5, 3.0, 3.25, 5.0];

    fn curve(y: impl Fn(f64) -> f64, joining: Joining) -> Curve {
        Curve::new(&X, &X.map(y), joining, false)
    }

    fn slope(curve: &Curve, x: f64) -> f64 {
        (curve.value(x + 1e-6) - curve.value(x - 1e-6)) / 2e-6
    }

    #[test]
    fn curves_go_through_their_points() {
        for joining in [Joining::Linear, Joining::Smooth, Joining::Monotone] {
            let curve = curve(|x| x * x - 3.0 * x, joining);
            for x in X {
                assert!((curve.value(x) - (x * x - 3.0 * x)).abs() < 1e-13, "{joining:?} at {x}");
                assert!((curve.value(x - 1e-9) - curve.value(x + 1e-9)).abs() < 1e-7, "{joining:?} jumps at {x}");
            }
        }
    }

    /// Straight lines are straight whatever joins them, also beyond their ends.
    #[test]
    fn lines_stay_lines() {
        for joining in [Joining::Linear, Joining::Smooth, Joining::Monotone] {
            let curve = curve(|x| 2.0 * x + 1.0, joining);
            for at in -10..60 {
                let x = f64::from(at) * 0.1;
                assert!((curve.value(x) - 2.0 * x - 1.0).abs() < 1e-12, "{joining:?} at {x}");
            }
        }
    }

    /// The natural spline of a cubic whose curvature vanishes at both ends is that cubic.
    #[test]
    fn a_natural_spline_keeps_natural_cubics() {
        let cubic = |x: f64| x * x * x - 7.5 * x * x + 2.0 * x;
        let found = curve(cubic, Joining::Smooth);
        let curvature = |x: f64| (found.value(x + 1e-3) - 2.0 * found.value(x) + found.value(x - 1e-3)) * 1e6;
        for x in &X[1..5] {
            assert!((curvature(x - 1e-3) - curvature(x + 1e-3)).abs() < 0.2, "the curvature jumps at {x}");
            assert!((slope(&found, x - 1e-5) - slope(&found, x + 1e-5)).abs() < 1e-3);
        }
        assert!(curvature(2e-3).abs() < 0.2 && curvature(5.0 - 2e-3).abs() < 0.2);
    }

    #[test]
    fn a_monotone_curve_does_not_overshoot() {
        let steps = Curve::new(&X, &[0.0, 0.0, 1.0, 1.0, 1.0, 4.0], Joining::Monotone, true);
        let values: Vec<f64> = (-10..70).map(|at| steps.value(f64::from(at) * 0.1)).collect();
        assert!(values.windows(2).all(|pair| pair[0] <= pair[1] + 1e-15), "{values:?}");
        assert_eq!((values[0], values[79]), (0.0, 4.0), "it holds its last values");
    }

    #[test]
    fn even_widths_are_known() {
        assert_eq!(
            Curve::new(&[0.5, 0.6, 0.7], &[1.0, 2.0, 4.0], Joining::Linear, false).width.map(|w| w.round()),
            Some(0.0)
        );
        assert_eq!(curve(|x| x, Joining::Linear).width, None);
    }
}
