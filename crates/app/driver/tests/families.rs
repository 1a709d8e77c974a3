//! Families of potentials: as tables they do what they do when every row is written out, what closed forms say, and the same bits in the
//! interpreter as in machine code.

use std::fmt::Write;
use std::sync::Arc;

use base::Random;
use driver::{Families, Options, Run, Settings, Solver, Stages, compile, play};
use kernel::{Interpreter, SharedMachine};
use simulation::Simulation;

const UNTIL: f64 = 0.5;

fn options(families: Families, tolerance: f64, probes: &[&str]) -> Options {
    let probes = probes.iter().map(|probe| probe.to_string()).collect();
    Options { families, tolerance, probes, solver: Solver::Explicit, ..Options::default() }
}

fn stages(text: &str, options: &Options) -> Arc<Stages> {
    let compilation = compile("scene", text, options);
    compilation.stages.unwrap_or_else(|| panic!("{text}\n{:?}", compilation.diagnostics))
}

/// The last row of a run, and by which part of itself the energy drifted.
fn last_row(text: &str, options: &Options) -> (Vec<f64>, f64) {
    let compilation = compile("scene", text, options);
    let run = Run { until: UNTIL, every: UNTIL, tolerance: options.tolerance };
    let mut last = Vec::new();
    let played = play(&compilation, options, &Settings::default(), Some(run), |_, row| last = row.to_vec());
    assert!(!played.diagnostics.has_errors(), "{text}\n{:?}\n{:?}", compilation.diagnostics, played.diagnostics);
    (last, played.summary.energy_drift / played.summary.energy_size)
}

fn is_kept(stages: &Stages) -> bool {
    !stages.system.families.is_empty()
}

/// Bodies in a cloud, each with a mass and a number of its own.
fn cloud(random: &mut Random, n: usize, potential: &str) -> String {
    let mut text = "scene cloud\nparam strength = 0.7 [J*m]\n".to_string();
    for i in 1..=n {
        let [x, y, z, mass] = [0; 4].map(|_| random.between(0.4, 2.0));
        let place = (i as f64, 2.0 * libm::sin(i as f64));
        let _ = writeln!(
            text,
            "body b[{i}] {{ position = (free({} [m]), free({} [m]), free({z} [m])); mass = {mass} [kg] }}",
            place.0 + x,
            place.1 + y
        );
    }
    let _ = writeln!(text, "body anchor {{ position = (free(-3 [m]), 0, free); mass = 3 [kg] }}");
    text + potential
}

/// As stars attract one another in clusters, where nobody means collisions.
const SOFTENED: &str =
    "potential for pairs (p, q) in bodies = -strength / sqrt(|p.position - q.position|^2 + (0.1 [m])^2)";
/// It is nothing but for where two meet, and steps look out for that row by row.
const NARROW: &str =
    "potential for pairs (p, q) in bodies = strength / 1 [m] / (1 + (|p.position - q.position| / 1 [mm])^2)";

const POTENTIALS: &[&str] = &[
    "potential for pairs (p, q) in bodies = -strength * (p.mass * q.mass / 1 [kg^2]) / |p.position - q.position|",
    "potential for pairs (p, q) in bodies = 0.3 [N/m] * (|p.position - q.position| - 0.8 [m])^2",
    // Not alike on both sides, and of one component by itself.
    "potential for pairs (p, q) in bodies = 0.1 [N/m] * p.position.x * q.position.z - strength / |p.position - q.position|",
    "for i in 2..COUNT { for j in 1..10 { potential = 0.02 [N/m] * j * |b[i].position - b[i - 1].position|^2 } }",
    "for i in 1..COUNT { for j in 1..10 { potential = 0.02 [N/m] * i * (|b[i].position - anchor.position| - 1 [m])^2 } }",
    "for i in 1..COUNT { for j in 1..10 { potential = 0.05 [J] * sin(b[i].position.x / 1 [m]) * cos(i * b[i].position.y / 9 [m]) } }",
    SOFTENED,
];

#[test]
fn tables_do_what_rows_that_are_written_out_do() {
    let mut random = Random::new(17);
    for (at, potential) in POTENTIALS.iter().enumerate() {
        let n = 18 + at;
        let text = cloud(&mut random, n, &potential.replace("COUNT", &n.to_string()));
        let probes = ["b[1].position", "b[7].velocity", "anchor.position", "potential", "energy", "b[3].acceleration"];
        let [kept, unrolled] = [Families::Kept, Families::Unrolled].map(|families| options(families, 1e-11, &probes));
        assert!(is_kept(&stages(&text, &kept)), "{potential}: nothing is kept");
        assert!(!is_kept(&stages(&text, &unrolled)));
        let ((kept, drift), (unrolled, _)) = (last_row(&text, &kept), last_row(&text, &unrolled));
        assert!(drift < 1e-7, "{potential}: the energy drifts by {drift}");
        for (kept, unrolled) in kept.iter().zip(&unrolled) {
            assert!((kept - unrolled).abs() < 1e-8 * (1.0 + unrolled.abs()), "{potential}: {kept} for {unrolled}");
        }
    }
}

