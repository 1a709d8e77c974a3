//! Functions through measured points, against sums and integrals that are known.

use std::path::PathBuf;

use crate::scene::{Scene, assert_near};

/// A folder with a file of data.
fn folder(name: &str, file: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ansatz-data-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::fs::write(folder.join("points.csv"), file).expect("a file for the test");
    folder
}

fn scene(name: &str, file: &str, text: &str) -> Scene {
    Scene::new(text).beside(&folder(name, file))
}

const UNEVEN: &str = "# gusts\nt [s], speed [km/h]\n0, 0\n1, 3.6\n\n2.5, 3.6\n4, -7.2\n10, 0\n";

/// The way under straight lines is a sum of trapezoids, whether points are even or not; steps do not pass over corners.
#[test]
fn the_way_under_straight_lines_is_a_sum_of_trapezoids() {
    let text = "data wind \"points.csv\"\nx: [m] = 0 [m]\nalways x' == wind(t)";
    let table = scene("uneven", UNEVEN, text).default_tolerance().probe(&["x", "wind(t)"]).run(10.0, 0.5);
    assert_near("all the way", table.last("x"), 0.5 + 1.5 - 0.75 - 6.0, 1e-12);
    assert_near("at 1.5 s", table.column("x")[3], 1.0, 1e-12);
    assert_near("the wind at 3.5 s", table.column("wind(t)")[7], -1.0, 1e-12);
    let even = "t [s]\tspeed [m/s]\n0\t0\n0.1\t1\n0.2\t0\n0.3\t5\n0.4\t0\n";
    let table = scene("even", even, text).default_tolerance().probe(&["x"]).run(0.4, 0.1);
    assert_near("all the way", table.last("x"), 0.05 + 0.05 + 0.25 + 0.25, 1e-13);
}

/// Through (0, 0), (1, 1), (2, 0): the natural spline is 1.5 d − 0.5 d³, cubics that do not overshoot are 2 d − d².
#[test]
fn the_way_under_smooth_curves_is_that_of_their_closed_forms() {
    let file = "t, y\n0, 0\n1, 1\n2, 0\n";
    for (joining, half) in [("smooth", 0.625), ("monotone", 2.0 / 3.0)] {
        let text = format!("data f \"points.csv\" {joining}\nx: real = 0\nalways x' == f(t / 1 [s]) / 1 [s]");
        let table = scene(joining, file, &text).default_tolerance().probe(&["x"]).run(2.0, 1.0);
        assert_near(joining, table.column("x")[1], half, 1e-12);
        assert_near(joining, table.last("x"), 2.0 * half, 1e-12);
    }
}

/// A spring whose force was measured: what it has stored at a place is the sum of trapezoids up to there, and none is lost at corners.
#[test]
fn a_measured_spring_keeps_its_energy() {
    let file = "x [m],force [N]\n-2,-9\n-1,-3\n0,0\n0.5,1\n2,8\n";
    let text = "data pull \"points.csv\" held\nbody mass { position = (free(1.9 [m]), 0, 0); mass = 1 [kg] }\n\
                initially mass.position.x == 1.9 [m]\ninitially mass.velocity.x == 0\n\
                force on mass = -pull(mass.position.x) * (1, 0, 0)";
    let table = scene("spring", file, text).probe(&["mass.position.x", "mass.velocity.x"]).run(20.0, 0.1);
    let stored = |x: f64| {
        let points = [(-2.0, -9.0), (-1.0, -3.0), (0.0, 0.0), (0.5, 1.0), (2.0, 8.0_f64)];
        let force = |x: f64| {
            let at = points[1..4].iter().filter(|point| point.0 <= x).count();
            let ((a, f), (b, g)) = (points[at], points[at + 1]);
            f + (x - a) / (b - a) * (g - f)
        };
        let mut corners: Vec<f64> =
            points.iter().map(|point| point.0).filter(|&at| at > x.min(0.0) && at < x.max(0.0)).collect();
        corners.extend([0.0, x]);
        corners.sort_by(f64::total_cmp);
        let sum: f64 =
            corners.windows(2).map(|pair| (force(pair[0]) + force(pair[1])) / 2.0 * (pair[1] - pair[0])).sum();
        sum * x.signum()
    };
    let energies = table.column("mass.position.x").into_iter().zip(table.column("mass.velocity.x"));
    for (x, v) in energies {
        assert_near("energy", v * v / 2.0 + stored(x), stored(1.9), 1e-9);
    }
    assert!(table.column("mass.position.x").iter().any(|x| *x < -1.5), "it comes to the other side");
}

#[test]
fn beyond_its_ends_a_curve_is_not_known_unless_it_is_held() {
    let text = "data wind \"points.csv\"\nx: [m] = 0 [m]\nalways x' == wind(t)";
    let found = scene("beyond", UNEVEN, text).default_tolerance().trouble(12.0, 1.0);
    assert_eq!(found.code.0, "claim-refuted");
    assert!(found.message.contains("t = 10 s") && found.message.contains("wind within its data"), "{found:#?}");
    let file = "t [s], speed [m/s]\n1, 2\n2, 4\n";
    let text = "data wind \"points.csv\" held\nx: [m] = 0 [m]\nalways x' == wind(t)";
    let table = scene("held", file, text).default_tolerance().probe(&["x"]).run(5.0, 1.0);
    assert_near("before", table.column("x")[1], 2.0, 1e-12);
    assert_near("beyond", table.last("x"), 2.0 + 3.0 + 12.0, 1e-12);
}

