//! Modes, transitions, sequences and plans.
//!
//! A sequence or a plan becomes transitions: one that begins it and one that ends each phase. A hidden mode counts the phases, and what
//! later phases need to know of earlier moments is kept in discrete variables.

use base::{Diagnostic, Dimension, Span, Unit};
use expr::Operator;
use syntax::{Course, Effect, EffectKind, Equation, Expr, ExprKind, PhaseEnd, Relation, Satisfied, print_expression};

use super::name::other_form;
use super::space::Scope;
use super::{Entity, Outcome, Reported, Resolver, Sense};
use crate::change::{Claim, Discrete, DiscreteId, Formula, Mode, ModeId, Transition};
use crate::codes;
use crate::term::{Shape, TermId, TermKind, Type};

/// What is known while the effects of a transition are read.
#[derive(Default)]
pub(super) struct Moment {
    /// What is asked of the moments of the sequence or plan so far: which event, what, and what holds it.
    remembered: Vec<(usize, TermId, DiscreteId)>,
    /// How many events lie behind; none outside of sequences and plans.
    events: Option<usize>,
    /// The event at which what is read now is stored: what was then, is now.
    storing: Option<usize>,
}

/// What can be kept as a whole.
const KEPT: [&str; 3] = ["all", "positions", "velocities"];

/// The name of the mode that counts the phases of a sequence or a plan.
pub(super) fn phase_name(course: &str) -> String {
    format!("{course}.phase")
}

