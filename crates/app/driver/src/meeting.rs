//! Contact as text: what may touch, by which geometry and which law, where that is said, and what is left out.

use std::collections::BTreeMap;
use std::fmt::Write;

use base::{Sources, counted};
use equations::{ContactPair, ContactSet, System};
use model::Apart;

use crate::pipeline::Stages;

/// A pile of a hundred has five thousand pairs, which nobody reads.
const MOST_PAIRS: usize = 100;

pub(crate) fn print(stages: &Stages, sources: &Sources) -> String {
    let Some(set) = &stages.system.contacts else {
        return "nothing touches: no `contact` statement speaks of two things with shapes\n".to_string();
    };
    let mut out = format!(
        "{}, {}\n",
        counted(set.things.len(), "thing with shapes", "things with shapes"),
        counted(set.pairs.len(), "pair that may touch", "pairs that may touch"),
    );
    for (at, thing) in set.things.iter().enumerate() {
        let _ = writeln!(
            out,
            "  {:<72} {}",
            format!("{}: {}", thing.name, solids(set, at).join(", ")),
            sources.locate(thing.span)
        );
    }
    out.push_str("\npairs\n");
    for pair in set.pairs.iter().take(MOST_PAIRS) {
        let _ = writeln!(out, "  {:<72} {}", law(&stages.system, set, pair), sources.locate(pair.span));
        for line in geometry(set, pair) {
            let _ = writeln!(out, "    {line}");
        }
    }
    if set.pairs.len() > MOST_PAIRS {
        let _ = writeln!(out, "  and {} more", set.pairs.len() - MOST_PAIRS);
    }
    left_out(stages, &mut out);
    time(stages, set, &mut out);
    out
}

fn solids(set: &ContactSet, thing: usize) -> Vec<&'static str> {
    set.shapes.iter().filter(|shape| shape.thing == thing).map(|shape| shape.solid).collect()
}

/// `ball, floor: restitution 0.8, friction mu, pair after pair`
fn law(system: &System, set: &ContactSet, pair: &ContactPair) -> String {
    let [a, b] = pair.things.map(|thing| set.things[thing].name.as_str());
    let number = |value| expr::print(&system.arena, value);
    let order = if pair.together { "together" } else { "pair after pair" };
    format!("{a}, {b}: restitution {}, friction {}, {order}", number(pair.restitution), number(pair.friction))
}

/// How gaps of the shapes are found: a line for each two kinds of solids.
fn geometry(set: &ContactSet, pair: &ContactPair) -> Vec<String> {
    let [first, second] = pair.things.map(|thing| solids(set, thing));
    let kinds = first.iter().flat_map(|&a| second.iter().map(move |&b| (a, b)));
    let mut lines = BTreeMap::new();
    for (at, (a, b)) in kinds.enumerate() {
        let how = lower::how_they_touch(a, b).unwrap_or("not known");
        lines.entry((a, b)).or_insert((at, format!("{a} and {b}: {how}")));
    }
    let mut lines: Vec<(usize, String)> = lines.into_values().collect();
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

fn left_out(stages: &Stages, out: &mut String) {
    let list = stages.model.contacts.as_ref().map_or(&[][..], |contacts| &contacts.left_out);
    if list.is_empty() {
        return;
    }
    out.push_str("\nleft out\n");
    for ([a, b], apart) in list.iter().take(MOST_PAIRS) {
        let _ = writeln!(out, "  {a}, {b}: {}", apart.words());
    }
    if list.len() > MOST_PAIRS {
        let _ = writeln!(out, "  and {} more", list.len() - MOST_PAIRS);
    }
    if list.iter().any(|(_, apart)| *apart == Apart::Held) {
        out.push_str("  (what a joint holds touches if a statement names both)\n");
    }
}

/// Whether events are located or gathered in steps, and for how many points there is room.
fn time(stages: &Stages, set: &ContactSet, out: &mut String) {
    let _ = match set.step {
        Some(step) => {
            writeln!(out, "\nimpacts and forces are gathered in steps of {} s", expr::print(&stages.system.arena, step))
        }
        None => writeln!(out, "\neach impact, slip and rest is located by itself"),
    };
    let points = stages.program.contacts.as_ref().map_or(0, lower::most_points_of);
    let _ = writeln!(out, "room for {}", counted(points, "point at once", "points at once"));
}
