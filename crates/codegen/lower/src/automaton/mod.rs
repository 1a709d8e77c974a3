//! A program of all modes: the modules of the modes side by side, and between them what changes from one to the other.
//!
//! It does what `simulation::Hybrid` does in a run, step by step and bit by bit, but needs nobody to make programs on the way: so it can
//! leave the house. Only one mode is present at a time; what the executive asks of it goes through one function for each entry point,
//! which hands the call on to the present mode.

mod claims;
mod crossing;
mod entries;
mod modes;
mod plan;
mod shooting;
mod transition;
mod warnings;

use kernel::{Module, ModuleBuilder};
use program::Program;

/// A scene with modes, as far as it matters to its program.
pub struct Automaton<'a> {
    pub name: &'a str,
    /// All modes that can be reached; the first is the one at the start.
    pub modes: Vec<Mode<'a>>,
    /// The same modes once more, with derivatives, for the rehearsals of plans; none if there are no plans.
    pub rehearsed: Vec<Mode<'a>>,
    /// The names of the mode variables.
    pub mode_names: Vec<String>,
    /// The names of all transitions of the scene.
    pub transitions: Vec<String>,
    pub claims: Vec<Claim>,
    /// How many conditions the claims speak of.
    pub conditions: usize,
}

impl<'a> Automaton<'a> {
    /// All modes, then those of rehearsals. Only one of all these is present at a time.
    fn all(&self) -> impl Iterator<Item = &Mode<'a>> + Clone {
        self.modes.iter().chain(&self.rehearsed)
    }
}

pub struct Mode<'a> {
    /// An identifier, which begins the names of all that belongs to the mode.
    pub label: String,
    /// The value of each mode variable.
    pub values: &'a [usize],
    pub program: &'a Program,
    pub module: &'a Module,
}

/// What is to be watched, as a machine of finitely many states: 0 is the first.
pub struct Claim {
    /// Those that matter.
    pub conditions: Vec<usize>,
    /// For each state, without and with a transition that follows at once, and for each way in which the conditions may hold: the next
    /// state. The first condition is the lowest bit.
    pub next: Vec<usize>,
    /// From which there is no way back.
    pub refuted: Option<usize>,
    /// Whether nothing more has to be seen.
    pub fulfilled: Vec<bool>,
}

/// The module of an automaton. Needs: modules of the modes that follow the protocol. Gives: one that follows it too, and
/// `protocol::CONCLUDE`.
pub fn lower_automaton(automaton: &Automaton<'_>) -> Module {
    let mut module = ModuleBuilder::new(automaton.name);
    let modes = modes::take_in(&mut module, automaton);
    let claims = claims::watching(&mut module, automaton, &modes);
    let crossing = crossing::searching(&mut module, &modes, claims.as_ref());
    let changing = transition::changing(&mut module, automaton, &modes, &crossing, claims.as_ref());
    entries::entries(&mut module, automaton, &modes, &crossing, &changing, claims.as_ref());
    let mut module = module.finish();
    kernel::remove_unused(&mut module);
    module
}

/// Leaves the function with the status of another if that failed.
fn attempt(f: &mut kernel::FunctionBuilder, function: kernel::FunctionId, arguments: impl kernel::Operands) {
    use kernel::{Term, protocol};
    let status = f.call1(function, arguments);
    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
}
