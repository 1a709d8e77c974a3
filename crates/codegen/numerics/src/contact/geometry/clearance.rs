//! The certificate that two shapes stay apart: a direction that separates them for a while.
//!
//! A point r of a body is at the height n·(c + r + τ(v + ω×r)) = n·c + τ n·v + (n + τ n×ω)·r after the time τ, if the motion goes on as it is. So the
//! support function of the turned direction is exact for linear motion, and what bends it is bounded by the caller.

use super::{
    ShapeKind,
    place::{axis_z, centre},
    tables::Tables,
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, FunctionId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Directions are fixed in the world, or turn with the first or the second shape of a pair.
pub const WITH_FIRST: i64 = 1;
pub const WITH_SECOND: i64 = 2;

pub fn clearance(module: &mut ModuleBuilder, tables: &Tables, support: FunctionId) -> FunctionId {
    let parameters = [
        ("pair", Integer),
        ("n_x", Real),
        ("n_y", Real),
        ("n_z", Real),
        ("tau", Real),
        ("bend", Real),
        ("with", Integer),
    ];
    let clearance = module.declare("contact_clearance", &parameters, &[Real]);
    module.describe(clearance, "No more than the distance of two shapes along a direction after a time.");
    module.define(clearance, |f| {
        let [pair, x, y, z, tau, bend, with] = f.parameters();
        let [a, b] = tables.shapes(pair).map(|shape| f.integer("shape", shape).get());
        let lost = (bend * tau * tau * 0.5).keep(f, "lost");
        f.if_(tables.kinds.at(&a).eq_(ShapeKind::HalfSpace as usize), |f| {
            let n = axis_z(f, "normal", tables, &a).times(tables.side.at(pair)).keep(f, "n");
            let height = over_plane(f, tables, support, (&a, &b), &n, tau.get());
            f.return_(height - lost.clone());
        });
        let order = f.real("order", tables.order.at(pair));
        let n = Plain::of(&[x, y, z]).times(order).keep(f, "n");
        let [c_a, v_a, w_a] = motion(f, tables, &a);
        let [c_b, v_b, w_b] = motion(f, tables, &b);
        f.note("How the direction turns: the order of the caller may be the opposite one.");
        let [first, second] = [(WITH_FIRST, WITH_SECOND), (WITH_SECOND, WITH_FIRST)].map(|(same, opposite)| {
            let turns = order.gt(0.0).select(with.eq_(same), with.eq_(opposite));
            f.real("turns", turns.to_real())
        });
        let w = (w_a.times(first) + w_b.times(second)).keep(f, "w_n");
        let way = (c_b - c_a).keep(f, "way");
        let along = n.dot(&way) + n.dot(&(v_b - v_a - w.cross(&way))) * tau;
        let m_a = n.clone() + n.cross(&(w_a - w.clone())).times(tau);
        let m_b = n.clone() + n.cross(&(w_b - w)).times(tau);
        let h_a = f.call1(support, m_a.after([a]));
        let h_b = f.call1(support, (-m_b).after([b]));
        f.return_(along - h_a - h_b - lost);
    });
    clearance
}

/// The height over the plane of a half-space, in whose frame the other shape moves.
fn over_plane(
    f: &mut FunctionBuilder,
    tables: &Tables,
    support: FunctionId,
    (plane, shape): (&Expression, &Expression),
    n: &Plain,
    tau: Expression,
) -> Expression {
    let [q, v_a, w_a] = motion(f, tables, plane);
    let [c, v, w] = motion(f, tables, shape);
    let arm = (c - q).keep(f, "arm");
    let rate = n.dot(&(v - v_a - w_a.cross(&arm)));
    let m = n.clone() + n.cross(&(w - w_a)).times(&tau);
    let reach = f.call1(support, (-m).after([shape.clone()]));
    n.dot(&arm) + rate * tau - reach
}

/// Centre of a shape, the velocity of its frame there, and the angular velocity.
pub fn motion(f: &mut FunctionBuilder, tables: &Tables, shape: &Expression) -> [Plain; 3] {
    let frame = f.integer("frame", tables.frames.at(shape));
    let c = centre(f, "c", tables, shape);
    let arm = (c.clone() - Plain::load(f, "o", tables.bodies.pose, frame * 12)).keep(f, "arm");
    let w = Plain::load(f, "w", tables.bodies.twist, frame * 6 + 3);
    let v = Plain::load(f, "v", tables.bodies.twist, frame * 6) + w.cross(&arm);
    [c, v.keep(f, "velocity"), w]
}
