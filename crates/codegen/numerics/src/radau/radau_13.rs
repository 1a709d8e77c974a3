//! The seven-stage method of Radau, type IIA (Hairer and Wanner, sections IV.5 and IV.8): collocation at the zeros of
//! d⁶/dx⁶ (x⁶ (x − 1)⁷). Order 13, L-stable, stiffly accurate.
//!
//! The numbers were computed from the nodes with sixty digits; the tests below check what defines them.

use crate::steps::StepControl;

pub const STAGES: usize = 7;

pub type Square = [[f64; STAGES]; STAGES];

/// Where in the step the equations hold.
pub const NODES: [f64; STAGES] = [
    0.029316427159784893,
    0.1480785996684843,
    0.3369846902811543,
    0.5586715187715501,
    0.7692338620300545,
    0.9269456713197411,
    1.0,
];

/// The integrals of the polynomials that are one at a node and zero at the others, up to each node.
pub const INTEGRALS: Square = [
    [
        0.03754626499392133,
        -0.0140393345564604,
        0.0103527896007423,
        -0.008158322540275011,
        0.006388413879534685,
        -0.004602326779148656,
        0.0018289425614706437,
    ],
    [
        0.08014759651561897,
        0.08106206398589154,
        -0.021237992120711036,
        0.014000291238817119,
        -0.010234185730090163,
        0.0071534651513645905,
        -0.0028126393724067235,
    ],
    [
        0.0720638469418819,
        0.17106835498388662,
        0.10961456404007211,
        -0.024619871728984055,
        0.014760377043950817,
        -0.009575259396791401,
        0.0036726783971383057,
    ],
    [
        0.07570512581982441,
        0.15409015514217114,
        0.2271077366732024,
        0.11747818703702478,
        -0.023810827153044174,
        0.012709985533661206,
        -0.004608844281289633,
    ],
    [
        0.07391234216319184,
        0.16135560761594242,
        0.2068672415521042,
        0.23700711534269422,
        0.10308679353381345,
        -0.018854139152580447,
        0.0058589009748887914,
    ],
    [
        0.07470556205979623,
        0.1583072238724687,
        0.21415342326720002,
        0.21987784703186003,
        0.19875212168063527,
        0.06926550160550914,
        -0.00811600819772829,
    ],
    [
        0.07449423555601031,
        0.15910211573365074,
        0.21235188950297781,
        0.22355491450728324,
        0.19047493682211558,
        0.1196137446126562,
        0.02040816326530612,
    ],
];

/// The real eigenvalue of the inverse of the integrals.
pub const REAL: f64 = 8.936832788405216;

/// Its complex ones, α ± β i.
pub const PAIRS: [(f64, f64); STAGES / 2] = [
    (8.511834825102946, 3.281013624325059),
    (7.14105521918764, 6.623045922639276),
    (4.378693561506806, 10.169693283795011),
];

/// What splits the stages into one real system and three complex ones: from parts to stages, and back.
/// BACK · INTEGRALS⁻¹ · PARTS has the real eigenvalue, then blocks ((α, β), (−β, α)).
pub const PARTS: Square = [
    [
        0.0024435843048706113,
        -0.0012386461879528741,
        0.0027606174805438525,
        -0.004055161452331024,
        -0.004427232753268285,
        0.021567551351320772,
        -0.008783567925144144,
    ],
    [
        -0.001815339648319317,
        -6.666635339396339e-05,
        -0.00318547482516621,
        0.00841556827655959,
        0.00403194957022455,
        -0.03813164813441155,
        0.021525560594006874,
    ],
    [
        0.004605339331161875,
        -0.0023521809829433384,
        -0.00041690777252975626,
        -0.008560431061603433,
        0.006923212665023909,
        0.05739650893938172,
        -0.05885052920842679,
    ],
    [
        0.017870023342853068,
        0.0031150711523461752,
        -0.025116604913438822,
        -0.03737124230238446,
        -0.00823900729850772,
        -0.03821469359696835,
        0.16573681127294385,
    ],
    [
        0.12818100807728391,
        0.10171773248171515,
        -0.09504502035604623,
        0.0053667613791817705,
        -0.19321111610126201,
        -0.2491742124652637,
        -0.27356330579866234,
    ],
    [
        0.5200651497488247,
        0.5217519452747653,
        -0.1280719446355439,
        0.5265742264584493,
        -0.27553439498962584,
        0.5315846490836285,
        -0.4863228366175729,
    ],
    [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0],
];

