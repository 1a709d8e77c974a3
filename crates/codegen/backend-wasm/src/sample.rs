//! The files around a module: the wrapper that gives its cells names and types, and a program for Node.

use kernel::interface::{Input, Interface, Named, Output};
use kernel::{Array, Module, protocol};

use crate::translate::{Exported, translate};

pub struct File {
    pub name: String,
    pub content: Vec<u8>,
}

/// Needs: a verified module that follows the protocol.
pub fn emit(module: &Module, interface: &Interface) -> Vec<File> {
    let name = &module.name;
    let failures: String = interface
        .failures()
        .map(|(code, words, of)| {
            let names = of.names().map_or(String::new(), |names| format!(", {names:?}"));
            format!("\n  {code}: [{words:?}{names}],")
        })
        .collect();
    let fill = |template: &str| {
        let text = interface
            .choose_lines(template)
            .replace("@NAME@", name)
            .replace("@SOURCE@", &interface.source)
            .replace("@ARRAYS@", &arrays(module))
            .replace("@FAILURES@", &failures)
            .replace("@DESCRIPTION@", &description(module, interface))
            .replace("@INTERFACES@", &interfaces(module))
            .replace("@STATES@", &state_types(module));
        text.into_bytes()
    };
    vec![
        File { name: format!("{name}.wasm"), content: translate(module, Exported::Entries) },
        File { name: format!("{name}.js"), content: fill(include_str!("text/wrapper.js")) },
        File { name: format!("{name}.d.ts"), content: fill(include_str!("text/wrapper.d.ts")) },
        File { name: "run.js".to_string(), content: fill(include_str!("text/run.js")) },
        File { name: "package.json".to_string(), content: package(name).into_bytes() },
    ]
}

fn package(name: &str) -> String {
    format!(
        "{{\n  \"name\": {},\n  \"version\": \"1.0.0\",\n  \"type\": \"module\",\n  \"main\": \"{name}.js\",\n  \
         \"types\": \"{name}.d.ts\"\n}}\n",
        string(&name.replace('_', "-"))
    )
}

/// The arrays of the protocol that the wrapper gives names to.
const NAMED: [(&str, &str); 3] =
    [(protocol::PARAMETERS, "Parameters"), (protocol::CONTROLS, "Controls"), (protocol::OUTPUTS, "Outputs")];

const NUMBERED: [&str; 4] = [protocol::MONITORS, protocol::STATISTICS, protocol::FAILURE, protocol::FAILURE_VALUES];

fn arrays(module: &Module) -> String {
    let layout = module.layout();
    let place = |array: &Array| -> String {
        let first = module.find_array(&array.name).map_or(0, |id| layout.offset(id));
        let names: Vec<String> = array.slots.iter().map(|slot| string(&slot.name)).collect();
        format!("{{ first: {first}, length: {}, names: [{}] }}", array.length, names.join(", "))
    };
    let of = |name: &str| module.arrays.iter().find(|array| array.name == name).map_or_else(String::new, place);
    let mut text = "{\n".to_string();
    for name in NAMED.iter().map(|(array, _)| *array).chain(NUMBERED) {
        text += &format!("  {name}: {},\n", of(name));
    }
    for name in protocol::CHANGING.into_iter().filter(|name| module.find_array(name).is_some()) {
        text += &format!("  {name}: {},\n", of(name));
    }
    let states: Vec<String> = states(module).map(place).collect();
    text + &format!("  states: [{}],\n}}", states.join(", "))
}

/// The arrays that hold the states of each integral; of a program with modes, all that goes from one to the other.
fn states(module: &Module) -> impl Iterator<Item = &Array> {
    let has_modes = module.find_array(protocol::MODE).is_some();
    module.arrays.iter().filter(move |array| match has_modes {
        true => array.name == protocol::STATES,
        false => array.name.starts_with("motion") && array.name.ends_with("_state"),
    })
}

fn interfaces(module: &Module) -> String {
    let mut text = String::new();
    let named = NAMED.iter().filter_map(|(name, title)| {
        let array = module.arrays.iter().find(|array| array.name == *name)?;
        Some((array, title.to_string()))
    });
    let states = states(module).enumerate().map(|(at, array)| (array, format!("State{}", at + 1)));
    for (array, title) in named.chain(states) {
        text += &format!("/** {} */\nexport interface {title} {{\n", comment(&array.note));
        for slot in &array.slots {
            if !slot.note.is_empty() {
                text += &format!("  /** {} */\n", comment(&slot.note));
            }
            text += &format!("  {}: number;\n", slot.name);
        }
        text += "}\n\n";
    }
    text
}

fn state_types(module: &Module) -> String {
    let types: Vec<String> = (0..states(module).count()).map(|at| format!("Readonly<State{}>", at + 1)).collect();
    types.join(", ")
}

fn description(module: &Module, interface: &Interface) -> String {
    let inputs = |inputs: &[Input]| list(inputs.iter().map(input));
    let strings = |texts: &[String]| list(texts.iter().map(|text| string(text)));
    let output = |output: &Output| {
        let words = output.words.iter().map(|words| {
            let words: Vec<String> = words.iter().map(|word| string(word)).collect();
            format!(", words: [{}]", words.join(", "))
        });
        let unit = if output.unit.is_empty() { "1" } else { &output.unit };
        format!("{{ name: {}, unit: {}{} }}", string(&output.name), string(unit), words.collect::<String>())
    };
    let names = |all: &[Named]| list(all.iter().map(|one| string(&one.name)));
    let changing = match interface.is_changing() {
        true => format!(
            "  modes: {},\n  transitions: {},\n  claims: {},\n",
            names(&interface.modes),
            names(&interface.transitions),
            strings(&interface.claims)
        ),
        false => String::new(),
    };
    format!(
        "{{\n  name: {},\n  source: {},\n  tolerance: {:e},\n  parameters: {},\n  controls: {},\n  outputs: {},\n  \
         integrals: {},\n  systems: {},\n{changing}}}",
        string(&module.name),
        string(&interface.source),
        interface.tolerance,
        inputs(&interface.parameters),
        inputs(&interface.controls),
        list(interface.outputs.iter().map(output)),
        strings(&interface.integrals),
        strings(&interface.systems),
    )
}

fn input(input: &Input) -> String {
    let range =
        input.range.map_or_else(|| "null".to_string(), |(low, high)| format!("[{}, {}]", number(low), number(high)));
    format!(
        "{{ name: {}, unit: {}, scale: {}, default: {}, range: {range}, note: {} }}",
        string(&input.name),
        string(&input.unit),
        number(input.scale),
        number(input.default),
        string(&input.note),
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    let lines: String = items.map(|item| format!("    {item},\n")).collect();
    if lines.is_empty() { "[]".to_string() } else { format!("[\n{lines}  ]") }
}

fn number(value: f64) -> String {
    if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_string()
    } else {
        format!("{value:?}")
    }
}

/// A string of JavaScript.
fn string(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace("</", "<\\/");
    format!("\"{escaped}\"")
}

fn comment(text: &str) -> String {
    text.replace('\n', " ").replace("*/", "* /")
}
