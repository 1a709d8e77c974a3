//! Random programs for comparing a back end with the interpreter: verified, terminating, without traps.
//!
//! The bits of what is not a number differ between processors. Generated programs let no such bits reach an integer
//! or a sign, so two machines agree on every cell up to those bits.

mod cases;

pub use cases::{Case, cases, operators};

use base::Random;

use crate::{
    Array, ArrayId, Block, Expression, Function, FunctionId, Local, LocalId, Module, Operator, Slot, Statement, Type,
    Value,
};

/// The same seed gives the same module, in every run and on every platform.
pub fn generate(seed: u64) -> Module {
    let mut generator = Generator { random: Random::new(seed), module: empty(), scope: Scope::default() };
    generator.arrays();
    for _ in 0..1 + generator.random.below(4) {
        let function = generator.function();
        generator.module.functions.push(function.into());
    }
    generator.module
}

/// Reals at the edges of arithmetic, and a few plain ones.
pub const REALS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.5,
    2.5,
    0.1,
    1e16,
    -9.3e18,
    9.223372036854775e18,
    1e300,
    -f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    -1e-310,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Integers at the edges of arithmetic, and a few plain ones.
pub const INTEGERS: &[i64] =
    &[0, 1, -1, 2, 7, 63, 64, -65, 0x7ff, 1 << 53, (1 << 53) + 1, i64::MAX, i64::MIN, 0x7ff0_0000_0000_0000];

fn empty() -> Module {
    Module { name: "generated".into(), arrays: Vec::new(), functions: Vec::new() }
}

/// What may stand at the place being written.
#[derive(Default)]
struct Scope {
    locals: Vec<Local>,
    /// Locals with a value.
    readable: Vec<LocalId>,
    /// Locals that no loop depends on.
    writable: Vec<LocalId>,
    results: Vec<Type>,
    loops: usize,
    /// Loops that a `break` could leave: those inside the innermost switch.
    exits: usize,
    depth: usize,
}

struct Generator {
    random: Random,
    module: Module,
    scope: Scope,
}

const ARRAYS: usize = 4;
const DEEPEST_BLOCK: usize = 3;
const DEEPEST_EXPRESSION: usize = 4;

impl Generator {
    /// Lengths are powers of two, so that any integer can be cut to an index.
    fn arrays(&mut self) {
        for index in 0..ARRAYS {
            let element = if index % 2 == 0 { Type::Real } else { Type::Integer };
            let length = 1 << self.random.below(5);
            let initial = (self.random.below(3) > 0).then(|| (0..length).map(|_| self.value(element)).collect());
            let slot = |at: usize| Slot { name: format!("slot{at}"), note: "generated".into() };
            // The first two are always read and written through names, where the index is constant.
            let slots = if index < 2 { (0..length).map(slot).collect() } else { Vec::new() };
            self.module.arrays.push(Array {
                name: format!("array{index}"),
                element,
                length,
                initial,
                slots,
                note: "generated".into(),
            });
        }
    }

    fn function(&mut self) -> Function {
        self.scope = Scope::default();
        let parameter_count = self.random.below(4);
        self.scope.results = (0..self.random.below(4)).map(|_| self.kind()).collect();
        for _ in 0..parameter_count {
            let kind = self.kind();
            self.variable(kind);
        }
        let mut body = Block::new();
        for kind in [Type::Real, Type::Integer, Type::Real] {
            let value = self.expression(kind, 1);
            let variable = self.variable(kind);
            body.push(Statement::Assign(variable, value));
        }
        body.extend(self.block());
        let results = self.scope.results.clone();
        body.push(Statement::Return(results.iter().map(|&kind| self.expression(kind, DEEPEST_EXPRESSION)).collect()));
        let name = format!("function{}", self.module.functions.len());
        let locals = std::mem::take(&mut self.scope.locals);
        // So that texts of generated modules have both kinds.
        let rare = self.module.functions.len() % 3 == 1;
        Function { name, parameter_count, results, locals, body, note: String::new(), rare }
    }

