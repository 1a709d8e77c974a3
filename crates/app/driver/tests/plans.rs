//! The derivatives that plans are made with, against closed forms and against differences.

use driver::{Options, automaton, compile};
use simulation::{Motion, Trial};

/// What the aims of the plan `p` leave with some choices, at the start, and how that changes with each.
fn trials(text: &str, all_choices: &[Vec<f64>]) -> Vec<Trial> {
    let options = Options { tolerance: 1e-12, ..Options::default() };
    let compilation = compile("plan", text, &options);
    let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("{:?}", compilation.diagnostics));
    let mut automaton = automaton(&compilation, stages, &options);
    automaton.configure(1e-12, f64::INFINITY).unwrap();
    automaton.initialize().unwrap_or_else(|_| panic!("no start"));
    let mut rehearse = |choices: &Vec<f64>| match automaton.try_plan("p.begin", 0.0, choices) {
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
    let (at, h) = ([2.0, 0.5], 1e-3);
    let mut all = vec![at.to_vec()];
    for choice in 0..2 {
        for by in [2.0, -2.0, 1.0, -1.0] {
            let mut moved = at.to_vec();
            moved[choice] += by * h;
            all.push(moved);
        }
    }
    let trials = trials(text, &all);
    for choice in 0..2 {
        let [far, far_below, near, near_below] = [1, 2, 3, 4].map(|it| &trials[4 * choice + it].left);
        let slope = |it: usize| (8.0 * (near[it] - near_below[it]) - (far[it] - far_below[it])) / (12.0 * h);
        assert_all_near("slopes", &trials[0].slopes[choice], &[slope(0), slope(1)], 1e-7);
    }
}
