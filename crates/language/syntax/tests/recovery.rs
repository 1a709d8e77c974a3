//! What is said of texts that cannot be read, word for word.

use base::{Diagnostic, Diagnostics, Source, SourceId};
use syntax::*;

fn read(text: &str) -> (Tree, Diagnostics) {
    let mut sink = Diagnostics::default();
    let tree = parse(SourceId(0), text, &mut sink);
    (tree, sink)
}

/// What is reported, in the order of the text: `code line:column message (hint)`.
fn errors(text: &str) -> Vec<String> {
    let source = Source::new("text", text);
    let describe = |diagnostic: &&Diagnostic| {
        let (line, column) = source.line_column(diagnostic.labels[0].span.start as usize);
        let hints: String = diagnostic.hints.iter().map(|hint| format!(" ({hint})")).collect();
        format!("{} {line}:{column} {}{hints}", diagnostic.code.0, diagnostic.message)
    };
    read(text).1.sorted().iter().map(describe).collect()
}

/// Each text has exactly this one error.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(errors(text), [*expected], "{text}");
    }
}

#[test]
fn one_text_brings_all_its_errors_at_once() {
    let text = "param a =\nbody b in { mass = 1 }\nalways a = 2\nparam c = 3 +\nlet d = ) 4\nparam e = 5";
    let equation = "`always` states an equation, and equations use `==` (write `==`; a single `=` defines a name)";
    assert_eq!(
        errors(text),
        [
            "unexpected-text 1:10 an expression is missing at the end of this line",
            "unexpected-text 2:11 the name of a frame is needed here, not `{`",
            &format!("equation-expected 3:10 {equation}"),
            "unexpected-text 4:14 an expression is missing at the end of this line",
            "unexpected-text 5:9 an expression is needed here, not `)`",
        ]
    );
}

#[test]
fn what_a_broken_statement_declares_is_still_known() {
    let text =
        "param a = )\nlet b 3\ncontrol c in 3 = 2\nbody d in 3 { mass = 1 }\nfn e(x) = \ngroup f = 3\nframe g { x y }";
    let (tree, sink) = read(text);
    assert_eq!(sink.iter().count(), 7, "{sink:#?}");
    let declared = tree.items.iter().map(|item| match &item.kind {
        ItemKind::Param(Param { name, .. })
        | ItemKind::Let(Definition { name, .. })
        | ItemKind::Control(Control { name, .. })
        | ItemKind::Group(Group { name, .. })
        | ItemKind::Frame(Frame { name, .. })
        | ItemKind::Body(Frame { name, .. }) => name.text.as_str(),
        ItemKind::Function(Function { name, .. }) => name.text.as_str(),
        other => panic!("{other:?}"),
    });
    assert_eq!(declared.collect::<String>(), "abcdefg");
}

#[test]
fn equations_and_definitions_are_kept_apart() {
    check(&[
        (
            "initially x: a = b",
            "equation-expected 1:16 `initially` states an equation, and equations use `==` \
             (write `==`; a single `=` defines a name)",
        ),
        ("always a", "equation-expected 1:8 `always` needs an equation (as in `always left == right`)"),
        (
            "always a < b",
            "equation-expected 1:8 `always` needs an equation (`<` cannot be solved for anything; write `==`)",
        ),
        (
            "always a == b and c == d",
            "equation-expected 1:8 `always` needs an equation \
             (state each equation by itself: `always a == b` and `always c == d`)",
        ),
        (
            "always a == b == c",
            "chained-comparison 1:15 comparisons cannot be chained \
             (write `a == b and b == c`, or make two statements of it)",
        ),
        (
            "param c == 1",
            "definition-expected 1:9 a definition uses `=`, not `==` (`==` states an equation, after `always`)",
        ),
        ("let d := 2", "definition-expected 1:7 a definition uses `=`, not `:=` (write `=`)"),
    ]);
    let (tree, _) = read("always a = b + c");
    let ItemKind::Always(equation) = &tree.items[0].kind else { panic!() };
    let (left, right) = equation.sides().unwrap();
    assert_eq!((print_expression(left), print_expression(right)), ("a".into(), "b + c".into()));
}

