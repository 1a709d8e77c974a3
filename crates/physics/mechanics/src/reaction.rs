//! Forces of constraint by name, and only where somebody asks for them.
//!
//! What an equation exerts follows from its multiplier: a small displacement of a frame, and of all that hangs on it, changes the equation, and
//! the work of the multiplier on that change is the work of a force and a moment. Where a joint is made of coordinates there is no equation, but
//! Newton's law of what hangs on it: whatever its momentum needs and nothing else gives comes from its parent.

use base::Diagnostic;
use equations::{Acting, Level};
use expr::{Differentiator, Expr, Substitution, SymbolId, Term, Vector};
use model::{Component, FrameId, Held, NO_REACTION, Reaction, ReactionId, ReactionPart, Rotation, TermId, WORLD};

use crate::formulate::Formulation;
use crate::kinematics::{FrameState, Pose, Turn};
use crate::meaning::Meaning;

/// A force and the moment about some point.
#[derive(Clone, Copy)]
struct Wrench<'a> {
    force: Vector<'a>,
    moment: Vector<'a>,
}

/// The force of a component of an equation that the scene states, and what that speaks of at the most: positions or velocities.
#[derive(Clone, Copy)]
pub(crate) struct Multiplier {
    pub equation: usize,
    pub part: usize,
    pub symbol: SymbolId,
    pub level: Level,
}

/// A small displacement of a frame with all that hangs on it, at rest: where it is moved and turned to, and how fast.
struct Displacement {
    by: [SymbolId; 6],
    rates: [SymbolId; 6],
}