    fn local(&mut self, kind: Type) -> LocalId {
        let index = self.scope.locals.len();
        self.scope.locals.push(Local { name: format!("local{index}"), kind });
        LocalId { index: index as u32, kind }
    }

    fn variable(&mut self, kind: Type) -> LocalId {
        let local = self.local(kind);
        self.scope.readable.push(local);
        self.scope.writable.push(local);
        local
    }

    fn block(&mut self) -> Block {
        self.scope.depth += 1;
        let readable = self.scope.readable.len();
        let writable = self.scope.writable.len();
        let block = (0..1 + self.random.below(5)).flat_map(|_| self.statements()).collect();
        // What the block has introduced may have no value behind it.
        self.scope.readable.truncate(readable);
        self.scope.writable.truncate(writable);
        self.scope.depth -= 1;
        block
    }

    /// One statement, or two where a loop needs a counter.
    fn statements(&mut self) -> Block {
        let nested = self.scope.depth < DEEPEST_BLOCK;
        match self.random.below(13) {
            0 if nested => vec![self.alternatives()],
            1 if nested => vec![self.counting()],
            2 if nested => self.repetition(),
            3 if self.scope.loops <= 1 && !self.module.functions.is_empty() => vec![self.call()],
            4 if self.scope.exits > 0 => vec![self.rarely(Statement::Break)],
            5 if self.scope.depth > 1 => {
                let kinds = self.scope.results.clone();
                let results = kinds.iter().map(|&kind| self.expression(kind, 2)).collect();
                vec![self.rarely(Statement::Return(results))]
            }
            6 => vec![Statement::Note(format!("{:x}", self.random.bits()))],
            7..9 => vec![self.store()],
            9 if nested => vec![self.selection()],
            _ => vec![self.assignment()],
        }
    }

    fn assignment(&mut self) -> Statement {
        let variables = self.scope.writable.clone();
        let local = self.random.pick(&variables);
        Statement::Assign(local, self.expression(local.kind, DEEPEST_EXPRESSION))
    }

    fn store(&mut self) -> Statement {
        let array = self.array(None);
        let (index, value) = (self.index(array, 2), self.expression(array.element, DEEPEST_EXPRESSION));
        Statement::Store { array, index, value }
    }

    fn alternatives(&mut self) -> Statement {
        let condition = self.expression(Type::Integer, 3);
        let then = self.block();
        let otherwise = if self.random.below(2) == 0 { self.block() } else { Block::new() };
        Statement::If { condition, then, otherwise }
    }

    fn selection(&mut self) -> Statement {
        let index = self.expression(Type::Integer, 3);
        let few = apply(Operator::IntegerAnd, [index.clone(), 3.into()]);
        let index = if self.random.below(4) == 0 { index } else { few };
        let exits = std::mem::take(&mut self.scope.exits);
        let cases = (0..self.random.below(5)).map(|_| self.block()).collect();
        let otherwise = if self.random.below(2) == 0 { self.block() } else { Block::new() };
        self.scope.exits = exits;
        Statement::Switch { index, cases, otherwise }
    }

    fn rarely(&mut self, statement: Statement) -> Statement {
        Statement::If { condition: self.expression(Type::Integer, 2), then: vec![statement], otherwise: Block::new() }
    }

    fn counting(&mut self) -> Statement {
        let (from, to) = (self.random.below(3) as i64, self.random.below(7) as i64);
        let variable = self.local(Type::Integer);
        self.scope.readable.push(variable);
        self.scope.loops += 1;
        self.scope.exits += 1;
        let body = self.block();
        self.scope.loops -= 1;
        self.scope.exits -= 1;
        self.scope.readable.retain(|&local| local != variable);
        Statement::For { variable, from: from.into(), to: to.into(), body }
    }

