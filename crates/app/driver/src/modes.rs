//! The programs of a scene with modes, each made when its mode is first reached, and what to say when a run with modes ends too soon.

use std::rc::Rc;

use base::{Diagnostic, Diagnostics, Dimension, Sources, Span};
use equations::{Constraint, Level};
use model::{HeldId, Model, Shape};
use program::Program;
use simulation::{
    Claim, Disturbed, Due, Edge, Formula, Gate, Hybrid, Kind, Missed, Modes, Overdue, Part, Rivals, Simulation, Trouble,
};

use crate::codes;
use crate::failure::{describe, number, unsettled};
use crate::pipeline::{Compilation, Options, Rehearsal, Stages, compile_mode, directions, machine, rehearsal};

/// A scene that changes, running.
pub type Automaton = Hybrid<Programs>;

pub struct Programs {
    sources: Rc<Sources>,
    options: Options,
    /// The stages of each mode so far, that of the start first.
    made: Vec<(Vec<usize>, Rc<Stages>)>,
}

/// Whether a scene needs more than one program, or claims something.
pub fn is_changing(stages: &Stages) -> bool {
    stages.system.automaton.is_there()
}

/// A scene with modes, ready to run; parameters and controls have their defaults.
pub fn automaton(compilation: &Compilation, stages: &Rc<Stages>, options: &Options) -> Automaton {
    let start: Vec<usize> = stages.model.modes.iter().map(|mode| mode.start).collect();
    automaton_from(&compilation.sources, vec![(start, stages.clone())], options)
}

/// The same from the stages of some modes, that of the start first.
pub(crate) fn automaton_from(
    sources: &Rc<Sources>,
    made: Vec<(Vec<usize>, Rc<Stages>)>,
    options: &Options,
) -> Automaton {
    let (start, stages) = made[0].clone();
    let programs = Programs { sources: sources.clone(), options: options.clone(), made };
    let mut automaton = Hybrid::new(programs, start, stages.system.automaton.held.len());
    automaton.directions = directions(&stages.model);
    automaton.parameters = stages.system.parameters.iter().map(|parameter| parameter.default).collect();
    automaton.controls = stages.system.controls.iter().map(|control| control.default).collect();
    let begins = stages.model.transitions.iter().enumerate();
    let dues =
        begins.filter_map(|(begins, transition)| Some(Due { begins, place: place(&stages.model, transition.due?) }));
    automaton.dues = dues.collect();
    watch_claims(&mut automaton, &stages.model);
    automaton
}

/// Where a number is among all that are held.
fn place(model: &Model, held: HeldId) -> usize {
    model.held[..held.index()].iter().map(model::Held::size).sum()
}

/// Watches all that a scene claims.
pub fn watch_claims(automaton: &mut Automaton, model: &Model) {
    let claims = model.claims.iter();
    let claims = claims.map(|claim| Claim { name: claim.name.clone(), formula: formula(&claim.formula) });
    automaton.watch(claims.collect(), model.conditions.len());
}

impl Programs {
    fn model(&self) -> &Model {
        &self.made[0].1.model
    }

    fn stages(&mut self, mode: &[usize]) -> Result<Rc<Stages>, Diagnostics> {
        if let Some(stages) = self.made(mode) {
            return Ok(stages.clone());
        }
        let mut sink = Diagnostics::default();
        match compile_mode(self.model(), mode, &self.options, &self.sources, &mut sink) {
            Some(stages) => {
                let stages = Rc::new(stages);
                self.made.push((mode.to_vec(), stages.clone()));
                Ok(stages)
            }
            None => Err(sink.iter().map(|found| found.clone().note(in_mode(self.model(), mode))).collect()),
        }
    }

    /// The stages of a mode that was reached.
    pub fn made(&self, mode: &[usize]) -> Option<&Rc<Stages>> {
        self.made.iter().find(|(known, _)| known == mode).map(|(_, stages)| stages)
    }
}

impl Modes for Programs {
    type Error = Diagnostics;

    fn part(&mut self, mode: &[usize], kind: Kind) -> Result<Part, Diagnostics> {
        let stages = self.stages(mode)?;
        let rehearsed = (kind == Kind::Rehearsal).then(|| rehearsal(&stages, &self.options, &self.sources));
        let (program, module) = match &rehearsed {
            None => (&stages.program, &stages.module),
            Some(Rehearsal { program, module }) => (program, module),
        };
        let code = machine(module).map_err(|diagnostic| {
            let mut sink = Diagnostics::default();
            sink.report(diagnostic);
            sink
        })?;
        Ok(part(program, Simulation::new(module, code)))
    }
}

