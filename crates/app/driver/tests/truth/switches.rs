//! What bends, jumps, slides or is narrow, against closed forms: nothing of it is passed over.

use driver::Solver;

use crate::scene::{Scene, Table, assert_near};

/// A puck of some mass that a force along x acts on.
fn pushed(force: &str) -> Scene {
    let text = format!(
        "scene pushed
         body puck {{ position = (free, 0, 0); mass = 2 [kg] }}
         force on puck = ({force}, 0 [N], 0 [N])"
    );
    Scene::new(&text).probe(&["puck.position.x", "puck.velocity.x"])
}

/// Place and speed at the end.
fn end(table: &Table, body: &str) -> [f64; 2] {
    [table.last(&format!("{body}.position.x")), table.last(&format!("{body}.velocity.x"))]
}

#[test]
fn pushes_on_something_at_rest_are_felt() {
    for (from, lasts, newton) in [(5.0, 1e-3, 1000.0), (3.3, 0.3, 7.0), (0.123, 1e-9, 1e9)] {
        let force = format!("if t > {from} [s] and t < {from} [s] + {lasts} [s] then {newton} [N] else 0 [N]");
        let [x, v] = end(&pushed(&force).at(8.0), "puck");
        let speed = newton * lasts / 2.0;
        assert_near(&format!("speed after {lasts} s"), v, speed, 1e-6 * speed);
        assert_near(&format!("place after {lasts} s"), x, speed * (8.0 - from - lasts / 2.0), 1e-6 * speed);
    }
}

#[test]
fn a_train_of_pulses_adds_up() {
    let force = "if t / 1 [s] - floor(t / 1 [s]) < 0.01 then 40 [N] else 0 [N]";
    let [_, v] = end(&pushed(force).at(20.5), "puck");
    assert_near("after twenty-one pulses", v, 21.0 * 40.0 * 0.01 / 2.0, 1e-10);
}

/// A Gaussian of a millisecond within seconds of rest is seen.
#[test]
fn a_narrow_smooth_push_is_felt() {
    for width in [1e-1, 1e-3] {
        let force = format!("10 [N] * exp(-((t - 5 [s]) / {width} [s])^2)");
        let [_, v] = end(&pushed(&force).at(9.0), "puck");
        let expected = 10.0 * width * std::f64::consts::PI.sqrt() / 2.0;
        assert_near(&format!("width {width}"), v, expected, 1e-8 * expected);
    }
}

/// What is narrow is seen beside what is large and goes on, as a term, as a factor and under a root, and where its bounds over long times are
/// far too wide: those of d² exp(−d²) are, and so are those of the acceleration of a drive that has a bump.
#[test]
fn what_is_narrow_is_seen_beside_what_is_large() {
    let pulse = |width: f64, at: f64| format!("exp(-((t - {at} [s]) / {width} [s])^2)");
    let (root, ten) = (std::f64::consts::PI.sqrt(), 10.0_f64);
    let (ms, us) = (pulse(1e-3, 5.0), pulse(1e-6, 7.0));
    let cases = [
        (format!("10 * exp(-t / 1 [s]) + {ms}"), 10.0 * (1.0 - (-ten).exp()) + 1e-3 * root),
        (format!("10 * sin(t / 1 [s]) + {ms}"), 10.0 * (1.0 - ten.cos()) + 1e-3 * root),
        (format!("(3 + {ms}) * (2 + 0.1 * t / 1 [s])"), 75.0 + 2.5e-3 * root),
        (format!("{ms} + 10 * {us} + 0.01 * {}", pulse(1e-5, 3.0)), root * (1e-3 + 1e-5 + 1e-7)),
        (format!("(t / 1 [s] - 4)^2 * {ms}"), root * 1e-3 * (1.0 + 0.5e-6)),
        (format!("((t / 1 [s] - 5) * 1000)^2 * {ms}"), root * 1e-3 / 2.0),
    ];
    for (rate, expected) in cases {
        for solver in [Solver::Explicit, Solver::Implicit] {
            let text = format!("y: real\ninitially y == 0\nalways y' == ({rate}) / 1 [s]");
            let found = Scene::new(&text).tolerance(1e-10).solver(solver).probe(&["y"]).at(10.0).last("y");
            assert_near(&rate, found, expected, 1e-8 * expected.abs());
        }
    }
}

/// A cart that jerks forth and back within a millisecond gives what hangs on it by a spring the integral of where it was.
#[test]
fn a_drive_with_a_narrow_bump_is_felt() {
    let scene = Scene::new(
        "frame cart { position = (1 [m] * exp(-((t - 5 [s]) / 1 [ms])^2), 0, 0) }
         body b in cart { position = (free, 0, 0); mass = 1 [kg] }
         initially b.velocity.x == 0
         initially b.x == 0
         force on b = (-1 [N/m] * b.x, 0 [N], 0 [N])",
    );
    let table = scene.tolerance(1e-11).probe(&["b.position.x", "b.velocity.x"]).at(10.0);
    let (swing, angle) = (1e-3 * std::f64::consts::PI.sqrt() * (-0.25e-6_f64).exp(), 5.0_f64);
    assert_near("x", table.last("b.position.x"), swing * angle.sin(), 1e-8);
    assert_near("v", table.last("b.velocity.x"), swing * angle.cos(), 1e-8);
}

/// A broken power of a square bends where its base is zero: y′ = (x²)^p, where x passes zero.
#[test]
fn broken_powers_of_squares_bend() {
    for power in [0.75, 1.25, 2.0 / 3.0] {
        for (start, rate) in [(1.0, -1.0), (-1.0, 1.0)] {
            let text = format!(
                "x: real; y: real\ninitially x == {start}\ninitially y == 0\nalways x' == {rate} / 1 [s]\n\
                 always y' == 3 * (4 * x^2)^({power}) / 1 [s]"
            );
            let degree = 2.0 * power + 1.0;
            let expected = 3.0 * 4.0_f64.powf(power) * (1.0 + 2.0_f64.powf(degree)) / degree;
            for (tolerance, error) in [(1e-8, 3e-8), (1e-11, 1e-10)] {
                let found = Scene::new(&text).tolerance(tolerance).probe(&["y"]).at(3.0).last("y");
                assert_near(&format!("power {power} at {tolerance}"), found, expected, error * expected);
            }
        }
    }
}

/// A ball in the potential |x|^(3/2), written as a power of x²: after each of its periods it is back, with its energy. A period is
/// 4 ∫ dx / v from 0 to 1, for v² = 2 (1 − x^(3/2)), which is 4 B(2/3, 1/2) / (3/2 √2).
#[test]
fn a_potential_with_a_broken_power_costs_no_digits() {
    const PERIOD: f64 = 4.8783005680104664;
    let scene = Scene::new(
        "body b { position = (free, 0, 0); mass = 1 [kg] }
         initially b.position.x == 1 [m]
         potential = 1 [J] * (b.position.x^2 / 1 [m^2])^0.75",
    );
    let table = scene.tolerance(1e-8).probe(&["b.position.x", "b.velocity.x"]).at(3.0 * PERIOD);
    assert_near("x", table.last("b.position.x"), 1.0, 1e-7);
    assert_near("v", table.last("b.velocity.x"), 0.0, 1e-6);
    assert!(table.drift() < 1e-7, "energy drifts by {:e}", table.drift());
}

/// v′ = −k |v| v / m beyond a border, free before it: the smooth pieces keep the order of the method.
#[test]
fn pieces_are_as_accurate_as_the_tolerance_asks() {
    let scene = Scene::new(
        "scene mud
         body puck { position = (free, 0, 0); mass = 2 [kg] }
         initially puck.velocity.x == 3 [m/s]
         force on puck = (if puck.position.x > 1 [m] then -0.7 [N*s^2/m^2] * puck.velocity.x^2 else 0 [N], 0 [N], 0 [N])",
    );
    let scene = scene.probe(&["puck.position.x", "puck.velocity.x"]);
    let (drag, since): (f64, f64) = (0.7 / 2.0, 4.0 - 1.0 / 3.0);
    let speed = 3.0 / (1.0 + drag * 3.0 * since);
    let place = 1.0 + (1.0 + drag * 3.0 * since).ln() / drag;
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        let [x, v] = end(&scene.clone().tolerance(tolerance).at(4.0), "puck");
        assert_near(&format!("place at {tolerance:e}"), x, place, 20.0 * tolerance * place);
        assert_near(&format!("speed at {tolerance:e}"), v, speed, 20.0 * tolerance * speed);
    }
}

