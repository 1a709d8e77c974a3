//! What is claimed of a behaviour, while it holds and where it fails.

use crate::scene::Scene;

/// A car that is at x = t, and passes from `slow` through `fast` to `done` at x = 1 and x = 2.
fn car(claims: &str) -> Scene {
    Scene::new(&format!(
        "body car {{ position = (free, 0, 0); mass = 1 [kg] }}\ninitially car.velocity.x == 1 [m/s]\n\
         let x = car.position.x\nmode m: slow | fast | done\n\
         when speed: m == slow and x >= 1 [m] {{ m == fast; keep all }}\n\
         when finish: m == fast and x >= 2 [m] {{ m == done; keep all }}\n{claims}"
    ))
}

#[track_caller]
fn holds(claim: &str) {
    let text = format!("claim c: {claim}");
    car(&text).run(3.0, 0.5);
    car(&text).default_tolerance().run(3.0, 3.0);
}

/// The claim fails at this time, as far as it is printed.
#[track_caller]
fn fails(claim: &str, at: f64) {
    let found = car(&format!("claim c: {claim}")).trouble(3.0, 0.25);
    assert_eq!(found.code.0, "claim-refuted", "{claim}");
    let time = found.message.split("t = ").nth(1).and_then(|rest| rest.split(' ').next());
    let time: f64 = time.and_then(|time| time.parse().ok()).unwrap_or_else(|| panic!("{}", found.message));
    assert!((time - at).abs() <= 1e-6, "`{claim}` fails at {time}, not at {at}");
    assert!(found.message.contains("`c`"), "{}", found.message);
}

#[test]
fn always() {
    holds("always x <= 3.001 [m]");
    holds("always x >= 0");
    fails("always x <= 2.5 [m]", 2.5);
    fails("always m == slow or m == fast", 2.0);
    fails("always x > 0.001 [m]", 0.0);
}

#[test]
fn eventually() {
    holds("eventually m == done");
    holds("eventually x >= 2.9 [m]");
    // What has not come at the end of the run has not come.
    fails("eventually x >= 4 [m]", 3.0);
}

#[test]
fn until() {
    holds("m == slow until x >= 0.9 [m]");
    holds("x < 2 [m] until m == fast");
    fails("m == slow until x >= 1.5 [m]", 1.0);
}

/// What a claim speaks of is not looked at now and then: it is known when it turns, and what turns first.
#[test]
fn what_turns_within_a_step_is_seen() {
    fails("x < 1.7 [m] until t >= 1.8 [s]", 1.7);
    fails("always not (x >= 2.4 [m] and x <= 2.401 [m])", 2.4);
    fails("always x <= 1.95 [m]", 1.95);
    holds("eventually (x >= 2.4 [m] and x <= 2.401 [m])");
    holds("eventually sin(1000 [1/m] * x) > 0.999999");
    holds("x < 1.7 [m] until t >= 1.699 [s]");
    let swing = |claim: &str| {
        let text = "body bob { position = (free, 0, 0); mass = 1 [kg] }\nforce on bob = -1 [N/m] * bob.position\n\
                    let x = bob.position.x\ninitially bob.velocity.x == 1 [m/s]\nclaim c: ";
        Scene::new(&format!("{text}{claim}"))
    };
    swing("eventually x >= 0.99999999 [m]").run(3.0, 3.0);
    assert_eq!(swing("always x <= 0.99999999 [m]").trouble(3.0, 3.0).code.0, "claim-refuted");
    swing("always x <= 1.00000001 [m]").run(3.0, 3.0);
}

#[test]
fn next() {
    holds("always ((m == slow and x >= 1 [m]) implies next m == fast)");
    holds("always (m == slow implies next (m == slow or m == fast))");
    fails("always (m == slow and x >= 1 [m]) implies next m == done", 1.0);
}

/// The car is `slow` until t = 1, `fast` until t = 2, then `done`.
#[test]
fn formulas_are_joined() {
    holds("not eventually x >= 3.1 [m]");
    fails("not eventually x >= 2.5 [m]", 2.5);
    holds("not always m == slow");
    fails("not always x >= 0", 3.0);
    holds("(m == slow until m == fast) and eventually m == done");
    fails("(m == slow until m == done) and eventually m == done", 1.0);
    fails("(m == slow until m == fast) and eventually x >= 4 [m]", 3.0);
    holds("always ((m == slow and next m == fast) or m != slow)");
    fails("always ((m == slow and next m == done) or m != slow)", 1.0);
    holds("(always m == slow) or eventually m == done");
    fails("(always m == slow) or (always x <= 1.5 [m])", 1.5);
    holds("not (m == slow until m == done)");
    holds("always not (m == done and x < 1.9 [m])");
}

#[test]
fn implies() {
    holds("always (m == fast implies x >= 0.999 [m])");
    holds("always m == fast implies eventually m == done");
    holds("x > 100 [m] implies always x < 0");
    fails("always m == done implies x >= 2.5 [m]", 2.0);
    fails("always m == done implies eventually x >= 4 [m]", 3.0);
}

/// At the moment of a bounce the ball is at the floor but for rounding, and a taut rope is as long as it is.
#[test]
fn rounding_refutes_nothing() {
    let ball = "gravity 9.81 [m/s^2]\nbody ball { position = (0, 0, free(1 [m])); mass = 1 [kg] }\n\
                when bounce: ball.position.z <= 0 and ball.velocity.z < 0 {\n\
                ball.velocity.z == -pre(ball.velocity.z); keep positions }\nclaim above: always ball.position.z >= 0";
    for scene in [Scene::new(ball), Scene::new(ball).default_tolerance()] {
        assert!(scene.run(30.0, 30.0).events.len() > 10);
    }
    let rope = "gravity 9.81 [m/s^2]\nbody bob { position = (0, free(1 [m]), free); mass = 1 [kg] }\n\
                always rope: |bob.position| == 1 [m]\nclaim near: always |bob.position| <= 1 [m]";
    Scene::new(rope).run(5.0, 0.5);
}

#[test]
fn the_first_claim_that_fails_is_named() {
    let found = car("claim good: always x >= 0\nclaim bad: always x <= 1 [m]").trouble(3.0, 0.25);
    assert!(found.message.contains("`bad`"), "{}", found.message);
    assert!(found.labels.iter().any(|label| label.text == "1 m"), "its place is told: {found:?}");
}

/// Claims are watched in scenes without modes, too.
#[test]
fn a_scene_without_transitions_can_claim_something() {
    let text = "gravity 9.81 [m/s^2]\nframe swing { rotation = about x free }\n\
                body bob in swing { position = (0, 0, -1 [m]); mass = 1 [kg] }\n\
                initially swing.angle == 60 [deg]\n";
    Scene::new(&format!("{text}claim low: always bob.position.z <= -0.499 [m]")).run(5.0, 0.5);
    let found = Scene::new(&format!("{text}claim low: always bob.position.z <= -0.6 [m]")).trouble(5.0, 0.5);
    assert_eq!(found.code.0, "claim-refuted");
}
