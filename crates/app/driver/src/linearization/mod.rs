//! Linearisation: the state-space model x′ = A x + B u, y = C x + D u of a scene around its start or an equilibrium, and its modes.
//!
//! All derivatives are those of the model's own expressions. What is solved for on the way (accelerations, forces, currents) is
//! eliminated by implicit differentiation; where constraints hold, as many states are left as can be chosen independently.

mod dynamics;
mod eigenvalues;
mod equilibrium;
mod held;
mod independent;
mod matrix;
mod modes;
mod moment;
mod regulator;
mod response;
mod riccati;
mod surroundings;
mod text;

use base::{Diagnostic, Diagnostics, Unit};
use expr::SymbolId;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::instance::Instance;
use crate::pipeline::Stages;
use crate::settings::Settings;
use crate::told;
use held::Held;
use independent::independent;
use moment::Moment;
use surroundings::{Slopes, Surroundings, Unsettled};

pub use dynamics::Dynamics;
pub(crate) use eigenvalues::eigenvalues;
pub use matrix::Matrix;
pub(crate) use matrix::solve as solve_matrix;
pub use modes::Mode;
pub use regulator::{Regulator, Weight, Weights, regulator};
pub use response::{Answer, Transfer, oscillations, step, transfers};
pub use text::{
    equilibrium_text, linearization_json, linearization_text, regulator_json, regulator_text, transfer_json,
    transfer_text,
};

/// Where a scene is linearised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// At the start if it rests or moves steadily, else at an equilibrium near it.
    #[default]
    Anywhere,
    Initial,
    Equilibrium,
}

pub struct Linearization {
    pub scene: String,
    /// How many steps it took to find the equilibrium; none if this is the start, or a moment of a run.
    pub steps: Option<usize>,
    /// When it is there, if this is a moment of a run.
    pub time: Option<f64>,
    /// What touches there, and is taken to go on touching as it does: `ball and floor`.
    pub touching: Vec<String>,
    pub motion: Motion,
    /// Whether the rates depend on the time itself.
    pub driven: bool,
    /// Independent states.
    pub states: Vec<Quantity>,
    /// States that follow from these by constraints.
    pub dependent: Vec<Quantity>,
    pub inputs: Vec<Quantity>,
    pub outputs: Vec<Quantity>,
    pub a: Matrix,
    pub b: Matrix,
    pub c: Matrix,
    pub d: Matrix,
    pub modes: Vec<Mode>,
}

/// How the scene moves where it was linearised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Nothing changes.
    Rest,
    /// Some states change at constant rates, on which nothing depends: the model holds along the way.
    Steady,
    /// The state is left at once: the model holds for an instant.
    Passing,
}

/// In SI units.
#[derive(Clone, Debug)]
pub struct Quantity {
    pub name: String,
    pub unit: Option<String>,
    pub value: f64,
    /// How fast a state changes.
    pub rate: f64,
}

/// Larger scenes are refused: their matrices are for machines, not for people, and take minutes.
const LARGEST: usize = 600;

/// The scene has to be compiled without being decomposed: see [`Level::None`](program::Level).
pub fn linearize(stages: &Stages, settings: &Settings, at: At) -> Result<Linearization, Diagnostics> {
    let moment = Moment::start(stages, settings)?;
    let (mut near, local, touching) = local(&moment)?;
    if at == At::Initial || (at == At::Anywhere || !touching.is_empty()) && local.motion != Motion::Passing {
        return finish(local, stages, &near, None, touching).map_err(one);
    }
    if !touching.is_empty() {
        return Err(one(restless_contact(stages)));
    }
    near.set_state(&moment.states);
    let steps = equilibrium::find(&mut near).map_err(|restless| one(no_equilibrium(&near, restless)))?;
    let slopes = near.slopes().map_err(|unsettled| one(undetermined(stages, &unsettled)))?;
    finish(Local::new(stages, &near, slopes), stages, &near, Some(steps), Vec::new()).map_err(one)
}

/// The model where a run is at a time within its last step, in the mode that it is in there. The scene has to be compiled without being
/// decomposed, as for [`linearize`].
pub fn linearize_present(run: &mut Instance, t: f64) -> Result<Linearization, Diagnostics> {
    let part = run.present();
    let moment = Moment::present(run, &part.stages, t)?;
    let (near, local, touching) = local(&moment)?;
    let found = finish(local, &part.stages, &near, None, touching).map_err(one)?;
    Ok(Linearization { time: Some(t), ..found })
}

fn one(diagnostic: Diagnostic) -> Diagnostics {
    [diagnostic].into_iter().collect()
}

