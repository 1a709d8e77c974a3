//! The library that simulators load, where there is a C compiler.

use std::path::Path;

use backend_c::Fmi;

/// The folder of the library in the archive, and what its name ends with.
pub struct Platform {
    pub folder: &'static str,
    pub ending: &'static str,
}

/// What the standard calls this machine; none if it has no name for it.
pub fn platform(version: Fmi) -> Option<Platform> {
    let (folder, ending) = match (version, std::env::consts::OS, std::env::consts::ARCH) {
        (Fmi::Three, "linux", "x86_64") => ("x86_64-linux", "so"),
        (Fmi::Three, "linux", "aarch64") => ("aarch64-linux", "so"),
        (Fmi::Three, "macos", "x86_64") => ("x86_64-darwin", "dylib"),
        (Fmi::Three, "macos", "aarch64") => ("aarch64-darwin", "dylib"),
        (Fmi::Two, "linux", "x86_64") => ("linux64", "so"),
        (Fmi::Two, "macos", "x86_64") => ("darwin64", "dylib"),
        _ => return None,
    };
    Some(Platform { folder, ending })
}

/// Only the functions of the standard are seen from outside.
const FLAGS: [&str; 2] = ["-std=c99", "-fvisibility=hidden"];

/// The library made from the sources, or why there is none.
pub fn compile(sources: &[(String, String)]) -> Result<Vec<u8>, String> {
    let folder = std::env::temp_dir().join(format!("ansatz-fmu-{}", std::process::id()));
    let made = make(sources, &folder);
    // What cannot be removed is left to the system.
    let _ = std::fs::remove_dir_all(&folder);
    made
}

fn make(sources: &[(String, String)], folder: &Path) -> Result<Vec<u8>, String> {
    let trouble = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(trouble)?;
    for (name, text) in sources {
        std::fs::write(folder.join(name), text).map_err(trouble)?;
    }
    let files: Vec<String> = sources.iter().map(|(name, _)| name.clone()).filter(|name| name.ends_with(".c")).collect();
    let library = folder.join("library");
    ::fmu::compiler::library(folder, &files, &FLAGS.map(str::to_string), &library)?;
    std::fs::read(library).map_err(trouble)
}
