//! The syntax tree: what the author wrote, statement by statement, with the place of everything in the text.
//!
//! Nothing is resolved here. A name is a word, a unit is the text between its brackets, and what could not be read is
//! an `Error` node, which has been reported already: whoever meets one stays silent.

mod change;
mod expression;
mod question;
mod theory;

pub use change::{
    Choice, Claim, Course, Effect, EffectKind, Every, Formula, Limit, Mode, Phase, PhaseEnd, Satisfied, Stop, When,
};
pub use expression::{
    Argument, Axis, BinaryOperator, Expr, ExprKind, MAXIMUM_DEPTH, Precedence, UnaryOperator, UnitText,
};
pub use question::{Assume, Describe, Extreme, Find, Sweep};
pub use theory::{
    Addition, Connection, Connections, Join, Kind, Law, Modifier, Parameter, ParameterType, Quantity, QuantityDomain,
    QuantityType, Thing,
};

use base::Span;

/// One whole text.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub items: Vec<Item>,
    pub span: Span,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
    /// The comment lines directly above, without their slashes.
    pub documentation: Option<String>,
    /// The condition after `while`: it holds only there.
    pub condition: Option<Expr>,
    /// Something in it could not be read and has been reported; what follows from that need not be.
    pub broken: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `scene pendulum`
    Scene(Name),
    /// `theory particles`
    Theory(Word),
    /// `use particles`
    Use(Use),
    /// `param length = 1 [m] "of the string"`
    Param(Param),
    /// `let area = width * height`
    Let(Definition),
    /// `fn slope(a) = partial(altitude(a), a) / radius`
    Function(Function),
    /// `data wind "wind.csv" smooth`
    Data(Data),
    /// `control up_down in [-1, 1] = 0`
    Control(Control),
    /// `frame swing in world { rotation = about x free }`
    Frame(Frame),
    /// `body bob in swing { position = (0, 0, -length); mass = mass }`
    Body(Frame),
    /// `gravity 9.81 [m/s^2]`
    Gravity(Expr),
    /// `potential for b in bodies = b.mass * g * b.position.z`
    Potential(Potential),
    /// `force on car = thrust * car.vector(0, 1, 0)`
    Force(Force),
    /// `torque on wheel = -friction * wheel.omega`
    Torque(Torque),
    /// `always linked: |a.position - b.position| == 4 [m]`
    Always(Equation),
    /// `initially swing.angle == 60 [deg]`
    Initially(Equation),
    /// `history level == 2 [m]`
    History(Equation),
    /// `surface floor in world: z == 0`
    Surface(Surface),
    /// `for i in 1..3 { … }`
    For(Loop),
    /// `group planets = sun, earth, moon`
    Group(Group),
    /// `show sphere(8 [cm]) on bob color "tomato"`
    Show(View),
    /// `camera chase on car at (0, -8, 3) looking at car`
    Camera(View),
    /// `light sun from (1, 1, 3)`
    Light(View),
    /// `trace bob`
    Trace(View),
    /// `plot a, b against t`
    Plot(Plot),
    /// `mode motion: bouncing | rolling = bouncing`
    Mode(Mode),
    /// `when land: gap <= 0 { motion == rolling; keep positions }`
    When(When),
    /// `every 10 [ms] { u == -k * pre(x) }`
    Every(Every),
    /// `stop when ball.position.z <= 0`
    Stop(Stop),
    /// `sequence drive when robot == driving { … }`
    Sequence(Course),
    /// `plan fire when in_range(ship1, ship2) { … }`
    Plan(Course),
    /// `claim dry: always boat.position.z >= 0`
    Claim(Claim),
    /// `kind particle { … }`
    Kind(Kind),
    /// `connection gravitation(a: particle, b: particle) { … }`
    Connection(Connection),
    /// `law resultant for p: particle { … }`
    Law(Law),
    /// `mass: constant [kg]`
    Quantity(Quantity),
    /// `newton: force == der(momentum)`, without `always`, as in the braces of a kind, a connection or a law
    Equation(Equation),
    /// `total += part`
    Addition(Addition),
    /// `p1: particle { mass = 1e6 [kg] }`
    Thing(Thing),
    /// `join top to link.point(0, 0, 1) with ball_and_socket`
    Join(Join),
    /// `contact ball, table { restitution = 0.8; friction = 0.3 }`
    Contact(Contact),
    /// `actuator shoulder.torque in [-20, 20] [N*m]`
    Actuator(Actuator),
    /// `prescribe hand.position == path(t) using shoulder.torque, elbow.torque`
    Prescribe(Prescribe),
    /// `assume trimmed: partial(boat.force.x, sail.lift) == 0`
    Assume(Assume),
    /// `neglect friction, drag`
    Neglect(Vec<Word>),
    /// `find boat.speed given steady(boat)`
    Find(Box<Find>),
    /// `describe bob, block over 20 [s]`
    Describe(Describe),
    /// `gravitation for pairs (a, b) in particle`
    Connections(Connections),
    /// Text that is no statement. It has been reported.
    Error,
}

/// A plain identifier, as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    pub text: String,
    pub span: Span,
}

/// What a declaration gives a name to; `car[i]` has one index, an ordinary name none. The span covers the indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: String,
    pub indices: Vec<Expr>,
    pub span: Span,
}

/// Text in quotes, without the quotes.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub value: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Use {
    /// `use particles`: a theory, by name.
    Theory(Word),
    /// `use robot "arm.urdf" as arm in table`: what another program describes, by file.
    File(Box<UsedFile>),
}

