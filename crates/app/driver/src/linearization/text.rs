//! A linearisation to read, and for other programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Linearization, Matrix, Mode, Motion, Quantity, Regulator, Transfer};

/// Larger matrices are for other programs.
const WIDEST: usize = 12;

pub fn linearization_text(found: &Linearization) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}, linearised {}", found.scene, place(found));
    point(found, &mut text);
    if !found.touching.is_empty() {
        let _ = writeln!(text, "touching, and taken to go on as they do: {}", found.touching.join(", "));
    }
    let _ = writeln!(text, "\nx' = A x + B u, y = C x + D u, in SI units, for small changes from there");
    let (x, u) = (names("x", &found.states), names("u", &found.inputs));
    let y = names("y", &found.outputs);
    legend("states", &x, &found.states, &mut text);
    legend("inputs", &u, &found.inputs, &mut text);
    legend("outputs", &y, &found.outputs, &mut text);
    for (name, matrix, rows, columns) in
        [("A", &found.a, &x, &x), ("B", &found.b, &x, &u), ("C", &found.c, &y, &x), ("D", &found.d, &y, &u)]
    {
        table(name, matrix, rows, columns, &mut text);
    }
    let _ = writeln!(text, "\nmodes");
    for row in columns(&found.modes.iter().map(|mode| mode_row(mode, &found.states)).collect::<Vec<_>>()) {
        let _ = writeln!(text, "  {row}");
    }
    let unstable = found.modes.iter().filter(|mode| mode.real > 0.0).count();
    if unstable > 0 && found.motion != Motion::Passing {
        let _ = writeln!(text, "  unstable: {unstable} of these grow{}", if unstable == 1 { "s" } else { "" });
    }
    text
}

/// The gain, with the names of the model, and the modes of the closed loop.
pub fn regulator_text(found: &Linearization, regulator: &Regulator) -> String {
    let mut text = String::from("\nregulator u = -K x of least cost, for x and u as changes from there\n");
    table("K", &regulator.k, &names("u", &found.inputs), &names("x", &found.states), &mut text);
    let _ = writeln!(text, "modes of the closed loop");
    for row in columns(&regulator.modes.iter().map(|mode| mode_row(mode, &found.states)).collect::<Vec<_>>()) {
        let _ = writeln!(text, "  {row}");
    }
    text
}

pub fn regulator_json(regulator: &Regulator) -> Value {
    let poles = regulator.modes.iter().flat_map(|mode| {
        let pair = [(mode.real, mode.imaginary), (mode.real, -mode.imaginary)];
        pair.into_iter().take(if mode.imaginary > 0.0 { 2 } else { 1 })
    });
    let poles: Vec<Value> = poles.map(|(real, imaginary)| json!([real, imaginary])).collect();
    json!({ "K": regulator.k, "S": regulator.s, "E": poles })
}

/// `y1/u1 = 2 (s + 3) / (s^2 + 2 s + 5)`, factor by factor, and as polynomials.
pub fn transfer_text(found: &Linearization, transfers: &[Transfer]) -> String {
    let mut text = String::from("\ntransfer functions\n");
    for transfer in transfers {
        let [output, input] = [&found.outputs[transfer.output], &found.inputs[transfer.input]];
        let (top, bottom) = transfer.polynomials();
        let _ = writeln!(text, "  {} / {} = ({}) / ({})", output.name, input.name, sum(&top), sum(&bottom));
        for (what, roots) in [("zeros", &transfer.zeros), ("poles", &transfer.poles)] {
            let roots: Vec<String> = roots.iter().filter(|(_, im)| *im >= 0.0).map(|&root| root_text(root)).collect();
            if !roots.is_empty() {
                let _ = writeln!(text, "    {what}: {}", roots.join(", "));
            }
        }
    }
    text
}

fn root_text((real, imaginary): (f64, f64)) -> String {
    match imaginary {
        0.0 => number(real),
        imaginary => format!("{} ± {} i", number(real), number(imaginary)),
    }
}

