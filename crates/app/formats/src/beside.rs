//! Files that another file names: `package://arm/meshes/hand.stl`, `file:///home/…/hand.stl`, `../meshes/hand.stl`.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::mesh::Mesh;
use crate::turn::Vector;

/// Larger files are not read.
const MOST_BYTES: u64 = 64 << 20;
/// Corners of all files together that one file names: reading a million takes about a second, and each file may name hundreds.
pub const MOST_CORNERS: usize = 2_000_000;

/// Files of triangles that were read, by their names and how they are stretched: a file may name each many times.
#[derive(Default)]
pub struct Meshes {
    known: HashMap<(String, [u64; 3]), Result<Rc<Stretched>, String>>,
    corners: usize,
}

/// A mesh in metres, and the convex solid around it once somebody asks.
pub struct Stretched {
    pub mesh: Mesh,
    hull: OnceCell<Option<(Vec<Vector>, f64)>>,
}

impl Stretched {
    /// As `Mesh::hull`.
    pub fn hull(&self) -> Option<(Vec<Vector>, f64)> {
        self.hull.get_or_init(|| self.mesh.hull()).clone()
    }
}

impl Meshes {
    pub fn get(&mut self, around: Around<'_>, name: &str, scale: Vector) -> Result<Rc<Stretched>, String> {
        let key = (name.to_string(), scale.map(f64::to_bits));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let read = match (self.corners > MOST_CORNERS, scale) {
            (true, _) => Err(format!("there are more than {MOST_CORNERS} corners in the files before it")),
            (_, [1.0, 1.0, 1.0]) => mesh(around, name),
            _ => self.get(around, name, [1.0; 3]).map(|plain| plain.mesh.clone().scaled(scale)),
        };
        let read = read.map(|mesh| Rc::new(Stretched { mesh, hull: OnceCell::new() }));
        self.corners += read.as_ref().map_or(0, |read| read.mesh.corners.len());
        self.known.insert(key, read.clone());
        read
    }
}

/// Where files are that a file names.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Where the file itself is.
    pub folder: Option<&'a Path>,
    /// What is not in this folder is not read, nor is a link that leads out of it followed.
    pub inside: Option<&'a Path>,
}

/// The triangles of a file that is named in another one, or what is wrong.
fn mesh(around: Around<'_>, name: &str) -> Result<Mesh, String> {
    let (path, bytes) = read(around, name)?;
    Mesh::read(&path.to_string_lossy(), &bytes)
}

/// The text of a file that is named in another one.
pub fn text(around: Around<'_>, name: &str) -> Result<String, String> {
    String::from_utf8(read(around, name)?.1).map_err(|_| "it is no text in UTF-8".to_string())
}

/// The bytes of a file that is named in another one.
pub fn bytes(around: Around<'_>, name: &str) -> Result<Vec<u8>, String> {
    read(around, name).map(|(_, bytes)| bytes)
}

fn read(around: Around<'_>, name: &str) -> Result<(PathBuf, Vec<u8>), String> {
    let path = find(around.folder, name)?;
    if let Some(inside) = around.inside {
        let real = |path: &Path| path.canonicalize().map_err(|error| error.to_string());
        if !real(&path)?.starts_with(real(inside)?) {
            return Err("it is not in the folder of the scene".to_string());
        }
    }
    let known = std::fs::metadata(&path).map_err(|error| error.to_string())?;
    if !known.is_file() {
        return Err("it is no plain file".to_string());
    }
    if known.len() > MOST_BYTES {
        return Err(format!("it has more than {} MB", MOST_BYTES >> 20));
    }
    let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
    Ok((path, bytes))
}

/// A package is a folder of its name: around the file, beside one of the folders around it, or where ROS looks for packages.
fn find(folder: Option<&Path>, name: &str) -> Result<PathBuf, String> {
    let folder = folder.ok_or("nothing is known of files beside it")?;
    let scheme = ["package://", "model://"].iter().find_map(|scheme| name.strip_prefix(scheme));
    let Some(inside) = scheme else {
        let plain = name.strip_prefix("file://").unwrap_or(name);
        return Ok(folder.join(plain));
    };
    let (package, rest) = inside.split_once('/').ok_or("a package is followed by `/` and a file in it")?;
    if package.is_empty() || rest.split('/').any(|part| part == "..") {
        return Err("it leads out of its package".to_string());
    }
    let around = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let named = around.ancestors().filter(|it| it.file_name() == Some(OsStr::new(package))).map(Path::to_path_buf);
    let beside = around.ancestors().map(|it| it.join(package));
    let listed = |variable: &str, inner: &str| -> Vec<PathBuf> {
        let all = std::env::var_os(variable).unwrap_or_default();
        std::env::split_paths(&all).map(|it| it.join(inner).join(package)).collect()
    };
    let of_ros = listed("ROS_PACKAGE_PATH", "").into_iter().chain(listed("AMENT_PREFIX_PATH", "share"));
    let found = named.chain(beside).chain(of_ros).map(|package| package.join(rest)).find(|path| path.is_file());
    found.ok_or_else(|| {
        format!("there is no folder `{package}` with `{rest}` in it around the file, nor in ROS_PACKAGE_PATH")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_folders_around_the_file() {
        let root = std::env::temp_dir().join(format!("ansatz-package-{}", std::process::id()));
        let urdf = root.join("arm/urdf");
        std::fs::create_dir_all(&urdf).expect("a folder");
        std::fs::create_dir_all(root.join("parts/meshes")).expect("a folder");
        std::fs::write(root.join("arm/hand.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a file");
        std::fs::write(root.join("parts/meshes/far.obj"), "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n").expect("a file");
        let around = |inside| Around { folder: Some(&urdf), inside };
        let read = |name: &str| mesh(around(None), name).map(|mesh| mesh.corners[2][1]);
        assert_eq!(read("package://arm/hand.obj"), Ok(1.0));
        assert_eq!(read("package://parts/meshes/far.obj"), Ok(2.0));
        assert_eq!(read("../hand.obj"), Ok(1.0));
        for broken in ["package://arm", "package://arm/../arm/hand.obj", "package://arm/foot.obj", "nothing.stl", ".."]
        {
            assert!(read(broken).is_err(), "{broken}");
        }
        assert!(mesh(Around { folder: None, inside: None }, "hand.obj").is_err());
        let arm = root.join("arm");
        assert!(mesh(around(Some(&arm)), "package://arm/hand.obj").is_ok(), "in the folder");
        assert!(mesh(around(Some(&arm)), "package://parts/meshes/far.obj").is_err(), "beside the folder");
        std::fs::remove_dir_all(&root).expect("the folder goes");
    }
}
