//! Contact: which statement decides for which pair, and what can be asked of a pair.

use base::{Diagnostic, Dimension, Span};
use expr::Operator;
use rustc_hash::FxHashMap;
use syntax::{Argument, Expr, ExprKind, ItemKind, Word, print_expression};

use super::repeat::Statement;
use super::space::Scope;
use super::touch::{Apart, Bearers};
use super::{Entity, Outcome, Reported, Resolver, Sense, Value, all};
use crate::codes;
use crate::contact::{CONTACT_STATES, ContactPair, ContactQuantity, ContactShape, Contacts, Touchable};
use crate::model::FrameId;
use crate::term::{TermId, TermKind, Type};

/// What the braces of `contact` can say.
pub struct ContactProperty {
    pub name: &'static str,
    pub meaning: &'static str,
}

#[rustfmt::skip]
pub const CONTACT_PROPERTIES: &[ContactProperty] = &[
    ContactProperty { name: "restitution", meaning: "speed of separation over speed of approach, from 0 to 1; 0 if it is not said" },
    ContactProperty { name: "friction",    meaning: "Coulomb's coefficient, of sticking and of sliding; 0 if it is not said" },
    ContactProperty { name: "together",    meaning: "impacts at one instant are resolved all at once, and not pair after pair; a word by itself" },
    ContactProperty { name: "step",        meaning: "of `contact all`: impacts and forces are gathered in steps of this length, for crowds" },
];

/// One thing that can be asked of two things that may touch.
pub struct ContactField {
    pub name: &'static str,
    pub quantity: ContactQuantity,
    pub type_: Type,
    pub meaning: &'static str,
}

#[rustfmt::skip]
pub const CONTACT_FIELDS: &[ContactField] = &[
    ContactField { name: "gap",     quantity: ContactQuantity::Gap,     type_: Type::scalar(Dimension::LENGTH),   meaning: "distance of the two" },
    ContactField { name: "force",   quantity: ContactQuantity::Force,   type_: Type::vector(Dimension::FORCE),    meaning: "total force of the first on the second" },
    ContactField { name: "state",   quantity: ContactQuantity::State,   type_: Type::scalar(Dimension::NONE),     meaning: "`open`, `sliding` or `sticking`; rolling is sticking" },
    ContactField { name: "impulse", quantity: ContactQuantity::Impulse, type_: Type::scalar(Dimension::MOMENTUM), meaning: "impulse of the last impact, along its normal" },
    ContactField { name: "impacts", quantity: ContactQuantity::Impacts, type_: Type::scalar(Dimension::NONE),     meaning: "number of impacts so far" },
];

/// What is known of contact while statements are read.
#[derive(Default)]
pub(super) enum Touching {
    /// Where things are is still being read.
    #[default]
    Unknown,
    /// Something is wrong with it, and was reported.
    Broken,
    Known(Known),
}

#[derive(Default)]
pub(super) struct Known {
    bearers: Bearers,
    /// By places of bearers, the smaller first.
    pairs: FxHashMap<[usize; 2], usize>,
    apart: FxHashMap<[usize; 2], Apart>,
    /// Whether there is any statement about contact.
    stated: bool,
}

/// A statement about contact.
struct Rule {
    /// For both sides, which of the bearers are meant.
    members: [Vec<bool>; 2],
    /// How narrow both sides are, the narrower first: 3 for a thing, 2 for a group, 1 for a kind, 0 for all.
    rank: [u8; 2],
    /// None for `contact none`.
    law: Option<Law>,
    span: Span,
}

#[derive(Clone, Copy)]
struct Law {
    restitution: TermId,
    friction: TermId,
    together: bool,
}

impl Rule {
    fn is_about(&self, a: usize, b: usize) -> bool {
        let [first, second] = &self.members;
        (first[a] && second[b]) || (first[b] && second[a])
    }
}

