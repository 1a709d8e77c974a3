//! Potentials that depend on velocities: their force is d/dt ∂V/∂v − ∂V/∂x, and what is linear in velocities does no work.

use driver::Rotations;

use crate::scene::{Scene, assert_near, assert_vectors_near};

#[test]
fn a_charge_circles_at_the_cyclotron_frequency() {
    let scene = "scene cyclotron
        param charge = 3 [C]
        let field = (0, 0, 2) [T]
        body ion { position = free; mass = 4 [kg] }
        potential = -charge * dot(ion.velocity, cross(field, ion.position)) / 2
        initially ion.velocity == (1, 0, 0.5) [m/s]";
    let table = Scene::new(scene).probe(&["ion.position", "energy", "potential"]).run(10.0, 0.5);
    let rate = 3.0 * 2.0 / 4.0;
    for (row, &t) in table.times.iter().enumerate() {
        let expected = [(rate * t).sin() / rate, ((rate * t).cos() - 1.0) / rate, 0.5 * t];
        assert_vectors_near(&format!("at t = {t}"), table.vectors("ion.position")[row], expected, 1e-9);
        assert_near("energy", table.column("energy")[row], 0.5 * 4.0 * 1.25, 1e-9);
        assert_near("potential", table.column("potential")[row], 0.0, 1e-12);
    }
    assert!(table.conserves_energy);
}

#[test]
fn a_flywheel_within_turns_the_axis_of_its_body() {
    // L = T + h ω_z in the body's axes: A ω̇ = k e_z × ω across the axis, with A k = (C − A) ω_z + h.
    let scene = "scene gyrostat
        body case { rotation = free(about x 40 [deg]); mass = 1 [kg]; inertia = (2, 2, 3) [kg*m^2] }
        potential = -1.5 [N*m*s] * (case.omega in case).z
        initially case.orientation == about x 40 [deg]
        initially (case.omega in case) == (0.4, 0, 0.7) [rad/s]";
    let k = ((3.0 - 2.0) * 0.7 + 1.5) / 2.0;
    for rotations in [Rotations::Minimal, Rotations::Quaternion] {
        let table = Scene::new(scene).rotations(rotations).probe(&["case.omega in case"]).run(8.0, 0.5);
        for (row, &t) in table.times.iter().enumerate() {
            let expected = [0.4 * (k * t).cos(), 0.4 * (k * t).sin(), 0.7];
            assert_vectors_near(&format!("at t = {t}"), table.vectors("(case.omega in case)")[row], expected, 1e-9);
        }
    }
}

#[test]
fn a_potential_of_accelerations_is_refused() {
    let scene = "body b { position = (free, 0, 0); mass = 1 [kg] }\npotential = 1 [kg*m] * b.acceleration.x";
    let found = Scene::new(scene).compile().diagnostics;
    assert!(found.iter().any(|found| found.code.0 == "acceleration-force"), "{found:?}");
}
