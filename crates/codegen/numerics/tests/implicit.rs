//! Implicit integration: stiff problems with published solutions, algebraic unknowns, order, dense output, failures.

#![allow(clippy::disallowed_methods, reason = "what is compared with a tolerance may come from the platform")]

mod bench;

use bench::{Bench, on_every_machine};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};
use numerics::{
    ImplicitPattern, ImplicitProblem, Integrator, IntegratorArrays, IntegratorProblem, Method, implicit_integrator,
};

/// A system: what each row gives, the derivatives by its unknowns, and by time where that is not zero.
struct Rows {
    slopes: Vec<Expression>,
    jacobian: Vec<(usize, usize, Expression)>,
    time_slopes: Vec<(usize, Expression)>,
}

type System = fn(&mut FunctionBuilder, LocalId, &[Expression]) -> Rows;

#[derive(Clone, Copy)]
struct Subject {
    arrays: IntegratorArrays,
    functions: Integrator,
}

/// Everything here holds for both.
const METHODS: [Method; 2] = [Method::Rodas5P, Method::Radau13];

/// Adds an integrator of a system whose first components are differential.
fn add(
    module: &mut ModuleBuilder,
    method: Method,
    n: usize,
    differential: usize,
    system: System,
    hook: impl FnOnce(&mut ModuleBuilder, &IntegratorArrays) -> Option<FunctionId>,
) -> Subject {
    let arrays = IntegratorArrays::declare(module, "test", n, method);
    let stage: Vec<Expression> = (0..n).map(|i| arrays.stage.at(i)).collect();
    let derivative = module.function("derivative", &[("t", Real), ("offset", Integer)], &[Integer], |f| {
        let [t, offset] = f.parameters();
        for (i, slope) in system(f, t, &stage).slopes.into_iter().enumerate() {
            f.store(arrays.slopes, offset + i, slope);
        }
        f.return_(0);
    });
    let time_slopes = module.real_array("time_slopes", n, "");
    let mut entries = Vec::new();
    let mut jacobian = None;
    let evaluate_jacobian = module.declare("evaluate_jacobian", &[("t", Real)], &[Integer]);
    module.define(evaluate_jacobian, |f| {
        let [t] = f.parameters();
        let rows = system(f, t, &stage);
        let array = *jacobian.insert(f.module().real_array("jacobian", rows.jacobian.len(), ""));
        for (at, (row, column, slope)) in rows.jacobian.into_iter().enumerate() {
            entries.push((row, column));
            f.store(array, at, slope);
        }
        for (i, slope) in rows.time_slopes {
            f.store(time_slopes, i, slope);
        }
        f.return_(0);
    });
    let jacobian = jacobian.expect("declared on the way");
    let strengths = vec![1.0; entries.len()];
    let pattern = ImplicitPattern::new((0..n).map(|i| i < differential).collect(), entries, &strengths).unwrap();
    let after_step = hook(module, &arrays);
    let steps = IntegratorProblem {
        name: "test",
        derivative,
        after_step,
        constraints: None,
        groups: (0..n).collect(),
        rate_of: vec![None; n],
    };
    let problem = ImplicitProblem { steps, pattern: &pattern, evaluate_jacobian, jacobian, time_slopes };
    Subject { arrays, functions: implicit_integrator(module, &arrays, &problem) }
}

fn run<R>(
    method: Method,
    n: usize,
    differential: usize,
    system: System,
    scenario: impl Fn(&mut Bench, Subject) -> R,
) -> R {
    let mut module = ModuleBuilder::new("implicit");
    let subject = add(&mut module, method, n, differential, system, |_, _| None);
    on_every_machine(module, |bench| scenario(bench, subject))
}

fn run_each(n: usize, differential: usize, system: System, scenario: impl Fn(&mut Bench, Subject)) {
    METHODS.into_iter().for_each(|method| run(method, n, differential, system, &scenario));
}

impl Subject {
    #[track_caller]
    fn start(&self, bench: &mut Bench, state: &[f64], tolerance: f64) {
        bench.set(self.arrays.state, state);
        bench.set(self.arrays.tolerance, &[tolerance]);
        assert_eq!(bench.call(self.functions.start, [0.0.into()]), Integrator::REACHED);
    }

    fn advance(&self, bench: &mut Bench, target: f64) -> i64 {
        bench.call(self.functions.advance, [target.into(), 100_000.into()])
    }

