//! The program scheme, filled in for one system and one plan: every set of equations is one system to solve, all states are one
//! integral. A mechanism is solved in its classes; what acts on it is found before its accelerations, block after block, and what
//! depends on these behind them.

use equations::{
    ConstraintId, Coordinate, CoordinateId, Equation, Level, Place, Quantity, Role, Speed, SpeedId, System,
};
use expr::{Expr, SymbolId};
use plan::{LawPlan, Phase, Plan};
use rustc_hash::FxHashSet;

use crate::change::{self, Seen};
use crate::contact::Contacts;
use crate::program::{
    Binding, Changes, ControlInput, Curve, Function, Group, Integral, Memory, Origin, OutputColumn, ParameterInput,
    Program, Solver, State, Surface, SystemId, SystemInfo, SystemRole,
};
use crate::rows::Masks;
use crate::solved::{Solved, is_linear};
use crate::summed::{Summed, summed};
use crate::systems::{Row, Systems};
use crate::verify::verify_after;

pub fn instantiate(system: &System, plan: &Plan) -> Program {
    let mut scheme = Scheme::new(system, plan);
    let mechanism = scheme.mechanism_start();
    let mut solved = scheme.solved();
    scheme.solve_rates(&mut solved);
    let derivative = scheme.derivative(&mut solved);
    let choices = scheme.masks.choices(plan, &mut solved, (system, &scheme.state_group()));
    let stabilize = scheme.stabilize();
    let (followers, follow) = scheme.follow(&solved);
    let states = scheme.states.clone();
    let found: Vec<&State> = states.iter().chain(&followers).collect();
    let (initialize, started) = scheme.initialize(mechanism, &found);
    // What is found by iteration is known where anything is observed.
    solved.body.retain(|binding| !matches!(binding, Binding::Nonlinear(_)));
    scheme.solve_observed(&mut solved);
    let columns = system.outputs.iter().flat_map(|output| &output.columns);
    let observe = scheme.watch("observe", columns.map(|(_, value)| *value).collect(), &mut solved);
    let memory = (!system.signals.is_empty()).then(|| Memory {
        signals: scheme.watch("signals", system.signals.iter().map(|it| it.value).collect(), &mut solved),
        histories: system.signals.iter().map(|it| it.history).collect(),
        delays: system.signals.iter().map(|it| it.delay).collect(),
    });
    let seen = &system.picture;
    let picture = (!seen.values.is_empty()).then(|| scheme.watch("picture", seen.values.clone(), &mut solved));
    let curves = seen.curves.iter().map(|curve| scheme.curve(curve, &mut solved)).collect();
    let surfaces = seen.surfaces.iter().map(|surface| scheme.surface(surface, &mut solved)).collect();
    let (monitor, watched) = scheme.monitor(&mut solved);
    let changes = system.automaton.is_there().then(|| scheme.changes(&mut solved, &found));
    let (coordinates, speeds) = (plan.classes.q1.len() + plan.classes.q2.len(), plan.classes.speeds2.len());
    let contacts = system
        .contacts
        .as_ref()
        .map(|set| scheme.contacts(set, follow.as_ref(), &derivative, coordinates, speeds, &mut solved));
    let solver = Solver::default();
    let integral = Integral { states, derivative, stabilize, followers, follow, solver, choices, crowd: Vec::new() };
    let parts = Parts {
        initialize,
        started,
        integral,
        observe,
        memory,
        monitor,
        watched,
        picture,
        curves,
        surfaces,
        changes,
        contacts,
    };
    let mut program = whole(system, plan, parts, scheme.systems.infos);
    let masks = program.first_masks();
    let pushes: Vec<SymbolId> = program.contacts.iter().flat_map(Contacts::inputs).collect();
    let known = masks.iter().copied().chain(pushes.into_iter().map(|symbol| (symbol, 0.0)));
    let known: Vec<(SymbolId, f64)> = known.collect();
    program.points.iter_mut().for_each(|point| point.extend(known.iter().copied()));
    program
}

