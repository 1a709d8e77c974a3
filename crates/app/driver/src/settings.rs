//! Values that a user gives to parameters and controls: plain numbers in the declared unit, or literals with a unit.

use base::{Diagnostic, Diagnostics, Unit};
use simulation::Simulation;

use crate::codes;
use crate::pipeline::Stages;

/// `name=value` pairs, as given.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub parameters: Vec<String>,
    pub controls: Vec<String>,
}

/// Gives the simulation its parameters and controls; reports what makes no sense.
pub fn apply(settings: &Settings, stages: &Stages, simulation: &mut Simulation<'_>, sink: &mut Diagnostics) {
    let parameters: Vec<(&str, &Unit)> =
        stages.system.parameters.iter().map(|parameter| (parameter.name.as_str(), &parameter.unit)).collect();
    for text in &settings.parameters {
        if let Some((at, value)) = setting(text, "parameter", "--set", &parameters, sink) {
            simulation.set_parameter(at, value);
        }
    }
    let controls: Vec<(&str, &Unit)> =
        stages.system.controls.iter().map(|control| (control.name.as_str(), &control.unit)).collect();
    for text in &settings.controls {
        if let Some((at, value)) = setting(text, "control", "--input", &controls, sink) {
            simulation.set_control(at, value);
        }
    }
}

fn setting(
    text: &str,
    what: &str,
    option: &str,
    known: &[(&str, &Unit)],
    sink: &mut Diagnostics,
) -> Option<(usize, f64)> {
    let Some((name, value)) = text.split_once('=') else {
        let message = format!("`{option} {text}` has no value");
        sink.report(Diagnostic::error(codes::BAD_SETTING, message).hint(format!("write `{option} {text}=1.5`")));
        return None;
    };
    let name = name.trim();
    let Some(at) = known.iter().position(|(candidate, _)| *candidate == name) else {
        let message = format!("the scene has no {what} `{name}`");
        let near = model::nearest(name, known.iter().map(|(candidate, _)| *candidate));
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("it has no {what}s at all"),
            None => format!("it has {}", known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")),
        };
        sink.report(Diagnostic::error(codes::UNKNOWN_SETTING, message).hint(hint));
        return None;
    };
    match quantity(value, known[at].1) {
        Ok(value) => Some((at, value)),
        Err((message, hint)) => {
            sink.report(Diagnostic::error(codes::BAD_SETTING, format!("`{option} {text}`: {message}")).hint(hint));
            None
        }
    }
}

/// The value in SI units of `2`, `60[deg]` or `1.5 [m]`.
fn quantity(text: &str, declared: &Unit) -> Result<f64, (String, String)> {
    let text = text.trim();
    let (number, unit) = match text.split_once('[') {
        Some((number, rest)) => match rest.strip_suffix(']') {
            Some(unit) => (number.trim(), Some(unit)),
            None => {
                return Err((
                    "the unit has no `]` at its end".to_string(),
                    format!("write `{}[{rest}]`", number.trim()),
                ));
            }
        },
        None => (text, None),
    };
    let number: f64 = match number.parse() {
        Ok(number) if f64::is_finite(number) => number,
        _ => {
            return Err((
                format!("`{number}` is not a number"),
                "write a number such as `2`, `1e-3` or `60[deg]`".to_string(),
            ));
        }
    };
    let Some(unit) = unit else { return Ok(number * declared.scale) };
    let unit = Unit::parse(unit).map_err(|error| {
        let hint =
            error.nearest.map_or("write a unit such as [m/s]".to_string(), |near| format!("did you mean `{near}`?"));
        (error.message, hint)
    })?;
    if unit.dimension != declared.dimension {
        let message = format!("[{}] is not a unit of what is declared in [{}]", unit.text, declared.text);
        return Err((message, format!("give it in [{}]", declared.text)));
    }
    Ok(number * unit.scale)
}
