//! What a unit says of itself: `modelDescription.xml`, of FMI 2.0 and 3.0 alike.

use roxmltree::{Document, Node, ParsingOptions};
use rustc_hash::FxHashMap;

/// More elements, or elements within elements, are no description of a unit that a scene can use.
const MOST_NODES: u32 = 1_000_000;

#[derive(Clone)]
pub struct Description {
    /// Of the standard: 2 or 3.
    pub version: u32,
    pub name: String,
    /// Compared by the library with its own: `guid`, or `instantiationToken`.
    pub token: String,
    exchange: Option<Kind>,
    simulation: Option<Kind>,
    /// In seconds, between communication points, if a default is given.
    pub step: Option<f64>,
    pub variables: Vec<Variable>,
    /// The first variable of each reference.
    by_reference: FxHashMap<u32, usize>,
    pub states: Vec<State>,
    pub indicators: usize,
    pub clocks: Vec<Clock>,
    /// A clock that nobody here can tick.
    foreign_clock: Option<String>,
    is_scheduled: bool,
    /// Variables that are no numbers, or are too many, by their names.
    pub left_out: Vec<String>,
    units: FxHashMap<String, Unit>,
}

/// How a unit is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// Our integrator has its states.
    ModelExchange,
    /// It integrates by itself, from sample to sample.
    CoSimulation,
}

#[derive(Clone)]
pub struct Kind {
    pub identifier: String,
    pub has_slopes: bool,
    pub is_alone: bool,
    /// Files of C that the library is made of, if the description names them (2.0).
    pub sources: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub reference: u32,
    pub causality: String,
    pub variability: String,
    pub number: Option<Number>,
    pub start: Option<f64>,
    pub unit: Option<String>,
    pub note: String,
    /// Whether it has a start that it keeps (`initial="exact"`, or none said).
    is_exact: bool,
    /// Which number of an array it is, and how many that has.
    pub element: usize,
    pub length: usize,
    /// Of what it is the derivative, by place (2.0) or by reference (3.0).
    derivative: Option<u32>,
    /// On what it depends at an instant, by place or reference; everything, if nothing is said.
    dependencies: Option<Vec<u32>>,
    /// Whether inputs decide what it is at the start.
    pub starts_from_inputs: bool,
}

/// How the library keeps a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Float64,
    Float32,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Boolean,
}

/// How a library knows a variable: its type, its name, and how many numbers it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Called {
    pub number: Number,
    pub reference: u32,
    pub length: usize,
}

/// A clock that somebody outside of the unit has to tick, at even intervals.
#[derive(Clone, Debug)]
pub struct Clock {
    pub reference: u32,
    /// In seconds: from one tick to the next, and to the first.
    pub interval: f64,
    pub shift: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Places among the variables.
    pub variable: usize,
    pub rate: usize,
}

/// A unit of measurement: `base = factor * value + offset`.
#[derive(Clone, Debug)]
pub struct Unit {
    /// In base units, as the language writes it; empty for plain numbers.
    pub text: String,
    pub factor: f64,
    pub offset: f64,
}

/// Of an interval. Instants of events are located to rounding of the time, and a time of 1e6 intervals has 1e-10 of them left.
const SAME_TICK: f64 = 1e-9;

static PLAIN: Unit = Unit { text: String::new(), factor: 1.0, offset: 0.0 };

