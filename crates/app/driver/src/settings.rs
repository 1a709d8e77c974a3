//! Values that a user gives to parameters and controls: plain numbers in the declared unit, or literals with a unit.

use base::{Diagnostic, Diagnostics, Span, Unit};
use equations::System;
use expr::SymbolId;
use simulation::Simulation;

use crate::codes;
use crate::pipeline::Stages;

/// `name=value` pairs, as given.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub parameters: Vec<String>,
    pub controls: Vec<String>,
}

impl Settings {
    /// The same with another value of one parameter, in its declared unit.
    #[must_use]
    pub fn with(&self, parameter: &str, value: f64) -> Settings {
        let is_other = |setting: &&String| setting.split('=').next().is_none_or(|name| name.trim() != parameter);
        let mut parameters: Vec<String> = self.parameters.iter().filter(is_other).cloned().collect();
        parameters.push(format!("{parameter}={value:?}"));
        Settings { parameters, controls: self.controls.clone() }
    }
}

/// Gives the simulation its parameters and controls; reports what makes no sense.
pub fn apply(settings: &Settings, stages: &Stages, simulation: &mut Simulation, sink: &mut Diagnostics) {
    let (parameters, controls) = read(settings, stages, sink);
    parameters.into_iter().for_each(|(at, value)| simulation.set_parameter(at, value));
    controls.into_iter().for_each(|(at, value)| simulation.set_control(at, value));
    judge_settings(stages, simulation, sink);
}

/// Places and values of parameters, then of controls.
type Values = (Vec<(usize, f64)>, Vec<(usize, f64)>);

/// The value of every parameter of a model, in SI units.
pub(crate) fn parameter_values(settings: &Settings, model: &model::Model, sink: &mut Diagnostics) -> Option<Vec<f64>> {
    let mut values: Vec<f64> = model.parameters.iter().map(|parameter| parameter.default).collect();
    let known = model.parameters.iter();
    let known: Vec<Known> =
        known.map(|it| Known { name: &it.name, unit: &it.unit, range: None, span: it.span }).collect();
    for (at, value) in read_all(&settings.parameters, "parameter", "--set", &known, sink) {
        values[at] = value;
    }
    model::judge(model, &|id| Some(values[id.index()]), sink);
    (!sink.has_errors()).then_some(values)
}

fn read(settings: &Settings, stages: &Stages, sink: &mut Diagnostics) -> Values {
    let parameters = stages.system.parameters.iter();
    let parameters: Vec<Known> = parameters
        .map(|parameter| Known { name: &parameter.name, unit: &parameter.unit, range: None, span: parameter.span })
        .collect();
    let controls = stages.system.controls.iter();
    let controls: Vec<Known> = controls
        .map(|control| Known { name: &control.name, unit: &control.unit, range: control.range, span: control.span })
        .collect();
    let parameters = read_all(&settings.parameters, "parameter", "--set", &parameters, sink);
    (parameters, read_all(&settings.controls, "control", "--input", &controls, sink))
}

/// Which parameter `height=0.5..2` or `height=50[cm]..2[m]` speaks of, and its range in SI units.
pub fn range_of_parameter(text: &str, stages: &Stages) -> Result<(usize, [f64; 2]), Diagnostic> {
    let parameters = stages.system.parameters.iter();
    let known: Vec<Known> = parameters
        .map(|parameter| Known { name: &parameter.name, unit: &parameter.unit, range: None, span: parameter.span })
        .collect();
    let range = text.split_once('=').and_then(|(name, range)| Some((name, ends_of_range(range)?)));
    let Some((name, [low, high])) = range else {
        let message = format!("`--vary {text}` is no range");
        let hint = "write `--vary NAME=A..B`, as in `--vary height=0.5..2` or `--vary 'height=50[cm]..2[m]'`";
        return Err(Diagnostic::error(codes::BAD_SETTING, message).hint(hint));
    };
    let end = |value: &str| setting(&format!("{name}={value}"), "parameter", "--vary", &known);
    let ((at, low), (_, high)) = (end(&low)?, end(&high)?);
    Ok((at, [low, high]))
}

/// The ends of `50[cm]..2[m]`. The unit of `0..90[deg]` is that of both.
pub fn ends_of_range(text: &str) -> Option<[String; 2]> {
    let (low, high) = text.split_once("..")?;
    let unit = high.find('[').map_or("", |at| &high[at..]);
    let low = if low.contains('[') { low.to_string() } else { format!("{low}{unit}") };
    Some([low, high.to_string()])
}

