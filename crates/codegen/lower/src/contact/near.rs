//! Which pairs of shapes are near enough to be looked at: those whose boxes overlap, so that cost grows with what is near.
//!
//! Each shape has a box along the axes of the world, wider by how far the shape may come in the time that is looked at. Where there are many pairs,
//! boxes are sorted along one axis and swept; the pairs found are sorted by their numbers, so that nothing depends on how they were found.

use kernel::Type::Integer;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};
use numerics::contact::{FAR, Geometry};

use super::rows::FrameVector;
use super::{Layout, Tables, Touching};

/// Up to so many pairs are all near: to find out would cost more.
const VERY_FEW: usize = 8;
/// Up to so many boxes of pairs are compared one by one.
const FEW: usize = 64;

/// Boxes are wider by this part of their shapes than motion makes them, so that what touches is near whatever rounding leaves.
const MARGIN: f64 = 1e-6;

/// The functions and arrays of what is near.
#[derive(Clone, Copy)]
pub(crate) struct Near {
    /// How much wider than its shape each box is.
    pub wider: ArrayId,
    /// `() -> integer`: how many pairs are near, where the shapes are.
    pub find: FunctionId,
    /// Their numbers, in ascending order.
    pub pairs: ArrayId,
}

/// The boxes: three numbers for each shape.
#[derive(Clone, Copy)]
struct Boxes {
    low: ArrayId,
    high: ArrayId,
}

/// For each shape where its partners with a higher number begin among all, in ascending order, and the pair with each of them.
struct Partners {
    first: ArrayId,
    shape: ArrayId,
    pair: ArrayId,
}

pub(super) fn nearness(module: &mut ModuleBuilder, layout: &Layout, tables: Tables, geometry: Geometry) -> Near {
    let (shapes, count) = (layout.kinds.len(), layout.pairs.len());
    let wider = module.real_array("contact_wider", shapes, "how far each shape may come");
    let boxes = Boxes {
        low: module.real_array("contact_low", 3 * shapes, "least coordinates of the box of each shape"),
        high: module.real_array("contact_high", 3 * shapes, "largest coordinates of the box of each shape"),
    };
    let pairs = module.integer_array("contact_near", count, "pairs that are near");
    let surround = surround(module, shapes, geometry, boxes, wider);
    let find = match count {
        0..=FEW => one_by_one(module, count, tables, boxes, pairs, surround),
        _ => sweep(module, layout, boxes, pairs, surround),
    };
    module.describe(find, "Which pairs of shapes are near.");
    Near { wider, find, pairs }
}

impl Touching {
    /// Goes through the pairs that are near, in ascending order, where the box of each shape is wider by what is given.
    pub fn for_each_near(
        &self,
        f: &mut FunctionBuilder,
        wider: impl FnOnce(&mut FunctionBuilder, LocalId) -> Expression,
        body: impl FnOnce(&mut FunctionBuilder, LocalId),
    ) {
        let near = self.near;
        if self.shape_pairs <= VERY_FEW {
            return f.for_each("pair", 0, self.shape_pairs, body);
        }
        f.for_each("shape", 0, self.shapes, |f, shape| {
            let wider = wider(f, shape);
            f.store(near.wider, shape, wider);
        });
        let count = f.call1(near.find, ());
        f.for_each("k", 0, count, |f, k| {
            let pair = f.integer("pair", near.pairs.at(k));
            body(f, pair);
        });
    }

    /// How far a shape comes in some time, with the twists as they are.
    pub fn how_far(&self, f: &mut FunctionBuilder, shape: LocalId, time: impl Into<Expression>) -> LocalId {
        let frame = f.integer("frame", self.tables.shape_frame.at(shape));
        let velocity = self.of_frame(f, "velocity", FrameVector::Velocity, frame).length(f, "fast");
        let spin = self.of_frame(f, "spin", FrameVector::Spin, frame).length(f, "turning");
        f.real("far", time.into() * (velocity + spin * self.reach.at(shape)) + self.reach.at(shape) * MARGIN)
    }
}

