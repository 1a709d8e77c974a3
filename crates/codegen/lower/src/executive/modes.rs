//! The modes side by side, and for each entry point one function that asks the present mode.

use kernel::Type::{Integer, Real};
use kernel::{
    ArrayId, Expression, Frame, FunctionBuilder, FunctionId, Guest, Joiner, LocalId, ModuleBuilder, Term, Type,
    protocol,
};
use program::{Change, Changes};

use super::{Automaton, Mode};

pub(super) struct Modes {
    /// Which one is present.
    pub present: ArrayId,
    pub parameters: ArrayId,
    /// Where the discrete variables begin, among the parameters.
    pub first_discrete: usize,
    pub discrete: usize,
    /// How the discrete variables, and the time, change along each direction in rehearsals; none if there are no plans.
    pub variations: Option<ArrayId>,
    /// What guards, claims and transitions give.
    pub values: ArrayId,
    /// Of the present mode, to resume from, or captured.
    pub states: ArrayId,
    pub statistics: ArrayId,
    pub failure: ArrayId,
    pub failure_values: ArrayId,
    /// How many numbers are carried from mode to mode: coordinates and speeds, and quantities of the author's own.
    pub variables: usize,
    /// How many of these are coordinates and speeds.
    pub moving: usize,
    /// The most states that a mode has.
    pub most_states: usize,
    pub tables: Tables,
    pub dispatch: Dispatch,
    /// The residuals of constraints in the present mode stand here, behind the energies.
    pub monitors: ArrayId,
    pub monitor_count: ArrayId,
    pub outside: Vec<(&'static str, FunctionId)>,
    /// `(t) -> integer`: what integrators of other programs ask of the present mode; none where they cannot.
    pub exchanged: Option<Exchanged>,
    /// The arrays that all modes share.
    shared: Vec<(&'static str, ArrayId)>,
    /// The rate of each state of the present mode, where it was resumed.
    pub rates: ArrayId,
    /// For each mode the one in which its plans are rehearsed, or -1; -2 for such a one. None if there are no plans.
    pub rehearsal: Option<ArrayId>,
    /// Where modes are asked for that are not there; none if all are.
    pub wanted: Option<ArrayId>,
    /// Along how many directions the run itself knows derivatives.
    pub varied: usize,
}

/// Functions that ask the present mode.
pub(super) struct Dispatch {
    pub configure: FunctionId,
    /// Of the mode at the start, which is the present one.
    pub initialize: FunctionId,
    pub advance: FunctionId,
    pub sample: FunctionId,
    pub observe: FunctionId,
    pub monitor: FunctionId,
    pub tally: FunctionId,
    pub capture: FunctionId,
    pub resume: FunctionId,
    pub guards: FunctionId,
    pub survey: FunctionId,
    pub enclose: FunctionId,
    pub claims: FunctionId,
    pub carried: FunctionId,
    /// With the place of a transition in the mode, and the time.
    pub carry: FunctionId,
    pub aims: FunctionId,
    pub seeds: FunctionId,
    /// With the number of a transition among all, and the time.
    pub enter: FunctionId,
    pub reenter: FunctionId,
    /// `() -> real`: the beginning and the end of the last step.
    pub step_begin: FunctionId,
    pub step_end: FunctionId,
    /// `() -> real`: the length of the step that is tried next.
    pub step_next: FunctionId,
    /// `(length: real)`: the step that is tried next is at least so long.
    pub lengthen: FunctionId,
}

/// What is known of the modes and their transitions. Each mode has its transitions at `mode * most + place`.
pub(super) struct Tables {
    pub most: usize,
    pub counts: ArrayId,
    pub numbers: ArrayId,
    /// The mode that each leads to; -1 if it is not there.
    pub targets: ArrayId,
    /// A number that tells whether two lead to the same mode, whether it is there or not.
    pub leads: ArrayId,
    /// How many numbers are carried to the next mode.
    pub given: ArrayId,
    /// How many aims and limits a plan has there, without their derivatives; and with what is to be least.
    pub aims: ArrayId,
    pub goals: ArrayId,
    /// How many states of each mode are integrated, without their derivatives.
    pub integrated: ArrayId,
    /// What number the first state of each mode has, among all, and how many states there are.
    pub first_state: ArrayId,
    pub state_count: ArrayId,
    /// What number the integrals and the systems of equations of each mode have, among all.
    pub first_integral: ArrayId,
    pub first_system: ArrayId,
}

impl Modes {
    pub fn at_edge(&self, table: ArrayId, edge: impl Into<Expression>) -> Expression {
        table.at(self.present.at(0) * self.tables.most + edge.into())
    }

    /// Whether the present mode is one of the run; none if there are no others.
    pub fn is_run(&self) -> Option<Expression> {
        self.rehearsal.map(|rehearsal| self.of_mode(rehearsal).ge(-1))
    }

    /// Leaves the function to ask for the mode that a transition of the present mode leads to, if it is not there.
    pub fn want_target(&self, f: &mut FunctionBuilder, edge: LocalId) {
        let Some(wanted) = self.wanted else { return };
        f.if_(self.at_edge(self.tables.targets, edge).lt(0), |f| {
            f.store(wanted, 0, self.present.at(0));
            f.store(wanted, 1, edge);
            f.return_(protocol::MODE_WANTED);
        });
    }

    pub fn of_mode(&self, table: ArrayId) -> Expression {
        table.at(self.present.at(0))
    }

    /// The number of the first state of the present mode among all that messages name: variables, then the states of each mode; in a program that
    /// grows, of the present mode.
    pub fn first_named(&self) -> Expression {
        if self.wanted.is_some() {
            return self.variables.into();
        }
        self.of_mode(self.tables.first_state) + self.variables
    }

    /// Goes through the states of the present mode.
    pub fn states_of_mode(&self, f: &mut FunctionBuilder, body: impl FnOnce(&mut FunctionBuilder, LocalId)) {
        f.for_each("i", 0, self.of_mode(self.tables.state_count), body);
    }
}

/// Arrays that all modes share: what goes into a program and comes out of it.
const SHARED: [&str; 25] = [
    protocol::PARAMETERS,
    protocol::VARIATIONS,
    protocol::CONTROLS,
    protocol::OUTPUTS,
    protocol::MONITORS,
    protocol::PICTURE_VALUES,
    protocol::CURVE_VALUES,
    protocol::SURFACE_VALUES,
    protocol::STATISTICS,
    protocol::CONTACT_STEPS,
    protocol::CONTACT_EVENT_COUNT,
    protocol::CONTACT_EVENTS,
    protocol::FAILURE,
    protocol::FAILURE_VALUES,
    protocol::CHANGE_VALUES,
    protocol::STATES,
    protocol::RATES,
    protocol::PAST_TIMES,
    protocol::PAST_LEVELS,
    protocol::PAST_NUMBERS,
    protocol::PAST_PLACES,
    protocol::PAST_WINDOWS,
    protocol::PAST_DELAYS,
    protocol::INDICATORS,
    protocol::NEXT_INSTANT,
];

/// Those of which modes need more or less.
const DIFFERING: [&str; 4] = [protocol::MONITORS, protocol::CHANGE_VALUES, protocol::STATES, protocol::RATES];

/// The states of a mode are another thing than those of the whole.
fn shared_name(name: &str) -> &str {
    if name == protocol::STATES { MODE_STATES } else { name }
}

const MODE_STATES: &str = "mode_states";

/// What the executive knows of modes. What it asks them is declared here, and defined where they are taken in: so the executive stands before all of
/// them, and stays where it is when others come.
pub(super) fn outline(module: &mut ModuleBuilder, automaton: &Automaton<'_>) -> Modes {
    let shared = shared_arrays(module, automaton);
    let array =
        |name: &str| shared.iter().find(|(known, _)| *known == name).map(|(_, id)| *id).expect("in all modules");
    let variations = shared.iter().find(|(known, _)| *known == protocol::VARIATIONS).map(|(_, id)| *id);
    let present = module.integer_array(protocol::MODE, 1, "the present mode");
    let program = automaton.modes[0].program;
    let discrete = changes(&automaton.modes[0]).discrete.len();
    let monitor_counts = automaton.modes.iter().map(|mode| mode.program.monitor.results.len() as i64).collect();
    let most_states = automaton.modes.iter().map(states).max().unwrap_or(0);
    let rehearsal = (automaton.directions > 0).then(|| rehearsals(module, automaton));
    let wanted = automaton.is_open.then(|| module.integer_array(protocol::WANTED, 2, "a mode, and a transition of it"));
    Modes {
        present,
        parameters: array(protocol::PARAMETERS),
        first_discrete: program.parameters.len() - discrete,
        discrete,
        variations,
        values: array(protocol::CHANGE_VALUES),
        states: array(protocol::STATES),
        statistics: array(protocol::STATISTICS),
        failure: array(protocol::FAILURE),
        failure_values: array(protocol::FAILURE_VALUES),
        variables: program.variables(),
        moving: changes(&automaton.modes[0]).moving,
        most_states: if automaton.is_open { most_states.next_power_of_two() } else { most_states },
        tables: Tables::new(module, automaton),
        dispatch: Dispatch::declare(module),
        monitors: array(protocol::MONITORS),
        monitor_count: automaton.table(module, "monitor_count", monitor_counts, "of each mode"),
        outside: outside(module, automaton),
        exchanged: Exchanged::declare(module, automaton, &shared),
        rates: array(protocol::RATES),
        rehearsal,
        wanted,
        varied: program.varied.len(),
        shared,
    }
}

/// The modes that stand behind the executive.
pub(super) struct TakenIn {
    joiner: Joiner,
    guests: Vec<Guest>,
    /// How many arrays and functions the executive has.
    before: (usize, usize),
}

fn sizes(module: &ModuleBuilder) -> (usize, usize) {
    (module.module().arrays.len(), module.module().functions.len())
}

impl TakenIn {
    /// None yet.
    pub fn behind(executive: &ModuleBuilder) -> TakenIn {
        TakenIn { joiner: Joiner::default(), guests: Vec::new(), before: sizes(executive) }
    }

    /// Whether they can stand behind this executive, too.
    pub fn fits(&self, executive: &ModuleBuilder) -> bool {
        self.before == sizes(executive)
    }
}

/// The modes side by side, and what the executive asks of them.
pub(super) fn take_in(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    TakenIn { joiner, guests, .. }: &mut TakenIn,
) {
    for mode in &automaton.modes[guests.len()..] {
        let wanted: Vec<FunctionId> = mode
            .module
            .function_ids()
            .filter(|&id| is_asked_for(automaton, mode, &mode.module.function(id).name))
            .collect();
        let place =
            |array: &kernel::Array| modes.shared.iter().find(|(name, _)| *name == array.name).map(|(_, id)| *id);
        // What is sampled in a run stays while plans are rehearsed.
        let frame = Frame(usize::from(mode.is_rehearsed()));
        let name = |name: &str| named(automaton, mode, name);
        guests.push(joiner.take_in(module, mode.module, (&wanted, frame), place, name));
    }
    let joined: Vec<Joined<'_>> =
        automaton.modes.iter().zip(&*guests).map(|(mode, guest)| Joined { mode, guest }).collect();
    modes.dispatch.define(module, &joined, modes.present);
    let exchanged = modes.exchanged.iter().flat_map(Exchanged::functions);
    for (name, ask) in modes.outside.iter().copied().chain(exchanged) {
        hand_on(module, ask, modes.present, &functions(&joined, name));
    }
}

pub(super) fn changes<'a>(mode: &Mode<'a>) -> &'a Changes {
    mode.program.changes.as_ref().expect("what has modes has changes")
}

