//! What is said of transitions before they happen: each question with each of its three answers, held against runs.

use driver::{Answer, Finding};

use crate::scene::{Scene, assert_same_motion};

/// A car in a plane that goes along x at 1 m/s from the origin, with some more statements.
fn car(more: &str) -> String {
    let car = "body car { position = (free, free, 0); mass = 1 [kg] }\ninitially car.velocity.x == 1 [m/s]\n";
    format!("{car}let x = car.position.x\nlet y = car.position.y\n{more}")
}

fn findings(text: &str) -> Vec<Finding> {
    let scene = Scene::new(text).default_tolerance();
    let compilation = scene.compile();
    let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("{text}\n{:#?}", compilation.diagnostics));
    driver::findings(&stages.model, &driver::Options::default(), &compilation.sources)
}

/// The finding whose words contain some others.
fn finding(text: &str, about: &str) -> Finding {
    let all = findings(text);
    let other = |it: &&&Finding| !about.contains("determine") && it.about.contains("determine the state");
    let found: Vec<&Finding> = all.iter().filter(|it| it.about.contains(about) && !other(&it)).collect();
    let [one] = found[..] else { panic!("{text}\n{about}: {all:#?}") };
    one.clone()
}

/// `one` leads to b, `other` to c, if their conditions hold in the mode a.
fn fork(one: &str, other: &str) -> String {
    car(&format!(
        "mode m: a | b | c\nwhen one: m == a and {one} {{ m == b; keep all }}\n\
         when other: m == a and {other} {{ m == c; keep all }}"
    ))
}

fn answer(one: &str, other: &str) -> Answer {
    finding(&fork(one, other), "one and other").answer
}

#[test]
fn conditions_that_leave_no_room_exclude_one_another() {
    for (one, other) in [
        ("x >= 1 [m]", "x < 1 [m]"),
        ("2 * x >= 2 [m] and y > 0", "x < 1 [m]"),
        ("x >= 0 and x <= 1 [m]", "x >= 2 [m] and x <= 3 [m]"),
        ("x^2 + y^2 <= 1 [m^2]", "y >= 2 [m]"),
        ("|car.position| <= 1 [m]", "x + y >= 1.5 [m]"),
        ("|x| <= 1 [m]", "x < -1 [m]"),
        ("|x| > 1 [m]", "x <= 1 [m] and x >= -1 [m]"),
        ("x * y >= 1 [m^2] and x > 0", "y < 0"),
        ("max(x, y) <= 1 [m]", "x > 1 [m]"),
        ("t <= 1 [s]", "t > 1 [s]"),
        ("not (x >= 1 [m] or y >= 1 [m])", "y >= 1 [m]"),
        ("sin(x / 1 [m]) > 0.5", "x <= 0.5 [m] and x >= 0"),
    ] {
        let found = finding(&fork(one, other), "one and other");
        assert_eq!(
            (found.answer, found.about.as_str()),
            (Answer::Correct, "one and other exclude one another"),
            "{one}; {other}"
        );
        assert_eq!(answer(other, one), Answer::Correct);
    }
}

#[test]
fn parameters_may_be_what_keeps_conditions_apart() {
    let text = |far: &str| format!("param far = {far} [m]\n{}", fork("x >= far", "x <= 1 [m]"));
    let found = finding(&text("2"), "one and other");
    assert_eq!(found.answer, Answer::Correct);
    assert!(found.about.ends_with("with the parameters as they are"), "{}", found.about);
    assert_eq!(finding(&text("0.5"), "one and other").answer, Answer::Unknown);
}

