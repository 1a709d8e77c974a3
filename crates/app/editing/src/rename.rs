//! Another name for something, wherever it is spoken of.

use base::{SourceId, Span};
use syntax::TokenKind;

use crate::index::Index;
use crate::reading::{Edit, File, Reading};
use crate::symbol::SymbolId;

impl Reading {
    /// The place of the name that would change, or why none can.
    pub fn renamed(&self, offset: usize) -> Result<Span, String> {
        self.with_index(|index| {
            let id = self.changeable(index, offset)?;
            let here = index.mentions_of(id).find(|span| {
                span.source == SourceId(0) && span.start as usize <= offset && offset <= span.end as usize
            });
            here.ok_or_else(|| "there is no name here".to_string())
        })
    }

    /// Every place to change, here and in theories beside the scene, or why it cannot be done.
    pub fn rename(&self, offset: usize, new: &str) -> Result<Vec<Edit>, String> {
        self.with_index(|index| {
            let id = self.changeable(index, offset)?;
            check_name(new)?;
            self.check_free(index, id, new)?;
            let mut spans: Vec<Span> = index.mentions_of(id).collect();
            spans.sort();
            spans.dedup();
            Ok(spans.into_iter().map(|span| Edit { span, text: new.to_string() }).collect())
        })
    }

    fn changeable(&self, index: &Index<'_>, offset: usize) -> Result<SymbolId, String> {
        let id = self.symbol_at(index, offset).ok_or("there is no name here that this text gives")?;
        match self.file(index.symbol(id).span.source) {
            File::Library(theory, _) => {
                Err(format!("`{}` is a word of the library {theory}, which comes with Ansatz", index.symbol(id).name))
            }
            File::Here | File::Beside(_) => Ok(id),
        }
    }

    /// Nothing that the name is seen from may have the new name already.
    fn check_free(&self, index: &Index<'_>, id: SymbolId, new: &str) -> Result<(), String> {
        let symbol = index.symbol(id);
        let is_thing = symbol.role.is_thing();
        let same_sense = |other: &SymbolId| *other != id && index.symbol(*other).role.is_thing() == is_thing;
        let taken = index.called(new, symbol.scope, false).find(same_sense).or_else(|| {
            index.mentions_of(id).find_map(|span| {
                let asked = self.sources.get(span.source).text[..span.start as usize].ends_with('.');
                let scope = index.scope_at(span);
                let sees = !asked && index.visible(scope).contains(&symbol.scope);
                index.lookup(new, scope, is_thing).filter(|_| sees).filter(same_sense)
            })
        });
        match taken {
            None => Ok(()),
            Some(other) => {
                let other = index.symbol(other);
                let place = self.sources.locate(other.span);
                Err(format!("`{new}` is there already, a {} at {place}", other.role.word()))
            }
        }
    }
}

fn check_name(new: &str) -> Result<(), String> {
    let tokens = syntax::tokenize(new);
    let is_word =
        matches!(tokens.as_slice(), [one] if one.kind == TokenKind::Word && one.end == new.len() && one.start == 0);
    if !is_word {
        return Err(format!("`{new}` is not a name: it begins with a letter and goes on with letters, digits and `_`"));
    }
    if syntax::is_reserved(new) || matches!(new, "world" | "t" | "pi" | "bodies") {
        return Err(format!("`{new}` is a word of the language and cannot be a name"));
    }
    Ok(())
}
