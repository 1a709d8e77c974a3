//! What the parser reads and this stage does not know yet: physics of one's own.

use base::{Diagnostic, Span};
use syntax::{Item, ItemKind, codes};

use super::{Reported, Resolver};

impl Resolver<'_, '_> {
    /// Whether there is something of later versions among the statements. Each is reported once.
    pub(super) fn report_later(&mut self, items: &[Item]) -> bool {
        let mut found = false;
        for item in items {
            if let ItemKind::For(repeated) = &item.kind {
                found |= self.report_later(&repeated.items);
            } else if let Some((what, span)) = later(item) {
                found = true;
                if !item.broken {
                    self.not_yet_supported(what, span);
                }
            }
        }
        found
    }

    pub(super) fn not_yet_supported(&mut self, what: &str, span: Span) -> Reported {
        let message = format!("{what} is not part of this version of the language");
        self.report(Diagnostic::error(codes::NOT_YET_SUPPORTED, message).at(span, ""))
    }
}

/// What it is and where it says so.
fn later(item: &Item) -> Option<(&'static str, Span)> {
    let keyword = |word: &str| Span { end: item.span.start + word.len() as u32, ..item.span };
    Some(match &item.kind {
        ItemKind::Theory(_) => ("`theory`", keyword("theory")),
        ItemKind::Kind(_) => ("`kind`", keyword("kind")),
        ItemKind::Connection(_) => ("`connection`", keyword("connection")),
        ItemKind::Law(_) => ("`law`", keyword("law")),
        ItemKind::Quantity(quantity) => ("a quantity of a scene", quantity.name.span),
        ItemKind::Equation(_) => ("an equation without `always`", item.span),
        ItemKind::Addition(addition) => ("`+=`", addition.total.span),
        ItemKind::Thing(thing) => ("declaring things of a kind", thing.name.span),
        ItemKind::Connections(connections) => ("connecting each of several things", connections.kind.span),
        _ => return None,
    })
}
