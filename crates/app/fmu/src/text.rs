//! The members of a unit, as a text of the language.

use std::fmt::Write;

use formats::Names;

use crate::description::{Description, Interface, Variable};
use crate::values::{Asked, Layout};

/// Larger units have equations of more arguments than anyone can wait for.
const MOST_ARGUMENTS: usize = 500;
/// Each is a quantity with a law, and to compile ten thousand of those takes minutes.
const MOST_OUTPUTS: usize = 2000;

/// Needs: the number under which programs call the unit.
pub fn members(description: &Description, interface: Interface, number: usize) -> Result<String, String> {
    let layout = Layout::new(description, interface);
    if layout.arguments() > MOST_ARGUMENTS {
        let count = layout.arguments();
        return Err(format!("it has {count} parameters, states and inputs; more than {MOST_ARGUMENTS} are too many"));
    }
    if layout.outputs.len() > MOST_OUTPUTS {
        return Err(format!("it has {} outputs; more than {MOST_OUTPUTS} are too many", layout.outputs.len()));
    }
    let mut names = Names::default();
    // What the text itself declares.
    ["token", "step", "tick", "event", "foreign"].into_iter().for_each(|own| drop(names.claim(own)));
    let named: Vec<String> = description.variables.iter().map(|variable| names.claim(&variable.name)).collect();
    let state_name = |at: usize| named[description.states[at].variable].clone();
    let starts: Vec<String> =
        layout.starts.iter().map(|&at| names.claim(&format!("start_{}", state_name(at)))).collect();
    let writer = Writer { description, layout: &layout, all: layout.all(), named, starts, number, text: String::new() };
    match interface {
        Interface::ModelExchange => Ok(writer.exchanged()),
        Interface::CoSimulation => Ok(writer.sampled()),
    }
}

