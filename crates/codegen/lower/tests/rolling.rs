//! Rows that are gathered into loops have the values that they have by themselves.

use std::sync::Arc;

use base::{Dimension, Sources, Span};
use expr::{Arena, Expr, Operator, Point, SymbolId, Tape};
use kernel::{Interpreter, Machine, Module};
use lower::{Method, Options};
use program::{Function, Group, Integral, ParameterInput, Program, Solver, State};

/// Numbers that look random, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn number(&mut self) -> f64 {
        [1.0, -1.0, 0.5, 2.0, -3.25, 0.125][self.below(6)]
    }
}

/// Something like a row of a model: one of a few shapes, about some of the states.
fn row(arena: &Arena, dice: &mut Dice, states: &[Expr], parameters: &[Expr], time: Expr) -> Expr {
    let any = |dice: &mut Dice| states[dice.below(states.len())];
    let parameter = parameters[dice.below(parameters.len())];
    match dice.below(6) {
        // A balance of neighbours.
        0 => {
            let at = 1 + dice.below(states.len() - 2);
            let inflow = arena.subtract(states[at - 1], states[at]);
            let outflow = arena.subtract(states[at], states[at + 1]);
            arena.divide(arena.subtract(inflow, outflow), parameter)
        }
        // Numbers of its own.
        1 => {
            let (a, b) = (arena.scale(dice.number(), any(dice)), arena.scale(dice.number(), any(dice)));
            arena.add(arena.add(a, b), arena.number(dice.number()))
        }
        // A function that other rows call, too.
        2 | 3 => {
            let call = arena.apply(Operator::Exp, &[arena.scale(0.25, any(dice))]);
            arena.multiply(call, arena.multiply(parameter, any(dice)))
        }
        4 => {
            let angle = any(dice);
            let (sine, cosine) = (arena.apply(Operator::Sin, &[angle]), arena.apply(Operator::Cos, &[angle]));
            arena.add(arena.multiply(sine, any(dice)), arena.multiply(cosine, arena.multiply(time, any(dice))))
        }
        _ => {
            let below = arena.add(arena.one(), arena.multiply(any(dice), any(dice)));
            let condition = arena.apply(Operator::Less, &[any(dice), any(dice)]);
            arena.apply(Operator::Select, &[condition, arena.divide(any(dice), below), parameter])
        }
    }
}

fn function(name: &str, results: Vec<Expr>) -> Function {
    Function { name: name.into(), inputs: Group::default(), body: Vec::new(), results }
}

/// A program whose derivative has these results.
fn program(
    arena: Arc<Arena>,
    time: SymbolId,
    symbols: &[SymbolId],
    parameters: &[SymbolId],
    rows: Vec<Expr>,
) -> Program {
    let state = |&symbol: &SymbolId| State {
        name: arena.symbol_name(symbol).to_string(),
        symbol,
        dimension: Dimension::NONE,
        span: Span::default(),
    };
    let start = symbols.iter().map(|&symbol| (arena.symbol(symbol), symbol));
    let seeds: Vec<Expr> = start.clone().map(|_| arena.zero()).collect();
    let system = program::NonlinearSystem {
        id: program::SystemId(0),
        unknowns: symbols.to_vec(),
        seeds,
        residuals: Vec::new(),
        jacobian: Vec::new(),
    };
    let mut initialize = function("initialize", start.map(|(expr, _)| expr).collect());
    initialize.body.push(program::Binding::Nonlinear(system));
    Program {
        name: "rows".into(),
        parameters: parameters
            .iter()
            .enumerate()
            .map(|(at, &symbol)| ParameterInput { name: format!("p{at}"), symbol, default: 0.5 + at as f64 })
            .collect(),
        controls: Vec::new(),
        time,
        initialize,
        started: symbols.to_vec(),
        integrals: vec![Integral {
            states: symbols.iter().map(state).collect(),
            derivative: function("derivative", rows),
            stabilize: None,
            followers: Vec::new(),
            follow: None,
            solver: Solver::Explicit,
            choices: Vec::new(),
            crowd: Vec::new(),
        }],
        observe: function("observe", Vec::new()),
        outputs: Vec::new(),
        picture: None,
        curves: Vec::new(),
        changes: None,
        switches: None,
        contacts: None,
        surfaces: Vec::new(),
        monitor: function("monitor", vec![arena.zero(), arena.zero()]),
        systems: vec![program::SystemInfo {
            role: program::SystemRole::InitialPositions,
            equations: Vec::new(),
            unknowns: Vec::new(),
        }],
        memory: None,
        watched: None,
        conserves_energy: false,
        directions: 0,
        varied: Vec::new(),
        variations: Vec::new(),
        points: Vec::new(),
        arena,
    }
}

