//! The derived equations, typeset, with what each speaks of.

use base::Sources;
use equations::{System, typeset_equations};
use expr::{Expr, SymbolId};
use rustc_hash::FxHashMap;

use super::id;
use super::place::Places;
use crate::protocol::{Definition, Equation, Equations};

pub fn equations(system: &System, sources: &Sources) -> Equations {
    let places = Places::of_scene(sources);
    let ids = symbol_ids(system);
    let (typeset, rows) = typeset_equations(system);
    let names: FxHashMap<Expr, String> =
        typeset.definitions.iter().map(|(name, part, _)| (*part, format!("definition:{name}"))).collect();
    // Definitions are mentioned by name; what they stand for is not looked into.
    let mentions = |root: Expr| {
        let reached = system.arena.reachable_until(&[root], |node| node != root && names.contains_key(&node));
        let mention = |node: Expr| match names.get(&node) {
            Some(name) if node != root => Some(name.clone()),
            _ => system.arena.as_symbol(node).and_then(|symbol| ids.get(&symbol).cloned()),
        };
        let mut list: Vec<String> = reached.into_iter().filter_map(mention).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let definitions = typeset.definitions.iter().map(|(name, part, latex)| Definition {
        name: name.clone(),
        latex: format!("{} = {latex}", expr::latex_name(name)),
        mentions: mentions(*part),
    });
    let list = rows.into_iter().zip(&typeset.lines).enumerate().map(|(at, (row, latex))| {
        let mut mentions = mentions(row.residual);
        let own = match row.role {
            "equations of motion" => row.label.strip_prefix("motion of ").map(id::coordinate),
            "at the start" => Some(format!("initial:{}", equations::split_label(&row.label).0)),
            _ => Some(id::constraint(&row.label)),
        };
        if let Some(own) = own {
            mentions.retain(|mention| *mention != own);
            mentions.insert(0, own);
        }
        Equation {
            id: format!("equation:{at}"),
            role: row.role,
            label: row.label,
            latex: format!("{latex} = 0"),
            mentions,
            span: places.span(row.span),
        }
    });
    Equations { list: list.collect(), definitions: definitions.collect() }
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
