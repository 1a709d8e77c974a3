//! The figures that Ellman, Deak and Fotinatos report for their systems, reproduced in their representation of rotations.

use driver::{Options, Rotations, compile, explain_json};
use serde_json::{Value, json};

fn explained(name: &str, rotations: Rotations) -> Value {
    let path = format!("{}/../../../examples/{name}.anz", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let compilation = compile(&path, &text, &Options { rotations, ..Options::default() });
    let errors: Vec<_> = compilation.diagnostics.iter().collect();
    let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("{name}: {errors:?}"));
    explain_json(&compilation, stages)
}

/// Figure 15: variables and constraints.
#[test]
fn counts_of_variables_and_constraints() {
    let figure_15 = [
        ("pendulum", 2, 1),
        ("double_pendulum", 4, 2),
        ("three_body", 6, 0),
        ("spring_pendula", 8, 6),
        ("linked_pendula", 8, 7),
        ("pendula_on_wheel", 10, 6),
        ("nested_toruses", 8, 6),
        ("weighted_ball", 6, 3),
        ("two_weighted_balls", 12, 6),
        ("rolling_torus", 11, 8),
        ("rolling_ellipsoid", 9, 6),
        ("ball_in_torus", 11, 8),
        ("ball_in_drum", 13, 10),
        ("roller_coaster_1", 9, 8),
        ("sliding_coaster_5", 25, 24),
        ("roller_coaster_3", 33, 32),
    ];
    for (name, variables, constraints) in figure_15 {
        let found = explained(name, Rotations::Quaternion);
        assert_eq!((&found["variables"], &found["constraints"]), (&json!(variables), &json!(constraints)), "{name}");
    }
}

/// Section 5.1: six variables of order zero, eighteen of order one, nine of order two.
#[test]
fn classes_of_the_three_car_coaster() {
    let found = explained("roller_coaster_3", Rotations::Quaternion);
    assert_eq!(found["classes"], json!({ "q0": 6, "q1": 18, "q2": 9, "h0": 6, "h1": 12, "h2": 8, "n1": 6, "n2": 0 }));
}

/// Sections 5.2 and 5.3: the systems of the three-car coaster and their components.
#[test]
fn decomposition_of_the_three_car_coaster() {
    let found = explained("roller_coaster_3", Rotations::Quaternion);
    let system = |name: &str| found["systems"][name].clone();
    let repeated = |first: &[[usize; 2]], size: [usize; 2], times: usize| {
        let list: Vec<[usize; 2]> = first.iter().copied().chain(std::iter::repeat_n(size, times)).collect();
        json!(list)
    };
    let size = |name: &str| (system(name)["equations"].clone(), system(name)["unknowns"].clone());
    assert_eq!(size("initialization"), (json!(26), json!(33)));
    assert_eq!(system("initialization")["components"], repeated(&[[20, 21]], [1, 2], 6));
    assert_eq!(system("initial_velocities")["components"], json!([[3, 3], [3, 3], [2, 2], [1, 1]]));
    assert_eq!(system("zeroth")["components"], json!([[3, 3], [3, 3]]));
    assert_eq!(system("first")["components"], repeated(&[], [2, 2], 9));
    assert_eq!(size("accelerations"), (json!(53), json!(53)));
    assert_eq!(system("accelerations")["components"], repeated(&[[17, 17]], [4, 4], 9));
    assert_eq!(system("accelerations")["needed"], json!([[17, 17]]));
    assert_eq!(size("stabilization"), (json!(28), json!(36)));
    assert_eq!(system("stabilization")["components"], repeated(&[[22, 24]], [1, 2], 6));
}

/// Figure 15: the two balls know nothing of each other.
#[test]
fn two_balls_are_integrated_apart() {
    for rotations in [Rotations::Minimal, Rotations::Quaternion] {
        let found = explained("two_weighted_balls", rotations);
        let sizes = found["integrals"].as_array().expect("a list of sizes");
        assert_eq!(sizes.len(), 2, "{sizes:?}");
        assert_eq!(sizes[0], sizes[1]);
    }
}