/// A potential of a |x| is a fall, there and back: the period is 4 √(2 x m / a).
#[test]
fn a_kink_of_a_potential_costs_no_digits() {
    let scene = Scene::new(
        "scene kink
         body puck { position = (free, 0, 0); mass = 2 [kg] }
         initially puck.position.x == 1 [m]
         potential = 3 [N] * abs(puck.position.x)",
    );
    let period = 4.0 * (2.0 * 2.0 / 3.0_f64).sqrt();
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let table = scene.clone().probe(&["puck.position.x"]).tolerance(tolerance).at(5.0 * period);
        assert_near("after five periods", table.last("puck.position.x"), 1.0, 100.0 * tolerance);
    }
}

/// What has too little energy for a step of a potential is thrown back; what has enough loses it.
#[test]
fn a_step_of_a_potential_keeps_the_energy() {
    let scene = |speed: f64| {
        let text = format!(
            "scene barrier
             body puck {{ position = (free, free, 0); mass = 2 [kg] }}
             initially puck.velocity == ({speed}, 0.5, 0) [m/s]
             potential = if puck.position.x > 1 [m] and puck.position.x < 1.01 [m] then 50 [J] else 0 [J]"
        );
        Scene::new(&text).probe(&["puck.position", "puck.velocity", "energy"]).run(4.0, 0.5)
    };
    let back = scene(1.0);
    assert_near("thrown back", back.last("puck.position.x"), 2.0 - 4.0, 1e-10);
    assert_near("speed along the border", back.last("puck.velocity.y"), 0.5, 1e-12);
    let over = scene(8.0);
    let within = (64.0_f64 - 50.0).sqrt();
    let place = 1.01 + 8.0 * (4.0 - 1.0 / 8.0 - 0.01 / within);
    assert_near("beyond the barrier", over.last("puck.position.x"), place, 1e-9);
    assert!(back.drift() < 1e-12 && over.drift() < 1e-12);
}

/// The step acts through joints: a rod that turns about its end is thrown back like a point of its reduced mass.
#[test]
fn a_step_of_a_potential_acts_through_joints() {
    let scene = Scene::new(
        "scene gate
         frame hinge in world { rotation = about z free }
         body bob in hinge { position = (0.7 [m], 0, 0); mass = 2 [kg] }
         initially hinge.angle == -0.5; initially hinge.omega.z == 1.5 [rad/s]
         potential = if bob.position.y > 0 [m] then 1 [J] else 0 [J]",
    );
    let table = scene.probe(&["hinge.angle", "hinge.omega.z"]).at(1.0);
    let inertia = 2.0 * 0.49;
    let after = (1.5_f64 * 1.5 - 2.0 * 1.0 / inertia).sqrt();
    assert_near("rate", table.last("hinge.omega.z"), after, 1e-10);
    assert_near("angle", table.last("hinge.angle"), after * (1.0 - 0.5 / 1.5), 1e-10);
}

/// Friction brings a block to rest and holds it, until a force that grows exceeds it.
#[test]
fn friction_stops_holds_and_lets_go() {
    let scene = Scene::new(
        "scene block
         body block { position = (free, 0, 0); mass = 2 [kg] }
         initially block.velocity.x == 3 [m/s]
         force on block = (-4 [N] * sign(block.velocity.x) + 1 [N/s] * max(t - 2 [s], 0 [s]), 0 [N], 0 [N])",
    );
    let scene = scene.probe(&["block.position.x", "block.velocity.x", "block.acceleration.x"]);
    let table = scene.run(8.0, 0.5);
    let (stops, rests) = (1.5, 3.0 * 1.5 - 0.5 * 2.0 * 1.5 * 1.5);
    for (row, &t) in table.times.iter().enumerate().filter(|(_, t)| **t > stops && **t < 6.0) {
        assert_near(&format!("place at {t}"), table.column("block.position.x")[row], rests, 1e-11);
        assert_near(&format!("acceleration at {t}"), table.column("block.acceleration.x")[row], 0.0, 1e-11);
    }
    let since: f64 = 8.0 - 6.0;
    assert_near("speed", table.last("block.velocity.x"), since * since / 4.0, 1e-10);
    assert_near("place", table.last("block.position.x"), rests + since.powi(3) / 12.0, 1e-10);
    assert!(table.summary.statistics.accepted < 200, "{:?}", table.summary.statistics);
}

/// Two blocks on one another, each with its own friction, and the floor: both come to rest, and the chain of forces is found.
#[test]
fn two_blocks_stick_to_one_another() {
    let scene = Scene::new(
        "scene stack
         body low { position = (free, 0, 0); mass = 2 [kg] }
         body top { position = (free, 0, 1 [m]); mass = 1 [kg] }
         initially top.velocity.x == 3 [m/s]
         force on top = (-2 [N] * sign(top.velocity.x - low.velocity.x), 0 [N], 0 [N])
         force on low = (2 [N] * sign(top.velocity.x - low.velocity.x) - 0.5 [N] * sign(low.velocity.x), 0 [N], 0 [N])",
    );
    let scene = scene.probe(&["low.position.x", "top.position.x", "low.velocity.x", "top.velocity.x"]);
    // 3 − 2 t = 0.75 t; then together at 2.75 − …: −0.5 / 3.
    let meets = 3.0 / 2.75;
    let speed = 0.75 * meets;
    let table = scene.at(meets + 1.0);
    assert_near("together", table.last("top.velocity.x"), speed - 0.5 / 3.0, 1e-10);
    assert_near("one with the other", table.last("low.velocity.x"), table.last("top.velocity.x"), 1e-11);
    let rest = scene.at(20.0);
    let low = 0.5 * 0.75 * meets * meets + 0.5 * speed * speed * 6.0;
    assert_near("at rest", rest.last("low.position.x"), low, 1e-9);
    assert_near("no more speed", rest.last("top.velocity.x"), 0.0, 1e-11);
}

/// A relay on its line x + v = 0 slides along it: x falls exponentially.
#[test]
fn a_relay_slides_along_its_line() {
    let scene = Scene::new(
        "scene relay
         x: [m] = 1 [m]
         v: [m/s] = 0 [m/s]
         always x' == v
         always v' == -4 [m/s^2] * sign(x / 1 [m] + v / 1 [m/s])",
    );
    let scene = scene.probe(&["x", "v"]);
    // From x = 1 − 2 t², v = −4 t: the line is met where 1 − 2 t² = 4 t.
    let meets = (6.0_f64.sqrt() - 2.0) / 2.0;
    let first = 1.0 - 2.0 * meets * meets;
    let table = scene.at(3.0);
    assert_near("x", table.last("x"), first * (meets - 3.0).exp(), 1e-11);
    assert!(table.summary.statistics.accepted < 100, "{:?}", table.summary.statistics);
}

/// A cart that sets off at once gives the bob below it the impulse of its speed, however that is said.
#[test]
fn a_jump_of_a_prescribed_speed_is_handed_on() {
    let driven = "frame cart in world { position = (0, if t < 1 [s] then 0 [m] else (t - 1 [s]) * 2 [m/s], 0) }";
    let kept = "body cart { position = (0, free, 0); mass = 5 [kg] }
                always cart.velocity.y == (if t < 1 [s] then 0 [m/s] else 2 [m/s])";
    let placed = "body cart { position = (0, free, 0); mass = 5 [kg] }
                  always cart.position.y == (if t < 1 [s] then 0 [m] else (t - 1 [s]) * 2 [m/s])";
    for cart in [driven, kept, placed] {
        let text = format!(
            "scene cart
             {cart}
             frame swing in cart {{ rotation = about x free }}
             body bob in swing {{ position = (0, 0, -0.5 [m]); mass = 1 [kg] }}"
        );
        let table = Scene::new(&text).probe(&["swing.angle"]).at(1.5);
        // Without gravity the bob turns about the cart at −v / l.
        assert_near("angle", table.last("swing.angle"), -2.0 / 0.5 * 0.5, 1e-9);
    }
}