/// Wherever the check says that they disagree, a run that gets there says so too.
#[test]
fn conditions_that_begin_together_and_disagree_are_incorrect() {
    for (one, other, until) in [
        ("x >= 1 [m]", "x >= 1 [m]", 1.5),
        ("x >= 1 [m]", "3 * x >= 3 [m]", 1.5),
        ("x >= 1 [m] and car.velocity.x > 0.5 [m/s]", "x >= 1 [m] and car.velocity.x < 2 [m/s]", 1.5),
        ("t >= 1 [s]", "t >= 1 [s] and x > 0", 1.5),
        ("|car.position| >= 1 [m] and x > 0", "|car.position| >= 1 [m] and y >= 0", 1.5),
        ("|x| >= 1 [m]", "x >= 1 [m]", 1.5),
        ("x * (y + 2 [m]) >= 1 [m^2] and x > 0", "x * (y + 2 [m]) >= 1 [m^2] and y < 1 [m]", 1.5),
        ("1 [m] <= x and x <= 2 [m]", "x >= 1 [m] and y <= 5 [m]", 1.5),
        ("x >= 1 [m] or y >= 1 [m]", "x >= 1 [m]", 1.5),
    ] {
        let text = fork(one, other);
        let found = finding(&text, "one and other");
        assert_eq!(found.answer, Answer::Incorrect, "{one}; {other}: {}", found.about);
        let told = found.diagnostic.expect("what is wrong");
        assert_eq!((told.code.0, told.labels.len(), told.hints.len()), ("rival-transitions", 2, 1));
        assert!(told.notes[0].contains("in the mode m = a"), "{told:#?}");
        let warnings = Scene::new(&text).at(until).warnings;
        assert!(warnings.iter().any(|warning| warning.code.0 == "rival-transitions"), "{one}; {other}: {warnings:?}");
    }
}

/// Only the order of the text keeps these apart at the instant at which the mode is entered.
#[test]
fn conditions_that_always_hold_disagree_at_once() {
    let text = car("mode m: a | b | c | d\nwhen go: m == a and x >= 1 [m] { m == b; keep all }\n\
                    when one: m == b { m == c; keep all }\nwhen other: m == b { m == d; keep all }");
    assert_eq!(finding(&text, "one and other").answer, Answer::Incorrect);
}

#[test]
fn what_happens_together_by_chance_only_is_unknown() {
    for (one, other) in [("x >= 1 [m]", "y >= 1 [m]"), ("x >= 1 [m]", "x >= 2 [m]"), ("x >= 1 [m]", "t >= 2 [s]")] {
        let found = finding(&fork(one, other), "one and other");
        assert_eq!(found.answer, Answer::Unknown);
        assert!(found.about.contains("if both begin at one instant"), "{}", found.about);
    }
}

/// Two ways to the same mode, with some effects.
fn ways(one: &str, other: &str) -> String {
    car(&format!(
        "param e = 0.5\nparam f = 0.5\nparam g = 0.25\nmode m: a | b\n\
         when one: m == a and x >= 1 [m] {{ m == b; {one} }}\nwhen other: m == a and x >= 1 [m] {{ m == b; {other} }}"
    ))
}

#[test]
fn transitions_that_do_the_same_agree() {
    for (one, other) in [
        ("keep all", "keep all"),
        ("keep all", "keep positions; car.velocity == pre(car.velocity)"),
        (
            "keep all except car.velocity.x; car.velocity.x == -e * pre(car.velocity.x)",
            "keep positions; -car.velocity.x == e * pre(car.velocity.x); car.velocity.y == pre(car.velocity.y)",
        ),
        (
            "keep all except car.velocity.x; car.velocity.x == 2 * pre(car.velocity.x)",
            "keep all except car.velocity.x; 0.5 * car.velocity.x == pre(car.velocity.x)",
        ),
    ] {
        let found = finding(&ways(one, other), "one and other");
        assert_eq!(
            (found.answer, found.about.as_str()),
            (Answer::Correct, "one and other leave the same"),
            "{one}; {other}"
        );
        assert_eq!(Scene::new(&ways(one, other)).at(2.0).warnings, []);
    }
    let turns = |by: &str| format!("keep all except car.velocity.x; car.velocity.x == -{by} * pre(car.velocity.x)");
    let found = finding(&ways(&turns("e"), &turns("f")), "one and other");
    assert_eq!(found.about, "one and other leave the same, with the parameters as they are");
    let text = ways(&turns("e"), &turns("g"));
    assert_eq!(finding(&text, "one and other").answer, Answer::Incorrect);
    assert_eq!(Scene::new(&text).at(2.0).warnings.len(), 1);
}