/// A parameter or a control, in which runs may differ.
#[derive(Clone, Debug)]
pub struct Adjustable {
    pub name: String,
    pub unit: Unit,
    pub is_control: bool,
    place: usize,
    /// In SI units.
    range: Option<(f64, f64)>,
    span: Span,
}

impl Adjustable {
    /// All that runs of a scene may differ in, parameters first.
    pub fn all(stages: &Stages) -> Vec<Adjustable> {
        Adjustable::of(&stages.system)
    }

    fn of(system: &System) -> Vec<Adjustable> {
        let parameters = system.parameters.iter().enumerate().map(|(place, it)| Adjustable {
            name: it.name.clone(),
            unit: it.unit.clone(),
            is_control: false,
            place,
            range: None,
            span: it.span,
        });
        let controls = system.controls.iter().enumerate().map(|(place, it)| Adjustable {
            name: it.name.clone(),
            unit: it.unit.clone(),
            is_control: true,
            place,
            range: it.range,
            span: it.span,
        });
        parameters.chain(controls).collect()
    }

    /// The parameter or control of a name.
    pub fn named(name: &str, stages: &Stages) -> Result<Adjustable, Diagnostic> {
        Adjustable::among(name, &stages.system)
    }

    pub(crate) fn among(name: &str, system: &System) -> Result<Adjustable, Diagnostic> {
        let all = Adjustable::of(system);
        match all.iter().find(|it| it.name == name) {
            Some(found) => Ok(found.clone()),
            None => Err(unknown(name, "parameter", &all.iter().map(Adjustable::known).collect::<Vec<_>>())),
        }
    }

    /// What stands for it in expressions.
    /// Its number among parameters, if it is one.
    pub fn parameter(&self) -> Option<usize> {
        (!self.is_control).then_some(self.place)
    }

    pub(crate) fn symbol(&self, system: &System) -> SymbolId {
        if self.is_control { system.controls[self.place].symbol } else { system.parameters[self.place].symbol }
    }

    fn known(&self) -> Known<'_> {
        Known { name: &self.name, unit: &self.unit, range: self.range, span: self.span }
    }

    /// How many of the declared unit `2`, `60[deg]` or `1.5 [m]` is.
    pub fn count(&self, text: &str) -> Result<f64, Diagnostic> {
        let value = self.value(text)?;
        // A number without a unit is the count itself, to the last bit.
        Ok(text.trim().parse().unwrap_or_else(|_| self.unit.count(value)))
    }

    /// The value of such a text in SI units.
    pub fn value(&self, text: &str) -> Result<f64, Diagnostic> {
        quantity(text, &self.unit).map_err(|(message, hint)| {
            let message = format!("`{}={}`: {message}", self.name, text.trim());
            Diagnostic::error(codes::BAD_SETTING, message).at(self.span, "declared here").hint(hint)
        })
    }

    /// A setting that gives it this value, in SI units, to the last bit.
    pub fn setting(&self, value: f64) -> String {
        let unit = Unit::coherent(self.unit.dimension).text;
        // Plain numbers and angles have one dimension.
        let unit = if unit == "1" { "rad" } else { &unit };
        format!("{}={value:?}[{unit}]", self.name)
    }

    /// Gives a simulation this value, in SI units, if it is possible.
    pub fn set(&self, simulation: &mut Simulation, value: f64) -> Result<(), Diagnostic> {
        let bad = |message: String| {
            let message = format!("`{}={}`: {message}", self.name, self.unit.count(value));
            Diagnostic::error(codes::BAD_SETTING, message).at(self.span, "declared here")
        };
        if !value.is_finite() {
            return Err(bad("this is not a finite number".into()).hint("give a number"));
        }
        if let Some((low, high)) = self.range.filter(|(low, high)| !(*low..=*high).contains(&value)) {
            let (low, high) = (self.unit.count(low), self.unit.count(high));
            let hint = format!("give a value from {low} to {high}{}", bracketed(&self.unit));
            return Err(bad(format!("this is out of the range of `{}`", self.name)).hint(hint));
        }
        match self.is_control {
            true => simulation.set_control(self.place, value),
            false => simulation.set_parameter(self.place, value),
        }
        Ok(())
    }
}

