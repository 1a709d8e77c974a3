//! The derivatives that plans are made with, against closed forms and against differences.

use driver::{Instance, Options, compile};
use simulation::Trial;

/// What the aims of the plan `p` leave with some choices, at the start, and how that changes with each.
fn trials(text: &str, all_choices: &[Vec<f64>]) -> Vec<Trial> {
    let options = Options { tolerance: 1e-12, ..Options::default() };
    let compilation = compile("plan", text, &options);
    let mut instance = Instance::new(&compilation, &options, None).unwrap_or_else(|found| panic!("{found:?}"));
    instance.configure(1e-12, f64::INFINITY).unwrap();
    instance.initialize().unwrap_or_else(|_| panic!("no start"));
    let mut rehearse = |choices: &Vec<f64>| match instance.try_plan("p.begin", 0.0, choices) {
        Ok(Some(trial)) => trial,
        Ok(None) => panic!("{choices:?} lead nowhere"),
        Err(_) => panic!("{choices:?} fail"),
    };
    all_choices.iter().map(&mut rehearse).collect()
}

fn assert_all_near(what: &str, found: &[f64], expected: &[f64], allowed: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= allowed * expected.abs().max(1.0), "{what}: {found} is not {expected}");
    }
}

/// Thrown with some velocity, a ball bounces where and when it comes down, and flies on for a while; a lamp that goes on meanwhile, when the ball is
/// at its top, changes nothing.
#[test]
fn a_throw_with_a_bounce_has_the_slopes_of_its_closed_form() {
    let text = "param g = 9.81 [m/s^2]\ngravity g\nbody ball { position = (free, 0, free); mass = 1 [kg] }\n\
                mode state: held | up | bounced | over\nmode lamp: dark | lit\n\
                when light: lamp == dark and state == up and ball.velocity.z <= 0 { lamp == lit; keep all }\n\
                plan p when state == held and t >= 1 [s] {\n\
                  choose along: [m/s] from 1 [m/s]\n  choose up: [m/s] from 1 [m/s]\n  choose time: [s] from 1 [s]\n\
                  begin { state == up; ball.velocity == (along, 0 [m/s], up); keep positions }\n\
                  until ball.position.z <= 0 and ball.velocity.z < 0 {\n\
                    state == bounced; keep all except ball.velocity\n\
                    ball.velocity.x == pre(ball.velocity.x); ball.velocity.z == -0.5 * pre(ball.velocity.z)\n  }\n\
                  after time aim ball.position.x == 4 [m], ball.position.z == 0.2 [m], ball.velocity.z == 1 [m/s] {\n\
                    state == over; keep all\n  }\n}\n\
                always lies: ball.position.z == 0 while state == held\n\
                always waits: ball.position.x == 0 while state == held";
    let (g, along, up, time) = (9.81, 1.5, 4.0, 0.3);
    let trial = &trials(text, &[vec![along, up, time]])[0];
    let flight = 2.0 * up / g;
    let speed = 0.5 * up - g * time;
    let left = [along * (flight + time) - 4.0, 0.5 * (0.5 * up + speed) * time - 0.2, speed - 1.0];
    assert_all_near("what is left", &trial.left, &left, 1e-11);
    assert_all_near("by `along`", &trial.slopes[0], &[flight + time, 0.0, 0.0], 1e-10);
    assert_all_near("by `up`", &trial.slopes[1], &[2.0 * along / g, 0.5 * time, 0.5], 1e-10);
    assert_all_near("by `time`", &trial.slopes[2], &[along, speed, -g], 1e-10);
}

