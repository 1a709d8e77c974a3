//! The files of a crate: the library, and a program around it.

use kernel::interface::{Input, Interface};
use kernel::{Module, Usage, protocol};

use crate::memory::{constant, document, element, push};
use crate::names::{constant_name, type_name};
use crate::translate::translate;

/// Names and contents of the files. Needs: a verified module that follows the protocol.
pub fn emit(module: &Module, interface: &Interface) -> Vec<(String, String)> {
    let (name, type_) = (&module.name, type_name(&module.name));
    let about = format!(
        "{name}: a simulation program, made by Ansatz from {}. Numbers are in SI units.\n\n\
         [`{type_}::new`], set parameters, [`configure`]({type_}::configure), [`initialize`]({type_}::initialize), then any\n\
         number of [`advance`]({type_}::advance) to a later time, [`sample`]({type_}::sample) at a time of the last step, and\n\
         [`observe`]({type_}::observe). All give 0, or 1 where more steps are needed, or a code from 2 on for what failed.\n\n\
         ```\n\
         let mut simulation = {name}::{type_}::new();\n\
         simulation.configure({:e}, 1.0);\n\
         assert_eq!(simulation.initialize(), 0);\n\
         assert_eq!(simulation.advance(1.0, 1_000_000), 0);\n\
         ```",
        interface.source, interface.tolerance
    );
    vec![
        ("src/lib.rs".to_string(), translate(module, &about) + &counted(module, interface)),
        ("src/main.rs".to_string(), sample(module, interface)),
        (
            "Cargo.toml".to_string(),
            include_str!("text/Cargo.toml").replace("@NAME@", name).replace("@SOURCE@", &interface.source),
        ),
    ]
}

fn sample(module: &Module, interface: &Interface) -> String {
    let usage = Usage::of(module);
    let place = |array: &str, at: usize| -> String {
        let element = module.find_array(array).map(|id| element(module, &usage, id, at)).unwrap_or_default();
        element.replacen("self.", "simulation.", 1)
    };
    let inputs = |array: &str, inputs: &[Input]| -> String {
        inputs.iter().enumerate().map(|(at, input)| format!("    {}\n", row(input, &place(array, at)))).collect()
    };
    let outputs: Vec<String> = (0..interface.outputs.len()).map(|at| place(protocol::OUTPUTS, at)).collect();
    let header =
        std::iter::once("t [s]".to_string()).chain(interface.outputs.iter().map(|output| quoted(&output.head())));
    let strings = |texts: &[String]| texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", ");
    let columns: Vec<String> = interface
        .outputs
        .iter()
        .map(|output| output.words.as_deref().map_or("&[]".to_string(), |words| format!("&[{}]", strings(words))))
        .collect();
    let transitions: Vec<String> = interface.transitions.iter().map(|it| quoted(&it.name)).collect();
    let failures = interface.failures().map(|(code, words, of)| {
        format!("\n    ({code}, {words:?}, {}),", of.names().map_or("&[]".to_string(), str::to_uppercase))
    });
    interface
        .choose_lines(include_str!("text/main.rs"))
        .replace("@FAILURES@", &failures.collect::<String>())
        .replace("@WORDS@", &columns.join(", "))
        .replace("@TRANSITIONS@", &strings(&transitions))
        .replace("@CLAIMS@", &strings(&interface.claims))
        .replace("@NAME@", &module.name)
        .replace("@TYPE@", &type_name(&module.name))
        .replace("@PARAMETERS@", &inputs(protocol::PARAMETERS, &interface.parameters))
        .replace("@CONTROLS@", &inputs(protocol::CONTROLS, &interface.controls))
        .replace("@COUNT@", &outputs.len().to_string())
        .replace("@OUTPUTS@", &outputs.join(", "))
        .replace("@HEADER@", &format!("{:?}", header.collect::<Vec<_>>().join(",")))
        .replace("@INTEGRALS@", &strings(&interface.integrals))
        .replace("@SYSTEMS@", &strings(&interface.systems))
        .replace("@TOLERANCE@", &format!("{:e}", interface.tolerance))
}

/// Names for the modes and transitions, which the program only counts, and the transitions that happened.
fn counted(module: &Module, interface: &Interface) -> String {
    let mut text = String::new();
    if !interface.is_changing() {
        return text;
    }
    for (what, about, all) in [
        ("mode", "The modes; the field `mode` is one of these.", &interface.modes),
        ("transition", "The transitions; those that happened are some of these.", &interface.transitions),
    ] {
        push(&mut text, format_args!("\n/// {about}\npub mod {what} {{\n"));
        for (at, one) in all.iter().enumerate() {
            let note = [one.name.as_str(), one.note.as_str()].into_iter().filter(|it| !it.is_empty());
            document(&note.collect::<Vec<_>>().join(", "), "    ", &mut text);
            push(&mut text, format_args!("    pub const {}: i64 = {at};\n", constant_name(&one.identifier)));
        }
        text.push_str("}\n");
    }
    let (type_, most) = (type_name(&module.name), protocol::EVENTS);
    push(
        &mut text,
        format_args!(
            "\nimpl {type_} {{\n    /// The transitions that happened, from one number on, as far as they are still known: when, and \
             which.\n    pub fn events(&self, first: i64) -> impl Iterator<Item = (f64, i64)> + '_ {{\n        \
             let first = first.max(self.event_count - {most}).max(0);\n        let place = |number: i64| (number % \
             {most}) as usize;\n        (first..self.event_count)\n            .map(move |number| \
             (self.event_times[place(number)], self.event_transitions[place(number)]))\n    }}\n\n    \
             /// What was met that is no reason to end the run.\n    pub fn warnings(&self) -> impl Iterator<Item = Warning> + \
             '_ {{\n        (0..self.warning_count as usize).map(|at| Warning {{\n            t: self.warning_times[at],\n            \
             kind: self.warning_kinds[at],\n            transitions: [self.warning_transitions[2 * at], \
             self.warning_transitions[2 * at + 1]],\n        }})\n    }}\n}}\n\n/// Kind 1: two transitions that held together and \
             disagree, of which the first happened. Kind 2: the beginning of a plan that missed its\n/// aims, and what came in \
             between.\npub struct Warning {{\n    pub t: f64,\n    pub kind: i64,\n    pub transitions: [i64; 2],\n}}\n"
        ),
    );
    text
}

fn row(input: &Input, place: &str) -> String {
    let (low, high) = input.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let [scale, low, high] = [input.scale, low, high].map(|value| constant(value.into()));
    let Input { name, unit, note, .. } = input;
    format!(
        "Input {{ name: {name:?}, unit: {unit:?}, scale: {scale}, range: ({low}, {high}), \
         value: |simulation| &mut {place}, note: {note:?} }},"
    )
}

/// A name as it stands in a table of comma-separated values.
fn quoted(name: &str) -> String {
    if name.contains([',', '"']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_string() }
}
