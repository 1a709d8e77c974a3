//! The words of the language, each with its meaning and an example: the parser finds its way by this table, and the
//! manual is printed from it.
//!
//! A word that begins a statement is a keyword only there; everywhere else it is free to be a name. The words of
//! expressions cannot name anything.

use crate::parser::{
    Parsed, Parser, actuation, body, change, contact, declaration, join, motion, picture, question, theory,
};
use crate::tree::ItemKind;

/// One word of the language.
pub struct Keyword {
    pub word: &'static str,
    pub meaning: &'static str,
    pub example: &'static str,
    role: Role,
}

/// Reads the rest of a statement, its keyword having been read.
pub(crate) type Statement = fn(&mut Parser<'_>) -> Parsed<ItemKind>;

enum Role {
    Statement(Statement),
    Expression,
}

#[rustfmt::skip]
pub const KEYWORDS: &[Keyword] = &[
    statement_row("scene", "names the situation that the text describes", "scene pendulum", declaration::scene),
    statement_row("use", "takes in a library, or a robot or a drawn scene from a file", "use particles", declaration::take),
    statement_row("param", "a number to change between runs", "param length = 1 [m] \"of the string\"", declaration::param),
    statement_row("let", "names the value of an expression", "let area = width * height", declaration::definition),
    statement_row("fn", "names an expression with arguments", "fn altitude(a) = amplitude * cos(frequency * a)", declaration::function),
    statement_row("data", "a function through measured points, from a file with columns", "data wind \"wind.csv\" smooth", declaration::data),
    statement_row("control", "an input that its user moves while the simulation runs", "control up_down in [-1, 1] = 0", declaration::control),
    statement_row("frame", "a coordinate system placed in another", "frame swing in world { rotation = about x free }", declaration::frame),
    statement_row("body", "a frame that bears mass", "body bob in swing { position = (0, 0, -length); mass = 1 [kg] }", body::body),
    statement_row("group", "names a list of bodies or frames", "group planets = sun, earth, moon", declaration::group),
    statement_row("gravity", "a uniform field that acts on every body", "gravity 9.81 [m/s^2]", motion::gravity),
    statement_row("potential", "an energy from which forces follow", "potential for b in bodies = b.mass * g * b.position.z", motion::potential),
    statement_row("force", "a force on a body", "force on car = -drag * car.velocity", motion::force),
    statement_row("torque", "a torque on a body", "torque on wheel = -friction * wheel.omega", motion::torque),
    statement_row("always", "an equation that holds at all times", "always linked: |a.position - b.position| == 4 [m]", motion::always),
    statement_row("initially", "an equation that holds at the start", "initially swing.angle == 60 [deg]", motion::initially),
    statement_row("history", "what something was before the run, for what depends on it after a delay", "history level == 2 [m] + 0.1 [m/s] * t", motion::history),
    statement_row("surface", "an implicit surface in a frame", "surface hull in egg: (x/a)^2 + (y/b)^2 + (z/c)^2 == 1", motion::surface),
    statement_row("for", "repeats statements for each number of a range or each member of a list", "for i in 1..3 { body bead[i] in world { mass = 1 [g] } }", motion::repetition),
    statement_row("show", "draws a shape", "show sphere(8 [cm]) on bob color \"tomato\"", picture::show),
    statement_row("camera", "where to look from", "camera chase on car1 at (0, -8, 3) looking at car1", picture::camera),
    statement_row("light", "what light falls on the scene", "light sun from (1, 1, 3)", picture::light),
    statement_row("trace", "draws the path of a thing", "trace bob", picture::trace),
    statement_row("plot", "draws quantities over time or over another quantity", "plot swing.angle, energy against t", picture::plot),

    statement_row("theory", "names the library of kinds, connections and laws that the text is", "theory particles", theory::theory),
    statement_row("kind", "a class of things, with quantities and equations", "kind particle { mass: constant [kg] }", theory::kind),
    statement_row("connection", "a relation between things", "connection gravitation(a: particle, b: particle) { force: vec [N] }", theory::connection),
    statement_row("law", "what holds for all things of a kind", "law resultant for p: particle { p.force == p.mass * p.acceleration }", theory::law),
    statement_row("join", "a joint between two frames, bodies or points of them", "join top.point(0, 0, 0) to link.point((0, 0, 1) [m]) with ball_and_socket", join::join),
    statement_row("contact", "how things that have shapes collide, slide and rest on one another", "contact ball, table { restitution = 0.8; friction = 0.3 }", contact::contact),

    statement_row("actuator", "a torque or a force in a joint that something decides", "actuator shoulder.torque in [-20, 20] [N*m]", actuation::actuator),
    statement_row("prescribe", "a motion to be brought about by actuators", "prescribe hand.position == path(t) using shoulder.torque, elbow.torque", actuation::prescribe),

    statement_row("mode", "a discrete state", "mode motion: bouncing | rolling = bouncing", change::mode),
    statement_row("when", "an instantaneous change", "when land: gap <= 0 { motion == rolling; keep positions }", change::when),
    statement_row("sequence", "phases that end on conditions", "sequence drive when robot == driving { begin { keep all } until x >= 1 { keep all } }", change::sequence),
    statement_row("plan", "an action that must reach a target", "plan fire when near { choose v: [m/s]; begin { ship.velocity.x == v } after 2 aim ship.x == 1 { keep all } }", change::plan),
    statement_row("every", "what a clock does again and again, at even instants from the start on", "every 10 [ms] { u == -k * pre(x) }", change::every),
    statement_row("stop", "ends the run where a condition begins to hold", "stop when ball.position.z <= 0", change::stop),
    statement_row("claim", "what must hold of the behaviour", "claim never_below_floor: always ball.position.z >= 0", change::claim),

    statement_row("assume", "what the author takes for granted: an equation, a condition, or a choice", "assume trimmed: partial(boat.force.x, sail.lift) == 0", question::assume),
    statement_row("neglect", "leaves out laws", "neglect friction", question::neglect),
    statement_row("find", "a question to answer", "find boat.speed given steady(boat)", question::find),
    statement_row("describe", "asks for words about a motion", "describe bob over 20 [s]", question::describe),

    expression_row("free", "makes a coordinate a dynamical variable, perhaps with a starting guess", "free(0.3 [m])"),
    expression_row("about", "a rotation about an axis", "about z free"),
    expression_row("in", "the components of a vector along the axes of a frame", "(v in car).x"),
    expression_row("is", "both are the same thing", "g.a is p"),
    expression_row("if", "chooses between two values, with `then` and `else`", "if x > 0 then x else -x"),
    expression_row("then", "comes before the value where the condition holds", "if x > 0 then x else -x"),
    expression_row("else", "comes before the value where the condition does not hold", "if x > 0 then x else -x"),
    expression_row("and", "both conditions hold", "x > 0 and y > 0"),
    expression_row("or", "at least one condition holds", "x > 0 or y > 0"),
    expression_row("not", "the condition does not hold", "not x > 0"),
];

const fn statement_row(
    word: &'static str,
    meaning: &'static str,
    example: &'static str,
    statement: Statement,
) -> Keyword {
    Keyword { word, meaning, example, role: Role::Statement(statement) }
}

const fn expression_row(word: &'static str, meaning: &'static str, example: &'static str) -> Keyword {
    Keyword { word, meaning, example, role: Role::Expression }
}

impl Keyword {
    /// Begins a statement, and is a keyword nowhere else.
    pub fn begins_statement(&self) -> bool {
        !matches!(self.role, Role::Expression)
    }

    /// How to read the statement it begins.
    pub(crate) fn statement(&self) -> Option<Statement> {
        match self.role {
            Role::Statement(statement) => Some(statement),
            Role::Expression => None,
        }
    }
}

/// The keyword that begins a statement with this word.
pub(crate) fn statement(word: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.begins_statement() && keyword.word == word)
}

