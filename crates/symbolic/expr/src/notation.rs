//! Formulas in the notations of LaTeX, Typst, SymPy and plain text: one walk, and a table of what differs.

use rustc_hash::FxHashMap;

use crate::book::{BookName, GREEK, book_name};
use crate::formula::Formula;
use crate::{Arena, Number, Operator, SymbolId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    Latex,
    Typst,
    Sympy,
    Text,
}

impl Notation {
    pub const NAMED: &[(&str, Notation)] =
        &[("text", Notation::Text), ("latex", Notation::Latex), ("typst", Notation::Typst), ("sympy", Notation::Sympy)];

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

/// What differs between notations that have it.
struct Row {
    brackets: [&'static str; 2],
    times: &'static str,
    power: [&'static str; 3],
    sqrt: [&'static str; 2],
    size: [&'static str; 2],
    floor: [&'static str; 2],
    signs: [&'static str; 6],
}

const ROWS: [Row; 4] = [
    Row {
        brackets: [r"\left(", r"\right)"],
        times: r"\,",
        power: ["{", "}^{", "}"],
        sqrt: [r"\sqrt{", "}"],
        size: [r"\left|", r"\right|"],
        floor: [r"\left\lfloor ", r"\right\rfloor"],
        signs: ["<", r"\le", "=", r"\wedge", r"\vee", r"\neg "],
    },
    Row {
        brackets: ["(", ")"],
        times: " ",
        power: ["", "^(", ")"],
        sqrt: ["sqrt(", ")"],
        size: ["abs(", ")"],
        floor: ["floor(", ")"],
        signs: ["<", "<=", "=", "and", "or", "not "],
    },
    Row {
        brackets: ["(", ")"],
        times: "*",
        power: ["", "**", ""],
        sqrt: ["sqrt(", ")"],
        size: ["Abs(", ")"],
        floor: ["floor(", ")"],
        signs: ["<", "<=", "==", "&", "|", "~"],
    },
    Row {
        brackets: ["(", ")"],
        times: "·",
        power: ["", "^", ""],
        sqrt: ["√(", ")"],
        size: ["|", "|"],
        floor: ["⌊", "⌋"],
        signs: ["<", "≤", "=", "∧", "∨", "¬"],
    },
];

/// What formulas are written with: a notation, and the names of symbols and parts.
pub struct Writer<'a> {
    pub notation: Notation,
    /// As books write them.
    pub names: &'a FxHashMap<SymbolId, BookName>,
    /// As the scene calls them.
    pub arena: &'a Arena,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Condition,
    Sum,
    Product,
    Power,
}

impl Writer<'_> {
    pub fn write(&self, formula: &Formula) -> String {
        self.at(formula, Level::Sum)
    }

    /// `left = right`, as an equation of the notation.
    pub fn equation(&self, left: &Formula, right: &Formula) -> String {
        match self.notation {
            Notation::Sympy => format!("Eq({}, {})", self.write(left), self.write(right)),
            _ => format!("{} = {}", self.write(left), self.write(right)),
        }
    }

    /// The name of a part, by its place.
    pub fn part(&self, at: usize) -> String {
        let name = BookName { letter: "k".to_string(), below: vec![(at + 1).to_string()], dots: 0 };
        match self.notation {
            // The mark tells the page where a part can be opened.
            Notation::Latex => format!(r"\htmlData{{part={at}}}{{{}}}", latex_name(&name)),
            Notation::Sympy => format!("k{}", at + 1),
            _ => self.name(&name),
        }
    }

    /// The functions of a formula that SymPy does not know: what was at an earlier time, tables of data, what jumps.
    pub fn functions_of_the_scene(&self, formula: &Formula) -> Vec<String> {
        let name = |formula: &Formula| match formula {
            Formula::Apply(Operator::Past, arguments) => Some(self.signal(&arguments[0], &arguments[1])),
            Formula::Apply(operator, _) if operator.row().name.contains(' ') || *operator == Operator::Foreign => {
                Some(self.function(*operator))
            }
            _ => None,
        };
        formula.all().into_iter().filter_map(name).collect()
    }

    fn symbol(&self, symbol: SymbolId) -> String {
        match (self.notation, self.names.get(&symbol)) {
            (Notation::Sympy, _) | (_, None) => identifier(self.arena.symbol_name(symbol)),
            (_, Some(name)) => self.name(name),
        }
    }

    pub fn name(&self, name: &BookName) -> String {
        match self.notation {
            Notation::Latex => latex_name(name),
            Notation::Typst => typst_name(name),
            Notation::Text | Notation::Sympy => text_name(name),
        }
    }

    fn at(&self, formula: &Formula, level: Level) -> String {
        let (text, own) = match formula {
            Formula::Number(number) => self.number(*number),
            Formula::Symbol(symbol) => (self.symbol(*symbol), Level::Power),
            Formula::Part(at) => (self.part(*at), Level::Power),
            Formula::Sum(terms) => self.sum(terms),
            Formula::Product(number, above, below) => self.product(*number, above, below),
            Formula::Power(base, exponent) => (self.power(base, &exponent.to_string()), Level::Product),
            Formula::Apply(operator, arguments) => self.application(*operator, arguments),
        };
        let [open, close] = self.notation.row().brackets;
        if own < level { format!("{open}{text}{close}") } else { text }
    }

    fn power(&self, base: &Formula, exponent: &str) -> String {
        let [before, between, after] = self.notation.row().power;
        let whole = exponent.chars().all(|c| c.is_ascii_digit());
        match self.notation {
            Notation::Text if whole => {
                let raised = exponent.bytes().map(|digit| RAISED[usize::from(digit - b'0')]).collect::<String>();
                format!("{}{raised}", self.at(base, Level::Power))
            }
            _ => format!("{before}{}{between}{exponent}{after}", self.at(base, Level::Power)),
        }
    }

    fn sum(&self, terms: &[(bool, Formula)]) -> (String, Level) {
        let mut text = String::new();
        for (minus, term) in terms {
            match (text.is_empty(), minus) {
                (true, false) => {}
                (true, true) => text.push('-'),
                (false, true) => text.push_str(" - "),
                (false, false) => text.push_str(" + "),
            }
            text.push_str(&self.at(term, Level::Product));
        }
        (text, Level::Sum)
    }

    fn product(&self, number: Number, above: &[Formula], below: &[Formula]) -> (String, Level) {
        let row = self.notation.row();
        let drawn = matches!(self.notation, Notation::Latex | Notation::Typst) && !below.is_empty();
        // What stands alone above or below a drawn line needs no brackets; behind a slash it needs more.
        let side = |factors: &[Formula], alone: Level| -> String {
            let level = if factors.len() == 1 { alone } else { Level::Product };
            factors.iter().map(|factor| self.at(factor, level)).collect::<Vec<_>>().join(row.times)
        };
        let alone_above = if drawn && number.is_one() { Level::Condition } else { Level::Product };
        let scaled = |text: String| match (number.is_one(), text.is_empty()) {
            (true, true) => "1".to_string(),
            (true, false) => text,
            (false, true) => self.number(number).0,
            (false, false) => format!("{}{}{text}", self.factor(number), row.times),
        };
        let top = scaled(side(above, alone_above));
        let bottom = side(below, if drawn { Level::Condition } else { Level::Power });
        let text = match (self.notation, below) {
            (_, []) => top,
            (Notation::Latex, _) => format!(r"\frac{{{top}}}{{{bottom}}}"),
            (Notation::Typst, _) => format!("frac({top}, {bottom})"),
            (_, [_]) => format!("{top}/{bottom}"),
            _ => format!("{top}/({bottom})"),
        };
        (text, Level::Product)
    }

    /// A number in front of a product.
    fn factor(&self, number: Number) -> String {
        let (text, level) = self.number(number);
        if level < Level::Product { format!("({text})") } else { text }
    }

    fn number(&self, number: Number) -> (String, Level) {
        let sign = if number.value() < 0.0 { "-" } else { "" };
        let level = if number.value() < 0.0 { Level::Sum } else { Level::Power };
        if let Some((numerator, denominator)) = number.as_fraction()
            && denominator != 1
        {
            let numerator = numerator.unsigned_abs();
            return match self.notation {
                Notation::Latex => (format!(r"{sign}\tfrac{{{numerator}}}{{{denominator}}}"), level),
                Notation::Typst => (format!("{sign}{numerator}/{denominator}"), Level::Product),
                Notation::Sympy => (format!("{sign}Rational({numerator}, {denominator})"), level),
                Notation::Text => (format!("{sign}{numerator}/{denominator}"), Level::Product),
            };
        }
        let text = rounded(number);
        let text = match (text.split_once('e'), self.notation) {
            (Some((digits, exponent)), Notation::Latex) => format!(r"{digits} \cdot 10^{{{exponent}}}"),
            (Some((digits, exponent)), Notation::Typst) => format!("{digits} dot 10^({exponent})"),
            _ => text,
        };
        (text, level)
    }

    fn application(&self, operator: Operator, arguments: &[Formula]) -> (String, Level) {
        let row = self.notation.row();
        let inside = |[open, close]: [&str; 2]| {
            (format!("{open}{}{close}", self.at(&arguments[0], Level::Condition)), Level::Power)
        };
        let between = |sign: &str| {
            let level = if matches!(operator, Operator::And | Operator::Or) { Level::Power } else { Level::Sum };
            (format!("{} {sign} {}", self.at(&arguments[0], level), self.at(&arguments[1], level)), Level::Condition)
        };
        match operator {
            Operator::Sqrt => inside(row.sqrt),
            Operator::Abs => inside(row.size),
            Operator::Floor => inside(row.floor),
            Operator::Pow => (self.power(&arguments[0], &self.raised(&arguments[1])), Level::Product),
            Operator::Less => between(row.signs[0]),
            Operator::LessEqual => between(row.signs[1]),
            // Between expressions of SymPy, == asks whether they are written alike.
            Operator::Equal if self.notation == Notation::Sympy => {
                let [left, right] = [0, 1].map(|place| self.at(&arguments[place], Level::Condition));
                (format!("Eq({left}, {right})"), Level::Power)
            }
            Operator::Equal => between(row.signs[2]),
            Operator::And => between(row.signs[3]),
            Operator::Or => between(row.signs[4]),
            Operator::Not => (format!("{}{}", row.signs[5], self.at(&arguments[0], Level::Power)), Level::Condition),
            Operator::Select => (self.cases(arguments), Level::Power),
            Operator::Past => {
                let [open, close] = row.brackets;
                let time = self.at(&arguments[2], Level::Condition);
                (format!("{}{open}{time}{close}", self.signal(&arguments[0], &arguments[1])), Level::Power)
            }
            _ => {
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.at(argument, Level::Condition)).collect();
                let [open, close] = row.brackets;
                (format!("{}{open}{}{close}", self.function(operator), arguments.join(", ")), Level::Power)
            }
        }
    }

    /// What `Past` names by a number, as books write it if they do; a dot for each derivative.
    fn signal(&self, number: &Formula, order: &Formula) -> String {
        let whole = |formula: &Formula| if let Formula::Number(number) = formula { number.value() as usize } else { 0 };
        let name = self.arena.signals().get(whole(number)).map_or("past", String::as_str);
        let name = format!("{name}{}", "'".repeat(whole(order)));
        let known = self.names.keys().find(|&&symbol| self.arena.symbol_name(symbol) == name);
        match (self.notation, known) {
            // A function, which must not have the name of the symbol for what is now.
            (Notation::Sympy, _) => format!("{}_at", identifier(&name)),
            (_, Some(&symbol)) => self.symbol(symbol),
            (_, None) => self.name(&book_name(&name)),
        }
    }

    fn raised(&self, exponent: &Formula) -> String {
        match self.notation {
            Notation::Latex | Notation::Typst => self.at(exponent, Level::Condition),
            _ => self.at(exponent, Level::Power),
        }
    }

    fn cases(&self, arguments: &[Formula]) -> String {
        let [condition, yes, no] = [0, 1, 2].map(|place| self.at(&arguments[place], Level::Condition));
        match self.notation {
            Notation::Latex => {
                format!(r"\begin{{cases}}{yes} & {condition}\\ {no} & \text{{otherwise}}\end{{cases}}")
            }
            Notation::Typst => format!(r#"cases({yes} & "if" {condition}, {no} & "otherwise")"#),
            Notation::Sympy => format!("Piecewise(({yes}, {condition}), ({no}, True))"),
            Notation::Text => format!("({yes} if {condition}, otherwise {no})"),
        }
    }

    fn function(&self, operator: Operator) -> String {
        let name = operator.row().name;
        match (self.notation, name) {
            (Notation::Latex, "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "exp" | "log" | "min" | "max") => {
                format!(r"\{name}")
            }
            (Notation::Latex, "asin" | "acos" | "atan") => format!(r"\arc{}", &name[1..]),
            (Notation::Latex, _) => format!(r"\operatorname{{{}}}", name.replace('_', r"\_")),
            (Notation::Typst, "asin" | "acos" | "atan") => format!("arc{}", &name[1..]),
            (Notation::Typst, "atan2" | "sign") => format!("op(\"{name}\")"),
            (Notation::Typst, _) if name.contains(' ') => format!("op(\"{name}\")"),
            (Notation::Sympy, "min") => "Min".to_string(),
            (Notation::Sympy, "max") => "Max".to_string(),
            (Notation::Sympy, _) => name.replace(' ', "_"),
            _ => name.to_string(),
        }
    }
}

/// What rounding left behind in the last digits is not shown.
fn rounded(number: Number) -> String {
    if number.as_fraction().is_some() {
        return number.to_string();
    }
    let value: f64 = format!("{:.11e}", number.value()).parse().expect("a number as it was written");
    Number::from(value).to_string()
}

const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
const LOWERED: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

/// A name of the scene as SymPy can have it.
pub fn identifier(name: &str) -> String {
    let primes = name.len() - name.trim_end_matches('\'').len();
    let base: String = name
        .trim_end_matches('\'')
        .chars()
        .map(|c| match c {
            'λ' => "lambda_".to_string(),
            c if c.is_ascii_alphanumeric() => c.to_string(),
            _ => "_".to_string(),
        })
        .collect();
    let name = format!("{}{}", base.trim_end_matches('_'), ["", "_dot", "_ddot", "_dddot"][primes.min(3)]);
    if KEYWORDS_OF_PYTHON.contains(&name.as_str()) { name + "_" } else { name }
}

/// Those that a scene may have for a name.
const KEYWORDS_OF_PYTHON: &[&str] = &[
    "False", "None", "True", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "or", "pass",
    "raise", "return", "try", "while", "with", "yield",
];

/// A name in LaTeX.
pub fn latex_name(name: &BookName) -> String {
    let letter = match GREEK.iter().find(|(_, letter)| *letter == name.letter) {
        Some((word, _)) => format!(r"\{word}"),
        None if name.letter.chars().count() == 1 => name.letter.clone(),
        None => latex_words(&name.letter),
    };
    let letter = match name.dots {
        0 => letter,
        1 => format!(r"\dot{{{letter}}}"),
        2 => format!(r"\ddot{{{letter}}}"),
        n => format!("{letter}^{{({n})}}"),
    };
    match name.below.is_empty() {
        true => letter,
        false => {
            format!("{letter}_{{{}}}", name.below.iter().map(|word| latex_words(word)).collect::<Vec<_>>().join(","))
        }
    }
}

fn latex_words(text: &str) -> String {
    if text.chars().all(|c| c.is_ascii_digit())
        || (text.len() == 1 && text.is_ascii() && text.chars().all(char::is_alphanumeric))
    {
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

fn typst_name(name: &BookName) -> String {
    let quoted = |text: &str| match text.chars().count() {
        1 => text.to_string(),
        _ if text.chars().all(|c| c.is_ascii_digit()) => text.to_string(),
        _ => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
    };
    let letter = match GREEK.iter().find(|(_, letter)| *letter == name.letter) {
        Some((word, _)) => word.to_string(),
        None => quoted(&name.letter),
    };
    let letter = match name.dots {
        0 => letter,
        1 => format!("dot({letter})"),
        2 => format!("dot.double({letter})"),
        n => format!("{letter}^(({n}))"),
    };
    match name.below.is_empty() {
        true => letter,
        false => format!("{letter}_({})", name.below.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(",")),
    }
}

fn text_name(name: &BookName) -> String {
    let mut text = name.letter.clone();
    match name.dots {
        1 if text.chars().count() == 1 => text.push('\u{307}'),
        2 if text.chars().count() == 1 => text.push('\u{308}'),
        n => text.push_str(&"'".repeat(n)),
    }
    let below = name.below.join(",");
    if !below.is_empty() && below.bytes().all(|c| c.is_ascii_digit()) {
        text.extend(below.bytes().map(|digit| LOWERED[usize::from(digit - b'0')]));
    } else if !below.is_empty() {
        text.push_str(&format!("_{below}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expr;

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
            assert_eq!(latex_name(&book_name(name)), latex, "{name}");
        }
    }

    #[test]
    fn names_for_sympy_are_no_words_of_python() {
        for (name, expected) in
            [("lambda", "lambda_"), ("λ", "lambda_"), ("lambda'", "lambda_dot"), ("a.b", "a_b"), ("class", "class_")]
        {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn what_was_is_written_as_a_function_of_its_time() {
        let arena = Arena::new();
        arena.name_signals(vec!["swing.angle".to_string(), "seen".to_string()]);
        let [angle, t, wait] = ["swing.angle", "t", "wait"].map(|name| arena.symbol(arena.new_symbol(name)));
        let past = |signal: f64, order: f64| {
            let [signal, order] = [signal, order].map(|value| arena.number(value));
            arena.apply(Operator::Past, &[signal, order, arena.subtract(t, wait)])
        };
        let sum = arena.add(arena.multiply(angle, past(0.0, 1.0)), past(1.0, 0.0));
        let names = (0..3).map(|at| (SymbolId(at), book_name(arena.symbol_name(SymbolId(at))))).collect();
        let formula = Formula::of(&arena, sum, &FxHashMap::default());
        let text = Writer { notation: Notation::Text, names: &names, arena: &arena }.write(&formula);
        assert!(text.contains("(t - wait)") && text.contains("seen(t - wait)") && !text.contains("past"), "{text}");
        let sympy = Writer { notation: Notation::Sympy, names: &names, arena: &arena };
        assert_eq!(sympy.functions_of_the_scene(&formula), ["swing_angle_dot_at", "seen_at"]);
        assert!(sympy.write(&formula).contains("swing_angle*swing_angle_dot_at(t - wait)"));
    }

    #[test]
    fn one_formula_has_four_notations() {
        let arena = Arena::new();
        let [m, l, x] = ["m", "l", "x"].map(|name| arena.symbol(arena.new_symbol(name)));
        let ratio = arena.divide(arena.multiply(m, arena.power(l, 2)), arena.add(x, arena.one()));
        let root = arena.apply(Operator::Sqrt, &[arena.subtract(x, arena.scale(0.5, l))]);
        let written = |expr: Expr| {
            let names = (0..3).map(|at| (SymbolId(at), book_name(arena.symbol_name(SymbolId(at))))).collect();
            let formula = Formula::of(&arena, expr, &FxHashMap::default());
            [Notation::Latex, Notation::Typst, Notation::Sympy, Notation::Text]
                .map(|notation| Writer { notation, names: &names, arena: &arena }.write(&formula))
        };
        assert_eq!(
            written(ratio),
            [r"\frac{m\,{l}^{2}}{x + 1}", "frac(m l^(2), x + 1)", "m*l**2/(x + 1)", "m·l²/(x + 1)"]
        );
        let alike = arena.apply(Operator::Equal, &[m, l]);
        let chosen = arena.apply(Operator::Select, &[alike, x, arena.apply(Operator::Impulse, &[x])]);
        let [_, typst, sympy, _] = written(chosen);
        assert_eq!(typst, r#"cases(x & "if" m = l, op("impulse of")(x) & "otherwise")"#);
        assert_eq!(sympy, "Piecewise((x, Eq(m, l)), (impulse_of(x), True))");
        assert_eq!(written(root), [r"\sqrt{x - 0.5\,l}", "sqrt(x - 0.5 l)", "sqrt(x - 0.5*l)", "√(x - 0.5·l)"]);
    }
}
