//! Motions that are prescribed and the torques that bring them about, held against the equations of an arm as a book writes them.
//!
//! Rods i = 1, 2, 3 have the absolute angles s_i = q_1 + … + q_i; a rod's centre is half way. With r_ij the length of rod j as far as it carries
//! rod i, the equations of motion in absolute angles are Σ_j A_ij cos(s_i − s_j) s_j'' + Σ_j A_ij sin(s_i − s_j) s_j'² + g B_i cos s_i = T_i,
//! where T_i = τ_i − τ_{i+1}.

use crate::exact::integrate;
use crate::scene::{Scene, assert_near, examples};

const G: f64 = 9.81;

/// Uniform thin rods, one after the other.
struct Arm {
    lengths: Vec<f64>,
    masses: Vec<f64>,
}

impl Arm {
    fn new(lengths: &[f64], masses: &[f64]) -> Arm {
        Arm { lengths: lengths.to_vec(), masses: masses.to_vec() }
    }

    /// How far along rod j the centre of rod k is carried by it.
    fn reach(&self, k: usize, j: usize) -> f64 {
        match k.cmp(&j) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => self.lengths[j] / 2.0,
            std::cmp::Ordering::Greater => self.lengths[j],
        }
    }

    /// The torques of the joints at some angles, rates and accelerations of the joints.
    fn torques(&self, q: &[f64], w: &[f64], a: &[f64]) -> Vec<f64> {
        let n = self.lengths.len();
        let total = |x: &[f64]| -> Vec<f64> { (0..n).map(|i| x[..=i].iter().sum()).collect() };
        let (s, v, b) = (total(q), total(w), total(a));
        let row = |i: usize| -> f64 {
            let coupled = |j: usize| -> f64 {
                let carried: f64 = (0..n).map(|k| self.masses[k] * self.reach(k, i) * self.reach(k, j)).sum();
                let own = if i == j { self.masses[i] * self.lengths[i].powi(2) / 12.0 } else { 0.0 };
                let turned = s[i] - s[j];
                (carried * turned.cos() + own) * b[j] + carried * turned.sin() * v[j] * v[j]
            };
            let weight: f64 = (0..n).map(|k| self.masses[k] * self.reach(k, i)).sum();
            (0..n).map(coupled).sum::<f64>() + G * weight * s[i].cos()
        };
        let net: Vec<f64> = (0..n).map(row).collect();
        (0..n).map(|i| net[i..].iter().sum()).collect()
    }

    fn set(&self, scene: Scene) -> Scene {
        (0..self.lengths.len()).fold(scene, |scene, at| {
            let scene = scene.set(format!("length{}={}", at + 1, self.lengths[at]));
            scene.set(format!("mass{}={}", at + 1, self.masses[at]))
        })
    }
}

fn arms() -> [Arm; 3] {
    [
        Arm::new(&[0.5, 0.4, 0.3], &[3.0, 2.0, 1.0]),
        Arm::new(&[0.55, 0.38, 0.33], &[1.0, 4.0, 0.2]),
        Arm::new(&[0.45, 0.42, 0.36], &[5.0, 0.5, 2.5]),
    ]
}

#[test]
fn a_prescribed_motion_takes_the_torques_of_the_book() {
    for arm in arms() {
        let arm = Arm::new(&arm.lengths[..2], &arm.masses[..2]);
        let table = arm.set(Scene::example("arm_inverse")).probe(&["shoulder.torque", "elbow.torque"]).run(3.0, 0.1);
        for (row, &t) in table.times.iter().enumerate() {
            let (two, three) = ((2.0 * t).sin_cos(), (3.0 * t).sin_cos());
            let q = [0.5 * two.0, -0.8 + 0.3 * three.1];
            let w = [two.1, -0.9 * three.0];
            let a = [-2.0 * two.0, -2.7 * three.1];
            for (at, expected) in arm.torques(&q, &w, &a).into_iter().enumerate() {
                assert_near(&format!("torque {at} at t = {t}"), table.rows[row][at], expected, 1e-10);
            }
        }
    }
}

/// The probes of a redundant arm, and a row of them as angles, rates, accelerations and torques.
const REDUNDANT: &[&str] = &[
    "shoulder.angle",
    "elbow.angle",
    "wrist.angle",
    "shoulder.angle'",
    "elbow.angle'",
    "wrist.angle'",
    "shoulder.angle''",
    "elbow.angle''",
    "wrist.angle''",
    "shoulder.torque",
    "elbow.torque",
    "wrist.torque",
];

