//! Kernel statements as Cranelift instructions: one function for each kernel function.
//!
//! The first arguments of every function are the address of the memory, and that of its own place in the table of functions. Locals become variables, from which the
//! front end makes values in single-assignment form.

mod expression;
mod rounds;

use self::rounds::{Reads, Rounds};
use crate::code::{PLACE, address_of_foreign};
use crate::regions::{Regions, WrittenArrays};
use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self, AbiParam, FuncRef, InstBuilder, MemFlagsData, SigRef, StackSlotData, StackSlotKind, UserFuncName, Value,
    types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module as _};
use kernel::{Block, Expression, Function, FunctionId, Layout, LocalId, Signature, Statement, Type};
use std::collections::BTreeMap;

/// What a function sees of its module.
pub struct Surroundings<'c> {
    pub layout: &'c Layout,
    pub written: &'c WrittenArrays,
    /// Of all functions.
    pub signatures: &'c [Signature],
    /// The functions that are called directly, in the order of the module; the others are called by their places.
    pub direct: &'c [Option<FuncId>],
    /// Which function this is.
    pub index: usize,
}

/// Writes the function into an empty context.
pub fn function(
    function: &Function,
    surroundings: &Surroundings,
    jit: &mut JITModule,
    context: &mut Context,
    scratch: &mut FunctionBuilderContext,
) {
    context.func.signature = signature(&function.signature(), jit);
    context.func.name = UserFuncName::testcase(&function.name);
    let mut builder = FunctionBuilder::new(&mut context.func, scratch);
    let start = builder.create_block();
    builder.append_block_params_for_function_params(start);
    builder.switch_to_block(start);
    builder.seal_block(start);
    let [memory, place] = [0, 1].map(|index| builder.block_params(start)[index]);
    let locals = function.locals.iter().map(|local| builder.declare_var(machine_type(local.kind))).collect();
    let mut translator = Translator {
        surroundings,
        jit,
        builder,
        memory,
        place,
        locals,
        callees: BTreeMap::new(),
        callee_signatures: BTreeMap::new(),
        regions: Regions::new(function),
        reads: Reads::of(function),
        exits: Vec::new(),
        open: true,
    };
    translator.body(function, start);
    let target = translator.jit.target_config();
    translator.builder.finalize(target);
}

pub fn machine_type(kind: Type) -> ir::Type {
    match kind {
        Type::Real => types::F64,
        Type::Integer => types::I64,
    }
}

/// The machine signature of a kernel function. The convention is the one with the most registers for results.
pub fn signature(signature: &Signature, jit: &JITModule) -> ir::Signature {
    let mut machine = ir::Signature::new(CallConv::Tail);
    machine.params.extend([AbiParam::new(jit.target_config().pointer_type()); 2]);
    machine.params.extend(signature.parameters.iter().map(|&kind| AbiParam::new(machine_type(kind))));
    machine.returns.extend(signature.results.iter().map(|&kind| AbiParam::new(machine_type(kind))));
    machine
}

struct Translator<'t> {
    surroundings: &'t Surroundings<'t>,
    jit: &'t mut JITModule,
    builder: FunctionBuilder<'t>,
    /// The address of the memory.
    memory: Value,
    /// The address of the place of this function.
    place: Value,
    locals: Vec<Variable>,
    callees: BTreeMap<u32, FuncRef>,
    callee_signatures: BTreeMap<u32, SigRef>,
    regions: Regions,
    reads: Reads,
    /// Where `break` leads, the innermost loop last.
    exits: Vec<ir::Block>,
    /// False behind `return` and `break`, where nothing more can be written into the block.
    open: bool,
}

