//! Files that are either whole or not there: a file takes its name when it is complete.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is being written, under another name. Dropped, it leaves things as they were.
pub struct WholeFile {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    kept: bool,
}

impl WholeFile {
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let target = followed(path);
        let temporary = temporary_name(&target);
        let file = WholeFile { file: File::create(&temporary)?, temporary, target, kept: false };
        if let Ok(replaced) = std::fs::metadata(&file.target) {
            file.file.set_permissions(replaced.permissions())?;
        }
        Ok(file)
    }

    /// Gives the file its name, in the place of any other of that name.
    pub fn keep(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        std::fs::rename(&self.temporary, &self.target)?;
        self.kept = true;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.kept {
            // If even this fails, the name tells that the file is not complete.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// Writes a file as a whole: either the old or the new content is there, never a part.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(content)?;
    file.keep()
}

/// Where a link leads, even if nothing is there yet.
pub fn followed(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| match std::fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_path_buf(),
    })
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_it_is_complete_and_leaves_nothing_else_behind() {
        let folder = std::env::temp_dir().join(format!("ansatz-whole-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        let files = || std::fs::read_dir(&folder).expect("the folder").count();
        let target = folder.join("rows.csv");
        let mut file = WholeFile::create(&target).expect("a file");
        file.write_all(b"0.5,1\n").expect("a row");
        assert!(!target.exists());
        drop(file);
        assert_eq!(files(), 0);
        replace(&target, b"0.5,1\n").expect("a file");
        assert_eq!(std::fs::read_to_string(&target).expect("the file"), "0.5,1\n");
        assert_eq!(files(), 1);
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_stays_as_private_and_a_link_stays_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = std::env::temp_dir().join(format!("ansatz-whole-file-links-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        let (file, link) = (folder.join("scene.anz"), folder.join("link.anz"));
        std::fs::write(&file, "old").expect("a file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("permissions");
        symlink(&file, &link).expect("a link");
        replace(&link, b"new").expect("a file");
        assert_eq!(std::fs::read_to_string(&file).expect("the file"), "new");
        assert!(std::fs::symlink_metadata(&link).expect("the link").is_symlink());
        assert_eq!(std::fs::metadata(&file).expect("the file").permissions().mode() & 0o777, 0o600);
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
