//! Contact gathered in steps of a fixed length: it converges to what happens, with first order; it keeps momentum, adds no energy, and things that
//! lie on one another lie still.

use crate::scene::{Scene, Table, assert_near, assert_vectors_near};

const G: f64 = 9.81;

/// Errors with steps of these lengths, in milliseconds, each half of the one before.
const STEPS: [f64; 4] = [4.0, 2.0, 1.0, 0.5];

fn ball(restitution: f64, friction: f64, step: f64) -> String {
    format!(
        "gravity 9.81 [m/s^2]\nsurface floor: z == 0\nbody ball: sphere(0.1 [m]) mass 1 [kg] {{ position = free((0, 0, 0.1) [m]) }}\n\
         contact all {{ restitution = {restitution}; friction = {friction}; step = {step} [ms] }}\n"
    )
}

/// A ball that falls and bounces is where it would be, but for as much as it comes in a step or two with each bounce.
#[test]
fn bounces_converge_with_first_order() {
    let (height, restitution, end) = (1.0_f64, 0.8_f64, 1.5_f64);
    let down = (2.0 * height / G).sqrt();
    let speed = restitution * G * down;
    let hop = 2.0 * speed / G;
    let left = end - down - hop;
    let second = restitution * speed;
    let exact = second * left - 0.5 * G * left * left;
    for step in STEPS {
        let text = ball(restitution, 0.5, step) + "initially ball.position == (0, 0, 1.1) [m]\n";
        let table = Scene::new(&text).probe(&["ball.position.z", "contact(ball, floor).impacts"]).at(end);
        // Two bounces, each off by half a step in time, and so by that much of the change of speed.
        let off = (1.0 + restitution) * G * down * step * 1e-3;
        assert_near(&format!("height with {step} ms"), table.last("ball.position.z"), 0.1 + exact, off);
        assert_near("bounces", table.last("contact(ball, floor).impacts"), 2.0, 0.0);
    }
}

/// What slides comes to roll: the speed is what friction leaves of it whatever the step, and the place is off by less than a step.
#[test]
fn sliding_converges_with_first_order() {
    let (speed, friction) = (3.0, 0.2);
    let during = 2.0 * speed / (7.0 * friction * G);
    let slide = speed * during - 0.5 * friction * G * during * during;
    for step in STEPS {
        let text = ball(0.0, friction, step)
            + "initially ball.position == (0, 0, 0.1) [m]\ninitially ball.velocity == (3, 0, 0) [m/s]\n";
        let table = Scene::new(&text).probe(&["ball.position", "ball.velocity", "ball.omega"]).at(1.0);
        let what = format!("with {step} ms");
        let rolls = 5.0 / 7.0 * speed;
        assert_vectors_near(&what, table.last_vector("ball.velocity"), [rolls, 0.0, 0.0], 1e-9);
        assert_vectors_near(&what, table.last_vector("ball.omega"), [0.0, 10.0 * rolls, 0.0], 1e-8);
        let place = slide + rolls * (1.0 - during);
        assert_vectors_near(&what, table.last_vector("ball.position"), [place, 0.0, 0.1], friction * G * step * 1e-3);
    }
}

/// On a slope a block slides with the acceleration that friction leaves, or does not move at all.
#[test]
fn blocks_slide_down_slopes_or_stay() {
    let slope = 30.0_f64.to_radians();
    for (friction, step) in [(0.3_f64, 1.0), (0.3, 4.0), (0.6, 1.0), (0.6, 4.0)] {
        let text = format!(
            "gravity 9.81 [m/s^2]\nframe ramp {{ rotation = about y 30 [deg]; shape = box(20 [m], 2 [m], 20 [cm]) at (0, 0, -10) [cm] }}\n\
             body crate in ramp {{ position = free((0, 0, 0.2) [m]); shape = box(60 [cm], 40 [cm], 40 [cm]); mass = 10 [kg] }}\n\
             contact all {{ friction = {friction}; step = {step} [ms] }}\n"
        );
        let table = Scene::new(&text).probe(&["crate.position", "|crate.velocity|"]).at(1.0);
        let down = G * (slope.sin() - friction * slope.cos()).max(0.0);
        let what = format!("friction {friction}, {step} ms");
        assert_near(&what, table.last("|crate.velocity|"), down, 1e-9 + down * 1e-6);
    }
}

/// Ten bricks on one another: once they have settled, nothing moves, and each bears what stands on it.
#[test]
fn a_stack_rests_without_drift() {
    let text = "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         for i in 1..10 { body brick[i]: box(30 [cm], 20 [cm], 10 [cm]) mass 1 [kg] { position = free((0, 0, (i - 0.5) * 10 [cm])) } }\n\
         for i in 1..10 { initially brick[i].position == (1 [mm] * i, 0, (i - 0.5) * 10 [cm]) }\n\
         contact all { friction = 0.5; step = 2 [ms] }\n";
    let probes = ["brick10.position", "brick10.velocity", "contact(floor, brick1).force.z"];
    let table = Scene::new(text).probe(&probes).run(4.0, 1.0);
    let settled = table.vectors("brick10.position")[1];
    assert_vectors_near("it is at rest", table.last_vector("brick10.position"), settled, 2e-6);
    assert_vectors_near("it stands", table.last_vector("brick10.position"), [0.01, 0.0, 0.95], 2e-3);
    assert_near("what it bears", table.last("contact(floor, brick1).force.z"), 10.0 * G, 1e-3);
}