pub fn read(text: &str) -> Result<Description, String> {
    if formats::too_many_attributes(text).is_some() {
        return Err("an element of its description has more than 500 attributes".to_string());
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options);
    let document = document.map_err(|error| format!("its description is no XML that can be read: {error}"))?;
    let root = document.root_element();
    let version = match root.attribute("fmiVersion") {
        Some(version) if version.starts_with("2.") => 2,
        Some(version) if version.starts_with("3.") => 3,
        Some(version) => return Err(format!("it is for FMI {version}; 2.0 and 3.0 can be used")),
        None => return Err("its description names no version of FMI".to_string()),
    };
    let token = root.attribute(if version == 2 { "guid" } else { "instantiationToken" });
    let (clocks, foreign_clock) = clocks(root);
    let (variables, left_out) = variables(root, version)?;
    let mut description = Description {
        version,
        name: root.attribute("modelName").unwrap_or("").to_string(),
        token: token.ok_or("its description has no token for the library")?.to_string(),
        exchange: kind(root, "ModelExchange"),
        simulation: kind(root, "CoSimulation"),
        step: child(root, "DefaultExperiment").and_then(|it| number(it, "stepSize")),
        by_reference: variables.iter().enumerate().rev().map(|(at, variable)| (variable.reference, at)).collect(),
        variables,
        left_out,
        clocks,
        foreign_clock,
        is_scheduled: child(root, "ScheduledExecution").is_some(),
        states: Vec::new(),
        indicators: root.attribute("numberOfEventIndicators").and_then(|text| text.parse().ok()).unwrap_or(0),
        units: units(root),
    };
    description.structure(root)?;
    Ok(description)
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn number(node: Node<'_, '_>, name: &str) -> Option<f64> {
    node.attribute(name).and_then(|text| text.trim().parse().ok()).filter(|value: &f64| value.is_finite())
}

fn says(node: Node<'_, '_>, name: &str) -> bool {
    matches!(node.attribute(name), Some("true" | "1"))
}

fn kind(root: Node<'_, '_>, name: &str) -> Option<Kind> {
    let node = child(root, name)?;
    // The identifier names a file.
    let identifier = node.attribute("modelIdentifier")?;
    let is_word = identifier.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word.then(|| Kind {
        identifier: identifier.to_string(),
        has_slopes: says(node, "providesDirectionalDerivative") || says(node, "providesDirectionalDerivatives"),
        is_alone: says(node, "canBeInstantiatedOnlyOncePerProcess"),
        sources: child(node, "SourceFiles")
            .into_iter()
            .flat_map(|files| files.children())
            .filter_map(|file| file.attribute("name").map(str::to_string))
            .collect(),
    })
}

/// More numbers in one array are left out.
const MOST_ELEMENTS: usize = 400;

/// Numbers, those of arrays one by one; and the names of what is left out.
fn variables(root: Node<'_, '_>, version: u32) -> Result<(Vec<Variable>, Vec<String>), String> {
    let types = types(root);
    let all = child(root, "ModelVariables").ok_or("its description names no variables")?;
    let (mut variables, mut left_out) = (Vec::new(), Vec::new());
    let sizes = sizes(all);
    for node in all.children().filter(Node::is_element) {
        let one = variable(node, version, &types)?;
        let shape = shape(node, &sizes);
        let length =
            shape.as_ref().and_then(|shape| shape.iter().try_fold(1_usize, |all, &size| all.checked_mul(size)));
        let fits = length.is_some_and(|length| (1..=MOST_ELEMENTS).contains(&length));
        let counts = ["input", "output", "parameter"].contains(&one.causality.as_str());
        if counts && (one.number.is_none() || !fits) && node.tag_name().name() != "Clock" {
            left_out.push(one.name.clone());
        }
        match shape {
            Some(shape) if !shape.is_empty() && fits => elements(node, &one, &shape, &mut variables)?,
            Some(shape) if shape.is_empty() => variables.push(one),
            _ => variables.push(Variable { number: None, ..one }),
        }
    }
    Ok((variables, left_out))
}

/// What a variable says of itself, without heed of its shape.
fn variable(node: Node<'_, '_>, version: u32, types: &FxHashMap<String, String>) -> Result<Variable, String> {
    let own = if version == 2 { node.children().find(Node::is_element).unwrap_or(node) } else { node };
    let number = match own.tag_name().name() {
        "Real" | "Float64" => Some(Number::Float64),
        "Float32" => Some(Number::Float32),
        "Int8" => Some(Number::Int8),
        "UInt8" => Some(Number::UInt8),
        "Int16" => Some(Number::Int16),
        "UInt16" => Some(Number::UInt16),
        "Integer" | "Int32" => Some(Number::Int32),
        "UInt32" => Some(Number::UInt32),
        "Enumeration" if version == 2 => Some(Number::Int32),
        "Enumeration" | "Int64" => Some(Number::Int64),
        "UInt64" => Some(Number::UInt64),
        "Boolean" => Some(Number::Boolean),
        _ => None,
    };
    let text = |name: &str| node.attribute(name).unwrap_or("").to_string();
    let start = own.attribute("start").and_then(|start| value(start.trim()));
    let reference = node.attribute("valueReference").and_then(|text| text.parse().ok());
    let declared = own.attribute("declaredType").and_then(|name| types.get(name).cloned());
    let is_continuous = matches!(number, Some(Number::Float64 | Number::Float32));
    let usual = if is_continuous { "continuous" } else { "discrete" };
    let has_start = own.attribute("start").is_some();
    Ok(Variable {
        name: text("name"),
        reference: reference.ok_or_else(|| format!("its variable `{}` has no reference", text("name")))?,
        causality: node.attribute("causality").unwrap_or("local").to_string(),
        variability: node.attribute("variability").unwrap_or(usual).to_string(),
        number,
        start,
        unit: own.attribute("unit").map(str::to_string).or(declared),
        note: node.attribute("description").unwrap_or("").to_string(),
        is_exact: has_start && matches!(node.attribute("initial"), Some("exact") | None),
        element: 0,
        length: 1,
        derivative: own.attribute("derivative").and_then(|text| text.parse().ok()),
        dependencies: None,
        starts_from_inputs: false,
    })
}

fn value(text: &str) -> Option<f64> {
    match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        number => number.parse().ok().filter(|value: &f64| value.is_finite()),
    }
}

