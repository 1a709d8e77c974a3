//! Random whole scenes, with everything that may happen in one: what a run computes, exported programs compute to the last bit.
//!
//! `ANSATZ_FUZZ_TRIALS` says how many scenes, `ANSATZ_FUZZ_SEED` with which to begin.

use std::fmt::Write;
use std::process::Command;

use base::Random;

use crate::{Folder, printed, program};

const TRIALS: u64 = 8;
/// Compilers of Rust are slow, so only some scenes are built for them.
const RUST: u64 = 4;

/// A part of a scene: text that stands by itself, and a place in it that springs can pull at. Names end with the part's number.
type Part = fn(&mut Random, usize) -> (String, String);

const PARTS: &[Part] = &[pendulum, top, bead, bouncing, pushed, driven, oscillator, ball_on_floor, sampled];

fn pendulum(random: &mut Random, n: usize) -> (String, String) {
    let [angle, length, rate] = numbers(random, 0.3, 1.5);
    let axis = random.pick(&["x", "y", "(1, 2, -2)"]);
    let text = format!(
        "frame swing{n} {{ position = ({n}, 0, 3) [m]; rotation = about {axis} free({angle}) }}\n\
         body bob{n} in swing{n} {{ position = (0.1, 0.2, -{length}) [m]; mass = {rate} [kg] }}\n\
         frame elbow{n} in bob{n} {{ rotation = about y free }}\n\
         body hand{n} in elbow{n} {{ position = (0, 0, -{angle}) [m]; shape = sphere(0.1 [m]); mass = 0.4 [kg] }}\n\
         initially der(swing{n}.angle) == {rate} [rad/s]\n\
         torque on hand{n} = -0.1 [N*m*s] * hand{n}.omega\n"
    );
    (text, format!("hand{n}.position"))
}

fn top(random: &mut Random, n: usize) -> (String, String) {
    let [a, b, c] = numbers(random, 0.4, 1.2);
    let text = format!(
        "body top{n} {{ position = free(({n}, 1, 2) [m]); rotation = free; shape = box({a} [m], {b} [m], {c} [m]); mass = {b} [kg] }}\n\
         initially top{n}.omega == ({a}, {b}, -{c}) [rad/s]\ninitially top{n}.velocity == (0, {c}, {a}) [m/s]\n"
    );
    (text, format!("top{n}.point({a} [m], 0, 0)"))
}

/// Held by an equation, with friction that turns about.
fn bead(random: &mut Random, n: usize) -> (String, String) {
    let [r, v, k] = numbers(random, 0.5, 1.5);
    let text = format!(
        "body bead{n} {{ position = (free({} [m]), free, 0); mass = {k} [kg] }}\n\
         always wire{n}: |bead{n}.position - ({n}, 0, 0) [m]| == {r} [m]\n\
         initially bead{n}.position.y == 0 [m]\ninitially bead{n}.velocity.y == {v} [m/s]\n\
         force on bead{n} = -{k} [N] * sign(bead{n}.velocity.y) * (0, 1, 0)\n",
        n as f64 + r
    );
    (text, format!("bead{n}.position"))
}

fn bouncing(random: &mut Random, n: usize) -> (String, String) {
    let [h, e, v] = numbers(random, 0.3, 0.9);
    let text = format!(
        "body ball{n} {{ position = (free({n} [m]), 0, free({h} [m])); mass = 1 [kg] }}\n\
         initially ball{n}.velocity.x == {v} [m/s]\n\
         when bounce{n}: ball{n}.position.z <= 0 and ball{n}.velocity.z < 0 {{\n\
         \x20 ball{n}.velocity.z == -{e} * pre(ball{n}.velocity.z)\n  keep all except ball{n}.velocity.z\n}}\n"
    );
    (text, format!("ball{n}.position"))
}

/// A push for a while, and a wall that is only felt behind it.
fn pushed(random: &mut Random, n: usize) -> (String, String) {
    let [from, long, k] = numbers(random, 0.1, 0.6);
    let text = format!(
        "body puck{n} {{ position = (free, {n} [m], 0); mass = {k} [kg] }}\n\
         force on puck{n} = (if t > {from} [s] and t < {from} [s] + {long} [s] then 3 [N] else 0 [N], 0, 0)\n\
         potential = {k} * 200 [N/m] * max(0 [m], puck{n}.position.x - {long} [m])^2\n"
    );
    (text, format!("puck{n}.position"))
}

fn driven(random: &mut Random, n: usize) -> (String, String) {
    let [a, w, l] = numbers(random, 0.3, 2.0);
    let text = format!(
        "frame cart{n} {{ position = ({a} [m] * sin({w} [rad/s] * t), {n} [m], 1 [m]) }}\n\
         frame arm{n} in cart{n} {{ rotation = about y free(0.2) }}\n\
         body load{n} in arm{n} {{ position = (0, 0, -{l}) [m]; mass = {a} [kg]; inertia = (0.1, 0.2, 0.3) [kg*m^2] }}\n"
    );
    (text, format!("load{n}.position"))
}

