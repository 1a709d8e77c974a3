//! The C compiler of this machine, if there is one: it makes the library that simulators load.

use std::path::Path;
use std::process::Command;

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

/// Each operation rounds by itself, as everywhere; only the functions of the standard are seen from outside.
const FLAGS: [&str; 6] =
    ["-std=c99", "-shared", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno"];

/// The library made from the sources, or why there is none. `CC` and `CFLAGS` are heeded, as `make` does.
pub fn compile(sources: &[(String, String)]) -> Result<Vec<u8>, String> {
    let compiler = std::env::var("CC").ok().filter(|it| !it.is_empty()).unwrap_or_else(|| "cc".to_string());
    let flags = std::env::var("CFLAGS").unwrap_or_else(|_| "-O2".to_string());
    let folder = std::env::temp_dir().join(format!("ansatz-fmu-{}", std::process::id()));
    let made = make(&compiler, &flags, sources, &folder);
    // What cannot be removed is left to the system.
    let _ = std::fs::remove_dir_all(&folder);
    made
}

fn make(compiler: &str, flags: &str, sources: &[(String, String)], folder: &Path) -> Result<Vec<u8>, String> {
    let trouble = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(trouble)?;
    for (name, text) in sources {
        std::fs::write(folder.join(name), text).map_err(trouble)?;
    }
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.current_dir(folder).args(words).args(FLAGS).args(flags.split_whitespace()).args(["-o", "library"]);
    command.args(sources.iter().map(|(name, _)| name).filter(|name| name.ends_with(".c"))).arg("-lm");
    let output = command.output().map_err(|error| format!("the C compiler `{compiler}` cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "the C compiler `{compiler}` failed: {}",
            said.lines().next().unwrap_or("it says nothing")
        ));
    }
    std::fs::read(folder.join("library")).map_err(trouble)
}
