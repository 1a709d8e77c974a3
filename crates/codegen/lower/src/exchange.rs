//! What integrators of other programs need (model exchange): rates and distances to events at any state, with switches as they are; what
//! belongs to the end of one of their steps; and what happens at an event.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, Term, protocol};

use crate::border::length;
use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::search::attempt;
use crate::sliding::Sliding;
use crate::switches::{Switching, beyond};

impl Lowering<'_> {
    /// The entry points for them. Needs: `resume`. Things that touch are located by our own integrator alone.
    pub fn exchange(&mut self, states: ArrayId, integrals: &[LoweredIntegral]) {
        let rates = self.array(protocol::RATES);
        let next = self.module.real_array(protocol::NEXT_INSTANT, 1, "of the next event that is known beforehand");
        self.hold_states([states, rates], next, integrals);
        self.at_switches(protocol::COMPLETE, rates, integrals, &["direct", "sliders_correct"]);
        self.at_switches(protocol::REACT, rates, integrals, &["switch_turn"]);
    }

    fn array(&self, name: &str) -> ArrayId {
        self.module.module().find_array(name).expect("it was made before")
    }

    fn function(&self, name: &str) -> FunctionId {
        self.module.module().find_function(name).expect("it was made before")
    }

    fn hold_states(&mut self, arrays: [ArrayId; 2], next: ArrayId, integrals: &[LoweredIntegral]) {
        let sliding = integrals.first().and_then(|lowered| lowered.sliding).map(|(sliding, _)| sliding);
        let [located, is_count] =
            ["switch_located", "switch_located_count"].map(|name| self.module.module().find_array(name));
        let switches = located.map_or(0, |located| self.module.length(located));
        let count = switches + sliding.map_or(0, |sliding| sliding.count + sliding.directions);
        let indicators = self.module.real_array(protocol::INDICATORS, count, "positive while nothing has to turn");
        let switching = self.switching.map(|switching| {
            let functions = ["switch_look", "switch_schedule"].map(|name| self.function(name));
            (switching, functions, self.array("switch_next"))
        });
        let function = self.module.declare(protocol::HOLD, &[("t", Real)], &[Integer]);
        self.define(function, |body| {
            let [t] = body.f.parameters();
            body.begin_from(arrays, integrals, |switching, body, arrays, t| switching.keep(body.f, arrays, t));
            let f = &mut *body.f;
            f.store(next, 0, f64::INFINITY);
            if let Some((switching, [look, schedule], instant)) = switching {
                attempt(f, look, t);
                f.call(schedule, t);
                f.store(next, 0, instant.at(0));
                if let Some((located, is_count)) = located.zip(is_count) {
                    measure(f, switching, [located, is_count], indicators, switches);
                }
                if let Some(sliding) = sliding {
                    measure_sliding(f, sliding, indicators, switches);
                }
            }
            f.return_(protocol::DONE);
        });
    }

    /// An entry point that calls those of some functions of switches that there are, and goes on from the state that they leave.
    fn at_switches(&mut self, name: &str, rates: ArrayId, integrals: &[LoweredIntegral], functions: &[&str]) {
        let places = self.places();
        let module = self.module.module();
        let functions: Vec<(FunctionId, usize)> = functions
            .iter()
            .filter_map(|name| module.find_function(name))
            .map(|id| (id, module.function(id).parameter_count))
            .collect();
        let switching = self.switching.filter(|_| !functions.is_empty());
        let function = self.module.declare(name, &[("t", Real)], &[Integer]);
        self.define(function, |body| {
            let [t] = body.f.parameters();
            let Some(switching) = switching else { return body.f.return_(protocol::DONE) };
            switching.has_to_turn(body.f);
            for &(function, parameters) in &functions {
                match parameters {
                    0 => attempt(body.f, function, ()),
                    _ => attempt(body.f, function, t),
                }
            }
            switching.keep(body.f, &integrals[0].arrays, &Expression::from(t));
            for (lowered, place) in integrals.iter().zip(&places) {
                body.start_from(lowered, place.states, rates, t);
            }
            body.f.return_(protocol::DONE);
        });
    }
}

/// How far each switch is from having to turn: its margin, with the sign of its side.
fn measure(
    f: &mut FunctionBuilder,
    switching: Switching,
    [located, is_count]: [ArrayId; 2],
    indicators: ArrayId,
    count: usize,
) {
    f.for_each("k", 0, count, |f, k| {
        let i = f.integer("i", located.at(k));
        let margin = f.real("margin", switching.margins.at(i));
        let value = f.real("value", switching.values.at(i));
        f.store(indicators, k, switching.slack.at(i) - beyond(is_count, k, margin, value));
    });
}

/// How far what slides is from leaving its border: its number, or its vector, from the length one. One where nothing slides.
fn measure_sliding(f: &mut FunctionBuilder, sliding: Sliding, indicators: ArrayId, first: usize) {
    f.for_each("k", 0, sliding.count, |f, k| {
        let alone = sliding.slides(k).ne_(0).and(sliding.is_part(k).logical_not());
        f.store(indicators, k + first as i64, alone.select(1.0 - sliding.number_of.at(k).abs(), 1.0));
    });
    f.for_each("d", 0, sliding.directions, |f, d| {
        let length = length(f, sliding, d, |f, k| f.real("part", sliding.number_of.at(k)));
        let rests = sliding.slides.at(sliding.moves.at(d)).ne_(0);
        f.store(indicators, d + (first + sliding.count) as i64, rests.select(1.0 - length, 1.0));
    });
}