impl Translator<'_> {
    fn body(&mut self, function: &Function, start: ir::Block) {
        for (position, parameter) in function.parameters().enumerate() {
            let value = self.builder.block_params(start)[position + 2];
            self.define(parameter, value);
        }
        self.block(&function.body);
        if self.open {
            // Only a function without results ends so; for the others the code generator wants some values.
            let results: Vec<Value> = function.results.iter().map(|&kind| self.zero(kind)).collect();
            self.builder.ins().return_(&results);
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            if !self.open {
                return;
            }
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, value) => {
                let value = self.expression(value);
                self.define(*local, value);
            }
            Statement::Store { array, index, value } => {
                let value = self.expression(value);
                let place = self.place(*array, index);
                self.builder.ins().store(place.flags, value, place.address, place.offset);
            }
            Statement::If { condition, then, otherwise } => self.alternatives(condition, then, otherwise),
            Statement::Switch { index, cases, otherwise } => self.selection(index, cases, otherwise),
            Statement::While { condition, body } => self.repetition(condition, body),
            Statement::For { variable, from, to, body } => self.counting(*variable, from, to, body),
            Statement::Break => {
                let exit = *self.exits.last().expect("a verified break is in a loop");
                self.jump(exit);
            }
            Statement::Call { function, arguments, results } => self.call(*function, arguments, results),
            Statement::Foreign { arguments, result } => self.foreign(arguments, *result),
            Statement::Return(values) => {
                let values: Vec<Value> = values.iter().map(|value| self.expression(value)).collect();
                self.builder.ins().return_(&values);
                self.open = false;
            }
            Statement::Note(_) => (),
        }
    }

    fn alternatives(&mut self, condition: &Expression, then: &Block, otherwise: &Block) {
        let condition = self.condition(condition);
        let (then_block, otherwise_block) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(condition, then_block, &[], otherwise_block, &[]);
        self.branches([(then_block, then), (otherwise_block, otherwise)]);
    }

    fn selection(&mut self, index: &Expression, cases: &[Block], otherwise: &Block) {
        let index = self.expression(index);
        let starts: Vec<ir::Block> = cases.iter().map(|_| self.builder.create_block()).collect();
        let last = self.builder.create_block();
        let mut switch = Switch::new();
        starts.iter().enumerate().for_each(|(at, &start)| switch.set_entry(at as u128, start));
        switch.emit(&mut self.builder, index, last);
        self.branches(starts.into_iter().zip(cases).chain([(last, otherwise)]));
    }

    /// Blocks of which one is done, and what comes behind them.
    fn branches<'b>(&mut self, branches: impl IntoIterator<Item = (ir::Block, &'b Block)>) {
        let end = self.builder.create_block();
        let mut reached = false;
        for (start, block) in branches {
            self.enter(start);
            self.builder.seal_block(start);
            self.block(block);
            reached |= self.open;
            if self.open {
                self.jump(end);
            }
        }
        self.enter(end);
        self.builder.seal_block(end);
        self.open = reached;
        if !reached {
            self.fill();
        }
    }

    fn repetition(&mut self, condition: &Expression, body: &Block) {
        let [head, start, end] = [(); 3].map(|()| self.builder.create_block());
        self.jump(head);
        self.enter(head);
        let condition = self.condition(condition);
        self.builder.ins().brif(condition, start, &[], end, &[]);
        self.enter(start);
        self.builder.seal_block(start);
        self.rounds(body, end);
        if self.open {
            self.jump(head);
        }
        self.builder.seal_block(head);
        self.enter(end);
        self.builder.seal_block(end);
    }

    /// The test for another round stands at the end of the round, and once before the first.
    fn counting(&mut self, variable: LocalId, from: &Expression, to: &Expression, body: &Block) {
        let rounds = Rounds::new(variable, [from, to], body, &self.reads);
        let (from, to) = (self.expression(from), self.expression(to));
        let from = rounds.map_or(from, |rounds| self.two_by_two(&rounds, from, to));
        let (start, end) = (self.builder.create_block(), self.builder.create_block());
        self.define(variable, from);
        self.branch_if_less(from, to, start, end);
        self.enter(start);
        let value = self.builder.use_var(self.locals[variable.index as usize]);
        self.rounds(body, end);
        if self.open {
            let next = self.builder.ins().iadd_imm_s(value, 1);
            self.define(variable, next);
            self.branch_if_less(next, to, start, end);
        }
        self.builder.seal_block(start);
        self.enter(end);
        self.builder.seal_block(end);
    }

    fn branch_if_less(&mut self, a: Value, b: Value, then: ir::Block, otherwise: ir::Block) {
        let less = self.builder.ins().icmp(IntCC::SignedLessThan, a, b);
        self.builder.ins().brif(less, then, &[], otherwise, &[]);
    }

    fn rounds(&mut self, body: &Block, end: ir::Block) {
        self.exits.push(end);
        self.block(body);
        self.exits.pop();
    }

    fn call(&mut self, function: FunctionId, arguments: &[Expression], results: &[LocalId]) {
        let arguments: Vec<Value> = arguments.iter().map(|argument| self.expression(argument)).collect();
        let call = match self.surroundings.direct[function.0 as usize] {
            Some(id) => {
                let (jit, builder) = (&mut *self.jit, &mut self.builder);
                let entry = self.callees.entry(function.0);
                let callee = *entry.or_insert_with(|| jit.declare_func_in_func(id, builder.func));
                // What is called directly calls nothing by its place.
                let values = [&[self.memory, self.place], &arguments[..]].concat();
                self.builder.ins().call(callee, &values)
            }
            None => {
                let distance = (i64::from(function.0) - self.surroundings.index as i64) * PLACE;
                let place = self.builder.ins().iadd_imm_s(self.place, distance);
                let code = self.builder.ins().load(types::I64, MemFlagsData::trusted(), place, 0);
                let (jit, builder) = (&*self.jit, &mut self.builder);
                let entry = self.callee_signatures.entry(function.0);
                let known = &self.surroundings.signatures[function.0 as usize];
                let callee = *entry.or_insert_with(|| builder.import_signature(signature(known, jit)));
                let values = [&[self.memory, place], &arguments[..]].concat();
                self.builder.ins().call_indirect(callee, code, &values)
            }
        };
        for (position, &result) in results.iter().enumerate() {
            let value = self.builder.inst_results(call)[position];
            self.define(result, value);
        }
    }

    /// The arguments are put in a row on the stack, where the function of the host finds them.
    fn foreign(&mut self, arguments: &[Expression], result: LocalId) {
        let values: Vec<Value> = arguments.iter().map(|argument| self.expression(argument)).collect();
        let bytes = (values.len() * 8) as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.builder.create_sized_stack_slot(slot);
        for (&value, offset) in values.iter().zip((0..).step_by(8)) {
            self.builder.ins().stack_store(types::I64, value, slot, offset);
        }
        let pointer = self.jit.target_config().pointer_type();
        let mut form = self.jit.make_signature();
        form.params = vec![AbiParam::new(pointer), AbiParam::new(types::I64)];
        form.returns = vec![AbiParam::new(types::F64)];
        let form = self.builder.import_signature(form);
        let callee = self.builder.ins().iconst(pointer, address_of_foreign() as i64);
        let row = self.builder.ins().stack_addr(pointer, slot, 0);
        let count = self.builder.ins().iconst(types::I64, values.len() as i64);
        let call = self.builder.ins().call_indirect(form, callee, &[row, count]);
        let value = self.builder.inst_results(call)[0];
        self.define(result, value);
    }

    fn define(&mut self, local: LocalId, value: Value) {
        self.builder.def_var(self.locals[local.index as usize], value);
    }

    fn jump(&mut self, to: ir::Block) {
        self.builder.ins().jump(to, &[]);
        self.open = false;
    }

    fn enter(&mut self, block: ir::Block) {
        self.builder.switch_to_block(block);
        self.open = true;
    }

    /// Ends a block that is never reached.
    fn fill(&mut self) {
        self.builder.ins().trap(ir::TrapCode::unwrap_user(1));
    }

    fn zero(&mut self, kind: Type) -> Value {
        match kind {
            Type::Real => self.builder.ins().f64const(0.0),
            Type::Integer => self.builder.ins().iconst(types::I64, 0),
        }
    }
}
