//! Names of the kernel that mean something else in C.

use kernel::Module;

/// Keywords, also of C++, and what the included headers declare or define.
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
    "and",
    "and_eq",
    "bitand",
    "bitor",
    "catch",
    "class",
    "compl",
    "concept",
    "consteval",
    "constinit",
    "decltype",
    "delete",
    "explicit",
    "export",
    "friend",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "template",
    "this",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "wchar_t",
    "xor",
    "xor_eq",
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

/// What the headers that a program includes declare besides, and short names that people give to scenes.
const DECLARED: &[&str] = &[
    "abort",
    "atexit",
    "atof",
    "atoi",
    "bsearch",
    "calloc",
    "clearerr",
    "clock",
    "close",
    "div",
    "drem",
    "erf",
    "exit",
    "fmod",
    "free",
    "gamma",
    "getenv",
    "getline",
    "hypot",
    "index",
    "j0",
    "j1",
    "jn",
    "labs",
    "ldiv",
    "link",
    "malloc",
    "matherr",
    "modf",
    "perror",
    "printf",
    "puts",
    "qsort",
    "raise",
    "rand",
    "random",
    "realloc",
    "remainder",
    "remove",
    "rename",
    "rewind",
    "scalb",
    "signal",
    "signgam",
    "significand",
    "srand",
    "stderr",
    "stdin",
    "stdout",
    "strlen",
    "system",
    "time",
    "tmpfile",
    "ungetc",
    "y0",
    "y1",
    "yn",
];

/// The name of a whole program, which is a type in C: another one if something else there has it. `beside` is a text that stands beside it.
pub fn whole(module: &Module, beside: &str) -> String {
    let name = &module.name;
    let inside = module.functions.iter().any(|function| function.name == *name)
        || module.arrays.iter().any(|array| array.name == *name);
    let mut words = beside.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let taken = inside || plain(name) != *name || DECLARED.contains(&name.as_str()) || words.any(|word| word == name);
    if taken { format!("{name}_scene") } else { name.clone() }
}

/// The name as it stands in C. Different names stay different: `int` becomes `int_`, and `int_` becomes `int__`.
pub fn plain(name: &str) -> String {
    let stem = name.trim_end_matches('_');
    let is_result = stem.strip_prefix("result").is_some_and(|number| number.parse::<u32>().is_ok());
    if RESERVED.contains(&stem) || is_result { format!("{name}_") } else { name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_may_have_any_name() {
        let name = |name: &str, beside: &str| {
            let mut module = kernel::ModuleBuilder::new(name);
            module.function("search", &[], &[], |f| f.return_(()));
            whole(&module.finish(), beside)
        };
        let beside = "static void check(int64_t code)";
        for taken in ["int", "main", "gamma", "search", "check"] {
            assert_eq!(name(taken, beside), format!("{taken}_scene"));
        }
        assert_eq!(name("pendulum", beside), "pendulum");
    }
}
