//! What bends or jumps in what is solved: every comparison, `abs`, `sign`, `floor`, `min` and `max` there is decided by a *switch*, a number
//! that stays the same within a step. So stages, error estimates and Newton's method see one smooth program; where a switch turns is an
//! event, which the program locates by the bounds of its margin.
//!
//! What is only looked at (outputs, pictures, guards, claims) keeps its conditions: it is right at every instant without an event.

use expr::{
    Arena, Bends, Differentiator, Expr, Node, Operator, Region, Substitution, SymbolId, enclose, evaluate, jacobian,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::narrow::narrow_terms;
use crate::program::{Binding, Function, Margins, Program};
use crate::settle::rounding;
use crate::side::{MOST_SIDES, Sides};
use crate::tangent::length;

/// The switches of a program, and what is known of them.
pub struct Switches {
    pub all: Vec<Switch>,
    pub directions: Vec<Direction>,
    /// From the sampled state: the margin of each switch and each part of directions, then what rounding may leave of each, then `speeds`.
    pub margins: Function,
    /// For each switch that is located a number that is positive where it has to turn, by the place of its slack.
    pub leaving: Margins,
    /// What may take values between, by its place among the switches and, behind them, the parts of directions.
    pub sliders: Vec<usize>,
    /// The rates of those margins of sliders, by their places among these, whose rates no switch acts on: positions, mostly.
    pub speeds: Vec<(usize, Expr)>,
    /// Entries of the slopes, by states, of the margins of sliders and then of `speeds`: which of these, state, value.
    pub gradients: Vec<(usize, usize, Expr)>,
    /// For each of these the slope by the time alone.
    pub time_slopes: Vec<Expr>,
    /// What stands for the impulses of what jumps; zero but for the instant of a jump.
    pub impulses: Vec<SymbolId>,
    /// From the sampled state: what these are the impulses of; then what must not jump at all, because rates of impulses would follow.
    pub jumping: Function,
    /// From the sampled state: the kinetic energy, if something decides by where things are.
    pub kinetic: Option<Function>,
    /// In programs with derivatives, from the sampled state: in each direction the derivative of each margin, then the slope of each by the
    /// time alone.
    pub tangents: Option<Function>,
    /// Switches at whose borders in space potentials jump, and what stands for how strongly they act there; zero elsewhere.
    pub borders: Vec<(usize, SymbolId)>,
    /// What acts on the motion and depends on time alone, other than linearly: it may be narrow, and no step is to pass over it.
    pub forcing: Vec<Expr>,
}

/// A number that decides between smooth pieces.
pub struct Switch {
    pub symbol: SymbolId,
    pub kind: SwitchKind,
    /// What decides: its sign, or its whole part.
    pub margin: Expr,
    /// How much the margin may have the wrong sign by before the switch turns: what it was off by when it was set.
    pub slack: SymbolId,
    /// The value of the switch where its margin is zero and stays so; none if that makes no difference.
    pub at_zero: Option<AtZero>,
    /// The first switch that is decided by this margin: those that differ where it is zero have the others.
    pub border: usize,
    /// How fast the margin changes, where it is a linear function of time between events: then the instant is known beforehand.
    pub schedule: Option<Expr>,
    /// Whether the margin depends on integrated states and time alone, so that its rate is known.
    pub on_states: bool,
    /// Whether the margin depends on more than the time.
    pub in_space: bool,
    /// The places of switches that the margin depends on: where one of these turns, it may leap.
    pub inner: Vec<usize>,
    /// How deep switches are nested in the margin.
    pub level: usize,
}

/// The direction of something that may rest, w / |w|, such as that of friction: at rest it is any vector of length one at most.
///
/// Its switch is 1 while w moves, and its margin is w along the direction that w had when the step began. While w moves straight, the direction
/// goes on beyond its rest as it was before, so that steps see something smooth.
pub struct Direction {
    pub switch: usize,
    /// What stands for each part: the direction at the beginning of the step, and at rest.
    pub symbols: Vec<SymbolId>,
    /// The parts of w.
    pub parts: Vec<Expr>,
    /// |w|, as the scene has it, with switches in it, and with the sign of the margin.
    size: Expr,
    length: Expr,
    signed: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchKind {
    /// 1 where the margin is positive, else 0.
    Side,
    /// The largest whole number not above the margin.
    Count,
}

impl Switches {
    /// What every function may depend on: switches, what they are off by, and what stands for impulses and borders.
    pub fn inputs(&self) -> impl Iterator<Item = SymbolId> {
        let switches = self.all.iter().flat_map(|switch| [switch.symbol, switch.slack]);
        let directions = self.directions.iter().flat_map(|direction| direction.symbols.iter().copied());
        switches
            .chain(directions)
            .chain(self.impulses.iter().copied())
            .chain(self.borders.iter().map(|&(_, border)| border))
    }

    /// Puts conditions in place of the switches that decide by them; impulses are zero.
    pub fn meant(&self, arena: &Arena) -> Substitution {
        let mut meant = Substitution::default();
        for direction in &self.directions {
            let moving = direction.parts.iter().map(|&part| arena.divide(part, direction.length));
            let symbols = direction.symbols.iter().map(|&symbol| arena.symbol(symbol));
            symbols.zip(moving).for_each(|(symbol, part)| meant.insert(symbol, part));
        }
        for switch in &self.all {
            let meaning = meant.apply(arena, switch.meaning(arena));
            meant.insert(arena.symbol(switch.symbol), meaning);
        }
        let borders = self.borders.iter().map(|(_, border)| border);
        let marks = self.impulses.iter().chain(borders);
        marks.for_each(|&mark| meant.insert(arena.symbol(mark), arena.zero()));
        meant
    }

    /// What decides in a place: that of a switch, or of a part of a direction.
    pub fn margin(&self, place: usize) -> Option<Expr> {
        let direction = self.directions.iter().find(|direction| direction.switch == place).map(|it| it.size);
        direction.or_else(|| self.margins.results.get(place).copied())
    }

    /// What stands for the value of a place: that of a switch, or of a part of a direction.
    pub fn symbol(&self, place: usize) -> SymbolId {
        let parts = self.directions.iter().flat_map(|direction| &direction.symbols);
        let all = self.all.iter().map(|switch| &switch.symbol).chain(parts);
        all.copied().nth(place).expect("a place has a symbol")
    }

    /// Whether a place belongs to a direction.
    pub fn is_direction(&self, place: usize) -> bool {
        place >= self.all.len() || self.directions.iter().any(|direction| direction.switch == place)
    }

    pub fn functions(&mut self) -> impl Iterator<Item = &mut Function> {
        [&mut self.margins, &mut self.leaving.places, &mut self.jumping]
            .into_iter()
            .chain(&mut self.kinetic)
            .chain(&mut self.tangents)
    }
}

impl Switch {
    /// The value of the switch as an expression of what it depends on.
    pub fn meaning(&self, arena: &Arena) -> Expr {
        let compare = |operator: Operator| arena.apply(operator, &[arena.zero(), self.margin]);
        match (self.kind, self.at_zero) {
            (SwitchKind::Count, _) => arena.apply(Operator::Floor, &[self.margin]),
            (SwitchKind::Side, Some(AtZero::On)) => compare(Operator::LessEqual),
            (SwitchKind::Side, Some(AtZero::Middle)) => {
                let sign = arena.apply(Operator::Sign, &[self.margin]);
                arena.scale(0.5, arena.add(sign, arena.one()))
            }
            (SwitchKind::Side, _) => compare(Operator::Less),
        }
    }

    /// Its value where nothing but a margin of zero is known.
    pub fn value_at_zero(&self) -> f64 {
        self.at_zero.map_or(0.0, AtZero::value)
    }

    /// Whether the margin grows or falls with time, whatever parameters are: it cannot stay zero.
    pub(crate) fn only_passes(&self, arena: &Arena) -> bool {
        self.schedule.and_then(|rate| arena.as_number(rate)).is_some_and(|rate| !rate.is_zero())
    }
}

/// What a side is where its margin is zero: `>` is off there, `>=` is on, and `sign` is neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtZero {
    Off,
    Middle,
    On,
}

impl AtZero {
    pub fn value(self) -> f64 {
        match self {
            AtZero::Off => 0.0,
            AtZero::Middle => 0.5,
            AtZero::On => 1.0,
        }
    }

    /// That of the other side.
    pub(crate) fn opposite(self) -> AtZero {
        match self {
            AtZero::Off => AtZero::On,
            AtZero::Middle => AtZero::Middle,
            AtZero::On => AtZero::Off,
        }
    }
}

/// Needs: a program that was not decomposed. Gives: no bending operator of anything that moves in what is solved while time passes.
/// Keeps: the motion.
pub fn name_switches(program: &mut Program) {
    let arena = program.arena.clone();
    let seen = seen(program);
    let mut naming = Naming::new(program, &arena, &seen);
    let kinetic = program.monitor.results.get(1).copied().filter(|&energy| naming.is_known(energy));
    let nodes = arena.reachable(&solved(program).into_iter().chain(kinetic).collect::<Vec<_>>());
    nodes.into_iter().for_each(|node| naming.visit(node));
    let Naming { switches, directions, impulses, leaps, borders, mut replaced, mut still, rates, .. } = naming;
    for function in program.functions_in_time() {
        let results = matches!(function.name.as_str(), "derivative" | "stabilize" | "follow");
        function.rewrite(results, &mut |expr| replaced.apply(&arena, expr));
    }
    for point in &mut program.points {
        let values: Vec<(SymbolId, f64)> =
            switches.iter().map(|switch| (switch.symbol, evaluate(&arena, switch.meaning(&arena), point))).collect();
        point.extend(values.into_iter().filter(|(_, value)| value.is_finite()));
        point.extend(impulses.iter().map(|&(symbol, _)| (symbol, 0.0)));
        point.extend(borders.iter().map(|&(_, symbol)| (symbol, 0.0)));
        for direction in &directions {
            let size = evaluate(&arena, direction.length, point);
            let parts = direction.symbols.iter().zip(&direction.parts);
            let values: Vec<_> = parts.map(|(&symbol, &part)| (symbol, evaluate(&arena, part, point) / size)).collect();
            point.extend(values);
            let switch = &switches[direction.switch];
            point.extend([(switch.symbol, 1.0), (switch.slack, 0.0)]);
        }
    }
    still.extend(switches.iter().flat_map(|switch| [switch.symbol, switch.slack]));
    let forcing = forcing(program, &still);
    if switches.is_empty() && forcing.is_empty() && program.contacts.is_none() {
        return;
    }
    let mut seen = seen;
    seen.rewrite(false, &mut |expr| replaced.apply(&arena, expr));
    let jumping = impulses.iter().map(|&(_, jumping)| jumping).chain(leaps.iter().copied()).collect();
    let jumping = Function { results: jumping, ..seen.clone() };
    let kinetic = kinetic.filter(|_| switches.iter().any(|switch| switch.in_space));
    let kinetic = kinetic.map(|energy| replaced.apply(&arena, energy)).filter(|&energy| !arena.is_zero(energy));
    let kinetic = kinetic.map(|energy| Function { results: vec![energy], ..seen.clone() });
    let impulses = impulses.into_iter().map(|(symbol, _)| symbol).collect();
    let tangents = (program.directions > 0 && !switches.is_empty())
        .then(|| Function { results: tangents(program, &switches), ..seen.clone() });
    let known = known_of(program, &arena, seen, switches, directions, &rates, still);
    program.switches = Some(Switches { impulses, jumping, kinetic, tangents, borders, forcing, ..known });
}

/// The largest parts of what is solved that depend on time and on nothing else that moves, but for those that are linear in it; and
/// those of their terms that may be narrow.
fn forcing(program: &Program, still: &FxHashSet<SymbolId>) -> Vec<Expr> {
    let arena = &program.arena;
    let signals = program.memory.iter().flat_map(|memory| memory.signals.expressions());
    let roots: Vec<Expr> = solved(program).into_iter().chain(signals).collect();
    let time = arena.symbol(program.time);
    let mut in_time: FxHashSet<Expr> = FxHashSet::default();
    let mut moving: FxHashSet<Expr> = FxHashSet::default();
    let mut found: Vec<Expr> = Vec::new();
    for node in arena.reachable(&roots) {
        let children = arena.node(node).children();
        let symbol = arena.as_symbol(node);
        // What was depends on the motion, though its argument is nothing but a time.
        let was = matches!(arena.node(node), Node::Apply(Operator::Past, _));
        if was {
            moving.insert(node);
        } else if children.iter().any(|child| moving.contains(child))
            || symbol.is_some_and(|symbol| node != time && !still.contains(&symbol))
        {
            moving.insert(node);
            found.extend(children.into_iter().filter(|child| in_time.contains(child)));
        } else if node == time || children.iter().any(|child| in_time.contains(child)) {
            in_time.insert(node);
        }
    }
    found.extend(roots.into_iter().filter(|root| in_time.contains(root)));
    found.extend(found.clone().into_iter().flat_map(|part| narrow_terms(program, part)));
    found.sort_unstable();
    found.dedup();
    let mut by_time = Differentiator::by(arena, time);
    found.retain(|&part| {
        let rate = by_time.derivative(arena, part);
        arena.symbols_in(&[rate]).contains(&program.time)
    });
    found
}

/// A function that finds all that depends on the states.
fn seen(program: &Program) -> Function {
    let function = program.changes.as_ref().map_or(&program.observe, |changes| &changes.carried);
    Function { name: "switches".into(), results: Vec::new(), ..function.clone() }
}

/// What is solved or integrated while time passes, and what is solved for those who watch.
fn solved(program: &Program) -> Vec<Expr> {
    let watched = program.observe.body.iter().flat_map(Binding::expressions);
    followed(program).into_iter().chain(watched).collect()
}

/// What the motion itself goes by.
fn followed(program: &Program) -> Vec<Expr> {
    let integrals = program.integrals.iter();
    let functions = integrals
        .flat_map(|integral| [Some(&integral.derivative), integral.stabilize.as_ref(), integral.follow.as_ref()])
        .flatten();
    functions.flat_map(Function::expressions).collect()
}

pub(crate) struct Naming<'a> {
    pub(crate) arena: &'a Arena,
    time: SymbolId,
    /// What stays the same between events.
    pub(crate) still: FxHashSet<SymbolId>,
    integrated: FxHashSet<SymbolId>,
    /// What moves, and has a value wherever switches are looked at.
    known: FxHashSet<SymbolId>,
    /// The rate of each state.
    rates: FxHashMap<SymbolId, Expr>,
    /// What constraints are made of.
    constrained: FxHashSet<Expr>,
    /// What the motion goes by.
    followed: FxHashSet<Expr>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) sides: Vec<Sides>,
    directions: Vec<Direction>,
    impulses: Vec<(SymbolId, Expr)>,
    leaps: Vec<Expr>,
    /// Switches at whose borders potentials jump, with what stands for how strongly they act there.
    borders: Vec<(usize, SymbolId)>,
    /// Roots of single squares that bend.
    sizes: FxHashSet<Expr>,
    replaced: Substitution,
}

