//! What a run has to tell of contact: what rigid bodies do not decide, and what came to rest.

use base::Diagnostic;
use simulation::{ContactEvent, ContactEventKind, ContactNote, ContactNoteKind, ContactRest, Event};

use crate::codes;
use crate::failure::number;
use crate::instance::Instance;
use crate::pipeline::Stages;

pub(crate) fn describe_note(note: &ContactNote, stages: &Stages) -> Option<Diagnostic> {
    let set = stages.system.contacts.as_ref()?;
    let pair = set.pairs.get(note.pair)?;
    let [a, b] = pair.things.map(|thing| set.things[thing].name.as_str());
    let t = number(note.t);
    let diagnostic = match note.kind {
        ContactNoteKind::OrderMatters { in_turn, together } => Diagnostic::warning(
            codes::IMPACT_ORDER_MATTERS,
            format!(
                "at t = {t} s, several things collide at once, and the order decides: one after the other, `{a}` and `{b}` \
                 part with {} m/s, all together with {} m/s",
                speed(in_turn, together),
                speed(together, in_turn)
            ),
        )
        .at(pair.span, "collides one after the other, in the order of the text")
        .note("rigid bodies do not know which of the two is right")
        .hint("write `together` in the contact if all impulses are meant to act at once"),
        ContactNoteKind::Limited { part, restitution } => Diagnostic::warning(
            codes::RESTITUTION_LIMITED,
            format!(
                "at t = {t} s, a restitution of {} would have added energy between `{a}` and `{b}`; it acted as {}",
                number(restitution),
                number(restitution * part)
            ),
        )
        .at(pair.span, "with this restitution")
        .note("friction turns a part of an impact, and Newton's restitution does not know of it")
        .hint("a smaller restitution, or less friction, means what it says"),
        ContactNoteKind::NotDetermined { .. } => Diagnostic::notice(
            codes::CONTACT_REDUNDANT,
            format!("`{a}` and `{b}` touch in more points than hold them"),
        )
        .at(pair.span, "the motion is determined, the forces of single points are not")
        .note(format!("this is so at t = {t} s; of all forces that hold, the least are shown")),
    };
    Some(diagnostic)
}

/// A speed in words, beside another: what rounding leaves of nothing is nothing.
fn speed(speed: f64, other: f64) -> String {
    number(if speed.abs() <= 1e-9 * other.abs() { 0.0 } else { speed })
}

/// Something that happened in a run: a transition, or what pairs do that may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    pub t: f64,
    /// `bounce`, or `contact(ball, floor).impact`
    pub name: String,
    /// Along the normal, in N s; of impacts only.
    pub impulse: Option<f64>,
}

/// All that happened so far, in the order of time; what happened to pairs at the instant of a transition stands before it, because guards see it.
pub fn happenings(instance: &Instance) -> Vec<Happening> {
    let stages = instance.stages();
    let named = |event: &ContactEvent| {
        let set = stages.system.contacts.as_ref()?;
        let [a, b] = set.pairs.get(event.pair)?.things.map(|thing| set.things[thing].name.as_str());
        let (what, impulse) = match event.kind {
            ContactEventKind::Impact(impulse) => ("impact", Some(impulse)),
            ContactEventKind::Closes => ("closes", None),
            ContactEventKind::Opens => ("opens", None),
            ContactEventKind::Slips => ("slips", None),
            ContactEventKind::Sticks => ("sticks", None),
        };
        Some(Happening { t: event.t, name: format!("contact({a}, {b}).{what}"), impulse })
    };
    let transition = |event: &Event| Happening { t: event.t, name: event.name.clone(), impulse: None };
    let contacts = instance.contact_events.iter().filter_map(named);
    let mut all: Vec<Happening> = contacts.chain(instance.events.iter().map(transition)).collect();
    all.sort_by(|one, other| one.t.total_cmp(&other.t));
    all
}

/// What came of pairs that have collided: `ball` touches `floor` since 4.0637 s, after 102 impacts. At most so many, then how many more.
pub fn describe_rests(instance: &Instance, most: usize) -> Vec<String> {
    let Some(set) = &instance.stages().system.contacts else { return Vec::new() };
    let met = |rest: &ContactRest| rest.impacts > 0 || rest.since.is_some_and(|since| since > 0.0);
    let rests = instance.contact_rests();
    let told: Vec<_> = set.pairs.iter().zip(&rests).filter(|(_, rest)| met(rest)).collect();
    let line = |(pair, rest): &(&equations::ContactPair, &ContactRest)| {
        let [a, b] = pair.things.map(|thing| set.things[thing].name.as_str());
        let impacts = match rest.impacts {
            1 => "one impact".to_string(),
            n => format!("{n} impacts"),
        };
        match rest.since {
            Some(since) if rest.impacts > 0 => format!("{a} and {b} touch since {} s, after {impacts}", number(since)),
            Some(since) => format!("{a} and {b} touch since {} s", number(since)),
            None => format!("{a} and {b}: {impacts}"),
        }
    };
    let mut lines: Vec<String> = told.iter().take(most).map(line).collect();
    if told.len() > most {
        lines.push(format!("and {} pairs more", told.len() - most));
    }
    lines
}

/// Why there are no functions of states alone where something touches.
pub(crate) fn touching(stages: &Stages) -> Option<Diagnostic> {
    let set = stages.system.contacts.as_ref()?;
    let message = "things touch at this state, and what touches may part: rates are no function of the states alone";
    let diagnostic = Diagnostic::error(codes::NO_LINEARISATION, message).at(set.pairs[0].span, "by this contact");
    Some(diagnostic.hint(
        "begin where nothing touches, or write what holds them as a constraint: `surface`, `join`, a rolling condition",
    ))
}

/// Gaps are measured, not written down, so that nobody knows their derivatives.
pub(crate) fn gap_asked(stages: &Stages) -> Option<Diagnostic> {
    let set = stages.system.contacts.as_ref()?;
    let pair = set.pairs.get(*stages.program.gaps_asked_for().first()?)?;
    let [a, b] = pair.things.map(|thing| set.things[thing].name.as_str());
    let message = format!("`contact({a}, {b}).gap` is asked for, and this version does not know its derivatives");
    let diagnostic = Diagnostic::error(codes::NO_LINEARISATION, message).at(pair.span, "by this contact");
    Some(diagnostic.hint("leave it out of what is plotted, or write the distance in coordinates"))
}
