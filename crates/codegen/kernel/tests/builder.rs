//! The builder: what it writes, what it folds, and the mistakes it refuses.

use kernel::{FunctionBuilder, ModuleBuilder, Term, Type::*, load, print, verify};

/// The text of a function of `x: real` and `n: integer`, after its head.
fn written(body: impl FnOnce(&mut FunctionBuilder)) -> String {
    let mut module = ModuleBuilder::new("m");
    module.function("f", &[("x", Real), ("n", Integer)], &[], body);
    let text = print(&module.finish());
    let lines = text.lines().skip(3).filter(|line| !line.trim().starts_with("let ")).map(str::trim);
    lines.collect::<Vec<_>>().join(" ").trim_end_matches(" }").into()
}

#[test]
fn a_template_reads_like_its_algorithm() {
    let mut module = ModuleBuilder::new("pendulum");
    let y = module.real_array("y", 2, "angle and its rate");
    let rate = module.real_array("y'", 2, "");
    let derivative = module.declare("derivative", &[("t", Real)], &[Integer]);
    let sine = module.declare("sine", &[("x", Real)], &[Real]);
    module.define(derivative, |f| {
        let [t] = f.parameters();
        let s = f.call1(sine, load(y, 0));
        f.store(rate, 0, load(y, 1));
        f.store(rate, 1, -9.81 * s - 0.1 * t);
        f.return_(0);
    });
    module.define(sine, |f| {
        f.note("three terms are enough here");
        let x = f.parameter(0);
        let square = f.bind("square", x * x);
        f.return_(x * (1.0 - square / 6.0 * (1.0 - square / 20.0)));
    });
    let module = module.finish();
    assert_eq!(verify(&module), Ok(()));
    assert_eq!(
        print(&module),
        "\
module pendulum;

/// angle and its rate
array y: real[2];

array y_dot: real[2];

fn derivative(t: real) -> integer {
    let sine_result: real;
    sine_result = call sine(y[0]);
    y_dot[0] = y[1];
    y_dot[1] = -9.81 * sine_result - 0.1 * t;
    return 0;
}

fn sine(x: real) -> real {
    let square: real;
    // three terms are enough here
    square = x * x;
    return x * (1.0 - square / 6.0 * (1.0 - square / 20.0));
}
"
    );
}

#[test]
fn control_flow() {
    let text = written(|f| {
        let [x, n] = f.parameters();
        f.loop_(|f| {
            f.if_else(x.gt(0.0).and(n.ne_(3)), |f| f.break_(), |f| f.assign(x, x.abs().max(1.0)));
        });
        f.for_each("i", 0, n, |f, i| f.if_(i.eq_(2).logical_not(), |f| f.increase(x, i.to_real())));
        f.while_(n.lt(9), |f| f.assign(n, n + 1));
        f.return_(());
    });
    let expected = "while 1 { if x > 0.0 & n != 3 { break; } else { x = max(abs(x), 1.0); } } \
                    for i in 0 .. n { if i == 2 == 0 { x = x + real(i); } } while n < 9 { n = n + 1; } return;";
    assert_eq!(text, expected);
}

#[test]
fn index_arithmetic_is_folded() {
    assert_eq!(written(|f| f.assign(f.parameter(1), f.parameter(1) + 0)), "n = n;");
    assert_eq!(written(|f| f.assign(f.parameter(1), 0 + f.parameter(1) * 1)), "n = n;");
    assert_eq!(written(|f| f.assign(f.parameter(1), f.parameter(1) - 1 + 3)), "n = n + 2;");
    assert_eq!(written(|f| f.assign(f.parameter(1), f.parameter(1) + 1 - 1)), "n = n;");
}

#[test]
fn reals_are_folded_only_where_no_bit_changes() {
    let real = |value: f64| kernel::Expression::from(value);
    assert_eq!(written(|f| f.assign(f.parameter(0), f.parameter(0) + 0.0)), "x = x + 0.0;");
    assert_eq!(written(|f| f.assign(f.parameter(0), f.parameter(0) - 0.0)), "x = x;");
    assert_eq!(written(|f| f.assign(f.parameter(0), 1.0 * f.parameter(0) / 1.0)), "x = x;");
    assert_eq!(written(|f| f.assign(f.parameter(0), f.parameter(0) * 0.0)), "x = x * 0.0;");
    assert_eq!(real(0.1) + 0.2, real(0.30000000000000004));
    assert_eq!(written(|f| f.assign(f.parameter(0), real(0.0) / 0.0)), "x = 0.0 / 0.0;");
}

#[test]
fn names_become_unique_identifiers() {
    let mut module = ModuleBuilder::new("four bar");
    for name in ["q", "q", "q_2", "pin.theta''", "2nd", "for"] {
        module.real_array(name, 1, "");
    }
    let module = module.finish();
    let names: Vec<&str> = module.arrays.iter().map(|array| array.name.as_str()).collect();
    assert_eq!(names, ["q", "q_2", "q_2_2", "pin_theta_ddot", "_2nd", "for_"]);
    assert_eq!(verify(&module), Ok(()));
}

#[test]
#[should_panic(expected = "no such operation between real and integer")]
fn mixing_types_is_refused() {
    written(|f| f.assign(f.parameter(0), f.parameter(0) * f.parameter(1)));
}

#[test]
#[should_panic(expected = "declared but never defined")]
fn undefined_functions_are_refused() {
    let mut module = ModuleBuilder::new("m");
    module.declare("f", &[], &[]);
    module.finish();
}
