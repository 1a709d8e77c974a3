//! Theories: the libraries that a scene uses, from its own folder or from those that come with Ansatz.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Source, Sources};
use syntax::{ItemKind, Tree, Use, Word};

use crate::codes;

/// The theories that come with Ansatz, by name.
pub const LIBRARY: &[(&str, &str)] = &[
    ("circuits", include_str!("../../../../library/circuits.anz")),
    ("fluids", include_str!("../../../../library/fluids.anz")),
    ("friction", include_str!("../../../../library/friction.anz")),
    ("mechanics", include_str!("../../../../library/mechanics.anz")),
    ("motors", include_str!("../../../../library/motors.anz")),
    ("particles", include_str!("../../../../library/particles.anz")),
    ("reactions", include_str!("../../../../library/reactions.anz")),
    ("rigid_bodies", include_str!("../../../../library/rigid_bodies.anz")),
    ("sailing", include_str!("../../../../library/sailing.anz")),
    ("solids", include_str!("../../../../library/solids.anz")),
    ("springs", include_str!("../../../../library/springs.anz")),
    ("thermal", include_str!("../../../../library/thermal.anz")),
];

/// The files of data that come with Ansatz, by name.
pub const DATA: &[(&str, &str)] = &[("gusts.csv", include_str!("../../../../library/gusts.csv"))];

/// The drawings that come with Ansatz, by name. `scripts/car` makes the car.
pub const DRAWN: &[(&str, &[u8])] = &[("car.glb", include_bytes!("../../../../library/car.glb"))];

/// A theory as it was read, and the places in the list of those that it uses.
pub struct Loaded {
    pub name: String,
    pub tree: Tree,
    pub uses: Vec<usize>,
}

impl Loaded {
    pub fn as_theory(&self) -> model::Theory<'_> {
        model::Theory { name: &self.name, tree: &self.tree, uses: self.uses.clone() }
    }
}

/// All theories that a scene uses, directly or not, each once. What cannot be found or goes round in circles is reported.
pub fn load(tree: &Tree, folder: Option<&Path>, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<Loaded> {
    let mut loader = Loader { folder, sources, sink, loaded: Vec::new(), open: Vec::new() };
    loader.uses(tree);
    loader.loaded
}

/// The theory of the library that has a kind or connection of this name.
pub fn theory_of(kind: &str) -> Option<String> {
    let declares = |text: &str| {
        let declared = text.lines().filter_map(|line| line.strip_prefix("kind ").or(line.strip_prefix("connection ")));
        declared.into_iter().any(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next() == Some(kind))
    };
    LIBRARY.iter().find(|(_, text)| declares(text)).map(|(name, _)| (*name).to_string())
}

/// The text of a file beside the scene. What lies elsewhere is not read, nor is a link that leads there followed: who opens a folder of somebody else's
/// scenes trusts it with nothing but itself.
pub(crate) fn text_beside(folder: &Path, path: &Path) -> std::io::Result<String> {
    if !path.canonicalize()?.starts_with(folder.canonicalize()?) {
        return Err(std::io::Error::other(
            "it is a link that leads out of the folder of the scene, or lies elsewhere; copy it there",
        ));
    }
    std::fs::read_to_string(path)
}

struct Loader<'l> {
    folder: Option<&'l Path>,
    sources: &'l mut Sources,
    sink: &'l mut Diagnostics,
    loaded: Vec<Loaded>,
    /// Theories whose own uses are being read, the outermost first.
    open: Vec<String>,
}

impl Loader<'_> {
    fn uses(&mut self, tree: &Tree) -> Vec<usize> {
        let names: Vec<Word> = tree.items.iter().filter_map(|item| used(&item.kind)).cloned().collect();
        names.iter().filter_map(|name| self.theory(name)).collect()
    }

    /// The place of a theory in the list, once it has been read.
    fn theory(&mut self, name: &Word) -> Option<usize> {
        if let Some(at) = self.loaded.iter().position(|loaded| loaded.name == name.text) {
            return Some(at);
        }
        if self.open.contains(&name.text) {
            let chain: Vec<String> = self.open.iter().map(|open| format!("`{open}`")).collect();
            self.sink.report(
                Diagnostic::error(codes::CYCLIC_THEORIES, format!("the theory `{}` uses itself", name.text))
                    .at(name.span, "here the circle closes")
                    .note(format!("one uses the next: {}, `{}`", chain.join(", "), name.text))
                    .hint("move what both need to a theory of its own, and use that in both"),
            );
            return None;
        }
        let source = self.read(name)?;
        let id = self.sources.add(source);
        let text = self.sources.get(id).text.clone();
        let tree = syntax::parse(id, &text, self.sink);
        self.check_theory(name, &tree);
        self.open.push(name.text.clone());
        let uses = self.uses(&tree);
        self.open.pop();
        self.loaded.push(Loaded { name: name.text.clone(), tree, uses });
        Some(self.loaded.len() - 1)
    }

    fn read(&mut self, name: &Word) -> Option<Source> {
        let file = format!("{}.anz", name.text);
        if let Some(path) = self.folder.map(|folder| folder.join(&file)).filter(|path| path.is_file()) {
            return match self.text(&path) {
                Ok(text) => Some(Source::new(path.display().to_string(), text)),
                Err(error) => {
                    let message = format!("the theory `{}` cannot be read: {error}", name.text);
                    self.sink.report(
                        Diagnostic::error(codes::UNKNOWN_THEORY, message)
                            .at(name.span, "used here")
                            .note(format!("the file is `{}`", path.display())),
                    );
                    None
                }
            };
        }
        if let Some((_, text)) = LIBRARY.iter().find(|(known, _)| *known == name.text) {
            return Some(Source::new(format!("library/{file}"), *text));
        }
        let own = self.neighbours();
        let known = own.iter().map(String::as_str).chain(LIBRARY.iter().map(|(known, _)| *known));
        let hint = match base::nearest(&name.text, known.clone()) {
            Some(near) => format!("did you mean `use {near}`?"),
            None => {
                let known: Vec<String> = known.map(|known| format!("`{known}`")).collect();
                format!("there are {}; a theory of your own is a file `{file}` beside the scene", base::listed(&known))
            }
        };
        self.sink.report(
            Diagnostic::error(codes::UNKNOWN_THEORY, format!("there is no theory `{}`", name.text))
                .at(name.span, format!("no file `{file}` beside the scene, and none in the library"))
                .hint(hint),
        );
        None
    }

    fn text(&self, path: &Path) -> std::io::Result<String> {
        text_beside(self.folder.unwrap_or(Path::new(".")), path)
    }

    /// Texts beside the scene.
    fn neighbours(&self) -> Vec<String> {
        let entries = self.folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".anz")?.to_string()));
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    }

    fn check_theory(&mut self, name: &Word, tree: &Tree) {
        let says = |kind: &ItemKind| matches!(kind, ItemKind::Theory(_));
        if !tree.items.iter().any(|item| says(&item.kind)) && !self.sink.has_errors() {
            self.sink.report(
                Diagnostic::error(codes::UNKNOWN_THEORY, format!("`{}` is not a theory", name.text))
                    .at(name.span, "used here")
                    .at(tree.span, "this text does not say `theory`")
                    .hint(format!("if it is a library, begin it with `theory {}`", name.text)),
            );
        }
    }
}

fn used(item: &ItemKind) -> Option<&Word> {
    match item {
        ItemKind::Use(Use::Theory(name)) => Some(name),
        _ => None,
    }
}
