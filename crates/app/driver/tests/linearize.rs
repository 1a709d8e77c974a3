//! Linear models against closed forms.

use driver::{
    At, Level, Linearization, LocalMotion, Options, Settings, Weights, compile, linearize, oscillations, regulator,
    step, transfers,
};

fn model(text: &str, at: At, settings: &[&str]) -> Result<Linearization, String> {
    let options = Options { optimize: Level::None, ..Options::default() };
    let compilation = compile("test", text, &options);
    let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("{:#?}", compilation.diagnostics));
    let settings =
        Settings { parameters: settings.iter().map(|setting| (*setting).to_string()).collect(), ..Default::default() };
    let code = |found: &base::Diagnostics| found.iter().map(|found| found.code.0.to_string()).collect::<String>();
    linearize(stages, &settings, at).map_err(|found| code(&found))
}

fn linear(text: &str, at: At) -> Linearization {
    model(text, at, &[]).expect("a linear model")
}

/// Real and imaginary parts of the modes, the slowest to die away first.
fn assert_modes(found: &Linearization, expected: &[(f64, f64)]) {
    let mut left: Vec<(f64, f64)> = found.modes.iter().map(|mode| (mode.real, mode.imaginary)).collect();
    for &(real, imaginary) in expected {
        let size = (real * real + imaginary * imaginary).sqrt().max(1.0);
        let at = left.iter().position(|one| (one.0 - real).abs() + (one.1 - imaginary).abs() < 1e-10 * size);
        let at = at.unwrap_or_else(|| panic!("no mode {real} ± {imaginary} i in {left:?}"));
        left.remove(at);
    }
    assert!(left.is_empty(), "modes that nobody expects: {left:?}");
}

fn entry(found: &Linearization, matrix: &driver::Matrix, state: &str, column: usize) -> f64 {
    let row = found.states.iter().position(|one| one.name == state).unwrap_or_else(|| panic!("no state {state}"));
    matrix[row][column]
}

const PENDULUM: &str = "
    scene pendulum
    param length = 1.3 [m]
    param angle = 70 [deg]
    param friction = 0 [N*m*s]
    gravity 9.81 [m/s^2]
    frame swing in world { rotation = about x free }
    body bob in swing { position = (0, 0, -length); mass = 2 [kg] }
    torque on bob = (-friction * der(swing.angle), 0, 0)
    initially swing.angle == angle
    plot swing.angle, bob.position.y
";

#[test]
fn a_pendulum_swings_about_its_lowest_point() {
    let found = linear(PENDULUM, At::Anywhere);
    assert!(found.steps.is_some() && found.motion == LocalMotion::Rest);
    assert!(found.states.iter().all(|state| state.value.abs() < 1e-12));
    assert_modes(&found, &[(0.0, (9.81_f64 / 1.3).sqrt())]);
    // y = l sin(angle)
    assert!((found.c[1][0] - 1.3).abs() < 1e-12);
    let damped = model(PENDULUM, At::Equilibrium, &["friction=0.5"]).expect("a linear model");
    let decay = 0.5 / (2.0 * 1.3 * 1.3) / 2.0;
    assert_modes(&damped, &[(-decay, (9.81 / 1.3 - decay * decay).sqrt())]);
    let upright = model(PENDULUM, At::Equilibrium, &["angle=170"]).expect("a linear model");
    assert_modes(&upright, &[((9.81_f64 / 1.3).sqrt(), 0.0), (-(9.81_f64 / 1.3).sqrt(), 0.0)]);
}

#[test]
fn a_state_that_is_left_at_once_is_called_so() {
    let found = linear(PENDULUM, At::Initial);
    assert_eq!(found.motion, LocalMotion::Passing);
    let slope = -9.81 / 1.3 * libm::cos(70.0_f64.to_radians());
    assert!((found.a[1][0] - slope).abs() < 1e-12);
}

