//! What was derived at each stage, as text and as JSON.

use base::{Sources, counted};
use equations::{Board, Form};
use expr::{Cost, Notation};
use host::Listing;
use plan::{Account, LeadingBlock, Plan};
use program::{SystemReport, SystemRole};
use serde_json::{Value, json};

use crate::automaton::{diagrams, print_diagrams};
use crate::checks;
use crate::meeting;
use crate::pipeline::{Compilation, Options, Stages, listings};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Model,
    Equations,
    Automaton,
    Plan,
    Contact,
    Program,
    Kernel,
    Code,
}

impl Stage {
    /// What people call them.
    pub const NAMED: &[(&str, Stage)] = &[
        ("model", Stage::Model),
        ("equations", Stage::Equations),
        ("automaton", Stage::Automaton),
        ("plan", Stage::Plan),
        ("contact", Stage::Contact),
        ("program", Stage::Program),
        ("kernel", Stage::Kernel),
        ("code", Stage::Code),
    ];
}

/// One stage as text; all of them in short if none is named.
pub fn explain(compilation: &Compilation, stages: &Stages, stage: Option<Stage>) -> String {
    let sources = &compilation.sources;
    match stage {
        Some(Stage::Model) => model::print(&stages.model, sources),
        Some(Stage::Equations) => equations::print(&stages.system, sources),
        Some(Stage::Automaton) => automaton(compilation, stages),
        Some(Stage::Plan) => plan::print(&stages.plan, &stages.system) + &systems(stages),
        Some(Stage::Contact) => meeting::print(stages, sources),
        Some(Stage::Program) => program::print(&stages.program),
        Some(Stage::Kernel) => kernel::print(&stages.module),
        Some(Stage::Code) => code(stages),
        None => overview(compilation, stages),
    }
}

/// The equations as they would stand on a board, in one form and notation.
pub fn explain_equations(compilation: &Compilation, stages: &Stages, form: Form, notation: Notation) -> String {
    equations::print_board(&Board::new(&stages.system, form), notation, &compilation.sources)
}

fn overview(compilation: &Compilation, stages: &Stages) -> String {
    let mut out = counts(stages);
    out.push_str("\n--- model\n");
    out.push_str(&model::print(&stages.model, &compilation.sources));
    out.push_str("\n--- equations\n");
    out.push_str(&equations::print(&stages.system, &compilation.sources));
    if crate::modes::is_changing(stages) {
        out.push_str("\n--- automaton\n");
        out.push_str(&automaton(compilation, stages));
    }
    out.push_str("\n--- plan\n");
    out.push_str(&plan::print(&stages.plan, &stages.system));
    out.push_str(&systems(stages));
    out.push_str("\n(`--stage program`, `kernel` and `code` show the rest)\n");
    out
}

/// The modes with their transitions, and what can be said of them beforehand.
fn automaton(compilation: &Compilation, stages: &Stages) -> String {
    let mut out = print_diagrams(&stages.model);
    for finding in findings(compilation, stages) {
        out.push_str(&format!("{}: {}\n", finding.answer.word(), finding.about));
    }
    out
}

/// What the checks answer, of scenes that change.
fn findings(compilation: &Compilation, stages: &Stages) -> Vec<checks::Finding> {
    match crate::modes::is_changing(stages) {
        true => checks::findings(&stages.model, &Options::default(), &compilation.sources),
        false => Vec::new(),
    }
}

fn counts(stages: &Stages) -> String {
    let Stages { system, plan, program, report, module, .. } = stages;
    let derivative = report.operations.iter().find(|row| row.function == "derivative");
    let derivative = derivative.map_or(0, |row| row.after.total());
    let foreign = match kernel::foreign::is_in(module) {
        true => {
            "it calls the library of an FMU: what that computes is checked by nobody here, the bits are no longer ours, and no program can be exported\n"
        }
        false => "",
    };
    format!(
        "{}: {}, {}, {}\n{}, {} in the derivative, {}\n{foreign}",
        system.name,
        counted(system.coordinates.len(), "variable", "variables"),
        counted(system.constraints.len(), "constraint", "constraints"),
        counted(plan.freedoms.motion, "degree of freedom", "degrees of freedom"),
        counted(program.integrals.len(), "independent integration", "independent integrations"),
        counted(derivative, "operation", "operations"),
        counted(module.functions.len(), "kernel function", "kernel functions"),
    )
}

