//! Calls: the functions of the operator table, those of mechanics, and the author's own.

use base::{Diagnostic, Dimension, Exponent, Span};
use expr::{OPERATORS, Operator, Units};
use syntax::{Argument, Expr, ExprKind, print_expression};

use super::check::found_label;
use super::space::{Scope, SpaceId};
use super::{Entity, Outcome, Resolver, Sense, Value, all};
use crate::codes;
use crate::model::FrameId;
use crate::reaction::ReactionPart;
use crate::term::{Amount, BoundId, Shape, TermId, TermKind, Type};

/// Functions nested deeper than this call themselves.
pub(super) const DEEPEST_CALL: usize = 48;

/// More terms than this come from functions that call one another in ever more copies.
const MOST_TERMS: usize = 3_000_000;

/// A function that the operator table does not have.
pub struct BuiltIn {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub meaning: &'static str,
}

#[rustfmt::skip]
pub const BUILT_INS: &[BuiltIn] = &[
    BuiltIn { name: "der",         arguments: &["x"],             meaning: "derivative with respect to time; also written x'" },
    BuiltIn { name: "partial",     arguments: &["e", "x"],        meaning: "derivative of e by x alone" },
    BuiltIn { name: "dot",         arguments: &["a", "b"],        meaning: "scalar product; also written a · b" },
    BuiltIn { name: "cross",       arguments: &["a", "b"],        meaning: "vector product; also written a × b" },
    BuiltIn { name: "norm",        arguments: &["v"],             meaning: "size of a vector; also written |v|" },
    BuiltIn { name: "velocity_at", arguments: &["frame", "p"],    meaning: "velocity of the frame's material point at position p" },
    BuiltIn { name: "normal",      arguments: &["surface", "p"],  meaning: "unit vector normal to the surface at position p" },
    BuiltIn { name: "jacobian",    arguments: &["equation", "x"], meaning: "derivatives of left minus right of a labelled equation by a quantity; by a small turn, for a rotation" },
    BuiltIn { name: "multiplier",  arguments: &["equation"],      meaning: "unknown that belongs to a labelled equation; times the equation it is a work" },
    BuiltIn { name: "transpose",   arguments: &["m"],             meaning: "matrix with rows and columns exchanged" },
    BuiltIn { name: "diagonal",    arguments: &["a", "b", "c"],   meaning: "matrix with these entries on the diagonal" },
    BuiltIn { name: "quaternion",  arguments: &["w", "x", "y", "z"], meaning: "quaternion of these components" },
    BuiltIn { name: "conjugate",   arguments: &["q"],             meaning: "quaternion with the vector part reversed" },
    BuiltIn { name: "rotation",    arguments: &["q"],             meaning: "matrix that turns vectors as the unit quaternion q does" },
    BuiltIn { name: "pre",         arguments: &["x"],             meaning: "value before a transition, in its braces" },
    BuiltIn { name: "at",          arguments: &["event", "x"],    meaning: "value at an earlier event of a sequence or plan: at(begin, x), at(1, x)" },
    BuiltIn { name: "contact",     arguments: &["a", "b"],        meaning: "contact of two things, which has a gap, a force, a state, an impulse and a number of impacts: contact(a, b).gap" },
    BuiltIn { name: "tension",     arguments: &["thing"],         meaning: "pull of a rod, a rope, a joint, or of a frame's parent on it; of an `always` between numbers, the force against the growth of its left side" },
    BuiltIn { name: "force",       arguments: &["thing"],         meaning: "force of the first frame of a joint on the second, or of a frame's parent on it; of an `always` between vectors, on what its right side moves" },
    BuiltIn { name: "torque",      arguments: &["thing"],         meaning: "torque of the first frame of a joint on the second, or of a frame's parent on it, about its origin" },
    BuiltIn { name: "point",       arguments: &["x", "y", "z"],   meaning: "f.point(x, y, z): position of the point with these coordinates in f" },
    BuiltIn { name: "vector",      arguments: &["x", "y", "z"],   meaning: "f.vector(x, y, z): vector with these components along f's axes" },
];

