//! Ids lead somewhere, counts agree, every value has the type its place wants, constant indices are in range.

use super::{Fault, Problem};
use crate::expression::DEEPEST_EXPRESSION;
use crate::{Array, ArrayId, Block, Expression, Function, LocalId, Module, Statement, Type};

pub fn check(module: &Module, functions: &[&Function], faults: &mut Vec<Fault>) {
    for array in &module.arrays {
        faults.extend(array_problems(array).into_iter().map(Fault::outside));
    }
    for &function in functions {
        faults.extend(function_problems(function).into_iter().map(|problem| Fault::of_function(function, problem)));
        check_block(module, function, &function.body, faults);
    }
}

fn array_problems(array: &Array) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let Some(values) = &array.initial {
        if values.len() != array.length {
            let (length, values) = (array.length, values.len());
            problems.push(Problem::InitialLength { array: array.name.clone(), length, values });
        }
        if values.iter().any(|value| value.kind() != array.element) {
            problems.push(Problem::InitialType { array: array.name.clone() });
        }
    }
    if !array.slots.is_empty() && array.slots.len() != array.length {
        let (length, slots) = (array.length, array.slots.len());
        problems.push(Problem::SlotCount { array: array.name.clone(), length, slots });
    }
    let notes = std::iter::once(&array.note).chain(array.slots.iter().map(|slot| &slot.note));
    if notes.flat_map(|note| note.split('\n')).any(is_bad_note) {
        problems.push(Problem::BadNote);
    }
    problems
}

fn function_problems(function: &Function) -> Vec<Problem> {
    let mut problems = Vec::new();
    let (parameters, locals) = (function.parameter_count, function.locals.len());
    if parameters > locals {
        problems.push(Problem::ParametersWithoutLocals { parameters, locals });
    }
    if function.note.split('\n').any(is_bad_note) {
        problems.push(Problem::BadNote);
    }
    problems
}

fn is_bad_note(line: &str) -> bool {
    line.chars().any(char::is_control)
}

fn check_block(module: &Module, function: &Function, block: &Block, faults: &mut Vec<Fault>) {
    for statement in block {
        if statement.expressions().any(|expression| expression.is_deeper_than(DEEPEST_EXPRESSION)) {
            faults.push(Fault::of_function(function, Problem::TooDeep));
            continue;
        }
        let mut checker = Checker { module, function, problems: Vec::new() };
        checker.statement(statement);
        let located = checker.problems.into_iter().map(|problem| Fault::at(module, function, statement, problem));
        faults.extend(located);
        for inner in statement.blocks() {
            check_block(module, function, inner, faults);
        }
    }
}

/// Collects what is wrong with one statement, leaving out the blocks inside it.
struct Checker<'m> {
    module: &'m Module,
    function: &'m Function,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, value) => {
                self.local(*local);
                self.expect(value, local.kind);
            }
            Statement::Store { array, index, value } => {
                self.element(*array, index);
                self.expect(value, array.element);
            }
            Statement::If { condition, .. } | Statement::While { condition, .. } => {
                self.expect(condition, Type::Integer);
            }
            Statement::Switch { index, .. } => self.expect(index, Type::Integer),
            Statement::For { variable, from, to, .. } => {
                self.local(*variable);
                self.same(Type::Integer, variable.kind);
                self.expect(from, Type::Integer);
                self.expect(to, Type::Integer);
            }
            Statement::Call { function, arguments, results } => match self.module.functions.get(function.0 as usize) {
                None => self.problems.push(Problem::UnknownFunction(function.0)),
                Some(callee) => self.call(callee, arguments, results),
            },
            Statement::Foreign { arguments, result } => {
                arguments.iter().for_each(|argument| self.expect(argument, Type::Real));
                self.local(*result);
                self.same(Type::Real, result.kind);
            }
            Statement::Return(values) => {
                let function = self.function;
                self.expect_all(values, function.results.iter().copied());
            }
            Statement::Note(note) if is_bad_note(note) => self.problems.push(Problem::BadNote),
            Statement::Break | Statement::Note(_) => (),
        }
    }

    fn call(&mut self, callee: &Function, arguments: &[Expression], results: &[LocalId]) {
        self.expect_all(arguments, callee.parameters().map(|parameter| parameter.kind));
        self.count(callee.results.len(), results.len());
        for (result, &kind) in results.iter().zip(&callee.results) {
            self.local(*result);
            self.same(result.kind, kind);
        }
    }

    fn expect_all(&mut self, values: &[Expression], kinds: impl Iterator<Item = Type>) {
        let kinds: Vec<Type> = kinds.collect();
        self.count(kinds.len(), values.len());
        for (value, kind) in values.iter().zip(kinds) {
            self.expect(value, kind);
        }
    }

    fn expect(&mut self, expression: &Expression, kind: Type) {
        self.same(kind, expression.kind());
        match expression {
            Expression::Constant(_) => (),
            Expression::Local(local) => self.local(*local),
            Expression::Load { array, index } => self.element(*array, index),
            Expression::Apply { operator, operands } => {
                self.expect_all(operands, operator.row().operands.iter().copied());
            }
        }
    }

    fn element(&mut self, id: ArrayId, index: &Expression) {
        self.expect(index, Type::Integer);
        let Some(array) = self.module.arrays.get(id.index as usize) else {
            return self.problems.push(Problem::UnknownArray(id.index));
        };
        self.declared(&array.name, array.element, id.element);
        if let Some(index) = index.as_integer()
            && usize::try_from(index).map_or(true, |index| index >= array.length)
        {
            self.problems.push(Problem::IndexOutOfRange { array: array.name.clone(), index, length: array.length });
        }
    }

    fn local(&mut self, id: LocalId) {
        match self.function.locals.get(id.index as usize) {
            None => self.problems.push(Problem::UnknownLocal(id.index)),
            Some(local) => self.declared(&local.name, local.kind, id.kind),
        }
    }

    fn declared(&mut self, name: &str, declared: Type, used: Type) {
        if declared != used {
            self.problems.push(Problem::WrongId { name: name.into(), declared });
        }
    }

    fn same(&mut self, expected: Type, found: Type) {
        if expected != found {
            self.problems.push(Problem::WrongType { expected, found });
        }
    }

    fn count(&mut self, expected: usize, found: usize) {
        if expected != found {
            self.problems.push(Problem::WrongCount { expected, found });
        }
    }
}