#[test]
fn what_other_tools_have_a_statement_for_is_said_in_ours() {
    check(&[
        (
            "spring k between a and b",
            "unknown-statement 1:1 no statement starts with `spring` \
             (a spring is a potential: `potential = stiffness / 2 * (|a.position - b.position| - length)^2`)",
        ),
        (
            "rope a, b",
            "unknown-statement 1:1 no statement starts with `rope` \
             (what keeps a distance is a constraint: `always |a.position - b.position| == length`)",
        ),
        (
            "x' = 3",
            "unknown-statement 1:1 no statement starts with `x` \
             (a law is an equation that always holds: `always der(x) == …`; a single `=` defines a name)",
        ),
        (
            "spring s(a, b)",
            "unknown-statement 1:1 no statement starts with `spring` (to declare a thing of the kind `spring`, write `s: spring`)",
        ),
        (
            "body bob: sphere(1) mass 2 [kg] in arm { rotation = free }",
            "unexpected-text 1:33 `density`, `mass`, `{` or a new line is needed here, not `in` \
             (the frame that it is in stands before the colon: `body bob in arm: sphere(5 [cm]) mass 1 [kg]`)",
        ),
        (
            "body table: box(1, 1, 1) fixed",
            "unexpected-text 1:26 `density`, `mass`, `{` or a new line is needed here, not `fixed` \
             (what never moves is a frame with a shape: `frame floor in world { shape = box(…) }`)",
        ),
    ]);
}

#[test]
fn unknown_statements_are_compared_with_the_known() {
    check(&[
        (
            "Gravity 9.81 [m/s^2]",
            "unknown-statement 1:1 no statement starts with `Gravity` (write `gravity`, as in `gravity 9.81 [m/s^2]`)",
        ),
        (
            "constraint a == b",
            "unknown-statement 1:1 no statement starts with `constraint` \
             (write `always`, as in `always linked: |a.position - b.position| == 4 [m]`)",
        ),
        (
            "x = 3",
            "unknown-statement 1:1 no statement starts with `x` \
             (to define `x`, write `let x = …`, or `param x = …` if it may change)",
        ),
        (
            "x.y == 3",
            "unknown-statement 1:1 no statement starts with `x` \
             (to state that two things are equal, write `always` or `initially` before it)",
        ),
        (
            "floor z == 0",
            "unknown-statement 1:1 no statement starts with `floor` \
             (a plane is a surface, and `contact` makes things touch it: `surface floor: z == 0 [m]`)",
        ),
        (
            "tether a, b",
            "unknown-statement 1:1 no statement starts with `tether` (statements start with one of scene, use, param, let, \
             fn, data, control, frame, body, group, gravity, potential, force, torque, always, initially, history, surface, for, show, camera, \
             light, trace, plot, theory, kind, connection, law, join, contact, actuator, prescribe, mode, when, sequence, plan, every, stop, claim, assume, neglect, find, describe)",
        ),
        (
            "3 = x",
            "unknown-statement 1:1 a statement cannot start with `3` \
             (statements start with a word such as `param`, `body` or `always`)",
        ),
    ]);
    let (tree, _) = read("Param length = 1 [m]");
    assert!(matches!(tree.items[0].kind, ItemKind::Param(_)));
}

#[test]
fn what_is_not_closed_is_shown_where_it_was_opened() {
    check(&[
        (
            "body b { position = (0, 0, 1; mass = 1 }",
            "unclosed 1:21 `(` is opened here and never closed (close it with `)`)",
        ),
        (
            "frame a { rotation = about x free\nparam c = 1",
            "unclosed 1:9 `{` is opened here and never closed (close it with `}`)",
        ),
        (
            "for i in 1..3 { body q[i]\nparam c = 1",
            "unclosed 1:15 `{` is opened here and never closed (close it with `}`)",
        ),
        ("param a = |x\nparam b = 1", "unclosed 1:11 `|` is opened here and never closed (close it with `|`)"),
        ("param a = 1 [m\nparam b = 1", "unclosed 1:13 `[` is opened here and never closed (close it with `]`)"),
        ("param a = f(1,\n  2\nparam b = 1", "unclosed 1:12 `(` is opened here and never closed (close it with `)`)"),
        ("frame a }", "unexpected-text 1:9 this brace closes nothing"),
        (
            "param a = \"abc\nparam b = 1",
            "unclosed-text 1:11 the closing quote of this text is missing \
             (a text in quotes ends on the line where it begins)",
        ),
    ]);
    let (tree, sink) = read("frame a { rotation = about x free\nparam c = 1");
    assert_eq!(tree.items.len(), 2);
    let labels: Vec<_> = sink.iter().flat_map(|diagnostic| &diagnostic.labels).map(|l| l.text.as_str()).collect();
    assert_eq!(labels, ["opened here", "`}` is missing before this"]);
}

