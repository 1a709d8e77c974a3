//! Curves of the picture: many points each, one after the other.

use kernel::Type::{Integer, Real};
use kernel::{Expression, Term, protocol};

use crate::integral::LoweredIntegral;
use crate::lower::{Body, Lowering};

impl Lowering<'_> {
    /// The entry point that fills `curve_points` from the sampled state.
    pub fn curves(&mut self, integrals: &[LoweredIntegral]) {
        let program = self.program;
        let numbers = 3 * protocol::CURVE_POINTS;
        let points =
            self.module.real_array(protocol::CURVE_VALUES, numbers * program.curves.len(), "x, y, z of each point");
        let function = self.module.declare(protocol::CURVES, &[("t", Real)], &[Integer]);
        self.module.describe(function, "The points of every curve, evenly spread over its parameter.");
        self.define(function, |body| {
            let [t] = body.f.parameters();
            for (at, curve) in program.curves.iter().enumerate() {
                let mut scope = body.lowering.sampled_scope(t, program, integrals);
                body.bindings(&curve.function, &mut scope, &Expression::from(t));
                let ends = body.emit(&curve.function.results[..2], &mut scope);
                let [from, to] = [0, 1].map(|end| body.f.bind("end", ends[end].clone()));
                let lowering = &mut *body.lowering;
                body.f.for_each("i", 0, protocol::CURVE_POINTS, |f, i| {
                    let part = i.to_real() / (protocol::CURVE_POINTS - 1) as f64;
                    let parameter = f.bind("parameter", from + (to - from) * part);
                    scope.bind(curve.parameter, Expression::from(parameter));
                    let mut inside = Body { lowering: &mut *lowering, f };
                    let point = inside.emit(&curve.function.results[2..], &mut scope);
                    for (axis, value) in point.into_iter().enumerate() {
                        f.store(points, i * 3 + (at * numbers + axis), value);
                    }
                });
            }
            body.f.return_(protocol::DONE);
        });
    }
}
