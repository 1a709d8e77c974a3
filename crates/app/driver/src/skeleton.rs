//! A scene to begin with, written from a theory: its kinds with their quantities and units, ready to be filled in.

use std::fmt::Write;
use std::path::Path;

use base::{Diagnostics, Source, Sources};
use model::Thing;
use syntax::{ItemKind, Modifier, Parameter, ParameterType, Quantity, QuantityDomain, QuantityType, Tree, Word};

use crate::library;

/// The text of a scene that uses a theory, or what is wrong with the theory.
pub fn skeleton(name: &str, theory: &str, folder: Option<&Path>) -> Result<String, (Diagnostics, Sources)> {
    let (mut sources, mut sink) = (Sources::default(), Diagnostics::default());
    let text = format!("scene {name}\nuse {theory}\n");
    let source = sources.add(Source::new("--scene", text.as_str()));
    let tree = syntax::parse(source, &text, &mut sink);
    let theories = library::load(&tree, folder, &mut sources, &mut sink);
    if sink.has_errors() {
        return Err((sink, sources));
    }
    Ok(write(&text, theory, &Templates::new(theories.iter().map(|it| &it.tree))))
}

/// The kinds and connections of some theories.
struct Templates<'t> {
    all: Vec<Template<'t>>,
}

struct Template<'t> {
    name: &'t Word,
    parameters: &'t [Parameter],
    parent: Option<&'t Word>,
    members: &'t [syntax::Item],
    connects: bool,
    about: Option<&'t str>,
}

impl<'t> Templates<'t> {
    fn new(trees: impl Iterator<Item = &'t Tree>) -> Templates<'t> {
        let all = trees.flat_map(|tree| &tree.items).filter_map(|item| {
            let about = item.documentation.as_deref();
            Some(match &item.kind {
                ItemKind::Kind(kind) => Template {
                    name: &kind.name,
                    parameters: &kind.parameters,
                    parent: kind.parent.as_ref(),
                    members: &kind.members,
                    connects: false,
                    about,
                },
                ItemKind::Connection(connection) => Template {
                    name: &connection.name,
                    parameters: &connection.parameters,
                    parent: connection.parent.as_ref(),
                    members: &connection.members,
                    connects: true,
                    about,
                },
                _ => return None,
            })
        });
        Templates { all: all.collect() }
    }

    fn find(&self, name: &str) -> Option<&Template<'t>> {
        self.all.iter().find(|template| template.name.text == name)
    }

    /// A template and those it inherits from, the eldest first.
    fn lineage<'s>(&'s self, template: &'s Template<'t>) -> Vec<&'s Template<'t>> {
        let parent = |template: &&'s Template<'t>| self.find(&template.parent?.text);
        let mut line: Vec<&Template<'t>> = std::iter::successors(Some(template), parent).take(self.all.len()).collect();
        line.reverse();
        line
    }

    /// Whether others inherit from it, so that it is rather an idea than a thing.
    fn is_abstract(&self, template: &Template<'_>) -> bool {
        self.all.iter().any(|other| other.parent.is_some_and(|parent| parent.text == template.name.text))
    }

    fn is_a(&self, template: &Template<'t>, kind: &str) -> bool {
        self.lineage(template).iter().any(|elder| elder.name.text == kind)
    }
}

fn write(head: &str, theory: &str, templates: &Templates<'_>) -> String {
    let mut out =
        format!("// A scene of the theory {theory}: keep what you need, and put in your own numbers.\n{head}");
    let concrete = || templates.all.iter().filter(|template| !templates.is_abstract(template));
    for kind in concrete().filter(|template| !template.connects) {
        describe(&mut out, kind, templates);
        for number in 1..=2 {
            let _ = writeln!(out, "{}", declaration(kind, number, templates));
        }
    }
    let mut connections = concrete().filter(|template| template.connects).peekable();
    if connections.peek().is_some() {
        out.push_str("\n// Connections: take the slashes away from those that your scene has.\n");
    }
    for connection in connections {
        describe(&mut out, connection, templates);
        let _ = writeln!(out, "// {}", declaration(connection, 1, templates));
    }
    out.push_str("\n// The start: what is not said begins at zero, or where its kind says.\n");
    for kind in concrete().filter(|template| !template.connects) {
        for quantity in unknowns(kind, templates) {
            let name = format!("{}1.{}", stem(kind), quantity.name.text);
            let _ = writeln!(out, "// initially {name} == {}", value(&quantity.type_, 0));
        }
    }
    let first = concrete().find(|template| !template.connects);
    let plotted = first.and_then(|kind| Some((stem(kind), unknowns(kind, templates).into_iter().next()?)));
    if let Some((stem, quantity)) = plotted {
        let _ = writeln!(out, "\nplot {stem}1.{}", quantity.name.text);
    }
    out
}

/// What a kind is, and what it has, as comments.
fn describe(out: &mut String, template: &Template<'_>, templates: &Templates<'_>) {
    out.push('\n');
    for line in template.about.iter().flat_map(|about| about.lines()) {
        let _ = writeln!(out, "// {}", line.trim());
    }
    let has: Vec<String> = unknowns(template, templates).into_iter().map(described).collect();
    if !has.is_empty() {
        let _ = writeln!(out, "// {} has {}", template.name.text, has.join(", "));
    }
}