/// The model at a moment, what it was made of, and what touches there.
fn local(moment: &Moment<'_>) -> Result<(Surroundings, Local, Vec<String>), Diagnostics> {
    let stages = moment.stages;
    let (mut near, held) = around(moment)?;
    near.settle().map_err(|unsettled| one(undetermined(stages, &unsettled)))?;
    let slopes = near.slopes().map_err(|unsettled| one(undetermined(stages, &unsettled)))?;
    let slopes = match &held {
        Some(held) => held.in_place_of(slopes),
        None => slopes,
    };
    let local = Local::new(stages, &near, slopes);
    Ok((near, local, held.map_or(Vec::new(), |held| held.pairs)))
}

/// What is around the consistent start of a run with these settings, in which nothing touches.
fn start(stages: &Stages, settings: &Settings) -> Result<Surroundings, Diagnostics> {
    match around(&Moment::start(stages, settings)?)? {
        (near, None) => Ok(near),
        (_, Some(_)) => Err(told::touching(stages).into_iter().collect()),
    }
}

/// What is around a moment, and how what touches there changes it.
fn around(moment: &Moment<'_>) -> Result<(Surroundings, Option<Held>), Diagnostics> {
    let stages = moment.stages;
    let mut point = moment.point();
    let mut held = None;
    if let Some(contacts) = &stages.program.contacts {
        if let Some(asked) = told::gap_asked(stages) {
            return Err(one(asked));
        }
        point.extend(contacts.wrenches.iter().chain(&contacts.seen).map(|&known| (known, 0.0)));
        if moment.touches {
            held = Some(Held::at(moment, &mut point)?);
        }
    }
    if kernel::foreign::is_in(&stages.module) {
        let message = "a scene with an FMU inside has no linear model: the equations of the unit are not known here";
        let hint = "run it with small changes of its parameters, with `ansatz sweep`, and compare";
        return Err(one(Diagnostic::error(codes::NO_LINEARISATION, message).hint(hint)));
    }
    let refused = |message: &str| Diagnostic::error(codes::NO_LINEARISATION, message);
    match program::local_equations(&stages.program) {
        Some(equations) if equations.states.len() + equations.between.len() <= LARGEST => {
            Ok((Surroundings::new(&stages.program, equations, point), held))
        }
        Some(equations) => {
            let count = equations.states.len() + equations.between.len();
            let refused = refused(&format!("the scene has {count} states, forces and the like"));
            Err(one(refused.note(format!("up to {LARGEST} are linearised")).hint("linearise a smaller part of it")))
        }
        None => {
            let refused = refused("some quantities of the scene are not determined one by one");
            Err(one(refused.hint("leave out constraints that follow from others")))
        }
    }
}

/// The model at one state, before its modes are known.
struct Local {
    places: Vec<usize>,
    motion: Motion,
    driven: bool,
    rates: Vec<f64>,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    d: Matrix,
}

impl Local {
    fn new(stages: &Stages, near: &Surroundings, slopes: Slopes) -> Local {
        let constants: FxHashSet<SymbolId> = stages
            .system
            .variables
            .iter()
            .filter(|variable| variable.constant)
            .map(|variable| variable.symbol)
            .collect();
        let states = &near.equations.states;
        let moving: Vec<bool> = states.iter().map(|state| !constants.contains(&state.symbol)).collect();
        let arena = &stages.program.arena;
        let place = |symbol: SymbolId| states.iter().position(|state| state.symbol == symbol);
        let speed_of: Vec<Option<usize>> =
            near.equations.rates.iter().map(|&rate| arena.as_symbol(rate).and_then(place)).collect();
        let chosen = independent(&slopes.constraints, &speed_of, &moving);
        let pick = |rows: &Matrix| -> Matrix { chosen.places.iter().map(|&at| rows[at].clone()).collect() };
        let a = matrix::product(&pick(&slopes.a), &chosen.follow);
        let rates = near.rates();
        let rates: Vec<f64> = chosen.places.iter().map(|&at| rates[at]).collect();
        let by_time: Vec<f64> = chosen.places.iter().map(|&at| slopes.by_time[at]).collect();
        let values = near.state();
        let values: Vec<f64> = chosen.places.iter().map(|&at| values[at]).collect();
        Local {
            motion: motion(&a, &values, &rates),
            driven: by_time.iter().any(|slope| slope.abs() > 0.0),
            b: pick(&slopes.b),
            c: matrix::product(&slopes.c, &chosen.follow),
            d: slopes.d,
            places: chosen.places,
            rates,
            a,
        }
    }
}

