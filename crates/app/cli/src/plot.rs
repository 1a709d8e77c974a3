//! A trajectory drawn in the terminal: one panel of Braille dots for each recorded quantity.

use std::io::IsTerminal;

use crate::angles::{Angles, titled};
use crate::canvas::Canvas;

/// What is kept of a run to be drawn, here or in a file (`figure.rs`).
pub struct Recording {
    pub(crate) columns: Vec<Column>,
    pub(crate) curves: Vec<Curve>,
    pub(crate) times: Vec<f64>,
    /// One list for each column.
    pub(crate) values: Vec<Vec<f64>>,
    /// Rows that are points by themselves, not joined to their neighbours.
    pub(crate) points: Vec<bool>,
    /// What is to be said of the drawing.
    pub(crate) note: String,
    /// Only every so many rows are kept, so that a long run does not fill the memory.
    stride: usize,
    rows: usize,
}

pub struct Column {
    pub name: String,
    /// Nothing for a plain number.
    pub unit: String,
    /// What a recorded value is multiplied by to be a number of this unit.
    scale: f64,
}

/// A column to draw, over the time or over another column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    pub column: usize,
    pub against: Option<usize>,
}

impl Column {
    pub fn new(name: String, unit: &str) -> Column {
        Column::shown(name, unit, Angles::Degrees)
    }

    pub fn shown(name: String, unit: &str, angles: Angles) -> Column {
        let (unit, scale) = angles.shown(unit);
        Column { name, unit: unit.to_owned(), scale }
    }

    /// `x [m]`
    pub(crate) fn title(&self) -> String {
        titled(&self.name, &self.unit)
    }
}

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// In characters.
    pub width: usize,
    pub color: bool,
}

/// More rows than this are thinned out; a terminal has a few hundred dots across.
const MOST_ROWS: usize = 1 << 16;
/// More quantities than this are named but not drawn.
const MOST_PANELS: usize = 6;
/// A quantity that changes by less than this part of its size is reported as constant.
const CONSTANT: f64 = 1e-6;
/// Height of a panel in characters.
const HEIGHT: usize = 7;
/// Space for the numbers at the left.
const GUTTER: usize = 11;
const USUAL_DIGITS: usize = 5;
const NARROWEST: usize = 40;
const WIDEST: usize = 120;
const USUAL: usize = 80;

impl Style {
    /// Fits the terminal that standard output goes to, or 80 columns.
    pub fn of_terminal() -> Style {
        let width = terminal_size::terminal_size().map_or(USUAL, |(width, _)| usize::from(width.0));
        let color = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        Style { width: width.clamp(NARROWEST, WIDEST), color }
    }

    /// The width of a panel without the numbers at its left.
    fn across(self) -> usize {
        self.width - GUTTER - 2
    }
}

impl Recording {
    pub fn new(columns: Vec<Column>, curves: Vec<Curve>) -> Recording {
        let values = columns.iter().map(|_| Vec::new()).collect();
        Recording {
            columns,
            curves,
            times: Vec::new(),
            values,
            points: Vec::new(),
            note: String::new(),
            stride: 1,
            rows: 0,
        }
    }

    pub fn row(&mut self, t: f64, values: &[f64]) {
        self.add(t, values, false);
    }

    /// A row that is drawn as a point.
    pub fn point(&mut self, t: f64, values: &[f64]) {
        self.add(t, values, true);
    }

    fn add(&mut self, t: f64, values: &[f64], is_point: bool) {
        if self.rows.is_multiple_of(self.stride) {
            self.times.push(t);
            self.points.push(is_point);
            let scaled = self.columns.iter().zip(values).map(|(column, value)| column.scale * value);
            self.values.iter_mut().zip(scaled).for_each(|(column, value)| column.push(value));
        }
        self.rows += 1;
        if self.times.len() > MOST_ROWS {
            self.stride *= 2;
            thin(&mut self.times);
            thin(&mut self.points);
            self.values.iter_mut().for_each(thin);
        }
    }

