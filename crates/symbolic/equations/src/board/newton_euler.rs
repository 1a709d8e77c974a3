//! The form of Newton and Euler: what forces and moments each body needs by itself, and that what joints exert does no work (d'Alembert). Together
//! they say what was derived: with reactions put in, the rows without work are the equations of motion.

use expr::{Expander, Expr, Kind};

use super::Draft;
use crate::balance::Balance;
use crate::print::EquationRow;

const ROLE: &str = "Newton and Euler, body by body";
const IDLE: &str = "reactions do no work";
const AXES: [&str; 3] = ["x", "y", "z"];

/// A component of a force or a moment on a body: what moves, what is stated, and what joints and constraints exert.
struct Component {
    label: String,
    body: usize,
    /// 0 to 2 of the force, 3 to 5 of the moment.
    place: usize,
    inertial: Expr,
    applied: Expr,
    /// A symbol, unless a coordinate of its own leaves nothing to a joint: then what acts along that.
    reaction: Expr,
}

impl Draft<'_> {
    pub fn newton_euler(&mut self) {
        let system = self.system;
        if system.bodies.is_empty() {
            return self.all_rows(|_| true);
        }
        let mut components = self.components(&system.bodies);
        let idle: Vec<EquationRow> =
            (0..system.speeds.len()).filter_map(|speed| self.without_work(speed, &mut components)).collect();
        let arena = self.arena.clone();
        let mut expander = Expander::new(&arena);
        let rows = components.into_iter().map(|it| {
            let span = system.bodies[it.body].span;
            let forces = arena.add(it.applied, it.reaction);
            EquationRow { role: ROLE, label: it.label, residual: arena.subtract(it.inertial, forces), span }
        });
        for row in rows.collect::<Vec<_>>().into_iter().chain(idle) {
            let residual = row.residual;
            if !arena.is_zero(residual) {
                let simplified = self.motion(&mut expander, residual);
                self.add_row(row, residual, simplified, &mut expander);
            }
        }
        self.all_rows(|row| row.role != "equations of motion");
    }

    /// Every component in which something moves or acts.
    fn components(&mut self, bodies: &[Balance]) -> Vec<Component> {
        let mut components = Vec::new();
        for (body, balance) in bodies.iter().enumerate() {
            let sides = [Some((balance.forces, "force", "R")), balance.moments.map(|sides| (sides, "moment", "N"))];
            for (turning, (sides, what, letter)) in sides.into_iter().enumerate().filter_map(|(at, it)| Some((at, it?)))
            {
                for (axis, name) in AXES.into_iter().enumerate() {
                    let (inertial, applied) = (self.carry(sides.inertial[axis]), self.carry(sides.applied[axis]));
                    if self.arena.is_zero(inertial) && self.arena.is_zero(applied) {
                        continue;
                    }
                    let number = if bodies.len() > 1 { (body + 1).to_string() } else { String::new() };
                    let symbol = self.arena.new_symbol(&format!("{letter}_{name}{number}"));
                    self.kinds.insert(symbol, Kind::Multiplier);
                    let reaction = self.arena.symbol(symbol);
                    let label = format!("{what} on {} along {name}", balance.name);
                    components.push(Component { label, body, place: 3 * turning + axis, inertial, applied, reaction });
                }
            }
        }
        components
    }

    /// Along a speed: Σ ∂v/∂u · R and what acts on the coordinate alone are zero together. Where one component moves with the speed and nothing
    /// else does, that says what its reaction is, and no equation is left.
    fn without_work(&mut self, speed: usize, components: &mut [Component]) -> Option<EquationRow> {
        let system = self.system;
        let (symbol, motion) = (system.speeds[speed].symbol, &system.motion[speed]);
        let partial = |it: &Component| {
            let partials = &system.bodies[it.body].partials;
            partials.iter().find(|(known, _)| *known == symbol).map(|(_, partial)| partial[it.place])
        };
        let partials: Vec<Option<Expr>> = components.iter().map(partial).collect();
        let partials: Vec<Expr> =
            partials.into_iter().map(|it| it.map_or(self.arena.zero(), |it| self.carry(it))).collect();
        let arena = self.arena.clone();
        let residual = self.carry(motion.residual);
        let (mut work, mut others) = (arena.zero(), residual);
        for (it, &partial) in components.iter().zip(&partials) {
            work = arena.add(work, arena.multiply(partial, it.reaction));
            others = arena.subtract(others, arena.multiply(partial, arena.subtract(it.inertial, it.applied)));
        }
        if self.vanishes(others, residual) {
            others = arena.zero();
        }
        let moved: Vec<usize> = (0..partials.len()).filter(|&at| !arena.is_zero(partials[at])).collect();
        if let [only] = moved[..]
            && partials[only] == arena.one()
            && arena.as_symbol(components[only].reaction).is_some()
        {
            components[only].reaction = arena.negate(others);
            return None;
        }
        let label = format!("along {}", motion.label.trim_start_matches("motion of "));
        Some(EquationRow { role: IDLE, label, residual: arena.add(work, others), span: motion.span })
    }
}
