//! Pendulums and springs against elliptic functions and exponentials.

use std::f64::consts::PI;

use crate::exact::{complete_k, pendulum_angle, pendulum_period};
use crate::scene::{Scene, assert_near, assert_vectors_near};

const G: f64 = 9.81;

#[test]
fn a_pendulum_swings_as_the_elliptic_functions_say() {
    for (length, degrees) in [(1.0, 0.01), (0.3, 5.0), (2.5, 60.0), (1.0, 120.0), (4.0, 179.0)] {
        let amplitude = f64::to_radians(degrees);
        let scene = Scene::example("pendulum").probe(&["swing.angle"]);
        let scene = scene.set(format!("length={length}")).set(format!("angle={degrees}"));
        let period = pendulum_period(amplitude, G / length);
        let table = scene.run(2.0 * period, period / 8.0);
        // Near the top the period itself hangs on the last digits of the energy.
        let allowed = 1e-8 * amplitude / (0.5 * amplitude).cos();
        for (&t, angle) in table.times.iter().zip(table.column("swing.angle")) {
            let expected = pendulum_angle(amplitude, G / length, t);
            assert_near(&format!("{degrees}° at t = {t}"), angle, expected, allowed);
        }
        // Nobody believes the elliptic functions of the test alone: after whole periods all is as it was.
        assert_near("the angle after two periods", table.last("swing.angle"), amplitude, allowed);
    }
}

#[test]
fn a_fast_pendulum_goes_round_and_its_angle_counts_the_turns() {
    let (length, rate): (f64, f64) = (0.7, 9.0);
    let k = 2.0 * (G / length).sqrt() / rate;
    let turn = 4.0 * complete_k(k) / rate;
    let scene = Scene::example("pendulum").probe(&["swing.angle", "bob.velocity"]);
    let scene = scene.set(format!("length={length}")).set("angle=0").set(format!("rate={rate}"));
    let table = scene.run(3.0 * turn, turn / 2.0);
    for (half_turns, angle) in table.column("swing.angle").into_iter().enumerate() {
        assert_near("the angle", angle, PI * half_turns as f64, 1e-8);
    }
    // At the bottom the bob is as fast as at the start, along y.
    assert_vectors_near("the velocity", table.last_vector("bob.velocity"), [0.0, length * rate, 0.0], 1e-7);
}

/// Published digits for a release from the horizontal: t, x, y in the plane of the swing.
pub const HORIZONTAL_RELEASE: [(f64, f64, f64); 8] = [
    (0.5, 0.391048791550546338, -0.920369948785192225),
    (1.0, -0.986291751131875327, -0.165010853125541124),
    (2.0, 0.793566195343321854, -0.608483930443791376),
    (5.0, 0.942305435043757227, -0.334754338414000887),
    (10.0, 0.275087462576115802, -0.961419205099125367),
    (100.0, 0.181513351427020434, -0.983388480334059526),
    (1000.0, -0.683230188552384921, -0.730203060422696769),
    (2000.0, -0.814603068588932948, -0.580018827837074789),
];

#[test]
fn a_pendulum_released_from_the_horizontal_has_the_published_digits() {
    let table = Scene::example("pendulum").probe(&["bob.position"]).set("angle=90").run(2000.0, 0.5);
    let positions = table.vectors("bob.position");
    for (t, x, y) in HORIZONTAL_RELEASE {
        let position = positions[(2.0 * t) as usize];
        assert_vectors_near(&format!("at t = {t}"), position, [0.0, x, y], 1e-10 * (1.0 + t));
    }
}

