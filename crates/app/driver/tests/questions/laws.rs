//! Which laws are chosen, which give way, and what is said where none is left.

use driver::{Options, Run, Settings, compile, play};

use crate::{asked, close, example};

#[test]
fn assumptions_that_contradict_each_other_are_both_named() {
    let (_, found) =
        asked("x: [m]\nalways x == 1 [m]\nassume low: x < 2 [m]\nassume high: x > 3 [m]\nfind x", &[], &[]);
    assert_eq!(found, ["contradicting-assumptions: `low` and `high` contradict each other"]);
}

#[test]
fn words_choose_laws_and_laws_can_be_neglected() {
    let text = "kind spring { k: constant [N/m] = 2 [N/m]; x: [m] in [-10, 10]; force: sum [N] }\n\
                law balance for s: spring { s.force == 3 [N] }\n\
                law linear for s: spring { s.force += s.k * s.x }\n\
                law stiff for s: spring instead of linear assuming stiffening { s.force += s.k * s.x * (1 + s.x^2 / 1 [m^2]) }\n\
                law friction for s: spring { s.force += 1 [N] }\n\
                s: spring\n";
    let value = |more: &str| asked(&format!("{text}{more}\nfind s.x"), &[], &[]).0.answers[0].value[0];
    close(value(""), 1.0, 1e-14);
    close(value("neglect friction"), 1.5, 1e-14);
    // x + x³ = 1
    close(value("assume stiffening"), 0.682_327_803_828_019_3, 1e-14);
}

/// Exports and sliders give a program other values than it was compiled with: the law that then holds takes over at the start.
#[test]
fn the_law_at_the_start_follows_the_values() {
    let text = example("sailboat_from_rest")
        .replace("initially boat.speed == 0 [ft/s]", "param start = 0 [ft/s]\ninitially boat.speed == start");
    let options = Options { probes: vec!["boat.speed".into()], tolerance: 1e-10, ..Options::default() };
    let run = |compiled_with: &[&str], played_with: &[&str]| {
        let settings = |list: &[&str]| Settings {
            parameters: list.iter().map(|it| it.to_string()).collect(),
            ..Settings::default()
        };
        let options = Options { tried_with: settings(compiled_with), ..options.clone() };
        let compilation = compile("sailboat", &text, &options);
        let mut last = 0.0;
        let plan = Run { until: 20.0, every: 20.0, tolerance: 1e-10 };
        let played = play(&compilation, &options, &settings(played_with), Some(plan), |_, values| last = values[0]);
        assert!(!played.diagnostics.has_errors(), "{:?}", played.diagnostics.sorted());
        (last, played.events.iter().map(|event| (event.t, event.name.clone())).collect::<Vec<_>>())
    };
    let (wanted, none) = run(&["start=8"], &["start=8"]);
    assert!(none.is_empty(), "{none:?}");
    let (found, events) = run(&[], &["start=8"]);
    assert_eq!(events, [(0.0, "lift(hull, water) instead of gentle_lift(hull, water)".to_string())]);
    close(found, wanted, 1e-9);
    let (wanted, _) = run(&[], &["start=3"]);
    let (found, events) = run(&["start=8"], &["start=3"]);
    assert_eq!(events[0], (0.0, "gentle_lift(hull, water) instead of lift(hull, water)".to_string()));
    close(found, wanted, 1e-9);
}

#[test]
fn of_several_ways_the_one_with_fewest_laws_is_taken() {
    let text = "kind part { x: [m]; y: [m]; z: [m] }\n\
                law about_y for p: part { p.y == 2 * p.z }\n\
                law around for p: part { p.x == p.y + p.z }\n\
                law straight for p: part { p.x == 3 * p.z }\n\
                p: part\nfind p.x given p.z == 1 [m]\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(answers.answers[0].value[0], 3.0, 1e-12);
    let used: Vec<&str> = answers.laws.iter().map(|law| law.name.as_str()).collect();
    assert_eq!(used, ["straight(p)"]);
}

