//! How a run is solved: the choice, what there is to choose from, and the account afterwards.

use driver::{ContactSteps, Statistics};

// No line is longer than 80 characters.
pub const LIST: &str = "\
auto      Explicit, unless the first steps of a trial run, at most 4000, show
          that the scene is stiff: that stability, not accuracy, keeps the
          steps short. Then implicit. This is the default. Scenes with modes
          are tried in the mode that they start in.
explicit  Runge-Kutta methods of Dormand and Prince, of order 5, or of order 8
          for tolerances below 1e-7. Fastest where forces change as fast as
          what they move.
implicit  Rodas5P, a linearly implicit method of order 5; for tolerances below
          1e-8 Radau's method of order 13, which satisfies the equations
          themselves at seven moments of each step, far beyond it. Both are
          L-stable and take one Jacobian for each step, derived as a formula,
          and sparse factorisations. For stiff springs, strong damping,
          circuits, reactions, and for large systems of which every part
          knows few others.

All three choose their steps by the tolerance, and all record at exact times.
After each step, states are moved back onto constraints where they left them.
The account after a run has the method, steps, trials that were rejected,
derivatives, Jacobians, factorisations, and moves onto constraints. If explicit
steps were kept short by stability, it says so.
";

/// What a run cost.
pub fn report(statistics: &Statistics, tolerance: f64) -> String {
    let Statistics { accepted, rejected, evaluations, jacobians, factorisations, projections, .. } = statistics;
    let method = match jacobians {
        0 => format!("explicit, order {}", driver::explicit_order(tolerance)),
        _ => format!("implicit, order {}", driver::implicit_order(tolerance)),
    };
    let mut parts = vec![format!("steps {accepted} (rejected {rejected})"), format!("derivatives {evaluations}")];
    if *jacobians > 0 {
        parts.extend([format!("Jacobians {jacobians}"), format!("factorisations {factorisations}")]);
    }
    if *projections > 0 {
        parts.push(format!("moves onto constraints {projections}"));
    }
    format!("{method}: {}", parts.join(", "))
}

/// The same where contact has steps of a fixed length.
pub fn report_steps(statistics: &Statistics, steps: &ContactSteps) -> String {
    let Statistics { accepted, projections, .. } = statistics;
    let mut parts = vec![format!("steps {accepted}"), format!("sweeps over what touches {}", steps.sweeps)];
    if *projections > 0 {
        parts.push(format!("moves onto constraints {projections}"));
    }
    format!("steps of a fixed length: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_account_says_what_there_was() {
        let explicit = Statistics { accepted: 5, rejected: 1, evaluations: 70, ..Statistics::default() };
        assert_eq!(report(&explicit, 1e-8), "explicit, order 8: steps 5 (rejected 1), derivatives 70");
        assert!(report(&explicit, 1e-6).starts_with("explicit, order 5: "));
        let implicit = Statistics { jacobians: 5, factorisations: 6, projections: 2, ..explicit };
        let account = "implicit, order 5: steps 5 (rejected 1), derivatives 70, Jacobians 5, factorisations 6, moves onto \
                       constraints 2";
        assert_eq!(report(&implicit, 1e-8), account);
        assert!(report(&implicit, 1e-10).starts_with("implicit, order 13: "));
    }
}
