//! Impulses without a collision: where no force keeps a point that slips from sinking in (P. Painlevé, 1895), an impulse ends the slip at once, as if it
//! had run into something.

use kernel::Type::{Integer, Real};
use kernel::{FunctionId, Term, protocol};
use numerics::IntegratorArrays;

use super::Touching;
use super::frames::Frames;
use super::rows::Rows;
use crate::lower::Lowering;

/// The approach that is put in place of none, relative to the slip: so small that it matters nowhere else.
const APPROACH: f64 = 1e-12;

/// Slip is ended where friction all but does it: forces are known to grow beyond all bounds a little before that.
const MORE: f64 = 1.0 + 4e-6;

impl<'p> Lowering<'p> {
    /// `(t, chosen, count) -> (integer, integer)`: an impulse on the chosen points, which stand in the law of contact; a status, and whether
    /// one was found that takes energy.
    pub fn contact_jam(
        &mut self,
        touching: &Touching,
        frames: Frames,
        rows: Rows,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let Touching { arrays, coulomb, solver, bounces, .. } = *touching;
        let (states, first_rate) = (self.plain_states(), 6 * touching.frames as i64);
        let parameters = [("t", Real), ("chosen", Integer), ("count", Integer)];
        let jam = self.module.function("contact_jam", &parameters, &[Integer, Integer], |f| {
            let [t, chosen, count] = f.parameters();
            let slip = f.real("slip", 0.0);
            f.for_each("a", 0, chosen, |f, a| {
                let i = f.integer("i", arrays.chosen.at(a));
                f.for_each("row", 1, 3, |f, row| f.assign(slip, slip.max(arrays.speed.at(i * 3 + row).abs())));
            });
            f.if_(slip.eq_(0.0), |f| f.return_((protocol::DONE, 0)));
            f.for_each("a", 0, chosen, |f, a| {
                let i = f.integer("i", arrays.chosen.at(a));
                f.store(bounces, a, 0.0);
                f.store(coulomb.slips, a, 0);
                f.for_each("row", 0, 3, |f, row| f.store(coulomb.b, a * 3 + row, arrays.speed.at(i * 3 + row)));
                f.store(coulomb.b, a * 3, -(slip * APPROACH));
                f.store(coulomb.friction, a, coulomb.friction.at(a) * MORE);
            });
            f.store(coulomb.noise, 0, 0.0);
            let status = f.call1(solver.impact, chosen);
            f.if_(status.eq_(1), |f| f.return_((protocol::DONE, 0)));
            let change = f.real("change", 0.0);
            f.for_each("i", 0, count * 3, |f, i| f.store(arrays.force, i, 0.0));
            f.for_each("a", 0, chosen, |f, a| {
                let i = f.integer("i", arrays.chosen.at(a));
                f.for_each("row", 0, 3, |f, row| {
                    let part = f.real("part", coulomb.force.at(a * 3 + row));
                    f.store(arrays.force, i * 3 + row, part);
                    f.increase(change, part * (coulomb.result.at(a * 3 + row) + coulomb.b.at(a * 3 + row)));
                });
            });
            f.note("A push that does nothing, or adds energy, is none.");
            f.if_(change.ge(-(slip * slip * APPROACH)), |f| f.return_((protocol::DONE, 0)));
            f.call(rows.gather, count);
            let status = f.call1(frames.respond, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            f.for_each("i", 0, states, |f, i| {
                f.store(integrator.state, i, integrator.state.at(i) + arrays.response.at(i + first_rate));
            });
            f.return_((protocol::DONE, 1));
        });
        self.module.describe(jam, "An impulse without a collision.");
        jam
    }
}
