//! Plots for a file: one panel of SVG for each plot, with axes, units and round numbers, in colours that are told apart without colour.

use std::fmt::Write;

use crate::plot::{Curve, Extent, Recording, rounded};

/// Of a panel, in pixels, and the space around it for numbers and names.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 44.0;
/// About so many numbers at an axis.
const TICKS: f64 = 6.0;
/// More points than these are not told apart on paper.
const MOST_POINTS: usize = 4000;
const INK: &str = "#0072b2";

/// All plots, one below the other. What does not change is a line there too.
pub fn svg(recording: &Recording, energy: f64) -> String {
    let panels: Vec<String> =
        recording.curves.iter().enumerate().map(|(at, curve)| panel(recording, curve, energy, at)).collect();
    let (width, height) = (LEFT + WIDTH + RIGHT, (TOP + HEIGHT + BOTTOM) * panels.len() as f64);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
        panels.concat()
    )
}

fn panel(recording: &Recording, curve: &Curve, energy: f64, at: usize) -> String {
    let (column, values) = (&recording.columns[curve.column], &recording.values[curve.column]);
    let size = if column.unit == "J" { energy } else { 0.0 };
    let (low, high) = match Extent::of(values, size) {
        Extent::Range { low, high } => (low, high),
        Extent::Constant { value, .. } => around(value),
        Extent::Nothing => (0.0, 1.0),
    };
    let (across, (left, right), name) = match recording.across(curve) {
        Some((other, across, ends)) => (across, ends, other.title()),
        None => (&recording.times[..], recording.duration(), "t [s]".to_string()),
    };
    let (left, right) = if right > left { (left, right) } else { around(left) };
    let x = |value: f64| LEFT + WIDTH * part(value, left, right);
    let y = |value: f64| TOP + HEIGHT * (1.0 - part(value, low, high));
    let mut out = format!("<g transform=\"translate(0 {})\">\n", (TOP + HEIGHT + BOTTOM) * at as f64);
    for tick in ticks(left, right) {
        let _ = writeln!(
            out,
            "<path d=\"M{0:.2} {TOP}V{1}\" stroke=\"#dddddd\"/><text x=\"{0:.2}\" y=\"{2}\" text-anchor=\"middle\">{3}</text>",
            x(tick),
            TOP + HEIGHT,
            TOP + HEIGHT + 17.0,
            rounded(tick, 6)
        );
    }
    for tick in ticks(low, high) {
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {0:.2}H{1}\" stroke=\"#dddddd\"/><text x=\"{2}\" y=\"{3:.2}\" text-anchor=\"end\">{4}</text>",
            y(tick),
            LEFT + WIDTH,
            LEFT - 7.0,
            y(tick) + 4.5,
            rounded(tick, 6)
        );
    }
    let _ = writeln!(
        out,
        "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#444444\"/>"
    );
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{}</text>",
        TOP - 9.0,
        base::escaped(&column.title())
    );
    let middle = LEFT + WIDTH / 2.0;
    let below = TOP + HEIGHT + 36.0;
    let _ = writeln!(out, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>", base::escaped(&name));
    let stride = values.len().div_ceil(MOST_POINTS).max(1);
    // A value that is no number interrupts the curve.
    let mut path = String::new();
    let mut joined = false;
    for (&a, &v) in across.iter().zip(values).step_by(stride) {
        if a.is_finite() && v.is_finite() {
            let _ = write!(path, "{}{:.2} {:.2}", if joined { "L" } else { "M" }, x(a), y(v));
        }
        joined = a.is_finite() && v.is_finite();
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>\n</g>"
    );
    out
}

/// Where a value lies between two others. Halves keep the differences finite for bounds of any size.
fn part(value: f64, low: f64, high: f64) -> f64 {
    (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
}

/// Bounds around a value that does not change.
fn around(value: f64) -> (f64, f64) {
    let half = if value == 0.0 { 1.0 } else { value.abs() / 2.0 };
    (value - half, value + half)
}

/// Round numbers between two ends: steps of 1, 2 or 5 times a power of ten.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high / TICKS - low / TICKS).max(f64::MIN_POSITIVE);
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|&step| step >= rough).unwrap_or(rough);
    let (first, last) = ((low / step).ceil(), (high / step).floor());
    if !(first.is_finite() && last.is_finite() && last - first < 4.0 * TICKS) {
        return vec![low, high];
    }
    (0..=(last - first) as i64).map(|at| (first + at as f64) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Column;

    #[test]
    fn ticks_are_round_and_lie_between_the_ends() {
        assert_eq!(ticks(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(-0.13, 0.31).len(), 5);
        assert!(ticks(1e300, 1.000_001e300).iter().all(|tick| tick.is_finite()));
        assert!(!ticks(-f64::MAX, f64::MAX).is_empty());
    }

    #[test]
    fn a_curve_goes_from_corner_to_corner() {
        let columns = vec![Column { name: "a < b".to_string(), unit: "m".to_string() }];
        let mut recording = Recording::new(columns, vec![Curve { column: 0, against: None }]);
        for row in 0..=10 {
            recording.row(f64::from(row), &[f64::from(row) * 0.5]);
        }
        let text = svg(&recording, 0.0);
        assert!(text.contains("a &lt; b [m]") && text.contains("t [s]"), "{text}");
        assert!(text.contains(&format!("d=\"M{LEFT:.2} {:.2}L", TOP + HEIGHT)), "{text}");
        assert!(text.contains(&format!("L{:.2} {TOP:.2}\"", LEFT + WIDTH)), "{text}");
    }
}
