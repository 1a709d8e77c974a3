//! A mechanism is solved in the same way whatever laws stand beside it in the scene.

use driver::{Compilation, Options, Rotations, Stages, compile};

/// A law that touches nothing.
const CLOCK: &str = "\nclock_reading: [s] = 0 [s]\nalways clock_reading' == 1\n";

fn example(name: &str) -> String {
    let path = format!("{}/../../../examples/{name}.anz", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn chain(links: usize) -> String {
    format!(
        "scene chain
         gravity 9.81 [m/s^2]
         frame swing[1] {{ rotation = about x free(90 [deg]) }}
         body bob[1] in swing[1] {{ position = (0, 0, -1 [m]); mass = 1 [kg] }}
         for i in 2..{links} {{
           frame swing[i] in bob[i - 1] {{ rotation = about x free }}
           body bob[i] in swing[i] {{ position = (0, 0, -1 [m]); mass = 1 [kg] }}
         }}
         plot bob[{links}].position"
    )
}

fn compiled(text: &str, rotations: Rotations) -> Compilation {
    compile("scene", text, &Options { rotations, ..Options::default() })
}

fn stages(compilation: &Compilation) -> &Stages {
    let said: Vec<_> = compilation.diagnostics.iter().collect();
    compilation.stages.as_ref().unwrap_or_else(|| panic!("{said:?}"))
}

/// The operations of each function.
fn operations(stages: &Stages) -> Vec<(String, usize)> {
    stages.report.operations.iter().map(|row| (row.function.clone(), row.after.total())).collect()
}

/// Adds a law to a scene. Nothing about the mechanism may change, and every function may have one operation more.
fn assert_costs_nothing(text: &str, law: &str, rotations: Rotations) {
    let (without, with) = (compiled(text, rotations), compiled(&format!("{text}{law}"), rotations));
    let (without, with) = (stages(&without), stages(&with));
    assert_eq!(with.plan.classes, without.plan.classes);
    assert_eq!(with.plan.freedoms.motion, without.plan.freedoms.motion);
    let (operations, before) = (operations(with), operations(without));
    assert_eq!(operations.len(), before.len());
    for ((function, with), (_, without)) in operations.into_iter().zip(before) {
        assert!(with <= without + 1, "{function}: {with} operations instead of {without}");
    }
}

#[test]
fn a_law_that_touches_nothing_costs_nothing() {
    let examples = ["roller_coaster_3", "double_pendulum", "ball_in_torus"].map(example);
    for text in examples.iter().chain([&chain(32)]) {
        for rotations in [Rotations::Minimal, Rotations::Quaternion] {
            assert_costs_nothing(text, CLOCK, rotations);
        }
    }
}
