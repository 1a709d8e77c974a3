//! The archive of a unit. Whoever made it may mean harm: names that lead elsewhere, entries that grow without end, and links are refused, and nothing is
//! written before a run calls the library.

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use zip::ZipArchive;

use crate::calls::remove_at_exit;
use crate::compiler;
use crate::description::{Description, Interface};
use crate::sources::{self, Sources};

/// In bytes; a description of a hundred thousand variables has about thirty.
const MOST_DESCRIPTION: u64 = 32 << 20;
/// In bytes, of all files together.
const MOST_UNPACKED: u64 = 512 << 20;
const MOST_ENTRIES: usize = 10_000;
/// Where the standard puts what a library is made of.
const SOURCES: &str = "sources/";

/// An archive that was looked through, with the text of its description.
pub struct Archive {
    bytes: Vec<u8>,
    names: Vec<String>,
    pub description: String,
}

pub fn open(bytes: &[u8]) -> Result<Archive, String> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| format!("it is no archive: {error}"))?;
    if zip.len() > MOST_ENTRIES {
        return Err(format!("its archive has more than {MOST_ENTRIES} entries"));
    }
    let mut names = Vec::new();
    let mut size: u64 = 0;
    for at in 0..zip.len() {
        let entry = zip.by_index_raw(at).map_err(|error| format!("its archive is damaged: {error}"))?;
        let name = entry.name().map_err(|error| format!("its archive is damaged: {error}"))?.to_string();
        if entry.is_symlink() || !is_plain(&name) {
            return Err(format!("its archive has an entry that leads elsewhere, `{}`", name.escape_debug()));
        }
        size = size.saturating_add(entry.size());
        names.push(name);
    }
    if size > MOST_UNPACKED {
        return Err(format!("unpacked it would take more than {} MB", MOST_UNPACKED >> 20));
    }
    let mut description = Vec::new();
    let entry = zip.by_name("modelDescription.xml");
    let entry = entry.map_err(|_| "its archive has no `modelDescription.xml`, so it is no FMU".to_string())?;
    let read = entry.take(MOST_DESCRIPTION + 1).read_to_end(&mut description);
    read.map_err(|error| format!("its description is damaged: {error}"))?;
    if description.len() as u64 > MOST_DESCRIPTION {
        return Err(format!("its description has more than {} MB", MOST_DESCRIPTION >> 20));
    }
    let description = String::from_utf8(description).map_err(|_| "its description is not UTF-8".to_string())?;
    Ok(Archive { bytes: bytes.to_vec(), names, description })
}

/// Whether a name stays within the folder in which an archive is unpacked.
fn is_plain(name: &str) -> bool {
    let parts = name.strip_suffix('/').unwrap_or(name).split('/');
    !name.contains(['\\', ':', '\0']) && parts.into_iter().all(|part| !part.is_empty() && part != "." && part != "..")
}

impl Archive {
    /// Needs to be there before anything is compiled: a library for this machine, or sources and a compiler.
    pub fn check_library(&self, description: &Description, interface: Interface) -> Result<(), String> {
        let wanted = library_name(description, interface);
        if self.names.contains(&wanted) {
            return Ok(());
        }
        let folders = self.names.iter().filter_map(|name| name.strip_prefix("binaries/")?.split_once('/'));
        let mut there: Vec<&str> = folders.map(|(folder, _)| folder).collect();
        there.dedup();
        let lacks = match there.is_empty() {
            true => format!("it has no library `{wanted}`"),
            false => format!("it has no library for this machine, `{wanted}`, but for {}", there.join(", ")),
        };
        if !self.names.iter().any(|name| name.starts_with(SOURCES)) {
            return Err(format!("{lacks}, and no sources"));
        }
        self.sources(description, interface)
            .and_then(|_| compiler::check())
            .map_err(|why| format!("{lacks}, and {why}"))
    }

    fn sources(&self, description: &Description, interface: Interface) -> Result<Sources, String> {
        let build = self.text("sources/buildDescription.xml")?;
        let kind = description.kind(interface).ok_or("its description does not offer this interface")?;
        sources::read(kind, build.as_deref(), &self.names)
    }