/// A thousand laws: in a chain, of a thousand kinds, and of one phenomenon; each question takes the few that it needs.
#[test]
fn of_a_thousand_laws_few_are_taken() {
    let many = |each: &dyn Fn(usize) -> String| (0..1000).map(each).collect::<String>();
    let quantities = many(&|i| format!("q{i}: [m]\n"));
    let chain = many(&|i| format!("law step{i} for p: part {{ p.q{} == 2 * p.q{i} }}\n", i + 1));
    let chain = format!("kind part {{ {quantities} q1000: [m] }}\n{chain}p: part\nfind p.q3 given p.q0 == 1 [m]\n");
    let kinds =
        many(&|i| format!("kind part{i} {{ a: [m]; b: [m] }}\nlaw step{i} for p: part{i} {{ p.b == 2 * p.a }}\n"));
    let kinds = format!("{kinds}p: part7\nfind p.b given p.a == 1 [m]\n");
    let rivals = many(&|i| {
        let instead = if i == 0 { "" } else { "instead of step0" };
        format!("law step{i} for p: part {instead} assuming word{i} {{ p.b == {} * p.a }}\n", i + 2)
    });
    let rivals =
        format!("kind part {{ a: [m]; b: [m] }}\n{rivals}p: part\nassume word7\nfind p.b given p.a == 1 [m]\n");
    for (text, value, laws) in [
        (chain, 8.0, vec!["step0(p)", "step1(p)", "step2(p)"]),
        (kinds, 2.0, vec!["step7(p)"]),
        (rivals, 9.0, vec!["step7(p)"]),
    ] {
        let (answers, found) = asked(&text, &[], &[]);
        assert!(found.is_empty(), "{found:?}");
        close(answers.answers[0].value[0], value, 1e-12);
        let used: Vec<&str> = answers.laws.iter().map(|law| law.name.as_str()).collect();
        assert_eq!(used, laws);
    }
}

/// x³ − 4x = 1: what is given is a point, within which nothing lies, and all roots are proven all the same.
#[test]
fn all_roots_beside_a_given_value_are_proven() {
    let text = "scene r\nkind thing { x: [m] in [-10, 10]; y: [m] }\nb: thing\n\
                assume curve: b.y == b.x^3 / 1 [m^2] - 4 * b.x\nfind b.x given b.y == 1 [m]\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(answers.answers.len(), 3);
    for answer in &answers.answers {
        let x = answer.value[0];
        assert!(answer.complete && (x * x * x - 4.0 * x - 1.0).abs() < 1e-12, "{answer:?}");
    }
}

/// Where everything rests, what was is what is; whether it comes to rest is not told by a state.
#[test]
fn a_steady_answer_does_not_depend_on_delays() {
    let text = "scene s\nkind tank { level: real in [-5, 5] }\n\
                law flow for a: tank { der(a.level) == (1 - 4 * a.level(t - 0.5 [s])) / 1 [s] }\na: tank\nhistory a.level == 2\n\
                find a.level given steady(a)";
    let (answers, _) = asked(text, &[], &[]);
    let found = &answers.answers[0];
    close(found.value[0], 0.25, 1e-12);
    assert_eq!(found.stable, None);
}

/// Ten phenomena with two laws each: of more than a thousand choices a few are looked at, and the one that holds is found.
#[test]
fn many_choices_between_laws_are_not_tried_one_by_one() {
    let parts: String = (0..10).map(|i| format!("p{i}: part\n")).collect();
    let given: Vec<String> = (0..10).map(|i| format!("p{i}.y == {} [m]", i + 4)).collect();
    let asked_for: Vec<String> = (0..10).map(|i| format!("p{i}.x")).collect();
    let text = format!(
        "kind part {{ x: [m] in [-10, 10]; y: [m] }}\n\
         law below for p: part assuming p.x < 0 [m] {{ p.y == 2 * p.x + 3 [m] }}\n\
         law above for p: part instead of below assuming p.x >= 0 [m] {{ p.y == p.x + 3 [m] }}\n\
         {parts}find {} given {}\n",
        asked_for.join(", "),
        given.join(", ")
    );
    let (answers, found) = asked(&text, &[], &[]);
    assert!(found.is_empty(), "{found:?} {:?}", answers.dead_ends);
    let values: Vec<f64> = answers.answers.iter().map(|it| it.value[0]).collect();
    assert_eq!(values, (1..=10).map(f64::from).collect::<Vec<_>>());
    assert!(answers.answers.iter().all(|it| it.complete));
    assert_eq!(answers.tried.len(), 10, "each law that fails is told once: {:?}", answers.tried);
    assert!(answers.tried.iter().all(|it| it.name.starts_with("below(") && it.reason.contains("fails there")));
}

