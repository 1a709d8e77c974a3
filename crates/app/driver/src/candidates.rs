//! What is missing where nothing determines a quantity: connections and kinds, in the theories at hand, that speak of it.

use base::listed;
use model::Model;
use syntax::{Expr, ExprKind, Item, ItemKind, Law, Parameter, ParameterType, Relation, Tree, Word};

/// More than this are counted, not named.
const FEW: usize = 6;

/// A hint for the quantities that are open, if some kind or connection would help.
pub fn candidates(open: &[String], model: &Model, trees: &[&Tree]) -> Vec<String> {
    let templates: Vec<Template<'_>> = trees.iter().flat_map(|tree| &tree.items).filter_map(Template::new).collect();
    let mut hints: Vec<String> = Vec::new();
    for name in open {
        let Some((thing, quantity)) = owner(name, model) else { continue };
        // A connection uses the constants of its ends, it does not say what they are.
        let is_constant = model.quantities.iter().any(|known| known.constant && known.name == short(name, quantity));
        let kinds = |template: &&Template<'_>| {
            !(template.connects && is_constant) && template.determines(quantity, &thing.kinds, &templates)
        };
        let helping: Vec<&Template<'_>> = templates.iter().filter(kinds).collect();
        let mut names: Vec<String> =
            helping.iter().take(FEW).map(|template| format!("`{}`", template.name.text)).collect();
        if helping.len() > FEW {
            names.push(format!("{} more", helping.len() - FEW));
        }
        let hint = match helping.first() {
            None => continue,
            Some(template) if template.connects => {
                format!("`{}` may be determined by a connection: {}", short(name, quantity), listed(&names))
            }
            Some(_) => format!("`{}` is determined in things of the kind {}", short(name, quantity), listed(&names)),
        };
        if !hints.contains(&hint) && hints.len() < FEW {
            hints.push(hint);
        }
    }
    hints
}

/// Names of connections that say something of an open quantity.
pub fn connections(name: &str, model: &Model, trees: &[&Tree]) -> Vec<String> {
    let templates: Vec<Template<'_>> = trees.iter().flat_map(|tree| &tree.items).filter_map(Template::new).collect();
    let Some((thing, quantity)) = owner(name, model) else { return Vec::new() };
    let laws: Vec<&Law> = trees.iter().flat_map(|tree| &tree.items).filter_map(law).collect();
    let helps = |it: &&Template<'_>| {
        let is_whole = !templates.iter().any(|other| other.parent.is_some_and(|parent| parent.text == it.name.text));
        let by_law = || is_whole && laws.iter().any(|law| it.is_spoken_of(law, quantity, &thing.kinds, &templates));
        it.connects && (it.determines(quantity, &thing.kinds, &templates) || by_law())
    };
    let helping = templates.iter().filter(helps);
    helping.map(|template| template.name.text.clone()).collect()
}

/// The thing that has a quantity, and what the quantity is called in it.
pub fn owner<'m, 'n>(name: &'n str, model: &'m Model) -> Option<(&'m model::Thing, &'n str)> {
    let owners =
        model.things.iter().filter_map(|thing| Some((thing, name.strip_prefix(&thing.name)?.strip_prefix('.')?)));
    let (thing, rest) = owners.max_by_key(|(thing, _)| thing.name.len())?;
    Some((thing, rest.split('.').next().unwrap_or(rest)))
}

/// A quantity without the name of its component.
fn short<'n>(name: &'n str, quantity: &str) -> &'n str {
    let end = name.rfind(quantity).map_or(name.len(), |at| at + quantity.len());
    &name[..end]
}

struct Template<'t> {
    name: &'t Word,
    parameters: &'t [Parameter],
    parent: Option<&'t Word>,
    members: &'t [Item],
    connects: bool,
}

