//! How messages name equations, numbers and times.

use base::{Diagnostic, Span};
use equations::{component_label, split_label};
use program::Origin;

/// Equations by statement: `rolls` (x) if one component of it is meant, `rolls` if several are.
pub fn statements<'e>(equations: impl Iterator<Item = (&'e str, Span)>) -> Vec<(String, Span)> {
    let mut found: Vec<(&str, &str, Span)> = Vec::new();
    for (label, span) in equations {
        let (name, component) = split_label(label);
        match found.iter_mut().find(|(known, _, place)| *known == name && *place == span) {
            Some((_, component, _)) => *component = "",
            None => found.push((name, component, span)),
        }
    }
    found.into_iter().map(|(name, component, span)| (component_label(&format!("`{name}`"), component), span)).collect()
}

/// The worst equation first, then a few others of the same system.
pub fn label_all(mut diagnostic: Diagnostic, equations: &[Origin], worst: Option<usize>, others: &str) -> Diagnostic {
    const FEW: usize = 4;
    if let Some(worst) = worst.and_then(|worst| equations.get(worst)) {
        diagnostic = diagnostic.at(worst.span, format!("`{}` does not hold", worst.label));
    }
    let rest = equations.iter().enumerate().filter(|(at, _)| Some(*at) != worst);
    // The rounds of a loop share a place and, without a label of their own, a text.
    let mut told: Vec<&Origin> = Vec::new();
    for (_, equation) in rest {
        if told.len() < FEW && !told.iter().any(|told| (told.span, &told.label) == (equation.span, &equation.label)) {
            told.push(equation);
            diagnostic = diagnostic.at(equation.span, format!("`{}` {others}", equation.label));
        }
    }
    diagnostic
}

/// As a person writes it: six digits at most, powers of ten only where they help.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.6}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_string() } else { short.to_string() }
}

/// A round time a little before a failure.
pub fn before(time: f64) -> String {
    let scale = if time < 0.01 { 1e6 } else { 1e3 };
    number(((time * scale - 0.1).floor() / scale).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(2.0), "2");
        assert_eq!(number(2.2214414), "2.221441");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(1e-9), "1.000e-9");
        assert_eq!((before(2.2214414), before(1.0)), ("2.221".into(), "0.999".into()));
    }
}