/// What a run needs to know of the program of a mode.
fn part(program: &Program, simulation: Simulation) -> Part {
    let Some(changes) = &program.changes else {
        let (edges, states) = (Vec::new(), Vec::new());
        return Part { simulation, edges, states, variables: 0, integrated: 0, entries: None };
    };
    let states = program.integrals.iter().flat_map(|integral| integral.states.iter().chain(&integral.followers));
    let place = |name: &String| changes.variables.iter().position(|variable| variable.name == *name);
    let edges = changes.all.iter().map(|change| Edge {
        name: change.name.clone(),
        number: change.number,
        target: change.target.clone(),
        given: change.reset.results.len(),
        stores: change.stores.clone(),
        aims: change.aims.results.len(),
        choices: change.choices.clone(),
        phases: change.phases.clone(),
    });
    let entries = changes.entries.as_ref();
    let gate = |entry: &program::EntryPoint| Gate {
        number: entry.number,
        stores: entry.stores.clone(),
        checked: entry.checked.clone(),
    };
    let entries = entries.map(|entries| entries.iter().map(gate));
    Part {
        edges: edges.collect(),
        states: states.map(|state| place(&state.name).unwrap_or(usize::MAX)).collect(),
        variables: changes.variables.len(),
        entries: entries.map(Iterator::collect),
        integrated: program.integrated(),
        simulation,
    }
}

/// What [`Trouble::Inconsistent`] speaks of.
fn changed_name(stages: &Stages, at: usize) -> String {
    let Some(changes) = &stages.program.changes else { return String::new() };
    let states = stages.program.integrals.iter().flat_map(|integral| integral.states.iter().chain(&integral.followers));
    changes.variables.iter().chain(states).nth(at).map_or(String::new(), |found| found.name.clone())
}

/// The constraints of a mode that speak of what [`Trouble::Inconsistent`] does.
fn demands(stages: &Stages, at: usize) -> Vec<(String, Span)> {
    let Some(changes) = &stages.program.changes else { return Vec::new() };
    let Some(variable) = changes.variables.get(at) else { return Vec::new() };
    let level = if at < stages.system.coordinates.len() { Level::Position } else { Level::Velocity };
    let speaks = |constraint: &&Constraint| {
        let residual = constraint.at(level);
        residual.is_some_and(|it| stages.system.arena.symbols_in(&[it]).contains(&variable.symbol))
    };
    let all = stages.system.constraints.iter().filter(speaks);
    all.map(|constraint| (constraint.label.clone(), constraint.span)).collect()
}

pub(crate) fn formula(claimed: &model::Formula) -> Formula {
    let inner = |claimed: &model::Formula| Box::new(formula(claimed));
    match claimed {
        model::Formula::Holds(at) => Formula::Holds(*at),
        model::Formula::Always(a) => Formula::Always(inner(a)),
        model::Formula::Eventually(a) => Formula::Eventually(inner(a)),
        model::Formula::Next(a) => Formula::Next(inner(a)),
        model::Formula::Until(a, b) => Formula::Until(inner(a), inner(b)),
        model::Formula::Implies(a, b) => Formula::Or(Box::new(Formula::Not(inner(a))), inner(b)),
        model::Formula::And(a, b) => Formula::And(inner(a), inner(b)),
        model::Formula::Or(a, b) => Formula::Or(inner(a), inner(b)),
        model::Formula::Not(a) => Formula::Not(inner(a)),
    }
}

const FIRST_IN_TEXT: &str = "this happened: it stands first in the text";
const FIRST_BY_ROUNDING: &str = "this happened: it came first, but only by rounding";