#[test]
fn properties_say_how_they_are_written() {
    check(&[
        ("frame a { mass 1 }", "unexpected-text 1:16 `=` is needed here, not `1` (a property is written `mass = …`)"),
        (
            "frame a { mass = 1, x = 3 }",
            "unexpected-text 1:19 `;`, a new line or `}` is needed here, not `,` \
             (properties are separated by `;` or stand on lines of their own)",
        ),
        (
            "frame a { mass = 2 m }",
            "unexpected-text 1:20 `;`, a new line or `}` is needed here, not `m` \
             (a unit stands in square brackets: `2 [m]`)",
        ),
        ("frame a { x: 1 }", "unexpected-text 1:12 `=` is needed here, not `:` (a property is written `x = …`)"),
        (
            "frame a on world { x = 1 }",
            "unexpected-text 1:9 `in` and a frame, or `{`, is needed here, not `on` \
             (a frame or body is written `body bob in swing { mass = 1 [kg] }`)",
        ),
        (
            "frame a { rotation = about x }",
            "unexpected-text 1:30 the angle of the rotation is needed here, not `}` \
             (say how far: `about x free`, or `about x 30 [deg]`)",
        ),
        (
            "frame a { rotation = about up free }",
            "unexpected-text 1:28 an axis `x`, `y`, `z` or a vector in parentheses is needed here, not `up` \
             (write `about x free`, or `about (1, 1, 0) free`, or `about (up) free`)",
        ),
    ]);
}

#[test]
fn slips_in_expressions_come_with_the_likely_fix() {
    check(&[
        (
            "let a = 2 x",
            "unexpected-text 1:11 the statement should end before `x` (to multiply, write `*` between the two)",
        ),
        ("let a = f(1 2)", "unexpected-text 1:13 `)` is needed here, not `2` (to multiply, write `*` between the two)"),
        (
            "frame a { position = (0, 0, 1) m }",
            "unexpected-text 1:32 `;`, a new line or `}` is needed here, not `m` \
             (a unit stands in square brackets: `(x, y, z) [m]`)",
        ),
        (
            "/* a pendulum */",
            "unknown-statement 1:1 a statement cannot start with `/` (a comment begins with `//` and ends with its line)",
        ),
        ("let a = 2 ** 3", "unexpected-text 1:12 an expression is needed here, not `*` (a power is written with `^`)"),
        (
            "let a = x²",
            "unexpected-text 1:10 the statement should end before `²` (a power is written with `^`, as in `x^2`)",
        ),
        (
            "gravity 9.81 m/s^2",
            "unexpected-text 1:14 the statement should end before `m` (a unit stands in square brackets: `9.81 [m/s^2]`)",
        ),
        (
            "gravity 9,81 [m/s^2]",
            "unexpected-text 1:10 the statement should end before `,` (a number has a decimal point: `9.81`; \
             the components of a vector stand in parentheses)",
        ),
        (
            "let a = 1, 2",
            "unexpected-text 1:10 the statement should end before `,` \
             (the components of a vector stand in parentheses, as in `(x, y, z)`)",
        ),
        (
            "let a = free(0.3) [m]",
            "unexpected-text 1:19 the statement should end before `[` (a unit stands directly after a number or a closing \
             parenthesis, as in `9.81 [m/s^2]` or `free(0.3 [m])`)",
        ),
        (
            "let a = if b = c then 1 else 2",
            "unexpected-text 1:14 `then` is needed here, not `=` \
             (`=` defines a name; to state or ask that two things are equal, write `==`)",
        ),
        (
            "param free = 1",
            "reserved-word 1:7 `free` is a word of the language and cannot be a name \
             (choose another name, such as `free_1`)",
        ),
        (
            "let a = 1e999",
            "bad-number 1:9 this number is too large to compute with (numbers reach up to about 1.8e308)",
        ),
        (
            "force car = 3",
            "unexpected-text 1:7 `on` is needed here, not `car` (say what it acts on: `force on car = …`)",
        ),
    ]);
}

