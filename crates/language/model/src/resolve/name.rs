//! Names: what they stand for, and what may have been meant where they stand for nothing.

use base::{Diagnostic, Dimension, Span, Unit};
use syntax::Expr;

use super::space::{SCENE, Scope};
use super::{Definition, Entity, Outcome, Reported, Resolver, SCENE_QUANTITIES, Sense, Value, Wanted, all};
use crate::codes;
use crate::model::{FrameId, WORLD};
use crate::term::{TermId, TermKind, Type};

/// For so many names that stand for nothing a name is sought that may have been meant. Each search goes through all that are there, and
/// nobody reads more of them than this at a time.
const MOST_SOUGHT: usize = 50;

impl<'t> Resolver<'t, '_> {
    /// What a name stands for: loop variables and function parameters first, then declarations, then the scene's own.
    pub(super) fn lookup(&mut self, name: &str, span: Span, scope: &Scope, sense: Sense) -> Outcome<Value> {
        if let Some(value) = scope.get(name) {
            return Ok(match value {
                Value::Term(term) => Value::Term(self.copy_at(*term, span)),
                other => other.clone(),
            });
        }
        let declared = |name: &str| self.entity(name, sense, scope.space);
        let entity = declared(name).or_else(|| declared(&other_form(name)?));
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
            Some(Entity::Quantity(id)) => {
                let type_ = self.model.quantities[id.index()].type_;
                Ok(Value::Term(self.push(TermKind::Quantity(id), type_, span)))
            }
            Some(Entity::Discrete(id)) => Ok(Value::Term(self.discrete_term(id, span))),
            Some(Entity::Mode(id)) => {
                Ok(Value::Term(self.push(TermKind::Mode(id), Type::scalar(Dimension::NONE), span)))
            }
            Some(Entity::Total(at)) => {
                let total = self.total(at, span)?;
                Ok(Value::Term(self.copy_at(total, span)))
            }
            Some(Entity::Thing(thing)) => Ok(Value::Thing(thing)),
            Some(Entity::Template(template)) => Ok(Value::Things(self.things_of(template))),
            Some(Entity::Function(function, _)) => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("`{name}` is a function"))
                    .at(span, "its arguments are missing")
                    .at(function.name.span, "declared here"),
            )),
            Some(Entity::Data(_)) => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("`{name}` is a function through measured points"))
                    .at(span, "what it is asked for is missing")
                    .hint(format!("write `{name}(t)`")),
            )),
            // A theory does not see the scene, but everything is in the same world.
            None if name == "world" => Ok(Value::Frame(WORLD)),
            None => self.scene_quantity(name, span).ok_or(()).map_err(|()| self.unknown_name(name, span, scope, sense)),
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span, scope: &Scope, sense: Sense) -> Reported {
        if self.valued_later.contains(&name) {
            return self.report(
                Diagnostic::error(codes::NOT_CONSTANT, "the number of parts must be a number in the text itself")
                    .at(span, format!("`{name}` gets its value later"))
                    .hint("a parameter may change between runs, the number of parts may not; name it with `let`, as in `let n = 3`"),
            );
        }
        if self.sink.has_enough(codes::UNKNOWN_NAME, span) {
            return Reported;
        }
        self.unknown_names += 1;
        let hint = self.name_hint(name, scope, sense);
        self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("nothing is called `{name}`"))
                .at(span, "not declared anywhere")
                .hint(hint),
        )
    }

    fn name_hint(&self, name: &str, scope: &Scope, sense: Sense) -> String {
        if let Some(mode) = self.model.modes.iter().find(|mode| mode.values.iter().any(|value| value == name)) {
            let mode = &mode.name;
            return format!(
                "`{name}` is a value of the mode `{mode}`: a condition says `{mode} == {name}`, `{mode} != {name}` or `pre({mode} == {name})`, and the start `mode {mode}: … = {name}`"
            );
        }
        let is_sought = self.unknown_names <= MOST_SOUGHT;
        if let Some(family) = is_sought.then(|| self.family(name)).flatten() {
            return family;
        }
        if let Some(near) = is_sought.then(|| self.nearest_name(name, scope)).flatten() {
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
        if !name.contains('[')
            && !(0..2).any(|first| self.entity(&format!("{stem}[{first}]"), Sense::Thing, SCENE).is_some())
        {
            return None;
        }
        let scene = &self.spaces[SCENE.index()];
        let known = scene.things.iter().chain(&scene.quantities);
        let mut members: Vec<(Span, &str)> = known
            .filter(|(known, _)| known.strip_prefix(stem).is_some_and(|rest| rest.starts_with('[')))
            .map(|(known, declared)| (declared.span, known.as_ref()))
            .collect();
        members.sort_by_key(|&(span, known)| (span, known.len(), known));
        let (first, last) = (members.first()?.1, members.last()?.1);
        Some(format!("there are `{first}` to `{last}`"))
    }

    /// The nearest declared name, for a hint.
    fn nearest_name(&self, word: &str, scope: &Scope) -> Option<String> {
        let visible = self.visible(scope.space);
        let mut known: Vec<&str> =
            visible.flat_map(|space| space.quantities.keys().chain(space.things.keys())).map(AsRef::as_ref).collect();
        known.extend(scope.names());
        known.extend(SCENE_QUANTITIES.iter().map(|row| row.name));
        // The one word of expressions that stands where a name could.
        known.push("free");
        known.sort_unstable();
        base::nearest(word, known).map(str::to_string)
    }

    fn definition(&mut self, at: usize, name: &str, span: Span) -> Outcome<Value> {
        let wanted = self.definitions[at].1;
        match std::mem::replace(&mut self.definitions[at].0, Definition::InProgress) {
            Definition::Waiting(value, scope) => {
                let outcome = self.wanted_value(value, &scope, wanted, name);
                let kept = !self.early;
                self.definitions[at].0 =
                    if kept { Definition::Done(outcome.clone()) } else { Definition::Waiting(value, scope) };
                outcome
            }
            Definition::Done(outcome) => {
                self.definitions[at].0 = Definition::Done(outcome.clone());
                match outcome? {
                    Value::Term(term) if wanted != Wanted::Anything => Ok(Value::Term(self.copy_at(term, span))),
                    value => Ok(value),
                }
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
        Ok(Value::Frames(members?.concat().into()))
    }

    /// The value of a definition, if it is what is wanted.
    fn wanted_value(&mut self, value: &Expr, scope: &Scope, wanted: Wanted, name: &str) -> Outcome<Value> {
        match wanted {
            Wanted::Anything => self.value(value, scope),
            Wanted::Quantity(type_) => self.expect(value, scope, type_, &format!("`{name}`")).map(Value::Term),
            Wanted::Frame => self.frame_of(value, scope).map(Value::Frame),
            Wanted::Thing(kind) => {
                let found = self.value_as(value, scope, Sense::Thing)?;
                if let Value::Thing(thing) = found {
                    let template = self.things[thing.index()].template;
                    if self.inherits(template, kind) {
                        return Ok(found);
                    }
                }
                let wanted = self.templates[kind.index()].name.text.clone();
                let label = match found {
                    Value::Thing(thing) => format!("this is a `{}`", self.kind_name(thing)),
                    Value::Frame(_) => "this is a frame".to_string(),
                    _ => "this is not a thing".to_string(),
                };
                Err(self.report(
                    Diagnostic::error(codes::WRONG_KIND, format!("`{name}` must be a `{wanted}`"))
                        .at(value.span, label)
                        .hint(format!("declare one: `{name}: {wanted}`")),
                ))
            }
        }
    }

    /// What a loop over a list goes through.
    pub(super) fn members(&mut self, list: &Expr, scope: &Scope) -> Outcome<Vec<Value>> {
        match self.value_as(list, scope, Sense::Thing)? {
            Value::Thing(thing) => Ok(vec![Value::Thing(thing)]),
            Value::Things(things) => Ok(things.iter().map(|&thing| Value::Thing(thing)).collect()),
            _ => Ok(self.frames(list, scope)?.into_iter().map(Value::Frame).collect()),
        }
    }

    /// The frames that a list, a group or a single frame stands for.
    pub(super) fn frames(&mut self, list: &Expr, scope: &Scope) -> Outcome<Vec<FrameId>> {
        match self.value_as(list, scope, Sense::Thing)? {
            Value::Frame(frame) => Ok(vec![frame]),
            Value::Frames(frames) => Ok(frames.to_vec()),
            Value::Term(_) | Value::Surface(_) | Value::Thing(_) | Value::Things(_) => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, "a list of bodies or frames is needed here")
                    .at(list.span, "this is something else")
                    .hint("use `bodies`, a group: `group planets = sun, earth`, or the name of a kind"),
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
pub(super) fn other_form(name: &str) -> Option<String> {
    if let Some((stem, index)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        return index.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("{stem}{index}"));
    }
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (stem, index) = name.split_at(name.len() - digits);
    (digits > 0 && !stem.is_empty()).then(|| format!("{stem}[{index}]"))
}
