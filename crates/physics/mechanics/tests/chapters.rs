//! The equations of small scenes are those that one writes by hand. How the compiler spells them does not matter.

use chapters::{Block, Scene, Statement, same_equation, same_value};
use equations::{Level, System, Transition};
use expr::Expr;

#[test]
fn equations_are_those_of_the_chapters() {
    chapters::check(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chapters"), checked);
}

fn checked(block: Block<'_>) -> Result<String, String> {
    let (word, mode) = block.word.split_once(" in ").unwrap_or((block.word, ""));
    let stated = !["diagnostics", "unknowns"].contains(&word);
    let statements = if stated { Statement::all(block.text) } else { Vec::new() };
    let mut scene = Scene::with(block.scene, &statements);
    let system = scene.system(mode);
    if word == "diagnostics" {
        return Ok(scene.complaint());
    }
    let system = system?;
    if word == "unknowns" {
        return Ok(unknowns(&system));
    }
    let found = found(&system, word)?;
    let sides = scene.sides(&system);
    let names: Vec<&str> = statements.iter().map(|statement| statement.subject.as_str()).collect();
    // A law in braces is labelled with its equation.
    let all: Vec<&str> = found.iter().map(|(name, _)| name.split(": ").next().unwrap_or(name)).collect();
    if names != all {
        return Err(format!("there are {all:?}"));
    }
    for ((name, found), side) in found.into_iter().zip(sides) {
        let same = match word {
            "energy" => same_value(&system.arena, found, side),
            _ => same_equation(&system.arena, found, side),
        };
        same.map_err(|reason| format!("{name}: {reason}"))?;
    }
    Ok(block.text.to_string())
}

/// What chapters state of a system: names, and residuals or values.
fn found(system: &System, word: &str) -> Result<Vec<(String, Expr)>, String> {
    let at = |level: Level| {
        let rows = system.constraints_at(level).into_iter();
        rows.map(|(id, residual)| (system.constraints[id.index()].label.clone(), residual)).collect()
    };
    Ok(match word {
        // Forces of constraints are theirs, and no unknown that a scene can speak of.
        "motion" => {
            let forces = system.multiplier_symbols().into_iter();
            let none = forces.map(|force| (system.arena.symbol(force), system.arena.zero()));
            let mut without = expr::Substitution::new(none);
            let residual = |residual| without.apply(&system.arena, residual);
            let residuals: Vec<Expr> = system.motion.iter().map(|row| row.residual).map(residual).collect();
            system.speeds.iter().map(|speed| speed.name.clone()).zip(residuals).collect()
        }
        "positions" => at(Level::Position),
        "velocities" => at(Level::Velocity),
        "accelerations" => at(Level::Acceleration),
        "laws" => system.laws.iter().map(|law| (law.label.clone(), law.residual)).collect(),
        "start" => system.initial.iter().map(|start| (start.label.clone(), start.residual)).collect(),
        "energy" => {
            vec![("kinetic".to_string(), system.energy.kinetic), ("potential".to_string(), system.energy.potential)]
        }
        "guards" => margins(system, |transition| transition.margin),
        "rates of guards" => margins(system, |transition| transition.slope),
        _ => return Err("there is no such view".to_string()),
    })
}

fn margins(system: &System, of: impl Fn(&Transition) -> Expr) -> Vec<(String, Expr)> {
    system.automaton.transitions.iter().map(|transition| (transition.name.clone(), of(transition))).collect()
}

fn unknowns(system: &System) -> String {
    let coordinates = system.coordinates.iter().map(|it| (&it.name, it.dimension));
    let variables = system.variables.iter().map(|it| (&it.name, it.dimension));
    coordinates.chain(variables).map(|(name, dimension)| format!("{name} [{}]\n", dimension.unit())).collect()
}
