//! Equations that have cancelled once definitions stand in the places of what they define: the second of two hinges at one place.

use base::Diagnostics;
use equations::{Equation, GeneralForm, Place, System, eliminate_idle};
use expr::Point;

use super::point;
use super::redundant::{mentions, report_contradiction, report_redundant, vanishes};

/// Leaves out equations in which nothing is open any more, with the unknowns that belong to them, which are zero then; whether there
/// were any. None if one of them cannot hold.
pub fn set_aside(
    system: &System,
    form: &mut GeneralForm,
    (redundant, given): (&mut Vec<Equation>, &[Point]),
    sink: &mut Diagnostics,
) -> Option<bool> {
    let places = form.places();
    let mentions = mentions(form).into_iter().zip(&form.equations).enumerate();
    let closed = mentions.filter(|(_, (changing, equation))| {
        changing.is_empty() && form.mentions(&places, equation.residual).is_empty()
    });
    let closed: Vec<usize> = closed.map(|(at, _)| at).collect();
    if closed.is_empty() {
        return Some(false);
    }
    let point = point::anywhere(system, form, given, 0);
    let (follow, contradict): (Vec<usize>, Vec<usize>) =
        closed.iter().partition(|&&at| vanishes(form, form.equations[at].residual, &point));
    contradict.iter().for_each(|&at| report_contradiction(&form.equations[at], &[], sink));
    contradict.is_empty().then_some(())?;
    let mut idle: Vec<usize> = follow.iter().filter_map(|&at| multiplier(system, form, &form.equations[at])).collect();
    idle.sort_unstable();
    idle.dedup();
    for &at in follow.iter().rev() {
        redundant.push(form.equations.remove(at));
    }
    let found = redundant.len() - follow.len();
    redundant[found..].reverse();
    redundant[found..].iter().for_each(|equation| report_redundant(equation, sink));
    eliminate_idle(form, idle);
    Some(true)
}

/// The quantity that belongs to an equation, or that stands for it.
fn multiplier(system: &System, form: &GeneralForm, equation: &Equation) -> Option<usize> {
    let law = system.laws.iter().find(|law| law.label == equation.label)?;
    let now = form.replacement().apply(&form.arena, form.arena.symbol(law.multiplier?));
    let [symbol] = form.arena.symbols_in(&[now])[..] else { return None };
    match form.places().get(symbol) {
        Some(Place::Derivative { quantity, order: 0 }) => Some(quantity),
        _ => None,
    }
}