/// Two equal pendulums in a row: ω² = (2 ± √2) g / l.
#[test]
fn a_double_pendulum_has_two_modes() {
    let joints = "
        gravity 9.81 [m/s^2]
        frame upper in world { rotation = about x free(0.2) }
        body one in upper { position = (0, 0, -1) [m]; mass = 1 [kg] }
        frame lower in one { rotation = about x free(0.1) }
        body two in lower { position = (0, 0, -1) [m]; mass = 1 [kg] }
        plot one.position.y
    ";
    let rods = "
        gravity 9.81 [m/s^2]
        body one { position = (0, free(0.1 [m]), free(-1 [m])); mass = 1 [kg] }
        body two { position = (0, free(0.2 [m]), free(-2 [m])); mass = 1 [kg] }
        always |one.position| == 1 [m]
        always |two.position - one.position| == 1 [m]
        plot one.position.y
    ";
    let root = |sign: f64| (0.0, ((2.0 + sign * 2.0_f64.sqrt()) * 9.81).sqrt());
    let (joints, rods) = (linear(joints, At::Equilibrium), linear(rods, At::Equilibrium));
    assert_modes(&joints, &[root(-1.0), root(1.0)]);
    assert_modes(&rods, &[root(-1.0), root(1.0)]);
    assert_eq!((rods.states.len(), rods.dependent.len()), (4, 4));
    assert_eq!(
        rods.states.iter().map(|state| &state.name[..]).collect::<Vec<_>>(),
        ["one.y", "two.y", "one.y'", "two.y'"]
    );
}

/// Cart M, bob m on a rod of length l above it: λ² = (M + m) g / (M l), and a push of the cart tilts the rod by −1 / (M l).
#[test]
fn a_cart_balances_a_pendulum() {
    let found = linear(
        "
        gravity 9.81 [m/s^2]
        control push in [-10, 10] [N] = 0 [N]
        body cart { position = (free, 0, 0); mass = 2 [kg] }
        frame hinge in cart { rotation = about y free }
        body bob in hinge { position = (0, 0, 0.5) [m]; mass = 0.3 [kg] }
        force on cart = (push, 0, 0)
        plot cart.x, hinge.angle
        ",
        At::Initial,
    );
    assert_eq!(found.motion, LocalMotion::Rest);
    let rate = (2.3_f64 * 9.81 / (2.0 * 0.5)).sqrt();
    assert_modes(&found, &[(rate, 0.0), (-rate, 0.0), (0.0, 0.0), (0.0, 0.0)]);
    assert!((entry(&found, &found.b, "cart.x'", 0) - 0.5).abs() < 1e-12);
    assert!((entry(&found, &found.b, "hinge.angle'", 0) + 1.0).abs() < 1e-12);
    assert_eq!((found.inputs[0].name.as_str(), found.d[0][0]), ("push", 0.0));
}

/// Resistor, inductor and capacitor in a row: λ² + R / L λ + 1 / (L C) = 0.
#[test]
fn a_circuit_rings() {
    let found = linear(
        "
        use circuits
        control u in [-5, 5] [V] = 2 [V]
        ground: node { voltage = 0 [V] }
        n1: node
        n2: node
        n3: node
        source: voltage_source(n1, ground) { voltage = u }
        r: resistor(n1, n2) { resistance = 3 [ohm] }
        l: inductor(n2, n3) { inductance = 0.5 [H] }
        c: capacitor(n3, ground) { capacitance = 0.01 [F] }
        initially l.current == 0 [A]
        plot c.drop, r.drop
        ",
        At::Equilibrium,
    );
    assert_modes(&found, &[(-3.0, (1.0 / (0.5 * 0.01) - 9.0_f64).sqrt())]);
    assert!((found.outputs[0].value - 2.0).abs() < 1e-12 && found.outputs[1].value.abs() < 1e-12);
    let charge = found.states.iter().position(|state| state.name == "c.charge").expect("the charge");
    assert!((found.c[0][charge] - 100.0).abs() < 1e-10);
    assert!((entry(&found, &found.b, "l.current", 0) - 2.0).abs() < 1e-12);
}

/// A motor with a load: (L λ + R)(J λ + b) + k² = 0, at the speed where 12 V = R i + k ω and k i = b ω.
#[test]
fn a_motor_turns_its_load() {
    let found = linear(
        "
        use motors
        control u in [-20, 20] [V] = 12 [V]
        body shaft { rotation = about x free; mass = 1 [kg]; inertia = (0.02, 0.02, 0.02) [kg*m^2] }
        ground: node { voltage = 0 [V] }
        supply: node
        battery: voltage_source(supply, ground) { voltage = u }
        motor: dc_motor(supply, ground) { resistance = 2 [ohm]; inductance = 5 [mH]; constant = 0.3 [N*m/A] }
        law coupling { motor.angle == shaft.angle }
        torque on shaft = (motor.torque - 0.01 [N*m*s] * motor.speed, 0, 0)
        initially motor.current == 12 [A] / 11
        initially der(shaft.angle) == 360 [rad/s] / 11
        plot motor.speed
        ",
        At::Initial,
    );
    // The angle grows, and nothing depends on it.
    assert_eq!(found.motion, LocalMotion::Steady);
    let (sum, product): (f64, f64) = (2.0 / 0.005 + 0.01 / 0.02, (2.0 * 0.01 + 0.09) / (0.005 * 0.02));
    let root = (sum * sum / 4.0 - product).sqrt();
    assert_modes(&found, &[(0.0, 0.0), (-sum / 2.0 + root, 0.0), (-sum / 2.0 - root, 0.0)]);
}

