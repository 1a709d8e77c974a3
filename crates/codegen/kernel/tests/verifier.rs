//! The verifier finds each kind of fault, and accepts what is right.

use std::sync::Arc;

use kernel::{
    Array, ArrayId, Expression, Function, FunctionId, LocalId, Module, Operator, Problem, Statement, Type, Value,
    generate::generate, parse, verify,
};

fn problems(module: &Module) -> Vec<Problem> {
    verify(module).err().unwrap_or_default().into_iter().map(|fault| fault.problem).collect()
}

/// The problems of a module with one array `x` of three reals, and these functions.
fn problems_of(functions: &str) -> Vec<Problem> {
    problems(&parse(&format!("module m; array x: real[3]; {functions}")).unwrap_or_else(|error| panic!("{error}")))
}

/// The problems of a function of one real parameter `a` and one integer local `n`, whose body is given as data.
fn problems_in(body: Vec<Statement>) -> Vec<Problem> {
    let mut module = parse("module m; array x: real[3]; fn f(a: real) { let n: integer; }").expect("a module");
    Arc::make_mut(&mut module.functions[0]).body = body;
    problems(&module)
}

const A: LocalId = LocalId { index: 0, kind: Type::Real };
const N: LocalId = LocalId { index: 1, kind: Type::Integer };
const X: ArrayId = ArrayId { index: 0, element: Type::Real };

#[test]
fn generated_modules_are_accepted() {
    for seed in 0..300 {
        let module = generate(seed);
        assert_eq!(verify(&module), Ok(()), "{module}");
    }
}

#[test]
fn names() {
    let function = |name: &str| Function {
        name: name.into(),
        parameter_count: 0,
        results: Vec::new(),
        locals: Vec::new(),
        body: Vec::new(),
        note: String::new(),
        rare: false,
    };
    let functions = ["f", "f", "1f", "if"].map(|it| function(it).into()).into();
    let module = Module { name: "m".into(), arrays: Vec::new(), functions };
    let not_a_name = |name: &str| Problem::NotAName(name.into());
    assert_eq!(problems(&module), [Problem::NameTaken("f".into()), not_a_name("1f"), not_a_name("if")]);
    assert_eq!(problems_of("fn x() { }"), [Problem::NameTaken("x".into())]);
    assert_eq!(problems_of("fn f(a: real) { let a: real; }"), [Problem::NameTaken("a".into())]);
}

#[test]
fn initial_values() {
    let array = |length, values: Vec<Value>| Array {
        name: "x".into(),
        element: Type::Real,
        length,
        initial: Some(values),
        slots: Vec::new(),
        note: String::new(),
    };
    let module = |array| Module { name: "m".into(), arrays: vec![array], functions: Vec::new() };
    let wrong_length = Problem::InitialLength { array: "x".into(), length: 2, values: 1 };
    assert_eq!(problems(&module(array(2, vec![1.0.into()]))), [wrong_length]);
    assert_eq!(problems(&module(array(1, vec![1.into()]))), [Problem::InitialType { array: "x".into() }]);
}

#[test]
fn names_of_elements() {
    assert_eq!(
        problems_of("array y: real[2] { a, b, c };"),
        [Problem::SlotCount { array: "y".into(), length: 2, slots: 3 }]
    );
    assert_eq!(problems_of("array y: real[2] { a, a };"), [Problem::NameTaken("a".into())]);
}

#[test]
fn notes_are_single_lines() {
    assert_eq!(problems_in(vec![Statement::Note("two\nlines".into())]), [Problem::BadNote]);
}

#[test]
fn parameters_are_locals() {
    let mut module = parse("module m; fn f() { }").expect("a module");
    Arc::make_mut(&mut module.functions[0]).parameter_count = 1;
    assert_eq!(problems(&module), [Problem::ParametersWithoutLocals { parameters: 1, locals: 0 }]);
}

