//! Inlining keeps every result and every cell.

use kernel::generate::generate;
use kernel::{Inlining, Interpreter, Machine, Module, Value, parse, print, verify};
use proptest::prelude::*;

fn inlined(module: &Module, limit: usize) -> Module {
    let mut inlining = Inlining::new(limit, usize::MAX);
    let functions = module.function_ids().map(|id| inlining.function(module, id).clone().into()).collect();
    Module { functions, ..module.clone() }
}

proptest! {
    #[test]
    fn generated_programs_keep_their_results(seed: u64) {
        let before = generate(seed);
        let after = inlined(&before, 1000);
        prop_assert_eq!(verify(&after), Ok(()));
        for id in before.function_ids() {
            let kinds = before.function(id).signature().parameters;
            let arguments: Vec<Value> = kinds.into_iter().map(Value::zero).collect();
            let (mut memory_before, mut memory_after) = (before.initial_memory(), before.initial_memory());
            // The rewritten program needs a few steps more for its parameters.
            let expected = Interpreter::new(&before).step_budget(100_000).call(id, &arguments, &mut memory_before);
            let found = Interpreter::new(&after).step_budget(1_000_000).call(id, &arguments, &mut memory_after);
            if expected.is_ok() {
                prop_assert_eq!(found, expected);
                prop_assert_eq!(memory_after, memory_before);
            }
        }
    }
}

#[test]
fn small_functions_disappear_and_early_returns_stay() {
    let text = "module m;
        fn square(x: real) -> real { let y: real; y = x * x; return y; }
        fn sign(x: real) -> real { if x < 0.0 { return -1.0; } return 1.0; }
        fn f(x: real) -> real { let a: real; let b: real; a = call square(x + 1.0); b = call sign(x); return a * b; }";
    let module = inlined(&parse(text).expect("a module"), 100);
    let text = print(&module);
    let body = text.split("fn f").nth(1).expect("the function");
    assert_eq!(
        body,
        "(x: real) -> real {
    let a: real;
    let b: real;
    let square_x: real;
    let square_y: real;
    square_x = x + 1.0;
    square_y = square_x * square_x;
    a = square_y;
    b = call sign(x);
    return a * b;
}
"
    );
}
