//! The plan of laws as text.

use std::fmt::Write;

use base::counted;
use equations::{Role, split_label};
use expr::{Arena, Expr};

use super::{Assumed, LawPlan, LeadingBlock};
use crate::plan::Plan;

pub fn print(plan: &Plan) -> String {
    let mut out = String::new();
    let (plan, start) = (&plan.laws, &plan.start);
    let form = &plan.form;
    let changing = plan.changing().count();
    let _ = writeln!(
        out,
        "{}, {}",
        counted(changing, "unknown", "unknowns"),
        counted(plan.rows.len(), "equation", "equations")
    );
    section(&mut out, "known beforehand, or by another name", replaced(plan));
    section(&mut out, "states", states(plan));
    let deepest = plan.rows.iter().map(|row| row.times()).max().unwrap_or(0);
    for times in 1..=deepest {
        let rows = plan.rows.iter().filter(|row| row.times() == times).map(|row| row.label.clone()).collect();
        section(&mut out, &format!("differentiated {}", how_often(times)), grouped_labels(rows));
    }
    section(&mut out, "follow from the others", plan.redundant.iter().map(|row| row.label.clone()).collect());
    section(&mut out, "solved for, in this order", plan.blocks.iter().map(|block| block_text(plan, block)).collect());
    let turning = form.turns.iter().flat_map(|turn| &turn.coordinates).map(|coordinate| coordinate.name.clone());
    section(&mut out, "turn with", grouped(turning.collect()));
    section(&mut out, "assumed at the start", assumptions(&form.arena, &start.assumed.iter().collect::<Vec<_>>()));
    out
}

/// Assumptions on the start in the user's words: `p3.momentum = (0, 0, 0)`.
pub fn assumptions(arena: &Arena, mut rest: &[&Assumed]) -> Vec<String> {
    let text = |value: Expr| expr::print(arena, value);
    let mut lines = Vec::new();
    while let Some(first) = rest.first() {
        let whole = stem(&first.name);
        let alike = rest.iter().take_while(|row| whole.is_some() && stem(&row.name) == whole).count();
        if let (Some(whole), 2..) = (whole, alike) {
            let values: Vec<String> = rest[..alike].iter().map(|row| text(row.value)).collect();
            lines.push(format!("{whole} = ({})", values.join(", ")));
            rest = &rest[alike..];
        } else {
            lines.push(format!("{} = {}", first.name, text(first.value)));
            rest = &rest[1..];
        }
    }
    lines
}

fn section(out: &mut String, title: &str, members: Vec<String>) {
    if members.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}: {}", members.len());
    for member in members {
        let _ = writeln!(out, "      {member}");
    }
}

fn how_often(times: usize) -> String {
    match times {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        times => format!("{times} times"),
    }
}

fn replaced(plan: &LawPlan) -> Vec<String> {
    let by = |value: Expr| expr::print(&plan.form.arena, value);
    plan.form.replaced.iter().map(|replaced| format!("{} = {}", replaced.name, by(replaced.by))).collect()
}

/// Names of states, vectors as wholes.
fn states(plan: &LawPlan) -> Vec<String> {
    let form = &plan.form;
    let mut names = Vec::new();
    let highest = plan.orders.iter().copied().max().unwrap_or(0);
    for order in 0..=highest {
        let here = form.quantities.iter().enumerate().filter(|&(at, quantity)| match quantity.role {
            Role::Constant => order == 0,
            _ => (quantity.first()..plan.orders[at]).contains(&order),
        });
        let here: Vec<String> = here.map(|(_, quantity)| quantity.name.clone()).collect();
        let primes = "'".repeat(order);
        names.extend(grouped(here).into_iter().map(|name| format!("{name}{primes}")));
    }
    names
}

fn block_text(plan: &LawPlan, block: &LeadingBlock) -> String {
    const FEW: usize = 8;
    let unknowns = block.quantities.iter().map(|&at| plan.form.quantities[at].name_of(plan.orders[at]));
    let few = |names: Vec<String>| {
        let names = grouped(names);
        let more = names.len().saturating_sub(FEW);
        let shown = names.into_iter().take(FEW).collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{shown}, {more} more") } else { shown }
    };
    let unknowns = few(unknowns.collect());
    let rows = few(grouped_labels(block.rows.iter().map(|&row| plan.rows[row].label.clone()).collect()));
    match (block.rows.len(), block.linear) {
        (1, true) => format!("{unknowns} from {rows}"),
        (size, true) => format!("{unknowns} from {rows}: {size} linear equations"),
        (1, false) => format!("{unknowns} from {rows}, by iteration"),
        (size, false) => format!("{unknowns} from {rows}: {size} equations, by iteration"),
    }
}

/// `p.x`, `p.y`, `p.z` in a row become `p`; names that stand alone stay.
pub(super) fn grouped(names: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while at < names.len() {
        let whole = stem(&names[at]);
        let alike = names[at..].iter().take_while(|name| whole.is_some() && stem(name) == whole).count();
        match whole {
            Some(whole) if alike > 1 => found.push(whole),
            _ => found.push(names[at].clone()),
        }
        at += alike.max(1);
    }
    found
}

/// `p.x'` is a component of `p'`.
fn stem(name: &str) -> Option<String> {
    let plain = name.trim_end_matches('\'');
    let (whole, component) = plain.rsplit_once('.')?;
    let is_component = ["w", "x", "y", "z"].contains(&component)
        || component.len() == 2 && component.chars().all(|digit| "xyz123".contains(digit));
    is_component.then(|| format!("{whole}{}", &name[plain.len()..]))
}

/// The components of a statement become the statement.
fn grouped_labels(labels: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for label in labels {
        let statement = split_label(&label).0.to_string();
        if found.last() != Some(&statement) {
            found.push(statement);
        }
    }
    found
}
