//! An exported program: its module, and what people know of it. Of a scene with modes it has all that can be reached.

use base::{Diagnostic, Diagnostics, Sources};
use kernel::interface::{Interface, Named};
use kernel::{Module, Names};
use lower::Mode;
use model::Model;
use program::Program;
use syntax::{FileSort, ItemKind, Tree, Use};

use crate::automaton::reach;
use crate::codes;
use crate::interface::{interface, name_cells};
use crate::modes::{in_mode, is_changing, watchers};
use crate::pipeline::{
    Compilation, Options, Rehearsal, Stages, compile_mode, directions, goals, kernel_of, rehearsal, stops,
};

/// More modes than this are too much for one program.
const MOST_MODES: usize = 200;

/// The module with names, and what people know of it.
pub fn export(
    compilation: &Compilation,
    stages: &Stages,
    options: &Options,
) -> Result<(Module, Interface), Diagnostics> {
    export_with(compilation, stages, options, |_| ())
}

/// For many runs on a GPU, where memory is dear.
pub fn export_for_many(
    compilation: &Compilation,
    stages: &Stages,
    options: &Options,
) -> Result<(Module, Interface), Diagnostics> {
    export(compilation, stages, &Options { events: backend_c::EVENTS, ..options.clone() })
}

/// What [`export`] gives; `look` sees the programs of all modes, in their order.
// Long: the pipeline of an export, to be read from top to bottom.
pub(crate) fn export_with(
    compilation: &Compilation,
    stages: &Stages,
    options: &Options,
    look: impl FnOnce(&[&Program]),
) -> Result<(Module, Interface), Diagnostics> {
    let sources = &compilation.sources;
    if kernel::foreign::is_in(&stages.module) {
        return Err([unit_inside(&compilation.tree)].into_iter().collect());
    }
    let known = interface(stages, sources, options.tolerance);
    if !is_changing(stages) {
        look(&[&stages.program]);
        return Ok((named(stages, sources, options), known));
    }
    let modes = reach(&stages.model).modes;
    if modes.len() > MOST_MODES {
        return Err([too_many_modes(&stages.model, modes.len())].into_iter().collect());
    }
    let claims = watchers(&stages.model)?;
    let others: Vec<Stages> = modes
        .iter()
        .skip(1)
        .map(|mode| {
            let mut sink = Diagnostics::default();
            let made = compile_mode(&stages.model, mode, options, sources, &mut sink);
            made.ok_or_else(|| sink.iter().map(|found| found.clone().note(in_mode(&stages.model, mode))).collect())
        })
        .collect::<Result<_, Diagnostics>>()?;
    let all: Vec<&Stages> = std::iter::once(stages).chain(&others).collect();
    look(&all.iter().map(|stages| &stages.program).collect::<Vec<_>>());
    let modules: Vec<Module> = all.iter().map(|stages| named(stages, sources, options)).collect();
    let labels = labels(&stages.model, &modes);
    let plans = directions(&stages.model) > 0;
    let rehearsed: Vec<Rehearsal> =
        all.iter().filter(|_| plans).map(|stages| rehearsal(stages, options, sources)).collect();
    let parts = all.iter().zip(&modules).zip(&modes).zip(&labels);
    let automaton = lower::Automaton {
        name: &stages.module.name,
        modes: parts
            .map(|(((stages, module), values), label)| Mode {
                label: label.clone(),
                values,
                program: &stages.program,
                module,
            })
            .chain(rehearsed.iter().zip(&modes).zip(&labels).map(|((Rehearsal { program, module }, values), label)| {
                Mode { label: format!("{label}_rehearsed"), values, program, module }
            }))
            .collect(),
        is_open: false,
        directions: directions(&stages.model),
        goals: goals(&stages.model),
        // Exports do not tell of these.
        dues: Vec::new(),
        stops: stops(&stages.model),
        mode_names: stages.model.modes.iter().map(|mode| mode.name.clone()).collect(),
        transitions: stages.model.transitions.iter().map(|transition| transition.name.clone()).collect(),
        claims,
        conditions: stages.model.conditions.len(),
        events: options.events,
    };
    let module = lower::lower_executive(&automaton);
    Ok((module, of_all_modes(compilation, known, &all, &modes, labels)))
}

/// The module of a mode, with names. Those that other integrators may drive have entry points that a run does not need.
fn named(stages: &Stages, sources: &Sources, options: &Options) -> Module {
    let mut module = match options.exchange {
        true => kernel_of(&stages.program, sources, options),
        false => stages.module.clone(),
    };
    name_cells(&mut module, stages, sources);
    module
}

