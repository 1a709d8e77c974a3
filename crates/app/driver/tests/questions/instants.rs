//! Instants of a run: where a condition begins to hold, where something is largest, the start.

use crate::{asked, close};

const THROW: &str = "param speed = 10 [m/s]\nparam g = 9.81 [m/s^2]\ngravity g\n\
    body stone { position = (free, 0, free(1 [m])); mass = 1 [kg] }\n\
    initially stone.position.x == 0\ninitially stone.velocity.x == speed\ninitially stone.velocity.z == speed\n";

fn flight(speed: f64, g: f64) -> f64 {
    (speed + (speed * speed + 2.0 * g).sqrt()) / g
}

#[test]
fn an_instant_of_a_run_is_asked_for() {
    let text = format!("{THROW}find t, stone.position.x as [m] when stone.position.z <= 0\n");
    assert!(asked(&text, &[], &[]).1.iter().any(|it| it.starts_with("dimension-mismatch")), "`t` is no length");
    let text = format!("{THROW}find t, stone.velocity when stone.position.z <= 0\n");
    let (answers, found) = asked(&text, &["speed=7"], &[]);
    assert!(found.is_empty(), "{found:?}");
    let [time, velocity] = &answers.answers[..] else { panic!("{answers:?}") };
    let end = flight(7.0, 9.81);
    close(time.value[0], end, 1e-10);
    close(time.instant.expect("an instant"), end, 1e-10);
    assert_eq!(velocity.value.len(), 3);
    close(velocity.value[2], 7.0 - 9.81 * end, 1e-10);
}

#[test]
fn an_instant_may_depend_on_a_parameter() {
    let text =
        format!("{THROW}find stone.position.x when stone.position.z <= 0 for speed in 5 [m/s]..15 [m/s] by 5 [m/s]\n");
    let (answers, found) = asked(&text, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(answers.tables[0].rows.len(), 3);
    for (speed, answers) in &answers.tables[0].rows {
        close(answers[0].value[0], speed * flight(*speed, 9.81), 1e-10);
    }
}

#[test]
fn an_instant_that_does_not_come_is_said() {
    let text = format!("{THROW}find t when stone.position.z >= 100 [m]\n");
    let (answers, found) = asked(&text, &[], &[]);
    assert!(found.is_empty() && answers.answers.is_empty(), "{found:?}");
    assert!(answers.dead_ends[0].message.contains("does not begin to hold within the 1000 s"), "{answers:?}");
    let text = format!("{THROW}find t given stone.mass == 2 [kg] when stone.position.z <= 0\n");
    assert!(asked(&text, &[], &[]).1.iter().any(|it| it.starts_with("wrong-kind")));
}

#[test]
fn extremes_of_a_run_are_located() {
    let text = "x: [m]\nv: [m/s]\nalways der(x) == v\nalways der(v) == -4 [1/s^2] * x\n\
                initially x == 1 [m]\ninitially v == 3 [m/s]\n";
    let value = |question: &str| {
        let (answers, found) = asked(&format!("{text}{question}\n"), &[], &[]);
        assert!(found.is_empty() && answers.dead_ends.is_empty(), "{found:?} {:?}", answers.dead_ends);
        (answers.answers[0].value[0], answers.answers[0].instant.expect("an instant"))
    };
    let (most, at) = value("find max |x| over 10 [s]");
    close(most, libm::hypot(1.0, 1.5), 1e-9);
    // The same height comes again and again: the first is told.
    close(at, libm::atan2(1.5, 1.0) / 2.0, 1e-6);
    close(value("find max x over 0.2 [s]").0, libm::cos(0.4) + 1.5 * libm::sin(0.4), 1e-9);
    close(value("find min x over 10 [s]").0, -libm::hypot(1.0, 1.5), 1e-9);
    assert!(value("find min |x| over 10 [s]").0.abs() < 1e-9, "where it turns in a corner");
    close(value("find max -x over 0.1 [s]").0, -1.0, 1e-12);
}

/// What is largest just before something jumps is found as well: the speed of a ball when it comes down.
#[test]
fn an_extreme_may_stand_just_before_a_jump() {
    let text = "gravity 9.81 [m/s^2]\nbody ball { position = (0, 0, free(1 [m])); mass = 1 [kg] }\n\
                initially ball.position.z == 1 [m]\ninitially ball.velocity.z == 0\n\
                when bounce: ball.position.z <= 0 and ball.velocity.z < 0 {\n\
                ball.velocity.z == -0.5 * pre(ball.velocity.z); keep positions }\n\
                find max |ball.velocity|, ball.position.z over 1 [s]\nfind min ball.velocity.z over 1 [s]\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty() && answers.dead_ends.is_empty(), "{found:?} {:?}", answers.dead_ends);
    let fall = (2.0 * 9.81_f64).sqrt();
    close(answers.answers[0].value[0], fall, 1e-9);
    close(answers.answers[1].value[0], 1.0, 1e-9);
    close(answers.answers[2].value[0], -fall, 1e-9);
}

/// An impact is a jump as well, and nothing else tells of it; the gap is zero there, although the ball goes up at once.
#[test]
fn an_extreme_may_stand_at_an_impact() {
    let text = "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
                body ball: sphere(10 [cm]) mass 1 [kg] { position = (0, 0, free(1.1 [m])) }\n\
                initially ball.position.z == 1.1 [m]\ninitially ball.velocity.z == 0\n\
                contact all { restitution = 0.5 }\n\
                find max ball.velocity.z over 1 [s]\nfind min ball.velocity.z over 1 [s]\n\
                find t when contact(ball, floor).gap <= 0\nfind t when ball.position.z <= 10 [cm]\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty() && answers.dead_ends.is_empty(), "{found:?} {:?}", answers.dead_ends);
    let fall = (2.0 * 9.81_f64).sqrt();
    for (answer, wanted) in answers.answers.iter().zip([fall / 2.0, -fall, fall / 9.81, fall / 9.81]) {
        close(answer.value[0], wanted, 1e-8);
    }
}

