//! Equations: what they state, what they are called, and what can be asked of one that has a label.

use base::{Diagnostic, Dimension, Span};
use syntax::{Expr, ExprKind, Relation, print_expression};

use super::space::Scope;
use super::{Outcome, Resolver, Sense, Value};
use crate::codes;
use crate::model::{Equation, Quantity, QuantityId};
use crate::term::{Amount, Shape, TermId, TermKind, Type};

/// An equation that can be spoken of by its label.
pub(super) struct Labelled<'t> {
    pub equation: &'t syntax::Equation,
    pub scope: Scope,
    pub span: Span,
    /// Both sides, once they are known.
    pub sides: Option<Outcome<(TermId, TermId)>>,
    pub multiplier: Option<QuantityId>,
}

impl<'t> Resolver<'t, '_> {
    pub(super) fn equation(&mut self, equation: &'t syntax::Equation, scope: &Scope, span: Span) -> Outcome<Equation> {
        let label = match &equation.label {
            Some(name) => self.full_name(name, scope)?,
            None => relation_text(&equation.relation),
        };
        let known =
            equation.label.as_ref().and_then(|_| self.spaces[scope.space.index()].equations.get(label.as_str()));
        let (left, right) = match known.copied() {
            Some(at) => self.labelled_sides(at)?,
            None => self.sides(&equation.relation, scope, span)?,
        };
        let label = match self.spaces[scope.space.index()].path.strip_suffix('.') {
            None => label,
            Some(owner) if equation.label.is_some() => format!("{owner}.{label}"),
            // An equation of a law is called after the law and the things it holds for.
            Some(owner) if owner.ends_with(')') && self.thing_of_space(scope.space).is_none() => owner.to_string(),
            Some(owner) => format!("{owner}: {label}"),
        };
        Ok(Equation { label, left, right, condition: None, span })
    }

    /// Both sides of what is stated, of one type.
    fn sides(&mut self, relation: &Relation, scope: &Scope, span: Span) -> Outcome<(TermId, TermId)> {
        let (left, right) = match relation {
            Relation::Equal { left, right } => {
                let (a, b) = self.two_sides(left, right, scope)?;
                self.compare_with_angle((left, a), (right, b));
                self.fill_empty(a, b)
            }
            Relation::On { point, surface } => {
                let point = self.expect(point, scope, Type::vector(Dimension::LENGTH), "a position");
                let surface = self.surface_of(surface, scope);
                (self.surface_residual(surface?, point?, span)?, self.number(0.0, span))
            }
            Relation::Tangent { first, second, at } => {
                let at = self.expect(at, scope, Type::vector(Dimension::LENGTH), "a position");
                let (first, second) = (self.surface_of(first, scope), self.surface_of(second, scope));
                let (first, second, at) = (first?, second?, at?);
                let first = self.surface_gradient(first, at, span)?;
                let second = self.surface_gradient(second, at, span)?;
                let zero = Type { shape: Shape::Vector, amount: Amount::Zero };
                (self.cross(first, second, span)?, self.zero(zero, span))
            }
        };
        self.join_types(left, right, "the two sides of an equation")?;
        Ok((left, right))
    }

    /// A rotation such as `about z 30 [deg]` is a matrix or a quaternion, as the other side needs it.
    pub(super) fn two_sides(&mut self, left: &Expr, right: &Expr, scope: &Scope) -> Outcome<(TermId, TermId)> {
        let about = |side: &Expr| matches!(side.kind, ExprKind::About { .. });
        if about(right) && !about(left) {
            let left = self.term(left, scope)?;
            let right = self.turn(right, self.type_of(left).shape, scope)?;
            return Ok((left, right));
        }
        if about(left) {
            let right = self.term(right, scope)?;
            let left = self.turn(left, self.type_of(right).shape, scope)?;
            return Ok((left, right));
        }
        let (left, right) = (self.term(left, scope), self.term(right, scope));
        Ok((left?, right?))
    }

    /// Makes an equation known by its label.
    pub(super) fn declare_equation(&mut self, equation: &'t syntax::Equation, scope: &Scope, span: Span) {
        let Some(name) = &equation.label else { return };
        let Ok(label) = self.full_name(name, scope) else { return };
        let at = self.labelled.len();
        self.labelled.push(Labelled { equation, scope: scope.clone(), span, sides: None, multiplier: None });
        let before = self.spaces[scope.space.index()].equations.insert(label.clone().into(), at);
        if let Some(before) = before {
            let first = self.labelled[before].equation.label.as_ref().map_or(span, |label| label.span);
            self.report(
                Diagnostic::error(codes::DUPLICATE_NAME, format!("two equations are called `{label}`"))
                    .at(name.span, "again here")
                    .at(first, "first here")
                    .hint("give one of them another label"),
            );
        }
    }

    pub(super) fn labelled_sides(&mut self, at: usize) -> Outcome<(TermId, TermId)> {
        if let Some(sides) = self.labelled[at].sides {
            return sides;
        }
        let Labelled { equation, ref scope, span, .. } = self.labelled[at];
        let scope = scope.clone();
        let sides = self.sides(&equation.relation, &scope, span);
        self.labelled[at].sides = Some(sides);
        sides
    }

    /// The equation that has a label, written as a path: `rod`, `rod[2]`, `h.closure`.
    pub(super) fn labelled_as(&mut self, path: &Expr, label: &str, scope: &Scope) -> Option<usize> {
        if let Some(at) = self.visible(scope.space).find_map(|space| space.equations.get(label).copied()) {
            return Some(at);
        }
        let ExprKind::Field { base, field } = &path.kind else { return None };
        let owner = self.end_text(base, scope);
        let thing = self.things.iter().find(|thing| thing.name == owner)?;
        self.spaces[thing.space.index()].equations.get(field.text.as_str()).copied()
    }

    /// The label of an equation as it is called from outside.
    pub(super) fn label_of(&mut self, at: usize) -> String {
        let Labelled { equation, ref scope, .. } = self.labelled[at];
        let scope = scope.clone();
        let own = equation.label.as_ref().and_then(|label| self.full_name(label, &scope).ok());
        self.path(scope.space, &own.unwrap_or_default())
    }

    /// The equation that a path such as `h.closure` names.
    fn equation_of(&mut self, path: &Expr, scope: &Scope) -> Outcome<usize> {
        let found = match &path.kind {
            ExprKind::Name(name) => {
                self.visible(scope.space).find_map(|space| space.equations.get(name.as_str()).copied())
            }
            ExprKind::Field { base, field } => match self.value_as(base, scope, Sense::Thing)? {
                Value::Thing(thing) => {
                    let space = self.things[thing.index()].space;
                    self.spaces[space.index()].equations.get(field.text.as_str()).copied()
                }
                _ => None,
            },
            _ => None,
        };
        found.ok_or(()).map_err(|()| {
            self.report(
                Diagnostic::error(codes::UNKNOWN_NAME, format!("no equation is called `{}`", print_expression(path)))
                    .at(path.span, "the label of an equation is needed here")
                    .hint("give the equation a label: `closure: a.position == b.position`"),
            )
        })
    }

    /// `multiplier(e)`: an unknown whose product with the equation is a work.
    pub(super) fn multiplier(&mut self, path: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let at = self.equation_of(path, scope)?;
        let type_ = self.residual(at, span)?.1;
        let id = match self.labelled[at].multiplier {
            Some(id) => id,
            None => {
                let dimension = Dimension::ENERGY.over(type_.amount.dimension());
                let amount = self.in_range(dimension, Amount::Of(Dimension::NONE), span)?;
                let Labelled { equation, ref scope, .. } = self.labelled[at];
                let label = equation.label.as_ref().map_or("", |label| label.text.as_str());
                let label = self.path(scope.space, label);
                let name = format!("multiplier({label})");
                let type_ = Type { amount, ..type_ };
                let quantity = Quantity::plain(name, type_, span);
                let id = self.new_quantity(quantity);
                self.labelled[at].multiplier = Some(id);
                self.model.multipliers.push((label, id));
                id
            }
        };
        let type_ = self.model.quantities[id.index()].type_;
        Ok(self.push(TermKind::Quantity(id), type_, span))
    }

    /// `jacobian(e, x)`: the derivatives of left minus right by the components of a quantity; by those of a small turn, if the
    /// quantity is a rotation.
    pub(super) fn jacobian(&mut self, path: &Expr, by: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let at = self.equation_of(path, scope);
        let variable = self.term(by, scope);
        let (at, variable) = (at?, variable?);
        let TermKind::Quantity(id) = self.model.terms.get(variable).kind else {
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("`{}` is not an unknown quantity", print_expression(by)))
                    .at(by.span, "a derivative is taken by a quantity that can change")
                    .hint("it is given, or follows from others by definition"),
            ));
        };
        let (residual, type_) = self.residual(at, span)?;
        let by_type = self.model.quantities[id.index()].type_;
        let rotation = self.model.quantities[id.index()].rotation;
        let shape = match (type_.shape, by_type.shape) {
            (shape @ (Shape::Scalar | Shape::Vector), Shape::Scalar) => shape,
            (Shape::Scalar, Shape::Vector) => Shape::Vector,
            (Shape::Vector, Shape::Vector) => Shape::Matrix,
            (Shape::Scalar, Shape::Matrix) if rotation => Shape::Vector,
            (Shape::Vector, Shape::Matrix) if rotation => Shape::Matrix,
            _ => {
                let message = "a derivative of this by that has too many components";
                return Err(self.wrong_kind(
                    span,
                    message,
                    "numbers and vectors have derivatives by numbers, vectors and rotations",
                ));
            }
        };
        let dimension = type_.amount.dimension().over(by_type.amount.dimension());
        let amount = self.in_range(dimension, Amount::Of(Dimension::NONE), span)?;
        Ok(self.push(TermKind::Jacobian(residual, id), Type { shape, amount }, span))
    }

    /// Left minus right of a labelled equation.
    pub(super) fn residual(&mut self, at: usize, span: Span) -> Outcome<(TermId, Type)> {
        let (left, right) = self.labelled_sides(at)?;
        let type_ = self.join_types(left, right, "the two sides of an equation")?;
        Ok((self.push(TermKind::Subtract(left, right), type_, span), type_))
    }
}

fn relation_text(relation: &Relation) -> String {
    match relation {
        Relation::Equal { left, right } => format!("{} == {}", print_expression(left), print_expression(right)),
        Relation::On { point, surface } => format!("{} on {}", print_expression(point), print_expression(surface)),
        Relation::Tangent { first, second, .. } => {
            format!("{} touches {}", print_expression(first), print_expression(second))
        }
    }
}