    /// The text of a file, if it is there.
    fn text(&self, name: &str) -> Result<Option<String>, String> {
        if !self.names.iter().any(|known| known == name) {
            return Ok(None);
        }
        let mut zip = ZipArchive::new(Cursor::new(&self.bytes)).map_err(|error| error.to_string())?;
        let entry = zip.by_name(name).map_err(|error| error.to_string())?;
        let mut text = String::new();
        let read = entry.take(MOST_DESCRIPTION).read_to_string(&mut text);
        read.map(|_| Some(text)).map_err(|error| format!("its `{name}` cannot be read: {error}"))
    }

    /// Writes the library and its resources into a folder of their own.
    pub fn unpack(&self, description: &Description, interface: Interface) -> Result<Unpacked, String> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("ansatz-fmu-{}-{number}", std::process::id()));
        // A folder that is there already is somebody else's.
        fs::create_dir(&folder).map_err(|error| format!("`{}` cannot be made: {error}", folder.display()))?;
        remove_at_exit(&folder);
        let unpacked = Unpacked { library: folder.join(library_name(description, interface)), folder };
        let platform = unpacked.library.parent().unwrap_or(&unpacked.folder);
        let platform = platform.strip_prefix(&unpacked.folder).unwrap_or(platform);
        let platform = format!("{}/", platform.to_string_lossy().replace('\\', "/"));
        fs::create_dir_all(unpacked.resources()).map_err(|error| error.to_string())?;
        let mut zip = ZipArchive::new(Cursor::new(&self.bytes)).map_err(|error| error.to_string())?;
        let mut room = MOST_UNPACKED;
        let compiled = !self.names.contains(&library_name(description, interface));
        for name in self.names.iter().filter(|name| !name.ends_with('/')) {
            if name.starts_with(&platform) || name.starts_with("resources/") || compiled && name.starts_with(SOURCES) {
                let entry = zip.by_name(name).map_err(|error| error.to_string())?;
                room -= write(entry, &unpacked.folder.join(name), room)?;
            }
        }
        if compiled {
            let sources = self.sources(description, interface)?;
            fs::create_dir_all(unpacked.folder.join(&platform)).map_err(|error| error.to_string())?;
            sources.compile(&unpacked.folder.join(SOURCES), &unpacked.library)?;
        }
        Ok(unpacked)
    }
}

/// Writes a file, of whatever size the archive says it has, as long as there is room.
fn write(entry: impl Read, path: &Path, room: u64) -> Result<u64, String> {
    let told = |error: std::io::Error| format!("`{}` cannot be unpacked: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(told)?;
    }
    let mut file = fs::File::create(path).map_err(told)?;
    let written = std::io::copy(&mut entry.take(room + 1), &mut file).map_err(told)?;
    if written > room {
        return Err(format!("unpacked it takes more than {} MB", MOST_UNPACKED >> 20));
    }
    Ok(written)
}

/// A folder with the library, which is removed where the process ends: programs may call it until then.
pub struct Unpacked {
    folder: PathBuf,
    pub library: PathBuf,
}

impl Unpacked {
    pub fn resources(&self) -> PathBuf {
        self.folder.join("resources")
    }
}

/// Where the standard puts the library for this machine.
fn library_name(description: &Description, interface: Interface) -> String {
    let system = std::env::consts::OS;
    let folder = match (description.version, system, std::env::consts::ARCH) {
        (2, "windows", _) => "win64".to_string(),
        (2, "macos", _) => "darwin64".to_string(),
        (2, ..) => "linux64".to_string(),
        (_, "macos", machine) => format!("{machine}-darwin"),
        (_, system, machine) => format!("{machine}-{system}"),
    };
    let extension = match system {
        "windows" => "dll",
        "macos" => "dylib",
        _ => "so",
    };
    format!("binaries/{folder}/{}.{extension}", description.kind(interface).map_or("", |kind| &kind.identifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        assert!(["a", "binaries/linux64/x.so", "resources/"].into_iter().all(is_plain));
        assert!(!["/etc/passwd", "../x", "a/../../x", "a//b", "C:\\x", "a\\b", "", "."].into_iter().any(is_plain));
    }
}
