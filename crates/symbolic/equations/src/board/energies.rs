//! Where the equations come from: where bodies are, energies, constraints, and Lagrange's equation, each step compared with what was derived.

use base::Span;
use expr::{Differentiator, Expander, Expr, Formula, Kind, Number};

use super::certificate::symbols_of;
use super::{BoardRow, Draft, READABLE};

impl Draft<'_> {
    pub fn derivation(&mut self) {
        self.kinematics();
        let first = self.rows.len();
        self.all_rows(|row| row.role.starts_with("constraints"));
        for row in &mut self.rows[first..] {
            row.note = Some("narrows the motion; its force is the multiplier λ of that name".to_string());
        }
        let energy = &self.system.energy;
        let (kinetic, potential) = (self.carry(energy.kinetic), self.carry(energy.potential));
        self.named("energies", "kinetic energy", "T", kinetic, Span::default());
        self.named("energies", "potential energy", "V", potential, Span::default());
        let first = self.rows.len();
        self.all_rows(|row| row.role == "equations of motion");
        for at in first..self.rows.len() {
            self.rows[at].note = self.lagrange(at - first, kinetic, potential);
        }
        self.all_rows(|row| !row.role.starts_with("constraints") && row.role != "equations of motion");
    }

    /// Where each body is, by the coordinates; what is a coordinate itself need not be said.
    fn kinematics(&mut self) {
        for body in &self.system.bodies {
            for (axis, part) in ["x", "y", "z"].into_iter().zip(body.position) {
                let expr = self.carry(part);
                let moves = symbols_of(&self.arena, expr).into_iter().any(|symbol| self.kind(symbol) == Kind::Position);
                if moves && self.arena.as_symbol(expr).is_none() {
                    let name = format!("{}.{axis}", body.name);
                    self.named("kinematics", &format!("{axis} of {}", body.name), &name, expr, body.span);
                }
            }
        }
    }

    /// A letter for an expression, if it is short.
    fn named(&mut self, role: &'static str, label: &str, letter: &str, expr: Expr, span: Span) {
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
        let (left, label) = (Formula::Symbol(symbol), label.to_string());
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
}
