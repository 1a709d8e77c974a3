//! The module as a whole: its arrays and entry points, as `kernel::protocol` names them.

use base::Sources;
use expr::SymbolId;
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Module, ModuleBuilder, Term, protocol};
use numerics::elementary::Elementary;
use numerics::{DenseSolver, IntegratorArrays, Method, Ranges};
use program::{Changes, EntryPoint, Function, Program};
use rustc_hash::FxHashMap;

use crate::contact::{ContactFunctions, Law, Touching};
use crate::emit::Scope;
use crate::enclose::Watched;
use crate::history::History;
use crate::integral::LoweredIntegral;
use crate::measured::Measured;
use crate::rows::mask_array;
use crate::search::attempt;
use crate::switches::Switching;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Of integrals that are solved explicitly.
    pub explicit: Method,
    /// Of those that are solved implicitly.
    pub implicit: Method,
    /// Whether integrators of other programs may drive it (model exchange).
    pub exchange: bool,
}

/// The kernel module of a program.
pub fn lower(program: &Program, sources: &Sources, options: Options) -> Module {
    let mut lowering = Lowering::new(program, sources, options);
    lowering.declare_switches();
    lowering.declare_contacts();
    lowering.declare_history();
    let integrals: Vec<LoweredIntegral> = (0..program.integrals.len()).map(|at| lowering.integral(at)).collect();
    lowering.sample(&integrals);
    lowering.past_record(&integrals);
    lowering.contact =
        integrals[0].contacting.and_then(|contacting| lowering.contact_functions(contacting, &integrals[0].arrays));
    lowering.initialize(&integrals);
    lowering.configure(&integrals);
    match program.switches {
        Some(_) => lowering.switches(&integrals),
        None => lowering.advance(&integrals),
    }
    lowering.evaluation(protocol::OBSERVE, &program.observe, lowering.outputs, &integrals);
    lowering.monitor(&integrals);
    if let Some(picture) = &program.picture {
        lowering.picture(picture, &integrals);
    }
    if !program.curves.is_empty() {
        lowering.curves(&integrals);
    }
    let given = program.changes.as_ref().map(|changes| lowering.changes(changes, &integrals));
    if !program.surfaces.is_empty() {
        lowering.surfaces(&integrals);
    }
    lowering.tally(&integrals);
    let states = lowering.capture(&integrals);
    lowering.resume(states, &integrals);
    if options.exchange {
        lowering.exchange(states, &integrals);
    }
    if let Some((changes, given)) = program.changes.as_ref().zip(given) {
        for entry in &changes.entries {
            lowering.entry(&format!("{}{}", protocol::ENTER, entry.number), entry, given, states);
        }
        changes.reenter.iter().for_each(|entry| lowering.entry(protocol::REENTER, entry, given, states));
    }
    for (name, note) in protocol::ENTRY_POINTS {
        if let Some(entry) = lowering.module.module().find_function(name) {
            lowering.module.describe(entry, note);
        }
    }
    let mut module = lowering.module.finish();
    kernel::remove_unused(&mut module.functions);
    kernel::split_large(&mut module, LARGE);
    module
}

/// Functions of more than twice this size are cut into parts.
const LARGE: usize = 1500;

/// The names of the counters, in their order.
const STATISTICS: [&str; IntegratorArrays::COUNTERS] =
    ["accepted", "rejected", "evaluations", "jacobians", "factorisations", "tested", "stiff", "projections"];

/// What the solvers of a projection tell of constraints.
pub(crate) struct ConstraintIndependence {
    /// The least of all of them.
    pub least: ArrayId,
    /// What it is measured by, for each solver.
    pub longest: Vec<ArrayId>,
}

pub(crate) struct Lowering<'p> {
    pub program: &'p Program,
    pub sources: &'p Sources,
    pub options: Options,
    pub module: ModuleBuilder,
    pub elementary: Elementary,
    pub ranges: Ranges,
    /// What was, where something depends on it.
    pub history: Option<History>,
    /// Once one is asked for.
    pub measured: Option<Measured>,
    outputs: ArrayId,
    monitors: ArrayId,
    statistics: ArrayId,
    pub failure: ArrayId,
    pub failure_values: ArrayId,
    /// The dense solvers made so far, by size.
    pub dense_solvers: FxHashMap<usize, DenseSolver>,
    /// How independent the constraints are that a state is moved onto, while the code for that is written.
    pub independence: Option<ConstraintIndependence>,
    /// Which rows are in use, of those that depend on one another.
    pub masks: Option<ArrayId>,
    pub switching: Option<Switching>,
    pub touching: Option<Touching>,
    pub contact: Option<ContactFunctions>,
    /// Where parameters, controls, masks and switches are, for every function.
    pub inputs: FxHashMap<SymbolId, Expression>,
}

