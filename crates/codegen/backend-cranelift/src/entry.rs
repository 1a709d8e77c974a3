//! The ways into functions: from Rust, with arguments and results in cells, and to functions whose code is still to be made.

use crate::code::address_of_called;
use crate::translate::{machine_type, signature as machine_signature};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::Module as _;
use kernel::Signature;

const CELL: i32 = 8;

/// Writes the entry for all functions of a signature into an empty context. In C it would be
/// `void entry(const Place *place, uint64_t *memory, const uint64_t *arguments, uint64_t *results)`.
pub fn translate(signature: &Signature, jit: &JITModule, context: &mut Context, scratch: &mut FunctionBuilderContext) {
    context.func.signature = jit.make_signature();
    context.func.signature.params.extend([AbiParam::new(jit.target_config().pointer_type()); 4]);
    let mut builder = begin(context, scratch);
    let start = builder.current_block().expect("just begun");
    let [place, memory, arguments, results] = [0, 1, 2, 3].map(|index| builder.block_params(start)[index]);
    let flags = MemFlagsData::trusted();
    let mut values = vec![memory, place];
    for (&kind, offset) in signature.parameters.iter().zip((0..).step_by(CELL as usize)) {
        values.push(builder.ins().load(machine_type(kind), flags, arguments, offset));
    }
    let function = builder.ins().load(types::I64, flags, place, 0);
    let callee = builder.import_signature(machine_signature(signature, jit));
    let call = builder.ins().call_indirect(callee, function, &values);
    let values: Vec<Value> = builder.inst_results(call).to_vec();
    for (value, offset) in values.into_iter().zip((0..).step_by(CELL as usize)) {
        builder.ins().store(flags, value, results, offset);
    }
    builder.ins().return_(&[]);
    builder.finalize(jit.target_config());
}

/// Writes what stands in for functions of a signature that have no code yet: it asks for the code, and goes on there with the same arguments.
pub fn translate_stub(
    signature: &Signature,
    jit: &JITModule,
    context: &mut Context,
    scratch: &mut FunctionBuilderContext,
) {
    context.func.signature = machine_signature(signature, jit);
    let mut builder = begin(context, scratch);
    let start = builder.current_block().expect("just begun");
    let arguments: Vec<Value> = builder.block_params(start).to_vec();
    let pointer = AbiParam::new(jit.target_config().pointer_type());
    let mut asking = jit.make_signature();
    (asking.params, asking.returns) = (vec![pointer], vec![pointer]);
    let asking = builder.import_signature(asking);
    let asked = builder.ins().iconst(types::I64, address_of_called() as i64);
    let call = builder.ins().call_indirect(asking, asked, &arguments[1..2]);
    let code = builder.inst_results(call)[0];
    let callee = builder.import_signature(machine_signature(signature, jit));
    let call = builder.ins().call_indirect(callee, code, &arguments);
    let results: Vec<Value> = builder.inst_results(call).to_vec();
    builder.ins().return_(&results);
    builder.finalize(jit.target_config());
}

fn begin<'c>(context: &'c mut Context, scratch: &'c mut FunctionBuilderContext) -> FunctionBuilder<'c> {
    let mut builder = FunctionBuilder::new(&mut context.func, scratch);
    let start = builder.create_block();
    builder.append_block_params_for_function_params(start);
    builder.switch_to_block(start);
    builder.seal_block(start);
    builder
}
