//! The data of the program.

use std::sync::Arc;

use base::{Dimension, Span};
use equations::Family;
use expr::{Arena, Expr, Node, Operator, Point, Substitution, SymbolId};

use rustc_hash::FxHashSet;

use crate::contact::Contacts;
use crate::rows::RowChoice;
use crate::switch::Switches;

pub struct Program {
    pub name: String,
    pub arena: Arc<Arena>,
    pub parameters: Vec<ParameterInput>,
    pub controls: Vec<ControlInput>,
    pub time: SymbolId,
    /// Where consistent positions and velocities at the start are found.
    pub initialize: Function,
    /// What the results of `initialize` are the values of.
    pub started: Vec<SymbolId>,
    /// Independent integrations; together they hold all states.
    pub integrals: Vec<Integral>,
    /// What a run prints, from the states and the time.
    pub observe: Function,
    pub outputs: Vec<OutputColumn>,
    /// What is remembered, because something depends on what it was a while ago; none if nothing does.
    pub memory: Option<Memory>,
    /// The numbers of a picture, from the states and the time; none if nobody looks.
    pub picture: Option<Function>,
    /// Curves of the picture.
    pub curves: Vec<Curve>,
    /// Surfaces of the picture.
    pub surfaces: Vec<Surface>,
    /// Energy, kinetic energy, then what each constraint on positions leaves.
    pub monitor: Function,
    /// The constraints that follow from others, and are watched: the last results of `monitor`.
    pub watched: Option<SystemId>,
    /// What changes all at once.
    pub changes: Option<Changes>,
    /// What decides where something bends or jumps; none if nothing does.
    pub switches: Option<Switches>,
    /// What may touch; none if nothing does.
    pub contacts: Option<Contacts>,
    /// Systems of equations, in the user's words, for messages.
    pub systems: Vec<SystemInfo>,
    pub conserves_energy: bool,
    /// Along how many directions derivatives stand beside the states.
    pub directions: usize,
    /// The parameter or control that each direction is about, in programs whose derivatives are asked for by name.
    pub varied: Vec<SymbolId>,
    /// How the discrete variables, and the time, change along these, direction by direction.
    pub variations: Vec<ParameterInput>,
    /// Generic states, at which numerical decisions are made.
    pub points: Vec<Point>,
}

/// Signals whose past is asked for, in the order of the numbers by which expressions name them.
pub struct Memory {
    /// Their values, from the states and the time.
    pub signals: Function,
    /// What each was before the run, as a function of the time, and by how much earlier it is asked for.
    pub histories: Vec<Expr>,
    pub delays: Vec<Expr>,
}

pub struct ParameterInput {
    pub name: String,
    pub symbol: SymbolId,
    pub default: f64,
}

pub struct ControlInput {
    pub name: String,
    pub symbol: SymbolId,
    pub default: f64,
}

pub struct OutputColumn {
    pub name: String,
}

/// The transitions of a system in one of its modes.
pub struct Changes {
    /// Numbers that only transitions change; they stand behind the parameters.
    pub discrete: Vec<ParameterInput>,
    /// For each transition its margin, which is not negative where its guard holds, the derivative of that, and whether it does.
    pub guards: Function,
    pub margins: Margins,
    /// For each condition that claims speak of a number that is not negative where it holds, its derivative, and the size of what is
    /// compared.
    pub claims: Function,
    pub all: Vec<Change>,
    /// All coordinates and speeds, then what else is carried from mode to mode.
    pub variables: Vec<State>,
    /// How many of these are coordinates and speeds.
    pub moving: usize,
    /// The values of all variables.
    pub carried: Function,
    /// What finds the states after a transition into this mode.
    pub entries: Vec<EntryPoint>,
    /// The same where nothing happened, from what `whole` gave.
    pub reenter: Option<EntryPoint>,
}

/// The margins of all transitions, then of the conditions that claims speak of, as they stand.
pub struct Margins {
    pub all: Vec<Expr>,
    /// What in them changes while the time passes, besides the time itself.
    pub moving: Vec<SymbolId>,
    /// The value of each of these.
    pub places: Function,
}