/// `()`: the boxes around all shapes. What lies behind a plane is everywhere.
fn surround(module: &mut ModuleBuilder, shapes: usize, geometry: Geometry, boxes: Boxes, wider: ArrayId) -> FunctionId {
    let surround = module.function("contact_surround", &[], &[], |f| {
        f.for_each("shape", 0, shapes, |f, shape| {
            let bounded = f.integer("bounded", geometry.radius.at(shape).lt(FAR));
            for axis in 0..3 {
                let place = f.integer("place", shape * 3 + axis);
                f.store(boxes.low, place, -FAR);
                f.store(boxes.high, place, FAR);
                f.if_(bounded, |f| {
                    let centre = f.real("centre", geometry.poses.at(shape * 12 + axis));
                    for (side, array) in [(-1.0, boxes.low), (1.0, boxes.high)] {
                        let mut along = [0.0; 3];
                        along[axis as usize] = side;
                        let [x, y, z] = along;
                        let reach = f.call1(geometry.support, (shape, x, y, z));
                        f.store(array, place, centre + (reach + wider.at(shape)) * side);
                    }
                });
            }
        });
    });
    module.describe(surround, "The boxes around all shapes.");
    surround
}

/// Whether two boxes overlap along all axes but perhaps one.
fn overlap(boxes: Boxes, [a, b]: [LocalId; 2], axes: impl Iterator<Item = i64>) -> Expression {
    let along = |axis: i64| {
        let apart = |one: LocalId, other: LocalId| boxes.high.at(one * 3 + axis).lt(boxes.low.at(other * 3 + axis));
        apart(a, b).or(apart(b, a)).logical_not()
    };
    axes.map(along).reduce(|all, next| all.and(next)).expect("at least one axis")
}

/// `() -> integer`: looks at each pair.
fn one_by_one(
    module: &mut ModuleBuilder,
    count: usize,
    tables: Tables,
    boxes: Boxes,
    pairs: ArrayId,
    surround: FunctionId,
) -> FunctionId {
    module.function("contact_nearby", &[], &[Integer], |f| {
        f.call(surround, ());
        let found = f.integer("found", 0);
        f.for_each("pair", 0, count, |f, pair| {
            let shapes = [0, 1].map(|side| f.integer("shape", tables.shape[side].at(pair)));
            f.if_(overlap(boxes, shapes, 0..3), |f| append(f, pairs, found, pair));
        });
        f.return_(found);
    })
}

fn append(f: &mut FunctionBuilder, to: ArrayId, count: LocalId, value: impl Into<Expression>) {
    f.store(to, count, value);
    f.assign(count, count + 1);
}

/// `() -> integer`: sorts the boxes along one axis and goes through them; what is everywhere comes first and meets all others.
fn sweep(
    module: &mut ModuleBuilder,
    layout: &Layout,
    boxes: Boxes,
    pairs: ArrayId,
    surround: FunctionId,
) -> FunctionId {
    let shapes = layout.kinds.len();
    let partners = partners(module, layout, shapes);
    let lookup = lookup(module, &partners);
    let start: Vec<i64> = (0..shapes as i64).collect();
    let order = module.integers("contact_order", &start, "shapes by the least coordinates of their boxes");
    let arrange = arrange(module, shapes, boxes, order);
    let sort = sort(module, pairs, layout.pairs.len());
    module.function("contact_nearby", &[], &[Integer], |f| {
        f.call(surround, ());
        f.call(arrange, ());
        let found = f.integer("found", 0);
        f.for_each("i", 0, shapes, |f, i| {
            let first = f.integer("first", order.at(i));
            let end = f.real("end", boxes.high.at(first * 3 + AXIS));
            f.for_each("j", i + 1, shapes, |f, j| {
                let second = f.integer("second", order.at(j));
                f.if_(boxes.low.at(second * 3 + AXIS).gt(end), |f| f.break_());
                f.if_(overlap(boxes, [first, second], (0..3).filter(|&axis| axis != AXIS)), |f| {
                    let pair = f.call1(lookup, (first, second));
                    f.if_(pair.ge(0), |f| append(f, pairs, found, pair));
                });
            });
        });
        f.call(sort, found);
        f.return_(found);
    })
}

/// Boxes are sorted along this axis.
const AXIS: i64 = 0;

/// `()`: sorts the shapes by the least coordinate of their boxes, then by number. From step to step little changes, and insertion costs little.
fn arrange(module: &mut ModuleBuilder, shapes: usize, boxes: Boxes, order: ArrayId) -> FunctionId {
    let arrange = module.function("contact_arrange", &[], &[], |f| {
        f.for_each("i", 1, shapes, |f, i| {
            let shape = f.integer("shape", order.at(i));
            let low = f.real("low", boxes.low.at(shape * 3 + AXIS));
            let place = f.integer("place", i);
            f.while_(place.gt(0), |f| {
                let before = f.integer("before", order.at(place - 1));
                let other = f.real("other", boxes.low.at(before * 3 + AXIS));
                f.if_(other.lt(low).or(other.eq_(low).and(before.lt(shape))), |f| f.break_());
                f.store(order, place, before);
                f.assign(place, place - 1);
            });
            f.store(order, place, shape);
        });
    });
    module.describe(arrange, "Sorts the boxes along the first axis.");
    arrange
}

