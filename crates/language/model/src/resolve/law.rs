//! Laws: what holds for all things of a kind, each time as a piece that is part of the model or is not.
//!
//! Laws that stand instead of one another describe one phenomenon, and of these one holds at a time. What can be decided from the text is
//! decided here; what depends on values becomes a mode, with one value for each law that may hold.

use std::borrow::Cow;
use std::rc::Rc;

use base::{Diagnostic, Span};
use expr::Operator;
use syntax::{BinaryOperator, Expr, ExprKind, ItemKind, Law, ParameterType, UnaryOperator, Word, print_expression};

use super::change::new_transition;
use super::repeat::Unrolled;
use super::space::{Declared, SCENE, Scope, SpaceId};
use super::{Definition, Entity, Outcome, Reported, Resolver, ThingId, Value, Wanted};
use crate::change::{Mode, ModeId};
use crate::codes;
use crate::question::{Condition, Fragment, Standing};
use crate::term::{Shape, TermId, TermKind, Type};

/// Laws of one phenomenon between which values decide: each may follow each, so the ways are as many as the cube of this.
const MOST_RIVALS: usize = 40;

/// A law for some things.
pub(super) struct Piece<'t> {
    law: &'t Law,
    space: SpaceId,
    /// The law that all of its phenomenon stand instead of, and what they are about.
    phenomenon: (&'t str, Vec<ThingId>),
    /// None if it cannot be decided before the scene moves.
    holds: Option<bool>,
}

/// One of several laws of a phenomenon.
struct Rival {
    /// Of the mode.
    value: usize,
    name: String,
    /// What it assumes, unless that is an equality.
    lasting: Option<TermId>,
    span: Span,
}

/// What the author chose, by words.
#[derive(Default)]
pub(super) struct Chosen<'t> {
    pub assumed: Vec<&'t str>,
    pub neglected: Vec<&'t Word>,
}

