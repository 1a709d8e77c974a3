//! What a plan decides, scene by scene: what is integrated, which equations are differentiated, what is solved in which order.
//!
//! The views below speak of the scene, not of the data of the plan, so that they stay true where that is arranged otherwise.

use chapters::{Block, Scene};
use equations::{ConstraintId, System};
use plan::{EntryPlan, LawPlan, Plan, StartPlan};

#[test]
fn plans_are_those_of_the_chapters() {
    chapters::check(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chapters"), |block| {
        let (word, mode) = block.word.split_once(" in ").unwrap_or((block.word, ""));
        let mut scene = Scene::new(block.scene);
        let system = scene.system(mode)?;
        let plan = plan::classify(&system, &mut scene.diagnostics);
        if word == "diagnostics" {
            return Ok(scene.complaint());
        }
        let plan = plan.ok_or_else(|| scene.complaint())?;
        shown(&block, word, &system, &plan)
    });
}

/// What planning says of a scene: the codes of its messages.
fn codes(text: &str) -> Vec<&'static str> {
    let mut scene = Scene::new(text);
    let system = scene.system("").unwrap_or_else(|complaint| panic!("{complaint}"));
    plan::classify(&system, &mut scene.diagnostics);
    scene.diagnostics.sorted().iter().map(|diagnostic| diagnostic.code.0).collect()
}

#[test]
fn constraints_that_differ_by_rounding_do_not_contradict_one_another() {
    let positions = |by: f64| {
        codes(&format!(
            "body bob {{ position = (0, free, free); mass = 1 [kg] }}\nalways here: bob.position.y == 1 [m]\n\
             always there: bob.position.y == {} [m]",
            1.0 + by
        ))
    };
    assert_eq!((positions(1e-5), positions(1e-7)), (vec!["contradicting-constraints"], vec!["redundant-constraint"]));
    let velocities = |by: f64| {
        codes(&format!(
            "body bob {{ position = (0, free, free); mass = 1 [kg] }}\nalways here: bob.velocity.y == 1 [m/s]\n\
             always there: 2 * bob.velocity.y == {} [m/s]",
            2.0 + by
        ))
    };
    assert_eq!((velocities(1e-5), velocities(1e-7)), (vec!["contradicting-constraints"], vec!["redundant-constraint"]));
}

#[test]
fn values_that_differ_by_rounding_are_one_at_the_start() {
    let start = |by: f64| {
        codes(&format!(
            "x: [m]\ny: [m] = {} [m]\nlaw same {{ x == 1 [m] }}\nlaw other {{ y' == x * 1 [1/s] }}\ninitially x == {} [m]",
            1.0,
            1.0 + by
        ))
    };
    assert_eq!((start(1e-8), start(1e-10)), (vec!["contradicting-constraints"], vec![]));
}

fn shown(block: &Block<'_>, word: &str, system: &System, plan: &Plan) -> Result<String, String> {
    let laws =
        || system.has_laws().then_some(&plan.laws).ok_or(format!("no laws, so nothing to say of `{}`", block.word));
    let moves = !system.speeds.is_empty() || !system.has_laws();
    match word {
        "plan" => Ok(lines(&[
            ("degrees of freedom", moves.then(|| plan.freedoms.motion.to_string()).into_iter().collect()),
            ("free initial values", laws().map(|_| plan.freedoms.initial_values.to_string()).into_iter().collect()),
            ("integrated", integrated(system, plan)),
            ("differentiated once", differentiated(system, plan, 1)),
            ("differentiated twice", differentiated(system, plan, 2)),
            ("redundant", redundant(system, plan)),
        ])),
        "solved" => laws().map(solved),
        "known" => laws().map(known),
        "start" => laws().map(|laws| start(laws, &plan.start)),
        "entries" => laws().map(|laws| plan.entries.iter().map(|entry| after(laws, entry)).collect()),
        _ => Err("there is no such view".to_string()),
    }
}

/// One line for each heading with something to list.
fn lines(rows: &[(&str, Vec<String>)]) -> String {
    let line = |(heading, list): &(&str, Vec<String>)| format!("{heading}: {}\n", list.join(", "));
    rows.iter().filter(|(_, list)| !list.is_empty()).map(line).collect()
}