impl<'t> Resolver<'t, '_> {
    pub(super) fn declare_mode(&mut self, mode: &'t syntax::Mode, scope: &Scope) {
        let Ok(name) = self.full_name(&mode.name, scope) else { return };
        let values: Vec<String> = mode.values.iter().map(|value| value.text.clone()).collect();
        for (at, value) in mode.values.iter().enumerate() {
            if let Some(first) = mode.values[..at].iter().find(|first| first.text == value.text) {
                self.report(
                    Diagnostic::error(codes::DUPLICATE_NAME, format!("`{name}` has the value `{}` twice", value.text))
                        .at(value.span, "again here")
                        .at(first.span, "first here"),
                );
            }
        }
        let start = match &mode.start {
            None => 0,
            Some(start) => match values.iter().position(|value| *value == start.text) {
                Some(at) => at,
                None => {
                    self.unknown_value(&name, &values, &start.text, start.span);
                    0
                }
            },
        };
        self.new_mode(Mode { name, values, start, hidden: false, span: mode.name.span }, scope);
    }

    /// Declares a mode under its own name; from outside it is called after its thing too.
    fn new_mode(&mut self, mode: Mode, scope: &Scope) {
        let id = ModeId(self.model.modes.len() as u32);
        self.declare_name(&mode.name, mode.span, Entity::Mode(id), scope.space);
        let name = self.path(scope.space, &mode.name);
        self.model.modes.push(Mode { name, ..mode });
    }

    pub(super) fn declare_course(&mut self, course: &'t Course, scope: &Scope) {
        let Ok(name) = self.full_name(&course.name, scope) else { return };
        let values =
            std::iter::once("idle".to_string()).chain((1..=course.phases.len()).map(|phase| phase.to_string()));
        let span = course.name.span;
        self.new_mode(Mode { name: phase_name(&name), values: values.collect(), start: 0, hidden: true, span }, scope);
        for choice in &course.choices {
            let Ok(name) = self.full_name(&choice.name, scope) else { continue };
            let Ok((type_, unit)) = self.type_of_choice(&choice.type_) else { continue };
            let id = self.new_discrete(self.path(scope.space, &name), type_, choice.name.span);
            self.model.discrete[id.index()].unit = unit;
            self.declare_name(&name, choice.name.span, Entity::Discrete(id), scope.space);
        }
    }

    fn type_of_choice(&mut self, type_: &syntax::QuantityType) -> Outcome<(Type, Unit)> {
        let unit = match &type_.unit {
            Some(unit) => self.unit(unit)?,
            None => Unit::coherent(Dimension::NONE),
        };
        match type_.domain {
            syntax::QuantityDomain::Real => Ok((Type::scalar(unit.dimension), unit)),
            syntax::QuantityDomain::Vec => Ok((Type::vector(unit.dimension), unit)),
            _ => Err(self.wrong_kind(type_.span, "a plan chooses numbers and vectors", "this is something else")),
        }
    }

    pub(super) fn new_discrete(&mut self, name: String, type_: Type, span: Span) -> DiscreteId {
        let unit = Unit::coherent(type_.amount.dimension());
        self.model.discrete.push(Discrete { name, type_, unit, span });
        DiscreteId(self.model.discrete.len() as u32 - 1)
    }

    pub(super) fn discrete_term(&mut self, id: DiscreteId, span: Span) -> TermId {
        let type_ = self.model.discrete[id.index()].type_;
        self.push(TermKind::Discrete(id), type_, span)
    }

    /// The mode that a path names, if it names one.
    pub(super) fn mode_of(&mut self, path: &Expr, scope: &Scope) -> Option<ModeId> {
        let name = self.mode_name(path, scope)?;
        let entity = |name: &str| self.entity(name, Sense::Quantity, scope.space);
        match entity(&name).or_else(|| entity(&other_form(&name)?)) {
            Some(Entity::Mode(id)) => Some(id),
            _ => None,
        }
    }

    /// The words of a path with its indices as numbers, `lamp[2]` for `lamp[i + 1]`; nothing if no mode can be meant.
    fn mode_name(&mut self, path: &Expr, scope: &Scope) -> Option<String> {
        let ExprKind::Index { base, indices } = &path.kind else { return path_text(path) };
        let mut name = path_text(base)?;
        // An index that is wrong is reported where it is understood as a number, so only modes are looked at here.
        if !self.model.modes.iter().any(|mode| mode.name.contains(&name)) {
            return None;
        }
        for index in indices {
            name.push_str(&format!("[{}]", self.whole_number(index, scope).ok()?));
        }
        Some(name)
    }

    /// `motion == rolling`, or nothing if neither side is a mode.
    pub(super) fn mode_test(
        &mut self,
        left: &Expr,
        right: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Option<Outcome<TermId>> {
        let (mode, value) = match (self.mode_of(left, scope), self.mode_of(right, scope)) {
            (Some(mode), _) => (mode, right),
            (None, Some(mode)) => (mode, left),
            (None, None) => return None,
        };
        let value = self.value_of_mode(mode, value);
        Some(value.map(|value| self.push(TermKind::ModeIs(mode, value), Type::CONDITION, span)))
    }

    fn value_of_mode(&mut self, mode: ModeId, value: &Expr) -> Outcome<usize> {
        let Mode { name, values, .. } = self.model.modes[mode.index()].clone();
        let text = print_expression(value);
        match values.iter().position(|known| *known == text) {
            Some(at) => Ok(at),
            None => Err(self.unknown_value(&name, &values, &text, value.span)),
        }
    }

    fn unknown_value(&mut self, mode: &str, values: &[String], found: &str, span: Span) -> Reported {
        let once = values.iter().enumerate().filter(|(at, value)| !values[..*at].contains(value));
        let known: Vec<String> = once.map(|(_, value)| format!("`{value}`")).collect();
        self.report(
            Diagnostic::error(codes::UNKNOWN_MODE, format!("`{mode}` has no value `{found}`"))
                .at(span, "not among its values")
                .hint(format!("it is one of {}", known.join(", "))),
        )
    }

    /// `pre(x)`: the value before the transition.
    pub(super) fn before(&mut self, inner: TermId, span: Span) -> Outcome<TermId> {
        if self.moment.is_none() {
            return Err(self.report(
                Diagnostic::error(codes::OUTSIDE_TRANSITION, "`pre` is the value before a transition")
                    .at(span, "this is not in the braces of one")
                    .hint("use it in the braces of `when`, `begin`, `until` or `after`"),
            ));
        }
        Ok(self.push(TermKind::Pre(inner), self.type_of(inner), span))
    }

    /// `at(begin, x)`, `at(2, x)`: the value at an earlier event of the sequence or plan.
    pub(super) fn at_event(&mut self, event: &Expr, value: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let events = self.moment.as_ref().and_then(|moment| moment.events);
        let number = match (&event.kind, events) {
            (ExprKind::Name(name), Some(_)) if name == "begin" => Some(0),
            (ExprKind::Number { value, .. }, Some(events))
                if value.fract() == 0.0 && (0.0..events as f64).contains(value) =>
            {
                Some(*value as usize)
            }
            _ => None,
        };
        let Some(number) = number else {
            return Err(self.report(
                Diagnostic::error(codes::OUTSIDE_TRANSITION, "there is no such event before this")
                    .at(event.span, "an earlier event of the same sequence or plan is needed here")
                    .hint("`at(begin, x)` is x after its beginning, `at(1, x)` after the end of its first phase"),
            ));
        };
        let term = self.at_storing(number, number + 1, |resolver| resolver.term(value, scope))?;
        if self.moment.as_ref().and_then(|moment| moment.storing) == Some(number) {
            return Ok(term);
        }
        let type_ = self.type_of(term);
        if !matches!(type_.shape, Shape::Scalar | Shape::Vector) {
            return Err(self.wrong_kind(span, "only numbers and vectors are remembered", "this is something else"));
        }
        let id =
            self.new_discrete(format!("at({}, {})", print_expression(event), print_expression(value)), type_, span);
        if let Some(moment) = &mut self.moment {
            moment.remembered.push((number, term, id));
        }
        Ok(self.discrete_term(id, span))
    }

    /// Reads what will be stored at an event, when so many events lie behind.
    fn at_storing<T>(&mut self, event: usize, events: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let exchange = |resolver: &mut Self, events, storing| match &mut resolver.moment {
            Some(moment) => {
                (std::mem::replace(&mut moment.events, events), std::mem::replace(&mut moment.storing, storing))
            }
            None => (None, None),
        };
        let (before, storing) = exchange(self, Some(events), Some(event));
        let result = read(self);
        exchange(self, before, storing);
        result
    }

    pub(super) fn when(&mut self, when: &'t syntax::When, scope: &Scope, span: Span) -> Outcome<()> {
        let name = self.outer_name(&when.name, scope)?;
        self.refuse_twice(&name, when.name.span)?;
        let guard = self.condition(&when.guard, scope);
        // What is wrong with the effects is said even where the guard cannot be understood.
        let mut transition = new_transition(name, guard.unwrap_or(TermId(0)), span);
        self.moment = Some(Moment::default());
        let outcome = self.effects(&when.effects, &mut transition, scope);
        self.moment = None;
        guard.and(outcome)?;
        self.model.transitions.push(transition);
        Ok(())
    }

    /// `stop when CONDITION`: an instant that changes nothing, and after which nothing comes.
    pub(super) fn stop(&mut self, stop: &'t syntax::Stop, scope: &Scope, span: Span) -> Outcome<()> {
        let name = match &stop.name {
            Some(name) => {
                let outer = self.outer_name(name, scope)?;
                self.refuse_twice(&outer, name.span)?;
                outer
            }
            None => self.unused_name("stop"),
        };
        let guard = self.condition(&stop.condition, scope)?;
        let mut transition = new_transition(name, guard, span);
        transition.stops = true;
        (transition.kept.positions, transition.kept.velocities) = (true, true);
        self.model.transitions.push(transition);
        Ok(())
    }

    /// `stop`, and for those after the first `stop[2]`, `stop[3]`.
    pub(super) fn unused_name(&self, word: &str) -> String {
        let is_new = |name: &String| !self.model.transitions.iter().any(|known| known.name == *name);
        let names = std::iter::once(word.to_string()).chain((2..).map(|number| format!("{word}[{number}]")));
        names.into_iter().find(is_new).expect("numbers do not end")
    }

    /// A name as it is called from outside: that of a transition, a sequence, a plan or a claim of a thing, `t1.close`.
    pub(super) fn outer_name(&mut self, name: &syntax::Name, scope: &Scope) -> Outcome<String> {
        let own = self.full_name(name, scope)?;
        Ok(self.path(scope.space, &own))
    }

    /// Two transitions of one name could not be told apart in the list of events.
    pub(super) fn refuse_twice(&mut self, name: &str, span: Span) -> Outcome<()> {
        let Some(first) = self.model.transitions.iter().find(|known| known.name == name) else { return Ok(()) };
        let first = first.span;
        Err(self.report(
            Diagnostic::error(codes::DUPLICATE_NAME, format!("there are two transitions `{name}`"))
                .at(span, "again here")
                .at(first, "first here")
                .hint("give each its own name; it is what `--events` writes down"),
        ))
    }

    pub(super) fn condition(&mut self, expr: &Expr, scope: &Scope) -> Outcome<TermId> {
        let term = self.term(expr, scope)?;
        self.need_shape(term, Shape::Condition)?;
        Ok(term)
    }

    pub(super) fn course(&mut self, course: &'t Course, scope: &Scope, span: Span) -> Outcome<()> {
        self.moment = Some(Moment { events: Some(0), ..Moment::default() });
        let outcome = self.course_transitions(course, scope, span);
        self.moment = None;
        self.model.transitions.extend(outcome?);
        Ok(())
    }

    fn course_transitions(&mut self, course: &'t Course, scope: &Scope, span: Span) -> Outcome<Vec<Transition>> {
        let own_name = self.full_name(&course.name, scope)?;
        let name = self.path(scope.space, &own_name);
        if course.phases.is_empty() {
            return Err(self.report(
                Diagnostic::error(codes::NO_PHASES, format!("`{name}` begins and never ends"))
                    .at(span, "it has no phases")
                    .hint("say when its first phase ends: `until CONDITION { … }` or `after DURATION { … }`"),
            ));
        }
        let Some(Entity::Mode(phase)) = self.entity(&phase_name(&own_name), Sense::Quantity, scope.space) else {
            return Err(Reported);
        };
        let count = course.phases.len();
        let mut transitions = vec![self.course_begin(course, &name, phase, scope, span)?];
        for (at, written) in course.phases.iter().enumerate() {
            if let Some(moment) = &mut self.moment {
                moment.events = Some(at + 1);
            }
            let condition = match &written.end {
                PhaseEnd::Until(condition) => self.condition(condition, scope)?,
                PhaseEnd::After(duration) => {
                    let due = self.due(&name, at, duration, scope)?;
                    if let Some(before) = transitions.last_mut() {
                        before.stores.push(due.1);
                        before.due = Some(due.1.0);
                    }
                    due.0
                }
            };
            let guard = self.in_phase(phase, at + 1, condition, written.span);
            let mut transition = new_transition(format!("{name}.{}", at + 1), guard, written.span);
            transition.modes.push((phase, if at + 1 == count { 0 } else { at + 2 }));
            self.goals(written, &mut transition, scope)?;
            self.effects(&written.effects, &mut transition, scope)?;
            transitions.push(transition);
        }
        let remembered = self.moment.take().map(|moment| moment.remembered).unwrap_or_default();
        for (event, term, id) in remembered {
            transitions[event].stores.push((id, term));
        }
        let first = self.model.transitions.len();
        transitions[0].phases = (first + 1..=first + count).collect();
        self.check_plan(course, &transitions)?;
        Ok(transitions)
    }

    /// The transition into the first phase, which makes the choices of a plan.
    fn course_begin(
        &mut self,
        course: &'t Course,
        name: &str,
        phase: ModeId,
        scope: &Scope,
        span: Span,
    ) -> Outcome<Transition> {
        let guard = self.condition(&course.guard, scope)?;
        let guard = self.in_phase(phase, 0, guard, span);
        let mut begin = new_transition(format!("{name}.begin"), guard, course.guard.span.to(span));
        begin.span = course.name.span;
        begin.modes.push((phase, 1));
        self.effects(&course.begin, &mut begin, scope)?;
        for choice in &course.choices {
            let name = self.full_name(&choice.name, scope)?;
            let Some(Entity::Discrete(id)) = self.entity(&name, Sense::Quantity, scope.space) else {
                return Err(Reported);
            };
            let type_ = self.model.discrete[id.index()].type_;
            let seed = match &choice.seed {
                Some(seed) => self.expect(seed, scope, type_, &format!("`{name}`"))?,
                None => self.zero(type_, choice.span),
            };
            begin.choices.push((id, seed));
            if let Some(range) = &choice.range {
                let range = self.range_of_choice(range, id, scope)?;
                begin.ranges.push((id, range));
            }
        }
        Ok(begin)
    }

    /// The condition that ends a phase after some time, and what remembers when that will be.
    fn due(
        &mut self,
        name: &str,
        at: usize,
        duration: &Expr,
        scope: &Scope,
    ) -> Outcome<(TermId, (DiscreteId, TermId))> {
        let (span, time) = (duration.span, Type::scalar(Dimension::TIME));
        let duration = self.at_storing(at, at + 1, |resolver| resolver.expect(duration, scope, time, "a duration"))?;
        let now = self.push(TermKind::Time, time, span);
        let then = self.push(TermKind::Add(now, duration), time, span);
        let id = self.new_discrete(format!("{name}.{} due", at + 1), time, span);
        let due = self.discrete_term(id, span);
        let condition = self.push(TermKind::Apply(Operator::LessEqual, vec![due, now]), Type::CONDITION, span);
        Ok((condition, (id, then)))
    }

    fn in_phase(&mut self, phase: ModeId, value: usize, condition: TermId, span: Span) -> TermId {
        let phase = self.push(TermKind::ModeIs(phase, value), Type::CONDITION, span);
        self.push(TermKind::Apply(Operator::And, vec![phase, condition]), Type::CONDITION, span)
    }

    pub(super) fn effects(&mut self, effects: &'t [Effect], transition: &mut Transition, scope: &Scope) -> Outcome<()> {
        let outcomes: Vec<Outcome<()>> = effects.iter().map(|effect| self.effect(effect, transition, scope)).collect();
        outcomes.into_iter().collect::<Outcome<()>>()?;
        self.refuse_two_values(effects, transition, scope)
    }

    /// After a transition a mode has one value.
    fn refuse_two_values(&mut self, effects: &[Effect], transition: &Transition, scope: &Scope) -> Outcome<()> {
        let mut given: Vec<(ModeId, usize, Span)> = Vec::new();
        for effect in effects {
            let EffectKind::Equation(equation) = &effect.kind else { continue };
            let Some(Ok(Some((mode, value)))) = self.mode_effect(equation, scope) else { continue };
            let Some(&(.., first)) = given.iter().find(|(known, other, _)| *known == mode && *other != value) else {
                given.push((mode, value, effect.span));
                continue;
            };
            let (name, mode) = (&transition.name, &self.model.modes[mode.index()].name);
            let message = format!("`{name}` gives `{mode}` two values");
            return Err(self.report(
                Diagnostic::error(codes::TWO_VALUES, message)
                    .at(effect.span, "another value here")
                    .at(first, "one value here")
                    .hint("a mode has one value after a transition: drop one of the two"),
            ));
        }
        Ok(())
    }

    fn effect(&mut self, effect: &'t Effect, transition: &mut Transition, scope: &Scope) -> Outcome<()> {
        match &effect.kind {
            EffectKind::Satisfy(Satisfied::Positions) => transition.satisfies_positions = true,
            EffectKind::Satisfy(Satisfied::Velocities) => transition.satisfies_velocities = true,
            EffectKind::Keep { what, except } => {
                for kept in what {
                    match &kept.kind {
                        ExprKind::Name(name) if name == "all" => {
                            (transition.kept.positions, transition.kept.velocities) = (true, true);
                        }
                        ExprKind::Name(name) if name == "positions" => transition.kept.positions = true,
                        ExprKind::Name(name) if name == "velocities" => transition.kept.velocities = true,
                        _ if self.mode_of(kept, scope).is_some() => {}
                        ExprKind::Name(name) if self.is_misspelt_keep(name, scope) => {
                            return Err(self.misspelt_keep(name, kept.span));
                        }
                        _ => {
                            let term = self.term(kept, scope)?;
                            transition.kept.terms.push(term);
                        }
                    }
                }
                for term in except {
                    let term = self.term(term, scope)?;
                    transition.kept.except.push(term);
                }
            }
            EffectKind::Equation(equation) => match self.mode_effect(equation, scope) {
                Some(outcome) => transition.modes.extend(outcome?),
                None => {
                    self.warn_without_pre(equation);
                    let equation = self.equation(equation, scope, effect.span)?;
                    let exerts = matches!(self.model.terms.get(equation.left).kind, TermKind::Quantity(_));
                    let equation = if exerts { self.clamp_given(equation) } else { equation };
                    transition.equations.push(equation);
                }
            },
        }
        Ok(())
    }

    /// `v == -e * v` says that v is zero; whoever writes it means `pre(v)`.
    fn warn_without_pre(&mut self, equation: &Equation) {
        let Relation::Equal { left, right } = &equation.relation else { return };
        let Some(name) = path_text(left) else { return };
        if let Some(again) = after_transition(right, &name) {
            self.report(
                Diagnostic::warning(
                    codes::MISSING_PRE,
                    format!("`{name}` is the value after the transition on both sides"),
                )
                .at(again.span, "here too")
                .hint(format!("the value before it is `pre({name})`")),
            );
        }
    }

    /// Whether a word after `keep` names nothing, and is near to a word that is meant for this place.
    fn is_misspelt_keep(&self, name: &str, scope: &Scope) -> bool {
        let unknown = self.entity(name, Sense::Quantity, scope.space).is_none();
        unknown && base::nearest(name, KEPT.iter().copied()).is_some()
    }

    fn misspelt_keep(&mut self, name: &str, span: Span) -> Reported {
        let near = base::nearest(name, KEPT.iter().copied()).unwrap_or("all");
        self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("nothing is called `{name}`"))
                .at(span, "not declared anywhere")
                .hint(format!("did you mean `keep {near}`?")),
        )
    }

    /// `motion == rolling`; nothing comes of `motion == pre(motion)`.
    fn mode_effect(&mut self, equation: &Equation, scope: &Scope) -> Option<Outcome<Option<(ModeId, usize)>>> {
        let Relation::Equal { left, right } = &equation.relation else { return None };
        let mode = self.mode_of(left, scope)?;
        if let ExprKind::Call { function, arguments } = &right.kind
            && matches!(&function.kind, ExprKind::Name(name) if name == "pre")
            && arguments.len() == 1
            && self.mode_of(&arguments[0].value, scope) == Some(mode)
        {
            return Some(Ok(None));
        }
        Some(self.value_of_mode(mode, right).map(|value| Some((mode, value))))
    }

    pub(super) fn claim(&mut self, claim: &syntax::Claim, scope: &Scope, span: Span) -> Outcome<()> {
        let name = self.outer_name(&claim.name, scope)?;
        let formula = self.formula(&claim.formula, scope)?;
        self.model.claims.push(Claim { name, formula, span });
        Ok(())
    }

    fn formula(&mut self, formula: &syntax::Formula, scope: &Scope) -> Outcome<Formula> {
        let mut inner = |formula: &syntax::Formula| self.formula(formula, scope).map(Box::new);
        Ok(match formula {
            syntax::Formula::Always(one) => Formula::Always(inner(one)?),
            syntax::Formula::Eventually(one) => Formula::Eventually(inner(one)?),
            syntax::Formula::Next(one) => Formula::Next(inner(one)?),
            syntax::Formula::Until(a, b) => Formula::Until(inner(a)?, inner(b)?),
            syntax::Formula::Implies(a, b) => Formula::Implies(inner(a)?, inner(b)?),
            syntax::Formula::And(a, b) => Formula::And(inner(a)?, inner(b)?),
            syntax::Formula::Or(a, b) => Formula::Or(inner(a)?, inner(b)?),
            syntax::Formula::Not(one) => Formula::Not(inner(one)?),
            syntax::Formula::Holds(condition) => {
                let condition = self.condition(condition, scope)?;
                self.model.conditions.push(condition);
                Formula::Holds(self.model.conditions.len() - 1)
            }
        })
    }

    /// What holds only while a condition does: elsewhere it is nothing.
    pub(super) fn value_while(&mut self, condition: Option<TermId>, value: TermId) -> TermId {
        let Some(condition) = condition else { return value };
        let (type_, span) = (self.type_of(value), self.model.terms.get(value).span);
        let nothing = self.zero(type_, span);
        self.push(TermKind::If(condition, value, nothing), type_, span)
    }
}

