//! Laws of conservation on random systems that nothing acts on from outside.

use std::fmt::Write;

use crate::random::{Draw, Random};
use crate::scene::{Scene, Table};

/// Bodies that float in space, some with others hinged to them, joined by springs, gravitation and rods.
pub fn isolated(seed: u64) -> String {
    let mut random = Random::new(1000 + seed);
    let mut text = format!("scene isolated{seed}\nlet big_g = 0.7 [N*m^2/kg^2]\n");
    let roots = 1 + random.below(3);
    let mut names = Vec::new();
    for root in 0..roots {
        let name = format!("b{root}");
        let place = format!("{} [m], {} [m], {} [m]", 3 * root, random.number(), random.number());
        let is_point = random.chance(0.3);
        let solid = if is_point { "mass = 0.9 [kg]" } else { SOLIDS[random.below(SOLIDS.len())] };
        let turning = if is_point { "" } else { "rotation = free; " };
        let _ = writeln!(text, "body {name} {{ position = free(({place})); {turning}{solid} }}");
        let _ = writeln!(text, "initially {name}.position == ({place})");
        let _ = writeln!(text, "initially {name}.velocity == {} [m/s]", random.triple());
        if !is_point {
            let _ = writeln!(text, "initially {name}.omega == {} [rad/s]", random.triple());
        }
        if !is_point && random.chance(0.6) {
            hinge(&mut text, &name, &mut names, &mut random);
        }
        // A point does not turn, so nothing can pull at a point beside it.
        names.push((name, is_point));
    }
    let _ = writeln!(
        text,
        "potential for pairs (a, b) in bodies = -big_g * a.mass * b.mass / (|a.position - b.position| + 1 [m])"
    );
    for pair in names.windows(2) {
        let mut end = |(name, is_point): &(String, bool)| match is_point {
            true => format!("{name}.position"),
            false => format!("{name}.point({} [m])", random.triple()),
        };
        let (p, q) = (end(&pair[0]), end(&pair[1]));
        if random.chance(0.5) {
            let _ = writeln!(text, "potential = 2 [N/m] * (|{p} - {q}| - 1 [m])^2");
        }
    }
    text
}

const SOLIDS: [&str; 3] = [
    "shape = box(0.5 [m], 1 [m], 1.5 [m]); mass = 1.2 [kg]",
    "mass = 0.8 [kg]; inertia = (0.4, 0.5, 0.6) [kg*m^2]; products = (0.05, -0.1, 0.02) [kg*m^2]",
    "shape = cylinder(0.5 [m], 1 [m]); density = 1 [kg/m^3]",
];

/// A limb on a hinge, with a spring in the hinge and a bead that slides along it.
fn hinge(text: &mut String, parent: &str, names: &mut Vec<(String, bool)>, random: &mut Random) {
    let (limb, bead) = (format!("limb_{parent}"), format!("bead_{parent}"));
    let axis = random.pick(&["x", "y", "(1, 2, -2)"]);
    let solid = SOLIDS[random.below(SOLIDS.len())];
    let _ = writeln!(
        text,
        "frame {limb}_joint in {parent} {{ position = {} [m]; rotation = about {axis} free }}",
        random.triple()
    );
    let _ = writeln!(text, "body {limb} in {limb}_joint {{ position = {} [m]; {solid} }}", random.triple());
    let _ = writeln!(text, "body {bead} in {limb} {{ position = (0.1 [m], free(0.2 [m]), 0.3 [m]); mass = 0.2 [kg] }}");
    let _ = writeln!(text, "potential = 0.7 [N*m] * ({limb}_joint.angle - 0.3)^2");
    let _ = writeln!(text, "potential = 4 [N/m] * {bead}.y^2");
    let _ = writeln!(text, "initially der({limb}_joint.angle) == {} [rad/s]", random.number());
    names.push((limb, false));
}

fn assert_constant(text: &str, table: &Table, name: &str) {
    let columns: Vec<usize> =
        (0..table.columns.len()).filter(|&at| table.columns[at].split('.').next() == Some(name)).collect();
    assert!(!columns.is_empty());
    let size = columns.iter().map(|&at| table.rows[0][at].powi(2)).sum::<f64>().sqrt().max(1.0);
    for &at in &columns {
        for (row, t) in table.times.iter().enumerate() {
            let change = (table.rows[row][at] - table.rows[0][at]).abs();
            assert!(change <= 1e-9 * size, "{} changes by {change:.1e} until t = {t} in\n{text}", table.columns[at]);
        }
    }
}

#[test]
fn isolated_systems_keep_energy_momentum_and_angular_momentum() {
    for seed in 0..25 {
        let text = isolated(seed);
        let scene = Scene::new(&text).probe(&["energy", "momentum", "angular_momentum", "centre_of_mass"]);
        let table = scene.run(3.0, 0.5);
        assert!(table.conserves_energy, "the compiler should know that energy is conserved in\n{text}");
        for name in ["energy", "momentum", "angular_momentum"] {
            assert_constant(&text, &table, name);
        }
    }
}

/// What the compiler says of energy: it does not claim conservation where something feeds or drains it.
#[test]
fn drives_and_forces_are_not_said_to_conserve_energy() {
    let pendulum = |more: &str, rotation: &str| {
        let text = format!(
            "scene pendulum
             control push = 0
             gravity 9.81 [m/s^2]
             frame table in world {{ rotation = {rotation} }}
             frame swing in table {{ rotation = about x free }}
             body bob in swing {{ position = (0, 0.1, -1) [m]; mass = 1 [kg] }}
             {more}"
        );
        Scene::new(&text).stages().program.conserves_energy
    };
    assert!(pendulum("", "about z 0.3"));
    assert!(pendulum("potential = 3 [N*m] * swing.angle^2", "about z free"));
    assert!(!pendulum("", "about z (t / 1 [s])"));
    assert!(!pendulum("", "about z push"));
    assert!(!pendulum("potential = 3 [N*m] * swing.angle^2 * sin(t / 1 [s])", "about z 0.3"));
    assert!(!pendulum("force on bob = -0.1 [kg/s] * bob.velocity", "about z 0.3"));
    assert!(!pendulum("torque on bob = (1, 0, 0) [N*m]", "about z 0.3"));
    assert!(!pendulum("always der(table.angle) == 1 [rad/s]", "about z free"));
}
