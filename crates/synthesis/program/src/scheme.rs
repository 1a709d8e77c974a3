//! The program scheme, filled in for one system and one plan: every set of equations is one system to solve, all states are one
//! integral.

use equations::{ConstraintId, CoordinateId, Level, Speed, SpeedId, System};
use expr::{Expr, Substitution, SymbolId};
use plan::Plan;
use rustc_hash::FxHashSet;

use crate::change::{Seen, changes};
use crate::general;
use crate::program::{
    Binding, Changes, ControlInput, Curve, Function, Group, Integral, Origin, OutputColumn, ParameterInput, Program,
    Solver, State, Surface, SystemId, SystemInfo, SystemRole,
};
use crate::systems::{Row, Systems};

pub fn instantiate(system: &System, plan: &Plan) -> Program {
    if let Some(general) = &plan.general {
        return general::instantiate(system, plan, general);
    }
    let mut scheme = Scheme { system, plan, systems: Systems::new(system) };
    let (initialize, started) = scheme.initialize();
    let first = scheme.first_velocities();
    let accelerations = scheme.accelerations();
    let derivative = scheme.derivative(&first, &accelerations);
    let stabilize = scheme.stabilize(&first);
    let follow = scheme.follow();
    let observed = scheme.observed(&first, &accelerations);
    let columns = system.outputs.iter().flat_map(|output| &output.columns);
    let observe = scheme.watch("observe", &observed, columns.map(|(_, value)| *value).collect());
    let seen = &system.picture;
    let picture = (!seen.values.is_empty()).then(|| scheme.watch("picture", &observed, seen.values.clone()));
    let curves = seen.curves.iter().map(|curve| scheme.curve(curve, &observed)).collect();
    let surfaces = seen.surfaces.iter().map(|surface| scheme.surface(surface, &observed)).collect();
    let (monitor, watched) = scheme.monitor(&first);
    let changing = system.automaton.is_there();
    let seen = Seen { observed, inputs: scheme.state_group(), known: &mut |expr| expr };
    let changes = changing.then(|| changes(system, &mut scheme.systems, seen));
    let followers = scheme.followers();
    let integral =
        Integral { states: scheme.states(), derivative, stabilize, followers, follow, solver: Solver::default() };
    let parts = Parts { initialize, started, integral, observe, monitor, watched, picture, curves, surfaces, changes };
    whole(system, plan, parts, scheme.systems.infos)
}

/// The functions that make a program.
pub struct Parts {
    pub initialize: Function,
    pub started: Vec<SymbolId>,
    pub integral: Integral,
    pub observe: Function,
    pub monitor: Function,
    pub watched: Option<SystemId>,
    pub picture: Option<Function>,
    pub curves: Vec<Curve>,
    pub surfaces: Vec<Surface>,
    pub changes: Option<Changes>,
}

/// The program that some functions make.
pub fn whole(system: &System, plan: &Plan, parts: Parts, systems: Vec<SystemInfo>) -> Program {
    let Parts { initialize, started, integral, observe, monitor, watched, picture, curves, surfaces, changes } = parts;
    let outputs = system.outputs.iter().flat_map(|output| &output.columns);
    let parameters = system.parameters.iter().chain(&system.automaton.held).map(|parameter| ParameterInput {
        name: parameter.name.clone(),
        symbol: parameter.symbol,
        default: parameter.default,
    });
    let controls = system.controls.iter().map(|control| ControlInput {
        name: control.name.clone(),
        symbol: control.symbol,
        default: control.default,
    });
    Program {
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
        picture,
        curves,
        surfaces,
        monitor,
        watched,
        changes,
        systems,
        conserves_energy: system.energy.conserved,
        directions: 0,
        variations: Vec::new(),
        points: plan.points.clone(),
    }
}

struct Scheme<'s> {
    system: &'s System,
    plan: &'s Plan,
    systems: Systems<'s>,
}

