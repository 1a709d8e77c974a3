//! Tops: free ones against Euler and Poinsot, heavy ones against published digits and the condition of regular precession.

use crate::exact::{jacobi, multiply, norm, turn};
use crate::scene::{Scene, assert_near, assert_vectors_near};
use driver::Solver;

const FREE_TOP: &str = "scene top
    param a = 1 [kg*m^2]
    param b = 1 [kg*m^2]
    param c = 1 [kg*m^2]
    param wx = 1 [rad/s]
    param wy = 0 [rad/s]
    param wz = 1 [rad/s]
    body top { rotation = free; mass = 1 [kg]; inertia = (a, b, c) }
    initially top.omega == (wx, wy, wz)";

#[test]
fn a_free_symmetric_top_precesses_about_its_angular_momentum() {
    for (a, c, wx, wz) in [(1.0, 2.0, 0.7, 3.0), (2.0, 0.5, 1.5, 4.0)] {
        let scene = Scene::new(FREE_TOP).set(format!("a={a}")).set(format!("b={a}")).set(format!("c={c}"));
        let scene = scene.set(format!("wx={wx}")).set(format!("wz={wz}"));
        let table = scene.probe(&["top.orientation", "top.omega", "angular_momentum"]).run(5.0, 0.25);
        let momentum = [a * wx, 0.0, c * wz];
        for (row, &t) in table.times.iter().enumerate() {
            // ω = L/A + (1 - C/A) ω_z e_z: a steady turn about L in space, and one about its own axis in the body.
            let about_momentum = turn(momentum, norm(momentum) / a * t);
            let mut expected = multiply(about_momentum, turn([0.0, 0.0, 1.0], (1.0 - c / a) * wz * t));
            let found: Vec<f64> =
                ["w", "x", "y", "z"].iter().map(|part| table.column(&format!("top.orientation.{part}"))[row]).collect();
            // A quaternion that is integrated goes on without jumps; the half angles of the test do so too.
            if expected[0] * found[0] + expected[3] * found[3] < 0.0 {
                expected = expected.map(|part| -part);
            }
            for at in 0..4 {
                assert_near(&format!("part {at} of the quaternion at t = {t}"), found[at], expected[at], 1e-9);
            }
            assert_vectors_near("angular momentum", table.vectors("angular_momentum")[row], momentum, 1e-9);
        }
    }
}

#[test]
fn a_free_asymmetric_top_turns_as_the_elliptic_functions_say() {
    // I1 < I2 < I3, started on the side of I3 with ω2 = 0 (Landau and Lifshitz, Mechanics, § 37).
    let (i1, i2, i3, w1, w3) = (1.0_f64, 2.0_f64, 3.0_f64, 1.2_f64, 1.5_f64);
    let (twice_energy, square) = (i1 * w1 * w1 + i3 * w3 * w3, (i1 * w1).powi(2) + (i3 * w3).powi(2));
    assert!(square > twice_energy * i2);
    let rate = ((i3 - i2) * (square - twice_energy * i1) / (i1 * i2 * i3)).sqrt();
    let k = ((i2 - i1) * (twice_energy * i3 - square) / ((i3 - i2) * (square - twice_energy * i1))).sqrt();
    let w2 = ((twice_energy * i3 - square) / (i2 * (i3 - i2))).sqrt();
    let scene = Scene::new(FREE_TOP).set("a=1").set("b=2").set("c=3").set(format!("wx={w1}")).set(format!("wz={w3}"));
    let table = scene.probe(&["top.omega in top"]).run(20.0, 0.5);
    for (row, &t) in table.times.iter().enumerate() {
        // Euler's second equation at the start, I2 ω2' = (I3 - I1) ω3 ω1, says that ω2 grows.
        let (sn, cn, dn) = jacobi(rate * t, k);
        let expected = [w1 * cn, w2 * sn, w3 * dn];
        assert_vectors_near(&format!("at t = {t}"), table.vectors("(top.omega in top)")[row], expected, 1e-9);
    }
}

