//! The program scheme, filled in for one system and one plan: every set of equations is one system to solve, all states are one
//! integral.

use equations::{Constraint, ConstraintId, CoordinateId, Level, Speed, SpeedId, System};
use expr::{Differentiator, Expr, Substitution, SymbolId};
use plan::Plan;

use crate::program::{
    Binding, ControlInput, Function, Group, Integral, LinearSystem, NonlinearSystem, Origin, OutputColumn,
    ParameterInput, Program, State, SystemId, SystemInfo, SystemRole,
};

pub fn instantiate(system: &System, plan: &Plan) -> Program {
    let mut scheme = Scheme { system, plan, systems: Vec::new() };
    let initialize = scheme.initialize();
    let first = scheme.first_velocities();
    let accelerations = scheme.accelerations();
    let derivative = scheme.derivative(&first, &accelerations);
    let stabilize = scheme.stabilize(&first);
    let follow = scheme.follow();
    let observe = scheme.observe(&first, &accelerations);
    let monitor = scheme.monitor(&first);
    let outputs = system.outputs.iter().flat_map(|output| &output.columns);
    let parameters = system.parameters.iter().map(|parameter| ParameterInput {
        name: parameter.name.clone(),
        symbol: parameter.symbol,
        default: parameter.default,
    });
    let controls = system.controls.iter().map(|control| ControlInput {
        name: control.name.clone(),
        symbol: control.symbol,
        default: control.default,
    });
    let followers = scheme.followers();
    Program {
        name: system.name.clone(),
        arena: system.arena.clone(),
        parameters: parameters.collect(),
        controls: controls.collect(),
        time: system.time,
        initialize,
        integrals: vec![Integral { states: scheme.states(), derivative, stabilize, followers, follow }],
        observe,
        outputs: outputs.map(|(name, _)| OutputColumn { name: name.clone() }).collect(),
        monitor,
        systems: scheme.systems,
        conserves_energy: system.energy.conserved,
        points: plan.points.clone(),
    }
}

struct Scheme<'s> {
    system: &'s System,
    plan: &'s Plan,
    systems: Vec<SystemInfo>,
}

/// An equation `residual = 0` on its way into a system of equations.
struct Row {
    residual: Expr,
    origin: Origin,
}