/// Whether this word has a meaning in expressions and cannot name anything. `for` would be ambiguous too.
pub fn is_reserved(word: &str) -> bool {
    word == "for" || KEYWORDS.iter().any(|keyword| !keyword.begins_statement() && keyword.word == word)
}

/// The keyword that a word of another language stands for.
pub(crate) fn translated(word: &str) -> Option<&'static Keyword> {
    let lower = word.to_lowercase();
    FOREIGN_WORDS.iter().find(|(foreign, _)| *foreign == lower).and_then(|(_, ours)| statement(ours))
}

/// The keyword that a misspelt word at the start of a statement was probably meant to be.
pub(crate) fn nearest(word: &str) -> Option<&'static Keyword> {
    let words = KEYWORDS.iter().filter(|keyword| keyword.begins_statement()).map(|keyword| keyword.word);
    base::nearest(word, words).and_then(statement)
}

/// What other languages call it.
const FOREIGN_WORDS: &[(&str, &str)] = &[
    ("parameter", "param"),
    ("const", "param"),
    ("constant", "param"),
    ("var", "let"),
    ("def", "fn"),
    ("func", "fn"),
    ("function", "fn"),
    ("input", "control"),
    ("constraint", "always"),
    ("init", "initially"),
    ("initial", "initially"),
    ("import", "use"),
    ("include", "use"),
    ("model", "scene"),
    ("class", "kind"),
    ("struct", "kind"),
    ("type", "kind"),
    ("primitive", "kind"),
    ("entity", "kind"),
    ("relation", "connection"),
    ("axiom", "law"),
    ("library", "theory"),
    ("module", "theory"),
    ("package", "theory"),
    ("particle", "body"),
    ("object", "body"),
    ("draw", "show"),
    ("output", "plot"),
    ("report", "plot"),
    ("event", "when"),
    ("assert", "claim"),
    ("equation", "always"),
    ("motor", "actuator"),
    ("joint", "join"),
    ("hinge", "join"),
    ("weld", "join"),
];