fn systems(stages: &Stages) -> String {
    let mut out = String::new();
    for row in &stages.report.systems {
        let sizes = |list: &[(usize, usize)]| -> String {
            let sizes: Vec<String> =
                list.iter().map(|(equations, unknowns)| format!("{equations} × {unknowns}")).collect();
            if sizes.is_empty() { "none".to_string() } else { sizes.join(", ") }
        };
        out.push_str(&format!(
            "{}: {}, {}; components {}; needed {}\n",
            role_name(row.role),
            counted(row.size.0, "equation", "equations"),
            counted(row.size.1, "unknown", "unknowns"),
            sizes(&row.components),
            sizes(&row.needed)
        ));
    }
    out
}

fn code(stages: &Stages) -> String {
    match listings(&stages.module) {
        Ok(listings) => {
            let total: usize = listings.iter().map(|it| it.size).sum();
            let text = |it: &Listing| {
                format!("{}: {} bytes\n{}\n", it.name, it.size, it.instructions.as_deref().unwrap_or_default())
            };
            format!("{total} bytes of code\n\n{}", listings.iter().map(text).collect::<String>())
        }
        Err(diagnostic) => diagnostic.message,
    }
}

/// Counts, classes, systems and operations, with the equations and where they come from.
pub fn explain_json(compilation: &Compilation, stages: &Stages) -> Value {
    let Stages { system, plan, program, report, .. } = stages;
    let classes = &plan.classes;
    let sources = &compilation.sources;
    json!({
        "name": system.name,
        "variables": system.coordinates.len(),
        "constraints": system.constraints.len(),
        "degrees_of_freedom": plan.freedoms.motion,
        "free_initial_values": plan.freedoms.initial_values,
        "classes": {
            "q0": classes.q0.len(), "q1": classes.q1.len(), "q2": classes.q2.len(),
            "h0": classes.h0.len(), "h1": classes.h1.len(), "h2": classes.h2.len(),
            "n1": classes.n1.len(), "n2": classes.n2.len(),
        },
        "modes": diagrams(&stages.model).iter().map(|diagram| json!({
            "name": diagram.name, "values": diagram.values, "start": diagram.values[diagram.start],
            "transitions": diagram.arrows.iter().map(|arrow| json!({
                "name": arrow.name,
                "from": arrow.from.iter().map(|&from| &diagram.values[from]).collect::<Vec<_>>(),
                "to": arrow.to.map(|to| &diagram.values[to]),
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "checks": findings(compilation, stages).iter().map(|finding| json!({
            "answer": finding.answer.word(), "about": finding.about,
        })).collect::<Vec<_>>(),
        "systems": systems_json(stages),
        "integrals": program.integrals.iter().map(|integral| integral.states.len()).collect::<Vec<_>>(),
        "operations": report.operations.iter().map(|row| {
            (row.function.clone(), json!({ "before": cost_json(row.before), "after": cost_json(row.after) }))
        }).collect::<serde_json::Map<_, _>>(),
        "redundant": plan.redundant.iter().map(|id| system.constraints[id.index()].label.clone()).collect::<Vec<_>>(),
        "parameters": system.parameters.iter().map(|parameter| json!({
            "name": parameter.name, "default": parameter.default, "unit": parameter.unit.text,
            "description": parameter.description, "source": sources.locate(parameter.span),
        })).collect::<Vec<_>>(),
        "coordinates": system.coordinates.iter().map(|coordinate| json!({
            "name": coordinate.name, "dimension": coordinate.dimension.to_string(), "source": sources.locate(coordinate.span),
        })).collect::<Vec<_>>(),
        "laws": laws_json(plan),
        "equations": equations_json(stages, sources),
        "timing_ms": compilation.timing.iter().map(|timing| {
            (timing.stage.to_string(), json!(timing.time.as_secs_f64() * 1e3))
        }).collect::<serde_json::Map<_, _>>(),
    })
}

/// How what laws determine is solved.
fn laws_json(plan: &Plan) -> Value {
    let laws = &plan.laws;
    let form = &laws.form;
    let block = |block: &LeadingBlock| {
        let unknowns = block.quantities.iter().map(|&at| form.quantities[at].name_of(laws.orders[at]));
        json!({
            "unknowns": unknowns.collect::<Vec<_>>(),
            "equations": block.rows.iter().map(|&row| &laws.rows[row].label).collect::<Vec<_>>(),
            "linear": block.linear,
        })
    };
    let text = |value: expr::Expr| expr::print(&form.arena, value);
    json!({
        "orders": laws.changing().map(|at| {
            (form.quantities[at].name.clone(), json!(laws.orders[at]))
        }).collect::<serde_json::Map<_, _>>(),
        "differentiated": laws.rows.iter().filter(|row| row.times() > 0).map(|row| {
            json!({ "equation": row.label, "times": row.times() })
        }).collect::<Vec<_>>(),
        "redundant": laws.redundant.iter().map(|row| &row.label).collect::<Vec<_>>(),
        "known": form.replaced.iter().map(|row| json!({ "name": row.name, "is": text(row.by) })).collect::<Vec<_>>(),
        "blocks": laws.blocks.iter().map(block).collect::<Vec<_>>(),
        "assumed": plan.start.assumed.iter().map(|row| {
            json!({ "name": row.name, "value": text(row.value), "stated": row.stated })
        }).collect::<Vec<_>>(),
    })
}

/// The six systems of the scheme as Ellman et al. count them, what the program keeps of them, and how it solves them.
fn systems_json(stages: &Stages) -> Value {
    let sizes = |list: &[(usize, usize)]| -> Value {
        list.iter().map(|&(equations, unknowns)| json!([equations, unknowns])).collect()
    };
    let entry = |account: &Account, roles: &[SystemRole]| {
        let solved: Vec<&SystemReport> = stages.report.systems.iter().filter(|row| roles.contains(&row.role)).collect();
        let gather = |of: fn(&SystemReport) -> &Vec<(usize, usize)>| {
            let mut list: Vec<(usize, usize)> = solved.iter().flat_map(|row| of(row).clone()).collect();
            list.sort_by(|a, b| b.cmp(a));
            list
        };
        // Only the accelerations are solved for more than is needed.
        let needed = match roles {
            [SystemRole::Accelerations] => gather(|row| &row.needed),
            _ => account.components.clone(),
        };
        json!({
            "equations": account.equations,
            "unknowns": account.unknowns,
            "components": sizes(&account.components),
            "needed": sizes(&needed),
            "solved_as": sizes(&gather(|row| &row.needed)),
        })
    };
    let accounts = plan::accounts(&stages.system, &stages.plan);
    json!({
        "initialization": entry(&accounts.initialization, &[SystemRole::InitialPositions]),
        "initial_velocities": entry(&accounts.initial_velocities, &[SystemRole::InitialVelocities]),
        "zeroth": entry(&accounts.zeroth, &[SystemRole::Zeroth]),
        "first": entry(&accounts.first, &[SystemRole::First]),
        "accelerations": entry(&accounts.accelerations, &[SystemRole::Accelerations]),
        "stabilization": entry(
            &accounts.stabilization,
            &[SystemRole::StabilizePositions, SystemRole::StabilizeVelocities],
        ),
        "notes": NOTES,
    })
}

/// Why the program's own decomposition differs from the one that is counted.
const NOTES: &[&str] = &[
    "components: as Ellman et al. count them; solved_as: the systems that the program solves",
    "initialization: initial conditions on positions are solved together with the constraints",
    "initial_velocities: solved together and nearest to rest, so that any subset of velocities may be given",
    "accelerations: the forces of constraints that only guide what follows are zero, and are not solved for",
    "stabilization: positions are moved first and velocities after them, so the largest system is smaller than theirs",
];

fn equations_json(stages: &Stages, sources: &Sources) -> Value {
    let (definitions, equations) = equations::print_equations(&stages.system);
    json!({
        "where": definitions.into_iter().map(|(name, text)| json!({ "name": name, "is": text })).collect::<Vec<_>>(),
        "list": equations.into_iter().map(|equation| json!({
            "role": equation.role, "label": equation.label, "zero": equation.text, "source": sources.locate(equation.span),
        })).collect::<Vec<_>>(),
    })
}

fn cost_json(cost: Cost) -> Value {
    json!({
        "additions": cost.additions, "multiplications": cost.multiplications,
        "divisions": cost.divisions, "functions": cost.functions, "total": cost.total(),
    })
}

pub fn role_name(role: SystemRole) -> &'static str {
    match role {
        SystemRole::InitialPositions => "initial positions",
        SystemRole::InitialVelocities => "initial velocities",
        SystemRole::Zeroth => "positions that follow",
        SystemRole::ZerothVelocities => "velocities of what follows",
        SystemRole::ZerothAccelerations => "accelerations of what follows",
        SystemRole::First => "velocities that follow",
        SystemRole::Accelerations => "accelerations",
        SystemRole::StabilizePositions => "stabilisation of positions",
        SystemRole::StabilizeVelocities => "stabilisation of velocities",
        SystemRole::Watched => "constraints that follow from others",
        SystemRole::Start => "the start",
        SystemRole::Sums => "sums over the rows of tables",
        SystemRole::Rates => "what follows from the states",
        SystemRole::Stabilize => "stabilisation",
        SystemRole::Entry => "states after a transition",
        SystemRole::Positions => "positions after a transition",
        SystemRole::Velocities => "velocities after a transition",
    }
}
