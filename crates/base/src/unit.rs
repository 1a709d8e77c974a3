//! Units: what stands in square brackets, such as `kg*m/s^2` or `deg`.

use crate::dimension::{Dimension, Exponent};

/// A unit as written, with its size in SI base units.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    pub text: String,
    /// One of this unit is `scale` of the coherent SI unit of the same dimension.
    pub scale: f64,
    pub dimension: Dimension,
}

/// One row of the table of units.
pub struct UnitRow {
    pub name: &'static str,
    pub scale: f64,
    pub dimension: Dimension,
    /// Takes SI prefixes: `mm`, `kN`.
    pub prefixed: bool,
    pub meaning: &'static str,
}

const fn row(name: &'static str, scale: f64, exponents: [i16; 7], prefixed: bool, meaning: &'static str) -> UnitRow {
    UnitRow { name, scale, dimension: Dimension::base(exponents), prefixed, meaning }
}

const PI: f64 = std::f64::consts::PI;

/// Every unit the language knows.
#[rustfmt::skip]
pub const UNITS: &[UnitRow] = &[
    row("m",    1.0,              [0, 1, 0, 0, 0, 0, 0],   true,  "metre"),
    row("g",    1e-3,             [1, 0, 0, 0, 0, 0, 0],   true,  "gram"),
    row("s",    1.0,              [0, 0, 1, 0, 0, 0, 0],   true,  "second"),
    row("A",    1.0,              [0, 0, 0, 1, 0, 0, 0],   true,  "ampere"),
    row("K",    1.0,              [0, 0, 0, 0, 1, 0, 0],   true,  "kelvin"),
    row("mol",  1.0,              [0, 0, 0, 0, 0, 1, 0],   true,  "mole"),
    row("cd",   1.0,              [0, 0, 0, 0, 0, 0, 1],   true,  "candela"),
    row("rad",  1.0,              [0; 7],                  true,  "radian"),
    row("deg",  PI / 180.0,       [0; 7],                  false, "degree of arc"),
    row("rev",  2.0 * PI,         [0; 7],                  false, "full turn"),
    row("rpm",  PI / 30.0,        [0, 0, -1, 0, 0, 0, 0],  false, "turns per minute"),
    row("Hz",   1.0,              [0, 0, -1, 0, 0, 0, 0],  true,  "hertz"),
    row("N",    1.0,              [1, 1, -2, 0, 0, 0, 0],  true,  "newton"),
    row("Pa",   1.0,              [1, -1, -2, 0, 0, 0, 0], true,  "pascal"),
    row("atm",  101_325.0,        [1, -1, -2, 0, 0, 0, 0], false, "standard atmosphere"),
    row("psi",  6894.757293168361, [1, -1, -2, 0, 0, 0, 0], false, "pound-force per square inch"),
    row("bar",  1e5,              [1, -1, -2, 0, 0, 0, 0], true,  "bar"),
    row("J",    1.0,              [1, 2, -2, 0, 0, 0, 0],  true,  "joule"),
    row("W",    1.0,              [1, 2, -3, 0, 0, 0, 0],  true,  "watt"),
    row("C",    1.0,              [0, 0, 1, 1, 0, 0, 0],   true,  "coulomb"),
    row("V",    1.0,              [1, 2, -3, -1, 0, 0, 0], true,  "volt"),
    row("F",    1.0,              [-1, -2, 4, 2, 0, 0, 0], true,  "farad"),
    row("ohm",  1.0,              [1, 2, -3, -2, 0, 0, 0], true,  "ohm"),
    row("Ω",    1.0,              [1, 2, -3, -2, 0, 0, 0], true,  "ohm"),
    row("S",    1.0,              [-1, -2, 3, 2, 0, 0, 0], true,  "siemens"),
    row("H",    1.0,              [1, 2, -2, -2, 0, 0, 0], true,  "henry"),
    row("Wb",   1.0,              [1, 2, -2, -1, 0, 0, 0], true,  "weber"),
    row("T",    1.0,              [1, 0, -2, -1, 0, 0, 0], true,  "tesla"),
    row("L",    1e-3,             [0, 3, 0, 0, 0, 0, 0],   true,  "litre"),
    row("t",    1e3,              [1, 0, 0, 0, 0, 0, 0],   false, "tonne"),
    row("min",  60.0,             [0, 0, 1, 0, 0, 0, 0],   false, "minute"),
    row("h",    3600.0,           [0, 0, 1, 0, 0, 0, 0],   false, "hour"),
    row("day",  86400.0,          [0, 0, 1, 0, 0, 0, 0],   false, "day"),
    row("year", 31_557_600.0,     [0, 0, 1, 0, 0, 0, 0],   false, "Julian year of 365.25 days"),
    row("au",   149_597_870_700.0, [0, 1, 0, 0, 0, 0, 0],  false, "astronomical unit"),
    row("in",   0.0254,           [0, 1, 0, 0, 0, 0, 0],   false, "inch"),
    row("ft",   0.3048,           [0, 1, 0, 0, 0, 0, 0],   false, "foot"),
    row("yd",   0.9144,           [0, 1, 0, 0, 0, 0, 0],   false, "yard"),
    row("mi",   1609.344,         [0, 1, 0, 0, 0, 0, 0],   false, "mile"),
    row("lb",   0.45359237,       [1, 0, 0, 0, 0, 0, 0],   false, "pound"),
    row("slug", 14.593902937206364, [1, 0, 0, 0, 0, 0, 0],  false, "slug, which a pound-force accelerates by 1 ft/s^2"),
    row("lbf",  4.4482216152605,  [1, 1, -2, 0, 0, 0, 0],  false, "pound-force"),
    row("mph",  0.44704,          [0, 1, -1, 0, 0, 0, 0],  false, "mile per hour"),
    row("knot", 1852.0 / 3600.0,  [0, 1, -1, 0, 0, 0, 0],  false, "nautical mile per hour"),
    row("kmh",  1.0 / 3.6,        [0, 1, -1, 0, 0, 0, 0],  false, "kilometre per hour"),
    row("eV",   1.602176634e-19,  [1, 2, -2, 0, 0, 0, 0],  true,  "electronvolt"),
    row("percent", 0.01,          [0; 7],                  false, "hundredth"),
];

