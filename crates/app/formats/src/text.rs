//! A robot as the text of a scene, as a person would write it: part by part, then what acts in the joints.

use base::{Diagnostic, Diagnostics, SourceId};

use crate::codes;
use crate::names::Names;
use crate::robot::{Axis, Closing, Motion, Part, Place, Robot, Shape, Solid, Tie};
use crate::turn::{Turn, Vector, along, size, unit};

/// What can be seen of a joint in a plot; more lines than these nobody tells apart.
const MOST_PLOTTED: usize = 8;

/// Laid out, with a comment for each part that says where it comes from. Names that had to be changed are said.
pub fn write(
    robot: &Robot,
    file: &str,
    source: SourceId,
    line: impl Fn(&Part) -> usize,
    sink: &mut Diagnostics,
) -> String {
    let names = Names::default();
    let (movers, frames, coordinates) = (Vec::new(), Vec::new(), Vec::new());
    let mut writer = Writer { robot, names, movers, frames, coordinates, text: String::new() };
    // Before anything is written, because a joint may follow one that comes later.
    for part in &robot.parts {
        let name = writer.names.claim(&part.name);
        if name != part.name {
            let message = format!("`{}` is called `{name}` in the scene", base::visible(&part.name));
            sink.report(Diagnostic::notice(codes::MODEL_CHANGED, message).at(part.span, "here"));
        }
        writer.coordinates.push(coordinate(&part.motion).map(|coordinate| (name.clone(), coordinate)));
        writer.movers.push(name);
    }
    let scene = Names::default().claim(&robot.name);
    writer
        .say(&format!("// The robot {}, read from {file}; lines are those of that file.", base::visible(&robot.name)));
    writer.say(&format!("scene {scene}\n"));
    if robot.ties.iter().any(|tie| matches!(tie, Tie::Meets { .. } | Tie::Joined { .. })) {
        writer.say("use mechanics\n");
    }
    writer.gravity();
    for (at, part) in robot.parts.iter().enumerate() {
        writer.part(part, at, line(part));
    }
    writer.joints();
    writer.ties();
    writer.floors();
    writer.pictures();
    syntax::format(source, &writer.text).expect("what is written here can be read")
}

struct Writer<'r> {
    robot: &'r Robot,
    names: Names,
    /// Of each part, the name of the frame that moves.
    movers: Vec<String>,
    /// Of each part, the name of the frame that others are placed in.
    frames: Vec<String>,
    /// Of each part with one coordinate, the name of the frame that moves, and what its coordinate is called.
    coordinates: Vec<Option<(String, &'static str)>>,
    text: String,
}

