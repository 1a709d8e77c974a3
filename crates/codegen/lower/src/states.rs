//! The state as a whole: taken out after a sample, put back to go on from.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, Term, protocol};

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::search::attempt;

/// Where the states and the followers of an integral stand among all.
struct Place {
    states: usize,
    followers: usize,
}

impl Lowering<'_> {
    /// The entry point that copies the sampled state into `states`.
    pub fn capture(&mut self, integrals: &[LoweredIntegral]) -> ArrayId {
        let places = self.places();
        let states =
            self.module.real_array(protocol::STATES, self.count(), "of all integrals, each with its followers");
        self.module.function(protocol::CAPTURE, &[], &[Integer], |f| {
            for (lowered, place) in integrals.iter().zip(&places) {
                let (n, sampled) = (lowered.states, lowered.arrays.sampled);
                f.for_each("i", 0, n, |f, i| f.store(states, i + place.states, sampled.at(i)));
                if let Some(following) = lowered.following() {
                    let n = lowered.follower_count;
                    f.for_each("i", 0, n, |f, i| f.store(states, i + place.followers, following.followers.at(i)));
                }
            }
            f.return_(protocol::DONE);
        });
        states
    }

    /// The entry point that begins anew at some time, from `states`.
    pub fn resume(&mut self, states: ArrayId, integrals: &[LoweredIntegral]) {
        let places = self.places();
        let rates = self.module.real_array(protocol::RATES, self.count(), "of the states, where they were resumed");
        let function = self.module.declare(protocol::RESUME, &[("t", Real)], &[Integer]);
        self.module.describe(function, "Moves the states onto the constraints and begins there.");
        self.define(function, |body| {
            let [t] = body.f.parameters();
            if let Some(history) = body.lowering.history {
                attempt(body.f, history.begin, t);
            }
            for (lowered, place) in integrals.iter().zip(&places) {
                let (n, state) = (lowered.states, lowered.arrays.state);
                body.f.for_each("i", 0, n, |f, i| f.store(state, i, states.at(i + place.states)));
                if let Some(following) = lowered.following() {
                    let n = lowered.follower_count;
                    body.f.for_each("i", 0, n, |f, i| f.store(following.settled, i, states.at(i + place.followers)));
                }
                lowered.choose_rows(body, t);
                if let Some(switching) = body.lowering.switching {
                    switching.begin(body, &lowered.arrays, &Expression::from(t));
                }
                if let Some(after_step) = lowered.after_step {
                    let status = body.f.call1(after_step, t);
                    body.f.if_(status.gt(0), |f| f.return_(status));
                }
                let status = body.f.call1(lowered.integrator.start, t);
                lowered.hand_on(body, status, &Expression::from(t));
                body.f.for_each("i", 0, n, |f, i| f.store(rates, i + place.states, lowered.arrays.slopes.at(i)));
            }
            body.f.return_(protocol::DONE);
        });
    }

    fn places(&self) -> Vec<Place> {
        let mut at = 0;
        let place = |integral: &program::Integral| {
            let place = Place { states: at, followers: at + integral.states.len() };
            at += integral.states.len() + integral.followers.len();
            place
        };
        self.program.integrals.iter().map(place).collect()
    }

    pub fn count(&self) -> usize {
        self.program.integrals.iter().map(|integral| integral.states.len() + integral.followers.len()).sum()
    }
}