/// A thin hoop that rolls upright at the rate Ω leans as θ″ = −(4 Ω² − g / r) θ / (3/2), so it falls below v² = g r / 4.
#[test]
fn a_rolling_hoop_is_steady() {
    let hoop = |speed: f64| {
        let text = format!(
            "
            gravity 9.81 [m/s^2]
            param r = 0.5 [m]
            frame place {{ position = (free, free, 0) }}
            frame heading in place {{ rotation = about z free }}
            frame lean in heading {{ rotation = about x free }}
            body hoop in lean {{
              position = (0, 0, r)
              rotation = about y free
              mass = 1 [kg]
              inertia = (0.125, 0.25, 0.125) [kg*m^2]
            }}
            always rolls: (velocity_at(hoop, place.position) in heading).x == 0
            always grips: (velocity_at(hoop, place.position) in heading).y == 0
            initially der(hoop.angle) == {speed} [rad/s]
            initially lean.angle == 0
            initially der(lean.angle) == 0
            initially der(heading.angle) == 0
            plot lean.angle
            "
        );
        linear(&text, At::Anywhere)
    };
    for speed in [1.0, 4.0] {
        let found = hoop(speed);
        assert_eq!(found.motion, LocalMotion::Steady);
        assert!(found.steps.is_none());
        let stiffness = (4.0 * speed * speed - 9.81 / 0.5) / 1.5;
        let expected = if stiffness > 0.0 { (0.0, stiffness.sqrt()) } else { ((-stiffness).sqrt(), 0.0) };
        let fastest = found.modes.iter().max_by(|a, b| (a.real + a.imaginary).total_cmp(&(b.real + b.imaginary)));
        let fastest = fastest.expect("modes");
        assert!(
            (fastest.real - expected.0).abs() + (fastest.imaginary - expected.1).abs() < 1e-9,
            "{speed}: {fastest:?} instead of {expected:?}"
        );
    }
}

/// The published eigenvalues: speed, capsize, real and imaginary part of the weave, castering.
const BICYCLE: [(f64, f64, f64, f64, f64); 10] = [
    (1.0, -3.13423125066578, 3.5269617099007, 0.8077402751993, -7.11008014637442),
    (2.0, -3.07158645641514, 2.68234517512745, 1.68066296590675, -8.67387984831735),
    (3.0, -2.63366137253667, 1.70675605663975, 2.31582447384325, -10.3510146724592),
    (4.0, -1.42944427361326, 0.41325331521125, 3.07910818603206, -12.15861426576447),
    (5.0, -0.32286642900409, -0.77534188219585, 4.46486771378823, -14.07838969279822),
    (6.0, -0.0040669007697, -1.52644486584142, 5.87673060598709, -16.08537123098026),
    (7.0, 0.10268170574766, -2.13875644258362, 7.19525913329805, -18.15788466125262),
    (8.0, 0.14327879765713, -2.69348683581097, 8.46037971396931, -20.27940894394569),
    (9.0, 0.15790184030917, -3.21675402252485, 9.69377351531791, -22.43788559040858),
    (10.0, 0.16105338653172, -3.72016840437287, 10.90681139476287, -24.62459635017404),
];

/// Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007) 1955.
#[test]
fn a_bicycle_weaves_capsizes_and_casters() {
    let text = include_str!("scenes/bicycle.anz");
    let joined = include_str!("../../../../examples/published/bicycle.anz");
    // Where it is, where it heads, how its wheels are turned and how fast it is: nothing depends on these.
    let ignorable = [(0.0, 0.0); 6];
    for (speed, capsize, weave, frequency, castering) in BICYCLE {
        let found = model(text, At::Initial, &[&format!("speed={speed}")]).expect("a linear model");
        assert_eq!(found.motion, LocalMotion::Steady);
        assert_modes(&found, &[&ignorable[..], &[(capsize, 0.0), (weave, frequency), (castering, 0.0)]].concat());
        // The same with joints of the library, which has other coordinates that nothing depends on.
        let found = model(joined, At::Initial, &[&format!("speed={speed}")]).expect("a linear model");
        for (real, imaginary) in [(capsize, 0.0), (weave, frequency), (castering, 0.0)] {
            let near = |mode: &driver::Mode| (mode.real - real).abs() + (mode.imaginary - imaginary).abs() < 1e-9;
            assert!(found.modes.iter().any(near), "{speed} m/s: no {real} ± {imaginary} i in {:?}", found.modes);
        }
    }
    let found = model(text, At::Initial, &["speed=0"]).expect("a linear model");
    assert_eq!(found.motion, LocalMotion::Rest);
    let standing = [3.13164324790656, 5.53094371765393].map(|rate| [(rate, 0.0), (-rate, 0.0)]).concat();
    let modes: Vec<(f64, f64)> = ignorable.into_iter().chain(standing).collect();
    assert_modes(&found, &modes);
}