#[test]
fn what_is_for_later_is_said_to_be() {
    let later = "not-yet-supported 1:17 `for` in `max(…)` is not part of this version of the language";
    assert_eq!(errors("param b = max(x for x in y)"), [later]);
}

#[test]
fn contacts_say_what_touches() {
    let example =
        "(as in `contact ball, table { restitution = 0.8; friction = 0.3 }` or `contact all { friction = 0.3 }`)";
    check(&[
        ("contact", &format!("unexpected-text 1:8 what touches is missing at the end of this line {example}")),
        ("contact { friction = 1 }", &format!("unexpected-text 1:9 what touches is needed here, not `{{` {example}")),
        (
            "contact ball { friction = 1 }",
            &format!("unexpected-text 1:14 a comma and what it touches is needed here, not `{{` {example}"),
        ),
        (
            "contact a, b, c { friction = 1 }",
            &format!("unexpected-text 1:13 `{{` or a new line is needed here, not `,` {example}"),
        ),
        (
            "contact a, b { together = 1; friction }",
            "unexpected-text 1:39 `=` is needed here, not `}` (a property is written `friction = …`)",
        ),
    ]);
}

#[test]
fn prescriptions_name_what_brings_them_about() {
    let actuator = "(as in `actuator shoulder.torque in [-20, 20] [N*m]`)";
    let prescribe = "(as in `prescribe hand.position == path(t) using shoulder.torque, elbow.torque`)";
    check(&[
        ("actuator", &format!("unexpected-text 1:9 a torque or a force is missing at the end of this line {actuator}")),
        (
            "actuator a.torque in -1, 1",
            "unexpected-text 1:22 a range is needed here, not `-` (write it as `in [-1, 1]`)",
        ),
        (
            "prescribe a == 1 using",
            &format!("unexpected-text 1:23 a torque or a force is missing at the end of this line {prescribe}"),
        ),
        (
            "prescribe a = 1 using b.torque",
            "equation-expected 1:13 `prescribe` states an equation, and equations use `==` (write `==`; a single `=` defines a name)",
        ),
    ]);
    // A statement goes on with its words on the next line, which are names everywhere else.
    let text = "prescribe a == 1\n  using b.torque,\n    c.force\n  minimizing b.torque^2\nlet using = 1";
    assert_eq!(errors(text), [""; 0]);
}

#[test]
fn joints_say_what_they_join() {
    let joint = "(a joint is written `join elbow: upper.point(0, 0, -l) to lower with revolute`)";
    check(&[
        ("join a with hinge", &format!("unexpected-text 1:8 `to` is needed here, not `with` {joint}")),
        ("join a to b", &format!("unexpected-text 1:12 `with` is missing at the end of this line {joint}")),
        ("join a to b with", "unexpected-text 1:17 the name of a connection is missing at the end of this line"),
    ]);
}

#[test]
fn transitions_say_what_holds_after_them() {
    let effect = "(write `x == 2 * pre(x)`, `motion == rolling`, `keep positions` or `satisfy velocity constraints`)";
    let needed = "a transition says here what holds after it";
    check(&[
        ("when a: b <= 0 { c }", &format!("equation-expected 1:18 {needed} {effect}")),
        ("when a: b <= 0 { c <= 0 }", &format!("equation-expected 1:18 {needed} {effect}")),
        (
            "when a: b <= 0 { c = 1 }",
            "equation-expected 1:20 what holds after a transition is stated with `==` \
             (write `==`; a single `=` defines a name)",
        ),
        (
            "when a: b = 0 { c == 1 }",
            "unexpected-text 1:11 `{` is needed here, not `=` \
             (a single `=` defines a name; conditions compare with `<=`, `>=`, and modes with `==`)",
        ),
        (
            "when b <= 0 { c == 1 }",
            "unexpected-text 1:6 a name with `:` is needed here, not `b` \
             (a transition has a name: `when land: gap <= 0 { … }`)",
        ),
        (
            "when a: b <= 0 { satisfy constraints }",
            "unexpected-text 1:26 `position constraints` or `velocity constraints` is needed here, not `constraints` \
             (as in `satisfy velocity constraints`)",
        ),
        ("when a: b <= 0 { keep all", "unclosed 1:16 `{` is opened here and never closed (close it with `}`)"),
    ]);
}

