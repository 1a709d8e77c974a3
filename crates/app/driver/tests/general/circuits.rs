//! Electrical circuits from components: every quantity a variable, every law an equation.

use expr::Expr;

use crate::build::{Builder, close, refused, run};

/// Voltage over and current through a part between two nodes.
pub struct Part {
    voltage: Expr,
    current: Expr,
}

/// Its name, its potential, and the currents into it.
type Node = (String, Expr, Vec<(f64, Expr)>);

pub struct Circuit {
    pub builder: Builder,
    nodes: Vec<Node>,
}

impl Circuit {
    pub fn new(nodes: &[&str]) -> Circuit {
        let mut builder = Builder::new("circuit");
        let nodes =
            nodes.iter().map(|name| (name.to_string(), builder.variable(&format!("{name}.v")), Vec::new())).collect();
        Circuit { builder, nodes }
    }

    fn part(&mut self, name: &str, from: usize, to: usize) -> Part {
        let voltage = self.builder.variable(&format!("{name}.v"));
        let current = self.builder.variable(&format!("{name}.i"));
        let arena = self.builder.arena();
        let drop = arena.subtract(self.nodes[from].1, self.nodes[to].1);
        self.builder.law(&format!("{name}.drop"), voltage, drop);
        self.nodes[from].2.push((-1.0, current));
        self.nodes[to].2.push((1.0, current));
        Part { voltage, current }
    }

    pub fn resistor(&mut self, name: &str, from: usize, to: usize, resistance: f64) -> Part {
        let part = self.part(name, from, to);
        let product = self.builder.arena().scale(resistance, part.current);
        self.builder.law(&format!("{name}.ohm"), part.voltage, product);
        part
    }

    pub fn capacitor(&mut self, name: &str, from: usize, to: usize, capacitance: f64) -> Part {
        let part = self.part(name, from, to);
        let rate = self.builder.rate(part.voltage);
        let charging = self.builder.arena().scale(capacitance, rate);
        self.builder.law(&format!("{name}.charge"), charging, part.current);
        part
    }

    fn inductor(&mut self, name: &str, from: usize, to: usize, inductance: f64) -> Part {
        let part = self.part(name, from, to);
        let rate = self.builder.rate(part.current);
        let induced = self.builder.arena().scale(inductance, rate);
        self.builder.law(&format!("{name}.induction"), induced, part.voltage);
        part
    }

    pub fn source(&mut self, name: &str, from: usize, to: usize, voltage: Expr) -> Part {
        let part = self.part(name, from, to);
        self.builder.law(&format!("{name}.source"), part.voltage, voltage);
        part
    }

    pub fn ground(&mut self, node: usize) {
        let zero = self.builder.number(0.0);
        let voltage = self.nodes[node].1;
        self.builder.law("ground", voltage, zero);
    }

    /// Kirchhoff's current law at every node.
    pub fn finish(mut self) -> Builder {
        let arena = self.builder.arena();
        for (name, _, currents) in &self.nodes {
            let sum = arena.sum(currents.iter().map(|&(sign, current)| (sign.into(), current)));
            self.builder.law(&format!("current_law({name})"), sum, arena.zero());
        }
        self.builder
    }
}

/// L q'' + R q' + q/C = 0, with charge on the capacitor at the start; one current law too many.
#[test]
fn a_series_circuit_rings() {
    let (r, l, c) = (0.4, 1.0, 0.25);
    let mut circuit = Circuit::new(&["a", "b", "g"]);
    let inductor = circuit.inductor("l", 0, 1, l);
    circuit.resistor("r", 1, 2, r);
    let capacitor = circuit.capacitor("c", 0, 2, c);
    circuit.ground(2);
    let mut builder = circuit.finish();
    let one = builder.number(1.0);
    builder.initially(capacitor.voltage, one);
    builder.show("v", capacitor.voltage);
    builder.show("i", inductor.current);
    let ran = run(&builder.system, 3.0, 0.5);
    assert!(ran.notices.iter().any(|notice| notice.contains("`current_law(")), "{:?}", ran.notices);
    assert_eq!(ran.states, 2);
    assert_eq!(ran.assumed, ["l.i"]);
    let (damping, natural) = (r / (2.0 * l), 1.0 / (l * c));
    let frequency = (natural - damping * damping).sqrt();
    for (t, row) in &ran.rows {
        let envelope = libm::exp(-damping * t);
        let (sine, cosine) = (libm::sin(frequency * t), libm::cos(frequency * t));
        let voltage = envelope * (cosine + damping / frequency * sine);
        let current = envelope * sine / (l * frequency);
        close(row, &[voltage, current], 1e-8);
    }
}

