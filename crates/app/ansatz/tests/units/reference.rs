//! Units of the kinds that the Modelica Association publishes as Reference FMUs, for FMI 2.0 and 3.0. Theirs are in no package of a registry, so these are written
//! for the tests (`reference.c`), with the same names and equations, and built from their sources as those would be.

use ansatz::Fmi;

use super::{Folder, near};

const SOURCE: &str = include_str!("reference.c");

/// One variable: its name, reference, type, causality, variability and what else its element says.
type Row = (&'static str, u32, &'static str, &'static str, &'static str, &'static str);

pub struct Model {
    name: &'static str,
    number: u32,
    rows: &'static [Row],
    /// References of rates, and how many indicators there are.
    rates: &'static [u32],
    indicators: usize,
    /// The kinds of interfaces.
    kinds: &'static [&'static str],
}

const BOTH: &[&str] = &["ModelExchange", "CoSimulation"];

const BOUNCING_BALL: Model = Model {
    name: "BouncingBall",
    number: 1,
    rows: &[
        ("h", 1, "Float64", "output", "continuous", "start='1' initial='exact'"),
        ("der(h)", 2, "Float64", "local", "continuous", "derivative='1'"),
        ("v", 3, "Float64", "output", "continuous", "start='0' initial='exact'"),
        ("der(v)", 4, "Float64", "local", "continuous", "derivative='3'"),
        ("g", 5, "Float64", "parameter", "fixed", "start='-9.81' initial='exact'"),
        ("e", 6, "Float64", "parameter", "tunable", "start='0.7' initial='exact'"),
        ("v_min", 7, "Float64", "parameter", "fixed", "start='0.1' initial='exact'"),
    ],
    rates: &[2, 4],
    indicators: 1,
    kinds: BOTH,
};

const VAN_DER_POL: Model = Model {
    name: "VanDerPol",
    number: 2,
    rows: &[
        ("x0", 1, "Float64", "output", "continuous", "start='2' initial='exact'"),
        ("der(x0)", 2, "Float64", "local", "continuous", "derivative='1'"),
        ("x1", 3, "Float64", "output", "continuous", "start='0' initial='exact'"),
        ("der(x1)", 4, "Float64", "local", "continuous", "derivative='3'"),
        ("mu", 5, "Float64", "parameter", "fixed", "start='1' initial='exact'"),
    ],
    rates: &[2, 4],
    indicators: 0,
    kinds: BOTH,
};

const DAHLQUIST: Model = Model {
    name: "Dahlquist",
    number: 3,
    rows: &[
        ("x", 1, "Float64", "output", "continuous", "start='1' initial='exact'"),
        ("der(x)", 2, "Float64", "local", "continuous", "derivative='1'"),
        ("k", 3, "Float64", "parameter", "fixed", "start='1' initial='exact'"),
    ],
    rates: &[2],
    indicators: 0,
    kinds: BOTH,
};

const STAIR: Model = Model {
    name: "Stair",
    number: 4,
    rows: &[("counter", 1, "Int32", "output", "discrete", "start='1' initial='exact'")],
    rates: &[],
    indicators: 0,
    kinds: BOTH,
};

const RESOURCE: Model = Model {
    name: "Resource",
    number: 5,
    rows: &[("y", 1, "Int32", "output", "discrete", "")],
    rates: &[],
    indicators: 0,
    kinds: BOTH,
};