/// Who pulls the arms in at once turns faster by as much: the angular momentum stays.
#[test]
fn a_jump_of_inertia_keeps_the_angular_momentum() {
    let scene = Scene::new(
        "scene skater
         body skater { rotation = about z free; mass = 1 [kg]; inertia = (1, 1, if t < 1 [s] then 3 else 2) [kg*m^2] }
         initially skater.omega.z == 4 [rad/s]",
    );
    assert_near("faster", scene.probe(&["skater.omega.z"]).at(2.0).last("skater.omega.z"), 6.0, 1e-11);
}

#[test]
fn a_prescribed_place_does_not_leap() {
    let scene = Scene::new(
        "scene leap
         frame cart in world { position = (0, if t < 1 [s] then 0 [m] else 0.5 [m], 0) }
         frame swing in cart { rotation = about x free }
         body bob in swing { position = (0, 0, -1 [m]); mass = 1 [kg] }",
    );
    let found = scene.trouble(2.0, 0.5);
    assert_eq!(found.code.0, "prescribed-leap");
    assert_eq!(found.labels.len(), 1, "it points at the condition");
    assert!(found.message.contains("t = 1 s, what is prescribed leaps by 0.5"), "{}", found.message);
}

/// Where a prescribed speed jumps, the rate of a force has the mark of a leap; a claim that watches the force is no reason to end there.
#[test]
fn what_is_watched_may_leap() {
    let scene = Scene::new(
        "gravity 9.81 [m/s^2]
         frame shoulder { rotation = about (0, -1, 0) free }
         body arm in shoulder { position = (0.5, 0, 0) [m]; mass = 2 [kg] }
         prescribe shoulder.angle == max(0, t - 0.5 [s]) * 1 [1/s] using shoulder.torque
         body bob { position = (free(0.5 [m]), 0, free(-2.1 [m])); mass = 1 [kg] }
         always rod: norm(bob.position - arm.position) == 2.1 [m]
         claim taut: always tension(rod) < 1000 [N]",
    );
    let table = scene.probe(&["tension(rod)"]).run(0.5 + 1e-9, 0.25);
    assert_near("at rest", table.column("tension(rod)")[1], 9.81, 1e-9);
    // The arm is level as it leaves with 1 rad/s: its end pulls the bob up at 0.5 m/s at once, and turns about the shoulder with v²/r.
    assert_near("just after", table.last("tension(rod)"), 9.81, 1e-6);
}

/// The integral of a current is the charge, impulses and all.
#[test]
fn laws_integrate_what_jumps() {
    let scene = Scene::new(
        "scene capacitor
         voltage: [V]; charge: [C]; current: [A]
         collected: [C] = 0 [C]
         always voltage == (if t > 1 [s] then 5 [V] else 1 [V] * t / 1 [s])
         always charge == 2 [F] * voltage
         always current == charge'
         always collected' == current",
    );
    let table = scene.probe(&["charge", "collected"]).at(3.0);
    assert_near("collected", table.last("collected"), 10.0, 1e-11);
    assert_near("charge", table.last("charge"), 10.0, 1e-11);
}

/// A choke behind a diode: L i′ + R i = max(u, 0), against the closed form of each half wave; the implicit methods too.
#[test]
fn a_diode_written_with_if_is_exact() {
    let scene = Scene::new(
        "scene diode
         u: [V]; i: [A] = 0 [A]
         always u == 10 [V] * sin(100 * pi * t / 1 [s])
         always 0.01 [H] * i' + 5 [ohm] * i == (if u > 0 [V] then u else 0 [V])",
    );
    let (w, tau) = (100.0 * std::f64::consts::PI, 0.01 / 5.0);
    let (amplitude, phase) = (2.0 / (1.0 + (w * tau).powi(2)).sqrt(), (w * tau).atan());
    // Through one half wave from i: the steady part plus a transient; then a free decay.
    let wave = |i: f64| {
        let up = amplitude * (std::f64::consts::PI - phase).sin() + (i + amplitude * phase.sin()) * (-0.01 / tau).exp();
        up * (-0.01 / tau).exp()
    };
    let expected = (0..5).fold(0.0, |i, _| wave(i));
    for solver in [Solver::Explicit, Solver::Implicit] {
        let found = scene.clone().probe(&["i"]).solver(solver).at(0.1).last("i");
        assert_near(&format!("{solver:?}"), found, expected, 1e-9);
    }
}

/// A hill V / cosh²(x / a), however it is written: far from it x = ±(v t + a/2 · ln |V − E| / E), where t is counted from its top or from where
/// the puck turns. It is narrower than a step by thousands.
#[test]
fn a_narrow_hill_is_not_passed_over() {
    let (from, until, speed) = (-5.0, 12.0, 1.0);
    let energy: f64 = 0.5 * speed * speed;
    let hills: [(f64, &str); 3] =
        [(1e-3, "(1 - tanh(u)^2)"), (1e-5, "(1 - tanh(u)^2)"), (0.02, "4 / (exp(u) + exp(-u))^2")];
    for (width, hill) in hills {
        for height in [20.0, 0.3, -2.0] {
            let text = format!(
                "scene hill
                 body puck {{ position = (free, 0, 0); mass = 1 [kg] }}
                 initially puck.position.x == {from} [m]; initially puck.velocity.x == {speed} [m/s]
                 let u = puck.position.x / {width} [m]
                 potential = {height} [J] * {hill}"
            );
            let ahead = width / 2.0 * ((height - energy).abs() / energy).ln();
            let far = speed * (until - (-from - ahead) / speed) + ahead;
            let expected = if height > energy { -far } else { far };
            for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
                let scene = Scene::new(&text).probe(&["puck.position.x", "puck.velocity.x"]).tolerance(tolerance);
                let [x, _] = end(&scene.at(until), "puck");
                assert_near(&format!("{height} J of {width} m at {tolerance:e}"), x, expected, 1e4 * tolerance);
            }
        }
    }
}

/// Two equal balls that meet head-on change velocities, whatever keeps them apart.
#[test]
fn narrow_pair_potentials_keep_balls_apart() {
    for potential in
        ["exp(-(d / w)^2)", "1 / (1 + (d / w)^2)", "(w / d)^12", "1 / (1 + (d / w)^20)", "w / d * exp(-d / w)"]
    {
        for (width, tolerance) in [(1e-2, 1e-4), (1e-2, 1e-8), (1e-4, 1e-6), (1e-4, 1e-10)] {
            let text = format!(
                "scene balls
                 body a {{ position = (free, free, 0); mass = 1 [kg] }}
                 body b {{ position = (free, free, 0); mass = 1 [kg] }}
                 initially a.position == (-3, 0, 0) [m]; initially b.position == (4, 0, 0) [m]
                 initially a.velocity == (1.5, 0, 0) [m/s]; initially b.velocity == (-0.5, 0, 0) [m/s]
                 let w = {width} [m]
                 let d = |a.position - b.position|
                 potential = 40 [J] * {potential}"
            );
            let table = Scene::new(&text).probe(&["a.velocity.x", "b.velocity.x"]).tolerance(tolerance).at(9.0);
            assert_near(&format!("{potential} of {width} m at {tolerance:e}"), table.last("a.velocity.x"), -0.5, 1e-2);
            assert_near("the other", table.last("b.velocity.x"), 1.5, 1e-2);
        }
    }
}

