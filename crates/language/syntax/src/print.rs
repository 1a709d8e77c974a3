//! Expressions as text again, with just the parentheses they need.

use crate::tree::{Argument, Axis, BinaryOperator, Binding, Domain, Expr, ExprKind, Precedence, Quantifier};

/// One line that reads as the same expression. What could not be read is printed as `…`.
pub fn print_expression(expression: &Expr) -> String {
    let mut output = String::new();
    print(expression, Precedence::Open, &mut output);
    output
}

/// Prints in a place that asks for operators at least as tight as `loosest`.
fn print(expression: &Expr, loosest: Precedence, output: &mut String) {
    if precedence(expression) < loosest {
        output.push('(');
        print_bare(expression, output);
        output.push(')');
    } else {
        print_bare(expression, output);
    }
}

fn print_bare(expression: &Expr, output: &mut String) {
    match &expression.kind {
        ExprKind::Number { text, .. } | ExprKind::Name(text) => output.push_str(text),
        ExprKind::Text(text) => surround(output, "\"", "\"", |output| output.push_str(text)),
        ExprKind::Quantity { value, unit } => {
            print_measured(value, output);
            surround(output, " [", "]", |output| output.push_str(&unit.text));
        }
        ExprKind::Index { base, indices } => {
            print(base, Precedence::Postfix, output);
            surround(output, "[", "]", |output| print_list(indices, output));
        }
        ExprKind::Field { base, field } => {
            print(base, Precedence::Postfix, output);
            output.push('.');
            output.push_str(&field.text);
        }
        ExprKind::Call { function, arguments } => {
            print(function, Precedence::Postfix, output);
            surround(output, "(", ")", |output| print_arguments(arguments, output));
        }
        ExprKind::Sum { value, quantifier, condition } => surround(output, "sum(", ")", |output| {
            print(value, Precedence::Open, output);
            print_quantifier(quantifier, output);
            if let Some(condition) = condition {
                output.push_str(" if ");
                print(condition, Precedence::Open, output);
            }
        }),
        ExprKind::Tuple(parts) => surround(output, "(", ")", |output| print_list(parts, output)),
        ExprKind::Norm(inside) => surround(output, "|", "|", |output| print(inside, Precedence::Open, output)),
        ExprKind::Derivative(base) => {
            print(base, Precedence::Postfix, output);
            output.push('\'');
        }
        _ => print_worded(expression, output),
    }
}

/// The forms with operators and words between their parts.
fn print_worded(expression: &Expr, output: &mut String) {
    match &expression.kind {
        ExprKind::Unary { operator, operand } => {
            output.push_str(operator.symbol());
            if operator.precedence() == Precedence::Not {
                output.push(' ');
                print(operand, Precedence::Comparison, output);
            } else {
                print(operand, Precedence::Power, output);
            }
        }
        ExprKind::Binary { operator, left, right } => print_binary(*operator, left, right, output),
        ExprKind::Free(None) => output.push_str("free"),
        ExprKind::Free(Some(guess)) => surround(output, "free(", ")", |output| print(guess, Precedence::Open, output)),
        ExprKind::About { axis, rotation } => {
            print_axis(axis, output);
            print(rotation, Precedence::Sum, output);
        }
        ExprKind::InFrame { vector, frame } => print_infix(vector, " in ", frame, output),
        ExprKind::RelativeTo { point, frame } => print_infix(point, " relative to ", frame, output),
        ExprKind::If { condition, then, otherwise } => {
            for (word, part) in [("if ", condition), (" then ", then), (" else ", otherwise)] {
                output.push_str(word);
                print(part, Precedence::Open, output);
            }
        }
        _ => output.push('…'),
    }
}

fn print_binary(operator: BinaryOperator, left: &Expr, right: &Expr, output: &mut String) {
    let precedence = operator.precedence();
    // Chains group from the left, powers from the right, and comparisons do not group at all.
    let (left_loosest, right_loosest) = match precedence {
        Precedence::Power => (Precedence::Postfix, Precedence::Power),
        Precedence::Comparison => (Precedence::Frame, Precedence::Frame),
        _ => (precedence, precedence.tighter()),
    };
    print(left, left_loosest, output);
    match operator {
        BinaryOperator::Power => output.push('^'),
        _ => surround(output, " ", " ", |output| output.push_str(operator.symbol())),
    }
    print(right, right_loosest, output);
}

fn print_infix(left: &Expr, word: &str, right: &Expr, output: &mut String) {
    print(left, Precedence::Frame, output);
    output.push_str(word);
    print(right, Precedence::Sum, output);
}

/// A unit stands after a number, a call or a closing parenthesis; after a name it would be an index.
fn print_measured(value: &Expr, output: &mut String) {
    match &value.kind {
        ExprKind::Number { .. } | ExprKind::Tuple(_) | ExprKind::Call { .. } | ExprKind::Sum { .. } => {
            print_bare(value, output)
        }
        _ => surround(output, "(", ")", |output| print_bare(value, output)),
    }
}

fn print_axis(axis: &Axis, output: &mut String) {
    output.push_str("about ");
    match axis {
        Axis::X => output.push('x'),
        Axis::Y => output.push('y'),
        Axis::Z => output.push('z'),
        Axis::Vector(vector) if matches!(vector.kind, ExprKind::Tuple(_)) => print_bare(vector, output),
        Axis::Vector(vector) => surround(output, "(", ")", |output| print_bare(vector, output)),
    }
    output.push(' ');
}

/// ` for g in gravitation`
fn print_quantifier(quantifier: &Quantifier, output: &mut String) {
    match &quantifier.binding {
        Binding::Each(name) => output.push_str(&format!(" for {} in ", name.text)),
        Binding::Pairs(first, second) => output.push_str(&format!(" for pairs ({}, {}) in ", first.text, second.text)),
    }
    match &quantifier.domain {
        Domain::Range { first, last } => {
            print(first, Precedence::Sum, output);
            output.push_str("..");
            print(last, Precedence::Sum, output);
        }
        Domain::List(list) => print(list, Precedence::Sum, output),
    }
}

fn print_list(parts: &[Expr], output: &mut String) {
    for (index, part) in parts.iter().enumerate() {
        output.push_str(if index > 0 { ", " } else { "" });
        print(part, Precedence::Open, output);
    }
}

fn print_arguments(arguments: &[Argument], output: &mut String) {
    for (index, argument) in arguments.iter().enumerate() {
        output.push_str(if index > 0 { ", " } else { "" });
        if let Some(name) = &argument.name {
            output.push_str(&name.text);
            output.push_str(": ");
        }
        print(&argument.value, Precedence::Open, output);
    }
}

fn surround(output: &mut String, open: &str, close: &str, inside: impl FnOnce(&mut String)) {
    output.push_str(open);
    inside(output);
    output.push_str(close);
}

fn precedence(expression: &Expr) -> Precedence {
    match &expression.kind {
        ExprKind::Unary { operator, .. } => operator.precedence(),
        ExprKind::Binary { operator, .. } => operator.precedence(),
        ExprKind::InFrame { .. } | ExprKind::RelativeTo { .. } => Precedence::Frame,
        ExprKind::About { .. } | ExprKind::If { .. } => Precedence::Open,
        // Operands, but nothing can follow them directly.
        ExprKind::Free(_) | ExprKind::Text(_) => Precedence::Power,
        _ => Precedence::Postfix,
    }
}