/// Two of many that nearly hit one another, in a table as written out, are deflected as Rutherford says: tan(θ/2) = k / (μ v² b). Far from
/// everything else nothing announces it: their force is a hundred-thousandth of what turns them until a millionth of the run is left.
#[test]
fn close_encounters_in_tables_are_not_passed_over() {
    let (strength, beside) = (1e-6, 1e-6);
    for sign in [1.0, -1.0] {
        let mut text = "scene meeting\n".to_string();
        for i in 1..=18 {
            let place = match i {
                1 => (-0.2, beside, 0.0),
                2 => (0.0, 0.0, 0.0),
                _ => (1e4 * libm::cos(i as f64), 1e4 * libm::sin(i as f64), 1e3 * i as f64),
            };
            let (x, y, z) = place;
            let speed = if i == 1 { 1.0 } else { 0.0 };
            let _ = writeln!(
                text,
                "body b[{i}] {{ position = (free({x} [m]), free({y} [m]), free({z} [m])); mass = 1 [kg] }}
                 initially b[{i}].velocity == ({speed}, 0, 0) [m/s]"
            );
        }
        let _ = writeln!(
            text,
            "potential for pairs (p, q) in bodies = {} [J*m] / |p.position - q.position|",
            sign * strength
        );
        let probes = ["b[1].velocity", "b[2].velocity"];
        let angle = 2.0 * libm::atan(strength / (0.5 * beside));
        let (along, across) = (0.5 * (1.0 + libm::cos(angle)), 0.5 * libm::sin(angle));
        let expected = [along, sign * across, 0.0, 1.0 - along, -sign * across, 0.0];
        for families in [Families::Kept, Families::Unrolled] {
            let options = options(families, 1e-11, &probes);
            assert_eq!(is_kept(&stages(&text, &options)), families == Families::Kept);
            for (found, expected) in last_row(&text, &options).0.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-4, "{families:?}: {found} for {expected}");
            }
        }
    }
}

/// Whether steps see their rows or are led past them, families are sums over a table where their rows cannot be narrow, and there alone.
#[test]
fn only_what_may_be_narrow_is_written_out() {
    for (potential, is_summed) in [(SOFTENED, true), (POTENTIALS[0], true), (NARROW, false)] {
        let text = cloud(&mut Random::new(5), 18, potential);
        let stages = stages(&text, &options(Families::Kept, 1e-8, &["b[1].position.x"]));
        let [integral] = &stages.program.integrals[..] else { panic!("{potential}: not one integral") };
        let sums = integral.derivative.body.iter().filter(|binding| matches!(binding, program::Binding::Sum(_)));
        assert_eq!(sums.count() > 0, is_summed, "{potential}");
    }
}

/// Springs along the columns and the rows of a lattice: tables with gaps, which become one loop in another.
#[test]
fn lattices_do_what_rows_that_are_written_out_do() {
    let text = "scene lattice
        for i in 1..14 { for j in 1..12 {
          body b[i, j] { position = (free((i + 0.1 * sin(3 * j)) * 1 [m]), free(j * 1 [m]), free); mass = (1 + i * j / 50) * 1 [kg] }
        } }
        for i in 2..14 { for j in 1..12 {
          potential = (8 + j) * 1 [N/m] * (|b[i, j].position - b[i - 1, j].position| - 0.9 [m])^2
        } }
        for i in 1..14 { for j in 2..12 {
          potential = 10 [N/m] * (|b[i, j].position - b[i, j - 1].position| - 0.8 [m])^2
        } }";
    let probes = ["b[1, 1].position", "b[7, 5].velocity", "b[14, 12].position", "b[3, 12].acceleration", "energy"];
    let [kept, unrolled] = [Families::Kept, Families::Unrolled].map(|families| options(families, 1e-11, &probes));
    assert_eq!(stages(text, &kept).system.families.len(), 2);
    let ((kept, drift), (unrolled, _)) = (last_row(text, &kept), last_row(text, &unrolled));
    assert!(drift < 1e-7, "the energy drifts by {drift}");
    for (kept, unrolled) in kept.iter().zip(&unrolled) {
        assert!((kept - unrolled).abs() < 1e-8 * (1.0 + unrolled.abs()), "{kept} for {unrolled}");
    }
}

