//! The stage as a whole, read from top to bottom.

use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Dimension, Span};
use equations::{
    Carried, Constraint, Control, Coordinate, Energy, Family, Initial, Law, Level, Motion, Output, Parameter, Picture,
    Speed, SpeedId, System, Variable,
};
use expr::{Arena, Differentiator, Expr, Node, SymbolId};
use model::{Body, BoundId, ContactQuantity, FrameId, Model, TermId, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::balance::Loads;
use crate::contact::{Touching, state_words};
use crate::kinematics::FrameState;
use crate::meaning::{Kept, Meaning};
use crate::reaction::Multiplier;

/// How rotations are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rotations {
    /// An angle about one axis; for free rotations a unit quaternion whose speeds are the angular velocity.
    #[default]
    Minimal,
    /// Components of unit quaternions, each with a rate of its own, and one normalisation constraint each (Ellman et al., figure 7).
    Quaternion,
}

/// What becomes of potentials that a loop repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Families {
    /// A template and a table, where nobody has to see through their sums.
    #[default]
    Kept,
    /// Each row is written out.
    Unrolled,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub rotations: Rotations,
    /// Whether to work out what a picture needs.
    pub picture: bool,
    /// The frame that a hand can pull at.
    pub hand: Option<FrameId>,
    /// The value of each mode; where they start, if none are given.
    pub mode: Option<Vec<usize>>,
    pub families: Families,
}

/// The equations of a model, or nothing if it makes no sense.
pub fn formulate(model: &Model, options: Options, sink: &mut Diagnostics) -> Option<System> {
    let system = formulate_unverified(model, options, sink)?;
    base::verify_after("formulate", || equations::verify(&system));
    Some(system)
}

/// The equations of a model in which something may be missing, for whoever verifies them by himself.
// Long: the pipeline of this stage, to be read from top to bottom; the order of its lines matters.
pub fn formulate_unverified(model: &Model, options: Options, sink: &mut Diagnostics) -> Option<System> {
    let arena = Arc::new(Arena::with_curves(model.curves.clone()));
    let mut formulation = Formulation::new(model, options, &arena, sink);
    formulation.lend_hand();
    formulation.name_contacts();
    formulation.all_discrete();
    formulation.all_quantities();
    formulation.all_kinematics();
    formulation.find_families()?;
    // Before anything asks for the forces of constraints.
    let constraints = formulation.constraints();
    formulation.all_starts();
    formulation.all_carried();
    let mut laws = formulation.laws();
    let open = formulation.prescribe(&mut laws);
    let mut initial = formulation.initial_conditions();
    formulation.begin_with_history(&mut initial);
    let (kinetic, potential) = (formulation.kinetic_energy().expr, formulation.potential_energy().expr);
    let motion = formulation.equations_of_motion(&constraints);
    formulation.choose_least(&open, &constraints, &motion, &mut laws);
    let acting = formulation.acting();
    let outputs = formulation.outputs();
    let signals = formulation.signals();
    let reactions = formulation.reactions();
    formulation.find_rates(&laws);
    let automaton = formulation.automaton(&constraints);
    let picture = if formulation.options.picture { formulation.picture() } else { Picture::default() };
    let conserved = formulation.conserves_energy(kinetic, potential, &constraints, &motion);
    let contacts = formulation.contacts();
    let gravity = formulation.gravity_strength();
    // What ends a run changes nothing of it.
    let unchanged = model.transitions.iter().all(|transition| transition.stops);
    let conserved = conserved && unchanged && contacts.is_none();
    formulation.refuse_infinite(&constraints, &initial, &motion);
    let families = formulation.kept_families();
    // Last, so that nothing that a program is made of depends on whether somebody looks at it.
    let loads = std::mem::take(&mut formulation.loads);
    let bodies = formulation.balances(&loads);
    let Formulation { time, parameters, controls, coordinates, speeds, variables, clock, bending, .. } = formulation;
    if sink.has_errors() {
        return None;
    }
    let system = System {
        name: model.name.clone(),
        arena,
        time,
        parameters,
        controls,
        coordinates,
        speeds,
        constraints,
        motion,
        variables,
        laws,
        clock,
        initial,
        families,
        acting,
        reactions,
        bending,
        energy: Energy { kinetic, potential, conserved },
        gravity,
        outputs,
        signals,
        automaton,
        contacts,
        picture,
        bodies,
    };
    Some(system)
}