impl Writer<'_> {
    fn say(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn gravity(&mut self) {
        match self.robot.gravity {
            None => self.say("gravity 9.81 [m/s^2]"),
            Some([0.0, 0.0, z]) if z < 0.0 => self.say(&format!("gravity {} [m/s^2]", number(-z))),
            Some(g) if size(g) > 0.0 => self.say(&format!("gravity {} [m/s^2]", vector(g))),
            Some(_) => {}
        }
    }

    fn part(&mut self, part: &Part, at: usize, line: usize) {
        self.say("");
        self.say(&format!("// {}, line {line}.", base::visible(&part.told)));
        let parent = part.parent.map_or("world".to_string(), |parent| self.frames[parent].clone());
        let name = self.movers[at].clone();
        let frame = self.frame(part, &name, &parent);
        self.frames.push(frame.clone());
        if let Some(body) = &part.body {
            let name = self.names.claim(&body.name);
            let mut given = placed(body.place);
            given.push(format!("mass = {} [kg]", number(body.mass)));
            let [xx, yy, zz, xy, xz, yz] = body.moments;
            if body.moments.iter().any(|&entry| entry != 0.0) {
                given.push(format!("inertia = {} [kg*m^2]", vector([xx, yy, zz])));
            }
            if [xy, xz, yz] != [0.0; 3] {
                given.push(format!("products = {} [kg*m^2]", vector([xy, xz, yz])));
            }
            self.say(&statement("body", &name, &frame, &given));
        }
    }

    /// Writes the frames of a part; gives the name of the one that carries everything.
    fn frame(&mut self, part: &Part, name: &str, parent: &str) -> String {
        let shapes: Vec<String> = part.shapes.iter().map(shape).collect();
        match &part.motion {
            Motion::Fixed => {
                self.say(&statement("frame", name, parent, &[placed(part.place), shapes].concat()));
                name.to_string()
            }
            Motion::Free => {
                let given = vec![guess("position", part.place), guess_of_turn(part.place.turn)];
                self.say(&statement("frame", name, parent, &[given, shapes].concat()));
                name.to_string()
            }
            Motion::Ball => {
                self.turning(part, name, parent, "rotation = free".to_string(), shapes);
                name.to_string()
            }
            Motion::Axis(axis) if !axis.slides => {
                let angle = coordinate_start(axis);
                let given = format!("rotation = about {} {angle}", direction(axis.direction));
                self.turning(part, name, parent, given, shapes);
                name.to_string()
            }
            Motion::Axis(axis) => self.sliding(part, name, parent, axis.direction, &coordinate_start(axis), shapes),
            Motion::Follows { leader, ratio, offset, slides, axis } => {
                let follows = self.followed(*leader, *ratio, *offset, *slides);
                if *slides {
                    self.sliding(part, name, parent, *axis, &follows, shapes)
                } else {
                    let given = format!("rotation = about {} {follows}", direction(*axis));
                    self.turning(part, name, parent, given, shapes);
                    name.to_string()
                }
            }
            Motion::Planar { axis } => self.planar(part, name, parent, *axis, shapes),
        }
    }

    /// A rotation about an axis; where the part is turned besides, in a frame of its own.
    fn turning(&mut self, part: &Part, name: &str, parent: &str, rotation: String, shapes: Vec<String>) {
        let mut given = Vec::new();
        let parent = if part.place.turn.is_none() {
            given.extend(position(part.place.position));
            parent.to_string()
        } else {
            self.mount(name, "origin", parent, part.place)
        };
        given.push(rotation);
        self.say(&statement("frame", name, &parent, &[given, shapes].concat()));
    }

    /// Along an axis. One that is not x, y or z, forwards, gets frames in which it is z, before and after.
    fn sliding(
        &mut self,
        part: &Part,
        name: &str,
        parent: &str,
        axis: Vector,
        coordinate: &str,
        shapes: Vec<String>,
    ) -> String {
        let Some(at) = straight(axis) else {
            let tilt = Turn::of_z_axis(axis).unwrap_or(Turn::NONE);
            let place = Place { turn: part.place.turn.then(tilt), ..part.place };
            let mount = self.mount(name, "axis", parent, place);
            self.say(&statement("frame", name, &mount, &[format!("position = (0, 0, {coordinate})")]));
            let end = self.names.claim(&format!("{name}_end"));
            let back = placed(Place { position: [0.0; 3], turn: tilt.inverse() });
            self.say(&statement("frame", &end, name, &[back, shapes].concat()));
            return end;
        };
        let Place { position, turn } = part.place;
        let alone = turn.is_none() && position[at] == 0.0;
        let parent = if alone { parent.to_string() } else { self.mount(name, "origin", parent, part.place) };
        let parts: Vec<String> = (0..3)
            .map(|other| match other {
                _ if other == at => coordinate.to_string(),
                _ if alone && position[other] != 0.0 => format!("{} [m]", number(position[other])),
                _ => "0".to_string(),
            })
            .collect();
        self.say(&statement(
            "frame",
            name,
            &parent,
            &[vec![format!("position = ({})", parts.join(", "))], shapes].concat(),
        ));
        name.to_string()
    }

    fn planar(&mut self, part: &Part, name: &str, parent: &str, axis: Vector, shapes: Vec<String>) -> String {
        let tilt = Turn::of_z_axis(axis).unwrap_or(Turn::NONE);
        let place = Place { turn: part.place.turn.then(tilt), ..part.place };
        let parent = if place == Place::HERE { parent.to_string() } else { self.mount(name, "plane", parent, place) };
        let moving = ["position = (free, free, 0)".to_string(), "rotation = about z free".to_string()];
        if tilt.is_none() {
            self.say(&statement("frame", name, &parent, &[moving.to_vec(), shapes].concat()));
            return name.to_string();
        }
        self.say(&statement("frame", name, &parent, &moving));
        let end = self.names.claim(&format!("{name}_end"));
        let back = placed(Place { position: [0.0; 3], turn: tilt.inverse() });
        self.say(&statement("frame", &end, name, &[back, shapes].concat()));
        end
    }

    /// A fixed frame before one that moves.
    fn mount(&mut self, name: &str, what: &str, parent: &str, place: Place) -> String {
        let mount = self.names.claim(&format!("{name}_{what}"));
        self.say(&statement("frame", &mount, parent, &placed(place)));
        mount
    }

    /// What a follower does: its leader's coordinate, times a ratio, and something more, in its own unit.
    fn followed(&self, leader: usize, ratio: f64, offset: f64, slides: bool) -> String {
        let Some((frame, coordinate)) = &self.coordinates[leader] else { return "0".to_string() };
        let unit = match (slides, *coordinate == "angle") {
            (true, true) => " [m]",
            (false, false) => " [1/m]",
            _ => "",
        };
        let mut text = match (ratio, unit) {
            (1.0, "") => format!("{frame}.{coordinate}"),
            _ => format!("{}{unit} * {frame}.{coordinate}", number(ratio)),
        };
        if offset != 0.0 {
            let own = if slides { " [m]" } else { "" };
            let sign = if offset < 0.0 { "-" } else { "+" };
            text += &format!(" {sign} {}{own}", number(offset.abs()));
        }
        text
    }

    /// Motors, damping, friction, and stops at the limits.
    fn joints(&mut self) {
        let robot = self.robot;
        let moving: Vec<(&Axis, String, &'static str)> = robot
            .parts
            .iter()
            .zip(&self.coordinates)
            .filter_map(|(part, coordinate)| match (&part.motion, coordinate) {
                (Motion::Axis(axis), Some((frame, coordinate))) => Some((axis, frame.clone(), *coordinate)),
                _ => None,
            })
            .collect();
        let stopped = |slides: bool| moving.iter().any(|(axis, ..)| axis.slides == slides && axis.limits.is_some());
        let acting: Vec<_> = moving.iter().filter(|(axis, ..)| axis.acts()).collect();
        if acting.is_empty() && moving.iter().all(|(axis, ..)| axis.armature == 0.0) {
            return;
        }
        self.say("\n// What acts in the joints: motors, damping, friction, and stops at the limits, which give way a little.");
        self.rotors(&moving);
        let (mass, reach) = self.extent();
        if stopped(false) {
            self.stop("stop", ("N*m", "s"), rounded(1000.0 * mass * reach), "per radian beyond a limit");
        }
        if stopped(true) {
            self.stop("end_stop", ("N/m", "s/m"), rounded(10_000.0 * mass), "per metre beyond a limit");
        }
        let motors: Vec<Option<String>> = acting
            .iter()
            .map(|(axis, frame, _)| {
                let effort = axis.effort?;
                let motor = self.names.claim(&format!("{frame}_motor"));
                let unit = axis.unit();
                let range = if effort[1].is_finite() {
                    format!(" in [{}, {}] [{unit}]", number(effort[0]), number(effort[1]))
                } else {
                    String::new()
                };
                self.say(&format!("control {motor}{range} = 0 [{unit}]"));
                Some(motor)
            })
            .collect();
        for ((axis, frame, coordinate), motor) in acting.into_iter().zip(motors) {
            let quantity = if axis.slides { "force" } else { "torque" };
            self.say(&format!("actuator {frame}.{quantity}"));
            let sum = law(axis, &format!("{frame}.{coordinate}"), motor);
            self.say(&format!("always {frame}.{quantity} == {sum}"));
        }
    }

    /// Rotors add to the kinetic energy of their joints: a potential that depends on a speed does the same, with the opposite sign.
    fn rotors(&mut self, moving: &[(&Axis, String, &'static str)]) {
        for (axis, frame, coordinate) in moving.iter().filter(|(axis, ..)| axis.armature > 0.0) {
            let unit = if axis.slides { "kg" } else { "kg*m^2" };
            self.say(&format!(
                "potential = -1/2 * {} [{unit}] * {frame}.{coordinate}'^2  // the rotor",
                number(axis.armature)
            ));
        }
    }

    /// What closes loops, and couples joints.
    fn ties(&mut self) {
        let robot = self.robot;
        if robot.ties.is_empty() {
            return;
        }
        self.say("\n// What holds besides.");
        for tie in &robot.ties {
            let line = match tie {
                Tie::Meets { a, point_a, b, point_b } => {
                    let a = format!("{}.point({} [m])", self.frames[*a], vector(*point_a));
                    // A frame, which goes along where the robot stands in a frame of a scene that uses it.
                    let b = match b {
                        Some(b) => format!("{}.point({} [m])", self.frames[*b], vector(*point_b)),
                        None => {
                            let place = Place { position: *point_b, turn: Turn::NONE };
                            self.mount("world", "anchor", "world", place)
                        }
                    };
                    format!("join {a} to {b} with ball_and_socket")
                }
                Tie::Joined { name, joint, a, b } => {
                    self.joined(name, joint, a, b);
                    continue;
                }
                Tie::Coupled { a, offset, leader } => {
                    let Some((frame, coordinate)) = &self.coordinates[*a] else { continue };
                    let slides = *coordinate != "angle";
                    let of = match leader {
                        Some((leader, ratio)) => self.followed(*leader, *ratio, *offset, slides),
                        None if slides => length(*offset),
                        None => number(*offset),
                    };
                    format!("always {frame}.{coordinate} == {of}")
                }
            };
            self.say(&line);
        }
    }

    /// A joint between two frames of its own, which stand alike at the start.
    fn joined(&mut self, name: &str, joint: &Closing, a: &(Option<usize>, Place), b: &(Option<usize>, Place)) {
        let name = self.names.claim(name);
        let mut end = |(part, place): &(Option<usize>, Place), which| {
            let frame = part.map_or("world".to_string(), |part| self.frames[part].clone());
            self.mount(&name, which, &frame, *place)
        };
        let (a, b) = (end(a, "from"), end(b, "to"));
        let kind = match joint {
            Closing::Ball => "ball_and_socket".to_string(),
            Closing::Weld => "weld".to_string(),
            Closing::Revolute { axis, .. } => format!("revolute(axis: {})", vector(*axis)),
            Closing::Prismatic { axis } => format!("prismatic(axis: {})", vector(*axis)),
            Closing::Universal { first, second } => {
                format!("universal(axis: {}, axis_b: {})", vector(*first), vector(*second))
            }
        };
        self.say(&format!("join {name}: {a} to {b} with {kind}"));
        if let Closing::Revolute { axis, damping } = joint
            && *damping > 0.0
        {
            let brake = format!("-{} [N*m*s] * {name}.rate", number(*damping));
            self.say(&format!("join {a} to {b} with motor({brake}, axis: {})", vector(*axis)));
        }
    }

    /// Floors, and what touches them.
    fn floors(&mut self) {
        let bears = |(part, frame): (&Part, &String)| (!part.shapes.is_empty()).then(|| frame.clone());
        let touching: Vec<String> = self.robot.parts.iter().zip(&self.frames).filter_map(bears).collect();
        for floor in &self.robot.floors {
            let name = self.names.claim(&floor.name);
            self.say("\n// What stands on the floor does not touch itself; `contact all` would let it.");
            if floor.place.turn.is_none() {
                let height = floor.place.position[2];
                self.say(&format!(
                    "surface {name}: z == {}",
                    if height == 0.0 { "0".to_string() } else { length(height) }
                ));
            } else {
                let mount = self.mount(&name, "place", "world", floor.place);
                self.say(&format!("surface {name} in {mount}: z == 0"));
            }
            if !touching.is_empty() {
                let group = self.names.claim(&format!("on_{name}"));
                self.say(&format!("group {group} = {}", touching.join(", ")));
                self.say(&format!("contact {group}, {name} {{ friction = {} }}", number(self.robot.friction)));
            }
        }
    }

    fn stop(&mut self, name: &str, (unit, loss): (&str, &str), stiffness: f64, what: &str) {
        for taken in [name.to_string(), format!("{name}_stiffness"), format!("{name}_loss")] {
            self.names.claim(&taken);
        }
        self.say(&format!("param {name}_stiffness = {} [{unit}] \"{what}\"", number(stiffness)));
        self.say(&format!("param {name}_loss = 0.5 [{loss}] \"how much more they resist going in than out\""));
        self.say(&format!(
            "fn {name}(at, rate, low, high) = {name}_stiffness * (max(low - at, 0) * (1 - {name}_loss * rate) - max(at - high, 0) * (1 + {name}_loss * rate))"
        ));
    }

    /// The mass of all that moves, and how far it reaches, in kg and m: what the stiffness of stops is measured by.
    fn extent(&self) -> (f64, f64) {
        let bodies = self.robot.parts.iter().filter_map(|part| part.body.as_ref());
        let mass: f64 = bodies.map(|body| body.mass).sum();
        let mut reaches = vec![0.0_f64; self.robot.parts.len()];
        for (at, part) in self.robot.parts.iter().enumerate() {
            let beyond = part.body.as_ref().map_or(0.0, |body| size(body.place.position));
            reaches[at] = part.parent.map_or(0.0, |parent| reaches[parent] + size(part.place.position));
            reaches[at] = reaches[at].max(beyond);
        }
        (mass.max(1e-3), reaches.into_iter().fold(0.01, f64::max))
    }

    fn pictures(&mut self) {
        let mut shown = String::new();
        for (part, frame) in self.robot.parts.iter().zip(&self.frames) {
            // What touches stands in for what is seen where nothing better is there.
            let figures = if part.figures.is_empty() { &part.shapes } else { &part.figures };
            // Convex solids by their corners are seen because they are shapes; there is no figure for them.
            for solid in figures.iter().filter(|solid| !matches!(solid.shape, Shape::Hull(_))) {
                shown += &format!(
                    "show {}({}) on {frame}{}{}\n",
                    solid.shape.word(),
                    sizes(solid),
                    at_place(solid),
                    look(solid)
                );
            }
        }
        if !shown.is_empty() {
            self.say("");
            self.text += &shown;
        }
        let moving: Vec<String> = self
            .coordinates
            .iter()
            .flatten()
            .take(MOST_PLOTTED)
            .map(|(frame, coordinate)| format!("{frame}.{coordinate}"))
            .collect();
        self.say("");
        self.say(&format!("plot {}", if moving.is_empty() { "energy".to_string() } else { moving.join(", ") }));
    }
}

/// What the one coordinate of a joint is called.
fn coordinate(motion: &Motion) -> Option<&'static str> {
    match motion {
        Motion::Axis(axis) if !axis.slides => Some("angle"),
        Motion::Axis(axis) => Some(["x", "y", "z"][straight(axis.direction).unwrap_or(2)]),
        _ => None,
    }
}

/// Which coordinate axis a direction is, forwards.
fn straight(axis: Vector) -> Option<usize> {
    unit(axis).and_then(|unit| (0..3).find(|&at| unit == along(at)))
}

impl Axis {
    fn unit(&self) -> &'static str {
        if self.slides { "N" } else { "N*m" }
    }
}

/// The force or torque of a joint as a sum.
fn law(axis: &Axis, coordinate: &str, motor: Option<String>) -> String {
    let unit = axis.unit();
    let mut terms: Vec<String> = motor.into_iter().collect();
    if axis.damping > 0.0 {
        let unit = if axis.slides { "N*s/m" } else { "N*m*s" };
        terms.push(format!("-{} [{unit}] * {coordinate}'", number(axis.damping)));
    }
    if axis.friction > 0.0 {
        terms.push(format!("-{} [{unit}] * sign({coordinate}')", number(axis.friction)));
    }
    if let Some([stiffness, rest]) = axis.spring {
        let unit = if axis.slides { "N/m" } else { "N*m" };
        let rest = match (rest, axis.slides) {
            (0.0, _) => coordinate.to_string(),
            (rest, true) => format!("({coordinate} - {})", length(rest)),
            (rest, false) => format!("({coordinate} - {})", angle(rest)),
        };
        terms.push(format!("-{} [{unit}] * {rest}", number(stiffness)));
    }
    if let Some(limits) = axis.limits {
        let stop = if axis.slides { "end_stop" } else { "stop" };
        let [low, high] = limits.map(|limit| if axis.slides { length(limit) } else { angle(limit) });
        terms.push(format!("{stop}({coordinate}, {coordinate}', {low}, {high})"));
    }
    let mut sum = String::new();
    for term in terms {
        match term.strip_prefix('-') {
            _ if sum.is_empty() => sum = term,
            Some(rest) => sum += &format!(" - {rest}"),
            None => sum += &format!(" + {term}"),
        }
    }
    sum
}

fn statement(word: &str, name: &str, parent: &str, given: &[String]) -> String {
    let place = if parent == "world" { String::new() } else { format!(" in {parent}") };
    let inline = given.join("; ");
    match given {
        [] => format!("{word} {name}{place}"),
        _ if inline.len() + name.len() + parent.len() < 110 => format!("{word} {name}{place} {{ {inline} }}"),
        _ => format!("{word} {name}{place} {{\n{}\n}}", given.join("\n")),
    }
}

fn coordinate_start(axis: &Axis) -> String {
    match axis.start() {
        0.0 => "free".to_string(),
        start => format!("free({})", if axis.slides { length(start) } else { angle(start) }),
    }
}

fn position(position: Vector) -> Option<String> {
    (position != [0.0; 3]).then(|| format!("position = {} [m]", vector(position)))
}

fn placed(place: Place) -> Vec<String> {
    let mut given: Vec<String> = position(place.position).into_iter().collect();
    if !place.turn.is_none() {
        given.push(format!("rotation = {}", turn(place.turn)));
    }
    given
}

fn guess(what: &str, place: Place) -> String {
    match place.position {
        [0.0, 0.0, 0.0] => format!("{what} = free"),
        position => format!("{what} = free({} [m])", vector(position)),
    }
}

fn guess_of_turn(rotation: Turn) -> String {
    if rotation.is_none() { "rotation = free".to_string() } else { format!("rotation = free({})", turn(rotation)) }
}

fn turn(rotation: Turn) -> String {
    let (axis, by) = rotation.axis_angle();
    format!("about {} {}", direction(axis), angle(by))
}

fn direction(axis: Vector) -> String {
    match axis {
        [x, 0.0, 0.0] if x > 0.0 => "x".to_string(),
        [0.0, y, 0.0] if y > 0.0 => "y".to_string(),
        [0.0, 0.0, z] if z > 0.0 => "z".to_string(),
        _ => vector(axis),
    }
}

fn shape(solid: &Solid) -> String {
    format!("shape = {}({}){}", solid.shape.word(), sizes(solid), at_place(solid))
}

fn sizes(solid: &Solid) -> String {
    if let Shape::Hull(corners) = &solid.shape {
        return corners.iter().map(|corner| format!("{} [m]", vector(*corner))).collect::<Vec<_>>().join(", ");
    }
    solid.shape.sizes().into_iter().map(length).collect::<Vec<_>>().join(", ")
}

fn at_place(solid: &Solid) -> String {
    let Place { position, turn: rotation } = solid.place;
    let at = if position == [0.0; 3] { String::new() } else { format!(" at {} [m]", vector(position)) };
    let turned = if rotation.is_none() { String::new() } else { format!(" turned {}", turn(rotation)) };
    at + &turned
}

fn look(solid: &Solid) -> String {
    let Some([red, green, blue, opacity]) = solid.color else { return " color \"silver\"".to_string() };
    let byte = |part: f64| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
    let opaque = if opacity < 1.0 { format!(" opacity {}", number(opacity.max(0.0))) } else { String::new() };
    format!(" color \"#{:02x}{:02x}{:02x}\"{opaque}", byte(red), byte(green), byte(blue))
}

fn vector(v: Vector) -> String {
    format!("({})", v.map(number).join(", "))
}

fn length(value: f64) -> String {
    if value == 0.0 { "0 [m]".to_string() } else { format!("{} [m]", number(value)) }
}

/// In degrees where that is the shorter number for the same bits, or nearly.
fn angle(value: f64) -> String {
    const DEGREE: f64 = std::f64::consts::PI / 180.0;
    let degrees = (value / DEGREE * 1e9).round() / 1e9;
    let same = (degrees * DEGREE - value).abs() <= 2.0 * f64::EPSILON * value.abs();
    if same && value != 0.0 && number(degrees).len() < number(value).len() {
        format!("{} [deg]", number(degrees))
    } else {
        number(value)
    }
}

/// The shortest text that has the same bits.
fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_string()
    } else if (1e-4..1e7).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// To one digit.
fn rounded(value: f64) -> f64 {
    format!("{value:.0e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_have_the_same_bits() {
        assert_eq!([0.0, -0.0, 0.1, 1e-5, 12.5, 3e8].map(number), ["0", "0", "0.1", "1e-5", "12.5", "3e8"]);
        assert_eq!(angle(std::f64::consts::FRAC_PI_2), "90 [deg]");
        assert_eq!(angle(1.571), "1.571");
        assert_eq!(angle(-2.8973), "-2.8973");
    }
}