impl<'t> Template<'t> {
    fn new(item: &'t Item) -> Option<Template<'t>> {
        Some(match &item.kind {
            ItemKind::Kind(kind) => Template {
                name: &kind.name,
                parameters: &kind.parameters,
                parent: kind.parent.as_ref(),
                members: &kind.members,
                connects: false,
            },
            ItemKind::Connection(connection) => Template {
                name: &connection.name,
                parameters: &connection.parameters,
                parent: connection.parent.as_ref(),
                members: &connection.members,
                connects: true,
            },
            _ => return None,
        })
    }

    fn parent_in<'s>(&self, all: &'s [Template<'t>]) -> Option<&'s Template<'t>> {
        all.iter().find(|other| self.parent.is_some_and(|parent| parent.text == other.name.text))
    }

    /// Whether things of this kind say more of a quantity that things of some kinds have.
    fn determines(&self, quantity: &str, kinds: &[String], all: &[Template<'t>]) -> bool {
        let is_abstract = all.iter().any(|other| other.parent.is_some_and(|parent| parent.text == self.name.text));
        if self.connects {
            return !is_abstract && self.speaks_of(quantity, kinds, all, all.len());
        }
        let inherits = self.parent.is_some_and(|parent| kinds.contains(&parent.text));
        inherits && self.members.iter().any(|member| sides(member).into_iter().any(|side| is_name(side, quantity)))
    }

    /// Whether a law of such connections mentions a quantity of one of their ends, or adds to a sum of it.
    fn is_spoken_of(&self, law: &Law, quantity: &str, kinds: &[String], all: &[Template<'t>]) -> bool {
        let line = std::iter::successors(Some(self), |it| it.parent_in(all)).take(all.len());
        let own: Vec<&Template<'_>> = line.collect();
        let is_own = |kind: &Word| own.iter().any(|it| it.name.text == kind.text);
        let is_end = |name: &str| {
            let mut ends = own.iter().flat_map(|it| it.parameters);
            ends.any(|it| {
                it.name.text == name && matches!(&it.type_, ParameterType::Thing(kind) if kinds.contains(&kind.text))
            })
        };
        let of_connection =
            law.parameters.iter().filter(|it| matches!(&it.type_, ParameterType::Thing(kind) if is_own(kind)));
        let names: Vec<&str> = of_connection.map(|it| it.name.text.as_str()).collect();
        let mut open: Vec<&Expr> = law.members.iter().flat_map(sides).collect();
        while let Some(expr) = open.pop() {
            if let ExprKind::Field { base, field } = &expr.kind
                && field.text == quantity
                && let ExprKind::Field { base, field: end } = &base.kind
                && is_end(&end.text)
                && names.iter().any(|name| is_name(base, name))
            {
                return true;
            }
            open.extend(expr.children());
        }
        false
    }

    /// Whether a connection, or what it inherits from, mentions a quantity of one of its ends.
    fn speaks_of(&self, quantity: &str, kinds: &[String], all: &[Template<'t>], depth: usize) -> bool {
        let ends = self
            .parameters
            .iter()
            .filter(|parameter| matches!(&parameter.type_, ParameterType::Thing(kind) if kinds.contains(&kind.text)));
        let ends: Vec<&str> = ends.map(|parameter| parameter.name.text.as_str()).collect();
        let mentioned = self.members.iter().flat_map(sides).any(|side| mentions(side, &ends, quantity));
        mentioned
            || depth > 0 && self.parent_in(all).is_some_and(|parent| parent.speaks_of(quantity, kinds, all, depth - 1))
    }
}

fn law(item: &Item) -> Option<&Law> {
    match &item.kind {
        ItemKind::Law(law) => Some(law),
        _ => None,
    }
}

/// The expressions of an equation or an addition.
fn sides(item: &Item) -> Vec<&Expr> {
    match &item.kind {
        ItemKind::Equation(equation) | ItemKind::Always(equation) => match &equation.relation {
            Relation::Equal { left, right } => vec![left, right],
            Relation::On { point, .. } => vec![point],
            Relation::Tangent { at, .. } => vec![at],
        },
        ItemKind::Addition(addition) => vec![&addition.total, &addition.part],
        _ => Vec::new(),
    }
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(found) if found == name)
}

fn mentions(expr: &Expr, ends: &[&str], quantity: &str) -> bool {
    let here = matches!(&expr.kind, ExprKind::Field { base, field }
        if field.text == quantity && ends.iter().any(|end| is_name(base, end)));
    here || expr.children().any(|child| mentions(child, ends, quantity))
}
