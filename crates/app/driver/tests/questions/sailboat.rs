//! The sailboat: speeds with their stability, polars, and runs that tend to them.

use driver::{Options, Run, Settings, compile, play};

use crate::{FOOT, asked, close, example};

#[test]
fn both_speeds_of_the_sailboat_are_found_with_their_stability() {
    let (answers, found) = asked(&example("sailboat"), &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    let [fast, slow] = &answers.answers[..] else { panic!("{answers:?}") };
    close(fast.value[0] / FOOT, 15.704_694_325_447_846, 1e-12);
    close(slow.value[0] / FOOT, 3.251_626_814_362_089_2, 1e-12);
    assert_eq!((fast.stable, slow.stable), (Some(true), Some(false)));
    assert_eq!((fast.reached, slow.reached), (Some(true), Some(false)), "a run tends to the stable one");
    close(fast.rate.expect("a rate"), -0.040_426_052_0, 1e-8);
    close(slow.rate.expect("a rate"), 0.230_781_984_3, 1e-8);
    assert!(fast.complete && slow.complete, "all roots are proven to be found");
    let used: Vec<&str> = answers.laws.iter().map(|law| law.name.as_str()).collect();
    let wanted = ["newton(boat)", "drag(sail, air)", "drag(hull, water)", "lift(sail, air)", "lift(hull, water)"];
    assert_eq!(used, wanted, "the fragments of the paper: Newton2 1, FDrag 2, Lift 2");
    let unused: Vec<&str> = answers.unused.iter().map(|law| law.name.as_str()).collect();
    assert_eq!(unused, ["no_lift(sail, air)", "no_lift(hull, water)"]);
}

#[test]
fn the_polar_of_the_sailboat_is_a_table() {
    let (answers, _) = asked(&example("sailboat"), &[], &[]);
    for (course, wanted) in [
        (40.0, 12.705_901_278),
        (45.0, 14.423_049_803),
        (60.0, 18.794_759_487),
        (75.0, 21.889_751_726),
        (90.0, 23.566_012_648),
    ] {
        let rows = &answers.tables[0].rows;
        let row = rows.iter().find(|(at, _)| (at.to_degrees() - course).abs() < 1e-9).expect("a row");
        close(row.1[0].value[0] / FOOT, wanted, 1e-10);
        let (single, _) = asked(&example("sailboat"), &[&format!("course={course}")], &[]);
        close(single.answers[0].value[0] / FOOT, wanted, 1e-10);
    }
}

#[test]
fn a_question_without_the_trim_is_open_and_says_what_would_close_it() {
    let (answers, _) = asked(&example("sailboat"), &[], &["trimmed"]);
    assert!(answers.answers.is_empty());
    let dead_end = &answers.dead_ends[0];
    assert_eq!(dead_end.unknowns, ["boat.speed", "sail.lift", "hull.lift"]);
    assert_eq!(dead_end.equations.len(), 2, "{dead_end:?}");
    let first = &dead_end.suggestions[0].text;
    assert_eq!(first, "assume trimmed: partial(boat.force.x, sail.lift) == 0");
}

/// The trim that makes the speed largest, with the hull's lift following, is another statement, and another speed.
#[test]
fn partial_is_partial() {
    let text = example("sailboat").replace("assume trimmed: partial(boat.force.x, sail.lift) == 0", "");
    let speed = |lift: f64| {
        let given = format!("given sail.lift == {lift} [lbf], ");
        let (answers, found) = asked(&text.replace("given ", &given), &[], &[]);
        assert!(!answers.answers.is_empty(), "{found:?} {:?}", answers.dead_ends);
        answers.answers[0].value[0] / FOOT
    };
    let best = 2776.920;
    close(speed(best), 15.757_078_813, 1e-10);
    assert!(speed(best - 5.0) < speed(best) && speed(best + 5.0) < speed(best));
}

#[test]
fn the_transient_of_the_sailboat_tends_to_the_answer() {
    let options = Options { probes: vec!["boat.speed".into()], tolerance: 1e-12, ..Options::default() };
    let compilation = compile("sailboat", &example("sailboat"), &options);
    let wanted = [(5.0, 7.126_999_79), (10.0, 8.238_506_13), (50.0, 13.833_221_70), (300.0, 15.704_613_02)];
    let mut seen = Vec::new();
    let plan = Run { until: 600.0, every: 5.0, tolerance: 1e-12 };
    play(&compilation, &options, &Settings::default(), Some(plan), |t, values| seen.push((t, values[0] / FOOT)));
    for (time, speed) in wanted {
        let row = seen.iter().find(|(t, _)| *t == time).expect("a row");
        close(row.1, speed, 1e-8);
    }
    close(seen.last().expect("rows").1, 15.704_694_325_447_846, 1e-6);
}

/// The law with another assumption holds below five feet per second, and the other takes over where it fails.
#[test]
fn from_rest_the_boat_starts_with_a_law_that_gives_way() {
    let options = Options { probes: vec!["boat.speed".into()], tolerance: 1e-12, ..Options::default() };
    let compilation = compile("sailboat", &example("sailboat_from_rest"), &options);
    let mut seen = Vec::new();
    let plan = Run { until: 300.0, every: 10.0, tolerance: 1e-12 };
    let played =
        play(&compilation, &options, &Settings::default(), Some(plan), |t, values| seen.push((t, values[0] / FOOT)));
    let [event] = &played.events[..] else { panic!("{:?}", played.events) };
    close(event.t, 11.678_277_460_196, 1e-11);
    assert_eq!(event.name, "lift(hull, water) instead of gentle_lift(hull, water)");
    for (time, speed) in [(20.0, 6.800_546_10), (50.0, 12.267_473_72), (300.0, 15.704_536_30)] {
        close(seen.iter().find(|(t, _)| *t == time).expect("a row").1, speed, 1e-8);
    }
}

#[test]
fn from_rest_without_it_the_answer_says_why_the_boat_stays() {
    let (answers, _) = asked(&example("sailboat"), &["start=0"], &[]);
    assert!(answers.answers.iter().all(|it| it.reached == Some(false)));
    let notes = answers.notes.join("\n");
    assert!(
        notes.contains("`lift(hull, water)` assumes `hull.flow_speed > 0`, which does not hold at the start"),
        "{notes}"
    );
    assert!(notes.contains("below 3.251626814 [ft/s] `boat.speed` falls"), "{notes}");
    let (answers, _) = asked(&example("sailboat"), &["start=3"], &[]);
    let notes = answers.notes.join("\n");
    // The boat stops as a root does, and whether a last step gets to where the assumption fails is decided by rounding.
    assert!(notes.contains("a run from the start comes to none of these: at t = 5.68244"), "{notes}");
}

#[test]
fn sensitivities_are_those_of_differences() {
    let base = asked(&example("sailboat"), &[], &[]).0.answers[0].clone();
    for (name, value) in [("wind", 16.9), ("mass", 1750.0), ("hull_parasitic", 2.04)] {
        let speed = |factor: f64| {
            asked(&example("sailboat"), &[&format!("{name}={}", value * factor)], &[]).0.answers[0].value[0]
        };
        let difference = (speed(1.0 + 1e-4) - speed(1.0 - 1e-4)) / 2e-4 / base.value[0];
        let told = base.sensitivity.iter().find(|(it, _)| it == name).map_or(0.0, |(_, by)| *by);
        assert!((told - difference).abs() < 1e-6, "{name}: {told} against {difference}");
    }
}

/// Answers of a table as curves: the fast and the slow speed of the boat are apart, and where the number of answers changes nothing is joined.
#[test]
fn a_table_is_drawn_as_curves() {
    let (answers, _) = asked(&example("sailboat"), &[], &[]);
    let [curve] = &answers.tables[0].curves()[..] else { panic!("one curve") };
    let [fast, slow] = &curve.pieces[..] else { panic!("{curve:?}") };
    assert_eq!((fast.stable, slow.stable, fast.points.len(), slow.points.len()), (Some(true), Some(false), 11, 11));
    close(fast.points[4].0, 60.0, 1e-12);
    close(fast.points[4].1, 18.794759487, 1e-9);
    let text = "param c = 1 [m^2]\nkind part { x: [m] in [-10, 10] }\nlaw square for p: part { p.x^2 == c }\np: part\n\
                find p.x for c in -1 [m^2]..4 [m^2] by 1 [m^2]\n";
    let (answers, _) = asked(text, &[], &[]);
    let curves = answers.tables[0].curves();
    let sizes: Vec<usize> = curves[0].pieces.iter().map(|piece| piece.points.len()).collect();
    assert_eq!(sizes, [1, 4, 4], "{curves:?}");
    for &(c, x) in &curves[0].pieces[1].points {
        close(x * x, c, 1e-12);
    }
    assert!(answers.notes[0].starts_with("c = -1 [m^2]: no value of `p.x` satisfies"), "{:?}", answers.notes);
}

/// Steady answers are held against runs for every value of a parameter: on a course of 90 degrees 6 ft/s are too slow to go on.
#[test]
fn every_row_of_a_table_is_compared_with_a_run() {
    let (answers, _) = asked(&example("sailboat"), &[], &[]);
    for (course, row) in &answers.tables[0].rows {
        let reached: Vec<Option<bool>> = row.iter().map(|it| it.reached).collect();
        assert_eq!(reached, [Some(course.to_degrees() < 89.0), Some(false)], "{course}");
    }
    let note =
        answers.notes.iter().find(|it| it.starts_with("for course = 90 [deg] a run from the start")).expect("a note");
    assert!(note.contains("below 6.500242198 [ft/s] `boat.speed` falls"), "{note}");
    let (answers, _) = asked(&example("sailboat"), &["start=7[ft/s]"], &[]);
    assert!(answers.tables[0].rows.iter().all(|(_, row)| row[0].reached == Some(true)));
}
