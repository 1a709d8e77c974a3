//! A program as the sources of a functional mock-up unit (FMI): the translated module, tables of what simulators may ask for, and a layer
//! of C for the version of the standard. All the rest of a unit is not C and not made here.

use base::fingerprint;
use kernel::interface::{Input, Interface};
use kernel::{Module, Usage, protocol};

use crate::memory::{constant, member, push};
use crate::names;
use crate::sample::{counted, literal};
use crate::translate::{Translation, translate_with};

/// Of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fmi {
    Two,
    Three,
}

/// The sources of a unit, in the order of their names.
pub struct Unit {
    /// What the library is called, and the program in it.
    pub identifier: String,
    /// Tells programs apart that are not the same.
    pub token: String,
    pub sources: Vec<(String, String)>,
}

/// What simulators may integrate by themselves, in a module with [`protocol::HOLD`].
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// The places of the states, among those of the protocol.
    pub states: Vec<usize>,
    /// For each mode the place of the rate of each, among those of the protocol; none where it rests.
    pub rates: Vec<Vec<Option<usize>>>,
    /// A number for each state; those of one dimension have the same.
    pub groups: Vec<usize>,
    /// The function that finds derivatives along a direction, and what is behind the name of an array in that of its derivatives; none if there is none.
    pub slopes: Option<Slopes>,
}

/// See `lower::with_slopes`.
#[derive(Clone, Debug)]
pub struct Slopes {
    pub function: &'static str,
    pub of: fn(&str) -> String,
}

const LAYERS: [&str; 5] = [
    include_str!("text/fmu/calls.h"),
    include_str!("text/fmu/fmu.h"),
    include_str!("text/fmu/fmu.c"),
    include_str!("text/fmu/fmi2.c"),
    include_str!("text/fmu/fmi3.c"),
];

/// Needs: a verified module that follows the protocol. `exchanged` is none where a simulator cannot integrate it by itself.
pub fn emit_fmu(module: &Module, interface: &Interface, exchanged: Option<&Exchange>, version: Fmi) -> Unit {
    let mut module = module.clone();
    // A file of that name stands beside it.
    module.name = match module.name.as_str() {
        "calls" | "fmu" | "fmi2" | "fmi3" | "tables" => format!("{}_scene", module.name),
        _ => names::whole(&module, &LAYERS.concat()),
    };
    let name = &module.name;
    let about =
        format!("{name}: a simulation program, made by Ansatz from {}. Numbers are in SI units.", interface.source);
    let Translation { header, source } = translate_with(&module, &about, &counted(name, interface));
    let token = token(&[&header, &source, &interface.source]);
    let [calls, fmu_h, fmu_c, fmi2, fmi3] = LAYERS.map(|layer| filled(layer, name, version));
    let layer = match version {
        Fmi::Two => ("fmi2.c".to_string(), fmi2),
        Fmi::Three => ("fmi3.c".to_string(), fmi3),
    };
    let tables = tables(&module, interface, exchanged, &token);
    let mut sources = vec![
        (format!("{name}.c"), source),
        (format!("{name}.h"), header),
        ("calls.h".to_string(), calls),
        ("fmu.c".to_string(), fmu_c),
        ("fmu.h".to_string(), fmu_h),
        ("tables.h".to_string(), tables),
        layer,
    ];
    sources.sort();
    Unit { identifier: name.clone(), token, sources }
}

fn filled(layer: &str, name: &str, version: Fmi) -> String {
    let [stopped, events] = [protocol::STOPPED.to_string(), protocol::EVENTS.to_string()];
    let failures = protocol::FAILURES.iter().map(|(code, words, of)| {
        let names =
            of.names().map_or("NULL, 0".to_string(), |names| format!("fmu_{names}, FMU_{}", names.to_uppercase()));
        format!("\n    {{{code}, {words:?}, {names}}},")
    });
    let named = layer
        .replace("@NAME@", name)
        .replace("@STOPPED@", &stopped)
        .replace("@EVENTS@", &events)
        .replace("@FAILURES@", &failures.collect::<String>());
    CALLED.iter().fold(named, |text, (place, two, three)| match version {
        Fmi::Two => text.replace(place, two),
        Fmi::Three => text.replace(place, three),
    })
}

/// What the versions call the same thing.
const CALLED: &[(&str, &str, &str)] = &[
    ("@FMI@", "fmi2", "fmi3"),
    ("@VERSION@", "FMI2", "FMI3"),
    ("@STATE@", "FMUstate", "FMUState"),
    ("@DESERIALIZE@", "DeSerialize", "Deserialize"),
    ("@RATES@", "GetDerivatives", "GetContinuousStateDerivatives"),
];

/// 128 bits of the texts (a fingerprint forwards and one backwards), written as such tokens mostly are.
fn token(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    let (forwards, backwards) = (fingerprint(bytes.clone()), fingerprint(bytes.rev()));
    let digits = format!("{forwards:016x}{backwards:016x}");
    let [a, b, c, d, e] = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
    format!("{{{a}-{b}-{c}-{d}-{e}}}")
}

/// How many numbers an array has; none if there is no such array.
fn length(module: &Module, array: &str) -> usize {
    module.find_array(array).map_or(0, |id| module.array(id).length)
}

