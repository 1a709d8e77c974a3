//! Derivatives of runs by parameters: closed forms, and differences of runs.

use ansatz::{Ensemble, Options, Scene, Span};

mod differences;

use differences::{assert_like_differences, rows};

const PENDULUM: &str = "
    scene pendulum
    param length = 2 [m]
    param start = 60 [deg]
    param g = 9.81 [m/s^2]
    gravity g
    frame swing in world { rotation = about x free }
    body bob in swing { position = (0, 0, -length); mass = 1 [kg] }
    initially swing.angle == start
    plot swing.angle, swing.angle', bob.position.z";

#[test]
fn a_pendulum_changes_as_differences_say() {
    let values = [("length", 2.0), ("start", 1.0), ("g", 9.81)];
    assert_like_differences(PENDULUM, &values, Span { until: 5.0, every: 0.5 }, 1e-6);
}

/// What has the form f(t √(g / l)) changes by the length as −t f′ / (2 l).
#[test]
fn a_pendulum_scales_with_its_period() {
    let found = rows(PENDULUM, &[], Span { until: 5.0, every: 0.5 }, Some(&["length"]));
    for row in &found {
        let [t, _, rate, _, by_length, ..] = row[..] else { panic!("a short row") };
        assert!((by_length + t * rate / (2.0 * 2.0)).abs() < 1e-8, "at t = {t}");
    }
}

const BALL: &str = "
    scene ball
    param height = 2 [m]
    param g = 10 [m/s^2]
    param share = 0.8
    gravity g
    body ball { position = (0, 0, free); mass = 1 [kg] }
    initially ball.position.z == height
    when bounce: ball.position.z <= 0 [m] and ball.velocity.z < 0 [m/s] {
      ball.velocity.z == -share * pre(ball.velocity.z)
      keep positions
    }
    plot ball.position.z, ball.velocity.z";

/// It falls in T = √(2 h / g), and is above the ground for 2 s √(2 h / g) after that.
#[test]
fn a_bouncing_ball_knows_its_closed_form() {
    let (h, g, s): (f64, f64, f64) = (2.0, 10.0, 0.8);
    let found = rows(BALL, &[], Span { until: 1.5, every: 0.1 }, Some(&["height", "share", "g"]));
    let (fall, speed) = ((2.0 * h / g).sqrt(), (2.0 * g * h).sqrt());
    for row in found.iter().filter(|row| row[0] > fall && row[0] < fall * (1.0 + 2.0 * s)) {
        let since = row[0] - fall;
        // z = s v τ − g τ² / 2, with τ = t − T(h), v = √(2 g h).
        let rate = s * speed - g * since;
        let by_height = s * since * g / speed - rate / (g * fall);
        let by_share = speed * since;
        let by_g = s * since * h / speed - since * since / 2.0 + rate * fall / (2.0 * g);
        for (at, exact) in [(3, by_height), (5, by_share), (7, by_g)] {
            assert!((row[at] - exact).abs() < 1e-8, "t = {}: {} is not {exact}", row[0], row[at]);
        }
    }
}

#[test]
fn a_ball_that_bounces_often_changes_as_differences_say() {
    let values = [("height", 2.0), ("share", 0.8), ("g", 10.0)];
    assert_like_differences(BALL, &values, Span { until: 3.0, every: 0.25 }, 1e-5);
}

/// Modes whose laws differ, and transitions at instants that change with everything.
#[test]
fn modes_are_followed() {
    let text = include_str!("../../../../examples/thermostat.anz");
    let values = [("warm", 21.0), ("power", 120.0), ("capacity", 40.0), ("outside", 5.0)];
    assert_like_differences(text, &values, Span { until: 40.0, every: 4.0 }, 1e-5);
}

/// A number that a transition remembers changes with the instant of it.
#[test]
fn what_transitions_remember_is_followed() {
    let text = include_str!("../../../../examples/slip_runner.anz");
    let values = [("stiffness", 20000.0), ("height", 0.95), ("total_energy", 1784.8)];
    assert_like_differences(text, &values, Span { until: 1.0, every: 0.1 }, 1e-4);
}