/// What structural parameters say at the start, by their references: the sizes of arrays, which stay so here.
fn sizes(all: Node<'_, '_>) -> FxHashMap<u32, usize> {
    let structural = all.children().filter(|node| node.attribute("causality") == Some("structuralParameter"));
    let size = |node: Node<'_, '_>| {
        Some((node.attribute("valueReference")?.parse().ok()?, node.attribute("start")?.trim().parse().ok()?))
    };
    structural.filter_map(size).collect()
}

/// The sizes of an array, of which a plain number has none; nothing, if they are not known.
fn shape(node: Node<'_, '_>, sizes: &FxHashMap<u32, usize>) -> Option<Vec<usize>> {
    let size = |node: Node<'_, '_>| match (node.attribute("start"), node.attribute("valueReference")) {
        (Some(size), _) => size.trim().parse().ok(),
        (None, named) => sizes.get(&named?.parse().ok()?).copied(),
    };
    node.children().filter(|child| child.has_tag_name("Dimension")).map(size).collect()
}

/// The numbers of an array, the last place of their names counting fastest: `A_1_1`, `A_1_2`, …
fn elements(node: Node<'_, '_>, one: &Variable, shape: &[usize], all: &mut Vec<Variable>) -> Result<(), String> {
    let length: usize = shape.iter().product();
    let starts: Vec<&str> = node.attribute("start").unwrap_or("").split_whitespace().collect();
    if starts.len() > 1 && starts.len() != length {
        let found = starts.len();
        return Err(format!("its array `{}` has {length} numbers, and {found} of them at the start", one.name));
    }
    for element in 0..length {
        let mut places: Vec<String> = Vec::new();
        let mut rest = element;
        for size in shape.iter().rev() {
            places.push((rest % size + 1).to_string());
            rest /= size;
        }
        places.reverse();
        let name = format!("{}_{}", one.name, places.join("_"));
        let start = starts.get(element).or(starts.first()).and_then(|text| value(text));
        all.push(Variable { name, start, element, length, ..one.clone() });
    }
    Ok(())
}

/// Clocks that wait for ticks at even intervals, and the name of one that waits for others. Those of the unit itself tick by themselves.
fn clocks(root: Node<'_, '_>) -> (Vec<Clock>, Option<String>) {
    let all = child(root, "ModelVariables").into_iter().flat_map(|it| it.children());
    let (mut clocks, mut foreign) = (Vec::new(), None);
    for node in all.filter(|it| it.has_tag_name("Clock") && it.attribute("causality") == Some("input")) {
        let is_even = matches!(node.attribute("intervalVariability"), Some("constant" | "fixed"));
        let reference = node.attribute("valueReference").and_then(|text| text.parse().ok());
        let interval = number(node, "intervalDecimal").filter(|interval| is_even && *interval > 0.0);
        match (reference, interval) {
            (Some(reference), Some(interval)) => {
                let shift = number(node, "shiftDecimal").unwrap_or(0.0).max(0.0);
                clocks.push(Clock { reference, interval, shift });
            }
            _ => foreign = Some(node.attribute("name").unwrap_or("").to_string()),
        }
    }
    (clocks, foreign)
}

/// The units of declared types.
fn types(root: Node<'_, '_>) -> FxHashMap<String, String> {
    let all = child(root, "TypeDefinitions").into_iter().flat_map(|it| it.children()).filter(Node::is_element);
    let unit = |node: Node<'_, '_>| {
        let inside = node.children().find(Node::is_element).and_then(|own| own.attribute("unit"));
        Some((node.attribute("name")?.to_string(), node.attribute("unit").or(inside)?.to_string()))
    };
    all.filter_map(unit).collect()
}

fn units(root: Node<'_, '_>) -> FxHashMap<String, Unit> {
    let all = child(root, "UnitDefinitions").into_iter().flat_map(|it| it.children());
    let unit = |node: Node<'_, '_>| {
        let base = child(node, "BaseUnit")?;
        let exponent = |name: &&str| base.attribute(*name).and_then(|text| text.parse::<i32>().ok()).unwrap_or(0);
        let factor = number(base, "factor").unwrap_or(1.0);
        let own = Unit { text: in_base_units(exponent), factor, offset: number(base, "offset").unwrap_or(0.0) };
        (factor != 0.0).then(|| node.attribute("name").map(|name| (name.to_string(), own)))?
    };
    all.filter_map(unit).collect()
}

