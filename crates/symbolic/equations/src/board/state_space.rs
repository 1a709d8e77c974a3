//! The state space: the rate of every state. Accelerations that hang together are solved for where the result stays short.

use base::Random;
use expr::{Expander, Expr, Formula, Kind, Number, Polynomial, Reader, SymbolId, Tape};

use super::certificate::symbols_of;
use super::{BoardRow, Draft, Proof, READABLE};
use crate::print::EquationRow;

/// One row of M·a = f.
struct Linear {
    row: usize,
    residual: Expr,
    masses: Vec<(SymbolId, Polynomial)>,
    force: Polynomial,
}

const ROLE: &str = "rates of the states";

impl Draft<'_> {
    pub fn state_space(&mut self) {
        let tied = self.system.constraints.iter().any(|constraint| constraint.multiplier.is_some());
        self.rates();
        if tied {
            self.all_rows(|row| row.role != "at the start");
            let motion = self.rows.iter_mut().find(|row| row.role == "equations of motion");
            if let Some(row) = motion {
                let note =
                    "constraints tie the states to one another, so their forces stay unknowns beside the accelerations";
                row.note = Some(note.to_string());
            }
            return;
        }
        let unsolved = self.solve_accelerations();
        let mut motion = 0;
        let stays: Vec<bool> = crate::print::rows(self.system)
            .iter()
            .map(|row| match row.role {
                "equations of motion" => {
                    motion += 1;
                    unsolved.contains(&(motion - 1))
                }
                role => role != "at the start",
            })
            .collect();
        let mut at = 0;
        let first = self.rows.len();
        let stays = std::cell::RefCell::new(stays.into_iter());
        self.all_rows(|_: &EquationRow| stays.borrow_mut().next().unwrap_or(false));
        for row in &mut self.rows[first..] {
            if row.role == "equations of motion" && at == 0 {
                at += 1;
                let note = "these accelerations hang together; solved for one by one they would be too long to read";
                row.note = Some(note.to_string());
            }
        }
    }

    /// The rates of coordinates that are not speeds of their own, as those of a free rotation.
    fn rates(&mut self) {
        let arena = self.arena.clone();
        let mut expander = Expander::new(&arena);
        for coordinate in self.system.coordinates.iter().filter(|coordinate| coordinate.speed.is_none()) {
            let rate = self.carry(coordinate.rate);
            let Some(expanded) = expander.expand(rate) else { continue };
            let right = self.formula(&mut expander, &expanded);
            let symbol = self.arena.new_symbol(&format!("{}'", coordinate.name));
            let Some(proof) = self.certify(rate, &right, &Formula::zero(), &Formula::Number(Number::ONE)) else {
                continue;
            };
            let mut symbols = symbols_of(&self.arena, rate);
            symbols.push(symbol);
            let (label, left) = (format!("rate of {}", coordinate.name), Formula::Symbol(symbol));
            let (span, divided) = (coordinate.span, None);
            self.rows.push(BoardRow { role: ROLE, label, left, right, span, symbols, divided, proof, note: None });
        }
    }

    /// Solves for what can be solved for; the places of other equations of motion.
    fn solve_accelerations(&mut self) -> Vec<usize> {
        let arena = self.arena.clone();
        let mut expander = Expander::new(&arena);
        let mut unsolved = Vec::new();
        let mut rows = Vec::new();
        for (row, motion) in self.system.motion.iter().enumerate() {
            let residual = self.carry(motion.residual);
            match self.linear(&mut expander, row, residual) {
                Some(linear) => rows.push(linear),
                None => unsolved.push(row),
            }
        }
        while !rows.is_empty() {
            let block = take_block(&mut rows);
            let solved = self.solve(&mut expander, &block).filter(|solved| self.is_solution(&block, solved));
            let Some(solved) = solved else {
                unsolved.extend(block.iter().map(|linear| linear.row));
                continue;
            };
            for (linear, (symbol, right)) in block.iter().zip(solved) {
                let motion = &self.system.motion[linear.row];
                let mut symbols = symbols_of(&self.arena, linear.residual);
                symbols.push(symbol);
                let (label, left) = (motion.label.clone(), Formula::Symbol(symbol));
                let (proof, span) = (Proof::Checked(TRIED), motion.span);
                self.rows.push(BoardRow {
                    role: ROLE,
                    label,
                    left,
                    right,
                    span,
                    symbols,
                    divided: None,
                    proof,
                    note: None,
                });
            }
        }
        unsolved
    }

    /// A row as masses times accelerations; none if it is not linear in them, or too long.
    fn linear(&mut self, expander: &mut Expander<'_>, row: usize, residual: Expr) -> Option<Linear> {
        let expanded = expander.expand(residual)?;
        let terms = self.with_gravity(&expanded);
        let accelerations = self.accelerations(&terms);
        let mut masses: Vec<(SymbolId, Polynomial)> =
            accelerations.iter().map(|&symbol| (symbol, Polynomial::default())).collect();
        let mut force = Polynomial::default();
        for (monomial, number) in &terms.terms {
            let place = accelerations.iter().position(|&symbol| monomial.contains(&(self.arena.symbol(symbol), 1)));
            let rest = |known: Expr| monomial.iter().copied().filter(|&(atom, _)| atom != known).collect::<Vec<_>>();
            match place {
                Some(at) => masses[at].1.add(rest(self.arena.symbol(accelerations[at])), *number),
                None => force.add(monomial.clone(), number.times(Number::MINUS_ONE)),
            }
        }
        let still = |polynomial: &Polynomial| {
            let atoms: Vec<Expr> = polynomial.terms.keys().flatten().map(|&(atom, _)| atom).collect();
            self.arena.symbols_in(&atoms).into_iter().all(|symbol| self.kind(symbol) != Kind::Acceleration)
        };
        let linear = still(&force) && masses.iter().all(|(_, mass)| still(mass));
        (linear && !masses.is_empty()).then_some(Linear { row, residual, masses, force })
    }

    /// One acceleration, or two by Cramer's rule.
    fn solve(&self, expander: &mut Expander<'_>, block: &[Linear]) -> Option<Vec<(SymbolId, Formula)>> {
        let mut unknowns: Vec<SymbolId> =
            block.iter().flat_map(|row| row.masses.iter().map(|(symbol, _)| *symbol)).collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        let mass = |row: usize, symbol: SymbolId| {
            let known = block[row].masses.iter().find(|(known, _)| *known == symbol);
            known.map_or_else(Polynomial::default, |(_, mass)| mass.clone())
        };
        let cross = |expander: &mut Expander<'_>, a: &Polynomial, d: &Polynomial, b: &Polynomial, c: &Polynomial| {
            let mut difference = a.times(d)?;
            difference.add_all(&b.times(c)?, Number::MINUS_ONE);
            Some(expander.simplify(difference))
        };
        match (block, unknowns.as_slice()) {
            ([row], &[x]) => Some(vec![(x, self.ratio(expander, &row.force, &mass(0, x))?)]),
            ([first, second], &[x, y]) => {
                let [a, b, c, d] = [mass(0, x), mass(0, y), mass(1, x), mass(1, y)];
                let determinant = cross(expander, &a, &d, &b, &c)?;
                let above = cross(expander, &first.force, &d, &b, &second.force)?;
                let below = cross(expander, &a, &second.force, &first.force, &c)?;
                Some(vec![
                    (x, self.ratio(expander, &above, &determinant)?),
                    (y, self.ratio(expander, &below, &determinant)?),
                ])
            }
            _ => None,
        }
    }

    /// A fraction without what both sides share; none if it is too long.
    fn ratio(&self, expander: &mut Expander<'_>, above: &Polynomial, below: &Polynomial) -> Option<Formula> {
        let kind = |symbol| self.kind(symbol);
        let mut reader = Reader { expander, kind: &kind };
        let formula = match below.single() {
            _ if below.is_zero() => return None,
            Some((monomial, number)) => {
                let inverse = monomial.iter().map(|&(atom, exponent)| (atom, -exponent)).collect();
                reader.spread_formula(&above.times(&Polynomial::of(inverse, number.power(-1)))?)
            }
            None => reader.fraction(above, below),
        };
        (formula.size() <= READABLE).then_some(formula)
    }

    /// Whether the residuals vanish where accelerations have these values.
    fn is_solution(&self, block: &[Linear], solved: &[(SymbolId, Formula)]) -> bool {
        let residuals: Vec<Expr> = block.iter().map(|row| row.residual).collect();
        let tape = Tape::new(&self.arena, &residuals);
        let symbols = self.arena.symbols_in(&residuals);
        let mut random = Random::new(0xacce1);
        (0..TRIED).all(|_| {
            let mut point = self.random_point(&symbols, &mut random);
            let scale = tape.run(&point).into_iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            let values: Vec<f64> = solved.iter().map(|(_, right)| right.value(&point, &[])).collect();
            point.extend(solved.iter().map(|(symbol, _)| *symbol).zip(values));
            tape.run(&point).into_iter().all(|left| left.abs() <= 1e-9 * scale.max(1.0))
        })
    }
}

const TRIED: usize = 24;

/// The first row with all that shares accelerations with it.
fn take_block(rows: &mut Vec<Linear>) -> Vec<Linear> {
    let mut block = vec![rows.remove(0)];
    loop {
        let shares = |row: &Linear| {
            let known =
                |symbol: SymbolId| block.iter().any(|member| member.masses.iter().any(|(other, _)| *other == symbol));
            row.masses.iter().any(|&(symbol, _)| known(symbol))
        };
        let Some(at) = rows.iter().position(shares) else { return block };
        block.push(rows.remove(at));
    }
}
