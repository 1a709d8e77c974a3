//! Mechanisms that others published, written as bodies and joints, to the digits that can be trusted.
//!
//! The scenes are in `examples/published`. Sources of the values: the pendulum, the N four-bar mechanism and the flyball governor are
//! problems of the library of benchmarks for multibody dynamics of the IFToMM (A01, A02, A05); the squeezer is Andrews', as in the
//! test set for initial value problems, to 25 digits; the bicycle is the benchmark of Meijaard, Papadopoulos, Ruina and
//! Schwab, Proc. R. Soc. A 463 (2007) 1955; the heavy top is that of Brüls and Cardona; the walker is the simplest one of Garcia,
//! Chatterjee, Ruina and Coleman (1998).

use driver::Solver;

use crate::oscillations::HORIZONTAL_RELEASE;
use crate::scene::{Scene, Table, assert_near, assert_vectors_near};

fn published(name: &str) -> Scene {
    Scene::example(&format!("published/{name}"))
}

/// The row of a time.
#[track_caller]
fn at(table: &Table, time: f64, column: &str) -> f64 {
    let row = table.times.iter().position(|t| (t - time).abs() < 1e-9).expect("a row at this time");
    table.column(column)[row]
}

/// sin(theta/2) = k sn(K(k) - w t, k), with k = 1/sqrt 2.
#[test]
fn the_pendulum_is_an_elliptic_function() {
    let table = published("pendulum").run(100.0, 0.5);
    for (time, x, y) in HORIZONTAL_RELEASE.into_iter().filter(|row| row.0 <= 100.0) {
        assert_near("x", at(&table, time, "bob.position.x"), x, 1e-9);
        assert_near("y", at(&table, time, "bob.position.y"), y, 1e-9);
    }
}

/// Time; then x, y, vx, vy of the top of the first crank.
type Passing = (f64, [f64; 4]);

/// The mechanism with so many loops is at these places.
#[track_caller]
fn assert_parallelograms(scene: &Scene, passing: &[Passing], error: f64) {
    let table = scene.run(10.0, 0.5);
    for (time, expected) in passing {
        let found = ["top.x", "top.y", "der(top).x", "der(top).y"].map(|column| at(&table, *time, column));
        for (found, expected) in found.into_iter().zip(expected) {
            assert_near(&format!("at t = {time}"), found, *expected, error);
        }
    }
}

const TWO_LOOPS: [Passing; 5] = [
    (0.5, [0.695286633164400522, 0.718732563435741611, 1.96020542537183327, -1.89626114058657676]),
    (1.0, [-0.195020301949435212, -0.980799205662173809, -6.67667803688115803, 1.32757832516048804]),
    (2.0, [0.0578157957680114664, 0.998327267863455479, 1.01726013662043653, -0.0589122487134456848]),
    (5.0, [-0.811310461005107728, -0.584615545348975109, -3.56911739719320612, 4.95310517131332836]),
    (10.0, [0.328458111540815623, 0.944518538178600877, 1.42305147020694462, -0.494868845487043546]),
];
const FORTY_LOOPS: [Passing; 1] =
    [(10.0, [0.180512226686728587, 0.983572740582311539, 1.14844127746941444, -0.210770066779424226])];

/// On the branch of parallelograms the mechanism is one pendulum, and its motion an elliptic function. Ten times it passes where it
/// could fold.
#[test]
fn four_bars_stay_parallelograms() {
    assert_parallelograms(&published("four_bars").default_tolerance(), &TWO_LOOPS, 1e-5);
    assert_parallelograms(&published("four_bars").tolerance(1e-10), &TWO_LOOPS, 2e-8);
}