    /// Panels for what changes, a line for what does not. What is an energy is compared with the energy of the scene, so that
    /// the rounding of a sum that is zero does not look like a motion.
    pub fn draw(&self, energy: f64, style: Style) -> String {
        let (mut over_time, mut over_others) = (String::new(), String::new());
        let (mut lines, mut left_out) = (String::new(), Vec::new());
        let mut drawn = 0;
        for curve in &self.curves {
            let (column, values) = (&self.columns[curve.column], &self.values[curve.column]);
            let size = if column.unit == "J" { energy } else { 0.0 };
            let bounds = match Extent::of(values, size) {
                Extent::Nothing => {
                    lines.push_str(&format!("  {}: not a number at any time\n", column.name));
                    continue;
                }
                Extent::Constant { value, spread } => {
                    lines.push_str(&constant_line(column, value, spread, values.len()));
                    continue;
                }
                Extent::Range { .. } if drawn == MOST_PANELS => {
                    left_out.push(column.name.as_str());
                    continue;
                }
                Extent::Range { low, high } => (low, high),
            };
            drawn += 1;
            match self.across(curve) {
                Some((other, across, ends)) => {
                    let title = format!("{} against {}", column.title(), other.name);
                    over_others.push_str(&panel(&title, (across, ends), (values, bounds), &self.points, style));
                    over_others.push_str(&axis(&other.title(), ends, style.across()));
                }
                None => {
                    let across = (&self.times[..], self.duration());
                    over_time.push_str(&panel(&column.title(), across, (values, bounds), &self.points, style));
                }
            }
        }
        if !left_out.is_empty() {
            let list = left_out.join(", ");
            lines.push_str(&format!("  not drawn: {list} (choose with `--probe`, or record all with `-o FILE`)\n"));
        }
        if !over_time.is_empty() {
            over_time.push_str(&axis("t [s]", self.duration(), style.across()));
        }
        if drawn > 0 && !self.note.is_empty() {
            lines.push_str(&format!("  {}\n", self.note));
        }
        over_time + &over_others + &lines
    }

    /// What a curve is drawn over, and between what ends; nothing if that is the time, or does not change.
    pub(crate) fn across(&self, curve: &Curve) -> Option<(&Column, &[f64], (f64, f64))> {
        let other = curve.against?;
        match Extent::of(&self.values[other], 0.0) {
            Extent::Range { low, high } => Some((&self.columns[other], &self.values[other], (low, high))),
            _ => None,
        }
    }

    pub(crate) fn duration(&self) -> (f64, f64) {
        (self.times.first().copied().unwrap_or(0.0), self.times.last().copied().unwrap_or(0.0))
    }
}

/// One quantity over another, each with its bounds.
fn panel(name: &str, across: (&[f64], (f64, f64)), up: (&[f64], (f64, f64)), alone: &[bool], style: Style) -> String {
    let ((across, (left, right)), (values, (low, high))) = (across, up);
    let mut canvas = Canvas::new(style.across(), HEIGHT);
    let x = |value: f64| scale(value, left, right, canvas.dots_across());
    let y = |value: f64| canvas.dots_down() - 1 - scale(value, low, high, canvas.dots_down());
    let point = |(&a, &v): (&f64, &f64)| (a.is_finite() && v.is_finite()).then(|| (x(a), y(v)));
    let points: Vec<Option<(usize, usize)>> = across.iter().zip(values).map(point).collect();
    let zero = (low < 0.0 && high > 0.0).then(|| Canvas::row(y(0.0)));
    let joined: Vec<_> = points.iter().zip(alone).map(|(point, alone)| point.filter(|_| !alone)).collect();
    canvas.curve(&joined);
    points.iter().zip(alone).filter(|(_, alone)| **alone).for_each(|(point, _)| canvas.curve(&[*point]));
    let (lowest, highest) = ends(low, high);
    let mut out = format!("{:>GUTTER$} {}\n", "", bold(name, style));
    for row in 0..HEIGHT {
        let label = match row {
            0 => highest.clone(),
            _ if row == HEIGHT - 1 => lowest.clone(),
            _ if zero == Some(row) => "0".to_string(),
            _ => String::new(),
        };
        let tick = if label.is_empty() { '│' } else { '┤' };
        let line = canvas.line(row, if zero == Some(row) { '┈' } else { ' ' });
        out.push_str(&format!("{label:>GUTTER$} {tick}{}\n", paint(&line, style)));
    }
    out
}

/// Keeps every other value.
fn thin<T>(values: &mut Vec<T>) {
    let mut keep = false;
    values.retain(|_| {
        keep = !keep;
        keep
    });
}

/// What a quantity does during a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    /// No value is finite.
    Nothing,
    Constant {
        value: f64,
        spread: f64,
    },
    Range {
        low: f64,
        high: f64,
    },
}