/// Rows x and z of the tip's velocity by the rates of the joints.
fn jacobian(arm: &Arm, q: &[f64]) -> [[f64; 3]; 2] {
    let s = [q[0], q[0] + q[1], q[0] + q[1] + q[2]];
    let from = |i: usize, f: fn(f64) -> f64| (i..3).map(|j| arm.lengths[j] * f(s[j])).sum::<f64>();
    [[0, 1, 2].map(|i| -from(i, f64::sin)), [0, 1, 2].map(|i| from(i, f64::cos))]
}

/// The motion that the prescription leaves open: a change of joint rates that leaves the tip where it is.
fn open_direction([x, z]: [[f64; 3]; 2]) -> [f64; 3] {
    [x[1] * z[2] - x[2] * z[1], x[2] * z[0] - x[0] * z[2], x[0] * z[1] - x[1] * z[0]]
}

fn dot(a: [f64; 3], b: &[f64]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

#[test]
fn a_redundant_arm_takes_the_least() {
    for (example, until) in [("redundant_arm", 2.0), ("redundant_arm_torque", 0.3)] {
        for arm in arms() {
            let table = arm.set(Scene::example(example)).probe(REDUNDANT).run(until, until / 10.0);
            for (row, &t) in table.times.iter().enumerate() {
                let cells = &table.rows[row];
                let (q, w, a, torques) = (&cells[..3], &cells[3..6], &cells[6..9], &cells[9..]);
                let expected = arm.torques(q, w, a);
                let size = expected.iter().fold(1.0_f64, |size, torque| size.max(torque.abs()));
                for at in 0..3 {
                    assert_near(&format!("{example}: torque {at} at {t}"), torques[at], expected[at], 1e-9 * size);
                }
                let rows = jacobian(&arm, q);
                let open = open_direction(rows);
                let phase = (2.0 * t).sin_cos();
                assert_near("the tip moves along x", dot(rows[0], w), -0.3 * phase.0, 1e-9);
                assert_near("the tip moves along z", dot(rows[1], w), 0.3 * phase.1, 1e-9);
                // Where something is least, its slope along what is left open is zero.
                let change: Vec<f64> = match example {
                    "redundant_arm" => open.to_vec(),
                    _ => {
                        let still = arm.torques(q, &[0.0; 3], &[0.0; 3]);
                        let pushed = arm.torques(q, &[0.0; 3], &open);
                        (0..3).map(|i| pushed[i] - still[i]).collect()
                    }
                };
                let chosen = if example == "redundant_arm" { a } else { torques };
                let slope: f64 = (0..3).map(|i| change[i] * chosen[i]).sum();
                let size: f64 = (0..3).map(|i| (change[i] * chosen[i]).abs()).sum();
                assert_near(&format!("{example}: the slope of the cost at {t}"), slope, 0.0, 1e-9 * size.max(1.0));
                if row == 0 {
                    assert_near("the shoulder starts as stated", q[0], 1.2, 1e-12);
                    assert_near("rates start as small as can be", dot(open, w), 0.0, 1e-12);
                }
            }
        }
    }
}

/// Limits make a quadratic program of it (Karush, Kuhn and Tucker): where the cost still falls along what is left open, a torque at its limit is
/// in the way, and no torque is beyond its own.
#[test]
fn where_a_limit_is_reached_others_take_over() {
    let cases: [(&str, [f64; 3], f64); 5] = [
        ("redundant_arm", [10.0, 1e3, 1e3], 0.7),
        ("redundant_arm", [14.0, 1e3, 1e3], 0.9),
        ("redundant_arm", [14.0, 9.0, 1e3], 0.9),
        ("redundant_arm", [1e3, 8.3, 5.0], 0.6),
        ("redundant_arm_torque", [1e3, 11.0, 1e3], 0.2),
    ];
    for (example, limits, until) in cases {
        let text = std::fs::read_to_string(examples().join(format!("{example}.anz"))).expect("an example");
        let ranges = [0, 1, 2].map(|at| {
            let name = ["shoulder", "elbow", "wrist"][at];
            format!("actuator {name}.torque in [{}, {}] [N*m]", -limits[at], limits[at])
        });
        let text = text.replace("actuator shoulder.torque, elbow.torque, wrist.torque", &ranges.join("\n"));
        let arm = &arms()[0];
        let table = arm.set(Scene::new(&text)).probe(REDUNDANT).run(until, until / 30.0);
        let mut kept = 0;
        for (row, &t) in table.times.iter().enumerate() {
            let what = format!("{example} within {limits:?} at {t}");
            let cells = &table.rows[row];
            let (q, w, a, torques) = (&cells[..3], &cells[3..6], &cells[6..9], &cells[9..]);
            let expected = arm.torques(q, w, a);
            (0..3).for_each(|at| assert_near(&what, torques[at], expected[at], 1e-8 * torques[at].abs().max(1.0)));
            let rows = jacobian(arm, q);
            let open = open_direction(rows);
            assert_near(&what, dot(rows[1], w), 0.3 * (2.0 * t).cos(), 1e-9);
            let still = arm.torques(q, &[0.0; 3], &[0.0; 3]);
            let pushed = arm.torques(q, &[0.0; 3], &open);
            let change = [0, 1, 2].map(|i| pushed[i] - still[i]);
            let slope = if example == "redundant_arm" { dot(open, a) } else { dot(change, torques) };
            let size = (0..3).map(|i| (open[i] * a[i]).abs() + (change[i] * torques[i]).abs()).sum::<f64>();
            let beyond = |at: usize| torques[at].abs() - limits[at];
            assert!((0..3).all(|at| beyond(at) < 1e-8), "{what}: {torques:?}");
            let mut blocking =
                (0..3).filter(|&at| beyond(at) > -1e-8).filter(|&at| -slope * change[at] * torques[at] > 0.0);
            match blocking.next() {
                Some(_) => kept += 1,
                None => assert_near(&format!("the slope of {what}"), slope, 0.0, 1e-8 * size.max(1.0)),
            }
        }
        assert!(kept > 3, "{example} {limits:?}: at limits in {kept} rows");
    }
}

#[test]
fn limits_that_are_too_tight_are_told() {
    let text = std::fs::read_to_string(examples().join("redundant_arm.anz")).expect("an example");
    for (shoulder, elbow, time) in [(14, 9, "t = 0.939013 s"), (5, 3, "t = 0 s")] {
        let ranges = format!(
            "actuator shoulder.torque in [-{shoulder}, {shoulder}] [N*m]
             actuator elbow.torque in [-{elbow}, {elbow}] [N*m]"
        );
        let text = text.replace("actuator shoulder.torque, elbow.torque, wrist.torque", &ranges);
        let trouble = Scene::new(&text).default_tolerance().trouble(1.0, 0.1);
        assert_eq!(trouble.code.0, "beyond-limits", "{}", trouble.message);
        assert!(trouble.message.contains(time), "{}", trouble.message);
    }
}

/// With one torque at its limit the others lose their hold: along what the path leaves open it does not change any more, so theirs grow beyond all
/// bounds. That is a motion beyond the limits, not a claim that was the author's.
#[test]
fn a_torque_at_its_limit_that_the_others_cannot_make_up_for_is_told() {
    let text = std::fs::read_to_string(examples().join("redundant_arm_torque.anz")).expect("an example");
    for (limit, until) in [(11.0, 0.36), (30.0, 0.23)] {
        let ranges =
            format!("actuator shoulder.torque, wrist.torque\nactuator elbow.torque in [-{limit}, {limit}] [N*m]");
        let text = text.replace("actuator shoulder.torque, elbow.torque, wrist.torque", &ranges);
        let trouble = Scene::new(&text).default_tolerance().trouble(until, 0.01);
        assert_eq!(trouble.code.0, "beyond-limits", "{}", trouble.message);
        assert!(trouble.notes.iter().any(|note| note.contains("lose their hold")), "{:?}", trouble.notes);
    }
}

/// Two motors push one mass of 3 kg with 1.8 N/s: 5 N are all they have. Until one is at its limit both do half of it.
#[test]
fn what_two_motors_have_is_their_sum() {
    let scene = Scene::new(
        "body cart { position = (free, 0, 0); mass = 2 [kg] }
         body pull { position = (free, 0, 1 [m]); mass = 1 [kg] }
         always pull.position.x == cart.position.x
         actuator cart.force in [-3, 3] [N]
         actuator pull.force in [-2, 2] [N]
         prescribe cart.x == 0.1 [m/s^3] * t^3 using cart.force, pull.force",
    );
    let trouble = scene.trouble(5.0, 0.1);
    assert_eq!(trouble.code.0, "beyond-limits", "{}", trouble.message);
    assert!(trouble.message.contains("t = 2.777778 s"), "{}", trouble.message);
    let table = scene.probe(&["cart.force", "pull.force"]).run(2.7, 0.1);
    for (row, &t) in table.times.iter().enumerate() {
        let pull = (0.9 * t).min(2.0);
        assert_near(&format!("the lesser at {t}"), table.rows[row][1], pull, 1e-9);
        assert_near(&format!("the other at {t}"), table.rows[row][0], 1.8 * t - pull, 1e-9);
    }
}

/// Gauss's principle: least τᵀM⁻¹τ is least constraint, Σ m (a − g)² + I α², and then the torques are those of one force at the tip.
#[test]
fn least_constraint_is_a_force_at_the_tip() {
    let text = std::fs::read_to_string(examples().join("redundant_arm.anz")).expect("an example");
    let part = |at: usize, body: &str, joints: &str| {
        let fall = format!("{body}.acceleration.x^2 + ({body}.acceleration.z + 9.81 [m/s^2])^2");
        format!("mass{at} * ({fall} + length{at}^2 / 12 * ({joints})^2)")
    };
    let turned =
        ["shoulder.angle''", "shoulder.angle'' + elbow.angle''", "shoulder.angle'' + elbow.angle'' + wrist.angle''"];
    let parts = [part(1, "upper", turned[0]), part(2, "fore", turned[1]), part(3, "hand", turned[2])];
    let using = "using shoulder.torque, elbow.torque, wrist.torque";
    let text = text.replace(using, &format!("{using} minimizing {}", parts.join(" + ")));
    for (which, arm) in arms().iter().enumerate() {
        let table = arm.set(Scene::new(&text)).probe(REDUNDANT).run(0.5, 0.1);
        for (row, &t) in table.times.iter().enumerate() {
            let cells = &table.rows[row];
            let (open, torques) = (open_direction(jacobian(arm, &cells[..3])), &cells[9..]);
            let size: f64 = (0..3).map(|i| (open[i] * torques[i]).abs()).sum();
            assert_near(&format!("the work along what is open at {t}"), dot(open, torques), 0.0, 1e-9 * size.max(1.0));
        }
        if which == 0 {
            let known = [17.3075154292438, 8.6541890921152, 0.7701593103845];
            (0..3).for_each(|at| assert_near("at the start", table.rows[0][9 + at], known[at], 1e-11));
        }
    }
}

/// Two of three angles prescribed and one torque given: nothing is left open.
#[test]
fn given_torques_and_prescribed_angles_mix() {
    let arm = Arm::new(&[0.5, 0.4, 0.3], &[3.0, 2.0, 1.0]);
    let text = std::fs::read_to_string(crate::scene::examples().join("redundant_arm.anz")).expect("the example");
    let from = text.find("let phase").expect("the prescription");
    let to = text.find("initially shoulder").expect("the start");
    let mixed = "prescribe shoulder.angle == 1.2 + 0.1 * sin(3 [rad/s] * t) using shoulder.torque
        prescribe wrist.angle == -0.9 + 0.2 * t / 1 [s] using elbow.torque
        always wrist.torque == -0.4 [N*m] * wrist.angle
        initially elbow.angle == -1\n";
    let text = format!("{}{mixed}{}", &text[..from], &text[to..].replacen("initially shoulder.angle == 1.2", "", 1));
    let table = Scene::new(&text).probe(REDUNDANT).run(0.5, 0.05);
    for (row, &t) in table.times.iter().enumerate() {
        let cells = &table.rows[row];
        assert_near("the shoulder", cells[0], 1.2 + 0.1 * (3.0 * t).sin(), 1e-10);
        assert_near("the wrist", cells[2], -0.9 + 0.2 * t, 1e-10);
        assert_near("the torque of the wrist", cells[11], -0.4 * cells[2], 1e-10);
        for (at, expected) in arm.torques(&cells[..3], &cells[3..6], &cells[6..9]).into_iter().enumerate() {
            assert_near(&format!("torque {at} at t = {t}"), cells[9 + at], expected, 1e-8);
        }
    }
}

/// What actuators do to a crank, a rod and a piston is all the work there is: the energy changes by torque times rate and force times speed.
/// Elbow and wrist are held, so the torque of one acts back on what the other holds; nothing drives the shoulder.
#[test]
fn torques_of_a_chain_act_back_along_it() {
    let arm = Arm::new(&[0.5, 0.4, 0.3], &[3.0, 2.0, 1.0]);
    let scene = Scene::new(
        "gravity 9.81 [m/s^2]
         frame shoulder { rotation = about (0, -1, 0) free }
         body upper in shoulder { position = (0.25, 0, 0) [m]; mass = 3 [kg]; inertia = (0, 1, 1) * 0.0625 [kg*m^2] }
         frame elbow in shoulder { position = (0.5, 0, 0) [m]; rotation = about (0, -1, 0) free }
         body fore in elbow { position = (0.2, 0, 0) [m]; mass = 2 [kg]; inertia = (0, 1, 1) * 0.08 [kg*m^2] / 3 }
         frame wrist in elbow { position = (0.4, 0, 0) [m]; rotation = about (0, -1, 0) free }
         body hand in wrist { position = (0.15, 0, 0) [m]; mass = 1 [kg]; inertia = (0, 1, 1) * 0.0075 [kg*m^2] }
         prescribe elbow.angle == 0.3 * shoulder.angle using elbow.torque
         prescribe wrist.angle == -0.5 using wrist.torque",
    );
    let probes = ["shoulder.angle", "shoulder.angle'", "shoulder.angle''", "elbow.torque", "wrist.torque"];
    let table = scene.probe(&probes).run(1.0, 0.1);
    for row in &table.rows {
        let whole = |at: usize, wrist: f64| [row[at], 0.3 * row[at], wrist];
        let expected = arm.torques(&whole(0, -0.5), &whole(1, 0.0), &whole(2, 0.0));
        assert_near("the free shoulder", expected[0], 0.0, 1e-9);
        assert_near("the elbow", row[3], expected[1], 1e-9);
        assert_near("the wrist", row[4], expected[2], 1e-9);
    }
}

#[test]
fn actuators_of_joints_do_the_work() {
    let scene = Scene::new(
        "use mechanics
         gravity 9.81 [m/s^2]
         body crank: box(30 [cm], 3 [cm], 3 [cm]) mass 2 [kg] { position = free((0.15, 0, 0) [m]) }
         body rod: box(60 [cm], 3 [cm], 3 [cm]) mass 4 [kg] { position = free((0.6, 0, 0) [m]) }
         body piston: box(10 [cm], 10 [cm], 10 [cm]) mass 5 [kg] { position = free((0.9, 0, 0) [m]) }
         contact none
         join shaft: world to crank.point((-15, 0, 0) [cm]) with revolute(axis: (0, 2, 0))
         join crank.point((15, 0, 0) [cm]) to rod.point((-30, 0, 0) [cm]) with ball_and_socket
         join rod.point((30, 0, 0) [cm]) to piston with ball_and_socket
         join guide: world to piston with prismatic(axis: (3, 0, 0))
         initially shaft.angle == 30 [deg]
         prescribe shaft.rate == 3 [rad/s] + 1 [rad/s] * sin(2 [rad/s] * t) using shaft.torque
         actuator guide.force
         always guide.force == -20 [N*s/m] * der(guide.travel)",
    );
    let step = 1e-3;
    let probes = ["energy", "shaft.torque", "shaft.rate", "guide.force", "der(guide.travel)"];
    let table = scene.probe(&probes).run(1.0, step);
    for row in (2..table.rows.len() - 2).step_by(97) {
        let energy = |at: usize| table.rows[at][0];
        let rate = (8.0 * (energy(row + 1) - energy(row - 1)) - (energy(row + 2) - energy(row - 2))) / (12.0 * step);
        let cells = &table.rows[row];
        assert_near("the shaft turns as told", cells[2], 3.0 + (2.0 * table.times[row]).sin(), 1e-10);
        assert_near(&format!("the power in row {row}"), rate, cells[1] * cells[2] + cells[3] * cells[4], 1e-6);
    }
}

/// A force along a slide acts back on what carries it: the centre of mass of both stays where it is.
#[test]
fn a_force_acts_back_on_what_carries_it() {
    let scene = Scene::new(
        "body sledge { position = (free, 0, 0); mass = 3 [kg] }
         body slider in sledge { position = (free(1 [m]), 0, 0); mass = 1 [kg] }
         prescribe slider.x == 1 [m] + 0.3 [m] * (1 - cos(2 [rad/s] * t)) using slider.force",
    );
    let table = scene.probe(&["sledge.position.x", "slider.force", "centre_of_mass.x"]).run(2.0, 0.1);
    for (row, &t) in table.times.iter().enumerate() {
        let cells = &table.rows[row];
        assert_near("the centre of mass", cells[2], 0.25, 1e-10);
        // x'' = 1.2 cos 2t between two masses whose reduced mass is 3/4 kg.
        assert_near(&format!("the force at t = {t}"), cells[1], 0.75 * 1.2 * (2.0 * t).cos(), 1e-9);
    }
}

/// A motor with a limit: a constant push, then the spring that was asked for.
#[test]
fn limits_hold_what_is_asked_back() {
    let scene = Scene::new(
        "body cart { position = (free(1 [m]), 0, 0); mass = 2 [kg] }
         actuator cart.force in [-1, 1] [N]
         always cart.force == -4 [N/m] * cart.x
         initially cart.x == 1 [m]",
    );
    let table = scene.probe(&["cart.x", "cart.force"]).run(3.0, 0.1);
    // At rest at 1 m, pushed by 1 N until it is at 1/4 m; then half of an oscillation with √2 rad/s.
    let (until, speed, rate) = (3.0_f64.sqrt(), -0.5 * 3.0_f64.sqrt(), 2.0_f64.sqrt());
    for (row, &t) in table.times.iter().enumerate() {
        let later = rate * (t - until);
        let free = 0.25 * later.cos() + speed / rate * later.sin();
        let expected = if t < until { 1.0 - t * t / 4.0 } else { free };
        if t < until + 0.35 {
            assert_near(&format!("the cart at t = {t}"), table.rows[row][0], expected, 1e-9);
            assert_near(&format!("the force at t = {t}"), table.rows[row][1], (-4.0 * expected).clamp(-1.0, 1.0), 1e-8);
        }
    }
}

/// Two motors on one cart share the push: with nothing left to choose of the motion, the least effort is taken.
#[test]
fn idle_effort_is_avoided() {
    let scene = Scene::new(
        "use mechanics
         frame left { position = (-1, 0, 0) [m] }
         frame right { position = (1, 0, 0) [m] }
         body cart: box(1 [m], 1 [m], 1 [m]) mass 2 [kg] { position = (free, 0, 0); rotation = about x 0 }
         join pushed: left to cart with prismatic(axis: (1, 0, 0))
         prescribe cart.x == 0.5 [m] * sin(2 [rad/s] * t) using pushed.force, cart.force",
    );
    let table = scene.probe(&["pushed.force", "cart.force"]).run(1.0, 0.1);
    for (row, &t) in table.times.iter().enumerate() {
        let half = -2.0 * (2.0 * t).sin();
        assert_near("one half", table.rows[row][0], half, 1e-9);
        assert_near("the other half", table.rows[row][1], half, 1e-9);
    }
}

/// From one top of its flight to the next, a runner comes nearer to the stable height of an independent return map, by its slope.
#[test]
fn a_runner_settles_at_its_apex() {
    for (energy, apex, slope) in [(1784.8, 0.940267144379597, -0.16130763), (1745.2, 0.942951807699233, 0.00843823)] {
        let start = apex + 1e-4;
        let scene = Scene::example("slip_runner").set(format!("total_energy={energy}")).set(format!("height={start}"));
        let table = scene.probe(&["runner.position.z", "runner.velocity.z", "energy"]).run(0.6, 1e-3);
        // In flight the top follows from any row: z + v²/(2 g), within half a period of the one before.
        let top = |row: &Vec<f64>| row[0] + row[1] * row[1] / (2.0 * G);
        let flying = |row: &&Vec<f64>| row[0] > 68.0_f64.to_radians().sin() + 1e-6;
        let first = table.rows.iter().filter(flying).map(top).next().expect("it flies at the start");
        assert_near("the first top", first, start, 1e-9);
        let at = (0..table.rows.len()).filter(|&at| flying(&&table.rows[at]));
        let landed: Vec<usize> = at.collect();
        let second = landed.windows(2).find(|pair| pair[1] > pair[0] + 1).map(|pair| top(&table.rows[pair[1]]));
        let second = second.expect("it flies again");
        assert_near("the second top", second - apex, slope * (start - apex), 5e-7);
        for row in &table.rows {
            assert_near("the energy", row[2], energy, 1e-7 * energy);
        }
    }
}

/// An arm of 50 and 40 cm whose hand is led along a path.
fn led(path: &str) -> Scene {
    Scene::new(&format!(
        "gravity 9.81 [m/s^2]
         frame shoulder {{ rotation = about y free(-0.8) }}
         body upper in shoulder {{ position = (0.25, 0, 0) [m]; mass = 1 [kg] }}
         frame elbow in shoulder {{ position = (0.5, 0, 0) [m]; rotation = about y free(1.5) }}
         body hand in elbow {{ position = (0.4, 0, 0) [m]; mass = 1 [kg] }}
         prescribe hand.position == {path} using shoulder.torque, elbow.torque"
    ))
}

#[test]
fn a_path_out_of_reach_is_told_with_time_and_distance() {
    // Along x at a height of 0.1 m the arm is stretched at √(0.81 − 0.01) m.
    let trouble = led("(0.7 [m] + 1 [m/s] * t, 0, 0.1 [m])").trouble(1.0, 0.5);
    assert_eq!(trouble.code.0, "out-of-reach");
    let at = 0.8_f64.sqrt() - 0.7;
    assert!(trouble.message.starts_with(&format!("at t = {at:.6} s")), "{}", trouble.message);
    let missed = (0.7 + 1.1 * at).hypot(0.1) - 0.9;
    assert!(trouble.labels[0].text.ends_with(&format!("missed by {missed:.4} m")), "{:?}", trouble.labels);
    // The hole in the middle, where the forearm is too short to reach back.
    let trouble = led("(0.3 [m] - 1 [m/s] * t, 0, 0)").trouble(1.0, 0.5);
    assert_eq!(trouble.code.0, "out-of-reach");
    assert!(trouble.message.starts_with("at t = 0.2 s"), "{}", trouble.message);
    let trouble = led("(1.2, 0, 0.5) [m]").trouble(1.0, 0.5);
    assert_eq!(trouble.code.0, "out-of-reach");
    let missed = 1.3 - 0.9;
    assert!(trouble.labels[0].text.ends_with(&format!("missed by {missed:.1} m")), "{:?}", trouble.labels);
}

#[test]
fn a_stretched_arm_has_its_own_words() {
    // Radially to the full length and back: within reach at all times, and stretched at t = 0.5 s with the elbow at rest against its will.
    let there_and_back = "(0.9 [m] - 0.4 [m/s] * sqrt((t - 0.5 [s])^2 + 1e-18 [s^2]), 0, 0)";
    let trouble = led(there_and_back).trouble(1.0, 0.5);
    assert_eq!(trouble.code.0, "singular-arm", "{}", trouble.message);
    assert!(trouble.message.starts_with("at t = 0.5 s"), "{}", trouble.message);
}

/// An elbow that only the shoulder drives: the equation of the elbow is m21 q1″ + m22 q2″ + … = 0, and m21 = m c (c + l cos q2) + J vanishes
/// where cos q2 = −(c + J / (m c)) / l. The shoulder runs away on the way there.
#[test]
fn a_torque_that_loses_its_hold_has_its_own_words() {
    let scene = |using: &str| {
        Scene::new(&format!(
            "gravity 9.81 [m/s^2]
             frame shoulder {{ rotation = about (0, -1, 0) free }}
             body upper in shoulder {{ position = (0.25, 0, 0) [m]; mass = 3 [kg] }}
             frame elbow in shoulder {{ position = (0.5, 0, 0) [m]; rotation = about (0, -1, 0) free }}
             body fore in elbow {{ position = (0.2, 0, 0) [m]; mass = 2 [kg]; inertia = (0, 1, 1) * 0.01 [kg*m^2] }}
             prescribe elbow.angle == 8 [rad/s] * t using {using}"
        ))
    };
    let trouble = scene("shoulder.torque").trouble(1.0, 0.5);
    assert_eq!(trouble.code.0, "singular-arm", "{}", trouble.message);
    assert!(trouble.message.contains("`shoulder.torque` loses its hold"), "{}", trouble.message);
    let vanishes = (-0.25_f64 / 0.5).acos() / 8.0;
    let time: f64 = trouble.message.trim_start_matches("at t = ").split(' ').next().unwrap().parse().unwrap();
    assert!(time > 0.9 * vanishes && time < vanishes, "{time}, {vanishes}");
    let table = scene("elbow.torque").probe(&["elbow.angle"]).run(1.0, 0.5);
    assert_near("its own torque has no such place", table.last("elbow.angle"), 8.0, 1e-9);
}

/// A run that ends for another reason: constraints that follow from one another do not make an arm stretched.
#[test]
fn a_singular_arm_is_not_told_of_other_failures() {
    let scene = Scene::new(
        "frame shoulder { rotation = about (0, -1, 0) free(0.3) }
         body arm in shoulder { position = (0.5, 0, 0) [m]; mass = 2 [kg] }
         body bob { position = (free(1 [m]), free, free(-1 [m])); mass = 1 [kg] }
         always bob.position.y == 0 [m]
         always 1.5 * bob.position.y == 0 [m]
         always bob.position.z == -1 [m]
         kind tank { level: [1] = 1; der(level) == level^2 * 1 [1/s] }
         k: tank
         force on bob = (1 [N] * k.level, 0, 0)
         prescribe shoulder.angle == 0.3 using shoulder.torque",
    );
    let trouble = scene.trouble(2.0, 0.5);
    assert_ne!(trouble.code.0, "singular-arm", "{}", trouble.message);
}

/// A programme with phases: held, swung, let go. What the arm does then is a pendulum's own affair.
#[test]
fn prescriptions_come_and_go_with_modes() {
    let scene = Scene::new(
        "gravity 9.81 [m/s^2]
         frame shoulder { rotation = about (0, -1, 0) free }
         body arm in shoulder { position = (0.5, 0, 0) [m]; mass = 2 [kg] }
         mode task: hold | swing | limp = hold
         actuator shoulder.torque
         prescribe shoulder.angle == 0 using shoulder.torque while task == hold
         prescribe shoulder.angle == 0.25 * (1 - cos(4 [rad/s] * (t - 1 [s]))) using shoulder.torque while task == swing
         when go: task == hold and t >= 1 [s] { task == swing; keep positions, velocities }
         when drop: task == swing and t >= 2 [s] { task == limp; keep positions, velocities }",
    );
    let table = scene.probe(&["shoulder.angle", "shoulder.torque"]).run(3.0, 0.1);
    let weight = 2.0 * G * 0.5;
    for (row, &t) in table.times.iter().enumerate() {
        let cells = &table.rows[row];
        let turned = 4.0 * (t - 1.0);
        let (angle, torque) = match t {
            t if t < 0.99 => (0.0, weight),
            t if t < 1.99 => {
                let angle = 0.25 * (1.0 - turned.cos());
                (angle, 0.5 * 4.0 * turned.cos() + weight * angle.cos())
            }
            t => {
                let fall = |_: f64, [a, w]: [f64; 2]| [w, -G / 0.5 * a.cos()];
                let [angle, _] = integrate(fall, [0.25 * (1.0 - 4.0_f64.cos()), 4.0_f64.sin()], t - 2.0);
                (angle, 0.0)
            }
        };
        assert_near(&format!("the angle at t = {t}"), cells[0], angle, 1e-8);
        assert_near(&format!("the torque at t = {t}"), cells[1], torque, 1e-8);
    }
}

/// A torque that follows from an acceleration through a quantity of one's own: the slope of the cost would miss it, so it is refused.
#[test]
fn a_least_cost_is_not_guessed_through_own_quantities() {
    let motor = |law: &str| {
        Scene::new(&format!(
            "kind motor {{ current: [A] = 1 [A]; {law} }}
             m: motor
             frame shoulder {{ rotation = about y free(0.8) }}
             body upper in shoulder {{ position = (0.25, 0, 0) [m]; mass = 1 [kg] }}
             frame elbow in shoulder {{ position = (0.5, 0, 0) [m]; rotation = about y free(-1.5) }}
             body fore in elbow {{ position = (0.2, 0, 0) [m]; mass = 1 [kg] }}
             frame wrist in elbow {{ position = (0.4, 0, 0) [m]; rotation = about y free(-0.5) }}
             body hand in wrist {{ position = (0.2, 0, 0) [m]; mass = 1 [kg] }}
             actuator elbow.torque
             always elbow.torque == 3 [N*m/A] * m.current
             prescribe hand.position.x == 0.5 [m] using shoulder.torque, elbow.torque, wrist.torque"
        ))
    };
    let compiled = motor("current == 0.1 [A*s^2] * elbow.angle''").compile();
    assert!(compiled.diagnostics.iter().any(|found| found.code.0 == "no-least"), "{:?}", compiled.diagnostics);
    let table = motor("der(current) == -1 [1/s] * current").probe(&["elbow.torque"]).at(0.1);
    assert_near("what decays is given", table.last("elbow.torque"), 3.0 * (-0.1_f64).exp(), 1e-9);
}