/// The same with forty loops in a row, each of which could fold by itself, in the plane.
#[test]
fn forty_four_bars_in_a_plane_stay_parallelograms() {
    let scene = Scene::new(
        "scene four_bars_in_a_plane
         gravity (0, -9.81, 0) [m/s^2]
         let bar     = 1 [m]
         let inertia = 1 [kg] * bar^2 / 12
         for i in 0..40 {
           frame foot[i]              { position = (i * bar, 0, 0); rotation = about z free }
           body  crank[i] in foot[i] { position = (0, bar / 2, 0); mass = 1 [kg]; inertia = (inertia, 0, inertia) }
         }
         for i in 1..40 {
           frame knee[i]    in foot[i - 1] { position = (0, bar, 0); rotation = about z free }
           body  coupler[i] in knee[i]     { position = (bar / 2, 0, 0); mass = 1 [kg]; inertia = (0, inertia, inertia) }
           always knee[i].point(bar, 0, 0).x == foot[i].point(0, bar, 0).x
           always knee[i].point(bar, 0, 0).y == foot[i].point(0, bar, 0).y
         }
         let top = foot[0].point(0, bar, 0)
         initially top.x == 0
         initially der(top).x == 1 [m/s]
         plot top, der(top)",
    );
    assert_parallelograms(&scene.clone().tolerance(1e-9), &FORTY_LOOPS, 1e-6);
    assert_parallelograms(&scene.tolerance(1e-10), &FORTY_LOOPS, 1e-7);
}

/// And with forty loops of bodies in space, where three of the five demands of every fourth hinge follow from others.
#[test]
fn forty_four_bars_of_bodies_stay_parallelograms() {
    let two = std::fs::read_to_string(crate::scene::examples().join("published/four_bars.anz")).expect("the scene");
    let forty = Scene::new(&two.replace("0..2", "0..40").replace("1..2", "1..40"));
    assert_parallelograms(&forty.default_tolerance(), &FORTY_LOOPS, 1e-5);
}

/// How each part hangs on the one above at the start, as a unit quaternion.
const TURNED: [[f64; 4]; 4] =
    [[0.8, 0.6, 0.0, 0.0], [0.8, 0.0, 0.6, 0.0], [0.6, 0.64, 0.48, 0.0], [0.96, 0.0, 0.28, 0.0]];

