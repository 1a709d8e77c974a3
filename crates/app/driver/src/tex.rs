//! The equations of a scene as a document of LaTeX that stands by itself.

use std::fmt::Write;

use base::Sources;
use equations::{Board, Form};
use expr::Notation;

use crate::{Compilation, Stages};

/// Lines of this many characters or more are broken before the next sign that stands in no brackets.
const LONG: usize = 110;

pub fn equations_tex(compilation: &Compilation, stages: &Stages) -> String {
    let board = Board::new(&stages.system, Form::Lagrangian);
    let mut out = String::from(
        "% Derived by Ansatz. Needs: amsmath.\n\\documentclass{article}\n\\usepackage{amsmath}\n\
         \\allowdisplaybreaks\n\\begin{document}\n",
    );
    let _ = writeln!(out, "\\section*{{{}}}", text(&stages.program.name));
    let mut role = "";
    for row in &board.rows {
        if row.role != role {
            role = row.role;
            let _ = writeln!(out, "\n\\subsection*{{{}}}", text(&sentence(role)));
        }
        let _ = writeln!(out, "\n\\noindent {}{}", text(&row.label), place(row.span, &compilation.sources));
        out.push_str(&display(&board.equation(row, Notation::Latex)));
    }
    if !board.parts.is_empty() {
        out.push_str("\n\\subsection*{Where}\n");
    }
    for at in 0..board.parts.len() {
        out.push_str(&display(&board.definition(at, Notation::Latex)));
    }
    let legend = board.legend(Notation::Latex);
    if !legend.is_empty() {
        let letters: Vec<String> =
            legend.iter().map(|(letter, word)| format!("${letter}$ is {}", text(word))).collect();
        let _ = writeln!(out, "\n\\noindent {}.", letters.join(", ").replace('²', "$^2$"));
    }
    out + "\\end{document}\n"
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// `(line 12)`, of what stands in the scene.
fn place(span: base::Span, sources: &Sources) -> String {
    let located = sources.locate(span);
    let line = located.rsplit(':').nth(1).filter(|line| line.parse::<usize>().is_ok());
    line.map_or(String::new(), |line| format!(" (line {line})"))
}

/// An equation on lines of its own.
fn display(latex: &str) -> String {
    let lines = broken(latex);
    let joined = lines.iter().map(|line| plain(line)).collect::<Vec<_>>().join(" \\\\\n&\\quad ");
    format!("\\begin{{align*}}\n&{joined}\n\\end{{align*}}\n")
}

/// Cut before signs outside of all brackets and fractions, where a line is long.
fn broken(latex: &str) -> Vec<String> {
    let (mut lines, mut line, mut depth) = (Vec::new(), String::new(), 0_i32);
    for word in latex.split_inclusive(' ') {
        if depth == 0 && matches!(word.trim(), "+" | "-") && line.len() >= LONG {
            lines.push(std::mem::take(&mut line));
        }
        depth += nesting(word);
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// How many brackets and groups begin in a piece, less those that end.
fn nesting(piece: &str) -> i32 {
    let count = |what: &str| piece.matches(what).count() as i32;
    let escaped = count("\\{") - count("\\}");
    count("{") - count("}") - escaped + count("\\left") - count("\\right") - count("\\leftarrow")
        + count("\\rightarrow")
        + count("\\begin")
        - count("\\end")
}

/// Words of the scene outside of mathematics.
fn text(words: &str) -> String {
    let mut out = String::new();
    for letter in words.chars() {
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '_' | '{' | '}' | '$' | '%' | '&' | '#' => out.extend(['\\', letter]),
            letter => out.push(letter),
        }
    }
    spelled(&out, |command| format!("$\\{command}$"))
}

/// Mathematics in which letters that LaTeX does not know are written by their names.
fn plain(latex: &str) -> String {
    spelled(latex, |command| format!("{{\\ensuremath{{\\{command}}}}}"))
}

/// Letters of other alphabets, and what LaTeX calls them.
const LETTERS: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "varepsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "varphi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
    ('·', "cdot"),
    ('×', "times"),
    ('−', "-"),
    ('∂', "partial"),
];

fn spelled(text: &str, command: impl Fn(&str) -> String) -> String {
    let letter = |letter: char| match LETTERS.iter().find(|(known, _)| *known == letter) {
        Some((_, "-")) => "-".to_string(),
        Some((_, name)) => command(name),
        None => letter.to_string(),
    };
    text.chars().map(letter).collect()
}
