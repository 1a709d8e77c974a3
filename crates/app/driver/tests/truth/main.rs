//! Tests of truth: what the compiled programs compute, held against what is known without them.
//!
//! Nothing here compares with an earlier output of the compiler. The yardsticks are trajectories from independent
//! high-precision solutions, closed forms, laws of conservation, other formulations of the same system, and the kernel
//! interpreter. All of it is one test program, because every test needs the whole compiler.

// Closed forms may use what the platform has, and published digits stay as published: they are compared with a tolerance.
#![allow(clippy::disallowed_methods, clippy::excessive_precision, clippy::needless_range_loop)]

mod exact;
#[path = "../../../../physics/mechanics/tests/laws/random.rs"]
mod random;
mod scene;

mod reactions;
mod reference;

mod changing_mass;
mod data;
mod delays;
mod magnetic;
mod orbits;
mod oscillations;
mod prescribed;
mod rolling;
mod spinning;
mod stiff;
mod stops;
mod switches;
mod textbook;

mod contact;
mod contact_hills;
mod contact_jams;
mod contact_laws;
mod contact_pairs;
mod contact_plans;
mod contact_rest;
mod contact_rims;
mod contact_rings;
mod contact_steps;
mod contact_surfaces;

mod actuation;
mod beside_laws;
mod board;
mod chains;
mod joints;
mod loops;
mod published;

mod changes;
mod checks;
mod claims;
mod least;
mod own_laws;
mod transitions;
mod walking;

mod clocks;
mod conservation;
mod invariance;
mod representations;

mod machines;
mod picture;
mod settings;

mod chapters;