fn shared_arrays<'a>(module: &mut ModuleBuilder, automaton: &Automaton<'a>) -> Vec<(&'static str, ArrayId)> {
    let mut shared = Vec::new();
    for name in SHARED {
        let array = |mode: &Mode<'a>| mode.module.find_array(name).map(|id| mode.module.array(id));
        let Some(longest) = automaton.modes.iter().filter_map(array).max_by_key(|array| array.length) else {
            if name == protocol::VARIATIONS && automaton.directions > 0 {
                let count = (changes(&automaton.modes[0]).discrete.len() + 1) * automaton.directions;
                shared.push((name, module.real_array(name, count, "of the discrete variables, and of the time")));
            }
            continue;
        };
        // Rehearsals may need more of it; but what people know of it has the names of the modes.
        let known = automaton.run().filter_map(array).max_by_key(|array| array.length).unwrap_or(longest);
        // Modes that come later may need more of it too; where it has to grow, all that stands behind it moves.
        let slack = automaton.is_open && DIFFERING.contains(&name);
        let length =
            if slack { (longest.length * (1 + automaton.directions)).next_power_of_two() } else { longest.length };
        let id = module.array(shared_name(name), longest.element, length, &known.note);
        if let Some(initial) = &longest.initial {
            module.set_initial(id, initial.clone());
        }
        module.name_slots(id, known.slots.iter().map(|slot| (slot.name.as_str(), slot.note.clone())));
        shared.push((name, id));
    }
    shared
}