/// The top of Brüls and Cardona: one frame that turns freely about the origin, and a body fixed in it.
const HEAVY_TOP: &str = "scene heavy_top
    gravity 9.81 [m/s^2]
    frame top in world { rotation = free }
    body centre in top { position = (0, 1, 0) [m]; mass = 15 [kg]; inertia = (0.234375, 0.46875, 0.234375) [kg*m^2] }
    initially top.omega == (0, 150, -4.61538) [rad/s]";

/// The same top as a free body whose point (0, -1, 0) is held.
const HELD_TOP: &str = "scene held_top
    gravity 9.81 [m/s^2]
    body centre {
      position = (free, free(1 [m]), free)
      rotation = free
      mass = 15 [kg]
      inertia = (0.234375, 0.46875, 0.234375) [kg*m^2]
    }
    always held: centre.point((0, -1, 0) [m]) == (0, 0, 0)
    initially centre.position == (0, 1, 0) [m]
    initially centre.omega == (0, 150, -4.61538) [rad/s]";

#[test]
fn the_heavy_top_has_its_published_digits() {
    for (text, orientation) in [(HEAVY_TOP, "top.orientation"), (HELD_TOP, "centre.orientation")] {
        let scene = Scene::new(text).probe(&[orientation, "centre.position", "centre.omega in centre", "energy"]);
        let table = scene.run(2.0, 0.2);
        let parameters = [-0.70827915297, 0.43878108813, 0.54572839615, 0.08939975282];
        let found = ["w", "x", "y", "z"].map(|part| table.column(&format!("{orientation}.{part}"))[1]);
        // Both signs mean the same turn.
        let sign = (found[0] * parameters[0]).signum();
        for at in 0..4 {
            assert_near(&format!("Euler parameter {at} at 0.2 s"), sign * found[at], parameters[at], 1e-8);
        }
        let centre = [-0.15041682275, -0.72416559164, -0.67302226956];
        assert_vectors_near("the centre at 2 s", table.last_vector("centre.position"), centre, 1e-7);
        let rates = table.last_vector("(centre.omega in centre)");
        assert_vectors_near("the rates at 2 s", rates, [0.12223321930, 150.0, -5.85562458919], 1e-5);
        assert_near("the energy", table.last("energy"), 5435.696790865, 1e-5);
        assert!(table.drift() < 1e-9, "energy drifts by {:.1e}", table.drift());
    }
}

#[test]
fn a_gyroscope_precesses_regularly_at_either_rate() {
    // Moments about the fixed point: A across, C along the axis; m g l = Ω (C ω₃ - A Ω cos θ).
    let (mass, arm, across, along, tilt, spin) = (2.0_f64, 0.3_f64, 0.05_f64, 0.08_f64, 0.9_f64, 60.0_f64);
    let a = across + mass * arm * arm;
    let weight = mass * 9.81 * arm;
    let root = ((along * spin).powi(2) - 4.0 * a * tilt.cos() * weight).sqrt();
    for sign in [-1.0, 1.0] {
        let rate = (along * spin + sign * root) / (2.0 * a * tilt.cos());
        let own = spin - rate * tilt.cos();
        let scene = Scene::new(&format!(
            "scene gyroscope
             gravity 9.81 [m/s^2]
             frame turn in world {{ rotation = about z free }}
             frame lean in turn {{ rotation = about x free({tilt} [rad]) }}
             body wheel in lean {{
               position = (0, 0, {arm}) [m]
               rotation = about z free
               mass = {mass} [kg]
               inertia = ({across}, {across}, {along}) [kg*m^2]
             }}
             initially lean.angle == {tilt} [rad]
             initially der(turn.angle) == {rate} [rad/s]
             initially der(wheel.angle) == {own} [rad/s]"
        ));
        let table = scene.probe(&["lean.angle", "turn.angle", "wheel.angle"]).run(1.0, 0.25);
        for (row, &t) in table.times.iter().enumerate() {
            assert_near("the lean", table.column("lean.angle")[row], tilt, 1e-8);
            assert_near("the precession", table.column("turn.angle")[row], rate * t, 1e-7);
            assert_near("the spin", table.column("wheel.angle")[row], own * t, 1e-7);
        }
    }
}