    /// A `while` with a counter, so that it ends.
    fn repetition(&mut self) -> Block {
        let counter = self.local(Type::Integer);
        let rounds = self.random.below(6) as i64;
        self.scope.readable.push(counter);
        self.scope.loops += 1;
        self.scope.exits += 1;
        let positive = apply(Operator::IntegerGreater, [counter.into(), 0.into()]);
        let wish = self.expression(Type::Integer, 2);
        let wish = apply(Operator::IntegerOr, [wish, 1.into()]);
        let condition = apply(Operator::IntegerSelect, [positive, wish, 0.into()]);
        let mut body = self.block();
        self.scope.loops -= 1;
        self.scope.exits -= 1;
        let less = apply(Operator::IntegerSubtract, [counter.into(), 1.into()]);
        body.insert(0, Statement::Assign(counter, less));
        vec![Statement::Assign(counter, rounds.into()), Statement::While { condition, body }]
    }

    fn call(&mut self) -> Statement {
        let function = FunctionId(self.random.below(self.module.functions.len()) as u32);
        let signature = self.module.function(function).signature();
        let arguments = signature.parameters.iter().map(|&kind| self.expression(kind, 2)).collect();
        let results = signature.results.iter().map(|&kind| self.variable(kind)).collect();
        Statement::Call { function, arguments, results }
    }

    fn expression(&mut self, kind: Type, depth: usize) -> Expression {
        match self.random.below(10) {
            0 => self.value(kind).into(),
            1..3 => self.readable(kind),
            3 => {
                let array = self.array(Some(kind));
                Expression::Load { array, index: Box::new(self.index(array, depth.saturating_sub(1))) }
            }
            _ if depth == 0 => self.readable(kind),
            _ => self.application(kind, depth),
        }
    }

    fn application(&mut self, kind: Type, depth: usize) -> Expression {
        let fitting: Vec<Operator> = Operator::all().filter(|operator| operator.row().result == kind).collect();
        let operator = self.random.pick(&fitting);
        let kinds = operator.row().operands.iter();
        let mut operands: Box<[Expression]> = kinds.map(|&kind| self.expression(kind, depth - 1)).collect();
        if matches!(operator, Operator::RealToBits | Operator::RealCopySign) {
            operands.iter_mut().for_each(make_a_number);
        }
        Expression::Apply { operator, operands }
    }

    fn readable(&mut self, kind: Type) -> Expression {
        let fitting: Vec<LocalId> = self.scope.readable.iter().copied().filter(|local| local.kind == kind).collect();
        if fitting.is_empty() { self.value(kind).into() } else { self.random.pick(&fitting).into() }
    }

    fn kind(&mut self) -> Type {
        self.random.pick(&[Type::Real, Type::Real, Type::Integer])
    }

    fn value(&mut self, kind: Type) -> Value {
        match (kind, self.random.below(3)) {
            (Type::Real, 0) => Value::Real(self.random.pick(REALS)),
            (Type::Real, _) => Value::Real((self.random.bits() >> 40) as f64 / 1024.0 - 8192.0),
            (Type::Integer, 0) => Value::Integer(self.random.pick(INTEGERS)),
            (Type::Integer, _) => Value::Integer(self.random.below(21) as i64 - 10),
        }
    }

    fn array(&mut self, element: Option<Type>) -> ArrayId {
        let fitting: Vec<ArrayId> =
            self.module.array_ids().filter(|array| element.is_none_or(|kind| kind == array.element)).collect();
        self.random.pick(&fitting)
    }

    fn index(&mut self, array: ArrayId, depth: usize) -> Expression {
        let last = self.module.array(array).length - 1;
        if self.random.below(2) == 0 {
            return self.random.below(last + 1).into();
        }
        let any = self.expression(Type::Integer, depth);
        apply(Operator::IntegerAnd, [any, last.into()])
    }
}

/// Puts 1 in place of what is not a number.
fn make_a_number(operand: &mut Expression) {
    let value = std::mem::replace(operand, 0.into());
    let is_number = apply(Operator::RealEqual, [value.clone(), value.clone()]);
    *operand = apply(Operator::RealSelect, [is_number, value, 1.0.into()]);
}

/// Without folding, so that operators on constants are tested too.
fn apply<const N: usize>(operator: Operator, operands: [Expression; N]) -> Expression {
    Expression::Apply { operator, operands: Box::new(operands) }
}