/// `kg*m^2/(s^3*A)`; angles are plain numbers.
fn in_base_units(exponent: impl Fn(&&str) -> i32) -> String {
    let parts = |sign: i32| -> Vec<String> {
        let powers = ["kg", "m", "s", "A", "K", "mol", "cd"].into_iter().map(|unit| (unit, sign * exponent(&unit)));
        let power = |(unit, power): (&str, i32)| match power {
            ..=0 => None,
            1 => Some(unit.to_string()),
            _ => Some(format!("{unit}^{power}")),
        };
        powers.filter_map(power).collect()
    };
    let (above, below) = (parts(1), parts(-1));
    match (above.is_empty(), below.is_empty()) {
        (true, true) => String::new(),
        (false, true) => above.join("*"),
        (is_over, false) => {
            let above = if is_over { "1".to_string() } else { above.join("*") };
            let below = if below.len() == 1 { below[0].clone() } else { format!("({})", below.join("*")) };
            format!("{above}/{below}")
        }
    }
}

impl Description {
    /// What depends on what, and which variables are states.
    fn structure(&mut self, root: Node<'_, '_>) -> Result<(), String> {
        let Some(structure) = child(root, "ModelStructure") else { return Ok(()) };
        let lists: Vec<(&str, Vec<Node<'_, '_>>)> = match self.version {
            2 => {
                let list = |name| child(structure, name).into_iter().flat_map(|it| it.children());
                ["Outputs", "Derivatives", "InitialUnknowns"]
                    .map(|name| (name, list(name).filter(Node::is_element).collect()))
                    .into()
            }
            _ => {
                let list = |name: &str| structure.children().filter(|it| it.has_tag_name(name)).collect();
                ["Output", "ContinuousStateDerivative", "InitialUnknown"].map(|name| (name, list(name))).into()
            }
        };
        for (name, unknowns) in lists {
            for node in unknowns {
                let named = node.attribute(if self.version == 2 { "index" } else { "valueReference" });
                let place = named.and_then(|text| text.parse().ok()).and_then(|named| self.place(named));
                let place = place.ok_or("its structure names a variable that is not there")?;
                let dependencies = node
                    .attribute("dependencies")
                    .map(|list| -> Vec<u32> { list.split_whitespace().filter_map(|text| text.parse().ok()).collect() });
                if name.starts_with("Initial") {
                    let input =
                        |named: &u32| self.place(*named).is_none_or(|at| self.variables[at].causality == "input");
                    let starts_so = dependencies.is_none_or(|all| all.iter().any(input));
                    self.elements(place).for_each(|at| self.variables[at].starts_from_inputs = starts_so);
                } else {
                    self.elements(place).for_each(|at| self.variables[at].dependencies.clone_from(&dependencies));
                }
                if name.contains("Derivative") {
                    let of = self.variables[place].derivative.and_then(|named| self.place(named));
                    let alike = of.filter(|&of| self.variables[of].length == self.variables[place].length);
                    let first = alike.ok_or_else(|| {
                        format!("its structure calls `{}` a rate, and not of what", self.variables[place].name)
                    })?;
                    let pairs = self.elements(first).zip(self.elements(place));
                    self.states.extend(pairs.map(|(variable, rate)| State { variable, rate }));
                }
            }
        }
        if self.version == 3 {
            let named = |it: Node<'_, '_>| it.attribute("valueReference").and_then(|text| text.parse().ok());
            let indicators = structure.children().filter(|it| it.has_tag_name("EventIndicator"));
            let places = indicators.map(|it| named(it).and_then(|named| self.place(named)));
            self.indicators = places.map(|place| place.map_or(1, |at| self.variables[at].length)).sum();
        }
        Ok(())
    }

    /// The place of a variable that is named by its place, counted from one (2.0), or by its reference (3.0).
    fn place(&self, named: u32) -> Option<usize> {
        match self.version {
            2 => (named as usize).checked_sub(1).filter(|&place| place < self.variables.len()),
            _ => self.by_reference.get(&named).copied(),
        }
    }

    /// All numbers of the array whose first stands at a place.
    fn elements(&self, first: usize) -> std::ops::Range<usize> {
        first..first + self.variables[first].length
    }

