//! Where a program may keep what belongs to a user and to no scene, as each system has it.

use std::path::PathBuf;

/// What can be made again.
pub fn cache() -> Option<PathBuf> {
    place("XDG_CACHE_HOME", ".cache")
}

/// What should outlive the program: drafts.
pub fn state() -> Option<PathBuf> {
    place("XDG_STATE_HOME", ".local/state")
}

fn place(variable: &str, in_home: &str) -> Option<PathBuf> {
    let from = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = from(variable).or_else(|| from("HOME").map(|home| home.join(in_home))).or_else(|| from("LOCALAPPDATA"));
    base.map(|base| base.join("ansatz"))
}
