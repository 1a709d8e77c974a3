//! The library as somebody uses it who has nothing else.

use std::ops::ControlFlow;
use std::path::PathBuf;

use ansatz::{At, Instance, Options, Progress, Scene, Settings, Solver, Stage, Target};

fn example(name: &str) -> Scene {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../../examples/{name}.anz"));
    Scene::open(file, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn started(scene: &Scene) -> Instance {
    let mut instance = scene.instance().unwrap_or_else(|error| panic!("{error}"));
    instance.start().unwrap_or_else(|error| panic!("{error}"));
    instance
}

fn at(instance: &mut Instance, t: f64) -> Vec<u64> {
    instance.advance_to(t).unwrap_or_else(|error| panic!("{error}"));
    instance.row().iter().map(|value| value.to_bits()).collect()
}

#[test]
fn instances_of_one_scene_run_in_many_threads_and_agree() {
    let scene = example("bouncing_ball");
    let rows = |scene: Scene| {
        let mut instance = started(&scene);
        (1..20).map(|step| at(&mut instance, 0.25 * f64::from(step))).collect::<Vec<_>>()
    };
    let threads: Vec<_> = (0..4).map(|_| scene.clone()).map(|scene| std::thread::spawn(move || rows(scene))).collect();
    let expected = rows(example("bouncing_ball"));
    for thread in threads {
        assert_eq!(thread.join().expect("no thread panics"), expected);
    }
}

#[test]
fn a_snapshot_is_a_way_back_from_any_mode() {
    let scene = example("ball_on_steps");
    let mut instance = started(&scene);
    let early = (at(&mut instance, 0.1), instance.save());
    let (later, events) = (at(&mut instance, 3.0), instance.events().len());
    assert!(events > 2, "modes were linked on the way");
    // In another instance, whose program never had the modes that came later, and in the same.
    for mut again in [started(&scene), instance] {
        again.restore(&early.1).expect("it is a moment of this scene");
        assert_eq!((again.time(), again.events().len()), (0.1, 0));
        assert_eq!(at(&mut again, 0.1), early.0);
        assert_eq!((at(&mut again, 3.0), again.events().len()), (later.clone(), events));
    }
}

#[test]
fn a_few_steps_at_a_time_arrive_at_the_same_bits() {
    let scene = example("double_pendulum");
    let whole = at(&mut started(&scene), 5.0);
    let mut instance = started(&scene);
    let mut calls = 0;
    while instance.advance(5.0, 3).expect("it moves") == Progress::Unfinished {
        calls += 1;
    }
    assert!(calls > 5);
    assert_eq!(at(&mut instance, 5.0), whole);
}

#[test]
fn parameters_and_units_change_the_period_of_a_pendulum() {
    let scene = example("pendulum");
    let angle = scene.output("swing.angle").expect("it is plotted");
    let period = |length: &str| {
        let mut instance = scene.instance().expect("it has a program");
        instance.set_quantity("length", length).expect("it is a parameter");
        instance.set("angle", 1e-3).expect("it is a parameter");
        let (mut crossing, mut before) = (0.0, 1.0);
        let look = |t: f64, row: &[f64]| {
            let now = row[0];
            if before > 0.0 && now <= 0.0 {
                crossing = t;
                return ControlFlow::Break(());
            }
            before = now;
            ControlFlow::Continue(())
        };
        instance.run(10.0, 1e-3, look, |_| ControlFlow::Continue(())).whole().expect("it swings");
        assert_eq!(instance.get(angle), instance.row()[0]);
        4.0 * crossing
    };
    for (text, length) in [("80 [cm]", 0.8_f64), ("2 [m]", 2.0), ("1.5", 1.5)] {
        let exact = 2.0 * std::f64::consts::PI * (length / 9.81).sqrt();
        assert!((period(text) - exact).abs() < 5e-3, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_a_way_out() {
    let scene = example("pendulum");
    let mut instance = scene.instance().expect("it has a program");
    for (error, words) in [
        (instance.set("lenght", 1.0).unwrap_err(), "did you mean `length`?"),
        (instance.set("length", f64::NAN).unwrap_err(), "not a number"),
        (instance.set_quantity("length", "1 [s]").unwrap_err(), "is not a unit"),
        (instance.set("length", -1.0).and_then(|()| instance.set("mass", -1.0)).unwrap_err(), "mass"),
        (scene.output("swing.angel").unwrap_err(), "did you mean `swing.angle`?"),
        (Scene::compile("s", "scene s\nbody a { mass = }", &Options::default()).unwrap_err(), "s:2"),
        (Scene::open("nowhere.anz", &Options::default()).unwrap_err(), "cannot be read"),
    ] {
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_run_that_ends_too_soon_says_where_and_why() {
    let text = "scene s\nx: real = 1\nalways x' == x^2 / 1 [s]\nplot x";
    let scene = Scene::compile("s", text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let error = started(&scene).advance_to(2.0).expect_err("x has a pole at one second");
    assert!(error.diagnostics().has_errors());
    assert!(error.to_string().contains("t = "), "{error}");
}

#[test]
fn a_scene_tells_of_itself() {
    let scene = example("pendulum");
    assert_eq!(scene.name(), "pendulum");
    assert_eq!(
        scene.parameters().iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
        ["length", "mass", "angle", "rate"]
    );
    assert_eq!(scene.outputs(), ["swing.angle", "energy"]);
    assert!(scene.explain(Some(Stage::Equations)).contains("swing.angle"));
    assert!(scene.export(Target::C).expect("it can be built").files.iter().any(|file| file.name.ends_with(".c")));
    let linear = scene.linearize(At::Equilibrium, &Settings::default()).expect("it hangs");
    assert!(linear.scene == "pendulum");
    let implicit = Options { solver: Solver::Implicit, ..Options::default() };
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/pendulum.anz"));
    let stiff = Scene::compile("pendulum", &text.expect("it is there"), &implicit).expect("it has no errors");
    let mut instance = started(&stiff);
    at(&mut instance, 1.0);
    assert!(instance.statistics().jacobians > 0);
}

#[test]
fn a_run_may_be_started_again_wherever_it_ended() {
    let law = |force: &str, end: f64| {
        let text =
            format!("scene s\nx: [m] = 10 [m]\nv: [m/s] = 0 [m/s]\nalways x' == v\nalways v' == ({force})\nplot x");
        let scene = Scene::compile("s", &text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        let mut instance = started(&scene);
        let first = at(&mut instance, end);
        for _ in 0..3 {
            instance.start().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(at(&mut instance, end), first, "{force}");
        }
    };
    // Turns of the first run are not counted in the next, however many there were.
    law("-10 [1/s^2] * x - 0.1 [m/s^2] * sign(v)", 61.3);
    law("-1000 [1/s^2] * x - 0.01 [m/s^2] * sign(v)", 150.0);
    law("-10 [1/s^2] * x - 20 [m/s^2] * sign(v)", 30.0);
    law("if x < 0 [m] then -1000 [1/s^2] * x else -10 [1/s^2] * x", 7.7);
    law("-3 [m/s^2] * sign(x) - 1 [m/s^2] * sign(v)", 30.0);
    law("-floor(x / 1 [m]) * 1 [m/s^2]", 20.0);
    law("if t > 1 [s] and t < 1.1 [s] then 5 [m/s^2] else 0 [m/s^2]", 3.0);
}

#[test]
fn what_would_give_wrong_numbers_is_refused() {
    let scene = example("pendulum");
    let mut instance = scene.instance().expect("it has a program");
    let refused = |result: Result<(), ansatz::Error>, words: &str| {
        let error = result.expect_err(words);
        assert!(error.to_string().contains(words), "{error}");
    };
    refused(instance.advance_to(1.0), "call `start` first");
    instance.start().expect("it starts");
    let row = at(&mut instance, 5.0);
    for t in [4.9, 0.0, f64::NAN, f64::INFINITY] {
        refused(instance.advance_to(t), "does not go to");
    }
    refused(instance.restore(&started(&example("pendulum")).save()), "another compilation");
    // What is refused changes nothing.
    refused(instance.set("mass", -1.0), "negative");
    assert_eq!(at(&mut instance, 5.0), row);
    at(&mut instance, 6.0);
    for (until, every) in [(0.0, 0.1), (1.0, 0.0), (1.0, -1.0), (f64::NAN, 1.0), (f64::INFINITY, 1.0)] {
        let finished = instance.run(until, every, |_, _| ControlFlow::Continue(()), |_| ControlFlow::Continue(()));
        refused(finished.whole().map(|_| ()), "makes no run");
    }
    for tolerance in [0.0, -1.0, f64::NAN, 1.0] {
        let options = Options { tolerance, ..Options::default() };
        refused(Scene::compile("s", "scene s", &options).map(|_| ()), "is no tolerance");
    }
}

/// φ″ = -(g/l) sin φ, and its derivatives; and of a double pendulum, against differences.
#[test]
fn the_equations_of_motion_are_functions_with_exact_derivatives() {
    let scene = example("pendulum");
    let mut pendulum =
        scene.dynamics(&Settings { parameters: vec!["length=2".into()], controls: vec![] }).expect("it moves");
    assert_eq!(pendulum.states().len(), 2);
    assert!((pendulum.start()[0] - std::f64::consts::FRAC_PI_3).abs() < 1e-15);
    let (angle, rate) = (0.7_f64, 0.3);
    let rates = pendulum.rates(0.0, &[angle, rate]).expect("it moves");
    assert_eq!(rates[0], rate);
    assert!((rates[1] + 9.81 / 2.0 * libm::sin(angle)).abs() < 1e-14);
    let slopes = pendulum.jacobian(0.0, &[angle, rate]).expect("it has derivatives");
    assert_eq!(slopes[0], [0.0, 1.0]);
    assert!((slopes[1][0] + 9.81 / 2.0 * libm::cos(angle)).abs() < 1e-14 && slopes[1][1] == 0.0);
    assert!(pendulum.rates(0.0, &[1.0]).is_err());

    let mut double = example("double_pendulum").dynamics(&Settings::default()).expect("it moves");
    let state: Vec<f64> = double.start().iter().enumerate().map(|(at, value)| value + 0.1 * at as f64).collect();
    let slopes = double.jacobian(0.0, &state).expect("it has derivatives");
    for column in 0..state.len() {
        let step = 1e-6;
        let mut moved = |by: f64| {
            let mut state = state.clone();
            state[column] += by;
            double.rates(0.0, &state).expect("it moves")
        };
        let (above, below) = (moved(step), moved(-step));
        for row in 0..state.len() {
            let difference = (above[row] - below[row]) / (2.0 * step);
            assert!((slopes[row][column] - difference).abs() < 1e-6 * (1.0 + difference.abs()));
        }
    }
}

/// What happened to pairs, by name: the time, and the impulse of impacts.
fn touches(text: &str, until: f64) -> Vec<(String, f64, Option<f64>)> {
    let options = Options { tolerance: 1e-11, ..Options::default() };
    let scene = Scene::compile("touches", text, &options).expect("a good scene");
    let mut run = scene.instance().expect("an instance");
    run.run(until, until, |_, _| ControlFlow::Continue(()), |_| ControlFlow::Continue(())).whole().expect("it runs");
    run.happenings().into_iter().map(|it| (it.name, it.t, it.impulse)).collect()
}

#[test]
fn impacts_are_written_down_with_their_impulses() {
    let bounces = touches(
        "scene s\ngravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         body ball: sphere(0.1 [m]) mass 2 [kg] { position = free((0, 0, 1.1) [m]) }\n\
         initially ball.position == (0, 0, 1.1) [m]\ncontact all { restitution = 0.5 }",
        2.0,
    );
    let (mut t, mut speed) = ((2.0_f64 / 9.81).sqrt(), (2.0_f64 * 9.81).sqrt());
    for (name, time, impulse) in bounces.iter().take(8) {
        assert_eq!(name, "contact(floor, ball).impact");
        let impulse = impulse.expect("an impact has an impulse");
        assert!((time - t).abs() < 1e-10, "{time} {t}");
        assert!((impulse - 3.0 * speed).abs() < 1e-9, "{impulse} {speed}");
        t += speed / 9.81;
        speed *= 0.5;
    }
    let (name, rests, _) = bounces.last().expect("it comes to rest");
    let limit = 3.0 * (2.0_f64 / 9.81).sqrt();
    assert!(name == "contact(floor, ball).closes" && (rests - limit).abs() < 1e-9, "{name} at {rests}");
}

#[test]
fn pairs_slip_stick_and_part_when_they_do() {
    let rolls = touches(
        "scene s\ngravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         body ball: sphere(0.1 [m]) mass 1 [kg] { position = free((0, 0, 0.1) [m]) }\n\
         initially ball.position == (0, 0, 0.1) [m]\ninitially ball.velocity == (3, 0, 0) [m/s]\n\
         contact all { restitution = 0; friction = 0.2 }",
        1.0,
    );
    let [(name, t, None)] = &rolls[..] else { panic!("{rolls:?}") };
    assert!(name == "contact(floor, ball).sticks" && (t - 6.0 / (7.0 * 0.2 * 9.81)).abs() < 1e-9, "{name} at {t}");
    let example = include_str!("../../../../examples/ball_off_sphere.anz");
    let leaves = touches(example, 1.3);
    let [(slips, first, None), (opens, second, None)] = &leaves[..] else { panic!("{leaves:?}") };
    assert!(slips.ends_with(".slips") && (first - 0.999_239_742_063_955).abs() < 1e-9, "{slips} at {first}");
    assert!(opens.ends_with(".opens") && (second - 1.154_409_723_165_65).abs() < 1e-9, "{opens} at {second}");
}

#[test]
fn what_touches_is_written_down_in_all_modes() {
    let all = touches(
        "scene s\nmode phase: early | late = early\ngravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         body ball: sphere(0.1 [m]) mass 2 [kg] { position = free((0, 0, 1.1) [m]) }\n\
         initially ball.position == (0, 0, 1.1) [m]\ncontact all { restitution = 0.5 }\n\
         when grows: phase == early and t >= 1 [s] { phase == late; keep all }",
        1.2,
    );
    let names: Vec<&str> = all.iter().map(|(name, ..)| name.trim_start_matches("contact(floor, ball).")).collect();
    assert_eq!(names, ["impact", "impact", "grows", "impact"], "{all:?}");
}

/// A bead falls from 2 m, is caught at 1 m by a spring of 100 N/m, and swings there with ω² = k / m; the model of the moment is that of the mode.
#[test]
fn a_linear_model_is_made_where_a_run_is() {
    let pendulum = example("pendulum");
    let mut run = started(&pendulum);
    run.advance_to(0.4).expect("it swings");
    let angle = run.get(pendulum.output("swing.angle").expect("it is recorded"));
    let found = pendulum.linearize_at(0.4, &Settings::default()).expect("a linear model");
    assert_eq!((found.time, found.steps), (Some(0.4), None));
    // θ'' = -(g/l) sin θ, so its slope is -(g/l) cos θ.
    let row = found.states.iter().position(|state| state.name == "swing.angle'").expect("a speed");
    assert!((found.a[row][1 - row] + 9.81 * libm::cos(angle)).abs() < 1e-6, "{:?} at {angle}", found.a);

    let text = "scene catch\ngravity 10 [m/s^2]\nbody bead { position = (0, 0, free); mass = 1 [kg] }\ninitially bead.z == 2 [m]\n\
                mode state: falling | held\n\
                force on bead = (0, 0, 100 [N/m] * (1 [m] - bead.z)) while state == held\n\
                when caught: state == falling and bead.z <= 1 [m] { state == held; keep all }\nplot bead.z";
    let scene = Scene::compile("catch", text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let rates = |t: f64| -> Vec<(f64, f64)> {
        let found = scene.linearize_at(t, &Settings::default()).expect("a linear model");
        found.modes.iter().map(|mode| (mode.real, mode.imaginary)).collect()
    };
    // It is caught after √0.2 s.
    assert!(rates(0.3).iter().all(|rate| rate.0.abs() < 1e-9 && rate.1.abs() < 1e-9));
    assert!(rates(0.6).iter().any(|rate| rate.0.abs() < 1e-9 && (rate.1 - 10.0).abs() < 1e-9), "{:?}", rates(0.6));
    let late = scene.linearize_at(-1.0, &Settings::default());
    assert!(late.is_err());
}
