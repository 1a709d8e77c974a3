//! The interpreter on small programs whose results are known.

use kernel::{Interpreter, Machine, Trap, Value, parse, verify};

/// Runs the last function of a verified program.
fn run(text: &str, arguments: &[Value]) -> Result<Vec<Value>, Trap> {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    verify(&module).unwrap_or_else(|faults| panic!("{}", faults[0]));
    let function = module.function_ids().last().expect("a function");
    let interpreter = Interpreter::new(&module).step_budget(100_000);
    interpreter.call(function, arguments, &mut module.initial_memory())
}

fn integer(text: &str, argument: i64) -> i64 {
    run(text, &[argument.into()]).expect("a result")[0].as_integer().expect("an integer")
}

#[test]
fn fibonacci_by_counting() {
    let text = "module fibonacci;
        fn fibonacci(n: integer) -> integer {
            let a: integer; let b: integer; let c: integer; let i: integer;
            a = 0; b = 1;
            for i in 0 .. n { c = a + b; a = b; b = c; }
            return a;
        }";
    assert_eq!([0, 1, 2, 10, 90].map(|n| integer(text, n)), [0, 1, 1, 55, 2880067194370816120]);
}

#[test]
fn newton_finds_the_root_of_five() {
    let text = "module root;
        fn improve(x: real, a: real) -> (real, real) {
            let better: real;
            better = 0.5 * (x + a / x);
            return better, abs(better - x);
        }
        fn root(a: real) -> real {
            let x: real; let change: real;
            x = a; change = inf;
            while change > 1e-9 { x, change = call improve(x, a); }
            return x;
        }";
    assert_eq!(run(text, &[5.0.into()]), Ok(vec![2.23606797749979.into()]));
}

#[test]
fn memory_keeps_what_was_stored() {
    let text = "module count;
        array total: integer[1] = [40];
        fn count() -> integer { total[0] = total[0] + 1; return total[0]; }";
    let module = parse(text).expect("a module");
    let count = module.find_function("count").expect("the function");
    let interpreter = Interpreter::owning(module.clone());
    let mut memory = module.initial_memory();
    assert_eq!(interpreter.call_integer(count, &[], &mut memory), Ok(41));
    let saved = memory.clone();
    assert_eq!(interpreter.call_integer(count, &[], &mut memory), Ok(42));
    memory.copy_from(&saved);
    assert_eq!(interpreter.call_integer(count, &[], &mut memory), Ok(42));
}

#[test]
fn break_leaves_the_innermost_loop() {
    let text = "module breaks;
        fn f(n: integer) -> integer {
            let sum: integer; let i: integer; let j: integer;
            sum = 0;
            for i in 0 .. n {
                for j in 0 .. 100 { if j > i { break; } sum = sum + 1; }
                if sum >= 6 { break; }
            }
            return sum;
        }";
    assert_eq!([1, 2, 3, 9].map(|n| integer(text, n)), [1, 3, 6, 6]);
}

#[test]
fn loop_bounds_are_evaluated_once() {
    let text = "module bounds;
        array n: integer[1] = [3];
        fn f(x: integer) -> integer {
            let i: integer;
            for i in 0 .. n[0] { n[0] = n[0] + 1; x = x + 1; }
            return x;
        }";
    assert_eq!(integer(text, 0), 3);
}

#[test]
fn arrays_lie_one_after_the_other() {
    let module = parse("module m; array a: real[2] = [1.0, -0.0]; array b: integer[3]; array c: integer[1] = [7];");
    let module = module.expect("a module");
    let ids: Vec<_> = module.array_ids().collect();
    let layout = module.layout();
    assert_eq!((layout.range(ids[0]), layout.range(ids[1]), layout.offset(ids[2])), (0..2, 2..5, 5));
    assert_eq!(module.initial_memory().cells(), [1.0f64.to_bits(), (-0.0f64).to_bits(), 0, 0, 0, 7]);
}

#[test]
fn an_index_out_of_range_is_a_trap() {
    let text = "module m; array x: real[3]; fn f(i: integer) -> real { return x[i]; }";
    let trap = |index| Trap::OutOfRange { function: "f".into(), array: "x".into(), index, length: 3 };
    assert_eq!(run(text, &[2.into()]), Ok(vec![0.0.into()]));
    assert_eq!(run(text, &[3.into()]), Err(trap(3)));
    assert_eq!(run(text, &[(-1).into()]), Err(trap(-1)));
}

#[test]
fn an_endless_loop_uses_up_the_budget() {
    assert_eq!(run("module m; fn f() { while 1 { } }", &[]), Err(Trap::OutOfSteps));
}

#[test]
fn a_call_must_fit() {
    let text = "module m; fn f(x: real) -> real { return x; }";
    assert!(matches!(run(text, &[1.into()]), Err(Trap::WrongTypes(_))));
    assert!(matches!(run(text, &[]), Err(Trap::WrongTypes(_))));
}
