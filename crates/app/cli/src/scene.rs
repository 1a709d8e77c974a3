//! Reading a scene from a file and compiling it.

use std::path::Path;

use driver::{Compilation, Options};

use crate::render;

/// Texts beyond this size are refused: no person wrote them.
const LARGEST: u64 = 16 << 20;

/// The compilation of a file; an unreadable file is reported.
pub fn compile(file: &Path, options: &Options) -> Option<Compilation> {
    let text = read(file)?;
    Some(driver::compile(&file.display().to_string(), &text, options))
}

pub fn read(file: &Path) -> Option<String> {
    if std::fs::metadata(file).is_ok_and(|metadata| metadata.len() > LARGEST) {
        render::complain(&format!("`{}` is too large to be a scene", file.display()), "");
        return None;
    }
    match std::fs::read(file) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(_) => {
                render::complain(&format!("`{}` is not a text in UTF-8", file.display()), "save it as UTF-8");
                None
            }
        },
        Err(error) => {
            let hint = if error.kind() == std::io::ErrorKind::NotFound {
                "check the path; examples are in `examples/`"
            } else {
                ""
            };
            render::complain(&format!("`{}` cannot be read: {error}", file.display()), hint);
            None
        }
    }
}
