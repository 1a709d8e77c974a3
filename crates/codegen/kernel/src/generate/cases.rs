//! Calls of the functions of a module, and what the interpreter says of them: what a back end that runs elsewhere is to give.

use super::{INTEGERS, REALS};
use crate::{
    Expression, Function, FunctionId, Interpreter, Local, Machine, Memory, Module, Operator, Shape, Statement, Trap,
    Type, Usage, Value,
};

/// A call on fresh memory.
#[derive(Clone, Debug)]
pub struct Case {
    pub function: FunctionId,
    pub arguments: Vec<Value>,
    /// The results, then all cells of arrays that are not constant.
    pub expected: Vec<Value>,
}

impl Case {
    /// Whether these are the bits that are expected. What is not a number may have any bits, and so may what shows them.
    pub fn agrees(&self, module: &Module, found: &[u64]) -> bool {
        let name = &module.function(self.function).name;
        let shows_bits = name == "RealToBits" && self.arguments[0].as_real().is_some_and(f64::is_nan);
        let same = |(expected, &found): (&Value, &u64)| match expected {
            Value::Real(real) if real.is_nan() => f64::from_bits(found).is_nan(),
            _ => expected.cell() == found,
        };
        shows_bits || found.len() == self.expected.len() && self.expected.iter().zip(found).all(same)
    }
}

/// Calls of every function that no other calls, with arguments at the edges of arithmetic; `most` for each of them.
pub fn cases(module: &Module, most: usize) -> Vec<Case> {
    let usage = Usage::of(module);
    let entries = module.function_ids().filter(|&id| usage.is_entry(id));
    entries.flat_map(|id| of_function(module, &usage, id, most)).collect()
}

fn of_function(module: &Module, usage: &Usage, function: FunctionId, most: usize) -> Vec<Case> {
    let all = combinations(&module.function(function).signature().parameters);
    let step = all.len().div_ceil(most).max(1);
    let chosen = all.into_iter().step_by(step);
    let case = |arguments: Vec<Value>| {
        let mut memory = module.initial_memory();
        match Interpreter::new(module).step_budget(200_000).call(function, &arguments, &mut memory) {
            Ok(results) => {
                let expected = results.into_iter().chain(contents(module, usage, &memory)).collect();
                Some(Case { function, arguments, expected })
            }
            Err(Trap::OutOfSteps) => None,
            Err(trap) => panic!("{trap}\n{module}"),
        }
    };
    chosen.filter_map(case).collect()
}

/// The cells that can change.
fn contents(module: &Module, usage: &Usage, memory: &Memory) -> Vec<Value> {
    let layout = module.layout();
    let changing = module.array_ids().filter(|&id| !matches!(usage.shape(id), Shape::Absent | Shape::Constant));
    changing
        .flat_map(|id| layout.range(id).map(move |cell| (cell, id.element)))
        .map(|(cell, kind)| memory.value(cell, kind))
        .collect()
}

/// A module with a function for each operator.
pub fn operators() -> Module {
    Module {
        name: "operators".into(),
        arrays: Vec::new(),
        functions: Operator::all().map(|it| application(it).into()).collect(),
    }
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
