//! Writing the body of one function, so that it reads like the algorithm.

use super::{ModuleBuilder, Names, Operands, parameters};
use crate::{ArrayId, Block, Expression, FunctionId, Local, LocalId, Statement, Term, Type};

pub struct FunctionBuilder<'m> {
    module: &'m mut ModuleBuilder,
    parameters: Vec<LocalId>,
    locals: Vec<Local>,
    names: Names,
    /// The blocks being written, the innermost last.
    open: Vec<Block>,
}

impl<'m> FunctionBuilder<'m> {
    pub(super) fn new(module: &'m mut ModuleBuilder, function: FunctionId) -> FunctionBuilder<'m> {
        let declared = module.module.function(function);
        let locals = declared.locals.clone();
        let parameters = parameters(declared);
        let mut names = Names::default();
        locals.iter().for_each(|local| drop(names.claim(&local.name)));
        FunctionBuilder { module, parameters, locals, names, open: vec![Block::new()] }
    }

    pub(super) fn finish(mut self) -> (Vec<Local>, Block) {
        let body = self.open.pop().expect("the outermost block");
        (self.locals, body)
    }

    /// The module, to declare an array or a function on the way.
    pub fn module(&mut self) -> &mut ModuleBuilder {
        self.module
    }

    pub fn parameter(&self, index: usize) -> LocalId {
        self.parameters[index]
    }

    /// All parameters: `let [t, x] = f.parameters();`
    ///
    /// # Panics
    /// If the function has another number of them.
    #[track_caller]
    pub fn parameters<const N: usize>(&self) -> [LocalId; N] {
        let count = self.parameters.len();
        self.parameters.clone().try_into().unwrap_or_else(|_| panic!("the function has {count} parameters, not {N}"))
    }

    /// A new variable without a value yet.
    pub fn local(&mut self, name: &str, kind: Type) -> LocalId {
        self.locals.push(Local { name: self.names.claim(name), kind });
        LocalId { index: self.locals.len() as u32 - 1, kind }
    }

    /// A new variable, of the type of its initial value.
    pub fn bind(&mut self, name: &str, value: impl Into<Expression>) -> LocalId {
        let value = value.into();
        let local = self.local(name, value.kind());
        self.push(Statement::Assign(local, value));
        local
    }

    /// A new real variable with its initial value.
    #[track_caller]
    pub fn real(&mut self, name: &str, value: impl Into<Expression>) -> LocalId {
        let local = self.local(name, Type::Real);
        self.assign(local, value);
        local
    }

    /// A new integer variable with its initial value.
    #[track_caller]
    pub fn integer(&mut self, name: &str, value: impl Into<Expression>) -> LocalId {
        let local = self.local(name, Type::Integer);
        self.assign(local, value);
        local
    }

    #[track_caller]
    pub fn assign(&mut self, local: LocalId, value: impl Into<Expression>) {
        let value = value.into();
        assert!(local.kind == value.kind(), "a {} variable cannot hold {value:?}", local.kind);
        self.push(Statement::Assign(local, value));
    }

    #[track_caller]
    pub fn store(&mut self, array: ArrayId, index: impl Into<Expression>, value: impl Into<Expression>) {
        let (index, value) = (index.into(), value.into());
        assert!(array.element == value.kind(), "a {} array cannot hold {value:?}", array.element);
        assert!(index.kind() == Type::Integer, "an index is an integer: {index:?}");
        self.push(Statement::Store { array, index, value });
    }

    /// Adds to a variable: `sum += value`.
    #[track_caller]
    pub fn increase(&mut self, local: LocalId, by: impl Into<Expression>) {
        self.assign(local, local.get() + by.into());
    }

    #[track_caller]
    pub fn if_(&mut self, condition: impl Into<Expression>, then: impl FnOnce(&mut Self)) {
        self.if_else(condition, then, |_| ());
    }

    #[track_caller]
    pub fn if_else(
        &mut self,
        condition: impl Into<Expression>,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let condition = integer(condition);
        let then = self.block(then);
        let otherwise = self.block(otherwise);
        self.push(Statement::If { condition, then, otherwise });
    }

    /// Writes one of so many blocks for each place, to be chosen by the index.
    #[track_caller]
    pub fn switch(
        &mut self,
        index: impl Into<Expression>,
        count: usize,
        mut case: impl FnMut(&mut Self, usize),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let index = integer(index);
        let cases = (0..count).map(|at| self.block(|f| case(f, at))).collect();
        let otherwise = self.block(otherwise);
        self.push(Statement::Switch { index, cases, otherwise });
    }

    #[track_caller]
    pub fn while_(&mut self, condition: impl Into<Expression>, body: impl FnOnce(&mut Self)) {
        let condition = integer(condition);
        let body = self.block(body);
        self.push(Statement::While { condition, body });
    }

    /// Repeats until [`break_`](Self::break_) or [`return_`](Self::return_).
    pub fn loop_(&mut self, body: impl FnOnce(&mut Self)) {
        self.while_(1, body);
    }

    /// Counts a new variable from `from` up to but without `to`.
    #[track_caller]
    pub fn for_each(
        &mut self,
        name: &str,
        from: impl Into<Expression>,
        to: impl Into<Expression>,
        body: impl FnOnce(&mut Self, LocalId),
    ) {
        let (from, to) = (integer(from), integer(to));
        let variable = self.local(name, Type::Integer);
        let body = self.block(|f| body(f, variable));
        self.push(Statement::For { variable, from, to, body });
    }

    /// Leaves the innermost loop.
    pub fn break_(&mut self) {
        self.push(Statement::Break);
    }

    /// Calls a function; its results are new variables.
    pub fn call(&mut self, function: FunctionId, arguments: impl Operands) -> Vec<LocalId> {
        let callee = self.module.module.function(function);
        let (name, kinds) = (callee.name.clone(), callee.results.clone());
        let results: Vec<LocalId> = kinds.into_iter().map(|kind| self.local(&format!("{name}_result"), kind)).collect();
        self.call_into(&results, function, arguments);
        results
    }

    /// Calls a function with one result.
    #[track_caller]
    pub fn call1(&mut self, function: FunctionId, arguments: impl Operands) -> LocalId {
        let [result] = self.call_n(function, arguments);
        result
    }

    /// Calls a function with N results: `let [sine, cosine] = f.call_n(sine_cosine, x);`
    ///
    /// # Panics
    /// If the function has another number of results.
    #[track_caller]
    pub fn call_n<const N: usize>(&mut self, function: FunctionId, arguments: impl Operands) -> [LocalId; N] {
        let results = self.call(function, arguments);
        let count = results.len();
        results.try_into().unwrap_or_else(|_| panic!("the function has {count} results, not {N}"))
    }

    /// Calls a function and puts its results into existing variables.
    pub fn call_into(&mut self, results: &[LocalId], function: FunctionId, arguments: impl Operands) {
        let arguments = arguments.expressions();
        self.push(Statement::Call { function, arguments, results: results.to_vec() });
    }

    /// The value of a function that no kernel has; the first argument says which.
    pub fn foreign(&mut self, arguments: Vec<Expression>) -> LocalId {
        let result = self.local("foreign", Type::Real);
        self.push(Statement::Foreign { arguments, result });
        result
    }

    pub fn return_(&mut self, results: impl Operands) {
        self.push(Statement::Return(results.expressions()));
    }

    /// A comment that is kept in every output.
    pub fn note(&mut self, text: &str) {
        for line in text.lines() {
            self.push(Statement::Note(line.into()));
        }
    }

    /// A statement as data, for what the other methods do not say.
    pub fn push(&mut self, statement: Statement) {
        self.open.last_mut().expect("an open block").push(statement);
    }

    /// What the closure writes, as a block of its own.
    pub fn block(&mut self, body: impl FnOnce(&mut Self)) -> Block {
        self.open.push(Block::new());
        body(self);
        self.open.pop().expect("the block just opened")
    }
}

#[track_caller]
fn integer(expression: impl Into<Expression>) -> Expression {
    let expression = expression.into();
    assert!(expression.kind() == Type::Integer, "an integer is needed here: {expression:?}");
    expression
}