/// A file of another program that is read whenever the scene is compiled; what is in it has names that begin with its own.
#[derive(Clone, Debug, PartialEq)]
pub struct UsedFile {
    pub what: FileSort,
    pub file: Text,
    pub name: Word,
    /// The path after `in`, where it stands; nothing means the world.
    pub place: Option<Expr>,
    /// Whether `floating` was said: its base moves freely, where the file leaves that open.
    pub is_floating: bool,
    /// What is given in braces; of units alone.
    pub properties: Vec<Property>,
}

/// What a file is said to describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSort {
    /// A mechanism: links and joints.
    Robot,
    /// What was drawn: frames that stand still, with shapes.
    Scene,
    /// A functional mock-up unit (FMI): quantities that a library computes.
    Unit,
}

impl FileSort {
    /// As they are written behind `use`.
    pub const WORDS: &[(&str, FileSort)] =
        &[("robot", FileSort::Robot), ("scene", FileSort::Scene), ("fmu", FileSort::Unit)];
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: Name,
    pub value: Expr,
    pub description: Option<Text>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub name: Name,
    pub value: Expr,
}

/// `data wind "weather.csv" column "speed" smooth held`
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    pub name: Word,
    pub file: Text,
    /// Which column is meant; the second if there are two.
    pub column: Option<Text>,
    /// `smooth` or `monotone`; straight lines if nothing is said.
    pub joining: Option<Word>,
    /// Whether its last values hold beyond its ends.
    pub is_held: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Word,
    pub parameters: Vec<Word>,
    pub body: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    pub name: Name,
    pub range: Option<ValueRange>,
    pub default: Option<Expr>,
    pub description: Option<Text>,
}

/// `[-1, 1] [N]`: the unit, where there is one, is that of both ends.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueRange {
    pub low: Expr,
    pub high: Expr,
    pub unit: Option<UnitText>,
    pub span: Span,
}

/// A frame, or a frame that bears mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub name: Name,
    /// The path after `in`; nothing means the world.
    pub parent: Option<Expr>,
    pub properties: Vec<Property>,
}

/// `position = (0, 0, -length)`, `shape = sphere(1 [m]) at (0, 0, 1) [m]`
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub name: Word,
    pub value: Expr,
    /// What follows the value of a shape: `at (0, 0, 1) [m]`, `turned about y 30 [deg]`.
    pub clauses: Vec<Clause>,
    pub span: Span,
}

/// What touches what, and by which law; or, after `none`, what does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Paths of bodies, frames, surfaces, groups or kinds; `all` is a name here like others.
    pub sides: [Expr; 2],
    pub none: bool,
    /// `restitution = 0.8`
    pub properties: Vec<Property>,
    /// `together`
    pub flags: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    pub label: Option<Name>,
    pub repeated: Option<Quantifier>,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// The path after `on`.
    pub target: Expr,
    /// Where the force acts; nothing means the target's origin.
    pub at: Option<Expr>,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Torque {
    pub target: Expr,
    pub value: Expr,
}

/// Torques and forces of joints that something decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Paths such as `shoulder.torque`.
    pub quantities: Vec<Expr>,
    pub limits: Option<ValueRange>,
}

/// A motion, the actuators that bring it about, and what decides between several ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Prescribe {
    pub equation: Equation,
    /// Paths such as `shoulder.torque`.
    pub using: Vec<Expr>,
    /// What is least, after `minimizing`.
    pub cost: Option<Expr>,
}

/// `label: left == right`
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    pub label: Option<Name>,
    pub relation: Relation,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// `left == right`
    Equal { left: Expr, right: Expr },
    /// `contact.position on hull`
    On { point: Expr, surface: Expr },
    /// `tangent(hull, floor, at: contact.position)`
    Tangent { first: Expr, second: Expr, at: Expr },
}

impl Equation {
    /// Left and right of `==`; none if something else is stated.
    pub fn sides(&self) -> Option<(&Expr, &Expr)> {
        match &self.relation {
            Relation::Equal { left, right } => Some((left, right)),
            Relation::On { .. } | Relation::Tangent { .. } => None,
        }
    }
}

/// `surface hull in egg: (x/a)^2 + (y/b)^2 + (z/c)^2 == 1`
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    pub name: Name,
    /// The path after `in`; nothing means the world.
    pub parent: Option<Expr>,
    pub left: Expr,
    pub right: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub quantifier: Quantifier,
    pub items: Vec<Item>,
}

/// `i in 1..3`, `b in bodies`, `pairs (a, b) in planets`
#[derive(Clone, Debug, PartialEq)]
pub struct Quantifier {
    pub binding: Binding,
    pub domain: Domain,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Binding {
    Each(Word),
    /// Every unordered pair of different members, once.
    Pairs(Word, Word),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Whole numbers, both ends included.
    Range { first: Expr, last: Expr },
    /// The path of a list, such as a group or `bodies`.
    List(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub name: Name,
    /// Paths of bodies, frames or other groups.
    pub members: Vec<Expr>,
}

/// A statement about pictures: a subject, and clauses that say where and how.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// `sphere(8 [cm])`, `mesh`, `chase`, `bob`. A camera or a light may go without.
    pub subject: Option<Expr>,
    /// The text directly after the subject, as in `show mesh "car.glb"`.
    pub file: Option<Text>,
    pub clauses: Vec<Clause>,
}

/// `on bob`, `color "tomato"`, `looking at car1`
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The words that introduce the value, separated by one space.
    pub word: Word,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    pub values: Vec<Expr>,
    pub against: Option<Expr>,
}