impl<'t> Resolver<'t, '_> {
    /// Finds out what may touch what, once everything is placed.
    pub(super) fn touch(&mut self, statements: &[Statement<'t>]) {
        let stated: Vec<&Statement<'t>> =
            statements.iter().filter(|statement| matches!(statement.item.kind, ItemKind::Contact(_))).collect();
        // What is missing where something could not be read would be reported as having no shape.
        if self.sink.has_errors() {
            self.touching = Touching::Broken;
            return;
        }
        if stated.is_empty() {
            self.touching = Touching::Known(Known::default());
            return;
        }
        self.touching = match self.meet(statements, &stated) {
            Ok(known) => Touching::Known(known),
            Err(Reported) => Touching::Broken,
        };
    }

    fn meet(&mut self, statements: &[Statement<'t>], stated: &[&Statement<'t>]) -> Outcome<Known> {
        let bearers = self.bearers(statements)?;
        let rules = all(stated.iter().map(|statement| self.rule(statement, &bearers)))?;
        let holding = self.holding(&bearers.list)?;
        let mut known = Known { stated: true, ..Known::default() };
        let mut pairs = Vec::new();
        let mut used = vec![false; rules.len()];
        for a in 0..bearers.list.len() {
            for b in a + 1..bearers.list.len() {
                let about: Vec<usize> = (0..rules.len()).filter(|&rule| rules[rule].is_about(a, b)).collect();
                let Some(rank) = about.iter().map(|&rule| rules[rule].rank).max() else { continue };
                let held = holding.between(&bearers.list[a], &bearers.list[b]);
                // A joint that is named by both its things is meant to be touched.
                if let Some(apart) = held.filter(|held| *held != Apart::Held || rank != [3, 3]) {
                    known.apart.insert([a, b], apart);
                    continue;
                }
                about.iter().for_each(|&rule| used[rule] = true);
                let mut best = about.into_iter().filter(|&rule| rules[rule].rank == rank);
                let (first, second) = (best.next(), best.next());
                if let (Some(first), Some(second)) = (first, second) {
                    self.contact_twice([&rules[first], &rules[second]], [a, b], &bearers);
                }
                match first.and_then(|rule| Some((rules[rule].law?, rules[rule].span))) {
                    Some((law, span)) => pairs.push(([a, b], law, span)),
                    None => {
                        known.apart.insert([a, b], Apart::None);
                    }
                }
            }
        }
        for (rule, _) in rules.iter().zip(used).filter(|(rule, used)| !used && rule.law.is_some()) {
            self.no_pair(rule);
        }
        for (surface, span) in &bearers.curved {
            self.note_curved(*surface, *span, &rules);
        }
        known.pairs = pairs.iter().enumerate().map(|(at, (things, ..))| (*things, at)).collect();
        self.store_contacts(&bearers, pairs)?;
        known.bearers = bearers;
        if self.sink.has_errors() { Err(Reported) } else { Ok(known) }
    }

    /// Only what is in a pair is of interest to those who compute.
    fn store_contacts(&mut self, bearers: &Bearers, pairs: Vec<([usize; 2], Law, Span)>) -> Outcome<()> {
        let mut touching = vec![false; bearers.list.len()];
        pairs.iter().flat_map(|(things, ..)| things).for_each(|&thing| touching[thing] = true);
        self.refuse_changing_shapes(bearers, &touching)?;
        if pairs.is_empty() {
            return Ok(());
        }
        let mut places = vec![0; touching.len()];
        let mut things = Vec::new();
        for (at, bearer) in bearers.list.iter().enumerate().filter(|(at, _)| touching[*at]) {
            places[at] = things.len();
            things.push(Touchable { name: bearer.name.clone(), frame: bearer.frame, span: bearer.span });
        }
        let shapes = bearers.shapes.iter().filter(|shape| touching[shape.thing]);
        let shapes = shapes.map(|shape| ContactShape { thing: places[shape.thing], ..shape.clone() }).collect();
        let pairs = pairs.into_iter().map(|(things, law, span)| {
            let Law { restitution, friction, together } = law;
            ContactPair { things: things.map(|thing| places[thing]), restitution, friction, together, span }
        });
        let step = self.contact_step;
        self.model.contacts = Some(Contacts { things, shapes, pairs: pairs.collect(), step });
        Ok(())
    }

    fn rule(&mut self, statement: &Statement<'t>, bearers: &Bearers) -> Outcome<Rule> {
        let Statement { item, scope } = statement;
        let ItemKind::Contact(contact) = &item.kind else { return Err(Reported) };
        if let Some(condition) = &item.condition {
            return Err(self.misplaced_while(condition));
        }
        let sides = all(contact.sides.iter().map(|side| self.side(side, bearers, scope)));
        let law = if contact.none { Ok(None) } else { self.law_of_contact(contact, item.span, scope).map(Some) };
        let mut sides = sides?.into_iter();
        let (Some((first, a)), Some((second, b))) = (sides.next(), sides.next()) else { return Err(Reported) };
        let law = law?;
        let rank = [first.max(second), first.min(second)];
        if let Some(step) = contact.properties.iter().find(|property| property.name.text == "step") {
            let step_term = self.expect(&step.value, scope, Type::scalar(Dimension::TIME), "a step")?;
            self.need_fixed(step_term, step.value.span, "a step")?;
            if rank != [0, 0] {
                return Err(self.report(
                    Diagnostic::error(codes::UNKNOWN_PROPERTY, "a step is taken by all contacts or by none")
                        .at(step.name.span, "unknown here")
                        .hint("say it for all: `contact all { step = 1 [ms] }`"),
                ));
            }
            self.contact_step = Some(step_term);
        }
        Ok(Rule { members: [a, b], rank, law, span: item.span })
    }

    fn law_of_contact(&mut self, contact: &syntax::Contact, span: Span, scope: &Scope) -> Outcome<Law> {
        for (at, property) in contact.properties.iter().enumerate() {
            let name = &property.name.text;
            if let Some(before) = contact.properties[..at].iter().find(|before| before.name.text == *name) {
                return Err(self.report(
                    Diagnostic::error(codes::DUPLICATE_NAME, format!("`{name}` is given twice"))
                        .at(property.name.span, "again here")
                        .at(before.name.span, "first here"),
                ));
            }
            if !CONTACT_PROPERTIES.iter().any(|row| row.name == name && row.name != "together") {
                return Err(self.unknown_contact_property(&property.name));
            }
        }
        let given = |name: &str| contact.properties.iter().find(|property| property.name.text == name);
        let mut number = |name: &str, what: &str| match given(name) {
            Some(property) => {
                let value = self.scalar(&property.value, scope)?;
                self.need_plain(value, what)?;
                self.need_fixed(value, property.value.span, what)?;
                Ok(value)
            }
            None => Ok(self.plain_number(0.0, span)),
        };
        let (restitution, friction) = (number("restitution", "a restitution"), number("friction", "a friction"));
        Ok(Law { restitution: restitution?, friction: friction?, together: !contact.flags.is_empty() })
    }

    fn unknown_contact_property(&mut self, name: &Word) -> Reported {
        let known: Vec<&str> = CONTACT_PROPERTIES.iter().map(|row| row.name).collect();
        let hint = match base::nearest(&name.text, known.iter().copied()) {
            Some("together") => "`together` stands by itself, without `=`".to_string(),
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it can have {}", known.join(", ")),
        };
        self.report(
            Diagnostic::error(codes::UNKNOWN_PROPERTY, format!("a contact has no property `{}`", name.text))
                .at(name.span, "unknown here")
                .hint(hint),
        )
    }

    /// How narrow a side is, and which of the bearers it means.
    fn side(&mut self, side: &Expr, bearers: &Bearers, scope: &Scope) -> Outcome<(u8, Vec<bool>)> {
        let everything = vec![true; bearers.list.len()];
        if matches!(&side.kind, ExprKind::Name(name) if name == "all")
            && scope.get("all").is_none()
            && self.entity("all", Sense::Thing, scope.space).is_none()
        {
            return Ok((0, everything));
        }
        let of_frames = |frames: &[FrameId]| -> Vec<bool> {
            bearers.list.iter().map(|bearer| bearer.surface.is_none() && frames.contains(&bearer.frame)).collect()
        };
        let (rank, members) = match self.value_as(side, scope, Sense::Thing)? {
            Value::Frame(frame) => (3, of_frames(&[frame])),
            Value::Frames(frames) => (2, of_frames(&frames)),
            Value::Surface(surface) => (3, bearers.list.iter().map(|bearer| bearer.surface == Some(surface)).collect()),
            Value::Thing(thing) => (2, self.parts_of(&[thing], bearers)),
            Value::Things(things) => (1, self.parts_of(&things, bearers)),
            Value::Term(_) => {
                return Err(self.wrong_kind(
                    side.span,
                    "a number cannot touch anything",
                    "a body, a frame or a surface is needed here",
                ));
            }
        };
        if members.contains(&true) { Ok((rank, members)) } else { Err(self.no_shape(side, bearers, scope)) }
    }

    /// What belongs to things of kinds, or to things of these.
    fn parts_of(&self, things: &[super::thing::ThingId], bearers: &Bearers) -> Vec<bool> {
        let paths: Vec<&str> =
            things.iter().map(|thing| self.spaces[self.things[thing.index()].space.index()].path.as_str()).collect();
        bearers.list.iter().map(|bearer| paths.iter().any(|path| bearer.name.starts_with(path))).collect()
    }

    fn no_shape(&mut self, side: &Expr, bearers: &Bearers, scope: &Scope) -> Reported {
        let name = print_expression(side);
        let found = self.value_as(side, scope, Sense::Thing);
        let curved = |surface: usize| bearers.curved.iter().find(|(curved, _)| *curved == surface);
        let (label, hint) = match found {
            Ok(Value::Surface(surface)) if curved(surface).is_some() => (
                "this surface is curved",
                "surfaces that are touched are planes, such as `surface floor: z == 0`; a curved thing is a body or a frame with a `shape`",
            ),
            _ => (
                "nothing here has a shape",
                "give it one: `shape = sphere(5 [cm])` in its braces, or `surface floor in world: z == 0`",
            ),
        };
        self.report(
            Diagnostic::error(codes::CONTACT_OF_NOTHING, format!("`{name}` cannot be touched"))
                .at(side.span, label)
                .hint(hint),
        )
    }

    fn contact_twice(&mut self, [first, second]: [&Rule; 2], things: [usize; 2], bearers: &Bearers) {
        let [a, b] = things.map(|thing| bearers.list[thing].name.clone());
        let hint = match first.rank {
            [3, 3] => "drop one of the statements".to_string(),
            _ => format!("say what holds for these two: `contact {a}, {b} {{ … }}`, or drop one of the statements"),
        };
        self.report(
            Diagnostic::error(codes::CONTACT_TWICE, format!("two statements are equally specific for `{a}` and `{b}`"))
                .at(second.span, "this one")
                .at(first.span, "and this one")
                .hint(hint),
        );
    }

    fn no_pair(&mut self, rule: &Rule) {
        self.report(
            Diagnostic::warning(codes::NO_EFFECT, "this contact has no effect")
                .at(rule.span, "of all that it speaks of, nothing can touch")
                .note("two things touch if each has a shape, one of them can move, and no joint or parent frame holds them together")
                .hint("name both things of a joint, if these are to touch: `contact upper, lower { … }`"),
        );
    }

    /// Whoever says `all` may think that everything takes part.
    fn note_curved(&mut self, surface: usize, span: Span, rules: &[Rule]) {
        if rules.iter().any(|rule| rule.rank[1] == 0 && rule.law.is_some()) {
            let name = self.surfaces[surface].0.name.text.clone();
            self.report(
                Diagnostic::notice(
                    codes::CONTACT_OF_NOTHING,
                    format!("`{name}` is curved, and things pass through it"),
                )
                .at(span, "contact knows flat surfaces")
                .hint("where it is to be touched, give a frame a `shape` instead"),
            );
        }
    }
}

