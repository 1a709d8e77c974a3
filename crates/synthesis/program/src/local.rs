//! A program as equations around one state, to be differentiated there: rates, constraints and outputs of the states, of what is solved
//! for on the way, and of the controls.

use expr::{Expr, SymbolId};
use rustc_hash::FxHashSet;

use crate::implicit::residuals;
use crate::program::{Binding, Program, State, SystemId};

pub struct LocalEquations {
    pub states: Vec<State>,
    /// The rate of each state.
    pub rates: Vec<Expr>,
    /// What is solved for on the way: what follows from the states, velocities, accelerations, forces.
    pub between: Vec<SymbolId>,
    /// As many equations that determine these: what they leave.
    pub balances: Vec<Expr>,
    /// What the constraints on the states leave, those on positions before those on velocities.
    pub constraints: Vec<Vec<Expr>>,
    pub outputs: Vec<Expr>,
}

/// The equations of a program that was not decomposed. None if what is solved for on the way is not determined.
pub fn local_equations(program: &Program) -> Option<LocalEquations> {
    let mut local = LocalEquations {
        states: program.integrals.iter().flat_map(|integral| integral.states.clone()).collect(),
        rates: program.integrals.iter().flat_map(|integral| integral.derivative.results.clone()).collect(),
        between: Vec::new(),
        balances: Vec::new(),
        constraints: Vec::new(),
        outputs: program.observe.results.clone(),
    };
    let states: FxHashSet<SymbolId> = local.states.iter().map(|state| state.symbol).collect();
    let integrals = || program.integrals.iter();
    let functions = integrals()
        .filter_map(|integral| integral.follow.as_ref())
        .chain(integrals().map(|integral| &integral.derivative))
        .chain(integrals().filter_map(|integral| integral.stabilize.as_ref()))
        .chain([&program.observe]);
    // What several functions solve for is the same in all of them.
    let mut seen: FxHashSet<SystemId> = FxHashSet::default();
    for binding in functions.flat_map(|function| &function.body).filter(|binding| seen.insert(binding.id())) {
        let equations = residuals(&program.arena, binding);
        match binding.unknowns().iter().any(|unknown| states.contains(unknown)) {
            true => local.constraints.push(equations),
            false => local.solve(binding, equations),
        }
    }
    local.put_back_switches(program);
    let distinct: FxHashSet<SymbolId> = local.between.iter().copied().collect();
    let mut without = program.without_masks();
    let equations = local.constraints.iter_mut().flatten().chain(&mut local.balances);
    equations.for_each(|equation| *equation = without.apply(&program.arena, *equation));
    let determined = local.balances.len() == local.between.len() && distinct.len() == local.between.len();
    determined.then_some(local)
}

impl LocalEquations {
    /// Around one state there is one smooth piece: that in which the state is.
    fn put_back_switches(&mut self, program: &Program) {
        let Some(switches) = &program.switches else { return };
        let mut meant = switches.meant(&program.arena);
        let constraints = self.constraints.iter_mut().flatten();
        let all = self.rates.iter_mut().chain(&mut self.balances).chain(constraints).chain(&mut self.outputs);
        all.for_each(|expr| *expr = meant.apply(&program.arena, *expr));
    }

    fn solve(&mut self, binding: &Binding, equations: Vec<Expr>) {
        self.between.extend(binding.unknowns());
        self.balances.extend(equations);
    }
}