    /// How the library knows the array of which a number is one; nothing for what is no number.
    pub fn called(&self, variable: usize) -> Option<Called> {
        let own = &self.variables[variable];
        own.number.map(|number| Called { number, reference: own.reference, length: own.length })
    }

    pub fn kind(&self, interface: Interface) -> Option<&Kind> {
        match interface {
            Interface::ModelExchange => self.exchange.as_ref(),
            Interface::CoSimulation => self.simulation.as_ref(),
        }
    }

    /// How it is driven: by our integrator, if that is possible.
    pub fn usable(&self) -> Result<Interface, String> {
        let obstacle = self.states.iter().find_map(|state| {
            let own = &self.variables[state.variable];
            (own.number != Some(Number::Float64)).then(|| format!("its state `{}` is no number of 64 bits", own.name))
        });
        let obstacle = obstacle.or_else(|| {
            let stepped = self.inputs().into_iter().find(|&input| self.variables[input].variability == "discrete");
            stepped.map(|input| format!("its input `{}` may change at events only", self.variables[input].name))
        });
        if let Some(clock) = &self.foreign_clock {
            return Err(format!("its clock `{clock}` wants ticks from outside that come at no even intervals"));
        }
        match (&self.exchange, &self.simulation, obstacle) {
            (Some(_), _, None) => Ok(Interface::ModelExchange),
            (_, Some(_), _) if !self.clocks.is_empty() => {
                Err("it has clocks, which are ticked in model exchange only".to_string())
            }
            (_, Some(_), _) => Ok(Interface::CoSimulation),
            (Some(_), None, Some(obstacle)) => Err(format!("it is for model exchange only, and {obstacle}")),
            (None, None, _) if self.is_scheduled => {
                Err("it is for scheduled execution only: others run its parts, tick by tick".to_string())
            }
            (None, None, _) => Err("its description offers neither model exchange nor co-simulation".to_string()),
        }
    }

    fn numbers(&self, is_wanted: impl Fn(&Variable) -> bool) -> Vec<usize> {
        (0..self.variables.len()).filter(|&at| self.is_number(at) && is_wanted(&self.variables[at])).collect()
    }

    /// Whether a variable is a number; those that are texts, bytes or clocks are not.
    pub fn is_number(&self, variable: usize) -> bool {
        self.variables[variable].number.is_some()
    }

    pub fn parameters(&self) -> Vec<usize> {
        self.numbers(|it| it.causality == "parameter" && it.start.is_some())
    }

    pub fn inputs(&self) -> Vec<usize> {
        self.numbers(|it| it.causality == "input")
    }

    /// Outputs that are no states.
    pub fn outputs(&self) -> Vec<usize> {
        let is_state = |at: usize| self.states.iter().any(|state| state.variable == at);
        self.numbers(|it| it.causality == "output").into_iter().filter(|&at| !is_state(at)).collect()
    }

    /// States whose start may be chosen, by their places among the states.
    pub fn chosen_starts(&self) -> Vec<usize> {
        let is_given = |own: &Variable| own.is_exact && own.start.is_some();
        (0..self.states.len()).filter(|&at| is_given(&self.variables[self.states[at].variable])).collect()
    }

    /// Whether something may happen all at once in it.
    pub fn has_events(&self) -> bool {
        let is_stepping = |it: &Variable| it.variability == "discrete" && it.causality != "input";
        self.indicators > 0 || !self.clocks.is_empty() || self.variables.iter().any(is_stepping)
    }

    /// The first tick of any clock after an instant.
    pub fn tick_after(&self, time: f64) -> Option<f64> {
        let next = |clock: &Clock| {
            let count = ((time - clock.shift) / clock.interval + SAME_TICK).floor() + 1.0;
            clock.shift + count.max(0.0) * clock.interval
        };
        self.clocks.iter().map(next).min_by(f64::total_cmp)
    }

    /// Whether a clock ticks at an instant.
    pub fn ticks(&self, clock: &Clock, time: f64) -> bool {
        let count = (time - clock.shift) / clock.interval;
        count > -0.5 && (count - count.round()).abs() <= SAME_TICK
    }

    pub fn unit(&self, variable: usize) -> &Unit {
        let name = self.variables[variable].unit.as_ref();
        name.and_then(|name| self.units.get(name)).unwrap_or(&PLAIN)
    }

    /// Whether one variable may depend on another at an instant.
    pub fn depends(&self, variable: usize, on: usize) -> bool {
        let named = if self.version == 2 { on as u32 + 1 } else { self.variables[on].reference };
        self.variables[variable].dependencies.as_ref().is_none_or(|all| all.contains(&named))
    }
}