/// Two of a kind, each with its own mode; in either order of the text the motion is the same, although both happen at one instant.
#[test]
fn what_is_no_concern_of_one_another_is_correct() {
    let heaters = "for i in 1..2 {\n  mode heater[i]: on | off\n  inside[i]: [K] = 15 [K]\n  heat[i]: [W]\n\
                   always 40 [J/K] * inside[i]' == heat[i] - 4 [W/K] * inside[i] + 1 [W/K] * (inside[3 - i] - inside[i])\n\
                   always heat[i] == 120 [W] while heater[i] == on\n  always heat[i] == 0 while heater[i] == off\n\
                   when warm[i]: heater[i] == on and inside[i] >= 21 [K] { heater[i] == off }\n\
                   when cold[i]: heater[i] == off and inside[i] <= 19 [K] { heater[i] == on }\n}";
    let ropes = "gravity 9.81 [m/s^2]\nfor i in 1..2 {\n  body bob[i] { position = (i * 1 [m], free(0.5 [m]), free); mass = 1 [kg] }\n\
                 mode rope[i]: slack | taut\n\
                 always bob[i].position.y^2 + bob[i].position.z^2 == 1 [m^2] while rope[i] == taut\n\
                 when tighten[i]: rope[i] == slack and bob[i].position.y^2 + bob[i].position.z^2 >= 1 [m^2] {\n\
                   rope[i] == taut; keep positions; satisfy velocity constraints\n  }\n}";
    let balls = "gravity 9.81 [m/s^2]\nfor i in 1..2 {\n  body ball[i] { position = (i * 1 [m], 0, free(1 [m])); mass = 1 [kg] }\n\
                 when bounce[i]: ball[i].position.z <= 0 and ball[i].velocity.z < 0 {\n\
                   ball[i].velocity.z == -0.8 * pre(ball[i].velocity.z); keep all except ball[i].velocity\n  }\n}";
    for (text, [one, other], probes, until) in [
        (heaters, ["warm[1]", "warm[2]"], ["inside[1]", "inside[2]"], 8.0),
        (ropes, ["tighten[1]", "tighten[2]"], ["bob[1].position.z", "bob[2].position.z"], 1.5),
        (balls, ["bounce[1]", "bounce[2]"], ["ball[1].position.z", "ball[2].position.z"], 1.5),
    ] {
        let found = finding(text, &format!("{one} and {other} are no concern of one another"));
        assert_eq!(found.answer, Answer::Correct);
        let turned = text.replace("[i]", "[3 - i]").replace("[3 - 3 - i]", "[i]");
        let [plain, turned] = [text, &turned].map(|text| Scene::new(text).probe(&probes).run(until, 0.1));
        assert!(plain.events.len() >= 2 && plain.events[0].t == plain.events[1].t, "{:?}", plain.events);
        assert_same_motion(one, &plain, &turned, 1e-9);
        assert_eq!(plain.warnings, []);
    }
    // As soon as one looks at the other, that is not said any more.
    let jealous = heaters.replace("inside[i] <= 19 [K] {", "inside[i] <= 19 [K] and heat[3 - i] < 100 [W] {");
    assert_eq!(finding(&jealous, "cold[1] and cold[2]").answer, Answer::Unknown);
    let tied = format!("{ropes}\nalways bob[1].position.y == bob[2].position.y");
    assert_eq!(finding(&tied, "tighten[1] and tighten[2] m").answer, Answer::Unknown);
}

/// A car that is pushed by one plan, and something else by another whose condition is given.
fn plans(first: &str, other: &str) -> String {
    car(&format!(
        "mode m: a | b | c\nmode n: a | b | c\nplan p when m == a{first} {{\n choose speed: [m/s] from 2 [m/s]\n\
         begin {{ m == b; car.velocity.x == speed; keep all except car.velocity.x }}\n\
         after 2 [s] aim x == 1 [m] {{ m == c; keep all }}\n}}\n\
         plan q when n == a and {other} {{\n choose push: [m/s] from 1 [m/s]\n\
         begin {{ n == b; car.velocity.x == push; keep all except car.velocity.x }}\n\
         after 1 [s] aim x == 3 [m] {{ n == c; keep all }}\n}}"
    ))
}

