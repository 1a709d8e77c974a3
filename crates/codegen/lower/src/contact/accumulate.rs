//! Bounces that accumulate: infinitely many impacts in a finite time, after which things rest.
//!
//! Intervals between impacts of a pair shrink by a ratio that tends to a limit, so what is left of them is known ever better (Aitken). They are
//! followed until the rest is shorter than what the time can tell; the impact that comes then is the last one, without rebound.

use kernel::Type::{Integer, Real};
use kernel::{FunctionId, Term};

use super::Touching;
use crate::lower::Lowering;

/// So many intervals have to shrink, one after the other.
const IN_A_ROW: i64 = 6;
/// The rest of the time that is not followed, relative to the time.
const REST: f64 = 1e-10;

impl<'p> Lowering<'p> {
    /// `(of, t, approach) -> integer`: notes an impact of a pair of things; whether it is the last of infinitely many.
    pub fn contact_accumulation(&mut self, touching: &Touching) -> FunctionId {
        let pairs = touching.thing_pairs;
        let mut reals = |name: &str, note: &str| self.module.real_array(&format!("contact_last_{name}"), pairs, note);
        let time = reals("impact", "when each pair collided last");
        let interval = reals("interval", "between the last two impacts");
        let speed = reals("approach", "of the last impact");
        let row =
            self.module.integer_array("contact_shrinking", pairs, "how many intervals shrank one after the other");
        let parameters = [("of", Integer), ("t", Real), ("approach", Real)];
        let function = self.module.function("contact_accumulates", &parameters, &[Integer], |f| {
            let [of, t, approach] = f.parameters();
            let since = f.real("since", t - time.at(of));
            let before = f.real("before", interval.at(of));
            f.note("What collides again at the same instant, or in another run, says nothing.");
            f.if_(since.eq_(0.0), |f| f.return_(0));
            let shrinks = since.gt(0.0).and(since.lt(before)).and(approach.lt(speed.at(of)));
            let number = f.integer("number", shrinks.select(row.at(of) + 1, 0));
            f.store(time, of, t);
            f.store(interval, of, since);
            f.store(speed, of, approach);
            f.store(row, of, number);
            let left = f.real("left", since * since / (before - since));
            f.return_(number.ge(IN_A_ROW).and(left.le(t.abs() * REST)));
        });
        self.module.describe(function, "Notes an impact of a pair; whether it is the last of infinitely many.");
        function
    }
}
