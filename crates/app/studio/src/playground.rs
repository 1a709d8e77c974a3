//! A folder that any web server can serve: the studio's page with the compiler in it, as WebAssembly, the examples and the manual.

use crate::embedded::{BUILT, COMPILER, EXAMPLES, PAGE};
use crate::protocol::Gallery;
use crate::server::{Pages, example_entries};

/// What this program was built without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Page,
    Compiler,
}

/// Tells the pages that there is no server behind them.
const MARK: (&str, &str) = ("<html ", "<html data-playground ");

/// All files of the folder, with those of the manual below `docs/`.
pub fn playground(manual: Pages) -> Result<Pages, Missing> {
    let compiler = COMPILER.ok_or(Missing::Compiler)?;
    if !BUILT {
        return Err(Missing::Page);
    }
    let gallery = Gallery { examples: example_entries(), files: Vec::new(), recent: Vec::new(), folder: String::new() };
    let mut files = Pages::new();
    files.extend(PAGE.iter().map(|(path, bytes)| ((*path).to_string(), (*bytes).into())));
    files.insert("compiler.wasm".to_string(), compiler.into());
    files.insert("gallery.json".to_string(), serde_json::to_vec(&gallery).unwrap_or_default().into());
    files.extend(EXAMPLES.iter().map(|(name, text)| (format!("examples/{name}"), (*text).into())));
    files.extend(manual.into_iter().map(|(path, bytes)| (format!("docs/{path}"), bytes)));
    for (_, bytes) in files.iter_mut().filter(|(path, _)| path.ends_with(".html")) {
        *bytes = String::from_utf8_lossy(bytes).replacen(MARK.0, MARK.1, 1).into_bytes().into();
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_has_what_the_page_asks_for_or_says_what_is_missing() {
        let manual = Pages::from([("index.html".to_string(), b"manual".as_slice().into())]);
        match playground(manual) {
            Err(missing) => assert!(missing != Missing::Page || !BUILT),
            Ok(files) => {
                let text = |path: &str| String::from_utf8_lossy(&files[path]).into_owned();
                assert!(text("index.html").contains("data-playground"), "the page does not know what it is");
                assert!(files["compiler.wasm"].starts_with(b"\0asm"));
                assert!(text("gallery.json").contains("examples/pendulum.anz"));
                assert!(text("examples/pendulum.anz").contains("scene"));
                assert_eq!(text("docs/index.html"), "manual");
            }
        }
    }
}