#[test]
fn a_point_held_at_a_distance_swings_like_a_pendulum() {
    let held = Scene::new(
        "scene held
         gravity 9.81 [m/s^2]
         body bob { position = (free, free(1 [m]), free); mass = 3 [kg] }
         always rod: |bob.position| == 1 [m]
         initially bob.position == (0, 1, 0) [m]",
    );
    let table = held.probe(&["bob.position"]).run(10.0, 0.5);
    let positions = table.vectors("bob.position");
    for (t, x, y) in &HORIZONTAL_RELEASE[..5] {
        let position = positions[(2.0 * t) as usize];
        assert_vectors_near(&format!("at t = {t}"), position, [0.0, *x, *y], 1e-8);
    }
    assert!(table.summary.constraint_error < 1e-10, "the rod changes its length");
}

/// A rigid body that swings about x, its centre `arm` below the pivot: shape, mass property, mass, squared radius of gyration about x.
#[test]
fn a_solid_swings_with_its_reduced_length() {
    let rho = 800.0;
    // A capsule is a cylinder and two hemispheres, whose centres are 3/8 of a radius from their faces.
    let capsule = {
        let (r, l) = (0.2_f64, 0.5_f64);
        let (cylinder, cap) = (rho * PI * r * r * l, rho * 2.0 / 3.0 * PI * r.powi(3));
        let about_x = cylinder * (r * r / 4.0 + l * l / 12.0)
            + 2.0 * cap * (83.0 / 320.0 * r * r + (l / 2.0 + 3.0 / 8.0 * r).powi(2));
        (cylinder + 2.0 * cap, about_x / (cylinder + 2.0 * cap))
    };
    let half = "box(0.1 [m], 0.4 [m], 0.35 [m])";
    let two_halves = format!("{half} at (0, 0, 0.175) [m]; shape = {half} at (0, 0, -0.175) [m]");
    let solids: [(&str, &str, f64, f64); 13] = [
        ("capsule(0.2 [m], 0.5 [m])", "density = rho", capsule.0, capsule.1),
        ("cone(0.2 [m], 0.6 [m])", "density = rho", rho * PI / 3.0 * 0.04 * 0.6, 3.0 / 20.0 * 0.04 + 3.0 / 80.0 * 0.36),
        ("rod(0.8 [m])", "mass = 2 [kg]", 2.0, 0.64 / 12.0),
        ("box(0.1 [m], 0.4 [m], 0.7 [m]) turned about z 90 [deg]", "mass = 2 [kg]", 2.0, (0.01 + 0.49) / 12.0),
        (
            "box(0.1 [m], 0.4 [m], 0.7 [m]) turned about y 30 [deg]",
            "density = rho",
            rho * 0.1 * 0.4 * 0.7,
            (0.16 + 0.25 * 0.01 + 0.75 * 0.49) / 12.0,
        ),
        (&two_halves, "density = rho", rho * 0.1 * 0.4 * 0.7, (0.16 + 0.49) / 12.0),
        ("box(0.1 [m], 0.4 [m], 0.7 [m])", "density = rho", rho * 0.1 * 0.4 * 0.7, (0.16 + 0.49) / 12.0),
        ("sphere(0.3 [m])", "density = rho", rho * 4.0 / 3.0 * PI * 0.027, 0.4 * 0.09),
        ("cylinder(0.2 [m], 0.6 [m])", "density = rho", rho * PI * 0.04 * 0.6, 0.04 / 4.0 + 0.36 / 12.0),
        (
            "ellipsoid(0.5 [m], 0.3 [m], 0.2 [m])",
            "density = rho",
            rho * 4.0 / 3.0 * PI * 0.5 * 0.3 * 0.2,
            (0.09 + 0.04) / 5.0,
        ),
        ("torus(0.4 [m], 0.1 [m])", "density = rho", rho * 2.0 * PI * PI * 0.4 * 0.01, (4.0 * 0.16 + 5.0 * 0.01) / 8.0),
        ("shell(0.3 [m])", "mass = 2 [kg]", 2.0, 2.0 / 3.0 * 0.09),
        ("box(0.4 [m], 0.3 [m], 0.1 [m])", "mass = 7 [kg]", 7.0, (0.09 + 0.01) / 12.0),
    ];
    let (arm, degrees) = (0.5, 40.0);
    for (shape, heaviness, mass, square_radius) in solids {
        let scene = Scene::new(&format!(
            "scene compound
             param rho = {rho} [kg/m^3]
             gravity 9.81 [m/s^2]
             frame swing in world {{ rotation = about x free }}
             body solid in swing {{ position = (0, 0, -{arm}) [m]; shape = {shape}; {heaviness} }}
             initially swing.angle == {degrees} [deg]"
        ));
        let amplitude = f64::to_radians(degrees);
        let reduced = arm + square_radius / arm;
        let period = pendulum_period(amplitude, G / reduced);
        let table = scene.probe(&["swing.angle", "solid.mass", "energy"]).run(1.25 * period, 0.25 * period);
        assert_near(&format!("the mass of {shape}"), table.last("solid.mass"), mass, 1e-12 * mass);
        let angles = table.column("swing.angle");
        for (quarter, angle) in angles.into_iter().enumerate() {
            let expected = [amplitude, 0.0, -amplitude, 0.0][quarter % 4];
            assert_near(&format!("{shape} after {quarter} quarters of a period"), angle, expected, 1e-9);
        }
        let height = -arm * amplitude.cos();
        assert_near("the energy", table.last("energy"), mass * G * height, 1e-9 * mass * G * arm);
    }
}