/// What a run met that is no reason to end it: what was settled by the order of the text alone, and plans that came to nothing.
pub fn describe_warnings(automaton: &Automaton) -> Diagnostics {
    let transitions = &automaton.modes().model().transitions;
    let describe = |pair: &Rivals| {
        let [happened, missed] = [pair.happened, pair.missed].map(|number| &transitions[number]);
        let message = format!(
            "at t = {} s, `{}` and `{}` hold together and disagree",
            number(pair.t),
            happened.name,
            missed.name
        );
        Diagnostic::warning(codes::RIVAL_TRANSITIONS, message)
            .at(happened.span, if pair.by_rounding { FIRST_BY_ROUNDING } else { FIRST_IN_TEXT })
            .at(missed.span, "this did not, for it does not hold any more afterwards")
            .hint(match pair.by_rounding {
                true => {
                    "let their conditions exclude one another, so that it does not depend on rounding which one comes"
                }
                false => {
                    "let their conditions exclude one another, or change their order if the other should come first"
                }
            })
    };
    let disturbed = automaton.disturbed.iter().map(|found| describe_disturbed(found, transitions));
    let overdue = automaton.overdue.iter().map(|found| describe_overdue(found, transitions));
    automaton.rivals.iter().map(describe).chain(disturbed).chain(overdue).collect()
}

fn describe_overdue(found: &Overdue, transitions: &[model::Transition]) -> Diagnostic {
    let ends = &transitions[found.begins + 1];
    let message = format!("at t = {} s, a phase begins that was to end before: `{}`", number(found.t), ends.name);
    Diagnostic::warning(codes::NEGATIVE_DURATION, message)
        .at(ends.span, format!("`after` {} s; it ends at once", number(found.duration)))
        .hint("check the sign of the duration, or let the phase end `until` a condition holds")
}

fn describe_disturbed(found: &Disturbed, transitions: &[model::Transition]) -> Diagnostic {
    let (plan, by) = (&transitions[found.plan], found.by.iter().map(|&number| &transitions[number]));
    let name = short(&plan.name);
    let message =
        format!("at t = {} s, `{name}` misses what it aimed at, for something came in between", number(found.t));
    let diagnostic = Diagnostic::warning(codes::PLAN_DISTURBED, message).at(plan.span, "chosen without knowing of it");
    let diagnostic =
        by.fold(diagnostic, |diagnostic, it| diagnostic.at(it.span, format!("`{}` happened meanwhile", it.name)));
    diagnostic.hint("a plan does not foresee what other plans choose: let their conditions wait for its end")
}

