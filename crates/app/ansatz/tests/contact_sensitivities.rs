//! Derivatives of runs in which things touch: closed forms, and differences of runs.

use ansatz::{Ensemble, Options, Scene, Span};

mod differences;

use differences::{assert_like_differences, rows};

/// A ball that is dropped and bounces.
const BALL: &str = "
    scene ball
    param height = 1 [m]
    param speed = 2 [m/s]
    param bounce = 0.8
    param g = 9.81 [m/s^2]
    gravity g
    surface floor: z == 0
    body ball: sphere(0.1 [m]) mass 1 [kg] { position = (free, free, free) }
    initially ball.position == (0, 0, height + 0.1 [m])
    initially ball.velocity == (speed, 0, 0)
    contact ball, floor { restitution = bounce }
    plot ball.position.x, ball.position.z, ball.velocity.z";

/// After one bounce z = 0.1 + e v τ − g τ²/2 with v = √(2 g h) and τ = t − √(2 h / g).
#[test]
fn a_bounce_has_the_derivatives_of_its_closed_form() {
    let found = rows(BALL, &[], Span { until: 1.0, every: 0.1 }, Some(&["height", "bounce", "g"]));
    let (h, e, g) = (1.0_f64, 0.8, 9.81_f64);
    let falls = (2.0 * h / g).sqrt();
    for row in found.iter().filter(|row| row[0] > falls) {
        let later = row[0] - falls;
        let v = (2.0 * g * h).sqrt();
        let expected = [
            (2, e * g / v * later + (e * v - g * later) * -(1.0 / v)),
            (5, v * later),
            (8, e * h / v * later - later * later / 2.0 + (e * v - g * later) * (falls / (2.0 * g))),
        ];
        for (column, value) in expected {
            let error = row[3 + column] - value;
            assert!(error.abs() < 1e-8, "at t = {}, column {column}: {} and not {value}", row[0], row[3 + column]);
        }
    }
}

#[test]
fn bounces_one_after_the_other_change_as_differences_say() {
    let values = [("height", 1.0), ("bounce", 0.8), ("g", 9.81), ("speed", 2.0)];
    assert_like_differences(BALL, &values, Span { until: 2.05, every: 0.205 }, 1e-6);
}

/// Spin and friction: the first impacts slip, later ones do not.
#[test]
fn impacts_with_friction_change_as_differences_say() {
    let text = "
        scene spin
        param spin = -40 [rad/s]
        param speed = 2 [m/s]
        param rough = 0.3
        param aside = 0.7 [m/s]
        gravity 9.81 [m/s^2]
        surface floor: z == 0
        body ball: sphere(0.05 [m]) mass 1 [kg] { position = (free, free, free); rotation = free }
        initially ball.position == (0, 0, 0.5 [m])
        initially ball.velocity == (speed, aside, 0)
        initially ball.omega == (3 [rad/s], spin, 2 [rad/s])
        contact ball, floor { restitution = 0.8; friction = rough }
        plot ball.position, ball.velocity, ball.omega";
    let values = [("spin", -40.0), ("speed", 2.0), ("rough", 0.3), ("aside", 0.7)];
    assert_like_differences(text, &values, Span { until: 1.5, every: 0.15 }, 1e-5);
}

/// A ball on a floor that slides until it rolls.
const SLIDING: &str = "
    scene slider
    param speed = 3 [m/s]
    param rough = 0.2
    gravity 9.81 [m/s^2]
    surface floor: z == 0
    body ball: sphere(0.1 [m]) mass 1 [kg] { position = (free, free, free); rotation = free }
    initially ball.position == (0, 0, 0.1 [m])
    initially ball.velocity == (speed, 0, 0)
    contact ball, floor { restitution = 0; friction = rough }
    plot ball.position.x, ball.velocity.x, ball.omega.y";

/// It slides for 2 v / (7 μ g) and rolls from then on at 5 v / 7, where x = 12 v² / (49 μ g) + 5/7 v (t − 2 v / (7 μ g)).
#[test]
fn a_ball_that_slides_until_it_rolls_has_the_derivatives_of_its_closed_form() {
    let found = rows(SLIDING, &[], Span { until: 1.0, every: 0.1 }, Some(&["speed", "rough"]));
    let (v, m, g) = (3.0, 0.2, 9.81);
    for row in &found {
        let t = row[0];
        let slides = t < 2.0 * v / (7.0 * m * g);
        let expected = match slides {
            true => [t, 1.0, -g * t * t / 2.0, -g * t],
            false => [5.0 / 7.0 * t + 4.0 * v / (49.0 * m * g), 5.0 / 7.0, -2.0 * v * v / (49.0 * m * m * g), 0.0],
        };
        for (column, value) in [4, 5, 7, 8].into_iter().zip(expected) {
            let error: f64 = row[column] - value;
            assert!(error.abs() < 1e-7, "at t = {t}, column {column}: {} and not {value}", row[column]);
        }
    }
}