const PREFIXES: &[(&str, f64)] = &[
    ("p", 1e-12),
    ("n", 1e-9),
    ("u", 1e-6),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("h", 1e2),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
];

/// What is wrong with a unit, and where in its text (byte range).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError {
    pub range: std::ops::Range<usize>,
    pub message: String,
    /// What may have been meant.
    pub nearest: Option<String>,
}

impl Unit {
    /// The coherent SI unit of a dimension.
    pub fn coherent(dimension: Dimension) -> Unit {
        Unit { text: dimension.to_string(), scale: 1.0, dimension }
    }

    /// How many of this unit a value in SI units is, as a person would write it: 30 degrees, not 29.999999999999996.
    pub fn count(&self, value: f64) -> f64 {
        let count = value / self.scale;
        format!("{count:.14e}").parse().unwrap_or(count)
    }

    /// Reads a product of powers, such as `kg*m/s^2`, `N·m`, `1/s` or `m^(1/2)`.
    pub fn parse(text: &str) -> Result<Unit, UnitError> {
        let mut reader = Reader { text, at: 0 };
        let unit = reader.product()?;
        reader.skip_space();
        if reader.at < text.len() {
            return Err(reader.error("this does not belong in a unit"));
        }
        Ok(Unit { text: text.trim().to_string(), ..unit })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn product(&mut self) -> Result<Unit, UnitError> {
        let mut unit = self.power()?;
        loop {
            self.skip_space();
            let sign = match self.peek() {
                Some('*' | '·') => 1,
                Some('/') => -1,
                _ => return Ok(unit),
            };
            let start = self.at;
            self.bump();
            let factor = self.power()?;
            unit = multiply(&unit, &factor, sign).ok_or_else(|| self.error_from(start, "this unit is out of range"))?;
        }
    }

    fn power(&mut self) -> Result<Unit, UnitError> {
        let unit = self.atom()?;
        self.skip_space();
        let start = self.at;
        let (numerator, denominator) = match self.peek() {
            Some('^') => {
                self.bump();
                self.exponent()?
            }
            Some(c) if superscript(c).is_some() => (self.superscripts(), 1),
            _ => return Ok(unit),
        };
        let exponent = Exponent::new(numerator, denominator);
        let dimension = exponent.and_then(|exponent| unit.dimension.power(exponent));
        let scale = libm::pow(unit.scale, numerator as f64 / denominator as f64);
        match dimension {
            Some(dimension) if scale.is_finite() && scale > 0.0 => Ok(Unit { text: String::new(), scale, dimension }),
            _ => Err(self.error_from(start, "this exponent is out of range")),
        }
    }

    fn exponent(&mut self) -> Result<(i64, i64), UnitError> {
        self.skip_space();
        if self.peek() != Some('(') {
            return Ok((self.integer()?, 1));
        }
        self.bump();
        let numerator = self.integer()?;
        self.skip_space();
        let mut denominator = 1;
        if self.peek() == Some('/') {
            self.bump();
            denominator = self.integer()?;
        }
        self.skip_space();
        if self.peek() != Some(')') {
            return Err(self.error("a closing parenthesis is missing here"));
        }
        self.bump();
        Ok((numerator, denominator))
    }

    /// `²`, `⁻¹`: small signs and digits, as in print.
    fn superscripts(&mut self) -> i64 {
        let mut digits = String::new();
        while let Some(digit) = self.peek().and_then(superscript) {
            digits.push(digit);
            self.bump();
        }
        // What does not fit is out of range, like any other exponent that large; a sign alone stands for one.
        match digits.as_str() {
            "-" => -1,
            digits => digits.parse().unwrap_or(i64::MAX),
        }
    }

    fn integer(&mut self) -> Result<i64, UnitError> {
        self.skip_space();
        let start = self.at;
        if matches!(self.peek(), Some('-' | '+')) {
            self.bump();
        }
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.bump();
        }
        self.text[start..self.at].parse().map_err(|_| self.error_from(start, "a whole number is needed here"))
    }

