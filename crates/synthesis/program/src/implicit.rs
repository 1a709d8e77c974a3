//! An integral as one system of differential-algebraic equations, M y′ = f(t, y), as an implicit method wants it: what the
//! derivative solves for on the way becomes algebraic unknowns, and nothing is solved inside anything. So does the value of what may slide
//! along a border: while it does, its equation is that the rate of its margin is zero.

use expr::{Arena, Differentiator, Expr, Number, Operator, SymbolId, jacobian_with_tips};
use rustc_hash::FxHashSet;

use crate::program::{Binding, Integral, SystemId};
use crate::switch::Switches;

pub struct ImplicitSystem {
    /// The states, then the algebraic unknowns.
    pub unknowns: Vec<SymbolId>,
    /// For each state its rate, then what each algebraic equation leaves.
    pub rows: Vec<Expr>,
    /// The nonzero derivatives of the rows by the unknowns: row, column, value.
    pub jacobian: Vec<(usize, usize, Expr)>,
    /// The nonzero derivatives of the rows by the time.
    pub time_slopes: Vec<(usize, Expr)>,
    /// For each algebraic unknown what the derivative would begin to search from, if it does.
    pub seeds: Vec<Option<Expr>>,
    /// For each algebraic equation, and for the unknown beside it, which system it comes from, and its place there; those of sliders
    /// follow these, and come from none.
    pub origins: Vec<(SystemId, usize)>,
    /// What may slide, in the order of the sliders of the program.
    pub sliders: Vec<ImplicitSlider>,
}

/// The value of a switch, or of a part of a direction, as an unknown: kept, or such that its border is.
pub struct ImplicitSlider {
    /// What stands for 1 where the border is kept, else 0.
    pub slides: SymbolId,
    /// What stands for its value where it is not.
    pub kept: SymbolId,
}

/// The system of an integral; none if a system in its derivative has not as many equations as unknowns, or gives a new value to
/// what had one before.
pub fn implicit_system(
    arena: &Arena,
    time: SymbolId,
    integral: &Integral,
    switches: Option<&Switches>,
) -> Option<ImplicitSystem> {
    let mut unknowns: Vec<SymbolId> = integral.states.iter().map(|state| state.symbol).collect();
    let mut rows = integral.derivative.results.clone();
    let (mut seeds, mut origins) = (Vec::new(), Vec::new());
    for binding in &integral.derivative.body {
        if binding.equations() != binding.unknowns().len() {
            return None;
        }
        unknowns.extend(binding.unknowns());
        rows.extend(residuals(arena, binding));
        origins.extend((0..binding.equations()).map(|at| (binding.id(), at)));
        match binding {
            Binding::Linear(_) | Binding::Sum(_) => seeds.extend(binding.unknowns().iter().map(|_| None)),
            Binding::Nonlinear(system) => seeds.extend(system.seeds.iter().map(|&seed| Some(seed))),
        }
    }
    let mut sliders = Vec::new();
    for (at, slider) in switches.iter().flat_map(|switches| switches.sliders.iter().enumerate()) {
        let switches = switches.expect("it has sliders");
        let [slides, kept] = ["slides", "kept"].map(|name| arena.new_symbol(&format!("{name}{}", at + 1)));
        let (value, rate) = (switches.symbol(*slider), rate_of_row(arena, integral, switches, at));
        let otherwise = arena.subtract(arena.symbol(value), arena.symbol(kept));
        rows.push(arena.apply(Operator::Select, &[arena.symbol(slides), rate, otherwise]));
        unknowns.push(value);
        seeds.push(None);
        sliders.push(ImplicitSlider { slides, kept });
    }
    let distinct: FxHashSet<SymbolId> = unknowns.iter().copied().collect();
    if distinct.len() < unknowns.len() {
        return None;
    }
    let jacobian = jacobian_with_tips(arena, &rows, &unknowns);
    let mut by_time = Differentiator::by(arena, arena.symbol(time));
    by_time.seed_tips(arena, &rows);
    let time_slopes = rows.iter().enumerate().map(|(row, &value)| (row, by_time.derivative(arena, value)));
    let time_slopes = time_slopes.filter(|&(_, slope)| !arena.is_zero(slope)).collect();
    Some(ImplicitSystem { unknowns, rows, jacobian, time_slopes, seeds, origins, sliders })
}

/// The rate of what a slider acts on: of its margin, or of the rate of that.
fn rate_of_row(arena: &Arena, integral: &Integral, switches: &Switches, slider: usize) -> Expr {
    let speed = switches.speeds.iter().position(|&(of, _)| of == slider);
    let row = speed.map_or(slider, |speed| switches.sliders.len() + speed);
    let entries = switches.gradients.iter().filter(|&&(of, _, _)| of == row);
    let parts = entries.map(|&(_, by, slope)| arena.multiply(slope, integral.derivative.results[by]));
    let parts = parts.chain([switches.time_slopes[row]]).map(|part| (Number::ONE, part));
    arena.sum(parts.collect::<Vec<_>>())
}

/// What the equations of a binding leave.
pub fn residuals(arena: &Arena, binding: &Binding) -> Vec<Expr> {
    match binding {
        Binding::Nonlinear(system) => system.residuals.clone(),
        // Slopes by every argument of every row are wanted, so that nothing is gained by a table.
        Binding::Sum(sum) => {
            let values = sum.unrolled(arena).into_iter();
            let unknowns = sum.unknowns.iter().map(|&unknown| arena.symbol(unknown));
            unknowns.zip(values).map(|(unknown, value)| arena.subtract(unknown, value)).collect()
        }
        Binding::Linear(system) => {
            let mut rows: Vec<Vec<Expr>> = system.right.iter().map(|&right| vec![arena.negate(right)]).collect();
            for &(row, column, value) in &system.matrix {
                rows[row].push(arena.multiply(value, arena.symbol(system.unknowns[column])));
            }
            rows.into_iter().map(|terms| arena.sum(terms.into_iter().map(|term| (Number::ONE, term)))).collect()
        }
    }
}