#[test]
fn ids_lead_somewhere() {
    let lost = LocalId { index: 9, kind: Type::Real };
    assert_eq!(problems_in(vec![Statement::Assign(A, lost.into())]), [Problem::UnknownLocal(9)]);
    let lost = ArrayId { index: 9, element: Type::Real };
    assert_eq!(problems_in(vec![Statement::Assign(A, lost.at(0))]), [Problem::UnknownArray(9)]);
    let call = Statement::Call { function: FunctionId(9), arguments: Vec::new(), results: Vec::new() };
    assert_eq!(problems_in(vec![call]), [Problem::UnknownFunction(9)]);
}

#[test]
fn ids_carry_the_declared_type() {
    let wrong = LocalId { index: 0, kind: Type::Integer };
    let problem = Problem::WrongId { name: "a".into(), declared: Type::Real };
    assert_eq!(problems_in(vec![Statement::Assign(wrong, 1.into())]), [problem]);
    let wrong = ArrayId { index: 0, element: Type::Integer };
    let problem = Problem::WrongId { name: "x".into(), declared: Type::Real };
    assert_eq!(problems_in(vec![Statement::Assign(N, wrong.at(0))]), [problem]);
}

#[test]
fn types_agree() {
    let wrong = |expected, found| vec![Problem::WrongType { expected, found }];
    let (real, integer) = (Type::Real, Type::Integer);
    assert_eq!(problems_in(vec![Statement::Assign(A, 1.into())]), wrong(real, integer));
    assert_eq!(problems_in(vec![Statement::Assign(A, X.at(1.0))]), wrong(integer, real));
    let store = Statement::Store { array: X, index: 0.into(), value: 1.into() };
    assert_eq!(problems_in(vec![store]), wrong(real, integer));
    let condition = Expression::from(1.0);
    let choice = Statement::If { condition: condition.clone(), then: Vec::new(), otherwise: Vec::new() };
    assert_eq!(problems_in(vec![choice]), wrong(integer, real));
    assert_eq!(problems_in(vec![Statement::While { condition, body: Vec::new() }]), wrong(integer, real));
    let counting = Statement::For { variable: N, from: 0.0.into(), to: 1.into(), body: Vec::new() };
    assert_eq!(problems_in(vec![counting]), wrong(integer, real));
    let sum = Expression::Apply { operator: Operator::RealAdd, operands: Box::new([1.0.into(), 1.into()]) };
    assert_eq!(problems_in(vec![Statement::Assign(A, sum)]), wrong(real, integer));
    assert_eq!(problems_of("fn f() -> real { return 1; }"), wrong(real, integer));
    assert_eq!(problems_of("fn f(a: real) { call g(1); } fn g(b: real) { }"), wrong(real, integer));
    assert_eq!(problems_of("fn f(a: real) { a = call g(); } fn g() -> integer { return 1; }"), wrong(real, integer));
}

#[test]
fn counts_agree() {
    let wrong = |expected, found| vec![Problem::WrongCount { expected, found }];
    assert_eq!(problems_of("fn f() -> real { return; }"), wrong(1, 0));
    assert_eq!(problems_of("fn f() { call g(); } fn g(a: real) { }"), wrong(1, 0));
    assert_eq!(problems_of("fn f() { call g(); } fn g() -> real { return 1.0; }"), wrong(1, 0));
    let root = Expression::Apply { operator: Operator::RealSquareRoot, operands: Box::new([]) };
    assert_eq!(problems_in(vec![Statement::Assign(A, root)]), wrong(1, 0));
}

#[test]
fn expressions_are_not_too_deep() {
    let sum = |terms: usize| (1..terms).fold(Expression::from(A), |sum, _| sum + 1.0);
    assert_eq!(problems_in(vec![Statement::Assign(A, sum(1000))]), []);
    assert_eq!(problems_in(vec![Statement::Assign(A, sum(1001))]), [Problem::TooDeep]);
}

#[test]
fn constant_indices_are_in_range() {
    let out = |index| vec![Problem::IndexOutOfRange { array: "x".into(), index, length: 3 }];
    assert_eq!(problems_of("fn f() { x[2] = x[3]; }"), out(3));
    assert_eq!(problems_of("fn f() { x[-1] = 1.0; }"), out(-1));
}

