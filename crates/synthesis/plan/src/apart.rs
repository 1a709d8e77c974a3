//! Mechanisms beside laws: which of them are solved by themselves, in the classes of Ellman et al., whatever else the scene has.
//!
//! To the laws such a mechanism is given, as the time is; to it their quantities are. That is possible where everything can be found in one
//! order: what acts on the mechanism, its accelerations, then what depends on these. Where a law puts an acceleration into a force,
//! holds a constraint of its own, or asks for more than accelerations, the mechanism is solved together with the laws.

use base::Diagnostics;
use equations::{ConstraintId, Level, Mechanism, System};
use expr::{Expr, Point, SymbolId};
use rustc_hash::FxHashSet;

use crate::general::{
    Candidates, EntryPlan, LawPlan, Phase, StartPlan, asked, entries_of_mechanism, entry_rows, plan_laws, start_rows,
};

/// A mechanism that is solved by itself beside laws.
pub struct Divided {
    pub mechanism: Mechanism,
    pub laws: LawPlan,
    pub start: StartPlan,
    pub entries: Vec<EntryPlan>,
    pub reenter: Option<EntryPlan>,
    /// At which everything has a value.
    pub points: Vec<Point>,
}

/// As much as possible of what moves is solved by itself.
pub fn divide(
    system: &System,
    redundant: &[ConstraintId],
    points: Vec<Point>,
    candidates: Candidates<'_>,
    sink: &mut Diagnostics,
) -> Option<Divided> {
    if !system.has_laws() {
        let mechanism = Mechanism::whole(system);
        let laws = LawPlan::none(system, &mechanism, redundant);
        let start = StartPlan::of_mechanism(system, &mechanism);
        let (entries, reenter) = entries_of_mechanism(system);
        return Some(Divided { mechanism, laws, start, entries, reenter, points });
    }
    let all = system.mechanisms();
    let touched = touched(system, &all);
    let may_be_apart = |touched: &Touched| match touched {
        Touched::Nowhere => true,
        // Without a point nothing can be told of what the laws determine.
        Touched::Motion => !points.is_empty(),
        // Forces that keep such constraints belong to the laws as well.
        Touched::Constraints => false,
    };
    let mut apart: Vec<bool> = touched.iter().map(may_be_apart).collect();
    loop {
        let alone = all.iter().zip(&apart).filter(|(_, apart)| **apart).map(|(mechanism, _)| mechanism.clone());
        let mechanism = Mechanism::joined(alone);
        let mut said = Diagnostics::default();
        let found = plan_laws(system, (&mechanism, redundant), &points, candidates, &mut said);
        let order = found.as_ref().map(|found| Order::new(system, found));
        let fits = |at: usize| match &order {
            Some(order) => order.has(&all[at]),
            None => touched[at] == Touched::Nowhere,
        };
        let misfits: Vec<usize> = (0..all.len()).filter(|&at| apart[at] && !fits(at)).collect();
        if misfits.is_empty() {
            said.iter().for_each(|diagnostic| sink.report(diagnostic.clone()));
            return found;
        }
        misfits.into_iter().for_each(|at| apart[at] = false);
    }
}

/// How near laws and a mechanism come to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touched {
    Nowhere,
    /// Laws speak of its motion, or their quantities act on it.
    Motion,
    /// Its constraints speak of their quantities.
    Constraints,
}

fn touched(system: &System, all: &[Mechanism]) -> Vec<Touched> {
    let arena = &system.arena;
    let mut known: FxHashSet<SymbolId> = system.input_symbols().into_iter().collect();
    known.extend(Mechanism::whole(system).symbols(system));
    let laws: Vec<Expr> = system.laws.iter().map(|law| law.residual).collect();
    let spoken: FxHashSet<SymbolId> = arena.symbols_in(&laws).into_iter().collect();
    let is_foreign = |exprs: Vec<Expr>| arena.symbols_in(&exprs).iter().any(|symbol| !known.contains(symbol));
    let touched = |mechanism: &Mechanism| {
        let motion = mechanism.speeds.iter().map(|id| system.motion[id.index()].residual);
        let constraints = mechanism.constraints.iter().flat_map(|id| {
            let levels = [Level::Position, Level::Velocity, Level::Acceleration].into_iter();
            levels.filter_map(|level| system.constraints[id.index()].at(level))
        });
        if is_foreign(constraints.collect()) {
            Touched::Constraints
        } else if is_foreign(motion.collect()) || mechanism.symbols(system).iter().any(|it| spoken.contains(it)) {
            Touched::Motion
        } else {
            Touched::Nowhere
        }
    };
    all.iter().map(touched).collect()
}

/// What laws want to know of mechanisms that are apart, and when.
struct Order<'s> {
    system: &'s System,
    laws: &'s LawPlan,
    /// What is known before any acceleration is.
    early: FxHashSet<SymbolId>,
    /// What has to hold of the states, at the start or after a transition, speaks of these;
    stated: FxHashSet<SymbolId>,
    /// and what is solved or asked for at any time speaks of these.
    asked: FxHashSet<SymbolId>,
}

impl<'s> Order<'s> {
    fn new(system: &'s System, found: &'s Divided) -> Order<'s> {
        let laws = &found.laws;
        let symbols = |exprs: Vec<Expr>| system.arena.symbols_in(&exprs).into_iter().collect::<FxHashSet<SymbolId>>();
        let moving = [found.mechanism.coordinate_symbols(system), found.mechanism.speed_symbols(system)].concat();
        let before = laws.blocks.iter().filter(|block| block.phase == Phase::Before);
        let before = before.flat_map(|block| &block.quantities).filter_map(|&quantity| laws.leading(quantity, 0));
        let early =
            system.input_symbols().into_iter().chain(moving).chain(laws.state_symbols()).chain(before).collect();
        let stated = start_rows(laws).into_iter().chain(entry_rows(system, laws)).collect();
        let levels = laws.rows.iter().flat_map(|row| row.levels.iter().copied());
        let further = laws.further.iter().flat_map(|further| further.residuals.iter().copied());
        let asked = levels.chain(further).chain(asked(system, &laws.form)).collect();
        Order { system, laws, early, stated: symbols(stated), asked: symbols(asked) }
    }

    /// Whether a mechanism has its place in it.
    fn has(&self, mechanism: &Mechanism) -> bool {
        let arena = &self.system.arena;
        let accelerations = mechanism.acceleration_symbols(self.system);
        // What acts on it is known before any acceleration is.
        let rows: Vec<Expr> = mechanism.speeds.iter().map(|id| self.system.motion[id.index()].residual).collect();
        let own: FxHashSet<SymbolId> = accelerations.iter().copied().collect();
        let mut replacement = self.laws.form.replacement();
        let acting = arena.symbols_in(&rows).into_iter().filter(|symbol| !own.contains(symbol));
        let acting: Vec<Expr> = acting.map(|symbol| replacement.apply(arena, arena.symbol(symbol))).collect();
        if arena.symbols_in(&acting).iter().any(|symbol| !self.early.contains(symbol)) {
            return false;
        }
        // Nothing about the states waits for its accelerations, and nobody asks how these and its forces change.
        let rate = |&symbol: &SymbolId| arena.as_symbol(self.laws.form.clock.known(arena.symbol(symbol))?);
        let is_asked = |rate: SymbolId| self.asked.contains(&rate);
        !accelerations.iter().any(|symbol| self.stated.contains(symbol) || rate(symbol).is_some_and(is_asked))
    }
}
