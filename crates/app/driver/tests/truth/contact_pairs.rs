//! Every pair of shapes of the language, the one dropped onto the other: no energy is gained, nothing sinks in, and what ends a run has a name.
//! The shapes are those of the language's table, so that a new one is tried before anybody writes a test. `ANSATZ_FUZZ_TRIALS` says in how many
//! poses each pair is tried, `ANSATZ_FUZZ_SEED` with which it begins.

use base::Random;
use model::SHAPES;

use crate::scene::Scene;

/// Energy may rise by so much of its peak.
const RISE: f64 = 1e-9;
/// Things of a few decimetres may sink in by so much.
const SUNK: f64 = 1e-10;
/// How a run may end before its time.
const NAMED: [&str; 4] = ["starts-inside", "no-consistent-contact", "impacts-without-end", "contact-capacity"];

/// What something may be dropped onto that is no solid.
const SURFACES: [&str; 3] =
    ["z == 0", "z == 0.8 [1/m] * x^2 + 0.5 [1/m] * y^2", "z == -0.7 [1/m] * x^2 - 1.1 [1/m] * y^2"];

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|count| count.parse().ok())
}

/// A solid of random sizes, the first of which is the largest, as rings want it.
fn solid(random: &mut Random, name: &str, arguments: &[&str]) -> String {
    if name == "hull" {
        let mut corner = |k: usize| {
            let mut corner = [0.0; 3];
            corner[k / 2] = if k.is_multiple_of(2) { 1.0 } else { -1.0 } * random.between(0.1, 0.25);
            format!("({:.3}, {:.3}, {:.3}) [m]", corner[0], corner[1], corner[2])
        };
        return format!("hull({})", (0..6).map(&mut corner).collect::<Vec<_>>().join(", "));
    }
    let mut size = |k: usize| format!("{:.3} [m]", random.between(0.2, 0.3) / (1.0 + 1.5 * k as f64));
    format!("{name}({})", (0..arguments.len()).map(&mut size).collect::<Vec<_>>().join(", "))
}

fn turned(random: &mut Random) -> String {
    let [x, y, z] = [(); 3].map(|()| random.between(-1.0, 1.0));
    format!("about ({x:.2}, {y:.2}, {z:.2}) {:.1} [deg]", random.between(-180.0, 180.0))
}

/// What is wrong where a solid is dropped onto something, if anything is; and whether they meet.
fn offence(random: &mut Random, below: &str, upper: &str) -> (Option<String>, bool) {
    let (restitution, friction) = (random.pick(&[0.0, 0.4, 0.8]), random.pick(&[0.0, 0.3, 0.8]));
    let [x, y] = [(); 2].map(|()| random.between(-0.05, 0.05));
    let (rotation, height) = (turned(random), if below.starts_with("surface") { 0.55 } else { 0.75 });
    let text = format!(
        "gravity 9.81 [m/s^2]\n{below}\n\
         body b {{ shape = {upper}; mass = 1 [kg]; inertia = (0.012, 0.015, 0.01) [kg*m^2]; position = free(({x:.3}, {y:.3}, {height}) [m]); rotation = free({rotation}) }}\n\
         initially b.position == ({x:.3}, {y:.3}, {height}) [m]\ninitially b.velocity == (0, 0, -1) [m/s]\n\
         initially b.omega == (1, 2, 1) [rad/s]\ncontact all {{ restitution = {restitution}; friction = {friction} }}"
    );
    let scene = Scene::new(&text).tolerance(1e-10).probe(&["energy", "contact(b, a).gap", "contact(b, a).impacts"]);
    let table = match scene.attempt(0.4, 0.02) {
        Ok(table) => table,
        Err(found) if NAMED.contains(&found.code.0) => return (None, true),
        Err(found) => return (Some(format!("ends with {}: {}\n{text}", found.code.0, found.message)), true),
    };
    let peak = table.rows.iter().fold(0.0_f64, |peak, row| peak.max(row[0].abs()));
    let mut least = f64::INFINITY;
    for (row, t) in table.rows.iter().zip(&table.times) {
        let wrong = if !row.iter().all(|value| value.is_finite()) {
            Some(format!("is not finite: {row:?}"))
        } else if row[0] > least + RISE * peak {
            Some(format!("gains {:.1e} of its energy", (row[0] - least) / peak))
        } else {
            (row[1] < -SUNK).then(|| format!("is {:.1e} m deep", -row[1]))
        };
        if let Some(wrong) = wrong {
            return (Some(format!("at t = {t} {wrong}\n{text}")), true);
        }
        least = least.min(row[0]);
    }
    (None, table.last("contact(b, a).impacts") > 0.0)
}

/// Tries the pairs of each shape above, but for some, with each below that is chosen.
fn try_pairs(left_out: &[&str], belows: impl Fn(&mut Random) -> Vec<String>) {
    let (first, trials) = (number("ANSATZ_FUZZ_SEED").unwrap_or(3), number("ANSATZ_FUZZ_TRIALS").unwrap_or(1));
    let (mut offences, mut apart) = (Vec::new(), Vec::new());
    for seed in first..first + trials {
        let mut random = Random::new(seed);
        for upper in SHAPES.iter().filter(|row| !left_out.contains(&row.name)) {
            for below in belows(&mut random) {
                let upper = solid(&mut random, upper.name, upper.arguments);
                let (wrong, meets) = offence(&mut random, &below, &upper);
                offences.extend(wrong.map(|wrong| format!("seed {seed}: {upper} above {below} {wrong}")));
                if !meets {
                    apart.push(format!("{upper} above {below}"));
                }
            }
        }
    }
    assert!(offences.is_empty(), "{} offences\n{}", offences.len(), offences.join("\n"));
    // A thing may fall through a ring or past a rod, but mostly it does not.
    assert!(apart.len() * 4 <= SHAPES.len() * trials as usize * 10, "never meet: {}", apart.join("\n"));
}

#[test]
fn everything_falls_onto_surfaces() {
    // A cone that slides in a bowl on two points of its rim takes steps without end.
    try_pairs(&["cone"], |_| SURFACES.iter().map(|equation| format!("surface a: {equation}")).collect());
}

#[test]
fn everything_falls_onto_everything() {
    try_pairs(&[], |random| {
        let solids = SHAPES.iter().map(|row| {
            let (solid, rotation) = (solid(random, row.name, row.arguments), turned(random));
            format!("frame a {{ rotation = {rotation}; shape = {solid} }}")
        });
        solids.collect()
    });
}
