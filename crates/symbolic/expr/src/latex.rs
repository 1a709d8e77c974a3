//! Typeset mathematics, in LaTeX. Shared parts get names of their own, as in [`crate::list`].

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::print::named_parts;
use crate::{Arena, Expr, Number, Operator};

/// Several expressions with the named parts that they share, in the order in which they can be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typeset {
    /// Name, as in `k12`, what it stands for, and its LaTeX.
    pub definitions: Vec<(String, Expr, String)>,
    pub lines: Vec<String>,
}

/// Typesets all roots together, naming what occurs more than once.
pub fn typeset(arena: &Arena, roots: &[Expr]) -> Typeset {
    let mut setter = Setter { arena, names: FxHashMap::default() };
    let mut definitions = Vec::new();
    for part in named_parts(arena, roots) {
        let latex = setter.latex(part, Level::Sum);
        let name = format!("k{}", definitions.len() + 1);
        setter.names.insert(part, latex_name(&name));
        definitions.push((name, part, latex));
    }
    Typeset { definitions, lines: roots.iter().map(|&root| setter.latex(root, Level::Sum)).collect() }
}

/// A name of the scene as a book writes it: `swing.angle'` is θ̇ with a subscript.
pub fn latex_name(name: &str) -> String {
    if let Some(label) = name.strip_prefix("λ(").and_then(|rest| rest.strip_suffix(')')) {
        return format!(r"\lambda_{{{}}}", words(label));
    }
    let base = name.trim_end_matches('\'');
    let (owner, quantity) = base.split_once('.').map_or(("", base), |(owner, quantity)| (owner, quantity));
    let (symbol, mut below) = match QUANTITIES.iter().find(|(known, ..)| *known == quantity && !owner.is_empty()) {
        Some((_, symbol, part)) => (symbol.to_string(), part.to_string()),
        None => letter(quantity),
    };
    if !owner.is_empty() {
        let comma = if below.is_empty() { "" } else { "," };
        below = format!("{below}{comma}{}", words(owner));
    }
    let symbol = match name.len() - base.len() {
        0 => symbol,
        1 => format!(r"\dot{{{symbol}}}"),
        2 => format!(r"\ddot{{{symbol}}}"),
        n => format!(r"{symbol}^{{({n})}}"),
    };
    if below.is_empty() { symbol } else { format!("{symbol}_{{{below}}}") }
}

/// How books call the coordinates of a frame: symbol, and what stands below it.
const QUANTITIES: &[(&str, &str, &str)] = &[
    ("angle", r"\theta", ""),
    ("x", "x", ""),
    ("y", "y", ""),
    ("z", "z", ""),
    ("orientation.w", "q", "w"),
    ("orientation.x", "q", "x"),
    ("orientation.y", "q", "y"),
    ("orientation.z", "q", "z"),
    ("orientation.along_axis", "q", "s"),
    ("spin.x", r"\omega", "x"),
    ("spin.y", r"\omega", "y"),
    ("spin.z", r"\omega", "z"),
    ("scale_x", "s", "x"),
    ("scale_y", "s", "y"),
    ("scale_z", "s", "z"),
];

const GREEK: &[&str] = &[
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi",
    "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
];

/// A letter and what stands below it: `k12`, `omega_0`, `length`.
fn letter(name: &str) -> (String, String) {
    let (stem, below) = match name.split_once('_') {
        Some((stem, below)) if !stem.is_empty() && !below.is_empty() => (stem, words(below)),
        _ => {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            if stem.is_empty() { (name, String::new()) } else { (stem, name[stem.len()..].to_string()) }
        }
    };
    let symbol = match stem {
        greek if GREEK.contains(&greek) => format!(r"\{greek}"),
        one if one.chars().count() == 1 => one.to_string(),
        word => words(word),
    };
    (symbol, below)
}