/// Rutherford: a charge that passes a fixed one is turned by θ with tan θ/2 = k / (2 E b), however weak the charges are.
#[test]
fn a_weak_charge_turns_what_comes_near() {
    let (strength, beside): (f64, f64) = (1e-4, 1e-4);
    let text = format!(
        "scene rutherford
         body charge {{ position = (free, free, 0); mass = 1 [kg] }}
         initially charge.position == (-3, {beside}, 0) [m]; initially charge.velocity == (1, 0, 0) [m/s]
         potential = {strength} [J*m] / |charge.position|"
    );
    let angle = 2.0 * (strength / beside).atan();
    for tolerance in [1e-5, 1e-8, 1e-11] {
        let table = Scene::new(&text).probe(&["charge.velocity"]).tolerance(tolerance).at(6.0);
        // What is left of the potential at 3 m changes the direction by about its ratio to the energy.
        let found = table.last("charge.velocity.y").atan2(table.last("charge.velocity.x"));
        assert_near(&format!("at {tolerance:e}"), found, angle, 1e-4 + 1e3 * tolerance);
    }
}

/// x′ = 1 / (1 + A exp(−((x − 2) / w)²)) is held up by A w √π, be it a law of its own or through an unknown that follows; a force that
/// is large at one speed holds that speed.
#[test]
fn narrow_bumps_of_laws_are_felt() {
    let (size, width) = (1000.0, 1e-4);
    let bump = format!("{size} * exp(-((x - 2) / {width})^2)");
    let direct = format!("always x' * 1 [s] == 1 / (1 + {bump})");
    let followed = format!("rest: [1]\n always rest == {bump}\n always x' * (1 + rest) == 1 [1/s]");
    let expected = 5.0 - size * width * std::f64::consts::PI.sqrt();
    for laws in [direct, followed] {
        for solver in [Solver::Explicit, Solver::Implicit] {
            for tolerance in [1e-4, 1e-7, 1e-10] {
                let text = format!("scene bump\n x: [1] = 0\n {laws}");
                let scene = Scene::new(&text).probe(&["x"]).solver(solver).tolerance(tolerance);
                assert_near(
                    &format!("{solver:?} at {tolerance:e}"),
                    scene.at(5.0).last("x"),
                    expected,
                    3e3 * tolerance,
                );
            }
        }
    }
    let scene = pushed("2 [N] - 10 [N] * exp(-((puck.velocity.x / 1 [m/s] - 1) / 0.001)^2)");
    for tolerance in [1e-4, 1e-8] {
        let [_, v] = end(&scene.clone().tolerance(tolerance).at(4.0), "puck");
        assert_near("speed that is held", v, 1.0 - 0.001 * 5.0_f64.ln().sqrt(), 1e-6 + 10.0 * tolerance);
    }
}

/// A wire with a kink is an impact without a law, however it is written, and is refused; where the slope does not jump, all is well.
#[test]
fn a_corner_of_a_path_is_refused() {
    let held = |path: &str| {
        let text = format!(
            "scene wire
             body bead {{ position = (free, free, 0); mass = 1 [kg] }}
             initially bead.position.x == -1 [m]; initially bead.velocity.x == 1 [m/s]
             let x = bead.position.x
             always bead.position.y == ({path})"
        );
        Scene::new(&text)
    };
    let led = "scene rail
         frame slider in world { position = (free, 0, 0) }
         body bead in slider { position = (0, max(slider.position.x, 0 [m]), 0); mass = 1 [kg] }
         initially slider.position.x == -1 [m]; initially slider.velocity.x == 1 [m/s]";
    for scene in [held("abs(x)"), held("if x < 0 [m] then 0 [m] else x / 10"), Scene::new(led)] {
        let found = scene.trouble(2.0, 0.5);
        assert_eq!(found.code.0, "corner");
        assert!(found.message.contains("t = 1 s"), "{}", found.message);
    }
    // A speed that is prescribed by places is driven, and may rise at once.
    let driven = "scene servo
         body cart { position = (0, free, 0); mass = 5 [kg] }
         always cart.velocity.y == (if cart.position.y < 1 [m] then 1 [m/s] else 2 [m/s])";
    let table = Scene::new(driven).probe(&["cart.position.y"]).at(3.0);
    assert_near("driven", table.last("cart.position.y"), 5.0, 1e-10);
    // On a parabola of unit curvature the bead keeps its speed along the path: ẋ √(1 + x²) = 1.
    let table = held("if x < 0 [m] then 0 [m] else x^2 / 2 [m]").probe(&["bead.position.x"]).at(2.0);
    let x = table.last("bead.position.x");
    assert_near("length of the path", (x * (1.0 + x * x).sqrt() + x.asinh()) / 2.0, 1.0, 1e-10);
}

/// Something that begins on a step of a potential climbs it or is thrown back; a row at the instant shows the potential that belongs to it.
#[test]
fn a_step_of_a_potential_acts_on_what_begins_on_it() {
    let scene = |from: f64, energy: f64| {
        let text = format!(
            "scene border
             body puck {{ position = (free, 0, 0); mass = 2 [kg] }}
             initially puck.position.x == {from} [m]; initially puck.velocity.x == 3 [m/s]
             potential = if puck.position.x > 1 [m] then {energy} [J] else 0 [J]"
        );
        Scene::new(&text).probe(&["puck.position.x", "puck.velocity.x"]).run(2.0, 0.5)
    };
    for (energy, speed) in [(5.0, 2.0), (50.0, -3.0), (-7.0, 4.0)] {
        let table = scene(1.0, energy);
        assert_near("place", table.last("puck.position.x"), 1.0 + 2.0 * speed, 1e-11);
        assert!(table.drift() < 1e-12, "{energy} J");
        // The first row, or the second, is at the instant itself.
        let later = scene(-0.5, energy);
        assert_near("place, later", later.last("puck.position.x"), 1.0 + 1.5 * speed, 1e-11);
        assert!(later.drift() < 1e-12 && later.warnings.is_empty(), "{energy} J");
    }
}

/// The integral of an angle that goes round, by whole turns and the rest.
#[test]
fn an_angle_jumps_at_its_cut() {
    let scene = Scene::new(
        "scene angle
         w: [1] = 0; x: [1] = 0
         always w' * 1 [s] == 1
         always x' * 1 [s] == atan2(sin(w), cos(w))",
    );
    let rest = 10.0 - 4.0 * std::f64::consts::PI;
    assert_near("integral", scene.probe(&["x"]).at(10.0).last("x"), rest * rest / 2.0, 1e-11);
}

/// ∫ sin²ⁿ over a period is √(π / n) (1 − 1 / 8n + …) twice: a large power is neither long nor passed over.
#[test]
fn large_powers_are_narrow() {
    let scene = Scene::new("scene power\n x: [1] = 0\n always x' * 1 [s] == (sin(t / 1 [s])^2)^100000");
    let expected = 3.0 * (std::f64::consts::PI / 1e5).sqrt() * (1.0 - 1.0 / 8e5);
    assert_near("three peaks", scene.probe(&["x"]).at(9.0).last("x"), expected, 1e-11);
}

/// A puck on a table, with friction against its velocity: it stops after v / (μ g), stays, and sets off where a push exceeds the friction.
#[test]
fn friction_in_the_plane_stops_holds_and_lets_go() {
    let scene = Scene::new(
        "scene table
         body puck { position = (free, free, 0); mass = 2 [kg] }
         initially puck.velocity == (3, 4, 0) [m/s]
         force on puck = -4 [N] * puck.velocity / |puck.velocity|
         force on puck = max(t - 4 [s], 0 [s]) * (-0.8, 0.6, 0) [N/s]",
    );
    let scene = scene.probe(&["puck.position", "puck.velocity"]);
    let table = scene.run(10.0, 0.5);
    for (row, &t) in table.times.iter().enumerate() {
        let (moving, since) = (t.min(2.5), (t - 8.0_f64).max(0.0));
        let (along, away) = (5.0 * moving - moving * moving, since.powi(3) / 12.0);
        let expected = [0.6 * along - 0.8 * away, 0.8 * along + 0.6 * away];
        for (axis, expected) in ["x", "y"].iter().zip(expected) {
            let found = table.column(&format!("puck.position.{axis}"))[row];
            assert_near(&format!("{axis} at {t}"), found, expected, 1e-9);
        }
    }
    assert!(table.summary.statistics.accepted < 1000, "{:?}", table.summary.statistics);
}