impl Scheme<'_> {
    /// Positions that satisfy constraints and initial conditions, then velocities that do.
    fn initialize(&mut self) -> Function {
        let all: Vec<ConstraintId> = (0..self.system.constraints.len()).map(|at| ConstraintId(at as u32)).collect();
        let mut rows = self.constraint_rows(Level::Position, &all);
        rows.extend(self.initial_rows(Level::Position));
        let guesses = self.system.coordinates.iter().map(|coordinate| coordinate.guess).collect();
        let positions = self.nonlinear(SystemRole::InitialPositions, rows, self.system.coordinate_symbols(), guesses);
        let velocities = self.initial_velocities(&all);
        // Seen or not, everything has to have a place and a velocity, or else the scene has no start.
        let results = self.symbols([positions.unknowns(), velocities.unknowns()].concat());
        Function { name: "initialize".into(), inputs: Group::default(), body: vec![positions, velocities], results }
    }

    /// Only the velocities that are integrated are sought, unless an initial condition, or a constraint that nothing enforces,
    /// speaks of others.
    fn initial_velocities(&mut self, all: &[ConstraintId]) -> Binding {
        let classes = &self.plan.classes;
        let following: Vec<SymbolId> = self.speed_symbols(classes.speeds0.iter().chain(&classes.speeds1));
        let mentions = |row: &Row| {
            let symbols = self.system.arena.symbols_in(&[row.residual]);
            following.iter().any(|symbol| symbols.binary_search(symbol).is_ok())
        };
        let stated = self.initial_rows(Level::Velocity);
        let redundant = self.constraint_rows(Level::Velocity, &self.plan.redundant);
        let mut rows = self.constraint_rows(Level::Velocity, all);
        let mut unknowns = self.system.speed_symbols();
        if !stated.iter().chain(&redundant).any(mentions) {
            rows.retain(|row| !mentions(row));
            unknowns.retain(|symbol| !following.contains(symbol));
        }
        rows.extend(stated);
        let rest = vec![self.system.arena.zero(); unknowns.len()];
        self.nonlinear(SystemRole::InitialVelocities, rows, unknowns, rest)
    }

    /// Velocities of order 1, from the constraints that determine them.
    fn first_velocities(&mut self) -> Option<Binding> {
        let classes = &self.plan.classes;
        let rows = self.constraint_rows(Level::Velocity, &[&classes.h1[..], &classes.n1].concat());
        let unknowns = self.speed_symbols(&classes.speeds1);
        (!unknowns.is_empty()).then(|| self.linear(SystemRole::First, rows, unknowns))
    }

    /// Equations of motion and constraints on accelerations, linear in accelerations and multipliers.
    fn accelerations(&mut self) -> Binding {
        let classes = &self.plan.classes;
        let constraints = [&classes.h1[..], &classes.h2, &classes.n1, &classes.n2].concat();
        let forced: Vec<ConstraintId> =
            constraints.into_iter().filter(|id| self.constraint(*id).multiplier.is_some()).collect();
        let moving = [&classes.speeds1[..], &classes.speeds2].concat();
        let mut rows: Vec<Row> = moving.iter().map(|speed| self.motion_row(*speed)).collect();
        rows.extend(self.constraint_rows(Level::Acceleration, &forced));
        let mut unknowns: Vec<SymbolId> = moving.iter().map(|speed| self.speed(*speed).acceleration).collect();
        unknowns.extend(forced.iter().filter_map(|id| self.constraint(*id).multiplier));
        // A redundant constraint needs no force of its own, and what follows from positions exerts none.
        let arena = &self.system.arena;
        let idle = self.system.multiplier_symbols().into_iter().filter(|symbol| !unknowns.contains(symbol));
        let mut without = Substitution::new(idle.map(|symbol| (arena.symbol(symbol), arena.zero())));
        for row in &mut rows {
            row.residual = without.apply(arena, row.residual);
        }
        self.linear(SystemRole::Accelerations, rows, unknowns)
    }

    fn derivative(&self, first: &Option<Binding>, accelerations: &Binding) -> Function {
        let classes = &self.plan.classes;
        let integrated = [&classes.q1[..], &classes.q2].concat();
        let rates = integrated.iter().map(|id| self.system.coordinates[id.index()].rate);
        let accelerating = classes.speeds2.iter().map(|id| self.speed(*id).acceleration);
        let accelerating = accelerating.map(|symbol| self.system.arena.symbol(symbol));
        let results = rates.chain(accelerating).collect();
        let body = first.iter().chain([accelerations]).cloned().collect();
        Function { name: "derivative".into(), inputs: self.state_group(), body, results }
    }

    /// The smallest change of positions, then of velocities, that satisfies the constraints.
    fn stabilize(&mut self, first: &Option<Binding>) -> Option<Function> {
        let classes = &self.plan.classes;
        let positions = self.constraint_rows(Level::Position, &[&classes.h1[..], &classes.h2].concat());
        let velocities = self.constraint_rows(Level::Velocity, &[&classes.h2[..], &classes.n2].concat());
        if positions.is_empty() && velocities.is_empty() {
            return None;
        }
        let coordinates = self.coordinate_symbols(classes.q1.iter().chain(&classes.q2));
        let speeds = self.speed_symbols(&classes.speeds2);
        let (from, from_speeds) = (self.symbols(coordinates.clone()), self.symbols(speeds.clone()));
        // Constraints on velocities may speak of velocities of order 1, which the new positions determine.
        let mut body = vec![self.nonlinear(SystemRole::StabilizePositions, positions, coordinates, from)];
        body.extend(first.clone());
        body.push(self.nonlinear(SystemRole::StabilizeVelocities, velocities, speeds, from_speeds));
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
        let rows = self.constraint_rows(Level::Position, &classes.h0);
        let seeds = self.symbols(unknowns.clone());
        let results = seeds.clone();
        let body = vec![self.nonlinear(SystemRole::Zeroth, rows, unknowns, seeds)];
        Some(Function { name: "follow".into(), inputs: self.state_group(), body, results })
    }

    fn observe(&mut self, first: &Option<Binding>, accelerations: &Binding) -> Function {
        let classes = &self.plan.classes;
        let mut body: Vec<Binding> = first.iter().cloned().collect();
        if !classes.q0.is_empty() {
            let (speeds, rows) =
                (self.speed_symbols(&classes.speeds0), self.constraint_rows(Level::Velocity, &classes.h0));
            body.push(self.linear(SystemRole::ZerothVelocities, rows, speeds));
        }
        body.push(accelerations.clone());
        if !classes.q0.is_empty() {
            let unknowns = classes.speeds0.iter().map(|id| self.speed(*id).acceleration).collect();
            let rows = self.constraint_rows(Level::Acceleration, &classes.h0);
            body.push(self.linear(SystemRole::ZerothAccelerations, rows, unknowns));
        }
        let results = self.system.outputs.iter().flat_map(|output| &output.columns).map(|(_, value)| *value).collect();
        Function { name: "observe".into(), inputs: self.state_group(), body, results }
    }

    /// Energy, kinetic energy, and what the constraints on integrated positions leave.
    fn monitor(&self, first: &Option<Binding>) -> Function {
        let energy = self.system.arena.add(self.system.energy.kinetic, self.system.energy.potential);
        let positions = self.system.constraints_at(Level::Position).into_iter();
        let watched = positions.filter(|(id, _)| !self.plan.classes.h0.contains(id)).map(|(_, residual)| residual);
        let following = self.coordinate_symbols(&self.plan.classes.q0);
        let watched = watched.filter(|&residual| {
            let symbols = self.system.arena.symbols_in(&[residual]);
            !following.iter().any(|symbol| symbols.binary_search(symbol).is_ok())
        });
        let results = [energy, self.system.energy.kinetic].into_iter().chain(watched).collect();
        let body = first.iter().cloned().collect();
        Function { name: "monitor".into(), inputs: self.state_group(), body, results }
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

    fn constraint(&self, id: ConstraintId) -> &Constraint {
        &self.system.constraints[id.index()]
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

    fn motion_row(&self, id: SpeedId) -> Row {
        let motion = &self.system.motion[id.index()];
        Row { residual: motion.residual, origin: Origin { label: motion.label.clone(), span: motion.span } }
    }

    fn constraint_rows(&self, level: Level, ids: &[ConstraintId]) -> Vec<Row> {
        let row = |id: &ConstraintId| {
            let constraint = self.constraint(*id);
            let origin = Origin { label: constraint.label.clone(), span: constraint.span };
            Some(Row { residual: constraint.at(level)?, origin })
        };
        ids.iter().filter_map(row).collect()
    }

    fn initial_rows(&self, level: Level) -> Vec<Row> {
        let initial = self.system.initial.iter().filter(|initial| initial.level == level);
        let row = |initial: &equations::Initial| Row {
            residual: initial.residual,
            origin: Origin { label: initial.label.clone(), span: initial.span },
        };
        initial.map(row).collect()
    }

    fn linear(&mut self, role: SystemRole, rows: Vec<Row>, unknowns: Vec<SymbolId>) -> Binding {
        let arena = &self.system.arena;
        let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
        let matrix = jacobian(self.system, &residuals, &unknowns);
        let mut without = Substitution::new(unknowns.iter().map(|&unknown| (arena.symbol(unknown), arena.zero())));
        let right = residuals.iter().map(|&residual| arena.negate(without.apply(arena, residual))).collect();
        let id = self.new_system(role, rows, &unknowns);
        Binding::Linear(LinearSystem { id, unknowns, matrix, right, pivots: None })
    }

    fn nonlinear(&mut self, role: SystemRole, rows: Vec<Row>, unknowns: Vec<SymbolId>, seeds: Vec<Expr>) -> Binding {
        let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
        let jacobian = jacobian(self.system, &residuals, &unknowns);
        let id = self.new_system(role, rows, &unknowns);
        Binding::Nonlinear(NonlinearSystem { id, unknowns, seeds, residuals, jacobian })
    }

    fn new_system(&mut self, role: SystemRole, rows: Vec<Row>, unknowns: &[SymbolId]) -> SystemId {
        let equations = rows.into_iter().map(|row| row.origin).collect();
        let unknowns = unknowns.iter().map(|&symbol| self.origin(symbol)).collect();
        self.systems.push(SystemInfo { role, equations, unknowns });
        SystemId(self.systems.len() as u32 - 1)
    }

    /// What the user calls an unknown: the coordinate, for its derivatives too; the constraint, for its force.
    fn origin(&self, symbol: SymbolId) -> Origin {
        let coordinate = self.system.coordinates.iter().find(|coordinate| coordinate.symbol == symbol);
        if let Some(coordinate) = coordinate {
            return Origin { label: coordinate.name.clone(), span: coordinate.span };
        }
        let speed = self.system.speeds.iter().find(|speed| speed.symbol == symbol || speed.acceleration == symbol);
        if let Some(speed) = speed {
            return Origin { label: speed.name.clone(), span: speed.span };
        }
        let constraint = self.system.constraints.iter().find(|constraint| constraint.multiplier == Some(symbol));
        let span = constraint.map_or(Default::default(), |constraint| constraint.span);
        Origin { label: self.system.arena.symbol_name(symbol).to_string(), span }
    }
}

/// The nonzero derivatives of residuals by unknowns.
fn jacobian(system: &System, residuals: &[Expr], unknowns: &[SymbolId]) -> Vec<(usize, usize, Expr)> {
    let arena = &system.arena;
    let occurring: Vec<Vec<SymbolId>> = residuals.iter().map(|&residual| arena.symbols_in(&[residual])).collect();
    let mut entries = Vec::new();
    for (column, &unknown) in unknowns.iter().enumerate() {
        let mut by = Differentiator::by(arena, arena.symbol(unknown));
        for (row, &residual) in residuals.iter().enumerate() {
            if occurring[row].binary_search(&unknown).is_ok() {
                let slope = by.derivative(arena, residual);
                if !arena.is_zero(slope) {
                    entries.push((row, column, slope));
                }
            }
        }
    }
    entries.sort_by_key(|&(row, column, _)| (row, column));
    entries
}
