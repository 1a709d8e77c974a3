//! What transitions mean: when they happen, in which order, and what they leave.

use crate::scene::{Scene, Table, assert_near};

fn names(table: &Table) -> Vec<&str> {
    table.events.iter().map(|event| event.name.as_str()).collect()
}

/// A car that goes along x at 1 m/s from the origin, with some more statements.
fn car(more: &str) -> Scene {
    let car = "body car { position = (free, 0, 0); mass = 1 [kg] }\ninitially car.velocity.x == 1 [m/s]\n";
    Scene::new(&format!("{car}let x = car.position.x\n{more}"))
}

#[test]
fn what_holds_from_the_start_happens_at_once() {
    let table = car("mode m: a | b\nwhen go: m == a and x >= 0 { m == b; keep all }").probe(&["m"]).run(1.0, 1.0);
    assert_eq!(names(&table), ["go"]);
    assert_eq!(table.events[0].t, 0.0);
    assert_eq!(table.column("m"), [1.0, 1.0]);
}

#[test]
fn of_two_at_the_same_instant_the_one_that_stands_first_happens_first() {
    let one = "when one: m == a and x >= 1 [m] { m == b; keep all }\n";
    let other = "when other: m == a and x >= 1 [m] { m == c; keep all }\n";
    let first = |order: [&str; 2]| {
        let table = car(&format!("mode m: a | b | c\n{}{}", order[0], order[1])).probe(&["m"]).at(2.0);
        assert_eq!(table.events.len(), 1);
        assert_near("when", table.events[0].t, 1.0, 1e-12);
        let [rivals] = &table.warnings[..] else { panic!("{:?}", table.warnings) };
        assert_eq!(rivals.code.0, "rival-transitions");
        assert!(rivals.message.contains("t = 1 s"), "{}", rivals.message);
        (table.events[0].name.clone(), table.last("m"))
    };
    assert_eq!(first([one, other]), ("one".to_string(), 1.0));
    assert_eq!(first([other, one]), ("other".to_string(), 2.0));
}

#[test]
fn modes_may_be_many_and_numbered() {
    let text = "for i in 1..3 {\n  mode lamp[i]: dark | lit\n\
                  when switch[i]: lamp[i] == dark and x >= i * 1 [m] and (i == 1 or lamp[max(i - 1, 1)] == lit) {\n\
                    lamp[i] == lit; keep all\n  }\n}";
    let table = car(text).probe(&["lamp[1]", "lamp[2]", "lamp3"]).at(2.5);
    assert_eq!(names(&table), ["switch[1]", "switch[2]"]);
    assert_eq!([table.last("lamp[1]"), table.last("lamp[2]"), table.last("lamp3")], [1.0, 1.0, 0.0]);
}

#[test]
fn both_happen_if_the_second_still_holds() {
    let text = "mode m: a | b\nmode n: a | b\nwhen late: n == a and x >= 1 [m] { n == b; keep all }\n\
                when early: m == a and x >= 1 [m] { m == b; keep all }";
    let table = car(text).probe(&["m", "n"]).at(2.0);
    assert_eq!(names(&table), ["late", "early"]);
    assert_eq!(table.warnings, []);
    assert_eq!(table.events[0].t, table.events[1].t);
}

#[test]
fn transitions_repeat_until_none_holds() {
    let text = "mode m: a | b | c | d\n\
                when third: m == c { m == d; keep all }\n\
                when second: m == b { m == c; keep all }\n\
                when first: m == a and x >= 0.5 [m] { m == b; keep all }";
    let table = car(text).probe(&["m"]).run(1.0, 0.5);
    assert_eq!(names(&table), ["first", "second", "third"]);
    assert!(table.events.iter().all(|event| (event.t - 0.5).abs() < 1e-12), "{:?}", table.events);
    // The row at the time of a transition shows what holds after it.
    assert_eq!(table.column("m"), [0.0, 3.0, 3.0]);
}

#[test]
fn transitions_without_end_are_noticed() {
    let text = "mode m: a | b\nwhen there: m == a and x >= 0.5 [m] { m == b; keep all }\n\
                when back: m == b and x >= 0.5 [m] { m == a; keep all }";
    let found = car(text).trouble(1.0, 0.1);
    assert_eq!(found.code.0, "chattering");
    assert!(found.message.contains("0.5") && found.message.contains("`there`, `back`"), "{}", found.message);
}

/// Many at one instant are none too many if they come to an end; beyond some number the search for it does.
#[test]
fn transitions_repeat_many_times_at_one_instant() {
    let count =
        |most: usize| format!("n: real = 0\nalways n' == 0\nwhen inc: t >= 1 [s] and n < {most} {{ n == pre(n) + 1 }}");
    for most in [50, 900] {
        let table = Scene::new(&count(most)).probe(&["n"]).at(2.0);
        assert_eq!((table.events.len(), table.last("n")), (most, most as f64));
        assert!(table.events.iter().all(|event| (event.t - 1.0).abs() < 1e-12));
    }
    let found = Scene::new(&count(50_000)).trouble(2.0, 2.0);
    assert_eq!(found.code.0, "chattering");
    assert!(found.message.contains("given up after 1000"), "{}", found.message);
}