/// Friction that acts on the velocity relative to a belt, or to another body, carries along what it brings to rest there.
#[test]
fn friction_in_the_plane_carries_along() {
    let belt = Scene::new(
        "scene belt
         body puck { position = (free, free, 0); mass = 2 [kg] }
         initially puck.velocity == (0, 3, 0) [m/s]
         let slip = puck.velocity - (1, 0, 0) [m/s]
         force on puck = -4 [N] * slip / |slip|",
    );
    let table = belt.probe(&["puck.position", "puck.velocity"]).at(4.0);
    // The slip is (-1, 3) m/s, and falls by 2 m/s in each second.
    let lasts = 10.0_f64.sqrt() / 2.0;
    assert_near("with the belt", table.last("puck.velocity.x"), 1.0, 1e-12);
    assert_near("across", table.last("puck.position.y"), 1.5 * lasts, 1e-10);
    assert_near("along", table.last("puck.position.x"), 4.0 - 0.5 * lasts, 1e-10);

    let plates = Scene::new(
        "scene plates
         body low { position = (free, free, 0); mass = 2 [kg] }
         body top { position = (free, free, 1 [m]); mass = 1 [kg] }
         initially top.velocity == (3, 0, 0) [m/s]
         initially low.velocity == (0, 1, 0) [m/s]
         let slip = top.velocity - low.velocity
         force on top = -2 [N] * slip / |slip|
         force on low = 2 [N] * slip / |slip|",
    );
    let table = plates.probe(&["top.velocity", "low.velocity"]).at(3.0);
    for body in ["top", "low"] {
        assert_near("momentum along x", table.last(&format!("{body}.velocity.x")), 1.0, 1e-11);
        assert_near("momentum along y", table.last(&format!("{body}.velocity.y")), 2.0 / 3.0, 1e-11);
    }
}

/// On an incline that is not steep enough to slide, with friction μ and pull a, μ |v| + a vₓ falls by μ² − a² in each second: what is pushed
/// across turns downhill while it comes to rest.
#[test]
fn friction_in_the_plane_rests_on_an_incline() {
    let scene = Scene::new(
        "scene incline
         gravity 10 [m/s^2]
         frame ramp in world { rotation = about y 0.3 }
         body puck in ramp { position = (free, free, 0); mass = 2 [kg] }
         initially puck.velocity.y == 1 [m/s]
         force on puck = -8 [N] * puck.velocity / |puck.velocity|",
    );
    let scene = scene.probe(&["puck.position", "|puck.velocity|"]);
    let pull = 10.0 * 0.3_f64.sin();
    let stops = 4.0 / (16.0 - pull * pull);
    for before in [1e-2, 1e-5] {
        // Near to the end it moves downhill, and 4 |v| + a vₓ is (4 + a) |v|.
        let speed = scene.at(stops - before).last("|puck.velocity|");
        assert_near(&format!("speed {before} s before"), speed, (4.0 - pull) * before, 0.02 * before);
    }
    let rest = scene.run(3.0 * stops, 1.5 * stops);
    assert_near("at rest", scene.at(stops + 1e-9).last("|puck.velocity|"), 0.0, 1e-14);
    assert_near("for good", rest.column("puck.position.x")[1], rest.last("puck.position.x"), 1e-14);
}

/// Infinitely many turns in finite time: each swing is shorter by √½, and the last instant is a geometric sum.
#[test]
fn turns_that_accumulate_end_at_their_limit() {
    let scene = Scene::new(
        "scene valley
         body bead { position = (free, 0, 0); mass = 1 [kg] }
         initially bead.position.x == 1 [m]
         potential = 3 [N] * abs(bead.position.x)
         force on bead = (-1 [N] * sign(bead.velocity.x) + max(t - 7 [s], 0 [s]) * 1 [N/s], 0 [N], 0 [N])",
    );
    let scene = scene.probe(&["bead.position.x", "bead.velocity.x"]);
    // Down with 2 m/s², up with 4 m/s².
    let ratio = 0.5_f64.sqrt();
    let last = 1.0 + (2.0 / 4.0 + 2.0 * ratio / 2.0) / (1.0 - ratio);
    let before = scene.at(last - 1e-3);
    assert!(before.last("bead.velocity.x").abs() > 1e-5);
    let after = scene.at(last + 1e-9);
    assert_near("rests", after.last("bead.velocity.x").abs() + after.last("bead.position.x").abs(), 0.0, 1e-14);
    assert!(after.summary.statistics.accepted < 2000, "{:?}", after.summary.statistics);
    // Held until the push exceeds 3 N + 1 N at 11 s.
    let end = scene.at(13.0);
    assert_near("lets go", end.last("bead.position.x"), 8.0 / 6.0, 1e-9);
}

/// Two relays, each of which drives the other across its border, spiral into the point where both are held.
#[test]
fn relays_that_spiral_into_one_another_come_to_rest() {
    let scene = Scene::new(
        "scene spiral
         x: [1] = 1; y: [1] = 0.5
         always x' == (-sign(x) + 2 * sign(y)) / 1 [s]
         always y' == (-2 * sign(x) - sign(y)) / 1 [s]",
    );
    let table = scene.probe(&["x", "y"]).at(20.0);
    assert_near("both", table.last("x").abs() + table.last("y").abs(), 0.0, 1e-13);
    assert!(table.summary.statistics.accepted < 2000, "{:?}", table.summary.statistics);
}

/// A quantizer holds what it drives at the step that both of its sides lead to, and lets it go when the drive is stronger.
#[test]
fn the_border_of_floor_holds() {
    let scene = Scene::new(
        "scene quantizer
         x: [1] = 1.5
         always x' == (0.5 - floor(x) + 0.1 * t / 1 [s]) / 1 [s]",
    );
    let scene = scene.probe(&["x"]);
    // x' = -0.5 + t / 10 as far as 1, held there until t = 5, then upwards to 2 and on as before with one less.
    let meets = 5.0 - 15.0_f64.sqrt();
    assert_near("on its way", scene.at(0.9 * meets).last("x"), 1.5 - 0.45 * meets + 0.0405 * meets * meets, 1e-12);
    assert_near("held", scene.at(4.0).last("x"), 1.0, 1e-13);
    assert_near("lets go", scene.at(7.0).last("x"), 1.0 + 0.05 * 4.0, 1e-11);
}

/// Torricelli: √h falls linearly; what is empty stays empty.
#[test]
fn a_tank_runs_empty_and_stays_so() {
    for outflow in ["sqrt(h)", "sqrt(max(h, 0))", "(if h > 0 then sqrt(h) else 0)", "sign(h) * sqrt(abs(h))"] {
        let scene = Scene::new(&format!("scene tank\nh: [1] = 1\nalways h' == -{outflow} / 1 [s]")).probe(&["h"]);
        assert_near(outflow, scene.at(1.5).last("h"), 0.0625, 1e-11);
        let empty = scene.at(30.0);
        assert_near(outflow, empty.last("h"), 0.0, 1e-20);
        assert!(empty.summary.statistics.accepted < 500, "{:?}", empty.summary.statistics);
    }
    let filled = Scene::new(
        "scene tank
         h: [1] = 1
         always h' == (max(t / 1 [s] - 3, 0) - sqrt(max(h, 0))) / 1 [s]
         stored: [1] = 0
         always stored' == (max(t / 1 [s] - 3, 0) - sqrt(max(h, 0))) / 1 [s]",
    );
    let table = filled.probe(&["h", "stored"]).at(6.0);
    assert_near("filled again", table.last("h") - table.last("stored"), 1.0, 1e-10);
    assert!(table.last("h") > 1.0);
}

