//! Forms that equations may take: constants, second names, implicit and nonlinear equations, prescribed motion, any start.

use expr::Operator;

use crate::build::{Builder, close, refused, run, run_at};

/// mass == density * volume and the like are known before anything moves; weight == mass * g.
#[test]
fn constants_follow_from_constants() {
    let mut b = Builder::new("constants");
    let arena = b.arena();
    let (density, volume, mass, weight) =
        (b.constant("density"), b.constant("volume"), b.constant("mass"), b.variable("weight"));
    let length = b.parameter("length", 2.0);
    b.law("a", weight, arena.scale(9.81, mass));
    b.law("b", arena.multiply(density, volume), mass);
    b.law("c", volume, arena.power(length, 3));
    b.law("d", density, b.number(5.0));
    b.show("mass", mass);
    b.show("weight", weight);
    let ran = run(&b.system, 1.0, 1.0);
    close(ran.end(), &[40.0, 392.4], 1e-14);
    assert_eq!(ran.states, 0);
}

/// x² == 2 has no explicit solution; the constant is found at the start.
#[test]
fn a_constant_may_be_found_by_iteration() {
    let mut b = Builder::new("root");
    let arena = b.arena();
    let (root, x) = (b.constant("root"), b.variable("x"));
    b.law("square", arena.power(root, 2), b.number(2.0));
    let rate = b.rate(x);
    b.law("grow", rate, root);
    b.show("x", x);
    let ran = run(&b.system, 1.0, 1.0);
    close(&[ran.end()[0].abs()], &[2.0_f64.sqrt()], 1e-9);
    assert_eq!(ran.assumed, ["x"]);
}

#[test]
fn a_constant_without_a_value_is_missed() {
    let mut b = Builder::new("open");
    let (mass, x) = (b.constant("mass"), b.variable("x"));
    let rate = b.rate(x);
    b.law("grow", rate, mass);
    let errors = refused(&b.system);
    assert!(errors[0].contains("`mass`"), "{errors:?}");
}

/// a = -b, b = c, c' = -c: three names of one state.
#[test]
fn second_names_are_one_quantity() {
    let mut b = Builder::new("aliases");
    let arena = b.arena();
    let (first, second, third) = (b.variable("a"), b.variable("b"), b.started("c", 1.0));
    b.law("opposite", first, arena.negate(second));
    b.law("same", second, third);
    let rate = b.rate(second);
    b.law("decay", rate, first);
    let slope = b.rate(first);
    b.show("a", first);
    b.show("b", second);
    b.show("a'", slope);
    let ran = run(&b.system, 1.0, 0.5);
    assert_eq!(ran.states, 1);
    for (t, row) in &ran.rows {
        let decayed = libm::exp(-t);
        close(row, &[-decayed, decayed, decayed], 1e-9);
    }
}

/// x'' + x = 0 in four equations, as a theory of particles would write it.
#[test]
fn momentum_and_velocity_need_no_differentiation() {
    let mut b = Builder::new("oscillator");
    let arena = b.arena();
    let (mass, x, v, p, force) =
        (b.constant("mass"), b.variable("x"), b.variable("v"), b.variable("p"), b.variable("force"));
    b.law("mass", mass, b.number(2.0));
    b.law("momentum", p, arena.multiply(mass, v));
    let rate = b.rate(p);
    b.law("newton", force, rate);
    let rate = b.rate(x);
    b.law("velocity", v, rate);
    b.law("hooke", force, arena.scale(-2.0, x));
    b.initially(p, b.number(2.0));
    b.show("x", x);
    b.show("v", v);
    let ran = run(&b.system, 2.0, 0.5);
    assert_eq!((ran.states, ran.assumed), (2, vec!["x".to_string()]));
    for (t, row) in &ran.rows {
        close(row, &[libm::sin(*t), libm::cos(*t)], 1e-8);
    }
}

/// The force that makes a mass go where it is told: x = sin t, F = m x'' , found by differentiating what is prescribed.
#[test]
fn a_prescribed_motion_tells_its_force() {
    let mut b = Builder::new("inverse dynamics");
    let arena = b.arena();
    let (x, force) = (b.variable("x"), b.variable("force"));
    let velocity = b.rate(x);
    let acceleration = b.rate(velocity);
    b.law("newton", arena.scale(3.0, acceleration), force);
    b.law("prescribed", x, arena.apply(Operator::Sin, &[b.time()]));
    b.show("x", x);
    b.show("force", force);
    let ran = run(&b.system, 4.0, 0.5);
    assert_eq!((ran.orders, ran.states), (vec![("force".to_string(), 0)], 0));
    assert!(ran.assumed.is_empty());
    for (t, row) in &ran.rows {
        close(row, &[libm::sin(*t), -3.0 * libm::sin(*t)], 1e-8);
    }
}