impl<'t> Resolver<'t, '_> {
    pub(super) fn call(
        &mut self,
        function: &Expr,
        arguments: &[Argument],
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        if let Some(named) = arguments.iter().find_map(|argument| argument.name.as_ref()) {
            let message = "the arguments of a function have no names";
            return Err(self.report(Diagnostic::error(codes::WRONG_ARGUMENTS, message).at(named.span, "drop the name")));
        }
        let arguments: Vec<&Expr> = arguments.iter().map(|argument| &argument.value).collect();
        if let [at] = arguments[..]
            && self.is_delayed(function, at, scope)
        {
            return self.delayed(function, at, span, scope);
        }
        match &function.kind {
            ExprKind::Name(name) => self.call_named(name, function.span, &arguments, span, scope),
            ExprKind::Field { base, field } => {
                let frame = self.frame_of(base, scope)?;
                self.call_method(frame, &field.text, field.span, &arguments, span, scope)
            }
            ExprKind::Error => Err(super::Reported),
            _ => Err(self.wrong_kind(
                function.span,
                "only functions can be called",
                "this is not the name of a function",
            )),
        }
    }

    fn call_named(
        &mut self,
        name: &str,
        name_span: Span,
        arguments: &[&Expr],
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        let declared = self.entity(name, Sense::Quantity, scope.space);
        if let Some(Entity::Function(function, space)) = declared {
            return self.call_declared((function, space), arguments, span, scope);
        }
        if let Some(Entity::Data(data)) = declared {
            return self.call_data(data, (name, arguments), span, scope);
        }
        if matches!(declared, Some(Entity::Broken)) {
            return Err(super::Reported);
        }
        if let Some(row) = OPERATORS.iter().find(|row| row.name == name && row.is_function()) {
            self.need_count(name, row.arguments, arguments.len(), span)?;
            let terms = all(arguments.iter().map(|argument| self.scalar(argument, scope)))?;
            if matches!(row.operator, Operator::Sin | Operator::Cos | Operator::Tan) {
                self.warn_of_angle(arguments[0], terms[0]);
            }
            return self.apply(row.operator, terms, span);
        }
        if name == Operator::Foreign.row().name && self.is_of_a_file(span) {
            let terms = all(arguments.iter().map(|argument| self.scalar(argument, scope)))?;
            return self.apply(Operator::Foreign, terms, span);
        }
        if let Some(row) = BUILT_INS.iter().find(|row| row.name == name && !is_method(row.name)) {
            self.need_count(name, row.arguments, arguments.len(), span)?;
            return self.call_built_in(name, arguments, span, scope);
        }
        let visible = self.visible(scope.space).flat_map(|space| &space.quantities);
        let functions = visible.filter(|(_, declared)| matches!(declared.entity, Entity::Function(..)));
        let mut known: Vec<&str> = functions.map(|(name, _)| name.as_ref()).collect();
        known.extend(OPERATORS.iter().filter(|row| row.is_function()).map(|row| row.name));
        known.extend(BUILT_INS.iter().map(|row| row.name));
        known.sort_unstable();
        let near = other_names(name).or_else(|| base::nearest(name, known));
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_FUNCTION, format!("there is no function `{name}`"))
            .at(name_span, "unknown");
        let shown = FORMS.iter().find(|(names, _)| names.contains(&name));
        diagnostic = match near {
            _ if let Some((_, form)) = shown => diagnostic.hint(*form),
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None if declared.is_some() => diagnostic.hint(format!("`{name}` is a quantity; multiply with `*`")),
            None => diagnostic.hint(format!("declare it: `fn {name}(x) = …`")),
        };
        Err(self.report(diagnostic))
    }

    pub(super) fn need_count(&mut self, name: &str, expected: &[&str], found: usize, span: Span) -> Outcome<()> {
        if expected.len() == found {
            return Ok(());
        }
        let message = format!("`{name}` takes {}, not {found}", count(expected.len()));
        Err(self.report(
            Diagnostic::error(codes::WRONG_ARGUMENTS, message)
                .at(span, "called here")
                .hint(format!("write `{name}({})`", expected.join(", "))),
        ))
    }

    /// Whether a text was made of a file of another program: it may call functions that only such a file has.
    fn is_of_a_file(&self, span: Span) -> bool {
        let sources = self.used_files.iter().filter_map(|file| file.items.first());
        sources.into_iter().any(|item| item.span.source == span.source)
    }

    /// The dimensions of an operator's result follow from those of its arguments.
    fn apply(&mut self, operator: Operator, arguments: Vec<TermId>, span: Span) -> Outcome<TermId> {
        let name = operator.row().name;
        let first = self.type_of(arguments[0]);
        let type_ = match operator.row().units {
            Units::Kept => first,
            Units::Dropped => Type::scalar(Dimension::NONE),
            Units::Alike => self.join_types(arguments[0], arguments[1], "what is compared")?,
            Units::Ratio => {
                self.join_types(arguments[0], arguments[1], &format!("the two arguments of `{name}`"))?;
                Type::scalar(Dimension::NONE)
            }
            Units::Root => {
                let dimension = Exponent::new(1, 2).and_then(|half| first.amount.dimension().power(half));
                Type { amount: self.in_range(dimension, first.amount, span)?, ..first }
            }
            Units::Plain | Units::Unwritten => {
                for &argument in &arguments {
                    self.need_plain(argument, &format!("the argument of `{name}`"))?;
                }
                Type::scalar(Dimension::NONE)
            }
        };
        Ok(self.push(TermKind::Apply(operator, arguments), type_, span))
    }

    fn call_built_in(&mut self, name: &str, arguments: &[&Expr], span: Span, scope: &Scope) -> Outcome<TermId> {
        if name == "velocity_at" {
            let frame = self.frame_of(arguments[0], scope);
            let at = self.expect(arguments[1], scope, Type::vector(Dimension::LENGTH), "a position");
            let (frame, at) = (frame?, at?);
            return Ok(self.push(TermKind::VelocityAt(frame, at), Type::vector(Dimension::SPEED), span));
        }
        if name == "normal" {
            let surface = self.surface_of(arguments[0], scope);
            let at = self.expect(arguments[1], scope, Type::vector(Dimension::LENGTH), "a position");
            return self.surface_normal(surface?, at?, span);
        }
        match name {
            "jacobian" => return self.jacobian(arguments[0], arguments[1], span, scope),
            "multiplier" => return self.multiplier(arguments[0], span, scope),
            "tension" => return self.reaction(ReactionPart::Tension, arguments[0], span, scope),
            "force" => return self.reaction(ReactionPart::Force, arguments[0], span, scope),
            "torque" => return self.reaction(ReactionPart::Torque, arguments[0], span, scope),
            "contact" => return Err(self.contact_alone(span)),
            "at" => return self.at_event(arguments[0], arguments[1], span, scope),
            _ => {}
        }
        let terms = all(arguments.iter().map(|argument| self.term(argument, scope)))?;
        match name {
            "transpose" => self.transpose(terms[0], span),
            "diagonal" => self.diagonal([terms[0], terms[1], terms[2]], span),
            "quaternion" => self.quaternion([terms[0], terms[1], terms[2], terms[3]], span),
            "conjugate" => self.conjugate(terms[0], span),
            "rotation" => self.rotation_matrix(terms[0], span),
            "der" => self.derivative(terms[0], span),
            "pre" => self.before(terms[0], span),
            "dot" => self.dot(terms[0], terms[1], span),
            "cross" => self.cross(terms[0], terms[1], span),
            "norm" => self.norm(terms[0], span),
            _ => self.partial(terms[0], terms[1], arguments[1], span),
        }
    }

    fn partial(&mut self, of: TermId, by: TermId, written: &Expr, span: Span) -> Outcome<TermId> {
        self.need_shape(by, Shape::Scalar)?;
        let variable = matches!(
            self.model.terms.get(by).kind,
            TermKind::Bound(_)
                | TermKind::Time
                | TermKind::Parameter(_)
                | TermKind::Control(_)
                | TermKind::Frame(..)
                | TermKind::Quantity(_)
        );
        if !variable {
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("`{}` is not a variable", print_expression(written)))
                    .at(written.span, "a derivative is taken by a variable, not by an expression")
                    .hint(
                        "write a function and differentiate it by its parameter: `fn slope(a) = partial(height(a), a)`",
                    ),
            ));
        }
        let (of_type, by_type) = (self.type_of(of), self.type_of(by));
        let dimension = of_type.amount.dimension().over(by_type.amount.dimension());
        let amount = self.in_range(dimension, Amount::Of(Dimension::NONE), span)?;
        Ok(self.push(TermKind::Partial(of, by), Type { amount, ..of_type }, span))
    }

    /// `f.point(x, y, z)` and `f.vector(x, y, z)`, also with one vector as argument.
    fn call_method(
        &mut self,
        frame: FrameId,
        name: &str,
        name_span: Span,
        arguments: &[&Expr],
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        if !is_method(name) {
            return Err(self.report(
                Diagnostic::error(codes::UNKNOWN_FUNCTION, format!("a frame has no function `{name}`"))
                    .at(name_span, "unknown")
                    .hint("it has `point(x, y, z)` and `vector(x, y, z)`"),
            ));
        }
        let coordinates = match arguments {
            [vector] => self.vector(vector, scope)?,
            [_, _, _] => {
                let list: Vec<Expr> = arguments.iter().map(|&argument| argument.clone()).collect();
                self.term(&Expr::new(ExprKind::Tuple(list), span), scope)?
            }
            _ => return self.need_count(name, &["x", "y", "z"], arguments.len(), span).and(Err(super::Reported)),
        };
        let type_ = self.type_of(coordinates);
        if name == "vector" {
            return Ok(self.push(TermKind::VectorOf(frame, coordinates), type_, span));
        }
        if type_.amount.agree(Amount::Of(Dimension::LENGTH)).is_none() {
            let found = found_label(type_.amount);
            return Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, "the coordinates of a point are lengths")
                    .at(span, found)
                    .hint("give them a unit: `f.point((0, 0, 1) [m])`"),
            ));
        }
        Ok(self.push(TermKind::PointOf(frame, coordinates), Type::vector(Dimension::LENGTH), span))
    }

    /// The body is elaborated anew for every call, so that a function works for any dimensions that make sense in it.
    fn call_declared(
        &mut self,
        (function, space): (&'t syntax::Function, SpaceId),
        arguments: &[&Expr],
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        let names: Vec<&str> = function.parameters.iter().map(|parameter| parameter.text.as_str()).collect();
        self.need_count(&function.name.text, &names, arguments.len(), span)?;
        let values = all(arguments.iter().map(|argument| self.value(argument, scope)))?;
        let mut inner = Scope::of(space);
        let mut given: Vec<(BoundId, TermId)> = Vec::new();
        for (parameter, value) in function.parameters.iter().zip(values) {
            inner = match value {
                Value::Term(term) => {
                    let bound = self.model.terms.new_bound(&parameter.text);
                    let type_ = self.type_of(term);
                    let stand_in = self.push(TermKind::Bound(bound), type_, parameter.span);
                    given.push((bound, term));
                    inner.with(&parameter.text, Value::Term(stand_in))
                }
                other => inner.with(&parameter.text, other),
            };
        }
        self.enter_call(function, span)?;
        let body = self.term(&function.body, &inner);
        self.call_depth -= 1;
        let body = body?;
        let type_ = self.type_of(body);
        Ok(self.push(TermKind::Call { arguments: given, body }, type_, span))
    }

    fn enter_call(&mut self, function: &syntax::Function, span: Span) -> Outcome<()> {
        if self.call_depth >= DEEPEST_CALL {
            return Err(self.report(
                Diagnostic::error(codes::CYCLIC_DEFINITION, format!("`{}` calls itself", function.name.text))
                    .at(function.name.span, "without end")
                    .hint("a function is a formula; it cannot be defined by itself"),
            ));
        }
        if self.model.terms.len() > MOST_TERMS {
            return Err(self.report(
                Diagnostic::error(codes::TOO_LARGE, "the functions of this scene unfold into too many terms")
                    .at(span, "while calling this"),
            ));
        }
        self.call_depth += 1;
        Ok(())
    }
}