/// What can be asked of a pair.
impl Resolver<'_, '_> {
    /// The two things of `contact(a, b)`, if the expression is that and not a function of the author's.
    pub(super) fn contact_arguments<'e>(&self, expr: &'e Expr, scope: &Scope) -> Option<&'e [Argument]> {
        let ExprKind::Call { function, arguments } = &expr.kind else { return None };
        let named = matches!(&function.kind, ExprKind::Name(name) if name == "contact");
        let own = matches!(self.entity("contact", Sense::Quantity, scope.space), Some(Entity::Function(..)));
        (named && !own).then_some(arguments)
    }

    /// `contact(a, b).gap`
    pub(super) fn contact_field(
        &mut self,
        arguments: &[Argument],
        field: &Word,
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        let Some(row) = CONTACT_FIELDS.iter().find(|row| row.name == field.text) else {
            let known: Vec<&str> = CONTACT_FIELDS.iter().map(|row| row.name).collect();
            let hint = match base::nearest(&field.text, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", known.join(", ")),
            };
            return Err(self.report(
                Diagnostic::error(codes::UNKNOWN_FIELD, format!("a contact has no quantity `{}`", field.text))
                    .at(field.span, "unknown")
                    .hint(hint),
            ));
        };
        let (pair, reversed) = self.contact_pair(arguments, span, scope)?;
        let term = self.push(TermKind::Contact(pair, row.quantity), row.type_, span);
        if reversed && row.quantity == ContactQuantity::Force {
            return Ok(self.push(TermKind::Negate(term), row.type_, span));
        }
        Ok(term)
    }

    /// The pair, and whether the second thing was named first.
    fn contact_pair(&mut self, arguments: &[Argument], span: Span, scope: &Scope) -> Outcome<(usize, bool)> {
        let [first, second] = arguments else {
            return Err(self.report(
                Diagnostic::error(
                    codes::WRONG_ARGUMENTS,
                    format!("`contact` takes two things, not {}", arguments.len()),
                )
                .at(span, "asked for here")
                .hint("write `contact(a, b).gap`"),
            ));
        };
        let sides = [&first.value, &second.value];
        let values = all(sides.iter().map(|side| self.value_as(side, scope, Sense::Thing)))?;
        let known = match &self.touching {
            Touching::Known(known) => known,
            Touching::Broken => return Err(Reported),
            Touching::Unknown => {
                return Err(self.report(
                    Diagnostic::error(codes::CYCLIC_DEFINITION, "where things are cannot depend on what touches")
                        .at(span, "asked for where a frame is placed")
                        .hint("let it move freely, and state what holds with `always`, `force` or `when`"),
                ));
            }
        };
        let place = |value: &Value| {
            known.bearers.list.iter().position(|bearer| match value {
                Value::Frame(frame) => bearer.surface.is_none() && bearer.frame == *frame,
                Value::Surface(surface) => bearer.surface == Some(*surface),
                _ => false,
            })
        };
        let places: Vec<Option<usize>> = values.iter().map(place).collect();
        let [Some(a), Some(b)] = places[..] else {
            let (stated, missing) = (known.stated, places.iter().position(Option::is_none).unwrap_or(0));
            return Err(self.nothing_to_touch(sides[missing], stated));
        };
        let key = [a.min(b), a.max(b)];
        match known.pairs.get(&key) {
            Some(&pair) => Ok((pair, a > b)),
            None => {
                let apart = known.apart.get(&key).copied();
                Err(self.never_touch([sides[0], sides[1]], apart, span))
            }
        }
    }

    /// `contact(a, b)` without a quantity.
    pub(super) fn contact_alone(&mut self, span: Span) -> Reported {
        let known: Vec<String> = CONTACT_FIELDS.iter().map(|row| format!("`.{}`", row.name)).collect();
        self.wrong_kind(span, "a contact is no number by itself", &format!("ask for {}", known.join(", ")))
    }

    fn nothing_to_touch(&mut self, side: &Expr, stated: bool) -> Reported {
        let name = print_expression(side);
        let (message, label, hint) = match stated {
            true => (
                format!("`{name}` cannot be touched"),
                "a body or a frame with a shape, or a flat surface, is needed here",
                "give it a `shape`, and ask for two things by their own names",
            ),
            false => (
                "nothing touches in this scene".to_string(),
                "no `contact` statement says so",
                "write `contact all { restitution = 0; friction = 0.3 }`",
            ),
        };
        self.report(Diagnostic::error(codes::CONTACT_OF_NOTHING, message).at(side.span, label).hint(hint))
    }

    fn never_touch(&mut self, sides: [&Expr; 2], apart: Option<Apart>, span: Span) -> Reported {
        let [a, b] = sides.map(print_expression);
        let label = match apart {
            None => "no `contact` statement speaks of both",
            Some(Apart::None) => "`contact none` says so",
            Some(Apart::Held) => "a joint or a parent frame holds them together",
            Some(Apart::Fixed) => "neither of them can move",
            Some(Apart::Same) => "they are parts of one rigid thing",
        };
        self.report(
            Diagnostic::error(codes::CONTACT_OF_NOTHING, format!("`{a}` and `{b}` never touch"))
                .at(span, label)
                .hint(format!("where they should, write `contact {a}, {b} {{ … }}`")),
        )
    }

    /// `contact(a, b).state == sticking`, or nothing if neither side is the state of a contact.
    pub(super) fn contact_test(
        &mut self,
        left: &Expr,
        right: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Option<Outcome<TermId>> {
        let is_state = |expr: &Expr| match &expr.kind {
            ExprKind::Field { base, field } => field.text == "state" && self.contact_arguments(base, scope).is_some(),
            _ => false,
        };
        let (state, value) = match (is_state(left), is_state(right)) {
            (true, _) => (left, right),
            (false, true) => (right, left),
            (false, false) => return None,
        };
        Some(self.state_is(state, value, span, scope))
    }

    /// The states are numbers in a row, so each is a range; a guard then has a margin.
    fn state_is(&mut self, state: &Expr, value: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let text = print_expression(value);
        let number = CONTACT_STATES.iter().find(|(name, _)| *name == text).map(|(_, number)| *number);
        let state = self.term(state, scope);
        let Some(number) = number else {
            let known: Vec<String> = CONTACT_STATES.iter().map(|(name, _)| format!("`{name}`")).collect();
            return Err(self.report(
                Diagnostic::error(codes::UNKNOWN_MODE, format!("a contact is never `{text}`"))
                    .at(value.span, "not among its states")
                    .hint(format!("it is one of {}", known.join(", "))),
            ));
        };
        let state = state?;
        let low = self.plain_number(number as f64 - 0.5, span);
        let high = self.plain_number(number as f64 + 0.5, span);
        let above = self.push(TermKind::Apply(Operator::Less, vec![low, state]), Type::CONDITION, span);
        let below = self.push(TermKind::Apply(Operator::Less, vec![state, high]), Type::CONDITION, span);
        Ok(self.push(TermKind::Apply(Operator::And, vec![above, below]), Type::CONDITION, span))
    }
}
