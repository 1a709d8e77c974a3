//! The Lagrangian form: accelerations with their masses on the left, forces on the right, and everything else as it balances.

use expr::{Expander, Expr, Formula, Kind, Monomial, Node, Number, Polynomial, Reader, SymbolId};
use rustc_hash::FxHashMap;

use super::certificate::symbols_of;
use super::{BoardRow, Draft, Proof, READABLE};
use crate::print::{EquationRow, rows};
use crate::system::System;

/// A simplified equation before it is compared with what was derived: `residual = factor · (left − right)`.
pub struct Simplified {
    pub left: Formula,
    pub right: Formula,
    pub factor: Polynomial,
}

/// What each symbol is to a reader.
pub fn kinds(system: &System) -> FxHashMap<SymbolId, Kind> {
    let mut kinds = FxHashMap::default();
    kinds.extend(system.input_symbols().into_iter().map(|symbol| (symbol, Kind::Input)));
    kinds.extend(system.parameters.iter().map(|parameter| (parameter.symbol, Kind::Constant)));
    kinds.extend(system.coordinate_symbols().into_iter().map(|symbol| (symbol, Kind::Position)));
    kinds.extend(system.speed_symbols().into_iter().map(|symbol| (symbol, Kind::Velocity)));
    kinds.extend(system.speeds.iter().map(|speed| (speed.acceleration, Kind::Acceleration)));
    kinds.extend(system.multiplier_symbols().into_iter().map(|symbol| (symbol, Kind::Multiplier)));
    kinds.extend(system.variables.iter().filter(|it| it.constant).map(|it| (it.symbol, Kind::Constant)));
    kinds
}