impl<'a> Formulation<'a> {
    pub fn reaction(&mut self, id: ReactionId) -> Meaning<'a> {
        let model = self.model;
        let asked = &model.reactions[id.index()];
        let (wrench, ends) = match &asked.of {
            Held::Equation(place) => return self.of_equation(asked, *place),
            Held::Joint { equations, ends } => (self.of_joint(asked, equations, *ends), *ends),
            Held::Frame(frame) => (self.of_parent(asked, *frame), [model.frame(*frame).parent, *frame]),
        };
        match asked.part {
            ReactionPart::Force => Meaning::Vector(wrench.force),
            ReactionPart::Torque => Meaning::Vector(wrench.moment),
            ReactionPart::Tension => {
                let apart = self.pose(ends[0]).p_WF - self.pose(ends[1]).p_WF;
                Meaning::Scalar(wrench.force.dot(apart) / apart.norm())
            }
        }
    }

    /// All that were asked for, for those who judge whether they are determined.
    pub fn reactions(&mut self) -> Vec<Acting> {
        let model = self.model;
        let asked = model.reactions.iter().enumerate();
        asked
            .map(|(at, asked)| {
                let parts = self.reaction(ReactionId(at as u32)).parts().into_iter().map(|(_, part)| part).collect();
                Acting { label: asked.name.clone(), parts, span: asked.span }
            })
            .collect()
    }

    /// The multiplier itself: a residual is left minus right, and its force on whatever lets it grow is −λ.
    fn of_equation(&mut self, asked: &Reaction, place: Option<usize>) -> Meaning<'a> {
        let model = self.model;
        let Some(place) = place else {
            self.exerts_nothing(asked, "this equation is a law, or holds at the start only");
            return self.nothing(asked);
        };
        let equation = &model.constraints[place];
        let sides = self.meaning(equation.left);
        if self.lawful.contains(&place) {
            self.exerts_nothing(asked, "this equation speaks of no frame");
        }
        let mut at = 0;
        sides.map(|_| {
            at += 1;
            self.multiplier_of(place, at - 1)
        })
    }

    /// Zero where an equation does not hold in this mode, or says nothing.
    fn multiplier_of(&self, equation: usize, part: usize) -> Expr {
        let known = self.multipliers.iter().find(|it| (it.equation, it.part) == (equation, part));
        known.map_or(self.arena.zero(), |it| self.arena.symbol(it.symbol))
    }

    fn exerts_nothing(&mut self, asked: &Reaction, why: &str) {
        self.sink.report(
            Diagnostic::error(NO_REACTION, format!("there is no `{}`", asked.name))
                .at(asked.span, why)
                .hint("ask for the force of an `always` about positions or velocities, of a joint, or of a frame that hangs on another"),
        );
    }

    fn nothing(&self, asked: &Reaction) -> Meaning<'a> {
        match asked.part {
            ReactionPart::Tension => Meaning::Scalar(self.arena.constant(0.0)),
            _ => Meaning::Vector(self.arena.zero_vector()),
        }
    }

    /// Of the first frame on the second, about the origin of the second.
    fn of_joint(&mut self, asked: &Reaction, equations: &[usize], [a, b]: [FrameId; 2]) -> Wrench<'a> {
        if equations.is_empty() {
            self.exerts_nothing(asked, "it states no equation about positions or velocities");
        }
        // Where the first frame hangs on the second, both are displaced together, and nothing is told of what is between them.
        if self.hangs_on(a, b) {
            let Wrench { force, moment } = self.resisted(equations, a);
            let arm = self.pose(a).p_WF - self.pose(b).p_WF;
            return Wrench { force, moment: moment + arm.cross(force) };
        }
        let resisted = self.resisted(equations, b);
        let minus = |vector: Vector<'a>| Vector(vector.0.map(|part| -part));
        Wrench { force: minus(resisted.force), moment: minus(resisted.moment) }
    }

    /// What it takes to displace a frame against some equations: Σ λ ∂ψ/∂δ, about its origin.
    fn resisted(&mut self, equations: &[usize], frame: FrameId) -> Wrench<'a> {
        let wanted: Vec<_> = self.multipliers.iter().filter(|it| equations.contains(&it.equation)).copied().collect();
        let model = self.model;
        let displacement = self.new_displacement();
        let slopes = self.displaced(frame, &displacement, |this| {
            let mut slopes = Vec::new();
            for it in &wanted {
                let residuals = this.residuals(&model.constraints[it.equation]);
                let by = if it.level == Level::Position { displacement.by } else { displacement.rates };
                slopes.push((it.symbol, residuals[it.part].1, by));
            }
            slopes
        });
        let mut parts = [self.arena.constant(0.0); 6];
        for (multiplier, residual, by) in slopes {
            let multiplier = self.arena.term(self.arena.symbol(multiplier));
            for (part, slope) in parts.iter_mut().zip(self.slopes(residual, by, &displacement)) {
                *part = *part + multiplier * slope;
            }
        }
        wrench(parts)
    }

    /// The derivatives of an expression by six symbols, where nothing is displaced.
    fn slopes(&self, expr: Expr, by: [SymbolId; 6], displacement: &Displacement) -> [Term<'a>; 6] {
        let arena = self.arena;
        let nowhere = displacement.by.iter().chain(&displacement.rates);
        let mut back = Substitution::new(nowhere.map(|&symbol| (arena.symbol(symbol), arena.zero())));
        by.map(|symbol| {
            let slope = Differentiator::by(arena, arena.symbol(symbol)).derivative(arena, expr);
            arena.term(back.apply(arena, slope))
        })
    }

    /// Newton's law of a frame and all that hangs on it, about its origin.
    fn of_parent(&mut self, asked: &Reaction, frame: FrameId) -> Wrench<'a> {
        if let Some(other) = self.placed_by_others(frame) {
            let name = &self.model.frame(frame).name;
            self.exerts_nothing(
                asked,
                &format!(
                    "what holds `{name}` is not its parent alone: where `{other}` is was given in terms of others"
                ),
            );
        }
        let all = self.with_what_hangs_on(frame);
        let origin = self.pose(frame).p_WF;
        let mut needed = self.momentum_needs(&all, origin);
        let zero = self.arena.zero_vector();
        let model = self.model;
        let mut give = |force: Vector<'a>, at: Vector<'a>, moment: Vector<'a>| {
            needed.force = needed.force - force;
            needed.moment = needed.moment - moment - (at - origin).cross(force);
        };
        for force in model.forces.iter().filter(|force| all.contains(&force.frame)) {
            let at = match force.at {
                Some(at) => self.vector(at),
                None => self.pose(force.frame).p_WF,
            };
            give(self.vector(force.value), at, zero);
        }
        for torque in model.torques.iter().filter(|torque| all.contains(&torque.frame)) {
            give(zero, origin, self.vector(torque.value));
        }
        if let Some(pull) = self.pull().filter(|pull| all.contains(&pull.frame)) {
            give(pull.force, self.pose(pull.frame).p_WF + pull.arm, zero);
        }
        for (touched, force, moment) in self.wrenches().into_iter().filter(|(touched, ..)| all.contains(touched)) {
            give(force, self.pose(touched).p_WF, moment);
        }
        let fields = self.potential_needs(frame);
        let equations: Vec<usize> = (0..model.constraints.len()).collect();
        let held = self.resisted(&equations, frame);
        Wrench { force: needed.force + fields.force + held.force, moment: needed.moment + fields.moment + held.moment }
    }

    /// What the inertia of some frames takes beside their weight.
    fn momentum_needs(&mut self, all: &[FrameId], origin: Vector<'a>) -> Wrench<'a> {
        let zero = self.arena.zero_vector();
        let mut sum = Wrench { force: zero, moment: zero };
        let (model, g) = (self.model, self.gravity());
        for body in model.bodies.iter().filter(|body| all.contains(&body.frame)) {
            let (B, mass) = (self.pose(body.frame), self.mass(body));
            let force = mass * (B.a_WF - g) + self.rate_of(mass) * B.v_WF;
            sum.force = sum.force + force;
            sum.moment = sum.moment + (B.p_WF - origin).cross(force);
            if let Some(I_B) = self.inertia(body) {
                let I_rate = expr::Matrix(I_B.0.map(|row| row.map(|entry| self.rate_of(entry))));
                let w = B.w_WF_F;
                sum.moment = sum.moment + B.R_WF * (I_B * B.alpha_WF_F + w.cross(I_B * w) + I_rate * w);
            }
        }
        sum
    }

    /// The slopes of all potentials, and what those that depend on velocities do besides.
    fn potential_needs(&mut self, frame: FrameId) -> Wrench<'a> {
        let displacement = self.new_displacement();
        let values = self.displaced(frame, &displacement, |this| {
            let values = this.written_potentials().into_iter().map(|(_, value, _)| value);
            values.collect::<Vec<Expr>>()
        });
        let mut parts = [self.arena.constant(0.0); 6];
        for value in values {
            let slopes = self.slopes(value, displacement.by, &displacement);
            let by_rates = self.slopes(value, displacement.rates, &displacement);
            for ((part, slope), by_rate) in parts.iter_mut().zip(slopes).zip(by_rates) {
                *part = *part + slope - self.rate_of(by_rate);
            }
        }
        wrench(parts)
    }

    fn new_displacement(&mut self) -> Displacement {
        let names = ["x", "y", "z", "about x", "about y", "about z"];
        let by = names.map(|name| self.arena.new_symbol(&format!("displaced {name}")));
        let rates = names.map(|name| self.arena.new_symbol(&format!("displaced {name}'")));
        for (&by, &rate) in by.iter().zip(&rates) {
            self.clock.seed(self.arena.symbol(by), self.arena.symbol(rate));
        }
        Displacement { by, rates }
    }

    /// Reads terms as if a frame were displaced in the world, with all that hangs on it. Its coordinates in its parent stay what they are: what acts
    /// on these acts between the two.
    fn displaced<T>(&mut self, frame: FrameId, by: &Displacement, read: impl FnOnce(&mut Self) -> T) -> T {
        let all = self.with_what_hangs_on(frame);
        let origin = self.pose(frame).p_WF;
        let poses: Vec<Pose<'a>> = (0..self.frames.len()).map(|at| self.pose(FrameId(at as u32))).collect();
        let moved = poses.into_iter().enumerate().map(|(at, pose)| {
            let is_moved = all.contains(&FrameId(at as u32));
            FrameState::Done(Box::new(if is_moved { self.moved(&pose, origin, by) } else { pose }))
        });
        let moved: Vec<FrameState<'a>> = moved.collect();
        let frames = std::mem::replace(&mut self.frames, moved);
        let meanings = std::mem::take(&mut self.meanings);
        let bending = self.bending.len();
        let result = read(self);
        (self.frames, self.meanings) = (frames, meanings);
        self.bending.truncate(bending);
        result
    }

    /// To first order, which is all that a derivative sees.
    fn moved(&self, pose: &Pose<'a>, origin: Vector<'a>, by: &Displacement) -> Pose<'a> {
        let symbols = |of: &[SymbolId]| Vector(std::array::from_fn(|at| self.arena.term(self.arena.symbol(of[at]))));
        let (shift, turn) = (symbols(&by.by[..3]), symbols(&by.by[3..]));
        let (velocity, spin) = (symbols(&by.rates[..3]), symbols(&by.rates[3..]));
        let arm = pose.p_WF - origin;
        let columns: [Vector<'a>; 3] = std::array::from_fn(|at| {
            let column = pose.R_WF.column(at);
            column + turn.cross(column)
        });
        Pose {
            p_WF: pose.p_WF + shift + turn.cross(arm),
            R_WF: expr::Matrix(std::array::from_fn(|row| std::array::from_fn(|column| columns[column].0[row]))),
            turn: Turn::Otherwise,
            v_WF: pose.v_WF + velocity + spin.cross(arm),
            w_WF: pose.w_WF + spin,
            ..*pose
        }
    }

    fn hangs_on(&self, frame: FrameId, other: FrameId) -> bool {
        std::iter::successors(Some(frame), |&at| (at != WORLD).then(|| self.model.frame(at).parent))
            .any(|at| at == other)
    }

    fn with_what_hangs_on(&self, frame: FrameId) -> Vec<FrameId> {
        let all = (0..self.model.frames.len()).map(|at| FrameId(at as u32));
        all.filter(|&other| self.hangs_on(other, frame)).collect()
    }

    /// A frame whose place was given in terms of coordinates from the other side of a joint: what keeps it there acts past the joint.
    fn placed_by_others(&mut self, frame: FrameId) -> Option<String> {
        let model = self.model;
        let inside = self.with_what_hangs_on(frame);
        let spans: Vec<_> = inside.iter().map(|&it| model.frame(it).span).collect();
        let coordinates = self.coordinates.iter().map(|it| (it.symbol, spans.contains(&it.span)));
        let coordinates: Vec<(SymbolId, bool)> = coordinates.collect();
        for at in (1..model.frames.len()).map(|at| FrameId(at as u32)) {
            let is_inside = inside.contains(&at);
            let given: Vec<Expr> = given(model, at).into_iter().map(|term| self.scalar(term).expr).collect();
            let symbols = self.arena.symbols_in(&given);
            if coordinates.iter().any(|(symbol, inside)| symbols.contains(symbol) && *inside != is_inside) {
                return Some(model.frame(at).name.clone());
            }
        }
        None
    }
}

/// The components of a frame's transformation that are no coordinates.
fn given(model: &model::Model, frame: FrameId) -> Vec<TermId> {
    let frame = model.frame(frame);
    let angle = match &frame.rotation {
        Rotation::About { angle, .. } => vec![*angle],
        Rotation::Quaternion(parts) => parts.to_vec(),
        Rotation::None | Rotation::Free(_) => Vec::new(),
    };
    let all = frame.position.iter().chain(&frame.scale).chain(&angle);
    let given = all.filter_map(|component| match component {
        Component::Given(term) => Some(*term),
        Component::Free(_) => None,
    });
    given.collect()
}

fn wrench(parts: [Term<'_>; 6]) -> Wrench<'_> {
    let [a, b, c, d, e, f] = parts;
    Wrench { force: Vector([a, b, c]), moment: Vector([d, e, f]) }
}