/// Messages point at the line of the file.
#[test]
fn a_file_that_is_wrong_is_told_by_its_line() {
    let text = "data wind \"points.csv\"\nx: [m] = 0 [m]\nalways x' == wind(t)";
    let wrong = [
        ("t [s], v [m/s]\n0, 1\n1, two\n", "`two` is not a number", 3),
        ("t [s], v [m/s]\n0, 1\n0, 2\n", "does not ascend", 3),
        ("t [s], v [m/s]\n0, 1\n\n1\n", "this line has 1 numbers", 4),
        ("t [s], v [parsec/s]\n0, 1\n1, 2\n", "unit", 1),
        ("t [s], v [m/s]\n0, 1\n", "two lines", 1),
        ("v [m/s]\n0\n1\n", "two columns", 1),
        ("t [s], v [m/s], w [m/s]\n0, 1, 2\n1, 2, 3\n", "which column", 0),
    ];
    for (at, (file, message, line)) in wrong.into_iter().enumerate() {
        let compilation = scene(&format!("wrong{at}"), file, text).compile();
        let found = compilation.diagnostics.iter().next().expect("something is wrong");
        assert!(found.message.contains(message), "{found:#?}");
        if line > 0 {
            let span = found.labels[0].span;
            let found = file[..span.start as usize].matches('\n').count() + 1;
            assert_eq!((found, span.source.0), (line, 1), "{message}");
        }
    }
    for (file, why) in
        [("../points.csv", "cannot be read"), ("/etc/hostname", "cannot be read"), ("none.csv", "cannot be read")]
    {
        let compilation = scene("elsewhere", UNEVEN, &text.replace("points.csv", file)).compile();
        let found = compilation.diagnostics.iter().next().expect("something is wrong");
        assert!(found.code.0 == "bad-data" && found.message.contains(why), "{found:#?}");
        assert_eq!(compilation.diagnostics.iter().count(), 1, "it is told once: {:#?}", compilation.diagnostics);
    }
    let text = "data wind \"points.csv\"\nx: [m] = 0 [m]\nalways x' == wind(2 [m])";
    let compilation = scene("dimension", UNEVEN, text).compile();
    assert_eq!(compilation.diagnostics.iter().next().map(|found| found.code.0), Some("dimension-mismatch"));
}

/// The lamp of the gallery against a pendulum written down by hand, with its own spline through the same table and steps of order four.
#[test]
fn a_lamp_in_gusts_swings_as_its_table_says() {
    let file = include_str!("../../../../../library/gusts.csv");
    let rows = file.lines().filter(|line| !line.starts_with('#')).skip(1);
    let speeds: Vec<f64> =
        rows.map(|row| row.split_once(',').expect("two columns").1.parse().expect("a number")).collect();
    let bends = natural(&speeds);
    let wind = |t: f64| {
        let at = (t as usize).min(speeds.len() - 2);
        let (b, a) = (t - at as f64, at as f64 + 1.0 - t);
        a * speeds[at] + b * speeds[at + 1] + ((a * a * a - a) * bends[at] + (b * b * b - b) * bends[at + 1]) / 6.0
    };
    let (l, m, r, g) = (1.2, 1.5, 0.18, 9.81);
    let c = 0.47 * 1.2 / 2.0 * std::f64::consts::PI * r * r;
    let rates = |t: f64, [q, w]: [f64; 2]| {
        let flow = [wind(t) - l * w * q.cos(), -l * w * q.sin()];
        let force = flow.map(|part| c * flow[0].hypot(flow[1]) * part);
        let torque = l * (force[0] * q.cos() + force[1] * q.sin()) - m * g * l * q.sin();
        [w, torque / (m * l * l + 0.4 * m * r * r)]
    };
    let mut state = [(c * speeds[0] * speeds[0] / (m * g)).atan(), 0.0];
    let table = Scene::example("gusty_lamp").probe(&["hook.angle", "hook.angle'"]).run(20.0, 1.0);
    for row in 0..=20 {
        let t = row as f64;
        assert_near(&format!("the angle at {t}"), table.column("hook.angle")[row], state[0], 1e-9);
        assert_near(&format!("its rate at {t}"), table.column("hook.angle'")[row], state[1], 1e-8);
        // A whole number of steps between two rows of the table, where the third derivative jumps.
        let h = 1.0 / 2000.0;
        for step in 0..2000 {
            let t = t + f64::from(step) * h;
            let along = |k: [f64; 2], part: f64| [state[0] + part * k[0], state[1] + part * k[1]];
            let a = rates(t, state);
            let b = rates(t + h / 2.0, along(a, h / 2.0));
            let d = rates(t + h / 2.0, along(b, h / 2.0));
            let e = rates(t + h, along(d, h));
            state = std::array::from_fn(|i| state[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * d[i] + e[i]));
        }
    }
}

/// The second derivatives of a natural cubic spline through values a unit apart: M₋ + 4 M + M₊ = 6 (y₋ − 2 y + y₊), by Thomas' algorithm.
fn natural(values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let (mut above, mut right) = (vec![0.0; n], vec![0.0; n]);
    for at in 1..n - 1 {
        let below = 4.0 - above[at - 1];
        above[at] = 1.0 / below;
        right[at] = (6.0 * (values[at - 1] - 2.0 * values[at] + values[at + 1]) - right[at - 1]) / below;
    }
    let mut bends = vec![0.0; n];
    for at in (1..n - 1).rev() {
        bends[at] = right[at] - above[at] * bends[at + 1];
    }
    bends
}