/// A throw is judged where it passes a place, whenever that is; and once more some time after it has passed the next.
#[test]
fn aims_where_a_place_is_passed_have_the_slopes_of_their_closed_form() {
    let text = "param g = 9.81 [m/s^2]\ngravity g\nbody ball { position = (free, 0, free); mass = 1 [kg] }\n\
                mode state: held | thrown | over\n\
                always waits: ball.position == (0, 0, 0) while state == held\n\
                plan p when state == held and t >= 1 [s] {\n\
                  choose along: [m/s] from 1 [m/s]\n  choose up: [m/s] from 1 [m/s]\n\
                  begin { state == thrown; ball.velocity == (along, 0 [m/s], up); keep positions }\n\
                  until ball.position.x >= 2 [m] aim ball.position.z == 0.3 [m] { keep all }\n\
                  until ball.position.x >= at(1, ball.position.z) + 3 [m] aim t - at(1, t) == 1 [s] {\n\
                    state == over; keep all\n  }\n}";
    let (g, along, up) = (9.81, 3.0, 4.0);
    let trial = &trials(text, &[vec![along, up]])[0];
    // z1 = up T - g T²/2 at T = 2 / along; the rest takes (z1 + 1) / along.
    let time = 2.0 / along;
    let height = up * time - 0.5 * g * time * time;
    assert_all_near("what is left", &trial.left, &[height - 0.3, (height + 1.0) / along - 1.0], 1e-10);
    let by_along = -(up - g * time) * time / along;
    let rest = by_along / along - (height + 1.0) / (along * along);
    assert_all_near("by `along`", &trial.slopes[0], &[by_along, rest], 1e-9);
    assert_all_near("by `up`", &trial.slopes[1], &[time, time / along], 1e-9);
}

/// x = cos(√k t), stiffness and duration chosen.
#[test]
fn an_oscillator_has_the_slopes_of_its_closed_form() {
    let text = "body bob { position = (free(1 [m]), 0, 0); mass = 1 [kg] }\ninitially bob.position.x == 1 [m]\n\
                mode state: held | loose | over\nalways waits: bob.position.x == 1 [m] while state == held\n\
                plan p when state == held and t >= 1 [s] {\n\
                  choose k: [N/m] from 1 [N/m]\n  choose time: [s] from 1 [s]\n\
                  begin { state == loose; keep all }\n\
                  after time aim bob.position.x == 0.5 [m], bob.velocity.x == -0.3 [m/s] { state == over; keep all }\n}\n\
                force on bob = -k * bob.position while state == loose";
    let (k, time) = (2.3_f64, 1.7_f64);
    let trial = &trials(text, &[vec![k, time]])[0];
    let w = k.sqrt();
    let (sin, cos) = (libm::sin(w * time), libm::cos(w * time));
    assert_all_near("what is left", &trial.left, &[cos - 0.5, -w * sin + 0.3], 1e-10);
    let by_w = [-sin * time, -sin - w * time * cos];
    assert_all_near("by `k`", &trial.slopes[0], &by_w.map(|slope| slope / (2.0 * w)), 1e-9);
    assert_all_near("by `time`", &trial.slopes[1], &[-w * sin, -k * cos], 1e-9);
}

/// A rope that gets taut, as a constraint that two coordinates share, with an impulse: no closed form, but differences, extrapolated.
#[test]
fn a_rope_that_gets_taut_has_the_slopes_of_differences() {
    let text = "gravity 9.81 [m/s^2]\nbody bob { position = (free(0.3 [m]), 0, free); mass = 2 [kg] }\n\
                initially bob.position.x == 0.3 [m]\ninitially bob.position.z == 0\n\
                mode rope: held | slack | taut | over\n\
                always waits: bob.position == (0.3 [m], 0 [m], 0 [m]) while rope == held\n\
                always holds: |bob.position| == 1 [m] while rope == taut\n\
                plan p when rope == held and t >= 1 [s] {\n\
                  choose along: [m/s] from 1 [m/s]\n  choose drag: [N*s/m] from 1 [N*s/m]\n\
                  begin { rope == slack; bob.velocity == (along, 0 [m/s], 0 [m/s]); keep positions }\n\
                  until |bob.position| >= 1 [m] { rope == taut; keep positions; satisfy velocity constraints }\n\
                  after 0.4 [s] aim bob.position.x == 0, bob.velocity.z == 0 { rope == over; keep all }\n}\n\
                force on bob = -drag * bob.velocity";
    assert_slopes_of_differences(text, &[2.0, 0.5], 1e-7);
    // The same where a law of one's own follows the motion.
    let warm = text.replace("bob.velocity.z == 0", "heat == 1 [J]");
    let warm = format!("heat: [J] = 0 [J]\nlaw warms {{ heat' == drag * |bob.velocity|^2 }}\n{warm}");
    assert_slopes_of_differences(&warm, &[2.0, 0.5], 1e-7);
}