#[test]
fn several_slips_in_one_transition_are_told_at_once() {
    let text = "when a: b <= 0 {\n  c = 1\n  d\n  e == (\n}\nmode m\nclaim c: always\nparam x = 1";
    let found: Vec<String> =
        errors(text).iter().map(|error| error.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "equation-expected 2:5",
        "equation-expected 3:3",
        "unexpected-text 4:9",
        "unexpected-text 6:7",
        "unexpected-text 7:16",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_slip_in_a_plan_leaves_the_rest_of_it_readable() {
    let plan = "plan p when a >= 0 {\n  choose b: [m] from 1 [m]\n  begin { keep all }\n";
    for (part, expected) in [
        ("  after 1 [s] aim a = 2 { keep all }", "equation-expected 4:21"),
        ("  after 1 [s] aim a { keep all }", "equation-expected 4:19"),
        ("  until a >= 1", "unexpected-text 4:15"),
        ("  choose c", "unexpected-text 4:11"),
        ("  stop when a == 1 [m] { keep all }", "unexpected-text 4:3"),
    ] {
        let text = format!("{plan}{part}\n  after 2 [s] aim a == 3 {{ keep all }}\n}}\nlet x = b");
        let found = errors(&text);
        assert!(found.len() == 1 && found[0].starts_with(expected), "{part}: {found:#?}");
    }
}

#[test]
fn modes_and_claims_say_how_they_are_written() {
    check(&[
        (
            "mode m: a, b = a",
            "unexpected-text 1:10 the values of a mode stand between bars \
             (write `|`, as in `mode motion: bouncing | rolling = bouncing`)",
        ),
        (
            "mode m = a | b",
            "unexpected-text 1:8 `:` is needed here, not `=` (as in `mode motion: bouncing | rolling = bouncing`)",
        ),
        (
            "claim c: a >= 0 always",
            "unexpected-text 1:17 the end of the claim is needed here, not `always` \
             (`always` and `eventually` come first: `claim dry: always boat.position.z >= 0`)",
        ),
        (
            "claim a >= 0",
            "unexpected-text 1:7 a name with `:` is needed here, not `a` (as in `claim dry: always boat.position.z >= 0`)",
        ),
        (
            "sequence a { begin { keep all } }",
            "unexpected-text 1:12 `when` is needed here, not `{` (say when it begins: `sequence a when … { … }`)",
        ),
    ]);
}

#[test]
fn definitions_have_a_head_and_braces() {
    let braces = "(what belongs to a kind stands in braces: `kind … { … }`)";
    check(&[
        ("kind a\nlet b = 1", &format!("unexpected-text 1:7 `{{` is missing at the end of this line {braces}")),
        (
            "kind a\n  x: [m]\n  x == y\n}\nlet b = 1",
            &format!("unexpected-text 1:7 `{{` is missing at the end of this line {braces}"),
        ),
        ("kind a b { x: [m] }", &format!("unexpected-text 1:8 `{{` is needed here, not `b` {braces}")),
        (
            "kind a {\n  x: [m]\n\nkind b { y: [m] }",
            "unclosed 1:8 `{` is opened here and never closed (close it with `}`)",
        ),
        (
            "kind a { for i in 1..2 { x == y }\nlaw l for p: a {}",
            "unclosed 1:8 `{` is opened here and never closed (close it with `}`)",
        ),
        (
            "kind a {\n  kind b { y: [m] }\n}",
            "unexpected-text 2:3 `kind` cannot stand inside braces (close the braces before it, and let it stand by itself)",
        ),
        ("kind a is { x: [m] }", "unexpected-text 1:11 the name of what it inherits from is needed here, not `{`"),
        (
            "connection c { x: [m] }",
            "unexpected-text 1:14 `(` is needed here, not `{` \
             (say what it connects: `connection c(a: particle, b: particle) { … }`)",
        ),
        ("theory", "unexpected-text 1:7 the name of the theory is missing at the end of this line"),
        (
            "class a { x: [m] }",
            "unknown-statement 1:1 no statement starts with `class` \
             (write `kind`, as in `kind particle { mass: constant [kg] }`)",
        ),
    ]);
    let (tree, _) = read("kind a\n  x: [m]\n  x == y\n}\nlet b = 1");
    let ItemKind::Kind(kind) = &tree.items[0].kind else { panic!() };
    assert_eq!((tree.items.len(), kind.members.len()), (2, 2));
}

#[test]
fn parameters_say_what_they_are() {
    check(&[
        (
            "kind a() { x: [m] }",
            "unexpected-text 1:8 the name of a parameter is needed here, not `)` \
             (as in `a: particle` or `start: [deg]`; if there are none, leave the parentheses out)",
        ),
        (
            "kind a(b, c: d) { x: [m] }",
            "unexpected-text 1:9 `:` is needed here, not `,` (say of each parameter what it is: `b: particle` or `b: [m]`)",
        ),
        (
            "kind a(b: 3) { x: [m] }",
            "unexpected-text 1:11 a kind or a unit in brackets is needed here, not `3` (as in `b: particle` or `b: [m]`)",
        ),
        (
            "kind a(b: constant [m]) { x: [m] }",
            "unexpected-text 1:11 a parameter cannot be `constant` (parameters are constant anyway; leave the word out)",
        ),
        ("kind a(b: vecc [m]) { x: [m] }", "unexpected-text 1:11 there is no domain `vecc` (write `vec`)"),
        (
            "law l(p: [m]) { p.x == y }",
            "unexpected-text 1:7 a law holds for things, and `p` is a number (name a kind, as in `p: particle`)",
        ),
    ]);
}

#[test]
fn laws_say_what_they_hold_for() {
    let whom = "(say what it holds for: `law l for p: particle { … }` or `law l(p: particle) { … }`)";
    check(&[
        ("law l", &format!("unexpected-text 1:6 `for` or `(` is missing at the end of this line {whom}")),
        (
            "law for p: q { p.x == y }",
            "unexpected-text 1:5 the name of the law is needed here, not `for` (as in `law resultant for p: particle { … }`)",
        ),
        (
            "law l for p in q { p.x == y }",
            "unexpected-text 1:13 `:` is needed here, not `in` (a law is for all things of a kind: `law l for p: particle`)",
        ),
        (
            "law l for p: q instead lift { p.x == y }",
            "unexpected-text 1:24 `of` is needed here, not `lift` (as in `law still for s: foil instead of lift { … }`)",
        ),
        (
            "law l(p: q) where p.x > 0 { p.x == y }",
            "unexpected-text 1:13 `assuming` or `{` is needed here, not `where` \
             (a law that holds under a condition is written `law … assuming x > 0 { … }`)",
        ),
        ("law l(p: q) assuming { p.x == y }", "unexpected-text 1:22 an expression is needed here, not `{`"),
    ]);
}

#[test]
fn quantities_say_how_they_are_declared() {
    check(&[
        (
            "kind a { mass [kg] }",
            "unexpected-text 1:15 `:` is needed here, not `[` (a quantity is declared `mass: [kg]`)",
        ),
        (
            "kind a { position vec [m]; x: [m] }",
            "unexpected-text 1:19 `:` is needed here, not `vec` (a quantity is declared `position: vec [m]`)",
        ),
        (
            "kind a { x, y: [m] }",
            "unexpected-text 1:11 `:` is needed here, not `,` (declare each quantity by itself, as in `x: [m]; …`)",
        ),
        (
            "kind a { mass:\n x: [m] }",
            "unexpected-text 1:15 a unit, a domain or a kind is missing at the end of this line \
             (as in `mass: [m]` or `mass: particle`)",
        ),
        (
            "kind a { mass: 3 [kg] }",
            "equation-expected 1:16 an equation is needed here (a quantity with a value is declared `mass: [kg] = 3 [kg]`)",
        ),
        (
            "kind a { mass }",
            "equation-expected 1:10 an equation is needed here \
             (a quantity is declared `mass: [m]`, and one that is a plain number `mass: real`)",
        ),
        ("kind a { x: vecc [m] }", "unexpected-text 1:13 there is no domain `vecc` (write `vec`)"),
        ("kind a { x: vector [m] }", "unexpected-text 1:13 there is no domain `vector` (write `vec`)"),
        ("kind a { x: Real = 3 }", "unexpected-text 1:13 there is no domain `Real` (write `real`)"),
        ("kind a { x: constnat vec [m] }", "unexpected-text 1:13 there is no domain `constnat` (write `constant`)"),
        (
            "kind a { x: tensorial [m] }",
            "unexpected-text 1:13 there is no domain `tensorial` (a quantity is one of `real`, `vec`, `matrix`, \
             `quaternion`, `rotation`; nothing means `real`)",
        ),
        (
            "kind a { x: vec sum [kg] }",
            "unexpected-text 1:17 `sum` has no place here (a quantity is written `force: sum vec [N]`: \
             `constant`, `sum` or neither, then one domain, then the unit)",
        ),
        (
            "kind a { x: constant kg }",
            "unexpected-text 1:22 `kg` is a unit, and units stand in square brackets (write `x: constant [kg]`)",
        ),
        (
            "kind a { x: m/s; y: [m] }",
            "unexpected-text 1:13 `m/s` is a unit, and units stand in square brackets (write `x: [m/s]`)",
        ),
        ("kind a {\n  x: vec [m\n  y: [s]\n}", "unclosed 2:10 `[` is opened here and never closed (close it with `]`)"),
        ("kind a { x: [m] in 3 }", "unexpected-text 1:20 a range is needed here, not `3` (write it as `in [-1, 1]`)"),
    ]);
    let (tree, _) = read("kind a { x: constnat vecc m/s = 3 [m/s]\n y vec [m]; z: [ }");
    let ItemKind::Kind(kind) = &tree.items[0].kind else { panic!() };
    let quantity = |item: &Item| match &item.kind {
        ItemKind::Quantity(quantity) => (quantity.name.text.clone(), quantity.modifier, quantity.type_.domain),
        other => panic!("{other:?}"),
    };
    let quantities: Vec<_> = kind.members.iter().map(quantity).collect();
    let expected = [
        ("x".to_string(), Some(Modifier::Constant), QuantityDomain::Vec),
        ("y".to_string(), None, QuantityDomain::Vec),
        ("z".to_string(), None, QuantityDomain::Real),
    ];
    assert_eq!(quantities, expected);
}

#[test]
fn equations_of_kinds_use_two_signs() {
    let define = "a single `=` defines, as in `let a = …` or `a: [m] = 1 [m]`";
    check(&[
        (
            "kind a { mass = 3 [kg] }",
            &format!("equation-expected 1:15 an equation uses `==`, not `=` (write `mass == …`; {define})"),
        ),
        (
            "kind a { newton: force = der(momentum) }",
            &format!("equation-expected 1:24 an equation uses `==`, not `=` (write `force == …`; {define})"),
        ),
        (
            "kind a { x < y }",
            "equation-expected 1:10 an equation is needed here (`<` cannot be solved for anything; write `==`)",
        ),
        (
            "kind a { x == y and y == z }",
            "equation-expected 1:10 an equation is needed here (state each equation by itself, on a line of its own)",
        ),
        (
            "kind a { x y == 3 }",
            "unexpected-text 1:12 `==` is needed here, not `y` (to multiply, write `*` between the two)",
        ),
        (
            "kind a { x + 1 += 3 }",
            "unexpected-text 1:10 the name of a sum is needed here \
             (write a name, perhaps with an index or a field, as in `car[1].chassis`)",
        ),
        (
            "kind a { x -= 3 }",
            "unexpected-text 1:13 an expression is needed here, not `=` \
             (to take something from a sum, add its negative: `total += -part`)",
        ),
        (
            "kind a { alwys x == 3 }",
            "unknown-statement 1:10 no statement starts with `alwys` \
             (write `always`, as in `always linked: |a.position - b.position| == 4 [m]`)",
        ),
        (
            "x: a == b",
            "unknown-statement 1:1 in a scene, an equation begins with `always` or `initially` (write `always x: …`)",
        ),
        (
            "floor: z == 0",
            "unknown-statement 1:1 in a scene, an equation begins with `always` or `initially` (write `always floor: …`; or, if this is \
             meant: a plane is a surface, and `contact` makes things touch it: `surface floor: z == 0 [m]`)",
        ),
    ]);
}

#[test]
fn things_and_connections_say_how_they_are_written() {
    check(&[
        (
            "p1: particle mass = 3",
            "unexpected-text 1:14 `(`, `{` or a new line is needed here, not `mass` \
             (a thing is written `r1: resistor(node1, node2) { resistance = 1000 [ohm] }`)",
        ),
        (
            "p1: particle { mass = 3\np2: particle { mass = 4 }",
            "unclosed 1:14 `{` is opened here and never closed (close it with `}`)",
        ),
        (
            "p1: particle { mass: 3 }",
            "unexpected-text 1:20 `=` is needed here, not `:` (a property is written `mass = …`)",
        ),
        (
            "resistor r1(a, b)",
            "unknown-statement 1:1 no statement starts with `resistor` \
             (to declare a thing of the kind `resistor`, write `r1: resistor`)",
        ),
        (
            "gravitation(a, b)",
            "unknown-statement 1:1 no statement starts with `gravitation` \
             (to connect things, give the connection a name: `name: gravitation(…)`)",
        ),
        (
            "x: 3",
            "unexpected-text 1:4 a kind, a domain or a unit in brackets is needed here, not `3` (as in `x: particle` or `x: [m]`)",
        ),
        ("gravity: 9.81 [m/s^2]", "unexpected-text 1:1 no colon follows `gravity` (as in `gravity 9.81 [m/s^2]`)"),
        (
            "gravitation for pairs a, b in c",
            "unexpected-text 1:23 `in` is needed here, not `a` (as in `for pairs (a, b) in planets`)",
        ),
        (
            "let a = sum(x, y for g in h)",
            "unexpected-text 1:18 one value to be added, before `for`, is needed here, not `for` \
             (as in `sum(g.force for g in gravitation if g.a is p)`)",
        ),
        (
            "let a = sum(x for g in h where g.a is p)",
            "unexpected-text 1:26 `if` or `)` is needed here, not `where` \
             (a condition is written `sum(g.force for g in gravitation if g.a is p)`)",
        ),
    ]);
}

#[test]
fn a_probe_is_one_expression() {
    let mut sink = Diagnostics::default();
    parse_expression(SourceId(0), "\n swing.angle \n", &mut sink);
    assert!(sink.is_empty());
    parse_expression(SourceId(0), "swing.angle swing.angle", &mut sink);
    let messages: Vec<_> = sink.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["the end of the expression is needed here, not `swing`"]);
}

#[test]
fn nothing_is_too_deep_for_the_stack() {
    let repeated = |open: &str, middle: &str, close: &str| {
        let count = 100_000;
        format!("{}{middle}{}", open.repeat(count), close.repeat(count))
    };
    let texts = [
        format!("let a = {}", repeated("(", "1", ")")),
        format!("let a = {}", repeated("", "1", " + 1")),
        format!("let a = {}", repeated("-", "1", "")),
        format!("let a = {}", repeated("2^", "1", "")),
        format!("let a = {}", repeated("|", "x", "|")),
        format!("let a = {}", repeated("f(", "x", ")")),
        format!("let a = {}", repeated("if a then b else ", "c", "")),
        format!("let a = {}", repeated("", "x", "'")),
        format!("let a = {}", repeated("(", "1", " + 1)")),
        format!("let a = {}", repeated("sum(", "x", " for a in b)")),
        repeated("for i in 1..2 {", "", "}"),
        repeated("kind a {", "", "}"),
        repeated("law l(a: b) {", "", ""),
        repeated("{", "", "}"),
    ];
    for text in texts {
        // Half of what a thread has by default, so that walks of the tree have the rest.
        let small = std::thread::Builder::new().stack_size(1024 * 1024);
        let thread = small.spawn(move || read(&text).1.iter().map(|d| d.code).next()).expect("a thread");
        let code = thread.join().expect("no overflow");
        assert!(
            matches!(code, Some(codes::TOO_DEEP | codes::UNKNOWN_STATEMENT | codes::UNEXPECTED_TEXT | codes::UNCLOSED)),
            "{code:?}"
        );
    }
}

#[test]
fn the_deepest_readable_expressions_are_read() {
    let mut sink = Diagnostics::default();
    let expression = parse_expression(SourceId(0), &format!("1{}", " + 1".repeat(255)), &mut sink);
    assert!(sink.is_empty());
    assert_eq!(expression.depth(), MAXIMUM_DEPTH);
}
