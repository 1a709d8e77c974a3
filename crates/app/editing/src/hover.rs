//! What is here: how it is declared, what it means, of which dimension it is.

use base::Span;
use model::{FrameId, Model, Shape, TermId, TermKind};
use syntax::TokenKind;

use crate::index::{Index, Mention, Target};
use crate::known::{self, Entry, Table};
use crate::nature::Nature;
use crate::reading::{HERE, Reading};
use crate::symbol::{Role, Symbol, SymbolId};

pub struct Hover {
    pub span: Span,
    pub entry: Entry,
    /// Dimension, unit and frame, where they are known.
    pub facts: Vec<String>,
}

/// Longer declarations are cut.
const MOST_LINES: usize = 8;

impl Reading {
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        let named = self.with_index(|index| {
            let Mention { span, of } = self.mention(index, offset)?;
            let entry = match of {
                Target::Symbol(id) => self.describe(index, id),
                Target::Known(table) => known::entry(table, self.sources.text(span))?,
            };
            let measured = match of {
                Target::Symbol(id) => !index.symbol(id).role.is_title(),
                Target::Known(table) => matches!(table, Table::FrameField | Table::SceneQuantity | Table::Component),
            };
            // What a definition stands for is known where it is defined.
            let defined = match of {
                Target::Symbol(id) => match index.symbol(id).nature {
                    Nature::Same(value, _) => Some(value.span),
                    _ => None,
                },
                Target::Known(_) => None,
            };
            Some((span, entry, measured.then_some(defined)))
        });
        let Some((span, entry, measured)) = named else { return self.keyword(offset) };
        let facts = measured.and_then(|defined| Some(facts(&self.model()?, span, defined))).unwrap_or_default();
        Some(Hover { span, entry, facts })
    }

    /// A word of the language that names nothing.
    fn keyword(&self, offset: usize) -> Option<Hover> {
        let text = &self.text().text;
        let tokens = syntax::tokenize(text);
        let token = tokens
            .iter()
            .find(|token| token.kind == TokenKind::Word && token.start <= offset && offset <= token.end)?;
        let begins = self.begins_statement(token.start);
        let entry = match begins {
            true => {
                known::entry(Table::Statement, token.text(text)).or_else(|| known::entry(Table::Word, token.text(text)))
            }
            false => known::entry(Table::Word, token.text(text)),
        }?;
        Some(Hover { span: Span::new(HERE, token.start, token.end), entry, facts: Vec::new() })
    }

    fn begins_statement(&self, offset: usize) -> bool {
        fn begins(items: &[syntax::Item], offset: usize) -> bool {
            items.iter().any(|item| {
                let inside: &[syntax::Item] = match &item.kind {
                    syntax::ItemKind::For(repeated) => &repeated.items,
                    syntax::ItemKind::Kind(kind) => &kind.members,
                    syntax::ItemKind::Connection(connection) => &connection.members,
                    syntax::ItemKind::Law(law) => &law.members,
                    _ => &[],
                };
                item.span.start as usize == offset || begins(inside, offset)
            })
        }
        begins(&self.tree.items, offset)
    }

    /// A symbol in the words of its own declaration.
    pub(crate) fn describe(&self, index: &Index<'_>, id: SymbolId) -> Entry {
        let symbol = index.symbol(id);
        Entry {
            label: symbol.name.clone(),
            what: symbol.role.word(),
            written: self.declaration(symbol),
            meaning: symbol.documentation.clone().unwrap_or_default(),
        }
    }

    fn declaration(&self, symbol: &Symbol<'_>) -> String {
        let text = self.sources.text(symbol.statement).trim();
        let has_members = matches!(
            symbol.role,
            Role::Kind | Role::Connection | Role::Law | Role::Transition | Role::Sequence | Role::Plan
        );
        let text = match text.split_once('{') {
            Some((head, _)) if has_members => head.trim_end(),
            _ => text,
        };
        let lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
        let cut = if text.lines().count() > MOST_LINES { "\n…" } else { "" };
        lines.join("\n") + cut
    }
}

/// What the term that ends here is, or the one that defines it.
fn facts(model: &Model, span: Span, defined: Option<Span>) -> Vec<String> {
    let all = || (0..model.terms.len()).map(|at| model.terms.get(TermId(at as u32)));
    let ends_here = all()
        .filter(|term| term.span.source == span.source && term.span.end == span.end && term.span.start <= span.start);
    let here = ends_here.min_by_key(|term| term.span.end - term.span.start);
    let term = here.or_else(|| all().find(|term| Some(term.span) == defined));
    let Some(term) = term else { return declared(model, span) };
    let dimension = term.type_.amount.dimension();
    let mut facts = vec![known::in_words(term.type_)];
    facts.extend(dimension.word().map(str::to_string));
    facts.extend(frame_of(model, &term.kind, term.type_.shape).map(|frame| format!("in frame {frame}")));
    facts
}

/// The same for declarations, which are no terms.
fn declared(model: &Model, span: Span) -> Vec<String> {
    let here = |place: Span| place.source == span.source && place.start == span.start;
    let given = model
        .parameters
        .iter()
        .map(|one| (one.span, &one.unit))
        .chain(model.controls.iter().map(|one| (one.span, &one.unit)));
    for (place, unit) in given {
        if here(place) {
            return unit.dimension.word().map(str::to_string).into_iter().collect();
        }
    }
    let frame = model.frames.iter().skip(1).find(|frame| here(frame.span));
    frame.map(|frame| format!("hangs on {}", model.frame(frame.parent).name)).into_iter().collect()
}

/// The frame in whose axes a vector has its components, or in which a coordinate moves its own.
pub fn frame_of(model: &Model, kind: &TermKind, shape: Shape) -> Option<String> {
    let name = |frame: FrameId| model.frame(frame).name.clone();
    match (kind, shape) {
        (TermKind::Frame(frame, _), Shape::Scalar) => Some(name(model.frame(*frame).parent)),
        (_, Shape::Vector | Shape::Quaternion | Shape::Matrix) => Some(name(model::WORLD)),
        _ => None,
    }
}
