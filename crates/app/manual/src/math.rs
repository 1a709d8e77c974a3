//! Equations of a text, typeset: what stands between dollar signs, a part of LaTeX, becomes MathML, which browsers draw without any script.
//!
//! Repositories show the same signs typeset, so a page reads well where it lies too.

use base::escaped;
use pulldown_cmark::{Event, Options};

/// What pages and lessons have of Markdown.
pub const MARKDOWN: Options = Options::ENABLE_TABLES.union(Options::ENABLE_MATH);

/// What is read, with its equations typeset; one that cannot be is shown as it was written.
pub fn equations<'t>(event: Event<'t>) -> Event<'t> {
    let shown =
        |latex: &str, is_block| typeset(latex, is_block).unwrap_or_else(|_| format!("<code>{}</code>", escaped(latex)));
    match event {
        Event::InlineMath(latex) => Event::InlineHtml(shown(&latex, false).into()),
        Event::DisplayMath(latex) => Event::InlineHtml(shown(&latex, true).into()),
        event => event,
    }
}

/// What is wrong with the first equation of a text that cannot be typeset: where it begins, the equation, and why.
pub fn untypeset(text: &str) -> Option<(usize, String, String)> {
    pulldown_cmark::Parser::new_ext(text, MARKDOWN).into_offset_iter().find_map(|(event, range)| match event {
        Event::InlineMath(latex) | Event::DisplayMath(latex) => {
            typeset(&latex, false).err().map(|why| (range.start, latex.to_string(), why))
        }
        _ => None,
    })
}

/// An equation as MathML: in its line, or as a block. What is not known is said.
pub fn typeset(latex: &str, is_block: bool) -> Result<String, String> {
    let mut reader = Reader { tokens: tokens(latex), at: 0 };
    let body = reader.row(&[])?;
    match reader.next() {
        Some(rest) => Err(format!("`{rest}` has no beginning")),
        None => {
            let display = if is_block { " display=\"block\"" } else { "" };
            // What a reader of the page copies, or hears where MathML is not spoken.
            Ok(format!("<math{display} alttext=\"{}\">{body}</math>", escaped(latex)))
        }
    }
}

/// Letters and signs that have a name.
const SYMBOLS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("varphi", "φ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Delta", "Δ"),
    ("Phi", "Φ"),
    ("Omega", "Ω"),
    ("partial", "∂"),
    ("infty", "∞"),
];
const OPERATORS: &[(&str, &str)] = &[
    ("cdot", "⋅"),
    ("times", "×"),
    ("pm", "±"),
    ("le", "≤"),
    ("ge", "≥"),
    ("ne", "≠"),
    ("ll", "≪"),
    ("approx", "≈"),
    ("to", "→"),
    ("sum", "∑"),
    ("int", "∫"),
    ("nabla", "∇"),
    ("perp", "⊥"),
    ("dots", "…"),
];
const FUNCTIONS: &[&str] = &["sin", "cos", "tan", "exp", "ln", "log", "max", "min", "tanh", "arctan"];
const ACCENTS: &[(&str, &str)] = &[("dot", "˙"), ("ddot", "¨"), ("hat", "^"), ("bar", "¯"), ("vec", "→")];
const SPACES: &[(&str, &str)] = &[(",", "0.17em"), (";", "0.28em"), ("quad", "1em")];

