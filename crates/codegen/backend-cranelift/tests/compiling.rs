//! Compiling as a service: long signatures, faults, texts, sharing between threads, the cost of a call.

use backend_cranelift::{Error, Options, compile, extend};
use kernel::{Interpreter, Machine, Memory, ModuleBuilder, Term, Trap, Type::*, Value, load, parse};

#[test]
fn many_arguments_and_results() {
    const MANY: usize = 40;
    let mut module = ModuleBuilder::new("many");
    let parameters: Vec<(String, kernel::Type)> =
        (0..MANY).map(|at| (format!("x{at}"), if at % 3 == 0 { Integer } else { Real })).collect();
    let parameters: Vec<(&str, kernel::Type)> = parameters.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    let results: Vec<kernel::Type> = parameters.iter().rev().map(|&(_, kind)| kind).collect();
    let reverse = module.function("reverse", &parameters, &results, |f| {
        let all: [_; MANY] = f.parameters();
        f.return_(all.into_iter().rev().collect::<Vec<_>>());
    });
    let again = module.function("again", &parameters, &results, |f| {
        let all: [_; MANY] = f.parameters();
        let once = f.call(reverse, all);
        // The types fit only because the list reads the same from both ends.
        f.return_(once);
    });
    let module = module.finish();
    let compiled = compile(&module, &Options::default()).expect("code");
    let arguments: Vec<Value> =
        (0..MANY as i64).map(|at| if at % 3 == 0 { Value::Integer(at) } else { Value::Real(at as f64) }).collect();
    let reversed: Vec<Value> = arguments.iter().rev().copied().collect();
    let mut memory = module.initial_memory();
    assert_eq!(compiled.call(again, &arguments, &mut memory), Ok(reversed.clone()));
    assert_eq!(Interpreter::new(&module).call(again, &arguments, &mut memory), Ok(reversed));
}

#[test]
fn faulty_modules_are_refused() {
    let module = parse("module m; fn f() -> real { }").expect("a module");
    assert!(matches!(compile(&module, &Options::default()), Err(Error::Faults(faults)) if faults.len() == 1));
}

#[test]
fn a_call_must_fit() {
    let module = parse("module m; array x: real[2]; fn f(a: real) -> real { return a; }").expect("a module");
    let f = module.find_function("f").expect("the function");
    let compiled = compile(&module, &Options::default()).expect("code");
    let mut memory = module.initial_memory();
    assert_eq!(compiled.call(f, &[1.into()], &mut memory), Err(Trap::WrongTypes(f)));
    assert_eq!(compiled.call(f, &[], &mut memory), Err(Trap::WrongTypes(f)));
    let mut other = Memory::from_cells(vec![0; 3]);
    assert_eq!(compiled.call(f, &[1.0.into()], &mut other), Err(Trap::WrongMemory { needed: 2, found: 3 }));
}

#[test]
fn the_texts_are_kept_on_request() {
    let module = parse("module m; fn double(a: real) -> real { return a + a; }").expect("a module");
    let compiled = compile(&module, &Options { keep_text: true, ..Options::default() }).expect("code");
    let listing = &compiled.listings().expect("code")[0];
    assert_eq!(listing.name, "double");
    assert!(listing.size > 0);
    assert!(listing.intermediate.as_ref().is_some_and(|text| text.contains("fadd")));
    assert!(listing.instructions.is_some());
    let without = compile(&module, &Options::default()).expect("code");
    assert!(without.listings().expect("code")[0].instructions.is_none());
}

#[test]
fn what_is_called_often_computes_the_same() {
    let module = parse(
        "module m; array x: real[2];
         fn half(a: real) -> real { x[1] = x[1] + 1.0; return a * 0.5; }
         fn step(a: real) -> real { let b: real; b = call half(x[0] + a); x[0] = b + sqrt(a); return x[0]; }",
    )
    .expect("a module");
    let step = module.find_function("step").expect("the function");
    let (compiled, interpreter) = (compile(&module, &Options::default()).expect("code"), Interpreter::new(&module));
    let [mut found, mut expected] = [module.initial_memory(), module.initial_memory()];
    for call in 0..3000 {
        let argument = [f64::from(call).into()];
        assert_eq!(compiled.call(step, &argument, &mut found), interpreter.call(step, &argument, &mut expected));
    }
    assert_eq!(found, expected);
}

#[test]
fn what_grew_and_what_it_grew_from_both_run() {
    let text = |factor: &str, more: &str| {
        let table = "array t: real[1] = [3.0];";
        format!(
            "module m; array x: real[1]; {table}
             fn f(a: real) -> real {{ let b: real; b = call g(a); return b + t[0]; }}
             fn g(a: real) -> real {{ x[0] = x[0] + a; return {factor} * a; }} {more}"
        )
    };
    let [old, new] = [text("2.0", ""), text("5.0", "fn h(a: real) -> real { let b: real; b = call f(a); return b; }")]
        .map(|text| parse(&text).expect("a module"));
    let f = old.find_function("f").expect("the function");
    let before = compile(&old, &Options::default()).expect("code");
    assert_eq!(before.call_real(f, &[1.0.into()], &mut old.initial_memory()), Ok(5.0));
    let after = extend(&before, &new, &Options::default()).expect("code");
    let h = new.find_function("h").expect("the function");
    assert_eq!(after.call_real(h, &[1.0.into()], &mut new.initial_memory()), Ok(8.0));
    assert_eq!(before.call_real(f, &[1.0.into()], &mut old.initial_memory()), Ok(5.0));
    drop(before);
    assert_eq!(after.call_real(f, &[1.0.into()], &mut new.initial_memory()), Ok(8.0));
}

