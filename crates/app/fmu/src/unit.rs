//! A unit as a function of numbers: the same arguments give the same value, whatever was asked before. Instances of the library are led to where a question
//! wants them, by what has happened from the start to there.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::archive::Archive;
use crate::calls::remember;
use crate::description::{Called, Description, Interface, Number};
use crate::nodes::{Known, Node, NodeId, Nodes};
use crate::values::{Asked, Layout};
use crate::{Instance, Loaded};

/// Instances that are kept, for threads and branches that go side by side.
const MOST_INSTANCES: usize = 8;
/// Longer than any run, in seconds: no event is due.
const NEVER: f64 = 1e30;
/// About the cube root of what rounding leaves of one: there central differences err least.
const DIFFERENCE: f64 = 6e-6;

pub struct Unit {
    archive: Archive,
    description: Description,
    interface: Interface,
    layout: Layout,
    all: Vec<Asked>,
    running: Mutex<Running>,
}

/// What there is once a run asks.
struct Running {
    loaded: Option<Result<Arc<Loaded>, String>>,
    nodes: Nodes,
    instances: Vec<Placed>,
    /// What was evaluated last: arguments, and all values.
    recent: VecDeque<(Vec<u64>, Vec<f64>)>,
}

impl Running {
    /// A library whose process has ended is loaded again where a run begins.
    fn begin_anew(&mut self) {
        if matches!(&self.loaded, Some(Ok(loaded)) if loaded.has_ended()) {
            self.loaded = None;
            self.instances.clear();
        }
    }
}

/// An instance, and where it stands.
struct Placed {
    instance: Instance,
    node: NodeId,
    /// To which instant it went from there by itself.
    advanced: Option<f64>,
}

/// The arguments of a call, in the units of the description.
struct Call {
    given: Vec<f64>,
    token: f64,
    time: f64,
    states: Vec<f64>,
    inputs: Vec<f64>,
}

impl Unit {
    pub fn new(archive: Archive, description: Description, interface: Interface) -> Unit {
        let layout = Layout::new(&description, interface);
        let running = Running { loaded: None, nodes: Nodes::new(), instances: Vec::new(), recent: VecDeque::new() };
        Unit { archive, description, interface, all: layout.all(), layout, running: Mutex::new(running) }
    }

    /// What a program asks for: a result, by its number; a direction, see `Operator::Foreign`; and the arguments. Not a number where there is no answer.
    pub fn value(&self, arguments: &[f64]) -> f64 {
        let [result, direction, rest @ ..] = arguments else { return f64::NAN };
        let found = match self.all.get(*result as usize) {
            Some(&asked) if rest.len() == self.layout.arguments() => {
                let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
                if matches!(asked, Asked::Start(_) | Asked::StartOutput(_)) {
                    running.begin_anew();
                }
                self.along(&mut running, asked, *direction as usize, rest)
            }
            _ => Err("it is asked for what it does not have".to_string()),
        };
        match found {
            Ok(value) if value.is_finite() => value,
            Ok(_) => {
                remember(&format!("the unit `{}` gave something that is not a number", self.description.name));
                f64::NAN
            }
            Err(words) => {
                remember(&format!("the unit `{}` failed: {words}", self.description.name));
                f64::NAN
            }
        }
    }

    /// A value, or its derivative along some directions, the last of which is the last digit.
    fn along(&self, running: &mut Running, asked: Asked, direction: usize, arguments: &[f64]) -> Result<f64, String> {
        let digits = self.layout.arguments() + 1;
        let Some(by) = (direction % digits).checked_sub(1) else { return self.plain(running, asked, arguments) };
        let others = direction / digits;
        if by == self.layout.given() || asked == Asked::Token {
            // Tokens are names: nothing changes with one by degrees, and it with nothing.
            return Ok(0.0);
        }
        if others == 0
            && let Some(slope) = self.slope(running, asked, by, arguments)?
        {
            return Ok(slope);
        }
        let size = arguments[by].abs().max(1.0);
        let length = if others == 0 { DIFFERENCE * size } else { DIFFERENCE.sqrt() * size };
        let mut at = |by_how_much: f64| {
            let mut moved = arguments.to_vec();
            moved[by] += by_how_much;
            self.along(running, asked, others, &moved)
        };
        Ok((at(length)? - at(-length)?) / (2.0 * length))
    }