/// Commands with their backslash, numbers, and single characters.
fn tokens(latex: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = latex.trim_start();
    while let Some(first) = rest.chars().next() {
        let span = |from: usize, wanted: fn(char) -> bool| {
            rest[from..].find(|c| !wanted(c)).map_or(rest.len(), |end| from + end)
        };
        let length = match first {
            // `\,` and its like have one sign for a name.
            '\\' => span(1, |c| c.is_ascii_alphabetic()).max(1 + rest[1..].chars().next().map_or(0, char::len_utf8)),
            c if c.is_ascii_digit() => span(0, |c| c.is_ascii_digit() || c == '.'),
            c => c.len_utf8(),
        };
        // Words keep their spaces.
        let length = match &rest[..length] {
            "\\text" => rest.find('}').map_or(rest.len(), |end| end + 1),
            _ => length,
        };
        tokens.push(rest[..length].to_string());
        rest = rest[length..].trim_start();
    }
    tokens
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn next(&mut self) -> Option<String> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    fn takes(&mut self, token: &str) -> bool {
        let there = self.peek() == Some(token);
        self.at += usize::from(there);
        there
    }

    /// Terms up to one of these, which is left there, or to the end.
    fn row(&mut self, ends: &[&str]) -> Result<String, String> {
        let mut row = String::new();
        while let Some(token) = self.peek() {
            if ends.contains(&token) || token == "}" {
                break;
            }
            row.push_str(&self.scripted()?);
        }
        Ok(format!("<mrow>{row}</mrow>"))
    }

    /// A term with what stands above and below of it.
    fn scripted(&mut self) -> Result<String, String> {
        let limits = matches!(self.peek(), Some("\\sum" | "\\max" | "\\min"));
        let base = self.atom()?;
        let (mut below, mut above) = (None, String::new());
        loop {
            if self.takes("_") {
                below = Some(self.atom()?);
            } else if self.takes("^") {
                above.push_str(&self.atom()?);
            } else if self.takes("'") {
                above.push_str("<mo>′</mo>");
            } else {
                break;
            }
        }
        let (sub, sup, both) = if limits { ("munder", "mover", "munderover") } else { ("msub", "msup", "msubsup") };
        Ok(match (below, above.as_str()) {
            (None, "") => base,
            (Some(below), "") => format!("<{sub}>{base}{below}</{sub}>"),
            (None, above) => format!("<{sup}>{base}<mrow>{above}</mrow></{sup}>"),
            (Some(below), above) => format!("<{both}>{base}{below}<mrow>{above}</mrow></{both}>"),
        })
    }

    fn atom(&mut self) -> Result<String, String> {
        let token = self.next().ok_or("something is missing at the end")?;
        if let Some(name) = token.strip_prefix('\\') {
            return self.command(name);
        }
        let text = escaped(&token);
        Ok(match token.chars().next() {
            Some('{') => self.group()?,
            Some(c) if c.is_ascii_digit() => format!("<mn>{text}</mn>"),
            Some(c) if c.is_alphabetic() => letter(&text),
            Some('-') => "<mo>−</mo>".to_string(),
            Some('}' | '_' | '^' | '&') => return Err(format!("`{token}` stands where a term is expected")),
            // Brackets of the size of their text, unless `\left` says otherwise.
            Some('(' | ')' | '[' | ']' | '|') => format!("<mo stretchy=\"false\">{text}</mo>"),
            _ => format!("<mo>{text}</mo>"),
        })
    }

    /// The rest of what began with a brace.
    fn group(&mut self) -> Result<String, String> {
        let inside = self.row(&[])?;
        if self.takes("}") { Ok(inside) } else { Err("`{` is not closed".to_string()) }
    }

    fn command(&mut self, name: &str) -> Result<String, String> {
        let find = |table: &[(&str, &'static str)]| table.iter().find(|row| row.0 == name).map(|row| row.1);
        if let Some(symbol) = find(SYMBOLS) {
            return Ok(letter(symbol));
        }
        if let Some(operator) = find(OPERATORS) {
            return Ok(format!("<mo>{operator}</mo>"));
        }
        if let Some(width) = find(SPACES) {
            return Ok(format!("<mspace width=\"{width}\"/>"));
        }
        if let Some(accent) = find(ACCENTS) {
            return Ok(format!("<mover accent=\"true\">{}<mo stretchy=\"false\">{accent}</mo></mover>", self.atom()?));
        }
        if FUNCTIONS.contains(&name) {
            let gap = if matches!(self.peek(), Some("(" | "^" | "_")) { "" } else { "<mspace width=\"0.17em\"/>" };
            return Ok(format!("<mi>{name}</mi>{gap}"));
        }
        if let Some(words) = name.strip_prefix("text{") {
            return Ok(format!("<mtext>{}</mtext>", escaped(words.trim_end_matches('}'))));
        }
        Ok(match name {
            "frac" => format!("<mfrac>{}{}</mfrac>", self.atom()?, self.atom()?),
            "sqrt" => format!("<msqrt>{}</msqrt>", self.atom()?),
            // Vectors and matrices are upright and bold, units and names upright.
            "mathbf" => self.upright(" class=\"bold\"")?,
            "mathrm" => self.upright("")?,
            "left" => {
                let open = self.next().ok_or("`\\left` has no bracket")?;
                let inside = self.row(&["\\right"])?;
                let closed = self.takes("\\right").then(|| self.next()).flatten();
                let close = closed.ok_or("`\\left` has no `\\right`")?;
                format!("<mrow><mo>{}</mo>{inside}<mo>{}</mo></mrow>", escaped(&open), escaped(&close))
            }
            "{" | "}" | "|" => format!("<mo>{name}</mo>"),
            _ => return Err(format!("`\\{name}` is not known")),
        })
    }

    /// A letter, or the letters of a group as one name.
    fn upright(&mut self, class: &str) -> Result<String, String> {
        let is_group = self.takes("{");
        let mut name = self.next().ok_or("a name is missing at the end")?;
        while is_group && !self.takes("}") {
            name.push_str(&self.next().ok_or("`{` is not closed")?);
        }
        Ok(format!("<mi mathvariant=\"normal\"{class}>{}</mi>", escaped(&name)))
    }
}

/// A letter, which is italic; the page says so, since not every machine has a typeface with italic letters of mathematics.
fn letter(text: &str) -> String {
    let class =
        if text.chars().any(|c| c.is_uppercase() && !c.is_ascii() || c == '∞') { "" } else { " class=\"italic\"" };
    format!("<mi mathvariant=\"normal\"{class}>{text}</mi>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(latex: &str) -> String {
        let html = typeset(latex, false).expect("an equation");
        html.replace(" mathvariant=\"normal\"", "").replace(" class=\"italic\"", "")
    }

    #[test]
    fn an_equation_is_typeset() {
        let found = plain(r"\ddot\theta + \frac{g}{l}\sin\theta = 0");
        assert!(
            found.contains("<mover accent=\"true\"><mi>θ</mi><mo stretchy=\"false\">¨</mo></mover><mo>+</mo>"),
            "{found}"
        );
        assert!(found.contains("<mfrac><mrow><mi>g</mi></mrow><mrow><mi>l</mi></mrow></mfrac><mi>sin</mi>"), "{found}");
        let found = plain(r"x_1^2 - y'' \ge 2\pi\sqrt{l/g}");
        assert!(found.contains("<msubsup><mi>x</mi><mn>1</mn><mrow><mn>2</mn></mrow></msubsup><mo>−</mo>"), "{found}");
        assert!(found.contains("<msup><mi>y</mi><mrow><mo>′</mo><mo>′</mo></mrow></msup><mo>≥</mo>"), "{found}");
        assert!(plain(r"5\,\mathrm{m/s} \text{ or so}").contains("<mi>m/s</mi><mtext> or so</mtext>"));
        assert!(plain(r"\mathbf x^T").contains("<msup><mi class=\"bold\">x</mi><mrow><mi>T</mi></mrow></msup>"));
        assert!(plain("a < b").contains("<mo>&lt;</mo>"));
    }

    #[test]
    fn what_is_not_known_is_said() {
        for (latex, said) in [
            (r"\foo x", "`\\foo` is not known"),
            (r"\frac{a}", "something is missing at the end"),
            ("{a", "`{` is not closed"),
            ("a}", "`}` has no beginning"),
            (r"\left( a", "`\\left` has no `\\right`"),
            ("x_", "something is missing at the end"),
        ] {
            assert_eq!(typeset(latex, false), Err(said.to_string()), "{latex}");
        }
    }
}
