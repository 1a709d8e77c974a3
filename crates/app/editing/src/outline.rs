//! What there is in a text, by name, in the order of the text.

use base::Span;

use crate::index::Index;
use crate::reading::{HERE, Reading};
use crate::symbol::{Role, ScopeId, Symbol};

pub struct Outlined {
    pub name: String,
    pub role: Role,
    /// Of the whole statement.
    pub statement: Span,
    /// Of the name.
    pub span: Span,
    pub inside: Vec<Outlined>,
}

impl Reading {
    pub fn outline(&self) -> Vec<Outlined> {
        self.with_index(|index| outlined(index, ScopeId(0)))
    }
}

fn outlined(index: &Index<'_>, scope: ScopeId) -> Vec<Outlined> {
    let worth =
        |symbol: &&Symbol<'_>| !matches!(symbol.role, Role::Counter | Role::Argument) && symbol.span.source == HERE;
    let one = |symbol: &Symbol<'_>| {
        let members = matches!(symbol.role, Role::Kind | Role::Connection | Role::Law | Role::Mode);
        let inside = symbol.inside.filter(|_| members).map_or(Vec::new(), |inside| outlined(index, inside));
        Outlined {
            name: symbol.name.clone(),
            role: symbol.role,
            statement: symbol.statement,
            span: symbol.span,
            inside,
        }
    };
    let mut list: Vec<Outlined> = index.declared_in(scope).map(|(_, symbol)| symbol).filter(worth).map(one).collect();
    list.sort_by_key(|one| one.span);
    list
}