    /// A slope that the library itself knows.
    fn slope(&self, running: &mut Running, asked: Asked, by: usize, arguments: &[f64]) -> Result<Option<f64>, String> {
        let knows = self.description.kind(self.interface).is_some_and(|kind| kind.has_slopes);
        let first = self.layout.given() + 2;
        let known = match by.checked_sub(first) {
            Some(at) if at < self.layout.states => Some(self.description.states[at].variable),
            Some(at) => self.layout.inputs.get(at - self.layout.states).copied(),
            None => None,
        };
        let unknown = match asked {
            Asked::Rate(at) => Some((self.description.states[at].rate, self.description.states[at].variable)),
            Asked::Output(at) => Some((self.layout.outputs[at], self.layout.outputs[at])),
            _ => None,
        };
        let is_real = |at: usize| self.description.variables[at].number == Some(Number::Float64);
        let (Some(known), Some((unknown, measured))) = (known.filter(|&at| is_real(at)), unknown) else {
            return Ok(None);
        };
        if !knows || !is_real(unknown) || self.interface == Interface::CoSimulation {
            return Ok(None);
        }
        let call = self.call(arguments);
        let node = self.node(running, &call)?;
        let place = self.place(running, node)?;
        let instance = &running.instances[place].instance;
        self.hand_over(instance, &call)?;
        let called = |at: usize| self.description.called(at).map(|it| (it, self.description.variables[at].element));
        let (Some(of), Some(by)) = (called(unknown), called(known)) else { return Ok(None) };
        let slope = instance.slope(of, by)?;
        Ok(Some(slope * self.description.unit(measured).factor / self.description.unit(known).factor))
    }

    fn plain(&self, running: &mut Running, asked: Asked, arguments: &[f64]) -> Result<f64, String> {
        let call = self.call(arguments);
        let [states, outputs] = [self.layout.states, self.layout.outputs.len()];
        match asked {
            Asked::Rate(at) => {
                let unit = self.description.unit(self.description.states[at].variable);
                Ok(self.evaluated(running, &call, arguments)?[at] * unit.factor)
            }
            Asked::Output(at) if self.interface == Interface::CoSimulation => {
                let node = self.node(running, &call)?;
                Ok(self.outside(self.layout.outputs[at], self.reached(running, node, call.time)?[at]))
            }
            Asked::Output(at) => {
                let value = self.evaluated(running, &call, arguments)?[states + at];
                Ok(self.outside(self.layout.outputs[at], value))
            }
            Asked::Margin(at) => {
                let value = self.evaluated(running, &call, arguments)?[states + outputs + at];
                let node = self.node(running, &call)?;
                Ok(running.nodes.get(node).known.sides[at] * value)
            }
            Asked::Due => {
                let node = self.node(running, &call)?;
                Ok(running.nodes.get(node).known.next.map_or(NEVER, |next| next - call.time))
            }
            Asked::Start(at) => {
                let variable = self.description.states[at].variable;
                let value = match self.description.variables[variable].starts_from_inputs {
                    true => self.begun(running, &call.given, &call.inputs)?.1.states[at],
                    false => {
                        let node = self.start(running, &call.given)?;
                        running.nodes.get(node).known.states[at]
                    }
                };
                Ok(self.outside(variable, value))
            }
            Asked::StartOutput(at) => {
                let node = self.start(running, &call.given)?;
                Ok(self.outside(self.layout.outputs[at], self.reached(running, node, 0.0)?[at]))
            }
            Asked::Token => Ok(Nodes::token(self.after(running, call)?)),
            Asked::After(at) => {
                let node = self.after(running, call)?;
                let variable = self.description.states[at].variable;
                Ok(self.outside(variable, running.nodes.get(node).known.states[at]))
            }
        }
    }

    /// The arguments, in the units of the description.
    fn call(&self, arguments: &[f64]) -> Call {
        let inside = |variable: usize, value: f64| {
            let unit = self.description.unit(variable);
            (value - unit.offset) / unit.factor
        };
        let Layout { parameters, starts, states, inputs, .. } = &self.layout;
        let (given, rest) = arguments.split_at(self.layout.given());
        let chosen = starts.iter().map(|&at| self.description.states[at].variable);
        let moving = self.description.states.iter().take(*states).map(|state| state.variable);
        let all = |variables: &mut dyn Iterator<Item = usize>, values: &[f64]| -> Vec<f64> {
            variables.zip(values).map(|(variable, &value)| inside(variable, value)).collect()
        };
        Call {
            given: all(&mut parameters.iter().copied().chain(chosen), given),
            token: rest[0],
            time: rest[1],
            states: all(&mut { moving }, &rest[2..]),
            inputs: all(&mut inputs.iter().copied(), &rest[2 + states..]),
        }
    }

    fn outside(&self, variable: usize, value: f64) -> f64 {
        let unit = self.description.unit(variable);
        value * unit.factor + unit.offset
    }
}

/// Where instances are, and what happens to them.
impl Unit {
    fn node(&self, running: &mut Running, call: &Call) -> Result<NodeId, String> {
        match running.nodes.named(call.token) {
            Some(node) => Ok(node),
            None => self.start(running, &call.given),
        }
    }