fn words(text: &str) -> String {
    if text.len() == 1 && text.is_ascii() && text.chars().all(char::is_alphanumeric) {
        return text.to_string();
    }
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '\\' => r"\textbackslash{}".to_string(),
            '^' => r"\textasciicircum{}".to_string(),
            '~' => r"\textasciitilde{}".to_string(),
            '_' | '{' | '}' | '$' | '%' | '&' | '#' => format!(r"\{c}"),
            c => c.to_string(),
        })
        .collect();
    format!(r"\text{{{escaped}}}")
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Condition,
    Sum,
    Product,
    Power,
}

struct Setter<'a> {
    arena: &'a Arena,
    /// The LaTeX of the names of named parts.
    names: FxHashMap<Expr, String>,
}

impl Setter<'_> {
    fn latex(&self, expr: Expr, level: Level) -> String {
        if let Some(name) = self.names.get(&expr) {
            return name.clone();
        }
        let (text, own) = match self.arena.node(expr) {
            Node::Number(number) => number_latex(*number),
            Node::Symbol(symbol) => (latex_name(self.arena.symbol_name(*symbol)), Level::Power),
            Node::Sum(terms, constant) => self.sum(terms, *constant),
            Node::Product(factors) => self.product(factors),
            Node::Apply(operator, arguments) => self.application(*operator, arguments),
        };
        if own < level { format!(r"\left({text}\right)") } else { text }
    }

    fn sum(&self, terms: &[(Number, Expr)], constant: Number) -> (String, Level) {
        let mut text = String::new();
        // Positive terms first, so that `a - b` is not printed as `-b + a`.
        let (negative, positive): (Vec<_>, Vec<_>) =
            terms.iter().partition(|(coefficient, _)| coefficient.value() < 0.0);
        for &(coefficient, term) in positive.into_iter().chain(negative) {
            match (text.is_empty(), coefficient.value() < 0.0) {
                (true, false) => {}
                (_, true) => text.push_str("- "),
                (false, false) => text.push_str("+ "),
            }
            let size = coefficient.size();
            if !size.is_one() {
                text.push_str(&format!(r"{}\,", number_latex(size).0));
            }
            text.push_str(&self.latex(term, Level::Product));
            text.push(' ');
        }
        if !constant.is_zero() {
            let sign = if constant.value() < 0.0 { "-" } else { "+" };
            text.push_str(&format!("{sign} {}", number_latex(constant.size()).0));
        }
        let single = terms.len() == 1 && constant.is_zero();
        (text.trim_end().to_string(), if single { Level::Product } else { Level::Sum })
    }

    fn product(&self, factors: &[(Expr, i32)]) -> (String, Level) {
        let fraction = factors.iter().any(|(_, exponent)| *exponent < 0);
        let side = |above: bool| -> Vec<String> {
            let chosen: Vec<_> = factors.iter().filter(|(_, exponent)| (*exponent > 0) == above).collect();
            // What stands alone above or below a line needs no brackets.
            let level = if fraction && chosen.len() == 1 { Level::Condition } else { Level::Product };
            let power = |&&(base, exponent): &&(Expr, i32)| match exponent.unsigned_abs() {
                1 => self.latex(base, level),
                size => format!("{{{}}}^{{{size}}}", self.latex(base, Level::Power)),
            };
            chosen.iter().map(power).collect()
        };
        let (above, below) = (side(true), side(false));
        match (above.as_slice(), below.as_slice()) {
            (above, []) => (above.join(r"\,"), Level::Product),
            ([], below) => (format!(r"\frac{{1}}{{{}}}", below.join(r"\,")), Level::Product),
            (above, below) => (format!(r"\frac{{{}}}{{{}}}", above.join(r"\,"), below.join(r"\,")), Level::Product),
        }
    }

    fn application(&self, operator: Operator, arguments: &[Expr]) -> (String, Level) {
        let at = |at: usize, level: Level| self.latex(arguments[at], level);
        let between = |sign: &str| format!("{} {sign} {}", at(0, Level::Sum), at(1, Level::Sum));
        match operator {
            Operator::Sqrt => (format!(r"\sqrt{{{}}}", at(0, Level::Condition)), Level::Power),
            Operator::Abs => (format!(r"\left|{}\right|", at(0, Level::Condition)), Level::Power),
            Operator::Floor => (format!(r"\left\lfloor {}\right\rfloor", at(0, Level::Condition)), Level::Power),
            Operator::Pow => (format!("{{{}}}^{{{}}}", at(0, Level::Power), at(1, Level::Condition)), Level::Product),
            Operator::Less => (between("<"), Level::Condition),
            Operator::LessEqual => (between(r"\le"), Level::Condition),
            Operator::Equal => (between("="), Level::Condition),
            Operator::And => (between(r"\wedge"), Level::Condition),
            Operator::Or => (between(r"\vee"), Level::Condition),
            Operator::Not => (format!(r"\neg {}", at(0, Level::Power)), Level::Condition),
            Operator::Select => {
                let [condition, yes, no] = [0, 1, 2].map(|place| at(place, Level::Condition));
                let text = format!(r"\begin{{cases}}{yes} & {condition}\\ {no} & \text{{otherwise}}\end{{cases}}");
                (text, Level::Power)
            }
            _ => {
                let arguments: Vec<String> = (0..arguments.len()).map(|place| at(place, Level::Condition)).collect();
                let name = match operator.row().name {
                    known @ ("sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "exp" | "log" | "min" | "max") => {
                        format!(r"\{known}")
                    }
                    "asin" => r"\arcsin".to_string(),
                    "acos" => r"\arccos".to_string(),
                    "atan" => r"\arctan".to_string(),
                    other => format!(r"\operatorname{{{other}}}"),
                };
                (format!(r"{name}\left({}\right)", arguments.join(",\\, ")), Level::Power)
            }
        }
    }
}