#[test]
fn a_plan_that_another_is_certain_to_disturb_is_incorrect() {
    for (first, other, when) in [
        ("", "t >= 1 [s]", "at the end of phase 1 at the latest"),
        (" and t >= 0.5 [s]", "t >= 2 [s]", "at the end of phase 1 at the latest"),
        ("", "x >= 0.5 [m]", "at the end of phase 1 at the latest"),
        (
            "",
            "x > 0.3 [m] and x < 1.5 [m] and y^2 < 4 [m^2] + t * 1 [m^2/s] + y^2",
            "at the end of phase 1 at the latest",
        ),
        (" and x <= 0.5 [m]", "x <= 10 [m] and m == b", "begins at once"),
    ] {
        let text = plans(first, other);
        let found = finding(&text, "p is disturbed by q");
        assert_eq!(found.answer, Answer::Incorrect, "{other}");
        assert!(found.about.contains(when), "{other}: {}", found.about);
        let told = found.diagnostic.expect("what is wrong");
        assert_eq!((told.code.0, told.labels.len(), told.hints.len()), ("plan-disturbed", 2, 1));
        let warnings = Scene::new(&text).default_tolerance().at(4.0).warnings;
        assert!(warnings.iter().any(|it| it.code.0 == "plan-disturbed" && it.message.contains("`p`")), "{warnings:?}");
    }
}

#[test]
fn a_plan_that_another_may_disturb_is_unknown() {
    for other in ["x >= 100 [m]", "t >= 2.5 [s]", "y >= 0.5 [m]", "x >= 0.5 [m] and car.velocity.x > 3 [m/s]"] {
        assert_eq!(finding(&plans("", other), "p may be disturbed by q.begin").answer, Answer::Unknown, "{other}");
    }
    // A hand may bring about what rehearsals do not see.
    let text = "control pedal in [-1, 1] = 0\nmode gear: low | high\n".to_string()
        + &plans("", "m == c")
        + "\nwhen shift: gear == low and pedal > 0.5 { gear == high; car.velocity.x == 0; keep all except car.velocity.x }";
    assert!(finding(&text, "p may be disturbed by shift").about.contains("if a control is moved"));
}

#[test]
fn a_plan_that_nothing_disturbs_is_correct() {
    let waits = plans("", "m == c");
    let never = plans("", "x^2 < 0");
    let elsewhere = plans("", "t >= 1 [s]")
        .replace("let y", "body bus { position = (free, 5 [m], 0); mass = 1 [kg] }\nlet y")
        .replace(
            "n == b; car.velocity.x == push; keep all except car.velocity.x",
            "n == b; bus.velocity.x == push; keep all except bus.velocity.x",
        )
        .replace("aim x == 3", "aim bus.position.x == 3");
    for text in [waits, never, elsewhere] {
        assert_eq!(finding(&text, "nothing that p does not foresee disturbs it").answer, Answer::Correct);
        let warnings = Scene::new(&text).default_tolerance().at(4.0).warnings;
        assert!(warnings.iter().all(|it| it.code.0 != "plan-disturbed"), "{warnings:?}");
    }
    let closed = format!("param open = 0\n{}", plans("", "t >= 1 [s] and open > 0.5"));
    let found = finding(&closed, "nothing that p does not foresee disturbs it");
    assert!(found.about.ends_with("with the parameters as they are"), "{}", found.about);
    // Whatever another plan does to the bus is a concern as soon as the car hangs on it.
    let tied = plans("", "t >= 1 [s]")
        .replace("let y", "body bus { position = (free, 5 [m], 0); mass = 1 [kg] }\nlet y")
        .replace(
            "n == b; car.velocity.x == push; keep all except car.velocity.x",
            "n == b; bus.velocity.x == push; keep all except bus.velocity.x",
        )
        .replace("aim x == 3", "aim bus.position.x == 3")
        + "\npotential = 1 [N/m] * (x - bus.position.x)^2";
    assert_eq!(finding(&tied, "p is disturbed by q").answer, Answer::Incorrect);
}