/// One mode, taken in.
struct Joined<'a> {
    mode: &'a Mode<'a>,
    guest: &'a Guest,
}

impl Joined<'_> {
    fn function(&self, name: &str) -> Option<FunctionId> {
        self.mode.module.find_function(name).and_then(|id| self.guest.function(id))
    }

    fn array(&self, name: &str) -> Option<ArrayId> {
        self.mode.module.find_array(name).and_then(|id| self.guest.array(id))
    }
}

/// The entry points of a mode that somebody needs.
fn is_asked_for(automaton: &Automaton<'_>, mode: &Mode<'_>, name: &str) -> bool {
    if entered_by(name).is_some() {
        return true;
    }
    if let Some((kind, at, "")) = of_transition(name) {
        let change: &Change = &changes(mode).all[at];
        return match kind {
            protocol::CARRY => true,
            protocol::AIMS => !change.aims.results.is_empty(),
            _ => !mode.is_rehearsed() && !change.choices.is_empty(),
        };
    }
    match name {
        protocol::CARRIED | protocol::OBSERVE | protocol::MONITOR | protocol::CLAIMS if mode.is_rehearsed() => false,
        protocol::INITIALIZE => std::ptr::eq(mode, &automaton.modes[0]),
        protocol::CLAIMS => !automaton.claims.is_empty(),
        _ => {
            [protocol::GUARDS, protocol::SURVEY, protocol::ENCLOSE, protocol::CARRIED, protocol::REENTER]
                .contains(&name)
                || protocol::ENTRY_POINTS.iter().any(|it| it.0 == name)
        }
    }
}