/// Spheres that meet in empty space, spinning and rough: no impulse is lost, and no moment of one.
#[test]
fn momentum_is_kept() {
    let text = "body a: sphere(0.1 [m]) mass 1 [kg] { position = free((0, 0, 0)) }\n\
         body b: sphere(0.2 [m]) mass 3 [kg] { position = free((1, 0.1, 0.05) [m]) }\n\
         initially a.position == (0, 0, 0)\ninitially b.position == (1, 0.1, 0.05) [m]\n\
         initially a.velocity == (4, 0.2, 0) [m/s]\ninitially a.omega == (3, -20, 8) [rad/s]\ninitially b.omega == (0, 5, 30) [rad/s]\n\
         contact all { restitution = 0.7; friction = 0.4; step = 1 [ms] }\n";
    let probes =
        ["a.position", "b.position", "a.velocity", "b.velocity", "a.omega", "b.omega", "contact(a, b).impacts"];
    let table = Scene::new(text).probe(&probes).run(1.0, 0.25);
    let momenta = |row: usize| -> [[f64; 3]; 2] {
        let vector = |name: &str| table.vectors(name)[row];
        let bodies = [("a", 1.0, 0.4 * 0.01), ("b", 3.0, 0.4 * 3.0 * 0.04)];
        bodies.iter().fold([[0.0; 3]; 2], |[linear, angular], &(name, mass, inertia)| {
            let [x, v, w] = ["position", "velocity", "omega"].map(|of| vector(&format!("{name}.{of}")));
            let orbit = [x[1] * v[2] - x[2] * v[1], x[2] * v[0] - x[0] * v[2], x[0] * v[1] - x[1] * v[0]];
            let add = |k: usize| (linear[k] + mass * v[k], angular[k] + mass * orbit[k] + inertia * w[k]);
            [[0, 1, 2].map(|k| add(k).0), [0, 1, 2].map(|k| add(k).1)]
        })
    };
    assert_near("they met", table.last("contact(a, b).impacts"), 1.0, 0.0);
    let (before, after) = (momenta(0), momenta(table.rows.len() - 1));
    assert_vectors_near("momentum", after[0], before[0], 1e-12);
    assert_vectors_near("angular momentum", after[1], before[1], 1e-12);
}

/// Impulses go through hinges, and what hangs from them keeps its length.
#[test]
fn impulses_go_through_joints() {
    let text = "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         frame pivot { position = (0, 0, 1 [m]) }\n\
         frame arm in pivot { rotation = about y free(90 [deg]) }\n\
         body rod in arm { position = (0, 0, -0.4 [m]); shape = box(0.1 [m], 0.1 [m], 0.7 [m]); mass = 1 [kg] }\n\
         body block: box(0.3 [m], 0.3 [m], 0.3 [m]) mass 0.5 [kg] { position = free((0, 0, 0.15) [m]) }\n\
         contact all { friction = 0.3; restitution = 0.2; step = 1 [ms] }\n";
    let table = Scene::new(text).probe(&["energy", "block.position", "contact(rod, block).impacts"]).run(2.0, 0.01);
    assert!(table.last("contact(rod, block).impacts") >= 1.0, "the rod comes down on the block");
    falls(&table, 1e-5);
}

/// Things that fall in a heap, with bounces and friction: energy does not rise, but for what steps leave of a hop.
#[test]
fn no_energy_is_gained() {
    for (restitution, friction) in [(0.0, 0.4), (0.5, 0.0), (0.6, 0.8)] {
        let text = format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\nsurface wall: x == -0.5 [m]\n\
             for i in 1..4 {{ body block[i]: box(0.3 [m], 0.2 [m], 0.25 [m]) mass 2 [kg] {{ position = free((0, 0, 0)) }}\n\
             body ball[i]: sphere(0.1 [m]) mass 1 [kg] {{ position = free((0, 0, 0)) }} }}\n\
             for i in 1..4 {{ initially block[i].position == (0.05 * i, 0.02 * i, 0.6 * i) [m]\n\
             initially ball[i].position == (0.07 - 0.03 * i, 0.1, 0.6 * i + 0.3) [m]\n\
             initially block[i].omega == (1, i, -2) [rad/s] }}\n\
             contact all {{ restitution = {restitution}; friction = {friction}; step = 1 [ms] }}\n"
        );
        let table = Scene::new(&text).probe(&["energy"]).run(2.0, 0.01);
        falls(&table, 1e-5);
    }
}

/// Asserts that the energy never rises by more than this part of its peak.
fn falls(table: &Table, part: f64) {
    let energies: Vec<f64> = table.column("energy");
    let peak = energies.iter().fold(0.0_f64, |peak, energy| peak.max(energy.abs()));
    let mut least = energies[0];
    for (energy, t) in energies.iter().zip(&table.times) {
        assert!(*energy <= least + part * peak, "the energy rises to {energy} at t = {t}, from {least}");
        least = least.min(*energy);
    }
}
