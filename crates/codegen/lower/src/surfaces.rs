//! Surfaces of the picture: what is zero on each, at the points of a grid.

use kernel::Type::{Integer, Real};
use kernel::{Expression, Term, protocol};

use crate::integral::LoweredIntegral;
use crate::lower::{Body, Lowering};

/// Points along each edge of the cube.
const EDGE: usize = protocol::SURFACE_POINTS;

impl Lowering<'_> {
    /// The entry point that fills `surface_values` from the sampled state.
    pub fn surfaces(&mut self, integrals: &[LoweredIntegral]) {
        let program = self.program;
        let numbers = EDGE * EDGE * EDGE;
        let note = "zero on a surface, at the points of a grid";
        let values = self.module.real_array(protocol::SURFACE_VALUES, numbers * program.surfaces.len(), note);
        let function = self.module.declare(protocol::SURFACES, &[("t", Real)], &[Integer]);
        self.module.describe(function, "What is zero on each surface, over a cube around the origin of its frame.");
        self.define(function, |body| {
            let [t] = body.f.parameters();
            for (at, surface) in program.surfaces.iter().enumerate() {
                let mut scope = body.lowering.sampled_scope(t, program, integrals);
                body.bindings(&surface.function, &mut scope, &Expression::from(t));
                let size = body.emit(&surface.function.results[..1], &mut scope).swap_remove(0);
                let size = body.f.bind("size", size);
                let lowering = &mut *body.lowering;
                let along = |place: kernel::LocalId| size * (place.to_real() / (EDGE - 1) as f64 - 0.5);
                body.f.for_each("i", 0, EDGE, |f, i| {
                    f.for_each("j", 0, EDGE, |f, j| {
                        f.for_each("k", 0, EDGE, |f, k| {
                            for (symbol, place) in surface.coordinates.into_iter().zip([i, j, k]) {
                                let along = f.bind("along", along(place));
                                scope.bind(symbol, Expression::from(along));
                            }
                            let mut inside = Body { lowering: &mut *lowering, f };
                            let value = inside.emit(&surface.function.results[1..], &mut scope).swap_remove(0);
                            f.store(values, (i * EDGE + j) * EDGE + (k + at * numbers), value);
                        });
                    });
                });
            }
            body.f.return_(protocol::DONE);
        });
    }
}