/// The same where the motion is prescribed in a way that says nothing outright: x + x³ = eᵗ + e³ᵗ, so x = eᵗ.
#[test]
fn an_implicitly_prescribed_motion_tells_its_force() {
    let mut b = Builder::new("implicit inverse dynamics");
    let arena = b.arena();
    let (x, force) = (b.variable("x"), b.variable("force"));
    let velocity = b.rate(x);
    let acceleration = b.rate(velocity);
    let power = arena.multiply(velocity, velocity);
    b.law("newton", arena.add(acceleration, power), force);
    let cubic = |value| arena.add(value, arena.power(value, 3));
    b.law("prescribed", cubic(x), cubic(arena.apply(Operator::Exp, &[b.time()])));
    b.show("x", x);
    b.show("force", force);
    let ran = run(&b.system, 2.0, 0.5);
    assert_eq!(ran.orders, [("x".to_string(), 2), ("force".to_string(), 0)]);
    assert!(ran.assumed.is_empty());
    assert!(ran.constraint_error < 1e-10);
    for (t, row) in &ran.rows {
        close(row, &[libm::exp(*t), libm::exp(*t) + libm::exp(2.0 * t)], 1e-8);
    }
}

/// y + exp(y) = 1 + x + exp(1 + x) has y = 1 + x; z = y² follows, and x' = y.
#[test]
fn an_algebraic_equation_is_solved_by_iteration() {
    for level in [program::Level::Full, program::Level::None] {
        let mut b = Builder::new("implicit");
        let arena = b.arena();
        let (x, y, z) = (b.variable("x"), b.variable("y"), b.variable("z"));
        let exp = |value| arena.apply(Operator::Exp, &[value]);
        let shifted = arena.add(arena.one(), x);
        b.law("implicit", arena.add(y, exp(y)), arena.add(shifted, exp(shifted)));
        let rate = b.rate(x);
        b.law("grow", rate, y);
        b.law("square", z, arena.power(y, 2));
        b.show("x", x);
        b.show("z", z);
        let ran = run_at(&b.system, 1.0, 0.25, level);
        for (t, row) in &ran.rows {
            close(row, &[libm::exp(*t) - 1.0, libm::exp(2.0 * t)], 1e-8);
        }
    }
}

/// The rate may be given instead of the value: x' = -x, and x'(0) = 3.
#[test]
fn a_start_may_be_stated_of_derivatives() {
    let mut b = Builder::new("start");
    let arena = b.arena();
    let x = b.variable("x");
    let rate = b.rate(x);
    let curvature = b.rate(rate);
    b.law("decay", rate, arena.negate(x));
    b.initially(curvature, b.number(-3.0));
    b.show("x", x);
    b.show("x''", curvature);
    let ran = run(&b.system, 1.0, 0.5);
    assert!(ran.assumed.is_empty());
    for (t, row) in &ran.rows {
        let value = -3.0 * libm::exp(-t);
        close(row, &[value, value], 1e-9);
    }
}

#[test]
fn too_few_and_too_many_equations_are_named() {
    let mut b = Builder::new("few");
    let arena = b.arena();
    let (x, y) = (b.variable("x"), b.variable("y"));
    b.law("sum", arena.add(x, arena.scale(2.0, y)), b.time());
    let errors = refused(&b.system);
    assert!(errors[0].starts_with("under-determined") && errors[0].contains("`x`"), "{errors:?}");

    let mut b = Builder::new("many");
    let arena = b.arena();
    let x = b.variable("x");
    b.law("first", arena.power(x, 2), b.time());
    b.law("second", arena.power(x, 3), arena.one());
    let errors = refused(&b.system);
    assert!(errors[0].contains("`second`"), "{errors:?}");
}

/// What is known at all times cannot be something else at the start.
#[test]
fn a_start_against_what_is_known_is_refused() {
    let mut b = Builder::new("ground");
    let ground = b.variable("ground");
    b.law("grounded", ground, b.number(0.0));
    b.initially(ground, b.number(5.0));
    let errors = refused(&b.system);
    assert!(errors[0].contains("`initial 1` cannot hold at the start"), "{errors:?}");
}
