//! What could be written at a place.

use base::{Diagnostics, SourceId, Span};
use syntax::{Modifier, QuantityDomain};

use crate::context::{Context, context};
use crate::index::Index;
use crate::known::{Entry, Table, entries};
use crate::nature::Nature;
use crate::reading::{HERE, Reading};
use crate::symbol::{Role, ScopeId, Symbol, SymbolId};

pub struct Completions {
    /// Where the word begins that is being written.
    pub from: usize,
    /// Those that are most likely meant first.
    pub list: Vec<Entry>,
}

/// In the braces of a transition.
const EFFECTS: &[(&str, &str, &str)] = &[
    ("keep", "keep positions", "what is the same after as before: all, positions, velocities, or a quantity"),
    ("satisfy", "satisfy velocity constraints", "what is not said changes as little as the constraints need"),
    ("begin", "begin { keep positions }", "what happens when the sequence or plan begins"),
    ("until", "until x >= 1 { keep positions }", "a phase that ends when a condition holds"),
    ("after", "after 2 [s] { keep positions }", "a phase that takes some time"),
    ("choose", "choose v: [m/s] from 1 [m/s] in [0, 5] [m/s]", "a number that a plan chooses, perhaps within a range"),
];

impl Reading {
    pub fn complete(&self, offset: usize) -> Completions {
        let text = &self.text().text;
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let (context, from) = context(text, offset);
        let list = self.with_index(|index| {
            let scope = index.scope_at(Span::new(HERE, from, from));
            self.offered(index, &context, scope, from)
        });
        let mut seen = std::collections::HashSet::new();
        let list = list.into_iter().filter(|entry| seen.insert(entry.label.clone())).collect();
        Completions { from, list }
    }

