//! A program of numbers that know how they change: beside every state, and whatever depends on states, stand its derivatives along some
//! directions. The directions are given from outside, as the derivatives of the discrete variables, and of the time; or each is a parameter.
//!
//! Every function computes as before, and then its own derivative: where it solves equations, the differentiated ones are solved beside them,
//! with the same matrix. So the derivatives are integrated with the states, and are moved onto the tangent of the constraints with them.
//! The time has derivatives too, since what is given may be the state at an instant that varies: if y(t, p) is a motion, and p and t
//! change together by dp and dt, then T = ∂y/∂p dp + y′ dt obeys T′ = ∂f/∂y T + ∂f/∂p dp + ∂f/∂t dt for as long as dt stays the same.

use std::sync::Arc;

use expr::{Arena, Differentiator, Expr, Number, Operator, Substitution, SymbolId};
use rustc_hash::FxHashMap;

use crate::contact::{ContactSlopes, Contacts};
use crate::decompose::decompose_systems;
use crate::program::{
    Binding, Change, Changes, EntryPoint, FamilySum, Function, Group, Integral, LinearSystem, NonlinearSystem,
    OutputColumn, ParameterInput, Program, State, SystemId, SystemInfo,
};
use crate::verify::verify_after;

/// The program of a mode, with derivatives along so many directions.
///
/// Needs: a program with transitions that was not decomposed. Gives: for n numbers of any kind (states, followers, variables, discrete
/// numbers, aims, what is carried to an entry, and what that finds and remembers) n (1 + directions), direction by
/// direction; the derivatives of the discrete variables, and of the time behind them, as variations; the derivatives of the margins behind the
/// guards. Keeps: states and transitions, but that no plan begins; what is started, observed, seen and claimed is left out.
pub fn with_tangents(program: Program, directions: usize) -> Program {
    if program.changes.is_none() {
        return program;
    }
    let mut tangents = Tangents::new(&program, directions);
    let mut program = differentiated(program, &mut tangents);
    program.systems = tangents.systems;
    let arena = program.arena.clone();
    let states = program.integrals.iter().flat_map(|integral| integral.states.iter().chain(&integral.followers));
    program.started = states.map(|state| state.symbol).collect();
    let nothing = |name: &str, count: usize| Function {
        name: name.to_string(),
        inputs: Group::default(),
        body: Vec::new(),
        results: vec![arena.zero(); count],
    };
    program.initialize = nothing("initialize", program.started.len());
    (program.observe, program.monitor) = (nothing("observe", program.outputs.len()), nothing("monitor", 2));
    program.watched = None;
    (program.picture, program.curves, program.surfaces) = (None, Vec::new(), Vec::new());
    verify_after("with_tangents", &program);
    program
}

/// The program of a mode that tells how all that it records changes with some parameters or controls, at a fixed time.
///
/// Needs: a program that was not decomposed. Gives: for n numbers that are recorded n (1 + parameters), parameter by
/// parameter; besides that what [`with_tangents`] gives. Keeps: states and transitions, and how they start; what is seen and claimed is left out.
///
/// Directions are as long as their parameters are large, so that derivatives are about as large as what they are of, and errors are measured
/// alike; what is recorded is divided by that. Fails with the equations of the start that leave a choice which has no derivative.
pub fn with_sensitivities(mut program: Program, varied: Vec<SymbolId>) -> Result<Program, SystemId> {
    let arena = program.arena.clone();
    decompose_systems(&arena, &mut program.initialize, &mut program.systems);
    let mut tangents = Tangents::new(&program, varied.len());
    for (along, &symbol) in tangents.along.iter_mut().zip(&varied) {
        along.seed(arena.symbol(symbol), length(&arena, symbol));
    }
    program.varied = varied;
    let mut program = differentiated(program, &mut tangents);
    tangents.start_with_slopes(&mut program);
    tangents.pull_from_seeds(&program.initialize.body)?;
    program.initialize = tangents.function(program.initialize);
    let recorded = program.observe.results.len();
    program.observe = tangents.function(program.observe);
    for (at, result) in program.observe.results.iter_mut().enumerate().skip(recorded) {
        *result = arena.divide(*result, length(&arena, program.varied[at / recorded - 1]));
    }
    let program = recorded_with_slopes(program, tangents);
    verify_after("with_sensitivities", &program);
    Ok(program)
}