pub const BACK: Square = [
    [
        227.51530596268069,
        166.64802246760974,
        43.26514588452621,
        3.623090061341016,
        3.572674832938798,
        -2.7435563656033675,
        1.4514535402547504,
    ],
    [
        -299.1862480282521,
        -243.04074536874478,
        -48.77710407803787,
        -2.0386719057419342,
        1.673560239861085,
        -1.0873740320571061,
        0.9019382492960993,
    ],
    [
        93.0765028974353,
        -23.881631056281144,
        -39.278880730813846,
        -14.38891568549108,
        3.5104383993993613,
        -4.8632848855661805,
        2.2464827295912397,
    ],
    [
        74.6783322350227,
        87.40858897990081,
        4.024158737379998,
        -3.714806315158364,
        -3.4300939859823174,
        2.6966048097653124,
        -0.9386927436075462,
    ],
    [
        -58.356528851906575,
        10.06877395780018,
        30.36638884256667,
        1.020020865184866,
        0.11241750037842496,
        -1.8906408310003777,
        0.9716486393831483,
    ],
    [
        -3.007390169451292,
        -11.015866078765772,
        1.4877994561316563,
        2.1303881595592826,
        -1.8161410868175656,
        1.134325587895161,
        -0.41469904594330353,
    ],
    [
        8.441963188321084,
        0.650525274057515,
        -6.9406707303698765,
        3.2050475255978985,
        -1.0712809435464785,
        0.3548507491216222,
        -0.09198549132786554,
    ],
];

/// The difference to a formula of order 7 that also takes the slope at the beginning, with weight 1 / REAL: in stages.
pub const ERROR: [f64; STAGES] = [
    -6.084307291132809,
    0.7832779430920006,
    -0.2635901496382284,
    0.12669914419515418,
    -0.0723848528985174,
    0.04336361600925824,
    -0.01598520932857644,
];

pub const CONTROL: StepControl = StepControl {
    error_power: 16,
    memory_power: 0,
    start_power: 16,
    least_factor: 0.2,
    greatest_factor: 6.0,
    // What dies away is followed far down: the rest of it may be what determines everything else.
    memory_of_size: 1e-5,
    least_part: 16.0 * f64::EPSILON,
};

#[cfg(test)]
mod tests {
    use super::*;

    fn power(x: f64, exponent: usize) -> f64 {
        (0..exponent).map(|_| x).product()
    }

    fn product(a: &Square, b: &Square) -> Square {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..STAGES).map(|k| a[i][k] * b[k][j]).sum()))
    }

    #[track_caller]
    fn assert_close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    }

    /// Collocation: polynomials up to degree 6 are integrated exactly up to each node; and up to degree 12 to the end, so the
    /// order is 13.
    #[test]
    fn polynomials_are_integrated_exactly() {
        for (row, &node) in INTEGRALS.iter().zip(&NODES) {
            let last = if node == 1.0 { 2 * STAGES - 1 } else { STAGES };
            for exponent in 1..=last {
                let sum = row.iter().zip(NODES).map(|(weight, node)| weight * power(node, exponent - 1)).sum();
                assert_close(sum, power(node, exponent) / exponent as f64);
            }
        }
        assert_eq!(NODES[STAGES - 1], 1.0, "the step ends on a stage");
    }

    /// PARTS · Λ = INTEGRALS⁻¹ · PARTS, with the inverse on the other side.
    #[test]
    fn parts_are_eigenvectors() {
        let mut blocks = [[0.0; STAGES]; STAGES];
        blocks[0][0] = REAL;
        for (k, (alpha, beta)) in PAIRS.into_iter().enumerate() {
            let (first, second) = (1 + 2 * k, 2 + 2 * k);
            (blocks[first][first], blocks[first][second]) = (alpha, beta);
            (blocks[second][first], blocks[second][second]) = (-beta, alpha);
        }
        let split = product(&INTEGRALS, &product(&PARTS, &blocks));
        let one = product(&BACK, &PARTS);
        for i in 0..STAGES {
            for j in 0..STAGES {
                assert_close(split[i][j], PARTS[i][j]);
                assert_close(one[i][j], if i == j { 1.0 } else { 0.0 });
            }
        }
    }

    /// With the stages of a polynomial of degree up to 7, the estimate is zero.
    #[test]
    fn the_error_estimate_is_of_order_7() {
        for exponent in 1..=STAGES {
            let sum: f64 = ERROR.iter().zip(NODES).map(|(weight, node)| weight * power(node, exponent)).sum();
            let first_slope = if exponent == 1 { 1.0 / REAL } else { 0.0 };
            assert_close(sum + first_slope, 0.0);
        }
    }
}
