//! Random scenes, as texts of the language: trees of frames that move in every way the language has, with bodies, potentials, forces,
//! torques and constraints on them. The same seed gives the same text.

use std::fmt::Write;

pub use base::Random;

/// What scenes are made of.
pub trait Draw {
    fn number(&mut self) -> String;
    fn triple(&mut self) -> String;
}

impl Draw for Random {
    /// A short number, never near zero.
    fn number(&mut self) -> String {
        let size = self.between(0.2, 1.2);
        format!("{}{size:.2}", if self.chance(0.5) { "-" } else { "" })
    }

    fn triple(&mut self) -> String {
        format!("({}, {}, {})", self.number(), self.number(), self.number())
    }
}

/// What a generated frame is known to have.
struct Made {
    name: String,
    is_body: bool,
    /// Whether `.angle` is a coordinate.
    turns: bool,
    stretch: Stretch,
}

/// How a frame is scaled in the world. A solid that a coordinate stretches is refused, and so is one of given density that time stretches.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Stretch {
    Fixed,
    Driven,
    Free,
}

/// A scene with everything in it.
pub fn scene(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = format!("scene random{seed}\nparam size = 1.3 [m]\nparam beat = 0.7 [rad/s]\ncontrol push = 0.4\n");
    if random.chance(0.7) {
        let _ = writeln!(text, "gravity {} [m/s^2]", random.triple());
    }
    let mut made: Vec<Made> = Vec::new();
    for _ in 0..1 + random.below(4) {
        frame(&mut text, &mut made, &mut random);
    }
    if !made.iter().any(|frame| frame.is_body) {
        let parent = made.last().map_or("world", |frame| frame.name.as_str());
        let _ = writeln!(text, "body b9 in {parent} {{ position = {} [m]; mass = 0.8 [kg] }}", random.triple());
        made.push(Made { name: "b9".into(), is_body: true, turns: false, stretch: Stretch::Free });
    }
    for _ in 0..random.below(4) {
        action(&mut text, &made, &mut random);
    }
    text
}

fn frame(text: &mut String, made: &mut Vec<Made>, random: &mut Random) {
    let is_body = random.chance(0.6);
    let name = format!("{}{}", if is_body { "b" } else { "f" }, made.len());
    let (parent, mut stretch) = match random.below(made.len() + 1) {
        0 => ("world", Stretch::Fixed),
        at => (made[at - 1].name.as_str(), made[at - 1].stretch),
    };
    let angle = made.iter().find(|frame| frame.turns).map(|frame| format!("{}.angle", frame.name));
    let mut properties =
        vec![format!("position = ({}, {}, {})", part(random, &angle), part(random, &angle), part(random, &angle))];
    let mut turns = false;
    match random.below(7) {
        0 | 1 => {
            turns = true;
            let axis = random.pick(&["x", "y", "z", "(1, 2, -2)", "(0, -1, 1)"]);
            properties.push(format!("rotation = about {axis} free({})", random.number()));
        }
        2 | 3 => properties.push("rotation = free".to_string()),
        4 => properties.push(format!(
            "rotation = about {} (beat * t + {})",
            random.pick(&["x", "y", "(1, 1, 3)"]),
            random.number()
        )),
        5 => properties.push(format!("rotation = about (2, -1, 1) {}", random.number())),
        _ => {}
    }
    match random.below(6) {
        0 => properties.push("scale = (1.2, 0.7, -2)".to_string()),
        1 => {
            let last = random.pick(&["2", "free", "-1"]);
            properties.push(format!("scale = (1.2, 0.8 + 0.1 * sin(beat * t), {last})"));
            let own = if last == "free" { Stretch::Free } else { Stretch::Driven };
            stretch = if own > stretch { own } else { stretch };
        }
        2 => {
            properties.push("scale = free".to_string());
            stretch = Stretch::Free;
        }
        _ => {}
    }
    if is_body {
        let kinds = match stretch {
            Stretch::Fixed => 5,
            Stretch::Driven => 4,
            Stretch::Free => 3,
        };
        properties.push(match random.below(kinds) {
            0 => format!("mass = {:.2} [kg]", random.between(0.3, 2.0)),
            1 => "mass = 0.7 [kg]; inertia = (0.5, 0.6, 0.7) [kg*m^2]; products = (0.1, -0.05, 0.02) [kg*m^2]"
                .to_string(),
            2 => {
                let angle = angle.as_deref().unwrap_or("0");
                format!(
                    "mass = 0.7 [kg]; inertia = (0.5, 0.6 + 0.1 * sin(beat * t), 0.7 + 0.1 * cos({angle})) [kg*m^2]"
                )
            }
            4 => {
                let shape = random.pick(&[
                    "box(0.3 * size, 0.4 [m], 1 [m])",
                    "cylinder(0.3 [m], size)",
                    "torus(size, 0.2 [m])",
                ]);
                format!("shape = {shape}; density = 2 [kg/m^3]")
            }
            _ => format!(
                "shape = {}; mass = 1.1 [kg]",
                random.pick(&["sphere(size)", "ellipsoid(size, 0.5 [m], 0.2 [m])"])
            ),
        });
    }
    let keyword = if is_body { "body" } else { "frame" };
    let _ = writeln!(text, "{keyword} {name} in {parent} {{ {} }}", properties.join("; "));
    made.push(Made { name, is_body, turns, stretch });
}

