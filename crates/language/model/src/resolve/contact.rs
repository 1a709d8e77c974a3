//! Contact: which statement decides for which pair.

use base::{Diagnostic, Dimension, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Expr, ExprKind, ItemKind, Word, print_expression};

use super::repeat::{MOST_STATEMENTS, Statement};
use super::space::Scope;
use super::touch::{Bearer, Bearers, Holding};
use super::{Outcome, Reported, Resolver, Sense, Value, all};
use crate::codes;
use crate::contact::{Apart, ContactPair, ContactShape, Contacts, Touchable};
use crate::model::FrameId;
use crate::term::{TermId, Type};

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
    pub bearers: Bearers,
    /// By places of bearers, the smaller first.
    pub pairs: FxHashMap<[usize; 2], usize>,
    pub apart: FxHashMap<[usize; 2], Apart>,
    /// Whether there is any statement about contact.
    pub stated: bool,
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
    fn names(&self, thing: usize) -> bool {
        self.members.iter().any(|members| members[thing])
    }

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
        let decided = self.decide_pairs(&bearers, &rules, &holding, &mut known)?;
        known.pairs = decided.iter().enumerate().map(|(at, pair)| (pair.things, at)).collect();
        self.store_contacts(&bearers, decided, &known)?;
        known.bearers = bearers;
        if self.sink.has_errors() { Err(Reported) } else { Ok(known) }
    }

    /// The statement that decides for each pair; what keeps the others apart is noted.
    fn decide_pairs(
        &mut self,
        bearers: &Bearers,
        rules: &[Rule],
        holding: &Holding,
        known: &mut Known,
    ) -> Outcome<Vec<ContactPair>> {
        let count = bearers.list.len();
        let of: Vec<Vec<usize>> =
            (0..count).map(|thing| (0..rules.len()).filter(|&rule| rules[rule].names(thing)).collect()).collect();
        let mut pairs = Vec::new();
        let mut used = vec![false; rules.len()];
        // Statements that are equally specific for one pair mostly are for many.
        let mut twice = FxHashSet::default();
        for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
            // Loops make many statements of which few are about one thing.
            let near = if of[a].len() < of[b].len() { &of[a] } else { &of[b] };
            let about: Vec<usize> = near.iter().copied().filter(|&rule| rules[rule].is_about(a, b)).collect();
            let Some(rank) = about.iter().map(|&rule| rules[rule].rank).max() else { continue };
            let held = holding.between(&bearers.list[a], &bearers.list[b]);
            // A joint that is named by both its things is meant to be touched.
            if let Some(apart) = held.filter(|held| *held != Apart::Held || rank != [3, 3]) {
                known.apart.insert([a, b], apart);
                continue;
            }
            about.iter().for_each(|&rule| used[rule] = true);
            // Whoever names both is told that they cannot touch; the others pass through each other.
            if bearers.pass_through([a, b]) && rank != [3, 3] {
                if rules[about[0]].law.is_some() {
                    self.note_curved([a, b], rules[about[0]].span, bearers);
                }
                known.apart.insert([a, b], Apart::Curved);
                continue;
            }
            let best: Vec<usize> = about.into_iter().filter(|&rule| rules[rule].rank == rank).collect();
            if let [first, second, ..] = best[..]
                && twice.insert([first, second])
            {
                self.contact_twice([&rules[first], &rules[second]], [a, b], bearers);
            }
            let Rule { law, span, .. } = rules[best[0]];
            match law {
                Some(_) if pairs.len() >= MOST_STATEMENTS => return Err(self.too_many_pairs(span)),
                Some(Law { restitution, friction, together }) => {
                    pairs.push(ContactPair { things: [a, b], restitution, friction, together, span });
                }
                None => {
                    known.apart.insert([a, b], Apart::None);
                }
            }
        }
        for (rule, _) in rules.iter().zip(used).filter(|(rule, used)| !used && rule.law.is_some()) {
            self.no_pair(rule);
        }
        Ok(pairs)
    }

    /// Only what is in a pair is of interest to those who compute.
    fn store_contacts(&mut self, bearers: &Bearers, pairs: Vec<ContactPair>, known: &Known) -> Outcome<()> {
        let mut touching = vec![false; bearers.list.len()];
        pairs.iter().flat_map(|pair| pair.things).for_each(|thing| touching[thing] = true);
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
        let pairs = pairs.into_iter().map(|pair| ContactPair { things: pair.things.map(|it| places[it]), ..pair });
        let mut apart: Vec<([usize; 2], Apart)> = known.apart.iter().map(|(&things, &apart)| (things, apart)).collect();
        apart.sort_unstable_by_key(|&(things, _)| things);
        let named = |(things, apart): ([usize; 2], Apart)| (things.map(|at| bearers.list[at].name.clone()), apart);
        let left_out = apart.into_iter().map(named).collect();
        let (pairs, step) = (pairs.collect(), self.contact_step);
        self.model.contacts = Some(Contacts { things, shapes, pairs, left_out, step });
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
            if let Some(first) = self.contact_step.replace(step_term) {
                return Err(self.report(
                    Diagnostic::error(codes::DUPLICATE_NAME, "`step` is given twice")
                        .at(step.name.span, "again here")
                        .at(self.model.terms.get(first).span, "first here")
                        .hint("all contacts are gathered in the same steps"),
                ));
            }
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
        if let Some(found) = self.side_without_name(side, bearers, scope) {
            return Ok(found);
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
        if members.contains(&true) { Ok((rank, members)) } else { Err(self.no_shape(side)) }
    }

    /// Words that nothing is called by: `all`, which in the braces of a kind means all parts of a thing; and `ball`, for `ball[1]`, `ball[2]` and so on.
    fn side_without_name(&self, side: &Expr, bearers: &Bearers, scope: &Scope) -> Option<(u8, Vec<bool>)> {
        let ExprKind::Name(name) = &side.kind else { return None };
        if scope.get(name).is_some() || self.entity(name, Sense::Thing, scope.space).is_some() {
            return None;
        }
        if name == "all" {
            return Some(match self.thing_of_space(scope.space) {
                Some(thing) => (1, self.parts_of(&[thing], bearers)),
                None => (0, vec![true; bearers.list.len()]),
            });
        }
        let path = self.path(scope.space, name);
        let numbered = |bearer: &Bearer| {
            let rest = bearer.name.strip_prefix(&path)?;
            Some(rest.starts_with('[') && !rest.contains('.'))
        };
        let members: Vec<bool> = bearers.list.iter().map(|bearer| numbered(bearer).unwrap_or(false)).collect();
        members.contains(&true).then_some((2, members))
    }

    /// What belongs to things of kinds, or to things of these.
    fn parts_of(&self, things: &[super::thing::ThingId], bearers: &Bearers) -> Vec<bool> {
        let paths: Vec<&str> =
            things.iter().map(|thing| self.spaces[self.things[thing.index()].space.index()].path.as_str()).collect();
        bearers.list.iter().map(|bearer| paths.iter().any(|path| bearer.name.starts_with(path))).collect()
    }

    fn no_shape(&mut self, side: &Expr) -> Reported {
        let name = print_expression(side);
        let (label, hint) = (
            "nothing here has a shape",
            "give it one: `shape = sphere(5 [cm])` in its braces, or `surface floor in world: z == 0`",
        );
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

    fn too_many_pairs(&mut self, span: Span) -> Reported {
        let message = format!("more than {MOST_STATEMENTS} pairs of things may touch");
        let diagnostic = Diagnostic::error(codes::TOO_LARGE, message).at(span, "by this statement");
        self.report(diagnostic.hint("say more narrowly what touches what, or make fewer things"))
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
    fn note_curved(&mut self, things: [usize; 2], span: Span, bearers: &Bearers) {
        let [a, b] = things.map(|thing| &bearers.list[thing]);
        let (surface, other) = if bearers.is_curved(things[0]) { (a, b) } else { (b, a) };
        self.report(
            Diagnostic::notice(
                codes::CONTACT_OF_NOTHING,
                format!("`{}` is curved, and `{}` passes through it", surface.name, other.name),
            )
            .at(surface.span, Apart::Curved.words())
            .at(span, "by this contact they would touch")
            .hint("give what moves a `shape` in place of the surface: solids touch every surface"),
        );
    }
}
