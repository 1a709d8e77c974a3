//! Linear models where things touch: contacts hold, slide or roll as they do now, and the program that follows them tells how rates change.

use base::{Diagnostic, Diagnostics};
use equations::ContactSet;
use expr::Point;
use kernel::{Module, protocol};
use program::Program;
use simulation::Simulation;

use super::matrix::Matrix;
use super::moment::Moment;
use super::one;
use super::surroundings::Slopes;
use crate::codes;
use crate::failure::describe;
use crate::pipeline::{Stages, in_all_directions, machine};
use crate::sensitivity::unknown_of_contact;

/// More states than these have too many derivatives by one another to be followed at once.
const MOST_STATES: usize = 60;
/// A force within this part of the edge of its cone may begin to slip at once.
const EDGE: f64 = 1e-6;
/// States of held points, as programs number them.
const SLIDING: i64 = 2;
const STICKING: i64 = 3;

/// Derivatives at a state in which things touch.
pub struct Held {
    a: Matrix,
    b: Matrix,
    c: Matrix,
    d: Matrix,
    /// How gaps of held points change with the states, and the speeds of rows that are kept at zero.
    gaps: Matrix,
    speeds: Matrix,
    /// `ball on floor`
    pub pairs: Vec<String>,
}

impl Held {
    /// What touches at a moment; forces of contact are put into the point.
    pub fn at(moment: &Moment<'_>, point: &mut Point) -> Result<Held, Diagnostics> {
        let Moment { stages, states, .. } = moment;
        let set = stages.system.contacts.as_ref().expect("something touches");
        if let Some(symbol) = unknown_of_contact(&stages.program) {
            let name = stages.program.arena.symbol_name(symbol);
            let refused = refused(set, &format!("how `{name}` changes is not known where things touch"));
            return Err(one(refused.hint("leave it out of what is plotted")));
        }
        if states.len() > MOST_STATES {
            let message = format!("{} states are too many for a linear model of things that touch", states.len());
            return Err(one(refused(set, &message).note(format!("up to {MOST_STATES} are linearised"))));
        }
        let (program, module) = in_all_directions(stages);
        let code = machine(&module).map_err(one)?;
        let mut simulation = Simulation::new(&module, code);
        moment.parameters.iter().enumerate().for_each(|(at, &value)| simulation.set_parameter(at, value));
        moment.controls.iter().enumerate().for_each(|(at, &value)| simulation.set_control(at, value));
        let outputs = follow_all(&mut simulation, &program, moment);
        let outputs = outputs.map_err(|failure| one(describe(&failure, stages, &simulation)))?;
        let reading = Reading { module: &module, simulation: &simulation };
        reading.forces(stages, point);
        let pairs = reading.pairs(set).map_err(one)?;
        let rates = simulation.rates();
        let (n, directions) = (program.integrated(), program.directions);
        let matrix = |numbers: &[f64], height: usize, along: std::ops::Range<usize>| -> Matrix {
            let entry = |row: usize, direction: usize| numbers[height * (1 + direction) + row];
            (0..height).map(|row| along.clone().map(|direction| entry(row, direction)).collect()).collect()
        };
        let recorded = outputs.len() / (1 + directions);
        let (gaps, speeds) = reading.rows(n, directions);
        Ok(Held {
            a: matrix(&rates, n, 0..n),
            b: matrix(&rates, n, n..directions),
            c: matrix(&outputs, recorded, 0..n),
            d: matrix(&outputs, recorded, n..directions),
            gaps,
            speeds,
            pairs,
        })
    }

    /// The derivatives of the model, with those of contact in their place.
    pub fn in_place_of(&self, free: Slopes) -> Slopes {
        let constraints = [self.gaps.clone()].into_iter().chain(free.constraints).chain([self.speeds.clone()]);
        Slopes {
            a: self.a.clone(),
            b: self.b.clone(),
            c: self.c.clone(),
            d: self.d.clone(),
            constraints: constraints.filter(|group| !group.is_empty()).collect(),
            by_time: free.by_time,
        }
    }
}

/// Sets the derivatives of the states along themselves, and gives what is recorded with its derivatives.
fn follow_all(
    simulation: &mut Simulation,
    program: &Program,
    moment: &Moment<'_>,
) -> Result<Vec<f64>, simulation::Failure> {
    simulation.configure(1e-12, f64::INFINITY)?;
    let mut states = vec![0.0; simulation.states()?.len()];
    let n = program.integrated();
    states[..n].copy_from_slice(&moment.states[..n]);
    (0..n).for_each(|at| states[n * (1 + at) + at] = 1.0);
    simulation.resume(moment.t, &states)?;
    simulation.observe(moment.t)
}