#[test]
fn threads_share_the_code() {
    let module = parse(
        "module m; array x: integer[1];
         fn count(n: integer) -> integer { let i: integer; for i in 0 .. n { x[0] = x[0] + i; } return x[0]; }",
    )
    .expect("a module");
    let count = module.find_function("count").expect("the function");
    let compiled = compile(&module, &Options::default()).expect("code");
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (module, compiled) = (&module, &compiled);
            scope.spawn(move || {
                let found = compiled.call_integer(count, &[n.into()], &mut module.initial_memory());
                assert_eq!(found, Ok(n * (n - 1) / 2));
            });
        }
    });
}

#[test]
fn code_moves_between_threads() {
    fn needs(_: impl Machine + Send + Sync + 'static) {}
    let module = parse("module m; fn f() { }").expect("a module");
    needs(compile(&module, &Options::default()).expect("code"));
    needs(Interpreter::owning(module));
}

#[test]
fn deep_expressions_compile() {
    let mut module = ModuleBuilder::new("deep");
    let f = module.function("f", &[("x", Real)], &[Real], |f| {
        let x = f.parameter(0);
        let sum = (1..kernel::DEEPEST_EXPRESSION).fold(x.get(), |sum, _| sum + x);
        f.return_(sum);
    });
    let module = module.finish();
    let compiled = compile(&module, &Options::default()).expect("code");
    assert_eq!(compiled.call_real(f, &[1.0.into()], &mut module.initial_memory()), Ok(1000.0));
}

#[test]
fn memory_is_freed() {
    let module = parse("module m; fn f() { }").expect("a module");
    for _ in 0..2000 {
        // Each takes a mapping of its own; kept ones would exhaust the system's limit in a longer run.
        drop(compile(&module, &Options::default()).expect("code"));
    }
    let mappings = std::fs::read_to_string("/proc/self/maps").unwrap_or_default().lines().count();
    assert!(mappings < 1000, "{mappings} mappings");
}

#[test]
fn a_call_is_cheap() {
    let mut module = ModuleBuilder::new("m");
    let x = module.real_array("x", 1, "");
    let f = module.function("f", &[("a", Real), ("b", Real)], &[Integer], |f| {
        let [a, b] = f.parameters();
        f.store(x, 0, a + b);
        f.return_(load(x, 0).gt(0.0));
    });
    let module = module.finish();
    let compiled = compile(&module, &Options::default()).expect("code");
    let mut memory = module.initial_memory();
    let start = std::time::Instant::now();
    const CALLS: u32 = 100_000;
    for _ in 0..CALLS {
        assert_eq!(compiled.call_integer(f, &[1.0.into(), 2.0.into()], &mut memory), Ok(1));
    }
    let each = start.elapsed() / CALLS;
    println!("a call takes {each:?}");
    // Twenty nanoseconds when all is well; the bound leaves room for busy machines.
    assert!(each < std::time::Duration::from_micros(2), "{each:?}");
}

/// Loops of which two rounds are done at once, beside ones where a round needs what the one before it stored, or keeps a sum.
#[test]
fn loops_of_any_length_compute_the_same() {
    let module = parse(
        "module m; array x: real[40]; array y: real[40]; array z: real[40]; array p: integer[20] = [7, 3, 3, 19, 0, 1, 2, 5, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];
         fn apart(n: integer, d: integer) -> real {
             let i: integer; let a: real; let b: real;
             for i in 0 .. n { a = x[i] - x[i + d]; b = 1.0 / sqrt(a * a + y[2 * i]); y[2 * i] = y[2 * i] + a * b; z[i + d] = z[i + d] - b * x[p[i]] * x[0]; }
             for i in d .. n { z[i] = abs(z[i]) * 0.5 - z[i] / x[i]; }
             return z[n];
         }
         fn chained(n: integer, d: integer) -> real {
             let i: integer; let s: real; s = 0.5;
             for i in 0 .. n { x[i + 1] = x[i] * 0.75 + y[i]; }
             for i in 0 .. n { s = s * 0.5 + x[i]; y[i] = s; }
             for i in 0 .. n { z[p[i]] = z[p[i]] + x[i]; }
             for i in 0 .. n { y[3] = y[3] * 0.5 + x[i]; }
             for i in 0 .. n { z[i] = x[i + d] + 1.0; x[i] = z[i] * 2.0; }
             return s;
         }",
    )
    .expect("a module");
    let (compiled, interpreter) = (compile(&module, &Options::default()).expect("code"), Interpreter::new(&module));
    for name in ["apart", "chained"] {
        let function = module.find_function(name).expect("the function");
        for (length, distance) in (0..=19).flat_map(|length| (0..3).map(move |distance| (length, distance))) {
            let mut found = module.initial_memory();
            found.cells_mut()[..120]
                .iter_mut()
                .enumerate()
                .for_each(|(at, cell)| *cell = (0.5 + (at as f64 * 0.37).fract()).to_bits());
            let mut expected = found.clone();
            let arguments = [Value::from(length), Value::from(distance)];
            let results = [
                compiled.call(function, &arguments, &mut found),
                interpreter.call(function, &arguments, &mut expected),
            ];
            assert_eq!(results[0], results[1], "{name}, {length} rounds, distance {distance}");
            assert_eq!(found, expected, "{name}, {length} rounds, distance {distance}");
        }
    }
}
