//! Runge–Kutta integration: closed forms, orders of convergence, dense output, horizons, failures, projections.

#![allow(clippy::disallowed_methods, reason = "what is compared with a tolerance may come from the platform")]

mod bench;

use bench::{Bench, on_every_machine};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};
use numerics::{Integrator, IntegratorArrays, IntegratorProblem, Method, integrator};
use proptest::prelude::*;

const METHODS: [Method; 2] = [Method::DormandPrince5, Method::DormandPrince8];

/// An integrator under test.
#[derive(Clone, Copy)]
struct Subject {
    arrays: IntegratorArrays,
    functions: Integrator,
}

/// A right-hand side: from t and the components to their derivatives. It returns for itself only to refuse.
type Derivative = fn(&mut FunctionBuilder, LocalId, &[Expression]) -> Vec<Expression>;

/// Adds an integrator of n components, all of one dimension.
fn add(module: &mut ModuleBuilder, method: Method, n: usize, derivative: Derivative) -> Subject {
    add_with_hook(module, method, n, derivative, |_, _| None)
}

fn add_with_hook(
    module: &mut ModuleBuilder,
    method: Method,
    n: usize,
    derivative: Derivative,
    hook: impl FnOnce(&mut ModuleBuilder, &IntegratorArrays) -> Option<FunctionId>,
) -> Subject {
    let arrays = IntegratorArrays::declare(module, "test", n, method);
    let slope = module.function("derivative", &[("t", Real), ("offset", Integer)], &[Integer], |f| {
        let [t, offset] = f.parameters();
        let stage: Vec<Expression> = (0..n).map(|i| arrays.stage.at(i)).collect();
        for (i, slope) in derivative(f, t, &stage).into_iter().enumerate() {
            f.store(arrays.slopes, offset + i, slope);
        }
        f.return_(0);
    });
    let after_step = hook(module, &arrays);
    let problem = IntegratorProblem {
        name: "test",
        derivative: slope,
        after_step,
        constraints: None,
        groups: vec![0; n],
        rate_of: vec![None; n],
    };
    Subject { arrays, functions: integrator(module, &arrays, &problem) }
}

/// Runs the scenario on an integrator, on every machine.
fn run<R>(method: Method, n: usize, derivative: Derivative, scenario: impl Fn(&mut Bench, Subject) -> R) -> R {
    let mut module = ModuleBuilder::new("runge_kutta");
    let subject = add(&mut module, method, n, derivative);
    on_every_machine(module, |bench| scenario(bench, subject))
}

impl Subject {
    #[track_caller]
    fn start(&self, bench: &mut Bench, t: f64, state: &[f64], tolerance: f64) {
        bench.set(self.arrays.state, state);
        bench.set(self.arrays.tolerance, &[tolerance]);
        assert_eq!(bench.call(self.functions.start, [t.into()]), Integrator::REACHED);
    }

    /// Advances with many trials.
    fn advance(&self, bench: &mut Bench, target: f64) -> i64 {
        bench.call(self.functions.advance, [target.into(), 100_000.into()])
    }

    /// Advances to the target exactly, and gives the state.
    #[track_caller]
    fn reach(&self, bench: &mut Bench, target: f64) -> Vec<f64> {
        bench.set(self.arrays.horizon, &[target]);
        assert_eq!(self.advance(bench, target), Integrator::REACHED);
        assert_eq!(bench.real(self.arrays.time), target);
        bench.reals(self.arrays.state)
    }

    #[track_caller]
    fn sample(&self, bench: &mut Bench, t: f64) -> Vec<f64> {
        assert_eq!(bench.call(self.functions.sample, [t.into()]), Integrator::REACHED);
        bench.reals(self.arrays.sampled)
    }
}

