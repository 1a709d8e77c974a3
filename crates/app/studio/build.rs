//! Puts the page, the page that stands alone, the examples and the compiler for browsers into the program. The page is built by npm; without it, a page
//! stands in that says so. The compiler for browsers is built by `make compiler`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    // In a browser the page is there already.
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (page, placeholder) = (root.join("../../../web/dist"), root.join("placeholder"));
    let examples = root.join("../../../examples");
    let mut code = String::new();
    let built = page.join("index.html").exists();
    let _ = writeln!(code, "pub static BUILT: bool = {built};");
    table(&mut code, "PAGE", if built { &page } else { &placeholder }, |_| true);
    let is_scene = |file: &Path| file.extension().is_some_and(|kind| kind == "anz");
    table(&mut code, "EXAMPLES", &examples, is_scene);
    let alone = root.join("../../../web/dist-alone/alone.html");
    let text = if alone.exists() {
        format!("Some(include_str!({:?}))", alone.display().to_string())
    } else {
        "None".to_string()
    };
    let _ = writeln!(code, "pub static ALONE: Option<&str> = {text};");
    let compiler = root.join("../../../web/dist-compiler/compiler.wasm");
    let bytes = match compiler.exists() {
        true => format!("Some(include_bytes!({:?}))", compiler.display().to_string()),
        false => "None".to_string(),
    };
    let _ = writeln!(code, "pub static COMPILER: Option<&[u8]> = {bytes};");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names the folder"));
    std::fs::write(out.join("embedded.rs"), code).expect("the folder can be written");
    let folder = |file: &Path| file.parent().expect("it is in a folder").to_path_buf();
    for watched in [page, placeholder, examples, folder(&alone), folder(&compiler)] {
        // What is not there counts as changed at every build; an empty folder does not, and shows when something comes into it.
        let _ = std::fs::create_dir_all(&watched);
        println!("cargo::rerun-if-changed={}", watched.display());
    }
}

/// A table of paths and contents of all files of a folder.
fn table(code: &mut String, name: &str, folder: &Path, wanted: impl Fn(&Path) -> bool) {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let _ = writeln!(code, "pub static {name}: &[(&str, &[u8])] = &[");
    for file in files.iter().filter(|file| wanted(file)) {
        let path = file.strip_prefix(folder).expect("a file of the folder");
        let path: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let _ = writeln!(code, "    ({:?}, include_bytes!({:?})),", path.join("/"), file.display().to_string());
    }
    let _ = writeln!(code, "];");
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
