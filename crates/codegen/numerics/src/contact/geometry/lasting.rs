//! The axis of two polytopes that are a little inside of one another, as steps of a fixed length leave them.
//!
//! There no axis is better than others for good: which separates most changes with every step, and points that come and go bear nothing. So a face is
//! preferred to edges, and a face of the first to one of the second, unless the other is better by more than such steps leave.

use super::axes::{Axis, EDGES, FACE_OF_SECOND, Sought};
use super::{
    FAR,
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, FunctionId, Term};

impl Sought<'_> {
    /// Writes the choice, where an axis has to be better than those before it by a part of the smaller shape. `supporting` finds the edge of a
    /// direction that is farthest along another.
    pub fn choose_lasting(&self, f: &mut FunctionBuilder, supporting: FunctionId, slop: f64) {
        let slop = (self.smaller(f) * slop).keep(f, "slop");
        // Of each kind of axis the best: its separation, what it belongs to, and itself.
        let best = [0, 1, 2].map(|_| f.real("best", -FAR));
        let of = [0, 1, 2].map(|_| [0, 0].map(|entry| f.integer("of", entry)));
        let along = [0, 1, 2].map(|_| [0.0, 0.0, 1.0].map(|entry| f.real("along", entry)));
        self.for_each(f, |f, Axis { kind, i, j, n, s }| {
            f.if_(s.gt(best[kind]), |f| {
                f.assign(best[kind], s);
                of[kind].iter().zip([i, j]).for_each(|(&entry, value)| f.assign(entry, value));
                along[kind].iter().zip(n.0).for_each(|(&entry, value)| f.assign(entry, value));
            });
        });
        let give = |f: &mut FunctionBuilder, kind: usize, [i, j]: [Expression; 2]| {
            let numbers = [Expression::from(kind), i, j].into_iter();
            f.return_(numbers.chain(along[kind].iter().map(|entry| entry.get())).collect::<Vec<_>>());
        };
        let faces = best[0].max(best[FACE_OF_SECOND]);
        f.if_(best[EDGES].gt(faces + slop.clone()), |f| {
            let n = Plain::of(&along[EDGES]);
            let [i, j] = of[EDGES].map(Term::get);
            let i = f.call1(supporting, n.after([self.a.clone(), i])).get();
            let j = f.call1(supporting, (-n.clone()).after([self.b.clone(), j])).get();
            give(f, EDGES, [i, j]);
        });
        f.if_(best[FACE_OF_SECOND].gt(best[0] + slop), |f| {
            give(f, FACE_OF_SECOND, of[FACE_OF_SECOND].map(Term::get));
        });
        give(f, 0, of[0].map(Term::get));
    }
}
