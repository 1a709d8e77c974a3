//! Expressions: names looked up, shapes and dimensions checked.

use base::{Diagnostic, Dimension, Exponent, Span, Unit};
use expr::Operator;
use syntax::{BinaryOperator, Expr, ExprKind, UnaryOperator, UnitText, print_expression};

use super::{Definition, Entity, Outcome, Reported, Resolver, Scope, Sense, Value};
use crate::codes;
use crate::model::FrameId;
use crate::term::{Amount, Shape, TermId, TermKind, Type};

impl<'t> Resolver<'t, '_> {
    /// What an expression stands for where a number is wanted; where nothing of that name is a number, a thing.
    pub(super) fn value(&mut self, expr: &Expr, scope: &Scope) -> Outcome<Value> {
        self.value_as(expr, scope, Sense::Quantity)
    }

    pub(super) fn value_as(&mut self, expr: &Expr, scope: &Scope, sense: Sense) -> Outcome<Value> {
        match &expr.kind {
            ExprKind::Name(name) => self.lookup(name, expr.span, scope, sense),
            ExprKind::Index { base, indices } => {
                let ExprKind::Name(name) = &base.kind else {
                    return Err(self.wrong_kind(base.span, "only names can be indexed", "this is not a name"));
                };
                self.refuse_unit(base, indices, expr.span, scope)?;
                let mut full = name.clone();
                for index in indices {
                    full.push_str(&format!("[{}]", self.whole_number(index, scope)?));
                }
                self.lookup(&full, expr.span, scope, sense)
            }
            ExprKind::Field { base, field } => {
                let base_value = self.value_as(base, scope, Sense::Thing)?;
                self.field(base_value, base.span, field)
            }
            _ => self.term(expr, scope).map(Value::Term),
        }
    }

    /// `length [m]` looks like a unit to its author and like an index to the language.
    fn refuse_unit(&mut self, base: &Expr, indices: &[Expr], span: Span, scope: &Scope) -> Outcome<()> {
        let [index] = indices else { return Ok(()) };
        let (name, unit) = (print_expression(base), print_expression(index));
        let known = |name: &str| scope.get(name).is_some() || self.entity(name, Sense::Quantity).is_some();
        if !known(&name) || first_name(index).is_none_or(known) || Unit::parse(&unit).is_err() {
            return Ok(());
        }
        Err(self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("`{name}` has no parts that could be numbered `{unit}`"))
                .at(span, "after a name, square brackets hold an index")
                .hint(format!(
                    "to give it a unit, multiply: `{name} * 1 [{unit}]`; if it has its unit already, drop this one"
                )),
        ))
    }

    /// The term of an expression that is a quantity.
    pub(super) fn term(&mut self, expr: &Expr, scope: &Scope) -> Outcome<TermId> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Index { .. } | ExprKind::Field { .. } => match self.value(expr, scope)? {
                Value::Term(term) => Ok(term),
                Value::Frame(_) => Err(self.report(
                    Diagnostic::error(
                        codes::WRONG_KIND,
                        format!("`{}` is a frame, not a quantity", print_expression(expr)),
                    )
                    .at(span, "a number or a vector is needed here")
                    .hint(format!("did you mean `{}.position`?", print_expression(expr))),
                )),
                Value::Frames(_) | Value::Surface(_) => {
                    Err(self.wrong_kind(span, "this is not a quantity", "a number or a vector is needed here"))
                }
            },
            ExprKind::Number { value, .. } => Ok(self.number(*value, span)),
            ExprKind::Quantity { value, unit } => self.quantity(value, unit, span, scope),
            ExprKind::Tuple(items) => self.tuple(items, span, scope),
            ExprKind::Unary { operator, operand } => self.unary(*operator, operand, span, scope),
            ExprKind::Binary { operator, left, right } => self.binary(*operator, left, right, span, scope),
            ExprKind::Norm(inner) => {
                let inner = self.term(inner, scope)?;
                let type_ = self.type_of(inner);
                Ok(match type_.shape {
                    Shape::Vector => self.push(TermKind::Norm(inner), Type { shape: Shape::Scalar, ..type_ }, span),
                    _ => {
                        self.need_shape(inner, Shape::Scalar)?;
                        self.push(TermKind::Apply(Operator::Abs, vec![inner]), type_, span)
                    }
                })
            }
            ExprKind::Derivative(inner) => {
                let inner = self.term(inner, scope)?;
                self.derivative(inner, span)
            }
            ExprKind::InFrame { vector, frame } => {
                let (vector, frame) = (self.vector(vector, scope), self.frame_of(frame, scope));
                let (vector, frame) = (vector?, frame?);
                Ok(self.push(TermKind::InFrame(vector, frame), self.type_of(vector), span))
            }
            ExprKind::RelativeTo { point, frame } => {
                let (what, frame) = (self.vector(point, scope), self.frame_of(frame, scope));
                self.relative(what?, frame?, span)
            }
            ExprKind::If { condition, then, otherwise } => self.choice(condition, then, otherwise, span, scope),
            ExprKind::Call { function, arguments } => self.call(function, arguments, span, scope),
            ExprKind::Sum { .. } => Err(self.not_yet_supported("`for` in `sum(…)`", span)),
            ExprKind::Text(_) => {
                Err(self.wrong_kind(span, "text is not a quantity", "a number or a vector is needed here"))
            }
            ExprKind::Free(_) | ExprKind::About { .. } => Err(self.report(
                Diagnostic::error(codes::MISPLACED_FREE, "`free` and `about` describe the transformation of a frame")
                    .at(span, "this is an ordinary expression")
                    .hint("use them as values of `position`, `rotation` or `scale` of a frame or body"),
            )),
            ExprKind::Error => Err(Reported),
        }
    }

    /// What a name stands for: loop variables and function parameters first, then declarations, then the scene's own.
    pub(super) fn lookup(&mut self, name: &str, span: Span, scope: &Scope, sense: Sense) -> Outcome<Value> {
        if let Some(value) = scope.get(name) {
            return Ok(match value {
                Value::Term(term) => Value::Term(self.copy_at(*term, span)),
                other => other.clone(),
            });
        }
        let entity = self.entity(name, sense).or_else(|| self.entity(&indexed_form(name)?, sense));
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
            None => self.scene_quantity(name, span).ok_or(()).map_err(|()| self.unknown_name(name, span, scope)),
        }
    }

    /// The declaration of a name, of the wanted sense if there is one.
    fn entity(&self, name: &str, sense: Sense) -> Option<Entity<'t>> {
        let (first, second) = match sense {
            Sense::Quantity => (&self.quantities, &self.things),
            Sense::Thing => (&self.things, &self.quantities),
        };
        first.get(name).or_else(|| second.get(name)).map(|declared| declared.entity.clone())
    }

    fn unknown_name(&mut self, name: &str, span: Span, scope: &Scope) -> Reported {
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
        let hint = self.name_hint(name, scope);
        self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("nothing is called `{name}`"))
                .at(span, "not declared anywhere")
                .hint(hint),
        )
    }

    fn name_hint(&self, name: &str, scope: &Scope) -> String {
        if let Some(family) = self.family(name) {
            return family;
        }
        if let Some(near) = self.nearest_name(name, scope) {
            return format!("did you mean `{near}`?");
        }
        // `x` alone is what a frame is asked for.
        let asked = super::FRAME_FIELDS.iter().any(|row| row.name == name);
        let frame = self.model.frames.iter().skip(1).find(|frame| !frame.name.is_empty());
        match frame {
            Some(frame) if asked => format!("say of what: `{}.{name}`", frame.name),
            _ => format!("declare it: `param {name} = …`, `let {name} = …` or `body {name} {{ … }}`"),
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
        let members: Vec<Outcome<Vec<FrameId>>> =
            group.members.iter().map(|member| self.frames(member, &scope)).collect();
        self.call_depth -= 1;
        let members: Outcome<Vec<Vec<FrameId>>> = members.into_iter().collect();
        Ok(Value::Frames(members?.concat()))
    }

    fn quantity(&mut self, value: &Expr, unit: &UnitText, span: Span, scope: &Scope) -> Outcome<TermId> {
        let (value, unit) = (self.term(value, scope), self.unit(unit));
        let (value, unit) = (value?, unit?);
        let type_ = self.type_of(value);
        if let TermKind::Number(number) = self.model.terms.get(value).kind {
            return Ok(self.push(TermKind::Number(number * unit.scale), Type::scalar(unit.dimension), span));
        }
        if !type_.amount.dimension().is_none() {
            return Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, "this has a unit already")
                    .at(span, found_label(type_.amount))
                    .hint("drop the second unit, or multiply by `1 [unit]`"),
            ));
        }
        let scale = self.push(TermKind::Number(unit.scale), Type::scalar(unit.dimension), span);
        Ok(self.push(TermKind::Multiply(scale, value), Type { amount: Amount::Of(unit.dimension), ..type_ }, span))
    }

    pub(super) fn unit(&mut self, text: &UnitText) -> Outcome<Unit> {
        Unit::parse(&text.text).map_err(|error| {
            let start = text.span.start as usize;
            let place = Span::new(text.span.source, start + error.range.start, start + error.range.end);
            let mut diagnostic = Diagnostic::error(codes::UNKNOWN_UNIT, error.message).at(place, "in this unit");
            diagnostic = match error.nearest {
                Some(nearest) => diagnostic.hint(format!("did you mean `{nearest}`?")),
                None => diagnostic.hint("units are written as in `kg*m/s^2`, `N`, `cm`, `deg` or `rpm`"),
            };
            self.report(diagnostic)
        })
    }

    fn tuple(&mut self, items: &[Expr], span: Span, scope: &Scope) -> Outcome<TermId> {
        let parts: Vec<Outcome<TermId>> = items.iter().map(|item| self.scalar(item, scope)).collect();
        let parts: Outcome<Vec<TermId>> = parts.into_iter().collect();
        let parts = parts?;
        let Ok(components) = <[TermId; 3]>::try_from(parts) else {
            let message = format!("a vector has three components, not {}", items.len());
            return Err(self.wrong_kind(span, &message, "write `(x, y, z)`"));
        };
        let [x, y, z] = components;
        let mut amount = Amount::Zero;
        for (a, b) in [(x, y), (y, z), (x, z)] {
            let joined = self.join_types(a, b, "the components of a vector")?;
            // Where this fails, as for a length, a zero and a plain number, the pair that is to blame is still to come.
            amount = amount.agree(joined.amount).unwrap_or(amount);
        }
        Ok(self.push(TermKind::Vector(components), Type { shape: Shape::Vector, amount }, span))
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let operand = self.term(operand, scope)?;
        let type_ = self.type_of(operand);
        match operator {
            UnaryOperator::Not => {
                self.need_shape(operand, Shape::Condition)?;
                Ok(self.push(TermKind::Apply(Operator::Not, vec![operand]), type_, span))
            }
            UnaryOperator::Negate => {
                self.need_quantity(operand)?;
                if let TermKind::Number(value) = self.model.terms.get(operand).kind {
                    return Ok(self.push(TermKind::Number(-value), type_, span));
                }
                Ok(self.push(TermKind::Negate(operand), type_, span))
            }
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        use BinaryOperator::*;
        if operator == Is {
            return Err(self.not_yet_supported("`is`", span));
        }
        let (a, b) = (self.term(left, scope), self.term(right, scope));
        let (a, b) = (a?, b?);
        match operator {
            Add | Subtract => {
                let type_ =
                    self.join_types(a, b, if operator == Add { "what is added" } else { "what is subtracted" })?;
                self.need_quantity(a)?;
                Ok(self.push(if operator == Add { TermKind::Add(a, b) } else { TermKind::Subtract(a, b) }, type_, span))
            }
            Multiply => self.multiply(a, b, span),
            Divide => {
                self.need_shape(b, Shape::Scalar)?;
                self.need_quantity(a)?;
                let (x, y) = (self.type_of(a), self.type_of(b));
                let dimension = x.amount.dimension().over(y.amount.dimension());
                let amount = self.in_range(dimension, x.amount, span)?;
                Ok(self.push(TermKind::Divide(a, b), Type { shape: x.shape, amount }, span))
            }
            Power => self.power(a, b, span),
            Dot => self.dot(a, b, span),
            Cross => self.cross(a, b, span),
            And | Or => {
                self.need_shape(a, Shape::Condition)?;
                self.need_shape(b, Shape::Condition)?;
                let operator = if operator == And { Operator::And } else { Operator::Or };
                Ok(self.push(TermKind::Apply(operator, vec![a, b]), Type::CONDITION, span))
            }
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | Is => {
                self.need_shape(a, Shape::Scalar)?;
                self.join_types(a, b, "what is compared")?;
                let (operator, arguments, negated) = match operator {
                    Equal => (Operator::Equal, vec![a, b], false),
                    NotEqual => (Operator::Equal, vec![a, b], true),
                    Less => (Operator::Less, vec![a, b], false),
                    LessEqual => (Operator::LessEqual, vec![a, b], false),
                    Greater => (Operator::Less, vec![b, a], false),
                    _ => (Operator::LessEqual, vec![b, a], false),
                };
                let compared = self.push(TermKind::Apply(operator, arguments), Type::CONDITION, span);
                let not = TermKind::Apply(Operator::Not, vec![compared]);
                Ok(if negated { self.push(not, Type::CONDITION, span) } else { compared })
            }
        }
    }

    pub(super) fn multiply(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_quantity(a)?;
        self.need_quantity(b)?;
        let (x, y) = (self.type_of(a), self.type_of(b));
        if x.shape == Shape::Vector && y.shape == Shape::Vector {
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, "the product of two vectors is not unique")
                    .at(span, "vector times vector")
                    .hint("write `dot(a, b)` for a number, `cross(a, b)` for a vector"),
            ));
        }
        let (scalar, other) = if x.shape == Shape::Scalar { (a, b) } else { (b, a) };
        let amount = self.product_amount(x.amount, y.amount, span)?;
        let shape = self.type_of(other).shape;
        Ok(self.push(TermKind::Multiply(scalar, other), Type { shape, amount }, span))
    }

    fn product_amount(&mut self, x: Amount, y: Amount, span: Span) -> Outcome<Amount> {
        let zero = if x == Amount::Zero || y == Amount::Zero { Amount::Zero } else { x };
        self.in_range(x.dimension().times(y.dimension()), zero, span)
    }

    /// The amount of a result, where `like` says whether it is a plain zero.
    fn in_range(&mut self, dimension: Option<Dimension>, like: Amount, span: Span) -> Outcome<Amount> {
        match dimension {
            _ if like == Amount::Zero => Ok(Amount::Zero),
            Some(dimension) => Ok(Amount::Of(dimension)),
            None => Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, "the dimension of this value is out of all bounds")
                    .at(span, "here"),
            )),
        }
    }

    fn power(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(a, Shape::Scalar)?;
        self.need_shape(b, Shape::Scalar)?;
        let x = self.type_of(a);
        self.need_plain(b, "an exponent")?;
        if let Some(exponent) = self.model.terms.constant(b, &|_| None)
            && exponent.is_finite()
        {
            let dimension = match (x.amount, rational(exponent)) {
                (Amount::Zero, _) => Some(Dimension::NONE),
                (Amount::Of(dimension), _) if dimension.is_none() => Some(Dimension::NONE),
                (Amount::Of(dimension), Some(exponent)) => dimension.power(exponent),
                (Amount::Of(_), None) => None,
            };
            let amount = self.in_range(dimension, x.amount, span)?;
            return Ok(self.push(TermKind::Power(a, exponent), Type { shape: Shape::Scalar, amount }, span));
        }
        self.need_plain(a, "what is raised to a power that is not a fixed number")?;
        Ok(self.push(TermKind::Apply(Operator::Pow, vec![a, b]), Type::scalar(Dimension::NONE), span))
    }

    pub(super) fn dot(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(a, Shape::Vector)?;
        self.need_shape(b, Shape::Vector)?;
        let amount = self.product_amount(self.type_of(a).amount, self.type_of(b).amount, span)?;
        Ok(self.push(TermKind::Dot(a, b), Type { shape: Shape::Scalar, amount }, span))
    }

    pub(super) fn cross(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(a, Shape::Vector)?;
        self.need_shape(b, Shape::Vector)?;
        let amount = self.product_amount(self.type_of(a).amount, self.type_of(b).amount, span)?;
        Ok(self.push(TermKind::Cross(a, b), Type { shape: Shape::Vector, amount }, span))
    }

    pub(super) fn derivative(&mut self, inner: TermId, span: Span) -> Outcome<TermId> {
        self.need_quantity(inner)?;
        let type_ = self.type_of(inner);
        let amount = self.in_range(type_.amount.dimension().over(Dimension::TIME), type_.amount, span)?;
        Ok(self.push(TermKind::Derivative(inner), Type { amount, ..type_ }, span))
    }

    fn choice(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        let condition = self.term(condition, scope);
        let (then, otherwise) = (self.term(then, scope), self.term(otherwise, scope));
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        self.need_shape(condition, Shape::Condition)?;
        self.need_quantity(then)?;
        let type_ = self.join_types(then, otherwise, "the two branches")?;
        Ok(self.push(TermKind::If(condition, then, otherwise), type_, span))
    }

    pub(super) fn scalar(&mut self, expr: &Expr, scope: &Scope) -> Outcome<TermId> {
        let term = self.term(expr, scope)?;
        self.need_shape(term, Shape::Scalar)?;
        Ok(term)
    }

    pub(super) fn vector(&mut self, expr: &Expr, scope: &Scope) -> Outcome<TermId> {
        let term = self.term(expr, scope)?;
        self.need_shape(term, Shape::Vector)?;
        Ok(term)
    }

    /// A term of a given shape and dimension; `what` says what it is for.
    pub(super) fn expect(&mut self, expr: &Expr, scope: &Scope, type_: Type, what: &str) -> Outcome<TermId> {
        let term = self.term(expr, scope)?;
        let Type { shape, amount: found } = self.type_of(term);
        if shape != type_.shape {
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("{what} is {}", shape_word(type_.shape)))
                    .at(expr.span, format!("this is {}", shape_word(shape)))
                    .hint(shape_hint(type_.shape, shape)),
            ));
        }
        if found.agree(type_.amount).is_none() {
            let wanted = type_.amount.dimension();
            // Energies and torques share a dimension, but not the unit that people write.
            let unit = if what == "a torque" { "N*m".to_string() } else { wanted.unit() };
            return Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, format!("{what} is measured in [{unit}]"))
                    .at(expr.span, found_label(found))
                    .hint(unit_hint(expr, found.dimension(), wanted, &unit)),
            ));
        }
        Ok(term)
    }

    pub(super) fn need_shape(&mut self, term: TermId, shape: Shape) -> Outcome<()> {
        let found = self.type_of(term).shape;
        if found == shape {
            return Ok(());
        }
        let span = self.model.terms.get(term).span;
        Err(self.report(
            Diagnostic::error(codes::WRONG_KIND, format!("{} is needed here", shape_word(shape)))
                .at(span, format!("this is {}", shape_word(found)))
                .hint(shape_hint(shape, found)),
        ))
    }

    fn need_quantity(&mut self, term: TermId) -> Outcome<()> {
        match self.type_of(term).shape {
            Shape::Scalar | Shape::Vector => Ok(()),
            _ => self.need_shape(term, Shape::Scalar),
        }
    }

    pub(super) fn need_plain(&mut self, term: TermId, what: &str) -> Outcome<()> {
        let amount = self.type_of(term).amount;
        if amount.dimension().is_none() {
            return Ok(());
        }
        let span = self.model.terms.get(term).span;
        Err(self.report(
            Diagnostic::error(codes::DIMENSION_MISMATCH, format!("{what} must be a plain number"))
                .at(span, found_label(amount))
                .hint("divide by a quantity of the same dimension; angles are plain numbers"),
        ))
    }

    /// The common type of two terms, or an error that shows both sides.
    pub(super) fn join_types(&mut self, a: TermId, b: TermId, what: &str) -> Outcome<Type> {
        let (x, y) = (self.type_of(a), self.type_of(b));
        let (first, second) = (self.model.terms.get(a).span, self.model.terms.get(b).span);
        if x.shape != y.shape {
            let zero = [x, y].iter().any(|type_| type_.shape == Shape::Scalar && type_.amount == Amount::Zero);
            let hint = if zero {
                "the zero of vectors is written `(0, 0, 0)`"
            } else {
                "a number and a vector cannot be mixed; take a component (`.x`) or the size (`|v|`)"
            };
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("{what} must be of one kind"))
                    .at(first, format!("this is {}", shape_word(x.shape)))
                    .at(second, format!("this is {}", shape_word(y.shape)))
                    .hint(hint),
            ));
        }
        match x.amount.agree(y.amount) {
            Some(amount) => Ok(Type { amount, ..x }),
            None => Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, format!("{what} must have the same dimension"))
                    .at(first, found_label(x.amount))
                    .at(second, found_label(y.amount))
                    .hint(self.balance_hint(a, b)),
            )),
        }
    }

    /// What would make two terms of different dimensions agree.
    fn balance_hint(&self, a: TermId, b: TermId) -> String {
        let (x, y) = (self.type_of(a).amount.dimension(), self.type_of(b).amount.dimension());
        for (term, other) in [(a, y), (b, x)] {
            if let TermKind::Number(value) = self.model.terms.get(term).kind
                && self.type_of(term).amount.dimension().is_none()
            {
                return format!("give it a unit: `{value} [{}]`", other.unit());
            }
        }
        match x.over(y) {
            Some(ratio) => format!("one side lacks a factor {}, or has one too many", factor(ratio)),
            None => "check the units".to_string(),
        }
    }

    pub(super) fn wrong_kind(&mut self, span: Span, message: &str, label: &str) -> Reported {
        self.report(Diagnostic::error(codes::WRONG_KIND, message).at(span, label))
    }

    pub(super) fn type_of(&self, term: TermId) -> Type {
        self.model.terms.get(term).type_
    }

    pub(super) fn push(&mut self, kind: TermKind, type_: Type, span: Span) -> TermId {
        self.model.terms.push(kind, type_, span)
    }

    /// The same term at another place, so that messages point at the use and not at the definition.
    fn copy_at(&mut self, term: TermId, span: Span) -> TermId {
        let copied = self.model.terms.get(term).clone();
        self.push(copied.kind, copied.type_, span)
    }

    /// A literal: a plain zero has any dimension.
    pub(super) fn number(&mut self, value: f64, span: Span) -> TermId {
        let amount = if value == 0.0 { Amount::Zero } else { Amount::Of(Dimension::NONE) };
        self.push(TermKind::Number(value), Type { shape: Shape::Scalar, amount }, span)
    }

    pub(super) fn plain_number(&mut self, value: f64, span: Span) -> TermId {
        self.push(TermKind::Number(value), Type::scalar(Dimension::NONE), span)
    }
}