/// The same with quantities and laws of one's own: a charge that one plan lets flow in, and another adds to.
#[test]
fn plans_with_laws_of_ones_own_have_the_same_answers() {
    let text = |touched: &str| {
        format!(
            "charge: [C] = 0 [C]\nother: [C] = 0 [C]\nmode m: a | b | c\nmode n: a | b | c\n\
             always charge' == 0 while m != b\nalways charge' == current while m == b\nalways other' == 0\n\
             plan p when m == a {{\n choose current: [A] from 1 [A]\n begin {{ m == b }}\n\
             after 2 [s] aim charge == 1 [C] {{ m == c }}\n}}\n\
             plan q when n == a and t >= 1 [s] {{\n choose more: [C] from 1 [C]\n\
             begin {{ n == b; {touched} == pre({touched}) + more }}\n\
             after 0.5 [s] aim {touched} == 3 [C] {{ n == c }}\n}}"
        )
    };
    assert_eq!(finding(&text("charge"), "p is disturbed by q").answer, Answer::Incorrect);
    assert_eq!(finding(&text("other"), "nothing that p does not foresee disturbs it").answer, Answer::Correct);
    for (touched, told) in [("charge", 1), ("other", 0)] {
        assert_eq!(Scene::new(&text(touched)).default_tolerance().at(4.0).warnings.len(), told);
    }
}

#[test]
fn modes_that_are_never_reached_are_incorrect() {
    let never = car("mode m: a | b | c\nwhen go: m == a and x >= 1 [m] { m == b; keep all }");
    let found = finding(&never, "m never becomes c");
    assert_eq!(found.diagnostic.map(|told| told.code.0), Some("unreachable-mode"));
    for condition in ["x^2 <= 1 [m^2] and x >= 2 [m]", "t < 0", "sin(x / 1 [m]) > 2", "x > y and y > x", "m == c"] {
        let text = car(&format!(
            "mode m: a | b | c\nwhen go: m == a and x >= 1 [m] {{ m == b; keep all }}\n\
             when next: m == b and {condition} {{ m == c; keep all }}"
        ));
        let found = finding(&text, "m never becomes c");
        let labels = found.diagnostic.expect("what is wrong").labels;
        assert!(labels.iter().any(|label| label.text.contains("this would set it")), "{condition}: {labels:?}");
        assert_eq!(finding(&text, "whether m ever becomes b").answer, Answer::Unknown);
        let table = Scene::new(&text).probe(&["m"]).run(5.0, 0.5);
        assert!(table.column("m").iter().all(|&m| m < 2.0));
    }
}

#[test]
fn transitions_that_contradict_themselves_are_told() {
    let text = car(
        "when never: x <= 0 and x >= 1 [cm] { keep all }\nwhen always: x >= 1 [m] and t < 2 [s] and y > 1 [m] { keep all }",
    );
    let told = findings(&text).into_iter().filter_map(|finding| finding.diagnostic).collect::<Vec<_>>();
    let [never] = &told[..] else { panic!("{told:#?}") };
    assert_eq!(never.code.0, "impossible-transition");
    assert!(never.message.contains("`never`"));
}

#[test]
fn modes_are_reached_for_certain_or_by_the_motion_or_with_other_parameters() {
    let text = car("mode m: a | b | c | d\nwhen go: m == a and t >= 1 [s] { m == b; keep all }\n\
                    when next: m == b { m == c; keep all }\nwhen last: m == c and x >= 10 [m] { m == d; keep all }");
    assert_eq!(finding(&text, "m becomes b or c at some time").answer, Answer::Correct);
    assert_eq!(finding(&text, "whether m ever becomes d depends on the motion").answer, Answer::Unknown);
    assert_eq!(Scene::new(&text).probe(&["m"]).run(2.0, 1.0).column("m"), [0.0, 2.0, 2.0]);
    let closed = format!("param open = 0\n{}", fork("x >= 1 [m] and open > 0.5", "x >= 1 [m] and open < -1"));
    assert_eq!(finding(&closed, "m becomes b or c only with other parameters").answer, Answer::Unknown);
    assert!(findings(&closed).iter().all(|finding| finding.diagnostic.is_none()));
}