impl Margins {
    /// Some margins, and what moves in them; `still` does not. Of foreign functions nothing is known but values, so they move as states do.
    pub fn new(
        arena: &Arena,
        all: Vec<Expr>,
        still: &FxHashSet<SymbolId>,
        seen: impl FnOnce(Vec<Expr>) -> Function,
    ) -> Margins {
        let foreign = |node: Expr| matches!(arena.node(node), Node::Apply(Operator::Foreign, _));
        let mut opaque = arena.reachable_until(&all, foreign);
        opaque.retain(|&node| foreign(node));
        let paths: Vec<SymbolId> = opaque.iter().map(|_| arena.new_symbol("foreign")).collect();
        let named = opaque.iter().copied().zip(paths.iter().map(|&path| arena.symbol(path)));
        let mut known = Substitution::new(named);
        let all: Vec<Expr> = all.into_iter().map(|margin| known.apply(arena, margin)).collect();
        let mut moving = arena.symbols_in(&all);
        moving.retain(|symbol| !still.contains(symbol) && !paths.contains(symbol));
        let values = moving.iter().map(|&symbol| arena.symbol(symbol)).chain(opaque).collect();
        moving.extend(paths);
        Margins { all, moving, places: seen(values) }
    }
}

/// The states after a transition, found in the mode that it leads to.
pub struct EntryPoint {
    /// The place of the transition among all transitions of the scene.
    pub number: usize,
    /// From what the mode before carries to the variables as they are meant to be, then what is remembered, then the states and the followers
    /// of this mode.
    pub function: Function,
    /// Where that is remembered, among the discrete variables.
    pub stores: Vec<usize>,
    /// Those of the author's own variables, by their places, that have to be in this mode what they were; and the place among what is given
    /// of the rate at which each changed before.
    pub checked: Vec<(usize, usize)>,
}

pub struct Change {
    pub name: String,
    /// Its place among all transitions of the scene.
    pub number: usize,
    /// The value of each mode after it.
    pub target: Vec<usize>,
    /// What the next mode has to know: all variables, what stands in `pre`, and the rates of what else is carried from mode to mode.
    pub carry: Function,
    /// What is zero just before it, if a plan was right; behind that, what is not negative, and what is to be least.
    pub aims: Function,
    /// How many of these must not be negative, and whether the last is to be least.
    pub limits: usize,
    pub has_cost: bool,
    /// Where a plan that begins here looks first, and what it chooses, among the discrete variables.
    pub seeds: Function,
    pub choices: Vec<usize>,
    /// Between which values some of these are chosen, by their places among them.
    pub ranges: Vec<(usize, [f64; 2])>,
    /// The transitions that end its phases, by their numbers.
    pub phases: Vec<usize>,
    pub span: Span,
}

/// A curve of the picture: its function gives the first and the last value of the parameter, then the point.
pub struct Curve {
    pub parameter: SymbolId,
    pub function: Function,
}

/// A surface of the picture: its function gives the size of the cube in which it is seen, then what is zero on it.
pub struct Surface {
    pub coordinates: [SymbolId; 3],
    pub function: Function,
}

/// Some states that can be integrated without looking at any others.
pub struct Integral {
    pub states: Vec<State>,
    /// From the states and the time to the rate of each state.
    pub derivative: Function,
    /// Moves the states onto the constraints; none if there are none.
    pub stabilize: Option<Function>,
    /// Coordinates that follow from the states at every instant.
    pub followers: Vec<State>,
    /// From the states and the followers a moment ago to the followers now; none if there are none, or nobody asks for them.
    pub follow: Option<Function>,
    pub solver: Solver,
    /// Which rows of constraints that depend on one another are in use.
    pub choices: Vec<RowChoice>,
    /// Where states that do not depend on one another are integrated together, a number for each state that those which do have in common.
    pub crowd: Vec<usize>,
}

/// How an integral is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Solver {
    /// By explicit steps: the derivative solves for what it needs.
    #[default]
    Explicit,
    /// By implicit steps, where the integral has an [`ImplicitSystem`](crate::ImplicitSystem) of index 1; by explicit ones where
    /// it has not.
    Implicit,
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub symbol: SymbolId,
    pub dimension: Dimension,
    pub span: Span,
}

/// `name(inputs) = let bindings in results`. Parameters, controls and time are inputs of every function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub inputs: Group,
    pub body: Vec<Binding>,
    pub results: Vec<Expr>,
}