impl<'t> Resolver<'t, '_> {
    /// States every law for every combination of things that it speaks of.
    pub(super) fn apply_laws(&mut self, out: &mut Unrolled<'t>) {
        self.note_choices(out);
        for (law, space) in self.laws.clone() {
            // Every error has been reported where it arose.
            let _ = self.apply_law(law, space);
        }
        self.choose_between_laws();
        for at in 0..self.pieces.len() {
            if matches!(self.model.fragments[at].standing, Standing::Left(_)) {
                continue;
            }
            let Piece { law, space, .. } = self.pieces[at];
            self.unroll(&law.members, &Scope::of(space), out);
            if out.is_full() {
                self.report(
                    Diagnostic::error(codes::TOO_LARGE, format!("the law `{}` is stated too often", law.name.text))
                        .at(law.name.span, "for all combinations of things"),
                );
                return;
            }
        }
    }

    /// Words that the scene assumes, and laws that it neglects.
    fn note_choices(&mut self, out: &Unrolled<'t>) {
        for statement in &out.statements {
            match &statement.item.kind {
                ItemKind::Assume(assume) => {
                    let name =
                        assume.label.as_ref().map_or_else(|| print_expression(&assume.statement), |it| it.text.clone());
                    if self.without.contains(&name) {
                        continue;
                    }
                    if let ExprKind::Name(word) = &assume.statement.kind {
                        self.chosen.assumed.push(word);
                    }
                }
                ItemKind::Neglect(laws) => {
                    for word in laws {
                        self.neglect(word);
                    }
                }
                _ => {}
            }
        }
    }

    fn neglect(&mut self, word: &'t Word) {
        if self.laws.iter().any(|(law, _)| law.name.text == word.text) {
            self.chosen.neglected.push(word);
            return;
        }
        let known: Vec<&str> = self.laws.iter().map(|(law, _)| law.name.text.as_str()).collect();
        let hint = match base::nearest(&word.text, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "no law is stated here; say which theory has some: `use …`".to_string(),
            None => format!("there are {}", known.join(", ")),
        };
        self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("there is no law `{}`", word.text))
                .at(word.span, "nothing to neglect")
                .hint(hint),
        );
    }

    fn apply_law(&mut self, law: &'t Law, space: SpaceId) -> Outcome<()> {
        let mut lists: Vec<Rc<[ThingId]>> = Vec::new();
        for parameter in &law.parameters {
            let ParameterType::Thing(kind) = &parameter.type_ else { return Err(Reported) };
            let template = self.template(kind, space)?;
            lists.push(self.things_of(template));
        }
        let root = self.phenomenon(law)?;
        for things in combinations(&lists) {
            let names: Vec<&str> = things.iter().map(|thing| self.things[thing.index()].name.as_str()).collect();
            let name = if names.is_empty() {
                law.name.text.clone()
            } else {
                format!("{}({})", law.name.text, names.join(", "))
            };
            let own = self.new_space(format!("{name}."), [space].into());
            for (parameter, &thing) in law.parameters.iter().zip(&things) {
                self.definitions.push((Definition::Done(Ok(Value::Thing(thing))), Wanted::Anything));
                let entity = Entity::Let(self.definitions.len() - 1);
                let declared = Declared { entity, span: parameter.name.span };
                self.spaces[own.index()].things.insert(Cow::Borrowed(&parameter.name.text), declared);
            }
            if let Some(condition) = &law.condition
                && !self.holds(condition, &Scope::of(own))?
            {
                continue;
            }
            self.add_piece(law, own, name, (root, things));
        }
        Ok(())
    }

    fn add_piece(&mut self, law: &'t Law, space: SpaceId, name: String, phenomenon: (&'t str, Vec<ThingId>)) {
        let assumption = law.assumption.as_ref();
        let holds = assumption.map_or(Some(true), |assumption| self.decided_early(assumption, &Scope::of(space)));
        let neglected =
            self.chosen.neglected.iter().any(|word| [&law.name.text, phenomenon.0].contains(&word.text.as_str()));
        let given_up = self.without.iter().find(|it| **it == name || **it == law.name.text);
        let standing = match holds {
            _ if given_up.is_some() => Standing::Left("asked to do without it".to_string()),
            _ if neglected => Standing::Left("the scene neglects it".to_string()),
            Some(false) => {
                let text = assumption.map(print_expression).unwrap_or_default();
                Standing::Left(format!("it assumes `{text}`, which does not hold"))
            }
            _ => Standing::Holds,
        };
        self.model.done_without.extend(given_up.cloned());
        let remedy = match holds {
            _ if given_up.is_some() => None,
            _ if neglected => {
                let words = self.chosen.neglected.iter();
                let mut own = words.filter(|word| [&law.name.text, phenomenon.0].contains(&word.text.as_str()));
                own.next().map(|word| format!("drop neglect {}", word.text))
            }
            Some(false) => assumption.and_then(|it| self.missing_word(it, space)).map(|word| format!("assume {word}")),
            _ => None,
        };
        let fragment = Fragment {
            name,
            law: law.name.text.clone(),
            assumption: None,
            standing,
            remedy,
            additions: Vec::new(),
            span: law.name.span,
        };
        self.piece_of_space.insert(space, self.pieces.len());
        self.pieces.push(Piece { law, space, phenomenon, holds });
        self.model.fragments.push(fragment);
    }

    /// The law that a law stands instead of, as far as that goes.
    fn phenomenon(&mut self, law: &'t Law) -> Outcome<&'t str> {
        let mut at = law;
        for _ in 0..=self.laws.len() {
            let Some(other) = &at.instead else { return Ok(&at.name.text) };
            let found = self.laws.iter().find(|(law, _)| law.name.text == other.text);
            let Some((next, _)) = found else {
                let known: Vec<&str> = self.laws.iter().map(|(law, _)| law.name.text.as_str()).collect();
                let hint = match base::nearest(&other.text, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are {}", known.join(", ")),
                };
                return Err(self.report(
                    Diagnostic::error(codes::UNKNOWN_NAME, format!("there is no law `{}`", other.text))
                        .at(other.span, "nothing to stand instead of")
                        .hint(hint),
                ));
            };
            at = next;
        }
        Err(self.report(
            Diagnostic::error(
                codes::CYCLIC_DEFINITION,
                format!("the law `{}` stands instead of itself", law.name.text),
            )
            .at(law.name.span, "after a round")
            .hint("let one of these laws stand by itself"),
        ))
    }

    /// Whether a condition holds, where that can be known before anything is added to sums, moves or is set.
    fn decided_early(&mut self, condition: &Expr, scope: &Scope) -> Option<bool> {
        let both = |a: Option<bool>, b: Option<bool>, end: bool| match (a, b) {
            (Some(value), _) | (_, Some(value)) if value == end => Some(end),
            (Some(_), Some(_)) => Some(!end),
            _ => None,
        };
        match &condition.kind {
            ExprKind::Unary { operator: UnaryOperator::Not, operand } => Some(!self.decided_early(operand, scope)?),
            ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
                both(self.decided_early(left, scope), self.decided_early(right, scope), false)
            }
            ExprKind::Binary { operator: BinaryOperator::Or, left, right } => {
                both(self.decided_early(left, scope), self.decided_early(right, scope), true)
            }
            ExprKind::Binary { operator: BinaryOperator::Is, left, right } => self.holds_is(left, right, scope).ok(),
            ExprKind::Name(word) if self.is_choice(word, scope) => Some(self.chosen.assumed.contains(&word.as_str())),
            _ => {
                let before = std::mem::take(self.sink);
                self.early = true;
                let term = self.term(condition, scope);
                self.early = false;
                *self.sink = before;
                // What is wrong with it is said when it is read again.
                self.model.terms.constant(term.ok()?, &|_| None).map(|value| value != 0.0)
            }
        }
    }

    /// A word that the author could assume, so that a condition would not be decided against any more.
    fn missing_word(&mut self, condition: &'t Expr, space: SpaceId) -> Option<&'t str> {
        let scope = Scope::of(space);
        let mut open = vec![condition];
        while let Some(part) = open.pop() {
            if let ExprKind::Name(word) = &part.kind
                && self.is_choice(word, &scope)
                && !self.chosen.assumed.contains(&word.as_str())
            {
                self.chosen.assumed.push(word);
                let helps = self.decided_early(condition, &scope) != Some(false);
                self.chosen.assumed.pop();
                if helps {
                    return Some(word);
                }
            }
            open.extend(part.children());
        }
        None
    }

    /// Whether a word is nothing but a choice of the author.
    pub(super) fn is_choice(&self, word: &str, scope: &Scope) -> bool {
        scope.get(word).is_none() && self.entity(word, super::Sense::Quantity, scope.space).is_none()
    }

    /// Of laws of one phenomenon the first holds whose assumption does: those of the scene stand before those of theories, and those that assume
    /// something before the first that does not.
    fn choose_between_laws(&mut self) {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for at in 0..self.pieces.len() {
            let same = |class: &&mut Vec<usize>| self.pieces[class[0]].phenomenon == self.pieces[at].phenomenon;
            match classes.iter_mut().find(same) {
                Some(class) => class.push(at),
                None => classes.push(vec![at]),
            }
        }
        for class in classes.into_iter().filter(|class| class.len() > 1) {
            self.choose_in_class(&class);
        }
    }

    fn choose_in_class(&mut self, class: &[usize]) {
        let stands = |at: &&usize| matches!(self.model.fragments[**at].standing, Standing::Holds);
        let mut values: Vec<usize> = class.iter().filter(stands).copied().collect();
        values.sort_by_key(|&at| (self.pieces[at].law.assumption.is_none(), !self.is_of_scene(at)));
        // Nothing comes after what holds for certain.
        if let Some(certain) = values.iter().position(|&at| self.pieces[at].holds == Some(true)) {
            for at in values.split_off(certain + 1) {
                let first = &self.model.fragments[values[certain]].name;
                let reason = format!("`{first}` describes the same, and stands first");
                self.model.fragments[at].standing = Standing::Left(reason);
            }
        }
        if values.len() < 2 {
            return;
        }
        if values.len() > MOST_RIVALS {
            let (law, count) = (&self.pieces[values[0]].law.name, values.len());
            let message =
                format!("{count} laws describe what `{}` does, and values would have to decide between them", law.text);
            self.report(
                Diagnostic::error(codes::TOO_LARGE, message)
                    .at(law.span, format!("no more than {MOST_RIVALS} can stand instead of one another"))
                    .hint("choose between them by words, as in `law … assuming rough { … }` and `assume rough`"),
            );
            return;
        }
        let mode = ModeId(self.model.modes.len() as u32);
        let first = &self.model.fragments[values[0]];
        let (root, things) = &self.pieces[values[0]].phenomenon;
        let things: Vec<&str> = things.iter().map(|thing| self.things[thing.index()].name.as_str()).collect();
        let name = format!("law of {root}({})", things.join(", "));
        let laws = values.iter().map(|&at| self.model.fragments[at].law.clone()).collect();
        self.model.modes.push(Mode { name, values: laws, start: 0, hidden: false, span: first.span });
        for (value, &at) in values.iter().enumerate() {
            self.model.fragments[at].standing = Standing::Chosen(mode, value);
        }
    }

    fn is_of_scene(&self, piece: usize) -> bool {
        let law: *const Law = self.pieces[piece].law;
        self.laws.iter().any(|(known, space)| std::ptr::eq(*known, law) && *space == SCENE)
    }

    /// Where a statement of a law holds, if the law is one of several that may.
    pub(super) fn law_in_force(&mut self, space: SpaceId, span: Span) -> Option<TermId> {
        let at = *self.piece_of_space.get(&space)?;
        let Standing::Chosen(mode, value) = self.model.fragments[at].standing else { return None };
        Some(self.push(TermKind::ModeIs(mode, value), Type::CONDITION, span))
    }

    /// Writes down what a law adds to a sum.
    pub(super) fn note_addition(&mut self, space: SpaceId, value: TermId) {
        if let Some(&at) = self.piece_of_space.get(&space) {
            self.model.fragments[at].additions.push(value);
        }
    }

    /// Reads what laws assume of what changes, and says what happens where it fails.
    pub(super) fn watch_assumptions(&mut self) {
        for at in 0..self.pieces.len() {
            let Piece { law, space, holds, .. } = self.pieces[at];
            let left = matches!(self.model.fragments[at].standing, Standing::Left(_));
            if let (Some(assumption), None, false) = (&law.assumption, holds, left)
                && let Ok(term) = self.condition_of_law(assumption, &Scope::of(space))
            {
                let text = self.said_of_things(assumption, law, at);
                self.model.fragments[at].assumption = Some(Condition { term, text });
            }
        }
        let modes: Vec<usize> = (0..self.model.modes.len()).collect();
        for mode in modes {
            self.watch_class(ModeId(mode as u32));
        }
        for at in 0..self.pieces.len() {
            let Fragment { name, assumption, standing, span, .. } = &self.model.fragments[at];
            if let (Some(assumption), Standing::Holds) = (assumption.clone(), standing) {
                let name = format!("`{}` of {name} fails", assumption.text);
                let span = *span;
                let fails = self.not(assumption.term, span);
                self.end_where(name, fails, span);
            }
        }
    }

    fn condition_of_law(&mut self, condition: &Expr, scope: &Scope) -> Outcome<TermId> {
        match &condition.kind {
            ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
                // Words and things are decided already, and hold.
                match (self.decided_early(left, scope), self.decided_early(right, scope)) {
                    (Some(true), _) => self.condition_of_law(right, scope),
                    (_, Some(true)) => self.condition_of_law(left, scope),
                    _ => {
                        let (left, right) = (self.condition_of_law(left, scope), self.condition_of_law(right, scope));
                        Ok(self.all_of(vec![left?, right?], condition.span))
                    }
                }
            }
            _ => {
                let term = self.term(condition, scope)?;
                self.need_shape(term, Shape::Condition)?;
                Ok(term)
            }
        }
    }

    /// The first law whose assumption holds is in force; where none does, the run ends.
    fn watch_class(&mut self, mode: ModeId) {
        let mut laws: Vec<Rival> = Vec::new();
        for fragment in &self.model.fragments {
            if let Standing::Chosen(of, value) = fragment.standing
                && of == mode
            {
                let assumed = fragment.assumption.as_ref().map(|it| it.term);
                // What is equal is so for an instant at most while it moves: such a law takes over where another fails, and gives way where
                // another begins to hold.
                let lasting = assumed.filter(|&assumed| !self.is_exact(assumed));
                laws.push(Rival { value, name: fragment.name.clone(), lasting, span: fragment.span });
            }
        }
        laws.sort_by_key(|law| law.value);
        for at in 0..laws.len() {
            self.watch_law(mode, &laws, at);
        }
    }

    fn watch_law(&mut self, mode: ModeId, laws: &[Rival], at: usize) {
        let Rival { value, ref name, lasting, span, .. } = laws[at];
        let mut so_far = vec![self.push(TermKind::ModeIs(mode, value), Type::CONDITION, span)];
        for (place, other) in laws.iter().enumerate() {
            if place == at {
                so_far.extend(lasting.map(|assumed| self.not(assumed, span)));
                continue;
            }
            // Something else begins to hold, or this fails and what comes next takes over.
            if place > at || other.lasting.is_some() {
                let guard = so_far.iter().copied().chain(other.lasting).collect();
                let guard = self.all_of(guard, span);
                let mut transition = new_transition(format!("{} instead of {name}", other.name), guard, span);
                transition.modes.push((mode, other.value));
                (transition.kept.positions, transition.kept.velocities) = (true, true);
                self.model.transitions.push(transition);
            }
            match other.lasting {
                Some(assumed) => so_far.push(self.not(assumed, span)),
                None if place > at => return,
                None => {}
            }
        }
        if lasting.is_some() {
            let guard = self.all_of(so_far, span);
            self.end_where(format!("nothing instead of {name}"), guard, span);
        }
    }

    /// A condition of a law with its things by their names: `hull.speed > 0` for `s.speed > 0`.
    fn said_of_things(&self, condition: &Expr, law: &Law, piece: usize) -> String {
        let things = &self.pieces[piece].phenomenon.1;
        let mut said = String::new();
        let text = print_expression(condition);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let end = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (word, after) = rest.split_at(end);
            let place = law.parameters.iter().position(|parameter| parameter.name.text == word);
            match place.filter(|_| !said.ends_with('.')) {
                Some(place) => said.push_str(&self.things[things[place].index()].name),
                None => said.push_str(word),
            }
            rest = after;
        }
        said
    }

    /// Whether a condition is about equality, at least in part.
    fn is_exact(&self, condition: TermId) -> bool {
        match &self.model.terms.get(condition).kind {
            TermKind::Apply(Operator::Equal, _) => true,
            TermKind::Apply(Operator::And, parts) => parts.iter().any(|&part| self.is_exact(part)),
            _ => false,
        }
    }

    /// Ends a run where a condition begins to hold.
    pub(super) fn end_where(&mut self, name: String, guard: TermId, span: Span) {
        let mut transition = new_transition(name, guard, span);
        transition.stops = true;
        (transition.kept.positions, transition.kept.velocities) = (true, true);
        self.model.transitions.push(transition);
    }

    pub(super) fn not(&mut self, condition: TermId, span: Span) -> TermId {
        self.push(TermKind::Apply(Operator::Not, vec![condition]), Type::CONDITION, span)
    }

    pub(super) fn all_of(&mut self, conditions: Vec<TermId>, span: Span) -> TermId {
        let mut conditions = conditions.into_iter();
        let first = conditions.next().expect("something is said");
        conditions.fold(first, |all, condition| {
            self.push(TermKind::Apply(Operator::And, vec![all, condition]), Type::CONDITION, span)
        })
    }
}

/// One of each list, in all ways; nothing twice.
fn combinations(lists: &[Rc<[ThingId]>]) -> Vec<Vec<ThingId>> {
    let mut all: Vec<Vec<ThingId>> = vec![Vec::new()];
    for list in lists {
        let longer = all.iter().flat_map(|begun| {
            let rest = list.iter().filter(|thing| !begun.contains(thing));
            rest.map(|&thing| begun.iter().copied().chain([thing]).collect())
        });
        all = longer.collect();
    }
    all
}
