//! Rodas5P: G. Steinebach, *Construction of Rosenbrock–Wanner method Rodas5P and numerical benchmarks within the Julia
//! Differential Equations package*, BIT Numerical Mathematics 63 (2023), 27.
//!
//! L-stable and stiffly accurate, order 5 also for differential-algebraic systems of index 1, and little reduction of the
//! order for stiff ones. The error estimate is the last increment itself.

use crate::steps::StepControl;

/// The number of stages.
pub const STAGES: usize = 8;

pub const GAMMA: f64 = 0.21193756319429014;

/// Where in the step each slope is taken.
pub const NODES: [f64; STAGES] =
    [0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0, 1.0];

/// How much of the derivative with respect to time enters each stage, in units of the step.
pub const TIME_WEIGHTS: [f64; STAGES] = [
    0.21193756319429014,
    -0.42387512638858027,
    -0.3384627126235924,
    1.8046452872882734,
    2.325825639765069,
    0.0,
    0.0,
    0.0,
];

/// What the argument of each slope is made of, in increments. From the sixth on, the last increment comes with weight 1.
pub const ARGUMENTS: [&[f64]; STAGES] = [
    &[],
    &[3.0],
    &[2.849394379747939, 0.45842242204463923],
    &[-6.954028509809101, 2.489845061869568, -10.358996098473584],
    &[2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641],
    &END,
    &[END[0], END[1], END[2], END[3], END[4], 1.0],
    &[END[0], END[1], END[2], END[3], END[4], 1.0, 1.0],
];

const END: [f64; 5] =
    [-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946];

/// What is added to each slope, in increments divided by the step.
pub const COUPLING: [&[f64]; STAGES] = [
    &[],
    &[-14.155112264123755],
    &[-17.97296035885952, -2.859693295451294],
    &[147.12150275711716, -1.41221402718213, 71.68940251302358],
    &[165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306],
    &[24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471],
    &[
        30.91273214028599,
        -3.1208243349937974,
        77.79954646070892,
        34.28646028294783,
        -19.097331116725623,
        -28.087943162872662,
    ],
    &[
        37.80277123390563,
        -3.2571969029072276,
        112.26918849496327,
        66.9347231244047,
        -40.06618937091002,
        -54.66780262877968,
        -9.48861652309627,
    ],
];

/// The coefficients of the interpolating polynomial beyond the straight line, in increments.
pub const DENSE: [[f64; STAGES]; 3] = [
    [
        25.948786856663858,
        -2.5579724845846235,
        10.433815404888879,
        -2.3679251022685204,
        0.524948541321073,
        1.1241088310450404,
        0.4272876194431874,
        -0.17202221070155493,
    ],
    [
        -9.91568850695171,
        -0.9689944594115154,
        3.0438037242978453,
        -24.495224566215796,
        20.176138334709044,
        15.98066361424651,
        -6.789040303419874,
        -6.710236069923372,
    ],
    [
        11.419903575922262,
        2.8879645146136994,
        72.92137995996029,
        80.12511834622643,
        -52.072871366152654,
        -59.78993625266729,
        -0.15582684282751913,
        4.883087185713722,
    ],
];

/// The weights of the step.
pub fn step() -> [f64; STAGES] {
    std::array::from_fn(|j| END.get(j).copied().unwrap_or(1.0))
}

pub const CONTROL: StepControl = StepControl {
    error_power: 26,
    memory_power: 0,
    start_power: 26,
    least_factor: 0.2,
    greatest_factor: 6.0,
    // What dies away is followed far down: the rest of it may be what determines everything else.
    memory_of_size: 1e-5,
    // Weights of some hundreds make as much of rounding.
    least_part: 512.0 * f64::EPSILON,
};

#[cfg(test)]
mod tests {
    use super::*;

    type Matrix = [[f64; STAGES]; STAGES];

    fn lower(rows: [&[f64]; STAGES]) -> Matrix {
        std::array::from_fn(|i| std::array::from_fn(|j| rows[i].get(j).copied().unwrap_or(0.0)))
    }