/// Texts and bytes are left out; the types of FMI 2.0 are the first five.
const FEEDTHROUGH: Model = Model {
    name: "Feedthrough",
    number: 6,
    rows: &[
        ("Float64_continuous_input", 1, "Float64", "input", "continuous", "start='0'"),
        ("Float64_discrete_input", 2, "Float64", "input", "discrete", "start='0'"),
        ("Int32_input", 3, "Int32", "input", "discrete", "start='0'"),
        ("Boolean_input", 4, "Boolean", "input", "discrete", "start='false'"),
        ("Enumeration_input", 5, "Enumeration", "input", "discrete", "start='1' declaredType='Option'"),
        ("Float64_continuous_output", 20, "Float64", "output", "continuous", ""),
        ("Float64_discrete_output", 21, "Float64", "output", "discrete", ""),
        ("Int32_output", 22, "Int32", "output", "discrete", ""),
        ("Boolean_output", 23, "Boolean", "output", "discrete", ""),
        ("Enumeration_output", 24, "Enumeration", "output", "discrete", "declaredType='Option'"),
        ("Float32_input", 6, "Float32", "input", "continuous", "start='0'"),
        ("Int8_input", 7, "Int8", "input", "discrete", "start='0'"),
        ("UInt8_input", 8, "UInt8", "input", "discrete", "start='0'"),
        ("Int16_input", 9, "Int16", "input", "discrete", "start='0'"),
        ("UInt16_input", 10, "UInt16", "input", "discrete", "start='0'"),
        ("UInt32_input", 11, "UInt32", "input", "discrete", "start='0'"),
        ("Int64_input", 12, "Int64", "input", "discrete", "start='0'"),
        ("UInt64_input", 13, "UInt64", "input", "discrete", "start='0'"),
        ("Float32_output", 25, "Float32", "output", "continuous", ""),
        ("Int8_output", 26, "Int8", "output", "discrete", ""),
        ("UInt8_output", 27, "UInt8", "output", "discrete", ""),
        ("Int16_output", 28, "Int16", "output", "discrete", ""),
        ("UInt16_output", 29, "UInt16", "output", "discrete", ""),
        ("UInt32_output", 30, "UInt32", "output", "discrete", ""),
        ("Int64_output", 31, "Int64", "output", "discrete", ""),
        ("UInt64_output", 32, "UInt64", "output", "discrete", ""),
        ("String_parameter", 39, "String", "parameter", "fixed", ""),
    ],
    rates: &[],
    indicators: 0,
    kinds: BOTH,
};

/// The sizes are structural parameters: `n` numbers or `n` by `n`.
const STATE_SPACE: Model = Model {
    name: "StateSpace",
    number: 7,
    rows: &[
        ("n", 1, "UInt64", "structuralParameter", "tunable", "start='3'"),
        ("A", 2, "Float64", "parameter", "tunable", "start='1 0 0 0 1 0 0 0 1' n='1 1'"),
        ("B", 3, "Float64", "parameter", "tunable", "start='1 0 0 0 1 0 0 0 1' n='1 1'"),
        ("C", 4, "Float64", "parameter", "tunable", "start='1 0 0 0 1 0 0 0 1' n='1 1'"),
        ("D", 5, "Float64", "parameter", "tunable", "start='0' n='1 1'"),
        ("x0", 6, "Float64", "parameter", "tunable", "start='1 2 3' n='1'"),
        ("u", 7, "Float64", "input", "continuous", "start='0 0 0' n='1'"),
        ("y", 8, "Float64", "output", "continuous", "n='1'"),
        ("x", 9, "Float64", "local", "continuous", "n='1' initial='calculated'"),
        ("der(x)", 10, "Float64", "local", "continuous", "derivative='9' n='1'"),
    ],
    rates: &[10],
    indicators: 0,
    kinds: &["ModelExchange"],
};

const TICKED: Model = Model {
    name: "Ticked",
    number: 8,
    rows: &[
        ("u", 1, "Float64", "input", "continuous", "start='2'"),
        ("sum", 2, "Float64", "output", "discrete", "start='0' initial='exact' clocks='4'"),
        ("when", 3, "Float64", "output", "discrete", "start='0' initial='exact' clocks='4'"),
        ("clock", 4, "Clock", "input", "", "intervalVariability='constant' intervalDecimal='0.25' shiftDecimal='0.1'"),
    ],
    rates: &[],
    indicators: 0,
    kinds: &["ModelExchange"],
};

pub const ALL: [&Model; 8] =
    [&BOUNCING_BALL, &VAN_DER_POL, &DAHLQUIST, &STAIR, &RESOURCE, &FEEDTHROUGH, &STATE_SPACE, &TICKED];

