//! Equations for people: multiplied out, simplified and collected, as they would stand on a board.
//!
//! This path is apart from the one that makes programs, which shares parts and expands nothing. Every equation is compared
//! with the one it came from before it is shown; what fails, or would be too long, is shown as it was derived, with named
//! parts. Expressions are copied into an arena of their own, so that nothing here moves anything in the program.

mod certificate;
mod energies;
mod newton_euler;
mod print;
mod rows;
mod state_space;

use std::rc::Rc;

use base::Span;
use expr::{
    Arena, BookName, Expander, Expr, Formula, Kind, Monomial, Notation, Number, Polynomial, Reader, SymbolId, Writer,
};
use rustc_hash::FxHashMap;

pub use print::{print_board, remarks};

use crate::system::System;

/// What a reader may choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// M q̈ + … = forces, constraints and laws beside them.
    Lagrangian,
    /// Forces and moments of each body, with what joints exert.
    NewtonEuler,
    /// Rates of states, accelerations solved for where that stays short.
    StateSpace,
    /// Where bodies are, constraints and energies that the equations follow from.
    Derivation,
}

impl Form {
    pub const NAMED: &[(&str, Form)] = &[
        ("lagrangian", Form::Lagrangian),
        ("newton-euler", Form::NewtonEuler),
        ("state-space", Form::StateSpace),
        ("derivation", Form::Derivation),
    ];
}

/// All equations of a system in one form.
pub struct Board {
    arena: Arena,
    names: FxHashMap<SymbolId, BookName>,
    /// What `Formula::Part` names, in the order in which they can be computed.
    pub parts: Vec<Part>,
    pub rows: Vec<BoardRow>,
    /// The strength of gravity where the text gives it as a number: the letter g stands for it.
    gravity: Option<(SymbolId, f64)>,
}

pub struct Part {
    pub formula: Formula,
    /// What it speaks of.
    pub symbols: Vec<SymbolId>,
}

/// `left = right`, with what it is and where it comes from.
pub struct BoardRow {
    pub role: &'static str,
    pub label: String,
    pub left: Formula,
    pub right: Formula,
    pub span: Span,
    pub symbols: Vec<SymbolId>,
    /// Constants that both sides were divided by; the equation holds where they are not zero.
    pub divided: Option<Formula>,
    pub proof: Proof,
    /// What a reader should know of it.
    pub note: Option<String>,
}

/// How it is known that an equation says what was derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It was simplified, and agrees with what was derived at this many random points.
    Checked(usize),
    /// It stands as it was derived.
    Derived,
}

/// Longer equations are shown with named parts.
const READABLE: usize = 140;

impl Board {
    pub fn new(system: &System, form: Form) -> Board {
        let mut draft = Draft::new(system);
        match form {
            Form::Lagrangian => draft.lagrangian(),
            Form::NewtonEuler => draft.newton_euler(),
            Form::StateSpace => draft.state_space(),
            Form::Derivation => draft.derivation(),
        }
        draft.finish()
    }

    pub fn write(&self, formula: &Formula, notation: Notation) -> String {
        without_marks(&self.writer(notation).write(formula))
    }

    /// An equation in LaTeX for a page, with marks where a named part can be opened.
    pub fn marked(&self, left: &Formula, right: &Formula) -> String {
        self.writer(Notation::Latex).equation(left, right)
    }

    /// What a named part stands for, with marks for those that it is made of.
    pub fn marked_part(&self, at: usize) -> String {
        self.writer(Notation::Latex).write(&self.parts[at].formula)
    }

    pub fn equation(&self, row: &BoardRow, notation: Notation) -> String {
        without_marks(&self.writer(notation).equation(&row.left, &row.right))
    }

    /// The definition of a part.
    pub fn definition(&self, at: usize, notation: Notation) -> String {
        without_marks(&self.writer(notation).equation(&Formula::Part(at), &self.parts[at].formula))
    }