/// A relay that is switched at x = 0, and the same with a mode for what comes after. x = 0.3 − t + 0.15 (1 − cos 2t) until it is there.
#[test]
fn a_relay_that_chatters_slides() {
    let text = "x: [m] = 0.3 [m]\nu: [m/s]\nalways x' == u + 0.3 [m/s]*sin(2 [1/s]*t)\n\
                always u == -1 [m/s] while c == plus\nalways u == 1 [m/s] while c == minus\n";
    let relay = "mode c: plus | minus\nwhen neg: c == plus and x <= 0 { c == minus }\n\
                 when pos: c == minus and x >= 0 { c == plus }";
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let t: f64 = 0.5 * (low + high);
        let x = 0.3 - t + 0.15 * (1.0 - libm::cos(2.0 * t));
        (low, high) = if x > 0.0 { (t, high) } else { (low, t) };
    }
    for scene in [Scene::new(&format!("{text}{relay}")), Scene::new(&format!("{text}{relay}")).default_tolerance()] {
        let found = scene.trouble(2.0, 0.5);
        assert_eq!(found.code.0, "chattering");
        let time = format!("t = {low:.4}");
        assert!(found.message.contains("take turns") && found.message.contains(&time), "{time}: {}", found.message);
        assert!(found.notes.iter().any(|note| note.contains("sliding")), "{found:#?}");
    }
    let sliding = "mode c: plus | minus | sliding\nalways x == 0 while c == sliding\n\
                   when neg: c == plus and x <= 0 { c == sliding; x == 0 }";
    let table = Scene::new(&format!("{text}{sliding}")).probe(&["x", "u"]).at(2.0);
    assert_near("when", table.events[0].t, low, 1e-11);
    assert_near("what holds it", table.last("u"), -0.3 * libm::sin(4.0), 1e-9);
}

/// Two tanks that run out at 0.5 m/s each, and a tap of 0.95 m/s for the one that is empty: they change ever faster, until both are
/// empty at 2 / (2 · 0.5 − 0.95) = 40 s. (Johansson, Egerstedt, Lygeros, Sastry, 1999.)
#[test]
fn two_that_take_turns_ever_faster_accumulate() {
    let text = "a: [m] = 1 [m]\nb: [m] = 1 [m]\nmode tap: left | right\n\
                always a' == 0.45 [m/s] while tap == left\nalways b' == -0.5 [m/s] while tap == left\n\
                always a' == -0.5 [m/s] while tap == right\nalways b' == 0.45 [m/s] while tap == right\n\
                when to_right: tap == left and b <= 0 { tap == right }\n\
                when to_left: tap == right and a <= 0 { tap == left }";
    let found = Scene::new(text).trouble(100.0, 1.0);
    assert_eq!(found.code.0, "accumulation", "{}", found.message);
    let time = found.message.split("t = ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a time");
    assert_near("when", time.parse().expect("a number"), 40.0, 1e-6);
}

/// x = t but for rounding, so both conditions begin to hold at one instant; which one is seen first, rounding decides.
#[test]
fn rivals_are_told_where_rounding_parts_them() {
    let text = "mode m: a | b | c\nwhen one: m == a and x >= 1 [m] { m == b; keep all }\n";
    let other = |when: &str| format!("{text}when other: m == a and t >= {when} {{ m == c; keep all }}");
    for scene in [car(&other("1 [s]")), car(&other("1 [s]")).default_tolerance(), car(&other("1 [s]")).tolerance(1e-5)]
    {
        let [rivals] = &scene.at(2.0).warnings[..] else { panic!("no warning, or several") };
        assert_eq!(rivals.code.0, "rival-transitions");
    }
    assert_eq!(car(&other("1 [s] + 1e-9 [s]")).at(2.0).warnings, []);
    // The second happens as well, a little later.
    let both = "mode m: a | b\nmode n: a | b\nwhen one: m == a and x >= 1 [m] { m == b; keep all }\n\
                when other: n == a and t >= 1 [s] { n == b; keep all }";
    assert_eq!(car(both).at(2.0).warnings, []);
}

/// A ball without a mode for rest: all of its bounces end at a finite time, which the message names.
#[test]
fn transitions_that_come_ever_faster_are_noticed() {
    let text = "gravity 9.81 [m/s^2]\nbody ball { position = (0, 0, free(1 [m])); mass = 1 [kg] }\n\
                when bounce: ball.position.z <= 0 and ball.velocity.z < 0 {\n\
                ball.velocity.z == -0.5 * pre(ball.velocity.z); keep positions }";
    for scene in [Scene::new(text), Scene::new(text).default_tolerance()] {
        let found = scene.trouble(5.0, 0.5);
        assert_eq!(found.code.0, "accumulation");
        let end = (2.0_f64 / 9.81).sqrt() * 1.5 / 0.5;
        assert!(found.message.contains(&format!("{end:.4}")[..5]), "{end}: {}", found.message);
    }
}

/// A ball that is let through the floor a little before it is sent back trembles there, billions of times in a second.
#[test]
fn a_tremble_without_end_is_noticed() {
    let text = "gravity 9.81 [m/s^2]\nbody ball { position = (0, 0, free(1 [mm])); mass = 1 [kg] }\n\
                when bounce: ball.position.z <= 0 and ball.velocity.z < -1e-9 [m/s] {\n\
                ball.velocity.z == -0.5 * pre(ball.velocity.z); keep positions }";
    assert_eq!(Scene::new(text).default_tolerance().trouble(5.0, 5.0).code.0, "accumulation");
}

/// A condition that holds for a millionth of a second, in the middle of steps that are longer than a second.
#[test]
fn what_holds_for_a_moment_is_not_missed() {
    for width in [1e-3, 1e-6, 1e-8] {
        let text = format!(
            "when pass: x >= 0.7 [m] and x <= 0.7 [m] + {width:e} [m] and car.velocity.x > 0 {{\n\
                            car.velocity.x == -pre(car.velocity.x); keep positions }}"
        );
        for scene in [car(&text), car(&text).default_tolerance(), car(&text).tolerance(1e-4)] {
            let table = scene.run(5.0, 5.0);
            assert_eq!(names(&table), ["pass"], "a window of {width}");
            assert_near("when", table.events[0].t, 0.7, 1e-9);
        }
    }
}

