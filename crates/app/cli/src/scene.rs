//! Reading a scene from a file and compiling it.

use std::io::{ErrorKind, Read};
use std::path::Path;

use ansatz::{Error, Options, Scene};

use crate::render;

/// Texts beyond this size are refused: no person wrote them.
const LARGEST: usize = 16 << 20;

/// The scene of a file. Whatever is wrong with either is said.
pub fn compile(file: &Path, options: &Options) -> Option<Scene> {
    let found = compile_in_silence(file, options)?;
    match &found {
        Ok(scene) => render::print(scene.warnings(), scene.sources()),
        Err(error) => render::print_error(error),
    }
    found.ok()
}

/// The scene of a file, or what is wrong with it; a file that cannot be read is reported.
pub fn compile_in_silence(file: &Path, options: &Options) -> Option<Result<Scene, Error>> {
    let text = read(file)?;
    let options = Options { folder: Some(folder(file).to_path_buf()), ..options.clone() };
    Some(Scene::compile(&base::visible(&file.display().to_string()), &text, &options))
}

/// The folder of a scene, where theories and meshes of its own are.
pub fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether nothing that is written to some files replaces a scene, nor one of them the other; says so where it does.
pub fn may_write(outputs: &[&Path]) -> bool {
    for (at, output) in outputs.iter().enumerate().filter(|(_, output)| !is_standard_input(output)) {
        let place = crate::whole_file::followed(output);
        if [*output, &place].iter().any(|path| path.extension().is_some_and(|kind| kind == "anz")) {
            let hint = format!("choose another name, such as `{}`", output.with_extension("csv").display());
            render::complain(&format!("`{}` is the name of a scene, which would be lost", output.display()), &hint);
            return false;
        }
        if outputs[..at].iter().any(|other| crate::whole_file::followed(other) == place) {
            render::complain(&format!("two things cannot be written to `{}`", output.display()), "choose two names");
            return false;
        }
    }
    true
}

/// Whether a file is named `-`, which is standard input.
pub fn is_standard_input(file: &Path) -> bool {
    file == Path::new("-")
}

pub fn read(file: &Path) -> Option<String> {
    let bytes = if is_standard_input(file) {
        read_some(std::io::stdin().lock())
    } else {
        std::fs::File::open(file).and_then(read_some)
    };
    match bytes {
        Ok(bytes) if bytes.len() > LARGEST => {
            render::complain(&format!("`{}` is too large to be a scene", file.display()), "");
            None
        }
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(_) => {
                render::complain(
                    &format!("`{}` is not a text in UTF-8", file.display()),
                    "a scene is a plain text; save it as UTF-8",
                );
                None
            }
        },
        Err(error) => {
            let hint = match error.kind() {
                ErrorKind::NotFound => neighbour(file),
                ErrorKind::IsADirectory => {
                    format!("it is a folder; name a scene in it, such as `{}/pendulum.anz`", file.display())
                }
                ErrorKind::PermissionDenied => "you may not read this file".to_string(),
                _ => String::new(),
            };
            render::complain(&format!("`{}` cannot be read: {error}", file.display()), &hint);
            None
        }
    }
}

/// All bytes, or enough of them to see that they are too many.
fn read_some(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file of nearly the same name in the same folder.
fn neighbour(file: &Path) -> String {
    let entries = std::fs::read_dir(folder(file)).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let wanted = file.file_name().unwrap_or_default().to_string_lossy();
    // `ansatz run pendulum` means `pendulum.anz`.
    let full = names.iter().map(String::as_str).find(|name| name.strip_suffix(".anz") == Some(&wanted));
    match full.or_else(|| base::nearest(&wanted, names.iter().map(String::as_str))) {
        Some(name) => format!("did you mean `{}`?", file.with_file_name(name).display()),
        None if crate::studio::is_example(wanted.trim_end_matches(".anz")) => {
            let example = wanted.trim_end_matches(".anz");
            format!("there is an example of this name: `ansatz new {example} --from {example}` copies it here")
        }
        None => "check the path; a scene is a text file such as `pendulum.anz`".to_string(),
    }
}