/// What is asked of one thing does not depend on the laws of another, and is told once.
#[test]
fn laws_of_other_things_are_not_chosen_for_a_question() {
    let text = "use fluids\noil: medium { density = 900 [kg/m^3]; viscosity = 0.1 [Pa*s] }\n\
                a: ball(oil) { radius = 0.03 [mm]; density = 2500 [kg/m^3] }\nb: ball(oil) { radius = 3 [mm]; density = 2500 [kg/m^3] }\n\
                initially a.speed == 0\ninitially b.speed == 0\nfind a.speed given steady(a)\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    let [one] = &answers.answers[..] else { panic!("{answers:?}") };
    close(one.value[0], 2.0 / 9.0 * 1600.0 * 9.81 * 9e-10 / 0.1, 1e-12);
    assert!(answers.tried.iter().all(|it| it.name.ends_with("(a)")), "{:?}", answers.tried);
}

/// The first law leads out of a range, to no root, or to a contradiction: it is given up for the next, and that is told.
#[test]
fn a_law_that_leads_to_nothing_is_given_up_for_the_next() {
    for (first, value) in [
        ("p.x == p.y - 5 [m]", 3.0),
        ("p.x^2 == -p.y^2", 3.0),
        ("p.x == p.y - 1 [m]\np.x == p.y", 3.0),
        // Nobody says what `z` is.
        ("p.x == p.y - p.z", 3.0),
    ] {
        let text = format!(
            "kind part {{ x: [m] in [0, 10]; y: [m]; z: [m] }}\n\
             law first for p: part assuming p.y < 100 [m] {{ {first} }}\n\
             law second for p: part instead of first {{ p.x == p.y + 1 [m] }}\n\
             p: part\nfind p.x given p.y == 2 [m]\n"
        );
        let (answers, found) = asked(&text, &[], &[]);
        assert!(found.is_empty() && answers.dead_ends.is_empty(), "{first}: {found:?} {:?}", answers.dead_ends);
        let [one] = &answers.answers[..] else { panic!("{first}: {answers:?}") };
        close(one.value[0], value, 1e-12);
        let tried: Vec<String> = answers.tried.iter().map(|it| format!("{}: {}", it.name, it.reason)).collect();
        assert!(tried.iter().any(|it| it.contains("it is given up for `second(p)`")), "{first}: {tried:?}");
        assert_eq!(answers.laws.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["second(p)"]);
        assert_eq!(answers.unused[0].name, "first(p)");
    }
    // Where the first law leads to something, the next is never taken.
    let text = "kind part { x: [m] in [0, 10]; y: [m] }\nlaw first for p: part assuming p.y < 100 [m] { p.x == p.y }\n\
                law second for p: part instead of first { p.x == p.y + 1 [m] }\np: part\nfind p.x given p.y == 2 [m]\n";
    let (answers, _) = asked(text, &[], &[]);
    assert_eq!(answers.answers.iter().map(|it| it.value[0]).collect::<Vec<_>>(), [2.0]);
}

/// What a question does without is left out of its equations, and of runs.
#[test]
fn laws_and_assumptions_can_be_done_without() {
    let text = "kind spring { x: [m] in [-10, 10]; v: [m/s]; force: sum [N] }\n\
                law balance for s: spring { 1 [kg] * der(s.v) == s.force }\nlaw speed for s: spring { der(s.x) == s.v }\n\
                law weight for s: spring { s.force += 9 [N] }\nlaw linear for s: spring { s.force += -4 [N/m] * s.x }\n\
                law push for s: spring { s.force += 3 [N] }\n\
                s: spring\nassume known: s.x < 5 [m]\ninitially s.x == 0\ninitially s.v == 0\n";
    let steady = format!("{text}find s.x given steady(s)\n");
    close(asked(&steady, &[], &[]).0.answers[0].value[0], 3.0, 1e-12);
    close(asked(&steady, &[], &["push"]).0.answers[0].value[0], 2.25, 1e-12);
    close(asked(&steady, &[], &["push(s)"]).0.answers[0].value[0], 2.25, 1e-12);
    let (answers, _) = asked(&steady, &[], &["push", "known"]);
    assert!(answers.assumptions.iter().all(|it| it.name != "known"), "{:?}", answers.assumptions);
    assert!(answers.unused.iter().any(|it| it.name == "push(s)" && it.reason == "asked to do without it"));
    // x = w/k (1 - cos 2t): the run goes without it too, and beyond what was assumed.
    let (answers, found) = asked(&format!("{text}find max s.x over 3 [s]\n"), &[], &["push"]);
    assert!(found.is_empty(), "{found:?}");
    close(answers.answers[0].value[0], 4.5, 1e-9);
    let (answers, _) = asked(&format!("{text}find max s.x over 3 [s]\n"), &[], &["known"]);
    close(answers.answers[0].value[0], 6.0, 1e-9);
    let (_, found) = asked(&steady, &[], &["pusch"]);
    assert_eq!(found, ["unknown-setting: the scene has no assumption and no law `pusch`"]);
}

