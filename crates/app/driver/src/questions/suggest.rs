//! What theories have that would close a question: connections of those in use, and laws of the library whose quantities a thing of the scene has.

use base::{Diagnostics, Source, Sources};
use model::Model;
use syntax::{Expr, ExprKind, Item, ItemKind, Law, ParameterType, Tree};

use super::{Asking, DeadEnd, Suggestion, Way};
use crate::candidates::{connections, owner};
use crate::library::{self, LIBRARY};
use crate::skeleton;

/// No more of each are told.
const FEW: usize = 3;

/// Adds what the theories at hand and the library have for the unknowns that are open.
pub fn from_theories(asking: &Asking<'_>, model: &Model, dead_ends: &mut [DeadEnd]) {
    if dead_ends.iter().all(|it| it.unknowns.is_empty()) {
        return;
    }
    let (mut sources, mut sink) = (Sources::default(), Diagnostics::default());
    let source = sources.add(Source::new(asking.name, asking.text));
    let tree = syntax::parse(source, asking.text, &mut sink);
    let theories = library::load(&tree, asking.options.folder.as_deref(), &mut sources, &mut sink);
    let trees: Vec<&Tree> = std::iter::once(&tree).chain(theories.iter().map(|it| &it.tree)).collect();
    for dead_end in dead_ends {
        let mut found = joined(&dead_end.unknowns, model, &trees);
        found.extend(laws(&dead_end.unknowns, model, &trees));
        dead_end.suggestions.extend(found);
        dead_end.suggestions.sort_by_key(|it| it.way);
    }
}

/// Connections that say something of what is open, between things that are there.
fn joined(unknowns: &[String], model: &Model, trees: &[&Tree]) -> Vec<Suggestion> {
    let mut found: Vec<Suggestion> = Vec::new();
    for name in unknowns {
        let Some((thing, quantity)) = owner(name, model) else { continue };
        for connection in connections(name, model, trees) {
            let Some(text) = skeleton::connection(&connection, thing, &model.things, trees) else { continue };
            if found.len() < FEW && !found.iter().any(|known| known.text == text) {
                let reason = format!("a connection that speaks of `{}.{quantity}`; its numbers are yours", thing.name);
                found.push(Suggestion::new(Way::Library, text, reason));
            }
        }
    }
    found
}

/// Laws of the library that speak of nothing but quantities that a thing of the scene has by the same names, one of which is open; written for its kind.
fn laws(unknowns: &[String], model: &Model, trees: &[&Tree]) -> Vec<Suggestion> {
    let mut found: Vec<Suggestion> = Vec::new();
    let known: Vec<&Law> = trees.iter().flat_map(|tree| &tree.items).filter_map(law).collect();
    for (theory, text) in LIBRARY {
        let mut sources = Sources::default();
        let source = sources.add(Source::new(*theory, *text));
        let tree = syntax::parse(source, text, &mut Diagnostics::default());
        for (item, law) in tree.items.iter().filter_map(|item| Some((item, law(item)?))) {
            let [parameter] = &law.parameters[..] else { continue };
            let ParameterType::Thing(kind) = &parameter.type_ else { continue };
            let is_known = known.iter().any(|it| it.name.text == law.name.text);
            if is_known || law.instead.is_some() || law.condition.is_some() {
                continue;
            }
            let fields = fields(law, &parameter.name.text);
            let fits = |name: &String| {
                let (thing, quantity) = owner(name, model)?;
                let own = thing.kinds.last()?;
                let has = |field: &&str| model.quantities.iter().any(|it| it.name == format!("{}.{field}", thing.name));
                (fields.contains(&quantity) && fields.iter().all(has)).then_some((thing, own))
            };
            let Some((thing, own)) = unknowns.iter().find_map(fits) else { continue };
            let written = sources.text(item.span).trim().replacen(&format!(": {}", kind.text), &format!(": {own}"), 1);
            let reason = format!("of the theory `{theory}`, for things such as `{}`", thing.name);
            found.push(Suggestion::new(Way::Library, written, reason));
        }
    }
    found.truncate(FEW);
    found
}

fn law(item: &Item) -> Option<&Law> {
    match &item.kind {
        ItemKind::Law(law) => Some(law),
        _ => None,
    }
}

/// What a law says of the thing that it is about.
fn fields<'t>(law: &'t Law, thing: &str) -> Vec<&'t str> {
    let mut open: Vec<&Expr> = law.assumption.iter().collect();
    for member in &law.members {
        match &member.kind {
            ItemKind::Equation(equation) => open.extend(equation.sides().into_iter().flat_map(|(a, b)| [a, b])),
            ItemKind::Addition(addition) => open.extend([&addition.total, &addition.part]),
            _ => {}
        }
    }
    let mut found = Vec::new();
    while let Some(expr) = open.pop() {
        if let ExprKind::Field { base, field } = &expr.kind
            && matches!(&base.kind, ExprKind::Name(name) if name == thing)
        {
            found.push(field.text.as_str());
        }
        open.extend(expr.children());
        // What a function is of stands beside, not below.
        if let ExprKind::Call { arguments, .. } = &expr.kind {
            open.extend(arguments.iter().map(|argument| &argument.value));
        }
    }
    found
}
