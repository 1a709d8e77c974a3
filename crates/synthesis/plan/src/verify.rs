//! The verifier of plans: what is true of every plan, whatever it decides.

use base::Broken;
use equations::{ConstraintId, Role, System};
use expr::{Expr, SymbolId};
use rustc_hash::FxHashSet;

use crate::general::{LawPlan, Phase, StartPlan};
use crate::plan::Plan;

/// A plan and what it is made for.
type Planned<'p> = (&'p System, &'p Plan);

pub fn verify(system: &System, plan: &Plan) -> Result<(), Broken> {
    base::verify(
        &(system, plan),
        &[
            ("each coordinate, speed and constraint has one class", classes_partition),
            ("what follows is determined by as many equations", followers_are_determined),
            ("each equation is solved in one block", rows_are_solved_once),
            ("each quantity is solved for once", quantities_are_solved_once),
            ("a block is square", blocks_are_square),
            ("blocks refer backwards", blocks_refer_backwards),
            ("no equation reaches beyond the orders", orders_are_enough),
            ("what acts on a mechanism is found before its accelerations", phases_are_in_order),
            ("each state has one start", starts_are_unique),
            ("a start is found from equations that exist", start_rows_exist),
        ],
    )
}

fn told(fine: bool, of: &str) -> Result<(), String> {
    if fine { Ok(()) } else { Err(of.to_string()) }
}

/// Whether these are those, each once.
fn is_partition<T: Copy + Ord>(parts: impl Iterator<Item = T>, whole: impl Iterator<Item = T>) -> bool {
    let mut parts: Vec<T> = parts.collect();
    parts.sort_unstable();
    parts.into_iter().eq(whole)
}

fn classes_partition(&(_, plan): &Planned<'_>) -> Result<(), String> {
    let (it, mechanism) = (&plan.classes, &plan.mechanism);
    let coordinates = it.q0.iter().chain(&it.q1).chain(&it.q2);
    told(is_partition(coordinates, mechanism.coordinates.iter()), "coordinates")?;
    let speeds = it.speeds0.iter().chain(&it.speeds1).chain(&it.speeds2);
    told(is_partition(speeds, mechanism.speeds.iter()), "speeds")?;
    let kept = it.h0.iter().chain(&it.h1).chain(&it.h2).chain(&it.n1).chain(&it.n2);
    let own = |id: &&ConstraintId| mechanism.constraints.contains(id);
    let constraints = kept.chain(plan.redundant.iter().filter(own));
    told(is_partition(constraints, mechanism.constraints.iter()), "constraints")
}

fn followers_are_determined(&(_, plan): &Planned<'_>) -> Result<(), String> {
    let it = &plan.classes;
    told(it.q0.len() == it.h0.len(), "positions that follow")?;
    told(it.speeds1.len() == it.h1.len() + it.n1.len(), "velocities that follow")
}

fn rows_are_solved_once(&(_, plan): &Planned<'_>) -> Result<(), String> {
    let it = &plan.laws;
    let rows = it.blocks.iter().flat_map(|block| block.rows.iter().copied());
    told(is_partition(rows, 0..it.rows.len()), "every equation")
}

fn quantities_are_solved_once(&(_, plan): &Planned<'_>) -> Result<(), String> {
    let it = &plan.laws;
    let constants = (0..it.form.quantities.len()).filter(|&at| it.form.quantities[at].role == Role::Constant);
    let solved = it.blocks.iter().flat_map(|block| block.quantities.iter().copied());
    told(is_partition(solved.chain(constants), 0..it.form.quantities.len()), "every quantity")
}

fn blocks_are_square(&(_, plan): &Planned<'_>) -> Result<(), String> {
    let it = &plan.laws;
    let odd = it.blocks.iter().find(|block| block.rows.len() != block.quantities.len());
    odd.map_or(Ok(()), |block| Err(named(it, &block.rows)))
}

fn named(plan: &LawPlan, rows: &[usize]) -> String {
    let labels: Vec<String> = rows.iter().map(|&row| format!("`{}`", plan.rows[row].label)).collect();
    labels.join(", ")
}