    #[track_caller]
    fn reach(&self, bench: &mut Bench, target: f64) -> Vec<f64> {
        bench.set(self.arrays.horizon, &[target]);
        assert_eq!(self.advance(bench, target), Integrator::REACHED);
        assert_eq!(bench.real(self.arrays.time), target);
        bench.reals(self.arrays.state)
    }

    fn counters(&self, bench: &Bench) -> Vec<i64> {
        bench.integers(self.arrays.counters)
    }
}

/// The state at a time, and how many steps it took, by each method.
fn solve(
    n: usize,
    differential: usize,
    system: System,
    start: &[f64],
    tolerance: f64,
    until: f64,
) -> [(Vec<f64>, i64); 2] {
    METHODS.map(|method| {
        run(method, n, differential, system, |bench, subject| {
            subject.start(bench, start, tolerance);
            let state = subject.reach(bench, until);
            let counters = subject.counters(bench);
            (state, counters[IntegratorArrays::ACCEPTED])
        })
    })
}

#[track_caller]
fn assert_close(found: &[f64], wanted: &[f64], scales: &[f64], tolerance: f64) {
    let ratio = found.iter().zip(wanted).zip(scales).map(|((a, b), scale)| ((a - b) / scale).abs()).fold(0.0, f64::max);
    assert!(ratio <= tolerance, "{found:?} is not {wanted:?} within {tolerance}: {ratio:e}");
}

fn van_der_pol(mu: f64, y: &[Expression]) -> Rows {
    let [x, v] = [&y[0], &y[1]];
    Rows {
        slopes: vec![v.clone(), mu * (1.0 - x * x) * v - x],
        jacobian: vec![(0, 1, 1.0.into()), (1, 0, -2.0 * mu * (x * v) - 1.0), (1, 1, mu * (1.0 - x * x))],
        time_slopes: vec![],
    }
}

/// Hairer and Wanner, section IV.10, in the original time: y(2000) for µ = 1000.
#[test]
fn van_der_pol_relaxes() {
    let wanted = [1.706167732170469, -0.8928097010248125e-3];
    for tolerance in [1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        let system: System = |_, _, y| van_der_pol(1e3, y);
        for (state, steps) in solve(2, 2, system, &[2.0, 0.0], tolerance, 2000.0) {
            // The time of the jump, and not the state, carries the error.
            assert_close(&state, &wanted, &[1.0, 1e-3], 300.0 * tolerance);
            assert!(steps < 30_000);
        }
    }
}

/// Between jumps, log x − x²/2 grows like t / µ, up to terms of the order 1 / µ².
#[test]
fn van_der_pol_is_stiffer_still() {
    let system: System = |_, _, y| van_der_pol(1e6, y);
    for tolerance in [1e-3, 1e-6, 1e-9, 1e-12] {
        for (state, steps) in solve(2, 2, system, &[2.0, 0.0], tolerance, 5e5) {
            let x = state[0];
            let growth = libm::log(x / 2.0) - (x * x - 4.0) / 2.0;
            assert!((growth - 0.5).abs() < 10.0 * tolerance.max(1e-12), "{growth}");
            assert!(steps < 3000);
        }
    }
}