/// Forces that bend and jump inside of a mode, by the state and by the time.
#[test]
fn switches_are_followed() {
    let text = "
        scene spring
        param edge = 0.3 [m]
        param stiffness = 40 [N/m]
        body block { position = (free, 0, 0); mass = 1 [kg] }
        initially block.position.x == 1 [m]
        let pull = stiffness * (if block.position.x > edge then block.position.x else 0.2 * edge)
        let late = if t > 2.1 [s/m] * edge then 3 [N] else 0 [N]
        force on block = (-pull - late, 0, 0)
        plot block.position.x, block.velocity.x";
    assert_like_differences(text, &[("edge", 0.3), ("stiffness", 40.0)], Span { until: 2.0, every: 0.2 }, 1e-5);
}

/// A loop, whose start is found by iteration, and onto whose constraint states and derivatives are moved.
#[test]
fn constraints_are_followed() {
    let text = "
        scene crank_and_slider
        param crank = 0.1 [m]
        param rod   = 0.3 [m]
        param rate  = 10 [rad/s]
        gravity 9.81 [m/s^2]
        frame shaft           { rotation = about x free }
        body  pin    in shaft { position = (0, crank, 0); mass = 200 [g] }
        body  piston          { position = (0, free(crank + rod), 0); mass = 1 [kg] }
        always connected: |pin.position - piston.position| == rod
        initially shaft.angle == 0
        initially der(shaft.angle) == rate
        plot piston.position.y, der(shaft.angle)";
    let values = [("crank", 0.1), ("rod", 0.3), ("rate", 10.0)];
    assert_like_differences(text, &values, Span { until: 1.0, every: 0.1 }, 1e-5);
}

fn refusal(text: &str, by: &str) -> ansatz::Error {
    let scene = Scene::compile("scene", text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let ensemble = Ensemble::new(&scene, &[], &Default::default(), Span { until: 2.0, every: 1.0 }).expect("it runs");
    match ensemble.with_sensitivities(&[by]) {
        Err(error) => error,
        Ok(ensemble) => ensemble.run(&[], &|| true).expect("it starts").finished.failure.expect("it fails"),
    }
}

#[test]
fn what_is_not_known_is_refused() {
    let unknown = refusal(PENDULUM, "lenght").to_string();
    assert!(unknown.contains("unknown-setting") && unknown.contains("did you mean `length`?"), "{unknown}");
    let planned = refusal(include_str!("../../../../examples/moon_landing.anz"), "g").to_string();
    assert!(planned.contains("no-sensitivity") && planned.contains("plan"), "{planned}");
    let held = "
        scene held
        param roughness = 0.5
        body block { position = (free, 0, 0); mass = 1 [kg] }
        initially block.velocity.x == 1 [m/s]
        force on block = (-roughness * 9.81 [N] * sign(block.velocity.x / 1 [m/s]), 0, 0)
        plot block.position.x";
    let held = refusal(held, "roughness").to_string();
    assert!(held.contains("no-sensitivity") && held.contains("derivatives of this run are not known"), "{held}");
}

/// Three joints follow two equations: their first speeds are the least ones, which change with every length.
#[test]
fn least_starts_are_followed() {
    let text = include_str!("../../../../examples/redundant_arm.anz");
    let values = [("length1", 0.5), ("length2", 0.4), ("mass1", 3.0)];
    assert_like_differences(text, &values, Span { until: 1.0, every: 0.25 }, 1e-5);
}

/// Derivatives that are zero at first, or altogether, do not keep steps short; parameters may be of any size, or zero.
#[test]
fn derivatives_of_any_size_are_followed() {
    let text = include_str!("../../../../examples/double_pendulum.anz");
    let values = [("length1", 1.0), ("length2", 1.0), ("mass2", 1.0), ("angle1", 0.0)];
    assert_like_differences(text, &values, Span { until: 2.0, every: 0.25 }, 1e-5);
    let stiff = "
        scene s
        param stiffness = 2e9 [N/m]
        body block { position = (free, 0, 0); mass = 1e6 [kg] }
        initially block.position.x == 1 [mm]
        force on block = (-stiffness * block.position.x, 0, 0)
        plot block.position.x, block.velocity.x";
    let found = rows(stiff, &[], Span { until: 0.5, every: 0.01 }, Some(&["stiffness"]));
    for row in &found {
        // A cosine of t √(k / m) changes by k as t x′ / (2 k).
        let [t, _, velocity, by_stiffness, _] = row[..] else { panic!("a short row") };
        let exact = t * velocity / (2.0 * 2e9);
        assert!((by_stiffness - exact).abs() < 1e-18, "t = {t}: {by_stiffness} is not {exact}");
    }
}