/// A law whose quantities nobody can determine is left out of a run, as it is of an answer, and that is said.
#[test]
fn what_nobody_can_determine_is_left_out_of_a_run() {
    let text = "kind ball { x: [m]; v: [m/s]; temperature: [K] in [0, 1e4]; heat: [W]; glow: vec [W]; idle: [1] }\n\
                law speed for b: ball { der(b.x) == b.v }\nlaw spring for b: ball { der(b.v) == -4 [1/s^2] * b.x }\n\
                law glowing for b: ball { b.glow == (3 [W/K] * b.temperature, b.heat, 0 [W]) }\n\
                b: ball\ninitially b.x == 1 [m]\ninitially b.v == 0\n";
    let (answers, found) = asked(&format!("{text}find b.x over 1 [s]\n"), &[], &[]);
    assert!(found.is_empty() && answers.dead_ends.is_empty(), "{found:?} {:?}", answers.dead_ends);
    close(answers.answers[0].value[0], libm::cos(2.0), 1e-9);
    assert!(answers.unused.iter().any(|it| it.name == "glowing(b)" && it.reason.contains("nobody asks")));
    let compilation = compile("scene", &format!("{text}plot b.x\n"), &Options::default());
    let told: Vec<&str> = compilation.diagnostics.iter().map(|it| it.code.0).collect();
    assert_eq!(told, ["left-out"]);
    // Whoever asks for it gets to know what is missing: by a plot, a start, a picture, an equation of the scene, or what moves.
    for asks in [
        "plot b.glow",
        "initially b.temperature == 300 [K]",
        "show sphere(1 [m/K] * b.temperature)",
        "always b.glow.x == b.heat",
        "claim cool: always b.temperature < 500 [K]",
        "stop when b.heat > 1 [W]",
    ] {
        let compilation =
            compile("scene", &format!("{text}{asks}\n"), &Options { picture: true, ..Options::default() });
        let told: Vec<&str> = compilation.diagnostics.iter().map(|it| it.code.0).collect();
        assert!(compilation.stages.is_none() && told.contains(&"under-determined"), "{asks}: {told:?}");
    }
    // With a law that says what it is, nothing is left out.
    let more = "law warm for b: ball { b.temperature == 300 [K] }\nlaw cold for b: ball { b.heat == 1 [W] }\nalways b.idle == 2\nplot b.glow\n";
    let compilation = compile("scene", &format!("{text}{more}"), &Options::default());
    assert!(compilation.stages.is_some() && compilation.diagnostics.iter().next().is_none());
}

