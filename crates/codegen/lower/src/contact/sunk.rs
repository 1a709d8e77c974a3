//! What would have to touch and does not sinks in: no run goes on with that.

use kernel::Type::{Integer, Real};
use kernel::{FunctionId, Term, protocol};

use super::Touching;
use crate::lower::Lowering;

/// What is deeper, as a part of the smaller shape, has sunk in: far more than bands and what steps leave, far less than anybody sees.
const DEEP: f64 = 1e-7;

impl<'p> Lowering<'p> {
    /// `(t, pair) -> integer`: whether the shapes of a pair are inside of one another, where frames are placed.
    pub fn contact_sunk(&mut self, touching: &Touching) -> FunctionId {
        let Touching { geometry, tables, .. } = *touching;
        let (failure, failure_values) = (self.failure, self.failure_values);
        let sunk = self.module.function("contact_sunk", &[("t", Real), ("pair", Integer)], &[Integer], |f| {
            let [t, pair] = f.parameters();
            let size = |side: usize| geometry.radius.at(tables.shape[side].at(pair));
            let [gap, _, _, _] = f.call_n(geometry.distance, pair);
            f.if_(gap.lt(size(0).min(size(1)) * -DEEP), |f| {
                f.store(failure, 0, tables.of.at(pair));
                f.store(failure_values, 0, t);
                f.store(failure_values, 1, -gap.get());
                f.return_(protocol::SUNK_IN);
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(sunk, "Whether two shapes have sunk into one another.");
        sunk
    }
}
