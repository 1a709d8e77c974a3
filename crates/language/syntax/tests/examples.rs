//! Texts as an author writes them, and the trees they give.

mod reading;

use base::{Diagnostics, SourceId};
use reading::{only_item, tree};
use syntax::*;

const PENDULUM: &str = include_str!("texts/pendulum.ansatz");
const COASTER: &str = include_str!("texts/coaster.ansatz");

/// The first item's expressions in few words, to compare with what was meant.
fn print(expression: &Expr) -> String {
    print_expression(expression)
}

fn print_all(expressions: &[Expr]) -> Vec<String> {
    expressions.iter().map(print_expression).collect()
}

#[test]
fn the_pendulum_is_a_list_of_statements() {
    let tree = tree(PENDULUM);
    let names: Vec<String> = tree
        .items
        .iter()
        .map(|item| match &item.kind {
            ItemKind::Scene(name) => format!("scene {}", name.text),
            ItemKind::Param(param) => format!("param {} = {}", param.name.text, print(&param.value)),
            ItemKind::Gravity(value) => format!("gravity {}", print(value)),
            ItemKind::Frame(frame) => {
                format!("frame {} in {}", frame.name.text, frame.parent.as_ref().map_or("".into(), print))
            }
            ItemKind::Body(frame) => {
                format!("body {} in {}", frame.name.text, frame.parent.as_ref().map_or("".into(), print))
            }
            ItemKind::Initially(equation) => {
                let (left, right) = equation.sides().unwrap();
                format!("{} == {}", print(left), print(right))
            }
            ItemKind::Show(view) => format!("show {}", view.subject.as_ref().map_or("".into(), print)),
            ItemKind::Plot(plot) => format!("plot {}", print_all(&plot.values).join(" | ")),
            other => format!("{other:?}"),
        })
        .collect();
    let expected = [
        "scene pendulum",
        "param length = 1 [m]",
        "param mass = 1 [kg]",
        "param angle = 60 [deg]",
        "gravity 9.81 [m/s^2]",
        "frame swing in world",
        "body bob in swing",
        "swing.angle == angle",
        "show rod(from: swing, to: bob, radius: 1 [cm])",
        "show sphere(8 [cm])",
        "plot swing.angle | energy",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_coaster_reads_without_complaint() {
    let tree = tree(COASTER);
    assert_eq!(tree.items.len(), 21);
}

#[test]
fn every_keyword_example_is_what_the_table_says() {
    for keyword in KEYWORDS {
        let mut sink = Diagnostics::default();
        if keyword.begins_statement() {
            let tree = parse(SourceId(0), keyword.example, &mut sink);
            assert_eq!(tree.items.len(), 1, "{}", keyword.word);
        } else {
            parse_expression(SourceId(0), keyword.example, &mut sink);
        }
        let reported: Vec<_> = sink.iter().map(|diagnostic| diagnostic.code).collect();
        assert!(reported.is_empty(), "{}: {sink:#?}", keyword.example);
    }
}

#[test]
fn properties_are_separated_by_semicolons_or_lines() {
    for text in
        ["body b in f { mass = 1; position = (0, 0, 1) }", "body b in f {\n  mass = 1\n  position = (0, 0, 1);\n}"]
    {
        let ItemKind::Body(body) = only_item(text) else { panic!("{text}") };
        let properties: Vec<_> = body.properties.iter().map(|p| (p.name.text.as_str(), print(&p.value))).collect();
        assert_eq!(properties, [("mass", "1".to_string()), ("position", "(0, 0, 1)".to_string())]);
    }
    let ItemKind::Frame(frame) = only_item("frame a") else { panic!() };
    assert!(frame.parent.is_none() && frame.properties.is_empty());
}

#[test]
fn words_that_begin_statements_are_free_elsewhere() {
    let text =
        "param mass = 1 [kg]\nparam plan = 2\nparam force = light * camera\nbody show { mass = mass; force = body }";
    assert_eq!(tree(text).items.len(), 4);
    let ItemKind::Always(equation) = only_item("always force.x == group[plan] + potential(x: mode)") else { panic!() };
    assert_eq!(print(equation.sides().unwrap().1), "group[plan] + potential(x: mode)");
}

#[test]
fn controls_have_ranges_units_and_defaults() {
    let ItemKind::Control(control) = only_item("control pull in [-1, 2 * most] [N] = 0 [N] \"the rope\"") else {
        panic!()
    };
    let range = control.range.expect("a range");
    assert_eq!((print(&range.low), print(&range.high)), ("-1".to_string(), "2 * most".to_string()));
    assert_eq!(range.unit.map(|unit| unit.text), Some("N".to_string()));
    assert_eq!(control.default.as_ref().map(print), Some("0 [N]".to_string()));
    assert_eq!(control.description.map(|text| text.value), Some("the rope".to_string()));
    let ItemKind::Control(control) = only_item("control brake") else { panic!() };
    assert!(control.range.is_none() && control.default.is_none() && control.description.is_none());
}

#[test]
fn potentials_may_be_labelled_and_repeated() {
    for text in ["potential spring: k * x^2 / 2", "potential spring: = k * x^2 / 2"] {
        let ItemKind::Potential(potential) = only_item(text) else { panic!() };
        assert_eq!(potential.label.map(|label| label.text), Some("spring".to_string()));
        assert_eq!(print(&potential.value), "k * x^2 / 2");
    }
    let text = "potential for pairs (a, b) in planets = -G * a.mass * b.mass / |a.position - b.position|";
    let ItemKind::Potential(potential) = only_item(text) else { panic!() };
    assert_eq!(print(&potential.value), "-G * a.mass * b.mass / |a.position - b.position|");
    let Some(Quantifier { binding: Binding::Pairs(a, b), domain: Domain::List(list), .. }) = potential.repeated else {
        panic!()
    };
    assert_eq!((a.text.as_str(), b.text.as_str(), print(&list).as_str()), ("a", "b", "planets"));
}

#[test]
fn forces_act_on_a_target_at_a_point() {
    let text =
        "force on car[i].chassis at car[i].point(0, 1, 0) = thrust * up_down * car1.vector(0, 1, 0)\n  - drag * v";
    let ItemKind::Force(force) = only_item(text) else { panic!() };
    assert_eq!(print(&force.target), "car[i].chassis");
    assert_eq!(force.at.as_ref().map(print), Some("car[i].point(0, 1, 0)".to_string()));
    assert_eq!(print(&force.value), "thrust * up_down * car1.vector(0, 1, 0) - drag * v");
}

#[test]
fn equations_keep_label_and_sides() {
    let text = "always linked[i]: |car[i].chassis.position - car[i+1].chassis.position| == 4 [m]";
    let ItemKind::Always(equation) = only_item(text) else { panic!() };
    let label = equation.label.clone().expect("a label");
    assert_eq!((label.text.as_str(), print_all(&label.indices)), ("linked", vec!["i".to_string()]));
    assert_eq!(print(equation.sides().unwrap().0), "|car[i].chassis.position - car[i + 1].chassis.position|");
    assert_eq!(print(equation.sides().unwrap().1), "4 [m]");
}

#[test]
fn loops_hold_statements() {
    let text = "for i in 1..n + 1 {\n  for b in planets { trace b }\n  body bead[i] in ring[i] { mass = 1 [g] }\n}";
    let ItemKind::For(outer) = only_item(text) else { panic!() };
    let Domain::Range { first, last } = &outer.quantifier.domain else { panic!() };
    assert_eq!((print(first).as_str(), print(last).as_str()), ("1", "n + 1"));
    assert_eq!(outer.items.len(), 2);
}

#[test]
fn pictures_have_a_subject_and_clauses() {
    let clauses = |text: &str| {
        let (ItemKind::Show(view) | ItemKind::Camera(view) | ItemKind::Light(view) | ItemKind::Trace(view)) =
            only_item(text)
        else {
            panic!("{text}")
        };
        let subject = view.subject.as_ref().map_or_else(String::new, print);
        let file = view.file.map_or_else(String::new, |file| format!(" <{}>", file.value));
        let clauses = view.clauses.iter().map(|c| format!(" | {} {}", c.word.text, print(&c.value)));
        format!("{subject}{file}{}", clauses.collect::<String>())
    };
    assert_eq!(clauses("show sphere(8 [cm]) on bob color \"tomato\""), "sphere(8 [cm]) | on bob | color \"tomato\"");
    assert_eq!(clauses("show mesh \"car.glb\" on car"), "mesh <car.glb> | on car");
    assert_eq!(clauses("light sun from (1, 1, 3)"), "sun | from (1, 1, 3)");
    assert_eq!(clauses("light from (1, 1, 3)"), " | from (1, 1, 3)");
    let chase = "camera chase on car1 at (0, -8, 3) looking at car1";
    assert_eq!(clauses(chase), "chase | on car1 | at (0, -8, 3) | looking at car1");
    assert_eq!(clauses("trace bob"), "bob");
}

#[test]
fn libraries_and_drawn_scenes_are_used() {
    assert!(matches!(only_item("use particles"), ItemKind::Use(Use::Theory(word)) if word.text == "particles"));
    let used = |text: &str| match only_item(text) {
        ItemKind::Use(Use::File(used)) => *used,
        other => panic!("{other:?}"),
    };
    let drawn = used("use scene \"a.glb\" as track");
    assert_eq!((drawn.what, drawn.file.value.as_str(), drawn.name.text.as_str()), (FileSort::Scene, "a.glb", "track"));
    assert!(drawn.place.is_none() && !drawn.is_floating);
    let robot = used("use robot \"dog.urdf\" as dog in yard.lawn floating");
    assert!(robot.what == FileSort::Robot && robot.place.is_some() && robot.is_floating);
    // A theory may have the name of a sort of files.
    assert!(matches!(only_item("use robot"), ItemKind::Use(Use::Theory(word)) if word.text == "robot"));
}

#[test]
fn comments_above_a_statement_document_it() {
    let tree = tree("// far\n\n// The bob,\n//   of lead.\nbody bob { mass = 1 } // beside\nbody c");
    assert_eq!(tree.items[0].documentation.as_deref(), Some("The bob,\nof lead."));
    assert_eq!(tree.items[1].documentation, None);
}

#[test]
fn modes_have_values_and_a_start() {
    let ItemKind::Mode(mode) = only_item("mode car1.state: cruising | braking = braking") else { panic!() };
    let values: Vec<&str> = mode.values.iter().map(|value| value.text.as_str()).collect();
    assert_eq!((mode.name.text.as_str(), values), ("car1.state", vec!["cruising", "braking"]));
    assert_eq!(mode.start.map(|start| start.text), Some("braking".to_string()));
    let ItemKind::Mode(mode) = only_item("mode heater: on | off = on") else { panic!() };
    assert_eq!((mode.values[0].text.as_str(), mode.start.map(|start| start.text)), ("on", Some("on".to_string())));
    let ItemKind::When(when) = only_item("when cold: heater == on and not (lamp == on) {}") else { panic!() };
    assert_eq!(print(&when.guard), "heater == on and not lamp == on");
    let ItemKind::Mode(mode) = only_item("mode m: a") else { panic!() };
    assert!(mode.start.is_none() && mode.values.len() == 1);
}

#[test]
fn transitions_have_a_guard_and_effects() {
    let text = "when land: gap <= 0 and m == a {\n  m == b; v == -e * pre(v)\n  keep all except v, w\n\
                satisfy velocity constraints\n  satisfy position constraints\n}";
    let ItemKind::When(when) = only_item(text) else { panic!() };
    assert_eq!((when.name.text.as_str(), print(&when.guard).as_str()), ("land", "gap <= 0 and m == a"));
    let effects = when.effects.iter().map(|effect| match &effect.kind {
        EffectKind::Equation(equation) => {
            let (left, right) = equation.sides().expect("two sides");
            format!("{} == {}", print(left), print(right))
        }
        EffectKind::Keep { what, except } => format!("keep {:?} but {:?}", print_all(what), print_all(except)),
        EffectKind::Satisfy(level) => format!("{level:?}"),
    });
    let expected = ["m == b", "v == -e * pre(v)", "keep [\"all\"] but [\"v\", \"w\"]", "Velocities", "Positions"];
    assert_eq!(effects.collect::<Vec<_>>(), expected);
}

#[test]
fn plans_choose_begin_and_aim() {
    let text = "plan fire when near {\n  choose v: vec [m/s] from (0, 0, 1)\n  choose ship.time: [s]\n  begin { keep all }\n\
                until x >= 1 aim g == h { keep all }\n  after 2 [s] aim a == b, c == d and e == f { m == rest }\n}";
    let ItemKind::Plan(plan) = only_item(text) else { panic!() };
    let choices: Vec<&str> = plan.choices.iter().map(|choice| choice.name.text.as_str()).collect();
    assert_eq!(choices, ["v", "ship.time"]);
    assert_eq!(plan.choices[0].seed.as_ref().map(print), Some("(0, 0, 1)".to_string()));
    let [PhaseEnd::Until(condition), PhaseEnd::After(duration)] = [&plan.phases[0].end, &plan.phases[1].end] else {
        panic!()
    };
    assert_eq!((print(condition).as_str(), print(duration).as_str()), ("x >= 1", "2 [s]"));
    assert_eq!(plan.phases.iter().map(|phase| phase.aims.len()).collect::<Vec<_>>(), [1, 3]);
}

/// A formula in few words.
fn told(formula: &Formula) -> String {
    match formula {
        Formula::Holds(condition) => print(condition),
        Formula::Always(one) => format!("G({})", told(one)),
        Formula::Eventually(one) => format!("F({})", told(one)),
        Formula::Next(one) => format!("X({})", told(one)),
        Formula::Until(one, other) => format!("({} U {})", told(one), told(other)),
        Formula::Implies(one, other) => format!("({} => {})", told(one), told(other)),
        Formula::And(one, other) => format!("({} & {})", told(one), told(other)),
        Formula::Or(one, other) => format!("({} + {})", told(one), told(other)),
        Formula::Not(one) => format!("!{}", told(one)),
    }
}

#[test]
fn claims_are_formulas_of_conditions() {
    for (text, expected) in [
        ("always a >= 0", "G(a >= 0)"),
        ("always a >= 0 and b < 1", "G(a >= 0 and b < 1)"),
        ("always (a >= 0) and b < 1", "G(a >= 0 and b < 1)"),
        ("always a implies eventually b", "G((a => F(b)))"),
        ("always (a implies b)", "G((a => b))"),
        ("(always a) implies b", "(G(a) => b)"),
        ("a until b", "(a U b)"),
        ("always ((a or c) implies next b)", "G((a or c => X(b)))"),
        ("eventually always f(until: 1) > 0", "F(G(f(until: 1) > 0))"),
        ("not eventually a >= 0", "!F(a >= 0)"),
        ("not a >= 0 and b < 1", "not a >= 0 and b < 1"),
        ("not (a until b)", "!(a U b)"),
        ("not not next a", "!!X(a)"),
        ("a and next b", "(a & X(b))"),
        ("a and b and next c", "(a and b & X(c))"),
        ("(a until b) and eventually c", "((a U b) & F(c))"),
        ("(a until b) and c or always d", "(((a U b) & c) + G(d))"),
        ("always (a and next b or c)", "G((a & X(b or c)))"),
        ("a and next b until c", "(a & X((b U c)))"),
        ("always next >= 3 and t <= next", "G(next >= 3 and t <= next)"),
        ("always (next - t) / 2 <= 3", "G((next - t) / 2 <= 3)"),
    ] {
        let ItemKind::Claim(claim) = only_item(&format!("claim c: {text}")) else { panic!("{text}") };
        assert_eq!(told(&claim.formula), expected, "{text}");
    }
}

#[test]
fn spans_cover_what_they_name() {
    let text = "param θ = (1 + 2) [deg]  \"angle\"";
    let ItemKind::Param(param) = only_item(text) else { panic!() };
    assert_eq!(&text[param.name.span.range()], "θ");
    assert_eq!(&text[param.value.span.range()], "(1 + 2) [deg]");
    let ExprKind::Quantity { value, unit } = &param.value.kind else { panic!() };
    assert_eq!((&text[value.span.range()], &text[unit.span.range()]), ("(1 + 2)", "deg"));
}