/// The functions that make a program.
pub struct Parts {
    pub initialize: Function,
    pub started: Vec<SymbolId>,
    pub integral: Integral,
    pub observe: Function,
    pub memory: Option<Memory>,
    pub monitor: Function,
    pub watched: Option<SystemId>,
    pub picture: Option<Function>,
    pub curves: Vec<Curve>,
    pub surfaces: Vec<Surface>,
    pub changes: Option<Changes>,
    pub contacts: Option<Contacts>,
}

/// The program that some functions make.
pub fn whole(system: &System, plan: &Plan, parts: Parts, systems: Vec<SystemInfo>) -> Program {
    let Parts {
        initialize,
        started,
        integral,
        observe,
        memory,
        monitor,
        watched,
        picture,
        curves,
        surfaces,
        changes,
        contacts,
    } = parts;
    let outputs = system.outputs.iter().flat_map(|output| &output.columns);
    let parameters = system.parameters.iter().chain(&system.automaton.discrete).map(|parameter| ParameterInput {
        name: parameter.name.clone(),
        symbol: parameter.symbol,
        default: parameter.default,
    });
    let controls = system.controls.iter().map(|control| ControlInput {
        name: control.name.clone(),
        symbol: control.symbol,
        default: control.default,
    });
    let program = Program {
        name: system.name.clone(),
        arena: system.arena.clone(),
        parameters: parameters.collect(),
        controls: controls.collect(),
        time: system.time,
        initialize,
        started,
        integrals: vec![integral],
        observe,
        outputs: outputs.map(|(name, _)| OutputColumn { name: name.clone() }).collect(),
        memory,
        picture,
        curves,
        surfaces,
        monitor,
        watched,
        changes,
        switches: None,
        contacts,
        systems,
        conserves_energy: system.energy.conserved,
        directions: 0,
        varied: Vec::new(),
        variations: Vec::new(),
        points: plan.points.clone(),
    };
    verify_after("instantiate", &program);
    program
}

pub struct Scheme<'s> {
    pub system: &'s System,
    pub plan: &'s Plan,
    pub systems: Systems<'s>,
    states: Vec<State>,
    /// Velocities of order 1, which all that comes later may need.
    first: Option<Binding>,
    masks: Masks,
    /// What families add up to.
    sums: Vec<Summed>,
}

