//! What was derived at each stage, as text and as JSON.

use base::Sources;
use expr::Cost;
use program::{SystemReport, SystemRole};
use serde_json::{Value, json};

use crate::pipeline::{Compilation, Stages};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Model,
    Equations,
    Plan,
    Program,
    Kernel,
    Code,
}

/// One stage as text; all of them in short if none is named.
pub fn explain(compilation: &Compilation, stages: &Stages, stage: Option<Stage>) -> String {
    let sources = &compilation.sources;
    match stage {
        Some(Stage::Model) => model::print(&stages.model, sources),
        Some(Stage::Equations) => equations::print(&stages.system, sources),
        Some(Stage::Plan) => plan::print(&stages.plan, &stages.system) + &systems(stages),
        Some(Stage::Program) => program::print(&stages.program),
        Some(Stage::Kernel) => kernel::print(&stages.module),
        Some(Stage::Code) => code(stages),
        None => overview(compilation, stages),
    }
}

fn overview(compilation: &Compilation, stages: &Stages) -> String {
    let mut out = counts(stages);
    out.push_str("\n--- model\n");
    out.push_str(&model::print(&stages.model, &compilation.sources));
    out.push_str("\n--- equations\n");
    out.push_str(&equations::print(&stages.system, &compilation.sources));
    out.push_str("\n--- plan\n");
    out.push_str(&plan::print(&stages.plan, &stages.system));
    out.push_str(&systems(stages));
    out.push_str("\n(`--stage program`, `kernel` and `code` show the rest)\n");
    out
}

fn counts(stages: &Stages) -> String {
    let Stages { system, plan, program, report, module, .. } = stages;
    let derivative = report.operations.iter().find(|row| row.function == "derivative");
    let derivative = derivative.map_or(0, |row| row.after.total());
    format!(
        "{}: {} variables, {} constraints, {} degrees of freedom\n\
         {} independent integration{}, {} operations in the derivative, {} kernel functions\n",
        system.name,
        system.coordinates.len(),
        system.constraints.len(),
        plan.degrees_of_freedom,
        program.integrals.len(),
        if program.integrals.len() == 1 { "" } else { "s" },
        derivative,
        module.functions.len(),
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
            "{}: {} equations, {} unknowns; components {}; needed {}\n",
            role_name(row.role),
            row.size.0,
            row.size.1,
            sizes(&row.components),
            sizes(&row.needed)
        ));
    }
    out
}

fn code(stages: &Stages) -> String {
    match crate::pipeline::machine(&stages.module, true) {
        Ok(compiled) => {
            let text = compiled.disassembly().unwrap_or_default();
            format!("{} bytes of machine code\n\n{text}", compiled.code_size())
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
        "degrees_of_freedom": plan.degrees_of_freedom,
        "classes": {
            "q0": classes.q0.len(), "q1": classes.q1.len(), "q2": classes.q2.len(),
            "h0": classes.h0.len(), "h1": classes.h1.len(), "h2": classes.h2.len(),
            "n1": classes.n1.len(), "n2": classes.n2.len(),
        },
        "systems": systems_json(&report.systems),
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
        "equations": equations_json(stages, sources),
        "timing_ms": compilation.timing.iter().map(|timing| {
            (timing.stage.to_string(), json!(timing.time.as_secs_f64() * 1e3))
        }).collect::<serde_json::Map<_, _>>(),
    })
}

/// Every role has an entry, also where the system is empty.
fn systems_json(reports: &[SystemReport]) -> Value {
    let sizes = |list: &[(usize, usize)]| {
        list.iter().map(|&(equations, unknowns)| json!([equations, unknowns])).collect::<Vec<_>>()
    };
    let entry = |roles: &[SystemRole]| {
        let chosen: Vec<&SystemReport> = reports.iter().filter(|report| roles.contains(&report.role)).collect();
        let mut components: Vec<(usize, usize)> = chosen.iter().flat_map(|report| report.components.clone()).collect();
        let mut needed: Vec<(usize, usize)> = chosen.iter().flat_map(|report| report.needed.clone()).collect();
        components.sort_by(|a, b| b.cmp(a));
        needed.sort_by(|a, b| b.cmp(a));
        json!({
            "equations": chosen.iter().map(|report| report.size.0).sum::<usize>(),
            "unknowns": chosen.iter().map(|report| report.size.1).sum::<usize>(),
            "components": sizes(&components),
            "needed": sizes(&needed),
        })
    };
    json!({
        "initialization": entry(&[SystemRole::InitialPositions]),
        "initial_velocities": entry(&[SystemRole::InitialVelocities]),
        "zeroth": entry(&[SystemRole::Zeroth]),
        "first": entry(&[SystemRole::First]),
        "accelerations": entry(&[SystemRole::Accelerations]),
        "stabilization": entry(&[SystemRole::StabilizePositions, SystemRole::StabilizeVelocities]),
    })
}

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

fn role_name(role: SystemRole) -> &'static str {
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
    }
}
