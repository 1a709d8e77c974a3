//! Sliding in implicit steps: the value of what slides is an unknown of the step, whose equation keeps it on its border.
//!
//! Which values are found in that way is chosen where switches turn. Those that do nothing about their own borders are what they mean at
//! zero; and of several that act on one border alike, as two kinds of friction on one block do, one gives way and the others stay as they are.

use kernel::Type::{Integer, Real};
use kernel::{FunctionBuilder, FunctionId, LocalId, Term, protocol};

use crate::implicit::SlidersSolved;
use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::search::attempt;
use crate::sliding::Sliding;

/// What is left of a row without those before it, relative to it, if it follows from them.
const FOLLOWS: f64 = 1e-9;

#[derive(Clone, Copy)]
pub(crate) struct Solved {
    /// `(t) -> integer`: chooses what steps solve for, where switches have turned.
    pub choose: FunctionId,
    /// `()`: hands steps the values of all others.
    pub keep: FunctionId,
}

impl<'p> Lowering<'p> {
    /// None if steps are explicit, or nothing can slide.
    pub fn solved(&mut self, lowered: &LoweredIntegral) -> Option<Solved> {
        let sliders = lowered.implicit.as_ref()?.sliders?;
        let (sliding, functions) = lowered.sliding?;
        let (arrays, states) = (lowered.arrays, lowered.states);
        let keep = self.keep_values(sliding, sliders, lowered);
        let independent = self.independent(sliding, sliders);
        let choose = self.module.function("sliders_solve", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("k", 0, sliding.count, |f, k| f.store(sliders.solved, k, 0.0));
            f.if_(sliding.is_on(), |f| {
                f.for_each("i", 0, states, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
                attempt(f, functions.derivative, (t, arrays.size));
                f.call(independent, ());
            });
            f.call(keep, ());
            f.return_(protocol::DONE);
        });
        self.module.describe(choose, "Chooses the sliders whose values steps solve for.");
        Some(Solved { choose, keep })
    }

    fn keep_values(&mut self, sliding: Sliding, sliders: SlidersSolved, lowered: &LoweredIntegral) -> FunctionId {
        let SlidersSolved { first, solved, kept } = sliders;
        let state = lowered.arrays.state;
        let keep = self.module.function("sliders_keep_values", &[], &[], |f| {
            f.for_each("k", 0, sliding.count, |f, k| {
                f.if_(solved.at(k).eq_(0.0), |f| {
                    f.store(kept, k, sliding.values.at(sliding.at.at(k)));
                    f.store(state, k + first, kept.at(k));
                });
            });
        });
        self.module.describe(keep, "Hands steps the values of sliders that they do not solve for.");
        keep
    }

    /// `()`: those that slide whose rows do not follow from those of others.
    fn independent(&mut self, sliding: Sliding, sliders: SlidersSolved) -> FunctionId {
        let Sliding { count, influence, is_idle, .. } = sliding;
        let left =
            self.module.real_array("sliders_left_of_rows", count * count, "what each row has beside those before");
        let acts = |k: LocalId| sliding.slides(k).ne_(0).and(is_idle.at(k).eq_(0));
        let largest = |f: &mut FunctionBuilder, k: LocalId| {
            let largest = f.real("largest", 0.0);
            f.for_each("i", 0, count, |f, i| f.assign(largest, largest.max(left.at(k * count + i).abs())));
            largest
        };
        let independent = self.module.function("sliders_independent", &[], &[], |f| {
            f.for_each("k", 0, count, |f, k| {
                f.for_each("i", 0, count, |f, i| {
                    let entry = influence.at(k * count + i);
                    f.store(left, k * count + i, acts(k).and(acts(i)).select(entry, 0.0));
                });
                let size = largest(f, k);
                f.for_each("j", 0, k, |f, j| {
                    let pivot = f.real("pivot", left.at(j * count + j));
                    let of_row = largest(f, j);
                    f.if_(sliders.solved.at(j).ne_(0.0).and(pivot.abs().gt(of_row * FOLLOWS)), |f| {
                        let times = f.real("times", left.at(k * count + j) / pivot);
                        f.for_each("i", 0, count, |f, i| {
                            f.store(left, k * count + i, left.at(k * count + i) - times * left.at(j * count + i));
                        });
                    });
                });
                let rest = largest(f, k);
                f.store(sliders.solved, k, acts(k).and(rest.gt(size * FOLLOWS)).to_real());
            });
        });
        self.module.describe(independent, "Which sliders have rows that do not follow from those of others.");
        independent
    }
}
