//! Plots for a file: one panel for each plot, with axes, units and round numbers, in colours that are told apart without colour. They are
//! laid out once, as marks on a page, and written as SVG or as PDF.

mod pdf;
mod svg;

use crate::plot::{Curve, Extent, Recording, rounded};

pub use pdf::pdf;
pub use svg::svg;

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
/// Of a point by itself, in pixels.
const DOT: f64 = 4.0;
/// Of letters, in pixels.
const LETTERS: f64 = 13.0;
const INK: Color = [0x00, 0x72, 0xb2];
const GRID: Color = [0xdd, 0xdd, 0xdd];
const EDGE: Color = [0x44, 0x44, 0x44];

type Color = [u8; 3];
type Point = (f64, f64);

/// What is drawn on a page, whose origin is above at the left.
enum Mark {
    /// Lines from point to point, in pieces that are not joined.
    Line {
        pieces: Vec<Vec<Point>>,
        color: Color,
        width: f64,
    },
    Text {
        at: Point,
        anchor: Anchor,
        bold: bool,
        text: String,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Begin,
    Middle,
    End,
}

/// All plots of a run.
pub struct Page {
    width: f64,
    height: f64,
    marks: Vec<Mark>,
}

/// All plots, one below the other. What does not change is a line there too.
pub fn page(recordings: &[Recording], energy: f64) -> Page {
    let curves = || recordings.iter().flat_map(|it| it.curves.iter().map(move |curve| (it, curve)));
    let marks = curves().enumerate().flat_map(|(at, (recording, curve))| panel(recording, curve, energy, at)).collect();
    let height = (TOP + HEIGHT + BOTTOM) * curves().count() as f64;
    Page { width: LEFT + WIDTH + RIGHT, height, marks }
}

fn panel(recording: &Recording, curve: &Curve, energy: f64, at: usize) -> Vec<Mark> {
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
    let above = (TOP + HEIGHT + BOTTOM) * at as f64 + TOP;
    let below = above + HEIGHT;
    let x = |value: f64| LEFT + WIDTH * part(value, left, right);
    let y = |value: f64| above + HEIGHT * (1.0 - part(value, low, high));
    let line = |points: Vec<Point>, color: Color| Mark::Line { pieces: vec![points], color, width: 1.0 };
    let text = |at: Point, anchor: Anchor, text: String| Mark::Text { at, anchor, bold: false, text };
    let mut marks = Vec::new();
    for tick in ticks(left, right) {
        marks.push(line(vec![(x(tick), above), (x(tick), below)], GRID));
        marks.push(text((x(tick), below + 17.0), Anchor::Middle, rounded(tick, 6)));
    }
    for tick in ticks(low, high) {
        marks.push(line(vec![(LEFT, y(tick)), (LEFT + WIDTH, y(tick))], GRID));
        marks.push(text((LEFT - 7.0, y(tick) + 4.5), Anchor::End, rounded(tick, 6)));
    }
    let right_edge = LEFT + WIDTH;
    marks.push(line(vec![(LEFT, above), (right_edge, above), (right_edge, below), (LEFT, below), (LEFT, above)], EDGE));
    marks.push(Mark::Text { at: (LEFT, above - 9.0), anchor: Anchor::Begin, bold: true, text: column.title() });
    let name = if recording.note.is_empty() { name } else { format!("{name} ({})", recording.note) };
    marks.push(text((LEFT + WIDTH / 2.0, below + 36.0), Anchor::Middle, name));
    let stride = values.len().div_ceil(MOST_POINTS).max(1);
    let points = across.iter().zip(values).zip(&recording.points).step_by(stride);
    let points: Vec<(Option<Point>, bool)> =
        points.map(|((&a, &v), alone)| ((a.is_finite() && v.is_finite()).then(|| (x(a), y(v))), *alone)).collect();
    let dots = points.iter().filter(|(_, alone)| *alone).filter_map(|(point, _)| *point);
    let dots: Vec<Vec<Point>> = dots.map(|(x, y)| vec![(x - DOT / 2.0, y), (x + DOT / 2.0, y)]).collect();
    if !dots.is_empty() {
        marks.push(Mark::Line { pieces: dots, color: INK, width: DOT });
    }
    // A value that is no number interrupts the curve, and so does a point by itself.
    let joined: Vec<Option<Point>> = points.into_iter().map(|(point, alone)| point.filter(|_| !alone)).collect();
    let pieces = joined.split(Option::is_none).filter(|piece| !piece.is_empty());
    let pieces = pieces.map(|piece| piece.iter().copied().flatten().collect()).collect();
    marks.push(Mark::Line { pieces, color: INK, width: 1.6 });
    marks
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
        let columns = vec![Column::new("a < b".to_string(), "m")];
        let mut recording = Recording::new(columns, vec![Curve { column: 0, against: None }]);
        for row in 0..=10 {
            recording.row(f64::from(row), &[f64::from(row) * 0.5]);
        }
        let text = svg(&page(std::slice::from_ref(&recording), 0.0));
        assert!(text.contains("a &lt; b [m]") && text.contains("t [s]"), "{text}");
        assert!(text.contains(&format!("d=\"M{LEFT:.2} {:.2}L", TOP + HEIGHT)), "{text}");
        assert!(text.contains(&format!("L{:.2} {TOP:.2}\"", LEFT + WIDTH)), "{text}");
    }
}
