//! How often each equation is differentiated, and from which derivative on each quantity is found.

use equations::{GeneralForm, Role, eliminate_explicit};
use expr::Expr;
use structure::{Offsets, Orders, reduce_index};

use super::PlannedRow;
use super::redundant::mentions;

/// For each quantity its order, and the equations with their derivatives. Variables that differentiated equations define outright are
/// replaced on the way. Needs: what each equation mentions.
pub fn differentiated(form: &mut GeneralForm, mentioned: &Orders) -> Option<(Vec<usize>, Vec<PlannedRow>)> {
    const MOST_ROUNDS: usize = 4;
    let mut offsets = offsets(form, mentioned)?;
    for _ in 0..MOST_ROUNDS {
        let differentiated: Vec<usize> = (0..offsets.rows.len()).filter(|&row| offsets.rows[row] > 0).collect();
        if differentiated.is_empty() || eliminate_explicit(form, &differentiated) == 0 {
            break;
        }
        offsets = self::offsets(form, &mentions(form))?;
    }
    for (quantity, &order) in offsets.columns.iter().enumerate() {
        if form.quantities[quantity].role != Role::Constant {
            form.extend_chain(quantity, order);
        }
    }
    let arena = form.arena.clone();
    let mut rows = Vec::with_capacity(form.equations.len());
    for (equation, &times) in form.equations.iter().zip(&offsets.rows) {
        let mut levels: Vec<Expr> = vec![equation.residual];
        for level in 0..times {
            levels.push(form.clock.derivative(&arena, levels[level]));
        }
        rows.push(PlannedRow { label: equation.label.clone(), span: equation.span, levels });
    }
    Some((offsets.columns, rows))
}

fn offsets(form: &GeneralForm, mentioned: &Orders) -> Option<Offsets> {
    // The value of a turning is a state whatever happens.
    let least: Vec<usize> = form.quantities.iter().map(|it| usize::from(it.role == Role::Turning)).collect();
    reduce_index(&least, mentioned)
}
