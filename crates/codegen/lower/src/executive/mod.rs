//! The executive: the modules of modes side by side, and between them what changes from one to the other.
//!
//! Only one mode is present at a time; what the executive asks of it goes through one function for each entry point, which hands the call on to the
//! present mode. An export has all modes that can be reached. A run has those that were reached so far: where another is reached, the executive
//! says so before anything has happened, and goes on in the module that has it too.

mod claims;
mod crossing;
mod elimination;
mod entries;
mod exchange;
mod instant;
mod least;
mod modes;
mod plan;
mod quadratic;
mod shooting;
mod stop;
mod transition;
mod warnings;

use kernel::{ArrayId, Module, ModuleBuilder};
use program::{Program, Watcher};

use crate::search::attempt;

/// A scene with modes, as far as it matters to its program.
pub struct Automaton<'a> {
    pub name: &'a str,
    /// In the order in which they were made, those for rehearsals among them; the first is the one at the start.
    pub modes: Vec<Mode<'a>>,
    /// Whether modes can be reached that are not there: these are asked for.
    pub is_open: bool,
    /// Along how many directions rehearsals know derivatives; none if there are no plans.
    pub directions: usize,
    /// The most numbers that any plan aims at or limits.
    pub goals: usize,
    /// The names of the mode variables.
    pub mode_names: Vec<String>,
    /// The names of all transitions of the scene.
    pub transitions: Vec<String>,
    pub claims: Vec<Watcher>,
    /// How many conditions the claims speak of.
    pub conditions: usize,
    /// Transitions that begin a phase which ends after some time, and where the time of that end is kept.
    pub dues: Vec<(usize, usize)>,
    /// Transitions that end the run, by their numbers.
    pub stops: Vec<usize>,
    /// How many of the last transitions are remembered: a power of two, [`kernel::protocol::EVENTS`] but where memory is dear.
    pub events: usize,
}

impl<'a> Automaton<'a> {
    /// Those in which a run may be.
    fn run(&self) -> impl Iterator<Item = &Mode<'a>> + Clone {
        self.modes.iter().filter(|mode| !mode.is_rehearsed())
    }

    /// A table about the modes. In a program that grows it has room for more of them, because where it has to grow, all that stands behind it moves.
    fn table(&self, module: &mut ModuleBuilder, name: &str, mut values: Vec<i64>, note: &str) -> ArrayId {
        let room = if self.is_open { values.len().next_power_of_two().max(ROOM) } else { values.len() };
        // Nothing looks into an empty table, but it has to be one.
        values.resize(room.max(1), 0);
        module.integers(name, &values, note)
    }

    /// Those in which plans are rehearsed.
    fn rehearsed(&self) -> impl Iterator<Item = &Mode<'a>> + Clone {
        self.modes.iter().filter(|mode| mode.is_rehearsed())
    }
}

/// The least numbers that a table about modes has room for in a program that grows.
const ROOM: usize = 256;

pub struct Mode<'a> {
    /// An identifier, which begins the names of all that belongs to the mode.
    pub label: String,
    /// The value of each mode variable.
    pub values: &'a [usize],
    pub program: &'a Program,
    pub module: &'a Module,
}

impl Mode<'_> {
    fn is_rehearsed(&self) -> bool {
        self.program.directions > 0 && self.program.varied.is_empty()
    }
}

/// The module of an automaton. Needs: modules of the modes that follow the protocol. Gives: one that follows it too, and
/// `protocol::CONCLUDE`.
pub fn lower_executive(automaton: &Automaton<'_>) -> Module {
    Linkage::default().link(automaton)
}

/// What was made of an automaton so far, for one to which modes are added.
#[derive(Default)]
pub struct Linkage {
    linked: Option<(ModuleBuilder, modes::TakenIn)>,
}

impl Linkage {
    /// The module of an automaton as [`lower_executive`] makes it. Its first modes are those of the last call; they are not taken in again.
    pub fn link(&mut self, automaton: &Automaton<'_>) -> Module {
        let mut executive = ModuleBuilder::new(automaton.name);
        let modes = modes::outline(&mut executive, automaton);
        let claims = claims::watching(&mut executive, automaton, &modes);
        let crossing = crossing::searching(&mut executive, automaton, &modes, claims.as_ref());
        let changing = transition::changing(&mut executive, automaton, &modes, &crossing, claims.as_ref());
        entries::entries(&mut executive, automaton, &modes, &crossing, &changing, claims.as_ref());
        exchange::exchange(&mut executive, automaton, &modes, &crossing, &changing);
        executive.remove_unused();
        let mut known = self.linked.take();
        let fits = known.as_mut().is_some_and(|(module, it)| it.fits(&executive) && module.renew(&executive));
        let (mut module, mut taken_in) = known.filter(|_| fits).unwrap_or_else(|| {
            let taken_in = modes::TakenIn::behind(&executive);
            (executive, taken_in)
        });
        modes::take_in(&mut module, automaton, &modes, &mut taken_in);
        let finished = module.clone().finish();
        self.linked = automaton.is_open.then_some((module, taken_in));
        finished
    }
}