impl Extent {
    /// Changes count as none if they are small beside the values, or beside a size that is given.
    pub(crate) fn of(values: &[f64], size: f64) -> Extent {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let Some(value) = finite().next() else { return Extent::Nothing };
        let (low, high) = (finite().fold(value, f64::min), finite().fold(value, f64::max));
        let spread = high - low;
        if spread <= CONSTANT * low.abs().max(high.abs()).max(size) {
            Extent::Constant { value, spread }
        } else {
            Extent::Range { low, high }
        }
    }
}

fn constant_line(column: &Column, value: f64, spread: f64, rows: usize) -> String {
    let how = match (rows, spread) {
        (1, _) => " (one row)".to_string(),
        (_, 0.0) => ", constant".to_string(),
        _ => format!(", constant within {spread:.1e}"),
    };
    let unit = if column.unit.is_empty() { String::new() } else { format!(" {}", column.unit) };
    format!("  {} = {}{unit}{how}\n", column.name, short(value))
}

/// The axis below panels: the first value, the last, and the name in the middle.
fn axis(middle: &str, (start, end): (f64, f64), across: usize) -> String {
    let (start, end) = ends(start, end);
    let space = across.saturating_sub(start.chars().count() + end.chars().count() + middle.chars().count());
    let (left, right) = (space / 2, space - space / 2);
    let line = "─".repeat(across);
    format!("{:>GUTTER$} └{line}\n{:>GUTTER$}  {start}{:left$}{middle}{:right$}{end}\n", "", "", "", "")
}

/// The place of a value between bounds, as one of so many dots.
fn scale(value: f64, low: f64, high: f64, dots: usize) -> usize {
    // Halves keep the difference finite for bounds of any size.
    let part = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
    let last = dots - 1;
    if part.is_finite() { ((part * last as f64).round() as usize).min(last) } else { 0 }
}

/// Both ends of an axis, with as many digits as it takes to tell them apart.
fn ends(low: f64, high: f64) -> (String, String) {
    const ENOUGH: usize = 17;
    let texts = (USUAL_DIGITS..ENOUGH).map(|digits| (rounded(low, digits), rounded(high, digits)));
    texts.into_iter().find(|(low, high)| low != high).unwrap_or((short(low), short(high)))
}

fn short(value: f64) -> String {
    rounded(value, USUAL_DIGITS)
}

/// So many digits, in whatever notation is short.
pub(crate) fn rounded(value: f64, digits: usize) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_string();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.*e}", digits - 2);
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", without_zeros(digits)).replace('-', "−");
    }
    let whole_digits = format!("{size:.0}").len();
    without_zeros(&format!("{value:.*}", digits.saturating_sub(whole_digits))).replace('-', "−")
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn bold(text: &str, style: Style) -> String {
    if style.color { format!("\x1b[1m{text}\x1b[0m") } else { text.to_string() }
}