/// What is known while the equations are being written down.
pub(crate) struct Formulation<'a> {
    pub model: &'a Model,
    pub options: Options,
    pub arena: &'a Arena,
    pub sink: &'a mut Diagnostics,
    pub time: SymbolId,
    pub parameters: Vec<Parameter>,
    pub controls: Vec<Control>,
    pub coordinates: Vec<Coordinate>,
    pub speeds: Vec<Speed>,
    /// What each unknown speaks of: positions, velocities or accelerations.
    pub levels: FxHashMap<SymbolId, Level>,
    /// What stands for the forces of contact, and for what is known of pairs.
    pub touching: Touching,
    pub invariants: Vec<Constraint>,
    /// How many of the constraints, the first ones, are those.
    pub own_constraints: usize,
    /// The forces of the scene's constraints.
    pub multipliers: Vec<Multiplier>,
    /// Places of constraints that speak of no frame.
    pub lawful: Vec<usize>,
    /// Scalars of the author's own quantities, and what each quantity is made of.
    pub variables: Vec<Variable>,
    pub quantities: Vec<Kept<'a>>,
    /// `always` that speaks of no frame.
    pub kept: Vec<Law>,
    /// The derivative with respect to time.
    pub clock: Differentiator,
    /// What decides where terms bend, jump or have no direction.
    pub bending: Vec<(Expr, Span)>,
    pub frames: Vec<FrameState<'a>>,
    /// For each family of the model what the system keeps of it; none if it is unrolled.
    pub families: Vec<Option<Arc<Family>>>,
    /// What acts on each frame by itself, kept where somebody looks at bodies.
    pub loads: Loads<'a>,
    /// Where bodies are stated.
    pub of_bodies: FxHashSet<Span>,
    /// For each frame, the body that it is.
    pub bodies: Vec<Option<&'a Body>>,
    pub meanings: FxHashMap<TermId, Kept<'a>>,
    pub bounds: FxHashMap<BoundId, Meaning<'a>>,
    /// The mode in which terms are read.
    pub mode: Vec<usize>,
    /// The mode before the transition whose equations are read.
    pub source: Vec<usize>,
    /// Stand-ins for values before that transition.
    pub pre: Vec<(Expr, Expr)>,
    pub discrete: Vec<Parameter>,
    /// Where the numbers of each discrete variable begin.
    pub held_places: Vec<usize>,
    /// What goes from mode to mode besides coordinates and speeds.
    pub carried: Vec<Carried>,
}