#[test]
fn locals_have_a_value_before_they_are_read() {
    let check = |body: &str| {
        let text = format!("fn f(c: integer) -> real {{ let a: real; let i: integer; {body} }}");
        problems_of(&text)
    };
    let unassigned = [Problem::Unassigned("a".into())];
    assert_eq!(check("return a;"), unassigned);
    assert_eq!(check("if c { a = 1.0; } return a;"), unassigned);
    assert_eq!(check("while c { a = 1.0; } return a;"), unassigned);
    assert_eq!(check("for i in 0 .. 3 { a = 1.0; } return a;"), unassigned);
    assert_eq!(check("while 1 { if c { break; } a = 1.0; break; } return a;"), unassigned);
    assert_eq!(check("for i in 0 .. 3 { } return real(i);"), [Problem::Unassigned("i".into())]);
    assert_eq!(check("if c { a = 1.0; } else { a = 2.0; } return a;"), []);
    assert_eq!(check("if c { return 0.0; } else { a = 2.0; } return a;"), []);
    assert_eq!(check("while 1 { a = 1.0; if c { break; } } return a;"), []);
    assert_eq!(check("for i in 0 .. 3 { if i == 1 { break; } } a = 1.0; return a;"), []);
}

#[test]
fn loop_variables_belong_to_their_loop() {
    let assigned = [Problem::LoopVariableAssigned("i".into())];
    assert_eq!(problems_of("fn f() { let i: integer; for i in 0 .. 3 { i = 1; } }"), assigned);
    assert_eq!(problems_of("fn f() { let i: integer; for i in 0 .. 3 { for i in 0 .. 3 { } } }"), assigned);
    assert_eq!(problems_of("fn f(i: integer) { for i in 0 .. 3 { } }"), assigned);
    assert_eq!(problems_of("fn f() { let i: integer; for i in 0 .. 3 { } for i in 0 .. 3 { } }"), []);
}

#[test]
fn a_local_has_a_value_behind_a_switch_if_every_case_gives_it_one() {
    let switch = |last: &str| {
        problems_of(&format!(
            "fn f(i: integer) -> real {{ let x: real; switch i {{ case {{ x = 1.0; }} else {{ {last} }} }} return x; }}"
        ))
    };
    assert_eq!(switch("x = 2.0;"), []);
    assert_eq!(switch("return 2.0;"), []);
    assert_eq!(switch(""), [Problem::Unassigned("x".into())]);
}

#[test]
fn break_stands_in_a_loop() {
    assert_eq!(problems_of("fn f() { break; }"), [Problem::BreakOutsideLoop]);
    let switch =
        |case: &str| problems_of(&format!("fn f(i: integer) {{ while 1 {{ switch i {{ case {{ {case} }} }} }} }}"));
    assert_eq!(switch("break;"), [Problem::BreakOutsideLoop]);
    assert_eq!(switch("while 1 { break; }"), []);
}

#[test]
fn every_path_returns() {
    let missing = [Problem::MissingReturn];
    assert_eq!(problems_of("fn f(c: integer) -> real { if c { return 1.0; } }"), missing);
    assert_eq!(problems_of("fn f(c: integer) -> real { while 1 { if c { break; } } }"), missing);
    assert_eq!(problems_of("fn f(c: integer) -> real { if c { return 1.0; } else { return 2.0; } }"), []);
    assert_eq!(problems_of("fn f(c: integer) -> real { while 1 { if c { return 1.0; } } }"), []);
}

#[test]
fn no_function_calls_itself() {
    let cycle = |names: &[&str]| vec![Problem::CallCycle(names.iter().map(|&name| name.into()).collect())];
    assert_eq!(problems_of("fn f() { call f(); }"), cycle(&["f"]));
    assert_eq!(problems_of("fn f() { call g(); } fn g() { call h(); } fn h() { call g(); }"), cycle(&["g", "h"]));
    assert_eq!(problems_of("fn f() { call g(); call h(); } fn g() { call h(); } fn h() { }"), []);
}

#[test]
fn a_fault_says_where_it_is() {
    let module = parse("module m; fn f(n: integer) { while n > 0 { break; } break; }").expect("a module");
    let faults = verify(&module).expect_err("a fault");
    assert_eq!(faults[0].to_string(), "in `f`: `break;`: there is no loop to break out of");
}
