//! Files of other programs that a scene uses live: `use robot "arm.urdf" as arm`, `use scene "track.glb" as track`, `use fmu "motor.fmu" as motor`.
//!
//! Robots and drawings become the very text that `ansatz import` writes, whose statements are members of a thing of that name. A file changes, and the scene with it.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Source, Sources};
use formats::Imported;
use syntax::{Expr, FileSort, Item, ItemKind, Tree, Use, UsedFile, Word};

use crate::library::DRAWN;

/// Larger files are no mechanism that anyone built; `import` has the same limit.
const MOST_BYTES: u64 = 64 << 20;

/// What is in a file, as statements.
pub struct Used {
    /// Of the statement that uses it.
    name: Word,
    items: Vec<Item>,
}

impl Used {
    pub fn as_members(&self) -> model::UsedFile<'_> {
        model::UsedFile { name: &self.name, items: &self.items }
    }
}

/// All files that a scene uses, each as often as it does. What cannot be read is reported at the line that uses it, and left out.
pub fn load(tree: &Tree, folder: Option<&Path>, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<Used> {
    let mut has_gravity = tree.items.iter().any(|item| matches!(item.kind, ItemKind::Gravity(_)));
    let mut all = Vec::new();
    for used in tree.items.iter().filter_map(stated) {
        let (text, found) = match read(used, folder) {
            Ok(Imported { text, diagnostics, sources: own }) => {
                diagnostics.sorted().into_iter().for_each(|one| sink.report(retold(one, &own, used)));
                (text, diagnostics.has_errors())
            }
            Err(why) => {
                let message = format!("`{}` cannot be read: {why}", base::visible(&used.file.value));
                let hint = "files that a scene uses lie in its folder, or below it";
                let unread = Diagnostic::error(formats::MODEL_UNREADABLE, message).at(used.file.span, "this file");
                sink.report(unread.hint(hint));
                (None, true)
            }
        };
        // A file that cannot be read is among the texts too: whoever watches them looks for it.
        let text = text.filter(|_| !found);
        let source = sources.add(Source::new(used.file.value.clone(), text.clone().unwrap_or_default()));
        let Some(text) = text else { continue };
        let mut items = syntax::parse(source, &text, sink).items;
        items.retain(|item| is_wanted(item, used.what, has_gravity));
        has_gravity |= items.iter().any(|item| matches!(item.kind, ItemKind::Gravity(_)));
        if let Some(place) = &used.place {
            items.iter_mut().for_each(|item| put_into(item, place));
        }
        all.push(Used { name: used.name.clone(), items });
    }
    all
}

fn stated(item: &Item) -> Option<&UsedFile> {
    match &item.kind {
        ItemKind::Use(Use::File(used)) if !item.broken => Some(used),
        _ => None,
    }
}

/// The scene says what it is called, what is plotted and seen from where; and gravity, if it does, is its own and there once.
fn is_wanted(item: &Item, what: FileSort, has_gravity: bool) -> bool {
    match item.kind {
        ItemKind::Scene(_) | ItemKind::Plot(_) | ItemKind::Camera(_) | ItemKind::Light(_) => false,
        ItemKind::Gravity(_) => what == FileSort::Robot && !has_gravity,
        _ => true,
    }
}

/// What stands in the world stands in a frame of the scene.
fn put_into(item: &mut Item, place: &Expr) {
    if let ItemKind::Frame(frame) | ItemKind::Body(frame) = &mut item.kind {
        let is_world = |parent: &Expr| matches!(&parent.kind, syntax::ExprKind::Name(name) if name == "world");
        if frame.parent.as_ref().is_none_or(is_world) {
            frame.parent = Some(place.clone());
        }
    }
}

/// What was said of a place in the file, said of the line that uses it.
fn retold(found: &Diagnostic, own: &Sources, used: &UsedFile) -> Diagnostic {
    let mut told = Diagnostic { labels: Vec::new(), ..found.clone() }.at(used.file.span, "in this file");
    if let Some(label) = found.labels.first().filter(|label| label.span.end > 0) {
        let line = own.get(label.span.source).line_column(label.span.start as usize).0;
        told = told.note(format!("`{}`, line {line}: {}", base::visible(&used.file.value), label.text));
    }
    told
}

fn read(used: &UsedFile, folder: Option<&Path>) -> Result<Imported, String> {
    let name = Path::new(&used.file.value);
    if name.is_absolute() {
        return Err("it is not said from the folder of the scene on".to_string());
    }
    let own = folder.is_some_and(|folder| folder.join(name).exists());
    if let (false, FileSort::Scene, Some((_, bytes))) =
        (own, used.what, DRAWN.iter().find(|(file, _)| Path::new(file) == name))
    {
        let options =
            formats::Options { name: &used.name.text, floating: used.is_floating, folder: None, inside: None };
        return Ok(formats::import_drawn(name, bytes, options));
    }
    let folder = folder.ok_or("a text without a folder has no files beside it")?;
    let path = folder.join(name);
    let drawn = formats::is_drawn(name);
    match used.what {
        FileSort::Scene if !drawn => return Err("a drawn scene is a file `.glb` or `.gltf`".to_string()),
        FileSort::Robot if drawn || formats::is_part(name) => {
            return Err("a robot is a file of URDF, MJCF or SDF; what was drawn is used with `use scene`".to_string());
        }
        FileSort::Robot | FileSort::Scene | FileSort::Unit => {}
    }
    let bytes = bytes_beside(folder, &path)?;
    if used.what == FileSort::Unit {
        return unit(&bytes);
    }
    let around = path.parent();
    let options =
        formats::Options { name: &used.name.text, floating: used.is_floating, folder: around, inside: Some(folder) };
    if drawn {
        return Ok(formats::import_drawn(name, &bytes, options));
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is no text".to_string())?;
    Ok(formats::import(name, &text, options))
}

/// The quantities and laws of a unit of another simulator.
#[cfg(not(target_arch = "wasm32"))]
fn unit(bytes: &[u8]) -> Result<Imported, String> {
    let (text, left_out) = fmu::read(bytes)?;
    let mut diagnostics = Diagnostics::default();
    if let Some(first) = left_out.first() {
        let count = base::counted(left_out.len(), "variable of the unit is", "variables of the unit are");
        let message = format!("{count} left out, and keep what they have at the start");
        let note = format!(
            "the first is `{}`; texts, bytes, and arrays of more than 400 numbers are not read",
            base::visible(first)
        );
        diagnostics.report(Diagnostic::warning(formats::MODEL_LEFT_OUT, message).note(note));
    }
    Ok(Imported { text: Some(text), diagnostics, sources: Sources::default() })
}

#[cfg(target_arch = "wasm32")]
fn unit(_: &[u8]) -> Result<Imported, String> {
    Err("a unit has a library for computers, which a page cannot call; use it in a studio on your machine".to_string())
}

/// The bytes of a plain file in the folder of the scene, or below it; links that lead elsewhere are not followed.
fn bytes_beside(folder: &Path, path: &Path) -> Result<Vec<u8>, String> {
    let told = |error: std::io::Error| error.to_string();
    if !path.canonicalize().map_err(told)?.starts_with(folder.canonicalize().map_err(told)?) {
        return Err("it is a link that leads out of the folder of the scene, or lies elsewhere; copy it there".into());
    }
    let known = std::fs::metadata(path).map_err(told)?;
    if !known.is_file() || known.len() > MOST_BYTES {
        return Err(format!("it is no plain file of at most {} MB", MOST_BYTES >> 20));
    }
    std::fs::read(path).map_err(told)
}
