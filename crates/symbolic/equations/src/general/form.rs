//! From the system of a scene to its general form.

use expr::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};
use structure::{Incidence, connected_components};

use super::{Equation, GeneralForm, Quantity, Role, Turn, TurnCoordinate};
use crate::mechanism::Mechanism;
use crate::system::{Constraint, ConstraintId, ConstraintKind, Coordinate, CoordinateId, Level, SpeedId, System};

/// All unknowns as quantities, all equations as equations, except those of a mechanism that is solved by itself: to the form its motion is
/// given, like the time. Constraints that follow from others are left out, with their forces.
pub fn general_form(system: &System, apart: &Mechanism, redundant: &[ConstraintId]) -> GeneralForm {
    let mut form = GeneralForm {
        arena: system.arena.clone(),
        clock: system.clock.clone(),
        quantities: Vec::new(),
        turns: Vec::new(),
        equations: Vec::new(),
        initial: Vec::new(),
        replaced: Vec::new(),
        replacements: Vec::new(),
    };
    let is_kept = |id: &ConstraintId| !redundant.contains(id) && apart.constraints.binary_search(id).is_err();
    let kept = (0..system.constraints.len()).map(|at| ConstraintId(at as u32)).filter(is_kept);
    let kept: Vec<&Constraint> = kept.map(|id| &system.constraints[id.index()]).collect();
    let is_moving = |at: &usize| apart.speeds.binary_search(&SpeedId(*at as u32)).is_err();
    let moving: Vec<usize> = (0..system.speeds.len()).filter(is_moving).collect();
    let coordinates = system.coordinates.iter().enumerate();
    let coordinates = coordinates.filter(|(at, _)| apart.coordinates.binary_search(&CoordinateId(*at as u32)).is_err());
    let coordinates: Vec<&Coordinate> = coordinates.map(|(_, coordinate)| coordinate).collect();
    for id in redundant {
        let idle = system.constraints[id.index()].multiplier.map(|symbol| system.arena.symbol(symbol));
        form.replacements.extend(idle.map(|symbol| (symbol, system.arena.zero())));
    }
    form.add_quantities(system, (&coordinates, &moving), &kept);
    form.add_turns(&coordinates, &kept);
    form.add_equations(system, &moving, &kept);
    form
}

impl GeneralForm {
    fn add_quantities(
        &mut self,
        system: &System,
        (coordinates, moving): (&[&Coordinate], &[usize]),
        kept: &[&Constraint],
    ) {
        for coordinate in coordinates.iter().filter(|coordinate| coordinate.speed.is_some()) {
            self.add(Quantity {
                name: coordinate.name.clone(),
                role: Role::Coordinate,
                chain: vec![coordinate.symbol],
                start: Some(coordinate.guess),
                dimension: coordinate.dimension,
                span: coordinate.span,
            });
        }
        let own: FxHashSet<usize> = coordinates.iter().filter_map(|row| Some(row.speed?.index())).collect();
        // A law may ask how the accelerations and forces of any mechanism change.
        let forces = system.multiplier_symbols().into_iter();
        for symbol in system.speeds.iter().map(|speed| speed.acceleration).chain(forces) {
            self.clock.seed_unknown(self.arena.symbol(symbol));
        }
        for &at in moving {
            let speed = &system.speeds[at];
            if !own.contains(&at) {
                let (name, chain) = (speed.name.clone(), vec![speed.symbol]);
                let (dimension, span) = (speed.dimension, speed.span);
                self.add(Quantity { name, role: Role::Turning, chain, start: None, dimension, span });
            }
        }
        for constraint in kept {
            let Some(multiplier) = constraint.multiplier else { continue };
            self.add(Quantity {
                name: self.arena.symbol_name(multiplier).to_string(),
                role: Role::Force,
                chain: vec![multiplier],
                start: None,
                dimension: base::Dimension::NONE,
                span: constraint.span,
            });
        }
        for variable in &system.variables {
            if !variable.constant {
                self.clock.seed_unknown(self.arena.symbol(variable.symbol));
            }
            self.add(Quantity {
                name: variable.name.clone(),
                role: if variable.constant { Role::Constant } else { Role::Variable },
                chain: vec![variable.symbol],
                start: variable.start,
                dimension: variable.dimension,
                span: variable.span,
            });
        }
    }