/// A ball that rolls down a dome, slips and leaves it.
#[test]
fn a_ball_on_a_dome_changes_as_differences_say() {
    let text = "
        scene dome
        param angle = 0.1 [rad]
        param rough = 0.3
        param g = 9.81 [m/s^2]
        gravity g
        frame dome { shape = sphere(1 [m]) }
        body ball: sphere(0.1 [m]) mass 1 [kg] { position = (free, free, free); rotation = free }
        initially ball.position == (1.1 [m] * sin(angle), 0, 1.1 [m] * cos(angle))
        contact ball, dome { restitution = 0; friction = rough }
        plot ball.position.x, ball.position.z, ball.velocity.x, ball.omega.y";
    let values = [("angle", 0.1), ("rough", 0.3), ("g", 9.81)];
    assert_like_differences(text, &values, Span { until: 1.25, every: 0.125 }, 1e-4);
}

/// Corners share the forces of a block in many ways; what moves does not depend on how.
#[test]
fn a_block_that_is_pushed_changes_as_differences_say() {
    let text = "
        scene block
        param push = 6 [N]
        param rough = 0.3
        param mass = 1 [kg]
        param speed = 2 [m/s]
        gravity 9.81 [m/s^2]
        surface floor: z == 0
        body block: box(0.2 [m], 0.2 [m], 0.04 [m]) mass mass { position = (free, free, free); rotation = free }
        initially block.position == (0, 0, 0.02 [m])
        initially block.velocity == (0, speed, 0)
        force on block = (push, 0, 0)
        contact block, floor { restitution = 0; friction = rough }
        plot block.position.x, block.position.y, block.velocity.y";
    let values = [("push", 6.0), ("rough", 0.3), ("mass", 1.0), ("speed", 2.0)];
    assert_like_differences(text, &values, Span { until: 1.0, every: 0.1 }, 1e-5);
}

/// An impulse goes through hinges, and changes with all that moves.
#[test]
fn a_struck_pendulum_changes_as_differences_say() {
    let text = "
        scene struck
        param heavy = 1 [kg]
        param speed = 1 [m/s]
        param g = 9.81 [m/s^2]
        gravity g
        frame upper { rotation = about y free }
        body rod1 in upper { position = (0, 0, -0.5 [m]); shape = rod(1 [m]); mass = 1 [kg] }
        frame knee in upper { position = (0, 0, -1 [m]); rotation = about y free }
        body rod2 in knee { position = (0, 0, -0.5 [m]); shape = rod(1 [m]); mass = 1 [kg] }
        body ball: sphere(0.05 [m]) mass heavy { position = (free, 0, -1.9 [m]) }
        initially ball.position.x == -0.27 [m]
        initially ball.velocity.x == speed
        contact ball, rod2 { restitution = 1 }
        plot ball.velocity.x, upper.angle, knee.angle";
    let values = [("heavy", 1.0), ("speed", 1.0), ("g", 9.81)];
    assert_like_differences(text, &values, Span { until: 0.6, every: 0.06 }, 1e-5);
}

/// Its bounces accumulate at t = √(2 h / g) (1 + e) / (1 − e); then it lies still, whatever changes, and moves on along the floor.
#[test]
fn a_ball_that_has_come_to_rest_lies_still_whatever_changes() {
    let text = BALL.replace("param bounce = 0.8", "param bounce = 0.5");
    let found = rows(&text, &[], Span { until: 2.0, every: 0.5 }, Some(&["height", "bounce", "speed"]));
    let row = found.last().expect("rows");
    for (column, value) in [(4, 0.0), (5, 0.0), (6, 0.0), (7, 0.0), (8, 0.0), (9, 0.0), (10, 2.0), (11, 0.0), (12, 0.0)]
    {
        let error: f64 = row[column] - value;
        assert!(error.abs() < 1e-7, "column {column}: {}", row[column]);
    }
}

/// A ball in a bowl slides without friction or rolls; either way its oscillation changes with its start and with gravity.
#[test]
fn a_ball_in_a_bowl_changes_as_differences_say() {
    for friction in ["0", "0.9"] {
        let text = "
            scene bowl
            param start = 0.2 [m]
            param g = 9.81 [m/s^2]
            gravity g
            surface bowl: z == (x^2 + y^2) / 2 [m]
            body ball: sphere(0.1 [m]) mass 1 [kg] { position = (free, free, free); rotation = free }
            let tilt = atan(start / 1 [m])
            initially ball.position == (start - 0.1 [m] * sin(tilt), 0, start^2 / 2 [m] + 0.1 [m] * cos(tilt))
            contact ball, bowl { restitution = 0; friction = FRICTION }
            plot ball.position, ball.velocity";
        let text = text.replace("FRICTION", friction);
        assert_like_differences(&text, &[("start", 0.2), ("g", 9.81)], Span { until: 0.5, every: 0.125 }, 1e-4);
    }
}