/// Laws of one's own: an oscillator of van der Pol, and a quantity that follows from an equation.
fn oscillator(random: &mut Random, n: usize) -> (String, String) {
    let [mu, x, k] = numbers(random, 0.3, 2.0);
    let text = format!(
        "x{n}: real = {x}\nv{n}: real = 0\nw{n}: real\n\
         always x{n}' == v{n} / 1 [s]\nalways v{n}' == ({mu} * (1 - x{n}^2) * v{n} - {k} * x{n} + 0.1 * w{n}) / 1 [s]\n\
         always w{n} + w{n}^3 == x{n} + exp(-x{n}^2)\n"
    );
    (text, format!("(x{n}, v{n}, 4 + {n}) * 1 [m]"))
}

fn ball_on_floor(random: &mut Random, n: usize) -> (String, String) {
    let [r, h, v] = numbers(random, 0.1, 0.5);
    let text = format!(
        "body marble{n} {{ position = (free({n} [m]), free(2 [m]), free({h} [m] + {r} [m])); rotation = free; shape = sphere({r} [m]); mass = 1 [kg] }}\n\
         initially marble{n}.velocity.x == {v} [m/s]\n\
         frame slab{n} {{ position = ({n}, 2, -0.5) [m]; shape = box(9 [m], 9 [m], 1 [m]) }}\n\
         contact marble{n}, slab{n} {{ restitution = {v}; friction = {r} }}\n"
    );
    (text, format!("marble{n}.position"))
}

/// A controller that looks at an angle now and then.
fn sampled(random: &mut Random, n: usize) -> (String, String) {
    let [gain, angle, rate] = numbers(random, 0.2, 1.0);
    let text = format!(
        "frame joint{n} {{ position = (0, {n}, 0) [m]; rotation = about x free({angle}) }}\n\
         body rod{n} in joint{n} {{ position = (0, 0, {rate}) [m]; mass = 1 [kg] }}\n\
         u{n}: [N*m] = 0 [N*m]\nactuator joint{n}.torque\nalways joint{n}.torque == u{n}\n\
         every 50 [ms] {{ u{n} == -30 [N*m] * {gain} * joint{n}.angle }}\n"
    );
    (text, format!("rod{n}.position"))
}

fn numbers(random: &mut Random, low: f64, high: f64) -> [f64; 3] {
    // Few digits, so that a scene that fails can be read.
    std::array::from_fn(|_| libm::round(random.between(low, high) * 1000.0) / 1000.0)
}

fn scene(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = format!("scene random{seed}\nuse mechanics\ngravity 9.81 [m/s^2]\n");
    let mut places: Vec<String> = Vec::new();
    for n in 1..=1 + random.below(3) {
        let part = random.pick(PARTS);
        let (lines, place) = part(&mut random, n);
        text.push_str(&lines);
        let _ = writeln!(text, "plot {place}");
        if let Some(before) = places.last().filter(|_| random.chance(0.6)) {
            let [stiff, long, _] = numbers(&mut random, 0.5, 3.0);
            let _ = writeln!(text, "potential = {stiff} [N/m] * (|{place} - {before}| - {long} [m])^2");
        }
        places.push(place);
    }
    text
}

#[test]
fn random_scenes_compute_the_same_bits() {
    let number = |variable: &str| std::env::var(variable).ok().and_then(|text| text.parse::<u64>().ok());
    let (trials, first) = (number("ANSATZ_FUZZ_TRIALS").unwrap_or(TRIALS), number("ANSATZ_FUZZ_SEED").unwrap_or(1));
    let mut compared = 0;
    for seed in first..first + trials {
        let name = format!("random{seed}");
        let text = scene(seed);
        let folder = Folder::new(&name);
        let file = folder.0.join(&name).with_extension("anz");
        std::fs::write(&file, &text).expect("a scene");
        let solver = if seed.is_multiple_of(3) && !text.contains("contact") { "implicit" } else { "explicit" };
        let mut run = Command::new(env!("CARGO_BIN_EXE_ansatz"));
        let expected = outcome(run.arg("run").arg(&file).args(["--solver", solver]));
        compared += u64::from(expected.is_some());
        for target in ["c", "wasm", "rust"] {
            if target == "rust" && !seed.is_multiple_of(RUST) {
                continue;
            }
            let built = folder.0.join(target);
            let mut build = Command::new(env!("CARGO_BIN_EXE_ansatz"));
            printed(build.arg("build").arg(&file).args(["--target", target, "--solver", solver, "-o"]).arg(&built));
            let flags = if seed.is_multiple_of(2) { "-O0" } else { "-O2" };
            let found = outcome(&mut program(target, &built, &name, flags));
            assert_eq!(found, expected, "{target} of\n{text}");
        }
    }
    assert!(compared * 4 >= trials * 3, "only {compared} of {trials} scenes ran to their end");
}

/// The hash of a run, or that it failed: a motion may end before its time, but then it does everywhere.
fn outcome(command: &mut Command) -> Option<String> {
    let output = command.args(["--until", "1.2", "--hash"]).output().expect("a program");
    output.status.success().then(|| String::from_utf8(output.stdout).expect("a text"))
}
