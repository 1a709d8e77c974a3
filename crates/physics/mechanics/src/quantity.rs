//! The author's own physics: its quantities as scalar unknowns, its laws as scalar equations.

use base::Dimension;
use equations::{Law, LawRole, Level, Variable, component_label};
use expr::{Differentiator, Expr, Matrix, Term, Vector};
use model::{Quantity, QuantityId, Shape, TermId};
use rustc_hash::FxHashMap;

use crate::formulate::Formulation;
use crate::meaning::Meaning;

impl<'a> Formulation<'a> {
    /// Every component of every quantity becomes an unknown, which changes in a way that nobody knows yet.
    pub fn all_quantities(&mut self) {
        for quantity in &self.model.quantities {
            let meaning = self.unknown(quantity);
            self.quantities.push(meaning.into());
        }
    }

    fn unknown(&mut self, quantity: &Quantity) -> Meaning<'a> {
        let arena = self.arena;
        let zero = arena.constant(0.0);
        let whole = match quantity.type_.shape {
            Shape::Scalar | Shape::Condition => Meaning::Scalar(zero),
            Shape::Vector => Meaning::Vector(Vector([zero; 3])),
            Shape::Matrix => Meaning::Matrix(Matrix([[zero; 3]; 3])),
            Shape::Quaternion => Meaning::Quaternion([zero; 4]),
        };
        let mut parts = whole.parts().into_iter().map(|(part, _)| part);
        whole.map(|_| {
            let name = match parts.next() {
                None | Some("") => quantity.name.clone(),
                Some(part) => format!("{}.{part}", quantity.name),
            };
            let symbol = arena.new_symbol(&name);
            let dimension = quantity.type_.amount.dimension();
            let Quantity { constant, span, .. } = *quantity;
            if !quantity.left_out {
                self.variables.push(Variable { name, symbol, constant, start: None, dimension, span });
            }
            self.levels.insert(symbol, Level::Position);
            let unknown = arena.symbol(symbol);
            if !constant {
                self.clock.seed_unknown(unknown);
            }
            unknown
        })
    }

    /// Where quantities start; a rotation or an orientation that nobody speaks of is none.
    pub fn all_starts(&mut self) {
        let mut variable = 0;
        for (at, quantity) in self.model.quantities.iter().enumerate().filter(|(_, it)| !it.left_out) {
            let starts: Vec<Option<Expr>> = match quantity.start {
                Some(start) => self.meaning(start).parts().into_iter().map(|(_, start)| Some(start)).collect(),
                None => {
                    let parts = self.quantities[at].meaning().parts();
                    parts.iter().map(|(part, _)| self.natural_start(quantity, part)).collect()
                }
            };
            for start in starts {
                self.variables[variable].start = start;
                variable += 1;
            }
        }
    }

    fn natural_start(&self, quantity: &Quantity, part: &str) -> Option<Expr> {
        let unit = match quantity.type_.shape {
            Shape::Quaternion => part == "w",
            Shape::Matrix if quantity.rotation => matches!(part, "xx" | "yy" | "zz"),
            _ => return None,
        };
        let plain = quantity.type_.amount.dimension() == Dimension::NONE;
        plain.then(|| if unit { self.arena.one() } else { self.arena.zero() })
    }

    /// What the author's own physics states, component by component.
    pub fn laws(&mut self) -> Vec<Law> {
        let mut laws = std::mem::take(&mut self.kept);
        laws.reserve(self.model.laws.len());
        let multipliers: FxHashMap<&str, QuantityId> =
            self.model.multipliers.iter().map(|(label, quantity)| (label.as_str(), *quantity)).collect();
        for equation in &self.model.laws {
            if !self.holds_in_mode(equation.condition, equation.span) {
                continue;
            }
            let multiplier =
                multipliers.get(equation.label.as_str()).map(|id| self.quantities[id.index()].meaning().parts());
            for (at, (label, residual)) in self.residuals(equation).into_iter().enumerate() {
                if !self.decided(&label, residual, equation) {
                    let part = multiplier.as_ref().and_then(|parts| self.arena.as_symbol(parts.get(at)?.1));
                    let law = Law::new(label, residual, LawRole::Stated, equation.span);
                    laws.push(Law { multiplier: part, ..law });
                }
            }
        }
        laws
    }

    /// The derivatives of a term by the components of a quantity; by those of a small turn in the world's axes, for a rotation.
    pub fn jacobian(&mut self, of: TermId, by: QuantityId) -> Meaning<'a> {
        let arena = self.arena;
        let directions: Vec<Differentiator> = match self.quantities[by.index()].meaning() {
            Meaning::Matrix(R) => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
                .map(|axis| {
                    let axis = Vector(axis.map(|part| arena.constant(part)));
                    let mut differentiator = Differentiator::new();
                    // A turn δθ changes each column c of R by δθ × c.
                    for column in 0..3 {
                        let c = Vector(std::array::from_fn(|row| R.0[row][column]));
                        let change = axis.cross(c);
                        (0..3).for_each(|row| differentiator.seed(c.0[row].expr, change.0[row].expr));
                    }
                    differentiator
                })
                .into(),
            other => other.parts().into_iter().map(|(_, symbol)| Differentiator::by(arena, symbol)).collect(),
        };
        let rows: Vec<Expr> = self.meaning(of).parts().into_iter().map(|(_, part)| part).collect();
        let mut columns: Vec<Vec<Term<'a>>> = Vec::new();
        for mut direction in directions {
            columns.push(rows.iter().map(|&row| arena.term(direction.derivative(arena, row))).collect());
        }
        match (rows.len(), columns.len()) {
            (1, 1) => Meaning::Scalar(columns[0][0]),
            (1, _) => Meaning::Vector(Vector(std::array::from_fn(|j| columns[j][0]))),
            (_, 1) => Meaning::Vector(Vector(std::array::from_fn(|i| columns[0][i]))),
            _ => Meaning::Matrix(Matrix(std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i])))),
        }
    }

    /// `always` that speaks of no frame is a law like any other: there is nothing for a force to act on. So is one that says what an
    /// actuator exerts.
    pub fn keep_as_law(&mut self, label: &str, residual: Expr, span: base::Span) -> bool {
        if self.variables.is_empty() || (self.speaks_of_frames(residual) && !self.speaks_of_actuators(residual)) {
            return false;
        }
        self.kept.push(Law::new(component_label(label, ""), residual, LawRole::Stated, span));
        true
    }

    /// Whether an expression depends on coordinates of frames, or on how they move.
    pub fn speaks_of_frames(&self, expr: Expr) -> bool {
        self.arena.symbols_in(&[expr]).iter().any(|symbol| {
            self.coordinates.iter().any(|coordinate| coordinate.symbol == *symbol)
                || self.speeds.iter().any(|speed| speed.symbol == *symbol || speed.acceleration == *symbol)
        })
    }
}