/// Rates that are rounding, or that do not change.
fn motion(a: &Matrix, values: &[f64], rates: &[f64]) -> Motion {
    // Rates beside what the entries of their row could make of the state: projections leave about 1e-10.
    const ROUNDING: f64 = 1e-9;
    let largest = |numbers: &[f64]| numbers.iter().fold(1.0_f64, |largest, number| largest.max(number.abs()));
    let weight = |row: &Vec<f64>| row.iter().map(|entry| entry.abs()).sum::<f64>();
    let rests = |(row, rate): (&Vec<f64>, &f64)| rate.abs() <= ROUNDING * (weight(row) * largest(values)).max(1e-3);
    if a.iter().zip(rates).all(rests) {
        return Motion::Rest;
    }
    let changes = matrix::times(a, rates);
    let stays = |(row, change): (&Vec<f64>, &f64)| change.abs() <= ROUNDING * weight(row) * largest(rates);
    if a.iter().zip(&changes).all(stays) { Motion::Steady } else { Motion::Passing }
}

fn finish(
    found: Local,
    stages: &Stages,
    near: &Surroundings,
    steps: Option<usize>,
    touching: Vec<String>,
) -> Result<Linearization, Diagnostic> {
    let Local { places, motion, driven, rates, a, b, c, d } = found;
    if let Some(steep) = (0..a.len()).find(|&row| a[row].iter().any(|slope| !slope.is_finite())) {
        return Err(too_steep(near, places[steep]));
    }
    let Some(modes) = modes::modes(&a) else {
        let message = "the eigenvalues of this scene cannot be computed";
        return Err(Diagnostic::error(codes::NO_LINEARISATION, message)
            .note("its derivatives differ too much in size")
            .hint("choose parameters that differ less"));
    };
    let values = near.state();
    let states: Vec<Quantity> = (near.equations.states.iter().zip(&values))
        .map(|(state, &value)| Quantity {
            name: state.name.clone(),
            unit: Some(state.dimension.to_string()).filter(|unit| unit != "1"),
            value,
            rate: 0.0,
        })
        .collect();
    let chosen = places.iter().zip(&rates).map(|(&at, &rate)| Quantity { rate, ..states[at].clone() }).collect();
    let dependent = states.iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, state)| state.clone());
    let named = |unit: &Unit| Some(unit.text.clone()).filter(|text| text != "1");
    let inputs = stages.system.controls.iter().map(|control| Quantity {
        name: control.name.clone(),
        unit: named(&Unit { scale: 1.0, ..control.unit.clone() }),
        value: near.point[&control.symbol],
        rate: 0.0,
    });
    let outputs = stages.program.outputs.iter().zip(near.outputs());
    let outputs = outputs.map(|(output, value)| Quantity { name: output.name.clone(), unit: None, value, rate: 0.0 });
    Ok(Linearization {
        scene: stages.program.name.clone(),
        steps,
        time: None,
        touching,
        motion,
        driven,
        states: chosen,
        dependent: dependent.collect(),
        inputs: inputs.collect(),
        outputs: outputs.collect(),
        a,
        b,
        c,
        d,
        modes,
    })
}

fn no_equilibrium(near: &Surroundings, restless: usize) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::NO_EQUILIBRIUM, "no equilibrium was found from the start of this scene");
    let diagnostic = match near.equations.states.get(restless) {
        Some(state) => diagnostic.at(state.span, format!("`{}` goes on changing", state.name)),
        None => diagnostic,
    };
    diagnostic
        .hint("begin nearer to one, with `initially` or `--set`")
        .hint("a scene that moves steadily is linearised there with `--at initial`")
}

fn restless_contact(stages: &Stages) -> Diagnostic {
    let message = "things touch at this state, and it is left at once: equilibria are looked for where nothing touches";
    let diagnostic = Diagnostic::error(codes::NO_EQUILIBRIUM, message);
    let diagnostic = match &stages.system.contacts {
        Some(set) => diagnostic.at(set.pairs[0].span, "by this contact"),
        None => diagnostic,
    };
    diagnostic.hint("begin at rest, with `initially` or `--set`; or linearise what moves there, with `--at initial`")
}

fn too_steep(near: &Surroundings, state: usize) -> Diagnostic {
    let state = &near.equations.states[state];
    let message = format!("the rate of `{}` has no finite slope at this state", state.name);
    Diagnostic::error(codes::NO_LINEARISATION, message)
        .at(state.span, "there is no tangent to what it follows")
        .hint("begin at another state, with `initially` or `--set`")
}

fn undetermined(stages: &Stages, unsettled: &Unsettled) -> Diagnostic {
    let message = match unsettled.symbol {
        Some(symbol) => format!("`{}` is not determined at this state", stages.program.arena.symbol_name(symbol)),
        None => "the equations of this scene have no finite solution at this state".to_string(),
    };
    Diagnostic::error(codes::NO_LINEARISATION, message)
        .note("where constraints depend on one another, as at a dead centre, there is no linear model")
        .hint("begin at another state, with `initially` or `--set`")
}
