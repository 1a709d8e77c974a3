//! What closed forms need: elliptic integrals and functions, quaternions, and a plain integrator for textbook equations.

use std::f64::consts::PI;

/// The arithmetic-geometric mean.
pub fn agm(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 4e-16 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// The complete elliptic integral of the first kind, of modulus k.
pub fn complete_k(k: f64) -> f64 {
    0.5 * PI / agm(1.0, (1.0 - k * k).sqrt())
}

/// sn, cn and dn of modulus k, by descending Landen transformations (Abramowitz and Stegun 16.4).
pub fn jacobi(u: f64, k: f64) -> (f64, f64, f64) {
    let (mut a, mut b, mut c) = (vec![1.0], (1.0 - k * k).sqrt(), vec![k]);
    while c[c.len() - 1].abs() > 4e-16 {
        let last = a[a.len() - 1];
        a.push(0.5 * (last + b));
        c.push(0.5 * (last - b));
        b = (last * b).sqrt();
    }
    let n = a.len() - 1;
    let mut phi = f64::powi(2.0, n as i32) * a[n] * u;
    for at in (1..=n).rev() {
        phi = 0.5 * (phi + (c[at] / a[at] * phi.sin()).asin());
    }
    let (sine, cosine) = phi.sin_cos();
    (sine, cosine, (1.0 - k * k * sine * sine).sqrt())
}

/// The period of a pendulum with this amplitude and g / length.
pub fn pendulum_period(amplitude: f64, g_over_length: f64) -> f64 {
    2.0 * PI / (g_over_length.sqrt() * agm(1.0, (0.5 * amplitude).cos()))
}

/// The angle of a pendulum released at rest from an amplitude below a half turn.
pub fn pendulum_angle(amplitude: f64, g_over_length: f64, t: f64) -> f64 {
    let k = (0.5 * amplitude).sin();
    let (sn, _, _) = jacobi(complete_k(k) - g_over_length.sqrt() * t, k);
    2.0 * (k * sn).asin()
}

/// The classical Runge–Kutta method with fixed steps, in two runs that are extrapolated: slow, short and obvious.
pub fn integrate<const N: usize>(rate: impl Fn(f64, [f64; N]) -> [f64; N], start: [f64; N], until: f64) -> [f64; N] {
    let run = |steps: usize| {
        let h = until / steps as f64;
        let mut y = start;
        for step in 0..steps {
            let t = step as f64 * h;
            let shifted = |by: f64, k: [f64; N]| std::array::from_fn(|i| y[i] + by * k[i]);
            let k1 = rate(t, y);
            let k2 = rate(t + 0.5 * h, shifted(0.5 * h, k1));
            let k3 = rate(t + 0.5 * h, shifted(0.5 * h, k2));
            let k4 = rate(t + h, shifted(h, k3));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        y
    };
    let (coarse, fine) = (run(4000), run(8000));
    std::array::from_fn(|i| fine[i] + (fine[i] - coarse[i]) / 15.0)
}

pub fn norm(a: [f64; 3]) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

/// The unit quaternion of a turn about an axis of any length.
pub fn turn(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let size = norm(axis);
    [cosine, axis[0] / size * sine, axis[1] / size * sine, axis[2] / size * sine]
}

pub fn multiply(p: [f64; 4], q: [f64; 4]) -> [f64; 4] {
    let ([a, b, c, d], [w, x, y, z]) = (p, q);
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

#[test]
fn elliptic_functions_have_their_known_values() {
    // K(1/√2) = Γ(1/4)² / (4 √π)
    let k = 0.5_f64.sqrt();
    assert!((complete_k(k) - 1.854_074_677_301_371_9).abs() < 1e-15);
    // sn(K/2) = 1 / √(1 + k'), Abramowitz and Stegun 16.5.2
    let (sn, cn, dn) = jacobi(0.5 * complete_k(k), k);
    assert!((sn - 1.0 / (1.0 + k).sqrt()).abs() < 1e-15);
    assert!((sn * sn + cn * cn - 1.0).abs() < 1e-15 && (dn * dn + k * k * sn * sn - 1.0).abs() < 1e-15);
}

#[test]
fn the_plain_integrator_is_good_to_twelve_digits() {
    let [x, v] = integrate(|_, [x, v]| [v, -x], [1.0, 0.0], 5.0);
    assert!((x - 5.0_f64.cos()).abs() < 1e-13 && (v + 5.0_f64.sin()).abs() < 1e-13);
}