    /// The node at the start of runs with these choices.
    fn start(&self, running: &mut Running, given: &[f64]) -> Result<NodeId, String> {
        let inputs = self.usual_inputs();
        let node = Node {
            before: None,
            given: given.to_vec(),
            time: 0.0,
            states: Vec::new(),
            inputs,
            known: Known::default(),
        };
        if let Some(known) = running.nodes.find(&node) {
            return Ok(known);
        }
        let (instance, known) = self.begun(running, given, &node.inputs)?;
        if known.next.is_some() && self.interface == Interface::ModelExchange && !self.description.has_events() {
            return Err("it asks for an event, though its description names nothing that changes at one".to_string());
        }
        let node = running.nodes.add(Node { known, ..node });
        self.keep(running, Placed { instance, node, advanced: None });
        Ok(node)
    }

    fn usual_inputs(&self) -> Vec<f64> {
        self.layout.inputs.iter().map(|&at| self.description.variables[at].start.unwrap_or(0.0)).collect()
    }

    /// An instance at the start.
    fn begun(&self, running: &mut Running, given: &[f64], inputs: &[f64]) -> Result<(Instance, Known), String> {
        let loaded = self.loaded(running)?;
        if self.description.kind(self.interface).is_some_and(|kind| kind.is_alone) {
            running.instances.clear();
        }
        let instance = Instance::new(&loaded)?;
        let chosen = self.layout.starts.iter().map(|&at| self.description.states[at].variable);
        let variables: Vec<usize> = self.layout.parameters.iter().copied().chain(chosen).collect();
        self.set(&instance, &variables, given)?;
        instance.enter_initialization()?;
        self.set_inputs(&instance, inputs)?;
        instance.exit_initialization()?;
        let known = match self.interface {
            Interface::CoSimulation => Known::default(),
            Interface::ModelExchange => self.settled(&instance, 0.0)?,
        };
        Ok((instance, known))
    }

    fn loaded(&self, running: &mut Running) -> Result<Arc<Loaded>, String> {
        let open = || {
            let unpacked = self.archive.unpack(&self.description, self.interface)?;
            Loaded::open(unpacked, &self.description, self.interface).map(Arc::new)
        };
        running.loaded.get_or_insert_with(open).clone()
    }

    /// What there is after an event: in Event Mode before, in Continuous-Time Mode afterwards.
    fn settled(&self, instance: &Instance, time: f64) -> Result<Known, String> {
        for clock in self.description.clocks.iter().filter(|clock| self.description.ticks(clock, time)) {
            instance.tick(clock.reference)?;
        }
        let told = instance.update()?;
        if told.ends {
            return Err(format!("it ended its simulation at t = {time} s"));
        }
        instance.enter_continuous_time()?;
        let states = instance.states(self.layout.states)?;
        let sides = instance.indicators(self.layout.indicators)?;
        let sides = sides.into_iter().map(|side| if side > 0.0 { 1.0 } else { -1.0 }).collect();
        let next = [told.next, self.description.tick_after(time)].into_iter().flatten().min_by(f64::total_cmp);
        Ok(Known { states, sides, next, ..Known::default() })
    }

    /// Gives variables their values; all numbers of an array stand together.
    fn set(&self, instance: &Instance, variables: &[usize], values: &[f64]) -> Result<(), String> {
        let mut at = 0;
        while let Some(&variable) = variables.get(at) {
            let called = self.description.called(variable).ok_or("a variable without a number is set")?;
            instance.set(called, &values[at..at + called.length])?;
            at += called.length;
        }
        Ok(())
    }

    fn set_inputs(&self, instance: &Instance, inputs: &[f64]) -> Result<(), String> {
        self.set(instance, &self.layout.inputs, inputs)
    }

    /// How the library knows the outputs, each array once.
    fn named_outputs(&self) -> Result<Vec<Called>, String> {
        let firsts = self.layout.outputs.iter().filter(|&&at| self.description.variables[at].element == 0);
        let called = |&at: &usize| self.description.called(at);
        firsts.map(|at| called(at).ok_or_else(|| "an output without a number is asked for".to_string())).collect()
    }

    fn outputs(&self, instance: &Instance) -> Result<Vec<f64>, String> {
        instance.all(0, &self.named_outputs()?, 0)
    }

    fn hand_over(&self, instance: &Instance, call: &Call) -> Result<(), String> {
        instance.set_time(call.time)?;
        if !call.states.is_empty() {
            instance.set_states(&call.states)?;
        }
        self.set_inputs(instance, &call.inputs)
    }