/// A run with modes that ended too soon, in the user's words.
pub fn describe_trouble(trouble: &Trouble<Diagnostics>, automaton: &Automaton) -> Diagnostics {
    let programs = automaton.modes();
    let model = programs.model();
    let place = |number: usize| model.transitions[number].span;
    let name = |number: usize| model.transitions[number].name.as_str();
    let all = |diagnostic: Diagnostic, names: &[String], label: &str| {
        let those = model.transitions.iter().filter(|transition| names.contains(&transition.name));
        those.fold(diagnostic, |found, one| found.at(one.span, label))
    };
    let diagnostic = match trouble {
        Trouble::NoProgram(found) => return found.clone(),
        Trouble::Failed(failure) => {
            let stages = programs.made(automaton.mode());
            match stages.zip(automaton.simulation()) {
                Some((stages, simulation)) => {
                    let described = describe(failure, stages, simulation);
                    if model.modes.is_empty() { described } else { described.note(in_mode(model, automaton.mode())) }
                }
                None => return Diagnostics::default(),
            }
        }
        Trouble::Chattering { t, names, count } => {
            let message = format!(
                "at t = {} s the transitions do not come to an end, given up after {count} of them: {}",
                number(*t),
                quoted(names)
            );
            all(Diagnostic::error(codes::CHATTERING, message), names, "happens again and again at this instant").hint(
                match names.len() {
                    1 => "let its condition end with it: a ball that bounces no longer comes nearer, so ask for `z <= 0 and z' < 0`",
                    _ => "let the conditions exclude one another: a mode that was just entered should last for a while",
                },
            )
        }
        Trouble::TakingTurns { t, names } => {
            let message = format!(
                "from t = {} s on, {} take turns without end, and hardly any time passes in between",
                number(*t),
                quoted(names)
            );
            all(Diagnostic::error(codes::CHATTERING, message), names, "leads at once to where the other happens")
                .note("where either side of a border leads back to it, what comes after is sliding along the border")
                .hint("give that a mode of its own, in which a constraint holds the border: `always x == 0 while motion == sliding`")
        }
        Trouble::Accumulating { t, name } => {
            let span = model.transitions.iter().find(|transition| transition.name == *name).map(|found| found.span);
            let message = format!("`{name}` happens ever faster and never gets past t = {} s", number(*t));
            let diagnostic = Diagnostic::error(codes::ACCUMULATION, message);
            let diagnostic =
                span.into_iter().fold(diagnostic, |found, span| found.at(span, "infinitely often before that time"));
            diagnostic
                .hint("say what happens afterwards: a transition to another mode where the motion is small enough")
        }
        Trouble::NoPlan { t, number: plan, left } => {
            let message = format!("at t = {} s, `{}` finds no way to what it aims at", number(*t), short(name(*plan)));
            let diagnostic = Diagnostic::error(codes::NO_PLAN, message);
            match left {
                Some(left) => {
                    describe_missed(diagnostic.at(place(*plan), "this is the nearest it came:"), model, *plan, left)
                }
                None => diagnostic
                    .at(place(*plan), "with the numbers where the search begins its phases do not come to their ends")
                    .hint(ELSEWHERE),
            }
        }
        Trouble::Unsettled { number: transition, failure } => {
            let stages = programs.made(automaton.mode());
            match stages.zip(automaton.simulation()) {
                Some((stages, simulation)) => unsettled(failure, stages, simulation, &model.transitions[*transition])
                    .note(in_mode(model, automaton.mode())),
                None => return Diagnostics::default(),
            }
        }
        Trouble::Inconsistent { t, number: transition, variable, by } => {
            let stages = programs.made(automaton.mode());
            let demands = stages.map_or(Vec::new(), |stages| demands(stages, *variable));
            let is_speed = stages.is_some_and(|stages| *variable >= stages.system.coordinates.len());
            let stated = &model.transitions[*transition];
            let variable = stages.map_or(String::new(), |it| changed_name(it, *variable));
            let message = format!(
                "at t = {} s, `{}` leads to a state that the new mode does not allow",
                number(*t),
                name(*transition)
            );
            let diagnostic = Diagnostic::error(codes::INCONSISTENT_CHANGE, message)
                .at(place(*transition), format!("`{variable}` does not fit: it is off by {} of its size", number(*by)));
            let diagnostic = demands.into_iter().fold(diagnostic, |found, (label, span)| {
                found.at(span, format!("`{label}` has to hold in the new mode"))
            });
            diagnostic
                .note(in_mode(model, automaton.mode()))
                .hint(match model.quantities.is_empty() {
                    true if is_speed && !stated.satisfies_velocities => "add `satisfy velocity constraints` to its effects",
                    true if is_speed => "drop what it says of velocities, and let the constraints decide them",
                    true if stated.kept.positions => {
                        "write `satisfy position constraints` instead of `keep positions`, or let its condition wait for the constraint to hold"
                    }
                    true => "add `satisfy position constraints` to its effects",
                    false => "say what it is afterwards, or what stays the same: `a + b == pre(a + b)` is true of charges that flow together",
                })
        }
        Trouble::Refuted { t, claim, compared } => {
            let claim = &model.claims[*claim];
            let message = format!("at t = {} s, `{}` does not hold", number(*t), claim.name);
            let conditions = programs.made(automaton.mode()).map(|stages| &stages.system.automaton.conditions);
            let conditions = conditions.into_iter().flatten().enumerate();
            let sides = conditions.flat_map(|(at, condition)| condition.compared.iter().map(move |side| (at, side)));
            let own = formula(&claim.formula).conditions();
            let own = sides.zip(compared).filter(|((at, _), _)| own.contains(at));
            let diagnostic = Diagnostic::error(codes::CLAIM_REFUTED, message).at(claim.span, "claimed here");
            own.fold(diagnostic, |found, ((_, side), value)| found.at(side.span, measured(*value, side.dimension)))
                .note(in_mode(model, automaton.mode()))
        }
    };
    [diagnostic].into_iter().collect()
}

/// The name of a plan, of which this is the first transition.
fn short(begin: &str) -> &str {
    begin.strip_suffix(".begin").unwrap_or(begin)
}

const ELSEWHERE: &str = "let the search begin elsewhere with `from`, or aim at something that can be reached";

