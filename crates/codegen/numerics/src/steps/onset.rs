//! What begins like a root: (t − t₀)^p from zero on, where p is no whole number. Its first step errs by the same part of itself, however short it
//! is, so measured by itself it has none. What it is to be measured by is how far it would come in the first trial after which shorter
//! ones are no better: an error of this size is that of beginning a little later, by a part of that trial as small as the
//! tolerance. It counts until as much time has passed; from there on whatever grew has a size.

use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Real};

use super::{Method, Scheme, Steps};

/// The places in the array of the onset: how long the trial was, when it began, and until when it counts.
const LENGTH: usize = 0;
const BEGINS: usize = 1;
pub(super) const UNTIL: usize = 2;

/// What came less far than this many times what rounding makes of that is rounding itself, which errs by the same part of itself as well and grows
/// into nothing. What begins like a root comes a billion times as far.
// Test: what_rests_on_a_turning_arm_stays_at_rest
const ROUNDINGS: f64 = 10.0;

impl Steps<'_> {
    /// Whether errors are measured at all.
    pub(super) fn can_begin_like_a_root(&self) -> bool {
        self.arrays.method != Method::Fixed
    }

    /// Nothing begins like a root, as far as is known at this time.
    pub(super) fn forget_onset(&self, f: &mut FunctionBuilder, t: LocalId) {
        f.store(self.onset, LENGTH, 0.0);
        f.store(self.onset, UNTIL, t);
    }

    /// Notes a trial of length h that was no better than a longer one, and not on account of rounding. Where shorter trials are better again,
    /// those before were only too long.
    pub(super) fn note_onset(&self, f: &mut FunctionBuilder, like_a_root: LocalId, h: LocalId) {
        let t = f.real("t", self.arrays.time.at(0));
        let is_known = f.integer("is_known", t.lt(self.onset.at(UNTIL)));
        f.if_else(
            like_a_root,
            |f| {
                f.if_(is_known.eq_(0), |f| {
                    f.store(self.onset, LENGTH, h);
                    f.store(self.onset, BEGINS, t);
                    f.store(self.onset, UNTIL, t + h);
                    f.for_each("i", 0, self.n(), |f, i| {
                        let way = f.real("way", (self.arrays.stage.at(i) - self.arrays.state.at(i)).abs());
                        let [least, greatest] = self.change.map(|change| change.at(i));
                        f.store(self.reached, i, way.gt((greatest - least) * ROUNDINGS).select(way, 0.0));
                    });
                });
            },
            |f| f.if_(t.eq_(self.onset.at(BEGINS)), |f| self.forget_onset(f, t)),
        );
    }

    /// `(h: real) -> real`: the error of the trial, measured by how far what begins like a root would come as well: at the speed that it has on
    /// average, but no further than it came in the trial of the onset, for a speed that falls from infinity says nothing of that.
    pub(super) fn error_at_onset(&self, module: &mut ModuleBuilder, scheme: &Scheme<'_>) -> FunctionId {
        let name = format!("{}_size_before", self.problem.name);
        let before = module.real_array(&name, self.n(), "the largest magnitude of each component, while others count");
        let note = "The error of the trial, where something begins like a root.";
        let function = self.function(module, "error_at_onset", &[("h", Real)], &[Real], note);
        module.set_rare(function, true);
        module.define(function, |f| {
            let [h] = f.parameters();
            let lengths = f.real("lengths", self.onset.at(LENGTH) / h);
            f.for_each("i", 0, self.n(), |f, i| {
                let way = (self.arrays.stage.at(i) - self.arrays.state.at(i)).abs() * lengths;
                // Only a part of the largest magnitudes counts.
                let way = f.real("way", way.min(self.reached.at(i)) * (1.0 / self.control.memory_of_size));
                f.store(before, i, self.size.at(i));
                // Written so that what is not a number, or not finite, does not count.
                let counts = way.gt(self.size.at(i)).and(way.lt(f64::INFINITY));
                f.store(self.size, i, counts.select(way, self.size.at(i)));
            });
            let error = f.call1(scheme.error, h);
            f.for_each("i", 0, self.n(), |f, i| f.store(self.size, i, before.at(i)));
            f.return_(error);
        });
        function
    }
}