/// How to say what other tools have a statement for, and this language a sentence.
pub(crate) fn paraphrase(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    PARAPHRASES.iter().find(|(foreign, _)| foreign.contains(&lower.as_str())).map(|(_, ours)| *ours)
}

#[rustfmt::skip]
const PARAPHRASES: &[(&[&str], &str)] = &[
    (&["spring"], "a spring is a potential: `potential = stiffness / 2 * (|a.position - b.position| - length)^2`"),
    (&["damper", "damping", "drag"], "what damps is a force against the motion: `force on block = -damping * block.velocity`"),
    (&["friction"], "friction in a joint is `torque on wheel = -damping * wheel.omega`; between shapes it stands in `contact all { friction = 0.3 }`"),
    (&["gravitation", "attraction"], "what attracts is a potential: `potential for pairs (a, b) in planets = -G * a.mass * b.mass / |a.position - b.position|`"),
    (&["connect", "wire"], "parts of a circuit are connected by the nodes they name, as in `r1: resistor(node1, node2)`; bodies by `join a.point(0, 0, 0) to b.point(0, 0, 1) with ball_and_socket`"),
    (&["rope", "string", "rod", "link"], "what keeps a distance is a constraint: `always |a.position - b.position| == length`"),
    (&["floor", "ground", "plane", "wall"], "a plane is a surface, and `contact` makes things touch it: `surface floor: z == 0 [m]`"),
    (&["simulate", "run", "duration", "stoptime"], "how long is said when it runs: `ansatz run scene.anz --until 10`; to end on a condition, `stop when x.position.z < 0`"),
    (&["solver", "timestep", "dt", "step"], "steps are found by the program; how accurate it is to be is said when it runs: `ansatz run scene.anz --tolerance 1e-10`"),
];