/// Two boxes that balance, both turned: I = m (tr M − M) with the mean squares M = R S Rᵀ + p pᵀ, held against the kinetic energy of a spin.
#[test]
fn turned_solids_have_products_of_inertia() {
    let (degrees, mass, spin, place) = (40.0_f64, 2.0, [1.0, 2.0, 3.0], [0.3, -0.2, 0.5]);
    let scene = Scene::new(
        "scene turned
         body solid {
           rotation = free
           shape = box(0.1 [m], 0.4 [m], 0.7 [m]) at (0.3, -0.2, 0.5) [m] turned about (1, 1, 0) 40 [deg]
           shape = box(0.1 [m], 0.4 [m], 0.7 [m]) turned about (1, 1, 0) 40 [deg] at (-0.3, 0.2, -0.5) [m]
           mass = 2 [kg]
         }
         initially solid.omega == (1, 2, 3) [rad/s]",
    );
    let (s, c) = degrees.to_radians().sin_cos();
    let (h, d) = (0.5_f64.sqrt(), 0.5 * (1.0 - c));
    let turn = [[c + d, d, h * s], [d, c + d, -h * s], [-h * s, h * s, c]];
    let spread = [0.01, 0.16, 0.49].map(|edge| edge / 12.0);
    let mean = |i: usize, j: usize| -> f64 {
        (0..3).map(|k| turn[i][k] * spread[k] * turn[j][k]).sum::<f64>() + place[i] * place[j]
    };
    let trace = mean(0, 0) + mean(1, 1) + mean(2, 2);
    let mut twice = 0.0;
    for i in 0..3 {
        for j in 0..3 {
            let inertia = if i == j { trace - mean(i, j) } else { -mean(i, j) };
            twice += spin[i] * mass * inertia * spin[j];
        }
    }
    let table = scene.probe(&["kinetic"]).run(1.0, 0.5);
    table.column("kinetic").into_iter().for_each(|found| assert_near("the energy", found, 0.5 * twice, 1e-10));
}

