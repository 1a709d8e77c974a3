//! Derivatives of kernel functions, against differences of the functions themselves.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, FunctionId, Interpreter, Machine, Module, ModuleBuilder, Term, Value, load};

/// A function of one real and an array that calls another, loops, branches, and stores.
fn module() -> (ModuleBuilder, FunctionId, ArrayId) {
    let mut module = ModuleBuilder::new("slopes");
    let x = module.reals("x", &[1.5, -0.4, 2.5], "what changes");
    let table = module.reals("table", &[2.0, 3.0, 5.0], "what does not");
    let sums = module.real_array("sums", 3, "what follows");
    let inner = module.function("inner", &[("a", Real), ("i", Integer)], &[Real, Integer], |f| {
        let [a, i] = f.parameters();
        f.if_(a.lt(0.0), |f| f.return_((-(a * a) / 3.0, 1)));
        f.return_(((a * load(table, i)).sqrt() + a.copysign(-1.0), 0));
    });
    let outer = module.function("outer", &[("p", Real)], &[Real, Real], |f| {
        let [p] = f.parameters();
        let (total, sign) = (f.real("total", p * p), f.real("sign", 1.0));
        f.for_each("i", 0, 3, |f, i| {
            let [value, negative] = f.call_n(inner, (x.at(i) * p, i));
            f.store(sums, i, value / (total + 2.0));
            f.assign(sign, negative.select(-sign, sign));
            f.increase(total, sums.at(i).abs().max(p * 0.01) * sign);
        });
        f.switch(1, 2, |f, case| f.assign(total, total * (1.0 + case as f64)), |_| ());
        f.return_((total, sums.at(0).min(sums.at(2)) + p.floor()));
    });
    (module, outer, x)
}

fn call(module: &Module, function: FunctionId, x: ArrayId, values: [f64; 3], arguments: &[f64]) -> Vec<f64> {
    let mut memory = module.initial_memory();
    let first = module.layout().offset(x);
    values.iter().enumerate().for_each(|(at, value)| memory.cells_mut()[first + at] = value.to_bits());
    let arguments: Vec<Value> = arguments.iter().map(|&it| it.into()).collect();
    let results = Interpreter::new(module).call(function, &arguments, &mut memory).expect("it runs");
    results.into_iter().filter_map(|value| value.as_real()).collect()
}

#[test]
fn twins_compute_the_same_and_the_derivatives() {
    let (mut builder, outer, x) = module();
    let tangents = builder.tangents(&[outer], &[x]);
    let (twin, slope) = (tangents.function(outer), tangents.array(x).expect("it changes"));
    let change = [0.3, -0.7, 0.2];
    builder.set_initial(slope, change.iter().map(|&it| Value::Real(it)).collect());
    let module = builder.finish();
    kernel::verify(&module).unwrap_or_else(|fault| panic!("{fault:?}"));
    let (values, p, dp) = ([1.5, -0.4, 2.5], 1.3, 0.9);
    let found = call(&module, twin, x, values, &[p, dp]);
    assert_eq!(found[..2], call(&module, outer, x, values, &[p])[..], "the same numbers");
    let step = 1e-6;
    let moved = |by: f64| {
        let values = [0, 1, 2].map(|at| values[at] + by * change[at]);
        call(&module, outer, x, values, &[p + by * dp])
    };
    let (above, below) = (moved(step), moved(-step));
    for at in 0..2 {
        let expected = (above[at] - below[at]) / (2.0 * step);
        assert!((found[2 + at] - expected).abs() < 1e-8, "{} and not {expected}", found[2 + at]);
    }
}
