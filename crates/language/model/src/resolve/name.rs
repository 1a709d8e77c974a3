//! Names: what they stand for, and what may have been meant where they stand for nothing.

use base::{Diagnostic, Span, Unit};
use syntax::Expr;

use super::{Definition, Entity, Outcome, Reported, Resolver, SCENE_QUANTITIES, Scope, Sense, Value, all};
use crate::codes;
use crate::model::FrameId;
use crate::term::{TermId, TermKind, Type};

impl<'t> Resolver<'t, '_> {
    /// What a name stands for: loop variables and function parameters first, then declarations, then the scene's own.
    pub(super) fn lookup(&mut self, name: &str, span: Span, scope: &Scope, sense: Sense) -> Outcome<Value> {
        if let Some(value) = scope.get(name) {
            return Ok(match value {
                Value::Term(term) => Value::Term(self.copy_at(*term, span)),
                other => other.clone(),
            });
        }
        let entity = self.entity(name, sense).or_else(|| self.entity(&other_form(name)?, sense));
        match entity {
            Some(Entity::Broken) => Err(Reported),
            Some(Entity::Parameter(id)) => {
                self.parameter_value(id, span)?;
                let type_ = Type::scalar(self.model.parameters[id.index()].unit.dimension);
                Ok(Value::Term(self.push(TermKind::Parameter(id), type_, span)))
            }
            Some(Entity::Control(id)) => {
                let type_ = Type::scalar(self.model.controls[id.index()].unit.dimension);
                Ok(Value::Term(self.push(TermKind::Control(id), type_, span)))
            }
            Some(Entity::Let(at)) => self.definition(at, name, span),
            Some(Entity::Frame(frame)) => Ok(Value::Frame(frame)),
            Some(Entity::Group(at)) => self.group(at),
            Some(Entity::Surface(at)) => Ok(Value::Surface(at)),
            Some(Entity::Function(function)) => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("`{name}` is a function"))
                    .at(span, "its arguments are missing")
                    .at(function.name.span, "declared here"),
            )),
            None => self.scene_quantity(name, span).ok_or(()).map_err(|()| self.unknown_name(name, span, scope, sense)),
        }
    }

    /// The declaration of a name, of the wanted sense if there is one.
    pub(super) fn entity(&self, name: &str, sense: Sense) -> Option<Entity<'t>> {
        let (first, second) = match sense {
            Sense::Quantity => (&self.quantities, &self.things),
            Sense::Thing => (&self.things, &self.quantities),
        };
        first.get(name).or_else(|| second.get(name)).map(|declared| declared.entity.clone())
    }

    fn unknown_name(&mut self, name: &str, span: Span, scope: &Scope, sense: Sense) -> Reported {
        if self.valued_later.contains(&name) {
            return self.report(
                Diagnostic::error(codes::NOT_CONSTANT, "the number of parts must be a number in the text itself")
                    .at(span, format!("`{name}` gets its value later"))
                    .hint("a parameter may change between runs, the number of parts may not; write the number itself"),
            );
        }
        if self.sink.has_enough(codes::UNKNOWN_NAME, span) {
            return Reported;
        }
        let hint = self.name_hint(name, scope, sense);
        self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("nothing is called `{name}`"))
                .at(span, "not declared anywhere")
                .hint(hint),
        )
    }

    fn name_hint(&self, name: &str, scope: &Scope, sense: Sense) -> String {
        if let Some(family) = self.family(name) {
            return family;
        }
        if let Some(near) = self.nearest_name(name, scope) {
            return format!("did you mean `{near}`?");
        }
        // `x` alone is what a frame is asked for.
        let asked = super::FRAME_FIELDS.iter().any(|row| row.name == name);
        let frame = self.model.frames.iter().skip(1).find(|frame| !frame.name.is_empty());
        match (frame, sense) {
            (Some(frame), _) if asked => format!("say of what: `{}.{name}`", frame.name),
            (_, Sense::Thing) => format!("declare it: `body {name} {{ … }}` or `frame {name} {{ … }}`"),
            (_, Sense::Quantity) if Unit::parse(name).is_ok() => {
                format!("declare it: `param {name} = …`; if the unit is meant, it stands after a number: `1 [{name}]`")
            }
            (_, Sense::Quantity) => {
                format!("declare it: `param {name} = …`, `let {name} = …` or `body {name} {{ … }}`")
            }
        }
    }

    /// `car[4]`, `car4` and `car` mean one of `car[1]`, `car[2]`, `car[3]`.
    fn family(&self, name: &str) -> Option<String> {
        let stem = name.split_once('[').map_or(name, |(stem, _)| stem).trim_end_matches(|c: char| c.is_ascii_digit());
        // Unknown names may be many; most are of no family, which is soon seen.
        if !name.contains('[') && !(0..2).any(|first| self.things.contains_key(format!("{stem}[{first}]").as_str())) {
            return None;
        }
        let known = self.things.iter().chain(&self.quantities);
        let mut members: Vec<(Span, &str)> = known
            .filter(|(known, _)| known.strip_prefix(stem).is_some_and(|rest| rest.starts_with('[')))
            .map(|(known, declared)| (declared.span, known.as_str()))
            .collect();
        members.sort_by_key(|&(span, known)| (span, known.len(), known));
        let (first, last) = (members.first()?.1, members.last()?.1);
        Some(format!("there are `{first}` to `{last}`"))
    }

    /// The nearest declared name, for a hint.
    fn nearest_name(&self, word: &str, scope: &Scope) -> Option<String> {
        let mut known: Vec<&str> = self.quantities.keys().chain(self.things.keys()).map(String::as_str).collect();
        known.extend(scope.bindings.iter().map(|(name, _)| name.as_str()));
        known.extend(SCENE_QUANTITIES.iter().map(|row| row.name));
        known.sort_unstable();
        base::nearest(word, known).map(str::to_string)
    }

    fn definition(&mut self, at: usize, name: &str, span: Span) -> Outcome<Value> {
        match std::mem::replace(&mut self.definitions[at], Definition::InProgress) {
            Definition::Waiting(value, scope) => {
                let outcome = self.value(value, &scope);
                self.definitions[at] = Definition::Done(outcome.clone());
                outcome
            }
            Definition::Done(outcome) => {
                self.definitions[at] = Definition::Done(outcome.clone());
                outcome
            }
            Definition::InProgress => Err(self.report(
                Diagnostic::error(codes::CYCLIC_DEFINITION, format!("`{name}` is defined by itself"))
                    .at(span, "needed here before it is known")
                    .hint("an equation between quantities that determine one another is written with `always … == …`"),
            )),
        }
    }

    fn group(&mut self, at: usize) -> Outcome<Value> {
        let (group, scope) = self.groups[at].clone();
        self.call_depth += 1;
        if self.call_depth > super::call::DEEPEST_CALL {
            self.call_depth -= 1;
            return Err(self.report(
                Diagnostic::error(codes::CYCLIC_DEFINITION, format!("the group `{}` contains itself", group.name.text))
                    .at(group.name.span, "declared here"),
            ));
        }
        let members = all(group.members.iter().map(|member| self.frames(member, &scope)));
        self.call_depth -= 1;
        Ok(Value::Frames(members?.concat()))
    }

    /// The frames that a list, a group or a single frame stands for.
    pub(super) fn frames(&mut self, list: &Expr, scope: &Scope) -> Outcome<Vec<FrameId>> {
        match self.value_as(list, scope, Sense::Thing)? {
            Value::Frame(frame) => Ok(vec![frame]),
            Value::Frames(frames) => Ok(frames),
            Value::Term(_) | Value::Surface(_) => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, "a list of bodies or frames is needed here")
                    .at(list.span, "this is something else")
                    .hint("use `bodies`, or a group: `group planets = sun, earth`"),
            )),
        }
    }

    /// The same term at another place, so that messages point at the use and not at the definition.
    fn copy_at(&mut self, term: TermId, span: Span) -> TermId {
        let copied = self.model.terms.get(term).clone();
        self.push(copied.kind, copied.type_, span)
    }
}

/// `bob[2]` may also be written `bob2`, and `link0` also `link[0]`, as a loop over its neighbours does.
fn other_form(name: &str) -> Option<String> {
    if let Some((stem, index)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        return index.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("{stem}{index}"));
    }
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (stem, index) = name.split_at(name.len() - digits);
    (digits > 0 && !stem.is_empty()).then(|| format!("{stem}[{index}]"))
}
