//! Readable mathematics. Shared parts get names of their own and are printed once; nothing is expanded.

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Expr, Number, Operator};

/// Several expressions with the named parts that they share, in the order in which they can be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub definitions: Vec<(String, String)>,
    pub lines: Vec<String>,
}

/// What is nested deeper than this gets a name, so that no line has to be read from the inside out.
const DEPTH_LIMIT: usize = 12;

/// One expression on one line; what it shares follows after `where`.
pub fn print(arena: &Arena, expr: Expr) -> String {
    let listing = list(arena, &[expr]);
    match listing.definitions.as_slice() {
        [] => listing.lines[0].clone(),
        definitions => {
            let definitions: Vec<String> = definitions.iter().map(|(name, text)| format!("{name} = {text}")).collect();
            format!("{} where {}", listing.lines[0], definitions.join(", "))
        }
    }
}

/// Prints all roots together, naming what occurs more than once.
pub fn list(arena: &Arena, roots: &[Expr]) -> Listing {
    let mut printer = Printer { arena, names: FxHashMap::default() };
    let mut definitions = Vec::new();
    for part in named_parts(arena, roots) {
        let text = printer.text(part, Level::Sum);
        let name = format!("k{}", definitions.len() + 1);
        printer.names.insert(part, name.clone());
        definitions.push((name, text));
    }
    Listing { definitions, lines: roots.iter().map(|&root| printer.text(root, Level::Sum)).collect() }
}

/// The parts that should have a name of their own, in the order in which they can be computed.
pub fn named_parts(arena: &Arena, roots: &[Expr]) -> Vec<Expr> {
    let order = arena.reachable(roots);
    let uses = arena.count_uses(&order, roots);
    let mut depths: FxHashMap<Expr, usize> = FxHashMap::default();
    let named = |expr: &Expr| {
        let depth = 1 + arena.node(*expr).children().iter().map(|child| depths[child]).max().unwrap_or(0);
        let named = worth_a_name(arena, *expr) && (uses[expr] > 1 || depth > DEPTH_LIMIT);
        depths.insert(*expr, if named { 0 } else { depth });
        named
    };
    order.into_iter().filter(named).collect()
}

/// Names are for what is longer than a name: not for numbers, symbols, their multiples and powers, or f(x).
fn worth_a_name(arena: &Arena, expr: Expr) -> bool {
    let leaf = |expr: Expr| matches!(arena.node(expr), Node::Number(_) | Node::Symbol(_));
    match arena.node(expr) {
        Node::Number(_) | Node::Symbol(_) => false,
        Node::Sum(terms, constant) => terms.len() > 1 || !constant.is_zero() || !leaf(terms[0].1),
        Node::Product(factors) => factors.len() > 1 || !leaf(factors[0].0),
        Node::Apply(_, arguments) => !arguments.iter().all(|&argument| leaf(argument)),
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Condition,
    Sum,
    Product,
    Power,
}

struct Printer<'a> {
    arena: &'a Arena,
    names: FxHashMap<Expr, String>,
}

impl Printer<'_> {
    fn text(&self, expr: Expr, level: Level) -> String {
        if let Some(name) = self.names.get(&expr) {
            return name.clone();
        }
        let (text, own) = match self.arena.node(expr) {
            Node::Number(number) => number_text(*number),
            Node::Symbol(symbol) => (self.arena.symbol_name(*symbol).to_string(), Level::Power),
            Node::Sum(terms, constant) => self.sum(terms, *constant),
            Node::Product(factors) => self.product(factors),
            Node::Apply(operator, arguments) => self.application(*operator, arguments),
        };
        if own < level { format!("({text})") } else { text }
    }

    fn sum(&self, terms: &[(Number, Expr)], constant: Number) -> (String, Level) {
        let mut text = String::new();
        // Positive terms first, so that `a - b` is not printed as `-b + a`.
        let (negative, positive): (Vec<_>, Vec<_>) =
            terms.iter().partition(|(coefficient, _)| coefficient.value() < 0.0);
        for &(coefficient, term) in positive.into_iter().chain(negative) {
            let sign = if coefficient.value() < 0.0 { "-" } else { "+" };
            let size = coefficient.size();
            match (text.is_empty(), sign) {
                (true, "+") => {}
                (true, _) => text.push('-'),
                _ => text.push_str(&format!(" {sign} ")),
            }
            if !size.is_one() {
                text.push_str(&format!("{}*", number_text(size).0));
            }
            // A sum in front needs no parentheses: sums are read from the left.
            let level = if text.is_empty() { Level::Sum } else { Level::Product };
            text.push_str(&self.text(term, level));
        }
        if !constant.is_zero() {
            let sign = if constant.value() < 0.0 { "-" } else { "+" };
            text.push_str(&format!(" {sign} {}", number_text(constant.size()).0));
        }
        (text, if terms.len() == 1 && constant.is_zero() { Level::Product } else { Level::Sum })
    }

    fn product(&self, factors: &[(Expr, i32)]) -> (String, Level) {
        let power = |&(base, exponent): &(Expr, i32)| match exponent.unsigned_abs() {
            1 => self.text(base, Level::Power),
            size => format!("{}^{size}", self.text(base, Level::Power)),
        };
        let above: Vec<String> = factors.iter().filter(|(_, exponent)| *exponent > 0).map(power).collect();
        let below: Vec<String> = factors.iter().filter(|(_, exponent)| *exponent < 0).map(power).collect();
        let above = if above.is_empty() { "1".to_string() } else { above.join("*") };
        let text = match below.len() {
            0 => above,
            1 => format!("{above}/{}", below[0]),
            _ => format!("{above}/({})", below.join("*")),
        };
        (text, Level::Product)
    }

    fn application(&self, operator: Operator, arguments: &[Expr]) -> (String, Level) {
        let name = operator.row().name;
        let infix =
            matches!(operator, Operator::Less | Operator::LessEqual | Operator::Equal | Operator::And | Operator::Or);
        if infix {
            let sides: Vec<String> = arguments.iter().map(|&argument| self.text(argument, Level::Sum)).collect();
            return (sides.join(&format!(" {name} ")), Level::Condition);
        }
        if let (Operator::Past, &[signal, order, time]) = (operator, arguments) {
            let name = self.arena.signal_of(signal, order);
            return (format!("{name}({})", self.text(time, Level::Condition)), Level::Power);
        }
        let arguments: Vec<String> = arguments.iter().map(|&argument| self.text(argument, Level::Condition)).collect();
        (format!("{name}({})", arguments.join(", ")), Level::Power)
    }
}

fn number_text(number: Number) -> (String, Level) {
    let level = match number.as_fraction() {
        _ if number.value() < 0.0 => Level::Sum,
        Some((_, denominator)) if denominator != 1 => Level::Product,
        _ => Level::Power,
    };
    (number.to_string(), level)
}