/// One component of a position.
fn part(random: &mut Random, angle: &Option<String>) -> String {
    match (random.below(6), angle) {
        (0 | 1, _) => format!("free({} [m])", random.number()),
        (2, _) => "0".to_string(),
        (3, Some(angle)) => format!("size * cos({angle} + {})", random.number()),
        (4, _) => format!("size * sin(beat * t + {})", random.number()),
        _ => format!("{} [m]", random.number()),
    }
}

/// A potential, force, torque or constraint.
fn action(text: &mut String, made: &[Made], random: &mut Random) {
    let one = &made[random.below(made.len())];
    let other = &made[random.below(made.len())];
    let p = format!("{}.point({} [m])", one.name, random.triple());
    // Some way off, so that distances never vanish.
    let q = if random.chance(0.3) {
        "(4, 3, -5) [m]".to_string()
    } else {
        format!("({}.point({} [m]) + (3, 1, -2) [m])", other.name, random.triple())
    };
    let a = &one.name;
    let _ = match random.below(12) {
        0 | 1 => writeln!(text, "potential = 3 [N/m] * (|{p} - {q}| - size)^2"),
        2 => writeln!(text, "potential = -5 [N*m^2] / |{p} - {q}| * (1 + 0.2 * sin(beat * t))"),
        3 if one.turns => writeln!(text, "potential = 1.5 [N*m] * {a}.angle^2 + 0.3 [N] * {a}.angle * {p}.z"),
        3 | 4 => writeln!(text, "force on {a} at {p} = push * {} [N] - 0.2 [kg/s] * der({p})", random.triple()),
        5 => writeln!(text, "force on {a} = 0.6 [N/m] * ({q} - {a}.position) + {a}.vector({} [N])", random.triple()),
        6 => writeln!(text, "torque on {a} = {} [N*m] - 0.1 [N*m*s] * {a}.omega", random.triple()),
        // Velocities in potentials, as in a magnetic field, as of a flywheel within, and squared.
        9 => writeln!(text, "potential = 0.4 [N*s/m] * dot(der({p}), cross({}, {q}))", random.triple()),
        10 => writeln!(text, "potential = dot({a}.omega, {}.vector({} [N*m*s]))", other.name, random.triple()),
        11 => writeln!(text, "potential = 0.1 [kg] * sin({p}.x / size) * dot({a}.velocity, der({q}))"),
        7 => writeln!(text, "always |{p} - {q}| == 2 * size + 0.1 [m] * sin(beat * t)"),
        _ => writeln!(text, "always dot({a}.velocity, {}.vector(1, 2, -1)) == 0.3 [m/s] * sin(beat * t)", other.name),
    };
}