/// Functions of other languages that are written without a name here.
const FORMS: &[(&[&str], &str)] = &[
    (
        &["unit", "normalize", "normalise", "normalized", "versor", "hat"],
        "the direction of a vector is `v / |v|`; where `v` may be zero it has none, and `v / max(|v|, tiny)` goes to zero there",
    ),
    (&["mag"], "the size of a vector is `|v|`"),
];

/// What other languages and books call a function.
fn other_names(name: &str) -> Option<&'static str> {
    const OTHER_NAMES: &[(&str, &str)] = &[
        ("ln", "log"),
        ("arcsin", "asin"),
        ("arccos", "acos"),
        ("arctan", "atan"),
        ("arctan2", "atan2"),
        ("sgn", "sign"),
        ("fabs", "abs"),
        ("magnitude", "norm"),
        ("length", "norm"),
        ("diff", "der"),
        ("ddt", "der"),
        ("derivative", "der"),
    ];
    let lower = name.to_lowercase();
    OTHER_NAMES.iter().find(|(other, _)| *other == lower).map(|(_, ours)| *ours)
}

pub(super) fn is_method(name: &str) -> bool {
    matches!(name, "point" | "vector")
}

fn count(n: usize) -> String {
    match n {
        0 => "no argument".to_string(),
        1 => "one argument".to_string(),
        2 => "two arguments".to_string(),
        3 => "three arguments".to_string(),
        n => format!("{n} arguments"),
    }
}