/// A hinge at rest on an arm that turns steadily: what acts on it cancels, so its angle and speed are nothing but rounding, by which no error can be measured.
#[test]
fn what_rests_on_a_turning_arm_stays_at_rest() {
    for start in ["0", "1"] {
        let text = format!(
            "scene hinge
            frame arm in world {{ rotation = about z ({start} + 3 [rad/s] * t) }}
            frame tip in arm {{ position = (1 [m], 0, 0); rotation = about z free }}
            body bob in tip {{ position = (0.5 [m], 0, 0); mass = 1 [kg] }}"
        );
        for (tolerance, solver) in [1e-6, 1e-9, 1e-12]
            .into_iter()
            .flat_map(|tolerance| [Solver::Explicit, Solver::Implicit].map(|solver| (tolerance, solver)))
        {
            let scene = Scene::new(&text).probe(&["tip.angle", "tip.angle'"]).tolerance(tolerance).solver(solver);
            let table = scene.run(10.0, 0.5);
            for row in &table.rows {
                assert!(row.iter().all(|value| value.abs() < 1e-11), "{tolerance} {solver:?}: {row:?}");
            }
            assert!(
                table.summary.statistics.accepted < 500,
                "{tolerance} {solver:?}: {} steps",
                table.summary.statistics.accepted
            );
        }
    }
}

/// The mean motion of what hangs together does not mind that nothing in it moves against anything else.
#[test]
fn a_mechanism_falls_freely_as_one() {
    let text = "scene falling
        gravity 9.81 [m/s^2]
        frame trunk { position = free; rotation = free }
        body chest in trunk { mass = 8 [kg]; inertia = (0.03, 0.11, 0.13) [kg*m^2] }
        for i in 1..4 {
          frame hip[i] in trunk { position = (0.18 [m] * cos(1.6 * i), 0.11 [m] * sin(1.6 * i), 0); rotation = about y free }
          body thigh[i] in hip[i] { position = (0, 0, -0.1) [m]; mass = 0.6 [kg]; inertia = (0.002, 0.002, 0.0001) [kg*m^2] }
          frame knee[i] in hip[i] { position = (0, 0, -0.2) [m]; rotation = about y free(-0.2) }
          body shank[i] in knee[i] { position = (0, 0, -0.1) [m]; mass = 0.2 [kg]; inertia = (0.0007, 0.0007, 0.00002) [kg*m^2] }
          initially knee[i].angle == -0.2
        }";
    for (tolerance, solver) in [1e-6, 1e-9, 1e-12]
        .into_iter()
        .flat_map(|tolerance| [Solver::Explicit, Solver::Implicit].map(|solver| (tolerance, solver)))
    {
        let probes = ["trunk.position.z", "trunk.position.x", "hip[1].angle", "knee[2].angle", "trunk.omega.y"];
        let table = Scene::new(text).probe(&probes).tolerance(tolerance).solver(solver).run(1.0, 0.25);
        for (t, row) in table.times.iter().zip(&table.rows) {
            let expected = [-0.5 * 9.81 * t * t, 0.0, 0.0, -0.2, 0.0];
            for (found, expected) in row.iter().zip(expected) {
                assert_near(&format!("{tolerance} {solver:?} at t = {t}"), *found, expected, 1e-11);
            }
        }
        assert!(
            table.summary.statistics.accepted < 1000,
            "{tolerance} {solver:?}: {} steps",
            table.summary.statistics.accepted
        );
    }
}
