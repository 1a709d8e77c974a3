//! Islands: points that answer to one another's forces, through bodies, joints and other points. Each is a problem of its own, so that cost grows
//! with what hangs together and not with everything that touches.

use kernel::Type::Integer;
use kernel::{FunctionId, Term};

use super::Touching;
use crate::lower::Lowering;

#[derive(Clone, Copy)]
pub(crate) struct Islands {
    /// `(count) -> integer`: numbers the islands of those among so many points whose `island` is not negative; how many there are.
    pub find: FunctionId,
    /// `(island, count) -> integer`: chooses the points of one; how many.
    pub choose: FunctionId,
}

impl<'p> Lowering<'p> {
    pub fn contact_islands(&mut self, touching: &Touching) -> Islands {
        let (arrays, capacity) = (touching.arrays, touching.capacity);
        let stride = 3 * capacity as i64;
        let waiting = self.module.integer_array("contact_waiting", capacity, "points whose neighbours are to be found");
        const UNNUMBERED: i64 = 1 << 32;
        let find = self.module.function("contact_islands", &[("count", Integer)], &[Integer], |f| {
            let [count] = f.parameters();
            let number = f.integer("number", 0);
            f.for_each("i", 0, count, |f, i| {
                f.if_(arrays.island.at(i).ge(0), |f| f.store(arrays.island, i, UNNUMBERED));
            });
            f.for_each("first", 0, count, |f, first| {
                f.if_(arrays.island.at(first).eq_(UNNUMBERED), |f| {
                    f.store(arrays.island, first, number);
                    f.store(waiting, 0, first);
                    let (next, end) = (f.integer("next", 0), f.integer("end", 1));
                    f.while_(next.lt(end), |f| {
                        let i = f.integer("i", waiting.at(next));
                        f.assign(next, next + 1);
                        f.for_each("j", 0, count, |f, j| {
                            f.if_(arrays.island.at(j).eq_(UNNUMBERED), |f| {
                                let answers = f.real("answers", 0.0);
                                f.for_each("row", 0, 3, |f, row| {
                                    f.for_each("column", 0, 3, |f, column| {
                                        let answer = arrays.matrix.at((i * 3 + row) * stride + j * 3 + column);
                                        f.increase(answers, answer.abs());
                                    });
                                });
                                f.if_(answers.gt(0.0), |f| {
                                    f.store(arrays.island, j, number);
                                    f.store(waiting, end, j);
                                    f.assign(end, end + 1);
                                });
                            });
                        });
                    });
                    f.assign(number, number + 1);
                });
            });
            f.return_(number);
        });
        self.module.describe(find, "Numbers the islands of points that answer to one another.");
        let parameters = [("island", Integer), ("count", Integer)];
        let choose = self.module.function("contact_choose", &parameters, &[Integer], |f| {
            let [island, count] = f.parameters();
            let chosen = f.integer("number", 0);
            f.for_each("i", 0, count, |f, i| {
                f.if_(arrays.island.at(i).eq_(island), |f| {
                    f.store(arrays.chosen, chosen, i);
                    f.assign(chosen, chosen + 1);
                });
            });
            f.return_(chosen);
        });
        self.module.describe(choose, "Chooses the points of an island.");
        Islands { find, choose }
    }
}
