//! Folders are layers: what each may depend on.

use crate::tidy::Violation;
use crate::workspace::Crate;

/// The folder of a group or of one crate, the more special first, and what it may depend on: crates below these folders.
///
/// A crate is always allowed what its own row says and nothing else, so a group that may see itself says so.
const LAYERS: &[(&str, &[&str])] = &[
    ("crates/base", &[]),
    ("crates/symbolic/structure", &[]),
    ("crates/symbolic", &["crates/base", "crates/symbolic"]),
    ("crates/language", &["crates/base", "crates/symbolic/expr", "crates/language"]),
    ("crates/physics", &["crates/base", "crates/symbolic", "crates/language", "crates/physics"]),
    ("crates/synthesis", &["crates/base", "crates/symbolic", "crates/synthesis"]),
    ("crates/chapters", &["crates/base", "crates/symbolic", "crates/language", "crates/physics"]),
    ("crates/codegen/kernel", &["crates/base"]),
    ("crates/codegen/numerics", &["crates/base", "crates/codegen/kernel", "crates/symbolic/structure"]),
    ("crates/codegen/lower", &["crates/base", "crates/codegen", "crates/synthesis", "crates/symbolic/expr"]),
    ("crates/codegen/lanes", &["crates/codegen/kernel", "crates/codegen/backend-c"]),
    ("crates/codegen", &["crates/base", "crates/codegen/kernel"]),
    ("crates/simulation", &["crates/base", "crates/codegen/kernel"]),
    ("crates/app", &["crates"]),
    ("benchmarks", &["crates"]),
    ("editors/tree-sitter-ansatz", &["crates/base", "crates/language/syntax"]),
    ("python", &["crates/app/ansatz", "crates/app/studio"]),
    ("xtask", &["crates/base", "crates/language/syntax"]),
];

pub fn check(crates: &[Crate]) -> Vec<Violation> {
    crates.iter().flat_map(|one| check_crate(one, crates)).collect()
}

fn check_crate(one: &Crate, crates: &[Crate]) -> Vec<Violation> {
    let manifest = format!("{}/Cargo.toml", one.folder);
    let Some((layer, allowed)) = layer_of(&one.folder) else {
        return vec![Violation::new(manifest, "belongs to no layer; see the table in xtask/src/tidy/layers.rs")];
    };
    let refuse = |name: &String| {
        let folder = crates.iter().find(|other| other.name == *name).map(|other| other.folder.as_str())?;
        let fine = allowed.iter().any(|allowed| is_below(folder, allowed));
        let rule = if allowed.is_empty() { "nothing".to_string() } else { allowed.join(", ") };
        (!fine).then(|| Violation::new(&manifest, format!("must not depend on `{name}`: {layer} may use {rule}")))
    };
    one.dependencies.iter().filter_map(refuse).collect()
}

fn layer_of(folder: &str) -> Option<(&'static str, &'static [&'static str])> {
    LAYERS.iter().copied().find(|(layer, _)| is_below(folder, layer))
}

fn is_below(folder: &str, above: &str) -> bool {
    folder == above || folder.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(user: (&str, &str), used: (&str, &str)) -> Vec<Crate> {
        let one = |(name, folder): (&str, &str), dependencies: &[&str]| Crate {
            name: name.to_string(),
            folder: folder.to_string(),
            dependencies: dependencies.iter().map(|name| name.to_string()).collect(),
        };
        vec![one(user, &[used.0]), one(used, &[])]
    }

    fn broken(user: (&str, &str), used: (&str, &str)) -> bool {
        !check(&workspace(user, used)).is_empty()
    }

    const BASE: (&str, &str) = ("base", "crates/base");
    const EXPR: (&str, &str) = ("expr", "crates/symbolic/expr");
    const STRUCTURE: (&str, &str) = ("structure", "crates/symbolic/structure");
    const MODEL: (&str, &str) = ("model", "crates/language/model");
    const PROGRAM: (&str, &str) = ("program", "crates/synthesis/program");
    const KERNEL: (&str, &str) = ("kernel", "crates/codegen/kernel");
    const LOWER: (&str, &str) = ("lower", "crates/codegen/lower");
    const BACKEND: (&str, &str) = ("backend-c", "crates/codegen/backend-c");
    const SIMULATION: (&str, &str) = ("simulation", "crates/simulation");
    const DRIVER: (&str, &str) = ("driver", "crates/app/driver");

    #[test]
    fn groups_never_look_sideways_or_up() {
        let refused = [
            (BASE, EXPR),
            (STRUCTURE, EXPR),
            (MODEL, STRUCTURE),
            (MODEL, KERNEL),
            (PROGRAM, MODEL),
            (BACKEND, LOWER),
            (BACKEND, PROGRAM),
            (SIMULATION, MODEL),
            (SIMULATION, LOWER),
            (LOWER, MODEL),
            (KERNEL, DRIVER),
        ];
        for (user, used) in refused {
            assert!(broken(user, used), "{} may use {}", user.0, used.0);
        }
    }

    #[test]
    fn groups_may_look_down() {
        let allowed =
            [(EXPR, BASE), (MODEL, EXPR), (LOWER, PROGRAM), (BACKEND, KERNEL), (SIMULATION, KERNEL), (DRIVER, LOWER)];
        for (user, used) in allowed {
            assert!(!broken(user, used), "{} may not use {}", user.0, used.0);
        }
    }

    #[test]
    fn a_crate_has_a_layer() {
        let violations = check(&workspace(("stray", "crates/stray"), BASE));
        assert_eq!(violations[0].file, "crates/stray/Cargo.toml");
    }

    #[test]
    fn a_violation_names_the_file_and_the_rule() {
        let violations = check(&workspace(SIMULATION, MODEL));
        assert_eq!(
            violations[0].to_string(),
            "crates/simulation/Cargo.toml: must not depend on `model`: crates/simulation may use crates/base, crates/codegen/kernel"
        );
    }
}