fn hires(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Rows {
    let y = |i: usize| y[i - 1].clone();
    let reaction = 280.0 * (y(6) * y(8));
    let linear: [&[(usize, f64)]; 8] = [
        &[(1, -1.71), (2, 0.43), (3, 8.32)],
        &[(1, 1.71), (2, -8.75)],
        &[(3, -10.03), (4, 0.43), (5, 0.035)],
        &[(2, 8.32), (3, 1.71), (4, -1.12)],
        &[(5, -1.745), (6, 0.43), (7, 0.43)],
        &[(4, 0.69), (5, 1.71), (6, -0.43), (7, 0.69), (8, 0.0)],
        &[(6, 0.0), (7, -1.81), (8, 0.0)],
        &[(6, 0.0), (7, 1.81), (8, 0.0)],
    ];
    let reacts = [0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 1.0, -1.0];
    let constant = [0.0007, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut rows = Rows { slopes: vec![], jacobian: vec![], time_slopes: vec![] };
    for (row, terms) in linear.into_iter().enumerate() {
        let start = constant[row] + reacts[row] * reaction.clone();
        rows.slopes.push(terms.iter().fold(start, |sum, &(i, c)| sum + c * y(i)));
        for &(i, c) in terms {
            let other = match i {
                6 => 280.0 * reacts[row] * y(8),
                8 => 280.0 * reacts[row] * y(6),
                _ => 0.0.into(),
            };
            rows.jacobian.push((row, i - 1, other + c));
        }
    }
    rows
}

#[test]
fn hires_agrees_with_the_published_solution() {
    let start = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057];
    let wanted = [
        0.7371312573325668e-3,
        0.1442485726316185e-3,
        0.5888729740967575e-4,
        0.1175651343283149e-2,
        0.2386356198831331e-2,
        0.6238968252742796e-2,
        0.2849998395185769e-2,
        0.2850001604814231e-2,
    ];
    for tolerance in [1e-3, 1e-6, 1e-9, 1e-12] {
        for (state, steps) in solve(8, 8, hires, &start, tolerance, 321.8122) {
            assert_close(&state, &wanted, &[1.0; 8], 10.0 * tolerance);
            assert!(steps < 15_000);
        }
    }
}

fn robertson(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Rows {
    let [a, b, c] = [&y[0], &y[1], &y[2]];
    let (k1, k2, k3) = (0.04, 3e7, 1e4);
    let first = -k1 * a.clone() + k3 * (b * c);
    let third = k2 * (b * b);
    Rows {
        slopes: vec![first.clone(), -first - third.clone(), third],
        jacobian: vec![
            (0, 0, (-k1).into()),
            (0, 1, k3 * c.clone()),
            (0, 2, k3 * b.clone()),
            (1, 0, k1.into()),
            (1, 1, -k3 * c.clone() - 2.0 * k2 * b.clone()),
            (1, 2, -k3 * b.clone()),
            (2, 1, 2.0 * k2 * b.clone()),
        ],
        time_slopes: vec![],
    }
}

/// The last equation says that nothing is lost.
fn robertson_with_balance(f: &mut FunctionBuilder, t: LocalId, y: &[Expression]) -> Rows {
    let mut rows = robertson(f, t, y);
    rows.slopes[2] = &y[0] + &y[1] + &y[2] - 1.0;
    rows.jacobian.retain(|&(row, _, _)| row < 2);
    rows.jacobian.extend((0..3).map(|column| (2, column, 1.0.into())));
    rows
}

#[test]
fn robertson_agrees_with_the_published_solution_in_both_forms() {
    let wanted = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505];
    for (differential, system) in [(3, robertson as System), (2, robertson_with_balance as System)] {
        for tolerance in [1e-4, 1e-6, 1e-9, 1e-11] {
            // Of the algebraic component only a guess is given.
            let guess = if differential == 3 { 0.0 } else { 0.3 };
            for (state, steps) in solve(3, differential, system, &[1.0, 0.0, guess], tolerance, 1e11) {
                assert_close(&state, &wanted, &[1.0, 3.6e-5, 1.0], 10.0 * tolerance);
                assert!(steps < 20_000);
            }
        }
    }
}

fn oregonator(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Rows {
    let [a, b, c] = [&y[0], &y[1], &y[2]];
    let (s, q, w) = (77.27, 8.375e-6, 0.161);
    Rows {
        slopes: vec![s * (b + a * (1.0 - q * a.clone() - b)), (c - (1.0 + a.clone()) * b) / s, w * (a - c)],
        jacobian: vec![
            (0, 0, s * (1.0 - 2.0 * q * a.clone() - b)),
            (0, 1, s * (1.0 - a.clone())),
            (1, 0, -b / s),
            (1, 1, -(1.0 + a.clone()) / s),
            (1, 2, (1.0 / s).into()),
            (2, 0, w.into()),
            (2, 2, (-w).into()),
        ],
        time_slopes: vec![],
    }
}

#[test]
fn the_oregonator_agrees_with_the_published_solution() {
    let wanted = [1.000814870318523, 1228.178521549917, 132.0554942846706];
    for tolerance in [1e-5, 1e-8, 1e-11] {
        for (state, _) in solve(3, 3, oregonator, &[1.0, 2.0, 3.0], tolerance, 360.0) {
            assert_close(&state, &wanted, &[1e5, 1e3, 1e4], 1000.0 * tolerance);
        }
    }
}

/// y′ = −y² with y = 1 / (1 + t), driven off and on again by a term that depends on time alone: with fixed steps.
fn driven(_: &mut FunctionBuilder, t: LocalId, y: &[Expression]) -> Rows {
    let exact = 1.0 / (1.0 + t);
    let force = t * t * (y[0].clone() - exact.clone());
    Rows {
        slopes: vec![-(&y[0] * &y[0]) + force.clone()],
        jacobian: vec![(0, 0, -2.0 * y[0].clone() + t * t)],
        time_slopes: vec![(0, 2.0 * t * (y[0].clone() - exact.clone()) + t * t * (exact.clone() * exact))],
    }
}

/// The largest errors at the ends of steps and between them, with steps of a given length.
fn errors_with_steps(method: Method, h: f64) -> (f64, f64) {
    run(method, 1, 1, driven, |bench, subject| {
        bench.set(subject.arrays.longest_step, &[h]);
        // So that nothing but the length limits the step, yet iterations are not ended early.
        subject.start(bench, &[1.0], 1e-4);
        bench.set(subject.arrays.horizon, &[2.0]);
        let (mut at_ends, mut between) = (0.0_f64, 0.0_f64);
        while bench.real(subject.arrays.time) < 2.0 {
            let before = bench.real(subject.arrays.time);
            assert!(bench.call(subject.functions.advance, [2.0.into(), 1.into()]) <= Integrator::LIMIT);
            let after = bench.real(subject.arrays.time);
            at_ends = at_ends.max((bench.real(subject.arrays.state) - 1.0 / (1.0 + after)).abs());
            for part in [0.2, 0.5, 0.7] {
                let t = before + part * (after - before);
                assert_eq!(bench.call(subject.functions.sample, [t.into()]), Integrator::REACHED);
                between = between.max((bench.real(subject.arrays.sampled) - 1.0 / (1.0 + t)).abs());
            }
        }
        (at_ends, between)
    })
}

#[test]
fn errors_shrink_with_the_power_of_the_order() {
    for (method, steps, at_ends, between) in
        [(Method::Rodas5P, [0.05, 0.025], 4.7, 3.7), (Method::Radau13, [0.5, 0.4], 12.0, 6.5)]
    {
        let [coarse, fine] = steps.map(|h| errors_with_steps(method, h));
        let orders = [coarse.0 / fine.0, coarse.1 / fine.1].map(|ratio| ratio.log(steps[0] / steps[1]));
        assert!(orders[0] > at_ends, "{method:?}: order {} of the step", orders[0]);
        assert!(orders[1] > between, "{method:?}: order {} between steps", orders[1]);
    }
}

/// x′ = −z with z (1 + sin t) = x cos t has the solution x = 1 / (1 + sin t); the sine and the cosine are
/// components of their own.
fn driven_circle(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Rows {
    let [s, c, x, z] = [&y[0], &y[1], &y[2], &y[3]];
    Rows {
        slopes: vec![c.clone(), -s, -z, z * (1.0 + s.clone()) - x * c],
        jacobian: vec![
            (0, 1, 1.0.into()),
            (1, 0, (-1.0).into()),
            (2, 3, (-1.0).into()),
            (3, 0, z.clone()),
            (3, 1, -x),
            (3, 2, -c),
            (3, 3, 1.0 + s.clone()),
        ],
        time_slopes: vec![],
    }
}

#[test]
fn algebraic_unknowns_follow_between_steps_too() {
    run_each(4, 3, driven_circle, |bench, subject| {
        subject.start(bench, &[0.0, 1.0, 1.0, -7.0], 1e-9);
        assert!((bench.reals(subject.arrays.state)[3] - 1.0).abs() < 1e-9);
        let mut t = 0.0;
        while t < 3.0 {
            t += 0.01;
            assert_eq!(subject.advance(bench, t), Integrator::REACHED);
            assert_eq!(bench.call(subject.functions.sample, [t.into()]), Integrator::REACHED);
            let [sine, cosine] = [libm::sin(t), libm::cos(t)];
            let x = 1.0 / (1.0 + sine);
            let found = bench.reals(subject.arrays.sampled);
            for (found, wanted) in found.iter().zip([sine, cosine, x, x * cosine / (1.0 + sine)]) {
                assert!((found - wanted).abs() < 3e-7, "{found} is not {wanted} at {t}");
            }
        }
    });
}

/// z enters its own equation with a factor that passes through zero at t = 1: from there on nothing determines z.
#[test]
fn an_equation_that_loses_its_unknown_is_named() {
    fn system(_: &mut FunctionBuilder, t: LocalId, y: &[Expression]) -> Rows {
        let left = (1.0 - t).max(0.0);
        Rows {
            slopes: vec![y[1].clone(), left.clone() * &y[1]],
            jacobian: vec![(0, 1, 1.0.into()), (1, 1, left)],
            time_slopes: vec![(1, -&y[1])],
        }
    }
    run_each(2, 1, system, |bench, subject| {
        bench.set(subject.arrays.longest_step, &[0.1]);
        subject.start(bench, &[1.0, 0.5], 1e-6);
        assert_eq!(subject.advance(bench, 2.0), Integrator::SINGULAR);
        assert_eq!(bench.integer(subject.arrays.failure_component), 1);
        assert!(bench.real(subject.arrays.failure_time) > 0.9);
    });
}

#[test]
fn a_start_that_cannot_be_is_named() {
    fn system(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Rows {
        Rows {
            slopes: vec![y[2].clone(), &y[1] - &y[0], &y[2] * &y[2] + 1.0],
            jacobian: vec![(0, 2, 1.0.into()), (1, 0, (-1.0).into()), (1, 1, 1.0.into()), (2, 2, 2.0 * y[2].clone())],
            time_slopes: vec![],
        }
    }
    run_each(3, 1, system, |bench, subject| {
        bench.set(subject.arrays.state, &[1.0, 0.0, 3.0]);
        assert_eq!(bench.call(subject.functions.start, [0.0.into()]), Integrator::INCONSISTENT);
        assert_eq!(bench.integer(subject.arrays.failure_component), 2);
    });
}

/// A root far from the guess, where whole corrections overshoot: z / (1 + |z|) = 1/2, which is flat far out.
#[test]
fn corrections_are_shortened_where_they_overshoot() {
    fn system(f: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Rows {
        let below = f.real("below", 1.0 + y[1].clone().abs());
        Rows {
            slopes: vec![-&y[0], &y[1] / below - 0.5],
            jacobian: vec![(0, 0, (-1.0).into()), (1, 1, 1.0 / (below * below))],
            time_slopes: vec![],
        }
    }
    run_each(2, 1, system, |bench, subject| {
        subject.start(bench, &[1.0, -100.0], 1e-9);
        assert!((bench.reals(subject.arrays.state)[1] - 1.0).abs() < 1e-9);
    });
}

/// The end of a finite life: y′ = y² from 1 has no value at t = 1.
#[test]
fn a_singularity_collapses_the_step() {
    fn system(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Rows {
        Rows { slopes: vec![&y[0] * &y[0]], jacobian: vec![(0, 0, 2.0 * y[0].clone())], time_slopes: vec![] }
    }
    run_each(1, 1, system, |bench, subject| {
        subject.start(bench, &[1.0], 1e-8);
        assert_eq!(subject.advance(bench, 2.0), Integrator::COLLAPSED);
        assert!((bench.real(subject.arrays.failure_time) - 1.0).abs() < 1e-6);
        bench.clear();
    });
}

/// A hook moves the state back onto a circle after each step, and the integration goes on from there.
#[test]
fn a_projection_keeps_the_circle() {
    fn circle(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Rows {
        Rows {
            slopes: vec![y[1].clone(), -&y[0]],
            jacobian: vec![(0, 1, 1.0.into()), (1, 0, (-1.0).into())],
            time_slopes: vec![],
        }
    }
    for method in METHODS {
        let mut module = ModuleBuilder::new("projected");
        let subject = add(&mut module, method, 2, 2, circle, |module, arrays| {
            let state = arrays.state;
            Some(module.function("project", &[("t", Real)], &[Integer], |f| {
                let radius = f.real("radius", (state.at(0) * state.at(0) + state.at(1) * state.at(1)).sqrt());
                f.store(state, 0, state.at(0) / radius);
                f.store(state, 1, state.at(1) / radius);
                f.return_(-1);
            }))
        });
        on_every_machine(module, |bench| {
            subject.start(bench, &[1.0, 0.0], 1e-4);
            let state = subject.reach(bench, 50.0);
            assert!((state[0].hypot(state[1]) - 1.0).abs() < 1e-15);
        });
    }
}