fn oscillator(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Vec<Expression> {
    vec![y[1].clone(), -&y[0]]
}

fn exponential(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Vec<Expression> {
    vec![y[0].clone()]
}

fn blow_up(_: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Vec<Expression> {
    vec![&y[0] * &y[0]]
}

fn kepler(f: &mut FunctionBuilder, _: LocalId, y: &[Expression]) -> Vec<Expression> {
    let square = f.real("square", &y[0] * &y[0] + &y[1] * &y[1]);
    let cube = f.real("cube", square * square.sqrt());
    vec![y[2].clone(), y[3].clone(), -&y[0] / cube, -&y[1] / cube]
}

fn largest_difference(found: &[f64], wanted: &[f64]) -> f64 {
    found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[track_caller]
fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) {
    let close = found.len() == wanted.len() && largest_difference(found, wanted) <= tolerance;
    assert!(close, "{found:?} is not {wanted:?} within {tolerance}");
}

#[test]
fn the_oscillator_returns() {
    for (method, tolerance) in METHODS.into_iter().zip([1e-8, 1e-12]) {
        let state = run(method, 2, oscillator, |bench, subject| {
            subject.start(bench, 0.0, &[1.0, 0.0], tolerance);
            subject.reach(bench, 20.0)
        });
        assert_close(&state, &[libm::cos(20.0), -libm::sin(20.0)], 30.0 * tolerance);
    }
}

#[test]
fn growth_is_relative() {
    for method in METHODS {
        let state = run(method, 1, exponential, |bench, subject| {
            subject.start(bench, -3.0, &[1e-20], 1e-9);
            subject.reach(bench, 27.0)
        });
        assert!((state[0] / (1e-20 * libm::exp(30.0)) - 1.0).abs() < 3e-8, "{state:?}");
    }
}

/// An orbit of eccentricity 0.6 from its pericentre, where after one revolution the body is again.
#[test]
fn a_kepler_orbit_closes() {
    let (state, counters) = run(Method::DormandPrince8, 4, kepler, |bench, subject| {
        subject.start(bench, 0.0, &[0.4, 0.0, 0.0, 2.0], 1e-12);
        let state = subject.reach(bench, 2.0 * std::f64::consts::PI);
        (state, bench.integers(subject.arrays.counters))
    });
    assert_close(&state, &[0.4, 0.0, 0.0, 2.0], 4e-11);
    assert_eq!(counters[..3], [77, 5, 981], "accepted, rejected, evaluations");
}

/// Steps of fixed length: the error falls with the order of the method.
#[test]
fn convergence_has_the_order_of_the_method() {
    for (method, order, lengths) in [(METHODS[0], 5.0, [0.1, 0.05]), (METHODS[1], 8.0, [0.5, 0.25])] {
        let errors = lengths.map(|length| {
            let state = run(method, 2, oscillator, |bench, subject| {
                bench.set(subject.arrays.longest_step, &[length]);
                // So large that every step is as long as it may be, once the first ones have grown.
                subject.start(bench, 0.0, &[1.0, 0.0], 1.0);
                subject.reach(bench, 4.0)
            });
            largest_difference(&state, &[libm::cos(4.0), -libm::sin(4.0)])
        });
        let measured = libm::log2(errors[0] / errors[1]);
        assert!((measured - order).abs() < 0.5, "{method:?}: order {measured}, errors {errors:?}");
    }
}

/// The largest error of samples, within steps of one length.
fn dense_error(method: Method, length: f64) -> f64 {
    run(method, 2, oscillator, |bench, subject| {
        bench.set(subject.arrays.longest_step, &[length]);
        subject.start(bench, 0.0, &[1.0, 0.0], 1.0);
        let mut worst: f64 = 0.0;
        for k in 1..80 {
            let t = f64::from(k) * 0.049;
            assert_eq!(subject.advance(bench, t), Integrator::REACHED);
            let sample = subject.sample(bench, t);
            worst = worst.max(largest_difference(&sample, &[libm::cos(t), -libm::sin(t)]));
        }
        worst
    })
}

/// A polynomial of order p is wrong by h^(p+1).
#[test]
fn dense_output_has_its_order() {
    for (method, order, length) in [(METHODS[0], 5.0, 0.2), (METHODS[1], 8.0, 1.0)] {
        let errors = [dense_error(method, length), dense_error(method, 0.5 * length)];
        let measured = libm::log2(errors[0] / errors[1]);
        assert!(measured > order - 0.6, "{method:?}: order {measured}, errors {errors:?}");
    }
}

#[test]
fn samples_at_the_ends_are_the_states() {
    for method in METHODS {
        run(method, 2, oscillator, |bench, subject| {
            subject.start(bench, 0.0, &[1.0, 0.0], 1e-7);
            assert_eq!(subject.sample(bench, 0.0), [1.0, 0.0]);
            assert_eq!(subject.advance(bench, 2.0), Integrator::REACHED);
            let (before, now) = (bench.real(subject.arrays.previous_time), bench.real(subject.arrays.time));
            assert!(before < 2.0 && now >= 2.0);
            assert_eq!(subject.sample(bench, now), bench.reals(subject.arrays.state));
            assert_eq!(subject.sample(bench, before), bench.reals(subject.arrays.previous));
            // Close to the ends the polynomial meets them.
            let near = (1e-9 * before + now) / (1.0 + 1e-9);
            assert_close(&subject.sample(bench, near), &bench.reals(subject.arrays.state), 1e-8);
            for outside in [before - 1e-9, now + 1e-9, f64::NAN] {
                assert_eq!(bench.call(subject.functions.sample, [outside.into()]), Integrator::OUTSIDE);
            }
        });
    }
}

/// Fails after time 1, so that no sample can be taken in a step after which another was tried.
#[test]
fn a_rejected_trial_leaves_no_wrong_samples() {
    let wall: Derivative = |f, t, y| {
        f.if_(t.gt(1.0), |f| f.return_(9));
        vec![y[0].clone()]
    };
    for method in METHODS {
        run(method, 1, wall, |bench, subject| {
            subject.start(bench, 0.0, &[1.0], 1e-6);
            while bench.integers(subject.arrays.counters)[IntegratorArrays::REJECTED] == 0 {
                let sampled = 0.5 * (bench.real(subject.arrays.previous_time) + bench.real(subject.arrays.time));
                if method == METHODS[0] && sampled > 0.0 {
                    subject.sample(bench, sampled);
                }
                bench.call(subject.functions.advance, [2.0.into(), 1.into()]);
            }
            let middle = 0.5 * (bench.real(subject.arrays.previous_time) + bench.real(subject.arrays.time));
            let status = bench.call(subject.functions.sample, [middle.into()]);
            // With the fifth-order method samples were taken before, and the polynomial is kept.
            assert_eq!(status, if method == METHODS[0] { Integrator::REACHED } else { Integrator::OUTSIDE });
            subject.sample(bench, bench.real(subject.arrays.time));
        });
    }
}

#[test]
fn the_horizon_is_met_exactly_and_never_passed() {
    // Slopes are refused after the horizon.
    let wall: Derivative = |f, t, y| {
        f.if_(t.gt(0.7), |f| f.return_(9));
        vec![y[0].clone()]
    };
    for method in METHODS {
        run(method, 1, wall, |bench, subject| {
            bench.set(subject.arrays.horizon, &[0.7]);
            subject.start(bench, 0.1, &[1.0], 1e-9);
            assert_eq!(subject.advance(bench, 5.0), Integrator::REACHED);
            assert_eq!(bench.real(subject.arrays.time), 0.7);
            assert_eq!(bench.integers(subject.arrays.counters)[IntegratorArrays::REJECTED], 0);
            assert_close(&bench.reals(subject.arrays.state), &[libm::exp(0.6)], 1e-8);
            // Already there: nothing happens.
            assert_eq!(subject.advance(bench, 5.0), Integrator::REACHED);
            assert_eq!(bench.real(subject.arrays.time), 0.7);
        });
    }
}

/// A horizon one bit away makes one very short step, after which the steps are as long as before.
#[test]
fn a_close_horizon_does_not_shorten_later_steps() {
    run(Method::DormandPrince5, 2, oscillator, |bench, subject| {
        subject.start(bench, 0.0, &[1.0, 0.0], 1e-6);
        subject.advance(bench, 3.0);
        let close = bench.real(subject.arrays.time).next_up();
        subject.reach(bench, close);
        bench.set(subject.arrays.horizon, &[f64::INFINITY]);
        let before = bench.integers(subject.arrays.counters)[IntegratorArrays::ACCEPTED];
        assert_eq!(subject.advance(bench, close + 0.1), Integrator::REACHED);
        assert_eq!(bench.integers(subject.arrays.counters)[IntegratorArrays::ACCEPTED], before + 1);
    });
}

#[test]
fn limits_only_interrupt() {
    for method in METHODS {
        run(method, 2, oscillator, |bench, subject| {
            subject.start(bench, 0.0, &[1.0, 0.0], 1e-8);
            let at_once = subject.reach(bench, 5.0);
            subject.start(bench, 0.0, &[1.0, 0.0], 1e-8);
            assert_eq!(bench.call(subject.functions.advance, [5.0.into(), 0.into()]), Integrator::LIMIT);
            while bench.call(subject.functions.advance, [5.0.into(), 2.into()]) == Integrator::LIMIT {}
            assert_eq!(bench.reals(subject.arrays.state), at_once);
        });
    }
}

#[test]
fn a_singularity_collapses_the_step() {
    for method in METHODS {
        run(method, 2, |f, t, y| [blow_up(f, t, &y[1..]), vec![0.0.into()]].concat().into_iter().rev().collect(), {
            |bench, subject| {
                subject.start(bench, 0.0, &[1.0, 1.0], 1e-8);
                assert_eq!(subject.advance(bench, 2.0), Integrator::COLLAPSED);
                assert!((bench.real(subject.arrays.failure_time) - 1.0).abs() < 1e-6);
                assert_eq!(bench.integer(subject.arrays.failure_component), 1);
                bench.clear();
            }
        });
    }
}

#[test]
fn a_refusal_is_reported_with_its_code() {
    let refuse: Derivative = |f, t, y| {
        f.if_(t.gt(0.5), |f| f.return_(9));
        vec![y[0].clone()]
    };
    for method in METHODS {
        run(method, 1, refuse, |bench, subject| {
            subject.start(bench, 0.0, &[1.0], 1e-8);
            assert_eq!(subject.advance(bench, 2.0), Integrator::NOT_EVALUATED);
            assert_eq!(bench.integer(subject.arrays.failure_code), 9);
            assert!((bench.real(subject.arrays.failure_time) - 0.5).abs() < 1e-13);
            assert_eq!(bench.call(subject.functions.start, [1.0.into()]), Integrator::NOT_EVALUATED);
        });
    }
}

#[test]
fn slopes_that_are_not_finite_are_avoided() {
    // y′ = √(1 − y) reaches y = 1 at t = 2 and stays; a step too far would take the root of a negative number.
    let root: Derivative = |_, _, y| vec![(1.0 - y[0].clone()).sqrt()];
    for method in METHODS {
        run(method, 1, root, |bench, subject| {
            subject.start(bench, 0.0, &[0.0], 1e-6);
            let state = subject.reach(bench, 1.9);
            assert_close(&state, &[1.0 - 0.05 * 0.05], 1e-5);
            subject.start(bench, 0.0, &[0.0], 1e-6);
            bench.set(subject.arrays.state, &[2.0]);
            assert_eq!(bench.call(subject.functions.start, [0.0.into()]), Integrator::NOT_EVALUATED);
            bench.clear();
        });
    }
}

#[test]
fn nothing_to_integrate_takes_long_steps() {
    run(
        Method::DormandPrince8,
        0,
        |_, _, _| vec![],
        |bench, subject| {
            subject.start(bench, 0.0, &[], 1e-8);
            assert_eq!(subject.advance(bench, 1e6), Integrator::REACHED);
            assert!(bench.integers(subject.arrays.counters)[IntegratorArrays::ACCEPTED] < 30);
        },
    );
}

/// Scales (x, y) back to the unit circle.
fn to_circle(module: &mut ModuleBuilder, arrays: &IntegratorArrays) -> Option<FunctionId> {
    let state = arrays.state;
    Some(module.function("to_circle", &[("t", Real)], &[Integer], |f| {
        let square = state.at(0) * state.at(0) + state.at(1) * state.at(1);
        let length = f.real("length", square.sqrt());
        f.store(state, 0, state.at(0) / length);
        f.store(state, 1, state.at(1) / length);
        f.return_(-1);
    }))
}

#[test]
fn a_projection_keeps_the_circle() {
    for method in METHODS {
        let mut module = ModuleBuilder::new("circle");
        let subject = add_with_hook(&mut module, method, 2, oscillator, to_circle);
        on_every_machine(module, |bench| {
            subject.start(bench, 0.0, &[1.0, 0.0], 1e-3);
            for k in 1..50 {
                assert_eq!(subject.advance(bench, f64::from(k) * 0.6), Integrator::REACHED);
                let state = bench.reals(subject.arrays.state);
                assert!((libm::hypot(state[0], state[1]) - 1.0).abs() < 1e-15);
                assert_eq!(subject.sample(bench, bench.real(subject.arrays.time)), state);
                let sample = subject.sample(bench, f64::from(k) * 0.6);
                assert!((libm::hypot(sample[0], sample[1]) - 1.0).abs() < 2e-3, "{sample:?}");
            }
        });
    }
}

#[test]
fn a_projection_may_fail() {
    let fail = |module: &mut ModuleBuilder, _: &IntegratorArrays| {
        Some(module.function("fail", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.return_(t.gt(1.0).select(6, 0));
        }))
    };
    let mut module = ModuleBuilder::new("circle");
    let subject = add_with_hook(&mut module, Method::DormandPrince5, 2, oscillator, fail);
    on_every_machine(module, |bench| {
        subject.start(bench, 0.0, &[1.0, 0.0], 1e-6);
        assert_eq!(subject.advance(bench, 5.0), Integrator::NOT_FINISHED);
        assert_eq!(bench.integer(subject.arrays.failure_code), 6);
        assert_eq!(bench.real(subject.arrays.failure_time), bench.real(subject.arrays.time));
    });
}

/// A thing at rest on which terms act that cancel: its states are nothing but rounding, in which there is no error to be found.
#[test]
fn rounding_is_no_error() {
    let cancelling: Derivative = |_, t, y| vec![y[1].clone(), (t * 0.1 + 1.0) * 3.0 - 3.0 - t * 0.3];
    for method in METHODS {
        for tolerance in [1e-6, 1e-9, 1e-12] {
            run(method, 2, cancelling, |bench, subject| {
                subject.start(bench, 0.0, &[0.0, 0.0], tolerance);
                assert_close(&subject.reach(bench, 100.0), &[0.0, 0.0], 1e-9);
                let counters = bench.integers(subject.arrays.counters);
                assert!(counters[IntegratorArrays::EVALUATIONS] < 5000, "{method:?} {tolerance}: {counters:?}");
            });
        }
    }
}

/// What is small but no rounding is followed as well as anything else: a pendulum at 10⁻³⁰ beside terms that cancel exactly.
#[test]
fn what_is_small_is_no_rounding() {
    let small: Derivative = |_, t, y| vec![y[1].clone(), (t - t) - &y[0]];
    for (method, tolerance) in METHODS.into_iter().zip([1e-8, 1e-12]) {
        run(method, 2, small, |bench, subject| {
            subject.start(bench, 0.0, &[1e-30, 0.0], tolerance);
            let state: Vec<f64> = subject.reach(bench, 20.0).into_iter().map(|y| y * 1e30).collect();
            assert_close(&state, &[20f64.cos(), -20f64.sin()], tolerance * 1e3);
        });
    }
}

/// A tiny component in a group with a large one is measured by the large one, in a group of its own by itself.
#[test]
fn groups_share_their_size() {
    let steps = |groups: [usize; 3]| {
        let mut module = ModuleBuilder::new("groups");
        let arrays = IntegratorArrays::declare(&mut module, "test", 3, Method::DormandPrince5);
        let derivative = module.function("derivative", &[("t", Real), ("offset", Integer)], &[Integer], |f| {
            let [_, offset] = f.parameters();
            f.store(arrays.slopes, offset, 0.0);
            f.store(arrays.slopes, offset + 1, arrays.stage.at(2));
            f.store(arrays.slopes, offset + 2, -arrays.stage.at(1));
            f.return_(0);
        });
        let problem = IntegratorProblem {
            name: "test",
            derivative,
            after_step: None,
            constraints: None,
            groups: groups.to_vec(),
            rate_of: vec![None; 3],
        };
        let functions = integrator(&mut module, &arrays, &problem);
        let subject = Subject { arrays, functions };
        on_every_machine(module, |bench| {
            subject.start(bench, 0.0, &[1.0, 1e-6, 0.0], 1e-6);
            subject.reach(bench, 10.0);
            bench.integers(arrays.counters)[IntegratorArrays::ACCEPTED]
        })
    };
    let (together, apart) = (steps([4, 4, 4]), steps([7, 0, 0]));
    assert!(together * 2 < apart, "{together} steps together, {apart} apart");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Errors are relative, so a linear system takes the same steps in any unit, and gives the same digits.
    #[test]
    fn the_unit_of_the_state_does_not_matter(angle in 0.0..6.0f64, exponent in -400i32..400, eighth: bool) {
        let steps = |scale: f64| {
            run(METHODS[usize::from(eighth)], 2, oscillator, |bench, subject| {
                subject.start(bench, 0.0, &[scale * libm::cos(angle), scale * libm::sin(angle)], 1e-7);
                let state = subject.reach(bench, 3.0);
                (state.iter().map(|y| y / scale).collect::<Vec<f64>>(), bench.integers(subject.arrays.counters))
            })
        };
        prop_assert_eq!(steps(f64::powi(2.0, exponent)), steps(1.0));
    }
    /// Nothing moves until a force sets in: however short the step, its error is a part of all that has moved.
    #[test]
    fn a_jump_from_rest_is_stepped_over(beginning in -5.0..3.2f64, eighth: bool) {
        let force: Derivative = |_, t, y| vec![y[1].clone(), t.gt(3.3).select(2.0, 0.0)];
        run(METHODS[usize::from(eighth)], 2, force, |bench, subject| {
            subject.start(bench, beginning, &[0.0, 0.0], 1e-9);
            assert_close(&subject.reach(bench, 4.3), &[1.0, 2.0], 1e-8);
            let counters = bench.integers(subject.arrays.counters);
            // Half of them look for rounding, because shorter steps are no better before a jump either.
            assert!(counters[IntegratorArrays::EVALUATIONS] < 4000, "{counters:?}");
        });
    }
}
