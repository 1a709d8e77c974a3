//! The way in from Rust: a small function of fixed form that takes arguments from cells and puts results into cells.

use crate::translate::{machine_type, signature as machine_signature};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::Module as _;
use kernel::Signature;

const CELL: i32 = 8;

/// Writes the entry for all functions of a signature into an empty context. In C it would be
/// `void entry(function, uint64_t *memory, const uint64_t *arguments, uint64_t *results)`.
pub fn translate(signature: &Signature, jit: &JITModule, context: &mut Context, scratch: &mut FunctionBuilderContext) {
    context.func.signature = jit.make_signature();
    context.func.signature.params.extend([AbiParam::new(jit.target_config().pointer_type()); 4]);
    let mut builder = FunctionBuilder::new(&mut context.func, scratch);
    let start = builder.create_block();
    builder.append_block_params_for_function_params(start);
    builder.switch_to_block(start);
    builder.seal_block(start);
    let [function, memory, arguments, results] = [0, 1, 2, 3].map(|index| builder.block_params(start)[index]);
    let flags = MemFlagsData::trusted();
    let mut values = vec![memory];
    for (&kind, offset) in signature.parameters.iter().zip((0..).step_by(CELL as usize)) {
        values.push(builder.ins().load(machine_type(kind), flags, arguments, offset));
    }
    let callee = builder.import_signature(machine_signature(signature, jit));
    let call = builder.ins().call_indirect(callee, function, &values);
    let values: Vec<Value> = builder.inst_results(call).to_vec();
    for (value, offset) in values.into_iter().zip((0..).step_by(CELL as usize)) {
        builder.ins().store(flags, value, results, offset);
    }
    builder.ins().return_(&[]);
    builder.finalize(jit.target_config());
}
