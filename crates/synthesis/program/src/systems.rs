//! Systems of equations on their way into the program: what is solved for what, and what the user calls it.

use equations::{ConstraintId, Equation, GeneralForm, Level, SpeedId, System};
use expr::{Expr, Substitution, SymbolId, jacobian};
use rustc_hash::FxHashMap;

use crate::program::{Binding, LinearSystem, NonlinearSystem, Origin, SystemId, SystemInfo, SystemRole};

/// The systems made so far.
pub struct Systems<'s> {
    pub system: &'s System,
    pub infos: Vec<SystemInfo>,
    /// What the user calls each unknown: the coordinate, for its derivatives too; the constraint, for its force.
    pub origins: FxHashMap<SymbolId, Origin>,
}

/// An equation `residual = 0`.
pub struct Row {
    pub residual: Expr,
    pub origin: Origin,
}

impl<'s> Systems<'s> {
    pub fn new(system: &'s System) -> Systems<'s> {
        let mut origins = FxHashMap::default();
        for coordinate in &system.coordinates {
            origins.insert(coordinate.symbol, Origin { label: coordinate.name.clone(), span: coordinate.span });
        }
        for speed in &system.speeds {
            let origin = Origin { label: speed.name.clone(), span: speed.span };
            origins.extend([(speed.symbol, origin.clone()), (speed.acceleration, origin)]);
        }
        for constraint in &system.constraints {
            let Some(multiplier) = constraint.multiplier else { continue };
            let label = system.arena.symbol_name(multiplier).to_string();
            origins.insert(multiplier, Origin { label, span: constraint.span });
        }
        Systems { system, infos: Vec::new(), origins }
    }

    /// Names for unknowns that only the general form knows.
    pub fn add_origins(&mut self, form: &GeneralForm) {
        for replaced in &form.replaced {
            let origin = Origin { label: replaced.name.clone(), span: replaced.span };
            self.origins.entry(replaced.symbol).or_insert(origin);
        }
        for quantity in &form.quantities {
            for (at, &symbol) in quantity.chain.iter().enumerate() {
                let label = quantity.name_of(at + quantity.first());
                self.origins.entry(symbol).or_insert(Origin { label, span: quantity.span });
            }
        }
    }

    /// An equation of the general form.
    pub fn row(&self, equation: &Equation) -> Row {
        let origin = Origin { label: equation.label.clone(), span: equation.span };
        Row { residual: equation.residual, origin }
    }

    pub fn motion_row(&self, id: SpeedId) -> Row {
        let motion = &self.system.motion[id.index()];
        Row { residual: motion.residual, origin: Origin { label: motion.label.clone(), span: motion.span } }
    }

    /// What constraints say at a level, as far as they say anything there.
    pub fn constraint_rows(&self, level: Level, ids: &[ConstraintId]) -> Vec<Row> {
        let row = |id: &ConstraintId| {
            let constraint = &self.system.constraints[id.index()];
            let origin = Origin { label: constraint.label.clone(), span: constraint.span };
            Some(Row { residual: constraint.at(level)?, origin })
        };
        ids.iter().filter_map(row).collect()
    }

    /// What the user calls an unknown.
    pub fn origin(&self, symbol: SymbolId) -> Origin {
        self.origins[&symbol].clone()
    }

    pub fn name(&mut self, symbol: SymbolId, origin: Origin) {
        self.origins.insert(symbol, origin);
    }

    /// Rows that are linear in the unknowns.
    pub fn linear(&mut self, role: SystemRole, rows: Vec<Row>, unknowns: Vec<SymbolId>) -> Binding {
        let arena = &self.system.arena;
        let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
        let matrix = jacobian(arena, &residuals, &unknowns);
        let mut without = Substitution::new(unknowns.iter().map(|&unknown| (arena.symbol(unknown), arena.zero())));
        let right = residuals.iter().map(|&residual| arena.negate(without.apply(arena, residual))).collect();
        let id = self.add(role, rows, &unknowns);
        Binding::Linear(LinearSystem { id, unknowns, matrix, right, pivots: None })
    }

    pub fn nonlinear(
        &mut self,
        role: SystemRole,
        rows: Vec<Row>,
        unknowns: Vec<SymbolId>,
        seeds: Vec<Expr>,
    ) -> Binding {
        let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
        let jacobian = jacobian(&self.system.arena, &residuals, &unknowns);
        let id = self.add(role, rows, &unknowns);
        Binding::Nonlinear(NonlinearSystem { id, unknowns, seeds, residuals, jacobian })
    }

    fn add(&mut self, role: SystemRole, rows: Vec<Row>, unknowns: &[SymbolId]) -> SystemId {
        let equations = rows.into_iter().map(|row| row.origin).collect();
        let unknowns = unknowns.iter().map(|unknown| self.origins[unknown].clone()).collect();
        self.add_info(role, equations, unknowns)
    }

    pub fn add_info(&mut self, role: SystemRole, equations: Vec<Origin>, unknowns: Vec<Origin>) -> SystemId {
        self.infos.push(SystemInfo { role, equations, unknowns });
        SystemId(self.infos.len() as u32 - 1)
    }
}