/// States: quantities, and those derivatives of them, that steps carry on.
fn integrated(system: &System, plan: &Plan) -> Vec<String> {
    let Plan { classes, laws, .. } = plan;
    let positions = classes.q1.iter().chain(&classes.q2).map(|id| system.coordinates[id.index()].name.clone());
    let speeds = classes.speeds2.iter().map(|id| system.speeds[id.index()].name.clone());
    let turns = laws.form.turns.iter().flat_map(|turn| &turn.coordinates).map(|it| it.name.clone());
    let orders = laws.changing().map(|at| (&laws.form.quantities[at], laws.orders[at]));
    let names = orders.flat_map(|(quantity, order)| (quantity.first()..order).map(|at| quantity.name_of(at)));
    positions.chain(speeds).chain(turns).chain(names).collect()
}

/// Equations that are solved in a differentiated form.
fn differentiated(system: &System, plan: &Plan, times: usize) -> Vec<String> {
    let classes = &plan.classes;
    let constraints: Vec<&ConstraintId> = match times {
        1 => classes.h1.iter().chain(&classes.n2).collect(),
        _ => classes.h2.iter().collect(),
    };
    // What kinematics keeps by itself needs no equation of its own.
    let constraints = constraints.into_iter().map(|id| &system.constraints[id.index()]);
    let constraints = constraints.filter(|it| it.multiplier.is_some()).map(|it| short(&it.label));
    let laws = plan.laws.rows.iter().filter(|row| row.times() == times).map(|row| short(&row.label));
    constraints.chain(laws).collect()
}

fn redundant(system: &System, plan: &Plan) -> Vec<String> {
    let constraints = plan.redundant.iter().map(|id| system.constraints[id.index()].label.clone());
    let laws = plan.laws.redundant.iter().map(|row| row.label.clone());
    constraints.chain(laws).collect()
}

/// The highest derivatives, in the order in which they are found.
fn solved(plan: &LawPlan) -> String {
    let block = |block: &plan::LeadingBlock| {
        let of = |&at: &usize| plan.form.quantities[at].name_of(plan.orders[at]);
        let unknowns: Vec<String> = block.quantities.iter().map(of).collect();
        let rows: Vec<String> = block.rows.iter().map(|&row| short(&plan.rows[row].label)).collect();
        let how = if block.linear { "" } else { ", by iteration" };
        format!("{} from {}{how}\n", sorted(unknowns).join(", "), sorted(rows).join(", "))
    };
    plan.blocks.iter().map(block).collect()
}

/// The author's name for an equation, without the equation.
fn short(label: &str) -> String {
    label.split(": ").next().unwrap_or(label).to_string()
}

/// What is replaced by a number, or by another quantity.
fn known(plan: &LawPlan) -> String {
    let row = |row: &equations::Replaced| format!("{} = {}\n", row.name, expr::print(&plan.form.arena, row.by));
    plan.form.replaced.iter().map(row).collect()
}

fn start(plan: &LawPlan, start: &StartPlan) -> String {
    let name = |symbol: &expr::SymbolId| plan.form.arena.symbol_name(*symbol).to_string();
    let said = |stated: bool| {
        let rows = start.assumed.iter().filter(move |row| row.stated == stated);
        rows.map(|row| format!("{} = {}", row.name, expr::print(&plan.form.arena, row.value))).collect()
    };
    let sought = start.blocks.iter().flat_map(|block| &block.unknowns).map(name);
    lines(&[("declared", said(true)), ("assumed", said(false)), ("sought", sorted(sought.collect()))])
}

/// After a transition: what keeps the value that it had, and what has to be found.
fn after(plan: &LawPlan, entry: &EntryPlan) -> String {
    let kept = entry.start.assumed.iter().map(|row| row.name.clone());
    let name = |symbol: &expr::SymbolId| plan.form.arena.symbol_name(*symbol).to_string();
    let sought = entry.start.blocks.iter().flat_map(|block| &block.unknowns).map(name);
    let rows = [("  kept", sorted(kept.collect())), ("  found", sorted(sought.collect()))];
    format!("{}\n{}", entry.name, lines(&rows))
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}
