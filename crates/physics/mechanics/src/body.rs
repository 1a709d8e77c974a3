//! Bodies: how heavy they are, how their mass is spread, and what is refused because its change has no one meaning.

use base::Diagnostic;
use equations::Level;
use expr::{Expr, Matrix, Operator, Term};
use model::{Body, FrameQuantity, TermId, TermKind};

use crate::codes;
use crate::formulate::Formulation;

impl<'a> Formulation<'a> {
    /// A density fills the solid as the scale of its frame stretches it.
    pub fn mass(&mut self, body: &Body) -> Term<'a> {
        let mass = self.scalar(body.mass);
        if !body.has_density {
            return mass;
        }
        let [x, y, z] = self.pose(body.frame).scale.0;
        mass * (x * y * z).apply(Operator::Abs)
    }

    /// The tensor about the origin, in the body's axes; none for a point. The scale stretches a shape, but no moments that are given.
    pub fn inertia(&mut self, body: &Body) -> Option<Matrix<'a>> {
        let [mut xx, mut yy, mut zz, xy, xz, yz] = body.inertia.as_ref()?.entries.map(|entry| self.scalar(entry));
        let scale = self.pose(body.frame).scale;
        if let Some(spread) = body.spread.filter(|_| scale.exprs() != [self.arena.one(); 3]) {
            let mass = self.mass(body);
            let [x, y, z] = std::array::from_fn(|axis| mass * scale.0[axis].squared() * self.scalar(spread[axis]));
            (xx, yy, zz) = (y + z, x + z, x + y);
        }
        Some(Matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    }

    /// Refuses masses and inertias that change in a way that says too little about the motion.
    pub fn check_mass(&mut self, body: &Body) {
        let (name, arena) = (&self.model.frame(body.frame).name, self.arena);
        let mass = self.mass(body).expr;
        let inertia: Vec<Expr> =
            self.inertia(body).iter().flat_map(|I| I.0).flatten().map(|entry| entry.expr).collect();
        let all: Vec<Expr> = inertia.iter().copied().chain([mass]).collect();
        let refuse = |message: String| Diagnostic::error(codes::CHANGING_MASS, message);
        let jumps = |this: &mut Self| all.iter().any(|&part| this.jumps(part));
        let found = if self.level(&all) > Level::Position {
            refuse(format!("the mass or inertia of `{name}` depends on velocities"))
                .at(body.span, "its kinetic energy would not be that of a body")
                .hint("state a force, or a `potential` that depends on velocities")
        } else if body.spread.is_some() && self.depends_on_coordinates(&inertia) {
            refuse(format!("the shape of `{name}` is stretched by what moves"))
                .at(body.span, "what is stretched moves within, and a rigid body knows no such energy")
                .hint("give its `mass` and `inertia` instead of a shape, or divide it into bodies")
        } else if jumps(self) {
            refuse(format!("the mass or inertia of `{name}` jumps"))
                .at(body.span, "nothing says what becomes of its velocity")
                .hint("declare a mode, and state with `when` what is kept: `when drop: t >= 1 [s] { stage == empty; keep all }`")
        } else if !arena.is_zero(self.derivative(mass)) && !self.states_exchange(body) {
            refuse(format!("the mass of `{name}` changes, and nothing says with which velocity"))
                .at(body.span, "what comes or leaves brings momentum, or takes it away")
                .note("the momentum of a body changes by the forces on it, so what comes or leaves is one of them")
                .hint(format!(
                    "add `force on {name} = der({name}.mass) * v` with its velocity v: `{name}.velocity` where it moves along, `(0, 0, 0) [m/s]` where it is at rest"
                ))
        } else {
            return;
        };
        self.sink.report(found);
    }

    /// Whether a force on a body can speak of what comes or leaves: the scene asks for `der(b.mass)`.
    fn states_exchange(&self, body: &Body) -> bool {
        let terms = &self.model.terms;
        let is_rate = |at: usize| match terms.get(TermId(at as u32)).kind {
            TermKind::Derivative(of) => terms.get(of).kind == TermKind::Frame(body.frame, FrameQuantity::Mass),
            _ => false,
        };
        self.model.forces.iter().any(|force| force.frame == body.frame) && (0..terms.len()).any(is_rate)
    }

    /// Whether something depends on the motion or the time, but only by `if`, `floor` and their like.
    fn jumps(&mut self, expr: Expr) -> bool {
        let on_time = self.arena.symbols_in(&[expr]).contains(&self.time);
        (on_time || self.depends_on_coordinates(&[expr])) && self.arena.is_zero(self.derivative(expr))
    }

    pub fn depends_on_coordinates(&self, exprs: &[Expr]) -> bool {
        self.arena.symbols_in(exprs).iter().any(|symbol| self.levels.get(symbol) == Some(&Level::Position))
    }
}
