//! `modelDescription.xml` and `buildDescription.xml`, in both versions of the standard.

use std::fmt::Write;

use backend_c::Fmi;

use super::variables::{Role, UnitName, Variable};

/// What the description says of the unit as a whole.
pub struct Whole<'a> {
    pub name: &'a str,
    pub identifier: &'a str,
    pub token: &'a str,
    pub description: &'a str,
    pub tolerance: f64,
    /// The end of the reference run, and the time between its rows.
    pub until: f64,
    pub every: f64,
    /// Names of the C files.
    pub sources: Vec<&'a str>,
    /// Whether a simulator may integrate the states by itself.
    pub exchanges: bool,
    /// Whether it knows how rates and outputs change with states, inputs and parameters.
    pub has_slopes: bool,
}

pub fn model_description(version: Fmi, whole: &Whole<'_>, variables: &[Variable]) -> String {
    let mut xml = Xml::default();
    let (number, token) = match version {
        Fmi::Two => ("2.0", "guid"),
        Fmi::Three => ("3.0", "instantiationToken"),
    };
    let tool = concat!("Ansatz ", env!("CARGO_PKG_VERSION"));
    let mut attributes = vec![
        ("fmiVersion", number.to_string()),
        ("modelName", whole.name.to_string()),
        (token, whole.token.to_string()),
        ("description", whole.description.to_string()),
        ("generationTool", tool.to_string()),
        ("variableNamingConvention", "structured".to_string()),
    ];
    if version == Fmi::Two {
        let indicators = variables.iter().filter(|variable| variable.role == Role::Indicator).count();
        attributes.push(("numberOfEventIndicators", indicators.to_string()));
    }
    xml.open("fmiModelDescription", &attributes);
    xml.kinds(version, whole);
    xml.units(variables);
    xml.enumerations(version, variables);
    xml.open("LogCategories", &[]);
    xml.lone(
        "Category",
        &[("name", "logStatusError".to_string()), ("description", "What failed, and when.".to_string())],
    );
    xml.close("LogCategories");
    let experiment = [
        ("startTime", number_text(0.0)),
        ("stopTime", number_text(whole.until)),
        ("tolerance", number_text(whole.tolerance)),
        ("stepSize", number_text(whole.every)),
    ];
    xml.lone("DefaultExperiment", &experiment);
    xml.open("ModelVariables", &[]);
    let states = variables.iter().filter(|variable| variable.role == Role::State).count();
    for (at, variable) in variables.iter().enumerate() {
        xml.variable(version, at, states, variable);
    }
    xml.close("ModelVariables");
    xml.structure(version, variables);
    xml.close("fmiModelDescription");
    xml.text
}

/// Version 3.0 says how to build in a file of its own.
pub fn build_description(identifier: &str, sources: &[&str]) -> String {
    let mut xml = Xml::default();
    xml.open("fmiBuildDescription", &[("fmiVersion", "3.0".to_string())]);
    xml.open("BuildConfiguration", &[("modelIdentifier", identifier.to_string())]);
    xml.open("SourceFileSet", &[("language", "C99".to_string()), ("compilerOptions", "-ffp-contract=off".to_string())]);
    sources.iter().for_each(|name| xml.lone("SourceFile", &[("name", name.to_string())]));
    xml.close("SourceFileSet");
    xml.close("BuildConfiguration");
    xml.close("fmiBuildDescription");
    xml.text
}

/// The shortest text that reads back as the same number.
fn number_text(value: f64) -> String {
    format!("{value:?}")
}

fn enumeration(at: usize) -> String {
    format!("enumeration{at}")
}

type Attributes<'a> = [(&'a str, String)];

struct Xml {
    text: String,
    depth: usize,
}

impl Default for Xml {
    fn default() -> Xml {
        Xml { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_string(), depth: 0 }
    }
}

impl Xml {
    fn tag(&mut self, name: &str, attributes: &Attributes<'_>, end: &str) {
        let mut line = format!("{}<{name}", "  ".repeat(self.depth));
        for (attribute, value) in attributes.iter().filter(|(name, value)| *name != "description" || !value.is_empty())
        {
            write!(line, " {attribute}=\"{}\"", escaped(value)).expect("writing to a string cannot fail");
        }
        self.text += &format!("{line}{end}\n");
    }