/// For each mode the place of its rehearsal.
fn rehearsals(module: &mut ModuleBuilder, automaton: &Automaton<'_>) -> ArrayId {
    let place = |mode: &Mode<'_>| {
        let found = automaton.modes.iter().position(|other| other.is_rehearsed() && other.values == mode.values);
        if mode.is_rehearsed() { -2 } else { found.map_or(-1, |at| at as i64) }
    };
    let places: Vec<i64> = automaton.modes.iter().map(place).collect();
    automaton.table(module, "rehearsal", places, "the mode in which plans of each are rehearsed")
}

/// What a function of a transition does, the place of the transition, and what stands behind it.
fn of_transition(name: &str) -> Option<(&'static str, usize, &str)> {
    [protocol::CARRY, protocol::AIMS, protocol::SEEDS].into_iter().find_map(|kind| {
        let rest = name.strip_prefix(kind)?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        Some((kind, rest[..digits].parse().ok()?, &rest[digits..]))
    })
}

/// The number of the transition that a function of the mode it leads to is for, and what stands behind it.
fn entered_by(name: &str) -> Option<(usize, &str)> {
    let rest = name.strip_prefix(protocol::ENTER)?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    Some((rest[..digits].parse().ok()?, &rest[digits..]))
}

/// `bouncing_sample`, `bouncing_motion_state`, `bouncing_bounce_carry`, `rolling_enter_by_land`
fn named(automaton: &Automaton<'_>, mode: &Mode<'_>, name: &str) -> String {
    let label = &mode.label;
    if let Some((number, rest)) = entered_by(name) {
        return format!("{label}_enter_by_{}{rest}", automaton.transitions[number]);
    }
    match of_transition(name) {
        Some((kind, at, rest)) => {
            format!("{label}_{}_{}{rest}", changes(mode).all[at].name, kind.trim_end_matches('_'))
        }
        None => format!("{label}_{name}"),
    }
}

const AT: [(&str, Type); 1] = [("t", Real)];
const OF_TRANSITION: [(&str, Type); 2] = [("transition", Integer), ("t", Real)];
const PART: [(&str, Type); 2] = [("begin", Real), ("end", Real)];