/// Between two speeds the bicycle keeps itself upright: below them the weave grows, above them it capsizes. Slower still, the weave is
/// born of two real modes that meet.
#[test]
fn a_bicycle_is_stable_between_the_published_speeds() {
    let texts = [include_str!("scenes/bicycle.anz"), include_str!("../../../../examples/published/bicycle.anz")];
    let modes = |text: &str, speed: f64| -> Vec<(f64, f64)> {
        let found = model(text, At::Initial, &[&format!("speed={speed:.14}")]).expect("a linear model");
        found.modes.iter().map(|mode| (mode.real, mode.imaginary)).collect()
    };
    let near = |(real, imaginary): (f64, f64), expected: (f64, f64), by: f64| {
        (real - expected.0).abs() < by && (imaginary - expected.1).abs() < by
    };
    for text in texts {
        let weave = modes(text, 4.29238253634111);
        assert!(weave.iter().any(|&mode| near(mode, (0.0, 3.43503384866144), 1e-9)), "{weave:?}");
        // Capsizing is a real mode that changes its sign: slow before, slow after, on either side of zero.
        let capsize = |speed: f64| {
            let slow = modes(text, speed).into_iter().filter(|mode| mode.1 == 0.0 && mode.0.abs() > 1e-7);
            slow.map(|mode| mode.0).min_by(|a, b| a.abs().total_cmp(&b.abs())).expect("a slow mode")
        };
        const STEP: f64 = 1e-3;
        let [before, after] = [-STEP, STEP].map(|step| capsize(6.02426201538837 + step));
        assert!(before < 0.0 && 0.0 < after && after < 1e-3, "{before} {after}");
        // As it is smooth, it vanishes midway, but for its curvature.
        let curved = [-2.0 * STEP, 2.0 * STEP].map(|step| capsize(6.02426201538837 + step));
        let middle = (4.0 * (before + after) - (curved[0] + curved[1])) / 6.0;
        assert!(middle.abs() < 1e-9, "{middle}");
        // A double root of which the equations know 14 digits is known to 7, but the mean of the two to all.
        let mut double = modes(text, 0.68428307889246);
        double.retain(|&mode| near(mode, (3.78290405129320, 0.0), 1e-5));
        let sum: f64 = double.iter().map(|mode| if mode.1 == 0.0 { mode.0 } else { 2.0 * mode.0 }).sum();
        assert!((sum - 2.0 * 3.78290405129320).abs() < 1e-9, "{double:?}");
    }
}

#[test]
fn what_never_rests_is_refused() {
    let falling = "gravity 9.81 [m/s^2]\nbody stone { position = (0, 0, free); mass = 1 [kg] }\nplot stone.z";
    assert_eq!(model(falling, At::Equilibrium, &[]).err().as_deref(), Some("no-equilibrium"));
}

const CART_AND_POLE: &str = "
    control u in [-100, 100] [N] = 0 [N]
    gravity 9.81 [m/s^2]
    body cart { position = (0, free, 0); mass = 1 [kg] }
    frame pole in cart { rotation = about x free(180 [deg]) }
    body bob in pole { position = (0, 0, -0.5) [m]; mass = 0.3 [kg] }
    force on cart = (0, 1, 0) * u
    initially pole.angle == 180 [deg]
    plot cart.position.y, pole.angle
";

fn gain(text: &str, weights: &str) -> Result<driver::Regulator, base::Diagnostic> {
    regulator(&linear(text, At::Initial), &Weights::read(weights).expect("weights"))
}

fn assert_gain(text: &str, weights: &str, expected: &[f64], tolerance: f64) {
    let found = gain(text, weights).expect("a regulator");
    for (entry, expected) in found.k[0].iter().zip(expected) {
        assert!((entry - expected).abs() <= tolerance, "{:?} is not {expected:?}", found.k);
    }
}