/// A drive made of pieces that jump is judged as a whole: a triangle wave has corners, no leaps.
#[test]
fn a_drive_made_of_pieces_does_not_leap() {
    let triangle = "abs(t / 1 [s] - 2 * floor(t / 2 [s] + 1/2)) * 1 [m]";
    let ramps = "(t / 1 [s] - floor(t / 2 [s]) * 2 - 2 * max(t / 1 [s] - floor(t / 2 [s]) * 2 - 1, 0)) * 1 [m]";
    for drive in [triangle, ramps] {
        let text = format!(
            "scene shaken
             frame cart in world {{ position = (0, {drive}, 0) }}
             frame swing in cart {{ rotation = about x free }}
             body bob in swing {{ position = (0, 0, -0.5 [m]); mass = 1 [kg] }}"
        );
        let table = Scene::new(&text).probe(&["swing.angle"]).at(2.5);
        // The speed of the cart is 1, -1, 1 m/s: 4 rad/s from 1 s on, and 4 (1 - cos 4) from 2 s.
        assert_near("angle", table.last("swing.angle"), 4.0 + 2.0 * (1.0 - 4.0_f64.cos()), 1e-10);
    }
}

/// Viscous friction in a valley with a kink never brings the bead to rest, and it returns ever sooner: that is said.
#[test]
fn turns_that_pile_up_are_told() {
    let scene = Scene::new(
        "scene valley
         x: [m] = 1 [m]; v: [m/s] = 0 [m/s]
         always x' == v
         always v' == -3 [m/s^2] * sign(x) - v / 1 [s]",
    );
    let found = scene.default_tolerance().trouble(100.0, 10.0);
    assert_eq!(found.code.0, "chattering");
    assert!(found.message.contains("ever faster"), "{}", found.message);
    assert_eq!(found.labels.len(), 1, "it points at the sign");
}

/// Implicit steps slide as explicit ones do, of order 5 as of order 13: friction beside something stiff, relays on their lines, a quantizer, a tank
/// that runs empty, a puck that comes to rest in the plane.
#[test]
fn implicit_steps_slide() {
    let stiff = "z: real = 1\nalways z' * 1 [s] == -1e6 * (z - ";
    let meets = (6.0_f64.sqrt() - 2.0) / 2.0;
    let scenes: [(&str, &str, f64, &str, f64); 7] = [
        ("x: real = 1\nalways x' * 1 [s] == 0.1 - sign(x)", "x", 4.0, "x", 0.0),
        (
            "x: real = 1; v: real = 0\nalways x' * 1 [s] == v\nalways v' * 1 [s] == -4 * sign(x + v)",
            "x",
            3.0,
            "x",
            (1.0 - 2.0 * meets * meets) * (meets - 3.0).exp(),
        ),
        ("x: real = 1.5\nalways x' * 1 [s] == 0.5 - floor(x) + 0.1 * t / 1 [s]", "x", 7.0, "x", 1.2),
        ("h: real = 1\nalways h' * 1 [s] == -sqrt(h)", "h", 4.0, "h", 0.0),
        // Two kinds of friction on one block, which act alike on one border.
        (
            "body block { position = (free, 0, 0); mass = 2 [kg] }
             initially block.velocity.x == 3 [m/s]
             force on block = (-1 [N] * sign(block.velocity.x), 0, 0)
             force on block = ((if block.velocity.x > 0 [m/s] then -3 [N] else 3 [N]) + max(t - 4 [s], 0 [s]) * 2 [N/s], 0, 0)",
            "0",
            7.0,
            "block.position.x / 1 [m]",
            2.25 + 1.0 / 6.0,
        ),
        // A block on a belt that a motor drives: it slips until it is as fast, then goes with the belt while that holds it.
        (
            "body block { position = (free, 0, 0); mass = 1 [kg] }
             force on block = (-5 [N] * sign(block.velocity.x - 2 [m/s]), 0, 0)",
            "0",
            3.0,
            "block.position.x / 1 [m]",
            0.4 + 2.0 * 2.6,
        ),
        (
            "body puck { position = (free, free, 0); mass = 2 [kg] }
             initially puck.velocity == (3, 4, 0) [m/s]
             force on puck = -4 [N] * puck.velocity / |puck.velocity|",
            "0",
            4.0,
            "puck.position.y / 1 [m]",
            5.0,
        ),
    ];
    for (laws, followed, until, probe, expected) in scenes {
        for tolerance in [1e-7, 1e-11] {
            let text = format!("scene sliding\n{laws}\n{stiff}{followed})");
            let scene = Scene::new(&text).probe(&[probe]).solver(Solver::Implicit).tolerance(tolerance);
            let table = scene.at(until);
            assert_near(&format!("{laws} at {tolerance:e}"), table.last(probe), expected, 10.0 * tolerance.max(1e-9));
            assert!(table.summary.statistics.accepted < 4000, "{laws}: {:?}", table.summary.statistics);
        }
    }
}

/// A belt that a motor drives takes a block with it, however fast the coil of the motor is.
#[test]
fn what_slides_may_be_stiff() {
    let scene = Scene::new(
        "scene belt
         body block { position = (free, 0, 0); mass = 1 [kg] }
         i: [A] = 0 [A]; w: [rad/s] = 0 [rad/s]
         always 1e-6 [H] * i' == 12 [V] - 1 [ohm] * i - 0.5 [V*s] * w
         always 0.5 [kg*m^2] * w' == 0.5 [N*m/A] * i
         force on block = (-50 [N/m] * block.position.x - 5 [N] * sign(block.velocity.x - w * 0.1 [m]), 0, 0)",
    );
    // The belt takes the block with it as far as the spring allows; w = 24 (1 - exp(-t / 2)) but for the coil.
    let scene =
        scene.default_tolerance().solver(Solver::Implicit).probe(&["block.position.x", "block.velocity.x", "w"]);
    let early = scene.at(0.2);
    let rate = 24.0 * (1.0 - (-0.1_f64).exp());
    assert_near("belt", early.last("w"), rate, 1e-4);
    assert_near("with the belt", early.last("block.velocity.x"), 0.1 * early.last("w"), 1e-9);
    assert!(early.summary.statistics.accepted < 500, "{:?}", early.summary.statistics);
    let late = scene.at(3.0);
    assert!(late.last("block.position.x").abs() < 0.2, "the spring is stronger from 5 N on");
}

/// What is far from rest has its own direction, though a part of it moves as nothing that has a direction can change.
#[test]
fn a_distance_has_its_direction_where_something_else_bends() {
    let place = |point: &str, laws: &str| {
        let text = format!(
            "scene towed
             frame cart {{ position = (if t < 0.25 [s] then 0 [m] else 1.5 [m/s] * (t - 0.25 [s]), 1 [m], 3 [m]) }}
             frame arm in cart {{ rotation = about y free(0.2) }}
             body bob in arm {{ position = (0, 0, -0.5) [m]; mass = 1 [kg] }}
             {laws}
             potential = 1.2 [N/m] * (|{point} * 1 [m] - bob.position| - 0.3 [m])^2"
        );
        Scene::new(&text).probe(&["bob.position.x"]).at(1.5).last("bob.position.x")
    };
    let laws = "x: real = 1.7\ny: real = -0.7\nw: real = 0\nalways x' == y / 1 [s]\nalways y' == -x / 1 [s]\n\
                always w' == min(y, -0.85) / 1 [s]";
    let turns = "t / 1 [s]";
    let known = format!("(1.7 * cos({turns}) - 0.7 * sin({turns}), -1.7 * sin({turns}) - 0.7 * cos({turns}), 0)");
    assert_near("by laws and by functions", place("(x, y, 0)", laws), place(&known, ""), 1e-8);
}

/// Beside a buffer that keeps steps short, friction brings a block to rest.
#[test]
fn friction_holds_beside_what_is_stiff() {
    let scene = Scene::new(
        "scene buffer
         body block { position = (free, 0, 0); mass = 2 [kg] }
         initially block.velocity.x == 3 [m/s]
         force on block = (-4 [N] * sign(block.velocity.x), 0, 0)
         body anvil { position = (0, free(0.1 [m]), 0); mass = 0.4 [kg] }
         force on anvil = (0, -9000 [N/m] * anvil.position.y - 400 [N*s/m] * anvil.velocity.y, 0)",
    );
    let table = scene.probe(&["block.position.x", "block.velocity.x"]).at(4.0);
    let [x, v] = end(&table, "block");
    assert_near("where it stops", x, 3.0 * 3.0 * 2.0 / (2.0 * 4.0), 1e-7);
    assert_near("at rest", v, 0.0, 1e-9);
}