impl Scheme<'_> {
    /// Positions that satisfy constraints and initial conditions, then velocities that do.
    fn initialize(&mut self) -> (Function, Vec<SymbolId>) {
        let all: Vec<ConstraintId> = (0..self.system.constraints.len()).map(|at| ConstraintId(at as u32)).collect();
        let mut rows = self.systems.constraint_rows(Level::Position, &all);
        rows.extend(self.systems.initial_rows(Level::Position));
        let guesses = self.system.coordinates.iter().map(|coordinate| coordinate.guess).collect();
        let positions =
            self.systems.nonlinear(SystemRole::InitialPositions, rows, self.system.coordinate_symbols(), guesses);
        let velocities = self.initial_velocities(&all);
        // Seen or not, everything has to have a place and a velocity, or else the scene has no start.
        let started = [positions.unknowns(), velocities.unknowns()].concat();
        let (body, results) = (vec![positions, velocities], self.symbols(started.clone()));
        (Function { name: "initialize".into(), inputs: Group::default(), body, results }, started)
    }

    /// Only the velocities that are integrated are sought, unless an initial condition, or a constraint that nothing enforces,
    /// speaks of others.
    fn initial_velocities(&mut self, all: &[ConstraintId]) -> Binding {
        let classes = &self.plan.classes;
        let following: FxHashSet<SymbolId> =
            self.speed_symbols(classes.speeds0.iter().chain(&classes.speeds1)).into_iter().collect();
        let mentions = |row: &Row| self.mentions(row.residual, &following);
        let stated = self.systems.initial_rows(Level::Velocity);
        let redundant = self.systems.constraint_rows(Level::Velocity, &self.plan.redundant);
        let mut rows = self.systems.constraint_rows(Level::Velocity, all);
        let mut unknowns = self.system.speed_symbols();
        if !stated.iter().chain(&redundant).any(mentions) {
            rows.retain(|row| !mentions(row));
            unknowns.retain(|symbol| !following.contains(symbol));
        }
        rows.extend(stated);
        let rest = vec![self.system.arena.zero(); unknowns.len()];
        self.systems.nonlinear(SystemRole::InitialVelocities, rows, unknowns, rest)
    }

    /// Velocities of order 1, from the constraints that determine them.
    fn first_velocities(&mut self) -> Option<Binding> {
        let classes = &self.plan.classes;
        let rows = self.systems.constraint_rows(Level::Velocity, &[&classes.h1[..], &classes.n1].concat());
        let unknowns = self.speed_symbols(&classes.speeds1);
        (!unknowns.is_empty()).then(|| self.systems.linear(SystemRole::First, rows, unknowns))
    }

    /// Equations of motion and constraints on accelerations, linear in accelerations and multipliers.
    fn accelerations(&mut self) -> Vec<Binding> {
        let (moving, forced) = (self.plan.classes.moving(), self.plan.classes.forced(self.system));
        let mut rows: Vec<Row> = moving.iter().map(|speed| self.systems.motion_row(*speed)).collect();
        rows.extend(self.systems.constraint_rows(Level::Acceleration, &forced));
        let mut unknowns: Vec<SymbolId> = moving.iter().map(|speed| self.speed(*speed).acceleration).collect();
        let forces = forced.iter().filter_map(|id| self.system.constraints[id.index()].multiplier);
        let forces: FxHashSet<SymbolId> = forces.inspect(|&force| unknowns.push(force)).collect();
        // A redundant constraint needs no force of its own, and what follows from positions exerts none.
        let arena = &self.system.arena;
        let idle = self.system.multiplier_symbols().into_iter().filter(|symbol| !forces.contains(symbol));
        let mut without = Substitution::new(idle.map(|symbol| (arena.symbol(symbol), arena.zero())));
        for row in &mut rows {
            row.residual = without.apply(arena, row.residual);
        }
        if forced.is_empty() {
            return self.systems.motion(rows, unknowns);
        }
        vec![self.systems.masses_and_forces(rows, unknowns, moving.len())]
    }

    fn derivative(&self, first: &Option<Binding>, accelerations: &[Binding]) -> Function {
        let classes = &self.plan.classes;
        let integrated = [&classes.q1[..], &classes.q2].concat();
        let rates = integrated.iter().map(|id| self.system.coordinates[id.index()].rate);
        let accelerating = classes.speeds2.iter().map(|id| self.speed(*id).acceleration);
        let accelerating = accelerating.map(|symbol| self.system.arena.symbol(symbol));
        let results = rates.chain(accelerating).collect();
        let body = first.iter().chain(accelerations).cloned().collect();
        Function { name: "derivative".into(), inputs: self.state_group(), body, results }
    }

    /// The smallest change of positions, then of velocities, that satisfies the constraints.
    fn stabilize(&mut self, first: &Option<Binding>) -> Option<Function> {
        let classes = &self.plan.classes;
        let positions = self.systems.constraint_rows(Level::Position, &[&classes.h1[..], &classes.h2].concat());
        let velocities = self.systems.constraint_rows(Level::Velocity, &[&classes.h2[..], &classes.n2].concat());
        if positions.is_empty() && velocities.is_empty() {
            return None;
        }
        let coordinates = self.coordinate_symbols(classes.q1.iter().chain(&classes.q2));
        let speeds = self.speed_symbols(&classes.speeds2);
        let (from, from_speeds) = (self.symbols(coordinates.clone()), self.symbols(speeds.clone()));
        // Constraints on velocities may speak of velocities of order 1, which the new positions determine.
        let mut body = vec![self.systems.nonlinear(SystemRole::StabilizePositions, positions, coordinates, from)];
        body.extend(first.clone());
        body.push(self.systems.nonlinear(SystemRole::StabilizeVelocities, velocities, speeds, from_speeds));
        let results = self.symbols(self.state_symbols());
        Some(Function { name: "stabilize".into(), inputs: self.state_group(), body, results })
    }

    /// Coordinates of order 0, from where they were a moment ago.
    fn follow(&mut self) -> Option<Function> {
        let classes = &self.plan.classes;
        if classes.q0.is_empty() {
            return None;
        }
        let unknowns = self.coordinate_symbols(&classes.q0);
        let rows = self.systems.constraint_rows(Level::Position, &classes.h0);
        let seeds = self.symbols(unknowns.clone());
        let results = seeds.clone();
        let body = vec![self.systems.nonlinear(SystemRole::Zeroth, rows, unknowns, seeds)];
        Some(Function { name: "follow".into(), inputs: self.state_group(), body, results })
    }

    /// All velocities and accelerations, for whatever is observed.
    fn observed(&mut self, first: &Option<Binding>, accelerations: &[Binding]) -> Vec<Binding> {
        let classes = &self.plan.classes;
        let mut body: Vec<Binding> = first.iter().cloned().collect();
        if !classes.q0.is_empty() {
            let (speeds, rows) =
                (self.speed_symbols(&classes.speeds0), self.systems.constraint_rows(Level::Velocity, &classes.h0));
            body.push(self.systems.linear(SystemRole::ZerothVelocities, rows, speeds));
        }
        body.extend(accelerations.iter().cloned());
        if !classes.q0.is_empty() {
            let unknowns = classes.speeds0.iter().map(|id| self.speed(*id).acceleration).collect();
            let rows = self.systems.constraint_rows(Level::Acceleration, &classes.h0);
            body.push(self.systems.linear(SystemRole::ZerothAccelerations, rows, unknowns));
        }
        body
    }

    fn watch(&self, name: &str, body: &[Binding], results: Vec<Expr>) -> Function {
        Function { name: name.into(), inputs: self.state_group(), body: body.to_vec(), results }
    }

    fn curve(&self, curve: &equations::Curve, body: &[Binding]) -> Curve {
        let results = [curve.from, curve.to].into_iter().chain(curve.point).collect();
        Curve { parameter: curve.parameter, function: self.watch("curve", body, results) }
    }

    fn surface(&self, surface: &equations::Surface, body: &[Binding]) -> Surface {
        let function = self.watch("surface", body, vec![surface.size, surface.residual]);
        Surface { coordinates: surface.coordinates, function }
    }

    /// Energy, kinetic energy, and what the constraints on integrated positions leave, last those that follow from others.
    fn monitor(&mut self, first: &Option<Binding>) -> (Function, Option<SystemId>) {
        let energy = self.system.arena.add(self.system.energy.kinetic, self.system.energy.potential);
        let guiding: FxHashSet<ConstraintId> = self.plan.classes.h0.iter().copied().collect();
        let following: FxHashSet<SymbolId> = self.coordinate_symbols(&self.plan.classes.q0).into_iter().collect();
        let positions = self.system.constraints_at(Level::Position).into_iter();
        let positions = positions.filter(|(id, _)| !guiding.contains(id)).map(|(id, _)| id);
        let (redundant, kept): (Vec<_>, Vec<_>) = positions.partition(|id| self.plan.redundant.contains(id));
        let rows = |ids: &[ConstraintId]| {
            let mut rows = self.systems.constraint_rows(Level::Position, ids);
            rows.retain(|row| !self.mentions(row.residual, &following));
            rows
        };
        let (kept, redundant) = (rows(&kept), rows(&redundant));
        let residuals = kept.iter().chain(&redundant).map(|row| row.residual);
        let results = [energy, self.system.energy.kinetic].into_iter().chain(residuals).collect();
        let body = first.iter().cloned().collect();
        let monitor = Function { name: "monitor".into(), inputs: self.state_group(), body, results };
        let origins: Vec<Origin> = redundant.into_iter().map(|row| row.origin).collect();
        let any = !origins.is_empty();
        (monitor, any.then(|| self.systems.add_info(SystemRole::Watched, origins, Vec::new())))
    }

    fn states(&self) -> Vec<State> {
        let classes = &self.plan.classes;
        let positions = classes.q1.iter().chain(&classes.q2).map(|id| self.position_state(*id));
        let velocities = classes.speeds2.iter().map(|id| {
            let Speed { name, symbol, dimension, span, .. } = self.speed(*id);
            State { name: name.clone(), symbol: *symbol, dimension: *dimension, span: *span }
        });
        positions.chain(velocities).collect()
    }

    fn followers(&self) -> Vec<State> {
        self.plan.classes.q0.iter().map(|id| self.position_state(*id)).collect()
    }

    fn position_state(&self, id: CoordinateId) -> State {
        let coordinate = &self.system.coordinates[id.index()];
        State {
            name: coordinate.name.clone(),
            symbol: coordinate.symbol,
            dimension: coordinate.dimension,
            span: coordinate.span,
        }
    }

    fn state_symbols(&self) -> Vec<SymbolId> {
        self.states().into_iter().map(|state| state.symbol).collect()
    }

    fn state_group(&self) -> Group {
        Group { name: "state".into(), symbols: self.state_symbols() }
    }

    fn speed(&self, id: SpeedId) -> &Speed {
        &self.system.speeds[id.index()]
    }

    fn mentions(&self, expr: Expr, symbols: &FxHashSet<SymbolId>) -> bool {
        self.system.arena.symbols_in(&[expr]).iter().any(|symbol| symbols.contains(symbol))
    }

    fn coordinate_symbols<'i>(&self, ids: impl IntoIterator<Item = &'i CoordinateId>) -> Vec<SymbolId> {
        ids.into_iter().map(|id| self.system.coordinates[id.index()].symbol).collect()
    }

    fn speed_symbols<'i>(&self, ids: impl IntoIterator<Item = &'i SpeedId>) -> Vec<SymbolId> {
        ids.into_iter().map(|id| self.speed(*id).symbol).collect()
    }

    fn symbols(&self, symbols: Vec<SymbolId>) -> Vec<Expr> {
        symbols.into_iter().map(|symbol| self.system.arena.symbol(symbol)).collect()
    }
}