/// What a program of a mode has of a name, for each mode.
fn functions(joined: &[Joined<'_>], name: &str) -> Vec<Option<FunctionId>> {
    joined.iter().map(|one| one.function(name)).collect()
}

/// Defines a function that hands its call on to the one of the present mode.
fn hand_on(module: &mut ModuleBuilder, ask: FunctionId, present: ArrayId, functions: &[Option<FunctionId>]) {
    let parameters = module.module().function(ask).parameter_count;
    module.define(ask, |f| {
        let arguments: Vec<Expression> = (0..parameters).map(|at| f.parameter(at).get()).collect();
        let call = |f: &mut FunctionBuilder, at: usize| {
            let Some(function) = functions[at] else { return };
            let status = f.call1(function, arguments.clone());
            f.return_(status);
        };
        if functions.iter().all(|other| other.is_some() && *other == functions[0]) {
            return call(f, 0);
        }
        f.switch(present.at(0), functions.len(), call, |_| ());
        f.return_(protocol::DONE);
    });
}

impl Dispatch {
    fn declare(module: &mut ModuleBuilder) -> Dispatch {
        let mut plain =
            |name: &str, parameters: &[(&str, Type)]| module.declare(&format!("mode_{name}"), parameters, &[Integer]);
        Dispatch {
            configure: plain(protocol::CONFIGURE, &[("tolerance", Real), ("horizon", Real)]),
            initialize: plain(protocol::INITIALIZE, &[]),
            advance: plain(protocol::ADVANCE, &[("target", Real), ("limit", Integer)]),
            sample: plain(protocol::SAMPLE, &AT),
            observe: plain(protocol::OBSERVE, &AT),
            monitor: plain(protocol::MONITOR, &AT),
            tally: plain(protocol::TALLY, &[]),
            capture: plain(protocol::CAPTURE, &[]),
            resume: plain(protocol::RESUME, &AT),
            guards: plain(protocol::GUARDS, &AT),
            survey: plain(protocol::SURVEY, &PART),
            enclose: plain(protocol::ENCLOSE, &PART),
            claims: plain(protocol::CLAIMS, &AT),
            carried: plain(protocol::CARRIED, &AT),
            reenter: plain(protocol::REENTER, &AT),
            carry: module.declare("transition_carry", &OF_TRANSITION, &[Integer]),
            aims: module.declare("transition_aims", &OF_TRANSITION, &[Integer]),
            seeds: module.declare("transition_seeds", &OF_TRANSITION, &[Integer]),
            enter: module.declare("enter_present", &[("number", Integer), ("t", Real)], &[Integer]),
            step_begin: module.declare("step_begin", &[], &[Real]),
            step_end: module.declare(protocol::LAST_STEP, &[], &[Real]),
            step_next: module.declare("step_next", &[], &[Real]),
            lengthen: module.declare("lengthen_step", &[("length", Real)], &[]),
        }
    }

    fn define(&self, module: &mut ModuleBuilder, joined: &[Joined<'_>], present: ArrayId) {
        let plain = [
            (protocol::CONFIGURE, self.configure),
            (protocol::ADVANCE, self.advance),
            (protocol::SAMPLE, self.sample),
            (protocol::OBSERVE, self.observe),
            (protocol::MONITOR, self.monitor),
            (protocol::TALLY, self.tally),
            (protocol::CAPTURE, self.capture),
            (protocol::RESUME, self.resume),
            (protocol::GUARDS, self.guards),
            (protocol::SURVEY, self.survey),
            (protocol::ENCLOSE, self.enclose),
            (protocol::CLAIMS, self.claims),
            (protocol::CARRIED, self.carried),
            (protocol::REENTER, self.reenter),
        ];
        for (name, ask) in plain {
            hand_on(module, ask, present, &functions(joined, name));
        }
        hand_on(module, self.initialize, present, &functions(&joined[..1], protocol::INITIALIZE));
        for (ask, kind) in [(self.carry, protocol::CARRY), (self.aims, protocol::AIMS), (self.seeds, protocol::SEEDS)] {
            hand_on_transition(module, ask, kind, joined, present);
        }
        hand_on_entry(module, self.enter, joined, present);
        give_step(module, self.step_begin, protocol::STEP_BEGIN, joined, present);
        give_step(module, self.step_end, protocol::STEP_END, joined, present);
        give_step(module, self.step_next, protocol::STEP_NEXT, joined, present);
        lengthen_step(module, self.lengthen, joined, present);
    }
}

/// `(transition, t) -> integer`, with the place of the transition in the present mode.
fn hand_on_transition(
    module: &mut ModuleBuilder,
    ask: FunctionId,
    kind: &str,
    joined: &[Joined<'_>],
    present: ArrayId,
) {
    module.define(ask, |f| {
        let [transition, t] = f.parameters();
        let of_mode = |f: &mut FunctionBuilder, mode: usize| {
            let one = &joined[mode];
            let functions: Vec<Option<FunctionId>> =
                (0..changes(one.mode).all.len()).map(|at| one.function(&format!("{kind}{at}"))).collect();
            call_of(f, transition, &functions, t);
        };
        f.switch(present.at(0), joined.len(), of_mode, |_| ());
        f.return_(protocol::DONE);
    });
}

/// `(number, t) -> integer`, with the number of a transition among all of the scene.
fn hand_on_entry(module: &mut ModuleBuilder, ask: FunctionId, joined: &[Joined<'_>], present: ArrayId) {
    module.define(ask, |f| {
        let [number, t] = f.parameters();
        let of_mode = |f: &mut FunctionBuilder, mode: usize| {
            let one = &joined[mode];
            let numbers = changes(one.mode).entries.iter().map(|entry| entry.number + 1);
            let functions: Vec<Option<FunctionId>> = (0..numbers.max().unwrap_or(0))
                .map(|number| one.function(&format!("{}{number}", protocol::ENTER)))
                .collect();
            call_of(f, number, &functions, t);
        };
        f.switch(present.at(0), joined.len(), of_mode, |_| ());
        f.return_(protocol::DONE);
    });
}

/// Leaves the function with what one of some others gives, if there is one of that place.
fn call_of(f: &mut FunctionBuilder, place: LocalId, functions: &[Option<FunctionId>], t: LocalId) {
    let call = |f: &mut FunctionBuilder, at: usize| {
        let Some(function) = functions[at] else { return };
        let status = f.call1(function, t);
        f.return_(status);
    };
    if functions.iter().any(Option::is_some) {
        f.switch(place, functions.len(), call, |_| ());
    }
}

/// When the last step of the present mode began or ended, or how long the next is; a mode without states is everywhere at once.
fn give_step(module: &mut ModuleBuilder, ask: FunctionId, array: &str, joined: &[Joined<'_>], present: ArrayId) {
    let always = if array == protocol::STEP_BEGIN { f64::NEG_INFINITY } else { f64::INFINITY };
    let times = joined.iter().map(|one| one.array(array).map_or(Expression::from(always), |array| array.at(0)));
    let times: Vec<Expression> = times.collect();
    module.define(ask, |f| {
        if times.iter().any(|time| *time != times[0]) {
            f.switch(present.at(0), times.len(), |f, at| f.return_(&times[at]), |_| ());
        }
        f.return_(&times[0]);
    });
}

/// Makes the next step of the present mode at least so long, if it has steps of its own.
fn lengthen_step(module: &mut ModuleBuilder, ask: FunctionId, joined: &[Joined<'_>], present: ArrayId) {
    let steps: Vec<Option<ArrayId>> = joined.iter().map(|one| one.array(protocol::STEP_NEXT)).collect();
    module.define(ask, |f| {
        let [length] = f.parameters();
        let lengthen = |f: &mut FunctionBuilder, at: usize| {
            let Some(step) = steps[at] else { return };
            f.store(step, 0, step.at(0).max(length));
        };
        f.switch(present.at(0), steps.len(), lengthen, |_| ());
    });
}

/// The entry points that only some programs have, and which need nothing else.
fn outside(module: &mut ModuleBuilder, automaton: &Automaton<'_>) -> Vec<(&'static str, FunctionId)> {
    let names = [protocol::PICTURE, protocol::CURVES, protocol::SURFACES].into_iter();
    let there = names.filter(|name| automaton.run().any(|mode| mode.module.find_function(name).is_some()));
    there.map(|name| (name, module.declare(&format!("mode_{name}"), &AT, &[Integer]))).collect()
}

/// What integrators of other programs ask of the present mode.
pub(super) struct Exchanged {
    pub hold: FunctionId,
    pub complete: FunctionId,
    pub react: FunctionId,
    /// How far switches are from turning, and when one turns that is known to.
    pub indicators: ArrayId,
    pub next: ArrayId,
}

impl Exchanged {
    fn declare(
        module: &mut ModuleBuilder,
        automaton: &Automaton<'_>,
        shared: &[(&'static str, ArrayId)],
    ) -> Option<Exchanged> {
        let all = automaton.run().all(|mode| mode.module.find_function(protocol::HOLD).is_some());
        let array = |name: &str| shared.iter().find(|(known, _)| *known == name).map(|(_, id)| *id);
        let (indicators, next) = array(protocol::INDICATORS).zip(array(protocol::NEXT_INSTANT)).filter(|_| all)?;
        let mut declare = |name: &str| module.declare(&format!("mode_{name}"), &AT, &[Integer]);
        let [hold, complete, react] = [protocol::HOLD, protocol::COMPLETE, protocol::REACT].map(&mut declare);
        Some(Exchanged { hold, complete, react, indicators, next })
    }

    fn functions(&self) -> [(&'static str, FunctionId); 3] {
        [(protocol::HOLD, self.hold), (protocol::COMPLETE, self.complete), (protocol::REACT, self.react)]
    }
}

impl Tables {
    // Long: one table for each thing that is known of modes and transitions.
    fn new(module: &mut ModuleBuilder, automaton: &Automaton<'_>) -> Tables {
        let modes = || automaton.modes.iter();
        // Modes that come later have no more than all.
        let most = match automaton.is_open {
            true => automaton.transitions.len(),
            false => modes().map(|mode| changes(mode).all.len()).max().unwrap_or(0),
        };
        let most = most.max(1);
        let target = |from: &Mode<'_>, change: &Change| {
            let leads = |to: &Mode<'_>| to.is_rehearsed() == from.is_rehearsed() && to.values == change.target;
            modes().position(leads).map_or(if automaton.is_open { -1 } else { 0 }, |at| at as i64)
        };
        let mut met: Vec<&[usize]> = Vec::new();
        for change in modes().flat_map(|mode| &changes(mode).all) {
            if !met.contains(&change.target.as_slice()) {
                met.push(&change.target);
            }
        }
        let leads = |change: &Change| met.iter().position(|target| *target == change.target).unwrap_or(0) as i64;
        let each = |of: &dyn Fn(&Mode<'_>, &Change) -> i64| -> Vec<i64> {
            let rows = modes().flat_map(|mode| {
                let all = &changes(mode).all;
                (0..most).map(|at| all.get(at).map_or(-1, |change| of(mode, change))).collect::<Vec<i64>>()
            });
            rows.collect()
        };
        let goals =
            |mode: &Mode<'_>, change: &Change| (change.aims.results.len() / (1 + mode.program.directions)) as i64;
        let mut table = |name: &str, values: Vec<i64>, note: &str| automaton.table(module, name, values, note);
        let firsts = |counts: Vec<usize>| -> Vec<i64> {
            let mut sum = 0;
            let first = |count: usize| {
                sum += count;
                (sum - count) as i64
            };
            counts.into_iter().map(first).collect()
        };
        let targets = table("transition_target", each(&target), "the mode that each leads to");
        let leads = match automaton.is_open {
            true => table("transition_leads", each(&|_, it| leads(it)), "which lead to the same mode"),
            false => targets,
        };
        Tables {
            most,
            targets,
            leads,
            counts: table(
                "transition_count",
                modes().map(|mode| changes(mode).all.len() as i64).collect(),
                "how many transitions can happen in each mode",
            ),
            numbers: table("transition_number", each(&|_, it| it.number as i64), "which transitions these are"),
            given: table(
                "transition_gives",
                each(&|_, it| it.carry.results.len() as i64),
                "how many numbers each gives",
            ),
            aims: table(
                "transition_aims",
                each(&|mode, it| goals(mode, it) - i64::from(it.has_cost)),
                "how many aims and limits a plan has there",
            ),
            goals: table("transition_goals", each(&goals), "how many with what is to be least"),
            integrated: table(
                "integrated",
                modes().map(|mode| mode.program.integrated() as i64).collect(),
                "how many states of each mode have rates",
            ),
            first_state: table("first_state", firsts(modes().map(states).collect()), "of each mode"),
            state_count: table("state_count", modes().map(|mode| states(mode) as i64).collect(), "of each mode"),
            first_integral: table(
                "first_integral",
                firsts(modes().map(|mode| mode.program.integrals.len()).collect()),
                "of each mode, for messages",
            ),
            first_system: table(
                "first_system",
                firsts(modes().map(|mode| mode.program.systems.len()).collect()),
                "of each mode, for messages",
            ),
        }
    }
}

/// How many states the program of a mode has.
fn states(mode: &Mode<'_>) -> usize {
    mode.program.integrals.iter().map(|integral| integral.states.len() + integral.followers.len()).sum()
}
