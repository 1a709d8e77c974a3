//! A trajectory drawn in the terminal: one panel of Braille dots for each recorded quantity.

use std::io::IsTerminal;

use crate::canvas::Canvas;

/// What is kept of a run to be drawn.
pub struct Recording {
    names: Vec<String>,
    /// For each name, the other that it is drawn against, if not the time.
    against: Vec<Option<usize>>,
    times: Vec<f64>,
    /// One list for each name.
    values: Vec<Vec<f64>>,
    /// Only every so many rows are kept, so that a long run does not fill the memory.
    stride: usize,
    rows: usize,
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
    pub fn new(names: Vec<String>) -> Recording {
        let values = names.iter().map(|_| Vec::new()).collect();
        let against = vec![None; names.len()];
        Recording { names, against, times: Vec::new(), values, stride: 1, rows: 0 }
    }

    /// Draws one quantity against another instead of time.
    pub fn draw_against(&mut self, column: usize, other: usize) {
        self.against[column] = Some(other);
    }

    pub fn row(&mut self, t: f64, values: &[f64]) {
        if self.rows.is_multiple_of(self.stride) {
            self.times.push(t);
            self.values.iter_mut().zip(values).for_each(|(column, &value)| column.push(value));
        }
        self.rows += 1;
        if self.times.len() > MOST_ROWS {
            self.stride *= 2;
            thin(&mut self.times);
            self.values.iter_mut().for_each(thin);
        }
    }

    /// Panels for what changes, a line for what does not.
    pub fn draw(&self, style: Style) -> String {
        let (mut panels, mut curves) = (String::new(), String::new());
        let (mut lines, mut left_out) = (String::new(), Vec::new());
        let mut drawn = 0;
        for ((name, values), against) in self.names.iter().zip(&self.values).zip(&self.against) {
            match Extent::of(values) {
                Extent::Nothing => lines.push_str(&format!("  {name}: not a number at any time\n")),
                Extent::Constant { value, spread } => lines.push_str(&constant_line(name, value, spread, values.len())),
                Extent::Range { .. } if drawn == MOST_PANELS => left_out.push(name.as_str()),
                Extent::Range { low, high } => {
                    drawn += 1;
                    let other = against.map(|other| (self.names[other].as_str(), &self.values[other]));
                    match other.map(|(other, across)| (other, across, Extent::of(across))) {
                        Some((other, across, Extent::Range { low: left, high: right })) => {
                            let name = format!("{name} against {other}");
                            curves.push_str(&panel(&name, (across, (left, right)), (values, (low, high)), style));
                            curves.push_str(&axis(other, (left, right), style.across()));
                        }
                        _ => {
                            let across = (&self.times[..], self.duration());
                            panels.push_str(&panel(name, across, (values, (low, high)), style));
                        }
                    }
                }
            }
        }
        if !left_out.is_empty() {
            let list = left_out.join(", ");
            lines.push_str(&format!("  not drawn: {list} (choose with `--probe`, or record all with `-o FILE`)\n"));
        }
        if !panels.is_empty() {
            panels.push_str(&axis("t [s]", self.duration(), style.across()));
        }
        panels + &curves + &lines
    }

    fn duration(&self) -> (f64, f64) {
        (self.times.first().copied().unwrap_or(0.0), self.times.last().copied().unwrap_or(0.0))
    }
}

/// One quantity over another, each with its bounds.
fn panel(name: &str, across: (&[f64], (f64, f64)), up: (&[f64], (f64, f64)), style: Style) -> String {
    let ((across, (left, right)), (values, (low, high))) = (across, up);
    let mut canvas = Canvas::new(style.across(), HEIGHT);
    let x = |value: f64| scale(value, left, right, canvas.dots_across());
    let y = |value: f64| canvas.dots_down() - 1 - scale(value, low, high, canvas.dots_down());
    let point = |(&a, &v): (&f64, &f64)| (a.is_finite() && v.is_finite()).then(|| (x(a), y(v)));
    let points: Vec<Option<(usize, usize)>> = across.iter().zip(values).map(point).collect();
    let zero = (low < 0.0 && high > 0.0).then(|| Canvas::row(y(0.0)));
    canvas.curve(&points);
    let mut out = format!("{:>GUTTER$} {}\n", "", bold(name, style));
    for row in 0..HEIGHT {
        let label = match row {
            0 => short(high),
            _ if row == HEIGHT - 1 => short(low),
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
fn thin(values: &mut Vec<f64>) {
    let mut keep = false;
    values.retain(|_| {
        keep = !keep;
        keep
    });
}

/// What a quantity does during a run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Extent {
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
    fn of(values: &[f64]) -> Extent {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let Some(value) = finite().next() else { return Extent::Nothing };
        let (low, high) = (finite().fold(value, f64::min), finite().fold(value, f64::max));
        let spread = high - low;
        if spread <= CONSTANT * low.abs().max(high.abs()) {
            Extent::Constant { value, spread }
        } else {
            Extent::Range { low, high }
        }
    }
}

fn constant_line(name: &str, value: f64, spread: f64, rows: usize) -> String {
    let how = match (rows, spread) {
        (1, _) => " (one row)".to_string(),
        (_, 0.0) => ", constant".to_string(),
        _ => format!(", constant within {spread:.1e}"),
    };
    format!("  {name} = {}{how}\n", short(value))
}

/// The axis below panels: the first value, the last, and the name in the middle.
fn axis(middle: &str, (start, end): (f64, f64), across: usize) -> String {
    let (start, end) = (short(start), short(end));
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

/// Four digits, in whatever notation is short.
fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_string();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.3e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", without_zeros(digits)).replace('-', "−");
    }
    let whole_digits = format!("{size:.0}").len();
    without_zeros(&format!("{value:.*}", 5_usize.saturating_sub(whole_digits))).replace('-', "−")
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

    fn drawing(columns: &[(&str, &[f64])]) -> String {
        let mut recording = Recording::new(columns.iter().map(|(name, _)| name.to_string()).collect());
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        for row in 0..rows {
            let values: Vec<f64> = columns.iter().map(|(_, values)| values[row]).collect();
            recording.row(row as f64 * 0.5, &values);
        }
        recording.draw(PLAIN)
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
        let mut recording = Recording::new(["x", "v", "m"].map(String::from).to_vec());
        recording.draw_against(0, 1);
        (0..9).for_each(|row| recording.row(f64::from(row), &[f64::from(row), f64::from(-row), 2.0]));
        let text = recording.draw(PLAIN);
        assert!(text.contains(" x against v\n") && text.contains(" v\n"), "{text}");
        let last = text.lines().rev().nth(1).unwrap();
        assert!(last.contains("−8 ") && last.contains(" v ") && last.ends_with(" 0"), "{last}");
        recording.draw_against(0, 2);
        assert!(recording.draw(PLAIN).contains(" x\n"));
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
        let mut recording = Recording::new(vec!["x".to_string()]);
        (0..1_000_000).for_each(|row| recording.row(f64::from(row), &[f64::from(row)]));
        assert!(recording.times.len() <= MOST_ROWS);
        assert_eq!(recording.times.len(), recording.values[0].len());
        assert_eq!(recording.times[..2], [0.0, recording.stride as f64]);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, -0.5, 9.81, 1234.5678, 123456.0, 1e6, 1.5e-7, -4.905, 0.001].map(short);
        assert_eq!(texts, ["0", "1", "−0.5", "9.81", "1234.6", "123456", "1e6", "1.5e−7", "−4.905", "0.001"]);
    }
}
