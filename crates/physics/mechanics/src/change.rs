//! Modes and transitions in coordinates: guards, and the equations of what changes all at once.
//!
//! A system is formulated for one mode. After a transition another mode may hold, so its equations are read there, with the symbols of
//! coordinates and speeds replaced by those of their values afterwards; what stands in `pre` is read in the mode before.

use base::{Diagnostic, Span};
use equations::{
    Automaton, Compared, Condition, Constraint, Equation, Level, Mode, Parameter, Reset, Sought, Transition,
};
use expr::{Expr, Node, Operator, Substitution};
use model::{DiscreteId, TermId, TermKind};

use crate::codes;
use crate::entry::{Effects, LEVELS};
use crate::formulate::Formulation;
use crate::meaning::Meaning;

impl<'a> Formulation<'a> {
    /// Discrete numbers are symbols, as parameters are.
    pub fn all_discrete(&mut self) {
        for discrete in &self.model.discrete {
            let parts: &[&str] = if discrete.size() == 3 { &[".x", ".y", ".z"] } else { &[""] };
            let first = self.discrete.len();
            for part in parts {
                let name = format!("{}{part}", discrete.name);
                let (unit, symbol) = (discrete.unit.clone(), self.arena.new_symbol(&name));
                self.discrete.push(Parameter {
                    name,
                    symbol,
                    default: 0.0,
                    unit,
                    description: None,
                    span: discrete.span,
                });
            }
            self.held_places.push(first);
        }
    }