impl Model {
    pub fn description(&self, version: Fmi) -> String {
        let is_second = version == Fmi::Two;
        let kinds: String = self.kinds.iter().map(|kind| format!("<{kind} modelIdentifier='unit'/>")).collect();
        let mut variables = String::new();
        // What 2.0 has no type for stands behind, so places are those of the rows.
        let known = ["Float64", "Int32", "Boolean", "Enumeration", "String"];
        for (name, reference, kind, causality, variability, rest) in self.rows {
            let (dimensions, rest) = split(rest);
            let varies = if variability.is_empty() { String::new() } else { format!("variability='{variability}'") };
            let head = format!("name='{name}' valueReference='{reference}' causality='{causality}' {varies}");
            if !is_second {
                variables += &format!("<{kind} {head} {rest}>{dimensions}</{kind}>");
                continue;
            }
            if !known.contains(kind) {
                continue;
            }
            let kind = match *kind {
                "Float64" => "Real",
                "Int32" => "Integer",
                other => other,
            };
            let (outer, inner): (Vec<&str>, Vec<&str>) = rest.split(' ').partition(|it| it.starts_with("initial"));
            let place = |named: &str| {
                let row = self.rows.iter().position(|row| format!("derivative='{}'", row.1) == named);
                row.map_or(named.to_string(), |at| format!("derivative='{}'", at + 1))
            };
            let inner: Vec<String> = inner.into_iter().map(place).collect();
            variables +=
                &format!("<ScalarVariable {head} {}><{kind} {}/></ScalarVariable>", outer.join(" "), inner.join(" "));
        }
        let item = "<Item name='a' value='1'/><Item name='b' value='2'/>";
        let (types, structure) = if is_second {
            let place = |reference: &u32| self.rows.iter().position(|row| row.1 == *reference).expect("a row") + 1;
            let rates: String = self.rates.iter().map(|it| format!("<Unknown index='{}'/>", place(it))).collect();
            let kind = format!("<SimpleType name='Option'><Enumeration>{item}</Enumeration></SimpleType>");
            (kind, format!("<Derivatives>{rates}</Derivatives>"))
        } else {
            let rate = |it: &u32| format!("<ContinuousStateDerivative valueReference='{it}'/>");
            let indicators = "<EventIndicator valueReference='1'/>".repeat(self.indicators);
            let kind = format!("<EnumerationType name='Option'>{item}</EnumerationType>");
            (kind, self.rates.iter().map(rate).collect::<String>() + &indicators)
        };
        let (version, token) = if is_second { ("2.0", "guid") } else { ("3.0", "instantiationToken") };
        format!(
            "<fmiModelDescription fmiVersion='{version}' modelName='{}' {token}='{{reference}}' numberOfEventIndicators='{}'>{kinds}\
             <TypeDefinitions>{types}</TypeDefinitions><DefaultExperiment stepSize='0.125'/><ModelVariables>{variables}</ModelVariables>\
             <ModelStructure>{structure}</ModelStructure></fmiModelDescription>",
            self.name, self.indicators
        )
    }

    pub fn has_inputs(&self) -> bool {
        self.rows.iter().any(|row| row.3 == "input" && row.2 != "Clock")
    }

    /// A folder with the unit as `it.fmu`, sources only.
    fn folder(&self, version: Fmi) -> Folder {
        let number = if version == Fmi::Two { 2 } else { 3 };
        let folder = Folder::new(&format!("{}{number}", self.name));
        let source = format!("#define FMI {number}\n#define MODEL {}\n{SOURCE}", self.number);
        folder.pack(
            "it.fmu",
            &[
                ("modelDescription.xml", self.description(version).as_bytes()),
                ("sources/unit.c", source.as_bytes()),
                ("resources/y.txt", b"a"),
            ],
        );
        folder
    }
}

/// `n='1 1'` stands for dimensions that the variable with the reference 1 tells.
fn split(rest: &str) -> (String, String) {
    let Some((before, after)) = rest.split_once("n='1") else { return (String::new(), rest.to_string()) };
    let (more, after) = after.split_once('\'').expect("a quote");
    let count = 1 + more.split_whitespace().count();
    ("<Dimension valueReference='1'/>".repeat(count), format!("{before}{after}"))
}

pub const VERSIONS: [Fmi; 2] = [Fmi::Two, Fmi::Three];