fn lowered(program: &Program) -> Module {
    let methods = Options { explicit: Method::DormandPrince5, implicit: Method::Rodas5P, exchange: false };
    let module = lower::lower(program, &Sources::default(), methods);
    kernel::verify(&module).unwrap_or_else(|faults| panic!("{}", faults[0]));
    module
}

fn code_size(module: &Module) -> usize {
    module.functions.iter().map(|function| function.size()).sum()
}

fn run(module: &Module, states: &[f64], t: f64) -> Vec<f64> {
    let layout = module.layout();
    let array = |name: &str| layout.range(module.find_array(name).expect("an array of the integrator"));
    let mut memory = module.initial_memory();
    memory.set_reals(array("motion_stage").start, states);
    let derivative = module.find_function("motion_derivative").expect("the derivative");
    let status = Interpreter::new(module).call_integer(derivative, &[t.into(), 0.into()], &mut memory);
    assert_eq!(status, Ok(0));
    memory.reals(array("motion_slopes")).take(states.len()).collect()
}

#[test]
fn rows_in_loops_have_their_own_values() {
    for seed in 0..30 {
        let mut dice = Dice(seed);
        let arena = Arc::new(Arena::new());
        let n = 10 + dice.below(600);
        let time = arena.new_symbol("t");
        let symbols: Vec<SymbolId> = (0..n).map(|at| arena.new_symbol(&format!("x{at}"))).collect();
        let parameters: Vec<SymbolId> = (0..3).map(|at| arena.new_symbol(&format!("p{at}"))).collect();
        let states: Vec<Expr> = symbols.iter().map(|&symbol| arena.symbol(symbol)).collect();
        let known: Vec<Expr> = parameters.iter().map(|&symbol| arena.symbol(symbol)).collect();
        let rows: Vec<Expr> = (0..n).map(|_| row(&arena, &mut dice, &states, &known, arena.symbol(time))).collect();
        let values: Vec<f64> = (0..n).map(|_| dice.below(1000) as f64 / 250.0 - 2.0).collect();
        let mut point: Point = symbols.iter().copied().zip(values.iter().copied()).collect();
        point.extend(parameters.iter().enumerate().map(|(at, &symbol)| (symbol, 0.5 + at as f64)));
        point.insert(time, 0.75);
        let wanted = Tape::new(&arena, &rows).run(&point);
        let module = lowered(&program(arena, time, &symbols, &parameters, rows));
        let found = run(&module, &values, 0.75);
        for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert!(
                (found - wanted).abs() <= 1e-13 * (1.0 + wanted.abs()),
                "seed {seed}, row {at}: {found}, not {wanted}"
            );
        }
    }
}