/// Differences, extrapolated, of what is left at some choices.
fn assert_slopes_of_differences(text: &str, at: &[f64], allowed: f64) {
    let h = 1e-3;
    let mut all = vec![at.to_vec()];
    for choice in 0..at.len() {
        for by in [2.0, -2.0, 1.0, -1.0] {
            let mut moved = at.to_vec();
            moved[choice] += by * h;
            all.push(moved);
        }
    }
    let trials = trials(text, &all);
    for choice in 0..at.len() {
        let [far, far_below, near, near_below] = [1, 2, 3, 4].map(|it| &trials[4 * choice + it].left);
        let slope = |it: usize| (8.0 * (near[it] - near_below[it]) - (far[it] - far_below[it])) / (12.0 * h);
        let slopes: Vec<f64> = (0..near.len()).map(slope).collect();
        assert_all_near("slopes", &trials[0].slopes[choice], &slopes, allowed);
    }
}

/// A capacitor at a source, with RC = 0.5 s: the voltage of the source and the duration are chosen.
#[test]
fn a_capacitor_has_the_slopes_of_its_closed_form() {
    let text = "param R = 500 [ohm]\nparam C = 1 [mF]\nu: [V] = 1 [V]\ni: [A]\nsource: [V]\n\
                mode state: rest | charging | over\n\
                always loop: source == R * i + u\nalways store: C * u' == i\n\
                always off: source == 0 while state != charging\n\
                always charges: source == volts while state == charging\n\
                plan p when state == rest and t >= 1 [s] {\n\
                  choose volts: [V] from 1 [V]\n  choose time: [s] from 1 [s]\n\
                  begin { state == charging }\n\
                  after time aim u == 3 [V], i == 2 [mA] { state == over }\n}";
    let (volts, time, r) = (4.0, 0.7, 500.0);
    let trial = &trials(text, &[vec![volts, time]])[0];
    let fallen = libm::exp(-time / 0.5);
    let u = volts + (1.0 - volts) * fallen;
    let slope = (volts - 1.0) * fallen / 0.5;
    assert_all_near("what is left", &trial.left, &[u - 3.0, (volts - u) / r - 2e-3], 1e-11);
    assert_all_near("by `volts`", &trial.slopes[0], &[1.0 - fallen, fallen / r], 1e-11);
    assert_all_near("by `time`", &trial.slopes[1], &[slope, -slope / r], 1e-11);
}