/// What is wrong with the numbers that a simulation was given.
pub fn judge_settings(stages: &Stages, simulation: &Simulation, sink: &mut Diagnostics) {
    model::judge(&stages.model, &|id| Some(simulation.parameter(id.index())), sink);
}

/// What a setting can speak of.
struct Known<'a> {
    name: &'a str,
    unit: &'a Unit,
    /// In SI units.
    range: Option<(f64, f64)>,
    span: Span,
}

fn read_all(
    texts: &[String],
    what: &str,
    option: &str,
    known: &[Known<'_>],
    sink: &mut Diagnostics,
) -> Vec<(usize, f64)> {
    let mut read: Vec<(usize, f64)> = Vec::new();
    for text in texts {
        match setting(text, what, option, known) {
            Ok((at, _)) if read.iter().any(|(before, _)| *before == at) => {
                let message = format!("`{}` is given twice", known[at].name);
                sink.report(Diagnostic::error(codes::BAD_SETTING, message).hint(format!("drop one `{option}`")));
            }
            Ok(pair) => read.push(pair),
            Err(diagnostic) => sink.report(diagnostic),
        }
    }
    read
}

/// Which one, and its value in SI units.
fn setting(text: &str, what: &str, option: &str, known: &[Known<'_>]) -> Result<(usize, f64), Diagnostic> {
    let Some((name, value)) = text.split_once('=') else {
        let message = format!("`{option} {text}` has no value");
        return Err(Diagnostic::error(codes::BAD_SETTING, message).hint(format!("write `{option} {text}=1.5`")));
    };
    let name = name.trim();
    let Some(at) = known.iter().position(|candidate| candidate.name == name) else {
        return Err(unknown(name, what, known));
    };
    let Known { unit, range, span, .. } = known[at];
    let bad = |message: String| Diagnostic::error(codes::BAD_SETTING, format!("`{option} {text}`: {message}"));
    let value = quantity(value, unit).map_err(|(message, hint)| bad(message).at(span, "declared here").hint(hint))?;
    match range {
        Some((low, high)) if !(low..=high).contains(&value) => {
            let (low, high) = (unit.count(low), unit.count(high));
            let message = format!("this is out of the range of `{name}`");
            Err(bad(message)
                .at(span, "declared here")
                .hint(format!("give a value from {low} to {high}{}", bracketed(unit))))
        }
        _ => Ok((at, value)),
    }
}

fn unknown(name: &str, what: &str, known: &[Known<'_>]) -> Diagnostic {
    let names: Vec<&str> = known.iter().map(|candidate| candidate.name).collect();
    let hint = match base::nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("it has no {what}s at all; declare one: `{}`", declaration(what, name)),
        None => format!("it has {}", names.join(", ")),
    };
    Diagnostic::error(codes::UNKNOWN_SETTING, format!("the scene has no {what} `{name}`")).hint(hint)
}

fn declaration(what: &str, name: &str) -> String {
    let word = if what == "parameter" { "param" } else { "control" };
    format!("{word} {} = 1 [m]", if name.is_empty() { "length" } else { name })
}

/// ` [m]`; nothing for plain numbers.
pub(crate) fn bracketed(unit: &Unit) -> String {
    if unit.text == "1" { String::new() } else { format!(" [{}]", unit.text) }
}

/// The value in SI units of `2`, `60[deg]` or `1.5 [m]`; or what is wrong, and what to do.
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
    let example = match declared.text.as_str() {
        "1" => "write a number such as `2` or `1e-3`".to_string(),
        unit => format!("write a number in [{unit}] such as `2`, or one with its unit such as `2[{unit}]`"),
    };
    let number: f64 = match number.parse() {
        Ok(number) if f64::is_finite(number) => number,
        _ if number.is_empty() => return Err(("the value is missing".to_string(), example)),
        _ => return Err((format!("`{number}` is not a number"), example)),
    };
    let Some(unit) = unit else { return Ok(number * declared.scale) };
    let unit = Unit::parse(unit).map_err(|error| {
        let hint = match error.nearest {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("give it in [{}]", declared.text),
        };
        (error.message, hint)
    })?;
    if unit.dimension != declared.dimension {
        let message = format!("[{}] is not a unit of what is declared in [{}]", unit.text, declared.text);
        return Err((message, format!("give it in [{}]", declared.text)));
    }
    Ok(number * unit.scale)
}