/// A ball thrown upwards is above some height for a short while.
#[test]
fn a_touch_at_the_top_is_found_and_a_miss_is_none() {
    let top = 5.0_f64 * 5.0 / (2.0 * 10.0);
    let thrown = |height: f64| {
        let text = format!(
            "gravity 10 [m/s^2]\nbody ball {{ position = (0, 0, free); mass = 1 [kg] }}\nmode m: a | b\n\
             initially ball.velocity.z == 5 [m/s]\n\
             when touch: m == a and ball.position.z >= {height:?} [m] {{ m == b; keep all }}"
        );
        [Scene::new(&text), Scene::new(&text).tolerance(1e-5)].map(|scene| scene.run(3.0, 3.0).events)
    };
    for below in [1e-4, 1e-8, 1e-10] {
        for events in thrown(top - below) {
            assert_eq!(events.len(), 1, "{below} below the top");
            // 10 t²/2 − 5 t + height = 0
            let first = 0.5 - (2.0 * below / 10.0).sqrt();
            assert_near("when", events[0].t, first, 1e-6);
        }
    }
    for above in [1e-10, 1e-4] {
        assert!(thrown(top + above).iter().all(Vec::is_empty), "{above} above the top");
    }
}

/// Rows are looked at; they do not change what happens.
#[test]
fn transitions_do_not_depend_on_rows() {
    let events = |every: f64| Scene::example("ball_in_box").run(2.0, every).events;
    let (few, many) = (events(2.0), events(0.01));
    assert!(!few.is_empty());
    assert_eq!(few, many);
}

/// `pre(x)` is before, `x` after, and what is kept stays.
#[test]
fn values_before_and_after_are_told_apart() {
    let text = "body ball { position = free; mass = 1 [kg] }\n\
                initially ball.velocity == (1, 2, 3) [m/s]\n\
                when jump: t >= 1 [s] and ball.position.y < 3 [m] {\n\
                ball.position.y == pre(ball.position.y) + 2 * pre(ball.position.x)\n\
                ball.velocity.z == pre(ball.velocity.x) + ball.velocity.y\n\
                keep all except ball.position.y, ball.velocity.z }";
    let table = Scene::new(text).probe(&["ball.position", "ball.velocity"]).at(1.0);
    assert_eq!(names(&table), ["jump"]);
    for (name, expected) in [("ball.position", [1.0, 4.0, 3.0]), ("ball.velocity", [1.0, 2.0, 3.0])] {
        crate::scene::assert_vectors_near(name, table.last_vector(name), expected, 1e-12);
    }
}

/// `at(begin, x)` is what it was after the beginning, `at(1, x)` after the first phase.
#[test]
fn a_sequence_remembers_its_events() {
    let text = "mode m: a | b | c | d\n\
                sequence s when m == a and x >= 1 [m] {\n\
                begin { m == b; car.velocity.x == 2 * pre(car.velocity.x); keep positions }\n\
                until x >= at(begin, x) + 2 [m] { m == c; keep all }\n\
                after 0.5 [s] { m == d; car.velocity.x == at(1, car.velocity.x) + 1 [m/s]; keep positions }\n\
                }";
    let table = car(text).probe(&["car.velocity.x", "m"]).at(3.0);
    assert_eq!(names(&table), ["s.begin", "s.1", "s.2"]);
    for (event, t) in table.events.iter().zip([1.0, 2.0, 2.5]) {
        assert_near(&event.name, event.t, t, 1e-10);
    }
    assert_near("the speed at the end", table.last("car.velocity.x"), 3.0, 1e-12);
}

/// The rope takes away what points outwards, and nothing else.
#[test]
fn an_inelastic_impact_acts_through_the_new_constraint() {
    let text = "body bob { position = (free(0.6 [m]), 0, free); mass = 2 [kg] }\nmode rope: slack | taut\n\
                initially bob.position.x == 0.6 [m]\ninitially bob.position.z == 0\n\
                initially bob.velocity == (0, 0, 2) [m/s]\n\
                always holds: |bob.position| == 1 [m] while rope == taut\n\
                when tighten: rope == slack and |bob.position| >= 1 [m] {\n\
                rope == taut; keep positions; satisfy velocity constraints }";
    let table = Scene::new(text).probe(&["bob.velocity"]).at(0.4);
    assert_eq!(names(&table), ["tighten"]);
    assert_near("when", table.events[0].t, 0.4, 1e-12);
    // At (0.6, 0.8) the part of (0, 2) along the rope is 1.6.
    crate::scene::assert_vectors_near("velocity", table.last_vector("bob.velocity"), [-0.96, 0.0, 0.72], 1e-10);
}

#[test]
fn a_state_that_the_new_mode_does_not_allow_is_refused() {
    let text = "mode m: a | b\nalways still: car.velocity.x == 0 while m == b\n\
                when stop: m == a and x >= 1 [m] { m == b; keep all }";
    let found = car(text).trouble(2.0, 0.5);
    assert_eq!(found.code.0, "inconsistent-change");
}

/// A mode that is left at the instant at which it is entered need not be possible.
#[test]
fn what_comes_in_between_is_not_looked_at() {
    let text = "mode m: a | b | c\nalways still: car.velocity.x == 0 while m == b\n\
                when stop: m == a and x >= 1 [m] { m == b; keep all }\n\
                when go: m == b { m == c; keep positions; car.velocity.x == 2 [m/s] }";
    let table = car(text).probe(&["x"]).at(2.0);
    assert_eq!(names(&table), ["stop", "go"]);
    assert_near("where it is", table.last("x"), 3.0, 1e-10);
}