    fn writer(&self, notation: Notation) -> Writer<'_> {
        Writer { notation, names: &self.names, arena: &self.arena }
    }

    /// How the scene calls a symbol.
    pub fn word(&self, symbol: SymbolId) -> String {
        self.arena.symbol_name(symbol).to_string()
    }

    /// Letters that differ from the words of the scene, with these words: l is `length`.
    pub fn legend(&self, notation: Notation) -> Vec<(String, String)> {
        let used =
            self.rows.iter().flat_map(|row| &row.symbols).chain(self.parts.iter().flat_map(|part| &part.symbols));
        let mut used: Vec<SymbolId> = used.copied().collect();
        used.sort_unstable();
        used.dedup();
        let writer = self.writer(notation);
        let mut legend: Vec<(String, String)> = Vec::new();
        for symbol in used.into_iter().filter(|symbol| self.names.contains_key(symbol)) {
            let word = self.word(symbol);
            let bare = BookName { dots: 0, ..self.names[&symbol].clone() };
            let entry = (writer.name(&bare), word.trim_end_matches('\'').to_string());
            if entry.0 != entry.1 && bare != expr::book_name(&entry.1) && !legend.contains(&entry) {
                legend.push(entry);
            }
        }
        legend
            .extend(self.gravity.map(|(_, strength)| (writer.name(&expr::book_name("g")), format!("{strength} m/s²"))));
        legend
    }
}

/// A board that is being written.
struct Draft<'s> {
    system: &'s System,
    arena: Rc<Arena>,
    carried: FxHashMap<Expr, Expr>,
    kinds: FxHashMap<SymbolId, Kind>,
    gravity: Option<(SymbolId, f64)>,
    uses_gravity: bool,
    rows: Vec<BoardRow>,
    /// Rows that stand as they were derived, with their residuals: they share named parts, which are known in the end.
    derived: Vec<(usize, Expr)>,
}