// Long: one array of the C program after the other, in the order of its header.
fn tables(module: &Module, interface: &Interface, exchanged: Option<&Exchange>, token: &str) -> String {
    let usage = Usage::of(module);
    let place = |array: &str, at: usize| -> String {
        let member = module.find_array(array).map_or_else(String::new, |id| member(module, &usage, id, at));
        format!("offsetof({}, {member})", module.name)
    };
    let inputs = |array: &str, inputs: &[Input]| -> Vec<String> {
        let row = |(at, input): (usize, &Input)| {
            let (low, high) = input.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            let [low, high] = [low, high].map(|value| constant(value.into()));
            format!("{{{}, {low}, {high}, {}}}", literal(&input.name), place(array, at))
        };
        inputs.iter().enumerate().map(row).collect()
    };
    let outputs = (0..interface.outputs.len()).map(|at| place(protocol::OUTPUTS, at)).collect();
    let words = interface.outputs.iter().map(|output| u8::from(output.words.is_some()).to_string()).collect();
    let texts = |texts: &[String]| texts.iter().map(|text| literal(text)).collect();
    let transitions: Vec<String> = interface.transitions.iter().map(|it| it.name.clone()).collect();
    let mut text = format!("/*\n * What simulators may ask of {}, and where it is.\n */\n", module.name);
    push(&mut text, format_args!("#ifndef FMU_TABLES_H\n#define FMU_TABLES_H\n\n"));
    push(&mut text, format_args!("#include \"{}.h\"\n\n#include <math.h>\n#include <stddef.h>\n\n", module.name));
    push(
        &mut text,
        format_args!("#define FMU_TOKEN {}\n#define FMU_TOLERANCE {:e}\n", literal(token), interface.tolerance),
    );
    push(&mut text, format_args!("#define FMU_CHANGES {}\n", u8::from(interface.is_changing())));
    push(&mut text, format_args!("#define FMU_EXCHANGE {}\n", u8::from(exchanged.is_some())));
    push(
        &mut text,
        format_args!("/* In place of a rate: the state rests in this mode. */\n#define FMU_RESTS SIZE_MAX\n\n"),
    );
    push(
        &mut text,
        format_args!("/* A number that can be set, between these. */\ntypedef struct {{\n    const char *name;\n"),
    );
    push(&mut text, format_args!("    double low, high;\n    size_t place;\n}} fmu_input;\n\n"));
    let mut table = |kind: &str, name: &str, rows: Vec<String>, end: &str| {
        push(&mut text, format_args!("#define FMU_{} {}\n", name.to_uppercase(), rows.len()));
        push(&mut text, format_args!("static const {kind}fmu_{name}[] = {{\n"));
        rows.iter().for_each(|row| push(&mut text, format_args!("    {row},\n")));
        push(&mut text, format_args!("    {end}\n}};\n\n"));
    };
    table("fmu_input ", "parameters", inputs(protocol::PARAMETERS, &interface.parameters), "{NULL, 0, 0, 0}");
    table("fmu_input ", "controls", inputs(protocol::CONTROLS, &interface.controls), "{NULL, 0, 0, 0}");
    table("size_t ", "outputs", outputs, "0");
    table("int ", "output_is_word", words, "0");
    table("char *const ", "integrals", texts(&interface.integrals), "NULL");
    table("char *const ", "systems", texts(&interface.systems), "NULL");
    table("char *const ", "transitions", texts(&transitions), "NULL");
    table("char *const ", "claims", texts(&interface.claims), "NULL");
    let none = Exchange::default();
    let Exchange { states, rates, groups, slopes } = exchanged.unwrap_or(&none);
    let rate = |at: &Option<usize>| at.map_or("FMU_RESTS".to_string(), |at| place(protocol::RATES, at));
    let indicators = exchanged.iter().flat_map(|_| {
        let places = |array: &'static str| (0..length(module, array)).map(move |at| (array, at));
        places(protocol::GUARD_INDICATORS).chain(places(protocol::INDICATORS))
    });
    table("size_t ", "states", states.iter().map(|&at| place(protocol::STATES, at)).collect(), "0");
    table("size_t ", "rates", rates.iter().flatten().map(rate).collect(), "0");
    if let Some(Slopes { of, .. }) = slopes {
        let all = |array: &str, count: usize| (0..count).map(|at| place(&of(array), at)).collect();
        let rate = |at: &Option<usize>| at.map_or("FMU_RESTS".to_string(), |at| place(&of(protocol::RATES), at));
        table("size_t ", "parameter_slopes", all(protocol::PARAMETERS, interface.parameters.len()), "0");
        table("size_t ", "control_slopes", all(protocol::CONTROLS, interface.controls.len()), "0");
        table("size_t ", "output_slopes", all(protocol::OUTPUTS, interface.outputs.len()), "0");
        let places = states.iter().map(|&at| place(&of(protocol::STATES), at)).collect();
        table("size_t ", "state_slopes", places, "0");
        table("size_t ", "rate_slopes", rates.iter().flatten().map(rate).collect(), "0");
    }
    table("int ", "groups", groups.iter().map(usize::to_string).collect(), "0");
    table("size_t ", "indicators", indicators.map(|(array, at)| place(array, at)).collect(), "0");
    let first = 1 + interface.parameters.len() + interface.controls.len() + interface.outputs.len();
    let numbers = [
        ("FMU_FIRST_STATE", first.to_string()),
        ("FMU_FIRST_RATE", (first + states.len()).to_string()),
        ("FMU_FIRST_INDICATOR", (first + 2 * states.len()).to_string()),
        ("FMU_MODES", rates.len().to_string()),
    ];
    let places =
        [("FMU_MODE", protocol::MODE), ("FMU_NEXT", protocol::NEXT_INSTANT), ("FMU_STOPPED", protocol::IS_STOPPED)];
    let places = places.into_iter().filter(|(_, array)| module.find_array(array).is_some() && exchanged.is_some());
    if let Some(Slopes { function, .. }) = slopes {
        push(&mut text, format_args!("#define FMU_SLOPES {}_{function}\n", module.name));
    }
    for (name, value) in numbers.into_iter().chain(places.map(|(name, array)| (name, place(array, 0)))) {
        push(&mut text, format_args!("#define {name} {value}\n"));
    }
    text + "\n#endif\n"
}
