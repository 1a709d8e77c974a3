//! The data of the plan.

use equations::{ConstraintId, CoordinateId, Mechanism, SpeedId, System};
use expr::Point;

use crate::general::{EntryPlan, LawPlan, StartPlan};

/// How a system will be solved: a mechanism in its classes, what laws determine block after block.
pub struct Plan {
    /// What is solved by itself, in its classes.
    pub mechanism: Mechanism,
    pub classes: Classes,
    /// Constraints that follow from others; they are watched but not enforced.
    pub redundant: Vec<ConstraintId>,
    /// Those among which the enforced ones are chosen on the way.
    pub groups: Vec<RowGroup>,
    pub freedoms: Freedoms,
    pub start: StartPlan,
    /// What holds after each transition that leads into this mode.
    pub entries: Vec<EntryPlan>,
    /// The same where nothing happened, so that a run can go on from what is carried over.
    pub reenter: Option<EntryPlan>,
    /// Generic states that satisfy the constraints on positions, at which numerical decisions are made.
    pub points: Vec<Point>,
    /// All else: what laws determine, and mechanisms that cannot be told apart from it.
    pub laws: LawPlan,
}

/// How much of the motion, and of everything, is left open by what holds at all times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freedoms {
    /// Degrees of freedom: how many speeds of the mechanism can be chosen freely at an instant.
    pub motion: usize,
    /// How many numbers can be chosen freely at the start.
    pub initial_values: usize,
}

/// Constraints of which any `rank` that are independent imply the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// Ascending.
    pub rows: Vec<ConstraintId>,
    pub rank: usize,
}

impl Plan {
    /// Redundant constraints that may be enforced in the place of others.
    pub fn reserve(&self) -> Vec<ConstraintId> {
        let grouped = |id: &&ConstraintId| self.groups.iter().any(|group| group.rows.binary_search(id).is_ok());
        self.redundant.iter().filter(grouped).copied().collect()
    }
}

/// The partition of Ellman et al., figure 12. Coordinates: found from positions (0), from velocities (1), or by integrating
/// accelerations (2), with their speeds. Constraints: enforced without being differentiated (0), differentiated once (1) or twice
/// (2); `n1`, `n2` are those on velocities, enforced as they are or differentiated once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    pub q0: Vec<CoordinateId>,
    pub q1: Vec<CoordinateId>,
    pub q2: Vec<CoordinateId>,
    pub speeds0: Vec<SpeedId>,
    pub speeds1: Vec<SpeedId>,
    pub speeds2: Vec<SpeedId>,
    pub h0: Vec<ConstraintId>,
    pub h1: Vec<ConstraintId>,
    pub h2: Vec<ConstraintId>,
    pub n1: Vec<ConstraintId>,
    pub n2: Vec<ConstraintId>,
}

impl Classes {
    /// Speeds whose accelerations follow from the equations of motion.
    pub fn moving(&self) -> Vec<SpeedId> {
        [&self.speeds1[..], &self.speeds2].concat()
    }

    /// Constraints that are kept by forces, which the equations of motion speak of.
    pub fn forced(&self, system: &System) -> Vec<ConstraintId> {
        let differentiated = [&self.h1[..], &self.h2, &self.n1, &self.n2].concat();
        differentiated.into_iter().filter(|id| system.constraints[id.index()].multiplier.is_some()).collect()
    }
}
