//! The derived equations, typeset, with what each speaks of.

use base::Sources;
use equations::{Board, BoardRow, Form, System, print_board, remarks};
use expr::{Formula, Notation, SymbolId};
use rustc_hash::FxHashMap;

use super::id;
use super::place::Places;
use crate::protocol::{Copy, Definition, Equation, Equations, Letter, OtherForm};

/// Scenes with more equations than a board has room for come in one form only, so that they come soon.
const MOST_IN_ALL_FORMS: usize = 24;

pub fn equations(system: &System, sources: &Sources) -> Equations {
    let usual = in_form(system, sources, Form::Lagrangian, "");
    let has_room = usual.list.len() <= MOST_IN_ALL_FORMS;
    let others = Form::NAMED.iter().filter(|(_, form)| *form != Form::Lagrangian && has_room);
    let other = |&(name, form): &(&'static str, Form)| OtherForm {
        name,
        equations: in_form(system, sources, form, &format!("{name}:")),
    };
    Equations { others: others.map(other).collect(), ..usual }
}

/// One form; the prefix keeps its ids apart from those of others.
fn in_form(system: &System, sources: &Sources, form: Form, prefix: &str) -> Equations {
    let places = Places::of_scene(sources);
    let ids = symbol_ids(system);
    let board = Board::new(system, form);
    let named = |symbols: &[SymbolId], parts: Vec<usize>| {
        let mut list: Vec<String> = symbols.iter().filter_map(|symbol| ids.get(symbol).cloned()).collect();
        list.extend(parts.into_iter().map(|part| definition_id(prefix, part)));
        list.sort_unstable();
        list.dedup();
        list
    };
    let definitions = board.parts.iter().enumerate().map(|(at, part)| Definition {
        id: definition_id(prefix, at),
        name: format!("k{}", at + 1),
        latex: board.marked(&Formula::Part(at), &part.formula),
        value: board.marked_part(at),
        mentions: named(&part.symbols, part.formula.parts()),
    });
    let list = board.rows.iter().enumerate().map(|(at, row)| {
        let mut mentions = named(&row.symbols, row.left.parts());
        if let Some(own) = own_id(row) {
            mentions.retain(|mention| *mention != own);
            mentions.insert(0, own);
        }
        Equation {
            id: format!("equation:{prefix}{at}"),
            role: row.role,
            label: row.label.clone(),
            latex: board.marked(&row.left, &row.right),
            copies: copies(|notation| board.equation(row, notation)),
            remarks: remarks(&board, row),
            mentions,
            span: places.span(row.span),
        }
    });
    let legend = board.legend(Notation::Latex).into_iter().map(|(latex, word)| Letter { latex, word });
    Equations {
        definitions: definitions.collect(),
        list: list.collect(),
        legend: legend.collect(),
        copies: copies(|notation| print_board(&board, notation, sources)),
        others: Vec::new(),
    }
}

fn definition_id(prefix: &str, at: usize) -> String {
    format!("definition:{prefix}k{}", at + 1)
}

/// The notations for other programs.
fn copies(text: impl Fn(Notation) -> String) -> Vec<Copy> {
    let others = Notation::NAMED.iter().filter(|(_, notation)| *notation != Notation::Text);
    others.map(|&(name, notation)| Copy { notation: name, text: text(notation) }).collect()
}

/// What the equation is about, first of all.
fn own_id(row: &BoardRow) -> Option<String> {
    let about = |start: &str| row.label.strip_prefix(start).map(id::coordinate);
    match row.role {
        "equations of motion" | "rates of the states" => about("motion of ").or_else(|| about("rate of ")),
        "at the start" => Some(format!("initial:{}", equations::split_label(&row.label).0)),
        "energies" | "kinematics" | "Newton and Euler, body by body" | "reactions do no work" => None,
        _ => Some(id::constraint(&row.label)),
    }
}

/// What each symbol stands for in the scene.
fn symbol_ids(system: &System) -> FxHashMap<SymbolId, String> {
    let mut ids = FxHashMap::default();
    for parameter in &system.parameters {
        ids.insert(parameter.symbol, format!("parameter:{}", parameter.name));
    }
    for control in &system.controls {
        ids.insert(control.symbol, format!("control:{}", control.name));
    }
    for coordinate in &system.coordinates {
        ids.insert(coordinate.symbol, id::coordinate(&coordinate.name));
    }
    for variable in &system.variables {
        ids.insert(variable.symbol, id::coordinate(&variable.name));
    }
    for speed in &system.speeds {
        ids.insert(speed.symbol, id::coordinate(&speed.name));
        ids.insert(speed.acceleration, id::coordinate(&speed.name));
    }
    for constraint in &system.constraints {
        ids.extend(constraint.multiplier.map(|symbol| (symbol, id::constraint(&constraint.label))));
    }
    ids
}
