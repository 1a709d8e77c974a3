//! Newton's method: one solution, the nearest of many, dependent equations, contradictions.

#![allow(clippy::disallowed_methods, reason = "what is compared with a tolerance may come from the platform")]

mod bench;

use bench::{Bench, on_every_machine};
use kernel::{ArrayId, FunctionBuilder, ModuleBuilder, Term, Type::Integer};
use numerics::{JacobianPattern, Newton, NewtonProblem, newton};
use proptest::{collection::vec, prelude::*};

/// The arrays that the equations of a test are written with.
#[derive(Clone, Copy)]
struct Arrays {
    x: ArrayId,
    residual: ArrayId,
    jacobian: ArrayId,
}

/// What a call left.
#[derive(Debug)]
struct Outcome {
    status: i64,
    x: Vec<f64>,
    iterations: i64,
    rank: i64,
    worst: (i64, f64),
}

/// Solves m equations from a guess. The closure writes the equations; it returns for itself only to refuse.
fn solve(m: usize, guess: &[f64], equations: impl FnOnce(&mut FunctionBuilder, Arrays)) -> Outcome {
    solve_typical(m, guess, None, equations)
}

fn solve_typical(
    m: usize,
    guess: &[f64],
    typical: Option<&[f64]>,
    equations: impl FnOnce(&mut FunctionBuilder, Arrays),
) -> Outcome {
    let mut module = ModuleBuilder::new("newton");
    let n = guess.len();
    let (x, residual) = (module.reals("x", guess, ""), module.real_array("residual", m, ""));
    let arrays = Arrays { x, residual, jacobian: module.real_array("jacobian", m * n, "") };
    let evaluate = module.function("evaluate", &[], &[Integer], |f| {
        equations(f, arrays);
        f.return_(0);
    });
    let typical = typical.map(|values| module.reals("typical", values, ""));
    let Arrays { x, residual, jacobian } = arrays;
    let (equations, unknowns, pattern, independence) = (m, n, None, None);
    let problem = NewtonProblem {
        name: "system",
        equations,
        unknowns,
        x,
        residual,
        jacobian,
        pattern,
        evaluate,
        typical,
        independence,
    };
    let solver = newton(&mut module, &problem);
    on_every_machine(module, |bench| outcome(bench, solver, x))
}

fn outcome(bench: &mut Bench, solver: Newton, x: ArrayId) -> Outcome {
    Outcome {
        status: bench.call(solver.solve, []),
        x: bench.reals(x),
        iterations: bench.integer(solver.iterations),
        rank: bench.integer(solver.rank),
        worst: (bench.integer(solver.worst_equation), bench.real(solver.worst_residual)),
    }
}

/// Writes one equation with its derivatives.
fn equation(
    f: &mut FunctionBuilder,
    arrays: Arrays,
    i: usize,
    residual: impl Into<kernel::Expression>,
    slopes: &[kernel::Expression],
) {
    f.store(arrays.residual, i, residual);
    for (j, slope) in slopes.iter().enumerate() {
        f.store(arrays.jacobian, i * slopes.len() + j, slope);
    }
}

/// Writes the linear equations matrix · x = right.
fn linear(f: &mut FunctionBuilder, arrays: Arrays, matrix: &[f64], right: &[f64]) {
    let n = matrix.len() / right.len();
    for (i, (row, &right)) in matrix.chunks(n).zip(right).enumerate() {
        let sum =
            row.iter().enumerate().fold(kernel::Expression::from(-right), |sum, (j, &a)| sum + a * arrays.x.at(j));
        equation(f, arrays, i, sum, &row.iter().map(|&a| a.into()).collect::<Vec<_>>());
    }
}

/// The circle of radius 2 about the origin, and how far its point is from there.
fn circle(f: &mut FunctionBuilder, arrays: Arrays, i: usize) {
    let (x, y) = (arrays.x.at(0), arrays.x.at(1));
    equation(f, arrays, i, &x * &x + &y * &y - 4.0, &[&x * 2.0, &y * 2.0]);
}

#[track_caller]
fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) {
    let close = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(close, "{found:?} is not {wanted:?}");
}

#[test]
fn without_equations_there_is_nothing_to_do() {
    let outcome = solve(0, &[1.0, 2.0], |f, _| f.return_(7));
    assert_eq!((outcome.status, outcome.x), (Newton::SOLVED, vec![1.0, 2.0]));
}