fn described(quantity: &Quantity) -> String {
    let unit = quantity.type_.unit.as_ref().map_or(String::new(), |unit| format!(" [{}]", unit.text));
    let domain = match quantity.type_.domain {
        QuantityDomain::Real => "",
        other => other.word(),
    };
    format!("{}{}{domain}{unit}", quantity.name.text, if domain.is_empty() { "" } else { ": " })
}

/// `resistor1: resistor(node1, node2) { resistance = 1 [ohm] }`
fn declaration(template: &Template<'_>, number: usize, templates: &Templates<'_>) -> String {
    let lineage = templates.lineage(template);
    let mut things = Vec::new();
    let parameters = lineage.iter().flat_map(|elder| elder.parameters);
    let arguments: Vec<String> = parameters
        .map(|parameter| match &parameter.type_ {
            ParameterType::Quantity(type_) => value(type_, 1),
            ParameterType::Thing(kind) => {
                let fits = |other: &&Template<'_>| !templates.is_abstract(other) && templates.is_a(other, &kind.text);
                let chosen = templates.all.iter().find(fits).map_or(kind.text.clone(), |other| stem(other).to_string());
                let again = things.iter().filter(|before| **before == chosen).count();
                things.push(chosen.clone());
                format!("{chosen}{}", again + 1)
            }
        })
        .collect();
    let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
    let given = given(&lineage);
    format!("{}{number}: {}{arguments}{given}", stem(template), template.name.text)
}

/// ` { resistance = 1 [ohm] }`: the constants that have no other value.
fn given(lineage: &[&Template<'_>]) -> String {
    let given: Vec<String> = lineage
        .iter()
        .flat_map(|elder| quantities(elder))
        .filter(|quantity| quantity.modifier == Some(Modifier::Constant) && quantity.default.is_none())
        .filter(|quantity| !is_determined(&quantity.name.text, lineage))
        .map(|quantity| format!("{} = {}", quantity.name.text, value(&quantity.type_, 1)))
        .collect();
    if given.is_empty() { String::new() } else { format!(" {{ {} }}", given.join("; ")) }
}

/// The statement of a connection that joins a thing to others that are there; nothing if there is none for one of its ends.
pub(crate) fn connection(name: &str, thing: &Thing, things: &[Thing], trees: &[&Tree]) -> Option<String> {
    let templates = Templates::new(trees.iter().copied());
    let template = templates.find(name)?;
    let lineage = templates.lineage(template);
    let mut ends: Vec<&str> = Vec::new();
    let mut arguments = Vec::new();
    for parameter in lineage.iter().flat_map(|elder| elder.parameters) {
        arguments.push(match &parameter.type_ {
            ParameterType::Quantity(type_) => value(type_, 1),
            ParameterType::Thing(kind) => {
                let fits = |it: &&Thing| it.kinds.contains(&kind.text) && !ends.contains(&it.name.as_str());
                let chosen = std::iter::once(thing).chain(things).find(fits)?;
                ends.push(&chosen.name);
                chosen.name.clone()
            }
        });
    }
    let is_free = |label: &String| !things.iter().any(|it| it.name == *label);
    let label = (1..).map(|number| format!("{name}{number}")).find(is_free)?;
    ends.contains(&thing.name.as_str()).then(|| format!("{label}: {name}({}){}", arguments.join(", "), given(&lineage)))
}

/// Whether an equation of the kind says what a constant is, as a mass that follows from a density.
fn is_determined(name: &str, lineage: &[&Template<'_>]) -> bool {
    let says = |item: &syntax::Item| match &item.kind {
        ItemKind::Equation(equation) => {
            equation.sides().is_some_and(|(left, _)| matches!(&left.kind, syntax::ExprKind::Name(left) if left == name))
        }
        _ => false,
    };
    lineage.iter().flat_map(|elder| elder.members).any(says)
}

fn quantities<'t>(template: &Template<'t>) -> impl Iterator<Item = &'t Quantity> {
    template.members.iter().filter_map(|item| match &item.kind {
        ItemKind::Quantity(quantity) => Some(quantity),
        _ => None,
    })
}

fn unknowns<'t>(template: &Template<'t>, templates: &Templates<'t>) -> Vec<&'t Quantity> {
    let lineage = templates.lineage(template);
    lineage.into_iter().flat_map(quantities).filter(|quantity| quantity.modifier.is_none()).collect()
}

/// Zero or one of a type, with its unit.
fn value(type_: &QuantityType, number: u8) -> String {
    let unit = type_.unit.as_ref().map_or(String::new(), |unit| format!(" [{}]", unit.text));
    match type_.domain {
        QuantityDomain::Real => format!("{number}{unit}"),
        QuantityDomain::Vec => format!("({number}, {number}, {number}){unit}"),
        QuantityDomain::Quaternion => "quaternion(1, 0, 0, 0)".to_string(),
        QuantityDomain::Rotation => "about z 0 [deg]".to_string(),
        QuantityDomain::Matrix => format!("1{unit} * diagonal({number}, {number}, {number})"),
    }
}

/// What the things of a kind are called.
fn stem<'t>(template: &Template<'t>) -> &'t str {
    &template.name.text
}