    fn product(a: &Matrix, b: &Matrix) -> Matrix {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..STAGES).map(|k| a[i][k] * b[k][j]).sum()))
    }

    /// The coefficients Γ, α and b of the method as it is defined (Hairer and Wanner, section IV.7), from the transformed ones:
    /// Γ⁻¹ = 1/γ − C, α = A Γ, b = m Γ.
    fn original() -> (Matrix, Matrix, [f64; STAGES]) {
        let coupling = lower(COUPLING);
        let mut gamma: Matrix = [[0.0; STAGES]; STAGES];
        for (i, coupling) in coupling.iter().enumerate() {
            let known = |j: usize| -> f64 { (j..i).map(|k| coupling[k] * gamma[k][j]).sum() };
            let row: [f64; STAGES] = std::array::from_fn(|j| GAMMA * if i == j { 1.0 } else { known(j) });
            gamma[i] = row;
        }
        let weights = step();
        let b = std::array::from_fn(|j| (0..STAGES).map(|i| weights[i] * gamma[i][j]).sum());
        (gamma, product(&lower(ARGUMENTS), &gamma), b)
    }

    #[track_caller]
    fn assert_close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    }

    #[test]
    fn rows_sum_to_nodes_and_time_weights() {
        let (gamma, alpha, _) = original();
        for i in 0..STAGES {
            assert_close(alpha[i].iter().sum(), NODES[i]);
            assert_close(gamma[i].iter().sum(), TIME_WEIGHTS[i]);
        }
    }

    /// Table 7.1 in Hairer and Wanner, section IV.7, and its continuation to order 5: a condition for each tree, with β = α + Γ at
    /// a vertex with one branch and α at one with more.
    #[test]
    fn the_step_is_of_order_5() {
        type Vector = [f64; STAGES];
        let (gamma, alpha, b) = original();
        let apply =
            |m: &Matrix, v: Vector| -> Vector { std::array::from_fn(|i| (0..STAGES).map(|j| m[i][j] * v[j]).sum()) };
        let a = |v: Vector| apply(&alpha, v);
        let beta = |v: Vector| -> Vector { std::array::from_fn(|i| apply(&alpha, v)[i] + apply(&gamma, v)[i]) };
        let times = |v: Vector, w: Vector| -> Vector { std::array::from_fn(|i| v[i] * w[i]) };
        let one = [1.0; STAGES];
        let (c, leaf) = (NODES, beta(one));
        let c2 = times(c, c);
        let conditions = [
            (one, 1.0),
            (leaf, 2.0),
            (c2, 3.0),
            (beta(leaf), 6.0),
            (times(c2, c), 4.0),
            (times(c, a(leaf)), 8.0),
            (beta(c2), 12.0),
            (beta(beta(leaf)), 24.0),
            (times(c2, c2), 5.0),
            (times(c2, a(leaf)), 10.0),
            (times(a(leaf), a(leaf)), 20.0),
            (times(c, a(c2)), 15.0),
            (times(c, a(beta(leaf))), 30.0),
            (beta(times(c2, c)), 20.0),
            (beta(times(c, a(leaf))), 40.0),
            (beta(beta(c2)), 60.0),
            (beta(beta(beta(leaf))), 120.0),
        ];
        for (vector, denominator) in conditions {
            assert_close(times(b, vector).iter().sum(), 1.0 / denominator);
        }
    }

    /// bᵀ β⁻¹ 1 = 1: the step ends on algebraic constraints, and very stiff components are gone after it.
    #[test]
    fn the_step_is_stiffly_accurate() {
        let (gamma, alpha, b) = original();
        let last: [f64; STAGES] = std::array::from_fn(|j| alpha[STAGES - 1][j] + gamma[STAGES - 1][j]);
        b.iter().zip(last).for_each(|(&b, last)| assert_close(b, last));
    }
}