#[test]
fn a_square_root_to_the_last_bit() {
    let outcome = solve(1, &[1.0], |f, arrays| {
        let x = arrays.x.at(0);
        equation(f, arrays, 0, &x * &x - 2.0, &[&x * 2.0]);
    });
    assert_eq!((outcome.status, outcome.rank), (Newton::SOLVED, 1));
    assert_close(&outcome.x, &[2.0f64.sqrt()], f64::EPSILON);
    assert_eq!(outcome.iterations, 5);
}

#[test]
fn a_curve_and_a_line() {
    let outcome = solve(2, &[3.0, 1.0], |f, arrays| {
        circle(f, arrays, 0);
        equation(f, arrays, 1, arrays.x.at(0) - arrays.x.at(1), &[1.0.into(), (-1.0).into()]);
    });
    assert_eq!(outcome.status, Newton::SOLVED);
    assert_close(&outcome.x, &[2.0f64.sqrt(); 2], 1e-15);
}

#[test]
fn damping_saves_the_arc_tangent() {
    // x / √(1 + x²) from 3: the full step goes to −27 and further.
    let outcome = solve(1, &[3.0], |f, arrays| {
        let x = arrays.x.at(0);
        let root = f.real("root", (&x * &x + 1.0).sqrt());
        equation(f, arrays, 0, x / root, &[1.0 / (root * root * root)]);
    });
    assert_eq!(outcome.status, Newton::SOLVED);
    assert_close(&outcome.x, &[0.0], 1e-15);
}

#[test]
fn a_double_root_takes_its_time() {
    let outcome = solve(1, &[1.0], |f, arrays| {
        let x = arrays.x.at(0);
        equation(f, arrays, 0, (&x - 0.5) * (&x - 0.5), &[(&x - 0.5) * 2.0]);
    });
    assert_eq!(outcome.status, Newton::SOLVED);
    assert_close(&outcome.x, &[0.5], 1e-8);
}

#[test]
fn the_nearest_point_of_a_circle() {
    // The gradient points along the radius at every iterate, so here the nearest point is met exactly.
    let outcome = solve(1, &[0.3, 0.4], |f, arrays| circle(f, arrays, 0));
    assert_eq!((outcome.status, outcome.rank), (Newton::SOLVED, 1));
    assert_close(&outcome.x, &[1.2, 1.6], 1e-15);
}

#[test]
fn redundant_equations_are_left_out() {
    let outcome = solve(3, &[1.0, 0.5], |f, arrays| {
        circle(f, arrays, 0);
        let (x, y) = (arrays.x.at(0), arrays.x.at(1));
        equation(f, arrays, 1, (&x * &x + &y * &y) * 5e3 - 2e4, &[&x * 1e4, &y * 1e4]);
        equation(f, arrays, 2, &x - &y, &[1.0.into(), (-1.0).into()]);
    });
    assert_eq!((outcome.status, outcome.rank), (Newton::SOLVED, 2));
    assert_close(&outcome.x, &[2.0f64.sqrt(); 2], 1e-15);
}

#[test]
fn contradictions_are_named() {
    let matrix = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0];
    let outcome = solve(3, &[0.0; 3], |f, arrays| linear(f, arrays, &matrix, &[1.0, 1.0, 2.1]));
    assert_eq!((outcome.status, outcome.rank), (Newton::NOT_CONVERGED, 2));
    assert!(outcome.worst.1.abs() > 0.01, "{outcome:?}");

    // By how little: x + y is two numbers, which may be one but for rounding.
    for (apart, status) in [(1e-8, Newton::NOT_CONVERGED), (1e-10, Newton::SOLVED)] {
        let outcome = solve(2, &[0.3, 0.4], |f, arrays| linear(f, arrays, &[1.0; 4], &[1.0, 1.0 + apart]));
        assert_eq!(outcome.status, status, "{apart:e}");
    }

    // An equation without unknowns in it.
    let outcome = solve(2, &[0.0], |f, arrays| linear(f, arrays, &[1.0, 0.0], &[3.0, 0.5]));
    assert_eq!((outcome.status, outcome.worst), (Newton::NOT_CONVERGED, (1, -0.5)));
}