/// A unit mass that is pushed: K = 1, √3; with the weights q and r, K = √(q/r), √(2 √(q/r) + p/r).
#[test]
fn a_mass_that_is_pushed_has_its_regulator() {
    let text = "control u in [-9, 9] [N] = 0 [N]\nbody mass { position = (free, 0, 0); mass = 1 [kg] }\nforce on mass = (u, 0 [N], 0 [N])\nplot mass.x";
    assert_gain(text, "I,1", &[1.0, 3.0_f64.sqrt()], 1e-13);
    let ratio = (5.0_f64 / 0.2).sqrt();
    assert_gain(text, "5 3,0.2", &[ratio, (2.0 * ratio + 3.0 / 0.2).sqrt()], 1e-12);
}

/// Computed with python-control.
#[test]
fn a_pole_is_kept_upright() {
    assert_gain(CART_AND_POLE, "I,1", &[-1.0, 34.01570316, -2.30974107, 7.05111537], 1e-8);
    let found = gain(CART_AND_POLE, "I,1").expect("a regulator");
    let expected = [(-0.72774091, 0.48301941), (-4.17037162, 0.0), (-6.16663623, 0.0)];
    for (mode, expected) in found.modes.iter().zip(expected) {
        assert!((mode.real - expected.0).abs() < 1e-8 && (mode.imaginary - expected.1).abs() < 1e-8);
    }
}

#[test]
fn what_cannot_be_stabilised_is_named() {
    let said = |text: &str, weights: &str| {
        let found = gain(text, weights).err().expect("no regulator");
        assert_eq!(found.code.0, "no-regulator");
        found.message
    };
    assert!(said(PENDULUM, "I,1").contains("no inputs"));
    let loose = format!("{CART_AND_POLE}\nbody other {{ position = (free, 3 [m], 0); mass = 1 [kg] }}");
    let message = said(&loose, "I,1");
    assert!(message.contains("no input moves") && message.contains("`other.x"), "{message}");
    let message = said(CART_AND_POLE, "0 1 0 1,1");
    assert!(message.contains("no weight sees") && message.contains("`cart.y"), "{message}");
    assert!(said(CART_AND_POLE, "1 1,1").contains("4 states, and 2 weights"));
    assert!(said(CART_AND_POLE, "I,0").contains("positive"));
    assert!(Weights::read("I").is_err() && Weights::read("1 x,2").is_err());
}

/// u to the cart and the pole: (s² − g/l)/(s² (s² − (1 + m₂/m₁) g/l)) and 2/(s² − …), whose common zeros at s = 0 are left out.
#[test]
fn transfer_functions_are_those_of_the_textbook() {
    let found = linear(CART_AND_POLE, At::Initial);
    let all = transfers(&found).expect("transfer functions");
    let pole = 1.3 * 9.81 / 0.5;
    for (transfer, (top, bottom)) in all
        .iter()
        .zip([(vec![1.0, 0.0, -9.81 / 0.5], vec![1.0, 0.0, -pole, 0.0, 0.0]), (vec![2.0], vec![1.0, 0.0, -pole])])
    {
        let found = transfer.polynomials();
        for (found, expected) in [(found.0, top), (found.1, bottom)] {
            assert_eq!(found.len(), expected.len());
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-11), "{found:?} is not {expected:?}");
        }
    }
}

/// x″ + 2 ζ ω x′ + ω² x = u: both answers in closed form.
#[test]
fn an_oscillator_answers_as_it_should() {
    let text = "control u in [-9, 9] [N] = 0 [N]\nbody mass { position = (free, 0, 0); mass = 1 [kg] }\n\
                force on mass = (u - 9 [N/m] * mass.x - 1.2 [N*s/m] * mass.x', 0 [N], 0 [N])\nplot mass.x";
    let found = linear(text, At::Initial);
    let (w, z) = (3.0_f64, 0.2_f64);
    for answer in oscillations(&found, 0, 0, 31) {
        let (re, im) = (w * w - answer.frequency * answer.frequency, 2.0 * z * w * answer.frequency);
        assert!((answer.size * (re * re + im * im).sqrt() - 1.0).abs() < 1e-12);
        assert!((answer.phase + libm::atan2(im, re)).abs() < 1e-12);
    }
    let damped = w * (1.0 - z * z).sqrt();
    for (t, row) in step(&found, 0, 21) {
        let decay = libm::exp(-z * w * t);
        let expected = (1.0 - decay * (libm::cos(damped * t) + z * w / damped * libm::sin(damped * t))) / (w * w);
        assert!((row[0] - expected).abs() < 1e-13, "{t}: {} is not {expected}", row[0]);
    }
}
