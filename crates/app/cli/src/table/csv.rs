//! Tables as CSV.

use super::{Cell, Column, Kind};
use crate::angles::{Angles, titled};

/// The names of the columns, with their units.
pub fn header(columns: &[Column], angles: Angles) -> String {
    columns
        .iter()
        .map(|column| quote(&titled(&column.name, angles.shown(&column.unit).0)))
        .collect::<Vec<_>>()
        .join(",")
}

/// A row; what is missing is empty.
pub fn row(columns: &[Column], cells: &[Cell], angles: Angles) -> String {
    let text = |(column, cell): (&Column, &Cell)| match cell {
        Cell::Number(t) if column.kind == Kind::Time => time_text(*t),
        Cell::Number(value) => match angles.shown(&column.unit).1 {
            1.0 => value_text(*value),
            // 60, not 59.99999999999999, as with times.
            scale => time_text(*value * scale),
        },
        Cell::Count(count) => count.to_string(),
        Cell::Word(word) => quote(word),
        Cell::Nothing => String::new(),
    };
    columns.iter().zip(cells).map(text).collect::<Vec<_>>().join(",")
}

/// Multiples of a decimal interval, without the noise of binary arithmetic: 0.3, not 0.30000000000000004.
pub fn time_text(t: f64) -> String {
    let rounded: f64 = format!("{t:.14e}").parse().unwrap_or(t);
    value_text(rounded)
}

/// The shortest text that gives the same number again; tiny and huge ones with a power of ten.
pub fn value_text(value: f64) -> String {
    // Adding zero makes -0 a plain 0.
    let text = format!("{:?}", value + 0.0);
    text.strip_suffix(".0").unwrap_or(&text).to_string()
}

fn quote(text: &str) -> String {
    let special = text.contains([',', '"', '\n', '\r']);
    if special { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_names_are_printed_plainly() {
        assert_eq!(time_text(0.1 * 3.0), "0.3");
        assert_eq!(time_text(20.0), "20");
        assert_eq!(time_text(0.316295699 * 3.0), "0.948887097");
        assert_eq!([1.0, -0.0, 0.1, -5.5e-17, 1e300].map(value_text), ["1", "0", "0.1", "-5.5e-17", "1e300"]);
        assert_eq!(quote("atan2(y, x)"), "\"atan2(y, x)\"");
    }
}