/// Where a law takes over, what moves goes on from where it was; a law that says otherwise is told.
#[test]
fn continuity_is_checked_where_a_law_takes_over() {
    let told = |fast: &str| {
        let text = format!(
            "kind part {{ x: [m]; v: [m/s] }}\nlaw moving for p: part {{ der(p.x) == p.v }}\n\
             law slow for p: part assuming p.x <= 0.5 [m] {{ der(p.v) == 1 [m/s^2] }}\n\
             law fast for p: part instead of slow assuming p.x > 0.5 [m] {{ {fast} }}\n\
             p: part\ninitially p.x == 0\ninitially p.v == 0\nplot p.v\n"
        );
        let options = Options::default();
        let compilation = compile("scene", &text, &options);
        let plan = Run { until: 2.0, every: 1.0, tolerance: 1e-8 };
        let played = play(&compilation, &options, &Settings::default(), Some(plan), |_, _| {});
        assert_eq!(played.events.len(), 1, "{:?}", played.events);
        close(played.events[0].t, 1.0, 1e-9);
        played.diagnostics.iter().map(|it| it.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told("der(p.v) == 3 [m/s^2]"), [""; 0]);
    assert_eq!(told("p.v == 1 [m/s] + 3 [1/s] * (p.x - 0.5 [m])"), [""; 0], "it says so itself");
    assert_eq!(told("p.v == 3 [m/s]"), ["at t = 1 s, fast(p) instead of slow(p): `p.v` jumps from 1 to 3"]);
}

#[test]
fn a_law_without_a_value_at_the_start_is_refused() {
    let text = "kind part { x: [m] }\nlaw flow for p: part assuming p.x >= 0 [m] { der(p.x) == 1 [m^2/s] / p.x }\n\
                law calm for p: part instead of flow { der(p.x) == 1 [m/s] }\np: part\ninitially p.x == 0\nplot p.x\n";
    let told = |text: &str| {
        let compilation = compile("scene", text, &Options::default());
        compilation.diagnostics.iter().map(|it| it.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told(text), ["what `flow(p)` says has no value at the start"]);
    assert_eq!(told(&text.replace("x >= 0", "x > 0")), [""; 0]);
    assert_eq!(told(&text.replace("p.x == 0", "p.x == 1 [m]")), [""; 0]);
}

/// More laws of one phenomenon than values can decide between are refused, not followed without end.
#[test]
fn too_many_laws_between_which_values_decide_are_refused() {
    let rival = |i: usize| {
        let instead = if i == 0 { "" } else { "instead of step0" };
        format!("law step{i} for p: part {instead} assuming p.b > {i} [m] {{ p.b == {} * p.a }}\n", i + 2)
    };
    let laws: String = (0..200).map(rival).collect();
    let text = format!("kind part {{ a: [m]; b: [m] }}\n{laws}p: part\nfind p.b given p.a == 1 [m]\n");
    let (_, found) = asked(&text, &[], &[]);
    assert!(found[0].starts_with("too-large: 200 laws describe what `step0` does"), "{found:?}");
}

/// Springs in series, heat through a wall, a diode behind a resistor, a throw at an angle, each with a closed form or a check by its own equation.
#[test]
fn questions_of_textbooks_have_their_answers() {
    let series = "kind line { k: constant [N/m]; x: [m] in [-10, 10]; pull: [N]; pull == k * x }\n\
                  a: line { k = 120 [N/m] }\nb: line { k = 80 [N/m] }\nassume series: a.pull == b.pull\n\
                  assume together: a.x + b.x == 0.25 [m]\nfind a.pull\n";
    close(asked(series, &[], &[]).0.answers[0].value[0], 0.25 * 120.0 * 80.0 / 200.0, 1e-12);
    let wall = "use thermal\nhot: store { capacity = 1 [kJ/K] }\ncold: store { capacity = 2 [kJ/K] }\n\
                yard: surroundings { temperature = 268 [K] }\nw: wall(hot, cold) { conductance = 7 [W/K] }\n\
                s: surface(cold, yard) { area = 2 [m^2] }\nlaw heating for s: store if s is hot { s.heat += 350 [W] }\n\
                initially hot.temperature == 290 [K]\ninitially cold.temperature == 280 [K]\n\
                find hot.temperature given steady(hot), steady(cold)\n";
    close(asked(wall, &[], &[]).0.answers[0].value[0], 268.0 + 350.0 / 20.0 + 350.0 / 7.0, 1e-12);
    let diode = "use circuits\nground: node\na: node\nb: node\nalways ground.voltage == 0\n\
                 src: voltage_source(a, ground) { voltage = 5 [V] }\nr: resistor(a, b) { resistance = 1 [kohm] }\n\
                 d: diode(b, ground)\nfind d.drop\n";
    let drop = asked(diode, &[], &[]).0.answers[0].value[0];
    close(1e-12 * (libm::exp(drop / 0.02585) - 1.0), (5.0 - drop) / 1000.0, 1e-9);
    let angle = 35.0_f64.to_radians();
    let throw = "gravity 9.81 [m/s^2]\nbody stone { position = (free, 0, free); mass = 0.3 [kg] }\n\
                 initially stone.position == (0, 0, 0) [m]\ninitially stone.velocity == 23 [m/s] * (cos(35 [deg]), 0, sin(35 [deg]))\n\
                 find stone.position.x when stone.position.z < 0\nfind max stone.position.z over 3 [s]\n";
    let (answers, found) = asked(throw, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(answers.answers[0].value[0], 23.0 * 23.0 * libm::sin(2.0 * angle) / 9.81, 1e-9);
    close(
        answers.answers[1].value[0],
        {
            let up = 23.0 * libm::sin(angle);
            up * up
        } / 2.0
            / 9.81,
        1e-9,
    );
    assert_eq!(answers.compositions[1].unknowns, 4, "what watches for the extreme is no unknown");
}

/// A law that adds nothing to a sum is a law all the same: that nothing is added holds only where it does.
#[test]
fn a_law_that_adds_nothing_has_to_hold_too() {
    let scene = |weightless: &str| {
        format!(
            "kind part {{ x: [m] in [0, 10]; z: [m]; force: sum [N] }}\nlaw balance for p: part {{ p.force == 0 [N] }}\n\
             law spring for p: part {{ p.force += -2 [N/m] * p.x }}\n\
             law weightless for p: part assuming {weightless} {{ p.z == 0 [m] }}\n\
             law weight for p: part instead of weightless {{ p.force += 3 [N] }}\np: part\nfind p.x\n"
        )
    };
    let (answers, _) = asked(&scene("p.x > 5 [m]"), &[], &[]);
    assert_eq!(answers.answers.iter().map(|it| it.value[0]).collect::<Vec<_>>(), [1.5]);
    assert!(answers.laws.iter().any(|it| it.name == "weight(p)"));
    assert_eq!(answers.tried[0].name, "weightless(p)");
    let (answers, _) = asked(&scene("p.x < 5 [m]"), &[], &[]);
    assert_eq!(answers.answers.iter().map(|it| it.value[0]).collect::<Vec<_>>(), [0.0]);
    assert!(answers.laws.iter().any(|it| it.name == "weightless(p)"), "{:?}", answers.laws);
    assert!(answers.assumptions.iter().any(|it| it.name.starts_with("p.x < 5 [m]") && it.margin == Some(5.0)));
}

/// 12 = k x beyond 5 m, 3 + x / 10 = k x up to there: each answer says by which law, and a law that one value of k needs is among those used.
#[test]
fn answers_by_different_laws_say_so() {
    let text = "param k = 2 [N/m]\nkind part { x: [m] in [0, 10]; force: sum [N] }\nlaw balance for p: part { p.force == 0 [N] }\n\
                law spring for p: part { p.force += -k * p.x }\nlaw far for p: part assuming p.x > 5 [m] { p.force += 12 [N] }\n\
                law near for p: part instead of far assuming p.x <= 5 [m] { p.force += 3 [N] + 0.1 [N/m] * p.x }\np: part\n";
    let (answers, found) = asked(&format!("{text}find p.x\n"), &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    let told: Vec<(f64, &[String])> = answers.answers.iter().map(|it| (it.value[0], &it.by[..])).collect();
    assert_eq!(told, [(6.0, &["far(p)".to_string()][..]), (3.0 / 1.9, &["near(p)".to_string()][..])]);
    let used: Vec<&str> = answers.laws.iter().map(|it| it.name.as_str()).collect();
    assert!(used.contains(&"far(p)") && used.contains(&"near(p)") && answers.unused.is_empty(), "{answers:?}");
    assert_eq!(answers.compositions.len(), 2);
    let (answers, _) = asked(&format!("{text}find p.x for k in 1 [N/m]..3 [N/m] by 0.5 [N/m]\n"), &[], &[]);
    let reason = |law: &str| answers.laws.iter().find(|it| it.name == law).map(|it| it.reason.clone());
    assert_eq!(reason("far(p)").as_deref(), Some("`p.x` follows from it, for k from 1.5 to 2 [N/m]"));
    assert_eq!(reason("near(p)").as_deref(), Some("`p.x` follows from it"));
    // 12 / 2 is nearest to where `far` fails.
    let margin = |law: &str| answers.assumptions.iter().find(|it| it.name.ends_with(law)).and_then(|it| it.margin);
    close(margin("far(p)").expect("a margin"), 1.0, 1e-12);
    close(margin("near(p)").expect("a margin"), 5.0 - 3.0 / 0.9, 1e-12);
}

/// What would close a question is text to write, and writing it closes it: a word, a line less, a connection, a law of the library.
#[test]
fn what_is_suggested_closes_the_question() {
    let word =
        "kind part { x: [m] in [0, 10]; y: [m] }\nlaw bent for p: part assuming elastic { p.x == p.y / 2 }\np: part\n";
    let neglect = "kind sled { speed: [m/s] in [0, 100]; drag: [N]; pull: [N] }\n\
                   law air for s: sled { s.drag == 2 [N*s^2/m^2] * s.speed^2 }\nlaw balance for s: sled { s.pull == s.drag }\ns: sled\n";
    let store = "use thermal\nhot: store { capacity = 1 [kJ/K] }\nyard: surroundings { temperature = 268 [K] }\n\
                 law heating for s: store { s.heat += 350 [W] }\ninitially hot.temperature == 300 [K]\n";
    let ball = "kind ball { force: vec [N]; momentum: vec [kg*m/s] }\nb: ball\n\
                law speeding for b: ball { der(b.momentum) == (2, 0, 0) [N] }\n";
    for (text, left, question, suggestion, value) in [
        (word, "", "find p.x given p.y == 3 [m]", "assume elastic", 1.5),
        (neglect, "neglect air\n", "find s.speed given s.pull == 50 [N]", "drop neglect air", 5.0),
        (
            store,
            "",
            "find hot.temperature given steady(hot)",
            "surface1: surface(hot, yard) { area = 1 [m^2] }",
            268.0 + 350.0 / 10.0,
        ),
        (ball, "", "find b.force.x", "law newton for s: ball { s.force == der(s.momentum) }", 2.0),
    ] {
        let (answers, found) = asked(&format!("{text}{left}{question}\n"), &[], &[]);
        assert!(found.is_empty(), "{question}: {found:?}");
        let suggested: Vec<&str> = answers.dead_ends[0].suggestions.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(suggested.first(), Some(&suggestion), "{question}: {:?}", answers.dead_ends);
        let written = if left.is_empty() { format!("{suggestion}\n") } else { String::new() };
        let (answers, found) = asked(&format!("{text}{written}{question}\n"), &[], &[]);
        assert!(found.is_empty() && answers.dead_ends.is_empty(), "{question}: {found:?} {:?}", answers.dead_ends);
        close(answers.answers[0].value[0], value, 1e-9);
    }
    // x' = 1 has no steady state, which is said of that law alone.
    let runs = "kind part { x: [m] in [0, 10]; y: [m] }\nlaw run for p: part { der(p.x) == 1 [m/s] }\n\
                law twice for p: part { p.y == 2 * p.x }\np: part\nfind p.x given steady(p)\n";
    let (answers, _) = asked(runs, &[], &[]);
    assert!(
        answers.dead_ends[0]
            .message
            .ends_with("`run(p)` cannot hold: nothing in it is left open, and its sides differ")
    );
}

/// What contradicts itself has no answers, however little of it is asked.
#[test]
fn constraints_that_contradict_each_other_are_named() {
    let scene = "body bob { position = (0, free, free); mass = 1 [kg] }\nalways here: bob.position.y == 1 [m]\n\
                 always there: bob.position.y == 2 [m]\n";
    for question in ["find bob.position.y", "find bob.position.z", "find bob.acceleration.z"] {
        let (_, found) = asked(&format!("{scene}{question}\n"), &[], &[]);
        assert_eq!(found, ["contradicting-constraints: `here` and `there` contradict each other"], "{question}");
    }
}

/// A store that nothing cools.
#[test]
fn what_is_heated_for_ever_has_no_steady_state() {
    let heated = "use thermal\ntea: store { capacity = 1 [kJ/K] }\ninitially tea.temperature == 300 [K]\n\
                  law heating for s: store { s.heat += 2000 [W] }\nfind tea.temperature given steady(tea)\n";
    let (answers, found) = asked(heated, &[], &[]);
    let said: Vec<&String> = answers.dead_ends.iter().map(|it| &it.message).chain(&found).collect();
    assert!(
        said.iter().any(|it| it.contains("does not come to a steady state: `tea.temperature` rises by 2 K/s for ever")),
        "{said:?}"
    );
}