struct Reading<'a> {
    module: &'a Module,
    simulation: &'a Simulation,
}

/// Whether anything touches, and does not part at once.
pub fn touches(module: &Module, simulation: &Simulation) -> bool {
    let reading = Reading { module, simulation };
    reading.held() > 0 || reading.loose()
}

impl Reading<'_> {
    fn reals(&self, name: &str) -> Vec<f64> {
        let array = self.module.find_array(name);
        array.map_or(Vec::new(), |it| self.simulation.memory().reals(self.module.layout().range(it)).collect())
    }

    fn integers(&self, name: &str) -> Vec<i64> {
        let memory = self.simulation.memory();
        let array = self.module.find_array(name);
        array.map_or(Vec::new(), |it| self.module.layout().range(it).map(|cell| memory.integer(cell)).collect())
    }

    fn held(&self) -> usize {
        self.integers("contact_held").first().map_or(0, |&held| held as usize)
    }

    /// Whether points touch without a force. They stand behind those that are held.
    fn loose(&self) -> bool {
        let left = self.integers("contact_left").first().map_or(0, |&left| left as usize);
        self.integers("contact_parting").iter().skip(self.held()).take(left).any(|&parts| parts == 0)
    }

    /// Forces of contact, and what is seen of pairs, where the model has symbols for them.
    fn forces(&self, stages: &Stages, point: &mut Point) {
        let Some(contacts) = &stages.program.contacts else { return };
        point.extend(contacts.wrenches.iter().copied().zip(self.reals("contact_wrench")));
        point.extend(contacts.seen.iter().copied().zip(self.reals("contact_seen")));
    }

    /// What holds, in words; or why that is not for long.
    fn pairs(&self, set: &ContactSet) -> Result<Vec<String>, Diagnostic> {
        let (states, starting) = (self.integers("contact_state"), self.integers("contact_starting"));
        let (force, friction) = (self.reals("contact_force"), self.reals("contact_friction"));
        let (pair, of) = (self.integers("contact_pair"), self.integers("contact_of"));
        let mut names = Vec::new();
        for point in 0..self.held() {
            let at = of[pair[point] as usize] as usize;
            let [a, b] = set.pairs[at].things.map(|thing| set.things[thing].name.as_str());
            let [normal, along, across] = [0, 1, 2].map(|row| force[3 * point + row]);
            let spare = friction[at] * normal - (along * along + across * across).sqrt();
            let slips = states[point] == STICKING && spare <= EDGE * friction[at] * normal;
            let begins = states[point] == SLIDING && starting[point] != 0 && friction[at] > 0.0;
            if slips || begins || !(states[point] == SLIDING || states[point] == STICKING) {
                let message =
                    format!("`{a}` and `{b}` touch at this state and are about to slip: there is no one linear model");
                return Err(refused_at(set, at, &message).hint("begin where friction holds or slides"));
            }
            let name = format!("{a} and {b}");
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if self.loose() {
            let message =
                "things touch at this state without a force, and may part or not: there is no one linear model";
            return Err(refused(set, message).hint("begin where they are apart, or press on one another"));
        }
        Ok(names)
    }

    /// How gaps and speeds of rows that are kept at zero change with each state.
    fn rows(&self, n: usize, directions: usize) -> (Matrix, Matrix) {
        let gaps = self.reals(protocol::CONTACT_GAP_SLOPES);
        let speeds = self.reals(protocol::CONTACT_SPEED_SLOPES);
        let capacity = gaps.len() / directions.max(1);
        let (held, states) = (self.held(), self.integers("contact_state"));
        let along = |numbers: &[f64], width: usize, at: usize| -> Vec<f64> {
            (0..n).map(|direction| numbers[direction * width + at]).collect()
        };
        let positions = (0..held).map(|point| along(&gaps, capacity, point)).collect();
        let kept = (0..held).flat_map(|point| {
            let rows = if states[point] == STICKING { 3 } else { 1 };
            (0..rows).map(move |row| 3 * point + row)
        });
        (positions, kept.map(|row| along(&speeds, 3 * capacity, row)).collect())
    }
}

fn refused(set: &ContactSet, message: &str) -> Diagnostic {
    refused_at(set, 0, message)
}

fn refused_at(set: &ContactSet, pair: usize, message: &str) -> Diagnostic {
    Diagnostic::error(codes::NO_LINEARISATION, message).at(set.pairs[pair].span, "by this contact")
}
