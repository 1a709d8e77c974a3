//! How expressions group, shown by printing them with every parenthesis in place.

use base::{Diagnostics, SourceId};
use syntax::*;

fn read(text: &str) -> Expr {
    let mut sink = Diagnostics::default();
    let expression = parse_expression(SourceId(0), text, &mut sink);
    assert!(sink.is_empty(), "{text}: {sink:#?}");
    expression
}

/// The tree in prefix form.
fn shape(expression: &Expr) -> String {
    let parts = || expression.children().map(shape).collect::<Vec<_>>().join(" ");
    match &expression.kind {
        ExprKind::Number { text, .. } | ExprKind::Name(text) => text.clone(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Quantity { unit, .. } => format!("[{} {}]", parts(), unit.text),
        ExprKind::Index { .. } => format!("(index {})", parts()),
        ExprKind::Field { field, .. } => format!("(.{} {})", field.text, parts()),
        ExprKind::Call { .. } => format!("(call {})", parts()),
        ExprKind::Sum { .. } => format!("(sum {})", parts()),
        ExprKind::Tuple(_) => format!("(tuple {})", parts()),
        ExprKind::Unary { operator, .. } => format!("({} {})", operator.symbol(), parts()),
        ExprKind::Binary { operator, .. } => format!("({} {})", operator.symbol(), parts()),
        ExprKind::Norm(_) => format!("|{}|", parts()),
        ExprKind::Derivative(_) => format!("(' {})", parts()),
        ExprKind::Free(None) => "free".to_string(),
        ExprKind::Free(Some(_)) => format!("(free {})", parts()),
        ExprKind::About { axis, .. } => format!("(about {axis} {})", parts(), axis = axis_letter(axis)),
        ExprKind::InFrame { .. } => format!("(in {})", parts()),
        ExprKind::RelativeTo { .. } => format!("(relative {})", parts()),
        ExprKind::If { .. } => format!("(if {})", parts()),
        ExprKind::Error => "error".to_string(),
    }
}

fn axis_letter(axis: &Axis) -> &'static str {
    match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
        Axis::Vector(_) => "vector",
    }
}

#[test]
fn operators_group_as_on_paper() {
    for (text, expected) in [
        ("a - b - c", "(- (- a b) c)"),
        ("a + b * c ^ d", "(+ a (* b (^ c d)))"),
        ("-2^2", "(- (^ 2 2))"),
        ("a^b^c", "(^ a (^ b c))"),
        ("2^-x * y", "(* (^ 2 (- x)) y)"),
        ("-a * b", "(* (- a) b)"),
        ("a · b × c", "(× (· a b) c)"),
        ("a − b", "(- a b)"),
        ("+a + +b", "(+ a b)"),
        ("not a == b and c or d", "(or (and (not (== a b)) c) d)"),
        ("a + b <= c", "(<= (+ a b) c)"),
        ("a ≠ b", "(!= a b)"),
        ("if a > 0 then b + 1 else c + 1", "(if (> a 0) (+ b 1) (+ c 1))"),
    ] {
        assert_eq!(shape(&read(text)), expected, "{text}");
    }
}

#[test]
fn what_follows_an_operand_holds_tightest() {
    for (text, expected) in [
        ("swing.angle''", "(' (' (.angle swing)))"),
        ("car[i + 1, j].chassis.position", "(.position (.chassis (index car (+ i 1) j)))"),
        ("car [i]", "(index car i)"),
        ("der(f.point(0, 0, -r))", "(call der (call (.point f) 0 0 (- r)))"),
        ("f(x, name: y)", "(call f x y)"),
        ("f()", "(call f)"),
        ("9.81 [m/s^2]", "[9.81 m/s^2]"),
        ("-9.81[ m / s^2 ]", "(- [9.81 m / s^2])"),
        ("(0, 1, -0.3) [m]", "[(tuple 0 1 (- 0.3)) m]"),
        ("2 [m]^2", "(^ [2 m] 2)"),
        ("f(x) [m]", "[(call f x) m]"),
        ("x'^2", "(^ (' x) 2)"),
        ("a.in.for", "(.for (.in a))"),
    ] {
        assert_eq!(shape(&read(text)), expected, "{text}");
    }
}

#[test]
fn vectors_are_seen_from_frames() {
    for (text, expected) in [
        ("(v in f).x", "(.x (in v f))"),
        ("a + b in f == c", "(== (in (+ a b) f) c)"),
        ("p relative to f.g", "(relative p (.g f))"),
        ("relative + to", "(+ relative to)"),
        ("|a - b| * |c|", "(* |(- a b)| |c|)"),
        ("||a| - b|", "|(- |a| b)|"),
        ("|a|'", "(' |a|)"),
    ] {
        assert_eq!(shape(&read(text)), expected, "{text}");
    }
}

#[test]
fn sums_run_over_lists_and_things_are_compared() {
    for (text, expected) in [
        ("sum(g.force for g in gravitation if g.a is p)", "(sum (.force g) gravitation (is (.a g) p))"),
        ("sum(x[i] for i in 1..n + 1)'", "(' (sum (index x i) 1 (+ n 1)))"),
        ("-sum(a * b for pairs (a, b) in c.d) [N]", "(- [(sum (* a b) (.d c)) N])"),
        ("sum(if a then b else c for x in y)", "(sum (if a b c) y)"),
        ("sum(x, y)", "(call sum x y)"),
        ("not a is b and c", "(and (not (is a b)) c)"),
        (
            "jacobian(h.closure, h.a.position) * multiplier(h.closure)",
            "(* (call jacobian (.closure h) (.position (.a h))) (call multiplier (.closure h)))",
        ),
    ] {
        assert_eq!(shape(&read(text)), expected, "{text}");
        assert_eq!(print_expression(&read(text)), text);
    }
}

#[test]
fn coordinates_are_free_and_rotations_about_something() {
    for (text, expected) in [
        ("(free, free(0.3 [m]), 0)", "(tuple free (free [0.3 m]) 0)"),
        ("about x free", "(about x free)"),
        ("about z -a + b", "(about z (+ (- a) b))"),
        ("about (1, 1, 0) 30 [deg]", "(about vector (tuple 1 1 0) [30 deg])"),
        ("about (n) free", "(about vector n free)"),
        ("about y (a) [deg]", "(about y [a deg])"),
    ] {
        assert_eq!(shape(&read(text)), expected, "{text}");
    }
}

#[test]
fn printing_puts_back_the_parentheses_that_matter() {
    for text in [
        "a - (b - c)",
        "(a + b) * c",
        "(-a)^2",
        "-a^2",
        "a^(-b)",
        "(a^b)^c",
        "(a == b) == c",
        "not (not a)",
        "(v in f).x",
        "(a in f) in g",
        "(about x free) * 2",
        "about (n) (about x free)",
        "(if a then b else c) + d",
        "(a) [m]",
        "(a + b) [m]",
        "(free).x",
        "\"text\"",
        "rod(from: swing, radius: 1 [cm])",
        "||a| - b|",
        "1e-4 * x'",
    ] {
        let printed = print_expression(&read(text));
        assert_eq!(shape(&read(&printed)), shape(&read(text)), "{text} became {printed}");
    }
    assert_eq!(print_expression(&read("((a)+(b*c))-((d))")), "a + b * c - d");
    assert_eq!(print_expression(&read("swing . angle==angle")), "swing.angle == angle");
}