/// It falls from 1 m; the k-th bounce is at √(2/g) (1 + 2 (e + … + e^k)), and it rests once it comes up slower than 0.1 m/s.
#[test]
fn a_ball_bounces_and_rests() {
    for version in VERSIONS {
        let rows = BOUNCING_BALL.folder(version).rows("use fmu \"it.fmu\" as it\nplot it.h, it.v", 3.0, 0.05);
        let (g, e) = (9.81, 0.7_f64);
        let (mut start, mut speed) = (libm::sqrt(2.0 / g), libm::sqrt(2.0 * g) * e);
        for row in rows {
            while speed > 0.0 && row[0] > start + 2.0 * speed / g {
                start += 2.0 * speed / g;
                speed = if speed * e < 0.1 { 0.0 } else { speed * e };
            }
            let since = row[0] - start;
            let h = if since < 0.0 { 1.0 - g / 2.0 * row[0] * row[0] } else { since * (speed - g / 2.0 * since) };
            near(row[1], if speed > 0.0 { h } else { 0.0 }, 1e-7, &format!("h at {}", row[0]));
        }
    }
}

/// The same equations stand beside it in the scene.
#[test]
fn an_oscillator_is_that_of_the_scene() {
    let text = "use fmu \"it.fmu\" as it { mu = 2.5 }\na: real\nb: real\nalways a' == b / (1 [s])\n\
                always b' == (2.5 * (1 - a^2) * b - a) / (1 [s])\ninitially a == 2\ninitially b == 0\nplot it.x0, it.x1, a, b";
    for version in VERSIONS {
        for row in VAN_DER_POL.folder(version).rows(text, 8.0, 0.5) {
            near(row[1], row[3], 1e-6, "x0");
            near(row[2], row[4], 1e-6, "x1");
        }
    }
}

/// x' = −k x; as a sampled block it takes steps of Euler's method, which multiply x by 1 − k h.
#[test]
fn a_decay_is_exponential_and_sampled_by_its_own_steps() {
    for version in VERSIONS {
        let text = "use fmu \"it.fmu\" as it { k = 2; start_x = 3 }\nplot it.x";
        for row in DAHLQUIST.folder(version).rows(text, 2.0, 0.25) {
            near(row[1], 3.0 * libm::exp(-2.0 * row[0]), 1e-7, "x");
        }
        let alone = Model { kinds: &["CoSimulation"], ..DAHLQUIST };
        for row in alone.folder(version).rows("use fmu \"it.fmu\" as it { k = 2 }\nplot it.x", 2.0, 0.25) {
            near(row[1], libm::pow(0.75, row[0] / 0.125), 1e-12, "x, sampled");
        }
    }
}

/// Each second an event whose instant is known; after the ninth the unit wants to end, and so does the run.
#[test]
fn a_stair_has_steps_at_its_instants() {
    for version in VERSIONS {
        let folder = STAIR.folder(version);
        let text = "use fmu \"it.fmu\" as it\nplot it.counter";
        for row in folder.rows(text, 8.75, 0.25) {
            near(row[1], 1.0 + (row[0] + 1e-9).floor(), 0.0, &format!("counter at {}", row[0]));
        }
        let mut instance = folder.scene(text).instance().expect("a program");
        let error = instance.start().and_then(|()| instance.advance_to(12.0)).expect_err("it ends");
        let message = error.diagnostics().sorted()[0].message.clone();
        assert!(message.starts_with("at t = 9 s"), "{message}");
    }
}

#[test]
fn a_unit_reads_its_resources() {
    for version in VERSIONS {
        let rows = RESOURCE.folder(version).rows("use fmu \"it.fmu\" as it\nplot it.y", 0.5, 0.25);
        rows.iter().for_each(|row| assert_eq!(row[1], 97.0));
    }
}