fn product([a, b, c, d]: [f64; 4], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

/// The assembly of joints moves as the same bodies do in a tree of frames, which has nothing to hold together; and keeps its energy.
#[test]
fn the_pendulum_of_five_moves_like_a_tree_of_frames() {
    let path = crate::scene::examples().join("published/five_object_pendulum.anz");
    let joined = std::fs::read_to_string(path).expect("the scene");
    let mut start = String::new();
    let mut tree = "scene tree\ngravity 9.81 [m/s^2]\n".to_string();
    let quaternion = |[w, x, y, z]: [f64; 4]| format!("quaternion({w}, {x}, {y}, {z})");
    let mut whole = [1.0, 0.0, 0.0, 0.0];
    for (at, turned) in TURNED.into_iter().enumerate() {
        whole = product(whole, turned);
        let name = if at < 3 { format!("link[{}]", at + 1) } else { "bob".to_string() };
        start += &format!("initially {name}.orientation == {}\n", quaternion(whole));
        let (above, tip) = if at == 0 { (String::new(), 5) } else { (format!("in part{}", at - 1), 25) };
        let (shape, centre) = if at < 3 { ("box(10 [cm], 10 [cm], 50 [cm])", 25.0) } else { ("sphere(7.5 [cm])", 7.5) };
        tree += &format!(
            "frame hinge{at} {above} {{ position = (0, 0, -{tip}) [cm]; rotation = free }}
             body part{at} in hinge{at} {{ position = (0, 0, -{centre}) [cm]; shape = {shape}; density = 1000 [kg/m^3] }}
             initially hinge{at}.orientation == {}\n",
            quaternion(turned)
        );
    }
    let run = |text: &str, bob: &str| {
        let bob = format!("{bob}.position");
        let table = Scene::new(text).tolerance(1e-10).probe(&[&bob, "energy"]).run(2.0, 0.5);
        assert!(table.conserves_energy && table.drift() < 1e-7, "energy drifts by {:e}", table.drift());
        table.last_vector(&bob)
    };
    let joined = joined.replace("  join link[3]", &format!("{start}  join link[3]"));
    assert_vectors_near("the bob", run(&joined, "swing.bob"), run(&tree, "part3"), 1e-6);
}

/// As printed; others had them by Radau at 10^-10, in three coordinates.
#[test]
fn the_governor_has_its_published_height() {
    let table = published("governor").solver(Solver::Implicit).tolerance(1e-11).run(10.0, 0.1);
    for (time, height) in [
        (0.1, 0.52383647557),
        (0.5, 0.74324942479),
        (1.0, 0.50142092238),
        (2.0, 0.50590929430),
        (5.0, 0.53556310372),
        (10.0, 0.61962291706),
    ] {
        assert_near(&format!("height at {time}"), at(&table, time, "height"), height, 1e-11);
    }
    assert_near("spin", table.last("der(shaft.angle)"), 5.54820362266, 1e-11);
    assert_near("rod", table.last("hinge1.angle"), 0.39007370184, 1e-11);
}

#[test]
fn the_squeezer_has_its_published_digits() {
    let angles = [
        ("crank.end.angle", 15.8107711951537071, 1139.92030225910606),
        ("theta", -15.7563710584118395, -1424.37929517754007),
        ("triangle.end.angle", 0.0408222401196458048, 11.0329119106185937),
        ("rod_g.end.angle - arm_g.end.angle", -0.534730116342079594, 19.2933741050320408),
        ("arm_g.end.angle", 0.524409965879954069, 0.573569914829502451),
        ("rod_h.end.angle - arm_h.end.angle", 0.534730116342079594, -19.2933741050320408),
        ("arm_h.end.angle", 1.04808074104193787, 0.323179149249130883),
    ];
    let rates: Vec<String> = angles.iter().map(|(name, _, _)| format!("der({name})")).collect();
    let mut probes: Vec<&str> = angles.iter().map(|(name, _, _)| *name).collect();
    probes.extend(rates.iter().map(String::as_str));
    let table = published("squeezer").solver(Solver::Implicit).tolerance(1e-13).probe(&probes).at(0.03);
    for (at, (name, angle, rate)) in angles.into_iter().enumerate() {
        assert_near(name, table.last(name), angle, 2e-13);
        assert_near(&rates[at], table.last(&rates[at]), rate, 5e-12 * rate.abs());
    }
}

/// The centre of a ball goes round at k / (1 + k) of the table's rate, wherever it starts; on a slope it drifts across as well.
#[test]
fn the_ball_on_the_turntable_comes_back() {
    let g = 9.81;
    for (inertia, slope) in [(0.4, 0.0), (2.0 / 3.0, 0.0), (0.4, 0.1_f64)] {
        let period = 2.0 * std::f64::consts::PI / (2.0 * inertia / (1.0 + inertia));
        let scene = published("turntable").set(format!("hollow={inertia:.17}")).set(format!("slope={slope}[rad]"));
        let table = scene.tolerance(1e-11).run(period, period / 2.0);
        let drift = g * slope.sin() / (inertia * 2.0) * period;
        let start = [0.4, 0.0];
        let end = [table.last("ball.x") - drift, table.last("ball.y")];
        for (found, expected) in end.into_iter().zip(start) {
            assert_near(&format!("after a turn, k = {inertia}, slope {slope}"), found, expected, 1e-8);
        }
        if slope == 0.0 {
            // Half a turn later it is on the other side of the centre, r0 + (1 + k) / (k Om) z x v0.
            let centre = 0.4 - (1.0 + inertia) / (inertia * 2.0) * 0.3;
            assert_near("the centre", (0.4 + table.column("ball.x")[1]) / 2.0, centre, 1e-8);
        }
    }
}

#[test]
fn the_heavy_top_turns_as_published() {
    let probes = ["top.orientation", "top.position", "top.omega in top", "energy"];
    let table = published("heavy_top").tolerance(1e-13).probe(&probes).run(2.0, 0.2);
    let parts = ["w", "x", "y", "z"].map(|part| at(&table, 0.2, &format!("top.orientation.{part}")));
    // A quaternion and its negative are the same rotation.
    let sign = -parts[0].signum();
    let expected = [-0.70827915297, 0.43878108813, 0.54572839615, 0.08939975282];
    for (found, expected) in parts.into_iter().zip(expected) {
        assert_near("orientation", sign * found, expected, 1e-11);
    }
    let position = table.last_vector("top.position");
    assert_vectors_near("position", position, [-0.15041682275, -0.72416559164, -0.67302226956], 1e-11);
    for (part, rate) in [("x", 0.12223321930), ("y", 150.0), ("z", -5.85562458919)] {
        assert_near("rate", table.last(&format!("(top.omega in top).{part}")), rate, 1e-9);
    }
    assert_near("energy", table.last("energy"), 5435.696790865, 1e-8);
}

/// One step, from just after a heel strike to just after the next: its time, and the leg and its rate then.
fn step(slope: f64, theta: f64, rate: f64) -> (f64, [f64; 2]) {
    let scene = published("walker").set(format!("slope={slope}")).set(format!("theta={theta:.17}"));
    let scene = scene.set(format!("rate={rate:.17}")).tolerance(1e-13).probe(&["leg", "der(leg)"]);
    let time = scene.clone().at(4.2).events.first().expect("a heel strike").t;
    // Whether a run that ends at the strike has it in it is decided by rounding: what is a little later tells of the time just after.
    let [first, second] = [1e-6, 2e-6].map(|later| {
        let table = scene.clone().at(time + later);
        ["leg", "der(leg)"].map(|name| table.last(name))
    });
    (time, [0, 1].map(|part| 2.0 * first[part] - second[part]))
}

#[test]
fn the_walker_walks_as_published() {
    let gait = [0.200310900544247089, -0.199832473004952355];
    let (time, end) = step(0.009, gait[0], gait[1]);
    assert_near("step time", time, 3.88246375285137414, 1e-9);
    assert_near("leg", end[0], gait[0], 1e-9);
    assert_near("rate", end[1], gait[1], 1e-9);
    // The multipliers of the return map, a complex pair, by their sum and product.
    const STEP: f64 = 1e-5;
    let slopes = [[STEP, 0.0], [0.0, STEP]].map(|by| {
        let [up, down] = [1.0, -1.0].map(|sign| step(0.009, gait[0] + sign * by[0], gait[1] + sign * by[1]).1);
        [0, 1].map(|part| (up[part] - down[part]) / (2.0 * STEP))
    });
    let (real, imaginary) = (-0.1900998410658881, 0.5575987766820683);
    assert_near("sum of the multipliers", slopes[0][0] + slopes[1][1], 2.0 * real, 1e-6);
    let product = slopes[0][0] * slopes[1][1] - slopes[0][1] * slopes[1][0];
    assert_near("product of the multipliers", product, real * real + imaginary * imaginary, 1e-6);
}

#[test]
fn the_walker_walks_on_a_gentle_slope_too() {
    let (time, end) = step(0.004, 0.1533895648762391, -0.1560801466756844);
    assert_near("step time", time, 3.852613461750966, 1e-9);
    assert_near("leg", end[0], 0.1533895648762391, 1e-9);
    assert_near("rate", end[1], -0.1560801466756844, 1e-9);
}

/// M q" + v C1 q' + (g K0 + v² K2) q = 0 for roll and steer; here the steering angle is positive to the left.
#[test]
fn the_bicycle_has_its_published_linear_equations() {
    let m = [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]];
    let k0 = [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]];
    let k2 = [[0.0, 76.59734589573222], [0.0, 2.65431523794604]];
    let c1 = [[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]];
    const SMALL: f64 = 1e-5;
    let v = 5.0;
    assert_eq!(published("bicycle").stages().plan.freedoms.motion, 3);
    for (at, name) in ["roll", "steer", "roll_rate", "steer_rate"].into_iter().enumerate() {
        let scene = published("bicycle").set(format!("{name}={SMALL}")).set(format!("speed={v}"));
        let table = scene.probe(&["der(der(lean.angle))", "der(der(crown.angle))"]).run(0.01, 0.01);
        // The published steering angle is positive to the right.
        let turned = if at % 2 == 1 { -SMALL } else { SMALL };
        let found =
            [table.column("der(der(lean.angle))")[0] / turned, -table.column("der(der(crown.angle))")[0] / turned];
        for row in 0..2 {
            let pushed = match at {
                0 | 1 => 9.81 * k0[row][at] + v * v * k2[row][at],
                _ => v * c1[row][at - 2],
            };
            let balance = m[row][0] * found[0] + m[row][1] * found[1] + pushed;
            assert_near(&format!("row {row}, {name}"), balance, 0.0, 1e-5);
        }
    }
}
