//! A text as an editor has it open, with the theories that it uses.

use std::path::{Path, PathBuf};

use base::{Diagnostics, Source, SourceId, Sources, Span};
use driver::STACK;
use driver::library::{self, LIBRARY, Loaded};
use driver::used::{self, Used};
use model::Model;
use syntax::Tree;

use crate::index::{Index, Mention, Target, Text};
use crate::symbol::SymbolId;

pub struct Reading {
    pub sources: Sources,
    pub(crate) tree: Tree,
    theories: Vec<Loaded>,
    folder: Option<PathBuf>,
    /// Whether all of it could be read.
    readable: bool,
    /// What is in the files of other programs that it uses.
    files: Vec<Used>,
}

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum File {
    /// The text that is edited.
    Here,
    /// A theory in the folder of the scene.
    Beside(PathBuf),
    /// A theory that comes with Ansatz, by name and text.
    Library(&'static str, &'static str),
}

/// A place to be replaced by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// The text that is edited.
pub(crate) const HERE: SourceId = SourceId(0);

impl Reading {
    /// Any text can be read. Theories of its own are looked for in the folder.
    pub fn new(name: &str, text: &str, folder: Option<&Path>) -> Reading {
        stacker::grow(STACK, || {
            // What is wrong is for the compiler to say.
            let (mut sources, mut sink) = (Sources::default(), Diagnostics::default());
            let source = sources.add(Source::new(name, text));
            let tree = syntax::parse(source, text, &mut sink);
            let theories = library::load(&tree, folder, &mut sources, &mut sink);
            let files = used::load(&tree, folder, &mut sources, &mut sink);
            let readable = !sink.has_errors();
            Reading { sources, tree, theories, files, folder: folder.map(Path::to_path_buf), readable }
        })
    }

    pub fn text(&self) -> &Source {
        self.sources.get(HERE)
    }

    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    pub fn file(&self, source: SourceId) -> File {
        let Some(theory) = self.theories.iter().find(|theory| theory.tree.span.source == source) else {
            return File::Here;
        };
        let own = self.folder.as_ref().map(|folder| folder.join(format!("{}.anz", theory.name)));
        match (own.filter(|path| path.is_file()), LIBRARY.iter().find(|(name, _)| *name == theory.name)) {
            (Some(path), _) => File::Beside(path),
            (None, Some((name, text))) => File::Library(name, text),
            (None, None) => File::Here,
        }
    }

    /// Where what is spoken of here was declared; of a theory that is used, its text.
    pub fn definition(&self, offset: usize) -> Option<Span> {
        self.with_index(|index| match self.mention(index, offset)? {
            Mention { of: Target::Symbol(id), .. } => Some(index.symbol(id).span),
            Mention { span, .. } => {
                let used = self.theories.iter().find(|theory| theory.name == self.sources.text(span))?;
                let source = used.tree.span.source;
                Some(Span::new(source, 0, 0))
            }
        })
    }

    /// All places that speak of what is spoken of here, the declaration among them.
    pub fn uses(&self, offset: usize) -> Vec<Span> {
        self.with_index(|index| match self.symbol_at(index, offset) {
            Some(id) => distinct(index.mentions_of(id).collect()),
            None => Vec::new(),
        })
    }

    /// The same for something that is declared in a text beside this one: where it is, and where that is.
    pub fn uses_of(&self, file: &File, declared: usize) -> Vec<Span> {
        self.with_index(|index| {
            let here = |span: Span| span.start as usize == declared && self.file(span.source) == *file;
            match index.symbols().find(|(_, symbol)| here(symbol.span)) {
                Some((id, _)) => distinct(index.mentions_of(id).collect()),
                None => Vec::new(),
            }
        })
    }

    pub(crate) fn mention(&self, index: &Index<'_>, offset: usize) -> Option<Mention> {
        index.mention_at(Span::new(HERE, offset, offset))
    }

    pub(crate) fn symbol_at(&self, index: &Index<'_>, offset: usize) -> Option<SymbolId> {
        match self.mention(index, offset)?.of {
            Target::Symbol(id) => Some(id),
            Target::Known(_) => None,
        }
    }

    pub(crate) fn with_index<T>(&self, question: impl FnOnce(&Index<'_>) -> T) -> T {
        stacker::grow(STACK, || {
            let all = (1..=self.theories.len()).collect();
            let scene = Text { tree: &self.tree, uses: all };
            let theory = |one| {
                let Loaded { tree, uses, .. }: &Loaded = one;
                Text { tree, uses: uses.iter().map(|at| at + 1).collect() }
            };
            let texts: Vec<Text<'_>> = std::iter::once(scene).chain(self.theories.iter().map(theory)).collect();
            question(&Index::new(&texts))
        })
    }

    /// The scene with its names resolved, if nothing is wrong with it so far.
    pub(crate) fn model(&self) -> Option<Model> {
        if !self.readable {
            return None;
        }
        stacker::grow(STACK, || {
            let theories: Vec<model::Theory<'_>> = self.theories.iter().map(Loaded::as_theory).collect();
            let files: Vec<model::UsedFile<'_>> = self.files.iter().map(Used::as_members).collect();
            let library =
                model::Library { used: &theories, elsewhere: &|_| None, data: &[], files: &files, without: &[] };
            model::resolve(&self.tree, &library, &[], &mut Diagnostics::default())
        })
    }
}

fn distinct(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort();
    spans.dedup();
    spans
}