impl<'s> Scheme<'s> {
    fn new(system: &'s System, plan: &'s Plan) -> Scheme<'s> {
        let mut systems = Systems::new(system);
        systems.add_origins(&plan.laws.form);
        let masks = Masks::new(system, &plan.groups);
        let sums = summed(system, &mut systems);
        Scheme { system, plan, systems, states: states(system, plan), first: None, masks, sums }
    }

    /// Nothing found yet. A redundant constraint needs no force of its own, and what follows from positions exerts none.
    pub fn solved(&self) -> Solved<'s> {
        let mut solved = Solved::new(self.system);
        let forced: FxHashSet<ConstraintId> = self.forced().into_iter().collect();
        let idle = self.plan.mechanism.constraints.iter().filter(|id| !forced.contains(id));
        for symbol in idle.filter_map(|id| self.system.constraints[id.index()].multiplier) {
            solved.known.insert(self.system.arena.symbol(symbol), self.system.arena.zero());
        }
        self.sums.iter().for_each(|sum| sum.enter(&mut solved));
        solved
    }

    /// The constraints that are kept by forces, now or at another time.
    fn forced(&self) -> Vec<ConstraintId> {
        [self.plan.classes.forced(self.system), self.plan.reserve()].concat()
    }

    /// What constraints say at a level, those that depend on others where they are in use.
    fn rows_in_use(&self, level: Level, ids: &[ConstraintId]) -> Vec<Row> {
        let row = |&id: &ConstraintId| {
            let mut row = self.systems.constraint_rows(level, &[id]).pop()?;
            row.residual = self.masks.apply(self.system, id, level, row.residual);
            Some(row)
        };
        ids.iter().filter_map(row).collect()
    }

    /// All that the rates of the states need, as far as it is not known already.
    pub fn solve_rates(&mut self, solved: &mut Solved<'_>) {
        let classes = &self.plan.classes;
        let unknowns = self.speed_symbols(&classes.speeds1);
        if !unknowns.is_empty() && !solved.has(&unknowns, &solved.bound()) {
            let rows = self.systems.constraint_rows(Level::Velocity, &[&classes.h1[..], &classes.n1].concat());
            let first = self.systems.linear(SystemRole::First, solved.applied(rows), unknowns);
            self.first.get_or_insert_with(|| first.clone());
            solved.body.push(first);
        }
        self.solve_blocks(Phase::Before, solved);
        self.solve_accelerations(solved);
        self.solve_blocks(Phase::After, solved);
    }

    /// Equations of motion and constraints on accelerations, linear in accelerations and multipliers.
    fn solve_accelerations(&mut self, solved: &mut Solved<'_>) {
        let (moving, forced) = (self.plan.classes.moving(), self.forced());
        let mut rows: Vec<Row> = moving.iter().map(|speed| self.systems.motion_row(*speed)).collect();
        if !self.plan.laws.form.replaced.is_empty() {
            let mut replacement = self.plan.laws.form.replacement();
            rows.iter_mut().for_each(|row| row.residual = replacement.apply(&self.system.arena, row.residual));
        }
        rows.extend(self.rows_in_use(Level::Acceleration, &forced));
        let (_, unknowns) = self.system.accelerations(&moving, &forced);
        let rows = solved.applied(rows);
        let bindings = match forced.is_empty() {
            true => self.systems.motion(rows, unknowns),
            false => vec![self.systems.masses_and_forces(rows, unknowns, moving.len())],
        };
        solved.body.extend(bindings);
    }

    /// The highest derivatives of what laws determine, block after block.
    fn solve_blocks(&mut self, phase: Phase, solved: &mut Solved<'_>) {
        let laws = &self.plan.laws;
        let bound = solved.bound();
        for block in laws.blocks.iter().filter(|block| block.phase == phase) {
            let rows = block.rows.iter().map(|&row| self.planned_row(row, laws.rows[row].leading())).collect();
            let unknowns: Vec<SymbolId> =
                block.quantities.iter().filter_map(|&quantity| laws.leading(quantity, 0)).collect();
            if solved.has(&unknowns, &bound) {
                continue;
            }
            if block.linear {
                solved.linear(SystemRole::Rates, rows, unknowns, &mut self.systems);
            } else {
                // The search begins with what was found a moment ago.
                let seed = |unknown| self.system.arena.symbol(unknown);
                solved.nonlinear(SystemRole::Rates, rows, unknowns, seed, &mut self.systems);
            }
        }
    }

    /// A law of the plan, or one of its derivatives.
    fn planned_row(&self, row: usize, residual: Expr) -> Row {
        let planned = &self.plan.laws.rows[row];
        self.systems.row(&Equation { label: planned.label.clone(), residual, span: planned.span })
    }

    /// What the rates of the states do not need: velocities and accelerations of order 0, what laws only read, derivatives that are
    /// higher still where somebody asks for them.
    pub fn solve_observed(&mut self, solved: &mut Solved<'_>) {
        let (classes, laws) = (&self.plan.classes, &self.plan.laws);
        if !classes.q0.is_empty() {
            let accelerations = classes.speeds0.iter().map(|id| self.speed(*id).acceleration).collect();
            let velocities = (SystemRole::ZerothVelocities, Level::Velocity, self.speed_symbols(&classes.speeds0));
            for (role, level, unknowns) in
                [velocities, (SystemRole::ZerothAccelerations, Level::Acceleration, accelerations)]
            {
                if !solved.has(&unknowns, &solved.bound()) {
                    let rows = solved.applied(self.systems.constraint_rows(level, &classes.h0));
                    solved.body.push(self.systems.linear(role, rows, unknowns));
                }
            }
        }
        self.solve_blocks(Phase::Reading, solved);
        for further in &laws.further {
            let block = &laws.blocks[further.block];
            let rows = block.rows.iter().zip(&further.residuals);
            let rows: Vec<Row> = rows.map(|(&row, &residual)| self.planned_row(row, residual)).collect();
            let unknowns = block.quantities.iter().filter_map(|&quantity| laws.leading(quantity, further.times));
            let unknowns: Vec<SymbolId> = unknowns.collect();
            debug_assert!(is_linear(&self.system.arena, &rows, &unknowns));
            solved.linear(SystemRole::Rates, rows, unknowns, &mut self.systems);
        }
    }

    fn derivative(&self, solved: &mut Solved<'_>) -> Function {
        let (classes, laws) = (&self.plan.classes, &self.plan.laws);
        let integrated = classes.q1.iter().chain(&classes.q2);
        let rates = integrated.map(|id| self.system.coordinates[id.index()].rate);
        let accelerating = classes.speeds2.iter().map(|id| self.speed(*id).acceleration);
        let accelerating = accelerating.map(|symbol| self.system.arena.symbol(symbol));
        let mut results: Vec<Expr> = rates.chain(accelerating).collect();
        for (at, quantity) in laws.form.quantities.iter().enumerate() {
            if quantity.role == Role::Constant {
                results.push(solved.arena.zero());
                continue;
            }
            let rates = (quantity.first()..laws.orders[at]).filter_map(|order| quantity.at(order + 1));
            results.extend(rates.map(|rate| solved.value(rate)));
        }
        let turning = laws.form.turns.iter().flat_map(|turn| &turn.coordinates);
        results.extend(turning.map(|coordinate| solved.known.apply(solved.arena, coordinate.rate)));
        Function { name: "derivative".into(), inputs: self.state_group(), body: solved.body.clone(), results }
    }

    /// The smallest change of positions, then of velocities, that satisfies the constraints of the mechanism; then, level after level, of
    /// what laws speak of.
    fn stabilize(&mut self) -> Option<Function> {
        let classes = &self.plan.classes;
        let reserve = self.plan.reserve();
        let positions = self.rows_in_use(Level::Position, &[&classes.h1[..], &classes.h2, &reserve].concat());
        let velocities = self.rows_in_use(Level::Velocity, &[&classes.h2[..], &classes.n2, &reserve].concat());
        let mut body = Vec::new();
        if !positions.is_empty() || !velocities.is_empty() {
            let coordinates = self.coordinate_symbols(classes.q1.iter().chain(&classes.q2));
            let speeds = self.speed_symbols(&classes.speeds2);
            let (from, from_speeds) = (self.symbols(&coordinates), self.symbols(&speeds));
            body.push(self.systems.nonlinear(SystemRole::StabilizePositions, positions, coordinates, from));
            // Constraints on velocities may speak of velocities of order 1, which the new positions determine.
            body.extend(self.first.clone());
            body.push(self.systems.nonlinear(SystemRole::StabilizeVelocities, velocities, speeds, from_speeds));
        }
        let levels = self.plan.laws.constraints();
        if !levels.is_empty() {
            body.extend(self.first.clone());
        }
        for (equations, moved) in levels {
            let rows = equations.iter().map(|equation| self.systems.row(equation)).collect();
            let from = self.symbols(&moved);
            body.push(self.systems.nonlinear(SystemRole::Stabilize, rows, moved, from));
        }
        let group = self.state_group();
        let results = self.symbols(&group.symbols);
        (!body.is_empty()).then(|| Function { name: "stabilize".into(), inputs: group, body, results })
    }

    /// Coordinates of order 0, and whatever laws determine by iteration, from where they were a moment ago.
    fn follow(&mut self, solved: &Solved<'_>) -> (Vec<State>, Option<Function>) {
        let classes = &self.plan.classes;
        let mut followers: Vec<State> = classes.q0.iter().map(|id| position_state(self.system, *id)).collect();
        let mut body = Vec::new();
        if !followers.is_empty() {
            let unknowns = self.coordinate_symbols(&classes.q0);
            let rows = self.systems.constraint_rows(Level::Position, &classes.h0);
            let seeds = self.symbols(&unknowns);
            body.push(self.systems.nonlinear(SystemRole::Zeroth, rows, unknowns, seeds));
        }
        let form = &self.plan.laws.form;
        let places = form.places();
        let follower = |&symbol: &SymbolId| {
            let Some(Place::Derivative { quantity, order }) = places.get(symbol) else { return None };
            let quantity = &form.quantities[quantity];
            let (name, dimension) = (quantity.name_of(order), quantity.dimension_of(order));
            Some(State { name, symbol, dimension, span: quantity.span })
        };
        let iterated = solved.body.iter().filter(|binding| matches!(binding, Binding::Nonlinear(_)));
        let by_laws: Vec<State> = iterated.flat_map(|binding| binding.unknowns()).filter_map(follower).collect();
        if !by_laws.is_empty() {
            body.extend(solved.body.iter().cloned());
            followers.extend(by_laws);
        }
        let results = followers.iter().map(|follower| solved.arena.symbol(follower.symbol)).collect();
        let function = Function { name: "follow".into(), inputs: self.state_group(), body, results };
        let function = (!followers.is_empty()).then_some(function);
        (followers, function)
    }

    /// Something that is seen of the states.
    pub fn watch(&self, name: &str, mut results: Vec<Expr>, solved: &mut Solved<'_>) -> Function {
        let mut replacement = self.plan.laws.form.replacement();
        for result in &mut results {
            *result = solved.known.apply(solved.arena, replacement.apply(solved.arena, *result));
        }
        Function { name: name.into(), inputs: self.state_group(), body: solved.body.clone(), results }
    }

    fn curve(&self, curve: &equations::Curve, solved: &mut Solved<'_>) -> Curve {
        let results = [curve.from, curve.to].into_iter().chain(curve.point).collect();
        Curve { parameter: curve.parameter, function: self.watch("curve", results, solved) }
    }

    fn surface(&self, surface: &equations::Surface, solved: &mut Solved<'_>) -> Surface {
        let function = self.watch("surface", vec![surface.size, surface.residual], solved);
        Surface { coordinates: surface.coordinates, function }
    }

    /// Energy, kinetic energy, and what the constraints on the states leave, last those that follow from others.
    fn monitor(&mut self, solved: &mut Solved<'_>) -> (Function, Option<SystemId>) {
        let (classes, laws) = (&self.plan.classes, &self.plan.laws);
        let energy = self.system.arena.add(self.system.energy.kinetic, self.system.energy.potential);
        let guiding: FxHashSet<ConstraintId> = classes.h0.iter().copied().collect();
        let following: FxHashSet<SymbolId> = self.coordinate_symbols(&classes.q0).into_iter().collect();
        let positions = self.plan.mechanism.constraints.iter().copied().filter(|id| !guiding.contains(id));
        let (redundant, kept): (Vec<_>, Vec<_>) = positions.partition(|id| self.plan.redundant.contains(id));
        let rows = |ids: &[ConstraintId]| {
            let mut rows = self.systems.constraint_rows(Level::Position, ids);
            rows.retain(|row| !self.mentions(row.residual, &following));
            rows
        };
        let (kept, redundant) = (rows(&kept), rows(&redundant));
        let constraints = laws.rows.iter().filter(|row| row.times() > 0).map(|row| row.levels[0]);
        let invariants = laws.form.turns.iter().flat_map(|turn| &turn.invariants).map(|invariant| invariant.residual);
        let by_laws = constraints.chain(invariants);
        let residuals = kept.iter().map(|row| row.residual).chain(by_laws);
        let residuals = residuals.chain(redundant.iter().map(|row| row.residual));
        let results = [energy, self.system.energy.kinetic].into_iter().chain(residuals).collect();
        let monitor = self.watch("monitor", results, solved);
        let origins: Vec<Origin> = redundant.into_iter().map(|row| row.origin).collect();
        let any = !origins.is_empty();
        (monitor, any.then(|| self.systems.add_info(SystemRole::Watched, origins, Vec::new())))
    }

    fn changes(&mut self, solved: &mut Solved<'_>, found: &[&State]) -> Changes {
        let arena = &self.system.arena;
        let mut replacement = self.plan.laws.form.replacement();
        let (observed, inputs) = (solved.body.clone(), self.state_group());
        let known = &mut |value| solved.known.apply(arena, replacement.apply(arena, value));
        let changes = change::changes(self.system, Seen { observed, inputs, known });
        let entries = self.plan.entries.iter().map(|entry| self.entry_point(entry, found)).collect();
        let reenter = self.plan.reenter.as_ref().map(|entry| self.entry_point(entry, found));
        Changes { entries, reenter, ..changes }
    }

    fn state_group(&self) -> Group {
        Group { name: "state".into(), symbols: self.states.iter().map(|state| state.symbol).collect() }
    }

    fn speed(&self, id: SpeedId) -> &Speed {
        &self.system.speeds[id.index()]
    }

    pub fn mentions(&self, expr: Expr, symbols: &FxHashSet<SymbolId>) -> bool {
        self.system.arena.symbols_in(&[expr]).iter().any(|symbol| symbols.contains(symbol))
    }

    fn coordinate_symbols<'i>(&self, ids: impl IntoIterator<Item = &'i CoordinateId>) -> Vec<SymbolId> {
        ids.into_iter().map(|id| self.system.coordinates[id.index()].symbol).collect()
    }

    pub fn speed_symbols<'i>(&self, ids: impl IntoIterator<Item = &'i SpeedId>) -> Vec<SymbolId> {
        ids.into_iter().map(|id| self.speed(*id).symbol).collect()
    }

    fn symbols(&self, symbols: &[SymbolId]) -> Vec<Expr> {
        symbols.iter().map(|&symbol| self.system.arena.symbol(symbol)).collect()
    }
}