/// Steps are as long as the motion is smooth, and it is very smooth; the guards are not.
#[test]
fn a_guard_that_is_faster_than_the_motion_is_not_missed() {
    let first = libm::asin(0.999) / 1000.0;
    let half = libm::sqrt(libm::log(2.0) / 1e6);
    let phase = libm::acos(-0.9999);
    let dip = (libm::ceil((3.0 * 4096.0 - phase) / std::f64::consts::TAU) * std::f64::consts::TAU + phase) / 4096.0;
    for (guard, when) in [
        ("sin(1000 [1/s] * t) > 0.999", first),
        ("sin(1000 [1/m] * x) > 0.999", first),
        // Whatever the looks are apart, the bends of this are there already.
        ("sin(1000 * sin(3 [1/s] * t)) > 0.999", libm::asin(first) / 3.0),
        ("t > 3 [s] and cos(4096 [1/s] * t) < -0.9999", dip),
        ("exp(-1000000 [1/s^2] * (t - 4 [s])^2) > 0.5", 4.0 - half),
        ("1 / (1 + 1000000 [1/s^2] * (t - 4 [s])^2) > 0.5", 4.0 - 1e-3),
        // At both ends of the step, and almost everywhere else, this is zero with all its derivatives.
        ("exp(-1e14 [1/s^2] * (t - 4 [s])^2) > 0.5", 4.0 - 1e-4 * half),
        // Poles and jumps within a step.
        ("1 [m] / (x - 2.03 [m]) >= 1e7", 2.03),
        ("tan(1 [1/m] * x) >= 1e6", libm::atan(1e6)),
        ("floor(1 [1/m] * x) >= 5", 5.0),
        ("atan2(4 [m] - x, -1 [m]) < 0", 4.0),
    ] {
        let table = car(&format!("mode m: a | b\nwhen go: m == a and {guard} {{ m == b; keep all }}")).at(9.0);
        assert_eq!(names(&table), ["go"], "{guard}");
        assert_near(guard, table.events[0].t, when, 1e-9);
    }
}

/// Where a rope slackens, its end moves neither outwards nor inwards; which sign rounding gives that is nobody's business.
#[test]
fn what_is_zero_but_for_rounding_is_zero() {
    let text = "gravity 9.81 [m/s^2]\nbody bob { position = (free, 0, free); mass = 2 [kg] }\nlet r = bob.position\n\
                let pull = -2 [kg] * dot(bob.acceleration + (0, 0, 9.81) [m/s^2], r / |r|)\nmode rope: slack | taut\n\
                always holds: |r| == 1.2 [m] while rope == taut\n\
                when tighten: rope == slack and |r| >= 1.2 [m] and dot(r, bob.velocity) > 0 {\n\
                rope == taut; keep positions; satisfy velocity constraints }\n\
                when slacken: rope == taut and pull < 0 { rope == slack; keep all }\n\
                initially r.x == 0.5 [m]\ninitially r.z == 0.9 [m]\ninitially bob.velocity.x == 1.5 [m/s]";
    let mut first: Option<Vec<f64>> = None;
    for tolerance in [1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12] {
        for until in [3.0, 4.0, 10.0] {
            let table = Scene::new(text).tolerance(tolerance).run(until, until);
            assert_eq!(names(&table), ["tighten", "slacken", "tighten"], "{tolerance:e}, {until} s");
            let times: Vec<f64> = table.events.iter().map(|event| event.t).collect();
            let expected = first.get_or_insert_with(|| times.clone());
            times.iter().zip(expected).for_each(|(time, expected)| assert_near("when", *time, *expected, 1e-5));
        }
    }
}

/// A ball of a molecule's size between walls: rows show what is there, however short the time.
#[test]
fn small_times_are_as_good_as_large_ones() {
    for scale in [1e-12, 1e-9, 1.0, 1e9] {
        let text = format!(
            "body ball {{ position = (free, 0, 0); mass = 1 [kg] }}\nlet x = ball.position.x\nparam w = {scale:e} [m]\n\
             initially ball.velocity.x == 1 [m/s]\n\
             when right: x >= w and ball.velocity.x > 0 {{ ball.velocity.x == -pre(ball.velocity.x); keep positions }}\n\
             when left: x <= 0 and ball.velocity.x < 0 {{ ball.velocity.x == -pre(ball.velocity.x); keep positions }}"
        );
        let table = Scene::new(&text).default_tolerance().probe(&["x"]).run(9.5 * scale, 0.25 * scale);
        let rows = table.column("x").len();
        assert_eq!(rows, 39);
        for (row, x) in table.column("x").into_iter().enumerate() {
            let way = 0.25 * row as f64 % 2.0;
            assert_near(&format!("{scale:e}, row {row}"), x / scale, way.min(2.0 - way), 1e-8);
        }
    }
}

/// The end of a run has a row, although it is no multiple of the interval.
#[test]
fn a_run_goes_on_to_its_end() {
    let text = "mode m: a | b\nwhen go: m == a and x >= 1.5 [m] { m == b; keep all }\nclaim b: eventually m == b";
    let table = car(text).run(1.9, 1.0);
    assert_eq!(names(&table), ["go"]);
    assert_near("when", table.events[0].t, 1.5, 1e-10);
    assert_eq!(table.times, [0.0, 1.0, 1.9]);
}