/// Named scalars that are passed together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub name: String,
    pub symbols: Vec<SymbolId>,
}

#[derive(Clone, Debug)]
pub enum Binding {
    Linear(LinearSystem),
    Nonlinear(NonlinearSystem),
    Sum(FamilySum),
}

/// Sums over the rows of a family: the energy of all of them, or its slope by each argument that moves.
#[derive(Clone)]
pub struct FamilySum {
    pub id: SystemId,
    pub family: Arc<Family>,
    /// What its rows are about, as its own list has it.
    pub arguments: Vec<Expr>,
    pub of: Summand,
    pub unknowns: Vec<SymbolId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summand {
    Value,
    Slopes,
}

impl std::fmt::Debug for FamilySum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} of {} rows for {:?}", self.of, self.family.rows.len(), self.unknowns)
    }
}

impl FamilySum {
    /// What each unknown is, written out.
    pub fn unrolled(&self, arena: &Arena) -> Vec<Expr> {
        match self.of {
            Summand::Value => vec![self.family.unrolled_total(arena, &self.arguments)],
            Summand::Slopes => self.family.unrolled_slopes(arena, &self.arguments),
        }
    }
}

/// Unknowns x with A x = b.
#[derive(Clone, Debug)]
pub struct LinearSystem {
    pub id: SystemId,
    pub unknowns: Vec<SymbolId>,
    /// Nonzero entries: row, column, value.
    pub matrix: Vec<(usize, usize, Expr)>,
    pub right: Vec<Expr>,
    /// The order of elimination, where one was found to be safe.
    pub pivots: Option<Vec<Pivot>>,
}

/// One step of an elimination whose order is fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pivot {
    pub row: usize,
    pub column: usize,
    /// Where the pivot is smaller than this, the order is not followed.
    pub least: f64,
}

/// Unknowns x with r(x) = 0, nearest to the seed where there are many.
#[derive(Clone, Debug)]
pub struct NonlinearSystem {
    pub id: SystemId,
    pub unknowns: Vec<SymbolId>,
    /// Evaluated before the unknowns get their new values.
    pub seeds: Vec<Expr>,
    pub residuals: Vec<Expr>,
    /// Nonzero entries of the derivative: equation, unknown, value.
    pub jacobian: Vec<(usize, usize, Expr)>,
}

base::ids! {
    /// Which system of equations a failure at run time speaks of.
    SystemId;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemRole {
    /// What the rows of a family add up to; nothing is solved for.
    Sums,
    InitialPositions,
    InitialVelocities,
    /// Coordinates that follow from positions, their velocities and their accelerations.
    Zeroth,
    ZerothVelocities,
    ZerothAccelerations,
    /// Velocities that follow from constraints.
    First,
    Accelerations,
    StabilizePositions,
    StabilizeVelocities,
    /// Constraints that follow from others; nothing is solved for.
    Watched,
    /// In general systems: the start, what follows from the states, and the constraints onto which the states are moved.
    Start,
    Rates,
    Stabilize,
    /// After a transition.
    Positions,
    Velocities,
    Entry,
}

/// What a system of equations is about.
#[derive(Clone, Debug)]
pub struct SystemInfo {
    pub role: SystemRole,
    pub equations: Vec<Origin>,
    pub unknowns: Vec<Origin>,
}

/// A name that the user knows, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub label: String,
    pub span: Span,
}

impl Program {
    /// Whether what is recorded depends on what was, so that the state of an instant alone does not tell it.
    pub fn observes_the_past(&self) -> bool {
        let follow = self.integrals.iter().filter_map(|integral| integral.follow.as_ref());
        let all: Vec<Expr> = follow.chain([&self.observe]).flat_map(Function::expressions).collect();
        let was = |node: Expr| matches!(self.arena.node(node), Node::Apply(Operator::Past, _));
        self.arena.reachable(&all).into_iter().any(was)
    }

