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

/// Compares a scene without a law and one with it. Nothing about the mechanism may change, and every function may have so many operations
/// more as the law itself takes.
fn assert_costs(without: &str, with: &str, more: usize, rotations: Rotations) {
    let (without, with) = (compiled(without, rotations), compiled(with, rotations));
    let (without, with) = (stages(&without), stages(&with));
    assert_eq!(with.plan.classes, without.plan.classes);
    assert_eq!(with.plan.freedoms.motion, without.plan.freedoms.motion);
    let (operations, before) = (operations(with), operations(without));
    assert_eq!(operations.len(), before.len());
    for ((function, with), (_, without)) in operations.into_iter().zip(before) {
        assert!(with <= without + more, "{function}: {with} operations instead of {without}");
    }
}

#[test]
fn a_law_that_touches_nothing_costs_nothing() {
    let examples = ["roller_coaster_3", "double_pendulum", "ball_in_torus"].map(example);
    for text in examples.iter().chain([&chain(32)]) {
        for rotations in [Rotations::Minimal, Rotations::Quaternion] {
            assert_costs(text, &format!("{text}{CLOCK}"), 1, rotations);
        }
    }
}

#[test]
fn a_law_that_reads_the_motion_leaves_the_classes_alone() {
    let text = example("roller_coaster_3");
    for rotations in [Rotations::Minimal, Rotations::Quaternion] {
        let reads = format!("{text}\nreading: [m/s]\nlaw reads {{ reading == car[1].velocity.z }}\n");
        assert_costs(&text, &reads, 0, rotations);
        let adds = format!("{text}\nway: [m]\nlaw adds {{ way' == car[1].velocity.z }}\n");
        assert_costs(&text, &adds, 1, rotations);
    }
}

#[test]
fn a_motor_drives_a_chain_and_leaves_it_a_tree() {
    let steady = format!("{}\ntorque on swing[1] = (2 [N*m], 0, 0)\n", chain(32));
    let motor = format!(
        "{}
         current: [A]
         law circuit {{ 0.5 [H] * current' == 12 [V] - 2 [Ω] * current - 0.3 [V*s] * swing[1].omega.x }}
         torque on swing[1] = (0.3 [N*m/A] * current, 0, 0)\n",
        chain(32)
    );
    // A factor and a sum for the torque; two factors, two sums and another factor for the circuit.
    assert_costs(&steady, &motor, 7, Rotations::Minimal);
}

#[test]
fn freedoms_are_counted_of_the_motion_and_of_everything() {
    let compilation = compiled(&example("motor_pendulum"), Rotations::Minimal);
    let freedoms = stages(&compilation).plan.freedoms;
    assert_eq!((freedoms.motion, freedoms.initial_values), (1, 3));
    let compilation = compiled(&example("ac_circuit"), Rotations::Minimal);
    assert_eq!(stages(&compilation).plan.freedoms.motion, 0);
}