    fn lone(&mut self, name: &str, attributes: &Attributes<'_>) {
        self.tag(name, attributes, "/>");
    }

    fn open(&mut self, name: &str, attributes: &Attributes<'_>) {
        self.tag(name, attributes, ">");
        self.depth += 1;
    }

    fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.text += &format!("{}</{name}>\n", "  ".repeat(self.depth));
    }

    /// What the unit can be used for.
    fn kinds(&mut self, version: Fmi, whole: &Whole<'_>) {
        let states = match version {
            Fmi::Two => ["canGetAndSetFMUstate", "canSerializeFMUstate"],
            Fmi::Three => ["canGetAndSetFMUState", "canSerializeFMUState"],
        };
        // Version 2.0 says where completed steps are not needed, and knows no events in co-simulation.
        let (integrated, slopes, events) = match version {
            Fmi::Two => (&[][..], &["providesDirectionalDerivative"][..], &[][..]),
            Fmi::Three => (
                &["needsCompletedIntegratorStep"][..],
                &["providesDirectionalDerivatives", "providesAdjointDerivatives"][..],
                &["hasEventMode", "mightReturnEarlyFromDoStep"][..],
            ),
        };
        let steps = [&["canHandleVariableCommunicationStepSize"], events].concat();
        let integrated = [integrated, if whole.has_slopes { slopes } else { &[] }].concat();
        let kinds = [("ModelExchange", integrated), ("CoSimulation", steps)];
        for (kind, abilities) in kinds.into_iter().filter(|(kind, _)| *kind != "ModelExchange" || whole.exchanges) {
            let abilities = states.into_iter().chain(abilities).map(|ability| (ability, "true".to_string()));
            let attributes: Vec<_> =
                [("modelIdentifier", whole.identifier.to_string())].into_iter().chain(abilities).collect();
            if version == Fmi::Three {
                self.lone(kind, &attributes);
                continue;
            }
            self.open(kind, &attributes);
            self.open("SourceFiles", &[]);
            whole.sources.iter().for_each(|name| self.lone("File", &[("name", name.to_string())]));
            self.close("SourceFiles");
            self.close(kind);
        }
    }

    fn units(&mut self, variables: &[Variable]) {
        let mut units: Vec<&UnitName> = variables.iter().filter_map(|variable| variable.unit.as_ref()).collect();
        units.sort_by(|a, b| a.name.cmp(&b.name));
        self.open("UnitDefinitions", &[]);
        for same in units.chunk_by(|a, b| a.name == b.name) {
            self.open("Unit", &[("name", same[0].name.clone())]);
            let bases = ["kg", "m", "s", "A", "K", "mol", "cd"].into_iter();
            if let Some(exponents) = same[0].dimension.exponents() {
                let base = bases.zip(exponents).chain([("rad", i16::from(same[0].is_angle))]);
                let base: Vec<_> = base.filter(|it| it.1 != 0).map(|(unit, it)| (unit, it.to_string())).collect();
                self.lone("BaseUnit", &base);
            }
            let mut displays: Vec<&(String, f64)> = same.iter().filter_map(|unit| unit.display.as_ref()).collect();
            displays.sort_by(|a, b| a.0.cmp(&b.0));
            displays.dedup_by(|a, b| a.0 == b.0);
            for (name, factor) in displays {
                self.lone("DisplayUnit", &[("name", name.clone()), ("factor", number_text(*factor))]);
            }
            self.close("Unit");
        }
        self.close("UnitDefinitions");
    }

    fn enumerations(&mut self, version: Fmi, variables: &[Variable]) {
        let with_words = || variables.iter().enumerate().filter_map(|(at, it)| Some((at, it.words.as_ref()?)));
        if with_words().next().is_none() {
            return;
        }
        self.open("TypeDefinitions", &[]);
        for (at, words) in with_words() {
            let (outer, inner) = match version {
                Fmi::Two => ("SimpleType", Some("Enumeration")),
                Fmi::Three => ("EnumerationType", None),
            };
            self.open(outer, &[("name", enumeration(at))]);
            inner.iter().for_each(|inner| self.open(inner, &[]));
            for (number, word) in words.iter().enumerate() {
                self.lone("Item", &[("name", word.clone()), ("value", (number + 1).to_string())]);
            }
            inner.iter().for_each(|inner| self.close(inner));
            self.close(outer);
        }
        self.close("TypeDefinitions");
    }

    /// The rates stand behind as many states.
    fn variable(&mut self, version: Fmi, at: usize, states: usize, variable: &Variable) {
        let (causality, variability, initial) = match (variable.role, &variable.words) {
            (Role::Time, _) => ("independent", "continuous", None),
            (Role::Parameter, _) => ("parameter", "tunable", Some("exact")),
            (Role::Input, _) => ("input", "continuous", None),
            (Role::Output, Some(_)) => ("output", "discrete", Some("calculated")),
            (Role::Output, None) => ("output", "continuous", Some("calculated")),
            (Role::State | Role::Rate | Role::Indicator, _) => ("local", "continuous", Some("calculated")),
        };
        let mut general = vec![
            ("name", variable.name.clone()),
            ("valueReference", at.to_string()),
            ("description", variable.description.clone()),
            ("causality", causality.to_string()),
            ("variability", variability.to_string()),
        ];
        general.extend(initial.map(|initial| ("initial", initial.to_string())));
        let mut special = Vec::new();
        special.extend(variable.words.as_ref().map(|_| ("declaredType", enumeration(at))));
        if let Some(unit) = &variable.unit {
            special.push(("unit", unit.name.clone()));
            special.extend(unit.display.iter().map(|(name, _)| ("displayUnit", name.clone())));
        }
        if let Some((low, high)) = variable.range {
            special.extend([("min", number_text(low)), ("max", number_text(high))]);
        }
        special.extend(variable.start.map(|start| ("start", number_text(start))));
        // In version 2.0 variables are counted from one there, and not by their references.
        let counted = usize::from(version == Fmi::Two);
        match variable.role {
            Role::State => special.push(("reinit", "true".to_string())),
            Role::Rate => special.push(("derivative", (at - states + counted).to_string())),
            _ => {}
        }
        let is_word = variable.words.is_some();
        match version {
            Fmi::Three => {
                general.extend(special);
                self.lone(if is_word { "Enumeration" } else { "Float64" }, &general);
            }
            Fmi::Two => {
                self.open("ScalarVariable", &general);
                self.lone(if is_word { "Enumeration" } else { "Real" }, &special);
                self.close("ScalarVariable");
            }
        }
    }

    /// Whatever is not said depends on everything.
    fn structure(&mut self, version: Fmi, variables: &[Variable]) {
        let of = |role: Role| variables.iter().enumerate().filter(move |(_, it)| it.role == role).map(|(at, _)| at);
        let [outputs, states, rates, indicators] =
            [Role::Output, Role::State, Role::Rate, Role::Indicator].map(|role| of(role).collect::<Vec<_>>());
        let initial = [&outputs[..], &states, &rates].concat();
        self.open("ModelStructure", &[]);
        match version {
            Fmi::Three => {
                for (name, all) in [
                    ("Output", &outputs),
                    ("ContinuousStateDerivative", &rates),
                    ("InitialUnknown", &initial),
                    ("EventIndicator", &indicators),
                ] {
                    all.iter().for_each(|at| self.lone(name, &[("valueReference", at.to_string())]));
                }
            }
            Fmi::Two => {
                for (name, all) in [("Outputs", &outputs), ("Derivatives", &rates), ("InitialUnknowns", &initial)] {
                    if all.is_empty() {
                        continue;
                    }
                    self.open(name, &[]);
                    all.iter().for_each(|at| self.lone("Unknown", &[("index", (at + 1).to_string())]));
                    self.close(name);
                }
            }
        }
        self.close("ModelStructure");
    }
}

/// As the value of an attribute, or between tags.
pub fn escaped(text: &str) -> String {
    // XML 1.0 has no other control characters than these.
    let blank = |letter: char| if matches!(letter, '\n' | '\t' | '\r') { ' ' } else { letter };
    let text: String = text.chars().map(blank).filter(|letter| !letter.is_control()).collect();
    base::escaped(&text)
}