    /// Rates, outputs and indicators at some arguments.
    fn evaluated(&self, running: &mut Running, call: &Call, arguments: &[f64]) -> Result<Vec<f64>, String> {
        let key: Vec<u64> = arguments.iter().map(|value| value.to_bits()).collect();
        if let Some((_, values)) = running.recent.iter().find(|(known, _)| *known == key) {
            return Ok(values.clone());
        }
        let node = self.node(running, call)?;
        let place = self.place(running, node)?;
        let instance = &running.instances[place].instance;
        self.hand_over(instance, call)?;
        let values = instance.all(self.layout.states, &self.named_outputs()?, self.layout.indicators)?;
        // All columns of a matrix of slopes by differences, and the point itself.
        while running.recent.len() > 2 * self.layout.arguments() + 2 {
            running.recent.pop_front();
        }
        running.recent.push_back((key, values.clone()));
        Ok(values)
    }

    /// The node after an event, or after a sample.
    fn after(&self, running: &mut Running, call: Call) -> Result<NodeId, String> {
        let before = self.node(running, &call)?;
        let Call { time, states, inputs, .. } = call;
        let node = Node { before: Some(before), given: Vec::new(), time, states, inputs, known: Known::default() };
        if let Some(known) = running.nodes.find(&node) {
            return Ok(known);
        }
        if self.interface == Interface::CoSimulation {
            return Ok(running.nodes.add(node));
        }
        let place = self.place(running, before)?;
        let known = self.happen(&running.instances[place].instance, &node)?;
        let node = running.nodes.add(Node { known, ..node });
        running.instances[place].node = node;
        Ok(node)
    }

    /// An event, at an instance that stands before it.
    fn happen(&self, instance: &Instance, node: &Node) -> Result<Known, String> {
        let Node { time, ref states, ref inputs, .. } = *node;
        let call = Call { given: Vec::new(), token: 0.0, time, states: states.clone(), inputs: inputs.clone() };
        self.hand_over(instance, &call)?;
        instance.enter_event_mode()?;
        self.settled(instance, time)
    }

    /// The outputs at an instant after a sample.
    fn reached(&self, running: &mut Running, node: NodeId, time: f64) -> Result<Vec<f64>, String> {
        if let Some((known, outputs)) = &running.nodes.get(node).known.outputs
            && known.to_bits() == time.to_bits()
        {
            return Ok(outputs.clone());
        }
        let place = self.place(running, node)?;
        self.advance(&running.nodes, &mut running.instances[place], time)?;
        let outputs = self.outputs(&running.instances[place].instance)?;
        running.nodes.known_mut(node).outputs = Some((time, outputs.clone()));
        Ok(outputs)
    }

    /// Lets an instance go on by itself from the node where it stands.
    fn advance(&self, nodes: &Nodes, placed: &mut Placed, time: f64) -> Result<(), String> {
        let from = nodes.get(placed.node).time;
        if time > from {
            placed.instance.step(from, time - from)?;
        }
        placed.advanced = Some(time);
        Ok(())
    }

    /// The place of an instance that stands at a node: one that is there, one that stands just before it, or a new one that goes all the way.
    fn place(&self, running: &mut Running, node: NodeId) -> Result<usize, String> {
        if let Some(place) = running.instances.iter().position(|it| it.node == node && it.advanced.is_none()) {
            return Ok(place);
        }
        let way = running.nodes.way_to(node);
        let step = running.nodes.get(node);
        let is_before = |it: &Placed| Some(it.node) == step.before && it.advanced == Some(step.time);
        if let Some(place) = running.instances.iter().position(is_before) {
            self.go(&running.nodes, &mut running.instances[place], node)?;
            return Ok(place);
        }
        let start = running.nodes.get(way[0]);
        let (given, inputs) = (start.given.clone(), start.inputs.clone());
        let (instance, _) = self.begun(running, &given, &inputs)?;
        let mut placed = Placed { instance, node: way[0], advanced: None };
        for &next in &way[1..] {
            self.go(&running.nodes, &mut placed, next)?;
        }
        Ok(self.keep(running, placed))
    }

    /// From a node to the next.
    fn go(&self, nodes: &Nodes, placed: &mut Placed, next: NodeId) -> Result<(), String> {
        let node = nodes.get(next);
        match self.interface {
            Interface::ModelExchange => drop(self.happen(&placed.instance, node)?),
            Interface::CoSimulation => {
                if placed.advanced.is_none() {
                    self.advance(nodes, placed, node.time)?;
                }
                self.set_inputs(&placed.instance, &node.inputs)?;
            }
        }
        (placed.node, placed.advanced) = (next, None);
        Ok(())
    }

    fn keep(&self, running: &mut Running, placed: Placed) -> usize {
        if running.instances.len() >= MOST_INSTANCES {
            running.instances.remove(0);
        }
        running.instances.push(placed);
        running.instances.len() - 1
    }
}
