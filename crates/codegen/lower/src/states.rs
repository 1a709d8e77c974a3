//! The state as a whole: taken out after a sample, put back to go on from.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, LocalId, Term, protocol};
use numerics::IntegratorArrays;

use crate::integral::LoweredIntegral;
use crate::lower::{Body, Lowering};
use crate::search::attempt;
use crate::switches::Switching;

/// Where the states and the followers of an integral stand among all.
pub(crate) struct Place {
    pub states: usize,
    pub followers: usize,
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
        let rates = self.module.real_array(protocol::RATES, self.count(), "of the states, where they were resumed");
        let function = self.module.declare(protocol::RESUME, &[("t", Real)], &[Integer]);
        self.module.describe(function, "Moves the states onto the constraints and begins there.");
        self.define(function, |body| {
            body.begin_from([states, rates], integrals, Switching::begin);
            body.f.return_(protocol::DONE);
        });
    }

    pub fn places(&self) -> Vec<Place> {
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

impl Body<'_, '_, '_> {
    /// Begins at the time that is the first parameter, from `states`, moved onto the constraints; `set` sees to the switches. Fills `rates`.
    pub fn begin_from(
        &mut self,
        [states, rates]: [ArrayId; 2],
        integrals: &[LoweredIntegral],
        set: impl Fn(&Switching, &mut Body<'_, '_, '_>, &IntegratorArrays, &Expression),
    ) {
        let [t] = self.f.parameters();
        if let Some(history) = self.lowering.history {
            attempt(self.f, history.begin, t);
        }
        for (lowered, place) in integrals.iter().zip(self.lowering.places()) {
            let (n, state) = (lowered.states, lowered.arrays.state);
            self.f.for_each("i", 0, n, |f, i| f.store(state, i, states.at(i + place.states)));
            if let Some(following) = lowered.following() {
                let n = lowered.follower_count;
                self.f.for_each("i", 0, n, |f, i| f.store(following.settled, i, states.at(i + place.followers)));
            }
            lowered.choose_rows(self, t);
            if let Some(switching) = self.lowering.switching {
                set(&switching, self, &lowered.arrays, &Expression::from(t));
            }
            if let Some(after_step) = lowered.after_step {
                let status = self.f.call1(after_step, t);
                self.f.if_(status.gt(0), |f| f.return_(status));
            }
            self.start_from(lowered, place.states, rates, t);
        }
    }

    /// Begins at the state of an integral, and says how fast it changes.
    pub fn start_from(&mut self, lowered: &LoweredIntegral, first: usize, rates: ArrayId, t: LocalId) {
        let status = self.f.call1(lowered.integrator.start, t);
        lowered.hand_on(self, status, &Expression::from(t));
        self.f.for_each("i", 0, lowered.states, |f, i| f.store(rates, i + first, lowered.arrays.slopes.at(i)));
    }
}