    /// The functions that are evaluated while time passes; not those that find a start, or a state after a transition.
    pub fn functions_in_time(&mut self) -> impl Iterator<Item = &mut Function> {
        let integrals = self.integrals.iter_mut().flat_map(|integral| {
            [Some(&mut integral.derivative), integral.stabilize.as_mut(), integral.follow.as_mut()]
                .into_iter()
                .flatten()
        });
        let curves = self.curves.iter_mut().map(|curve| &mut curve.function);
        let surfaces = self.surfaces.iter_mut().map(|surface| &mut surface.function);
        let pictures = self.picture.iter_mut().chain(curves).chain(surfaces);
        let changes = self.changes.iter_mut().flat_map(Changes::functions_in_time);
        let switches = self.switches.iter_mut().flat_map(Switches::functions);
        [&mut self.observe, &mut self.monitor]
            .into_iter()
            .chain(self.memory.iter_mut().map(|memory| &mut memory.signals))
            .chain(integrals)
            .chain(pictures)
            .chain(changes)
            .chain(switches)
            .chain(self.contacts.iter_mut().flat_map(Contacts::functions))
    }

    /// How many numbers are carried from mode to mode, without their derivatives.
    pub fn variables(&self) -> usize {
        self.changes.as_ref().map_or(0, |changes| changes.variables.len()) / (1 + self.directions)
    }

    /// How many states are integrated, without their derivatives.
    pub fn integrated(&self) -> usize {
        self.integrals.iter().map(|integral| integral.states.len()).sum::<usize>() / (1 + self.directions)
    }
}

impl Changes {
    /// Those that find the state after a transition are left out.
    fn functions_in_time(&mut self) -> impl Iterator<Item = &mut Function> {
        let Changes { guards, margins, claims, all, carried, .. } = self;
        let each = all.iter_mut().flat_map(|change| [&mut change.carry, &mut change.aims, &mut change.seeds]);
        [guards, &mut margins.places, claims, carried].into_iter().chain(each)
    }

    /// All that finds the states of this mode.
    pub fn entry_points(&self) -> impl Iterator<Item = &EntryPoint> {
        self.entries.iter().chain(&self.reenter)
    }
}

impl Function {
    /// Replaces the expressions of its bindings, and of its results if wanted.
    pub fn rewrite(&mut self, results: bool, replace: &mut impl FnMut(Expr) -> Expr) {
        self.body.iter_mut().flat_map(Binding::expressions_mut).for_each(|expr| *expr = replace(*expr));
        if results {
            self.results.iter_mut().for_each(|expr| *expr = replace(*expr));
        }
    }

    /// The expressions that the function evaluates: those of its bindings, one after the other, then its results.
    pub fn expressions(&self) -> Vec<Expr> {
        self.body.iter().flat_map(Binding::expressions).chain(self.results.iter().copied()).collect()
    }
}

impl Binding {
    pub fn id(&self) -> SystemId {
        match self {
            Binding::Linear(system) => system.id,
            Binding::Nonlinear(system) => system.id,
            Binding::Sum(sum) => sum.id,
        }
    }

    pub fn unknowns(&self) -> &[SymbolId] {
        match self {
            Binding::Linear(system) => &system.unknowns,
            Binding::Nonlinear(system) => &system.unknowns,
            Binding::Sum(sum) => &sum.unknowns,
        }
    }

    pub fn equations(&self) -> usize {
        match self {
            Binding::Linear(system) => system.right.len(),
            Binding::Nonlinear(system) => system.residuals.len(),
            Binding::Sum(sum) => sum.unknowns.len(),
        }
    }

    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Binding::Linear(system) => {
                system.matrix.iter_mut().map(|(_, _, value)| value).chain(&mut system.right).collect()
            }
            Binding::Nonlinear(system) => {
                let slopes = system.jacobian.iter_mut().map(|(_, _, value)| value);
                slopes.chain(&mut system.residuals).chain(&mut system.seeds).collect()
            }
            Binding::Sum(sum) => sum.arguments.iter_mut().collect(),
        }
    }

    /// The expressions that the binding evaluates.
    pub fn expressions(&self) -> Vec<Expr> {
        match self {
            Binding::Linear(system) => {
                system.matrix.iter().map(|&(_, _, value)| value).chain(system.right.iter().copied()).collect()
            }
            Binding::Nonlinear(system) => {
                let slopes = system.jacobian.iter().map(|&(_, _, value)| value);
                slopes.chain(system.residuals.iter().copied()).chain(system.seeds.iter().copied()).collect()
            }
            Binding::Sum(sum) => sum.arguments.clone(),
        }
    }
}