impl<'s> Draft<'s> {
    fn new(system: &'s System) -> Draft<'s> {
        let arena = Arena::with_curves(system.arena.curves().to_vec());
        arena.name_signals(system.arena.signals().to_vec());
        let count = system.arena.symbols();
        for at in 0..count {
            let symbol = arena.new_symbol(system.arena.symbol_name(SymbolId(at as u32)));
            arena.symbol(symbol);
        }
        let taken = (0..count).any(|at| system.arena.symbol_name(SymbolId(at as u32)) == "g");
        let gravity = system.gravity.filter(|_| !taken).map(|strength| (arena.new_symbol("g"), strength));
        let mut kinds = rows::kinds(system);
        kinds.extend(gravity.map(|(symbol, _)| (symbol, Kind::Constant)));
        Draft {
            system,
            arena: Rc::new(arena),
            carried: FxHashMap::default(),
            kinds,
            gravity,
            uses_gravity: false,
            rows: Vec::new(),
            derived: Vec::new(),
        }
    }

    /// An expression of the system in the arena of the board.
    fn carry(&mut self, expr: Expr) -> Expr {
        if let Some(&known) = self.carried.get(&expr) {
            return known;
        }
        let symbol = |symbol: SymbolId| Some(self.arena.symbol(symbol));
        let carried = expr::carry(&self.system.arena, expr, &self.arena, symbol).expect("every symbol was copied");
        self.carried.insert(expr, carried);
        carried
    }

    fn kind(&self, symbol: SymbolId) -> Kind {
        self.kinds.get(&symbol).copied().unwrap_or_else(|| {
            let name = self.arena.symbol_name(symbol);
            match name.len() - name.trim_end_matches('\'').len() {
                0 => Kind::Position,
                1 => Kind::Velocity,
                _ => Kind::Acceleration,
            }
        })
    }

    /// Writes g for the strength of gravity where it is a factor.
    fn with_gravity(&mut self, polynomial: &Polynomial) -> Polynomial {
        let Some((symbol, strength)) = self.gravity else { return polynomial.clone() };
        let letter = self.arena.symbol(symbol);
        let mut written = Polynomial::default();
        for (monomial, number) in &polynomial.terms {
            match multiple_of(*number, strength) {
                Some(multiple) => {
                    self.uses_gravity = true;
                    let mut factors: Monomial = monomial.iter().copied().chain([(letter, 1)]).collect();
                    factors.sort_unstable();
                    written.add(factors, multiple);
                }
                None => written.add(monomial.clone(), *number),
            }
        }
        written
    }

    fn formula(&self, expander: &mut Expander<'_>, polynomial: &Polynomial) -> Formula {
        Reader { expander, kind: &|symbol| self.kind(symbol) }.formula(polynomial)
    }

    fn finish(mut self) -> Board {
        let parts = self.name_parts();
        let mut rows = std::mem::take(&mut self.rows);
        let used = |rows: &[BoardRow], parts: &[Part]| {
            let mut used: Vec<SymbolId> = rows.iter().flat_map(|row| row.symbols.clone()).collect();
            used.extend(parts.iter().flat_map(|part| part.symbols.clone()));
            used
        };
        for row in &mut rows {
            row.symbols.sort_unstable();
            row.symbols.dedup();
        }
        // Names of rates follow those of what they are the rates of, so all that may be mentioned is named together.
        let names: Vec<(SymbolId, String)> = used(&rows, &parts)
            .into_iter()
            .map(|symbol| (symbol, self.arena.symbol_name(symbol).to_string()))
            .collect();
        let short = expr::short_names(names.iter().map(|(_, name)| name.as_str()));
        let mut of: FxHashMap<SymbolId, BookName> =
            names.iter().map(|(symbol, name)| (*symbol, short[name].clone())).collect();
        let gravity = self.gravity.filter(|_| self.uses_gravity);
        of.extend(gravity.map(|(symbol, _)| (symbol, expr::book_name("g"))));
        let arena = Rc::into_inner(self.arena).expect("nobody else has it");
        Board { arena, names: of, parts, rows, gravity }
    }

    /// Named parts of what stands as it was derived.
    fn name_parts(&mut self) -> Vec<Part> {
        let roots: Vec<Expr> = self.derived.iter().map(|&(_, residual)| residual).collect();
        let mut places: FxHashMap<Expr, usize> = FxHashMap::default();
        let mut parts = Vec::new();
        for part in expr::named_parts(&self.arena, &roots) {
            let formula = Formula::of(&self.arena, part, &places);
            let known = |node: Expr| node != part && places.contains_key(&node);
            let inside = self.arena.reachable_until(&[part], known);
            let symbols = inside.iter().filter_map(|&node| self.arena.as_symbol(node)).collect();
            places.insert(part, parts.len());
            parts.push(Part { formula, symbols });
        }
        for (row, residual) in std::mem::take(&mut self.derived) {
            self.rows[row].left = Formula::of(&self.arena, residual, &places);
        }
        parts
    }
}

/// LaTeX for others does not know which parts a page can open.
fn without_marks(latex: &str) -> String {
    let mut out = String::new();
    let mut rest = latex;
    while let Some((before, after)) = rest.split_once(r"\htmlData{") {
        let (_, marked) = after.split_once('}').expect("a mark ends");
        out.push_str(before);
        rest = marked;
    }
    out + rest
}

/// A number as a simple multiple of the strength of gravity.
fn multiple_of(number: Number, strength: f64) -> Option<Number> {
    const LARGEST_DENOMINATOR: i64 = 12;
    let ratio = number.value() / strength;
    // Whole numbers are more likely to be what they say.
    if number.as_fraction().is_some_and(|(_, below)| below == 1) && ratio.abs() != 1.0 {
        return None;
    }
    (1..=LARGEST_DENOMINATOR).find_map(|below| {
        let above = (ratio * below as f64).round();
        let exact = above != 0.0 && above.abs() < 1e4 && (ratio * below as f64 - above).abs() < 1e-12 * above.abs();
        exact.then(|| Number::fraction(above as i64, below))
    })
}