/// A phase that begins with a chosen voltage and ends when it has become three times as large, at an instant that varies; there it jumps, and
/// says how long the next phase lasts.
#[test]
fn a_reset_of_own_quantities_at_an_instant_that_varies_has_the_slopes_of_its_closed_form() {
    let text = "u: [V] = 1 [V]\nmode state: rest | charging | falling | over\n\
                always waits: u' == 0 while state == rest or state == over\n\
                always charges: 1 [s] * u' == volts - u while state == charging\n\
                always falls: 1 [s] * u' == -u / ratio while state == falling\n\
                plan p when state == rest and t >= 1 [s] {\n\
                  choose volts: [V] from 1 [V]\n  choose ratio: real from 1\n\
                  begin { state == charging; u == pre(u) / ratio }\n\
                  until u >= 3 * at(begin, u) { state == falling; u == 2 * pre(u) + volts }\n\
                  after 0.3 [s] * u / 1 [V] aim u == 3 [V], t == 2 [s] { state == over }\n}";
    let (volts, ratio) = (5.0_f64, 1.6_f64);
    let trial = &trials(text, &[vec![volts, ratio]])[0];
    let (u, u_slope) = (1.0 / ratio, -1.0 / (ratio * ratio));
    let rise = libm::log((volts - u) / (volts - 3.0 * u));
    let (top, wait) = (6.0 * u + volts, 0.3 * (6.0 * u + volts));
    let fallen = libm::exp(-wait / ratio);
    assert_all_near("what is left", &trial.left, &[top * fallen - 3.0, rise + wait - 2.0], 1e-11);
    let by_top = fallen * (1.0 - wait / ratio);
    let by_volts = [by_top, 1.0 / (volts - u) - 1.0 / (volts - 3.0 * u) + 0.3];
    assert_all_near("by `volts`", &trial.slopes[0], &by_volts, 1e-10);
    let by_u = [6.0 * by_top, -1.0 / (volts - u) + 3.0 / (volts - 3.0 * u) + 1.8];
    let by_ratio = [by_u[0] * u_slope + top * fallen * wait / (ratio * ratio), by_u[1] * u_slope];
    assert_all_near("by `ratio`", &trial.slopes[1], &by_ratio, 1e-10);
}

/// What a law gives implicitly, w + w³ = s, is solved by iteration at every instant and after every transition.
#[test]
fn what_is_found_by_iteration_has_the_slopes_of_its_closed_form() {
    let text = "s: real = 0.5\nw: real\nmode state: rest | rising | over\n\
                always cubic: w + w^3 == s\n\
                always waits: s' == 0 while state != rising\nalways rises: s' == rate while state == rising\n\
                plan p when state == rest and t >= 1 [s] {\n\
                  choose rate: [1/s] from 1 [1/s]\n  choose first: real from 1\n\
                  begin { state == rising; w == first * pre(w) }\n\
                  after 2 [s] aim w == 1, s == 3 { state == over }\n}";
    let (rate, first) = (0.7, 1.2);
    let trial = &trials(text, &[vec![rate, first]])[0];
    let root = |s: f64| (0..60).fold(1.0, |w: f64, _| w - (w + w * w * w - s) / (1.0 + 3.0 * w * w));
    let before = root(0.5);
    let w = first * before;
    let s = w + w * w * w + 2.0 * rate;
    let end = root(s);
    let (bend, bend_end) = (1.0 + 3.0 * w * w, 1.0 + 3.0 * end * end);
    assert_all_near("what is left", &trial.left, &[end - 1.0, s - 3.0], 1e-11);
    assert_all_near("by `rate`", &trial.slopes[0], &[2.0 / bend_end, 2.0], 1e-10);
    assert_all_near("by `first`", &trial.slopes[1], &[bend * before / bend_end, bend * before], 1e-10);
}

/// A body whose charge leaks, in a field that is chosen, beside its speed: x = v T + (q E τ / m)(T − τ (1 − e^(−T/τ))).
#[test]
fn a_charged_body_has_the_slopes_of_its_closed_form() {
    let text = "body drop { position = (free, 0, 0); mass = 2 [kg] }\nq: [C] = 0 [C]\n\
                mode state: held | loose | over\n\
                always waits: drop.position.x == 0 while state == held\n\
                always leaks: 0.5 [s] * q' == -q\n\
                force on drop = (q * field, 0 [N], 0 [N]) while state == loose\n\
                plan p when state == held and t >= 1 [s] {\n\
                  choose speed: [m/s] from 1 [m/s]\n  choose field: [V/m] from 1 [V/m]\n  choose charge: [C] from 1 [C]\n\
                  begin { state == loose; drop.velocity.x == speed; q == charge; keep positions }\n\
                  after 0.8 [s] aim drop.position.x == 3 [m], drop.velocity.x == 1 [m/s], q == 0.1 [C] { state == over; keep all }\n}";
    let (speed, field, charge, time, decay) = (1.5, 4.0, 0.7, 0.8, 0.5);
    let trial = &trials(text, &[vec![speed, field, charge]])[0];
    let fallen = libm::exp(-time / decay);
    let (push, way) = (decay * (1.0 - fallen) / 2.0, decay * (time - decay * (1.0 - fallen)) / 2.0);
    let pull = charge * field;
    let left = [speed * time + pull * way - 3.0, speed + pull * push - 1.0, charge * fallen - 0.1];
    assert_all_near("what is left", &trial.left, &left, 1e-11);
    assert_all_near("by `speed`", &trial.slopes[0], &[time, 1.0, 0.0], 1e-10);
    assert_all_near("by `field`", &trial.slopes[1], &[charge * way, charge * push, 0.0], 1e-10);
    assert_all_near("by `charge`", &trial.slopes[2], &[field * way, field * push, fallen], 1e-10);
}

