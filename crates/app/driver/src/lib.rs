//! The driver: ties the stages together in one function, for whatever shows scenes to a person.

mod automaton;
mod blame;
mod build;
mod candidates;
mod checks;
mod codes;
mod compose;
mod continuity;
mod data;
mod delays;
mod dense;
mod drift;
mod explain;
mod export;
mod failure;
#[cfg(not(target_arch = "wasm32"))]
mod fmu;
mod instance;
mod interface;
mod left_out;
pub mod library;
mod linearization;
mod list;
mod meeting;
mod modes;
mod pages;
mod pipeline;
mod play;
mod questions;
mod reach;
mod sensitivity;
mod settings;
mod skeleton;
mod solver;
mod start;
mod tex;
mod told;
mod touching;
mod trouble;
mod trust;
pub mod used;
mod whiplash;

pub use automaton::{Arrow, ModeDiagram, diagrams};
pub use backend_c::Fmi;
pub use build::{Build, File, Target, build};
pub use checks::{Answer, Finding, check_modes, findings};
pub use codes::{BAD_SETTING, UNKNOWN_SETTING, all as codes};
pub use equations::Form;
pub use explain::{Stage, explain, explain_equations, explain_json, role_name};
pub use export::{export, export_for_many};
pub use expr::Notation;
pub use failure::describe;
#[cfg(not(target_arch = "wasm32"))]
pub use fmu::{Fmu, Reference, fmu};
pub use instance::Instance;
pub use linearization::{
    Answer as Oscillation, At, Dynamics, Linearization, Matrix, Mode, Motion as LocalMotion, Quantity, Regulator,
    Transfer, Weight, Weights, equilibrium_text, linearization_json, linearization_text, linearize, linearize_present,
    oscillations, regulator, regulator_json, regulator_text, step, transfer_json, transfer_text, transfers,
};
pub use list::split_list;
pub use modes::{is_changing, mode_named};
pub use pages::{PAGES, Page, page};
pub use pipeline::{
    Compilation, Options, STACK, Stages, Timing, compile, compile_mode, explicit_order, implicit_order, machine,
};
pub use play::{Played, Watch, play, run_and_warn};
pub use questions::{
    Answer as FoundAnswer, Answers, Asking, Curve, DeadEnd, Piece, Reply, Suggestion, Table, Told, Way, answers_json,
    answers_text, ask, told_answer,
};
pub use settings::{Adjustable, Settings, apply, ends_of_range, judge_settings, range_of_parameter};
pub use skeleton::skeleton;
pub use solver::{Solver, Trial, machine_as_suits};
pub use start::{assumptions, told_assumptions};
pub use tex::equations_tex;
pub use told::{Happening, describe_rests, happenings};
pub use trouble::{describe_failure, describe_warnings};

pub use equations::{Control as SystemControl, FigurePlace, Parameter as SystemParameter};
pub use host::Compiled;
pub use mechanics::{Families, Rotations};
pub use model::note_passing;
pub use program::Level;
pub use simulation::{
    ContactSteps, Event, Failure, FailureKind, Hash, Monitor, Run, SideBySide, Simulation, Snapshot, Statistics,
    Summary, Traveller, run, run_in_lanes, times_of_rows,
};
pub use syntax::format;
