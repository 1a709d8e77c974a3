//! Expressions: one arena of hash-consed terms, so that what is equal is shared, and nothing is ever expanded.
//!
//! An [`Expr`] is a number that names a node. Nodes are made by the arena's constructors, which bring sums and products
//! into a canonical order and apply the few rewrite laws of `construct`. A node's children are always older than the node,
//! so that every traversal is a walk through ascending numbers.

mod alike;
mod arena;
mod articulate;
mod book;
mod condition;
mod construct;
mod contract;
mod cost;
mod curve;
mod differentiate;
mod evaluate;
mod factor;
mod formula;
mod interval;
mod jacobian;
mod notation;
mod number;
mod operator;
mod polynomial;
mod print;
mod roots;
mod rows;
mod substitute;
mod term;
mod trigonometry;
mod vector;

pub use alike::Alike;
pub use arena::{Arena, Expr, Marks, Node, SymbolId};
pub use articulate::{Articulation, Step, articulate};
pub use book::{BookName, book_name, short_names};
pub use contract::{Demand, Region, contract, enclose, is_impossible};
pub use cost::{Cost, cost};
pub use curve::{Curve, Joining, KNOT, PARTS, STEEPEST, STEEPNESS};
pub use differentiate::Differentiator;
pub use evaluate::{Point, Tape, evaluate, whole_power};
pub use factor::{Kind, Reader};
pub use formula::Formula;
pub use interval::Interval;
pub use jacobian::{jacobian, jacobian_with_tips, occurrences};
pub use notation::{Notation, Writer, identifier, latex_name};
pub use number::Number;
pub use operator::{Bends, OPERATORS, Operator, OperatorRow, Units};
pub use polynomial::{Expander, Monomial, Polynomial};
pub use print::{Listing, list, named_parts, print};
pub use roots::{Roots, roots};
pub use rows::Rows;
pub use substitute::{Substitution, carry};
pub use term::Term;
pub use vector::{Matrix, Vector};