/// What jumps by a condition, and what is largest only within a pulse of which nothing else depends.
#[test]
fn an_extreme_may_stand_within_a_pulse() {
    let text = "x: [m] = 0 [m]\nalways x' == 1 [m/s]\n\
                let pulse = if t > 0.5 [s] and t < 0.501 [s] then 5 * t / 1 [s] else 1\n\
                find max pulse over 2 [s]\nfind min floor(3 * cos(2 [rad/s] * t)) over 1.5 [s]\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty() && answers.dead_ends.is_empty(), "{found:?} {:?}", answers.dead_ends);
    close(answers.answers[0].value[0], 5.0 * 0.501, 1e-9);
    close(answers.answers[1].value[0], -3.0, 1e-12);
}

/// Accelerations and forces of constraint follow from the state at the start; a state itself does not.
#[test]
fn what_follows_from_the_start_is_answered_there() {
    let g = 9.81;
    let at_start = |text: &str| {
        let (answers, found) = asked(text, &[], &[]);
        assert!(found.is_empty() && answers.dead_ends.is_empty(), "{found:?} {:?}", answers.dead_ends);
        assert!(answers.answers.iter().all(|it| it.instant == Some(0.0)), "{answers:?}");
        answers.answers.iter().map(|it| it.value[0]).collect::<Vec<f64>>()
    };
    let blocks = at_start(
        "scene s\ngravity 9.81 [m/s^2]\nbody a { position = (0, free, 0); mass = 2 [kg] }\n\
         body b { position = (0, 0, free); mass = 3 [kg] }\nalways rope: a.position.y - b.position.z == 1 [m]\n\
         find a.acceleration.y, tension(rope)",
    );
    close(blocks[0], -3.0 / 5.0 * g, 1e-12);
    close(blocks[1].abs(), 2.0 * 3.0 / 5.0 * g, 1e-12);
    let wheel = at_start(
        "scene s\ngravity 9.81 [m/s^2]\nbody wheel: cylinder(10 [cm], 2 [cm]) mass 1 [kg] { rotation = about x free }\n\
         body a { position = (0, -0.1 [m], free(-1 [m])); mass = 2 [kg] }\nbody b { position = (0, 0.1 [m], free(-1 [m])); mass = 3 [kg] }\n\
         always a.velocity.z == -10 [cm] * wheel.omega.x\nalways b.velocity.z == 10 [cm] * wheel.omega.x\n\
         find a.acceleration.z",
    );
    // A cylinder counts as half or a quarter of its mass, by the axis that it turns about: here about a diameter.
    let moment = 1.0 * (3.0 * 0.1 * 0.1 + 0.02 * 0.02) / 12.0;
    close(wheel[0], g / (5.0 + moment / (0.1 * 0.1)), 1e-12);
    let pendulum = "scene s\ngravity 9.81 [m/s^2]\nframe swing in world { rotation = about x free }\n\
         body bob in swing { position = (0, 0, -2) [m]; mass = 1 [kg] }\ninitially swing.angle == 60 [deg]\n";
    let swing = at_start(&format!("{pendulum}find |bob.acceleration|, swing.angle''"));
    let pair = at_start(
        "scene s\nuse particles\np1: particle { mass = 5 [kg] }\np2: particle { mass = 3 [kg] }\n\
         gravitation for pairs (a, b) in particle\ninitially p1.position == (0, 0, 0) [m]\ninitially p2.position == (2, 0, 0) [m]\n\
         initially p1.momentum == (0, 0, 0) [kg*m/s]\ninitially p2.momentum == (0, 1, 0) [kg*m/s]\nfind p1.force.x",
    );
    close(pair[0], 6.6743e-11 * 15.0 / 4.0, 1e-3);
    let slope = g * 3f64.sqrt() / 2.0;
    close(swing[0], slope, 1e-12);
    close(swing[1], -slope / 2.0, 1e-12);
    // A state itself, and what follows from a start that nobody gives.
    let assumed = "scene s\nx: [m]\ny: [m/s]\nalways y == 3 * x / 1 [s]\nalways x' == -x / 1 [s] + y\n";
    for text in [format!("{pendulum}find swing.angle"), format!("{assumed}find y")] {
        let (open, _) = asked(&text, &[], &[]);
        assert!(open.answers.is_empty() && open.dead_ends.len() == 1, "{open:?}");
    }
    let (later, _) = asked(&format!("{assumed}find y over 1 [s]"), &[], &[]);
    assert_eq!(later.notes, ["assumed at the start: x = 0"], "a run that is asked for says what it begins with");
}

