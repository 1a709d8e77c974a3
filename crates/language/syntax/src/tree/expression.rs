//! Expressions, as written: parentheses are implied by the shape of the tree.

use base::Span;

use super::{Domain, Quantifier, Word};

/// No expression is nested deeper than this, so a walk that calls itself for each level is safe.
pub const MAXIMUM_DEPTH: u32 = 256;

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    depth: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `9.81`; the text is what was written.
    Number {
        value: f64,
        text: String,
    },
    /// `"tomato"`, without the quotes.
    Text(String),
    /// `swing`
    Name(String),
    /// `9.81 [m/s^2]`, `(0, 1, -0.3) [m]`
    Quantity {
        value: Box<Expr>,
        unit: UnitText,
    },
    /// `car[i]`
    Index {
        base: Box<Expr>,
        indices: Vec<Expr>,
    },
    /// `swing.angle`
    Field {
        base: Box<Expr>,
        field: Word,
    },
    /// `rod(from: swing, to: bob)`
    Call {
        function: Box<Expr>,
        arguments: Vec<Argument>,
    },
    /// `sum(g.force for g in gravitation if g.a is p)`
    Sum {
        value: Box<Expr>,
        quantifier: Box<Quantifier>,
        condition: Option<Box<Expr>>,
    },
    /// `(x, y, z)`
    Tuple(Vec<Expr>),
    Unary {
        operator: UnaryOperator,
        operand: Box<Expr>,
    },
    Binary {
        operator: BinaryOperator,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `|v|`
    Norm(Box<Expr>),
    /// `x'`, the derivative with respect to time
    Derivative(Box<Expr>),
    /// `free`, or `free(0.3 [m])` with a starting guess
    Free(Option<Box<Expr>>),
    /// `about z free`, `about (1, 1, 0) 30 [deg]`
    About {
        axis: Axis,
        rotation: Box<Expr>,
    },
    /// `v in f`: the components of a vector along the axes of a frame
    InFrame {
        vector: Box<Expr>,
        frame: Box<Expr>,
    },
    /// `p relative to f`: as seen by an observer in a frame
    RelativeTo {
        point: Box<Expr>,
        frame: Box<Expr>,
    },
    /// `if c then a else b`
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// Text that is no expression. It has been reported.
    Error,
}

/// What stands between square brackets after a value, such as `kg*m/s^2`, and where it stands without the brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitText {
    pub text: String,
    pub span: Span,
}

/// `x`, or `radius: x` with a name
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    pub name: Option<Word>,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    X,
    Y,
    Z,
    /// `(1, 1, 0)`, any expression in parentheses
    Vector(Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Negate,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Dot,
    Cross,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// `g.a is p`: both are the same thing.
    Is,
    And,
    Or,
}

/// How tightly an operator holds its operands, from the loosest to the tightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// `if … then … else …`, `about …`: they reach as far to the right as they can.
    Open,
    Or,
    And,
    Not,
    Comparison,
    /// `v in f`, `p relative to f`
    Frame,
    Sum,
    Product,
    Negation,
    Power,
    Postfix,
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let depth = 1 + kind.children().map(|child| child.depth).max().unwrap_or(0);
        Expr { kind, span, depth }
    }

    /// The number of levels of the tree from here down; a leaf has 1. The parser keeps it below `MAXIMUM_DEPTH`.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The expressions directly below this one, in the order of the text.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        self.kind.children()
    }

    pub fn is_error(&self) -> bool {
        matches!(self.kind, ExprKind::Error)
    }
}

impl ExprKind {
    fn children(&self) -> impl Iterator<Item = &Expr> {
        use ExprKind::*;
        let (single, list): ([Option<&Expr>; 4], &[Expr]) = match self {
            Number { .. } | Text(_) | Name(_) | Error | Free(None) | Call { .. } => ([None; 4], &[]),
            Tuple(items) => ([None; 4], items),
            Index { base, indices } => ([Some(base), None, None, None], indices),
            Quantity { value: one, .. }
            | Field { base: one, .. }
            | Unary { operand: one, .. }
            | Norm(one)
            | Derivative(one)
            | Free(Some(one)) => ([Some(one), None, None, None], &[]),
            Binary { left: one, right: two, .. }
            | InFrame { vector: one, frame: two }
            | RelativeTo { point: one, frame: two } => ([Some(one), Some(two), None, None], &[]),
            About { axis, rotation } => ([axis.vector(), Some(rotation), None, None], &[]),
            If { condition, then, otherwise } => ([Some(condition), Some(then), Some(otherwise), None], &[]),
            Sum { value, quantifier, condition } => {
                let (first, last) = match &quantifier.domain {
                    Domain::Range { first, last } => (first, Some(last)),
                    Domain::List(list) => (list, None),
                };
                ([Some(value), Some(first), last, condition.as_deref()], &[])
            }
        };
        let (function, arguments): (Option<&Expr>, &[Argument]) = match self {
            Call { function, arguments } => (Some(function), arguments),
            _ => (None, &[]),
        };
        let call = function.into_iter().chain(arguments.iter().map(|argument| &argument.value));
        single.into_iter().flatten().chain(list).chain(call)
    }
}

impl Axis {
    fn vector(&self) -> Option<&Expr> {
        match self {
            Axis::Vector(vector) => Some(vector),
            Axis::X | Axis::Y | Axis::Z => None,
        }
    }
}

impl Precedence {
    /// The next level; nothing is tighter than what follows an operand directly.
    pub fn tighter(self) -> Precedence {
        match self {
            Precedence::Open => Precedence::Or,
            Precedence::Or => Precedence::And,
            Precedence::And => Precedence::Not,
            Precedence::Not => Precedence::Comparison,
            Precedence::Comparison => Precedence::Frame,
            Precedence::Frame => Precedence::Sum,
            Precedence::Sum => Precedence::Product,
            Precedence::Product => Precedence::Negation,
            Precedence::Negation => Precedence::Power,
            Precedence::Power | Precedence::Postfix => Precedence::Postfix,
        }
    }
}

impl UnaryOperator {
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOperator::Negate => "-",
            UnaryOperator::Not => "not",
        }
    }

    pub fn precedence(self) -> Precedence {
        match self {
            UnaryOperator::Negate => Precedence::Negation,
            UnaryOperator::Not => Precedence::Not,
        }
    }
}

impl BinaryOperator {
    pub fn symbol(self) -> &'static str {
        self.row().0
    }

    pub fn precedence(self) -> Precedence {
        self.row().1
    }

    fn row(self) -> (&'static str, Precedence) {
        match self {
            BinaryOperator::Or => ("or", Precedence::Or),
            BinaryOperator::And => ("and", Precedence::And),
            BinaryOperator::Equal => ("==", Precedence::Comparison),
            BinaryOperator::NotEqual => ("!=", Precedence::Comparison),
            BinaryOperator::Less => ("<", Precedence::Comparison),
            BinaryOperator::LessEqual => ("<=", Precedence::Comparison),
            BinaryOperator::Greater => (">", Precedence::Comparison),
            BinaryOperator::GreaterEqual => (">=", Precedence::Comparison),
            BinaryOperator::Is => ("is", Precedence::Comparison),
            BinaryOperator::Add => ("+", Precedence::Sum),
            BinaryOperator::Subtract => ("-", Precedence::Sum),
            BinaryOperator::Multiply => ("*", Precedence::Product),
            BinaryOperator::Divide => ("/", Precedence::Product),
            BinaryOperator::Dot => ("·", Precedence::Product),
            BinaryOperator::Cross => ("×", Precedence::Product),
            BinaryOperator::Power => ("^", Precedence::Power),
        }
    }
}