/// A thousand rows of one shape need no more code than a hundred.
#[test]
fn equal_rows_need_the_code_of_one() {
    let size = |n: usize| {
        let arena = Arc::new(Arena::new());
        let time = arena.new_symbol("t");
        let symbols: Vec<SymbolId> = (0..n).map(|at| arena.new_symbol(&format!("x{at}"))).collect();
        let states: Vec<Expr> = symbols.iter().map(|&symbol| arena.symbol(symbol)).collect();
        let row = |at: usize| {
            let call = arena.apply(Operator::Exp, &[states[at]]);
            arena.subtract(arena.scale(at as f64 + 0.5, states[(at * 7 + 3) % n]), call)
        };
        let rows = (0..n).map(row).collect();
        code_size(&lowered(&program(arena, time, &symbols, &[], rows)))
    };
    assert_eq!(size(100), size(1000));
}

/// What each of n points feels of all others: a force along the difference of each pair, with the sign of the side, some of them stronger,
/// and something of its own.
fn attraction(n: usize) -> (Program, Vec<SymbolId>, Vec<Expr>) {
    let arena = Arc::new(Arena::new());
    let time = arena.new_symbol("t");
    let symbols: Vec<SymbolId> = (0..n).map(|at| arena.new_symbol(&format!("x{at}"))).collect();
    let x: Vec<Expr> = symbols.iter().map(|&symbol| arena.symbol(symbol)).collect();
    let mut sums: Vec<Expr> =
        x.iter().map(|&x| arena.add(arena.apply(Operator::Cos, &[x]), arena.number(0.25))).collect();
    for i in 0..n {
        for j in i + 1..n {
            let apart = arena.subtract(x[i], x[j]);
            let square = arena.add(arena.multiply(apart, apart), arena.one());
            let force = arena.divide(apart, arena.multiply(square, arena.apply(Operator::Sqrt, &[square])));
            let strength = if (i + j) % 3 == 0 { 1.0 + i as f64 } else { 1.0 };
            sums[i] = arena.subtract(sums[i], arena.scale(strength, force));
            sums[j] = arena.add(sums[j], arena.scale(strength, force));
        }
    }
    let rows: Vec<Expr> = sums.into_iter().zip(&x).map(|(sum, &x)| arena.multiply(sum, x)).collect();
    (program(arena, time, &symbols, &[], rows.clone()), symbols, rows)
}

#[test]
fn sums_in_loops_have_their_own_values() {
    for n in [30, 45, 70] {
        let (program, symbols, rows) = attraction(n);
        let mut dice = Dice(n as u64);
        let values: Vec<f64> = (0..n).map(|_| dice.below(1000) as f64 / 250.0 - 2.0).collect();
        let mut point: Point = symbols.iter().copied().zip(values.iter().copied()).collect();
        point.insert(program.time, 0.75);
        let wanted = Tape::new(&program.arena, &rows).run(&point);
        let found = run(&lowered(&program), &values, 0.75);
        for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            let allowed = 1e-13 * (1.0 + n as f64) * (1.0 + wanted.abs());
            assert!((found - wanted).abs() <= allowed, "{n}, row {at}: {found}, not {wanted}");
        }
    }
}

/// What twice as many feel of one another is four times as much, and needs the same code.
#[test]
fn sums_need_the_code_of_one_term() {
    let size = |n: usize| code_size(&lowered(&attraction(n).0));
    assert_eq!(size(90), size(150));
}

/// A sum of a thousand terms, no two of which are alike, is no expression nested a thousand times.
#[test]
fn long_sums_are_taken_apart() {
    let arena = Arc::new(Arena::new());
    let [time, symbol] = ["t", "x"].map(|name| arena.new_symbol(name));
    let x = arena.symbol(symbol);
    let term =
        |at: i32| (expr::Number::ONE, arena.multiply(arena.power(x, at % 40), arena.power(arena.symbol(time), at)));
    let row = arena.sum((1..1000).map(term));
    let wanted = Tape::new(&arena, &[row]).run(&Point::from_iter([(symbol, 1.01), (time, 0.75)]));
    let found = run(&lowered(&program(arena, time, &[symbol], &[], vec![row])), &[1.01], 0.75);
    assert!((found[0] - wanted[0]).abs() < 1e-12 * wanted[0], "{found:?} {wanted:?}");
}
