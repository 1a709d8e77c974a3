//! What can be asked of an expression, as far as the text alone tells.

use model::{CONTACT_FIELDS, FRAME_FIELDS, SCENE_QUANTITIES, Shape};
use syntax::{BinaryOperator, Expr, ExprKind, QuantityDomain};

use crate::index::Index;
use crate::symbol::{Role, ScopeId, SymbolId};

#[derive(Clone, Copy)]
pub enum Nature<'t> {
    Number,
    Vector,
    Quaternion,
    Frame,
    Body,
    /// A thing of a kind or a connection.
    Thing(SymbolId),
    Mode(SymbolId),
    /// Of two things that may touch.
    Contact,
    /// Whatever an expression is, seen from a scope.
    Same(&'t Expr, ScopeId),
    /// What a list consists of.
    MemberOf(&'t Expr, ScopeId),
    Unknown,
}

/// Definitions that rest on one another further than this go in circles.
const DEEPEST: usize = 40;

impl<'t> Index<'t> {
    pub fn nature(&self, expr: &Expr, scope: ScopeId) -> Nature<'t> {
        self.nature_within(expr, scope, DEEPEST)
    }

    fn nature_within(&self, expr: &Expr, scope: ScopeId, depth: usize) -> Nature<'t> {
        let Some(depth) = depth.checked_sub(1) else { return Nature::Unknown };
        let of = |expr: &Expr| self.nature_within(expr, scope, depth);
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Index { .. } | ExprKind::Field { .. } => match self.named(expr, scope) {
                Some(symbol) => self.settle(self.symbol(symbol).nature, depth),
                None => self.asked(expr, scope, depth),
            },
            ExprKind::Call { function, .. } => match &function.kind {
                ExprKind::Name(name) => match self.lookup(name, scope, false) {
                    Some(function) => self.settle(self.symbol(function).nature, depth),
                    None if matches!(name.as_str(), "cross" | "velocity_at" | "normal") => Nature::Vector,
                    None if matches!(name.as_str(), "der" | "pre") => match &expr.kind {
                        ExprKind::Call { arguments, .. } => {
                            arguments.first().map_or(Nature::Unknown, |argument| of(&argument.value))
                        }
                        _ => Nature::Unknown,
                    },
                    None if matches!(name.as_str(), "quaternion" | "conjugate") => Nature::Quaternion,
                    None if name == "contact" => Nature::Contact,
                    None => Nature::Number,
                },
                ExprKind::Field { .. } => Nature::Vector,
                _ => Nature::Unknown,
            },
            ExprKind::Tuple(_) | ExprKind::InFrame { .. } | ExprKind::RelativeTo { .. } => Nature::Vector,
            ExprKind::Quantity { value: inner, .. }
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Derivative(inner)
            | ExprKind::Sum { value: inner, .. }
            | ExprKind::If { then: inner, .. } => of(inner),
            ExprKind::Binary { operator, left, right } => match operator {
                BinaryOperator::Cross => Nature::Vector,
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply | BinaryOperator::Divide => {
                    match (of(left), of(right)) {
                        (Nature::Vector, _) | (_, Nature::Vector) => Nature::Vector,
                        (left, _) => left,
                    }
                }
                _ => Nature::Number,
            },
            ExprKind::Number { .. } | ExprKind::Norm(_) => Nature::Number,
            _ => Nature::Unknown,
        }
    }

    /// What is no symbol of the text: fields of frames and vectors, and what the scene knows by itself.
    fn asked(&self, expr: &Expr, scope: ScopeId, depth: usize) -> Nature<'t> {
        match &expr.kind {
            ExprKind::Name(name) if name == "world" => Nature::Frame,
            ExprKind::Name(name) if name == "bodies" => Nature::Body,
            ExprKind::Name(name) => {
                let row = SCENE_QUANTITIES.iter().find(|row| row.name == *name);
                row.map_or(Nature::Unknown, |row| of_shape(row.type_.shape))
            }
            ExprKind::Field { base, field } => match self.nature_within(base, scope, depth) {
                Nature::Frame | Nature::Body => {
                    let row = FRAME_FIELDS.iter().find(|row| row.name == field.text);
                    row.map_or(Nature::Unknown, |row| of_shape(row.type_.shape))
                }
                Nature::Contact => {
                    let row = CONTACT_FIELDS.iter().find(|row| row.name == field.text);
                    row.map_or(Nature::Unknown, |row| of_shape(row.type_.shape))
                }
                Nature::Vector | Nature::Quaternion => Nature::Number,
                _ => Nature::Unknown,
            },
            _ => Nature::Unknown,
        }
    }

    /// A nature that is given by another expression, worked out.
    pub fn settle(&self, nature: Nature<'t>, depth: usize) -> Nature<'t> {
        match nature {
            Nature::Same(expr, scope) => self.nature_within(expr, scope, depth),
            Nature::MemberOf(list, scope) => {
                match self.named_thing(list, scope).map(|symbol| (symbol, self.symbol(symbol))) {
                    Some((kind, symbol)) if matches!(symbol.role, Role::Kind | Role::Connection) => Nature::Thing(kind),
                    Some((_, symbol)) if symbol.role == Role::Group => Nature::Frame,
                    _ => self.nature_within(list, scope, depth),
                }
            }
            other => other,
        }
    }
}

pub fn of_domain<'t>(domain: QuantityDomain) -> Nature<'t> {
    match domain {
        QuantityDomain::Real => Nature::Number,
        QuantityDomain::Vec => Nature::Vector,
        QuantityDomain::Quaternion => Nature::Quaternion,
        QuantityDomain::Matrix | QuantityDomain::Rotation => Nature::Unknown,
    }
}

fn of_shape<'t>(shape: Shape) -> Nature<'t> {
    match shape {
        Shape::Scalar | Shape::Condition => Nature::Number,
        Shape::Vector => Nature::Vector,
        Shape::Quaternion => Nature::Quaternion,
        Shape::Matrix => Nature::Unknown,
    }
}