impl<'p> Lowering<'p> {
    fn new(program: &'p Program, sources: &'p Sources, options: Options) -> Lowering<'p> {
        let mut module = ModuleBuilder::new(&program.name);
        let defaults: Vec<f64> = program.parameters.iter().map(|parameter| parameter.default).collect();
        let parameters = module.reals(protocol::PARAMETERS, &defaults, "in SI units, in the order of the source");
        let defaults: Vec<f64> = program.controls.iter().map(|control| control.default).collect();
        let controls = module.reals(protocol::CONTROLS, &defaults, "live inputs, in SI units");
        let mut inputs = FxHashMap::default();
        for (at, parameter) in program.parameters.iter().enumerate() {
            inputs.insert(parameter.symbol, parameters.at(at));
        }
        if !program.variations.is_empty() {
            let note = "how the discrete variables, and the time, change along each direction";
            let variations = module.real_array(protocol::VARIATIONS, program.variations.len(), note);
            let places = program.variations.iter().enumerate();
            inputs.extend(places.map(|(at, variation)| (variation.symbol, variations.at(at))));
        }
        for (at, control) in program.controls.iter().enumerate() {
            inputs.insert(control.symbol, controls.at(at));
        }
        let masks = mask_array(&mut module, program);
        for (masks, (at, (symbol, _))) in masks.iter().cycle().zip(program.first_masks().into_iter().enumerate()) {
            inputs.insert(symbol, masks.at(at));
        }
        let statistics = module.integer_array(protocol::STATISTICS, STATISTICS.len(), "how the integration went");
        let failure = module.integer_array(protocol::FAILURE, 2, "what failed, and the worst part of it");
        let failure_values = module.real_array(protocol::FAILURE_VALUES, 2, "when it failed, and by how much");
        for (array, names) in
            [(statistics, &STATISTICS[..]), (failure, &["place", "part"]), (failure_values, &["time", "residual"])]
        {
            module.name_slots(array, names.iter().map(|&name| (name, String::new())));
        }
        Lowering {
            program,
            sources,
            options,
            outputs: module.real_array(protocol::OUTPUTS, program.observe.results.len(), "what a run prints"),
            monitors: module.real_array(
                protocol::MONITORS,
                program.monitor.results.len(),
                "energy, then constraint residuals",
            ),
            statistics,
            failure,
            failure_values,
            elementary: Elementary::new(),
            ranges: Ranges::default(),
            history: None,
            measured: None,
            dense_solvers: FxHashMap::default(),
            switching: None,
            touching: None,
            contact: None,
            module,
            independence: None,
            masks,
            inputs,
        }
    }

    /// A scope that knows parameters, controls and the time.
    pub fn scope(&self, time: impl Into<Expression>) -> Scope {
        let mut symbols = self.inputs.clone();
        symbols.insert(self.program.time, time.into());
        Scope::new(symbols)
    }

    /// A scope that knows the sampled state too.
    pub fn sampled_scope(
        &self,
        time: impl Into<Expression>,
        program: &Program,
        integrals: &[LoweredIntegral],
    ) -> Scope {
        let mut scope = self.scope(time);
        for (integral, lowered) in program.integrals.iter().zip(integrals) {
            scope.bind_states(&integral.states, lowered.arrays.sampled);
            if let Some(following) = lowered.following() {
                scope.bind_states(&integral.followers, following.followers);
            }
        }
        scope
    }

    /// Defines a declared function with access to the lowering.
    pub fn define(&mut self, function: FunctionId, body: impl FnOnce(&mut Body<'_, 'p, '_>)) {
        // The module is built through the function builder while a body is written; the rest of the lowering goes along.
        let mut module = std::mem::replace(&mut self.module, ModuleBuilder::new("empty"));
        module.define(function, |f| body(&mut Body { lowering: self, f }));
        self.module = module;
    }

    fn initialize(&mut self, integrals: &[LoweredIntegral]) {
        let program = self.program;
        let function = self.module.declare(protocol::INITIALIZE, &[], &[Integer]);
        self.define(function, |body| {
            if let Some(history) = body.lowering.history {
                body.f.call(history.clear, ());
                attempt(body.f, history.begin, 0.0);
            }
            let mut scope = body.lowering.scope(0.0);
            body.bindings(&program.initialize, &mut scope, &Expression::from(0.0));
            let values = body.emit(&program.initialize.results, &mut scope);
            for (&symbol, value) in program.started.iter().zip(values) {
                scope.bind(symbol, value);
            }
            for (integral, lowered) in program.integrals.iter().zip(integrals) {
                body.store_states(&integral.states, lowered.arrays.state, &mut scope);
                if let Some(implicit) = &lowered.implicit {
                    implicit.store_guesses(body, lowered.arrays.state, &mut scope);
                }
                if let Some(following) = lowered.following() {
                    body.store_states(&integral.followers, following.settled, &mut scope);
                }
            }
            if let Some(touching) = body.lowering.touching {
                let seen = touching.arrays.seen;
                let length = body.lowering.program.contacts.as_ref().map_or(0, |contacts| contacts.seen.len());
                body.f.for_each("i", 0, length, |f, i| f.store(seen, i, 0.0));
                if let Some(Law::Steps(stepping)) = integrals[0].contacting.map(|contacting| contacting.law) {
                    stepping.report.clear(body.f);
                }
            }
            for lowered in integrals {
                lowered.choose_rows(body, 0.0);
                if let Some(switching) = body.lowering.switching {
                    switching.begin(body, &lowered.arrays, &Expression::from(0.0));
                }
                let status = body.f.call1(lowered.integrator.start, 0.0);
                lowered.hand_on(body, status, &Expression::from(0.0));
            }
            body.f.return_(protocol::DONE);
        });
    }

    fn configure(&mut self, integrals: &[LoweredIntegral]) {
        let parameters = [("tolerance", Real), ("horizon", Real)];
        self.module.function(protocol::CONFIGURE, &parameters, &[Integer], |f| {
            let [tolerance, horizon] = f.parameters();
            for lowered in integrals {
                f.store(lowered.arrays.tolerance, 0, tolerance);
                f.store(lowered.arrays.horizon, 0, horizon);
            }
            f.return_(protocol::DONE);
        });
    }

    fn advance(&mut self, integrals: &[LoweredIntegral]) {
        let parameters = [("target", Real), ("limit", Integer)];
        let function = self.module.declare(protocol::ADVANCE, &parameters, &[Integer]);
        self.define(function, |body| {
            let [target, limit] = body.f.parameters();
            let unfinished = body.f.integer("unfinished", 0);
            for lowered in integrals {
                let status = body.f.call1(lowered.integrator.advance, (target, limit));
                body.f.if_(status.eq_(protocol::UNFINISHED), |f| f.assign(unfinished, 1));
                let time = lowered.arrays.failure_time.at(0);
                lowered.hand_on(body, status, &time);
            }
            body.f.return_(unfinished);
        });
    }

    fn sample(&mut self, integrals: &[LoweredIntegral]) {
        let function = self.module.declare(protocol::SAMPLE, &[("t", Real)], &[Integer]);
        self.define(function, |body| {
            let [t] = body.f.parameters();
            for lowered in integrals {
                let status = body.f.call1(lowered.integrator.sample, t);
                body.f.if_(status.ne_(protocol::DONE), |f| f.return_(protocol::NOT_FINITE));
                lowered.settle_sample(body, t);
                lowered.slide_sample(body, t);
            }
            body.f.return_(protocol::DONE);
        });
    }

    /// An entry point that evaluates a function of the sampled state into an array.
    pub fn evaluation(
        &mut self,
        name: &str,
        function: &'p Function,
        into: ArrayId,
        integrals: &[LoweredIntegral],
    ) -> FunctionId {
        self.evaluation_and(name, function, into, integrals, |_, _| ())
    }

    /// The same, and something more with what was evaluated.
    fn evaluation_and(
        &mut self,
        name: &str,
        function: &'p Function,
        into: ArrayId,
        integrals: &[LoweredIntegral],
        more: impl FnOnce(&mut Body<'_, 'p, '_>, LocalId),
    ) -> FunctionId {
        let program = self.program;
        let id = self.module.declare(name, &[("t", Real)], &[Integer]);
        self.define(id, |body| {
            let [t] = body.f.parameters();
            if let Some(contact) = body.lowering.contact.filter(|_| program.looks_at_contacts(function)) {
                attempt(body.f, contact.observe, t);
            }
            let mut scope = body.lowering.sampled_scope(t, program, integrals);
            body.bindings(function, &mut scope, &Expression::from(t));
            body.compute_sums(&function.results, &mut scope);
            let values = body.emit(&function.results, &mut scope);
            body.store_all(into, values);
            more(body, t);
            body.f.return_(protocol::DONE);
        });
        id
    }

    fn picture(&mut self, picture: &'p Function, integrals: &[LoweredIntegral]) {
        let (program, first) = (self.program, picture.results.len());
        let points = self.touching.map_or(0, |touching| touching.capacity * protocol::CONTACT_POINT);
        let values = self.module.real_array(protocol::PICTURE_VALUES, first + points, "what is seen");
        self.evaluation_and(protocol::PICTURE, picture, values, integrals, |body, t| {
            let Some((touching, contact)) = body.lowering.touching.zip(body.lowering.contact) else { return };
            if !program.looks_at_contacts(picture) {
                attempt(body.f, contact.observe, t);
            }
            touching.show_points(body.f, values, first);
        });
    }

    /// Energies and what constraints leave. What follows from other constraints must not be left by far more than those are.
    fn monitor(&mut self, integrals: &[LoweredIntegral]) {
        // In the unit of the constraint: what dropped constraints may leave at all, and how many times what the kept ones leave.
        const LEFT: f64 = 1e-5;
        const FAR: f64 = 1e4;
        let (program, monitors, values) = (self.program, self.monitors, self.failure_values);
        self.evaluation_and(protocol::MONITOR, &program.monitor, monitors, integrals, |body, t| {
            let Some(watched) = program.watched else { return };
            let end = program.monitor.results.len();
            let first = end - program.systems[watched.0 as usize].equations.len();
            let f = &mut body.f;
            let largest = f.real("largest", LEFT);
            f.for_each("i", 2, first, |f, i| f.assign(largest, largest.max(monitors.at(i).abs() * FAR)));
            let part = f.integer("part", -1);
            f.for_each("i", first, end, |f, i| {
                f.if_(monitors.at(i).abs().gt(largest), |f| {
                    f.assign(largest, monitors.at(i).abs());
                    f.assign(part, i - first);
                });
            });
            f.store(values, 1, largest);
            body.fail_if(part.ge(0), protocol::NOT_SOLVED, watched, part.get(), &Expression::from(t));
        });
    }

    /// Guards, claims, and what transitions change. All share one array; whoever asks takes out what is there.
    fn changes(&mut self, changes: &'p Changes, integrals: &[LoweredIntegral]) -> ArrayId {
        let each = changes.all.iter().flat_map(|change| [&change.carry, &change.aims, &change.seeds]);
        let each =
            each.chain([&changes.guards, &changes.claims, &changes.carried]).map(|function| function.results.len());
        let variables = changes.variables.len();
        let entries =
            changes.entry_points().map(|it| it.function.inputs.symbols.len().max(variables + it.stores.len()));
        let most = each.chain(entries).max();
        let values =
            self.module.real_array(protocol::CHANGE_VALUES, most.unwrap_or(0).max(2), "of guards and transitions");
        self.evaluation(protocol::GUARDS, &changes.guards, values, integrals);
        let sample = self.module.module().find_function(protocol::SAMPLE).expect("it was made before");
        let watched =
            Watched { prefix: "", margins: &changes.margins, guards: changes.all.len(), verdicts: values, sample };
        self.watching(&watched, integrals);
        self.evaluation(protocol::CARRIED, &changes.carried, values, integrals);
        self.evaluation(protocol::CLAIMS, &changes.claims, values, integrals);
        for (at, change) in changes.all.iter().enumerate() {
            self.evaluation(&format!("{}{at}", protocol::CARRY), &change.carry, values, integrals);
            self.evaluation(&format!("{}{at}", protocol::AIMS), &change.aims, values, integrals);
            self.evaluation(&format!("{}{at}", protocol::SEEDS), &change.seeds, values, integrals);
        }
        values
    }

    /// The entry point that finds the states after a transition into this mode, from what was given.
    fn entry(&mut self, name: &str, entry: &'p EntryPoint, given: ArrayId, states: ArrayId) {
        let function = self.module.declare(name, &[("t", Real)], &[Integer]);
        self.define(function, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            for (at, &symbol) in entry.function.inputs.symbols.iter().enumerate() {
                scope.bind(symbol, given.at(at));
            }
            body.bindings(&entry.function, &mut scope, &Expression::from(t));
            let mut values = body.emit(&entry.function.results, &mut scope);
            let found = values.split_off(body.lowering.program.variables() + entry.stores.len());
            body.store_all(states, found.into_iter().take(body.lowering.count()).collect());
            // What is meant takes the place of what it may be found from.
            let meant = values.into_iter().map(|value| body.f.real("meant", value).get()).collect();
            body.store_all(given, meant);
            body.f.return_(protocol::DONE);
        });
    }

    fn tally(&mut self, integrals: &[LoweredIntegral]) {
        let statistics = self.statistics;
        self.module.function(protocol::TALLY, &[], &[Integer], |f| {
            for place in 0..IntegratorArrays::COUNTERS {
                // One statement each: independent parts of a scene may be many, and expressions cannot be nested as deeply.
                let total = f.integer("total", 0);
                integrals.iter().for_each(|lowered| f.assign(total, total + lowered.arrays.counters.at(place)));
                f.store(statistics, place, total);
            }
            f.return_(protocol::DONE);
        });
    }
}

/// The body of one function being written.
pub(crate) struct Body<'b, 'p, 'm> {
    pub lowering: &'b mut Lowering<'p>,
    pub f: &'b mut FunctionBuilder<'m>,
}