impl Draft<'_> {
    pub fn lagrangian(&mut self) {
        self.all_rows(|_| true);
    }

    /// Those equations of the system that are wanted.
    pub fn all_rows(&mut self, wanted: impl Fn(&EquationRow) -> bool) {
        let arena = self.arena.clone();
        let mut expander = Expander::new(&arena);
        for row in rows(self.system).into_iter().filter(wanted) {
            let residual = self.carry(row.residual);
            let simplified = match row.role {
                "equations of motion" => self.motion(&mut expander, residual),
                _ => self.balance(&mut expander, residual),
            };
            self.add_row(row, residual, simplified, &mut expander);
        }
    }

    /// Shows the simplified form if it is short and right, and what was derived otherwise.
    pub fn add_row(
        &mut self,
        row: EquationRow,
        residual: Expr,
        simplified: Option<Simplified>,
        expander: &mut Expander<'_>,
    ) {
        let short = simplified.filter(|it| it.left.size() + it.right.size() <= READABLE);
        let shown = short.and_then(|it| {
            let factor = self.formula(expander, &it.factor);
            let proof = self.certify(residual, &it.left, &it.right, &factor)?;
            let divided = it.factor.single().is_some_and(|(monomial, _)| !monomial.is_empty());
            let mut size = it.factor.clone();
            size.terms.values_mut().for_each(|number| *number = number.size());
            Some((it.left, it.right, divided.then(|| self.formula(expander, &size)), proof))
        });
        let symbols = symbols_of(&self.arena, residual);
        let (left, right, divided, proof) = shown.unwrap_or_else(|| {
            self.derived.push((self.rows.len(), residual));
            (Formula::zero(), Formula::zero(), None, Proof::Derived)
        });
        let EquationRow { role, label, span, .. } = row;
        self.rows.push(BoardRow { role, label, left, right, span, symbols, divided, proof, note: None });
    }

    /// Accelerations first, each with what it is multiplied by; constraints and what comes from outside on the right.
    pub fn motion(&mut self, expander: &mut Expander<'_>, residual: Expr) -> Option<Simplified> {
        let expanded = expander.expand(residual)?;
        let mut terms = self.with_gravity(&expanded);
        let factor = self.common_constant(&terms);
        terms = terms.times(&reciprocal(&factor))?;
        let lead = self.accelerations(&terms).first().map(|&symbol| self.arena.symbol(symbol));
        let leads = lead.and_then(|lead| terms.terms.iter().find(|(monomial, _)| monomial.contains(&(lead, 1))));
        let flipped = leads.is_some_and(|(_, number)| number.value() < 0.0);
        let sign = Polynomial::of(Vec::new(), if flipped { Number::MINUS_ONE } else { Number::ONE });
        let (terms, factor) = (terms.times(&sign)?, factor.times(&sign)?);
        let (mut right, mut rest) = (Polynomial::default(), Polynomial::default());
        let accelerations = self.accelerations(&terms);
        let mut groups: Vec<Polynomial> = vec![Polynomial::default(); accelerations.len()];
        for (monomial, number) in &terms.terms {
            let group = accelerations.iter().position(|&symbol| monomial.contains(&(self.arena.symbol(symbol), 1)));
            match group {
                Some(at) => groups[at].add(monomial.clone(), *number),
                None if self.is_force(monomial) => right.add(monomial.clone(), number.times(Number::MINUS_ONE)),
                None => rest.add(monomial.clone(), *number),
            }
        }
        // Where forces alone balance, they do so on the left.
        if accelerations.is_empty() && rest.is_zero() {
            rest = terms.clone();
            right = Polynomial::default();
        }
        let kind = |symbol| self.kind(symbol);
        let mut reader = Reader { expander, kind: &kind };
        let mut left: Vec<(bool, Formula)> = groups.iter().map(|group| reader.signed(group)).collect();
        left.extend(reader.spread(&rest));
        let left = match left.as_slice() {
            [] => Formula::zero(),
            [(false, only)] => only.clone(),
            _ => Formula::Sum(left),
        };
        let right = reader.spread_formula(&right);
        Some(Simplified { left, right, factor })
    }

    /// Accelerations that are factors of terms, in the order of the speeds.
    pub fn accelerations(&self, terms: &Polynomial) -> Vec<SymbolId> {
        let all = self.system.speeds.iter().map(|speed| speed.acceleration);
        all.filter(|&symbol| {
            let atom = self.arena.symbol(symbol);
            terms.terms.keys().any(|monomial| monomial.contains(&(atom, 1)))
        })
        .collect()
    }

    /// Whether a term is a force that the mechanism itself does not know: of a constraint, a law, a control or the time.
    fn is_force(&self, monomial: &Monomial) -> bool {
        let foreign = |symbol: SymbolId| {
            matches!(self.kind(symbol), Kind::Multiplier | Kind::Input)
                || self.system.variables.iter().any(|variable| variable.symbol == symbol)
        };
        let atoms: Vec<Expr> = monomial.iter().map(|&(atom, _)| atom).collect();
        self.arena.symbols_in(&atoms).into_iter().any(foreign)
    }

    /// Constants that all terms share and that are not zero; where two terms remain, all that stands before the acceleration.
    fn common_constant(&self, terms: &Polynomial) -> Polynomial {
        let shared = |common: Monomial, other: &Monomial| -> Monomial {
            let kept = common.into_iter().filter_map(|(atom, exponent)| {
                let (_, known) = other.iter().find(|(known, _)| *known == atom)?;
                (exponent > 0 && *known > 0).then_some((atom, exponent.min(*known)))
            });
            kept.collect()
        };
        let mut monomials = terms.terms.keys();
        let first = monomials.next().cloned().unwrap_or_default();
        let mut common = monomials.fold(first, shared);
        common.retain(|&(atom, _)| self.is_divisor(atom));
        let mut number = terms.terms.values().next().map_or(Number::ONE, |number| number.size());
        if terms.terms.values().any(|other| other.size() != number) {
            number = Number::ONE;
        }
        let accelerations = self.accelerations(terms);
        let led = accelerations.first().filter(|_| accelerations.len() == 1 && terms.terms.len() == 2);
        if let Some(&symbol) = led
            && let acceleration = self.arena.symbol(symbol)
            && let Some((mass, size)) = terms.terms.iter().find(|(monomial, _)| monomial.contains(&(acceleration, 1)))
            && mass.iter().all(|&(atom, _)| atom == acceleration || self.is_divisor(atom))
        {
            common = mass.iter().copied().filter(|&(atom, _)| atom != acceleration).collect();
            number = *size;
        }
        Polynomial::of(common, number)
    }

    /// Whether an atom is a parameter whose value is not zero.
    fn is_divisor(&self, atom: Expr) -> bool {
        let value = |symbol| self.system.parameters.iter().find(|it| it.symbol == symbol).map(|it| it.default);
        self.arena.as_symbol(atom).and_then(value).is_some_and(|value| value != 0.0)
    }

    /// The sides as the author wrote them, where they can be told apart; otherwise what is added on the left and what is taken
    /// away on the right.
    fn balance(&mut self, expander: &mut Expander<'_>, residual: Expr) -> Option<Simplified> {
        let one = Polynomial::of(Vec::new(), Number::ONE);
        let kind = |symbol| self.kind(symbol);
        if let Node::Sum(terms, constant) = self.arena.node(residual)
            && constant.is_zero()
            && let [(a, x), (b, y)] = terms[..]
            && a.times(b) == Number::MINUS_ONE
        {
            let (left, right) = if a.is_one() { (x, y) } else { (y, x) };
            let [left, right] = [expander.expand(left)?, expander.expand(right)?];
            let mut reader = Reader { expander, kind: &kind };
            return Some(Simplified { left: reader.formula(&left), right: reader.formula(&right), factor: one });
        }
        let terms = expander.expand(residual)?;
        let mut reader = Reader { expander, kind: &kind };
        let (mut left, mut right) = (Polynomial::default(), Polynomial::default());
        for (monomial, number) in &terms.terms {
            if number.value() > 0.0 {
                left.add(monomial.clone(), *number);
            } else {
                right.add(monomial.clone(), number.size());
            }
        }
        let mut factor = one;
        if left.is_zero() || right.terms.keys().all(Vec::is_empty) && left.terms.keys().all(Vec::is_empty) {
            (left, right) = (right, left);
            factor = Polynomial::of(Vec::new(), Number::MINUS_ONE);
        }
        Some(Simplified { left: reader.spread_formula(&left), right: reader.spread_formula(&right), factor })
    }
}

/// One over a single term.
fn reciprocal(term: &Polynomial) -> Polynomial {
    let (monomial, number) = term.single().expect("a divisor is one term");
    let below = monomial.iter().map(|&(atom, exponent)| (atom, -exponent)).collect();
    Polynomial::of(below, number.power(-1))
}