    // Long: one arm for each place in a text at which something can be offered.
    fn offered(&self, index: &Index<'_>, context: &Context, scope: ScopeId, from: usize) -> Vec<Entry> {
        let names = |wanted: &dyn Fn(&Symbol<'_>) -> bool| self.names(index, scope, from, wanted);
        let tables = |tables: &[Table]| tables.iter().flat_map(|table| entries(*table)).collect::<Vec<_>>();
        let is_kind = |symbol: &Symbol<'_>| matches!(symbol.role, Role::Kind | Role::Connection);
        match context {
            Context::Nothing => Vec::new(),
            Context::Statement => [
                tables(&[Table::Statement]),
                names(&|symbol| {
                    symbol.role == Role::Connection || matches!(symbol.role, Role::Quantity | Role::Argument)
                }),
            ]
            .concat(),
            Context::Effect => {
                let effects = EFFECTS.iter().map(|(label, written, meaning)| Entry {
                    label: label.to_string(),
                    what: "effect",
                    written: written.to_string(),
                    meaning: meaning.to_string(),
                });
                effects.chain(names(&|symbol| !symbol.role.is_title() && !is_kind(symbol))).collect()
            }
            Context::Property { body } => {
                let all = entries(Table::Property);
                all.into_iter().filter(|entry| *body || entry.what == "property of frames").collect()
            }
            Context::Contact => entries(Table::ContactProperty),
            Context::Given { kind } => match index.lookup(kind, scope, true) {
                Some(kind) => self.members(index, kind, |symbol| {
                    matches!(symbol.role, Role::Quantity | Role::Argument | Role::Definition)
                }),
                None => Vec::new(),
            },
            Context::Field { of } => self.fields(index, of, scope),
            Context::Unit => entries(Table::Unit),
            Context::Color => entries(Table::Color),
            Context::Theory => {
                let own = self.neighbours().into_iter().map(|name| Entry {
                    written: format!("use {name}"),
                    label: name,
                    what: "theory",
                    meaning: "in this folder".to_string(),
                });
                own.chain(entries(Table::Theory)).collect()
            }
            Context::Figure => entries(Table::Figure),
            Context::Shape => entries(Table::Shape),
            Context::Kind => {
                let word = |label: &str| Entry {
                    label: label.to_string(),
                    what: "domain",
                    written: format!("{label} [m]"),
                    meaning: "of a quantity".to_string(),
                };
                let domains = QuantityDomain::ALL.iter().map(|domain| word(domain.word()));
                let modifiers = Modifier::ALL.iter().map(|modifier| word(modifier.word()));
                names(&is_kind).into_iter().chain(domains).chain(modifiers).collect()
            }
            Context::Thing => {
                let things = names(&|symbol| {
                    (symbol.role.is_thing() && !is_kind(symbol))
                        || matches!(symbol.role, Role::Counter | Role::Argument)
                });
                let world = entries(Table::SceneQuantity).into_iter().filter(|entry| entry.label == "world");
                things.into_iter().chain(world).collect()
            }
            Context::Expression => {
                let mut list = names(&|symbol| !symbol.role.is_title());
                list.extend(tables(&[Table::SceneQuantity, Table::Function, Table::Word]));
                list
            }
        }
    }

    /// Names that can be seen, from the inside out; what is being written is none yet.
    fn names(
        &self,
        index: &Index<'_>,
        scope: ScopeId,
        from: usize,
        wanted: &dyn Fn(&Symbol<'_>) -> bool,
    ) -> Vec<Entry> {
        let visible = index.visible(scope).into_iter();
        let symbols = visible.flat_map(|scope| index.declared_in(scope));
        let is_here = |symbol: &Symbol<'_>| symbol.span.source == HERE && symbol.span.start as usize == from;
        let named = symbols.filter(|(_, symbol)| wanted(symbol) && !is_here(symbol) && !symbol.name.contains('.'));
        named.map(|(id, _)| self.describe(index, id)).collect()
    }

    fn members(&self, index: &Index<'_>, kind: SymbolId, wanted: impl Fn(&Symbol<'_>) -> bool) -> Vec<Entry> {
        let scopes = index.lineage(kind).into_iter();
        let symbols = scopes.flat_map(|scope| index.declared_in(scope)).filter(|(_, symbol)| wanted(symbol));
        symbols.map(|(id, _)| self.describe(index, id)).collect()
    }

    /// What can be asked of an expression.
    fn fields(&self, index: &Index<'_>, of: &str, scope: ScopeId) -> Vec<Entry> {
        let expr = syntax::parse_expression(SourceId(u32::MAX), of, &mut Diagnostics::default());
        // `car1.state` is asked of nothing, it is a name with a point in it.
        let prefix = format!("{of}.");
        let dotted = index.visible(scope).into_iter().flat_map(|scope| index.declared_in(scope));
        let dotted = dotted.filter_map(|(id, symbol)| {
            let label = symbol.name.strip_prefix(&prefix)?.to_string();
            Some(Entry { label, ..self.describe(index, id) })
        });
        let dotted: Vec<Entry> = dotted.collect();
        let nature = match index.named_thing(&expr, scope) {
            Some(symbol) => index.settle(index.symbol(symbol).nature, 40),
            None => index.nature(&expr, scope),
        };
        let methods = || {
            let all = entries(Table::Function).into_iter();
            all.filter(|entry| matches!(entry.label.as_str(), "point" | "vector"))
        };
        let known: Vec<Entry> = match nature {
            Nature::Thing(kind) => self.members(index, kind, |symbol| symbol.role != Role::Counter),
            Nature::Body => entries(Table::FrameField).into_iter().chain(methods()).collect(),
            Nature::Frame => {
                let all = entries(Table::FrameField).into_iter();
                all.filter(|entry| !matches!(entry.label.as_str(), "mass" | "kinetic")).chain(methods()).collect()
            }
            Nature::Vector => entries(Table::Component).into_iter().filter(|entry| entry.label != "w").collect(),
            Nature::Quaternion => entries(Table::Component),
            Nature::Contact => entries(Table::ContactField),
            _ => Vec::new(),
        };
        dotted.into_iter().chain(known).collect()
    }

    /// Theories in the folder of the scene.
    fn neighbours(&self) -> Vec<String> {
        let entries = self.folder().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        let theory = |entry: std::fs::DirEntry| {
            let name = entry.file_name().to_str()?.strip_suffix(".anz")?.to_string();
            let text = std::fs::read_to_string(entry.path()).ok()?;
            text.lines().any(|line| line.starts_with("theory ")).then_some(name)
        };
        let mut names: Vec<String> = entries.take(1000).filter_map(theory).collect();
        names.sort();
        names
    }
}