impl<'a> Naming<'a> {
    fn new(program: &Program, arena: &'a Arena, seen: &Function) -> Naming<'a> {
        let inputs = program.parameters.iter().chain(&program.variations).map(|input| input.symbol);
        let masks = program.choices().flat_map(|choice| choice.masks.iter().copied());
        let still = inputs.chain(program.controls.iter().map(|control| control.symbol)).chain(masks).collect();
        let integrals = || program.integrals.iter();
        let integrated: FxHashSet<SymbolId> =
            integrals().flat_map(|integral| &integral.states).map(|state| state.symbol).collect();
        let rates = integrals().flat_map(|integral| {
            integral.states.iter().map(|state| state.symbol).zip(integral.derivative.results.iter().copied())
        });
        let rates = rates.collect();
        let stabilize = integrals().flat_map(|integral| integral.stabilize.iter().chain(&integral.follow));
        let constrained: Vec<Expr> = stabilize.flat_map(Function::expressions).collect();
        let constrained = arena.reachable(&constrained).into_iter().collect();
        let followers = integrals().flat_map(|integral| &integral.followers).map(|state| state.symbol);
        let solved = seen.body.iter().flat_map(|binding| binding.unknowns().to_vec());
        let known = integrated.iter().copied().chain(followers).chain(solved).chain([program.time]).collect();
        Naming {
            arena,
            time: program.time,
            still,
            integrated,
            known,
            rates,
            constrained,
            followed: arena.reachable(&followed(program)).into_iter().collect(),
            switches: Vec::new(),
            sides: Vec::new(),
            directions: Vec::new(),
            impulses: Vec::new(),
            leaps: Vec::new(),
            borders: Vec::new(),
            sizes: FxHashSet::default(),
            replaced: Substitution::default(),
        }
    }

    /// Replaces a node that bends; what it is made of has been visited.
    fn visit(&mut self, node: Expr) {
        if let Node::Product(factors) = self.arena.node(node)
            && let Some(replacement) = self.directed(factors)
        {
            self.replaced.insert(node, replacement);
        } else if let Node::Product(_) = self.arena.node(node)
            && let Some(replacement) = self.sided(node)
        {
            self.replaced.insert(node, replacement);
        }
        let Node::Apply(operator, arguments) = self.arena.node(node) else { return };
        if let Some(replacement) = self.size_of_one(node) {
            self.replaced.insert(node, replacement);
            return;
        }
        if matches!(operator, Operator::Asin | Operator::Acos | Operator::Atan) {
            self.turn_back(*operator, arguments[0]);
        }
        if *operator == Operator::Sqrt && self.is_root(node) && squares(self.arena, node).is_none() {
            // The border of where it has a value is one that the motion may come to rest on.
            let of = self.replaced.apply(self.arena, arguments[0]);
            if of == arguments[0] {
                let _ = self.side(of, None);
            }
        }
        let is_root = broken_power(self.arena, node).is_some_and(|exponent| exponent > 0.0);
        if is_root && self.is_clipped(node, arguments[0]) {
            // Beyond the border, where no switch has turned yet, it would have no value.
            self.replaced.insert(node, node);
        }
        // The rate of an angle that goes round does not jump, but the angle itself does at its cut.
        let marks = matches!(operator, Operator::Impulse | Operator::Border | Operator::Leap | Operator::Atan2);
        if operator.row().bends == Bends::Smooth && !marks {
            return;
        }
        let moves = self.arena.symbols_in(&[node]).iter().any(|symbol| !self.still.contains(symbol));
        if !moves || !self.is_known(node) {
            return;
        }
        let arguments: Vec<Expr> = arguments.iter().map(|&part| self.replaced.apply(self.arena, part)).collect();
        // The rate of a force, which a claim may watch, has a leap wherever a prescribed speed jumps; nothing follows that.
        if *operator == Operator::Leap && self.followed.contains(&node) {
            self.leaps.extend(&arguments);
        }
        let replacement = match marks && *operator != Operator::Atan2 {
            true => self.smooth(*operator, &arguments),
            false => self.spread(*operator, &arguments, MOST_SIDES),
        };
        if let Some(replacement) = replacement {
            self.replaced.insert(node, replacement);
        }
    }

    /// The angle of a sine or a cosine goes back where these are extreme, and that of a tangent jumps at its poles: a switch that nothing reads, so that
    /// no step goes across.
    fn turn_back(&mut self, inverse: Operator, of: Expr) {
        let arena = self.arena;
        let quarters = match (inverse, arena.node(of)) {
            (Operator::Atan, _) => {
                let tangents = arena.reachable(&[of]).into_iter();
                let angle = |node| match arena.node(node) {
                    Node::Apply(Operator::Tan, angle) => Some((angle[0], 0.5)),
                    _ => None,
                };
                tangents.filter_map(angle).collect()
            }
            (Operator::Asin, Node::Apply(Operator::Sin, angle))
            | (Operator::Acos, Node::Apply(Operator::Sin, angle)) => {
                vec![(angle[0], 0.5)]
            }
            (_, Node::Apply(Operator::Cos, angle)) => vec![(angle[0], 0.0)],
            _ => Vec::new(),
        };
        for (angle, quarter) in quarters {
            let moves = arena.symbols_in(&[angle]).iter().any(|symbol| !self.still.contains(symbol));
            if moves && self.is_known(angle) {
                let angle = self.replaced.apply(arena, angle);
                let turns = arena.add(arena.scale(1.0 / std::f64::consts::PI, angle), arena.number(quarter));
                let _ = self.count(turns);
            }
        }
    }

    /// The root of a single square, or another broken power of it, which bends as `abs` does: a vector along one axis has such a length. That of a
    /// velocity has a direction, see [`Direction`]. Lower powers than a root are too steep there for a border to help.
    fn size_of_one(&mut self, root: Expr) -> Option<Expr> {
        let arena = self.arena;
        let exponent =
            broken_power(arena, root).filter(|&exponent| exponent >= 0.5 || (-0.25..0.0).contains(&exponent))?;
        let &[(scale, base)] = squares(arena, root)?.as_slice() else { return None };
        let moves = arena.symbols_in(&[base]).iter().any(|symbol| !self.still.contains(symbol));
        if !moves || self.is_root(root) || !self.is_known(root) || !may_vanish(arena, root) {
            return None;
        }
        let base = self.replaced.apply(arena, base);
        let size = self.spread(Operator::Abs, &[base], MOST_SIDES)?;
        self.sizes.insert(root);
        // Whole powers of the size cancel what they are divided by; what is left of the exponent has a value beyond the border, too.
        let whole = libm::floor(2.0 * exponent);
        let rest = arena.number(2.0 * exponent - whole);
        let power = arena.power(size, whole as i32);
        let rest = match arena.is_zero(rest) {
            true => arena.one(),
            false => arena.apply(Operator::Pow, &[arena.apply(Operator::Abs, &[base]), rest]),
        };
        Some(arena.scale(libm::pow(scale, 2.0 * exponent), arena.multiply(power, rest)))
    }

    /// A product in which something is divided by the root of a single square, without what cancels: where that is zero there is a side all the same.
    fn sided(&mut self, product: Expr) -> Option<Expr> {
        let arena = self.arena;
        if self.sizes.is_empty() || !arena.reachable(&[product]).iter().any(|part| self.sizes.contains(part)) {
            return None;
        }
        let (mut scale, mut left): (f64, Vec<(Expr, i32)>) = (1.0, Vec::new());
        gather(arena, self.replaced.apply(arena, product), 1, &mut scale, &mut left);
        let sides = self
            .switches
            .iter()
            .map(|switch| arena.subtract(arena.scale(2.0, arena.symbol(switch.symbol)), arena.one()));
        let sides: FxHashSet<Expr> = sides.collect();
        // A side is 1 or -1, so to divide by it is to multiply with it.
        let turned = |(base, exponent): (Expr, i32)| {
            if sides.contains(&base) { (base, exponent.abs()) } else { (base, exponent) }
        };
        let left = left.into_iter().filter(|(_, exponent)| *exponent != 0).map(turned);
        Some(arena.scale(scale, arena.product(left)))
    }

    /// Whether what a root is taken of is kept from negative values by what bends in it, as `max(x, 0)` is, and passes zero: where nothing but
    /// the root itself leads to zero, as in a tank that runs empty, the motion comes to rest there.
    fn is_clipped(&mut self, root: Expr, of: Expr) -> bool {
        let arena = self.arena;
        let jumps = |&node: &Expr| match arena.node(node) {
            Node::Apply(operator, _) => operator.row().bends == Bends::Jumps,
            _ => false,
        };
        let fits = |one: &SymbolId| self.integrated.contains(one) || *one == self.time || self.still.contains(one);
        let symbols = arena.symbols_in(&[of]);
        if !symbols.iter().all(fits) || arena.reachable(&[of]).iter().any(jumps) || self.replaced.apply(arena, of) == of
        {
            return false;
        }
        let mut otherwise = Substitution::new([(root, arena.zero())]);
        let mut clock = Differentiator::by(arena, arena.symbol(self.time));
        for one in symbols {
            if let Some(&rate) = self.rates.get(&one) {
                clock.seed(arena.symbol(one), otherwise.apply(arena, rate));
            }
        }
        let passes = !arena.is_zero(clock.derivative(arena, of));
        passes && enclose(arena, &[of], &Region::default())[&of].low >= 0.0
    }

    /// Whether something is a root, whose tip is a single point: nothing rests there that does not rest beside it.
    fn is_tip(&self, expr: Expr) -> bool {
        matches!(self.arena.node(expr), Node::Apply(Operator::Sqrt, _))
    }

    /// Whether an expression has a value wherever switches are looked at.
    fn is_known(&self, expr: Expr) -> bool {
        let known = |symbol: &SymbolId| self.still.contains(symbol) || self.known.contains(symbol);
        self.arena.symbols_in(&[expr]).iter().all(known)
    }

    /// The operator with switches in place of what bends. For switches of 0 and 1 the sums of products below are exact.
    pub(crate) fn smooth(&mut self, operator: Operator, arguments: &[Expr]) -> Option<Expr> {
        let arena = self.arena;
        let not = |truth: Expr| arena.subtract(arena.one(), truth);
        let side = |truth: Expr| arena.subtract(arena.scale(2.0, truth), arena.one());
        Some(match (operator, arguments) {
            (Operator::Less, &[a, b]) => self.side(arena.subtract(b, a), Some(AtZero::Off)),
            (Operator::LessEqual, &[a, b]) => self.side(arena.subtract(b, a), Some(AtZero::On)),
            (Operator::Equal, &[a, b]) if ![a, b].into_iter().any(|it| self.is_tip(it)) => {
                let margin = arena.subtract(b, a);
                let above = self.side(margin, Some(AtZero::Off));
                arena.subtract(self.side(margin, Some(AtZero::On)), above)
            }
            (Operator::Min, &[a, b]) => {
                let truth = self.side(arena.subtract(b, a), None);
                self.choose(truth, a, b)
            }
            (Operator::Max, &[a, b]) => {
                let truth = self.side(arena.subtract(a, b), None);
                self.choose(truth, a, b)
            }
            (Operator::Abs, &[x]) => arena.multiply(side(self.side(x, None)), x),
            (Operator::Sign, &[x]) => side(self.side(x, Some(AtZero::Middle))),
            (Operator::Floor, &[x]) => self.count(x),
            (Operator::And, &[a, b]) => arena.multiply(a, b),
            (Operator::Or, &[a, b]) => not(arena.multiply(not(a), not(b))),
            (Operator::Not, &[a]) => not(a),
            (Operator::Select, &[truth, a, b]) => self.choose(truth, a, b),
            (Operator::Atan2, &[y, x]) => {
                let (above, right) = (self.side(y, Some(AtZero::On)), self.side(x, None));
                let opposite = arena.apply(Operator::Atan2, &[arena.negate(y), arena.negate(x)]);
                let left = arena.add(opposite, arena.scale(std::f64::consts::PI, side(above)));
                arena.apply(Operator::Select, &[right, arena.apply(Operator::Atan2, &[y, x]), left])
            }
            (Operator::Impulse, &[jumping]) => {
                let symbol = arena.new_symbol(&format!("impulse{}", self.impulses.len() + 1));
                self.still.insert(symbol);
                self.impulses.push((symbol, jumping));
                arena.symbol(symbol)
            }
            (Operator::Border, &[jumping]) => {
                let place =
                    self.switches.iter().position(|switch| arena.symbols_in(&[jumping]).contains(&switch.symbol));
                let border = self.switches[place.filter(|&at| self.switches[at].on_states)?].border;
                let known = self.borders.iter().find(|(at, _)| *at == border).map(|(_, symbol)| *symbol);
                let symbol = known.unwrap_or_else(|| arena.new_symbol(&format!("border{}", border + 1)));
                if known.is_none() {
                    self.borders.push((border, symbol));
                    self.still.insert(symbol);
                }
                arena.symbol(symbol)
            }
            (Operator::Leap, _) => arena.zero(),
            _ => return None,
        })
    }

    /// The whole part of something.
    fn count(&mut self, margin: Expr) -> Expr {
        let known = |switch: &Switch| switch.kind == SwitchKind::Count && switch.margin == margin;
        let place = self.switches.iter().position(known);
        let place = place.unwrap_or_else(|| self.switch(SwitchKind::Count, margin, None));
        self.arena.symbol(self.switches[place].symbol)
    }

    /// A new switch; its place.
    pub(crate) fn switch(&mut self, kind: SwitchKind, margin: Expr, at_zero: Option<AtZero>) -> usize {
        let arena = self.arena;
        let symbol = arena.new_symbol(&format!("switch{}", self.switches.len() + 1));
        let slack = arena.new_symbol(&format!("slack{}", self.switches.len() + 1));
        let moving: Vec<SymbolId> =
            arena.symbols_in(&[margin]).into_iter().filter(|one| !self.still.contains(one)).collect();
        let schedule = (moving == [self.time]).then(|| self.constant_rate(margin)).flatten();
        let integrated = |one: &SymbolId| self.integrated.contains(one) || *one == self.time;
        let in_space = moving != [self.time];
        let on_states = in_space && moving.iter().all(integrated);
        self.still.extend([symbol, slack]);
        let used = arena.symbols_in(&[margin]);
        let inner: Vec<usize> =
            (0..self.switches.len()).filter(|&at| used.contains(&self.switches[at].symbol)).collect();
        let level = inner.iter().map(|&at| self.switches[at].level + 1).max().unwrap_or(0);
        let border = self.switches.len();
        let switch =
            Switch { symbol, kind, margin, slack, at_zero, border, schedule, on_states, in_space, inner, level };
        self.switches.push(switch);
        border
    }

    /// The derivative by time of something that depends on nothing else that moves, if it stays the same.
    fn constant_rate(&self, margin: Expr) -> Option<Expr> {
        let time = self.arena.symbol(self.time);
        let rate = Differentiator::by(self.arena, time).derivative(self.arena, margin);
        (!self.arena.symbols_in(&[rate]).contains(&self.time)).then_some(rate)
    }

    /// A product in which a vector that may come to rest is divided by its length.
    fn directed(&mut self, factors: &[(Expr, i32)]) -> Option<Expr> {
        let arena = self.arena;
        if !factors.iter().any(|&(base, exponent)| exponent < 0 && self.is_root(base)) {
            return None;
        }
        let factors = &flat(arena, factors);
        let &(size, _) = factors.iter().find(|&&(base, exponent)| exponent == -1 && self.is_root(base))?;
        let parts = squares(arena, size).filter(|_| may_vanish(arena, size))?;
        for (at, &(scale, base)) in parts.iter().enumerate() {
            if let Some(others) = without(arena, factors, arena.divide(base, size)) {
                let direction = self.direction(size, &parts);
                let others = self.replaced.apply(arena, others);
                return Some(arena.scale(1.0 / scale, arena.multiply(others, self.part_of(direction, at))));
            }
        }
        // A sum times 1 / |w|, if each of its terms has a part of w.
        factors.iter().enumerate().find_map(|(at, &(base, exponent))| {
            let Node::Sum(terms, constant) = arena.node(base) else { return None };
            if exponent != 1 || !constant.is_zero() {
                return None;
            }
            let others = factors.iter().enumerate().filter(|(of, _)| *of != at).map(|(_, it)| *it);
            let others = arena.product(others);
            let each = terms.iter().map(|&(coefficient, term)| match arena.node(arena.multiply(term, others)) {
                Node::Product(factors) => Some((coefficient, self.directed(factors)?)),
                _ => None,
            });
            Some(arena.sum(each.collect::<Option<Vec<_>>>()?))
        })
    }

    /// Whether something is a root of velocities, or of what else switches act on at once: the length of a vector, mostly.
    fn is_root(&self, size: Expr) -> bool {
        let Node::Apply(Operator::Sqrt, _) = self.arena.node(size) else { return false };
        let symbols = self.arena.symbols_in(&[size]);
        let fits = |one: &SymbolId| self.integrated.contains(one) || *one == self.time || self.still.contains(one);
        let acted_on = |one: &SymbolId| self.rates.get(one).is_some_and(|&rate| !self.is_given(rate, Some(size)));
        symbols.iter().all(fits) && symbols.iter().any(acted_on) && !self.constrained.contains(&size)
    }

    /// Whether a rate follows from states and time alone, whatever switches and directions are.
    fn is_given(&self, rate: Expr, size: Option<Expr>) -> bool {
        let symbols = self.arena.symbols_in(&[rate]);
        let known = |one: &SymbolId| self.integrated.contains(one) || *one == self.time || self.still.contains(one);
        let bends = |&node: &Expr| {
            let bends =
                matches!(self.arena.node(node), Node::Apply(operator, _) if operator.row().bends != Bends::Smooth);
            bends || Some(node) == size || self.directions.iter().any(|direction| direction.size == node)
        };
        symbols.iter().all(known) && !self.arena.reachable(&[rate]).iter().any(bends)
    }

    /// The direction of a vector, by its length and its parts. Its length goes on beyond rest with the other sign.
    fn direction(&mut self, size: Expr, parts: &[(f64, Expr)]) -> usize {
        let arena = self.arena;
        if let Some(known) = self.directions.iter().position(|direction| direction.size == size) {
            return known;
        }
        let number = self.directions.len() + 1;
        let symbols: Vec<SymbolId> =
            (1..=parts.len()).map(|part| arena.new_symbol(&format!("direction{number}_{part}"))).collect();
        self.still.extend(&symbols);
        let parts = parts.iter().map(|&(scale, base)| arena.scale(scale, self.replaced.apply(arena, base)));
        let parts: Vec<Expr> = parts.collect();
        let length = self.replaced.apply(arena, size);
        let along = symbols.iter().zip(&parts).map(|(&symbol, &part)| arena.multiply(arena.symbol(symbol), part));
        let margin = along.fold(arena.zero(), |sum, part| arena.add(sum, part));
        let switch = self.switch(SwitchKind::Side, margin, Some(AtZero::On));
        let onwards = arena.apply(Operator::Less, &[arena.zero(), margin]);
        let signed = arena.apply(Operator::Select, &[onwards, length, arena.negate(length)]);
        self.replaced.insert(size, signed);
        self.directions.push(Direction { switch, symbols, parts, size, length, signed });
        number - 1
    }

    /// A part of w / |w| while w moves; else what stands for it.
    fn part_of(&self, direction: usize, at: usize) -> Expr {
        let arena = self.arena;
        let Direction { switch, ref symbols, ref parts, length, signed, .. } = self.directions[direction];
        let Switch { symbol, slack, .. } = self.switches[switch];
        let far = arena.apply(Operator::Less, &[arena.symbol(slack), length]);
        let moves = arena.multiply(arena.symbol(symbol), far);
        arena.apply(Operator::Select, &[moves, arena.divide(parts[at], signed), arena.symbol(symbols[at])])
    }
}

/// A power above this is narrow rather than bent.
const HIGHEST_POWER: f64 = 1e3;

/// What the program has to know of its switches.
fn known_of(
    program: &Program,
    arena: &Arena,
    seen: Function,
    all: Vec<Switch>,
    directions: Vec<Direction>,
    rates: &FxHashMap<SymbolId, Expr>,
    mut still: FxHashSet<SymbolId>,
) -> Switches {
    let parts = directions.iter().flat_map(|direction| direction.parts.iter().copied());
    let margins: Vec<Expr> = all.iter().map(|switch| switch.margin).chain(parts).collect();
    let is_direction = |at: usize| directions.iter().any(|direction| direction.switch == at);
    let is_slider = |at: &usize| all.get(*at).is_none_or(|switch| switch.on_states && !is_direction(*at));
    let sliders: Vec<usize> = (0..margins.len()).filter(is_slider).collect();
    let speeds = speeds(arena, program.time, rates, sliders.iter().map(|&at| margins[at]));
    let kept = sliders.iter().map(|&at| margins[at]).chain(speeds.iter().map(|&(_, speed)| speed));
    let kept: Vec<Expr> = kept.collect();
    let roundings = margins.iter().map(|&margin| rounding(arena, margin));
    let results = margins.iter().copied().chain(roundings).chain(speeds.iter().map(|&(_, speed)| speed)).collect();
    let margins = Function { results, ..seen.clone() };
    let located: Vec<Expr> =
        all.iter().filter(|switch| switch.schedule.is_none()).map(|switch| leaving(arena, switch)).collect();
    still.insert(program.time);
    let leaving = Margins::new(arena, located, &still, |results| Function { results, ..seen });
    let states: Vec<SymbolId> =
        program.integrals.iter().flat_map(|integral| &integral.states).map(|state| state.symbol).collect();
    let gradients = jacobian(arena, &kept, &states);
    let mut by_time = Differentiator::by(arena, arena.symbol(program.time));
    let time_slopes = kept.iter().map(|&margin| by_time.derivative(arena, margin)).collect();
    let jumping = Function { results: Vec::new(), ..margins.clone() };
    let (impulses, borders, forcing) = (Vec::new(), Vec::new(), Vec::new());
    Switches {
        all,
        directions,
        margins,
        leaving,
        sliders,
        speeds,
        gradients,
        time_slopes,
        impulses,
        jumping,
        kinetic: None,
        tangents: None,
        borders,
        forcing,
    }
}

/// How margins of states, of the discrete variables and of the time change in each direction, then their slopes by the time alone. What follows from
/// states by equations is left out: its derivatives have no names here.
fn tangents(program: &Program, switches: &[Switch]) -> Vec<Expr> {
    let (arena, directions) = (&program.arena, program.directions);
    let discrete = program.changes.as_ref().map_or(&[][..], |changes| &changes.discrete);
    let mut results = Vec::new();
    for direction in 0..directions {
        let mut along = Differentiator::new();
        let mut seed = |of: SymbolId, by: SymbolId| along.seed(arena.symbol(of), arena.symbol(by));
        for integral in &program.integrals {
            let number = integral.states.len() / (1 + directions);
            let tangents = &integral.states[(1 + direction) * number..][..number];
            integral.states[..number]
                .iter()
                .zip(tangents)
                .for_each(|(state, tangent)| seed(state.symbol, tangent.symbol));
        }
        let variations = program.variations[direction * discrete.len()..].iter();
        discrete.iter().zip(variations).for_each(|(discrete, variation)| seed(discrete.symbol, variation.symbol));
        seed(program.time, program.variations[directions * discrete.len() + direction].symbol);
        if let Some(&varied) = program.varied.get(direction) {
            along.seed(arena.symbol(varied), length(arena, varied));
        }
        results.extend(switches.iter().map(|switch| along.derivative(arena, switch.margin)));
    }
    let mut by_time = Differentiator::by(arena, arena.symbol(program.time));
    results.extend(switches.iter().map(|switch| by_time.derivative(arena, switch.margin)));
    results
}

/// The rates of those margins whose rates follow from states and time alone.
fn speeds(
    arena: &Arena,
    time: SymbolId,
    rates: &FxHashMap<SymbolId, Expr>,
    margins: impl Iterator<Item = Expr>,
) -> Vec<(usize, Expr)> {
    let is_state = |one: &SymbolId| rates.contains_key(one);
    let given = |one: SymbolId| {
        let rate = *rates.get(&one)?;
        let smooth = |&node: &Expr| match arena.node(node) {
            Node::Apply(operator, _) => operator.row().bends == Bends::Smooth && *operator != Operator::Sqrt,
            Node::Symbol(symbol) => is_state(symbol) || *symbol == time,
            _ => true,
        };
        arena.reachable(&[rate]).iter().all(smooth).then_some(rate)
    };
    let speed = |margin: Expr| {
        let mut clock = Differentiator::by(arena, arena.symbol(time));
        for one in arena.symbols_in(&[margin]).into_iter().filter(is_state) {
            clock.seed(arena.symbol(one), given(one)?);
        }
        Some(clock.derivative(arena, margin)).filter(|&speed| arena.symbols_in(&[speed]).iter().any(is_state))
    };
    margins.enumerate().filter_map(|(at, margin)| Some((at, speed(margin)?))).collect()
}

/// The exponent of a root, or of a power that is not whole.
fn broken_power(arena: &Arena, root: Expr) -> Option<f64> {
    match arena.node(root) {
        Node::Apply(Operator::Sqrt, _) => Some(0.5),
        Node::Apply(Operator::Pow, arguments) => {
            let exponent = arena.as_number(arguments[1])?.value();
            (exponent != libm::floor(exponent) && exponent.abs() < HIGHEST_POWER).then_some(exponent)
        }
        _ => None,
    }
}

/// The numbers whose squares a root is taken of, each with a factor.
fn squares(arena: &Arena, size: Expr) -> Option<Vec<(f64, Expr)>> {
    let Node::Apply(_, of) = arena.node(size) else { return None };
    let terms: Vec<(f64, Expr)> = match arena.node(of[0]) {
        Node::Sum(terms, constant) if constant.value() >= 0.0 => {
            terms.iter().map(|&(coefficient, term)| (coefficient.value(), term)).collect()
        }
        _ => vec![(1.0, of[0])],
    };
    let root = |(coefficient, term): (f64, Expr)| match arena.node(term) {
        Node::Product(factors) if coefficient > 0.0 && factors.iter().all(|(_, exponent)| exponent % 2 == 0) => {
            let base = arena.product(factors.iter().map(|&(base, exponent)| (base, exponent / 2)));
            Some((coefficient.sqrt(), base))
        }
        _ => None,
    };
    terms.into_iter().map(root).collect()
}

/// Whether no number keeps a root of squares from zero.
fn may_vanish(arena: &Arena, size: Expr) -> bool {
    let Node::Apply(_, of) = arena.node(size) else { return false };
    !matches!(arena.node(of[0]), Node::Sum(_, constant) if !constant.is_zero())
}

/// The factors of a product whose factors may be products.
fn flat(arena: &Arena, factors: &[(Expr, i32)]) -> Vec<(Expr, i32)> {
    let each = factors.iter().flat_map(|&(base, exponent)| match arena.node(base) {
        Node::Product(inner) => {
            flat(arena, inner).into_iter().map(|(base, times)| (base, times * exponent)).collect::<Vec<_>>()
        }
        _ => vec![(base, exponent)],
    });
    each.collect()
}

/// The factors of a power of something, each once, with the sum of its exponents, and the numbers among them.
fn gather(arena: &Arena, of: Expr, exponent: i32, scale: &mut f64, found: &mut Vec<(Expr, i32)>) {
    match arena.node(of) {
        Node::Product(factors) => {
            factors.iter().for_each(|&(base, times)| gather(arena, base, times * exponent, scale, found));
        }
        Node::Sum(terms, constant) if terms.len() == 1 && constant.is_zero() => {
            let factor = terms[0].0.value();
            for _ in 0..exponent.abs() {
                *scale = if exponent > 0 { *scale * factor } else { *scale / factor };
            }
            gather(arena, terms[0].1, exponent, scale, found);
        }
        _ => match found.iter_mut().find(|(base, _)| *base == of) {
            Some((_, times)) => *times += exponent,
            None => found.push((of, exponent)),
        },
    }
}

/// What is left of a product without another that is a part of it.
fn without(arena: &Arena, factors: &[(Expr, i32)], part: Expr) -> Option<Expr> {
    let Node::Product(part) = arena.node(part) else { return None };
    let mut left = factors.to_vec();
    for (base, exponent) in flat(arena, part) {
        let of_sign = |(of, there): &&mut (Expr, i32)| *of == base && there.signum() == exponent.signum();
        let factor = left.iter_mut().find(of_sign).filter(|factor| factor.1.abs() >= exponent.abs())?;
        factor.1 -= exponent;
    }
    Some(arena.product(left.into_iter().filter(|&(_, exponent)| exponent != 0)))
}

/// A number that is positive where the switch has to turn.
fn leaving(arena: &Arena, switch: &Switch) -> Expr {
    let (value, margin, slack) = (arena.symbol(switch.symbol), switch.margin, arena.symbol(switch.slack));
    let beyond = match switch.kind {
        SwitchKind::Side => {
            let beyond = arena.multiply(arena.subtract(arena.one(), arena.scale(2.0, value)), margin);
            // `sign` of zero is neither; what can slide stays there until it leaves, and never turns by its margin.
            let middle = arena.apply(Operator::Equal, &[value, arena.number(0.5)]);
            let size = arena.apply(Operator::Abs, &[margin]);
            let may_rest = switch.at_zero == Some(AtZero::Middle) && !switch.on_states;
            if may_rest { arena.apply(Operator::Select, &[middle, size, beyond]) } else { beyond }
        }
        SwitchKind::Count => {
            let above = arena.subtract(arena.subtract(margin, value), arena.one());
            arena.apply(Operator::Max, &[above, arena.subtract(value, margin)])
        }
    };
    arena.subtract(beyond, slack)
}
