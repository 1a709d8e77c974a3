//! Transitions that end a run: they come before all others of their instant, change nothing, and nothing comes after them.

use kernel::Type::Integer;
use kernel::executive::AT_ONCE;
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use super::Automaton;
use super::modes::Modes;
use super::transition::State;

#[derive(Clone, Copy)]
pub(super) struct Stopping {
    /// Whether the run has ended, at the time of the last transition.
    is_stopped: ArrayId,
    /// `() -> integer`: the first of the guards that hold whose transition ends the run, or -1.
    pub first: FunctionId,
}

impl Stopping {
    /// None if nothing ends a run.
    pub fn declare(module: &mut ModuleBuilder, automaton: &Automaton<'_>, modes: &Modes) -> Option<Stopping> {
        if automaton.stops.is_empty() {
            return None;
        }
        let stops = (0..automaton.transitions.len()).map(|number| i64::from(automaton.stops.contains(&number)));
        let stops = module.integers("stops", &stops.collect::<Vec<i64>>(), "whether each transition ends the run");
        let first = module.function("first_stopping", &[], &[Integer], |f| {
            let count = f.integer("count", modes.of_mode(modes.tables.counts));
            f.for_each("i", 0, count, |f, i| {
                let ends = stops.at(modes.at_edge(modes.tables.numbers, i)).ne_(0);
                f.if_(modes.values.at(i * 3 + 2).ne_(0.0).and(ends), |f| f.return_(i));
            });
            f.return_(-1);
        });
        module.describe(first, "The first transition that holds and ends the run, or -1.");
        let is_stopped = module.integer_array(protocol::IS_STOPPED, 1, "whether the last transition ended the run");
        Some(Stopping { is_stopped, first })
    }

    /// The run ends here.
    pub fn stop(&self, f: &mut FunctionBuilder) {
        f.store(self.is_stopped, 0, 1);
    }

    /// The run begins, or goes on from another state.
    pub fn forget(&self, f: &mut FunctionBuilder) {
        f.store(self.is_stopped, 0, 0);
    }

    /// Leaves the function if the run has ended: nothing is known of later times.
    pub fn leave(&self, f: &mut FunctionBuilder, state: State, target: LocalId) {
        f.if_(self.is_stopped.at(0), |f| {
            let last = state.last_place();
            let reached = state.event_times.at(last).ge(target - target.abs() * AT_ONCE);
            f.if_(reached, |f| f.return_(protocol::DONE));
            f.return_(protocol::STOPPED);
        });
    }
}
