//! What a program asks of a unit, by number: the results of its foreign function, and the order of the arguments.
//!
//! Arguments are what the author may choose before the run (parameters, then starts of states), the token of what has happened so far, the time, the
//! states, and the inputs. Everything is in SI units outside, and in the units of the description inside.

use crate::description::{Description, Interface};

/// How many there are of each, and where they begin.
#[derive(Clone)]
pub struct Layout {
    pub parameters: Vec<usize>,
    /// Of states, by their places among them.
    pub starts: Vec<usize>,
    pub states: usize,
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
    pub indicators: usize,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The rate of a state.
    Rate(usize),
    Output(usize),
    /// How far an event is away, by an indicator: positive before it.
    Margin(usize),
    /// How long it is until an event whose instant is known.
    Due,
    /// The state at the start.
    Start(usize),
    /// The output at the start.
    StartOutput(usize),
    /// The token after an event, or after a sample.
    Token,
    /// The state after an event.
    After(usize),
}

impl Layout {
    pub fn new(description: &Description, interface: Interface) -> Layout {
        let exchanges = interface == Interface::ModelExchange;
        Layout {
            parameters: description.parameters(),
            starts: description.chosen_starts(),
            states: if exchanges { description.states.len() } else { 0 },
            inputs: description.inputs(),
            outputs: match exchanges {
                true => description.outputs(),
                // A unit that integrates by itself shows its states as outputs only.
                false => {
                    let all = 0..description.variables.len();
                    let shown = |at: &usize| description.variables[*at].causality == "output";
                    all.filter(shown).filter(|&at| description.is_number(at)).collect()
                }
            },
            indicators: if exchanges { description.indicators } else { 0 },
        }
    }

    /// How many arguments are chosen before the run.
    pub fn given(&self) -> usize {
        self.parameters.len() + self.starts.len()
    }

    /// All of them: what is given, the token, the time, states and inputs.
    pub fn arguments(&self) -> usize {
        self.given() + 2 + self.states + self.inputs.len()
    }

    /// Everything that can be asked for, in the order of its numbers.
    pub fn all(&self) -> Vec<Asked> {
        let mut all: Vec<Asked> = (0..self.states).map(Asked::Rate).collect();
        all.extend((0..self.outputs.len()).map(Asked::Output));
        all.extend((0..self.indicators).map(Asked::Margin));
        all.extend((0..self.states).map(Asked::Start));
        all.extend((0..self.outputs.len()).map(Asked::StartOutput));
        all.extend((0..self.states).map(Asked::After));
        all.extend([Asked::Due, Asked::Token]);
        all
    }
}
