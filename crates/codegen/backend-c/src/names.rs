//! Names of the kernel that mean something else in C.

use kernel::Module;

/// Keywords, and what the included headers declare or define.
const RESERVED: &[&str] = &[
    "auto",
    "char",
    "case",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "enum",
    "extern",
    "float",
    "goto",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "asm",
    "bool",
    "true",
    "false",
    "nullptr",
    "typeof",
    "constexpr",
    "alignas",
    "alignof",
    "static_assert",
    "thread_local",
    "main",
    "sin",
    "cos",
    "tan",
    "sincos",
    "asin",
    "acos",
    "atan",
    "atan2",
    "exp",
    "log",
    "pow",
    "sinh",
    "cosh",
    "tanh",
    "sqrt",
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "round",
    "copysign",
    "abs",
    "min",
    "max",
    "memcpy",
    "isnan",
    "isinf",
    "signbit",
    "NULL",
    "NAN",
    "INFINITY",
    "unix",
    "linux",
    "self",
];

/// The name of a local, which must not hide a function or a table that stands beside the functions.
pub fn local(module: &Module, name: &str) -> String {
    let stem = name.trim_end_matches('_');
    let hides = module.functions.iter().any(|function| function.name == stem)
        || module.arrays.iter().any(|array| array.name == stem);
    if hides { plain(&format!("{name}_")) } else { plain(name) }
}

/// The name as it stands in C. Different names stay different: `int` becomes `int_`, and `int_` becomes `int__`.
pub fn plain(name: &str) -> String {
    let stem = name.trim_end_matches('_');
    let is_result = stem.strip_prefix("result").is_some_and(|number| number.parse::<u32>().is_ok());
    if RESERVED.contains(&stem) || is_result { format!("{name}_") } else { name.to_string() }
}