    fn atom(&mut self) -> Result<Unit, UnitError> {
        self.skip_space();
        let start = self.at;
        match self.peek() {
            Some('(') => {
                self.bump();
                let unit = self.product()?;
                self.skip_space();
                if self.peek() != Some(')') {
                    return Err(self.error("a closing parenthesis is missing here"));
                }
                self.bump();
                Ok(unit)
            }
            Some('1') => {
                self.bump();
                Ok(Unit { text: String::new(), scale: 1.0, dimension: Dimension::NONE })
            }
            Some(c) if c.is_alphabetic() => {
                while self.peek().is_some_and(|c| c.is_alphanumeric() && superscript(c).is_none()) {
                    self.bump();
                }
                let name = &self.text[start..self.at];
                look_up(name).ok_or_else(|| UnitError {
                    range: start..self.at,
                    message: format!("there is no unit `{name}`"),
                    nearest: nearest(name),
                })
            }
            _ => Err(self.error("a unit such as `m`, `kg` or `m/s^2` is needed here")),
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.bump();
        }
    }

    fn error(&self, message: &str) -> UnitError {
        self.error_from(self.at, message)
    }

    fn error_from(&self, start: usize, message: &str) -> UnitError {
        let end = self.text[start..].chars().next().map_or(start, |c| start + c.len_utf8()).max(self.at);
        UnitError { range: start..end, message: message.to_string(), nearest: None }
    }
}

fn multiply(unit: &Unit, factor: &Unit, sign: i64) -> Option<Unit> {
    let dimension = unit.dimension.times(factor.dimension.power(Exponent::new(sign, 1)?)?)?;
    let scale = if sign > 0 { unit.scale * factor.scale } else { unit.scale / factor.scale };
    (scale.is_finite() && scale > 0.0).then_some(Unit { text: String::new(), scale, dimension })
}

/// Plain names go before prefixed ones, so that `min` is a minute and `mm` a thousandth of a metre.
fn look_up(name: &str) -> Option<Unit> {
    let unit = |row: &UnitRow, factor: f64| Unit {
        text: name.to_string(),
        scale: row.scale * factor,
        dimension: row.dimension,
    };
    if name == "kg" {
        return Some(Unit { text: name.to_string(), scale: 1.0, dimension: Dimension::MASS });
    }
    if let Some(row) = UNITS.iter().find(|row| row.name == name) {
        return Some(unit(row, 1.0));
    }
    PREFIXES.iter().find_map(|(prefix, factor)| {
        let rest = name.strip_prefix(prefix)?;
        UNITS.iter().find(|row| row.prefixed && row.name == rest).map(|row| unit(row, *factor))
    })
}

