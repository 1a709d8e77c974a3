//! What a unit shows to simulators: its variables with their names, units and references.

use base::Dimension;
use kernel::interface::Interface;
use program::State;
use rustc_hash::FxHashSet;

use crate::pipeline::Stages;

/// What a variable is to simulators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Time,
    Parameter,
    Input,
    Output,
    State,
    /// The rate of the state of the same number.
    Rate,
    /// Positive until an event comes.
    Indicator,
}

/// The place of a variable among all is its value reference.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// As the author knows it, or what it is.
    pub description: String,
    pub role: Role,
    /// In SI units; of what can be set.
    pub start: Option<f64>,
    pub range: Option<(f64, f64)>,
    pub unit: Option<UnitName>,
    /// What its values are called, where they are not numbers.
    pub words: Option<Vec<String>>,
}

/// A coherent SI unit, and one that people like to see instead.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitName {
    pub name: String,
    pub dimension: Dimension,
    pub is_angle: bool,
    /// Its name, and how many of it one of the coherent unit is.
    pub display: Option<(String, f64)>,
}

/// All variables, in the order of their references: the time, parameters, inputs, outputs, the states that are exchanged, their rates, and
/// the indicators of events, each with what it is about.
// Long: one group of variables after the other; their order is their references, which parts would have to share.
pub fn variables(
    stages: &Stages,
    interface: &Interface,
    exchanged: &[State],
    indicators: &[(String, String)],
) -> Vec<Variable> {
    let mut names = FxHashSet::default();
    let mut variable = |name: &str, group: &str, role: Role| Variable {
        name: claim(&mut names, name, group),
        description: String::new(),
        role,
        start: None,
        range: None,
        unit: None,
        words: None,
    };
    let seconds = Some(unit(Dimension::TIME, "s", 1.0)).flatten();
    let mut all = vec![Variable { unit: seconds, ..variable("time", "time", Role::Time) }];
    for (it, known) in stages.system.parameters.iter().zip(&interface.parameters) {
        all.push(Variable {
            description: known.note.clone(),
            start: Some(it.default),
            unit: unit(it.unit.dimension, &it.unit.text, it.unit.scale),
            ..variable(&it.name, "parameter", Role::Parameter)
        });
    }
    for it in &stages.system.controls {
        all.push(Variable {
            start: Some(it.default),
            range: it.range,
            unit: unit(it.unit.dimension, &it.unit.text, it.unit.scale),
            ..variable(&it.name, "input", Role::Input)
        });
    }
    let asked = stages.system.outputs.iter().zip(&stages.model.outputs);
    for (output, asked) in asked {
        let dimension = stages.model.terms.get(asked.term).type_.amount.dimension();
        for (name, _) in &output.columns {
            let found = variable(name, "output", Role::Output);
            let description = if found.name == *name { String::new() } else { base::visible(name) };
            let unit = unit(dimension, &dimension.unit(), 1.0).filter(|_| output.words.is_none());
            all.push(Variable { description, unit, words: output.words.clone(), ..found });
        }
    }
    let states: Vec<Variable> = exchanged
        .iter()
        .map(|it| {
            let unit = unit(it.dimension, &it.dimension.unit(), 1.0);
            Variable { unit, ..variable(&it.name, "state", Role::State) }
        })
        .collect();
    let rates = states.iter().zip(exchanged).map(|(state, it)| {
        let dimension = it.dimension.over(Dimension::TIME);
        let unit = dimension.and_then(|dimension| unit(dimension, &dimension.unit(), 1.0));
        let name = format!("der({})", state.name);
        Variable { name, unit, role: Role::Rate, ..state.clone() }
    });
    let rates: Vec<Variable> = rates.collect();
    let indicators = indicators
        .iter()
        .map(|(name, about)| Variable { description: about.clone(), ..variable(name, "event", Role::Indicator) });
    let indicators: Vec<Variable> = indicators.collect();
    all.extend(states.into_iter().chain(rates).chain(indicators));
    all
}

/// Angles are plain numbers to us, and have a base unit of their own there.
const ANGLES: [&str; 6] = ["rad", "deg", "mrad", "rev", "arcmin", "arcsec"];

fn unit(dimension: Dimension, text: &str, scale: f64) -> Option<UnitName> {
    let is_angle = dimension.is_none() && ANGLES.contains(&text);
    if dimension.is_none() && !is_angle && ["", "1"].contains(&text) {
        return None;
    }
    let name = match dimension.is_none() {
        true if is_angle => "rad".to_string(),
        true => "1".to_string(),
        false => dimension.unit(),
    };
    let display = (text != name).then(|| (text.to_string(), 1.0 / scale));
    Some(UnitName { name, dimension, is_angle, display })
}

/// A name of the standard's structured ones that nothing else has.
fn claim(taken: &mut FxHashSet<String>, name: &str, group: &str) -> String {
    let plain = structured(name);
    let grouped = format!("{group}.{plain}");
    let numbered = (2..).map(|number| format!("{grouped}_{number}").replace("'_", "_"));
    let found = [plain, grouped.clone()].into_iter().chain(numbered).find(|name| !taken.contains(name));
    let found = found.expect("numbers go on");
    taken.insert(found.clone());
    found
}

/// Names of frames and their quantities are structured already; whatever else was asked for stands in quotes.
fn structured(name: &str) -> String {
    if is_structured(name) {
        return name.to_string();
    }
    const PLAIN: &str = "_!#$%&()*+,-./:;<>=?@[]^{}|~ ";
    let letter = |letter: char| match letter {
        _ if letter.is_ascii_alphanumeric() || PLAIN.contains(letter) => letter.to_string(),
        '\'' | '"' | '\\' => format!("\\{letter}"),
        _ => format!("u{:04X}", u32::from(letter)),
    };
    format!("'{}'", name.chars().map(letter).collect::<String>())
}

/// `arm.joint[2].angle`
fn is_structured(name: &str) -> bool {
    let is_index = |index: &str| {
        index.split(',').all(|number| !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit()))
    };
    name.split('.').all(|part| {
        let (word, index) = part.split_once('[').map_or((part, None), |(word, index)| (word, Some(index)));
        let letters = word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let begins = word.chars().next().is_some_and(|first| !first.is_ascii_digit());
        letters && begins && index.is_none_or(|index| index.strip_suffix(']').is_some_and(is_index))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_structured_and_unique() {
        for plain in ["swing.angle", "bead[2].x", "m[1,2]", "_a1"] {
            assert_eq!(structured(plain), plain);
        }
        assert_eq!(structured("2 * x'"), "'2 * x\\''");
        assert_eq!(structured("θ"), "'u03B8'");
        assert_eq!(structured("a..b"), "'a..b'");
        let mut taken = FxHashSet::default();
        let names = ["x", "x", "x", "x"].map(|name| claim(&mut taken, name, "output"));
        assert_eq!(names, ["x", "output.x", "output.x_2", "output.x_3"]);
    }

    #[test]
    fn units_are_coherent_and_shown_as_written() {
        let angle = unit(Dimension::NONE, "deg", 0.5).expect("an angle has a unit");
        assert_eq!((angle.name.as_str(), angle.display), ("rad", Some(("deg".to_string(), 2.0))));
        assert_eq!(unit(Dimension::NONE, "1", 1.0), None);
        assert_eq!(unit(Dimension::FORCE, "N", 1.0).map(|it| (it.name, it.display)), Some(("N".to_string(), None)));
    }
}