    pub fn discrete_meaning(&self, id: DiscreteId) -> Meaning<'a> {
        let first = self.held_places[id.index()];
        let number = |at: usize| self.arena.term(self.arena.symbol(self.discrete[first + at].symbol));
        match self.model.discrete[id.index()].size() {
            3 => Meaning::Vector(expr::Vector([number(0), number(1), number(2)])),
            _ => Meaning::Scalar(number(0)),
        }
    }

    /// What a value was before the transition: a stand-in for each number, so that what is afterwards can be told from it.
    pub fn before(&mut self, term: TermId) -> Meaning<'a> {
        let source = self.source.clone();
        let meaning = self.in_mode(&source, |formulation| formulation.meaning(term));
        let arena = self.arena;
        meaning.map(|expr| {
            let stand_in = arena.symbol(arena.new_symbol("pre"));
            self.pre.push((stand_in, expr));
            stand_in
        })
    }

    /// Reads terms in another mode.
    pub fn in_mode<T>(&mut self, mode: &[usize], read: impl FnOnce(&mut Self) -> T) -> T {
        let known = std::mem::take(&mut self.meanings);
        let own = std::mem::replace(&mut self.mode, mode.to_vec());
        let result = read(self);
        self.mode = own;
        self.meanings = known;
        result
    }

    /// Whether something that depends on modes alone holds.
    pub fn holds_in_mode(&mut self, condition: Option<TermId>, span: Span) -> bool {
        let Some(condition) = condition else { return true };
        let value = self.scalar(condition).expr;
        match self.arena.as_number(value) {
            Some(number) => !number.is_zero(),
            None => {
                self.sink.report(
                    Diagnostic::error(codes::CHANGING_CONSTRAINT, "a constraint begins and ends with modes only")
                        .at(self.model.terms.get(condition).span, "this depends on more than modes")
                        .at(span, "for this constraint")
                        .hint("declare a mode, and say with `when` how it changes: `mode contact: free | rolling`"),
                );
                false
            }
        }
    }

    pub fn automaton(&mut self, constraints: &[Constraint]) -> Automaton {
        let turning = &constraints[..self.own_constraints];
        let modes = self.model.modes.iter().zip(&self.mode).map(|(mode, &value)| Mode {
            name: mode.name.clone(),
            values: mode.values.clone(),
            value,
            hidden: mode.hidden,
            span: mode.span,
        });
        let modes = modes.collect();
        let mut transitions = Vec::new();
        for (number, transition) in self.model.transitions.iter().enumerate() {
            let guard = self.scalar(transition.guard).expr;
            if self.arena.as_number(guard).is_some_and(|number| number.is_zero()) {
                continue;
            }
            let Some(margin) = self.margin(guard, transition.guard) else { continue };
            let mut target = self.mode.clone();
            transition.modes.iter().for_each(|&(mode, value)| target[mode.index()] = value);
            transitions.extend(self.transition(number, (margin, guard), target, turning));
        }
        let conditions = self.model.conditions.iter().filter_map(|&condition| {
            let holds = self.scalar(condition).expr;
            let margin = self.margin(holds, condition)?;
            let compared = self.compared(condition);
            Some(Condition { margin, slope: self.derivative(margin), size: self.size(holds), compared })
        });
        let conditions = conditions.collect();
        let entries = self.entries(turning);
        // Pictures speak of discrete numbers too: a spring ends where a plan has put its foot.
        let (discrete, carried) = (self.discrete.clone(), std::mem::take(&mut self.carried));
        Automaton { modes, discrete, transitions, conditions, carried, entries }
    }

    /// A number that is not negative where a condition holds, and changes its sign where the condition changes.
    fn margin(&mut self, condition: Expr, term: TermId) -> Option<Expr> {
        let arena = self.arena;
        if let Some(number) = arena.as_number(condition) {
            return Some(arena.number(if number.is_zero() { -1.0 } else { 1.0 }));
        }
        let Node::Apply(operator, arguments) = arena.node(condition) else { return None };
        let mut of = |at: usize| self.margin(arguments[at], term);
        Some(match operator {
            Operator::Less | Operator::LessEqual => arena.subtract(arguments[1], arguments[0]),
            Operator::And => arena.apply(Operator::Min, &[of(0)?, of(1)?]),
            Operator::Or => arena.apply(Operator::Max, &[of(0)?, of(1)?]),
            Operator::Not => arena.negate(of(0)?),
            Operator::Select => {
                let (condition, then, otherwise) = (of(0)?, of(1)?, of(2)?);
                let then = arena.apply(Operator::Min, &[condition, then]);
                let otherwise = arena.apply(Operator::Min, &[arena.negate(condition), otherwise]);
                arena.apply(Operator::Max, &[then, otherwise])
            }
            _ => {
                let place = self.exact(term).unwrap_or(term);
                self.sink.report(
                    Diagnostic::error(codes::EXACT_GUARD, "a moving quantity is equal to another for no time at all")
                        .at(self.model.terms.get(place).span, "this would never be noticed")
                        .hint("compare with `<=` or `>=`, and say which way it goes: `z <= 0 and z' < 0`"),
                );
                return None;
            }
        })
    }

    /// The part of a condition that asks for equality of what moves.
    fn exact(&mut self, condition: TermId) -> Option<TermId> {
        match self.model.terms.get(condition).kind.clone() {
            TermKind::Apply(Operator::Equal, _) => {
                let value = self.scalar(condition).expr;
                self.arena.as_number(value).is_none().then_some(condition)
            }
            TermKind::Apply(_, parts) => parts.into_iter().find_map(|part| self.exact(part)),
            _ => None,
        }
    }

    /// How large the numbers are that a condition compares.
    fn size(&self, condition: Expr) -> Expr {
        let arena = self.arena;
        let Node::Apply(operator, arguments) = arena.node(condition) else { return arena.zero() };
        let parts = arguments.iter().map(|&part| match operator {
            Operator::Less | Operator::LessEqual => arena.apply(Operator::Abs, &[part]),
            _ => self.size(part),
        });
        parts.reduce(|a, b| arena.apply(Operator::Max, &[a, b])).unwrap_or(arena.zero())
    }

    /// The numbers that a condition compares.
    fn compared(&mut self, condition: TermId) -> Vec<Compared> {
        let TermKind::Apply(operator, parts) = self.model.terms.get(condition).kind.clone() else { return Vec::new() };
        if !matches!(operator, Operator::Less | Operator::LessEqual) {
            return parts.into_iter().flat_map(|part| self.compared(part)).collect();
        }
        let sides = parts.into_iter().map(|part| {
            let term = self.model.terms.get(part);
            Compared { value: self.scalar(part).expr, dimension: term.type_.amount.dimension(), span: term.span }
        });
        let sides: Vec<Compared> = sides.collect();
        sides.into_iter().filter(|side| self.arena.as_number(side.value).is_none()).collect()
    }

    fn transition(
        &mut self,
        number: usize,
        (margin, guard): (Expr, Expr),
        target: Vec<usize>,
        turning: &[Constraint],
    ) -> Option<Transition> {
        let stated = &self.model.transitions[number];
        let reports = self.sink.iter().count();
        self.source = self.mode.clone();
        let Effects { said, satisfied, sought, stores, .. } = self.effects(stated, &target, turning);
        let pre = self.pre.iter().map(|&(_, before)| before).collect();
        let [mut positions, mut velocities] = LEVELS.map(|level| self.reset(level, &sought));
        let replaced = [&positions, &velocities].into_iter().flat_map(|reset| reset.before.iter().zip(&reset.after));
        let mut put = Substitution::new(replaced.map(|(&before, &after)| (self.arena.symbol(before), after)));
        let arena = self.arena;
        let mut back = Substitution::new(std::mem::take(&mut self.pre));
        let mut translate = |expr: Expr| back.apply(arena, put.apply(arena, expr));
        for (level, equation) in said.into_iter().chain(satisfied) {
            let moves = self.arena.symbols_in(&[equation.residual]).iter().any(|it| self.levels.contains_key(it));
            let equation = Equation { residual: translate(equation.residual), ..equation };
            if !self.determines(&equation, moves, stated) {
                continue;
            }
            match level {
                Level::Position => positions.equations.push(equation),
                Level::Velocity => velocities.equations.push(equation),
                Level::Acceleration => self.refuse_acceleration(equation.span),
            }
        }
        let stores = stores.into_iter().map(|(at, value)| (at, translate(value))).collect();
        self.check_reset(&mut positions, "positions", stated);
        self.check_reset(&mut velocities, "velocities", stated);
        let [aims, limits] = [&stated.aims, &stated.limits].map(|goals| self.goals(goals));
        let cost = stated.cost.map(|cost| self.scalar(cost).expr);
        let choices = self.choices(stated);
        let ranges = self.ranges(stated, &choices);
        let slope = self.derivative(margin);
        (self.sink.iter().count() == reports).then(|| Transition {
            number,
            name: stated.name.clone(),
            margin,
            slope,
            guard,
            target,
            positions,
            velocities,
            pre,
            stores,
            aims,
            limits,
            cost,
            choices,
            ranges,
            phases: stated.phases.clone(),
            span: stated.span,
        })
    }

    /// Whether an equation of a transition says anything. One about what cannot change is reported.
    fn determines(&mut self, equation: &Equation, moves: bool, stated: &model::Transition) -> bool {
        let number = self.arena.as_number(equation.residual);
        // A component such as 0 == 0, or x == x, says nothing.
        if number.as_ref().is_some_and(|number| number.is_zero()) {
            return false;
        }
        let is_vector = !equations::split_label(&equation.label).1.is_empty();
        let is_fixed = !moves && (is_vector || number.is_none());
        if is_fixed {
            self.refuse_fixed(equation, stated);
        }
        !is_fixed
    }

    fn refuse_acceleration(&mut self, span: Span) {
        self.sink.report(
            Diagnostic::error(codes::ACCELERATION_CONSTRAINT, "a transition cannot set accelerations")
                .at(span, "accelerations follow from the forces")
                .hint("state what positions and velocities are afterwards"),
        );
    }

    /// The components of what a plan aims at, or keeps within limits.
    fn goals(&mut self, goals: &[model::Equation]) -> Vec<Equation> {
        let mut found = Vec::new();
        for goal in goals {
            let residuals = self.residuals(goal).into_iter();
            found.extend(residuals.map(|(label, residual)| Equation { label, residual, span: goal.span }));
        }
        found
    }

    /// What a plan chooses: its places among discrete numbers, with where the search begins.
    fn choices(&mut self, stated: &model::Transition) -> Vec<(usize, Expr)> {
        let mut choices = Vec::new();
        for &(id, seed) in &stated.choices {
            let first = self.held_places[id.index()];
            let parts = self.meaning(seed).parts().into_iter().enumerate();
            choices.extend(parts.map(|(at, (_, part))| (first + at, part)));
        }
        choices
    }

    /// Between which values some of these are chosen, by their places among them.
    fn ranges(&self, stated: &model::Transition, choices: &[(usize, Expr)]) -> Vec<(usize, [f64; 2])> {
        let place = |id: &DiscreteId| choices.iter().position(|&(place, _)| place == self.held_places[id.index()]);
        let ranges = stated.ranges.iter().filter_map(|(id, range)| Some((place(id)?, [range.low, range.high])));
        ranges.collect()
    }

    /// An equation about what cannot change determines nothing.
    fn refuse_fixed(&mut self, equation: &Equation, stated: &model::Transition) {
        let (label, hint) = match equations::split_label(&equation.label).1 {
            "" => ("nothing in it is free to change".to_string(), "say it of something that is `free`"),
            component => (
                format!("its component {component} is fixed: nothing in it is free to change"),
                "say it of the components that are free: `car.velocity.x == v`; or make the fixed one `free`",
            ),
        };
        let message = format!("`{}` says something of what cannot change", stated.name);
        let diagnostic = Diagnostic::error(equations::codes::OPEN_RESET, message);
        self.sink.report(diagnostic.at(equation.span, label).hint(hint));
    }

    /// Symbols for what coordinates, or speeds, are afterwards.
    fn reset(&self, level: Level, sought: &[Sought; 2]) -> Reset {
        let (before, sought) = (self.moving(level), &sought[usize::from(level == Level::Velocity)]);
        let after = before.iter().map(|&symbol| match sought.unknowns.contains(&symbol) {
            true => self.arena.symbol(self.arena.new_symbol(&format!("{}⁺", self.arena.symbol_name(symbol)))),
            false => self.arena.symbol(symbol),
        });
        let after: Vec<Expr> = after.collect();
        let pairs = before.iter().zip(&after).filter(|(before, after)| self.arena.symbol(**before) != **after);
        let unknowns = pairs.filter_map(|(_, &after)| self.arena.as_symbol(after)).collect();
        Reset { before, after, unknowns, equations: Vec::new(), least: sought.least }
    }
}
