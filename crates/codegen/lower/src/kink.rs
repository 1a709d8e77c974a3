//! Kinks: where a path or a constraint turns a corner in space, what follows it would have to change its velocity at once. That is an impact,
//! and what an impact preserves the scene does not say; so kinetic energy that is lost where a switch of states turns is refused.
//! Steps of potentials change it, and rightly so, and what gains energy is driven.

use kernel::Type::{Integer, Real};
use kernel::{FunctionId, Term, protocol};

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::search::attempt;
use crate::switches::{Switching, beyond};

/// A change of kinetic energy by less than this part of it is none.
const ROUNDING: f64 = 1e-7;

#[derive(Clone, Copy)]
pub(crate) struct Kink {
    /// `(t) -> integer`: notes the kinetic energy, before switches turn.
    pub before: FunctionId,
    /// `(t) -> integer`: fails if some was lost since, though nothing but the place of something says why.
    pub after: FunctionId,
}

impl<'p> Lowering<'p> {
    /// None if nothing with kinetic energy depends on a switch of states.
    pub fn kink(&mut self, switching: Switching, sample: FunctionId, integrals: &[LoweredIntegral]) -> Option<Kink> {
        let switches = self.program.switches.as_ref()?;
        let kinetic = switches.kinetic.as_ref()?;
        let borders = |at: usize| switches.borders.iter().any(|&(border, _)| border == at);
        // What turns with the time is prescribed, and may give or take energy.
        let mut kinds: Vec<i64> = switches.all.iter().map(|switch| i64::from(switch.in_space)).collect();
        (0..kinds.len()).filter(|&at| borders(at)).for_each(|at| kinds[at] = 0);
        let kinds = self.module.integers("kink_kinds", &kinds, "whether places decide, and no potential jumps");
        let now = self.module.real_array("kinetic_now", 1, "kinetic energy");
        let past = self.module.real_array("kinetic_before", 1, "kinetic energy before switches turned");
        let by = self.module.integer_array("kink_by", 1, "the switch of states that turns, or -1");
        let counts = self.module.module().find_array("switch_is_count").expect("it was made before");
        let look = self.module.module().find_function("switch_look").expect("it was made before");
        let evaluate = self.evaluation("kinetic_evaluate", kinetic, now, integrals);
        let before = self.module.function("kink_note", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            attempt(f, look, t);
            attempt(f, evaluate, t);
            f.store(past, 0, now.at(0));
            f.store(by, 0, -1);
            f.for_each("i", 0, switching.count, |f, i| {
                let [margin, value] = [switching.margins, switching.values].map(|of| f.real("of", of.at(i)));
                f.if_(beyond(counts, i, margin, value).gt(switching.slack.at(i)), |f| {
                    f.if_(kinds.at(i).lt(1), |f| {
                        f.store(by, 0, -1);
                        f.return_(protocol::DONE);
                    });
                    f.store(by, 0, i);
                });
            });
            f.return_(protocol::DONE);
        });
        let (failure, failure_values) = (self.failure, self.failure_values);
        let after = self.module.function("kink_check", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.if_(by.at(0).lt(0), |f| f.return_(protocol::DONE));
            attempt(f, sample, t);
            attempt(f, evaluate, t);
            let lost = f.real("lost", past.at(0) - now.at(0));
            f.if_(lost.gt(now.at(0).abs().max(past.at(0).abs()) * ROUNDING), |f| {
                f.store(failure, 0, by.at(0));
                f.store(failure_values, 0, t);
                f.store(failure_values, 1, lost);
                f.return_(protocol::KINKED);
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(after, "Refuses what would change its velocity at a corner.");
        Some(Kink { before, after })
    }
}