#[test]
fn no_real_solution_is_no_convergence() {
    let outcome = solve(1, &[0.7], |f, arrays| {
        let x = arrays.x.at(0);
        equation(f, arrays, 0, &x * &x + 1.0, &[&x * 2.0]);
    });
    assert_eq!((outcome.status, outcome.worst.0), (Newton::NOT_CONVERGED, 0));
}

#[test]
fn what_cannot_be_evaluated_is_avoided_or_reported() {
    // √x = 1 from 9: the full step leads to −3.
    let root = |f: &mut FunctionBuilder, arrays: Arrays| {
        let x = arrays.x.at(0);
        f.if_(x.clone().le(0.0), |f| f.return_(5));
        equation(f, arrays, 0, x.clone().sqrt() - 1.0, &[0.5 / x.sqrt()]);
    };
    let outcome = solve(1, &[9.0], root);
    assert_eq!(outcome.status, Newton::SOLVED);
    assert_close(&outcome.x, &[1.0], 1e-15);
    assert_eq!(solve(1, &[-1.0], root).status, Newton::NOT_EVALUATED);
    // Nowhere but at the guess.
    let outcome = solve(1, &[9.0], |f, arrays| {
        f.if_(arrays.x.at(0).ne_(9.0), |f| f.return_(5));
        equation(f, arrays, 0, arrays.x.at(0), &[1.0.into()]);
    });
    assert_eq!((outcome.status, outcome.x), (Newton::NOT_EVALUATED, vec![9.0]));
}

#[test]
fn rounding_of_constants_is_no_contradiction() {
    // 0.1 + 0.2 - 0.3 is not zero; no x near zero makes both equations exact.
    let noise = 0.1 + 0.2 - 0.3;
    let outcome = solve(2, &[0.0], |f, arrays| {
        equation(f, arrays, 0, arrays.x.at(0) + noise, &[1.0.into()]);
        equation(f, arrays, 1, arrays.x.at(0), &[1.0.into()]);
    });
    assert_eq!(outcome.status, Newton::SOLVED);
    assert_close(&outcome.x, &[0.0], 1e-15);
}

#[test]
fn small_unknowns_are_solved_as_well_as_large_ones() {
    let outcome = solve(2, &[0.0, 0.0], |f, arrays| linear(f, arrays, &[1.0, 1.0, 1.0, -2.0], &[3e-14, 0.0]));
    assert_eq!(outcome.status, Newton::SOLVED);
    assert_close(&outcome.x, &[2e-14, 1e-14], 1e-28);
    let outcome = solve(2, &[0.0], |f, arrays| linear(f, arrays, &[1.0, 1.0], &[3e-12, 4e-12]));
    assert_eq!(outcome.status, Newton::NOT_CONVERGED);
}

#[test]
fn typical_magnitudes_weigh_the_step() {
    // x + y = 3, where y is known to vary a hundred times as much: by far the most is left to y.
    let plane = |f: &mut FunctionBuilder, arrays: Arrays| linear(f, arrays, &[1.0, 1.0], &[3.0]);
    assert_close(&solve(1, &[0.0, 0.0], plane).x, &[1.5, 1.5], 1e-15);
    let weighed = solve_typical(1, &[0.0, 0.0], Some(&[0.1, 10.0]), plane);
    assert_close(&weighed.x, &[3.0 / 10001.0, 30000.0 / 10001.0], 1e-15);
}