/// The derivative of |v| v at rest is zero, for implicit steps as well: v = u tanh(g t / u).
#[test]
fn drag_from_rest_is_solved_implicitly() {
    let scene = Scene::new(
        "scene drop
         gravity (3, 0, 0) [m/s^2]
         body stone { position = (free, 0, 0); mass = 2 [kg] }
         force on stone = -1.5 [N*s^2/m^2] * |stone.velocity| * stone.velocity",
    );
    let table = scene.solver(Solver::Implicit).probe(&["stone.position.x", "stone.velocity.x"]).at(1.3);
    assert_near("speed", end(&table, "stone")[1], 2.0 * f64::tanh(3.0 * 1.3 / 2.0), 1e-7);
}

/// The force of a rod goes from a push to a pull, and friction with it; on which side it is there, rounding says.
#[test]
fn a_force_of_constraint_passes_zero_once() {
    let scene = Scene::new(
        "scene pulled
         gravity 9.81 [m/s^2]
         frame swing { position = (1, 0, 3) [m]; rotation = about (1, 2, -2) free(1.015) }
         body bob in swing { position = (0.1, 0.2, -0.672) [m]; mass = 0.598 [kg] }
         body puck { position = (free, 2 [m], 0); mass = 1.451 [kg] }
         initially puck.velocity.x == 1.661 [m/s]
         force on puck = (-2.947 [N] * sign(puck.velocity.x) + 4.453 [N] * sin(3.371 [rad/s] * t), 0, 0)
         potential = 1.401 [N/m] * (|puck.position - bob.position| - 0.895 [m])^2
         body ball { position = free((3.703, 0, 2) [m]); mass = 0.774 [kg] }
         always rod: |ball.position - (3, 0, 2) [m]| == 0.745 [m]
         initially ball.velocity.y == 0.924 [m/s]
         force on ball = -0.327 * |tension(rod)| * ball.velocity / (|ball.velocity| + 0.01 [m/s])
         potential = 4.92 [N/m] * (|ball.position - bob.position| - 1.339 [m])^2",
    );
    let scene = scene.probe(&["ball.position.x"]);
    let place = |tolerance: f64| scene.clone().tolerance(tolerance).at(1.5).last("ball.position.x");
    let exact = place(1e-11);
    for tolerance in [1e-7, 1e-8, 1e-9] {
        assert_near(&format!("at {tolerance}"), place(tolerance), exact, 100.0 * tolerance);
    }
}

/// x′ = `rate` from `start`, where `T` is the time in seconds.
fn own_law(rate: &str, start: f64, until: f64) -> f64 {
    let text = format!("scene law\nlet T = t / 1 [s]\nx: real = {start}\nalways x' * 1 [s] == {rate}");
    Scene::new(&text).probe(&["x"]).at(until).last("x")
}

/// What bends may be made of what bends: where the inner one turns, the outer one leaps with it, or slides as it does.
#[test]
fn what_bends_may_be_made_of_what_bends() {
    let laws: [(&str, f64, f64, f64); 17] = [
        ("if floor(T) >= 1 then 1 else -1", 0.0, 3.0, 1.0),
        ("if sign(T - 1) > 0 then 1 else -1", 0.0, 3.0, 1.0),
        ("if sign(T - 1) >= 0 then 1 else -1", 0.0, 3.0, 1.0),
        ("abs(sign(T - 1))", 0.0, 3.0, 3.0),
        ("sign(floor(T))", 0.0, 4.0, 3.0),
        ("max(floor(T), 1)", 0.0, 4.0, 7.0),
        ("abs(if x > -100 then T else -0.61)", 0.0, 2.0, 2.0),
        ("floor(if x > -100 then T else 0.5)", 0.0, 3.5, 4.5),
        ("floor(min(-x, T))", 1.0, 2.0, 0.0),
        ("sign(max(x, 0))", -1.0, 2.0, -1.0),
        ("sign(max(x, 0)) + 0.5", -1.0, 4.0, 3.0),
        ("sign(sqrt(max(x, 0)))", -1.0, 2.0, -1.0),
        ("floor(floor(x)) + 0.5", 0.2, 2.0, 1.6),
        ("min(T - floor(T), 0.5)", 0.0, 2.5, 0.875),
        // x + 1 follows T, once T has passed it: on one side x rests, on the other it is faster.
        ("floor(if T < x + 1 then 0.83 else T)", 0.0, 4.0, 3.0),
        ("if abs(x - 1) < 0.25 then 2 else 1", 0.0, 1.5, 1.75),
        ("max(-1, min(1, 2 - abs(T - 2)))", 0.0, 5.0, 2.5),
    ];
    for (rate, start, until, expected) in laws {
        assert_near(rate, own_law(rate, start, until), expected, 1e-9);
    }
}

/// The sign of what is zero, and stays so, is zero.
#[test]
fn the_sign_of_zero_is_zero() {
    let law = "scene still\ny: real = 0; x: real = 0\nalways y' == 0 / 1 [s]\nalways x' == sign(y) / 1 [s]";
    assert_near("of a law", Scene::new(law).probe(&["x"]).at(3.0).last("x"), 0.0, 1e-15);
    let puck = Scene::new(
        "scene level
         body puck { position = (free, free, 0); mass = 1 [kg] }
         initially puck.velocity.x == 1 [m/s]
         force on puck = (0, 1 [N] * max(t - 1 [s], 0 [s]) / 1 [s], 0)
         force on puck = (6 [N] * sign(puck.position.y), 0, 0)",
    );
    let puck = puck.probe(&["puck.position.x", "puck.velocity.x"]);
    let before = puck.at(1.0);
    assert_near("on the line", end(&before, "puck")[1], 1.0, 1e-12);
    assert_near("beside it", end(&puck.at(3.0), "puck")[1], 13.0, 1e-6);
}

/// Roots that vanish where they bend: ∫ √cos over a quarter of a turn, and a body that passes the place where its speed is least.
#[test]
fn roots_pass_their_borders() {
    let quarter = 1.198_140_234_735_592_2;
    assert_near("in time", own_law("sqrt(max(cos(T), 0))", 0.0, 4.0), quarter, 1e-8);
    // With u = √(1 - x) it takes 2 (u - 0.2 ln (1 + 5 u)) to come to 1.
    let lasts = 2.0 * (1.0 - 0.2 * 6.0_f64.ln());
    assert_near("in space", own_law("sqrt(max(1 - x, 0)) + 0.2", 0.0, lasts + 2.0), 1.4, 1e-8);
}

/// What friction holds, what is zero from the start, and what has run empty: each condition is there what it says of zero, whatever else is
/// decided by the same margin.
#[test]
fn conditions_say_what_they_say_at_zero() {
    // A condition, what it is above zero, and what it is on it.
    let conditions = [
        ("if v > 0 then 1 else 0", 1.0, 0.0),
        ("if v >= 0 then 1 else 0", 1.0, 1.0),
        ("if v < 0 then 1 else 0", 0.0, 0.0),
        ("if v <= 0 then 1 else 0", 0.0, 1.0),
        ("if -2 * v < 0 then 1 else 0", 1.0, 0.0),
        ("if not (v > 0) then 1 else 0", 0.0, 1.0),
        ("if v > 0 or v < 0 then 1 else 0", 1.0, 0.0),
        ("if v >= 0 and v <= 0 then 1 else 0", 0.0, 1.0),
        ("if v == 0 then 1 else 0", 0.0, 1.0),
        ("if v != 0 then 1 else 0", 1.0, 0.0),
        ("if v > 0 then 2 else if v < 0 then 3 else 5", 2.0, 5.0),
        ("abs(sign(v))", 1.0, 0.0),
        ("if sign(v) > 0 then 1 else 0", 1.0, 0.0),
        ("if sign(v) >= 0 then 1 else 0", 1.0, 1.0),
        ("if abs(v) > 0 then 1 else 0", 1.0, 0.0),
        ("if max(v, 0) > 0 then 1 else 0", 1.0, 0.0),
        ("if max(v, 0) >= v then 1 else 0", 1.0, 1.0),
        ("floor(v + 1) - floor(v)", 1.0, 1.0),
        ("floor(v / 10)", 0.0, 0.0),
        ("floor(-v / 10)", -1.0, 0.0),
    ];
    // What becomes of v, and when it is zero; it stays so.
    let motions = [
        ("-2 * sign(v)", 3.0, 1.5),
        ("0.5 - 2 * sign(v)", 3.0, 2.0),
        ("if v > 0 then -2 else if v < 0 then 2 else 0", 3.0, 1.5),
        ("0", 0.0, 0.0),
    ];
    for (rate, start, rests) in motions {
        let laws = conditions
            .iter()
            .enumerate()
            .map(|(at, (condition, ..))| format!("n{at}: real = 0\nalways n{at}' * 1 [s] == {condition}\n"));
        let text = format!("scene rest\nv: real = {start}\nalways v' * 1 [s] == {rate}\n{}", laws.collect::<String>());
        let names: Vec<String> = (0..conditions.len()).map(|at| format!("n{at}")).collect();
        let table = Scene::new(&text).probe(&names.iter().map(String::as_str).collect::<Vec<_>>()).at(4.0);
        for ((condition, above, at_zero), name) in conditions.iter().zip(&names) {
            let expected = above * rests + at_zero * (4.0 - rests);
            assert_near(&format!("{condition} where v' is {rate}"), table.last(name), expected, 1e-9);
        }
    }
}