/// The program of a mode that tells how rates, and all that it records, change along each of its states, and along each of its controls behind them.
///
/// Needs: a program that was not decomposed. Gives: what [`with_tangents`] gives, and derivatives of what is recorded; at the start those of the
/// states are zero, for whoever asks sets them. Keeps: states and transitions, and how they start; what is seen and claimed is left out.
pub fn with_all_directions(program: Program) -> Program {
    let arena = program.arena.clone();
    let (states, controls) = (program.integrated(), program.controls.len());
    let mut tangents = Tangents::new(&program, states + controls);
    for (along, control) in tangents.along[states..].iter_mut().zip(&program.controls) {
        along.seed(arena.symbol(control.symbol), arena.one());
    }
    let mut program = differentiated(program, &mut tangents);
    tangents.start_with_slopes(&mut program);
    program.initialize.results.resize(program.started.len(), arena.zero());
    program.observe = tangents.function(program.observe);
    let program = recorded_with_slopes(program, tangents);
    verify_after("with_all_directions", &program);
    program
}

/// The program with a column for each direction beside each that it records; nothing of it is drawn.
fn recorded_with_slopes(mut program: Program, tangents: Tangents) -> Program {
    let columns = || program.outputs.iter();
    let slopes = (0..program.directions)
        .flat_map(|direction| columns().map(move |it| OutputColumn { name: name(&it.name, direction) }));
    program.outputs = columns().map(|it| OutputColumn { name: it.name.clone() }).chain(slopes).collect();
    program.systems = tangents.systems;
    (program.picture, program.curves, program.surfaces) = (None, Vec::new(), Vec::new());
    program
}

/// How far a direction leads in its parameter: as far as it is from zero.
pub(crate) fn length(arena: &Arena, varied: SymbolId) -> Expr {
    let value = arena.symbol(varied);
    let is_zero = arena.apply(Operator::Equal, &[value, arena.zero()]);
    arena.apply(Operator::Select, &[is_zero, arena.one(), value])
}

/// The states, and what may happen to them, with their derivatives; the systems of equations are left with the tangents.
fn differentiated(mut program: Program, tangents: &mut Tangents) -> Program {
    tangents.systems = std::mem::take(&mut program.systems);
    let integrated = program.integrated();
    program.integrals = program.integrals.into_iter().map(|integral| tangents.integral(integral)).collect();
    let discrete = program.changes.as_ref().map_or(&[][..], |changes| &changes.discrete);
    program.variations = tangents.variations(discrete, program.time);
    program.changes = program.changes.map(|changes| tangents.changes(changes, integrated));
    if let Some(contacts) = &mut program.contacts {
        contacts.slopes = Some(tangents.contacts(contacts));
    }
    program.directions = tangents.along.len();
    program
}

pub(crate) struct Tangents {
    arena: Arc<Arena>,
    /// Of each symbol that changes, one in each direction.
    pub symbols: FxHashMap<SymbolId, Vec<SymbolId>>,
    along: Vec<Differentiator>,
    /// Of systems that leave a choice: how strongly each equation moves the solution away from the seeds.
    pulls: FxHashMap<SystemId, NonlinearSystem>,
    pub systems: Vec<SystemInfo>,
}

