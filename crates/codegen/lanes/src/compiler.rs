//! The C compiler of this machine, and what it made before.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A C compiler with the vector types of gcc and clang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    name: String,
    /// Its version and that of the processor: what it made for one is no good for another.
    identity: String,
}

/// Every operation rounds by itself, integers wrap around, and nobody asks for `errno`.
const OPTIONS: &[&str] = &[
    "-std=gnu11",
    "-O3",
    "-march=native",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-tree-vectorize",
    "-shared",
    "-fPIC",
    "-w",
];

/// More libraries than these are not kept.
const KEPT: usize = 64;

impl Compiler {
    /// The one that `CC` names, or the usual ones.
    pub fn find() -> Option<Compiler> {
        let named = std::env::var("CC").ok().filter(|name| !name.is_empty());
        named.into_iter().chain(["cc", "gcc", "clang"].map(String::from)).find_map(|name| {
            let said = Command::new(&name).arg("--version").output().ok().filter(|it| it.status.success())?;
            let version = String::from_utf8_lossy(&said.stdout).lines().next().unwrap_or_default().to_string();
            Some(Compiler { identity: format!("{version}; {}", processor()), name })
        })
    }

    /// The file of a library, made now or before.
    pub fn library(&self, source: &str, lanes: usize) -> Result<Made, String> {
        let text = self.whole(source, lanes);
        let Some(folder) = cache() else { return self.make_apart(&text, lanes) };
        let stem = stem(&text);
        let [library, kept] = ["so", "c"].map(|ending| folder.join(format!("{stem}.{ending}")));
        if is_same(&kept, &text) && library.exists() {
            return Ok(Made { library, folder: None });
        }
        if std::fs::create_dir_all(&folder).is_err() {
            return self.make_apart(&text, lanes);
        }
        // Another process may make the same one: each writes files of its own, and puts them in place at once.
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let own = format!("{stem}-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let [made, from] = ["so", "c"].map(|ending| folder.join(format!("{own}.{ending}")));
        let done = self.make(&text, lanes, &from, &made).and_then(|()| {
            let placed = std::fs::rename(&made, &library).and_then(|()| std::fs::rename(&from, &kept));
            placed.map_err(|error| error.to_string())
        });
        [made, from].iter().for_each(|file| drop(std::fs::remove_file(file)));
        done?;
        forget_oldest(&folder);
        Ok(Made { library, folder: None })
    }

    fn whole(&self, source: &str, lanes: usize) -> String {
        format!("/* {lanes} lanes; {}; {} */\n{source}", self.identity.replace("*/", ""), OPTIONS.join(" "))
    }

    /// In a folder that goes with the library, where nothing can be kept.
    fn make_apart(&self, text: &str, lanes: usize) -> Result<Made, String> {
        let folder = std::env::temp_dir().join(format!("ansatz-lanes-{}-{}", std::process::id(), stem(text)));
        // Nobody else may have put something there.
        std::fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let library = folder.join("lanes.so");
        let made = self.make(text, lanes, &folder.join("lanes.c"), &library);
        let whole = Made { library, folder: Some(folder) };
        made.map(|()| whole)
    }

    fn make(&self, text: &str, lanes: usize, source: &Path, library: &Path) -> Result<(), String> {
        std::fs::write(source, text).map_err(|error| format!("{}: {error}", source.display()))?;
        let mut command = Command::new(&self.name);
        command.args(OPTIONS).arg(format!("-DLANES={lanes}")).arg("-o").arg(library).arg(source).arg("-lm");
        let said = command.output().map_err(|error| format!("{}: {error}", self.name))?;
        let first = String::from_utf8_lossy(&said.stderr).lines().next().unwrap_or("nothing").to_string();
        if said.status.success() { Ok(()) } else { Err(format!("`{}` says: {first}", self.name)) }
    }
}

/// Whether a library was made before, so that it costs nothing to use it.
pub fn is_known(compiler: &Compiler, source: &str, lanes: usize) -> bool {
    let text = compiler.whole(source, lanes);
    cache().is_some_and(|folder| {
        let stem = stem(&text);
        is_same(&folder.join(format!("{stem}.c")), &text) && folder.join(format!("{stem}.so")).exists()
    })
}

/// The file of a library; a folder of its own goes with it.
pub struct Made {
    pub library: PathBuf,
    folder: Option<PathBuf>,
}

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Where this user's programs keep what they can make again.
fn cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    folder.is_absolute().then(|| folder.join("ansatz").join("lanes"))
}

fn is_same(file: &Path, text: &str) -> bool {
    std::fs::read(file).is_ok_and(|known| known == text.as_bytes())
}

/// FNV-1a (Fowler, Noll and Vo); whatever has the same is told apart by its text.
fn stem(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

fn processor() -> String {
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let telling = |line: &&str| ["model name", "flags", "Features", "CPU part"].iter().any(|it| line.starts_with(it));
    let lines: Vec<&str> = known.lines().take_while(|line| !line.is_empty()).filter(telling).collect();
    stem(&format!("{} {}", std::env::consts::ARCH, lines.join(" ")))
}

fn forget_oldest(folder: &Path) {
    let Ok(files) = std::fs::read_dir(folder) else { return };
    let mut known: Vec<_> =
        files.flatten().filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file.path()))).collect();
    known.sort();
    for (_, file) in known.iter().take(known.len().saturating_sub(2 * KEPT)) {
        let _ = std::fs::remove_file(file);
    }
}