/// A polynomial of s, without what is zero.
fn sum(factors: &[f64]) -> String {
    let degree = factors.len() - 1;
    let mut text = String::new();
    for (at, &factor) in factors.iter().enumerate() {
        let value = number(factor.abs());
        if value == "0" {
            continue;
        }
        text.push_str(match (text.is_empty(), factor < 0.0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        let power = match degree - at {
            0 => String::new(),
            1 => "s".to_string(),
            power => format!("s^{power}"),
        };
        match (value.as_str(), power.is_empty()) {
            ("1", false) => text.push_str(&power),
            (_, true) => text.push_str(&value),
            (_, false) => text.push_str(&format!("{value} {power}")),
        }
    }
    if text.is_empty() { "0".to_string() } else { text }
}

pub fn transfer_json(found: &Linearization, transfers: &[Transfer]) -> Value {
    let roots = |roots: &[(f64, f64)]| -> Vec<Value> { roots.iter().map(|&(re, im)| json!([re, im])).collect() };
    let one = |transfer: &Transfer| {
        let (top, bottom) = transfer.polynomials();
        json!({
            "output": found.outputs[transfer.output].name,
            "input": found.inputs[transfer.input].name,
            "gain": transfer.gain,
            "zeros": roots(&transfer.zeros),
            "poles": roots(&transfer.poles),
            "numerator": top,
            "denominator": bottom,
        })
    };
    Value::Array(transfers.iter().map(one).collect())
}

/// Where it is, and what that means.
fn place(found: &Linearization) -> String {
    let at = match (found.steps, found.motion) {
        (None, motion) if let Some(t) = found.time => {
            let what = match motion {
                Motion::Rest => ", where it rests",
                Motion::Steady => ", where it moves steadily",
                Motion::Passing => "",
            };
            format!("at t = {} s{what}", number(t))
        }
        (Some(1), _) => "at an equilibrium, found from the start in one step".to_string(),
        (Some(steps), _) => format!("at an equilibrium, found from the start in {steps} steps"),
        (None, Motion::Rest) => "at its start, which is an equilibrium".to_string(),
        (None, Motion::Steady) => "at its start, which is a steady motion".to_string(),
        (None, Motion::Passing) => "at its start".to_string(),
    };
    let passing = match found.motion {
        Motion::Passing => {
            "\nnote: this is neither an equilibrium nor a steady motion; the model holds for an instant, and its modes \
             tell nothing of stability"
        }
        _ => "",
    };
    let driven = match (found.driven, found.time) {
        (false, _) => "",
        (true, None) => "\nnote: the scene is driven by the time; this is t = 0",
        (true, Some(_)) => "\nnote: the scene is driven by the time, and held at this one here",
    };
    format!("{at}{passing}{driven}")
}

/// The state itself, and nothing more.
pub fn equilibrium_text(found: &Linearization) -> String {
    let mut text = format!("{} {}\n", found.scene, place(found));
    point(found, &mut text);
    text
}

/// The state itself.
fn point(found: &Linearization, text: &mut String) {
    let row = |state: &Quantity, follows: bool| {
        let unit = state.unit.as_deref().unwrap_or("");
        let mut remark = String::new();
        if follows {
            remark.push_str("follows from the others");
        } else if found.motion != Motion::Rest && state.rate != 0.0 {
            let _ = write!(remark, "changes by {} {unit}/s", number(state.rate));
        }
        vec![state.name.clone(), format!("{} {unit}", number(state.value)), remark]
    };
    let states = found.states.iter().map(|state| row(state, false));
    let rows: Vec<Vec<String>> = states.chain(found.dependent.iter().map(|state| row(state, true))).collect();
    for row in columns(&rows) {
        let _ = writeln!(text, "  {row}");
    }
}

fn names(letter: &str, quantities: &[Quantity]) -> Vec<String> {
    (1..=quantities.len()).map(|at| format!("{letter}{at}")).collect()
}

fn legend(what: &str, short: &[String], quantities: &[Quantity], text: &mut String) {
    let list: Vec<String> =
        short.iter().zip(quantities).map(|(short, long)| format!("{short} = {}", long.name)).collect();
    if !list.is_empty() {
        let _ = writeln!(text, "{what}: {}", list.join(", "));
    }
}

fn table(name: &str, matrix: &Matrix, rows: &[String], heads: &[String], text: &mut String) {
    if rows.is_empty() || heads.is_empty() {
        return;
    }
    if heads.len() > WIDEST || rows.len() > 2 * WIDEST {
        let _ = writeln!(text, "{name} is {} by {}; `--json` has its entries", rows.len(), heads.len());
        return;
    }
    let mut cells = vec![[std::slice::from_ref(&name.to_string()), heads].concat()];
    for (row, entries) in rows.iter().zip(matrix) {
        let entries: Vec<String> = entries.iter().map(|&entry| number(entry)).collect();
        cells.push([std::slice::from_ref(row), &entries].concat());
    }
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=heads.len()).map(width).collect();
    for row in &cells {
        let line: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
        let _ = writeln!(text, "  {}", line.join("  "));
    }
}

/// `-0.5 ± 3.1 i`, how fast and how damped, and what moves.
fn mode_row(mode: &Mode, states: &[Quantity]) -> Vec<String> {
    let Mode { real, imaginary, shares } = mode;
    let root = match *imaginary {
        0.0 => number(*real),
        imaginary if *real == 0.0 => format!("± {} i", number(imaginary)),
        imaginary => format!("{} ± {} i", number(*real), number(imaginary)),
    };
    let pace = match (*real, *imaginary) {
        (0.0, 0.0) => "neither grows nor dies away".to_string(),
        (real, 0.0) if real < 0.0 => format!("dies away within {} s", number(-1.0 / real)),
        (real, 0.0) => format!("grows within {} s", number(1.0 / real)),
        (_, imaginary) => format!("{} Hz", number(frequency(imaginary))),
    };
    let damping = match damping(mode) {
        Some(damping) => format!("damping {}", number(damping)),
        None => String::new(),
    };
    let moved: Vec<String> =
        shares.iter().map(|&(at, share)| format!("{} {:.0} %", states[at].name, 100.0 * share)).collect();
    vec![root, pace, damping, moved.join(", ")]
}

fn frequency(imaginary: f64) -> f64 {
    imaginary / (2.0 * std::f64::consts::PI)
}

/// The part of critical damping, for what oscillates.
fn damping(mode: &Mode) -> Option<f64> {
    let size = (mode.real * mode.real + mode.imaginary * mode.imaginary).sqrt();
    (mode.imaginary > 0.0).then(|| -mode.real / size)
}

/// Left-aligned columns.
fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        cells.join("   ").trim_end().to_string()
    };
    rows.iter().map(line).collect()
}