#[test]
fn linear_springs_between_all_swing_about_the_middle_at_one_rate() {
    // m x'' = −k Σ (x − xⱼ) = −n k (x − middle)
    let n = 20;
    let mut text = "scene swarm\n".to_string();
    for i in 1..=n {
        let (x, y) = (libm::sin(i as f64), libm::cos(3.0 * i as f64));
        let _ = writeln!(text, "body b[{i}] {{ position = (free({x} [m]), free({y} [m]), 0); mass = 0.5 [kg] }}");
    }
    text.push_str("potential for pairs (p, q) in bodies = 0.5 * 2 [N/m] * |p.position - q.position|^2\n");
    let options = options(Families::Kept, 1e-12, &["b[4].position.x", "b[9].velocity.y"]);
    assert!(is_kept(&stages(&text, &options)));
    let (row, _) = last_row(&text, &options);
    let middle = |of: fn(f64) -> f64| (1..=n).map(|i| of(i as f64)).sum::<f64>() / n as f64;
    let (x, y) = (middle(libm::sin), middle(|i| libm::cos(3.0 * i)));
    let rate = libm::sqrt(n as f64 * 2.0 / 0.5);
    assert!((row[0] - x - (libm::sin(4.0) - x) * libm::cos(rate * UNTIL)).abs() < 1e-10);
    assert!((row[1] + (libm::cos(27.0) - y) * rate * libm::sin(rate * UNTIL)).abs() < 1e-9);
}

#[test]
fn springs_between_neighbours_swing_in_their_modes() {
    // A free chain: xⱼ = cos(p π (j − ½) / n) cos(ω t) with ω = 2 √(k/m) sin(p π / 2n).
    let (n, p) = (150, 7);
    let shape = |j: usize| libm::cos(p as f64 * std::f64::consts::PI * (j as f64 - 0.5) / n as f64);
    let mut text = "scene chain\n".to_string();
    for j in 1..=n {
        let _ = writeln!(text, "body b[{j}] {{ position = (free({} [m]), {j} [m], 0); mass = 1 [kg] }}", shape(j));
    }
    let _ = writeln!(text, "for j in 2..{n} {{ potential = 0.5 * 40 [N/m] * |b[j].position - b[j - 1].position|^2 }}");
    let options = options(Families::Kept, 1e-12, &["b[1].position.x", "b[90].position.x", "b[150].position.x"]);
    assert!(is_kept(&stages(&text, &options)));
    let rate = 2.0 * libm::sqrt(40.0) * libm::sin(p as f64 * std::f64::consts::PI / (2 * n) as f64);
    for (value, j) in last_row(&text, &options).0.into_iter().zip([1, 90, 150]) {
        assert!((value - shape(j) * libm::cos(rate * UNTIL)).abs() < 1e-10, "{j}: {value}");
    }
}

#[test]
fn machine_code_and_interpreter_add_up_to_the_same_bits() {
    let mut random = Random::new(4);
    for potential in &POTENTIALS[..4] {
        let text = cloud(&mut random, 18, &potential.replace("COUNT", "18"));
        let stages = stages(&text, &options(Families::Kept, 1e-9, &["energy", "b[2].acceleration"]));
        let after = |machine: SharedMachine| {
            let mut simulation = Simulation::new(&stages.module, machine);
            simulation.configure(1e-9, 1.0).and_then(|()| simulation.initialize()).expect("it starts");
            simulation.advance(1e-3, 20).expect("it moves");
            simulation.observe(1e-3).and_then(|_| simulation.monitor(1e-3)).expect("it is seen");
            simulation.memory().cells().to_vec()
        };
        let compiled = driver::machine(stages.module.clone()).unwrap_or_else(|error| panic!("{error:?}"));
        assert!(after(compiled) == after(Arc::new(Interpreter::owning(stages.module.clone()))), "{potential}");
    }
}

/// The code of a thousand attracting bodies is that of a hundred; only tables grow, and no faster than the bodies.
#[test]
fn code_does_not_grow_with_pairs() {
    let length = |potential: &str, n: usize| {
        let text = cloud(&mut Random::new(3), n, potential);
        let module = stages(&text, &options(Families::Kept, 1e-8, &["b[1].position.x"])).module.clone();
        let text = kernel::print(&module);
        text.lines().filter(|line| !line.starts_with("array")).map(|line| line.len().min(200)).sum::<usize>()
    };
    for potential in [SOFTENED, POTENTIALS[0]] {
        let [few, many] = [100, 200].map(|n| length(potential, n));
        assert!(many < few * 5 / 4, "{few} characters of code for 100 bodies, {many} for 200: {potential}");
    }
}
