//! Statements: blocks and branches.

use kernel::{Block, Expression, Function, Layout, LocalId, Statement, Type};
use wasm_encoder::{BlockType, InstructionSink, ValType};

pub fn value_type(kind: Type) -> ValType {
    match kind {
        Type::Real => ValType::F64,
        Type::Integer => ValType::I64,
    }
}

pub fn translate(function: &Function, layout: &Layout) -> wasm_encoder::Function {
    let own = function.locals[function.parameter_count..].iter().map(|local| value_type(local.kind));
    let ends = counts(&function.body);
    // Behind the kernel's variables: the end of each count, and two reals for operators that use their operands twice.
    let first_end = function.locals.len() as u32;
    let scratch = [first_end + ends, first_end + ends + 1];
    let locals = own.chain((0..ends).map(|_| ValType::I64)).chain([ValType::F64, ValType::F64]);
    let mut code = wasm_encoder::Function::new_with_locals_types(locals);
    let mut translator =
        Translator { sink: code.instructions(), layout, scratch, next_end: first_end, open: 0, exits: Vec::new() };
    translator.block(&function.body);
    if !function.results.is_empty() {
        // Every way through the function has returned.
        translator.sink.unreachable();
    }
    translator.sink.end();
    code
}

/// The number of counting loops.
fn counts(block: &Block) -> u32 {
    let own = |statement: &Statement| u32::from(matches!(statement, Statement::For { .. }));
    block.iter().map(|statement| own(statement) + statement.blocks().map(counts).sum::<u32>()).sum()
}

pub(crate) struct Translator<'t> {
    pub sink: InstructionSink<'t>,
    pub layout: &'t Layout,
    pub scratch: [u32; 2],
    next_end: u32,
    /// Blocks that are open.
    open: u32,
    /// For each loop around this place, how many blocks were open with the one that ends it.
    exits: Vec<u32>,
}

impl Translator<'_> {
    fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, value) => {
                self.expression(value);
                self.sink.local_set(local.index);
            }
            Statement::Store { array, index, value } => {
                let place = self.place(*array, index);
                self.expression(value);
                match array.element {
                    Type::Real => self.sink.f64_store(place),
                    Type::Integer => self.sink.i64_store(place),
                };
            }
            Statement::If { condition, then, otherwise } => {
                self.condition(condition);
                self.sink.if_(BlockType::Empty);
                self.open += 1;
                self.block(then);
                if !otherwise.is_empty() {
                    self.sink.else_();
                    self.block(otherwise);
                }
                self.close();
            }
            Statement::Switch { index, cases, otherwise } => self.selection(index, cases, otherwise),
            Statement::While { condition, body } => {
                self.repeat(|it| it.condition(condition), |it| it.block(body));
            }
            Statement::For { variable, from, to, body } => self.count(*variable, from, to, body),
            Statement::Break => {
                let exit = self.exits.last().copied().unwrap_or(self.open);
                self.sink.br(self.open - exit);
            }
            Statement::Call { function, arguments, results } => {
                arguments.iter().for_each(|argument| self.expression(argument));
                self.sink.call(function.0);
                for result in results.iter().rev() {
                    self.sink.local_set(result.index);
                }
            }
            Statement::Foreign { .. } => unreachable!("what calls libraries of others stays where it is"),
            Statement::Return(values) => {
                values.iter().for_each(|value| self.expression(value));
                self.sink.return_();
            }
            Statement::Note(_) => {}
        }
    }

    /// A block around each case, which is left to where the case stands, and one around all.
    fn selection(&mut self, index: &Expression, cases: &[Block], otherwise: &Block) {
        let count = cases.len() as u32;
        for _ in 0..count + 2 {
            self.sink.block(BlockType::Empty);
            self.open += 1;
        }
        // What is no place, and what has more than 32 bits, leads to the last.
        self.expression(index);
        self.sink.i32_wrap_i64().i32_const(count as i32);
        self.expression(index);
        self.sink.i64_const(i64::from(count)).i64_lt_u().select();
        self.sink.br_table(0..count, count);
        for (case, end) in cases.iter().zip((1..=count).rev()) {
            self.close();
            self.block(case);
            self.sink.br(end);
        }
        self.close();
        self.block(otherwise);
        self.close();
    }

    fn count(&mut self, variable: LocalId, from: &Expression, to: &Expression, body: &Block) {
        let end = self.next_end;
        self.next_end += 1;
        self.expression(from);
        self.expression(to);
        self.sink.local_set(end).local_set(variable.index);
        self.repeat(
            |it| {
                it.sink.local_get(variable.index).local_get(end).i64_lt_s();
            },
            |it| {
                it.block(body);
                it.sink.local_get(variable.index).i64_const(1).i64_add().local_set(variable.index);
            },
        );
    }

    /// A block to leave by, and a loop to go round in.
    fn repeat(&mut self, condition: impl FnOnce(&mut Self), body: impl FnOnce(&mut Self)) {
        self.sink.block(BlockType::Empty);
        self.open += 1;
        self.exits.push(self.open);
        self.sink.loop_(BlockType::Empty);
        self.open += 1;
        condition(self);
        self.sink.i32_eqz().br_if(1);
        body(self);
        self.sink.br(0);
        self.close();
        self.close();
        self.exits.pop();
    }

    fn close(&mut self) {
        self.sink.end();
        self.open -= 1;
    }
}
