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
    pub states: Vec<State>,
    pub indicators: usize,
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
    is_array: bool,
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
    Int32,
    Int64,
    Boolean,
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

static PLAIN: Unit = Unit { text: String::new(), factor: 1.0, offset: 0.0 };

pub fn read(text: &str) -> Result<Description, String> {
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
    let mut description = Description {
        version,
        name: root.attribute("modelName").unwrap_or("").to_string(),
        token: token.ok_or("its description has no token for the library")?.to_string(),
        exchange: kind(root, "ModelExchange"),
        simulation: kind(root, "CoSimulation"),
        step: child(root, "DefaultExperiment").and_then(|it| number(it, "stepSize")),
        variables: variables(root, version)?,
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

fn variables(root: Node<'_, '_>, version: u32) -> Result<Vec<Variable>, String> {
    let types = types(root);
    let all = child(root, "ModelVariables").ok_or("its description names no variables")?;
    let mut variables = Vec::new();
    for node in all.children().filter(Node::is_element) {
        let own = if version == 2 { node.children().find(Node::is_element).unwrap_or(node) } else { node };
        let number = match own.tag_name().name() {
            "Real" | "Float64" => Some(Number::Float64),
            "Float32" => Some(Number::Float32),
            "Integer" | "Int32" => Some(Number::Int32),
            "Enumeration" if version == 2 => Some(Number::Int32),
            "Enumeration" | "Int64" => Some(Number::Int64),
            "Boolean" => Some(Number::Boolean),
            _ => None,
        };
        let text = |name: &str| node.attribute(name).unwrap_or("").to_string();
        let start = own.attribute("start").map(str::trim);
        let start = start.and_then(|start| match start {
            "true" => Some(1.0),
            "false" => Some(0.0),
            number => number.parse().ok().filter(|value: &f64| value.is_finite()),
        });
        let reference = node.attribute("valueReference").and_then(|text| text.parse().ok());
        let declared = own.attribute("declaredType").and_then(|name| types.get(name).cloned());
        let is_continuous = matches!(number, Some(Number::Float64 | Number::Float32));
        let usual = if is_continuous { "continuous" } else { "discrete" };
        variables.push(Variable {
            name: text("name"),
            reference: reference.ok_or_else(|| format!("its variable `{}` has no reference", text("name")))?,
            causality: node.attribute("causality").unwrap_or("local").to_string(),
            variability: node.attribute("variability").unwrap_or(usual).to_string(),
            number,
            start,
            unit: own.attribute("unit").map(str::to_string).or(declared),
            note: node.attribute("description").unwrap_or("").to_string(),
            is_exact: start.is_some() && matches!(node.attribute("initial"), Some("exact") | None),
            is_array: node.children().any(|child| child.has_tag_name("Dimension")),
            derivative: own.attribute("derivative").and_then(|text| text.parse().ok()),
            dependencies: None,
            starts_from_inputs: false,
        });
    }
    Ok(variables)
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
                    self.variables[place].starts_from_inputs = dependencies.is_none_or(|all| all.iter().any(input));
                } else {
                    self.variables[place].dependencies = dependencies;
                }
                if name.contains("Derivative") {
                    let of = self.variables[place].derivative.and_then(|named| self.place(named));
                    let variable = of.ok_or_else(|| {
                        format!("its structure calls `{}` a rate, and not of what", self.variables[place].name)
                    })?;
                    self.states.push(State { variable, rate: place });
                }
            }
        }
        if self.version == 3 {
            self.indicators = structure.children().filter(|it| it.has_tag_name("EventIndicator")).count();
        }
        Ok(())
    }

    /// The place of a variable that is named by its place, counted from one (2.0), or by its reference (3.0).
    fn place(&self, named: u32) -> Option<usize> {
        match self.version {
            2 => (named as usize).checked_sub(1).filter(|&place| place < self.variables.len()),
            _ => self.variables.iter().position(|variable| variable.reference == named),
        }
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
            (own.is_array || own.number != Some(Number::Float64))
                .then(|| format!("its state `{}` is no single number of 64 bits", own.name))
        });
        let obstacle = obstacle.or_else(|| {
            let stepped = self.inputs().into_iter().find(|&input| self.variables[input].variability == "discrete");
            stepped.map(|input| format!("its input `{}` may change at events only", self.variables[input].name))
        });
        match (&self.exchange, &self.simulation, obstacle) {
            (Some(_), _, None) => Ok(Interface::ModelExchange),
            (_, Some(_), _) => Ok(Interface::CoSimulation),
            (Some(_), None, Some(obstacle)) => Err(format!("it is for model exchange only, and {obstacle}")),
            (None, None, _) => Err("its description offers neither model exchange nor co-simulation".to_string()),
        }
    }

    fn numbers(&self, is_wanted: impl Fn(&Variable) -> bool) -> Vec<usize> {
        (0..self.variables.len()).filter(|&at| self.is_single(at) && is_wanted(&self.variables[at])).collect()
    }

    /// Whether a variable is one number.
    pub fn is_single(&self, variable: usize) -> bool {
        let own = &self.variables[variable];
        own.number.is_some() && !own.is_array
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
        (0..self.states.len()).filter(|&at| self.variables[self.states[at].variable].is_exact).collect()
    }

    /// Whether something may happen all at once in it.
    pub fn has_events(&self) -> bool {
        let is_stepping = |it: &Variable| it.variability == "discrete" && it.causality != "input";
        self.indicators > 0 || self.variables.iter().any(is_stepping)
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
