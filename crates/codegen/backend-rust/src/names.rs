//! Names of the kernel that mean something else in Rust, and names in the style of Rust.

const RESERVED: &[&str] = &[
    "as", "async", "await", "const", "continue", "crate", "dyn", "enum", "extern", "false", "impl", "loop", "match",
    "mod", "move", "mut", "pub", "ref", "self", "Self", "static", "struct", "super", "trait", "true", "type", "unsafe",
    "use", "where", "abstract", "become", "box", "do", "final", "gen", "macro", "override", "priv", "try", "typeof",
    "unsized", "virtual", "yield", "union", "f64", "i64", "new",
];

/// The name as it stands in Rust. Different names stay different: `type` becomes `type_`, and `type_` becomes `type__`.
pub fn plain(name: &str) -> String {
    let stem = name.trim_end_matches('_');
    if RESERVED.contains(&stem) || stem.is_empty() { format!("{name}_") } else { name.to_string() }
}

/// `two_over_pi` as the name of a constant. Case may be all that two names differ in, so it is kept where there is any.
pub fn constant_name(name: &str) -> String {
    let name = plain(name);
    if name.chars().any(|c| c.is_ascii_uppercase()) { name } else { name.to_uppercase() }
}

/// `double_pendulum` as the name of a type.
pub fn type_name(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    let name: String = name.split('_').map(word).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("N{name}") }
}
