//! The kernel: a small, typed, structured, allocation-free language that every generated program ends up in.
//!
//! ```
//! use kernel::{Interpreter, Machine, ModuleBuilder, Term, Type::*, load};
//!
//! let mut module = ModuleBuilder::new("mean");
//! let x = module.reals("x", &[1.0, 2.0, 6.0], "samples");
//! let mean = module.declare("mean", &[("limit", Real)], &[Real]);
//! module.define(mean, |f| {
//!     let [limit] = f.parameters();
//!     let sum = f.real("sum", 0.0);
//!     f.for_each("i", 0, 3, |f, i| f.assign(sum, sum + load(x, i)));
//!     f.if_(sum.gt(limit), |f| f.return_(limit));
//!     f.return_(sum / 3.0);
//! });
//! let module = module.finish();
//!
//! let result = Interpreter::new(&module).call(mean, &[10.0.into()], &mut module.initial_memory());
//! assert_eq!(result, Ok(vec![3.0.into()]));
//! ```
//!
//! Every back end gives the interpreter's results bit for bit, with one exception: the bits of what is not a number
//! are unspecified, and with them what `bits` and the second operand of `copysign` make of it. There is no integer
//! division and no fused multiply-add. Indices are proven or checked by [`verify`] and the [`Interpreter`] only.

mod expression;
mod memory;
mod module;
mod operator;
mod statement;
mod value;

mod builder;
mod declare;
mod fold;
mod grow;
mod inline;
mod rename;
mod split;
mod tangent;
mod term;
mod unused;
mod usage;

mod text;
mod verify;

pub mod executive;
pub mod foreign;
pub mod generate;
pub mod interface;
pub mod protocol;

mod interpret;
mod machine;

pub use builder::{Frame, FunctionBuilder, Guest, Joiner, ModuleBuilder, Names, Operands};
pub use declare::Declarations;
pub use expression::{DEEPEST_EXPRESSION, Expression, load};
pub use grow::carry_over;
pub use inline::Inlining;
pub use interpret::Interpreter;
pub use machine::{Lanes, LanesOf, Machine, SharedMachine, Trap};
pub use memory::Memory;
pub use module::{Array, ArrayId, Function, FunctionId, Layout, Local, LocalId, Module, Signature, Slot};
pub use operator::{MOST_OPERANDS, Notation, Operator, Row};
pub use split::split_large;
pub use statement::{Block, Statement};
pub use tangent::Tangents;
pub use term::Term;
pub use text::{ParseError, is_identifier, is_keyword, parse, print, print_function};
pub use unused::remove_unused;
pub use usage::{Shape, Usage};
pub use value::{Type, Value};
pub use verify::{Fault, Problem, verify, verify_grown};
