//! Transitions that hold at one instant, and cannot both happen.

use kernel::executive::{AT_ONCE, SAME};

use super::{Hybrid, Modes, Rivals};
use crate::simulation::Guard;

impl<M: Modes> Hybrid<M> {
    /// A transition with each of those that hold beside it and lead elsewhere.
    pub(super) fn rivals_of(&mut self, chosen: usize, others: &[usize], t: f64) -> Vec<Rivals> {
        let elsewhere: Vec<usize> = others.iter().copied().filter(|&other| self.disagree(chosen, other, t)).collect();
        let edges = &self.part().edges;
        let rivals = |other: usize| {
            let [happened, missed] = [chosen, other].map(|at| edges[at].number);
            Rivals { t, happened, missed, by_rounding: false }
        };
        elsewhere.into_iter().map(rivals).collect()
    }

    /// Whether two transitions lead to different modes, or leave different coordinates and speeds. What a plan would choose is not known.
    fn disagree(&mut self, one: usize, other: usize, t: f64) -> bool {
        let part = self.part();
        let edges = [one, other].map(|at| &part.edges[at]);
        if edges[0].target != edges[1].target {
            return true;
        }
        if edges.iter().any(|edge| !edge.choices.is_empty()) {
            return false;
        }
        let variables = part.variables;
        let mut left = |at: usize| part.simulation.reset(at, t, variables);
        let (Ok(first), Ok(second)) = (left(one), left(other)) else { return false };
        first.iter().zip(second).any(|(a, b)| (a - b).abs() > SAME * a.abs().max(b.abs()).max(1.0))
    }

    /// Those whose second does not hold any more.
    pub(super) fn remember_rivals(&mut self, rivals: Vec<Rivals>, holding: &[usize]) {
        for pair in rivals {
            let still = holding.iter().any(|&at| self.part().edges[at].number == pair.missed);
            let known = self.rivals.iter().any(|known| (known.happened, known.missed) == (pair.happened, pair.missed));
            if !still && !known {
                self.rivals.push(pair);
            }
        }
    }
}

/// Whether a guard does not hold but for the rounding of the time at which it begins to.
pub(super) fn holds_soon(guard: &Guard, t: f64) -> bool {
    !guard.holds && guard.slope > 0.0 && guard.margin + guard.slope * AT_ONCE * t.abs() >= 0.0
}
