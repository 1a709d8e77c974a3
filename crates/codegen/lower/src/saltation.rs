//! Saltation: where a switch turns, derivatives of states jump. If what is varied makes the margin g differ by dg at that instant, the switch
//! turns earlier by dg / ġ, and for that long the states change at the rates of the other side: T⁺ = T⁻ + (f⁺ − f⁻) dg / ġ.
//!
//! P. C. Müller, *Calculation of Lyapunov exponents for dynamic systems with discontinuities*, 1995.

use kernel::Type::{Integer, Real};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::search::attempt;
use crate::switches::Switching;

#[derive(Clone, Copy)]
pub(crate) struct Saltation {
    /// `(t) -> integer`: notes rates and derivatives of margins, before switches turn.
    pub before: FunctionId,
    /// `(t) -> integer`: moves the derivatives of states by what the turn of a switch makes of them.
    pub after: FunctionId,
}

impl<'p> Lowering<'p> {
    /// None if the program has no derivatives.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn saltation(
        &mut self,
        switching: Switching,
        sample: FunctionId,
        integrals: &[LoweredIntegral],
    ) -> Option<Saltation> {
        let switches = self.program.switches.as_ref()?;
        let tangents = switches.tangents.as_ref()?;
        let [lowered] = integrals else { return None };
        let (count, directions) = (switching.count, self.program.directions);
        let (arrays, derivative, number) = (lowered.arrays, lowered.derivative, lowered.states / (1 + directions));
        let place = |at: usize| switches.sliders.iter().position(|&slider| slider == at).map_or(-1, |it| it as i64);
        let places: Vec<i64> = (0..count).map(place).collect();
        let sliders = self.module.integers("saltation_slider", &places, "the place of the rate of each margin, or -1");
        let mut array = |name: &str, length, note| self.module.real_array(name, length, note);
        let margins =
            array("saltation_margins", (directions + 1) * count, "derivatives of margins, then by time alone");
        let rates = array("saltation_rates", number, "rates of the states before switches turned");
        let speeds = array("saltation_speeds", count, "rates of margins before switches turned");
        let past = array("saltation_before", count, "switches before they turned");
        let evaluate = self.evaluation("saltation_evaluate", tangents, margins, integrals);
        let of_states = lowered.row_rates.zip(switching.sliding);
        let slopes = |f: &mut FunctionBuilder, t: LocalId| {
            f.for_each("i", 0, arrays.size, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
            // Between steps the place of the second slope is free.
            let status = f.call1(derivative, (t, arrays.size));
            f.if_(status.ne_(0), |f| f.return_(status));
        };
        let before = self.module.function("saltation_note", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            attempt(f, sample, t);
            attempt(f, evaluate, t);
            slopes(f, t);
            f.for_each("i", 0, number, |f, i| f.store(rates, i, arrays.slopes.at(i + arrays.size)));
            if let Some((rates, _)) = of_states {
                f.call(rates.gradients, t);
                f.call(rates.rate, arrays.size);
            }
            f.for_each("i", 0, count, |f, i| {
                f.store(past, i, switching.values.at(i));
                f.store(speeds, i, margins.at(i + directions * count));
                if let Some((_, sliding)) = of_states {
                    f.if_(sliders.at(i).ge(0), |f| f.store(speeds, i, sliding.rates.at(sliders.at(i))));
                }
            });
            f.return_(protocol::DONE);
        });
        let after = self.module.function("saltation_happen", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let turned = f.integer("turned", -1);
            f.for_each("i", 0, count, |f, i| {
                f.if_(past.at(i).ne_(switching.values.at(i)).and(speeds.at(i).ne_(0.0)), |f| f.assign(turned, i));
            });
            f.if_(turned.lt(0), |f| f.return_(protocol::DONE));
            slopes(f, t);
            f.for_each("k", 0, directions, |f, k| {
                let earlier = f.real("earlier", margins.at(k * count as i64 + turned) / speeds.at(turned));
                f.for_each("i", 0, number, |f, i| {
                    let change = arrays.slopes.at(i + arrays.size) - rates.at(i);
                    let place: Expression = (k + 1) * number as i64 + i;
                    f.store(arrays.state, place.clone(), arrays.state.at(place) + change * earlier);
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(after, "Moves the derivatives of states by what the turn of a switch makes of them.");
        Some(Saltation { before, after })
    }
}
