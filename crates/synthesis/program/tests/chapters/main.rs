//! What programs compute, scene by scene, by their meaning: before optimisation and after it.

mod meaning;

use base::Random;
use chapters::{Block, Scene, Statement};
use expr::{Point, SymbolId};
use program::{Binding, Function, Level, Program};

#[test]
fn programs_compute_what_the_chapters_state() {
    chapters::check(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chapters"), |block| match block.word {
        "solved" => shown(block),
        _ => [Level::None, Level::Full]
            .into_iter()
            .try_for_each(|level| stated(block, level))
            .map(|()| block.text.into()),
    });
}

/// Relative to the size of what is stated.
const ROUNDING: f64 = 1e-8;

fn stated(block: Block<'_>, level: Level) -> Result<(), String> {
    let statements = Statement::all(block.text);
    let (program, mut state) = match block.word.split_once(' ') {
        None => started(block.scene, &statements, level)?,
        Some(("after", transition)) => after(block.scene, &statements, transition, level)?,
        _ => return Err("there is no such view".to_string()),
    };
    let arena = &program.arena;
    if block.word == "rates" {
        // Anywhere, not only at the start.
        let mut random = Random::new(7);
        let states = program.integrals.iter().flat_map(|it| &it.states).map(|state| state.symbol);
        state.extend(states.map(|symbol| (symbol, random.between(0.3, 1.1))));
        state.insert(program.time, 0.6);
        settle(&program, &mut state);
    }
    let sides = meaning::results(arena, &program.observe, &mut state.clone());
    let pairs: Vec<(f64, f64)> = match block.word {
        "rates" => {
            let rates = rates(&program, &state);
            let rate = |of: &str| rates.iter().find(|(name, _)| name == of).map(|&(_, rate)| rate);
            let found = statements.iter().map(|it| rate(&it.subject).ok_or(format!("`{}` is no state", it.subject)));
            found.collect::<Result<Vec<f64>, String>>()?.into_iter().zip(sides).collect()
        }
        _ => sides.chunks(2).map(|sides| (sides[0], sides[1])).collect(),
    };
    for (statement, (found, stated)) in statements.iter().zip(pairs) {
        let near = (found - stated).abs() <= ROUNDING * (1.0 + stated.abs());
        near.then_some(()).ok_or(format!("{}: it is {found}, not {stated}, {level:?}", statement.subject))?;
    }
    Ok(())
}

fn program(scene: &mut Scene, mode: &str, level: Level) -> Result<Program, String> {
    let system = scene.system(mode)?;
    let plan = plan::classify(&system, &mut scene.diagnostics).ok_or_else(|| scene.complaint())?;
    Ok(program::optimize(program::instantiate(&system, &plan), level).0)
}

/// A program at the start of its scene.
fn started(text: &str, statements: &[Statement], level: Level) -> Result<(Program, Point), String> {
    let program = program(&mut Scene::with(text, statements), "", level)?;
    let mut state = meaning::inputs(&program, 0.0);
    let found = meaning::results(&program.arena, &program.initialize, &mut state.clone());
    state.extend(program.started.iter().copied().zip(found));
    Ok((program, state))
}

/// The program of the next mode, after a transition that happens at the start.
fn after(text: &str, statements: &[Statement], name: &str, level: Level) -> Result<(Program, Point), String> {
    let (before, state) = started(text, &[], level)?;
    let mut scene = Scene::with(text, statements);
    let changes = before.changes.as_ref().ok_or("nothing changes")?;
    let change = changes.all.iter().find(|change| change.name == name).ok_or(format!("`{name}` cannot happen"))?;
    let given = meaning::results(&before.arena, &change.carry, &mut state.clone());
    let values = scene.model.iter().flat_map(|model| &model.modes).zip(&change.target);
    let target: Vec<String> = values.map(|(mode, &value)| mode.values[value].clone()).collect();
    let program = program(&mut scene, &target.join(" "), level)?;
    let changes = program.changes.as_ref().ok_or("nothing changes")?;
    let mut state = meaning::inputs(&program, 0.0);
    let states = program.integrals.iter().flat_map(|it| it.states.iter().chain(&it.followers)).map(|it| it.symbol);
    let states: Vec<SymbolId> = states.collect();
    let entry = changes.entries.iter().find(|entry| entry.number == change.number).ok_or("it leads elsewhere")?;
    let mut point = state.clone();
    point.extend(entry.function.inputs.symbols.iter().copied().zip(given));
    let found = meaning::results(&program.arena, &entry.function, &mut point);
    state.extend(states.into_iter().zip(found.into_iter().skip(changes.variables.len() + entry.stores.len())));
    Ok((program, state))
}

/// Moves states onto the constraints, and finds what follows from them.
fn settle(program: &Program, state: &mut Point) {
    for integral in &program.integrals {
        let mut apply = |function: &Option<Function>, symbols: Vec<SymbolId>| {
            let found = function.iter().flat_map(|it| meaning::results(&program.arena, it, &mut state.clone()));
            let found: Vec<f64> = found.collect();
            state.extend(symbols.into_iter().zip(found));
        };
        apply(&integral.stabilize, integral.states.iter().map(|it| it.symbol).collect());
        apply(&integral.follow, integral.followers.iter().map(|it| it.symbol).collect());
    }
}

fn rates(program: &Program, state: &Point) -> Vec<(String, f64)> {
    let rates = program.integrals.iter().flat_map(|integral| {
        let rates = meaning::results(&program.arena, &integral.derivative, &mut state.clone());
        integral.states.iter().map(|state| state.name.clone()).zip(rates)
    });
    rates.collect()
}

/// For each function that a run calls the systems that it solves: equations, and unknowns.
fn shown(block: Block<'_>) -> Result<String, String> {
    let program = program(&mut Scene::new(block.scene), "", Level::Full)?;
    let binding = |binding: &Binding| {
        let names = binding.unknowns().iter().map(|&it| program.arena.symbol_name(it).to_string());
        let how = if matches!(binding, Binding::Linear(_)) { "linear" } else { "nearest" };
        format!("{} {how} for {}", binding.equations(), names.collect::<Vec<_>>().join(", "))
    };
    let line = |function: &Function| {
        let solved: Vec<String> = function.body.iter().map(binding).collect();
        let solved = if solved.is_empty() { "nothing".to_string() } else { solved.join("; ") };
        format!("{}: {solved}\n", function.name)
    };
    let functions =
        program.integrals.iter().flat_map(|it| [Some(&it.derivative), it.stabilize.as_ref(), it.follow.as_ref()]);
    Ok(functions.flatten().map(line).collect())
}