/// Positions of orders 1 and 2 and velocities of order 2; then everything below the highest derivatives of what laws determine, and
/// constants that have to be found.
fn states(system: &System, plan: &Plan) -> Vec<State> {
    let Plan { classes, laws, .. } = plan;
    let positions = classes.q1.iter().chain(&classes.q2).map(|id| position_state(system, *id));
    let velocities = classes.speeds2.iter().map(|id| {
        let Speed { name, symbol, dimension, span, .. } = &system.speeds[id.index()];
        State { name: name.clone(), symbol: *symbol, dimension: *dimension, span: *span }
    });
    positions.chain(velocities).chain(law_states(laws)).collect()
}

fn position_state(system: &System, id: CoordinateId) -> State {
    let Coordinate { name, symbol, dimension, span, .. } = &system.coordinates[id.index()];
    State { name: name.clone(), symbol: *symbol, dimension: *dimension, span: *span }
}

fn law_states(laws: &LawPlan) -> Vec<State> {
    let form = &laws.form;
    let state = |(quantity, order): (&Quantity, usize)| {
        let (name, dimension) = (quantity.name_of(order), quantity.dimension_of(order));
        Some(State { name, symbol: quantity.at(order)?, dimension, span: quantity.span })
    };
    let mut states: Vec<State> = laws.states().filter_map(state).collect();
    let turning = form.turns.iter().flat_map(|turn| &turn.coordinates);
    states.extend(turning.map(|coordinate| State {
        name: coordinate.name.clone(),
        symbol: coordinate.symbol,
        dimension: coordinate.dimension,
        span: coordinate.span,
    }));
    states
}
