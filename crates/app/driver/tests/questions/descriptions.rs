//! Motions in words: what oscillates, fades, tumbles, touches.

use driver::Answers;

use crate::{asked, close};

/// What is said of the first thing that a scene describes: the remark that begins with a word, and one of its numbers.
fn remark(answers: &Answers, what: &str, value: &str) -> f64 {
    let remarks = &answers.descriptions.first().unwrap_or_else(|| panic!("{:?}", answers.dead_ends)).remarks;
    let remark = remarks.iter().find(|it| it.what == what).unwrap_or_else(|| panic!("not `{what}`: {remarks:?}"));
    remark.values.iter().find(|(name, _)| name == value).unwrap_or_else(|| panic!("{remark:?}")).1
}

fn said(answers: &Answers) -> Vec<&'static str> {
    answers.descriptions[0].remarks.iter().map(|it| it.what).collect()
}

/// The complete elliptic integral by the arithmetic and geometric mean.
fn elliptic(modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - modulus * modulus).sqrt());
    for _ in 0..30 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

#[test]
fn a_pendulum_oscillates_with_the_period_of_the_elliptic_integral() {
    let text = "scene p\ngravity 9.81 [m/s^2]\nframe swing { rotation = about y free }\n\
                body bob in swing { position = (0, 0, -1) [m]; mass = 1 [kg] }\n\
                initially swing.angle == 60 [deg]\ndescribe bob over 20 [s]\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(remark(&answers, "oscillates", "period"), 4.0 / 9.81_f64.sqrt() * elliptic(0.5), 1e-8);
    close(remark(&answers, "covers", "x to"), 3.0_f64.sqrt() / 2.0, 1e-7);
    close(remark(&answers, "covers", "z to"), -0.5, 1e-7);
    assert_eq!(said(&answers), ["oscillates", "swings", "covers"]);
}

#[test]
fn a_damped_spring_fades_and_comes_to_rest() {
    let text = "scene d\nbody b { position = (free, 0, 0); mass = 1 [kg] }\n\
                force on b = (-25 [N/m] * b.position.x - 2 [kg/s] * b.velocity.x, 0 [N], 0 [N])\n\
                initially b.position.x == 1 [m]\ninitially b.velocity.x == 0\ndescribe b.position.x over 12 [s]\n";
    let (answers, found) = asked(text, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    let fast = 24.0_f64.sqrt();
    close(remark(&answers, "oscillates", "period"), std::f64::consts::TAU / fast, 1e-7);
    close(remark(&answers, "oscillates", "factor"), libm::exp(-std::f64::consts::PI / fast), 1e-6);
    // The speed is 25/√24 e^(−t) |sin √24 t|: the last time that it is above a thousandth of its greatest.
    let speed = |t: f64| libm::exp(-t) * libm::sin(fast * t).abs();
    let greatest = speed(libm::atan(fast) / fast);
    let grid = |at: usize| at as f64 * 1e-6;
    let last = (0..12_000_000).rev().map(grid).find(|t| speed(*t) > 1e-3 * greatest).expect("it moves");
    close(remark(&answers, "comes to rest", "t"), last, 1e-5);
}

#[test]
fn a_free_asymmetric_top_tumbles_and_spins_about_its_other_axes() {
    let top = |omega: &str| {
        format!(
            "scene t\nbody top {{ position = (0, 0, 0); rotation = free; mass = 1 [kg]; inertia = (1, 2, 3) [kg*m^2] }}\n\
             initially top.omega == {omega} [rad/s]\ndescribe top over 300 [s]\n"
        )
    };
    let (answers, found) = asked(&top("(0.01, 1, 0)"), &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    assert!(said(&answers).contains(&"tumbles"), "{:?}", answers.descriptions);
    // Landau and Lifshitz, section 37, with L² < 2 E I2 here, so that the roles of the first and the third axis are exchanged.
    let (i, w) = ([1.0, 2.0, 3.0], [0.01, 1.0, 0.0]);
    let twice: f64 = (0..3).map(|k| i[k] * w[k] * w[k]).sum();
    let square: f64 = (0..3).map(|k| i[k] * i[k] * w[k] * w[k]).sum();
    let modulus = ((i[1] - i[0]) * (twice * i[2] - square) / ((i[2] - i[1]) * (square - twice * i[0]))).sqrt();
    let (rate, modulus) = match modulus <= 1.0 {
        true => (((i[2] - i[1]) * (square - twice * i[0]) / (i[0] * i[1] * i[2])).sqrt(), modulus),
        false => (((i[1] - i[0]) * (twice * i[2] - square) / (i[0] * i[1] * i[2])).sqrt(), 1.0 / modulus),
    };
    close(remark(&answers, "tumbles", "period"), 4.0 * elliptic(modulus) / rate, 1e-6);
    let (steady, _) = asked(&top("(0, 0, 1)"), &[], &[]);
    close(remark(&steady, "spins", "rate"), 1.0, 1e-9);
    let (wobbling, _) = asked(&top("(0.1, 0.1, 1)"), &[], &[]);
    assert!(said(&wobbling).contains(&"wobbles"), "{:?}", wobbling.descriptions);
}

#[test]
fn what_may_be_hit_is_said_and_what_touches_is_counted() {
    let ball = "scene h\ngravity 10 [m/s^2]\nbody ball { position = (0, 0, free); mass = 1 [kg]; shape = sphere(0.1 [m]) }\n\
                frame post { position = (0, 0, 1) [m]; shape = box(0.2 [m], 0.2 [m], 0.2 [m]) }\n\
                frame wall { position = (2, 0, 1) [m]; shape = box(0.2 [m], 4 [m], 4 [m]) }\n\
                initially ball.position.z == 2 [m]\ninitially ball.velocity.z == 0\ndescribe ball over 1 [s]\n";
    let (answers, _) = asked(ball, &[], &[]);
    let texts: Vec<&str> = answers.descriptions[0].remarks.iter().map(|it| it.text.as_str()).collect();
    assert!(texts.iter().any(|it| it.starts_with("may hit `post`")), "{texts:?}");
    assert!(texts.iter().any(|it| it.starts_with("stays clear of `wall`")), "{texts:?}");
    // The boxes meet after a fall of 0.8 m.
    close(remark(&answers, "may hit", "t"), 0.4, 6e-3);
    let dropped = "scene f\ngravity 10 [m/s^2]\nsurface floor: z == 0\nbody ball { position = (0, 0, free); mass = 1 [kg]; shape = sphere(0.1 [m]) }\n\
                   contact ball, floor { restitution = 0 }\ninitially ball.position.z == 1.1 [m]\ninitially ball.velocity.z == 0\n\
                   describe ball over 2 [s]\n";
    let (answers, found) = asked(dropped, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(remark(&answers, "hits", "impacts"), 1.0, 0.0);
    close(remark(&answers, "comes to rest", "t"), 0.2_f64.sqrt(), 1e-6);
}