#[test]
fn a_rod_with_products_of_inertia_weighs_them() {
    // The same box twice: along the axes of its frame, and described in axes turned by an angle about x.
    let turned = Scene::new(
        "scene turned
         let a = 0.6 [rad]
         let yy = 0.8 [kg*m^2]
         let zz = 0.3 [kg*m^2]
         body plain { rotation = free; mass = 1 [kg]; inertia = (0.9 [kg*m^2], yy, zz) }
         body other {
           rotation = free
           mass = 1 [kg]
           inertia = (0.9 [kg*m^2], yy * cos(a)^2 + zz * sin(a)^2, yy * sin(a)^2 + zz * cos(a)^2)
           products = (0 [kg*m^2], 0 [kg*m^2], (zz - yy) * sin(a) * cos(a))
         }
         initially plain.omega == (0.5, 1, -2) [rad/s]
         initially (other.omega in other).x == 0.5 [rad/s]
         initially (other.omega in other).y == 1 [rad/s] * cos(a) + (-2 [rad/s]) * sin(a)
         initially (other.omega in other).z == -1 [rad/s] * sin(a) + (-2 [rad/s]) * cos(a)",
    );
    // Axes e of `plain` seen in `other`: components rotate by -a about x, so ω' = Rx(-a) ω.
    let table = turned.probe(&["plain.omega in plain", "other.omega in other", "energy"]).run(4.0, 0.5);
    let a = 0.6_f64;
    let (plain, other) = (table.vectors("(plain.omega in plain)"), table.vectors("(other.omega in other)"));
    for (p, o) in plain.into_iter().zip(other) {
        let expected = [p[0], p[1] * a.cos() + p[2] * a.sin(), -p[1] * a.sin() + p[2] * a.cos()];
        assert_vectors_near("the angular velocity", o, expected, 1e-9);
    }
}

#[test]
fn a_spherical_pendulum_can_run_on_a_cone() {
    let (length, tilt) = (1.4_f64, 0.7_f64);
    let rate = (G / (length * tilt.cos())).sqrt();
    let scene = Scene::new(
        "scene cone
         param length = 1 [m]
         param tilt = 0 [rad]
         param rate = 1 [rad/s]
         gravity 9.81 [m/s^2]
         frame turn in world { rotation = about z free }
         frame arm in turn { rotation = about x free(tilt) }
         body bob in arm { position = (0, 0, -length); mass = 0.2 [kg] }
         initially arm.angle == tilt
         initially der(turn.angle) == rate",
    );
    let scene = scene.set(format!("length={length}")).set(format!("tilt={tilt}")).set(format!("rate={rate}"));
    let table = scene.probe(&["bob.position", "arm.angle"]).run(3.0, 0.25);
    for (&t, position) in table.times.iter().zip(table.vectors("bob.position")) {
        let (radius, phase) = (length * tilt.sin(), rate * t);
        let expected = [-radius * phase.sin(), radius * phase.cos(), -length * tilt.cos()];
        assert_vectors_near(&format!("at t = {t}"), position, expected, 1e-9);
    }
}

const SPRING: &str = "scene spring
    param stiffness = 1 [N/m]
    param damping = 0 [kg/s]
    param mass = 1 [kg]
    param push = 0 [N]
    param beat = 1 [rad/s]
    body block { position = (free(0.3 [m]), 0, 0); mass = mass }
    potential spring: stiffness * block.position.x^2 / 2
    force on block = (push * cos(beat * t) - damping * block.velocity.x, 0, 0)
    initially der(block.x) == -2 [m/s]";

#[test]
fn a_damped_and_driven_spring_is_a_sum_of_exponentials() {
    // Under, over and critically damped, all driven.
    for (m, c, k, push, beat) in
        [(2.0_f64, 0.3_f64, 7.0, 1.1, 3.0), (1.0, 6.0, 5.0, 0.7, 0.4), (0.5, 0.0, 3.0, 2.0, 1.0)]
    {
        let scene = Scene::new(SPRING).probe(&["block.position.x"]);
        let scene = scene.set(format!("mass={m}")).set(format!("damping={c}")).set(format!("stiffness={k}"));
        let table = scene.set(format!("push={push}")).set(format!("beat={beat}")).run(6.0, 0.5);
        // The steady response a cos + b sin, then what is left of the start.
        let (real, imaginary) = (k - m * beat * beat, c * beat);
        let size = push / (real * real + imaginary * imaginary);
        let steady = |t: f64| size * (real * (beat * t).cos() + imaginary * (beat * t).sin());
        let steady_rate = size * imaginary * beat;
        let (x0, v0) = (0.3 - steady(0.0), -2.0 - steady_rate);
        let decay = c / (2.0 * m);
        let square = k / m - decay * decay;
        let rest = |t: f64| {
            let w = square.abs().sqrt();
            let (even, odd) =
                if square > 0.0 { ((w * t).cos(), (w * t).sin()) } else { ((w * t).cosh(), (w * t).sinh()) };
            (-decay * t).exp() * (x0 * even + (v0 + decay * x0) / w * odd)
        };
        for (&t, x) in table.times.iter().zip(table.column("block.position.x")) {
            assert_near(&format!("m {m}, c {c}, k {k} at t = {t}"), x, steady(t) + rest(t), 1e-9);
        }
    }
}

