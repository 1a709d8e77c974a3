//! The program scheme, filled in for one system: every set of equations is one system to solve, all states are one integral.

use base::Dimension;
use equations::{ConstraintId, Level, System};
use expr::{Differentiator, Expr, SymbolId, substitute};
use plan::Plan;
use rustc_hash::FxHashMap;

use crate::program::{
    Binding, ControlInput, Function, Group, Integral, LinearSystem, NonlinearSystem, Origin, OutputColumn,
    ParameterInput, Program, State, SystemId, SystemInfo, SystemRole,
};

pub fn instantiate(system: &System, plan: &Plan) -> Program {
    let mut scheme = Scheme { system, plan, systems: Vec::new() };
    let initialize = scheme.initialize();
    let accelerations = scheme.accelerations();
    let derivative = scheme.derivative(accelerations.clone());
    let stabilize = scheme.stabilize();
    let states = scheme.states();
    let observe = scheme.observe(accelerations);
    let monitor = scheme.monitor();
    let outputs = system.outputs.iter().flat_map(|output| &output.columns);
    Program {
        name: system.name.clone(),
        arena: system.arena.clone(),
        parameters: system
            .parameters
            .iter()
            .map(|parameter| ParameterInput {
                name: parameter.name.clone(),
                symbol: parameter.symbol,
                default: parameter.default,
            })
            .collect(),
        controls: system
            .controls
            .iter()
            .map(|control| ControlInput {
                name: control.name.clone(),
                symbol: control.symbol,
                default: control.default,
            })
            .collect(),
        time: system.time,
        initialize,
        integrals: vec![Integral { states, derivative, stabilize }],
        observe,
        outputs: outputs.map(|(name, _)| OutputColumn { name: name.clone() }).collect(),
        monitor,
        systems: scheme.systems,
        conserves_energy: system.energy.conserved,
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
        let guesses: Vec<Expr> = self.system.coordinates.iter().map(|coordinate| coordinate.guess).collect();
        let rest = vec![self.system.arena.zero(); self.system.speeds.len()];
        let mut body = Vec::new();
        for (level, role, seeds) in [
            (Level::Position, SystemRole::InitialPositions, guesses),
            (Level::Velocity, SystemRole::InitialVelocities, rest),
        ] {
            let mut rows = self.constraint_rows(level, |_| true);
            let initial = self.system.initial.iter().filter(|initial| initial.level == level);
            rows.extend(initial.map(|initial| Row {
                residual: initial.residual,
                origin: Origin { label: initial.label.clone(), span: initial.span },
            }));
            body.push(self.nonlinear(role, level, rows, seeds));
        }
        let results = self.state_symbols().into_iter().map(|symbol| self.system.arena.symbol(symbol)).collect();
        Function { name: "initialize".into(), inputs: Group::default(), body, results }
    }

    /// Equations of motion and constraints on accelerations, linear in accelerations and multipliers.
    fn accelerations(&mut self) -> Binding {
        let enforced =
            |id: ConstraintId| self.plan.is_enforced(id) && self.system.constraints[id.index()].multiplier.is_some();
        let mut rows: Vec<Row> = self
            .system
            .motion
            .iter()
            .map(|motion| Row {
                residual: motion.residual,
                origin: Origin { label: motion.label.clone(), span: motion.span },
            })
            .collect();
        rows.extend(self.constraint_rows(Level::Acceleration, enforced));
        let mut unknowns = self.system.acceleration_symbols();
        let constraints = self.system.constraints.iter().enumerate();
        let multipliers = constraints.filter(|(at, _)| enforced(ConstraintId(*at as u32)));
        unknowns.extend(multipliers.filter_map(|(_, constraint)| constraint.multiplier));
        // A redundant constraint needs no force of its own.
        let arena = &self.system.arena;
        let idle: FxHashMap<Expr, Expr> = self
            .system
            .multiplier_symbols()
            .into_iter()
            .filter(|symbol| !unknowns.contains(symbol))
            .map(|symbol| (arena.symbol(symbol), arena.zero()))
            .collect();
        for row in &mut rows {
            row.residual = substitute(arena, row.residual, &idle);
        }
        self.linear(SystemRole::Accelerations, rows, unknowns)
    }

    fn derivative(&self, accelerations: Binding) -> Function {
        let arena = &self.system.arena;
        let rates = self.system.coordinates.iter().map(|coordinate| coordinate.rate);
        let accelerating = self.system.acceleration_symbols().into_iter().map(|symbol| arena.symbol(symbol));
        let results = rates.chain(accelerating).collect();
        Function { name: "derivative".into(), inputs: self.state_group(), body: vec![accelerations], results }
    }

    /// The smallest change of positions, then of velocities, that satisfies the constraints.
    fn stabilize(&mut self) -> Option<Function> {
        if self.system.constraints.is_empty() {
            return None;
        }
        let mut body = Vec::new();
        for (level, role, symbols) in [
            (Level::Position, SystemRole::StabilizePositions, self.system.coordinate_symbols()),
            (Level::Velocity, SystemRole::StabilizeVelocities, self.system.speed_symbols()),
        ] {
            let rows = self.constraint_rows(level, |id| self.plan.is_enforced(id));
            let seeds = symbols.into_iter().map(|symbol| self.system.arena.symbol(symbol)).collect();
            body.push(self.nonlinear(role, level, rows, seeds));
        }
        let results = self.state_symbols().into_iter().map(|symbol| self.system.arena.symbol(symbol)).collect();
        Some(Function { name: "stabilize".into(), inputs: self.state_group(), body, results })
    }

    fn observe(&self, accelerations: Binding) -> Function {
        let results = self.system.outputs.iter().flat_map(|output| &output.columns).map(|(_, value)| *value).collect();
        Function { name: "observe".into(), inputs: self.state_group(), body: vec![accelerations], results }
    }

    fn monitor(&self) -> Function {
        let energy = self.system.arena.add(self.system.energy.kinetic, self.system.energy.potential);
        let positions = self.system.constraints_at(Level::Position).into_iter();
        let results =
            [energy, self.system.energy.kinetic].into_iter().chain(positions.map(|(_, residual)| residual)).collect();
        Function { name: "monitor".into(), inputs: self.state_group(), body: Vec::new(), results }
    }

    fn states(&self) -> Vec<State> {
        let positions = self.system.coordinates.iter().map(|coordinate| State {
            name: coordinate.name.clone(),
            symbol: coordinate.symbol,
            dimension: coordinate.dimension,
            span: coordinate.span,
        });
        let velocities = self.system.speeds.iter().map(|speed| State {
            name: speed.name.clone(),
            symbol: speed.symbol,
            dimension: speed.dimension.times(Dimension::NONE).unwrap_or(speed.dimension),
            span: speed.span,
        });
        positions.chain(velocities).collect()
    }

    fn state_symbols(&self) -> Vec<SymbolId> {
        let mut symbols = self.system.coordinate_symbols();
        symbols.extend(self.system.speed_symbols());
        symbols
    }

    fn state_group(&self) -> Group {
        Group { name: "state".into(), symbols: self.state_symbols() }
    }

    fn constraint_rows(&self, level: Level, keep: impl Fn(ConstraintId) -> bool) -> Vec<Row> {
        let all = self.system.constraints_at(level).into_iter().filter(|(id, _)| keep(*id));
        all.map(|(id, residual)| {
            let constraint = &self.system.constraints[id.index()];
            Row { residual, origin: Origin { label: constraint.label.clone(), span: constraint.span } }
        })
        .collect()
    }

    fn linear(&mut self, role: SystemRole, rows: Vec<Row>, unknowns: Vec<SymbolId>) -> Binding {
        let arena = &self.system.arena;
        let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
        let matrix = jacobian(self.system, &residuals, &unknowns);
        let nothing: FxHashMap<Expr, Expr> =
            unknowns.iter().map(|&unknown| (arena.symbol(unknown), arena.zero())).collect();
        let right = residuals.iter().map(|&residual| arena.negate(substitute(arena, residual, &nothing))).collect();
        let id = self.new_system(role, rows, &unknowns);
        Binding::Linear(LinearSystem { id, unknowns, matrix, right })
    }

    fn nonlinear(&mut self, role: SystemRole, level: Level, rows: Vec<Row>, seeds: Vec<Expr>) -> Binding {
        let unknowns =
            if level == Level::Position { self.system.coordinate_symbols() } else { self.system.speed_symbols() };
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
