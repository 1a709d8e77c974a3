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

#[cfg(test)]
mod tests {
    use base::{Diagnostics, SourceId};

    /// Each is reported once, where it says what it is, and nothing is said of what rests on it.
    #[test]
    fn physics_of_ones_own_is_reported_and_nothing_else() {
        let text = "theory a\nkind b { x: [m]; x == y }\nconnection c(d: b) {}\nlaw l for p: b { p.x += 1 }\n\
                    for i in 1..9 { e[i]: b }\nc for p in b\nx: [m]\ne[1].x += 2\nplot e[1].x";
        let mut sink = Diagnostics::default();
        let tree = syntax::parse(SourceId(0), text, &mut sink);
        assert!(sink.is_empty());
        assert!(crate::resolve(&tree, &[], &mut sink).is_none());
        assert!(sink.iter().all(|diagnostic| diagnostic.code == syntax::codes::NOT_YET_SUPPORTED));
        let places: Vec<&str> = sink.iter().map(|diagnostic| &text[diagnostic.labels[0].span.range()]).collect();
        assert_eq!(places, ["theory", "kind", "connection", "law", "e[i]", "c", "x", "e[1].x"]);
    }

    #[test]
    fn sums_over_lists_are_reported_where_they_stand() {
        let text = "body b { mass = 1 [kg]; position = (free, 0, 0) }\nlet a = sum(b.mass for b in bodies)";
        let mut sink = Diagnostics::default();
        let tree = syntax::parse(SourceId(0), text, &mut sink);
        assert!(crate::resolve(&tree, &[], &mut sink).is_none());
        let messages: Vec<&str> = sink.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        assert_eq!(messages, ["`for` in `sum(…)` is not part of this version of the language"]);
    }
}