impl Tangents {
    fn new(program: &Program, directions: usize) -> Tangents {
        let arena = program.arena.clone();
        let (integrals, changes) = (|| program.integrals.iter(), || program.changes.iter());
        let functions = integrals()
            .flat_map(|integral| [Some(&integral.derivative), integral.stabilize.as_ref(), integral.follow.as_ref()])
            .flatten()
            .chain([&program.initialize, &program.observe])
            .chain(program.contacts.iter().flat_map(Contacts::differentiated))
            .chain(changes().flat_map(|changes| [&changes.guards, &changes.carried]))
            .chain(changes().flat_map(|changes| &changes.all).flat_map(|change| [&change.carry, &change.aims]))
            .chain(changes().flat_map(Changes::entry_points).map(|entry| &entry.function));
        let solved = functions.flat_map(|function| &function.body).flat_map(|binding| binding.unknowns().to_vec());
        let states = integrals().flat_map(|integral| integral.states.iter().chain(&integral.followers));
        let discrete = changes().flat_map(|changes| &changes.discrete);
        let states = states.map(|state| state.symbol).chain(discrete.map(|discrete| discrete.symbol));
        let entries = changes().flat_map(Changes::entry_points);
        let given = entries.flat_map(|entry| entry.function.inputs.symbols.iter().copied());
        let started = program.started.iter().copied();
        let forces =
            program.contacts.iter().flat_map(|contacts| contacts.wrenches.iter().chain(&contacts.push).copied());
        let mut varying: Vec<SymbolId> = solved.chain(states).chain(given).chain(started).chain(forces).collect();
        varying.push(program.time);
        Tangents::along(arena, varying, directions)
    }

    /// Derivatives of what depends on these symbols, along so many directions of them.
    pub fn along(arena: Arc<Arena>, varying: Vec<SymbolId>, directions: usize) -> Tangents {
        let mut symbols: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
        let mut along = vec![Differentiator::new(); directions];
        for symbol in varying {
            symbols.entry(symbol).or_insert_with(|| {
                let new = along.iter_mut().enumerate().map(|(direction, along)| {
                    let tangent = arena.new_symbol(&name(arena.symbol_name(symbol), direction));
                    along.seed(arena.symbol(symbol), arena.symbol(tangent));
                    tangent
                });
                new.collect()
            });
        }
        Tangents { arena, symbols, along, pulls: FxHashMap::default(), systems: Vec::new() }
    }

    fn integral(&mut self, integral: Integral) -> Integral {
        Integral {
            states: self.states(&integral.states),
            derivative: self.function(integral.derivative),
            stabilize: integral.stabilize.map(|stabilize| self.function(stabilize)),
            followers: self.states(&integral.followers),
            follow: integral.follow.map(|follow| self.function(follow)),
            solver: integral.solver,
            choices: integral.choices,
            // Only integrals without derivatives are told apart.
            crowd: Vec::new(),
        }
    }

    fn changes(&mut self, changes: Changes, integrated: usize) -> Changes {
        let Changes {
            mut guards,
            mut margins,
            mut claims,
            all,
            variables,
            moving,
            carried,
            discrete,
            entries,
            reenter,
        } = changes;
        let never = [-1.0, 0.0, 0.0].map(|value| self.arena.number(value));
        let planned = all.iter().enumerate().filter(|(_, change)| !change.choices.is_empty());
        for (at, _) in planned {
            guards.results[3 * at..3 * at + 3].copy_from_slice(&never);
            margins.all[at] = never[0];
        }
        margins.all.truncate(all.len());
        guards.body = self.body(guards.body);
        let slopes = self.slopes(&margins.all);
        guards.results.extend(slopes);
        claims.results.clear();
        let change = |mut change: Change| {
            change.carry = self.function(change.carry);
            change.aims = self.function(change.aims);
            change.seeds.results.clear();
            change
        };
        let all = all.into_iter().map(change).collect();
        let sizes = [variables.len(), integrated, discrete.len()];
        let entries = entries.into_iter().map(|entry| self.entry(entry, sizes)).collect();
        let reenter = reenter.map(|entry| self.entry(entry, sizes));
        let (carried, variables) = (self.function(carried), self.variables(&variables));
        Changes { discrete, guards, margins, claims, all, carried, variables, moving, entries, reenter }
    }