/// Numbers of all types go in and out. Inputs that change at events only make it a sampled block.
#[test]
fn numbers_of_all_types_pass() {
    for version in VERSIONS {
        let count = if version == Fmi::Two { 5 } else { 13 };
        let inputs: Vec<&Row> = FEEDTHROUGH.rows.iter().filter(|row| row.3 == "input").take(count).collect();
        let given = |name: &str| match name {
            "Boolean_input" => "if t >= 0.6 [s] then 1 else 0".to_string(),
            "Int8_input" => "-100".to_string(),
            name if name.starts_with("UInt") => "200".to_string(),
            name if name.starts_with("Int") => {
                "-30000".to_string().replace("30000", if name.contains('8') { "3" } else { "30000" })
            }
            "Enumeration_input" => "2".to_string(),
            _ => "3 * t / (1 [s])".to_string(),
        };
        let laws: Vec<String> = inputs.iter().map(|row| format!("always it.{} == {}\n", row.0, given(row.0))).collect();
        let shown: Vec<String> = inputs.iter().map(|row| format!("it.{}", row.0.replace("input", "output"))).collect();
        let text = format!("use fmu \"it.fmu\" as it\n{}plot {}", laws.concat(), shown.join(", "));
        let rows = FEEDTHROUGH.folder(version).rows(&text, 1.0, 0.25);
        // The last sample before the last row was given what was at t = 0.875 s.
        let last = rows.last().expect("rows");
        for (row, found) in inputs.iter().zip(&last[1..]) {
            let expected = match row.0 {
                "Boolean_input" => 1.0,
                "Int8_input" => -100.0,
                "Enumeration_input" => 2.0,
                name if name.starts_with("UInt") => 200.0,
                name if name.starts_with("Int") => -30000.0,
                _ => 3.0 * 0.875,
            };
            near(*found, expected, 1e-6, row.0);
        }
        assert_eq!(last.len(), count + 1);
    }
}

/// x' = A x + u, y = x, with a diagonal A whose entries are chosen one by one; the arrays are numbers with places in their names.
#[test]
fn arrays_are_numbers_one_by_one() {
    let folder = STATE_SPACE.folder(Fmi::Three);
    let text = "use fmu \"it.fmu\" as it { A_1_1 = -1; A_2_2 = -2; A_3_3 = 0; x0_2 = 5 }\nalways it.u_1 == 0\nalways it.u_2 == 0\n\
                always it.u_3 == it.y_1\nplot it.x_1, it.x_2, it.x_3, it.y_2";
    for row in folder.rows(text, 2.0, 0.25) {
        let [fast, slow] = [libm::exp(-2.0 * row[0]), libm::exp(-row[0])];
        let expected = [slow, 5.0 * fast, 3.0 + 1.0 - slow, 5.0 * fast];
        row[1..].iter().zip(expected).for_each(|(found, expected)| near(*found, expected, 1e-7, "x"));
    }
    let long = STATE_SPACE.description(Fmi::Three).replace("start='3'", "start='1000000'");
    folder.pack("it.fmu", &[("modelDescription.xml", long.as_bytes()), ("sources/unit.c", b"")]);
    let message = folder.refused("use fmu \"it.fmu\" as it\nplot t");
    assert!(message.contains("its state `x` is no number of 64 bits") || message.contains("too large"), "{message}");
}

/// A clock that ticks each quarter of a second from 0.1 s on; one that waits for others, and scheduled execution, are refused with words.
#[test]
fn clocks_tick_at_their_instants() {
    let folder = TICKED.folder(Fmi::Three);
    let text = "use fmu \"it.fmu\" as it\nalways it.u == t / (1 [s])\nplot it.sum, it.when";
    for row in folder.rows(text, 3.0, 0.2) {
        let count = ((row[0] - 0.1 + 1e-9) / 0.25).floor() + 1.0;
        let last = 0.1 + 0.25 * (count - 1.0);
        near(row[1], count * (0.1 + last) / 2.0, 1e-9, &format!("sum at {}", row[0]));
        near(row[2], if count > 0.0 { last } else { 0.0 }, 1e-9, "when");
    }
    let description = TICKED.description(Fmi::Three);
    for (from, to, words) in [
        ("intervalVariability='constant'", "intervalVariability='triggered'", "its clock `clock` wants ticks"),
        ("ModelExchange", "ScheduledExecution", "for scheduled execution only"),
        ("ModelExchange", "CoSimulation", "ticked in model exchange only"),
    ] {
        let changed = description.replace(from, to);
        folder.pack("it.fmu", &[("modelDescription.xml", changed.as_bytes()), ("sources/unit.c", SOURCE.as_bytes())]);
        let message = folder.refused(text);
        assert!(message.contains(words), "{message}");
    }
}