pub(super) fn new_transition(name: String, guard: TermId, span: Span) -> Transition {
    Transition {
        name,
        guard,
        modes: Vec::new(),
        equations: Vec::new(),
        kept: Default::default(),
        satisfies_positions: false,
        satisfies_velocities: false,
        stores: Vec::new(),
        aims: Vec::new(),
        limits: Vec::new(),
        cost: None,
        choices: Vec::new(),
        ranges: Vec::new(),
        phases: Vec::new(),
        due: None,
        stops: false,
        span,
    }
}

/// Where an expression speaks of a path, but not of what it was before.
fn after_transition<'e>(expr: &'e Expr, path: &str) -> Option<&'e Expr> {
    match &expr.kind {
        ExprKind::Call { function, .. } if ["pre", "at"].contains(&print_expression(function).as_str()) => None,
        _ if path_text(expr).as_deref() == Some(path) => Some(expr),
        _ => expr.children().find_map(|child| after_transition(child, path)),
    }
}

/// The words of a path, `car1.state`.
pub(super) fn path_text(path: &Expr) -> Option<String> {
    match &path.kind {
        ExprKind::Name(_) => Some(print_expression(path)),
        ExprKind::Field { base, .. } => path_text(base).map(|_| print_expression(path)),
        _ => None,
    }
}