/// A block counts while it moves, and begins again when it is pushed hard enough.
#[test]
fn a_block_counts_while_it_moves() {
    let scene = Scene::new(
        "scene counted
         body block { position = (free, 0, 0); mass = 2 [kg] }
         initially block.velocity.x == 3 [m/s]
         force on block = (-4 [N] * sign(block.velocity.x) + 1 [N/s] * max(t - 2 [s], 0 [s]), 0 [N], 0 [N])
         n: real = 0
         law count { n' == (if block.velocity.x > 0 [m/s] then 1 else 0) / 1 [s] }
         rests: real = 0
         law rest { rests' == (if block.velocity.x <= 0 [m/s] then 1 else 0) / 1 [s] }",
    );
    let table = scene.probe(&["n", "rests"]).at(8.0);
    assert_near("moves", table.last("n"), 1.5 + 2.0, 1e-8);
    assert_near("rests", table.last("rests"), 6.0 - 1.5, 1e-8);
}

/// What a condition that is held at zero does to something else that friction holds: it is what it says, and does not help there.
#[test]
fn what_rests_does_not_push_another() {
    let scene = Scene::new(
        "scene pushes
         body first { position = (free, 0, 0); mass = 2 [kg] }
         body second { position = (free, 1 [m], 0); mass = 1 [kg] }
         initially first.velocity.x == 3 [m/s]
         force on first = (-4 [N] * sign(first.velocity.x), 0, 0)
         force on second = ((if first.velocity.x > 0 [m/s] then 3 [N] else 0 [N]) - 1 [N] * sign(second.velocity.x), 0, 0)
         n: real = 0
         law count { n' == (if second.velocity.x > 0 [m/s] then 1 else 0) / 1 [s] }",
    );
    let table = scene.probe(&["second.position.x", "n"]).at(8.0);
    // 2 m/s^2 for 1.5 s, then -1 m/s^2 for 3 s.
    assert_near("place", table.last("second.position.x"), 2.25 + 4.5, 1e-9);
    assert_near("counted", table.last("n"), 4.5, 1e-9);
}

/// Two steps of a potential at one place are one of their sum, whatever they say there.
#[test]
fn steps_of_a_potential_at_one_place_are_one() {
    for speed in [2.0, 4.0_f64] {
        let text = format!(
            "scene steps
             body puck {{ position = (free(-1 [m]), 0, 0); mass = 1 [kg] }}
             initially puck.velocity.x == {speed} [m/s]
             potential = (if puck.position.x > 0 [m] then 1.5 [J] else 0 [J]) + (if puck.position.x >= 0 [m] then 1 [J] else 0 [J])"
        );
        let after = speed * speed - 5.0;
        let velocity = if after > 0.0 { after.sqrt() } else { -speed };
        let [x, v] =
            end(&Scene::new(&text).probe(&["puck.position.x", "puck.velocity.x"]).at(1.0 / speed + 1.0), "puck");
        assert_near(&format!("from {speed}"), v, velocity, 1e-9);
        assert_near("place", x, velocity, 1e-9);
    }
}

/// A potential has its step where its condition turns, whatever that is made of: too slow a puck is thrown back, a faster one climbs it.
#[test]
fn steps_of_potentials_may_be_made_of_what_jumps() {
    let conditions = [
        "floor(puck.position.x / 1 [m]) >= 1",
        "floor(puck.position.x / 1 [m]) > 0",
        "2 * floor(puck.position.x / 1 [m]) + 1 > 2",
        "floor(puck.position.x / 1 [m]) == 1",
        "not (floor(puck.position.x / 1 [m]) < 1)",
        "sign(puck.position.x - 1 [m]) > 0",
        "sign(puck.position.x - 1 [m]) >= 0",
        "sign(1 [m] - puck.position.x) < 0",
        "sign(puck.position.x - 1 [m]) == 1",
        "(if puck.position.x > 1 [m] then 2 else -1) > 0",
    ];
    for condition in conditions {
        for speed in [1.0, 2.0_f64] {
            let text = format!(
                "scene step
                 body puck {{ position = (free(0.5 [m]), 0, 0); mass = 2 [kg] }}
                 initially puck.velocity.x == {speed} [m/s]
                 potential = if {condition} then 3 [J] else 0 [J]"
            );
            let table = Scene::new(&text).probe(&["puck.position.x", "puck.velocity.x"]).at(0.5 / speed + 0.3);
            let after = if speed > 1.5 { (speed * speed - 3.0).sqrt() } else { -speed };
            let [x, v] = end(&table, "puck");
            assert_near(&format!("speed where {condition}"), v, after, 1e-9);
            assert_near(&format!("place where {condition}"), x, 1.0 + 0.3 * after, 1e-9);
            assert!(table.warnings.is_empty(), "{condition}: {:?}", table.warnings);
        }
    }
}

/// The root of a single square is a size: a potential of it bends as one of `abs` does, and moves things by parabolas with the same digits.
#[test]
fn the_root_of_a_square_bends_as_a_size_does() {
    for size in
        ["sqrt(bead.position.x^2)", "(bead.position.x^2)^(1 / 2)", "|bead.position|", "sqrt(4 * bead.position.x^2) / 2"]
    {
        let text = format!(
            "scene valley
            body bead {{ position = (free, 0, 0); mass = 1 [kg] }}
            potential = 1 [N] * {size}
            initially bead.position.x == 1 [m]"
        );
        let table = Scene::new(&text).default_tolerance().probe(&["bead.position.x"]).run(10.0, 0.5);
        for (t, row) in table.times.iter().zip(&table.rows) {
            // A quarter of a swing takes √2 s; each half is a parabola.
            let quarter = 2f64.sqrt();
            let phase = (t / quarter) % 4.0;
            let within = quarter * (phase.min(4.0 - phase) - 1.0);
            let expected = if within < 0.0 {
                1.0 - 0.5 * (within + quarter).powi(2)
            } else {
                0.5 * (quarter - within).powi(2) - 1.0
            };
            assert_near(&format!("{size} at t = {t}"), row[0], expected, 1e-9);
        }
    }
}

/// And a path along it has a corner, which is refused with its name.
#[test]
fn a_path_along_the_root_of_a_square_has_a_corner() {
    for size in ["sqrt(bead.position.x^2)", "|(bead.position.x, 0, 0)|", "sqrt((bead.position.x - 0.1 [m])^2)"] {
        let text = format!(
            "scene corner
            gravity 9.81 [m/s^2]
            body bead {{ position = (free, 0, free); mass = 1 [kg] }}
            always bead.position.z == {size}
            initially bead.position.x == 1 [m]"
        );
        let found = Scene::new(&text).trouble(3.0, 0.1);
        assert_eq!(found.code.0, "corner", "{size}: {found:?}");
    }
}