/// What a block speaks of at its highest derivative is solved for in it, or before it.
fn blocks_refer_backwards(&(_, plan): &Planned<'_>) -> Result<(), String> {
    let it = &plan.laws;
    let places = it.form.places();
    let constants = (0..it.orders.len()).filter(|&at| it.form.quantities[at].role == Role::Constant);
    let mut solved: FxHashSet<usize> = constants.collect();
    for block in &it.blocks {
        solved.extend(&block.quantities);
        let mut mentioned = block.rows.iter().flat_map(|&row| it.form.mentions(&places, it.rows[row].leading()));
        if mentioned.any(|(at, order)| order >= it.orders[at] && !solved.contains(&at)) {
            return Err(named(it, &block.rows));
        }
    }
    Ok(())
}

fn phases_are_in_order(&(system, plan): &Planned<'_>) -> Result<(), String> {
    let it = &plan.laws;
    let mut late: FxHashSet<SymbolId> = plan.mechanism.acceleration_symbols(system).into_iter().collect();
    let after = it.blocks.iter().filter(|block| block.phase != Phase::Before);
    late.extend(after.flat_map(|block| &block.quantities).filter_map(|&quantity| it.leading(quantity, 0)));
    for block in it.blocks.iter().filter(|block| block.phase == Phase::Before) {
        let rows: Vec<Expr> = block.rows.iter().map(|&row| it.rows[row].leading()).collect();
        if system.arena.symbols_in(&rows).iter().any(|symbol| late.contains(symbol)) {
            return Err(named(it, &block.rows));
        }
    }
    Ok(())
}

/// The inequalities of the Σ-method: differentiated so often, no equation mentions more than what is solved for.
fn orders_are_enough(&(_, plan): &Planned<'_>) -> Result<(), String> {
    let it = &plan.laws;
    let places = it.form.places();
    for row in &it.rows {
        for (times, &level) in row.levels.iter().rev().enumerate() {
            let changing = |at: usize| it.form.quantities[at].role != Role::Constant;
            let mentions = it.form.mentions(&places, level).into_iter();
            if mentions.filter(|&(at, _)| changing(at)).any(|(at, order)| order + times > it.orders[at]) {
                return Err(format!("`{}`", row.label));
            }
        }
    }
    Ok(())
}

fn starts(plan: &Plan) -> impl Iterator<Item = &StartPlan> {
    [&plan.start].into_iter().chain(plan.entries.iter().chain(&plan.reenter).map(|entry| &entry.start))
}

fn starts_are_unique(&(system, plan): &Planned<'_>) -> Result<(), String> {
    let it = &plan.laws;
    for start in starts(plan) {
        let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
        let sought = start.blocks.iter().flat_map(|block| block.unknowns.iter().copied());
        let mut all = sought.chain(start.assumed.iter().map(|assumed| assumed.symbol));
        if let Some(twice) = all.find(|&symbol| !seen.insert(symbol)) {
            return Err(format!("`{}`", system.arena.symbol_name(twice)));
        }
    }
    // Whatever is integrated begins somewhere.
    let sought = plan.start.blocks.iter().flat_map(|block| block.unknowns.iter().copied());
    let mut begun: FxHashSet<SymbolId> = sought.chain(plan.start.assumed.iter().map(|it| it.symbol)).collect();
    begun.extend(plan.start.mechanism.coordinate_symbols(system));
    begun.extend(plan.start.mechanism.speed_symbols(system));
    let states = it.changing().flat_map(|at| (it.form.quantities[at].first()..it.orders[at]).map(move |o| (at, o)));
    let symbol = |(at, order): (usize, usize)| it.form.quantities[at].at(order);
    let lacking = states.filter_map(symbol).find(|symbol| !begun.contains(symbol));
    lacking.map_or(Ok(()), |symbol| Err(format!("`{}`", system.arena.symbol_name(symbol))))
}

fn start_rows_exist(&(_, plan): &Planned<'_>) -> Result<(), String> {
    let fits = |start: &StartPlan| {
        let mut rows = start.blocks.iter().flat_map(|block| block.rows.iter());
        let square = |block: &crate::general::StartBlock| !block.square || block.rows.len() == block.unknowns.len();
        rows.all(|&row| row < start.rows.len()) && start.blocks.iter().all(square)
    };
    told(starts(plan).all(fits), "all of them")
}