/// What is known of a program of one mode, and of the other modes.
fn of_all_modes(
    compilation: &Compilation,
    known: Interface,
    all: &[&Stages],
    modes: &[Vec<usize>],
    labels: Vec<String>,
) -> Interface {
    let (model, sources) = (&all[0].model, &compilation.sources);
    let each = || all.iter().map(|stages| interface(stages, sources, known.tolerance)).zip(modes);
    let about = |what: Vec<String>, mode: &Vec<usize>| -> Vec<String> {
        let mode = if modes.len() > 1 { format!(", {}", in_mode(model, mode)) } else { String::new() };
        what.into_iter().map(|what| format!("{what}{mode}")).collect()
    };
    let mut names = Names::default();
    let transitions = model.transitions.iter().map(|it| Named {
        identifier: names.claim(&it.name),
        name: it.name.clone(),
        note: sources.line(it.span).unwrap_or_default(),
    });
    let transitions = transitions.collect();
    let changes = all[0].program.changes.as_ref();
    let variables = changes.into_iter().flat_map(|changes| &changes.variables);
    // Messages name the states of each mode too.
    let integrals = all.iter().flat_map(|stages| &stages.program.integrals);
    let variables = variables.chain(integrals.flat_map(|integral| integral.states.iter().chain(&integral.followers)));
    Interface {
        integrals: each().flat_map(|(one, mode)| about(one.integrals, mode)).collect(),
        systems: each().flat_map(|(one, mode)| about(one.systems, mode)).collect(),
        modes: labels
            .into_iter()
            .zip(modes)
            .map(|(identifier, mode)| Named { identifier, name: values(model, mode), note: String::new() })
            .collect(),
        transitions,
        claims: model.claims.iter().map(|claim| claim.name.clone()).collect(),
        variables: variables.map(|it| it.name.clone()).collect(),
        ..known
    }
}

/// `motion = rolling, gear = first`
fn values(model: &Model, mode: &[usize]) -> String {
    let values = model.modes.iter().zip(mode).map(|(mode, &value)| format!("{} = {}", mode.name, mode.values[value]));
    values.collect::<Vec<String>>().join(", ")
}

/// An identifier for each mode, made of the values that the author has named and, where those do not tell modes apart, of the phases of
/// sequences and plans.
fn labels(model: &Model, modes: &[Vec<usize>]) -> Vec<String> {
    if modes.len() == 1 {
        return vec!["flow".to_string()];
    }
    let words = |mode: &[usize], all: bool| -> String {
        let shown = model.modes.iter().zip(mode).filter(|(mode, value)| !mode.hidden || all && **value != mode.start);
        let words = shown.map(|(mode, &value)| match mode.hidden {
            true => format!("{}_{}", mode.name, mode.values[value]),
            false => mode.values[value].clone(),
        });
        words.collect::<Vec<String>>().join("_")
    };
    let mut names = Names::default();
    let label = |mode: &Vec<usize>| {
        let plain = words(mode, false);
        let alone = !plain.is_empty() && modes.iter().filter(|other| words(other, false) == plain).count() == 1;
        let whole = words(mode, true);
        names.claim(if alone {
            &plain
        } else if whole.is_empty() {
            "idle"
        } else {
            &whole
        })
    };
    modes.iter().map(label).collect()
}

/// What calls a library of somebody else stays where that is.
fn unit_inside(tree: &Tree) -> Diagnostic {
    let message = "a program with an FMU inside cannot be exported";
    let files = tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Use(Use::File(used)) if used.what == FileSort::Unit => Some(used.file.span),
        _ => None,
    });
    let label = "its library is not ours to put into a program";
    let diagnostic = files.fold(Diagnostic::error(codes::UNIT_INSIDE, message), |found, span| found.at(span, label));
    diagnostic.hint("run it with `ansatz run`; or export the rest, with a `control` for each output of the unit, and let a simulator for FMI join the two")
}

fn too_many_modes(model: &Model, count: usize) -> Diagnostic {
    let message = format!("{count} modes can be reached, which is too much for one exported program");
    let diagnostic = Diagnostic::error(codes::TOO_MANY_MODES, message);
    let named = model.modes.iter().filter(|mode| !mode.hidden);
    let diagnostic = named.fold(diagnostic, |found, mode| {
        found.at(mode.span, format!("{} values, each together with those of the others", mode.values.len()))
    });
    diagnostic.hint("let guards exclude combinations that never occur, or run it with `ansatz run`, which makes each mode when it comes")
}