    /// How forces of contact, and what they depend on, change.
    fn contacts(&mut self, contacts: &Contacts) -> ContactSlopes {
        let along = |tangents: &Tangents, symbols: &[SymbolId]| -> Vec<SymbolId> {
            let directions = 0..tangents.along.len();
            directions.flat_map(|direction| tangents.unknowns(direction, symbols)).collect()
        };
        let mut accelerations = contacts.accelerations.clone();
        accelerations.results.truncate(contacts.wrenches.len());
        let mut slopes = |function: &Function| {
            let number = function.results.len();
            let mut function = self.function(function.clone());
            function.results.drain(..number);
            function
        };
        let given = slopes(&contacts.given);
        let (places, response) = (slopes(&contacts.places), slopes(&contacts.response));
        let accelerations = slopes(&accelerations);
        let push = contacts.push.iter().copied().chain(along(self, &contacts.push)).collect();
        ContactSlopes { wrenches: along(self, &contacts.wrenches), push, given, places, accelerations, response }
    }

    /// The variables, which nobody compares here; then what is remembered, the states and the followers, each with their derivatives.
    fn entry(&mut self, mut entry: EntryPoint, [variables, integrated, discrete]: [usize; 3]) -> EntryPoint {
        let results = std::mem::take(&mut entry.function.results);
        entry.function = self.function(entry.function);
        let (meant, found) = results.split_at(variables);
        let (remembered, states) = found.split_at(entry.stores.len());
        let (states, followers) = states.split_at(integrated);
        entry.function.results.extend(meant);
        for values in [remembered, states, followers] {
            let slopes = self.slopes(values);
            entry.function.results.extend(values.iter().copied().chain(slopes));
        }
        EntryPoint { stores: self.places(&entry.stores, discrete), ..entry }
    }

    /// Where numbers are remembered among so many that are discrete, then where their derivatives are.
    fn places(&self, stores: &[usize], discrete: usize) -> Vec<usize> {
        (0..=self.along.len()).flat_map(|by| stores.iter().map(move |place| place + by * discrete)).collect()
    }

    /// The derivatives of the discrete variables, and of the time.
    fn variations(&self, discrete: &[ParameterInput], time: SymbolId) -> Vec<ParameterInput> {
        let directions = 0..self.along.len();
        let tangents =
            directions.clone().flat_map(|direction| discrete.iter().map(move |discrete| (direction, discrete.symbol)));
        let times = directions.map(|direction| (direction, time));
        let variation = |(direction, symbol): (usize, SymbolId)| {
            let symbol = self.symbols[&symbol][direction];
            ParameterInput { name: self.arena.symbol_name(symbol).to_string(), symbol, default: 0.0 }
        };
        tangents.chain(times).map(variation).collect()
    }

    fn states(&self, states: &[State]) -> Vec<State> {
        let tangents = (0..self.along.len()).flat_map(|direction| {
            states.iter().map(move |state| State {
                name: name(&state.name, direction),
                symbol: self.symbols[&state.symbol][direction],
                ..state.clone()
            })
        });
        states.iter().cloned().chain(tangents).collect()
    }

    /// Not all of these vary by themselves; only their names are looked at.
    fn variables(&self, variables: &[State]) -> Vec<State> {
        let tangents = (0..self.along.len()).flat_map(|direction| {
            variables.iter().map(move |it| State { name: name(&it.name, direction), ..it.clone() })
        });
        variables.iter().cloned().chain(tangents).collect()
    }

    /// The results of a function, then their derivatives, direction by direction.
    fn function(&mut self, function: Function) -> Function {
        let Function { name, mut inputs, body, mut results } = function;
        let body = self.body(body);
        let slopes = self.slopes(&results);
        results.extend(slopes);
        let tangents = (0..self.along.len())
            .flat_map(|direction| inputs.symbols.iter().map(move |symbol| (direction, symbol)))
            .map(|(direction, symbol)| self.symbols[symbol][direction]);
        let tangents: Vec<SymbolId> = tangents.collect();
        inputs.symbols.extend(tangents);
        Function { name, inputs, body, results }
    }