/// `bob[2]` may also be written `bob2`.
fn indexed_form(name: &str) -> Option<String> {
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (stem, index) = name.split_at(name.len() - digits);
    (digits > 0 && !stem.is_empty()).then(|| format!("{stem}[{index}]"))
}

/// The exponent as a fraction with a small denominator.
fn rational(exponent: f64) -> Option<Exponent> {
    (1..=12).find_map(|denominator| {
        let numerator = exponent * f64::from(denominator);
        let near = (numerator - numerator.round()).abs() < 1e-12 * numerator.abs().max(1.0);
        (near && numerator.abs() < 1e6)
            .then(|| Exponent::new(numerator.round() as i64, i64::from(denominator)))
            .flatten()
    })
}

fn shape_word(shape: Shape) -> &'static str {
    match shape {
        Shape::Scalar => "a number",
        Shape::Vector => "a vector",
        Shape::Quaternion => "a quaternion",
        Shape::Condition => "a condition",
    }
}

/// How to make one shape of another.
fn shape_hint(wanted: Shape, found: Shape) -> &'static str {
    match (wanted, found) {
        (Shape::Scalar, Shape::Vector) => "take a component (`.x`) or the size (`|v|`)",
        (Shape::Vector, Shape::Scalar) => {
            "give it a direction: `(x, y, z)`, or a number times a vector, as in `5 [N] * (1, 0, 0)`"
        }
        (Shape::Condition, _) => "compare it with something, as in `x > 0`",
        (_, Shape::Condition) => "choose between values: `if x > 0 then 1 else 0`",
        _ => "see what else can be asked of a frame, such as `.position` or `.angle`",
    }
}

