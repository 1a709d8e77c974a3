//! The names, units and lines of an exported program: for the cells of its module, and for the people who run it.

use std::path::Path;

use base::{Dimension, Sources, Span};
use kernel::interface::{Input, Interface, Output};
use kernel::{Module, Names, Slot, protocol};
use program::{Program, State};

use crate::pipeline::Stages;

/// What people know of the program.
pub fn interface(stages: &Stages, sources: &Sources, tolerance: f64) -> Interface {
    let parameters = stages.system.parameters.iter().map(|it| Input {
        name: it.name.clone(),
        unit: it.unit.text.clone(),
        scale: it.unit.scale,
        default: it.default,
        range: None,
        note: base::visible(&it.description.clone().unwrap_or_default()),
    });
    let controls = stages.system.controls.iter().map(|it| Input {
        name: it.name.clone(),
        unit: it.unit.text.clone(),
        scale: it.unit.scale,
        default: it.default,
        range: it.range,
        note: String::new(),
    });
    let labels = |states: &[State]| match states {
        [] => "nothing".to_string(),
        [first] => first.name.clone(),
        [first, .., last] => format!("{} to {}", first.name, last.name),
    };
    let systems = stages.program.systems.iter().map(|info| {
        const MOST: usize = 4;
        let about = |origins: &[program::Origin]| -> String {
            let named = origins.iter().map(|origin| format!("{} ({})", origin.label, line(sources, origin.span)));
            let mut named: Vec<String> = named.take(MOST).collect();
            if origins.len() > MOST {
                named.push(format!("and {} more", origins.len() - MOST));
            }
            named.join(", ")
        };
        about(if info.equations.is_empty() { &info.unknowns } else { &info.equations })
    });
    Interface {
        source: file_name(&sources.get(base::SourceId(0)).name),
        parameters: parameters.collect(),
        controls: controls.collect(),
        outputs: outputs(stages),
        integrals: stages.program.integrals.iter().map(|integral| labels(&integral.states)).collect(),
        systems: systems.collect(),
        tolerance,
        ..Interface::default()
    }
}

/// An exported program goes to others; the folders that the scene lay in do not.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().map_or_else(|| path.into(), |name| name.to_string_lossy());
    base::visible(&name)
}

/// The columns of the table, each with its unit.
fn outputs(stages: &Stages) -> Vec<Output> {
    let asked = stages.system.outputs.iter().zip(stages.model.output_units());
    let columns = asked.flat_map(|(output, unit)| {
        let words = &output.words;
        output.columns.iter().map(move |(name, _)| Output {
            name: name.clone(),
            unit: unit.clone(),
            words: words.clone(),
        })
    });
    columns.collect()
}

/// The module with a name, a unit and a line for each parameter, control, state and output.
pub fn name_cells(module: &mut Module, stages: &Stages, sources: &Sources) {
    let parameters = stages.system.parameters.iter().map(|it| {
        let about = it.description.as_ref().map_or_else(String::new, |text| format!("{}; ", base::visible(text)));
        (it.name.clone(), format!("{about}{}{}", unit(it.unit.dimension), line(sources, it.span)))
    });
    let discrete = stages.system.automaton.discrete.iter();
    let discrete =
        discrete.map(|it| (it.name.clone(), format!("{}only transitions change it", unit(it.unit.dimension))));
    set(module, protocol::PARAMETERS, parameters.chain(discrete).collect());
    let controls = stages.system.controls.iter();
    let controls =
        controls.map(|it| (it.name.clone(), format!("{}{}", unit(it.unit.dimension), line(sources, it.span))));
    set(module, protocol::CONTROLS, controls.collect());
    let outputs = outputs(stages).into_iter().map(|it| (it.name, it.unit));
    set(module, protocol::OUTPUTS, outputs.collect());
    let count = stages.program.monitor.results.len().saturating_sub(2);
    let energies = ["energy", "kinetic"].map(|name| (name.to_string(), "J".to_string()));
    let residuals = (1..=count).map(|number| (format!("residual{number}"), String::new()));
    set(module, protocol::MONITORS, energies.into_iter().chain(residuals).collect());
    states(module, &stages.program, sources);
}

/// The arrays that hold a state: the last one, the one being tried, the one before, the one sampled.
fn states(module: &mut Module, program: &Program, sources: &Sources) {
    let named = |states: &[State]| -> Vec<(String, String)> {
        let named =
            states.iter().map(|it| (it.name.clone(), format!("{}{}", unit(it.dimension), line(sources, it.span))));
        named.collect()
    };
    for (index, integral) in program.integrals.iter().enumerate() {
        let state = lower::state_array(program, index);
        let stem = state.trim_end_matches("state");
        for array in ["state", "stage", "sampled", "previous", "point"] {
            set(module, &format!("{stem}{array}"), named(&integral.states));
        }
        for array in ["settled", "followers"] {
            set(module, &format!("{stem}{array}"), named(&integral.followers));
        }
    }
}

fn line(sources: &Sources, span: Span) -> String {
    base::visible(&sources.line(span).unwrap_or_default())
}

/// `m/s, `; nothing for plain numbers and angles.
fn unit(dimension: Dimension) -> String {
    if dimension.is_none() { String::new() } else { format!("{}, ", dimension.unit()) }
}

/// Gives the elements of an array their names, if there is such an array. Behind the states of an implicit integral there are
/// unknowns that follow from them.
fn set(module: &mut Module, array: &str, cells: Vec<(String, String)>) {
    let Some(array) = module.arrays.iter_mut().find(|it| it.name == array) else { return };
    let others = (1..).map(|number| (format!("unknown{number}"), "follows from the states".to_string()));
    let mut names = Names::default();
    let slots = cells.into_iter().chain(others).map(|(name, note)| Slot { name: names.claim(&name), note });
    array.slots = slots.take(array.length).collect();
}