/// Aᵀ (A Aᵀ)⁻¹ b for two rows, by Cramer's rule.
fn minimum_norm_of_two(matrix: &[f64], right: &[f64]) -> Option<Vec<f64>> {
    let (a, b) = matrix.split_at(matrix.len() / 2);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
    let determinant = aa * bb - ab * ab;
    let (u, v) = ((right[0] * bb - right[1] * ab) / determinant, (right[1] * aa - right[0] * ab) / determinant);
    (determinant > 1e-3 * aa * bb).then(|| a.iter().zip(b).map(|(a, b)| u * a + v * b).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_shortest_solution_of_two_equations(matrix in vec(-1.0..1.0f64, 8), right in vec(-1.0..1.0f64, 2)) {
        let Some(wanted) = minimum_norm_of_two(&matrix, &right) else { return Ok(()) };
        let outcome = solve(2, &[0.0; 4], |f, arrays| linear(f, arrays, &matrix, &right));
        prop_assert_eq!((outcome.status, outcome.rank), (Newton::SOLVED, 2));
        prop_assert!(outcome.iterations <= 2);
        assert_close(&outcome.x, &wanted, 1e-11);
    }

    /// Equations that all hold at one point, more of them than unknowns, in any units.
    #[test]
    fn consistent_equations_agree(
        matrix in vec(-1.0..1.0f64, 15), solution in vec(-1.0..1.0f64, 3), units in vec(-6i32..6, 5),
    ) {
        let scales: Vec<f64> = units.iter().map(|&unit| 10f64.powi(unit)).collect();
        let rows: Vec<f64> = matrix.iter().enumerate().map(|(k, a)| a * scales[k / 3]).collect();
        let right: Vec<f64> = rows.chunks(3).map(|row| row.iter().zip(&solution).map(|(a, x)| a * x).sum()).collect();
        let outcome = solve(5, &[0.0; 3], |f, arrays| linear(f, arrays, &rows, &right));
        prop_assert_eq!((outcome.status, outcome.rank), (Newton::SOLVED, 3));
        prop_assert!(outcome.iterations <= 3);
        assert_close(&outcome.x, &solution, 1e-9);
    }
}

/// Points on circles, of which neighbours are at one height; one equation says what others say already. From each guess the sparse
/// and the full step lead to the same point, the nearest one.
#[test]
fn sparse_systems_are_solved_like_full_ones() {
    let points = 40;
    let n = 2 * points;
    // Two unknowns to a point; a circle for each, a height for each pair, and the heights of the ends.
    let m = points + (points - 1) + 1;
    let pairs: Vec<[usize; 2]> = (0..points - 1).map(|i| [2 * i + 1, 2 * i + 3]).chain([[1, n - 1]]).collect();
    let circles = (0..points).flat_map(|i| [(i, 2 * i), (i, 2 * i + 1)]);
    let heights = pairs.iter().enumerate().flat_map(|(i, pair)| pair.map(|column| (points + i, column)));
    let entries: Vec<(usize, usize)> = circles.chain(heights).collect();
    let guess: Vec<f64> = (0..n).map(|j| 1.0 + 0.01 * (j % 5) as f64).collect();
    let solve = |pattern: Option<&JacobianPattern>| {
        let mut module = ModuleBuilder::new("newton");
        let (x, residual) = (module.reals("x", &guess, ""), module.real_array("residual", m, ""));
        let jacobian = module.real_array("jacobian", m * n, "");
        let place = |(at, &(row, column)): (usize, &(usize, usize))| match pattern {
            Some(_) => at,
            None => row * n + column,
        };
        let places: Vec<usize> = entries.iter().enumerate().map(place).collect();
        let evaluate = module.function("evaluate", &[], &[Integer], |f| {
            for i in 0..points {
                let (a, b) = (x.at(2 * i), x.at(2 * i + 1));
                f.store(residual, i, &a * &a + &b * &b - 4.0);
                f.store(jacobian, places[2 * i], a * 2.0);
                f.store(jacobian, places[2 * i + 1], b * 2.0);
            }
            for (i, [a, b]) in pairs.iter().enumerate() {
                f.store(residual, points + i, x.at(*a) - x.at(*b));
                f.store(jacobian, places[2 * (points + i)], 1.0);
                f.store(jacobian, places[2 * (points + i) + 1], -1.0);
            }
            f.return_(0);
        });
        let (equations, unknowns, typical, independence) = (m, n, None, None);
        let problem = NewtonProblem {
            name: "system",
            equations,
            unknowns,
            x,
            residual,
            jacobian,
            pattern,
            evaluate,
            typical,
            independence,
        };
        let solver = newton(&mut module, &problem);
        on_every_machine(module, |bench| outcome(bench, solver, x))
    };
    let pattern = JacobianPattern::any(m, n, entries.clone()).expect("few rows meet");
    let (full, sparse) = (solve(None), solve(Some(&pattern)));
    assert_eq!((full.status, full.rank), (Newton::SOLVED, m as i64 - 1));
    assert_eq!((sparse.status, sparse.rank), (Newton::SOLVED, m as i64 - 1));
    assert_eq!(full.iterations, sparse.iterations);
    assert_close(&sparse.x, &full.x, 1e-12);
    assert!(sparse.x.chunks(2).all(|point| (point[1] - sparse.x[1]).abs() < 1e-14));
}