struct Writer<'d> {
    description: &'d Description,
    layout: &'d Layout,
    all: Vec<Asked>,
    /// What each variable is called.
    named: Vec<String>,
    /// What the chosen starts are called.
    starts: Vec<String>,
    number: usize,
    text: String,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// Model exchange: rates of states and outputs are laws, and what happens all at once is a transition.
    fn exchanged(mut self) -> String {
        let has_events = self.description.has_events();
        self.constants();
        self.quantities(&self.layout.inputs);
        let states: Vec<usize> = self.description.states.iter().map(|state| state.variable).collect();
        self.quantities(&states);
        self.quantities(&self.layout.outputs);
        if has_events {
            self.line("token: real");
            self.line("always token' == 0");
            self.line("initially token == 0");
        }
        let token = if has_events { "token" } else { "0" };
        for (at, &state) in states.iter().enumerate() {
            let (name, unit) = (self.named[state].clone(), self.times_unit(state));
            let rate = self.asked(Asked::Rate(at), Some(self.description.states[at].rate), token, &Arguments::Now);
            self.line(&format!("always {name}' == {rate}{unit} / (1 [s])"));
            let seen = match self.description.variables[state].starts_from_inputs {
                true => Arguments::Now,
                false => Arguments::Given,
            };
            let start = self.asked(Asked::Start(at), None, "0", &seen);
            self.line(&format!("initially {name} == {start}{unit}"));
        }
        for (at, output) in self.layout.outputs.clone().into_iter().enumerate() {
            let value = self.asked(Asked::Output(at), Some(output), token, &Arguments::Now);
            self.line(&format!("always {} == {value}{}", self.named[output], self.times_unit(output)));
        }
        if has_events {
            self.events(&states);
        }
        self.text
    }

    fn events(&mut self, states: &[usize]) {
        let margins = (0..self.layout.indicators).map(Asked::Margin);
        let margins = margins.map(|margin| format!("{} < 0", self.asked(margin, None, "token", &Arguments::Now)));
        let due = format!("{} <= 0", self.asked(Asked::Due, None, "token", &Arguments::Time));
        let guard: Vec<String> = margins.chain([due]).collect();
        self.line(&format!("when event: {} {{", guard.join(" or ")));
        let token = self.asked(Asked::Token, None, "pre(token)", &Arguments::Before);
        self.line(&format!("token == {token}"));
        for (at, &state) in states.iter().enumerate() {
            let after = self.asked(Asked::After(at), None, "pre(token)", &Arguments::Before);
            self.line(&format!("{} == {after}{}", self.named[state], self.times_unit(state)));
        }
        self.line("}");
    }

    /// Co-simulation: from sample to sample it integrates by itself, with the inputs of the last one, and its outputs are held.
    fn sampled(mut self) -> String {
        self.constants();
        let step = self.description.step.filter(|step| *step > 0.0);
        let default = step.map_or(String::new(), |step| format!(" = {step:?} [s]"));
        self.line(&format!("step: constant [s]{default} \"from one sample to the next\""));
        self.quantities(&self.layout.inputs);
        self.quantities(&self.layout.outputs);
        self.line("token: real");
        self.line("initially token == 0");
        let outputs = self.layout.outputs.clone();
        for (at, &output) in outputs.iter().enumerate() {
            let start = self.asked(Asked::StartOutput(at), None, "0", &Arguments::Given);
            self.line(&format!("initially {} == {start}{}", self.named[output], self.times_unit(output)));
        }
        self.line("every tick: step {");
        let token = self.asked(Asked::Token, None, "pre(token)", &Arguments::Before);
        self.line(&format!("token == {token}"));
        for (at, &output) in outputs.iter().enumerate() {
            let value = self.asked(Asked::Output(at), None, "pre(token)", &Arguments::Time);
            self.line(&format!("{} == {value}{}", self.named[output], self.times_unit(output)));
        }
        self.line("}");
        self.text
    }

    fn constants(&mut self) {
        for &parameter in &self.layout.parameters {
            self.constant(&self.named[parameter].clone(), parameter);
        }
        for (name, &at) in self.starts.clone().iter().zip(&self.layout.starts) {
            self.constant(name, self.description.states[at].variable);
        }
    }

    fn constant(&mut self, name: &str, variable: usize) {
        let unit = self.description.unit(variable);
        let value = self.description.variables[variable].start.unwrap_or(0.0) * unit.factor + unit.offset;
        let note = noted(&self.description.variables[variable]);
        let line = match unit.text.as_str() {
            "" => format!("{name}: constant real = {value:?}{note}"),
            text => format!("{name}: constant [{text}] = {value:?} [{text}]{note}"),
        };
        self.line(&line);
    }

    fn quantities(&mut self, variables: &[usize]) {
        for &variable in variables {
            let domain = match self.description.unit(variable).text.as_str() {
                "" => "real".to_string(),
                text => format!("[{text}]"),
            };
            let note = noted(&self.description.variables[variable]);
            self.line(&format!("{}: {domain}{note}", self.named[variable]));
        }
    }

    fn times_unit(&self, variable: usize) -> String {
        match self.description.unit(variable).text.as_str() {
            "" => String::new(),
            text => format!(" * (1 [{text}])"),
        }
    }

    /// A quantity as a plain number in SI units.
    fn plain(&self, name: &str, variable: usize) -> String {
        match self.description.unit(variable).text.as_str() {
            "" => name.to_string(),
            text => format!("{name} / (1 [{text}])"),
        }
    }

    /// `foreign(…)`: what is asked for. States and inputs on which a variable is said not to depend stay what they are at the start, so that nobody takes
    /// them for something that matters.
    fn asked(&self, asked: Asked, of: Option<usize>, token: &str, arguments: &Arguments) -> String {
        let result = self.all.iter().position(|other| *other == asked).expect("all that can be asked for is listed");
        let mut list = vec![self.number.to_string(), result.to_string(), "0".to_string()];
        list.extend(self.layout.parameters.iter().map(|&at| self.plain(&self.named[at], at)));
        let states = &self.description.states;
        list.extend(
            self.starts.iter().zip(&self.layout.starts).map(|(name, &at)| self.plain(name, states[at].variable)),
        );
        list.push(token.to_string());
        list.push(if *arguments == Arguments::Given { "0".to_string() } else { "t / (1 [s])".to_string() });
        let moving = states.iter().take(self.layout.states).map(|state| state.variable);
        for variable in moving.chain(self.layout.inputs.iter().copied()) {
            let matters = of.is_none_or(|of| self.description.depends(of, variable));
            let is_input = self.description.variables[variable].causality == "input";
            list.push(match arguments {
                Arguments::Now if matters && (is_input || !matches!(asked, Asked::Start(_))) => {
                    self.plain(&self.named[variable], variable)
                }
                Arguments::Before => self.plain(&format!("pre({})", self.named[variable]), variable),
                _ => {
                    let unit = self.description.unit(variable);
                    let start = self.description.variables[variable].start.unwrap_or(0.0);
                    format!("{:?}", start * unit.factor + unit.offset)
                }
            });
        }
        format!("foreign({})", list.join(", "))
    }
}

/// At which instant arguments are taken, and which matter.
#[derive(PartialEq)]
enum Arguments {
    /// What is given before the run alone.
    Given,
    /// The time beside that.
    Time,
    Now,
    /// Before a transition.
    Before,
}

fn noted(variable: &Variable) -> String {
    let plain: String =
        variable.note.chars().filter(|c| !c.is_control() && *c != '"' && *c != '\\').take(120).collect();
    if plain.is_empty() { String::new() } else { format!(" \"{plain}\"") }
}
