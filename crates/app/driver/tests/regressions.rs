//! Texts that once broke the compiler: each gets a diagnostic, or runs.

use driver::{Options, Run, Simulation, compile, machine, run};
use std::ops::ControlFlow;

fn codes(text: &str) -> Vec<&'static str> {
    compile("scene", text, &Options::default()).diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect()
}

#[test]
fn a_constant_that_is_not_a_number_is_refused() {
    let found = codes("body b { position = (0, 0 / 0 * 1 [m], free); mass = 1 [kg] }\ngravity 9.81 [m/s^2]");
    assert!(found.contains(&"undefined-value"), "{found:?}");
}

#[test]
fn an_exponent_beyond_all_bounds_is_refused() {
    let text = "param a = 1 [m]\n\
                body e { position = (free, free, free(a)); rotation = free; shape = sphere(a); mass = 1 [kg] }\n\
                surface hull in e: (x / a) + (y / a)^1e308 + (z / a)^2 == 1\n\
                surface floor: z == 0\n\
                frame c { position = (free, free, 0) }\n\
                always c.position on hull\n\
                always tangent(hull, floor, at: c.position)";
    assert!(compile("scene", text, &Options::default()).diagnostics.has_errors());
}

#[test]
fn very_many_pairs_that_have_to_be_written_out_are_refused() {
    let text = "for i in 1..2000 { body b[i] { position = (free, 0, 0); mass = 1 [kg] } }\n\
                potential for pairs (a, b) in bodies = 1 [N] * |a.position - b.position|\n\
                clock: [s] = 0 [s]\nalways clock' == 1";
    assert!(codes(text).contains(&"too-large"));
}

/// What may have been meant is sought among all names, so that it is sought for the first fifty only: a hundred thousand took minutes.
#[test]
fn hints_are_sought_for_the_first_unknown_names_alone() {
    let lines: String = (0..1000).map(|at| format!("let a{at} = lenght\n")).collect();
    let found = compile("scene", &format!("param length = 1 [m]\n{lines}"), &Options::default()).diagnostics;
    let hints = found.iter().filter(|one| one.code.0 == "unknown-name").flat_map(|one| &one.hints);
    let hints: Vec<bool> = hints.map(|hint| hint.contains("did you mean `length`")).collect();
    assert_eq!(hints.len(), 1000);
    assert!(hints[..50].iter().all(|&sought| sought) && !hints[999]);
}

#[test]
fn a_condition_can_be_recorded() {
    let text =
        "gravity 9.81 [m/s^2]\nbody b { position = (0, 0, free(1 [m])); mass = 1 [kg] }\nplot b.position.z < 0.5 [m]";
    assert_eq!(last_row(text), [1.0]);
}

/// A guess at the centre of a sphere has no direction to go; a place beside it has.
#[test]
fn a_start_is_found_from_a_guess_without_direction() {
    let text =
        "body b { position = (free, free, free); mass = 1 [kg] }\nalways |b.position| == 1 [m]\nplot |b.position|";
    let row = last_row(text);
    assert!((row[0] - 1.0).abs() < 1e-12, "{row:?}");
}

/// A value that a mode has twice is told once, and offered once.
#[test]
fn a_doubled_value_of_a_mode_is_listed_once() {
    let text = "body b { position = (0, 0, free); mass = 1 [kg] }\nmode x: up | down | up\nwhen a: x == upp { x == down; keep all }";
    let compilation = compile("scene", text, &Options::default());
    let found = compilation.diagnostics.iter().find(|found| found.code.0 == "unknown-mode").expect("no such value");
    assert_eq!(found.hints, ["it is one of `up`, `down`"]);
}

/// What is printed after one second.
fn last_row(text: &str) -> Vec<f64> {
    let compilation = compile("scene", text, &Options::default());
    let errors: Vec<_> = compilation.diagnostics.iter().collect();
    let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("{errors:?}"));
    let machine = machine(&stages.module).expect("machine code");
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    let mut last = Vec::new();
    let plan = Run { until: 1.0, every: 1.0, tolerance: 1e-8 };
    let keep = |_: f64, values: &[f64]| {
        last = values.to_vec();
        ControlFlow::Continue(())
    };
    let (_, result) = run(&mut simulation, plan, keep, |_| ControlFlow::Continue(()));
    assert_eq!(result, Ok(()));
    last
}