/// Two things of one scene: of one the run comes to the answer, of the other it does not, which is said of that one. Vectors are compared too.
#[test]
fn what_a_run_does_not_come_to_is_said_of_each_question() {
    let text = "kind ball { x: [m] in [-5, 5]; v: vec [m/s] }\n\
                law roll for b: ball { der(b.x) == (b.x - b.x^3 / 1 [m^2]) / 1 [s] }\n\
                law drift for b: ball { der(b.v) == ((1, 2, 3) [m/s] - b.v) / 1 [s] }\n\
                a: ball\nb: ball\ninitially a.x == 0.5 [m]\ninitially b.x == 0 [m]\ninitially a.v == (0, 0, 0) [m/s]\n\
                initially b.v == (0, 0, 0) [m/s]\nfind a.x given steady(a)\nfind b.x given steady(b), b.x > 0.1 [m]\nfind a.v given steady(a)\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    let reached = |name: &str, first: f64| {
        answers.answers.iter().find(|it| it.asked == name && it.value[0] == first).expect("an answer").reached
    };
    assert_eq!(
        (reached("a.x", 1.0), reached("a.x", -1.0), reached("b.x", 1.0)),
        (Some(true), Some(false), Some(false))
    );
    assert_eq!(reached("a.v", 1.0), Some(true));
    assert!(
        answers
            .notes
            .iter()
            .any(|it| it.starts_with("a run from the start comes to none of the values of `b.x`: after"))
    );
}

/// An assumption of the scene is watched in runs: x = t² + 5 (t − 2.5) reaches 20 m at 5.25 s, where a run of 6 s ends, which is said.
#[test]
fn assumptions_of_the_scene_are_watched_in_runs() {
    let text = "kind cart { x: [m]; v: [m/s] }\nlaw move for c: cart { der(c.x) == c.v }\n\
                law push for c: cart assuming c.v < 5 [m/s] { der(c.v) == 2 [m/s^2] }\n\
                law coast for c: cart instead of push assuming c.v >= 5 [m/s] { der(c.v) == 0 [m/s^2] }\n\
                c: cart\ninitially c.x == 0\ninitially c.v == 0\nassume short: c.x < 20 [m]\n";
    let (answers, found) = asked(&format!("{text}find c.x over 4 [s]\nfind max c.x over 6 [s]\n"), &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(answers.answers[0].value[0], 6.25 + 7.5, 1e-9);
    close(answers.answers[1].value[0], 20.0, 1e-9);
    let told = answers.assumptions.iter().find(|it| it.name == "short").expect("it is told");
    assert!(told.of_scene && told.reason.starts_with("watched at every instant"));
    assert!(answers.notes.iter().any(|it| it.starts_with("`c.x`: the run ends at t = 5.25 s")), "{:?}", answers.notes);
    let (answers, _) = asked(&format!("{text}find max c.x over 6 [s]\n"), &[], &["short"]);
    close(answers.answers[0].value[0], 6.25 + 17.5, 1e-9);
    assert!(answers.notes.is_empty() && answers.assumptions.is_empty());
}

/// An energy is no torque, though both have one dimension.
#[test]
fn answers_have_the_units_that_people_know() {
    let scene = "gravity 9.81 [m/s^2]\nframe arm { rotation = about y free }\n\
                 body bob in arm { position = (0, 0, -1) [m]; mass = 1 [kg] }\ninitially arm.angle == 1\n";
    let unit = |asked_for: &str, told: &str| {
        let (answers, found) = asked(&format!("{scene}find {asked_for} over 0.3 [s]\n"), &[], &[]);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(answers.answers[0].told.text, told, "{asked_for}");
    };
    unit("energy", "J");
    unit("2 * bob.kinetic", "J");
    unit("der(energy)", "W");
    unit("torque(arm)", "N*m");
    unit("|torque(arm)| / 2", "N*m");
    unit("cross(bob.position, force(bob)).y", "N*m");
    unit("dot(force(bob), bob.position)", "J");
    unit("dot(torque(arm), arm.omega)", "W");
    unit("arm.angle", "rad");
    unit("force(bob)", "N");
}
