//! The files of a simulation program: the translated module, a program around it, and how to build them.

use kernel::interface::{Input, Interface};
use kernel::{ArrayId, Module, Usage, protocol};

use crate::memory::{comment, constant, member, push};
use crate::names;
use crate::translate::{Translation, translate_with};

/// Names and contents of the files. Needs: a verified module that follows the protocol.
pub fn emit(module: &Module, interface: &Interface) -> Vec<(String, String)> {
    let mut renamed = module.clone();
    renamed.name = names::whole(module, include_str!("text/main.c"));
    let (program, module, name) = (&module.name, &renamed, &renamed.name);
    let about = format!(
        "{name}: a simulation program, made by Ansatz from {}. Numbers are in SI units.\n\
         {name}_reset, {name}_configure and {name}_initialize, then any number of {name}_advance to a later time,\n\
         {name}_sample at a time of the last step, and {name}_observe. All give 0, or 1 where more steps are needed, or\n\
         a code from 2 on for what failed.",
        interface.source
    );
    let Translation { header, source } = translate_with(module, &about, &counted(&module.name, interface));
    vec![
        (format!("{name}.h"), header),
        (format!("{name}.c"), source),
        ("main.c".to_string(), sample(module, interface)),
        ("Makefile".to_string(), include_str!("text/Makefile").replace("@NAME@", name).replace("@PROGRAM@", program)),
    ]
}

fn sample(module: &Module, interface: &Interface) -> String {
    let usage = Usage::of(module);
    let place = |array: &str, at: usize| -> String {
        let id: Option<ArrayId> = module.find_array(array);
        let member = id.map_or_else(String::new, |id| member(module, &usage, id, at));
        format!("offsetof({}, {member})", module.name)
    };
    let inputs = |array: &str, inputs: &[Input]| -> String {
        inputs.iter().enumerate().map(|(at, input)| format!("    {}\n", row(input, &place(array, at)))).collect()
    };
    let outputs = (0..interface.outputs.len()).map(|at| format!("    {},\n", place(protocol::OUTPUTS, at)));
    let strings = |texts: &[String]| -> String { texts.iter().map(|text| format!("{}, ", literal(text))).collect() };
    let print = if has_words(interface) {
        "                const char *const word = words[i] == NULL ? NULL : words[i][(size_t)*cell(outputs[i])];\n                \
         if (word != NULL)\n                    fputs(word, stdout);\n                else\n                    print_number(stdout, *cell(outputs[i]), 0);"
    } else {
        "                print_number(stdout, *cell(outputs[i]), 0);"
    };
    let transitions: Vec<String> = interface.transitions.iter().map(|it| quoted(&it.name)).collect();
    let failures = interface
        .failures()
        .map(|(code, words, of)| format!("\n    {{{code}, {}, {}}},", literal(words), of.names().unwrap_or("NULL")));
    interface
        .choose_lines(include_str!("text/main.c"))
        .replace("@FAILURES@", &failures.collect::<String>())
        .replace("@WORDS@", &words(interface))
        .replace("@PRINT@", print)
        .replace("@TRANSITIONS@", &strings(&transitions))
        .replace("@CLAIMS@", &strings(&interface.claims))
        .replace("@EVENTS@", &protocol::EVENTS.to_string())
        .replace("@NAME@", &module.name)
        .replace("@PARAMETERS@", &inputs(protocol::PARAMETERS, &interface.parameters))
        .replace("@CONTROLS@", &inputs(protocol::CONTROLS, &interface.controls))
        .replace("@OUTPUTS@", &outputs.collect::<String>())
        .replace("\"@HEADER@\"", &literal(&format!("t [s],{}", header(interface))))
        .replace("@INTEGRALS@", &strings(&interface.integrals))
        .replace("@SYSTEMS@", &strings(&interface.systems))
        .replace("@TOLERANCE@", &format!("{:e}", interface.tolerance))
}

/// The names of the columns, with their units.
pub(crate) fn header(interface: &Interface) -> String {
    interface.outputs.iter().map(|output| quoted(&output.head())).collect::<Vec<_>>().join(",")
}

/// Names for the modes and transitions, which the program only counts.
pub(crate) fn counted(name: &str, interface: &Interface) -> String {
    let mut text = String::new();
    for (what, about, all) in [
        ("mode", "The modes; `mode` is one of these.", &interface.modes),
        ("transition", "The transitions; `event_transitions` are some of these.", &interface.transitions),
    ] {
        if all.is_empty() {
            continue;
        }
        push(&mut text, format_args!("/* {about} */\nenum {name}_{what}s {{\n"));
        for (at, one) in all.iter().enumerate() {
            let constant = format!("{name}_{what}_{}", one.identifier).to_uppercase();
            let note = [one.name.as_str(), one.note.as_str()].into_iter().filter(|it| !it.is_empty());
            let note = comment(&note.collect::<Vec<_>>().join(", "));
            let note = if note.is_empty() { String::new() } else { format!(" /* {note} */") };
            push(&mut text, format_args!("    {constant} = {at},{note}\n"));
        }
        text.push_str("};\n\n");
    }
    text
}

fn has_words(interface: &Interface) -> bool {
    interface.outputs.iter().any(|output| output.words.is_some())
}

/// What the values of some columns are called.
fn words(interface: &Interface) -> String {
    if !has_words(interface) {
        return String::new();
    }
    let mut text = String::new();
    let mut columns = String::new();
    for (at, output) in interface.outputs.iter().enumerate() {
        match &output.words {
            Some(words) => {
                let list: String = words.iter().map(|word| format!("{}, ", literal(word))).collect();
                push(&mut text, format_args!("static const char *const words{at}[] = {{{list}NULL}};\n"));
                push(&mut columns, format_args!("words{at}, "));
            }
            None => columns.push_str("NULL, "),
        }
    }
    push(&mut text, format_args!("static const char *const *const words[] = {{{columns}NULL}};\n"));
    text
}

fn row(input: &Input, place: &str) -> String {
    let (low, high) = input.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let [scale, low, high] = [input.scale, low, high].map(|value| constant(value.into()));
    let [name, unit, note] = [&input.name, &input.unit, &input.note].map(|text| literal(text));
    format!("{{{name}, {unit}, {scale}, {low}, {high}, {place}, {note}}},")
}

/// A name as it stands in a table of comma-separated values.
fn quoted(name: &str) -> String {
    if name.contains([',', '"']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_string() }
}

/// A string of C. A question mark might begin a trigraph.
pub(crate) fn literal(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('?', "\\?").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
