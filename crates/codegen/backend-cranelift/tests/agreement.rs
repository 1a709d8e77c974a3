//! Compiled code against the interpreter, bit for bit.

use backend_cranelift::{Compiled, Effort, Options, compile};
use kernel::generate::{INTEGERS, REALS, generate};
use kernel::{
    Expression, Function, FunctionId, Interpreter, Local, Machine, Memory, Module, Operator, Statement, Trap, Type,
    Value,
};
use proptest::prelude::*;

fn compiled(module: &Module, effort: Effort) -> Compiled {
    compile(module, &Options { effort, keep_text: false }).unwrap_or_else(|error| panic!("{error}\n{module}"))
}

/// Equal bits, or both not a number.
fn same(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Real(a), Value::Real(b)) if a.is_nan() => b.is_nan(),
        _ => a == b,
    }
}

fn same_values(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same(a, b))
}

/// The content of all arrays.
fn contents(module: &Module, memory: &Memory) -> Vec<Value> {
    let layout = module.layout();
    let cells = module.array_ids().flat_map(|array| layout.range(array).map(move |cell| (cell, array.element)));
    cells.map(|(cell, kind)| memory.value(cell, kind)).collect()
}

/// A function that applies the operator to its parameters.
fn application(operator: Operator) -> Function {
    let row = operator.row();
    let locals = (row.operands.iter().enumerate()).map(|(at, &kind)| Local { name: format!("x{at}"), kind }).collect();
    let mut function = Function {
        name: format!("{operator:?}"),
        parameter_count: row.operands.len(),
        results: vec![row.result],
        locals,
        body: Vec::new(),
        note: String::new(),
        rare: false,
    };
    let operands = function.parameters().map(Expression::from).collect();
    function.body = vec![Statement::Return(vec![Expression::Apply { operator, operands }])];
    function
}

fn edges(kind: Type) -> Vec<Value> {
    match kind {
        Type::Real => REALS.iter().map(|&value| Value::Real(value)).collect(),
        Type::Integer => INTEGERS.iter().map(|&value| Value::Integer(value)).collect(),
    }
}

/// All lists of edge values of these types.
fn combinations(kinds: &[Type]) -> Vec<Vec<Value>> {
    let Some((&first, rest)) = kinds.split_first() else { return vec![Vec::new()] };
    let tails = combinations(rest);
    let prepend = |value: Value| tails.iter().map(move |tail| [&[value], tail.as_slice()].concat());
    edges(first).into_iter().flat_map(prepend).collect()
}

#[test]
fn every_operator_at_the_edges() {
    let functions = Operator::all().map(|it| application(it).into()).collect();
    let module = Module { name: "operators".into(), arrays: Vec::new(), functions };
    let interpreter = Interpreter::new(&module);
    let mut memory = module.initial_memory();
    for effort in [Effort::Thorough, Effort::Quick] {
        let compiled = compiled(&module, effort);
        for (id, operator) in module.function_ids().zip(Operator::all()) {
            for operands in combinations(operator.row().operands) {
                let expected = interpreter.call(id, &operands, &mut memory).expect("no trap");
                let found = compiled.call(id, &operands, &mut memory).expect("no trap");
                assert!(
                    same_values(&found, &expected) || bits_of_nan(operator, &operands),
                    "{operator:?} {operands:?}: {found:?} instead of {expected:?}"
                );
            }
        }
    }
}

/// The bits of what is not a number may differ where an operator shows them.
fn bits_of_nan(operator: Operator, operands: &[Value]) -> bool {
    operator == Operator::RealToBits && operands[0].as_real().is_some_and(f64::is_nan)
}

/// Operators on constants go through the code generator's own folding.
#[test]
fn every_operator_on_constants() {
    for operator in Operator::all() {
        let cases: Vec<_> = combinations(operator.row().operands).into_iter().step_by(7).collect();
        let constant = |(number, operands): (usize, &Vec<Value>)| {
            let operands = operands.iter().map(|&value| value.into()).collect();
            Function {
                name: format!("case{number}"),
                parameter_count: 0,
                locals: Vec::new(),
                body: vec![Statement::Return(vec![Expression::Apply { operator, operands }])],
                ..application(operator)
            }
        };
        let functions = cases.iter().enumerate().map(|it| constant(it).into()).collect();
        let module = Module { name: "constants".into(), arrays: Vec::new(), functions };
        let (interpreter, compiled) = (Interpreter::new(&module), compiled(&module, Effort::Thorough));
        let mut memory = module.initial_memory();
        for (id, operands) in module.function_ids().zip(&cases) {
            let expected = interpreter.call(id, &[], &mut memory).expect("no trap");
            let found = compiled.call(id, &[], &mut memory).expect("no trap");
            assert!(
                same_values(&found, &expected) || bits_of_nan(operator, operands),
                "{operator:?} {operands:?}: {found:?} instead of {expected:?}"
            );
        }
    }
}

/// Calls a function with some arguments on both machines, from the same memory, and compares all that can be seen.
fn compare(module: &Module, compiled: &Compiled, id: FunctionId, round: usize) {
    let kinds = module.function(id).signature().parameters;
    let argument = |(at, &kind): (usize, &Type)| edges(kind)[(at * 5 + round * 3) % edges(kind).len()];
    let arguments: Vec<Value> = kinds.iter().enumerate().map(argument).collect();
    let (mut expected_memory, mut memory) = (module.initial_memory(), module.initial_memory());
    let interpreter = Interpreter::new(module).step_budget(200_000);
    let expected = match interpreter.call(id, &arguments, &mut expected_memory) {
        Err(Trap::OutOfSteps) => return,
        expected => expected.unwrap_or_else(|trap| panic!("{trap}\n{module}")),
    };
    let found = compiled.call(id, &arguments, &mut memory).expect("no trap");
    let name = &module.function(id).name;
    assert!(same_values(&found, &expected), "{name} {arguments:?}: {found:?} instead of {expected:?}\n{module}");
    let (found, expected) = (contents(module, &memory), contents(module, &expected_memory));
    assert!(same_values(&found, &expected), "{name} {arguments:?}: {found:?} instead of {expected:?}\n{module}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn generated_programs(seed: u64, effort in 0_usize..3) {
        let module = generate(seed);
        let effort = [Effort::Quick, Effort::Thorough, Effort::WhatPays][effort];
        let compiled = compiled(&module, effort);
        for id in module.function_ids() {
            (0..3).for_each(|round| compare(&module, &compiled, id, round));
        }
    }
}
