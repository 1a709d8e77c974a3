//! Where the equations come from: energies, constraints, and Lagrange's equation, each step compared with what was derived.

use base::Span;
use expr::{Differentiator, Expander, Expr, Formula, Number};

use super::certificate::symbols_of;
use super::{BoardRow, Draft, READABLE};

impl Draft<'_> {
    pub fn derivation(&mut self) {
        self.all_rows(|row| row.role.starts_with("constraints"));
        for row in &mut self.rows {
            row.note = Some("narrows the motion; its force is the multiplier λ of that name".to_string());
        }
        let energy = &self.system.energy;
        let (kinetic, potential) = (self.carry(energy.kinetic), self.carry(energy.potential));
        self.energy("kinetic energy", "T", kinetic);
        self.energy("potential energy", "V", potential);
        let first = self.rows.len();
        self.all_rows(|row| row.role == "equations of motion");
        for at in first..self.rows.len() {
            self.rows[at].note = self.lagrange(at - first, kinetic, potential);
        }
        self.all_rows(|row| !row.role.starts_with("constraints") && row.role != "equations of motion");
    }

    fn energy(&mut self, label: &str, letter: &str, expr: Expr) {
        if self.arena.is_zero(expr) {
            return;
        }
        let arena = self.arena.clone();
        let mut expander = Expander::new(&arena);
        let Some(expanded) = expander.expand(expr) else { return };
        let written = self.with_gravity(&expanded);
        let right = self.formula(&mut expander, &written);
        let proof = self.certify(expr, &right, &Formula::zero(), &Formula::Number(Number::ONE));
        let Some(proof) = proof.filter(|_| right.size() <= READABLE) else { return };
        let symbol = self.arena.new_symbol(letter);
        let mut symbols = symbols_of(&self.arena, expr);
        symbols.push(symbol);
        let (role, left, span) = ("energies", Formula::Symbol(symbol), Span::default());
        let label = label.to_string();
        self.rows.push(BoardRow { role, label, left, right, span, symbols, divided: None, proof, note: None });
    }

    /// Whether the equation of motion of a coordinate is d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q, and nothing else.
    fn lagrange(&mut self, row: usize, kinetic: Expr, potential: Expr) -> Option<String> {
        let system = self.system;
        let coordinate = system.coordinates.iter().find(|it| it.speed.is_some_and(|speed| speed.index() == row))?;
        let residual = self.carry(system.motion[row].residual);
        let arena = self.arena.clone();
        let (q, v) = (arena.symbol(coordinate.symbol), arena.symbol(system.speeds[row].symbol));
        let mut clock = Differentiator::new();
        clock.seed(arena.symbol(system.time), arena.one());
        for known in &system.coordinates {
            clock.seed(arena.symbol(known.symbol), self.carry(known.rate));
        }
        for speed in &system.speeds {
            clock.seed(arena.symbol(speed.symbol), arena.symbol(speed.acceleration));
        }
        let momentum = Differentiator::by(&arena, v).derivative(&arena, kinetic);
        let lagrangian = arena.subtract(kinetic, potential);
        let force = Differentiator::by(&arena, q).derivative(&arena, lagrangian);
        let derived = arena.subtract(clock.derivative(&arena, momentum), force);
        let difference = arena.subtract(residual, derived);
        let letter = &coordinate.name;
        let proof = self.certify(difference, &Formula::zero(), &Formula::zero(), &Formula::Number(Number::ONE));
        let same = proof.is_some() || self.vanishes(difference, residual);
        Some(match same {
            true => format!("d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = 0 for q = {letter}; both agree at random points"),
            false => format!("d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = Q for q = {letter}, with the forces that no potential has"),
        })
    }

    /// Whether an expression is zero compared with another, at random points.
    fn vanishes(&self, difference: Expr, beside: Expr) -> bool {
        let tape = expr::Tape::new(&self.arena, &[difference, beside]);
        let symbols = self.arena.symbols_in(&[difference, beside]);
        let mut random = base::Random::new(0x1a6);
        (0..16).all(|_| {
            let values = tape.run(&self.random_point(&symbols, &mut random));
            values[0].abs() <= 1e-9 * values[1].abs().max(1.0)
        })
    }
}