#[test]
fn coupled_blocks_swing_in_their_normal_modes() {
    // Three equal masses and four equal springs between walls: x_i = Σ_j a_j sin(i j π/4) cos(ω_j t), ω_j = 2 √(k/m) sin(j π/8).
    let scene = Scene::new(
        "scene modes
         let k = 5 [N/m]
         let rest = 1 [m]
         body wall[0] { mass = 1 [kg] }
         for i in 1..3 { body wall[i] { position = (free(i * rest), 0, 0); mass = 0.4 [kg] } }
         body wall[4] { position = (4 * rest, 0, 0); mass = 1 [kg] }
         for i in 0..3 { potential = k * (wall[i+1].position.x - wall[i].position.x - rest)^2 / 2 }
         initially wall[1].position.x == 1.1 [m]
         initially wall[2].position.x == 2 [m]
         initially wall[3].position.x == 2.8 [m]",
    );
    let table = scene.probe(&["wall[1].x", "wall[2].x", "wall[3].x"]).run(10.0, 0.5);
    let start = [0.1, 0.0, -0.2];
    let shape = |i: usize, j: usize| (i as f64 * j as f64 * PI / 4.0).sin();
    for (row, &t) in table.times.iter().enumerate() {
        for i in 1..=3 {
            let modes = (1..=3).map(|j| {
                let amplitude: f64 = (1..=3).map(|at| 0.5 * start[at - 1] * shape(at, j)).sum();
                amplitude * shape(i, j) * (2.0 * (5.0_f64 / 0.4).sqrt() * (j as f64 * PI / 8.0).sin() * t).cos()
            });
            let expected = i as f64 + modes.sum::<f64>();
            assert_near(&format!("block {i} at t = {t}"), table.rows[row][i - 1], expected, 1e-9);
        }
    }
}

#[test]
fn a_projectile_in_a_viscous_wind_follows_its_exponential() {
    let scene = Scene::new(
        "scene shot
         let drag = 0.3 [kg/s]
         let wind = (1, -2, 0) [m/s]
         gravity (0.1, 0, -9.81) [m/s^2]
         body ball { position = (free(1 [m]), free(2 [m]), free(3 [m])); mass = 0.8 [kg] }
         force on ball = drag * (wind - ball.velocity)
         initially ball.velocity == (10, 0, 20) [m/s]",
    );
    let table = scene.probe(&["ball.position", "ball.velocity"]).run(3.0, 0.5);
    let (rate, start, speed) = (0.3 / 0.8, [1.0, 2.0, 3.0], [10.0, 0.0, 20.0]);
    let terminal = [1.0 + 0.1 / rate, -2.0, -9.81 / rate];
    for (row, &t) in table.times.iter().enumerate() {
        let decay = (-rate * t).exp();
        let position =
            std::array::from_fn(|i| start[i] + terminal[i] * t + (speed[i] - terminal[i]) * (1.0 - decay) / rate);
        let velocity = std::array::from_fn(|i| terminal[i] + (speed[i] - terminal[i]) * decay);
        assert_vectors_near("the position", table.vectors("ball.position")[row], position, 1e-9);
        assert_vectors_near("the velocity", table.vectors("ball.velocity")[row], velocity, 1e-9);
    }
}