pub(super) fn found_label(found: Amount) -> String {
    let dimension = found.dimension();
    match dimension.word() {
        Some(word) if dimension.is_none() => format!("this is {word}, without a unit"),
        Some(word) => format!("this is {word} [{}]", dimension.unit()),
        None => format!("this is a quantity in [{}]", dimension.unit()),
    }
}

fn unit_hint(expr: &Expr, found: Dimension, wanted: Dimension, unit: &str) -> String {
    let literal = match &expr.kind {
        ExprKind::Unary { operator: UnaryOperator::Negate, operand } => operand.as_ref(),
        _ => expr,
    };
    match &literal.kind {
        ExprKind::Number { .. } => format!("give it a unit: `{} [{unit}]`", print_expression(expr)),
        ExprKind::Tuple(_) if found.is_none() => format!("give it a unit: `{} [{unit}]`", print_expression(expr)),
        ExprKind::Quantity { .. } => format!("give it in [{unit}]"),
        _ => match wanted.over(found) {
            Some(ratio) => format!("it lacks a factor {}, or a unit is missing in it", factor(ratio)),
            None => format!("check the units in `{}`", print_expression(expr)),
        },
    }
}

/// A dimension as something to multiply or divide by.
fn factor(ratio: Dimension) -> String {
    let inverse = Dimension::NONE.over(ratio).unwrap_or(ratio);
    let (plain, inverted) = (ratio.unit(), inverse.unit());
    let word = |dimension: Dimension| dimension.word().map_or(String::new(), |word| format!(", {word}"));
    if plain.starts_with("1/") && !inverted.starts_with("1/") {
        format!("in [{inverted}] to divide by{}", word(inverse))
    } else {
        format!("in [{plain}]{}", word(ratio))
    }
}

/// The first name in an expression that could be a unit: products and powers of names.
fn first_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Binary { left, right, .. } => first_name(left).or_else(|| first_name(right)),
        _ => None,
    }
}