/// What falls on a floor, bounces and turns, of every shape.
#[test]
fn shapes_that_fall_change_as_differences_say() {
    let shapes = [
        ("ellipsoid(0.1 [m], 0.07 [m], 0.05 [m])", 0.2),
        ("torus(0.1 [m], 0.03 [m])", 0.3),
        ("cylinder(0.1 [m], 0.3 [m])", 0.4),
        ("cone(0.1 [m], 0.3 [m])", 0.4),
        ("box(0.1 [m], 0.2 [m], 0.3 [m])", 0.4),
    ];
    for (shape, height) in shapes {
        let text = format!(
            "
            scene falls
            param speed = 0.5 [m/s]
            param spin = 3 [rad/s]
            param rough = 0.1
            gravity 9.81 [m/s^2]
            surface floor: z == 0
            body thing: {shape} mass 1 [kg] {{ position = (free, free, free); rotation = free }}
            initially thing.position == (0, 0, {height} [m])
            initially thing.velocity == (speed, 0.2 [m/s], 0)
            initially thing.omega == (0.1 [rad/s], spin, 0.3 [rad/s])
            contact thing, floor {{ restitution = 0.5; friction = rough }}
            plot thing.position, thing.velocity, thing.omega"
        );
        let values = [("speed", 0.5), ("spin", 3.0), ("rough", 0.1)];
        assert_like_differences(&text, &values, Span { until: 0.35, every: 0.35 }, 1e-4);
    }
}

/// What two bodies make of an impact, through a point that is found by iteration.
#[test]
fn an_impact_of_ellipsoids_changes_as_differences_say() {
    let text = "
        scene pair
        param speed = 1 [m/s]
        param spin = 3 [rad/s]
        body a: ellipsoid(0.1 [m], 0.07 [m], 0.05 [m]) mass 1 [kg] { position = (free, free, free); rotation = free }
        body b: ellipsoid(0.1 [m], 0.2 [m], 0.15 [m]) mass 2 [kg] { position = (free, free, free); rotation = free }
        initially a.position == (0, 0, 0)
        initially b.position == (0.5 [m], 0.03 [m], 0.02 [m])
        initially a.velocity == (speed, 0, 0)
        initially a.omega == (0.1 [rad/s], spin, 0.3 [rad/s])
        initially b.omega == (1 [rad/s], 0.5 [rad/s], -0.3 [rad/s])
        contact a, b { restitution = 0.5; friction = 0.1 }
        plot a.position, a.velocity, b.velocity, b.omega, contact(a, b).impacts";
    let values = [("speed", 1.0), ("spin", 3.0)];
    let found = rows(text, &values, Span { until: 0.5, every: 0.5 }, None);
    assert!(found[1].last() >= Some(&1.0), "they meet");
    assert_like_differences(text, &values, Span { until: 0.5, every: 0.5 }, 1e-4);
}

fn refusal(text: &str, by: &str) -> String {
    let scene = Scene::compile("scene", text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let ensemble = Ensemble::new(&scene, &[], &Default::default(), Span { until: 2.0, every: 1.0 }).expect("it runs");
    let error = match ensemble.with_sensitivities(&[by]) {
        Err(error) => error,
        Ok(ensemble) => ensemble.run(&[], &|| true).expect("it starts").finished.failure.expect("it fails"),
    };
    error.to_string()
}

/// Impacts one after the other at one instant would come in another order; shapes and forces are not followed; things that begin to sink in neither.
#[test]
fn what_has_no_derivative_is_refused() {
    let cradle = refusal(include_str!("../../../../examples/cradle.anz"), "speed");
    assert!(cradle.contains("no-sensitivity") && cradle.contains("one after the other"), "{cradle}");
    let shape = refusal(include_str!("../../../../examples/dropped_ball.anz"), "radius");
    assert!(shape.contains("no-sensitivity") && shape.contains("`radius` changes a shape"), "{shape}");
    let force = refusal(&format!("{BALL}, contact(ball, floor).force"), "g");
    assert!(force.contains("no-sensitivity") && force.contains("force"), "{force}");
    let resting = SLIDING.replace("(0, 0, 0.1 [m])", "(0, 0, 0.1 [m] + up)");
    let resting = refusal(&resting.replace("param speed", "param up = 0 [m]\n    param speed"), "up");
    assert!(resting.contains("no-sensitivity"), "{resting}");
}
