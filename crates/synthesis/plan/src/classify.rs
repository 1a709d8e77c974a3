//! The stage, read from top to bottom.

use base::Diagnostics;
use equations::{ConstraintId, System};
use expr::Point;

use crate::apart::{Divided, divide};
use crate::classes::classes;
use crate::contradiction::{contradicted, report_contradicting};
use crate::determinacy::determines_motion;
use crate::general::{Candidates, LawPlan};
use crate::generic;
use crate::groups::{contested, is_open, row_groups};
use crate::plan::{Classes, Freedoms, Plan};
use crate::redundancy::{Dependence, dependences, report_redundant};
use crate::shares::warn_of_shares;
use crate::verify::verify;

/// Decides how the system is solved; reports and refuses what does not determine the motion.
pub fn classify(system: &System, sink: &mut Diagnostics) -> Option<Plan> {
    classify_with(system, &|_| Vec::new(), sink)
}

/// The same, where somebody knows what could be added for quantities that nothing determines.
pub fn classify_with(system: &System, candidates: Candidates<'_>, sink: &mut Diagnostics) -> Option<Plan> {
    let plan = planned(system, candidates, sink)?;
    base::verify_after("classify", || verify(system, &plan));
    Some(plan)
}

fn planned(system: &System, candidates: Candidates<'_>, sink: &mut Diagnostics) -> Option<Plan> {
    let points = generic::points(system);
    let dependences = without_contradiction(system, &points, sink)?;
    warn_of_shares(system, &dependences, &points, sink);
    let redundant: Vec<ConstraintId> = dependences.iter().map(|dependence| dependence.constraint).collect();
    let divided = divide(system, &redundant, points, candidates, sink)?;
    let Divided { mechanism, laws, start, entries, reenter, points } = divided;
    let mut groups = row_groups(system, &dependences);
    let classed = |contested: &[ConstraintId]| classes(system, &mechanism, (&redundant, contested), &laws, &points);
    let mut classes = classed(&[]);
    let contested = contested(&groups, &redundant, &classes);
    if !contested.is_empty() {
        classes = classed(&contested);
    }
    groups.retain(|group| is_open(system, group, (&mechanism, &classes)));
    if !determines_motion(system, (&classes, &redundant), &laws, &points, sink) {
        return None;
    }
    let freedoms = freedoms(system, &redundant, (&classes, &laws));
    Some(Plan { mechanism, classes, redundant, groups, freedoms, start, entries, reenter, points, laws })
}

/// A speed less for each independent constraint; and of the states, a choice less for each equation that they have to satisfy.
fn freedoms(system: &System, redundant: &[ConstraintId], (classes, laws): (&Classes, &LawPlan)) -> Freedoms {
    let independent = system.multiplier_symbols().len() - redundant.len();
    let states = classes.q1.len() + classes.q2.len() + classes.speeds2.len();
    let satisfied = classes.h1.len() + 2 * classes.h2.len() + classes.n2.len();
    Freedoms {
        motion: system.speeds.len().saturating_sub(independent),
        initial_values: states.saturating_sub(satisfied) + laws.free_values(),
    }
}

/// Reports constraints that follow from others, and gives them; reports those that contradict others.
fn without_contradiction(system: &System, points: &[Point], sink: &mut Diagnostics) -> Option<Vec<Dependence>> {
    let dependences = dependences(system, points);
    let contradicting: Vec<&Dependence> =
        dependences.iter().filter(|dependence| contradicted(system, dependence, points).is_some()).collect();
    if !contradicting.is_empty() {
        report_contradicting(system, &contradicting, points, sink);
        return None;
    }
    report_redundant(system, &dependences, sink);
    Some(dependences)
}