/// A ball falls through a window, which two conditions make of which none comes and goes.
#[test]
fn a_window_between_two_looks_is_not_missed() {
    for width in [1e-2, 1e-3, 1e-6, 1e-9] {
        let low = 0.2 - width;
        for window in [
            format!("z <= 0.2 [m] and z >= {low:?} [m]"),
            format!("not (z > 0.2 [m] or z < {low:?} [m])"),
            format!("max(z - 0.2 [m], {low:?} [m] - z) <= 0"),
            format!("(z - 0.2 [m]) * (z - {low:?} [m]) <= 0"),
        ] {
            let text = format!(
                "gravity 10 [m/s^2]\nbody ball {{ position = (0, 0, free); mass = 1 [kg] }}\nlet z = ball.position.z\n\
                 initially z == 1 [m]\nmode m: a | b\nwhen pass: m == a and {window} {{ m == b; keep all }}"
            );
            for until in [1.0, 2.0, 10.0] {
                let table = Scene::new(&text).default_tolerance().run(until, until);
                assert_eq!(names(&table), ["pass"], "{window} in {until} s");
                assert_near(&window, table.events[0].t, 0.4, 1e-9);
            }
        }
    }
}

#[test]
fn transitions_that_leave_different_states_are_rivals_too() {
    let text = "mode m: a | b\nwhen fast: m == a and x >= 1 [m] { m == b; keep positions; car.velocity.x == 2 [m/s] }\n\
                when slow: m == a and x >= 1 [m] { m == b; keep positions; car.velocity.x == 0.5 [m/s] }";
    let [rivals] = &car(text).at(2.0).warnings[..] else { panic!("one warning") };
    assert_eq!(rivals.code.0, "rival-transitions");
    let same = text.replace("0.5 [m/s]", "2 [m/s]");
    assert_eq!(car(&same).at(2.0).warnings, []);
}

/// The plan is right because its rehearsals see what happens on the way: the wall turns the car back.
#[test]
fn a_plan_reckons_with_other_transitions() {
    let text = "mode m: a | b | c\nplan p when m == a {\n choose speed: [m/s] from 2 [m/s]\n\
                begin { m == b; car.velocity.x == speed; keep positions }\n\
                after 2 [s] aim x == 0.5 [m] { m == c; keep all }\n}\n\
                when wall: x >= 1 [m] and car.velocity.x > 0 { car.velocity.x == -0.5 * pre(car.velocity.x); keep positions }";
    // At the wall after 1/v, and back for 2 - 1/v at v/2: 1 - v + 1/2 = 1/2.
    let table = car(text).probe(&["speed", "x"]).at(2.0);
    assert_eq!(names(&table), ["p.begin", "wall", "p.1"]);
    assert_near("the choice", table.last("speed"), 1.0, 1e-10);
    assert_near("the aim", table.last("x"), 0.5, 1e-10);
    assert_eq!(table.warnings, []);
}

/// A loop of bodies in space, some of whose demands follow from the others, is pushed just so that it is upright when it should be.
#[test]
fn a_plan_moves_a_closed_loop() {
    let text = "use mechanics\ngravity 9.81 [m/s^2]\n\
                for i in 0..1 {\n\
                  body crank[i]: box(1 [m], 5 [cm], 5 [cm]) mass 1 [kg] {\n\
                    position = free((i * 1 [m], 0, 0.5 [m])); rotation = free(about y -90 [deg])\n  }\n\
                  join foot[i]: world.point(i * 1 [m], 0, 0) to crank[i].point((-0.5, 0, 0) [m]) with revolute(axis: (0, 1, 0))\n}\n\
                body coupler: box(1 [m], 5 [cm], 5 [cm]) mass 1 [kg] { position = free((0.5, 0, 1) [m]) }\n\
                join left: crank[0].point((0.5, 0, 0) [m]) to coupler.point((-0.5, 0, 0) [m]) with revolute(axis: (0, 1, 0))\n\
                join right: crank[1].point((0.5, 0, 0) [m]) to coupler.point((0.5, 0, 0) [m]) with revolute(axis: (0, 1, 0))\n\
                initially coupler.position.x == 0.6 [m]\ninitially coupler.velocity.x == 0\n\
                mode m: waits | moves | done\n\
                plan push when m == waits and t >= 0.05 [s] {\n  choose v: [m/s] from -0.5 [m/s]\n\
                  begin { m == moves; coupler.velocity.x == v; keep positions; satisfy velocity constraints }\n\
                  after 0.3 [s] aim coupler.position.x == 0.5 [m] { m == done; keep all }\n}";
    let table = Scene::new(text).default_tolerance().probe(&["coupler.position.x", "v"]).run(0.35, 0.35);
    let [x, v] = ["coupler.position.x", "v"].map(|name| table.column(name)[1]);
    assert!((x - 0.5).abs() < 1e-8 && v < 0.0, "{x} {v}");
    assert!(table.summary.constraint_error < 1e-12);
}

#[test]
fn a_plan_that_another_plan_disturbs_is_told() {
    let text = "mode m: a | b | c\nmode n: a | b | c\nplan p when m == a {\n choose speed: [m/s] from 2 [m/s]\n\
                begin { m == b; car.velocity.x == speed; keep positions }\n\
                after 2 [s] aim x == 1 [m] { m == c; keep all }\n}\n\
                plan q when n == a and t >= 1 [s] {\n choose other: [m/s] from 1 [m/s]\n\
                begin { n == b; car.velocity.x == other; keep positions }\n\
                after 1 [s] aim x == 3 [m] { n == c; keep all }\n}";
    let table = car(text).probe(&["x"]).at(2.5);
    let [told] = &table.warnings[..] else { panic!("{:?}", table.warnings) };
    assert_eq!(told.code.0, "plan-disturbed");
    assert!(told.message.contains("`p`") && told.message.contains("t = 2 s"), "{}", told.message);
    assert!(told.labels.iter().any(|label| label.text.contains("`q.begin`")), "{told:#?}");
}