fn partners(module: &mut ModuleBuilder, layout: &Layout, shapes: usize) -> Partners {
    let mut rows: Vec<Vec<(i64, i64)>> = vec![Vec::new(); shapes];
    for (at, pair) in layout.pairs.iter().enumerate() {
        let [a, b] = pair.shapes;
        rows[a.min(b)].push((a.max(b) as i64, at as i64));
    }
    rows.iter_mut().for_each(|row| row.sort_unstable());
    let firsts = rows.iter().scan(0, |first, row| {
        let this = *first;
        *first += row.len() as i64;
        Some(this)
    });
    let firsts: Vec<i64> = firsts.chain([layout.pairs.len() as i64]).collect();
    let column = |part: &dyn Fn(&(i64, i64)) -> i64| -> Vec<i64> { rows.iter().flatten().map(part).collect() };
    Partners {
        first: module.integers("contact_partners_first", &firsts, "where the partners of each shape begin"),
        shape: module.integers("contact_partners", &column(&|row| row.0), "shapes that each may touch"),
        pair: module.integers("contact_partner_pairs", &column(&|row| row.1), "the pair that they are"),
    }
}

/// `(first, second) -> integer`: the pair of two shapes, or −1, by halving.
fn lookup(module: &mut ModuleBuilder, partners: &Partners) -> FunctionId {
    let parameters = [("first", Integer), ("second", Integer)];
    let lookup = module.function("contact_pair_of", &parameters, &[Integer], |f| {
        let [a, b] = f.parameters();
        let turned = f.integer("turned", a.gt(b));
        let (lower, higher) = (f.integer("lower", turned.select(b, a)), f.integer("higher", turned.select(a, b)));
        let begin = f.integer("begin", partners.first.at(lower));
        let end = f.integer("end", partners.first.at(lower + 1));
        f.while_(begin.lt(end), |f| {
            let middle = f.integer("middle", (begin + end).shift_right(1));
            let there = f.integer("there", partners.shape.at(middle));
            f.if_(there.eq_(higher), |f| f.return_(partners.pair.at(middle)));
            f.if_else(there.lt(higher), |f| f.assign(begin, middle + 1), |f| f.assign(end, middle));
        });
        f.return_(-1);
    });
    module.describe(lookup, "The pair of two shapes, or -1.");
    lookup
}

/// `(count)`: sorts so many of the pairs, by merging runs of growing length.
fn sort(module: &mut ModuleBuilder, pairs: ArrayId, most: usize) -> FunctionId {
    let merged = module.integer_array("contact_merged", most, "pairs while they are sorted");
    let sort = module.function("contact_sort", &[("count", Integer)], &[], |f| {
        let [count] = f.parameters();
        let run = f.integer("run", 1);
        f.while_(run.lt(count), |f| {
            let begin = f.integer("begin", 0);
            f.while_(begin.lt(count), |f| {
                let least = |f: &mut FunctionBuilder, name: &str, value: Expression| {
                    let value = f.integer(name, value);
                    f.if_(value.gt(count), |f| f.assign(value, count));
                    value
                };
                let middle = least(f, "middle", begin + run);
                let end = least(f, "end", begin + run * 2);
                let (one, other) = (f.integer("one", begin), f.integer("other", middle));
                f.for_each("place", begin, end, |f, place| {
                    let first = f.integer("first", one.lt(middle));
                    f.if_(one.lt(middle).and(other.lt(end)), |f| f.assign(first, pairs.at(one).le(pairs.at(other))));
                    let from = f.integer("from", first.select(one, other));
                    f.store(merged, place, pairs.at(from));
                    f.assign(one, one + first);
                    f.assign(other, other + 1 - first);
                });
                f.assign(begin, end);
            });
            f.for_each("i", 0, count, |f, i| f.store(pairs, i, merged.at(i)));
            f.assign(run, run * 2);
        });
    });
    module.describe(sort, "Sorts the pairs that are near.");
    sort
}
