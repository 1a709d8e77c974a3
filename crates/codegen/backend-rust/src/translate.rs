//! A module as the text of a library.

use kernel::{Module, Usage};

use crate::function::definition;
use crate::memory::{declarations, initial_fields, push, tables};
use crate::names::type_name;

/// What stands before all else. Statements follow the kernel one by one, so some lints about style do not apply.
const ATTRIBUTES: &str = "\
#![cfg_attr(not(feature = \"std\"), no_std)]
#![forbid(unsafe_code)]
#![allow(dead_code, unused_assignments, unused_mut, non_snake_case, non_upper_case_globals)]
// One statement for each of the synthesized program, in its order, and what is not a number compares as it should.
#![allow(clippy::approx_constant, clippy::eq_op, clippy::manual_swap, clippy::neg_cmp_op_on_partial_ord)]
#![allow(clippy::reversed_empty_ranges, clippy::self_assignment, clippy::needless_return, clippy::nonminimal_bool)]
#![allow(clippy::too_many_arguments, clippy::needless_late_init, clippy::collapsible_if, clippy::excessive_precision)]
";

/// The text of `lib.rs`. Needs: verified. `about` is its documentation.
pub fn translate(module: &Module, about: &str) -> String {
    let usage = Usage::of(module);
    let name = type_name(&module.name);
    let mut text: String = about.lines().map(|line| format!("//! {line}").trim_end().to_string() + "\n").collect();
    push(&mut text, format_args!("\n{ATTRIBUTES}\n{}\n", declarations(module, &usage)));
    push(
        &mut text,
        format_args!(
            "impl Default for {name} {{\n    fn default() -> {name} {{\n        {name}::new()\n    }}\n}}\n\n"
        ),
    );
    push(&mut text, format_args!("impl {name} {{\n    /// With the default values of parameters and controls.\n"));
    push(
        &mut text,
        format_args!(
            "    pub fn new() -> {name} {{\n        {name} {{\n{}        }}\n    }}\n",
            initial_fields(module, &usage)
        ),
    );
    for id in module.callees_first() {
        push(&mut text, format_args!("\n{}", definition(module, &usage, id)));
    }
    push(&mut text, format_args!("}}\n\n{}{}", tables(module, &usage), include_str!("text/math.rs")));
    text
}