#[test]
fn a_plan_without_a_way_says_so() {
    let text = "mode m: a | b | c\nplan p when m == a {\n choose push: [N]\n begin { m == b; keep all }\n\
                after 1 [s] aim x^2 == -1 [m^2] { m == c; keep all }\n}\n\
                force on car = (push, 0 [N], 0 [N]) while m == b";
    let found = car(text).trouble(2.0, 0.5);
    assert_eq!(found.code.0, "no-plan");
    assert!(found.message.contains("t = 0 s") && found.message.contains("`p`"), "{}", found.message);
    // The nearest it comes is x = 0.
    assert!(found.labels.iter().any(|label| label.text.contains("off by 1 m^2")), "{found:#?}");
}

/// A ball thrown at 10 m/s to where it cannot come: the nearest is on the parabola that bounds all throws, z = v²/2g − g x²/2v².
#[test]
fn a_plan_without_a_way_comes_as_near_as_can_be() {
    for seed in ["0.1 [rad]", "0.5 [rad]", "1.4 [rad]", "-0.5 [rad]"] {
        let text = format!(
            "gravity 9.81 [m/s^2]\nbody ball {{ position = (free, 0, free); mass = 1 [kg] }}\nmode m: a | b | c\n\
             plan p when m == a {{\n choose angle: [rad] from {seed}\n choose time: [s] from 1 [s]\n\
             begin {{ m == b; ball.velocity == (10 [m/s]*cos(angle), 0 [m/s], 10 [m/s]*sin(angle)); keep positions }}\n\
             after time aim ball.position.x == 12 [m], ball.position.z == 0 {{ m == c; keep all }}\n}}"
        );
        let found = Scene::new(&text).default_tolerance().trouble(1.0, 0.5);
        assert_eq!(found.code.0, "no-plan");
        let off = |label: &str| label.strip_prefix("off by ")?.split(' ').next()?.parse().ok();
        let off: Vec<f64> = found.labels.iter().filter_map(|label| off(&label.text)).collect();
        let bound = |x: f64| 100.0 / (2.0 * 9.81) - 9.81 * x * x / 200.0;
        let away = |x: f64| ((x - 12.0) * (x - 12.0) + bound(x) * bound(x)).sqrt();
        let nearest = (0..12_000).map(|at| away(0.001 * f64::from(at))).fold(f64::INFINITY, f64::min);
        assert_near("how near", (off[0] * off[0] + off[1] * off[1]).sqrt(), nearest, 1e-5);
        // At a bound, whatever is chosen leads along it.
        let alike = "`angle`, `time` act alike";
        assert!(found.notes.iter().any(|note| note.contains(alike)), "{found:#?}");
    }
}

/// The parabola that bounds all throws at 10 m/s has its focus where they begin: a throw at some angle touches it after v / (g sin(angle)), and stands
/// upright on it there in the direction in which it was thrown. From 3 m outside, that is the nearest point, and each choice is told in its own unit.
#[test]
fn a_plan_without_a_way_tells_what_it_chose_where_it_came_nearest() {
    let (angle, away) = (std::f64::consts::FRAC_PI_6, 3.0);
    let (along, up, time) = (libm::cos(angle), libm::sin(angle), 1.0 / libm::sin(angle));
    let x = 10.0 * along * time + away * along;
    let z = 10.0 * up * time - 5.0 * time * time + away * up;
    let text = format!(
        "gravity 10 [m/s^2]\nbody ball {{ position = (free, 0, free); mass = 1 [kg] }}\nmode m: a | b | c\n\
         plan p when m == a {{\n choose angle: [deg] from 50 [deg]\n choose time: [ms] from 1 [s]\n\
         begin {{ m == b; ball.velocity == (10 [m/s]*cos(angle), 0 [m/s], 10 [m/s]*sin(angle)); keep positions }}\n\
         after time aim ball.position.x == {x} [m], ball.position.z == {z} [m] {{ m == c; keep all }}\n}}"
    );
    let found = Scene::new(&text).default_tolerance().trouble(1.0, 0.5);
    for chosen in ["`angle` = 30 [deg]", "`time` = 2000 [ms]"] {
        assert!(found.labels.iter().any(|label| label.text == chosen), "{chosen} is not in {found:#?}");
    }
    let off = |label: &str| label.strip_prefix("off by ")?.strip_suffix(" m")?.parse().ok();
    let off: Vec<f64> = found.labels.iter().filter_map(|label| off(&label.text)).collect();
    assert_near("off along x", off[0], -away * along, 1e-3);
    assert_near("off along z", off[1], -away * up, 1e-3);
    // A height that is reached whatever is chosen, 0.1 m below what is aimed at.
    let text = "gravity 10 [m/s^2]\nbody ball { position = (free, free, free); mass = 1 [kg] }\nmode m: a | b | c\n\
                plan p when m == a {\n choose push: vec [m/s]\n\
                begin { m == b; ball.velocity == (push.x, push.y, 5 [m/s]); keep positions }\n\
                after 1 [s] aim ball.position == (2, -3, 0.1) [m] { m == c; keep all }\n}";
    let found = Scene::new(text).default_tolerance().trouble(2.0, 0.5);
    assert!(found.labels.iter().any(|it| it.text == "`push` = (2, -3, 0) [m/s]"), "{found:#?}");
}

