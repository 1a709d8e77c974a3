//! Texts as their authors lay them out.

pub const TEXTS: &[&str] = &[
    include_str!("pendulum.ansatz"),
    include_str!("coaster.ansatz"),
    include_str!("train.ansatz"),
    include_str!("particles.ansatz"),
    include_str!("three_particles.ansatz"),
    include_str!("rigid_bodies.ansatz"),
    include_str!("hinged_blocks.ansatz"),
    include_str!("circuits.ansatz"),
    include_str!("ac_circuit.ansatz"),
    include_str!("../../../../../examples/traffic_control.anz"),
    include_str!("../../../../../examples/robot_on_track_phases.anz"),
];
