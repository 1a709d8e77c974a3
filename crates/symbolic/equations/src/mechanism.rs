//! Mechanisms: parts of the motion that share no coordinate and no force with one another.

use expr::SymbolId;
use rustc_hash::FxHashMap;
use structure::{Incidence, connected_components};

use crate::system::{ConstraintId, CoordinateId, Level, SpeedId, System};

/// Some coordinates, and the speeds (each with its equation of motion) and constraints that are about them. All lists ascend.
#[derive(Clone, Debug, Default)]
pub struct Mechanism {
    pub coordinates: Vec<CoordinateId>,
    pub speeds: Vec<SpeedId>,
    pub constraints: Vec<ConstraintId>,
}

impl Mechanism {
    /// All that moves.
    pub fn whole(system: &System) -> Mechanism {
        Mechanism {
            coordinates: (0..system.coordinates.len()).map(|at| CoordinateId(at as u32)).collect(),
            speeds: (0..system.speeds.len()).map(|at| SpeedId(at as u32)).collect(),
            constraints: (0..system.constraints.len()).map(|at| ConstraintId(at as u32)).collect(),
        }
    }

    pub fn joined(parts: impl IntoIterator<Item = Mechanism>) -> Mechanism {
        let mut whole = Mechanism::default();
        for Mechanism { coordinates, speeds, constraints } in parts {
            whole.coordinates.extend(coordinates);
            whole.speeds.extend(speeds);
            whole.constraints.extend(constraints);
        }
        whole.coordinates.sort_unstable();
        whole.speeds.sort_unstable();
        whole.constraints.sort_unstable();
        whole
    }

    pub fn coordinate_symbols(&self, system: &System) -> Vec<SymbolId> {
        self.coordinates.iter().map(|id| system.coordinates[id.index()].symbol).collect()
    }

    pub fn speed_symbols(&self, system: &System) -> Vec<SymbolId> {
        self.speeds.iter().map(|id| system.speeds[id.index()].symbol).collect()
    }

    /// Accelerations and the forces of constraints.
    pub fn acceleration_symbols(&self, system: &System) -> Vec<SymbolId> {
        let accelerations = self.speeds.iter().map(|id| system.speeds[id.index()].acceleration);
        let forces = self.constraints.iter().filter_map(|id| system.constraints[id.index()].multiplier);
        accelerations.chain(forces).collect()
    }

    /// Everything of it that changes with time.
    pub fn symbols(&self, system: &System) -> Vec<SymbolId> {
        [self.coordinate_symbols(system), self.speed_symbols(system), self.acceleration_symbols(system)].concat()
    }
}

impl System {
    /// The mechanisms of a system: two that share an equation of motion or a constraint are one. Laws and variables, parameters, controls
    /// and the time connect nothing.
    pub fn mechanisms(&self) -> Vec<Mechanism> {
        let (speeds, coordinates) = (self.speeds.len(), self.coordinates.len());
        let mut columns: FxHashMap<SymbolId, usize> = FxHashMap::default();
        for (at, speed) in self.speeds.iter().enumerate() {
            columns.extend([(speed.symbol, at), (speed.acceleration, at)]);
        }
        columns.extend(self.coordinates.iter().enumerate().map(|(at, row)| (row.symbol, speeds + at)));
        let forces = self.constraints.iter().enumerate();
        columns.extend(forces.filter_map(|(at, row)| Some((row.multiplier?, speeds + coordinates + at))));
        let mentioned = |exprs: &[expr::Expr], own: usize| -> Vec<usize> {
            let symbols = self.arena.symbols_in(exprs).into_iter();
            symbols.filter_map(|symbol| columns.get(&symbol).copied()).chain([own]).collect()
        };
        let motion = self.motion.iter().enumerate().map(|(at, row)| mentioned(&[row.residual], at));
        let rates = self.coordinates.iter().enumerate().map(|(at, row)| mentioned(&[row.rate], speeds + at));
        let constraints = self.constraints.iter().enumerate().map(|(at, row)| {
            let levels = [Level::Position, Level::Velocity, Level::Acceleration];
            let levels: Vec<expr::Expr> = levels.into_iter().filter_map(|level| row.at(level)).collect();
            mentioned(&levels, speeds + coordinates + at)
        });
        let rows = motion.chain(rates).chain(constraints).collect();
        let incidence = Incidence::new(speeds + coordinates + self.constraints.len(), rows);
        let part = |(_, columns): (Vec<usize>, Vec<usize>)| {
            let mut part = Mechanism::default();
            for column in columns {
                match column {
                    at if at < speeds => part.speeds.push(SpeedId(at as u32)),
                    at if at < speeds + coordinates => part.coordinates.push(CoordinateId((at - speeds) as u32)),
                    at => part.constraints.push(ConstraintId((at - speeds - coordinates) as u32)),
                }
            }
            part
        };
        connected_components(&incidence).into_iter().map(part).collect()
    }
}