fn paint(text: &str, style: Style) -> String {
    if style.color { format!("\x1b[36m{text}\x1b[0m") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { width: 60, color: false };

    fn column(name: &str, unit: &str) -> Column {
        Column::new(name.to_string(), unit)
    }

    fn over_time(columns: usize) -> Vec<Curve> {
        (0..columns).map(|column| Curve { column, against: None }).collect()
    }

    fn drawing(columns: &[(&str, &[f64])]) -> String {
        let named = columns.iter().map(|(name, _)| column(name, "")).collect();
        let mut recording = Recording::new(named, over_time(columns.len()));
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        for row in 0..rows {
            let values: Vec<f64> = columns.iter().map(|(_, values)| values[row]).collect();
            recording.row(row as f64 * 0.5, &values);
        }
        recording.draw(0.0, PLAIN)
    }

    #[test]
    fn a_panel_has_a_name_bounds_and_times() {
        let text = drawing(&[("x", &[-1.0, 0.0, 2.5])]);
        assert_eq!(text.lines().count(), HEIGHT + 3);
        for part in [" x\n", "2.5 ┤", "−1 ┤", "0 ┤", "t [s]", "└─"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= PLAIN.width), "{text}");
        assert!(text.lines().last().unwrap().ends_with('1'));
    }

    #[test]
    fn a_quantity_is_drawn_against_another_if_that_one_changes() {
        let drawn = |other: usize| {
            let columns = vec![column("x", "m"), column("v", "m/s"), column("m", "kg")];
            let mut recording = Recording::new(columns, vec![Curve { column: 0, against: Some(other) }]);
            (0..9).for_each(|row| recording.row(f64::from(row), &[f64::from(row), f64::from(-row), 2.0]));
            recording.draw(0.0, PLAIN)
        };
        let text = drawn(1);
        assert!(text.contains(" x [m] against v\n") && !text.contains(" v [m/s]\n"), "{text}");
        let last = text.lines().last().unwrap();
        assert!(last.contains("−8 ") && last.contains(" v [m/s] ") && last.ends_with(" 0"), "{last}");
        assert!(drawn(2).contains(" x [m]\n"));
    }

    #[test]
    fn what_has_a_unit_shows_it() {
        let mut recording = Recording::new(vec![column("x", "m"), column("energy", "J")], over_time(2));
        (0..2).for_each(|row| recording.row(f64::from(row), &[f64::from(row), 2.0]));
        let text = recording.draw(0.0, PLAIN);
        assert!(text.contains(" x [m]\n") && text.ends_with("  energy = 2 J, constant\n"), "{text}");
    }

    #[test]
    fn angles_are_drawn_in_degrees() {
        let columns = vec![column("a", "rad"), column("w", "rad/s")];
        let mut recording = Recording::new(columns, over_time(2));
        (0..2).for_each(|row| recording.row(f64::from(row), &[f64::from(row) * std::f64::consts::PI; 2]));
        let text = recording.draw(0.0, PLAIN);
        assert!(text.contains(" a [deg]\n        180 ┤"), "{text}");
        assert!(text.contains(" w [rad/s]\n     3.1416 ┤"), "{text}");
    }

    #[test]
    fn the_rounding_of_an_energy_that_is_zero_is_not_drawn() {
        let mut recording = Recording::new(vec![column("energy", "J")], over_time(1));
        [0.0, -3e-14].iter().for_each(|value| recording.row(0.0, &[*value]));
        assert_eq!(recording.draw(200.0, PLAIN), "  energy = 0 J, constant within 3.0e-14\n");
        assert!(recording.draw(1e-14, PLAIN).contains('┤'));
    }

    #[test]
    fn what_does_not_change_takes_a_line() {
        assert_eq!(drawing(&[("m", &[2.0, 2.0])]), "  m = 2, constant\n");
        assert_eq!(drawing(&[("m", &[2.0, 2.0 + 1e-9])]), "  m = 2, constant within 1.0e-9\n");
        assert_eq!(drawing(&[("m", &[0.0, 0.0])]), "  m = 0, constant\n");
        assert_eq!(drawing(&[("m", &[-4.905])]), "  m = −4.905 (one row)\n");
    }

    #[test]
    fn values_that_are_no_numbers_interrupt_the_curve() {
        let nan = f64::NAN;
        assert_eq!(drawing(&[("x", &[nan, nan])]), "  x: not a number at any time\n");
        assert!(drawing(&[("x", &[1.0, nan, f64::INFINITY, 2.0])]).contains("2 ┤"));
        assert_eq!(drawing(&[]), "");
        assert_eq!(drawing(&[("x", &[])]), "  x: not a number at any time\n");
    }

    #[test]
    fn extreme_values_are_drawn_too() {
        let text = drawing(&[("x", &[-f64::MAX, f64::MAX])]);
        assert!(text.contains("1.798e308 ┤") && text.contains("−1.798e308 ┤"), "{text}");
        assert!(drawing(&[("x", &[0.0, 5e-324])]).contains('┤'));
    }

    #[test]
    fn a_few_quantities_are_drawn_and_the_others_named() {
        let values: &[f64] = &[0.0, 1.0];
        let columns = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| (name, values));
        let text = drawing(&columns);
        assert_eq!(text.matches("1 ┤").count(), MOST_PANELS);
        assert!(text.contains("not drawn: g, h"));
    }

    #[test]
    fn long_runs_are_thinned_out() {
        let mut recording = Recording::new(vec![column("x", "")], over_time(1));
        (0..1_000_000).for_each(|row| recording.row(f64::from(row), &[f64::from(row)]));
        assert!(recording.times.len() <= MOST_ROWS);
        assert_eq!(recording.times.len(), recording.values[0].len());
        assert_eq!(recording.times[..2], [0.0, recording.stride as f64]);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, -0.5, 9.81, 1234.5678, 123456.0, 1e6, 1.5e-7, -4.905, 0.001].map(short);
        assert_eq!(ends(7e6, 6_999_960.0), ("7e6".to_string(), "6.99996e6".to_string()));
        assert_eq!(ends(1.0, 1.000_02), ("1".to_string(), "1.00002".to_string()));
        assert_eq!(texts, ["0", "1", "−0.5", "9.81", "1234.6", "123456", "1e6", "1.5e−7", "−4.905", "0.001"]);
    }
}