    pub fn slopes(&mut self, values: &[Expr]) -> Vec<Expr> {
        (0..self.along.len()).flat_map(|direction| self.slopes_along(direction, values)).collect()
    }

    fn slopes_along(&mut self, direction: usize, values: &[Expr]) -> Vec<Expr> {
        let (arena, along) = (&self.arena, &mut self.along[direction]);
        along.seed_tips(arena, values);
        values.iter().map(|&value| along.derivative(arena, value)).collect()
    }

    pub fn body(&mut self, body: Vec<Binding>) -> Vec<Binding> {
        let mut all = Vec::with_capacity(body.len() * (1 + self.along.len()));
        for binding in body {
            let tangents: Vec<Binding> = (0..self.along.len())
                .map(|direction| match &binding {
                    Binding::Linear(system) => Binding::Linear(self.linear(direction, system)),
                    Binding::Nonlinear(system) => self.nonlinear(direction, system),
                    Binding::Sum(sum) => Binding::Linear(self.sum(direction, sum)),
                })
                .collect();
            let pull = self.pulls.get(&binding.id()).cloned().map(Binding::Nonlinear);
            all.push(binding);
            all.extend(pull.into_iter().chain(tangents));
        }
        all
    }

    /// The derivatives of sums, row by row of their tables.
    fn sum(&mut self, direction: usize, sum: &FamilySum) -> LinearSystem {
        let arena = self.arena.clone();
        let values = sum.unrolled(&arena);
        LinearSystem {
            id: self.again(sum.id),
            unknowns: self.unknowns(direction, &sum.unknowns),
            matrix: (0..values.len()).map(|at| (at, at, arena.one())).collect(),
            right: self.slopes_along(direction, &values),
            pivots: None,
        }
    }

    /// A x = b, so A dx = db − dA x.
    fn linear(&mut self, direction: usize, system: &LinearSystem) -> LinearSystem {
        let arena = self.arena.clone();
        let mut right: Vec<Vec<(Number, Expr)>> =
            self.slopes_along(direction, &system.right).into_iter().map(|slope| vec![(Number::ONE, slope)]).collect();
        for &(row, column, value) in &system.matrix {
            let slope = self.slopes_along(direction, &[value])[0];
            right[row].push((Number::MINUS_ONE, arena.multiply(slope, arena.symbol(system.unknowns[column]))));
        }
        LinearSystem {
            id: self.again(system.id),
            unknowns: self.unknowns(direction, &system.unknowns),
            matrix: system.matrix.clone(),
            right: right.into_iter().map(|terms| arena.sum(terms)).collect(),
            pivots: None,
        }
    }

    /// Where equations leave a choice, x is the solution nearest to seeds s: x − s = Jᵀ λ. Behind such a system a body gets one for λ, so that x can be
    /// differentiated. Where J changes with x the search ends near, but not at, the nearest one, and that has no derivative that is known.
    fn pull_from_seeds(&mut self, body: &[Binding]) -> Result<(), SystemId> {
        for binding in body {
            let Binding::Nonlinear(system) = binding else { continue };
            if system.residuals.len() < system.unknowns.len() && self.varies(system) {
                let pull = self.pull(system)?;
                self.pulls.insert(system.id, pull);
            }
        }
        Ok(())
    }