/// The digit or sign that a superscript stands for.
fn superscript(c: char) -> Option<char> {
    const SIGNS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
    SIGNS.chars().position(|sign| sign == c).and_then(|at| "0123456789-".chars().nth(at))
}

/// What may have been meant: a name written out, in the wrong case, or mistyped.
fn nearest(name: &str) -> Option<String> {
    const LONG_NAMES: &[(&str, &str)] = &[
        ("degrees", "deg"),
        ("degree", "deg"),
        ("sec", "s"),
        ("secs", "s"),
        ("hr", "h"),
        ("hrs", "h"),
        ("kph", "kmh"),
        ("inches", "in"),
        ("feet", "ft"),
        ("kilo", "kg"),
        ("kilos", "kg"),
        ("lbs", "lb"),
        ("turns", "rev"),
        ("turn", "rev"),
    ];
    let lower = name.to_lowercase();
    let long = LONG_NAMES.iter().find(|(long, _)| *long == lower).map(|(_, short)| short.to_string());
    let spelled = || written_out(&lower.replace("meter", "metre").replace("liter", "litre"));
    let known: Vec<String> = UNITS.iter().map(|row| row.name.to_string()).chain(common_prefixed()).collect();
    let mistyped = || crate::nearest(name, known.iter().map(String::as_str)).map(str::to_string);
    long.or_else(spelled).or_else(mistyped)
}

/// `kilometres` is `km`.
fn written_out(name: &str) -> Option<String> {
    const WORDS: &[(&str, &str)] =
        &[("", ""), ("kilo", "k"), ("centi", "c"), ("milli", "m"), ("micro", "u"), ("mega", "M")];
    let matches = |row: &UnitRow, rest: &str| row.meaning == rest || format!("{}s", row.meaning) == rest;
    WORDS.iter().find_map(|(word, prefix)| {
        let rest = name.strip_prefix(word)?;
        let row = UNITS.iter().find(|row| (row.prefixed || prefix.is_empty()) && matches(row, rest))?;
        Some(format!("{prefix}{}", row.name))
    })
}

/// The units with prefixes that people use most.
fn common_prefixed() -> impl Iterator<Item = String> {
    ["kg", "mg", "km", "cm", "mm", "ms", "kN", "kW", "kJ", "kHz", "kPa"].into_iter().map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Unit {
        Unit::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    #[test]
    fn units_have_scale_and_dimension() {
        assert_eq!(parse("m/s^2").dimension, Dimension::ACCELERATION);
        assert_eq!(parse("kg*m/s^2").dimension, Dimension::FORCE);
        assert_eq!(parse("N·m").dimension, Dimension::ENERGY);
        assert_eq!(parse("m/(s*s)").dimension, Dimension::ACCELERATION);
        assert_eq!((parse("cm").scale, parse("kN").scale, parse("kg").scale), (1e-2, 1e3, 1.0));
        assert_eq!(parse("min").scale, 60.0);
        assert_eq!(parse("psi").scale, parse("lbf/in^2").scale);
        assert_eq!(parse("deg").scale, PI / 180.0);
        assert_eq!(parse("deg").count(30.0 * PI / 180.0), 30.0);
        assert_eq!(parse("1/s").dimension, parse("rad/s").dimension);
        assert_eq!(parse("m/s²").dimension, Dimension::ACCELERATION);
        assert_eq!(parse("kg·m·s⁻²").dimension, Dimension::FORCE);
    }

    #[test]
    fn every_row_reads_back() {
        for row in UNITS {
            assert_eq!(parse(row.name).dimension, row.dimension, "{}", row.name);
        }
    }

    #[test]
    fn errors_point_at_the_trouble() {
        let error = Unit::parse("m/secnd").unwrap_err();
        assert_eq!((error.range, error.message.as_str()), (2..7, "there is no unit `secnd`"));
        let meant =
            [("degrees", "deg"), ("metres", "m"), ("meters", "m"), ("Kg", "kg"), ("kgg", "kg"), ("kilometers", "km")];
        for (written, unit) in meant {
            assert_eq!(Unit::parse(written).unwrap_err().nearest.as_deref(), Some(unit), "{written}");
        }
        for bad in ["", "m/", "m^", "m^x", "(m", "m m", "m^99999999999", "m^(1/0)", "km^2000", "m²²²²²²²²²²²"]
        {
            assert!(Unit::parse(bad).is_err(), "{bad}");
        }
    }
}