    /// Adds a quantity with those derivatives that exist already.
    fn add(&mut self, quantity: Quantity) {
        self.quantities.push(quantity);
        self.refresh_chain(self.quantities.len() - 1);
    }

    /// Takes in those derivatives that have come to exist.
    pub(super) fn refresh_chains(&mut self) {
        (0..self.quantities.len()).for_each(|quantity| self.refresh_chain(quantity));
    }

    fn refresh_chain(&mut self, quantity: usize) {
        let rate = |last: SymbolId| self.arena.as_symbol(self.clock.known(self.arena.symbol(last))?);
        let chain = &mut self.quantities[quantity].chain;
        while let Some(next) = chain.last().and_then(|&last| rate(last)) {
            chain.push(next);
        }
    }

    /// Coordinates without a speed of their own, grouped by the speeds that their rates speak of.
    fn add_turns(&mut self, coordinates: &[&Coordinate], kept: &[&Constraint]) {
        let turning: FxHashMap<SymbolId, usize> = self
            .quantities
            .iter()
            .enumerate()
            .filter(|(_, quantity)| quantity.role == Role::Turning)
            .map(|(at, quantity)| (quantity.chain[0], at))
            .collect();
        let free: Vec<&&Coordinate> = coordinates.iter().filter(|coordinate| coordinate.speed.is_none()).collect();
        let speeds = |rate| self.arena.symbols_in(&[rate]).iter().filter_map(|it| turning.get(it).copied()).collect();
        let rows = free.iter().map(|coordinate| speeds(coordinate.rate)).collect();
        for (coordinates, speeds) in connected_components(&Incidence::new(self.quantities.len(), rows)) {
            if coordinates.is_empty() {
                continue;
            }
            let coordinates = coordinates.into_iter().map(|at| TurnCoordinate {
                name: free[at].name.clone(),
                symbol: free[at].symbol,
                rate: free[at].rate,
                guess: free[at].guess,
                dimension: free[at].dimension,
                span: free[at].span,
            });
            self.turns.push(Turn { coordinates: coordinates.collect(), speeds, invariants: Vec::new() });
        }
        for constraint in kept.iter().filter(|constraint| constraint.kind == ConstraintKind::Invariant) {
            let Some(residual) = constraint.at(Level::Position) else { continue };
            let symbols = self.arena.symbols_in(&[residual]);
            let about = |turn: &&mut Turn| turn.coordinates.iter().any(|it| symbols.binary_search(&it.symbol).is_ok());
            if let Some(turn) = self.turns.iter_mut().find(about) {
                turn.invariants.push(Equation { label: constraint.label.clone(), residual, span: constraint.span });
            }
        }
    }

    fn add_equations(&mut self, system: &System, moving: &[usize], kept: &[&Constraint]) {
        let equation = |label: &String, residual, span| Equation { label: label.clone(), residual, span };
        let motion =
            moving.iter().map(|&at| &system.motion[at]).map(|row| equation(&row.label, row.residual, row.span));
        let constraints = kept.iter().filter_map(|row| {
            let level = match row.kind {
                ConstraintKind::Holonomic => Level::Position,
                ConstraintKind::Nonholonomic => Level::Velocity,
                ConstraintKind::Invariant => return None,
            };
            Some(equation(&row.label, row.at(level)?, row.span))
        });
        let laws = system.laws.iter().map(|row| equation(&row.label, row.residual, row.span));
        let mut equations: Vec<Equation> = motion.chain(constraints).chain(laws).collect();
        let mut initial: Vec<Equation> =
            system.initial.iter().map(|row| equation(&row.label, row.residual, row.span)).collect();
        if !self.replacements.is_empty() {
            let mut without = self.replacement();
            for equation in equations.iter_mut().chain(&mut initial) {
                equation.residual = without.apply(&self.arena, equation.residual);
            }
        }
        self.equations = equations;
        self.initial = initial;
    }
}