/// A motor on a chosen voltage swings a pendulum, whose pivot turns with it: circuit and motion are one system, in coordinates that are constrained.
#[test]
fn a_motor_has_the_slopes_of_differences() {
    let text = "use motors\ngravity 9.81 [m/s^2]\n\
                body shaft in world { rotation = about x free; mass = 0.2 [kg]; inertia = (0.01, 0.01, 0.01) [kg*m^2] }\n\
                body bob { position = (0, free, free(-0.4 [m])); mass = 1.5 [kg] }\n\
                always tied: bob.position == shaft.point(0 [m], 0 [m], -0.4 [m])\n\
                ground: node { voltage = 0 [V] }\nsupply: node\nbattery: two_terminal(supply, ground)\n\
                motor: dc_motor(supply, ground) { resistance = 2 [ohm]; inductance = 50 [mH]; constant = 0.5 [N*m/A] }\n\
                law coupling { motor.angle == shaft.angle }\n\
                torque on shaft = (motor.torque - 0.02 [N*m*s] * motor.speed) * (1, 0, 0)\n\
                initially motor.current == 0 [A]\n\
                mode state: off | driven | over\n\
                always dead: battery.drop == 0 [V] while state == off\n\
                always drives: battery.drop == volts while state == driven\n\
                always insulates: battery.drop == 1 [ohm] * battery.current while state == over\n\
                plan p when state == off and t >= 1 [s] {\n\
                  choose volts: [V] from 6 [V]\n  choose time: [s] from 0.5 [s]\n\
                  begin { state == driven; keep all }\n\
                  after time aim shaft.angle == 30 [deg], motor.current == 1 [A] { state == over; keep all }\n}";
    assert_slopes_of_differences(text, &[6.0, 0.4], 1e-7);
}

/// A rectifier whose diode opens and closes several times on the way, with other states in each mode: amplitude and load are chosen.
#[test]
fn a_rectifier_has_the_slopes_of_differences() {
    let text = "use circuits\nground: node { voltage = 0 [V] }\nsource: node\nmiddle: node\ntop: node\n\
                mains: two_terminal(source, ground)\ncoil: inductor(source, middle) { inductance = 20 [mH] }\n\
                diode1: two_terminal(middle, top)\nstore: capacitor(top, ground) { capacitance = 2 [mF] }\n\
                load: two_terminal(top, ground)\n\
                mode way: blocked | passing\nmode state: off | driven | over\n\
                always load.drop == ohms * load.current while state == driven\n\
                always load.drop == 100 [ohm] * load.current while state != driven\n\
                always mains.drop == volts * sin(60 [rad/s] * t) while state == driven\n\
                always mains.drop == 0 [V] while state != driven\n\
                always diode1.current == 0 [A] while way == blocked\n\
                always diode1.drop == 0 [V] while way == passing\n\
                initially store.charge == 1 [mC]\n\
                when conduct: way == blocked and diode1.drop >= 0 [V] and diode1.drop' > 0 [V/s] { way == passing }\n\
                when block: way == passing and diode1.current <= 0 [A] and diode1.current' < 0 [A/s] { way == blocked }\n\
                plan p when state == off and t >= 1 [s] {\n\
                  choose volts: [V] from 6 [V]\n  choose ohms: [ohm] from 100 [ohm]\n\
                  begin { state == driven }\n\
                  after 0.25 [s] aim top.voltage == 3 [V], load.current == 0.1 [A] { state == over }\n}";
    assert_slopes_of_differences(text, &[6.0, 20.0], 1e-6);
}

