//! Whole kernels, run by the interpreter: after some time, what the chapters state of a scene is true. No machine code is made.

use chapters::{Block, Scene, Statement};
use kernel::{Interpreter, Machine, Module, protocol};
use lower::{Automaton, Method, Mode, Options};
use program::{Level, Program, Solver};

/// Of the integration.
const TOLERANCE: f64 = 1e-9;
/// Of what is stated, relative to its size: errors of some hundred steps add up.
const ALLOWED: f64 = 1e-6;

#[test]
fn kernels_compute_what_the_chapters_state() {
    chapters::check(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chapters"), checked);
}

/// Blocks are marked `after 2`, in seconds; each line of theirs is true then, by explicit and by implicit steps.
fn checked(block: Block<'_>) -> Result<String, String> {
    let until = block.word.strip_prefix("after ").and_then(|time| time.parse::<f64>().ok());
    let until = until.ok_or("blocks are marked `after` and a time")?;
    let statements = Statement::all(block.text);
    for (solver, level) in
        [(Solver::Explicit, Level::Full), (Solver::Explicit, Level::None), (Solver::Implicit, Level::Full)]
    {
        let mut scene = Scene::with(block.scene, &statements);
        let module = module(&mut scene, solver, level)?;
        let values = run(&module, until)?;
        for (statement, sides) in statements.iter().zip(values.chunks(2)) {
            let &[left, right] = sides else { return Err("a line has two sides".to_string()) };
            if (left - right).abs() > ALLOWED * (1.0 + right.abs()) {
                return Err(format!("{}: it is {left}, not {right}, {solver:?}, {level:?}", statement.subject));
            }
        }
    }
    Ok(block.text.to_string())
}

/// The kernel of a scene; of one with transitions all its modes side by side, and the executive between them.
fn module(scene: &mut Scene, solver: Solver, level: Level) -> Result<Module, String> {
    let model = scene.model.clone().ok_or_else(|| scene.complaint())?;
    let mut values: Vec<Vec<usize>> = match &model.modes[..] {
        [] => vec![Vec::new()],
        [mode] => (0..mode.values.len()).map(|value| vec![value]).collect(),
        _ => return Err("chapters have one mode at most".to_string()),
    };
    values.sort_by_key(|value| value.first() != model.modes.first().map(|mode| &mode.start));
    let label = |value: &Vec<usize>| value.first().map_or("flow".to_string(), |&at| model.modes[0].values[at].clone());
    let parts = values.iter().map(|value| mode(scene, &label(value), solver, level));
    let parts = parts.collect::<Result<Vec<(Program, Module)>, String>>()?;
    let module = match model.transitions.is_empty() {
        true => parts[0].1.clone(),
        false => lower::lower_executive(&Automaton {
            name: &model.name,
            modes: (parts.iter().zip(&values))
                .map(|((program, module), values)| Mode { label: label(values), values, program, module })
                .collect(),
            is_open: false,
            directions: 0,
            goals: 0,
            mode_names: model.modes.iter().map(|mode| mode.name.clone()).collect(),
            transitions: model.transitions.iter().map(|transition| transition.name.clone()).collect(),
            claims: Vec::new(),
            conditions: 0,
            dues: Vec::new(),
            stops: Vec::new(),
            events: kernel::protocol::EVENTS,
        }),
    };
    kernel::verify(&module).map_err(|faults| faults[0].to_string())?;
    Ok(module)
}

fn mode(scene: &mut Scene, value: &str, solver: Solver, level: Level) -> Result<(Program, Module), String> {
    let system = scene.system(if value == "flow" { "" } else { value })?;
    let plan = plan::classify(&system, &mut scene.diagnostics).ok_or_else(|| scene.complaint())?;
    let (mut program, _) = program::optimize(program::instantiate(&system, &plan), level);
    program.integrals.iter_mut().for_each(|integral| integral.solver = solver);
    let options = Options { explicit: Method::DormandPrince8, implicit: Method::Rodas5P, exchange: false };
    let module = lower::lower(&program, &scene.sources, options);
    Ok((program, module))
}

/// What the outputs are at a time.
fn run(module: &Module, until: f64) -> Result<Vec<f64>, String> {
    const MANY: i64 = 1_000_000;
    let machine = Interpreter::new(module);
    let mut memory = module.initial_memory();
    let mut call = |name: &str, arguments: &[kernel::Value]| {
        let function = module.find_function(name).ok_or(format!("there is no `{name}`"))?;
        match machine.call_integer(function, arguments, &mut memory) {
            Ok(protocol::DONE) => Ok(()),
            other => Err(format!("`{name}` gives {other:?}")),
        }
    };
    call(protocol::INITIALIZE, &[])?;
    call(protocol::CONFIGURE, &[TOLERANCE.into(), until.into()])?;
    call(protocol::ADVANCE, &[until.into(), MANY.into()])?;
    call(protocol::SAMPLE, &[until.into()])?;
    call(protocol::OBSERVE, &[until.into()])?;
    let outputs = module.find_array(protocol::OUTPUTS).ok_or("there are no outputs")?;
    Ok(memory.reals(module.layout().range(outputs)).collect())
}
