//! How often each equation is differentiated, and from which derivative on each quantity is found.

use equations::{GeneralForm, Role};
use expr::Expr;
use structure::reduce_index;

use super::PlannedRow;
use super::redundant::Enforced;

/// For each quantity its order, and the equations with their derivatives.
pub fn differentiated(form: &mut GeneralForm, equations: &Enforced) -> Option<(Vec<usize>, Vec<PlannedRow>)> {
    // The value of a turning is a state whatever happens.
    let least: Vec<usize> = form.quantities.iter().map(|it| usize::from(it.role == Role::Turning)).collect();
    let offsets = reduce_index(&least, &equations.mentions)?;
    for (quantity, &order) in offsets.columns.iter().enumerate() {
        if form.quantities[quantity].role != Role::Constant {
            form.extend_chain(quantity, order);
        }
    }
    let arena = form.arena.clone();
    let mut rows = Vec::new();
    for (&at, &times) in equations.rows.iter().zip(&offsets.rows) {
        let equation = &form.equations[at];
        let mut levels: Vec<Expr> = vec![equation.residual];
        for level in 0..times {
            levels.push(form.clock.derivative(&arena, levels[level]));
        }
        rows.push(PlannedRow { label: equation.label.clone(), span: equation.span, levels });
    }
    Some((offsets.columns, rows))
}