/// Six digits; what is left of zero after rounding is zero.
fn number(value: f64) -> String {
    if value == 0.0 || value.abs() < 1e-14 {
        return "0".to_string();
    }
    if (1e-3..1e6).contains(&value.abs()) {
        let text = format!("{value:.*}", (6 - value.abs().log10_floor()).clamp(0, 9) as usize);
        return if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text };
    }
    format!("{value:.5e}")
}

trait Digits {
    /// The power of ten of the first digit.
    fn log10_floor(self) -> i32;
}

impl Digits for f64 {
    fn log10_floor(self) -> i32 {
        let text = format!("{self:e}");
        text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0)
    }
}

pub fn linearization_json(found: &Linearization) -> Value {
    let quantities = |list: &[Quantity]| -> Vec<Value> {
        list.iter().map(|one| json!({ "name": one.name, "unit": one.unit, "value": one.value })).collect()
    };
    let states: Vec<Value> = found
        .states
        .iter()
        .map(|state| json!({ "name": state.name, "unit": state.unit, "value": state.value, "rate": state.rate }))
        .collect();
    let mode = |mode: &Mode| {
        let moves: Vec<Value> =
            mode.shares.iter().map(|&(at, share)| json!({ "state": found.states[at].name, "share": share })).collect();
        json!({
            "real": mode.real,
            "imaginary": mode.imaginary,
            "frequency": (mode.imaginary > 0.0).then(|| frequency(mode.imaginary)),
            "damping": damping(mode),
            "moves": moves,
        })
    };
    let motion = match found.motion {
        Motion::Rest => "rest",
        Motion::Steady => "steady",
        Motion::Passing => "passing",
    };
    json!({
        "scene": found.scene,
        "at": match (found.steps, found.time) {
            (Some(_), _) => json!("equilibrium"),
            (None, None) => json!("initial"),
            (None, Some(t)) => json!(t),
        },
        "motion": motion,
        "driven": found.driven,
        "states": states,
        "dependent": quantities(&found.dependent),
        "inputs": quantities(&found.inputs),
        "outputs": quantities(&found.outputs),
        "A": found.a,
        "B": found.b,
        "C": found.c,
        "D": found.d,
        "modes": found.modes.iter().map(mode).collect::<Vec<_>>(),
    })
}