    fn pull(&mut self, system: &NonlinearSystem) -> Result<NonlinearSystem, SystemId> {
        let arena = self.arena.clone();
        let slopes: Vec<Expr> = system.jacobian.iter().map(|&(_, _, slope)| slope).collect();
        let inside = arena.symbols_in(&slopes);
        if system.unknowns.iter().any(|unknown| inside.contains(unknown)) {
            return Err(system.id);
        }
        let pulls: Vec<SymbolId> = system.residuals.iter().map(|_| arena.new_symbol("pull")).collect();
        let away = |(&unknown, &seed): (&SymbolId, &Expr)| arena.subtract(seed, arena.symbol(unknown));
        let mut residuals: Vec<Expr> = system.unknowns.iter().zip(&system.seeds).map(away).collect();
        let mut jacobian = Vec::with_capacity(system.jacobian.len());
        for &(row, column, slope) in &system.jacobian {
            residuals[column] = arena.add(residuals[column], arena.multiply(slope, arena.symbol(pulls[row])));
            jacobian.push((column, row, slope));
        }
        let seeds = vec![arena.zero(); pulls.len()];
        // It has an equation for each unknown, and an unknown for each equation.
        let id = self.again(system.id);
        let info = &mut self.systems[id.index()];
        std::mem::swap(&mut info.equations, &mut info.unknowns);
        Ok(NonlinearSystem { id, unknowns: pulls, seeds, residuals, jacobian })
    }

    /// Whether a solution changes along any direction.
    fn varies(&mut self, system: &NonlinearSystem) -> bool {
        let arena = self.arena.clone();
        let mut still = Substitution::default();
        for direction in 0..self.along.len() {
            let tangents = self.unknowns(direction, &system.unknowns);
            tangents.iter().for_each(|&tangent| still.insert(arena.symbol(tangent), arena.zero()));
        }
        let slopes = [self.slopes(&system.residuals), self.slopes(&system.seeds)].concat();
        slopes.into_iter().any(|slope| !arena.is_zero(still.apply(&arena, slope)))
    }

    /// r(x) = 0, so ∂r/∂x dx + … = 0. Where x is the solution nearest to some seeds, dx is the one nearest to how these change, as it is for
    /// seeds that are solutions themselves.
    fn nonlinear(&mut self, direction: usize, system: &NonlinearSystem) -> Binding {
        let arena = self.arena.clone();
        let (id, unknowns) = (self.again(system.id), self.unknowns(direction, &system.unknowns));
        let mut seeds = self.slopes_along(direction, &system.seeds);
        if let Some(pulls) = self.pulls.get(&system.id).map(|pull| pull.unknowns.clone()) {
            for &(row, column, slope) in &system.jacobian {
                let change = self.slopes_along(direction, &[slope])[0];
                seeds[column] = arena.add(seeds[column], arena.multiply(change, arena.symbol(pulls[row])));
            }
        }
        let residuals = self.slopes_along(direction, &system.residuals);
        let jacobian = system.jacobian.clone();
        // Impulses, which are searched from zero, may share what they have to do in many ways.
        let determined = residuals.len() == unknowns.len() && !system.seeds.iter().any(|&seed| arena.is_zero(seed));
        if !determined {
            return Binding::Nonlinear(NonlinearSystem { id, unknowns, seeds, residuals, jacobian });
        }
        let mut without = Substitution::new(unknowns.iter().map(|&unknown| (arena.symbol(unknown), arena.zero())));
        let right = residuals.iter().map(|&residual| arena.negate(without.apply(&arena, residual))).collect();
        Binding::Linear(LinearSystem { id, unknowns, matrix: jacobian, right, pivots: None })
    }

    /// What a program starts with has its derivatives behind it.
    fn start_with_slopes(&self, program: &mut Program) {
        let slopes = (0..program.directions).flat_map(|direction| self.unknowns(direction, &program.started));
        program.started = program.started.iter().copied().chain(slopes).collect();
    }

    fn unknowns(&self, direction: usize, unknowns: &[SymbolId]) -> Vec<SymbolId> {
        unknowns.iter().map(|unknown| self.symbols[unknown][direction]).collect()
    }

    /// The same words for another system.
    fn again(&mut self, id: SystemId) -> SystemId {
        self.systems.push(self.systems[id.index()].clone());
        SystemId(self.systems.len() as u32 - 1)
    }
}

/// `x·1`
fn name(of: &str, direction: usize) -> String {
    format!("{of}·{}", direction + 1)
}