/// What is chosen acts through a sum alone: the one aim can be met, the other cannot be changed.
#[test]
fn a_plan_tells_which_choices_act_alike() {
    let plan = |velocity: &str, aims: &str| {
        Scene::new(&format!(
            "gravity 9.81 [m/s^2]\nbody ball {{ position = (free, 0, free); mass = 1 [kg] }}\nmode m: a | b | c\n\
             plan p when m == a {{\n choose v: [m/s]\n choose w: [m/s]\n\
             begin {{ m == b; ball.velocity == {velocity}; keep positions }}\n after 1 [s] aim {aims} {{ m == c; keep all }}\n}}"
        ))
    };
    let found =
        plan("(v + w, 0 [m/s], 5 [m/s])", "ball.position.x == 2 [m], ball.position.z == 1 [m]").trouble(2.0, 1.0);
    assert_eq!(found.code.0, "no-plan");
    assert!(found.notes.iter().any(|note| note.contains("`v`, `w` act alike")), "{found:#?}");
    let fixed = "off by -0.905 m, and hardly changes";
    assert!(found.labels.iter().any(|label| label.text.starts_with(fixed)), "{found:#?}");
    let found = plan("(v, 0 [m/s], 5 [m/s])", "ball.position.x == 2 [m], ball.position.z == 1 [m]").trouble(2.0, 1.0);
    assert!(found.notes.iter().any(|note| note.contains("`w` changes hardly anything")), "{found:#?}");
    // Two aims that say the same are met by the one that matters.
    let same = plan("(v, 0 [m/s], w)", "ball.position.x == 2 [m], 2 * ball.position.x == 4 [m]");
    let table = same.probe(&["v", "w", "ball.position.x"]).at(1.5);
    assert_near("v", table.last("v"), 2.0, 1e-11);
    assert_eq!(table.last("w"), 0.0);
}

/// A phase that never ends is no reason to wait for it; nor is one that would end as it begins. Both are told, with the numbers that were tried.
#[test]
fn a_phase_that_does_not_come_to_its_end_is_told() {
    for (until, why) in [(2.0, "no end of its phase comes"), (0.5, "its condition holds already")] {
        let text = format!(
            "body bob {{ position = (free(1 [m]), 0, 0); mass = 1 [kg] }}\nmode m: a | b | c\n\
             force on bob = -1 [N/m] * bob.position\n\
             plan p when m == a {{\n choose kick: [m/s] from 0.5 [m/s]\n\
             begin {{ m == b; bob.velocity.x == kick; keep positions }}\n\
             until bob.position.x >= {until} [m] {{ m == c; keep all }}\n\
             after 1 [s] aim bob.position.x == 0 {{ m == a; keep all }}\n}}"
        );
        let found = Scene::new(&text).default_tolerance().trouble(1.0, 0.5);
        assert_eq!(found.code.0, "no-plan");
        assert!(found.labels.iter().any(|label| label.text == "`kick` = 0.5 [m/s]"), "{found:#?}");
        assert!(found.notes.iter().any(|note| note.contains(why)), "{found:#?}");
    }
}

/// A mode that is reached later, and whose equations make no sense, is told with its name.
#[test]
fn what_is_wrong_in_a_later_mode_is_said_when_it_is_reached() {
    let text = "mode m: a | b\nalways one: x == 1 [m] while m == b\nalways other: x == 2 [m] while m == b\n\
                when go: m == a and x >= 1 [m] { m == b; keep positions; satisfy velocity constraints }";
    let found = car(text).trouble(2.0, 0.5);
    assert!(found.notes.iter().any(|note| note.contains("m = b")), "{found:#?}");
}

/// A car that goes at 1 m/s from t = 0: what was at the event that begins a phase is known when its duration is.
#[test]
fn a_duration_knows_the_event_that_begins_its_phase() {
    let sequence = |first: &str, second: &str| {
        let text = format!(
            "mode m: idle | busy | done\nsequence q when m == idle and t >= 0.5 [s] {{\n  begin {{ m == busy; keep all }}\n\
             {first} {{ keep all }}\n  {second} {{ m == done; keep all }}\n}}"
        );
        let table = car(&text).at(6.0);
        assert_eq!(names(&table), ["q.begin", "q.1", "q.2"]);
        assert_eq!(table.warnings, []);
        [1, 2].map(|at| table.events[at].t)
    };
    for (first, second, expected) in [
        ("until x >= 1.5 [m]", "after at(1, t) - at(begin, t)", [1.5, 2.5]),
        ("until x >= 1.5 [m]", "after at(1, x) * 1 [s/m]", [1.5, 3.0]),
        ("after 3 * at(begin, t)", "after at(1, x) * 1 [s/m] - at(begin, t)", [2.0, 3.5]),
        ("after 1 [s]", "after at(1, t - at(begin, t) + at(1, x) * 1 [s/m])", [1.5, 4.0]),
        ("after 1 [s]", "until x >= at(1, 2 * at(1, x) - at(begin, x))", [1.5, 2.5]),
    ] {
        let found = sequence(first, second);
        assert_near(first, found[0], expected[0], 1e-11);
        assert_near(second, found[1], expected[1], 1e-11);
    }
}

#[test]
fn a_negative_duration_is_told() {
    let text = "mode m: a | b\nsequence q when m == a and t >= 1 [s] {\n  begin { m == b; keep all }\n\
                after 0.25 [s] - at(begin, t) { keep all }\n}";
    let table = car(text).at(2.0);
    let [told] = &table.warnings[..] else { panic!("{:?}", table.warnings) };
    assert_eq!(told.code.0, "negative-duration");
    assert!(told.message.contains("t = 1 s") && told.message.contains("`q.1`"), "{}", told.message);
    assert!(told.labels.iter().any(|label| label.text.contains("-0.75 s")), "{:?}", told.labels);
}