/// By how much a plan missed each aim, in the unit of what it is about; and which of its choices were of no use.
fn describe_missed(diagnostic: Diagnostic, model: &Model, plan: usize, missed: &Missed) -> Diagnostic {
    let mut left = missed.left.iter().enumerate();
    let aims = model.transitions[plan].phases.iter().flat_map(|&phase| &model.transitions[phase].aims);
    let diagnostic = aims.fold(diagnostic, |found, aim| {
        let type_ = model.terms.get(aim.left).type_;
        let count = if type_.shape == Shape::Vector { 3 } else { 1 };
        let own: Vec<(usize, &f64)> = left.by_ref().take(count).collect();
        let by: Vec<String> = own.iter().map(|(_, value)| number(**value)).collect();
        let fixed = own.iter().all(|(at, _)| missed.fixed.contains(at));
        let fixed = if fixed { ", and hardly changes with what is chosen" } else { "" };
        found.at(aim.span, format!("off by {}{}{fixed}", by.join(", "), unit(type_.amount.dimension())))
    });
    let names = choice_names(model, plan);
    let named = |places: &[usize]| quoted(&places.iter().map(|&at| names[at].clone()).collect::<Vec<String>>());
    if missed.idle.is_empty() && missed.alike.is_empty() {
        return diagnostic.hint(ELSEWHERE);
    }
    let diagnostic = match missed.idle.len() {
        0 => diagnostic,
        1 => diagnostic.note(format!("there, {} changes hardly anything that is aimed at", named(&missed.idle))),
        _ => diagnostic.note(format!("there, {} change hardly anything that is aimed at", named(&missed.idle))),
    };
    let diagnostic = match missed.alike.len() {
        0 => diagnostic,
        2 => diagnostic.note(format!(
            "there, {} act alike: what one changes of what is aimed at, the other changes in the same proportion",
            named(&missed.alike)
        )),
        _ => diagnostic.note(format!(
            "there, {} do not act independently on what is aimed at: each does what the others could do together",
            named(&missed.alike)
        )),
    };
    diagnostic.hint(format!("choose what changes the aims in a way of its own; {ELSEWHERE}"))
}

/// The numbers that a plan chooses; those of a vector are its components.
fn choice_names(model: &Model, plan: usize) -> Vec<String> {
    let names = model.transitions[plan].choices.iter().flat_map(|(held, _)| {
        let held = &model.held[held.index()];
        match held.size() {
            1 => vec![held.name.clone()],
            _ => ["x", "y", "z"].map(|part| format!("{}.{part}", held.name)).to_vec(),
        }
    });
    names.collect()
}

/// `0.25 m`
pub(crate) fn measured(value: f64, dimension: Dimension) -> String {
    format!("{}{}", number(value), unit(dimension))
}

/// As it is written behind a number.
fn unit(dimension: Dimension) -> String {
    if dimension.is_none() { String::new() } else { format!(" {}", dimension.unit()) }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// `in the mode motion = rolling`
/// The mode in which some variables have other values than at the start, each given as `motion=rolling`. What is wrong with that, and a hint.
pub fn mode_named(model: &Model, given: &[String]) -> Result<Vec<usize>, (String, String)> {
    let mut mode: Vec<usize> = model.modes.iter().map(|mode| mode.start).collect();
    let listed = |names: &mut dyn Iterator<Item = &String>| names.cloned().collect::<Vec<String>>().join(", ");
    for text in given {
        let (name, value) = text.split_once('=').map_or((text.trim(), ""), |(name, value)| (name.trim(), value.trim()));
        let Some(at) = model.modes.iter().position(|known| !known.hidden && known.name == name) else {
            let names = listed(&mut model.modes.iter().filter(|mode| !mode.hidden).map(|mode| &mode.name));
            let hint = if names.is_empty() { "this scene has none".to_string() } else { format!("there is {names}") };
            return Err((format!("there is no mode called `{name}`"), hint));
        };
        let values = &model.modes[at].values;
        let Some(value) = values.iter().position(|known| known == value) else {
            let hint = format!("it is one of {}: `--mode {name}={}`", listed(&mut values.iter()), values[0]);
            return Err((format!("`{name}` is never `{value}`"), hint));
        };
        mode[at] = value;
    }
    Ok(mode)
}

pub(crate) fn in_mode(model: &Model, mode: &[usize]) -> String {
    let shown = model.modes.iter().zip(mode).filter(|(mode, _)| !mode.hidden);
    let values: Vec<String> = shown.map(|(mode, &value)| format!("{} = {}", mode.name, mode.values[value])).collect();
    if values.is_empty() { "this scene has one mode".to_string() } else { format!("in the mode {}", values.join(", ")) }
}
