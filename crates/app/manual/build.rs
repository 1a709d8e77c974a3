//! Puts the texts and pictures of `docs`, the examples and their pictures into the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut code = String::from("pub static FILES: &[(&str, &[u8])] = &[\n");
    for (folder, kinds) in
        [("docs", &["md", "webp", "svg"][..]), ("examples", &["anz"]), ("web/public", &["webp", "svg"])]
    {
        let mut files = Vec::new();
        collect(&root.join(folder), &mut files);
        files.sort();
        for file in files {
            let kind = file.extension().and_then(|kind| kind.to_str()).unwrap_or("");
            if kinds.contains(&kind) {
                let path = file.strip_prefix(&root).expect("a file below the root");
                let path: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                let _ = writeln!(code, "    ({:?}, include_bytes!({:?})),", path.join("/"), file.display().to_string());
            }
        }
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    code.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names the folder"));
    std::fs::write(out.join("embedded.rs"), code).expect("the folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