/// Components that are fixed say nothing: a ball in the plane is reflected by vectors, as it is by hand.
#[test]
fn vectors_of_bodies_in_a_plane_are_reset() {
    let ball = "body p { position = (free, 0, free); mass = 1 [kg] }\ninitially p.velocity == (3, 0, 1) [m/s]\n\
                let n = (0.6, 0, 0.8)\nlet v = p.velocity\nmode m: a | b\n";
    let go = "when go: m == a and dot(p.position, n) >= 1 [m]";
    // The wall is reached after 1 / (3 * 0.6 + 1 * 0.8) s.
    let (speed, reflected) = (2.6, [3.0 - 2.0 * 2.6 * 0.6, 1.0 - 2.0 * 2.6 * 0.8]);
    for effects in [
        "keep positions; p.velocity == pre(v - 2 * dot(v, n) * n)",
        "keep p.position; p.velocity == pre(v - 2 * dot(v, n) * n)",
        "keep all except p.velocity; p.velocity - pre(v) == -2 * pre(dot(v, n)) * n",
    ] {
        let table = Scene::new(&format!("{ball}{go} {{ m == b; {effects} }}")).probe(&["p.velocity"]).at(1.0);
        assert_near("when", table.events[0].t, 1.0 / speed, 1e-11);
        let [x, y, z] = table.last_vector("p.velocity");
        assert_near("along", x, reflected[0], 1e-11);
        assert_near("up", z, reflected[1], 1e-11);
        assert_eq!(y, 0.0);
    }
    for effects in ["keep positions; keep p.velocity", "keep p.position, p.velocity", "keep all; keep p.velocity"] {
        let table = Scene::new(&format!("{ball}{go} {{ m == b; {effects} }}")).probe(&["p.velocity"]).at(1.0);
        assert_eq!(table.last_vector("p.velocity"), [3.0, 0.0, 1.0]);
    }
}

/// A body that turns freely has four numbers for its rotation, which are kept together.
#[test]
fn an_orientation_is_kept() {
    let top = "body b { position = free; rotation = free; shape = box(1 [m], 2 [m], 3 [m]); mass = 1 [kg] }\n\
               initially b.omega == (1, 2, 3) [1/s]\nmode m: a | b\nwhen go: m == a and t >= 0.5 [s]";
    let after = |effects: &str| {
        let scene = Scene::new(&format!("{top} {{ m == b; {effects} }}"));
        scene.probe(&["b.orientation", "b.omega"]).at(1.0)
    };
    let (kept, all) = (after("keep b.position, b.orientation; keep velocities"), after("keep all"));
    for column in ["b.omega.x", "b.omega.y", "b.omega.z"] {
        assert_near(column, kept.last(column), all.last(column), 1e-10);
    }
}

/// h′ = inflow − h / T has the time T ln((a T − h0) / (a T − h1)) from h0 to h1.
#[test]
fn things_of_a_kind_have_transitions_of_their_own() {
    let text = "kind tank(low: [m], high: [m]) {\n  h: [m]\n  inflow: [m/s]\n  mode valve: open | shut\n\
                h' == inflow - 0.1 [1/s] * h\n\
                inflow == 0.5 [m/s] while valve == open\n  inflow == 0 while valve == shut\n\
                when close: valve == open and h >= high { valve == shut }\n\
                when reopen: valve == shut and h <= low { valve == open }\n\
                claim filled: always h <= high + 1 [mm]\n}\n\
                t1: tank(1 [m], 2 [m])\nt2: tank(0.5 [m], 3 [m])\n\
                initially t1.h == 0\ninitially t2.h == 0.7 [m]";
    let table = Scene::new(text).at(12.5);
    assert_eq!(names(&table), ["t1.close", "t2.close", "t1.reopen"]);
    let times = [10.0 * libm::log(5.0 / 3.0), 10.0 * libm::log(4.3 / 2.0)];
    assert_near("first", table.events[0].t, times[0], 1e-9);
    assert_near("second", table.events[1].t, times[1], 1e-9);
    assert_near("third", table.events[2].t, times[0] + 10.0 * libm::log(2.0), 1e-9);
}

#[test]
fn a_reset_without_a_solution_is_blamed_on_its_transition() {
    let told = |effects: &str| {
        let found = car(&format!("mode m: a | b\nwhen go: m == a and x >= 1 [m] {{ m == b; {effects} }}"));
        let found = found.trouble(2.0, 0.5);
        assert_eq!(found.code.0, "inconsistent-change", "{effects}: {}", found.message);
        assert!(found.message.contains("`go`") && found.message.contains("t = 1 s"), "{}", found.message);
    };
    told("keep positions; car.velocity.x^2 == -1 [m^2/s^2]");
    told("keep velocities; car.position.x^2 == -1 [m^2]");
}

/// What holds in a mode can be seen before it is reached.
#[test]
fn any_mode_can_be_looked_at() {
    let scene = car(
        "mode m: a | b\nalways still: car.velocity.x == 0 while m == b\nwhen stop: m == a and x >= 1 [m] { m == b; keep positions; satisfy velocity constraints }",
    );
    let compilation = scene.compile();
    let stages = compilation.stages.as_ref().expect("a good scene");
    assert_eq!(stages.system.constraints.len(), 0);
    let mode = driver::mode_named(&stages.model, &["m=b".to_string()]).expect("a mode");
    let (options, mut found) = (driver::Options::default(), base::Diagnostics::default());
    let there = driver::compile_mode(&stages.model, &mode, &options, &compilation.sources, &mut found);
    assert_eq!(there.expect("a mode that can be").system.constraints.len(), 1);
    for (text, hint) in [("m=c", "a, b"), ("n=a", "there is m"), ("m", "a, b")] {
        let wrong = driver::mode_named(&stages.model, &[text.to_string()]).expect_err("nothing of that name");
        assert!(wrong.1.contains(hint), "{text}: {}", wrong.1);
    }
}