fn number_latex(number: Number) -> (String, Level) {
    match number.as_fraction() {
        Some((numerator, denominator)) if denominator != 1 => {
            let sign = if numerator < 0 { "-" } else { "" };
            let level = if numerator < 0 { Level::Sum } else { Level::Power };
            (format!(r"{sign}\tfrac{{{}}}{{{denominator}}}", numerator.unsigned_abs()), level)
        }
        _ => {
            let text = number.to_string();
            let text = match text.split_once('e') {
                Some((digits, exponent)) => format!(r"{digits} \cdot 10^{{{exponent}}}"),
                None => text,
            };
            let level = if number.value() < 0.0 { Level::Sum } else { Level::Power };
            (text, level)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_look_as_in_a_book() {
        for (name, latex) in [
            ("swing.angle", r"\theta_{\text{swing}}"),
            ("swing.angle''", r"\ddot{\theta}_{\text{swing}}"),
            ("b.orientation.w'", r"\dot{q}_{w,b}"),
            ("length", r"\text{length}"),
            ("k12", "k_{12}"),
            ("omega_0", r"\omega_{0}"),
            ("λ(linked)", r"\lambda_{\text{linked}}"),
            ("a_b_c", r"a_{\text{b\_c}}"),
        ] {
            assert_eq!(latex_name(name), latex, "{name}");
        }
    }

    #[test]
    fn formulas_are_typeset() {
        let arena = Arena::new();
        let [m, l, x] = ["m", "l", "x"].map(|name| arena.symbol(arena.new_symbol(name)));
        let ratio = arena.divide(arena.multiply(m, arena.power(l, 2)), arena.add(x, arena.one()));
        assert_eq!(typeset(&arena, &[ratio]).lines, [r"\frac{m\,{l}^{2}}{x + 1}"]);
        let root = arena.apply(Operator::Sqrt, &[arena.subtract(x, arena.scale(0.5, l))]);
        assert_eq!(typeset(&arena, &[root]).lines, [r"\sqrt{x - 0.5\,l}"]);
    }
}