impl<'a> Formulation<'a> {
    fn new(model: &'a Model, options: Options, arena: &'a Arena, sink: &'a mut Diagnostics) -> Formulation<'a> {
        let time = arena.new_symbol("t");
        let clock = Differentiator::in_time(arena, arena.symbol(time));
        let parameters = model.parameters.iter().map(|parameter| Parameter {
            name: parameter.name.clone(),
            symbol: arena.new_symbol(&parameter.name),
            default: parameter.default,
            unit: parameter.unit.clone(),
            description: parameter.description.clone(),
            span: parameter.span,
        });
        let parameters = parameters.collect();
        let controls = model.controls.iter().map(|control| Control {
            name: control.name.clone(),
            symbol: arena.new_symbol(&control.name),
            default: control.default,
            range: control.range,
            unit: control.unit.clone(),
            span: control.span,
        });
        let controls = controls.collect();
        let starts = || model.modes.iter().map(|mode| mode.start).collect();
        let mode = options.mode.clone().unwrap_or_else(starts);
        let frames = model.frames.iter().map(|_| FrameState::Waiting).collect();
        Formulation {
            model,
            options,
            arena,
            sink,
            time,
            parameters,
            controls,
            coordinates: Vec::new(),
            speeds: Vec::new(),
            levels: FxHashMap::default(),
            touching: Touching::default(),
            invariants: Vec::new(),
            own_constraints: 0,
            multipliers: Vec::new(),
            lawful: Vec::new(),
            variables: Vec::with_capacity(model.quantities.len()),
            quantities: Vec::with_capacity(model.quantities.len()),
            kept: Vec::new(),
            clock,
            bending: Vec::new(),
            frames,
            families: Vec::new(),
            loads: Loads::default(),
            of_bodies: model.bodies.iter().map(|body| model.frame(body.frame).span).collect(),
            bodies: model.bodies_of_frames(),
            meanings: FxHashMap::default(),
            bounds: FxHashMap::default(),
            mode,
            source: Vec::new(),
            pre: Vec::new(),
            discrete: Vec::new(),
            held_places: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Numbers that grow beyond all bounds while equations are differentiated and combined leave them without meaning.
    fn refuse_infinite(&mut self, constraints: &[Constraint], initial: &[Initial], motion: &[Motion]) {
        let levels = [Level::Position, Level::Velocity, Level::Acceleration];
        let kept =
            constraints.iter().flat_map(|kept| levels.map(|level| Some((kept.at(level)?, &kept.label, kept.span))));
        let start = initial.iter().map(|start| (start.residual, &start.label, start.span));
        let motion = motion.iter().map(|motion| (motion.residual, &motion.label, motion.span));
        let infinite = |expr: Expr| match self.arena.node(expr) {
            Node::Number(number) => !number.value().is_finite(),
            Node::Sum(terms, constant) => {
                !constant.value().is_finite() || terms.iter().any(|(coefficient, _)| !coefficient.value().is_finite())
            }
            _ => false,
        };
        let mut equations = kept.flatten().chain(start).chain(motion);
        let all: Vec<Expr> = equations.clone().map(|(residual, _, _)| residual).collect();
        if self.sink.has_errors() || !self.arena.reachable(&all).into_iter().any(infinite) {
            return;
        }
        let found = equations.find(|(residual, _, _)| self.arena.reachable(&[*residual]).into_iter().any(infinite));
        if let Some((_, label, span)) = found {
            self.sink.report(
                Diagnostic::error(model::UNDEFINED_VALUE, format!("`{label}` has a number beyond all bounds in it"))
                    .at(span, "this, or one of its derivatives, cannot be computed")
                    .hint("look for a division by zero, or for a number or an exponent that is far too large"),
            );
        }
    }

    pub fn derivative(&mut self, expr: Expr) -> Expr {
        self.clock.derivative(self.arena, expr)
    }

    /// A dynamical variable whose rate is a speed of its own.
    pub fn new_coordinate(&mut self, name: String, guess: Expr, dimension: Dimension, span: Span) -> Expr {
        let symbol = self.arena.new_symbol(&name);
        let own = SpeedId(self.speeds.len() as u32);
        let speed =
            self.new_speed(format!("{name}'"), dimension.over(Dimension::TIME).unwrap_or(Dimension::NONE), span);
        self.add_coordinate(Coordinate { name, symbol, rate: speed, speed: Some(own), guess, dimension, span })
    }

    pub fn add_coordinate(&mut self, coordinate: Coordinate) -> Expr {
        let position = self.arena.symbol(coordinate.symbol);
        self.clock.seed(position, coordinate.rate);
        self.levels.insert(coordinate.symbol, Level::Position);
        self.coordinates.push(coordinate);
        position
    }

    pub fn new_speed(&mut self, name: String, dimension: Dimension, span: Span) -> Expr {
        let symbol = self.arena.new_symbol(&name);
        let acceleration = self.arena.new_symbol(&format!("{name}'"));
        let speed = self.arena.symbol(symbol);
        self.clock.seed(speed, self.arena.symbol(acceleration));
        self.levels.extend([(symbol, Level::Velocity), (acceleration, Level::Acceleration)]);
        if !self.model.quantities.is_empty() {
            // Laws may be differentiated as often as it takes.
            self.clock.seed_unknown(self.arena.symbol(acceleration));
        }
        let of_body = self.of_bodies.contains(&span);
        self.speeds.push(Speed { name, symbol, acceleration, dimension, of_body, span });
        speed
    }

    fn outputs(&mut self) -> Vec<Output> {
        let outputs = self.model.outputs.iter().map(|output| {
            let column = |(part, value)| (component_name(&output.name, part), value);
            let columns = self.meaning(output.term).parts().into_iter().map(column).collect();
            let words = match self.model.terms.get(output.term).kind {
                TermKind::Mode(id) => Some(self.model.modes[id.index()].values.clone()),
                TermKind::Contact(_, ContactQuantity::State) => Some(state_words()),
                _ => None,
            };
            Output { name: output.name.clone(), columns, words }
        });
        outputs.collect()
    }
}

/// `bob.velocity.x`, but `(a.velocity - b.velocity).x`; a number is its own only component.
fn component_name(name: &str, part: &str) -> String {
    match part {
        "" => name.to_string(),
        part if is_one_operand(name) => format!("{name}.{part}"),
        part => format!("({name}).{part}"),
    }
}

/// Whether a text is a path or a call: nothing but words outside its brackets.
fn is_one_operand(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().all(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | ')' | ']')
    })
}