/// A pendulum in rectangular coordinates of one's own, whose rod is a constraint and whose tension follows.
#[test]
fn a_constrained_motion_of_own_quantities_has_the_slopes_of_differences() {
    let text = "x: [m] = 0.6 [m]; y: [m] = -0.8 [m]; tension: [1/s^2]\n\
                mode state: held | swings | over\n\
                always x'' == -tension * x + push while state == swings\n\
                always y'' == -tension * y - 9.81 [m/s^2] while state == swings\n\
                always rod: x^2 + y^2 == 1 [m^2] while state == swings\n\
                always x' == 0 while state != swings\nalways y' == 0 while state != swings\n\
                always slack: tension == 0 while state != swings\n\
                plan p when state == held and t >= 1 [s] {\n\
                  choose push: [m/s^2] from 0 [m/s^2]\n  choose speed: [m/s] from 0 [m/s]\n\
                  begin { state == swings; x' == speed }\n\
                  until x <= 0 and x' < 0 { state == swings; x' == -0.5 * pre(x') }\n\
                  after 0.3 [s] aim x == 0.1 [m], tension == 12 [1/s^2] { state == over }\n}";
    assert_slopes_of_differences(text, &[-1.0, 0.3], 1e-7);
}

/// A push that begins when it is chosen to, and mud that begins where it is chosen to: nothing depends on these choices but the instants at which
/// something turns.
#[test]
fn slopes_go_through_what_turns() {
    let text = "body puck { position = (free, 0, 0); mass = 2 [kg] }\n\
                mode state: held | pushed | over\n\
                since: [s] = 0 [s]\nalways since' == 0\nplace: [m] = 0 [m]\nalways place' == 0 [m/s]\n\
                force on puck = (if state == pushed and t > since then 6 [N] else if state == pushed and puck.position.x > place then -2 [N] else 0 [N], 0 [N], 0 [N])\n\
                plan p when state == held and t >= 1 [s] {\n\
                  choose speed: [m/s] from 1 [m/s]\n  choose wait: [s] from 1 [s]\n  choose far: [m] from 1 [m]\n\
                  begin { state == pushed; puck.velocity.x == speed; since == wait; place == far; keep positions }\n\
                  until t >= 4 [s] aim puck.position.x == 5 [m], puck.velocity.x == 3 [m/s], t == 4 [s] { state == over; keep all }\n}";
    let (speed, wait, far) = (2.0, 3.0, 1.5);
    let trial = &trials(text, &[vec![speed, wait, far]])[0];
    // Free up to `far`, then slower by 1 m/s², then faster by 3 m/s² for the rest of four seconds.
    let motion = |speed: f64, wait: f64, far: f64| {
        let (slow, rest) = (wait - far / speed, 4.0 - wait);
        let place = far + speed * slow - 0.5 * slow * slow + (speed - slow) * rest + 1.5 * rest * rest;
        [place - 5.0, speed - slow + 3.0 * rest - 3.0]
    };
    assert_all_near("what is left", &trial.left[..2], &motion(speed, wait, far), 1e-10);
    let slope = |[ds, dw, df]: [f64; 3]| {
        let h = 1e-4;
        let [up, down] = [h, -h].map(|h| motion(speed + h * ds, wait + h * dw, far + h * df));
        [0, 1].map(|at| (up[at] - down[at]) / (2.0 * h))
    };
    for (at, direction) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().enumerate() {
        assert_all_near(&format!("by choice {at}"), &trial.slopes[at][..2], &slope(direction), 1e-6);
    }
}