/// Two capacitors and a source in a loop: the source's current is the derivative of what it drives.
#[test]
fn a_loop_of_capacitors_and_a_source_has_index_two() {
    let mut circuit = Circuit::new(&["a", "b", "g"]);
    let arena = circuit.builder.arena();
    let voltage = arena.apply(expr::Operator::Sin, &[circuit.builder.time()]);
    let source = circuit.source("s", 0, 2, voltage);
    circuit.capacitor("c1", 0, 1, 2.0);
    let second = circuit.capacitor("c2", 1, 2, 3.0);
    circuit.resistor("r", 1, 2, 5.0);
    circuit.ground(2);
    let mut builder = circuit.finish();
    builder.show("v2", second.voltage);
    builder.show("i", source.current);
    let ran = run(&builder.system, 2.0, 0.25);
    assert!(ran.constraint_error < 1e-9, "{}", ran.constraint_error);
    // 5 v2' = 2 cos t - v2/5, from v2 = 0.
    let (a, b) = (2.0 / 5.0, 1.0 / 25.0);
    for (t, row) in &ran.rows {
        let (sine, cosine, decay) = (libm::sin(*t), libm::cos(*t), libm::exp(-b * t));
        let scale = a / (1.0 + b * b);
        let v2 = scale * (sine + b * cosine - b * decay);
        let rate = scale * (cosine - b * sine + b * b * decay);
        // What flows from `a` through the source is what the first capacitor does not take.
        close(row, &[v2, -2.0 * (cosine - rate)], 1e-8);
    }
}

/// Nothing is at a known potential, so all potentials may change together.
#[test]
fn a_circuit_without_a_ground_floats() {
    let mut circuit = Circuit::new(&["a", "b", "c"]);
    let ten = circuit.builder.number(10.0);
    circuit.source("s", 0, 2, ten);
    circuit.resistor("r1", 0, 1, 2.0);
    circuit.resistor("r2", 1, 2, 3.0);
    let builder = circuit.finish();
    let errors = refused(&builder.system);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("under-determined"), "{errors:?}");
    for node in ["`a.v`", "`b.v`", "`c.v`"] {
        assert!(errors[0].contains(node), "{errors:?}");
    }
}

/// A diode and a resistor at a source: an algebraic equation that only iteration solves, beside a capacitor that integrates.
#[test]
fn a_diode_conducts_one_way() {
    let mut circuit = Circuit::new(&["a", "b", "g"]);
    let arena = circuit.builder.arena();
    let voltage = arena.scale(2.0, arena.apply(expr::Operator::Sin, &[circuit.builder.time()]));
    circuit.source("s", 0, 2, voltage);
    let resistor = circuit.resistor("r", 0, 1, 1.0);
    let diode = circuit.part("d", 1, 2);
    // i = 10⁻³ (exp(v / 0.1) - 1)
    let exponential = arena.apply(expr::Operator::Exp, &[arena.scale(10.0, diode.voltage)]);
    let conducted = arena.scale(1e-3, arena.subtract(exponential, arena.one()));
    circuit.builder.law("d.shockley", diode.current, conducted);
    circuit.capacitor("c", 1, 2, 0.1);
    circuit.ground(2);
    let mut builder = circuit.finish();
    builder.show("source", voltage);
    builder.show("over resistor", resistor.voltage);
    builder.show("v", diode.voltage);
    builder.show("i", diode.current);
    let ran = run(&builder.system, 6.0, 0.1);
    for (_, row) in &ran.rows {
        close(&[row[0]], &[row[1] + row[2]], 1e-9);
        close(&[row[3]], &[1e-3 * (libm::exp(10.0 * row[2]) - 1.0)], 1e-9);
    }
}

/// The same without the capacitor: nothing is integrated, everything follows from the time.
#[test]
fn a_diode_alone_is_found_by_iteration() {
    let mut circuit = Circuit::new(&["a", "b", "g"]);
    let arena = circuit.builder.arena();
    let voltage = arena.scale(2.0, arena.apply(expr::Operator::Sin, &[circuit.builder.time()]));
    circuit.source("s", 0, 2, voltage);
    let resistor = circuit.resistor("r", 0, 1, 1.0);
    let diode = circuit.part("d", 1, 2);
    let exponential = arena.apply(expr::Operator::Exp, &[arena.scale(10.0, diode.voltage)]);
    let conducted = arena.scale(1e-3, arena.subtract(exponential, arena.one()));
    circuit.builder.law("d.shockley", diode.current, conducted);
    circuit.ground(2);
    let mut builder = circuit.finish();
    builder.show("source", voltage);
    builder.show("over resistor", resistor.voltage);
    builder.show("v", diode.voltage);
    let ran = run(&builder.system, 6.0, 0.1);
    assert_eq!(ran.states, 0);
    for (t, row) in &ran.rows {
        let current = 1e-3 * (libm::exp(10.0 * row[2]) - 1.0);
        close(&[row[0], row[1]], &[2.0 * libm::sin(*t), current], 1e-9);
        close(&[row[0]], &[row[1] + row[2]], 1e-9);
    }
}

/// A source short-circuited by another of a different voltage.
#[test]
fn two_sources_side_by_side_contradict_each_other() {
    let mut circuit = Circuit::new(&["a", "g"]);
    let (one, two) = (circuit.builder.number(1.0), circuit.builder.number(2.0));
    circuit.source("s1", 0, 1, one);
    circuit.source("s2", 0, 1, two);
    circuit.resistor("r", 0, 1, 1.0);
    circuit.ground(1);
    let builder = circuit.finish();
    let errors = refused(&builder.system);
    assert!(errors[0].starts_with("contradicting-constraints"), "{errors:?}");
    assert!(errors[0].contains("s1") && errors[0].contains("s2"), "{errors:?}");
}
