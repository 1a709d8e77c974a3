//! The program as text.

use std::fmt::Write;

use expr::{Arena, SymbolId, list};

use crate::program::{Binding, Function, Program, Summand};

pub fn print(program: &Program) -> String {
    let mut out = format!("program {}\n", program.name);
    let arena = &program.arena;
    write_function(&mut out, arena, &program.initialize, "(parameters)");
    for (at, integral) in program.integrals.iter().enumerate() {
        let states: Vec<&str> = integral.states.iter().map(|state| state.name.as_str()).collect();
        let _ = writeln!(out, "\nintegral {} of {}", at + 1, states.join(", "));
        write_function(&mut out, arena, &integral.derivative, "(parameters, controls, state, t)");
        if let Some(stabilize) = &integral.stabilize {
            write_function(&mut out, arena, stabilize, "(parameters, state, t)");
        }
        if let Some(follow) = &integral.follow {
            write_function(&mut out, arena, follow, "(parameters, state, followers, t)");
        }
    }
    write_function(&mut out, arena, &program.observe, "(parameters, controls, state, t)");
    write_function(&mut out, arena, &program.monitor, "(parameters, state, t)");
    out
}

fn write_function(out: &mut String, arena: &Arena, function: &Function, inputs: &str) {
    let listing = list(arena, &function.expressions());
    let mut lines = listing.lines.into_iter();
    let mut next = || lines.next().unwrap_or_default();
    let _ = writeln!(out, "\n{}{inputs} =", function.name);
    for binding in &function.body {
        write_binding(out, arena, binding, &mut next);
    }
    let results: Vec<String> = function.results.iter().map(|_| next()).collect();
    let _ = writeln!(out, "  in ({})", results.join(", "));
    for (at, (name, text)) in listing.definitions.iter().enumerate() {
        let _ = writeln!(out, "  {} {name} = {text}", if at == 0 { "where" } else { "     " });
    }
}

fn write_binding(out: &mut String, arena: &Arena, binding: &Binding, next: &mut impl FnMut() -> String) {
    let names = |symbols: &[SymbolId]| -> String {
        symbols.iter().map(|&symbol| arena.symbol_name(symbol).to_string()).collect::<Vec<_>>().join(", ")
    };
    match binding {
        Binding::Linear(system) => {
            let n = system.unknowns.len();
            let _ = writeln!(out, "  let ({}) = solve linear {n} × {n}", names(&system.unknowns));
            for (row, column, _) in &system.matrix {
                let _ = writeln!(out, "      A[{row}, {column}] = {}", next());
            }
            for row in 0..system.right.len() {
                let _ = writeln!(out, "      b[{row}] = {}", next());
            }
        }
        Binding::Nonlinear(system) => {
            let size = format!("{} × {}", system.residuals.len(), system.unknowns.len());
            let _ = writeln!(out, "  let ({}) = solve nearest {size}", names(&system.unknowns));
            // The slopes come first in the listing; they are not shown, since they follow from the residuals.
            system.jacobian.iter().for_each(|_| drop(next()));
            for _ in &system.residuals {
                let _ = writeln!(out, "      0 = {}", next());
            }
            let seeds: Vec<String> = system.seeds.iter().map(|_| next()).collect();
            let _ = writeln!(out, "      from ({})", seeds.join(", "));
        }
        Binding::Sum(sum) => {
            let what = match sum.of {
                Summand::Value => "add up",
                Summand::Slopes => "add up slopes of",
            };
            let _ = writeln!(out, "  let ({}) = {what} {} rows", names(&sum.unknowns), sum.family.rows.len());
            let _ = writeln!(out, "      of {}", expr::print(arena, sum.family.value));
            let arguments: Vec<String> = sum.arguments.iter().map(|_| next()).collect();
            let _ = writeln!(out, "      about ({})", arguments.join(", "));
        }
    }
}