#[test]
fn whether_a_transition_determines_what_is_after_it_has_three_answers() {
    let bump = |effects: &str| car(&format!("when bump: x >= 1 [m] and car.velocity.x > 0 {{ {effects} }}"));
    let about = "bump determines the state after it";
    for effects in [
        "car.velocity.x == -1 [m/s]; keep all except car.velocity.x",
        "car.velocity.x + car.velocity.y == -1 [m/s]; car.velocity.x - car.velocity.y == -1 [m/s]; keep positions",
        // Too many equations that agree are as good as enough.
        "car.velocity.x == -1 [m/s]; car.velocity.y == 0; car.velocity.x + car.velocity.y == -1 [m/s]; keep positions",
        "car.velocity.x == -1 [m/s]; keep positions; keep velocities except car.velocity.x; y == pre(y)",
    ] {
        assert_eq!(finding(&bump(effects), about).answer, Answer::Correct, "{effects}");
        assert_eq!(
            Scene::new(&bump(effects)).probe(&["car.velocity"]).at(2.0).last_vector("car.velocity"),
            [-1.0, 0.0, 0.0]
        );
    }
    let turns = bump("car.velocity.x * |car.velocity| == -1 [m^2/s^2]; car.velocity.y == 0; keep positions");
    assert_eq!(finding(&turns, about).answer, Answer::Unknown);
    for (effects, words) in [
        ("car.velocity.x == -1 [m/s]; keep positions", "nothing is said of `car.y'`"),
        (
            "car.velocity.x + car.velocity.y == 0; 2 * car.velocity.x + 2 * car.velocity.y == 0; keep positions",
            "its equations leave",
        ),
        (
            "x * car.velocity.x + x * car.velocity.y == 0; car.velocity.x + car.velocity.y == 0; keep positions",
            "its equations leave",
        ),
        (
            "car.velocity.x == -1 [m/s]; car.velocity.x == -2 [m/s]; car.velocity.y == 0; keep positions",
            "cannot hold together with the rest",
        ),
        ("car.velocity.x == -1 [m/s]; keep all", "the rest determines this already"),
        (
            "car.velocity.x == -1 [m/s]; car.velocity.y == 0; car.velocity.y == pre(x) / 1 [s]; keep positions",
            "the rest determines this already",
        ),
    ] {
        let compilation = Scene::new(&bump(effects)).compile();
        let told: Vec<_> = compilation.diagnostics.iter().filter(|it| it.code.0 == "open-reset").collect();
        let [told] = told[..] else { panic!("{effects}: {:#?}", compilation.diagnostics) };
        assert!(told.labels.iter().any(|label| label.text.contains(words)), "{effects}: {told:#?}");
    }
}

/// What is refused in a mode that is reached later is among the answers.
#[test]
fn a_later_transition_that_leaves_something_open_is_incorrect() {
    let text = car("mode m: a | b\nwhen go: m == a and x >= 1 [m] { m == b; keep all }\n\
                    when bump: m == b and x >= 2 [m] and car.velocity.x > 0 { car.velocity.x == -1 [m/s]; keep positions }");
    assert_eq!(finding(&text, "`bump` does not determine the velocities after it").answer, Answer::Incorrect);
}

/// The examples are right: nothing of them is found to be incorrect.
#[test]
fn examples_are_not_incorrect() {
    for name in crate::scene::example_names() {
        let compilation = Scene::example(&name).default_tolerance().compile();
        let Some(stages) = &compilation.stages else { panic!("{name}") };
        let found = driver::findings(&stages.model, &driver::Options::default(), &compilation.sources);
        let wrong: Vec<&Finding> = found.iter().filter(|finding| finding.answer == Answer::Incorrect).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    }
}
